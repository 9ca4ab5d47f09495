/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Assembly: statements to an object. Sections, symbols, expressions,
 * directives, whole-bundle checks, the revision rule (DESIGN: the file falls
 * back to pto0.58.2 once when no revision was named and a PE mask needs it),
 * and the lowering of PTO-AS. Knows no ELF bytes.
 */
#ifndef PTO_ASM_ASM_H
#define PTO_ASM_ASM_H

#include "encoder/encoder.h"
#include "objfile/objfile.h"

enum {
    ASM_LIST_SOURCE = 1,
    ASM_LIST_SYMBOLS = 2,
    ASM_LIST_MACROS = 4,    /* what macros and repetitions become */
    ASM_LIST_HIGH = 8,      /* the lines that .loc names */
    ASM_LIST_NO_FALSE = 16, /* without the branches of conditionals that were not taken */
    ASM_LIST_NO_DEBUG = 32, /* without .file and .loc */
};

/* What a tool learns of an assembly, whether or not there were errors. */
enum asm_definition_kind {
    ASM_LABEL,
    ASM_VALUE, /* .set, .equ, name = value */
    ASM_COMMON,
    ASM_MACRO,
};

struct asm_definition {
    enum asm_definition_kind kind;
    const char *name;
    const char *section; /* of a place; NULL: it is none */
    bool known; /* `value` is: the number, the offset in the section, the size of a common */
    uint64_t value;
    const char *file; /* of the place outside all macros */
    struct loc loc;   /* of the name; of the whole line of a macro */
};

struct asm_observer {
    /* Each definition, behind the last line. Strings live until it returns. */
    void (*definition)(void *ctx, const struct asm_definition *definition);
    /* The text of a file that .include found, instead of what is on disk; it ends with two NUL
     * bytes and lives as long as the assembly. NULL: read it. */
    const char *(*read)(void *ctx, const char *path, size_t *size);
    void *ctx;
};

struct asm_options {
    isa_revset march;     /* 0: not named, pto0.58.3 with the fallback rule */
    isa_revset mseq;      /* 0: not named, cayman */
    int target;           /* PTO-AS legality: 0 not named (file, then a5), 3 = a3, 5 = a5 */
    int level;            /* PTO-AS: 0 any, 1, 2 (no addresses), 3 (addresses of all buffers) */
    bool check;           /* PTO-AS is verified and not lowered */
    bool no_bundle_check; /* -mno-bundle-check: only per-line checks */
    bool no_relax;        /* -mno-relax: every form as it is written */
    bool debug;           /* -g: line table */
    const char *const *include_dirs; /* -I, NULL-terminated; NULL: none */
    const char *const *defines;      /* --defsym name=value, NULL-terminated; NULL: none */
    const char *const *prefix_maps;  /* --debug-prefix-map OLD=NEW, NULL-terminated; NULL: none */
    bool keep_locals;                /* -L: .L labels are symbols of the object */
    bool strip_local_absolute;       /* local symbols without a section are not */
    struct buffer *listing;          /* -a: text is appended; NULL: none */
    struct buffer *bundles;          /* --emit=bundles: text is appended; NULL: none */
    unsigned list;                   /* what the listing shows: ASM_LIST_… */
    struct buffer *dependencies; /* -MD: becomes the files read, each with its NUL; NULL: none */
    const char *directory; /* where relative names of files start; NULL: the working directory */
    const struct asm_observer *observer; /* NULL: none */
};

/* The directives by number from 0, as documents list them; NULL behind the last. */
const char *asm_directive_name(size_t n);

/* The file that .include and .incbin take for `name`: `name` itself or in the arena; NULL: none. */
const char *asm_find_include(struct arena *a, const struct asm_options *options, const char *name);

/* The target that --target= calls so; 0: unknown. */
int asm_find_target(const char *name);

struct asm_input {
    const char *name; /* for messages and the line table */
    const char *text; /* ends with two NUL bytes at text[size] */
    size_t size;
};

/*
 * Assembles source texts one behind the other, as if they were one: what a text defines, the next
 * ones know. Conditionals, macro definitions and repetitions end where they began. At least one
 * text. Returns the object, or NULL when any error was reported to `diag`.
 */
struct object *asm_assemble(struct mem *m, struct diag *diag, const struct asm_options *options,
                            const struct asm_input *inputs, size_t count);

/* Appends the text of a source in canonical form (grammar/print.h), not assembled: comments are
 * gone, nothing is expanded. False: an error was reported. The text ends as above. */
bool asm_print(struct mem *m, struct diag *diag, const char *name, const char *text, size_t size,
               struct buffer *out);

#endif
