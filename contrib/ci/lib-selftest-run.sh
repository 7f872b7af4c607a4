# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# shellcheck shell=sh disable=SC2034,SC2154,SC2317 # variables and functions of the others
# lib-selftest-run.sh - runs commands as the tests' user and with limits, and has the common parts
# of steps: configure, build, check. Sourced by contrib/selftest.

user= # commands below run as this user; empty: the caller
wrap= # words before each command
choice= # CLI tests that `make check` runs besides the unit tests; empty: all tests
transcripts= # of tests/golden that `make check` compares besides such a choice; empty: all
limit=1800 # seconds for each command
without= # unit tests that a step need not repeat: `make check` skips them
linker= # links them in half the time, if gcc supports it: there are hundreds
only= # unit tests that a step builds and runs; empty: all

as_user() {
    if [ -z "$user" ]; then
        "$@"
    else
        setpriv --reuid="$user" --regid="$(id -g "$user")" --clear-groups --inh-caps=-all \
            env HOME="$work/home" USER="$user" LOGNAME="$user" TMPDIR="$work/tmp" PATH="${compilers-}$PATH" "$@"
    fi
}

# A test that hangs is a failure and must not keep the machine busy.
bounded() {
    # shellcheck disable=SC2086 # a list of words
    as_user $wrap timeout --foreground -k 20 "$limit" "$@"
    bounded_status=$?
    [ "$bounded_status" -ne 124 ] || echo "timed out after $limit s"
    return "$bounded_status"
}

# name_step STEP WHAT
name_step() {
    step=$1
    began=$(date +%s)
    times >"$work/$step-times"
    echo "== $step: $2"
}

# begin STEP WHAT: in a separate directory
begin() {
    name_step "$@"
    as_user mkdir -p "$work/build/$step"
    cd "$work/build/$step" || exit 1
}

# The second line of `times` is the processor time of the commands: 1m2.3s 0m4.5s, user and system.
end() {
    times >>"$work/$step-times"
    echo "   $(grep -c "	$step: " "$results") results, $(($(date +%s) - began)) s, $(
        awk 'NR % 2 == 0 { gsub(/[ms]/, " "); took = $1 * 60 + $2 + $3 * 60 + $4 - took } END { printf "%d", took }' \
            "$work/$step-times"
    ) s of processors"
}

# fail_step WHAT LOG
fail_step() {
    note FAIL "$step: $1" "$(cause "$2")"
    echo "--- $step: $1"
    tail -n 40 "$2"
}

# configure CONFIGURE-ARGUMENT...: every build is fresh, so dependencies need not be tracked
configure() {
    if ! bounded "$work/source/configure" --disable-dependency-tracking "$@" >"$work/$step-configure.log" 2>&1; then
        fail_step configure "$work/$step-configure.log"
        return 1
    fi
    grep -q '^#define HAVE_CMOCKA 1' config.h ||
        note SKIP "$step: unit tests" 'cmocka was not found'
}

# The unit tests of this build, except those in $without.
units() {
    find tests/unit -type f -name 'test_*' ! -name '*.*' 2>/dev/null | sort |
        awk -v without=" $without " '{ name = $0; sub(/.*test_/, "", name) } !index(without, " " name " ")'
}

# make_check WORD...: of the unit tests, only $only. Each test's processor time is in NAME.time.
make_check() {
    # shellcheck disable=SC2016 # for make, and then for sh
    driver='sh -c '\''sh "$$0" "$$@"; status=$$?; times >"$${4%log}time"; exit $$status'\'' $(top_srcdir)/build-aux/test-driver'
    set -- "$@" "LOG_DRIVER=$driver" "SH_LOG_DRIVER=$driver" "T_LOG_DRIVER=$driver" "PY_LOG_DRIVER=$driver"
    if [ -n "$only" ]; then
        # shellcheck disable=SC2016,SC2046,SC2086 # for make; a list of words
        set -- "$@" "check_PROGRAMS=contrib/completions/rows \$(golden_programs) \$(filter $(echo $(printf 'tests/unit/test_%s ' $only)),\$(unit_tests))"
    fi
    bounded make -k check "$@"
}

# build CONFIGURE-ARGUMENT...: the program and everything that tests need
build() {
    for unit in $only; do # make ignores unknown names
        [ -e "$work/source/tests/unit/test_$unit.c" ] || note FAIL "$step: test_$unit" 'there is no such unit test'
    done
    configure "$@" || return 1
    if ! bounded make -j "$jobs" >"$work/$step-make.log" 2>&1 ||
        ! make_check -j "$jobs" TESTS= ${linker:+"LDFLAGS=$linker"} >>"$work/$step-make.log" 2>&1; then
        fail_step make "$work/$step-make.log"
        return 1
    fi
}

# longest N: the N tests of this step that took most, in seconds of processor time
longest() {
    find tests -name '*.time' -exec awk 'FNR == 2 { gsub(/[ms]/, " ")
        name = FILENAME; sub(/[.]time$/, "", name)
        printf "%d %s\n", $1 * 60 + $2 + $3 * 60 + $4, name }' {} + | sort -rn | head -n "$1" |
        awk '{ printf "%s%s %s", (NR > 1 ? ", " : "   longest: "), $2, $1 } END { if (NR) print "" }'
}

# check: runs more tests concurrently than there are processors, since many wait
check() {
    before=$(failures)
    # shellcheck disable=SC2086 # lists of words
    chosen=$({ printf 'tests/%s.sh\n' $choice && units && printf 'tests/golden/%s.t\n' \
        ${transcripts:-$(ls "$work/source/tests/golden" | sed -n 's/[.]t$//p')}; } | tr '\n' ' ')
    make_check -j "$((jobs + 2))" ${choice:+"TESTS=$chosen"} >"$work/$step-check.log" 2>&1
    check_status=$?
    rm -f "$work/$step-failed"
    collect "$step" "$PWD" || note FAIL "$step: make check" 'no test was run'
    [ ! -s "$work/$step-failed" ] || check_status=0
    judge check_alone
    if [ "$check_status" -ne 0 ] && [ "$before" -eq "$(failures)" ]; then
        fail_step 'make check' "$work/$step-check.log"
    fi
}

# check_alone TEST: by its automake name, without suffix
check_alone() {
    for script in "$1.sh" "$1.t" "$1.py" "$1"; do
        [ ! -e "$work/source/$script" ] || break
    done
    make_check TESTS="$script"
}
