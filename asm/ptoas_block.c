/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks of PTO-AS functions and the ways between them. A use in another block
 * than the definition is remembered and judged when all blocks are known.
 */
#include "asm/verifier.h"

#include <string.h>

uint32_t ptoas_open_block(struct assembler *as, const char *label, struct loc loc)
{
    struct verifier *v = as->ptoas->verifier;
    *vec_push(as->mem, &v->blocks) = (struct block){label, loc, v->edges.count, 0};
    return (uint32_t)v->blocks.count - 1;
}

void ptoas_add_edges(struct assembler *as, const struct ast_op *op)
{
    struct verifier *v = as->ptoas->verifier;
    struct region *r = ptoas_innermost(v);
    for (const struct ast_group *g = op->groups; g != NULL; g = g->next)
        for (const struct ast_value *s = g->values; s != NULL; s = s->next)
            if ((s->kind == AST_VALUE_WORD || s->kind == AST_VALUE_CALL) && s->name[0] == '^') {
                *vec_push(as->mem, &v->edges) = (struct edge){s->name, s->loc};
                v->blocks.item[r->block].nedges++;
            }
}

/* Blocks of one region as a graph: numbers from `first` on. */
struct graph {
    struct verifier *v;
    size_t first, count;
    struct map labels;   /* label -> number + 1 */
    uint32_t *dominator; /* immediate, by number; UINT32_MAX: not reached */
    uint32_t *order;     /* position in reverse post-order */
    uint32_t *list;      /* in reverse post-order */
    size_t reached;
};

static uint32_t target_of(const struct graph *g, const struct edge *e)
{
    return (uint32_t)((uintptr_t)map_get(&g->labels, e->label) - 1);
}

/* Depth first without recursion; `list` is filled from its end. */
static void sort_blocks(struct graph *g, struct arena *a)
{
    struct visit {
        uint32_t block;
        size_t edge;
    } *stack = arena_array(a, g->count, sizeof *stack);
    bool *seen = arena_array(a, g->count, sizeof *seen);
    size_t depth = 1, end = g->count;
    stack[0] = (struct visit){0, 0};
    seen[0] = true;
    while (depth > 0) {
        struct visit *top = &stack[depth - 1];
        const struct block *b = &g->v->blocks.item[g->first + top->block];
        if (top->edge == b->nedges) {
            g->list[--end] = top->block;
            depth--;
            continue;
        }
        uint32_t next = target_of(g, &g->v->edges.item[b->edges + top->edge++]);
        if (next < g->count && !seen[next]) {
            seen[next] = true;
            stack[depth++] = (struct visit){next, 0};
        }
    }
    g->reached = g->count - end;
    memmove(g->list, g->list + end, g->reached * sizeof *g->list);
    for (size_t i = 0; i < g->reached; i++)
        g->order[g->list[i]] = (uint32_t)i;
}

static uint32_t common_dominator(const struct graph *g, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (g->order[a] > g->order[b])
            a = g->dominator[a];
        while (g->order[b] > g->order[a])
            b = g->dominator[b];
    }
    return a;
}

/* Cooper, Harvey and Kennedy: a few rounds over the blocks in reverse post-order. */
static void find_dominators(struct graph *g)
{
    bool changed = true;
    for (size_t i = 0; i < g->count; i++)
        g->dominator[i] = UINT32_MAX;
    g->dominator[0] = 0;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < g->reached; i++) {
            uint32_t from = g->list[i];
            const struct block *b = &g->v->blocks.item[g->first + from];
            for (size_t e = 0; e < b->nedges; e++) {
                uint32_t to = target_of(g, &g->v->edges.item[b->edges + e]);
                if (to >= g->count || to == 0)
                    continue;
                uint32_t old = g->dominator[to];
                uint32_t now = old == UINT32_MAX ? from : common_dominator(g, old, from);
                changed |= now != old;
                g->dominator[to] = now;
            }
        }
    }
}

static bool dominates(const struct graph *g, uint32_t a, uint32_t b)
{
    if (g->dominator[b] == UINT32_MAX) /* nothing in a block that is never reached can go wrong */
        return true;
    while (b != a && b != 0)
        b = g->dominator[b];
    return b == a;
}

static void make_graph(struct assembler *as, struct graph *g)
{
    struct verifier *v = g->v;
    map_init(&g->labels, as->mem);
    for (size_t i = 0; i < g->count; i++) {
        const struct block *b = &v->blocks.item[g->first + i];
        if (b->label == NULL)
            continue;
        if (map_get(&g->labels, b->label) != NULL)
            diag_report(as->diag, DIAG_PTOAS_REDEFINED, b->loc, "block %s is defined twice",
                        b->label);
        *map_put(&g->labels, b->label) = (void *)(uintptr_t)(i + 1);
    }
    for (size_t i = 0; i < g->count; i++) {
        const struct block *b = &v->blocks.item[g->first + i];
        for (size_t e = 0; e < b->nedges; e++)
            if (map_get(&g->labels, v->edges.item[b->edges + e].label) == NULL)
                diag_report(as->diag, DIAG_PTOAS_UNDEFINED, v->edges.item[b->edges + e].loc,
                            "there is no block %s in this region",
                            v->edges.item[b->edges + e].label);
    }
    g->dominator = arena_array(v->arena, g->count, sizeof *g->dominator);
    g->order = arena_array(v->arena, g->count, sizeof *g->order);
    g->list = arena_array(v->arena, g->count, sizeof *g->list);
    sort_blocks(g, v->arena);
    find_dominators(g);
}

/* Blocks of regions inside belong to the block around them; only the outermost has several. */
void ptoas_check_dominance(struct assembler *as, const struct region *r)
{
    struct verifier *v = as->ptoas->verifier;
    struct graph g = {.v = v, .first = r->blocks, .count = v->blocks.count - r->blocks};
    make_graph(as, &g);
    for (size_t i = 0; i < v->later.count; i++) {
        const struct later_use *u = &v->later.item[i];
        unsigned part;
        const struct definition *d =
            u->definition != NULL ? u->definition : ptoas_find_definition(as, u->name, &part);
        bool known = d != NULL && u->block >= g.first;
        bool inside = known && d->block >= g.first;
        bool before = known && (!inside ||
                                (d->block != u->block && dominates(&g, d->block - (uint32_t)g.first,
                                                                   u->block - (uint32_t)g.first)));
        if (before || (known && u->definition != NULL && d->block == u->block))
            continue;
        diag_report(as->diag, DIAG_PTOAS_UNDEFINED, u->loc,
                    d != NULL ? "%%%s is not defined on every way here"
                              : "%%%s is not defined here",
                    u->name);
        if (d != NULL)
            diag_note(as->diag, d->loc, "it is defined here");
    }
    map_free(&g.labels);
    v->later.count = 0;
}
