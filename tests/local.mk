# tests: unit tests are programs, golden tests are run by tests/run-golden (tests/README.md).
TEST_EXTENSIONS = .test
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
TEST_LOG_DRIVER = $(LOG_DRIVER)
AM_TESTS_ENVIRONMENT = top_builddir='$(abs_top_builddir)'; export top_builddir; VERSION='$(PACKAGE_VERSION)'; export VERSION; \
	CC='$(CC)'; export CC; SANITIZE_CFLAGS='$(SANITIZE_CFLAGS) $(COVERAGE_CFLAGS)'; export SANITIZE_CFLAGS;

golden_tests = \
	tests/golden-asm.test \
	tests/golden-link.test \
	tests/golden-objdump.test \
	tests/golden-objfile.test \
	tests/golden-ptoas.test \
	tests/golden-sim.test
TESTS += $(golden_tests) tests/docs.test tests/docs-commands.test tests/editors.test tests/install.test tests/lsp.test tests/needs.test tests/ptoas-corpus.test tests/robustness.test tests/samples.test
EXTRA_DIST += $(golden_tests) tests/docs.test tests/docs-commands.test tests/editors.test tests/install.test tests/lsp.test tests/needs.test tests/robustness.test tests/samples.test tests/run-golden tests/README.md \
	tests/ptoas-corpus.test tests/ptoas/corpus tests/ptoas/corpus.skip

check_PROGRAMS += tests/tools/golden-hex
tests_tools_golden_hex_SOURCES = tests/tools/golden-hex.c
tests_tools_golden_hex_LDADD = $(PTO_LIBS)

check_PROGRAMS += tests/tools/lsp-client
tests_tools_lsp_client_SOURCES = tests/tools/lsp-client.c
tests_tools_lsp_client_LDADD = $(JANSSON_LIBS)

# The files of golden tests go into the release by their kind.
dist-hook:
	cd $(srcdir) && find tests samples -type f '(' -path 'tests/data/*' -o -path 'tests/fuzz/corpus/*' -o -path 'samples/*' \
	    -o -name '*.pto' -o -name '*.sh' -o -name '*.inc' -o -name '*.flags' -o -name '*.err' \
	    -o -name '*.hex' -o -name '*.lst' -o -name '*.dis' -o -name '*.state' -o -name '*.link' \
	    -o -name '*.run' -o -name '*.session' -o -name '*.out' -o -name '*.npy' ')' ! -name '*.o' ! -name '*.d' -print | \
	while read -r file; do \
	    mkdir -p "$(abs_top_builddir)/$(distdir)/$${file%/*}" && \
	    cp "$$file" "$(abs_top_builddir)/$(distdir)/$$file" || exit 1; \
	done

# support
check_LIBRARIES += tests/support/libtest.a
tests_support_libtest_a_SOURCES = tests/support/failing_mem.c tests/support/failing_mem.h
TEST_LIBS = tests/support/libtest.a $(PTO_LIBS) $(CMOCKA_LIBS)

support_tests = \
	tests/support/test_decimal \
	tests/support/test_diag \
	tests/support/test_file \
	tests/support/test_intern \
	tests/support/test_mem \
	tests/support/test_npy \
	tests/support/test_option \
	tests/support/test_real
check_PROGRAMS += $(support_tests)
TESTS += $(support_tests)
tests_support_test_decimal_SOURCES = tests/support/test_decimal.c
tests_support_test_decimal_LDADD = $(TEST_LIBS)
tests_support_test_diag_SOURCES = tests/support/test_diag.c
tests_support_test_diag_LDADD = $(TEST_LIBS)
tests_support_test_file_SOURCES = tests/support/test_file.c
tests_support_test_file_LDADD = $(TEST_LIBS)
tests_support_test_intern_SOURCES = tests/support/test_intern.c
tests_support_test_intern_LDADD = $(TEST_LIBS)
tests_support_test_mem_SOURCES = tests/support/test_mem.c
tests_support_test_mem_LDADD = $(TEST_LIBS)
tests_support_test_npy_SOURCES = tests/support/test_npy.c
tests_support_test_npy_LDADD = $(TEST_LIBS)
tests_support_test_option_SOURCES = tests/support/test_option.c
tests_support_test_option_LDADD = $(TEST_LIBS)
tests_support_test_real_SOURCES = tests/support/test_real.c
tests_support_test_real_LDADD = $(TEST_LIBS)

include tests/fuzz/local.mk

# pto.h
check_PROGRAMS += tests/test_pto
TESTS += tests/test_pto
tests_test_pto_SOURCES = tests/test_pto.c
tests_test_pto_LDADD = $(TEST_LIBS)

# isa
check_PROGRAMS += tests/isa/test_tables
TESTS += tests/isa/test_tables tests/isa/isagen.test
tests_isa_test_tables_SOURCES = tests/isa/test_tables.c
tests_isa_test_tables_CPPFLAGS = $(AM_CPPFLAGS) -DSRCDIR='"$(srcdir)"'
tests_isa_test_tables_LDADD = $(PTO_LIBS) $(CMOCKA_LIBS)
EXTRA_DIST += tests/isa/isagen.test

# grammar
grammar_tests = \
	tests/grammar/test_errors \
	tests/grammar/test_machine \
	tests/grammar/test_ptoas \
	tests/grammar/test_sources
check_PROGRAMS += $(grammar_tests)
TESTS += $(grammar_tests)
check_LIBRARIES += tests/grammar/libparse.a
tests_grammar_libparse_a_SOURCES = \
	tests/grammar/dump.c tests/grammar/dump.h \
	tests/grammar/parse.c tests/grammar/parse.h
tests_grammar_test_errors_SOURCES = tests/grammar/test_errors.c
tests_grammar_test_errors_LDADD = tests/grammar/libparse.a $(TEST_LIBS)
tests_grammar_test_machine_SOURCES = tests/grammar/test_machine.c
tests_grammar_test_machine_LDADD = tests/grammar/libparse.a $(TEST_LIBS)
tests_grammar_test_ptoas_SOURCES = tests/grammar/test_ptoas.c
tests_grammar_test_ptoas_LDADD = tests/grammar/libparse.a $(TEST_LIBS)
tests_grammar_test_sources_SOURCES = tests/grammar/test_sources.c
tests_grammar_test_sources_LDADD = tests/grammar/libparse.a $(TEST_LIBS)
# encoder
encoder_tests = \
	tests/encoder/test_decoder \
	tests/encoder/test_errors \
	tests/encoder/test_limits \
	tests/encoder/test_roundtrip \
	tests/encoder/test_seq_valid \
	tests/encoder/test_words
check_PROGRAMS += $(encoder_tests)
TESTS += $(encoder_tests)
check_LIBRARIES += tests/encoder/libharness.a
tests_encoder_libharness_a_SOURCES = \
	tests/encoder/batch.c \
	tests/encoder/batch.h \
	tests/encoder/harness.c \
	tests/encoder/harness.h \
	tests/encoder/spell.c \
	tests/encoder/spell.h
ENCODER_TEST_LIBS = tests/encoder/libharness.a $(PTO_LIBS) $(CMOCKA_LIBS)
tests_encoder_test_decoder_SOURCES = tests/encoder/test_decoder.c
tests_encoder_test_decoder_LDADD = $(ENCODER_TEST_LIBS)
tests_encoder_test_errors_SOURCES = tests/encoder/test_errors.c
tests_encoder_test_errors_LDADD = $(ENCODER_TEST_LIBS)
tests_encoder_test_limits_SOURCES = tests/encoder/test_limits.c
tests_encoder_test_limits_LDADD = $(ENCODER_TEST_LIBS)
tests_encoder_test_roundtrip_SOURCES = tests/encoder/test_roundtrip.c
tests_encoder_test_roundtrip_LDADD = $(ENCODER_TEST_LIBS)
tests_encoder_test_seq_valid_SOURCES = tests/encoder/test_seq_valid.c
tests_encoder_test_seq_valid_LDADD = $(ENCODER_TEST_LIBS)
tests_encoder_test_words_SOURCES = tests/encoder/test_words.c
tests_encoder_test_words_CPPFLAGS = $(AM_CPPFLAGS) -DSRCDIR='"$(srcdir)"'
tests_encoder_test_words_LDADD = $(ENCODER_TEST_LIBS)

# sim: the scalar machine
sim_tests = tests/sim/test_float tests/sim/test_fsu tests/sim/test_memory tests/sim/test_sysreg
check_PROGRAMS += $(sim_tests)
TESTS += $(sim_tests)
tests_sim_test_float_SOURCES = tests/sim/test_float.c
tests_sim_test_float_LDADD = $(TEST_LIBS)
tests_sim_test_fsu_SOURCES = tests/sim/test_fsu.c
tests_sim_test_fsu_LDADD = $(TEST_LIBS) $(MPFR_LIBS)
tests_sim_test_sysreg_SOURCES = tests/sim/test_sysreg.c
tests_sim_test_sysreg_LDADD = $(TEST_LIBS)
tests_sim_test_memory_SOURCES = tests/sim/test_memory.c
tests_sim_test_memory_LDADD = $(TEST_LIBS)

# sim: tiles and SEQ
sim_tile_tests = \
	tests/sim/test_numeric \
	tests/sim/test_numeric_vectors \
	tests/sim/test_seq \
	tests/sim/test_tile_arrange \
	tests/sim/test_tile_cell \
	tests/sim/test_tile_convert \
	tests/sim/test_tile_cvt \
	tests/sim/test_tile_element \
	tests/sim/test_tile_formats \
	tests/sim/test_tile_rules \
	tests/sim/test_tile_cube \
	tests/sim/test_tile_gather \
	tests/sim/test_tile_io \
	tests/sim/test_tile_memory \
	tests/sim/test_tile_move
check_PROGRAMS += $(sim_tile_tests)
TESTS += $(sim_tile_tests)
EXTRA_DIST += tests/sim/tile_bench.h tests/sim/tmov_cases.def
tests_sim_test_numeric_SOURCES = tests/sim/test_numeric.c
tests_sim_test_numeric_LDADD = $(TEST_LIBS)
tests_sim_test_numeric_vectors_SOURCES = tests/sim/test_numeric_vectors.c sim/command.c
tests_sim_test_numeric_vectors_LDADD = $(TEST_LIBS)
tests_sim_test_seq_SOURCES = tests/sim/test_seq.c
tests_sim_test_seq_LDADD = $(TEST_LIBS)
tests_sim_test_tile_arrange_SOURCES = tests/sim/test_tile_arrange.c
tests_sim_test_tile_arrange_LDADD = $(TEST_LIBS)
tests_sim_test_tile_convert_SOURCES = tests/sim/test_tile_convert.c
tests_sim_test_tile_convert_LDADD = $(TEST_LIBS)
tests_sim_test_tile_cell_SOURCES = tests/sim/test_tile_cell.c
tests_sim_test_tile_cell_LDADD = $(TEST_LIBS)
tests_sim_test_tile_cvt_SOURCES = tests/sim/test_tile_cvt.c
tests_sim_test_tile_cvt_LDADD = $(TEST_LIBS)
tests_sim_test_tile_element_SOURCES = tests/sim/test_tile_element.c
tests_sim_test_tile_element_LDADD = $(TEST_LIBS)
tests_sim_test_tile_formats_SOURCES = tests/sim/test_tile_formats.c
tests_sim_test_tile_formats_LDADD = $(TEST_LIBS) $(MPFR_LIBS)
tests_sim_test_tile_rules_SOURCES = tests/sim/test_tile_rules.c
tests_sim_test_tile_rules_LDADD = $(TEST_LIBS)
tests_sim_test_tile_cube_SOURCES = tests/sim/test_tile_cube.c
tests_sim_test_tile_cube_LDADD = $(TEST_LIBS)
tests_sim_test_tile_gather_SOURCES = tests/sim/test_tile_gather.c
tests_sim_test_tile_gather_LDADD = $(TEST_LIBS)
tests_sim_test_tile_io_SOURCES = tests/sim/test_tile_io.c
tests_sim_test_tile_io_LDADD = $(TEST_LIBS)
tests_sim_test_tile_memory_SOURCES = tests/sim/test_tile_memory.c
tests_sim_test_tile_memory_LDADD = $(TEST_LIBS)
tests_sim_test_tile_move_SOURCES = tests/sim/test_tile_move.c
tests_sim_test_tile_move_LDADD = $(TEST_LIBS)

# objfile and link
check_LIBRARIES += tests/objfile/libbuild.a
tests_objfile_libbuild_a_SOURCES = \
	tests/objfile/ar.c tests/objfile/ar.h \
	tests/objfile/build.c tests/objfile/build.h
OBJECT_TEST_LIBS = tests/objfile/libbuild.a $(TEST_LIBS)
objfile_tests = \
	tests/objfile/test_archive \
	tests/objfile/test_corrupt \
	tests/objfile/test_identity \
	tests/objfile/test_lines \
	tests/objfile/test_roundtrip
check_PROGRAMS += $(objfile_tests)
TESTS += $(objfile_tests)
tests_objfile_test_archive_SOURCES = tests/objfile/test_archive.c
tests_objfile_test_archive_LDADD = $(OBJECT_TEST_LIBS)
tests_objfile_test_corrupt_SOURCES = tests/objfile/test_corrupt.c
tests_objfile_test_corrupt_LDADD = $(OBJECT_TEST_LIBS)
tests_objfile_test_identity_SOURCES = tests/objfile/test_identity.c
tests_objfile_test_identity_LDADD = $(OBJECT_TEST_LIBS)
tests_objfile_test_lines_SOURCES = tests/objfile/test_lines.c
tests_objfile_test_lines_LDADD = $(OBJECT_TEST_LIBS)
tests_objfile_test_roundtrip_SOURCES = tests/objfile/test_roundtrip.c
tests_objfile_test_roundtrip_LDADD = $(OBJECT_TEST_LIBS)

check_LIBRARIES += tests/link/liblinking.a
tests_link_liblinking_a_SOURCES = tests/link/linking.c tests/link/linking.h
LINK_TEST_LIBS = tests/link/liblinking.a $(OBJECT_TEST_LIBS)
link_tests = \
	tests/link/test_layout \
	tests/link/test_reloc \
	tests/link/test_symbol
check_PROGRAMS += $(link_tests)
TESTS += $(link_tests)
tests_link_test_layout_SOURCES = tests/link/test_layout.c
tests_link_test_layout_LDADD = $(LINK_TEST_LIBS)
tests_link_test_reloc_SOURCES = tests/link/test_reloc.c
tests_link_test_reloc_LDADD = $(LINK_TEST_LIBS)
tests_link_test_symbol_SOURCES = tests/link/test_symbol.c
tests_link_test_symbol_LDADD = $(LINK_TEST_LIBS)

# asm
check_PROGRAMS += tests/asm/test_assemble
TESTS += tests/asm/test_assemble
tests_asm_test_assemble_SOURCES = tests/asm/test_assemble.c
tests_asm_test_assemble_LDADD = $(TEST_LIBS)
