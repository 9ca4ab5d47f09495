/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of directives, and those about sections, symbols and messages.
 * Where GNU as has a directive, it means the same here. `.align` takes an
 * exponent, as in the other ELF assemblers of this ecosystem.
 */
#include "asm/directive.h"

#include <string.h>

/* ---- operands ---- */

const struct ast_operand *asm_operand(const struct ast_stmt *stmt, unsigned n)
{
    const struct ast_operand *o = stmt->operands;
    while (o && n--)
        o = o->next;
    return o && o->kind == AST_OPERAND_EXPR && !o->expr ? NULL : o;
}

static unsigned count_operands(const struct ast_stmt *stmt)
{
    unsigned n = 0;
    for (const struct ast_operand *o = stmt->operands; o; o = o->next)
        n++;
    return n;
}

void asm_bad_operand(struct assembler *as, const struct ast_operand *operand, const char *expected)
{
    diag_report(as->diag, DIAG_DIRECTIVE_OPERAND, operand->loc, "expected %s", expected);
}

bool asm_operand_number(struct assembler *as, const struct ast_stmt *stmt, unsigned n,
                        const char *what, int64_t dflt, int64_t *number)
{
    const struct ast_operand *o = asm_operand(stmt, n);
    *number = dflt;
    if (!o)
        return true;
    if (o->kind != AST_OPERAND_EXPR) {
        asm_bad_operand(as, o, "a number");
        return false;
    }
    return asm_eval_number(as, o->expr, what, number);
}

const char *asm_operand_name(struct assembler *as, const struct ast_operand *o)
{
    if (o && o->kind == AST_OPERAND_EXPR && o->expr &&
        (o->expr->op == AST_NAME || o->expr->op == AST_QUOTED))
        return o->expr->text;
    if (o && o->kind == AST_OPERAND_STRING && o->size)
        return asm_name_is_whole(as, o->text, o->size, o->loc) ? intern(as->names, o->text, o->size)
                                                               : NULL;
    if (o)
        asm_bad_operand(as, o, "a name");
    return NULL;
}

const struct ast_operand *asm_operand_string(struct assembler *as, const struct ast_stmt *stmt,
                                             unsigned n)
{
    const struct ast_operand *o = asm_operand(stmt, n);
    if (o && o->kind == AST_OPERAND_STRING)
        return o;
    if (o)
        asm_bad_operand(as, o, "a string in quotes");
    return NULL;
}

/* ---- sections ---- */

static void run_section_name(struct assembler *as, const struct ast_stmt *stmt,
                             const struct directive *row)
{
    struct section_key key = {.name = intern_z(as->names, row->name)};
    asm_enter_section(as, asm_section(as, &key, stmt->loc));
}

static const struct {
    char letter;
    uint64_t flag;
} section_flags[] = {
    {'R', OBJ_GNU_RETAIN}, {'S', OBJ_STRINGS}, {'M', OBJ_MERGE},   {'a', OBJ_ALLOC},
    {'w', OBJ_WRITE},      {'x', OBJ_EXEC},    {'e', OBJ_EXCLUDE}, {'o', OBJ_LINK_ORDER},
};

static bool parse_flags(struct assembler *as, const struct ast_operand *o, uint64_t *flags,
                        bool *group)
{
    for (size_t i = 0; i < o->size; i++) {
        uint64_t flag = 0;
        if (o->text[i] == 'G') {
            *group = true;
            continue;
        }
        for (size_t k = 0; k < sizeof section_flags / sizeof *section_flags; k++)
            if (section_flags[k].letter == o->text[i])
                flag = section_flags[k].flag;
        if (!flag) {
            diag_report(as->diag, DIAG_SECTION_FLAG, o->loc,
                        "'%c' is not a section flag (a, w, x, M, S, R, G, o, e)", o->text[i]);
            return false;
        }
        *flags |= flag;
    }
    return true;
}

static const struct {
    const char *name;
    uint32_t type;
} section_types[] = {
    {"fini_array", OBJ_FINI_ARRAY},
    {"init_array", OBJ_INIT_ARRAY},
    {"nobits", OBJ_NOBITS},
    {"note", OBJ_NOTE},
    {"preinit_array", OBJ_PREINIT_ARRAY},
    {"progbits", OBJ_PROGBITS},
};

static bool parse_section_type(struct assembler *as, const struct ast_operand *o, uint32_t *type)
{
    for (size_t i = 0; i < sizeof section_types / sizeof *section_types; i++)
        if (o->kind == AST_OPERAND_TYPED && strcmp(o->text, section_types[i].name) == 0) {
            *type = section_types[i].type;
            return true;
        }
    asm_bad_operand(as, o, "@progbits, @nobits, @note or @init_array, @fini_array, @preinit_array");
    return false;
}

/* An operand that must be there. NULL: reported. */
static const char *named(struct assembler *as, const struct ast_stmt *stmt, unsigned n,
                         const char *what)
{
    const struct ast_operand *o = asm_operand(stmt, n);
    if (o)
        return asm_operand_name(as, o);
    diag_report(as->diag, DIAG_DIRECTIVE_OPERAND, stmt->loc, "the flags need %s", what);
    return NULL;
}

/* What flags ask for behind the type, in the order of GNU as: M its entry size, o the section that
 * it follows, G its group. */
static bool parse_section_rest(struct assembler *as, const struct ast_stmt *stmt, bool group,
                               struct section_key *key)
{
    unsigned n = 3;
    int64_t entsize = 0;
    if ((key->flags & OBJ_MERGE) &&
        !asm_operand_number(as, stmt, n++, "the entry size", 0, &entsize))
        return false;
    if ((key->flags & OBJ_MERGE) && entsize <= 0) {
        diag_report(as->diag, DIAG_DIRECTIVE_OPERAND, stmt->loc,
                    "a mergeable section needs an entry size, as in \"aMS\",@progbits,1");
        return false;
    }
    key->entsize = (uint64_t)entsize;
    if ((key->flags & OBJ_LINK_ORDER) &&
        !(key->linked = named(as, stmt, n++, "a section to follow, as in \"ao\",@progbits,.text")))
        return false;
    if (group &&
        !(key->group = named(as, stmt, n++, "a group, as in \"axG\",@progbits,name,comdat")))
        return false;
    const struct ast_operand *linkage = group ? asm_operand(stmt, n) : NULL;
    if (linkage) {
        const char *word = asm_operand_name(as, linkage);
        if (!word)
            return false;
        n++;
        key->comdat = strcmp(word, "comdat") == 0;
        if (!key->comdat) {
            asm_bad_operand(as, linkage, "comdat");
            return false;
        }
    }
    if (!asm_operand(stmt, n))
        return true;
    asm_bad_operand(as, asm_operand(stmt, n), "the end of the line");
    return false;
}

/* NAME [, "flags" [, @type [, …]]]. False: reported. */
static bool parse_section(struct assembler *as, const struct ast_stmt *stmt,
                          struct section_key *key)
{
    const struct ast_operand *flags = asm_operand(stmt, 1), *type = asm_operand(stmt, 2);
    bool group = false;
    key->name = asm_operand_name(as, asm_operand(stmt, 0));
    if (!key->name || (flags && !asm_operand_string(as, stmt, 1)))
        return false;
    key->has_flags = flags != NULL;
    key->has_type = type != NULL;
    return (!flags || parse_flags(as, flags, &key->flags, &group)) &&
           (!type || parse_section_type(as, type, &key->type)) &&
           parse_section_rest(as, stmt, group, key);
}

static void run_section(struct assembler *as, const struct ast_stmt *stmt,
                        const struct directive *row)
{
    (void)row;
    struct section_key key = {0};
    if (parse_section(as, stmt, &key))
        asm_enter_section(as, asm_section(as, &key, stmt->loc));
}

static void run_pushsection(struct assembler *as, const struct ast_stmt *stmt,
                            const struct directive *row)
{
    asm_push_section(as);
    run_section(as, stmt, row);
}

static void run_popsection(struct assembler *as, const struct ast_stmt *stmt,
                           const struct directive *row)
{
    (void)row;
    if (!asm_pop_section(as))
        diag_report(as->diag, DIAG_SECTION_STACK, stmt->loc, ".popsection without .pushsection");
}

static void run_previous(struct assembler *as, const struct ast_stmt *stmt,
                         const struct directive *row)
{
    (void)row;
    if (as->previous)
        asm_enter_section(as, as->previous);
    else
        diag_report(as->diag, DIAG_SECTION_STACK, stmt->loc, "there is no previous section");
}

static const char *const engines[] = {"act", "dve", "pe", "pool", "sp"};

static void run_seq(struct assembler *as, const struct ast_stmt *stmt, const struct directive *row)
{
    const struct ast_operand *o = asm_operand(stmt, 0);
    struct section_key key = {.name = intern_z(as->names, row->name)};
    if (o) {
        const char *engine = asm_operand_name(as, o);
        if (!engine)
            return;
        key.name = NULL;
        for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
            if (equal_folded(engine, intern_length(engine), engines[i], strlen(engines[i])))
                key.name =
                    intern_z(as->names, arena_printf(as->arena, "%s.%s", row->name, engines[i]));
        if (!key.name) {
            asm_bad_operand(as, o, "an engine: act, dve, pe, pool or sp");
            return;
        }
    }
    asm_enter_section(as, asm_section(as, &key, stmt->loc));
}

/* ---- symbols ---- */

static void run_bind(struct assembler *as, const struct ast_stmt *stmt, const struct directive *row)
{
    for (const struct ast_operand *o = stmt->operands; o; o = o->next) {
        const char *name = asm_operand_name(as, o);
        if (!name)
            continue;
        struct symbol *symbol = asm_symbol(as, name);
        if (symbol->bound && symbol->bind != row->arg &&
            (symbol->bind == OBJ_LOCAL || row->arg == OBJ_LOCAL)) {
            diag_report(as->diag, DIAG_SYMBOL_BINDING, o->loc,
                        "symbol '%s' cannot be both local and global", name);
            continue;
        }
        symbol->bind = symbol->bind == OBJ_WEAK ? OBJ_WEAK : (uint8_t)row->arg;
        symbol->bound = true;
    }
}

static void run_visibility(struct assembler *as, const struct ast_stmt *stmt,
                           const struct directive *row)
{
    for (const struct ast_operand *o = stmt->operands; o; o = o->next) {
        const char *name = asm_operand_name(as, o);
        if (name)
            asm_symbol(as, name)->visibility = (uint8_t)row->arg;
    }
}

static const struct {
    const char *name;
    uint8_t type;
} symbol_types[] = {
    {"function", OBJ_FUNC}, {"notype", OBJ_NOTYPE},     {"object", OBJ_DATA},
    {"STT_FUNC", OBJ_FUNC}, {"STT_NOTYPE", OBJ_NOTYPE}, {"STT_OBJECT", OBJ_DATA},
};

static void run_type(struct assembler *as, const struct ast_stmt *stmt, const struct directive *row)
{
    (void)row;
    const char *name = asm_operand_name(as, asm_operand(stmt, 0));
    const struct ast_operand *o = asm_operand(stmt, 1);
    if (!name || !o)
        return;
    const char *type = o->kind == AST_OPERAND_TYPED ? o->text : asm_operand_name(as, o);
    if (!type)
        return;
    for (size_t i = 0; i < sizeof symbol_types / sizeof *symbol_types; i++)
        if (strcmp(symbol_types[i].name, type) == 0) {
            asm_symbol(as, name)->type = symbol_types[i].type;
            return;
        }
    asm_bad_operand(as, o, "@function, @object or @notype");
}

static void run_size(struct assembler *as, const struct ast_stmt *stmt, const struct directive *row)
{
    (void)row;
    const char *name = asm_operand_name(as, asm_operand(stmt, 0));
    const struct ast_operand *o = asm_operand(stmt, 1);
    if (!name || !o)
        return;
    if (o->kind == AST_OPERAND_EXPR)
        asm_symbol(as, name)->size_expr = asm_capture(as, o->expr);
    else
        asm_bad_operand(as, o, "an expression");
}

static void run_set(struct assembler *as, const struct ast_stmt *stmt, const struct directive *row)
{
    const struct ast_operand *name_at = asm_operand(stmt, 0), *value = asm_operand(stmt, 1);
    const char *name = asm_operand_name(as, name_at);
    if (!name || !value)
        return;
    if (value->kind == AST_OPERAND_EXPR)
        asm_equate(as, name, name_at->loc, value->expr, row->arg);
    else
        asm_bad_operand(as, value, "an expression");
}

static bool is_power_of_two(int64_t n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

/* The greatest power of two, up to 16, that an object of this size fills. */
static int64_t natural_align(int64_t size)
{
    int64_t align = 1;
    while (align < 16 && align * 2 <= size)
        align *= 2;
    return align;
}

static void allocate_local(struct assembler *as, const char *name, struct loc loc, int64_t size,
                           int64_t align)
{
    struct section_key key = {.name = intern_z(as->names, ".bss")};
    struct section *here = as->section, *previous = as->previous;
    bool named = as->section_named;
    if (as->pending.count)
        asm_settle(as, CLASS_ANY);
    as->section = asm_section(as, &key, loc);
    as->section_named = true;
    asm_raise_align(as->section, (uint64_t)align);
    asm_reserve(as, -asm_offset(as->section) & ((uint64_t)align - 1), loc);
    asm_define_label(as, name, loc, false);
    asm_symbol(as, name)->type = OBJ_DATA;
    asm_reserve(as, (uint64_t)size, loc);
    as->section = here;
    as->previous = previous;
    as->section_named = named;
}

/* .comm and (arg 1) .lcomm: NAME, size [, align]. */
static void run_comm(struct assembler *as, const struct ast_stmt *stmt, const struct directive *row)
{
    int64_t size, align;
    const char *name = asm_operand_name(as, asm_operand(stmt, 0));
    if (!name || !asm_operand_number(as, stmt, 1, "the size", 0, &size) ||
        !asm_operand_number(as, stmt, 2, "the alignment", natural_align(size), &align))
        return;
    if (size < 0 || !is_power_of_two(align)) {
        diag_report(as->diag, DIAG_DIRECTIVE_OPERAND, stmt->loc,
                    "%s needs a size >= 0 and an alignment that is a power of two, not %lld, %lld",
                    row->name, (long long)size, (long long)align);
        return;
    }
    if (row->arg)
        allocate_local(as, name, stmt->loc, size, align);
    else
        asm_define_common(as, name, stmt->loc, (uint64_t)size, (uint64_t)align);
}

static void run_ident(struct assembler *as, const struct ast_stmt *stmt,
                      const struct directive *row)
{
    (void)row;
    const struct ast_operand *text = asm_operand_string(as, stmt, 0);
    if (!text)
        return;
    struct section_key key = {.name = intern_z(as->names, ".comment")};
    struct section *section = asm_section(as, &key, stmt->loc);
    if (!section->bytes.size) /* the first string of a comment section is empty */
        buffer_append(&section->bytes, "", 1);
    buffer_append(&section->bytes, text->text, text->size);
    buffer_append(&section->bytes, "", 1);
}

/* ---- messages ---- */

static void run_message(struct assembler *as, const struct ast_stmt *stmt,
                        const struct directive *row)
{
    const struct ast_operand *text = asm_operand_string(as, stmt, 0);
    if (text)
        diag_report(as->diag, (enum diag_code)row->arg, stmt->loc, "%.*s", (int)text->size,
                    text->text);
    else if (!stmt->operands)
        diag_report(as->diag, (enum diag_code)row->arg, stmt->loc, "%s in the source", row->name);
}

/* ---- the assembly as a whole ---- */

static void set_revision(struct assembler *as, const struct isa_revision *revision, struct loc loc)
{
    isa_revset *target = revision->set == ISA_SET_SEQ ? &as->target.seq : &as->target.pto;
    isa_revset named = revision->set == ISA_SET_SEQ ? as->options->mseq : as->options->march;
    bool conflict = named && named != revision->bit;
    if (revision->set == ISA_SET_PTO && as->revision.named && *target != revision->bit)
        conflict = true;
    if (conflict) {
        diag_report(as->diag, DIAG_REVISION_NAMED_TWICE, loc,
                    "%s contradicts the revision that was named before", revision->name);
        if (as->revision.named_at.file)
            diag_note(as->diag, as->revision.named_at, "it was named here");
        return;
    }
    *target = revision->bit;
    if (revision->set == ISA_SET_PTO && !as->revision.named) {
        as->revision.named = true;
        as->revision.named_at = loc;
    }
}

static void run_isa(struct assembler *as, const struct ast_stmt *stmt, const struct directive *row)
{
    (void)row;
    const struct ast_operand *o = asm_operand(stmt, 0);
    const char *name = asm_operand_name(as, o);
    if (!name)
        return;
    const struct isa_revision *revision = isa_find_revision(name, intern_length(name));
    if (!revision) {
        char pto[80], seq[80];
        isa_list_revisions(ISA_SET_PTO, pto, sizeof pto);
        isa_list_revisions(ISA_SET_SEQ, seq, sizeof seq);
        diag_report(as->diag, DIAG_DIRECTIVE_OPERAND, o->loc, "unknown revision '%s' (%s; SEQ: %s)",
                    name, pto, seq);
        return;
    }
    if (as->first_insn.file) {
        diag_report(as->diag, DIAG_REVISION_LATE, stmt->loc,
                    ".isa must stand before the first instruction");
        diag_note(as->diag, as->first_insn, "the first instruction is here");
        return;
    }
    set_revision(as, revision, stmt->loc);
}

static void run_option(struct assembler *as, const struct ast_stmt *stmt,
                       const struct directive *row)
{
    (void)row;
    const struct ast_operand *o = asm_operand(stmt, 0);
    const char *name = asm_operand_name(as, o);
    if (!name)
        return;
    if (strcmp(name, "nobundle") == 0)
        asm_bundle_checks(as, false);
    else if (strcmp(name, "bundle") == 0)
        asm_bundle_checks(as, true);
    else if (strcmp(name, "norelax") == 0)
        as->norelax = true;
    else if (strcmp(name, "relax") == 0)
        as->norelax = as->options->no_relax;
    else
        asm_bad_operand(as, o, "nobundle, bundle, norelax or relax");
}

static void run_end(struct assembler *as, const struct ast_stmt *stmt, const struct directive *row)
{
    (void)stmt, (void)row;
    as->stopped = true;
}

/* ---- the table ---- */

static const struct directive directives[] = {
    {".2byte", asm_data_numbers, 0, DIRECTIVE_ANY, 2},
    {".4byte", asm_data_numbers, 0, DIRECTIVE_ANY, 4},
    {".8byte", asm_data_numbers, 0, DIRECTIVE_ANY, 8},
    {".align", asm_data_align, 1, 3, 0},
    {".ascii", asm_data_strings, 0, DIRECTIVE_ANY, 0},
    {".asciz", asm_data_strings, 0, DIRECTIVE_ANY, 1},
    {".balign", asm_data_align, 1, 3, 1},
    {".bss", run_section_name, 0, 0, 0},
    {".byte", asm_data_numbers, 0, DIRECTIVE_ANY, 1},
    {".comm", run_comm, 2, 3, 0},
    {".data", run_section_name, 0, 0, 0},
    {".double", asm_data_floats, 0, DIRECTIVE_ANY, 8},
    {".dword", asm_data_numbers, 0, DIRECTIVE_ANY, 8},
    {".else", asm_cond_else, 0, 0, 0},
    {".elseif", asm_cond_elseif, 1, 1, TEST_NE},
    {".end", run_end, 0, 0, 0},
    {".endif", asm_cond_endif, 0, 0, 0},
    {".endm", asm_macro_end, 0, 0, 0},
    {".endr", asm_macro_end, 0, 0, 0},
    {".equ", run_set, 2, 2, true},
    {".equiv", run_set, 2, 2, false},
    {".err", run_message, 0, 0, DIAG_USER_ERROR},
    {".error", run_message, 0, 1, DIAG_USER_ERROR},
    {".exitm", asm_macro_exit, 0, 0, 0},
    {".file", asm_line_file, 1, 2, 0},
    {".fill", asm_data_fill, 1, 3, 0},
    {".float", asm_data_floats, 0, DIRECTIVE_ANY, 4},
    {".global", run_bind, 1, DIRECTIVE_ANY, OBJ_GLOBAL},
    {".globl", run_bind, 1, DIRECTIVE_ANY, OBJ_GLOBAL},
    {".half", asm_data_numbers, 0, DIRECTIVE_ANY, 2},
    {".hidden", run_visibility, 1, DIRECTIVE_ANY, OBJ_HIDDEN},
    {".hword", asm_data_numbers, 0, DIRECTIVE_ANY, 2},
    {".ident", run_ident, 1, 1, 0},
    {".if", asm_cond_if, 1, 1, TEST_NE},
    {".ifb", asm_cond_if, 0, 0, TEST_BLANK},
    {".ifc", asm_cond_if, 0, 0, TEST_SAME},
    {".ifdef", asm_cond_if, 1, 1, TEST_DEFINED},
    {".ifeq", asm_cond_if, 1, 1, TEST_EQ},
    {".ifeqs", asm_cond_if, 2, 2, TEST_SAME},
    {".ifge", asm_cond_if, 1, 1, TEST_GE},
    {".ifgt", asm_cond_if, 1, 1, TEST_GT},
    {".ifle", asm_cond_if, 1, 1, TEST_LE},
    {".iflt", asm_cond_if, 1, 1, TEST_LT},
    {".ifnb", asm_cond_if, 0, 0, TEST_NOT_BLANK},
    {".ifnc", asm_cond_if, 0, 0, TEST_DIFFERENT},
    {".ifndef", asm_cond_if, 1, 1, TEST_UNDEFINED},
    {".ifne", asm_cond_if, 1, 1, TEST_NE},
    {".ifnes", asm_cond_if, 2, 2, TEST_DIFFERENT},
    {".ifnotdef", asm_cond_if, 1, 1, TEST_UNDEFINED},
    {".incbin", asm_incbin, 1, 3, 0},
    {".include", asm_include, 1, 1, 0},
    {".inst", asm_data_inst, 1, DIRECTIVE_ANY, 0},
    {".internal", run_visibility, 1, DIRECTIVE_ANY, OBJ_INTERNAL},
    {".irp", asm_macro_irp, 0, 0, 0},
    {".irpc", asm_macro_irpc, 0, 0, 0},
    {".isa", run_isa, 1, 1, 0},
    {".lcomm", run_comm, 2, 3, 1},
    {".loc", asm_line_loc, 2, DIRECTIVE_ANY, 0},
    {".local", run_bind, 1, DIRECTIVE_ANY, OBJ_LOCAL},
    {".long", asm_data_numbers, 0, DIRECTIVE_ANY, 4},
    {".macro", asm_macro_define, 0, 0, 0},
    {".octa", asm_data_numbers, 0, DIRECTIVE_ANY, 16},
    {".option", run_option, 1, 1, 0},
    {".org", asm_data_org, 1, 2, 0},
    {".p2align", asm_data_align, 1, 3, 0},
    {".popsection", run_popsection, 0, 0, 0},
    {".previous", run_previous, 0, 0, 0},
    {".print", run_message, 1, 1, DIAG_USER_NOTE},
    {".protected", run_visibility, 1, DIRECTIVE_ANY, OBJ_PROTECTED},
    {".purgem", asm_macro_purge, 1, 1, 0},
    {".pushsection", run_pushsection, 1, 4, 0},
    {".quad", asm_data_numbers, 0, DIRECTIVE_ANY, 8},
    {".rept", asm_macro_rept, 1, 1, 0},
    {".rodata", run_section_name, 0, 0, 0},
    {".section", run_section, 1, 7, 0},
    {".seq", run_seq, 0, 1, 0},
    {".set", run_set, 2, 2, true},
    {".short", asm_data_numbers, 0, DIRECTIVE_ANY, 2},
    {".single", asm_data_floats, 0, DIRECTIVE_ANY, 4},
    {".size", run_size, 2, 2, 0},
    {".skip", asm_data_skip, 1, 2, 0},
    {".sleb128", asm_data_leb128, 0, DIRECTIVE_ANY, true},
    {".space", asm_data_skip, 1, 2, 0},
    {".string", asm_data_strings, 0, DIRECTIVE_ANY, 1},
    {".text", run_section_name, 0, 0, 0},
    {".type", run_type, 2, 2, 0},
    {".uleb128", asm_data_leb128, 0, DIRECTIVE_ANY, false},
    {".warning", run_message, 0, 1, DIAG_USER_WARNING},
    {".weak", run_bind, 1, DIRECTIVE_ANY, OBJ_WEAK},
    {".word", asm_data_numbers, 0, DIRECTIVE_ANY, 4},
    {".zero", asm_data_skip, 1, 2, 0},
};

enum { DIRECTIVE_COUNT = sizeof directives / sizeof *directives };

const char *asm_directive_name(size_t n)
{
    return n < DIRECTIVE_COUNT ? directives[n].name : NULL;
}

void asm_init_directives(struct assembler *as)
{
    for (unsigned n = 0; n < DIRECTIVE_COUNT; n++)
        *map_put(&as->directives, intern_z(as->names, directives[n].name)) =
            (void *)(uintptr_t)(n + 1);
}

static void report_unknown(struct assembler *as, const struct ast_stmt *stmt)
{
    const char *nearest = NULL;
    unsigned best = 3;
    for (unsigned n = 0; n < DIRECTIVE_COUNT; n++) {
        unsigned distance = edit_distance(stmt->name, stmt->name_size, directives[n].name,
                                          strlen(directives[n].name), best - 1);
        if (distance < best) {
            best = distance;
            nearest = directives[n].name;
        }
    }
    diag_report(as->diag, DIAG_UNKNOWN_DIRECTIVE, stmt->name_loc,
                "there is no directive '%s'%s%s%s", stmt->name, nearest ? "; did you mean '" : "",
                nearest ? nearest : "", nearest ? "'?" : "");
}

static bool check_count(struct assembler *as, const struct ast_stmt *stmt,
                        const struct directive *row)
{
    unsigned count = count_operands(stmt);
    if (count >= row->min && (row->max == DIRECTIVE_ANY || count <= row->max))
        return true;
    if (row->min == row->max)
        diag_report(as->diag, DIAG_DIRECTIVE_COUNT, stmt->loc, "%s takes %u operand%s, not %u",
                    row->name, row->min, row->min == 1 ? "" : "s", count);
    else if (row->max == DIRECTIVE_ANY)
        diag_report(as->diag, DIAG_DIRECTIVE_COUNT, stmt->loc,
                    "%s takes at least %u operand%s, not %u", row->name, row->min,
                    row->min == 1 ? "" : "s", count);
    else
        diag_report(as->diag, DIAG_DIRECTIVE_COUNT, stmt->loc, "%s takes %u to %u operands, not %u",
                    row->name, row->min, row->max, count);
    return false;
}

void asm_directive(struct assembler *as, const struct ast_stmt *stmt)
{
    uintptr_t found = (uintptr_t)map_get(&as->directives, stmt->name);
    if (!found) {
        report_unknown(as, stmt);
        return;
    }
    const struct directive *row = &directives[found - 1];
    if (check_count(as, stmt, row))
        row->run(as, stmt, row);
}
