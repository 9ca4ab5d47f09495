/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of a mnemonic behind its name: `.aqrl`, `.fs2fd`, `.l1`, `.UINT32`.
 * FLAG parts follow one dot without separators; a VALUE part carries its own
 * lead ("." or "2") and takes the longest member name that fits.
 */
#include "encoder/match.h"

#include <string.h>

struct cursor {
    const char *text;
    size_t size, at;
    bool in_flags; /* the dot of the flags is behind us */
};

static bool ahead(const struct cursor *c, size_t skip, const char *word, size_t n)
{
    return c->size - c->at >= skip + n && equal_folded(c->text + c->at + skip, n, word, n);
}

static bool take_flag(struct cursor *c, const char *word)
{
    size_t n = strlen(word), dot = c->in_flags ? 0 : 1;
    if (dot && (c->at == c->size || c->text[c->at] != '.'))
        return false;
    if (!ahead(c, dot, word, n))
        return false;
    c->at += dot + n;
    c->in_flags = true;
    return true;
}

static const struct isa_member *take_member(struct cursor *c, const char *lead,
                                            const struct isa_enumeration *e, isa_revset revs)
{
    const struct isa_member *best = NULL;
    size_t skip = lead ? strlen(lead) : 0, longest = 0;
    if (skip && !ahead(c, 0, lead, skip))
        return NULL;
    for (unsigned i = 0; i < e->count; i++) {
        size_t n = strlen(e->members[i].name);
        if (n > longest && (e->members[i].revs & revs) && ahead(c, skip, e->members[i].name, n)) {
            best = &e->members[i];
            longest = n;
        }
    }
    if (best)
        c->at += skip + longest;
    return best;
}

static bool fail_suffix(struct attempt *a, const struct isa_operand *part, const struct cursor *c)
{
    fail(a, FAIL_SUFFIX, NULL, part);
    a->fail.loc = a->stmt->name_loc;
    a->fail.text = c->text + c->at;
    a->fail.text_size = c->size - c->at;
    return false;
}

static bool bind_part(struct attempt *a, const struct isa_operand *part, struct cursor *c)
{
    unsigned field = part->field[0];
    if (part->form == ISA_OPERAND_FLAG) {
        put_value(a, field, 0, take_flag(c, part->text));
        return true;
    }
    const struct isa_enumeration *e = field_enumeration(&a->form->fields[field]);
    const struct isa_member *m = take_member(c, part->text, e, a->revs);
    if (!m && !(part->flags & ISA_OPERAND_OPTIONAL))
        return fail_suffix(a, part, c);
    put_value(a, field, 0, m ? m->value : (uint64_t)part->dflt);
    c->in_flags = false;
    return true;
}

bool bind_suffix(struct attempt *a, const char *rest, size_t size)
{
    struct cursor c = {.text = rest, .size = size};
    const struct isa_spelling *sp = a->spelling;
    for (unsigned i = 0; i < sp->nsuffix; i++)
        if (!bind_part(a, &sp->suffix[i], &c))
            return false;
    return c.at == c.size || fail_suffix(a, NULL, &c);
}
