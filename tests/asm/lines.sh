# LF, CRLF, CR and a byte order mark give the same object and the same line numbers.
printf '# it'\''s a "quote\n\t.text\nl:\taddi\ta0, 1, ->a1 // c\n\t/* two\n\tlines */ j\tl\n\t.ascii\t"x"\n' >"$work/lf.pto"
sed 's/$/\r/' "$work/lf.pto" >"$work/crlf.pto"
tr '\n' '\r' <"$work/lf.pto" >"$work/cr.pto"
{ printf '\357\273\277'; cat "$work/crlf.pto"; } >"$work/bom.pto"
cd "$work"
for f in lf crlf cr bom; do
    pto-as - -o $f.o <$f.pto
    cmp lf.o $f.o
    if [ $f = cr ]; then printf '\t.byte\t256\r'; else printf '\t.byte\t256\n'; fi >>$f.pto
    if pto-as - -o wrong.o <$f.pto 2>err; then echo "$f: no error"; fi
    grep -q '<stdin>:7:8: error' err || { echo "$f:"; cat err; }
done
