/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * General queues (HL.QMT, HL.QPUSH, HL.QPOP): rings of words named by an
 * address, shared by all PEs (asl/arch/programming-model/general-queue-management.asl).
 */
#ifndef PTO_SIM_QUEUE_H
#define PTO_SIM_QUEUE_H

#include "sim/machine.h"

enum { QUEUE_MAX_CAPACITY = 1023 };

struct queue {
    uint64_t address;
    uint16_t capacity, count, head;
    bool suspended, corrupt;
    uint64_t *entry; /* capacity words */
};

struct queues {
    VEC(struct queue) slots; /* in order of first initialisation */
};

void queues_create(struct sim *s);
void queues_destroy(struct sim *s);

struct queue_controls { /* suffix letters of the three instructions */
    bool initialize, event, suspend, restore, at_head;
};

/* Result word: bits 12:0 a count, 63:62 a status (0 done, 1 not now, 2 no such queue). */
uint64_t queue_manage(struct sim *s, uint64_t address, uint64_t capacity,
                      struct queue_controls controls);
uint64_t queue_push(struct sim *s, uint64_t address, uint64_t value,
                    struct queue_controls controls);
uint64_t queue_pop(struct sim *s, uint64_t address, uint64_t *value);

#endif
