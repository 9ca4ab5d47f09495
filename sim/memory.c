/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pages are found by a hash of their number; a PE remembers its last load and
 * store page, so the common access is a compare and a load.
 */
#include "sim/memory.h"

#include <endian.h>
#include <stdlib.h>

#include "sim/decode.h"
#include "sim/trace.h"

enum { FIRST_CAPACITY = 64 };

static const uint64_t NO_PAGE = ~UINT64_C(0);

struct memory *memory_create(struct mem *m, uint64_t limit)
{
    struct arena *arena = arena_create(m);
    struct memory *memory = arena_alloc(arena, sizeof *memory);
    memory->mem = m;
    memory->arena = arena;
    memory->limit = limit >> MEM_PAGE_BITS;
    return memory;
}

void memory_destroy(struct memory *m)
{
    if (!m)
        return;
    mem_resize(m->mem, m->pages, 0);
    vec_free(m->mem, &m->regions);
    arena_destroy(m->arena);
}

void memory_add_region(struct memory *m, uint64_t address, uint64_t size, const uint8_t *data,
                       uint64_t file_size, uint8_t access)
{
    if (size == 0)
        return;
    struct region *r = vec_push(m->mem, &m->regions);
    *r = (struct region){address, size, data, file_size, access};
}

static bool region_has(const struct region *r, uint64_t address)
{
    return address - r->address < r->size;
}

static const struct region *find_region(const struct memory *m, uint64_t address)
{
    for (size_t i = 0; i < m->regions.count; i++)
        if (region_has(&m->regions.item[i], address))
            return &m->regions.item[i];
    return NULL;
}

/* Bytes from `address` that all allow `access`, at most `size`. */
static uint64_t allowed(const struct memory *m, uint64_t address, uint64_t size, unsigned access)
{
    uint64_t done = 0;
    while (done < size) {
        const struct region *r = find_region(m, address + done);
        if (!r || (r->access & access) != access)
            break;
        uint64_t left = r->size - (address + done - r->address);
        if (left >= size - done)
            return size;
        done += left;
    }
    return done;
}

/* ---- pages ---- */

static size_t slot_of(const struct memory *m, uint64_t number)
{
    size_t mask = m->capacity - 1;
    size_t i = (size_t)((number * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & mask;
    while (m->pages[i].bytes && m->pages[i].number != number)
        i = (i + 1) & mask;
    return i;
}

static struct page *find_page(const struct memory *m, uint64_t number)
{
    if (m->capacity == 0)
        return NULL;
    struct page *p = &m->pages[slot_of(m, number)];
    return p->bytes ? p : NULL;
}

static void grow(struct memory *m)
{
    struct page *old = m->pages;
    size_t count = m->capacity, capacity = count ? count * 2 : FIRST_CAPACITY;
    m->pages = mem_resize_array(m->mem, NULL, capacity, sizeof *m->pages);
    m->capacity = capacity;
    memset(m->pages, 0, capacity * sizeof *m->pages);
    for (size_t i = 0; i < count; i++)
        if (old[i].bytes)
            m->pages[slot_of(m, old[i].number)] = old[i];
    mem_resize(m->mem, old, 0);
}

/* The file bytes of every region that the range overlaps; the first region wins. */
static void fill_from_regions(const struct memory *m, uint64_t address, uint8_t *bytes, size_t size)
{
    for (size_t i = m->regions.count; i-- > 0;) {
        const struct region *r = &m->regions.item[i];
        bool inside = address - r->address < r->file_size; /* else it may begin in the range */
        uint64_t skip = inside ? 0 : r->address - address;
        uint64_t offset = inside ? address - r->address : 0;
        if (!r->file_size || skip >= size)
            continue;
        uint64_t room = size - skip, left = r->file_size - offset;
        memcpy(bytes + skip, r->data + offset, room < left ? room : left);
    }
}

/* NULL: the limit is reached. */
static struct page *touch_page(struct memory *m, uint64_t number)
{
    struct page *p = find_page(m, number);
    if (p)
        return p;
    if (m->count >= m->limit)
        return NULL;
    if (m->count * 4 >= m->capacity * 3)
        grow(m);
    p = &m->pages[slot_of(m, number)];
    p->number = number;
    p->bytes = arena_alloc(m->arena, MEM_PAGE_SIZE);
    fill_from_regions(m, number << MEM_PAGE_BITS, p->bytes, MEM_PAGE_SIZE);
    m->count++;
    return p;
}

static uint64_t page_number(uint64_t address)
{
    return address >> MEM_PAGE_BITS;
}

/* Bytes from `address` to the end of its page, at most `size`. */
static size_t in_page(uint64_t address, size_t size)
{
    size_t left = MEM_PAGE_SIZE - (address & (MEM_PAGE_SIZE - 1));
    return size < left ? size : left;
}

/* ---- access by other parts ---- */

bool mem_probe(struct sim *s, uint64_t address, uint64_t size, enum mem_access access,
               uint64_t *bad)
{
    struct memory *m = s->memory;
    if (size == 0)
        return true;
    uint64_t ok = allowed(m, address, size, access);
    if (ok == size && address + (size - 1) < address)
        ok = -address;
    if (ok != size) {
        *bad = address + ok;
        return false;
    }
    for (uint64_t n = page_number(address); n <= page_number(address + size - 1); n++)
        if (access == MEM_WRITE && !touch_page(m, n)) {
            *bad = n << MEM_PAGE_BITS;
            return false;
        }
    return true;
}

bool mem_check(struct sim *s, int pe, uint64_t pc, uint64_t address, uint64_t size,
               enum mem_access access)
{
    uint64_t bad;
    if (mem_probe(s, address, size, access, &bad))
        return true;
    const struct region *r = find_region(s->memory, bad);
    const char *why = !r ? "is not mapped"
                      : (r->access & access) != access
                          ? (access == MEM_WRITE ? "is not writable" : "is not readable")
                          : "exceeds --max-mem";
    return sim_fault(s, pe, FAULT_PAGE, pc, bad,
                     "address 0x%llx %s (access of %llu bytes at 0x%llx)", (unsigned long long)bad,
                     why, (unsigned long long)size, (unsigned long long)address);
}

bool memory_peek(const struct memory *m, uint64_t address, void *data, size_t size)
{
    uint8_t *out = data;
    if (allowed(m, address, size, 0) != size)
        return false;
    for (size_t n; size; size -= n, address += n, out += n) {
        n = in_page(address, size);
        const struct page *p = find_page(m, page_number(address));
        if (p) {
            memcpy(out, p->bytes + (address & (MEM_PAGE_SIZE - 1)), n);
            continue;
        }
        memset(out, 0, n);
        fill_from_regions(m, address, out, n);
    }
    return true;
}

void mem_read(struct sim *s, uint64_t address, void *data, size_t size)
{
    memory_peek(s->memory, address, data, size);
}

void mem_write(struct sim *s, uint64_t address, const void *data, size_t size)
{
    const uint8_t *in = data;
    reservation_break(s, address, size);
    trace_write(s, address, data, size);
    for (size_t n; size; size -= n, address += n, in += n) {
        n = in_page(address, size);
        struct page *p = touch_page(s->memory, page_number(address));
        if (!p)
            return;
        if (p->code)
            blocks_invalidate(s, p->number);
        memcpy(p->bytes + (address & (MEM_PAGE_SIZE - 1)), in, n);
    }
}

bool memory_poke(struct sim *s, uint64_t address, const void *data, size_t size)
{
    if (allowed(s->memory, address, size, 0) != size)
        return false;
    mem_write(s, address, data, size);
    return true;
}

/* ---- what changed ---- */

static int by_number(const void *a, const void *b)
{
    const struct page *x = *(const struct page *const *)a, *y = *(const struct page *const *)b;
    return x->number < y->number ? -1 : x->number > y->number;
}

static const struct page **sorted_pages(const struct memory *m)
{
    const struct page **pages = mem_resize_array(m->mem, NULL, m->count + 1, sizeof *pages);
    size_t n = 0;
    for (size_t i = 0; i < m->capacity; i++)
        if (m->pages[i].bytes)
            pages[n++] = &m->pages[i];
    qsort(pages, n, sizeof *pages, by_number);
    return pages;
}

static void add_run(json_t *json, uint64_t address, const uint8_t *bytes, size_t size)
{
    char key[2 + 16 + 1], text[2 * MEM_PAGE_SIZE + 1];
    snprintf(key, sizeof key, "0x%llx", (unsigned long long)address);
    for (size_t i = 0; i < size; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    text[2 * size] = 0;
    json_object_set_new(json, key, json_string(text));
}

static void add_page(const struct memory *m, const struct page *p, json_t *json)
{
    uint8_t before[MEM_PAGE_SIZE] = {0};
    fill_from_regions(m, p->number << MEM_PAGE_BITS, before, sizeof before);
    for (size_t i = 0, n; i < MEM_PAGE_SIZE; i += n + 1) {
        for (n = 0; i + n < MEM_PAGE_SIZE && p->bytes[i + n] != before[i + n];)
            n++;
        if (n)
            add_run(json, (p->number << MEM_PAGE_BITS) + i, p->bytes + i, n);
    }
}

json_t *memory_json(const struct sim *s)
{
    const struct memory *m = s->memory;
    const struct page **pages = sorted_pages(m);
    json_t *json = json_object();
    for (size_t i = 0; i < m->count; i++)
        add_page(m, pages[i], json);
    mem_resize(m->mem, pages, 0);
    return json;
}

/* ---- instruction fetch ---- */

bool memory_executable(struct memory *m, uint64_t address)
{
    return region_has(&m->overlay, address) || allowed(m, address, 1, MEM_EXEC) == 1;
}

size_t memory_fetch(struct memory *m, uint64_t address, uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        uint64_t at = address + i;
        if (region_has(&m->overlay, at))
            bytes[i] = m->overlay.data[at - m->overlay.address];
        else if (allowed(m, at, 1, MEM_EXEC) != 1 || !memory_peek(m, at, bytes + i, 1))
            return i;
    }
    return size;
}

void memory_mark_code(struct memory *m, uint64_t address, uint64_t size)
{
    for (uint64_t n = page_number(address); n <= page_number(address + size - 1); n++) {
        if (allowed(m, n << MEM_PAGE_BITS, 1, 0) != 1 && !find_page(m, n))
            continue;
        struct page *p = touch_page(m, n);
        if (p)
            p->code = true;
    }
}

void memory_unmark_code(struct memory *m, uint64_t page)
{
    struct page *p = find_page(m, page);
    if (p)
        p->code = false;
}

/* ---- access by instructions ---- */

void memory_drop_caches(struct sim *s)
{
    for (unsigned i = 0; i < SIM_PES; i++)
        for (unsigned k = 0; k < MEM_CACHE_SIZE; k++)
            s->pes[i].load[k].page = s->pes[i].store[k].page = NO_PAGE;
}

static struct mem_cache *cache_of(struct pe *pe, uint64_t address, unsigned access)
{
    return mem_cache_slot(access == MEM_WRITE ? pe->store : pe->load, page_number(address));
}

/* Remembers the page when every byte of it allows the access. */
static void cache_page(struct pe *pe, uint64_t address, unsigned access)
{
    struct memory *m = pe->sim->memory;
    struct mem_cache *c = cache_of(pe, address, access);
    struct page *p = touch_page(m, page_number(address));
    uint64_t base = address & ~(uint64_t)(MEM_PAGE_SIZE - 1);
    bool ring_limited = pe->acr >= 2 && m->ring2_limit;
    bool watched = access == MEM_WRITE && (m->reservations || m->watched || (p && p->code));
    if (!p || ring_limited || watched || allowed(m, base, MEM_PAGE_SIZE, access) != MEM_PAGE_SIZE)
        return;
    *c = (struct mem_cache){p->number, p->bytes};
}

bool data_probe(struct pe *pe, const struct op *op, uint64_t address, unsigned size,
                unsigned alignment, enum mem_access access)
{
    struct sim *s = pe->sim;
    if (address & (alignment - 1)) {
        sim_fault(s, pe->number, FAULT_ALIGNMENT, op->pc, address,
                  "address 0x%llx is not a multiple of %u", (unsigned long long)address, alignment);
        return false;
    }
    const struct mem_cache *c = cache_of(pe, address, access);
    if (page_number(address) == c->page && page_number(address + size - 1) == c->page)
        return true;
    uint64_t limit = s->memory->ring2_limit;
    if (pe->acr >= 2 && limit && (address > limit || limit - address < size)) {
        sim_fault(s, pe->number, FAULT_PAGE, op->pc, address,
                  "ring %u may not reach 0x%llx: its limit is 0x%llx", pe->acr,
                  (unsigned long long)address, (unsigned long long)limit);
        return false;
    }
    if (!mem_check(s, pe->number, op->pc, address, size, access)) {
        s->fault.address = address;
        return false;
    }
    cache_page(pe, address, access);
    return true;
}

uint8_t *data_cached(struct pe *pe, uint64_t address, uint64_t size, enum mem_access access)
{
    const struct mem_cache *c = cache_of(pe, address, access);
    uint64_t offset = address & (MEM_PAGE_SIZE - 1);
    return page_number(address) == c->page && offset + size <= MEM_PAGE_SIZE ? c->data + offset
                                                                             : NULL;
}

/* 1, 2, 4 or 8 bytes. */
static inline void copy_word(void *to, const void *from, unsigned size)
{
    switch (size) {
    case 1:
        memcpy(to, from, 1);
        break;
    case 2:
        memcpy(to, from, 2);
        break;
    case 4:
        memcpy(to, from, 4);
        break;
    default:
        memcpy(to, from, 8);
        break;
    }
}

uint64_t data_load(struct pe *pe, uint64_t address, unsigned size)
{
    uint64_t value = 0;
    const struct mem_cache *c = cache_of(pe, address, MEM_READ);
    if (page_number(address) == c->page)
        copy_word(&value, c->data + (address & (MEM_PAGE_SIZE - 1)), size);
    else
        mem_read(pe->sim, address, &value, size);
    return le64toh(value);
}

void data_store(struct pe *pe, uint64_t address, unsigned size, uint64_t value)
{
    value = htole64(value);
    const struct mem_cache *c = cache_of(pe, address, MEM_WRITE);
    if (page_number(address) == c->page)
        copy_word(c->data + (address & (MEM_PAGE_SIZE - 1)), &value, size);
    else
        mem_write(pe->sim, address, &value, size);
}

enum exec_status data_stored(struct pe *pe, const struct op *op)
{
    if (__builtin_expect(!pe->sim->code_changed, 1))
        return EXEC_NEXT;
    pe->sim->code_changed = false;
    pe->pc = op->pc + op->length;
    return EXEC_JUMP;
}

void reservation_break(struct sim *s, uint64_t address, uint64_t size)
{
    enum { LINE = 64 };
    struct memory *m = s->memory;
    if (!m->reservations)
        return;
    m->reservations = false;
    for (unsigned i = 0; i < SIM_PES; i++) {
        struct pe *pe = &s->pes[i];
        uint64_t line = pe->reservation_address & ~(uint64_t)(LINE - 1);
        if (pe->reserved && address < line + LINE && line < address + size)
            pe->reserved = false;
        m->reservations |= pe->reserved;
    }
}
