/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who may touch a register comes from the table of isa/; here is what reading
 * and writing does. Registers with low address 0xfxx exist once a ring, ring
 * number in bits 15:12, and belong to ring 0.
 */
#include "sim/sysreg.h"

#include <ctype.h>
#include <stdlib.h>

enum {
    SSR_THREAD_PTR = 0x0000,
    SSR_GLOBAL_PTR = 0x0001,
    SSR_TIME = 0x0010,
    SSR_CORE_STATE = 0x0020,
    SSR_CORE_ID = 0x0021,
    SSR_VENDOR = 0x0022,
    SSR_VERSION = 0x0023,
    SSR_CORE_FEATURE = 0x0024,
    SSR_CORE_FEATURE_ENABLE = 0x0025,
    SSR_THREAD_ID = 0x0026,
    SSR_TILE_CAPACITY = 0x0027,
    SSR_BLOCKNUM = 0x0050,
    SSR_BLOCKID = 0x0051,
    SSR_CYCLE = 0x0c00,

    EXT_TRAPNO = 0xf02,
    EXT_TRAPARG = 0xf03,
    EXT_CONFIG = 0xf07,
    EXT_PENDING = 0xf08,
    EXT_TOP_PENDING = 0xf09,
    EXT_END_OF_INTERRUPT = 0xf0a,
    EXT_TIMER_TIME = 0xf20,
    EXT_TIMER_COMPARE = 0xf21,

    LOW_MASK = 0xfff,
    RING_SHIFT = 12,
    CAN_READ = 1,
    CAN_WRITE = 2,
};

/* ---- which register ---- */

static bool is_banked(uint64_t address)
{
    return (address & LOW_MASK) >= EXT_FIRST && address >> 16 == 0;
}

/* "TTBR0_ACR1" exists in ring 1 only, "EVBASE_ACRn" in each. */
static bool in_ring(const struct isa_sysreg *r, unsigned ring)
{
    char last = r->name[strlen(r->name) - 1];
    return !isdigit((unsigned char)last) || (unsigned)(last - '0') == ring;
}

const struct isa_sysreg *sysreg_find(uint64_t address)
{
    bool banked = is_banked(address);
    unsigned ring = address >> RING_SHIFT & 0xf;
    for (size_t i = 0; i < ISA_SYSREG_COUNT; i++) {
        const struct isa_sysreg *r = &isa_sysregs[i];
        bool family = (r->address & LOW_MASK) >= EXT_FIRST;
        if (family ? banked && (r->address & LOW_MASK) == (address & LOW_MASK) && in_ring(r, ring)
                   : r->address == address)
            return r;
    }
    return NULL;
}

bool sysreg_address(const char *name, uint64_t *address)
{
    for (size_t i = 0; i < ISA_SYSREG_COUNT; i++) {
        const struct isa_sysreg *r = &isa_sysregs[i];
        size_t stem = strlen(r->name) - 1;
        bool family = r->name[stem] == 'n';
        if (!family && equal_folded(name, strlen(name), r->name, stem + 1)) {
            *address = r->address;
            return true;
        }
        char *end;
        if (!family || strlen(name) <= stem || !equal_folded(name, stem, r->name, stem) ||
            !isdigit((unsigned char)name[stem]))
            continue;
        unsigned long ring = strtoul(name + stem, &end, 10);
        *address = (uint64_t)ring << RING_SHIFT | r->address;
        return !*end && ring < SIM_RINGS;
    }
    return false;
}

static bool permitted(const struct pe *pe, uint64_t address, unsigned access)
{
    const struct isa_sysreg *r = sysreg_find(address);
    bool ring_ok = (address & LOW_MASK) < EXT_FIRST || pe->acr == 0;
    return r && ring_ok && r->access & access;
}

bool sysreg_readable(const struct pe *pe, uint64_t address)
{
    return permitted(pe, address, CAN_READ);
}

bool sysreg_writable(const struct pe *pe, uint64_t address)
{
    return permitted(pe, address, CAN_WRITE);
}

/* ---- interrupts: the timer only becomes pending; delivery is trap_interrupt's ---- */

static unsigned timer_interrupt(unsigned ring)
{
    return ring == 0 ? 1 : 3;
}

static void set_pending(struct pe *pe, unsigned ring, unsigned id, bool on)
{
    uint64_t *pending = ext_register(pe, ring, EXT_PENDING);
    *pending = (*pending & ~(UINT64_C(1) << id)) | (uint64_t)on << id;
    *ext_register(pe, ring, EXT_TOP_PENDING) = *pending ? (uint64_t)__builtin_ctzll(*pending) : 0;
}

bool sysreg_pend(struct pe *pe, unsigned ring, unsigned id)
{
    enum { EXTERNAL = 1, TIMER = 2 }; /* ECONFIG */
    set_pending(pe, ring, id, true);
    return *ext_register(pe, ring, EXT_CONFIG) & (id == timer_interrupt(ring) ? TIMER : EXTERNAL);
}

static void refresh_timer(struct pe *pe, unsigned ring)
{
    uint64_t compare = *ext_register(pe, ring, EXT_TIMER_COMPARE);
    set_pending(pe, ring, timer_interrupt(ring), compare && pe->cycle >= compare);
}

static void end_of_interrupt(struct pe *pe, unsigned ring, uint64_t value)
{
    if (value < 64)
        set_pending(pe, ring, (unsigned)value, false);
    pe->rings[ring].asynchronous = false;
    pe->rings[ring].argument_valid = false;
}

/* ---- the trap word ---- */

enum { TRAP_ASYNCHRONOUS = 63, TRAP_ARGUMENT_VALID = 62, TRAP_CAUSE = 24 };

static uint64_t pack_trap(const struct ring *r)
{
    return (uint64_t)r->asynchronous << TRAP_ASYNCHRONOUS |
           (uint64_t)r->argument_valid << TRAP_ARGUMENT_VALID | (uint64_t)r->cause << TRAP_CAUSE |
           r->number;
}

static void unpack_trap(struct ring *r, uint64_t value)
{
    r->asynchronous = value >> TRAP_ASYNCHRONOUS & 1;
    r->argument_valid = value >> TRAP_ARGUMENT_VALID & 1;
    r->cause = value >> TRAP_CAUSE & 0xffffff;
    r->number = value & 0x3f;
}

/* ---- reading and writing ---- */

static uint64_t read_base(const struct pe *pe, uint64_t address)
{
    switch (address) {
    case SSR_THREAD_PTR:
        return pe->thread_ptr;
    case SSR_GLOBAL_PTR:
        return pe->global_ptr;
    case SSR_CORE_STATE:
        return pe->core_state;
    case SSR_CORE_ID:
        return pe->core_id;
    case SSR_VENDOR:
        return pe->vendor;
    case SSR_VERSION:
        return pe->version;
    case SSR_CORE_FEATURE:
        return pe->core_feature;
    case SSR_CORE_FEATURE_ENABLE:
        return pe->core_feature_enable;
    case SSR_THREAD_ID:
        return pe->thread_id;
    case SSR_TILE_CAPACITY:
        return pe->tile_capacity;
    case SSR_BLOCKNUM:
        return pe->blocknum;
    case SSR_BLOCKID:
        return pe->blockid;
    default: /* TIME and CYCLE: one unit an attempted instruction */
        return pe->cycle;
    }
}

static uint64_t read_banked(struct pe *pe, unsigned ring, unsigned low)
{
    switch (low) {
    case EXT_TRAPNO:
        return pack_trap(&pe->rings[ring]);
    case EXT_TRAPARG:
        return pe->rings[ring].argument;
    case EXT_PENDING:
    case EXT_TOP_PENDING:
        refresh_timer(pe, ring);
        return *ext_register(pe, ring, low);
    case EXT_TIMER_TIME:
        return pe->cycle;
    default:
        return *ext_register(pe, ring, low);
    }
}

uint64_t sysreg_read(struct pe *pe, uint64_t address)
{
    if (!is_banked(address))
        return read_base(pe, address);
    return read_banked(pe, address >> RING_SHIFT & 0xf, address & LOW_MASK);
}

static void write_base(struct pe *pe, uint64_t address, uint64_t value)
{
    switch (address) {
    case SSR_THREAD_PTR:
        pe->thread_ptr = value;
        break;
    case SSR_GLOBAL_PTR:
        pe->global_ptr = value;
        break;
    case SSR_CORE_FEATURE_ENABLE:
        pe->core_feature_enable = value;
        break;
    case SSR_CORE_STATE:
        pe_set_ring(pe, value & 0xf);
        pe->core_state = value;
        break;
    default:
        break;
    }
}

static void write_banked(struct pe *pe, unsigned ring, unsigned low, uint64_t value)
{
    switch (low) {
    case EXT_TRAPNO:
        unpack_trap(&pe->rings[ring], value);
        break;
    case EXT_TRAPARG:
        pe->rings[ring].argument = value;
        break;
    case EXT_END_OF_INTERRUPT:
        end_of_interrupt(pe, ring, value);
        break;
    default:
        *ext_register(pe, ring, low) = value;
        if (low == EXT_TIMER_COMPARE)
            refresh_timer(pe, ring);
        break;
    }
}

void sysreg_write(struct pe *pe, uint64_t address, uint64_t value)
{
    if (!is_banked(address))
        write_base(pe, address, value);
    else
        write_banked(pe, address >> RING_SHIFT & 0xf, address & LOW_MASK, value);
}
