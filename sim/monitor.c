/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sessions of the monitor: lines from a terminal, from standard input or from
 * a script; commands by table.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/line.h"
#include "sim/monitor_inside.h"
#include "sim/pe.h"
#include "support/file.h"

/* ---- for all commands ---- */

bool monitor_refuse(struct monitor *m, const struct word *w, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fflush(stdout);
    diag_vreport(m->diag, DIAG_SIM_COMMAND, w->loc, fmt, ap);
    diag_flush(m->diag);
    va_end(ap);
    return false;
}

void monitor_print(struct monitor *m)
{
    fwrite(m->text.data, 1, m->text.size, stdout);
    m->text.size = 0;
}

bool monitor_exists(const struct monitor *m, unsigned thread)
{
    uint64_t pc;
    const char *state;
    return thread < SIM_PES ? m->sim->pes[thread].state != PE_OFF
                            : seq_position(m->sim, thread - SIM_PES, &pc, &state);
}

int monitor_find_thread(const struct monitor *m, const char *name)
{
    for (unsigned i = 0; i < MONITOR_THREADS; i++) {
        const char *known = monitor_thread_name(m, i);
        if (monitor_exists(m, i) && equal_folded(name, strlen(name), known, strlen(known)))
            return (int)i;
    }
    return -1;
}

const char *monitor_thread_name(const struct monitor *m, unsigned thread)
{
    static const char *const pes[SIM_PES] = {"PE0", "PE1", "PE2", "PE3"};
    return thread < SIM_PES ? pes[thread] : seq_engine_name(m->sim, thread - SIM_PES);
}

uint64_t monitor_pc(const struct monitor *m, unsigned thread)
{
    uint64_t pc;
    const char *state;
    if (thread < SIM_PES)
        return m->sim->pes[thread].pc;
    seq_position(m->sim, thread - SIM_PES, &pc, &state);
    return pc;
}

const char *monitor_full_name(const struct monitor *m, const char *name)
{
    const char *dot = strchr(name, '.');
    if (dot && monitor_find_thread(m, arena_string(m->scratch, name, (size_t)(dot - name))) >= 0)
        return name;
    if (m->thread < SIM_PES)
        return arena_printf(m->scratch, "pe%u.%s", m->thread, name);
    return arena_printf(m->scratch, "%s.%s", monitor_thread_name(m, m->thread), name);
}

bool monitor_register(const struct monitor *m, const char *name, uint64_t *value)
{
    if (m->thread >= SIM_PES && !strcmp(name, "pc")) {
        *value = monitor_pc(m, m->thread);
        return true;
    }
    return sim_get_register(m->sim, monitor_full_name(m, name), value);
}

/* ---- numbers and addresses ---- */

static bool read_number(const char *text, uint64_t *number)
{
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 0);
    return isdigit((unsigned char)*text) && !*end && !errno;
}

bool monitor_number(struct monitor *m, const struct word *w, uint64_t *number)
{
    return read_number(w->text, number) ||
           monitor_refuse(m, w, "'%s' is not a number of 64 bits", w->text);
}

/* FILE:LINE; false without a colon that digits follow. */
static bool is_line(const char *text, const char **colon, uint64_t *line)
{
    *colon = strrchr(text, ':');
    return *colon && *colon != text && read_number(*colon + 1, line) && *line <= UINT32_MAX;
}

static bool base_address(struct monitor *m, const struct word *w, const char *text,
                         uint64_t *address)
{
    uint64_t line;
    const char *colon;
    if (*text == '$')
        return monitor_register(m, text + 1, address) ||
               monitor_refuse(m, w, "there is no register '%s'", text + 1);
    if (is_line(text, &colon, &line))
        return sim_find_line(m->sim, text, (size_t)(colon - text), (uint32_t)line, address) ||
               monitor_refuse(m, w, "no code comes from line %llu of '%.*s' or behind it",
                              (unsigned long long)line, (int)(colon - text), text);
    if (isdigit((unsigned char)*text))
        return read_number(text, address) ||
               monitor_refuse(m, w, "'%s' is not a number of 64 bits", text);
    return sim_find_address(m->sim, text, address) ||
           monitor_refuse(m, w, "there is no symbol '%s'", text);
}

bool monitor_address(struct monitor *m, const struct word *w, uint64_t *address)
{
    size_t length = strlen(w->text);
    uint64_t offset = 0, base;
    while (length > 1 && isxdigit((unsigned char)w->text[length - 1]))
        length--;
    if (length > 2 && w->text[length - 1] == 'x' && w->text[length - 2] == '0')
        length -= 2;
    const char *sign = w->text + length - 1;
    bool moved = length > 1 && (*sign == '+' || *sign == '-') && read_number(sign + 1, &offset);
    const char *text = moved ? arena_string(m->scratch, w->text, length - 1) : w->text;
    if (!base_address(m, w, text, &base))
        return false;
    *address = moved && *sign == '-' ? base - offset : base + offset;
    return true;
}

/* ---- commands of the session itself ---- */

static bool run_thread(struct monitor *m, const struct words *w)
{
    const char *name = w->item[w->count - 1].text;
    uint64_t number;
    if (!strcmp(w->item[0].text, "pe") && read_number(name, &number))
        name = arena_printf(m->scratch, "pe%s", name);
    int thread = monitor_find_thread(m, name);
    if (thread < 0)
        return monitor_refuse(m, &w->item[w->count - 1],
                              "this run has no PE and no engine of that name");
    m->thread = (unsigned)thread;
    m->code_next = m->list_next = 0;
    monitor_show_position(m, m->thread);
    return true;
}

static bool run_quit(struct monitor *m, const struct words *w)
{
    (void)w;
    m->quit = true;
    return true;
}

static bool run_help(struct monitor *m, const struct words *w);

/* ---- the table ---- */

enum {
    REPEATS = 1,   /* an empty line runs it again */
    GOES_ON = 2,   /* … without its arguments, from where it stopped */
    RUNS = 4,      /* needs a program that has not ended */
    RAW_FIRST = 8, /* the name has something glued to it: x/4xw */
};

struct row {
    const char *name, *alias, *arguments;
    uint8_t least, most; /* arguments */
    uint8_t flags;
    command_fn run;
    const char *help;
};

static const struct row rows[] = {
    {"step", "s", "[N]", 0, 1, REPEATS | RUNS, monitor_step,
     "one instruction of the selected PE or engine, or N"},
    {"next", "n", "[N]", 0, 1, REPEATS | RUNS, monitor_next,
     "the same, a block that calls and all it calls as one"},
    {"bundle", "nb", "[N]", 0, 1, REPEATS | RUNS, monitor_bundle,
     "to the end of the block, or of N; outside of blocks one instruction"},
    {"continue", "c", "", 0, 0, REPEATS | RUNS, monitor_continue,
     "run until a breakpoint, a watch or the end"},
    {"until", "u", "PLACE", 1, 1, RUNS, monitor_until,
     "run until the selected PE or engine comes to a place"},
    {"finish", "fin", "", 0, 0, RUNS, monitor_finish,
     "run until the function that the selected PE is in has returned"},
    {"break", "b", "PLACE [PE]", 1, 2, 0, monitor_break,
     "stop at an address, symbol, FILE:LINE or the start of a tile operation (TADD)"},
    {"watch", "w", "PLACE [LENGTH] | REG", 1, 2, 0, monitor_add_watch,
     "stop when memory (8 bytes without LENGTH) or a register changes"},
    {"delete", "d", "[N]", 0, 1, 0, monitor_delete, "remove a breakpoint or watch, or all"},
    {"info", "i", "[break|block]", 0, 1, 0, monitor_info,
     "PEs and engines; breakpoints and watches; the open block"},
    {"registers", "r", "[REG|sys]", 0, 1, 0, monitor_registers,
     "registers and queues, one register, or what is not 0 of the system's and the ring's"},
    {"set", NULL, "REG VALUE", 2, 2, 0, monitor_set, "set a register or system register"},
    {"interrupt", NULL, "ID [CAUSE]", 1, 2, RUNS, monitor_interrupt,
     "raise an interrupt of the selected PE: nothing else in this machine does"},
    {"tiles", "t", "[NAME [ROW COL]]", 0, 3, 0, monitor_tiles,
     "Local tiles; descriptor and values of one tile, from an element on"},
    {"shared", NULL, "[NAME [ROW COL]]", 0, 3, 0, monitor_shared, "the same of Shared tiles"},
    {"semaphores", "sem", "", 0, 0, 0, monitor_semaphores,
     "semaphores that are not 0, and events that are set"},
    {"x", NULL, "/NFS [PLACE]", 0, 1, REPEATS | GOES_ON | RAW_FIRST, monitor_examine,
     "memory: N units of format F (x d u c f s i) and size S (b h w g)"},
    {"disassemble", "dis", "[PLACE [N]]", 0, 2, REPEATS | GOES_ON, monitor_disassemble,
     "N instructions (10), from the PC on without PLACE"},
    {"list", "l", "[PLACE]", 0, 1, REPEATS | GOES_ON, monitor_list,
     "source lines around a place, or around the PC"},
    {"backtrace", "bt", "", 0, 0, 0, monitor_backtrace, "the calls that have not returned"},
    {"pe", NULL, "N", 1, 1, 0, run_thread, "select a PE"},
    {"engine", "e", "NAME", 1, 1, 0, run_thread, "select a SEQ engine"},
    {"help", "h", "[COMMAND]", 0, 1, 0, run_help, "this list, or one command"},
    {"quit", "q", "", 0, 0, 0, run_quit, "end the session"},
};
enum { ROWS = sizeof rows / sizeof *rows };

static void print_row(const struct row *r)
{
    char left[40];
    snprintf(left, sizeof left, "%s%s%s %s", r->name, r->alias ? ", " : "",
             r->alias ? r->alias : "", r->arguments);
    printf("  %-32s %s\n", left, r->help);
}

/* By name or alias, else by the only name that begins so. */
static const struct row *find_row(struct monitor *m, const struct word *w)
{
    size_t length = strlen(w->text);
    const struct row *found = NULL;
    unsigned count = 0;
    for (size_t i = 0; i < ROWS; i++)
        if (!strcmp(rows[i].name, w->text) || (rows[i].alias && !strcmp(rows[i].alias, w->text)))
            return &rows[i];
    for (size_t i = 0; i < ROWS; i++)
        if (!strncmp(rows[i].name, w->text, length)) {
            found = &rows[i];
            count++;
        }
    if (count == 0)
        monitor_refuse(m, w, "there is no command '%s'; 'help' lists them", w->text);
    if (count > 1)
        monitor_refuse(m, w, "'%s' begins more than one command; 'help' lists them", w->text);
    return count == 1 ? found : NULL;
}

static bool run_help(struct monitor *m, const struct words *w)
{
    if (w->count > 1) {
        const struct row *r = find_row(m, &w->item[1]);
        if (r)
            print_row(r);
        return r != NULL;
    }
    for (size_t i = 0; i < ROWS; i++)
        print_row(&rows[i]);
    printf(
        "PLACE is an address, symbol, FILE:LINE or $register, with +N or -N behind it.\n"
        "An empty line repeats step, next, bundle and continue; x, disassemble and list go on.\n");
    return true;
}

/* ---- one line ---- */

/* Splits at blanks, up to a '#'. False: too many words. */
static bool split(struct monitor *m, const char *line, uint32_t file, uint32_t number,
                  struct words *w)
{
    const char *p = line;
    w->count = 0;
    for (;;) {
        while (isspace((unsigned char)*p))
            p++;
        bool comment = *p == '#';
        if (!*p || comment)
            return true;
        const char *start = p;
        while (*p && !isspace((unsigned char)*p))
            p++;
        struct word word = {.text = arena_string(m->scratch, start, (size_t)(p - start)),
                            .loc = {.file = file,
                                    .line = number,
                                    .col = (uint32_t)(start - line) + 1,
                                    .end_line = number,
                                    .end_col = (uint32_t)(p - line) + 1}};
        if (w->count == MONITOR_WORDS)
            return monitor_refuse(m, &word, "no command has so many arguments");
        w->item[w->count++] = word;
    }
}

/* x/4xw: the command's name is what stands before the slash. */
static const struct row *row_of(struct monitor *m, const struct words *w)
{
    struct word name = w->item[0];
    char *slash = strchr(name.text, '/');
    if (slash)
        name.text = arena_string(m->scratch, name.text, (size_t)(slash - name.text));
    const struct row *r = find_row(m, &name);
    if (r && slash && !(r->flags & RAW_FIRST)) {
        monitor_refuse(m, &w->item[0], "only x takes a format");
        return NULL;
    }
    return r;
}

static bool check_row(struct monitor *m, const struct row *r, const struct words *w)
{
    unsigned arguments = w->count - 1;
    if (arguments < r->least)
        return monitor_refuse(m, &w->item[0], "%s takes %s", r->name, r->arguments);
    if (arguments > r->most)
        return monitor_refuse(m, &w->item[1 + r->most], "%s takes %s", r->name,
                              *r->arguments ? r->arguments : "no argument");
    if (r->flags & RUNS && m->over)
        return monitor_refuse(m, &w->item[0], "the program has ended");
    return true;
}

static void remember(struct monitor *m, const struct row *r, const char *line)
{
    m->last.size = 0;
    if (!(r->flags & REPEATS))
        return;
    const char *kept = r->flags & GOES_ON ? r->name : line;
    buffer_append(&m->last, kept, strlen(kept) + 1);
}

/* False: the command was wrong. */
static bool run_line(struct monitor *m, const char *line, uint32_t file, uint32_t number,
                     bool repeats)
{
    struct words w;
    arena_reset(m->scratch);
    bool empty = line[strspn(line, " \t\r")] == 0;
    if (empty && repeats && m->last.size)
        line = arena_string(m->scratch, (const char *)m->last.data, m->last.size - 1);
    if (!split(m, line, file, number, &w))
        return false;
    if (!w.count)
        return true;
    const struct row *r = row_of(m, &w);
    if (!r || !check_row(m, r, &w))
        return false;
    bool good = r->run(m, &w);
    remember(m, r, line);
    monitor_print(m);
    return good;
}

/* ---- sessions ---- */

static void run_terminal(struct monitor *m)
{
    static const char prompt[] = "(pto-sim) ";
    while (!m->quit && line_read(prompt, &m->line)) {
        char *line = arena_string(m->arena, (char *)m->line.data, m->line.size - 1);
        uint32_t file = diag_add_source(m->diag, "<command>", line, strlen(line), (struct loc){0},
                                        DIAG_ROLE_FILE);
        run_line(m, line, file, 1, true);
        fflush(stdout);
    }
}

/* Lines of a file. A wrong one ends a script; standard input goes on, as a terminal does. */
static void run_text(struct monitor *m, const char *name, const char *text, size_t size,
                     bool is_script)
{
    uint32_t file = diag_add_source(m->diag, name, text, size, (struct loc){0}, DIAG_ROLE_FILE);
    const char *end = text + size;
    for (uint32_t number = 1; text < end && !m->quit; number++) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const char *stop = newline ? newline : end;
        m->line.size = 0;
        buffer_append(&m->line, text, (size_t)(stop - text));
        buffer_append(&m->line, "", 1);
        if (!run_line(m, (char *)m->line.data, file, number, !is_script)) {
            m->failed = true;
            m->quit = is_script;
        }
        text = newline ? newline + 1 : end;
    }
}

static void run_file(struct monitor *m, const char *path)
{
    size_t size;
    const char *error, *name = path ? path : "<stdin>";
    char *text = file_read(m->arena, path ? path : "-", &size, &error);
    m->failed = !text;
    if (text)
        run_text(m, name, text, size, path != NULL);
    else
        diag_report_file(m->diag, DIAG_CANNOT_READ, name, "cannot read: %s", error);
}

struct session {
    struct monitor m;
    const char *script;
};

static void run_session(void *ctx)
{
    struct session *session = ctx;
    struct monitor *m = &session->m;
    m->scratch = arena_create(m->mem);
    monitor_watch(m);
    if (!session->script && isatty(STDIN_FILENO))
        run_terminal(m);
    else
        run_file(m, session->script);
}

bool monitor_run(struct sim *s, struct arena *a, struct diag *d, const char *script,
                 enum sim_end *end)
{
    struct session session = {.script = script};
    struct monitor *m = &session.m;
    m->sim = s;
    m->mem = arena_mem(a);
    m->diag = d;
    m->arena = a;
    m->end = SIM_PAUSED;
    buffer_init(&m->text, m->mem);
    buffer_init(&m->line, m->mem);
    buffer_init(&m->last, m->mem);
    bool done = mem_attempt(m->mem, run_session, &session);
    monitor_unwatch(m);
    buffer_free(&m->text);
    buffer_free(&m->line);
    buffer_free(&m->last);
    arena_destroy(m->scratch);
    if (!done)
        mem_give_up(m->mem);
    *end = m->end;
    return !m->failed;
}
