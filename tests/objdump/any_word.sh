# as(print(w)) = w for every word: drawn ones of every length, legal or not, in every revision.
cd "$work"

# round_trip SECTION: first.pto, disassembled and assembled again as second.pto, has the same bytes.
round_trip()
{
    pto-as first.pto -o first.o
    pto-objdump -d --asm first.o >second.pto
    pto-as second.pto -o second.o
    pto-objdump -s -j "$1" first.o | sed 1,2d >first.hex
    pto-objdump -s -j "$1" second.o | sed 1,2d >second.hex
    cmp first.hex second.hex
}

awk 'BEGIN {
    srand(1)
    split("4 4 4 6 6 8", bytes)
    split("15 5 1 14 14 15", low)
    for (n = 0; n < 6000; n++) {
        k = n % 6 + 1
        printf "\t.inst\t0x"
        for (i = 1; i < bytes[k]; i++)
            printf "%02x", int(rand() * 256)
        nibble = k < 4 ? int(rand() * 7) * 2 + 1 : low[k]
        printf "%x%x\n", int(rand() * 16), nibble
    }
    for (n = 0; n < 65536; n += 7)
        if (n % 2 == 0 && n % 16 != 14)
            printf "\t.inst\t0x%04x\n", n
}' >words.pto
for revision in 0.58.2 0.58.3 0.58.5; do
    { printf '\t.isa\t"%s"\n\t.option nobundle\n' "$revision" && cat words.pto; } >first.pto
    round_trip .text
    grep -c . first.hex >/dev/null
    grep -q '\.inst' second.pto
    grep -q 'addi' second.pto
done

# SEQ records: legal ones of each kind with up to three bytes drawn anew, in every generation.
awk 'BEGIN {
    srand(2)
    split("9f a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 aa ab b0 b1 b2 b3 b4 b5 b6 c1 c8 cd ce d1 d3 d8 df", opcode)
    for (n = 0; n < 5600; n++) {
        for (i = 0; i < 64; i++)
            byte[i] = 0
        byte[0] = "0x" opcode[n % 28 + 1]
        byte[1] = 16
        byte[12] = n % 3
        byte[13] = 8 + int(rand() * 3)
        byte[14] = int(rand() * 4)
        byte[15] = int(rand() * 2)
        for (i = int(rand() * 4); i > 0; i--)
            byte[int(rand() * 62) + 2] = int(rand() * (rand() < 0.5 ? 130 : 256))
        printf "\t.inst\t%s", byte[0]
        for (i = 1; i < 64; i++)
            printf ",%s", byte[i]
        printf "\n"
    }
}' >records.pto
for generation in sunda cayman mariana maverick; do
    { printf '\t.isa\t"%s"\n\t.seq\n' "$generation" && cat records.pto; } >first.pto
    round_trip .seq
    test "$(wc -l <first.hex)" -gt 22400
    for text in MOVE.UINT32 ALU_OP.INT32 COMPARE_BRANCH EVENT_SEMAPHORE_RANGE_CLEAR TENSOR_STORE .inst; do
        test "$(grep -cF "$text" second.pto)" -ge 10
    done
done
