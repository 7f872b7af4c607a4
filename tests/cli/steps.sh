#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# --tests as a list of steps, --loops and --repeat: rows are in order and refer to their step, loop
# and repeat in all formats; a run with each test once looks as usual.
# shellcheck disable=SC2086 # lists of words
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all
need awk
cd "$work" || exit 99

is() { [ "$2" = "$3" ] || fail "$1: '$2', not '$3'"; }
short='--quiet -n 20 --sizes 512 -l 64k --levels 1 --width 2'

# --- the order of steps, loops and repeats; the files are the same throughout
run 0 $short --tests write,read,read --loops 2 --format csv .
shows 'test step loop repeat operations' \
	'write:1:1:1:20 read:2:1:1:20 read:3:1:1:20 write:1:2:1:20 read:2:2:1:20 read:3:2:1:20'
cp "$work/out" loops.csv
run 0 $short --tests read,write --repeat 2 --cache cached,asis --format csv .
is repeats "$(column cache test step repeat | tr '\n' ' ')" \
	'cached:read:1:1 cached:read:1:2 cached:write:2:1 cached:write:2:2 asis:read:1:1 asis:read:1:2 asis:write:2:1 asis:write:2:2 '

# --- a step ends by its own stops or, without any, by those of the run
run 0 --quiet -n 30 --sizes 512 --format csv --tests read:n=50,read,read:5ms,read:n=1000M:5ms,read:n=7:1h null:
is stops "$(column operations stop | sed 's/^[0-9]*:time$/time/' | tr '\n' ' ')" '50:count 30:count time time 7:count '
run 0 $short --time 1h --max-time 1h --tests read --format csv .
is "what comes first" "$(column operations stop)" 20:count
run 0 --quiet -n 1000M --time 300ms --sizes 512 --tests read --format csv null:
is "what comes first" "$(column stop errors)" time:0
[ "$(column rounds)" -ge 2 ] || fail "-n with --time: one round only"
hours='--quiet -n 1000M --time 1h --sizes 512 --tests read --format csv null:'
# shellcheck disable=SC2086 # a busy machine has hardly begun after half a second
iosweep --max-time 500ms $hours >"$work/out" 2>"$work/err" || run 0 --max-time 20s $hours
is "what comes first" "$(column stop errors notes | sed 's/:[a-z_;]*$//')" time:0
! grep -q incomplete "$work/out" || fail "--max-time with -n: incomplete"
run 0 --dry-run --tests read:n=50,write:n=10 --sizes 512 --loops 2 .
grep -qx 'operations: 120 in all' "$work/out" || fail "--dry-run: operations of steps"
run 0 --dry-run --tests stat:n=5,write -n 10 --loops 2 --repeat 3 --sizes 4k --objects 1 mem:
grep -q 'rows: 90 requests, ' "$work/err" || fail "--dry-run: requests of steps"

# --- the same number by each thread
run 0 --quiet -n 10/thread --threads 1,4 --sizes 512 --tests read,read:n=25/thread,read:n=25 --format json -o a.json null:
is "N/thread" "$(sed -n 's/.*"record":"row",.*"size_bytes":512,"operations":\([0-9]*\),.*/\1/p' a.json | tr '\n' ' ')" '10 40 25 100 25 25 '

# --- permitted failures of a step: exactly that many, then the next step
fails='--quiet --format csv --sizes 512 --rounds 1 -n 100 --null.fail every:2'
run 1 $fails --tests read,read:errors=5,read:errors=0 --max-errors 3/step null:
shows 'errors stop' '3:errors 5:errors 50:count' "errors of steps"
[ "$(grep -c 'too many operations failed in 2 steps' "$work/err")" = 1 ] || fail "steps that were left are not told"
run 1 $fails --tests read,read,read --max-errors 70,60/step null:
shows 'errors stop' '50:count 20:errors 0:errors' "errors in all"
run 1 $fails --tests read,read --loops 2 --max-errors 51% null:
shows 'errors stop' '50:count 50:count 50:count 50:count' "a share of errors"
run 1 $fails --tests read,read --max-errors 49% null:
shows stop 'errors errors'

# --- in text only if there are several
run 0 $short --tests write,read,read --repeat 2 --format table .
is table "$(grep -c '^read - .* - step [23] - repeat [12] - \|^read - step [23] - repeat [12] - ' "$work/out")" 4
is table "$(grep -c '^write - repeat [12] - ' "$work/out")" 2
run 0 $short --tests write,read --format table .
! grep -q 'step\|loop\|repeat' "$work/out" || fail "words that tell nothing apart"

# --- in JSON and in the series
run 0 $short --tests read,read --repeat 2 --interval 10ms --series series.csv --format json -o a.json .
grep -q '"tests":\["read","read"\],.*"repeats":2,' a.json || fail "settings: $(head -c 2000 a.json)"
is json "$(sed -n 's/.*"record":"row",.*"loop":\([0-9]\),.*"step":\([0-9]\),"repeat":\([0-9]\),.*/\2\1\3/p' a.json | tr '\n' ' ')" \
	'111 112 211 212 '
head -n 1 series.csv | grep -q ',step,loop,repeat\(,.*\)*$' || fail "--series: $(head -n 1 series.csv)"

# --- summaries over loops and repeats equal those recomputed from the rows
run 0 -n 200 --sizes 512 --tests write,read --loops 2 --repeat 2 --format csv null:
is "cold rows" "$(column test repeat notes | grep -c ':1:.*cold')" 4
is "cold rows" "$(column test repeat notes | grep -c ':2:.*cold')" 0
[ "$(grep -c '^# summary - \(write\|read\) - ' "$work/err")" = 2 ] || fail "no summaries on standard error"
run 0 --quiet -n 200 --sizes 512,4k --tests read --repeat 3 --format table null:
[ "$(sed -n '/^summary - read/,$p' "$work/out" | grep -c '^ *\(512 B\|4 KiB\) *3 .* 1 cold$')" = 2 ] || fail "no summaries in the table"
run 0 --quiet -n 200 --sizes 512,4k --tests write,read --loops 2 --repeat 2 --format json -o a.json null:
if command -v python3 >/dev/null; then
	python3 - <<-'END' || fail "summaries of JSON"
		import records, statistics
		document = records.load("a.json")
		assert len(document["summary"]) == 4
		for summary in document["summary"]:
		    rows = [row for row in document["row"]
		            if (row["test"], row["size_bytes"]) == (summary["test"], summary["size_bytes"])]
		    assert summary["rows"] == len(rows) == 4 and summary["rows_left_out"] == 0
		    for name in "time_s", "rate_per_s", "throughput_bytes_per_s":
		        values = [row[name] for row in rows]
		        for what, value in (("mean", statistics.mean(values)), ("median", statistics.median(values)),
		                            ("stddev", statistics.stdev(values)),
		                            ("cv", statistics.stdev(values) / statistics.mean(values)), ("min", min(values)), ("max", max(values))):
		            assert abs(summary[name][what] - value) <= 1e-6 * value, (name, what)
		    overall = sum(row["operations"] for row in rows) / sum(row["time_s"] for row in rows)
		    assert abs(summary["rate_per_s_overall"] - overall) <= 1e-6 * overall
	END
fi
run 0 -n 200 --sizes 512 --tests read --format csv null:
! grep -q summary "$work/err" || fail "a summary of what was measured once"

# --- compare: corresponding steps only
awk -F, 'BEGIN { OFS = "," } NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
	NR > 1 { $at["op_ns_low"] = $at["op_ns_high"] = "" } # not every 20 operations have an interval
	NR > 1 && $at["test"] == "read" && $at["step"] == 3 {
		$at["rate_per_s"] = sprintf("%.6f", $at["rate_per_s"] / 4)
		$at["op_ns_mean"] = sprintf("%.2f", $at["op_ns_mean"] * 4)
	}
	{ print }' loops.csv >slower.csv
run 2 compare --format csv loops.csv slower.csv # a ratio of one row is no verdict
is "cells compared" "$(awk -F, '$1 == "cell" { print $2 $20 $21 $10 $11 }' "$work/out" | tr '\n' ' ')" \
	'write11unknown1.000000 read21unknown1.000000 read31unknown4.000000 write12unknown1.000000 read22unknown1.000000 read32unknown4.000000 '
# steps in another position are still the same test
run 0 $short --tests read -o one.csv .
run 0 $short --tests write,read -o two.csv .
iosweep compare --format csv one.csv two.csv >"$work/out" 2>"$work/err"
is "steps of one test" "$(awk -F, '$1 == "cell" { print $2 $22 }' "$work/out")" read1
rm -f ./*.csv a.json out err
nothing_left .

# lines of a summary include what distinguishes them
run 0 --format csv --loops 2 --sizes 512 -n 20 --mix 30,70 null:
[ "$(sed -n 's/^#  .* \(mix [37]0\)$/\1/p' "$work/err" | sort | uniq -c | tr -s ' \n' ' ')" = ' 2 mix 30 2 mix 70 ' ] ||
	fail "summaries of two mixes: $(cat "$work/err")"
run 0 --format csv --loops 2 --sizes 512 -n 20 --tests read --access random,sequential null:
for order in random sequential; do
	[ "$(grep -c "^#  .* $order\$" "$work/err")" = 1 ] || fail "summaries of two orders: $(cat "$work/err")"
done

# --- a line of a summary for each size and each value of the axes, which it names
run 0 --format csv --tests read --sizes 4k,64k --access sequential --threads 1,16 --depth 1,16 -n 20 --loops 2 null:
awk '/^# summary/ { on = 1 } /^# finding/ { on = 0 }
	on { lines++; what += /  sequential, 16 threads, depth 16$/ }
	END { exit lines != 2 + 4 * 2 || what != 2 }' "$work/err" || fail "lines of summaries: $(cat "$work/err")"
