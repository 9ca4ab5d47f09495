# SPDX-License-Identifier: BSD-3-Clause
# Vectors of the formal model of 0.58.3 (tests/data/README.md); no failing id may be printed.
for file in scalar control tile-move tile-vector tile-indexed tile-arrange tile-matrix; do
    echo "$file"
    pto-sim --conformance "../data/vectors/$file.jsonl"
done

# A wrong expectation is told with its id, the field, and both values; the status is 1.
sed 's/"steps":8/"steps":9/; q' ../data/vectors/control.jsonl >"$work/wrong.jsonl"
pto-sim --conformance "$work/wrong.jsonl" || [ $? -eq 1 ]

# What is no vector is an error with its line; the status is 2.
printf '{"id":"x"}\n' >"$work/bad.jsonl"
pto-sim --conformance "$work/bad.jsonl" 2>&1 || echo "status $?"
