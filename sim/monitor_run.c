/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What stops a run. The machine asks in front of every instruction; the
 * answer depends on breakpoints, watches and the goal of the command.
 *
 * Calls are followed from the first instruction on, so that a backtrace needs
 * no convention: a block that calls, or that sets the return address, opens a
 * frame when control leaves it for its target; arriving at the frame's return
 * address with its stack pointer closes it.
 */
#include <signal.h>
#include <string.h>

#include "sim/block.h"
#include "sim/memory.h"
#include "sim/monitor_inside.h"

enum { REG_SP = 1 };

/* Control-C on a terminal. A signal handler can reach nothing but a global. */
static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal)
{
    (void)signal;
    interrupted = 1;
}

/* ---- calls ---- */

static bool is_return_setter(const struct op *op)
{
    if (!op->insn)
        return false;
    unsigned mnemonic = op->insn->form->mnemonic;
    return mnemonic == ISA_MNEM_SETRET || mnemonic == ISA_MNEM_C_SETRET ||
           mnemonic == ISA_MNEM_HL_SETRET;
}

static bool in_calling_block(const struct pe *pe)
{
    return pe->block.active &&
           (pe->block.transfer == TRANSFER_CALL || pe->block.transfer == TRANSFER_ICALL);
}

static bool leave_frames(struct thread *t, uint64_t pc, uint64_t sp)
{
    for (size_t i = t->frames.count; i-- > 0;)
        if (t->frames.item[i].back == pc && t->frames.item[i].sp == sp) {
            t->frames.count = i;
            return true;
        }
    return false;
}

/* The thread has come from the instruction before, t->pc, to this one. */
static void follow(struct monitor *m, struct thread *t, const struct pe *pe, const struct op *op)
{
    bool called = t->calls || t->sets_return;
    bool first = t->end == 0;
    if (!first && op->pc != t->end && !leave_frames(t, op->pc, pe->reg[REG_SP]) && called)
        *vec_push(m->mem, &t->frames) =
            (struct frame){.back = pe->return_address, .sp = pe->reg[REG_SP]};
    t->sets_return = is_return_setter(op) || (t->sets_return && pe->block.active);
    t->calls = in_calling_block(pe);
    t->end = op->pc + op->length;
}

/* ---- points ---- */

static bool same_thread(const struct point *p, unsigned thread)
{
    return p->thread < 0 || p->thread == (int)thread;
}

static void announce(struct monitor *m, struct point *p)
{
    p->stops++;
    buffer_printf(&m->text, "%s %u", p->kind >= POINT_MEMORY ? "watch" : "breakpoint", p->number);
    if (p->kind >= POINT_MEMORY)
        buffer_printf(&m->text, ", %s:", p->what);
}

static bool at_breakpoint(struct monitor *m, unsigned thread, uint64_t pc,
                          const struct isa_insn *insn)
{
    bool stop = false;
    for (size_t i = 0; i < m->points.count; i++) {
        struct point *p = &m->points.item[i];
        bool here = p->kind == POINT_ADDRESS ? p->address == pc
                                             : p->kind == POINT_OPERATION && insn &&
                                                   block_operation(m->sim, insn) == p->operation;
        if (!here || !same_thread(p, thread))
            continue;
        announce(m, p);
        buffer_printf(&m->text, "\n");
        stop = true;
    }
    return stop;
}

static void print_bytes(const uint8_t *bytes, uint64_t size, struct buffer *out)
{
    enum { WORD = 8, SHOWN = 16 };
    if (size > WORD) {
        for (uint64_t i = 0; i < size && i < SHOWN; i++)
            buffer_printf(out, " %02x", bytes[i]);
        buffer_printf(out, "%s", size > SHOWN ? " ..." : "");
        return;
    }
    buffer_printf(out, " 0x");
    for (uint64_t i = size; i-- > 0;)
        buffer_printf(out, "%02x", bytes[i]);
}

static bool memory_changed(struct monitor *m, struct point *p)
{
    if (!p->touched)
        return false;
    uint8_t *now = arena_alloc(m->scratch, p->size);
    p->touched = false;
    memory_peek(m->sim->memory, p->address, now, p->size);
    if (!memcmp(now, p->bytes, p->size))
        return false;
    announce(m, p);
    print_bytes(p->bytes, p->size, &m->text);
    buffer_printf(&m->text, " ->");
    print_bytes(now, p->size, &m->text);
    memcpy(p->bytes, now, p->size);
    return true;
}

static bool register_changed(struct monitor *m, struct point *p)
{
    uint64_t now = p->value;
    sim_get_register(m->sim, p->what, &now);
    if (now == p->value)
        return false;
    announce(m, p);
    buffer_printf(&m->text, " 0x%llx -> 0x%llx", (unsigned long long)p->value,
                  (unsigned long long)now);
    p->value = now;
    return true;
}

/* What the instruction before changed. */
static bool watch_fired(struct monitor *m)
{
    bool stop = false;
    for (size_t i = 0; i < m->points.count; i++) {
        struct point *p = &m->points.item[i];
        if (!(p->kind == POINT_MEMORY && memory_changed(m, p)) &&
            !(p->kind == POINT_REGISTER && register_changed(m, p)))
            continue;
        buffer_printf(&m->text, ", by %s at 0x%llx\n", monitor_thread_name(m, m->writer),
                      (unsigned long long)m->writer_pc);
        stop = true;
    }
    return stop;
}

static void on_write(void *ctx, uint64_t address, size_t size)
{
    struct monitor *m = ctx;
    for (size_t i = 0; i < m->points.count; i++) {
        struct point *p = &m->points.item[i];
        if (p->kind == POINT_MEMORY && address < p->address + p->size &&
            p->address < address + size)
            p->touched = true;
    }
}

/* ---- goals ---- */

static bool is_start(const struct isa_insn *insn)
{
    return insn && insn->form->klass == ISA_CLASS_ExecuteBundleStart;
}

/* Between two blocks, or where a start ends the one before. */
static bool at_boundary(const struct monitor *m, unsigned thread, const struct isa_insn *insn)
{
    return thread >= SIM_PES || !m->sim->pes[thread].block.active || is_start(insn);
}

static bool goal_reached(struct monitor *m, unsigned thread, uint64_t pc,
                         const struct isa_insn *insn)
{
    struct goal *g = &m->goal;
    size_t depth = m->threads[thread].frames.count;
    if (thread != g->thread)
        return false;
    switch (g->kind) {
    case GOAL_STEP:
        return --g->count == 0;
    case GOAL_NEXT:
        return depth <= g->depth && --g->count == 0;
    case GOAL_BUNDLE:
        return depth <= g->depth && at_boundary(m, thread, insn) && --g->count == 0;
    case GOAL_PLACE:
        return pc == g->address;
    case GOAL_RETURN:
        return depth < g->depth;
    default:
        return false;
    }
}

/* The first instruction of a command is the one that the user sees: it neither reaches the goal nor
 * stops a step; and none stops a run twice. */
static bool arrives(struct monitor *m, unsigned thread, uint64_t pc, const struct isa_insn *insn)
{
    struct goal *g = &m->goal;
    bool first = g->fresh && thread == g->thread, resumed = m->threads[thread].stopped,
         stop = false;
    bool steps = g->kind == GOAL_STEP || g->kind == GOAL_NEXT || g->kind == GOAL_BUNDLE;
    g->fresh &= !first;
    if (!resumed && !(first && steps))
        stop = at_breakpoint(m, thread, pc, insn);
    return (!first && goal_reached(m, thread, pc, insn)) || stop;
}

/* Shall the run stop in front of this instruction? */
static bool stops(struct monitor *m, unsigned thread, uint64_t pc, const struct isa_insn *insn)
{
    bool stop = watch_fired(m);
    stop |= arrives(m, thread, pc, insn);
    stop |= interrupted;
    interrupted = 0;
    m->writer = thread;
    m->writer_pc = pc;
    m->threads[thread].stopped = stop;
    if (stop)
        m->thread = thread;
    return stop;
}

static bool on_insn(void *ctx, struct pe *pe, const struct op *op)
{
    struct monitor *m = ctx;
    struct thread *t = &m->threads[pe->number];
    if (!t->stopped)
        follow(m, t, pe, op);
    return stops(m, pe->number, op->pc, op->insn);
}

static bool on_record(void *ctx, unsigned engine, uint64_t pc)
{
    return stops(ctx, SIM_PES + engine, pc, NULL);
}

void monitor_watch(struct monitor *m)
{
    m->watch = (struct sim_watch){m, on_insn, on_record, on_write};
    sim_set_watch(m->sim, &m->watch);
    while (m->thread + 1 < MONITOR_THREADS && !monitor_exists(m, m->thread))
        m->thread++;
}

void monitor_unwatch(struct monitor *m)
{
    for (size_t i = 0; i < m->points.count; i++)
        mem_resize(m->mem, m->points.item[i].bytes, 0);
    for (unsigned i = 0; i < MONITOR_THREADS; i++)
        vec_free(m->mem, &m->threads[i].frames);
    vec_free(m->mem, &m->points);
}

/* ---- running ---- */

static void run(struct monitor *m)
{
    struct sigaction old, action = {.sa_handler = on_interrupt};
    interrupted = 0;
    fflush(stdout);
    sigaction(SIGINT, &action, &old);
    m->end = sim_run(m->sim);
    sigaction(SIGINT, &old, NULL);
    m->code_next = m->list_next = 0;
    m->over = m->end != SIM_PAUSED;
    if (!m->over) {
        monitor_show_position(m, m->thread);
        return;
    }
    watch_fired(m);
    sim_report(m->sim, &m->text);
    for (unsigned i = SIM_PES; m->end == SIM_ENDED && i < MONITOR_THREADS; i++)
        if (monitor_exists(m, i))
            monitor_show_position(m, i);
}

/* The instruction that the user sees is one whose bundle has run with that of another PE: the watch
 * will not hear of it again. */
static bool is_half_done(const struct monitor *m)
{
    return m->thread < SIM_PES && m->sim->pes[m->thread].commit_done;
}

static bool has_ended(const struct monitor *m)
{
    uint64_t pc;
    const char *state;
    if (m->thread < SIM_PES)
        return m->sim->pes[m->thread].state == PE_ENDED;
    seq_position(m->sim, m->thread - SIM_PES, &pc, &state);
    return !strcmp(state, "ended");
}

/* Runs the selected thread, a PE alone, until `count` steps of a kind are done. */
static bool run_steps(struct monitor *m, const struct words *w, enum goal_kind kind)
{
    uint64_t count = 1;
    if (w->count > 1 && !monitor_number(m, &w->item[1], &count))
        return false;
    if (has_ended(m))
        return monitor_refuse(m, &w->item[0], "%s has ended", monitor_thread_name(m, m->thread));
    if (!count)
        return true;
    m->sim->turns.only = m->thread < SIM_PES ? (int)m->thread : -1;
    m->goal = (struct goal){.kind = kind,
                            .fresh = !is_half_done(m),
                            .thread = m->thread,
                            .count = count,
                            .depth = m->threads[m->thread].frames.count};
    run(m);
    return true;
}

bool monitor_step(struct monitor *m, const struct words *w)
{
    return run_steps(m, w, GOAL_STEP);
}

bool monitor_next(struct monitor *m, const struct words *w)
{
    return run_steps(m, w, GOAL_NEXT);
}

bool monitor_bundle(struct monitor *m, const struct words *w)
{
    return run_steps(m, w, GOAL_BUNDLE);
}

static void run_to(struct monitor *m, struct goal goal)
{
    goal.fresh = !is_half_done(m);
    goal.thread = m->thread;
    m->sim->turns.only = -1;
    m->goal = goal;
    run(m);
}

bool monitor_continue(struct monitor *m, const struct words *w)
{
    (void)w;
    run_to(m, (struct goal){.kind = GOAL_CONTINUE});
    return true;
}

bool monitor_until(struct monitor *m, const struct words *w)
{
    struct goal goal = {.kind = GOAL_PLACE};
    if (!monitor_address(m, &w->item[1], &goal.address))
        return false;
    run_to(m, goal);
    return true;
}

bool monitor_finish(struct monitor *m, const struct words *w)
{
    size_t depth = m->threads[m->thread].frames.count;
    if (!depth)
        return monitor_refuse(m, &w->item[0], "no call is open on %s",
                              monitor_thread_name(m, m->thread));
    run_to(m, (struct goal){.kind = GOAL_RETURN, .depth = depth});
    return true;
}

bool monitor_interrupt(struct monitor *m, const struct words *w)
{
    enum { IDS = 64, CAUSES = 1 << 24 };
    uint64_t id, cause = 0;
    if (!monitor_number(m, &w->item[1], &id) ||
        (w->count > 2 && !monitor_number(m, &w->item[2], &cause)))
        return false;
    if (id >= IDS || cause >= CAUSES)
        return monitor_refuse(m, &w->item[id >= IDS ? 1 : 2],
                              "interrupts are 0 to 63, causes have 24 bits");
    struct pe *pe = m->thread < SIM_PES ? &m->sim->pes[m->thread] : NULL;
    if (!pe || pe->state != PE_RUNNING || pe->commit_done)
        return monitor_refuse(m, &w->item[0], "%s is not between two instructions",
                              monitor_thread_name(m, m->thread));
    trap_interrupt(pe, (unsigned)id, (uint32_t)cause);
    m->threads[m->thread].end = 0;
    m->threads[m->thread].stopped = false;
    monitor_show_position(m, m->thread);
    return true;
}

/* ---- setting points ---- */

static struct point *add_point(struct monitor *m, enum point_kind kind, const char *what)
{
    struct point *p = vec_push(m->mem, &m->points);
    p->kind = kind;
    p->number = ++m->last_number;
    p->thread = -1;
    p->what = arena_string(m->arena, what, strlen(what));
    return p;
}

static void print_point(const struct monitor *m, const struct point *p, struct buffer *out)
{
    static const char *const kinds[] = {"break at", "break at every", "watch", "watch"};
    buffer_printf(out, "%u %s %s", p->number, kinds[p->kind], p->what);
    if (p->kind == POINT_ADDRESS) {
        buffer_printf(out, ", 0x%llx", (unsigned long long)p->address);
        size_t before = out->size;
        buffer_printf(out, " ");
        sim_place(m->sim, p->address, out);
        out->size -= out->size == before + 1;
    }
    if (p->kind == POINT_MEMORY)
        buffer_printf(out, ", %llu bytes at 0x%llx", (unsigned long long)p->size,
                      (unsigned long long)p->address);
    if (p->thread >= 0)
        buffer_printf(out, ", %s only", monitor_thread_name(m, (unsigned)p->thread));
    if (p->stops)
        buffer_printf(out, ", stopped %u time%s", p->stops, p->stops == 1 ? "" : "s");
    buffer_printf(out, "\n");
}

void monitor_list_points(struct monitor *m)
{
    for (size_t i = 0; i < m->points.count; i++)
        print_point(m, &m->points.item[i], &m->text);
    if (!m->points.count)
        buffer_printf(&m->text, "no breakpoints and no watches\n");
}

/* A symbol wins over a tile operation of the same name. */
static bool break_place(struct monitor *m, const struct word *w, struct point *p)
{
    uint64_t address;
    const struct isa_tileop *op = isa_find_tileop(w->text, strlen(w->text));
    if (op && op->revs & m->sim->target.pto && !sim_find_address(m->sim, w->text, &address)) {
        p->kind = POINT_OPERATION;
        p->operation = op;
        return true;
    }
    p->kind = POINT_ADDRESS;
    if (!monitor_address(m, w, &p->address))
        return false;
    struct isa_insn insn;
    unsigned length;
    return sim_decode(m->sim, p->address, &insn, &length) ||
           monitor_refuse(m, w, "0x%llx is no instruction", (unsigned long long)p->address);
}

bool monitor_break(struct monitor *m, const struct words *w)
{
    struct point place = {.thread = -1};
    if (w->count > 2 && (place.thread = monitor_find_thread(m, w->item[2].text)) < 0)
        return monitor_refuse(m, &w->item[2], "this run has no PE and no engine of that name");
    if (!break_place(m, &w->item[1], &place))
        return false;
    struct point *p = add_point(m, place.kind, w->item[1].text);
    p->thread = place.thread;
    p->address = place.address;
    p->operation = place.operation;
    print_point(m, p, &m->text);
    return true;
}

static bool watch_memory(struct monitor *m, const struct words *w)
{
    enum { WORD = 8, LONGEST = 65536 };
    uint64_t address, size = WORD;
    if (!monitor_address(m, &w->item[1], &address) ||
        (w->count > 2 && !monitor_number(m, &w->item[2], &size)))
        return false;
    if (size == 0 || size > LONGEST)
        return monitor_refuse(m, &w->item[2], "the length must be 1 to %d", LONGEST);
    uint8_t *bytes = arena_alloc(m->scratch, size);
    if (!memory_peek(m->sim->memory, address, bytes, size))
        return monitor_refuse(m, &w->item[1], "not all of 0x%llx and %llu bytes is mapped",
                              (unsigned long long)address, (unsigned long long)size);
    struct point *p = add_point(m, POINT_MEMORY, w->item[1].text);
    p->address = address;
    p->size = size;
    p->bytes = memcpy(mem_resize(m->mem, NULL, size), bytes, size);
    print_point(m, p, &m->text);
    return true;
}

bool monitor_add_watch(struct monitor *m, const struct words *w)
{
    uint64_t value;
    const char *name = monitor_full_name(m, w->item[1].text);
    if (w->count > 2 || !sim_get_register(m->sim, name, &value))
        return watch_memory(m, w);
    struct point *p = add_point(m, POINT_REGISTER, name);
    p->value = value;
    print_point(m, p, &m->text);
    return true;
}

static void remove_point(struct monitor *m, size_t i)
{
    mem_resize(m->mem, m->points.item[i].bytes, 0);
    memmove(&m->points.item[i], &m->points.item[i + 1],
            (m->points.count - i - 1) * sizeof *m->points.item);
    m->points.count--;
}

bool monitor_delete(struct monitor *m, const struct words *w)
{
    uint64_t number;
    if (w->count == 1) {
        while (m->points.count)
            remove_point(m, m->points.count - 1);
        return true;
    }
    if (!monitor_number(m, &w->item[1], &number))
        return false;
    for (size_t i = 0; i < m->points.count; i++)
        if (m->points.item[i].number == number) {
            remove_point(m, i);
            return true;
        }
    return monitor_refuse(m, &w->item[1], "there is no breakpoint or watch %s", w->item[1].text);
}

/* ---- backtrace ---- */

static void print_frame(const struct monitor *m, size_t number, uint64_t pc, struct buffer *out)
{
    buffer_printf(out, "#%zu 0x%08llx", number, (unsigned long long)pc);
    size_t before = out->size;
    buffer_printf(out, " <");
    sim_symbol(m->sim, pc, out);
    if (out->size == before + 2)
        out->size = before;
    else
        buffer_printf(out, ">");
    buffer_printf(out, " ");
    sim_place(m->sim, pc, out);
    while (out->data[out->size - 1] == ' ')
        out->size--;
    buffer_printf(out, "\n");
}

bool monitor_backtrace(struct monitor *m, const struct words *w)
{
    const struct thread *t = &m->threads[m->thread];
    (void)w;
    print_frame(m, 0, monitor_pc(m, m->thread), &m->text);
    for (size_t i = t->frames.count; i-- > 0;)
        print_frame(m, t->frames.count - i, t->frames.item[i].back, &m->text);
    return true;
}
