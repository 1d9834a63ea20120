#!/bin/sh
# Games of `steelyard uci` against itself in every shipped variant, as a match program sees them: no game is void, none is
# left hanging.
# Usage: STEELYARD=PROGRAM tests/long_uci.sh
set -u

steelyard=${STEELYARD:?is not set to the program}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work" || exit 1
passed=0
failed=0

play() { # VARIANT LIMIT
    cat >match.json <<END
{"design": "match", "variant": "$1", "seed": 1, "games": 6, "opening": {"plies": [2, 6]}, "failures": 1,
 "adjudicate": {"plies": 300},
 "players": {
   "one": {"uci": ["$steelyard", "uci"], "options": {"UCI_Variant": "$1", "Hash": 1}, $2, "patience": 120},
   "two": {"uci": ["$steelyard", "uci"], "options": {"UCI_Variant": "$1", "Hash": 1}, $2, "patience": 120}}}
END
    if "$steelyard" match match.json >out 2>err && ! grep -q void out; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $1, $2"
        sed 's/^/  /' out err
    fi
}

variants=$(echo uci | "$steelyard" uci | sed -n 's/^option name UCI_Variant .* default [^ ]*//; s/ var / /gp')
for variant in $variants; do
    play "$variant" '"nodes": 300'
    play "$variant" '"movetime": 5'
done

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
