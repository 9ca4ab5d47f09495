/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The folders' entry points behind one context. Every call that may allocate
 * runs as a job of `attempt`, the one place that running out of memory returns to;
 * what a job has made by then is in its arguments or in a longer-lived struct,
 * so that the caller can release it.
 */
#include "pto.h"

#include <stdlib.h>
#include <string.h>

#include "asm/asm.h"
#include "config.h"
#include "encoder/encoder.h"
#include "link/link.h"
#include "objfile/objfile.h"
#include "sim/sim.h"

struct pto {
    struct mem mem;
    struct pto_options options;
    struct diag *diag;
    isa_revset march, mseq; /* 0: not named */
    int target;             /* as of struct asm_options */
};

/* The ELF image, and the view of it that the folders work with. */
struct pto_object {
    struct pto *context;
    struct buffer name, elf;
    struct object *object; /* points into `name` and `elf` */
};

struct pto_sim {
    struct pto *context;
    struct sim *sim;
    struct buffer text;    /* what the last report, state or dump returned */
    struct arena *scratch; /* tiles and reasons; reset at each call */
};

/* ---- context ---- */

static void *heap_resize(void *ctx, void *block, size_t size)
{
    struct mem heap = mem_default();
    (void)ctx;
    return heap.resize(heap.ctx, block, size);
}

static void forward_message(void *ctx, const struct diag_record *r)
{
    static const enum pto_severity severity[] = {
        [DIAG_NOTE] = PTO_NOTE,
        [DIAG_WARNING] = PTO_WARNING,
        [DIAG_ERROR] = PTO_ERROR,
    };
    const struct pto *p = ctx;
    if (!p->options.message)
        return;
    struct pto_message m = {
        .severity = severity[r->severity],
        .code = r->severity == DIAG_NOTE ? "" : diag_slug(r->code),
        .file = r->file,
        .line = r->loc.line,
        .column = r->loc.col,
        .end_line = r->loc.end_line,
        .end_column = r->loc.end_col,
        .text = r->message,
    };
    p->options.message(p->options.message_ctx, &m);
}

struct call {
    struct pto *context;
    void (*job)(struct pto *p, void *args);
    void *args;
};

static void run_call(void *ctx)
{
    struct call *c = ctx;
    c->job(c->context, c->args);
}

/* Runs a job; false when memory ran out, which is reported. Messages are delivered in any case. */
static bool attempt(struct pto *p, void (*job)(struct pto *p, void *args), void *args)
{
    bool done = mem_attempt(&p->mem, run_call, &(struct call){p, job, args});
    if (!done && p->diag)
        diag_report(p->diag, DIAG_OUT_OF_MEMORY, (struct loc){0}, "memory is exhausted");
    if (p->diag)
        diag_flush(p->diag);
    return done;
}

static isa_revset find_revision(struct pto *p, const char *name, enum isa_set set)
{
    if (!name)
        return 0;
    const struct isa_revision *r = isa_find_revision(name, strlen(name));
    if (r && r->set == set)
        return r->bit;
    diag_report(p->diag, DIAG_USAGE, (struct loc){0}, "unknown %s '%s'",
                set == ISA_SET_PTO ? "revision" : "generation", name);
    return 0;
}

static int find_target(struct pto *p, const char *name)
{
    int target = asm_find_target(name ? name : "");
    if (name && !target)
        diag_report(p->diag, DIAG_USAGE, (struct loc){0}, "unknown target '%s' (a3 or a5)", name);
    return target;
}

static void start(struct pto *p, void *args)
{
    (void)args;
    struct diag_options options = {.sink = forward_message, .sink_ctx = p};
    p->diag = diag_create(&p->mem, &options);
    p->march = find_revision(p, p->options.march, ISA_SET_PTO);
    p->mseq = find_revision(p, p->options.mseq, ISA_SET_SEQ);
    p->target = find_target(p, p->options.target);
}

struct pto *pto_create(const struct pto_options *options)
{
    struct pto_options o = options ? *options : (struct pto_options){0};
    if (!o.resize)
        o.resize = heap_resize;
    struct pto *p = o.resize(o.resize_ctx, NULL, sizeof *p);
    if (!p)
        return NULL;
    *p = (struct pto){.options = o};
    p->mem = (struct mem){.resize = o.resize, .ctx = o.resize_ctx};
    if (attempt(p, start, NULL) && diag_errors(p->diag) == 0)
        return p;
    pto_destroy(p);
    return NULL;
}

void pto_destroy(struct pto *p)
{
    if (!p)
        return;
    diag_destroy(p->diag);
    p->options.resize(p->options.resize_ctx, p, 0);
}

const char *pto_version(void)
{
    return PACKAGE_VERSION;
}

/* ---- objects and programs ---- */

/* An object being made, and what it is made from. */
struct making {
    const char *name;
    const void *bytes;
    size_t size;
    const struct pto_object *const *objects;
    size_t count;
    const char *entry;
    /* owned by the job */
    struct pto_object *result;
    struct object *made;
    struct link_input *inputs;
    char *text;
};

static void open_result(struct pto *p, struct making *m)
{
    m->result = mem_resize(&p->mem, NULL, sizeof *m->result);
    *m->result = (struct pto_object){.context = p};
    buffer_init(&m->result->elf, &p->mem);
    buffer_init(&m->result->name, &p->mem);
    buffer_append(&m->result->name, m->name, strlen(m->name) + 1);
}

static void view_image(struct pto *p, struct making *m)
{
    struct pto_object *o = m->result;
    o->object =
        obj_read_elf(&p->mem, p->diag, (const char *)o->name.data, o->elf.data, o->elf.size);
}

/* What was assembled or linked may point into its input, so it is kept as its image alone. */
static void keep_image(struct pto *p, struct making *m)
{
    if (!m->made)
        return;
    obj_write_elf(m->made, true, &m->result->elf);
    view_image(p, m);
}

static struct pto_object *make(struct pto *p, void (*job)(struct pto *p, void *args),
                               struct making *m)
{
    bool done = attempt(p, job, m);
    obj_destroy(m->made);
    mem_resize(&p->mem, m->inputs, 0);
    mem_resize(&p->mem, m->text, 0);
    if (done && m->result->object)
        return m->result;
    pto_object_destroy(m->result);
    return NULL;
}

static void assemble(struct pto *p, void *args)
{
    enum { END_PADDING = 2 }; /* the scanner wants two NUL bytes behind the text */
    struct making *m = args;
    struct asm_options options = {
        .march = p->march,
        .mseq = p->mseq,
        .target = p->target,
        .debug = p->options.debug,
        .include_dirs = p->options.include_dirs,
        .defines = p->options.defines,
    };
    open_result(p, m);
    m->text = mem_resize(&p->mem, NULL, m->size + END_PADDING);
    memcpy(m->text, m->bytes, m->size);
    memset(m->text + m->size, 0, END_PADDING);
    m->made =
        asm_assemble(&p->mem, p->diag, &options, &(struct asm_input){m->name, m->text, m->size}, 1);
    keep_image(p, m);
}

struct pto_object *pto_assemble(struct pto *p, const char *name, const char *text, size_t size)
{
    return make(p, assemble, &(struct making){.name = name, .bytes = text, .size = size});
}

static void read_image(struct pto *p, void *args)
{
    struct making *m = args;
    open_result(p, m);
    buffer_append(&m->result->elf, m->bytes, m->size);
    view_image(p, m);
}

struct pto_object *pto_read(struct pto *p, const char *name, const void *elf, size_t size)
{
    return make(p, read_image, &(struct making){.name = name, .bytes = elf, .size = size});
}

static void link_objects(struct pto *p, void *args)
{
    struct making *m = args;
    open_result(p, m);
    m->inputs = mem_resize_array(&p->mem, NULL, m->count + 1, sizeof *m->inputs);
    for (size_t i = 0; i < m->count; i++) {
        const struct pto_object *o = m->objects[i];
        m->inputs[i] = (struct link_input){
            .kind = LINK_FILE, .name = o->object->name, .bytes = o->elf.data, .size = o->elf.size};
    }
    struct link_options options = {.entry = m->entry, .inputs = m->inputs, .ninputs = m->count};
    m->made = link_run(&p->mem, p->diag, &options);
    keep_image(p, m);
}

struct pto_object *pto_link(struct pto *p, const struct pto_object *const *objects, size_t count,
                            const char *entry)
{
    for (size_t i = 0; i < count; i++)
        if (!objects[i])
            return NULL;
    return make(
        p, link_objects,
        &(struct making){.name = "a.out", .objects = objects, .count = count, .entry = entry});
}

const void *pto_object_elf(const struct pto_object *o, size_t *size)
{
    *size = o->elf.size;
    return o->elf.data;
}

const void *pto_object_section(const struct pto_object *o, const char *name, uint64_t *address,
                               size_t *size)
{
    for (size_t i = 0; i < o->object->sections.count; i++) {
        const struct obj_section *s = &o->object->sections.item[i];
        if (s->data && strcmp(s->name, name) == 0) {
            *address = s->address;
            *size = (size_t)s->size;
            return s->data;
        }
    }
    return NULL;
}

bool pto_object_symbol(const struct pto_object *o, const char *name, uint64_t *value)
{
    const struct obj_symbol *found = NULL;
    for (size_t i = 0; i < o->object->symbols.count; i++) {
        const struct obj_symbol *s = &o->object->symbols.item[i];
        bool defined = s->section >= 0 || s->section == OBJ_ABS;
        if (defined && (!found || found->bind == OBJ_LOCAL) && s->type != OBJ_FILE &&
            s->type != OBJ_SECTION_SYMBOL && strcmp(s->name, name) == 0)
            found = s;
    }
    if (found)
        *value = found->value;
    return found;
}

void pto_object_destroy(struct pto_object *o)
{
    if (!o)
        return;
    obj_destroy(o->object);
    buffer_free(&o->elf);
    buffer_free(&o->name);
    mem_resize(&o->context->mem, o, 0);
}

/* ---- decoding ---- */

struct decoding {
    enum isa_set set;
    const uint8_t *code;
    size_t size;
    char *out;
    size_t capacity;
    enum pto_decode result;
    unsigned length;
    struct buffer text;
};

static struct isa_target target_of(const struct pto *p)
{
    return (struct isa_target){
        .pto = p->march ? p->march : (isa_revset)(1u << ISA_REV_0_58_3),
        .seq = p->mseq ? p->mseq : (isa_revset)(1u << ISA_GEN_CAYMAN),
    };
}

static enum isa_decode_status decode_word(const struct isa_target *target, struct decoding *d,
                                          struct isa_insn *insn, struct isa_why *why)
{
    if (d->set == ISA_SET_SEQ) {
        d->length = ISA_MAX_LENGTH;
        return isa_decode_seq(target, d->code, d->size, insn, why);
    }
    return isa_decode(target, d->code, d->size, insn, &d->length, why);
}

/* `.inst` takes the bytes back; the comment says what they mean or why they mean nothing. */
static void print_raw(struct decoding *d, enum isa_decode_status status,
                      const struct isa_insn *insn, const struct isa_why *why,
                      const struct isa_print_options *print)
{
    buffer_printf(&d->text, ".inst ");
    for (unsigned i = 0; i < d->length; i++)
        buffer_printf(&d->text, "%s0x%02x", i ? ", " : "", d->code[i]);
    buffer_printf(&d->text, " # ");
    if (status == ISA_DECODED)
        isa_print(insn, print, &d->text);
    else
        isa_explain(status, why, d->code, d->length, &d->text);
}

static void decode(struct pto *p, void *args)
{
    struct decoding *d = args;
    struct isa_print_options print = {.target = target_of(p)};
    struct isa_insn insn;
    struct isa_why why = {0};
    buffer_init(&d->text, &p->mem);
    enum isa_decode_status status = decode_word(&print.target, d, &insn, &why);
    if (status == ISA_TRUNCATED || d->length > d->size) {
        d->result = PTO_TRUNCATED;
    } else if (status == ISA_DECODED && isa_canonical(&print.target, &insn, d->code, 0)) {
        d->result = PTO_DECODED;
        isa_print(&insn, &print, &d->text);
    } else {
        d->result = PTO_RAW;
        print_raw(d, status, &insn, &why, &print);
    }
}

enum pto_decode pto_decode(struct pto *p, enum pto_set set, const void *code, size_t size,
                           size_t *length, char *text, size_t capacity)
{
    struct decoding d = {
        .set = set == PTO_SET_SEQ ? ISA_SET_SEQ : ISA_SET_PTO,
        .code = code,
        .size = size,
        .result = PTO_TRUNCATED,
    };
    attempt(p, decode, &d);
    *length = d.length;
    if (capacity > 0)
        snprintf(text, capacity, "%.*s", (int)d.text.size,
                 d.text.data ? (const char *)d.text.data : "");
    buffer_free(&d.text);
    return d.result;
}

/* ---- simulation ---- */

struct loading {
    const struct pto_object *program;
    const struct pto_sim_options *options;
    struct pto_sim *result;
};

static void load(struct pto *p, void *args)
{
    struct loading *l = args;
    struct pto_sim_options o = l->options ? *l->options : (struct pto_sim_options){0};
    struct sim_options options = {
        .profile = o.pto_v0 ? SIM_PROFILE_PTO_V0 : SIM_PROFILE_IEEE,
        .pto = p->march,
        .seq = p->mseq,
        .pes = o.pes,
        .max_insns = o.max_insns,
        .max_memory = o.max_memory,
        .strict = o.strict,
    };
    l->result = mem_resize(&p->mem, NULL, sizeof *l->result);
    *l->result = (struct pto_sim){.context = p};
    buffer_init(&l->result->text, &p->mem);
    l->result->scratch = arena_create(&p->mem);
    l->result->sim = sim_create(&p->mem, p->diag, &options, l->program->object);
}

struct pto_sim *pto_sim_create(struct pto *p, const struct pto_object *program,
                               const struct pto_sim_options *options)
{
    struct loading l = {.program = program, .options = options};
    if (!program)
        return NULL;
    if (attempt(p, load, &l) && l.result->sim)
        return l.result;
    pto_sim_destroy(l.result);
    return NULL;
}

/* One call on a machine. */
struct access {
    struct pto_sim *s;
    const char *name;
    uint64_t address, *value;
    const void *in;
    void *out;
    size_t size;
    enum sim_end end;
    bool good;
    const char *reason;
};

static void run(struct pto *p, void *args)
{
    (void)p;
    struct access *a = args;
    a->end = sim_run(a->s->sim);
}

enum pto_end pto_sim_run(struct pto_sim *s)
{
    static const enum pto_end ends[] = {
        [SIM_ENDED] = PTO_ENDED,
        [SIM_LIMIT] = PTO_LIMIT,
        [SIM_FAULT] = PTO_FAULT,
        [SIM_DEADLOCK] = PTO_DEADLOCK,
    };
    struct access a = {.s = s, .end = SIM_FAULT};
    return attempt(s->context, run, &a) ? ends[a.end] : PTO_LIMIT;
}

static void set_register(struct pto *p, void *args)
{
    (void)p;
    struct access *a = args;
    a->good = sim_set_register(a->s->sim, a->name, *a->value);
}

bool pto_sim_set_register(struct pto_sim *s, const char *name, uint64_t value)
{
    struct access a = {.s = s, .name = name, .value = &value};
    return attempt(s->context, set_register, &a) && a.good;
}

bool pto_sim_get_register(const struct pto_sim *s, const char *name, uint64_t *value)
{
    return sim_get_register(s->sim, name, value);
}

static void write_memory(struct pto *p, void *args)
{
    (void)p;
    struct access *a = args;
    a->good = sim_write_memory(a->s->sim, a->address, a->in, a->size);
}

bool pto_sim_write_memory(struct pto_sim *s, uint64_t address, const void *data, size_t size)
{
    struct access a = {.s = s, .address = address, .in = data, .size = size};
    return attempt(s->context, write_memory, &a) && a.good;
}

bool pto_sim_read_memory(const struct pto_sim *s, uint64_t address, void *data, size_t size)
{
    return sim_read_memory(s->sim, address, data, size);
}

static void load_tile(struct pto *p, void *args)
{
    (void)p;
    struct access *a = args;
    struct npy array;
    arena_reset(a->s->scratch);
    a->reason = npy_parse(a->s->scratch, a->in, a->size, &array);
    if (!a->reason)
        a->reason = sim_load_tile(a->s->sim, a->name, &array);
}

static const char out_of_memory[] = "memory is exhausted";

const char *pto_sim_load_tile(struct pto_sim *s, const char *name, const void *npy, size_t size)
{
    struct access a = {.s = s, .name = name, .in = npy, .size = size};
    return attempt(s->context, load_tile, &a) ? a.reason : out_of_memory;
}

static void dump_tile(struct pto *p, void *args)
{
    (void)p;
    struct access *a = args;
    struct npy array;
    arena_reset(a->s->scratch);
    a->s->text.size = 0;
    a->reason = sim_dump_tile(a->s->sim, a->name, a->s->scratch, &array);
    if (!a->reason)
        npy_write(&a->s->text, &array);
}

const char *pto_sim_dump_tile(struct pto_sim *s, const char *name, const void **npy, size_t *size)
{
    struct access a = {.s = s, .name = name};
    if (!attempt(s->context, dump_tile, &a))
        return out_of_memory;
    *npy = s->text.data;
    *size = s->text.size;
    return a.reason;
}

static void report(struct pto *p, void *args)
{
    (void)p;
    struct access *a = args;
    sim_report(a->s->sim, &a->s->text);
    buffer_append(&a->s->text, "", 1);
}

static void state(struct pto *p, void *args)
{
    (void)p;
    struct access *a = args;
    sim_state_json(a->s->sim, &a->s->text);
    buffer_append(&a->s->text, "", 1);
}

static const char *text_of(struct pto_sim *s, void (*job)(struct pto *p, void *args))
{
    s->text.size = 0;
    return attempt(s->context, job, &(struct access){.s = s}) ? (const char *)s->text.data : NULL;
}

const char *pto_sim_report(struct pto_sim *s)
{
    return text_of(s, report);
}

const char *pto_sim_state(struct pto_sim *s)
{
    return text_of(s, state);
}

void pto_sim_destroy(struct pto_sim *s)
{
    if (!s)
        return;
    sim_destroy(s->sim);
    arena_destroy(s->scratch);
    buffer_free(&s->text);
    mem_resize(&s->context->mem, s, 0);
}
