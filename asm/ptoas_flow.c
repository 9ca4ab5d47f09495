/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scf.for and scf.if. Their statements are kept until the operation ends, and
 * then lowered once for every iteration, or once when the loop is kept.
 *
 * A kept loop (DESIGN §2.6) has its counter in a register. Its tiles are named
 * by their distance from the newest, so every hand must look the same each
 * time the body begins: all values in sight are copied in front of the loop,
 * oldest first, and again at the back edge, where a buffer that was written
 * meanwhile is copied with its new value.
 */
#include "asm/lower.h"

#include <string.h>

enum { MOST_UNROLLED = 64, MOST_ITERATIONS = 1 << 16 }; /* of one loop, of a file */

struct node {
    struct op_form form;
    bool good; /* verified, and with a form */
    struct node *body, *otherwise;
    struct node *next;
};

struct level {
    struct node *op;
    struct node **end; /* where the next statement goes */
};

struct capture {
    VEC(struct level) levels;
};

static bool is_captured(const char *name)
{
    return strcmp(name, "scf.for") == 0 || strcmp(name, "scf.if") == 0;
}

/* ---- capture ---- */

/* The node of a statement; what was refused before is kept for its regions only. */
static struct node *new_node(struct assembler *as, const struct ast_stmt *stmt, bool good)
{
    struct node *n = arena_alloc(as->arena, sizeof *n);
    struct ast_stmt *copy = ast_copy_stmt(as->arena, stmt);
    n->good = good && ptoas_form(as, as->arena, copy, &n->form);
    n->form.stmt = copy;
    return n;
}

static void open_level(struct assembler *as, struct capture *c, struct node *n)
{
    *vec_push(as->mem, &c->levels) = (struct level){n, &n->body};
}

static void lower_structured(struct assembler *as, const struct node *n);

static void end_capture(struct assembler *as, struct capture *c)
{
    struct node *root = c->levels.item[0].op;
    vec_free(as->mem, &c->levels);
    as->ptoas->capture = NULL;
    lower_structured(as, root);
}

bool ptoas_capture(struct assembler *as, const struct ast_stmt *stmt, const struct op_form *form)
{
    struct ptoas *p = as->ptoas;
    struct capture *c = p->capture;
    bool begins =
        c == NULL && stmt->kind == AST_OP && stmt->op->opens_region && is_captured(stmt->op->name);
    if (begins)
        c = p->capture = arena_alloc(as->arena, sizeof *c);
    if (c == NULL)
        return false;
    struct level *top = c->levels.count ? &c->levels.item[c->levels.count - 1] : NULL;
    if (stmt->kind == AST_OP) {
        struct node *n = new_node(as, stmt, form != NULL);
        if (top != NULL) {
            *top->end = n;
            top->end = &n->next;
        }
        if (stmt->op->opens_region)
            open_level(as, c, n);
    } else if (stmt->kind == AST_REGION_ELSE) {
        top->end = &top->op->otherwise;
    } else if (stmt->kind == AST_REGION_END) {
        c->levels.count--;
        if (c->levels.count == 0)
            end_capture(as, c);
    } else {
        diag_report(as->diag, DIAG_PTOAS_UNSUPPORTED, stmt->loc, "block labels are not lowered");
    }
    return true;
}

bool asm_ptoas_allows(struct assembler *as, const struct ast_stmt *stmt)
{
    if (as->ptoas == NULL || as->ptoas->capture == NULL)
        return true;
    diag_report(as->diag, DIAG_PTOAS_UNSUPPORTED, stmt->loc,
                "a loop or condition of PTO-AS holds operations of PTO-AS only");
    return false;
}

void ptoas_drop_capture(struct assembler *as)
{
    if (as->ptoas->capture != NULL)
        vec_free(as->mem, &as->ptoas->capture->levels);
    as->ptoas->capture = NULL;
}

/* ---- blocks ---- */

static void lower_block(struct assembler *as, const struct node *n)
{
    for (; n != NULL; n = n->next) {
        if (!n->good || (n->form.row->flags & ISA_OP_TERMINATOR))
            continue;
        if (is_captured(n->form.row->name))
            lower_structured(as, n);
        else
            ptoas_lower_op(as, &n->form);
    }
}

/* The values that a block yields. */
static const struct op_form *terminator(const struct node *n)
{
    while (n != NULL && n->next != NULL)
        n = n->next;
    return n != NULL && n->good && strcmp(n->form.row->name, "scf.yield") == 0 ? &n->form : NULL;
}

/* What a name stands for when it is yielded. */
struct meaning {
    struct tile_value *tile;
    struct scalar scalar;
};

static bool meaning_of(struct assembler *as, const struct ast_value *v, struct meaning *out)
{
    const struct tile_name *t = map_get(&as->ptoas->tiles, v->name);
    const struct scalar *s = map_get(&as->ptoas->scalars, v->name);
    *out = (struct meaning){.tile = t != NULL ? t->value : NULL};
    if (s != NULL)
        out->scalar = *s;
    if (out->tile != NULL || s != NULL)
        return true;
    diag_report(as->diag, DIAG_PTOAS_UNSUPPORTED, v->loc,
                "%%%s is neither a written tile nor a number; nothing else is carried", v->name);
    return false;
}

static void give_meaning(struct assembler *as, const char *name, struct loc loc,
                         const struct meaning *m)
{
    if (m->tile != NULL)
        ptoas_alias_tile(as, name, m->tile, loc);
    else
        ptoas_define_scalar(as, name, &m->scalar);
}

/* The meanings of the yielded values, before their names go out of sight. */
static bool yielded(struct assembler *as, const struct node *block, unsigned count,
                    struct meaning *out)
{
    const struct op_form *y = terminator(block);
    for (unsigned i = 0; i < count; i++) {
        const struct op_operand *o = y != NULL ? ptoas_operand(y, "values", i) : NULL;
        if (o == NULL || !meaning_of(as, o->value, &out[i]))
            return false;
    }
    return true;
}

static void define_results(struct assembler *as, const struct op_form *form,
                           const struct meaning *m)
{
    for (unsigned i = 0; i < form->nresults; i++) {
        const struct ast_value *v = form->results[i].value;
        const char *name = v->name;
        if (v->parts > 1) { /* %a:2 is used as %a#0, %a#1 */
            diag_report(as->diag, DIAG_PTOAS_UNSUPPORTED, v->loc,
                        "results that share a name are not lowered");
            return;
        }
        give_meaning(as, name, v->loc, &m[i]);
    }
}

/* A region: its names and registers are gone behind it. */
struct scope {
    size_t bindings;
    uint32_t registers;
};

static struct scope open_scope(const struct assembler *as)
{
    return (struct scope){as->ptoas->bindings.count, as->ptoas->registers};
}

static void close_scope(struct assembler *as, struct scope s)
{
    ptoas_unbind(as, s.bindings);
    ptoas_free_registers(as, s.registers);
}

/* ---- scf.if ---- */

static void lower_if(struct assembler *as, const struct node *n)
{
    int64_t condition;
    unsigned count = n->form.nresults;
    if (!ptoas_constant(as, ptoas_operand(&n->form, "condition", 0), "the condition of scf.if",
                        &condition))
        return;
    const struct node *block = condition ? n->body : n->otherwise;
    struct meaning *results = arena_array(as->arena, count + 1u, sizeof *results);
    struct scope scope = open_scope(as);
    lower_block(as, block);
    bool good = yielded(as, block, count, results);
    for (unsigned i = 0; i < count && good; i++) /* the register stays in use */
        if (results[i].tile == NULL && results[i].scalar.kind == SCALAR_REGISTER)
            scope.registers |= UINT32_C(1) << results[i].scalar.reg;
    close_scope(as, scope);
    if (good)
        define_results(as, &n->form, results);
}

/* ---- scf.for ---- */

struct loop {
    const struct node *node;
    const struct ast_value *counter;
    const char *type;
    struct scalar lower, upper, step;
    unsigned carried;
    const struct ast_value **names; /* of iter_args in the body */
    struct meaning *values;
};

static bool take_carried(struct assembler *as, struct loop *l)
{
    const struct op_form *f = &l->node->form;
    const struct ast_group *g = ast_find_group(f->stmt->op, AST_GROUP_NAMED, "iter_args");
    const struct ast_value *v = g != NULL ? g->values : NULL;
    l->carried = ptoas_operand_count(f, "inits");
    l->names = arena_array(as->arena, l->carried + 1u, sizeof *l->names);
    l->values = arena_array(as->arena, l->carried + 1u, sizeof *l->values);
    for (unsigned i = 0; i < l->carried; i++, v = v->next) {
        if (v == NULL || !meaning_of(as, ptoas_operand(f, "inits", i)->value, &l->values[i]))
            return false;
        l->names[i] = v;
    }
    return true;
}

static const struct ast_value *find_counter(const struct op_form *f)
{
    for (const struct ast_group *g = f->stmt->op->groups; g != NULL; g = g->next)
        if (g->kind == AST_GROUP_PLAIN && g->values != NULL && g->values->bound != NULL)
            return g->values;
    return NULL;
}

static bool take_loop(struct assembler *as, const struct node *n, struct loop *l)
{
    *l = (struct loop){.node = n, .counter = find_counter(&n->form)};
    if (l->counter == NULL || !ptoas_scalar(as, ptoas_operand(&n->form, "lower", 0), &l->lower) ||
        !ptoas_scalar(as, ptoas_operand(&n->form, "upper", 0), &l->upper) ||
        !ptoas_scalar(as, ptoas_operand(&n->form, "step", 0), &l->step))
        return false;
    l->type = l->lower.type;
    if (l->step.kind == SCALAR_INTEGER && (int64_t)l->step.number < 1) {
        diag_report(as->diag, DIAG_PTOAS_VALUE, n->form.stmt->loc,
                    "the step of scf.for is %lld, it must be 1 or more", (long long)l->step.number);
        return false;
    }
    return take_carried(as, l);
}

static bool is_constant(const struct loop *l)
{
    return l->lower.kind == SCALAR_INTEGER && l->upper.kind == SCALAR_INTEGER &&
           l->step.kind == SCALAR_INTEGER;
}

static uint64_t iterations(const struct loop *l)
{
    int64_t from = (int64_t)l->lower.number, to = (int64_t)l->upper.number;
    if (from >= to)
        return 0;
    return ((uint64_t)to - (uint64_t)from - 1) / l->step.number + 1;
}

/* One time through the body. False: the yielded values are not known. */
static bool lower_iteration(struct assembler *as, struct loop *l, const struct scalar *counter)
{
    struct scope scope = open_scope(as);
    ptoas_define_scalar(as, l->counter->name, counter);
    for (unsigned i = 0; i < l->carried; i++)
        give_meaning(as, l->names[i]->name, l->names[i]->loc, &l->values[i]);
    lower_block(as, l->node->body);
    bool good = yielded(as, l->node->body, l->carried, l->values);
    for (unsigned i = 0; i < l->carried && good; i++)
        if (l->values[i].tile == NULL && l->values[i].scalar.kind == SCALAR_REGISTER)
            scope.registers |= UINT32_C(1) << l->values[i].scalar.reg;
    close_scope(as, scope);
    return good;
}

static void unroll(struct assembler *as, struct loop *l, uint64_t count)
{
    unsigned errors = diag_errors(as->diag);
    for (uint64_t n = 0; n < count; n++) {
        struct scalar counter = l->lower;
        if (++as->ptoas->iterations > MOST_ITERATIONS) {
            diag_report(as->diag, DIAG_PTOAS_UNSUPPORTED, l->node->form.stmt->loc,
                        "the loops of the file are unrolled to more than %d iterations",
                        MOST_ITERATIONS);
            return;
        }
        counter.number += n * l->step.number;
        if (!lower_iteration(as, l, &counter) || diag_errors(as->diag) != errors)
            return; /* the next iterations would say the same */
    }
    define_results(as, &l->node->form, l->values);
}

/* ---- kept loops ---- */

static bool names_by_distance(const struct assembler *as)
{
    return as->target.pto >= 1u << ISA_REV_0_58_5;
}

static void republish_one(struct assembler *as, struct tile_name *n, struct loc loc)
{
    const struct tile_value *v = n->value;
    uint64_t code = v->shape.form == TILE_FORM_TYPE && ptoas_tile_bytes(&v->type) > 0 &&
                            v->shape.rows == v->type.rows && v->shape.cols == v->type.cols
                        ? ptoas_size_code(as, &v->type, loc)
                        : ptoas_shape_code(&v->shape);
    ptoas_emit_start(as, &isa_tileops[ISA_TILEOP_TMOV], v->shape.dtype, loc);
    ptoas_emit_dimension(as, ISA_LoopCounter_LB0, v->type.v_cols, loc);
    ptoas_emit_dimension(as, ISA_LoopCounter_LB1, v->type.v_rows, loc);
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

/* BSTART.STD COND to a local label, and the comparison that decides: left REL right. */
static void emit_branch(struct assembler *as, int64_t label, bool forward, const char *mnemonic,
                        uint64_t left, uint64_t right, struct loc loc)
{
    struct isa_insn start = ptoas_insn(as, ISA_FORM_bstart_std_32_1ef99c4cedcb);
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
    const struct isa_mnemonic *m = isa_find_mnemonic(mnemonic, strlen(mnemonic));
    struct isa_insn compare = ptoas_insn(as, isa_spellings[isa_mnemonic_index[m->first]].form);
    isa_set_value(&compare, ISA_FIELD_SrcL, left);
    isa_set_value(&compare, ISA_FIELD_SrcR, right);
    asm_emit_insn(as, &compare, loc);
    ptoas_emit_form(as, ISA_FORM_bstop_32_d25b09fdd59c, loc);
}

static bool may_keep(struct assembler *as, const struct loop *l)
{
    struct loc loc = l->node->form.stmt->loc;
    if (l->carried != 0) {
        diag_report(as->diag, DIAG_PTOAS_UNSUPPORTED, loc,
                    "iter_args are lowered in loops of up to %d constant iterations only; write a "
                    "buffer in place instead",
                    MOST_UNROLLED);
        return false;
    }
    if (names_by_distance(as))
        return true;
    diag_report(as->diag, DIAG_PTOAS_UNSUPPORTED, loc,
                "a loop with bounds that are not constant, or of more than %d iterations, needs "
                "-march=pto0.58.5, which names tiles by their age",
                MOST_UNROLLED);
    return false;
}

/* In a register of the loop's own. */
static uint64_t own_register(struct assembler *as, const struct scalar *s, struct loc loc)
{
    uint64_t reg = ptoas_take_register(as, loc);
    ptoas_emit_binary(as, "ADD", ptoas_in_register(as, s, "x2", loc), ptoas_register(as, "zero"),
                      reg, loc);
    return reg;
}

static void keep(struct assembler *as, struct loop *l)
{
    struct loc loc = l->node->form.stmt->loc;
    struct scope scope = open_scope(as);
    struct live live = {0};
    /* Numbers of local labels that no source can write. */
    int64_t head = -1 - 2 * (int64_t)as->ptoas->loops++, end = head - 1;
    uint64_t counter = own_register(as, &l->lower, loc), upper = own_register(as, &l->upper, loc);
    uint64_t step = own_register(as, &l->step, loc);
    find_live(as, &live);
    republish(as, &live, loc);
    bool guarded = !is_constant(l);
    if (guarded)
        emit_branch(as, end, true, "SETC.GE", counter, upper, loc);
    asm_define_local_label(as, head, loc);
    struct scalar now = {.kind = SCALAR_REGISTER, .reg = counter, .type = l->type};
    lower_iteration(as, l, &now);
    republish(as, &live, loc);
    ptoas_emit_binary(as, "ADD", counter, step, counter, loc);
    emit_branch(as, head, false, "SETC.LT", counter, upper, loc);
    asm_define_local_label(as, end, loc);
    forget_new_values(as, &live);
    close_scope(as, scope);
}

static void lower_for(struct assembler *as, const struct node *n)
{
    struct loop l;
    if (!take_loop(as, n, &l))
        return;
    uint64_t count = is_constant(&l) ? iterations(&l) : UINT64_MAX;
    if (count <= MOST_UNROLLED)
        unroll(as, &l, count);
    else if (may_keep(as, &l))
        keep(as, &l);
}

static void lower_structured(struct assembler *as, const struct node *n)
{
    if (!n->good)
        return;
    asm_show_statement(as, n->form.stmt->loc);
    if (strcmp(n->form.row->name, "scf.if") == 0)
        lower_if(as, n);
    else
        lower_for(as, n);
}
