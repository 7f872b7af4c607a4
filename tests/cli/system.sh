#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# A build for any POSIX system (--with-system=posix) measures files, and handles unknown facts:
# options are refused in one line before anything is created, columns are empty, and nothing is left
# behind.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all

[ -f config.h ] || skip "no config.h says for which system this was built"
! grep -q '^#define SYSTEM_LINUX' config.h || skip "this build is for Linux; make check-posix builds the other"
top=$work
mkdir "$top/dir"
cd "$top/dir" || exit 99

# column NAME: its values, sorted
column() {
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		{ print at ? $at : "no such column" }' "$work/out" | sort -u
}
empty() {
	for empty_name; do
		[ -z "$(column "$empty_name")" ] || fail "$empty_name is known: $(column "$empty_name")"
	done
}

# --- sweeps of files with each file engine, verifying what was read
set -- --format csv --levels 2 --width 2 -l 64k --sizes 4k,16k --seed 1
for engine in posix pread stdio; do
	run 0 "$@" --tests write,read --engine $engine -n 40 .
	[ "$(column operations)" = 40 ] || fail "$engine: not 40 operations"
	[ "$(column errors)" = 0 ] || fail "$engine: errors"
	[ -n "$(column cpu_ns_per_op)" ] || fail "$engine: no processor time"
	empty device_bytes resident_fraction resident_fraction_before queued_ns_per_op rpc_count reference_ns \
		cpu_user_ns_per_op
	nothing_left .
done
run 0 "$@" --tests write,read --threads 2 --verify -n 40 .
[ "$(column errors_wrong)" = 0 ] || fail "what was written was not read"
nothing_left .
run 0 "$@" --tests write --sync end --keep-open -n 8 .
run 0 "$@" --tests read --cache asis -n 8 .

# --- a kept run is read again, verified, and removed by its name
run 0 "$@" --tests write --verify --keep --run-name first -n 8 .
run 0 --format csv --sizes 4k,16k -r --verify --run-name first -n 8 .
run 0 clean --run-name first .
nothing_left .

# --- an existing file: how it is stored is unknown, and so not reported
dd if=/dev/zero of=sparse bs=1 count=1 seek=262143 2>/dev/null
run 0 --format csv -r --sizes 4k -n 8 sparse
! column notes | grep -q unwritten || fail "holes are known"
rm sparse

# --- what needs unknown facts is refused
refused() {
	refused_word=$1
	shift
	refuses 2 "$refused_word" "$@" --sizes 4k -l 64k -n 4 .
	nothing_left .
}
refused 'cache direct' --cache direct
refused 'cache direct' -b
refused 'cache uncached' --cache cached,uncached
refused 'pinning threads' --pin
refused 'no such engine' --engine io_uring

# --- facts: the machine's name, and no guesses about processor, governor or device
run 0 --format json --tests read --sizes 4k -l 64k -n 4 .
grep -q '"kernel": *"[^"]' "$work/out" || fail "the name of the system is not known"
! grep -Eq '"(governor|virtualization|scheduler)": *"[^"]' "$work/out" || fail "facts that cannot be known"
