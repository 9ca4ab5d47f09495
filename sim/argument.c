/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arguments by the calling convention of lowered functions: the n-th one is in
 * register a0 + n of every PE; a pointer is an address, a number is widened to
 * 64 bits by its type, a float lies in the low bits. Arrays stand in regions of
 * their own, each on a page with an unmapped page behind it, so that a program
 * that leaves one faults.
 */
#include "sim/argument.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/element.h"
#include "sim/format.h"
#include "sim/memory.h"
#include "support/decimal.h"

#define ARRAYS_BASE UINT64_C(0x0000400000000000)

static struct arguments *arguments(struct sim *s)
{
    static const char *const registers[SIM_ARGUMENTS] = {"a0", "a1", "a2", "a3",
                                                         "a4", "a5", "a6", "a7"};
    if (!s->arguments) {
        s->arguments = arena_alloc(s->arena, sizeof *s->arguments);
        s->arguments->next = ARRAYS_BASE;
        for (unsigned n = 0; n < SIM_ARGUMENTS; n++)
            s->arguments->item[n].name = registers[n];
    }
    return s->arguments;
}

/* ---- what the program says ---- */

static bool is_entry(const struct sim *s, const char *function)
{
    const struct object *o = s->program;
    for (size_t i = 0; i < o->symbols.count; i++) {
        const struct obj_symbol *y = &o->symbols.item[i];
        if (y->section != OBJ_UNDEF && y->value == o->entry && y->name &&
            strcmp(y->name, function) == 0)
            return true;
    }
    return false;
}

/* The record of an argument of the entry function, or NULL. */
static const struct obj_arg *record_of(const struct sim *s, unsigned n)
{
    for (size_t i = 0; i < s->program->args.count; i++) {
        const struct obj_arg *a = &s->program->args.item[i];
        if (a->index == n && is_entry(s, a->function))
            return a;
    }
    return NULL;
}

static bool has_records(const struct sim *s)
{
    for (size_t i = 0; i < s->program->args.count; i++)
        if (is_entry(s, s->program->args.item[i].function))
            return true;
    return false;
}

bool sim_argument_is_pointer(const struct sim *s, unsigned n)
{
    const struct obj_arg *a = record_of(s, n);
    return a && a->pointer;
}

/* An argument that can still be bound; `record` is NULL when the program says nothing. */
static const char *begin(struct sim *s, unsigned n, struct argument **argument,
                         const struct obj_arg **record)
{
    if (n >= SIM_ARGUMENTS)
        return arena_printf(s->arena, "arguments are numbered 0 to %d", SIM_ARGUMENTS - 1);
    *argument = &arguments(s)->item[n];
    *record = record_of(s, n);
    if (!*record && has_records(s))
        return "the function has no such argument";
    return NULL;
}

/* ---- shapes ---- */

/* False: more than 2^63 elements. */
static bool count_elements(const struct npy *a, uint64_t *count)
{
    *count = 1;
    for (unsigned d = 0; d < a->rank; d++)
        if (__builtin_mul_overflow(*count, a->shape[d], count) || *count > INT64_MAX)
            return false;
    return true;
}

static bool count_bytes(const struct npy *a, uint64_t *bytes)
{
    return count_elements(a, bytes) && !__builtin_mul_overflow(*bytes, a->itemsize, bytes) &&
           *bytes <= INT64_MAX;
}

static uint64_t recorded_elements(const struct obj_arg *a)
{
    uint64_t count = 1;
    for (unsigned d = 0; d < a->rank; d++)
        if (__builtin_mul_overflow(count, a->shape[d], &count))
            return UINT64_MAX;
    return count;
}

static bool recorded_output(const struct obj_arg *a, struct npy *out)
{
    const struct sim_format *f = sim_format_of(a->dtype);
    if (a->rank == 0 || f->klass == SIM_CLASS_NONE)
        return false;
    *out = (struct npy){.kind = f->npy_kind, .itemsize = sim_format_access_bytes(f)};
    out->rank = a->rank;
    for (unsigned d = 0; d < a->rank; d++)
        out->shape[d] = a->shape[d];
    if (f->bits < 8)
        out->shape[a->rank - 1] = (out->shape[a->rank - 1] * f->bits + 7) / 8;
    return true;
}

/* "f4,32x32" */
static bool parse_type(const char *text, struct npy *out)
{
    static const char types[] = "f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1 V1 V2 V4 V8 ";
    const char *comma = strchr(text, ',');
    if (!comma || comma - text != 2)
        return false;
    char wanted[] = {text[0], text[1], ' ', '\0'};
    if (!strstr(types, wanted))
        return false;
    *out = (struct npy){.kind = text[0], .itemsize = (unsigned)(text[1] - '0')};
    text = comma;
    do {
        char *end;
        if (out->rank == NPY_MAX_RANK || text[1] < '0' || text[1] > '9')
            return false;
        errno = 0;
        out->shape[out->rank++] = strtoull(text + 1, &end, 10);
        if (errno)
            return false;
        text = end;
    } while (*text == 'x');
    return *text == '\0';
}

/* ---- binding ---- */

static void set_register(struct sim *s, struct argument *a, uint64_t value)
{
    sim_set_register(s, a->name, value);
    a->bound = true;
}

static const char *place(struct sim *s, struct argument *a, const struct npy *array,
                         const uint8_t *data, uint64_t bytes)
{
    struct arguments *all = arguments(s);
    uint64_t limit = s->options.max_memory ? s->options.max_memory : UINT64_C(1) << 30;
    if (bytes == 0)
        return "the array is empty";
    if (bytes > limit)
        return arena_printf(s->arena, "the array has %llu bytes, --max-mem allows %llu",
                            (unsigned long long)bytes, (unsigned long long)limit);
    a->array = true;
    a->address = all->next;
    a->bytes = bytes;
    a->output = *array;
    a->output.data = NULL;
    memory_add_region(s->memory, a->address, bytes, data, data ? bytes : 0, MEM_READ | MEM_WRITE);
    all->next += (bytes + 2 * MEM_PAGE_SIZE - 1) & ~(uint64_t)(MEM_PAGE_SIZE - 1);
    set_register(s, a, a->address);
    return NULL;
}

static const char *check_array(struct sim *s, const struct obj_arg *r, const struct npy *array)
{
    const struct sim_format *f = sim_format_of(r->dtype);
    uint64_t count, wanted = recorded_elements(r);
    if (!r->pointer)
        return arena_printf(s->arena, "%%%s : %s is a number, not an array", r->name, r->type);
    if (!sim_format_takes(f, array->kind, array->itemsize))
        return arena_printf(s->arena, "the array has elements '%c%u', %%%s has %s", array->kind,
                            array->itemsize, r->name, sim_format_name(r->dtype));
    if (f->bits < 8)
        wanted = wanted / 2 + wanted % 2;
    if (!count_elements(array, &count) || (r->rank != 0 && count < wanted))
        return arena_printf(s->arena,
                            "the array has %llu elements, the function views %llu of %%%s",
                            (unsigned long long)count, (unsigned long long)wanted, r->name);
    return NULL;
}

const char *sim_bind_array(struct sim *s, unsigned n, const struct npy *array)
{
    struct argument *a;
    const struct obj_arg *record;
    uint64_t bytes;
    const char *error = begin(s, n, &a, &record);
    if (!error && a->bound)
        error = "the argument is given twice";
    if (!error && record)
        error = check_array(s, record, array);
    if (error)
        return error;
    if (!count_bytes(array, &bytes))
        return "the array is too large";
    return place(s, a, array, array->data, bytes);
}

/* ---- numbers ---- */

static const char *parse_integer(struct sim *s, const char *text, const struct element_type *t,
                                 uint64_t *value)
{
    char *end;
    bool negative = text[0] == '-';
    errno = 0;
    *value = negative ? (uint64_t)strtoll(text, &end, 0) : strtoull(text, &end, 0);
    if (end == text || *end)
        return "the value is not an integer";
    /* Both readings of the bits are accepted: -1 and 0xffffffff of an i32. */
    unsigned spare = 64 - t->bits;
    uint64_t extended =
        t->is_signed ? (uint64_t)((int64_t)(*value << spare) >> spare) : *value << spare >> spare;
    bool fits = negative ? (int64_t)(*value << spare) >> spare == (int64_t)*value
                         : *value << spare >> spare == *value;
    if (errno == ERANGE || !fits || (negative && !t->is_signed))
        return arena_printf(s->arena, "the value does not fit in %s%u bits",
                            t->is_signed ? "" : "unsigned ", t->bits);
    *value = extended;
    return NULL;
}

static const char *parse_real(const char *text, const struct element_type *t, uint64_t *value)
{
    char *end;
    unsigned flags = 0;
    double real = decimal_to_double(text, &end);
    uint64_t bits;
    if (end == text || *end)
        return "the value is not a number";
    memcpy(&bits, &real, sizeof bits);
    *value = t->encode(t, float_unpack(&float_fp64, bits), &(struct element_control){0}, &flags);
    return NULL;
}

const char *sim_bind_scalar(struct sim *s, unsigned n, const char *text)
{
    struct argument *a;
    const struct obj_arg *record;
    uint64_t value;
    const char *error = begin(s, n, &a, &record);
    if (!error && a->bound)
        error = "the argument is given twice";
    if (!error && record && record->pointer)
        error = arena_printf(s->arena, "%%%s : %s takes a .npy file", record->name, record->type);
    if (error)
        return error;
    const struct element_type *t = element_type_of(record ? record->dtype : ISA_DataType_S64);
    error = t->is_float ? parse_real(text, t, &value) : parse_integer(s, text, t, &value);
    if (!error)
        set_register(s, a, value);
    return error;
}

/* ---- outputs ---- */

static const char *retype(struct sim *s, struct argument *a, const struct obj_arg *record,
                          const char *type)
{
    struct npy told, recorded;
    uint64_t bytes, wanted;
    if (!parse_type(type, &told) || !count_bytes(&told, &bytes))
        return arena_printf(s->arena, "'%s' is no type and shape (f4,32x32)", type);
    if (!a->array && a->bound)
        return "the argument is a number, not an array";
    if (!a->array && record && recorded_output(record, &recorded) &&
        count_bytes(&recorded, &wanted) && bytes < wanted)
        return arena_printf(s->arena, "%s are %llu bytes, the function views %llu of %%%s", type,
                            (unsigned long long)bytes, (unsigned long long)wanted, record->name);
    if (!a->array)
        return place(s, a, &told, NULL, bytes);
    if (bytes > a->bytes)
        return arena_printf(s->arena, "%s are %llu bytes, the argument has %llu", type,
                            (unsigned long long)bytes, (unsigned long long)a->bytes);
    a->output = told;
    return NULL;
}

const char *sim_bind_output(struct sim *s, unsigned n, const char *type)
{
    struct argument *a;
    const struct obj_arg *record;
    struct npy array;
    uint64_t bytes;
    const char *error = begin(s, n, &a, &record);
    if (!error && record && !record->pointer)
        error = arena_printf(s->arena, "%%%s : %s is a number, not an array", record->name,
                             record->type);
    if (error)
        return error;
    if (type)
        return retype(s, a, record, type);
    if (a->array)
        return NULL;
    if (a->bound)
        return "the argument is a number, not an array";
    if (!record || !recorded_output(record, &array) || !count_bytes(&array, &bytes))
        return arena_printf(s->arena,
                            "the program does not say the type and shape of this argument; write "
                            "--out %u=FILE:f4,32x32, or bind a file with --arg%u",
                            n, n);
    return place(s, a, &array, NULL, bytes);
}

const char *sim_check_arguments(struct sim *s)
{
    for (size_t i = 0; i < s->program->args.count; i++) {
        const struct obj_arg *r = &s->program->args.item[i];
        if (is_entry(s, r->function) && !arguments(s)->item[r->index % SIM_ARGUMENTS].bound)
            return arena_printf(s->arena, "%s expects %%%s : %s: give it with --arg%u", r->function,
                                r->name, r->type, r->index);
    }
    return NULL;
}

const char *sim_read_argument(struct sim *s, unsigned n, struct arena *arena, struct npy *out)
{
    const struct argument *a = &arguments(s)->item[n];
    uint64_t bytes;
    *out = a->output;
    if (!count_bytes(out, &bytes))
        return "the array is too large";
    uint8_t *data = arena_alloc(arena, bytes);
    if (!memory_peek(s->memory, a->address, data, bytes))
        return "the array is not mapped";
    out->data = data;
    out->size = bytes;
    return NULL;
}
