/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/line.h"

#if defined(HAVE_EDITLINE_READLINE_H)
#include <editline/readline.h>
#elif defined(HAVE_READLINE_READLINE_H)
#include <readline/history.h>
#include <readline/readline.h>
#endif

#if defined(HAVE_EDITLINE_READLINE_H) || defined(HAVE_READLINE_READLINE_H)

static char *get(const char *prompt)
{
    char *line = readline(prompt);
    if (line && *line)
        add_history(line);
    return line;
}

#else

static char *get(const char *prompt)
{
    char *line = NULL;
    size_t capacity = 0;
    fputs(prompt, stdout);
    fflush(stdout);
    ssize_t n = getline(&line, &capacity, stdin);
    if (n < 0) {
        free(line);
        return NULL;
    }
    if (n > 0 && line[n - 1] == '\n')
        line[n - 1] = 0;
    return line;
}

#endif

bool line_read(const char *prompt, struct buffer *out)
{
    char *line = get(prompt);
    out->size = 0;
    if (line)
        buffer_append(out, line, strlen(line) + 1);
    free(line);
    return line != NULL;
}
