# bench: `make bench` measures; nothing of it is installed or tested.
benchmarks = bench/bench bench/measure bench/sim-scalar bench/sim-tile
EXTRA_PROGRAMS += $(benchmarks)
bench_bench_SOURCES = bench/bench.c
bench_bench_LDADD = $(PTO_LIBS)
bench_measure_SOURCES = bench/measure.c
bench_sim_scalar_SOURCES = bench/sim-scalar.c
bench_sim_scalar_LDADD = $(PTO_LIBS)
bench_sim_tile_SOURCES = bench/sim-tile.c
bench_sim_tile_LDADD = $(PTO_LIBS)
EXTRA_DIST += bench/compare
CLEANFILES += bench/bench$(EXEEXT) bench/measure$(EXEEXT) bench/sim-scalar$(EXEEXT) bench/sim-tile$(EXEEXT)

bench: all bench/bench$(EXEEXT) bench/measure$(EXEEXT) bench/sim-scalar$(EXEEXT) bench/sim-tile$(EXEEXT)
	$(srcdir)/bench/compare .
	./bench/bench$(EXEEXT)
	./bench/sim-scalar$(EXEEXT)
	./bench/sim-tile$(EXEEXT)
.PHONY: bench
