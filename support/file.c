/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READ_AHEAD = 64 * 1024, END_PADDING = 2 };

/* Bytes to make room for at first: a regular file's size, one more to see its end. */
static size_t first_capacity(int fd)
{
    struct stat st;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0)
        return (size_t)st.st_size + 1;
    return READ_AHEAD;
}

struct reading {
    struct arena *arena;
    int fd;
    char *data; /* NULL: errno says why */
    size_t size;
};

static void read_all(void *ctx)
{
    struct reading *r = ctx;
    size_t capacity = first_capacity(r->fd);
    char *data = arena_raw_array(r->arena, capacity + END_PADDING, 1);
    for (;;) {
        ssize_t n = read(r->fd, data + r->size, capacity - r->size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return;
        if (n == 0)
            break;
        r->size += (size_t)n;
        if (r->size == capacity) {
            char *larger = arena_raw_array(r->arena, capacity + END_PADDING / 2, 2);
            data = memcpy(larger, data, r->size);
            capacity *= 2;
        }
    }
    memset(data + r->size, 0, END_PADDING);
    r->data = data;
}

char *file_read(struct arena *a, const char *path, size_t *size, const char **error)
{
    struct reading r = {.arena = a};
    bool standard = strcmp(path, "-") == 0;
    r.fd = standard ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
    bool done = r.fd < 0 || mem_attempt(arena_mem(a), read_all, &r);
    if (!r.data)
        *error = strerror(errno);
    if (r.fd >= 0)
        close(r.fd);
    if (!done)
        mem_give_up(arena_mem(a));
    *size = r.size;
    return r.data;
}

/* Returns 0 or the error number. */
static int write_all(int fd, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t n = write(fd, data, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno;
        data += n;
        size -= (size_t)n;
    }
    return 0;
}

static int write_direct(const char *path, const void *data, size_t size)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return errno;
    int error = write_all(fd, data, size);
    if (close(fd) != 0 && !error)
        error = errno;
    return error;
}

/* A limit of the file size is an error of write() and no signal. */
static int write_limited(int fd, const void *data, size_t size)
{
    struct sigaction before;
    sigaction(SIGXFSZ, &(struct sigaction){.sa_handler = SIG_IGN}, &before);
    int error = write_all(fd, data, size);
    sigaction(SIGXFSZ, &before, NULL);
    return error;
}

/* Signals that end the program wait until the file that is being written is whole or gone. */
static void hold_signals(sigset_t *before)
{
    static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    sigset_t held;
    sigemptyset(&held);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        sigaddset(&held, ending[i]);
    sigprocmask(SIG_BLOCK, &held, before);
}

/* Creates a file beside `path` that did not exist; the kernel applies the umask to `mode`. */
static int create_beside(const char *path, unsigned mode, char **name)
{
    enum { ATTEMPTS = 100 };
    for (int i = 0; i < ATTEMPTS; i++) {
        if (asprintf(name, "%s.%ld.%d.tmp", path, (long)getpid(), i) < 0) {
            *name = NULL;
            errno = ENOMEM;
            return -1;
        }
        int fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, (mode_t)mode);
        if (fd >= 0)
            return fd;
        int error = errno;
        free(*name);
        *name = NULL;
        errno = error;
        if (error != EEXIST)
            return -1;
    }
    return -1;
}

static int write_and_rename_held(const char *path, const void *data, size_t size, unsigned mode)
{
    char *name = NULL;
    int fd = create_beside(path, mode, &name);
    if (fd < 0)
        return errno;
    int error = write_limited(fd, data, size);
    if (close(fd) != 0 && !error)
        error = errno;
    if (!error && rename(name, path) != 0)
        error = errno;
    if (error)
        unlink(name);
    free(name);
    return error;
}

static int write_and_rename(const char *path, const void *data, size_t size, unsigned mode)
{
    sigset_t before;
    hold_signals(&before);
    int error = write_and_rename_held(path, data, size, mode);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return error;
}

const char *file_write(const char *path, const void *data, size_t size, unsigned mode)
{
    int error;
    struct stat st;
    if (strcmp(path, "-") == 0) {
        error = fflush(stdout) != 0 ? errno : write_limited(STDOUT_FILENO, data, size);
    } else if (stat(path, &st) != 0) {
        error = write_and_rename(path, data, size, mode);
    } else if (S_ISDIR(st.st_mode)) {
        error = EISDIR;
    } else if (!S_ISREG(st.st_mode)) {
        error = write_direct(path, data, size);
    } else {
        /* A symbolic link stays a link: its target is replaced. */
        char *target = realpath(path, NULL);
        error = target ? write_and_rename(target, data, size, mode) : errno;
        free(target);
    }
    return error ? strerror(error) : NULL;
}

bool file_is_same(const char *a, const char *b)
{
    struct stat sa, sb;
    return stat(a, &sa) == 0 && stat(b, &sb) == 0 && sa.st_dev == sb.st_dev &&
           sa.st_ino == sb.st_ino && S_ISREG(sa.st_mode);
}

void file_discard(const char *path)
{
    struct stat st;
    if (lstat(path, &st) == 0 && S_ISREG(st.st_mode))
        unlink(path);
}

const char *file_finish_stdout(void)
{
    errno = 0;
    bool failed = fflush(stdout) != 0;
    if (!failed && !ferror(stdout))
        return NULL;
    return errno ? strerror(errno) : "an earlier write failed";
}
