/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints docs/diagnostics.md from the rows of support/diag.def. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
    const char *slug, *severity, *meaning, *cure;
};

static struct row rows[] = {
#define DIAG(id, slug, severity, summary, cure) {slug, #severity, summary, cure},
#include "support/diag.def"
#undef DIAG
};

static int by_slug(const void *a, const void *b)
{
    return strcmp(((const struct row *)a)->slug, ((const struct row *)b)->slug);
}

/* A cell of a table: `|` would end it. */
static void put_cell(const char *text)
{
    fputs(" ", stdout);
    for (; *text; text++)
        fputs(*text == '|' ? "\\|" : (char[]){*text, '\0'}, stdout);
    fputs(" |", stdout);
}

static const char head[] =
    "# Diagnostics\n"
    "\n"
    "<!-- Made from support/diag.def by `make update-docs`. -->\n"
    "\n"
    "    file:line:col: error: message [code]\n"
    "    the source line\n"
    "           ^~~~\n"
    "\n"
    "The code is stable: scripts may rely on it. `--diagnostics-format=json` prints one object a\n"
    "line with `file`, `line`, `column`, `endLine`, `endColumn` (from 1, columns in bytes, the "
    "end\n"
    "is one past the last; 0 when there is no place), `severity`, `code`, `message` and `notes`,\n"
    "an array of the same without `code` and `notes`. Notes say where a macro or include was\n"
    "called and where the other place is. A message is printed once for a place. After\n"
    "`-fmax-errors=20` errors the rest are only counted.\n"
    "\n"
    "| code | severity | meaning | what to do |\n"
    "|---|---|---|---|\n";

int main(void)
{
    size_t count = sizeof rows / sizeof *rows;
    qsort(rows, count, sizeof *rows, by_slug);
    fputs(head, stdout);
    for (size_t i = 0; i < count; i++) {
        fputs("|", stdout);
        printf(" `%s` | %s |", rows[i].slug,
               strcmp(rows[i].severity, "ERROR") == 0 ? "error" : "warning");
        put_cell(rows[i].meaning);
        put_cell(rows[i].cure);
        putchar('\n');
    }
    return ferror(stdout) || fflush(stdout) != 0;
}
