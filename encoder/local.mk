# encoder
libpto_a_SOURCES += encoder/decode.c encoder/encoder.h encoder/explain.c encoder/failure.c \
	encoder/field.c encoder/field.h encoder/layout.c encoder/match.c encoder/match.h \
	encoder/operand.c encoder/pack.c encoder/print.c encoder/print.h encoder/seq.c encoder/seq.h \
	encoder/seq_match.c encoder/seq_print.c encoder/seq_valid.c \
	encoder/slot.c encoder/suffix.c encoder/value.c
