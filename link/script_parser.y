/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The language of linker scripts, as the manual of GNU ld describes it. The scanner knows from the
 * context whether `*` or `-` belongs to a name or is an operator (script_scanner.l).
 */
%define api.pure full
%define api.prefix {script_yy}
%define api.location.type {struct loc}
%define parse.error custom
%locations
%expect 0
%parse-param {struct script_reader *r}
%lex-param {struct script_reader *r}

%code requires {
#include "link/script_reader.h"
}

%code provides {
int script_yylex(SCRIPT_YYSTYPE *value, struct loc *at, struct script_reader *r);
}

%code {
/* Deeper than any sensible script, and the stack never moves to the heap: a jump out of the parser
 * (memory exhausted) leaks nothing. */
#define YYINITDEPTH 2000
#define YYMAXDEPTH 2000

#define YYLLOC_DEFAULT(current, rhs, n)                                                            \
    ((current) = (n) ? loc_join(YYRHSLOC(rhs, 1), YYRHSLOC(rhs, n)) : YYRHSLOC(rhs, 0))

/* As a statement and as a value. */
static const struct call_row script_assert = {"ASSERT", CALL_ASSERT, true, 1, 1};

static void script_yyerror(const struct loc *at, struct script_reader *r, const char *message);
}

%union {
    const char *text;
    uint64_t number;
    int word;
    struct expr *expr;
    struct statement_list statements;
    struct name_list names;
    struct input_rule *files;
    struct pattern *patterns;
    struct section_rule *section;
    const struct call_row *call;
}

%token START_SCRIPT "the start of a script" START_DEFSYM "the start of --defsym"
%token <text> NAME "a name"
%token <number> NUMBER "a number"
%token <text> SECTION_TYPE "a section type"
%token <text> UNSUPPORTED "a command"
%token SECTIONS "SECTIONS" MEMORY "MEMORY" ENTRY "ENTRY" EXTERN "EXTERN" IGNORED "OUTPUT_FORMAT"
%token SEARCH_DIR "SEARCH_DIR" INPUT "INPUT" GROUP "GROUP" AS_NEEDED "AS_NEEDED"
%token REGION_ALIAS "REGION_ALIAS" INCLUDE "INCLUDE"
%token <word> PROVIDE "PROVIDE" SORT "SORT" DATA "BYTE"
%token ASSERT "ASSERT" KEEP "KEEP" EXCLUDE_FILE "EXCLUDE_FILE" CONSTRUCTORS "CONSTRUCTORS" FILL "FILL"
%token AT "AT" AT_REGION "'AT>'" ALIGN_WITH_INPUT "ALIGN_WITH_INPUT" SUBALIGN "SUBALIGN"
%token FILL_VALUE "'=' of a fill value"
%token <text> DIGITS "a fill value"
%token <call> CALL "a function" NAMED_CALL "a function of a name" ALIGN "ALIGN"
%token <word> ASSIGN "an assignment operator"
%token SHL "'<<'" SHR "'>>'" LE "'<='" GE "'>='" EQ "'=='" NE "'!='" LAND "'&&'" LOR "'||'"
%token YYEOF 0 "the end of the script"

%right '?' ':'
%left LOR
%left LAND
%left '|'
%left '^'
%left '&'
%left EQ NE
%left '<' '>' LE GE
%left SHL SHR
%left '+' '-'
%left '*' '/' '%'

%type <expr> expr value address
%type <statements> section_commands section_command body input statement assignment output_section
%type <names> names
%type <files> files
%type <patterns> patterns pattern plain_pattern
%type <section> attributes tail
%type <text> letters
%%

start: START_SCRIPT commands | START_DEFSYM NAME ASSIGN expr {
    r->assigned = script_assign(r, @$, $2, $3, $4).first; };

/* ---- commands ---- */

commands: %empty | commands command | commands error ';' | commands error '}';

command:
  ';'
| SECTIONS '{' section_commands '}' {
    r->script->has_sections = true;
    r->script->statements = script_append(r->script->statements, $3); }
| MEMORY '{' regions '}'
| ENTRY '(' NAME ')' { script_entry(r, $3); }
| EXTERN '(' names ')' { script_extern(r, $3); }
| IGNORED '(' names ')'
| SEARCH_DIR '(' NAME ')' { script_search_dir(r, $3); }
| INPUT '(' names ')' { script_inputs(r, $3, false); }
| GROUP '(' names ')' { script_inputs(r, $3, true); }
| REGION_ALIAS '(' NAME comma NAME ')' { script_region_alias(r, @3, $3, $5); }
| INCLUDE
| statement { r->script->statements = script_append(r->script->statements, $1); }
;

names: NAME { $$ = script_names(r, (struct name_list){0}, $1); }
| AS_NEEDED '(' names ')' { $$ = $3; }
| names comma NAME { $$ = script_names(r, $1, $3); }
;

comma: %empty | ',';

/* ---- MEMORY ---- */

regions: %empty | regions region comma | regions INCLUDE;

region: NAME letters ':' NAME ASSIGN expr comma NAME ASSIGN expr {
    script_region_new(r, @1, $1, $2, $6, $10); };

letters: %empty { $$ = ""; }
| '(' NAME ')' { $$ = $2; }
| '(' '!' NAME ')' { $$ = arena_printf(r->arena, "!%s", $3); }
| '(' NAME '!' NAME ')' { $$ = arena_printf(r->arena, "%s!%s", $2, $4); }
;

/* ---- SECTIONS ---- */

section_commands: %empty { $$ = (struct statement_list){0}; }
| section_commands section_command { $$ = script_append($1, $2); }
| section_commands error ';' { $$ = $1; }
;

section_command: statement | output_section
| ';' { $$ = (struct statement_list){0}; }
| INCLUDE { $$ = (struct statement_list){0}; }
| ENTRY '(' NAME ')' { script_entry(r, $3); $$ = (struct statement_list){0}; }
;

output_section: NAME address ':' attributes '{' body '}' tail {
    $4->address = $2;
    $4->body = $6;
    $4->region = $8->region;
    $4->load_region = $8->load_region;
    $4->fill_value = $8->fill_value;
    $4->fill = $8->fill;
    $$ = script_section(r, @1, $1, $4); }
| NAME address SECTION_TYPE ':' attributes '{' body '}' tail {
    $5->address = $2;
    $5->body = $7;
    $5->region = $9->region;
    $5->load_region = $9->load_region;
    $5->fill_value = $9->fill_value;
    $5->fill = $9->fill;
    script_section_type(r, @3, $5, $3);
    $$ = script_section(r, @1, $1, $5); };

address: %empty { $$ = NULL; } | expr;

attributes: %empty { $$ = script_attributes(r); }
| attributes AT '(' expr ')' { $$ = $1; $$->load = $4; }
| attributes ALIGN '(' expr ')' { $$ = $1; $$->align = $4; }
| attributes ALIGN_WITH_INPUT
| attributes SUBALIGN '(' expr ')' { $$ = $1; $$->subalign = $4; }
;

tail: %empty { $$ = script_attributes(r); }
| tail '>' NAME { $$ = $1; $$->region = $3; }
| tail AT_REGION NAME { $$ = $1; $$->load_region = $3; }
| tail ':' NAME { $$ = $1; script_phdr(r, @3); }
| tail FILL_VALUE DIGITS { $$ = $1; script_fill_digits(r, @3, $$, $3); }
| tail FILL_VALUE '(' expr ')' { $$ = $1; $$->fill_value = $4; }
| tail ','
;

body: %empty { $$ = (struct statement_list){0}; }
| body statement { $$ = script_append($1, $2); }
| body input { $$ = script_append($1, $2); }
| body KEEP '(' input ')' { $$ = script_append($1, script_keep($4)); }
| body DATA '(' expr ')' { $$ = script_append($1, script_value(r, @2, STATEMENT_DATA, (unsigned)$2, $4)); }
| body FILL '(' expr ')' { $$ = script_append($1, script_value(r, @2, STATEMENT_FILL, 0, $4)); }
| body CONSTRUCTORS
| body INCLUDE
| body ';'
| body error ';' { $$ = $1; }
;

/* ---- input sections ---- */

input: files { $$ = script_input(r, @1, $1, script_pattern(r, "*")); }
| files '(' patterns ')' { $$ = script_input(r, @$, $1, $3); }
;

files: NAME { $$ = script_files(r, $1, false); }
| SORT '(' NAME ')' { $$ = script_files(r, $3, true); }
| EXCLUDE_FILE '(' names ')' NAME { $$ = script_files(r, $5, false); $$->exclude = $3; }
| EXCLUDE_FILE '(' names ')' SORT '(' NAME ')' { $$ = script_files(r, $7, true); $$->exclude = $3; }
;

patterns: pattern | patterns comma pattern { $$ = script_join($1, $3); };

pattern: plain_pattern
| SORT '(' patterns ')' { $$ = script_sorted($3, $1); }
;

plain_pattern: NAME { $$ = script_pattern(r, $1); }
| EXCLUDE_FILE '(' names ')' NAME { $$ = script_excluded(script_pattern(r, $5), $3); }
;

/* ---- assignments ---- */

statement: assignment end | PROVIDE '(' NAME ASSIGN expr ')' {
    $$ = script_provide(r, @$, $1, $3, $5); }
| ASSERT '(' expr comma NAME ')' {
    $$ = script_value(r, @$, STATEMENT_ASSERT, 0,
                      script_call(r, @3, &script_assert, $5, $3, NULL)); }
;

assignment: NAME ASSIGN expr { $$ = script_assign(r, @$, $1, $2, $3); };

end: ';' | ',';

/* ---- expressions ---- */

expr: value
| expr '+' expr { $$ = script_operator(r, @2, EXPR_BINARY, OP_ADD, $1, $3, NULL); }
| expr '-' expr { $$ = script_operator(r, @2, EXPR_BINARY, OP_SUB, $1, $3, NULL); }
| expr '*' expr { $$ = script_operator(r, @2, EXPR_BINARY, OP_MUL, $1, $3, NULL); }
| expr '/' expr { $$ = script_operator(r, @2, EXPR_BINARY, OP_DIV, $1, $3, NULL); }
| expr '%' expr { $$ = script_operator(r, @2, EXPR_BINARY, OP_MOD, $1, $3, NULL); }
| expr SHL expr { $$ = script_operator(r, @2, EXPR_BINARY, OP_SHL, $1, $3, NULL); }
| expr SHR expr { $$ = script_operator(r, @2, EXPR_BINARY, OP_SHR, $1, $3, NULL); }
| expr '&' expr { $$ = script_operator(r, @2, EXPR_BINARY, OP_AND, $1, $3, NULL); }
| expr '|' expr { $$ = script_operator(r, @2, EXPR_BINARY, OP_OR, $1, $3, NULL); }
| expr '^' expr { $$ = script_operator(r, @2, EXPR_BINARY, OP_XOR, $1, $3, NULL); }
| expr '<' expr { $$ = script_operator(r, @2, EXPR_BINARY, OP_LT, $1, $3, NULL); }
| expr LE expr { $$ = script_operator(r, @2, EXPR_BINARY, OP_LE, $1, $3, NULL); }
| expr '>' expr { $$ = script_operator(r, @2, EXPR_BINARY, OP_GT, $1, $3, NULL); }
| expr GE expr { $$ = script_operator(r, @2, EXPR_BINARY, OP_GE, $1, $3, NULL); }
| expr EQ expr { $$ = script_operator(r, @2, EXPR_BINARY, OP_EQ, $1, $3, NULL); }
| expr NE expr { $$ = script_operator(r, @2, EXPR_BINARY, OP_NE, $1, $3, NULL); }
| expr LAND expr { $$ = script_operator(r, @2, EXPR_BINARY, OP_LAND, $1, $3, NULL); }
| expr LOR expr { $$ = script_operator(r, @2, EXPR_BINARY, OP_LOR, $1, $3, NULL); }
| expr '?' expr ':' expr { $$ = script_operator(r, @2, EXPR_CHOICE, OP_NONE, $1, $3, $5); }
;

value: NUMBER { $$ = script_number(r, @1, $1); }
| NAME { $$ = script_name(r, @1, $1); }
| '(' expr ')' { $$ = $2; }
| '-' value { $$ = script_operator(r, @1, EXPR_UNARY, OP_NEG, $2, NULL, NULL); }
| '+' value { $$ = $2; }
| '!' value { $$ = script_operator(r, @1, EXPR_UNARY, OP_NOT, $2, NULL, NULL); }
| '~' value { $$ = script_operator(r, @1, EXPR_UNARY, OP_INVERT, $2, NULL, NULL); }
| CALL '(' expr ')' { $$ = script_call(r, @$, $1, NULL, $3, NULL); }
| CALL '(' expr ',' expr ')' { $$ = script_call(r, @$, $1, NULL, $3, $5); }
| ALIGN '(' expr ')' { $$ = script_call(r, @$, $1, NULL, $3, NULL); }
| ALIGN '(' expr ',' expr ')' { $$ = script_call(r, @$, $1, NULL, $3, $5); }
| NAMED_CALL '(' NAME ')' { $$ = script_call(r, @$, $1, $3, NULL, NULL); }
| NAMED_CALL '(' NAME ',' expr ')' { $$ = script_call(r, @$, $1, $3, $5, NULL); }
| ASSERT '(' expr ',' NAME ')' { $$ = script_call(r, @$, &script_assert, $5, $3, NULL); }
;
%%

static void script_yyerror(const struct loc *at, struct script_reader *r, const char *message)
{
    diag_report(r->diag, DIAG_SCRIPT_SYNTAX, *at, "%s", message);
}

/* "; expected …": an expression, or the few tokens that may follow, or nothing. */
static const char *list_expected(const yypcontext_t *context, struct script_reader *r)
{
    enum { MOST = 5 };
    yysymbol_kind_t expected[YYNTOKENS];
    int n = yypcontext_expected_tokens(context, expected, YYNTOKENS);
    const char *list = "";

    for (int i = 0; i < n; i++)
        if (expected[i] == YYSYMBOL_NUMBER)
            return "; expected an expression";
    for (int i = 0; i < n && n <= MOST; i++)
        list = arena_printf(r->arena, "%s%s%s", list,
                            i == 0 ? "; expected " : i + 1 < n ? ", " : " or ",
                            yysymbol_name(expected[i]));
    return list;
}

static int yyreport_syntax_error(const yypcontext_t *context, struct script_reader *r)
{
    const struct loc *at = yypcontext_location(context);
    yysymbol_kind_t found = yypcontext_token(context);

    if (found == YYSYMBOL_UNSUPPORTED)
        diag_report(r->diag, DIAG_SCRIPT_COMMAND, *at,
                    "this command of linker scripts is not supported");
    else if (found == YYSYMBOL_YYEOF) {
        diag_report(r->diag, DIAG_SCRIPT_SYNTAX, *at, "unexpected end of the script%s",
                    list_expected(context, r));
        if (r->nlevels > 1)
            diag_note(r->diag, r->levels[r->nlevels - 1].loc, "this bracket is not closed");
    } else
        diag_report(r->diag, DIAG_SCRIPT_SYNTAX, *at, "unexpected '%.*s'%s", (int)r->token_size,
                    r->token, list_expected(context, r));
    return 0;
}
