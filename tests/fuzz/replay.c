/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a fuzz target once for each file of its corpus, which is the directory
 * $srcdir/tests/fuzz/corpus/TARGET, TARGET the program's name behind "fuzz_". A finding that is
 * mended stays there as a file named for what went wrong. Prints TAP; a broken promise ends the
 * program. With arguments: those files instead, as a fuzzer's reproducer is run.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/file.h"
#include "tests/fuzz/fuzz.h"

static void replay(const char *path, unsigned number)
{
    struct mem heap = mem_default();
    struct arena *arena = arena_create(&heap);
    const char *slash = strrchr(path, '/'), *error, *text;
    size_t size;
    text = file_read(arena, path, &size, &error);
    if (text) {
        /* A block of the exact size, so that a sanitizer sees any byte read behind it. */
        uint8_t *exact = malloc(size);
        if (size > 0)
            memcpy(exact, text, size);
        LLVMFuzzerTestOneInput(exact, size);
        free(exact);
        printf("ok %u - %s\n", number, slash ? slash + 1 : path);
    } else {
        printf("not ok %u - %s: %s\n", number, path, error);
    }
    fflush(stdout);
    arena_destroy(arena);
}

static int is_visible(const struct dirent *e)
{
    return e->d_name[0] != '.';
}

static int replay_corpus(const char *program)
{
    const char *name = strstr(program, "fuzz_"), *srcdir = getenv("srcdir");
    char directory[4096], path[sizeof directory + 256 + 2];
    while (name && strstr(name + 1, "fuzz_"))
        name = strstr(name + 1, "fuzz_");
    snprintf(directory, sizeof directory, "%s/tests/fuzz/corpus/%s", srcdir ? srcdir : ".",
             name ? name + strlen("fuzz_") : "");
    struct dirent **entries;
    int count = scandir(directory, &entries, is_visible, alphasort);
    if (count <= 0) {
        printf("1..1\nnot ok 1 - %s has no files\n", directory);
        return 1;
    }
    printf("1..%d\n", count);
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, entries[i]->d_name);
        replay(path, (unsigned)i + 1);
        free(entries[i]);
    }
    free(entries);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return replay_corpus(argv[0]);
    printf("1..%d\n", argc - 1);
    for (int i = 1; i < argc; i++)
        replay(argv[i], (unsigned)i);
    return 0;
}
