/* SPDX-License-Identifier: BSD-3-Clause */
/* Linker scripts: reading them, and the nodes of their tree. */
#include "link/script_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "link/script_parser.h"

/* ---- memory of the scanner ---- */

/* The size stands in front of the block, so that it can move within the arena. */
void *script_block(struct script_reader *r, void *block, size_t size)
{
    enum { HEAD = 16 }; /* keeps the alignment */
    uint8_t *made = (uint8_t *)arena_alloc(r->arena, size + HEAD) + HEAD;

    memcpy(made - HEAD, &size, sizeof size);
    if (block) {
        size_t old;

        memcpy(&old, (uint8_t *)block - HEAD, sizeof old);
        memcpy(made, block, old < size ? old : size);
    }
    return made;
}

bool script_number_value(const char *text, size_t size, uint64_t *value)
{
    enum { BINARY = 2, OCTAL = 8, DECIMAL = 10, HEXADECIMAL = 16, KILO = 10, MEGA = 20 };
    int letter = size > 1 && text[0] == '0' ? text[1] | 0x20 : 0;
    bool prefixed = letter == 'x' || letter == 'b';
    unsigned shift = 0;
    char *end;

    errno = 0;
    *value = strtoull(prefixed ? text + 2 : text, &end,
                      letter == 'x'   ? HEXADECIMAL
                      : letter == 'b' ? BINARY
                      : letter        ? OCTAL
                                      : DECIMAL);
    if (end < text + size)
        shift = (*end | 0x20) == 'k' ? KILO : (*end | 0x20) == 'm' ? MEGA : 0;
    if (errno || end + (shift != 0) != text + size || (prefixed && end == text + 2) ||
        (*value << shift) >> shift != *value)
        return false;
    *value <<= shift;
    return true;
}

/* ---- expressions ---- */

static struct expr *new_expr(struct script_reader *r, struct loc loc, enum expr_kind kind)
{
    struct expr *e = arena_alloc(r->arena, sizeof *e);

    e->kind = (uint8_t)kind;
    e->loc = loc;
    return e;
}

struct expr *script_number(struct script_reader *r, struct loc loc, uint64_t number)
{
    struct expr *e = new_expr(r, loc, EXPR_NUMBER);

    e->number = number;
    return e;
}

struct expr *script_name(struct script_reader *r, struct loc loc, const char *name)
{
    struct expr *e;

    if (!strcmp(name, "."))
        return new_expr(r, loc, EXPR_DOT);
    if (!strcmp(name, "SIZEOF_HEADERS")) /* no segment has the headers */
        return script_number(r, loc, 0);
    e = new_expr(r, loc, EXPR_NAME);
    e->name = name;
    return e;
}

/* Chains of operators are trees as deep as they are long, and are computed recursively. */
static void set_arguments(struct script_reader *r, struct expr *e, const struct expr *a,
                          const struct expr *b, const struct expr *c)
{
    enum { MOST_DEPTH = 4096 };
    const struct expr *const args[] = {a, b, c};

    for (size_t i = 0; i < sizeof args / sizeof *args; i++) {
        if (args[i] && args[i]->depth >= e->depth)
            e->depth = (uint16_t)(args[i]->depth + 1);
        e->arg[i] = args[i];
    }
    if (e->depth <= MOST_DEPTH)
        return;
    diag_report(r->diag, DIAG_TOO_DEEP, e->loc, "an expression has more than %d levels",
                MOST_DEPTH);
    *e = (struct expr){.kind = EXPR_NUMBER, .loc = e->loc};
}

struct expr *script_operator(struct script_reader *r, struct loc loc, enum expr_kind kind,
                             enum expr_op op, const struct expr *a, const struct expr *b,
                             const struct expr *c)
{
    struct expr *e = new_expr(r, loc, kind);

    e->op = (uint8_t)op;
    set_arguments(r, e, a, b, c);
    return e;
}

struct expr *script_call(struct script_reader *r, struct loc loc, const struct call_row *call,
                         const char *name, const struct expr *a, const struct expr *b)
{
    struct expr *e = new_expr(r, loc, EXPR_CALL);
    int values = (a != NULL) + (b != NULL);

    if (values < call->least || values > call->most)
        diag_report(r->diag, DIAG_SCRIPT_SYNTAX, loc, "%s takes %d%s%.0d values, not %d",
                    call->name, call->least, call->most > call->least ? " or 2" : "", 0, values);
    e->op = call->call;
    e->name = name;
    set_arguments(r, e, a, b, NULL);
    return e;
}

/* ---- lists ---- */

struct statement_list script_append(struct statement_list list, struct statement_list more)
{
    if (!more.first)
        return list;
    if (!list.first)
        return more;
    list.last->next = more.first;
    list.last = more.last;
    return list;
}

static struct statement *new_statement(struct script_reader *r, struct loc loc,
                                       enum statement_kind kind)
{
    struct statement *s = arena_alloc(r->arena, sizeof *s);

    s->kind = (uint8_t)kind;
    s->loc = loc;
    return s;
}

static struct statement_list only(struct statement *s)
{
    return (struct statement_list){s, s};
}

struct name_list script_names(struct script_reader *r, struct name_list list, const char *name)
{
    struct name_node *n = arena_alloc(r->arena, sizeof *n);

    n->name = name;
    if (list.last)
        list.last->next = n;
    else
        list.first = n;
    list.last = n;
    return list;
}

/* ---- assignments ---- */

struct statement_list script_assign(struct script_reader *r, struct loc loc, const char *name,
                                    enum expr_op op, const struct expr *value)
{
    struct statement *s = new_statement(r, loc, STATEMENT_ASSIGN);

    if (op != OP_NONE)
        value = script_operator(r, loc, EXPR_BINARY, op, script_name(r, loc, name), value, NULL);
    s->assign = (struct assignment){.name = name, .value = value, .active = true};
    return only(s);
}

struct statement_list script_provide(struct script_reader *r, struct loc loc, int how,
                                     const char *name, const struct expr *value)
{
    struct statement *s = script_assign(r, loc, name, OP_NONE, value).first;

    s->assign.provide = (how & SCRIPT_PROVIDE) != 0;
    s->assign.hidden = (how & SCRIPT_HIDDEN) != 0;
    s->assign.active = !s->assign.provide;
    return only(s);
}

struct statement_list script_value(struct script_reader *r, struct loc loc,
                                   enum statement_kind kind, unsigned size,
                                   const struct expr *value)
{
    struct statement *s = new_statement(r, loc, kind);

    s->size = (uint8_t)size;
    s->value = value;
    return only(s);
}

/* ---- output sections ---- */

struct section_rule *script_attributes(struct script_reader *r)
{
    return arena_alloc(r->arena, sizeof(struct section_rule));
}

void script_section_type(struct script_reader *r, struct loc loc, struct section_rule *to,
                         const char *word)
{
    if (strstr(word, "NOLOAD"))
        to->noload = true;
    else if (strstr(word, "OVERLAY"))
        diag_report(r->diag, DIAG_SCRIPT_COMMAND, loc, "overlays are not supported");
    else if (!strstr(word, "READONLY"))
        to->unallocated = true; /* DSECT, COPY, INFO */
}

void script_phdr(struct script_reader *r, struct loc loc)
{
    diag_report(r->diag, DIAG_SCRIPT_COMMAND, loc,
                "program headers cannot be chosen: PHDRS is not supported; segments follow from "
                "addresses and flags");
}

/* 0x and digits are bytes as they stand; another number is four bytes, the highest first. */
void script_fill_digits(struct script_reader *r, struct loc loc, struct section_rule *to,
                        const char *digits)
{
    size_t size = strlen(digits);
    uint64_t number;
    bool hex = digits[0] == '0' && (digits[1] | 0x20) == 'x' && size > 2 &&
               strspn(digits + 2, "0123456789abcdefABCDEF") == size - 2;

    if (!hex) {
        if (!script_number_value(digits, size, &number))
            diag_report(r->diag, DIAG_SCRIPT_SYNTAX, loc, "'%s' is not a number", digits);
        else
            to->fill_value = script_number(r, loc, number);
        return;
    }
    to->fill.size = (size - 1) / 2;
    to->fill.bytes = arena_alloc(r->arena, to->fill.size);
    for (size_t i = size, at = to->fill.size; at > 0; i -= 2) {
        char pair[3] = {i > 3 ? digits[i - 2] : '0', digits[i - 1], '\0'};

        to->fill.bytes[--at] = (uint8_t)strtoul(pair, NULL, 16);
    }
}

static void own_inputs(struct section_rule *rule)
{
    for (struct statement *s = rule->body.first; s; s = s->next)
        if (s->kind == STATEMENT_INPUT)
            s->input->section = rule;
}

struct statement_list script_section(struct script_reader *r, struct loc loc, const char *name,
                                     struct section_rule *rule)
{
    struct script *script = r->script;
    struct statement *s = new_statement(r, loc, STATEMENT_SECTION);

    rule->name = intern_z(r->linker->names, name);
    rule->loc = loc;
    rule->discard = !strcmp(name, "/DISCARD/");
    own_inputs(rule);
    for (struct section_rule *other = script->sections; other && !rule->discard;
         other = other->next)
        if (other->name == rule->name) {
            diag_report(r->diag, DIAG_SCRIPT_DUPLICATE, loc, "section '%s' is described twice",
                        name);
            diag_note(r->diag, other->loc, "here it was described first");
        }
    if (script->last_section)
        script->last_section->next = rule;
    else
        script->sections = rule;
    script->last_section = rule;
    s->section = rule;
    return only(s);
}

/* ---- input sections ---- */

struct input_rule *script_files(struct script_reader *r, const char *name, bool sorted)
{
    struct input_rule *rule = arena_alloc(r->arena, sizeof *rule);

    rule->file = name;
    rule->sort_files = sorted;
    return rule;
}

struct pattern *script_pattern(struct script_reader *r, const char *name)
{
    struct pattern *p = arena_alloc(r->arena, sizeof *p);

    p->name = name;
    return p;
}

/* An inner order comes first in time, but counts less: SORT_BY_ALIGNMENT(SORT_BY_NAME(x)). */
struct pattern *script_sorted(struct pattern *list, int sort)
{
    for (struct pattern *p = list; p; p = p->next) {
        p->then = p->sort;
        p->sort = (uint8_t)sort;
    }
    return list;
}

struct pattern *script_excluded(struct pattern *pattern, struct name_list files)
{
    pattern->exclude = files;
    return pattern;
}

struct pattern *script_join(struct pattern *list, struct pattern *more)
{
    struct pattern *last = list;

    while (last->next)
        last = last->next;
    last->next = more;
    return list;
}

struct statement_list script_input(struct script_reader *r, struct loc loc,
                                   const struct input_rule *files, struct pattern *patterns)
{
    struct statement_list list = {0};

    while (patterns) {
        struct statement *s = new_statement(r, loc, STATEMENT_INPUT);
        struct pattern *last = patterns;

        while (!last->sort && last->next && !last->next->sort)
            last = last->next;
        s->input = arena_copy(r->arena, files, sizeof *files);
        s->input->patterns = patterns;
        patterns = last->next;
        last->next = NULL;
        list = script_append(list, only(s));
    }
    return list;
}

struct statement_list script_keep(struct statement_list list)
{
    for (struct statement *s = list.first; s; s = s->next)
        s->input->keep = true;
    return list;
}

/* ---- memory ---- */

static void region_attributes(struct script_reader *r, struct loc loc, struct region *region,
                              const char *letters)
{
    bool without = false;

    for (; *letters; letters++) {
        uint64_t *to = without ? &region->without : &region->with;

        switch (*letters | 0x20) {
        case 'r':
            *to |= SCRIPT_READONLY;
            break;
        case 'w':
            *to |= OBJ_WRITE;
            break;
        case 'x':
            *to |= OBJ_EXEC;
            break;
        case 'a':
        case 'i':
        case 'l':
            *to |= OBJ_ALLOC;
            break;
        default:
            if (*letters == '!')
                without = !without;
            else
                diag_report(r->diag, DIAG_SCRIPT_SYNTAX, loc,
                            "unknown attribute '%c' of region '%s'; they are r, w, x, a, i, l, !",
                            *letters, region->name);
        }
    }
}

static struct region *find_region(const struct script *script, const char *name)
{
    for (struct region_alias *a = script->aliases; a; a = a->next)
        if (!strcmp(a->name, name))
            return a->region;
    for (struct region *m = script->regions; m; m = m->next)
        if (!strcmp(m->name, name))
            return m;
    return NULL;
}

void script_region_new(struct script_reader *r, struct loc loc, const char *name,
                       const char *attributes, const struct expr *origin, const struct expr *length)
{
    struct script *script = r->script;
    const struct region *first = find_region(script, name);
    struct region *m = arena_alloc(r->arena, sizeof *m);

    if (first) {
        diag_report(r->diag, DIAG_SCRIPT_DUPLICATE, loc, "region '%s' is described twice", name);
        diag_note(r->diag, first->loc, "here it was described first");
    }
    *m = (struct region){.name = name, .loc = loc, .origin = origin, .length = length};
    region_attributes(r, loc, m, attributes);
    if (script->last_region)
        script->last_region->next = m;
    else
        script->regions = m;
    script->last_region = m;
}

void script_region_alias(struct script_reader *r, struct loc loc, const char *alias,
                         const char *name)
{
    struct region *m = find_region(r->script, name);
    struct region_alias *a = arena_alloc(r->arena, sizeof *a);

    if (!m || find_region(r->script, alias)) {
        diag_report(r->diag, m ? DIAG_SCRIPT_DUPLICATE : DIAG_UNKNOWN_REGION, loc,
                    m ? "region '%s' is described twice" : "no region '%s' to alias",
                    m ? alias : name);
        return;
    }
    *a = (struct region_alias){.next = r->script->aliases, .name = alias, .region = m};
    r->script->aliases = a;
}

struct region *script_find_region(const struct script *script, const char *name)
{
    return find_region(script, name);
}

/* ---- commands ---- */

void script_entry(struct script_reader *r, const char *name)
{
    r->script->entry = name;
}

void script_extern(struct script_reader *r, struct name_list names)
{
    for (struct name_node *n = names.first; n; n = n->next)
        r->script->externs = script_names(r, r->script->externs, n->name);
}

static void push_input(struct script_reader *r, enum link_input_kind kind, const char *name)
{
    *vec_push(r->linker->mem, &r->linker->script_inputs) =
        (struct link_input){.kind = (uint8_t)kind, .name = name};
}

void script_inputs(struct script_reader *r, struct name_list names, bool group)
{
    if (group)
        push_input(r, LINK_GROUP_BEGIN, NULL);
    for (struct name_node *n = names.first; n; n = n->next) {
        bool library = !strncmp(n->name, "-l", 2);

        push_input(r, library ? LINK_LIBRARY : LINK_FILE, n->name + (library ? 2 : 0));
    }
    if (group)
        push_input(r, LINK_GROUP_END, NULL);
}

void script_search_dir(struct script_reader *r, const char *dir)
{
    *vec_push(r->linker->mem, &r->linker->script_dirs) = dir;
}

/* ---- sources ---- */

/* The path itself, else in the directories of -L. */
static const char *find_script(struct script_reader *r, const char *name)
{
    const char *const *dir = r->linker->options->library_dirs;

    if (access(name, F_OK) == 0)
        return name;
    for (; dir && *dir && name[0] != '/'; dir++) {
        const char *path = arena_printf(r->arena, "%s/%s", *dir, name);

        if (access(path, F_OK) == 0)
            return path;
    }
    return name;
}

static bool is_open(const struct script_reader *r, const char *path)
{
    for (const struct script_source *s = r->source; s; s = s->outer)
        if (s->path && !strcmp(s->path, path))
            return true;
    return false;
}

static bool open_file(struct script_reader *r, struct loc from, const char *name)
{
    const char *path = find_script(r, name), *error;
    size_t size;

    if (is_open(r, path) || r->depth == SCRIPT_DEPTH) {
        diag_report(r->diag, DIAG_CANNOT_READ, from, "'%s' includes itself", name);
        return false;
    }
    const char *text = file_read(r->arena, path, &size, &error);
    if (!text) {
        if (from.file)
            diag_report(r->diag, DIAG_CANNOT_READ, from, "cannot read '%s': %s", name, error);
        else
            diag_report_file(r->diag, DIAG_CANNOT_READ, name, "cannot read: %s", error);
        return false;
    }
    script_scan_push(r,
                     diag_add_source(r->diag, path, text, size, from,
                                     from.file ? DIAG_ROLE_INCLUDE : DIAG_ROLE_FILE),
                     path, text, size);
    return true;
}

void script_include(struct script_reader *r, struct loc loc, const char *name)
{
    open_file(r, loc, name);
}

/* ---- the whole ---- */

static struct script_reader new_reader(struct linker *l)
{
    return (struct script_reader){
        .linker = l, .diag = l->diag, .arena = l->arena, .script = &l->script};
}

static void read_script(struct linker *l, const char *path)
{
    struct script_reader r = new_reader(l);

    script_scan_open(&r);
    r.start_token = START_SCRIPT;
    if (open_file(&r, (struct loc){0}, path))
        script_yyparse(&r);
    script_scan_close(&r);
}

static void read_defsym(struct linker *l, const char *text)
{
    struct script_reader r = new_reader(l);
    size_t size = strlen(text);
    uint32_t file =
        diag_add_source(l->diag, "--defsym", text, size, (struct loc){0}, DIAG_ROLE_FILE);

    script_scan_open(&r);
    r.start_token = START_DEFSYM;
    script_scan_push(&r, file, NULL, text, size);
    if (script_yyparse(&r) == 0 && r.assigned) {
        if (l->last_defsym)
            l->last_defsym->next = r.assigned;
        else
            l->defsyms = r.assigned;
        l->last_defsym = r.assigned;
    }
    script_scan_close(&r);
}

void script_read(struct linker *l)
{
    const char *const *text = l->options->defsyms;

    for (; text && *text; text++)
        read_defsym(l, *text);
    if (l->options->script)
        read_script(l, l->options->script);
}
