/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/format.h"

#include <string.h>

#include "isa/isa.h"

enum { FORMAT_CODES = 32 };

/*
 * Padding: pto-isa asl/tile/model/definedness/elements.asl. Types that it does
 * not list pad with all ones (Max) and zero (Min).
 */
static const struct sim_format formats[FORMAT_CODES] = {
    [ISA_DataType_FP64] = {SIM_CLASS_FLOAT, 64, 'f', 0x7fefffffffffffff, 0xffefffffffffffff},
    [ISA_DataType_FP32] = {SIM_CLASS_FLOAT, 32, 'f', 0x7f7fffff, 0xff7fffff},
    [ISA_DataType_TF32] = {SIM_CLASS_FLOAT, 32, 'f', 0x7f7fe000, 0xff7fe000},
    [ISA_DataType_HF32] = {SIM_CLASS_FLOAT, 32, 'f', 0x7f7ff000, 0xff7ff000},
    [ISA_DataType_FP16] = {SIM_CLASS_FLOAT, 16, 'f', 0x7bff, 0xfbff},
    [ISA_DataType_BF16] = {SIM_CLASS_FLOAT, 16, 'u', 0x7f7f, 0xff7f},
    [ISA_DataType_HiF8] = {SIM_CLASS_FLOAT, 8, 'u', 0xff, 0},
    [ISA_DataType_E4M3] = {SIM_CLASS_FLOAT, 8, 'u', 0x7e, 0xfe},
    [ISA_DataType_E5M2] = {SIM_CLASS_FLOAT, 8, 'u', 0x7b, 0xfb},
    [ISA_DataType_E3M2] = {SIM_CLASS_FLOAT, 8, 'u', 0xff, 0},
    [ISA_DataType_E2M3] = {SIM_CLASS_FLOAT, 8, 'u', 0xff, 0},
    [ISA_DataType_E2M1X2] = {SIM_CLASS_FLOAT, 4, 'u', 0xf, 0},
    [ISA_DataType_E1M2X2] = {SIM_CLASS_FLOAT, 4, 'u', 0xf, 0},
    [ISA_DataType_E8M0] = {SIM_CLASS_FLOAT, 8, 'u', 0xff, 0},
    [ISA_DataType_HiF4X2] = {SIM_CLASS_FLOAT, 4, 'u', 0xf, 0},
    [ISA_DataType_S64] = {SIM_CLASS_SIGNED, 64, 'i', 0x7fffffffffffffff, 0x8000000000000000},
    [ISA_DataType_S32] = {SIM_CLASS_SIGNED, 32, 'i', 0x7fffffff, 0x80000000},
    [ISA_DataType_S16] = {SIM_CLASS_SIGNED, 16, 'i', 0x7fff, 0x8000},
    [ISA_DataType_S8] = {SIM_CLASS_SIGNED, 8, 'i', 0x7f, 0x80},
    [ISA_DataType_S4X2] = {SIM_CLASS_SIGNED, 4, 'i', 0xf, 0},
    [ISA_DataType_U64] = {SIM_CLASS_UNSIGNED, 64, 'u', UINT64_MAX, 0},
    [ISA_DataType_U32] = {SIM_CLASS_UNSIGNED, 32, 'u', UINT32_MAX, 0},
    [ISA_DataType_U16] = {SIM_CLASS_UNSIGNED, 16, 'u', UINT16_MAX, 0},
    [ISA_DataType_U8] = {SIM_CLASS_UNSIGNED, 8, 'u', UINT8_MAX, 0},
    [ISA_DataType_U4X2] = {SIM_CLASS_UNSIGNED, 4, 'u', 0xf, 0},
};

const struct sim_format *sim_format_of(unsigned dtype)
{
    static const struct sim_format none;
    return dtype < FORMAT_CODES ? &formats[dtype] : &none;
}

const char *sim_format_name(unsigned dtype)
{
    const struct isa_member *m =
        isa_member_of_value(&isa_enumerations[ISA_ENUM_DataType], dtype, UINT8_MAX);
    return m ? m->name : "?";
}

bool sim_format_takes(const struct sim_format *f, char kind, unsigned itemsize)
{
    if (itemsize != sim_format_access_bytes(f))
        return false;
    if (kind == f->npy_kind || kind == 'V')
        return true;
    return (f->klass == SIM_CLASS_FLOAT && kind == 'u') ||
           (f->klass == SIM_CLASS_UNSIGNED && kind == 'b');
}

unsigned sim_format_access_bytes(const struct sim_format *f)
{
    return f->bits < 8 ? 1 : f->bits / 8;
}

uint64_t sim_format_bytes(const struct sim_format *f, uint64_t count)
{
    return f->bits < 8 ? (count + 1) / 2 : count * (f->bits / 8);
}

uint64_t sim_format_pad(const struct sim_format *f, enum sim_pad pad)
{
    switch (pad) {
    case SIM_PAD_MAX:
        return f->max;
    case SIM_PAD_MIN:
        return f->min;
    default:
        return 0;
    }
}

uint64_t sim_element_get(const struct sim_format *f, const uint8_t *payload, uint64_t index)
{
    if (f->bits < 8)
        return index % 2 ? payload[index / 2] >> 4 : payload[index / 2] & 0xf;
    uint64_t value = 0;
    unsigned bytes = f->bits / 8;
    const uint8_t *p = payload + index * bytes;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)p[i] << (8 * i);
    return value;
}

void sim_element_set(const struct sim_format *f, uint8_t *payload, uint64_t index, uint64_t value)
{
    if (f->bits < 8) {
        uint8_t *byte = payload + index / 2;
        *byte = index % 2 ? (uint8_t)((*byte & 0xf) | value << 4)
                          : (uint8_t)((*byte & 0xf0) | (value & 0xf));
        return;
    }
    unsigned bytes = f->bits / 8;
    uint8_t *p = payload + index * bytes;
    for (unsigned i = 0; i < bytes; i++)
        p[i] = (uint8_t)(value >> (8 * i));
}
