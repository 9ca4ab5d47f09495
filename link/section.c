/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Input sections to output sections. `.text.f` goes into `.text` and so on;
 * other names keep their own section. Order: code, read-only data, data, zero
 * data, and what is not loaded; within these the order of the inputs.
 */
#include "link/linker.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct loc nowhere;

struct out_section *link_find_section(const struct linker *l, const char *name)
{
    for (size_t i = 0; i < l->sections.count; i++)
        if (!strcmp(l->sections.item[i]->name, name))
            return l->sections.item[i];
    return NULL;
}

static const char *output_name(const struct linker *l, const char *name)
{
    static const char *const families[] = {".text",  ".rodata",     ".data",
                                           ".bss",   ".init_array", ".fini_array",
                                           ".ctors", ".dtors",      ".preinit_array"};

    for (size_t i = 0; !l->options->relocatable && i < sizeof families / sizeof *families; i++) {
        size_t length = strlen(families[i]);

        if (!strncmp(name, families[i], length) && name[length] == '.')
            return families[i];
    }
    return name;
}

/* Sections that carry no program: made anew (notes, line tables), or remarks to the linker. */
static bool is_dropped(const struct obj_section *s)
{
    return s->generated || !strcmp(s->name, ".note.GNU-stack") ||
           !strcmp(s->name, ".note.gnu.build-id") || !strcmp(s->name, ".note.gnu.property");
}

static struct out_section *section_for(struct linker *l, const struct obj_section *in)
{
    const char *name = intern_z(l->names, output_name(l, in->name));
    void **slot = map_put(&l->sections_by_name, name);

    if (!*slot) {
        struct out_section *made = arena_alloc(l->arena, sizeof *made);

        *made = (struct out_section){
            .name = name, .type = in->type, .align = 1, .entsize = in->entsize, .index = -1};
        *slot = made;
        *vec_push(l->mem, &l->sections) = made;
    }
    return *slot;
}

/* The largest section with contents: no program of this machine comes near, and a mistyped
 * alignment should not fill the disk. */
static const uint64_t largest_contents = UINT64_C(1) << 32;

/* Only these say what the memory is; merging of equal strings is not done, so its flags go. */
static const uint64_t memory_flags = OBJ_WRITE | OBJ_ALLOC | OBJ_EXEC;

static void add_piece(struct linker *l, struct piece *p)
{
    const struct obj_section *in = &p->unit->object->sections.item[p->section];
    struct out_section *out = section_for(l, in);
    uint64_t offset = (out->size + in->align - 1) & -in->align;

    if (offset < out->size || offset + in->size < offset) {
        diag_report(l->diag, DIAG_NO_ROOM, nowhere,
                    "%s: 0x%" PRIx64 " bytes aligned to 0x%" PRIx64 " do not fit behind 0x%" PRIx64
                    " bytes of %s",
                    link_place(l, p->unit, (int)p->section, 0), in->size, in->align, out->size,
                    out->name);
        return;
    }
    *vec_push(l->mem, &out->pieces) = p;
    out->flags |= l->options->relocatable ? in->flags : in->flags & memory_flags;
    if (out->type == OBJ_NOBITS)
        out->type = in->type;
    if (in->align > out->align)
        out->align = in->align;
    if (out->entsize != in->entsize)
        out->entsize = 0;
    p->out = out;
    p->offset = offset;
    out->size = offset + in->size;
    if (out->type != OBJ_NOBITS && out->size > largest_contents)
        diag_report(l->diag, DIAG_NO_ROOM, nowhere,
                    "%s: 0x%" PRIx64 " bytes of contents; at most 0x%" PRIx64 " are supported",
                    out->name, out->size, largest_contents);
}

/* ---- order ---- */

enum class {
    CLASS_CODE,
    CLASS_SEQ,
    CLASS_NOTE,
    CLASS_RODATA,
    CLASS_DATA,
    CLASS_BSS,
    CLASS_UNLOADED
};

static enum class class_of(const struct out_section *s) {
    if (!(s->flags & OBJ_ALLOC)) return CLASS_UNLOADED;
    if (s->flags & OBJ_EXEC) return strncmp(s->name, ".seq", strlen(".seq")) ? CLASS_CODE
                                                                             : CLASS_SEQ;
    if (s->flags & OBJ_WRITE) return s->type == OBJ_NOBITS ? CLASS_BSS : CLASS_DATA;
    return s->type == OBJ_NOTE ? CLASS_NOTE : CLASS_RODATA;
}

/* A stable sort by class, and in it the section that names the class first. */
static void order_sections(struct linker *l)
{
    struct out_section **from = l->sections.item;
    size_t n = l->sections.count, at = 0;
    struct out_section **sorted = arena_array(l->arena, n + 1, sizeof *sorted);

    for (int class = CLASS_CODE; class <= CLASS_UNLOADED; class ++)
        for (int other = 0; other < 2; other++)
            for (size_t i = 0; i < n; i++)
                if ((int)class_of(from[i]) == class && other == !!strcmp(from[i]->name, ".text"))
                    sorted[at++] = from[i];
    if (n)
        memcpy(from, sorted, n * sizeof *sorted);
}

static void note_symbols(const struct unit *u)
{
    for (size_t i = 0; i < u->object->symbols.count; i++) {
        const struct obj_symbol *s = &u->object->symbols.item[i];

        if (s->section >= 0 && s->type != OBJ_SECTION_SYMBOL && u->pieces[s->section].out)
            u->pieces[s->section].out->has_symbols = true;
    }
}

/* The notes of the identity and the place of the build id are sections like others. */
static void add_own_sections(struct linker *l)
{
    struct unit *u = link_new_unit(l, "the linker");
    struct object *o;

    u->owned = u->made = true;
    o = u->object = obj_create(l->mem, OBJ_RELOCATABLE);
    o->identity = l->identity;
    obj_add_notes(o);
    if (l->options->build_id)
        link_reserve_build_id(l, o);
    link_prepare_unit(l, u);
    for (size_t i = 0; i < o->sections.count; i++)
        add_piece(l, &u->pieces[i]);
}

void link_merge(struct linker *l)
{
    for (size_t i = 0; i < l->units.count; i++) {
        struct unit *u = l->units.item[i];

        for (size_t s = 0; s < u->object->sections.count; s++)
            if (u->pieces[s].live && !is_dropped(&u->object->sections.item[s]))
                add_piece(l, &u->pieces[s]);
        note_symbols(u);
    }
    if (!l->options->relocatable) {
        add_own_sections(l);
        order_sections(l);
    }
}
