/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The conformance runner (docs/conformance.md): one JSON vector a line, always
 * revision 0.58.3 and profile pto-v0, a fresh machine each. Of vectors with
 * placeholder arithmetic everything but the results is compared; they count as
 * skipped when that is right.
 */
#include "sim/vector.h"

static struct sim_options vector_options(void)
{
    return (struct sim_options){
        .profile = SIM_PROFILE_PTO_V0,
        .pto = 1u << ISA_REV_0_58_3,
        .pes = SIM_PES,
        .strict = true,
    };
}

struct conformance {
    struct mem *mem;
    struct diag *diag;
    const char *text;
    size_t size;
    FILE *out;
    struct arena *scratch; /* of one vector */
    struct sim *sim;       /* of one vector */
    json_t *json;          /* of one vector */
    unsigned long line, passed, failed, skipped;
    bool bad; /* `line` is no vector */
};

static void release_vector(struct conformance *c)
{
    sim_destroy(c->sim);
    json_decref(c->json);
    c->sim = NULL;
    c->json = NULL;
    if (c->scratch)
        arena_reset(c->scratch);
}

static bool is_profile_only(const struct conformance *c)
{
    return json_is_true(json_object_get(c->json, "profile-only"));
}

/* NULL: as expected. */
static const char *run_vector(struct conformance *c)
{
    struct sim_options options = vector_options();
    c->sim = machine_create(c->mem, c->diag, &options);
    c->sim->conformance = true;
    struct vector v = {
        .input = json_object_get(c->json, "input"),
        .expect = json_object_get(c->json, "expect"),
        .sim = c->sim,
        .arena = c->scratch,
        .control_only = is_profile_only(c),
    };
    const char *problem = vector_load(&v);
    if (problem)
        return problem;
    vector_run(&v);
    return vector_compare(&v);
}

static void count_vector(struct conformance *c, const char *id)
{
    const char *problem = run_vector(c);
    if (problem)
        fprintf(c->out, "%s: %s\n", id, problem);
    *(problem ? &c->failed : is_profile_only(c) ? &c->skipped : &c->passed) += 1;
}

static void run_line(struct conformance *c, const char *line, size_t size)
{
    c->json = json_loadb(line, size, 0, NULL);
    const char *id = json_string_value(json_object_get(c->json, "id"));
    c->bad = !id || !json_is_object(json_object_get(c->json, "input")) ||
             !json_is_object(json_object_get(c->json, "expect"));
    if (!c->bad)
        count_vector(c, id);
    release_vector(c);
}

static void run_lines(void *ctx)
{
    struct conformance *c = ctx;
    c->scratch = arena_create(c->mem);
    for (const char *line = c->text, *end = c->text + c->size; !c->bad && line < end;) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        size_t length = (size_t)((next ? next : end) - line);
        c->line++;
        if (length)
            run_line(c, line, length);
        line += length + 1;
    }
}

long sim_conformance(struct mem *m, struct diag *d, const char *name, const char *text, size_t size,
                     FILE *out)
{
    struct conformance c = {.mem = m, .diag = d, .text = text, .size = size, .out = out};
    bool done = mem_attempt(m, run_lines, &c);
    release_vector(&c);
    arena_destroy(c.scratch);
    if (!done)
        mem_give_up(m);
    if (c.bad) {
        diag_report_file(d, DIAG_SIM_BAD_VECTOR, name, "line %lu is not a conformance vector",
                         c.line);
        return -1;
    }
    fprintf(out, "%lu passed, %lu failed, %lu skipped\n", c.passed, c.failed, c.skipped);
    return (long)c.failed;
}
