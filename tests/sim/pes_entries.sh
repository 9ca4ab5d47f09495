# Entries and registers of single PEs by --set, and a bundle that one of them does not reach.
pto-as -g -o "$work/entries.o" pes_entries.pto
pto-ld -o "$work/entries" "$work/entries.o"
pto-sim "$work/entries" --set=pe1.pc=worker --set=pe1.a0=values --set=pe2.pc=load --set=pe2.a0=more+4 \
    --dump-tile=pe0.T#1="$work/0:raw" --dump-tile=pe1.T#1="$work/1:raw" --dump-tile=pe2.T#1="$work/2:raw"
for pe in 0 1 2; do
    od -An -tu1 -N4 "$work/$pe"
done
echo '== one PE alone'
pto-sim --pes=1 "$work/entries" --set=pe1.pc=worker --set=a0=more --set=pc=load --dump-tile=T#1="$work/0:raw"
od -An -tu1 -N4 "$work/0"
echo '== a PE that does not come'
pto-sim "$work/entries" --set=pe2.pc=load+20 || echo "status $?"
pto-sim "$work/entries" --set=pe2.pc=nowhere || echo "status $?"
