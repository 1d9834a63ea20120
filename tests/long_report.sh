#!/bin/sh
# The report in a browser, Debian's chromium without a window: at both widths and in both themes nothing is wider
# than the page, nothing complains, pictures are there and have words, and the stepper steps.
# Usage: STEELYARD=PROGRAM tests/long_report.sh
set -u

steelyard=${STEELYARD:?is not set to the program}
if ! browser=$(command -v chromium); then
    echo 'skipped: no chromium on PATH (Debian: chromium)'
    echo '1 passed, 0 failed'
    exit 0
fi
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

cat >trial.json <<'EOF'
{"title": "A trial with a rather long title, Donaudampfschifffahrtsgesellschaftskapitänsmütze included",
 "design": "imbalance", "variants": ["chess", "sunflower", "panal"], "seed": 4, "games": 60, "depth": 1,
 "opening": {"plies": 2}, "engine": {"eval.noise": 0.3}, "imbalance": {"remove": [0, 2]},
 "fit": {"bootstrap": 100}, "adjudicate": {"plies": 150}}
EOF
"$steelyard" run trial.json -o trial >/dev/null 2>&1 && "$steelyard" report trial 2>/dev/null
ok 'the page is written' [ -s trial/report.html ]

# What the page is asked: listeners go before everything else in it, questions after everything.
cat >first.js <<'EOF'
<script>
var complaints = [];
addEventListener('error', function (event) { complaints.push(event.message || 'not loaded'); }, true);
addEventListener('securitypolicyviolation', function (event) { complaints.push(event.violatedDirective); });
['error', 'warn'].forEach(function (kind) { console[kind] = function (text) { complaints.push(text); }; });
</script>
EOF
cat >last.js <<'EOF'
<script>
addEventListener('load', function () {
  var page = document.documentElement, game = document.querySelector('.game');
  var slider = game.querySelector('input'), said = [];
  function shown() {
    var pieces = Array.from(game.querySelectorAll('[data-cell] use'), function (use) {
      return use.getAttribute('href');
    });
    return slider.value + game.querySelector('.now').textContent + pieces;
  }
  function press(key) {
    game.dispatchEvent(new KeyboardEvent('keydown', { key: key, bubbles: true, cancelable: true }));
    said.push(shown());
  }
  said.push(shown());
  ['Home', 'ArrowRight', 'ArrowLeft', 'End'].forEach(press);
  game.querySelector('[data-step=back]').click();
  said.push(shown());
  var images = Array.from(document.images);
  var answers = {
    width: innerWidth,
    overflow: page.scrollWidth - page.clientWidth,
    dark: getComputedStyle(document.body).backgroundColor === 'rgb(25, 26, 27)',
    complaints: complaints.length ? complaints.join('; ') : 'none',
    images: images.length,
    broken: images.filter(function (image) { return !image.complete || !image.naturalWidth; }).length,
    wordless: images.filter(function (image) { return image.alt.length < 20; }).length,
    home: said[1] !== said[0], on: said[2] !== said[1], back: said[3] === said[1], end: said[4] === said[0],
    button: said[5] !== said[4] && Number(slider.value) === Number(slider.max) - 1
  };
  Object.keys(answers).forEach(function (key) { parent.postMessage(key + '=' + answers[key], '*'); });
});
</script>
EOF
sed -e '/<head>/r first.js' -e '/<\/body>/r last.js' trial/report.html >probe.html

answered() { # QUESTION ANSWER
    grep -q "^$1=$2\$" answers && return
    grep "^$1=" answers || echo "  no answer to $1"
    return 1
}

# The page stands in a frame of that width, since a window has a least one. It sends its answers out.
look() { # WIDTH THEME OPTION
    cat >frame.html <<EOF
<!DOCTYPE html>
<script>
addEventListener('message', function (event) { document.body.append(event.data + '\\n'); });
</script>
<body><iframe src="probe.html" width="$1" height="900" style="border: 0"></iframe>
answers:
EOF
    # shellcheck disable=SC2086 # no option is no argument
    "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$work/profile" \
        --window-size=1500,1000 $3 --virtual-time-budget=5000 --dump-dom "file://$work/frame.html" \
        >answers 2>browser.log
    ok "$1 $2: the width" answered width "$1"
    ok "$1 $2: the theme" answered dark "$([ "$2" = dark ] && echo true || echo false)"
    ok "$1 $2: nothing is wider than the page" answered overflow 0
    ok "$1 $2: no complaints" answered complaints none
    ok "$1 $2: pictures load" answered broken 0
    ok "$1 $2: pictures have words" answered wordless 0
    for step in home on back end button; do
        ok "$1 $2: stepping, $step" answered $step true
    done
}

for width in 380 1400; do
    look $width light ''
    look $width dark --force-dark-mode
done
# Without gnuplot there are no pictures to look at.
if command -v gnuplot >/dev/null; then
    # Charts, and of each game where it is decided, where its pieces go and how far they see.
    ok 'all pictures are there' answered images "$(grep -c '^!\[' trial/report.md)"
    ok 'enough pictures are there' [ "$(sed -n 's/^images=//p' answers)" -gt 40 ]
fi
sed 's/<script.*//' trial/report.html >plain.html
ok 'without a script: the last position' grep -q '<use [^>]*href="#piece-0-' plain.html
ok 'without a script: the moves' grep -q '^<p class="moves">1\. ' plain.html

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
