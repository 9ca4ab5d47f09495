/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The handler of a form is searched once, when it first occurs. Runs live in
 * an arena of their own; invalidated ones stay there unused until enough have
 * gathered, then everything is dropped between two runs.
 */
#include "sim/decode.h"

#include "sim/block.h"
#include "sim/memory.h"

enum { HASH_SIZE = 4096, MAX_OPS = 128, MAX_STALE = 4096, MAX_PTO_LENGTH = 8 };

struct blocks {
    struct arena *arena;
    const struct handler *handler[ISA_FORM_COUNT]; /* as handler_of found it */
    bool looked[ISA_FORM_COUNT];
    struct decoded *hash[HASH_SIZE];
    unsigned stale;
};

/* ---- handlers ---- */

static const struct handler_table *const tables[] = {
    &alu_handlers, &bru_handlers, &agu_handlers,    &amo_handlers,
    &sys_handlers, &fsu_handlers, &header_handlers, &template_handlers,
};

static const struct handler *search_handler(const struct isa_form *form)
{
    const struct handler *of_class = NULL;
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (size_t i = 0; i < tables[t]->count; i++) {
            const struct handler *h = &tables[t]->rows[i];
            if (h->mnemonic != ANY && h->mnemonic == form->mnemonic)
                return h;
            if (h->mnemonic == ANY && h->klass == form->klass)
                of_class = h;
        }
    return of_class;
}

/* Searched once a machine. */
static const struct handler *handler_of(struct blocks *blocks, const struct isa_form *form)
{
    size_t i = (size_t)(form - isa_forms);
    if (!blocks->looked[i]) {
        blocks->looked[i] = true;
        blocks->handler[i] = form->status == ISA_ACCEPTED ? search_handler(form) : NULL;
    }
    return blocks->handler[i];
}

void blocks_create(struct sim *s)
{
    s->blocks = arena_alloc(s->arena, sizeof *s->blocks);
    s->blocks->arena = arena_create(s->mem);
}

void blocks_destroy(struct sim *s)
{
    if (s->blocks)
        arena_destroy(s->blocks->arena);
}

unsigned blocks_list_unimplemented(const struct sim *s, struct buffer *out)
{
    unsigned count = 0;
    for (size_t i = 0; i < ISA_FORM_COUNT; i++) {
        const struct isa_form *f = &isa_forms[i];
        if (f->set != ISA_SET_PTO || f->status != ISA_ACCEPTED || handler_of(s->blocks, f))
            continue;
        buffer_printf(out, "%s\t%s\n", form_name(f), f->id);
        count++;
    }
    return count;
}

/* ---- operands ---- */

static const struct isa_field *find_field(const struct isa_insn *insn, unsigned name)
{
    int i = isa_field_index(insn->form, name);
    return i < 0 ? NULL : &insn->form->fields[i];
}

static uint64_t low_bits(uint64_t value, unsigned width)
{
    return width >= 64 ? value : value & ((UINT64_C(1) << width) - 1);
}

uint64_t field_unsigned(const struct isa_insn *insn, unsigned field)
{
    const struct isa_field *f = find_field(insn, field);
    return f ? low_bits(insn->value[f->index], f->width) : 0;
}

uint64_t field_signed(const struct isa_insn *insn, unsigned field)
{
    const struct isa_field *f = find_field(insn, field);
    if (!f)
        return 0;
    uint64_t sign = UINT64_C(1) << (f->width - 1);
    return (low_bits(insn->value[f->index], f->width) ^ sign) - sign;
}

uint8_t destination_cell(unsigned selector)
{
    enum { SELECT_U = 30, SELECT_T = 31 };
    if (selector == SELECT_T)
        return REG_PUSH_T;
    if (selector == SELECT_U)
        return REG_PUSH_U;
    return selector == 0 || selector >= SIM_GPRS ? REG_DISCARD : (uint8_t)selector;
}

static uint8_t source_cell(struct op *op, const struct isa_insn *insn, unsigned field)
{
    unsigned selector = (unsigned)field_unsigned(insn, field);
    if (selector >= REG_T)
        op->queue_need |= 1u << selector;
    return (uint8_t)selector;
}

static uint8_t destination(const struct isa_insn *insn, unsigned field)
{
    return find_field(insn, field) ? destination_cell((unsigned)field_unsigned(insn, field))
                                   : REG_DISCARD;
}

/* Immediate fields are signed or not by their name; at most one occurs in a form. */
static const struct {
    uint16_t field;
    bool is_signed;
} immediates[] = {
    {ISA_FIELD_simm, true},    {ISA_FIELD_simm5, true},   {ISA_FIELD_simm12, true},
    {ISA_FIELD_simm17, true},  {ISA_FIELD_simm22, true},  {ISA_FIELD_simm24, true},
    {ISA_FIELD_simm25, true},  {ISA_FIELD_simm32, true},  {ISA_FIELD_uimm5, false},
    {ISA_FIELD_uimm12, false}, {ISA_FIELD_uimm19, false}, {ISA_FIELD_uimm24, false},
    {ISA_FIELD_uimm32, false}, {ISA_FIELD_uimm, false},   {ISA_FIELD_imm, false},
    {ISA_FIELD_imm20, false},  {ISA_FIELD_imm32, false},
};

void prepare_operands(struct op *op, const struct isa_insn *insn)
{
    bool pair = find_field(insn, ISA_FIELD_RegDst0) != NULL;
    op->rd = destination(insn, pair ? ISA_FIELD_RegDst0 : ISA_FIELD_RegDst);
    op->rd1 = destination(insn, ISA_FIELD_RegDst1);
    op->ra = source_cell(op, insn, ISA_FIELD_SrcL);
    op->rb = source_cell(op, insn, ISA_FIELD_SrcR);
    static const uint16_t thirds[] = {ISA_FIELD_SrcD, ISA_FIELD_SrcP, ISA_FIELD_SrcA};
    for (size_t i = 0; i < sizeof thirds / sizeof *thirds; i++)
        if (find_field(insn, thirds[i]))
            op->rc = source_cell(op, insn, thirds[i]);
    op->shift = (uint8_t)field_unsigned(insn, ISA_FIELD_shamt);
    for (size_t i = 0; i < sizeof immediates / sizeof *immediates; i++)
        if (find_field(insn, immediates[i].field))
            op->imm = immediates[i].is_signed ? field_signed(insn, immediates[i].field)
                                              : field_unsigned(insn, immediates[i].field);
}

/* ---- ops that are no instruction of their own ---- */

/* Before the first scalar instruction of a run: it enters the body of an open block, and nothing
 * but a stop or start may follow ACRC. */
static enum exec_status exec_enter_body(struct pe *pe, const struct op *op)
{
    if (pe->block.terminal_pending)
        return after_acrc(pe, op);
    if (pe->block.active && pe->sim->auto_body)
        pe->block.body = true;
    return EXEC_NEXT;
}

/* The bytes of one instruction. In vectors, bytes beyond the end read as zero (README 5.4). */
static size_t fetch(struct sim *s, uint64_t pc, uint8_t bytes[MAX_PTO_LENGTH])
{
    memset(bytes, 0, MAX_PTO_LENGTH);
    size_t n = memory_fetch(s->memory, pc, bytes, MAX_PTO_LENGTH);
    return s->conformance && n >= 2 ? MAX_PTO_LENGTH : n;
}

static enum exec_status exec_undecodable(struct pe *pe, const struct op *op)
{
    struct sim *s = pe->sim;
    uint8_t bytes[MAX_PTO_LENGTH];
    size_t n = fetch(s, op->pc, bytes);
    struct isa_insn insn;
    struct isa_why why = {0};
    unsigned length;
    enum isa_decode_status status = isa_decode(&s->target, bytes, n, &insn, &length, &why);
    if (status == ISA_TRUNCATED)
        return op_fault(pe, op, FAULT_INSTRUCTION_PAGE, op->pc + n,
                        "the instruction continues at 0x%llx, which is not executable",
                        (unsigned long long)(op->pc + n));
    s->text.size = 0;
    isa_explain(status, &why, bytes, length, &s->text);
    return op_fault(pe, op, FAULT_ILLEGAL, op->pc, "%.*s", (int)s->text.size,
                    (const char *)s->text.data);
}

static enum exec_status exec_reserved(struct pe *pe, const struct op *op)
{
    return op_fault(pe, op, FAULT_ILLEGAL, op->pc, "%s is reserved in PTO",
                    form_name(op->insn->form));
}

static enum exec_status exec_unimplemented(struct pe *pe, const struct op *op)
{
    return op_fault(pe, op, FAULT_UNIMPLEMENTED, op->pc, "%s (form %s) is not implemented",
                    form_name(op->insn->form), op->insn->form->id);
}

/* ---- building a run ---- */

static bool is_command(const struct isa_form *form)
{
    return form->family && (!strcmp(form->family, "CMD") || !strcmp(form->family, "BBD"));
}

struct builder {
    struct sim *sim;
    struct op ops[MAX_OPS + 2]; /* each may need an op before it, and one ends the run */
    uint32_t nops, ninsns;
    uint64_t pc;
    bool last_was_scalar, ended;
    bool wants_condition; /* the run has begun a COND block, and nothing was decided since */
};

static struct op *add_op(struct builder *b, exec_fn exec)
{
    struct op *op = &b->ops[b->nops++];
    *op = (struct op){.exec = exec,
                      .pc = b->pc,
                      .rd = REG_DISCARD,
                      .rd1 = REG_DISCARD,
                      .before = (uint8_t)b->ninsns};
    return op;
}

static void enter_body_before(struct builder *b, const struct isa_form *form)
{
    bool scalar = form && !is_command(form);
    if (scalar && !b->last_was_scalar) {
        if (b->nops && b->ops[b->nops - 1].label == LABEL_START)
            b->ops[b->nops - 1].label = LABEL_START_BODY;
        struct op *op = add_op(b, exec_enter_body);
        op->flags = OP_PSEUDO;
        op->label = LABEL_ENTER_BODY;
    }
    b->last_was_scalar = scalar;
}

/* Keeps the values that the form has, not all that a form may have. */
static const struct isa_insn *keep_insn(struct blocks *blocks, const struct isa_insn *insn)
{
    size_t size = offsetof(struct isa_insn, value) + insn->form->nvalues * sizeof insn->value[0];
    return arena_copy(blocks->arena, insn, size);
}

static void end_run(struct builder *b, struct op *op)
{
    op->flags |= OP_ENDS;
    b->ended = true;
}

static void add_undecodable(struct builder *b, const struct isa_form *form, unsigned length)
{
    enter_body_before(b, form);
    struct op *op = add_op(b, exec_undecodable);
    op->length = (uint8_t)length;
    if (form && !is_command(form)) {
        const struct handler *h = handler_of(b->sim->blocks, form);
        op->rule = h ? h->rule : RULE_ANYWHERE;
    }
    op->label = op->rule ? LABEL_CHECKED : LABEL_CALL;
    end_run(b, op);
}

/* Checks that the loop makes before the op, but for what the run itself makes sure: the first SETC
 * behind the start of a COND block is where it belongs. */
static void add_checks(struct builder *b, struct op *op)
{
    bool decided = op->rule == RULE_CONDITION && b->wants_condition && b->sim->auto_body;
    bool opens = op->label == LABEL_START && op->aux == TRANSFER_COND;
    b->wants_condition = opens || (b->wants_condition && op->rule == RULE_ANYWHERE &&
                                   op->label != LABEL_START && b->last_was_scalar);
    if ((op->rule && !decided) || op->queue_need) {
        op->checked = op->label;
        op->label = LABEL_CHECKED;
    }
}

/* False: the instruction must begin a run of its own. */
static bool add_insn(struct builder *b, const struct isa_insn *insn, unsigned length)
{
    struct blocks *blocks = b->sim->blocks;
    const struct handler *h = handler_of(blocks, insn->form);
    if (h && h->flags & HANDLER_ALONE && b->ninsns)
        return false;
    enter_body_before(b, insn->form);
    exec_fn missing = insn->form->status == ISA_ACCEPTED ? exec_unimplemented : exec_reserved;
    struct op *op = add_op(b, h ? h->exec : missing);
    op->length = (uint8_t)length;
    op->insn = keep_insn(blocks, insn);
    if (h) {
        op->aux = h->argument;
        op->rule = h->rule;
        op->flags = h->flags & OP_ENDS;
        op->label = h->label;
        if (h->prepare)
            h->prepare(op, op->insn);
        add_checks(b, op);
    }
    if (!h || h->flags & (OP_ENDS | HANDLER_ALONE))
        end_run(b, op);
    return true;
}

static void build(struct builder *b)
{
    struct sim *s = b->sim;
    while (!b->ended && b->ninsns < MAX_OPS / 2) {
        uint8_t bytes[MAX_PTO_LENGTH];
        size_t n = fetch(s, b->pc, bytes);
        if (n < 2)
            break;
        struct isa_insn insn;
        struct isa_why why = {0};
        unsigned length;
        enum isa_decode_status status = isa_decode(&s->target, bytes, n, &insn, &length, &why);
        if (status == ISA_RESERVED_VALUE && tile_takes_reserved(s, &insn, &why))
            status = ISA_DECODED;
        if (status != ISA_DECODED)
            add_undecodable(b, status == ISA_RESERVED_VALUE ? why.form : NULL, length);
        else if (!add_insn(b, &insn, length))
            break;
        b->ninsns++;
        b->pc += length;
        if (b->pc == s->code_end || b->pc == s->sentinel)
            break;
    }
}

/* ---- the cache ---- */

static size_t hash_of(uint64_t pc)
{
    return (size_t)((pc >> 1) * UINT64_C(0x9e3779b97f4a7c15) >> 40) % HASH_SIZE;
}

static void drop_all(struct blocks *blocks)
{
    arena_reset(blocks->arena);
    memset(blocks->hash, 0, sizeof blocks->hash);
    blocks->stale = 0;
}

static struct decoded *decode_run(struct sim *s, uint64_t pc)
{
    struct blocks *blocks = s->blocks;
    struct builder b = {.sim = s, .pc = pc};
    build(&b);
    if (!b.ninsns)
        return NULL;
    struct decoded *run = arena_alloc(blocks->arena, sizeof *run);
    run->pc = pc;
    run->end = b.pc;
    struct op *end = add_op(&b, NULL); /* stops the dispatch loop */
    end->label = LABEL_END;
    end->flags = OP_PSEUDO;
    run->ops = arena_copy(blocks->arena, b.ops, b.nops * sizeof *b.ops);
    run->nops = b.nops;
    run->ninsns = b.ninsns;
    run->valid = true;
    run->hash_next = blocks->hash[hash_of(pc)];
    blocks->hash[hash_of(pc)] = run;
    memory_mark_code(s->memory, pc, b.pc - pc);
    memory_drop_caches(s);
    return run;
}

void blocks_collect(struct sim *s)
{
    if (s->blocks->stale > MAX_STALE)
        drop_all(s->blocks);
}

struct decoded *blocks_at(struct sim *s, uint64_t pc)
{
    for (struct decoded *run = s->blocks->hash[hash_of(pc)]; run; run = run->hash_next)
        if (run->pc == pc)
            return run;
    return decode_run(s, pc);
}

void blocks_invalidate(struct sim *s, uint64_t page)
{
    struct blocks *blocks = s->blocks;
    uint64_t first = page << MEM_PAGE_BITS, last = first + MEM_PAGE_SIZE - 1;
    s->code_changed = true;
    for (size_t i = 0; i < HASH_SIZE; i++)
        for (struct decoded **link = &blocks->hash[i]; *link;) {
            struct decoded *run = *link;
            if (run->end - 1 < first || run->pc > last) {
                link = &run->hash_next;
                continue;
            }
            run->valid = false;
            *link = run->hash_next;
            blocks->stale++;
        }
    memory_unmark_code(s->memory, page);
}
