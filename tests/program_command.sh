#!/bin/sh
# Tests of experiments that another program plays: the same bytes whatever interrupts a run, games that are void because
# the program failed, and what does not go together with it. The program is tests/data/fake-engine.
# Usage, at the top of the source tree: STEELYARD=PROGRAM tests/program_command.sh
set -u

. tests/begin.inc
fake=$top/tests/data/fake-engine

explain() {
    sed 's/^/  /' out err
}

run() { # ARGUMENTS
    "$steelyard" "$@" >out 2>err
    status=$?
}

ended_with() { # STATUS
    [ "$status" -eq "$1" ]
}

# The last line of messages has the words, and there is no other but those of progress.
failed_with() { # STATUS WORDS
    [ "$status" -eq "$1" ] && [ "$(grep -c '^steelyard: ' err)" -eq 1 ] && grep -qF -- "$2" err
}

same_run() { # DIR DIR
    cmp "$1/games.jsonl" "$2/games.jsonl" && cmp "$1/summary.json" "$2/summary.json"
}

# An engine whose fault can be mended without its name changing: it reads it from a file.
cat >engine <<END
#!/bin/sh
exec "$fake" "\$1" \$(cat "$work/fault")
END
chmod +x engine

experiment() { # PROTOCOL GAMES PATIENCE
    cat <<END
{"design": "imbalance", "variant": "chess", "seed": 3, "games": $2, "failures": 2,
 "player": {"$1": ["$work/engine", "$1"], "options": {"Nerve Strength": 2}, "depth": 1, "patience": $3},
 "imbalance": {"remove": [1, 2]}, "opening": {"plies": [0, 1]}, "adjudicate": {"plies": 4}, "fit": {"bootstrap": 0}}
END
}

# ---- a program that behaves ----

echo none 0 >fault
experiment uci 8 60 >good.json
run check good.json
ok "check names the program" grep -q 'depth 1, played by engine' out
run run good.json -o one --threads 1 --no-plots
ok "a program plays" ended_with 0
ok "and is said to have" grep -q 'engine, another program, played' out
run run good.json -o two --threads 2 --no-plots
ok "the same at two threads" same_run one two
ok "from uneven starts" test "$(sed -n 's/.*"start":"\([^ ]*\).*/\1/p' one/games.jsonl | sort -u | wc -l)" -gt 4
ok "nothing is void" grep -q '"void": 0' one/summary.json
ok "its beliefs are not known" grep -q '"believed": null' one/summary.json
run verify --rerun 2 one
ok "what can be verified is" ended_with 0
ok "and what cannot is said" grep -q 'another program played 8 of them: ' out
ok "a rerun counts what came out the same" grep -q 'of 2 games that it played again now, 2 came out the same' out
run replay chess one/games.jsonl
ok "its games replay" grep -q '^8 games, 0 failed' out
run run one/experiment.json -o one --resume --no-plots
ok "the copy of the experiment is the same experiment" grep -q 'all 8 games are there' err

experiment xboard 2 60 >xboard.json
run run xboard.json -o xboard --no-plots
ok "xboard's protocol plays" ended_with 0
ok "without void games" grep -q '"void": 0' xboard/summary.json

cat >arms.json <<END
{"design": "first-move", "seed": 3, "games": 2, "depth": 1, "opening": {"plies": [1, 2]}, "adjudicate": {"plies": 4},
 "variants": [{"label": "ours", "variant": "chess"},
              {"label": "theirs", "variant": "chess", "player": {"uci": ["$work/engine", "uci"]}}]}
END
run run arms.json -o arms --no-plots
ok "an arm of its own" ended_with 0
run verify --rerun 4 arms
ok "ours must come out the same" grep -q '2 games played again came out the same' out
ok "theirs may" grep -q 'of 2 games that it played again now' out

# ---- one that does not ----

echo crash 5 >fault
sed 's/"failures": 2/"failures": 9/' good.json >lenient.json
run run lenient.json -o crash --threads 1 --no-plots
ok "a run outlives a crash" ended_with 0
ok "such a game is void" grep -q '"result":null,"reason":"void","void":"engine crashed: exit status 3"' crash/games.jsonl
ok "and has no more moves than were legal" test "$(grep -c '"void":' crash/games.jsonl)" -gt 0
ok "the table counts it apart" grep -q '[1-8] unfinished, [1-8] void' out
ok "and says what happened" grep -q 'games are void and left out; the first, game [0-9]: engine' out
run verify crash
ok "void games verify" ended_with 0
ok "and are counted" grep -q 'of which [1-8] are void' out
run report crash
ok "and are reported" grep -q 'are void and left out' crash/report.md

echo illegal 1 >fault
run run good.json -o mended --threads 1 --no-plots
ok "failures in a row end a run" failed_with 1 "2 games in a row were void; the last, game 1: engine answered 'e2e5'"
ok "with what was played" test "$(wc -l <mended/games.jsonl)" -ge 3
ok "and a way to go on" grep -q -- --resume err
run run good.json -o mended --threads 1 --no-plots --resume
ok "they are counted anew by --resume" failed_with 1 "2 games in a row were void"
echo none 0 >fault
run run good.json -o mended --threads 1 --no-plots --resume
ok "a mended program goes on" ended_with 0
ok "with the games that it would have played" test "$(tail -n 1 mended/games.jsonl)" = "$(tail -n 1 one/games.jsonl)"
ok "the void ones stay" grep -q '"void": [4-7]' mended/summary.json

echo hang 1 >fault
experiment uci 2 2 | sed 's/"failures": 2/"failures": 1/' >hang.json
run run hang.json -o hang --threads 1 --no-plots
ok "a program that hangs" failed_with 1 "game 0: engine hung: no answer in time"

echo unplaced 0 >fault
run run xboard.json -o unplaced --threads 1 --no-plots
ok "a program that knows no other start" failed_with 1 "it has no 'setboard'"
ok "is known beforehand" test ! -e unplaced

echo dead 0 >fault
run run good.json -o dead
ok "a program that cannot play" failed_with 1 "engine crashed: signal 9"
ok "leaves nothing behind" test ! -e dead
echo none 0 >fault
sed 's/Nerve/Verve/' good.json >option.json
run run option.json -o option
ok "an option that is not there" failed_with 1 "has no option 'Verve Strength'"
ok "leaves nothing behind either" test ! -e option

# ---- interruptions ----

"$steelyard" run good.json -o killed --threads 1 --no-plots >out 2>err &
pid=$!
for _ in $(seq 600); do
    [ -f killed/games.jsonl ] && [ "$(wc -l <killed/games.jsonl)" -ge 3 ] && break
    sleep 0.02
done
kill -9 $pid
wait $pid 2>/dev/null
ok "killed in the middle" test "$(wc -l <killed/games.jsonl)" -lt 9
run run good.json -o killed --resume --no-plots
ok "a killed run is the same in the end" same_run killed one

# ---- forged ----

cp -r one forged
sed -i '3s/"reason":"[^"]*"/"reason":"void","void":"engine crashed: signal 9"/' forged/games.jsonl
run verify forged
ok "an edited line is found" failed_with 65 "games.jsonl:3: game 1"

# ---- what does not go together ----

bad() { # NAME SED-SCRIPT WORDS
    sed "$2" good.json >bad.json
    run run bad.json -o bad
    ok "$1" failed_with 65 "$3"
    ok "$1: nothing is written" test ! -e bad
}
bad "parameters of our own engine" 's/"seed"/"engine": {"eval.noise": 0.1}, "seed"/' 'bad.json:1:'
bad "our own table" 's/"seed"/"hash": 64, "seed"/' 'another program plays'
bad "rounds" 's/"seed"/"iterate": {"rounds": 2}, "seed"/' 'another program plays'
bad "a time limit" 's/"depth": 1/"movetime": 10/' 'never by time'
bad "no limit" 's/"depth": 1, //' "missing 'nodes' or 'depth'"
bad "our own engine as a program" 's/"player": .*/"player": {"depth": 1},/' "'uci' or 'xboard'"
bad "an unknown key" 's/"patience"/"patients"/' 'patience'
bad "the parameters design" 's/"imbalance", "v/"parameters", "v/; s/"imbalance": .*"opening"/"randomise": {"value.*": {"factor": [0.5, 2]}}, "opening"/' 'imbalance design'
bad "failures without a program" 's/"player": .*/"nodes": 10,/' 'failures'

end
