/* SPDX-License-Identifier: BSD-3-Clause */
/* PTO-AS: operations, types, attributes, regions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "tests/grammar/parse.h"

#define CHECK(cases) check_cases(cases, sizeof(cases) / sizeof *(cases))
#define BUF16        "buf(vec 16x16xf32 valid 16x16 row_major/none_box 512 0 0)"

/* The forms of the TMOV page and of pto-as.md C.1. */
static void tmov_forms(void **state)
{
    static const struct parse_case cases[] = {
        {"%left  = tmov.m2l %mat  : !pto.tile<...> -> !pto.tile<...>",
         "op tmov.m2l results(%left) (%mat:placeholder) takes placeholder gives placeholder\n"},
        {"%v1 = tmov.v2v %v0 : !pto.tile< ... >->!pto.tile<...>",
         "op tmov.v2v results(%v1) (%v0:placeholder) takes placeholder gives placeholder\n"},
        {"%dst = pto.tmov.s2d %src : !pto.tile<vec, 16x16xf32> -> !pto.tile<vec, 16x16xf32>",
         "op pto.tmov.s2d results(%dst) (%src:tile(vec 16x16xf32 valid 16x16 row_major/none_box "
         "512 0 0)) takes tile(vec 16x16xf32 valid 16x16 row_major/none_box 512 0 0) gives "
         "tile(vec 16x16xf32 valid 16x16 row_major/none_box 512 0 0)\n"},
        {"%d = tmov.s2d %s : f32 -> f32", "op tmov.s2d results(%d) (%s:f32) takes f32 gives f32\n"},
        {"%dst = pto.tmov.fp %src, %fp : f32, i64 -> i8",
         "op pto.tmov.fp results(%dst) (%src:f32, %fp:i64) takes f32 i64 gives i8\n"},
        {"pto.tmov ins(%src : !pto.tile_buf<...>) outs(%dst : !pto.tile_buf<...>)",
         "op pto.tmov ins(%src:placeholder) outs(%dst:placeholder)\n"},
        {"pto.tmov ins(%s : <vec, 16x16xf32>) outs(%d : <vec, 16x16xf32>)\n"
         "  {reluPreMode = #pto<relu_pre_mode normal_relu>,\n"
         "   accToVecMode = #pto.acc_to_vec_mode<dual_mode_split_m>}",
         "op pto.tmov ins(%s:" BUF16 ") outs(%d:" BUF16 ") {reluPreMode=relu_pre_mode:normal_relu, "
         "accToVecMode=acc_to_vec_mode:dual_mode_split_m}\n"},
        /* a type for each value, and the types of a group behind it */
        {"pto.tmov ins(%s : i32, %f : i64) outs(%d : i8)",
         "op pto.tmov ins(%s:i32, %f:i64) outs(%d:i8)\n"},
        {"pto.tmov.fp ins(%s, %f : i32, i64) outs(%d : i8)",
         "op pto.tmov.fp ins(%s:i32, %f:i64) outs(%d:i8)\n"},
        {"\"pto.tmov\"(%src, %dst, %pre) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, "
         "reluPreMode = #pto<relu_pre_mode no_relu>}> : (f32, f32, i64) -> ()",
         "op pto.tmov generic (%src:f32, %dst:f32, %pre:i64) "
         "{operandSegmentSizes=array<i32:1,1,0,1>, reluPreMode=relu_pre_mode:no_relu} takes f32 "
         "f32 i64\n"},
        {"pto.tmov ins(%exp : i8, %tmp : i8) outs(%zz : i8) {grpAxis = #pto<mx_group_axis axis0>}",
         "op pto.tmov ins(%exp:i8, %tmp:i8) outs(%zz:i8) {grpAxis=mx_group_axis:axis0}\n"},
    };
    CHECK(cases);
    (void)state;
}

static void tile_types(void **state)
{
    static const struct parse_case cases[] = {
        {"!pto.tile_buf<loc=mat, dtype=f16, rows=32, cols=48, v_row=30, v_col=47, "
         "blayout=col_major, slayout=row_major, fractal=1024, pad=2, compact=1>",
         "buf(mat 32x48xf16 valid 30x47 col_major/row_major 1024 2 1)"},
        {"!pto.tile_buf<cols=48, rows=32, slayout=row_major, blayout=col_major, v_col=?, v_row=-1, "
         "dtype=bf16, loc=left>",
         "buf(left 32x48xbf16 valid ?x? col_major/row_major 512 0 0)"},
        {"!pto.tile_buf<vec, 32x32xf16>",
         "buf(vec 32x32xf16 valid 32x32 row_major/none_box 512 0 0)"},
        {"!pto.tile_buf<vec, 0x32xf16>", "buf(vec 0x32xf16 valid 0x32 row_major/none_box 512 0 0)"},
        {"!pto.tile_buf<acc, 16x32xf32, valid=?x8, fractal=1024, blayout=col_major>",
         "buf(acc 16x32xf32 valid ?x8 col_major/none_box 1024 0 0)"},
        {"!pto.tile<loc=vec, f32, 16, 16, RowMajor, NoneBox, None, Zero>",
         "tile(vec 16x16xf32 valid 16x16 row_major/none_box 512 1 0)"},
        {"!pto.tile<f32, 16, 8>", "tile(- 16x8xf32 valid 16x8 row_major/none_box 512 0 0)"},
        {"!pto.tile<32x8xui8>", "tile(- 32x8xui8 valid 32x8 row_major/none_box 512 0 0)"},
        {"!pto.tile<Vec, 32x8x!pto.hif8, pad=Null, v_row=dyn>",
         "tile(vec 32x8x!pto.hif8 valid ?x8 row_major/none_box 512 0 0)"},
        {"<loc=scale_left, 32x8xui8, fractal=32>",
         "buf(scale_left 32x8xui8 valid 32x8 row_major/none_box 32 0 0)"},
        {"!pto.tile_buf<vec>", "buf(vec 0x0x- valid 0x0 row_major/none_box 512 0 0)"},
        {"!pto.tile_buf<...>", "placeholder"},
        {"!pto.tile_buf<\n  vec,\n  4x4xi8\n>",
         "buf(vec 4x4xi8 valid 4x4 row_major/none_box 512 0 0)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *got = parse_piece_text(cases[i].source, true);
        assert_string_equal(got, cases[i].expected);
        free(got);
    }
    (void)state;
}

static void tile_type_errors(void **state)
{
    static const struct parse_case cases[] = {
        {"!pto.tile_buf<loc=gm, 4x4xi8>",
         "! 1:19-21 bad-type: unknown loc gm in a tile type (legal: vec, mat, left, right, acc, "
         "bias, scaling, scale_left, scale_right)\n"},
        {"!pto.tile_buf<vec, 4x4xi8, blayout=diagonal>",
         "! 1:36-44 bad-type: unknown blayout diagonal in a tile type (legal: row_major, "
         "col_major)\n"},
        {"!pto.tile_buf<vec, 4x4xi8, slayout=x>",
         "! 1:36-37 bad-type: unknown slayout x in a tile type (legal: none_box, row_major, "
         "col_major)\n"},
        {"!pto.tile_buf<vec, 4x4xi8, fractal=64>", "! 1:36-38 bad-type: unknown fractal 64 in a "
                                                   "tile type (legal: 16, 32, 512, 1024, None)\n"},
        {"!pto.tile_buf<vec, 4x4xi8, pad=4>",
         "! 1:32-33 bad-type: unknown pad 4 in a tile type (legal: 0, 1, 2, 3, Null, None, Zero, "
         "Max, Min)\n"},
        {"!pto.tile_buf<vec, 4x4xi8, compact=3>",
         "! 1:36-37 bad-type: unknown compact 3 in a tile type (legal: 0, 1, 2, Null, Normal, "
         "row_plus_one, RowPlusOne)\n"},
        {"!pto.tile_buf<vec, 4x4xi8, height=3>",
         "! 1:35-36 bad-type: unknown key height in a tile type (legal: loc, dtype, rows, cols, "
         "v_row, v_col, valid, blayout, slayout, fractal, pad, compact)\n"},
        {"!pto.tile_buf<vec, 4x4xi8, pad=1, pad=1>",
         "! 1:39-40 bad-type: pad is given twice in one tile type\n"},
        {"!pto.tile_buf<vec, 4x4xi8, rows=4>",
         "! 1:33-34 bad-type: rows is given twice in one tile type\n"},
        {"!pto.tile_buf<vec, 4x4x4xi8>",
         "! 1:20-28 bad-type: the shape of a tile is ROWSxCOLSxTYPE, with two extents\n"},
        {"!pto.tile_buf<loc=vec, dtype=i8, rows=-1, cols=4>",
         "! 1:39-41 bad-type: unknown rows -1 in a tile type (legal: numbers from 0 on)\n"},
        {"!pto.tile_buf<vec, 4x4xi8, v_row=-2>",
         "! 1:34-36 bad-type: unknown v_row -2 in a tile type (legal: ?, -1 and numbers from 0 "
         "on)\n"},
        {"!pto.tile_buf<vec, 4x4xi8, valid=4>",
         "! 1:34-35 bad-type: unknown valid 4 in a tile type (legal: ROWSxCOLS)\n"},
        {"!pto.tile_buf<vec, 4x4xi8",
         "! 1:14-15 unclosed: '<' is not closed before the statement ends\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *got = parse_piece_text(cases[i].source, true);
        assert_string_equal(got, cases[i].expected);
        free(got);
    }
    (void)state;
}

static void other_types(void **state)
{
    static const struct parse_case cases[] = {
        {"f32", "f32"},
        {"index", "index"},
        {"!pto.pipe", "!pto.pipe"},
        {"!pto.ptr<f32, gm>", "!pto.ptr<f32,gm>{f32}"},
        {"<f32>", "<f32>"},
        {"!pto.tensor_view<4x?xf32>", "!pto.tensor_view<4x?xf32>{4x?xf32}"},
        {"!pto.partition_tensor_view<1x1x16x16xf16>",
         "!pto.partition_tensor_view<1x1x16x16xf16>{1x1x16x16xf16}"},
        {"memref<16x32xi8, strided<[32, 1], offset: ?>, #pto.address_space<vec>>",
         "memref<16x32xi8,strided<[32,1],offset:?>,#pto.address_space<vec>>{16x32xi8}"},
        {"vector<4xi16>", "vector<4xi16>{4xi16}"},
        {"!pto.eventid_array<8>", "!pto.eventid_array<8>"},
        {"!pto.local_array<2x2x!pto.f4E2M1x2>", "!pto.local_array<2x2x!pto.f4E2M1x2>"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *got = parse_piece_text(cases[i].source, true);
        assert_string_equal(got, cases[i].expected);
        free(got);
    }
    (void)state;
}

static void operations(void **state)
{
    static const struct parse_case cases[] = {
        {"%c0 = arith.constant 0 : index",
         "op arith.constant results(%c0) (0:index) takes index\n"},
        {"%c = arith.constant -0x10 : i64", "op arith.constant results(%c) (-16:i64) takes i64\n"},
        {"%f = arith.constant 5.0e-1 : f32", "op arith.constant results(%f) (0.5:f32) takes f32\n"},
        {"%t = arith.constant true", "op arith.constant results(%t) (true)\n"},
        {"%x = arith.constant dense<[1, 2]> : vector<2xi16>",
         "op arith.constant results(%x) (dense<[1,2]>) takes "
         "vector<2xi16>{2xi16}\n"},
        {"%4 = arith.addi %3, %1 : i64", "op arith.addi results(%4) (%3:i64, %1:i64) takes i64\n"},
        {"%3 = arith.index_cast %2 : i64 to index",
         "op arith.index_cast results(%3) (%2:i64) takes i64 gives index\n"},
        {"%31 = arith.cmpi slt, %30, %1 : index",
         "op arith.cmpi results(%31) (slt, %30:index, %1:index) takes index\n"},
        {"%a:2, %b = pto.x %c#1, %c#0 : i1, i2 -> i1, i2, i3",
         "op pto.x results(%a x2, %b) (%c#1:i1, %c#0:i2) takes i1 i2 gives i1 i2 i3\n"},
        {"%1 = pto.partition_view %0, offsets = [%c0], sizes = [%c1, %c2] : !pto.ptr<f32>",
         "op pto.partition_view results(%1) (%0:!pto.ptr<f32>{f32}) offsets=(%c0) sizes=(%c1, %c2) "
         "takes !pto.ptr<f32>{f32}\n"},
        {"%11 = pto.alloc_tile addr = %a valid_row = %b : <vec, 16x16xf32>",
         "op pto.alloc_tile results(%11) addr=(%a) valid_row=(%b) takes " BUF16 "\n"},
        {"%v = pto.load_scalar %p[%c0, 1] : !pto.ptr<f32> -> f32",
         "op pto.load_scalar results(%v) (%p[%c0, 1]:!pto.ptr<f32>{f32}) takes !pto.ptr<f32>{f32} "
         "gives f32\n"},
        {"%src = memref.alloc() : memref<16x32xi8>",
         "op memref.alloc results(%src) () takes memref<16x32xi8>{16x32xi8}\n"},
        {"pto.tgetval ins(%t, %c : i32, index) outs : i32",
         "op pto.tgetval ins(%t:i32, %c:index) gives i32\n"},
        {"pto.tcvt ins(%a{rmode = #pto<round_mode ROUND>} : f32) outs(%b : f16)",
         "op pto.tcvt ins(%a{rmode=round_mode:ROUND}:f32) outs(%b:f16)\n"},
        {"pto.tgather ins(%src, {maskPattern = #pto.mask_pattern<P0101>} : f32) outs(%d : f32)",
         "op pto.tgather ins(%src:f32, {maskPattern=mask_pattern:P0101}) outs(%d:f32)\n"},
        {"pto.barrier <PIPE_ALL>", "op pto.barrier (PIPE_ALL)\n"},
        {"pto.sync.set <PIPE_FIX>, 0", "op pto.sync.set (PIPE_FIX, 0)\n"},
        {"pto.set_flag[<PIPE_M>, <PIPE_FIX>, <EVENT_ID0>]",
         "op pto.set_flag (list(PIPE_M, PIPE_FIX, EVENT_ID0))\n"},
        {"pto.get_buf[#pto.pipe_event_type<TVEC>, 0]",
         "op pto.get_buf (list(pipe_event_type:TVEC, 0))\n"},
        {"%4 = pto.reserve_buffer{name = \"fifo\", size = 8192 : i32, location = <mat>, auto = "
         "true, "
         "x} -> i32",
         "op pto.reserve_buffer results(%4) {name='fifo', size=8192:i32, location=mat, auto=true, "
         "x=unit} gives i32\n"},
        {"%4 = pto.import_reserved_buffer{name = \"f\", peer_func = @vector_kernel} -> i32",
         "op pto.import_reserved_buffer results(%4) {name='f', peer_func=@vector_kernel} gives "
         "i32\n"},
        {"pto.aic_initialize_pipe {id = 0} (gm = %p : !pto.ptr<f32>, c = %c : i32)",
         "op pto.aic_initialize_pipe (gm=%p:!pto.ptr<f32>{f32}, c=%c:i32) {id=0}\n"},
        {"%e = pto.tpop_from_aic(%vr, %vc) {split = 0} -> i32",
         "op pto.tpop_from_aic results(%e) (%vr, %vc) {split=0} gives i32\n"},
        {"pto.comm.tgather(%1, recv(%10), group(%3, %5) : i1, i2, i3, i4) {root = 0}",
         "op pto.comm.tgather (%1:i1, recv(%10:i2), group(%3:i3, %5:i4)) {root=0}\n"},
        {"func.call @sink(%0) : (i32) -> ()", "op func.call @sink (%0:i32) takes i32\n"},
        {"call @sink(%0, %1) : (i32, f32) -> i1",
         "op call @sink (%0:i32, %1:f32) takes i32 f32 gives i1\n"},
        {"return %a, %b : i32, f32", "op return (%a:i32, %b:f32) takes i32 f32\n"},
        {"%c = builtin.unrealized_conversion_cast %a : i32 to ui32",
         "op builtin.unrealized_conversion_cast results(%c) (%a:i32) takes i32 gives ui32\n"},
        {"func.func private @f(i32, index) -> i32 attributes {pto.x}",
         "op func.func @f (private) (i32, index) {pto.x=unit} gives i32\n"},
        {"%d = tadd %a, %b : (i8, i8) -> i8;",
         "op tadd results(%d) (%a:i8, %b:i8) takes i8 i8 gives i8\n"},
        {"tadd %d, %a : (i8, i8)", "op tadd (%d:i8, %a:i8) takes i8 i8 destination-first\n"},
        {"tadd ins(%a : i8) outs(%d : i8)", "op tadd ins(%a:i8) outs(%d:i8)\n"},
        {"frob ins", "macro frob 'ins'\n"},
        {".arg %a : i8", "op .arg (%a:i8) takes i8 destination-first\n"},
        {".const %c = 5 : i8", "op .const (%c=5:i8) takes i8 destination-first\n"},
    };
    CHECK(cases);
    (void)state;
}

static void attributes(void **state)
{
    static const struct parse_case cases[] = {
        {"tstore %t, %m #atomic=add", "op tstore (%t, %m) {atomic=add}\n"},
        {"tstore %t # atomic=add", "op tstore (%t)\n"},
        {"tstore %t #atomic", "op tstore (%t)\n"},
        {"pto.x {a = #pto<cmp eq>, b = #pto.cmp<eq>, c = #pto.layout<nd>}",
         "op pto.x {a=cmp:eq, b=cmp:eq, c=layout:nd}\n"},
        {"pto.x {a = [1, 2.5, \"s\", @f, w], b = {c = 1}, d = []}",
         "op pto.x {a=[1, 2.5, 's', @f, w], b={c=1}, d=[]}\n"},
        {"pto.x {\"a-b\" = f32, c = !pto.pipe, d = memref<2xf32>}",
         "op pto.x {a-b=f32, c=!pto.pipe, d=memref<2xf32>{2xf32}}\n"},
        {"pto.x {c = #pto.tile_buf_config<b=#pto.blayout<row_major>, s=512>}",
         "op pto.x {c=raw #pto.tile_buf_config<b=#pto.blayout<row_major>,s=512>}\n"},
        {"pto.x {}", "op pto.x\n"},
        {"pto.x {,}", "! 1:8-9 syntax: unexpected ','; expected a key or '}'\n"},
        {"pto.x {a = }", "! 1:12-13 syntax: unexpected '}'; expected a value, '{' or '['\n"},
    };
    CHECK(cases);
    (void)state;
}

static void regions(void **state)
{
    static const struct parse_case cases[] = {
        {"module {\nfunc.func @f(%a: i32, %b : f32) -> (i1) {\nreturn\n}\n}",
         "op module opens\nop func.func @f (%a:i32, %b:f32) gives i1 opens\nop return\nend \nend "
         "\n"},
        {"module { func.func @f() { return } }",
         "op module opens\nop func.func @f () opens\nop return\nend \nend \n"},
        {"module attributes {pto.target_arch = \"a3\"} {\n}",
         "op module {pto.target_arch='a3'} opens\nend \n"},
        {"module\n{\n}", "op module opens\nend \n"},
        {"func.func @f() attributes {pto.entry} {\n}",
         "op func.func @f () {pto.entry=unit} opens\nend \n"},
        {"scf.for %i = %c0 to %c2 step %c1 {\n}",
         "op scf.for (%i=%c0) to=(%c2) step=(%c1) opens\nend \n"},
        {"%r = scf.for %i = %a to %b step %c iter_args(%x = %y,\n  %z = %w) -> (i1, i2) {\n}",
         "op scf.for results(%r) (%i=%a) to=(%b) step=(%c) iter_args=(%x=%y, %z=%w) gives i1 i2 "
         "opens\nend \n"},
        {"%r:2 = scf.if %c -> (i1, i2) {\n} else {\n}",
         "op scf.if results(%r x2) (%c) gives i1 i2 opens\nelse else\nend \n"},
        {"%r = scf.while (%a = %b) : (i1) -> i2 {\n} do {\n^bb0(%x: i1, %y : i2):\n}",
         "op scf.while results(%r) (%a=%b:i1) takes i1 gives i2 opens\nelse do\n"
         "block ^bb0 (%x:i1, %y:i2)\nend \n"},
        {"pto.section.cube {\n}", "op pto.section.cube opens\nend \n"},
        {"}", "! 1:1-2 syntax: '}' closes no region\n"},
        {"} else {", "! 1:1-9 syntax: '}' closes no region\n"},
        {"module {\n", "op module opens\n! 1:1-9 unclosed: the region of this operation is not "
                       "closed by '}'\n"},
        /* the end of a region goes with the operation that was in error */
        {"scf.for , {\n}\nBSTOP", "! 1:9-10 syntax: unexpected ','\ninsn BSTOP\n"},
    };
    CHECK(cases);
    (void)state;
}

/* An operation goes on where no statement can start. */
static void continuation(void **state)
{
    static const struct parse_case cases[] = {
        {"pto.tmov ins(%a : i8)\n  outs(%b : i8)\n  {x}",
         "op pto.tmov ins(%a:i8) outs(%b:i8) {x=unit}\n"},
        {"pto.tmov ins(%a,\n    %b\n  : i8,\n    i8) outs(%c : i8)",
         "op pto.tmov ins(%a:i8, %b:i8) outs(%c:i8)\n"},
        {"%a = pto.x %b\n # note\n  : i8\n  -> i8",
         "op pto.x results(%a) (%b:i8) takes i8 gives i8\n"},
        {"pto.x %a,\n%b", "op pto.x (%a, %b)\n"},
        {"pto.x %a\npto.y %b", "op pto.x (%a)\nop pto.y (%b)\n"},
        {"return\n%a = pto.x", "op return\nop pto.x results(%a)\n"},
        {"pto.x %a }", "op pto.x (%a)\n! 1:10-11 syntax: '}' closes no region\n"},
    };
    CHECK(cases);
    (void)state;
}

static void type_counts(void **state)
{
    static const struct parse_case cases[] = {
        {"pto.x ins(%a, %b : i8) outs(%c : i8)", "! 1:20-22 type-count: 1 type for 2 values\n"},
        {"pto.x ins(%a : i8, i16) outs(%c : i8)", "! 1:16-18 type-count: 2 types for 1 value\n"},
        {"pto.x ins(%a, 3 : i8, i16)", "op pto.x ins(%a:i8, 3:i16)\n"},
        {"pto.x ins(%a, 3 : i8)", "op pto.x ins(%a:i8, 3)\n"},
    };
    CHECK(cases);
    (void)state;
}

/* Names for types and attributes, and what the first PTO-AS had. */
static void names_and_modifiers(void **state)
{
    static const struct parse_case cases[] = {
        {"!t = f32\n%a = pto.x %b : !t",
         "type-alias !t\nop pto.x results(%a) (%b:f32) takes f32\n"},
        {"#l = #pto.layout<nd>\npto.x {a = #l}  # no alias",
         "attr-alias #l\nop pto.x {a=layout:nd}\n"},
        {"!t = f32\n!t = f16", "type-alias !t\n! 2:1-3 syntax: the alias !t is defined twice\n"},
        {"pto.x %t!loc=vec, %u", "op pto.x (%t, %u)\n"},
        {"%s = memref.cast %a to offset: [%b], sizes: [%c, %d] : f32 to f16",
         "op memref.cast results(%s) (%a:f32) (to) offset=(%b) sizes=(%c, %d) takes f32 gives "
         "f16\n"},
        {"pto.x iter_args(%a = %b) valid [%c]", "op pto.x iter_args=(%a=%b) valid=(%c)\n"},
    };
    CHECK(cases);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tmov_forms),       cmocka_unit_test(tile_types),
        cmocka_unit_test(tile_type_errors), cmocka_unit_test(other_types),
        cmocka_unit_test(operations),       cmocka_unit_test(attributes),
        cmocka_unit_test(regions),          cmocka_unit_test(continuation),
        cmocka_unit_test(type_counts),      cmocka_unit_test(names_and_modifiers),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
