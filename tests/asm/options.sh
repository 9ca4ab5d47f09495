# Outputs, exit statuses and options of pto-as.
src=$work/src; mkdir -p "$src" "$work/d"
good=$src/good.pto; bad=$src/bad.pto
printf '\t.text\n\taddi\ta0, 1, ->a1\n\t.data\n\t.byte\tvalue\n' >"$good"
printf '\t.byte\t256\n' >"$bad"
fails() { local want=$1; shift; local got=0; "$@" >"$work/out" 2>&1 || got=$?; [ "$got" -eq "$want" ] || { echo "status $got, expected $want: $*"; cat "$work/out"; }; }

# No input, unknown option, missing argument, wrong value: usage errors.
fails 2 pto-as
fails 2 pto-as --nonsense "$good"
fails 2 pto-as "$good" -o
fails 2 pto-as -march=pto9 "$good"
fails 2 pto-as -mseq=pto0.58.3 "$good"
fails 2 pto-as --target=a4 "$good"
fails 2 pto-as -fmax-errors=x "$good"
fails 2 pto-as --diagnostics-format=xml "$good"
fails 2 pto-as -az "$good"
fails 0 pto-as --help
fails 0 pto-as --version
fails 1 pto-as "$work/absent.pto" -o "$work/absent.o"

# What is wrong with a value, word by word.
says() { local message=$1; shift; pto-as "$@" 2>&1 | head -n 1 | diff - <(echo "$message"); }
says "pto-as: error: unknown revision 'pto9' (pto0.58.2, pto0.58.3, pto0.58.5) [usage]" -march=pto9 "$good"
says "pto-as: error: unknown revision 'cayman' (pto0.58.2, pto0.58.3, pto0.58.5) [usage]" -march=cayman "$good"
says "pto-as: error: unknown SEQ generation 'x' (sunda, cayman, mariana, maverick) [usage]" -mseq=x "$good"
says "<command line>: error: --defsym 1x=2: '1x' is no name of a symbol [usage]" -D 1x=2 "$good"
says "<command line>: error: --defsym a-b=2: 'a-b' is no name of a symbol [usage]" --defsym a-b=2 "$good"
says "<command line>: error: --defsym =2: '' is no name of a symbol [usage]" -D =2 "$good"
says "<command line>: error: --defsym value=: a value is missing behind 'value=' [usage]" -D value= "$good"
says "<command line>:1:1: error: the value of --defsym must be known here, but uses a symbol that is defined later or nowhere [not-constant]" -D value=abc "$good"
fails 0 pto-as -D value "$good" -o "$work/value.o"
fails 0 pto-as -D .x_1\$=2 -D value=.x_1\$+1 "$good" -o "$work/value.o"

# Several inputs go into a directory; a failed one leaves no object there, not even an old one.
echo old >"$work/d/bad.o"
fails 1 pto-as --defsym value=7 "$good" "$bad" -o "$work/d"
grep -q 'bad.pto:1:8: error: 256 is not in' "$work/out"
[ -f "$work/d/good.o" ]
[ ! -e "$work/d/bad.o" ]

# Without -o the object is NAME.o in the working directory.
cd "$work"
fails 0 pto-as -Dvalue=7 "$good"
cmp good.o d/good.o

# The same bytes whatever the directory, the order of options and the reading of standard input.
mkdir other; cd other
fails 0 pto-as "$good" --defsym=value=7 -o x.o
cmp x.o ../good.o
pto-as -D value=7 - -o y.o <"$good"
cmp y.o ../good.o
cd ..

# The source is never overwritten or removed.
fails 1 pto-as "$good" -o "$good"
[ -s "$good" ]

# --check writes nothing and removes nothing.
rm good.o
fails 0 pto-as --check -Dvalue=1 "$good"
[ ! -e good.o ]

# Warnings: silenced, or errors.
printf '\t.warning "w"\n' >w.pto
fails 0 pto-as w.pto -o w.o
grep -q 'warning: w' out
fails 0 pto-as --no-warn w.pto -o w.o
[ ! -s out ]
fails 0 pto-as -W w.pto -o w.o
[ ! -s out ]
fails 1 pto-as --fatal-warnings w.pto -o w.o
[ ! -e w.o ]

fails 1 pto-as -W --warn --fatal-warnings w.pto -o w.o
fails 0 pto-as -W --fatal-warnings --warn w.pto -o w.o
grep -q 'warning: w' out

# Messages as JSON, and their limit.
fails 1 pto-as --diagnostics-format=json "$bad" -o b.o
grep -q '"code": *"data-range"' out
printf '\t.byte\t256\n\t.byte\t257\n\t.byte\t258\n' >three.pto
fails 1 pto-as -fmax-errors=2 three.pto -o t.o
[ "$(grep -c 'error:' out)" -eq 2 ]
grep -q '1 more error not shown' out

# Dependencies and include directories: a name is joined with '/', not glued.
mkdir b
printf '\t.byte\t1\n' >b/ad.inc; printf '\t.byte\t2\n' >bad.inc
printf '\t.data\n\t.include "ad.inc"\n\t.incbin "ad.inc", 0, 1\n' >dep.pto
fails 0 pto-as -Ib dep.pto -MD -o dep.o
[ "$(cat dep.d)" = 'dep.o: dep.pto b/ad.inc' ]
fails 0 pto-as -I b dep.pto -MF rule -o dep.o
cmp rule dep.d

# The listing.
pto-as -al w.pto -o w.o -W

# Nor by a listing or a rule for make.
cp "$good" kept
fails 1 pto-as "$good" "-a=$good" -o x.o
fails 1 pto-as "$good" "-MF=$good" -o x.o
cmp kept "$good"

# Standard output takes the object, and nothing beside it.
pto-as -Dvalue=7 "$good" -o - >stdout.o
cmp stdout.o d/good.o
pto-as -Dvalue=7 -o - -- - <"$good" | cmp - d/good.o
says "pto-as: error: object and listing would both go to standard output [usage]" -a -o - "$good"
says "pto-as: error: -MD needs -MF FILE when the object goes to standard output [usage]" -MD -o - "$good"
cp "$bad" ./-; fails 1 pto-as "$bad" -o -; [ -e ./- ]; rm ./-

# What two objects cannot share.
says "pto-as: error: -MF names one file for the rules of several objects; -MD writes each its own [usage]" -MF x "$good" "$good"
says "pto-as: error: -MT and -MQ name one target for several objects [usage]" -MD -MT x "$good" "$good"
says "pto-as: error: -a…=FILE names one file for the listings of several objects [usage]" -a=x "$good" "$good"

# Options from a file.
printf -- '-D value=7
-o "from file.o"
' >response
pto-as @response "$good"
cmp "from file.o" d/good.o

# Versions: --version alone, -v beside the work.
pto-as --version | grep -q '^pto-as (ptobinutils) [0-9.]*$'
pto-as -v -Dvalue=7 "$good" -o v.o 2>out
grep -q '^pto-as (ptobinutils) [0-9.]*$' out
cmp v.o d/good.o

# Local labels and numbers as symbols: by default, with -L, without local numbers.
printf '	.text
.Lhere: addi a0, 1, ->a0
1:	j 1b
	.set n, 5
	.globl g
	.set g, 6
	.data
d:	.byte n
' >l.pto
names() { pto-as "$@" l.pto -o l.o; pto-objdump -t l.o | awk '$1 ~ /^[0-9a-f]*$/ && $NF ~ /^[.a-z]/ && NF > 3 && $NF !~ /^\.(text|data)$/ { print $NF }' | sort | paste -sd' '; }
[ "$(names)" = "d g n" ] || names
[ "$(names -L)" = ".Lhere d g n" ] || names -L
[ "$(names --keep-locals)" = ".Lhere d g n" ]
[ "$(names --strip-local-absolute)" = "d g" ] || names --strip-local-absolute

# Names in the line table, moved: the last map that fits counts.
mkdir -p deep/er; printf '	addi a0, 1, ->a0
' >deep/er/x.pto
strings_of() { pto-as -g "$@" -o x.o; grep -aoE '[a-z/.]*x\.pto' x.o | sort -u | paste -sd' '; }
[ "$(strings_of deep/er/x.pto)" = deep/er/x.pto ]
[ "$(strings_of --debug-prefix-map deep=/src deep/er/x.pto)" = /src/er/x.pto ]
[ "$(strings_of --debug-prefix-map=deep=/src --debug-prefix-map=deep/er= deep/er/x.pto)" = /x.pto ]
[ "$(strings_of --debug-prefix-map=er=/src --gdwarf-5 deep/er/x.pto)" = deep/er/x.pto ]
says "pto-as: error: --debug-prefix-map= takes OLD=NEW, not 'deep' [usage]" --debug-prefix-map=deep "$good"

# What could not be printed is an error.
if [ -c /dev/full ]; then
    got=0; pto-as --help >/dev/full 2>out || got=$?
    [ "$got" -eq 1 ]
    grep -q '^<stdout>: error: cannot write: ' out
fi
