#!/bin/sh
# Tests of `steelyard show` as a user meets it: pictures, text, and clear refusals.
# Usage, at the top of the source tree: STEELYARD=PROGRAM tests/show_command.sh
set -u

. tests/begin.inc
pictures=$top/tests/data/pictures

# Runs the program; its exit status is in $status, its messages in the file err.
run() {
    "$steelyard" "$@" >out 2>err
    status=$?
}

ended_well() {
    [ "$status" -eq 0 ] && [ ! -s err ] && return
    echo "  status $status, messages:"
    sed 's/^/  /' err
    return 1
}

# The last run ended with this status and one line of messages that has the words.
failed_with() { # STATUS WORDS
    [ "$status" -eq "$1" ] && [ "$(wc -l <err)" -eq 1 ] && grep -qF -- "$2" err && return
    echo "  status $status, messages:"
    sed 's/^/  /' err
    return 1
}

printed() { # LINE
    grep -qxF -- "$1" out && return
    echo '  printed:'
    sed 's/^/  /' out
    return 1
}

well_formed() { # FILE
    if command -v xmllint >/dev/null 2>&1; then
        xmllint --noout "$1"
    else
        grep -q '</svg>$' "$1"
    fi
}

is_png() { # FILE
    [ "$(head -c 8 "$1" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ]
}

for game in chess glinski mccooey panal shafran sunflower; do
    run show "$game" -o "$game.svg"
    ok "$game as a picture" ended_well
    ok "$game is well-formed" well_formed "$game.svg"
    run show "$game"
    ok "$game as text" printed 'White to move.'
done

run show chess e2e4 e7e5 g1f3 --moves b8
ok 'a position after moves' printed ' 3    . . . . . N . .'
ok 'the last move and the side to move' printed 'Last move g1f3. Black to move.'
ok 'moves of a piece' printed 'Moves of b8: b8a6 b8c6'
ok 'its FEN' printed 'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2'
run show glinski e1c3 e10c6 b1b2 b7b6 f3b1 e7e6 c3f9
ok 'a mate' printed 'Last move c3f9. Over: checkmate, White scores 1.'
run show panal i3g5 i7h6 g1*m7 g9*m3 g5h6 k9h6 j2j4 h6*k3 j4h6 j8h6 h2k3 m9q5
ok 'a check' printed 'Last move m9q5. White to move, in check.'
run show chess --flip
ok 'flipped' printed ' 8    r n b k q b n r'
# The two files say the same but for numbers, and those differ by a fifth of a pixel at most: rounding differs.
alike() { # FILE FILE
    for file in "$1" "$2"; do
        sed 's/-\{0,1\}[0-9][0-9]*\(\.[0-9]*\)\{0,1\}/\n#&\n/g' "$file"
    done >parts
    awk -v half="$(($(wc -l <parts) / 2))" '
        NR <= half { first[NR] = $0; next }
        { a = first[NR - half] }
        a == $0 { next }
        a !~ /^#/ || $0 !~ /^#/ { exit bad = 1 }
        { apart = substr(a, 2) - substr($0, 2); if (apart > 0.2 || apart < -0.2) exit bad = 1 }
        END { exit bad || NR != 2 * half }' parts
}

# Those of tests/data were looked at.
run show chess e2e4 d7d5 e4d5 -o chess.svg
ok 'a square board as it should look' alike chess.svg "$pictures/chess.svg"
run show sunflower --moves gz5 -o sunflower.svg
ok 'a radial board as it should look' alike sunflower.svg "$pictures/sunflower.svg"
run show panal --flip -o panal.svg
ok 'a hexagonal board as it should look' alike panal.svg "$pictures/panal.svg"
run show glinski --heat knight -o glinski.svg
ok 'a heat map as it should look' alike glinski.svg "$pictures/glinski.svg"
run show glinski --heat bishop -o other.svg
ok 'another heat map looks otherwise' eval '! alike other.svg "$pictures/glinski.svg"'

run show chess --fen '8/8/8/8/8/8/k7/2K5 w - - 0 1'
ok 'a FEN' printed ' 1    . . K . . . . .'

run show chess --heat knight
ok 'mobility as text' printed ' 4    4 6 8 8 8 8 6 4'
run show chess --heat N -o heat.svg
ok 'mobility as a picture' ended_well
ok 'mobility is well-formed' well_formed heat.svg
run show chess --title 'a <b> & "c"' -o title.svg
ok 'a title is escaped' grep -q '<title>a &lt;b&gt; &amp; &quot;c&quot;</title>' title.svg
ok 'an escaped title is well-formed' well_formed title.svg
run show chess -o a.svg
run show chess -o b.svg
ok 'the same picture twice' cmp a.svg b.svg

if command -v rsvg-convert >/dev/null 2>&1; then
    run show sunflower --width 300 -o board.PNG
    ok 'a PNG' ended_well
    ok 'it is one' is_png board.PNG
    ok 'as wide as it should be' [ "$(od -An -tu1 -j16 -N4 board.PNG | tr -d ' ')" = 00144 ]
else
    echo 'skipped: a PNG (no rsvg-convert)'
fi
PATH=/nonexistent run show chess -o none.png
ok 'no converter' failed_with 1 'PNG pictures need rsvg-convert'
ok 'no picture then' [ ! -e none.png ]

run show chess -o board.gif
ok 'another kind of picture' failed_with 2 "'board.gif' must end in .svg or .png"
run show chess -o missing/board.svg
ok 'a directory that is not there' failed_with 1 'missing'
run show chess --moves e9
ok 'no such cell' failed_with 65 "no cell 'e9'"
run show chess --moves e4
ok 'no piece there' failed_with 65 'no piece on e4'
run show chess --heat archer
ok 'no such piece' failed_with 65 "no piece 'archer'"
run show chess --heat kinght
ok 'a misspelt piece' failed_with 65 "did you mean 'knight'?"
run show chess e2e4 --heat N
ok 'a position with --heat' failed_with 2 'empty board'
run show chess e2e5
ok 'an illegal move' failed_with 65 'move 1'
run show chess --width 3 -o x.png
ok 'a width out of range' failed_with 2 'from 50 to'
run show
ok 'no variant' failed_with 2 'show'
run show nosuchgame
ok 'no such variant' failed_with 65 'nosuchgame'

end
