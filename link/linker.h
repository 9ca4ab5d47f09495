/* SPDX-License-Identifier: BSD-3-Clause */
/* What the passes of the linker share. Only this folder includes it. */
#ifndef PTO_LINK_LINKER_H
#define PTO_LINK_LINKER_H

#include "link/link.h"
#include "link/script.h"

struct out_section;
struct unit;
struct linker;

/* The input section of a common symbol, in a unit that the linker makes. */
#define LINK_COMMON_SECTION "COMMON"

/* Where a message has no place in a text. */
static const struct loc nowhere = {0};

/* Why an input section does not take part. */
enum discard {
    DISCARD_NOT,
    DISCARD_GROUP,   /* an earlier input has its COMDAT group */
    DISCARD_FOLLOWS, /* the section that it follows (SHF_LINK_ORDER) does not take part */
    DISCARD_EXCLUDE, /* SHF_EXCLUDE */
    DISCARD_SCRIPT   /* by the linker script */
};

/* A run of equal bytes in a merged section (merge.c). */
struct fragment {
    uint64_t in;  /* offset in the input section */
    uint64_t out; /* in the merged contents */
};

/* An input section. */
struct piece {
    struct unit *unit;
    uint32_t section;           /* index into unit->object->sections */
    uint32_t number;            /* among the pieces of its rule or output section */
    struct out_section *out;    /* NULL: not linked (notes, line tables, discarded) */
    uint64_t offset;            /* in `out`, final after link_merge or link_layout */
    uint64_t size;              /* in `out`; merged strings count where they stand */
    bool live;                  /* takes part: neither discarded nor dead by --gc-sections */
    bool in_use;                /* a symbol stands in it */
    uint8_t discard;            /* enum discard */
    uint32_t group;             /* number of its group in the object + 1, 0: none */
    struct input_rule *rule;    /* of the script, or NULL */
    struct merged *merged;      /* NULL: its bytes stand as they are */
    struct fragment *fragments; /* merged: ascending in `in`, the first at 0 */
    size_t nfragments;
    struct piece *dependents, *next_dependent; /* sections with SHF_LINK_ORDER that follow it */
};

/* One object among the inputs. */
struct unit {
    struct object *object;
    const char *name;
    const char *archive, *member;  /* NULL: in no archive */
    const char *wanted_by;         /* the input that made a member necessary, for the map */
    const char *wanted_for;        /* the symbol */
    struct link_symbol **globals;  /* by symbol index; NULL: local */
    struct piece *pieces;          /* by section index */
    const struct obj_line **lines; /* by section and address; made when a message asks */
    uint32_t *out_symbols;         /* by symbol index: place in the result, see emit.c */
    bool owned;                    /* made by the linker or read from a file: destroyed with it */
    bool made;                     /* by the linker: no input */
};

enum link_state {
    LINK_UNDEFINED,
    LINK_COMMON,  /* value: alignment, size: bytes */
    LINK_DEFINED, /* by unit and index */
    LINK_SPECIAL, /* by the linker, --defsym or the script: value is final after link_layout */
};

/* A name that all units share. */
struct link_symbol {
    const char *name; /* interned */
    enum link_state state;
    bool weak;                /* of the definition; undefined: no strong reference was seen */
    bool referenced;          /* some unit refers to it */
    bool wanted;              /* by -e or -u: archives are searched, but nobody need define it */
    bool traced;              /* --trace-symbol */
    bool has_value;           /* SPECIAL: value is known */
    bool assigned;            /* by --defsym or the script, which wins over what objects say */
    bool is_number;           /* SPECIAL: not an address */
    enum link_state below;    /* assigned: the state that the objects give it */
    uint64_t address;         /* settled: what it is worth at last */
    bool settled, lost;       /* lost: its section does not take part */
    unsigned round;           /* assigned: when it got its value last (place.c) */
    struct out_section *base; /* SPECIAL: the section that it stands in; NULL: none */
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
    uint64_t load_delta;             /* load address - address */
    const struct section_rule *rule; /* of the script, or NULL */
    uint32_t order;                  /* among the sections */
    bool has_symbols;                /* an empty section stays when a symbol is in it */
    VEC(struct piece *) pieces;
    uint8_t *data;   /* NULL for NOBITS */
    int index;       /* in the result, -1: left out */
    uint32_t symbol; /* its section symbol in the result, with -r and -q */
};

/* A symbol that the linker defines when somebody refers to it. */
struct special {
    struct link_symbol *symbol;
    const char *section; /* its output section (start and end), or NULL */
    uint64_t (*address)(const struct linker *l, const char *section);
};

/* The order of sections in an executable without a script. */
enum link_class {
    CLASS_CODE,
    CLASS_SEQ,
    CLASS_NOTE,
    CLASS_RODATA,
    CLASS_DATA,
    CLASS_BSS,
    CLASS_UNLOADED,
    LINK_CLASSES
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
    struct script script;
    struct statement *defsyms, *last_defsym; /* assignments, by `next` */
    VEC(struct link_input) script_inputs;    /* INPUT and GROUP of the script */
    VEC(const char *) script_dirs;           /* SEARCH_DIR */
    const char *entry;                       /* -e, else ENTRY, else NULL */

    /* What single passes work with; here, so that it is freed whatever happens. */
    struct map uses;             /* link_report_undefined: symbol -> struct uses */
    struct map sections_by_name; /* link_merge: interned name -> struct out_section */
    struct map files;            /* link_emit: interned path -> index in out->line_files + 1 */
    VEC(struct piece *) pending; /* link_gc: live, but not walked yet */
    struct buffer text;
    struct map section_names; /* special.c: interned names of input sections */
    bool section_names_found;
    struct map groups;     /* interned signature -> struct unit that has it */
    struct map candidates; /* match.c: interned section name -> rules that fit */
    struct map orphans;    /* match.c: interned section name -> struct input_rule */
    struct statement *behind[LINK_CLASSES]; /* section.c: where orphans of a class go */
    bool ends_found;                        /* `behind` is filled in */
    VEC(struct merged *) merged;            /* merge.c */
    struct intern *entries;                 /* their contents */
};

/* ---- names and places (symbol.c) ---- */

struct link_symbol *link_intern_symbol(struct linker *l, const char *name);
struct link_symbol *link_find_symbol(const struct linker *l, const char *name); /* or NULL */
/* Enters the symbols of a unit; archives are searched for what is then undefined. */
void link_add_symbols(struct linker *l, struct unit *u);
/* Adds where the source has the place, "note: a.pto:5: …", to the last message, if the line table
 * of the unit says it. */
void link_note_source(struct linker *l, struct unit *u, int section, uint64_t offset);
/* Its place as the messages name it: "a.o:(.text+0x10)". In the arena. */
const char *link_place(struct linker *l, const struct unit *u, int section, uint64_t offset);
/* Address of a symbol of a unit; 0 for an undefined weak one. Valid after link_define_addresses. */
uint64_t link_symbol_address(const struct unit *u, uint32_t index);
uint64_t link_global_address(const struct link_symbol *s);
void link_settle_symbols(struct linker *l); /* from here on addresses are known at once */
/* The input section of a symbol, NULL when it is in none. */
struct piece *link_symbol_piece(const struct unit *u, uint32_t index);
const char *link_symbol_name(const struct unit *u, uint32_t index);

/* ---- the passes, in order; each leaves its errors in l->diag ---- */

void link_load(struct linker *l);             /* input.c: units, all symbols known */
void link_merge_identities(struct linker *l); /* identity.c */
void link_allocate_commons(struct linker *l); /* symbol.c: no common symbols from here on */
void link_declare_assigned(struct linker *l); /* special.c, called by link_load */
void link_match(struct linker *l);            /* section.c: what the script says of each section */
void link_declare_specials(struct linker *l); /* special.c: linker-defined symbols are defined */
void link_gc(struct linker *l);               /* gc.c: dead pieces are not live */
void link_report_undefined(struct linker *l); /* symbol.c */
void link_merge(struct linker *l);            /* section.c: no new sections, offsets are final */
void link_layout(struct linker *l);           /* layout.c: addresses are final */
void link_override(struct linker *l);         /* special.c: --defsym and script win over objects */
void link_define_specials(struct linker *l);  /* special.c: values of the linker's own symbols */
void link_relocate(struct linker *l);         /* relocate.c: contents are final */
void link_emit(struct linker *l);             /* emit.c: l->out */
void link_reserve_build_id(struct linker *l, struct object *o); /* build_id.c, in link_merge */
void link_add_build_id(struct linker *l);
void link_write_map(const struct linker *l); /* map.c */
void link_write_memory_usage(const struct linker *l, struct buffer *out);

/* ---- shared by passes ---- */

/* input.c: a unit without an object yet; then, with it, the tables by symbol and section. */
struct unit *link_new_unit(struct linker *l, const char *name);
void link_prepare_unit(struct linker *l, struct unit *u);
struct out_section *link_find_section(const struct linker *l, const char *name); /* section.c */
/* Content that does not go into the result as it is. */
bool link_is_dropped(const struct unit *u, const struct obj_section *s);
/* The output section of an input section that no script places. */
const char *link_output_name(const struct linker *l, const char *name);
/* The rule that places what the script does not mention, behind sections of the same kind. */
struct section_rule *link_orphan_section(struct linker *l, const struct piece *p, const char *name);
uint64_t link_piece_align(const struct piece *p);
/* Number behind the last dot of `.init_array.5`; without one a number above all. */
unsigned link_init_priority(const char *name);
/* Where a byte of an input section stands in the output section. */
uint64_t link_piece_offset(const struct piece *p, uint64_t offset);
/* The address that the options give a section. Several: the last one counts. layout.c */
bool link_fixed_address(const struct linker *l, const char *section, uint64_t *address);
void link_add_merged(struct linker *l, struct piece *p, struct out_section *out); /* merge.c */
void link_finish_merged(struct linker *l);
const uint8_t *link_merged_data(const struct piece *p);
void link_free_merged(struct linker *l);
void link_enter_groups(struct linker *l, struct unit *u); /* group.c */
void link_discard_followers(struct unit *u);
/* Why a section does not take part, as the end of a message. */
const char *link_discard_reason(struct linker *l, const struct piece *p);
/* Reads a number as strtoull does, decimal, 0x or 0b…; false when text is not one. */
bool link_parse_number(const char *text, uint64_t *value);      /* special.c */
void sha256(const void *data, size_t size, uint8_t digest[32]); /* sha256.c */

#endif
