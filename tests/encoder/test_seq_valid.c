/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Validity of SEQ records, clause by clause and on both sides: one byte of a
 * valid record goes through all its values, and exactly the published ones
 * pass. Sets and layouts: docs/seq.md, from the published record headers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "encoder/encoder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORD = 64, CLAUSES = 400, BYTE_VALUES = 256 };
enum { S = 1 << ISA_GEN_SUNDA, C = 1 << ISA_GEN_CAYMAN, M = 1 << ISA_GEN_MARIANA };
enum { V = 1 << ISA_GEN_MAVERICK, ALL = S | C | M | V };

static const unsigned generations[] = {S, C, M, V};

/* ---- records ---- */

/* "12=1 13=0xa 24=5": an opcode, the length, and single bytes; the rest is zero. */
static void record(uint8_t *bytes, unsigned opcode, const char *edits)
{
    memset(bytes, 0, RECORD);
    bytes[0] = (uint8_t)opcode;
    bytes[1] = RECORD / 4;
    for (char *end; *edits; edits = end) {
        unsigned long at = strtoul(edits, &end, 10);
        assert_true(*end == '=' && at < RECORD);
        bytes[at] = (uint8_t)strtoul(end + 1, &end, 0);
        end += strspn(end, " ");
    }
}

struct found {
    char clauses[CLAUSES]; /* names in order, each with a space behind it */
};

static void note(void *ctx, const char *clause, const char *text)
{
    struct found *f = ctx;
    size_t used = strlen(f->clauses);
    assert_true(*text);
    snprintf(f->clauses + used, sizeof f->clauses - used, "%s ", clause);
}

static struct found validate(unsigned generation, const uint8_t *bytes)
{
    struct found f = {""};
    struct isa_target target = {.pto = 1 << ISA_REV_0_58_3, .seq = (isa_revset)generation};
    unsigned count = isa_seq_validate(&target, bytes, 0, note, &f);
    unsigned spaces = 0;
    for (const char *c = f.clauses; *c; c++)
        spaces += *c == ' ';
    assert_int_equal(count, spaces);
    return f;
}

/* ---- one byte through all values ---- */

/* "1..8,0x10": is `value` in the list? */
static bool listed(const char *list, unsigned long value)
{
    for (char *end; *list; list = end + (*end == ',')) {
        unsigned long first = strtoul(list, &end, 0), last = first;
        if (*end == '.')
            last = strtoul(end + 2, &end, 0);
        if (value >= first && value <= last)
            return true;
        assert_true(*end == ',' || !*end);
    }
    return false;
}

#define REGISTERS "0..63,128,129"
#define ANY       "0..255"

struct sweep {
    unsigned generations, opcode;
    const char *edits; /* of a record that is valid but for the byte at hand */
    unsigned at;
    const char *legal;
    const char *clause; /* which the other values violate */
};

static const struct sweep sweeps[] = {
    /* header: the opcodes with their generations are a test of their own */
    {ALL, 0xa4, "", 1, "16", "has_valid_inst_len"},
    {ALL, 0xa4, "", 2, ANY, ""}, /* no clause names debug_cmd */
    {ALL, 0xa4, "", 3, ANY, ""},
    /* events: modes and, where a mode names one, the register */
    {S | C | M, 0xa4, "", 4, "0..7,0xe,0xf,0x81..0x85", "valid_event_modes"},
    {V, 0xa4, "", 4, "0..5,0x81..0x85,0x91..0x95,0xfe", "valid_event_modes"},
    {S | C | M, 0xa4, "", 6, "0..5,7,9,0x11..0x15,0x17,0x19,0x85,0x87,0x89,0x95,0x97,0x99",
     "valid_event_modes"},
    {V, 0xa4, "", 6, "0,3..5,7,9,0x13..0x15,0x17,0x19,0x85,0x87,0x89,0x95,0x97,0x99",
     "valid_event_modes"},
    {ALL, 0xa4, "4=5 6=3", 5, ANY, ""},
    {ALL, 0xa4, "4=5 6=3", 7, ANY, ""},
    {ALL, 0xa4, "4=5", 8, ANY, ""},
    {ALL, 0xa4, "4=0x85", 8, REGISTERS, "semaphore_value"},
    {ALL, 0xa4, "4=0x85", 9, "0", "semaphore_value"},
    {ALL, 0xa4, "6=0x97", 8, REGISTERS, "semaphore_value"},
    {V, 0xa4, "4=0x93", 8, REGISTERS, "semaphore_value"},
    {V, 0xa4, "4=0x93", 9, ANY, ""}, /* the offset */
    {S | C | M, 0xa0, "", 32, "0..7,0xe,0xf,0x81..0x85", "valid_event_modes"},
    {V, 0xa0, "", 34, "0,3..5,7,9,0x13..0x15,0x17,0x19,0x85,0x87,0x89,0x95,0x97,0x99",
     "valid_event_modes"},
    {ALL, 0xa0, "32=0x81", 36, REGISTERS, "sem_wait_value"},
    {ALL, 0xa0, "34=0x99", 40, REGISTERS, "sem_update_value"},
    {ALL, 0xa0, "34=0x99", 36, ANY, ""},
    {ALL, 0xa0, "", 12, ANY, ""},
    /* MOVE */
    {ALL, 0xa7, "13=9 14=1 24=1 25=2 26=3 27=4 28=5 29=6 30=7 31=8", 12, "1..8", "num_mov"},
    {ALL, 0xa7, "12=1 14=1", 13, "8..10", "dtype"},
    {ALL, 0xa7, "12=1 13=9 24=1", 14, "0,1", "move_source"},
    {ALL, 0xa7, "12=1 13=9 14=1", 15, "0", "reserved0"},
    {ALL, 0xa7, "12=1 13=9 24=128", 16, REGISTERS, "src_registers"},
    {ALL, 0xa7, "12=8 13=9 24=10 25=11 26=12 27=13 28=14 29=15 30=16 31=128", 23,
     "0..9,17..63,128,129", ""},
    {ALL, 0xa7, "12=1 13=9 14=1 24=1", 16, REGISTERS, "src_registers"},
    {ALL, 0xa7, "12=1 13=9 14=1", 24, REGISTERS, "dst_registers"},
    {ALL, 0xa7, "12=1 13=9 24=1", 17, REGISTERS, "src_registers"}, /* an unused slot */
    {ALL, 0xa7, "12=1 13=9 24=1", 25, ANY, ""},
    {ALL, 0xa7, "12=1 13=9 17=5 24=1", 25, REGISTERS, "dst_registers"},
    {ALL, 0xa7, "12=2 13=9 14=1 24=5", 25, "0..4,6..63,128,129", ""},
    {ALL, 0xa7, "12=2 13=9 14=1 24=128", 25, REGISTERS, "dst_registers"},
    /* MOVE_SHAPE */
    {ALL, 0xb2, "", 12, "0..2", "move_type"},
    {ALL, 0xb2, "", 13, "0..4", "num_move"},
    {ALL, 0xb2, "", 15, "0", "reserved0"},
    {ALL, 0xb2, "", 20, "0", "reserved1"},
    {ALL, 0xb2, "", 31, "0", "reserved1"},
    {ALL, 0xb2, "", 19, ANY, ""},
    {ALL, 0xb2, "", 32, ANY, ""},
    /* ALU_OP */
    {S, 0xa8, "13=8 14=1", 12, "0..0x1d,0xc4..0xc6", "is_valid_enum"},
    {C, 0xa8, "13=8 14=1", 12, "0..0x1d,0xc4..0xe1", "is_valid_enum"},
    {M, 0xa8, "13=8 14=1", 12, "0..0x1d,0x20..0x23,0xc4..0xe1", "is_valid_enum"},
    {V, 0xa8, "13=8 14=1", 12, "0..0x1d,0x20..0x24,0xc4..0xe1", "is_valid_enum"},
    {S | C, 0xa8, "14=1", 13, "1..0xf", ""},
    {M, 0xa8, "14=1", 13, "1..0x10,0x19..0x1f", ""},
    {V, 0xa8, "14=1", 13, "1..0x16,0x19..0x1f", ""},
    {S | C, 0xa8, "13=8 14=1", 15, "0..0xf", "dst_dtype"},
    {V, 0xa8, "13=8 14=1", 15, "0..0x16,0x19..0x1f", "dst_dtype"},
    {ALL, 0xa8, "13=8", 14, "0,1", "src1_datasrc"},
    {ALL, 0xa8, "13=8", 16, REGISTERS, "src0_lo"},
    {ALL, 0xa8, "13=1", 17, REGISTERS, "src0_hi"},
    {ALL, 0xa8, "13=8", 18, REGISTERS, "src1_lo"},
    {ALL, 0xa8, "13=8 14=1", 18, ANY, ""},
    {ALL, 0xa8, "13=0xc", 19, REGISTERS, "src1_hi"},
    {ALL, 0xa8, "13=0xc 14=1", 19, ANY, ""},
    {ALL, 0xa8, "13=8", 20, REGISTERS, "dst_lo"},
    {ALL, 0xa8, "13=0xc", 21, REGISTERS, "dst_hi"},
    {ALL, 0xa8, "13=8", 22, "0", "reserved1"},
    {ALL, 0xa8, "13=8", 23, "0", "reserved1"},
    {ALL, 0xa8, "13=8 14=1", 24, ANY, ""},
    {ALL, 0xa8, "13=8", 32, "0", "reserved2"},
    {ALL, 0xa8, "13=8", 63, "0", "reserved2"},
    /* COMPARE_BRANCH */
    {ALL, 0xa9, "13=8 14=3", 12, "0..6,9..14", "cmp_op"},
    {S | C, 0xa9, "14=3", 13, "1..0xf", ""},
    {ALL, 0xa9, "13=8", 14, "1,3,4", "target_mode"},
    {ALL, 0xa9, "12=3 13=8 14=3", 32, REGISTERS, "cmp_reg0"},
    {ALL, 0xa9, "13=8 14=3", 32, ANY, ""},
    {ALL, 0xa9, "12=9 13=8 14=3", 33, REGISTERS, "cmp_reg1"},
    {ALL, 0xa9, "12=14 13=8 14=3", 33, REGISTERS, "cmp_reg1"},
    {ALL, 0xa9, "12=6 13=8 14=3", 33, ANY, ""},
    {ALL, 0xa9, "13=8 14=1", 34, REGISTERS, "target_reg_lo"},
    {ALL, 0xa9, "13=8 14=4", 34, REGISTERS, "target_reg_lo"},
    {ALL, 0xa9, "13=8 14=1", 35, REGISTERS, "target_reg_hi"},
    {ALL, 0xa9, "13=8 14=4", 35, REGISTERS, "target_reg_hi"},
    {ALL, 0xa9, "13=8 14=3", 34, ANY, ""},
    {ALL, 0xa9, "13=8 14=3", 15, ANY, ""}, /* no source names it */
    /* EVENT_SEMAPHORE_RANGE_CLEAR */
    {ALL, 0xb0, "", 12, "1,2", "clear_mode"},
    {ALL, 0xb0, "12=1 14=100", 13, "0..100", "range"},
    {ALL, 0xb0, "12=1 13=100", 14, "100..255", "range"},
    {ALL, 0xb0, "12=2 14=100", 13, ANY, ""},
    /* POLL_SEM */
    {ALL, 0xb3, "", 12, "0..16", "n_read"},
    {ALL, 0xb3, "", 13, REGISTERS, "result_register"},
    {S, 0xb3, "", 14, "0..0x1d,0xc4..0xc6", "is_valid_enum"},
    {V, 0xb3, "", 14, "0..0x1d,0x20..0x24,0xc4..0xe1", "is_valid_enum"},
    {ALL, 0xb3, "", 24, ANY, ""},
    {ALL, 0xb3, "", 31, ANY, ""},
    /* TENSOR_LOAD and TENSOR_STORE */
    {ALL, 0xaa, "14=1 15=1", 12, "1..5,8..10", "dtype"},
    {ALL, 0xab, "14=1 15=1", 12, "1..5,8..10", "dtype"},
    {ALL, 0xaa, "12=8 14=1 15=1", 13, "0", "src_datasrc"},
    {ALL, 0xab, "12=8 14=1 15=1", 13, "0,1", "src_datasrc"},
    {ALL, 0xaa, "12=8 15=1", 14, "1..32", "num_elem0"},
    {ALL, 0xaa, "12=8 14=1", 15, "1..32", "num_elem1"},
    {ALL, 0xaa, "12=8 14=4", 15, "1..8", ""},
    {ALL, 0xab, "12=8 13=1 15=1", 14, "1..8", ""},
    {ALL, 0xab, "12=5 13=1 15=1", 14, "1..16", ""},
    {ALL, 0xab, "12=2 13=1 15=1", 14, "1..32", ""},
    {ALL, 0xab, "12=1 13=1 15=1", 14, "1..4", ""},
    {ALL, 0xaa, "12=8 14=1 15=1", 32, "0..63,128,129", "data"},
    {ALL, 0xaa, "12=8 14=1 15=1", 33, ANY, ""},
    {ALL, 0xab, "12=8 13=1 14=1 15=1", 32, ANY, ""},
    {ALL, 0xaa, "12=8 14=2 15=1", 33, "0..63,128,129", "data"},
    {ALL, 0xaa, "12=8 14=1 15=1", 16,
     "0,4,8,12,16,20,24,28,32,36,40,44,48,52,56,60,64,68,72,76,80,84,88,92,96,100,104,108,112,"
     "116,120,124,128,132,136,140,144,148,152,156,160,164,168,172,176,180,184,188,192,196,200,204,"
     "208,212,216,220,224,228,232,236,240,244,248,252",
     "start_addr"},
    {ALL, 0xaa, "12=3 14=1 15=1", 16, ANY, ""},
    {ALL, 0xaa, "12=8 14=1 15=1 16=1 23=0x80", 17, ANY, ""}, /* registers, no address */
    /* the last of two bytes at 0xfff000 + step */
    {ALL, 0xaa, "12=3 14=2 15=1 17=0xff 18=0xff 24=1", 16, "0..254", "window"},
    {ALL, 0xaa, "12=3 14=2 15=1 24=255 25=255 26=255 27=255", 16, "1..255", "window"},
    {ALL, 0xaa, "12=3 14=1 15=2 19=1 28=255 29=255 30=255 31=255", 16, "1..255", "window"},
    /* the pseudo ones: no UINT64, no alignment */
    {ALL, 0xce, "14=1 15=1", 12, "2..5,8..10", "dtype"},
    {ALL, 0xcd, "14=1 15=1", 12, "2..5,8..10", "dtype"},
    {ALL, 0xce, "12=8 14=1 15=1", 13, "0", "src_datasrc"},
    {ALL, 0xcd, "12=8 14=1 15=1", 13, "0,1", "src_datasrc"},
    {ALL, 0xce, "12=8 15=1", 14, "1..32", "num_elem0"},
    {ALL, 0xcd, "12=8 14=1", 15, "1..32", "num_elem1"},
    {ALL, 0xcd, "12=8 13=1 15=1", 14, "1..8", ""},
    {ALL, 0xce, "12=8 14=1 15=1", 32, "0..63,128,129", "data"},
    {ALL, 0xce, "12=8 14=1 15=1", 16, ANY, ""},
    /* TEST_EVENT_SEM */
    {M | V, 0xb4, "15=1", 12, "0..4", "test_mode"},
    {M | V, 0xb4, "15=1", 14, ANY, ""},
    {M | V, 0xb4, "15=1", 16, ANY, ""},
    {M | V, 0xb4, "15=1", 17, "0", "ids"},
    {M | V, 0xb4, "15=2 16=7", 17, "0..6,8..255", "ids"},
    {M | V, 0xb4, "15=1", 32, REGISTERS, "value_registers"},
    {M | V, 0xb4, "15=1", 33, ANY, ""},
    {M | V, 0xb4, "15=1", 53, "0", "reserved1"},
    {M | V, 0xb4, "15=1", 63, "0", "reserved1"},
    {M | V, 0xb4, "15=1", 52, ANY, ""},
    /* pseudo records */
    {ALL, 0xdf, "", 12, "0..2", "pseudo_opcode"},
    {S, 0xc8, "13=10", 12, "0..0x1d,0xc4..0xc6", "is_valid_enum"},
    {C, 0xc8, "12=4", 13, "0..0xf", "dtype"},
};

static void check_sweep(const struct sweep *s, unsigned generation)
{
    uint8_t bytes[RECORD];
    record(bytes, s->opcode, s->edits);
    for (unsigned value = 0; value < BYTE_VALUES; value++) {
        bytes[s->at] = (uint8_t)value;
        struct found f = validate(generation, bytes);
        bool passes = !*f.clauses;
        if (passes != listed(s->legal, value))
            fail_msg("opcode %#x, '%s', byte %u = %u, generation %u: %s", s->opcode, s->edits,
                     s->at, value, generation, passes ? "passes" : f.clauses);
        size_t n = strlen(s->clause);
        if (!passes && n && (strncmp(f.clauses, s->clause, n) != 0 || f.clauses[n] != ' '))
            fail_msg("opcode %#x, '%s', byte %u = %u: '%s', not '%s'", s->opcode, s->edits, s->at,
                     value, f.clauses, s->clause);
    }
}

static void bytes_through_all_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sweeps / sizeof *sweeps; i++)
        for (unsigned g = 0; g < 4; g++)
            if (sweeps[i].generations & generations[g])
                check_sweep(&sweeps[i], generations[g]);
}

/* ---- opcodes ---- */

static void opcodes_of_each_generation(void **state)
{
    static const char *const both = "0x9f..0xab,0xb0..0xb3,0xb5,0xc1,0xc8,0xcd,0xce,0xd1,0xd3,0xd8,"
                                    "0xdf";
    (void)state;
    for (unsigned g = 0; g < 4; g++)
        for (unsigned opcode = 0; opcode < BYTE_VALUES; opcode++) {
            uint8_t bytes[RECORD];
            record(bytes, opcode, "");
            struct found f = validate(generations[g], bytes);
            bool legal = listed(both, opcode) || (opcode == 0xb4 && generations[g] & (M | V)) ||
                         (opcode == 0xb6 && generations[g] & V);
            bool header = strncmp(f.clauses, "has_valid_neuron_header ", 24) == 0;
            if (header == legal)
                fail_msg("opcode %#x, generation %u: '%s'", opcode, generations[g], f.clauses);
        }
}

/* ---- what sweeps cannot show ---- */

static const struct {
    unsigned generation, opcode;
    const char *edits, *clauses;
} records[] = {
    {C, 0xa7, "12=2 13=9 14=1 24=5 25=5", "unique_destinations "},
    {C, 0xa7, "12=2 13=9 14=1 24=129 25=129", ""},
    {C, 0xa7, "12=2 13=9 16=1 17=2 24=2 25=3", "no_overlap "},
    {C, 0xa7, "12=2 13=9 16=1 17=2 24=3 25=4", ""},
    {C, 0xa7, "12=1 13=9 16=7 24=7", "no_overlap "},
    {C, 0xa7, "12=1 13=9 14=1 16=7 24=7", ""}, /* an immediate has no source */
    {C, 0xa7, "12=1 13=9 16=128 24=128", ""},
    /* every clause is listed, not the first alone */
    {C, 0xa7, "1=17 4=8 12=1 13=7 14=2 15=1 16=64 24=64",
     "has_valid_inst_len valid_event_modes dtype move_source reserved0 src_registers "
     "dst_registers "},
    {C, 0xa8, "13=0 14=1", "dtype_invalid_check "},
    {C, 0xa9, "13=0 14=3", "dtype_invalid_check "},
    {C, 0xaa, "12=8 14=8 15=4", ""},
    {C, 0xaa, "12=8 14=11 15=3", "num_elem "},
    {C, 0xaa, "12=1 14=1 15=1 32=2 63=4", ""},
    {C, 0xaa, "12=1 14=1 15=1 32=2 63=5", "even_registers "},
    {C, 0xaa, "12=1 14=1 15=1 32=3", "even_registers "},
    {C, 0xab, "12=1 13=1 14=1 15=1 32=3", ""},
    {C, 0xaa, "12=8 14=1 15=1 32=3", ""},
    {M, 0xb4, "15=0", "num_evt_sem "},
    {M, 0xb4,
     "15=16 17=1 18=2 19=3 20=4 21=5 22=6 23=7 24=8 25=9 26=10 27=11 28=12 29=13 30=14 31=15", ""},
    {M, 0xb4,
     "15=17 17=1 18=2 19=3 20=4 21=5 22=6 23=7 24=8 25=9 26=10 27=11 28=12 29=13 30=14 31=15",
     "num_evt_sem "},
    {M, 0xb4, "12=2 13=5 15=1", "update_type "},
    {M, 0xb4, "12=2 13=0x19 15=1", "update_type "},
    {M, 0xb4, "12=2 13=3 15=1", ""},
    {M, 0xb4, "12=2 13=0x85 15=1", ""},
    {V, 0xb6, "1=0", ""}, /* another header, without a length */
    {V, 0xb6, "1=7", ""},
};

static void clauses_of_whole_records(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        uint8_t bytes[RECORD];
        record(bytes, records[i].opcode, records[i].edits);
        struct found f = validate(records[i].generation, bytes);
        assert_string_equal(f.clauses, records[i].clauses);
    }
}

/* Fields that a relocation fills are not judged by what they hold before. */
static void open_fields(void **state)
{
    uint8_t bytes[RECORD];
    struct found f = {""};
    struct isa_target target = {.pto = 1 << ISA_REV_0_58_3, .seq = C};
    struct isa_insn in;
    (void)state;
    record(bytes, 0xaa, "12=8 14=2 15=1 24=255 25=255 26=255 27=255");
    assert_true(isa_seq_extract(&target, bytes, &in));
    uint64_t open = UINT64_C(1) << isa_field_index(in.form, ISA_FIELD_start_addr);
    assert_int_equal(isa_seq_validate(&target, bytes, open, note, &f), 0);
    assert_int_equal(isa_seq_validate(&target, bytes, 0, note, &f), 1);
    assert_string_equal(f.clauses, "window ");
}

static void terminators(void **state)
{
    static const struct {
        unsigned opcode;
        const char *edits;
        bool ends;
    } rows[] = {
        {0xa1, "", true},      {0xa1, "4=5 39=1", true},   {0xa4, "", false},
        {0xa2, "", false},     {0xdf, "12=1", true},       {0xdf, "12=0", false},
        {0xdf, "12=2", false}, {0xa9, "13=8 14=3", false}, {0xac, "", false},
    };
    struct isa_target target = {.pto = 1 << ISA_REV_0_58_3, .seq = C};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t bytes[RECORD];
        record(bytes, rows[i].opcode, rows[i].edits);
        assert_int_equal(isa_seq_terminates(&target, bytes), rows[i].ends);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_through_all_values),
        cmocka_unit_test(opcodes_of_each_generation),
        cmocka_unit_test(clauses_of_whole_records),
        cmocka_unit_test(open_fields),
        cmocka_unit_test(terminators),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
