/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many million instructions a second the simulator executes of scalar
 * code: an integer loop, memory loops, calls. Each program runs on one PE, from
 * memory, through the public header, long enough for start-up not to count.
 * Seconds are those of the processor, so that a busy machine measures alike.
 *
 *     bench/sim-scalar [NAME...]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "pto.h"

struct program {
    const char *name, *what, *source;
};

#define LA(reg, symbol)                                                                            \
    "        addtpc  %tpcrel_hi(" symbol "), ->" reg "\n"                                          \
    "        addi    " reg ", %tpcrel_lo(" symbol "), ->" reg "\n"

static const struct program programs[] = {
    {"integer", "adds, shifts and xors in one block",
     "_start: hl.liu 20000000, ->a1\n"
     "loop:   BSTART.STD COND, loop\n"
     "        addi a0, 1, ->a0\n"
     "        xor a2, a0, ->a2\n"
     "        slli a2, 1, ->a3\n"
     "        add a3, a0, ->a2\n"
     "        setc.lt a0, a1\n"
     "        BSTOP\n"
     "        BSTART.STD RET\n"
     "        BSTOP\n"},
    {"collatz", "multiply, shift, select by a condition, two blocks a step",
     "_start: hl.liu 300000, ->a1\n"
     "        addi zero, 2, ->a0\n"
     "start:  add a0, zero, ->a2\n"
     "step:   BSTART.STD COND, step\n"
     "        andi a2, 1, ->a3\n"
     "        srli a2, 1, ->a4\n"
     "        add a2, a2<<1, ->a5\n"
     "        addi a5, 1, ->a5\n"
     "        csel a3, a5, a4, ->a2\n"
     "        setc.nei a2, 1\n"
     "        BSTOP\n"
     "        BSTART.STD COND, start\n"
     "        addi a0, 1, ->a0\n"
     "        setc.lt a0, a1\n"
     "        BSTOP\n"
     "        BSTART.STD RET\n"
     "        BSTOP\n"},
    {"memory", "the sum of two arrays goes to a third, all in one page",
     "_start: hl.liu 200000, ->s0\n" LA("a0", "data") "        addi a0, 1024, ->a1\n"
                                                      "        addi a1, 1024, ->a2\n"
                                                      "again:  addi zero, 0, ->a3\n"
                                                      "loop:   BSTART.STD COND, loop\n"
                                                      "        ld [a0, a3<<3], ->a4\n"
                                                      "        ld [a1, a3<<3], ->a5\n"
                                                      "        add a4, a5, ->a4\n"
                                                      "        sd a4, [a2, a3<<3]\n"
                                                      "        addi a3, 1, ->a3\n"
                                                      "        setc.lti a3, 100\n"
                                                      "        BSTOP\n"
                                                      "        subi s0, 1, ->s0\n"
                                                      "        BSTART.STD COND, again\n"
                                                      "        setc.ne s0, zero\n"
                                                      "        BSTOP\n"
                                                      "        BSTART.STD RET\n"
                                                      "        BSTOP\n"
                                                      "        .bss\n"
                                                      "        .balign 4096\n"
                                                      "data:   .zero 4096\n"},
    {"streams", "the same with three arrays 1 MiB apart",
     "_start: hl.liu 200, ->s0\n" LA("a0", "data") "        hl.liu 0x100000, ->a6\n"
                                                   "        add a0, a6, ->a1\n"
                                                   "        add a1, a6, ->a2\n"
                                                   "        hl.liu 100000, ->a7\n"
                                                   "again:  addi zero, 0, ->a3\n"
                                                   "loop:   BSTART.STD COND, loop\n"
                                                   "        ld [a0, a3<<3], ->a4\n"
                                                   "        ld [a1, a3<<3], ->a5\n"
                                                   "        add a4, a5, ->a4\n"
                                                   "        sd a4, [a2, a3<<3]\n"
                                                   "        addi a3, 1, ->a3\n"
                                                   "        setc.lt a3, a7\n"
                                                   "        BSTOP\n"
                                                   "        subi s0, 1, ->s0\n"
                                                   "        BSTART.STD COND, again\n"
                                                   "        setc.ne s0, zero\n"
                                                   "        BSTOP\n"
                                                   "        BSTART.STD RET\n"
                                                   "        BSTOP\n"
                                                   "        .bss\n"
                                                   "        .balign 4096\n"
                                                   "data:   .zero 0x300000\n"},
    {"calls", "Fibonacci by recursion, frames on the stack",
     "_start: fentry [ra ~ ra], sp!, 16\n"
     "        addi zero, 31, ->a0\n"
     "        BSTART.CALL fib, back, ->ra\n"
     "        BSTOP\n"
     "back:   fret.stk [ra ~ ra], sp!, 16\n"
     "fib:    BSTART.STD COND, leaf\n"
     "        setc.lti a0, 2\n"
     "        BSTOP\n"
     "        fentry [ra ~ s1], sp!, 32\n"
     "        add a0, zero, ->s0\n"
     "        subi s0, 1, ->a0\n"
     "        BSTART.CALL fib, first, ->ra\n"
     "        BSTOP\n"
     "first:  add a0, zero, ->s1\n"
     "        subi s0, 2, ->a0\n"
     "        BSTART.CALL fib, second, ->ra\n"
     "        BSTOP\n"
     "second: add a0, s1, ->a0\n"
     "        fret.stk [ra ~ s1], sp!, 32\n"
     "leaf:   BSTART.STD RET\n"
     "        BSTOP\n"},
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

static void show(void *ctx, const struct pto_message *m)
{
    (void)ctx;
    fprintf(stderr, "%s:%u: %s\n", m->file, m->line, m->text);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The state's second member. */
static double executed(struct pto_sim *s)
{
    const char *count = strstr(pto_sim_state(s), "\"instructions\": ");
    return count ? strtod(count + strlen("\"instructions\": "), NULL) : 0;
}

static bool measure(struct pto *p, const struct program *program)
{
    const char *source = program->source;
    struct pto_object *o = pto_assemble(p, program->name, source, strlen(source));
    struct pto_object *image = o ? pto_link(p, (const struct pto_object *[]){o}, 1, NULL) : NULL;
    struct pto_sim_options options = {.pes = 1};
    struct pto_sim *s = image ? pto_sim_create(p, image, &options) : NULL;
    double start = now();
    bool good = s && pto_sim_run(s) == PTO_ENDED;
    double seconds = now() - start;
    if (good)
        printf("%-9s %8.1f million instructions/s  %s\n", program->name,
               executed(s) / seconds * 1e-6, program->what);
    else if (s)
        fprintf(stderr, "%s\n", pto_sim_report(s));
    pto_sim_destroy(s);
    pto_object_destroy(image);
    pto_object_destroy(o);
    return good;
}

static bool chosen(const struct program *program, int argc, char **argv)
{
    bool found = argc == 1;
    for (int i = 1; i < argc; i++)
        found |= !strcmp(argv[i], program->name);
    return found;
}

int main(int argc, char **argv)
{
    struct pto *p = pto_create(&(struct pto_options){.message = show});
    bool good = p != NULL;
    for (size_t i = 0; good && i < PROGRAMS; i++)
        good = !chosen(&programs[i], argc, argv) || measure(p, &programs[i]);
    pto_destroy(p);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
