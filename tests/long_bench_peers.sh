#!/bin/sh
# scripts/bench-peers, with whatever programs there are: each is timed or said to be missing.
# Usage, at the top of the source tree: STEELYARD=PROGRAM tests/long_bench_peers.sh
set -u

. tests/begin.inc
bench=$top/scripts/bench-peers

explain() {
    sed 's/^/  /' out err
}

"$bench" --rounds 1 --json peers.json >out 2>err
ok "a round" test $? -eq 0
ok "our own speed in perft" grep -qE '^steelyard +[56] +(119060324|4865609) +[1-9][0-9]{5,} +1.00$' out
ok "our own speed in search" grep -qE '^steelyard +[1-9][0-9]{4,} +1.00$' out
for program in stockfish fairy-stockfish ethereal-chess fairymax sjaakii gnuchess; do
    ok "$program is there or missing" grep -qE "^$program +([0-9]+ +[0-9.]+|missing)\$" out
    ok "and in the file" grep -qE "\"$program\": (null|\{\"search\": \{\"nodes_per_second\": [1-9])" peers.json
done
ok "the machine is named" grep -qE '"machine": "[^"]+"' peers.json
! "$bench" --rounds none >out 2>err
ok "a wrong number of rounds" grep -q 'rounds needs a number' err
! STEELYARD=$work/nowhere "$bench" >out 2>err
ok "no program of our own" grep -q "no program '$work/nowhere'" err

end
