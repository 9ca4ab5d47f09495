# Raw bytes: addresses, ranges, revisions, truncated words, --strict.
cd "$work"
printf '\001\000\000\000\023\350\017\000\000\000\001' >raw.bin
pto-objdump -d -b binary --adjust-vma=0x100 raw.bin
pto-objdump -d -b binary --start-address=4 --stop-address=8 raw.bin
pto-objdump -d -b binary -march=pto0.58.2 --start-address=4 --stop-address=8 raw.bin
pto-objdump -d -b binary --strict raw.bin >/dev/null && exit 1
pto-objdump -d -b binary --strict --stop-address=4 raw.bin >/dev/null
{ printf '\241\020'; head -c 62 /dev/zero; printf '\241'; } >seq.bin
pto-objdump -d -b binary -m seq seq.bin
pto-objdump -d --asm -b binary raw.bin
{ printf '\240\020\000\000\006\003'; head -c 58 /dev/zero; } >event.bin
pto-objdump -d -b binary -m seq event.bin | grep a0
pto-objdump -d -b binary -m seq -mseq=maverick event.bin | grep a0
pto-objdump -d -b binary --stop-address=6 raw.bin | tail -n 3
