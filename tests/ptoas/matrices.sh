# SPDX-License-Identifier: BSD-3-Clause
# a is 0.5 everywhere, b 2, the bias 3: a x b is 32, with the bias and once more 67.
. ../npy.inc
pto-as -o "$work/products.o" matrices.pto
cd "$work"
pto-ld -o products products.o

npy a.npy '<f2' '16, 32' 512 '\x00\x38'
npy b.npy '<f2' '32, 16' 512 '\x00\x40'
npy bias.npy '<f4' '16,' 16 '\x00\x00\x40\x40'
npy y.npy '<f2' '16, 16' 256 '\x30\x54'
npy z.npy '<f4' '1, 16' 16 '\x00\x00\x00\x42'
pto-sim products --arg0 a.npy --arg1 b.npy --arg2 bias.npy --out 3=got-y.npy --out 4=got-z.npy
cmp got-y.npy y.npy
cmp got-z.npy z.npy
