/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/option.h"

#include <ctype.h>
#include <string.h>

#include "support/file.h"

enum { DEEPEST_FILE = 10, HELP_COLUMN = 34 };

struct parser {
    const struct option_table *table;
    struct arena *arena;
    void *ctx;
    unsigned depth;    /* of @FILEs */
    bool options_end;  /* behind -- */
    const char *error; /* NULL while all is well */
};

static bool is_letter(const struct option_row *o)
{
    return o->name[1] != '-' && o->name[2] == '\0';
}

/* The text behind the name, NULL when the word is another option. */
static const char *behind_name(const struct parser *p, const struct option_row *o, const char *word)
{
    const char *name = o->name;
    if (p->table->any_dashes && !is_letter(o)) {
        name += 1 + (name[1] == '-');
        word += 1 + (word[1] == '-');
    }
    size_t length = strlen(name);
    return strncmp(word, name, length) == 0 ? word + length : NULL;
}

static bool accepts(const struct option_row *o, const char *rest)
{
    if (o->argument == OPTION_NUMBERED) {
        size_t digits = strspn(rest, "0123456789");
        return digits != 0 && (rest[digits] == '\0' || rest[digits] == '=');
    }
    if (*rest == '\0' || o->argument == OPTION_GLUED)
        return true;
    return o->argument == OPTION_REQUIRED && (is_letter(o) || *rest == '=');
}

/* Longer names win: -Ttext= is no -T. *argument is NULL when none is glued to the word. */
static const struct option_row *find(const struct parser *p, const char *word,
                                     const char **argument)
{
    const struct option_row *best = NULL;
    for (size_t i = 0; i < p->table->count; i++) {
        const struct option_row *o = &p->table->rows[i];
        const char *rest = behind_name(p, o, word);
        if (!rest || !accepts(o, rest) || (best && strlen(best->name) >= strlen(o->name)))
            continue;
        best = o;
        *argument = *rest == '\0' ? NULL : rest + (o->argument == OPTION_REQUIRED && !is_letter(o));
    }
    return best;
}

static const struct option_row *find_letter(const struct parser *p, char letter)
{
    for (size_t i = 0; i < p->table->count; i++) {
        const struct option_row *o = &p->table->rows[i];
        if (is_letter(o) && o->name[1] == letter)
            return o;
    }
    return NULL;
}

/* -dr: every letter is an option, and all but the last take no argument. */
static bool is_joined(const struct parser *p, const char *word)
{
    if (!p->table->joined || word[1] == '-')
        return false;
    for (word++; *word; word++) {
        const struct option_row *o = find_letter(p, *word);
        if (!o || (o->argument != OPTION_NONE && word[1]))
            return false;
    }
    return true;
}

static void take(struct parser *p, const struct option_row *o, const char *argument)
{
    if (o->run)
        o->run(p->ctx, argument);
    else
        *(bool *)((char *)p->ctx + o->flag) = true;
}

/* Runs all but the last letter, and returns that one. */
static const struct option_row *take_joined(struct parser *p, const char *word)
{
    for (word++; word[1]; word++)
        take(p, find_letter(p, *word), "");
    return find_letter(p, *word);
}

/* Does the value stand in the next word? */
static bool lacks_value(const struct option_row *o, const char *argument)
{
    return o->argument == OPTION_NUMBERED ? !strchr(argument, '=')
                                          : o->argument == OPTION_REQUIRED && !argument;
}

/* Takes words[i]; returns the index of the last word used. */
static size_t parse_option(struct parser *p, size_t i, size_t count, char *const *words)
{
    const char *argument = NULL;
    const struct option_row *o = find(p, words[i], &argument);
    if (!o && is_joined(p, words[i]))
        o = take_joined(p, words[i]);
    if (!o) {
        p->error = arena_printf(p->arena, "unknown option '%s'", words[i]);
        return i;
    }
    if (lacks_value(o, argument)) {
        if (i + 1 == count) {
            p->error = arena_printf(p->arena, "option '%s' needs an argument", words[i]);
            return i;
        }
        i++;
        argument = argument ? arena_printf(p->arena, "%s=%s", argument, words[i]) : words[i];
    }
    take(p, o, argument ? argument : "");
    return i;
}

/* Cuts the next word out of a text, in place; NULL when there is none. */
static char *take_word(char **at)
{
    char *from = *at, quote = '\0';
    while (isspace((unsigned char)*from))
        from++;
    if (!*from)
        return NULL;
    char *word = from, *to = from;
    for (; *from && (quote || !isspace((unsigned char)*from)); from++) {
        if (*from == '\\' && from[1])
            *to++ = *++from;
        else if (*from == quote)
            quote = '\0';
        else if (!quote && (*from == '"' || *from == '\''))
            quote = *from;
        else
            *to++ = *from;
    }
    *at = *from ? from + 1 : from;
    *to = '\0';
    return word;
}

static void parse_words(struct parser *p, size_t count, char *const *words);

static void parse_file(struct parser *p, const char *name)
{
    const char *error;
    size_t size, count = 0;
    char *text = NULL, *word;
    if (p->depth == DEEPEST_FILE)
        p->error = arena_printf(p->arena, "@%s: files are nested too deeply", name);
    else if (!(text = file_read(p->arena, name, &size, &error)))
        p->error = arena_printf(p->arena, "@%s: cannot read: %s", name, error);
    if (p->error)
        return;
    char **words = arena_array(p->arena, strlen(text) / 2 + 1, sizeof *words);
    while ((word = take_word(&text)))
        words[count++] = word;
    p->depth++;
    parse_words(p, count, words);
    p->depth--;
}

static void parse_words(struct parser *p, size_t count, char *const *words)
{
    for (size_t i = 0; i < count && !p->error; i++) {
        const char *word = words[i];
        if (p->options_end || (word[0] == '-' && word[1] == '\0'))
            p->table->operand(p->ctx, word);
        else if (strcmp(word, "--") == 0)
            p->options_end = true;
        else if (word[0] == '-')
            i = parse_option(p, i, count, words);
        else if (word[0] == '@')
            parse_file(p, word + 1);
        else
            p->table->operand(p->ctx, word);
    }
}

const char *option_parse(const struct option_table *t, struct arena *a, int argc, char **argv,
                         void *ctx)
{
    struct parser p = {.table = t, .arena = a, .ctx = ctx};
    if (argc > 1)
        parse_words(&p, (size_t)argc - 1, argv + 1);
    return p.error;
}

void option_help(const struct option_table *t, FILE *out)
{
    fputs(t->head, out);
    for (size_t i = 0; i < t->count; i++) {
        const struct option_row *o = &t->rows[i];
        const char *between = o->argument == OPTION_NUMBERED   ? "N="
                              : o->argument != OPTION_REQUIRED ? ""
                              : is_letter(o)                   ? " "
                                                               : "=";
        int width = fprintf(out, "  %s%s%s", o->name, between, o->value ? o->value : "");
        fprintf(out, "%*s%s\n", width + 2 < HELP_COLUMN ? HELP_COLUMN - width : 2, "", o->help);
    }
    fputs(t->tail, out);
}

bool option_number(const char *text, unsigned long max, unsigned long *number)
{
    *number = 0;
    if (!*text)
        return false;
    for (; *text; text++) {
        if (!isdigit((unsigned char)*text))
            return false;
        *number = *number * 10 + (unsigned long)(*text - '0');
        if (*number > max)
            return false;
    }
    return true;
}
