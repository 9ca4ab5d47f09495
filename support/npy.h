/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NumPy .npy files, format 1.0 to 3.0 (numpy.lib.format). Data are read into
 * C order whatever the file's order. Bytes are untrusted: a header that does
 * not fit the data is refused with a reason.
 */
#ifndef PTO_SUPPORT_NPY_H
#define PTO_SUPPORT_NPY_H

#include "support/mem.h"

enum { NPY_MAX_RANK = 8 };

struct npy {
    char kind;         /* 'f' float, 'i' signed, 'u' unsigned, 'b' bool, 'V' raw bytes */
    unsigned itemsize; /* bytes an element; elements are little-endian after reading */
    unsigned rank;
    uint64_t shape[NPY_MAX_RANK];
    const uint8_t *data; /* rank 0: one element */
    size_t size;         /* bytes of data */
};

/* Parses `bytes`; data points into them when the file is C order and little
 * endian, else into the arena. Returns NULL or the reason. */
const char *npy_parse(struct arena *a, const uint8_t *bytes, size_t size, struct npy *out);
/* Appends a format 1.0 file, C order. */
void npy_write(struct buffer *out, const struct npy *array);

#endif
