# Errors of real programs: each with its place, all in one run, and no output.
cd "$work"
assemble()
{
    cat >"$1.pto"
    pto-as "$1.pto" -o "$1.o"
}
link()
{
    if pto-ld -o result "$@" 2>&1; then
        echo "linked: $*"
    elif [ -e result ]; then
        echo 'a failed link left a file'
    fi
    rm -f result
}

assemble undefined <<'EOF'
        .globl  _start
_start: BSTART.STD DIRECT, nowhere
        BSTOP
        BSTART.STD DIRECT, nobody
        BSTOP
EOF
link undefined.o

assemble first <<'EOF'
        .globl  _start, f
_start: addi    zero, 0, ->zero
f:      BSTART.STD RET
        BSTOP
EOF
assemble second <<'EOF'
        .globl  f
f:      BSTART.STD RET
        BSTOP
EOF
link first.o second.o
link second.o first.o

assemble far <<'EOF'
        .globl  _start
_start: addi    zero, 0, ->zero
        BSTART.STD COND, target
        BSTOP
EOF
link far.o --defsym target=0x30004
link far.o --defsym target=3

printf 'BSTART.GMOV U8\nB.IOT T#1, mask=0101, size=1, ->T\nB.IOR a0\nBSTOP\n' >old.pto
pto-as --no-warn -march=pto0.58.2 old.pto -o old.o
link first.o old.o

head -c 100 first.o >short.o
link short.o | sed 's/at 0x[0-9a-f]* end/at OFFSET end/'
printf '\x05\x01' | dd of=first.o bs=1 seek=18 conv=notrunc status=none
link first.o
echo 'text' >text.o
link text.o

# With -g the messages say where the source has the place.
pto-as -g undefined.pto -o undefined.o
pto-as -g far.pto -o far.o
pto-as first.pto -o first.o
pto-as -g second.pto -o second.o
link undefined.o
link far.o --defsym target=0x30004
link first.o second.o
cat >many.pto <<'PTO'
        .globl  _start
_start: BSTART.STD DIRECT, nowhere
        BSTOP
        .data
        .8byte  nowhere, nowhere, nowhere, nowhere
PTO
pto-as -g many.pto -o many.o
link many.o
link first.o second.o --allow-multiple-definition
link first.o second.o -z muldefs

# A program without code is no use, though it may be made.
printf '.data\n.8byte 1\n' | pto-as -o data.o -
link data.o
link data.o --fatal-warnings
link data.o --oformat=binary
