#!/bin/sh
# Tests of `steelyard uci`: a conversation, with answers while it thinks, and lines that are wrong.
# Usage, at the top of the source tree: STEELYARD=PROGRAM tests/uci_command.sh
set -u

. tests/begin.inc

explain() {
    tail -n 5 out | sed 's/^/  /'
}

begin() {
    mkfifo in
    : >out
    seen=0
    "$steelyard" uci <in >out 2>err &
    engine=$!
    exec 3>in
}

say() {
    printf '%s\n' "$@" >&3
}

# Waits for a line that matches, among those that came after the last line waited for.
hear() { # PATTERN
    for _ in $(seq 1200); do
        line=$(tail -n +$((seen + 1)) out | grep -nE -m 1 -- "$1") && break
        kill -0 $engine 2>/dev/null || break
        sleep 0.05
    done
    [ -n "$line" ] && seen=$((seen + ${line%%:*}))
}

# The next line that answers `go` is this, and nothing was said of errors since.
plays() { # PATTERN
    hear "^bestmove $1( ponder [a-q0-9*~=]+)?\$"
}

ended_well() {
    exec 3>&-
    wait $engine
    [ $? -eq 0 ] && [ ! -s err ]
}

begin
say uci
ok "introduces itself" hear '^id name Steelyard'
ok "offers its hash table" hear '^option name Hash type spin default [0-9]+ min 1 max [0-9]+$'
ok "offers its one thread" hear '^option name Threads type spin default 1 min 1 max 1$'
ok "offers variants" hear '^option name UCI_Variant type combo default chess var chess .*var sunflower$'
ok "offers parameters" hear '^option name eval.mobility type string default [0-9.]+$'
ok "ends its introduction" hear '^uciok$'
say 'setoption name hash value 1' 'setoption name Threads value 1' isready
ok "is ready" hear '^readyok$'

say 'position startpos moves e2e4' 'go depth 4'
ok "searches to a depth" hear '^info depth 4 score cp -?[0-9]+ nodes [0-9]+ nps [0-9]+ time [0-9]+ pv [a-h][78]'
ok "and answers" plays '[a-h][78][a-h][56]'
say 'go nodes 500'
ok "searches so many nodes" hear '^info depth [0-9]+ .* nodes 500 '
ok "and answers" plays '[a-h][78][a-h][56]'
say 'position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1' 'go depth 6'
ok "sees a mate" hear '^info depth [0-9]+ score mate 1 .* pv d1d8$'
ok "and gives it" plays d1d8
say 'position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1 e8e7' 'go nodes 200'
ok "castles as the king goes" plays '[a-h][1-8][a-h][1-8]'

say 'position startpos' 'go infinite' isready
ok "is ready while it thinks" hear '^readyok$'
ok "and goes on thinking" hear '^info depth [6-9]'
say stop
ok "stops" plays '[a-h][1-8][a-h][1-8]'
say 'position fen 7k/5Q2/5K2/8/8/8/8/8 w - - 0 1' 'go infinite'
ok "has thought to the end" hear '^info depth [0-9]+ score mate 1 '
sleep 0.2
ok "but waits to be stopped" test -z "$(tail -n +$((seen + 1)) out | grep bestmove)"
say stop
ok "and answers then" plays 'f7[gh][78]'
say 'position startpos' 'go ponder wtime 1000 btime 1000 winc 0 binc 0'
ok "ponders" hear '^info depth 5 '
say ponderhit
ok "and moves after a hit" plays '[a-h][1-8][a-h][1-8]'
say 'go movetime 50'
ok "keeps a move's time" plays '[a-h][1-8][a-h][1-8]'
say 'go wtime 200 btime 200 winc 0 binc 0'
ok "keeps a clock" plays '[a-h][1-8][a-h][1-8]'
say 'go wtime -5 btime 200 movestogo 1'
ok "moves when its time is up" plays '[a-h][1-8][a-h][1-8]'
say 'go movetime 0'
ok "a move's time of nothing" plays '[a-h][1-8][a-h][1-8]'
say 'go depth 0'
ok "a depth of nothing" plays '[a-h][1-8][a-h][1-8]'
say 'go infinite' 'position startpos moves d2d4'
ok "a new position ends a search" plays '[a-h][1-8][a-h][1-8]'

say 'position startpos' 'go infinite' 'position startpos moves a2a3' 'go depth 2'
ok "a new position ends a search" plays '[a-h][1-8][a-h][1-8]'
ok "and is what is searched then" plays '[a-h][78][a-h][56]'

say 'position startpos' 'go infinite' 'setoption name Hash value 2' isready
ok "an option ends a search" plays '[a-h][1-8][a-h][1-8]'
ok "and is taken" hear '^readyok$'
say 'go infinite' ucinewgame isready
ok "a new game ends a search" plays '[a-h][1-8][a-h][1-8]'
ok "and begins" hear '^readyok$'
say 'go infinite' 'fly to the moon' 'uci' 'debug on' 'joho isready'
ok "words that are none of its own" hear "^info string error: unknown command 'fly'$"
ok "an introduction while it thinks" hear '^uciok$'
ok "a command behind such words" hear '^readyok$'
ok "do not end a search" hear '^info depth '
say stop
ok "which stops" plays '[a-h][1-8][a-h][1-8]'
say 'position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1' 'go mate 2'
ok "looks for a mate" plays d1d8
say "position startpos moves $(yes 'g1f3 g8f6 f3g1 f6g8' | head -n 1500 | tr '\n' ' ') e2e4" 'go depth 1'
ok "a very long game" plays '[a-h][78][a-h][56]'
say 'position startpos' 'go wtime 100 btime 100 winc 0' 'go btime' 'stop'
ok "one go after another" plays '[a-h][1-8][a-h][1-8]'
ok "a clock without a number" hear "^info string error: go: no whole number after 'btime'"
ok "is a clock that has run out" plays '[a-h][1-8][a-h][1-8]'

say 'fly to the moon'
ok "an unknown command" hear "^info string error: unknown command 'fly'$"
say 'setoption name Nothing value 1'
ok "an unknown option" hear "^info string error: no option is called 'Nothing'$"
say 'setoption name Hash value lots'
ok "a wrong value" hear '^info string error: Hash must be a whole number from 1 '
say 'setoption name Threads value 2'
ok "a second thread" hear '^info string error: Threads must be '
say 'setoption name eval.mobilty value 1'
ok "an unknown parameter" hear "did you mean 'eval.mobility'"
say 'setoption'
ok "an option without a name" hear '^info string error: setoption'
say 'setoption name UCI_Variant value chequers'
ok "an unknown variant" hear "^info string error: .*'chequers'"
say 'position startpos moves e2e5' 'go depth 2'
ok "an illegal move" hear "^info string error: illegal move 'e2e5'"
ok "leaves nothing to search" plays 0000
say 'position fen rubbish' 'go depth 2'
ok "a wrong FEN" hear '^info string error: '
ok "leaves nothing to search" plays 0000
say 'position' 'position startpos moves e2e4' 'go depth two' stop
ok "a position of no kind" hear '^info string error: position'
ok "a depth that is no number" hear "^info string error: go: no whole number after 'depth'"
ok "is a search without one" plays '[a-h][78][a-h][56]'
say 'position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1' 'go depth 2'
ok "a position without a move" hear '^info string there is no legal move$'
ok "has none" plays 0000
say '' '   ' 'ponderhit' 'stop' 'ucinewgame' isready
ok "blank lines and stray commands" hear '^readyok$'

say 'setoption name UCI_Variant value panal' 'setoption name value.queen value 8' 'position startpos' 'go nodes 300'
ok "plays other variants" plays '[a-q][1-9][*~]?[a-q][1-9][a-z]?'
say 'setoption name UCI_Variant value chess' 'position startpos moves e2e4 e7e5' 'go infinite' quit
ok "quits while it thinks" ended_well

rm in
begin
say 'position startpos' 'go infinite'
hear '^info depth 3 '
ok "quits at the end of the input" ended_well

printf 'position startpos moves e2e4\ngo depth 3\n' | "$steelyard" uci >out 2>err
ok "finishes a search of some depth at the end of the input" grep -q '^info depth 3 ' out
ok "and answers" grep -q '^bestmove [a-h][78]' out
if [ -c /dev/full ]; then
    echo uci | "$steelyard" uci >/dev/full 2>err
    ok "output that goes nowhere" test $? -eq 1
fi

end
