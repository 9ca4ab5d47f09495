# Every case of tests/data/tmov from PTO-AS text to bytes: assembled, linked and run.
data=../data/tmov
member() { sed -n "s/^ \"$2\":\"\([^\"]*\)\",\{0,1\}\$/\1/p" "$data/$1.json"; }
for json in "$data"/*.json; do
    name=$(basename "$json" .json)
    src=$(member "$name" src_type) dst=$(member "$name" dst_type)
    fp=$(member "$name" fp_bin) scalar=$(member "$name" preQuantScalar)
    case $name in *_a3 | *_i32_i16_*) target=a3 ;; *) target=a5 ;; esac
    operands="%src : $src" tiles="--tile src=$data/$name.src.bin:raw"
    : >"$work/case.pto"
    if [ -n "$fp" ]; then
        operands="%src, %fp : $src, !pto.tile_buf<loc=scaling, dtype=ui64, rows=1, cols=32, v_row=1, v_col=32, blayout=row_major, slayout=none_box, fractal=512, pad=0>"
        tiles="$tiles --tile fp=$data/$fp:raw"
    elif [ -n "$scalar" ]; then
        operands="%src, %pre : $src, i64"
        echo "%pre = arith.constant $((scalar)) : i64" >>"$work/case.pto"
    fi
    echo "pto.tmov ins($operands) outs(%dst : $dst)" >>"$work/case.pto"
    pto-as --target=$target "$work/case.pto" -o "$work/case.o"
    pto-ld "$work/case.o" -o "$work/case"
    pto-sim "$work/case" $tiles --undefined-byte=0xa5 --dump-tile "dst=$work/dst.bin:raw"
    expected=$data/$name.hw.bin
    [ -f "$expected" ] || expected=$data/$name.dst.bin
    cmp "$work/dst.bin" "$expected" || echo "$name differs"
    [ -f "$data/$name.hw.bin" ] || continue
    # The same by the formulas of the C++ model.
    pto-sim "$work/case" --quant=cpusim $tiles --undefined-byte=0xa5 --dump-tile "dst=$work/dst.bin:raw"
    cmp "$work/dst.bin" "$data/$name.dst.bin" || echo "$name differs with --quant=cpusim"
done

# Without the extension the same object is judged as the plain ISA does.
status=0
pto-sim --strict "$work/case" --tile "src=$data/$name.src.bin:raw" >"$work/report" 2>&1 || status=$?
echo "strict: status $status"
sed -n 's/^fault: //p' "$work/report"
