# objdump
