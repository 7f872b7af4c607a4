#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# What users of io_profile rely on, one function per scenario: the plain run, rows with consistent
# figures, ranges of sizes, a single file or a tree, reading existing files, bypassing the cache,
# the phases of a cycle, a clock with microseconds, results for a spreadsheet, nothing left. (Its
# own output, line by line: accept-classic.sh.)
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all
need python3
# shellcheck source=tests/cli/trace.sh
. "$top_srcdir/tests/cli/trace.sh"

small_sizes='2 4 8 16 32 64 128 256 512 1024 2048 4096 8192 16384 32768 65536'
all_sizes="${small_sizes#*256 } 131072 262144 524288 1048576 2097152 4194304"
mkdir "$work/dir"
cd "$work/dir" || exit 99

# rows_are SIZES TESTS [OPERATIONS]
rows_are() {
	rows_fault=$(awk -v sizes="$1" -v tests="$2" -v ops="${3:-}" \
		-f "$top_srcdir/tests/cli/check-rows.awk" <"$work/out") || fail "$rows_fault"
}
# values COLUMN: of all rows, one per line
values() {
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		{ print at ? $at : "no column" }' "$work/out"
}
refused() { # in one line, and before anything is created
	run 2 "$@"
	one_line "$work/err"
	[ ! -s "$work/out" ] || fail "iosweep $*: results"
	nothing_left .
}

# A plain run: parameters, the write table, the read table, 14 sizes each, five columns first.
ip1() {
	run 0 --format csv -n 20
	rows_are "$all_sizes" 'write read' 20
	head -1 "$work/out" | grep -q \
		'^size_bytes,operations,time_s,throughput_bytes_per_s,rate_per_s,' || fail "other columns"
	for told in '^# iosweep .*20[0-9][0-9]-' '^# host: ' '^# target: /.*/dir' '64 files of 4 MiB' \
		'^# stop: 20 operations per row' '28 rows of 512 B to 4 MiB' 'sync none'; do
		grep -q -e "$told" "$work/err" || fail "the parameters lack '$told'"
	done
	# the same by its name, like io_profile: through the C library
	run 0 --format csv -n 20 @io-profile
	rows_are "$small_sizes" 'write read' 20
	[ "$(values engine | sort -u)" = stdio ] || fail "@io-profile: not through the C library"
	grep -q '64 files of 4 MiB in 20 directories' "$work/err" || fail "@io-profile: another tree"
	nothing_left .
}

# Rows are consistent, with all operations even if only one offset is possible.
ip2() {
	run 0 --format csv -n 100 -m 2 -l 64k
	rows_are "$small_sizes" 'write read' 100
}

# Ranges of sizes.
ip3() {
	run 0 --format csv -s -n 5 -m 512 -M 1Mi -l 4Mi --tests read
	rows_are '512 1024 2048 4096 8192 16384 32768 65536 131072 262144 524288 1048576' read 5
	run 0 --format csv -s -n 5 -m 3 -M 100 -l 4k --tests read
	rows_are '3 6 12 24 48 96' read 5
	refused -M 8Mi -l 4Mi
	refused -m 8k -M 4k
	refused -m 0
	refused -M 0
}

# One file of the requested length; a tree with the announced number of files, all of which are
# used.
ip4() {
	run 0 -s -l 123457 -n 5 -M 4 --tests read --keep
	[ "$(find . -type f ! -name 'MANIFEST-*' -size 123457c | wc -l)" -eq 1 ] &&
		[ "$(find . -type f ! -name 'MANIFEST-*' | wc -l)" -eq 1 ] || fail "not one file of that length"
	run 0 clean .
	run 0 --levels 2 --width 4 -l 64k -n 5 -M 4 --tests read --keep
	grep -q '16 files of 64 KiB' "$work/err" || fail "the number of files is not told"
	[ "$(find . -type f ! -name 'MANIFEST-*' | wc -l)" -eq 16 ] || fail "not 16 files"
	run 0 clean .
	nothing_left .
	can_trace || return 0
	LSAN_OPTIONS=detect_leaks=0 strace -f -e trace=openat,openat2 -o "$work/trace" "$IOSWEEP" \
		--quiet --levels 3 --width 4 -l 64k -n 10000 --sizes 4k --tests read \
		--cache asis . >"$work/out" 2>"$work/err" || fail "a tree under strace"
	# each of 64 about 156 times: fewer than 90 occur less than once in a million runs
	awk '!/O_CREAT|O_PATH|O_NOATIME/ && match($0, /"[^"]*f[0-9]+"/) { n[substr($0, RSTART, RLENGTH)]++ }
		END { for (name in n) if (n[name] >= 90) files++
			if (files != 64) { print files + 0 " files"; exit 1 } }' "$work/trace" >&2 ||
		fail "not all 64 files are used"
	nothing_left .
}

# Reading existing files writes nothing; missing ones are reported.
ip5() {
	mkdir set empty
	for name in a b c; do head -c 100000 /dev/urandom >set/$name; done
	find set -type f -exec stat -c '%n %s %y %z' {} + | sort >"$work/before"
	run 0 --format csv -r -m 2 -M 64k -n 20 set
	rows_are "$small_sizes" read 20
	find set -type f -exec stat -c '%n %s %y %z' {} + | sort | cmp -s - "$work/before" ||
		fail "files that were read have changed"
	[ "$(find set | wc -l)" -eq 4 ] || fail "something was made beside the files"
	if can_trace; then
		trace "$work/trace" 0 --format csv -r -n 20 set
		! sed 's/^[0-9]* *//' "$work/trace" | grep -Eq \
			-e '^(open|creat).*(O_WRONLY|O_RDWR|O_CREAT|O_TRUNC)' -e '^(pwrite|ftruncate|unlink|rename)' ||
			fail "-r opens for writing or changes names"
	fi
	if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=2m none empty 2>/dev/null; then
		on_exit "umount '$work/dir/empty' 2>/dev/null"
		cp set/* empty
		mount -o remount,ro empty || fail "cannot make it read-only"
		run 0 --format csv -r -m 2 -M 64k -n 20 empty
		rows_are "$small_sizes" read 20
		umount empty
	else
		echo "not tried: a read-only mount, it takes root"
	fi
	run 3 -r -n 20 empty
	one_line "$work/err"
	rm -r set empty
}

# Bypassing the cache is O_DIRECT; sizes below a block use a whole one, with a note, or are skipped.
ip6() {
	iosweep --format csv -b -s -l 1Mi -n 10 -m 64 -M 64k --tests read . >"$work/out" 2>"$work/err"
	case $? in
	0) ;;
	3)
		grep -q 'O_DIRECT is refused' "$work/err" || fail "-b: another reason"
		echo "not tried: -b, this file system refuses O_DIRECT"
		return 0
		;;
	*) fail "-b" ;;
	esac
	run 0 --format csv -b -s -l 1Mi -n 10 --sizes 64,64k --tests read
	# data just written are read from the device, not from memory
	values device_bytes | awk '$1 != "" && $1 < 655360 && NR == 2 { exit 1 }' ||
		fail "less is read from the device than asked for"
	case $(values notes | head -1) in
	*covered*) ;;
	*) [ "$(values align_bytes | head -1)" -le 64 ] || fail "a small read is not called covered" ;;
	esac
	run 0 --format csv -b -s -l 1Mi -n 10 --sizes 64,64k --tests read --small skip
	case $(values notes | head -1) in
	*skipped:below_alignment*) ;;
	*) [ "$(values align_bytes | head -1)" -le 64 ] || fail "a small read is not left out" ;;
	esac
	can_trace || return 0
	trace "$work/trace" 0 --format csv -b -s -l 1Mi -n 10 --sizes 64k --tests read
	[ "$(grep -c 'O_DIRECT[^O]' "$work/trace")" -ge 10 ] || fail "cycles open without O_DIRECT"
}

# Each operation opens, seeks, transfers and closes, with the time of each phase; or files are kept
# open.
ip7() {
	run 0 --format csv -s -l 64k -n 50 --sizes 512 --tests read
	for column in open_ns_mean seek_ns_mean transfer_ns_mean close_ns_mean; do
		values $column | grep -Eqx '[0-9.]*[1-9][0-9.]*' || fail "no $column"
	done
	run 0 --format csv -s -l 64k -n 50 --sizes 512 --tests read --keep-open
	[ -z "$(values open_ns_mean)" ] && [ -z "$(values close_ns_mean)" ] || fail "kept open, yet opened"
	can_trace || return 0
	trace "$work/trace" 0 --quiet -s -l 64k -n 50 --sizes 512 --tests read --cache asis
	cycles "$work/trace" >"$work/cycles"
	grep -q '^open=50 seek=50 read=50 write=0 close=50 ' "$work/cycles" || {
		cat "$work/cycles" >&2
		fail "not 50 calls of each kind"
	}
}

# A clock with microseconds, spread, also over repeats, and the same places for the same seed. (The
# minimum of a null operation of 61 us is known, the maximum depends on the machine:
# tests/unit/test_scenarios.c uses its own clock for that.)
ip8() {
	run 0 --format csv -n 1000 --sizes 512 --tests read --null.delay 61us null:
	values time_s | awk '$1 < 0.061 || $1 > 61 { exit 1 }' || fail "1000 times 61 us are $(values time_s) s"
	values time_s | grep -Eq '[.][0-9]{6}' || fail "no microseconds"
	values op_ns_stddev | grep -q '[1-9]' || fail "no spread"
	run 0 --format json -o "$work/json" -n 100 --sizes 512 --tests read --null.delay 61us --repeat 5 null:
	python3 - "$work/json" <<-'END' >&2 || fail "repeats have no stddev and cv"
		import records, statistics, sys
		document = records.load(sys.argv[1])
		times, (told,) = [row["time_s"] for row in document["row"]], document["summary"]
		spread = statistics.stdev(times)
		assert len(times) == 5 and spread > 0
		assert abs(told["time_s"]["stddev"] / spread - 1) < 1e-4, (told, spread)
		assert abs(told["time_s"]["cv"] / (spread / statistics.mean(times)) - 1) < 1e-4, (told, spread)
	END
	can_trace || return 0
	for turn in 1 2; do
		trace "$work/trace" 0 --quiet -s -l 1Mi -n 200 --sizes 512 --tests read --seed 7
		sed -n 's/.*lseek([0-9]*, \([0-9]*\), SEEK_SET).*/\1/p' "$work/trace" >"$work/places-$turn"
	done
	[ "$(wc -l <"$work/places-1")" -ge 200 ] && cmp -s "$work/places-1" "$work/places-2" ||
		fail "one seed, other places"
}

# Redirected output is only a table; each row has test, engine, concurrency.
ip9() {
	run 0 --format csv -n 20 -s -l 64k --label a
	awk -F, 'NR == 1 { n = NF } NF != n { exit 1 }' "$work/out" || fail "records differ in fields"
	[ "$(grep -vc '^[0-9]' "$work/out")" -eq 1 ] || fail "not one header alone"
	for column in test engine cache threads depth label; do
		! values $column | grep -qx -e '' -e 'no column' || fail "a row does not tell its $column"
	done
}

# Version and help touch nothing.
ip10() {
	for word in --version --help -version -help -v -h; do
		run 0 $word
		[ -s "$work/out" ] || fail "$word says nothing"
		nothing_left .
	done
	can_trace || return 0
	for word in --version --help; do
		LSAN_OPTIONS=detect_leaks=0 strace -f -o "$work/trace" -e trace=%file,socket "$IOSWEEP" $word \
			>"$work/out" 2>"$work/err" || fail "$word under strace"
		! grep -Eq -e 'O_(WRONLY|RDWR|CREAT)' -e '^[0-9 ]*(creat|mkdir|unlink|rename|socket)' "$work/trace" ||
			fail "$word does I/O: $(grep -E -e 'O_(WRONLY|RDWR|CREAT)' -e 'socket' "$work/trace")"
	done
}

# Nothing is left, even if there is no room for the files.
ip11() {
	run 0 -n 5 -s -l 64k
	nothing_left .
	if [ "$(id -u)" = 0 ] && mkdir "$work/small" &&
		mount -t tmpfs -o size=2m none "$work/small" 2>/dev/null; then
		on_exit "umount '$work/small'"
		run 3 -n 5 -s -l 8Mi "$work/small"
		one_line "$work/err"
		nothing_left "$work/small"
	else
		echo "not tried: a full disk, it takes root"
	fi
}

scenarios ip 11
