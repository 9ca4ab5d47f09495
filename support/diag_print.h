/* SPDX-License-Identifier: BSD-3-Clause */
/* How a finished message looks. Draws no memory from a job's mem, so that an
 * exhausted job can still print. Internal to support/. */
#ifndef PTO_SUPPORT_DIAG_PRINT_H
#define PTO_SUPPORT_DIAG_PRINT_H

#include "support/diag_source.h"

struct diag_message {
    struct diag_record record;
    VEC(struct diag_record) notes;
};

void diag_print_text(const struct diag_options *o, const struct diag_sources *sources,
                     const struct diag_message *m);
void diag_print_json(const struct diag_options *o, const struct diag_message *m);

/* Writes text so that any bytes are safe on a terminal and in JSON: tabs and valid UTF-8 as
 * they are, every other byte as \xNN. */
void diag_put_escaped(FILE *out, const char *text, size_t len);

/* Bytes of the valid UTF-8 character or tab at p, 0 when the byte must be escaped. */
size_t diag_printable(const char *p, size_t len);

#endif
