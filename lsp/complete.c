/* SPDX-License-Identifier: BSD-3-Clause */
/* What may stand at a place: the first word of a statement, or an operand by its position. */
#include <ctype.h>
#include <string.h>

#include "isa/ops.h"
#include "lsp/server.h"

enum item_kind { /* LSP 3.17, CompletionItemKind */
                 ITEM_FUNCTION = 3,
                 ITEM_VARIABLE = 6,
                 ITEM_PROPERTY = 10,
                 ITEM_ENUM_MEMBER = 20,
                 ITEM_KEYWORD = 14,
                 ITEM_CONSTANT = 21,
                 ITEM_SNIPPET_MACRO = 15,
};

struct completion {
    struct request *request;
    struct document *document;
    const char *prefix;
    size_t prefix_size, begin, end; /* the bytes that an item replaces */
    bool lower;                     /* the prefix is in lower case */
    struct intern *names;
    json_t *list;
};

/* Each name once. `fold`: in the case of the prefix. */
static void add(struct completion *c, const char *name, size_t size, enum item_kind kind,
                const char *detail, bool fold)
{
    char text[80];
    if (size < c->prefix_size || size >= sizeof text ||
        !equal_folded(name, c->prefix_size, c->prefix, c->prefix_size))
        return;
    for (size_t i = 0; i < size; i++)
        text[i] = (char)(fold && c->lower ? tolower((unsigned char)name[i]) : name[i]);
    size_t before = intern_count(c->names);
    intern(c->names, text, size);
    if (intern_count(c->names) == before)
        return;
    json_t *item = json_pack(
        "{s:s%, s:i, s:{s:o, s:s%}}", "label", text, size, "kind", (int)kind, "textEdit", "range",
        make_range(c->request->server, c->document, c->begin, c->end), "newText", text, size);
    if (detail)
        json_object_set_new(item, "detail", json_string(detail));
    json_array_append_new(c->list, item);
}

static void add_symbols(struct completion *c, bool macros)
{
    static const enum item_kind kinds[] = {[ASM_LABEL] = ITEM_FUNCTION,
                                           [ASM_VALUE] = ITEM_CONSTANT,
                                           [ASM_COMMON] = ITEM_VARIABLE,
                                           [ASM_MACRO] = ITEM_SNIPPET_MACRO};
    const struct document *d = c->document;
    for (size_t i = 0; i < d->definitions.count; i++) {
        const struct definition *known = &d->definitions.item[i];
        if ((known->kind == ASM_MACRO) == macros)
            add(c, known->name, strlen(known->name), kinds[known->kind], known->section, false);
    }
}

/* ---- first words ---- */

static void add_first_words(struct completion *c)
{
    const char *name;
    for (size_t n = 0; (name = asm_directive_name(n)); n++)
        add(c, name, strlen(name), ITEM_KEYWORD, directive_text(name), false);
    if (c->prefix_size && *c->prefix == '.')
        return;
    add_symbols(c, true);
    for (unsigned n = 0; n < ISA_MNEMONIC_COUNT; n++) {
        const struct isa_mnemonic *m = &isa_mnemonics[n];
        const char *text = isa_spellings[isa_mnemonic_index[m->first]].mnemonic;
        add(c, text, strlen(text), ITEM_FUNCTION, NULL, true);
    }
    for (unsigned n = 0; n < ISA_OP_COUNT; n++)
        add(c, isa_ops[n].name, strlen(isa_ops[n].name), ITEM_FUNCTION, "PTO-AS", false);
}

/* ---- operands ---- */

static void add_members(struct completion *c, unsigned enumeration, isa_revset revs)
{
    const struct isa_enumeration *e = &isa_enumerations[enumeration];
    for (unsigned n = 0; n < e->count; n++)
        if (e->members[n].revs & revs)
            add(c, e->members[n].name, strlen(e->members[n].name), ITEM_ENUM_MEMBER, e->what,
                false);
}

static bool is_bracket(const struct isa_operand *o)
{
    return o->form >= ISA_OPERAND_OPEN_BRACKET && o->form <= ISA_OPERAND_CLOSE_BRACE;
}

static void add_operand(struct completion *c, const struct isa_form *form,
                        const struct isa_operand *o)
{
    if ((o->form == ISA_OPERAND_LITERAL || o->form == ISA_OPERAND_FLAG) && o->text)
        add(c, o->text, strcspn(o->text, "/"), ITEM_KEYWORD, NULL, false);
    if (o->enumeration)
        add_members(c, o->enumeration - 1u, form->revs);
    for (unsigned i = 0; i < 2; i++)
        if (o->field[i] != ISA_NO_FIELD && form->fields[o->field[i]].enumeration)
            add_members(c, form->fields[o->field[i]].enumeration - 1u, form->revs);
}

static void add_keys(struct completion *c, const struct isa_spelling *s)
{
    for (unsigned i = 0; i < s->noperands; i++) {
        const struct isa_operand *o = &s->operands[i];
        char text[40];
        if (!(o->flags & (ISA_OPERAND_KEYED | ISA_OPERAND_EITHER)) || !o->text)
            continue;
        snprintf(text, sizeof text, "%.*s=", (int)strcspn(o->text, "/"), o->text);
        add(c, text, strlen(text), ITEM_PROPERTY, NULL, false);
    }
}

static bool has_key(const struct isa_operand *o, const struct text_token *key)
{
    for (const char *p = o->text; p && *p;) {
        size_t size = strcspn(p, "/");
        if (equal_folded(p, size, key->at, key->size))
            return true;
        p += size + (p[size] == '/');
    }
    return false;
}

/* Is it what the place asks for? *position counts the operands with a place of their own. */
static bool stands_here(const struct isa_operand *o, const struct spot *spot, unsigned *position)
{
    if (spot->key.kind)
        return has_key(o, &spot->key);
    if (spot->destination || o->flags & ISA_OPERAND_DEST)
        return spot->destination && o->flags & ISA_OPERAND_DEST;
    if (o->flags & ISA_OPERAND_KEYED)
        return false;
    return (*position)++ == spot->commas || o->form == ISA_OPERAND_FLAG;
}

static void add_spelling(struct completion *c, const struct isa_spelling *s,
                         const struct spot *spot)
{
    const struct isa_form *form = &isa_forms[s->form];
    unsigned position = 0;
    for (unsigned i = 0; i < s->noperands; i++)
        if (!is_bracket(&s->operands[i]) && stands_here(&s->operands[i], spot, &position))
            add_operand(c, form, &s->operands[i]);
    if (!spot->key.kind && !spot->destination)
        add_keys(c, s);
}

static void add_instruction(struct completion *c, const struct spot *spot)
{
    size_t used;
    const struct isa_mnemonic *m =
        isa_find_mnemonic_prefix(spot->command.at, spot->command.size, &used);
    for (unsigned n = 0; m && n < m->count; n++)
        add_spelling(c, &isa_spellings[isa_mnemonic_index[m->first + n]], spot);
    if (!spot->destination && !spot->key.kind)
        add_symbols(c, false);
}

/* ---- directives, PTO-AS ---- */

static bool is(const struct text_token *t, const char *text)
{
    return equal_folded(t->at, t->size, text, strlen(text));
}

static void add_words(struct completion *c, const char *const *words)
{
    for (; *words; words++)
        add(c, *words, strlen(*words), ITEM_KEYWORD, NULL, false);
}

static void add_directive(struct completion *c, const struct spot *spot)
{
    static const char *const options[] = {"nobundle", "bundle", "norelax", "relax", NULL};
    static const char *const engines[] = {"act", "dve", "pe", "pool", "sp", NULL};
    if (is(&spot->command, ".option"))
        add_words(c, options);
    else if (is(&spot->command, ".seq"))
        add_words(c, engines);
    else if (is(&spot->command, ".purgem"))
        add_symbols(c, true);
    else
        add_symbols(c, false);
}

/* Values and functions that the document names. */
static void add_values(struct completion *c, size_t offset)
{
    const char *text = document_text(c->document);
    for (struct text_reader r = text_read(text, c->document->text.size);;) {
        struct text_token t = text_next(&r);
        if (t.kind == TEXT_END || (size_t)(t.at - text) >= offset)
            return;
        bool here = (size_t)(t.at - text) == c->begin;
        if ((t.kind == TEXT_SSA || t.kind == TEXT_SYMBOL) && !here)
            add(c, t.at, t.size, ITEM_VARIABLE, NULL, false);
    }
}

static void add_all(struct completion *c, const struct spot *spot, size_t offset)
{
    bool first = !spot->command.kind || (spot->token.kind && spot->token.at == spot->command.at);
    if (spot->command.statement == TEXT_OP && !first) {
        add_values(c, offset);
        for (unsigned n = 0; n < ISA_OP_COUNT; n++)
            add(c, isa_ops[n].name, strlen(isa_ops[n].name), ITEM_FUNCTION, "PTO-AS", false);
    } else if (first) {
        add_first_words(c);
    } else if (spot->command.statement == TEXT_DIRECTIVE ||
               spot->command.statement == TEXT_RAW_DIRECTIVE) {
        add_directive(c, spot);
    } else if (spot->command.statement == TEXT_PTO || spot->command.statement == TEXT_SEQ) {
        add_instruction(c, spot);
    } else {
        add_symbols(c, false);
        add_members(c, ISA_ENUM_GPR, 0xff);
    }
}

json_t *do_complete(struct request *r)
{
    struct document *d;
    size_t offset;
    if (!request_place(r, &d, &offset))
        return NULL;
    struct spot spot = find_spot(d, offset, true);
    struct completion c = {.request = r, .document = d, .begin = offset, .end = offset};
    c.list = json_array();
    bool literal = spot.token.kind == TEXT_STRING || spot.token.kind == TEXT_NUMBER ||
                   spot.token.kind == TEXT_LABEL;
    if (spot.comment || literal)
        return c.list;
    bool bracket = spot.token.kind == TEXT_OPEN || spot.token.kind == TEXT_CLOSE ||
                   spot.token.kind == TEXT_REGION_OPEN || spot.token.kind == TEXT_REGION_END;
    c.prefix = document_text(d) + offset;
    if (spot.token.kind && !bracket) {
        c.prefix = spot.token.at;
        c.begin = (size_t)(spot.token.at - document_text(d));
        c.prefix_size = offset - c.begin;
        c.end = c.begin + spot.token.size;
    }
    c.lower = true;
    for (size_t i = 0; i < c.prefix_size; i++)
        c.lower &= !isupper((unsigned char)c.prefix[i]);
    c.lower &= c.prefix_size > 0;
    c.names = intern_create(&r->server->mem);
    add_all(&c, &spot, offset);
    intern_destroy(c.names);
    return c.list;
}
