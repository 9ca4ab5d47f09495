/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of objfile/ share. Only this folder includes it. */
#ifndef PTO_OBJFILE_INTERNAL_H
#define PTO_OBJFILE_INTERNAL_H

#include "objfile/objfile.h"

#define OBJ_NOTE_ISA ".note.pto.isa"
#define OBJ_NOTE_EXT ".note.pto.ext"
#define OBJ_TILES    ".pto.tiles"
#define OBJ_ARGS     ".pto.args"

/* ---- notes (identity.c) ---- */

/* Append the section's content; nothing when the identity has no such note. */
void identity_write_isa(const struct obj_identity *id, struct buffer *out);
void identity_write_ext(const struct obj_identity *id, struct buffer *out);
/* Parse a section's content into `id`. NULL or the reason (text in the arena). */
const char *identity_read_isa(struct arena *a, const uint8_t *data, size_t size,
                              struct obj_identity *id);
const char *identity_read_ext(struct arena *a, const uint8_t *data, size_t size,
                              struct obj_identity *id);

/* ---- program tiles (tiles.c) ---- */

void tiles_write(const struct object *o, struct buffer *out);
const char *tiles_read(struct object *o, const uint8_t *data, size_t size);

/* ---- arguments of functions (args.c) ---- */

void args_write(const struct object *o, struct buffer *out);
const char *args_read(struct object *o, const uint8_t *data, size_t size);

/* ---- sections of NUL-terminated lines (lines.c) ---- */

/* The next blank-separated word of a line, which is cut there; NULL at its end. */
char *line_take_word(char **at);
/* The next word as a decimal number of at most `max`. */
bool line_take_number(char **at, uint64_t max, uint64_t *value);

/* A section whose first line is "MAGIC 1 COUNT" and that has COUNT rows, each given to `row`; false
 * from there: malformed. NULL or the reason. */
struct line_format {
    const char *magic;
    bool (*row)(struct object *o, char *line);
};
const char *lines_read(struct object *o, const struct line_format *format, const uint8_t *data,
                       size_t size);
void lines_begin(const struct line_format *format, size_t count, struct buffer *out);

/* ---- string tables (strtab.c) ---- */

struct strtab {
    struct buffer bytes; /* begins with the empty string */
    struct intern *names;
    struct map offsets; /* interned name -> offset + 1 */
};
void strtab_init(struct strtab *t, struct mem *m);
uint32_t strtab_add(struct strtab *t, const char *name); /* offset; equal names share one */
void strtab_free(struct strtab *t);

/* ---- line tables (dwarf_write.c, dwarf_read.c) ---- */

enum dwarf_section { DWARF_ABBREV, DWARF_INFO, DWARF_LINE, DWARF_RANGES, DWARF_SECTIONS };
extern const char *const dwarf_section_names[DWARF_SECTIONS];

/* A word of a debug section that the linker must fill in: an address (64 bits) in a section of the
 * object, or an offset (32 bits) into another debug section. */
struct dwarf_fixup {
    uint64_t offset;
    int section;               /* index into object.sections, or -1 */
    enum dwarf_section target; /* when section is -1 */
    int64_t addend;
};

struct dwarf_output {
    struct buffer content[DWARF_SECTIONS];
    VEC(struct dwarf_fixup) fixups[DWARF_SECTIONS];
};

/* In executables addresses are final and there are no fixups. */
void dwarf_write(const struct object *o, struct arena *scratch, struct dwarf_output *out);
void dwarf_output_free(struct mem *m, struct dwarf_output *out);

/* .debug_line and the string sections it may point into; absent ones have size 0. */
struct dwarf_input {
    struct obj_section line; /* with its relocations, in a relocatable object */
    struct obj_section str, line_str;
};
/* Appends to o->lines and o->line_files. NULL or the reason (static text), and then appends
 * nothing. */
const char *dwarf_read(struct object *o, const struct dwarf_input *in);

#endif
