#!/bin/sh
# Tests of `steelyard run`, `merge`, `verify` and `check` as a user meets them: repeatable to the byte whatever
# interrupts a run, and a clear refusal of whatever cannot be gone on with.
# Usage, at the top of the source tree: STEELYARD=PROGRAM tests/run_command.sh
set -u

. tests/begin.inc

# Runs the program; its exit status is in $status, its messages in the file err.
run() {
    "$steelyard" "$@" >out 2>err
    status=$?
}

# The last run ended with this status and one line of messages that has the words.
failed_with() { # STATUS WORDS
    [ "$status" -eq "$1" ] && [ "$(wc -l <err)" -eq 1 ] && grep -qF -- "$2" err && return
    echo "  status $status, messages:"
    sed 's/^/  /' err
    return 1
}

failed_with_usage() {
    [ "$status" -eq 2 ] && [ -s err ] && [ ! -s out ]
}

ended_with() { # STATUS
    [ "$status" -eq "$1" ] && return
    echo "  status $status, messages:"
    sed 's/^/  /' err
    return 1
}

same_run() { # DIR DIR
    cmp "$1/games.jsonl" "$2/games.jsonl" && cmp "$1/summary.json" "$2/summary.json"
}

# Waits until the run in the background has written so many lines; fails if it never does.
wait_for_lines() { # DIR LINES
    for _ in $(seq 600); do
        [ -f "$1/games.jsonl" ] && [ "$(wc -l <"$1/games.jsonl")" -ge "$2" ] && return
        sleep 0.05
    done
    echo "  no $2 lines in $1"
    return 1
}

# Writes a line again with an edit and a check sum that fits.
forge() { # DIR LINE SED-SCRIPT
    body=$(sed -n "$2p" "$1/games.jsonl" | sed -e 's/,"check":"[0-9a-f]*"}$//' -e "$3")
    sum=$(printf %s "$body" | sha256sum | cut -c 1-16)
    {
        head -n $(($2 - 1)) "$1/games.jsonl"
        printf '%s,"check":"%s"}\n' "$body" "$sum"
        tail -n +$(($2 + 1)) "$1/games.jsonl"
    } >forged && mv forged "$1/games.jsonl"
}

cat >imbalance.json <<'EOF'
{"title": "uneven chess", "design": "imbalance", "variant": "chess", "seed": 7, "games": 60, "nodes": 60,
 "imbalance": {"remove": [0, 3], "exchange": [0, 1], "limit": 6}, "opening": {"plies": [0, 4]},
 "engine": {"eval.noise": 0.1}, "adjudicate": {"plies": 120, "score": 8, "for": 6}, "fit": {"bootstrap": 20}}
EOF
cat >parameters.json <<'EOF'
{"design": "parameters", "variants": ["sunflower", {"label": "slow", "variant": "panal", "nodes": 60}], "seed": "18446744073709551615",
 "games": 9, "nodes": 30, "randomise": {"value.*": {"factor": [0.5, 2]}, "eval.mobility": {"range": [0, 0.2]}},
 "opening": {"plies": [2, 6]}, "adjudicate": {"plies": 100}, "fit": {"bootstrap": 20}}
EOF

# ---- the same bytes ----

for design in imbalance parameters; do
    for threads in 1 2 3; do
        run run $design.json -o $design-$threads --threads $threads --no-plots
        ok "$design runs on $threads threads" ended_with 0
    done
    ok "$design: the same on 1 and 2 threads" same_run $design-1 $design-2
    ok "$design: the same on 1 and 3 threads" same_run $design-1 $design-3
    run verify --rerun 5 $design-1
    ok "$design: verifies" ended_with 0
done

for part in 1 2 3; do
    run run parameters.json -o part-$part --shard $part/3 --no-plots
    ok "part $part runs" ended_with 0
done
run merge -o joined part-3 part-1 part-2 --no-plots
ok "parts join" ended_with 0
ok "joined parts are the whole run" same_run joined parameters-1
run merge -o short part-1 part-2
ok "a missing part is missed" failed_with 65 "is missing"
ok "nothing is written then" test ! -e short
run merge -o double part-1 part-2 part-3 part-2
ok "a part given twice is noticed" failed_with 65 "part-2"

sed 's/"games": 60/"games": 20/' imbalance.json >fewer.json
run run fewer.json -o fewer --no-plots
run run imbalance.json --games 20 -o overridden --no-plots
ok "--games runs" ended_with 0
ok "--games is the file with another number" same_run fewer overridden
sed -n 2,21p fewer/games.jsonl >fewer-lines
sed -n 2,21p imbalance-1/games.jsonl >all-lines
ok "fewer games are the first ones" cmp fewer-lines all-lines
run run fewer/experiment.json -o again --no-plots
ok "the copy of the experiment gives the same run" same_run fewer again

# ---- interruptions ----

# Long enough to be met in the middle, also on a fast machine.
sed 's/"games": 60, "nodes": 60/"games": 40, "nodes": 400/' imbalance.json >long.json
run run long.json -o long --no-plots

"$steelyard" run long.json -o killed --threads 1 --no-plots >out 2>err &
pid=$!
ok "a run begins" wait_for_lines killed 6
run run long.json -o killed --resume --no-plots
ok "a directory in use is refused" failed_with 1 "another run"
kill -9 $pid
wait $pid 2>/dev/null
ok "killed in the middle" test "$(wc -l <killed/games.jsonl)" -lt 41
run run long.json -o killed --no-plots
ok "a partial run is not gone on with unasked" failed_with 1 "--resume"
run run long.json -o killed --resume --no-plots
ok "a killed run resumes" ended_with 0
ok "a resumed run is the same" same_run killed long

"$steelyard" run long.json -o stopped --threads 1 --no-plots >out 2>err &
pid=$!
wait_for_lines stopped 6
kill -TERM $pid
wait $pid
status=$?
ok "SIGTERM ends a run with status 1" test $status -eq 1
ok "and says how to go on" grep -q -- --resume err
ok "the log is whole" test -z "$(tail -c 1 stopped/games.jsonl | tr -d '\n')"
run run long.json -o stopped --resume --no-plots
ok "a stopped run is the same" same_run stopped long

mkdir cut
cp imbalance-1/experiment.json cut
head -c -100 imbalance-1/games.jsonl >cut/games.jsonl
run run imbalance.json -o cut --resume --no-plots
ok "half a line is cut off" grep -q "half a line" err
ok "and played again" same_run cut imbalance-1

run run imbalance.json -o cut --resume --no-plots
ok "a complete run is only fitted" ended_with 0
ok "and says so" grep -q "all 60 games" err
run run imbalance.json -o cut --no-plots
ok "a complete run is not played again unasked" failed_with 1 "--resume"

(
    trap '' XFSZ
    # Half the log, in blocks of 512 bytes: what a full disk does to the log, and only to it.
    ulimit -f $(($(wc -c <imbalance-1/games.jsonl) / 1024))
    exec "$steelyard" run imbalance.json -o full --no-plots >out 2>err
)
status=$?
ok "a full disk is an error" test $status -eq 1
ok "that says how to go on" grep -q -- --resume err
ok "the log is whole then" test -z "$(tail -c 1 full/games.jsonl | tr -d '\n')"
run run imbalance.json -o full --resume --no-plots
ok "and can be gone on with" same_run full imbalance-1

# ---- what is refused ----

cp -r imbalance-1 edited
sed -i '5s/"nodes":/"nodes":1/' edited/games.jsonl
cp edited/games.jsonl before
for command in "run imbalance.json --resume -o" "verify" "fit"; do
    run $command edited
    ok "an edited line stops '$command'" failed_with 65 "edited/games.jsonl:5: game 3"
done
ok "an edited log stays as it is" cmp edited/games.jsonl before

cp -r imbalance-1 forged-result
forge forged-result 5 's/"result":[^,]*,"reason":"[^"]*"/"result":0.25,"reason":"checkmate"/'
run verify forged-result
ok "a forged result is found" failed_with 1 "game 3"
run run imbalance.json -o forged-result --resume
ok "also by --resume" failed_with 65 "forged-result/games.jsonl:5: game 3"

cp -r imbalance-1 forged-move
forge forged-move 5 's/ [a-h][0-9][a-h][0-9]\( [^"]*"\)/ e1e9\1/'
run verify forged-move
ok "a forged move is found" failed_with 65 "forged-move/games.jsonl"

cp -r imbalance-1 forged-nodes
forge forged-nodes 5 's/"nodes":/"nodes":1/'
run fit --no-plots forged-nodes
run verify --rerun 60 forged-nodes
ok "forged nodes are found by playing again" failed_with 1 "game 3"

cp -r imbalance-1 forged-summary
sed -i '0,/0\.5/s/0\.5/0.6/' forged-summary/summary.json
run verify forged-summary
ok "an edited summary is found" failed_with 1 "forged-summary/summary.json"

sed 's/"seed": 7/"seed": 8/' imbalance.json >other.json
run run other.json -o imbalance-1 --resume
ok "another experiment's run is refused" failed_with 1 "another experiment"
run run imbalance.json -o "$work/imbalance.json/run"
ok "a directory that cannot be" failed_with 1 "imbalance.json/run"
mkdir mine
cp other.json mine/experiment.json
run run imbalance.json -o mine
ok "a user's own experiment.json is refused" failed_with 1 "mine/experiment.json"
ok "and stays" cmp other.json mine/experiment.json

bad() { # NAME SED-SCRIPT WORDS
    sed "$2" imbalance.json >bad.json
    run run bad.json -o bad
    ok "$1" failed_with 65 "$3"
    ok "$1: nothing is written" test ! -e bad
}
bad "games below 1" 's/"games": 60/"games": -5/' 'bad.json:1:'
bad "an unknown key" 's/"nodes"/"noodles"/' 'noodles'
bad "an unknown variant" 's/"chess"/"chequers"/' 'chequers'
bad "broken JSON" 's/}}$/}/' 'bad.json:'
bad "another design's key" 's/"imbalance": {/"randomise": {/' 'parameters design'
run run missing.json
ok "a missing file" failed_with 65 "missing.json"
run run imbalance.json --threads 0
ok "no threads" failed_with_usage
run run
ok "no file" failed_with_usage
run run imbalance.json --shard 4/3
ok "a part beyond the last" failed_with_usage

# ---- results ----

sed 's/"plies": 120/"plies": 9/' imbalance.json >tiny.json
run run tiny.json -o tiny --games 6 --no-plots
ok "cut-off games run" ended_with 0
ok "cut-off games have no result" grep -q '"result":null,"reason":"unfinished","plies":9' tiny/games.jsonl

run check imbalance.json
ok "check knows an experiment" grep -q "imbalance design, 60 games" out
run check sunflower
ok "check knows a variant" grep -q "a variant: " out
echo '{}' >neither.json
run check neither.json
ok "check knows neither" failed_with 65 "neither"

# Every shipped file. Those of the positions design read games that are played first.
for file in "$top"/experiments/*.json "$top"/experiments/matches/*.json "$top"/experiments/variants/*.json; do
    run check "$file"
    ok "$file is right" ended_with 0
done
mkdir -p results/first-move results/chess-control-1 results/chess-stockfish
for games in results/*; do
    echo '{"moves": "", "result": "*"}' >"$games/games.jsonl"
done
cp -R "$top/experiments" .
run run experiments/first-move-ladder.json -o results/first-move-ladder --games 2 --no-plots
ok "a ladder is climbed" ended_with 0
for file in experiments/positions/*.json; do
    run check "$file"
    ok "$file is right" ended_with 0
done

# ---- games of a run, weighed by positions ----

cat >two.json <<'END'
{"design": "first-move", "variants": ["chess", "panal"], "seed": 3, "games": 6, "nodes": 30, "opening": {"plies": 4}}
END
run run two.json -o two --no-plots
ok "two games are played" ended_with 0
echo '{"design": "positions", "variant": "panal", "seed": 3, "games_file": "two/games.jsonl"}' >of-two.json
run run of-two.json -o of-two --no-plots
ok "the games of one arm are weighed" ended_with 0
ok "these and no others" [ "$(grep -c '"n":' of-two/games.jsonl)" -eq 6 ]
ok "their ends are kept" [ "$(grep -o '"reason":"[^"]*"' of-two/games.jsonl | sort)" = \
    "$(grep '"arm":1' two/games.jsonl | grep -o '"reason":"[^"]*"' | sort)" ]
ok "nobody says what their players believed" grep -q '"believed": *null' of-two/summary.json
run verify of-two
ok "they follow from the experiment" ended_with 0

end
