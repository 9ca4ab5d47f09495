/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUBE operations: D = C + A x B or A x B + bias, then what B.FPATR asks for.
 * The order of the checks is that of asl/block/model/dispatch/cube-tmatmul.asl.
 * Every PE of the mask multiplies its own fragments; Shared inputs are the same
 * for all of them.
 */
#include <string.h>

#include "sim/cube.h"
#include "sim/pe.h"
#include "sim/tile_element.h"
#include "sim/tile_view.h"

enum { ABSENT = -1, STATUS_FLAGS = 32 };

/* What the bundle says, with the places of its operands: numbers of B.IOT or B.IOS sources. */
struct matrix {
    struct isa_matrix_schema schema;
    unsigned left_type, right_type, result_type; /* DataType codes */
    uint32_t m, n, k, blocks;
    enum sim_layout layout;                                      /* of the result */
    unsigned group;                                              /* columns of a group of maxima */
    int accumulator, left, left_scale, right, right_scale, bias; /* Local; ABSENT when Shared */
    int c_scale, row_max, quant, relu;
    int shared_left, shared_left_scale, shared_right, shared_right_scale;
};

static const struct isa_fpatr *fpatr(const struct tile_op *op)
{
    return &op->b->fpatr;
}

/* ---- the bundle ---- */

static bool describe(struct tile_op *op, struct matrix *x)
{
    const struct bundle *b = op->b;
    bool right = b->datr.present && b->datr.data_type != ISA_DataType_DTYPE_NONE;
    x->left_type = b->data_type;
    x->right_type = right ? b->datr.data_type : b->data_type;
    const struct isa_matrix_bundle bundle = {
        .op = op->row,
        .left = x->left_type,
        .right = x->right_type,
        .fpatr = *fpatr(op),
        .nshared = b->nios,
    };
    const char *side = "left";
    switch (isa_matrix_schema(&bundle, &x->schema)) {
    case ISA_MATRIX_GOOD:
        return true;
    case ISA_MATRIX_RIGHT_TYPE:
        side = "right";
        __attribute__((fallthrough));
    case ISA_MATRIX_LEFT_TYPE:
        return tile_fault(op, FAULT_TILE_LEGALITY, "%s input: elements of type %s are not taken",
                          side, sim_format_name(*side == 'l' ? x->left_type : x->right_type));
    case ISA_MATRIX_CLASS:
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "%s times %s: both inputs are floating, both signed or both unsigned",
                          sim_format_name(x->left_type), sim_format_name(x->right_type));
    case ISA_MATRIX_MODE:
        return tile_fault(op, FAULT_TILE_LEGALITY, "PreQuantMode %u is reserved",
                          fpatr(op)->pre_quant_mode);
    default:
        return x->schema.gemv
                   ? tile_fault(op, FAULT_TILE_LEGALITY,
                                "the operation takes no B.IOS, %u are bound", b->nios)
                   : tile_fault(op, FAULT_TILE_LEGALITY,
                                "%u B.IOS are bound: %u make the right side Shared, %u both sides",
                                b->nios, 1 + x->schema.right_scale,
                                2 + x->schema.right_scale + x->schema.left_scale);
    }
}

static void number_operands(struct matrix *x, const struct tile_op *op)
{
    const struct isa_matrix_schema *s = &x->schema;
    int local = 0, shared = 0;
    x->accumulator = s->accumulator ? local++ : ABSENT;
    x->left = s->left_shared ? ABSENT : local++;
    x->left_scale = s->left_scale && !s->left_shared ? local++ : ABSENT;
    x->right = s->right_shared ? ABSENT : local++;
    x->right_scale = s->right_scale && !s->right_shared ? local++ : ABSENT;
    x->bias = s->bias ? local++ : ABSENT;
    x->c_scale = s->c_scale ? local++ : ABSENT;
    x->row_max = fpatr(op)->row_max_init ? local++ : ABSENT;
    x->quant = s->quant_tile ? local++ : ABSENT;
    x->relu = s->relu_tile ? local++ : ABSENT;
    x->shared_left = s->left_shared ? shared++ : ABSENT;
    x->shared_left_scale = s->left_shared && s->left_scale ? shared++ : ABSENT;
    x->shared_right = s->right_shared ? shared++ : ABSENT;
    x->shared_right_scale = s->right_shared && s->right_scale ? shared++ : ABSENT;
    x->result_type =
        s->prequant->result == ISA_DataType_DTYPE_NONE ? s->accumulator_type : s->prequant->result;
    x->group = isa_group_width(fpatr(op)->group_n_code);
}

static bool check_counts(struct tile_op *op, const struct matrix *x)
{
    const struct bundle *b = op->b;
    unsigned sources = 0, destinations = 0;
    for (unsigned i = 0; i < b->niot; i++) {
        sources += b->iot[i].nsources;
        destinations += b->iot[i].has_destination;
    }
    if (sources != x->schema.nsources)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "B.IOT binds %u sources; the types, B.IOS and B.FPATR ask for %u (%u "
                          "matrix operands and %u of B.FPATR)",
                          sources, x->schema.nsources, x->schema.nmathematical,
                          x->schema.nsources - x->schema.nmathematical);
    if (destinations != x->schema.ndestinations)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "B.IOT binds %u destinations, B.FPATR asks for %u", destinations,
                          x->schema.ndestinations);
    if (!b->iot[b->niot - 1].last)
        return tile_fault(op, FAULT_TILE_LEGALITY, "the last of %u B.IOT lacks `last`", b->niot);
    return tile_check_surplus(op, x->schema.nscalars, FAULT_TILE_LEGALITY);
}

static bool check_quant_word(struct tile_op *op, const struct matrix *x, uint64_t word,
                             const char *where, unsigned n)
{
    return cube_quant_word_is_legal(x->schema.prequant, word) ||
           tile_fault(op, FAULT_TILE_LEGALITY,
                      "the quantisation word 0x%llx of %s %u is not legal for PreQuantMode %u",
                      (unsigned long long)word, where, n, x->schema.prequant->mode);
}

static bool check_relu_word(struct tile_op *op, uint64_t word, const char *where, unsigned n)
{
    return cube_relu_word_is_legal(word) ||
           tile_fault(
               op, FAULT_TILE_LEGALITY,
               "the ReLU word 0x%llx of %s %u is neither 0 nor a positive normal FP19 number",
               (unsigned long long)word, where, n);
}

static uint64_t quant_scalar(const struct tile_op *op, const struct matrix *x, unsigned pe)
{
    return x->schema.quant_scalar ? tile_vector_scalar(op, pe, 0) : 0;
}

static uint64_t relu_scalar(const struct tile_op *op, const struct matrix *x, unsigned pe)
{
    return x->schema.relu_scalar ? tile_vector_scalar(op, pe, x->schema.quant_scalar) : 0;
}

/* The model does not look at the words when there is no B.IOR. */
static bool check_scalars(struct tile_op *op, const struct matrix *x)
{
    if (!op->b->ior_present && op->s->options.profile == SIM_PROFILE_PTO_V0)
        return true;
    for (unsigned pe = 0; pe < SIM_PES; pe++) {
        if (!(op->mask & pe_bit(pe)))
            continue;
        if (x->schema.quant_scalar && !check_quant_word(op, x, quant_scalar(op, x, pe), "PE", pe))
            return false;
        if (x->schema.relu_scalar && !check_relu_word(op, relu_scalar(op, x, pe), "PE", pe))
            return false;
    }
    return true;
}

/* B.DATR RMode and Sat belong to the conversion; the model's CUBE path does not ask. */
static bool check_conversion(struct tile_op *op, const struct matrix *x)
{
    const struct bundle_datr *d = &op->b->datr;
    unsigned fields = x->schema.prequant->datr_fields;
    if (!d->present || op->s->options.profile == SIM_PROFILE_PTO_V0)
        return true;
    if (d->rmode && !(fields & ISA_DATR_RMODE))
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "B.DATR RMode is %u, but PreQuantMode %u has its own rounding: it must "
                          "be 0",
                          d->rmode, x->schema.prequant->mode);
    if (d->sat && !(fields & ISA_DATR_SAT))
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "B.DATR Sat is 1, but PreQuantMode %u takes none: it must be 0",
                          x->schema.prequant->mode);
    return true;
}

static uint32_t dimension(const struct tile_op *op, unsigned n)
{
    return op->b->lb_present[n] ? (uint32_t)op->b->lb[n] : 1;
}

static bool check_dimensions(struct tile_op *op, struct matrix *x)
{
    static const char *const names[] = {"M", "N", "K"};
    for (unsigned i = 0; i < 3; i++) {
        uint32_t value = dimension(op, i);
        if (!value)
            return tile_fault(op, FAULT_TILE_LEGALITY, "%s (LB%u) is 0", names[i], i);
        if (op->b->nios && (value & (value - 1)))
            return tile_fault(op, FAULT_TILE_LEGALITY,
                              "%s (LB%u) is %u, with Shared inputs it must be a power of two",
                              names[i], i, value);
    }
    x->m = dimension(op, 0);
    x->n = dimension(op, 1);
    x->k = dimension(op, 2);
    x->blocks = (x->k + CUBE_SCALE_BLOCK - 1) / CUBE_SCALE_BLOCK;
    return true;
}

static bool check_masks(struct tile_op *op)
{
    const struct bundle *b = op->b;
    for (unsigned i = 1; i < b->niot; i++)
        if (b->iot[i].mask != op->mask)
            return tile_fault(op, FAULT_TILE_LEGALITY, "B.IOT %u has another mask than the first",
                              i + 1);
    for (unsigned i = 0; i < b->nios; i++)
        if (b->ios[i].mask != op->mask)
            return tile_fault(op, FAULT_TILE_LEGALITY, "B.IOS %u has another mask than B.IOT",
                              i + 1);
    return true;
}

static bool check_vector(struct tile_op *op, const struct matrix *x)
{
    return !x->schema.gemv || x->m == 1 ||
           tile_fault(op, FAULT_TILE_LEGALITY, "M (LB0) is %u, a vector has one row", x->m);
}

/* ---- Shared inputs (asl/block/model/dispatch/shared-cube-matrix.asl) ---- */

static bool shared_is_ready(const struct shared_tile *t)
{
    return t->valid && t->mask == SIM_ALL_PES && t->init_mask == SIM_ALL_PES && t->published &&
           t->contents_defined && tile_indexable(&t->info);
}

static bool check_shared(struct tile_op *op, int n, unsigned dtype, uint32_t rows, uint32_t cols)
{
    if (n == ABSENT)
        return true;
    const struct bundle_ios *ios = &op->b->ios[n];
    const struct shared_tile *t = &op->s->tiles->shared[ios->id];
    struct tile_name name = tile_shared_name(ios->id);
    if (ios->size_code)
        return tile_fault(op, FAULT_TILE_LEGALITY, "%s is a destination (size code %u)", name.text,
                          ios->size_code);
    if (!shared_is_ready(t))
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "%s is not a complete, published tile of all four PEs", name.text);
    if (t->info.dtype == dtype && t->info.layout == SIM_ROW_MAJOR && t->info.cols == cols &&
        t->info.valid_cols >= cols && t->info.valid_rows >= rows)
        return true;
    return tile_fault(op, FAULT_TILE_LEGALITY,
                      "%s is %u x %u in %u columns of %s, %s; the operation reads %u x %u in %u "
                      "columns of %s, RowMajor",
                      name.text, t->info.valid_rows, t->info.valid_cols, t->info.cols,
                      sim_format_name(t->info.dtype),
                      sim_layout_name((enum sim_layout)t->info.layout), rows, cols, cols,
                      sim_format_name(dtype));
}

static bool check_shared_inputs(struct tile_op *op, const struct matrix *x)
{
    const struct isa_fpatr *f = fpatr(op);
    if (f->trans_a && x->shared_left == ABSENT)
        return tile_fault(op, FAULT_TILE_LEGALITY, "TransA needs a Shared left input");
    if (f->trans_b && x->shared_right == ABSENT)
        return tile_fault(op, FAULT_TILE_LEGALITY, "TransB needs a Shared right input");
    return check_shared(op, x->shared_left, x->left_type, f->trans_a ? x->k : x->m,
                        f->trans_a ? x->m : x->k) &&
           check_shared(op, x->shared_left_scale, ISA_DataType_E8M0, x->m, x->blocks) &&
           check_shared(op, x->shared_right, x->right_type, f->trans_b ? x->n : x->k,
                        f->trans_b ? x->k : x->n) &&
           check_shared(op, x->shared_right_scale, ISA_DataType_E8M0, x->blocks, x->n);
}

/* ---- Local sources ---- */

/* What one of them must be. */
struct requirement {
    const char *what;
    int n; /* ABSENT: nothing to check */
    unsigned dtype;
    uint32_t rows, cols;
    bool any; /* location Any is required */
};

static bool check_described(struct tile_op *op, const struct requirement *r)
{
    const struct tile_info *info = &op->source[r->n]->info;
    if (info->storage == TILE_NUMERIC && info->dtype == r->dtype && info->valid_rows == r->rows &&
        info->valid_cols == r->cols)
        return true;
    return tile_fault(op, FAULT_TILE_LEGALITY,
                      "the %s %s is %u x %u of %s, it must be %u x %u of %s", r->what,
                      tile_slot_name(op->slot[r->n]).text, info->valid_rows, info->valid_cols,
                      info->storage == TILE_NUMERIC ? sim_format_name(info->dtype) : "predicates",
                      r->rows, r->cols, sim_format_name(r->dtype));
}

/* Scales, bias and the operands of B.FPATR are ordinary tiles. */
static bool check_ordinary(struct tile_op *op, const struct requirement *r)
{
    if (r->n == ABSENT)
        return true;
    unsigned n = (unsigned)r->n;
    if (!tile_check_source(op, n, op->mask) || !check_described(op, r))
        return false;
    const struct tile_info *info = &op->source[n]->info;
    if (info->layout == SIM_ROW_MAJOR && !(r->any && info->matrix))
        return true;
    return tile_fault(
        op, FAULT_TILE_LEGALITY, "the %s %s is %s%s, it must be an ordinary RowMajor tile", r->what,
        tile_slot_name(op->slot[n]).text, sim_layout_name((enum sim_layout)info->layout),
        info->matrix ? " in Matrix" : "");
}

static bool check_cube(struct tile_op *op, const struct requirement *r, bool layout_is_good,
                       const char *layout)
{
    unsigned n = (unsigned)r->n;
    const struct tile *t = op->source[n];
    struct tile_name name = tile_slot_name(op->slot[n]);
    if (!t || !t->allocated)
        return tile_fault(op, FAULT_TILE_LEGALITY, "the %s %s is not allocated", r->what,
                          name.text);
    if (!t->info.matrix || !layout_is_good)
        return tile_fault(op, FAULT_TILE_LEGALITY, "the %s %s is %s%s, it must be %s", r->what,
                          name.text, sim_layout_name((enum sim_layout)t->info.layout),
                          t->info.matrix ? "" : ", not in Matrix", layout);
    return check_described(op, r) && tile_check_fragments(op, n, op->mask);
}

static bool m_layout_is_legal(enum sim_layout layout, uint32_t m)
{
    enum { M16 = 16, M32 = 32 };
    return (layout == SIM_CUBE_M16 && m <= M16) || (layout == SIM_CUBE_M32 && m <= M32);
}

static bool check_left(struct tile_op *op, const struct matrix *x)
{
    const struct requirement r = {"left input", x->left, x->left_type, x->m, x->k, false};
    if (x->left == ABSENT)
        return true;
    const struct tile *t = op->source[x->left];
    return check_cube(op, &r, t && m_layout_is_legal((enum sim_layout)t->info.layout, x->m),
                      "CUBE_M16 (up to 16 rows) or CUBE_M32 (up to 32)");
}

static bool check_right(struct tile_op *op, const struct matrix *x)
{
    const struct requirement r = {"right input", x->right, x->right_type, x->k, x->n, false};
    if (x->right == ABSENT)
        return true;
    const struct tile *t = op->source[x->right];
    return check_cube(op, &r, t && t->info.layout == SIM_CUBE_N8, "CUBE_N8");
}

/* The first destination, which is the result. */
static const struct bundle_iot *result_binding(const struct tile_op *op)
{
    unsigned i = 0;
    while (!op->b->iot[i].has_destination)
        i++;
    return &op->b->iot[i];
}

static bool check_accumulator(struct tile_op *op, const struct matrix *x)
{
    if (x->accumulator == ABSENT)
        return true;
    const struct requirement r = {"accumulator", x->accumulator, x->schema.accumulator_type,
                                  x->m,          x->n,           false};
    unsigned n = (unsigned)x->accumulator;
    const struct tile *t = op->source[n], *left = x->left == ABSENT ? t : op->source[x->left];
    bool alike = t && left && t->info.layout == left->info.layout &&
                 sim_layout_is_cube((enum sim_layout)t->info.layout);
    if (!check_cube(op, &r, alike, x->left == ABSENT ? "a CUBE layout" : "the left input's layout"))
        return false;
    uint32_t capacity = tile_size_code_bytes(result_binding(op)->size_code);
    return x->schema.prequant->mode != ISA_PreQuantMode_NoQuant || t->info.capacity == capacity ||
           tile_fault(op, FAULT_TILE_LEGALITY,
                      "the accumulator %s has %u bytes a PE, the destination %u",
                      tile_slot_name(op->slot[n]).text, t->info.capacity, capacity);
}

/* 0.58.5: a U8 column of one exponent a row. */
static bool check_c_scale(struct tile_op *op, const struct matrix *x)
{
    const struct requirement r = {
        "scale tile of the accumulator", x->c_scale, ISA_DataType_U8, x->m, 1, false};
    if (x->c_scale == ABSENT)
        return true;
    const struct tile *t = op->source[x->c_scale];
    return check_cube(op, &r, t && t->info.layout == SIM_CUBE_M32, "CUBE_M32");
}

static uint64_t column_word(const struct tile_op *op, int n, unsigned pe, uint32_t col)
{
    const struct tile_info *info = &op->source[n]->info;
    struct sim_map map = tile_map(info);
    return sim_element_get(tile_format(info), tile_source_fragment(op, (unsigned)n, pe)->bytes,
                           sim_map_index(&map, 0, col));
}

static bool check_column_words(struct tile_op *op, const struct matrix *x, bool quant)
{
    int n = quant ? x->quant : x->relu;
    for (unsigned pe = 0; n != ABSENT && pe < SIM_PES; pe++)
        for (uint32_t col = 0; (op->mask & pe_bit(pe)) && col < x->n; col++) {
            uint64_t word = column_word(op, n, pe, col);
            if (!(quant ? check_quant_word(op, x, word, "column", col)
                        : check_relu_word(op, word, "column", col)))
                return false;
        }
    return true;
}

static bool check_post_sources(struct tile_op *op, const struct matrix *x)
{
    const struct isa_prequant *q = x->schema.prequant;
    if (!(q->accumulators >> x->schema.accumulator_type & 1))
        return tile_fault(op, FAULT_TILE_LEGALITY, "PreQuantMode %u does not convert %s", q->mode,
                          sim_format_name(x->schema.accumulator_type));
    return check_ordinary(op, &(struct requirement){"row maximum", x->row_max,
                                                    x->schema.accumulator_type, x->m, 1, true}) &&
           check_ordinary(op, &(struct requirement){"tile of quantisation words", x->quant,
                                                    ISA_DataType_U64, 1, x->n, true}) &&
           check_column_words(op, x, true) &&
           check_ordinary(op, &(struct requirement){"tile of ReLU words", x->relu, ISA_DataType_U64,
                                                    1, x->n, true}) &&
           check_column_words(op, x, false);
}

static bool check_local_sources(struct tile_op *op, const struct matrix *x)
{
    return check_accumulator(op, x) && check_left(op, x) &&
           check_ordinary(op, &(struct requirement){"scale tile of the left input", x->left_scale,
                                                    ISA_DataType_E8M0, x->m, x->blocks, false}) &&
           check_right(op, x) &&
           check_ordinary(op, &(struct requirement){"scale tile of the right input", x->right_scale,
                                                    ISA_DataType_E8M0, x->blocks, x->n, false}) &&
           check_ordinary(op, &(struct requirement){"bias", x->bias, x->schema.accumulator_type, 1,
                                                    x->n, false}) &&
           check_c_scale(op, x);
}

/* The code of Local source n, as it stands in the word. */
static unsigned source_code(const struct tile_op *op, unsigned n)
{
    for (unsigned i = 0; i < op->b->niot; n -= op->b->iot[i++].nsources)
        if (n < op->b->iot[i].nsources)
            return op->b->iot[i].source[n];
    return UINT8_MAX;
}

/* PTO-CUBE-ACCUMULATOR-OUTPUT-001: the codes differ as they stand in the words. */
static bool check_distinct(struct tile_op *op, const struct matrix *x)
{
    if (x->accumulator == ABSENT)
        return true;
    unsigned code = source_code(op, (unsigned)x->accumulator), hand = result_binding(op)->hand;
    return code != hand || tile_fault(op, FAULT_TILE_LEGALITY,
                                      "the accumulator's code %u is the destination hand's: the "
                                      "codes of C and D must differ",
                                      code);
}

/* The same for the scales of C, and every destination. */
static bool check_c_scale_distinct(struct tile_op *op, const struct matrix *x)
{
    if (x->c_scale == ABSENT)
        return true;
    unsigned code = source_code(op, (unsigned)x->c_scale);
    for (unsigned i = 0; i < op->b->niot; i++)
        if (op->b->iot[i].has_destination && op->b->iot[i].hand == code)
            return tile_fault(
                op, FAULT_TILE_LEGALITY,
                "the code %u of the accumulator's scale tile is a destination hand's: "
                "they must differ",
                code);
    return true;
}

static bool check_c_scale_is_taken(struct tile_op *op, const struct matrix *x)
{
    return !x->schema.c_scale || x->schema.takes_c_scale ||
           tile_fault(op, FAULT_TILE_LEGALITY,
                      "B.FPATR CScaleEn scales the accumulator of TMATMUL.ACC and TMATMULMX.ACC in "
                      "FP32 only");
}

static bool choose_layout(struct tile_op *op, struct matrix *x)
{
    int from = x->left != ABSENT ? x->left : x->accumulator;
    if (from != ABSENT)
        x->layout = (enum sim_layout)op->source[from]->info.layout;
    else
        x->layout = x->m <= 16 ? SIM_CUBE_M16 : SIM_CUBE_M32;
    return m_layout_is_legal(x->layout, x->m) ||
           tile_fault(op, FAULT_TILE_LEGALITY, "M (LB0) is %u, %s has %u rows at most", x->m,
                      sim_layout_name(x->layout), x->layout == SIM_CUBE_M16 ? 16 : 32);
}

/* ---- destinations (asl/block/model/dispatch/cube-destination.asl) ---- */

static bool reserve_result(struct tile_op *op, const struct matrix *x)
{
    struct tile_info info = {
        .dtype = (uint8_t)x->result_type, .valid_rows = x->m, .valid_cols = x->n};
    uint64_t needed;
    if (!tile_reserve_slot(op, &info.capacity))
        return false;
    tile_info_set_layout(&info, x->layout);
    if (!tile_info_set_cube(&info, &needed))
        return tile_fault(op, FAULT_TILE_ALLOCATION,
                          "%u x %u elements of %s need %llu bytes of whole %s cells, the "
                          "destination has %u",
                          x->m, x->n, sim_format_name(x->result_type), (unsigned long long)needed,
                          sim_layout_name(x->layout), info.capacity);
    tile_add_destination(op, &info);
    return true;
}

static uint32_t group_count(const struct matrix *x)
{
    return (x->n + x->group - 1) / x->group;
}

static bool reserve_destinations(struct tile_op *op, const struct matrix *x)
{
    unsigned type = x->schema.accumulator_type;
    if (!reserve_result(op, x))
        return false;
    if (fpatr(op)->row_max_en &&
        !tile_reserve(op, (struct tile_shape){x->m, 1, 1}, type, SIM_ROW_MAJOR))
        return false;
    return !fpatr(op)->group_max_en ||
           tile_reserve(op, (struct tile_shape){x->m, group_count(x), group_count(x)}, type,
                        SIM_ROW_MAJOR);
}

/* ---- operands as dense matrices ---- */

enum { ENCODINGS = 256 };

/* One input: elements are at row[r] + col[c] of the payload; a transposed read changes places. */
struct input {
    const struct tile_info *info; /* NULL: there is none */
    int local, shared;            /* number of the B.IOT or B.IOS source */
    uint32_t rows, cols;
    bool transposed;
    uint32_t *row, *col;
    uint32_t *word; /* the word of every encoding of up to 8 bits */
};

enum { INPUT_C, INPUT_A, INPUT_A_SCALE, INPUT_B, INPUT_B_SCALE, INPUT_BIAS, INPUT_COUNT };

struct work {
    const struct matrix *x;
    struct input input[INPUT_COUNT];
    struct input result; /* row, col only */
    uint32_t *a, *b, *c, *bias, *maxima, *seed, *scratch;
    uint8_t *a_scale, *b_scale;
    uint16_t *half;
    uint64_t *quant, *relu;
};

/* Parts of one block of memory; without a base they are only counted. */
struct parts {
    uint8_t *base;
    size_t used;
};

static void *part(struct parts *p, size_t count, size_t size)
{
    enum { ALIGN = 64 };
    uint8_t *at = p->base ? p->base + p->used : NULL;
    p->used += (count * size + ALIGN - 1) / ALIGN * ALIGN;
    return at;
}

static void place_input(struct parts *p, struct input *in)
{
    in->row = part(p, in->rows, sizeof *in->row);
    in->col = part(p, in->cols, sizeof *in->col);
    in->word = part(p, ENCODINGS, sizeof *in->word);
}

static void place_work(struct parts *p, struct work *w)
{
    const struct matrix *x = w->x;
    size_t m = x->m, n = x->n, k = x->k;
    for (unsigned i = 0; i < INPUT_COUNT; i++)
        place_input(p, &w->input[i]);
    place_input(p, &w->result);
    w->a = part(p, m * k, sizeof *w->a);
    w->b = part(p, k * n, sizeof *w->b);
    w->c = part(p, m * n, sizeof *w->c);
    w->bias = part(p, n, sizeof *w->bias);
    w->maxima = part(p, m, sizeof *w->maxima);
    w->seed = part(p, m, sizeof *w->seed);
    w->scratch = part(p, 3 * m, sizeof *w->scratch);
    w->a_scale = part(p, m * x->blocks, 1);
    w->b_scale = part(p, n * x->blocks, 1);
    w->half = part(p, n > k ? n : k, sizeof *w->half);
    w->quant = part(p, n, sizeof *w->quant);
    w->relu = part(p, n, sizeof *w->relu);
}

/* FP32 bits of any floating format, integers extended; signaling NaNs stay so. */
static uint32_t word_of(const struct element_type *t, uint64_t bits)
{
    enum { SIGNALING = 0x7fa00000 };
    unsigned ignored = 0, above = 64u - t->bits;
    if (!t->is_float && t->is_signed)
        return (uint32_t)((int64_t)(bits << above) >> above);
    if (!t->is_float)
        return (uint32_t)bits;
    struct float_value v = t->decode(t, bits);
    return v.klass == FLOAT_SIGNALING ? (uint32_t)SIGNALING
                                      : (uint32_t)float_pack(&float_fp32, v, ROUND_EVEN, &ignored);
}

static void find_places(struct input *in)
{
    struct sim_map map = tile_map(in->info);
    const struct element_type *t = element_type_of(in->info->dtype);
    for (uint32_t r = 0; r < in->rows; r++)
        in->row[r] = in->transposed ? sim_map_index(&map, 0, r) : sim_map_index(&map, r, 0);
    for (uint32_t c = 0; c < in->cols; c++)
        in->col[c] = in->transposed ? sim_map_index(&map, c, 0) : sim_map_index(&map, 0, c);
    for (unsigned e = 0; t->bits <= 8 && e < 1u << t->bits; e++)
        in->word[e] = word_of(t, e);
}

static void set_input(const struct tile_op *op, struct input *in, int local, int shared,
                      uint32_t rows, uint32_t cols)
{
    *in = (struct input){.local = local, .shared = shared, .rows = rows, .cols = cols};
    if (local != ABSENT)
        in->info = &op->source[local]->info;
    else if (shared != ABSENT)
        in->info = &op->s->tiles->shared[op->b->ios[shared].id].info;
    else
        in->rows = in->cols = 0;
}

static void describe_work(struct tile_op *op, const struct matrix *x, struct work *w)
{
    *w = (struct work){.x = x};
    set_input(op, &w->input[INPUT_C], x->accumulator, ABSENT, x->m, x->n);
    set_input(op, &w->input[INPUT_A], x->left, x->shared_left, x->m, x->k);
    set_input(op, &w->input[INPUT_A_SCALE], x->left_scale, x->shared_left_scale, x->m, x->blocks);
    set_input(op, &w->input[INPUT_B], x->right, x->shared_right, x->k, x->n);
    set_input(op, &w->input[INPUT_B_SCALE], x->right_scale, x->shared_right_scale, x->blocks, x->n);
    set_input(op, &w->input[INPUT_BIAS], x->bias, ABSENT, 1, x->n);
    w->input[INPUT_A].transposed = fpatr(op)->trans_a;
    w->input[INPUT_B].transposed = fpatr(op)->trans_b;
    w->result = (struct input){.info = &op->destination[0].tile.info, .rows = x->m, .cols = x->n};
}

static void prepare_work(struct tile_op *op, const struct matrix *x, struct work *w)
{
    struct buffer *buffer = &op->s->tiles->row;
    struct parts count = {0};
    describe_work(op, x, w);
    place_work(&count, w);
    buffer->size = 0;
    buffer_reserve(buffer, count.used);
    place_work(&(struct parts){.base = buffer->data}, w);
    for (unsigned i = 0; i < INPUT_COUNT; i++)
        if (w->input[i].info)
            find_places(&w->input[i]);
    find_places(&w->result);
}

static const uint8_t *payload_of(const struct tile_op *op, const struct input *in, unsigned pe)
{
    return in->local != ABSENT ? tile_source_fragment(op, (unsigned)in->local, pe)->bytes
                               : op->s->tiles->shared[op->b->ios[in->shared].id].payload.bytes;
}

/* Locals, because the words that are written might otherwise be *in. */
static void gather_words(const struct input *in, const uint8_t *from, uint32_t row, uint32_t *to)
{
    const uint32_t kept = (uint32_t)~element_type_of(in->info->dtype)->reserved;
    const uint32_t *col = in->col, n = in->cols;
    from += (size_t)in->row[row] * sizeof *to;
    for (uint32_t c = 0; c < n; c++) {
        uint32_t word;
        memcpy(&word, from + (size_t)col[c] * sizeof word, sizeof word);
        to[c] = word & kept;
    }
}

static void gather_halves(const struct input *in, const uint8_t *from, uint32_t row, uint32_t *to,
                          uint16_t *half)
{
    const struct element_type *t = element_type_of(in->info->dtype);
    const uint32_t *col = in->col, n = in->cols;
    from += (size_t)in->row[row] * sizeof *half;
    for (uint32_t c = 0; c < n; c++)
        memcpy(&half[c], from + (size_t)col[c] * sizeof *half, sizeof *half);
    if (t->widen)
        t->widen(NULL, to, half, n);
    for (uint32_t c = 0; !t->widen && c < n; c++)
        to[c] = t->is_signed ? (uint32_t)(int16_t)half[c] : half[c];
}

static void gather_bytes(const struct input *in, const uint8_t *from, uint32_t row, uint32_t *to)
{
    const uint32_t *col = in->col, *word = in->word, n = in->cols;
    from += in->row[row];
    for (uint32_t c = 0; c < n; c++)
        to[c] = word[from[col[c]]];
}

static void gather_nibbles(const struct input *in, const uint8_t *from, uint32_t row, uint32_t *to)
{
    for (uint32_t c = 0; c < in->cols; c++) {
        size_t at = in->row[row] + in->col[c];
        to[c] = in->word[from[at / 2] >> at % 2 * 4 & 0xf];
    }
}

/* The matrix as words, row by row. */
static void gather(const struct input *in, const uint8_t *from, uint32_t *to, uint16_t *half)
{
    unsigned bits = tile_format(in->info)->bits;
    for (uint32_t row = 0; row < in->rows; row++, to += in->cols) {
        if (bits == 32)
            gather_words(in, from, row, to);
        else if (bits == 16)
            gather_halves(in, from, row, to, half);
        else if (bits == 8)
            gather_bytes(in, from, row, to);
        else
            gather_nibbles(in, from, row, to);
    }
}

static void gather_scales(const struct input *in, const uint8_t *from, uint8_t *to)
{
    for (uint32_t row = 0; row < in->rows; row++)
        for (uint32_t col = 0; col < in->cols; col++)
            *to++ = from[in->row[row] + in->col[col]];
}

/* C times 2^-e, rounded once to nearest even; zeros, infinities and NaNs stay as they are. */
static unsigned scale_accumulator(struct tile_op *op, struct work *w, unsigned pe)
{
    const struct matrix *x = w->x;
    unsigned flags = 0;
    if (x->c_scale == ABSENT)
        return 0;
    struct tile_view scale = tile_source_view(op, (unsigned)x->c_scale, pe);
    for (uint32_t row = 0; row < x->m; row++) {
        uint32_t *c = w->c + (size_t)row * x->n;
        int exponent = (int)tile_view_get(&scale, row, 0);
        for (uint32_t col = 0; col < x->n; col++) {
            struct float_value v = float_unpack(&float_fp32, c[col]);
            v.exponent -= exponent;
            if (v.klass == FLOAT_FINITE)
                c[col] = (uint32_t)float_pack(&float_fp32, v, ROUND_EVEN, &flags);
        }
    }
    return flags;
}

static void gather_inputs(struct tile_op *op, struct work *w, unsigned pe)
{
    const struct input *in = w->input;
    if (in[INPUT_C].info)
        gather(&in[INPUT_C], payload_of(op, &in[INPUT_C], pe), w->c, w->half);
    else
        memset(w->c, 0, (size_t)w->x->m * w->x->n * sizeof *w->c);
    gather(&in[INPUT_A], payload_of(op, &in[INPUT_A], pe), w->a, w->half);
    gather(&in[INPUT_B], payload_of(op, &in[INPUT_B], pe), w->b, w->half);
    if (in[INPUT_A_SCALE].info)
        gather_scales(&in[INPUT_A_SCALE], payload_of(op, &in[INPUT_A_SCALE], pe), w->a_scale);
    if (in[INPUT_B_SCALE].info)
        gather_scales(&in[INPUT_B_SCALE], payload_of(op, &in[INPUT_B_SCALE], pe), w->b_scale);
    if (in[INPUT_BIAS].info)
        gather(&in[INPUT_BIAS], payload_of(op, &in[INPUT_BIAS], pe), w->bias, w->half);
}

/* ---- one PE ---- */

/* w->c becomes the sum of products and the bias; the result: what the arithmetic raised. */
static unsigned multiply(struct work *w)
{
    const struct matrix *x = w->x;
    struct element_run run;
    const struct cube_product p = {
        .m = x->m,
        .n = x->n,
        .k = x->k,
        .a = w->a,
        .b = w->b,
        .c = w->c,
        .a_scale = w->input[INPUT_A_SCALE].info ? w->a_scale : NULL,
        .b_scale = w->input[INPUT_B_SCALE].info ? w->b_scale : NULL,
    };
    element_begin(&run, element_type_of(x->schema.accumulator_type));
    if (run.type->is_float)
        cube_multiply_float(&run, &p);
    else
        cube_multiply_integer(&p);
    for (uint32_t row = 0; x->bias != ABSENT && row < x->m; row++) {
        uint32_t *c = w->c + (size_t)row * x->n;
        run.type->kernels->binary[ELEMENT_ADD](&run, c, c, w->bias, x->n);
    }
    element_end(&run);
    return run.flags;
}

static void store_words(struct tile_op *op, unsigned n, unsigned pe, uint32_t col,
                        const uint32_t *words)
{
    struct tile *t = &op->destination[n].tile;
    struct sim_map map = tile_map(&t->info);
    struct tile_fragment *f = tile_new_fragment(op, n, pe);
    for (uint32_t row = 0; row < t->info.valid_rows; row++)
        sim_element_set(tile_format(&t->info), f->bytes, sim_map_index(&map, row, col), words[row]);
    f->defined = TILE_VALID_DEFINED;
}

static unsigned store_maxima(struct tile_op *op, struct work *w, unsigned pe)
{
    const struct matrix *x = w->x;
    const struct isa_fpatr *f = fpatr(op);
    const struct cube_maxima maxima = {w->c, x->m, x->n, f->max_abs_en};
    struct element_run run;
    unsigned n = 1;
    element_begin(&run, element_type_of(x->schema.accumulator_type));
    if (f->row_max_en) {
        for (uint32_t row = 0; x->row_max != ABSENT && row < x->m; row++) {
            const struct tile_info *info = &op->source[x->row_max]->info;
            struct sim_map map = tile_map(info);
            w->seed[row] = (uint32_t)sim_element_get(
                tile_format(info), tile_source_fragment(op, (unsigned)x->row_max, pe)->bytes,
                sim_map_index(&map, row, 0));
        }
        cube_maximum(&run, &maxima, 0, x->n, x->row_max != ABSENT ? w->seed : NULL, w->maxima,
                     w->scratch);
        store_words(op, n++, pe, 0, w->maxima);
    }
    for (uint32_t first = 0; f->group_max_en && first < x->n; first += x->group) {
        uint32_t count = x->n - first < x->group ? x->n - first : x->group;
        cube_maximum(&run, &maxima, first, count, NULL, w->maxima, w->scratch);
        store_words(op, n, pe, first / x->group, w->maxima);
    }
    element_end(&run);
    return run.flags;
}

static void read_words(struct tile_op *op, struct work *w, unsigned pe)
{
    const struct matrix *x = w->x;
    for (uint32_t col = 0; col < x->n; col++) {
        w->quant[col] =
            x->quant != ABSENT ? column_word(op, x->quant, pe, col) : quant_scalar(op, x, pe);
        w->relu[col] =
            x->relu != ABSENT ? column_word(op, x->relu, pe, col) : relu_scalar(op, x, pe);
    }
}

static struct element_control control_of(const struct tile_op *op, const struct matrix *x)
{
    const struct isa_prequant *q = x->schema.prequant;
    struct element_control c = tile_conversion_control(op, false);
    if (q->mode != ISA_PreQuantMode_NoQuant && !(q->datr_fields & ISA_DATR_RMODE))
        c.rounding = tile_rounding(q->rounding);
    return c;
}

static unsigned store_result(struct tile_op *op, struct work *w, unsigned pe)
{
    const struct matrix *x = w->x;
    const struct sim_format *format = sim_format_of(x->result_type);
    struct tile_fragment *f = tile_new_fragment(op, 0, pe);
    struct cube_post post;
    cube_post_init(&post, &x->schema, x->result_type, fpatr(op)->relu_mode, control_of(op, x));
    if (!post.passes)
        read_words(op, w, pe);
    for (uint32_t row = 0; row < x->m; row++) {
        const uint32_t *c = w->c + (size_t)row * x->n, *place = w->result.col, n = x->n;
        uint32_t at = w->result.row[row];
        uint8_t *to = f->bytes + (post.passes ? (size_t)at * sizeof *c : 0);
        for (uint32_t col = 0; !post.passes && col < n; col++)
            sim_element_set(format, f->bytes, at + place[col],
                            cube_post_element(&post, c[col], w->quant[col], w->relu[col]));
        for (uint32_t col = 0; post.passes && col < n; col++)
            memcpy(to + (size_t)place[col] * sizeof *c, &c[col], sizeof *c);
    }
    f->defined = TILE_VALID_DEFINED;
    return post.flags;
}

/* The model records what B.FPATR raised, not what the products did. */
static void run_pe(struct tile_op *op, struct work *w, unsigned pe)
{
    struct sim *s = op->s;
    gather_inputs(op, w, pe);
    unsigned flags = scale_accumulator(op, w, pe);
    unsigned products = multiply(w);
    flags |= store_maxima(op, w, pe) | store_result(op, w, pe);
    if (s->options.profile != SIM_PROFILE_PTO_V0)
        flags |= products;
    s->pes[s->conformance ? op->b->pe : pe].core_state |= (uint64_t)flags << STATUS_FLAGS;
}

bool tile_run_matrix(struct tile_op *op)
{
    struct matrix x = {0};
    struct work w;
    if (!fpatr(op)->present)
        return tile_fault(op, FAULT_BUNDLE, "B.FPATR is missing");
    if (!describe(op, &x))
        return false;
    number_operands(&x, op);
    if (!check_c_scale_is_taken(op, &x) || !check_counts(op, &x) || !check_scalars(op, &x) ||
        !tile_check_attributes(op) || !check_conversion(op, &x) || !check_dimensions(op, &x) ||
        !check_masks(op) || !check_vector(op, &x) || !check_shared_inputs(op, &x) ||
        !check_post_sources(op, &x) || !check_local_sources(op, &x) || !check_distinct(op, &x) ||
        !check_c_scale_distinct(op, &x) || !choose_layout(op, &x) || !reserve_destinations(op, &x))
        return false;
    prepare_work(op, &x, &w);
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        if (op->mask & pe_bit(pe))
            run_pe(op, &w, pe);
    return true;
}
