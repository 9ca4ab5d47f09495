# The seed's wave table, a split field, a record's array, and a name that is none.
pto-objdump --encoding BSTART.GMOV
pto-objdump --encoding bstart.gmov --wavejson
pto-objdump --encoding C.B.DIMI --encoding FENTRY
# The name gives Mode and Function.
pto-objdump --encoding BSTART.TADD
pto-objdump --encoding SET_ORDERING_MODE | tail -n 5
pto-objdump --encoding B.IOTT 2>&1 && exit 1
pto-objdump --encoding BSTART.TMOV.L2S.INSERT -march=pto0.58.5 2>&1 && exit 1
exit 0
