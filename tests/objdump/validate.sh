# --validate: every violated clause with its address; status 1 when there is one.
cd "$work"
zeros() { head -c "$1" /dev/zero; }
# MOVE.UINT32 R3 = R0 | the same with num_mov 9, dtype 7, reserved0 1 and source 64
{ printf '\247\020'; zeros 10; printf '\001\011\000\000'; zeros 8; printf '\003'; zeros 39; } >good.bin
{ printf '\247\021'; zeros 10; printf '\011\007\000\001\100'; zeros 7; printf '\003'; zeros 39; } >bad.bin
pto-objdump --validate -b binary -m seq good.bin
cat good.bin bad.bin good.bin >three.bin
pto-objdump --validate -b binary -m seq three.bin && exit 1
pto-objdump --validate -b binary -m seq --adjust-vma=0x1000 --stop-address=0x1040 three.bin | tail -n 1
# An opcode of other generations, one of none, and half a record.
{ printf '\264\020'; zeros 13; printf '\001'; zeros 48; printf '\254\020'; zeros 62; zeros 32; } >odd.bin
pto-objdump --validate -b binary -m seq odd.bin && exit 1
pto-objdump --validate -b binary -m seq -mseq=mariana --stop-address=0x40 odd.bin
# A linked stream ends with HALT or the runtime's sentinel; objects and raw bytes may be pieces.
for end in HALT PSEUDO_INST.EXIT_EXECUTION NOP 'COMPARE_BRANCH.INT32 ALWAYS, top'; do
    printf '\t.seq\ntop:\tNOP\n\t%s\n' "$end" >end.pto
    pto-as end.pto -o end.o
    pto-ld end.o -o end
    pto-objdump --validate end.o | tail -n 1
    pto-objdump --validate end | tail -n 2 | sed 's/^ *[0-9a-f]*: //'
done
# Data behind the last record, and a part that does not reach the end.
printf '\t.seq\n\tNOP\n\t.balign\t64\n\t.4byte\t1\n' >data.pto
pto-as data.pto -o data.o
pto-ld data.o -o data
pto-objdump --validate data | tail -n 1
pto-objdump --validate --stop-address=0x10040 end | tail -n 1
