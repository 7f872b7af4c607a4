#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# What users of ob_admin io_adapter_benchmark rely on, one function per scenario, as far as it is not that
# of any storage (tests/seeds.sh).  (What a user has is only read: read-existing.sh; deletions: seeds-cf.sh
# and runs.sh; parts of uploads: golden/mem.t and mem.sh; damaged manifests: tests/life; percentiles:
# tests/unit/test_scenarios.c; creating: names.sh.)
# shellcheck disable=SC2086 # lists of words
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all
need python3

mkdir "$work/dir"
cd "$work/dir" || exit 99

small='--quiet --levels 2 --width 3 -l 64k --sizes 4k -n 30'

# Count or time, whichever is reached first; both are a success.  (More of that: steps.sh.)
ob2() {
	run 0 --quiet --format csv --tests write --sizes 100 --threads 4 -n 10/thread --time 1000s -l 64k --levels 1 .
	shows 'operations stop' 40:count
	rows 'elapsed_s > 0 && elapsed_s < 500' # no time that was not needed
	# An operation takes at least 20 ms, which limits the number within the time plus one operation.
	run 0 --quiet --format csv --tests write --sizes 100 --threads 4 -n 1000000000 --time 200ms --rounds 1 \
		--null.delay 20ms null:
	rows 'operations >= 4 && operations <= 4 * (200 / 20 + 1) && stop == "time"'
	nothing_left .
}

# One operation of one thread fails: the figures include the others, the error is counted, the run
# fails.
ob12() { # a schedule distributes operations: 3 to the first thread, 2 to the others
	run 1 --quiet --format json -o "$work/json" --tests read --sizes 4k --threads 4 -n 9 --rounds 1 --rate 100000 \
		--null.fail at:3 null:
	json_rows "$work/json" >"$work/out"
	shows 'operations errors' 8:1
	[ "$(in_json "$work/json" 'sorted(thread["operations"] for thread in rows[0]["thread_results"])')" = '[2, 2, 2, 2]' ] ||
		fail "not the figures of all threads"
	[ -n "$(value rate_per_s)" ] || fail "no rate"
}

# Reading an earlier run by its name alone: its sizes, its count, with fewer and more threads than
# wrote it; requested offsets inside the files. Other files there are not read.
ob5() {
	run 0 --quiet --levels 1 --width 3 -l 40000 --sizes 40000,512,4k --threads 2 -n 30 --keep --run-name one .
	run 0 --quiet --levels 1 --width 2 -l 64k --sizes 64k -n 30 --keep --run-name two .
	for ob5_threads in 1 7; do
		run 0 --format csv -r --run-name one --threads $ob5_threads --align 512 -n 210 .
		grep -q '^# target: .*/iosweep-one, 3 files of 40000 B$' "$work/err" || fail "not the files of the run"
		shows 'size_bytes operations errors_short' '512:210:0 4096:210:0 40000:210:0' "$ob5_threads threads"
	done
	run 0 --quiet --format csv -r --run-name one --sizes 64 -n 30 . # given sizes are used
	shows size_bytes 64
	run 0 --quiet --format csv -r -m 2k -M 4k -n 30 iosweep-one
	shows size_bytes '2048 4096'
	run 0 --quiet --format csv -r -n 30 iosweep-two # the run itself as the target
	shows size_bytes 65536
	run 0 --quiet --format csv --reuse one --tests write -n 30 .
	shows size_bytes '512 4096 40000'
	if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
		LSAN_OPTIONS=detect_leaks=0 strace -f -y -o "$work/trace" -e trace=lseek \
			"$IOSWEEP" --quiet --cache asis -r --run-name one --align 512 --sizes 512 -n 400 . \
			>"$work/out" 2>"$work/err" || fail "not read"
		sed -n 's|.*lseek([0-9]*<[^>]*/f[0-9]*>, \([0-9]*\), SEEK_SET.*|\1|p' "$work/trace" >"$work/offsets"
		[ "$(wc -l <"$work/offsets")" = 400 ] || fail "no offsets in the trace"
		awk '$1 % 512 || $1 + 512 > 40000 { exit 1 }' "$work/offsets" || fail "an offset that was not asked for"
		[ "$(sort -u "$work/offsets" | wc -l)" -ge 60 ] || fail "not from all of the files"
		LSAN_OPTIONS=detect_leaks=0 strace -f -o "$work/trace" -e trace=pread64 "$IOSWEEP" --quiet \
			--cache asis --engine pread -r --run-name one --sizes 40000 -n 50 . >"$work/out" 2>"$work/err" ||
			fail "not read"
		[ "$(grep -c 'pread64(.*, 40000, 0) *= 40000$' "$work/trace")" = 50 ] || fail "whole files not from 0 on"
	fi
	run 0 clean --run-name two .
	run 0 --quiet --format csv -r -n 30 . # the only one
	shows size_bytes '512 4096 40000'
	head -c 100000 /dev/urandom >mine # the user's files come first: they have no sizes
	run 0 --format csv -r -n 30 .
	[ "$(wc -l <"$work/out")" = 15 ] || fail "sizes of a run that is not read"
	[ "$(grep -c 'are left out' "$work/err")" = 1 ] || fail "reported twice, or never"
	rm mine
	run 0 clean .
	nothing_left .
}

# not_replaced NAME WHY TARGET...: --replace is refused with WHY, also in a dry run, and nothing is
# removed or created
not_replaced() {
	not_name=$1
	not_why=$2
	shift 2
	find "$@" -exec stat -c '%n %i %s' {} + | sort >"$work/stat"
	for not_option in --replace '--replace --dry-run'; do
		refuses 3 "$not_why" $small $not_option --run-name "$not_name" "$@"
	done
	find "$@" -exec stat -c '%n %i %s' {} + | sort | cmp -s - "$work/stat" || fail "something was removed: $not_why"
}

# What is replaced, and that nothing else is: a foreign file next to the run and in it, another run;
# names of directories are not patterns.  (A live one: tests/life.)
ob9() {
	for ob9_base in 'a b' 'a;b' '*'; do
		mkdir "$ob9_base"
		echo mine >"$ob9_base/mine"
		run 0 $small --keep --run-name other --verify "$ob9_base"
		(cd "$ob9_base" && find . -type f -exec cksum {} + | sort) >"$work/sums"
		run 0 $small --tests create,read --threads 2 --keep --run-name one "$ob9_base"
		for ob9_marked in marked d01 d1/marked d2/f3 new/t2 new/t0/marked new/t1/n99999999; do
			echo marked >"$ob9_base/iosweep-one/$ob9_marked"
			chmod 644 "$ob9_base/iosweep-one/$ob9_marked"
			not_replaced one "not made by iosweep: .*/iosweep-one/$ob9_marked;" "$ob9_base"
			rm "$ob9_base/iosweep-one/$ob9_marked"
		done
		mkdir "$work/manifests"
		mv "$ob9_base/iosweep-one"/MANIFEST-* "$work/manifests"
		sed 's/^run=one/run=two/' "$(manifest_of "$work/manifests")" >"$ob9_base/iosweep-one/MANIFEST-2"
		not_replaced one 'its manifest is that of run two' "$ob9_base"
		rm "$ob9_base/iosweep-one/MANIFEST-2"
		mv "$work/manifests"/* "$ob9_base/iosweep-one"
		rmdir "$work/manifests"
		# if one of two targets cannot be replaced, neither is
		mkdir second
		run 0 $small --keep --run-name one second
		echo marked >second/iosweep-one/marked
		not_replaced one 'not made by iosweep: .*/second/iosweep-one/marked;' "$ob9_base" second
		rm second/iosweep-one/marked
		run 0 $small --replace --run-name one "$ob9_base" second
		nothing_left second
		rmdir second
		run 0 $small --replace --keep --run-name one --width 2 "$ob9_base" # there was none
		run 3 $small --run-name one "$ob9_base"
		run 0 $small --replace --keep --run-name one --width 2 "$ob9_base"
		[ "$(find "$ob9_base/iosweep-one" -name 'f*' | wc -l)" = 4 ] || fail "not a new run, or not kept"
		run 0 $small --replace --run-name one "$ob9_base"
		[ ! -e "$ob9_base/iosweep-one" ] || fail "--replace leaves the run"
		(cd "$ob9_base" && find . -type f -exec cksum {} + | sort) | cmp -s - "$work/sums" ||
			fail "something else was touched in $ob9_base"
		run 0 $small --replace --dry-run --run-name other "$ob9_base"
		grep -q 'is removed first$' "$work/out" || fail "a dry run does not name what it removes"
		(cd "$ob9_base" && find . -type f -exec cksum {} + | sort) | cmp -s - "$work/sums" ||
			fail "a dry run touched something"
		run 0 clean --run-name other "$ob9_base"
		[ "$(cat "$ob9_base/mine")" = mine ] || fail "a foreign file is gone"
		rm -r "$ob9_base"
	done
	nothing_left .
	for ob9_option in --replace '--replace --keep' '-r --replace --run-name x'; do
		refuses 2 '' --quiet $ob9_option .
	done
}

# cached N: N reads; prints processor seconds, of rows and of the process: "user system user system"
cached() {
	times >"$work/before"
	run 0 --quiet --format csv --tests read --sizes 4k -l 64k --levels 1 --rounds 1 -n "$1" .
	times >"$work/after" # second line: children of this shell
	echo "$(value cpu_user_ns_per_op) $(value cpu_ns_per_op) $1 \
		$(awk 'FNR == 2 { gsub(/[ms]/, " "); print }' "$work/before" "$work/after" | tr '\n' ' ')" |
		awk '{ print $1 * $3 / 1e9, ($2 - $1) * $3 / 1e9, 60 * ($8 - $4) + $9 - $5, 60 * ($10 - $6) + $11 - $7 }'
}

# User and system time agree with getrusage.
ob10() {
	# the difference of two runs cancels one-time costs
	few=$(cached 300000) || exit 1 # enough for the accounting of both modes
	many=$(cached 800000) || exit 1
	echo "$few $many" | awk '{
		user = $5 - $1; system_ = $6 - $2; used_user = $7 - $3; used_system = $8 - $4
		all = used_user + used_system
		if (all <= 0 || user <= 0 || system_ <= 0) exit 1
		if ((user + system_) / all < 0.95 || (user + system_) / all > 1.05) exit 1
		if ((user - used_user) ^ 2 > (0.05 * all) ^ 2) exit 1
		if ((system_ - used_system) ^ 2 > (0.05 * all) ^ 2) exit 1 }' ||
		fail "user, system of rows and of the process: $few; $many"
}

# Objects written in fragments have separate times of opening, transfer and closing.  (The calls:
# names.sh.)
ob3() {
	for ob3_bytes in 100 105; do
		run 0 --quiet --format json -o "$work/json" --tests append --sizes $ob3_bytes --call-size 10 -n 40 --threads 2 \
			--rounds 1 --keep --run-name three .
		json_rows "$work/json" >"$work/out"
		shows 'operations size_bytes' 40:$ob3_bytes
		[ "$(find iosweep-three -name 'n*' -size ${ob3_bytes}c | wc -l)" = 40 ] || fail "not 40 files of $ob3_bytes"
		rows 'open_ns_p50 > 0 && open_ns_max > 0 && transfer_ns_mean > 0 && close_ns_p50 > 0 && close_ns_max > 0'
		rows 'open_ns_mean + close_ns_mean <= latency_ns_mean'
		for ob3_kind in latency open close; do
			[ "$(in_json "$work/json" "sum(n for lower, n in rows[0]['${ob3_kind}_histogram'])")" = 40 ] ||
				fail "not 40 operations in the histogram of $ob3_kind"
		done
		run 0 clean --run-name three .
	done
}

scenarios ob2 ob3 ob5 ob9 ob10 ob12
