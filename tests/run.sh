#!/bin/sh
# Runs the whole fast or long set: the C runner, then every tests/*.sh but this one (long_*.sh are the long set's).
# Each closes with "N passed, M failed"; so does this script, with the sums. Exit status 0 only if something passed and
# nothing failed. Shell tests find the built program in $STEELYARD.
# Usage, at the top of the source tree: tests/run.sh fast|long RUNNER
set -u

set_name=$1
runner=$2
passed=0
failed=0
log=$(mktemp) || exit 1
trap 'rm -f "$log" "$log.status"' EXIT
trap 'exit 1' HUP INT TERM

# Shows what the command prints as it comes, but for its closing line, which is added to the sums.
tally() {
    name=$1
    shift
    { "$@" 2>&1; echo $? >"$log.status"; } | tee "$log" | sed '$d'
    read -r status <"$log.status"
    closing=$(tail -n 1 "$log")
    if expr "$closing" : '[0-9][0-9]* passed, [0-9][0-9]* failed$' >/dev/null; then
        run_passed=${closing%% *}
        run_failed=${closing#*, }
        run_failed=${run_failed%% *}
    else
        run_passed=0
        run_failed=0
        echo "$closing"
    fi
    # A run that dies, or that ran nothing, has failed once whatever it says.
    if [ "$run_failed" -eq 0 ] && { [ "$status" -ne 0 ] || [ "$run_passed" -eq 0 ]; }; then
        echo "$name: exit status $status"
        run_failed=1
    fi
    passed=$((passed + run_passed))
    failed=$((failed + run_failed))
    printf -- '-- %s: passed %d, failed %d\n' "$name" "$run_passed" "$run_failed"
}

case $set_name in
fast) tally units "$runner" ;;
long) tally units "$runner" --long ;;
esac
for script in tests/*.sh; do
    case $set_name:$script in
    *:tests/run.sh) ;;
    long:tests/long_*.sh) tally "$script" sh "$script" ;;
    long:* | fast:tests/long_*.sh) ;;
    *) tally "$script" sh "$script" ;;
    esac
done

echo "$passed passed, $failed failed"
[ "$passed" -gt 0 ] && [ "$failed" -eq 0 ]
