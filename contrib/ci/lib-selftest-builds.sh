# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# shellcheck shell=sh disable=SC2034,SC2154,SC2317 # variables and functions of the others
# lib-selftest-builds.sh - steps that build in various ways and test the result. Sourced by
# contrib/selftest.

step_autoreconf() {
    begin autoreconf 'autoreconf -fi -Wall,error'
    log=$work/autoreconf.log
    if bounded autoreconf -fi -Wall,error "$work/source" >"$log" 2>&1; then
        note PASS "$step: strict" ''
    else
        fail_step strict "$log"
        # the other steps are still useful
        bounded autoreconf -fi "$work/source" >"$log" 2>&1 || finish
    fi
    end
}

step_gcc() {
    begin gcc 'gcc --enable-werror, make check'
    # a library that is only looked for on request
    libs3=
    [ -n "$quick" ] || ! has_libs3 >/dev/null 2>&1 || libs3=--with-libs3
    mpicc=$(mpicc_of openmpi || mpicc_of mpich)
    # shellcheck disable=SC2086 # words or none
    if build --enable-werror CC=gcc CFLAGS=-O2 $libs3 ${mpicc:+--with-mpi "MPICC=$mpicc"}; then
        start_beside
        check
        longest 10
    fi
    end
}

# Uses the ordinary user's build.
step_root() {
    name_step root 'the same program, tests for which it matters who runs them'
    cd "$work/build/gcc" || exit 1
    if [ -x src/iosweep ]; then
        find . -name '*.trs' -exec rm {} +
        choice='cli/async-memory cli/below cli/enospc cli/extents cli/filesystems cli/in-use cli/memory cli/mounts
            cli/read-existing cli/threads cli/uncached'
        # those that depend on permissions
        only='created engines fileset fileset_clean hostinfo layout life log module mountstats os_file own processors
            removal store usage walk'
        transcripts='async clean engines'
        user=
        check
        user=$caller
        choice='' only='' transcripts=
    else
        note SKIP 'root: all tests' 'step gcc built no program'
    fi
    end
}

# Feeds the parsers random words for a while, if clang supports that.
fuzz() {
    log=$work/$step-fuzz.log
    wrap="setarch $(uname -m) -R" # as for sanitizers below
    bounded true >/dev/null 2>&1 || wrap=
    echo 'int LLVMFuzzerTestOneInput(const char *data, long size) { return !data && size; }' >"$work/probe.c"
    if ! as_user clang -fsanitize=fuzzer,address,undefined -o probe "$work/probe.c" >"$log" 2>&1 ||
        ! bounded ./probe -runs=9 >"$log" 2>&1; then
        note SKIP "$step: fuzz" "clang cannot build or run with -fsanitize=fuzzer: $(cause "$log")"
    elif bounded make fuzz FUZZ_SECONDS=10 >"$log" 2>&1; then
        note PASS "$step: fuzz" ''
    else
        fail_step fuzz "$log"
    fi
    wrap=
}

step_clang() {
    begin clang 'clang --enable-werror, unit tests of loops and statistics, make fuzz'
    choice='cli/accept-sweep'
    # those that another compiler may compute in another order
    only='clocks cycle cycle_async cycle_mix hist mem null pattern rng slice_sum stats store sweep'
    transcripts='findings mem sweep'
    if build --enable-werror CC=clang CFLAGS=-O1; then
        check
        fuzz
    fi
    choice='' only='' transcripts=
    end
}

step_minimal() {
    begin minimal 'gcc without libraries: unit tests of what uses them elsewhere, and what needs none'
    choice='cli/accept-classic cli/docs-agree cli/errors cli/mem cli/null'
    # those that depend on which libraries exist
    only='engines forecast join judge option options parsers plan plan_targets
        scenarios targets_team'
    transcripts='clashes dry-run errors help hints mem option-files sweep words'
    build CC=gcc CFLAGS=-O0 --without-libaio --without-liburing --without-libcurl \
        --without-mpi BUG_URL=https://bugs.example/iosweep HOME_URL=https://iosweep.example/ && check
    choice='' only='' transcripts=
    end
}

# can_sanitize LIST: whether programs built with these start here, if necessary (old run-time
# libraries on new kernels) at fixed addresses
can_sanitize() {
    echo 'int main(void) { return 0; }' >"$work/probe.c"
    log=$work/$step-probe.log
    if ! as_user gcc "-fsanitize=$1" -o probe "$work/probe.c" >"$log" 2>&1; then
        note SKIP "$step: all tests" "gcc cannot build with -fsanitize=$1: $(cause "$log")"
        return 1
    fi
    wrap="setarch $(uname -m) -R"
    bounded true >/dev/null 2>&1 || wrap=
    if ! bounded ./probe >"$log" 2>&1; then
        note SKIP "$step: all tests" "programs with -fsanitize=$1 do not start: $(cause "$log")"
        return 1
    fi
}

# sweep_by_threads OPTION...
sweep_by_threads() {
    what="sweep by 4 threads${*:+ $*}"
    log=$work/$step-sweep${*:+-$*}.log
    as_user mkdir -p sweep &&
        bounded src/iosweep --threads 1,4 --sizes 512,64Ki --repetitions 200 "$@" sweep >"$log" 2>&1
    sweep_status=$?
    if [ "$sweep_status" -eq 0 ]; then
        note PASS "$step: $what" ''
    else
        fail_step "$what (exit status $sweep_status)" "$log"
    fi
}

step_posix() {
    begin posix 'gcc --with-system=posix: unit tests, files and a bucket with nothing but POSIX'
    choice='cli/accept-sweep cli/errors cli/runs cli/sigint cli/system s3/smoke'
    # those that use system facts
    only='clean clocks created cycle cycle_async cycle_mix cycle_paced engines error extents fileset fileset_clean
        hostinfo http http_poll http_wait interrupted layout life log mem
        mountstats null object_manifest os_file own processors reference_cycle removal row_end s3_engine
        series_threads store store_verify sweep team usage walk webhdfs_files worker'
    # and without features that some systems lack
    build CC=gcc CFLAGS=-O0 --enable-werror --with-system=posix ac_cv_func_clock_nanosleep=no \
        ac_cv_func_pthread_barrier_init=no ac_cv_func_pthread_condattr_setclock=no && check
    choice='' only=
    end
}

# Unit tests that compute, or access files; the others behave alike on Windows, or take minutes in
# wine.
windows_units='cards clocks columns created csv cycle cycle_async engines error fileset fileset_clean hist join
    json judge layout life null number object_manifest option options own pattern plan
    series_print slice_sum stats store store_verify sweep table units units_format
    worker'

# check_windows TEST...: tests/unit/NAME; builds no others
check_windows() {
    names=$(printf '%s.exe ' "$@")
    bounded make -k -j "$jobs" check TESTS="$names" check_PROGRAMS="$names"
}

step_windows() {
    begin windows 'mingw-w64, --enable-werror: iosweep.exe, and in wine its unit tests and what a user does first'
    log=$work/windows.log
    set --
    if ! command -v x86_64-w64-mingw32-gcc >/dev/null 2>&1; then
        note SKIP "$step: all tests" 'mingw-w64 is not installed'
        end
        return
    elif [ ! -e "$work/cmocka/src/cmocka.c" ]; then
        note SKIP "$step: unit tests" 'the sources of cmocka cannot be had'
    elif build_library x86_64-w64-mingw32-gcc >"$log" 2>&1; then
        set -- --with-cmocka PKG_CONFIG_LIBDIR=/nonexistent \
            CMOCKA_CFLAGS="-I$work/cmocka/include" CMOCKA_LIBS="$PWD/libraries/libcmocka.a"
    else
        fail_step libraries "$log"
    fi
    if ! bounded "$work/source/configure" --disable-dependency-tracking --host=x86_64-w64-mingw32 --enable-werror CFLAGS=-O1 "$@" >"$log" 2>&1 ||
        ! bounded make -j "$jobs" >>"$log" 2>&1; then
        fail_step make "$log"
    else
        note PASS "$step: builds" ''
        if ! has_wine >/dev/null 2>&1; then
            note SKIP "$step: make check-windows" 'wine is not installed'
        else
            run_windows "$@"
        fi
    fi
    end
}

# run_windows [CMOCKA-WORD]...
run_windows() {
    # a fault of wine itself says nothing about the program
    if bounded make check-windows >"$log" 2>&1 ||
        { grep -q 'wine client error' "$log" && bounded make check-windows >"$log" 2>&1; }; then
        note PASS "$step: make check-windows" ''
    elif why=$(sed -n 's/^SKIP: \(wine does not run here.*\)/\1/p' "$log") && [ -n "$why" ]; then
        note SKIP "$step: make check-windows" "$why"
        return 0
    else
        fail_step 'make check-windows' "$log"
    fi
    [ $# -gt 0 ] || return 0
    # shellcheck disable=SC2046,SC2086 # lists of words
    check_windows $(printf 'tests/unit/test_%s ' $windows_units) >"$work/$step-check.log" 2>&1
    rm -f "$work/$step-failed"
    collect "$step" "$PWD" || fail_step 'make check' "$work/$step-check.log"
    judge check_windows
}

# step_sanitized STEP LIST WHAT [OPTIMIZATION]
step_sanitized() {
    begin "$1" "gcc -fsanitize=$2, $3"
    if can_sanitize "$2" && build CC=gcc --enable-sanitizers="$2" CFLAGS="${4--O0} -g1"; then
        check
        sweep_by_threads
        sweep_by_threads --keep-open
    fi
    wrap=
    end
}

step_asan() {
    # such a program takes a tenth of a second to start: the shell tests are those of failures, and
    # one that tries many options, others than in step gcc
    choice='s3/hostile cli/async-faults cli/errors cli/faults cli/sigint'
    [ -z "$long" ] || choice="$choice cli/random-options"
    # step clang feeds the parsers random words, with these sanitizers
    without='team_sim walk'
    [ -n "$long" ] || without="$without parsers"
    # the transcripts with the most invalid words and hostile files
    transcripts='errors option-files'
    FUZZ_SEED=1000 FUZZ_LINES=40
    export FUZZ_SEED FUZZ_LINES
    step_sanitized asan address,undefined 'unit tests, tests of failures, sweeps by threads' -O1
    unset FUZZ_SEED FUZZ_LINES
    choice='' without='' transcripts=
}

# Sweeps are where it can find most; a minimum of shell tests shows that programs run.
step_tsan() {
    choice='cli/accept-sweep'
    # those that start threads, or are called by several
    only='clocks cycle_async cycle_mix cycle_paced engines http http_poll http_reader http_wait
        interrupted log mem object object_clean object_existing object_fill object_removal prepare_joined rados
        reference_cycle retry row_end row_troubles s3_changes s3_client s3_engine s3_store
        scenarios series series_threads targets_team team team_scripted webhdfs webhdfs_files webhdfs_session
        worker'
    transcripts='async mem sweep'
    step_sanitized tsan thread 'unit tests of what runs in threads, sweeps by threads'
    choice='' only='' transcripts=
}

# Sources that are not in the archive.
not_in_archive() {
    tar -tf "$PWD"/iosweep-*.tar.xz | sed 's,^[^/]*/,,' | sort >"$work/archived"
    (cd "$work/source" && find src tests man contrib doc .ci .clang-format README HACKING SECURITY NEWS COPYING -type f |
        grep -v -e __pycache__ -e '~$') | sort | comm -23 - "$work/archived"
}

# All files are in the archive, and its tests are those of step gcc: one in the build, and after
# installation those that look for installed files. The tree in which distcheck runs them is then
# removed: results are taken from its log.
step_distcheck() {
    begin distcheck 'make distcheck'
    log=$work/distcheck.log
    if configure CFLAGS=-O0; then
        bounded make -j "$jobs" distcheck XZ_OPT=-1 CFLAGS=-O0 check_PROGRAMS=contrib/completions/rows check_LIBRARIES= \
            TESTS=tests/cli/man-examples.sh installcheck_tests='accept-classic docs-agree null' >"$log" 2>&1
        distcheck_status=$?
        before=$(failures)
        sed -n 's/^\([A-Z]*\): \(tests\/[^ ]*\)$/\1 \2/p' "$log" >"$work/$step-list"
        while read -r result name; do
            said=$(find "$PWD" -path "*/_build/*/${name%.sh}.log" | head -n 1)
            [ -n "$said" ] || said=$log
            case $result in
            PASS | XFAIL) note "$result" "$step: ${name%.sh}" '' ;;
            SKIP) note SKIP "$step: ${name%.sh}" "$(last_words "$said")" ;;
            *) note "$result" "$step: ${name%.sh}" "$(why_failed "$said")" ;;
            esac
        done <"$work/$step-list"
        lacks=$(not_in_archive | tr '\n' ' ')
        if [ -n "$lacks" ]; then
            note FAIL "$step: archive" "lacks $lacks"
        elif [ "$distcheck_status" -eq 0 ]; then
            note PASS "$step: archive" ''
        elif [ "$before" -eq "$(failures)" ]; then
            fail_step archive "$log"
        fi
    fi
    end
}
