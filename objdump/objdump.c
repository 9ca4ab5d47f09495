/* SPDX-License-Identifier: BSD-3-Clause */
/* One object, all that was asked for. */
#include "objdump/view.h"

/* The revision that the notes name, else the default one (docs/language.md). */
static struct isa_target choose_target(const struct objdump_options *options,
                                       const struct obj_identity *id)
{
    struct isa_target t = options->target;
    if (!t.pto)
        t.pto = id->pto ? id->pto : 1 << ISA_REV_0_58_3;
    if (!t.seq)
        t.seq = id->seq ? id->seq : 1 << ISA_GEN_CAYMAN;
    return t;
}

bool objdump_object(struct mem *m, const struct objdump_options *options, const struct object *o,
                    struct buffer *out)
{
    struct view v = {.mem = m,
                     .options = options,
                     .object = o,
                     .out = out,
                     .target = choose_target(options, &o->identity)};
    if (options->source) {
        print_source(&v);
        return !v.illegal;
    }
    buffer_printf(out, "\n%s:     file format %s\n\n", o->name,
                  options->raw ? "binary" : "elf64-pto");
    print_headers(&v);
    if (options->disassemble)
        disassemble(&v);
    if (options->validate)
        validate(&v);
    return !v.illegal;
}

struct object *objdump_raw(struct mem *m, const char *name, bool seq, const uint8_t *bytes,
                           size_t size)
{
    struct object *o = obj_create(m, OBJ_EXECUTABLE);
    o->name = name;
    *vec_push(m, &o->sections) = (struct obj_section){.name = seq ? ".seq" : ".text",
                                                      .type = OBJ_PROGBITS,
                                                      .flags = OBJ_ALLOC | OBJ_EXEC,
                                                      .align = seq ? ISA_MAX_LENGTH : 4,
                                                      .size = size,
                                                      .data = bytes};
    if (seq)
        o->identity.seq = 1 << ISA_GEN_CAYMAN;
    return o;
}
