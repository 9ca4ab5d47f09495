/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The result: sections, symbols, line rows and relocations in terms of the
 * output. It owns all it holds, so that the inputs may go.
 */
#include "link/linker.h"

#include <string.h>

static const uint32_t no_symbol = UINT32_MAX; /* a symbol that the result does not have */

static bool is_relocatable(const struct linker *l)
{
    return l->options->relocatable;
}

/* Relocations in the result refer to symbols, so none may be left out. */
static bool keeps_relocs(const struct linker *l)
{
    return l->options->relocatable || l->options->emit_relocs;
}

static const char *keep(struct linker *l, const char *text)
{
    return text ? arena_string(l->out->arena, text, strlen(text)) : NULL;
}

/* ---- sections ---- */

static void copy_contents(struct linker *l, struct out_section *s)
{
    if (s->type == OBJ_NOBITS || s->size == 0)
        return;
    s->data = arena_alloc(l->out->arena, s->size);
    for (size_t i = 0; i < s->pieces.count; i++) {
        const struct piece *p = s->pieces.item[i];
        const struct obj_section *in = &p->unit->object->sections.item[p->section];

        if (in->data && in->size)
            memcpy(s->data + p->offset, in->data, in->size);
    }
}

static void emit_sections(struct linker *l)
{
    struct object *out = l->out;

    for (size_t i = 0; i < l->sections.count; i++) {
        struct out_section *s = l->sections.item[i];

        if (s->size == 0 && !s->has_symbols && !is_relocatable(l))
            continue;
        if (is_relocatable(l))
            copy_contents(l, s);
        s->index = (int)out->sections.count;
        *vec_push(out->mem, &out->sections) = (struct obj_section){.name = keep(l, s->name),
                                                                   .type = s->type,
                                                                   .flags = s->flags,
                                                                   .align = s->align,
                                                                   .entsize = s->entsize,
                                                                   .address = s->address,
                                                                   .size = s->size,
                                                                   .data = s->data};
    }
}

/* ---- symbols ---- */

static uint32_t push_symbol(struct linker *l, struct obj_symbol symbol)
{
    symbol.name = keep(l, symbol.name);
    *vec_push(l->out->mem, &l->out->symbols) = symbol;
    return (uint32_t)l->out->symbols.count - 1;
}

/* Moves a symbol of an input into the output section of its piece. */
static void relocate_symbol(const struct linker *l, const struct piece *p, struct obj_symbol *s)
{
    s->section = p->out->index;
    s->value = link_piece_offset(p, s->value) + (is_relocatable(l) ? 0 : p->out->address);
}

/* One for each section, which stands for the section symbols of all inputs. */
static void emit_section_symbols(struct linker *l)
{
    for (size_t i = 0; keeps_relocs(l) && i < l->sections.count; i++) {
        struct out_section *s = l->sections.item[i];

        if (s->index < 0)
            continue;
        s->symbol = push_symbol(l, (struct obj_symbol){.name = s->name,
                                                       .value = s->address,
                                                       .section = s->index,
                                                       .bind = OBJ_LOCAL,
                                                       .type = OBJ_SECTION_SYMBOL});
    }
}

static bool is_mapping(const char *name)
{
    return name[0] == '$' && name[1] && strchr("xdq", name[1]) && (!name[2] || name[2] == '.');
}

static bool keeps_local(const struct linker *l, const struct obj_symbol *s)
{
    return keeps_relocs(l) || !l->options->discard_locals || is_mapping(s->name);
}

static void emit_locals(struct linker *l, struct unit *u)
{
    const struct object *o = u->object;

    for (size_t i = 0; i < o->symbols.count; i++) {
        struct obj_symbol s = o->symbols.item[i];

        u->out_symbols[i] = no_symbol;
        if (u->globals[i] || s.type == OBJ_SECTION_SYMBOL || !keeps_local(l, &s))
            continue;
        if (s.section >= 0) {
            if (!u->pieces[s.section].out || u->pieces[s.section].out->index < 0)
                continue;
            relocate_symbol(l, &u->pieces[s.section], &s);
        }
        u->out_symbols[i] = push_symbol(l, s);
    }
}

/* False: the definition stands in a section that does not take part. */
static bool place_global(const struct linker *l, const struct link_symbol *s, struct obj_symbol *to)
{
    const struct obj_symbol *own;

    switch (s->state) {
    case LINK_DEFINED:
        own = &s->unit->object->symbols.item[s->index];
        to->value = own->value;
        to->section = own->section;
        if (own->section < 0)
            return true;
        if (!s->unit->pieces[own->section].out)
            return false;
        relocate_symbol(l, &s->unit->pieces[own->section], to);
        return to->section >= 0;
    case LINK_COMMON:
        to->value = s->value;
        to->section = OBJ_COMMON;
        return true;
    case LINK_SPECIAL:
        to->value = s->value;
        to->section = s->base && s->base->index >= 0 ? s->base->index : OBJ_ABS;
        return true;
    case LINK_UNDEFINED:
        to->section = OBJ_UNDEF;
        to->size = 0;
        return s->referenced && (s->weak || is_relocatable(l));
    }
    return false;
}

static void emit_globals(struct linker *l)
{
    for (size_t i = 0; i < l->order.count; i++) {
        struct link_symbol *s = l->order.item[i];
        struct obj_symbol symbol = {.name = s->name,
                                    .size = s->size,
                                    .bind = s->weak ? OBJ_WEAK : OBJ_GLOBAL,
                                    .type = s->type,
                                    .visibility = s->visibility};

        /* Nothing outside an executable can see a hidden symbol (gABI, st_other). */
        if (!is_relocatable(l) && s->state != LINK_UNDEFINED &&
            (s->visibility == OBJ_HIDDEN || s->visibility == OBJ_INTERNAL))
            symbol.bind = OBJ_LOCAL;
        s->out_index = place_global(l, s, &symbol) ? push_symbol(l, symbol) : no_symbol;
    }
}

static bool has_mapping_at_start(const struct piece *p)
{
    const struct object *o = p->unit->object;

    for (size_t i = 0; i < o->symbols.count; i++) {
        const struct obj_symbol *s = &o->symbols.item[i];

        if (s->section == (int)p->section && s->value == 0 && is_mapping(s->name))
            return true;
    }
    return false;
}

static void push_mapping(struct linker *l, const struct out_section *s, const char *name,
                         uint64_t offset)
{
    push_symbol(
        l, (struct obj_symbol){
               .name = name, .value = s->address + offset, .section = s->index, .bind = OBJ_LOCAL});
}

/* The zero bytes between two inputs' code are data: read as code they would be C.BSTOP. */
static void emit_padding_symbols(struct linker *l)
{
    for (size_t i = 0; i < l->sections.count; i++) {
        const struct out_section *s = l->sections.item[i];
        uint64_t end = 0;

        for (size_t k = 0; (s->flags & OBJ_EXEC) && k < s->pieces.count; k++) {
            const struct piece *p = s->pieces.item[k];

            if (p->offset > end) {
                push_mapping(l, s, "$d", end);
                if (!has_mapping_at_start(p))
                    push_mapping(l, s, strncmp(s->name, ".seq", 4) ? "$x" : "$q", p->offset);
            }
            end = p->offset + p->size;
        }
    }
}

static void emit_symbols(struct linker *l)
{
    if (l->options->strip_all && !keeps_relocs(l))
        return;
    emit_section_symbols(l);
    for (size_t i = 0; i < l->units.count; i++)
        emit_locals(l, l->units.item[i]);
    emit_padding_symbols(l);
    emit_globals(l);
}

/* ---- relocations ---- */

/* The symbol of the result that stands for one of an input, and what to add to the addend. */
static uint32_t output_symbol(const struct unit *u, uint32_t index, int64_t *moved)
{
    const struct obj_symbol *s = &u->object->symbols.item[index];

    *moved = 0;
    if (u->globals[index])
        return u->globals[index]->out_index;
    if (s->type == OBJ_SECTION_SYMBOL && s->section >= 0) {
        const struct piece *p = &u->pieces[s->section];

        if (!p->out || p->out->index < 0)
            return no_symbol;
        *moved = (int64_t)(p->offset + s->value);
        return p->out->symbol;
    }
    return u->out_symbols[index];
}

static void emit_piece_relocs(struct linker *l, const struct piece *p)
{
    const struct obj_section *in = &p->unit->object->sections.item[p->section];
    struct obj_section *out = &l->out->sections.item[p->out->index];

    for (size_t i = 0; i < in->relocs.count; i++) {
        struct obj_reloc r = in->relocs.item[i];
        int64_t moved;
        uint32_t symbol = output_symbol(p->unit, r.symbol, &moved);

        if (symbol == no_symbol) {
            diag_report(l->diag, DIAG_DISCARDED_SECTION, nowhere,
                        "%s: a relocation against '%s' refers to a section that was discarded",
                        link_place(l, p->unit, (int)p->section, r.offset),
                        link_symbol_name(p->unit, r.symbol));
            continue;
        }
        r.symbol = symbol;
        r.offset += p->offset;
        r.addend = (int64_t)((uint64_t)r.addend + (uint64_t)moved);
        *vec_push(l->out->mem, &out->relocs) = r;
    }
}

static void emit_relocs(struct linker *l)
{
    for (size_t i = 0; keeps_relocs(l) && i < l->sections.count; i++) {
        const struct out_section *s = l->sections.item[i];

        for (size_t k = 0; s->index >= 0 && k < s->pieces.count; k++)
            emit_piece_relocs(l, s->pieces.item[k]);
    }
}

/* ---- groups ---- */

static uint32_t result_symbol(const struct unit *u, uint32_t index)
{
    int64_t moved;

    return output_symbol(u, index, &moved);
}

static void emit_group(struct linker *l, const struct unit *u, const struct obj_group *from)
{
    struct obj_group g = {.symbol = result_symbol(u, from->symbol), .comdat = from->comdat};

    g.members = arena_array(l->out->arena, from->count + 1, sizeof *g.members);
    for (size_t i = 0; i < from->count; i++) {
        const struct piece *p = &u->pieces[from->members[i]];

        if (p->out && p->out->index >= 0)
            g.members[g.count++] = (uint32_t)p->out->index;
    }
    if (g.count == 0 || g.symbol == no_symbol)
        return;
    g.signature = keep(l, from->signature);
    *vec_push(l->out->mem, &l->out->groups) = g;
}

/* With -r: the groups that were kept, and what follows what. */
static void emit_groups(struct linker *l)
{
    for (size_t i = 0; is_relocatable(l) && i < l->units.count; i++) {
        const struct unit *u = l->units.item[i];

        for (size_t g = 0; g < u->object->groups.count; g++)
            emit_group(l, u, &u->object->groups.item[g]);
        for (size_t s = 0; s < u->object->sections.count; s++) {
            const struct obj_section *in = &u->object->sections.item[s];
            const struct piece *p = &u->pieces[s], *to = &u->pieces[in->link];

            if ((in->flags & OBJ_LINK_ORDER) && p->out && p->out->index >= 0 && to->out)
                l->out->sections.item[p->out->index].link = (uint32_t)to->out->index;
        }
    }
}

/* ---- line table, tiles, identity ---- */

/* Paths of the result's line table; the same path of two inputs is one. */
static uint32_t output_file(struct linker *l, const char *path)
{
    void **slot = map_put(&l->files, intern_z(l->names, path));

    if (!*slot) {
        *vec_push(l->out->mem, &l->out->line_files) = keep(l, path);
        *slot = (void *)(uintptr_t)l->out->line_files.count;
    }
    return (uint32_t)((uintptr_t)*slot - 1);
}

static void emit_unit_lines(struct linker *l, const struct unit *u)
{
    const struct object *o = u->object;

    for (size_t i = 0; i < o->lines.count; i++) {
        struct obj_line row = o->lines.item[i];
        const struct piece *p = &u->pieces[row.section];

        if (!p->out || p->out->index < 0)
            continue;
        row.section = p->out->index;
        row.address += p->offset + (is_relocatable(l) ? 0 : p->out->address);
        if (o->line_files.count)
            row.file = output_file(l, o->line_files.item[row.file]);
        *vec_push(l->out->mem, &l->out->lines) = row;
    }
}

static void emit_lines(struct linker *l)
{
    if (l->options->strip_debug || l->options->strip_all)
        return;
    for (size_t i = 0; i < l->units.count; i++)
        emit_unit_lines(l, l->units.item[i]);
    if (!is_relocatable(l))
        obj_sort_lines(l->out);
}

static void emit_tiles(struct linker *l)
{
    for (size_t i = 0; i < l->units.count; i++) {
        const struct object *o = l->units.item[i]->object;

        for (size_t t = 0; t < o->tiles.count; t++) {
            struct obj_tile tile = o->tiles.item[t];

            tile.name = keep(l, tile.name);
            tile.type = keep(l, tile.type);
            *vec_push(l->out->mem, &l->out->tiles) = tile;
        }
    }
}

static void emit_args(struct linker *l)
{
    for (size_t i = 0; i < l->units.count; i++) {
        const struct object *o = l->units.item[i]->object;

        for (size_t n = 0; n < o->args.count; n++) {
            struct obj_arg arg = o->args.item[n];

            arg.function = keep(l, arg.function);
            arg.name = keep(l, arg.name);
            arg.type = keep(l, arg.type);
            *vec_push(l->out->mem, &l->out->args) = arg;
        }
    }
}

static void emit_identity(struct linker *l)
{
    struct obj_identity id = l->identity;

    id.extensions = keep(l, id.extensions);
    id.release = keep(l, id.release);
    id.encoding_abi = keep(l, id.encoding_abi);
    id.projection_sha256 = keep(l, id.projection_sha256);
    l->out->identity = id;
}

/* ---- entry ---- */

/* -e (a symbol or an address), else _start, else the start of .text, else of .seq. */
static void emit_entry(struct linker *l)
{
    static const char *const fallbacks[] = {".text", ".seq"};
    const char *name = l->entry ? l->entry : "_start";
    const struct link_symbol *s = link_find_symbol(l, name);

    if (s && s->state != LINK_UNDEFINED) {
        l->out->entry = link_global_address(s);
        return;
    }
    if (l->entry) {
        if (!link_parse_number(name, &l->out->entry))
            diag_report(l->diag, DIAG_NO_ENTRY, nowhere,
                        "entry symbol '%s' of %s is not defined by any input", name,
                        l->options->entry ? "-e" : "ENTRY");
        return;
    }
    for (size_t i = 0; i < sizeof fallbacks / sizeof *fallbacks; i++) {
        const struct out_section *section = link_find_section(l, fallbacks[i]);

        if (section && section->size) {
            l->out->entry = section->address;
            return;
        }
    }
    /* A SEQ program for named engines has sections .seq.ENGINE only: the first one. */
    for (size_t i = 0; i < l->sections.count; i++)
        if ((l->sections.item[i]->flags & OBJ_EXEC) && l->sections.item[i]->size) {
            l->out->entry = l->sections.item[i]->address;
            return;
        }
}

/* A program without code cannot run; that is seldom meant. */
static void check_code(struct linker *l)
{
    for (size_t i = 0; i < l->sections.count; i++)
        if ((l->sections.item[i]->flags & OBJ_EXEC) && l->sections.item[i]->size)
            return;
    if (l->options->runs)
        diag_report(l->diag, DIAG_NO_CODE, nowhere,
                    "the program has no code%s; pto-sim will not run it",
                    l->out->entry ? "" : " and no entry");
}

void link_emit(struct linker *l)
{
    emit_identity(l);
    emit_sections(l);
    emit_symbols(l);
    emit_relocs(l);
    emit_groups(l);
    emit_lines(l);
    emit_tiles(l);
    emit_args(l);
    if (!is_relocatable(l)) {
        emit_entry(l);
        check_code(l);
    }
}
