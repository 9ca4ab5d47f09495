/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/element.h"

#include <string.h>

#include "isa/isa.h"

enum { TYPE_CODES = 32, VALUE_TOP = 126 }; /* VALUE_TOP: see struct float_value */

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "rows are read as the host's numbers");

static struct float_value power_of_two(int exponent)
{
    return (struct float_value){FLOAT_FINITE, false, exponent, (uint128)1 << VALUE_TOP};
}

/* ---- formats of sign, exponent, fraction ---- */

static struct float_value decode_float(const struct element_type *t, uint64_t bits)
{
    struct float_value v = float_unpack(&t->f, bits);
    v.exponent -= t->scale;
    return v;
}

static uint64_t highest_finite(const struct element_type *t)
{
    uint64_t infinities = t->f.specials == SPECIALS_IEEE;
    return t->limit - (infinities << t->f.shift);
}

static bool is_nan(struct float_value v)
{
    return v.klass >= FLOAT_NAN;
}

/* Saturation turns what overflows, and infinities, into the largest number. A NaN without an
 * encoding becomes that number too, with INVALID. */
static uint64_t encode_float(const struct element_type *t, struct float_value v,
                             const struct element_control *c, unsigned *flags)
{
    if (is_nan(v) && t->f.specials == SPECIALS_NONE) {
        *flags |= FLOAT_INVALID;
        return highest_finite(t);
    }
    v.exponent += t->scale;
    uint64_t bits = float_pack(&t->f, v, c->rounding, flags);
    if (c->saturate && !is_nan(v) && (bits & ~t->sign) > highest_finite(t))
        return highest_finite(t) | (v.sign ? t->sign : 0);
    return bits;
}

/* ---- HiF8 ---- */

/* Rows by the leading bits after the sign: a prefix, then an exponent of `exponent_bits` whose
 * first is its sign and whose leading one is not stored, then the fraction. */
struct hif8_row {
    uint8_t prefix, prefix_bits, exponent_bits, fraction_bits;
};
static const struct hif8_row hif8_rows[] = {
    {0x1, 4, 0, 3}, {0x1, 3, 1, 3}, {0x1, 2, 2, 3}, {0x2, 2, 3, 2}, {0x3, 2, 4, 1},
};
enum {
    HIF8_SIGN = 0x80,
    HIF8_NAN = 0x80,
    HIF8_INFINITY = 0x6f,
    HIF8_BITS = 7,
    HIF8_LOWEST_NORMAL = -15,
    HIF8_SUBNORMAL = 23, /* code M of the lowest eight is 2^(M-23) */
    HIF8_HIGHEST = 0x6e,
};

static struct float_value hif8_magnitude(unsigned code)
{
    if (!code)
        return (struct float_value){.klass = FLOAT_ZERO};
    for (size_t i = 0; i < sizeof hif8_rows / sizeof *hif8_rows; i++) {
        const struct hif8_row *row = &hif8_rows[i];
        if (code >> (HIF8_BITS - row->prefix_bits) != row->prefix)
            continue;
        unsigned fraction = code & ((1u << row->fraction_bits) - 1);
        unsigned stored = code >> row->fraction_bits & ((1u << row->exponent_bits) - 1);
        int exponent = 0;
        if (row->exponent_bits) {
            unsigned top = 1u << (row->exponent_bits - 1);
            exponent = (int)(top | (stored & (top - 1)));
            if (stored & top)
                exponent = -exponent;
        }
        struct float_value v = power_of_two(exponent);
        v.significand |= (uint128)fraction << (VALUE_TOP - row->fraction_bits);
        return v;
    }
    return power_of_two((int)code - HIF8_SUBNORMAL);
}

static struct float_value decode_hif8(const struct element_type *t, uint64_t bits)
{
    (void)t;
    unsigned code = bits & 0xff;
    if (code == HIF8_NAN)
        return (struct float_value){.klass = FLOAT_NAN};
    bool sign = code & HIF8_SIGN;
    if ((code & ~HIF8_SIGN) == HIF8_INFINITY)
        return (struct float_value){.klass = FLOAT_INFINITE, .sign = sign};
    struct float_value v = hif8_magnitude(code & ~(unsigned)HIF8_SIGN);
    v.sign = sign;
    return v;
}

static const struct hif8_row *hif8_row_of(int exponent)
{
    unsigned digits = 0;
    for (int rest = exponent < 0 ? -exponent : exponent; rest; rest >>= 1)
        digits++;
    return &hif8_rows[digits];
}

static unsigned hif8_code(int exponent, unsigned fraction)
{
    if (exponent < HIF8_LOWEST_NORMAL)
        return (unsigned)(exponent + HIF8_SUBNORMAL);
    const struct hif8_row *row = hif8_row_of(exponent);
    unsigned stored = 0;
    if (row->exponent_bits) {
        unsigned top = 1u << (row->exponent_bits - 1);
        stored = ((unsigned)(exponent < 0 ? -exponent : exponent) & (top - 1)) |
                 (exponent < 0 ? top : 0);
    }
    return (unsigned)row->prefix << (HIF8_BITS - row->prefix_bits) | stored << row->fraction_bits |
           fraction;
}

static unsigned hif8_overflow(bool sign, const struct element_control *c, unsigned *flags)
{
    enum rounding m = c->rounding;
    *flags |= FLOAT_OVERFLOW | FLOAT_INEXACT;
    bool stays = c->saturate || m == ROUND_ZERO || m == ROUND_ODD || (m == ROUND_DOWN && !sign) ||
                 (m == ROUND_UP && sign);
    return stays ? HIF8_HIGHEST : HIF8_INFINITY;
}

/* Below the normal numbers, also when rounded to the digits of the lowest of them? */
static bool hif8_is_tiny(struct float_value v, enum rounding mode)
{
    unsigned inexact = 0;
    if (v.exponent != HIF8_LOWEST_NORMAL - 1)
        return v.exponent < HIF8_LOWEST_NORMAL;
    unsigned digits = hif8_row_of(HIF8_LOWEST_NORMAL)->fraction_bits;
    v.exponent = (int)digits;
    int8_t units = (int8_t)float_to_integer(v, 8, true, mode, &inexact);
    return (units < 0 ? -units : units) < 2 << digits;
}

/* The magnitude as `units` of the step that the format has there. */
static unsigned hif8_rounded(struct float_value v, const struct element_control *c, unsigned *flags)
{
    enum { SMALLEST = -22, LARGEST = 15 };
    if (v.exponent > LARGEST)
        return hif8_overflow(v.sign, c, flags);
    int exponent = v.exponent < SMALLEST ? SMALLEST : v.exponent;
    unsigned digits = exponent < HIF8_LOWEST_NORMAL ? 0 : hif8_row_of(exponent)->fraction_bits;
    unsigned inexact = 0;
    bool tiny = hif8_is_tiny(v, c->rounding);
    v.exponent -= exponent - (int)digits;
    int8_t whole = (int8_t)float_to_integer(v, 8, true, c->rounding, &inexact);
    unsigned units = (unsigned)(whole < 0 ? -whole : whole);
    *flags |= inexact;
    if (inexact && tiny)
        *flags |= FLOAT_UNDERFLOW;
    if (!units)
        return 0;
    if (units >> digits > 1) { /* rounded up to the next power of two */
        exponent++;
        units = digits = 0;
    } else {
        units &= (1u << digits) - 1;
    }
    unsigned code = exponent > LARGEST ? HIF8_INFINITY : hif8_code(exponent, units);
    return code >= HIF8_INFINITY && exponent >= LARGEST ? hif8_overflow(v.sign, c, flags) : code;
}

static uint64_t encode_hif8(const struct element_type *t, struct float_value v,
                            const struct element_control *c, unsigned *flags)
{
    (void)t;
    if (is_nan(v)) {
        *flags |= v.klass == FLOAT_SIGNALING ? FLOAT_INVALID : 0;
        return HIF8_NAN;
    }
    unsigned code = 0;
    if (v.klass == FLOAT_INFINITE)
        code = c->saturate ? HIF8_HIGHEST : HIF8_INFINITY;
    else if (v.klass == FLOAT_FINITE)
        code = hif8_rounded(v, c, flags);
    return code ? code | (v.sign ? HIF8_SIGN : 0) : 0;
}

/* ---- E8M0: 2^(code - 127) ---- */

enum { E8M0_BIAS = 127, E8M0_NAN = 0xff, E8M0_HIGHEST = 0xfe };

static struct float_value decode_e8m0(const struct element_type *t, uint64_t bits)
{
    (void)t;
    if ((bits & 0xff) == E8M0_NAN)
        return (struct float_value){.klass = FLOAT_NAN};
    return power_of_two((int)(bits & 0xff) - E8M0_BIAS);
}

/* Does rounding log2 of the value go up from its exponent? The value is no power of two; halfway
 * is the square root of two, which no value is (asl: ReferenceE8M0RoundExponent). */
static bool e8m0_rounds_up(struct float_value v, enum rounding mode)
{
    uint64_t top = (uint64_t)(v.significand >> 63);
    switch (mode) {
    case ROUND_DOWN:
        return false;
    case ROUND_UP:
        return true;
    case ROUND_ZERO:
        return v.exponent < 0;
    case ROUND_ODD:
        return v.exponent % 2 == 0;
    default:
        return (uint128)top * top > (uint128)1 << 127;
    }
}

static uint64_t encode_e8m0(const struct element_type *t, struct float_value v,
                            const struct element_control *c, unsigned *flags)
{
    (void)t;
    if (is_nan(v) || v.sign || v.klass == FLOAT_ZERO) {
        *flags |= FLOAT_INVALID;
        return E8M0_NAN;
    }
    bool power = v.significand == (uint128)1 << VALUE_TOP;
    if (v.klass == FLOAT_INFINITE || v.exponent > E8M0_BIAS ||
        (v.exponent == E8M0_BIAS && !power)) {
        *flags |= FLOAT_OVERFLOW | FLOAT_INEXACT;
        return c->saturate ? E8M0_HIGHEST : E8M0_NAN;
    }
    if (v.exponent < -E8M0_BIAS) {
        *flags |= FLOAT_UNDERFLOW | FLOAT_INEXACT;
        return c->saturate ? 0 : E8M0_NAN;
    }
    if (power)
        return (uint64_t)(v.exponent + E8M0_BIAS);
    *flags |= FLOAT_INEXACT;
    return (uint64_t)(v.exponent + e8m0_rounds_up(v, c->rounding) + E8M0_BIAS);
}

/* ---- integers ---- */

static struct float_value decode_integer(const struct element_type *t, uint64_t bits)
{
    unsigned above = 64 - t->bits;
    bits <<= above;
    return float_from_integer(t->is_signed ? (uint64_t)((int64_t)bits >> above) : bits >> above,
                              t->is_signed);
}

/* Without saturation what does not fit is indefinite; with it, the nearest end, and 0 for a NaN. */
static uint64_t encode_integer(const struct element_type *t, struct float_value v,
                               const struct element_control *c, unsigned *flags)
{
    unsigned local = 0;
    uint64_t bits = float_to_integer(v, t->bits, t->is_signed, c->rounding, &local);
    uint64_t mask = UINT64_MAX >> (64 - t->bits);
    if (c->saturate && (local & FLOAT_INVALID)) {
        local = is_nan(v) ? FLOAT_INVALID : FLOAT_OVERFLOW | FLOAT_INEXACT;
        uint64_t lowest = t->is_signed ? UINT64_C(1) << (t->bits - 1) : 0;
        bits = is_nan(v) ? 0 : v.sign ? lowest : mask ^ lowest;
    }
    *flags |= local;
    return bits & mask;
}

/* ---- the table ---- */

/* Bits, .npy kind and padding: the largest and least numbers of the formats that the specification
 * lists (asl/tile/model/definedness/elements.asl), all ones and zero for the rest. */
#define FORMAT(class, width, kind, max, min)                                                       \
    .format = {SIM_CLASS_##class, width, kind, max, min}, .bits = width
#define FLOATING(exponent_bits, fraction_bits, specials, shift)                                    \
    .is_float = true, .is_signed = true, .decode = decode_float, .encode = encode_float,           \
    .f = {exponent_bits, fraction_bits, specials, shift},                                          \
    .sign = UINT64_C(1) << (exponent_bits + fraction_bits + shift)
#define INTEGER(sign, table)                                                                       \
    .is_signed = sign, .one = 1, .decode = decode_integer, .encode = encode_integer,               \
    .kernels = table

static const struct element_type types[TYPE_CODES] = {
    [ISA_DataType_FP64] = {FORMAT(FLOAT, 64, 'f', 0x7fefffffffffffff, 0xffefffffffffffff),
                           FLOATING(11, 52, SPECIALS_IEEE, 0), .limit = 0x7ff0000000000000,
                           .quiet = 0x8000000000000, .nan = 0x7ff8000000000000,
                           .one = 0x3ff0000000000000, .kernels = &element_fp64},
    [ISA_DataType_FP32] = {FORMAT(FLOAT, 32, 'f', 0x7f7fffff, 0xff7fffff),
                           FLOATING(8, 23, SPECIALS_IEEE, 0), .limit = 0x7f800000,
                           .quiet = 0x400000, .nan = 0x7fc00000, .one = 0x3f800000,
                           .kernels = &element_fp32},
    [ISA_DataType_TF32] = {FORMAT(FLOAT, 32, 'f', 0x7f7fe000, 0xff7fe000),
                           FLOATING(8, 10, SPECIALS_IEEE, 13), .limit = 0x7f800000,
                           .quiet = 0x400000, .nan = 0x7fc00000, .one = 0x3f800000,
                           .reserved = 0x1fff, .kernels = &element_tf32},
    [ISA_DataType_HF32] = {FORMAT(FLOAT, 32, 'f', 0x7f7ff000, 0xff7ff000),
                           FLOATING(8, 11, SPECIALS_IEEE, 12), .limit = 0x7f800000,
                           .quiet = 0x400000, .nan = 0x7fc00000, .one = 0x3f800000,
                           .reserved = 0xfff, .kernels = &element_tf32},
    [ISA_DataType_FP16] = {FORMAT(FLOAT, 16, 'f', 0x7bff, 0xfbff),
                           FLOATING(5, 10, SPECIALS_IEEE, 0), .limit = 0x7c00, .quiet = 0x200,
                           .nan = 0x7e00, .one = 0x3c00, .kernels = &element_float16,
                           .widen = element_widen_fp16, .narrow = element_narrow_fp16},
    [ISA_DataType_BF16] = {FORMAT(FLOAT, 16, 'u', 0x7f7f, 0xff7f), FLOATING(8, 7, SPECIALS_IEEE, 0),
                           .limit = 0x7f80, .quiet = 0x40, .nan = 0x7fc0, .one = 0x3f80,
                           .kernels = &element_float16, .widen = element_widen_bf16,
                           .narrow = element_narrow_bf16},
    [ISA_DataType_HiF8] = {FORMAT(FLOAT, 8, 'u', 0xff, 0), .is_float = true, .is_signed = true,
                           .decode = decode_hif8, .encode = encode_hif8, .nan = HIF8_NAN,
                           .one = 0x08},
    [ISA_DataType_E4M3] = {FORMAT(FLOAT, 8, 'u', 0x7e, 0xfe), FLOATING(4, 3, SPECIALS_NAN, 0),
                           .limit = 0x7e, .nan = 0x7f, .one = 0x38, .kernels = &element_float8},
    [ISA_DataType_E5M2] = {FORMAT(FLOAT, 8, 'u', 0x7b, 0xfb), FLOATING(5, 2, SPECIALS_IEEE, 0),
                           .limit = 0x7c, .quiet = 2, .nan = 0x7e, .one = 0x3c,
                           .kernels = &element_float8},
    [ISA_DataType_E3M2] = {FORMAT(FLOAT, 8, 'u', 0xff, 0), FLOATING(3, 2, SPECIALS_NONE, 0),
                           .limit = 0x1f, .reserved = 0xc0, .one = 0x0c},
    [ISA_DataType_E2M3] = {FORMAT(FLOAT, 8, 'u', 0xff, 0), FLOATING(2, 3, SPECIALS_NONE, 0),
                           .limit = 0x1f, .reserved = 0xc0, .one = 0x08},
    [ISA_DataType_E2M1X2] = {FORMAT(FLOAT, 4, 'u', 0xf, 0), FLOATING(2, 1, SPECIALS_NONE, 0),
                             .limit = 7, .one = 2},
    [ISA_DataType_E1M2X2] = {FORMAT(FLOAT, 4, 'u', 0xf, 0), FLOATING(1, 2, SPECIALS_NONE, 0),
                             .limit = 7, .one = 4, .scale = 1},
    [ISA_DataType_E8M0] = {FORMAT(FLOAT, 8, 'u', 0xff, 0), .is_float = true, .decode = decode_e8m0,
                           .encode = encode_e8m0, .nan = E8M0_NAN, .one = E8M0_BIAS},
    [ISA_DataType_HiF4X2] = {FORMAT(FLOAT, 4, 'u', 0xf, 0), FLOATING(1, 2, SPECIALS_NONE, 0),
                             .limit = 7, .one = 4, .scale = 1},
    [ISA_DataType_S64] = {FORMAT(SIGNED, 64, 'i', 0x7fffffffffffffff, 0x8000000000000000),
                          INTEGER(true, &element_s64)},
    [ISA_DataType_S32] = {FORMAT(SIGNED, 32, 'i', 0x7fffffff, 0x80000000),
                          INTEGER(true, &element_s32)},
    [ISA_DataType_S16] = {FORMAT(SIGNED, 16, 'i', 0x7fff, 0x8000), INTEGER(true, &element_s16)},
    [ISA_DataType_S8] = {FORMAT(SIGNED, 8, 'i', 0x7f, 0x80), INTEGER(true, &element_s8)},
    [ISA_DataType_S4X2] = {FORMAT(SIGNED, 4, 'i', 0xf, 0), INTEGER(true, NULL)},
    [ISA_DataType_U64] = {FORMAT(UNSIGNED, 64, 'u', UINT64_MAX, 0), INTEGER(false, &element_u64)},
    [ISA_DataType_U32] = {FORMAT(UNSIGNED, 32, 'u', UINT32_MAX, 0), INTEGER(false, &element_u32)},
    [ISA_DataType_U16] = {FORMAT(UNSIGNED, 16, 'u', UINT16_MAX, 0), INTEGER(false, &element_u16)},
    [ISA_DataType_U8] = {FORMAT(UNSIGNED, 8, 'u', UINT8_MAX, 0), INTEGER(false, &element_u8)},
    [ISA_DataType_U4X2] = {FORMAT(UNSIGNED, 4, 'u', 0xf, 0), INTEGER(false, NULL)},
};

const struct element_type *element_type_of(unsigned dtype)
{
    static const struct element_type none;
    return dtype < TYPE_CODES ? &types[dtype] : &none;
}

const struct sim_format *sim_format_of(unsigned dtype)
{
    return &element_type_of(dtype)->format;
}

/* ---- passes ---- */

static const struct {
    int host;
    unsigned flag;
} host_flags[] = {
    {FE_INVALID, FLOAT_INVALID},   {FE_DIVBYZERO, FLOAT_DIVIDE_BY_ZERO},
    {FE_OVERFLOW, FLOAT_OVERFLOW}, {FE_UNDERFLOW, FLOAT_UNDERFLOW},
    {FE_INEXACT, FLOAT_INEXACT},
};

void element_begin(struct element_run *r, const struct element_type *type)
{
    r->type = type;
    r->flags = 0;
    fegetenv(&r->host);
    fesetenv(FE_DFL_ENV);
}

void element_end(struct element_run *r)
{
    int raised = fetestexcept(FE_ALL_EXCEPT);
    for (size_t i = 0; i < sizeof host_flags / sizeof *host_flags; i++)
        if (raised & host_flags[i].host)
            r->flags |= host_flags[i].flag;
    fesetenv(&r->host);
}

void element_fill(void *d, unsigned bytes, uint64_t value, size_t n)
{
    uint8_t *to = d;
    if (!n)
        return;
    memcpy(to, &value, bytes);
    for (size_t done = 1; done < n;) { /* doubling */
        size_t more = done < n - done ? done : n - done;
        memcpy(to + done * bytes, to, more * bytes);
        done += more;
    }
}
