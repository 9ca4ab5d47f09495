/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Forms that do the same and differ in their reach. A wrong row would let the
 * assembler change a program, so everything but the reach must agree.
 */
#include "isa/isagen.h"

#include <string.h>

static struct gen_form *find_form(struct gen *g, const char *id)
{
    for (size_t i = 0; i < g->nforms; i++) {
        if (!strcmp(g->forms[i].id, id))
            return &g->forms[i];
    }
    return NULL;
}

static const struct gen_reloc *reloc_of(const struct gen *g, const struct gen_field *f)
{
    return f->kind && f->kind->reloc ? &g->relocs[f->kind->reloc - 1] : NULL;
}

/* The one field that takes a relocation; NULL: none, or several. */
static const struct gen_field *displacement(const struct gen *g, const struct gen_pattern *p)
{
    const struct gen_field *found = NULL;

    for (size_t i = 0; i < p->nfields; i++) {
        if (!reloc_of(g, &p->fields[i]))
            continue;
        if (found)
            return NULL;
        found = &p->fields[i];
    }
    return found;
}

static bool same_operand(const struct gen_pattern *p, const struct gen_field *f)
{
    int i = gen_find_field(p, f->name, strlen(f->name));

    return i >= 0 && p->fields[i].kind == f->kind && p->fields[i].width == f->width;
}

static bool same_operands(const struct gen *g, const struct gen_pattern *a,
                          const struct gen_pattern *b)
{
    if (a->nfields != b->nfields)
        return false;
    for (size_t i = 0; i < a->nfields; i++) {
        if (!reloc_of(g, &a->fields[i]) && !same_operand(b, &a->fields[i]))
            return false;
    }
    return true;
}

/* Counts in the same unit from the same place, further both ways. */
static bool reaches_further(const struct gen_reloc *a, const struct gen_reloc *b)
{
    return !strcmp(a->base, b->base) && strcmp(a->base, "NONE") && strcmp(a->base, "LO") &&
           a->shift == b->shift && a->page == b->page && b->min <= a->min && b->max > a->max;
}

static void check_step(struct gen *g, const struct gen_row *row, const struct gen_form *a,
                       const struct gen_form *b)
{
    const struct gen_field *x = displacement(g, &a->p), *y = displacement(g, &b->p);

    if (!x || !y)
        gen_error(g, row, "form %s has no single field with a relocation", x ? b->id : a->id);
    else if (!reaches_further(reloc_of(g, x), reloc_of(g, y)))
        gen_error(g, row, "form %s does not reach further than %s", b->id, a->id);
    if (a->klass != b->klass || a->p.set != b->p.set || a->p.revs != b->p.revs ||
        a->p.bits > b->p.bits || !same_operands(g, &a->p, &b->p))
        gen_error(g, row, "forms %s and %s differ in more than their reach", a->id, b->id);
}

void gen_relax_row(struct gen *g, struct gen_row *row)
{
    struct gen_form *last = NULL;

    for (unsigned i = 0; i < row->ncols && *row->col[i]; i++) {
        struct gen_form *form = find_form(g, row->col[i]);
        if (!form) {
            gen_error(g, row, "unknown form '%s'", row->col[i]);
            return;
        }
        if (form->shorter || form->longer || form == last)
            gen_error(g, row, "form %s is in two places of %%relax", form->id);
        if (last) {
            check_step(g, row, last, form);
            last->longer = (unsigned)(form - g->forms) + 1;
            form->shorter = (unsigned)(last - g->forms) + 1;
        }
        last = form;
    }
    if (last && !last->shorter)
        gen_error(g, row, "form %s stands alone", last->id);
}
