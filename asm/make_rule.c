/* SPDX-License-Identifier: BSD-3-Clause */
#include "asm/make_rule.h"

#include <string.h>

enum { LINE_WIDTH = 78 };

bool make_can_name(const char *name)
{
    return !strpbrk(name, "\n\r");
}

/* A backslash is itself unless it stands before what it would quote; then it is doubled. */
void make_quote(struct buffer *out, const char *name, bool target)
{
    size_t backslashes = 0;
    for (; *name; name++) {
        if (strchr(" \t#:", *name) || (target && *name == '%')) {
            for (; backslashes > 0; backslashes--)
                buffer_append(out, "\\", 1);
            buffer_append(out, "\\", 1);
        } else if (*name == '$') {
            buffer_append(out, "$", 1);
        }
        backslashes = *name == '\\' ? backslashes + 1 : 0;
        buffer_append(out, name, 1);
    }
}

void make_write_rule(struct buffer *out, const char *targets, const char *const *prerequisites,
                     size_t count, size_t given, bool phony)
{
    size_t line = out->size;
    buffer_printf(out, "%s:", targets);
    for (size_t i = 0; i < count; i++) {
        if (out->size - line + strlen(prerequisites[i]) > LINE_WIDTH) {
            buffer_printf(out, " \\\n ");
            line = out->size;
        }
        buffer_append(out, " ", 1);
        make_quote(out, prerequisites[i], false);
    }
    buffer_append(out, "\n", 1);
    for (size_t i = given; phony && i < count; i++) {
        buffer_append(out, "\n", 1);
        make_quote(out, prerequisites[i], true);
        buffer_append(out, ":\n", 2);
    }
}
