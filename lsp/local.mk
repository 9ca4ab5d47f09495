# lsp: the language server
bin_PROGRAMS += pto-lsp
pto_lsp_SOURCES = \
	lsp/analysis.c \
	lsp/complete.c \
	lsp/describe.c \
	lsp/document.c lsp/document.h \
	lsp/hover.c \
	lsp/lsp.h \
	lsp/main.c \
	lsp/navigate.c \
	lsp/server.c lsp/server.h \
	lsp/stream.c \
	lsp/sync.c
pto_lsp_LDADD = $(PTO_LIBS)
