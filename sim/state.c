/* SPDX-License-Identifier: BSD-3-Clause */
/* State in by name, state out as JSON (docs/state.md). */
#include <ctype.h>
#include <stdlib.h>

#include "sim/block.h"
#include "sim/decode.h"
#include "sim/json.h"
#include "sim/memory.h"

/* ---- names ---- */

static const struct isa_enumeration *cell_names(void)
{
    return &isa_enumerations[ISA_ENUM_ScalarSource];
}

static const char *cell_name(const struct sim *s, unsigned cell)
{
    const struct isa_member *m = isa_member_of_value(cell_names(), cell, s->target.pto);
    return m ? m->name : "?";
}

/* "pe2.a0": *pe = 2 and the rest; without a PE -1. */
static const char *split_pe(const char *name, int *pe)
{
    bool prefixed = tolower((unsigned char)name[0]) == 'p' &&
                    tolower((unsigned char)name[1]) == 'e' && name[2] >= '0' &&
                    name[2] < '0' + SIM_PES && name[3] == '.';
    *pe = prefixed ? name[2] - '0' : -1;
    return prefixed ? name + 4 : name;
}

/* The place of a register, or NULL. */
static uint64_t *find_cell(const struct sim *s, struct pe *pe, const char *name)
{
    if (equal_folded(name, strlen(name), "pc", 2))
        return &pe->pc;
    const struct isa_member *m = isa_find_member(cell_names(), name, strlen(name), s->target.pto);
    return m && m->value < REG_SOURCES ? &pe->reg[m->value] : NULL;
}

/* False: the register cannot hold the value. */
static bool set_cell(struct pe *pe, uint64_t *cell, uint64_t value)
{
    if (cell == &pe->reg[REG_ZERO])
        return value == 0;
    *cell = value;
    if (cell >= &pe->reg[REG_T] && cell < &pe->reg[REG_SOURCES])
        pe->queue_valid |= 1u << (cell - pe->reg);
    if (cell == &pe->reg[REG_RA])
        pe->return_address = value;
    return true;
}

bool sim_set_register(struct sim *s, const char *name, uint64_t value)
{
    int only;
    const char *reg = split_pe(name, &only);
    bool found = false;
    for (int i = 0; i < SIM_PES; i++) {
        struct pe *pe = &s->pes[i];
        uint64_t *cell = only < 0 || only == i ? find_cell(s, pe, reg) : NULL;
        found |= cell && set_cell(pe, cell, value);
    }
    return found || seq_set_register(s, name, value);
}

bool sim_get_register(const struct sim *s, const char *name, uint64_t *value)
{
    int only;
    const char *reg = split_pe(name, &only);
    const uint64_t *cell = find_cell(s, &s->pes[only < 0 ? 0 : only], reg);
    if (!cell)
        return seq_get_register(s, name, value);
    *value = *cell;
    return true;
}

bool sim_write_memory(struct sim *s, uint64_t address, const void *data, size_t size)
{
    return memory_poke(s, address, data, size);
}

bool sim_read_memory(const struct sim *s, uint64_t address, void *data, size_t size)
{
    return memory_peek(s->memory, address, data, size);
}

unsigned sim_list_unimplemented(struct mem *m, struct diag *d, struct buffer *out)
{
    struct sim *s = machine_create(m, d, &(struct sim_options){0});
    unsigned count = blocks_list_unimplemented(s, out);
    sim_destroy(s);
    return count;
}

void sim_print_breaks(const struct sim *s, FILE *out)
{
    for (unsigned i = 0; i < SIM_PES; i++)
        if (s->pes[i].state == PE_ENDED && s->pes[i].end == END_BREAK)
            fprintf(out, "PE%u: ebreak %u\n", i, s->pes[i].break_tag);
}

static const struct obj_symbol *find_symbol(const struct sim *s, const char *name, size_t length)
{
    const struct obj_symbol *found = NULL;
    for (size_t i = 0; s->program && i < s->program->symbols.count; i++) {
        const struct obj_symbol *y = &s->program->symbols.item[i];
        bool named = y->section != OBJ_UNDEF && y->name && strlen(y->name) == length &&
                     !memcmp(y->name, name, length);
        if (named && (!found || y->bind != OBJ_LOCAL))
            found = y;
    }
    return found;
}

bool sim_find_address(const struct sim *s, const char *text, uint64_t *address)
{
    char *end;
    if (isdigit((unsigned char)*text)) {
        *address = strtoull(text, &end, 0);
        return *end == 0;
    }
    const char *plus = strchr(text, '+');
    size_t length = plus ? (size_t)(plus - text) : strlen(text);
    const struct obj_symbol *symbol = find_symbol(s, text, length);
    if (!symbol)
        return false;
    *address = symbol->value;
    if (!plus)
        return true;
    if (!isdigit((unsigned char)plus[1]))
        return false;
    *address += strtoull(plus + 1, &end, 0);
    return *end == 0;
}

/* ---- JSON of the machine ---- */

static json_t *queue_json(const struct pe *pe, unsigned first)
{
    json_t *queue = json_array();
    for (unsigned i = first; i < first + SIM_QUEUE_DEPTH; i++)
        json_array_append_new(queue, pe->queue_valid >> i & 1 ? json_hex(pe->reg[i]) : json_null());
    return queue;
}

static json_t *gpr_json(const struct sim *s, const struct pe *pe)
{
    json_t *gpr = json_object();
    for (unsigned r = 0; r < SIM_GPRS; r++)
        json_object_set_new(gpr, cell_name(s, r), json_hex(pe->reg[r]));
    return gpr;
}

static json_t *block_json(const struct pe *pe)
{
    const struct bundle *h = &pe->block.header;
    json_t *block = json_object(), *lb = json_array();
    json_object_set_new(block, "start", json_hex(pe->bpc));
    json_object_set_new(block, "body", json_boolean(pe->block.body));
    json_object_set_new(block, "operation", h->op ? json_string(h->op->name) : json_null());
    for (unsigned i = 0; i < 3; i++)
        json_array_append_new(lb,
                              h->lb_present[i] ? json_integer((json_int_t)h->lb[i]) : json_null());
    json_object_set_new(block, "lb", lb);
    return block;
}

static const char *pe_status(const struct pe *pe)
{
    static const char *const ends[] = {"", "return", "end-of-code", "ebreak"};
    switch (pe->state) {
    case PE_ENDED:
        return ends[pe->end];
    case PE_COMMIT:
        return "waiting";
    default:
        return "running";
    }
}

static json_t *pe_json(const struct sim *s, const struct pe *pe)
{
    json_t *json = json_object();
    json_object_set_new(json, "status", json_string(pe_status(pe)));
    if (pe->end == END_BREAK)
        json_object_set_new(json, "tag", json_integer(pe->break_tag));
    json_object_set_new(json, "pc", json_hex(pe->pc));
    json_object_set_new(json, "instructions", json_integer((json_int_t)pe->cycle));
    json_object_set_new(json, "acr", json_integer(pe->acr));
    json_object_set_new(json, "core_state", json_hex(pe->core_state));
    json_object_set_new(json, "gpr", gpr_json(s, pe));
    json_object_set_new(json, "t", queue_json(pe, REG_T));
    json_object_set_new(json, "u", queue_json(pe, REG_U));
    json_object_set_new(json, "block", pe->block.active ? block_json(pe) : json_null());
    return json;
}

static json_t *end_json(const struct sim *s)
{
    static const char *const names[] = {"ended", "limit", "fault", "deadlock"};
    const struct fault *f = &s->fault;
    json_t *json = json_object();
    json_object_set_new(json, "status", json_string(names[s->end]));
    if (s->end != SIM_FAULT)
        return json;
    json_object_set_new(json, "fault", json_string(fault_name(f->kind)));
    json_object_set_new(json, "pe", f->pe < 0 ? json_null() : json_integer(f->pe));
    json_object_set_new(json, "pc", json_hex(f->pc));
    json_object_set_new(json, "address", json_hex(f->address));
    json_object_set_new(json, "condition", json_string(f->text));
    return json;
}

/* Fills an object that the caller owns already, should memory run out. */
static void fill_state(const struct sim *s, json_t *json)
{
    json_t *pes = json_array();
    for (unsigned i = 0; i < SIM_PES; i++)
        if (s->pes[i].state != PE_OFF)
            json_array_append_new(pes, pe_json(s, &s->pes[i]));
    json_object_set_new(json, "end", end_json(s));
    json_object_set_new(json, "instructions", json_integer((json_int_t)s->retired));
    json_object_set_new(json, "pe", pes);
    json_object_set_new(json, "tiles", tile_json(s));
    json_object_set_new(json, "seq", seq_present(s) ? seq_json(s) : json_null());
    json_object_set_new(json, "memory", memory_json(s));
}

struct state_job {
    const struct sim *sim;
    struct buffer *out;
    json_t *json;
    char *text;
};

static void write_state(void *ctx)
{
    struct state_job *job = ctx;
    job->json = json_object();
    fill_state(job->sim, job->json);
    job->text = json_dumps(job->json, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    if (job->text)
        buffer_printf(job->out, "%s\n", job->text);
}

void sim_state_json(const struct sim *s, struct buffer *out)
{
    struct state_job job = {.sim = s, .out = out};
    bool done = mem_attempt(s->mem, write_state, &job);
    free(job.text);
    json_decref(job.json);
    if (!done)
        mem_give_up(s->mem);
}

/* ---- expectations ---- */

struct comparison {
    const struct sim *sim;
    struct arena *arena;
    const char *problem;
};

static void compare(struct comparison *c, const char *path, const json_t *expected,
                    const json_t *found);

static const char *json_text(struct arena *a, const json_t *value)
{
    char *text = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
    const char *kept = text ? arena_string(a, text, strlen(text)) : "nothing";
    free(text);
    return kept;
}

static void compare_members(struct comparison *c, const char *path, const json_t *expected,
                            const json_t *found)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)expected, key, value)
    {
        if (!c->problem)
            compare(c, arena_printf(c->arena, "%s%s%s", path, *path ? "." : "", key), value,
                    json_object_get(found, key));
    }
}

static void compare_elements(struct comparison *c, const char *path, const json_t *expected,
                             const json_t *found)
{
    size_t n = json_array_size(expected);
    if (n != json_array_size(found))
        c->problem = arena_printf(c->arena, "%s: %zu elements, expected %zu", path,
                                  json_array_size(found), n);
    for (size_t i = 0; i < n && !c->problem; i++)
        compare(c, arena_printf(c->arena, "%s[%zu]", path, i), json_array_get(expected, i),
                json_array_get(found, i));
}

static bool same_value(const json_t *expected, const json_t *found)
{
    uint64_t a, b;
    if (json_word(expected, &a) && json_word(found, &b))
        return a == b;
    return json_equal(expected, found);
}

static void compare(struct comparison *c, const char *path, const json_t *expected,
                    const json_t *found)
{
    if (json_is_object(expected) && json_is_object(found))
        compare_members(c, path, expected, found);
    else if (json_is_array(expected) && json_is_array(found))
        compare_elements(c, path, expected, found);
    else if (!same_value(expected, found))
        c->problem = arena_printf(c->arena, "%s: %s, expected %s", path, json_text(c->arena, found),
                                  json_text(c->arena, expected));
}

/* Memory is compared where the expectation looks, whether or not it changed. */
static void compare_memory(struct comparison *c, const json_t *expected)
{
    const char *place;
    json_t *bytes;
    json_object_foreach((json_t *)expected, place, bytes)
    {
        const char *text = json_string_value(bytes);
        size_t size = text ? strlen(text) / 2 : 0;
        uint8_t *want = arena_alloc(c->arena, size + 1), *have = arena_alloc(c->arena, size + 1);
        uint64_t address;
        if (c->problem)
            return;
        if (!sim_find_address(c->sim, place, &address))
            c->problem = arena_printf(c->arena, "memory: no symbol '%s'", place);
        else if (!text || json_unhex(text, want, size) < 0)
            c->problem = arena_printf(c->arena, "memory.%s: not a string of hex bytes", place);
        else if (!memory_peek(c->sim->memory, address, have, size))
            c->problem = arena_printf(c->arena, "memory.%s: 0x%llx is not mapped", place,
                                      (unsigned long long)address);
        for (size_t i = 0; i < size && !c->problem; i++)
            if (have[i] != want[i])
                c->problem = arena_printf(c->arena, "memory.%s: byte %zu is %02x, expected %02x",
                                          place, i, have[i], want[i]);
    }
}

struct expect_job {
    struct comparison comparison;
    json_t *expected, *found;
};

static void compare_all(void *ctx)
{
    struct expect_job *job = ctx;
    struct comparison *c = &job->comparison;
    fill_state(c->sim, job->found);
    compare_memory(c, json_object_get(job->expected, "memory"));
    json_object_del(job->expected, "memory");
    if (!c->problem)
        compare_members(c, "", job->expected, job->found);
}

enum sim_verdict sim_expect(const struct sim *s, const char *text, size_t size, struct arena *a,
                            const char **problem)
{
    struct expect_job job = {.comparison = {s, a, NULL}};
    json_error_t error = {.text = ""};
    job.expected = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    if (!json_is_object(job.expected)) {
        bool parsed = job.expected != NULL;
        json_decref(job.expected);
        *problem =
            parsed ? "not a JSON object" : arena_printf(a, "line %d: %s", error.line, error.text);
        return SIM_UNREADABLE;
    }
    job.found = json_object();
    bool done = mem_attempt(s->mem, compare_all, &job);
    json_decref(job.found);
    json_decref(job.expected);
    if (!done)
        mem_give_up(s->mem);
    *problem = job.comparison.problem;
    return *problem ? SIM_DIFFERS : SIM_MET;
}
