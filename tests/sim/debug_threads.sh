# The monitor with several PEs and SEQ engines.
pto-as -g -o "$work/threads.o" debug_threads.pto
pto-ld -o "$work/threads" "$work/threads.o"

echo '== PEs'
pto-sim -x /dev/stdin "$work/threads" <<'!' || echo "status $?"
info
pe 1
step 3
info
bundle
s 4
s
info
pe pe3
r a0
r pe1.a0
bundle
nb 3
tiles pe3.T#1
tiles
b 0x10028 pe2
c
s
s
!

echo '== engines'
pto-sim -x /dev/stdin "$work/threads" <<'!' || echo "status $?"
engine act
r R5
s
r R5
sem
engine pool
set R9 -1
r pool.R9
r act.R5
b debug_threads.pto:19 pool
watch pool.R2
c
c
info
r R2
bt
s
!
