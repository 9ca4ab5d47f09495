/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Object files, executables and archives in memory, and their ELF form
 * (docs/elf.md): ELF64 little-endian, e_machine 233, RELA. libelf reads and
 * writes; this folder checks every number of an input before use. Knows no
 * assembly and no linking.
 */
#ifndef PTO_OBJFILE_OBJFILE_H
#define PTO_OBJFILE_OBJFILE_H

#include "isa/isa.h"
#include "support/support.h"

enum { OBJ_MACHINE = 233 }; /* EM_LINXISA, the number the PTO ecosystem uses */

enum obj_file_kind { OBJ_RELOCATABLE, OBJ_EXECUTABLE };

/* Values are the ELF ones; the names keep <elf.h> out of the callers. */
enum obj_section_type {
    OBJ_PROGBITS = 1,
    OBJ_NOTE = 7,
    OBJ_NOBITS = 8,
    OBJ_INIT_ARRAY = 14,
    OBJ_FINI_ARRAY = 15,
    OBJ_PREINIT_ARRAY = 16,
    OBJ_OTHER = 0xffff
};
enum {
    OBJ_WRITE = 1,
    OBJ_ALLOC = 2,
    OBJ_EXEC = 4,
    OBJ_MERGE = 16,
    OBJ_STRINGS = 32,
    OBJ_LINK_ORDER = 128,
    OBJ_GNU_RETAIN = 0x200000
};
#define OBJ_EXCLUDE UINT64_C(0x80000000) /* SHF_EXCLUDE: not for executables */
enum obj_bind { OBJ_LOCAL = 0, OBJ_GLOBAL = 1, OBJ_WEAK = 2 };
enum obj_symbol_type {
    OBJ_NOTYPE = 0,
    OBJ_DATA = 1,
    OBJ_FUNC = 2,
    OBJ_SECTION_SYMBOL = 3,
    OBJ_FILE = 4
};
enum obj_visibility { OBJ_DEFAULT = 0, OBJ_INTERNAL = 1, OBJ_HIDDEN = 2, OBJ_PROTECTED = 3 };

/* Section numbers with a meaning of their own. */
enum { OBJ_UNDEF = -1, OBJ_ABS = -2, OBJ_COMMON = -3 };

struct obj_reloc {
    uint64_t offset; /* within its section */
    uint32_t symbol; /* index into object.symbols */
    uint32_t type;   /* ELF relocation number */
    int64_t addend;
};

struct obj_section {
    const char *name;
    uint32_t type;  /* sh_type */
    uint64_t flags; /* OBJ_WRITE … */
    uint64_t align; /* power of two, >= 1 */
    uint64_t entsize;
    uint64_t address; /* executables */
    uint64_t size;
    const uint8_t *data; /* NULL for NOBITS */
    uint32_t link;       /* with OBJ_LINK_ORDER: index of the section that it follows */
    bool generated; /* set by the reader: notes, tiles, args and line tables, whose content is also
                       in identity, tiles, args and lines. obj_write_elf makes them anew from there */
    VEC(struct obj_reloc) relocs;
};

struct obj_symbol {
    const char *name;
    uint64_t value; /* offset in its section (relocatable), address (executable) */
    uint64_t size;
    int section; /* index into object.sections, or OBJ_UNDEF, OBJ_ABS, OBJ_COMMON */
    uint8_t bind, type, visibility;
};

/* Sections that are linked or left out together. Members are of no other group. */
struct obj_group {
    const char *signature; /* the name of `symbol`, or of its section */
    uint32_t symbol;       /* index into object.symbols */
    bool comdat;           /* of equal signatures one group is linked */
    uint32_t *members;     /* indexes into object.sections; in the object's arena */
    size_t count;
};

struct obj_segment { /* executables only */
    uint64_t address, file_size, memory_size, align;
    uint64_t load_delta; /* where loaders put it (p_paddr) - address */
    const uint8_t *data;
    uint32_t flags; /* OBJ_WRITE | OBJ_EXEC; reading is always allowed */
};

/* A row of the line table: from address on, until the next row. */
struct obj_line {
    int section; /* relocatable: section index; executable: ignored, address is absolute */
    uint64_t address;
    uint32_t file; /* index into object.line_files */
    uint32_t line, col;
    bool end; /* first address behind a sequence */
};

/* What .note.pto.ext records (docs/elf.md). */
struct obj_identity {
    bool has_pto;           /* contains PTO instructions: .note.pto.isa is written */
    isa_revset pto;         /* revision bit; 0: none (no PTO code, or no note) */
    isa_revset seq;         /* generation bit; 0: no SEQ code */
    const char *extensions; /* comma list, "tmov-convert"; "" = none */
    const char *release, *encoding_abi, *projection_sha256; /* as read from .note.pto.isa; NULL */
};

/* Order within a tile (blayout) and within its inner boxes (slayout). */
enum obj_major { OBJ_ROW_MAJOR, OBJ_COL_MAJOR, OBJ_NONE_BOX };

/* One row of .pto.tiles: a tile that the program expects (input) or names (output). The type is
 * recorded as text for people and as numbers for tools, so that no reader parses it. */
struct obj_tile {
    const char *name; /* SSA name without '%' */
    const char *type; /* tile type as text, canonical */
    uint8_t hand;     /* 0 T, 1 U, 2 M, 3 N */
    uint8_t ordinal;  /* input: order of publication in its hand; output: slot */
    bool input;
    uint8_t dtype;           /* ISA_DataType_… code */
    uint8_t blayout;         /* OBJ_ROW_MAJOR or OBJ_COL_MAJOR */
    uint8_t slayout;         /* enum obj_major */
    uint8_t compact;         /* 0 none, 1 normal, 2 row-plus-one */
    uint16_t fractal;        /* bytes of a box: 512, 1024, 32 or 16 */
    uint32_t rows, cols;     /* physical */
    uint32_t v_rows, v_cols; /* valid region */
    uint32_t capacity;       /* bytes a PE, 128 << n, as the program's B.IOT or B.IOS names it */
};

enum { OBJ_MAX_RANK = 5 }; /* of a tensor view */

/* One row of .pto.args: an argument of a kernel function (docs/pto-as-lowering.md). */
struct obj_arg {
    const char *function; /* symbol of the function */
    const char *name;     /* SSA name without '%' */
    const char *type;     /* as text, "!pto.ptr<f32>" */
    uint8_t index;        /* its register is a0 + index */
    bool pointer;         /* to elements of `dtype`; else a scalar of that type */
    uint8_t dtype;        /* ISA_DataType_… code */
    uint8_t rank;         /* of a pointer's elements, as the function views them; 0: not known */
    uint32_t shape[OBJ_MAX_RANK];
};

struct object {
    struct mem *mem;     /* the vectors below grow from it: vec_push(o->mem, &o->sections) */
    struct arena *arena; /* owns names and data that were made for this object */
    enum obj_file_kind kind;
    const char *name; /* file name, "lib.a(member.o)" */
    uint64_t entry;
    VEC(struct obj_section) sections;
    VEC(struct obj_symbol) symbols;
    VEC(struct obj_group) groups; /* relocatable */
    VEC(struct obj_segment) segments;
    VEC(struct obj_line) lines;
    VEC(const char *) line_files;
    VEC(struct obj_tile) tiles;
    VEC(struct obj_arg) args;
    struct obj_identity identity;
};

struct object *obj_create(struct mem *m, enum obj_file_kind kind);
void obj_destroy(struct object *o); /* NULL is allowed */

/* Builds the ELF image: sections in order, relocations, symbols (locals first), notes and line
 * table from identity, tiles, args and lines. Same object -> same bytes. `debug` adds .debug_line,
 * .debug_info and what they need. The notes of an executable are sections with addresses like any
 * other (obj_add_notes); those of a relocatable object are appended here. */
void obj_write_elf(const struct object *o, bool debug, struct buffer *out);

/* Appends .note.pto.isa (when the identity has one) and .note.pto.ext to o->sections. */
void obj_add_notes(struct object *o);

/* Reads one ELF file; NULL and a report on anything that is not a well-formed PTO object or
 * executable (truncated, not ELF, wrong class, byte order or machine, offsets outside the file, …).
 * Names and data point into `bytes`, which must outlive the object. */
struct object *obj_read_elf(struct mem *m, struct diag *d, const char *name, const uint8_t *bytes,
                            size_t size);

/* Loadable images of an executable's segments for loaders that know no ELF. NULL or the reason
 * (static text): an image larger than 4 GiB, an address that the format cannot hold. */
const char *obj_write_binary(const struct object *o, struct buffer *out); /* from the lowest byte */
const char *obj_write_ihex(const struct object *o, struct buffer *out);
const char *obj_write_srec(const struct object *o, struct buffer *out);

/* Archives: calls back for each member, in order; symbol index for lazy loading. */
bool obj_is_archive(const uint8_t *bytes, size_t size);
struct obj_archive;
struct obj_archive *obj_archive_open(struct mem *m, struct diag *d, const char *name,
                                     const uint8_t *bytes, size_t size);
size_t obj_archive_count(const struct obj_archive *a);
struct object *obj_archive_member(struct obj_archive *a,
                                  size_t index); /* reads it on first use; NULL reported */
const char *obj_archive_member_name(const struct obj_archive *a, size_t index); /* "x.o" */
/* Member that defines `symbol` by the archive's index, or -1. */
long obj_archive_find(const struct obj_archive *a, const char *symbol);
void obj_archive_close(struct obj_archive *a);

/* Orders the line rows of an executable by address, sequence by sequence. Reader and linker leave
 * them so. */
void obj_sort_lines(struct object *o);
/* The line row that covers an address of an executable, or NULL. Binary search. */
const struct obj_line *obj_line_at(const struct object *o, uint64_t address);

/* Mapping symbols: $x starts instructions, $q starts SEQ words, $d starts data. */
enum obj_content { OBJ_CONTENT_CODE, OBJ_CONTENT_SEQ, OBJ_CONTENT_DATA };

/* Checks that two identities may be linked, or that an image runs on an implementation. When not,
 * appends the reason to `why`, first its name in the PTO ABI vectors: missing-identity,
 * release-mismatch, encoding-abi-mismatch, encoding-hash-mismatch; our own
 * seq-generation-mismatch. An object without PTO instructions is compatible with any. */
bool obj_identity_compatible(const struct obj_identity *a, const struct obj_identity *b,
                             struct buffer *why);

#endif
