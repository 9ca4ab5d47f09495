/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Making a machine from a program, and taking turns among its PEs
 * (docs/simulator.md).
 */
#include "sim/machine.h"

#include "sim/block.h"
#include "sim/decode.h"
#include "sim/memory.h"
#include "sim/queue.h"
#include "sim/run.h"
#include "sim/trace.h"

/* Where a run puts what a program does not bring: the address that returning from the entry goes
 * to, and a stack for each PE, below this address and that far apart. */
#define SENTINEL       UINT64_C(0xfffffffffffffff0)
#define STACKS_TOP     UINT64_C(0x00007ff000000000)
#define STACK_SIZE     UINT64_C(0x100000)
#define STACK_DISTANCE UINT64_C(0x200000)

enum { REG_SP = 1, TURN = 4096 };

static const uint64_t DEFAULT_MEMORY = UINT64_C(1) << 30;
static const uint64_t TILE_CAPACITY = 0x40000;
static const uint64_t RESET_ECONFIG = 3;

/* ---- making ---- */

static void create_pe(struct sim *s, unsigned number)
{
    enum { EXT_ECONFIG = 0xf07 };
    struct pe *pe = &s->pes[number];
    pe->sim = s;
    pe->number = (uint8_t)number;
    pe->state = number < s->options.pes ? PE_RUNNING : PE_OFF;
    pe->ext = arena_array(s->arena, (size_t)SIM_RINGS * EXT_COUNT, sizeof *pe->ext);
    pe->rings = arena_array(s->arena, SIM_RINGS, sizeof *pe->rings);
    pe->version = 1;
    pe->tile_capacity = TILE_CAPACITY;
    for (unsigned ring = 0; ring < SIM_RINGS; ring++)
        *ext_register(pe, ring, EXT_ECONFIG) = RESET_ECONFIG;
    block_clear_header(&pe->block);
}

static void equip_machine(void *ctx)
{
    struct sim *s = ctx;
    uint64_t limit = s->options.max_memory;
    s->memory = memory_create(s->mem, limit ? limit : DEFAULT_MEMORY);
    s->pes = arena_array(s->arena, SIM_PES, sizeof *s->pes);
    for (unsigned i = 0; i < SIM_PES; i++)
        create_pe(s, i);
    memory_drop_caches(s);
    queues_create(s);
    blocks_create(s);
    trace_create(s);
    tile_create(s);
}

/* Runs a job that completes the machine; without memory for it, nothing of the machine is left. */
static void complete(struct sim *s, void (*job)(void *ctx))
{
    struct mem *m = s->mem;
    if (mem_attempt(m, job, s))
        return;
    sim_destroy(s);
    mem_give_up(m);
}

struct sim *machine_create(struct mem *m, struct diag *d, const struct sim_options *options)
{
    struct arena *arena = arena_create(m);
    struct sim *s = arena_alloc(arena, sizeof *s);
    s->mem = m;
    s->diag = d;
    s->arena = arena;
    s->options = *options;
    if (!s->options.pes)
        s->options.pes = SIM_PES;
    s->target = (struct isa_target){.pto = options->pto ? options->pto : 1u << ISA_REV_0_58_3,
                                    .seq = options->seq ? options->seq : 1u << ISA_GEN_CAYMAN};
    s->auto_body = true;
    s->turns.only = -1;
    buffer_init(&s->text, m);
    complete(s, equip_machine);
    return s;
}

void sim_set_watch(struct sim *s, const struct sim_watch *watch)
{
    s->watch = watch;
    s->one_by_one = s->memory->watched = true;
}

static void map_segments(struct sim *s, const struct object *program)
{
    for (size_t i = 0; i < program->segments.count; i++) {
        const struct obj_segment *g = &program->segments.item[i];
        uint8_t access = MEM_READ | (g->flags & OBJ_WRITE ? MEM_WRITE : 0) |
                         (g->flags & OBJ_EXEC ? MEM_EXEC : 0);
        bool moved = g->load_delta != 0;
        memory_add_region(s->memory, g->address, g->memory_size, moved ? NULL : g->data,
                          moved ? 0 : g->file_size, access);
    }
    /* What is loaded elsewhere than it runs (p_paddr) is for the program to copy. */
    for (size_t i = 0; i < program->segments.count; i++) {
        const struct obj_segment *g = &program->segments.item[i];
        if (g->load_delta)
            memory_add_region(s->memory, g->address + g->load_delta, g->file_size, g->data,
                              g->file_size, MEM_READ);
    }
}

/* SEQ streams are no PTO code, whatever their segment's flags. */
static bool is_pto_code(const struct obj_section *section)
{
    return section->flags & OBJ_EXEC && strncmp(section->name, ".seq", 4);
}

static uint64_t find_code_end(const struct object *program)
{
    uint64_t end = 0;
    for (size_t i = 0; i < program->sections.count; i++) {
        const struct obj_section *c = &program->sections.item[i];
        if (is_pto_code(c) && c->address + c->size > end)
            end = c->address + c->size;
    }
    for (size_t i = 0; !program->sections.count && i < program->segments.count; i++) {
        const struct obj_segment *g = &program->segments.item[i];
        if (g->flags & OBJ_EXEC && g->address + g->memory_size > end)
            end = g->address + g->memory_size;
    }
    return end;
}

static void place_pe(struct sim *s, struct pe *pe)
{
    uint64_t top = STACKS_TOP - pe->number * STACK_DISTANCE;
    pe->pc = s->entry;
    pe->thread_id = pe->number;
    pe->return_address = s->sentinel;
    pe->reg[REG_RA] = s->sentinel;
    pe->reg[REG_SP] = top;
    memory_add_region(s->memory, top - STACK_SIZE, STACK_SIZE, NULL, 0, MEM_READ | MEM_WRITE);
}

/* A program of SEQ code alone leaves the PEs off. */
static bool runs_on_pes(const struct object *program)
{
    return program->identity.has_pto || !program->identity.seq || find_code_end(program) != 0;
}

static void load_program(void *ctx)
{
    struct sim *s = ctx;
    map_segments(s, s->program);
    for (unsigned i = 0; i < s->options.pes; i++) {
        place_pe(s, &s->pes[i]);
        if (!runs_on_pes(s->program))
            s->pes[i].state = PE_OFF;
    }
    seq_create(s);
}

/* Of any machine; a program stripped of sections is judged by its segments. */
static bool has_code(const struct object *program)
{
    for (size_t i = 0; i < program->sections.count; i++)
        if (program->sections.item[i].flags & OBJ_EXEC && program->sections.item[i].size)
            return true;
    for (size_t i = 0; !program->sections.count && i < program->segments.count; i++)
        if (program->segments.item[i].flags & OBJ_EXEC)
            return true;
    return false;
}

struct sim *sim_create(struct mem *m, struct diag *d, const struct sim_options *options,
                       const struct object *program)
{
    if (program->kind != OBJ_EXECUTABLE) {
        diag_report_file(d, DIAG_SIM_NOT_EXECUTABLE, program->name,
                         "this is a relocatable object; link it with pto-ld first");
        return NULL;
    }
    if (!has_code(program)) {
        diag_report_file(d, DIAG_SIM_NO_CODE, program->name, "this program has no code to run");
        return NULL;
    }
    struct sim_options o = *options;
    o.pto = o.pto ? o.pto : program->identity.pto;
    o.seq = o.seq ? o.seq : program->identity.seq;
    struct sim *s = machine_create(m, d, &o);
    s->program = program;
    s->entry = program->entry;
    s->sentinel = SENTINEL;
    s->code_end = find_code_end(program);
    complete(s, load_program);
    return s;
}

void sim_destroy(struct sim *s)
{
    if (!s)
        return;
    struct arena *arena = s->arena;
    buffer_free(&s->text);
    seq_destroy(s);
    tile_destroy(s);
    trace_destroy(s);
    blocks_destroy(s);
    queues_destroy(s);
    memory_destroy(s->memory);
    arena_destroy(arena);
}

/* ---- faults of a turn ---- */

/* A handler whose first instruction faults is entered again and again; the machine does that, and
 * nothing would ever end the run. */
static bool handler_cannot_begin(struct pe *pe)
{
    struct fault *f = &pe->sim->fault;
    bool again =
        pe->last_trap.taken && pe->last_trap.pc == f->pc && pe->cycle - pe->last_trap.cycle <= 1;
    pe->last_trap.taken = true;
    pe->last_trap.pc = f->pc;
    pe->last_trap.cycle = pe->cycle;
    if (again) {
        size_t used = strlen(f->text);
        snprintf(f->text + used, sizeof f->text - used,
                 "; the trap handler faults before it has done anything");
    }
    return again;
}

/* True: the PE goes on in its trap handler, or has ended. */
static bool survive_fault(struct pe *pe)
{
    struct sim *s = pe->sim;
    if (trap_has_handler(pe) && !handler_cannot_begin(pe) && trap_take(pe)) {
        s->fault.kind = FAULT_NONE;
        return true;
    }
    if (s->fault.kind != FAULT_BREAKPOINT)
        return false;
    pe->state = PE_ENDED;
    pe->end = END_BREAK;
    pe->break_tag = s->fault.cause;
    s->fault.kind = FAULT_NONE;
    return true;
}

static void fetch_fault(struct pe *pe)
{
    sim_fault(pe->sim, pe->number, FAULT_INSTRUCTION_PAGE, pe->pc, pe->pc,
              pe->pc & 1 ? "the PC 0x%llx is odd" : "0x%llx is not in executable memory",
              (unsigned long long)pe->pc);
}

/* The end of the code is no place to stop in the middle of a block. */
static bool ended_well(struct pe *pe)
{
    if (pe->state != PE_ENDED || pe->end != END_OF_CODE || !pe->block.active)
        return true;
    sim_fault(pe->sim, pe->number, FAULT_BUNDLE, pe->pc, pe->pc,
              "the code ends inside the block that began at 0x%llx", (unsigned long long)pe->bpc);
    return false;
}

static bool take_turn(struct pe *pe, uint64_t *budget)
{
    switch (pe_turn(pe, budget)) {
    case TURN_NOWHERE:
        fetch_fault(pe);
        return survive_fault(pe);
    case TURN_FAULT:
        return survive_fault(pe);
    default:
        return ended_well(pe);
    }
}

/* ---- bundles that wait ---- */

/* Do two PEs stand at the commit of the same bundle? The header of a block is straight-line code,
 * so equal addresses mean equal commands; only dimensions come from registers. */
static bool same_commit(const struct pe *a, const struct pe *b)
{
    const struct bundle *x = &a->block.header, *y = &b->block.header;
    return a->state == PE_COMMIT && b->state == PE_COMMIT && a->pc == b->pc && a->bpc == b->bpc &&
           !memcmp(x->lb_present, y->lb_present, sizeof x->lb_present) &&
           !memcmp(x->lb, y->lb, sizeof x->lb);
}

static uint8_t ready_with(const struct sim *s, const struct pe *first)
{
    uint8_t ready = 0;
    for (unsigned i = 0; i < SIM_PES; i++)
        if (same_commit(first, &s->pes[i]))
            ready |= pe_bit(i);
    return ready;
}

/* Runs the first bundle whose PEs are all there. False: fault, or no such bundle (*found). */
static bool run_ready_bundle(struct sim *s, bool *found)
{
    for (unsigned i = 0; i < SIM_PES; i++) {
        struct pe *pe = &s->pes[i];
        uint8_t ready = pe->state == PE_COMMIT ? ready_with(s, pe) : 0;
        if (!ready || block_needs(s, &pe->block.header) & ~ready)
            continue;
        struct bundle b;
        *found = true;
        block_snapshot(s, pe, pe->pc, ready, &b);
        if (!block_run_operation(s, &b)) /* the PE whose access failed traps, the others wait on */
            return survive_fault(&s->pes[s->fault.pe]);
        trace_bundle(s, &b);
        for (unsigned p = 0; p < SIM_PES; p++)
            if (ready & pe_bit(p)) {
                s->pes[p].state = PE_RUNNING;
                s->pes[p].commit_done = true;
            }
        return true;
    }
    return true;
}

static void describe_waiters(const struct sim *s, struct buffer *out)
{
    for (unsigned i = 0; i < SIM_PES; i++) {
        const struct pe *pe = &s->pes[i];
        if (pe->state == PE_COMMIT)
            buffer_printf(out, "; PE%u waits at 0x%llx in %s", i, (unsigned long long)pe->pc,
                          pe->block.header.op->name);
        else if (pe->state == PE_ENDED)
            buffer_printf(out, "; PE%u has ended", i);
    }
}

static void nobody_comes(struct sim *s)
{
    const struct pe *first = s->pes;
    while (first->state != PE_COMMIT)
        first++;
    uint8_t needs = block_needs(s, &first->block.header), ready = ready_with(s, first);
    s->text.size = 0;
    describe_waiters(s, &s->text);
    sim_fault(s, first->number, FAULT_COLLECTIVE, first->pc, first->pc,
              "%s needs %d PEs, %d present%.*s", first->block.header.op->name,
              __builtin_popcount(needs), __builtin_popcount(ready & needs), (int)s->text.size,
              (const char *)s->text.data);
}

/* ---- the run ---- */

static unsigned count_in(const struct sim *s, enum pe_state state)
{
    unsigned n = 0;
    for (unsigned i = 0; i < SIM_PES; i++)
        n += s->pes[i].state == state;
    return n;
}

/* Round robin by turns of one length; a seed varies order and length. */
static uint64_t turn_length(struct sim *s)
{
    if (!s->options.schedule_seed)
        return TURN;
    uint64_t *x = &s->options.schedule_seed;
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x % TURN + 1;
}

static uint64_t left_to_run(const struct sim *s)
{
    uint64_t limit = s->options.max_insns;
    if (!limit)
        return UINT64_MAX;
    return limit > s->retired ? limit - s->retired : 0;
}

/* While a PE that runs alone waits, the others may come. */
static bool may_run(const struct sim *s, const struct pe *pe)
{
    int only = s->turns.only;
    return pe->state == PE_RUNNING &&
           (only < 0 || only == pe->number || s->pes[only].state == PE_COMMIT);
}

static bool any_may_run(const struct sim *s)
{
    for (unsigned i = 0; i < SIM_PES; i++)
        if (may_run(s, &s->pes[i]))
            return true;
    return false;
}

/* One turn, or the rest of one that was paused. */
static enum sim_end run_turn(struct sim *s)
{
    struct turns *t = &s->turns;
    struct pe *pe = &s->pes[t->pe];
    uint64_t left = left_to_run(s);
    if (!t->open)
        t->left = turn_length(s);
    t->open = false;
    if (!may_run(s, pe))
        return SIM_ENDED;
    if (!left)
        return SIM_LIMIT;
    uint64_t given = left < t->left ? left : t->left, budget = given;
    if (!take_turn(pe, &budget))
        return SIM_FAULT;
    t->left -= given - budget;
    t->open = s->paused;
    return s->paused ? SIM_PAUSED : SIM_ENDED;
}

/* No other PE comes between the instructions of an atomic block (B.CATR). */
static bool keeps_turn(const struct pe *pe)
{
    return pe->state == PE_RUNNING && pe->block.active && pe->block.header.catr.atomic;
}

/* Rounds of turns, until no PE can run. */
static enum sim_end run_turns(struct sim *s)
{
    struct turns *t = &s->turns;
    while (t->pe || any_may_run(s)) {
        enum sim_end end = run_turn(s);
        if (end != SIM_ENDED)
            return end;
        if (!keeps_turn(&s->pes[t->pe]) || !may_run(s, &s->pes[t->pe]))
            t->pe = (uint8_t)((t->pe + 1) % SIM_PES);
    }
    return SIM_ENDED;
}

/* A PE that ran alone has ended; what else is there goes on at the next sim_run. */
static enum sim_end end_alone(struct sim *s)
{
    bool left = count_in(s, PE_RUNNING) || count_in(s, PE_COMMIT) || seq_present(s);
    s->turns.only = -1;
    return left ? SIM_PAUSED : SIM_ENDED;
}

static enum sim_end run_pes(struct sim *s)
{
    for (;;) {
        enum sim_end end = run_turns(s);
        if (end != SIM_ENDED)
            return end;
        if (s->turns.only >= 0 && s->pes[s->turns.only].state == PE_ENDED)
            return end_alone(s);
        if (!count_in(s, PE_COMMIT))
            return SIM_ENDED;
        bool found = false;
        if (!run_ready_bundle(s, &found))
            return SIM_FAULT;
        if (!found) {
            nobody_comes(s);
            return SIM_FAULT;
        }
    }
}

static enum sim_end run_to_end(struct sim *s)
{
    const char *problem = s->turns.started ? NULL : tile_before_run(s);
    s->turns.started = true;
    if (problem) {
        sim_fault(s, 0, FAULT_TILE_LEGALITY, s->entry, s->entry, "%s", problem);
        return SIM_FAULT;
    }
    s->paused = false;
    enum sim_end end = run_pes(s);
    return end == SIM_ENDED && seq_present(s) ? seq_run(s) : end;
}

enum sim_end sim_run(struct sim *s)
{
    s->end = run_to_end(s);
    return s->end;
}
