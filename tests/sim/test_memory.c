/* SPDX-License-Identifier: BSD-3-Clause */
/* The sparse memory: mapping, permission, page edges, the limit; exhaustion of the host's memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "sim/memory.h"
#include "tests/support/failing_mem.h"

struct fixture {
    struct mem mem;
    jmp_buf exhausted;
    struct sim *sim;
};

static void create(struct fixture *f, uint64_t limit)
{
    f->mem = mem_default();
    f->mem.on_exhausted = &f->exhausted;
    if (setjmp(f->exhausted))
        fail_msg("memory is exhausted");
    f->sim = machine_create(&f->mem, NULL, &(struct sim_options){.max_memory = limit});
}

static void destroy(struct fixture *f)
{
    sim_destroy(f->sim);
}

/* ---- probing ---- */

static const struct probe_row {
    uint64_t address, size;
    enum mem_access access;
    bool good;
    uint64_t bad; /* first byte that is not mapped for the access */
    const char *why;
} probes[] = {
    {0x1000, 1, MEM_READ, true, 0, "first byte"},
    {0x0fff, 1, MEM_READ, false, 0x0fff, "one below"},
    {0x0fff, 2, MEM_READ, false, 0x0fff, "begins one below"},
    {0x1fff, 1, MEM_READ, true, 0, "last byte before the next region"},
    {0x1ffe, 4, MEM_READ, true, 0, "over the seam of two regions"},
    {0x1ffe, 4, MEM_WRITE, false, 0x2000, "the second region is read-only"},
    {0x2fff, 1, MEM_READ, true, 0, "last byte"},
    {0x2fff, 2, MEM_READ, false, 0x3000, "one beyond"},
    {0x3000, 1, MEM_READ, false, 0x3000, "behind"},
    {0x2000, 1, MEM_WRITE, false, 0x2000, "read-only"},
    {0x1000, 0, MEM_READ, true, 0, "nothing is always there"},
    {0x9000, 0, MEM_WRITE, true, 0, "nothing, unmapped"},
    {0x1000, UINT64_MAX, MEM_READ, false, 0x3000, "far too much"},
    {0xffffffffffffffff, 1, MEM_READ, true, 0, "the last byte of all"},
    {0xffffffffffffffff, 2, MEM_READ, false, 0, "wraps to 0"},
};

static void test_probe(void **state)
{
    struct fixture f;
    (void)state;
    create(&f, 0);
    memory_add_region(f.sim->memory, 0x1000, 0x1000, NULL, 0, MEM_READ | MEM_WRITE);
    memory_add_region(f.sim->memory, 0x2000, 0x1000, NULL, 0, MEM_READ);
    memory_add_region(f.sim->memory, 0xfffffffffffff000, 0x1000, NULL, 0, MEM_READ);
    for (size_t i = 0; i < sizeof probes / sizeof *probes; i++) {
        const struct probe_row *r = &probes[i];
        uint64_t bad = 0;
        bool good = mem_probe(f.sim, r->address, r->size, r->access, &bad);
        if (good != r->good || (!good && bad != r->bad))
            fail_msg("%s: %d, bad 0x%llx", r->why, good, (unsigned long long)bad);
    }
    destroy(&f);
}

/* ---- contents ---- */

static void test_file_bytes(void **state)
{
    static const uint8_t file[] = {1, 2, 3};
    struct fixture f;
    uint8_t bytes[6];
    (void)state;
    create(&f, 0);
    memory_add_region(f.sim->memory, 0x1ffe, 0x10000000000, file, sizeof file,
                      MEM_READ | MEM_WRITE);
    mem_read(f.sim, 0x1ffe, bytes, sizeof bytes);
    assert_memory_equal(bytes, "\1\2\3\0\0\0", sizeof bytes);
    mem_read(f.sim, 0x1fff, bytes, 2);
    assert_memory_equal(bytes, "\2\3", 2);
    mem_read(f.sim, 0x2000, bytes, 2); /* the last byte of the file */
    assert_memory_equal(bytes, "\3\0", 2);
    mem_read(f.sim, 0x2001, bytes, 2);
    assert_memory_equal(bytes, "\0\0", 2);
    mem_write(f.sim, 0x1fff, "\7\7", 2); /* over a page edge */
    mem_read(f.sim, 0x1ffe, bytes, sizeof bytes);
    assert_memory_equal(bytes, "\1\7\7\0\0\0", sizeof bytes);
    mem_read(f.sim, 0x8000000000, bytes, sizeof bytes); /* untouched: no page is made */
    assert_memory_equal(bytes, "\0\0\0\0\0\0", sizeof bytes);
    assert_int_equal(f.sim->memory->count, 2);
    destroy(&f);
}

static void test_many_pages(void **state)
{
    enum { PAGES = 1000, STRIDE = 0x100000 };
    struct fixture f;
    (void)state;
    create(&f, 0);
    memory_add_region(f.sim->memory, 0, (uint64_t)PAGES * STRIDE, NULL, 0, MEM_READ | MEM_WRITE);
    for (uint32_t i = 0; i < PAGES; i++)
        mem_write(f.sim, (uint64_t)i * STRIDE, &i, sizeof i);
    for (uint32_t i = 0; i < PAGES; i++) {
        uint32_t found;
        mem_read(f.sim, (uint64_t)i * STRIDE, &found, sizeof found);
        assert_int_equal(found, i);
    }
    destroy(&f);
}

/* --max-mem counts touched pages, reserved by a write probe before any effect. */
static void test_limit(void **state)
{
    struct fixture f;
    uint64_t bad = 0;
    (void)state;
    create(&f, 2 * MEM_PAGE_SIZE);
    memory_add_region(f.sim->memory, 0, 0x100000, NULL, 0, MEM_READ | MEM_WRITE);
    assert_true(mem_probe(f.sim, 0x0ff8, 16, MEM_WRITE, &bad));
    assert_true(mem_probe(f.sim, 0x5000, 16, MEM_READ, &bad));
    assert_false(mem_probe(f.sim, 0x5000, 1, MEM_WRITE, &bad));
    assert_int_equal(bad, 0x5000);
    assert_false(mem_check(f.sim, 1, 0x10, 0x5000, 8, MEM_WRITE));
    assert_int_equal(f.sim->fault.kind, FAULT_PAGE);
    assert_int_equal(f.sim->fault.pe, 1);
    assert_string_equal(f.sim->fault.text,
                        "address 0x5000 exceeds --max-mem (access of 8 bytes at 0x5000)");
    destroy(&f);
}

/* ---- reservations ---- */

static const struct reservation_row {
    uint64_t address;
    unsigned size;
    bool kept;
    const char *why;
} reservations[] = {
    {0x1038, 8, true, "ends where the line begins"},
    {0x1039, 8, false, "its last byte is in the line"},
    {0x1040, 1, false, "first byte"},
    {0x107f, 1, false, "last byte"},
    {0x1080, 8, true, "behind"},
};

static void test_reservation(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof reservations / sizeof *reservations; i++) {
        const struct reservation_row *r = &reservations[i];
        struct fixture f;
        uint64_t zero = 0;
        create(&f, 0);
        memory_add_region(f.sim->memory, 0x1000, 0x1000, NULL, 0, MEM_READ | MEM_WRITE);
        f.sim->pes[2].reserved = true;
        f.sim->pes[2].reservation_address = 0x1048;
        f.sim->memory->reservations = true;
        mem_write(f.sim, r->address, &zero, r->size);
        if (f.sim->pes[2].reserved != r->kept)
            fail_msg("%s", r->why);
        destroy(&f);
    }
}

/* ---- exhaustion ---- */

static const char vector[] =
    "{\"id\":\"x\",\"input\":{\"program\":[[\"0x100115\",32],[\"0x0\",16]]},"
    "\"expect\":{\"end\":\"fault\",\"steps\":2,\"pc\":\"0x40000004\"}}\n";

static void run_vector(struct mem *mem, void *ctx)
{
    sim_conformance(mem, NULL, "vector", vector, sizeof vector - 1, ctx);
}

static void test_exhaustion(void **state)
{
    FILE *sink = fopen("/dev/null", "w");
    unsigned long n = 1;
    (void)state;
    while (failing_mem_run(n, run_vector, sink) != FAILING_MEM_DONE)
        n++;
    assert_true(n > 10);
    fclose(sink);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_probe),       cmocka_unit_test(test_file_bytes),
        cmocka_unit_test(test_many_pages),  cmocka_unit_test(test_limit),
        cmocka_unit_test(test_reservation), cmocka_unit_test(test_exhaustion),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
