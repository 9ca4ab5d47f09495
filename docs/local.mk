# docs
noinst_PROGRAMS += docs/diag-doc
docs_diag_doc_SOURCES = docs/diag-doc.c support/diag.def
noinst_PROGRAMS += docs/isa-doc
docs_isa_doc_SOURCES = docs/isa-doc.c
docs_isa_doc_LDADD = $(PTO_LIBS)

noinst_PROGRAMS += docs/ptoas-doc
docs_ptoas_doc_SOURCES = docs/ptoas-doc.c asm/ptoas_lower.def
docs_ptoas_doc_LDADD = $(PTO_LIBS)

noinst_PROGRAMS += docs/seq-doc
docs_seq_doc_SOURCES = docs/seq-doc.c
docs_seq_doc_LDADD = $(PTO_LIBS)

# The reference of all instructions is made, installed and shipped, but not kept.
doc_DATA = docs/instructions.md
EXTRA_DIST += docs/instructions.md
CLEANFILES += docs/instructions.md
docs/instructions.md: docs/isa-doc$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) docs && ./docs/isa-doc$(EXEEXT) >$@.tmp && mv -f $@.tmp $@

# Words and shapes of the language for editors.
noinst_PROGRAMS += docs/editor-doc
docs_editor_doc_SOURCES = docs/editor-doc.c
docs_editor_doc_LDADD = $(PTO_LIBS)

vimdir = $(datadir)/vim/vimfiles
vimsyntaxdir = $(vimdir)/syntax
vimsyntax_DATA = docs/vim/syntax/pto.vim
vimftdetectdir = $(vimdir)/ftdetect
dist_vimftdetect_DATA = docs/vim/ftdetect/pto.vim
vimftplugindir = $(vimdir)/ftplugin
dist_vimftplugin_DATA = docs/vim/ftplugin/pto.vim
textmatedir = $(datadir)/$(PACKAGE)
textmate_DATA = docs/pto.tmLanguage.json
editor_files = docs/vim/syntax/pto.vim docs/pto.tmLanguage.json
EXTRA_DIST += $(editor_files)
CLEANFILES += $(editor_files)
docs/vim/syntax/pto.vim: docs/editor-doc$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) docs/vim/syntax && ./docs/editor-doc$(EXEEXT) vim >$@.tmp && mv -f $@.tmp $@
docs/pto.tmLanguage.json: docs/editor-doc$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) docs && ./docs/editor-doc$(EXEEXT) textmate >$@.tmp && mv -f $@.tmp $@

# A manual page is its template with the options that the program's --help lists.
manual_pages = docs/pto-as.1 docs/pto-ld.1 docs/pto-lsp.1 docs/pto-objdump.1 docs/pto-sim.1
dist_man_MANS += $(manual_pages)
CLEANFILES += $(manual_pages)

make_manual_page = \
	$(MKDIR_P) docs && ./$$program --help >$@.help && \
	$(AWK) -v version=$(PACKAGE_VERSION) -f $(srcdir)/docs/man-page.awk $@.help \
	    $(srcdir)/docs/$$program.1.in >$@.tmp && \
	rm -f $@.help && mv -f $@.tmp $@

docs/pto-as.1: docs/pto-as.1.in docs/man-page.awk pto-as$(EXEEXT)
	$(AM_V_GEN)program=pto-as; $(make_manual_page)
docs/pto-ld.1: docs/pto-ld.1.in docs/man-page.awk pto-ld$(EXEEXT)
	$(AM_V_GEN)program=pto-ld; $(make_manual_page)
docs/pto-lsp.1: docs/pto-lsp.1.in docs/man-page.awk pto-lsp$(EXEEXT)
	$(AM_V_GEN)program=pto-lsp; $(make_manual_page)
docs/pto-objdump.1: docs/pto-objdump.1.in docs/man-page.awk pto-objdump$(EXEEXT)
	$(AM_V_GEN)program=pto-objdump; $(make_manual_page)
docs/pto-sim.1: docs/pto-sim.1.in docs/man-page.awk pto-sim$(EXEEXT)
	$(AM_V_GEN)program=pto-sim; $(make_manual_page)

bashcompdir = $(datadir)/bash-completion/completions
dist_doc_DATA = \
	docs/adding-an-instruction.md \
	docs/architecture.md \
	docs/building-kernels.md \
	docs/conformance.md \
	docs/decisions.md \
	docs/diagnostics.md \
	docs/editors.md \
	docs/elf.md \
	docs/language.md \
	docs/linker.md \
	docs/performance.md \
	docs/pto-as-language.md \
	docs/seq.md \
	docs/pto-as-lowering.md \
	docs/pto-as-operations.md \
	docs/tmov.md \
	docs/simulator.md \
	docs/state.md \
	docs/tutorial.md

EXTRA_DIST += \
	docs/README.md \
	docs/diagnostics.examples \
	docs/man-page.awk \
	docs/pto-as.1.in \
	docs/pto-ld.1.in \
	docs/pto-lsp.1.in \
	docs/pto-objdump.1.in \
	docs/pto-sim.1.in \
	docs/ptobinutils.bash-completion

# bash-completion loads a file by the name of the command.
install-data-hook:
	$(MKDIR_P) "$(DESTDIR)$(bashcompdir)"
	for program in pto-as pto-ld pto-lsp pto-objdump pto-sim; do \
	    $(INSTALL_DATA) $(srcdir)/docs/ptobinutils.bash-completion \
	        "$(DESTDIR)$(bashcompdir)/$$program" || exit 1; \
	done

uninstall-hook:
	cd "$(DESTDIR)$(bashcompdir)" && rm -f pto-as pto-ld pto-lsp pto-objdump pto-sim

# Files of docs/ that are made from tables and kept in the repository; tests/docs.test compares.
# The layouts at the end of seq.md are what seq-doc prints.
update-docs: docs/diag-doc$(EXEEXT) docs/ptoas-doc$(EXEEXT) docs/seq-doc$(EXEEXT)
	./docs/diag-doc$(EXEEXT) $(srcdir)/docs/diagnostics.examples >$(srcdir)/docs/diagnostics.md.tmp
	mv -f $(srcdir)/docs/diagnostics.md.tmp $(srcdir)/docs/diagnostics.md
	./docs/ptoas-doc$(EXEEXT) >$(srcdir)/docs/pto-as-operations.md
	{ sed '/^<!-- made from isa/q' $(srcdir)/docs/seq.md && ./docs/seq-doc$(EXEEXT); } >$(srcdir)/docs/seq.md.tmp && \
	mv -f $(srcdir)/docs/seq.md.tmp $(srcdir)/docs/seq.md
.PHONY: update-docs
