# Printing what --print has printed changes nothing: every source of this folder that parses.
for source in *.pto; do
    pto-as --print "$source" >"$work/once" 2>/dev/null || continue
    pto-as --print - <"$work/once" >"$work/twice"
    cmp "$work/once" "$work/twice" || echo "$source"
done
