# The last distance that each form reaches, and one unit more, both ways; kinds of relocation. The places are
# (r_offset, and P & ~3 for the PCR forms) from pto-isa.md A and linx-toolchain.md §3.
base=$((1 << 45))
# place unit lowest highest, of to0, to1, …
forms='
0x00 2 -2048 2047
0x10 2 -65536 65535
0x20 2 -65536 65535
0x30 2 -16777216 16777215
0x40 2 -2048 2047
0x42 2 0 31
0x52 2 0 31
0x60 2 -2097152 2097151
0x70 2 0 31
0x80 2 0 1048575
0x90 2 0 4294967295
0xa0 4 -65536 65535
0xb0 4 -65536 65535
0xc0 4 -268435456 268435455
0xd0 4 -268435456 268435455
0xe0 1 -2147483648 2147483647
0xf0 1 -8796093022208 8796093022207
0x100 1 -2147483648 2147483647
'
# targets lowest|highest STEP: the --defsym options for targets STEP units beyond the limit
targets()
{
    local n=0 place unit lowest highest
    while read -r place unit lowest highest; do
        [ -n "$place" ] || continue
        printf -- '--defsym to%d=%d\n' $n $((base + place + (${!1} + $2) * unit))
        n=$((n + 1))
    done <<<"$forms"
}
pto-as -o "$work/p.o" pcrel_range.pto
cd "$work"
pto-objdump -r p.o
for limit in lowest highest; do
    echo "== $limit"
    pto-ld -Ttext=$(printf %x $base) -o p p.o $(targets $limit 0)
    pto-objdump -d p | sed -n 's/^ *\(20000000....\):.*\t/\1 /p' | grep -v '0x00000000\|0x0000'
done
echo '== one less'
pto-ld -fmax-errors=0 -Ttext=$(printf %x $base) -o q p.o $(targets lowest -1) 2>&1 || echo "status $?"
echo '== one more'
pto-ld -fmax-errors=0 -Ttext=$(printf %x $base) -o q p.o $(targets highest 1) 2>&1 || echo "status $?"
