/* SPDX-License-Identifier: BSD-3-Clause */
/* The source texts that messages point into. Internal to support/. */
#ifndef PTO_SUPPORT_DIAG_SOURCE_H
#define PTO_SUPPORT_DIAG_SOURCE_H

#include "support/diag.h"

struct diag_source {
    const char *name, *text; /* owned by the caller of diag_add_source */
    size_t size;
    struct loc parent;
    enum diag_role role;
    /* Where the last looked-up line begins: messages mostly come in order. */
    uint32_t line;
    size_t offset;
    struct loc body; /* of a macro's text; {0}: none */
    uint32_t body_lines;
};

struct diag_sources {
    struct mem *mem;
    VEC(struct diag_source) list;
};

uint32_t diag_sources_add(struct diag_sources *s, const char *name, const char *text, size_t size,
                          struct loc parent, enum diag_role role);
void diag_sources_free(struct diag_sources *s);

/* NULL for file 0 and unknown numbers. */
struct diag_source *diag_source_at(const struct diag_sources *s, uint32_t file);

/* The place that was written for one in a macro's text; any other one itself. */
struct loc diag_written_place(const struct diag_sources *s, struct loc loc);

/* A line without its end (LF, CRLF or CR); false when the text has fewer lines. */
bool diag_source_line(struct diag_source *s, uint32_t line, const char **text, size_t *len);

#endif
