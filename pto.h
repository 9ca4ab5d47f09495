/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libpto: assemble, link, decode and simulate PTO and SEQ programs in process.
 *
 *   struct pto *p = pto_create(&(struct pto_options){.message = show});
 *   struct pto_object *o = pto_assemble(p, "add.pto", text, strlen(text));
 *   struct pto_object *program = pto_link(p, (const struct pto_object *[]){o}, 1, NULL);
 *   struct pto_sim *s = pto_sim_create(p, program, NULL);
 *   if (s && pto_sim_run(s) == PTO_ENDED)
 *       pto_sim_get_register(s, "pe0.a0", &value);
 *
 * A context carries the settings and receives the messages; any number may
 * exist, each used by one thread at a time. Objects and machines belong to the
 * context that made them and are destroyed before it. Functions that return a
 * pointer return NULL after they have reported an error; nothing here prints,
 * exits or keeps state outside a context. Every destroy function takes NULL, and
 * pto_link and pto_sim_create hand on a NULL that they are given.
 *
 * Compile with `pkg-config --cflags --libs libpto`; --static adds what libpto.a needs.
 */
#ifndef PTO_H
#define PTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- context ---- */

enum pto_severity { PTO_NOTE, PTO_WARNING, PTO_ERROR };

struct pto_message {
    enum pto_severity severity;
    const char *code; /* stable name, listed in diagnostics.md; "" for notes */
    const char *file; /* "" when the message has no place */
    unsigned line, column, end_line, end_column; /* from 1, columns in bytes; 0: none */
    const char *text;
};

struct pto_options {
    const char *march;  /* "pto0.58.3", as -march=; NULL: not named */
    const char *mseq;   /* "cayman", as -mseq=; NULL: not named */
    const char *target; /* "a3" or "a5", as --target=; NULL: not named */
    /* Both end with NULL, and NULL is none; they live as long as the context. */
    const char *const *include_dirs; /* as -I */
    const char *const *defines;      /* "name=value", as --defsym */
    bool debug;                      /* as -g: objects have line tables */
    /* Receives each message, notes behind the one they belong to. The strings live until it
     * returns. NULL: messages are dropped. */
    void (*message)(void *ctx, const struct pto_message *message);
    void *message_ctx;
    /* Where memory comes from: like realloc, but size 0 frees. NULL: the C library. When it
     * returns NULL, the running call reports "out-of-memory" and fails. */
    void *(*resize)(void *ctx, void *block, size_t size);
    void *resize_ctx;
};

struct pto;

/* NULL for `options` means all defaults. NULL is returned when march, mseq or target is unknown
 * (reported) or there is no memory. */
struct pto *pto_create(const struct pto_options *options);
void pto_destroy(struct pto *p);
const char *pto_version(void);

/* ---- objects and programs ---- */

struct pto_object;

/* Assembles one source of `size` bytes; `name` is used in messages. What .include and .incbin name
 * is read from the working directory and `include_dirs`. */
struct pto_object *pto_assemble(struct pto *p, const char *name, const char *text, size_t size);

/* Reads an object or program from its ELF image, which is not needed afterwards. */
struct pto_object *pto_read(struct pto *p, const char *name, const void *elf, size_t size);

/* Links objects to a program. `entry` NULL: _start, else the start of .text, else of .seq. */
struct pto_object *pto_link(struct pto *p, const struct pto_object *const *objects, size_t count,
                            const char *entry);

/* The ELF image; it lives as long as the object. */
const void *pto_object_elf(const struct pto_object *o, size_t *size);

/* The bytes of a section, which live as long as the object; NULL when it has none of that name or
 * it has no contents (.bss). *address is where a program has it, 0 in an object. */
const void *pto_object_section(const struct pto_object *o, const char *name, uint64_t *address,
                               size_t *size);

/* A defined symbol, a global one before local ones of that name: its address in a program, its
 * offset in its section in an object. False: none is defined. */
bool pto_object_symbol(const struct pto_object *o, const char *name, uint64_t *value);

void pto_object_destroy(struct pto_object *o);

/* ---- decoding ---- */

enum pto_set { PTO_SET_PTO, PTO_SET_SEQ };

enum pto_decode {
    PTO_DECODED,   /* text is an instruction that pto_assemble takes back */
    PTO_RAW,       /* legal but not canonical, or illegal: text is `.inst …` and says why */
    PTO_TRUNCATED, /* `size` is less than the instruction's length */
};

/* Decodes the instruction that begins at `code` for the context's march and mseq. *length is its
 * bytes; text receives at most `capacity` bytes with the closing NUL. Reads no byte beyond
 * code[size-1]. */
enum pto_decode pto_decode(struct pto *p, enum pto_set set, const void *code, size_t size,
                           size_t *length, char *text, size_t capacity);

/* ---- simulation ---- */

struct pto_sim_options {
    bool pto_v0;         /* numeric profile pto-v0 instead of ieee */
    bool strict;         /* reject extensions as the plain ISA does */
    unsigned pes;        /* 1 or 4; 0: 4 */
    uint64_t max_insns;  /* 0: no limit */
    uint64_t max_memory; /* bytes of guest memory; 0: 1 GiB */
};

enum pto_end { PTO_ENDED, PTO_LIMIT, PTO_FAULT, PTO_DEADLOCK };

struct pto_sim;

/* Loads a program, which must outlive the machine. NULL for `options` means all defaults. */
struct pto_sim *pto_sim_create(struct pto *p, const struct pto_object *program,
                               const struct pto_sim_options *options);
enum pto_end pto_sim_run(struct pto_sim *s);

/* Names: "a0" (all PEs when written, PE0 when read), "pe1.a0", "pool.R3". False: unknown. */
bool pto_sim_set_register(struct pto_sim *s, const char *name, uint64_t value);
bool pto_sim_get_register(const struct pto_sim *s, const char *name, uint64_t *value);

/* False: not all bytes are mapped, or max_memory is exceeded. */
bool pto_sim_write_memory(struct pto_sim *s, uint64_t address, const void *data, size_t size);
bool pto_sim_read_memory(const struct pto_sim *s, uint64_t address, void *data, size_t size);

/* A tile as a .npy file in logical order; names as --tile takes them. NULL, or the reason, which
 * lives until the next call. The dumped file lives until the next call too. */
const char *pto_sim_load_tile(struct pto_sim *s, const char *name, const void *npy, size_t size);
const char *pto_sim_dump_tile(struct pto_sim *s, const char *name, const void **npy, size_t *size);

/* How the run ended, and the whole state as JSON (state.md); each lives until the next call. */
const char *pto_sim_report(struct pto_sim *s);
const char *pto_sim_state(struct pto_sim *s);

void pto_sim_destroy(struct pto_sim *s);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
