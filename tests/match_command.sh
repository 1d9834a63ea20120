#!/bin/sh
# Tests of `steelyard match` as a user meets it: the same bytes at any number of threads, the sequential test, void games,
# and what is wrong with a file.
# Usage, at the top of the source tree: STEELYARD=PROGRAM tests/match_command.sh
set -u

. tests/begin.inc
fake=$top/tests/data/fake-engine

explain() {
    sed 's/^/  /' out err
}

run() {
    "$steelyard" match "$@" >out 2>err
    status=$?
}

ended_with() { # STATUS
    [ "$status" -eq "$1" ]
}

failed_with() { # STATUS WORDS
    [ "$status" -eq "$1" ] && [ "$(wc -l <err)" -eq 1 ] && grep -qF -- "$2" err
}

# ---- our own engine against itself ----

cat >own.json <<'END'
{"title": "Twice the nodes", "design": "match", "variant": "glinski", "seed": 5, "games": 16, "nodes": 60,
 "opening": {"plies": [2, 5]}, "adjudicate": {"plies": 120, "score": 10, "for": 6},
 "players": {"more": {"nodes": 240}, "less": {"engine": {"eval.noise": 0.2}}}}
END
run own.json -o one --threads 1
ok "a match at one thread" ended_with 0
cp out text
run own.json -o two --threads 2
ok "a match at two threads" ended_with 0
ok "the same games" cmp one/games.jsonl two/games.jsonl
ok "the same result" cmp one/match.json two/match.json
ok "the same text" cmp text out
ok "every game is there" test "$(wc -l <one/games.jsonl)" -eq 16
ok "colours change within a pair" grep -q '^{"n":1,"white":"less","black":"more"' one/games.jsonl
openings() { # the random moves of each game of two plies or more
    sed 's/.*"moves":"\([^ ]* [^ ]*\).*/\1/' one/games.jsonl
}
ok "a pair shares its opening" test "$(openings | uniq | wc -l)" -le 8
ok "the better player wins" grep -q '^  more scores' out
"$steelyard" replay glinski one/games.jsonl >out 2>err
ok "the games replay" grep -q '^16 games, 0 failed' out

sed 's/"games": 16/"games": 400, "sprt": {"elo0": -50, "elo1": 0, "alpha": 0.2, "beta": 0.2}/' own.json >sprt.json
run sprt.json -o sprt1 --threads 1
ok "a sequential match ends" grep -q 'accepts H1' out
run sprt.json -o sprt2 --threads 2
ok "and at the same game" cmp sprt1/games.jsonl sprt2/games.jsonl
ok "long before the last" test "$(wc -l <sprt1/games.jsonl)" -lt 200

# ---- going on ----

run own.json -o one
ok "a match that is there is not played again unasked" failed_with 1 "--resume"
run own.json -o one --resume --threads 1
ok "a complete match is only counted" cmp text out
cp -r one cut
head -c -30 one/games.jsonl >cut/games.jsonl
run own.json -o cut --resume
ok "half a line is cut off" grep -q 'half a line' err
ok "and played again" cmp one/games.jsonl cut/games.jsonl
ok "with the same result" cmp one/match.json cut/match.json

sed 's/"games": 16, "nodes": 60/"games": 16, "nodes": 1000/' own.json >long.json
run long.json -o long
"$steelyard" match long.json -o killed --threads 1 >out 2>err &
pid=$!
for _ in $(seq 600); do
    [ -f killed/games.jsonl ] && [ "$(wc -l <killed/games.jsonl)" -ge 3 ] && break
    sleep 0.02
done
run long.json -o killed --resume
ok "a directory in use is refused" failed_with 1 "another run"
kill -9 $pid
wait $pid 2>/dev/null
ok "killed in the middle" test "$(wc -l <killed/games.jsonl)" -lt 16
run long.json -o killed --resume
ok "a killed match goes on" ended_with 0
ok "with the same games" cmp long/games.jsonl killed/games.jsonl
ok "and the same numbers" cmp long/match.json killed/match.json

head -n 5 sprt1/games.jsonl >five
cp -r sprt1 sprt3 && cp five sprt3/games.jsonl
run sprt.json -o sprt3 --resume
ok "a resumed test ends at the same game" cmp sprt1/games.jsonl sprt3/games.jsonl
ok "with the same verdict" cmp sprt1/match.json sprt3/match.json

sed 's/"seed": 5/"seed": 6/' own.json >other.json
run other.json -o one --resume
ok "another match is refused" failed_with 1 "another match"
cp -r one forged
sed -i '3s/"moves":"[^ "]* [^ "]* /"moves":"/' forged/games.jsonl
run own.json -o forged --resume
ok "a forged game is found" failed_with 65 "forged/games.jsonl:3: "
cp -r one longer && cat five >>longer/games.jsonl
run own.json -o longer --resume
ok "games too many are found" failed_with 65 "longer/games.jsonl:17: "
run own.json --resume
ok "a match without a directory cannot go on" failed_with 2 "-o"

# ---- checked ----

"$steelyard" check own.json >out 2>err
ok "check knows a match" grep -q "a match: more against less, Glinski's hexagonal chess, 16 games, seed 5" out
ok "and its players" grep -q 'more: .*, 240 nodes a move' out
sed 's/eval.noise/eval.nose/' own.json >bad.json
"$steelyard" check bad.json >out 2>err
status=$?
ok "and what is wrong with it" failed_with 65 'bad.json:3:'

# ---- other programs ----

external() { # FAULT N GAMES
    cat <<END
{"design": "match", "variant": "chess", "seed": 1, "games": $3, "opening": {"plies": [1, 3]}, "failures": 3,
 "adjudicate": {"plies": 24}, "depth": 1,
 "players": {"own": {}, "fake": {"uci": ["$fake", "uci", "$1", "$2"], "options": {"Nerve Strength": 2},
                                 "patience": 60}}}
END
}
external none 0 4 >good.json
run good.json -o good --threads 2
ok "another program plays" ended_with 0
ok "such a match is not called repeatable" grep -q 'not repeatable' out
ok "nothing is void" grep -q '"void": 0' good/match.json

external crash 14 4 >crash.json
run crash.json -o crash --threads 1
ok "a match outlives a crash" ended_with 0
ok "the game is void" grep -q '"void":"fake crashed: exit status 3"' crash/games.jsonl
ok "and said to be" grep -q 'void [1-9].*fake crashed' out

external illegal 1 8 >illegal.json
run illegal.json -o illegal --threads 2
ok "failures in a row end the match" failed_with 1 "3 games in a row were void"
ok "and are told apart" failed_with 1 "fake answered 'e2e5'"
ok "what was played is kept" test "$(wc -l <illegal/games.jsonl)" -eq 3
run illegal.json -o illegal --resume --threads 1
ok "a resumed match counts failures anew" failed_with 1 "3 games in a row were void; the last, game 5"
ok "behind the games that are there" test "$(wc -l <illegal/games.jsonl)" -eq 6

external dead 1 2 >dead.json
run dead.json
ok "a program that cannot play" failed_with 1 "fake crashed: signal 9"
sed 's|"[^"]*fake-engine"|"no-such-program"|' good.json >missing.json
run missing.json
ok "a program that is not there" failed_with 1 "no-such-program"
sed 's/Nerve/Verve/' good.json >option.json
run option.json
ok "an option that is not there" failed_with 1 "has no option 'Verve Strength'"

sed 's/"games": 16/"games": 8/; s/"more": {"nodes": 240}/"more": {"greedy": true}/' own.json >greedy.json
run greedy.json --threads 1
ok "a greedy player plays, and loses" sh -c '[ $1 -eq 0 ] && grep -q "won 0, drawn 0, lost 8" out' - "$status"

# ---- bad files ----

bad() { # NAME SED-SCRIPT WORDS
    sed "$2" own.json >bad.json
    run bad.json -o bad
    ok "$1" failed_with 65 "$3"
    ok "$1: nothing is written" test ! -e bad
}
bad "an odd number of games" 's/"games": 16/"games": 15/' 'bad.json:1:'
bad "an unknown key" 's/"seed"/"sead"/' 'sead'
bad "an unknown variant" 's/glinski/glibski/' 'glibski'
bad "a greedy player that searches" 's/"more": {/"more": {"greedy": true, /' 'does not search'
bad "one player" 's/, "less": .*/}}/' 'two players'
bad "an unknown parameter" 's/eval.noise/eval.nose/' 'eval.noise'
bad "hypotheses in the wrong order" 's/"seed"/"sprt": {"elo0": 5, "elo1": 0}, "seed"/' 'elo0'
bad "no opening" 's/"opening": {"plies": .2, 5.},//' 'opening'
bad "another design" 's/"match"/"imbalance"/' 'imbalance'
run missing-file.json
ok "a missing file" failed_with 65 "missing-file.json"
run own.json --threads 0
ok "no threads" failed_with 2 "--threads"

end
