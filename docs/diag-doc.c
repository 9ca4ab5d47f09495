/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints docs/diagnostics.md from the rows of support/diag.def and from the examples of
 * docs/diagnostics.examples, a file of sections `## code`, whose text is taken as it stands.
 * A code without an example is an error, and so is an example without a code.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
    const char *slug, *severity, *meaning, *cure;
    const char *example; /* in the text of the examples, up to the next section */
    size_t example_size;
};

static struct row rows[] = {
#define DIAG(id, slug, severity, summary, cure) {slug, #severity, summary, cure, NULL, 0},
#include "support/diag.def"
#undef DIAG
};

enum { ROWS = sizeof rows / sizeof *rows };

static const char section[] = "\n## ";

static int by_slug(const void *a, const void *b)
{
    return strcmp(((const struct row *)a)->slug, ((const struct row *)b)->slug);
}

/* The whole file, a newline before its first byte; NULL when it cannot be read. */
static char *read_text(const char *path)
{
    FILE *f = fopen(path, "rb");
    long size = f && fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
    char *text = size >= 0 ? malloc((size_t)size + 2) : NULL;
    if (text) {
        rewind(f);
        text[0] = '\n';
        text[1 + fread(text + 1, 1, (size_t)size, f)] = '\0';
    }
    if (f)
        fclose(f);
    return text;
}

/* Takes the sections of `text` to their rows. */
static bool take_examples(const char *text)
{
    bool good = true;
    for (const char *at = strstr(text, section), *next; at; at = next) {
        const char *name = at + strlen(section), *end = strchr(name, '\n');
        char slug[64];
        if (!end)
            break;
        next = strstr(end, section);
        snprintf(slug, sizeof slug, "%.*s", (int)(end - name), name);
        struct row key = {.slug = slug}, *row = bsearch(&key, rows, ROWS, sizeof *rows, by_slug);
        if (row && !row->example) {
            row->example = end + 1;
            row->example_size = next ? (size_t)(next - end - 1) : strlen(end + 1);
        } else {
            fprintf(stderr, "diag-doc: '%s' has %s\n", slug,
                    row ? "two examples" : "an example, but no row in diag.def");
            good = false;
        }
    }
    for (size_t i = 0; i < ROWS; i++)
        if (!rows[i].example) {
            fprintf(stderr, "diag-doc: '%s' has no example\n", rows[i].slug);
            good = false;
        }
    return good;
}

static const char *severity(const struct row *row)
{
    return !strcmp(row->severity, "ERROR")     ? "error"
           : !strcmp(row->severity, "WARNING") ? "warning"
                                               : "note";
}

static const char head[] =
    "# Diagnostics\n"
    "\n"
    "<!-- Made from support/diag.def and docs/diagnostics.examples by `make update-docs`. -->\n"
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
    "Each code has a section with what to do about it and with an example, which the tests run.\n"
    "\n"
    "| code | severity | meaning |\n"
    "|---|---|---|\n";

/* A cell of a table: `|` would end it. */
static void put_cell(const char *text)
{
    fputs(" ", stdout);
    for (; *text; text++)
        fputs(*text == '|' ? "\\|" : (char[]){*text, '\0'}, stdout);
    fputs(" |", stdout);
}

int main(int argc, char **argv)
{
    char *text = argc == 2 ? read_text(argv[1]) : NULL;
    if (!text) {
        fputs("usage: diag-doc EXAMPLES\n", stderr);
        return EXIT_FAILURE;
    }
    qsort(rows, ROWS, sizeof *rows, by_slug);
    bool good = take_examples(text);
    fputs(head, stdout);
    for (size_t i = 0; i < ROWS; i++) {
        printf("| [`%s`](#%s) | %s |", rows[i].slug, rows[i].slug, severity(&rows[i]));
        put_cell(rows[i].meaning);
        putchar('\n');
    }
    for (size_t i = 0; good && i < ROWS; i++)
        printf("\n## %s\n\n%s: %s. What to do: %s.\n%.*s", rows[i].slug, severity(&rows[i]),
               rows[i].meaning, rows[i].cure, (int)rows[i].example_size, rows[i].example);
    free(text);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
