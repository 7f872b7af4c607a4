#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# --resume: rows that an interrupted run has finished are not measured again and are printed as they were,
# the others are measured; results of another plan are refused in one line that says what differs.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

cd "$work" || exit 99
mkdir d
plan='--quiet --levels 1 --width 2 -l 64k --tests write,read --sizes 512,4k,64k -n 50 --seed 7'
# resume STATUS OPTION...: of that plan
resume() {
	resume_status=$1
	shift
	# shellcheck disable=SC2086
	run "$resume_status" $plan "$@" d
	nothing_left d
}
refused() { # WHAT OPTION...
	refused_what=$1
	shift
	resume 2 "$@"
	one_line "$work/err"
	grep -q -e "$refused_what" "$work/err" || fail "$*: not said: $refused_what"
	[ ! -s "$work/out" ] || fail "$*: results although it was refused"
}

# --- all rows are there: none is measured, and each is what it was
resume 0 --label 'first, "run"' -o full.csv
resume 0 --resume full.csv -o again.csv
cmp full.csv again.csv || fail "complete rows did not stay as they were"

# --- some are missing, incomplete or had errors: only these are measured
awk -F, -v OFS=, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
	NR == 3 { next }
	NR == 5 { $at["notes"] = "incomplete" } # whatever it has
	1' full.csv >part.csv
resume 0 --resume part.csv --dry-run
grep -q '^operations: 50 per row, 100 in all$' "$work/out" && grep -q '^not measured again: 4 rows$' "$work/out" &&
	[ "$(grep -c '^row .* not measured again$' "$work/out")" = 4 ] || fail "--dry-run: $(cat "$work/out")"
resume 0 --resume part.csv -o all.csv
[ "$(wc -l <all.csv)" = 7 ] || fail "not all rows"
[ "$(cut -d, -f1 all.csv)" = "$(cut -d, -f1 full.csv)" ] || fail "rows in another order"
for line in 2 4 6 7; do
	[ "$(sed -n ${line}p all.csv)" = "$(sed -n ${line}p full.csv)" ] || fail "row $line was measured again"
done
[ "$(sed -n 3p all.csv)" != "$(sed -n 3p full.csv)" ] || fail "row 3 was not measured"
case $(sed -n 5p all.csv) in *incomplete*) fail "an incomplete row was not measured again" ;; esac

# --- killed while it wrote a record: that one does not count
head -c "$(($(head -n 4 full.csv | wc -c) - 100))" full.csv >cut.csv
resume 0 --resume cut.csv -o all.csv
[ "$(sed -n 3p all.csv)" = "$(sed -n 3p full.csv)" ] || fail "a whole record was measured again"
[ "$(sed -n 4p all.csv)" != "$(sed -n 4p full.csv)" ] || fail "half a record was taken"
[ "$(wc -l <all.csv)" = 7 ] || fail "not all rows"

# --- a real interruption: the first of two parts is done
slow='--quiet --levels 1 --width 2 -l 64k --sizes 512 --engine null --null.delay 20ms -n 50'
# shellcheck disable=SC2086
${IOSWEEP_RUN:-} "$IOSWEEP" $slow --tests write,read -o stopped.csv d >"$work/run.out" 2>"$work/run.err" &
pid=$!
on_exit "end_child $pid"
soon "no row is written" grep -q '^512,50,' stopped.csv
kill -TERM $pid
wait $pid
status=$?
case $status in 143) ;; *) fail "the interrupted run: exit status $status" ;; esac
grep -q 'incomplete' stopped.csv || fail "no row is incomplete"
# shellcheck disable=SC2086
run 0 $slow --tests write,read --resume stopped.csv -o all.csv d
[ "$(sed -n 1,2p all.csv)" = "$(sed -n 1,2p stopped.csv)" ] || fail "a complete row was measured again"
grep -q '^512,50,.*,read,' all.csv || fail "the incomplete row was not measured"
! grep -q incomplete all.csv || fail "a row is incomplete"

# --- rows with errors are measured again
run 1 --quiet --sizes 512 --tests write,read --engine null --null.error-every 2 -n 20 --seed 7 -o errors.csv d
run 0 --quiet --sizes 512 --tests write,read --engine null -n 20 --seed 7 --resume errors.csv d
awk -F, 'NR > 1 && $2 != 20 { exit 1 }' "$work/out" || fail "a row with errors was not measured again"
nothing_left d

# --- other separators, formats and columns
resume 0 --decimal , -o comma.csv
resume 0 --decimal , --resume comma.csv -o again.csv
cmp comma.csv again.csv || fail "decimal commas"
resume 0 --resume comma.csv -o point.csv
resume 0 --decimal , --resume point.csv -o again.csv
cmp comma.csv again.csv || fail "from decimal commas to points and back"
resume 0 --columns notes,rate_per_s,size_bytes --resume full.csv
[ "$(sed -n 2p "$work/out" | cut -d, -f3)" = 512 ] || fail "chosen columns"
if command -v python3 >/dev/null; then
	resume 0 --resume full.csv --format json -o csv.json
	python3 -c '
import csv, json
rows = json.load(open("csv.json"))["rows"]
for row, line in zip(rows, csv.DictReader(open("full.csv"))):
	for name, text in line.items():
		assert row[name] == (None if text == "" and row[name] is None else row[name]), name
		if text and not isinstance(row[name], str):
			assert float(text) == row[name], name
' || fail "JSON of CSV holds other values"
fi
resume 0 --format json -o full.json
if "$IOSWEEP" fit full.json >"$work/out" 2>"$work/err" || ! grep -q jansson "$work/err"; then
	resume 0 --format json --resume full.json -o again.json
	grep '^{"size_bytes"' full.json | sed 's/}[],}]*$/}/' >rows
	grep '^{"size_bytes"' again.json | sed 's/}[],}]*$/}/' | cmp - rows || fail "rows of JSON did not stay"
	grep -q '"resumed":{"file":"full.json","rows":6}' again.json || fail "not told that it was resumed"
	resume 0 --resume full.json -o json.csv
	[ "$(wc -l <json.csv)" = 7 ] || fail "not all rows"
	resume 0 --format json --resume json.csv -o again.json
	resume 0 --resume again.json -o again.csv
	cmp json.csv again.csv || fail "values change from format to format"
	line=$(grep -n '^{"size_bytes"' full.json | sed -n '4s/:.*//p')
	{ head -n "$line" full.json && sed -n "$((line + 1))p" full.json | head -c 100; } >cut.json
	resume 0 --resume cut.json -o all.csv
	[ "$(wc -l <all.csv)" = 7 ] || fail "not all rows after JSON that was cut off"
	[ "$(sed -n 1,5p all.csv)" = "$(sed -n 1,5p json.csv)" ] || fail "a whole row was measured again"
	[ "$(sed -n 6p all.csv)" != "$(sed -n 6p json.csv)" ] || fail "half a row was taken"
	refused '--seed was 7 there, and is 8 now' --resume full.json --seed 8
	refused '--sync was none there, and is end now' --resume full.json --sync end
	refused '--repetitions was 50 there, and is 60 now' --resume full.json -n 60
	# shellcheck disable=SC2086
	run 0 ${plan% --seed 7} --quiet --format json --resume full.json d # its seed
	grep -q '"seed":7[,}]' "$work/out" || fail "another seed than that of the file"
fi
resume 0 --resume full.csv
# shellcheck disable=SC2086
iosweep ${plan#--quiet} --resume part.csv d 2>&1 >/dev/null | grep -q '^# resumed: 4 of 6 rows are from part.csv$' ||
	fail "not told that it was resumed"

# --- a step with another stop is another plan
refused 'its row 1 ended after 50 operations' --resume full.csv -n 60
refused 'its row 1 ended after 50 operations' --resume full.csv -n 40
refused 'its row 4 ended after 50 operations' --resume full.csv --tests write,read:n=49
refused 'its row 1 ended after 50 operations' --resume full.csv --tests write:2s,read
resume 0 --resume full.csv --tests write:n=50,read:n=50:errors=2 -o again.csv
cmp full.csv again.csv || fail "the same stops, said in another way"
timed='--quiet --levels 1 --width 2 -l 64k --tests write:n=20,read:100ms --sizes 4k --seed 7 --engine null'
# shellcheck disable=SC2086
run 0 $timed -o timed.csv d
# shellcheck disable=SC2086
run 0 $timed --resume timed.csv -o again.csv d
cmp timed.csv again.csv || fail "rows with a time were measured again"
for stop in 30s 1ms n=10; do
	# shellcheck disable=SC2086
	run 2 $timed --resume timed.csv --tests "write:n=20,read:$stop" d
	one_line "$work/err"
	grep -q 'its row 2 ' "$work/err" || fail "read:$stop instead of read:100ms"
done
# what is bound by the places that there are is complete with fewer than -n
run 0 --quiet --tests read --access once -n 100 --sizes 4k --objects 8 -o once.csv mem:
run 0 --quiet --tests read --access once -n 100 --sizes 4k --objects 8 --resume once.csv -o again.csv mem:
cmp once.csv again.csv || fail "a row that was exhausted was measured again"
if command -v python3 >/dev/null && "$IOSWEEP" fit full.json >"$work/out" 2>"$work/err" || ! grep -q jansson "$work/err"; then
	# shellcheck disable=SC2086
	run 0 $timed --format json -o timed.json d
	for tests in write:n=20,read:110ms write:n=21,read:100ms write,read:100ms; do
		# shellcheck disable=SC2086
		run 2 $timed --format json --resume timed.json --tests $tests d
		one_line "$work/err"
		grep -q "tests was write:n=20,read:100ms there, and is $tests now" "$work/err" || fail "$tests is taken"
	done
	# shellcheck disable=SC2086
	run 0 $timed --format json --resume timed.json --tests write:n=20:errors=3,read:100ms d
fi

# --- another plan, what is no result, and what cannot be written
refused 'its row 3 has size_bytes 65536, which no row of this run has' --sizes 512,4k --resume full.csv
refused 'its row 1 has test write, which no row of this run has' --tests read --resume full.csv
refused 'its row 1 has cache cached, which no row of this run has' --cache asis --resume full.csv
refused 'its row 1 has threads 1, which no row of this run has' --threads 2 --resume full.csv
refused 'its row 1 has engine posix, which no row of this run has' --engine stdio --resume full.csv
refused 'its row 1 has align_bytes 512, which no row of this run has' --align 4k --resume full.csv
# of a team, or of another version, which had no column of them
# (counted from the end: a label has a comma)
awk -F, -v OFS=, '
	NR == 1 { for (i = 1; i <= NF; i++) behind[$i] = NF - i }
	NR > 1 { $(NF - behind["ranks"]) = 4 }
	1' full.csv >team.csv
cmp -s full.csv team.csv && fail "no ranks to change"
refused 'its row 1 has ranks 4, which no row of this run has' --resume team.csv
awk -F, -v OFS=, '
	NR == 1 { for (i = 1; i <= NF; i++) if ($i == "hosts") behind = NF - i + 1 }
	{ NF -= behind; print }' full.csv >before.csv
resume 0 --resume before.csv --dry-run
grep -q '^not measured again: 6 rows$' "$work/out" || fail "rows of an earlier version: $(cat "$work/out")"
mkdir e
# shellcheck disable=SC2086
run 2 $plan --resume full.csv e
grep -q 'its row 1 has target d, which no row of this run has' "$work/err" || fail "another target"
nothing_left e
cp full.csv kept.csv
refused 'are the same file' --resume full.csv -o full.csv
refused 'are the same file' --resume full.csv -o ./full.csv
cmp full.csv kept.csv || fail "the file was changed"
refused 'no file to continue' --resume full.csv --tests fill
refused 'is for csv and json' --resume full.csv --format table
refused 'is for csv and json' --resume full.csv --format classic
refused 'leave out --raw and --series' --resume full.csv --raw raw.csv
resume 0 --raw raw.csv -o other.csv
refused 'not raw.csv' --resume raw.csv
cut -d, -f1-10 full.csv >short.csv
refused 'it has no column notes' --resume short.csv
echo no result >text
refused 'not an iosweep result' --resume text
refused 'cannot read' --resume missing
