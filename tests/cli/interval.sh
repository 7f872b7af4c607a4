#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# A time series (--interval) neither omits nor invents anything: its sums are those of the rows, its
# records are on time whatever the storage does, with their real length, including the last; a stall
# shows while it lasts; and the sentence at the end agrees with the records.
# shellcheck disable=SC2086 # lists of words
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all
# shellcheck source=tests/cli/trace.sh
. "$top_srcdir/tests/cli/trace.sh"
need awk

mkdir "$work/dir"
cd "$work/dir" || exit 99
series=$work/series.csv
small='-l 64k --levels 2 --width 2'

# --- sums over all records = sums over all rows, with -n. Errors too, with threads, with a schedule
# and with other options that affect the loops.

# sums [RECORDS]: compares $series, of at least this many records, with $work/out, whose columns are
# size_bytes,operations,errors,test; records must follow each other without gaps.
sums() {
	awk -F, -v want_records="${1:-1}" '
	NR == FNR && FNR > 1 {
		bytes += $1 * $2; operations += $2; errors += $3
		of[$4] += $2
	}
	NR == FNR { next }
	FNR == 1 { next }
	{
		if ($1 != last_s) records++ # records of one interval belong together
		seen_bytes += $6; seen_operations += $5; seen_errors += $10
		if ($1 != last_s) before_s = last_s
		if ($1 - before_s - $2 > 1e-6 || $2 - ($1 - before_s) > 1e-6) fault = "a gap before " $0
		if ($2 <= 0) fault = "no length: " $0
		last_s = $1
		in_flight = $9
		if ($14 > $2 + 1e-6) fault = "preparing for longer than it took: " $0
		if ($13 > 0 && $5 > 0) {
			if ($7 - $5 / $13 > 1 + $7 * 1e-3 || $5 / $13 - $7 > 1 + $7 * 1e-3) fault = "rate of " $0
			if ($8 - $6 / $13 > 1 + $8 * 1e-3 || $6 / $13 - $8 > 1 + $8 * 1e-3) fault = "throughput of " $0
			if ($6 != $5 * $19) fault = "bytes of " $0
			if ($26 > $11 || $11 > $12 + 1) fault = "latencies of " $0
		}
		if ($15 != "") {
			row_operations[$15] += $5; row_errors[$15] += $10; row_busy[$15] += $13
			if ($23 != row_operations[$15] + row_errors[$15]) fault = "finished, of " $0
			if ($22 != $23 + $9) fault = "started, of " $0
			rate = row_busy[$15] > 0 ? row_operations[$15] / row_busy[$15] : 0
			if ($24 - rate > 1 + rate * 1e-3 || rate - $24 > 1 + rate * 1e-3) fault = "rate in all of " $0
		}
		if ($5 > 0 && ($11 <= 0 || $11 > $12 + 1)) fault = "latencies of " $0
		if ($5 == 0 && $11 $12 != "") fault = "latency of nothing: " $0
		if ($5 > 0 && $3 == "") fault = "operations of no part: " $0
		if ($3 != "" && !($3 in of)) fault = "test of " $0
	}
	END {
		if (NR - records < 3) fault = "no rows"
		if (records < want_records) fault = records " records"
		if (in_flight != 0) fault = "in flight at the end: " in_flight
		if (seen_operations != operations || seen_operations + seen_errors == 0)
			fault = "operations: " seen_operations " in records, " operations " in rows"
		if (seen_bytes != bytes) fault = "bytes: " seen_bytes " in records, " bytes " in rows"
		if (seen_errors != errors) fault = "errors: " seen_errors " in records, " errors " in rows"
		if (fault != "") { print fault; exit 1 }
	}' "$work/out" "$series" >&2 || fail "records do not add up to the rows: $arguments"
}
# added STATUS ARGS...: runs with a series and compares
added() {
	added_status=$1
	shift
	arguments=$*
	run "$added_status" --quiet --columns size_bytes,operations,errors,test --interval 10ms \
		--series "$series" "$@"
	sums
}
added 0 null: --sizes 512,4k -n 200000
added 0 null: --sizes 512,4k -n 30001 --threads 1,3
added 1 null: --sizes 4k -n 30001 --threads 2 --null.fail every:7 --max-errors 0
added 0 null: --sizes 4k -n 50 --rate 500
{
	added 0 . $small --sizes 3,4k -n 500 --threads 2
	added 0 . $small --sizes 4k -n 500 --keep-open
	added 0 . $small --sizes 4k -n 300 --verify
	added 0 . $small --sizes 4k -n 300 --cache uncached
	iosweep help engines >"$work/engines"
	for engine in stdio io_uring libaio; do
		grep -q "^$engine " "$work/engines" || continue
		if sed -n "/^$engine /,/^[a-z]/p" "$work/engines" | sed 1d | sed '/^[a-z]/d' |
			grep -q 'not usable'; then
			echo "not tried: engine $engine, not usable here"
			continue
		fi
		added 0 . $small --engine $engine --sizes 4k -n 2000 --threads 2
		[ $engine = stdio ] || added 0 . $small --engine $engine --sizes 4k -n 3000 --depth 8
		[ $engine = stdio ] || added 0 . $small --engine $engine --sizes 4k -n 300 --depth 4 --verify
		[ $engine = stdio ] || added 0 . $small --engine $engine --sizes 4k -n 100 --depth 4 --rate 1000
	done
}
nothing_left .

# --- whatever a row leaves out, its records equal the row in operations, errors and time; and
# warm-up is in records without a row
if command -v python3 >/dev/null; then
	printf '' >"$work/warm"
	# same ARGS...
	same() {
		arguments=$*
		# no row reaches --max-errors
		${IOSWEEP_RUN:-} "$IOSWEEP" --quiet --format json --interval 20ms --time 0.3s --max-errors 0 "$@" \
			>"$work/out" 2>"$work/err" </dev/null || [ $? = 1 ] || fail "status of $arguments: $(cat "$work/err")"
		python3 - "$work/out" >>"$work/warm" <<-'END' || fail "records are not the row: $arguments"
		import records, sys
		run = records.load(sys.argv[1])
		for number, row in enumerate(run["row"], 1):
		    own = [record for record in run["interval"] if record["row"] == number]
		    for name in "operations", "errors":
		        total = sum(record[name] for record in own)
		        assert total == row[name], (number, name, total, row[name])
		    total = sum(round(record["busy_s"] * 1e9) for record in own)
		    assert total == round(row["time_s"] * 1e9), (number, total, row["time_s"])
		print(sum(record["operations"] for record in run["interval"] if record["row"] is None))
		END
	}
	same null: --tests read,write --sizes 4k,64k --threads 2 --null.delay mix:9x100us,1x5ms
	same null: --tests read --sizes 4k --threads 2 --depth 16 --null.fail every:7
	same null: --tests read,write --mix 70 --sizes 4k --threads 3
	same null: --tests read --sizes 4k --threads 2 --rate 300 --null.delay 10ms
	same mem: --tests create,read,delete --sizes 4k --depth 4 --mem.delay 300us
	same . $small --tests write,read --sizes 4k --cache cached,uncached --threads 2
	same . $small --tests write,read --sizes 64k --call-size 4k --verify
	awk '{ all += $1 } END { exit !all }' "$work/warm" || fail "warm-up is not seen"
fi

# --- 4 records per second, on time, with the names of what is measured. A busy machine may miss
# some: then they are missing, and the next record is longer. Hardly in each run.
for _ in 1 2 3 4 5; do
	run 0 --quiet null: --null.delay 1ms --tests read --sizes 4k --time 1s --interval 0.25s \
		--series "$series" --cache direct
	! awk -F, 'FNR > 2 && last - 0.25 * int(last / 0.25 + 1e-6) < 0.1 { on_time = 1 }
		FNR > 1 { last = $1 } END { exit !on_time }' "$series" || break
done
awk -F, '
	FNR == 1 || $1 == end_s { next } # warm-up and counted operations of one interval
	n > 0 { # the previous one was not the last
		moment = int(end_s / 0.25 + 1e-6)
		if (moment <= last) fault = "two records for one moment: " end_s
		missed += moment - last - 1
		in_time += end_s - moment * 0.25 < 0.1
		last = moment
	}
	{ n++; end_s = $1; if ($3 != "read" || $4 != "direct") fault = $0 }
	END {
		if (end_s < 0.9) fault = "covers " end_s " s"
		if (!in_time) fault = "no record in time"
		if (n + missed < end_s * 4 - 1 || n + missed > end_s * 4 + 1)
			fault = n " records in " end_s " s, " missed " missed"
		if (fault != "") { print fault; exit 1 } }' "$series" >&2 || fail "not 4 records per second"

# --- a stall shows while it lasts: none completed, one in flight; then the latency shows it
run 0 --quiet null: --null.delay 800ms --tests read --sizes 4k -n 2 --interval 50ms --series "$series"
awk -F, 'FNR > 1 && $5 == 0 && $9 == 1 && $3 == "read" && $13 > 0.9 * $2 { stalled++ }
	FNR > 1 && $5 > 0 { seen += $5; if ($12 < 800000000) fault = $0 }
	END {
		if (stalled < 2) fault = stalled + 0 " records of a stall"
		if (seen != 2) fault = seen + 0 " operations"
		if (fault != "") { print fault; exit 1 } }' "$series" >&2 || fail "the stall is not seen"
# a call that hangs
if can_trace && strace -o /dev/null -e trace=none -e inject=pread64:delay_enter=1 true 2>/dev/null; then
	trace_delay="-e trace=pread64,memfd_create $no_reference -e inject=pread64:delay_enter=1000000:when=20"
	ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" strace -f -o /dev/null $trace_delay \
		"$IOSWEEP" --quiet $small --engine pread --tests read --sizes 4k -n 60 --interval 50ms \
		--series "$series" --columns size_bytes,operations,errors,test . \
		>"$work/out" 2>"$work/err" </dev/null || fail "status $? with a slow read"
	sums 4
	awk -F, 'FNR > 1 && $5 == 0 && $9 == 1 { stalled++ }
		END { exit stalled < 2 }' "$series" || fail "a read that hangs is not seen"
else
	echo "not tried: a read that hangs, strace cannot be used"
fi

# --- the sentence at the end agrees with the records
run 0 null: --null.delay 2ms --tests read --sizes 4k --time 2s --interval 0.1s --series "$series"
awk -F, '
	function number(text, unit) { return text * (unit ~ /^M/ ? 1000000 : unit ~ /^k/ ? 1000 : 1) }
	function near(a, b) { return a - b <= 0.006 * b + 0.006 && b - a <= 0.006 * b + 0.006 }
	FILENAME == ARGV[1] && /^# intervals: / {
		found++
		split($0, word, /[ ,;]+/)
		idle = word[3] + 0; all = word[5]; left = word[8] + 0
	}
	FILENAME == ARGV[1] && /^#   rate / {
		split($0, word, /[ ,;]+/)
		lowest = number(word[3], word[4]); highest = number(word[6], word[7])
		mean = number(word[9], word[10]); spread = number(word[12], word[13])
	}
	FILENAME == ARGV[1] && /^#   throughput / {
		split($0, word, /[ ,;]+/)
		lowest_bytes = number(word[3], word[4]); highest_bytes = number(word[6], word[7])
		mean_bytes = number(word[9], word[10]); spread_bytes = number(word[12], word[13])
	}
	FILENAME == ARGV[1] || FNR == 1 { next }
	$15 == "" { next }
	{ count++; none += ($5 == 0) }
	taken { rate[++n] = taken_rate; operations[n] = taken_operations; length_s[n] = taken }
	{ taken = 0 }
	$14 > $2 / 100 || $13 < most_s / 4 { next } # preparing, or too short
	{ taken = $13; taken_rate = $7; taken_operations = $5; last_s = $2; if ($13 > most_s) most_s = $13 }
	END {
		if (taken && last_s >= 0.1) { rate[++n] = taken_rate; operations[n] = taken_operations; length_s[n] = taken }
		for (i = 1; i <= n; i++) {
			sum += rate[i]; sum_operations += operations[i]; sum_s += length_s[i]
			if (i == 1 || rate[i] < low) low = rate[i]
			if (i == 1 || rate[i] > high) high = rate[i]
		}
		for (i = 1; i <= n; i++) squares += length_s[i] * (rate[i] - sum_operations / sum_s) ^ 2
		if (found != 1) fault = found + 0 " sentences"
		if (!near(lowest, low)) fault = "lowest " lowest ", not " low
		if (!near(highest, high)) fault = "highest " highest ", not " high
		if (!near(mean, sum_operations / sum_s)) fault = "mean " mean ", not " sum_operations / sum_s
		if (!near(spread, sqrt(squares / sum_s * n / (n - 1)))) fault = "spread " spread ", not " sqrt(squares / sum_s * n / (n - 1))
		if (!near(lowest_bytes, 4096 * low) || !near(highest_bytes, 4096 * high) ||
			!near(mean_bytes, 4096 * sum_operations / sum_s) ||
			!near(spread_bytes, 4096 * sqrt(squares / sum_s * n / (n - 1)))) fault = "throughput"
		if (left != count - n) fault = left " left out, not " count - n
		if (idle != none || all != count) fault = idle " of " all ", not " none " of " count
		if (fault != "") { print fault; exit 1 }
	}' "$work/err" "$series" >&2 || fail "the sentence and the records differ"
! grep -q ' flight ' "$work/err" || fail "--series FILE, and lines on standard error all the same"

# --- p99 of each record is between its mean and its maximum
run 0 --quiet null: --null.delay mix:95x0,5x1ms --tests read --sizes 4k --time 0.6s --interval 0.1s \
	--series "$series"
by_name 'operations > 0 { n++
		# one in twenty takes at least 1 ms; buckets are accurate to 1 %
		if (latency_ns_p99 == "" || latency_ns_p99 > latency_ns_max || latency_ns_p99 < latency_ns_min) bad = 2
		if (operations >= 200 && latency_ns_p99 < 990000) bad = 3 }
	operations == 0 && latency_ns_p99 != "" { bad = 4 }
	END { exit bad ? bad : n < 2 }' "$series" || fail "p99 of records ($?): $(cut -d, -f5,11,12,26,33 "$series")"

# --- lines for users, standard output stays data; --series alone is one per second
run 0 null: --null.delay 5ms --tests read --sizes 4k -n 3200 --depth 16 --interval 50ms --columns operations
[ "$(tail -n +2 "$work/out")" = 3200 ] || fail "records in the results"
[ "$(grep -c '^# .* read *4KiB *16 .*B/s .*B/s .*ms' "$work/err")" -ge 2 ] || fail "no lines"
grep -q '^# .*time UTC .* flight .* done .* now .* total .* mean .* p99 .* max' "$work/err" || fail "no heading"
awk '{ sub(/  (preparing for|in) .*/, "") }
	/^# [0-9:]+ read|^# .* in .* throughput .* latency$|^# .* flight .* done |^# intervals|^#   (rate|throughput) / {
		n++; wide += length > 80 } END { exit n < 7 || wide }' "$work/err" || fail "lines are wider than a terminal"
grep -q '^# intervals: ' "$work/err" || fail "no sentence at the end"
run 0 --quiet null: --null.delay 50ms --tests read --sizes 4k -n 3 --series "$series"
awk -F, 'FNR > 1 { end_s = $1 } END { exit FNR < 2 || FNR - 1 > end_s + 1 }' "$series" ||
	fail "--series alone: not one record per second: $(cat "$series")"
[ ! -s "$work/err" ] || fail "--quiet and --series: something on standard error"

# --- with several engines or targets, lines name them
mkdir one two
run 0 $small --tests read --sizes 4k -n 100 --engine posix,pread --interval 1s one two
for whose in 'one, posix' 'two, posix' 'one, pread' 'two, pread'; do
	grep -q "^# .* read *4KiB .*  $whose" "$work/err" || fail "no line of $whose"
done
run 0 $small --tests read --sizes 4k -n 100 --threads 1,2 --cache asis,cached --interval 1s one
for what in '1 x 1, asis' '2 x 1, asis' '1 x 1, cached' '2 x 1, cached'; do
	grep -q "^# .* read *4KiB .*  $what" "$work/err" || fail "no line of $what"
done
run 0 $small --tests read --sizes 4k -n 100 --interval 1s one
! grep -q '^# .* read *4KiB .*one' "$work/err" || fail "one target, and it is named in each line"
rmdir one two || fail "left behind"

# --- the heading is repeated every 20 lines, with the date; and the time of day
run 0 null: --null.delay 2ms --tests read --sizes 4k --time 0.6s --interval 20ms
lines=$(grep -c '^# [0-9][0-9]:[0-9][0-9]:[0-9][0-9] read ' "$work/err")
[ "$(grep -c '^# 20[0-9][0-9]-[0-9][0-9]-[0-9][0-9] *in *throughput *latency' "$work/err")" -ge 1 ] || fail "no date"
[ "$(grep -c '^#.* flight .* done ' "$work/err")" -ge $(((lines + 19) / 20)) ] || fail "headings"

# --- each record belongs to one row, or to operations that count in none, which may take long
run 0 --quiet . -l 8M --levels 2 --width 4 --tests read --sizes 4k,64k --time 0.3s --interval 10ms \
	--series "$series"
awk -F, 'FNR > 1 && $15 != "" && $5 > 0 { seen[$19 "," $20 "," $21 "," $17 "," $16]++ }
	END { for (one in seen) n++
		if (n != 2) print n " rows"; exit n != 2 }' "$series" >&2 || fail "rows are not told apart"

# --- other separators and marks; and the document
run 0 --quiet null: -n 100 --sizes 4k --series "$series" --separator ';' --decimal ,
grep -q '^[0-9]*,[0-9]*;0,[0-9]*;read;cached;100;409600;' "$series" || fail "German: $(cat "$series")"
if command -v python3 >/dev/null; then
	run 0 --quiet null: -n 20000 --sizes 4k --interval 10ms --series "$series" --format json
	python3 - "$work/out" "$series" <<-'END' || fail "the document and the file differ"
	import csv, records, sys
	document = records.load(sys.argv[1])["interval"]
	lines = list(csv.DictReader(open(sys.argv[2], newline="")))
	assert len(document) == len(lines) > 0
	for one, other in zip(document, lines):
	    assert one.pop("record") == "interval" and list(one) == list(other)
	    for name, value in one.items():
	        text = other[name]
	        assert (value is None and text == "") or value == (text if name in ("test", "cache", "target", "engine") else float(text))
	END
fi

# --- an interrupted run writes its last record
: >"$work/err"
${IOSWEEP_RUN:-} "$IOSWEEP" null: --null.delay 1ms --tests read --sizes 4k --time 1h --interval 1h \
	--series "$series" >"$work/out" 2>"$work/err" </dev/null &
pid=$!
on_exit "end_child $pid"
soon "the run does not begin" grep -q '^# work: ' "$work/err"
sleep 1
kill -TERM $pid
wait $pid
status=$?
[ $status = 143 ] || fail "interrupted: status $status"
awk -F, '$15 == 1 && $2 > 0 && $2 < 600 && $5 > 0 { found++ } END { exit found != 1 || NR > 3 }' "$series" ||
	fail "interrupted: $(cat "$series")"
nothing_left .

# --- a reader that stops reading does not prevent the run from ending
mkfifo "$work/fifo" || fail "mkfifo"
# shellcheck disable=SC2217 # it holds the pipe open
sleep 800 <"$work/fifo" &
reader=$!
on_exit "end_child $reader"
head -c 64000 /dev/zero >"$work/fifo" # little less than a pipe's capacity
mkdir "$work/files"
for option in --series --verbose; do
	case $option in
	--verbose)
		set -- --verbose
		exec 7>"$work/fifo" # messages are not read
		;;
	*)
		set -- --series "$work/fifo"
		exec 7>/dev/null
		;;
	esac
	timeout -s TERM -k 120 --preserve-status 3 ${IOSWEEP_RUN:-} "$IOSWEEP" --cache cached "$@" --interval 10ms --tests read \
		-s -l 64k --sizes 4k --time 1h "$work/files" >/dev/null 2>&7 </dev/null
	status=$?
	exec 7>&-
	[ $status = 143 ] || fail "$option, nobody reads: status $status"
	nothing_left "$work/files"
done
