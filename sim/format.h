/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Element formats of tiles: width, sign, padding values, and how an element
 * stands in a payload. One row a DataType code; nothing else in sim/ asks how
 * wide a type is. Four-bit elements are packed, the even one in the low nibble.
 */
#ifndef PTO_SIM_FORMAT_H
#define PTO_SIM_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sim_format_class {
    SIM_CLASS_NONE, /* reserved code or DTYPE_NONE */
    SIM_CLASS_UNSIGNED,
    SIM_CLASS_SIGNED,
    SIM_CLASS_FLOAT,
};

enum sim_pad { SIM_PAD_ZERO, SIM_PAD_MAX, SIM_PAD_MIN, SIM_PAD_NULL }; /* PadValue codes */

struct sim_format {
    uint8_t klass; /* enum sim_format_class */
    uint8_t bits;  /* 4, 8, 16, 32 or 64 */
    char npy_kind; /* kind of the .npy that carries it; 'V' and 'u' carry any float without one */
    uint64_t max, min; /* padding values (element bits) */
};

/* The row of a DataType code (in sim/element.c's table of types); klass SIM_CLASS_NONE when no
 * element has this type. */
const struct sim_format *sim_format_of(unsigned dtype);
/* The catalogue's name, "FP16"; "DataType 15" has none and gives "?". */
const char *sim_format_name(unsigned dtype);

/* Can a NumPy array of this kind and element size carry the format's elements? */
bool sim_format_takes(const struct sim_format *f, char kind, unsigned itemsize);

/* Bytes of one memory access: a four-bit element is reached through its byte. */
unsigned sim_format_access_bytes(const struct sim_format *f);
/* Bytes of `count` packed elements, rounded up. */
uint64_t sim_format_bytes(const struct sim_format *f, uint64_t count);
uint64_t sim_format_pad(const struct sim_format *f, enum sim_pad pad);

/* Element `index` of a packed payload, zero-extended. The caller keeps index in range. */
uint64_t sim_element_get(const struct sim_format *f, const uint8_t *payload, uint64_t index);
void sim_element_set(const struct sim_format *f, uint8_t *payload, uint64_t index, uint64_t value);

#endif
