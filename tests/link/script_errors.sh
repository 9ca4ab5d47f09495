# Linker scripts that are wrong, each with its place; the message beside its legal neighbour.
cd "$work"
cat >a.pto <<'PTO'
        .globl  _start
_start: BSTART.STD RET
        BSTOP
        .data
        .8byte  _start
        .section .odd,"a"
        .byte   1
PTO
pto-as a.pto -o a.o

# script TEXT [OPTION…]: links with it, shows what is said.
script()
{
    printf '%s\n' "$1" >s.ld
    shift
    rm -f result
    if pto-ld -T s.ld -o result a.o "$@" 2>&1; then
        echo linked
    elif [ -e result ]; then
        echo 'a failed link left a file'
    fi
}

# Syntax.
script 'SECTIONS { .text : { *(.text) '
script 'SECTIONS { x = ; y = 3; z = 2 + ; }'
script 'SECTIONS { x = 08; y = 0x; z = 07; }'
script 'SECTIONS { x = 1 @ 2; }'
script 'SECTIONS { x = ALIGN(1, 2, 3); }'
script 'SECTIONS { x = MAX(1); }'
script '/* open'
script 'INCLUDE nowhere.ld'
script 'INCLUDE s.ld'
script 'MEMORY { m (q) : ORIGIN = 0, LENGTH = 1 }'

# What is not supported says so.
script 'PHDRS { text PT_LOAD; }'
script 'SECTIONS { .text : { *(.text) } :text }'
script 'SECTIONS { OVERLAY : { .a { *(.a) } } }'

# Names.
script 'SECTIONS { .text : { *(.text) } >rom }'
script 'MEMORY { m : ORIGIN = 0, LENGTH = 1 m : ORIGIN = 0, LENGTH = 1 }'
script 'REGION_ALIAS("a", m)'
script 'SECTIONS { .text : { *(.text) } .text : { *(.data) } }'
script 'SECTIONS { x = nowhere; y = ADDR(.nowhere); z = ORIGIN(nowhere); s = SIZEOF(.nowhere); }'
script 'ENTRY(nowhere)'

# Values.
script 'SECTIONS { x = 1 / 0; }'
script 'SECTIONS { x = 1 / 1; }'
script 'SECTIONS { . = 0x1002; .text . : { *(.text) } }'
script 'SECTIONS { .text : { *(.text) . = 7; } }'
script 'SECTIONS { .text : { *(.text) . = 8; } }'
script 'SECTIONS { x = y + 1; y = x; }'
script 'ASSERT(1 == 2, "one is not two")'
script 'SECTIONS { .text : { *(.text) ASSERT(. == 8, "text is not 8 bytes") } }'
script 'SECTIONS { .text : { *(.text) ASSERT(. == 9, "text is not 9 bytes") } }'

# Regions: 8 bytes of code, 8 of data.
rom='MEMORY { rom : ORIGIN = 0x1000, LENGTH = @ ram : ORIGIN = 0x2000, LENGTH = 0x100 }
SECTIONS { .text : { *(.text) } >rom .data : { *(.data) } >ram AT>rom .rest : { *(*) } >ram }'
script "${rom/@/16}"
script "${rom/@/15}"
script 'MEMORY { m : ORIGIN = 0x1000, LENGTH = 64 }
SECTIONS { .text 0x100 : { *(.text) } >m }'
script 'SECTIONS { .text 0x1000 : { *(.text) } .rest 0x3000 : { *(.odd) *(.note*) } .data 0x1004 : { *(.data) } }'
script 'SECTIONS { .text 0x1000 : { *(.text) } .rest 0x3000 : { *(.odd) *(.note*) } .data 0x2000 : AT(0x1007) { *(.data) } }'
script 'SECTIONS { .text 0x1000 : { *(.text) } .rest 0x3000 : { *(.odd) *(.note*) } .data 0x2000 : AT(0x1008) { *(.data) } }'

# What is discarded, and what is not mentioned.
script 'SECTIONS { /DISCARD/ : { *(.text) } }' -e 0
all='SECTIONS { .text : { *(.text) } .data : { *(.data) } }'
script "$all" --orphan-handling=place
script "$all" --orphan-handling=warn
script "$all" --orphan-handling=error
script "$all" --orphan-handling=discard
