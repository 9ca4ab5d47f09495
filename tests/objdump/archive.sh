# Every member of an archive, under its name.
cd "$work"
printf '.option nobundle\nBSTOP\n' >one.pto
printf '.option nobundle\nC.BSTOP\n' >two.pto
pto-as one.pto -o one.o
pto-as two.pto -o two.o
ar rc lib.a one.o two.o
pto-objdump -d lib.a
