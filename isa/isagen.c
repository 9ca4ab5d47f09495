/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * isagen [-o DIRECTORY] FILE.isa …: checks the rows of the instruction sets and
 * compiles them into DIRECTORY/isa_enum.h and DIRECTORY/isa_tables.c. Without
 * -o it only checks. isa/README.md describes the rows.
 */
#include "isa/isagen.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Block kinds in the order in which they are interpreted: a row may name what an earlier kind
 * declares, in whatever file it stands. */
static const struct {
    const char *name;
    unsigned columns;
    void (*open)(struct gen *g, struct gen_block *block);
    void (*row)(struct gen *g, struct gen_row *row);
    void (*after)(struct gen *g);
} block_kinds[] = {
    {"revisions", 4, NULL, gen_revision_row, NULL},
    {"enum", 3, gen_enum_open, gen_enum_row, NULL},
    {"relocs", 7, NULL, gen_reloc_row, NULL},
    {"foreign-relocs", 3, NULL, gen_foreign_row, NULL},
    {"kinds", 5, NULL, gen_kind_row, NULL},
    {"classes", 1, NULL, gen_class_row, NULL},
    {"sysregs", 6, NULL, gen_sysreg_row, NULL},
    {"datatypes", 2, NULL, gen_datatypes_row, NULL},
    {"accumulators", 2, NULL, gen_accumulator_row, NULL},
    {"prequant", 8, NULL, gen_prequant_row, NULL},
    {"tileops", 10, NULL, gen_tileop_row, gen_fill_enums},
    {"groups", 5, NULL, gen_group_row, NULL},
    {"forms", 9, NULL, gen_form_row, NULL},
    {"spellings", 6, NULL, gen_spelling_row, NULL},
    {"overlaps", 3, NULL, gen_overlap_row, NULL},
    {"relax", 3, NULL, gen_relax_row, NULL},
    {"reserved", 6, NULL, gen_reserved_row, NULL},
    {"retired", 3, NULL, gen_retired_row, NULL},
    {"op-kinds", 3, NULL, gen_op_kind_row, NULL},
    {"op-enums", 2, NULL, gen_op_enum_row, NULL},
    {"ops", 6, NULL, gen_op_row, gen_sort_ops},
};

enum { BLOCK_KINDS = sizeof block_kinds / sizeof *block_kinds };

/* A run gives no memory back, which the address sanitizer would take for a fault of the build. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

static char *read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    size_t size = 0, got;

    if (!f) {
        fprintf(stderr, "isagen: %s: %s\n", path, strerror(errno));
        exit(EXIT_FAILURE);
    }
    do {
        text = realloc(text, size + 65536 + 1);
        if (!text)
            exit(EXIT_FAILURE);
        got = fread(text + size, 1, 65536, f);
        size += got;
    } while (got);
    fclose(f);
    text[size] = '\0';
    return text;
}

static void add_block(struct gen *g, const char *file, unsigned line, char *text)
{
    g->blocks = gen_grow(g->blocks, g->nblocks, sizeof *g->blocks);
    struct gen_block *b = &g->blocks[g->nblocks++];
    char *blank = strpbrk(text, " \t");

    b->file = file;
    b->line = line;
    b->kind = BLOCK_KINDS;
    if (blank)
        *blank++ = '\0';
    for (unsigned k = 0; k < BLOCK_KINDS; k++) {
        if (!strcmp(text, block_kinds[k].name))
            b->kind = k;
    }
    if (b->kind == BLOCK_KINDS) {
        struct gen_row at = {.file = file, .line = line};
        gen_error(g, &at, "unknown block '%%%s'", text);
    }
    for (char *arg; b->nargs < GEN_MAX_COLUMNS && (arg = gen_split(&blank, '|'));)
        b->arg[b->nargs++] = arg;
    for (unsigned i = b->nargs; i < GEN_MAX_COLUMNS; i++)
        b->arg[i] = gen_copy("", 0);
}

static void add_row(struct gen *g, const char *file, unsigned line, char *text)
{
    struct gen_row row = {.file = file, .line = line, .block = (unsigned)g->nblocks - 1};

    if (g->nblocks == 0) {
        gen_error(g, &row, "a row before the first %%block");
        return;
    }
    unsigned kind = g->blocks[row.block].kind;
    for (char *col; row.ncols < GEN_MAX_COLUMNS && (col = gen_split(&text, '|'));)
        row.col[row.ncols++] = col;
    if (kind < BLOCK_KINDS && row.ncols > block_kinds[kind].columns) {
        gen_error(g, &row, "%u columns; a row of %%%s has at most %u", row.ncols,
                  block_kinds[kind].name, block_kinds[kind].columns);
        return;
    }
    for (unsigned i = row.ncols; i < GEN_MAX_COLUMNS; i++)
        row.col[i] = gen_copy("", 0);
    g->rows = gen_grow(g->rows, g->nrows, sizeof *g->rows);
    g->rows[g->nrows++] = row;
}

static void read_rows(struct gen *g, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *file = slash ? slash + 1 : path;
    char *rest = read_file(path);
    unsigned line = 0;

    for (char *text; (text = gen_split(&rest, '\n'));) {
        line++;
        if (*text == '%')
            add_block(g, file, line, text + 1);
        else if (*text && *text != '#')
            add_row(g, file, line, text);
    }
}

static void interpret_block(struct gen *g, unsigned block)
{
    unsigned kind = g->blocks[block].kind;

    if (block_kinds[kind].open)
        block_kinds[kind].open(g, &g->blocks[block]);
    for (size_t i = 0; i < g->nrows; i++) {
        if (g->rows[i].block == block)
            block_kinds[kind].row(g, &g->rows[i]);
    }
}

static void interpret(struct gen *g)
{
    for (unsigned kind = 0; kind < BLOCK_KINDS; kind++) {
        for (unsigned i = 0; i < g->nblocks; i++) {
            if (g->blocks[i].kind == kind)
                interpret_block(g, i);
        }
        if (block_kinds[kind].after)
            block_kinds[kind].after(g);
    }
}

static bool write_file(const struct gen *g, const char *directory, const char *name,
                       void (*emit)(const struct gen *g, FILE *out))
{
    char *path = gen_join(gen_join(directory, "/"), name);
    FILE *f = fopen(path, "w");
    if (f)
        emit(g, f);
    if (!f || ferror(f) | fclose(f)) {
        fprintf(stderr, "isagen: %s: %s\n", path, strerror(errno));
        return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    struct gen g = {0};
    const char *directory = NULL;
    int first = 1;

    if (argc > 2 && !strcmp(argv[1], "-o")) {
        directory = argv[2];
        first = 3;
    }
    if (first >= argc) {
        fputs("usage: isagen [-o DIRECTORY] FILE.isa ...\n", stderr);
        return EXIT_FAILURE;
    }
    for (int i = first; i < argc; i++)
        read_rows(&g, argv[i]);
    interpret(&g);
    gen_check(&g);
    if (g.errors)
        return EXIT_FAILURE;
    /* The header last: it is made from the same rows, and make must find it the newer one. */
    if (directory && !(write_file(&g, directory, "isa_tables.c", gen_emit_tables) &&
                       write_file(&g, directory, "isa_enum.h", gen_emit_header)))
        return EXIT_FAILURE;
    return EXIT_SUCCESS;
}
