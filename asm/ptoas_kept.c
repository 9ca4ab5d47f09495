/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scf.for, scf.if and scf.while that become branches (DESIGN §2.6). Their
 * numbers are in registers. Tiles are named by their distance from the newest,
 * so every hand must look the same wherever two ways meet: all values in sight
 * are copied there, oldest first, each with what its name means then.
 */
#include "asm/lower_flow.h"

#include <string.h>

static bool names_by_distance(const struct assembler *as)
{
    return as->target.pto >= 1u << ISA_REV_0_58_5;
}

bool ptoas_may_keep(struct assembler *as, const struct node *n, const char *why)
{
    if (names_by_distance(as)) {
        as->ptoas->kept = true;
        return true;
    }
    diag_report(as->diag, DIAG_PTOAS_UNSUPPORTED, n->form.stmt->loc,
                "%s needs -march=pto0.58.5, which names tiles by their age", why);
    return false;
}

/* ---- tiles where ways meet ---- */

static void republish_one(struct assembler *as, struct tile_name *n, struct loc loc)
{
    const struct tile_value *v = n->value;
    uint64_t code = v->shape.form == TILE_FORM_TYPE && ptoas_tile_bytes(&v->type) > 0 &&
                            v->shape.rows == v->type.rows && v->shape.cols == v->type.cols
                        ? ptoas_size_code(as, &v->type, loc)
                        : ptoas_shape_code(&v->shape);
    ptoas_emit_start(as, &isa_tileops[ISA_TILEOP_TMOV], v->shape.dtype, loc);
    ptoas_emit_valid(as, &v->type, loc);
    ptoas_emit_dimension(as, ISA_LoopCounter_LB2, v->shape.cols, loc);
    ptoas_emit_iot(as,
                   &(struct tile_binding_words){.source = {v},
                                                .mask = "1111",
                                                .hand = ptoas_places[v->type.place].hand,
                                                .size_code = code},
                   loc);
    ptoas_emit_form(as, ISA_FORM_bstop_32_d25b09fdd59c, loc);
    ptoas_republished(as, n, loc);
}

struct live {
    struct tile_name **names; /* oldest value first */
    size_t count;
};

static bool is_older(const struct tile_value *a, const struct tile_value *b)
{
    return a->input != b->input ? a->input : a->ordinal < b->ordinal;
}

static struct tile_name *tile_bound(const struct ptoas *p, size_t binding)
{
    const struct binding *b = &p->bindings.item[binding];
    return b->map == &p->tiles ? map_get(&p->tiles, b->name) : NULL;
}

/* Names in sight that have a value. */
static void find_live(struct assembler *as, struct live *l)
{
    const struct ptoas *p = as->ptoas;
    l->names = arena_array(as->arena, p->bindings.count + 1, sizeof(struct tile_name *));
    for (size_t i = 0; i < p->bindings.count; i++) {
        struct tile_name *n = tile_bound(p, i);
        if (n == NULL || n->value == NULL)
            continue;
        size_t k = l->count++;
        for (; k > 0 && is_older(n->value, l->names[k - 1]->value); k--)
            l->names[k] = l->names[k - 1];
        l->names[k] = n;
    }
}

static void republish(struct assembler *as, const struct live *l, struct loc loc)
{
    for (size_t i = 0; i < l->count; i++)
        republish_one(as, l->names[i], loc);
}

/* Buffers without a value in front of the loop have none behind it: it may run no time. */
static void forget_new_values(struct assembler *as, const struct live *l)
{
    const struct ptoas *p = as->ptoas;
    for (size_t i = 0; i < p->bindings.count; i++) {
        struct tile_name *n = tile_bound(p, i);
        size_t k = 0;
        while (k < l->count && l->names[k] != n)
            k++;
        if (n != NULL && k == l->count)
            n->value = NULL;
    }
}

/* What two ways begin with: values of the live names, and publications. */
struct state {
    struct tile_value **values;
    uint32_t published[ISA_TileHand_MEMBERS];
};

static struct state save_state(struct assembler *as, const struct live *l)
{
    struct state s = {.values = arena_array(as->arena, l->count + 1, sizeof *s.values)};
    for (size_t i = 0; i < l->count; i++)
        s.values[i] = l->names[i]->value;
    memcpy(s.published, as->published, sizeof s.published);
    return s;
}

static void restore_state(struct assembler *as, const struct live *l, const struct state *s)
{
    for (size_t i = 0; i < l->count; i++)
        l->names[i]->value = s->values[i];
    memcpy(as->published, s->published, sizeof s->published);
}

/* A buffer that others were written over on one way has no value behind it, but keeps its place
 * among the copies. */
static void fill_lost(const struct live *l, const struct state *s)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->names[i]->value == NULL)
            l->names[i]->value = s->values[i];
}

/* What a round reads of the round before must still be there. */
static void check_lost(struct assembler *as, const struct live *l, const struct state *s)
{
    for (size_t i = 0; i < l->count; i++) {
        struct tile_name *n = l->names[i];
        if (n->value != NULL || !s->values[i]->read || ptoas_revive(as, n, n->lost_at))
            continue;
        diag_report(as->diag, DIAG_PTOAS_VALUE, n->lost_at,
                    "%%%s is written over in a loop that reads it", n->name);
        diag_note(as->diag, n->loc, "it is allocated here");
    }
}

static void lose(const struct live *l)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->names[i]->lost_to != NULL)
            l->names[i]->value = NULL;
}

/* What is lost on one of two ways is lost where they meet. */
struct lost {
    const struct tile_name **to;
    struct loc *at;
};

static struct lost save_lost(struct assembler *as, const struct live *l)
{
    struct lost lost = {.to = arena_array(as->arena, l->count + 1, sizeof *lost.to),
                        .at = arena_array(as->arena, l->count + 1, sizeof *lost.at)};
    for (size_t i = 0; i < l->count; i++) {
        lost.to[i] = l->names[i]->lost_to;
        lost.at[i] = l->names[i]->lost_at;
        l->names[i]->lost_to = NULL;
    }
    return lost;
}

static void add_lost(const struct live *l, const struct lost *lost)
{
    for (size_t i = 0; i < l->count; i++)
        if (lost->to[i] != NULL) {
            l->names[i]->lost_to = lost->to[i];
            l->names[i]->lost_at = lost->at[i];
        }
}

/* ---- branches ---- */

/* The start of a block that ends with a jump to a local label. */
static void emit_jump_start(struct assembler *as, unsigned form, int64_t label, bool forward,
                            struct loc loc)
{
    struct isa_insn start = ptoas_insn(as, form);
    int field = isa_field_index(start.form, ISA_FIELD_simm17);
    struct ast_expr target = {.op = AST_LOCAL, .number = label, .forward = forward, .loc = loc};
    asm_emit_insn(as, &start, loc);
    asm_add_fixup(as, &(struct fixup){
                          .section = as->section,
                          .offset = asm_offset(as->section) - start.form->length,
                          .expr = asm_capture(as, &target),
                          .form = start.form,
                          .reloc = &isa_relocs[start.form->fields[field].reloc - 1],
                          .loc = loc,
                          .field = (uint8_t)field,
                          .scale = 1,
                      });
    if (isa_may_relax(start.form))
        asm_relax_insn(as, start.form, asm_offset(as->section) - start.form->length);
}

static void emit_jump(struct assembler *as, int64_t label, bool forward, struct loc loc)
{
    emit_jump_start(as, ISA_FORM_bstart_std_32_c1de85e06878, label, forward, loc);
    ptoas_emit_form(as, ISA_FORM_bstop_32_d25b09fdd59c, loc);
}

/* A branch with the comparison that decides: left REL right. */
static void emit_branch(struct assembler *as, int64_t label, bool forward, const char *mnemonic,
                        uint64_t left, uint64_t right, struct loc loc)
{
    emit_jump_start(as, ISA_FORM_bstart_std_32_1ef99c4cedcb, label, forward, loc);
    const struct isa_mnemonic *m = isa_find_mnemonic(mnemonic, strlen(mnemonic));
    struct isa_insn compare = ptoas_insn(as, isa_spellings[isa_mnemonic_index[m->first]].form);
    isa_set_value(&compare, ISA_FIELD_SrcL, left);
    isa_set_value(&compare, ISA_FIELD_SrcR, right);
    asm_emit_insn(as, &compare, loc);
    ptoas_emit_form(as, ISA_FORM_bstop_32_d25b09fdd59c, loc);
}

/* Numbers of local labels that no source can write. */
static int64_t new_label(struct assembler *as)
{
    return -1 - (int64_t)as->ptoas->loops++;
}

/* In a register of the loop's own. */
static uint64_t own_register(struct assembler *as, const struct scalar *s, struct loc loc)
{
    uint64_t reg = ptoas_take_register(as, loc);
    ptoas_emit_binary(as, "ADD", ptoas_in_register(as, s, "x2", loc), ptoas_register(as, "zero"),
                      reg, loc);
    return reg;
}

/* ---- what is carried ---- */

/* Names for what goes round a loop or leaves a condition: numbers in registers of their own, tiles
 * as names that are copied with the others. */
struct carried {
    unsigned count;
    struct meaning *now;
    struct tile_name **tiles; /* NULL: a number */
};

static struct carried new_carried(struct assembler *as, unsigned count)
{
    return (struct carried){
        .count = count,
        .now = arena_array(as->arena, count + 1u, sizeof(struct meaning)),
        .tiles = arena_array(as->arena, count + 1u, sizeof(struct tile_name *)),
    };
}

static struct meaning in_register(uint64_t reg, const char *type)
{
    return (struct meaning){.scalar = {.kind = SCALAR_REGISTER, .reg = reg, .type = type}};
}

/* The first values. Tile names that cannot be written in the source stay bound to their value. */
static struct carried begin_carried(struct assembler *as, const struct meaning *first,
                                    unsigned count, struct loc loc)
{
    struct carried c = new_carried(as, count);
    for (unsigned i = 0; i < count; i++) {
        c.now[i] = first[i];
        if (first[i].tile != NULL) {
            const char *name = arena_printf(as->arena, "carried %u", as->ptoas->loops++);
            ptoas_alias_tile(as, name, first[i].tile, loc);
            c.tiles[i] = map_get(&as->ptoas->tiles, name);
        } else if (first[i].view == NULL) {
            c.now[i] = in_register(own_register(as, &first[i].scalar, loc), first[i].scalar.type);
        }
    }
    return c;
}

static bool is_number(const struct carried *c, unsigned i)
{
    return c->tiles[i] == NULL && c->now[i].view == NULL;
}

/* A view that is carried stays what it is. */
static void check_view(struct assembler *as, struct carried *c, unsigned i, void *view,
                       struct loc loc)
{
    if (c->now[i].view != NULL && c->now[i].view != view)
        diag_report(as->diag, DIAG_PTOAS_UNSUPPORTED, loc,
                    "a view of memory is carried only where it is the same on all ways");
    c->now[i].view = view;
}

static bool is_carried(const struct carried *c, uint64_t reg)
{
    for (unsigned i = 0; i < c->count; i++)
        if (is_number(c, i) && c->now[i].scalar.reg == reg)
            return true;
    return false;
}

/* The next values. A number that another one is about to replace is put aside first. */
static void renew_carried(struct assembler *as, struct carried *c, struct meaning *next,
                          struct loc loc)
{
    uint64_t zero = ptoas_register(as, "zero");
    for (unsigned i = 0; i < c->count; i++) {
        struct scalar *s = &next[i].scalar;
        if (c->tiles[i] != NULL)
            c->tiles[i]->value = next[i].tile;
        else if (next[i].view != NULL)
            check_view(as, c, i, next[i].view, loc);
        else if (s->kind == SCALAR_REGISTER && s->reg != c->now[i].scalar.reg &&
                 is_carried(c, s->reg))
            s->reg = own_register(as, s, loc);
    }
    for (unsigned i = 0; i < c->count; i++) {
        const struct scalar *s = &next[i].scalar, *to = &c->now[i].scalar;
        if (is_number(c, i) && !(s->kind == SCALAR_REGISTER && s->reg == to->reg))
            ptoas_emit_binary(as, "ADD", ptoas_in_register(as, s, "x2", loc), zero, to->reg, loc);
    }
}

static void give_carried(struct assembler *as, const struct carried *c,
                         const struct ast_value *const *names)
{
    for (unsigned i = 0; i < c->count; i++) {
        struct meaning m = c->now[i];
        if (c->tiles[i] != NULL)
            m.tile = c->tiles[i]->value;
        ptoas_give_meaning(as, names[i]->name, names[i]->loc, &m);
    }
}

static void define_carried(struct assembler *as, const struct op_form *form,
                           const struct carried *c)
{
    struct meaning *m = arena_array(as->arena, c->count + 1u, sizeof *m);
    for (unsigned i = 0; i < c->count; i++) {
        m[i] = c->now[i];
        if (c->tiles[i] != NULL)
            m[i].tile = c->tiles[i]->value;
    }
    ptoas_define_results(as, form, m);
}

/* Registers and names for the results, of the types that they have. */
static struct carried new_results(struct assembler *as, const struct op_form *form)
{
    struct carried c = new_carried(as, form->nresults);
    for (unsigned i = 0; i < c.count; i++) {
        const struct ast_type *type = form->results[i].type;
        if (type->kind == AST_TYPE_TILE || type->kind == AST_TYPE_TILE_BUF)
            c.tiles[i] = arena_alloc(as->arena, sizeof *c.tiles[i]);
        else if (type->kind != AST_TYPE_TENSOR_VIEW && type->kind != AST_TYPE_PARTITION_VIEW)
            c.now[i] = in_register(ptoas_take_register(as, form->stmt->loc), type->text);
    }
    return c;
}

/* What leaves the operation, on one of the ways. */
static void assign_results(struct assembler *as, struct carried *c, const struct meaning *values,
                           struct loc loc)
{
    uint64_t zero = ptoas_register(as, "zero");
    for (unsigned i = 0; i < c->count; i++)
        if (c->tiles[i] != NULL)
            c->tiles[i]->value = values[i].tile;
        else if (values[i].view != NULL)
            check_view(as, c, i, values[i].view, loc);
        else
            ptoas_emit_binary(as, "ADD", ptoas_in_register(as, &values[i].scalar, "x2", loc), zero,
                              c->now[i].scalar.reg, loc);
}

static void republish_results(struct assembler *as, const struct carried *c, struct loc loc)
{
    for (unsigned i = 0; i < c->count; i++)
        if (c->tiles[i] != NULL && c->tiles[i]->value != NULL)
            republish_one(as, c->tiles[i], loc);
}

/* ---- scf.for ---- */

void ptoas_keep_for(struct assembler *as, struct loop *l, bool guarded)
{
    struct loc loc = l->node->form.stmt->loc;
    struct live live = {0};
    size_t bindings = as->ptoas->bindings.count;
    struct carried c = begin_carried(as, l->values, l->carried, loc);
    struct scope scope = ptoas_open_scope(as);
    int64_t head = new_label(as), end = new_label(as);
    uint64_t counter = own_register(as, &l->lower, loc), upper = own_register(as, &l->upper, loc);
    uint64_t step = own_register(as, &l->step, loc);
    find_live(as, &live);
    republish(as, &live, loc);
    struct state first = save_state(as, &live);
    if (guarded)
        emit_branch(as, end, true, "SETC.GE", counter, upper, loc);
    asm_define_local_label(as, head, loc);
    struct scope body = ptoas_open_scope(as);
    struct meaning now = in_register(counter, l->type);
    ptoas_give_meaning(as, l->counter->name, loc, &now);
    give_carried(as, &c, l->names);
    ptoas_lower_block(as, l->node->body);
    bool good = ptoas_terminated(as, l->node->body, "scf.yield", c.count, l->values);
    if (good)
        renew_carried(as, &c, l->values, loc);
    ptoas_close_scope(as, body);
    check_lost(as, &live, &first);
    fill_lost(&live, &first);
    republish(as, &live, loc);
    lose(&live);
    ptoas_emit_binary(as, "ADD", counter, step, counter, loc);
    emit_branch(as, head, false, "SETC.LT", counter, upper, loc);
    asm_define_local_label(as, end, loc);
    forget_new_values(as, &live);
    ptoas_close_scope(as, scope);
    ptoas_unbind(as, bindings);
    if (good)
        define_carried(as, &l->node->form, &c);
}

/* ---- scf.if ---- */

static bool lower_way(struct assembler *as, const struct node *block, const struct live *live,
                      const struct state *state, struct carried *c, struct loc loc)
{
    struct scope scope = ptoas_open_scope(as);
    struct meaning *yields = arena_array(as->arena, c->count + 1u, sizeof *yields);
    ptoas_lower_block(as, block);
    bool good = ptoas_terminated(as, block, "scf.yield", c->count, yields);
    if (good)
        assign_results(as, c, yields, loc);
    ptoas_close_scope(as, scope);
    fill_lost(live, state);
    republish(as, live, loc);
    republish_results(as, c, loc);
    return good;
}

void ptoas_keep_if(struct assembler *as, const struct node *n, const struct scalar *condition)
{
    struct loc loc = n->form.stmt->loc;
    int64_t otherwise = new_label(as), end = new_label(as);
    struct carried c = new_results(as, &n->form);
    struct live live = {0};
    find_live(as, &live);
    struct state state = save_state(as, &live);
    emit_branch(as, otherwise, true, "SETC.EQ", condition->reg, ptoas_register(as, "zero"), loc);
    bool good = lower_way(as, n->body, &live, &state, &c, loc);
    struct lost lost = save_lost(as, &live);
    emit_jump(as, end, true, loc);
    asm_define_local_label(as, otherwise, loc);
    restore_state(as, &live, &state);
    good = lower_way(as, n->otherwise, &live, &state, &c, loc) && good;
    add_lost(&live, &lost);
    asm_define_local_label(as, end, loc);
    lose(&live);
    forget_new_values(as, &live);
    if (good)
        define_carried(as, &n->form, &c);
}

/* ---- scf.while ---- */

static const struct ast_value **names_of(struct assembler *as, const struct ast_value *v,
                                         unsigned count)
{
    const struct ast_value **names = arena_array(as->arena, count + 1u, sizeof *names);
    for (unsigned i = 0; i < count && v != NULL; i++, v = v->next)
        names[i] = v;
    return names;
}

/* %a = %b of the inits. */
static const struct ast_value *bound_names(const struct op_form *f)
{
    for (const struct ast_group *g = f->stmt->op->groups; g != NULL; g = g->next)
        if (g->values != NULL && g->values->bound != NULL)
            return g->values;
    return NULL;
}

static bool first_values(struct assembler *as, const struct op_form *f, unsigned count,
                         struct meaning *first)
{
    for (unsigned i = 0; i < count; i++)
        if (!ptoas_meaning(as, ptoas_operand(f, "inits", i)->value, &first[i]))
            return false;
    return true;
}

/* Before: condition and values, then either end or the other region, which makes the next round. */
void ptoas_keep_while(struct assembler *as, const struct node *n)
{
    const struct op_form *f = &n->form, *test = ptoas_terminator(n->body, "scf.condition");
    struct loc loc = f->stmt->loc;
    unsigned inits = ptoas_operand_count(f, "inits");
    unsigned passed = test != NULL ? ptoas_operand_count(test, "values") : 0;
    struct meaning *values = arena_array(as->arena, inits + passed + 1u, sizeof *values);
    struct live live = {0};
    struct scalar go;
    if (test == NULL || !first_values(as, f, inits, values))
        return;
    int64_t head = new_label(as), end = new_label(as);
    struct carried results = new_results(as, f);
    struct scope scope = ptoas_open_scope(as);
    struct carried round = begin_carried(as, values, inits, loc);
    find_live(as, &live);
    republish(as, &live, loc);
    struct state first = save_state(as, &live);
    asm_define_local_label(as, head, loc);
    struct scope body = ptoas_open_scope(as);
    give_carried(as, &round, names_of(as, bound_names(f), inits));
    ptoas_lower_block(as, n->body);
    bool good = ptoas_scalar(as, ptoas_operand(test, "condition", 0), &go) &&
                ptoas_terminated(as, n->body, "scf.condition", passed, values);
    if (good)
        assign_results(as, &results, values, loc);
    uint64_t decision = good ? ptoas_in_register(as, &go, "x2", loc) : 0;
    ptoas_close_scope(as, body);
    fill_lost(&live, &first);
    republish(as, &live, loc);
    republish_results(as, &results, loc);
    struct state state = save_state(as, &live);
    emit_branch(as, end, true, "SETC.EQ", decision, ptoas_register(as, "zero"), loc);
    if (n->otherwise != NULL)
        give_carried(as, &results, names_of(as, n->otherwise->arguments, results.count));
    ptoas_lower_block(as, n->otherwise);
    if (good && ptoas_terminated(as, n->otherwise, "scf.yield", inits, values))
        renew_carried(as, &round, values, loc);
    check_lost(as, &live, &first);
    check_lost(as, &live, &state);
    fill_lost(&live, &state);
    republish(as, &live, loc);
    emit_jump(as, head, false, loc);
    asm_define_local_label(as, end, loc);
    restore_state(as, &live, &state);
    lose(&live);
    forget_new_values(as, &live);
    ptoas_close_scope(as, scope);
    if (good)
        define_carried(as, f, &results);
}
