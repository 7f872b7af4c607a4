#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# sigint.sh - a run may be interrupted at any moment: nothing stays in the target, the output has
# complete rows, the exit status reflects the signal. What a killed run leaves is removed by
# `iosweep clean`: exactly what its manifest names. (Not while the run is alive: tests/life.)
# shellcheck disable=SC2086
# (no quotes: $small and $IOSWEEP_RUN are lists of words)
: "${top_srcdir:?run the tests with make check}"
# shellcheck source=tests/cli/lib.sh
. "$top_srcdir/tests/cli/lib.sh"
row_columns=all
need timeout xargs awk

small="--cache cached -l 1Mi --levels 2" # 16 files; a default sweep of them takes far longer than 2 s
mkdir "$work/target"

# Background tests have SIGINT ignored, which the program would keep.
allow=
env --default-signal=INT,QUIT,HUP true 2>/dev/null && allow="env --default-signal=INT,QUIT,HUP"
for signal in INT QUIT HUP; do
	# shellcheck disable=SC2016
	$allow sh -c 'kill -'$signal' $$; exit 7' 2>/dev/null
	[ $? != 7 ] || skip "SIG$signal is ignored here"
done
export allow

# --- one interrupted run, as a separate script, because several run concurrently. xargs starts
# them: a shell's background job, and the program in it, would ignore SIGINT.

cat >"$work/case" <<'CASE'
signal=$1 delay=$2 status=$3
name=$signal-$delay
fail() { echo "$name: $*"; head -5 "$name.err"; exit 0; }
mkdir "$name.dir"
if [ "$delay" = begun ]; then # while measuring rows, however long it takes to get there
	$allow ${IOSWEEP_RUN:-} "$IOSWEEP" $small -o "$name.csv" "$name.dir" >"$name.out" 2>"$name.err" </dev/null &
	until [ -s "$name.csv" ] || ! kill -0 $!; do
		sleep 0.1
	done
	kill -s "$signal" $!
	wait $!
else
	# --foreground: one signal, to the program only.
	timeout --foreground -k 120 --preserve-status -s "$signal" "$delay" $allow ${IOSWEEP_RUN:-} "$IOSWEEP" \
		$small -o "$name.csv" "$name.dir" >"$name.out" 2>"$name.err" </dev/null
fi
got=$?
[ "$got" = "$status" ] || fail "exit status $got, not $status"
[ -z "$(ls -A "$name.dir")" ] || fail "left behind: $(ls -A "$name.dir")"
[ ! -s "$name.out" ] || fail "data on standard output in spite of -o"
[ "$(wc -l <"$name.err")" -le 20 ] || fail "standard error is not short"
[ -s "$name.err" ] || { # the signal came before the program could handle it
	[ ! -s "$name.csv" ] || fail "results, but not a word"
	exit 0
}
tail -1 "$name.err" | grep -q '^iosweep: interrupted; ' || fail "the last line does not say so"
[ -s "$name.csv" ] || [ "$delay" = begun ] || exit 0 # still filling
awk -F, -v header="$header" '
	NR == 1 { if ($0 != header) bad = "header: " $0; fields = NF
		for (i = 1; i <= NF; i++) column[$i] = i; next }
	NF != fields { bad = "a row of " NF " fields: " $0 }
	{ rest = $column["notes"] ~ /(^|;)incomplete(;|$)/; incomplete += rest }
	!rest && $column["rounds"] < 11 { bad = "closed too early: " $0 }
	END {
		if (bad == "" && NR != 25) bad = NR - 1 " rows, not 24"
		if (bad == "" && !incomplete) bad = "no row is incomplete"
		if (bad != "") { print bad; exit 1 }
		print incomplete > "/dev/stderr"
	}' "$name.csv" >"$name.why" 2>"$name.rest" || fail "$(cat "$name.why")"
CASE

header=$("$IOSWEEP" -n 1 -M 2 --quiet --format csv null: | head -1)
[ -n "$header" ] || fail "no header"
export small header

# 36 moments from a fixed generator, most of them early, where states change often.
awk 'BEGIN {
	split("INT 130 TERM 143 INT 130 TERM 143 HUP 129 QUIT 131", of, " ")
	for (seed = 20240607; n < 36; n++) {
		seed = seed * 16807 % 2147483647
		u = seed / 2147483647
		printf "%s %.4f %s\n", of[n % 6 * 2 + 1], 0.002 + 2 * u * u, of[n % 6 * 2 + 2]
	}
}' >"$work/moments"
printf '%s begun %s\n' TERM 143 HUP 129 >>"$work/moments"
[ -z "$allow" ] || printf '%s begun %s\n' INT 130 QUIT 131 >>"$work/moments"
(cd "$work" && xargs -P 4 -n 3 sh case <moments) >"$work/failures" 2>&1
[ ! -s "$work/failures" ] || fail "$(cat "$work/failures")"
[ "$(cd "$work" && echo ./*.dir | wc -w)" = "$(wc -l <"$work/moments")" ] || fail "not all moments were tried"
[ "$(cat "$work"/*-begun.rest | wc -l)" -ge 2 ] || fail "no run got as far as to its rows"

# begin ARGS...: in the background, as $pid
begin() {
	: >"$work/out"
	$allow ${IOSWEEP_RUN:-} "$IOSWEEP" --cache cached --columns all "$@" >"$work/out" 2>"$work/err" </dev/null &
	pid=$!
	on_exit "end_child $pid"
}
file_there() { # NAME: in the run's directory
	[ -e "$(echo "$work"/target/iosweep-*/"$1")" ]
}

# --- two signals within microseconds (timeout(1) sends them so) count as one

for signal in INT TERM; do
	[ -n "$allow" ] || [ $signal = TERM ] || continue
	begin $small --quiet "$work/target"
	soon "the run does not begin" test -s "$work/out"
	kill -s $signal $pid $pid
	wait $pid
	case $? in 130 | 143) ;; *) fail "$signal twice: exit status" ;; esac
	nothing_left "$work/target"
	one_line "$work/err"
done

# --- while a large set is filled

free_kib=$(df -Pk "$work" | awk 'NR == 2 { print $4 }')
if [ "$free_kib" -gt 6000000 ]; then
	begin -l 32Mi --quiet "$work/target"
	soon "nothing is filled" file_there d0/d0/f1
	kill -TERM $pid
	wait $pid
	status=$?
	[ $status = 143 ] || fail "while filling: exit status $status"
	nothing_left "$work/target"
	if [ -s "$work/out" ]; then
		echo "not tried: interrupting while 2 GiB are filled, it was over before"
	fi
	one_line "$work/err"
else
	echo "not tried, too little space: interrupting while 2 GiB are filled"
fi

# --- a second signal during a clean-up that hangs ends the program; clean finishes it

if command -v strace >/dev/null && strace -f -o "$work/trace" true 2>/dev/null; then
	LSAN_OPTIONS=detect_leaks=0 strace -f -o "$work/trace" -e trace=unlinkat -e inject=unlinkat:delay_enter=500000 \
		"$IOSWEEP" $small --quiet "$work/target" >"$work/out" 2>"$work/err" &
	tracer=$!
	soon "no test files appear" file_there d3/f3
	pid=$(cat /proc/$tracer/task/$tracer/children 2>/dev/null)
	if [ -n "$pid" ]; then
		kill -TERM $pid
		sleep 1.6
		kill -TERM $pid
		wait $tracer
		status=$?
		[ $status = 143 ] || fail "second signal: exit status $status"
		grep -q 'iosweep clean' "$work/err" || fail "second signal: no word of iosweep clean"
		[ -e "$(echo "$work"/target/iosweep-*/MANIFEST-1)" ] || fail "the clean-up was not cut short"
		run 0 clean "$work/target"
		nothing_left "$work/target"
	else
		kill -TERM $tracer
		wait $tracer
		iosweep clean "$work/target" 2>/dev/null
		echo "not tried, the kernel lists no children: second signal"
	fi
else
	echo "not tried, no strace: second signal"
fi

# --- kill -9

killed_run() { # kills a run with all its files; its directory in $left
	begin $small --quiet "$work/target"
	soon "the run does not begin" test -s "$work/out" # the header: all files exist
	kill -KILL $pid
	wait $pid
	[ $? = 137 ] || fail "kill -9: exit status"
	left=$(echo "$work"/target/iosweep-*)
	[ -d "$left" ] || fail "kill -9: what is left: $left"
}

mkdir "$work/target/iosweep-foreign" "$work/target/mine"
echo foreign >"$work/target/iosweep-foreign/file"
echo mine >"$work/target/mine/file"
echo mine >"$work/target/iosweep-notes"
mv "$work/target" "$work/keep"
mkdir "$work/target"

killed_run
[ -e "$left/d3/f3" ] || fail "the header came before the files"
run 0 clean "$work/target"
nothing_left "$work/target"
grep -q ': 16 files, 16 MiB of 1 run removed in ' "$work/err" || fail "clean does not say what it did"

# Foreign files in it stay and are named, and everything else is removed.
killed_run
echo foreign >"$left/foreign"
echo foreign >"$left/d1/foreign"
echo outside >"$work/outside"
rm "$left/d0/f0" "$left/d2/f1"
ln -s "$work/outside" "$left/d0/f0"
mkdir "$left/d2/f1"
cp -R "$work/keep/." "$work/target"
run 3 clean "$work/target"
# one of them, in the order of the directories
grep -Eq 'not made by iosweep: .*/(foreign|d1/foreign|d0/f0|d2/f1);' "$work/err" ||
	fail "what is foreign is not named"
[ "$(cat "$left/foreign" "$left/d1/foreign" | tr '\n' ' ')" = "foreign foreign " ] ||
	fail "a foreign file is gone"
[ "$(cat "$work/outside")" = outside ] || fail "a link was followed"
[ -d "$left/d2/f1" ] || fail "a foreign directory is gone"
(cd "$left" && find . ! -type d) | sed 's/-[0-9]*$//' | sort -u >"$work/files"
printf './MANIFEST\n./d0/f0\n./d1/foreign\n./foreign\n' | cmp -s - "$work/files" ||
	fail "left in the run: $(cat "$work/files")"
rm "$left/foreign" "$left/d1/foreign" "$left/d0/f0"
rmdir "$left/d2/f1"
run 3 clean "$work/target" # the directory iosweep-foreign has no manifest
[ ! -e "$left" ] || fail "not finished by a second clean: $(find "$left")"
grep -q 'left in place: .*/iosweep-foreign' "$work/err" || fail "iosweep-foreign is not named"
diff -r "$work/keep" "$work/target" >&2 || fail "clean touched what is not its own"
rm -r "$work/target"
mkdir "$work/target"

# Killed at any moment of its start, too: in mkdir, manifest, filling.
for delay in 0.001 0.002 0.003 0.004 0.005 0.007 0.010 0.020; do
	timeout --foreground --preserve-status -s KILL $delay ${IOSWEEP_RUN:-} "$IOSWEEP" $small --quiet \
		"$work/target" >"$work/out" 2>"$work/err"
	run 0 clean "$work/target"
	nothing_left "$work/target"
done

# --- interrupted threads end one after the other, each after its current operation: the time of the
# row is not that of the last of them. (Before the window there are no figures.) On a busy machine
# threads sometimes miss a moment, but not each time.
whole_row() {
	timeout --foreground -k 120 -s INT 2 $allow "$IOSWEEP" --format csv --sizes 4k --tests read \
		--columns operations,in_flight_mean --threads 8 --time 20s --null.delay 'mix:19x20ms,1x400ms' null: \
		>"$work/cut.csv" 2>"$work/cut.err" </dev/null
	by_name 'operations > 0 && in_flight_mean < 7.9 { print; bad = 1 } END { exit bad }' "$work/cut.csv"
}
bad=0
for try in 1 2 3 4 5 6 7 8; do
	if whole_row; then
		[ $((try - bad)) -lt 2 ] || break
	else
		bad=$((bad + 1))
	fi
done
[ $((try - bad)) -ge 2 ] || fail "threads are missing in an interrupted row"
