libpto_a_SOURCES += isa/isa.h
EXTRA_DIST += isa/isa_enum.h isa/isa_tables.c
