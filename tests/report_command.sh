#!/bin/sh
# Tests of `steelyard report` and `steelyard compare` as a user meets them.
# Usage: STEELYARD=PROGRAM tests/report_command.sh
set -u

steelyard=${STEELYARD:?is not set to the program}
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
    fi
}

# Runs the program; its exit status is in $status, its messages in the file err.
run() {
    "$steelyard" "$@" >out 2>err
    status=$?
}

ended_with() { # STATUS
    [ "$status" -eq "$1" ] && return
    echo "  status $status, messages:"
    sed 's/^/  /' err
    return 1
}

# The last run ended with this status and one line of messages that has the words.
failed_with() { # STATUS WORDS
    ended_with "$1" && [ "$(wc -l <err)" -eq 1 ] && grep -qF -- "$2" err
}

is_missing() {
    [ ! -e "$1" ]
}

# As many columns in every line as in the first. A comma in quotes is none.
is_even() { # CSV
    sed 's/"[^"]*"//g' "$1" | awk -F, 'NR == 1 { n = NF } NF != n { bad = 1 } END { exit bad || NR < 2 }'
}

play() { # DIR VARIANT
    cat >"$1.json" <<EOF
{"title": "Trial of $2", "design": "imbalance", "variant": "$2", "seed": 4, "games": 30, "depth": 1, "opening": {"plies": 2},
 "engine": {"eval.noise": 0.3}, "imbalance": {"remove": [0, 2]}, "fit": {"bootstrap": 0},
 "adjudicate": {"plies": 80, "score": 6, "for": 3}}
EOF
    "$steelyard" run "$1.json" -o "$1" --no-plots >/dev/null 2>&1
}

play one chess
play two panal

run report
ok 'report without a directory' ended_with 2
run report nowhere
ok 'report of nothing' failed_with 65 nowhere/summary.json
run report --fast one
ok 'report with an unknown option' ended_with 2

run report one
ok 'report' ended_with 0
ok 'nothing on standard output' cmp -s out /dev/null
ok 'the page' grep -q '<h1>Trial of chess</h1>' one/report.html
ok 'the page ends' grep -q '</html>' one/report.html
ok 'the Markdown' grep -q '^# Trial of chess$' one/report.md
for table in balance survival endings lengths first-move; do
    ok "the table $table" is_even one/tables/$table.csv
done
ok 'no leftovers' is_missing one/tables/balance.csv.tmp

cp one/games.jsonl whole.jsonl
head -n 5 whole.jsonl >one/games.jsonl
run report one
ok 'a summary of other games' failed_with 65 'steelyard fit one'
cp whole.jsonl one/games.jsonl

run compare
ok 'compare without a directory' ended_with 2
run compare one
ok 'compare one arm' failed_with 2 'another run'
run compare one one
ok 'compare the same games' failed_with 2 'same games'
run compare one two --html sides.html --markdown sides.md --csv sides.csv
ok 'compare' ended_with 0
ok 'both arms' grep -q 'panal' out
ok 'the measures' grep -q '^board coverage ' out
ok 'as a page' grep -q '</html>' sides.html
ok 'as Markdown' grep -q '^| what | arm |' sides.md
ok 'as CSV' is_even sides.csv
run compare one two --html nowhere/sides.html
ok 'a page that cannot be written' failed_with 1 nowhere/sides.html

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
