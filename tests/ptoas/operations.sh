# SPDX-License-Identifier: BSD-3-Clause
# What --emit=bundles says of the operation under test: the one before `return`, in each function.
pto-as --emit=bundles operations.pto | awk '
    /^\/\/.*func.func/ { match($0, /@f[0-9]+/); name = substr($0, RSTART, RLENGTH) }
    /^\/\// { if (/: return/) printf "%s\n%s", name, text; text = ""; next }
    { text = text $0 "\n" }'
