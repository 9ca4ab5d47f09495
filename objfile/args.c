/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * .pto.args: the arguments of kernel functions, so that a simulator can bind
 * files to them and check element types (docs/elf.md). The first line is
 * "pto-args 1 COUNT". A type may hold blanks, and so may a function's name:
 * they are the last words of rows of their own.
 */
#include "objfile/internal.h"

#include <string.h>

enum { MOST_ARGUMENTS = 8, MOST_DTYPES = 31 };

static bool read_row(struct object *o, char *line);
static const struct line_format format = {"pto-args", read_row};

/* A row "func NAME" stands in front of the arguments of each function. */
static bool begins_function(const struct object *o, size_t i)
{
    return i == 0 || strcmp(o->args.item[i].function, o->args.item[i - 1].function) != 0;
}

static void write_shape(const struct obj_arg *a, struct buffer *out)
{
    for (unsigned d = 0; d < a->rank; d++)
        buffer_printf(out, "%s%u", d ? "x" : "", a->shape[d]);
    if (a->rank == 0)
        buffer_printf(out, "-");
}

void args_write(const struct object *o, struct buffer *out)
{
    size_t rows = o->args.count;
    if (rows == 0)
        return;
    for (size_t i = 0; i < o->args.count; i++)
        rows += begins_function(o, i);
    lines_begin(&format, rows, out);
    for (size_t i = 0; i < o->args.count; i++) {
        const struct obj_arg *a = &o->args.item[i];

        if (begins_function(o, i)) {
            buffer_printf(out, "func %s", a->function);
            buffer_extend(out, 1);
        }
        buffer_printf(out, "%s %u %u ", a->pointer ? "ptr" : "scalar", a->index, a->dtype);
        write_shape(a, out);
        buffer_printf(out, " %s %s", a->name, a->type);
        buffer_extend(out, 1);
    }
}

/* "32x64", or "-" for a shape that is not known. */
static bool parse_shape(struct obj_arg *a, char *text)
{
    uint64_t extent;
    if (!text || strcmp(text, "-") == 0)
        return text != NULL;
    while (text) {
        char *x = strchr(text, 'x');
        if (x)
            *x = '\0';
        if (a->rank == OBJ_MAX_RANK || !line_take_number(&text, UINT32_MAX, &extent))
            return false;
        a->shape[a->rank++] = (uint32_t)extent;
        text = x ? x + 1 : NULL;
    }
    return true;
}

static bool parse_argument(const struct object *o, bool pointer, char *line)
{
    uint64_t index, dtype;
    struct obj_arg *last = o->args.count ? &o->args.item[o->args.count - 1] : NULL;
    if (!last || !line_take_number(&line, MOST_ARGUMENTS - 1, &index) ||
        !line_take_number(&line, MOST_DTYPES, &dtype) ||
        !parse_shape(last, line_take_word(&line)) || !(last->name = line_take_word(&line)))
        return false;
    last->pointer = pointer;
    last->index = (uint8_t)index;
    last->dtype = (uint8_t)dtype;
    last->type = line;
    return *last->name != '\0';
}

static bool read_row(struct object *o, char *line)
{
    const char *kind = line_take_word(&line);
    if (!kind)
        return false;
    size_t n = o->args.count;
    if (strcmp(kind, "func") == 0) {
        /* Holds the name for the rows behind it. */
        bool empty = n && !o->args.item[n - 1].type;
        *vec_push(o->mem, &o->args) = (struct obj_arg){.function = line};
        return *line && !empty;
    }
    bool pointer = strcmp(kind, "ptr") == 0;
    if (n == 0 || (!pointer && strcmp(kind, "scalar") != 0))
        return false;
    if (o->args.item[n - 1].type)
        *vec_push(o->mem, &o->args) = (struct obj_arg){.function = o->args.item[n - 1].function};
    return parse_argument(o, pointer, line);
}

const char *args_read(struct object *o, const uint8_t *data, size_t size)
{
    const char *why = lines_read(o, &format, data, size);
    if (!why && o->args.count && !o->args.item[o->args.count - 1].type)
        why = "ends with a function without arguments";
    return why;
}
