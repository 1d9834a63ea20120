#!/bin/sh
# Tests of `steelyard play` as a user meets it, the moves and commands read from a file.
# Usage, at the top of the source tree: STEELYARD=PROGRAM tests/play_command.sh
set -u

. tests/begin.inc

# Plays with these lines typed; the exit status is in $status, what was said in the file out.
session() { # LINES ARGUMENTS ...
    printf %b "$1" >in
    shift
    "$steelyard" play "$@" --nodes 500 <in >out 2>err
    status=$?
}

ended_well() {
    [ "$status" -eq 0 ] && [ ! -s err ] && return
    echo "  status $status, messages:"
    sed 's/^/  /' err
    return 1
}

said() { # LINE
    grep -qxF -- "$1" out && return
    echo '  said:'
    sed 's/^/  /' out
    return 1
}

did_not_say() { # WORDS
    ! grep -qF -- "$1" out
}

said_times() { # COUNT WORDS
    [ "$(grep -cF -- "$2" out)" -eq "$1" ]
}

failed_with() { # STATUS WORDS
    [ "$status" -eq "$1" ] && [ "$(wc -l <err)" -eq 1 ] && grep -qF -- "$2" err
}

start='rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'

for game in chess glinski mccooey panal shafran sunflower; do
    session '' "$game"
    ok "$game: the end of the input" ended_well
    session 'hint\nquit\nhint\n' "$game"
    ok "$game: a hint" said_times 1 'Hint: '
    session '' "$game" --side black
    ok "$game: the engine begins" said_times 1 'White plays '
done

session 'e2e4\nfen\nundo\nfen\n' chess
ok 'the engine answers' said_times 1 'Black plays '
ok 'undo takes both moves back' said "$start"
session 'e2-e4\ne7 e5\nundo\nfen\n' chess --side both
ok 'two people' did_not_say plays
ok 'undo takes one move back' said 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1'
session 'undo\nfen\n' chess
ok 'nothing to undo' said 'There is no move of yours to take back.'
session 'undo\n' chess --side black
ok "the engine's first move is not the person's" said 'There is no move of yours to take back.'

session 'e2\nmoves\n' chess
ok 'moves of a cell' said '  e2e3  e2e4'
ok 'all moves' said '  e2e3  e2e4  f2f3  f2f4  g2g3  g2g4  h2h3  h2h4'
session 'e2e5\n' chess
ok 'an illegal move' said "Illegal move 'e2e5': the pawn on e2 can't do that."
ok 'what was possible' said '  e2e3  e2e4'
session 'e7e5\n' chess
ok "the other side's piece" said "Illegal move 'e7e5': White has no piece on e7."
session 'undoo\n' chess
ok 'no such command' said "'undoo' is neither a move nor a command."
ok 'the nearest one' said 'Did you mean undo?'
session 'b7b8\nfen\n' chess --fen '8/1P5k/2K5/8/8/8/8/8 w - - 0 1'
ok 'a promotion without its piece' said '  b7b8q  b7b8r  b7b8b  b7b8n'
session 'help\n' chess
ok 'help' said '  undo   take your last move back'
session 'flip\n' chess
ok 'flip' said ' 1    R N B K Q B N R'

session 'a1a8\nh8h7\nundo\nfen\n' chess --fen '7k/5ppp/8/8/8/8/8/R6K w - - 0 1'
ok 'mate and its score' said 'Game over: checkmate. White 1, Black 0.'
ok 'no move after the end' said "The game is over: 'undo' goes back, 'quit' ends."
ok 'back from the end' said '7k/5ppp/8/8/8/8/8/R6K w - - 0 1'
session 'a1a8\n' chess --side both --fen '7k/5pp1/7p/8/8/8/8/R6K w - - 0 1'
ok 'check' said "Check: Black's king is attacked."
session 'f7g6\n' glinski --side both --fen 'f/3/5/7/9/11/11/11/11/11/11 w - - 0 1'
ok 'a wrong FEN' [ "$status" -eq 65 ]

session '' sunflower --side none
ok 'watching ends' ended_well
ok 'by an ending or a limit' grep -qE '^(Game over: |Stopped after )' out
ok 'nothing is asked' did_not_say '> '

session '' chess --side green
ok 'no such side' failed_with 2 "'green' must be white, black, both or none"
"$steelyard" play chess --nodes 0 >out 2>err </dev/null
status=$?
ok 'no nodes' failed_with 2 'whole number from 1 on'
"$steelyard" play >out 2>err </dev/null
status=$?
ok 'no variant' failed_with 2 'one VARIANT'
session '' nosuchgame
ok 'no such variant' failed_with 65 nosuchgame

end
