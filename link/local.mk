# link
libpto_a_SOURCES += link/link.h link/linker.h link/link.c link/input.c link/symbol.c \
	link/identity.c link/special.c link/gc.c link/section.c link/layout.c link/relocate.c \
	link/emit.c link/build_id.c link/sha256.c link/map.c link/group.c link/merge.c \
	link/script.h link/script_reader.h link/script.c link/script_parser.y link/script_scanner.l \
	link/expr.c link/match.c link/place.c
BUILT_SOURCES += link/script_parser.h

bin_PROGRAMS += pto-ld
pto_ld_SOURCES = link/main.c link/command.c link/command.h
pto_ld_LDADD = $(PTO_LIBS)
