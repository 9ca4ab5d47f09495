/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/encoder/batch.h"

#include "grammar/grammar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_FAILURES = 10 };

/* ---- numbers ---- */

uint64_t dice_bits(struct dice *d)
{
    uint64_t z = (d->state += 0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

unsigned dice_below(struct dice *d, unsigned n)
{
    return (unsigned)((dice_bits(d) >> 32) * n >> 32);
}

void store_word(uint8_t *bytes, uint64_t word, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        bytes[i] = (uint8_t)(word >> (8 * i));
}

/* ---- one line ---- */

static enum isa_operand_value_kind eval(void *ctx, const struct ast_expr *e, int64_t *number)
{
    (void)ctx;
    if (e->op == AST_NEG && e->left->op == AST_NUMBER) {
        *number = (int64_t)(0 - (uint64_t)e->left->number);
        return ISA_VALUE_CONSTANT;
    }
    *number = e->op == AST_NUMBER ? e->number : 0;
    return e->op == AST_NUMBER ? ISA_VALUE_CONSTANT : ISA_VALUE_SYMBOLIC;
}

static const char *line_text(const struct batch *b, unsigned n)
{
    return (const char *)b->source.data + b->line[n].text;
}

static void complain(struct batch *b, const char *what)
{
    if (b->failures++ >= SHOWN_FAILURES)
        return;
    const char *text = b->next < b->count ? line_text(b, b->next) : "";
    print_error("%.*s: %s (%s)\n", (int)strcspn(text, "\n"), text, what, b->message);
}

static bool decode_any(const struct batch *b, const struct isa_form *form, const uint8_t *bytes,
                       struct isa_insn *out)
{
    struct isa_why why;
    unsigned length;
    enum isa_decode_status status =
        form->set == ISA_SET_SEQ ? isa_decode_seq(&b->target, bytes, form->length, out, &why)
                                 : isa_decode(&b->target, bytes, form->length, out, &length, &why);
    return status == ISA_DECODED;
}

/* The word gives the line's text again. */
static bool prints_as(struct batch *b, const struct isa_insn *insn, const char *text)
{
    struct isa_print_options options = {.target = b->target};
    b->again.size = 0;
    isa_print(insn, &options, &b->again);
    return strcspn(text, "\n") == b->again.size && !memcmp(text, b->again.data, b->again.size);
}

static void check_word(struct batch *b, const struct isa_match *match)
{
    const struct batch_line *l = &b->line[b->next];
    const struct isa_form *form = match->insn.form;
    uint8_t bytes[ISA_MAX_LENGTH];
    struct isa_insn decoded;
    isa_pack(&match->insn, bytes);
    if (form->length != l->length || memcmp(bytes, l->bytes, l->length) != 0 || match->nfixups)
        complain(b, "gives another word");
    else if (!decode_any(b, form, bytes, &decoded) || decoded.form != form ||
             memcmp(decoded.value, match->insn.value, form->nvalues * sizeof decoded.value[0]))
        complain(b, "decodes to other values");
    else if (l->canonical && !prints_as(b, &decoded, line_text(b, b->next)))
        complain(b, "is printed in other words");
}

static bool check_statement(void *ctx, struct grammar *g, const struct ast_stmt *stmt)
{
    struct batch *b = ctx;
    struct isa_match match;
    struct isa_matcher m = {.target = b->target, .diag = b->diag, .eval = eval};
    (void)g;
    while (b->next < b->count && b->next + 1 < stmt->loc.line) { /* the parser refused a line */
        diag_flush(b->diag);
        complain(b, "is no statement");
        b->next++;
    }
    if (b->next >= b->count)
        return false;
    if (stmt->kind == AST_INSN && isa_match(&m, stmt, &match)) {
        check_word(b, &match);
    } else {
        diag_flush(b->diag);
        complain(b, "does not match");
    }
    b->message[0] = '\0';
    b->next++;
    return true;
}

void batch_flush(struct batch *b)
{
    size_t size = b->source.size;
    buffer_append(&b->source, "\0", 2);
    b->next = 0;
    uint32_t file = diag_add_source(b->diag, "batch", (char *)b->source.data, size, (struct loc){0},
                                    DIAG_ROLE_FILE);
    grammar_parse(b->grammar, file, (char *)b->source.data, size);
    if (b->next != b->count)
        complain(b, "is not one statement");
    b->words += b->count;
    b->source.size = 0;
    b->count = 0;
}

static struct batch_line *end_line(struct batch *b, const struct isa_form *form, uint32_t text)
{
    struct batch_line *l = &b->line[b->count++];
    l->length = form->length;
    l->text = text;
    buffer_append(&b->source, "\n", 1);
    return l;
}

bool batch_add(struct batch *b, const struct isa_insn *insn, const uint8_t *bytes)
{
    struct isa_print_options options = {.target = b->target};
    uint32_t text = (uint32_t)b->source.size;
    if (!isa_canonical(&b->target, insn, bytes, 0))
        return false;
    isa_print(insn, &options, &b->source);
    struct batch_line *l = end_line(b, insn->form, text);
    memcpy(l->bytes, bytes, l->length);
    l->canonical = true;
    if (b->count == BATCH_LINES)
        batch_flush(b);
    return true;
}

bool batch_add_word(struct batch *b, const uint8_t *bytes, size_t n)
{
    struct isa_insn insn;
    struct isa_why why;
    unsigned length;
    return isa_decode(&b->target, bytes, n, &insn, &length, &why) == ISA_DECODED &&
           batch_add(b, &insn, bytes);
}

void batch_add_text(struct batch *b, const struct isa_insn *insn)
{
    size_t begin = b->source.size;
    while (begin > 0 && b->source.data[begin - 1] != '\n')
        begin--;
    struct batch_line *l = end_line(b, insn->form, (uint32_t)begin);
    isa_pack(insn, l->bytes);
    l->canonical = false;
    if (b->count == BATCH_LINES)
        batch_flush(b);
}

/* ---- fixtures ---- */

static void keep_message(void *ctx, const struct diag_record *record)
{
    struct batch *b = ctx;
    if (record->severity == DIAG_ERROR && !b->message[0])
        snprintf(b->message, sizeof b->message, "%s", record->message);
}

int batch_set_up(void **state)
{
    static jmp_buf exhausted;
    struct batch *b = calloc(1, sizeof *b);
    struct diag_options diag = {.sink = keep_message, .sink_ctx = b};
    if (!b || setjmp(exhausted))
        return -1;
    b->mem = mem_default();
    b->mem.on_exhausted = &exhausted;
    b->names = intern_create(&b->mem);
    b->diag = diag_create(&b->mem, &diag);
    struct grammar_options options = {
        .mem = &b->mem, .names = b->names, .diag = b->diag, .statement = check_statement, .ctx = b};
    b->grammar = grammar_create(&options);
    buffer_init(&b->source, &b->mem);
    buffer_init(&b->again, &b->mem);
    b->target = (struct isa_target){.pto = 1 << ISA_REV_0_58_3, .seq = 1 << ISA_GEN_CAYMAN};
    *state = b;
    return 0;
}

int batch_tear_down(void **state)
{
    struct batch *b = *state;
    grammar_destroy(b->grammar);
    diag_destroy(b->diag);
    intern_destroy(b->names);
    buffer_free(&b->source);
    buffer_free(&b->again);
    free(b);
    return 0;
}
