/* SPDX-License-Identifier: BSD-3-Clause */
/* pto-lsp: the language server over standard input and output. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "lsp/lsp.h"
#include "support/option.h"

enum status { STATUS_OK, STATUS_FAILED, STATUS_USAGE };

struct command {
    struct mem *mem;
    struct lsp_options options;
    VEC(const char *) include_dirs;
    bool help, version, stdio;
    char error[160];
};

static void wrong(struct command *c, const char *fmt, const char *text)
{
    if (!c->error[0])
        snprintf(c->error, sizeof c->error, fmt, text);
}

static void run_include(void *ctx, const char *argument)
{
    struct command *c = ctx;
    *vec_push(c->mem, &c->include_dirs) = argument;
}

static isa_revset revision(struct command *c, const char *name, enum isa_set set)
{
    const struct isa_revision *r = isa_find_revision(name, strlen(name));
    if (r && r->set == set)
        return r->bit;
    wrong(c, set == ISA_SET_PTO ? "unknown revision '%.40s'" : "unknown SEQ generation '%.40s'",
          name);
    return 0;
}

static void run_march(void *ctx, const char *argument)
{
    struct command *c = ctx;
    c->options.march = revision(c, argument, ISA_SET_PTO);
}

static void run_mseq(void *ctx, const char *argument)
{
    struct command *c = ctx;
    c->options.mseq = revision(c, argument, ISA_SET_SEQ);
}

static void run_target(void *ctx, const char *argument)
{
    struct command *c = ctx;
    c->options.target = asm_find_target(argument);
    if (!c->options.target)
        wrong(c, "unknown target '%.40s' (a3 or a5)", argument);
}

static void run_operand(void *ctx, const char *word)
{
    wrong(ctx, "pto-lsp takes no files, but '%.80s'", word);
}

static const struct option_row rows[] = {
    {"-I", OPTION_REQUIRED, "DIR", "look for .include and .incbin files in DIR too", run_include,
     0},
    {"-march", OPTION_REQUIRED, "NAME", "PTO revision: pto0.58.2, pto0.58.3 (default), pto0.58.5",
     run_march, 0},
    {"-mseq", OPTION_REQUIRED, "NAME", "SEQ generation: sunda, cayman (default), mariana, maverick",
     run_mseq, 0},
    {"--target", OPTION_REQUIRED, "a3|a5", "legality rules of PTO-AS", run_target, 0},
    {"--stdio", OPTION_NONE, NULL, "talk over standard input and output, as always", NULL,
     offsetof(struct command, stdio)},
    {"--help", OPTION_NONE, NULL, "print this text", NULL, offsetof(struct command, help)},
    {"--version", OPTION_NONE, NULL, "print the version", NULL, offsetof(struct command, version)},
};

static const struct option_table table = {
    .head = "Usage: pto-lsp [OPTION]...\n"
            "Language server (LSP 3.17) for PTO, SEQ and PTO-AS sources.\n",
    .tail =
        "Exit status: 0 after shutdown and exit, 1 when the client went without, 2 wrong usage.\n",
    .rows = rows,
    .count = sizeof rows / sizeof *rows,
    .operand = run_operand,
};

/* False: the client is gone. */
static bool send_all(struct buffer *out)
{
    for (size_t done = 0; done < out->size;) {
        ssize_t n = write(STDOUT_FILENO, out->data + done, out->size - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    out->size = 0;
    return true;
}

static bool input_waits(void)
{
    struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&p, 1, 0) > 0;
}

/* Bytes read; 0: none will come. */
static size_t receive(char *bytes, size_t size)
{
    ssize_t n;
    do
        n = read(STDIN_FILENO, bytes, size);
    while (n < 0 && errno == EINTR);
    return n > 0 ? (size_t)n : 0;
}

static int serve(struct lsp *s, struct buffer *out)
{
    static const size_t room = 1 << 16;
    int status;
    char *bytes = mem_resize(out->mem, NULL, room);
    for (bool more = true;;) {
        while (lsp_step(s, out) && send_all(out))
            while (more && !lsp_ended(s, &status) && input_waits()) {
                size_t size = receive(bytes, room);
                more = size > 0;
                if (!lsp_feed(s, bytes, size))
                    more = false;
            }
        if (lsp_ended(s, &status))
            break;
        if (!more || !input_waits())
            lsp_idle(s, out);
        status = STATUS_FAILED;
        if (!send_all(out))
            break;
        status = lsp_end_of_input(s);
        if (!more)
            break;
        size_t size = receive(bytes, room);
        more = size > 0;
        if (size && !lsp_feed(s, bytes, size)) {
            status = STATUS_FAILED;
            break;
        }
    }
    send_all(out);
    mem_resize(out->mem, bytes, 0);
    return status;
}

static int run(struct command *c, struct arena *a, int argc, char **argv)
{
    const char *reason = option_parse(&table, a, argc, argv, c);
    if (reason)
        wrong(c, "%s", reason);
    if (c->error[0]) {
        fprintf(stderr, "pto-lsp: error: %s\n", c->error);
        return STATUS_USAGE;
    }
    if (c->help)
        option_help(&table, stdout);
    if (c->version)
        printf("pto-lsp (%s) %s\n", PACKAGE_NAME, PACKAGE_VERSION);
    if (c->help || c->version)
        return fflush(stdout) == 0 ? STATUS_OK : STATUS_FAILED;
    struct buffer out;
    vec_push(c->mem, &c->include_dirs);
    c->options.include_dirs = c->include_dirs.item;
    struct lsp *s = lsp_create(&c->options);
    if (!s)
        return STATUS_FAILED;
    buffer_init(&out, c->mem);
    int status = serve(s, &out);
    buffer_free(&out);
    lsp_destroy(s);
    return status;
}

int main(int argc, char **argv)
{
    struct mem mem = mem_default();
    struct command c = {.mem = &mem};
    jmp_buf exhausted;
    mem.on_exhausted = &exhausted;
    signal(SIGPIPE, SIG_IGN);
    if (setjmp(exhausted)) {
        fputs("pto-lsp: error: memory is exhausted\n", stderr);
        return STATUS_FAILED;
    }
    struct arena *a = arena_create(&mem);
    int status = run(&c, a, argc, argv);
    vec_free(&mem, &c.include_dirs);
    arena_destroy(a);
    return status;
}
