/* SPDX-License-Identifier: BSD-3-Clause */
/* Engines and semaphores for a reader. */
#include <string.h>

#include "sim/seq.h"

enum { PER_LINE = 4 };

int seq_find_engine(const struct sim *s, const char *name)
{
    for (unsigned n = 0; n < SIM_ENGINES; n++) {
        const struct seq_engine *e = &s->seqs->engine[n];
        if (e->state != SEQ_ABSENT && equal_folded(name, strlen(name), e->name, strlen(e->name)))
            return (int)n;
    }
    return -1;
}

const char *seq_engine_name(const struct sim *s, unsigned engine)
{
    return s->seqs->engine[engine].name;
}

bool seq_position(const struct sim *s, unsigned engine, uint64_t *pc, const char **state)
{
    static const char *const states[] = {"absent", "ready", "waiting", "ended"};
    const struct seq_engine *e = &s->seqs->engine[engine];
    *pc = e->pc;
    *state = states[e->state];
    return e->state != SEQ_ABSENT;
}

bool seq_contains(const struct sim *s, uint64_t address)
{
    for (unsigned n = 0; s->seqs && n < SIM_ENGINES; n++) {
        const struct seq_engine *e = &s->seqs->engine[n];
        if (e->state != SEQ_ABSENT && address >= e->start && address < e->end)
            return true;
    }
    return false;
}

void seq_print_registers(const struct sim *s, unsigned engine, struct buffer *out)
{
    const struct seq_engine *e = &s->seqs->engine[engine];
    for (unsigned i = 0; i < SEQ_REGISTERS; i++) {
        char name[8];
        snprintf(name, sizeof name, "R%u", i);
        buffer_printf(out, "%-4s 0x%08x%s", name, e->r[i],
                      i % PER_LINE == PER_LINE - 1 ? "\n" : "  ");
    }
}

void seq_print_semaphores(const struct sim *s, struct buffer *out)
{
    const struct seqs *q = s->seqs;
    size_t before = out->size;
    for (unsigned id = 0; id < SEQ_SEMAPHORES; id++)
        if (q->semaphore[id])
            buffer_printf(out, "$S[%u] = %d\n", id, (int32_t)q->semaphore[id]);
    for (unsigned id = 0; id < SEQ_SEMAPHORES; id++)
        if (q->event[id])
            buffer_printf(out, "$E[%u] set\n", id);
    if (out->size == before)
        buffer_printf(out, "all semaphores are 0, all events clear\n");
}
