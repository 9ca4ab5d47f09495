/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * .include and .incbin. A relative name is looked up in the working directory,
 * then in each -I directory in order, always joined with '/'.
 */
#include "asm/directive.h"

#include <string.h>
#include <sys/stat.h>

/* Directories and endless devices are no input. */
static bool is_readable_kind(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && (S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode));
}

const char *asm_find_include(struct arena *a, const struct asm_options *options, const char *name)
{
    const char *const *dir = options->include_dirs;
    const char *first = options->directory && name[0] != '/'
                            ? arena_printf(a, "%s/%s", options->directory, name)
                            : name;
    if (is_readable_kind(first))
        return strcmp(first, "-") == 0 ? "./-" : first;
    for (; name[0] != '/' && dir && *dir; dir++) {
        const char *path = arena_printf(a, "%s/%s", *dir, name);
        if (is_readable_kind(path))
            return path;
    }
    return NULL;
}

static void note_dependency(struct assembler *as, const char *path)
{
    struct buffer *list = as->options->dependencies;
    if (!list)
        return;
    void **seen = map_put(&as->dependencies, intern_z(as->names, path));
    if (!*seen)
        buffer_append(list, path, strlen(path) + 1);
    *seen = as;
}

static const char *read_text(struct assembler *as, const char *path, size_t *size,
                             const char **error)
{
    const struct asm_observer *observer = as->options->observer;
    const char *text =
        observer && observer->read ? observer->read(observer->ctx, path, size) : NULL;
    return text ? text : file_read(as->arena, path, size, error);
}

/* NULL: reported. */
static const char *read_named(struct assembler *as, const struct ast_operand *name,
                              const char **path, size_t *size)
{
    const char *error = "No such file";
    const char *wanted = arena_string(as->arena, name->text, name->size);
    *path = strlen(wanted) == name->size ? asm_find_include(as->arena, as->options, wanted) : NULL;
    const char *text = *path ? read_text(as, *path, size, &error) : NULL;
    if (text)
        note_dependency(as, *path);
    else
        diag_report(as->diag, DIAG_INCLUDE, name->loc, "cannot read '%s': %s", wanted, error);
    return text;
}

void asm_include(struct assembler *as, const struct ast_stmt *stmt, const struct directive *row)
{
    (void)row;
    size_t size;
    const char *path;
    const struct ast_operand *name = asm_operand_string(as, stmt, 0);
    const char *text = name ? read_named(as, name, &path, &size) : NULL;
    if (text)
        asm_push_text(as, path, text, size, stmt->loc, DIAG_ROLE_INCLUDE);
}

/* .incbin "FILE" [, SKIP [, COUNT]] */
void asm_incbin(struct assembler *as, const struct ast_stmt *stmt, const struct directive *row)
{
    (void)row;
    size_t size;
    int64_t skip, count;
    const char *path;
    const struct ast_operand *name = asm_operand_string(as, stmt, 0);
    const char *text = name ? read_named(as, name, &path, &size) : NULL;
    if (!text || !asm_operand_number(as, stmt, 1, "the offset", 0, &skip))
        return;
    if (skip < 0 || (uint64_t)skip > size) {
        diag_report(as->diag, DIAG_DIRECTIVE_OPERAND, stmt->loc,
                    "offset %lld is outside the %zu bytes of '%s'", (long long)skip, size, path);
        return;
    }
    int64_t rest = (int64_t)size - skip;
    if (!asm_operand_number(as, stmt, 2, "the count", rest, &count))
        return;
    if (count < 0 || count > rest) {
        diag_report(as->diag, DIAG_DIRECTIVE_OPERAND, stmt->loc,
                    "count %lld is more than the %lld bytes that follow in '%s'", (long long)count,
                    (long long)rest, path);
        return;
    }
    asm_settle(as, CLASS_ANY);
    if (as->section->flags & OBJ_EXEC)
        asm_bundle_raw(as);
    if (count)
        memcpy(asm_extend(as, OBJ_CONTENT_DATA, (size_t)count, stmt->loc), text + skip,
               (size_t)count);
}
