/* SPDX-License-Identifier: BSD-3-Clause */
/* What the monitor shows and sets. */
#include <ctype.h>
#include <string.h>

#include "sim/block.h"
#include "sim/memory.h"
#include "sim/monitor_inside.h"
#include "sim/sysreg.h"
#include "support/decimal.h"

/* ---- positions ---- */

/* "0x00010010 <fibonacci+8>" */
static void print_address(const struct monitor *m, uint64_t address, struct buffer *out)
{
    buffer_printf(out, "0x%08llx", (unsigned long long)address);
    size_t before = out->size;
    buffer_printf(out, " <");
    sim_symbol(m->sim, address, out);
    if (out->size == before + 2)
        out->size = before;
    else
        buffer_printf(out, ">");
}

static void print_insn(const struct monitor *m, uint64_t address, unsigned *length,
                       struct buffer *out)
{
    struct isa_insn insn;
    if (sim_decode(m->sim, address, &insn, length))
        sim_print_insn(m->sim, &insn, address, out);
    else
        buffer_printf(out, *length ? "(not an instruction)" : "(not mapped)");
}

static const char *thread_state(const struct monitor *m, unsigned thread)
{
    static const char *const ends[] = {
        [END_RETURN] = "returned from the entry",
        [END_OF_CODE] = "reached the end of the code",
        [END_BREAK] = "ended at an ebreak",
    };
    uint64_t pc;
    const char *state;
    if (thread >= SIM_PES) {
        seq_position(m->sim, thread - SIM_PES, &pc, &state);
        return !strcmp(state, "ready") ? NULL : state;
    }
    const struct pe *pe = &m->sim->pes[thread];
    if (pe->state == PE_ENDED)
        return ends[pe->end];
    return pe->state == PE_COMMIT ? "waits for the other PEs" : NULL;
}

/* PE0 0x00010010 <fibonacci+8> fibonacci.pto:41  addi a0, 1, ->a0 */
void monitor_show_position(struct monitor *m, unsigned thread)
{
    unsigned length;
    uint64_t pc = monitor_pc(m, thread);
    const char *state = thread_state(m, thread);
    struct buffer *out = &m->text;
    buffer_printf(out, "%s ", monitor_thread_name(m, thread));
    print_address(m, pc, out);
    buffer_printf(out, " ");
    size_t before = out->size;
    sim_place(m->sim, pc, out);
    buffer_printf(out, "%s", out->size == before ? " " : "  ");
    if (state)
        buffer_printf(out, "%s", state);
    else
        print_insn(m, pc, &length, out);
    buffer_printf(out, "\n");
}

/* ---- registers ---- */

static const char *cell_name(const struct sim *s, unsigned cell)
{
    const struct isa_member *member =
        isa_member_of_value(&isa_enumerations[ISA_ENUM_ScalarSource], cell, s->target.pto);
    return member ? member->name : "?";
}

static void print_queue(const struct pe *pe, char name, unsigned first, struct buffer *out)
{
    for (unsigned i = first; i < first + SIM_QUEUE_DEPTH; i++) {
        char entry[5] = {name, '#', (char)('1' + i - first), 0};
        buffer_printf(out, "%-4s ", entry);
        if (pe->queue_valid >> i & 1)
            buffer_printf(out, "0x%016llx", (unsigned long long)pe->reg[i]);
        else
            buffer_printf(out, "empty");
        bool last = i + 1 == first + SIM_QUEUE_DEPTH, valid = pe->queue_valid >> i & 1;
        buffer_printf(out, "%*s", last ? 0 : valid ? 2 : 15, last ? "\n" : "");
    }
}

static void print_pe(const struct monitor *m, const struct pe *pe, struct buffer *out)
{
    enum { PER_LINE = 4 };
    for (unsigned r = 0; r < SIM_GPRS; r++)
        buffer_printf(out, "%-4s 0x%016llx%s", cell_name(m->sim, r), (unsigned long long)pe->reg[r],
                      r % PER_LINE < PER_LINE - 1 ? "  " : "\n");
    print_queue(pe, 't', REG_T, out);
    print_queue(pe, 'u', REG_U, out);
    buffer_printf(out, "pc   0x%016llx  ring %u\n", (unsigned long long)pe->pc, pe->acr);
}

static void print_system_register(struct pe *pe, const struct isa_sysreg *r, struct buffer *out)
{
    enum { RING_SHIFT = 12 };
    size_t stem = strlen(r->name) - 1, before = out->size;
    bool of_ring = r->name[stem] == 'n';
    uint64_t value = sysreg_read(pe, (of_ring ? (uint64_t)pe->acr << RING_SHIFT : 0) | r->address);
    if (!value)
        return;
    if (of_ring)
        buffer_printf(out, "%.*s%u", (int)stem, r->name, pe->acr);
    else
        buffer_printf(out, "%s", r->name);
    buffer_printf(out, "%*s 0x%016llx\n", (int)(22 - (out->size - before)), "",
                  (unsigned long long)value);
}

static void print_system(const struct monitor *m, struct buffer *out)
{
    enum { CAN_READ = 1 };
    for (size_t i = 0; i < ISA_SYSREG_COUNT; i++)
        if (isa_sysregs[i].access & CAN_READ)
            print_system_register(&m->sim->pes[m->thread], &isa_sysregs[i], out);
}

static bool print_one(struct monitor *m, const struct word *w)
{
    uint64_t value, address;
    if (m->thread < SIM_PES && sysreg_address(w->text, &address))
        value = sysreg_read(&m->sim->pes[m->thread], address);
    else if (!monitor_register(m, w->text, &value))
        return monitor_refuse(m, w, "there is no register '%s'", w->text);
    buffer_printf(&m->text, "%s 0x%llx %lld\n", w->text, (unsigned long long)value,
                  (long long)value);
    return true;
}

bool monitor_registers(struct monitor *m, const struct words *w)
{
    bool pe = m->thread<SIM_PES, system = w->count> 1 && !strcmp(w->item[1].text, "sys");
    if (w->count > 1 && !system)
        return print_one(m, &w->item[1]);
    if (system && !pe)
        return monitor_refuse(m, &w->item[1], "an engine has no system registers");
    if (system)
        print_system(m, &m->text);
    else if (pe)
        print_pe(m, &m->sim->pes[m->thread], &m->text);
    else
        seq_print_registers(m->sim, m->thread - SIM_PES, &m->text);
    return true;
}

static bool value_of(struct monitor *m, const struct word *w, uint64_t *value)
{
    struct word magnitude = *w;
    bool negative = w->text[0] == '-';
    magnitude.text += negative;
    if (!monitor_address(m, &magnitude, value))
        return false;
    *value = negative ? -*value : *value;
    return true;
}

bool monitor_set(struct monitor *m, const struct words *w)
{
    const char *name = w->item[1].text;
    uint64_t value, address;
    if (!value_of(m, &w->item[2], &value))
        return false;
    if (m->thread < SIM_PES && sysreg_address(name, &address)) {
        const struct isa_sysreg *r = sysreg_find(address);
        if (!r || !(r->access & 2))
            return monitor_refuse(m, &w->item[1], "%s is read-only", name);
        sysreg_write(&m->sim->pes[m->thread], address, value);
        return true;
    }
    m->code_next = m->list_next = 0;
    return sim_set_register(m->sim, monitor_full_name(m, name), value) ||
           monitor_refuse(m, &w->item[1], "there is no register '%s', or it cannot hold the value",
                          name);
}

/* ---- the machine ---- */

static void print_block(const struct monitor *m, const struct pe *pe, struct buffer *out)
{
    static const char *const transfers[] = {"FALL", "DIRECT", "COND", "CALL",
                                            "RET",  "IND",    "ICALL"};
    const struct block *b = &pe->block;
    const struct bundle *h = &b->header;
    if (!b->active) {
        buffer_printf(out, "no block is open\n");
        return;
    }
    buffer_printf(out, "began at ");
    print_address(m, pe->bpc, out);
    buffer_printf(out, ", %s, %s", b->body ? "in the body" : "in the header",
                  h->op ? h->op->name : transfers[b->transfer]);
    if (b->transfer != TRANSFER_FALL)
        buffer_printf(out, " to 0x%llx, %s", (unsigned long long)b->bpcn,
                      b->taken ? "taken" : "not taken");
    buffer_printf(out, "\n");
    for (unsigned i = 0; i < 3; i++)
        if (h->lb_present[i])
            buffer_printf(out, "LB%u %llu\n", i, (unsigned long long)h->lb[i]);
    for (unsigned i = 0; h->ior_present && i < SIM_IOR_SOURCES; i++)
        buffer_printf(out, "B.IOR%u %s 0x%llx\n", i, cell_name(m->sim, h->ior_source[i]),
                      (unsigned long long)pe->reg[h->ior_source[i]]);
    buffer_printf(out, "%u B.IOT, %u B.IOS\n", h->niot, h->nios);
}

bool monitor_info(struct monitor *m, const struct words *w)
{
    const char *what = w->count > 1 ? w->item[1].text : "";
    if (!*what) {
        for (unsigned i = 0; i < MONITOR_THREADS; i++)
            if (monitor_exists(m, i)) {
                buffer_printf(&m->text, "%s", i == m->thread ? "* " : "  ");
                monitor_show_position(m, i);
            }
        return true;
    }
    if (!strncmp("break", what, strlen(what))) {
        monitor_list_points(m);
        return true;
    }
    if (strncmp("block", what, strlen(what)))
        return monitor_refuse(m, &w->item[1], "info takes break or block");
    if (m->thread >= SIM_PES)
        return monitor_refuse(m, &w->item[1], "an engine has no blocks");
    print_block(m, &m->sim->pes[m->thread], &m->text);
    return true;
}

static bool print_tiles(struct monitor *m, const struct words *w, bool shared)
{
    uint64_t at[2] = {0, 0};
    if (w->count == 1) {
        tile_print_list(m->sim, shared, &m->text);
        return true;
    }
    for (unsigned i = 2; i < w->count; i++)
        if (!monitor_number(m, &w->item[i], &at[i - 2]))
            return false;
    for (unsigned i = 0; i < 2; i++)
        at[i] = at[i] > UINT32_MAX ? UINT32_MAX : at[i];
    const char *name = w->item[1].text;
    const char *problem = tile_print(m->sim, shared ? name : monitor_full_name(m, name),
                                     (uint32_t)at[0], (uint32_t)at[1], &m->text);
    return !problem || monitor_refuse(m, &w->item[1], "%s", problem);
}

bool monitor_tiles(struct monitor *m, const struct words *w)
{
    return print_tiles(m, w, false);
}

bool monitor_shared(struct monitor *m, const struct words *w)
{
    return print_tiles(m, w, true);
}

bool monitor_semaphores(struct monitor *m, const struct words *w)
{
    (void)w;
    seq_print_semaphores(m->sim, &m->text);
    return true;
}

/* ---- memory ---- */

static unsigned unit_bytes(char size)
{
    return size == 'b' ? 1 : size == 'h' ? 2 : size == 'w' ? 4 : 8;
}

static void print_float(uint64_t value, unsigned bytes, struct buffer *out)
{
    char text[32];
    uint32_t half = (uint32_t)value;
    float single;
    double number;
    memcpy(&single, &half, sizeof single);
    memcpy(&number, &value, sizeof number);
    if (bytes == sizeof single)
        decimal_print(text, sizeof text, 9, (double)single);
    else
        decimal_print(text, sizeof text, 17, number);
    buffer_printf(out, " %s", text);
}

static void print_unit(uint64_t value, char format, unsigned bytes, struct buffer *out)
{
    unsigned unused = 64 - 8 * bytes;
    switch (format) {
    case 'd':
        buffer_printf(out, " %lld", (long long)((int64_t)(value << unused) >> unused));
        break;
    case 'u':
        buffer_printf(out, " %llu", (unsigned long long)value);
        break;
    case 'c':
        buffer_printf(out, isprint((int)(value & 0xff)) ? " '%c'" : " '\\x%02x'",
                      (unsigned)(value & 0xff));
        break;
    case 'f':
        print_float(value, bytes, out);
        break;
    default:
        buffer_printf(out, " 0x%0*llx", (int)(2 * bytes), (unsigned long long)value);
        break;
    }
}

static bool not_mapped(struct monitor *m, const struct word *w, uint64_t address)
{
    monitor_print(m);
    return monitor_refuse(m, w, "0x%llx is not mapped", (unsigned long long)address);
}

static bool examine_units(struct monitor *m, const struct word *w, uint64_t count)
{
    enum { LINE = 16 };
    unsigned bytes = unit_bytes(m->examine_size);
    for (uint64_t i = 0; i < count; i++, m->examine_next += bytes) {
        uint64_t value = 0;
        if (!memory_peek(m->sim->memory, m->examine_next, &value, bytes))
            return not_mapped(m, w, m->examine_next);
        if (i * bytes % LINE == 0) {
            print_address(m, m->examine_next, &m->text);
            buffer_printf(&m->text, ":");
        }
        print_unit(value, m->examine_format, bytes, &m->text);
        if ((i + 1) * bytes % LINE == 0 || i + 1 == count)
            buffer_printf(&m->text, "\n");
    }
    return true;
}

/* Up to a zero byte, of which no more is shown than fits a screen. */
static bool examine_strings(struct monitor *m, const struct word *w, uint64_t count)
{
    enum { LONGEST = 1024 };
    for (uint64_t i = 0; i < count; i++) {
        char c = 1;
        print_address(m, m->examine_next, &m->text);
        buffer_printf(&m->text, ": \"");
        for (unsigned n = 0; n < LONGEST && c; n++) {
            if (!memory_peek(m->sim->memory, m->examine_next, &c, 1))
                return not_mapped(m, w, m->examine_next);
            m->examine_next++;
            bool plain = isprint((unsigned char)c) && c != '"' && c != '\\';
            if (c)
                buffer_printf(&m->text, plain ? "%c" : "\\x%02x", (unsigned char)c);
        }
        buffer_printf(&m->text, "\"\n");
    }
    return true;
}

/* Instructions from *address on; the one at the PC is marked. */
static bool print_code(struct monitor *m, const struct word *w, uint64_t *address, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        unsigned length;
        size_t start = m->text.size;
        buffer_printf(&m->text, "%s", *address == monitor_pc(m, m->thread) ? "=> " : "   ");
        print_address(m, *address, &m->text);
        buffer_printf(&m->text, ": ");
        print_insn(m, *address, &length, &m->text);
        buffer_printf(&m->text, "\n");
        if (!length) {
            m->text.size = start;
            return i > 0 || not_mapped(m, w, *address);
        }
        *address += length;
    }
    return true;
}

/* x/NFS: digits, then letters of format and size in any order. */
static bool read_format(struct monitor *m, const struct word *w, uint64_t *count)
{
    static const char formats[] = "xducfsi", sizes[] = "bhwg";
    const char *p = strchr(w->text, '/');
    *count = 1;
    if (!p)
        return true;
    if (isdigit((unsigned char)*++p))
        for (*count = 0; isdigit((unsigned char)*p) && *count < UINT32_MAX; p++)
            *count = *count * 10 + (uint64_t)(*p - '0');
    for (; *p; p++) {
        if (strchr(formats, *p))
            m->examine_format = *p;
        else if (strchr(sizes, *p))
            m->examine_size = *p;
        else
            return monitor_refuse(m, w, "'%c' is no format (x d u c f s i) and no size (b h w g)",
                                  *p);
    }
    if (m->examine_format == 'c')
        m->examine_size = 'b';
    if (m->examine_format == 'f' && m->examine_size != 'w')
        m->examine_size = 'g';
    return *count <= UINT32_MAX / 8 || monitor_refuse(m, w, "the count is too large");
}

bool monitor_examine(struct monitor *m, const struct words *w)
{
    uint64_t count;
    const struct word *place = &w->item[w->count - 1];
    if (!m->examine_format) {
        m->examine_format = 'x';
        m->examine_size = 'w';
    }
    if (!read_format(m, &w->item[0], &count) ||
        (w->count > 1 && !monitor_address(m, place, &m->examine_next)))
        return false;
    if (m->examine_format == 'i')
        return print_code(m, place, &m->examine_next, count);
    if (m->examine_format == 's')
        return examine_strings(m, place, count);
    return examine_units(m, place, count);
}

bool monitor_disassemble(struct monitor *m, const struct words *w)
{
    enum { LINES = 10 };
    uint64_t count = LINES;
    if (w->count > 1 && !monitor_address(m, &w->item[1], &m->code_next))
        return false;
    if (w->count > 2 && !monitor_number(m, &w->item[2], &count))
        return false;
    if (w->count == 1 && !m->code_next)
        m->code_next = monitor_pc(m, m->thread);
    return print_code(m, &w->item[w->count - 1], &m->code_next, count);
}

/* ---- source ---- */

static bool list_place(struct monitor *m, const struct words *w)
{
    enum { ABOVE = 5 };
    uint64_t address = monitor_pc(m, m->thread);
    if (w->count > 1 && !monitor_address(m, &w->item[1], &address))
        return false;
    const struct obj_line *row = obj_line_at(m->sim->program, address);
    if (!row)
        return monitor_refuse(m, &w->item[w->count - 1],
                              "no source line is known of 0x%llx (assemble with -g)",
                              (unsigned long long)address);
    m->list_file = row->file;
    m->list_next = row->line > ABOVE ? row->line - ABOVE : 1;
    return true;
}

bool monitor_list(struct monitor *m, const struct words *w)
{
    enum { LINES = 11 };
    if ((w->count > 1 || !m->list_next) && !list_place(m, w))
        return false;
    const struct obj_line *row = obj_line_at(m->sim->program, monitor_pc(m, m->thread));
    for (unsigned i = 0; i < LINES; i++, m->list_next++) {
        size_t length;
        const char *why;
        const char *text = sim_source_line(m->sim, m->list_file, m->list_next, &length, &why);
        if (!text && i)
            return true;
        if (!text)
            return monitor_refuse(m, &w->item[0], why ? "cannot read %s: %s" : "%s ends here%s",
                                  m->sim->program->line_files.item[m->list_file], why ? why : "");
        bool here = row && row->file == m->list_file && row->line == m->list_next;
        buffer_printf(&m->text, "%s%5u  %.*s\n", here ? "=>" : "  ", m->list_next, (int)length,
                      text);
    }
    return true;
}
