# The same sources give the same bytes, twenty times, whatever the directory and the time.
here=$(pwd)
for i in $(seq 1 20); do
    dir=$work/$i/$(printf 'd%.0s' $(seq 1 "$i"))
    mkdir -p "$dir"
    cp "$here/determinism_a.inc" "$dir/a.pto"
    cp "$here/determinism_b.inc" "$dir/b.pto"
    (cd "$dir" && pto-as -g a.pto -o a.o && pto-as -g b.pto -o b.o &&
        pto-ld --build-id -Map=program.map -o program a.o b.o)
    sha256sum <"$dir/a.o" >>"$work/objects"
    sha256sum <"$dir/program" >>"$work/programs"
    sha256sum <"$dir/program.map" >>"$work/maps"
done
for list in objects programs maps; do
    [ "$(wc -l <"$work/$list")" -eq 20 ]
    [ "$(sort -u "$work/$list" | wc -l)" -eq 1 ] || echo "$list differ"
done
