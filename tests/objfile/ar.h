/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes archives in the System V format that GNU ar writes. */
#ifndef PTO_TESTS_OBJFILE_AR_H
#define PTO_TESTS_OBJFILE_AR_H

#include "support/mem.h"

struct ar_file {
    const char *name;
    const struct buffer *content;
    const char *symbol; /* what the index says it defines */
};

/* `index`: with a symbol index. */
struct buffer ar_make(struct mem *m, const struct ar_file *files, size_t count, bool index);

#endif
