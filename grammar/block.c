/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that is freed singly, but also when the job is left by a jump in the
 * middle of flex: each block is on the grammar's list.
 */
#include "grammar/context.h"

struct block {
    struct block *next, *previous;
    _Alignas(max_align_t) unsigned char memory[];
};

static struct block *block_of(void *memory)
{
    return memory == NULL
               ? NULL
               : (struct block *)((unsigned char *)memory - offsetof(struct block, memory));
}

static void link_block(struct grammar *g, struct block *b)
{
    b->next = g->blocks;
    b->previous = NULL;
    if (b->next != NULL)
        b->next->previous = b;
    g->blocks = b;
}

/* The neighbours point at b, wherever it is now. */
static void relink_block(struct grammar *g, struct block *b)
{
    if (b->previous != NULL)
        b->previous->next = b;
    else
        g->blocks = b;
    if (b->next != NULL)
        b->next->previous = b;
}

static void unlink_block(struct grammar *g, struct block *b)
{
    if (b->previous != NULL)
        b->previous->next = b->next;
    else
        g->blocks = b->next;
    if (b->next != NULL)
        b->next->previous = b->previous;
}

void *block_resize(struct grammar *g, void *memory, size_t size)
{
    struct block *old = block_of(memory);
    if (size == 0) {
        if (old != NULL)
            unlink_block(g, old);
        mem_resize(g->mem, old, 0);
        return NULL;
    }
    struct block *b = mem_resize(g->mem, old, sizeof *b + size);
    if (old == NULL)
        link_block(g, b);
    else
        relink_block(g, b);
    return b->memory;
}

void block_free_all(struct grammar *g)
{
    while (g->blocks != NULL)
        block_resize(g, g->blocks->memory, 0);
}
