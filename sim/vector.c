/* SPDX-License-Identifier: BSD-3-Clause */
/* Setting up and running a vector; vector_compare.c looks at the result. */
#include "sim/vector.h"

#include "sim/json.h"
#include "sim/memory.h"

static const uint64_t DEFAULT_BASE = 0x40000000;
static const uint64_t DEFAULT_STEPS = 10000;
static const uint64_t RING2_LIMIT = 0xc00;
static const uint64_t NO_HALT = UINT64_MAX; /* odd: no PC equals it */

/* ---- code and memory ---- */

static const char *load_code(struct vector *v)
{
    const json_t *program = json_object_get(v->input, "program");
    size_t count = json_array_size(program);
    v->code = arena_alloc(v->arena, count * 8 + 8);
    for (size_t i = 0; i < count; i++) {
        const json_t *row = json_array_get(program, i);
        uint64_t word, bits;
        if (!json_word(json_array_get(row, 0), &word) ||
            !json_word(json_array_get(row, 1), &bits) || bits > 64 || bits % 16)
            return "input.program is not a list of [encoding, bits]";
        for (unsigned b = 0; b < bits / 8; b++)
            v->code[v->code_size++] = (uint8_t)(word >> (8 * b));
    }
    return NULL;
}

static void map_memory(struct vector *v)
{
    struct memory *m = v->sim->memory;
    memory_add_region(m, 0, VECTOR_MEMORY, NULL, 0, MEM_READ | MEM_WRITE | MEM_EXEC);
    m->ring2_limit = RING2_LIMIT;
    if (json_is_true(json_object_get(v->input, "in_memory")))
        memory_poke(v->sim, v->base, v->code, v->code_size);
    else
        m->overlay = (struct region){v->base, v->code_size, v->code, v->code_size, MEM_EXEC};
}

static const char *load_memory(struct vector *v)
{
    const char *address;
    json_t *bytes;
    json_object_foreach((json_t *)json_object_get(v->input, "memory"), address, bytes)
    {
        uint8_t data[VECTOR_MEMORY];
        long n = json_unhex(json_string_value(bytes), data, sizeof data);
        if (n < 0 || !memory_poke(v->sim, strtoull(address, NULL, 0), data, (size_t)n))
            return "input.memory does not fit the data memory";
    }
    v->memory = arena_alloc(v->arena, VECTOR_MEMORY);
    memory_peek(v->sim->memory, 0, v->memory, VECTOR_MEMORY);
    return NULL;
}

/* ---- registers ---- */

static void load_gprs(struct pe *pe, const json_t *values)
{
    const char *number;
    json_t *value;
    json_object_foreach((json_t *)values, number, value)
    {
        unsigned r = (unsigned)strtoul(number, NULL, 10);
        uint64_t word = 0;
        json_word(value, &word);
        if (r > 0 && r < SIM_GPRS)
            pe->reg[r] = word;
    }
}

static void load_queue(struct pe *pe, const json_t *values, unsigned first)
{
    for (size_t i = 0; i < json_array_size(values) && i < SIM_QUEUE_DEPTH; i++)
        if (json_word(json_array_get(values, i), &pe->reg[first + i]))
            pe->queue_valid |= 1u << (first + i);
}

static void load_registers(struct vector *v)
{
    const char *number;
    json_t *values;
    load_gprs(v->pe, json_object_get(v->input, "gpr"));
    json_object_foreach((json_t *)json_object_get(v->input, "gpr_pe"), number, values)
        load_gprs(&v->sim->pes[strtoul(number, NULL, 10) % SIM_PES], values);
    load_queue(v->pe, json_object_get(v->input, "t"), REG_T);
    load_queue(v->pe, json_object_get(v->input, "u"), REG_U);
}

static void load_system(struct vector *v)
{
    struct pe *pe = v->pe;
    const char *index;
    json_t *value;
    pe->thread_ptr = json_word_at(v->input, "thread_ptr", 0);
    pe->global_ptr = json_word_at(v->input, "global_ptr", 0);
    pe->blocknum = json_word_at(v->input, "blocknum", 0);
    pe->blockid = json_word_at(v->input, "blockid", 0);
    pe->core_id = json_word_at(v->input, "core_id", 0);
    pe->thread_id = json_word_at(v->input, "thread_id", 0);
    pe->core_state = json_word_at(v->input, "core_state", 0);
    if (json_object_get(v->input, "acr"))
        pe_set_ring(pe, (unsigned)json_word_at(v->input, "acr", 0));
    json_object_foreach((json_t *)json_object_get(v->input, "sysregs"), index, value)
    {
        uint64_t at = strtoull(index, NULL, 0), word = 0;
        json_word(value, &word);
        if ((at & 0xfff) >= EXT_FIRST && at >> 12 < SIM_RINGS)
            *ext_register(pe, (unsigned)(at >> 12), at & 0xfff) = word;
    }
}

static void place_ends(struct vector *v)
{
    const json_t *halt = json_object_get(v->input, "halt_pc");
    v->sim->code_end = halt && json_is_null(halt)
                           ? NO_HALT
                           : json_word_at(v->input, "halt_pc", v->base + v->code_size);
    v->max_steps = json_word_at(v->input, "max_steps", DEFAULT_STEPS);
    v->stop_on_fault = !json_is_false(json_object_get(v->input, "stop_on_fault"));
    v->sim->auto_body = !json_is_false(json_object_get(v->input, "auto_body"));
    v->pe->pc = json_word_at(v->input, "pc", v->base);
}

const char *vector_load(struct vector *v)
{
    v->pe = &v->sim->pes[json_word_at(v->input, "pe", 0) % SIM_PES];
    v->base = json_word_at(v->input, "base", DEFAULT_BASE);
    for (unsigned i = 0; i < SIM_PES; i++)
        v->sim->pes[i].state = &v->sim->pes[i] == v->pe ? PE_RUNNING : PE_OFF;
    const char *problem = load_code(v);
    if (problem)
        return problem;
    map_memory(v);
    if ((problem = load_memory(v)))
        return problem;
    load_registers(v);
    load_system(v);
    place_ends(v);
    return tile_vector_load(v->sim, v->input, v->arena);
}

/* ---- running ---- */

/* True: go on with the next instruction. */
static bool after_fault(struct vector *v)
{
    trap_take(v->pe);
    v->fault = v->sim->fault;
    v->sim->fault.kind = FAULT_NONE;
    if (v->stop_on_fault)
        v->end = "fault";
    return !v->stop_on_fault;
}

void vector_run(struct vector *v)
{
    for (;;) {
        uint64_t budget = v->max_steps - v->steps;
        enum turn turn = pe_turn(v->pe, &budget);
        uint64_t before = v->steps;
        v->steps = v->max_steps - budget;
        if (v->steps != before)
            v->fault.kind = FAULT_NONE;
        if (turn == TURN_FAULT && after_fault(v))
            continue;
        if (turn == TURN_OVER)
            v->end = "step_limit";
        else if (turn == TURN_NOWHERE)
            v->end = "fetch_fault";
        else if (turn == TURN_STOPPED)
            v->end = "halt";
        return;
    }
}
