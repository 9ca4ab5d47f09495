/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names and the tile slots behind them (DESIGN §2.6).
 *
 * 0.58.2 and 0.58.3: slot k of a hand is its k-th publication and is never
 * freed. 0.58.5: number 1 is the newest. Either way the publications before a
 * word are the input tiles of the file, then those that were emitted since the
 * function began, hand-written bundles included (as->published).
 *
 * A value that was written behind a label may be written several times or not
 * at all when the file branches; then its slot is not known and it cannot be
 * read (docs/language.md).
 */
#include "asm/lower.h"

#include <string.h>

enum { HAND_SLOTS = 16 };

static struct tile_name *find_name(struct assembler *as, const char *name)
{
    return map_get(&as->ptoas->tiles, name);
}

void ptoas_bind(struct assembler *as, struct map *map, const char *name, void *what)
{
    *map_put(map, name) = what;
    *vec_push(as->mem, &as->ptoas->bindings) = (struct binding){map, name};
}

void ptoas_unbind(struct assembler *as, size_t count)
{
    struct ptoas *p = as->ptoas;
    while (p->bindings.count > count) {
        struct binding b = p->bindings.item[--p->bindings.count];
        const struct tile_name *n = b.map == &p->tiles ? map_get(b.map, b.name) : NULL;
        p->placed.count -= n != NULL && n->placed;
        *map_put(b.map, b.name) = NULL;
    }
}

static struct tile_name *make_name(struct assembler *as, const char *name, struct loc loc)
{
    struct tile_name *n = arena_alloc(as->arena, sizeof *n);
    n->name = name;
    n->loc = loc;
    ptoas_bind(as, &as->ptoas->tiles, name, n);
    return n;
}

void ptoas_enter_function(struct assembler *as)
{
    struct ptoas *p = as->ptoas;
    struct map *const maps[] = {&p->tiles, &p->scalars, &p->views, &p->refused};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        map_free(maps[i]);
        map_init(maps[i], as->mem);
    }
    p->bindings.count = 0;
    p->placed.count = 0;
    p->registers = 0;
    p->kept = false;
    memcpy(p->base, as->published, sizeof p->base);
    p->labels = as->labels;
}

/* ---- what goes on around the lowering ---- */

static bool has_word(const struct isa_form *form, const char *word)
{
    const struct isa_spelling *spelling = &isa_spellings[form->spelling];
    for (unsigned n = 0; n < spelling->noperands; n++)
        if (spelling->operands[n].form == ISA_OPERAND_LITERAL &&
            strcmp(spelling->operands[n].text, word) == 0)
            return true;
    return false;
}

/* A jump, call or branch, but neither falling through nor returning. */
static bool is_branch(const struct isa_insn *insn)
{
    const struct isa_form *form = insn->form;
    if (form->klass == ISA_CLASS_JumpRegister || form->klass == ISA_CLASS_JumpRelative)
        return true;
    if (form->klass != ISA_CLASS_ExecuteBundleStart || form->tileop != 0 ||
        isa_field_index(form, ISA_FIELD_Function) >= 0)
        return false;
    uint64_t type = isa_value(insn, ISA_FIELD_BrType, ISA_BrType_DIRECT);
    return type != ISA_BrType_FALL && type != ISA_BrType_RET && !has_word(form, "FALL") &&
           !has_word(form, "RET");
}

static void note_destination(struct assembler *as, const struct isa_insn *insn)
{
    uint64_t mask = isa_value(insn, ISA_FIELD_PEMode, isa_value(insn, ISA_FIELD_PE_MASK, 0));
    int hand = isa_field_index(insn->form, ISA_FIELD_DstTile);
    if (mask != 0 && hand >= 0 && !insn->form->fields[hand].constant)
        as->published[isa_value(insn, ISA_FIELD_DstTile, 0)]++;
}

void asm_ptoas_note(struct assembler *as, const struct isa_insn *insn)
{
    if (insn->form->klass == ISA_CLASS_BindBundleTileIO)
        note_destination(as, insn);
    if (is_branch(insn))
        as->branches++;
}

/* ---- reading ---- */

static struct tile_shape type_shape(const struct tile_type *t)
{
    return (struct tile_shape){t->rows, t->cols, t->element->dtype, TILE_FORM_TYPE};
}

static struct tile_value *new_input(struct assembler *as, const char *name,
                                    const struct tile_type *type, struct loc loc)
{
    struct ptoas *p = as->ptoas;
    struct tile_value *v = arena_alloc(as->arena, sizeof *v);
    unsigned hand = ptoas_places[type->place].hand;
    *v = (struct tile_value){.name = name, .type = *type, .input = true, .certain = true};
    v->shape = type_shape(type);
    v->loc = loc;
    v->ordinal = p->inputs_in[hand]++;
    *vec_push(as->mem, &p->input_list) = v;
    *map_put(&p->inputs, name) = v;
    return v;
}

static bool type_agrees(struct assembler *as, const char *name, const struct tile_type *is,
                        struct loc there, const struct tile_type *wanted)
{
    if (ptoas_same_type(is, wanted))
        return true;
    diag_report(as->diag, DIAG_PTOAS_VALUE, wanted->loc, "%%%s has another type: %s", name,
                ptoas_type_text(as->arena, is));
    diag_note(as->diag, there, "it got its type here");
    return false;
}

bool ptoas_is_refused(const struct assembler *as, const char *name)
{
    return map_get(&as->ptoas->refused, name) != NULL;
}

bool ptoas_has_value(const struct assembler *as, const char *name)
{
    const struct tile_name *n = map_get(&as->ptoas->tiles, name);
    return n != NULL ? n->value != NULL : map_get(&as->ptoas->inputs, name) != NULL;
}

bool ptoas_known_type(const struct assembler *as, const char *name, struct tile_type *type)
{
    const struct tile_name *n = map_get(&as->ptoas->tiles, name);
    if (n == NULL || (!n->declared && n->value == NULL))
        return false;
    *type = n->declared ? n->type : n->value->type;
    return true;
}

static void report_no_value(struct assembler *as, const struct tile_name *n, struct loc use)
{
    if (n->lost_to == NULL) {
        diag_report(as->diag, DIAG_PTOAS_VALUE, use, "%%%s is read before it is written", n->name);
        diag_note(as->diag, n->loc, "it is allocated here");
        return;
    }
    diag_report(as->diag, DIAG_PTOAS_VALUE, use,
                "%%%s is read, but shares bytes with %%%s, which was written since and is no other "
                "shape of all of them",
                n->name, n->lost_to->name);
    diag_note(as->diag, n->lost_at, "it was written here");
}

struct tile_value *ptoas_read(struct assembler *as, const struct ast_value *v,
                              const struct tile_type *type)
{
    struct tile_name *n = find_name(as, v->name);
    if ((n == NULL || n->value == NULL) && ptoas_is_refused(as, v->name))
        return NULL;
    if (n != NULL && n->value == NULL && !ptoas_revive(as, n, v->loc)) {
        report_no_value(as, n, v->loc);
        return NULL;
    }
    struct tile_value *value = n != NULL ? n->value : map_get(&as->ptoas->inputs, v->name);
    if (value == NULL)
        value = new_input(as, v->name, type, v->loc);
    if (n == NULL && as->ptoas->kept) {
        diag_report(
            as->diag, DIAG_PTOAS_SLOTS, v->loc,
            "the input tile %%%s is read for the first time behind a loop or condition that "
            "is kept; read it in front of it, so that it is carried along",
            v->name);
        return NULL;
    }
    if (n == NULL)
        make_name(as, v->name, v->loc)->value = value;
    for (struct tile_value *r = value; r != NULL && !r->read; r = r->copied)
        r->read = true;
    return type_agrees(as, v->name, &value->type, value->loc, type) ? value : NULL;
}

/* ---- writing ---- */

static bool overlap(const struct tile_name *a, const struct tile_name *b)
{
    return a->type.place == b->type.place && a->address < b->address + b->bytes &&
           b->address < a->address + a->bytes;
}

/* A name for the same buffer has the new value too, others have lost theirs. */
static void write_over(struct assembler *as, const struct tile_name *n, struct loc loc)
{
    for (size_t i = 0; i < as->ptoas->placed.count; i++) {
        struct tile_name *other = as->ptoas->placed.item[i];
        if (other == n || !overlap(n, other))
            continue;
        bool same = n->address == other->address && ptoas_same_type(&n->type, &other->type);
        other->lost_to = same ? NULL : n;
        other->lost_at = loc;
        other->value = same ? n->value : NULL;
    }
}

bool ptoas_may_write(struct assembler *as, const char *name, struct loc loc,
                     const struct tile_type *type, bool result)
{
    struct tile_name *n = find_name(as, name);
    if (n == NULL)
        return true;
    if (result || n->result) {
        diag_report(as->diag, DIAG_PTOAS_VALUE, loc, "%%%s already has a value", name);
        diag_note(as->diag, n->loc, "it is defined here");
        return false;
    }
    const struct tile_type *is = n->declared ? &n->type : &n->value->type;
    return type_agrees(as, name, is, n->loc, type);
}

void ptoas_write(struct assembler *as, const char *name, struct loc loc,
                 const struct tile_type *type, bool result)
{
    struct tile_shape shape = type_shape(type);
    ptoas_write_shaped(as, name, loc, type, result, &shape);
}

void ptoas_alias_tile(struct assembler *as, const char *name, struct tile_value *value,
                      struct loc loc)
{
    struct tile_name *n = make_name(as, name, loc);
    n->result = true;
    n->value = value;
}

struct tile_value *ptoas_new_value(struct assembler *as, const char *name,
                                   const struct tile_type *type, const struct tile_shape *shape,
                                   struct loc loc)
{
    struct ptoas *p = as->ptoas;
    unsigned hand = ptoas_places[type->place].hand;
    struct tile_value *v = arena_alloc(as->arena, sizeof *v);
    *v = (struct tile_value){.name = name, .type = *type, .shape = *shape, .loc = loc};
    v->ordinal = as->published[hand] - p->base[hand] - 1;
    v->certain = as->labels == p->labels;
    *vec_push(as->mem, &p->made) = v;
    return v;
}

void ptoas_write_shaped(struct assembler *as, const char *name, struct loc loc,
                        const struct tile_type *type, bool result, const struct tile_shape *shape)
{
    struct tile_name *n = find_name(as, name);
    struct tile_value *v = ptoas_new_value(as, name, type, shape, loc);
    if (n == NULL)
        n = make_name(as, name, loc);
    n->result = result;
    n->value = v;
    n->lost_to = NULL;
    if (n->placed)
        write_over(as, n, loc);
    *vec_push(as->mem, &as->ptoas->outputs) = v;
}

void ptoas_republished(struct assembler *as, struct tile_name *n, struct loc loc)
{
    struct tile_value *old = n->value;
    n->value = ptoas_new_value(as, old->name, &old->type, &old->shape, loc);
    n->value->copied = old;
    *vec_push(as->mem, &as->ptoas->outputs) = n->value;
}

struct tile_name *ptoas_declare(struct assembler *as, const char *name, struct loc loc,
                                const struct tile_type *type)
{
    if (!ptoas_may_write(as, name, loc, type, true))
        return NULL;
    struct tile_name *n = make_name(as, name, loc);
    n->declared = true;
    n->type = *type;
    return n;
}

static bool take_extent(struct assembler *as, const struct op_operand *o, uint32_t size,
                        uint32_t *most, uint8_t *reg)
{
    struct scalar s;
    if (o == NULL)
        return true;
    if (!ptoas_scalar(as, o, &s))
        return false;
    bool known = s.kind != SCALAR_REGISTER;
    *reg = known ? 0 : (uint8_t)s.reg;
    *most = known ? (uint32_t)s.number : size;
    if (!known || (s.number >= 1 && s.number <= size))
        return true;
    diag_report(as->diag, DIAG_PTOAS_TYPE, o->value->loc, "%lld is not in [1, %u]",
                (long long)s.number, size);
    return false;
}

bool ptoas_take_extents(struct assembler *as, const struct op_form *form, struct tile_type *t)
{
    return take_extent(as, ptoas_operand(form, "valid_row", 0), t->rows, &t->v_rows, &t->row_reg) &&
           take_extent(as, ptoas_operand(form, "valid_col", 0), t->cols, &t->v_cols, &t->col_reg);
}

void ptoas_lower_set_valid(struct assembler *as, const struct op_form *form)
{
    const struct ast_value *source = ptoas_operand(form, "source", 0)->value;
    struct tile_name *n = find_name(as, source->name);
    if (n == NULL || !n->declared) {
        diag_report(as->diag, DIAG_PTOAS_UNSUPPORTED, source->loc,
                    "only the extents of buffers that pto.alloc_tile makes can be set");
        return;
    }
    struct tile_type type = n->type;
    if (!ptoas_take_extents(as, form, &type))
        return;
    n->type = type;
    if (n->value != NULL && !ptoas_same_type(&n->value->type, &type))
        ptoas_cut_tile(as, form, n);
}

/* Addresses that no source gives: a buffer without one of its own lies apart. */
enum { APART = 32, APART_SHIFT = 20 };

void ptoas_place_as(struct assembler *as, struct tile_name *n, struct tile_name *of)
{
    if (!of->placed)
        ptoas_place(as, of, (UINT64_C(1) << APART | as->ptoas->apart++) << APART_SHIFT);
    ptoas_place(as, n, of->address);
    if (n->value == NULL) {
        n->lost_to = of;
        n->lost_at = of->value != NULL ? of->value->loc : of->loc;
    }
}

void ptoas_place(struct assembler *as, struct tile_name *n, uint64_t address)
{
    n->placed = true;
    n->address = address;
    n->bytes = ptoas_tile_bytes(&n->type);
    for (size_t i = 0; i < as->ptoas->placed.count; i++) {
        const struct tile_name *other = as->ptoas->placed.item[i];
        bool there =
            other->address == address && other->value != NULL && other->type.place == n->type.place;
        if (there && ptoas_same_type(&other->type, &n->type))
            n->value = other->value;
        else if (there)
            n->lost_to = other;
    }
    if (n->value != NULL)
        n->lost_to = NULL;
    else if (n->lost_to != NULL)
        n->lost_at = n->lost_to->value->loc;
    *vec_push(as->mem, &as->ptoas->placed) = n;
}

/* ---- words that wait for a slot ---- */

void ptoas_use_tile(struct assembler *as, const struct isa_insn *insn, unsigned field,
                    const struct tile_value *value, struct loc loc)
{
    unsigned hand = ptoas_places[value->type.place].hand;
    *vec_push(as->mem, &as->ptoas->uses) = (struct tile_use){
        .section = as->section,
        .offset = asm_offset(as->section),
        .form = insn->form,
        .field = field,
        .value = value,
        .published = as->published[hand] - as->ptoas->base[hand],
        .loc = loc,
    };
}

/* Publications in the hand before the value, inputs included. */
static uint32_t position(const struct ptoas *p, const struct tile_value *v)
{
    return v->input ? v->ordinal : p->inputs_in[ptoas_places[v->type.place].hand] + v->ordinal;
}

/* 0.58.5 names tiles by their distance from the newest. */
static bool names_by_distance(const struct assembler *as)
{
    return as->target.pto >= 1u << ISA_REV_0_58_5;
}

static void report_full_hand(struct assembler *as, const struct tile_value *v, struct loc loc)
{
    const struct isa_enumeration *hands = &isa_enumerations[ISA_ENUM_TileHand];
    unsigned hand = ptoas_places[v->type.place].hand;
    diag_report(as->diag, DIAG_PTOAS_SLOTS, loc,
                "%%%s is value %u of hand %s, which holds %d; slots are freed only with "
                "-march=pto0.58.5",
                v->name, position(as->ptoas, v) + 1, hands->members[hand].name, HAND_SLOTS);
}

static void list_near(struct assembler *as, const struct tile_use *use, struct buffer *out)
{
    const struct ptoas *p = as->ptoas;
    unsigned hand = ptoas_places[use->value->type.place].hand;
    uint32_t total = p->inputs_in[hand] + use->published;
    for (size_t i = 0; i < p->outputs.count; i++) {
        const struct tile_value *v = p->outputs.item[i];
        uint32_t at = position(p, v);
        if (ptoas_places[v->type.place].hand == hand && at < total && total - at <= HAND_SLOTS)
            buffer_printf(out, "%s%%%s", out->size ? ", " : "", v->name);
    }
}

/* The number in T#number, or 0: reported. */
static uint32_t tile_number(struct assembler *as, const struct tile_use *use)
{
    const struct ptoas *p = as->ptoas;
    uint32_t at = position(p, use->value);
    if (!names_by_distance(as))
        return at < HAND_SLOTS ? at + 1 : 0; /* the value itself is reported */
    uint32_t distance =
        p->inputs_in[ptoas_places[use->value->type.place].hand] + use->published - at;
    if (distance <= HAND_SLOTS)
        return distance;
    struct buffer *live = asm_scratch(as);
    list_near(as, use, live);
    diag_report(as->diag, DIAG_PTOAS_SLOTS, use->loc,
                "%%%s is %u values back in its hand, more than %d (in reach: %.*s)",
                use->value->name, distance, HAND_SLOTS, (int)live->size, (const char *)live->data);
    return 0;
}

static void settle_use(struct assembler *as, const struct tile_use *use)
{
    const struct tile_value *v = use->value;
    if (!v->certain && as->branches > 0) {
        diag_report(as->diag, DIAG_PTOAS_SLOTS, use->loc,
                    "the slot of %%%s is not known: it is written behind a label, and the file "
                    "branches",
                    v->name);
        diag_note(as->diag, v->loc, "it is written here");
        return;
    }
    uint32_t number = tile_number(as, use);
    int n = isa_field_index(use->form, use->field);
    if (number == 0 || n < 0 || use->offset >= use->section->bytes.size) /* refused words */
        return;
    const struct isa_field *field = &use->form->fields[n];
    uint32_t selector = ptoas_places[v->type.place].hand * HAND_SLOTS + number - 1;
    isa_set_bits(field->pieces, field->npieces, 0, selector,
                 use->section->bytes.data + use->offset);
}

/* ---- .pto.tiles ---- */

static void export_tile(struct assembler *as, const struct tile_value *v)
{
    const struct tile_type *t = &v->type;
    uint64_t code = ptoas_size_code(as, t, v->loc);
    if (code == 0)
        return;
    *vec_push(as->mem, &as->object->tiles) = (struct obj_tile){
        .name = arena_string(as->object->arena, v->name, strlen(v->name)),
        .type = ptoas_type_text(as->object->arena, t),
        .hand = ptoas_places[t->place].hand,
        .ordinal = (uint8_t)position(as->ptoas, v),
        .input = v->input,
        .dtype = t->element->dtype,
        .blayout = t->blayout,
        .slayout = t->slayout,
        .compact = t->compact,
        .fractal = t->fractal,
        .rows = t->rows,
        .cols = t->cols,
        .v_rows = t->v_rows,
        .v_cols = t->v_cols,
        .capacity = (uint32_t)((uint64_t)SMALLEST_TILE << (code - 1)),
    };
}

/* A buffer that was written again is named by its newest value. */
static bool is_newest(const struct ptoas *p, size_t i)
{
    for (size_t k = i + 1; k < p->outputs.count; k++)
        if (p->outputs.item[k]->name == p->outputs.item[i]->name)
            return false;
    return true;
}

static bool has_room(struct assembler *as, const struct tile_value *v)
{
    if (names_by_distance(as) || position(as->ptoas, v) < HAND_SLOTS)
        return true;
    report_full_hand(as, v, v->loc);
    return false;
}

void ptoas_settle_tiles(struct assembler *as)
{
    struct ptoas *p = as->ptoas;
    for (size_t i = 0; i < p->input_list.count; i++)
        if (has_room(as, p->input_list.item[i]))
            export_tile(as, p->input_list.item[i]);
    for (size_t i = 0; i < p->made.count; i++)
        has_room(as, p->made.item[i]);
    for (size_t i = 0; i < p->outputs.count; i++)
        if (is_newest(p, i) && position(p, p->outputs.item[i]) <= UINT8_MAX)
            export_tile(as, p->outputs.item[i]);
    for (size_t i = 0; i < p->uses.count; i++)
        settle_use(as, &p->uses.item[i]);
}
