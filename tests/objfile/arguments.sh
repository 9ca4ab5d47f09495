# SPDX-License-Identifier: BSD-3-Clause
# .pto.args that no assembler wrote: each malformed row is refused, and good ones survive linking.
cd "$work"

# link ROW...: an object whose .pto.args holds these lines.
link()
{
    {
        echo '_start: addi zero, 1, ->a0'
        echo '.section .pto.args, ""'
        for row; do
            echo ".asciz \"$row\""
        done
    } | pto-as -o a.o -
    echo "$*"
    pto-ld -o a a.o || echo "status $?"
}

link 'pto-args 1 4' 'func f' 'ptr 0 1 4x8x16x32x64 a !pto.ptr<f32>' 'func two words' 'scalar 7 31 - n i8'
readelf -p .pto.args a | sed -n 's/^  \[ *[0-9a-f]*\]  //p'
link 'pto-arg 1 1' 'func f'
link 'pto-args 1 1' 'func f'
link 'pto-args 1 1' 'func '
link 'pto-args 1 1' 'ptr 0 1 - a t'
link 'pto-args 1 3' 'func f' 'func g' 'ptr 0 1 - a t'
link 'pto-args 1 2' 'func f' 'pointer 0 1 - a t'
link 'pto-args 1 2' 'func f' 'ptr 8 1 - a t'
link 'pto-args 1 2' 'func f' 'ptr 0 32 - a t'
link 'pto-args 1 2' 'func f' 'ptr 0 1 4x a t'
link 'pto-args 1 2' 'func f' 'ptr 0 1 1x1x1x1x1x1 a t'
link 'pto-args 1 2' 'func f' 'ptr 0 1 -'
link 'pto-args 1 3' 'func f' 'ptr 0 1 - a t'
