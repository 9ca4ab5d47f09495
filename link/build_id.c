/* SPDX-License-Identifier: BSD-3-Clause */
/* --build-id: a note with the SHA-256 of the file, computed while the digest itself is zero. */
#include "link/linker.h"

#include <string.h>

enum { DIGEST_SIZE = 32 };

static const char section_name[] = ".note.gnu.build-id";

/* namesz 4, descsz 32, type NT_GNU_BUILD_ID, "GNU\0"; the digest follows. */
static const uint8_t note_head[] = {4, 0, 0, 0, DIGEST_SIZE, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0};

void link_reserve_build_id(struct linker *l, struct object *o)
{
    uint8_t *note = arena_alloc(l->arena, sizeof note_head + DIGEST_SIZE);

    memcpy(note, note_head, sizeof note_head);
    *vec_push(o->mem, &o->sections) = (struct obj_section){.name = section_name,
                                                           .type = OBJ_NOTE,
                                                           .flags = OBJ_ALLOC,
                                                           .align = 4,
                                                           .size = sizeof note_head + DIGEST_SIZE,
                                                           .data = note};
}

void link_add_build_id(struct linker *l)
{
    struct out_section *s = link_find_section(l, section_name);

    if (!s || !l->options->build_id)
        return;
    l->text.size = 0;
    obj_write_elf(l->out, l->out->lines.count > 0, &l->text);
    sha256(l->text.data, l->text.size, s->data + sizeof note_head);
}
