/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The result of a vector against its `expect`: every field, and for what is
 * not listed that it is as it was (README 4).
 */
#include <stdarg.h>

#include "sim/json.h"
#include "sim/memory.h"
#include "sim/queue.h"
#include "sim/vector.h"

/* ---- differences: the first one stays ---- */

static void differ(struct vector *v, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void differ(struct vector *v, const char *fmt, ...)
{
    if (v->problem)
        return;
    char text[256];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    v->problem = arena_string(v->arena, text, strlen(text));
}

static void compare_word(struct vector *v, const char *what, uint64_t found, uint64_t expected)
{
    if (found != expected)
        differ(v, "%s: 0x%llx, expected 0x%llx", what, (unsigned long long)found,
               (unsigned long long)expected);
}

static void compare_text(struct vector *v, const char *what, const char *found,
                         const char *expected)
{
    if (strcmp(found, expected ? expected : ""))
        differ(v, "%s: %s, expected %s", what, found, expected ? expected : "nothing");
}

static const json_t *expected(const struct vector *v, const char *key)
{
    return json_object_get(v->expect, key);
}

static bool flag_at(const json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}

/* ---- end and fault ---- */

static void compare_end(struct vector *v)
{
    compare_text(v, "end", v->end, json_string_value(expected(v, "end")));
    if (v->problem && v->fault.kind != FAULT_NONE)
        v->problem = arena_printf(v->arena, "%s (%s: %s)", v->problem, fault_name(v->fault.kind),
                                  v->fault.text);
    compare_word(v, "steps", v->steps, json_word_at(v->expect, "steps", 0));
    compare_word(v, "pc", v->pe->pc, json_word_at(v->expect, "pc", 0));
    compare_word(v, "bpc", v->pe->bpc, json_word_at(v->expect, "bpc", 0));
}

static void compare_fault(struct vector *v)
{
    const json_t *fault = expected(v, "fault");
    bool faulted = v->fault.kind != FAULT_NONE;
    if (!fault) {
        if (faulted)
            differ(v, "fault: %s (%s), expected none", fault_name(v->fault.kind), v->fault.text);
        return;
    }
    compare_text(v, "fault", faulted ? fault_name(v->fault.kind) : "none",
                 json_string_value(json_object_get(fault, "kind")));
    compare_word(v, "fault address", v->fault.address, json_word_at(fault, "address", 0));
}

static void compare_trap(struct vector *v)
{
    const json_t *trap = expected(v, "trap"), *context = expected(v, "trap_context");
    const struct ring *r = &v->pe->rings[v->pe->acr];
    compare_word(v, "trap number", r->number, json_word_at(trap, "number", 0));
    compare_word(v, "trap cause", r->cause, json_word_at(trap, "cause", 0));
    if (trap) /* SSRSET may leave an argument without a trap */
        compare_word(v, "trap argument", r->argument, json_word_at(trap, "argument", 0));
    compare_word(v, "trap argument_valid", r->argument_valid, flag_at(trap, "argument_valid"));
    compare_word(v, "trap asynchronous", r->asynchronous, flag_at(trap, "asynchronous"));
    compare_word(v, "trap context valid", r->context_valid, context != NULL);
    if (!context)
        return;
    compare_word(v, "trap_context source_acr", r->source_ring,
                 json_word_at(context, "source_acr", 0));
    compare_word(v, "trap_context tpc", r->context.pc, json_word_at(context, "tpc", 0));
    compare_word(v, "trap_context bpc", r->context.bpc, json_word_at(context, "bpc", 0));
}

/* ---- registers ---- */

static uint64_t gpr_before(const struct vector *v, unsigned pe, const char *reg)
{
    char number[4];
    snprintf(number, sizeof number, "%u", pe);
    uint64_t word;
    const json_t *own = json_object_get(json_object_get(v->input, "gpr_pe"), number);
    if (json_word(json_object_get(own, reg), &word))
        return word;
    bool executes = pe == v->pe->number;
    return executes ? json_word_at(json_object_get(v->input, "gpr"), reg, 0) : 0;
}

/* Bit r: an instruction of the program has r as its destination. */
static uint32_t destinations(const struct vector *v)
{
    static const uint16_t fields[] = {ISA_FIELD_RegDst, ISA_FIELD_RegDst0, ISA_FIELD_RegDst1};
    uint32_t set = 0;
    unsigned length;
    struct isa_why why;
    struct isa_insn insn;
    for (size_t at = 0; at < v->code_size; at += length) {
        bool decoded = isa_decode(&v->sim->target, v->code + at, v->code_size - at, &insn, &length,
                                  &why) == ISA_DECODED;
        for (size_t i = 0; decoded && i < sizeof fields / sizeof *fields; i++)
            set |= 1u << (isa_value(&insn, fields[i], 0) & (REG_SOURCES - 1));
    }
    return set;
}

static void compare_gprs(struct vector *v)
{
    uint32_t results = v->control_only ? destinations(v) : 0;
    for (unsigned p = 0; p < SIM_PES; p++) {
        char number[4];
        snprintf(number, sizeof number, "%u", p);
        const json_t *changed = json_object_get(expected(v, "gpr"), number);
        for (unsigned r = 1; r < SIM_GPRS; r++) {
            char reg[4], what[32];
            snprintf(reg, sizeof reg, "%u", r);
            snprintf(what, sizeof what, "pe%u r%u", p, r);
            if (!(results >> r & 1 && p == v->pe->number))
                compare_word(v, what, v->sim->pes[p].reg[r],
                             json_word_at(changed, reg, gpr_before(v, p, reg)));
        }
    }
}

static void compare_queue(struct vector *v, const char *key, unsigned first)
{
    const json_t *queue = expected(v, key);
    if (!queue)
        queue = json_object_get(v->input, key);
    for (unsigned i = 0; i < SIM_QUEUE_DEPTH; i++) {
        char what[16];
        uint64_t word = 0;
        bool valid = json_word(json_array_get(queue, i), &word);
        snprintf(what, sizeof what, "%s#%u", key, i + 1);
        compare_word(v, what, v->pe->queue_valid >> (first + i) & 1, valid);
        if (valid && !(v->control_only && i == 0))
            compare_word(v, what, v->pe->reg[first + i], word);
    }
}

static void compare_base(struct vector *v, const char *key, uint64_t found, uint64_t before)
{
    compare_word(v, key, found, json_word_at(expected(v, "system"), key, before));
}

static void compare_system(struct vector *v)
{
    const uint64_t STATUS_FLAGS = UINT64_C(0x1f) << 32;
    const struct pe *pe = v->pe;
    uint64_t acr = json_word_at(v->input, "acr", 0);
    compare_word(v, "acr", pe->acr, json_word_at(v->expect, "acr", acr));
    uint64_t before = json_word_at(v->input, "core_state", 0);
    if (!v->control_only)
        compare_base(v, "core_state", pe->core_state, before);
    else
        compare_word(v, "core_state", pe->core_state & ~STATUS_FLAGS, before & ~STATUS_FLAGS);
    compare_base(v, "cycle", pe->cycle, 0);
    compare_base(v, "core_feature_enable", pe->core_feature_enable, 0);
    compare_base(v, "thread_ptr", pe->thread_ptr, json_word_at(v->input, "thread_ptr", 0));
    compare_base(v, "global_ptr", pe->global_ptr, json_word_at(v->input, "global_ptr", 0));
}

/* 0 is unset, and ECONFIG's reset value too. */
static void compare_sysregs(struct vector *v)
{
    enum { ECONFIG = 0xf07, ECONFIG_RESET = 3 };
    const json_t *listed = expected(v, "sysregs"), *before = json_object_get(v->input, "sysregs");
    for (unsigned i = 0; listed && i < SIM_RINGS * EXT_COUNT; i++) {
        char key[16];
        unsigned low = EXT_FIRST + i % EXT_COUNT;
        snprintf(key, sizeof key, "0x%x", i / EXT_COUNT << 12 | low);
        uint64_t reset = low == ECONFIG ? ECONFIG_RESET : 0;
        compare_word(v, key, v->pe->ext[i],
                     json_word_at(listed, key, json_word_at(before, key, reset)));
    }
}

/* ---- block ---- */

static const char *kind_name(unsigned kind)
{
    static const char *const names[] = {
        [BLOCK_STANDARD] = "Standard",   [BLOCK_FLOATING] = "Floating",
        [BLOCK_SYSTEM] = "System",       [BLOCK_ELEMENT] = "TileElement",
        [BLOCK_MEMORY] = "TileMemory",   [BLOCK_MATRIX] = "TileMatrix",
        [BLOCK_FRAME] = "FrameTemplate",
    };
    return names[kind];
}

static const char *transfer_name(unsigned transfer)
{
    static const char *const names[] = {"Fallthrough", "Direct",   "Conditional", "Call",
                                        "Return",      "Indirect", "IndirectCall"};
    return names[transfer];
}

static void compare_operation(struct vector *v, const json_t *operation)
{
    static const char *const classes[] = {"Control", "TileElement", "TileMemory", "TileMatrix"};
    const struct bundle *h = &v->pe->block.header;
    if (!operation)
        return;
    compare_text(v, "block operation", classes[h->klass],
                 json_string_value(json_object_get(operation, "class")));
    compare_word(v, "block selector", h->selector, json_word_at(operation, "selector", 0));
    compare_word(v, "block data type", h->data_type, json_word_at(operation, "data_type", 0));
}

static void compare_dimensions(struct vector *v, const json_t *lb)
{
    for (unsigned i = 0; i < 3; i++) {
        uint64_t word = 0;
        char what[8];
        snprintf(what, sizeof what, "LB%u", i);
        bool present = json_word(json_array_get(lb, i), &word);
        compare_word(v, what, v->pe->block.header.lb_present[i], present);
        compare_word(v, what, v->pe->block.header.lb[i], word);
    }
}

static void compare_block(struct vector *v)
{
    const json_t *block = expected(v, "block");
    const struct block *b = &v->pe->block;
    compare_word(v, "block active", b->active, flag_at(block, "active"));
    compare_word(v, "block body", b->body, flag_at(block, "body"));
    compare_word(v, "block taken", b->taken, flag_at(block, "taken"));
    compare_word(v, "block bpcn", b->bpcn, json_word_at(block, "bpcn", 0));
    compare_word(v, "block return_address", v->pe->return_address,
                 json_word_at(block, "return_address", 0));
    compare_word(v, "block commit_argument", v->pe->commit_argument,
                 json_word_at(block, "commit_argument", 0));
    compare_word(v, "block bundle_sequential_pc", b->sequential,
                 json_word_at(block, "bundle_sequential_pc", 0));
    compare_word(v, "block sys_terminal_pending", b->terminal_pending,
                 flag_at(block, "sys_terminal_pending"));
    if (!b->active || !block)
        return;
    compare_text(v, "block kind", kind_name(b->kind),
                 json_string_value(json_object_get(block, "kind")));
    compare_text(v, "block transfer", transfer_name(b->transfer),
                 json_string_value(json_object_get(block, "transfer")));
    compare_operation(v, json_object_get(block, "operation"));
    compare_dimensions(v, json_object_get(block, "lb"));
}

/* ---- the rest ---- */

static void compare_monitor(struct vector *v)
{
    const json_t *reservation = expected(v, "reservation"), *fence = expected(v, "fence");
    const struct pe *pe = v->pe;
    compare_word(v, "reservation", pe->reserved, reservation != NULL);
    if (reservation) {
        compare_word(v, "reservation address", pe->reservation_address,
                     json_word_at(reservation, "address", 0));
        compare_word(v, "reservation size", pe->reservation_size,
                     json_word_at(reservation, "size", 0));
    }
    uint64_t before = 0, after = 0;
    json_word(json_array_get(fence, 0), &before);
    json_word(json_array_get(fence, 1), &after);
    compare_word(v, "fence predecessor", pe->fence_predecessor, before);
    compare_word(v, "fence successor", pe->fence_successor, after);
}

static void compare_epochs(struct vector *v)
{
    const json_t *epochs = expected(v, "epochs");
    const struct pe *pe = v->pe;
    const uint64_t found[] = {pe->epoch_data, pe->epoch_instruction, pe->epoch_block,
                              pe->epoch_tlb,  pe->epoch_hint,        pe->epoch_request};
    for (unsigned i = 0; i < sizeof found / sizeof *found; i++) {
        char what[16];
        uint64_t word = 0;
        json_word(json_array_get(epochs, i), &word);
        snprintf(what, sizeof what, "epoch %u", i);
        compare_word(v, what, found[i], word);
    }
}

static uint64_t text_number(const json_t *row, size_t i)
{
    const char *text = json_string_value(json_array_get(row, i));
    if (!text)
        return UINT64_MAX;
    return !strcmp(text, "TRUE") ? 1 : !strcmp(text, "FALSE") ? 0 : strtoull(text, NULL, 0);
}

static void compare_queues(struct vector *v)
{
    const json_t *rows = expected(v, "gqm");
    const struct queues *q = v->sim->queues;
    compare_word(v, "general queues", q->slots.count, json_array_size(rows));
    for (size_t i = 0; i < json_array_size(rows) && i < q->slots.count; i++) {
        const json_t *row = json_array_get(rows, i);
        const struct queue *s = &q->slots.item[i];
        const uint64_t found[] = {i,       s->address,   s->capacity, s->count,
                                  s->head, s->suspended, s->corrupt};
        for (size_t k = 0; k < sizeof found / sizeof *found; k++)
            compare_word(v, "general queue", found[k], text_number(row, k));
    }
}

static void compare_memory(struct vector *v)
{
    uint8_t found[VECTOR_MEMORY];
    const char *address;
    json_t *bytes;
    memory_peek(v->sim->memory, 0, found, sizeof found);
    json_object_foreach((json_t *)expected(v, "memory"), address, bytes)
    {
        uint64_t at = strtoull(address, NULL, 0);
        if (at < VECTOR_MEMORY)
            json_unhex(json_string_value(bytes), v->memory + at, VECTOR_MEMORY - at);
    }
    for (unsigned i = 0; i < VECTOR_MEMORY; i++)
        if (found[i] != v->memory[i])
            differ(v, "memory 0x%x: %02x, expected %02x", i, found[i], v->memory[i]);
}

const char *vector_compare(struct vector *v)
{
    compare_end(v);
    compare_fault(v);
    compare_trap(v);
    compare_gprs(v);
    compare_queue(v, "t", REG_T);
    compare_queue(v, "u", REG_U);
    compare_block(v);
    compare_system(v);
    compare_sysregs(v);
    compare_monitor(v);
    compare_epochs(v);
    compare_queues(v);
    compare_memory(v);
    if (!v->problem)
        v->problem = tile_vector_compare(v->sim, v->input, v->expect, !v->control_only, v->arena);
    return v->problem;
}
