# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# shellcheck shell=sh disable=SC2034,SC2154 # variables of the others
# lib-selftest-archs.sh - Linux on other processors: big-endian, or with addresses of 32 bits.  Debian
# and Ubuntu have compilers for them, and qemu-user runs what these make.  contrib/selftest sources it.

# Those that show what order of bytes, width of addresses and digits of numbers change: they compute,
# or touch files.
arch_units='created csv engines error extents fileset fit hist ini join json judge machine manifest mem null
    number object_manifest option os_file own parsers pattern ranks reference results_csv rng series_print
    slice_sum stats store store_verify units units_format usage walk window'

# get_cmocka: its sources, from where the system gets its packages; the lists of sources are our own,
# so that the system's stay as they are
get_cmocka() {
    [ -n "$install" ] && [ "$(setup_manager)" = apt-get ] || return 0
    log=$work/cmocka.log
    mkdir -p "$work/apt/parts" "$work/apt/lists/partial" "$work/apt/cache/archives/partial"
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
        [ ! -f "$list" ] || sed -e 's/^deb /deb-src /' -e 's/^Types:.*/Types: deb-src/' "$list" \
            >"$work/apt/parts/${list##*/}"
    done
    set -- -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$work/apt/parts" \
        -o "Dir::State::lists=$work/apt/lists" -o "Dir::Cache=$work/apt/cache"
    if (cd "$work/apt" && bounded apt-get "$@" update && bounded apt-get "$@" source --only-source cmocka &&
        rm -f "$work"/apt/cmocka*.tar.* && mv "$work"/apt/cmocka-* "$work/cmocka") >"$log" 2>&1; then
        chmod -R a+rX "$work/cmocka"
    fi
    rm -rf "$work/apt"
}

# build_cmocka COMPILER: cmocka/libcmocka.a
build_cmocka() {
    as_user mkdir -p cmocka &&
        bounded "$1" -O1 -D_GNU_SOURCE -DHAVE_INTTYPES_H -DHAVE_MALLOC_H -DHAVE_MEMORY_H -DHAVE_SETJMP_H \
            -DHAVE_SIGNAL_H -DHAVE_STDINT_H -DHAVE_STDLIB_H -DHAVE_STRINGS_H -DHAVE_STRING_H \
            -DHAVE_SYS_TYPES_H -DHAVE_TIME_H -DHAVE_UNISTD_H -DHAVE_STRUCT_TIMESPEC -DHAVE_CLOCK_GETTIME \
            -DHAVE_GCC_THREAD_LOCAL_STORAGE -I"$work/cmocka/include" -c "$work/cmocka/src/cmocka.c" \
            -o cmocka/cmocka.o &&
        bounded "${1%-gcc}-ar" cr cmocka/libcmocka.a cmocka/cmocka.o
}

# check_arch TEST...: as automake names them; no others are built
check_arch() {
    bounded make -k -j "$jobs" check TESTS="$*" check_PROGRAMS="$*" LOG_COMPILER="$arch_wrap"
}

# step_arch NAME COMPILER QEMU
step_arch() {
    begin "$1" "$2: unit tests of bytes, sizes and files; runs and results from here and there"
    if ! command -v "$2" >/dev/null 2>&1; then
        note SKIP "$step: all tests" "$2 is not installed"
    elif [ ! -e "$work/cmocka/src/cmocka.c" ]; then
        note SKIP "$step: all tests" 'the sources of cmocka cannot be had'
    elif ! build_cmocka "$2" >"$work/$step-cmocka.log" 2>&1; then
        fail_step cmocka "$work/$step-cmocka.log"
    elif configure --host="${2%-gcc}" --enable-werror --without-mpi CFLAGS=-O1 LDFLAGS=-static \
        PKG_CONFIG_LIBDIR=/nonexistent CMOCKA_CFLAGS="-I$work/cmocka/include" \
        CMOCKA_LIBS="$PWD/cmocka/libcmocka.a"; then
        if bounded make -j "$jobs" >"$work/$step-make.log" 2>&1; then
            run_arch "$3"
        else
            fail_step make "$work/$step-make.log"
        fi
    fi
    end
}

# run_arch QEMU: what this machine runs by itself needs none
run_arch() {
    arch_wrap=
    if ! bounded src/iosweep --version >/dev/null 2>&1; then
        arch_wrap=$1
        if ! command -v "$1" >/dev/null 2>&1; then
            note SKIP "$step: all tests" "$1 is not installed"
            return
        fi
    fi
    # shellcheck disable=SC2046,SC2086 # lists of words
    check_arch $(printf 'tests/unit/test_%s ' $arch_units) >"$work/$step-check.log" 2>&1
    rm -f "$work/$step-failed"
    collect "$step" "$PWD" || fail_step 'make check' "$work/$step-check.log"
    judge check_arch
    exchange_arch
}

# exchange_arch: with the program of the first step
exchange_arch() {
    log=$work/$step-exchange.log
    if [ ! -x "$work/build/gcc/src/iosweep" ]; then
        note SKIP "$step: exchange" 'step gcc built no program'
        return
    fi
    # shellcheck disable=SC2086 # a word or none
    if bounded env IOSWEEP="$work/build/gcc/src/iosweep" sh "$work/source/tests/archs/exchange.sh" \
        "$PWD/src/iosweep" $arch_wrap >"$log" 2>&1; then
        note PASS "$step: exchange" ''
    else
        fail_step exchange "$log"
    fi
}
