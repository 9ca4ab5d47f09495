/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A trace line: PE, PC, file:line, the instruction, what it changed (registers,
 * queues, memory, and where control went when that is not the next instruction),
 * and the text of the source line. The register file is copied before each instruction and
 * compared afterwards.
 */
#include "sim/trace.h"

#include "sim/memory.h"

struct trace {
    struct buffer line;
    struct buffer changes; /* what memory writes added while the instruction ran */
    uint64_t before[REG_FILE];
    uint32_t queue_valid;
    bool running; /* an instruction is being traced: memory writes belong to it */
};

void trace_create(struct sim *s)
{
    s->trace = arena_alloc(s->arena, sizeof *s->trace);
    buffer_init(&s->trace->line, s->mem);
    buffer_init(&s->trace->changes, s->mem);
    s->one_by_one = s->memory->watched = s->options.trace != NULL;
}

void trace_destroy(struct sim *s)
{
    if (!s->trace)
        return;
    buffer_free(&s->trace->line);
    buffer_free(&s->trace->changes);
}

void sim_debug(struct sim *s, const char *fmt, ...)
{
    va_list ap;
    if (!s->options.debug)
        return;
    va_start(ap, fmt);
    vfprintf(s->options.debug, fmt, ap);
    va_end(ap);
    fputc('\n', s->options.debug);
}

/* ---- instructions as text ---- */

struct label_context {
    const struct sim *sim;
    uint64_t pc;
};

static const struct obj_symbol *symbol_at(const struct sim *s, uint64_t address)
{
    for (size_t i = 0; s->program && i < s->program->symbols.count; i++) {
        const struct obj_symbol *y = &s->program->symbols.item[i];
        if (y->section != OBJ_UNDEF && y->value == address && y->name[0] && y->name[0] != '$' &&
            y->type != OBJ_SECTION_SYMBOL && y->type != OBJ_FILE)
            return y;
    }
    return NULL;
}

/* A branch shows where it goes, with the symbol there. */
static bool print_target(void *ctx, const struct isa_insn *in, unsigned field, unsigned element,
                         struct buffer *out)
{
    const struct label_context *c = ctx;
    (void)element;
    const struct isa_field *f = &in->form->fields[field];
    const struct isa_reloc *r = f->reloc ? &isa_relocs[f->reloc - 1] : NULL;
    if (!r || r->page || (r->base != ISA_BASE_P && r->base != ISA_BASE_P4))
        return false;
    uint64_t at = c->pc + f->reloc_offset;
    uint64_t target =
        (r->base == ISA_BASE_P4 ? at & ~UINT64_C(3) : at) + (in->value[f->index] << r->shift);
    const struct obj_symbol *symbol = symbol_at(c->sim, target);
    buffer_printf(out, "0x%llx", (unsigned long long)target);
    if (symbol)
        buffer_printf(out, " <%s>", symbol->name);
    return true;
}

void sim_print_insn(const struct sim *s, const struct isa_insn *insn, uint64_t pc,
                    struct buffer *out)
{
    struct label_context context = {s, pc};
    isa_print(
        insn,
        &(struct isa_print_options){.target = s->target, .label = print_target, .ctx = &context},
        out);
}

/* ---- before ---- */

static void print_head(struct pe *pe, const struct op *op)
{
    struct buffer *line = &pe->sim->trace->line;
    line->size = 0;
    buffer_printf(line, "PE%u 0x%08llx ", pe->number, (unsigned long long)op->pc);
    size_t before = line->size;
    sim_place(pe->sim, op->pc, line);
    if (line->size != before)
        buffer_append(line, " ", 1);
    if (op->insn)
        sim_print_insn(pe->sim, op->insn, op->pc, line);
    else
        buffer_printf(line, "(not an instruction)");
}

void trace_before(struct pe *pe, const struct op *op)
{
    if (!pe->sim->options.trace)
        return;
    struct trace *t = pe->sim->trace;
    t->running = true;
    t->changes.size = 0;
    t->queue_valid = pe->queue_valid;
    memcpy(t->before, pe->reg, sizeof t->before);
    print_head(pe, op);
}

/* ---- after ---- */

void trace_write(struct sim *s, uint64_t address, const void *data, size_t size)
{
    enum { SHOWN = 8 };
    const uint8_t *bytes = data;
    struct trace *t = s->trace;
    if (s->watch)
        s->watch->write(s->watch->ctx, address, size);
    if (!s->options.trace || !t->running)
        return;
    buffer_printf(&t->changes, " [0x%llx]=0x", (unsigned long long)address);
    if (size > SHOWN) {
        buffer_printf(&t->changes, "…(%zu bytes)", size);
        return;
    }
    for (size_t i = size; i-- > 0;)
        buffer_printf(&t->changes, "%02x", bytes[i]);
}

static void print_registers(const struct pe *pe, struct trace *t)
{
    const struct isa_enumeration *names = &isa_enumerations[ISA_ENUM_ScalarSource];
    bool pushed_t = memcmp(&t->before[REG_T], &pe->reg[REG_T], 4 * sizeof pe->reg[0]) ||
                    (t->queue_valid ^ pe->queue_valid) >> REG_T & 0xf;
    bool pushed_u = memcmp(&t->before[REG_U], &pe->reg[REG_U], 4 * sizeof pe->reg[0]) ||
                    (t->queue_valid ^ pe->queue_valid) >> REG_U & 0xf;
    for (unsigned r = 1; r < REG_SOURCES; r++) {
        bool changed = r < REG_T   ? t->before[r] != pe->reg[r]
                       : r < REG_U ? r == REG_T && pushed_t
                                   : r == REG_U && pushed_u;
        if (!changed)
            continue;
        const struct isa_member *m = isa_member_of_value(names, r, pe->sim->target.pto);
        buffer_printf(&t->changes, " %s=0x%llx", m ? m->name : "?", (unsigned long long)pe->reg[r]);
    }
}

/* " | the source line", without its indentation. */
static void print_source(struct sim *s, uint64_t address, struct buffer *out)
{
    size_t length;
    const char *why;
    const struct obj_line *row = s->program ? obj_line_at(s->program, address) : NULL;
    const char *text = row ? sim_source_line(s, row->file, row->line, &length, &why) : NULL;
    if (!text)
        return;
    for (; length && (*text == ' ' || *text == '\t'); text++)
        length--;
    buffer_printf(out, "  | %.*s", (int)length, text);
}

void trace_after(struct pe *pe, const struct op *op, enum exec_status status)
{
    struct sim *s = pe->sim;
    struct trace *t = s->trace;
    if (!s->options.trace)
        return;
    t->running = false;
    print_registers(pe, t);
    if (status == EXEC_JUMP && pe->pc != op->pc + op->length)
        buffer_printf(&t->changes, " pc=0x%llx", (unsigned long long)pe->pc);
    if (status == EXEC_STOP && pe->state == PE_COMMIT)
        buffer_printf(&t->changes, " waits for the other PEs");
    if (status == EXEC_FAULT)
        buffer_printf(&t->changes, " %s", fault_name(s->fault.kind));
    if (t->changes.size)
        buffer_printf(&t->line, "  ;%.*s", (int)t->changes.size, (const char *)t->changes.data);
    print_source(s, op->pc, &t->line);
    fprintf(s->options.trace, "%.*s\n", (int)t->line.size, (const char *)t->line.data);
}

void trace_record(struct sim *s, const char *engine, uint64_t pc, const uint32_t *before,
                  const uint32_t *after, unsigned count)
{
    unsigned length;
    struct isa_insn insn;
    struct buffer *line = &s->trace->line;
    line->size = 0;
    buffer_printf(line, "%s 0x%08llx ", engine, (unsigned long long)pc);
    size_t start = line->size;
    sim_place(s, pc, line);
    if (line->size != start)
        buffer_append(line, " ", 1);
    if (sim_decode(s, pc, &insn, &length))
        sim_print_insn(s, &insn, pc, line);
    const char *separator = "  ;";
    for (unsigned r = 0; r < count; r++)
        if (before[r] != after[r]) {
            buffer_printf(line, "%s R%u=0x%x", separator, r, after[r]);
            separator = "";
        }
    print_source(s, pc, line);
    fprintf(s->options.trace, "%.*s\n", (int)line->size, (const char *)line->data);
}

void trace_bundle(struct sim *s, const struct bundle *b)
{
    if (!s->options.trace)
        return;
    fprintf(s->options.trace, "PE");
    for (unsigned i = 0; i < SIM_PES; i++)
        if (b->ready & pe_bit(i))
            fprintf(s->options.trace, "%u", i);
    fprintf(s->options.trace, " 0x%08llx bundle %s\n", (unsigned long long)b->start, b->op->name);
}
