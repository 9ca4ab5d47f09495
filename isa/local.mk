# isa: the instruction sets as data. isagen checks the rows and makes the tables.

ISA_ROWS = \
	isa/revisions.isa \
	isa/enums.isa \
	isa/relocs.isa \
	isa/classes.isa \
	isa/pto-command.isa \
	isa/pto-scalar.isa \
	isa/overlaps.isa \
	isa/relax.isa \
	isa/tileops.isa \
	isa/reserved.isa \
	isa/retired.isa \
	isa/sysregs.isa \
	isa/seq.isa \
	isa/ptoas-ops.isa

noinst_PROGRAMS += isa/isagen
isa_isagen_SOURCES = \
	support/fold.h \
	isa/isagen.c \
	isa/isagen.h \
	isa/isagen_check.c \
	isa/isagen_emit.c \
	isa/isagen_form.c \
	isa/isagen_ops.c \
	isa/isagen_read.c \
	isa/isagen_relax.c \
	isa/isagen_syntax.c \
	isa/isagen_table.c \
	isa/isagen_tile.c

libpto_a_SOURCES += \
	support/fold.h \
	isa/isa.c \
	isa/isa.h \
	isa/matrix.c \
	isa/ops.c isa/ops.h \
	isa/tables.h
nodist_libpto_a_SOURCES = isa/isa_tables.c

EXTRA_DIST += \
	$(ISA_ROWS) \
	isa/LICENSE.pto-spec \
	isa/README.md \
	isa/isa_enum.h \
	isa/isa_tables.c

BUILT_SOURCES += isa/isa_enum.h isa/isa_tables.c
MAINTAINERCLEANFILES += $(srcdir)/isa/isa_enum.h $(srcdir)/isa/isa_tables.c

# A release has both files, so nothing is written into a read-only source tree.
# isa_tables.c is the target that is made; isa_enum.h is made with it.
isa/isa_tables.c: $(ISA_ROWS) $(isa_isagen_SOURCES)
	$(AM_V_GEN)$(MAKE) $(AM_MAKEFLAGS) isa/isagen$(EXEEXT) && \
	rows= && for row in $(ISA_ROWS); do rows="$$rows $(srcdir)/$$row"; done && \
	./isa/isagen$(EXEEXT) -o $(srcdir)/isa $$rows

isa/isa_enum.h: isa/isa_tables.c
	@test -f $(srcdir)/$@ || { rm -f $(srcdir)/isa/isa_tables.c; $(MAKE) $(AM_MAKEFLAGS) isa/isa_tables.c; }
