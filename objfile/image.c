/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Executables as plain images: raw bytes, Intel HEX, Motorola S-records. GNU
 * objcopy does not know this machine, so the linker writes them itself.
 */
#include "objfile/internal.h"

#include <string.h>

enum { RECORD_BYTES = 16 }; /* data bytes of a text line */

static const uint64_t image_limit = UINT64_C(1) << 32;

static uint64_t load_address(const struct obj_segment *s)
{
    return s->address + s->load_delta;
}

/* Segments with bytes, from low to high; the reader and the linker order them by address. */
static bool image_range(const struct object *o, uint64_t *low, uint64_t *high)
{
    *low = UINT64_MAX;
    *high = 0;
    for (size_t i = 0; i < o->segments.count; i++) {
        const struct obj_segment *s = &o->segments.item[i];

        if (s->file_size == 0)
            continue;
        if (load_address(s) < *low)
            *low = load_address(s);
        if (load_address(s) + s->file_size > *high)
            *high = load_address(s) + s->file_size;
    }
    return *low < *high;
}

const char *obj_write_binary(const struct object *o, struct buffer *out)
{
    uint64_t low, high;

    if (!image_range(o, &low, &high))
        return NULL;
    if (high - low > image_limit)
        return "the image spans more than 4 GiB";
    uint8_t *image = buffer_extend(out, high - low);
    for (size_t i = 0; i < o->segments.count; i++) {
        const struct obj_segment *s = &o->segments.item[i];

        if (s->file_size)
            memcpy(image + (load_address(s) - low), s->data, s->file_size);
    }
    return NULL;
}

/* ---- records ---- */

/* Appends bytes as hexadecimal digits and returns their sum. */
static uint8_t append_hex(struct buffer *out, const uint8_t *bytes, size_t count)
{
    uint8_t sum = 0;

    for (size_t i = 0; i < count; i++) {
        buffer_printf(out, "%02X", bytes[i]);
        sum += bytes[i];
    }
    return sum;
}

static size_t big_endian(uint64_t value, size_t bytes, uint8_t *to)
{
    for (size_t i = 0; i < bytes; i++)
        to[i] = (uint8_t)(value >> 8 * (bytes - 1 - i));
    return bytes;
}

/* Where records go and how one is written. */
struct record_sink {
    struct buffer *out;
    void (*write)(struct record_sink *sink, uint32_t address, const uint8_t *data, size_t size);
    uint32_t window; /* Intel HEX: the upper half of addresses announced last */
};

/* Cuts all segments into records that do not cross a 64 KiB boundary. */
static void write_records(const struct object *o, struct record_sink *sink)
{
    for (size_t i = 0; i < o->segments.count; i++) {
        const struct obj_segment *s = &o->segments.item[i];

        for (uint64_t at = 0; at < s->file_size;) {
            uint64_t address = load_address(s) + at, size = s->file_size - at;
            uint64_t room = 0x10000 - (address & 0xffff);

            size = size < RECORD_BYTES ? size : RECORD_BYTES;
            size = size < room ? size : room;
            sink->write(sink, (uint32_t)address, s->data + at, size);
            at += size;
        }
    }
}

/* ---- Intel HEX ---- */

enum ihex_type { IHEX_DATA = 0, IHEX_END = 1, IHEX_UPPER = 4, IHEX_START = 5 };

static void ihex_record(struct buffer *out, enum ihex_type type, uint16_t address,
                        const uint8_t *data, size_t size)
{
    uint8_t head[4] = {(uint8_t)size, (uint8_t)(address >> 8), (uint8_t)address, (uint8_t)type};

    buffer_printf(out, ":");
    uint8_t sum = append_hex(out, head, sizeof head);
    sum += append_hex(out, data, size);
    buffer_printf(out, "%02X\n", (uint8_t)-sum);
}

static void ihex_data(struct record_sink *sink, uint32_t address, const uint8_t *data, size_t size)
{
    uint8_t upper[2];

    if (address >> 16 != sink->window) {
        sink->window = address >> 16;
        ihex_record(sink->out, IHEX_UPPER, 0, upper, big_endian(sink->window, 2, upper));
    }
    ihex_record(sink->out, IHEX_DATA, (uint16_t)address, data, size);
}

const char *obj_write_ihex(const struct object *o, struct buffer *out)
{
    struct record_sink sink = {.out = out, .write = ihex_data};
    uint64_t low, high;
    uint8_t entry[4];

    if (image_range(o, &low, &high) && high > image_limit)
        return "Intel HEX holds addresses below 4 GiB only";
    write_records(o, &sink);
    if (o->entry < image_limit)
        ihex_record(out, IHEX_START, 0, entry, big_endian(o->entry, 4, entry));
    ihex_record(out, IHEX_END, 0, NULL, 0);
    return NULL;
}

/* ---- Motorola S-records with 32-bit addresses ---- */

static void srec_record(struct buffer *out, char type, size_t address_bytes, uint32_t address,
                        const uint8_t *data, size_t size)
{
    uint8_t head[5];

    head[0] = (uint8_t)(address_bytes + size + 1);
    big_endian(address, address_bytes, head + 1);
    buffer_printf(out, "S%c", type);
    uint8_t sum = append_hex(out, head, 1 + address_bytes);
    sum += append_hex(out, data, size);
    buffer_printf(out, "%02X\n", (uint8_t)~sum);
}

static void srec_data(struct record_sink *sink, uint32_t address, const uint8_t *data, size_t size)
{
    srec_record(sink->out, '3', 4, address, data, size);
}

const char *obj_write_srec(const struct object *o, struct buffer *out)
{
    struct record_sink sink = {.out = out, .write = srec_data};
    uint64_t low, high;

    if (image_range(o, &low, &high) && high > image_limit)
        return "S-records hold addresses below 4 GiB only";
    srec_record(out, '0', 2, 0, NULL, 0);
    write_records(o, &sink);
    if (o->entry < image_limit)
        srec_record(out, '7', 4, (uint32_t)o->entry, NULL, 0);
    return NULL;
}
