#!/bin/sh
# Tests of `steelyard match` as a user meets it: the same bytes at any number of threads, the sequential test, void games,
# and what is wrong with a file.
# Usage, at the top of the source tree: STEELYARD=PROGRAM tests/match_command.sh
set -u

steelyard=${STEELYARD:?is not set to the program}
export STEELYARD
fake=$(pwd)/tests/data/fake-engine
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work" || exit 1
passed=0
failed=0

ok() { # NAME CONDITION ...
    name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $name"
        sed 's/^/  /' out err
    fi
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
ok "a result is not overwritten" test "$(run own.json -o one && echo $status)" -eq 1

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

external dead 1 2 >dead.json
run dead.json
ok "a program that cannot play" failed_with 1 "fake crashed: signal 9"
sed 's|"[^"]*fake-engine"|"no-such-program"|' good.json >missing.json
run missing.json
ok "a program that is not there" failed_with 1 "no-such-program"
sed 's/Nerve/Verve/' good.json >option.json
run option.json
ok "an option that is not there" failed_with 1 "has no option 'Verve Strength'"

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
bad "one player" 's/, "less": .*/}}/' 'two players'
bad "an unknown parameter" 's/eval.noise/eval.nose/' 'eval.noise'
bad "hypotheses in the wrong order" 's/"seed"/"sprt": {"elo0": 5, "elo1": 0}, "seed"/' 'elo0'
bad "no opening" 's/"opening": {"plies": .2, 5.},//' 'opening'
bad "another design" 's/"match"/"imbalance"/' 'imbalance'
run missing-file.json
ok "a missing file" failed_with 65 "missing-file.json"
run own.json --threads 0
ok "no threads" failed_with 2 "--threads"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
