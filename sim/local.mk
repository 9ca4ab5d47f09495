# sim
libpto_a_SOURCES += sim/sim.h sim/machine.h sim/fault.def

libpto_a_SOURCES += \
	sim/format.c sim/format.h \
	sim/layout.c sim/layout.h \
	sim/numeric.c sim/numeric.h \
	sim/tile.h \
	sim/tile_bundle.c \
	sim/tile_convert.c \
	sim/tile_io.c \
	sim/tile_memory.c \
	sim/tile_move.c \
	sim/tile_shared.c \
	sim/tile_state.c \
	sim/tile_vector.c
