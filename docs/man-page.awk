# SPDX-License-Identifier: BSD-3-Clause
# Makes a manual page: awk -v version=N -f man-page.awk HELP TEMPLATE
# HELP is the program's --help; its option lines ("  -o FILE    text") replace @OPTIONS@,
# lines that are indented further go on with the text before them.

function roff(text)
{
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    return text
}

NR == FNR && /^  -/ {
    line = substr($0, 3)
    at = match(line, /  +[^ ]/)
    name = at ? substr(line, 1, at - 1) : line
    text = at ? substr(line, at) : ""
    sub(/^ +/, "", text)
    options = options ".TP\n.B \"" roff(name) "\"\n" (text == "" ? "" : roff(text) "\n")
    next
}

NR == FNR && /^     / && options != "" {
    sub(/^ +/, "")
    options = options roff($0) "\n"
    next
}

NR == FNR { next }

/^@OPTIONS@$/ {
    printf "%s", options
    next
}

{
    gsub(/@VERSION@/, version)
    print
}
