/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How fast the library is, through its public header: lines a second of the
 * assembler, relocations a second of the linker for growing programs, bytes a second of the
 * decoder, instructions a second of the simulator. Assembler, decoder and simulator repeat their
 * work for at least a second. Relaxation is measured by the time that each of 10,000 to 1,000,000
 * branches takes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "pto.h"

static void show(void *ctx, const struct pto_message *m)
{
    (void)ctx;
    fprintf(stderr, "%s:%u: %s\n", m->file, m->line, m->text);
}

static double clock_seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double now(void)
{
    return clock_seconds(CLOCK_MONOTONIC);
}

/* For ratios, which other programs on the machine must not change. */
static double cpu_now(void)
{
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

static void print_rate(const char *what, double amount, double seconds, const char *unit)
{
    printf("%-12s %10.2f million %s/s\n", what, amount / seconds * 1e-6, unit);
}

static const char kernel[] = "kernel%d:\n"
                             "        addi    a0, 16, ->a1            # a comment\n"
                             "        add     a1, a2.sw<<2, ->t\n"
                             "        lwi     [t#1, 8], ->a3\n"
                             "        BSTART.TADD FP32\n"
                             "        B.DIM   zero, 32, ->LB0\n"
                             "        B.IOT   T#1, T#2, mask=1111, last, ->T<4>\n"
                             "        BSTOP\n"
                             "        BSTART.STD DIRECT, kernel%d\n"
                             "        BSTOP\n";
enum { KERNEL_LINES = 10, KERNELS = 20000 };

static char *make_source(size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (!out)
        return NULL;
    for (int i = 0; i < KERNELS; i++)
        fprintf(out, kernel, i, i ? i - 1 : 0);
    fclose(out);
    return text;
}

static bool measure_assembler(struct pto *p)
{
    size_t size;
    char *text = make_source(&size);
    double start = now(), seconds;
    double lines = 0;
    bool good = text != NULL;
    do {
        struct pto_object *o = good ? pto_assemble(p, "bench.pto", text, size) : NULL;
        good = o != NULL;
        pto_object_destroy(o);
        lines += KERNELS * KERNEL_LINES;
        seconds = now() - start;
    } while (good && seconds < 1);
    if (good)
        print_rate("assembler", lines, seconds, "lines");
    free(text);
    return good;
}

/* Branches of every reach, each over a random number of others: about a third of them grows. */
static char *make_branches(size_t count, size_t *size)
{
    unsigned long long state = 88172645463325252ull;
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (!out)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        size_t span = (size_t)1 << (state >> 33 & 15);
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        size_t target = state >> 63 ? i + span : i - span;
        fprintf(out, "l%zu: C.BSTART COND, l%zu\n", i, target < count ? target : i);
    }
    fputs("BSTOP\n", out);
    fclose(out);
    return text;
}

/* A chain: each branch just reaches over the next one, so that the growth of the last passes on. */
static char *make_chain(size_t count, size_t *size)
{
    enum { SPAN = 2047 };
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (!out)
        return NULL;
    for (size_t i = 0; i < count; i++)
        fprintf(out, "l%zu: C.BSTART COND, l%zu\n", i, i + SPAN < count ? i + SPAN : count);
    fprintf(out, "addi zero, 0, ->zero\nl%zu: BSTOP\n", count);
    fclose(out);
    return text;
}

static double assemble_once(struct pto *p, char *(*make)(size_t count, size_t *size), size_t count)
{
    size_t size;
    char *text = make(count, &size);
    double start = cpu_now();
    struct pto_object *o = text ? pto_assemble(p, "branches.pto", text, size) : NULL;
    double seconds = o ? cpu_now() - start : -1;
    pto_object_destroy(o);
    free(text);
    return seconds;
}

/* The time a branch takes must not grow with their number. */
static bool measure_relaxation(struct pto *p, const char *what,
                               char *(*make)(size_t count, size_t *size))
{
    double first = 0;
    for (size_t count = 10000; count <= 1000000; count *= 10) {
        double seconds = assemble_once(p, make, count);
        if (seconds < 0)
            return false;
        if (!first)
            first = seconds / (double)count;
        printf("%-12s %8zu branches %7.3f s, %5.0f ns each, ratio %.2f\n", what, count, seconds,
               seconds / (double)count * 1e9, seconds / (double)count / first);
    }
    return true;
}

/* Words that are mostly legal and differ: 16-, 32- and 48-bit scalar forms with random operands. */
static void fill_code(unsigned char *code, size_t size)
{
    unsigned long long state = 88172645463325252ull;
    for (size_t i = 0; i < size; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        code[i] = (unsigned char)(state >> 24);
    }
}

static bool measure_decoder(struct pto *p)
{
    enum { CODE_SIZE = 1 << 20 };
    unsigned char *code = malloc(CODE_SIZE);
    if (!code)
        return false;
    fill_code(code, CODE_SIZE);
    double start = now(), seconds, bytes = 0;
    do {
        for (size_t at = 0, length; at < CODE_SIZE; at += length) {
            char text[256];
            if (pto_decode(p, PTO_SET_PTO, code + at, CODE_SIZE - at, &length, text, sizeof text) ==
                PTO_TRUNCATED)
                length = CODE_SIZE - at;
        }
        bytes += CODE_SIZE;
        seconds = now() - start;
    } while (seconds < 1);
    print_rate("decoder", bytes, seconds, "bytes");
    free(code);
    return true;
}

static const char loop[] = "_start: addi zero, 0, ->a0\n"
                           "        hl.lis 20000000, ->a1\n"
                           "loop:   BSTART.STD COND, loop\n"
                           "        addi a0, 1, ->a0\n"
                           "        xor a2, a0, ->a2\n"
                           "        slli a2, 1, ->a3\n"
                           "        add a3, a0, ->a2\n"
                           "        setc.lt a0, a1\n"
                           "        BSTOP\n"
                           "        BSTART.STD RET\n"
                           "        BSTOP\n";
enum { LOOP_INSNS = 7, TURNS = 20000000 };

static bool measure_simulator(struct pto *p)
{
    struct pto_object *o = pto_assemble(p, "loop.pto", loop, strlen(loop));
    struct pto_object *program = o ? pto_link(p, (const struct pto_object *[]){o}, 1, NULL) : NULL;
    struct pto_sim_options options = {.pes = 1};
    struct pto_sim *s = program ? pto_sim_create(p, program, &options) : NULL;
    double start = now();
    bool good = s && pto_sim_run(s) == PTO_ENDED;
    if (good)
        print_rate("simulator", (double)LOOP_INSNS * TURNS, now() - start, "instructions");
    else if (s)
        fprintf(stderr, "%s\n", pto_sim_report(s));
    pto_sim_destroy(s);
    pto_object_destroy(program);
    pto_object_destroy(o);
    return good;
}

enum { RELOCS = 1000, MOST_OBJECTS = 1000, GLOBALS_EVERY = 4 };

/* One of `count` objects: words that point into all others, every fourth with a name. */
static struct pto_object *make_input(struct pto *p, int number, int count)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    if (number == 0)
        fprintf(out, "        .globl _start\n_start: BSTART.STD RET\n        BSTOP\n");
    fprintf(out, "        .data\n");
    for (int i = 0; i < RELOCS; i++) {
        if (i % GLOBALS_EVERY == 0)
            fprintf(out, "        .globl d%d_%d\nd%d_%d:\n", number, i, number, i);
        fprintf(out, "        .8byte d%d_%d\n", (number * 7 + i) % count,
                i * 13 % RELOCS / GLOBALS_EVERY * GLOBALS_EVERY);
    }
    fclose(out);
    struct pto_object *o = pto_assemble(p, "bench.pto", text, size);
    free(text);
    return o;
}

static bool measure_link(struct pto *p, int count)
{
    static struct pto_object *objects[MOST_OBJECTS];
    bool good = true;
    for (int i = 0; i < count; i++)
        good &= (objects[i] = make_input(p, i, count)) != NULL;
    double start = cpu_now();
    struct pto_object *program =
        good ? pto_link(p, (const struct pto_object *const *)objects, (size_t)count, NULL) : NULL;
    if (program) {
        double seconds = cpu_now() - start;
        printf("linker       %10.2f million relocations/s, %d objects in %.3f s\n",
               (double)count * RELOCS / seconds * 1e-6, count, seconds);
    }
    pto_object_destroy(program);
    for (int i = 0; i < count; i++)
        pto_object_destroy(objects[i]);
    return program != NULL;
}

/* The time is to grow as the program does. */
static bool measure_linker(struct pto *p)
{
    bool good = true;
    for (int count = MOST_OBJECTS / 8; count <= MOST_OBJECTS; count *= 2)
        good &= measure_link(p, count);
    return good;
}

int main(void)
{
    struct pto *p = pto_create(&(struct pto_options){.message = show});
    if (!p)
        return EXIT_FAILURE;
    bool good = measure_assembler(p);
    good &= measure_relaxation(p, "relaxation", make_branches);
    good &= measure_relaxation(p, "chain", make_chain);
    good &= measure_linker(p);
    good &= measure_decoder(p);
    good &= measure_simulator(p);
    pto_destroy(p);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
