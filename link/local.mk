# link
libpto_a_SOURCES += link/link.h link/linker.h link/link.c link/input.c link/symbol.c \
	link/identity.c link/special.c link/gc.c link/section.c link/layout.c link/relocate.c \
	link/emit.c link/build_id.c link/sha256.c link/map.c

bin_PROGRAMS += pto-ld
pto_ld_SOURCES = link/main.c link/command.c link/command.h
pto_ld_LDADD = $(PTO_LIBS)
