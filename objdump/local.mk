# objdump
libpto_a_SOURCES += objdump/disassemble.c objdump/encoding.c objdump/headers.c objdump/objdump.c \
	objdump/objdump.h objdump/source.c \
	objdump/validate.c objdump/view.c objdump/view.h

bin_PROGRAMS += pto-objdump
pto_objdump_SOURCES = objdump/main.c objdump/command.c objdump/command.h
pto_objdump_LDADD = $(PTO_LIBS)
