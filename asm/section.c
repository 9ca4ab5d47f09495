/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sections and the place where the next byte goes.
 *
 * Every class of instructions has a home section, used until the file names a
 * section itself. While no section is named, labels wait: they belong to what
 * follows them, so `loop:` in front of a SEQ instruction is a label of .seq
 * even when PTO code stands before it.
 */
#include "asm/assembler.h"

#include <string.h>

/* Contents of one section are kept in memory; more is a mistake in a count. */
static const uint64_t max_content = UINT64_C(1) << 30;
static const uint64_t max_nobits = UINT64_C(1) << 48;

static const char home_pto[] = ".text";
static const char home_seq[] = ".seq";

/* What a name means before any flags are written; `name.suffix` is the same. */
struct known_section {
    const char *name;
    uint32_t type;
    uint64_t flags;
    uint8_t class;
    uint8_t entsize;
};

static const struct known_section known_sections[] = {
    {".bss", OBJ_NOBITS, OBJ_ALLOC | OBJ_WRITE, CLASS_ANY, 0},
    {".comment", OBJ_PROGBITS, OBJ_MERGE | OBJ_STRINGS, CLASS_ANY, 1},
    {".data", OBJ_PROGBITS, OBJ_ALLOC | OBJ_WRITE, CLASS_ANY, 0},
    {".note", OBJ_NOTE, 0, CLASS_ANY, 0},
    {".rodata", OBJ_PROGBITS, OBJ_ALLOC, CLASS_ANY, 0},
    {home_seq, OBJ_PROGBITS, OBJ_ALLOC | OBJ_EXEC, CLASS_SEQ, 0},
    {home_pto, OBJ_PROGBITS, OBJ_ALLOC | OBJ_EXEC, CLASS_PTO, 0},
};

static const struct known_section *known_section(const char *name)
{
    for (size_t i = 0; i < sizeof known_sections / sizeof *known_sections; i++) {
        size_t size = strlen(known_sections[i].name);
        if (strncmp(name, known_sections[i].name, size) == 0 &&
            (name[size] == '\0' || name[size] == '.'))
            return &known_sections[i];
    }
    return NULL;
}

static struct symbol *section_label(struct assembler *as, struct section *section)
{
    struct symbol *label = arena_alloc(as->arena, sizeof *label);
    label->name = arena_string(as->arena, section->name, strlen(section->name));
    label->kind = SYMBOL_LABEL;
    label->type = OBJ_SECTION_SYMBOL;
    label->generated = true;
    label->section = section;
    *map_put(&as->symbols, label->name) = label;
    return label;
}

/* Sections of one name in different groups are different. */
static const char *identity(struct assembler *as, const struct section_key *key)
{
    if (!key->group)
        return key->name;
    return intern_z(as->names, arena_printf(as->arena, "%s\n%s", key->name, key->group));
}

static struct section *new_section(struct assembler *as, const struct section_key *key,
                                   struct loc loc)
{
    const struct known_section *known = known_section(key->name);
    struct section *section = arena_alloc(as->arena, sizeof *section);
    section->name = key->name;
    section->type = key->has_type ? key->type : known ? known->type : OBJ_PROGBITS;
    section->flags = key->has_flags ? key->flags : known ? known->flags : 0;
    section->entsize = key->has_flags ? key->entsize : known ? known->entsize : 0;
    section->group = key->group;
    section->comdat = key->comdat;
    section->linked = key->linked;
    section->class = known ? known->class : CLASS_ANY;
    section->align = 1;
    section->loc = loc;
    section->index = (uint32_t)as->sections.count;
    section->label = section_label(as, section);
    section->bundle.state = as->nobundle ? BUNDLE_UNKNOWN : BUNDLE_CLOSED;
    section->bundle.errors = as->sections.count ? diag_errors(as->diag) : as->errors_before;
    buffer_init(&section->bytes, as->mem);
    *vec_push(as->mem, &as->sections) = section;
    *map_put(&as->section_names, identity(as, key)) = section;
    return section;
}

struct section *asm_section(struct assembler *as, const struct section_key *key, struct loc loc)
{
    struct section *section = map_get(&as->section_names, identity(as, key));
    if (!section)
        return new_section(as, key, loc);
    if ((key->has_flags && (key->flags != section->flags || key->entsize != section->entsize)) ||
        (key->has_type && key->type != section->type) || key->comdat != section->comdat ||
        (key->has_flags && key->linked != section->linked)) {
        diag_report(as->diag, DIAG_SECTION_CHANGED, loc,
                    "the type, flags or entry size of section '%s' differ from its first use",
                    key->name);
        diag_note(as->diag, section->loc, "the section was named here first");
    }
    return section;
}

static struct section *home_section(struct assembler *as, enum section_class class)
{
    struct section **home = &as->home[class];
    if (!*home) {
        const char *name = class == CLASS_SEQ ? home_seq : home_pto;
        struct section_key key = {.name = intern_z(as->names, name)};
        *home = asm_section(as, &key, (struct loc){0});
    }
    return *home;
}

static void place_pending(struct assembler *as)
{
    for (size_t i = 0; i < as->pending.count; i++)
        asm_place_symbol(as, as->pending.item[i]);
    as->pending.count = 0;
}

void asm_settle(struct assembler *as, enum section_class class)
{
    if (as->section_named)
        return;
    if (class == CLASS_SEQ)
        as->section = home_section(as, CLASS_SEQ);
    else if (class == CLASS_PTO || !as->section)
        as->section = home_section(as, CLASS_PTO);
    if (as->pending.count)
        place_pending(as);
}

void asm_enter_section(struct assembler *as, struct section *section)
{
    if (as->pending.count)
        asm_settle(as, CLASS_ANY);
    as->previous = as->section;
    as->section = section;
    as->section_named = true;
}

void asm_push_section(struct assembler *as)
{
    asm_settle(as, CLASS_ANY);
    struct section_frame *frame = vec_push(as->mem, &as->section_stack);
    frame->section = as->section;
    frame->previous = as->previous;
}

bool asm_pop_section(struct assembler *as)
{
    if (!as->section_stack.count)
        return false;
    struct section_frame frame = as->section_stack.item[--as->section_stack.count];
    as->section = frame.section;
    as->previous = frame.previous;
    as->section_named = true;
    return true;
}

uint64_t asm_offset(const struct section *section)
{
    return section->type == OBJ_NOBITS ? section->size : section->bytes.size;
}

void asm_raise_align(struct section *section, uint64_t align)
{
    if (section->align < align)
        section->align = align;
}

/* In executable sections, $x, $q and $d say what a disassembler will find. */
void asm_note_content(struct assembler *as, enum obj_content content)
{
    struct section *section = as->section;
    if (!(section->flags & OBJ_EXEC) || section->content == content + 1)
        return;
    section->content = (uint8_t)(content + 1);
    struct mapping *mapping = vec_push(as->mem, &as->mappings);
    mapping->section = section;
    mapping->offset = asm_offset(section);
    mapping->points = (uint32_t)section->points.count;
    mapping->content = content;
}

bool asm_fits(struct assembler *as, uint64_t size, struct loc loc)
{
    const struct section *section = as->section;
    uint64_t limit = section->type == OBJ_NOBITS ? max_nobits : max_content;
    if (size <= limit - asm_offset(section))
        return true;
    diag_report(as->diag, DIAG_SECTION_TOO_LARGE, loc,
                "section '%s' would grow by %llu bytes to more than %llu", section->name,
                (unsigned long long)size, (unsigned long long)limit);
    return false;
}

bool asm_reserve(struct assembler *as, uint64_t size, struct loc loc)
{
    struct section *section = as->section;
    if (!asm_fits(as, size, loc))
        return false;
    if (section->type == OBJ_NOBITS)
        section->size += size;
    else if (size) {
        asm_note_content(as, OBJ_CONTENT_DATA);
        buffer_extend(&section->bytes, (size_t)size);
    }
    return true;
}

uint8_t *asm_extend(struct assembler *as, enum obj_content content, size_t size, struct loc loc)
{
    struct section *section = as->section;
    if (section->type == OBJ_NOBITS) {
        diag_report(as->diag, DIAG_SECTION_NOBITS, loc,
                    "section '%s' holds no bytes in the file; only .skip, .zero, .space, .align, "
                    ".org and labels may stand in it",
                    section->name);
        section->size += size;
        return arena_alloc(as->arena, size);
    }
    if (!asm_fits(as, size, loc))
        return arena_alloc(as->arena, size);
    asm_note_content(as, content);
    return buffer_extend(&section->bytes, size);
}
