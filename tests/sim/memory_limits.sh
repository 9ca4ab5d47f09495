# Memory costs what is touched, --max-mem bounds that, and segments allow what they say.
pto-as -g -o "$work/limits.o" memory_limits.pto
pto-ld -o "$work/limits" "$work/limits.o"
echo '== 16 TiB of .bss, and little memory to run in'
# The address sanitizer reserves address space of its own and does not start within a limit.
limit=400000
{ (ulimit -v $limit; pto-sim --version); } >/dev/null 2>&1 || limit=unlimited
(ulimit -v $limit; pto-sim --pes=1 "$work/limits") && echo ended
echo '== a page of code and three of data'
pto-sim --pes=1 --max-mem=16K "$work/limits" && echo ended
pto-sim --pes=1 --max-mem=16383 "$work/limits" || echo "status $?"
echo '== permissions'
pto-sim --pes=1 --set=pc=forbidden "$work/limits" || echo "status $?"
pto-sim --pes=1 --set=pc=space "$work/limits" || echo "status $?"
