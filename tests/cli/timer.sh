#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Time is measured as precisely as it is printed: operations that take 61 microseconds by
# construction never appear shorter; each row has its spread; and a seed determines one sequence of
# files and offsets, drawn uniformly over all of them, aligned and inside the file.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all
# shellcheck source=tests/cli/trace.sh
. "$top_srcdir/tests/cli/trace.sh"

mkdir "$work/dir"
cd "$work/dir" || exit 99

# A busy machine's delays are unbounded and not checked; but no measured time exceeds the time that
# passes on an independent clock.

# clocked STATUS ARGS: runs it, and counts the whole seconds that pass: $least_s <= seconds <
# $most_s
clocked() {
	clocked_start=$(date +%s)
	run "$@"
	least_s=$(($(date +%s) - clocked_start - 1))
	most_s=$((least_s + 2))
}

# --- 1000 operations of 61 us: never less, and the figures of the row are consistent
clocked 0 --quiet null: --null.delay 61us -n 1000 -m 2 -M 2 --tests read \
	--columns time_s,operations,latency_ns_min,latency_ns_p50,op_ns_mean,op_ns_stddev,rounds,latency_ns_max
digit='[0-9]'
rows "time_s >= 0.061 && time_s <= $most_s && operations == 1000 && rounds >= 2"
rows "time_s ~ /^$digit+[.]$digit$digit$digit$digit$digit$digit$digit$digit$digit\$/ && time_s !~ /000000\$/" # to the ns
rows 'latency_ns_min >= 61000 && latency_ns_min * operations <= time_s * 1e9 && op_ns_mean >= 61000'
rows 'latency_ns_p50 >= latency_ns_min / 1.01 && latency_ns_p50 <= latency_ns_max * 1.01'
rows 'latency_ns_max >= latency_ns_min && latency_ns_max <= time_s * 1e9'
rows 'op_ns_stddev ~ /^[0-9]+[.][0-9]+$/ && op_ns_stddev > 0'
shows operations 1000

# --- ten times the delay is ten times the time
run 0 --quiet null: --null.delay 610us -n 100 -m 2 -M 2 --tests write --columns latency_ns_min,time_s
rows 'latency_ns_min >= 610000 && latency_ns_min * 100 <= time_s * 1e9'

# --- --time is used completely, and not exceeded by an independent clock
clocked 0 --quiet null: --time 2s -m 2 -M 2 --tests read --columns time_s
[ $most_s -ge 2 ] || fail "--time 2s was over before"
rows "time_s > 0 && time_s <= $most_s"

# --- the same seed, the same operations
if ! can_trace; then
	echo "not tried: sequences of a seed, strace cannot be used"
	exit 0
fi

# sequence SEED FILE: writes file and offset of each operation to FILE
sequence() {
	trace "$work/trace" 0 --quiet --engine pread --seed "$1" --levels 2 --width 3 -l 64k \
		--sizes 3,512,12k -n 150 --tests read .
	awk '
	{ sub(/^[0-9]+ +/, "") }
	/^openat2?\(/ {
		match($0, /"[^"]*"/)
		name[$NF] = substr($0, RSTART, RLENGTH)
		if (name[$NF] !~ /[\/"]f[0-9]+"$/)
			delete name[$NF]
	}
	/^pread64\(/ {
		descriptor = substr($0, 9) + 0
		if (!(descriptor in name))
			next
		count = split($0, part, /, |\)/)
		if (part[count - 2] == 1) # checks whether the file system keeps what was read
			next
		print name[descriptor], part[count - 1], part[count - 2]
	}' "$work/trace" >"$2"
	[ "$(wc -l <"$2")" -eq 450 ] || fail "$(wc -l <"$2") operations traced, not 450"
	nothing_left .
}
sequence 7 "$work/first"
sequence 7 "$work/second"
sequence 8 "$work/third"
cmp "$work/first" "$work/second" >&2 || fail "the same seed, other operations"
! cmp -s "$work/first" "$work/third" || fail "another seed, the same operations"

# --- all files, aligned to min(size, 4096) as a power of two, and inside
awk '{
	align = $3 == 3 ? 2 : $3 < 4096 ? $3 : 4096
	if ($2 % align || $2 + $3 > 65536) { print; bad = 1 }
	files[$1]++
	if ($2 < 32768) low++
} END {
	for (file in files) count++
	if (count != 9) { print count " of 9 files"; bad = 1 }
	for (file in files)
		if (files[file] < 20 || files[file] > 90) { print files[file] " times " file; bad = 1 }
	if (low < 180 || low > 300) { print low " of 450 in the first half"; bad = 1 }
	exit bad
}' "$work/first" >&2 || fail "operations are not drawn evenly inside the files"
