/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares an object with the .hex file of a golden test (tests/README.md):
 *   golden-hex OBJECT HEX SOURCE...
 * Reads the object through libelf alone, so that a fault which our reader and
 * writer share does not hide.
 */
#include <ctype.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "isa/isa.h"
#include "support/support.h"

struct relocation {
    uint64_t offset;
    char *text; /* "R_NAME symbol+4" */
    bool listed;
};

struct section {
    const char *name;
    bool loaded, listed;
    bool empty_bytes; /* NOBITS */
    const uint8_t *data;
    uint64_t size;
    uint64_t covered; /* bytes the .hex file has listed so far */
    VEC(struct relocation) relocations;
};

struct comparison {
    struct mem *mem;
    struct arena *arena;
    VEC(struct section) sections; /* by ELF section number */
    VEC(const char *) sources;    /* blanks squeezed */
    const char *hex_name;
    unsigned line, faults;
};

/* ---- the object ---- */

static char *relocation_text(struct comparison *c, const GElf_Rela *r, const char *symbol)
{
    unsigned number = (unsigned)GELF_R_TYPE(r->r_info);
    const struct isa_reloc *known = isa_reloc_by_number(number);
    char *kind =
        known ? arena_printf(c->arena, "%s", known->name) : arena_printf(c->arena, "%u", number);
    if (r->r_addend == 0)
        return arena_printf(c->arena, "%s %s", kind, symbol);
    return arena_printf(c->arena, "%s %s%+lld", kind, symbol, (long long)r->r_addend);
}

static const char *symbol_name(struct comparison *c, Elf *elf, const GElf_Shdr *symtab,
                               Elf_Data *symbols, size_t index)
{
    GElf_Sym symbol;
    if (!gelf_getsym(symbols, (int)index, &symbol))
        return "?";
    if (GELF_ST_TYPE(symbol.st_info) == STT_SECTION && symbol.st_shndx < c->sections.count)
        return c->sections.item[symbol.st_shndx].name;
    const char *name = elf_strptr(elf, symtab->sh_link, symbol.st_name);
    return name ? name : "?";
}

static void read_relocations(struct comparison *c, Elf *elf, Elf_Scn *scn, const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(scn, NULL);
    Elf_Scn *symtab_scn = elf_getscn(elf, header->sh_link);
    GElf_Shdr symtab;
    if (!data || !symtab_scn || !gelf_getshdr(symtab_scn, &symtab) ||
        header->sh_info >= c->sections.count)
        return;
    Elf_Data *symbols = elf_getdata(symtab_scn, NULL);
    struct section *s = &c->sections.item[header->sh_info];
    size_t count = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
    for (size_t i = 0; i < count; i++) {
        GElf_Rela rela;
        if (!gelf_getrela(data, (int)i, &rela))
            return;
        struct relocation *r = vec_push(c->mem, &s->relocations);
        r->offset = rela.r_offset;
        r->text = relocation_text(c, &rela,
                                  symbol_name(c, elf, &symtab, symbols, GELF_R_SYM(rela.r_info)));
    }
}

static void read_section(struct comparison *c, Elf *elf, Elf_Scn *scn, const GElf_Shdr *header,
                         size_t names)
{
    struct section *s = vec_push(c->mem, &c->sections);
    const char *name = elf_strptr(elf, names, header->sh_name);
    s->name = name ? name : "";
    s->size = header->sh_size;
    s->loaded = (header->sh_flags & SHF_ALLOC) && s->size > 0 &&
                strncmp(s->name, ".note", 5) != 0 && strncmp(s->name, ".pto.", 5) != 0;
    s->empty_bytes = header->sh_type == SHT_NOBITS;
    Elf_Data *data = s->empty_bytes ? NULL : elf_rawdata(scn, NULL);
    if (data && data->d_size == s->size)
        s->data = data->d_buf;
    else if (!s->empty_bytes)
        s->size = 0;
}

static bool read_object(struct comparison *c, Elf *elf)
{
    size_t names;
    if (!elf || elf_kind(elf) != ELF_K_ELF || elf_getshdrstrndx(elf, &names) != 0)
        return false;
    vec_push(c->mem, &c->sections); /* section 0 */
    c->sections.item[0].name = "";
    GElf_Shdr header;
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));)
        if (gelf_getshdr(scn, &header))
            read_section(c, elf, scn, &header, names);
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));)
        if (gelf_getshdr(scn, &header) && header.sh_type == SHT_RELA)
            read_relocations(c, elf, scn, &header);
    return true;
}

/* ---- the sources ---- */

/* Blanks become single spaces, none at either end of a line. */
static char *squeeze(struct arena *a, const char *text, size_t len)
{
    char *out = arena_alloc(a, len + 1), *end = out;
    for (size_t i = 0; i < len; i++) {
        bool blank = text[i] == ' ' || text[i] == '\t' || text[i] == '\r';
        bool edge = end == out || end[-1] == '\n';
        if (!blank)
            *end++ = text[i];
        else if (!edge && end[-1] != ' ')
            *end++ = ' ';
    }
    while (end > out && end[-1] == ' ')
        end--;
    *end = '\0';
    return out;
}

static bool in_a_source(const struct comparison *c, const char *statement)
{
    for (size_t i = 0; i < c->sources.count; i++)
        if (strstr(c->sources.item[i], statement))
            return true;
    return false;
}

/* ---- the .hex file ---- */

__attribute__((format(printf, 2, 3))) static void fault(struct comparison *c, const char *fmt, ...)
{
    va_list ap;
    printf("%s:%u: ", c->hex_name, c->line);
    va_start(ap, fmt);
    vprintf(fmt, ap);
    va_end(ap);
    putchar('\n');
    c->faults++;
}

static struct section *find_section(struct comparison *c, const char *name)
{
    for (size_t i = 1; i < c->sections.count; i++)
        if (strcmp(c->sections.item[i].name, name) == 0)
            return &c->sections.item[i];
    return NULL;
}

enum { UNKNOWN_BYTE = 256, BAD_BYTE = 257 };

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)tolower((unsigned char)c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Takes one byte and its repeat count from the text. */
static int take_byte(const char **text, unsigned long *count)
{
    const char *p = *text;
    int value = BAD_BYTE;
    if (p[0] == '?' && p[1] == '?')
        value = UNKNOWN_BYTE;
    else if (digit(p[0]) >= 0 && digit(p[1]) >= 0)
        value = digit(p[0]) * 16 + digit(p[1]);
    if (value == BAD_BYTE)
        return value;
    *count = 1;
    char *end = (char *)p + 2;
    if (*end == '*')
        *count = strtoul(end + 1, &end, 10);
    *text = end + strspn(end, " ");
    return value;
}

static void print_bytes(const struct section *s, uint64_t from, uint64_t to)
{
    enum { MOST = 64 };
    for (uint64_t i = from; i < to && i < from + MOST; i++)
        printf(s->empty_bytes ? " ??" : " %02x", s->data && i < s->size ? s->data[i] : 0u);
    puts(to - from > MOST ? " ..." : "");
}

/* Compares the bytes of a line with the section from `offset` on. */
static void compare_bytes(struct comparison *c, struct section *s, uint64_t offset,
                          const char *bytes, const char *statement)
{
    uint64_t at = offset;
    bool equal = true;
    if (offset != s->covered)
        fault(c, "%s %04llx: the next byte not yet listed is at %04llx", s->name,
              (unsigned long long)offset, (unsigned long long)s->covered);
    for (const char *p = bytes; *p;) {
        unsigned long count;
        int value = take_byte(&p, &count);
        if (value == BAD_BYTE) {
            fault(c, "'%s' is not a byte", p);
            return;
        }
        for (; count > 0; count--, at++) {
            if (at >= s->size || (value == UNKNOWN_BYTE) != s->empty_bytes)
                equal = false;
            else if (s->data && value != s->data[at])
                equal = false;
        }
    }
    s->covered = at;
    if (equal)
        return;
    fault(c, "%s %04llx: expected %s | %s", s->name, (unsigned long long)offset, bytes, statement);
    printf("%*sfound", (int)(strlen(c->hex_name) + strlen(s->name)) + 9, "");
    print_bytes(s, offset, at < s->size ? at : s->size);
}

static void compare_relocation(struct comparison *c, struct section *s, uint64_t offset,
                               const char *text)
{
    for (size_t i = 0; i < s->relocations.count; i++) {
        struct relocation *r = &s->relocations.item[i];
        if (!r->listed && r->offset == offset && strcmp(r->text, text) == 0) {
            r->listed = true;
            return;
        }
    }
    fault(c, "%s %04llx: no relocation '%s'", s->name, (unsigned long long)offset, text);
}

/* Splits "SECTION OFFSET: WHAT | STATEMENT" and compares. */
static void compare_line(struct comparison *c, char *line)
{
    char *statement = strchr(line, '|');
    if (statement)
        *statement++ = '\0';
    char *colon = strchr(line, ':'), *name = strtok(line, " ");
    char *number = strtok(NULL, " :");
    if (!colon || !number) {
        fault(c, "the line is not 'SECTION OFFSET: BYTES | SOURCE'");
        return;
    }
    char *end;
    uint64_t offset = strtoull(number, &end, 16);
    struct section *s = find_section(c, name);
    if (*end) {
        fault(c, "'%s' is not an offset", number);
        return;
    }
    if (!s) {
        fault(c, "the object has no section '%s'", name);
        return;
    }
    s->listed = true;
    const char *what = squeeze(c->arena, colon + 1, strlen(colon + 1));
    const char *source = statement ? squeeze(c->arena, statement, strlen(statement)) : "";
    if (*what == '@')
        compare_relocation(c, s, offset, what + 1 + strspn(what + 1, " "));
    else
        compare_bytes(c, s, offset, what, source);
    if (!in_a_source(c, source))
        fault(c, "no source line has '%s'", source);
}

static void report_unlisted(struct comparison *c, const struct section *s)
{
    if (s->covered < s->size) {
        fault(c, "%s %04llx to %04llx is not listed:", s->name, (unsigned long long)s->covered,
              (unsigned long long)s->size);
        print_bytes(s, s->covered, s->size);
    }
    for (size_t i = 0; i < s->relocations.count; i++)
        if (!s->relocations.item[i].listed)
            fault(c, "%s %04llx: relocation '%s' is not listed", s->name,
                  (unsigned long long)s->relocations.item[i].offset, s->relocations.item[i].text);
}

static void compare(struct comparison *c, char *hex)
{
    for (char *line = hex, *next; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        c->line++;
        if (*line != '#' && *squeeze(c->arena, line, strlen(line)) != '\0')
            compare_line(c, line);
    }
    for (size_t i = 1; i < c->sections.count; i++) {
        const struct section *s = &c->sections.item[i];
        if (s->loaded || s->listed)
            report_unlisted(c, s);
    }
}

static char *read_text(struct comparison *c, const char *name)
{
    size_t size;
    const char *error;
    char *text = file_read(c->arena, name, &size, &error);
    if (!text) {
        printf("%s: %s\n", name, error);
        exit(2);
    }
    return text;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fputs("usage: golden-hex OBJECT HEX SOURCE...\n", stderr);
        return 2;
    }
    struct mem mem = mem_default();
    struct comparison c = {.mem = &mem, .arena = arena_create(&mem), .hex_name = argv[2]};
    for (int i = 3; i < argc; i++) {
        char *text = read_text(&c, argv[i]);
        *(const char **)vec_push(&mem, &c.sources) = squeeze(c.arena, text, strlen(text));
    }
    int fd = open(argv[1], O_RDONLY);
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    if (!read_object(&c, elf)) {
        printf("%s: not an ELF object\n", argv[1]);
        return 1;
    }
    compare(&c, read_text(&c, argv[2]));
    elf_end(elf);
    close(fd);
    for (size_t i = 0; i < c.sections.count; i++)
        vec_free(&mem, &c.sections.item[i].relocations);
    vec_free(&mem, &c.sections);
    vec_free(&mem, &c.sources);
    arena_destroy(c.arena);
    return c.faults > 0;
}
