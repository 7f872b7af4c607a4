# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# shellcheck shell=sh disable=SC2034,SC2154 # variables of the others
# lib-selftest-archs.sh - Linux on other processors: big-endian, or with 32-bit addresses. Debian
# and Ubuntu have cross compilers for them, and qemu-user runs the results. Sourced by
# contrib/selftest.

# Unit tests that depend on byte order, address width and floating point: they compute, or access
# files.
arch_units='clocks created csv engines error extents fileset hist join json judge layout life mem null
    number object_manifest option os_file own parsers pattern rng series_print
    slice_sum stats store store_verify units units_format usage walk'

# get_sources PACKAGE...: what is compiled for other processors, from the system's package sources,
# to $work/PACKAGE. Uses a private list of sources, so that the system's is unchanged.
get_sources() {
    [ -n "$install" ] && [ "$(setup_manager)" = apt-get ] || return 0
    log=$work/sources.log
    wanted=$*
    mkdir -p "$work/apt/parts" "$work/apt/lists/partial" "$work/apt/cache/archives/partial"
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
        [ ! -f "$list" ] || sed -e 's/^deb /deb-src /' -e 's/^Types:.*/Types: deb-src/' "$list" \
            >"$work/apt/parts/${list##*/}"
    done
    set -- -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$work/apt/parts" \
        -o "Dir::State::lists=$work/apt/lists" -o "Dir::Cache=$work/apt/cache"
    # shellcheck disable=SC2086 # a list of words
    if (cd "$work/apt" && bounded apt-get "$@" update && bounded apt-get "$@" source --only-source $wanted) \
        >"$log" 2>&1; then
        for package in $wanted; do
            for unpacked in "$work/apt/$package"-*; do
                [ ! -d "$unpacked" ] || mv "$unpacked" "$work/$package"
            done
            chmod -R a+rX "$work/$package"
        done
    fi
    rm -rf "$work/apt"
}

# build_library COMPILER: libraries/libcmocka.a, needed by unit tests
build_library() {
    case $1 in
    *-linux-*-gcc | *-mingw32-gcc) archiver=${1%-gcc}-ar ;;
    *) archiver='ar' ;;
    esac
    as_user mkdir -p libraries &&
        bounded "$1" -O1 -D_GNU_SOURCE -DHAVE_INTTYPES_H -DHAVE_MALLOC_H -DHAVE_MEMORY_H -DHAVE_SETJMP_H \
            -DHAVE_SIGNAL_H -DHAVE_STDINT_H -DHAVE_STDLIB_H -DHAVE_STRINGS_H -DHAVE_STRING_H \
            -DHAVE_SYS_TYPES_H -DHAVE_TIME_H -DHAVE_UNISTD_H -DHAVE_STRUCT_TIMESPEC -DHAVE_CLOCK_GETTIME \
            -DHAVE_GCC_THREAD_LOCAL_STORAGE -I"$work/cmocka/include" -c "$work/cmocka/src/cmocka.c" \
            -o libraries/cmocka.o &&
        bounded "$archiver" cr libraries/libcmocka.a libraries/cmocka.o
}

# check_arch TEST...: by their automake names; default: all unit tests. Builds no others.
check_arch() {
    bounded make -k -j "$jobs" check TESTS="${*:-\$(unit_tests)}" check_PROGRAMS="${*:-\$(unit_tests)}" \
        LOG_COMPILER="$arch_wrap"
}

# build_other COMPILER CONFIGURE-ARGUMENT...: the program, with that library
build_other() {
    other_compiler=$1
    shift
    if ! command -v "$other_compiler" >/dev/null 2>&1; then
        note SKIP "$step: all tests" "$other_compiler is not installed"
        return 1
    elif [ ! -e "$work/cmocka/src/cmocka.c" ]; then
        note SKIP "$step: all tests" 'the sources of cmocka cannot be had'
        return 1
    elif ! build_library "$other_compiler" >"$work/$step-libraries.log" 2>&1; then
        fail_step libraries "$work/$step-libraries.log"
        return 1
    fi
    configure --enable-werror --without-mpi "CC=$other_compiler" PKG_CONFIG_LIBDIR=/nonexistent \
        CMOCKA_CFLAGS="-I$work/cmocka/include" CMOCKA_LIBS="$PWD/libraries/libcmocka.a" "$@" || return 1
    bounded make -j "$jobs" >"$work/$step-make.log" 2>&1 && return 0
    fail_step make "$work/$step-make.log"
    return 1
}

# step_arch NAME COMPILER QEMU: the tests of $arch_units, or all if there are none
step_arch() {
    begin "$1" "$2: ${arch_units:+some }unit tests; runs and results from here and there"
    build_other "$2" --host="${2%-gcc}" CFLAGS=-O1 LDFLAGS=-static && run_arch "$3" && exchange_arch
    end
}

# step_musl static|dynamic: another C library; with all unit tests also the exchange. Its compiler
# does not search the headers of Linux.
step_musl() {
    begin "musl-$1" "musl-gcc, linked ${1}ally: ${arch_units:+some }unit tests"
    as_user mkdir -p kernel
    for headers in /usr/include/linux /usr/include/asm-generic "/usr/include/$(uname -m)-linux-gnu/asm"; do
        as_user ln -sf "$headers" kernel/
    done
    musl_link=
    [ "$1" != static ] || musl_link=-static
    build_other musl-gcc --host="$(uname -m)-linux-musl" CFLAGS=-O0 CPPFLAGS="-idirafter $PWD/kernel" \
        LDFLAGS="$musl_link" && run_arch '' && { [ -n "$arch_units" ] || exchange_arch; }
    end
}

# contrib/selftest --processors: all unit tests, and this machine's program for the exchange
step_processors() {
    begin gcc 'the program of this machine'
    configure CC=gcc CFLAGS=-O1 && { bounded make -j "$jobs" src/iosweep >"$work/$step-make.log" 2>&1 ||
        fail_step make "$work/$step-make.log"; }
    end
    arch_units=
    limit=7200 # seconds: in qemu some that only compute take minutes
    step_musl static
    step_musl dynamic
    step_arch s390x s390x-linux-gnu-gcc qemu-s390x
    step_arch i686 i686-linux-gnu-gcc qemu-i386
    step_arch armhf arm-linux-gnueabihf-gcc qemu-arm
    step_arch armel arm-linux-gnueabi-gcc qemu-arm
    step_arch arm64 aarch64-linux-gnu-gcc qemu-aarch64
    step_arch riscv64 riscv64-linux-gnu-gcc qemu-riscv64
    step_arch ppc64el powerpc64le-linux-gnu-gcc qemu-ppc64le
}

# run_arch QEMU: the unit tests, without qemu if this machine can run them. Fails if nothing can be
# run.
run_arch() {
    arch_wrap=
    if ! bounded src/iosweep --version >/dev/null 2>&1; then
        arch_wrap=$1
        if ! command -v "$1" >/dev/null 2>&1; then
            note SKIP "$step: all tests" "$1 is not installed"
            return 1
        fi
    fi
    # shellcheck disable=SC2046,SC2086 # lists of words
    check_arch ${arch_units:+$(printf 'tests/unit/test_%s ' $arch_units)} >"$work/$step-check.log" 2>&1
    rm -f "$work/$step-failed"
    collect "$step" "$PWD" || fail_step 'make check' "$work/$step-check.log"
    judge check_arch
    return 0
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
