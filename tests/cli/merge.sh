#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# merge.sh - what several processes did at the same time as one result: sums and percentiles against
# those that python3 finds in the parts.  What it says, and refuses, is in tests/golden/merge.t.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all
need awk python3
iosweep --version | grep -q jansson || skip "built without jansson, which reads what is merged"

cd "$work" || exit 99

# Two processes at once, of different latency; the second has more threads.
measure() { # NAME DELAY THREADS ARGS...
	measure_name=$1
	measure_delay=$2
	measure_threads=$3
	shift 3
	iosweep --quiet --tests read --sizes 4k --label "$measure_name" --threads "$measure_threads" \
		--null.delay "$measure_delay" --format json -o "$measure_name.json" \
		"$@" null:
}
measure one 500us 1 --time 2s &
one=$!
on_exit "end_child $one"
measure two 2ms 3 --time 2s || fail "the second of two at once"
wait $one || fail "the first of two at once"

# Sums, and the nearest ranks of all operations.
python3 - >want <<-'END' || fail "no sums of the parts"
	import json
	rows = [json.load(open(name + ".json"))["rows"][0] for name in ("one", "two")]
	counts = sorted(bucket for row in rows for bucket in row["latency_histogram"])
	count = sum(n for _, n in counts)
	def rank(percent):
	    seen = 0
	    for lower, n in counts:
	        seen += n
	        if seen * 100 >= count * percent:
	            return lower
	print(sum(row["operations"] for row in rows), sum(row["errors"] for row in rows),
	      "%.9f" % max(row["time_s"] for row in rows), min(row["latency_ns_min"] for row in rows),
	      max(row["latency_ns_max"] for row in rows), count, rank(50), rank(90))
END
read -r operations errors time least most all p50 p90 <want

check() { # NAME
	[ "$(value operations)" = "$operations" ] && [ "$(value errors)" = "$errors" ] &&
		[ "$(value latency_ns_min)" = "$least" ] && [ "$(value latency_ns_max)" = "$most" ] &&
		[ "$(value threads)" = 4 ] && [ "$(value label)" = "one + two" ] || fail "$1: other sums than $(cat want)"
	# a bucket is known by its lower end, and answers with its middle
	echo "$p50 $p90 $(value latency_ns_p50) $(value latency_ns_p90) $operations $time $(value rate_per_s) \
		$(value throughput_bytes_per_s)" | awk '{
		if ($3 < $1 || $3 > $1 * 1.016 || $4 < $2 || $4 > $2 * 1.016) exit 1
		if (($7 * $6 / $5 - 1) ^ 2 > 1e-12 || ($8 * $6 / $5 / 4096 - 1) ^ 2 > 1e-12) exit 1 }' ||
		fail "$1: percentiles or rates are not those of $(cat want)"
	awk -v p50="$(value latency_ns_p50)" -v p90="$(value latency_ns_p90)" 'BEGIN { exit p50 > p90 }' ||
		fail "$1: p50 above p90"
}
[ "$all" -ge 40 ] || skip "this machine does too little in two seconds: $(cat want)"

run 0 merge one.json two.json
check CSV
cp "$work/out" merged.csv
run 0 merge --format json -o merged.json one.json two.json
python3 - "$operations" "$all" <<-'END' || fail "JSON: see above"
	import json, sys
	merged = json.load(open("merged.json"))
	parts = [json.load(open(name + ".json")) for name in ("one", "two")]
	row, = merged["rows"]
	assert row["operations"] == int(sys.argv[1]), row["operations"]
	both = {}
	for part in parts:
	    for lower, count in part["rows"][0]["latency_histogram"]:
	        both[lower] = both.get(lower, 0) + count
	assert dict(row["latency_histogram"]) == both
	assert sum(both.values()) == int(sys.argv[2])
	threads = [thread for part in parts for thread in part["rows"][0]["thread_results"]]
	assert len(threads) == 4 and row["thread_results"] == threads, row["thread_results"]
	assert row["thread_rate_per_s_min"] == min(thread["rate_per_s"] for thread in threads)
	assert [part["file"] for part in merged["run"]["merged"]] == ["one.json", "two.json"]
	assert set(parts[0]["rows"][0]) - set(row) <= {"reference_round_ns"}
END
# the others read it like any result
run 0 plot merged.json
for file in one.json merged.csv; do
	run 2 compare $file merged.json # no rounds, so no verdict, but a ratio
	rows 'record !~ /missing/ && ratio > 0'
done
# merged once more, with one more: the same as all at once
measure three 1ms 2 --time 200ms || fail "a third run"
run 0 merge --format csv merged.json three.json
cp "$work/out" twice.csv
run 0 merge --format csv one.json two.json three.json
for column in operations threads latency_ns_p50 latency_ns_p90 latency_ns_min latency_ns_max \
	latency_ns_stddev errors label rate_per_s began_unix_s ended_unix_s thread_rate_per_s_min; do
	once=$(value $column)
	cp "$work/out" all.csv
	cp twice.csv "$work/out"
	[ "$(value $column)" = "$once" ] || fail "$column: $(value $column) of two merges, $once of one"
	cp all.csv "$work/out"
done

# --- each rule is of a column that there is

run 0 help columns
sed 's/\t.*//' "$work/out" | sort >columns
sed -n 's/^    {"\([a-z0-9_]*\)", [A-Z0-9_]*},.*/\1/p' "$top_srcdir/src/analysis/merge_rules.c" | sort >rules
[ "$(wc -l <rules)" -ge 60 ] && [ -z "$(comm -13 columns rules)" ] ||
	fail "rules of no column: $(comm -13 columns rules)"

# --- a file that is no text is not written over, but a picture may be by another one
printf 'SQLite format 3\0 of a user' >image
cp image image.same
for refused in merge compare 'report --format html' 'plot --script'; do
	# shellcheck disable=SC2086
	run 2 $refused -o image one.json two.json
	one_line "$work/err"
done
cmp -s image image.same || fail "results went over a file of other data"
printf '\211PNG\r\n\032\n\0' >picture.md
run 0 report -o picture.md one.json
grep -q '^#' picture.md || fail "a picture was not replaced"

# --- rows of test fill are the same where as much is filled, and no others

for part in a:256k b:256k c:512k; do
	run 0 --quiet --tests fill --sizes 64k -l 1Mi --fill-step "${part#*:}" --format json -o "fill-${part%:*}.json" null:
done
run 0 merge fill-a.json fill-b.json
[ "$(by_name '{ printf "%s:%s ", filled_bytes / 262144, operations }')" = '1:8 2:8 3:8 4:8 ' ] || fail "fills that are merged"
run 2 merge fill-a.json fill-c.json
iosweep compare --format csv fill-a.json fill-c.json >"$work/out" 2>"$work/err"
[ "$(by_name 'record != "overall" { printf "%s:%s ", record, filled_bytes / 262144 }')" = 'cell:2 cell:4 missing:1 missing:3 ' ] ||
	fail "fills that are compared"
