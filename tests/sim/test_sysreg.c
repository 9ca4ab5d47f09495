/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The 72 system registers, by behaviour class of the catalogue: what a read gives, what a write
 * leaves, and who may do either (asl/scalar/model/sys/registers.asl, arch/system-registers).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/sysreg.h"

enum { CAN_READ = 1, CAN_WRITE = 2, RING = 12, ECONFIG = 0xf07, ECONFIG_RESET = 3 };

enum rule {
    STORES,  /* keeps what is written, 0 at first */
    FIXED,   /* a constant of the profile */
    COUNTS,  /* instructions of the PE */
    SPECIAL, /* has a test of its own */
};

static const struct class_row {
    const char *behavior;
    enum rule rule;
    uint64_t value; /* FIXED */
} classes[] = {
    {"base-pointer-storage", STORES, 0},
    {"architectural-time", COUNTS, 0},
    {"core-state-control", SPECIAL, 0},
    {"zero-profile-identity", FIXED, 0},
    {"version-profile-identity", FIXED, 1},
    {"feature-enable-storage", STORES, 0},
    {"tile-capacity-profile-limit", FIXED, 0x40000},
    {"execution-context-state", STORES, 0},
    {"exception-vector-base", STORES, 0},
    {"trap-status", SPECIAL, 0},
    {"trap-argument", STORES, 0},
    {"exception-temporary-storage", STORES, 0},
    {"interrupt-configuration", SPECIAL, 0},
    {"interrupt-pending", SPECIAL, 0},
    {"top-pending-interrupt", SPECIAL, 0},
    {"end-of-interrupt", SPECIAL, 0},
    {"translation-configuration-storage", STORES, 0},
    {"timer-time", COUNTS, 0},
    {"timer-compare", STORES, 0},
    {"acr-parameter-storage", STORES, 0},
    {"saved-execution-context", STORES, 0},
    {"saved-loop-context-storage", STORES, 0},
    {"extended-context-storage", STORES, 0},
    {"debug-identity-storage", FIXED, 0},
    {"debug-control-storage", STORES, 0},
};

struct machine {
    struct mem mem;
    struct diag *diag;
    struct sim *sim;
    struct pe *pe;
};

static int create(void **state)
{
    static struct machine m;
    m.mem = mem_default();
    m.diag = diag_create(&m.mem, &(struct diag_options){0});
    m.sim = machine_create(&m.mem, m.diag, &(struct sim_options){.pes = 1});
    m.pe = m.sim->pes;
    *state = &m;
    return 0;
}

static int destroy(void **state)
{
    struct machine *m = *state;
    sim_destroy(m->sim);
    diag_destroy(m->diag);
    return 0;
}

static const struct class_row *class_of(const struct isa_sysreg *r)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (!strcmp(classes[i].behavior, r->behavior))
            return &classes[i];
    fail_msg("%s: class %s is not known here", r->name, r->behavior);
    return NULL;
}

static bool is_family(const struct isa_sysreg *r)
{
    return !strcmp(r->scope, "context-family");
}

static bool in_every_ring(const struct isa_sysreg *r)
{
    return r->name[strlen(r->name) - 1] == 'n';
}

static void check_value(struct machine *m, const struct isa_sysreg *r, uint64_t address,
                        uint64_t pattern)
{
    const struct class_row *c = class_of(r);
    m->pe->cycle = 0x1234;
    if (r->access & CAN_READ && c->rule == FIXED)
        assert_int_equal(sysreg_read(m->pe, address), c->value);
    if (r->access & CAN_READ && c->rule == COUNTS)
        assert_int_equal(sysreg_read(m->pe, address), 0x1234);
    if (c->rule != STORES)
        return;
    assert_int_equal(r->access, CAN_READ | CAN_WRITE);
    assert_int_equal(sysreg_read(m->pe, address), 0);
    sysreg_write(m->pe, address, pattern);
    assert_int_equal(sysreg_read(m->pe, address), pattern);
}

/* Each register, in each ring that has it; a value of its own shows that none shares its cell. */
static void test_values(void **state)
{
    struct machine *m = *state;
    assert_int_equal(ISA_SYSREG_COUNT, 72);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < ISA_SYSREG_COUNT; i++) {
            const struct isa_sysreg *r = &isa_sysregs[i];
            for (unsigned ring = 0; ring < (in_every_ring(r) ? SIM_RINGS : 1); ring++) {
                uint64_t address = r->address | (uint64_t)ring << RING;
                uint64_t pattern = UINT64_C(0x9000000000000001) + (i << 8) + (ring << 20);
                if (pass == 0)
                    check_value(m, r, address, pattern);
                else if (class_of(r)->rule == STORES)
                    assert_int_equal(sysreg_read(m->pe, address), pattern);
            }
        }
}

/* RO, WO and RW; registers of a ring belong to ring 0. */
static void test_access(void **state)
{
    struct machine *m = *state;
    for (size_t i = 0; i < ISA_SYSREG_COUNT; i++)
        for (unsigned ring = 0; ring < SIM_RINGS; ring++) {
            const struct isa_sysreg *r = &isa_sysregs[i];
            pe_set_ring(m->pe, ring);
            bool mine = ring == 0 || !is_family(r);
            assert_int_equal(sysreg_readable(m->pe, r->address), mine && r->access & CAN_READ);
            assert_int_equal(sysreg_writable(m->pe, r->address), mine && r->access & CAN_WRITE);
        }
    pe_set_ring(m->pe, 0);
}

static void test_addresses(void **state)
{
    (void)state;
    uint64_t address;
    unsigned known = 0;
    for (uint64_t a = 0; a < 0x11000; a++)
        known += sysreg_find(a) != NULL;
    unsigned base = 0, every = 0, one = 0;
    for (size_t i = 0; i < ISA_SYSREG_COUNT; i++) {
        base += !is_family(&isa_sysregs[i]);
        every += in_every_ring(&isa_sysregs[i]);
        one += is_family(&isa_sysregs[i]) && !in_every_ring(&isa_sysregs[i]);
    }
    assert_int_equal(base, 14);
    assert_int_equal(known, base + every * SIM_RINGS + one);
    assert_null(sysreg_find(0x2f10)); /* TTBR0 is ring 1's alone */
    assert_non_null(sysreg_find(0x1f10));
    assert_null(sysreg_find(0x10f01)); /* 24-bit addresses, of which 16 bits are used */
    assert_true(sysreg_address("evbase_acr15", &address));
    assert_int_equal(address, 0xff01);
    assert_false(sysreg_address("EVBASE_ACR16", &address));
    assert_false(sysreg_address("EVBASE_ACR", &address));
    assert_false(sysreg_address("TTBR0_ACR2", &address));
    assert_true(sysreg_address("TTBR0_ACR1", &address));
    assert_int_equal(address, 0x1f10);
}

/* A write selects the ring and keeps rounding mode and status flags. */
static void test_core_state(void **state)
{
    struct machine *m = *state;
    enum { CORE_STATE = 0x20 };
    sysreg_write(m->pe, CORE_STATE, UINT64_C(0x7f00000003));
    assert_int_equal(m->pe->acr, 3);
    assert_int_equal(sysreg_read(m->pe, CORE_STATE), UINT64_C(0x7f00000003));
    sysreg_write(m->pe, CORE_STATE, 0);
    assert_int_equal(m->pe->acr, 0);
}

/* TRAPNO: asynchronous 63, argument valid 62, cause 47..24, number 5..0; other bits do not stay. */
static void test_trap_status(void **state)
{
    struct machine *m = *state;
    enum { TRAPNO = 0x3f02 };
    sysreg_write(m->pe, TRAPNO, UINT64_MAX);
    assert_int_equal(sysreg_read(m->pe, TRAPNO), UINT64_C(0xc000ffffff00003f));
    sysreg_write(m->pe, TRAPNO, 0);
    assert_int_equal(sysreg_read(m->pe, TRAPNO), 0);
}

/* The timer's interrupt is 1 in ring 0 and 3 elsewhere; it is pending from the compared time on. */
static void test_interrupts(void **state)
{
    struct machine *m = *state;
    enum { PENDING = 0xf08, TOP = 0xf09, END = 0xf0a, COMPARE = 0xf21 };
    for (unsigned ring = 0; ring < SIM_RINGS; ring++) {
        uint64_t base = (uint64_t)ring << RING, bit = ring ? 8 : 2;
        assert_int_equal(sysreg_read(m->pe, base | ECONFIG), ECONFIG_RESET);
        sysreg_write(m->pe, base | COMPARE, 100);
        m->pe->cycle = 99;
        assert_int_equal(sysreg_read(m->pe, base | PENDING), 0);
        m->pe->cycle = 100;
        assert_int_equal(sysreg_read(m->pe, base | PENDING), bit);
        assert_true(sysreg_pend(m->pe, ring, 40));
        sysreg_write(m->pe, base | ECONFIG, 2);
        assert_false(sysreg_pend(m->pe, ring, 2));
        assert_true(sysreg_pend(m->pe, ring, ring ? 3 : 1));
        assert_int_equal(sysreg_read(m->pe, base | TOP), ring ? 2 : 1);
        sysreg_write(m->pe, base | COMPARE, 0);
        sysreg_write(m->pe, base | END, 2);
        assert_int_equal(sysreg_read(m->pe, base | PENDING), UINT64_C(1) << 40);
        assert_int_equal(sysreg_read(m->pe, base | TOP), 40);
        sysreg_write(m->pe, base | END, 64); /* no interrupt has this number */
        assert_int_equal(sysreg_read(m->pe, base | PENDING), UINT64_C(1) << 40);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_values, create, destroy),
        cmocka_unit_test_setup_teardown(test_access, create, destroy),
        cmocka_unit_test_setup_teardown(test_addresses, create, destroy),
        cmocka_unit_test_setup_teardown(test_core_state, create, destroy),
        cmocka_unit_test_setup_teardown(test_trap_status, create, destroy),
        cmocka_unit_test_setup_teardown(test_interrupts, create, destroy),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
