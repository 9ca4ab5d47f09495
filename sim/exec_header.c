/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Starts, stops and header commands (asl/block/model/dispatch/commands.asl,
 * start.asl). Header commands stand between a start and the body, most of them
 * once.
 */
#include "sim/block.h"
#include "sim/decode.h"

enum { HALFWORD = 2 };

/* ---- starts ---- */

/* What prepare_start keeps in an op: aux = transfer, size = block kind, imm = target, shift = bytes
 * to the return address. */

static enum block_transfer transfer_of_branch_type(uint64_t type)
{
    switch (type) {
    case ISA_BrType_IND:
        return TRANSFER_IND;
    case ISA_BrType_RET:
        return TRANSFER_RET;
    default:
        return TRANSFER_FALL;
    }
}

static const struct {
    const char *word;
    enum block_transfer transfer;
} transfer_words[] = {
    {"DIRECT", TRANSFER_DIRECT}, {"COND", TRANSFER_COND}, {"RET", TRANSFER_RET},
    {"IND", TRANSFER_IND},       {"FALL", TRANSFER_FALL},
};

/* The transfer is a literal word of the form's operands. */
static enum block_transfer transfer_of_form(const struct isa_form *form)
{
    const struct isa_spelling *sp = &isa_spellings[form->spelling];
    for (unsigned i = 0; i < sp->noperands; i++)
        for (size_t w = 0; w < sizeof transfer_words / sizeof *transfer_words; w++)
            if (sp->operands[i].form == ISA_OPERAND_LITERAL && sp->operands[i].text &&
                !strcmp(sp->operands[i].text, transfer_words[w].word))
                return transfer_words[w].transfer;
    return TRANSFER_FALL;
}

static enum block_transfer transfer_of(const struct isa_insn *insn)
{
    switch (insn->form->mnemonic) {
    case ISA_MNEM_BSTART_CALL:
        return TRANSFER_CALL;
    case ISA_MNEM_BSTART_ICALL:
        return TRANSFER_ICALL;
    default:
        break;
    }
    if (isa_field_index(insn->form, ISA_FIELD_BrType) >= 0)
        return transfer_of_branch_type(field_unsigned(insn, ISA_FIELD_BrType));
    return transfer_of_form(insn->form);
}

static uint64_t start_target(const struct pe *pe, const struct op *op)
{
    switch (op->aux) {
    case TRANSFER_RET:
        return pe->return_address;
    case TRANSFER_IND:
    case TRANSFER_ICALL:
        return pe->block.bpcn;
    default:
        return op->imm;
    }
}

/* The operation that the word selects, by the form or by its Mode and Function. */
static const struct isa_tileop *selected_operation(const struct sim *s, const struct isa_insn *in)
{
    enum { FUNCTION_BITS = 5 };
    if (in->form->tileop)
        return &isa_tileops[in->form->tileop - 1];
    unsigned selector = (unsigned)(field_unsigned(in, ISA_FIELD_Mode) << FUNCTION_BITS |
                                   field_unsigned(in, ISA_FIELD_Function));
    const struct isa_tileop *op = isa_tileop_of(ISA_ENGINE_VEC, selector, s->target.pto);
    return op ? op : isa_tileop_of(ISA_ENGINE_SFU, selector, s->target.pto);
}

static enum bundle_class class_of_engine(unsigned engine)
{
    switch (engine) {
    case ISA_ENGINE_TLSU:
        return BUNDLE_MEMORY;
    case ISA_ENGINE_CUBE:
        return BUNDLE_MATRIX;
    default:
        return BUNDLE_ELEMENT;
    }
}

/* The model files TMOV under element blocks and GMOV under standard ones; the prose has both in
 * the memory engine. */
static enum block_kind kind_of_operation(const struct sim *s, const struct isa_tileop *op)
{
    static const enum block_kind of_class[] = {BLOCK_STANDARD, BLOCK_ELEMENT, BLOCK_MEMORY,
                                               BLOCK_MATRIX};
    if (s->options.profile == SIM_PROFILE_PTO_V0) {
        if (!strncmp(op->name, "TMOV", 4))
            return BLOCK_ELEMENT;
        if (op == &isa_tileops[ISA_TILEOP_GMOV])
            return BLOCK_STANDARD;
    }
    return of_class[class_of_engine(op->engine)];
}

static bool is_tile_start(const struct isa_form *form)
{
    return isa_field_index(form, ISA_FIELD_DataType) >= 0;
}

const struct isa_tileop *block_operation(const struct sim *s, const struct isa_insn *insn)
{
    bool start = insn->form->klass == ISA_CLASS_ExecuteBundleStart && is_tile_start(insn->form);
    return start ? selected_operation(s, insn) : NULL;
}

static enum block_kind kind_of_start(const struct isa_form *form)
{
    switch (form->mnemonic) {
    case ISA_MNEM_BSTART_FP:
    case ISA_MNEM_C_BSTART_FP:
        return BLOCK_FLOATING;
    case ISA_MNEM_BSTART_SYS:
    case ISA_MNEM_C_BSTART_SYS:
        return BLOCK_SYSTEM;
    default:
        return BLOCK_STANDARD;
    }
}

/* In bytes from the start on. */
static uint8_t return_offset(const struct op *op, const struct isa_insn *insn)
{
    if (isa_field_index(insn->form, ISA_FIELD_uimm5) < 0)
        return op->length;
    return (uint8_t)(op->length - HALFWORD + field_unsigned(insn, ISA_FIELD_uimm5) * HALFWORD);
}

/* Scalar blocks whose target is known have a case of the loop. */
static bool is_plain_start(const struct op *op, const struct isa_insn *insn)
{
    bool known = op->aux == TRANSFER_FALL || op->aux == TRANSFER_DIRECT ||
                 op->aux == TRANSFER_COND || op->aux == TRANSFER_CALL || op->aux == TRANSFER_RET;
    return known && !is_tile_start(insn->form);
}

static void prepare_start(struct op *op, const struct isa_insn *insn)
{
    static const uint16_t offsets[] = {ISA_FIELD_simm12, ISA_FIELD_simm17, ISA_FIELD_simm25};
    op->aux = (uint8_t)transfer_of(insn);
    op->size = (uint8_t)kind_of_start(insn->form);
    op->shift = return_offset(op, insn);
    if (op->aux == TRANSFER_FALL)
        op->imm = op->pc + op->length;
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets && op->aux != TRANSFER_FALL; i++)
        if (isa_field_index(insn->form, offsets[i]) >= 0)
            op->imm = op->pc + field_signed(insn, offsets[i]) * HALFWORD;
    if (is_plain_start(op, insn))
        op->label = LABEL_START;
}

static void describe_operation(struct bundle *b, const struct isa_insn *in,
                               const struct isa_tileop *operation)
{
    b->form = in->form;
    if (!operation)
        return;
    b->op = operation;
    b->klass = class_of_engine(operation->engine);
    b->selector = b->klass == BUNDLE_ELEMENT ? operation->selector : operation->function;
    b->has_data_type = true;
    b->data_type = (uint8_t)field_unsigned(in, ISA_FIELD_DataType);
}

static bool retiring_bpcn_available(const struct block *b)
{
    return b->active && (b->kind == BLOCK_STANDARD || b->kind == BLOCK_FLOATING);
}

/* A transfer that the retiring block has taken wins over the start that ends it; the executable
 * model loses it (spec/pto-isa.md C.1). */
static bool taken_by_retiring(const struct pe *pe)
{
    return pe->sim->options.profile == SIM_PROFILE_IEEE && block_leaves(&pe->block);
}

static enum exec_status exec_start(struct pe *pe, const struct op *op)
{
    struct sim *s = pe->sim;
    if (taken_by_retiring(pe))
        return block_complete(pe, op, op->pc);
    bool tile = is_tile_start(op->insn->form);
    const struct isa_tileop *operation = block_operation(s, op->insn);
    if (tile && !operation)
        return op_fault(pe, op, FAULT_ILLEGAL, op->pc, "the start selects no tile operation");
    bool reads_bpcn = op->aux == TRANSFER_IND || op->aux == TRANSFER_ICALL;
    if (reads_bpcn && !retiring_bpcn_available(&pe->block))
        return op_fault(pe, op, FAULT_BUNDLE, op->pc,
                        "an indirect start needs an open STD or FP block that set its target");
    uint64_t target = start_target(pe, op);
    if (target & 1)
        return op_fault(pe, op, FAULT_INSTRUCTION_PC, target, "the target 0x%llx is odd",
                        (unsigned long long)target);
    if (pe->block.active) {
        enum exec_status status = block_complete(pe, op, op->pc);
        if (status != EXEC_JUMP)
            return status;
    }
    struct block_start start = {
        .pc = op->pc,
        .target = target,
        .sequential = op->pc + op->length,
        .return_target = op->pc + op->shift,
        .kind = tile ? kind_of_operation(s, operation) : (enum block_kind)op->size,
        .transfer = op->aux,
    };
    block_begin(pe, &start);
    describe_operation(&pe->block.header, op->insn, operation);
    pe->block.header_used = tile;
    return EXEC_NEXT;
}

static enum exec_status exec_stop(struct pe *pe, const struct op *op)
{
    return block_complete(pe, op, op->pc + op->length);
}

/* ---- header commands ---- */

static uint8_t number(const struct op *op, unsigned field)
{
    return (uint8_t)field_unsigned(op->insn, field);
}

static bool flag(const struct op *op, unsigned field)
{
    return field_unsigned(op->insn, field) != 0;
}

/* EXEC_NEXT when a header command may stand here and has not been used yet. */
static enum exec_status header_place(struct pe *pe, const struct op *op, bool used)
{
    const char *name = form_name(op->insn->form);
    if (pe->block.terminal_pending)
        return after_acrc(pe, op);
    if (!pe->block.active)
        return op_fault(pe, op, FAULT_BUNDLE, op->pc, "%s outside a block", name);
    if (pe->block.body)
        return op_fault(pe, op, FAULT_BUNDLE, op->pc,
                        "%s in the body: header commands come before scalar code", name);
    if (used)
        return op_fault(pe, op, FAULT_BUNDLE, op->pc, "%s is used twice in the header", name);
    pe->block.header_used = true;
    return EXEC_NEXT;
}

static enum exec_status exec_catr(struct pe *pe, const struct op *op)
{
    struct bundle_catr *c = &pe->block.header.catr;
    enum exec_status status = header_place(pe, op, c->present);
    if (status != EXEC_NEXT)
        return status;
    *c = (struct bundle_catr){
        .present = true,
        .trap = flag(op, ISA_FIELD_trap),
        .atomic = flag(op, ISA_FIELD_atom),
        .acquire = flag(op, ISA_FIELD_aq),
        .release = flag(op, ISA_FIELD_rl),
        .far = flag(op, ISA_FIELD_far),
        .dr = flag(op, ISA_FIELD_DR),
    };
    return EXEC_NEXT;
}

static enum exec_status exec_datr(struct pe *pe, const struct op *op)
{
    struct bundle_datr *d = &pe->block.header.datr;
    enum exec_status status = header_place(pe, op, d->present);
    if (status != EXEC_NEXT)
        return status;
    *d = (struct bundle_datr){
        .present = true,
        .data_type = number(op, ISA_FIELD_DataType),
        .layout = number(op, ISA_FIELD_Layout),
        .pad = number(op, ISA_FIELD_PadValueOrByteId),
        .cmode = number(op, ISA_FIELD_CMode),
        .rmode = number(op, ISA_FIELD_RMode),
        .sat = flag(op, ISA_FIELD_Sat),
        .canonicalize = flag(op, ISA_FIELD_Canonicalize),
    };
    return EXEC_NEXT;
}

static enum exec_status exec_fpatr(struct pe *pe, const struct op *op)
{
    struct bundle *h = &pe->block.header;
    enum exec_status status = header_place(pe, op, h->fpatr.present);
    if (status != EXEC_NEXT)
        return status;
    if (h->form && h->klass != BUNDLE_MATRIX && !tile_takes_fpatr(pe->sim, h))
        return op_fault(pe, op, FAULT_BUNDLE, op->pc, "B.FPATR is for CUBE blocks only");
    if (h->ior_present || h->niot || h->nios)
        return op_fault(pe, op, FAULT_BUNDLE, op->pc,
                        "B.FPATR must come before B.IOR, B.IOT and B.IOS");
    struct isa_fpatr f = {
        .present = true,
        .pre_quant_mode = number(op, ISA_FIELD_PreQuantMode),
        .relu_mode = number(op, ISA_FIELD_ReluMode),
        .group_n_code = number(op, ISA_FIELD_GroupNCode),
        .row_max_en = flag(op, ISA_FIELD_RowMaxEn),
        .group_max_en = flag(op, ISA_FIELD_GroupMaxEn),
        .row_max_init = flag(op, ISA_FIELD_RowMaxInit),
        .max_abs_en = flag(op, ISA_FIELD_MaxAbsEn),
        .trans_a = flag(op, ISA_FIELD_TransA),
        .trans_b = flag(op, ISA_FIELD_TransB),
        .c_scale_en = isa_field_index(op->insn->form, ISA_FIELD_CScaleEn) >= 0 &&
                      flag(op, ISA_FIELD_CScaleEn),
    };
    const char *problem = isa_fpatr_problem(&f);
    if (problem)
        return op_fault(pe, op, FAULT_TILE_LEGALITY, op->pc, "B.FPATR: %s", problem);
    h->fpatr = f;
    return EXEC_NEXT;
}

/* aux = LB number, imm = the immediate, ra = the register. */
static void prepare_dimension(struct op *op, const struct isa_insn *insn)
{
    bool compressed = isa_field_index(insn->form, ISA_FIELD_LoopNest) >= 0;
    if (compressed) {
        op->aux = (uint8_t)field_unsigned(insn, ISA_FIELD_LoopNest);
        op->imm = field_unsigned(insn, ISA_FIELD_imm8);
        return;
    }
    op->ra = (uint8_t)field_unsigned(insn, ISA_FIELD_RegSrc);
    op->imm = field_unsigned(insn, ISA_FIELD_uimm17);
    switch (insn->form - isa_forms) {
    case ISA_FORM_b_dim_32_27602ab68929:
        op->aux = 0;
        break;
    case ISA_FORM_b_dim_32_4191099a5f4d:
        op->aux = 1;
        break;
    default:
        op->aux = 2;
        break;
    }
}

static enum exec_status exec_dimension(struct pe *pe, const struct op *op)
{
    enum { LB_MASK = 0xffff };
    struct bundle *h = &pe->block.header;
    enum exec_status status = header_place(pe, op, false);
    if (status != EXEC_NEXT)
        return status;
    if (h->lb_present[op->aux])
        return op_fault(pe, op, FAULT_BUNDLE, op->pc, "LB%u is set twice in the header", op->aux);
    h->lb_present[op->aux] = true;
    h->lb[op->aux] = (pe->reg[op->ra] + op->imm) & LB_MASK;
    return EXEC_NEXT;
}

static enum exec_status exec_ior(struct pe *pe, const struct op *op)
{
    struct bundle *h = &pe->block.header;
    enum exec_status status = header_place(pe, op, h->ior_present);
    if (status != EXEC_NEXT)
        return status;
    h->ior_present = true;
    h->ior_destination = number(op, ISA_FIELD_RegDst);
    h->ior_source[0] = number(op, ISA_FIELD_RegSrc0);
    h->ior_source[1] = number(op, ISA_FIELD_RegSrc1);
    h->ior_source[2] = number(op, ISA_FIELD_RegSrc2);
    return EXEC_NEXT;
}

/* asl: PTOv0PEMaskOfPEMode; revision 0.58.2 encodes the mask itself. */
static uint8_t mask_of(const struct pe *pe, const struct op *op)
{
    static const uint8_t of_mode[] = {0, 8, 4, 2, 1, 12, 14, 15};
    (void)pe;
    if (isa_field_index(op->insn->form, ISA_FIELD_PEMode) >= 0)
        return of_mode[field_unsigned(op->insn, ISA_FIELD_PEMode) & 7];
    return number(op, ISA_FIELD_PE_MASK);
}

static uint8_t size_code_of(const struct op *op)
{
    return isa_field_index(op->insn->form, ISA_FIELD_SizeCode) >= 0 ? number(op, ISA_FIELD_SizeCode)
                                                                    : number(op, ISA_FIELD_TSize);
}

/* Zero participation is a strict no-op, before every placement check. */
static enum exec_status no_participation(struct pe *pe, const struct op *op)
{
    if (pe->block.terminal_pending)
        return after_acrc(pe, op);
    if (pe->block.active && !pe->block.body)
        pe->block.header.zero_participation = pe->block.header_used = true;
    return EXEC_NEXT;
}

static const char *mask_text(uint8_t mask, char text[5])
{
    for (unsigned i = 0; i < SIM_PES; i++)
        text[i] = mask & pe_bit(i) ? '1' : '0';
    text[SIM_PES] = 0;
    return text;
}

static enum exec_status mask_differs(struct pe *pe, const struct op *op, uint8_t mask,
                                     uint8_t before)
{
    char a[5], b[5];
    return op_fault(pe, op, FAULT_TILE_LEGALITY, op->pc,
                    "mask %s differs from the bundle's mask %s", mask_text(mask, a),
                    mask_text(before, b));
}

static bool iot_closed(const struct bundle *h)
{
    return h->niot && h->iot[h->niot - 1].last;
}

/* TMOV from Local to Shared takes its destinations from B.IOS. */
static bool is_local_to_shared(const struct bundle *h)
{
    return h->op == &isa_tileops[ISA_TILEOP_TMOV_L2S_INSERT] ||
           h->op == &isa_tileops[ISA_TILEOP_TMOV_L2S_PUBLISH];
}

static void read_iot(const struct op *op, uint8_t mask, struct bundle_iot *out)
{
    const struct isa_form *form = op->insn->form;
    *out = (struct bundle_iot){.mask = mask, .last = flag(op, ISA_FIELD_L)};
    out->has_destination = isa_field_index(form, ISA_FIELD_DstTile) >= 0;
    if (out->has_destination) {
        out->hand = number(op, ISA_FIELD_DstTile);
        out->size_code = size_code_of(op);
    }
    if (isa_field_index(form, ISA_FIELD_SrcTile0) >= 0)
        out->source[out->nsources++] = number(op, ISA_FIELD_SrcTile0);
    if (isa_field_index(form, ISA_FIELD_SrcTile1) >= 0)
        out->source[out->nsources++] = number(op, ISA_FIELD_SrcTile1);
}

static enum exec_status exec_iot(struct pe *pe, const struct op *op)
{
    struct bundle *h = &pe->block.header;
    uint8_t mask = mask_of(pe, op);
    if (mask == 0)
        return no_participation(pe, op);
    enum exec_status status = header_place(pe, op, false);
    if (status != EXEC_NEXT)
        return status;
    if (iot_closed(h))
        return op_fault(pe, op, FAULT_BUNDLE, op->pc, "B.IOT after the one marked `last`");
    if (h->niot && h->iot[0].mask != mask)
        return mask_differs(pe, op, mask, h->iot[0].mask);
    struct bundle_iot iot;
    read_iot(op, mask, &iot);
    if (iot.has_destination && is_local_to_shared(h))
        return op_fault(pe, op, FAULT_TILE_LEGALITY, op->pc, "%s takes no local destination",
                        h->op->name);
    if (h->niot == SIM_IOT_LIMIT)
        return op_fault(pe, op, FAULT_TILE_LEGALITY, op->pc, "more than %d B.IOT commands",
                        SIM_IOT_LIMIT);
    h->iot[h->niot++] = iot;
    return EXEC_NEXT;
}

static enum exec_status exec_ios(struct pe *pe, const struct op *op)
{
    struct bundle *h = &pe->block.header;
    uint8_t mask = mask_of(pe, op);
    if (mask == 0)
        return no_participation(pe, op);
    enum exec_status status = header_place(pe, op, false);
    if (status != EXEC_NEXT)
        return status;
    uint8_t id = number(op, ISA_FIELD_SharedTID);
    if (h->niot && h->iot[0].mask != mask)
        return mask_differs(pe, op, mask, h->iot[0].mask);
    if (h->nios && h->ios[0].mask != mask)
        return mask_differs(pe, op, mask, h->ios[0].mask);
    for (unsigned i = 0; i < h->nios; i++)
        if (h->ios[i].id == id)
            return op_fault(pe, op, FAULT_BUNDLE, op->pc, "S%u is bound twice", id);
    if (h->nios == SIM_IOS_LIMIT)
        return op_fault(pe, op, FAULT_BUNDLE, op->pc, "more than %d B.IOS commands", SIM_IOS_LIMIT);
    h->ios[h->nios++] = (struct bundle_ios){id, size_code_of(op), mask};
    return EXEC_NEXT;
}

/* B.HINT TRACE stands for an empty standard block. */
static enum exec_status begin_trace(struct pe *pe, const struct op *op)
{
    if (pe->block.active) {
        enum exec_status status = block_complete(pe, op, op->pc);
        if (status != EXEC_JUMP || pe->pc != op->pc)
            return status;
    }
    uint64_t next = op->pc + op->length;
    block_begin(pe, &(struct block_start){op->pc, next, next, next, BLOCK_STANDARD, TRANSFER_FALL});
    return EXEC_NEXT;
}

static enum exec_status exec_hint(struct pe *pe, const struct op *op)
{
    struct bundle_hint *h = &pe->block.header.hint;
    bool trace = isa_field_index(op->insn->form, ISA_FIELD_B_E) >= 0;
    enum exec_status status = trace && !pe->block.terminal_pending
                                  ? begin_trace(pe, op)
                                  : header_place(pe, op, h->present);
    if (status != EXEC_NEXT)
        return status;
    pe->block.header_used = true;
    *h = (struct bundle_hint){
        .present = true,
        .trace = trace,
        .trace_end = flag(op, ISA_FIELD_B_E),
        .branch_valid = flag(op, ISA_FIELD_V),
        .branch_likely = flag(op, ISA_FIELD_L_UL),
        .temperature = number(op, ISA_FIELD_temp),
        .prefetch_size = (uint16_t)field_unsigned(op->insn, ISA_FIELD_prefetch_size),
    };
    pe->epoch_hint++;
    return EXEC_NEXT;
}

/* ---- the table ---- */

static const struct handler rows[] = {
    BY_CLASS(ExecuteBundleStart, .exec = exec_start, .prepare = prepare_start),
    BY_CLASS(ExecuteBundleStop, .exec = exec_stop, .label = LABEL_STOP, .flags = OP_ENDS),
    BY_CLASS(SetBundleControlAttributes, .exec = exec_catr),
    BY_CLASS(SetBundleDataAttributes, .exec = exec_datr),
    BY_CLASS(SetBundleFixedPointAttributes, .exec = exec_fpatr),
    BY_CLASS(SetBundleDimension, .exec = exec_dimension, .prepare = prepare_dimension),
    BY_CLASS(BindBundleScalarIO, .exec = exec_ior),
    BY_CLASS(BindBundleTileIO, .exec = exec_iot),
    BY_CLASS(BindBundleSharedIO, .exec = exec_ios),
    BY_CLASS(SetBundleHint, .exec = exec_hint, .flags = OP_ENDS),
};

const struct handler_table header_handlers = {rows, sizeof rows / sizeof *rows};
