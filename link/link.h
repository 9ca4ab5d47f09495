/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Linking: objects to an executable (or, with relocatable, to one object).
 * The passes are listed in link.c. Knows no assembly syntax and no execution.
 */
#ifndef PTO_LINK_LINK_H
#define PTO_LINK_LINK_H

#include "objfile/objfile.h"

enum link_input_kind {
    LINK_FILE,
    LINK_LIBRARY /* -lname */,
    LINK_GROUP_BEGIN,
    LINK_GROUP_END,
    LINK_WHOLE_BEGIN,
    LINK_WHOLE_END
};

struct link_input {
    uint8_t kind;
    const char *name;
    const uint8_t *bytes; /* FILE already in memory; NULL: read `name` */
    size_t size;
};

/* What happens to sections that a linker script does not mention. */
enum orphan_handling { ORPHANS_PLACE, ORPHANS_WARN, ORPHANS_REFUSE, ORPHANS_DISCARD };

struct link_options {
    const char *script; /* -T: path; NULL: the layout of docs/linker.md */
    const char *entry;  /* -e; NULL: _start, else start of .text, else start of .seq */
    const struct link_input *inputs;
    size_t ninputs;
    const char *const *library_dirs;      /* -L, NULL-terminated */
    const char *const *defsyms;           /* --defsym sym=expr, as in a script */
    const char *const *section_addresses; /* "name=address" from -Ttext= --section-start= */
    const char *const *trace_symbols;
    bool relocatable; /* -r */
    bool gc_sections;
    bool strip_all, strip_debug;
    bool emit_relocs;             /* -q */
    bool build_id;                /* --build-id: sha256 of the image */
    bool trace;                   /* -t */
    struct buffer *map;           /* -Map / -M: text is appended; NULL: none */
    const char *const *wraps;     /* --wrap=sym, NULL-terminated; NULL: none */
    const char *const *undefined; /* -u: symbols that archives must be searched for */
    bool discard_locals;          /* -x */
    /* What -t, --trace-symbol and --print-gc-sections say is appended, a line each. NULL: nothing.
     */
    struct buffer *messages;
    bool print_gc_sections;
    bool print_memory_usage; /* --print-memory-usage: into messages */
    enum orphan_handling orphans;
    bool runs;           /* the result is meant to run: it is a warning when it has no code */
    bool allow_multiple; /* --allow-multiple-definition: the first one counts */
};

/*
 * NULL when any error was reported. The result owns its data (inputs may go away) and is written
 * with obj_write_elf, whose `debug` is true when result->lines.count > 0. Same inputs in the same
 * order give the same object.
 *
 * Rules a user meets (docs/pto-ld): archives are searched where they stand, again and again within
 * a group; a strong definition wins over a common symbol, that over a weak definition; two strong
 * ones are an error that names both places; a weak symbol that nobody defines is 0.
 */
struct object *link_run(struct mem *m, struct diag *diag, const struct link_options *options);

#endif
