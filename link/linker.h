/* SPDX-License-Identifier: BSD-3-Clause */
/* What the passes of the linker share. Only this folder includes it. */
#ifndef PTO_LINK_LINKER_H
#define PTO_LINK_LINKER_H

#include "link/link.h"

struct out_section;
struct unit;
struct linker;

/* An input section. */
struct piece {
    struct unit *unit;
    uint32_t section;        /* index into unit->object->sections */
    struct out_section *out; /* NULL: not linked (notes, line tables, discarded) */
    uint64_t offset;         /* in `out`, final after link_merge */
    bool live;               /* not discarded by --gc-sections */
};

/* One object among the inputs. */
struct unit {
    struct object *object;
    const char *name;
    struct link_symbol **globals; /* by symbol index; NULL: local */
    struct piece *pieces;         /* by section index */
    uint32_t *out_symbols;        /* by symbol index: place in the result, see emit.c */
    bool owned;                   /* made by the linker or read from a file: destroyed with it */
    bool made;                    /* by the linker: no input */
};

enum link_state {
    LINK_UNDEFINED,
    LINK_COMMON,  /* value: alignment, size: bytes */
    LINK_DEFINED, /* by unit and index */
    LINK_SPECIAL, /* by the linker or --defsym: value is final after link_define_addresses */
};

/* A name that all units share. */
struct link_symbol {
    const char *name; /* interned */
    enum link_state state;
    bool weak;       /* of the definition; undefined: no strong reference was seen */
    bool referenced; /* some unit refers to it */
    bool wanted;     /* by -e or -u: archives are searched, but nobody need define it */
    bool traced;     /* --trace-symbol */
    bool has_value;  /* SPECIAL: value is known */
    uint8_t type, visibility;
    struct unit *unit; /* DEFINED, COMMON: who; UNDEFINED: the first who refers to it */
    uint32_t index;    /* DEFINED: in unit->object->symbols */
    uint64_t value, size;
    uint32_t out_index; /* place in the result, see emit.c */
};

struct out_section {
    const char *name;
    uint32_t type;
    uint64_t flags, align, entsize, size, address;
    bool has_symbols; /* an empty section stays when a symbol is in it */
    VEC(struct piece *) pieces;
    uint8_t *data;   /* NULL for NOBITS */
    int index;       /* in the result, -1: left out */
    uint32_t symbol; /* its section symbol in the result, with -r and -q */
};

/* A symbol that the linker defines when somebody refers to it. */
struct special {
    struct link_symbol *symbol;
    const char *section;    /* its output section (start and end), or NULL */
    const char *expression; /* --defsym */
    uint64_t (*address)(const struct linker *l, const char *section);
};

struct library {
    const char *name;
    struct obj_archive *archive;
    bool *loaded; /* by member */
};

struct linker {
    struct mem *mem;
    struct diag *diag;
    const struct link_options *options;
    struct arena *arena; /* of the job: file contents, names, tables */
    struct intern *names;
    struct map symbols;              /* interned name -> struct link_symbol */
    VEC(struct link_symbol *) order; /* by first appearance */
    VEC(struct unit *) units;
    VEC(struct library *) libraries;    /* in input order; input.c */
    VEC(struct out_section *) sections; /* in output order */
    VEC(struct special) specials;
    struct obj_identity identity;
    struct object *out; /* the result */

    /* What single passes work with; here, so that it is freed whatever happens. */
    struct map uses;             /* link_report_undefined: symbol -> struct uses */
    struct map sections_by_name; /* link_merge: interned name -> struct out_section */
    struct map files;            /* link_emit: interned path -> index in out->line_files + 1 */
    VEC(struct piece *) pending; /* link_gc: live, but not walked yet */
    struct buffer text;
};

/* ---- names and places (symbol.c) ---- */

struct link_symbol *link_intern_symbol(struct linker *l, const char *name);
struct link_symbol *link_find_symbol(const struct linker *l, const char *name); /* or NULL */
/* Enters the symbols of a unit; archives are searched for what is then undefined. */
void link_add_symbols(struct linker *l, struct unit *u);
/* Its place as the messages name it: "a.o:(.text+0x10)". In the arena. */
const char *link_place(struct linker *l, const struct unit *u, int section, uint64_t offset);
/* Address of a symbol of a unit; 0 for an undefined weak one. Valid after link_define_addresses. */
uint64_t link_symbol_address(const struct unit *u, uint32_t index);
uint64_t link_global_address(const struct link_symbol *s);
/* The input section of a symbol, NULL when it is in none. */
struct piece *link_symbol_piece(const struct unit *u, uint32_t index);
const char *link_symbol_name(const struct unit *u, uint32_t index);

/* ---- the passes, in order; each leaves its errors in l->diag ---- */

void link_load(struct linker *l);             /* input.c: units, all symbols known */
void link_merge_identities(struct linker *l); /* identity.c */
void link_allocate_commons(struct linker *l); /* symbol.c: no common symbols from here on */
void link_declare_defsyms(struct linker *l);  /* special.c, called by link_load */
void link_declare_specials(struct linker *l); /* special.c: linker-defined symbols are defined */
void link_gc(struct linker *l);               /* gc.c: dead pieces are not live */
void link_report_undefined(struct linker *l); /* symbol.c */
void link_merge(struct linker *l);            /* section.c: no new sections, offsets are final */
void link_layout(struct linker *l);           /* layout.c: addresses are final */
void link_define_addresses(struct linker *l); /* special.c: values of linker-defined symbols */
void link_relocate(struct linker *l);         /* relocate.c: contents are final */
void link_emit(struct linker *l);             /* emit.c: l->out */
void link_reserve_build_id(struct linker *l, struct object *o); /* build_id.c, in link_merge */
void link_add_build_id(struct linker *l);
void link_write_map(const struct linker *l); /* map.c */

/* ---- shared by passes ---- */

/* input.c: a unit without an object yet; then, with it, the tables by symbol and section. */
struct unit *link_new_unit(struct linker *l, const char *name);
void link_prepare_unit(struct linker *l, struct unit *u);
struct out_section *link_find_section(const struct linker *l, const char *name); /* section.c */
/* Reads a number as strtoull does, decimal, 0x or 0b…; false when text is not one. */
bool link_parse_number(const char *text, uint64_t *value);      /* special.c */
void sha256(const void *data, size_t size, uint8_t digest[32]); /* sha256.c */

#endif
