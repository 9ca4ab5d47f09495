# tests: unit tests are programs, golden tests are run by tests/run-golden (tests/README.md).
TEST_EXTENSIONS = .test
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
TEST_LOG_DRIVER = $(LOG_DRIVER)
AM_TESTS_ENVIRONMENT = top_builddir='$(abs_top_builddir)'; export top_builddir;

golden_tests = \
	tests/golden-asm.test \
	tests/golden-encoder.test \
	tests/golden-grammar.test \
	tests/golden-link.test \
	tests/golden-objdump.test \
	tests/golden-objfile.test \
	tests/golden-samples.test \
	tests/golden-sim.test
TESTS += $(golden_tests)
EXTRA_DIST += $(golden_tests) tests/run-golden tests/README.md

check_PROGRAMS += tests/tools/golden-hex
tests_tools_golden_hex_SOURCES = tests/tools/golden-hex.c
tests_tools_golden_hex_LDADD = $(PTO_LIBS)

# The files of golden tests go into the release by their kind.
dist-hook:
	cd $(srcdir) && find tests samples -type f '(' -path 'tests/data/*' -o -path 'samples/*' \
	    -o -name '*.pto' -o -name '*.sh' -o -name '*.inc' -o -name '*.flags' -o -name '*.err' \
	    -o -name '*.hex' -o -name '*.lst' -o -name '*.dis' -o -name '*.state' -o -name '*.link' \
	    -o -name '*.run' -o -name '*.out' -o -name '*.npy' ')' ! -name '*.o' ! -name '*.d' -print | \
	while read -r file; do \
	    mkdir -p "$(abs_top_builddir)/$(distdir)/$${file%/*}" && \
	    cp "$$file" "$(abs_top_builddir)/$(distdir)/$$file" || exit 1; \
	done

# support
