/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Faults as the machine records them, and as the guest sees them: the saved
 * context, the EBARG registers of the target ring, the trap word
 * (asl/arch/memory-model/fault-precision.asl, arch/profile/reference-profile.asl,
 * arch/profile/trap-context-recovery.asl).
 */
#include <stdarg.h>

#include "sim/block.h"
#include "sim/memory.h"
#include "sim/sysreg.h"

static const struct {
    const char *name;
    int trap;
} kinds[] = {
#define FAULT(id, name, trap, what) {name, trap},
#include "sim/fault.def"
#undef FAULT
};

/* EBARG and trap registers of a ring, low addresses (spec/pto-isa.md D). */
enum {
    EXT_ECSTATE = 0xf00,
    EXT_EVBASE = 0xf01,
    EXT_EBARG_CONTROL = 0xf40,
    EXT_EBARG_BPC = 0xf41,
    EXT_EBARG_BPCN = 0xf42,
    EXT_EBARG_TPC = 0xf43,
    EXT_EBARG_RETURN = 0xf44,
    EXT_EBARG_QUEUES = 0xf45, /* TQ0..3, UQ0..3 */
    EXT_EBARG_LB = 0xf4d,
    EXT_EBARG_LC = 0xf4e,
};

/* Fields of the EBARG control word and of ECSTATE. */
enum {
    CONTROL_RING = 0xf,
    CONTROL_VALID = 1 << 4,
    CONTROL_ACTIVE = 1 << 5,
    CONTROL_BODY = 1 << 6,
    CONTROL_KIND_SHIFT = 7,
    CONTROL_TRANSFER_SHIFT = 11,
    CONTROL_TAKEN = 1 << 14,
    CONTROL_WIDTH = 15,
    ECSTATE_BODY = 1 << 4,
};

const char *fault_name(enum fault_kind kind)
{
    return kinds[kind].name;
}

/* ---- recording ---- */

static void record(struct sim *s, int pe, enum fault_kind kind, uint64_t pc, uint64_t address,
                   const char *fmt, va_list ap)
{
    struct fault *f = &s->fault;
    if (f->kind != FAULT_NONE)
        return;
    f->kind = kind;
    f->pe = pe;
    f->pc = pc;
    f->address = address;
    f->cause = 0;
    f->undone[0] = 0;
    vsnprintf(f->text, sizeof f->text, fmt, ap);
}

bool sim_fault(struct sim *s, int pe, enum fault_kind kind, uint64_t pc, uint64_t address,
               const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    record(s, pe, kind, pc, address, fmt, ap);
    va_end(ap);
    return false;
}

enum exec_status op_fault(struct pe *pe, const struct op *op, enum fault_kind kind,
                          uint64_t address, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    record(pe->sim, pe->number, kind, op->pc, address, fmt, ap);
    va_end(ap);
    return EXEC_FAULT;
}

void sim_fault_undone(struct sim *s, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(s->fault.undone, sizeof s->fault.undone, fmt, ap);
    va_end(ap);
}

/* ---- rings ---- */

void pe_set_ring(struct pe *pe, unsigned ring)
{
    if (pe->acr != ring)
        memory_drop_caches(pe->sim);
    pe->acr = (uint8_t)ring;
    pe->core_state = (pe->core_state & ~UINT64_C(0xf)) | ring;
}

static unsigned target_ring(const struct pe *pe)
{
    return pe->acr == 0 ? 0 : 1;
}

bool trap_has_handler(const struct pe *pe)
{
    return *ext_register(pe, target_ring(pe), EXT_EVBASE) != 0;
}

/* ---- saving ---- */

static uint64_t control_word(const struct pe *pe, unsigned source)
{
    const struct block *b = &pe->block;
    return source | CONTROL_VALID | (b->active ? CONTROL_ACTIVE : 0) |
           (b->body ? CONTROL_BODY : 0) | (uint64_t)b->kind << CONTROL_KIND_SHIFT |
           (uint64_t)b->transfer << CONTROL_TRANSFER_SHIFT | (b->taken ? CONTROL_TAKEN : 0);
}

static void save_registers(struct pe *pe, unsigned target, unsigned source)
{
    const struct block *b = &pe->block;
    uint64_t state = (pe->core_state & ~(uint64_t)(CONTROL_RING | ECSTATE_BODY)) | source |
                     (b->body ? ECSTATE_BODY : 0);
    *ext_register(pe, target, EXT_ECSTATE) = state;
    *ext_register(pe, target, EXT_EBARG_CONTROL) = control_word(pe, source);
    *ext_register(pe, target, EXT_EBARG_BPC) = pe->bpc;
    *ext_register(pe, target, EXT_EBARG_BPCN) = b->bpcn;
    *ext_register(pe, target, EXT_EBARG_TPC) = pe->pc;
    *ext_register(pe, target, EXT_EBARG_RETURN) = pe->return_address;
    for (unsigned i = 0; i < 2 * SIM_QUEUE_DEPTH; i++)
        *ext_register(pe, target, EXT_EBARG_QUEUES + i) = pe->reg[REG_T + i];
    *ext_register(pe, target, EXT_EBARG_LB) = 0;
    *ext_register(pe, target, EXT_EBARG_LC) = 0;
}

static void save_context(struct pe *pe, unsigned target, unsigned source)
{
    struct ring *r = &pe->rings[target];
    struct context *c = &r->context;
    r->context_valid = true;
    r->source_ring = (uint8_t)source;
    c->pc = pe->pc;
    c->bpc = pe->bpc;
    c->core_state = pe->core_state;
    c->return_address = pe->return_address;
    c->commit_argument = pe->commit_argument;
    c->block = pe->block;
    c->copy = pe->copy;
    c->frame = pe->frame;
    memcpy(c->queue, &pe->reg[REG_T], sizeof c->queue);
    c->queue_valid = pe->queue_valid;
    memcpy(c->predicate, pe->predicate, sizeof c->predicate);
    save_registers(pe, target, source);
}

/* The handler begins outside of blocks and templates; ACRE brings them back. The model leaves the
 * interrupted block open, so that a BSTART of the handler would complete it. */
static void leave_block(struct pe *pe)
{
    if (pe->sim->options.profile == SIM_PROFILE_PTO_V0)
        return;
    pe->block = (struct block){0};
    block_clear_header(&pe->block);
    pe->bpc = 0;
    pe->copy.active = pe->frame.active = false;
}

static void enter_ring(struct pe *pe, unsigned target, uint64_t address)
{
    leave_block(pe);
    pe->commit_done = false;
    pe->state = PE_RUNNING;
    pe_set_ring(pe, target);
    uint64_t vector = *ext_register(pe, target, EXT_EVBASE);
    pe->pc = vector ? vector : address;
}

static void set_trap(struct pe *pe, unsigned target, const struct fault *f)
{
    struct ring *r = &pe->rings[target];
    r->asynchronous = false;
    r->argument_valid = true;
    r->cause = f->cause;
    r->number = (uint8_t)kinds[f->kind].trap;
    r->argument = f->address;
    enter_ring(pe, target, f->address);
}

/* ACRC resumes behind itself, in the ring that the request names. */
static void take_service_request(struct pe *pe, const struct fault *f)
{
    enum { ACRC_LENGTH = 4 };
    unsigned target = f->cause == 1 ? 1 : 0;
    save_context(pe, target, pe->acr);
    pe->rings[target].context.pc = pe->pc + ACRC_LENGTH;
    *ext_register(pe, target, EXT_EBARG_TPC) = pe->pc + ACRC_LENGTH;
    set_trap(pe, target, f);
}

bool trap_take(struct pe *pe)
{
    const struct fault *f = &pe->sim->fault;
    unsigned target = target_ring(pe);
    struct ring *r = &pe->rings[target];
    if (kinds[f->kind].trap < 0)
        return false;
    if (f->kind == FAULT_SERVICE) {
        take_service_request(pe, f);
        return true;
    }
    struct context kept = r->context;
    bool keep = pe->keep_context && target == pe->acr && r->context_valid;
    uint8_t source = r->source_ring;
    save_context(pe, target, pe->acr);
    if (keep) {
        r->context = kept;
        r->source_ring = source;
    }
    pe->keep_context = false;
    set_trap(pe, target, f);
    return true;
}

void trap_interrupt(struct pe *pe, unsigned id, uint32_t cause)
{
    enum { TRAP_INTERRUPT = 44 };
    unsigned target = target_ring(pe);
    struct ring *r = &pe->rings[target];
    if (!sysreg_pend(pe, target, id))
        return;
    save_context(pe, target, pe->acr);
    r->asynchronous = r->argument_valid = true;
    r->cause = cause;
    r->number = TRAP_INTERRUPT;
    r->argument = id;
    enter_ring(pe, target, pe->pc);
}

/* ---- recovering ---- */

static bool control_legal(uint64_t control)
{
    unsigned kind = control >> CONTROL_KIND_SHIFT & 0xf;
    unsigned transfer = control >> CONTROL_TRANSFER_SHIFT & 7;
    bool known = kind <= BLOCK_SYSTEM || (kind >= BLOCK_ELEMENT && kind <= BLOCK_FRAME);
    return control >> CONTROL_WIDTH == 0 && known && transfer <= TRANSFER_ICALL &&
           (!(control & CONTROL_BODY) || control & CONTROL_ACTIVE);
}

bool trap_recoverable(const struct pe *pe, unsigned ring)
{
    uint64_t control = *ext_register(pe, ring, EXT_EBARG_CONTROL);
    uint64_t state = *ext_register(pe, ring, EXT_ECSTATE);
    return pe->rings[ring].context_valid && control & CONTROL_VALID && control_legal(control) &&
           (control & CONTROL_RING) == (state & CONTROL_RING) &&
           !(*ext_register(pe, ring, EXT_EBARG_BPC) & 1) &&
           !(*ext_register(pe, ring, EXT_EBARG_TPC) & 1);
}

static void recover_block(struct pe *pe, unsigned ring, uint64_t control)
{
    struct block *b = &pe->block;
    *b = pe->rings[ring].context.block;
    b->active = control & CONTROL_ACTIVE;
    b->body = control & CONTROL_BODY;
    b->kind = control >> CONTROL_KIND_SHIFT & 0xf;
    b->transfer = control >> CONTROL_TRANSFER_SHIFT & 7;
    b->taken = control & CONTROL_TAKEN;
    b->bpcn = *ext_register(pe, ring, EXT_EBARG_BPCN);
}

void trap_recover(struct pe *pe, unsigned ring)
{
    struct ring *r = &pe->rings[ring];
    const struct context *c = &r->context;
    uint64_t *control = ext_register(pe, ring, EXT_EBARG_CONTROL);
    recover_block(pe, ring, *control);
    pe->pc = *ext_register(pe, ring, EXT_EBARG_TPC);
    pe->bpc = *ext_register(pe, ring, EXT_EBARG_BPC);
    pe->return_address = *ext_register(pe, ring, EXT_EBARG_RETURN);
    pe->commit_argument = c->commit_argument;
    pe->copy = c->copy;
    pe->frame = c->frame;
    for (unsigned i = 0; i < 2 * SIM_QUEUE_DEPTH; i++)
        pe->reg[REG_T + i] = *ext_register(pe, ring, EXT_EBARG_QUEUES + i);
    pe->queue_valid = c->queue_valid;
    memcpy(pe->predicate, c->predicate, sizeof pe->predicate);
    uint64_t state = *ext_register(pe, ring, EXT_ECSTATE);
    pe_set_ring(pe, state & CONTROL_RING);
    pe->core_state = state;
    *control &= ~(uint64_t)CONTROL_VALID;
    r->context_valid = false;
}
