# tests/fuzz: a target each for assembler text, ELF files, instruction words and linker scripts. `make check` replays
# their corpora; with --enable-fuzz (clang) they are libFuzzer programs (tests/README.md).
fuzz_targets = tests/fuzz/fuzz_asm tests/fuzz/fuzz_decoder tests/fuzz/fuzz_elf \
	tests/fuzz/fuzz_script
check_PROGRAMS += $(fuzz_targets)
fuzz_common = tests/fuzz/fuzz.c tests/fuzz/fuzz.h
tests_fuzz_fuzz_asm_SOURCES = tests/fuzz/fuzz_asm.c $(fuzz_common)
tests_fuzz_fuzz_asm_LDADD = $(PTO_LIBS)
tests_fuzz_fuzz_decoder_SOURCES = tests/fuzz/fuzz_decoder.c $(fuzz_common)
tests_fuzz_fuzz_decoder_LDADD = $(PTO_LIBS)
tests_fuzz_fuzz_elf_SOURCES = tests/fuzz/fuzz_elf.c $(fuzz_common)
tests_fuzz_fuzz_elf_LDADD = $(PTO_LIBS)
tests_fuzz_fuzz_script_SOURCES = tests/fuzz/fuzz_script.c $(fuzz_common)
tests_fuzz_fuzz_script_LDADD = $(PTO_LIBS)

if FUZZ
tests_fuzz_fuzz_asm_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
tests_fuzz_fuzz_decoder_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
tests_fuzz_fuzz_elf_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
tests_fuzz_fuzz_script_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
else
TESTS += $(fuzz_targets)
tests_fuzz_fuzz_asm_SOURCES += tests/fuzz/replay.c
tests_fuzz_fuzz_decoder_SOURCES += tests/fuzz/replay.c
tests_fuzz_fuzz_elf_SOURCES += tests/fuzz/replay.c
tests_fuzz_fuzz_script_SOURCES += tests/fuzz/replay.c
endif
EXTRA_DIST += tests/fuzz/replay.c tests/fuzz/run

# Seconds for each target.
FUZZ_TIME = 1200
fuzz: $(fuzz_targets) pto-as pto-ld
	srcdir=$(srcdir) FUZZ_TIME=$(FUZZ_TIME) $(SHELL) $(srcdir)/tests/fuzz/run
.PHONY: fuzz
