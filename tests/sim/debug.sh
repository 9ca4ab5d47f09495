# The monitor on a PTO program: each command, what it prints, and the status of the session.
pto-as -g -o "$work/debug.o" debug.pto
pto-ld -Tdata=12000 -o "$work/debug" "$work/debug.o"

# session WHAT [OPTION...]: runs the script on standard input of this function.
session()
{
    echo "== $1"
    shift
    cat >"$work/script"
    pto-sim --pes=1 "$@" -x "$work/script" "$work/debug" || echo "status $?"
}

session 'one instruction, calls as one, a block' <<'!'
step
next
# BSTART.CALL, BSTOP and all of outer
n 2
bundle
step 6
nb
r a0
!

session 'into a call, back from it, to a place' <<'!'
s 4
backtrace
until inner
bt
finish
bt
finish
b
!

session 'breakpoints' <<'!'
break 0x10018
break outer
b debug.pto:26 pe0
b TLOAD
b back+4
info break
continue
c
delete 5
c
c
c
info break
delete
info break
c
!

session 'watches' <<'!'
watch word
w word+20 3
w t#1
watch a0
c
delete 4
c
c
c
!

session 'registers' <<'!'
registers
until 0x1002c
r
r u#1
set a0 0x7f
set a1 -2
set s0 word+8
set EVBASE_ACR0 outer
r a0
r a1
r s0
r sys
info block
nb
s 3
info block
info
!

session 'memory' <<'!'
x word
x/3xg word
x
x/4dw values+4
x/2uh values+4
x/4xb word+8
x/3c text
x/s text
x/2fw text+12
x/fg text+20
x/2i _start
x
x/2i $pc+4
disassemble outer 3
dis
list outer
l
list
!

session 'tiles' <<'!'
tiles
shared
b debug.pto:20
c
tiles
t T#1
t T#1 1 2
!

echo '== an empty line repeats'
pto-sim --pes=1 --debug "$work/debug" <<'!'
s

r pc

x/2xw word+8

!
echo "status $?"

session 'a fault' --set=sp=8 <<'!'
c
info
s
!

session 'help' <<'!'
help
help x
hel contin
help s t
!

session 'quit' <<'!'
q
no-such-command
!
