# SPDX-License-Identifier: BSD-3-Clause
# a and b are 1; scales 2 and 8 on the left, 1 and 1/2 on the right: 32 * 2 * 1 + 32 * 8 / 2 = 192.
. ../npy.inc
pto-as -o "$work/scaled.o" matrix_scales.pto
cd "$work"
pto-ld -o scaled scaled.o

npy a.npy '|u1' '16, 64' 1024 '\x38'
npy b.npy '|u1' '64, 16' 1024 '\x38'
npy sa.npy '|u1' '16, 2' 16 '\x80\x82'
npy sb.npy '|u1' '2, 16' 1 '\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7e\x7e\x7e\x7e\x7e\x7e\x7e\x7e\x7e\x7e\x7e\x7e\x7e\x7e\x7e\x7e'
npy y.npy '<f4' '16, 16' 256 '\x00\x00\x40\x43'
pto-sim scaled --arg0 a.npy --arg1 b.npy --arg2 sa.npy --arg3 sb.npy --out 4=got.npy
cmp got.npy y.npy
