/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libpto in a program of your own: assembles a loop that adds 1 to 100, shows its instructions,
 * runs it and reads the result. Then a mistake, to show how messages arrive.
 *
 *   cc embed.c $(pkg-config --cflags --libs libpto) -o embed && ./embed
 */
#include <pto.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 100 };

static const char sum[] = "        .globl  _start\n"
                          "_start: addi    zero, 0, ->a0\n"
                          "        addi    zero, 100, ->a1\n"
                          "next:   BSTART.STD COND, next\n"
                          "        add     a0, a1, ->a0\n"
                          "        subi    a1, 1, ->a1\n"
                          "        setc.nei a1, 0\n"
                          "        BSTOP\n"
                          "        BSTART.STD RET\n"
                          "        BSTOP\n";

static void show_message(void *ctx, const struct pto_message *m)
{
    static const char *const severities[] = {"note", "warning", "error"};
    (void)ctx;
    printf("%s:%u:%u: %s: %s [%s]\n", m->file, m->line, m->column, severities[m->severity], m->text,
           m->code);
}

/* Instructions from memory, as a disassembler shows them. */
static void show_code(struct pto *p, const unsigned char *code, size_t size)
{
    char text[TEXT];
    size_t length;
    for (size_t at = 0; at < size; at += length) {
        enum pto_decode result =
            pto_decode(p, PTO_SET_PTO, code + at, size - at, &length, text, sizeof text);
        printf("%2zu: %s\n", at, result == PTO_TRUNCATED ? "cut off" : text);
    }
}

static int run(struct pto *p)
{
    int status = 1;
    uint64_t result = 0;
    struct pto_object *object = pto_assemble(p, "sum.pto", sum, strlen(sum));
    struct pto_object *program =
        object ? pto_link(p, (const struct pto_object *[]){object}, 1, NULL) : NULL;
    struct pto_sim *machine = pto_sim_create(p, program, &(struct pto_sim_options){.pes = 1});
    if (machine && pto_sim_run(machine) == PTO_ENDED &&
        pto_sim_get_register(machine, "a0", &result)) {
        printf("1 + 2 + ... + 100 = %" PRIu64 "\n", result);
        status = 0;
    }
    pto_sim_destroy(machine);
    pto_object_destroy(program);
    pto_object_destroy(object);
    return status;
}

int main(void)
{
    /* addi a0, 1, ->a0 and C.BSTOP */
    static const unsigned char words[] = {0x15, 0x01, 0x11, 0x00, 0x00, 0x00};
    static const char wrong[] = "        addi    a0, 70000, ->a0\n";
    struct pto *p = pto_create(&(struct pto_options){.message = show_message});
    if (!p)
        return 1;
    show_code(p, words, sizeof words);
    int status = run(p);
    pto_object_destroy(pto_assemble(p, "wrong.pto", wrong, strlen(wrong)));
    pto_destroy(p);
    return status;
}
