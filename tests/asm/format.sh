# pto-as --format: the layout, which changes no byte of the object, and nothing when it is done again.
src=$PWD
fails() { local want=$1; shift; local got=0; "$@" >"$work/out" 2>&1 || got=$?; [ "$got" -eq "$want" ] || { echo "status $got, expected $want: $*"; cat "$work/out"; }; }
pto-as --format format.pto
pto-as --format - <format.pto >"$work/once.pto"
pto-as --format "$work/once.pto" | cmp - "$work/once.pto"
pto-as --format format_ptoas.inc -o "$work/ptoas.pto"
cat "$work/ptoas.pto"
pto-as --format --check "$work/ptoas.pto"

# --check says what -i would change, and -i leaves what is as it should be.
cp format.pto "$work/x.pto"
cd "$work"
fails 1 pto-as --format --check x.pto
cat out
cmp x.pto "$src/format.pto"
chmod 640 x.pto
fails 0 pto-as --format -i x.pto
cmp x.pto once.pto
stat -c %a x.pto
fails 0 pto-as --format --check x.pto
touch -d 2001-01-01 x.pto
fails 0 pto-as --format -i x.pto
stat -c %y x.pto | cut -c 1-10
fails 2 pto-as -i x.pto
cat out
fails 2 pto-as --format -i - <x.pto
cat out
fails 2 pto-as --format -i x.pto -o y.pto
cat out
fails 2 pto-as --format -i --check x.pto
cat out
fails 1 pto-as --format absent.pto

# Line ends and the byte order mark stay; a last line gets the end of the first.
printf '\357\273\277 addi a0,1,->a0\r\n\r\n\r\naddi a0,2,->a0' | pto-as --format - | od -An -c
printf ' nop \r\r\rx:' | pto-as --format - | od -An -c
printf '' | pto-as --format - | wc -c
printf '\377\0"x\n(((\n' | pto-as --format - | od -An -tx1

# The objects of all inputs that need no options are the same before and after.
mkdir before after a b
for file in "$src"/*.hex "$src"/../../samples/*.pto; do
    file=${file%.hex}; file=${file%.pto}
    [ -e "$file.flags" ] || [ ! -e "$file.pto" ] || cp "$file.pto" before/
done
cp "$src"/*.inc .
cp before/* after/
pto-as --format -i after/*.pto
pto-as --format --check after/*.pto
pto-as -W before/*.pto -o a 2>/dev/null || true
pto-as -W after/*.pto -o b 2>/dev/null || true
[ "$(ls a | wc -l)" -gt 40 ]
for file in a/*; do cmp "$file" "b/${file#a/}"; done
