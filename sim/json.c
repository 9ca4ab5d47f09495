/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/json.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool json_word(const json_t *value, uint64_t *word)
{
    if (json_is_integer(value)) {
        *word = (uint64_t)json_integer_value(value);
        return true;
    }
    const char *text = json_string_value(value);
    if (!text || !isdigit((unsigned char)*text))
        return false;
    char *end;
    *word = strtoull(text, &end, 0);
    return *end == 0;
}

uint64_t json_word_at(const json_t *object, const char *key, uint64_t absent)
{
    uint64_t word;
    return json_word(json_object_get(object, key), &word) ? word : absent;
}

json_t *json_hex(uint64_t word)
{
    char text[2 + 16 + 1];
    snprintf(text, sizeof text, "0x%llx", (unsigned long long)word);
    return json_string(text);
}

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)tolower((unsigned char)c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

long json_unhex(const char *text, uint8_t *bytes, size_t capacity)
{
    size_t n = strlen(text);
    if (n % 2 || n / 2 > capacity)
        return -1;
    for (size_t i = 0; i < n / 2; i++) {
        int high = digit(text[2 * i]), low = digit(text[2 * i + 1]);
        if (high < 0 || low < 0)
            return -1;
        bytes[i] = (uint8_t)(high << 4 | low);
    }
    return (long)(n / 2);
}
