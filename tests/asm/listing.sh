# Every letter of -a, and what stands where.
cd "$work"
printf '\t.byte 9\n\t.ascii "a long string"\n' >i.inc
printf 'int a;\nint b;\nint c;\n' >c.c
cat >x.pto <<'END'
	.file 1 "c.c"
	.data
	.macro two a, b=2
	.byte \a
	.byte \b
	.endm
	.if 0
	.byte 77
	.else
	two 1
	.endif
	.include "i.inc"
	.rept 2
	.byte 5
	.endr
	.text
	.loc 1 2
	addi a0, 1, ->a1
	.loc 1 3
here:	addi a0, 2, ->a1
	.bss
	.zero 3
	.globl far
	.set n, 7
END
pto-as -almhs x.pto
# What the others leave out or add.
for letters in c d h m; do
    echo "-al$letters"
    pto-as -al$letters x.pto | diff <(pto-as -al x.pto) - || true
done
pto-as -acdm x.pto | diff - <(pto-as -alm x.pto | grep -v '77\|\.file\|\.loc')
pto-as -aln x.pto | diff - <(pto-as -al x.pto)
pto-as -a x.pto | diff - <(pto-as -ahls x.pto)
pto-as -a x.pto | diff - <(pto-as -al -ah -as x.pto)
pto-as -an x.pto
pto-as -amcs=file x.pto && diff file <(pto-as -amcs x.pto)
pto-as -agl x.pto | diff - <(
    echo "$(pto-as --version)"
    printf 'input: x.pto\noutput: x.o\noptions: -agl x.pto\n\n'
    pto-as -al x.pto)
echo -e "\t.data" >d.pto; pto-as -al d.pto i.inc d.pto -o both.o

# A file that .loc names and that is not there, or is shorter, adds nothing.
rm c.c; pto-as -ah x.pto | diff - <(pto-as -al x.pto)
echo 'int a;' >c.c; pto-as -ah x.pto | diff - <(pto-as -al x.pto)
# Forms that are relaxed, and a macro that leaves early.
cat >y.pto <<'END'
	.macro leave
	addi a0, 1, ->a1
	.exitm
	.byte 1
	.endm
	leave
	C.BSTART DIRECT, far
	.space 5000
far:	BSTART.STD DIRECT, far
END
pto-as -mno-bundle-check -aml y.pto | grep -v '0*0000$'
# The listing has all bytes of the object, whatever the letters.
pto-as -mno-bundle-check -al y.pto | cut -c23-38 | tr -d ' \n' >listed
pto-objdump -s -j .text y.o | sed -n 's/^ [0-9a-f]* \(\([0-9a-f]\{2,8\} \)\{1,4\}\).*/\1/p' | tr -d ' \n' >dumped
cmp listed dumped
