# --trace with the source lines of -g, and without.
pto-as -g -o "$work/lines.o" trace_lines.pto
pto-ld -Tdata=12000 -o "$work/lines" "$work/lines.o"
pto-sim --pes=1 --trace "$work/lines"
echo '== without -g'
pto-as -o "$work/plain.o" trace_lines.pto
pto-ld -Tdata=12000 -o "$work/plain" "$work/plain.o"
pto-sim --pes=1 --trace "$work/plain" | head -n 2
echo '== the source is not there'
cd "$work"
pto-sim --pes=1 --trace lines | head -n 1
