# SPDX-License-Identifier: BSD-3-Clause
# What is no executable is refused with a reason and status 2, without a crash.
try()
{
    echo "$*"
    pto-sim "$@" 2>&1 || echo "status $?"
}

cd "$work"
printf '_start: addi zero, 1, ->a0\n' | pto-as -o good.o -
pto-ld -o good good.o
try good
try absent
: >empty
try empty
printf 'this is text' >text
try text
head -c 100 good >cut
try cut | sed 's/at 0x[0-9a-f]*/at N/' # where the linker put them
{
    head -c 18 good
    printf '\x3e\x00' # x86-64
    tail -c +21 good
} >other
try other
try good.o
printf '.data\n.8byte 1\n' | pto-as -o data.o -
pto-ld --no-warnings -o data data.o # nothing to run, which pto-ld warns of
try data
try
try good --set
try good --set a0
try good --set a24=1
try good --set a0=x
try good --set a0=0xffffffffffffffff # the largest
try good --set a0=0x10000000000000000
try good --set zero=1
try good --set pool.R3=0xffffffff # 32 bits
try good --set pool.R3=0x100000000
try good --pes=2
try good --nonsense
try good --mem nowhere=text
try good --dump-mem 0x10000=file
try good --tile X=text
if [ -c /dev/full ]; then
    got=0
    pto-sim good --trace=/dev/full 2>err || got=$?
    [ "$got" -eq 2 ] || echo "--trace=/dev/full: status $got"
    grep -q '^/dev/full: error: cannot write' err || cat err
fi
