#!/bin/sh
# Games are data: no file of src/ or include/ carries a game's name, in its text outside comments or in its own name.
# Usage, at the top of the source tree: tests/check_names.sh
set -u

games='glinski|panal|sunflower|mccooey|shafran'

# Prints the file with comments blanked and line numbers before the lines.
without_comments() {
    awk '
    {
        out = ""
        for (i = 1; i <= length($0); i++) {
            c = substr($0, i, 1)
            two = substr($0, i, 2)
            if (state == "comment") {
                if (two == "*/") { state = ""; i++ }
            } else if (state != "") {
                out = out c
                if (c == "\\") out = out substr($0, ++i, 1)
                else if (c == state) state = ""
            } else if (two == "/*") {
                state = "comment"; i++
            } else if (two == "//") {
                break
            } else {
                if (c == "\"" || c == "\047") state = c
                out = out c
            }
        }
        print NR ": " out
    }' "$1"
}

found=$(find src include -type f | while read -r file; do
    { basename "$file" && without_comments "$file"; } | grep -iE "$games" | sed "s|^|$file: |"
done)
if [ -n "$found" ]; then
    printf '%s\n0 passed, 1 failed\n' "$found"
    exit 1
fi
echo '1 passed, 0 failed'
