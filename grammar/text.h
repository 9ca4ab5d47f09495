/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Text to words, as it stands: for the formatter and editors, which must cope
 * with text that is not yet right. Nothing is expanded, checked or reported.
 * Where statements begin and go on, and what is a comment, follows the rules of
 * scanner.l. The tokens, blanks and line ends between them are the whole text.
 */
#ifndef PTO_GRAMMAR_TEXT_H
#define PTO_GRAMMAR_TEXT_H

#include "support/support.h"

enum text_kind {
    TEXT_END,
    TEXT_LINE_END,
    TEXT_SEPARATOR, /* `;` */
    TEXT_COMMENT,   /* from its mark to the end of the line or its closing mark */
    TEXT_LABEL,     /* with its colon */
    TEXT_WORD,      /* mnemonic, directive, symbol, register; T#1; %tpcrel_hi; \argument */
    TEXT_NUMBER,    /* also 1b and 8KB */
    TEXT_STRING,    /* with its quotes; '…' too */
    TEXT_SSA,       /* %name, in PTO-AS */
    TEXT_SYMBOL,    /* @name */
    TEXT_TYPE,      /* !name */
    TEXT_BLOCK,     /* ^name */
    TEXT_ATTRIBUTE, /* #name, in PTO-AS */
    TEXT_OPEN,      /* ( [ { */
    TEXT_CLOSE,
    TEXT_REGION_OPEN, /* the { of a region; the statement ends with it */
    TEXT_REGION_END,  /* } of a region; the else of `} else {` begins a statement */
    TEXT_PUNCTUATION, /* one byte, or -> */
};

/* What the statement is, by its first word. */
enum text_class {
    TEXT_NO_STATEMENT, /* label, comment, line end before a first word */
    TEXT_SET,          /* name = value */
    TEXT_DIRECTIVE,
    TEXT_RAW_DIRECTIVE, /* its operands are words for a macro: blanks part them */
    TEXT_PTO,
    TEXT_SEQ,
    TEXT_OP,      /* PTO-AS */
    TEXT_UNKNOWN, /* a macro's name, or none */
};

struct text_token {
    uint8_t kind;      /* enum text_kind */
    uint8_t statement; /* enum text_class of the statement that it belongs to */
    bool first;        /* first word of its statement */
    bool continues;    /* stands in a later line than its statement's first word */
    bool blank;        /* blanks stand before it */
    const char *at;
    size_t size;
};

enum { TEXT_MAX_OPEN = 64 }; /* deeper brackets are counted, but not told apart */

struct text_reader {
    const char *at, *end;
    /* private */
    uint8_t statement;
    bool fresh, continues;
    bool region; /* the operation may end in a region */
    unsigned nopen;
    char open[TEXT_MAX_OPEN];
    uint8_t previous; /* kind of the last token that is no comment */
    char last;        /* its last byte */
    bool attributes;  /* it was the word `attributes` */
};

/* `text` needs no end mark. */
struct text_reader text_read(const char *text, size_t size);
/* The next token; TEXT_END for ever at the end. */
struct text_token text_next(struct text_reader *r);

/* Bytes of the line end at p: 0, 1 or 2. */
size_t text_line_end(const char *p, const char *end);

#endif
