/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Validity of SEQ records. What one field may hold are the constraints of its
 * row in isa/seq.isa; the clauses here join several fields or read arrays.
 * Sources, and what is convention: docs/seq.md.
 */
#include "encoder/field.h"
#include "encoder/seq.h"

#include <stdarg.h>
#include <stdio.h>

enum { CLAUSE_TEXT = 1200, LENGTH_BYTE = 1, RECORD_WORDS = ISA_MAX_LENGTH / 4 };
enum { FIRST_READ_ONLY = 128, WINDOW_SHIFT = 24, UNSPECIFIED_MODES = 11 };

struct record {
    struct isa_insn in;
    isa_revset revs;
    uint64_t open; /* fields that a relocation will fill */
    isa_seq_report *report;
    void *ctx;
    unsigned count; /* clauses that were violated */
};

static void violate(struct record *r, const char *clause, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static void violate(struct record *r, const char *clause, const char *fmt, ...)
{
    char text[CLAUSE_TEXT];
    va_list ap;
    r->count++;
    if (!r->report)
        return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    r->report(r->ctx, clause, text);
}

static uint64_t value(const struct record *r, unsigned field)
{
    return isa_value(&r->in, field, 0);
}

static bool is_open(const struct record *r, unsigned field)
{
    return r->open >> isa_field_index(r->in.form, field) & 1;
}

static const struct isa_field *array_of(const struct record *r, unsigned field)
{
    return &r->in.form->fields[isa_field_index(r->in.form, field)];
}

static unsigned element(const struct record *r, unsigned field, unsigned k)
{
    return (unsigned)r->in.value[array_of(r, field)->index + k];
}

/* Specifiers 0..63 are general, 128 and 129 read the PC and ignore writes, all others illegal. */
static bool is_register(const struct record *r, uint64_t specifier)
{
    return isa_member_of_value(&isa_enumerations[ISA_ENUM_SeqRegister], specifier, r->revs);
}

static void check_register(struct record *r, unsigned field, const char *use)
{
    uint64_t specifier = value(r, field);
    if (!is_register(r, specifier))
        violate(r, isa_field_names[field], "%s is %llu, %s are 0..63, 128 and 129",
                isa_field_names[field], (unsigned long long)specifier, use);
}

static void check_readable(struct record *r, unsigned field)
{
    check_register(r, field, "readable");
}

static void check_writable(struct record *r, unsigned field)
{
    check_register(r, field, "writable (128 and 129 without effect)");
}

/* ---- MOVE: is_valid_ctrl_mv and the two notes of its header ---- */

static void check_move_slot(struct record *r, unsigned k, unsigned count)
{
    unsigned src = element(r, ISA_FIELD_src_registers, k);
    unsigned dst = element(r, ISA_FIELD_dst_registers, k);
    bool unused = count <= k;
    if (unused && src == 0)
        return;
    if (!is_register(r, src))
        violate(r, "src_registers", "src_registers[%u] is %u, readable are 0..63, 128 and 129%s", k,
                src, unused ? "; an unused slot must be 0" : "");
    if (!is_register(r, dst))
        violate(r, "dst_registers",
                "dst_registers[%u] is %u, writable are 0..63 (128 and 129 are ignored)", k, dst);
}

/* Slot in which register `dst` stands among the first `count` of `field`; `count` when in none. */
static unsigned slot_of(const struct record *r, unsigned field, unsigned count, unsigned dst)
{
    unsigned i = 0;
    while (i < count && element(r, field, i) != dst)
        i++;
    return i;
}

/* The notes speak of registers; the PC halves, whose writes are ignored, are none. */
static void check_move_lists(struct record *r, unsigned count)
{
    bool registers = value(r, ISA_FIELD_move_source) == ISA_SeqDataSource_REGISTER;
    for (unsigned k = 0; k < count; k++) {
        unsigned dst = element(r, ISA_FIELD_dst_registers, k);
        unsigned first = slot_of(r, ISA_FIELD_dst_registers, k, dst);
        if (dst < FIRST_READ_ONLY && first < k)
            violate(r, "unique_destinations", "destination R[%u] appears twice (slots %u and %u)",
                    dst, first, k);
    }
    for (unsigned k = 0; registers && k < count; k++) {
        unsigned dst = element(r, ISA_FIELD_dst_registers, k);
        unsigned from = slot_of(r, ISA_FIELD_src_registers, count, dst);
        if (dst < FIRST_READ_ONLY && from < count)
            violate(r, "no_overlap", "R[%u] is destination of slot %u and source of slot %u", dst,
                    k, from);
    }
}

static void check_move(struct record *r)
{
    unsigned slots = array_of(r, ISA_FIELD_src_registers)->count;
    unsigned count = (unsigned)value(r, ISA_FIELD_num_mov);
    for (unsigned k = 0; k < slots; k++)
        check_move_slot(r, k, count);
    check_move_lists(r, count < slots ? count : slots);
}

/* ---- ALU_OP and COMPARE_BRANCH ---- */

static bool is_pair(uint64_t dtype)
{
    return dtype == ISA_SeqDtype_UINT64 || dtype == ISA_SeqDtype_INT64;
}

static void check_dtype(struct record *r)
{
    if (value(r, ISA_FIELD_dtype) == ISA_SeqDtype_INVALID)
        violate(r, "dtype_invalid_check", "dtype is INVALID (0)");
}

static void check_alu(struct record *r)
{
    bool pair = is_pair(value(r, ISA_FIELD_dtype));
    bool second = value(r, ISA_FIELD_src1_datasrc) == ISA_SeqDataSource_REGISTER;
    check_dtype(r);
    check_readable(r, ISA_FIELD_src0_lo);
    if (pair)
        check_readable(r, ISA_FIELD_src0_hi);
    if (second)
        check_readable(r, ISA_FIELD_src1_lo);
    if (second && pair)
        check_readable(r, ISA_FIELD_src1_hi);
    check_writable(r, ISA_FIELD_dst_lo);
    if (pair)
        check_writable(r, ISA_FIELD_dst_hi);
}

static void check_branch(struct record *r)
{
    uint64_t compare = value(r, ISA_FIELD_cmp_op), mode = value(r, ISA_FIELD_target_mode);
    check_dtype(r);
    if (compare != ISA_SeqCompare_ALWAYS)
        check_readable(r, ISA_FIELD_cmp_reg0);
    if (isa_member_of_value(&isa_enumerations[ISA_ENUM_SeqCompareRegister], compare, r->revs))
        check_readable(r, ISA_FIELD_cmp_reg1);
    if (mode == ISA_SeqTargetMode_REGISTER || mode == ISA_SeqTargetMode_RELATIVE_REGISTER) {
        check_readable(r, ISA_FIELD_target_reg_lo);
        check_readable(r, ISA_FIELD_target_reg_hi);
    }
}

/* ---- tensor access ---- */

enum { TENSOR_ELEMENTS = 32, DATA_BYTES = 32 };

static void check_tensor_registers(struct record *r, unsigned count)
{
    bool pair = is_pair(value(r, ISA_FIELD_dtype));
    unsigned slots = array_of(r, ISA_FIELD_data)->count;
    for (unsigned k = 0; k < slots; k++) {
        unsigned n = element(r, ISA_FIELD_data, k);
        if (k < count && !is_register(r, n))
            violate(r, "data", "data[%u] is register %u, legal are 0..63, 128 and 129", k, n);
        if (pair && n % 2)
            violate(r, "even_registers", "data[%u] is %u, the registers of pairs are even", k, n);
    }
}

/* ADDR8: its high byte says what the rest is; all of it an address when the marker is 0. */
static void check_tensor_address(struct record *r, unsigned size)
{
    int64_t span = 0, low = 0;
    uint64_t start = value(r, ISA_FIELD_start_addr);
    if (start >> SEQ_MARKER_LSB & SEQ_MARKER_MASK || is_open(r, ISA_FIELD_start_addr))
        return;
    if (start % size)
        violate(r, "start_addr", "start_addr 0x%llx is not aligned to %u bytes",
                (unsigned long long)start, size);
    static const uint16_t counts[] = {ISA_FIELD_num_elem0, ISA_FIELD_num_elem1};
    static const uint16_t steps[] = {ISA_FIELD_step_elem0, ISA_FIELD_step_elem1};
    for (unsigned i = 0; i < 2; i++) {
        int64_t reach = ((int64_t)value(r, counts[i]) - 1) * (int64_t)value(r, steps[i]) * size;
        *(reach < 0 ? &low : &span) += reach;
    }
    uint64_t first = start + (uint64_t)low, last = start + (uint64_t)span + size - 1;
    if (first > last || first >> WINDOW_SHIFT != last >> WINDOW_SHIFT)
        violate(r, "window",
                "the access from 0x%llx to 0x%llx is not within one aligned 16 MB window",
                (unsigned long long)first, (unsigned long long)last);
}

static void check_tensor(struct record *r)
{
    uint64_t count = value(r, ISA_FIELD_num_elem0) * value(r, ISA_FIELD_num_elem1);
    struct seq_type t = seq_type_of(&r->in, r->revs);
    unsigned size = t.bits >= 8 ? t.bits / 8 : 1; /* smaller ones are no legal dtype */
    if (count > TENSOR_ELEMENTS)
        violate(r, "num_elem", "num_elem0 times num_elem1 is %llu, at most %d fit",
                (unsigned long long)count, TENSOR_ELEMENTS);
    else if (value(r, ISA_FIELD_src_datasrc) == ISA_SeqDataSource_REGISTER)
        check_tensor_registers(r, (unsigned)count);
    else if (count > DATA_BYTES / size)
        violate(r, "num_elem", "%llu immediates of %u bytes do not fit %d bytes",
                (unsigned long long)count, size, DATA_BYTES);
    if (isa_field_index(r->in.form, ISA_FIELD_start_addr) >= 0)
        check_tensor_address(r, size);
}

/* ---- semaphores ---- */

static void check_range_clear(struct record *r)
{
    unsigned first = (unsigned)value(r, ISA_FIELD_range_first);
    unsigned last = (unsigned)value(r, ISA_FIELD_range_last);
    if (value(r, ISA_FIELD_clear_mode) == ISA_SeqClearMode_RANGE && first > last)
        violate(r, "range", "range_first %u lies behind range_last %u", first, last);
}

static void check_poll(struct record *r)
{
    check_writable(r, ISA_FIELD_result_register);
}

static void check_test_ids(struct record *r, unsigned count)
{
    unsigned slots = array_of(r, ISA_FIELD_ids)->count;
    for (unsigned k = 0; k < slots; k++) {
        unsigned id = element(r, ISA_FIELD_ids, k);
        unsigned first = slot_of(r, ISA_FIELD_ids, k < count ? k : 0, id);
        if (k < count && first < k)
            violate(r, "ids", "ids[%u] and ids[%u] are both %u", first, k, id);
        if (k >= count && id)
            violate(r, "ids", "ids[%u] is %u, an unused one must be 0", k, id);
        unsigned reg = element(r, ISA_FIELD_value_registers, k);
        if (k < count && !is_register(r, reg))
            violate(r, "value_registers", "value_registers[%u] is %u, legal are 0..63, 128 and 129",
                    k, reg);
    }
}

static void check_test(struct record *r)
{
    struct seq_event e;
    uint64_t update = value(r, ISA_FIELD_update_type);
    check_test_ids(r, (unsigned)value(r, ISA_FIELD_num_evt_sem));
    if (seq_event_of_mode(&isa_enumerations[ISA_ENUM_SeqUpdateMode], update, true, r->revs, &e) &&
        seq_event_has_value(&e) && !e.by_register)
        violate(r, "update_type", "update_type is 0x%02llx, immediate updates are barred",
                (unsigned long long)update);
}

/* ---- all records ---- */

static const struct {
    uint16_t mnemonic;
    void (*check)(struct record *r);
} checks[] = {
    {ISA_MNEM_MOVE, check_move},
    {ISA_MNEM_ALU_OP, check_alu},
    {ISA_MNEM_COMPARE_BRANCH, check_branch},
    {ISA_MNEM_TENSOR_LOAD, check_tensor},
    {ISA_MNEM_TENSOR_STORE, check_tensor},
    {ISA_MNEM_PSEUDO_TENSOR_LOAD, check_tensor},
    {ISA_MNEM_PSEUDO_TENSOR_STORE, check_tensor},
    {ISA_MNEM_EVENT_SEMAPHORE_RANGE_CLEAR, check_range_clear},
    {ISA_MNEM_POLL_SEM, check_poll},
    {ISA_MNEM_TEST_EVENT_SEM, check_test},
};

static const char *constraint_clause(const struct isa_field *f)
{
    switch (f->name) {
    case ISA_FIELD_wait_mode:
    case ISA_FIELD_update_mode:
    case ISA_FIELD_ext_wait_mode:
    case ISA_FIELD_ext_update_mode:
        return "valid_event_modes";
    default:
        return field_name(f);
    }
}

static void check_constraint(struct record *r, const struct isa_constraint *c)
{
    const struct isa_field *f = &r->in.form->fields[c->field];
    unsigned long long found = r->in.value[f->index];
    struct phrase text = {0};
    if (constraint_holds(&r->in, c, r->revs))
        return;
    if (f->name == ISA_FIELD_target_mode && found < UNSPECIFIED_MODES) {
        violate(r, field_name(f), "target mode %llu is not publicly specified", found);
        return;
    }
    if (c->op == ISA_CONSTRAINT_MEMBER && c->set == ISA_ENUM_SeqAluOp) {
        phrase_revisions(&text, ISA_SET_SEQ, r->revs);
        violate(r, "is_valid_enum", "not supported op (0x%llx): no ALU operation of %s", found,
                text.text);
        return;
    }
    if (c->op == ISA_CONSTRAINT_MEMBER) {
        phrase_revisions(&text, ISA_SET_SEQ, r->revs);
        violate(r, constraint_clause(f), "%s 0x%02llx is no %s of %s", field_name(f), found,
                isa_enumerations[c->set].what, text.text);
        return;
    }
    phrase_legal(&text, r->in.form, NULL, c->field, r->revs);
    violate(r, constraint_clause(f), "%s is %llu, it must be %s", field_name(f), found, text.text);
}

/* The register of a *_REG value; *_REG_OFFSET keeps an offset above it. */
static void check_event_register(struct record *r, unsigned mode_field, unsigned value_field,
                                 bool update)
{
    struct seq_event e;
    const struct isa_enumeration *modes =
        &isa_enumerations[update ? ISA_ENUM_SeqUpdateMode : ISA_ENUM_SeqWaitMode];
    uint64_t found = value(r, value_field);
    if (!seq_event_of_mode(modes, value(r, mode_field), update, r->revs, &e) || !e.by_register)
        return;
    if (!is_register(r, e.offset ? found & SEQ_BASE_REGISTER : found))
        violate(r, isa_field_names[value_field], "%s names register %llu, which cannot be read",
                isa_field_names[value_field],
                (unsigned long long)(e.offset ? found & SEQ_BASE_REGISTER : found));
}

static void check_events(struct record *r)
{
    if (isa_field_index(r->in.form, ISA_FIELD_wait_mode) < 0)
        return;
    check_event_register(r, ISA_FIELD_wait_mode, ISA_FIELD_semaphore_value, false);
    check_event_register(r, ISA_FIELD_update_mode, ISA_FIELD_semaphore_value, true);
    if (isa_field_index(r->in.form, ISA_FIELD_ext_wait_mode) < 0)
        return;
    check_event_register(r, ISA_FIELD_ext_wait_mode, ISA_FIELD_sem_wait_value, false);
    check_event_register(r, ISA_FIELD_ext_update_mode, ISA_FIELD_sem_update_value, true);
}

bool isa_seq_extract(const struct isa_target *target, const uint8_t *bytes, struct isa_insn *out)
{
    size_t count;
    const uint16_t *bucket = isa_seq_bucket(bytes[0], &count);
    for (size_t i = 0; i < count; i++)
        if (isa_forms[bucket[i]].revs & target->seq) {
            extract_fields(&isa_forms[bucket[i]], bytes, out);
            return true;
        }
    return false;
}

/* Fields that are named reserved must be zero; bytes without a name are not judged. */
static void check_reserved(struct record *r)
{
    for (unsigned i = 0; i < r->in.form->nfields; i++) {
        const struct isa_field *f = &r->in.form->fields[i];
        if (f->name != ISA_FIELD_reserved1 && f->name != ISA_FIELD_reserved2)
            continue;
        for (unsigned k = 0; k < f->count; k++)
            if (r->in.value[f->index + k]) {
                violate(r, field_name(f), "%s is not zero", field_name(f));
                break;
            }
    }
}

static void check_opcode(struct record *r, uint8_t opcode)
{
    size_t count;
    const uint16_t *bucket = isa_seq_bucket(opcode, &count);
    struct phrase here = {0}, elsewhere = {0};
    phrase_revisions(&here, ISA_SET_SEQ, r->revs);
    if (!count) {
        violate(r, "has_valid_neuron_header", "opcode 0x%02x has no record", opcode);
        return;
    }
    phrase_revisions(&elsewhere, ISA_SET_SEQ, isa_forms[bucket[0]].revs);
    violate(r, "has_valid_neuron_header", "opcode 0x%02x (%s) is not in %s; %s has it", opcode,
            form_mnemonic(&isa_forms[bucket[0]]), here.text, elsewhere.text);
}

/* The only published terminators: HALT, and the runtime's sentinel, a PSEUDO_INST that ends the
 * execution. */
bool isa_seq_terminates(const struct isa_target *target, const uint8_t *bytes)
{
    struct record r = {.revs = target->seq};
    if (!isa_seq_extract(target, bytes, &r.in))
        return false;
    return r.in.form->klass == ISA_CLASS_SeqHalt ||
           (r.in.form->mnemonic == ISA_MNEM_PSEUDO_INST &&
            value(&r, ISA_FIELD_pseudo_opcode) == ISA_SeqPseudo_EXIT_EXECUTION);
}

unsigned isa_seq_validate(const struct isa_target *target, const uint8_t *bytes, uint64_t open,
                          isa_seq_report *report, void *ctx)
{
    struct record r = {.revs = target->seq, .open = open, .report = report, .ctx = ctx};
    if (!isa_seq_extract(target, bytes, &r.in)) {
        check_opcode(&r, bytes[0]);
        return r.count;
    }
    bool compact = r.in.form->mnemonic == ISA_MNEM_COMPACT_CONTROL_INST;
    if (!compact && bytes[LENGTH_BYTE] != RECORD_WORDS)
        violate(&r, "has_valid_inst_len", "inst_word_len is %u, it must be %d", bytes[LENGTH_BYTE],
                RECORD_WORDS);
    for (unsigned i = 0; i < r.in.form->nconstraints; i++)
        check_constraint(&r, &r.in.form->constraints[i]);
    check_events(&r);
    check_reserved(&r);
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (checks[i].mnemonic == r.in.form->mnemonic)
            checks[i].check(&r);
    return r.count;
}
