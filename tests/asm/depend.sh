# Rules for make: targets, phony rules, quoting, each file once; make itself reads them.
cd "$work"
is() { diff "$1" - || echo "($1)"; }
printf '\t.data\n\t.include "a.inc"\n\t.include "b.inc"\n\t.include "a.inc"\n' >x.pto
printf '\t.byte 1\n' >a.inc
printf '\t.incbin "a.inc"\n' >b.inc

pto-as -MD x.pto
echo 'x.o: x.pto a.inc b.inc' | is x.d
pto-as -MF x.dep -o y.o x.pto
echo 'y.o: x.pto a.inc b.inc' | is x.dep
pto-as --MD gnu.d -o y.o x.pto
echo 'y.o: x.pto a.inc b.inc' | is gnu.d
pto-as -MD -MP x.pto
printf 'x.o: x.pto a.inc b.inc\n\na.inc:\n\nb.inc:\n' | is x.d
pto-as -MD -MT 'one two' -MT '$(O)/x.o' x.pto
echo 'one two $(O)/x.o: x.pto a.inc b.inc' | is x.d
pto-as -MD -MQ 'one two' -MQ '$(O)' x.pto
echo 'one\ two $$(O): x.pto a.inc b.inc' | is x.d
pto-as -MF x.d -MT o.o -o x.o - <x.pto
echo 'o.o: a.inc b.inc' | is x.d
# Several inputs of one object, and an object for each.
pto-as -MD -MP x.pto x.pto a.inc -o all.o
printf 'all.o: x.pto x.pto a.inc a.inc b.inc\n\na.inc:\n\nb.inc:\n' | is all.d
cp x.pto z.pto
pto-as -MD x.pto z.pto
echo 'z.o: z.pto a.inc b.inc' | is z.d
# A file that was assembled a second time, for the older revision, has each name once.
printf '\t.data\n\t.include "a.inc"\n\t.text\n\tBSTART.GMOV U8\n\tB.IOT T#1, mask=0110, last, ->T<1>\n' >old.pto
pto-as -MD -mno-bundle-check -W old.pto
echo 'old.o: old.pto a.inc' | is old.d
# No rule after an error.
rm -f x.d; echo bad >bad.inc; printf '\t.include "bad.inc"\n' >bad.pto
pto-as -MF x.d bad.pto 2>err && echo "no error"
[ ! -e x.d ]
# A name with a line end has no rule.
printf '\t.byte 2\n' >"$(printf 'n\nl')"
printf '\t.include "n\\nl"\n' >nl.pto
pto-as -MD nl.pto 2>err && echo "no error"
grep -q 'a rule for make cannot have a name with a line end' err || cat err
[ ! -e nl.o ]

# Long rules are continued.
long=$(printf 'd%.0s' {1..60}); mkdir "$long"
printf '\t.byte 3\n' >"$long/c.inc"
printf '\t.include "%s/c.inc"\n\t.include "a.inc"\n' "$long" >l.pto
pto-as -MD l.pto
printf 'l.o: l.pto %s/c.inc \\\n  a.inc\n' "$long" | is l.d

# What make does with strange names: nothing to do, then again what changed, then a file that is gone.
names=('sp ace.inc' 'ha#sh.inc' 'do$lar.inc' 'co:lon.inc' 'per%cent.inc' 'back\ slash.inc' 'back\slash.inc')
: >all.pto
for name in "${names[@]}"; do
    printf '\t.data\n\t.byte 1\n' >"$name"
    printf '\t.include "%s"\n' "${name//\\/\\\\}" >>all.pto
done
pto-as -MD -MP -MQ 'out $1#:%.o' -o 'out $1#:%.o' -MF rule.d all.pto
printf 'include rule.d\nout\\ $$1\\#\\:\\%%.o:\n\t@echo made\n' >Makefile
command -v make >/dev/null || exit 0
unset MAKEFLAGS MFLAGS MAKELEVEL
touch -d '2020-01-01' all.pto "${names[@]}"
touch -d '2021-01-01' 'out $1#:%.o'
made() { make -s 'out $1#:%.o' | sed 's/.*is up to date.*//'; }
[ "$(made)" = "" ] || { echo "made for nothing"; cat rule.d; }
for name in "${names[@]}"; do
    touch -d '2022-01-01' "$name"
    [ "$(made)" = made ] || { echo "not made for $name"; cat rule.d; }
    touch -d '2020-01-01' "$name"
    mv "$name" gone
    [ "$(made)" = made ] || { echo "not made without $name"; cat rule.d; }
    mv gone "$name"
done
