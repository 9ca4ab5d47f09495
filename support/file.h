/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whole files: read into memory, write atomically. A failed write leaves the
 * old file or none, never half of a new one.
 */
#ifndef PTO_SUPPORT_FILE_H
#define PTO_SUPPORT_FILE_H

#include "support/mem.h"

/* Reads all of `path` ("-": stdin) into the arena, with two NUL bytes behind
 * it that are not counted. Returns NULL and sets *error (static text or
 * strerror) when it cannot. */
char *file_read(struct arena *a, const char *path, size_t *size, const char **error);

/* Writes to a temporary file beside `path` and renames it ("-": stdout).
 * `mode` is the permission of a new file, e.g. 0666 or 0777, before umask.
 * Devices and pipes are written directly. Signals that end the program are held until the file has
 * its name, so nothing half-written is left. Returns NULL or the reason. */
const char *file_write(const char *path, const void *data, size_t size, unsigned mode);

/* Whether both name one regular file that exists: to write the one would destroy the other. */
bool file_is_same(const char *a, const char *b);

/* A failed run leaves no result that looks fresh; devices stay. */
void file_discard(const char *path);

/* Completes what was printed. Returns NULL, or why not all of it went out. */
const char *file_finish_stdout(void);

#endif
