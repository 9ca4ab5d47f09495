/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches in the table of PTO-AS operations. */
#include "isa/ops.h"

#include <stdlib.h>
#include <string.h>

struct key {
    const char *prefix, *name;
};

/* prefix and name as one text against the name of a row */
static int compare(const void *key, const void *row)
{
    const struct key *k = key;
    const char *name = ((const struct isa_op *)row)->name;
    size_t len = strlen(k->prefix);
    int order = strncmp(k->prefix, name, len);
    return order != 0 ? order : strcmp(k->name, name + len);
}

static const struct isa_op *find(const char *prefix, const char *name)
{
    struct key key = {prefix, name};
    return bsearch(&key, isa_ops, ISA_OP_COUNT, sizeof *isa_ops, compare);
}

const struct isa_op *isa_find_op(const char *name)
{
    const struct isa_op *op = find("", name);
    return op != NULL ? op : find("pto.", name);
}

static int find_value(const struct isa_op_value *v, unsigned count, const char *name)
{
    for (unsigned i = 0; i < count; i++)
        if (strcmp(v[i].name, name) == 0)
            return (int)i;
    return -1;
}

int isa_op_operand(const struct isa_op *op, const char *name)
{
    return find_value(op->operands, op->noperands, name);
}

int isa_op_result(const struct isa_op *op, const char *name)
{
    return find_value(op->results, op->nresults, name);
}

int isa_op_attr(const struct isa_op *op, const char *name)
{
    return find_value(op->attrs, op->nattrs, name);
}

bool isa_op_word(const char *list, const char *word)
{
    size_t len = strlen(word);
    for (const char *p = list; *p != '\0'; p += strspn(p, " ")) {
        size_t n = strcspn(p, " ");
        if (n == len && memcmp(p, word, n) == 0)
            return true;
        p += n;
    }
    return false;
}
