# objfile
libpto_a_SOURCES += objfile/objfile.h objfile/internal.h objfile/dwarf_codes.h objfile/object.c objfile/identity.c \
	objfile/lines.c objfile/tiles.c objfile/args.c objfile/strtab.c objfile/elf_write.c objfile/elf_read.c \
	objfile/dwarf_write.c objfile/dwarf_read.c objfile/archive.c objfile/image.c
