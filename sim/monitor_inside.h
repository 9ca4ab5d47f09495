/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The monitor's inside. Included by sim/monitor*.c only.
 *
 *   monitor.c        sessions, commands, words and addresses
 *   monitor_run.c    breakpoints, watches, steps, the calls that are open
 *   monitor_show.c   registers, tiles, memory, instructions, source
 *
 * A thread is a PE (its number) or a SEQ engine (SIM_PES + its number).
 */
#ifndef PTO_SIM_MONITOR_INSIDE_H
#define PTO_SIM_MONITOR_INSIDE_H

#include "sim/machine.h"
#include "sim/monitor.h"

enum { MONITOR_THREADS = SIM_PES + SIM_ENGINES, MONITOR_WORDS = 8 };

struct word { /* of a command, NUL-terminated */
    char *text;
    struct loc loc;
};

struct words {
    struct word item[MONITOR_WORDS];
    unsigned count;
};

enum point_kind { POINT_ADDRESS, POINT_OPERATION, POINT_MEMORY, POINT_REGISTER };

struct point { /* where or when a run stops */
    enum point_kind kind;
    unsigned number;
    int thread;       /* that it stops; -1: any */
    const char *what; /* as the user wrote it */
    uint64_t address, size;
    const struct isa_tileop *operation;
    uint64_t value; /* POINT_REGISTER: what it was */
    uint8_t *bytes; /* POINT_MEMORY: what they were */
    bool touched;   /* POINT_MEMORY: something wrote there */
    unsigned stops;
};

struct frame {     /* a call that has not returned */
    uint64_t back; /* the return address */
    uint64_t sp;
};

struct thread {               /* what the monitor knows of one */
    bool stopped;             /* the run stopped in front of its next instruction */
    bool calls;               /* the last instruction is of a block that calls */
    bool sets_return;         /* a SETRET makes its block one that calls */
    uint64_t end;             /* behind the last instruction that was come to; 0: none was */
    VEC(struct frame) frames; /* outermost first */
};

enum goal_kind { GOAL_CONTINUE, GOAL_STEP, GOAL_NEXT, GOAL_BUNDLE, GOAL_PLACE, GOAL_RETURN };

struct goal { /* when the run stops without a point */
    enum goal_kind kind;
    bool fresh; /* the thread has not moved yet */
    unsigned thread;
    uint64_t count;   /* GOAL_STEP, NEXT, BUNDLE: how many are left */
    uint64_t address; /* GOAL_PLACE */
    size_t depth;     /* calls that were open */
};

struct monitor {
    struct sim *sim;
    struct mem *mem;
    struct diag *diag;
    struct arena *arena;   /* of the session */
    struct arena *scratch; /* of one command */
    struct buffer text;
    struct buffer line, last; /* the line being read; the last command that may be repeated */
    bool quit, failed, over;  /* over: the program has ended */
    enum sim_end end;

    unsigned thread; /* the selected one */
    struct sim_watch watch;
    struct thread threads[MONITOR_THREADS];
    VEC(struct point) points;
    unsigned last_number;
    struct goal goal;
    unsigned writer; /* the thread that ran last, and its instruction */
    uint64_t writer_pc;

    uint64_t examine_next; /* where x, disassemble and list go on */
    char examine_format, examine_size;
    uint64_t code_next;
    uint32_t list_file, list_next; /* list_next 0: at the selected thread's line */
};

/* A command. False: refused with monitor_refuse. */
typedef bool (*command_fn)(struct monitor *m, const struct words *w);

/* Reports at a word. Always false. */
bool monitor_refuse(struct monitor *m, const struct word *w, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* A number, symbol, FILE:LINE or $register, with +N and -N behind it. */
bool monitor_address(struct monitor *m, const struct word *w, uint64_t *address);
bool monitor_number(struct monitor *m, const struct word *w, uint64_t *number);
bool monitor_exists(const struct monitor *m, unsigned thread);
/* "pe1" or an engine's name. -1: neither, nothing is reported. */
int monitor_find_thread(const struct monitor *m, const char *name);
const char *monitor_thread_name(const struct monitor *m, unsigned thread);
/* A register of the selected thread, or of the one that the name begins with. */
bool monitor_register(const struct monitor *m, const char *name, uint64_t *value);
/* "pe0.a0" for "a0" of the selected thread; in scratch. */
const char *monitor_full_name(const struct monitor *m, const char *name);
uint64_t monitor_pc(const struct monitor *m, unsigned thread);
/* Prints the monitor's text buffer and empties it. */
void monitor_print(struct monitor *m);

/* ---- monitor_run.c ---- */

void monitor_watch(struct monitor *m); /* before the first run */
void monitor_unwatch(struct monitor *m);
bool monitor_step(struct monitor *m, const struct words *w);
bool monitor_next(struct monitor *m, const struct words *w);
bool monitor_bundle(struct monitor *m, const struct words *w);
bool monitor_continue(struct monitor *m, const struct words *w);
bool monitor_until(struct monitor *m, const struct words *w);
bool monitor_finish(struct monitor *m, const struct words *w);
bool monitor_break(struct monitor *m, const struct words *w);
bool monitor_add_watch(struct monitor *m, const struct words *w);
bool monitor_delete(struct monitor *m, const struct words *w);
bool monitor_backtrace(struct monitor *m, const struct words *w);
bool monitor_interrupt(struct monitor *m, const struct words *w);
void monitor_list_points(struct monitor *m);

/* ---- monitor_show.c ---- */

void monitor_show_position(struct monitor *m, unsigned thread);
bool monitor_info(struct monitor *m, const struct words *w);
bool monitor_registers(struct monitor *m, const struct words *w);
bool monitor_set(struct monitor *m, const struct words *w);
bool monitor_tiles(struct monitor *m, const struct words *w);
bool monitor_shared(struct monitor *m, const struct words *w);
bool monitor_semaphores(struct monitor *m, const struct words *w);
bool monitor_examine(struct monitor *m, const struct words *w);
bool monitor_disassemble(struct monitor *m, const struct words *w);
bool monitor_list(struct monitor *m, const struct words *w);

#endif
