# The standard ELF tools take our files: readelf, nm, size, ar and addr2line of binutils, llvm-objcopy and
# llvm-readelf where they are installed.
cd "$work"
cat >a.pto <<'EOF'
        .globl  _start
_start: addtpc  %tpcrel_hi(word), ->a0
        addi    a0, %tpcrel_lo(word), ->a0
        BSTART.STD DIRECT, helper
        BSTOP
        .data
word:   .8byte  word
        .bss
        .zero   48
EOF
cat >b.pto <<'EOF'
        .globl  helper
helper: BSTART.STD RET
        BSTOP
EOF
pto-as -g a.pto -o a.o
pto-as -g b.pto -o b.o
pto-ld --build-id -o program a.o b.o

# has WORD… FILE: each word is in it.
has()
{
    local file=${*: -1}
    for word in "${@:1:$#-1}"; do
        grep -qF -e "$word" "$file" || echo "no '$word' in $file"
    done
}
installed()
{
    command -v "$1" >/dev/null
}
# quiet COMMAND…: it succeeds and has nothing to say on standard error.
quiet()
{
    "$@" >stdout 2>stderr || echo "$*: status $?"
    if [ -s stderr ]; then
        echo "$*:"
        cat stderr
    fi
}

if installed readelf; then
    for file in a.o b.o program; do
        quiet readelf -hSlsrnW $file
    done
    has 'EXEC (Executable file)' '0xe9' '.note.pto.isa' 'R E 0x1000' 'NOTE' '_start' stdout
    quiet readelf --debug-dump=decodedline program
    has 'a.pto' 'b.pto' '0x10000' '0x10010' stdout
fi
if installed nm; then
    quiet nm program
    has '0000000000010000 T _start' '0000000000010010 T helper' 'word' stdout
    quiet nm a.o
    has 'U helper' stdout
fi
if installed size; then
    quiet size program
fi
if installed addr2line; then
    quiet addr2line -e program 0x10000 0x10004 0x10010
    sed 's,^\./,,' stdout | diff <(printf 'a.pto:2\na.pto:3\nb.pto:2\n') -
fi
if installed llvm-dwarfdump; then
    llvm-dwarfdump --verify program >verified 2>/dev/null || cat verified
    llvm-dwarfdump --debug-line program >stdout 2>/dev/null
    has 'version: 5' '"a.pto"' '"b.pto"' stdout
fi
if installed llvm-addr2line; then
    llvm-addr2line -e program 0x10000 0x10004 0x10010 | sed 's,^\./,,' |
        diff <(printf 'a.pto:2\na.pto:3\nb.pto:2\n') -
fi
if installed ar && installed nm; then
    ar rcs lib.a b.o
    quiet nm -s lib.a
    has 'helper in b.o' stdout
    pto-ld -o from_archive a.o lib.a --build-id
    cmp program from_archive
    ar rcS plain.a b.o # without a symbol index
    pto-ld -o from_archive a.o plain.a --build-id
    cmp program from_archive
fi
if installed llvm-readelf; then
    quiet llvm-readelf -h -S -l -s -r -n program
fi
if installed llvm-objcopy; then
    quiet llvm-objcopy --strip-debug program stripped
    pto-objdump -d program | tail -n +3 >before
    pto-objdump -d stripped | tail -n +3 >after
    cmp before after
    quiet llvm-objcopy -O binary -j .text program text.bin
    pto-ld -s --oformat=binary -o image a.o b.o
    cmp -n "$(wc -c <text.bin)" text.bin image
fi
exit 0
