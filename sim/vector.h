/* SPDX-License-Identifier: BSD-3-Clause */
/* One conformance vector: into a machine, and out again (golden vectors README 3 to 6). */
#ifndef PTO_SIM_VECTOR_H
#define PTO_SIM_VECTOR_H

#include "sim/run.h"

enum { VECTOR_MEMORY = 4096 };

struct vector {
    const json_t *input, *expect;
    struct sim *sim;
    struct pe *pe; /* the one that executes */
    struct arena *arena;
    uint8_t *code;
    size_t code_size;
    uint64_t base, max_steps, steps;
    bool stop_on_fault;
    bool control_only;   /* values of floating-point results are placeholders: not compared */
    const char *end;     /* "halt", "fault", "step_limit", "fetch_fault" */
    struct fault fault;  /* of the last instruction; FAULT_NONE: it did not */
    uint8_t *memory;     /* VECTOR_MEMORY bytes as they were at the start */
    const char *problem; /* the first difference, in the arena */
};

/* NULL, or why the vector cannot be set up. */
const char *vector_load(struct vector *v);
void vector_run(struct vector *v);
/* NULL, or the first difference. */
const char *vector_compare(struct vector *v);

#endif
