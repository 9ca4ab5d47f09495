/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Diagnostics: one call, one message.
 *
 * A message has a stable code (support/diag.def, which also makes
 * docs/diagnostics.md), a source range and text. `support/` prints; nobody
 * else writes to stderr. Callers go on with a harmless value; main turns the
 * error count into an exit status.
 *
 * Text form:   file:line:col: error: message [code]
 *              source line
 *              ^~~~ caret range
 * JSON form:   one object a line: file, line, column, endColumn, severity,
 *              code, message, notes.
 * Identical messages at the same place are printed once. After max_errors
 * errors further ones are counted but not printed, and one line says so.
 */
#ifndef PTO_SUPPORT_DIAG_H
#define PTO_SUPPORT_DIAG_H

#include <stdarg.h>
#include <stdio.h>

#include "support/intern.h"

enum diag_severity { DIAG_NOTE, DIAG_WARNING, DIAG_ERROR };

enum diag_code {
#define DIAG(id, slug, severity, summary, cure) DIAG_##id,
#include "support/diag.def"
#undef DIAG
    DIAG_CODE_COUNT
};

/* A range of source text. file 0 means "no place". Lines and columns count
 * from 1, columns in bytes. end_col is one past the last byte, on line
 * end_line. */
struct loc {
    uint32_t file;
    uint32_t line, col;
    uint32_t end_line, end_col;
};

struct diag_record {
    enum diag_severity severity;
    enum diag_code code;
    const char *file; /* "" when there is no place */
    struct loc loc;
    const char *message;
};

enum diag_format { DIAG_TEXT, DIAG_JSON };

struct diag_options {
    FILE *out;               /* NULL: stderr */
    enum diag_format format; /* --diagnostics-format= */
    unsigned max_errors;     /* -fmax-errors=; 0: no limit */
    bool fatal_warnings;     /* warnings count as errors */
    bool no_warnings;        /* -W / --no-warn */
    bool color;              /* ANSI colours */
    const char *program;     /* stands before a message without a place; NULL: nothing */
    /* When set, receives each finished message instead of `out` (for libpto and tests). */
    void (*sink)(void *ctx, const struct diag_record *record);
    void *sink_ctx;
};

struct diag;
struct diag *diag_create(struct mem *m, const struct diag_options *options);
void diag_destroy(struct diag *d);

/* Registers a source text (not copied; must outlive the diag) and returns its
 * file number, > 0. `parent` is the place that included it or called the
 * macro; {0} for a top file. `role` says how: */
enum diag_role { DIAG_ROLE_FILE, DIAG_ROLE_INCLUDE, DIAG_ROLE_MACRO };
uint32_t diag_add_source(struct diag *d, const char *name, const char *text, size_t size,
                         struct loc parent, enum diag_role role);
/* The text of `file` is the `lines` lines from `body` on, once or several times, in which words
 * have been replaced: messages name the line of the body, and the column as well as it is known. */
void diag_set_body(struct diag *d, uint32_t file, struct loc body, uint32_t lines);
const char *diag_file_name(const struct diag *d, uint32_t file); /* "" for file 0 */
/* The place in the top-level file for a place inside a macro or include. */
struct loc diag_root(const struct diag *d, struct loc loc);

/* Severity comes from the code's row, except diag_note, which belongs to the
 * message before it and is dropped with it. */
void diag_report(struct diag *d, enum diag_code code, struct loc loc, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
void diag_vreport(struct diag *d, enum diag_code code, struct loc loc, const char *fmt, va_list ap);
void diag_note(struct diag *d, struct loc loc, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* A message of a file that has no lines (an ELF object): "name: error: …". */
void diag_report_file(struct diag *d, enum diag_code code, const char *name, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

unsigned diag_errors(const struct diag *d); /* errors so far (fatal warnings included) */
unsigned diag_warnings(const struct diag *d);
void diag_flush(struct diag *d); /* print what is held back (notes, totals) */

const char *diag_slug(enum diag_code code);

/* From the first byte of a to the last of b. */
struct loc loc_join(struct loc a, struct loc b);

#endif
