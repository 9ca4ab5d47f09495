# Linker scripts: where sections go, what symbols are worth, what the bytes are.
cd "$work"
cat >a.pto <<'PTO'
        .globl  _start
_start: BSTART.STD DIRECT, helper
        BSTOP
        .section .text.b,"ax"
        .balign 8
        BSTART.STD RET
        BSTOP
        .section .text.a,"ax"
        .globl  helper
helper: BSTART.STD RET
        BSTOP
        .data
        .8byte  _stack, _sidata, _edata, size
        .bss
        .zero   40
        .comm   buffer, 64, 16
        .section .comment,"",@progbits
        .asciz  "dropped"
PTO
cat >b.pto <<'PTO'
        .section .text.c,"ax"
        BSTART.STD RET
        BSTOP
        .data
        .4byte  0x11223344
        .section .data.init.10,"aw"
        .byte   10
        .section .data.init.9,"aw"
        .byte   9
        .section .data.x,"aw"
        .byte   1
PTO
pto-as a.pto -o a.o
pto-as b.pto -o b.o
mkdir lib
pto-as b.pto -o lib/member.o
ar rcS lib/libb.a lib/member.o 2>/dev/null || cp b.o lib/libb.a

# The map without the identity of the program, which every link has.
map()
{
    pto-ld -o program -Map=map "$@"
    sed -n '/^Entry/,$p' map | grep -v 'note.pto'
}

echo 'A board with ROM and RAM'
cat >common.ld <<'LD'
_stack_size = DEFINED(_stack_size) ? _stack_size : 0x80;
LD
cat >board.ld <<'LD'
/* as small boards have it */
OUTPUT_FORMAT("elf64-pto") OUTPUT_ARCH(pto)
ENTRY(helper)
INCLUDE common.ld
MEMORY
{
  rom (rx)  : ORIGIN = 0x1000, LENGTH = 64K
  ram (!rx) : ORIGIN = 0x20000000, LENGTH = 4K
}
REGION_ALIAS("data_region", ram)
SECTIONS
{
  .text : ALIGN(16) {
    *(.text)
    *(SORT(.text.*))
    . = ALIGN(64);
    _etext = .;
  } >rom =0x1234
  .notes : { *(.note*) } >rom
  _sidata = LOADADDR(.data);
  .data : { *(.data .data.*) . = ALIGN(8); _edata = .; } >data_region AT>rom
  .bss (NOLOAD) : { *(.bss*) *(COMMON) } >ram
  .stack : { . += _stack_size; PROVIDE(_stack = .); PROVIDE(unused = nowhere); } >ram
  size = SIZEOF(.data) + SIZEOF(.bss);
  ASSERT(_stack <= ORIGIN(ram) + LENGTH(ram), "no room for the stack")
  /DISCARD/ : { *(.comment) }
}
LD
map -T board.ld a.o b.o | sed 's/loaded at [0-9a-f]*/loaded at ROM/'
pto-ld -T board.ld -o program a.o b.o --defsym _stack_size=0x100 -M | grep '_stack'
pto-ld -T board.ld -o program a.o b.o --print-memory-usage | grep ram
pto-ld -T board.ld -o program a.o b.o --oformat=binary
od -An -tx1 -j28 -N16 program # padding behind the code: the fill value

echo 'Patterns'
cat >patterns.ld <<'LD'
SECTIONS
{
  . = 0x100;
  .c : { *libb.a:member.o(.text*) b.o(.text*) }
  .text : { *(EXCLUDE_FILE(*b.o) .text .text.[!a]) *(.text.?) }
  .init : { *(SORT_BY_INIT_PRIORITY(.data.init.*)) EXCLUDE_FILE(a.o) *(.data) }
  .rest : { *(.data*) BYTE(1) SHORT(2) LONG(size) QUAD(-1) FILL(0xaabbccdd) . = ALIGN(16); }
  size = 0x11223344; _stack = 0; _sidata = 0;
}
LD
map -T patterns.ld a.o b.o | sed -n '/ \.c$/,/\.bss/p'
pto-ld -T patterns.ld -o program a.o b.o --oformat=binary
od -An -tx1 -w16 program | tail -2
pto-ld -T patterns.ld -o program a.o --whole-archive lib/libb.a -M | grep '\.text\.c'

echo 'Expressions'
cat >values.ld <<'LD'
a = 1 + 2 * 3 - 8 / 4 % 3; b = 1 << 4 | 6 & 3 ^ 8; c = 3 > 2 && 2 >= 2 || 0; d = !5 == 0 ? 0x10 : 020;
e = ALIGN(0x1234, 0x100); f = MAX(3, MIN(9, 7)); g = LOG2CEIL(5000); h = ~0 - -1; i = 4K; j = 2M;
k = CONSTANT(MAXPAGESIZE); l = SEGMENT_START("text-segment", 0x7000); later = _start;
m = 5; m += 2; m *= 3; m <<= 1; m -= 2; m /= 8; m |= 8; m &= 12; n = "quoted name"; "quoted name" = 9;
SECTIONS {
  .text 0x400000 : { first = .; *(.text*) last = .; HIDDEN(inside = 4); length = last - first; }
  .data ALIGN(0x1000) : { *(.data*) }
  diff = ADDR(.data) - ADDR(.text);
  _stack = 0; _sidata = ABSOLUTE(last); _edata = 0; size = ALIGNOF(.text);
}
LD
pto-ld -T values.ld -o program a.o -Ttext=500000 -M | sed -n '/Symbols of the linker/,$p'

echo '--gc-sections: KEEP and what the script asks for'
cat >gc.ld <<'LD'
SECTIONS { .text : { *(.text) KEEP(*(.text.b)) *(.text*) } .data : { *(.data) } size = 0; _stack = 0; _sidata = 0; _edata = 0; }
LD
pto-ld -T gc.ld -o program --gc-sections --print-gc-sections a.o b.o
