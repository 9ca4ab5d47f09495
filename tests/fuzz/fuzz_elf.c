/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Object files, archives and executables of unknown origin, as every program reads them: pto-ld (as
 * input and as archive, with section collection and with -r), pto-objdump with all it can show,
 * and the loader of pto-sim, which then runs a bounded number of instructions. Promises: a result
 * or an error, and all memory is freed.
 */
#include "link/link.h"
#include "objdump/objdump.h"
#include "sim/sim.h"
#include "tests/fuzz/fuzz.h"

enum { MEMORY_LIMIT = 192 << 20, MOST_INSNS = 5000, GUEST_MEMORY = 16 << 20 };

/* A step over the input. What it makes is here, so that it is released also when memory ran out. */
struct step {
    struct mem *mem;
    struct diag *diag;
    const uint8_t *bytes;
    size_t size;
    bool gc, relocatable;
    struct object *object, *linked;
    struct obj_archive *archive;
    struct sim *sim;
    struct buffer text;
};

static void show(struct step *s, const struct object *o)
{
    struct objdump_options options = {.file_header = true,
                                      .section_headers = true,
                                      .symbols = true,
                                      .relocs = true,
                                      .contents = true,
                                      .disassemble = true,
                                      .lines = true,
                                      .stop = UINT64_MAX};
    objdump_object(s->mem, &options, o, &s->text);
    s->text.size = 0;
    options = (struct objdump_options){.disassemble = true, .source = true, .stop = UINT64_MAX};
    objdump_object(s->mem, &options, o, &s->text);
}

static void read_object(void *ctx)
{
    struct step *s = ctx;
    s->object = obj_read_elf(s->mem, s->diag, "fuzz.o", s->bytes, s->size);
    if (s->object)
        show(s, s->object);
}

static void read_archive(void *ctx)
{
    struct step *s = ctx;
    s->archive = obj_archive_open(s->mem, s->diag, "fuzz.a", s->bytes, s->size);
    if (!s->archive)
        return;
    (void)obj_archive_find(s->archive, "_start");
    for (size_t i = 0; i < obj_archive_count(s->archive); i++) {
        struct object *member = obj_archive_member(s->archive, i);
        if (member)
            show(s, member);
    }
}

static void link_input(void *ctx)
{
    struct step *s = ctx;
    const struct link_input inputs[] = {
        {.kind = LINK_WHOLE_BEGIN, .name = ""},
        {.kind = LINK_FILE, .name = "fuzz.o", .bytes = s->bytes, .size = s->size},
        {.kind = LINK_WHOLE_END, .name = ""},
    };
    struct link_options options = {.inputs = inputs,
                                   .ninputs = 3,
                                   .gc_sections = s->gc,
                                   .relocatable = s->relocatable,
                                   .build_id = true,
                                   .map = &s->text};
    s->linked = link_run(s->mem, s->diag, &options);
    s->text.size = 0;
    if (s->linked)
        obj_write_elf(s->linked, true, &s->text);
}

static void simulate(void *ctx)
{
    struct step *s = ctx;
    struct sim_options options = {.max_insns = MOST_INSNS, .max_memory = GUEST_MEMORY};
    s->object = obj_read_elf(s->mem, s->diag, "fuzz", s->bytes, s->size);
    if (!s->object || s->object->kind != OBJ_EXECUTABLE)
        return;
    s->sim = sim_create(s->mem, s->diag, &options, s->object);
    if (!s->sim)
        return;
    sim_run(s->sim);
    sim_report(s->sim, &s->text);
    sim_state_json(s->sim, &s->text);
}

static void count_error(void *ctx, const struct diag_record *r)
{
    unsigned *errors = ctx;
    *errors += r->severity == DIAG_ERROR;
}

/* One step with memory and messages of its own. */
static void run_step(const uint8_t *data, size_t size, void (*job)(void *ctx), bool gc,
                     bool relocatable)
{
    struct budget budget;
    unsigned errors = 0;
    budget_init(&budget, MEMORY_LIMIT);
    struct diag *diag = budget_diag(&budget, count_error, &errors);
    struct step s = {.mem = &budget.mem,
                     .diag = diag,
                     .bytes = data,
                     .size = size,
                     .gc = gc,
                     .relocatable = relocatable};
    buffer_init(&s.text, &budget.mem);
    budget_run(&budget, job, &s);
    sim_destroy(s.sim);
    obj_archive_close(s.archive);
    obj_destroy(s.object);
    obj_destroy(s.linked);
    buffer_free(&s.text);
    diag_destroy(diag);
    budget_check(&budget);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (obj_is_archive(data, size))
        run_step(data, size, read_archive, false, false);
    else
        run_step(data, size, read_object, false, false);
    run_step(data, size, link_input, false, false);
    run_step(data, size, link_input, true, false);
    run_step(data, size, link_input, false, true);
    run_step(data, size, simulate, false, false);
    return 0;
}
