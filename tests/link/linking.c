/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/link/linking.h"

void linking_begin(struct linking *l, struct job *j)
{
    *l = (struct linking){.job = j};
    buffer_init(&l->messages, &j->mem);
    buffer_init(&l->map, &j->mem);
    l->options.messages = &l->messages;
    l->options.inputs = l->inputs;
}

void linking_add_bytes(struct linking *l, const char *name, struct buffer bytes)
{
    assert_true(l->count < MOST_INPUTS);
    l->bytes[l->count] = bytes;
    l->inputs[l->count] = (struct link_input){
        .kind = LINK_FILE, .name = name, .bytes = bytes.data, .size = bytes.size};
    l->options.ninputs = ++l->count;
}

void linking_add(struct linking *l, const char *name, struct object *o)
{
    linking_add_bytes(l, name, build_elf(l->job, o, true));
}

void linking_mark(struct linking *l, enum link_input_kind kind)
{
    assert_true(l->count < MOST_INPUTS);
    l->inputs[l->count] = (struct link_input){.kind = (uint8_t)kind, .name = ""};
    l->options.ninputs = ++l->count;
}

struct object *linking_run(struct linking *l)
{
    return link_run(&l->job->mem, l->job->diag, &l->options);
}

void linking_fails(struct linking *l, const char *messages)
{
    struct object *o = linking_run(l);

    assert_string_equal(job_messages(l->job), messages);
    assert_null(o);
    job_clear(l->job);
}

void linking_end(struct linking *l)
{
    for (size_t i = 0; i < l->count; i++)
        buffer_free(&l->bytes[i]);
    buffer_free(&l->messages);
    buffer_free(&l->map);
}

const uint8_t *bytes_at(const struct object *o, uint64_t address, size_t size)
{
    for (size_t i = 0; i < o->segments.count; i++) {
        const struct obj_segment *s = &o->segments.item[i];
        uint64_t at = address - s->address;

        if (at < s->file_size && size <= s->file_size - at)
            return s->data + at;
    }
    fail_msg("no bytes at 0x%llx", (unsigned long long)address);
    return NULL;
}

uint64_t word_at(const struct object *o, uint64_t address, unsigned bytes)
{
    const uint8_t *p = bytes_at(o, address, bytes);
    uint64_t value = 0;

    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)p[i] << 8 * i;
    return value;
}
