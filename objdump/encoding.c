/* SPDX-License-Identifier: BSD-3-Clause */
/* --encoding: the bit fields of every form that a mnemonic can become. */
#include "objdump/objdump.h"

#include <string.h>

static bool seen_before(const struct isa_mnemonic *m, unsigned n, unsigned form)
{
    for (unsigned i = 0; i < n; i++)
        if (isa_spellings[isa_mnemonic_index[m->first + i]].form == form)
            return true;
    return false;
}

static void print_form(const struct isa_spelling *sp, bool wavejson, struct buffer *out)
{
    const struct isa_form *form = &isa_forms[sp->form];
    int digits = form->length < 8 ? form->length * 2 : 16;
    if (!wavejson)
        buffer_printf(out, "%s: %u bits, mask 0x%0*llx, match 0x%0*llx, form %s\n", sp->mnemonic,
                      form->length * 8u, digits, (unsigned long long)form->mask, digits,
                      (unsigned long long)form->match, form->id);
    isa_print_encoding(sp, wavejson, out);
    if (!wavejson)
        buffer_printf(out, "\n");
}

bool objdump_encoding(struct diag *d, struct isa_target target, const char *mnemonic, bool wavejson,
                      struct buffer *out)
{
    struct isa_matcher matcher = {.target = target, .diag = d};
    const struct isa_mnemonic *m = isa_find_mnemonic(mnemonic, strlen(mnemonic));
    if (!m) {
        isa_report_unknown(&matcher, mnemonic, strlen(mnemonic), (struct loc){0});
        return false;
    }
    isa_revset revs = m->set == ISA_SET_PTO ? target.pto : target.seq;
    bool any = false;
    for (unsigned i = 0; i < m->count; i++) {
        const struct isa_spelling *sp = &isa_spellings[isa_mnemonic_index[m->first + i]];
        const struct isa_form *form = &isa_forms[sp->form];
        if (!(form->revs & revs) || seen_before(m, i, sp->form))
            continue;
        print_form(sp, wavejson, out);
        any = true;
    }
    if (!any)
        diag_report(d, DIAG_NOT_IN_REVISION, (struct loc){0},
                    "%s has no form in the chosen revision", m->name);
    return any;
}
