/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/encoder/harness.h"

#include "grammar/grammar.h"

#include <stdlib.h>
#include <string.h>

struct harness {
    struct mem mem;
    jmp_buf exhausted;
    struct intern *names;
    struct diag *diag;
    struct grammar *grammar;
    struct isa_target target;
    struct buffer source, message, text;
    struct isa_match match;
    bool matched;
};

static void keep_message(void *ctx, const struct diag_record *record)
{
    struct harness *h = ctx;
    if (h->message.size)
        return;
    buffer_printf(&h->message, "%s: %s", diag_slug(record->code), record->message);
}

static enum isa_operand_value_kind eval(void *ctx, const struct ast_expr *e, int64_t *number)
{
    int64_t left, right;
    switch (e->op) {
    case AST_NUMBER:
        *number = e->number;
        return ISA_VALUE_CONSTANT;
    case AST_NEG:
        if (eval(ctx, e->left, &left) != ISA_VALUE_CONSTANT)
            return ISA_VALUE_SYMBOLIC;
        *number = (int64_t)(0 - (uint64_t)left);
        return ISA_VALUE_CONSTANT;
    case AST_ADD:
        if (eval(ctx, e->left, &left) != ISA_VALUE_CONSTANT ||
            eval(ctx, e->right, &right) != ISA_VALUE_CONSTANT)
            return ISA_VALUE_SYMBOLIC;
        *number = left + right;
        return ISA_VALUE_CONSTANT;
    default:
        return ISA_VALUE_SYMBOLIC;
    }
}

static bool match_statement(void *ctx, struct grammar *g, const struct ast_stmt *stmt)
{
    struct harness *h = ctx;
    struct isa_matcher matcher = {.target = h->target, .diag = h->diag, .eval = eval, .ctx = h};
    (void)g;
    if (stmt->kind == AST_INSN)
        h->matched = isa_match(&matcher, stmt, &h->match);
    else if (stmt->kind == AST_MACRO_CALL)
        isa_report_unknown(&matcher, stmt->name, stmt->name_size, stmt->name_loc);
    return true;
}

struct harness *harness_create(void)
{
    struct harness *h = calloc(1, sizeof *h);
    h->mem = mem_default();
    h->mem.on_exhausted = &h->exhausted;
    if (setjmp(h->exhausted))
        exit(EXIT_FAILURE);
    struct diag_options diag = {.sink = keep_message, .sink_ctx = h};
    h->names = intern_create(&h->mem);
    h->diag = diag_create(&h->mem, &diag);
    struct grammar_options options = {
        .mem = &h->mem, .names = h->names, .diag = h->diag, .statement = match_statement, .ctx = h};
    h->grammar = grammar_create(&options);
    buffer_init(&h->source, &h->mem);
    buffer_init(&h->message, &h->mem);
    buffer_init(&h->text, &h->mem);
    harness_target(h, "pto0.58.3");
    harness_target(h, "cayman");
    return h;
}

void harness_destroy(struct harness *h)
{
    grammar_destroy(h->grammar);
    diag_destroy(h->diag);
    intern_destroy(h->names);
    buffer_free(&h->source);
    buffer_free(&h->message);
    buffer_free(&h->text);
    free(h);
}

void harness_target(struct harness *h, const char *revision)
{
    const struct isa_revision *r = isa_find_revision(revision, strlen(revision));
    if (r->set == ISA_SET_PTO)
        h->target.pto = r->bit;
    else
        h->target.seq = r->bit;
}

struct isa_target harness_current(const struct harness *h)
{
    return h->target;
}

bool harness_match(struct harness *h, const char *line)
{
    size_t size = strlen(line);
    h->source.size = h->message.size = 0;
    buffer_append(&h->source, line, size);
    buffer_append(&h->source, "\0", 2);
    h->matched = false;
    uint32_t file = diag_add_source(h->diag, "line", (char *)h->source.data, size, (struct loc){0},
                                    DIAG_ROLE_FILE);
    grammar_parse(h->grammar, file, (char *)h->source.data, size);
    diag_flush(h->diag);
    buffer_append(&h->message, "", 1);
    return h->matched;
}

const struct isa_match *harness_result(const struct harness *h)
{
    return &h->match;
}

const char *harness_message(const struct harness *h)
{
    return (const char *)h->message.data;
}

const char *harness_assemble(struct harness *h, const char *line)
{
    uint8_t bytes[ISA_MAX_LENGTH];
    h->text.size = 0;
    if (!harness_match(h, line))
        return "error";
    isa_pack(&h->match.insn, bytes);
    for (unsigned i = 0; i < h->match.insn.form->length; i++)
        buffer_printf(&h->text, "%02x", bytes[i]);
    buffer_append(&h->text, "", 1);
    return (const char *)h->text.data;
}

bool harness_patch(struct harness *h, int64_t value, uint8_t *bytes)
{
    const struct isa_fixup *f = &h->match.fixup[0];
    h->message.size = 0;
    bool good = isa_patch(h->match.insn.form, f->field, value, f->operand_scale, f->operand_bias,
                          bytes, h->diag, (struct loc){0});
    diag_flush(h->diag);
    buffer_append(&h->message, "", 1);
    return good;
}

const char *harness_disassemble(struct harness *h, const uint8_t *bytes, size_t size, bool seq)
{
    struct isa_insn insn;
    struct isa_why why;
    unsigned length = ISA_MAX_LENGTH;
    struct isa_print_options options = {.target = h->target};
    h->text.size = 0;
    enum isa_decode_status status = seq ? isa_decode_seq(&h->target, bytes, size, &insn, &why)
                                        : isa_decode(&h->target, bytes, size, &insn, &length, &why);
    if (status == ISA_DECODED) {
        isa_print(&insn, &options, &h->text);
    } else {
        buffer_printf(&h->text, "reserved: ");
        isa_explain(status, &why, bytes, length, &h->text);
    }
    buffer_append(&h->text, "", 1);
    return (const char *)h->text.data;
}

size_t unhex(const char *hex, uint8_t *bytes, size_t capacity)
{
    size_t n = 0;
    for (; n < capacity && hex[2 * n] && hex[2 * n + 1]; n++) {
        char pair[3] = {hex[2 * n], hex[2 * n + 1], '\0'};
        bytes[n] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return n;
}
