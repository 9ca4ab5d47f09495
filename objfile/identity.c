/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which ISA a file's instructions belong to. .note.pto.isa is the PTO ABI's
 * own note (spec: pto-isa-0583-abi-vectors.json, elf_identity); .note.pto.ext
 * records what that note cannot (docs/elf.md): a revision without a published
 * identity, extensions, the SEQ generation. Both descriptors are JSON objects
 * with sorted keys, no blanks and no NUL, so that equal identities are equal bytes.
 */
#include "objfile/internal.h"

#include <stdlib.h>
#include <string.h>

enum { NOTE_TYPE_ISA = 1, NOTE_TYPE_EXT = 2, NOTE_ALIGN = 4, NOTE_HEADER = 12 };

static const char note_owner[4] = "PTO";

/* ---- writing ---- */

static void store_u32(uint8_t *p, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(value >> 8 * i);
}

enum { NOTE_NAME_SIZE = 0, NOTE_DESC_SIZE = 4, NOTE_TYPE = 8 }; /* offsets in the head */

/* The descriptor is appended behind the note's head; returns where that begins. */
static size_t begin_note(struct buffer *out, uint32_t type)
{
    size_t head = out->size;
    uint8_t *p = buffer_extend(out, NOTE_HEADER);

    store_u32(p + NOTE_NAME_SIZE, sizeof note_owner);
    store_u32(p + NOTE_TYPE, type);
    buffer_append(out, note_owner, sizeof note_owner);
    return head;
}

static void end_note(struct buffer *out, size_t head)
{
    size_t desc = out->size - head - NOTE_HEADER - sizeof note_owner;

    store_u32(out->data + head + NOTE_DESC_SIZE, (uint32_t)desc);
    buffer_extend(out, -desc % NOTE_ALIGN);
}

static const struct isa_revision *revision_of(enum isa_set set, isa_revset bit)
{
    for (size_t i = 0; bit && i < ISA_REVISION_COUNT; i++)
        if (isa_revisions[i].set == set && isa_revisions[i].bit == bit)
            return &isa_revisions[i];
    return NULL;
}

/* The three strings of the ABI identity: as read, else as the revision's row has them. All NULL
 * when there is none. */
struct abi_identity {
    const char *encoding_abi, *sha256, *release;
};

static struct abi_identity abi_identity_of(const struct obj_identity *id)
{
    const struct isa_revision *rev = revision_of(ISA_SET_PTO, id->pto);

    if (!id->has_pto)
        return (struct abi_identity){0};
    if (id->release)
        return (struct abi_identity){id->encoding_abi, id->projection_sha256, id->release};
    if (rev && rev->encoding_abi && rev->projection_sha256)
        return (struct abi_identity){rev->encoding_abi, rev->projection_sha256, rev->release};
    return (struct abi_identity){0};
}

void identity_write_isa(const struct obj_identity *id, struct buffer *out)
{
    struct abi_identity abi = abi_identity_of(id);

    if (!abi.release)
        return;
    size_t head = begin_note(out, NOTE_TYPE_ISA);
    buffer_printf(out,
                  "{\"encoding_abi\":\"%s\",\"encoding_projection_sha256\":\"%s\","
                  "\"release\":\"%s\"}",
                  abi.encoding_abi, abi.sha256, abi.release);
    end_note(out, head);
}

void identity_write_ext(const struct obj_identity *id, struct buffer *out)
{
    const struct isa_revision *pto = id->has_pto ? revision_of(ISA_SET_PTO, id->pto) : NULL;
    const struct isa_revision *seq = revision_of(ISA_SET_SEQ, id->seq);
    size_t head = begin_note(out, NOTE_TYPE_EXT);

    buffer_printf(out, "{\"extensions\":\"%s\",\"pto\":\"%s\",\"seq\":\"%s\"}",
                  id->extensions ? id->extensions : "", pto ? pto->name : "", seq ? seq->name : "");
    end_note(out, head);
}

/* ---- reading ---- */

static uint32_t read_u32(const uint8_t *p)
{
    return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
}

/* One `"text"` of a canonical descriptor: no escapes, no control characters. */
static bool take_string(struct arena *a, const char **at, const char *end, const char **text)
{
    const char *p = *at;

    if (p == end || *p != '"')
        return false;
    const char *start = ++p;
    while (p < end && *p != '"' && *p != '\\' && (unsigned char)*p >= 0x20)
        p++;
    if (p == end || *p != '"')
        return false;
    *text = arena_string(a, start, (size_t)(p - start));
    *at = p + 1;
    return true;
}

static bool take_char(const char **at, const char *end, char c)
{
    if (*at == end || **at != c)
        return false;
    ++*at;
    return true;
}

/* Exactly `{"key0":"…","key1":"…"}` with the given keys in the given order. */
static bool parse_descriptor(struct arena *a, const uint8_t *data, size_t size,
                             const char *const keys[3], const char *values[3])
{
    const char *at = (const char *)data, *end = at + size, *key;

    for (int i = 0; i < 3; i++)
        if (!take_char(&at, end, i ? ',' : '{') || !take_string(a, &at, end, &key) ||
            strcmp(key, keys[i]) || !take_char(&at, end, ':') ||
            !take_string(a, &at, end, &values[i]))
            return false;
    return take_char(&at, end, '}') && at == end;
}

/* All notes of a section; a foreign `ld -r` may have put several equal ones there. */
static const char *parse_notes(struct arena *a, const uint8_t *data, size_t size, uint32_t type,
                               const char *const keys[3], const char *values[3])
{
    const uint8_t *first = NULL;
    size_t first_size = 0;

    if (size == 0)
        return "is empty";
    while (size) {
        if (size < NOTE_HEADER + sizeof note_owner)
            return arena_printf(a, "is truncated: %zu bytes where a note begins", size);
        size_t desc_size = read_u32(data + 4);
        size_t total = NOTE_HEADER + sizeof note_owner + desc_size;
        const uint8_t *desc = data + NOTE_HEADER + sizeof note_owner;

        if (read_u32(data) != sizeof note_owner ||
            memcmp(data + NOTE_HEADER, note_owner, sizeof note_owner))
            return "has a note whose owner is not \"PTO\"";
        if (read_u32(data + 8) != type)
            return arena_printf(a, "has note type %u, expected %u", read_u32(data + 8), type);
        if (total > size)
            return arena_printf(a, "is truncated: descriptor of %zu bytes in %zu", desc_size, size);
        if (!first && !parse_descriptor(a, desc, desc_size, keys, values))
            return arena_printf(a, "is not the canonical descriptor {\"%s\":…,\"%s\":…,\"%s\":…}",
                                keys[0], keys[1], keys[2]);
        if (first && (first_size != desc_size || memcmp(first, desc, desc_size)))
            return "holds two different identities";
        first = desc;
        first_size = desc_size;
        total += -total % NOTE_ALIGN;
        if (total > size)
            total = size; /* padding of the last note may be missing */
        data += total;
        size -= total;
    }
    return NULL;
}

const char *identity_read_isa(struct arena *a, const uint8_t *data, size_t size,
                              struct obj_identity *id)
{
    static const char *const keys[] = {"encoding_abi", "encoding_projection_sha256", "release"};
    const char *value[3];
    const char *why = parse_notes(a, data, size, NOTE_TYPE_ISA, keys, value);

    if (why)
        return why;
    id->has_pto = true;
    id->encoding_abi = value[0];
    id->projection_sha256 = value[1];
    id->release = value[2];
    for (size_t i = 0; !id->pto && i < ISA_REVISION_COUNT; i++) {
        const struct isa_revision *rev = &isa_revisions[i];

        if (rev->set == ISA_SET_PTO && rev->encoding_abi && rev->projection_sha256 &&
            !strcmp(rev->release, value[2]) && !strcmp(rev->encoding_abi, value[0]) &&
            !strcmp(rev->projection_sha256, value[1]))
            id->pto = rev->bit;
    }
    return NULL;
}

const char *identity_read_ext(struct arena *a, const uint8_t *data, size_t size,
                              struct obj_identity *id)
{
    static const char *const keys[] = {"extensions", "pto", "seq"};
    const char *value[3];
    const char *why = parse_notes(a, data, size, NOTE_TYPE_EXT, keys, value);

    if (why)
        return why;
    const struct isa_revision *pto = isa_find_revision(value[1], strlen(value[1]));
    const struct isa_revision *seq = isa_find_revision(value[2], strlen(value[2]));

    if (*value[1] && (!pto || pto->set != ISA_SET_PTO))
        return arena_printf(a, "names the unknown PTO revision \"%s\"", value[1]);
    if (*value[2] && (!seq || seq->set != ISA_SET_SEQ))
        return arena_printf(a, "names the unknown SEQ generation \"%s\"", value[2]);
    if (*value[1] && id->pto && id->pto != pto->bit)
        return arena_printf(a, "names %s, but " OBJ_NOTE_ISA " names release %s", value[1],
                            id->release);
    id->extensions = value[0];
    if (*value[1]) {
        id->has_pto = true;
        id->pto = pto->bit;
    }
    if (*value[2])
        id->seq = seq->bit;
    return NULL;
}

/* ---- comparing ---- */

static void describe(const struct obj_identity *id, struct buffer *out)
{
    struct abi_identity abi = abi_identity_of(id);
    const struct isa_revision *rev = revision_of(ISA_SET_PTO, id->pto);

    if (abi.release)
        buffer_printf(out, "release %s, %s, sha256 %.12s…", abi.release, abi.encoding_abi,
                      abi.sha256);
    else if (rev)
        buffer_printf(out, "release %s", rev->release);
    else
        buffer_printf(out, "no PTO identity");
}

/* The rule of the ABI vectors, first difference first; NULL when both are equal. */
static const char *abi_difference(const struct obj_identity *a, const struct obj_identity *b)
{
    struct abi_identity x = abi_identity_of(a), y = abi_identity_of(b);

    if (a->pto && b->pto && a->pto != b->pto)
        return "release-mismatch";
    if (!x.release && !y.release && a->pto && a->pto == b->pto)
        return NULL; /* one revision without a published identity */
    if (!x.release || !y.release)
        return a->pto && b->pto ? "release-mismatch" : "missing-identity";
    if (strcmp(x.release, y.release))
        return "release-mismatch";
    if (strcmp(x.encoding_abi, y.encoding_abi))
        return "encoding-abi-mismatch";
    if (strcmp(x.sha256, y.sha256))
        return "encoding-hash-mismatch";
    return NULL;
}

/* A revision without a published identity, DESIGN 2.2: pto0.58.2. */
static const struct isa_revision *unpublished(const struct obj_identity *id)
{
    const struct isa_revision *rev = revision_of(ISA_SET_PTO, id->pto);

    return rev && !abi_identity_of(id).release ? rev : NULL;
}

static bool pto_compatible(const struct obj_identity *a, const struct obj_identity *b,
                           struct buffer *why)
{
    if (!a->has_pto || !b->has_pto)
        return true;
    const char *difference = abi_difference(a, b);
    if (!difference)
        return true;
    const struct isa_revision *alone = unpublished(a) ? unpublished(a) : unpublished(b);

    buffer_printf(why, "%s: ", difference);
    describe(a, why);
    buffer_printf(why, " against ");
    describe(b, why);
    if (alone)
        buffer_printf(why,
                      "; %s encodes B.IOT and B.IOS differently from later revisions and has no "
                      "published identity, so it links with %s alone",
                      alone->name, alone->name);
    return false;
}

bool obj_identity_compatible(const struct obj_identity *a, const struct obj_identity *b,
                             struct buffer *why)
{
    if (!pto_compatible(a, b, why))
        return false;
    if (a->seq && b->seq && a->seq != b->seq) {
        const struct isa_revision *x = revision_of(ISA_SET_SEQ, a->seq);
        const struct isa_revision *y = revision_of(ISA_SET_SEQ, b->seq);

        buffer_printf(why, "seq-generation-mismatch: %s against %s", x ? x->name : "unknown",
                      y ? y->name : "unknown");
        return false;
    }
    return true;
}
