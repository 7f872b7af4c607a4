# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# shellcheck shell=sh disable=SC2034,SC2154,SC2317 # variables and functions of the others
# lib-selftest-servers.sh - steps that test the program of step gcc on real servers, on NFS and on
# MPI. Sourced by contrib/selftest.

# The program of the first step on a real NFS mount, in a virtual machine. Its packages are only
# unpacked, by the user.
step_nfs() {
    begin nfs 'make check-nfs in a virtual machine'
    log=$work/nfs.log
    nfs_lacks=
    [ -x "$work/build/gcc/src/iosweep" ] || nfs_lacks='step gcc built no program'
    [ -n "$install" ] || nfs_lacks='packages of the virtual machine are not downloaded (--no-install)'
    if [ -z "$nfs_lacks" ]; then
        bounded env IOSWEEP="$work/build/gcc/src/iosweep" NFS_DIR="$PWD" NFS_SECONDS=1700 sh \
            "$work/source/tests/nfs/check.sh" >"$log" 2>&1
        nfs_status=$?
        before=$(failures)
        if [ "$nfs_status" -eq 77 ]; then
            note SKIP "$step: all tests" "$(sed -n 's/^SKIP: //p' "$log" | tail -n 1)"
        else
            sed -n 's/^\(PASS\|FAIL\|SKIP\) \([^: ]*\):* *\(.*\)$/\1 \2 \3/p' "$log" >"$work/$step-list"
            while read -r result name why; do
                note "$result" "$step: $name" "$why"
            done <"$work/$step-list"
            [ "$before" -eq "$(failures)" ] || tail -n 60 "$log"
            if [ "$nfs_status" -ne 0 ] && [ "$before" -eq "$(failures)" ]; then
                fail_step 'virtual machine' "$log"
            fi
        fi
        rm -rf "$PWD/root"
    else
        note SKIP "$step: all tests" "$nfs_lacks"
    fi
    end
}

# real_check KIND DIRECTORY [NAME=VALUE]...: make check-KIND with the program of the first step
real_check() {
    [ -n "$long" ] || export S3_SERVERS="${S3_SERVERS:-versitygw}"
    real_kind=$1
    real_directory=$2
    shift 2
    bounded env IOSWEEP="$work/build/gcc/src/iosweep" top_srcdir="$work/source" \
        IOSWEEP_PRESETS="$work/source/contrib/presets" builddir="$work/build/gcc" \
        S3_DIR="$real_directory" RADOS_DIR="$real_directory" TEAM_DIR="$real_directory" \
        WEBHDFS_DIR="$real_directory" "$@" sh "$work/source/tests/$real_kind/check.sh"
}

# s3_alone SERVER/SCENARIO, rados_alone KIND/SCENARIO, webhdfs_alone KIND/SCENARIO
s3_alone() {
    real_check s3 "$PWD/alone" S3_SERVERS="${1%%/*}" S3_TESTS="${1#*/}"
}
rados_alone() {
    real_check rados "$PWD/alone" RADOS_TESTS="${1#*/}"
}
webhdfs_alone() {
    real_check webhdfs "$PWD/alone" WEBHDFS_TESTS="${1#*/}"
}

team_alone() {
    real_check team "$PWD/alone" TEAM_TESTS="${1#*/}"
}

# step_real STEP WHAT [KIND]: the program of the first step with the available real servers
step_real() {
    begin "$1" "make check-${3:-$1} with $2"
    log=$work/$step.log
    if [ -x "$work/build/gcc/src/iosweep" ]; then
        limit=3600 # each scenario has its own limit
        real_check "${3:-$step}" "$PWD" >"$log" 2>&1
        real_status=$?
        limit=1800
        sed -n 's/^\(PASS\|FAIL\|SKIP\) \([^: ]*\):* *\(.*\)$/\1 \2 \3/p' "$log" >"$work/$step-list"
        rm -f "$work/$step-failed"
        while read -r result name why; do
            if [ "$result" = FAIL ]; then
                printf '%s\t%s\t%s\n' "$result" "$name" "$why" >>"$work/$step-failed"
            else
                note "$result" "$step: $name" "$why"
            fi
        done <"$work/$step-list"
        judge "${3:-$step}_alone"
        if [ -s "$work/$step-failed" ]; then
            tail -n 60 "$log"
        elif [ "$real_status" -ne 0 ] && [ "$real_status" -ne 77 ]; then
            fail_step "make check-${3:-$step}" "$log"
        fi
    else
        note SKIP "$step: all tests" 'step gcc built no program'
    fi
    end
}

# mpicc_of openmpi|mpich: the path of its compiler in Debian or Fedora
mpicc_of() {
    command -v "mpicc.$1" || command -v "/usr/lib64/$1/bin/mpicc"
}

# step_team MPI WHAT: iosweep-mpi of the first step, relinked. Private hosts require root; ranks run
# as another user nevertheless.
step_team() {
    step=$1
    if ! TEST_MPICC=$(mpicc_of "$1"); then
        note SKIP "$1: all tests" 'its mpicc is not installed'
    elif ! (cd "$work/build/gcc" 2>/dev/null && bounded make iosweep-mpi tests/team/contract MPICC="$TEST_MPICC") \
        >"$work/$1-make.log" 2>&1; then
        fail_step make "$work/$1-make.log"
    else
        export TEST_MPICC
        user=
        step_real "$1" "$2" team
        user=$caller
    fi
}
