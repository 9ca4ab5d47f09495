/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * .note.pto.isa against the ten ABI vectors of pto-spec
 * (tests/data/pto-isa-0583-abi-vectors.json), and .note.pto.ext.
 */
#include "tests/objfile/build.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char vectors_file[] = "/tests/data/pto-isa-0583-abi-vectors.json";

static json_t *load_vectors(void)
{
    const char *srcdir = getenv("srcdir");
    char path[4096];
    json_error_t error;

    snprintf(path, sizeof path, "%s%s", srcdir ? srcdir : ".", vectors_file);
    json_t *all = json_load_file(path, 0, &error);
    if (!all)
        fail_msg("%s: %s", path, error.text);
    return all;
}

/* What a file with this identity says; JSON null: PTO code without a note. */
static struct obj_identity identity_of(const json_t *vector)
{
    struct obj_identity id = {.has_pto = true, .extensions = ""};

    if (json_is_object(vector)) {
        id.release = json_string_value(json_object_get(vector, "release"));
        id.encoding_abi = json_string_value(json_object_get(vector, "encoding_abi"));
        id.projection_sha256 =
            json_string_value(json_object_get(vector, "encoding_projection_sha256"));
    }
    return id;
}

static void ten_vectors(void **state)
{
    struct job j;
    struct buffer why;
    json_t *all = load_vectors(), *cases = json_object_get(all, "cases"), *v;
    size_t i;
    (void)state;
    job_begin(&j);
    buffer_init(&why, &j.mem);
    assert_int_equal(json_array_size(cases), 10);
    json_array_foreach(cases, i, v)
    {
        const char *id = json_string_value(json_object_get(v, "id"));
        const char *expected = json_string_value(json_object_get(v, "expected"));
        const char *reason = json_string_value(json_object_get(v, "reason"));
        json_t *inputs = json_object_get(v, "inputs");
        struct obj_identity a =
            identity_of(inputs ? json_array_get(inputs, 0) : json_object_get(v, "image"));
        struct obj_identity b =
            identity_of(inputs ? json_array_get(inputs, 1) : json_object_get(v, "implementation"));

        why.size = 0;
        bool accepted = obj_identity_compatible(&a, &b, &why);
        buffer_extend(&why, 1);
        if (accepted != !strcmp(expected, "accept"))
            fail_msg("%s: expected %s", id, expected);
        if (reason && strncmp((char *)why.data, reason, strlen(reason)))
            fail_msg("%s: reason %s, expected %s", id, (char *)why.data, reason);
        if (accepted)
            assert_int_equal(why.size, 1);
    }
    buffer_free(&why);
    json_decref(all);
    job_end(&j);
}

static struct buffer object_with(struct job *j, struct obj_identity id)
{
    struct object *o = obj_create(&j->mem, OBJ_RELOCATABLE);

    o->identity = id;
    return build_elf(j, o, false);
}

/* The section's bytes from the layout that elf_identity describes, not from our writer. */
static void note_is_byte_exact(void **state)
{
    struct job j;
    json_t *all = load_vectors(), *layout = json_object_get(all, "elf_identity");
    (void)state;
    job_begin(&j);
    char *desc = malloc(1000);
    int size = snprintf(desc, 1000,
                        "{\"encoding_abi\":\"%s\",\"encoding_projection_sha256\":\"%s\","
                        "\"release\":\"%s\"}",
                        json_string_value(json_object_get(all, "encoding_abi")),
                        json_string_value(json_object_get(all, "encoding_projection_sha256")),
                        json_string_value(json_object_get(all, "release")));
    uint8_t expected[0xb8] = {4, 0, 0, 0, 165, 0, 0, 0, 1, 0, 0, 0, 'P', 'T', 'O', 0};
    assert_int_equal(size, 165);
    assert_int_equal(json_integer_value(json_object_get(layout, "note_type_value")), 1);
    memcpy(expected + 16, desc, 165);

    struct obj_identity id = {.has_pto = true, .pto = 1 << ISA_REV_0_58_3, .extensions = ""};
    struct buffer elf = object_with(&j, id);
    struct object *o = obj_read_elf(&j.mem, j.diag, "a.o", elf.data, elf.size);
    const struct obj_section *s =
        find_section(o, json_string_value(json_object_get(layout, "section")));
    assert_non_null(s);
    assert_int_equal(s->type, OBJ_NOTE);
    assert_int_equal(s->flags, OBJ_ALLOC);
    assert_int_equal(s->align, 4);
    assert_int_equal(s->size, 0xb8);
    assert_memory_equal(s->data, expected, 0xb8);
    obj_destroy(o);
    buffer_free(&elf);
    free(desc);
    json_decref(all);
    job_end(&j);
}

/* The identities that DESIGN 4 gives: 0.58.5 has one, 0.58.2 has none. */
static void each_revision_has_its_note(void **state)
{
    static const struct {
        isa_revset pto;
        bool note;
        const char *ext;
    } rows[] = {
        {1 << ISA_REV_0_58_2, false, "{\"extensions\":\"\",\"pto\":\"pto0.58.2\",\"seq\":\"\"}"},
        {1 << ISA_REV_0_58_3, true, "{\"extensions\":\"\",\"pto\":\"pto0.58.3\",\"seq\":\"\"}"},
        {1 << ISA_REV_0_58_5, true, "{\"extensions\":\"\",\"pto\":\"pto0.58.5\",\"seq\":\"\"}"},
    };
    struct job j;
    (void)state;
    job_begin(&j);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buffer elf = object_with(
            &j, (struct obj_identity){.has_pto = true, .pto = rows[i].pto, .extensions = ""});
        struct object *o = obj_read_elf(&j.mem, j.diag, "a.o", elf.data, elf.size);
        const struct obj_section *ext = find_section(o, ".note.pto.ext");

        assert_int_equal(find_section(o, ".note.pto.isa") != NULL, rows[i].note);
        assert_int_equal(o->identity.release != NULL, rows[i].note);
        assert_int_equal(o->identity.pto, rows[i].pto);
        assert_true(o->identity.has_pto);
        assert_memory_equal(ext->data + 16, rows[i].ext, strlen(rows[i].ext));
        assert_int_equal(ext->data[8], 2); /* the note's type */
        obj_destroy(o);
        buffer_free(&elf);
    }
    assert_string_equal(job_messages(&j), "");
    job_end(&j);
}

static void assert_compatible(struct job *j, struct obj_identity a, struct obj_identity b,
                              const char *why_not)
{
    struct buffer why;

    buffer_init(&why, &j->mem);
    assert_int_equal(obj_identity_compatible(&a, &b, &why), !*why_not);
    buffer_extend(&why, 1);
    assert_string_equal((char *)why.data, why_not);
    buffer_free(&why);
}

static void who_links_with_whom(void **state)
{
    const struct obj_identity none = {.extensions = ""}; /* data only */
    const struct obj_identity r2 = {.has_pto = true, .pto = 1 << ISA_REV_0_58_2};
    const struct obj_identity r3 = {.has_pto = true, .pto = 1 << ISA_REV_0_58_3};
    const struct obj_identity r5 = {.has_pto = true, .pto = 1 << ISA_REV_0_58_5};
    const struct obj_identity foreign = {.has_pto = true,
                                         .release = "0.58.2",
                                         .encoding_abi = "abi",
                                         .projection_sha256 = "0123456789abcdef"};
    const struct obj_identity sunda = {.seq = 1 << ISA_GEN_SUNDA};
    const struct obj_identity cayman = {.seq = 1 << ISA_GEN_CAYMAN};
    struct job j;
    (void)state;
    job_begin(&j);
    assert_compatible(&j, none, r3, "");
    assert_compatible(&j, r2, none, "");
    assert_compatible(&j, r2, r2, "");
    assert_compatible(&j, r3, r3, "");
    assert_compatible(&j, r3, cayman, "");
    assert_compatible(&j, cayman, cayman, "");
    assert_compatible(
        &j, r2, r3,
        "release-mismatch: release 0.58.2 against release 0.58.3, pto-isa-0.58.3-mode-function-v1, "
        "sha256 8a48b80e0448…; pto0.58.2 encodes B.IOT and B.IOS differently from later revisions "
        "and has no published identity, so it links with pto0.58.2 alone");
    assert_compatible(&j, r3, r5,
                      "release-mismatch: release 0.58.3, pto-isa-0.58.3-mode-function-v1, sha256 "
                      "8a48b80e0448… against release 0.58.5, pto-isa-0.58.5-mode-function-v1, "
                      "sha256 c4a0188f4c90…");
    assert_compatible(
        &j, r2, foreign,
        "missing-identity: release 0.58.2 against release 0.58.2, abi, sha256 0123456789ab…; "
        "pto0.58.2 encodes B.IOT and B.IOS differently from later revisions and has no published "
        "identity, so it links with pto0.58.2 alone");
    assert_compatible(&j, sunda, cayman, "seq-generation-mismatch: sunda against cayman");
    job_end(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_vectors),
        cmocka_unit_test(note_is_byte_exact),
        cmocka_unit_test(each_revision_has_its_note),
        cmocka_unit_test(who_links_with_whom),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
