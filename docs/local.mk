# docs
noinst_PROGRAMS += docs/diag-doc
docs_diag_doc_SOURCES = docs/diag-doc.c support/diag.def

EXTRA_DIST += \
	docs/architecture.md \
	docs/decisions.md \
	docs/diagnostics.md \
	docs/language.md

# Files of docs/ that are made from tables and kept in the repository; tests/docs.test compares.
update-docs: docs/diag-doc$(EXEEXT)
	./docs/diag-doc$(EXEEXT) >$(srcdir)/docs/diagnostics.md
.PHONY: update-docs
