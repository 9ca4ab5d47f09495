# A chain: each c.setret just reaches over the next thirty, so the one that must grow makes all before it grow,
# thirty-one a round. The short chain settles by itself: the last 29 are within 62 bytes of the end. The long one
# is decided at once, as if each took the six bytes of hl.setret: only the last 9 are then within 62 bytes.
chain()
{
    local i count=$1
    for ((i = 0; i < count; i++)); do
        echo "l$i: c.setret l$((i + 31 < count ? i + 31 : count))"
    done
    echo "addi zero, 0, ->zero"
    echo "l$count:"
}
for count in 1000 4000; do
    chain $count >"$work/chain.pto"
    pto-as "$work/chain.pto" -o "$work/chain.o"
    pto-objdump -d "$work/chain.o" >"$work/chain.dis"
    for mnemonic in c.setret setret hl.setret; do
        echo "$mnemonic $(grep -c "	$mnemonic " "$work/chain.dis")" || true
    done
    # Each names its own target.
    awk -v count=$count '
        /<l[0-9]+>:/ { split($0, part, /[<>l]+/); label = part[2] + 0 }
        /setret 0x/ {
            wanted = label + 31 < count ? label + 31 : count
            if ($0 !~ "<l" wanted ">,") print "wrong:", label, $0
        }' "$work/chain.dis"
    pto-objdump -t "$work/chain.o" | grep " l$count\$"
done
