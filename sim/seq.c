/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/seq.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/trace.h"

/* In order of turns. A plain `.seq` stream runs on POOL, the engine the records come from. */
static const struct {
    const char *name, *section;
} engines[SIM_ENGINES] = {
    {"act", ".seq.act"},   {"dve", ".seq.dve"}, {"pe", ".seq.pe"},
    {"pool", ".seq.pool"}, {"sp", ".seq.sp"},
};
enum { ENGINE_POOL = 3 };
static const char plain_section[] = ".seq";

/* ---- life ---- */

static void add_section(struct seqs *q, unsigned n, const struct obj_section *section)
{
    struct seq_engine *e = &q->engine[n];
    if (e->state != SEQ_ABSENT) {
        q->conflict = "the program has both .seq and .seq.pool; both run on POOL";
        return;
    }
    e->state = SEQ_READY;
    e->pc = e->start = section->address;
    e->end = section->address + section->size;
}

void seq_create(struct sim *s)
{
    struct seqs *q = arena_alloc(s->arena, sizeof *q);
    s->seqs = q;
    q->random = s->options.schedule_seed;
    for (unsigned n = 0; n < SIM_ENGINES; n++)
        q->engine[n].name = engines[n].name;
    for (size_t i = 0; s->program && i < s->program->sections.count; i++) {
        const struct obj_section *section = &s->program->sections.item[i];
        if (!section->name || !section->size)
            continue;
        if (strcmp(section->name, plain_section) == 0)
            add_section(q, ENGINE_POOL, section);
        for (unsigned n = 0; n < SIM_ENGINES; n++)
            if (strcmp(section->name, engines[n].section) == 0)
                add_section(q, n, section);
    }
}

void seq_destroy(struct sim *s)
{
    s->seqs = NULL;
}

bool seq_present(const struct sim *s)
{
    for (unsigned n = 0; n < SIM_ENGINES; n++)
        if (s->seqs->engine[n].state != SEQ_ABSENT)
            return true;
    return false;
}

/* ---- fields and registers ---- */

uint64_t seq_field64(const struct seq_op *op, unsigned field)
{
    return isa_value(&op->insn, field, 0);
}

uint32_t seq_field(const struct seq_op *op, unsigned field)
{
    return (uint32_t)seq_field64(op, field);
}

uint32_t seq_element(const struct seq_op *op, unsigned field, unsigned k)
{
    const struct isa_form *form = op->insn.form;
    int i = isa_field_index(form, field);
    if (i < 0 || k >= form->fields[i].count)
        return 0;
    return (uint32_t)op->insn.value[form->fields[i].index + k];
}

bool seq_is_register(uint32_t specifier)
{
    return specifier < SEQ_REGISTERS || specifier == SEQ_PC_LOW || specifier == SEQ_PC_HIGH;
}

uint32_t seq_read(const struct seq_op *op, uint32_t specifier)
{
    if (specifier == SEQ_PC_LOW)
        return (uint32_t)op->e->pc;
    if (specifier == SEQ_PC_HIGH)
        return (uint32_t)(op->e->pc >> 32);
    return op->e->r[specifier % SEQ_REGISTERS];
}

void seq_write(struct seq_op *op, uint32_t specifier, uint32_t value)
{
    if (specifier < SEQ_REGISTERS)
        op->e->r[specifier] = value;
}

bool seq_fault(struct seq_op *op, const char *fmt, ...)
{
    char text[sizeof op->s->fault.text];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    const struct isa_form *form = op->insn.form;
    sim_fault(op->s, -1, FAULT_SEQ, op->e->pc, op->e->pc, "%s: %s",
              form ? isa_mnemonic_names[form->mnemonic] : "record", text);
    op->s->fault.engine = op->e->name;
    return false;
}

/* ---- fetch and validity ---- */

static const struct seq_handler *find_handler(const struct isa_form *form)
{
    for (size_t i = 0; i < seq_handler_count; i++)
        if (seq_handlers[i].mnemonic == form->mnemonic)
            return &seq_handlers[i];
    return NULL;
}

static bool has_extended(const struct seq_op *op)
{
    return op->insn.form->mnemonic == ISA_MNEM_EVENT_SEMAPHORE;
}

static struct seq_events events_of(const struct seq_op *op, bool extended)
{
    struct seq_events v = {
        .wait_mode =
            (uint8_t)seq_field(op, extended ? ISA_FIELD_ext_wait_mode : ISA_FIELD_wait_mode),
        .wait_idx = (uint8_t)seq_field(op, extended ? ISA_FIELD_ext_wait_idx : ISA_FIELD_wait_idx),
        .update_mode =
            (uint8_t)seq_field(op, extended ? ISA_FIELD_ext_update_mode : ISA_FIELD_update_mode),
        .update_idx =
            (uint8_t)seq_field(op, extended ? ISA_FIELD_ext_update_idx : ISA_FIELD_update_idx),
    };
    v.wait_value = seq_field(op, extended ? ISA_FIELD_sem_wait_value : ISA_FIELD_semaphore_value);
    v.update_value =
        extended ? seq_field(op, ISA_FIELD_sem_update_value) : v.wait_value; /* one shared word */
    return v;
}

/* Only the first violated clause is told. */
static void note_violation(void *ctx, const char *clause, const char *text)
{
    struct seq_op *op = ctx;
    if (!op->s->fault.kind)
        seq_fault(op, "not valid: %s [%s]", text, clause);
}

static bool fetch(struct seq_op *op, uint8_t *bytes)
{
    uint64_t bad;
    if (op->e->pc < op->e->start || op->e->pc + SEQ_RECORD > op->e->end ||
        !mem_probe(op->s, op->e->pc, SEQ_RECORD, MEM_READ, &bad))
        return seq_fault(op, "no whole record lies at 0x%llx", (unsigned long long)op->e->pc);
    mem_read(op->s, op->e->pc, bytes, SEQ_RECORD);
    if (!isa_seq_extract(&op->s->target, bytes, &op->insn)) {
        sim_debug(op->s, "S: ErrorHandler : Bad Opcode(0x%x)", bytes[0]);
        return seq_fault(op, "Bad Opcode(0x%x)", bytes[0]);
    }
    op->bytes = bytes;
    return true;
}

/* ---- waits and updates ---- */

static bool semaphore_meets(unsigned mode, int32_t value, int32_t threshold)
{
    switch (mode & 7) {
    case ISA_SeqWaitMode_SEM_EQ_IMM:
        return value == threshold;
    case ISA_SeqWaitMode_SEM_LT_IMM:
        return value < threshold;
    case ISA_SeqWaitMode_SEM_LE_IMM:
        return value <= threshold;
    case ISA_SeqWaitMode_SEM_GT_IMM:
        return value > threshold;
    default:
        return value >= threshold;
    }
}

enum wait_result { WAIT_OVER, WAIT_ON, WAIT_FAULT };

static enum wait_result wait_for_event(struct seq_op *op, unsigned mode, unsigned id)
{
    bool set = op->q->event[id];
    bool wants_set = mode == ISA_SeqWaitMode_EVT_SET || mode == ISA_SeqWaitMode_EVT_SET_THEN_CLEAR;
    if (set != wants_set)
        return WAIT_ON;
    if (mode == ISA_SeqWaitMode_EVT_SET_THEN_CLEAR || mode == ISA_SeqWaitMode_EVT_CLEAR_THEN_SET)
        op->q->event[id] = !set;
    return WAIT_OVER;
}

static enum wait_result wait_once(struct seq_op *op, const struct seq_events *v)
{
    uint32_t threshold = v->wait_value;
    switch (v->wait_mode) {
    case ISA_SeqWaitMode_NONE:
    case ISA_SeqWaitMode_UNORDERED:
        return WAIT_OVER;
    case ISA_SeqWaitMode_EVT_SET:
    case ISA_SeqWaitMode_EVT_SET_THEN_CLEAR:
    case ISA_SeqWaitMode_EVT_CLEAR:
    case ISA_SeqWaitMode_EVT_CLEAR_THEN_SET:
        return wait_for_event(op, v->wait_mode, v->wait_idx);
    case ISA_SeqWaitMode_SEM_EQ_REG:
    case ISA_SeqWaitMode_SEM_LT_REG:
    case ISA_SeqWaitMode_SEM_LE_REG:
    case ISA_SeqWaitMode_SEM_GT_REG:
    case ISA_SeqWaitMode_SEM_GE_REG:
        threshold = seq_read(op, v->wait_value);
        break;
    case ISA_SeqWaitMode_SEM_EQ_IMM:
    case ISA_SeqWaitMode_SEM_LT_IMM:
    case ISA_SeqWaitMode_SEM_LE_IMM:
    case ISA_SeqWaitMode_SEM_GT_IMM:
    case ISA_SeqWaitMode_SEM_GE_IMM:
        break;
    default:
        seq_fault(op, "wait mode 0x%02x is not publicly specified", v->wait_mode);
        return WAIT_FAULT;
    }
    return semaphore_meets(v->wait_mode, (int32_t)op->q->semaphore[v->wait_idx], (int32_t)threshold)
               ? WAIT_OVER
               : WAIT_ON;
}

/* The inline wait first, then the extended one; a wait that is over is not tested again. */
static enum wait_result wait_all(struct seq_op *op)
{
    for (unsigned block = op->e->waited; block <= (unsigned)has_extended(op); block++) {
        struct seq_events v = events_of(op, block);
        enum wait_result r = wait_once(op, &v);
        if (r == WAIT_ON)
            op->e->blocking = v;
        if (r != WAIT_OVER)
            return r;
        op->e->waited = (uint8_t)(block + 1);
    }
    return WAIT_OVER;
}

/* Both phases, READ and COMPLETE, come after the record has acted: the machine is serial. */
void seq_update(struct seqs *q, unsigned mode, unsigned id, uint32_t value)
{
    uint32_t *semaphore = &q->semaphore[id];
    switch (mode) {
    case ISA_SeqUpdateMode_EVT_SET_READ:
    case ISA_SeqUpdateMode_EVT_SET_COMPLETE:
        q->event[id] = true;
        break;
    case ISA_SeqUpdateMode_EVT_CLR_READ:
    case ISA_SeqUpdateMode_EVT_CLR_COMPLETE:
        q->event[id] = false;
        break;
    case ISA_SeqUpdateMode_SEM_INC_READ:
    case ISA_SeqUpdateMode_SEM_INC_COMPLETE:
        ++*semaphore;
        break;
    case ISA_SeqUpdateMode_SEM_DEC_READ:
    case ISA_SeqUpdateMode_SEM_DEC_COMPLETE:
        --*semaphore;
        break;
    case ISA_SeqUpdateMode_SEM_ADD_IMM_READ:
    case ISA_SeqUpdateMode_SEM_ADD_IMM_COMPLETE:
    case ISA_SeqUpdateMode_SEM_ADD_REG_READ:
    case ISA_SeqUpdateMode_SEM_ADD_REG_COMPLETE:
        *semaphore += value;
        break;
    case ISA_SeqUpdateMode_SEM_SUB_IMM_READ:
    case ISA_SeqUpdateMode_SEM_SUB_IMM_COMPLETE:
    case ISA_SeqUpdateMode_SEM_SUB_REG_READ:
    case ISA_SeqUpdateMode_SEM_SUB_REG_COMPLETE:
        *semaphore -= value;
        break;
    case ISA_SeqUpdateMode_SEM_WR_IMM_READ:
    case ISA_SeqUpdateMode_SEM_WR_IMM_COMPLETE:
    case ISA_SeqUpdateMode_SEM_WR_REG_READ:
    case ISA_SeqUpdateMode_SEM_WR_REG_COMPLETE:
        *semaphore = value;
        break;
    default:
        break;
    }
}

bool seq_update_reads_register(unsigned mode)
{
    return mode & 0x80;
}

/* Operands of the updates are read before the record acts. */
static void read_updates(struct seq_op *op, uint32_t values[2])
{
    for (unsigned block = 0; block <= (unsigned)has_extended(op); block++) {
        struct seq_events v = events_of(op, block);
        values[block] = seq_update_reads_register(v.update_mode) ? seq_read(op, v.update_value)
                                                                 : v.update_value;
    }
}

static void update_all(struct seq_op *op, const uint32_t values[2])
{
    for (unsigned block = 0; block <= (unsigned)has_extended(op); block++) {
        struct seq_events v = events_of(op, block);
        seq_update(op->q, v.update_mode, v.update_idx, values[block]);
    }
}

/* ---- execution ---- */

enum step_result { STEP_DONE, STEP_WAITS, STEP_FAULT };

static enum step_result step(struct sim *s, struct seq_engine *e)
{
    uint8_t bytes[SEQ_RECORD];
    uint32_t values[2];
    struct seq_op op = {.s = s, .q = s->seqs, .e = e, .next = e->pc + SEQ_RECORD};
    if (!fetch(&op, bytes))
        return STEP_FAULT;
    const struct seq_handler *h = find_handler(op.insn.form);
    if (!h) {
        seq_fault(&op, op.insn.form->klass == ISA_CLASS_SeqPseudo
                           ? "a pseudo record is lowered by the runtime and never executed"
                           : "its execution is not publicly specified");
        return STEP_FAULT;
    }
    if (isa_seq_validate(&s->target, bytes, 0, note_violation, &op))
        return STEP_FAULT;
    switch (wait_all(&op)) {
    case WAIT_ON:
        e->state = SEQ_WAITING;
        return STEP_WAITS;
    case WAIT_FAULT:
        return STEP_FAULT;
    case WAIT_OVER:
        break;
    }
    e->state = SEQ_READY;
    read_updates(&op, values);
    if (!h->run(&op))
        return STEP_FAULT;
    update_all(&op, values);
    e->waited = 0;
    e->pc = op.next;
    if (op.halt || e->pc == e->end)
        e->state = SEQ_ENDED;
    s->retired++;
    return STEP_DONE;
}

static bool runs(const struct seq_engine *e)
{
    return e->state == SEQ_READY || e->state == SEQ_WAITING;
}

/* xorshift64: the same order for the same seed everywhere */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static enum sim_end finish(const struct seqs *q)
{
    for (unsigned n = 0; n < SIM_ENGINES; n++)
        if (runs(&q->engine[n]))
            return SIM_DEADLOCK;
    return SIM_ENDED;
}

/* A record that the watch has not seen yet: an engine that waits has come to it before. */
static bool pauses(struct sim *s, const struct seq_engine *e)
{
    if (!s->watch || e->state != SEQ_READY)
        return false;
    s->paused = s->watch->record(s->watch->ctx, (unsigned)(e - s->seqs->engine), e->pc);
    return s->paused;
}

static enum step_result step_traced(struct sim *s, struct seq_engine *e)
{
    struct seq_engine before = *e;
    enum step_result result = step(s, e);
    if (result == STEP_DONE)
        trace_record(s, e->name, before.pc, before.r, e->r, SEQ_REGISTERS);
    return result;
}

/* One record of the engine whose turn it is. SIM_ENDED: the next turn. */
static enum sim_end take_turn(struct sim *s)
{
    struct seqs *q = s->seqs;
    if (q->random && !q->idle && !q->drawn)
        q->turn = (uint8_t)(next_random(&q->random) % SIM_ENGINES);
    struct seq_engine *e = &q->engine[q->turn];
    if (runs(e) && s->options.max_insns && s->retired >= s->options.max_insns)
        return SIM_LIMIT;
    q->drawn = runs(e) && pauses(s, e);
    if (q->drawn)
        return SIM_PAUSED;
    q->turn = (uint8_t)((q->turn + 1) % SIM_ENGINES);
    q->idle++;
    enum step_result result = !runs(e)           ? STEP_WAITS
                              : s->options.trace ? step_traced(s, e)
                                                 : step(s, e);
    if (result == STEP_DONE)
        q->idle = 0;
    return result == STEP_FAULT ? SIM_FAULT : SIM_ENDED;
}

enum sim_end seq_run(struct sim *s)
{
    struct seqs *q = s->seqs;
    if (q->conflict) {
        sim_fault(s, -1, FAULT_SEQ, 0, 0, "%s", q->conflict);
        return SIM_FAULT;
    }
    if (!q->drawn)
        q->turn = q->idle = 0;
    while (q->idle < SIM_ENGINES) { /* a whole round without progress ends it */
        enum sim_end end = take_turn(s);
        if (end != SIM_ENDED)
            return end;
    }
    return finish(q);
}

/* ---- state by name, reports ---- */

static struct seq_engine *find_register(const struct sim *s, const char *name, unsigned *r)
{
    const char *dot = strchr(name, '.');
    for (unsigned n = 0; dot && n < SIM_ENGINES; n++) {
        struct seq_engine *e = &s->seqs->engine[n];
        char *end;
        if (!equal_folded(name, (size_t)(dot - name), e->name, strlen(e->name)) ||
            toupper((unsigned char)dot[1]) != 'R' || !isdigit((unsigned char)dot[2]))
            continue;
        unsigned long index = strtoul(dot + 2, &end, 10);
        *r = (unsigned)index;
        return *end || index >= SEQ_REGISTERS ? NULL : e;
    }
    return NULL;
}

bool seq_set_register(struct sim *s, const char *name, uint64_t value)
{
    unsigned r;
    struct seq_engine *e = find_register(s, name, &r);
    if (!e || ((int64_t)value != (int32_t)value && value > UINT32_MAX))
        return false;
    e->r[r] = (uint32_t)value;
    return true;
}

bool seq_get_register(const struct sim *s, const char *name, uint64_t *value)
{
    unsigned r;
    const struct seq_engine *e = find_register(s, name, &r);
    if (e)
        *value = e->r[r];
    return e != NULL;
}

static json_t *engine_json(const struct seq_engine *e)
{
    static const char *const states[] = {"absent", "ready", "waiting", "ended"};
    json_t *registers = json_object();
    for (unsigned i = 0; i < SEQ_REGISTERS; i++) {
        char name[8];
        snprintf(name, sizeof name, "R%u", i);
        if (e->r[i])
            json_object_set_new(registers, name, json_sprintf("0x%x", e->r[i]));
    }
    return json_pack("{s:s, s:o, s:o}", "state", states[e->state], "pc",
                     json_sprintf("0x%llx", (unsigned long long)e->pc), "registers", registers);
}

json_t *seq_json(const struct sim *s)
{
    const struct seqs *q = s->seqs;
    json_t *all = json_object(), *semaphores = json_object(), *events = json_array();
    for (unsigned n = 0; n < SIM_ENGINES; n++)
        if (q->engine[n].state != SEQ_ABSENT)
            json_object_set_new(all, q->engine[n].name, engine_json(&q->engine[n]));
    for (unsigned id = 0; id < SEQ_SEMAPHORES; id++) {
        char name[8];
        snprintf(name, sizeof name, "%u", id);
        if (q->semaphore[id])
            json_object_set_new(semaphores, name, json_integer((json_int_t)q->semaphore[id]));
        if (q->event[id])
            json_array_append_new(events, json_integer((json_int_t)id));
    }
    return json_pack("{s:o, s:o, s:o}", "engines", all, "semaphores", semaphores, "events", events);
}

static const char *wait_mode_name(const struct sim *s, unsigned mode)
{
    const struct isa_member *m =
        isa_member_of_value(&isa_enumerations[ISA_ENUM_SeqWaitMode], mode, s->target.seq);
    return m ? m->name : "?";
}

void seq_report_waits(const struct sim *s, struct buffer *out)
{
    const struct seqs *q = s->seqs;
    for (unsigned n = 0; n < SIM_ENGINES; n++) {
        const struct seq_engine *e = &q->engine[n];
        const struct seq_events *v = &e->blocking;
        if (e->state != SEQ_WAITING)
            continue;
        buffer_printf(out, "  %s at 0x%llx", e->name, (unsigned long long)e->pc);
        size_t before = out->size;
        buffer_printf(out, " (");
        sim_place(s, e->pc, out);
        if (out->size == before + 2)
            out->size = before;
        else
            buffer_printf(out, ")");
        bool event = v->wait_mode >= ISA_SeqWaitMode_EVT_SET &&
                     v->wait_mode <= ISA_SeqWaitMode_EVT_CLEAR_THEN_SET;
        buffer_printf(out, ": waits for %s[%u] %s", event ? "event " : "$S", v->wait_idx,
                      wait_mode_name(s, v->wait_mode));
        if (event)
            buffer_printf(out, ", which is %s\n", q->event[v->wait_idx] ? "set" : "clear");
        else
            buffer_printf(out, " %u, its value is %u\n", v->wait_value, q->semaphore[v->wait_idx]);
    }
}
