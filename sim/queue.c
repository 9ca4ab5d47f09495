/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/queue.h"

enum queue_status { QUEUE_DONE = 0, QUEUE_NOT_NOW = 1, QUEUE_UNKNOWN = 2 };
enum { STATUS_SHIFT = 62, CAPACITY_MASK = 0x3ff, ENTRY_BYTES = 8 };

void queues_create(struct sim *s)
{
    s->queues = arena_alloc(s->arena, sizeof *s->queues);
}

void queues_destroy(struct sim *s)
{
    if (s->queues)
        vec_free(s->mem, &s->queues->slots);
}

static uint64_t result(unsigned count, enum queue_status status)
{
    return count | (uint64_t)status << STATUS_SHIFT;
}

static struct queue *find(struct sim *s, uint64_t address)
{
    for (size_t i = 0; i < s->queues->slots.count; i++)
        if (s->queues->slots.item[i].address == address)
            return &s->queues->slots.item[i];
    return NULL;
}

static struct queue *initialize(struct sim *s, uint64_t address, unsigned capacity)
{
    struct queue *q = find(s, address);
    if (!q)
        q = vec_push(s->mem, &s->queues->slots);
    uint64_t *entry = q->entry;
    if (!entry)
        entry = arena_array(s->arena, QUEUE_MAX_CAPACITY, sizeof *entry);
    *q = (struct queue){.address = address, .capacity = (uint16_t)capacity, .entry = entry};
    return q;
}

uint64_t queue_manage(struct sim *s, uint64_t address, uint64_t capacity,
                      struct queue_controls controls)
{
    struct queue *q;
    uint64_t answer;
    if (controls.initialize) {
        q = initialize(s, address, capacity & CAPACITY_MASK);
        answer = result(q->capacity * ENTRY_BYTES, QUEUE_DONE);
    } else {
        q = find(s, address);
        if (!q || q->corrupt)
            return result(0, QUEUE_NOT_NOW);
        answer = result(q->capacity - q->count, QUEUE_DONE);
    }
    if (controls.suspend)
        q->suspended = true;
    else if (controls.restore)
        q->suspended = false;
    return answer;
}

uint64_t queue_push(struct sim *s, uint64_t address, uint64_t value, struct queue_controls controls)
{
    struct queue *q = find(s, address);
    if (!q || q->corrupt)
        return result(0, QUEUE_UNKNOWN);
    unsigned remaining = q->capacity - q->count;
    if (q->suspended || remaining == 0)
        return result(remaining, QUEUE_NOT_NOW);
    unsigned at = (q->head + q->count) % q->capacity;
    if (controls.at_head)
        at = q->head = (uint16_t)((q->head ? q->head : q->capacity) - 1);
    q->entry[at] = value;
    q->count++;
    return result(q->capacity - q->count, QUEUE_DONE);
}

uint64_t queue_pop(struct sim *s, uint64_t address, uint64_t *value)
{
    struct queue *q = find(s, address);
    *value = 0;
    if (!q || q->corrupt)
        return result(0, QUEUE_UNKNOWN);
    if (q->count == 0)
        return result(0, QUEUE_NOT_NOW);
    *value = q->entry[q->head];
    q->head = (uint16_t)((q->head + 1) % q->capacity);
    q->count--;
    if (q->count == 0)
        q->head = 0;
    return result(q->count, QUEUE_DONE);
}
