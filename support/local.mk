# support
libpto_a_SOURCES += \
	support/arena.c \
	support/diag.c support/diag.h support/diag.def \
	support/diag_escape.c support/diag_json.c \
	support/diag_print.c support/diag_print.h \
	support/diag_source.c support/diag_source.h \
	support/decimal.c support/decimal.h \
	support/file.c support/file.h \
	support/hash.c \
	support/fold.h \
	support/intern.c support/intern.h \
	support/map.c \
	support/mem.c support/mem.h \
	support/npy.c support/npy.h \
	support/option.c support/option.h \
	support/real.c support/real.h \
	support/support.h
