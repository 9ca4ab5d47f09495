/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One statement of any dialect. grammar.c calls the parser once a statement;
 * the start symbol is accepted without looking at the next token, so nothing
 * behind the statement has been read when it is delivered.
 *
 * The tables are canonical: a wrong token is refused before anything is reduced
 * for it, so that no action runs in vain and the list of what was expected is
 * exact. LALR tables need lookahead correction (LAC) for that, which costs more
 * at every token than the larger tables do.
 *
 * Operators and brackets that may also start an operand bind to the operand
 * before them: `R4 -1` is one expression. Only SEQ and directives may leave the
 * comma out between operands; the node builder refuses it elsewhere.
 */
%define api.pure full
%define api.prefix {grammar_yy}
%define api.location.type {struct span}
%define parse.error custom
%define lr.type canonical-lr
%define lr.default-reduction consistent
%locations
%expect 0
%parse-param {struct grammar *g}
%lex-param {struct grammar *g}

%code requires {
#include "grammar/context.h"
}

%code provides {
int grammar_yylex(GRAMMAR_YYSTYPE *value, struct span *at, struct grammar *g);
}

%code {
#include <string.h>

/* Brackets are bounded, so this depth is never needed by a sensible text, and the stack never
 * moves to the heap: a jump out of the parser (memory exhausted) leaks nothing. */
#define YYINITDEPTH 1000
#define YYMAXDEPTH 1000

#define YYLLOC_DEFAULT(current, rhs, n) ((current) = join_spans(YYRHSLOC(rhs, (n) > 0), YYRHSLOC(rhs, n), (n)))

static struct span join_spans(struct span first, struct span last, int n);
static void grammar_yyerror(const struct span *at, struct grammar *g, const char *message);
}

%union {
    const char *text;
    int64_t number;
    bool flag;
    struct ast_expr *expr;
    struct ast_operand *operand;
    struct operand_list operands;
    struct ast_value *value;
    struct value_list values;
    struct ast_attr *attr;
    struct attr_list attrs;
    struct ast_type *type;
    struct type_list types;
}

%token START_EXPR "an expression's start" START_TYPE "a type's start"
%token END "the end of the statement"
%token REGION_OPEN "'{'"

%token <text> LABEL "a label"
%token <expr> LOCAL_LABEL "a numeric label"
%token <text> SYMBOL "a symbol to set"
%token <text> DIRECTIVE "a directive"
%token <text> RAW_DIRECTIVE "a directive with text"
%token <text> MNEMONIC "an instruction"
%token <text> MACRO "a macro call"
%token RAW_TEXT "text"
%token <text> OPNAME "an operation"
%token <text> QUOTED_OP "a quoted operation"
%token <text> RESULTS "a result list"
%token <text> BLOCK_LABEL "a block label"
%token <text> REGION_ELSE "'} else {'"
%token <text> TYPE_ALIAS "a type alias"
%token <text> ATTR_ALIAS "an attribute alias"
%token REGION_END "'}' of a region"
%token <text> REGION_TAIL "'}' before attributes"

%token <text> NAME "a name"
%token <expr> NUMBER "a number"
%token <expr> FLOAT "a floating-point number"
%token <expr> LOCAL "a reference to a numeric label"
%token <expr> STRING "a string"
%token DOT "'.'"
%token TPCREL_HI "%tpcrel_hi"
%token TPCREL_LO "%tpcrel_lo"
%token <text> TYPED "a word with @ or %"
%token <number> SEM "a semaphore"
%token INDEX "'[' of an index"
%token ARROW "'->'"
%token SIZE_OPEN "'<' of a size"
%token SIZE_CLOSE "'>' of a size"
%token UPDATE_INC "'++'" UPDATE_DEC "'--'" UPDATE_ADD "'+='" UPDATE_SUB "'-='"
%token AT_READ "@read" AT_COMPLETE "@complete" AT_SET "@set" AT_CLEAR "@clear"

%token <text> SSA "a value"
%token <text> MODIFIED_SSA "a value with '!'"
%token <text> NAMED_WORD "a word before a value"
%token <text> COLON_WORD "a word before ': ['"
%token <text> OPAQUE "an affine map"
%token <text> ATTR_REF "an attribute's alias"
%token <text> SYMBOL_REF "an @symbol"
%token <text> WORD "a word"
%token <text> CALL_OPEN "a word with '('"
%token <text> TYPE_NAME "a !type"
%token <text> TYPE_OPEN "a !type with '<'"
%token <text> WORD_OPEN "a type with '<'"
%token <text> ATTR_OPEN "an #attribute with '<'"
%token <text> ATTR_NAME "an #attribute"
%token <text> ATTR_KEY "an #attribute with '='"
%token <text> LOCATION "a location"
%token <attr> INTEGER "an integer"
%token <attr> REAL "a real number"
%token <attr> TEXT "a quoted text"
%token <number> DIM "an extent"
%token ELLIPSIS "'...'"
%token INS "'ins'" OUTS "'outs'" TO "'to'" ATTRIBUTES "'attributes'"

%token SHL "'<<'" SHR "'>>'" LE "'<='" GE "'>='" EQ "'=='" NE "'!='" LAND "'&&'" LOR "'||'"

%precedence OPERAND
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
%precedence UNARY '~'
%precedence VALUE
%precedence '['

%type <expr> expr primary
%type <operand> operand directive_operand destination
%type <operands> operand_list directive_operands directive_list
%type <number> relation
%type <flag> phase
%type <value> value arg
%type <values> args arg_list
%type <attr> attr key_value attr_value field field_value entry
%type <attrs> fields dict entries attr_values dims
%type <type> type prefixed_type result_type
%type <types> types type_list result_types
%type <text> key

%%

start:
    %empty
  | statement                       { YYACCEPT; }
  | START_EXPR expr END             { g->expr = $expr; YYACCEPT; }
  | START_EXPR error END            { YYACCEPT; }
  | START_TYPE type END             { g->type = $type; YYACCEPT; }
  | START_TYPE error END            { YYACCEPT; }
  ;

statement:
    LABEL                           { ast_label(g, @$, $1); }
  | LOCAL_LABEL                     { ast_local_label(g, @$, $1->number); }
  | SYMBOL '=' expr END             { ast_set(g, @$, $1, @1, $3, @3); }
  | SYMBOL error END
  | DIRECTIVE directive_operands END { ast_command(g, @$, AST_DIRECTIVE, $1, @1, $2, @2); }
  | DIRECTIVE error END
  | RAW_DIRECTIVE raw END           { ast_raw_command(g, @$, AST_DIRECTIVE, $1, @1, @2); }
  | RAW_DIRECTIVE error END
  | MNEMONIC END                    { ast_command(g, @$, AST_INSN, $1, @1, (struct operand_list){0}, (struct span){@1.end, @1.end}); }
  | MNEMONIC operand_list END       { ast_command(g, @$, AST_INSN, $1, @1, $2, @2); }
  | MNEMONIC error END
  | MACRO raw END                   { ast_raw_command(g, @$, AST_MACRO_CALL, $1, @1, @2); }
  | MACRO error END
  | op_head tail END                { ast_finish_op(g, @$, false); }
  | op_head tail REGION_OPEN        { ast_finish_op(g, @$, true); }
  | op_head error END
  | op_head error REGION_OPEN       { ast_drop_region(g, @$); }
  | RESULTS error END
  | RESULTS error REGION_OPEN       { ast_drop_region(g, @$); }
  | TYPE_ALIAS '=' type END         { ast_type_alias(g, @$, $1, @1, $3); }
  | TYPE_ALIAS error END
  | ATTR_ALIAS '=' attr_value END   { ast_name_attr(g, @$, $1, @1, $3); }
  | ATTR_ALIAS error END
  | BLOCK_LABEL ':' END             { ast_block_label(g, @$, $1, @1, (struct value_list){0}); }
  | BLOCK_LABEL '(' args ')' ':' END { ast_block_label(g, @$, $1, @1, $args); }
  | BLOCK_LABEL error END
  | REGION_END                      { ast_region_end(g, @$, AST_REGION_END, NULL); }
  | REGION_ELSE                     { ast_region_end(g, @$, AST_REGION_ELSE, $1); }
  | region_tail tail END            { ast_end_with_attributes(g, @$, @1); }
  | region_tail error END           { ast_region_end(g, @1, AST_REGION_END, NULL); }
  | error END
  ;

raw:
    %empty
  | raw RAW_TEXT
  ;

/* ---- machine instructions and directives ---- */

operand_list:
    operand                         { $$ = ast_operands($1); }
  | operand_list ',' operand        { $$ = ast_append_operand($1, $3); }
  | operand_list operand            { $$ = ast_append_adjacent(g, $1, $2); }
  ;

directive_operands:
    %empty                          { $$ = (struct operand_list){0}; }
  | directive_list
  ;

directive_list:
    directive_operand               { $$ = ast_operands($1); }
  | directive_list ',' directive_operand { $$ = ast_append_operand($1, $3); }
  | directive_list ',' ',' directive_operand { $$ = ast_append_operand(ast_append_empty(g, $1, @2), $4); }
  | directive_list directive_operand { $$ = ast_append_adjacent(g, $1, $2); }
  ;

directive_operand:
    operand
  | TYPED                           { $$ = ast_typed(g, @$, $1); }
  ;

operand:
    expr %prec OPERAND              { $$ = ast_value_operand(g, $1); }
  | expr '~' expr %prec OPERAND     { $$ = ast_operand(g, @$, AST_OPERAND_RANGE, $1, $3); }
  | '[' operand_list ']'            { $$ = ast_bracket(g, @$, AST_OPERAND_BRACKET, $2); }
  | '{' operand_list '}'            { $$ = ast_bracket(g, @$, AST_OPERAND_BRACE, $2); }
  | '{' '}'                         { $$ = ast_bracket(g, @$, AST_OPERAND_BRACE, (struct operand_list){0}); }
  | ARROW destination               { $$ = ast_arrow(g, @$, $2); }
  | ARROW '{' destination '}'       { $$ = ast_arrow(g, @$, $3); }
  | NAME '=' expr %prec OPERAND     { $$ = ast_assign(g, @$, @1, $1, NULL, $3); }
  | NAME INDEX expr ']' '=' expr %prec OPERAND { $$ = ast_assign(g, @$, @1, $1, $3, $6); }
  | SEM expr ']' relation primary   { $$ = ast_wait(g, @$, $1, $2, (int)$4, $5, false); }
  | SEM expr ']' UPDATE_INC phase   { $$ = ast_update(g, @$, $1, $2, AST_UPDATE_INC, NULL, $5); }
  | SEM expr ']' UPDATE_DEC phase   { $$ = ast_update(g, @$, $1, $2, AST_UPDATE_DEC, NULL, $5); }
  | SEM expr ']' UPDATE_ADD primary phase { $$ = ast_update(g, @$, $1, $2, AST_UPDATE_ADD, $5, $6); }
  | SEM expr ']' UPDATE_SUB primary phase { $$ = ast_update(g, @$, $1, $2, AST_UPDATE_SUB, $5, $6); }
  | SEM expr ']' '=' primary phase  { $$ = ast_update(g, @$, $1, $2, AST_UPDATE_SET, $5, $6); }
  | SEM expr ']' %prec OPERAND      { $$ = ast_wait(g, @$, $1, $2, AST_REL_EQ, NULL, false); }
  | SEM expr ']' AT_CLEAR           { $$ = ast_wait(g, @$, $1, $2, AST_REL_EQ, NULL, true); }
  | '!' SEM expr ']' %prec OPERAND  { $$ = ast_wait(g, @$, $2, $3, AST_REL_NE, NULL, false); }
  | '!' SEM expr ']' AT_SET         { $$ = ast_wait(g, @$, $2, $3, AST_REL_NE, NULL, true); }
  ;

destination:
    primary                         { $$ = ast_operand(g, @$, AST_OPERAND_DEST, $1, NULL); }
  | primary SIZE_OPEN expr SIZE_CLOSE { $$ = ast_operand(g, @$, AST_OPERAND_DEST, $1, $3); }
  ;

relation:
    '<'                             { $$ = AST_REL_LT; }
  | '>'                             { $$ = AST_REL_GT; }
  | LE                              { $$ = AST_REL_LE; }
  | GE                              { $$ = AST_REL_GE; }
  | EQ                              { $$ = AST_REL_EQ; }
  | NE                              { $$ = AST_REL_NE; }
  ;

phase:
    %empty %prec OPERAND            { $$ = false; }
  | AT_READ                         { $$ = false; }
  | AT_COMPLETE                     { $$ = true; }
  ;

primary:
    NAME                            { $$ = ast_name(g, @$, $1); }
  | NUMBER
  | FLOAT
  | LOCAL
  | STRING
  | DOT                             { $$ = ast_dot(g, @$); }
  | NAME INDEX expr ']'             { $$ = ast_binary(g, @$, AST_INDEX, ast_name(g, @1, $1), $3); }
  | '(' expr ')'                    { $$ = ast_parenthesised(g, @$, $2); }
  | TPCREL_HI '(' expr ')'          { $$ = ast_unary(g, @$, AST_TPCREL_HI, $3); }
  | TPCREL_LO '(' expr ')'          { $$ = ast_unary(g, @$, AST_TPCREL_LO, $3); }
  ;

expr:
    primary
  | '-' expr %prec UNARY            { $$ = ast_unary(g, @$, AST_NEG, $2); }
  | '+' expr %prec UNARY            { $$ = ast_unary(g, @$, AST_PLUS, $2); }
  | '~' expr %prec UNARY            { $$ = ast_unary(g, @$, AST_NOT, $2); }
  | '!' expr %prec UNARY            { $$ = ast_unary(g, @$, AST_LNOT, $2); }
  | expr '*' expr                   { $$ = ast_binary(g, @$, AST_MUL, $1, $3); }
  | expr '/' expr                   { $$ = ast_binary(g, @$, AST_DIV, $1, $3); }
  | expr '%' expr                   { $$ = ast_binary(g, @$, AST_MOD, $1, $3); }
  | expr '+' expr                   { $$ = ast_binary(g, @$, AST_ADD, $1, $3); }
  | expr '-' expr                   { $$ = ast_binary(g, @$, AST_SUB, $1, $3); }
  | expr SHL expr                   { $$ = ast_binary(g, @$, AST_SHL, $1, $3); }
  | expr SHR expr                   { $$ = ast_binary(g, @$, AST_SHR, $1, $3); }
  | expr '<' expr                   { $$ = ast_binary(g, @$, AST_LT, $1, $3); }
  | expr '>' expr                   { $$ = ast_binary(g, @$, AST_GT, $1, $3); }
  | expr LE expr                    { $$ = ast_binary(g, @$, AST_LE, $1, $3); }
  | expr GE expr                    { $$ = ast_binary(g, @$, AST_GE, $1, $3); }
  | expr EQ expr                    { $$ = ast_binary(g, @$, AST_EQ, $1, $3); }
  | expr NE expr                    { $$ = ast_binary(g, @$, AST_NE, $1, $3); }
  | expr '&' expr                   { $$ = ast_binary(g, @$, AST_AND, $1, $3); }
  | expr '^' expr                   { $$ = ast_binary(g, @$, AST_XOR, $1, $3); }
  | expr '|' expr                   { $$ = ast_binary(g, @$, AST_OR, $1, $3); }
  | expr LAND expr                  { $$ = ast_binary(g, @$, AST_LAND, $1, $3); }
  | expr LOR expr                   { $$ = ast_binary(g, @$, AST_LOR, $1, $3); }
  | expr '?' expr ':' expr          { $$ = ast_cond(g, @$, $1, $3, $5); }
  ;

/* ---- PTO-AS ---- */

op_head:
    OPNAME                          { ast_begin_op(g, NULL, @1, $1, @1, false); }
  | QUOTED_OP                       { ast_begin_op(g, NULL, @1, $1, @1, true); }
  | RESULTS OPNAME                  { ast_begin_op(g, $1, @1, $2, @2, false); }
  | RESULTS QUOTED_OP               { ast_begin_op(g, $1, @1, $2, @2, true); }
  ;

region_tail:
    REGION_TAIL                     { ast_begin_op(g, NULL, @1, $1, @1, false); }
  ;

tail:
    %empty
  | tail segment
  ;

segment:
    items                           { ast_op_close_items(g); }
  | INS '(' args ')'                { ast_op_group(g, AST_GROUP_INS, @$, $args); }
  | OUTS '(' args ')'               { ast_op_group(g, AST_GROUP_OUTS, @$, $args); }
  | '(' args ')'                    { ast_op_group(g, AST_GROUP_PLAIN, @$, $args); }
  | OUTS ':' types                  { ast_op_types(g, AST_PART_OUTS_TYPES, $types); }
  | ':' types                       { ast_op_types(g, AST_PART_TYPES, $types); }
  | ARROW types                     { ast_op_types(g, AST_PART_RESULT_TYPES, $types); }
  | TO type                         { ast_op_types(g, AST_PART_TO_TYPE, ast_types($type)); }
  | dict                            { ast_op_attrs(g, AST_PART_ATTRS, $1); }
  | ATTRIBUTES dict                 { ast_op_attrs(g, AST_PART_ATTRIBUTES, $2); }
  | LOCATION                        { ast_op_location(g, $1); }
  | ATTR_KEY key_value              { ast_op_attrs(g, AST_PART_HASH, ast_attrs(ast_attr_key($2, $1))); }
  ;

key_value:
    INTEGER
  | REAL
  | TEXT
  | WORD                            { $$ = ast_attr(g, @$, AST_ATTR_ENUM, $1); }
  | attr
  ;

items:
    item
  | items comma item
  ;

comma:
    ','                             { ast_op_comma(g); }
  ;

item:
    value                           { ast_op_item(g, $1); }
  | '[' args ']'                    { ast_op_item(g, ast_list(g, @$, $args)); }
  | WORD '=' value                  { ast_op_named(g, AST_FORM_EQUALS, false, $1, @$, ast_values($3)); }
  | WORD '=' '[' args ']'           { ast_op_named(g, AST_FORM_EQUALS, true, $1, @$, $args); }
  | NAMED_WORD value                { ast_op_named(g, AST_FORM_BARE, false, $1, @$, ast_values($2)); }
  | NAMED_WORD '[' args ']'         { ast_op_named(g, AST_FORM_BARE, true, $1, @$, $args); }
  | COLON_WORD ':' '[' args ']'     { ast_op_named(g, AST_FORM_COLON, true, $1, @$, $args); }
  ;

args:
    %empty                          { $$ = (struct value_list){0}; }
  | arg_list                        { $$ = ast_associate_types(g, $1); }
  ;

arg_list:
    arg                             { $$ = ast_values($1); }
  | arg_list ',' arg                { $$ = ast_append_value($1, $3); }
  ;

arg:
    value                           { $$ = $1; }
  | value ':' type                  { $$ = ast_typed_value($1, $3); }
  | value dict                      { $$ = ast_with_attrs(g, $1, $2.first, @$); }
  | value dict ':' type             { $$ = ast_typed_value(ast_with_attrs(g, $1, $2.first, @$), $4); }
  | value ':' type dict             { $$ = ast_typed_value(ast_with_attrs_behind(g, $1, $4.first, @$), $3); }
  | dict                            { $$ = ast_attr_value(g, @$, ast_attr_list(g, @$, AST_ATTR_DICT, $1)); }
  | dict ':' type                   { $$ = ast_typed_value(ast_attr_value(g, @1, ast_attr_list(g, @1, AST_ATTR_DICT, $1)), $3); }
  | WORD '=' value                  { $$ = ast_keyed(g, $3, $1, @$); }
  | WORD '=' value ':' type         { $$ = ast_typed_value(ast_keyed(g, $3, $1, @$), $5); }
  ;

value:
    SSA %prec VALUE                 { $$ = ast_value(g, @$, AST_VALUE_SSA, $1); }
  | MODIFIED_SSA                    { $$ = ast_modified(g, @$, $1); }
  | SSA '[' args ']'                { $$ = ast_index(g, ast_value(g, @1, AST_VALUE_SSA, $1), $args, @$); }
  | SSA '=' value                   { $$ = ast_bound(g, ast_value(g, @1, AST_VALUE_SSA, $1), $3, @$); }
  | INTEGER                         { $$ = ast_literal_value(g, @$, $1); }
  | REAL                            { $$ = ast_literal_value(g, @$, $1); }
  | TEXT                            { $$ = ast_literal_value(g, @$, $1); }
  | SYMBOL_REF                      { $$ = ast_value(g, @$, AST_VALUE_SYMBOL, $1); }
  | WORD                            { $$ = ast_value(g, @$, AST_VALUE_WORD, $1); }
  | CALL_OPEN args ')'              { $$ = ast_call(g, @$, $1, $args); }
  | attr                            { $$ = ast_attr_value(g, @$, $1); }
  | prefixed_type                   { $$ = ast_attr_value(g, @$, ast_attr_of_type(g, @$, $1)); }
  | '<' fields '>'                  { $$ = ast_attr_value(g, @$, ast_angle_attr(g, @$, $2)); }
  ;

/* ---- types and attributes ---- */

types:
    type_list                       { g->type_parens = false; $$ = $1; }
  | '(' ')'                         { g->type_parens = true; $$ = (struct type_list){0}; }
  | '(' result_types ')'            { g->type_parens = true; $$ = $2; }
  ;

result_types:
    result_type                     { $$ = ast_types($1); }
  | result_types ',' result_type    { $$ = ast_append_type($1, $3); }
  ;

result_type:
    type
  | type dict                       { $$ = ast_type_with_attrs($1, $2.first); }
  ;

type_list:
    type                            { $$ = ast_types($1); }
  | type_list ',' type              { $$ = ast_append_type($1, $3); }
  ;

type:
    prefixed_type
  | WORD                            { $$ = ast_type_word(g, span_loc(g, @$), $1); }
  | '<' fields '>'                  { $$ = ast_type_of(g, @$, NULL, $2); }
  ;

prefixed_type:
    TYPE_NAME                       { $$ = ast_type_word(g, span_loc(g, @$), $1); }
  | TYPE_OPEN fields '>'            { $$ = ast_type_of(g, @$, $1, $2); }
  | WORD_OPEN fields '>'            { $$ = ast_type_of(g, @$, $1, $2); }
  ;

fields:
    field                           { $$ = ast_attrs($1); }
  | fields ',' field                { $$ = ast_append_attr($1, $3); }
  ;

field:
    field_value
  | WORD                            { $$ = ast_attr(g, @$, AST_ATTR_ENUM, $1); }
  | WORD WORD                       { $$ = ast_attr_named(ast_attr(g, @$, AST_ATTR_ENUM, $2), $1); }
  | WORD INTEGER                    { $$ = ast_attr_named(ast_attr(g, @$, AST_ATTR_ENUM, $2->text), $1); }
  | WORD '=' field_value            { $$ = ast_attr_key($3, $1); }
  | WORD '=' WORD                   { $$ = ast_attr_key(ast_attr(g, @3, AST_ATTR_ENUM, $3), $1); }
  | WORD '=' INTEGER ':' WORD       { $$ = ast_attr_key(ast_attr_typed($3, ast_type_word(g, span_loc(g, @5), $5)), $1); }
  | WORD ':' field_value            { $$ = ast_attr_key($3, $1); }
  | dict                            { $$ = ast_attr_list(g, @$, AST_ATTR_DICT, $1); }
  | ELLIPSIS                        { $$ = ast_attr(g, @$, AST_ATTR_RAW, "..."); }
  ;

field_value:
    INTEGER
  | REAL
  | TEXT
  | '?'                             { $$ = ast_unknown_extent(g, @$); }
  | SYMBOL_REF                      { $$ = ast_attr(g, @$, AST_ATTR_SYMBOL, $1); }
  | attr
  | prefixed_type                   { $$ = ast_attr_of_type(g, @$, $1); }
  | '[' fields ']'                  { $$ = ast_attr_list(g, @$, AST_ATTR_ARRAY, $2); }
  | dims WORD                       { $$ = ast_shaped(g, @$, $1, ast_attr(g, @2, AST_ATTR_ENUM, $2)); }
  | dims prefixed_type              { $$ = ast_shaped(g, @$, $1, ast_attr_of_type(g, @2, $2)); }
  | dims INTEGER                    { $$ = ast_shaped(g, @$, $1, $2); }
  | dims '?'                        { $$ = ast_shaped(g, @$, $1, ast_unknown_extent(g, @2)); }
  ;

dims:
    DIM                             { $$ = ast_attrs(ast_dim(g, @$, $1)); }
  | dims DIM                        { $$ = ast_append_attr($1, ast_dim(g, @2, $2)); }
  ;

attr:
    ATTR_NAME                       { $$ = ast_hash_attr(g, @$, $1, (struct attr_list){0}); }
  | ATTR_REF                        { $$ = ast_attr_alias(g, @$, $1); }
  | OPAQUE                          { $$ = ast_attr(g, @$, AST_ATTR_RAW, $1); }
  | ATTR_OPEN fields '>'            { $$ = ast_hash_attr(g, @$, $1, $2); }
  ;

dict:
    '{' '}'                         { $$ = (struct attr_list){0}; }
  | '{' entries '}'                 { $$ = $2; }
  ;

entries:
    entry                           { $$ = ast_attrs($1); }
  | entries ',' entry               { $$ = ast_append_attr($1, $3); }
  ;

entry:
    key                             { $$ = ast_attr_key(ast_attr(g, @$, AST_ATTR_UNIT, NULL), $1); }
  | key '=' attr_value              { $$ = ast_attr_key($3, $1); }
  ;

key:
    WORD
  | TEXT                            { $$ = $1->text; }
  ;

attr_value:
    INTEGER
  | INTEGER ':' type                { $$ = ast_attr_typed($1, $3); }
  | REAL
  | REAL ':' type                   { $$ = ast_attr_typed($1, $3); }
  | TEXT
  | SYMBOL_REF                      { $$ = ast_attr(g, @$, AST_ATTR_SYMBOL, $1); }
  | WORD                            { $$ = ast_attr(g, @$, AST_ATTR_ENUM, $1); }
  | attr
  | prefixed_type                   { $$ = ast_attr_of_type(g, @$, $1); }
  | prefixed_type ':' type          { $$ = ast_attr_typed(ast_attr_of_type(g, @1, $1), $3); }
  | '<' fields '>'                  { $$ = ast_angle_attr(g, @$, $2); }
  | LOCATION                        { $$ = ast_attr(g, @$, AST_ATTR_RAW, $1); }
  | '[' ']'                         { $$ = ast_attr_list(g, @$, AST_ATTR_ARRAY, (struct attr_list){0}); }
  | '[' attr_values ']'             { $$ = ast_attr_list(g, @$, AST_ATTR_ARRAY, $2); }
  | dict                            { $$ = ast_attr_list(g, @$, AST_ATTR_DICT, $1); }
  ;

attr_values:
    attr_value                      { $$ = ast_attrs($1); }
  | attr_values ',' attr_value      { $$ = ast_append_attr($1, $3); }
  ;

%%

/* An empty rule stands behind the symbol before it. */
static struct span join_spans(struct span first, struct span last, int n)
{
    return (struct span){n > 0 ? first.begin : last.end, last.end};
}

/* Bison's own message: the stack is full. */
static void grammar_yyerror(const struct span *at, struct grammar *g, const char *message)
{
    (void)message;
    grammar_error(g, DIAG_TOO_DEEP, span_loc(g, *at), "the statement is nested too deeply");
}

/* ---- what was expected ---- */

/* Tokens that are one thing to the reader of a message. QUIET ones never stand alone in a list. */
enum reading { READ_ALONE, READ_STATEMENT, READ_OPERAND, READ_OPERATOR, READ_VALUE, READ_TYPE, READ_KEY, READ_QUIET };

static const struct {
    const char *token;
    enum reading machine, op;
} readings[] = {
    {"a label", READ_STATEMENT, READ_STATEMENT},
    {"a numeric label", READ_QUIET, READ_QUIET},
    {"a symbol to set", READ_QUIET, READ_QUIET},
    {"a directive", READ_QUIET, READ_QUIET},
    {"a directive with text", READ_QUIET, READ_QUIET},
    {"an instruction", READ_QUIET, READ_QUIET},
    {"a macro call", READ_QUIET, READ_QUIET},
    {"a block label", READ_QUIET, READ_QUIET},
    {"a result list", READ_QUIET, READ_QUIET},
    {"a quoted operation", READ_QUIET, READ_QUIET},
    {"an operation", READ_QUIET, READ_QUIET},
    {"'}' of a region", READ_QUIET, READ_QUIET},
    {"'} else {'", READ_QUIET, READ_QUIET},
    {"'}' before attributes", READ_QUIET, READ_QUIET},
    {"a location", READ_QUIET, READ_QUIET},
    {"an expression's start", READ_QUIET, READ_QUIET},
    {"a type's start", READ_QUIET, READ_QUIET},
    {"end of file", READ_QUIET, READ_QUIET},
    {"a name", READ_OPERAND, READ_ALONE},
    {"a number", READ_OPERAND, READ_ALONE},
    {"a floating-point number", READ_OPERAND, READ_ALONE},
    {"a reference to a numeric label", READ_OPERAND, READ_ALONE},
    {"a string", READ_OPERAND, READ_ALONE},
    {"'.'", READ_OPERAND, READ_ALONE},
    {"%tpcrel_hi", READ_OPERAND, READ_ALONE},
    {"%tpcrel_lo", READ_OPERAND, READ_ALONE},
    {"a word with @ or %", READ_OPERAND, READ_ALONE},
    {"a semaphore", READ_OPERAND, READ_ALONE},
    {"'->'", READ_OPERAND, READ_ALONE},
    {"'[' of an index", READ_QUIET, READ_ALONE},
    {"'<' of a size", READ_QUIET, READ_ALONE},
    {"'='", READ_QUIET, READ_QUIET},
    {"'('", READ_OPERAND, READ_ALONE},
    {"'['", READ_OPERAND, READ_ALONE},
    {"'{'", READ_OPERAND, READ_ALONE},
    {"'!'", READ_QUIET, READ_ALONE},
    {"'~'", READ_QUIET, READ_ALONE},
    {"'+'", READ_QUIET, READ_ALONE},
    {"'-'", READ_QUIET, READ_ALONE},
    {"'*'", READ_OPERATOR, READ_ALONE},
    {"'/'", READ_OPERATOR, READ_ALONE},
    {"'%'", READ_OPERATOR, READ_ALONE},
    {"'<<'", READ_OPERATOR, READ_ALONE},
    {"'>>'", READ_OPERATOR, READ_ALONE},
    {"'<'", READ_OPERATOR, READ_QUIET},
    {"'>'", READ_OPERATOR, READ_ALONE},
    {"'<='", READ_OPERATOR, READ_ALONE},
    {"'>='", READ_OPERATOR, READ_ALONE},
    {"'=='", READ_OPERATOR, READ_ALONE},
    {"'!='", READ_OPERATOR, READ_ALONE},
    {"'&'", READ_OPERATOR, READ_ALONE},
    {"'^'", READ_OPERATOR, READ_ALONE},
    {"'|'", READ_OPERATOR, READ_ALONE},
    {"'&&'", READ_OPERATOR, READ_ALONE},
    {"'||'", READ_OPERATOR, READ_ALONE},
    {"'?'", READ_OPERATOR, READ_ALONE},
    {"a type alias", READ_QUIET, READ_QUIET},
    {"an attribute alias", READ_QUIET, READ_QUIET},
    {"a value", READ_ALONE, READ_VALUE},
    {"a value with '!'", READ_QUIET, READ_QUIET},
    {"a word before a value", READ_QUIET, READ_QUIET},
    {"a word before ': ['", READ_QUIET, READ_QUIET},
    {"an affine map", READ_QUIET, READ_QUIET},
    {"an attribute's alias", READ_QUIET, READ_QUIET},
    {"an @symbol", READ_ALONE, READ_VALUE},
    {"a word", READ_ALONE, READ_QUIET},
    {"a word with '('", READ_ALONE, READ_VALUE},
    {"an integer", READ_ALONE, READ_VALUE},
    {"a real number", READ_ALONE, READ_VALUE},
    {"a quoted text", READ_ALONE, READ_KEY},
    {"an #attribute", READ_ALONE, READ_VALUE},
    {"an #attribute with '<'", READ_ALONE, READ_VALUE},
    {"an #attribute with '='", READ_ALONE, READ_QUIET},
    {"a !type", READ_ALONE, READ_TYPE},
    {"a !type with '<'", READ_ALONE, READ_TYPE},
    {"a type with '<'", READ_ALONE, READ_TYPE},
};

static enum reading reading_of(const char *token, bool op)
{
    for (size_t i = 0; i < sizeof readings / sizeof *readings; i++)
        if (strcmp(readings[i].token, token) == 0)
            return op ? readings[i].op : readings[i].machine;
    return READ_ALONE;
}

enum { EXPECTED_MAX = 120, EXPECTED_SHOWN = 6 };

struct expected {
    const char *name[EXPECTED_SHOWN + 1];
    unsigned count;
};

static void expect(struct expected *e, const char *name)
{
    if (e->count <= EXPECTED_SHOWN)
        e->name[e->count++] = name;
}

static void collect(const yypcontext_t *context, bool op, struct expected *e)
{
    yysymbol_kind_t kinds[EXPECTED_MAX];
    bool seen[READ_QUIET + 1] = {false};
    int n = yypcontext_expected_tokens(context, kinds, EXPECTED_MAX);
    for (int i = 0; i < n; i++)
        seen[reading_of(yysymbol_name(kinds[i]), op)] = true;
    if (seen[READ_STATEMENT])
        expect(e, "a label, a directive, an instruction or an operation");
    if (seen[READ_OPERAND] && !seen[READ_OPERATOR])
        expect(e, "an operand");
    if (seen[READ_OPERATOR])
        expect(e, "an operator");
    if (seen[READ_VALUE])
        expect(e, "a value");
    if (seen[READ_TYPE] && !seen[READ_VALUE])
        expect(e, "a type");
    if (seen[READ_KEY] && !seen[READ_VALUE])
        expect(e, "a key");
    for (int i = n - 1; i >= 0; i--) /* the end of the statement comes last */
        if (reading_of(yysymbol_name(kinds[i]), op) == READ_ALONE)
            expect(e, yysymbol_name(kinds[i]));
    for (int i = 0; i < n && e->count == 0; i++)
        expect(e, yysymbol_name(kinds[i]));
}

static const char *list_expected(struct grammar *g, const struct expected *e)
{
    const char *text = "";
    for (unsigned i = 0; e->count <= EXPECTED_SHOWN && i < e->count; i++) {
        const char *join = i == 0 ? "; expected " : i + 1 < e->count ? ", " : " or ";
        text = arena_printf(g->arena, "%s%s%s", text, join, e->name[i]);
    }
    return text;
}

static int yyreport_syntax_error(const yypcontext_t *context, struct grammar *g)
{
    const struct span *at = yypcontext_location(context);
    yysymbol_kind_t token = yypcontext_token(context);
    struct expected e = {.count = 0};
    collect(context, g->mode == MODE_OP, &e);
    const char *expected = list_expected(g, &e);
    int size = (int)(at->end - at->begin < 40 ? at->end - at->begin : 40);
    if (token == YYSYMBOL_END || size == 0)
        grammar_error(g, DIAG_SYNTAX, span_loc(g, *at), "unexpected end of the statement%s", expected);
    else
        grammar_error(g, DIAG_SYNTAX, span_loc(g, *at), "unexpected '%.*s'%s", size,
                      g->source->text + at->begin, expected);
    return 0;
}
