/* SPDX-License-Identifier: BSD-3-Clause */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "support/diag_print.h"

static const char *const severities[] = {
    [DIAG_NOTE] = "note",
    [DIAG_WARNING] = "warning",
    [DIAG_ERROR] = "error",
};

/* JSON text is UTF-8; what is not valid in a name or message is escaped. NULL without memory. */
static json_t *escaped(const char *text)
{
    char *bytes = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&bytes, &size);
    if (!out)
        return NULL;
    diag_put_escaped(out, text, strlen(text));
    json_t *string = fclose(out) == 0 ? json_stringn(bytes, size) : NULL;
    free(bytes);
    return string;
}

/* Notes of a message have no code of their own: `code` is NULL. */
static json_t *record_object(const struct diag_record *r, const char *code)
{
    json_t *object =
        json_pack("{s:o, s:i, s:i, s:i, s:i, s:s}", "file", escaped(r->file), "line",
                  (int)r->loc.line, "column", (int)r->loc.col, "endLine", (int)r->loc.end_line,
                  "endColumn", (int)r->loc.end_col, "severity", severities[r->severity]);
    if (!object)
        return NULL;
    if (code)
        json_object_set_new(object, "code", json_string(code));
    json_object_set_new(object, "message", escaped(r->message));
    return object;
}

static json_t *message_object(const struct diag_message *m)
{
    json_t *object = record_object(&m->record, diag_slug(m->record.code));
    json_t *notes = json_array();
    for (size_t i = 0; i < m->notes.count; i++)
        json_array_append_new(notes, record_object(&m->notes.item[i], NULL));
    json_object_set_new(object, "notes", notes);
    return object;
}

void diag_print_json(const struct diag_options *o, const struct diag_message *m)
{
    json_t *object = message_object(m);
    if (json_dumpf(object, o->out, JSON_COMPACT) == 0)
        fputc('\n', o->out);
    else /* no memory for the object: the reader still sees that something failed */
        fputs("{\"severity\":\"error\",\"code\":\"out-of-memory\"}\n", o->out);
    json_decref(object);
}
