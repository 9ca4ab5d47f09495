# Options as GNU ld spells them, exit status, and what is left behind.
cd "$work"
cat >main.pto <<'EOF'
        .globl  _start
_start: BSTART.STD DIRECT, helper
        BSTOP
EOF
cat >helper.pto <<'EOF'
        .globl  helper
helper: BSTART.STD RET
        BSTOP
        .data
        .globl  word
word:   .8byte  word
EOF
pto-as -g main.pto -o main.o
pto-as -g helper.pto -o helper.o
if command -v ar >ar.path; then
    ar rcs libhelp.a helper.o
else
    cp helper.o libhelp.a # an object will do where a library is asked for by name
fi

# status NUMBER COMMAND…: runs it quietly, says what it printed when the status is another.
status()
{
    local expected=$1 found=0
    shift
    "$@" >printed 2>&1 || found=$?
    if [ "$found" -ne "$expected" ]; then
        echo "$*: status $found, expected $expected"
        cat printed
    fi
}
# same FILE FILE
same()
{
    cmp "$1" "$2" || echo "$1 and $2 differ"
}

# One meaning, several spellings.
pto-ld -o one main.o helper.o -e helper -Ttext=20000
pto-ld -otwo main.o helper.o -ehelper -Ttext 0x20000
pto-ld --output three --entry=helper --section-start=.text=0x20000 main.o helper.o
pto-ld -o four -entry helper -T.text=20000 -static --no-undefined main.o helper.o
for name in two three four; do same one $name; done
printf '%s\n' '-o "five"' "-e 'help'er" '@more' >words
printf '%s\n' '-Ttext=20000 main.o\' 'helper.o' | tr -d '\\' >more
pto-ld @words
same one five
pto-ld -o six -L . main.o -lhelp
pto-ld -o seven -L. main.o -l:libhelp.a
pto-ld -o eight --library-path=. main.o --library=help
same six seven
same six eight
[ -x one ] || echo 'an executable is not executable'

# Output kinds.
pto-ld -r -o both.o main.o helper.o
[ -x both.o ] && echo 'an object is executable'
pto-ld -o from_both both.o
pto-ld -s -o stripped main.o helper.o
pto-ld -s -o stripped_both both.o
same stripped stripped_both
pto-ld -r --defsym five=5 --defsym behind=helper+8 -o defined.o helper.o
pto-ld -o defined main.o defined.o --section-start .text=0x20000 -Map=map
grep -E 'five|behind' map # symbols of the object
pto-objdump -t defined | grep -E 'five|behind|helper' | sed 's/^0*//'
reason="  ./libhelp.a(helper.o) for 'helper' of main.o" # why a member takes part
pto-ld -o six main.o -L. -lhelp -Map=map
[ ! -s ar.path ] || grep -qxF "$reason" map || grep 'libhelp' map
pto-ld --oformat=binary -o image main.o helper.o
pto-ld --oformat ihex -o image.hex main.o helper.o
pto-ld --oformat=srec -o image.srec main.o helper.o
head -1 image.hex
tail -1 image.srec

# What is printed.
pto-ld -t -y helper -o t main.o helper.o
pto-ld -M -o t main.o helper.o >map.printed
pto-ld -Map=map.written -o t main.o helper.o
same map.printed map.written
pto-ld --help | head -1
pto-ld --version | sed 's/ [0-9.]*$//'

# Status 2: usage. Status 1: errors, and then no output, not even an old one.
status 2 pto-ld
status 2 pto-ld -o
status 2 pto-ld --nonsense main.o
status 1 pto-ld -T script.ld main.o
pto-ld -T script.ld main.o 2>&1 || true
status 2 pto-ld -T a.ld -T b.ld main.o
status 2 pto-ld -T a.ld -r main.o
status 2 pto-ld -shared main.o
status 2 pto-ld --orphan-handling=keep main.o
status 2 pto-ld --oformat=elf32 main.o
status 2 pto-ld -r --oformat=binary main.o
status 2 pto-ld -r --gc-sections main.o
status 2 pto-ld -q -s main.o
status 2 pto-ld --build-id=md5 main.o
status 2 pto-ld @nowhere
echo '@self' >self
status 2 pto-ld @self
echo old >result
status 1 pto-ld -o result main.o
[ -e result ] && echo 'a failed link left a file'
status 1 pto-ld -o /nonexistent/result main.o helper.o
status 1 pto-ld -o result main.pto
status 0 pto-ld -o /dev/null main.o helper.o
[ -c /dev/null ] || echo '/dev/null is gone'

# An input is never overwritten, nor removed when the link fails.
cp main.o kept
status 1 pto-ld -o main.o main.o helper.o
status 1 pto-ld -o main.o main.o
status 1 pto-ld -o out -Map=main.o main.o helper.o
same main.o kept

# What could not be printed is an error.
if [ -c /dev/full ]; then
    got=0
    pto-ld -M -o out main.o helper.o >/dev/full 2>printed || got=$?
    [ "$got" -eq 1 ] || echo "-M >/dev/full: status $got"
    grep -q '^<stdout>: error: cannot write: ' printed || cat printed
fi
