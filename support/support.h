/* SPDX-License-Identifier: BSD-3-Clause */
/* The public header of support/: memory, names, diagnostics, files, .npy, command lines. */
#ifndef PTO_SUPPORT_SUPPORT_H
#define PTO_SUPPORT_SUPPORT_H

#include "support/diag.h"
#include "support/file.h"
#include "support/intern.h"
#include "support/mem.h"
#include "support/npy.h"
#include "support/option.h"

#endif
