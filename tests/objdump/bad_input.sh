# What is no PTO object is refused with a reason, and the files behind it are still shown.
cd "$work"
printf '.option nobundle\nBSTOP\n' >good.pto
pto-as good.pto -o good.o
head -c 200 good.o >short.o
printf 'not an object\n' >text.o
{ head -c 18 good.o && printf '\005\001' && tail -c +21 good.o; } >machine.o
: >empty.o
status=0
pto-objdump -d short.o text.o machine.o empty.o missing.o good.o >out 2>err || status=$?
echo "status $status"
cat err
grep BSTOP out
for wrong in '' '-d' '-z good.o' '--no-such good.o' 'good.o' '-j' '--start-address=x good.o' \
    '-march=pto9 good.o' '--wavejson -d good.o' '-b what good.o' '-m what good.o'; do
    status=0
    pto-objdump $wrong 2>&1 || status=$?
    echo "status $status"
done
if [ -c /dev/full ]; then
    got=0
    pto-objdump -d good.o >/dev/full 2>err || got=$?
    [ "$got" -eq 1 ] || echo "-d >/dev/full: status $got"
    grep -q '^<stdout>: error: cannot write: ' err || cat err
fi
