/* SPDX-License-Identifier: BSD-3-Clause */
/* The inside of objdump/: one section seen with its symbols, relocations and mapping symbols. */
#ifndef PTO_OBJDUMP_VIEW_H
#define PTO_OBJDUMP_VIEW_H

#include "objdump/objdump.h"

struct region {
    uint64_t start, end; /* offsets within the section */
    uint8_t content;     /* enum obj_content */
};

struct view {
    struct mem *mem;
    const struct objdump_options *options;
    const struct object *object;
    struct buffer *out;
    struct isa_target target;
    bool illegal; /* a word in code has no meaning */

    /* the section at hand */
    int index;
    const struct obj_section *section;
    VEC(const struct obj_symbol *) symbols; /* by value; without mapping symbols */
    VEC(struct region) regions;
    VEC(const struct obj_reloc *) relocs; /* by offset */
    VEC(const struct obj_line *) lines;   /* relocatable objects: by offset */
    uint8_t *targets;                     /* --asm: a bit an offset that needs a label */
    uint8_t *starts;                      /* --asm: a bit an offset where a line begins */
};

/* Fills the parts for section `index`; view_close releases them. */
void view_open(struct view *v, int index);
void view_close(struct view *v);

/* Between two lines: text that has gathered goes out. */
void view_drain(struct view *v);
/* True when -j and the section's name let it through. */
bool view_wants(const struct view *v, const struct obj_section *s);
/* Value of a symbol as an offset in the open section; address of an offset as shown. */
uint64_t view_offset(const struct view *v, const struct obj_symbol *s);
uint64_t view_address(const struct view *v, uint64_t offset);
/* The range of offsets that --start-address and --stop-address leave of the open section. */
struct region view_window(const struct view *v);
/* The best symbol at or before an offset; NULL: none. */
const struct obj_symbol *view_symbol_before(const struct view *v, uint64_t offset);
/* The source line of an offset, or NULL. */
const struct obj_line *view_line(const struct view *v, uint64_t offset);
/* Index of the first relocation at or behind an offset. */
size_t view_first_reloc(const struct view *v, uint64_t offset);
/* The relocation at an offset, or NULL; that of one element of an instruction's field. */
const struct obj_reloc *view_reloc(const struct view *v, uint64_t offset);
const struct obj_reloc *view_field_reloc(const struct view *v, const struct isa_insn *in,
                                         unsigned field, unsigned element, uint64_t offset);
/* Bytes of the instruction at an offset, at most up to `end`, and what they are. */
enum isa_decode_status view_decode(const struct view *v, const struct region *r, uint64_t offset,
                                   struct isa_insn *insn, unsigned *length, struct isa_why *why);
/* True when the text of the instruction at an offset assembles to its bytes (isa_canonical). */
bool view_canonical(const struct view *v, const struct isa_insn *in, uint64_t offset);
/* Where a displacement operand leads, as an offset in the open section. */
bool view_target(const struct view *v, const struct isa_insn *in, unsigned field, uint64_t offset,
                 int64_t *target);
/* What a relocation puts there, as an operand: `sym+4`, `%tpcrel_hi(sym)`. Section symbols are
 * written by the section's name, or as labels that --asm puts there. */
void print_relocated(const struct view *v, const struct obj_reloc *r, struct buffer *out);
/* A symbol in an operand, quoted where it must be; any text in quotes. */
void print_name(struct buffer *out, const char *name);
void print_quoted(struct buffer *out, const char *text);
const char *section_name(const struct object *o, int section);
bool is_mapping_symbol(const struct obj_symbol *s);
const char *relocation_name(uint32_t type);

/* Symbol and addend of a relocation, as tables show them: `sym+0x4`. */
void print_symbol_sum(struct view *v, const struct obj_reloc *r);
void print_headers(struct view *v);
void disassemble(struct view *v);
void print_source(struct view *v);
void validate(struct view *v);

#endif
