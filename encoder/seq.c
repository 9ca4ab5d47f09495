/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of SEQ modes and types are composed like the vendor's: SEM_GT_IMM,
 * SEM_ADD_REG_READ, EVT_CLEAR_THEN_SET, UINT32. The tables give their codes
 * and generations; here only the grammar of the names is known.
 */
#include "encoder/seq.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODE_NAME = 40 };

static const char EVENT_PREFIX[] = "EVT_", SEMAPHORE_PREFIX[] = "SEM_";

static const char *const relations[] = {
    [AST_REL_EQ] = "EQ", [AST_REL_NE] = "NE", [AST_REL_LT] = "LT",
    [AST_REL_LE] = "LE", [AST_REL_GT] = "GT", [AST_REL_GE] = "GE",
};
static const char *const updates[] = {
    [AST_UPDATE_INC] = "INC", [AST_UPDATE_DEC] = "DEC", [AST_UPDATE_ADD] = "ADD",
    [AST_UPDATE_SUB] = "SUB", [AST_UPDATE_SET] = "WR",
};

bool seq_event_has_value(const struct seq_event *e)
{
    return !e->event &&
           (!e->update || (e->relation != AST_UPDATE_INC && e->relation != AST_UPDATE_DEC));
}

static const char *operand_suffix(const struct seq_event *e)
{
    if (!seq_event_has_value(e))
        return "";
    return e->offset ? "_REG_OFFSET" : e->by_register ? "_REG" : "_IMM";
}

static void wait_name(const struct seq_event *e, char *name)
{
    bool set = e->relation == AST_REL_EQ;
    if (e->event)
        snprintf(name, MODE_NAME, "%s%s%s", EVENT_PREFIX, set ? "SET" : "CLEAR",
                 !e->flip ? ""
                 : set    ? "_THEN_CLEAR"
                          : "_THEN_SET");
    else
        snprintf(name, MODE_NAME, "%s%s%s", SEMAPHORE_PREFIX, relations[e->relation],
                 operand_suffix(e));
}

/* An event is set by `= 1` (no register) and cleared by `= 0` (flip). */
static void update_name(const struct seq_event *e, char *name)
{
    const char *phase = e->complete ? "_COMPLETE" : "_READ";
    if (e->event)
        snprintf(name, MODE_NAME, "%s%s%s", EVENT_PREFIX, e->flip ? "CLR" : "SET", phase);
    else
        snprintf(name, MODE_NAME, "%s%s%s%s", SEMAPHORE_PREFIX, updates[e->relation],
                 operand_suffix(e), phase);
}

const struct isa_member *seq_event_mode(const struct isa_enumeration *modes,
                                        const struct seq_event *e, isa_revset revs)
{
    char name[MODE_NAME];
    if (e->update)
        update_name(e, name);
    else
        wait_name(e, name);
    return isa_find_member(modes, name, strlen(name), revs);
}

static bool begins(const char *name, const char *word)
{
    return !strncmp(name, word, strlen(word));
}

/* Spares most of the names that seq_event_of_mode would compose. */
static bool may_be_called(const struct seq_event *e, const char *name)
{
    const char *word = e->update ? updates[e->relation] : relations[e->relation];
    return e->event
               ? begins(name, EVENT_PREFIX)
               : begins(name, SEMAPHORE_PREFIX) && begins(name + sizeof SEMAPHORE_PREFIX - 1, word);
}

bool seq_event_of_mode(const struct isa_enumeration *modes, uint64_t mode, bool update,
                       isa_revset revs, struct seq_event *out)
{
    enum { EVENT = 1, BY_REGISTER = 2, COMPLETE = 4, FLIP = 8, OFFSET = 16, ALL = 32 };
    unsigned nrelations = update ? AST_UPDATE_SET + 1 : AST_REL_GE + 1;
    const struct isa_member *named = isa_member_of_value(modes, mode, revs);
    if (!named)
        return false;
    for (unsigned i = 0; i < nrelations * ALL; i++) {
        struct seq_event e = {.update = update,
                              .relation = (uint8_t)(i / ALL),
                              .event = i & EVENT,
                              .by_register = i & BY_REGISTER,
                              .complete = i & COMPLETE,
                              .flip = i & FLIP,
                              .offset = i & OFFSET};
        if (e.offset && (update || e.event || !e.by_register))
            continue;
        if (e.event && update)
            e.relation = AST_UPDATE_SET;
        if (!may_be_called(&e, named->name))
            continue;
        const struct isa_member *m = seq_event_mode(modes, &e, revs);
        if (m && m->value == mode) {
            *out = e;
            return true;
        }
    }
    return false;
}

struct seq_type seq_type_of(const struct isa_insn *in, isa_revset revs)
{
    int field = isa_field_index(in->form, ISA_FIELD_dtype);
    if (field < 0)
        return (struct seq_type){.bits = 32, .name = ""};
    const struct isa_field *f = &in->form->fields[field];
    const struct isa_member *m =
        isa_member_of_value(field_enumeration(f), in->value[f->index], revs);
    struct seq_type t = {.name = m ? m->name : ""};
    size_t letters = strcspn(t.name, "0123456789");
    if (equal_folded(t.name, letters, "UINT", 4) || equal_folded(t.name, letters, "INT", 3) ||
        equal_folded(t.name, letters, "FP", 2)) {
        char *end;
        t.bits = (unsigned)strtoul(t.name + letters, &end, 10);
        if (*end)
            t.bits = 0;
    }
    t.is_float = letters && (t.name[0] == 'F');
    t.is_signed = t.bits && t.name[0] == 'I'; /* not INVALID */
    return t;
}

struct limits seq_type_limits(const struct seq_type *t)
{
    struct limits l = {.min = INT64_MIN, .max = INT64_MAX, .step = 1, .scale = 1};
    if (!t->bits || t->bits >= 64)
        return l;
    int64_t span = (int64_t)1 << (t->bits - t->is_signed);
    l.min = t->is_signed ? -span : 0;
    l.max = span - 1;
    return l;
}

uint64_t seq_type_mask(const struct seq_type *t)
{
    return t->bits && t->bits < 64 ? ((uint64_t)1 << t->bits) - 1 : ~(uint64_t)0;
}
