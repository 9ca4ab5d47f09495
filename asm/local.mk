# asm
