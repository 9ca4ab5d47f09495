/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The conformance runner (docs/conformance.md): one JSON vector a line, always
 * revision 0.58.3 and profile pto-v0, a fresh machine each. Vectors with
 * placeholder arithmetic are skipped.
 */
#include "sim/vector.h"

struct tally {
    unsigned long passed, failed, skipped;
};

static struct sim_options vector_options(void)
{
    return (struct sim_options){
        .profile = SIM_PROFILE_PTO_V0,
        .pto = 1u << ISA_REV_0_58_3,
        .pes = SIM_PES,
        .strict = true,
    };
}

/* NULL: as expected. */
static const char *run_vector(struct mem *m, struct diag *d, const json_t *json, struct arena *a)
{
    struct sim_options options = vector_options();
    struct sim *s = machine_create(m, d, &options);
    s->conformance = true;
    struct vector v = {
        .input = json_object_get(json, "input"),
        .expect = json_object_get(json, "expect"),
        .sim = s,
        .arena = a,
    };
    const char *problem = vector_load(&v);
    if (!problem) {
        vector_run(&v);
        problem = vector_compare(&v);
    }
    sim_destroy(s);
    return problem;
}

/* False: the line is no vector. */
static bool run_line(struct mem *m, struct diag *d, const char *line, size_t size,
                     struct arena *scratch, struct tally *tally, FILE *out)
{
    json_t *json = json_loadb(line, size, 0, NULL);
    const char *id = json_string_value(json_object_get(json, "id"));
    bool is_vector = id && json_is_object(json_object_get(json, "input")) &&
                     json_is_object(json_object_get(json, "expect"));
    if (is_vector && json_is_true(json_object_get(json, "profile-only"))) {
        tally->skipped++;
    } else if (is_vector) {
        const char *problem = run_vector(m, d, json, scratch);
        if (problem)
            fprintf(out, "%s: %s\n", id, problem);
        tally->failed += problem != NULL;
        tally->passed += problem == NULL;
    }
    json_decref(json);
    return is_vector;
}

long sim_conformance(struct mem *m, struct diag *d, const char *name, const char *text, size_t size,
                     FILE *out)
{
    struct tally tally = {0};
    struct arena *scratch = arena_create(m);
    unsigned long number = 0;
    bool good = true;
    for (const char *line = text, *end = text + size; good && line < end;) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        size_t length = (size_t)((next ? next : end) - line);
        number++;
        if (length)
            good = run_line(m, d, line, length, scratch, &tally, out);
        arena_reset(scratch);
        line += length + 1;
    }
    arena_destroy(scratch);
    if (!good) {
        diag_report_file(d, DIAG_SIM_BAD_VECTOR, name, "line %lu is not a conformance vector",
                         number);
        return -1;
    }
    fprintf(out, "%lu passed, %lu failed, %lu skipped\n", tally.passed, tally.failed,
            tally.skipped);
    return (long)tally.failed;
}
