/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Synchronisation of pipes. Bundles run in order, each as if it were done
 * before the next, so barriers and flags become nothing. Flags are counted all
 * the same: a wait that nothing precedes would never end on the hardware.
 */
#include "asm/lower.h"

#include <string.h>

static const struct {
    const char *name;
    int8_t change;        /* of the flag's count */
    const char *operands; /* that name the flag */
} operations[] = {
    {"pto.barrier", 0, ""},
    {"pto.barrier_sync", 0, ""},
    {"pto.set_flag", 1, "src_pipe dst_pipe event_id"},
    {"pto.wait_flag", -1, "src_pipe dst_pipe event_id"},
    {"pto.record_event", 1, "src_op dst_op event_id"},
    {"pto.wait_event", -1, "src_op dst_op event_id"},
    {"pto.get_buf", 1, "op_type buf_id"},
    {"pto.rls_buf", -1, "op_type buf_id"},
};

static void append_operand(struct buffer *out, const struct op_operand *o)
{
    const struct ast_value *v = o->value;
    const char *text = v->kind == AST_VALUE_ATTR && v->attr != NULL ? v->attr->text : v->name;
    if (v->kind == AST_VALUE_INT)
        buffer_printf(out, "%s%lld", out->size ? " " : "", (long long)v->number);
    else
        buffer_printf(out, "%s%s", out->size ? " " : "", text != NULL ? text : "?");
}

/* "PIPE_MTE2 PIPE_V EVENT_ID0" */
static const char *flag_name(struct assembler *as, const struct op_form *form, const char *operands)
{
    struct buffer *out = asm_scratch(as);
    while (*operands != '\0') {
        size_t length = strcspn(operands, " ");
        const char *name = arena_string(as->arena, operands, length);
        append_operand(out, ptoas_operand(form, name, 0));
        operands += length + (operands[length] == ' ');
    }
    return arena_string(as->arena, (const char *)out->data, out->size);
}

static struct flag *find_flag(struct assembler *as, const char *name)
{
    struct ptoas *p = as->ptoas;
    for (size_t i = 0; i < p->flags.count; i++)
        if (strcmp(p->flags.item[i].name, name) == 0)
            return &p->flags.item[i];
    struct flag *f = vec_push(as->mem, &p->flags);
    f->name = name;
    return f;
}

static void change_flag(struct assembler *as, const struct op_form *form, int change,
                        const char *operands)
{
    struct flag *f = find_flag(as, flag_name(as, form, operands));
    if (change > 0) {
        f->set++;
        f->loc = form->stmt->loc;
    } else if (f->set == 0) {
        diag_report(as->diag, DIAG_PTOAS_BALANCE, form->stmt->loc,
                    "%s: nothing before it gives '%s'", form->row->name, f->name);
    } else {
        f->set--;
    }
}

bool ptoas_lower_sync(struct assembler *as, const struct op_form *form)
{
    size_t i = 0;
    while (i < sizeof operations / sizeof *operations &&
           strcmp(operations[i].name, form->row->name) != 0)
        i++;
    if (i == sizeof operations / sizeof *operations)
        return false;
    if (operations[i].change != 0)
        change_flag(as, form, operations[i].change, operations[i].operands);
    return true;
}

void ptoas_check_flags(struct assembler *as)
{
    struct ptoas *p = as->ptoas;
    for (size_t i = 0; i < p->flags.count; i++)
        if (p->flags.item[i].set != 0)
            diag_report(as->diag, DIAG_PTOAS_BALANCE, p->flags.item[i].loc,
                        "'%s' is given %u time%s more than it is waited for", p->flags.item[i].name,
                        p->flags.item[i].set, p->flags.item[i].set == 1 ? "" : "s");
    p->flags.count = 0;
}
