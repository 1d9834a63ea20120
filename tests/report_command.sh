#!/bin/sh
# Tests of `steelyard report` and `steelyard compare` as a user meets them.
# Usage, at the top of the source tree: STEELYARD=PROGRAM tests/report_command.sh
set -u

. tests/begin.inc

# Runs the program; its exit status is in $status, its messages in the file err. It finds gnuplot and nothing else:
# making a PNG of every board would take long.
mkdir bin
if command -v gnuplot >/dev/null; then
    ln -s "$(command -v gnuplot)" bin/gnuplot
fi
path=$work/bin
run() {
    PATH=$path "$steelyard" "$@" >out 2>err
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
ok 'a warning without rsvg-convert' grep -q 'warning: .*rsvg-convert' err
ok 'the page' grep -q '<h1>Trial of chess</h1>' one/report.html
ok 'the page ends' grep -q '</html>' one/report.html
ok 'the Markdown' grep -q '^# Trial of chess$' one/report.md
for table in balance survival endings lengths first-move; do
    ok "the table $table" is_even one/tables/$table.csv
done
ok 'no leftovers' is_missing one/tables/balance.csv.tmp

# ---- other designs beside it ----

cat >beliefs.json <<'EOF'
{"title": "Beliefs", "design": "parameters", "variant": "chess", "seed": 4, "games": 60, "nodes": 60, "opening": {"plies": 2},
 "randomise": {"value.*": {"factor": [0.5, 2]}}, "fit": {"bootstrap": 0}, "adjudicate": {"plies": 120, "score": 6, "for": 3}}
EOF
"$steelyard" run beliefs.json -o beliefs --no-plots >/dev/null 2>&1
run report one beliefs
ok 'a run beside another design' ended_with 0
ok 'with a section' grep -q '<h2>Beside other designs</h2>' one/report.html
ok 'and a table' is_even one/tables/beside.csv
ok 'a row for each piece but the unit' test "$(wc -l <one/tables/beside.csv)" -eq 5
# Summaries made up to surely agree and surely disagree.
mkdir near far
tr '\n' ' ' <beliefs/summary.json |
    sed 's/"value": {[^{}]*}/"value": {"status": "ok", "value": 70, "error": 1, "low": 68, "high": 72}/g' >far/summary.json
tr '\n' ' ' <one/summary.json |
    sed 's/"value": {[^{}]*}/"value": {"status": "ok", "value": 3, "error": 0.1, "low": 2.8, "high": 3.2}/g' >own.json
cp one/summary.json kept.json
cp own.json near/summary.json
cp own.json one/summary.json
run report one near
ok 'values that agree' sh -c '! grep -q "the designs disagree" one/report.html'
run report one far
ok 'values that do not' grep -q 'the designs disagree: knight 3.00 here and 70.00 by parameters' one/report.html
cp kept.json one/summary.json
run report one two
ok 'another game is not set beside' failed_with 2 'weighs no game'

cp one/games.jsonl whole.jsonl
head -n 5 whole.jsonl >one/games.jsonl
run report one
ok 'a summary of other games' failed_with 65 'steelyard fit one'
cp whole.jsonl one/games.jsonl

for picture in map-decided map-goes-n map-empty-n map-average-n; do
    ok "the board $picture" grep -q '</svg>' one/plots/$picture.svg
done
ok 'boards as a table' is_even one/tables/maps.csv

write_rounds() { # DIR CONVERGED PAWN KNIGHT: rounds around the run in the directory one
    mkdir -p "$1" && cp -r one "$1/round-1" && rm -rf "$1/round-1/plots" "$1/round-1/tables"
    piece='"measured": {"status": "ok", "error": 0.1,'
    cat >"$1/iterate.json" <<EOF
{"format": "steelyard-rounds-1", "title": "", "converged": $2, "rounds": [{"round": 1, "directory": "round-1",
 "seed": "4", "believed_and_measured": {"wald": 9.25, "freedom": 1, "p": 0.00002, "agrees": $2, "pieces": [
  {"name": "pawn", "suggested": 1, $piece "value": $3, "low": $3, "high": $3}, "departs": false},
  {"name": "knight", "suggested": 3, $piece "value": $4, "low": $4, "high": $4}, "departs": true}]}}]}
EOF
}
write_rounds first true 1 3.2
write_rounds second false 2 6.4
write_rounds third false 4 3
run report first
ok 'rounds' ended_with 0
ok 'the path is answered for' grep -q 'so that the path has converged' first/report.html
ok 'the path as a table' grep -q '^"the start",1,"knight",3,3.2,' first/tables/path.csv
ok 'the test of a round' grep -q '^"the start",1,"4",9.25,1,' first/tables/rounds.csv
ok 'a small p' grep -q '&lt; 0.0001' first/report.html
ok 'the rest is the last round' grep -q '<h1>Trial of chess</h1>' first/report.html
ok 'how to check a round' grep -q 'steelyard verify round-1' first/report.html
if command -v gnuplot >/dev/null; then
    ok 'the path as a picture' grep -q '</svg>' first/plots/path.svg
fi
path=/nonexistent
run report second first
ok 'two starts' ended_with 0
ok 'a path that goes on' grep -q 'the path has not converged' second/report.md
ok 'ends together' grep -q 'Start 2 ends at the same place' second/report.md
run report first third
ok 'ends apart' grep -q 'Start 2 ends elsewhere than' first/report.md
ok 'ends as a table' is_even first/tables/ends.csv
run report first one
ok 'a start that is none' failed_with 2 'one has no rounds'
echo '{"format": "steelyard-rounds-1", "rounds": []}' >third/iterate.json
run report third
ok 'no rounds' failed_with 65 third/iterate.json

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

end
