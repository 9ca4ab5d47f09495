/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/format.h"

#include <string.h>

#include "isa/isa.h"

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
