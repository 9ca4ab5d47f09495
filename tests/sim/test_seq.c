/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * SEQ engines. Words are laid out by hand from the published record layouts;
 * expected values come from them, not from this simulator.
 */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
// clang-format on

#include <string.h>

#include "sim/memory.h"
#include "sim/seq.h"

enum {
    /* opcodes */
    EVENT_SEMAPHORE = 0xa0,
    HALT = 0xa1,
    DRAIN = 0xa2,
    FLUSH = 0xa3,
    NOP = 0xa4,
    WRITE = 0xa5,
    NOTIFY = 0xa6,
    MOVE = 0xa7,
    ALU_OP = 0xa8,
    BRANCH = 0xa9,
    RANGE_CLEAR = 0xb0,
    ORDERING = 0xb1,
    MOVE_SHAPE = 0xb2,
    POLL = 0xb3,
    /* dtypes */
    INT32 = 8,
    UINT32 = 9,
    FP32 = 10,
    WORDS = 16,
    CODE = 0x4000,
    DATA = 0x100,
};

struct word {
    uint8_t b[SEQ_RECORD];
};

struct bench {
    struct mem mem;
    jmp_buf exhausted;
    struct sim s;
    struct object program;
    struct obj_section sections[SIM_ENGINES];
    struct word code[SIM_ENGINES][WORDS];
    size_t count[SIM_ENGINES];
    char *debug;
    size_t debug_size;
};

static const char *const section_names[SIM_ENGINES] = {".seq.act", ".seq.dve", ".seq.pe", ".seq",
                                                       ".seq.sp"};
enum { ACT, DVE, PE, POOL, SP };

static void open_bench(struct bench *t, unsigned generation)
{
    memset(t, 0, sizeof *t);
    t->mem = mem_default();
    t->mem.on_exhausted = &t->exhausted;
    if (setjmp(t->exhausted))
        fail_msg("out of memory");
    t->s.mem = &t->mem;
    t->s.arena = arena_create(&t->mem);
    t->s.target.seq = (isa_revset)(1u << generation);
    t->s.memory = memory_create(&t->mem, 1 << 20);
    t->s.pes = arena_array(t->s.arena, SIM_PES, sizeof *t->s.pes);
    t->s.program = &t->program;
    t->s.options.debug = open_memstream(&t->debug, &t->debug_size);
    memory_add_region(t->s.memory, DATA, 0x100, NULL, 0, MEM_READ | MEM_WRITE);
}

static void close_bench(struct bench *t)
{
    seq_destroy(&t->s);
    fclose(t->s.options.debug);
    free(t->debug);
    memory_destroy(t->s.memory);
    arena_destroy(t->s.arena);
}

static struct word *add(struct bench *t, unsigned engine, unsigned opcode)
{
    struct word *w = &t->code[engine][t->count[engine]++];
    w->b[0] = (uint8_t)opcode;
    w->b[1] = 0x10;
    return w;
}

static void put32(struct word *w, unsigned at, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        w->b[at + i] = (uint8_t)(value >> (8 * i));
}

static void start(struct bench *t)
{
    size_t n = 0;
    for (unsigned e = 0; e < SIM_ENGINES; e++) {
        if (!t->count[e])
            continue;
        uint64_t address = CODE + 0x1000 * e, size = t->count[e] * SEQ_RECORD;
        memory_add_region(t->s.memory, address, size, t->code[e][0].b, size, MEM_READ | MEM_EXEC);
        t->sections[n++] =
            (struct obj_section){.name = section_names[e], .address = address, .size = size};
    }
    t->program.sections.item = t->sections;
    t->program.sections.count = n;
    seq_create(&t->s);
}

static enum sim_end run(struct bench *t)
{
    start(t);
    return seq_run(&t->s);
}

static uint32_t reg(const struct bench *t, const char *name)
{
    uint64_t value = 0;
    assert_true(seq_get_register(&t->s, name, &value));
    return (uint32_t)value;
}

static struct word *add_move(struct bench *t, unsigned engine, unsigned dst, uint32_t value)
{
    struct word *w = add(t, engine, MOVE);
    w->b[12] = 1, w->b[13] = UINT32, w->b[14] = 1;
    w->b[24] = (uint8_t)dst;
    put32(w, 32, value);
    return w;
}

static void check_fault(struct bench *t, const char *text)
{
    enum sim_end end = run(t);
    if (end != SIM_FAULT || !strstr(t->s.fault.text, text))
        fail_msg("end %d, fault \"%s\", expected \"%s\"", end, t->s.fault.text, text);
    assert_int_equal(t->s.fault.kind, FAULT_SEQ);
    assert_string_equal(t->s.fault.engine, "pool");
}

/* ---- MOVE ---- */

static void test_move_immediate(void **state)
{
    struct bench t;
    (void)state;
    open_bench(&t, ISA_GEN_CAYMAN);
    struct word *w = add(&t, POOL, MOVE);
    w->b[12] = 8, w->b[13] = FP32, w->b[14] = 1;
    for (unsigned k = 0; k < 8; k++) {
        w->b[24 + k] = (uint8_t)(63 - k);
        put32(w, 32 + 4 * k, 0x7fa00000 + k); /* signalling NaNs stay what they are */
    }
    assert_int_equal(run(&t), SIM_ENDED);
    assert_int_equal(reg(&t, "pool.R63"), 0x7fa00000);
    assert_int_equal(reg(&t, "pool.R56"), 0x7fa00007);
    assert_int_equal(reg(&t, "POOL.r57"), 0x7fa00006);
    fflush(t.s.options.debug);
    static const char first[] = "S: MOVE\nS: R[63] = imm = 0x7fa00000\nS: R[62] = imm = ";
    assert_memory_equal(t.debug, first, sizeof first - 1);
    close_bench(&t);
}

static void test_move_registers_and_pc(void **state)
{
    struct bench t;
    (void)state;
    open_bench(&t, ISA_GEN_CAYMAN);
    add_move(&t, POOL, 1, 0xdeadbeef);
    struct word *w = add(&t, POOL, MOVE);
    w->b[12] = 4, w->b[13] = INT32, w->b[14] = 0;
    w->b[16] = 1, w->b[17] = 128, w->b[18] = 129, w->b[19] = 1;
    w->b[24] = 2, w->b[25] = 3, w->b[26] = 4, w->b[27] = 128; /* a write to the PC is ignored */
    start(&t);
    seq_set_register(&t.s, "pool.R4", 99);
    assert_int_equal(seq_run(&t.s), SIM_ENDED);
    assert_int_equal(reg(&t, "pool.R2"), 0xdeadbeef);
    assert_int_equal(reg(&t, "pool.R3"), CODE + 0x3000 + 64); /* of the MOVE itself */
    assert_int_equal(reg(&t, "pool.R4"), 0);
    fflush(t.s.options.debug);
    assert_string_equal(t.debug, "S: MOVE\nS: R[1] = imm = 0xdeadbeef\n"
                                 "S: MOVE\nS: R[2] = R[1] = 0xdeadbeef\nS: R[3] = R[128] = 0x7040\n"
                                 "S: R[4] = R[129] = 0x0\nS: R[128] = R[1] = 0xdeadbeef\n");
    close_bench(&t);
}

/* A legal MOVE of R1, R2 to R3, R4 with one byte changed. */
static void test_move_clauses(void **state)
{
    static const struct {
        uint8_t at, value;
        uint8_t generation;
        const char *text; /* NULL: legal */
    } rows[] = {
        {1, 0x10, ISA_GEN_SUNDA, NULL},
        {1, 0x11, ISA_GEN_CAYMAN, "inst_word_len is 17"},
        {1, 0x40, ISA_GEN_CAYMAN, "inst_word_len is 64, it must be 16"},
        {4, 0x05, ISA_GEN_CAYMAN, NULL}, /* wait modes: the semaphore is 0, so >= 0 holds */
        {4, 0x08, ISA_GEN_CAYMAN, "wait_mode 0x08 is no wait mode of "},
        {4, 0xff, ISA_GEN_CAYMAN, "wait_mode 0xff is no wait mode of "},
        {4, 0x0e, ISA_GEN_MARIANA, NULL},
        {4, 0x0e, ISA_GEN_MAVERICK, "wait_mode 0x0e is no wait mode of "},
        {4, 0xfe, ISA_GEN_MAVERICK, NULL},
        {4, 0xfe, ISA_GEN_MARIANA, "wait_mode 0xfe is no wait mode of "},
        {6, 0x13, ISA_GEN_CAYMAN, NULL},
        {6, 0x06, ISA_GEN_CAYMAN, "update_mode 0x06 is no update mode of "},
        {6, 0x11, ISA_GEN_CAYMAN, NULL},
        {6, 0x11, ISA_GEN_MAVERICK, "update_mode 0x11 is no update mode of "},
        {12, 0, ISA_GEN_CAYMAN, "num_mov is 0, it must be 1..8"},
        {12, 1, ISA_GEN_CAYMAN, NULL}, /* slot 1: unused, source readable, destination writable */
        {12, 8, ISA_GEN_CAYMAN, "destination R[0] appears twice (slots 2 and 3)"},
        {12, 9, ISA_GEN_CAYMAN, "num_mov is 9"},
        {13, INT32, ISA_GEN_CAYMAN, NULL},
        {13, UINT32, ISA_GEN_CAYMAN, NULL},
        {13, FP32, ISA_GEN_CAYMAN, NULL},
        {13, 7, ISA_GEN_CAYMAN, "dtype is 7, it must be INT32, UINT32, FP32"},
        {13, 0x0b, ISA_GEN_CAYMAN, "dtype is 11"},
        {13, 0, ISA_GEN_MAVERICK, "dtype is 0"},
        {14, 1, ISA_GEN_CAYMAN, NULL},
        {14, 2, ISA_GEN_CAYMAN, "move_source is 2"},
        {15, 1, ISA_GEN_CAYMAN, "reserved0 is 1"},
        {16, 63, ISA_GEN_CAYMAN, NULL},
        {16, 64, ISA_GEN_CAYMAN, "src_registers[0] is 64"},
        {16, 127, ISA_GEN_CAYMAN, "src_registers[0] is 127"},
        {16, 128, ISA_GEN_CAYMAN, NULL},
        {16, 129, ISA_GEN_CAYMAN, NULL},
        {16, 130, ISA_GEN_CAYMAN, "src_registers[0] is 130"},
        {16, 255, ISA_GEN_CAYMAN, "src_registers[0] is 255"},
        {24, 63, ISA_GEN_CAYMAN, NULL},
        {24, 64, ISA_GEN_CAYMAN, "dst_registers[0] is 64"},
        {24, 128, ISA_GEN_CAYMAN, NULL},
        {24, 130, ISA_GEN_CAYMAN, "dst_registers[0] is 130"},
        {23, 5, ISA_GEN_CAYMAN, NULL}, /* unused slot 7: a readable source, destination R0 */
        {23, 70, ISA_GEN_CAYMAN,
         "src_registers[7] is 70, readable are 0..63, 128 and 129; an "
         "unused slot must be 0"},
        {31, 255, ISA_GEN_CAYMAN, NULL}, /* unused slot 7: not looked at when its source is 0 */
        {25, 3, ISA_GEN_CAYMAN, "destination R[3] appears twice (slots 0 and 1)"},
        {25, 1, ISA_GEN_CAYMAN, "R[1] is destination of slot 1 and source of slot 0"},
        {24, 1, ISA_GEN_CAYMAN, "R[1] is destination of slot 0 and source of slot 0"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench t;
        open_bench(&t, rows[i].generation);
        struct word *w = add(&t, POOL, MOVE);
        w->b[12] = 2, w->b[13] = UINT32, w->b[16] = 1, w->b[17] = 2, w->b[24] = 3, w->b[25] = 4;
        w->b[rows[i].at] = rows[i].value;
        if (rows[i].at == 4 && rows[i].value == 0x0e)
            w->b[5] = 9; /* event 9 is clear: no wait */
        if (rows[i].text) {
            check_fault(&t, rows[i].text);
            for (unsigned r = 0; r < SEQ_REGISTERS; r++)
                assert_int_equal(t.s.seqs->engine[POOL].r[r], 0);
            assert_int_equal(t.s.seqs->semaphore[0], 0);
        } else {
            enum sim_end end = run(&t);
            if (end != SIM_ENDED)
                fail_msg("row %zu: end %d, %s", i, end, t.s.fault.text);
        }
        close_bench(&t);
    }
}

static void test_immediate_move_may_write_r0(void **state)
{
    struct bench t;
    (void)state;
    open_bench(&t, ISA_GEN_CAYMAN);
    add_move(&t, POOL, 0, 7); /* its source bytes are 0 too; that note is about registers */
    assert_int_equal(run(&t), SIM_ENDED);
    assert_int_equal(reg(&t, "pool.R0"), 7);
    close_bench(&t);
}

/* ---- ends and unknown records ---- */

static void test_ends(void **state)
{
    struct bench t;
    (void)state;
    open_bench(&t, ISA_GEN_CAYMAN);
    add_move(&t, POOL, 1, 1);
    add(&t, POOL, HALT);
    add_move(&t, POOL, 1, 2);
    add(&t, SP, NOP);
    add(&t, SP, FLUSH);
    add(&t, SP, DRAIN);
    add(&t, SP, NOTIFY);
    assert_int_equal(run(&t), SIM_ENDED);
    assert_int_equal(reg(&t, "pool.R1"), 1);
    assert_int_equal(t.s.retired, 6);
    close_bench(&t);
}

static void test_limit(void **state)
{
    struct bench t;
    (void)state;
    open_bench(&t, ISA_GEN_CAYMAN);
    add_move(&t, POOL, 1, 1);
    add_move(&t, POOL, 2, 1);
    t.s.options.max_insns = 1;
    assert_int_equal(run(&t), SIM_LIMIT);
    close_bench(&t);
}

static void test_unknown_records(void **state)
{
    static const struct {
        uint8_t opcode, generation;
        const char *text;
    } rows[] = {
        {0xac, ISA_GEN_CAYMAN, "Bad Opcode(0xac)"},
        {0xff, ISA_GEN_CAYMAN, "Bad Opcode(0xff)"},
        {0xb4, ISA_GEN_CAYMAN, "Bad Opcode(0xb4)"},
        {MOVE_SHAPE, ISA_GEN_CAYMAN, "MOVE_SHAPE: its execution is not publicly specified"},
        {WRITE, ISA_GEN_CAYMAN, "WRITE: its execution is not publicly specified"},
        {0xc8, ISA_GEN_CAYMAN, "PSEUDO_TRIGGER_COLLECTIVE: a pseudo record"},
        {0xb6, ISA_GEN_MAVERICK, "not publicly specified"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench t;
        open_bench(&t, rows[i].generation);
        add(&t, POOL, rows[i].opcode);
        check_fault(&t, rows[i].text);
        close_bench(&t);
    }
}

static void test_two_sections_for_pool(void **state)
{
    struct bench t;
    (void)state;
    open_bench(&t, ISA_GEN_CAYMAN);
    add(&t, POOL, NOP);
    add(&t, SP, NOP);
    start(&t);
    t.sections[1].name = ".seq.pool";
    seq_create(&t.s);
    assert_int_equal(seq_run(&t.s), SIM_FAULT);
    assert_non_null(strstr(t.s.fault.text, "both .seq and .seq.pool"));
    close_bench(&t);
}

/* ---- semaphores ---- */

/* A NOP on POOL that waits; semaphore 5 has `value`, event 5 is set when value is 1. */
static void test_wait_modes(void **state)
{
    static const struct {
        uint8_t mode;
        uint32_t value, threshold;
        bool over;
    } rows[] = {
        {0x01, 5, 5, true},           {0x01, 4, 5, false}, {0x01, 6, 5, false},
        {0x02, 4, 5, true},           {0x02, 5, 5, false}, {0x03, 5, 5, true},
        {0x03, 6, 5, false},          {0x04, 6, 5, true},  {0x04, 5, 5, false},
        {0x05, 5, 5, true},           {0x05, 4, 5, false}, {0x02, UINT32_MAX, 0, true},
        {0x04, UINT32_MAX, 0, false}, {0x06, 1, 0, true},  {0x06, 0, 0, false},
        {0x07, 1, 0, true},           {0x0e, 0, 0, true},  {0x0e, 1, 0, false},
        {0x0f, 0, 0, true},           {0x81, 77, 3, true}, {0x84, 77, 3, false},
        {0x85, 77, 3, true},          {0x82, 76, 3, true}, {0x83, 78, 3, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench t;
        open_bench(&t, ISA_GEN_CAYMAN);
        struct word *w = add(&t, POOL, NOP);
        w->b[4] = rows[i].mode, w->b[5] = 5;
        put32(w, 8, rows[i].threshold);
        start(&t);
        t.s.seqs->semaphore[5] = rows[i].value;
        t.s.seqs->event[5] = rows[i].value == 1;
        seq_set_register(&t.s, "pool.R3", 77); /* of the *_REG modes */
        if (seq_run(&t.s) != (rows[i].over ? SIM_ENDED : SIM_DEADLOCK))
            fail_msg("row %zu: mode 0x%02x, value %u", i, rows[i].mode, rows[i].value);
        if (rows[i].mode == 0x07)
            assert_false(t.s.seqs->event[5]);
        if (rows[i].mode == 0x0f)
            assert_true(t.s.seqs->event[5]);
        assert_int_equal(t.s.seqs->semaphore[5], rows[i].value);
        close_bench(&t);
    }
}

static void test_update_modes(void **state)
{
    static const struct {
        uint8_t mode;
        uint32_t before, operand, after;
    } rows[] = {
        {0x03, 5, 0, 6},  {0x13, UINT32_MAX, 0, 0}, {0x04, 5, 0, 4},  {0x14, 0, 0, UINT32_MAX},
        {0x05, 5, 3, 8},  {0x15, 5, UINT32_MAX, 4}, {0x07, 5, 3, 2},  {0x17, 5, 6, UINT32_MAX},
        {0x09, 5, 3, 3},  {0x19, 5, 9, 9},          {0x85, 5, 3, 82}, {0x95, 5, 3, 82},
        {0x87, 80, 3, 3}, {0x97, 80, 3, 3},         {0x89, 5, 3, 77}, {0x99, 5, 3, 77},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench t;
        open_bench(&t, ISA_GEN_CAYMAN);
        struct word *w = add(&t, POOL, NOP);
        w->b[6] = rows[i].mode, w->b[7] = 200;
        put32(w, 8, rows[i].operand);
        start(&t);
        t.s.seqs->semaphore[200] = rows[i].before;
        seq_set_register(&t.s, "pool.R3", 77);
        assert_int_equal(seq_run(&t.s), SIM_ENDED);
        if (t.s.seqs->semaphore[200] != rows[i].after)
            fail_msg("mode 0x%02x gives %u, expected %u", rows[i].mode, t.s.seqs->semaphore[200],
                     rows[i].after);
        close_bench(&t);
    }
}

static void test_register_operand_must_be_readable(void **state)
{
    struct bench t;
    (void)state;
    open_bench(&t, ISA_GEN_CAYMAN);
    struct word *w = add(&t, POOL, NOP);
    w->b[4] = 0x81;
    put32(w, 8, 64);
    check_fault(&t, "names register 64");
    close_bench(&t);
}

/* D7 of the published words: wait S[9] == 5, then S[9]++; and an inline pair on the same word. */
static void test_extended_block(void **state)
{
    struct bench t;
    (void)state;
    open_bench(&t, ISA_GEN_CAYMAN);
    struct word *w = add(&t, POOL, EVENT_SEMAPHORE);
    w->b[32] = 1, w->b[33] = 9, w->b[34] = 0x13, w->b[35] = 9, w->b[36] = 5, w->b[40] = 1;
    w->b[4] = 4, w->b[5] = 11, w->b[6] = 0x15, w->b[7] = 12; /* $S[11] > 0, S[12] += 0 */
    start(&t);
    t.s.seqs->semaphore[9] = 5;
    assert_int_equal(seq_run(&t.s), SIM_DEADLOCK);
    assert_int_equal(t.s.seqs->semaphore[9], 5);
    t.s.seqs->semaphore[11] = 1;
    assert_int_equal(seq_run(&t.s), SIM_ENDED);
    assert_int_equal(t.s.seqs->semaphore[9], 6);
    assert_int_equal(t.s.seqs->semaphore[12], 0);
    close_bench(&t);
}

static void test_range_clear(void **state)
{
    static const struct {
        uint8_t mode, first, last;
        const char *text;
    } rows[] = {
        {1, 8, 15, NULL},
        {1, 8, 8, NULL},
        {1, 9, 8, "range_first 9 lies behind range_last 8"},
        {2, 0, 0, NULL},
        {0, 8, 15, "mode is 0"},
        {3, 8, 15, "mode is 3"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench t;
        open_bench(&t, ISA_GEN_CAYMAN);
        struct word *w = add(&t, POOL, RANGE_CLEAR);
        w->b[12] = rows[i].mode, w->b[13] = rows[i].first, w->b[14] = rows[i].last;
        put32(w, 32 + 4, 1u << 3); /* id 35 */
        start(&t);
        for (unsigned id = 0; id < SEQ_SEMAPHORES; id++)
            t.s.seqs->semaphore[id] = 1, t.s.seqs->event[id] = true;
        enum sim_end end = seq_run(&t.s);
        if (rows[i].text) {
            assert_int_equal(end, SIM_FAULT);
            assert_non_null(strstr(t.s.fault.text, rows[i].text));
        }
        for (unsigned id = 0; id < SEQ_SEMAPHORES; id++) {
            bool cleared =
                !rows[i].text &&
                (rows[i].mode == 1 ? id >= rows[i].first && id <= rows[i].last : id == 35);
            assert_int_equal(t.s.seqs->semaphore[id], !cleared);
            assert_int_equal(t.s.seqs->event[id], !cleared);
        }
        close_bench(&t);
    }
}

/* ACT raises S[1] three times; SP takes it three times. The order of turns must not matter. */
static void test_producer_and_consumer(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct bench t;
        open_bench(&t, ISA_GEN_CAYMAN);
        t.s.options.schedule_seed = seed;
        for (unsigned i = 0; i < 3; i++) {
            struct word *w = add_move(&t, ACT, 1 + i, 10 + i);
            w->b[6] = 0x13, w->b[7] = 1;
            w = add(&t, SP, NOP);
            w->b[4] = 4, w->b[5] = 1; /* $S[1] > 0 */
            w->b[6] = 0x14, w->b[7] = 1;
        }
        assert_int_equal(run(&t), SIM_ENDED);
        assert_int_equal(t.s.seqs->semaphore[1], 0);
        assert_int_equal(reg(&t, "act.R3"), 12);
        close_bench(&t);
    }
}

static void test_deadlock_report(void **state)
{
    struct bench t;
    struct buffer out;
    (void)state;
    open_bench(&t, ISA_GEN_CAYMAN);
    add(&t, ACT, NOP);
    struct word *w = add(&t, ACT, NOP);
    w->b[4] = 4, w->b[5] = 7;
    put32(w, 8, 2);
    w = add(&t, PE, NOP);
    w->b[4] = 6, w->b[5] = 8;
    add(&t, POOL, HALT);
    assert_int_equal(run(&t), SIM_DEADLOCK);
    buffer_init(&out, &t.mem);
    seq_report_waits(&t.s, &out);
    buffer_append(&out, "", 1);
    assert_string_equal((char *)out.data,
                        "  act at 0x4040: waits for $S[7] SEM_GT_IMM 2, its value is 0\n"
                        "  pe at 0x6000: waits for event [8] EVT_SET, which is clear\n");
    buffer_free(&out);
    close_bench(&t);
}

/* ---- ALU_OP ---- */

static struct word *add_alu(struct bench *t, unsigned op, unsigned dtype, uint32_t immediate)
{
    struct word *w = add(t, POOL, ALU_OP);
    w->b[12] = (uint8_t)op, w->b[13] = (uint8_t)dtype, w->b[14] = 1;
    w->b[16] = 4, w->b[20] = 5;
    put32(w, 24, immediate);
    return w;
}

static void test_alu(void **state)
{
    static const struct {
        uint8_t op, dtype;
        uint32_t a, b, result;
    } rows[] = {
        {0x00, INT32, 7, 9, 7},
        {0x01, INT32, 5, 0, 0xfffffffa},
        {0x02, INT32, 3, 33, 6},
        {0x03, UINT32, 0x80000000, 4, 0xf8000000},
        {0x03, INT32, 0x80000000, 31, 0xffffffff},
        {0x04, INT32, 0xffffffff, 2, 1},
        {0x05, INT32, 1, 3, 0xfffffffe},
        {0x06, UINT32, 0x10001, 0x10001, 0x20001},
        {0x07, INT32, 0xfffffff9, 2, 0xfffffffd},
        {0x07, UINT32, 0xfffffff9, 2, 0x7ffffffc},
        {0x07, INT32, 0x80000000, 0xffffffff, 0x80000000},
        {0x08, INT32, 0xffffffff, 1, 1},
        {0x08, UINT32, 0xffffffff, 1, 0xffffffff},
        {0x09, INT32, 0xffffffff, 1, 0xffffffff},
        {0x0a, INT32, 0xff0, 0x0ff, 0x0f0},
        {0x0b, INT32, 0xff0, 0x00f, 0xfff},
        {0x0c, INT32, 0xff0, 0x0ff, 0xf0f},
        {0x0d, INT32, 4, 8, 1},
        {0x0e, INT32, 0, 0, 0},
        {0x0f, INT32, 4, 8, 0},
        {0x10, INT32, 1, 31, 0x80000000},
        {0x11, INT32, 0x80000000, 31, 1},
        {0x12, INT32, 4, 4, 1},
        {0x13, INT32, 0xffffffff, 0, 0},
        {0x13, UINT32, 0xffffffff, 0, 1},
        {0x14, INT32, 0, 0, 1},
        {0x15, INT32, 1, 0, 0},
        {0x16, INT32, 0xffffffff, 0, 1},
        {0x17, INT32, 0xfffffffe, 3, 5},
        {0x18, INT32, 1, 1, 0},
        {0x19, INT32, 0x80000000, 0, 0x80000000},
        {0x19, INT32, 0xfffffffe, 0, 2},
        {0x1b, INT32, 0xfffffff9, 4, 0xfffffffd},
        {0xc7, UINT32, 9, 2, 4},
        {0xcf, UINT32, 0xffffffff, 1, 1}, /* MAX_INT: signed whatever the type */
        {0xd5, INT32, 0xffffffff, 1, 0xffffffff},
        {0x04, FP32, 0x3f800000, 0x40000000, 0x40400000},
        {0x06, FP32, 0x00800000, 0x3f000000, 0x00400000}, /* a subnormal stays */
        {0x07, FP32, 0x3f800000, 0x00000000, 0x7f800000},
        {0x12, FP32, 0x7fc00000, 0x7fc00000, 0},
        {0x16, FP32, 0xbf800000, 0x00000000, 0x3f800000},
        {0x19, FP32, 0xbf800000, 0, 0x3f800000},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench t;
        open_bench(&t, ISA_GEN_CAYMAN);
        add_alu(&t, rows[i].op, rows[i].dtype, rows[i].b);
        start(&t);
        seq_set_register(&t.s, "pool.R4", rows[i].a);
        if (seq_run(&t.s) != SIM_ENDED)
            fail_msg("row %zu: %s", i, t.s.fault.text);
        if (reg(&t, "pool.R5") != rows[i].result)
            fail_msg("op 0x%02x of 0x%x, 0x%x is 0x%x, expected 0x%x", rows[i].op, rows[i].a,
                     rows[i].b, reg(&t, "pool.R5"), rows[i].result);
        close_bench(&t);
    }
}

static void test_alu_pairs_and_conversions(void **state)
{
    struct bench t;
    (void)state;
    open_bench(&t, ISA_GEN_CAYMAN);
    struct word *w = add(&t, POOL, ALU_OP); /* R9:R8 = R5:R4 + R7:R6, UINT64 */
    w->b[12] = 4, w->b[13] = 1;
    w->b[16] = 4, w->b[17] = 5, w->b[18] = 6, w->b[19] = 7, w->b[20] = 8, w->b[21] = 9;
    w = add_alu(&t, 0x00, FP32, 0); /* R10 = trunc(R11) */
    w->b[15] = INT32, w->b[16] = 11, w->b[20] = 10;
    w = add_alu(&t, 0x04, INT32, 1); /* R13 = float(R12 + 1) */
    w->b[15] = FP32, w->b[16] = 12, w->b[20] = 13;
    start(&t);
    seq_set_register(&t.s, "pool.R4", 0xffffffff);
    seq_set_register(&t.s, "pool.R5", 1);
    seq_set_register(&t.s, "pool.R6", 1);
    seq_set_register(&t.s, "pool.R7", 2);
    seq_set_register(&t.s, "pool.R11", 0xc0600000); /* -3.5 */
    seq_set_register(&t.s, "pool.R12", 0xfffffffc);
    assert_int_equal(seq_run(&t.s), SIM_ENDED);
    assert_int_equal(reg(&t, "pool.R8"), 0);
    assert_int_equal(reg(&t, "pool.R9"), 4);
    assert_int_equal(reg(&t, "pool.R10"), 0xfffffffd);
    assert_int_equal(reg(&t, "pool.R13"), 0xc0400000);
    close_bench(&t);
}

static void test_alu_errors(void **state)
{
    static const struct {
        uint8_t op, dtype, generation;
        uint8_t at, value;
        const char *text;
    } rows[] = {
        {0x07, INT32, ISA_GEN_CAYMAN, 12, 0x07, "Int Div Zero Error"},
        {0x1b, UINT32, ISA_GEN_CAYMAN, 12, 0x1b, "Int Div Zero Error"},
        {0x04, 6, ISA_GEN_CAYMAN, 13, 6, "not supported dtype"},
        {0x04, INT32, ISA_GEN_CAYMAN, 15, 1, "not supported dtype"},
        {0x0a, FP32, ISA_GEN_CAYMAN, 12, 0x0a, "not supported op (0xa)"},
        {0x1a, FP32, ISA_GEN_CAYMAN, 12, 0x1a, "not supported op (0x1a)"},
        {0x1e, INT32, ISA_GEN_CAYMAN, 12, 0x1e, "not supported op (0x1e)"},
        {0x20, INT32, ISA_GEN_CAYMAN, 12, 0x20, "not supported op (0x20)"},
        {0xc7, INT32, ISA_GEN_SUNDA, 12, 0xc7, "not supported op (0xc7)"},
        {0x04, INT32, ISA_GEN_CAYMAN, 14, 2, "src1_datasrc is 2"},
        {0x04, INT32, ISA_GEN_CAYMAN, 16, 64, "src0_lo is 64"},
        {0x04, INT32, ISA_GEN_CAYMAN, 20, 64, "dst_lo is 64"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench t;
        open_bench(&t, rows[i].generation);
        struct word *w = add_alu(&t, rows[i].op, rows[i].dtype, 0);
        w->b[rows[i].at] = rows[i].value;
        check_fault(&t, rows[i].text);
        assert_int_equal(reg(&t, "pool.R5"), 0);
        close_bench(&t);
    }
}

/* ---- TENSOR_LOAD, TENSOR_STORE ---- */

enum { LOAD = 0xaa, STORE = 0xab, UINT64 = 1, INT8 = 2, UINT8 = 3, INT16 = 4, UINT16 = 5 };

static struct word *add_tensor(struct bench *t, unsigned opcode, unsigned dtype, unsigned n0,
                               unsigned n1)
{
    struct word *w = add(t, POOL, opcode);
    w->b[12] = (uint8_t)dtype, w->b[14] = (uint8_t)n0, w->b[15] = (uint8_t)n1;
    put32(w, 16, DATA);
    put32(w, 24, 1);
    return w;
}

/* Bytes f0 f1 .. ff at DATA; 2 by 2 elements, steps 2 and -1, so at 2, 4, 1, 3 from element 2. */
static void test_tensor_load(void **state)
{
    static const struct {
        uint8_t dtype;
        uint32_t expected[4];
    } rows[] = {
        {INT8, {0xfffffff2, 0xfffffff4, 0xfffffff1, 0xfffffff3}},
        {UINT8, {0xf2, 0xf4, 0xf1, 0xf3}},
        {INT16, {0xfffff3f2, 0xfffff7f6, 0xfffff1f0, 0xfffff5f4}},
        {UINT16, {0xf3f2, 0xf7f6, 0xf1f0, 0xf5f4}},
        {UINT32, {0xf7f6f5f4, 0xfffefdfc, 0xf3f2f1f0, 0xfbfaf9f8}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench t;
        uint8_t bytes[16];
        unsigned size = rows[i].dtype < INT16 ? 1 : rows[i].dtype < INT32 ? 2 : 4;
        open_bench(&t, ISA_GEN_CAYMAN);
        struct word *w = add_tensor(&t, LOAD, rows[i].dtype, 2, 2);
        put32(w, 16, DATA + (size == 1 ? 2 : size));
        put32(w, 24, 2);
        put32(w, 28, (uint32_t)-1);
        w->b[32] = 9, w->b[33] = 8, w->b[34] = 7, w->b[35] = 63;
        start(&t);
        for (unsigned k = 0; k < sizeof bytes; k++)
            bytes[k] = (uint8_t)(0xf0 + k);
        mem_write(&t.s, DATA, bytes, sizeof bytes);
        assert_int_equal(seq_run(&t.s), SIM_ENDED);
        assert_int_equal(reg(&t, "pool.R9"), rows[i].expected[0]);
        assert_int_equal(reg(&t, "pool.R8"), rows[i].expected[1]);
        assert_int_equal(reg(&t, "pool.R7"), rows[i].expected[2]);
        assert_int_equal(reg(&t, "pool.R63"), rows[i].expected[3]);
        close_bench(&t);
    }
}

static void test_tensor_store(void **state)
{
    struct bench t;
    uint8_t bytes[24];
    static const uint8_t expected[24] = {0x44, 0x33, 0x22, 0x11, 0x88, 0x77, 0x66, 0x55,
                                         0x44, 0x88, 0,    0,    0x0a, 0x0b, 0x0c, 0x0d};
    (void)state;
    open_bench(&t, ISA_GEN_CAYMAN);
    struct word *w = add_tensor(&t, STORE, UINT64, 1, 1);
    w->b[32] = 4;
    w = add_tensor(&t, STORE, UINT8, 2, 1); /* truncates; the address is R11:R10 */
    put32(w, 16, 10 | 11 << 8);
    w->b[23] = 0x80;
    w->b[32] = 4, w->b[33] = 5;
    w = add_tensor(&t, STORE, UINT16, 2, 1);
    put32(w, 16, DATA + 12);
    w->b[13] = 1; /* immediates */
    w->b[32] = 0x0a, w->b[33] = 0x0b, w->b[34] = 0x0c, w->b[35] = 0x0d;
    start(&t);
    seq_set_register(&t.s, "pool.R4", 0x11223344);
    seq_set_register(&t.s, "pool.R5", 0x55667788);
    seq_set_register(&t.s, "pool.R10", DATA + 8);
    assert_int_equal(seq_run(&t.s), SIM_ENDED);
    mem_read(&t.s, DATA, bytes, sizeof bytes);
    assert_memory_equal(bytes, expected, sizeof bytes);
    fflush(t.s.options.debug);
    assert_string_equal(t.debug, "S: TensorStore\nS: TensorStore\nS: TensorStore\n");
    close_bench(&t);
}

/* Byte `at` of a legal load or store of two elements becomes `value`. */
static void test_tensor_errors(void **state)
{
    static const struct {
        uint8_t opcode, dtype, at, value;
        const char *text; /* NULL: legal */
    } rows[] = {
        {LOAD, INT32, 14, 32, NULL},
        {LOAD, INT32, 14, 33, "num_elem0 is 33, it must be 1..32"},
        {LOAD, INT32, 15, 16, NULL},
        {LOAD, INT32, 15, 17, "num_elem0 times num_elem1 is 34, at most 32 fit"},
        {LOAD, INT32, 15, 0, "num_elem1 is 0"},
        {LOAD, INT32, 12, 6, "dtype is 6, it must be "},
        {LOAD, INT32, 13, 1, "src_datasrc is 1, it must be REGISTER"},
        {STORE, INT32, 13, 1, NULL},
        {LOAD, INT32, 16, 4, NULL},
        {LOAD, INT32, 16, 2, "start_addr 0x102 is not aligned to 4 bytes"},
        {LOAD, INT32, 32, 63, NULL},
        {LOAD, INT32, 32, 64, "data[0] is register 64"},
        {LOAD, UINT64, 63, 2, NULL},
        {LOAD, UINT64, 63, 1, "data[31] is 1, the registers of pairs are even"},
        {LOAD, INT32, 27, 0x01, "is not within one aligned 16 MB window"},
        {LOAD, INT32, 23, 0x40, "address form 0x40 is not publicly specified"},
        {LOAD, INT32, 18, 0x01, "memory at 0x10100 is not mapped for reading"},
        {STORE, INT32, 18, 0x01, "memory at 0x10100 is not mapped for writing"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench t;
        open_bench(&t, ISA_GEN_CAYMAN);
        struct word *w = add_tensor(&t, rows[i].opcode, rows[i].dtype, 2, 1);
        w->b[rows[i].at] = rows[i].value;
        if (rows[i].text) {
            check_fault(&t, rows[i].text);
        } else {
            enum sim_end end = run(&t);
            if (end != SIM_ENDED)
                fail_msg("row %zu: end %d, %s", i, end, t.s.fault.text);
        }
        close_bench(&t);
    }
}

/* ---- TEST_EVENT_SEM ---- */

static void test_test_event_sem(void **state)
{
    static const struct {
        uint8_t mode, update, at, value;
        uint32_t semaphore, reg; /* afterwards; before: 7 and 5 */
        const char *text;
    } rows[] = {
        {0, 0, 48, 0, 7, 7, NULL},
        {1, 0, 48, 0, 7, 1, NULL},
        {2, 0x13, 48, 0, 8, 5, NULL},
        {2, 0x85, 48, 0, 12, 5, NULL},
        {2, 0x99, 48, 0, 5, 5, NULL},
        {3, 0x11, 48, 0, 7, 5, NULL},
        {4, 0x14, 48, 7, 6, 6, NULL},
        {4, 0x14, 48, 8, 7, 5, NULL},
        {2, 0x15, 48, 0, 7, 5, "update_type is 0x15, immediate updates are barred"},
        {4, 0x95, 48, 0, 7, 5, "not publicly specified"},
        {3, 0x13, 48, 0, 7, 5, "not publicly specified"},
        {0, 0, 14, 1, 7, 7, NULL},
        {0, 0, 14, 2, 7, 5, "repeat_count 2"},
        {5, 0, 48, 0, 7, 5, "test_mode 0x05 is no test mode of mariana"},
        {0, 0, 15, 0, 7, 5, "num_evt_sem is 0, it must be 1..16"},
        {0, 0, 15, 17, 7, 5, "num_evt_sem is 17"},
        {0, 0, 31, 3, 7, 5, "ids[15] is 3, an unused one must be 0"},
        {0, 0, 32, 64, 7, 5, "value_registers[0] is 64"},
        {0, 0, 53, 1, 7, 5, "reserved1 is not zero"},
        {0, 0, 63, 1, 7, 5, "reserved1 is not zero"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench t;
        open_bench(&t, ISA_GEN_MARIANA);
        struct word *w = add(&t, POOL, 0xb4);
        w->b[12] = rows[i].mode, w->b[13] = rows[i].update, w->b[15] = 1;
        w->b[16] = 9, w->b[32] = 3;
        w->b[rows[i].at] = rows[i].value;
        start(&t);
        t.s.seqs->semaphore[9] = 7;
        t.s.seqs->event[9] = true;
        seq_set_register(&t.s, "pool.R3", 5);
        enum sim_end end = seq_run(&t.s);
        if (end != (rows[i].text ? SIM_FAULT : SIM_ENDED) ||
            (rows[i].text && !strstr(t.s.fault.text, rows[i].text)))
            fail_msg("row %zu: end %d, %s", i, end, t.s.fault.text);
        assert_int_equal(t.s.seqs->semaphore[9], rows[i].semaphore);
        assert_int_equal(reg(&t, "pool.R3"), rows[i].reg);
        close_bench(&t);
    }
}

/* ---- COMPARE_BRANCH ---- */

static struct word *add_branch(struct bench *t, unsigned op, int32_t distance)
{
    struct word *w = add(t, POOL, BRANCH);
    w->b[12] = (uint8_t)op, w->b[13] = INT32, w->b[14] = 3;
    put32(w, 48, (uint32_t)distance);
    return w;
}

static void test_counted_loop(void **state)
{
    struct bench t;
    (void)state;
    open_bench(&t, ISA_GEN_CAYMAN);
    struct word *w = add_alu(&t, 0x04, INT32, 3); /* R5 += 3 */
    w->b[16] = 5;
    w = add_alu(&t, 0x05, INT32, 1); /* R4 -= 1 */
    w->b[20] = 4;
    w = add_branch(&t, 6, -128); /* R4 > 0: back to the first */
    w->b[32] = 4;
    start(&t);
    seq_set_register(&t.s, "pool.R4", 100);
    assert_int_equal(seq_run(&t.s), SIM_ENDED);
    assert_int_equal(reg(&t, "pool.R5"), 300);
    close_bench(&t);
}

static void test_branch_conditions(void **state)
{
    static const struct {
        uint8_t op, dtype;
        uint32_t a, b;
        bool taken;
    } rows[] = {
        {0, INT32, 0, 0, true},
        {1, INT32, 0xffffffff, 0, true},
        {1, UINT32, 0xffffffff, 0, false},
        {2, INT32, 3, 3, true},
        {3, INT32, 3, 3, true},
        {4, INT32, 3, 3, false},
        {5, INT32, 2, 3, false},
        {6, INT32, 4, 3, true},
        {9, INT32, 2, 3, true},
        {0xa, INT32, 4, 3, false},
        {0xb, INT32, 3, 3, true},
        {0xc, INT32, 4, 3, true},
        {0xd, INT32, 3, 3, true},
        {0xe, INT32, 3, 3, false},
        {6, FP32, 0x3f800000, 0xbf800000, true},
        {3, FP32, 0x80000000, 0, true},
        {4, FP32, 0x7fc00000, 0x7fc00000, true},
        {1, 2 /* INT8 */, 0x1ff, 0, true},
        {1, 3 /* UINT8 */, 0x1ff, 0, false},
        {1, 4 /* INT16 */, 0x18000, 0, true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench t;
        open_bench(&t, ISA_GEN_CAYMAN);
        struct word *w = add_branch(&t, rows[i].op, 128);
        w->b[13] = rows[i].dtype, w->b[32] = 4, w->b[33] = 6;
        put32(w, 16, rows[i].b);
        add_move(&t, POOL, 1, 1); /* skipped when taken */
        add(&t, POOL, NOP);
        start(&t);
        seq_set_register(&t.s, "pool.R4", rows[i].a);
        seq_set_register(&t.s, "pool.R6", rows[i].b);
        assert_int_equal(seq_run(&t.s), SIM_ENDED);
        if (reg(&t, "pool.R1") == rows[i].taken)
            fail_msg("row %zu: cmp_op %u", i, rows[i].op);
        close_bench(&t);
    }
}

static void test_branch_targets(void **state)
{
    static const struct {
        uint8_t mode;
        uint32_t low, high;
        const char *text; /* NULL: lands on the third record */
    } rows[] = {
        {3, 128, 0, NULL},
        {3, 128, 77, NULL}, /* the upper half of the field means nothing */
        {3, 192, 0, ""},    /* exactly the end of the section: ends */
        {3, 100, 0, "no record"},
        {3, 256, 0, "no record"},
        {3, (uint32_t)-64, 0, "no record"},
        {1, CODE + 0x3000 + 128, 0, NULL},
        {1, CODE + 0x3000 + 128, 1, "no record"},
        {4, 128, 0, NULL},
        {0, 128, 0, "target mode 0 is not publicly specified"},
        {2, 128, 0, "target mode 2"},
        {10, 128, 0, "target mode 10"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench t;
        open_bench(&t, ISA_GEN_CAYMAN);
        struct word *w = add_branch(&t, 0, 0);
        w->b[14] = rows[i].mode, w->b[34] = 10, w->b[35] = 11;
        put32(w, 48, rows[i].low);
        put32(w, 52, rows[i].high);
        add_move(&t, POOL, 1, 1);
        add_move(&t, POOL, 2, 1);
        start(&t);
        seq_set_register(&t.s, "pool.R10", rows[i].low);
        seq_set_register(&t.s, "pool.R11", rows[i].high);
        enum sim_end end = seq_run(&t.s);
        if (rows[i].text && *rows[i].text) {
            assert_int_equal(end, SIM_FAULT);
            assert_non_null(strstr(t.s.fault.text, rows[i].text));
        } else {
            assert_int_equal(end, SIM_ENDED);
            assert_int_equal(reg(&t, "pool.R1"), 0);
            assert_int_equal(reg(&t, "pool.R2"), rows[i].text == NULL);
        }
        close_bench(&t);
    }
}

/* ---- memory ---- */

static void test_poll(void **state)
{
    static const uint32_t words[] = {8, 3, 5, 4, 4, 10}; /* the header's own example */
    struct bench t;
    (void)state;
    open_bench(&t, ISA_GEN_CAYMAN);
    struct word *w = add(&t, POOL, POLL);
    w->b[12] = 6, w->b[13] = 20, w->b[14] = 9;
    put32(w, 16, DATA);
    put32(w, 24, DATA + 0x40);
    start(&t);
    mem_write(&t.s, DATA, words, sizeof words);
    assert_int_equal(seq_run(&t.s), SIM_ENDED);
    assert_int_equal(reg(&t, "pool.R20"), 3);
    uint32_t back[7];
    mem_read(&t.s, DATA + 0x40, back, sizeof back);
    for (unsigned i = 0; i < 7; i++)
        assert_int_equal(back[i], i < 6 ? 3 : 0);
    close_bench(&t);

    open_bench(&t, ISA_GEN_CAYMAN);
    w = add(&t, POOL, POLL);
    w->b[12] = 1, w->b[14] = 9;
    put32(w, 16, DATA + 0x100 - 3);
    check_fault(&t, "not mapped for reading");
    close_bench(&t);
}

static void test_ordering(void **state)
{
    struct bench t;
    (void)state;
    open_bench(&t, ISA_GEN_CAYMAN);
    add(&t, POOL, ORDERING)->b[12] = 1;
    assert_int_equal(run(&t), SIM_ENDED);
    assert_true(t.s.seqs->strong_order);
    close_bench(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_move_immediate),
        cmocka_unit_test(test_move_registers_and_pc),
        cmocka_unit_test(test_move_clauses),
        cmocka_unit_test(test_immediate_move_may_write_r0),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_unknown_records),
        cmocka_unit_test(test_two_sections_for_pool),
        cmocka_unit_test(test_wait_modes),
        cmocka_unit_test(test_update_modes),
        cmocka_unit_test(test_register_operand_must_be_readable),
        cmocka_unit_test(test_extended_block),
        cmocka_unit_test(test_range_clear),
        cmocka_unit_test(test_producer_and_consumer),
        cmocka_unit_test(test_deadlock_report),
        cmocka_unit_test(test_alu),
        cmocka_unit_test(test_alu_pairs_and_conversions),
        cmocka_unit_test(test_alu_errors),
        cmocka_unit_test(test_tensor_load),
        cmocka_unit_test(test_tensor_store),
        cmocka_unit_test(test_tensor_errors),
        cmocka_unit_test(test_test_event_sem),
        cmocka_unit_test(test_counted_loop),
        cmocka_unit_test(test_branch_conditions),
        cmocka_unit_test(test_branch_targets),
        cmocka_unit_test(test_poll),
        cmocka_unit_test(test_ordering),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
