# SPDX-License-Identifier: BSD-3-Clause
# Arguments of the entry function: arrays and numbers in, arrays out, and what does not fit.
. ../npy.inc
here=$PWD
cd "$work"

# array FILE TYPE SHAPE BYTES: a NumPy file of these bytes.
array()
{
    npy "$1" "$2" "$3" 1 "$4"
}

try()
{
    echo "$*"
    pto-sim "$@" 2>&1 || echo "status $?"
}

pto-as -o double.o "$here/arguments.pto"
pto-ld -o double double.o
words='\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0\5\0\0\0\6\0\0\0\7\0\0\0\xff\xff\xff\x7f'
array in.npy '<i4' '2, 4' "$words"
array flat.npy '<i4' '8,' "$words"
array short.npy '<i4' '7,' '\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0\5\0\0\0\6\0\0\0\7\0\0\0'
array wide.npy '<i8' '4,' "$words"
array float.npy '<f4' '8,' "$words"
array empty.npy '<i4' '0,' ''
array twice.npy '<i4' '2, 4' '\2\0\0\0\4\0\0\0\6\0\0\0\10\0\0\0\12\0\0\0\14\0\0\0\16\0\0\0\xfe\xff\xff\xff'
array bytes.npy '|u1' '2, 3' '\2\0\0\0\4\0'

# The result has the recorded shape, the shape that was bound, or the one that was asked for.
try double --arg0 in.npy --arg1 -128 --arg2 1.5 --out 3=out.npy
cmp out.npy twice.npy
try double --arg0=flat.npy --arg1=0x7f --arg2=-0 --arg3=in.npy --out=3=out.npy
cmp out.npy twice.npy
try double --arg0 in.npy --arg1 0 --arg2 0 --arg3 in.npy --out 3=out.npy:u1,2x3
cmp out.npy bytes.npy
cat >state.json <<'.'
{"pe": [{"gpr": {"a1": "0xffffffffffffff80", "a2": "0x3c01"}}, {"gpr": {"a2": "0x3c01"}}, {}, {}]}
.
# 1.0009 is nearest to 1 + 1/1024.
try double --arg0 in.npy --arg1 128 --arg2 1.0009 --out 3=out.npy --expect state.json

try double --arg0 in.npy
try double --arg8 in.npy
try double --arg4 in.npy
try double --argx in.npy
try double --arg0
try double --arg0 in.npy --arg0 in.npy
try double --arg0 5
try double --arg0 absent.npy
try double --arg0 double.o
try double --arg0 wide.npy
try double --arg0 float.npy
try double --arg0 short.npy
try double --arg0 empty.npy
try double --arg1 in.npy
try double --arg1 256
try double --arg1 255 --arg1 255
try double --arg1 -129
try double --arg1 1.5
try double --arg2 in.npy
try double --out 1=x.npy
try double --out 4=x.npy
try double --out 8=x.npy
try double --out 3
try double --out 3=x.npy:i3,8
try double --out 3=x.npy:i4,
try double --out 3=x.npy:i4,2x
try double --arg3 in.npy --out 3=x.npy:i4,9
try double --arg0 in.npy --arg1 0 --arg2 0 --out 3=x.npy:i4,7

# Without a record everything is said by the options.
printf '_start: lwi [a0, 0], ->a2\nswi a2, [a1, 0]\n' | pto-as -o copy.o -
pto-ld -o copy copy.o
try copy --pes=1 --arg0 in.npy --out 1=one.npy:i4,1
array wanted.npy '<i4' '1,' '\1\0\0\0'
cmp one.npy wanted.npy
try copy --pes=1 --arg0 in.npy --out 1=one.npy
try copy --pes=1 --arg0 1.5
ls x.npy 2>/dev/null || :
