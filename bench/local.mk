# bench: `make bench` measures; nothing of it is installed or tested.
EXTRA_PROGRAMS += bench/bench
bench_bench_SOURCES = bench/bench.c
bench_bench_LDADD = $(PTO_LIBS)
EXTRA_PROGRAMS += bench/sim-tile
bench_sim_tile_SOURCES = bench/sim-tile.c
bench_sim_tile_LDADD = $(PTO_LIBS)
CLEANFILES += bench/bench$(EXEEXT) bench/sim-tile$(EXEEXT)

bench: bench/bench$(EXEEXT) bench/sim-tile$(EXEEXT)
	./bench/bench$(EXEEXT)
	./bench/sim-tile$(EXEEXT)
.PHONY: bench
