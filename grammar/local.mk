# grammar
libpto_a_SOURCES += \
	grammar/ast.c grammar/ast.h \
	grammar/block.c \
	grammar/context.h \
	grammar/format.c grammar/format.h \
	grammar/grammar.c grammar/grammar.h \
	grammar/lexeme.c \
	grammar/lines.c \
	grammar/nodes.c \
	grammar/opnodes.c \
	grammar/print.c grammar/print.h \
	grammar/parser.y \
	grammar/scanner.l \
	grammar/text.c grammar/text.h \
	grammar/typenodes.c
BUILT_SOURCES += grammar/parser.h
