#!/bin/sh
# Tests of `steelyard tune` as a user meets it: a file that runs, from games that were played, and a clear refusal of
# what nothing can be learnt from.
# Usage, at the top of the source tree: STEELYARD=PROGRAM tests/tune_command.sh
set -u

. tests/begin.inc

# Runs the program; its exit status is in $status, its messages in the file err.
run() {
    "$steelyard" "$@" >out 2>err
    status=$?
}

# The last run ended with this status and one line of messages that has the words.
failed_with() { # STATUS WORDS
    [ "$status" -eq "$1" ] && [ "$(wc -l <err)" -eq 1 ] && grep -qF -- "$2" err && [ ! -s out ] && return
    echo "  status $status, messages:"
    sed 's/^/  /' err
    return 1
}

failed_with_usage() { # WORDS
    [ "$status" -eq 2 ] && [ ! -s out ] && grep -qF -- "$1" err && return
    echo "  status $status, messages:"
    sed 's/^/  /' err
    return 1
}

ended_with() { # STATUS
    [ "$status" -eq "$1" ] && return
    echo "  status $status, messages:"
    sed 's/^/  /' err
    return 1
}

# What was fitted is told before the file is written.
cannot_write() { # FILE
    [ "$status" -eq 1 ] && [ ! -s out ] && tail -n 1 err | grep -qF -- "$1" && return
    echo "  status $status, messages:"
    sed 's/^/  /' err
    return 1
}

cp "$top/tests/data/minichess.json" .
cat >games.json <<'EOF'
{"design": "imbalance", "variant": "minichess.json", "seed": 5, "games": 300, "nodes": 30,
 "imbalance": {"remove": [0, 2], "limit": 4}, "opening": {"plies": [2, 6]}, "engine": {"eval.noise": 0.3},
 "adjudicate": {"plies": 80}, "fit": {"bootstrap": 0}}
EOF
run run games.json -o run --no-plots
ok "games are played" ended_with 0
run run games.json -o few --games 20 --no-plots
ok "few games are played" ended_with 0

# ---- a file that runs ----

run tune minichess.json run -o tuned.json
ok "a variant is tuned" ended_with 0
ok "and nothing printed" test ! -s out
ok "what was fitted is said" grep -qE '^[0-9]+ positions of [0-9]+ games; a pawn was 0\.[0-9]+ logits$' err
ok "and how well" grep -qE 'log loss .*: 0\.[0-9]{5} before, 0\.[0-9]{5} after$' err
ok "values and an evaluation are written" grep -q '"evaluation": {' tuned.json
ok "the title stays" grep -q '"title": "Minichess"' tuned.json
run tune minichess.json run
ok "without a file it is printed" ended_with 0
ok "the same bytes" cmp out tuned.json
run tune --output=twice.json minichess.json run few
ok "several runs are taken together" ended_with 0
ok "and are not the same as one" test "$(cmp -s twice.json tuned.json && echo same)" = ""

run check tuned.json
ok "check knows it" grep -q 'a variant: Minichess' out
run search tuned.json --depth 3
ok "search plays it" ended_with 0
run tune tuned.json run -o further.json
ok "what was tuned can be tuned by the same games" ended_with 0
sed 's/minichess.json/tuned.json/' games.json >again.json
run run again.json -o again --games 4 --no-plots
ok "an experiment plays it" ended_with 0

# ---- what is refused ----

run tune
ok "no variant" failed_with_usage "a variant and the directories of runs"
run tune minichess.json
ok "no run" failed_with_usage "a variant and the directories of runs"
run tune minichess.json run --quickly
ok "an unknown option" failed_with_usage "--quickly"
run tune minichess.json run -o
ok "an option without its value" failed_with_usage "needs a value"
run tune nothing.json run
ok "no such variant" failed_with 65 "nothing.json"
run tune minichess.json nowhere
ok "no such run" failed_with 65 "nowhere"
run tune chess run
ok "games of another variant" failed_with 65 "run: no game there is of chess"
run tune minichess.json few -o never.json
ok "too few games" failed_with 65 "too few"
ok "write nothing" test ! -e never.json
run tune minichess.json run few again/games.jsonl
ok "a file that is no run" failed_with 65 "again/games.jsonl"
run tune minichess.json run -o nowhere/tuned.json
ok "a file that cannot be written" cannot_write "nowhere/tuned.json"

end
