/* SPDX-License-Identifier: BSD-3-Clause */
/*
 *   measure RUNS COMMAND [ARGUMENT...]
 *
 * Runs a command again and again on one core and prints the medians of its processor time and wall
 * time in seconds and the most memory it held in KiB. What it prints goes to /dev/null. The result
 * is that of the command when it fails, and then nothing is printed.
 */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_RUNS = 99 };

struct run {
    double cpu, wall;
    long memory;
};

/* The last core that is allowed: the first ones serve interrupts. */
static void pin(void)
{
    cpu_set_t set;
    int core = -1;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return;
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &set))
            core = i;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    (void)sched_setaffinity(0, sizeof set, &set);
}

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static _Noreturn void become(char **command)
{
    int null = open("/dev/null", O_RDWR);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    execvp(command[0], command);
    _exit(127);
}

/* The command's status. */
static int run_once(char **command, struct run *r)
{
    int status;
    struct rusage usage;
    double start = now();
    pid_t child = fork();
    if (child == 0)
        become(command);
    if (child < 0 || wait4(child, &status, 0, &usage) != child)
        return 126;
    r->wall = now() - start;
    r->cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    r->memory = usage.ru_maxrss;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 125;
}

static int by_cpu(const void *a, const void *b)
{
    const struct run *x = a, *y = b;
    return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

static int by_wall(const void *a, const void *b)
{
    const struct run *x = a, *y = b;
    return (x->wall > y->wall) - (x->wall < y->wall);
}

int main(int argc, char **argv)
{
    struct run runs[MOST_RUNS];
    long memory = 0;
    int count = argc > 2 ? atoi(argv[1]) : 0;
    if (count < 1 || count > MOST_RUNS) {
        fputs("usage: measure RUNS COMMAND [ARGUMENT...]\n", stderr);
        return 2;
    }
    pin();
    for (int i = 0; i < count; i++) {
        int status = run_once(argv + 2, &runs[i]);
        if (status)
            return status;
        memory = runs[i].memory > memory ? runs[i].memory : memory;
    }
    qsort(runs, (size_t)count, sizeof *runs, by_wall);
    double wall = runs[count / 2].wall;
    qsort(runs, (size_t)count, sizeof *runs, by_cpu);
    printf("%.4f %.4f %ld\n", runs[count / 2].cpu, wall, memory);
    return 0;
}
