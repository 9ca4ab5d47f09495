/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Macros and repetitions, as GNU as has them: the body is text, arguments are
 * put in for \name, \@ counts the calls, \() separates. An expansion is one
 * more source that the parser reads before the rest, so every message inside it
 * can name the call.
 */
#include "asm/directive.h"

#include <ctype.h>
#include <string.h>

/* A macro that calls itself twice would grow without end long before it nests too deeply. */
static const size_t max_expansion = (size_t)256 << 20;

struct text {
    const char *at;
    size_t size;
};

struct parameter {
    const char *name; /* interned */
    struct text dflt;
    bool required, vararg;
    struct parameter *next;
};

/* The lines of a macro or a loop, and where they stand. */
struct body {
    struct text text;
    struct loc loc;
};

struct macro {
    const char *name; /* interned */
    struct loc loc;
    struct parameter *parameters;
    struct body body;
};

/* One argument for each parameter of the list, in order. */
struct binding {
    const struct parameter *parameter;
    struct text value;
    bool given;
    struct binding *next;
};

/* ---- reading arguments ---- */

struct cursor {
    const char *at, *end;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static void skip_blanks(struct cursor *c)
{
    while (c->at < c->end && is_blank(*c->at))
        c->at++;
}

/* Blanks and at most one comma. */
static void skip_separator(struct cursor *c)
{
    skip_blanks(c);
    if (c->at < c->end && *c->at == ',')
        c->at++;
    skip_blanks(c);
}

static struct text read_word(struct cursor *c, bool dots)
{
    struct text word = {c->at, 0};
    while (c->at < c->end && (is_word(*c->at) || (dots && *c->at == '.')))
        c->at++;
    word.size = (size_t)(c->at - word.at);
    return word;
}

/* A quoted string goes in without its quotes. */
static bool read_quoted(struct cursor *c, struct text *value)
{
    const char *p = c->at + 1;
    while (p < c->end && *p != '"')
        p += *p == '\\' && p + 1 < c->end ? 2 : 1;
    if (p >= c->end)
        return false;
    *value = (struct text){c->at + 1, (size_t)(p - c->at - 1)};
    c->at = p + 1;
    return true;
}

/* A blank ends an argument unless an operator beside it makes both sides one expression. */
static bool blank_joins(const struct cursor *c, const char *start, const char *blank)
{
    static const char operators[] = "+-*/%&|^~!<>=:";
    const char *next = blank;
    while (next < c->end && is_blank(*next))
        next++;
    return (next < c->end && strchr(operators, *next)) ||
           (blank > start && strchr(operators, blank[-1]));
}

static struct text read_argument(struct cursor *c)
{
    struct text value = {c->at, 0};
    if (c->at < c->end && *c->at == '"' && read_quoted(c, &value))
        return value;
    unsigned depth = 0;
    bool quoted = false;
    for (; c->at < c->end; c->at++) {
        char ch = *c->at;
        if (ch == '"')
            quoted = !quoted;
        if (quoted)
            continue;
        if (ch == '(' || ch == '[' || ch == '{')
            depth++;
        else if (depth && (ch == ')' || ch == ']' || ch == '}'))
            depth--;
        else if (!depth && (ch == ',' || (is_blank(ch) && !blank_joins(c, value.at, c->at))))
            break;
    }
    value.size = (size_t)(c->at - value.at);
    while (value.size && is_blank(value.at[value.size - 1]))
        value.size--;
    return value;
}

static struct cursor raw_cursor(const struct ast_stmt *stmt)
{
    const char *at = stmt->raw ? stmt->raw : "";
    return (struct cursor){at, at + stmt->raw_size};
}

/* ---- expansion ---- */

static const struct binding *find_binding(const struct binding *b, struct text name)
{
    while (b && (intern_length(b->parameter->name) != name.size ||
                 memcmp(b->parameter->name, name.at, name.size) != 0))
        b = b->next;
    return b;
}

/* One `\…` at p. Returns what follows it, NULL when it means nothing. */
static const char *substitute(struct assembler *as, const struct binding *bindings, const char *p,
                              const char *end, struct buffer *out)
{
    if (p + 2 < end && p[1] == '(' && p[2] == ')')
        return p + 3;
    if (p + 1 < end && p[1] == '@') {
        buffer_printf(out, "%u", as->macro_calls);
        return p + 2;
    }
    struct cursor c = {p + 1, end};
    struct text name = read_word(&c, false);
    const struct binding *b = name.size ? find_binding(bindings, name) : NULL;
    if (!b)
        return NULL;
    buffer_append(out, b->value.at, b->value.size);
    return c.at;
}

static void expand(struct assembler *as, struct text body, const struct binding *bindings,
                   struct buffer *out)
{
    const char *p = body.at, *end = p + body.size;
    while (p < end) {
        const char *slash = memchr(p, '\\', (size_t)(end - p));
        if (!slash)
            slash = end;
        buffer_append(out, p, (size_t)(slash - p));
        if (slash == end)
            break;
        const char *next = substitute(as, bindings, slash, end, out);
        if (!next)
            buffer_append(out, slash, 1);
        p = next ? next : slash + 1;
    }
}

/* False: reported, the assembly stops. */
static bool check_size(struct assembler *as, size_t size, struct loc loc)
{
    if (size <= max_expansion - as->expanded)
        return true;
    diag_report(as->diag, DIAG_EXPANSION_SIZE, loc,
                "macros and repetitions expand to more than %zu bytes", max_expansion);
    as->aborted = true;
    return false;
}

static uint32_t count_lines(struct text text)
{
    uint32_t lines = 0;
    for (size_t i = 0; i < text.size; i++)
        lines += text.at[i] == '\n' ||
                 (text.at[i] == '\r' && (i + 1 == text.size || text.at[i + 1] != '\n'));
    return lines;
}

/* `text` is the body once, or several times. */
static void push_expansion(struct assembler *as, const char *name, const struct body *body,
                           const struct buffer *text, struct loc loc)
{
    if (!check_size(as, text->size, loc))
        return;
    as->expanded += text->size;
    char *copy = arena_alloc(as->arena, text->size + 2);
    if (text->size)
        memcpy(copy, text->data, text->size);
    uint32_t file = asm_push_text(as, name, copy, text->size, loc, DIAG_ROLE_MACRO);
    diag_set_body(as->diag, file, body->loc, count_lines(body->text));
}

/* ---- definitions ---- */

const char *const asm_macro_openers[] = {".macro", NULL};
const char *const asm_macro_closers[] = {".endm", NULL};
const char *const asm_loop_openers[] = {".irp", ".irpc", ".rept", NULL};
const char *const asm_loop_closers[] = {".endr", NULL};

static bool capture_body(struct assembler *as, const struct ast_stmt *stmt,
                         const char *const *openers, const char *const *closers, struct body *body)
{
    struct grammar_lines lines;
    if (!grammar_capture(as->grammar, openers, closers, false, &lines)) {
        diag_report(as->diag, DIAG_MACRO_OPEN, stmt->loc, "%s without %s", stmt->name, closers[0]);
        return false;
    }
    *body = (struct body){{lines.text, lines.size}, lines.loc};
    if (as->options->listing)
        asm_list_captured(as, lines.end);
    return true;
}

static void report_argument(struct assembler *as, const struct ast_stmt *stmt, const char *expected)
{
    diag_report(as->diag, DIAG_MACRO_ARGUMENT, stmt->loc, "%s: expected %s", stmt->name, expected);
}

/* NAME[:req|:vararg][=default] */
static struct parameter *read_parameter(struct assembler *as, const struct ast_stmt *stmt,
                                        struct cursor *c)
{
    struct text name = read_word(c, false);
    if (!name.size) {
        report_argument(as, stmt, "a parameter name");
        return NULL;
    }
    struct parameter *p = arena_alloc(as->arena, sizeof *p);
    p->name = intern(as->names, name.at, name.size);
    if (c->at < c->end && *c->at == ':') {
        c->at++;
        struct text kind = read_word(c, false);
        p->required = equal_folded(kind.at, kind.size, "req", 3);
        p->vararg = equal_folded(kind.at, kind.size, "vararg", 6);
        if (!p->required && !p->vararg) {
            report_argument(as, stmt, "req or vararg behind ':'");
            return NULL;
        }
    }
    skip_blanks(c);
    if (c->at < c->end && *c->at == '=') {
        c->at++;
        skip_blanks(c);
        p->dflt = read_argument(c);
    }
    return p;
}

/* False: reported. */
static bool read_parameters(struct assembler *as, const struct ast_stmt *stmt, struct cursor *c,
                            struct macro *macro)
{
    struct parameter **tail = &macro->parameters;
    skip_separator(c);
    while (c->at < c->end) {
        struct parameter *p = read_parameter(as, stmt, c);
        if (!p)
            return false;
        for (const struct parameter *q = macro->parameters; q; q = q->next)
            if (q->name == p->name) {
                diag_report(as->diag, DIAG_MACRO_ARGUMENT, stmt->loc,
                            "parameter '%s' is named twice", p->name);
                return false;
            }
        *tail = p;
        tail = &p->next;
        skip_separator(c);
        if (p->vararg && c->at < c->end) {
            report_argument(as, stmt, "nothing behind a vararg parameter");
            return false;
        }
    }
    return true;
}

static bool name_is_free(struct assembler *as, const struct ast_stmt *stmt, const char *name)
{
    size_t used;
    const struct macro *old = map_get(&as->macros, name);
    if (old) {
        diag_report(as->diag, DIAG_MACRO_REDEFINED, stmt->loc, "macro '%s' is already defined",
                    name);
        diag_note(as->diag, old->loc, "the first definition is here");
        return false;
    }
    if (!isa_find_mnemonic_prefix(name, intern_length(name), &used) || name[used])
        return true;
    diag_report(as->diag, DIAG_MACRO_REDEFINED, stmt->loc,
                "'%s' is an instruction and cannot be a macro", name);
    return false;
}

void asm_macro_define(struct assembler *as, const struct ast_stmt *stmt,
                      const struct directive *row)
{
    (void)row;
    struct cursor c = raw_cursor(stmt);
    struct macro *macro = arena_alloc(as->arena, sizeof *macro);
    skip_blanks(&c);
    struct text name = read_word(&c, true);
    macro->loc = stmt->loc;
    macro->name = intern(as->names, name.at, name.size);
    bool good = name.size && read_parameters(as, stmt, &c, macro);
    if (!name.size)
        report_argument(as, stmt, "a name");
    if (capture_body(as, stmt, asm_macro_openers, asm_macro_closers, &macro->body) && good &&
        name_is_free(as, stmt, macro->name))
        *map_put(&as->macros, macro->name) = macro;
}

void asm_macro_purge(struct assembler *as, const struct ast_stmt *stmt, const struct directive *row)
{
    (void)row;
    const char *name = asm_operand_name(as, asm_operand(stmt, 0));
    if (!name)
        return;
    if (map_get(&as->macros, name))
        *map_put(&as->macros, name) = NULL;
    else
        diag_report(as->diag, DIAG_MACRO_UNKNOWN, stmt->loc, "there is no macro '%s'", name);
}

void asm_macro_end(struct assembler *as, const struct ast_stmt *stmt, const struct directive *row)
{
    diag_report(as->diag, DIAG_MACRO_STRAY, stmt->loc, "%s without %s", stmt->name,
                strcmp(row->name, asm_macro_closers[0]) == 0 ? ".macro" : ".rept, .irp or .irpc");
}

void asm_macro_exit(struct assembler *as, const struct ast_stmt *stmt, const struct directive *row)
{
    (void)row;
    if (asm_source_role(as, stmt->loc.file) != DIAG_ROLE_MACRO) {
        diag_report(as->diag, DIAG_MACRO_STRAY, stmt->loc, ".exitm outside a macro");
        return;
    }
    asm_cond_leave(as, grammar_depth(as->grammar) - 1, false);
    if (as->options->listing)
        asm_list_left(as, stmt->loc);
    grammar_pop(as->grammar);
}

/* ---- calls ---- */

static struct binding *bind_parameters(struct assembler *as, const struct macro *macro)
{
    struct binding *first = NULL, **tail = &first;
    for (const struct parameter *p = macro->parameters; p; p = p->next) {
        struct binding *b = arena_alloc(as->arena, sizeof *b);
        b->parameter = p;
        b->value = p->dflt;
        *tail = b;
        tail = &b->next;
    }
    return first;
}

/* `name=value`, when name is a parameter; the cursor is then behind the sign. */
static struct binding *read_keyword(struct binding *bindings, struct cursor *c)
{
    struct cursor ahead = *c;
    struct text name = read_word(&ahead, false);
    skip_blanks(&ahead);
    if (!name.size || ahead.at >= ahead.end || *ahead.at != '=' ||
        (ahead.at + 1 < ahead.end && ahead.at[1] == '='))
        return NULL;
    struct binding *b = (struct binding *)find_binding(bindings, name);
    if (b) {
        ahead.at++;
        skip_blanks(&ahead);
        *c = ahead;
    }
    return b;
}

static struct text rest_of(struct cursor *c)
{
    struct text rest = {c->at, (size_t)(c->end - c->at)};
    while (rest.size && is_blank(rest.at[rest.size - 1]))
        rest.size--;
    c->at = c->end;
    return rest;
}

/* Arguments by position come first, and no parameter gets two, as GNU as has it. */
struct argument_reader {
    struct assembler *as;
    const struct ast_stmt *stmt;
    struct cursor at;
    struct binding *bindings, *position;
    const struct parameter *named; /* the last one given by name */
};

static void refuse_argument(const struct argument_reader *r, const char *what, const char *name,
                            const char *end)
{
    diag_report(r->as->diag, DIAG_MACRO_ARGUMENT, r->stmt->raw_loc, "macro '%s' %s%s%s",
                r->stmt->name, what, name, end);
}

/* The parameter of the next argument, the cursor then stands at its value. NULL: reported. */
static struct binding *next_binding(struct argument_reader *r)
{
    struct binding *b = read_keyword(r->bindings, &r->at);
    if (b && b->given)
        refuse_argument(r, "gets '", b->parameter->name, "' twice");
    else if (b)
        r->named = b->parameter;
    else if (r->named)
        refuse_argument(r, "gets an argument without a name behind '", r->named->name, "='");
    else if (!r->position)
        refuse_argument(r, "has too many arguments", "", "");
    else {
        b = r->position;
        r->position = b->next;
        return b;
    }
    return b && !b->given ? b : NULL;
}

/* False: reported. */
static bool read_arguments(struct assembler *as, const struct ast_stmt *stmt,
                           struct binding *bindings)
{
    struct argument_reader r = {as, stmt, raw_cursor(stmt), bindings, bindings, NULL};
    skip_blanks(&r.at);
    while (r.at.at < r.at.end) {
        struct binding *b = next_binding(&r);
        if (!b)
            return false;
        struct text value = b->parameter->vararg ? rest_of(&r.at) : read_argument(&r.at);
        if (value.size || b->parameter->vararg)
            b->value = value;
        b->given |= value.size != 0;
        skip_separator(&r.at);
    }
    return true;
}

static bool all_given(struct assembler *as, const struct ast_stmt *stmt,
                      const struct binding *bindings)
{
    for (const struct binding *b = bindings; b; b = b->next)
        if (b->parameter->required && !b->given) {
            diag_report(as->diag, DIAG_MACRO_ARGUMENT, stmt->loc,
                        "macro '%s' needs a value for '%s'", stmt->name, b->parameter->name);
            return false;
        }
    return true;
}

bool asm_macro_call(struct assembler *as, const struct ast_stmt *stmt)
{
    const struct macro *macro = map_get(&as->macros, stmt->name);
    if (!macro)
        return false;
    struct binding *bindings = bind_parameters(as, macro);
    if (!read_arguments(as, stmt, bindings) || !all_given(as, stmt, bindings))
        return true;
    struct buffer *text = asm_scratch(as);
    expand(as, macro->body.text, bindings, text);
    as->macro_calls++;
    push_expansion(as, macro->name, &macro->body, text, stmt->loc);
    return true;
}

/* ---- repetitions ---- */

void asm_macro_rept(struct assembler *as, const struct ast_stmt *stmt, const struct directive *row)
{
    (void)row;
    int64_t count;
    struct body body;
    bool good = asm_operand_number(as, stmt, 0, "the count", 0, &count);
    if (good && count < 0) {
        diag_report(as->diag, DIAG_DIRECTIVE_OPERAND, stmt->loc, ".rept count %lld is negative",
                    (long long)count);
        good = false;
    }
    if (!capture_body(as, stmt, asm_loop_openers, asm_loop_closers, &body) || !good ||
        !body.text.size)
        return;
    if ((uint64_t)count > max_expansion / body.text.size && !check_size(as, SIZE_MAX, stmt->loc))
        return;
    struct buffer *text = asm_scratch(as);
    for (int64_t n = 0; n < count; n++)
        buffer_append(text, body.text.at, body.text.size);
    push_expansion(as, row->name, &body, text, stmt->loc);
}

/* The symbol of .irp and .irpc, the cursor behind its comma. False: reported, the body is skipped.
 */
static bool begin_loop(struct assembler *as, const struct ast_stmt *stmt, struct cursor *c,
                       struct binding *binding, struct parameter *parameter, struct body *body)
{
    *c = raw_cursor(stmt);
    skip_blanks(c);
    struct text name = read_word(c, false);
    if (!name.size)
        report_argument(as, stmt, "a name");
    else
        parameter->name = intern(as->names, name.at, name.size);
    skip_separator(c);
    binding->parameter = parameter;
    return capture_body(as, stmt, asm_loop_openers, asm_loop_closers, body) && name.size;
}

static bool add_round(struct assembler *as, const struct ast_stmt *stmt, struct text body,
                      const struct binding *binding, struct buffer *text)
{
    expand(as, body, binding, text);
    return check_size(as, text->size, stmt->loc);
}

/* .irp SYMBOL, VALUE, … : without values, one round with an empty one. */
void asm_macro_irp(struct assembler *as, const struct ast_stmt *stmt, const struct directive *row)
{
    struct cursor c;
    struct body body;
    struct parameter parameter = {0};
    struct binding binding = {0};
    if (!begin_loop(as, stmt, &c, &binding, &parameter, &body))
        return;
    struct buffer *text = asm_scratch(as);
    do {
        binding.value = read_argument(&c);
        skip_separator(&c);
    } while (add_round(as, stmt, body.text, &binding, text) && c.at < c.end);
    push_expansion(as, row->name, &body, text, stmt->loc);
}

/* .irpc SYMBOL, CHARACTERS */
void asm_macro_irpc(struct assembler *as, const struct ast_stmt *stmt, const struct directive *row)
{
    struct cursor c;
    struct body body;
    struct parameter parameter = {0};
    struct binding binding = {0};
    if (!begin_loop(as, stmt, &c, &binding, &parameter, &body))
        return;
    struct text characters = read_argument(&c);
    struct buffer *text = asm_scratch(as);
    for (size_t i = 0; i < characters.size; i++) {
        binding.value = (struct text){characters.at + i, 1};
        if (!add_round(as, stmt, body.text, &binding, text))
            break;
    }
    push_expansion(as, row->name, &body, text, stmt->loc);
}

void asm_observe_macros(struct assembler *as, const struct asm_observer *observer)
{
    for (size_t i = 0; i < as->macros.capacity; i++) {
        const struct macro *macro = as->macros.key[i] ? as->macros.value[i] : NULL;
        if (macro)
            observer->definition(
                observer->ctx,
                &(struct asm_definition){.kind = ASM_MACRO,
                                         .name = macro->name,
                                         .file = diag_file_name(as->diag, macro->loc.file),
                                         .loc = macro->loc});
    }
}
