#!/bin/sh
# Every file of src/ and include/steelyard/ belongs to a layer and includes only headers of its own or of a lower one;
# cJSON and GSL are included by the one layer that wraps them.
# Usage, at the top of the source tree: tests/check_layers.sh
set -u

# A pattern stands for the file NAME of a source or header, without its suffix.
layer_of() {
    case $1 in
    base* | clock | digest | file | random | reader | text | shipped | version) echo 1 ;;
    json*) echo 2 ;;
    set* | board*) echo 3 ;;
    variant* | view* | playout* | position* | fen* | movegen* | outcome* | params*) echo 4 ;;
    notation* | pgn*) echo 5 ;;
    eval* | see* | tt* | search*) echo 6 ;;
    game* | experiment* | harness* | player* | uci*) echo 7 ;;
    stats*) echo 8 ;;
    summary* | plot* | report* | match* | draw* | simulate* | coverage* | tune* | power* | iterate* | until*) echo 9 ;;
    cmd* | main) echo 10 ;;
    *) echo 0 ;;
    esac
}

# Whether a file of the layer $2 may include the system header $1.
may_include_library() {
    case $1 in
    *cJSON*) [ "$2" -eq 2 ] ;;
    gsl/*) [ "$2" -eq 8 ] ;;
    *) true ;;
    esac
}

# Prints what is wrong with one file.
check_file() {
    name=$(basename "$1")
    name=${name%.[ch]}
    own=$(layer_of "$name")
    if [ "$own" -eq 0 ]; then
        echo "$1: in no layer: give it one in tests/check_layers.sh"
        return
    fi
    sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\([^"]*\)".*/\1/p' "$1" | while read -r header; do
        base=$(basename "$header" .h)
        layer=$(layer_of "$base")
        if [ "$layer" -eq 0 ]; then
            echo "$1: includes \"$header\", which is in no layer"
        elif [ "$layer" -gt "$own" ]; then
            echo "$1 (layer $own): includes \"$header\" (layer $layer)"
        fi
    done
    sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*<\([^>]*\)>.*/\1/p' "$1" | while read -r header; do
        may_include_library "$header" "$own" || echo "$1: includes <$header>, which another layer wraps"
    done
}

errors=$(for file in src/*.[ch] include/steelyard/*.h; do check_file "$file"; done)
if [ -n "$errors" ]; then
    printf '%s\n0 passed, 1 failed\n' "$errors"
    exit 1
fi
echo '1 passed, 0 failed'
