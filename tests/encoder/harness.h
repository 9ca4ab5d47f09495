/* SPDX-License-Identifier: BSD-3-Clause */
/* One line of source to bytes and back, without an assembler around it. */
#ifndef PTO_TESTS_ENCODER_HARNESS_H
#define PTO_TESTS_ENCODER_HARNESS_H

#include "encoder/encoder.h"

struct harness;

struct harness *harness_create(void);
void harness_destroy(struct harness *h);

/* Revision and generation by name ("pto0.58.2", "maverick"); the defaults are pto0.58.3, cayman. */
void harness_target(struct harness *h, const char *revision);
struct isa_target harness_current(const struct harness *h);

/* Matches one line. Names that are no part of the instruction are symbols. False: refused;
 * harness_message has the text ("code: message" of the first, "" when silent). The result holds
 * until the next call. */
bool harness_match(struct harness *h, const char *line);
const struct isa_match *harness_result(const struct harness *h);
const char *harness_message(const struct harness *h);

/* Matches and packs: bytes as hexadecimal digits in memory order; "error" when refused. */
const char *harness_assemble(struct harness *h, const char *line);

/* Patches the first fixup of the last match; messages as above. */
bool harness_patch(struct harness *h, int64_t value, uint8_t *bytes);

/* Decodes as PTO or SEQ by `seq`; text of the instruction, or "reserved: " and the reason. */
const char *harness_disassemble(struct harness *h, const uint8_t *bytes, size_t size, bool seq);

size_t unhex(const char *hex, uint8_t *bytes, size_t capacity);

#endif
