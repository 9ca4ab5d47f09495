libpto_a_SOURCES += \
	asm/asm.h \
	asm/assembler.c asm/assembler.h \
	asm/bundle.c asm/bundle.h asm/bundle_matrix.c asm/bundle_rule.c \
	asm/cond.c \
	asm/data.c \
	asm/directive.c asm/directive.h \
	asm/expr.c \
	asm/include.c \
	asm/insn.c \
	asm/line.c \
	asm/listing.c \
	asm/macro.c \
	asm/object.c \
	asm/observe.c \
	asm/print.c \
	asm/lower.h \
	asm/ptoas.c asm/ptoas.h \
	asm/ptoas_attr.c \
	asm/ptoas_block.c \
	asm/ptoas_check.c \
	asm/ptoas_choice.c \
	asm/ptoas_emit.c \
	asm/ptoas_flow.c \
	asm/ptoas_lower.def \
	asm/ptoas_matrix.c \
	asm/ptoas_memory.c \
	asm/ptoas_scalar.c \
	asm/ptoas_shape.c \
	asm/ptoas_show.c \
	asm/ptoas_sync.c \
	asm/ptoas_rule.c \
	asm/ptoas_tile.c \
	asm/ptoas_word.c \
	asm/lower_tile.h \
	asm/ptoas_form.c \
	asm/ptoas_kept.c \
	asm/ptoas_legal.c \
	asm/lower_flow.h \
	asm/ptoas_tmov.c \
	asm/ptoas_type.c \
	asm/ptoas_value.c \
	asm/ptoas_verify.c \
	asm/relax.c \
	asm/reloc.c \
	asm/section.c \
	asm/source.c \
	asm/symbol.c \
	asm/verifier.h \
	asm/verify.h

bin_PROGRAMS += pto-as
pto_as_SOURCES = asm/main.c asm/command.c asm/command.h asm/make_rule.c asm/make_rule.h
pto_as_LDADD = $(PTO_LIBS)
