/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of the line table: with -g one for each line that has instructions,
 * or those that .loc asks for.
 */
#include "asm/directive.h"

#include <string.h>

/* Of the maps that fit the last one counts, as in GNU as and gcc. */
static const char *mapped_name(struct assembler *as, const char *name)
{
    const char *found = name;
    for (const char *const *map = as->options->prefix_maps; map && *map; map++) {
        const char *equal = strchr(*map, '=');
        size_t size = (size_t)(equal - *map);
        if (strncmp(name, *map, size) == 0)
            found = arena_printf(as->arena, "%s%s", equal + 1, name + size);
    }
    return found;
}

static uint32_t line_file(struct assembler *as, const char *name)
{
    const char *interned = intern_z(as->names, name);
    void **slot = map_put(&as->line_files, interned);
    if (!*slot) {
        const char *shown = mapped_name(as, name);
        *vec_push(as->mem, &as->object->line_files) =
            arena_string(as->object->arena, shown, strlen(shown));
        *slot = (void *)(uintptr_t)as->object->line_files.count;
    }
    return (uint32_t)((uintptr_t)*slot - 1);
}

static void add_row(struct assembler *as, struct obj_line row)
{
    struct section *section = as->section;
    size_t count = section->lines.count;
    row.address = asm_offset(section);
    uint32_t points = (uint32_t)section->points.count;
    if (count) {
        struct line_row *last = &section->lines.item[count - 1];
        if (last->row.file == row.file && last->row.line == row.line && last->row.col == row.col)
            return;
        if (last->row.address == row.address && last->points == points) {
            last->row = row;
            return;
        }
    }
    *vec_push(as->mem, &section->lines) = (struct line_row){row, points};
}

void asm_line_row(struct assembler *as, struct loc loc)
{
    if (as->loc_row.line) {
        add_row(as, as->loc_row);
        as->loc_row.line = 0;
    } else if (as->options->debug && !as->loc_used) {
        struct loc place = asm_debug_place(as, loc);
        add_row(as, (struct obj_line){.file = line_file(as, diag_file_name(as->diag, place.file)),
                                      .line = place.line});
    }
}

void asm_line_finish(struct assembler *as)
{
    for (size_t i = 0; i < as->sections.count; i++) {
        struct section *section = as->sections.item[i];
        if (!section->lines.count)
            continue;
        for (size_t n = 0; n < section->lines.count; n++) {
            struct obj_line *row = vec_push(as->mem, &as->object->lines);
            *row = section->lines.item[n].row;
            row->section = (int)section->index;
        }
        struct obj_line *end = vec_push(as->mem, &as->object->lines);
        *end = section->lines.item[section->lines.count - 1].row;
        end->section = (int)section->index;
        end->address = asm_offset(section);
        end->end = true;
    }
}

/* .file "name" names the source in the symbol table; .file N "name" is for .loc. */
void asm_line_file(struct assembler *as, const struct ast_stmt *stmt, const struct directive *row)
{
    (void)row;
    int64_t number = 0;
    if (as->options->listing)
        asm_list_debug(as, stmt->loc);
    bool numbered = stmt->operands->next != NULL;
    const struct ast_operand *name = asm_operand_string(as, stmt, numbered);
    if (!name || (numbered && !asm_operand_number(as, stmt, 0, "the file number", 0, &number)))
        return;
    const char *text = intern(as->names, name->text, name->size);
    if (!numbered) {
        as->file_symbol = text;
        return;
    }
    if (number < 0 || number > UINT16_MAX) {
        asm_bad_operand(as, stmt->operands, "a file number in [0, 65535]");
        return;
    }
    while (as->file_numbers.count <= (size_t)number)
        vec_push(as->mem, &as->file_numbers);
    as->file_numbers.item[number] = line_file(as, text) + 1;
}

/* .loc FILE LINE [COLUMN] …; further words of GNU as are accepted and mean nothing here. */
void asm_line_loc(struct assembler *as, const struct ast_stmt *stmt, const struct directive *row)
{
    (void)row;
    int64_t file, line, col = 0;
    if (as->options->listing)
        asm_list_debug(as, stmt->loc);
    const struct ast_operand *third = asm_operand(stmt, 2);
    bool has_column = third && third->kind == AST_OPERAND_EXPR && third->expr->op == AST_NUMBER;
    if (!asm_operand_number(as, stmt, 0, "the file number", 0, &file) ||
        !asm_operand_number(as, stmt, 1, "the line", 0, &line) ||
        (has_column && !asm_operand_number(as, stmt, 2, "the column", 0, &col)))
        return;
    if (file < 0 || (uint64_t)file >= as->file_numbers.count || !as->file_numbers.item[file]) {
        diag_report(as->diag, DIAG_LOC_FILE, stmt->loc, "file number %lld has no .file directive",
                    (long long)file);
        return;
    }
    if (line <= 0 || line > UINT32_MAX || col < 0 || col > UINT32_MAX) {
        diag_report(as->diag, DIAG_DIRECTIVE_OPERAND, stmt->loc,
                    "line %lld, column %lld cannot be recorded", (long long)line, (long long)col);
        return;
    }
    as->loc_used = true;
    if (as->options->listing)
        asm_list_high(as, stmt->loc, as->file_numbers.item[file] - 1, (uint32_t)line);
    as->loc_row = (struct obj_line){
        .file = as->file_numbers.item[file] - 1, .line = (uint32_t)line, .col = (uint32_t)col};
}
