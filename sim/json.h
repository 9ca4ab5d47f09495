/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers and bytes in JSON as the vectors and state files write them. */
#ifndef PTO_SIM_JSON_H
#define PTO_SIM_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A JSON integer or a string that strtoull takes ("0x10"); false: neither. */
bool json_word(const json_t *value, uint64_t *word);
/* `absent` when the key is missing or no number. */
uint64_t json_word_at(const json_t *object, const char *key, uint64_t absent);
json_t *json_hex(uint64_t word); /* "0x1f" */
/* Hex digit pairs, lowest address first. Returns the bytes written, or -1 for bad text or when
 * they do not fit. */
long json_unhex(const char *text, uint8_t *bytes, size_t capacity);

#endif
