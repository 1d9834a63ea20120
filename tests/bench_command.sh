#!/bin/sh
# Tests of `steelyard bench`: the play signature, which changes only when play does, and refusals.
# Usage, at the top of the source tree: STEELYARD=PROGRAM tests/bench_command.sh
#
# tests/data/signatures has the signature of every shipped game and of all. After a change that means to change play,
# `steelyard bench --search --nodes 500 | awk '{print $1, $NF}' >tests/data/signatures` writes it anew, and the
# experiments in results/ are to be run again.
set -u

. tests/begin.inc
expected=$top/tests/data/signatures

# The program refuses with exit status 2 and says WORD.
refuses() { # WORD ARGUMENT ...
    word=$1
    shift
    "$steelyard" bench "$@" >out 2>err
    [ $? -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q -- "$word" err
}

"$steelyard" bench --search --nodes 500 >out 2>err
ok "the bench runs" [ $? -eq 0 ]
awk '{print $1, $NF}' out >signatures
ok "play is what it was" cmp -s signatures "$expected"
cmp -s signatures "$expected" || diff "$expected" signatures

"$steelyard" bench chess panal --playouts >out 2>err
ok "random games are played" [ "$(grep -c ' playouts .* games/s .* 0 cut$' out)" -eq 2 ]
ok "a negative count is refused" refuses "whole number" --search --nodes -5
ok "no nodes are refused" refuses "whole number" --nodes 0
ok "an unknown option is refused" refuses "--depth" --depth 3

end
