#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Time is measured as finely as it is printed: operations that take 61 microseconds by construction
# come out as such; each row tells its spread; and a seed stands for one sequence of files and
# offsets, drawn evenly over all of them, aligned and inside the file.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
# shellcheck source=tests/cli/trace.sh
. "$top_srcdir/tests/cli/trace.sh"

mkdir "$work/dir"
cd "$work/dir" || exit 99

# --- 1000 operations of 61 us: never less; more only by what a busy machine takes away, which the
# shortest operation does not see
run 0 --quiet null: --null.delay 61us -n 1000 -m 2 -M 2 --tests read \
	--columns time_s,operations,latency_ns_min,latency_ns_p50,op_ns_median,op_ns_stddev,rounds
awk -F, 'NR == 2 {
	if ($1 < 0.061 || $1 > 6.1)
		fault = "time_s " $1
	if ($1 !~ /^[0-9][.][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]$/)
		fault = "time_s with other decimals: " $1
	if (substr($1, 6) == "000000")
		fault = "time_s in whole milliseconds: " $1
	if ($2 != 1000)
		fault = "operations " $2
	if ($3 < 61000 || $3 > 64050)
		fault = "latency_ns_min " $3
	if ($4 < 61000 || $4 > 122000)
		fault = "latency_ns_p50 " $4
	if ($5 < 61000)
		fault = "op_ns_median " $5
	if ($6 !~ /^[0-9]+[.][0-9]+$/ || $6 <= 0 || $7 < 2)
		fault = "op_ns_stddev " $6 " of " $7 " rounds"
} END {
	if (fault == "" && NR != 2)
		fault = "not one row"
	if (fault != "") { print fault; exit 1 }
}' "$work/out" >&2 || fail "61 us are not 61 us"

# --- ten times the delay is ten times the time
run 0 --quiet null: --null.delay 610us -n 100 -m 2 -M 2 --tests write --columns latency_ns_min
least=$(tail -1 "$work/out")
if [ "$least" -lt 610000 ] || [ "$least" -gt 640500 ]; then
	fail "610 us are $least ns"
fi

# --- --time lasts so long
run 0 --quiet null: --time 300ms -m 2 -M 2 --tests read --columns time_s
awk 'NR == 2 && $1 >= 0.25 && $1 < 30 { found = 1 } END { exit !found }' "$work/out" ||
	fail "--time 300ms: measured $(tail -1 "$work/out") s"

# --- the same seed, the same operations
if ! can_trace; then
	echo "not tried: sequences of a seed, strace cannot be used"
	exit 0
fi

# sequence SEED FILE: file and offset of each operation to FILE
sequence() {
	trace "$work/trace" 0 --quiet --engine pread --seed "$1" --levels 2 --width 3 -l 64k \
		--sizes 3,512,12k -n 150 --tests read .
	awk '
	{ sub(/^[0-9]+ +/, "") }
	/^openat\(/ {
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
