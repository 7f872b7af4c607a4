#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# What users of rados bench rely on, one function per scenario, as far as it is not that of any storage
# (tests/seeds.sh).  (The spread of records: interval.sh; wrong data: verify.sh; data that cannot be
# compressed: payload.sh; runs of one name at a time, and what is killed: tests/life; interrupted:
# sigint.sh; what is removed: runs.sh and golden/clean.t.)
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all
# shellcheck source=tests/cli/trace.sh
. "$top_srcdir/tests/cli/trace.sh"

mkdir "$work/dir"
cd "$work/dir" || exit 99

# Each block of a kept run once, by its name alone: those of the files of create, and no more than it made;
# and those of a file in order.
rb3() {
	run 0 --quiet --tests create --sizes 100,4k --threads 2 -n 15 --keep --run-name new .
	run 0 --quiet --format csv -r --run-name new --access once --time 1000s .
	shows 'size_bytes operations stop' '100:615:exhausted 4096:15:exhausted'
	can_trace || { echo "the order is not tried: strace is not usable here"; run 0 clean . && return; }
	run 0 clean .
	run 0 --quiet --levels 1 --width 3 -l 20k --sizes 4k -n 30 --keep --run-name one .
	trace "$work/trace" 0 --quiet -r --run-name one --engine pread --cache asis --access once .
	sed -n 's/.* pread64[ (].*, 4096, \([0-9]*\)) *= 4096$/\1/p' "$work/trace" | tail -n 15 >"$work/offsets"
	[ "$(tr '\n' ' ' <"$work/offsets")" = "$(for _ in 1 2 3; do
		echo 0 4096 8192 12288 16384
	done | tr '\n' ' ')" ] || fail "not in order: $(cat "$work/offsets")"
	run 0 clean .
	nothing_left .
}

# A depth above the remaining operations, or the number of objects, is not an error.
rb6() {
	for rb6_objects in 3 4; do
		run 0 --quiet --format csv --depth 16 --objects $rb6_objects --access once --sizes 4k --time 1000s mem:
		rb6_row=$rb6_objects:0:$rb6_objects:exhausted
		shows 'operations errors requests stop' "$rb6_row $rb6_row"
	done
	run 0 --quiet --format csv --depth 16 --tests create -n 4 --sizes 4k --time 1000s mem:
	shows 'operations requests stop' 4:4:count
	head -c 12288 /dev/urandom >file
	if iosweep --quiet --engine io_uring --depth 16 --access once --sizes 4k -r file >/dev/null 2>&1; then
		run 0 --quiet --format csv --engine io_uring --depth 16 --access once --sizes 4k -r file
		shows 'operations stop' 3:exhausted
	fi
	rm file
}

# Objects of several blocks: all whole blocks are read, also those of a shorter last object; what
# follows an object's last whole block is not, as documented.
rb7() {
	mkdir set
	head -c 65536 /dev/urandom >set/a
	head -c 65536 /dev/urandom >set/b
	head -c 20580 /dev/urandom >set/c
	head -c 100 /dev/urandom >set/d
	for rb7_threads in 1 4; do
		run 0 --quiet --format csv -r --access once --sizes 4k --threads $rb7_threads set
		shows 'operations errors' 37:0 "$rb7_threads threads"
	done
	rm -r set
	run 0 --quiet --format csv --tests read --access once --object-size 64k --sizes 4k --objects 3 mem:
	shows operations 48
	run 0 --quiet --format csv --tests read --access once --object-size 64k --sizes 24k --objects 3 mem:
	shows operations 6
	rb7_cut_objects
	rb7_cut_files
}

# An object written in blocks when the run ends: it counts neither as an object nor as an operation;
# its upload is aborted.
rb7_cut_objects() {
	for rb7_requests in 43 48 49 50; do
		run 1 --format csv --tests append --sizes 64Ki --part-size 10000 --objects 3 \
			--rounds 1 -n 20 --max-requests $rb7_requests mem:
		shows 'operations errors' 4:0 "$rb7_requests requests"
		noted incomplete
		grep -q 'PUT.*, 5 upload begin, .* 4 upload complete' "$work/err" || fail "no object was cut: $(cat "$work/err")"
		grep -q 'upload abort' "$work/err" || fail "what was begun is not given up: $(cat "$work/err")"
		if grep -q 'left' "$work/err"; then fail "something is left"; fi
	done
}

# A truncated file that ends inside a block: each of its whole blocks is read once.
rb7_cut_files() {
	run 0 --quiet --tests append --sizes 64k --call-size 4k -n 5 --keep --run-name cut .
	rb7_file=$(find iosweep-cut -type f -size 64k | head -n 1)
	truncate -s 10000 "$rb7_file"
	for rb7_threads in 1 3; do
		run 0 --quiet --format csv -r --run-name cut --access once --sizes 4k --threads $rb7_threads .
		shows 'operations errors' 66:0 "$rb7_threads threads, 4 files of 16 blocks and one of 2"
	done
	run 0 clean .
	nothing_left .
}

# keep NAME OPTION...: leaves a run of 9 files
keep() {
	keep_name=$1
	shift
	run 0 --quiet --levels 2 --width 3 -l 64k --sizes 4k -n 30 --keep --run-name "$keep_name" "$@" .
}
# everything in a run: names, inodes, lengths and data, except what may be overwritten
shape() { find "iosweep-$1" ! -name 'MANIFEST-*' -printf '%P %i %s\n' | sort; }
everything() { find "iosweep-$1" -type f -exec cksum {} + | sort; }

# Overwriting the files of a run: exactly the same files, whatever is missing of them.  Another run is
# unchanged.
rb11() {
	keep one
	keep other --verify
	shape one >"$work/shape"
	everything other >"$work/other"
	run 0 --quiet --format csv --reuse one --tests write --sizes 4k -n 100 .
	shape one | cmp -s - "$work/shape" || fail "other files than before"
	run 3 --quiet --reuse one --verify --sizes 4k -n 30 .
	# some are missing or truncated: the others are used, and stay the same
	rm iosweep-one/d0/f1
	truncate -s 100 iosweep-one/d2/f2
	run 0 --quiet --format csv --reuse one --tests write --sizes 4k -n 300 .
	noted partial:7/9
	[ "$(stat -c %s iosweep-one/d2/f2)" = 100 ] && [ ! -e iosweep-one/d0/f1 ] || fail "a file was mended"

	# a refusal changes nothing
	everything one >"$work/sums"
	for rb11_option in '-r' '--run-name x' '-s' '-l 4k' '--width 2' '--tests read' --replace; do
		# shellcheck disable=SC2086
		refuses 2 '' --quiet --reuse one $rb11_option .
	done
	run 2 --quiet --reuse one null:
	mkdir iosweep-mine
	echo mine >iosweep-mine/f0
	refuses 3 'not a run of iosweep, or damaged: .*/iosweep-mine; it has no iosweep manifest' \
		--quiet --reuse mine --sizes 2 -n 30 .
	sed 's/^run=one/run=mine/' "$(manifest_of iosweep-one)" | sed '2a lies=1' >iosweep-mine/MANIFEST-1
	run 3 --quiet --reuse mine --sizes 2 -n 30 .
	[ "$(cat iosweep-mine/f0)" = mine ] || fail "a foreign file was written"
	rm -r iosweep-mine
	ln -s iosweep-one iosweep-link
	run 3 --quiet --reuse link --sizes 4k -n 30 .
	rm iosweep-link
	ln iosweep-one/d1/f0 outside # a backup made of links would change with it
	refuses 3 'iosweep-one/d1/f0' --quiet --reuse one --tests write --sizes 4k -n 30 .
	rm outside
	mv iosweep-one/d1 moved
	ln -s ../moved iosweep-one/d1
	run 3 --quiet --reuse one --tests write --sizes 4k -n 30 .
	rm iosweep-one/d1
	mv moved iosweep-one/d1
	everything one | cmp -s - "$work/sums" || fail "written although it was refused"
	everything other | cmp -s - "$work/other" || fail "another run was touched"

	run 0 clean --force --run-name one . # one file is shorter than it was
	[ ! -e iosweep-one ] || fail "clean leaves the run"
	everything other | cmp -s - "$work/other" || fail "another run was touched"
	run 0 clean .
	nothing_left .
}

# Operations in flight at the end have the store's latency, without waiting for others.
rb12() {
	run 0 --quiet --format csv --tests create --sizes 4k --time 300ms --rounds 1 --depth 16 \
		--mem.delay mix:1x3s,15x50ms mem:
	rows 'latency_ns_min >= 5e7 && latency_ns_p50 < 2.9e9 && latency_ns_max >= 3e9'
	nothing_left .
}

scenarios rb3 rb6 rb7 rb11 rb12
