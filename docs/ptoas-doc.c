/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints docs/pto-as-operations.md: what becomes of every operation of isa/ptoas-ops.isa, or why it
 * is not lowered. Fails when asm/ptoas_lower.def forgets one or names another. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "isa/ops.h"

static const struct row {
    const char *op, *tileop, *text, *why; /* one of the last three */
} rows[] = {
#define LOWER(op, tileop, sources, scalars, rule) {op, #tileop, NULL, NULL},
#define OTHER(op, text)                           {op, NULL, text, NULL},
#define REFUSE(op, why)                           {op, NULL, NULL, why},
#include "asm/ptoas_lower.def"
};
enum { ROWS = sizeof rows / sizeof *rows };

static bool is_row_of(const struct row *r, const char *op)
{
    size_t length = strlen(op);
    return strncmp(r->op, op, length) == 0 && (r->op[length] == '\0' || r->op[length] == ' ');
}

static bool is_operation(const char *name)
{
    for (size_t i = 0; i < ISA_OP_COUNT; i++)
        if (strncmp(isa_ops[i].name, name, strcspn(name, " ")) == 0)
            return true;
    return false;
}

/* "`TADD`, `TADD`"; rows of another form of the operation behind "or". */
static unsigned print_rows(const char *op)
{
    const struct row *last = NULL;
    unsigned count = 0;
    for (const struct row *r = rows; r < rows + ROWS; r++) {
        if (!is_row_of(r, op))
            continue;
        if (last != NULL)
            fputs(strcmp(last->op, r->op) == 0 ? ", " : "; or ", stdout);
        if (r->tileop != NULL)
            printf("`%s`", r->tileop);
        else
            fputs(r->text != NULL ? r->text : "", stdout);
        if (r->why != NULL)
            printf("not lowered: %s", r->why);
        last = r;
        count++;
    }
    return count;
}

int main(void)
{
    bool good = true;
    puts(
        "# Operations of PTO-AS\n\n"
        "<!-- Made from asm/ptoas_lower.def by `make update-docs`. -->\n\n"
        "Every operation that the verifier knows, and the tile operations that it becomes, in the\n"
        "order of their bundles. How operands and sizes go into a bundle: "
        "[pto-as-lowering.md](pto-as-lowering.md).\n\n"
        "| operation | becomes |\n|---|---|");
    for (size_t i = 0; i < ISA_OP_COUNT; i++) {
        printf("| `%s` | ", isa_ops[i].name);
        if (print_rows(isa_ops[i].name) == 0) {
            fprintf(stderr, "asm/ptoas_lower.def has no row for %s\n", isa_ops[i].name);
            good = false;
        }
        puts(" |");
    }
    for (const struct row *r = rows; r < rows + ROWS; r++)
        if (!is_operation(r->op)) {
            fprintf(stderr, "asm/ptoas_lower.def: %s is no operation\n", r->op);
            good = false;
        }
    return good ? 0 : 1;
}
