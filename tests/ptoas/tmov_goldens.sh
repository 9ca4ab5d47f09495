# SPDX-License-Identifier: BSD-3-Clause
# Every tile of tests/data/tmov from PTO-AS text to the bytes that the C++ TMOV leaves.
data=../data/tmov

field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" "$data/$name.json"; }

third() { # the operand behind the source
    if [ -e "$data/$name.fp.bin" ]; then
        echo ', %fp : !pto.tile_buf<scaling, 1x32xui64>'
    elif [ -n "$(field preQuantScalar)" ]; then
        echo ', %pre : i64'
    elif [ "${name#v2v_nd_zz}" != "$name" ]; then
        echo ', %tmp : !pto.tile_buf<vec, 1x128xui8>'
    fi
}

source_text() {
    echo 'func.func @main() {'
    [ -z "$(field preQuantScalar)" ] || echo "  %pre = arith.constant $(field preQuantScalar) : i64"
    echo "  pto.tmov ins(%s : $(field src_type)$(third)) outs(%d : $(field dst_type))"
    echo '  return'
    echo '}'
}

for json in "$data"/*.json; do
    name=$(basename "$json" .json)
    case $name in
    manifest) continue ;;
    *_a3 | a2m_fp_i32_i16_*) target=a3 ;;
    *) target=a5 ;;
    esac
    source_text >"$work/$name.pto"
    pto-as --target=$target "$work/$name.pto" -o "$work/$name.o"
    pto-ld -e main "$work/$name.o" -o "$work/$name"
    set -- --tile "s=$data/$name.src.bin:raw" --undefined-byte 0xA5
    [ ! -e "$data/$name.fp.bin" ] || set -- "$@" --tile "fp=$data/$name.fp.bin:raw"
    pto-sim "$work/$name" "$@" --dump-tile "d=$work/$name.bin:raw"
    want=$data/$name.dst.bin
    [ ! -e "$data/$name.hw.bin" ] || want=$data/$name.hw.bin
    cmp -n "$(stat -c %s "$want")" "$want" "$work/$name.bin" || echo "$name differs"
done
