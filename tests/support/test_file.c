/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/support.h"
#include "tests/support/failing_mem.h"

struct fixture {
    struct mem mem;
    struct arena *arena;
    char dir[64];
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    f->mem = mem_default();
    f->arena = arena_create(&f->mem);
    strcpy(f->dir, "test_file.XXXXXX");
    *state = f;
    return mkdtemp(f->dir) ? 0 : -1;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    DIR *dir = opendir(f->dir);
    for (struct dirent *e; (e = readdir(dir));)
        remove(arena_printf(f->arena, "%s/%s", f->dir, e->d_name));
    closedir(dir);
    rmdir(f->dir);
    arena_destroy(f->arena);
    free(f);
    return 0;
}

static const char *path(struct fixture *f, const char *name)
{
    return arena_printf(f->arena, "%s/%s", f->dir, name);
}

static unsigned entries(const struct fixture *f)
{
    unsigned n = 0;
    DIR *dir = opendir(f->dir);
    for (struct dirent *e; (e = readdir(dir));)
        n += e->d_name[0] != '.';
    closedir(dir);
    return n;
}

static void what_was_written_is_read(void **state)
{
    struct fixture *f = *state;
    static const size_t sizes[] = {0, 1, 65535, 65536, 65537, 1000000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint8_t *data = arena_alloc(f->arena, sizes[i] + 1);
        memset(data, 0xa5, sizes[i]);
        assert_null(file_write(path(f, "x"), data, sizes[i], 0666));
        size_t size = 99;
        const char *error = NULL;
        char *text = file_read(f->arena, path(f, "x"), &size, &error);
        assert_non_null(text);
        assert_int_equal(size, sizes[i]);
        assert_memory_equal(text, data, size);
        assert_int_equal(text[size], 0);
        assert_int_equal(text[size + 1], 0);
    }
    assert_int_equal(entries(f), 1);
}

static void pipe_of_unknown_size_is_read(void **state)
{
    struct fixture *f = *state;
    const char *error;
    size_t size;
    assert_null(file_write(path(f, "src"), arena_alloc(f->arena, 300000), 300000, 0666));
    FILE *pipe = popen(arena_printf(f->arena, "cat %s/src", f->dir), "r");
    char *text =
        file_read(f->arena, arena_printf(f->arena, "/dev/fd/%d", fileno(pipe)), &size, &error);
    pclose(pipe);
    assert_non_null(text);
    assert_int_equal(size, 300000);
}

static void unreadable_paths_give_the_reason(void **state)
{
    struct fixture *f = *state;
    const char *error = NULL;
    size_t size;
    assert_null(file_read(f->arena, path(f, "none"), &size, &error));
    assert_string_equal(error, "No such file or directory");
    assert_null(file_read(f->arena, f->dir, &size, &error));
    assert_string_equal(error, "Is a directory");
}

static void failed_write_leaves_nothing(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(file_write(path(f, "none/x"), "a", 1, 0666), "No such file or directory");
    assert_string_equal(file_write(f->dir, "a", 1, 0666), "Is a directory");
    assert_int_equal(entries(f), 0);
}

static void devices_are_written_directly(void **state)
{
    (void)state;
    assert_null(file_write("/dev/null", "abc", 3, 0666));
    struct stat st;
    assert_int_equal(stat("/dev/null", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
    assert_string_equal(file_write("/dev/full", "abc", 3, 0666), "No space left on device");
}

static void mode_obeys_umask_and_links_stay(void **state)
{
    struct fixture *f = *state;
    struct stat st;
    mode_t old = umask(027);
    assert_null(file_write(path(f, "prog"), "abc", 3, 0777));
    umask(old);
    assert_int_equal(stat(path(f, "prog"), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0750);
    assert_int_equal(symlink("prog", path(f, "link")), 0);
    assert_null(file_write(path(f, "link"), "new!", 4, 0666));
    assert_int_equal(lstat(path(f, "link"), &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(stat(path(f, "prog"), &st), 0);
    assert_int_equal(st.st_size, 4);
}

static void read_job(struct mem *m, void *ctx)
{
    struct arena *volatile a = NULL;
    jmp_buf *outer = m->on_exhausted, here;
    m->on_exhausted = &here;
    if (setjmp(here) == 0) {
        size_t size;
        const char *error;
        a = arena_create(m);
        file_read(a, ctx, &size, &error);
    }
    m->on_exhausted = outer;
    arena_destroy(a);
}

static void exhaustion_closes_the_file(void **state)
{
    struct fixture *f = *state;
    assert_null(file_write(path(f, "x"), "abc", 3, 0666));
    int before = dup(0);
    close(before);
    for (unsigned long n = 1; failing_mem_run(n, read_job, (void *)path(f, "x")); n++)
        ;
    int after = dup(0);
    close(after);
    assert_int_equal(before, after);
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(what_was_written_is_read),         CASE(pipe_of_unknown_size_is_read),
        CASE(unreadable_paths_give_the_reason), CASE(failed_write_leaves_nothing),
        CASE(devices_are_written_directly),     CASE(mode_obeys_umask_and_links_stay),
        CASE(exhaustion_closes_the_file),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
