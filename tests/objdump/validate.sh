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
