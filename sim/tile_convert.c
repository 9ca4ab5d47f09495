/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * TMOV of an object marked tmov-convert (docs/tmov.md): besides copying it
 * changes layout, fractal and type, quantises, and splits an accumulator over
 * two PEs. What it does is carried by B.DATR and B.FPATR; every form is
 * dst(r, c) = convert(src(r, c)) over the valid region, with both sides placed
 * by their own layouts.
 */
#include <string.h>

#include "sim/element.h"
#include "sim/numeric.h"
#include "sim/tile.h"

enum { OFFSET_BITS = 9, RELU_NORMAL = 1 };

/* ---- which layouts a B.DATR code names ---- */

struct layout_code {
    uint8_t code, from, to;
};

/* Codes that 0.58 assigns, and reserved ones for the pairs without any. */
static const struct layout_code layout_codes[] = {
    {ISA_TileLayout_ND2DN, SIM_ROW_MAJOR, SIM_COLUMN_MAJOR},
    {ISA_TmovLayout_ND2ZZ, SIM_ROW_MAJOR, SIM_ZZ},
    {ISA_TileLayout_ND2ZN, SIM_ROW_MAJOR, SIM_ZN},
    {ISA_TileLayout_ND2NZ, SIM_ROW_MAJOR, SIM_NZ},
    {ISA_TmovLayout_ND2NN, SIM_ROW_MAJOR, SIM_NN},
    {ISA_TileLayout_DN2ND, SIM_COLUMN_MAJOR, SIM_ROW_MAJOR},
    {ISA_TmovLayout_DN2ZZ, SIM_COLUMN_MAJOR, SIM_ZZ},
    {ISA_TileLayout_DN2ZN, SIM_COLUMN_MAJOR, SIM_ZN},
    {ISA_TileLayout_DN2NZ, SIM_COLUMN_MAJOR, SIM_NZ},
    {ISA_TmovLayout_DN2NN, SIM_COLUMN_MAJOR, SIM_NN},
    {ISA_TmovLayout_ZZ2ND, SIM_ZZ, SIM_ROW_MAJOR},
    {ISA_TmovLayout_ZZ2DN, SIM_ZZ, SIM_COLUMN_MAJOR},
    {ISA_TmovLayout_ZZ2ZN, SIM_ZZ, SIM_ZN},
    {ISA_TmovLayout_ZZ2NZ, SIM_ZZ, SIM_NZ},
    {ISA_TileLayout_ZN2ND, SIM_ZN, SIM_ROW_MAJOR},
    {ISA_TileLayout_ZN2DN, SIM_ZN, SIM_COLUMN_MAJOR},
    {ISA_TmovLayout_ZN2ZZ, SIM_ZN, SIM_ZZ},
    {ISA_TileLayout_ZN2NZ, SIM_ZN, SIM_NZ},
    {ISA_TileLayout_NZ2ND, SIM_NZ, SIM_ROW_MAJOR},
    {ISA_TileLayout_NZ2DN, SIM_NZ, SIM_COLUMN_MAJOR},
    {ISA_TmovLayout_NZ2ZZ, SIM_NZ, SIM_ZZ},
    {ISA_TileLayout_NZ2ZN, SIM_NZ, SIM_ZN},
    {ISA_TmovLayout_NZ2NN, SIM_NZ, SIM_NN},
};

/* Into the cells of the matrix unit and out of them, from any layout. */
enum { ANY_LAYOUT = SIM_LAYOUT_COUNT };

static const struct layout_code cell_codes[] = {
    {ISA_TileLayout_ND2M32, ANY_LAYOUT, SIM_CUBE_M32},
    {ISA_TileLayout_ND2M16, ANY_LAYOUT, SIM_CUBE_M16},
    {ISA_TileLayout_ND2N8, ANY_LAYOUT, SIM_CUBE_N8},
    {ISA_TileLayout_M322ND, SIM_CUBE_M32, SIM_ROW_MAJOR},
    {ISA_TileLayout_M162ND, SIM_CUBE_M16, SIM_ROW_MAJOR},
    {ISA_TileLayout_N82ND, SIM_CUBE_N8, SIM_ROW_MAJOR},
};

/* PadValueOrByteId names the destination's box. */
static const uint16_t fractals[] = {512, 1024, 32, 16};

/* ---- element conversion ---- */

enum convert_kind {
    CONVERT_COPY,
    CONVERT_CAST,  /* to a floating type, no factor */
    CONVERT_SCALE, /* times M1 to a floating type */
    CONVERT_INT8,  /* times M1, plus offset, to 8 bits */
    CONVERT_SHIFT, /* >> n + 1, to 16 bits */
};

struct quant_mode {
    uint8_t mode, from, kind;
    bool vector; /* one parameter word a column, from the second source */
    uint8_t to;  /* DataType of the result; CONVERT_INT8: S8 or U8 */
};

static const struct quant_mode quant_modes[] = {
    {ISA_PreQuantMode_F322F16, ISA_DataType_FP32, CONVERT_CAST, false, ISA_DataType_FP16},
    {ISA_PreQuantMode_F322BF16, ISA_DataType_FP32, CONVERT_CAST, false, ISA_DataType_BF16},
    {ISA_PreQuantMode_VREQ8, ISA_DataType_S32, CONVERT_INT8, true, ISA_DataType_S8},
    {ISA_PreQuantMode_REQ8, ISA_DataType_S32, CONVERT_INT8, false, ISA_DataType_S8},
    {ISA_PreQuantMode_VQF322B8_PRE, ISA_DataType_FP32, CONVERT_INT8, true, ISA_DataType_S8},
    {ISA_PreQuantMode_QF322B8_PRE, ISA_DataType_FP32, CONVERT_INT8, false, ISA_DataType_S8},
    {ISA_PreQuantMode_VDEQF16, ISA_DataType_S32, CONVERT_SCALE, true, ISA_DataType_FP16},
    {ISA_PreQuantMode_DEQF16, ISA_DataType_S32, CONVERT_SCALE, false, ISA_DataType_FP16},
    {ISA_PreQuantMode_VQF322F16_PRE, ISA_DataType_FP32, CONVERT_SCALE, true, ISA_DataType_FP16},
    {ISA_PreQuantMode_QF322F16_PRE, ISA_DataType_FP32, CONVERT_SCALE, false, ISA_DataType_FP16},
    {ISA_PreQuantMode_VQF322BF16_PRE, ISA_DataType_FP32, CONVERT_SCALE, true, ISA_DataType_BF16},
    {ISA_PreQuantMode_QF322BF16_PRE, ISA_DataType_FP32, CONVERT_SCALE, false, ISA_DataType_BF16},
    {ISA_PreQuantMode_VQS322BF16_PRE, ISA_DataType_S32, CONVERT_SCALE, true, ISA_DataType_BF16},
    {ISA_PreQuantMode_QS322BF16_PRE, ISA_DataType_S32, CONVERT_SCALE, false, ISA_DataType_BF16},
    {ISA_PreQuantMode_VQF322F32_PRE, ISA_DataType_FP32, CONVERT_SCALE, true, ISA_DataType_FP32},
    {ISA_PreQuantMode_QF322F32_PRE, ISA_DataType_FP32, CONVERT_SCALE, false, ISA_DataType_FP32},
    {ISA_PreQuantMode_VQF322HIF8_PRE, ISA_DataType_FP32, CONVERT_SCALE, true, ISA_DataType_HiF8},
    {ISA_PreQuantMode_QF322HIF8_PRE, ISA_DataType_FP32, CONVERT_SCALE, false, ISA_DataType_HiF8},
    {ISA_PreQuantMode_VQF322FP8_PRE, ISA_DataType_FP32, CONVERT_SCALE, true, ISA_DataType_E4M3},
    {ISA_PreQuantMode_QF322FP8_PRE, ISA_DataType_FP32, CONVERT_SCALE, false, ISA_DataType_E4M3},
    {ISA_PreQuantMode_VSHIFTS322S16, ISA_DataType_S32, CONVERT_SHIFT, true, ISA_DataType_S16},
    {ISA_PreQuantMode_SHIFTS322S16, ISA_DataType_S32, CONVERT_SHIFT, false, ISA_DataType_S16},
};

/* The parameter word: bits 31..0 M1, 35..32 shift, 45..37 offset, 46 signed result. */
struct quant_parameter {
    float m1;
    unsigned shift;
    int32_t offset;
    bool is_signed;
};

static struct quant_parameter quant_parameter_of(uint64_t word, bool vector)
{
    uint32_t m1 = (uint32_t)word;
    if (vector) { /* one sign, eight exponent and ten fraction bits; no subnormals */
        m1 &= UINT32_C(0xffffe000);
        if (!(m1 & UINT32_C(0x7fffe000)))
            m1 = 0;
    }
    return (struct quant_parameter){
        .m1 = numeric_from_bits(m1),
        .shift = (unsigned)(word >> 32 & 0xf),
        .offset = (int32_t)(word >> 37 & ((1u << OFFSET_BITS) - 1)),
        .is_signed = word >> 46 & 1,
    };
}

static int32_t clamp(int64_t value, int32_t low, int32_t high)
{
    return value < low ? low : value > high ? high : (int32_t)value;
}

/* Rounds before the offset is added, as the hardware's golden data do. */
static uint64_t quantise8(float x, const struct quant_parameter *p)
{
    float scaled = x * p->m1;
    if (scaled < -256.0f)
        scaled = -256.0f;
    if (scaled > 255.0f)
        scaled = 255.0f;
    int32_t t = numeric_round_even(scaled) + p->offset;
    return (uint8_t)(p->is_signed ? clamp(t, INT8_MIN, INT8_MAX) : clamp(t, 0, UINT8_MAX));
}

/* As B.FPATR rounds to these in a CUBE operation, limited like FP16. */
static uint64_t to_float8(float x, unsigned dtype)
{
    const struct element_type *t = element_type_of(dtype);
    const struct element_control c = {dtype == ISA_DataType_HiF8 ? ROUND_TIES_UP : ROUND_EVEN,
                                      true};
    unsigned ignored = 0;
    return t->encode(t, float_unpack(&float_fp32, numeric_to_bits(x)), &c, &ignored);
}

/* As the C++ CPU model: the offset is added before rounding, and nothing is limited before. */
static uint64_t quantise8_model(float x, const struct quant_parameter *p)
{
    float low = p->is_signed ? INT8_MIN : 0, high = p->is_signed ? INT8_MAX : UINT8_MAX;
    float y = x * p->m1 + (float)p->offset;
    y = y < low ? low : y > high ? high : y; /* whole numbers, so that rounding stays inside */
    return (uint8_t)numeric_round_even(y);
}

static uint64_t to_float_type(float x, unsigned dtype, bool saturate)
{
    if (dtype == ISA_DataType_HiF8 || dtype == ISA_DataType_E4M3)
        return to_float8(x, dtype);
    if (dtype == ISA_DataType_FP16) {
        const float limit = 65504.0f;
        if (saturate)
            x = x < -limit ? -limit : x > limit ? limit : x;
        return numeric_fp16(x);
    }
    return dtype == ISA_DataType_BF16 ? numeric_bf16(x) : numeric_to_bits(x);
}

struct conversion {
    enum convert_kind kind;
    unsigned from, to; /* DataType codes */
    bool vector, relu;
    bool model; /* --quant=cpusim */
};

static float as_float(uint64_t value, unsigned dtype)
{
    switch (dtype) {
    case ISA_DataType_S32:
        return (float)(int32_t)value;
    case ISA_DataType_FP16:
        return numeric_from_bits(numeric_widen((uint32_t)value, 5, 10));
    case ISA_DataType_BF16:
        return numeric_from_bits(numeric_widen((uint32_t)value, 8, 7));
    default:
        return numeric_from_bits((uint32_t)value);
    }
}

static uint64_t relu(uint64_t value, const struct sim_format *f)
{
    bool negative = f->klass != SIM_CLASS_UNSIGNED && (value >> (f->bits - 1) & 1);
    return negative ? 0 : value;
}

static uint64_t convert(const struct conversion *c, uint64_t value, uint64_t parameter)
{
    struct quant_parameter p = quant_parameter_of(parameter, c->vector);
    switch (c->kind) {
    case CONVERT_CAST:
        value = to_float_type(as_float(value, c->from), c->to, false);
        break;
    case CONVERT_SCALE:
        value = to_float_type(as_float(value, c->from) * p.m1, c->to, true);
        break;
    case CONVERT_INT8:
        value = c->model ? quantise8_model(as_float(value, c->from), &p)
                         : quantise8(as_float(value, c->from), &p);
        break;
    case CONVERT_SHIFT:
        value = (uint32_t)((int32_t)value >> (p.shift + 1));
        value =
            (uint16_t)(c->model ? value : (uint32_t)clamp((int32_t)value, INT16_MIN, INT16_MAX));
        break;
    case CONVERT_COPY:
        break;
    }
    return c->relu ? relu(value, sim_format_of(c->to)) : value;
}

/* ---- checks ---- */

static bool converts(const struct sim *s)
{
    return s->program && !s->options.strict && s->program->identity.extensions &&
           strstr(s->program->identity.extensions, "tmov-convert");
}

bool tile_takes_fpatr(const struct sim *s, const struct bundle *b)
{
    return b->op == &isa_tileops[ISA_TILEOP_TMOV] && converts(s);
}

bool tile_takes_reserved(const struct sim *s, const struct isa_insn *in, const struct isa_why *why)
{
    return converts(s) && in->form->klass == ISA_CLASS_SetBundleDataAttributes && why->field >= 0 &&
           in->form->fields[why->field].name == ISA_FIELD_Layout &&
           isa_member_of_value(&isa_enumerations[ISA_ENUM_TmovLayout], why->value, s->target.pto);
}

bool tile_convert_selected(const struct tile_op *op)
{
    return tile_takes_fpatr(op->s, op->b);
}

static const struct quant_mode *find_quant_mode(unsigned mode)
{
    for (size_t i = 0; i < sizeof quant_modes / sizeof *quant_modes; i++)
        if (quant_modes[i].mode == mode)
            return &quant_modes[i];
    return NULL;
}

static bool is_exact_widening(unsigned from, unsigned to)
{
    return to == ISA_DataType_FP32 && (from == ISA_DataType_FP16 || from == ISA_DataType_BF16);
}

static bool choose_conversion(struct tile_op *op, unsigned to, struct conversion *c)
{
    unsigned from = op->source[0]->info.dtype, mode = op->b->fpatr.pre_quant_mode;
    *c = (struct conversion){.kind = CONVERT_COPY, .from = from, .to = to};
    c->model = op->s->options.quant == SIM_QUANT_CPUSIM;
    if (op->b->fpatr.present && op->b->fpatr.relu_mode > RELU_NORMAL)
        return tile_fault(op, FAULT_TILE_LEGALITY, "ReluMode is %u, TMOV knows 0 and 1",
                          op->b->fpatr.relu_mode);
    c->relu = op->b->fpatr.present && op->b->fpatr.relu_mode == RELU_NORMAL;
    if (!op->b->fpatr.present || mode == ISA_PreQuantMode_NoQuant) {
        if (is_exact_widening(from, to))
            c->kind = CONVERT_CAST;
        else if (from != to)
            return tile_fault(op, FAULT_TILE_LEGALITY, "%s to %s needs a PreQuantMode",
                              sim_format_name(from), sim_format_name(to));
        return true;
    }
    const struct quant_mode *q = find_quant_mode(mode);
    if (!q)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "PreQuantMode %u belongs to CUBE operations: no TMOV converts so", mode);
    bool same = q->to == to || (q->kind == CONVERT_INT8 && to == ISA_DataType_U8);
    if (q->from != from || !same)
        return tile_fault(op, FAULT_TILE_LEGALITY, "PreQuantMode %u takes %s to %s, not %s to %s",
                          mode, sim_format_name(q->from), sim_format_name(q->to),
                          sim_format_name(from), sim_format_name(to));
    c->kind = (enum convert_kind)q->kind;
    c->vector = q->vector;
    return true;
}

static bool check_operands(struct tile_op *op)
{
    const struct bundle *b = op->b;
    unsigned destinations = 0;
    for (unsigned i = 0; i < b->niot; i++)
        destinations += b->iot[i].has_destination;
    if (b->nios || destinations != 1 || op->nsources < 1 || op->nsources > 2)
        return tile_fault(op, FAULT_BUNDLE,
                          "%u destinations and %u sources are bound; a converting TMOV has one "
                          "destination and one or two sources",
                          destinations, op->nsources);
    if (!b->iot[b->niot - 1].last)
        return tile_fault(op, FAULT_BUNDLE, "the last of %u B.IOT lacks `last`", b->niot);
    if (!op->source[0] || !op->source[0]->allocated)
        return tile_fault(op, FAULT_TILE_LEGALITY, "source %s is not allocated",
                          tile_slot_name(op->slot[0]).text);
    return tile_check_fragments(op, 0, op->mask);
}

/* The `fp` tile has one 64-bit word a destination column in its first row. */
static bool check_parameters(struct tile_op *op, const struct conversion *c, uint32_t columns)
{
    if (!c->vector)
        return true;
    const struct tile *t = op->nsources == 2 ? op->source[1] : NULL;
    if (!t || !t->allocated)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "PreQuantMode %u needs a parameter tile as second source",
                          op->b->fpatr.pre_quant_mode);
    if (tile_format(&t->info)->bits != 64 || t->info.valid_cols < columns || !t->info.valid_rows)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "the parameter tile %s is %u x %u of %s; %u words of 64 bits are needed",
                          tile_slot_name(op->slot[1]).text, t->info.valid_rows, t->info.valid_cols,
                          sim_format_name(t->info.dtype), columns);
    return tile_check_fragments(op, 1, op->mask);
}

/* ---- geometry ---- */

enum split { SPLIT_NONE, SPLIT_ROWS, SPLIT_COLUMNS };

struct geometry {
    struct tile_info to;
    bool transpose; /* DN2ZZ of a row-major source: its rows become columns */
    enum split split;
};

static const struct layout_code *find_layout_code(unsigned code)
{
    for (size_t i = 0; i < sizeof layout_codes / sizeof *layout_codes; i++)
        if (layout_codes[i].code == code)
            return &layout_codes[i];
    for (size_t i = 0; i < sizeof cell_codes / sizeof *cell_codes; i++)
        if (cell_codes[i].code == code)
            return &cell_codes[i];
    return NULL;
}

static bool choose_layout(struct tile_op *op, struct geometry *g)
{
    const struct tile_info *from = &op->source[0]->info;
    unsigned code = op->b->datr.present ? op->b->datr.layout : ISA_TileLayout_NORM;
    g->to.layout = from->layout;
    if (code == ISA_TileLayout_NORM)
        return true;
    const struct layout_code *c = find_layout_code(code);
    if (!c)
        return tile_fault(op, FAULT_TILE_LEGALITY, "layout code %u is not one TMOV converts", code);
    g->to.layout = c->to;
    g->transpose = code == ISA_TmovLayout_DN2ZZ && from->layout == SIM_ROW_MAJOR;
    if (c->from == from->layout || c->from == ANY_LAYOUT || g->transpose)
        return true;
    return tile_fault(op, FAULT_TILE_LEGALITY, "layout code %u converts %s, the source is %s", code,
                      sim_layout_name((enum sim_layout)c->from),
                      sim_layout_name((enum sim_layout)from->layout));
}

static void choose_box(const struct tile_op *op, struct geometry *g)
{
    const struct tile_info *from = &op->source[0]->info;
    uint32_t rows = 1, cols = 1;
    if (!op->b->datr.present && g->to.dtype == from->dtype) {
        rows = from->box_rows, cols = from->box_cols;
    } else if (sim_layout_is_boxed(g->to.layout)) {
        unsigned fractal = fractals[op->b->datr.pad % 4]; /* all of them have a box */
        bool inside = sim_layout_is_column_inside((enum sim_layout)g->to.layout);
        sim_layout_fractal_box(fractal, inside, tile_format(&g->to), &rows, &cols);
    }
    g->to.box_rows = (uint16_t)rows;
    g->to.box_cols = (uint16_t)cols;
}

/* AccToVecMode in CMode: with mask 1100, modes 2 and 3 give each PE one half. */
static bool choose_split(struct tile_op *op, struct geometry *g)
{
    static const uint8_t split_masks[] = {SIM_ALL_PES, 4, 12, 12};
    unsigned mode = op->b->datr.present ? op->b->datr.cmode : 0;
    if (!mode)
        return true;
    if (mode > 3 || op->mask != split_masks[mode])
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "AccToVecMode %u (CMode) needs mask %s, the bundle's is %u%u%u%u", mode,
                          mode == 1 ? "0100" : "1100", op->mask >> 3 & 1, op->mask >> 2 & 1,
                          op->mask >> 1 & 1, op->mask & 1);
    g->split = mode == 2 ? SPLIT_ROWS : mode == 3 ? SPLIT_COLUMNS : SPLIT_NONE;
    return true;
}

static bool check_extents(struct tile_op *op, const struct geometry *g)
{
    const struct tile_info *t = &g->to, *from = &op->source[0]->info;
    if (!t->cols || t->cols > TILE_MAX_DIMENSION || t->valid_rows > t->rows ||
        t->valid_cols > t->cols)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "the valid region LB1 x LB0 = %u x %u exceeds the %u x %u elements",
                          t->valid_rows, t->valid_cols, t->rows, t->cols);
    bool partial = sim_layout_boxes_go_across((enum sim_layout)t->layout);
    if (t->cols % t->box_cols || (t->rows % t->box_rows && !partial))
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "%u x %u elements are not whole boxes of %u x %u", t->rows, t->cols,
                          t->box_rows, t->box_cols);
    uint32_t rows = t->valid_rows << (g->split == SPLIT_ROWS);
    uint32_t cols = t->valid_cols << (g->split == SPLIT_COLUMNS);
    uint32_t have_rows = g->transpose ? from->valid_cols : from->valid_rows;
    uint32_t have_cols = g->transpose ? from->valid_rows : from->valid_cols;
    if (rows > have_rows || cols > have_cols)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "%u x %u elements are needed, the source %s has %u x %u valid ones", rows,
                          cols, tile_slot_name(op->slot[0]).text, have_rows, have_cols);
    return true;
}

/* Whole cells around the valid region, whatever LB2 says. */
static bool choose_cells(struct tile_op *op, struct geometry *g)
{
    struct tile_info *to = &g->to;
    uint64_t needed;
    to->capacity = tile_size_code_bytes(op->b->iot[op->b->niot - 1].size_code);
    tile_info_set_layout(to, (enum sim_layout)to->layout);
    return tile_info_set_cube(to, &needed) ||
           tile_fault(op, FAULT_TILE_LEGALITY,
                      "%u x %u elements of %s do not make %s cells in %u bytes", to->valid_rows,
                      to->valid_cols, sim_format_name(to->dtype),
                      sim_layout_name((enum sim_layout)to->layout), to->capacity);
}

static bool choose_geometry(struct tile_op *op, struct geometry *g)
{
    const struct bundle *b = op->b;
    const struct tile_info *from = &op->source[0]->info;
    *g = (struct geometry){.to = {.dtype = from->dtype}};
    if (b->datr.present && b->datr.data_type != ISA_DataType_DTYPE_NONE)
        g->to.dtype = b->datr.data_type;
    if (!choose_layout(op, g) || !choose_split(op, g))
        return false;
    choose_box(op, g);
    uint32_t rows = g->transpose ? from->cols : from->rows;
    uint32_t cols = g->transpose ? from->rows : from->cols;
    g->to.rows = rows;
    g->to.cols = b->lb[2] ? (uint32_t)b->lb[2] : cols;
    g->to.valid_rows = b->lb[1]       ? (uint32_t)b->lb[1]
                       : g->transpose ? from->valid_cols
                                      : from->valid_rows;
    g->to.valid_cols = b->lb[0]       ? (uint32_t)b->lb[0]
                       : g->transpose ? from->valid_rows
                                      : from->valid_cols;
    g->to.compact = b->datr.present && b->datr.canonicalize ? 2 : 0;
    if (sim_layout_is_cube((enum sim_layout)g->to.layout) && !choose_cells(op, g))
        return false;
    return check_extents(op, g);
}

static bool reserve(struct tile_op *op, struct tile_info *to)
{
    if (!tile_reserve_slot(op, &to->capacity))
        return false;
    uint64_t elements = tile_storage_elements(to), room = tile_capacity_elements(to);
    if (elements > room)
        return tile_fault(op, FAULT_TILE_ALLOCATION,
                          "%llu elements of %s do not fit the destination's %u bytes",
                          (unsigned long long)elements, sim_format_name(to->dtype), to->capacity);
    tile_add_destination(op, to);
    return true;
}

/* ---- effect ---- */

static uint64_t parameter_at(const struct tile_op *op, const struct conversion *c, unsigned pe,
                             uint32_t col)
{
    if (!c->vector)
        return tile_scalar(op, pe, 0);
    const struct tile_info *info = &op->source[1]->info;
    struct sim_map map = tile_map(info);
    return sim_element_get(tile_format(info), tile_source_fragment(op, 1, pe)->bytes,
                           sim_map_index(&map, 0, col));
}

static void move_fragment(struct tile_op *op, const struct geometry *g, const struct conversion *c,
                          unsigned pe)
{
    const struct tile_info *from = &op->source[0]->info, *to = &g->to;
    const struct sim_format *ff = tile_format(from), *tf = tile_format(to);
    struct sim_map fm = tile_map(from), tm = tile_map(to);
    const uint8_t *bytes = tile_source_fragment(op, 0, pe)->bytes;
    struct tile_fragment *out = tile_new_fragment(op, 0, pe);
    uint32_t skip_rows = g->split == SPLIT_ROWS && pe ? to->valid_rows : 0;
    uint32_t skip_cols = g->split == SPLIT_COLUMNS && pe ? to->valid_cols : 0;
    for (uint32_t col = 0; col < to->valid_cols; col++) {
        uint64_t parameter = c->kind == CONVERT_COPY ? 0 : parameter_at(op, c, pe, col + skip_cols);
        for (uint32_t row = 0; row < to->valid_rows; row++) {
            uint32_t r = row + skip_rows, k = col + skip_cols;
            uint32_t at = g->transpose ? sim_map_index(&fm, k, r) : sim_map_index(&fm, r, k);
            sim_element_set(tf, out->bytes, sim_map_index(&tm, row, col),
                            convert(c, sim_element_get(ff, bytes, at), parameter));
        }
    }
    out->defined = TILE_VALID_DEFINED;
}

bool tile_run_convert(struct tile_op *op)
{
    struct geometry g;
    struct conversion c;
    if (!check_operands(op) || !choose_geometry(op, &g) || !choose_conversion(op, g.to.dtype, &c) ||
        !check_parameters(op, &c, g.to.valid_cols << (g.split == SPLIT_COLUMNS)) ||
        !reserve(op, &g.to))
        return false;
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        if (op->mask & pe_bit(pe))
            move_fragment(op, &g, &c, pe);
    return true;
}
