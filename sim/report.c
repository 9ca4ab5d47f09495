/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a run ended, for a reader: each PE's end, or the fault with its place,
 * the instruction, the condition that failed and the values around it.
 */
#include "sim/block.h"
#include "sim/decode.h"
#include "sim/memory.h"

enum { LABEL_WIDTH = 13 };

static void label(struct buffer *out, const char *name)
{
    buffer_printf(out, "  %-*s", LABEL_WIDTH, name);
}

/* ---- how a PE ended ---- */

static void report_end(const struct pe *pe, struct buffer *out)
{
    buffer_printf(out, "PE%u ", pe->number);
    switch (pe->end) {
    case END_RETURN:
        buffer_printf(out, "returned from the entry");
        break;
    case END_BREAK:
        buffer_printf(out, "ended at ebreak %u", pe->break_tag);
        break;
    default:
        buffer_printf(out, "reached the end of the code");
        break;
    }
    buffer_printf(out, " after %llu instructions\n", (unsigned long long)pe->cycle);
}

/* "0x10010 file:line", the latter when it is known. */
static void report_place(const struct sim *s, uint64_t address, struct buffer *out)
{
    buffer_printf(out, "0x%llx ", (unsigned long long)address);
    size_t before = out->size;
    sim_place(s, address, out);
    if (out->size == before)
        out->size--;
}

static void report_running(const struct sim *s, const struct pe *pe, struct buffer *out)
{
    buffer_printf(out, "PE%u stopped at ", pe->number);
    report_place(s, pe->pc, out);
    buffer_printf(out, "%s\n", pe->state == PE_COMMIT ? ", waiting for the other PEs" : "");
}

static void report_pes(const struct sim *s, struct buffer *out)
{
    for (unsigned i = 0; i < SIM_PES; i++) {
        const struct pe *pe = &s->pes[i];
        if (pe->state == PE_ENDED)
            report_end(pe, out);
        else if (pe->state != PE_OFF)
            report_running(s, pe, out);
    }
}

/* ---- the instruction of a fault ---- */

static bool decode_record(const struct sim *s, uint64_t pc, struct isa_insn *insn, unsigned *length)
{
    uint8_t bytes[ISA_MAX_LENGTH];
    struct isa_why why;
    *length = memory_peek(s->memory, pc, bytes, sizeof bytes) ? sizeof bytes : 0;
    return *length && isa_decode_seq(&s->target, bytes, sizeof bytes, insn, &why) == ISA_DECODED;
}

bool sim_decode(const struct sim *s, uint64_t pc, struct isa_insn *insn, unsigned *length)
{
    enum { HALFWORD = 2, LONGEST = 8 };
    uint8_t bytes[LONGEST];
    struct isa_why why;
    if (seq_contains(s, pc))
        return decode_record(s, pc, insn, length);
    size_t n = memory_fetch(s->memory, pc, bytes, sizeof bytes);
    *length = n < HALFWORD ? 0 : HALFWORD;
    return *length && isa_decode(&s->target, bytes, n, insn, length, &why) == ISA_DECODED;
}

/* The registers that the instruction reads, with their values. */
static void report_sources(const struct sim *s, const struct pe *pe, const struct isa_insn *insn,
                           struct buffer *out)
{
    static const uint16_t fields[] = {
        ISA_FIELD_SrcL, ISA_FIELD_SrcR,    ISA_FIELD_SrcD,    ISA_FIELD_SrcD1,   ISA_FIELD_SrcP,
        ISA_FIELD_SrcA, ISA_FIELD_RegSrc0, ISA_FIELD_RegSrc1, ISA_FIELD_RegSrc2, ISA_FIELD_RegSrc,
    };
    uint32_t shown = 1u << REG_ZERO;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (isa_field_index(insn->form, fields[i]) < 0)
            continue;
        unsigned r = (unsigned)field_unsigned(insn, fields[i]) % REG_SOURCES;
        if (shown >> r & 1)
            continue;
        const struct isa_member *m =
            isa_member_of_value(&isa_enumerations[ISA_ENUM_ScalarSource], r, s->target.pto);
        if (shown == 1u << REG_ZERO)
            label(out, "registers");
        else
            buffer_printf(out, " ");
        buffer_printf(out, "%s=0x%llx", m ? m->name : "?", (unsigned long long)pe->reg[r]);
        shown |= 1u << r;
    }
    if (shown != 1u << REG_ZERO)
        buffer_printf(out, "\n");
}

static void report_instruction(const struct sim *s, const struct fault *f, struct buffer *out)
{
    struct isa_insn insn;
    unsigned length;
    if (f->pe < 0 || !sim_decode(s, f->pc, &insn, &length))
        return;
    label(out, "instruction");
    sim_print_insn(s, &insn, f->pc, out);
    buffer_printf(out, "\n");
    report_sources(s, &s->pes[f->pe], &insn, out);
}

/* ---- the open block ---- */

static void report_block(const struct sim *s, const struct pe *pe, struct buffer *out)
{
    const struct bundle *h = &pe->block.header;
    if (!pe->block.active)
        return;
    label(out, "block");
    buffer_printf(out, "began at ");
    report_place(s, pe->bpc, out);
    if (h->op)
        buffer_printf(out, " %s", h->op->name);
    for (unsigned i = 0; i < 3; i++)
        if (h->lb_present[i])
            buffer_printf(out, " LB%u=%llu", i, (unsigned long long)h->lb[i]);
    for (unsigned i = 0; h->ior_present && i < SIM_IOR_SOURCES; i++)
        buffer_printf(out, " B.IOR%u=0x%llx", i, (unsigned long long)pe->reg[h->ior_source[i]]);
    buffer_printf(out, "\n");
}

/* ---- the fault ---- */

static void report_fault(const struct sim *s, struct buffer *out)
{
    const struct fault *f = &s->fault;
    buffer_printf(out, "fault: %s\n", fault_name(f->kind));
    label(out, f->pe < 0 ? "engine" : "PE");
    if (f->pe < 0)
        buffer_printf(out, "%s\n", f->engine ? f->engine : "?");
    else
        buffer_printf(out, "%d\n", f->pe);
    label(out, "PC");
    report_place(s, f->pc, out);
    buffer_printf(out, "\n");
    report_instruction(s, f, out);
    label(out, "condition");
    buffer_printf(out, "%s\n", f->text);
    if (f->address != f->pc) {
        label(out, "address");
        buffer_printf(out, "0x%llx\n", (unsigned long long)f->address);
    }
    if (f->pe >= 0)
        report_block(s, &s->pes[f->pe], out);
    label(out, "rolled back");
    buffer_printf(out, "%s\n", f->undone[0] ? f->undone : "nothing; the instruction had no effect");
}

void sim_report(const struct sim *s, struct buffer *out)
{
    switch (s->end) {
    case SIM_FAULT:
        report_fault(s, out);
        break;
    case SIM_LIMIT:
        buffer_printf(out, "stopped: the limit of %llu instructions is reached\n",
                      (unsigned long long)s->options.max_insns);
        report_pes(s, out);
        break;
    case SIM_DEADLOCK:
        buffer_printf(out, "deadlock: every engine waits\n");
        seq_report_waits(s, out);
        break;
    default:
        report_pes(s, out);
        break;
    }
}
