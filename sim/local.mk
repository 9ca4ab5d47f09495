# sim
bin_PROGRAMS += pto-sim
pto_sim_SOURCES = sim/main.c sim/command.c sim/command.h \
	sim/line.c sim/line.h \
	sim/monitor.c sim/monitor.h sim/monitor_inside.h \
	sim/monitor_run.c sim/monitor_show.c
pto_sim_LDADD = $(PTO_LIBS) $(EDIT_LIBS)

libpto_a_SOURCES += \
	sim/access.def sim/alu.def sim/alu.h sim/condition.def sim/fault.def sim/label.def sim/layout.def sim/machine.h sim/sim.h \
	sim/argument.c sim/argument.h \
	sim/block.c sim/block.h \
	sim/conform.c \
	sim/decode.c sim/decode.h \
	sim/exec_agu.c sim/exec_alu.c sim/exec_amo.c sim/exec_bru.c sim/exec_fsu.c \
	sim/exec_header.c sim/exec_sys.c sim/exec_template.c \
	sim/float.c sim/float.h \
	sim/json.c sim/json.h \
	sim/memory.c sim/memory.h \
	sim/pe.h \
	sim/place.c \
	sim/queue.c sim/queue.h \
	sim/report.c \
	sim/run.c sim/run.h \
	sim/sim.c \
	sim/state.c \
	sim/sysreg.c sim/sysreg.h \
	sim/trace.c sim/trace.h \
	sim/trap.c \
	sim/vector.c sim/vector.h sim/vector_compare.c

libpto_a_SOURCES += \
	sim/element.c sim/element.h sim/element_loop.h \
	sim/element_float.c \
	sim/element_half.c \
	sim/element_integer.c \
	sim/cube.h sim/cube_multiply.c sim/cube_post.c \
	sim/tile_cube.c \
	sim/tile_cvt.c \
	sim/tile_element.c sim/tile_element.h \
	sim/tile_expand.c \
	sim/tile_reduce.c

libpto_a_SOURCES += \
	sim/format.c sim/format.h \
	sim/layout.c sim/layout.h \
	sim/numeric.c sim/numeric.h \
	sim/seq.c sim/seq.h \
	sim/seq_alu.c \
	sim/seq_exec.c \
	sim/seq_tensor.c \
	sim/seq_text.c \
	sim/tile.h \
	sim/tile_arrange.c \
	sim/tile_bundle.c \
	sim/tile_cell.c \
	sim/tile_convert.c \
	sim/tile_draw.c \
	sim/tile_gather.c \
	sim/tile_generate.c \
	sim/tile_io.c \
	sim/tile_memory.c \
	sim/tile_move.c \
	sim/tile_shared.c \
	sim/tile_sort.c \
	sim/tile_state.c \
	sim/tile_text.c \
	sim/tile_vector.c \
	sim/tile_view.h
