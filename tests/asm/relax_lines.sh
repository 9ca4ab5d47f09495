# Listing, line table, symbols and marks of data follow the forms that are chosen.
pto-as -g -als relax_lines.pto -o "$work/p.o"
cd "$work"
pto-objdump -dl p.o
pto-objdump -t p.o | grep '\$'
