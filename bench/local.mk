# bench: `make bench` measures; nothing of it is installed or tested.
EXTRA_PROGRAMS += bench/bench
bench_bench_SOURCES = bench/bench.c
bench_bench_LDADD = $(PTO_LIBS)
CLEANFILES += bench/bench$(EXEEXT)

bench: bench/bench$(EXEEXT)
	./bench/bench$(EXEEXT)
.PHONY: bench
