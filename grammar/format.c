/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Line by line: the code of each line is laid out at once, its comment when
 * the lines that share its column are known.
 */
#include "grammar/format.h"

#include <string.h>

#include "grammar/text.h"
#include "isa/isa.h"

enum {
    TAB = 8,
    CODE_COLUMN = 8,    /* of mnemonics and directives */
    BUNDLE_INDENT = 2,  /* between start and stop */
    OPERAND_OFFSET = 8, /* behind the mnemonic's column */
    REGION_INDENT = 2,  /* PTO-AS */
    SEQ_OPERAND_OFFSET = 16,
    COMMENT_COLUMN = 40,       /* or further right */
    LEAST_COMMENT_COLUMN = 24, /* what is written there goes on with the comment above */
    COMMENT_GAP = 2,
    WIDEST_CODE = 64, /* a line beyond it has its comment for itself */
};

/* What stands in a line of the source. */
struct pieces {
    const char *begin, *end; /* without the line end */
    size_t line_end;         /* bytes */
    struct text_token label, word, last;
    const char *word_end, *code_end;
    struct text_token comment;
    bool has_label, has_word, has_comment;
    bool separated; /* several statements */
    bool odd;       /* a comment before the first word, two labels, … */
    bool continues;
    bool closes; /* begins with a closing bracket */
};

/* The same, laid out. */
struct line {
    size_t code, code_size; /* in the job's text */
    unsigned width;         /* columns of the code */
    const char *comment;
    size_t comment_size;
    const char *end;
    size_t end_size;
    bool comment_goes_on; /* it belongs to the comment behind the line before */
    bool empty;
    bool fixed; /* as it was, comment and all */
};

struct job {
    struct mem *mem;
    struct text_reader reader;
    struct buffer text;
    VEC(struct line) lines;
    bool bundle;
    unsigned depth;
    int shift; /* columns that the first line of the PTO-AS statement moved */
    uint32_t number;
    struct format_range range;
};

/* ---- columns ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\f' || c == '\v';
}

/* The column behind `size` bytes: tabs go to the next multiple of 8, a character is one column. */
static unsigned column_behind(const char *text, size_t size)
{
    unsigned column = 0;
    for (size_t n = 0; n < size; n++)
        if (text[n] == '\t')
            column += TAB - column % TAB;
        else if (((unsigned char)text[n] & 0xc0) != 0x80)
            column++;
    return column;
}

static size_t leading_blanks(const char *p, const char *end)
{
    const char *start = p;
    while (p < end && is_blank(*p))
        p++;
    return (size_t)(p - start);
}

static void add_blanks(struct buffer *out, unsigned count)
{
    if (count > 0)
        memset(buffer_extend(out, count), ' ', count);
}

/* To `column`, or one blank when it is passed. */
static void go_to_column(struct buffer *out, size_t line_begin, unsigned column)
{
    size_t written = out->size - line_begin;
    unsigned now = written ? column_behind((const char *)out->data + line_begin, written) : 0;
    add_blanks(out, now < column ? column - now : now > 0);
}

/* ---- reading a line ---- */

static void note_token(struct pieces *p, const struct text_token *t)
{
    p->odd |= p->has_comment;
    switch (t->kind) {
    case TEXT_COMMENT:
        p->comment = *t;
        p->has_comment = true;
        return;
    case TEXT_LABEL:
        p->odd |= p->has_label || p->has_word;
        p->label = *t;
        p->has_label = true;
        break;
    case TEXT_SEPARATOR:
        p->separated = true;
        p->odd |= !p->has_word;
        break;
    default:
        if (!p->has_word) {
            p->has_word = true;
            p->word = *t;
            p->word_end = t->at + t->size;
            p->closes = t->kind == TEXT_CLOSE;
        } else if (!t->blank && p->word_end == t->at) {
            p->word_end += t->size; /* BSTART.\name */
        }
        break;
    }
    p->code_end = t->at + t->size;
    p->last = *t;
}

/* Also follows the depth of regions; *depth_here is that of the line itself. */
static bool read_line(struct job *job, struct pieces *p, unsigned *depth_here)
{
    *p = (struct pieces){.begin = job->reader.at, .continues = job->reader.continues};
    p->code_end = p->begin;
    *depth_here = job->depth;
    for (;;) {
        struct text_token t = text_next(&job->reader);
        p->end = t.at;
        p->line_end = t.kind == TEXT_LINE_END ? t.size : 0;
        if (t.kind == TEXT_END || t.kind == TEXT_LINE_END)
            return t.kind == TEXT_LINE_END || p->begin < t.at;
        if (t.kind == TEXT_REGION_END) {
            job->depth -= job->depth > 0;
            if (!p->has_word)
                *depth_here = job->depth;
        }
        job->depth += t.kind == TEXT_REGION_OPEN;
        note_token(p, &t);
    }
}

/* ---- code ---- */

static void add_token(struct buffer *out, const struct text_token *t)
{
    buffer_append(out, t->at, t->size);
}

/* A blank where there was one, one behind each comma and none before it. */
static void add_operands(struct buffer *out, const char *at, const char *end)
{
    struct text_reader r = text_read(at, (size_t)(end - at));
    char before = '\0';
    r.fresh = false;
    r.statement = TEXT_DIRECTIVE;
    for (;;) {
        struct text_token t = text_next(&r);
        if (t.kind == TEXT_END)
            return;
        bool comma = *t.at == ',' && t.size == 1;
        if (before && !comma && (t.blank || before == ','))
            buffer_append(out, " ", 1);
        add_token(out, &t);
        before = t.at[t.size - 1];
    }
}

static void note_bundle(struct job *job, const struct text_token *word)
{
    size_t used;
    const struct isa_mnemonic *m = isa_find_mnemonic_prefix(word->at, word->size, &used);
    if (!m)
        return;
    const struct isa_spelling *s = &isa_spellings[isa_mnemonic_index[m->first]];
    unsigned class = isa_forms[s->form].klass;
    if (class == ISA_CLASS_ExecuteBundleStart)
        job->bundle = true;
    else if (class == ISA_CLASS_ExecuteBundleStop)
        job->bundle = false;
}

static bool is_bundle_edge(const struct text_token *word)
{
    struct job probe = {.bundle = false};
    note_bundle(&probe, word);
    bool starts = probe.bundle;
    probe.bundle = true;
    note_bundle(&probe, word);
    return starts || !probe.bundle;
}

static bool is_free_form(const struct pieces *p)
{
    return p->separated || p->word.statement == TEXT_UNKNOWN ||
           p->word.statement == TEXT_RAW_DIRECTIVE;
}

static bool ends_macro(const struct text_token *word)
{
    return word->statement == TEXT_DIRECTIVE && equal_folded(word->at, word->size, ".endm", 5);
}

static unsigned operand_offset(const struct text_token *word)
{
    return word->statement == TEXT_SEQ ? SEQ_OPERAND_OFFSET : OPERAND_OFFSET;
}

static void lay_out_machine(struct job *job, const struct pieces *p)
{
    struct buffer *out = &job->text;
    size_t begin = out->size;
    bool set = p->word.statement == TEXT_SET;
    job->bundle &= !ends_macro(&p->word);
    bool edge = p->word.statement == TEXT_PTO && is_bundle_edge(&p->word);
    unsigned column = CODE_COLUMN + (job->bundle && !edge ? BUNDLE_INDENT : 0);
    if (p->has_label)
        add_token(out, &p->label);
    if (!(set && p->word.at == p->begin))
        go_to_column(out, begin, column);
    buffer_append(out, p->word.at, (size_t)(p->word_end - p->word.at));
    const char *rest = p->word_end + leading_blanks(p->word_end, p->code_end);
    if (rest < p->code_end) {
        if (*rest != ';' || rest > p->word_end)
            go_to_column(out, begin, set ? 0 : column + operand_offset(&p->word));
        if (is_free_form(p))
            buffer_append(out, rest, (size_t)(p->code_end - rest));
        else
            add_operands(out, rest, p->code_end);
    }
    if (p->word.statement == TEXT_PTO)
        note_bundle(job, &p->word);
    else if (p->word.statement == TEXT_RAW_DIRECTIVE || p->word.statement == TEXT_OP)
        job->bundle = false;
}

static void lay_out_op(struct job *job, const struct pieces *p, unsigned depth)
{
    int old = (int)column_behind(p->begin, leading_blanks(p->begin, p->code_end));
    int indent = (int)(depth * REGION_INDENT);
    if (p->continues) {
        int least = indent + (p->closes ? 0 : REGION_INDENT);
        indent = old + job->shift > least ? old + job->shift : least;
    } else {
        job->shift = indent - old;
        job->bundle = false;
    }
    add_blanks(&job->text, (unsigned)indent);
    buffer_append(&job->text, p->word.at, (size_t)(p->code_end - p->word.at));
}

static void lay_out_code(struct job *job, const struct pieces *p, unsigned depth)
{
    bool op = p->word.statement == TEXT_OP;
    bool odd = (op && p->has_label) || (p->continues && !op) ||
               (p->has_word && !op && p->word.kind != TEXT_WORD && p->word.statement != TEXT_SET);
    if (odd)
        buffer_append(&job->text, p->begin, (size_t)(p->code_end - p->begin));
    else if (!p->has_word && p->has_label)
        buffer_append(&job->text, p->label.at, (size_t)(p->code_end - p->label.at));
    else if (p->has_word && op)
        lay_out_op(job, p, depth);
    else if (p->has_word)
        lay_out_machine(job, p);
}

/* ---- comments ---- */

/* Blanks at the end of a comment go, but not those within its lines. */
static size_t trimmed(const char *text, size_t size)
{
    while (size && is_blank(text[size - 1]))
        size--;
    return size;
}

/* A line that is all comment: where it stood at the margin or behind code it stays so. */
static void place_comment(struct job *job, struct line *line, const struct pieces *p,
                          unsigned depth)
{
    unsigned old = column_behind(p->begin, (size_t)(p->comment.at - p->begin));
    const struct line *before =
        job->lines.count > 1 ? &job->lines.item[job->lines.count - 2] : NULL;
    if (old >= LEAST_COMMENT_COLUMN && before && before->comment && !before->fixed &&
        (before->comment_goes_on || before->code_size)) {
        line->comment_goes_on = true;
        return;
    }
    unsigned column =
        job->depth ? depth * REGION_INDENT : CODE_COLUMN + (job->bundle ? BUNDLE_INDENT : 0);
    add_blanks(&job->text, old ? column : 0);
    buffer_append(&job->text, p->comment.at, trimmed(p->comment.at, p->comment.size));
    line->comment = NULL;
}

static void set_comment(struct line *line, const struct pieces *p)
{
    line->comment = p->comment.at;
    line->comment_size = trimmed(p->comment.at, p->comment.size);
}

static void keep_line(struct job *job, struct line *line, const struct pieces *p, size_t size)
{
    buffer_append(&job->text, p->begin, size);
    line->fixed = true;
}

static bool in_range(const struct job *job)
{
    return !job->range.last || (job->number >= job->range.first && job->number <= job->range.last);
}

static void lay_out_line(struct job *job, const struct pieces *p, unsigned depth)
{
    struct line *line = vec_push(job->mem, &job->lines);
    line->code = job->text.size;
    line->end = p->end;
    line->end_size = p->line_end;
    if (!in_range(job)) {
        lay_out_code(job, p, depth); /* for what follows */
        job->text.size = line->code;
        keep_line(job, line, p, (size_t)(p->end - p->begin));
    } else if (p->odd) {
        keep_line(job, line, p, trimmed(p->begin, (size_t)(p->end - p->begin)));
    } else {
        lay_out_code(job, p, depth);
        if (p->has_comment)
            set_comment(line, p);
        if (p->has_comment && job->text.size == line->code)
            place_comment(job, line, p, depth);
        line->empty = job->text.size == line->code && !line->comment;
    }
    line->code_size = job->text.size - line->code;
    line->width = column_behind((const char *)job->text.data + line->code, line->code_size);
}

/* ---- writing ---- */

static bool shares_column(const struct line *line)
{
    return line->comment && !line->fixed && line->width <= WIDEST_CODE;
}

/* The column of the comments in the lines from `n` to the next empty one. */
static unsigned comment_column(const struct job *job, size_t n)
{
    unsigned column = COMMENT_COLUMN;
    for (; n < job->lines.count && !job->lines.item[n].empty; n++) {
        const struct line *line = &job->lines.item[n];
        if (shares_column(line) && line->width + COMMENT_GAP > column)
            column = line->width + COMMENT_GAP;
    }
    return (column + TAB - 1) / TAB * TAB;
}

static void write_line(struct buffer *out, const struct job *job, const struct line *line,
                       unsigned column)
{
    if (line->code_size)
        buffer_append(out, job->text.data + line->code, line->code_size);
    if (line->comment) {
        add_blanks(out, shares_column(line) ? column - line->width : COMMENT_GAP);
        buffer_append(out, line->comment, line->comment_size);
    }
    buffer_append(out, line->end, line->end_size);
}

static void write_lines(struct buffer *out, const struct job *job)
{
    unsigned column = 0;
    bool group = false;
    for (size_t n = 0; n < job->lines.count; n++) {
        const struct line *line = &job->lines.item[n];
        if (line->empty && n > 0 && job->lines.item[n - 1].empty)
            continue;
        if (!group && !line->empty)
            column = comment_column(job, n);
        group = !line->empty;
        write_line(out, job, line, column);
    }
}

/* The last line ends like the first one. */
static void end_last_line(struct job *job)
{
    if (!job->lines.count)
        return;
    const struct line *first = job->lines.item;
    struct line *last = &job->lines.item[job->lines.count - 1];
    if (last->end_size || last->fixed)
        return;
    last->end = first->end_size ? first->end : "\n";
    last->end_size = first->end_size ? first->end_size : 1;
}

static void count_lines(struct job *job, const struct pieces *p)
{
    for (const char *at = p->begin; at < p->end;) {
        size_t size = text_line_end(at, p->end);
        job->number += size != 0;
        at += size ? size : 1;
    }
    job->number++;
}

void format_text(struct buffer *out, const char *text, size_t size, struct format_range range)
{
    struct job job = {.mem = out->mem, .reader = text_read(text, size), .range = range};
    struct pieces p;
    unsigned depth;
    job.number = 1;
    buffer_init(&job.text, out->mem);
    buffer_append(out, text, (size_t)(job.reader.at - text));
    while (read_line(&job, &p, &depth)) {
        lay_out_line(&job, &p, depth);
        count_lines(&job, &p);
    }
    end_last_line(&job);
    write_lines(out, &job);
    vec_free(job.mem, &job.lines);
    buffer_free(&job.text);
}
