#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# What users of rados bench rely on, one function per scenario, on files, mem: and null:. (On a real
# object store: tests/s3/seeds.sh.  The spread of records: interval.sh; wrong data: verify.sh; data
# that cannot be compressed: payload.sh; runs of one name at a time, and what is killed: tests/life;
# interrupted: sigint.sh; what is removed: runs.sh and golden/clean.t.)
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all
# shellcheck source=tests/cli/trace.sh
. "$top_srcdir/tests/cli/trace.sh"

mkdir "$work/dir"
cd "$work/dir" || exit 99

# Each block of a kept run once, by its name alone: without sizes, and without waiting for a time.
rb3() {
	run 0 --quiet --levels 2 --width 2 -l 40k --sizes 4k -n 30 --keep --run-name one .
	run 0 --quiet --format csv -r --run-name one --access once --time 1000s .
	[ "$(value operations)" = 40 ] && [ "$(value stop)" = exhausted ] && [ "$(value size_bytes)" = 4096 ] ||
		fail "$(value operations) reads of $(value size_bytes) bytes, stop=$(value stop)"
	run 0 --quiet --format csv -r --run-name one --access once --sizes 8k --threads 3 . # unless given
	[ "$(value operations)" = 20 ] || fail "$(value operations) reads of 8 KiB, not 20"
	run 0 clean .
	# the files of create, and no more than it made
	run 0 --quiet --tests create --sizes 100,4k --threads 2 -n 15 --keep --run-name new .
	run 0 --quiet --format csv -r --run-name new --access once --time 1000s .
	[ "$(value operations 1),$(value operations 2)" = 615,15 ] && [ "$(value stop 1)$(value stop 2)" = exhaustedexhausted ] ||
		fail "new files: $(value operations 1) reads of 100 B and $(value operations 2) of 4 KiB, not 615 and 15"
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

# offsets FILE ARGS...: of the reads of 4 KiB, one per line
offsets() {
	offsets_file=$1
	shift
	# shellcheck disable=SC2086
	LSAN_OPTIONS=detect_leaks=0 strace -f -qq -e trace=pread64,memfd_create $no_reference -o "$work/trace" \
		"$IOSWEEP" --quiet --columns all --engine pread --tests read --sizes 4k --cache asis "$@" -r "$offsets_file" >"$work/out" 2>"$work/err" || fail "$*: exit status $?"
	sed -n 's/.*, 4096, \([0-9]*\)) .*= 4096$/\1/p' "$work/trace"
}
# even WHAT: the numbers on standard input are distributed evenly over 64 blocks (chi square with 63
# degrees of freedom: above 126 once in 200,000 times, and seeds are fixed)
even() {
	awk '{ n[$1 / 4096]++ } END { for (i = 0; i < 64; i++) chi += (n[i] - NR / 64) ^ 2 / (NR / 64)
		for (i in n) if (i + 0 != int(i) || i + 0 > 63) chi = 1e9
		if (NR < 640 || chi > 126) { print "chi square " chi " of " NR; exit 1 } }' || fail "$1 are not even"
}

# Random reads: a seed determines them, even if the time ends them, and all blocks are hit evenly,
# also by the first operation of each thread.
rb4() {
	can_trace || { echo "strace is not usable here"; return; }
	head -c 262144 /dev/urandom >file
	offsets file --seed 7 -n 20000 >"$work/first"
	even "all reads" <"$work/first"
	[ "$(wc -l <"$work/first")" = 20000 ] || fail "not 20000 reads"
	offsets file --seed 7 --time 300ms >"$work/again"
	rb4_most=$(wc -l <"$work/again")
	[ "$rb4_most" -ge 1 ] || fail "nothing is read in 300 ms"
	[ "$rb4_most" -le 20000 ] || rb4_most=20000
	head -n "$rb4_most" "$work/first" >"$work/begin"
	head -n "$rb4_most" "$work/again" | cmp -s - "$work/begin" || fail "the same seed asks for something else"
	offsets file --seed 8 -n 100 >"$work/again"
	head -n 100 "$work/first" | cmp -s - "$work/again" && fail "another seed asks for the same"
	for rb4_seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
		offsets file --seed $rb4_seed --threads 64 -n 64 --rate 1000000
	done >"$work/firsts"
	even "first reads" <"$work/firsts"
	rm file
}

# A depth above the remaining operations, or the number of objects, is not an error.
rb6() {
	for rb6_objects in 3 4; do
		run 0 --quiet --format csv --depth 16 --objects $rb6_objects --access once --sizes 4k --time 1000s mem:
		for rb6_row in 1 2; do
			[ "$(value operations $rb6_row)" = $rb6_objects ] && [ "$(value errors $rb6_row)" = 0 ] &&
				[ "$(value requests $rb6_row)" = $rb6_objects ] && [ "$(value stop $rb6_row)" = exhausted ] ||
				fail "$(value operations $rb6_row) operations on $rb6_objects objects"
		done
	done
	run 0 --quiet --format csv --depth 16 --tests create -n 4 --sizes 4k --time 1000s mem:
	[ "$(value operations),$(value requests),$(value stop)" = 4,4,count ] || fail "not exactly 4 objects"
	head -c 12288 /dev/urandom >file
	if iosweep --quiet --engine io_uring --depth 16 --access once --sizes 4k -r file >/dev/null 2>&1; then
		run 0 --quiet --format csv --engine io_uring --depth 16 --access once --sizes 4k -r file
		[ "$(value operations)" = 3 ] && [ "$(value stop)" = exhausted ] || fail "$(value operations) of 3 blocks"
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
		[ "$(value operations)" = 37 ] && [ "$(value errors)" = 0 ] || fail "$(value operations) of 37 blocks"
	done
	rm -r set
	run 0 --quiet --format csv --tests read --access once --object-size 64k --sizes 4k --objects 3 mem:
	[ "$(value operations)" = 48 ] || fail "$(value operations) of 48 blocks of objects"
	run 0 --quiet --format csv --tests read --access once --object-size 64k --sizes 24k --objects 3 mem:
	[ "$(value operations)" = 6 ] || fail "$(value operations) of 6 blocks of objects"
	rb7_cut_objects
	rb7_cut_files
}

# An object written in blocks when the run ends: it counts neither as an object nor as an operation;
# its upload is aborted.
rb7_cut_objects() {
	for rb7_requests in 43 48 49 50; do
		run 1 --format csv --tests append --sizes 64Ki --part-size 10000 --objects 3 \
			--rounds 1 -n 20 --max-requests $rb7_requests mem:
		[ "$(value operations)" = 4 ] && [ "$(value errors)" = 0 ] ||
			fail "$(value operations) objects, not 4"
		case $(value notes) in *incomplete*) ;; *) fail "notes: $(value notes)" ;; esac
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
		[ "$(value operations)" = 66 ] && [ "$(value errors)" = 0 ] ||
			fail "$(value operations) blocks of 4 files of 16 and one of 2, not 66"
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
sums() { everything "$1" | grep -v /MANIFEST-; }

# Overwriting the files of a run: exactly the same files, also by a run that writes less; the
# manifest lists all of them, and records when their contents are no longer known. Another run is
# unchanged.
rb11() {
	keep one --verify
	keep other --verify
	shape one >"$work/shape"
	sums one >"$work/sums"
	everything other >"$work/other"
	run 0 --quiet --format csv --reuse one --verify --tests write,read --sizes 4k -n 100 .
	[ "$(value operations)" = 100 ] && [ "$(value errors_wrong 2)" = 0 ] || fail "not written over"
	sums one | cmp -s - "$work/sums" && fail "nothing was written"
	shape one | cmp -s - "$work/shape" || fail "other files than before"
	run 0 --quiet -r --run-name one --verify --sizes 4k -n 500 . # they still have the right content
	run 0 --quiet --format csv --reuse one --tests write --sizes 4k -n 1 . # at most a block of one
	shape one | cmp -s - "$work/shape" || fail "other files than before"
	run 3 --quiet -r --run-name one --verify --sizes 4k -n 30 .
	grep -q 'written without --verify' "$work/err" || fail "what is not known can be verified"
	run 3 --quiet --reuse one --verify --sizes 4k -n 30 .
	run 0 --format csv -r --run-name one --sizes 4k -n 30 .
	grep -q '^# target: .*/iosweep-one, 9 files of 64 KiB$' "$work/err" || fail "the manifest names fewer files"

	# some are missing or truncated: the others are used, and stay the same
	rm iosweep-one/d0/f1
	truncate -s 100 iosweep-one/d2/f2
	run 0 --quiet --format csv --reuse one --tests write --sizes 4k -n 300 .
	case $(value notes) in *partial:7/9*) ;; *) fail "notes: $(value notes)" ;; esac
	[ "$(stat -c %s iosweep-one/d2/f2)" = 100 ] && [ ! -e iosweep-one/d0/f1 ] || fail "a file was mended"

	# a refusal changes nothing
	everything one >"$work/sums"
	for rb11_option in '-r' '--run-name x' '-s' '-l 4k' '--width 2' '--tests read' --replace; do
		# shellcheck disable=SC2086
		run 2 --quiet --reuse one $rb11_option .
		one_line "$work/err"
	done
	run 2 --quiet --reuse one null:
	mkdir iosweep-mine
	echo mine >iosweep-mine/f0
	run 3 --quiet --reuse mine --sizes 2 -n 30 .
	grep -q 'not a run of iosweep, or damaged: .*/iosweep-mine; it has no iosweep manifest' "$work/err" || fail "a foreign directory"
	sed 's/^run=one/run=mine/' "$(manifest_of iosweep-one)" | sed '2a lies=1' >iosweep-mine/MANIFEST-1
	run 3 --quiet --reuse mine --sizes 2 -n 30 .
	[ "$(cat iosweep-mine/f0)" = mine ] || fail "a foreign file was written"
	rm -r iosweep-mine
	ln -s iosweep-one iosweep-link
	run 3 --quiet --reuse link --sizes 4k -n 30 .
	rm iosweep-link
	ln iosweep-one/d1/f0 outside # a backup made of links would change with it
	run 3 --quiet --reuse one --tests write --sizes 4k -n 30 .
	grep -q 'iosweep-one/d1/f0' "$work/err" || fail "the file with another name is not named"
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

# Never more in flight than the depth, and each record has the numbers started, finished and in
# flight; the final rate, throughput and latency have mean, deviation, minimum and maximum.
rb1() {
	run 0 --format csv --tests write --sizes 4k --depth 16 --time 1500ms --mem.delay 5ms \
		--interval 250ms mem:
	grep -q '^# .*time UTC .* flight .* done .* now .* total .* mean .* p99 .* max' "$work/err" ||
		fail "no heading"
	[ "$(grep -c '^# .* write *4KiB *16 .*B/s .*ms ' "$work/err")" -ge 2 ] || fail "no lines"
	for rb1_what in rate throughput; do
		grep -q "^#   $rb1_what .* to .*, mean .*, spread " "$work/err" || fail "no summary of $rb1_what"
	done
	for rb1_column in rate_per_s throughput_bytes_per_s latency_ns_mean latency_ns_stddev latency_ns_min \
		latency_ns_max latency_ns_p50 latency_ns_p99; do
		[ -n "$(value $rb1_column)" ] || fail "no $rb1_column"
	done
	awk -v flight="$(value in_flight_mean)" -v least="$(value latency_ns_min)" \
		'BEGIN { exit flight > 16 || least < 5000000 }' || fail "more in flight than 16, or faster than the store"
	# 16 in flight of 5 ms are at most 3200 per second
	awk -v n="$(value operations)" -v time="$(value elapsed_s)" 'BEGIN { exit n > 16 * (time / 0.005 + 1) }' ||
		fail "$(value operations) in $(value elapsed_s) s: more in flight than 16"
	run 0 --quiet --tests write --sizes 4k --depth 16 --time 1s --mem.delay 5ms --interval 100ms \
		--series "$work/series" mem:
	by_name 'row == "" { next }
		{ n++; if (in_flight > 16) bad = 2
			if (operations_begun_total - operations_ended_total != in_flight) bad = 3
			if (operations_ended_total < before || operations_begun_total < begun) bad = 4
			before = operations_ended_total; begun = operations_begun_total; full += in_flight == 16 }
		END { exit bad ? bad : n < 3 ? 5 : full < 1 ? 6 : 0 }' "$work/series" || fail "records ($?): $(cat "$work/series")"
}

# Operations in flight at the end have the store's latency, without waiting for others.
rb12() {
	run 0 --quiet --format csv --tests create --sizes 4k --time 300ms --rounds 1 --depth 16 \
		--mem.delay mix:1x600ms,15x50ms mem:
	awk -v least="$(value latency_ns_min)" -v half="$(value latency_ns_p50)" -v most="$(value latency_ns_max)" \
		'BEGIN { exit !(least >= 5e7 && half < 5.9e8 && most >= 6e8) }' ||
		fail "requests wait for others: $(value latency_ns_min), $(value latency_ns_p50), $(value latency_ns_max) ns"
	nothing_left .
}

# Another host reads, verifies, overwrites and removes what this one has kept.
rb8() {
	unshare --uts true 2>/dev/null || { echo "no host names of our own here" && return; }
	keep one --verify
	keep other --verify
	everything other >"$work/other"
	there() { # on a host with another name
		there_want=$1
		shift
		unshare --uts sh -c 'hostname elsewhere && exec "$0" "$@"' "$IOSWEEP" "$@" >"$work/out" 2>"$work/err"
		there_got=$?
		[ $there_got = "$there_want" ] || fail "elsewhere: iosweep $*: exit status $there_got, not $there_want"
	}
	there 0 --quiet --format csv --columns all -r --run-name one --verify -n 300 .
	[ "$(value operations)" = 300 ] && [ "$(value errors_wrong)" = 0 ] || fail "not read elsewhere"
	there 0 --quiet --reuse one --verify --tests write -n 30 .
	there 0 clean --run-name one .
	[ ! -e iosweep-one ] || fail "not removed elsewhere"
	everything other | cmp -s - "$work/other" || fail "another run was touched"
	run 0 clean .
	nothing_left .
}

scenarios rb1 rb3 rb4 rb6 rb7 rb8 rb11 rb12
