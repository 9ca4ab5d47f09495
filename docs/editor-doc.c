/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints what editors need to colour PTO sources: `editor-doc vim` a syntax file for Vim,
 * `editor-doc textmate` a TextMate grammar. Words come from the tables; the shapes of numbers,
 * labels, comments and tiles are those of grammar/scanner.l. `editor-doc words` prints each word
 * with its class, for the test.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/asm.h"
#include "isa/ops.h"

enum { MOST_WORDS = 8192 };

/* In order of rank: a word of two classes belongs to the first. */
enum word_class { MNEMONIC, DIRECTIVE, REGISTER, OPERATION, PTOAS, CONSTANT, CLASS_COUNT };

static const struct {
    const char *name, *vim, *scope;
} classes[CLASS_COUNT] = {
    [MNEMONIC] = {"Mnemonic", "Statement", "keyword.mnemonic.pto"},
    [DIRECTIVE] = {"Directive", "PreProc", "keyword.control.directive.pto"},
    [REGISTER] = {"Register", "Identifier", "variable.language.register.pto"},
    [OPERATION] = {"Operation", "Function", "support.function.tile.pto"},
    [PTOAS] = {"Op", "Function", "support.function.ptoas.pto"},
    [CONSTANT] = {"Constant", "Constant", "constant.language.pto"},
};

/* Enumerations whose members are places and not values. */
static const unsigned registers[] = {
    ISA_ENUM_GPR,         ISA_ENUM_SharedTile,     ISA_ENUM_LoopCounter,
    ISA_ENUM_SeqRegister, ISA_ENUM_SystemRegister, ISA_ENUM_CompressedSystemRegister,
};

struct word {
    const char *text;
    enum word_class class;
    bool suffixed; /* a mnemonic that has suffixes: MOVE.UINT32 */
};

struct words {
    struct word item[MOST_WORDS];
    size_t count;
};

/* A word of the scanner that no shape below covers. One letter is more often a name, except J. */
static bool is_word(const char *text, enum word_class class)
{
    if (!isalpha((unsigned char)text[0]) && text[0] != '.')
        return false;
    for (const char *p = text; *p; p++)
        if (!isalnum((unsigned char)*p) && *p != '_' && *p != '.')
            return false;
    return class == MNEMONIC || text[1] != '\0';
}

static void add(struct words *w, enum word_class class, const char *text, bool suffixed)
{
    if (!is_word(text, class))
        return;
    if (w->count == MOST_WORDS) {
        fputs("editor-doc: MOST_WORDS is too small\n", stderr);
        exit(1);
    }
    w->item[w->count++] = (struct word){text, class, suffixed};
}

static bool has_suffix(const struct isa_mnemonic *m)
{
    for (unsigned n = 0; n < m->count; n++)
        if (isa_spellings[isa_mnemonic_index[m->first + n]].nsuffix)
            return true;
    return false;
}

static bool is_register(unsigned enumeration)
{
    for (size_t n = 0; n < sizeof registers / sizeof *registers; n++)
        if (registers[n] == enumeration)
            return true;
    return false;
}

static void collect(struct words *w)
{
    const char *name;
    for (unsigned n = 0; n < ISA_MNEMONIC_COUNT; n++)
        add(w, MNEMONIC, isa_mnemonics[n].name, has_suffix(&isa_mnemonics[n]));
    for (unsigned n = 0; (name = asm_directive_name(n)); n++)
        add(w, DIRECTIVE, name, false);
    for (unsigned e = 0; e < ISA_ENUM_COUNT; e++)
        for (unsigned n = 0; n < isa_enumerations[e].count; n++)
            add(w, is_register(e) ? REGISTER : CONSTANT, isa_enumerations[e].members[n].name,
                false);
    for (unsigned n = 0; n < ISA_TILEOP_COUNT; n++)
        add(w, OPERATION, isa_tileops[n].name, false);
    for (unsigned n = 0; n < ISA_OP_COUNT; n++) {
        add(w, PTOAS, isa_ops[n].name, false);
        if (strncmp(isa_ops[n].name, "pto.", 4) == 0)
            add(w, PTOAS, isa_ops[n].name + 4, false);
    }
}

static int by_text_and_class(const void *left, const void *right)
{
    const struct word *a = left, *b = right;
    int order = strcasecmp(a->text, b->text);
    return order ? order : (int)a->class - (int)b->class;
}

/* Sorts, and leaves each word once. */
static void settle(struct words *w)
{
    size_t kept = 0;
    qsort(w->item, w->count, sizeof *w->item, by_text_and_class);
    for (size_t n = 0; n < w->count; n++)
        if (!kept || strcasecmp(w->item[n].text, w->item[kept - 1].text) != 0)
            w->item[kept++] = w->item[n];
    w->count = kept;
}

static void print_lower(const char *text, const char *dot)
{
    for (; *text; text++)
        if (*text == '.')
            fputs(dot, stdout);
        else
            putchar(tolower((unsigned char)*text));
}

/* The words of a class as alternatives of a regular expression. */
static void print_alternatives(const struct words *w, enum word_class class, bool suffixed_only,
                               const char *bar, const char *dot)
{
    const char *separator = "";
    for (size_t n = 0; n < w->count; n++) {
        const struct word *word = &w->item[n];
        if (word->class != class || (suffixed_only && !word->suffixed))
            continue;
        fputs(separator, stdout);
        print_lower(word->text, dot);
        separator = bar;
    }
}

/* ---- Vim ---- */

static void print_vim_words(const struct words *w, enum word_class class)
{
    enum { WORDS_IN_A_LINE = 12 };
    unsigned in_line = 0;
    for (size_t n = 0; n < w->count; n++) {
        if (w->item[n].class != class)
            continue;
        if (in_line == 0)
            printf("syn keyword pto%s", classes[class].name);
        putchar(' ');
        print_lower(w->item[n].text, ".");
        in_line = (in_line + 1) % WORDS_IN_A_LINE;
        if (in_line == 0)
            putchar('\n');
    }
    if (in_line)
        putchar('\n');
}

static const char vim_head[] = "\" Vim syntax file\n"
                               "\" Language: PTO, SEQ and PTO-AS assembly\n"
                               "\" Made from the instruction tables of PTO Binutils.\n"
                               "if exists('b:current_syntax')\n"
                               "  finish\n"
                               "endif\n"
                               "syn case ignore\n"
                               "syn iskeyword @,48-57,_,.,$\n";

/* Where two patterns begin at one place the later one wins. */
static const char vim_shapes[] =
    "syn match ptoComment \"#.*$\" contains=ptoTodo,@Spell\n"
    "syn match ptoComment \"//.*$\" contains=ptoTodo,@Spell\n"
    "syn region ptoComment start=\"/\\*\" end=\"\\*/\" contains=ptoTodo,@Spell\n"
    "syn match ptoAttribute \"#\\h\\w*\\ze[<.=]\"\n"
    "syn keyword ptoTodo contained TODO FIXME XXX\n"
    "syn region ptoString start=+\"+ skip=+\\\\.+ end=+\"+ oneline\n"
    "syn match ptoCharacter \"'\\%(\\\\.\\|[^'\\\\]\\)'\"\n"
    "syn match ptoNumber \"\\<\\%(0x\\x\\+\\|0b[01]\\+\\|0o\\o\\+\\|\\d\\+\\)\\>\"\n"
    "syn match ptoNumber \"\\<\\d\\+\\.\\d\\+\\%(e[-+]\\=\\d\\+\\)\\=\\>\"\n"
    "syn match ptoNumber \"\\<\\d\\+K\\=B\\>\"\n"
    "syn match ptoLabel \"\\<\\d\\+[bf]\\>\"\n"
    "syn match ptoLabel \"^\\s*\\zs[A-Za-z_.$][A-Za-z0-9_.$]*\\ze:\"\n"
    "syn match ptoLabel \"^\\s*\\zs\\d\\+\\ze:\"\n"
    "syn match ptoRegister \"\\<[TUMN]#\\d\\+\\>\"\n"
    "syn match ptoRegister \"\\<R\\[\\d\\+\\]\"\n"
    "syn match ptoSemaphore \"\\$S\\[\\d\\+\\]\"\n"
    "syn match ptoValue \"%[A-Za-z0-9_$.]\\+\\%(#\\d\\+\\)\\=\"\n"
    "syn match ptoArgument \"\\\\[A-Za-z_@][A-Za-z0-9_]*\"\n"
    "syn match ptoType \"![A-Za-z_][A-Za-z0-9_.]*\"\n"
    "syn match ptoSymbol \"@[A-Za-z_][A-Za-z0-9_.$]*\"\n";

static const char vim_tail[] = "hi def link ptoComment Comment\n"
                               "hi def link ptoTodo Todo\n"
                               "hi def link ptoAttribute Type\n"
                               "hi def link ptoString String\n"
                               "hi def link ptoCharacter Character\n"
                               "hi def link ptoNumber Number\n"
                               "hi def link ptoLabel Label\n"
                               "hi def link ptoSemaphore Identifier\n"
                               "hi def link ptoValue Identifier\n"
                               "hi def link ptoArgument Macro\n"
                               "hi def link ptoType Type\n"
                               "hi def link ptoSymbol Function\n"
                               "let b:current_syntax = 'pto'\n";

static void print_vim(const struct words *w)
{
    fputs(vim_head, stdout);
    fputs(vim_shapes, stdout);
    for (unsigned class = 0; class < CLASS_COUNT; class ++)
        print_vim_words(w, class);
    fputs("syn match ptoMnemonic \"\\<\\%(", stdout);
    print_alternatives(w, MNEMONIC, true, "\\|", "\\.");
    fputs("\\)\\%(\\.\\w\\+\\)\\+\\>\"\n", stdout);
    for (unsigned class = 0; class < CLASS_COUNT; class ++)
        printf("hi def link pto%s %s\n", classes[class].name, classes[class].vim);
    fputs(vim_tail, stdout);
}

/* ---- TextMate ---- */

static const struct {
    const char *scope, *match; /* the pattern as JSON text */
} shapes[] = {
    {"comment.line.double-slash.pto", "//.*$"},
    {"string.quoted.double.pto", "\\\"(?:\\\\\\\\.|[^\\\"\\\\\\\\])*\\\""},
    {"string.quoted.single.pto", "'(?:\\\\\\\\.|[^'\\\\\\\\])'"},
    {"storage.type.attribute.pto", "#[A-Za-z_]\\\\w*(?=[<.=])"},
    {"variable.language.register.pto", "(?i)\\\\b[TUMN]#\\\\d+|\\\\bR\\\\[\\\\d+\\\\]"},
    {"variable.other.value.pto", "%[\\\\w$.]+(?:#\\\\d+)?"},
    {"comment.line.number-sign.pto", "#.*$"},
    {"entity.name.label.pto",
     "^\\\\s*[A-Za-z_.$][\\\\w.$]*(?=:)|^\\\\s*\\\\d+(?=:)|\\\\b\\\\d+[bf]\\\\b"},
    {"variable.other.semaphore.pto", "\\\\$S\\\\[\\\\d+\\\\]"},
    {"storage.type.pto", "![A-Za-z_][\\\\w.]*"},
    {"entity.name.function.pto", "@[A-Za-z_][\\\\w.$]*"},
    {"variable.parameter.macro.pto", "\\\\\\\\[A-Za-z_@]\\\\w*"},
    {"constant.numeric.pto", "(?i)\\\\b(?:0x[0-9a-f]+|0b[01]+|0o[0-7]+|\\\\d+K?B|\\\\d+\\\\.\\\\d+"
                             "(?:e[-+]?\\\\d+)?|\\\\d+)\\\\b"},
};

static void print_textmate(const struct words *w)
{
    puts("{\n"
         "  \"name\": \"PTO assembly\",\n"
         "  \"scopeName\": \"source.pto\",\n"
         "  \"fileTypes\": [\"pto\"],\n"
         "  \"patterns\": [\n"
         "    {\"name\": \"comment.block.pto\", \"begin\": \"/\\\\*\", \"end\": \"\\\\*/\"},");
    for (size_t n = 0; n < sizeof shapes / sizeof *shapes; n++)
        printf("    {\"name\": \"%s\", \"match\": \"%s\"},\n", shapes[n].scope, shapes[n].match);
    for (unsigned class = 0; class < CLASS_COUNT; class ++) {
        printf("    {\"name\": \"%s\", \"match\": \"(?i)(?<![\\\\w.$])(?:", classes[class].scope);
        print_alternatives(w, class, false, "|", "\\\\.");
        printf(")%s(?![\\\\w.$])\"}%s\n", class == MNEMONIC ? "(?:\\\\.\\\\w+)*" : "",
               class + 1 < CLASS_COUNT ? "," : "");
    }
    puts("  ]\n}");
}

static void print_words(const struct words *w)
{
    for (size_t n = 0; n < w->count; n++)
        printf("%s %s\n", classes[w->item[n].class].name, w->item[n].text);
}

int main(int argc, char **argv)
{
    static struct words words;
    const char *what = argc == 2 ? argv[1] : "";
    collect(&words);
    settle(&words);
    if (strcmp(what, "vim") == 0)
        print_vim(&words);
    else if (strcmp(what, "textmate") == 0)
        print_textmate(&words);
    else if (strcmp(what, "words") == 0)
        print_words(&words);
    else {
        fputs("Usage: editor-doc vim|textmate|words\n", stderr);
        return 2;
    }
    return fflush(stdout) != 0 || ferror(stdout);
}
