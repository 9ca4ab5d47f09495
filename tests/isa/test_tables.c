/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The generated tables against facts taken from the catalogues of pto-spec:
 * tests/data/isa/forms-*.txt lists every form with its mask, match, fields,
 * constraints and memory access.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/isa.h"

enum {
    REV_0_58_2 = 1 << ISA_REV_0_58_2,
    REV_0_58_3 = 1 << ISA_REV_0_58_3,
    REV_0_58_5 = 1 << ISA_REV_0_58_5,
    ALL = 0xff
};

static FILE *open_facts(const char *name)
{
    const char *srcdir = getenv("srcdir");
    char path[4096];

    snprintf(path, sizeof path, "%s/tests/data/isa/%s", srcdir ? srcdir : SRCDIR, name);
    FILE *f = fopen(path, "r");
    if (!f)
        fail_msg("%s cannot be read", path);
    return f;
}

/* ---- counts ---- */

static unsigned count_forms(const char *families, isa_revset rev, bool variants)
{
    unsigned n = 0;

    for (size_t i = 0; i < ISA_FORM_COUNT; i++) {
        const struct isa_form *f = &isa_forms[i];
        n += strstr(families, f->family) && f->set == ISA_SET_PTO && f->revs & rev &&
             !!f->variant == variants;
    }
    return n;
}

static unsigned count_tileops(isa_revset rev, bool variants)
{
    unsigned n = 0;

    for (size_t i = 0; i < ISA_TILEOP_COUNT; i++)
        n += isa_tileops[i].revs & rev && !!isa_tileops[i].variant == variants;
    return n;
}

static unsigned count_reserved(isa_revset rev)
{
    unsigned n = 0;

    for (size_t i = 0; i < ISA_RESERVED_COUNT; i++)
        n += (isa_reserved_encodings[i].revs & rev) != 0;
    return n;
}

/* Those of 0.58.5 are the ones that its identity hash covers (docs/decisions.md). */
static void counts_are_the_published_ones(void **state)
{
    static const struct {
        isa_revset rev;
        unsigned commands, command_variants, scalars, tileops, tileop_variants, reserved;
    } rows[] = {
        {REV_0_58_2, 74, 5, 466, 109, 5, 40},
        {REV_0_58_3, 74, 5, 466, 109, 5, 40},
        {REV_0_58_5, 76, 0, 466, 107, 0, 46},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        isa_revset rev = rows[i].rev;
        assert_int_equal(count_forms("CMD BBD", rev, false), rows[i].commands);
        assert_int_equal(count_forms("CMD BBD", rev, true), rows[i].command_variants);
        assert_int_equal(count_forms("ALU AGU AMO BRU FSU SYS", rev, false), rows[i].scalars);
        assert_int_equal(count_tileops(rev, false), rows[i].tileops);
        assert_int_equal(count_tileops(rev, true), rows[i].tileop_variants);
        assert_int_equal(count_reserved(rev), rows[i].reserved);
    }
    assert_int_equal(ISA_SYSREG_COUNT, 72);
    assert_int_equal(ISA_REVISION_COUNT, 7);
}

static void families_have_the_published_sizes(void **state)
{
    static const struct {
        const char *family;
        unsigned count;
    } rows[] = {{"AGU", 183}, {"ALU", 107}, {"AMO", 53}, {"BRU", 58}, {"FSU", 30}, {"SYS", 35}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(count_forms(rows[i].family, REV_0_58_3, false), rows[i].count);
}

static unsigned printed_members(unsigned e, isa_revset revs)
{
    unsigned n = 0;

    for (size_t i = 0; i < isa_enumerations[e].count; i++)
        n += !isa_enumerations[e].members[i].alias && isa_enumerations[e].members[i].revs & revs;
    return n;
}

static void enumerations_have_the_published_sizes(void **state)
{
    enum { S = 1 << ISA_GEN_SUNDA, C = 1 << ISA_GEN_CAYMAN };
    enum { M = 1 << ISA_GEN_MARIANA, V = 1 << ISA_GEN_MAVERICK };
    static const struct {
        unsigned enumeration, revs, count;
    } rows[] = {
        {ISA_ENUM_GPR, ALL, 24},
        {ISA_ENUM_ScalarSource, ALL, 32},
        {ISA_ENUM_ScalarDestination, ALL, 26},
        {ISA_ENUM_LocalTile, ALL, 64},
        {ISA_ENUM_SharedTile, REV_0_58_3, 256},
        {ISA_ENUM_SharedTile, REV_0_58_5, 64},
        {ISA_ENUM_DataType, ALL, 26},
        {ISA_ENUM_TileLayout, ALL, 19},
        {ISA_ENUM_PadValue, ALL, 4},
        {ISA_ENUM_CMode, ALL, 6},
        {ISA_ENUM_RMode, ALL, 8},
        {ISA_ENUM_PEMode, ALL, 8},
        {ISA_ENUM_PEMask, ALL, 16},
        {ISA_ENUM_SizeCode, ALL, 10},
        {ISA_ENUM_SharedSizeCode, ALL, 12},
        {ISA_ENUM_PreQuantMode, ALL, 27},
        {ISA_ENUM_ReluMode, ALL, 4},
        {ISA_ENUM_GroupNCode, ALL, 10},
        {ISA_ENUM_BrType, ALL, 7},
        {ISA_ENUM_TileOpVEC, REV_0_58_3, 31},
        {ISA_ENUM_TileOpSFU, REV_0_58_3, 56},
        {ISA_ENUM_TileOpTEPL, REV_0_58_3, 87},
        {ISA_ENUM_TileOpVEC, REV_0_58_5, 31},
        {ISA_ENUM_TileOpSFU, REV_0_58_5, 54},
        {ISA_ENUM_TileOpTEPL, REV_0_58_5, 85},
        {ISA_ENUM_SeqDtype, S, 16},
        {ISA_ENUM_SeqDtype, C, 16},
        {ISA_ENUM_SeqDtype, M, 24},
        {ISA_ENUM_SeqDtype, V, 30},
        {ISA_ENUM_SeqAluOp, S, 33},
        {ISA_ENUM_SeqAluOp, C, 60},
        {ISA_ENUM_SeqAluOp, M, 64},
        {ISA_ENUM_SeqAluOp, V, 65},
        {ISA_ENUM_SeqCompare, C, 7},
        {ISA_ENUM_SeqCompareRegister, C, 6},
        {ISA_ENUM_SeqWaitMode, C, 15},
        {ISA_ENUM_SeqWaitMode, V, 17},
        {ISA_ENUM_SeqUpdateMode, C, 21},
        {ISA_ENUM_SeqUpdateMode, V, 17},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned n = printed_members(rows[i].enumeration, (isa_revset)rows[i].revs);
        if (n != rows[i].count)
            fail_msg("%s has %u members, not %u", isa_enumerations[rows[i].enumeration].name, n,
                     rows[i].count);
    }
}

/* ---- every form against the catalogue ---- */

static const struct isa_form *find_form(const char *id, isa_revset rev)
{
    for (size_t i = 0; i < ISA_FORM_COUNT; i++) {
        if (!strcmp(isa_forms[i].id, id) && isa_forms[i].revs & rev)
            return &isa_forms[i];
    }
    return NULL;
}

static const struct isa_field *find_field(const struct isa_form *form, const char *name)
{
    for (size_t i = 0; i < form->nfields; i++) {
        const char *canonical = isa_field_names[form->fields[i].name];
        if (!strcmp(canonical, name))
            return &form->fields[i];
    }
    fail_msg("%s has no field %s", form->id, name);
    return NULL;
}

static void check_form_line(const struct isa_form *f, char *rest)
{
    char mnemonic[64], klass[64], family[16], identifier[64];
    unsigned length;
    uint64_t mask, match;

    assert_int_equal(sscanf(rest, "%63s %u %" SCNx64 " %" SCNx64 " %63s %15s", mnemonic, &length,
                            &mask, &match, klass, family),
                     6);
    assert_int_equal(f->length, length);
    assert_int_equal(f->mask, mask);
    assert_int_equal(f->match, match);
    assert_string_equal(isa_class_names[f->klass], klass);
    assert_string_equal(f->family, family);
    for (size_t i = 0; i <= strlen(mnemonic); i++)
        identifier[i] = mnemonic[i] == '.' ? '_' : mnemonic[i];
    assert_string_equal(isa_mnemonic_names[f->mnemonic], identifier);
}

static bool is_signed_kind(const struct isa_field *f)
{
    return f->kind == ISA_KIND_INT ||
           (f->kind == ISA_KIND_PCREL && isa_relocs[f->reloc - 1].is_signed);
}

static void check_field_line(const struct isa_form *form, char *rest)
{
    char name[32], sign[16];
    unsigned width, lsb, value_lsb, piece_width;
    int used, n = 0;

    assert_int_equal(sscanf(rest, "%31s %u %15s %n", name, &width, sign, &used), 3);
    const struct isa_field *f = find_field(form, name);
    assert_int_equal(f->width, width);
    if (strcmp(sign, "encoding") && is_signed_kind(f) != !strcmp(sign, "signed"))
        fail_msg("%s: %s should be %s", form->id, name, sign);
    for (rest += used; sscanf(rest, "%u:%u:%u %n", &lsb, &value_lsb, &piece_width, &used) == 3;
         rest += used) {
        assert_int_equal(f->pieces[n].lsb, lsb);
        assert_int_equal(f->pieces[n].value_lsb, value_lsb);
        assert_int_equal(f->pieces[n].width, piece_width);
        n++;
    }
    assert_int_equal(f->npieces, n);
}

static void check_constraint_line(const struct isa_form *form, char *rest, bool in)
{
    char name[32];
    uint64_t set = 0, value = 0;
    int used;

    sscanf(rest, "%31s %n", name, &used);
    for (rest += used; sscanf(rest, "%" SCNu64 " %n", &value, &used) == 1; rest += used)
        set |= (uint64_t)1 << (value & 63);
    int field = (int)(find_field(form, name) - form->fields);
    for (size_t i = 0; i < form->nconstraints; i++) {
        const struct isa_constraint *c = &form->constraints[i];
        if (c->field != field || c->op != (in ? ISA_CONSTRAINT_IN : ISA_CONSTRAINT_NE))
            continue;
        assert_int_equal(c->set, in ? set : value);
        return;
    }
    fail_msg("%s: no constraint on %s", form->id, name);
}

static unsigned member(unsigned e, const char *name)
{
    const struct isa_member *m = isa_find_member(&isa_enumerations[e], name, strlen(name), ALL);

    assert_non_null(m);
    return m->value;
}

static void check_agu_line(const struct isa_form *form, char *rest)
{
    char action[16], kind[16], update[16];
    unsigned scale, size, is_signed, address;

    assert_int_equal(sscanf(rest, "%15s %15s %u %u %u %15s %u", action, kind, &scale, &size,
                            &is_signed, update, &address),
                     7);
    assert_int_equal(form->agu.action, member(ISA_ENUM_AguAction, action));
    assert_int_equal(form->agu.address_kind, member(ISA_ENUM_AguAddress, kind));
    assert_int_equal(form->agu.update, member(ISA_ENUM_AguUpdate, update));
    assert_int_equal(form->agu.scale, scale);
    assert_int_equal(form->agu.size, size);
    assert_int_equal(form->agu.is_signed, is_signed);
    assert_int_equal(form->agu.returns_address, address);
}

/* `families`: the forms to compare, as one string; NULL for all. */
static unsigned compare_forms(const char *facts, isa_revset rev, const char *families)
{
    const struct isa_form *form = NULL;
    unsigned forms = 0, fields = 0;
    char line[512], id[64], word[16];
    FILE *f = open_facts(facts);

    while (fgets(line, sizeof line, f)) {
        int used;
        assert_int_equal(sscanf(line, "%15s %n", word, &used), 1);
        char *rest = line + used;
        if (!strcmp(word, "form")) {
            if (form)
                assert_int_equal(form->nfields, fields);
            fields = 0;
            sscanf(rest, "%63s %n", id, &used);
            form = find_form(id, rev);
            if (families && form && !strstr(families, form->family)) {
                form = NULL;
                continue;
            }
            if (!form)
                fail_msg("no form %s", id);
            forms++;
            check_form_line(form, rest + used);
        } else if (!form) {
            continue;
        } else if (!strcmp(word, "field")) {
            fields++;
            check_field_line(form, rest);
        } else if (!strcmp(word, "agu")) {
            check_agu_line(form, rest);
        } else {
            check_constraint_line(form, rest, !strcmp(word, "in"));
        }
    }
    fclose(f);
    return forms;
}

static void all_forms_of_0_58_3_are_the_catalogue_s(void **state)
{
    (void)state;
    assert_int_equal(compare_forms("forms-0.58.3.txt", REV_0_58_3, NULL), 540);
}

static void all_command_forms_of_0_58_2_are_the_catalogue_s(void **state)
{
    (void)state;
    assert_int_equal(compare_forms("forms-0.58.2.txt", REV_0_58_2, NULL), 74);
}

/* Its scalar forms are those of 0.58.3. */
static void all_forms_of_0_58_5_are_the_catalogue_s(void **state)
{
    (void)state;
    assert_int_equal(compare_forms("commands-0.58.5.txt", REV_0_58_5, NULL), 76);
    assert_int_equal(compare_forms("forms-0.58.3.txt", REV_0_58_5, "ALU AGU AMO BRU FSU SYS"), 466);
}

static void fixed_bits_leave_the_catalogue_s_constants(void **state)
{
    (void)state;
    const struct isa_form *fpatr = find_form("b_fpatr_32_30c307e06d4a", REV_0_58_3);
    assert_true(find_field(fpatr, "Opc1")->constant);
    assert_true(find_field(fpatr, "Reserved")->constant);
    assert_false(find_field(fpatr, "TransA")->constant);
}

static unsigned compare_tileops(const char *facts, isa_revset rev)
{
    static const char *const engines[] = {"VEC", "SFU", "TLSU", "CUBE"};
    static const char *const datr[] = {"Layout", "DataType", "PadValueOrByteId", "CMode",
                                       "RMode",  "Sat",      "Canonicalize"};
    char name[32], engine[8], fields[128], operands[256], line[512];
    unsigned mode, function, n = 0;
    FILE *f = open_facts(facts);

    while (fgets(line, sizeof line, f)) {
        assert_int_equal(sscanf(line, "%31s %7s %u %u %127s %255s", name, engine, &mode, &function,
                                fields, operands),
                         6);
        const struct isa_tileop *op = isa_find_tileop(name, strlen(name));
        assert_non_null(op);
        assert_string_equal(engines[op->engine], engine);
        assert_int_equal(op->mode, mode);
        assert_int_equal(op->function, function);
        assert_ptr_equal(isa_tileop_of(op->engine, mode << 5 | function, rev), op);
        for (unsigned i = 0; i < 7; i++)
            assert_int_equal(op->datr_fields >> i & 1, strstr(fields, datr[i]) != NULL);
        char *next = operands;
        for (unsigned i = 0; i < op->noperands; i++)
            assert_string_equal(strsep(&next, ","), op->operands[i].field);
        assert_null(next);
        n++;
    }
    fclose(f);
    return n;
}

static void tile_operations_are_the_catalogue_s(void **state)
{
    (void)state;
    assert_int_equal(compare_tileops("tileops-0.58.3.txt", REV_0_58_3), 109);
    assert_int_equal(compare_tileops("tileops-0.58.5.txt", REV_0_58_5), 107);
    assert_null(isa_tileop_of(ISA_ENGINE_VEC, 0x05, REV_0_58_3));
    assert_null(isa_tileop_of(ISA_ENGINE_TLSU, 15, REV_0_58_3));
    assert_null(isa_tileop_of(ISA_ENGINE_CUBE, 3, REV_0_58_3));
    assert_non_null(isa_tileop_of(ISA_ENGINE_TLSU, 9, REV_0_58_3));
    assert_null(isa_tileop_of(ISA_ENGINE_TLSU, 9, REV_0_58_5));
    assert_null(isa_tileop_of(ISA_ENGINE_SFU, 0x75, REV_0_58_3));
}

static void tmov_takes_shared_tiles_since_0_58_5(void **state)
{
    (void)state;
    const struct isa_tileop *tmov = isa_find_tileop("TMOV", 4),
                            *tload = isa_find_tileop("TLOAD", 5);
    assert_int_equal(isa_tileop_ios(tmov, REV_0_58_3), ISA_FORBIDDEN);
    assert_int_equal(isa_tileop_ios(tmov, REV_0_58_5), ISA_OPTIONAL);
    assert_int_equal(isa_tileop_ios(tload, REV_0_58_3), ISA_OPTIONAL);
    assert_int_equal(isa_tileop_ios(tload, REV_0_58_5), ISA_OPTIONAL);
}

static void forms_are_found_in_another_revision(void **state)
{
    (void)state;
    const struct isa_form *ios = find_form("b_ios_32_4ba5ef98fdaa", REV_0_58_3);
    const struct isa_form *add = find_form("add_32_d04202886d0a", REV_0_58_3);
    const struct isa_form *insert = find_form("tmov_l2s_insert", REV_0_58_3);
    assert_ptr_equal(isa_form_in(ios, REV_0_58_3), ios);
    assert_ptr_equal(isa_form_in(ios, REV_0_58_5), find_form("b_ios_32_4ba5ef98fdaa", REV_0_58_5));
    assert_ptr_equal(isa_form_in(add, REV_0_58_5), add);
    assert_null(isa_form_in(insert, REV_0_58_5));
}

static void reserved_encodings_are_the_catalogue_s(void **state)
{
    char name[32];
    unsigned length, constraints, n = 0;
    uint64_t mask, match;
    FILE *f = open_facts("reserved-0.58.3.txt");

    (void)state;
    while (fscanf(f, "%31s %u %" SCNx64 " %" SCNx64 " %u", name, &length, &mask, &match,
                  &constraints) == 5) {
        bool found = false;
        for (size_t i = 0; i < ISA_RESERVED_COUNT; i++) {
            const struct isa_reserved *r = &isa_reserved_encodings[i];
            found |= !strcmp(r->name, name) && r->length == length && r->mask == mask &&
                     r->match == match && r->nconstraints == constraints;
        }
        if (!found)
            fail_msg("no reserved encoding %s", name);
        n++;
    }
    fclose(f);
    assert_int_equal(n, 40);
}

static void deleted_selectors_of_0_58_5_are_reserved(void **state)
{
    static const unsigned selectors[] = {0x65, 0x6e, 0x71, 0x72, 0x73, 0x74};
    unsigned n = 0;

    (void)state;
    for (size_t i = 0; i < ISA_RESERVED_COUNT; i++) {
        const struct isa_reserved *r = &isa_reserved_encodings[i];
        if (r->revs & REV_0_58_3)
            continue;
        assert_int_equal(r->mask, 0x07ffffff);
        assert_int_equal(r->match, selectors[n] << 20 | 0x19181);
        n++;
    }
    assert_int_equal(n, sizeof selectors / sizeof *selectors);
}

/* ---- decoding ---- */

static void six_pairs_overlap_by_mask_and_match(void **state)
{
    unsigned pairs = 0;

    (void)state;
    for (size_t i = 0; i < ISA_FORM_COUNT; i++) {
        for (size_t k = 0; k < i; k++) {
            const struct isa_form *a = &isa_forms[i], *b = &isa_forms[k];
            pairs += a->set == ISA_SET_PTO && b->set == ISA_SET_PTO && a->length == b->length &&
                     a->revs & b->revs & REV_0_58_3 && !((a->match ^ b->match) & a->mask & b->mask);
        }
    }
    assert_int_equal(pairs, 6);
}

static bool in_bucket(const uint16_t *bucket, size_t count, size_t form)
{
    for (size_t i = 0; i < count; i++) {
        if (bucket[i] == form)
            return true;
    }
    return false;
}

static void every_form_is_in_exactly_its_buckets(void **state)
{
    (void)state;
    for (size_t form = 0; form < ISA_FORM_COUNT; form++) {
        const struct isa_form *f = &isa_forms[form];
        for (unsigned low = 0; low < (f->set == ISA_SET_SEQ ? 256u : 128u); low++) {
            size_t count;
            const uint16_t *bucket = f->set == ISA_SET_SEQ
                                         ? isa_seq_bucket(low, &count)
                                         : isa_decode_bucket(f->length, low, &count);
            uint64_t bits = f->set == ISA_SET_SEQ ? 0xff : 0x7f;
            bool fits = ((low ^ f->match) & f->mask & bits) == 0;
            assert_int_equal(in_bucket(bucket, count, form), fits);
        }
    }
}

static void buckets_list_the_most_specific_form_first(void **state)
{
    (void)state;
    for (unsigned length = 2; length <= 8; length += 2) {
        for (unsigned low = 0; low < 128; low++) {
            size_t count;
            const uint16_t *bucket = isa_decode_bucket(length, low, &count);
            for (size_t i = 1; i < count; i++)
                assert_true(__builtin_popcountll(isa_forms[bucket[i - 1]].mask) >=
                            __builtin_popcountll(isa_forms[bucket[i]].mask));
        }
    }
}

static void buckets_outside_the_lengths_are_empty(void **state)
{
    static const unsigned rows[][2] = {{0, 0}, {1, 0}, {3, 0}, {10, 0}, {64, 0}, {4, 128}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t count = 1;
        assert_null(isa_decode_bucket(rows[i][0], rows[i][1], &count));
        assert_int_equal(count, 0);
    }
    size_t count = 1;
    assert_null(isa_seq_bucket(256, &count));
    assert_int_equal(count, 0);
    isa_seq_bucket(0xb7, &count); /* no generation has it */
    assert_int_equal(count, 0);
}

/* ---- look-ups ---- */

static void mnemonics_are_found_without_case(void **state)
{
    (void)state;
    for (size_t i = 0; i < ISA_MNEMONIC_COUNT; i++) {
        const char *name = isa_mnemonics[i].name;
        assert_ptr_equal(isa_find_mnemonic(name, strlen(name)), &isa_mnemonics[i]);
        if (i)
            assert_true(strcmp(isa_mnemonics[i - 1].name, name) < 0);
    }
    assert_non_null(isa_find_mnemonic("b.iot", 5));
    assert_ptr_equal(isa_find_mnemonic("b.iot", 5), isa_find_mnemonic("B.IOT", 5));
    assert_null(isa_find_mnemonic("B.IO", 4));
    assert_null(isa_find_mnemonic("B.IOTT", 6));
    assert_null(isa_find_mnemonic("", 0));
    assert_int_equal(isa_find_mnemonic("MOVE", 4)->set, ISA_SET_SEQ);
    assert_int_equal(isa_find_mnemonic("add", 3)->set, ISA_SET_PTO);
}

static void mnemonic_prefixes_end_at_dots(void **state)
{
    static const struct {
        const char *text, *mnemonic;
    } rows[] = {
        {"MOVE.UINT32", "MOVE"},
        {"fcvtz.fd2sd", "FCVTZ"},
        {"ld.add.aqrl", "LD.ADD"},
        {"BSTART.TMATMULMX.BIAS", "BSTART.TMATMULMX.BIAS"},
        {"BSTART.TMOV.L2S.INSERT", "BSTART.TMOV.L2S.INSERT"},
        {"BSTART.TADD", "BSTART.TADD"},
        {"hl.qmt.ies", "HL.QMT"},
        {"ldi.u", "LDI.U"},
        {"addx", NULL},
        {"ADD", "ADD"},
        {".add", NULL},
        {"", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t used = 99;
        const struct isa_mnemonic *m =
            isa_find_mnemonic_prefix(rows[i].text, strlen(rows[i].text), &used);
        if (!rows[i].mnemonic) {
            assert_null(m);
            assert_int_equal(used, 0);
            continue;
        }
        assert_non_null(m);
        assert_string_equal(m->name, rows[i].mnemonic);
        assert_int_equal(used, strlen(rows[i].mnemonic));
    }
}

static void spellings_of_a_form_are_together_and_indexed(void **state)
{
    (void)state;
    for (size_t form = 0; form < ISA_FORM_COUNT; form++) {
        const struct isa_form *f = &isa_forms[form];
        assert_true(f->nspellings > 0);
        for (size_t i = 0; i < f->nspellings; i++) {
            const struct isa_spelling *s = &isa_spellings[f->spelling + i];
            const struct isa_mnemonic *m = isa_find_mnemonic(s->mnemonic, strlen(s->mnemonic));
            assert_int_equal(s->form, form);
            assert_int_equal(s->revs & ~f->revs, 0);
            assert_non_null(m);
            assert_true(in_bucket(isa_mnemonic_index + m->first, m->count, f->spelling + i));
        }
    }
}

static void members_are_found_by_name_and_printed_by_value(void **state)
{
    const struct isa_enumeration *gpr = &isa_enumerations[ISA_ENUM_GPR];
    const struct isa_enumeration *dtype = &isa_enumerations[ISA_ENUM_SeqDtype];

    (void)state;
    assert_int_equal(isa_find_member(gpr, "R10", 3, ALL)->value, 10);
    assert_string_equal(isa_member_of_value(gpr, 10, ALL)->name, "ra");
    assert_null(isa_find_member(gpr, "r24", 3, ALL));
    assert_null(isa_find_member(gpr, "r1", 1, ALL));
    assert_null(isa_member_of_value(gpr, 24, ALL));
    assert_string_equal(isa_member_of_value(&isa_enumerations[ISA_ENUM_CMode], 0, ALL)->name, "EQ");
    assert_string_equal(isa_member_of_value(&isa_enumerations[ISA_ENUM_PEMode], 5, ALL)->name,
                        "1100");
    assert_null(isa_find_member(&isa_enumerations[ISA_ENUM_PEMode], "0101", 4, ALL));
    assert_int_equal(isa_find_member(&isa_enumerations[ISA_ENUM_PEMask], "0101", 4, ALL)->value, 5);
    assert_null(isa_find_member(dtype, "INT4", 4, 1 << ISA_GEN_CAYMAN));
    assert_int_equal(isa_find_member(dtype, "INT4", 4, 1 << ISA_GEN_MAVERICK)->value, 0x12);
    assert_int_equal(ISA_DataType_FP32, 1);
    assert_int_equal(ISA_TileLayout_ND2NZ, 4);
    assert_int_equal(
        isa_find_member(&isa_enumerations[ISA_ENUM_SystemRegister], "EVBASE_ACR2", 11, ALL)->value,
        0x2f01);
}

static void revisions_relocations_and_retired_names_are_found(void **state)
{
    (void)state;
    assert_int_equal(isa_find_revision("pto0.58.3", 9)->bit, REV_0_58_3);
    assert_int_equal(isa_find_revision("0.58.2", 6)->bit, REV_0_58_2);
    assert_int_equal(isa_find_revision("CAYMAN", 6)->set, ISA_SET_SEQ);
    assert_null(isa_find_revision("0.58", 4));
    assert_null(isa_find_revision("0.58.2", 6)->encoding_abi);
    assert_string_equal(isa_find_revision("0.58.5", 6)->encoding_abi,
                        "pto-isa-0.58.5-mode-function-v1");
    assert_string_equal(isa_reloc_by_number(4)->name, "R_LINX_B17_PCREL");
    assert_int_equal(isa_reloc_by_number(8)->is_signed, 0);
    assert_int_equal(isa_reloc_by_number(192)->page, 1);
    assert_int_equal(isa_reloc_by_number(195)->base, ISA_BASE_P4);
    assert_null(isa_reloc_by_number(18));
    assert_int_equal(isa_reloc_by_number(226)->set, ISA_SET_SEQ); /* the last */
    assert_null(isa_reloc_by_number(227));
    assert_null(isa_reloc_by_number(~0u));
    assert_string_equal(isa_foreign_reloc_by_number(18)->name, "R_LINX_PCR17_LOAD");
    assert_null(isa_foreign_reloc_by_number(4));
    assert_null(isa_foreign_reloc_by_number(999));
    assert_non_null(isa_find_retired("b.iod", 5));
    assert_non_null(isa_find_retired("TRESHAPE", 8));
    assert_null(isa_find_retired("B.IOT", 5));
    assert_int_equal(isa_find_retired("TTRANS", 6)->revs, REV_0_58_5);
}

static void relocation_ranges_follow_their_width(void **state)
{
    static const struct {
        unsigned number;
        int64_t min, max;
        unsigned shift, bytes;
    } rows[] = {
        {1, -2048, 2047, 1, 4},
        {2, -2097152, 2097151, 1, 4},
        {3, -2048, 2047, 1, 2},
        {4, -65536, 65535, 1, 4},
        {6, 0, 31, 1, 2},
        {7, 0, 1048575, 1, 4},
        {8, 0, 4294967295, 1, 6},
        {10, INT64_MIN, INT64_MAX, 0, 8},
        {11, -2147483648LL, 4294967295, 0, 4},
        {22, -16777216, 16777215, 1, 4},
        {25, -2147483648LL, 2147483647, 0, 4},
        {192, -524288, 524287, 12, 4},
        {193, 0, 4095, 0, 4},
        {194, -2147483648LL, 2147483647, 12, 6},
        {195, -65536, 65535, 2, 4},
        {198, -268435456, 268435455, 2, 6},
        {226, -2147483648LL, 2147483647, 0, 64},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct isa_reloc *r = isa_reloc_by_number(rows[i].number);
        assert_non_null(r);
        assert_int_equal(r->min, rows[i].min);
        assert_int_equal(r->max, rows[i].max);
        assert_int_equal(r->shift, rows[i].shift);
        assert_int_equal(r->bytes, rows[i].bytes);
    }
}

static void return_labels_are_patched_two_bytes_on(void **state)
{
    (void)state;
    const struct isa_form *call = find_form("bstart_call_32_9404418d1ae5", REV_0_58_3);
    const struct isa_form *icall = find_form("bstart_icall_32_50166001", REV_0_58_3);
    const struct isa_form *setret = find_form("c_setret_16_335651ef6c27", REV_0_58_3);
    const struct isa_form *branch = find_form("seq_compare_branch", 1 << ISA_GEN_CAYMAN);
    assert_int_equal(find_field(call, "simm12")->reloc_offset, 0);
    assert_int_equal(find_field(call, "uimm5")->reloc_offset, 2);
    assert_int_equal(find_field(icall, "uimm5")->reloc_offset, 2);
    assert_int_equal(find_field(setret, "uimm5")->reloc_offset, 0);
    assert_int_equal(find_field(branch, "br_immediate")->reloc_offset, 0);
    const struct isa_form *move = find_form("seq_move", 1 << ISA_GEN_CAYMAN);
    assert_int_equal(find_field(move, "immediate")->reloc_offset, 32);
    assert_int_equal(find_field(move, "immediate")->stride, 32);
}

/* ---- bits ---- */

static void split_fields_are_read_and_written(void **state)
{
    static const struct {
        const char *form, *field;
        uint64_t value;
        uint8_t bytes[8];
    } rows[] = {
        /* uimm17 = 31..20 low, 11..7 high */
        {"b_dim_32_27602ab68929", "uimm17", 0x10001, {0x00, 0x08, 0x10, 0x00}},
        {"b_dim_32_27602ab68929", "uimm17", 0x1ffff, {0x80, 0x0f, 0xf0, 0xff}},
        /* uimm of FENTRY starts at value bit 3 */
        {"fentry_32_a47584ec13b6", "uimm", 8, {0x00, 0x00, 0x00, 0x02}},
        {"fentry_32_a47584ec13b6", "uimm", 0x7ff8, {0x80, 0x0f, 0x00, 0xfe}},
        /* three pieces in a 48-bit word: 15..11, 27..23, 47..41 */
        {"hl_sbip_48_48a212ee655e", "simm17", 0x1081, {0x00, 0x08, 0x80, 0x00, 0x00, 0x02}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct isa_field *f = find_field(find_form(rows[i].form, REV_0_58_3), rows[i].field);
        uint8_t bytes[8] = {0}, ones[8];
        isa_set_bits(f->pieces, f->npieces, 0, rows[i].value, bytes);
        assert_memory_equal(bytes, rows[i].bytes, 8);
        assert_int_equal(isa_get_bits(f->pieces, f->npieces, 0, bytes), rows[i].value);
        memset(ones, 0xff, sizeof ones);
        isa_set_bits(f->pieces, f->npieces, 0, rows[i].value, ones);
        assert_int_equal(isa_get_bits(f->pieces, f->npieces, 0, ones), rows[i].value);
    }
}

static void array_elements_lie_a_stride_apart(void **state)
{
    uint8_t bytes[64] = {0};

    (void)state;
    const struct isa_field *f = find_field(find_form("seq_move", 1 << ISA_GEN_CAYMAN), "immediate");
    isa_set_bits(f->pieces, f->npieces, 7 * f->stride, 0xdeadbeef, bytes);
    assert_int_equal(bytes[60], 0xef);
    assert_int_equal(bytes[63], 0xde);
    assert_int_equal(isa_get_bits(f->pieces, f->npieces, 7 * f->stride, bytes), 0xdeadbeef);
    assert_int_equal(isa_get_bits(f->pieces, f->npieces, 6 * f->stride, bytes), 0);
}

static void values_have_places_of_their_own(void **state)
{
    (void)state;
    for (size_t form = 0; form < ISA_FORM_COUNT; form++) {
        const struct isa_form *f = &isa_forms[form];
        unsigned next = 0;
        for (size_t i = 0; i < f->nfields; i++) {
            assert_int_equal(f->fields[i].index, next);
            next += f->fields[i].count;
            assert_int_equal(isa_field_index(f, f->fields[i].name), i);
        }
        assert_int_equal(f->nvalues, next);
        assert_true(next <= ISA_MAX_VALUES);
        assert_true(f->length <= ISA_MAX_LENGTH);
    }
    assert_int_equal(isa_field_index(&isa_forms[0], ISA_FIELD_COUNT), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_the_published_ones),
        cmocka_unit_test(families_have_the_published_sizes),
        cmocka_unit_test(enumerations_have_the_published_sizes),
        cmocka_unit_test(all_forms_of_0_58_3_are_the_catalogue_s),
        cmocka_unit_test(all_command_forms_of_0_58_2_are_the_catalogue_s),
        cmocka_unit_test(all_forms_of_0_58_5_are_the_catalogue_s),
        cmocka_unit_test(fixed_bits_leave_the_catalogue_s_constants),
        cmocka_unit_test(tile_operations_are_the_catalogue_s),
        cmocka_unit_test(tmov_takes_shared_tiles_since_0_58_5),
        cmocka_unit_test(forms_are_found_in_another_revision),
        cmocka_unit_test(reserved_encodings_are_the_catalogue_s),
        cmocka_unit_test(deleted_selectors_of_0_58_5_are_reserved),
        cmocka_unit_test(six_pairs_overlap_by_mask_and_match),
        cmocka_unit_test(every_form_is_in_exactly_its_buckets),
        cmocka_unit_test(buckets_list_the_most_specific_form_first),
        cmocka_unit_test(buckets_outside_the_lengths_are_empty),
        cmocka_unit_test(mnemonics_are_found_without_case),
        cmocka_unit_test(mnemonic_prefixes_end_at_dots),
        cmocka_unit_test(spellings_of_a_form_are_together_and_indexed),
        cmocka_unit_test(members_are_found_by_name_and_printed_by_value),
        cmocka_unit_test(revisions_relocations_and_retired_names_are_found),
        cmocka_unit_test(relocation_ranges_follow_their_width),
        cmocka_unit_test(return_labels_are_patched_two_bytes_on),
        cmocka_unit_test(split_fields_are_read_and_written),
        cmocka_unit_test(array_elements_lie_a_stride_apart),
        cmocka_unit_test(values_have_places_of_their_own),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
