# Interrupts as the executable model takes them; only the monitor raises one.
pto-as -g -mno-relax -o "$work/interrupt.o" interrupt.pto
pto-ld -o "$work/interrupt" "$work/interrupt.o"
pto-sim --pes=1 -x /dev/stdin "$work/interrupt" <<'!' || echo "status $?"
until work
s 2
info block
set IPENDING_ACR0 1
!
echo '== enabled: taken in the middle of a block, which goes on'
pto-sim --pes=1 -x /dev/stdin "$work/interrupt" <<'!' || echo "status $?"
until work
s 2
interrupt 5 0x123456
until handler+40
r s0
r s1
r s2
r s3
r s4
bt
s
info block
r IPENDING_ACR0
c
r a1
!
echo '== disabled: pending until ECONFIG says otherwise'
pto-sim --pes=1 -x /dev/stdin "$work/interrupt" <<'!' || echo "status $?"
until work
set ECONFIG_ACR0 2
interrupt 7
interrupt 4
r IPENDING_ACR0
r TOPEI_ACR0
set EOIEI_ACR0 4
r IPENDING_ACR0
set ECONFIG_ACR0 0
interrupt 1
set ECONFIG_ACR0 2
interrupt 1
r TRAPNO_ACR0
interrupt 64
!
