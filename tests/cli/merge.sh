#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# merge.sh - what several processes did at the same time as one result: sums and percentiles against
# those that python3 finds in the parts; every format, read again by the other commands; what does
# not go together is refused in one line, and what did not happen together is said.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all
need awk python3
iosweep --version | grep -q jansson || skip "built without jansson, which reads what is merged"

cd "$work" || exit 99
said() { grep -Eq -e "$1" "$work/err" || fail "not said: $1"; }
not_said() { ! grep -Eq -e "$1" "$work/err" || fail "said: $1"; }

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
check JSON
not_said 'it is unknown'
run 0 merge --quiet one.json two.json
[ ! -s "$work/err" ] || fail "--quiet says something"

# --- formats

run 0 merge one.json two.json
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
for format in table csv; do
	run 2 merge --format $format merged.json three.json
	one_line "$work/err"
done
# the others read it like any result
run 0 plot merged.json
run 2 compare merged.json one.json # no rounds, so no verdict, but a ratio
[ "$(awk -F, '$1 == "cell"' "$work/out" | wc -l)" = 1 ] || fail "compare finds no cell"
run 2 compare merged.csv merged.json
[ "$(awk -F, '$1 == "cell"' "$work/out" | wc -l)" = 1 ] || fail "compare finds no cell"
# merged once more, with one more: the same as all at once
measure three 1ms 2 --time 200ms || fail "a third run"
run 0 merge --format csv merged.json three.json
said 'were not measured at the same time'
cp "$work/out" twice.csv
run 0 merge --format csv one.json two.json three.json
said 'were not measured at the same time'
for column in operations threads latency_ns_p50 latency_ns_p90 latency_ns_min latency_ns_max \
	latency_ns_stddev errors label rate_per_s began_unix_s ended_unix_s thread_rate_per_s_min; do
	once=$(value $column)
	cp "$work/out" all.csv
	cp twice.csv "$work/out"
	[ "$(value $column)" = "$once" ] || fail "$column: $(value $column) of two merges, $once of one"
	cp all.csv "$work/out"
done
run 0 merge --format table one.json two.json
[ "$(wc -l <"$work/out")" = 2 ] && grep -Eq "^read +4 KiB .* 4 +1 +$operations " "$work/out" ||
	fail "the table"
# without what tells when
measure four 1ms 1 -n 20 --columns size_bytes,test,operations,time_s,threads,depth,latency_ns_max || exit 1
measure five 1ms 1 -n 20 --columns operations,time_s,size_bytes,latency_ns_min || exit 1
run 0 merge four.json five.json
said 'it is unknown when 1 of 1 rows'
[ "$(value operations)" = 40 ] && [ -z "$(value latency_ns_max)" ] && [ -z "$(value errors)" ] ||
	fail "what one file does not tell is not known"

# --- each rule is of a column that there is

run 0 help columns
sed 's/\t.*//' "$work/out" | sort >columns
sed -n 's/^    {"\([a-z0-9_]*\)", [A-Z0-9_]*},.*/\1/p' "$top_srcdir/src/analysis/merge_rules.c" | sort >rules
[ "$(wc -l <rules)" -ge 60 ] && [ -z "$(comm -13 columns rules)" ] ||
	fail "rules of no column: $(comm -13 columns rules)"

# --- what does not go together

measure sizes 1ms 1 -n 20 --sizes 4k,8k || exit 1
cp sizes.json sizes2.json
run 0 merge sizes.json sizes2.json
[ "$(value operations 2)" = 40 ] || fail "the second row"
# loops are rows of their own, and their summaries none
iosweep --quiet --tests read --sizes 4k --loops 2 -n 20 --format json -o loops.json null: || exit 1
cp loops.json loops2.json
run 0 merge --format table loops.json loops2.json
[ "$(wc -l <"$work/out")" = 3 ] && grep -q '^test  *size  *loop ' "$work/out" || fail "loops in the table"
run 0 merge loops.json loops2.json
[ "$(value operations 1),$(value loop 1),$(value operations 2),$(value loop 2)" = 40,1,40,2 ] || fail "loops"
for refused in 'sizes.json sizes.json@the same results twice' 'sizes.json ./sizes.json@the same results twice' \
	'one.json sizes.json@no row for read 8 KiB' 'sizes.json one.json@no row for read 8 KiB' \
	'one.json@merge needs two files of results' 'one.json nothing@cannot read'; do
	# shellcheck disable=SC2086
	run 2 merge ${refused%@*}
	one_line "$work/err"
	said "${refused#*@}"
	[ ! -s "$work/out" ] || fail "output of what is refused"
done
iosweep --quiet --tests read --sizes 4k -n 20 --threads 1 -o plain.csv null: || exit 1
run 2 merge one.json plain.csv
one_line "$work/err"
said 'no histograms in plain.csv; merge takes results of --format json'
run 2 merge -o one.json one.json two.json
one_line "$work/err"
said 'would overwrite an input'
[ -s one.json ] || fail "an input was emptied"
# nor is a file that is no text written over, but a picture may be by another one
printf 'SQLite format 3\0 of a user' >image
cp image image.same
for refused in merge compare 'report --format html' 'plot --script'; do
	# shellcheck disable=SC2086
	run 2 $refused -o image one.json two.json
	one_line "$work/err"
	said 'would overwrite a file of other data: image; name another file'
done
cmp -s image image.same || fail "results went over a file of other data"
printf '\211PNG\r\n\032\n\0' >picture.md
run 0 report -o picture.md one.json
grep -q '^#' picture.md || fail "a picture was not replaced"

# --- rows of test fill are the same where as much is filled, and no others
cd "$work" || exit 99
for part in a b; do
	iosweep --quiet --tests fill --sizes 64k -l 1Mi --fill-step 256k --format json -o fill-$part.json null: || exit 1
done
iosweep --quiet --tests fill --sizes 64k -l 1Mi --fill-step 512k --format json -o fill-c.json null: || exit 1
run 0 merge --format csv fill-a.json fill-b.json
[ "$(by_name '{ printf "%s:%s ", filled_bytes / 262144, operations }')" = '1:8 2:8 3:8 4:8 ' ] || fail "fills that are merged"
run 2 merge fill-a.json fill-c.json
grep -q 'fill 64 KiB .*, 256 KiB filled, which fill-a.json has' "$work/err" || fail "half of the rows of a fill"
iosweep compare --format csv fill-a.json fill-c.json >"$work/out" 2>"$work/err"
[ "$(by_name 'record != "overall" { printf "%s:%s ", record, filled_bytes / 262144 }')" = 'cell:2 cell:4 missing:1 missing:3 ' ] ||
	fail "fills that are compared: $(cat "$work/out")"
