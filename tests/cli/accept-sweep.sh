#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# The plain sweep as users of io_profile expect it: without arguments parameters on standard error,
# and a write and a read row of each size with consistent figures; exactly -n operations in each row;
# the requested sizes; the requested number and length of files; O_DIRECT; the time of each phase;
# nothing left; invalid ranges refused in one line.
# shellcheck disable=SC2086 # lists of words
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all

all_sizes='512 1024 2048 4096 8192 16384 32768 65536 131072 262144 524288 1048576 2097152 4194304'

# check SIZES TESTS [OPERATIONS]: the rows in $work/out
check() {
	check_fault=$(awk -v sizes="$1" -v tests="$2" -v ops="${3:-}" \
		-f "$top_srcdir/tests/cli/check-rows.awk" <"$work/out") ||
		fail "sweep of $1: $check_fault"
}

# files_in DIRECTORY: number of test files below it
files_in() {
	find "$1" -type f ! -name 'MANIFEST-*' | wc -l | tr -d ' '
}

mkdir "$work/dir"
cd "$work/dir" || exit 99

# --- no arguments, but fewer rounds to keep the test short
run 0 --rounds 2
check "$all_sizes" 'write read'
nothing_left .
for fact in '^# iosweep .*20[0-9][0-9]-' '^# host: ' '^# target: /.*/dir' '64 files of 4 MiB' \
	'28 rows of 512 B to 4 MiB' 'sync none'; do
	grep -q -e "$fact" "$work/err" || fail "the parameters lack '$fact'"
done

# --- -n: exactly that many in each row, even if only one offset is possible
run 0 -n 50 -l 64k
check '512 1024 2048 4096 8192 16384 32768 65536' 'write read' 50
run 0 -n 7 -l 4095 -s --sizes 4095,1 --tests read
check '4095 1' read 7
nothing_left .

# --- other ranges
run 0 -m 512 -M 1Mi -l 1Mi -s -n 10 --tests read
check '512 1024 2048 4096 8192 16384 32768 65536 131072 262144 524288 1048576' read 10
run 0 -m 3 -M 100 -l 64k -s -n 10
check '3 6 12 24 48 96' 'write read' 10
run 0 -m 1 -M 1000 --factor 10 -l 64k -s -n 10 --tests write
check '1 10 100 1000' write 10
run 0 -m 5 -M 5 -l 5 -s -n 10
check 5 'write read' 10
nothing_left .

# --- invalid ranges (and words: tests/golden/errors.t): status 2, one line, no results, nothing created
for arguments in '-m 8k -M 4k' '-M 8M' '-m 8M -M 8M' '-m 2 -M 64k -l 65535' '-M 0' '-s --sizes 4k,8M'; do
	refuses 2 '' $arguments
	[ ! -s "$work/out" ] || fail "$arguments: printed results"
	nothing_left .
done

# --- single file: exactly one, of the requested length
run 0 -s -l 100001 -n 4 -M 4 --tests read --keep
[ "$(files_in .)" = 1 ] || fail "-s: $(files_in .) files"
[ "$(wc -c <"$(echo iosweep-*/f0)")" = 100001 ] || fail "-s -l 100001: other length"
run 0 clean .
nothing_left .

# --- tree: the announced number of files, each of the requested length
run 0 --levels 2 --width 3 -l 5000 -n 4 -M 4 --tests read --keep
grep -q '9 files of 5000 B' "$work/err" || fail "the header does not state 9 files of 5000 B"
[ "$(files_in .)" = 9 ] || fail "--levels 2 --width 3: $(files_in .) files"
[ "$(find . -type f -size 5000c ! -name 'MANIFEST-*' | wc -l)" -eq 9 ] || fail "files of other lengths"
run 0 -n 4 -M 4 -l 4 --tests read --keep
[ "$(files_in .)" = $((9 + 64)) ] || fail "tree of 3 levels: $(files_in .) files beside 9"
[ "$(find . -name 'iosweep-*' | wc -l)" -eq 2 ] || fail "two kept runs are not two directories"
run 0 clean --all .
nothing_left .

# --- O_DIRECT: sizes below a block use a whole one, with a note, or are skipped; data just written
# are read from the device, not from memory
direct='-b -s -l 1Mi -n 10 --sizes 64,64k --tests read'
iosweep --format csv $direct . >"$work/out" 2>"$work/err"
case $? in
0)
	! by_name 'NR == 3 && device_bytes != "" && device_bytes < 655360 { bad = 1 } END { exit !bad }' ||
		fail "less is read from the device than requested"
	rows 'size_bytes > 64 || align_bytes <= 64 || notes ~ /covered/'
	run 0 --format csv $direct --small skip
	rows 'size_bytes > 64 || align_bytes <= 64 || notes ~ /skipped:below_alignment/'
	;;
3)
	grep -q 'O_DIRECT is refused' "$work/err" || fail "-b: another reason"
	echo "not tried: -b, this file system refuses O_DIRECT"
	;;
*) fail "-b: exit status" ;;
esac
nothing_left .

# --- the time of each phase, with each engine that can be used; kept open, files are not opened
for engine in posix pread stdio libaio io_uring; do
	iosweep help engines | grep -q "^$engine " || continue
	iosweep --quiet --engine $engine -n 1 --sizes 4k -l 4k --width 1 . >"$work/out" 2>"$work/err" || {
		echo "not tried: $(cat "$work/err")"
		continue
	}
	run 0 --engine $engine -s -l 64k -n 50 --sizes 512 --tests read
	rows 'open_ns_mean > 0 && transfer_ns_mean > 0 && close_ns_mean > 0'
	[ $engine != posix ] || rows 'seek_ns_mean > 0'
done
run 0 -s -l 64k -n 50 --sizes 512 --tests read --keep-open
rows 'open_ns_mean close_ns_mean == ""'
nothing_left .
