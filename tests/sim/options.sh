# SPDX-License-Identifier: BSD-3-Clause
# State in and out: registers of all PEs or one, files in memory by symbol, expectations.
cd "$work"
pto-as -g -o options.o - <<'END'
        .globl  _start
_start: addtpc  %tpcrel_hi(cell), ->a3
        addi    a3, %tpcrel_lo(cell), ->a3
        add     a0, a1, ->a2
        ldi     [a3, 0], ->a4
        sdi     a2, [a3, 8]
        .data
        .balign 8
cell:   .zero   16
END
pto-ld -o options options.o
printf 'ABCDEFGH' >in

pto-sim options --pes=1 --set a0=5 --set pe0.a1=-3 --mem cell=in --dump-mem cell+8,8=out
od -An -tx1 out

pto-sim options --set a0=5 --set pe2.a0=7 --set pe3.pc=0x10014 --state-json state.json
grep -c '"status": "end-of-code"' state.json
grep '"a2"' state.json

echo '{"pe": [{"gpr": {"a2": 5}}], "memory": {"cell": "00"}}' >good.json
pto-sim options --pes=1 --set a0=5 --expect good.json
echo '{"pe": [{"gpr": {"a2": "0x6"}}]}' >bad.json
pto-sim options --pes=1 --set a0=5 --expect bad.json || echo "status $?"
echo '{"memory": {"cell+8": "0500ff"}}' >memory.json
pto-sim options --pes=1 --set a0=5 --expect memory.json || echo "status $?"
echo '{"pe": [{}, {}]}' >count.json
pto-sim options --pes=1 --expect count.json || echo "status $?"
echo '[' >broken.json
pto-sim options --pes=1 --expect broken.json || echo "status $?"

pto-sim options --pes=1 --set a0=5 --trace=trace
cat trace
