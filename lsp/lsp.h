/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A language server (LSP 3.17) over bytes: the caller feeds what the client
 * sends and passes on what comes out. Knows the protocol and the open
 * documents; what is wrong with them says the assembler, in process.
 *
 * Messages are handled in order. Diagnostics of a changed document are due when
 * no message waits, or before the next request is answered.
 */
#ifndef PTO_LSP_LSP_H
#define PTO_LSP_LSP_H

#include "asm/asm.h"

struct lsp_options {
    isa_revset march, mseq; /* as of struct asm_options */
    int target;
    const char *const *include_dirs; /* -I, NULL-terminated; NULL: none */
};

struct lsp;

/* NULL: no memory. Options live as long as the server. */
struct lsp *lsp_create(const struct lsp_options *options);
void lsp_destroy(struct lsp *s);

/* Takes bytes from the client. False: no memory. */
bool lsp_feed(struct lsp *s, const void *bytes, size_t size);
/* Handles the next complete message and appends the answers to `out`. False: none is complete. */
bool lsp_step(struct lsp *s, struct buffer *out);
/* Nothing waits: publishes what is due. */
void lsp_idle(struct lsp *s, struct buffer *out);
/* The client said `exit`, or its bytes are no protocol. *status is that of the process. */
bool lsp_ended(const struct lsp *s, int *status);
/* The client's bytes have ended: the status of the process. */
int lsp_end_of_input(const struct lsp *s);

#endif
