/* SPDX-License-Identifier: BSD-3-Clause */
/* A rule for make that says what an object was made from, as -MD asks for. Part of pto-as. */
#ifndef PTO_ASM_MAKE_RULE_H
#define PTO_ASM_MAKE_RULE_H

#include "support/support.h"

/* A name with a line end cannot be written for make. */
bool make_can_name(const char *name);

/* Appends a file name as make reads it back: blanks, '#' and ':' behind a backslash, '$' doubled,
 * and in a target '%' behind a backslash. */
void make_quote(struct buffer *out, const char *name, bool target);

/* Appends `targets: prerequisites`, in lines of moderate length. `targets` is text for make; all
 * but the first `given` prerequisites also get an empty rule when `phony` is set, so that one that
 * is gone is no error. */
void make_write_rule(struct buffer *out, const char *targets, const char *const *prerequisites,
                     size_t count, size_t given, bool phony);

#endif
