# SPDX-License-Identifier: BSD-3-Clause
# Scalar instructions and the registers that tile operations take.
pto-as --emit=bundles numbers.pto | grep -E '^ *(hl|add|sub|mul|sll|srl|sra|or|B\.IOR)' | sed 's/^ *//'
