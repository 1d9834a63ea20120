#!/bin/sh
# Games of `steelyard uci` against itself in every shipped variant, as a match program sees them: no game is void, none is
# left hanging.
# Usage, at the top of the source tree: STEELYARD=PROGRAM tests/long_uci.sh
set -u

. tests/begin.inc

play() { # VARIANT LIMIT
    cat >match.json <<END
{"design": "match", "variant": "$1", "seed": 1, "games": 6, "opening": {"plies": [2, 6]}, "failures": 1,
 "adjudicate": {"plies": 300},
 "players": {
   "one": {"uci": ["$steelyard", "uci"], "options": {"UCI_Variant": "$1", "Hash": 1}, $2, "patience": 120},
   "two": {"uci": ["$steelyard", "uci"], "options": {"UCI_Variant": "$1", "Hash": 1}, $2, "patience": 120}}}
END
    "$steelyard" match match.json >out 2>err
    ok "$1, $2" sh -c '[ "$1" -eq 0 ] && ! grep -q void out' - $?
}

explain() {
    sed 's/^/  /' out err
}

variants=$(echo uci | "$steelyard" uci | sed -n 's/^option name UCI_Variant .* default [^ ]*//; s/ var / /gp')
for variant in $variants; do
    play "$variant" '"nodes": 300'
    play "$variant" '"movetime": 5'
done

end
