# sim
libpto_a_SOURCES += sim/sim.h sim/machine.h sim/fault.def
