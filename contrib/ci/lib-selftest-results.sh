# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# shellcheck shell=sh disable=SC2034,SC2154,SC2317 # variables and functions of the others
# lib-selftest-results.sh - the results of tests. Sourced by contrib/selftest.
#
# Results are lines of $results: RESULT, STEP: TEST and reason, separated by tabs.

# note RESULT NAME REASON
note() {
    printf '%s\t%s\t%s\n' "$1" "$2" "$3" >>"$results"
}

# count 'RESULT...'
count() {
    awk -F '\t' -v words=" $1 " 'index(words, " " $1 " ") { n++ } END { print n + 0 }' "$results"
}

# Number of failed tests of this step.
failures() {
    awk -F '\t' -v name="$step: " '$1 ~ /FAIL|XPASS|ERROR/ && index($2, name) == 1 { n++ }
        END { print n + 0 }' "$results"
}

# The last line of a log, except the one that automake appends.
last_words() {
    line=$(sed -e '/^[[:space:]]*$/d' -e '/(exit status: [0-9]*)$/d' "$1" | tail -n 1)
    line=${line#SKIP: }
    [ -n "$line" ] ||
        line="no output $(sed -n 's/.*\((exit status: [0-9]*)\)$/\1/p' "$1" | tail -n 1)"
    printf '%s' "$line" | tr '\t' ' '
}

# The failed cases of a unit test, or what a shell test prints before its evidence.
why_failed() {
    cases=$(sed -n 's/^\[ *FAILED *\] *\([[:alnum:]_]*\)$/\1/p' "$1" | sort -u | tr '\n' ' ')
    [ -n "$cases" ] || cases=$(sed -n 's/^FAIL: //p' "$1" | tail -n 1 | tr '\t' ' ')
    if [ -n "$cases" ]; then
        printf '%s' "${cases% }"
    else
        last_words "$1"
    fi
}

# note_skipped_cases NAME LOG: a unit test passes even if some of its cases were skipped
note_skipped_cases() {
    awk '
    /^\[ *SKIPPED *\] *[[:alnum:]_]+$/ && !seen[$NF]++ {
        print $NF "\t" (before ~ /^\[/ ? "no reason given" : before)
    }
    { before = $0 }' "$2" >"$work/$step-cases"
    while IFS='	' read -r case why; do
        note SKIP "$1: $case" "$why"
    done <"$work/$step-cases"
}

# The error that stopped a build precedes make's own message.
cause() {
    line=$(grep -E '[Ee]rror:|undefined reference|No rule to make|timed out' "$1" |
        grep -v 'error: in ' | head -n 1)
    [ -n "$line" ] ||
        line=$(awk '/^make.*[*][*][*]/ { print before; exit } { before = $0 }' "$1")
    [ -n "$line" ] || line=$(last_words "$1")
    line=${line#"$work/source/"}
    printf '%s' "$line" | tr '\t' ' '
}

# collect STEP DIRECTORY: automake's result of each test; 1 if there was none
collect() {
    find "$2" -name '*.trs' | sort >"$work/$step-list"
    while read -r trs; do
        name=${trs#"$2"/}
        name=${name%.trs}
        log=${trs%.trs}.log
        result=$(sed -n 's/^:test-result: *\([A-Z]*\).*/\1/p' "$trs" | head -n 1)
        case $result in
        PASS | XFAIL)
            note "$result" "$1: $name" ''
            note_skipped_cases "$1: $name" "$log"
            ;;
        SKIP) note SKIP "$1: $name" "$(last_words "$log")" ;;
        *)
            printf '%s\t%s\t%s\n' "${result:-ERROR}" "$name" "$(why_failed "$log")" >>"$work/$step-failed"
            printf -- '--- %s: %s\n' "$1" "$name"
            tail -n 40 "$log"
            ;;
        esac
    done <"$work/$step-list"
    [ -s "$work/$step-list" ]
}

# judge COMMAND...: notes the tests of $work/$step-failed (RESULT, NAME, REASON). The command, with
# a test's name appended, runs this one alone. Many failures are not chance.
judge() {
    [ -s "$work/$step-failed" ] || return 0
    failed_here=$(wc -l <"$work/$step-failed")
    while IFS='	' read -r result name why; do
        if [ "$failed_here" -le 3 ] && "$@" "$name" >>"$work/$step-alone.log" 2>&1 </dev/null &&
            "$@" "$name" >>"$work/$step-alone.log" 2>&1 </dev/null; then
            result=FLAKY
        fi
        note "$result" "$step: $name" "$why"
    done <"$work/$step-failed"
}

# distcheck leaves read-only trees, a killed test perhaps a mount.
remove_work() {
    [ -d "$work" ] || return 0
    chmod -R u+rwX "$work" 2>/dev/null
    rm -rf --one-file-system "$work"
}

# settle_root: a test skipped by step gcc as an ordinary user, but run by step root, does not count
# as skipped.
settle_root() {
    awk -F '\t' '
    NR == FNR { if ($1 == "PASS" && sub(/^root: /, "", $2)) passed[$2] = 1; next }
    {
        name = $2
        if ($1 == "SKIP" && $3 == "needs root" && sub(/^gcc: /, "", name) && name in passed) next
        print
    }' "$results" "$results" >"$work/settled" && mv "$work/settled" "$results"
}

finish() {
    settle_root
    keep_ccache
    passed=$(count 'PASS XFAIL FLAKY')
    failed=$(count 'FAIL XPASS ERROR')
    skipped=$(count 'SKIP')
    echo
    for words in SKIP FLAKY 'FAIL XPASS ERROR'; do
        awk -F '\t' -v words=" $words " \
            'index(words, " " $1 " ") { print $1 " " $2 ": " $3 }' "$results"
    done
    status=1
    if [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]; then
        status=0
        cd "$top" && remove_work
    else
        echo "logs: $work"
    fi
    echo "$passed passed, $failed failed, $skipped skipped"
    exit "$status"
}
