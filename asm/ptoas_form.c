/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One PTO-AS operation by its row of isa/ptoas-ops.isa: which value is which
 * operand, whose type is which, which attribute is whose. The text is walked
 * once into a flat list of arguments, each with the place where it stood; the
 * row's operands take them in order, place by place, so that optional ones may
 * be told apart by their kind.
 */
#include "asm/verify.h"

#include <string.h>

/* ---- kinds of types ---- */

static bool is_digits(const char *text)
{
    return *text != '\0' && text[strspn(text, "0123456789")] == '\0';
}

/* One spelling: `f32`, `i#`, `memref<`, `*`. */
static bool spells(const char *spelling, size_t len, const char *text, bool bare)
{
    char last = spelling[len - 1];
    if (last == '*')
        return true;
    if (last == '<' && bare)
        return true;
    if (strncmp(text, spelling, len - (last == '#')) != 0)
        return false;
    return last == '<' || (last == '#' ? is_digits(text + len - 1) : text[len] == '\0');
}

bool ptoas_type_is(const struct ast_type *type, unsigned kind)
{
    bool tile = type->kind == AST_TYPE_TILE_BUF && type->bare;
    const char *text = tile ? "!pto.tile_buf<" : type->text;
    const char *p = isa_op_kinds[kind].spellings;
    for (size_t len; (len = strcspn(p, " ")) > 0; p += len + strspn(p + len, " "))
        if (spells(p, len, text, type->bare && !tile))
            return true;
    return false;
}

/* The text behind the prefix; a bare type is written without it. */
static const char *parameters(const struct ast_type *t)
{
    const char *open = strchr(t->text, '<');
    return open != NULL ? open : t->text;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* The target decides how a `left` tile lies, whatever was written. */
static bool same_tile(const struct ast_type *a, const struct ast_type *b)
{
    bool left = a->location != NULL && strcmp(a->location, "left") == 0;
    return same_text(a->location, b->location) && same_text(a->dtype, b->dtype) &&
           a->rows == b->rows && a->cols == b->cols && a->v_row == b->v_row &&
           a->v_col == b->v_col && (left || same_text(a->blayout, b->blayout)) &&
           same_text(a->slayout, b->slayout) && a->fractal == b->fractal && a->pad == b->pad &&
           a->compact == b->compact;
}

bool ptoas_types_agree(const struct assembler *as, const struct ast_type *a,
                       const struct ast_type *b)
{
    (void)as;
    bool tiles = a->kind == AST_TYPE_TILE_BUF || a->kind == AST_TYPE_TILE;
    if (a->kind == AST_TYPE_PLACEHOLDER || b->kind == AST_TYPE_PLACEHOLDER)
        return true;
    if (tiles && a->kind == b->kind)
        return same_tile(a, b);
    if (a->bare != b->bare)
        return strcmp(parameters(a), parameters(b)) == 0;
    return strcmp(a->text, b->text) == 0;
}

/* ---- arguments: the values of the text ---- */

struct argument {
    const struct ast_value *value;
    const struct ast_type *type;   /* that stood with it */
    const struct ast_type *listed; /* that a list of types behind all operands has for it */
    const char *group;             /* NAMED */
    uint8_t place;
};

struct gather {
    struct assembler *as;
    struct arena *arena;
    struct op_form *form;
    struct argument *args;
    unsigned nargs, capacity;
    unsigned attr_capacity;
    unsigned left;          /* see arguments_left */
    bool types_with_values; /* of the group: (%a : T), but not %a : T */
};

/* As the user wrote it: tmov.m2l, pto.tmov.m2l. */
static const char *name_of(const struct gather *g)
{
    return g->form->stmt->op->name;
}

static void *grow(struct arena *a, void *items, unsigned count, unsigned *capacity, size_t size)
{
    if (count < *capacity)
        return items;
    *capacity = *capacity == 0 ? 8 : *capacity * 2;
    void *more = arena_array(a, *capacity, size);
    if (count > 0)
        memcpy(more, items, count * size);
    return more;
}

static void add_attr(struct gather *g, const struct ast_attr *attr)
{
    struct op_form *form = g->form;
    form->attrs = grow(g->arena, form->attrs, form->nattrs, &g->attr_capacity, sizeof *form->attrs);
    form->attrs[form->nattrs++] = attr;
}

/* #cmp=gt and #atomic=add of the first PTO-AS, under their names of today. */
static const struct ast_attr *translate(struct gather *g, const struct ast_attr *attr)
{
    static const struct {
        const char *key, *today, *prefix; /* of the member */
    } rows[] = {{"cmp", "cmpMode", ""}, {"atomic", "atomicType", "atomic_"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].key, attr->key) == 0 && attr->text != NULL && attr->name == NULL &&
            isa_op_attr(g->form->row, rows[i].today) >= 0) {
            struct ast_attr *copy = arena_copy(g->arena, attr, sizeof *attr);
            copy->key = rows[i].today;
            copy->text = arena_printf(g->arena, "%s%s", rows[i].prefix, attr->text);
            return copy;
        }
    return attr;
}

static void add_attrs(struct gather *g, const struct ast_attr *attrs)
{
    for (; attrs != NULL; attrs = attrs->next)
        add_attr(g, translate(g, attrs));
}

static void add_argument(struct gather *g, const struct ast_value *v, uint8_t place,
                         const char *group)
{
    g->args = grow(g->arena, g->args, g->nargs, &g->capacity, sizeof *g->args);
    bool listed = g->form->style != OP_STYLE_TABLE;
    g->args[g->nargs++] = (struct argument){
        .value = v,
        .type = g->types_with_values ? v->type : NULL,
        .listed = listed ? v->type : NULL,
        .group = group,
        .place = place,
    };
}

static bool is_successor(const struct ast_value *v)
{
    return (v->kind == AST_VALUE_CALL || v->kind == AST_VALUE_WORD) && v->name[0] == '^';
}

static void gather_values(struct gather *g, const struct ast_value *v, uint8_t place,
                          const char *group);

static void gather_value(struct gather *g, const struct ast_value *v, uint8_t place,
                         const char *group)
{
    if (is_successor(v))
        return;
    if (v->key != NULL) {
        place = ISA_OP_NAMED;
        group = v->key;
    }
    if (v->kind == AST_VALUE_CALL) {
        gather_values(g, v->list, ISA_OP_NAMED, v->name);
    } else if (v->kind == AST_VALUE_LIST) {
        gather_values(g, v->list, place, group);
    } else if (v->kind == AST_VALUE_ATTR && v->attr->kind == AST_ATTR_DICT) {
        add_attrs(g, v->attr->list);
    } else {
        add_argument(g, v->bound != NULL ? v->bound : v, place, group);
        if (v->kind == AST_VALUE_SSA)
            add_attrs(g, v->attr);
        gather_values(g, v->index, place, group);
    }
}

static void gather_values(struct gather *g, const struct ast_value *v, uint8_t place,
                          const char *group)
{
    for (; v != NULL; v = v->next)
        gather_value(g, v, place, group);
}

/* pad_mode = #pto.padmode<…>: an attribute that stands like an operand. */
static bool gather_attribute(struct gather *g, const struct ast_group *group)
{
    const struct ast_value *v = group->values;
    if (isa_op_attr(g->form->row, group->name) < 0 || v == NULL || v->kind == AST_VALUE_SSA)
        return false;
    struct ast_attr *attr = arena_alloc(g->arena, sizeof *attr);
    if (v->kind == AST_VALUE_ATTR)
        *attr = *v->attr;
    else
        *attr = (struct ast_attr){.kind = v->kind == AST_VALUE_INT ? AST_ATTR_INT : AST_ATTR_ENUM,
                                  .text = v->name,
                                  .number = v->number};
    attr->key = group->name;
    attr->loc = group->loc;
    attr->next = NULL;
    add_attr(g, attr);
    return true;
}

static void gather(struct gather *g, const struct ast_op *op)
{
    static const uint8_t places[] = {[AST_GROUP_INS] = ISA_OP_INS,
                                     [AST_GROUP_OUTS] = ISA_OP_OUTS,
                                     [AST_GROUP_PLAIN] = ISA_OP_LIST,
                                     [AST_GROUP_NAMED] = ISA_OP_NAMED};
    add_attrs(g, op->attrs);
    if (g->form->row->flags & (ISA_OP_FUNCTION | ISA_OP_DECLARES))
        return;
    for (const struct ast_group *group = op->groups; group != NULL; group = group->next) {
        if (group->kind == AST_GROUP_NAMED && gather_attribute(g, group))
            continue;
        g->types_with_values = group->form == AST_FORM_PARENS && !op->generic;
        gather_values(g, group->values, places[group->kind], group->name);
    }
}

/* ---- which operand a value is ---- */

/* An operand of the row, where the style of the statement puts it. */
struct slot {
    uint8_t index, place;
    const char *group;
    unsigned taken;
    bool closed; /* a later one of the place has been taken */
};

struct slots {
    struct slot slot[ISA_OP_RESULT_BIT];
    unsigned count;
};

static bool has_destination(const struct isa_op *row)
{
    for (unsigned i = 0; i < row->noperands; i++)
        if (row->operands[i].place == ISA_OP_OUTS)
            return true;
    return false;
}

static enum op_style style_of(const struct isa_op *row, const struct ast_op *op)
{
    if (op->generic)
        return OP_STYLE_GENERIC;
    if (!has_destination(row) || ast_find_group(op, AST_GROUP_OUTS, NULL) != NULL ||
        ast_find_group(op, AST_GROUP_INS, NULL) != NULL)
        return OP_STYLE_TABLE;
    return op->results != NULL ? OP_STYLE_RESULT : OP_STYLE_DESTINATION_FIRST;
}

static void add_slot(struct slots *s, const struct isa_op *row, unsigned index, bool listed)
{
    const struct isa_op_value *o = &row->operands[index];
    s->slot[s->count++] = (struct slot){
        .index = (uint8_t)index,
        .place = listed ? (uint8_t)ISA_OP_LIST : o->place,
        .group = listed ? NULL : o->group,
    };
}

static void make_slots(const struct op_form *form, struct slots *s)
{
    const struct isa_op *row = form->row;
    bool generic = form->style == OP_STYLE_GENERIC;
    bool listed = form->style != OP_STYLE_TABLE;
    s->count = 0;
    for (unsigned i = 0; form->style == OP_STYLE_DESTINATION_FIRST && i < row->noperands; i++)
        if (row->operands[i].place == ISA_OP_OUTS)
            add_slot(s, row, i, true);
    for (unsigned n = 0; n < row->noperands; n++) {
        unsigned i = generic && row->order != NULL ? row->order[n] : n;
        const struct isa_op_value *o = &row->operands[i];
        bool literal = generic && (o->flags & ISA_OP_LITERAL);
        bool elsewhere = listed && !generic && o->place == ISA_OP_OUTS;
        if (!literal && !elsewhere)
            add_slot(s, row, i, listed);
    }
}

static bool is_literal(const struct ast_value *v)
{
    return v->kind != AST_VALUE_SSA;
}

/* May this argument be that operand, if it has a choice? */
static bool suits(struct assembler *as, const struct isa_op_value *o, const struct argument *arg)
{
    if (o->flags & ISA_OP_LITERAL)
        return is_literal(arg->value);
    if (is_literal(arg->value))
        return arg->value->kind == AST_VALUE_INT || arg->value->kind == AST_VALUE_FLOAT;
    const struct ast_type *type = arg->type != NULL ? arg->type : arg->listed;
    if (type == NULL)
        type = ptoas_type_of(as, arg->value->name);
    return type == NULL || ptoas_type_is(type, o->kind);
}

static bool same_place(const struct slot *s, const struct argument *arg)
{
    return s->place == arg->place && (s->group == NULL || strcmp(s->group, arg->group) == 0);
}

/* The arguments of the place of args[n], from it on. Counted once a run of them. */
static unsigned arguments_left(struct gather *g, unsigned n)
{
    const struct argument *arg = &g->args[n];
    if (n > 0 && arg->place == arg[-1].place && same_text(arg->group, arg[-1].group))
        return --g->left;
    g->left = 0;
    for (unsigned i = n; i < g->nargs; i++)
        g->left += g->args[i].place == arg->place && same_text(g->args[i].group, arg->group);
    return g->left;
}

static unsigned needed_behind(const struct op_form *form, const struct slots *s, unsigned from,
                              const struct argument *arg)
{
    unsigned n = 0;
    for (unsigned i = from + 1; i < s->count; i++)
        n += same_place(&s->slot[i], arg) &&
             !(form->row->operands[s->slot[i].index].flags & ISA_OP_OPTIONAL);
    return n;
}

static struct slot *find_slot(struct gather *g, struct slots *s, unsigned n)
{
    const struct argument *arg = &g->args[n];
    unsigned left = arguments_left(g, n);
    for (unsigned i = 0; i < s->count; i++) {
        struct slot *slot = &s->slot[i];
        const struct isa_op_value *o = &g->form->row->operands[slot->index];
        bool many = o->flags & ISA_OP_VARIADIC;
        if (slot->closed || !same_place(slot, arg) || (slot->taken > 0 && !many))
            continue;
        bool choice = (o->flags & ISA_OP_OPTIONAL) || (many && slot->taken > 0);
        if (choice && (!suits(g->as, o, arg) || left <= needed_behind(g->form, s, i, arg)))
            continue;
        for (unsigned k = 0; k < i; k++)
            s->slot[k].closed |= same_place(&s->slot[k], arg);
        return slot;
    }
    /* Of the wrong kind: the message is about that. */
    for (unsigned i = 0; i < s->count; i++)
        if (!s->slot[i].closed && s->slot[i].taken == 0 && same_place(&s->slot[i], arg))
            return &s->slot[i];
    return NULL;
}

static bool report_surplus(struct gather *g, const struct argument *arg)
{
    static const char *const places[] = {"", " in ins( )", " in outs( )"};
    const char *name = name_of(g);
    if (arg->place == ISA_OP_NAMED)
        diag_report(g->as->diag, DIAG_PTOAS_OPERANDS, arg->value->loc,
                    "%s takes nothing more under the name '%s'", name, arg->group);
    else
        diag_report(g->as->diag, DIAG_PTOAS_OPERANDS, arg->value->loc,
                    "%s takes no further operand%s", name, places[arg->place]);
    return false;
}

static bool report_missing(struct gather *g, const struct isa_op_value *o)
{
    static const char *const places[] = {"", " in ins( )", " in outs( )", ""};
    diag_report(g->as->diag, DIAG_PTOAS_OPERANDS, g->form->stmt->loc, "%s lacks operand '%s'%s%s",
                name_of(g), o->name, places[o->place],
                o->group != NULL && strcmp(o->group, o->name) != 0 ? " of its group" : "");
    return false;
}

static bool take_arguments(struct gather *g)
{
    struct op_form *form = g->form;
    struct slots slots;
    bool good = true;
    make_slots(form, &slots);
    form->operands =
        arena_array(g->arena, g->nargs + form->row->noperands + 1, sizeof *form->operands);
    for (unsigned i = 0; i < g->nargs; i++) {
        struct slot *slot = find_slot(g, &slots, i);
        if (slot == NULL)
            return report_surplus(g, &g->args[i]);
        slot->taken++;
        form->operands[form->noperands++] = (struct op_operand){
            .value = g->args[i].value,
            .type = g->args[i].type,
            .index = slot->index,
            .written = g->args[i].type != NULL,
        };
    }
    for (unsigned i = 0; i < slots.count && good; i++) {
        const struct isa_op_value *o = &form->row->operands[slots.slot[i].index];
        if (slots.slot[i].taken == 0 && !(o->flags & ISA_OP_OPTIONAL))
            good = report_missing(g, o);
    }
    return good;
}

/* ---- results ---- */

/* The fewest and the most results; a destination that is written as a result counts. */
static void result_limits(const struct op_form *form, unsigned *least, unsigned *most)
{
    const struct isa_op *row = form->row;
    *least = *most = 0;
    for (unsigned i = 0; i < row->nresults; i++) {
        *least += !(row->results[i].flags & ISA_OP_OPTIONAL);
        *most = row->results[i].flags & ISA_OP_VARIADIC ? 1000 : *most + 1;
    }
    for (unsigned i = 0; form->style == OP_STYLE_RESULT && i < row->noperands; i++)
        if (row->operands[i].place == ISA_OP_OUTS) {
            *least += !(row->operands[i].flags & ISA_OP_OPTIONAL);
            *most += 1;
        }
}

static bool take_results(struct gather *g)
{
    struct op_form *form = g->form;
    const struct ast_op *op = form->stmt->op;
    unsigned n = 0, least, most;
    for (const struct ast_value *v = op->results; v != NULL; v = v->next)
        n += v->parts;
    result_limits(form, &least, &most);
    if (n > most || (n < least && n > 0)) {
        const struct ast_value *v = op->results;
        diag_report(g->as->diag, DIAG_PTOAS_OPERANDS, v->loc, "%s has %s%u result%s, not %u",
                    name_of(g), least != most && n < least ? "at least " : "",
                    n < least ? least : most, (n < least ? least : most) == 1 ? "" : "s", n);
        return false;
    }
    form->results = arena_array(g->arena, n + 1, sizeof *form->results);
    for (const struct ast_value *v = op->results; v != NULL; v = v->next)
        for (unsigned part = 0; part < v->parts; part++)
            form->results[form->nresults++].value = v;
    return true;
}

/* ---- types ---- */

struct type_cursor {
    struct gather *g;
    const struct ast_type *next;
};

static bool lacks_type(struct gather *g)
{
    diag_report(g->as->diag, DIAG_TYPE_COUNT, g->form->stmt->loc, "%s has too few types",
                name_of(g));
    return false;
}

/* An operation whose results are not named may leave them out of its types, too. */
static const struct ast_type *next_type(struct type_cursor *c)
{
    const struct ast_type *t = c->next;
    if (t != NULL)
        c->next = t->next;
    return t;
}

static void set_operand_type(struct op_operand *o, const struct ast_type *t)
{
    o->type = t;
    o->written = true;
}

/* Gives types to the operands and results of a set; several types to a variadic one. */
static bool take_type(struct type_cursor *c, uint32_t set)
{
    struct op_form *form = c->g->form;
    const struct isa_op *row = form->row;
    const struct ast_type *shared = NULL;
    bool single = (set & (set - 1)) != 0; /* one type for all of the set */
    for (unsigned i = 0; i < form->noperands; i++) {
        struct op_operand *o = &form->operands[i];
        if ((set >> o->index & 1) == 0)
            continue;
        if (shared == NULL || !single)
            shared = next_type(c);
        if (shared == NULL)
            return lacks_type(c->g);
        set_operand_type(o, shared);
    }
    for (unsigned i = 0; i < form->nresults; i++) {
        unsigned k = i < row->nresults ? i : (unsigned)row->nresults - 1;
        if (row->nresults == 0 || (set >> (ISA_OP_RESULT_BIT + k) & 1) == 0)
            continue;
        if (shared == NULL || !single)
            shared = next_type(c);
        if (shared == NULL)
            return lacks_type(c->g);
        form->results[i].type = shared;
    }
    return true;
}

static bool take_types(struct gather *g, unsigned first, unsigned end, const struct ast_type *types)
{
    const struct isa_op *row = g->form->row;
    struct type_cursor c = {g, types};
    unsigned count = ast_count_types(types),
             lacking = end - first > count ? end - first - count : 0;
    for (unsigned i = first; i < end; i++) {
        if (lacking > 0 && row->optional_types >> i & 1)
            lacking--;
        else if (!take_type(&c, row->types[i]))
            return false;
    }
    bool results = (row->nresults > 0 && g->form->nresults == 0) || row->flags & ISA_OP_FUNCTION;
    if (c.next == NULL || results)
        return true;
    diag_report(g->as->diag, DIAG_TYPE_COUNT, c.next->loc, "%s has too many types", name_of(g));
    return false;
}

/* The generic form, and the other styles of ins and outs: types in the order of the text. */
static bool take_listed_types(struct gather *g)
{
    struct op_form *form = g->form;
    const struct ast_op *op = form->stmt->op;
    const struct ast_type *t = op->operand_types;
    unsigned count = ast_count_types(t);
    if (count != form->noperands && count > 1)
        return diag_report(g->as->diag, DIAG_TYPE_COUNT, t->loc, "%u type%s for %u operand%s",
                           count, count == 1 ? "" : "s", form->noperands,
                           form->noperands == 1 ? "" : "s"),
               false;
    for (unsigned i = 0; i < form->noperands && t != NULL; i++) {
        set_operand_type(&form->operands[i], t);
        t = count > 1 ? t->next : t;
    }
    t = op->result_types;
    if (ast_count_types(t) != form->nresults && (t != NULL || form->nresults > 0) &&
        form->style != OP_STYLE_DESTINATION_FIRST)
        return lacks_type(g);
    for (unsigned i = 0; i < form->nresults; i++, t = t->next)
        form->results[i].type = t;
    return true;
}

static bool take_all_types(struct gather *g)
{
    const struct op_form *form = g->form;
    const struct isa_op *row = form->row;
    const struct ast_op *op = form->stmt->op;
    if (row->flags & (ISA_OP_FUNCTION | ISA_OP_DECLARES))
        return true;
    if (form->style != OP_STYLE_TABLE)
        return take_listed_types(g);
    return take_types(g, 0, row->types_before, op->operand_types) &&
           take_types(g, row->types_before, row->ntypes, op->result_types);
}

/* `true` and `false` need no type. */
static bool is_boolean_constant(const struct op_form *form)
{
    const struct ast_value *v = form->noperands > 0 ? form->operands[0].value : NULL;
    return v != NULL && v->kind == AST_VALUE_WORD &&
           (strcmp(v->name, "true") == 0 || strcmp(v->name, "false") == 0);
}

/* The only type of a kind: i64. NULL: there are several. */
static const struct ast_type *type_of_kind(struct gather *g, unsigned kind)
{
    const char *spelling = isa_op_kinds[kind].spellings;
    if (strpbrk(spelling, " <#*") != NULL)
        return NULL;
    struct ast_type *t = arena_alloc(g->arena, sizeof *t);
    t->text = intern_z(g->as->names, spelling);
    t->loc = g->form->stmt->loc;
    return t;
}

static const struct ast_type *result_type(struct gather *g, unsigned n)
{
    const struct isa_op *row = g->form->row;
    if (is_boolean_constant(g->form))
        return type_of_kind(g, ISA_OP_KIND_i1);
    return n < row->nresults ? type_of_kind(g, row->results[n].kind) : NULL;
}

/* The results that stand for destinations join the operands. */
static void add_destinations(struct op_form *form)
{
    const struct isa_op *row = form->row;
    unsigned n = 0;
    for (unsigned i = 0; form->style == OP_STYLE_RESULT && i < row->noperands; i++)
        if (row->operands[i].place == ISA_OP_OUTS && n < form->nresults) {
            form->operands[form->noperands++] = (struct op_operand){
                .value = form->results[n].value,
                .type = form->results[n].type,
                .index = (uint8_t)i,
                .written = form->results[n].type != NULL,
                .result = true,
            };
            n++;
        }
}

/* What was not written is known from the definition, or from the kind. */
static void complete_types(struct gather *g)
{
    struct op_form *form = g->form;
    for (unsigned i = 0; i < form->nresults && form->style != OP_STYLE_RESULT; i++)
        if (form->results[i].type == NULL)
            form->results[i].type = result_type(g, i);
    for (unsigned i = 0; i < form->noperands; i++) {
        struct op_operand *o = &form->operands[i];
        if (o->type == NULL && o->value->kind == AST_VALUE_SSA)
            o->type = ptoas_type_of(g->as, o->value->name);
    }
}

/* ---- kinds ---- */

static bool check_kind(struct gather *g, const struct ast_type *type, const struct isa_op_value *o,
                       struct loc loc)
{
    if (type == NULL || ptoas_type_is(type, o->kind))
        return true;
    diag_report(g->as->diag, DIAG_PTOAS_TYPE, loc, "'%s' of %s is %s, not of type %s", o->name,
                name_of(g), isa_op_kinds[o->kind].what, type->text);
    return false;
}

static bool check_kinds(struct gather *g)
{
    const struct op_form *form = g->form;
    const struct isa_op *row = form->row;
    for (unsigned i = 0; i < form->noperands; i++) {
        const struct op_operand *o = &form->operands[i];
        const struct isa_op_value *v = &row->operands[o->index];
        if (!(v->flags & ISA_OP_LITERAL) && !check_kind(g, o->type, v, o->value->loc))
            return false;
    }
    for (unsigned i = 0; form->style != OP_STYLE_RESULT && i < form->nresults; i++) {
        unsigned k = i < row->nresults ? i : (unsigned)row->nresults - 1;
        if (!check_kind(g, form->results[i].type, &row->results[k], form->results[i].value->loc))
            return false;
    }
    return true;
}

/* ---- all of it ---- */

static const char *without_prefix(const char *name)
{
    return strncmp(name, "pto.", 4) == 0 ? name + 4 : name;
}

/* The nearest name, for a word that is no operation; without "pto." when the word has none. */
static const char *nearest(const char *name)
{
    const char *bare = without_prefix(name), *found = NULL;
    unsigned best = 3;
    for (size_t i = 0; i < ISA_OP_COUNT; i++) {
        const char *row = without_prefix(isa_ops[i].name);
        unsigned d = edit_distance(bare, strlen(bare), row, strlen(row), best);
        if (d < best) {
            best = d;
            found = bare == name ? row : isa_ops[i].name;
        }
    }
    return found;
}

static bool unknown_operation(struct assembler *as, const struct ast_stmt *stmt)
{
    const char *name = stmt->op->name, *near = nearest(name);
    if (near != NULL)
        diag_report(as->diag, DIAG_PTOAS_UNKNOWN, stmt->op->name_loc,
                    "there is no operation '%s'; did you mean '%s'?", name, near);
    else
        diag_report(as->diag, DIAG_PTOAS_UNKNOWN, stmt->op->name_loc, "there is no operation '%s'",
                    name);
    return false;
}

bool ptoas_form(struct assembler *as, struct arena *a, const struct ast_stmt *stmt,
                struct op_form *form)
{
    struct gather g = {.as = as, .arena = a, .form = form};
    *form = (struct op_form){.stmt = stmt, .row = isa_find_op(stmt->op->name)};
    if (form->row == NULL)
        return unknown_operation(as, stmt);
    form->style = style_of(form->row, stmt->op);
    gather(&g, stmt->op);
    if (!take_results(&g) || !take_arguments(&g) || !take_all_types(&g))
        return false;
    complete_types(&g);
    add_destinations(form);
    return check_kinds(&g) && ptoas_check_attributes(as, form);
}

const struct op_operand *ptoas_operand(const struct op_form *form, const char *name, unsigned n)
{
    int index = isa_op_operand(form->row, name);
    for (unsigned i = 0; index >= 0 && i < form->noperands; i++)
        if (form->operands[i].index == index && n-- == 0)
            return &form->operands[i];
    return NULL;
}

unsigned ptoas_operand_count(const struct op_form *form, const char *name)
{
    int index = isa_op_operand(form->row, name);
    unsigned n = 0;
    for (unsigned i = 0; i < form->noperands; i++)
        n += form->operands[i].index == index;
    return n;
}
