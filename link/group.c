/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sections that do not take part although their object does: COMDAT groups that an earlier object
 * has (gABI, "Section Groups"), and what is marked SHF_EXCLUDE.
 */
#include "link/linker.h"

static void discard_members(struct unit *u, const struct obj_group *g)
{
    for (size_t i = 0; i < g->count; i++) {
        struct piece *p = &u->pieces[g->members[i]];

        p->live = false;
        p->discard = DISCARD_GROUP;
    }
}

static void enter_group(struct linker *l, struct unit *u, uint32_t index)
{
    const struct obj_group *g = &u->object->groups.item[index];

    for (size_t i = 0; i < g->count; i++)
        u->pieces[g->members[i]].group = index + 1;
    if (!g->comdat)
        return;
    void **slot = map_put(&l->groups, intern_z(l->names, g->signature));
    if (*slot)
        discard_members(u, g);
    else
        *slot = u;
}

void link_enter_groups(struct linker *l, struct unit *u)
{
    for (uint32_t i = 0; i < u->object->groups.count; i++)
        enter_group(l, u, i);
    for (size_t i = 0; !l->options->relocatable && i < u->object->sections.count; i++)
        if (u->object->sections.item[i].flags & OBJ_EXCLUDE) {
            u->pieces[i].live = false;
            u->pieces[i].discard = DISCARD_EXCLUDE;
        }
    link_discard_followers(u);
}

void link_discard_followers(struct unit *u)
{
    for (size_t i = 0; i < u->object->sections.count; i++) {
        const struct obj_section *s = &u->object->sections.item[i];

        if (!(s->flags & OBJ_LINK_ORDER) || !u->pieces[s->link].discard || u->pieces[i].discard)
            continue;
        u->pieces[i].live = false;
        u->pieces[i].discard = DISCARD_FOLLOWS;
    }
}

const char *link_discard_reason(struct linker *l, const struct piece *p)
{
    const struct unit *kept;
    const struct obj_group *g;

    switch ((enum discard)p->discard) {
    case DISCARD_GROUP:
        g = &p->unit->object->groups.item[p->group - 1];
        kept = map_get(&l->groups, intern_z(l->names, g->signature));
        return arena_printf(l->arena, ": the group '%s' was taken from %s", g->signature,
                            kept->name);
    case DISCARD_FOLLOWS:
        return ": the section that it follows (SHF_LINK_ORDER) does not take part";
    case DISCARD_EXCLUDE:
        return ": it is marked to be left out of programs (SHF_EXCLUDE)";
    case DISCARD_SCRIPT:
        return " by the linker script";
    case DISCARD_NOT:
        break;
    }
    return "";
}
