#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Failures are in no other figure than errors; --max-errors ends the run after exactly that many;
# tests/golden/errors.t has an invalid word for each option; and files that vanish during a run cost
# their operations, not the results.  (How failures are counted and reported: tests/golden/sweep.t.)
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all

mkdir "$work/dir"
cd "$work/dir" || exit 99

columns='--columns size_bytes,operations,errors,errors_short,notes'

# failing STATUS ARGS...: failing null operations, on 100 operations in one round per row
failing() {
	failing_status=$1
	shift
	# shellcheck disable=SC2086
	run "$failing_status" --quiet null: --tests read -n 100 --rounds 1 $columns "$@"
}

# --- operations are the successful ones, 5 of 10 in each round, and the rate includes all the time
# passed: in the best round, too, each took its own time plus that of a failed one
run 1 --quiet null: --tests read -n 110 --rounds 11 -M 2 --null.fail every:2 --null.delay 200us
awk -v sizes=2 -v tests=read -v ops=55 -f "$top_srcdir/tests/cli/check-rows.awk" <"$work/out" >&2 ||
	fail "figures of a row with failures do not agree"
rows 'op_ns_min >= 400000 && errors_s >= 0.011 && elapsed_s >= errors_s + 0.011'

# --- a limit: exactly that many in total, finished rows are printed, the rest is incomplete
failing 1 --null.fail every:10 -M 8 --max-errors 3
[ "$(awk -F, 'NR > 1 { n += $3 } END { print n }' "$work/out")" = 3 ] || fail "not 3 errors"
[ "$(tail -n +2 "$work/out" | wc -l)" -eq 3 ] || fail "rows are missing"
[ "$(grep -c incomplete "$work/out")" -eq 3 ] || fail "cut rows are not called incomplete"
grep -q '^iosweep: 3 operations failed; ' "$work/err" || fail "failures not told"
grep -q -e '--max-errors' "$work/err" || fail "the reason for the end is not told"
# a row finished earlier is unchanged
failing 1 --null.fail every:60 -M 2 --tests write,read --max-errors 2
[ "$(grep -c incomplete "$work/out")" -eq 1 ] || fail "a finished row is called incomplete"
# threads share the limit
failing 1 --null.fail every:5 -M 2 --threads 4 --max-errors 3
errors=$(awk -F, 'NR > 1 { n += $3 } END { print n }' "$work/out")
if [ "$errors" -lt 3 ] || [ "$errors" -gt 6 ]; then # each of the 4 may have one in progress
	fail "4 threads: $errors errors for a limit of 3"
fi

# --- every option with a word refuses one in a transcript, except those that accept any text
iosweep --help all | sed -n 's/^  *\(-.,\)* *\(--[a-z0-9._-]*\) [A-Z].*/\2/p' >"$work/options"
[ "$(wc -l <"$work/options")" -ge 25 ] || fail "options in --help not found"
while read -r option; do
	case $option in
	--label) continue ;;
	--io_uring.*) # of an optional engine
		refuses 2 '' "$option" often --engine io_uring .
		continue
		;;
	esac
	short=$(iosweep --help all | sed -n "s/^  \\(-[a-zA-Z]\\), $option .*/\\1/p")
	grep -q -e "^\$ iosweep $option " ${short:+-e "^\$ iosweep $short "} "$top_srcdir/tests/golden/errors.t" ||
		fail "$option has no word that is refused in tests/golden/errors.t"
done <"$work/options"

# --- an option used by one of several sets of axes is not a mistake
printf '%s\n' '--sizes 4k -n 2 --levels 1 --width 2 -l 64k' '--tests write' '--tests read,create' >lines
for arguments in '--readahead none' '--access once'; do
	# shellcheck disable=SC2086
	run 0 --quiet @./lines $arguments .
done
rm lines

# --- a system call filter that returns EPERM for a newer call is not a missing permission
if [ -z "${IOSWEEP_RUN:-}" ] && command -v strace >/dev/null && strace -o "$work/trace" true 2>/dev/null; then
	IOSWEEP_RUN="env LSAN_OPTIONS=detect_leaks=0 ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
		strace -f -qq -o $work/trace -e trace=faccessat2 -e inject=faccessat2:error=EPERM"
	run 0 --quiet --levels 1 --width 4 -l 64k --tests read -n 1 -M 2 .
	# writes that never move anything are short ones, and the run ends; the first of f0 fills it
	while read -r engine test file call first; do
		IOSWEEP_RUN="env LSAN_OPTIONS=detect_leaks=0 ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
			strace -f -qq -o $work/trace -P $PWD/iosweep-none/$file -e trace=$call -e inject=$call:retval=0:when=$first+"
		run 1 --quiet -s -l 64k --run-name none --engine $engine --tests $test --cache cached --sizes 4k -n 10 .
		grep -q 'fewer bytes than asked; the first: .* 0 of 4096 bytes' "$work/err" || fail "$engine $test: another cause"
	done <<-END
		posix write f0 write 2
		pread write f0 pwrite64 1
		stdio write f0 write 2
		posix append new/t0/n3 write 1
		posix create new/t0/n3 write 1
	END
	IOSWEEP_RUN=
fi

# --- files vanish during a run
run 0 --quiet --keep --levels 1 --width 4 -l 64k --tests read -n 1 -M 2 .
# vanish SECONDS: moves the files away while two such rows are measured, and back afterwards
vanish() {
	: >"$work/err"
	iosweep -r --time "$1s" --max-errors 0 --sizes 512,4k . >"$work/out" 2>"$work/err" &
	child=$!
	soon "the run does not begin" grep -q '^# work: ' "$work/err" # measuring begins now
	sleep 0.5
	mkdir "$work/away" && mv iosweep-*/f[0-3] "$work/away" || fail "mv"
	wait $child
	status=$?
}
# If rows have no operations before or after that moment, the machine was too busy: retry.
for seconds in 1 4 16 32; do
	vanish $seconds
	[ -n "$(by_name 'operations < 1 || errors < 1')" ] || break
	mv "$work/away"/f[0-3] iosweep-*/ && rmdir "$work/away" || fail "mv"
done
[ $status = 1 ] || fail "files vanished: status $status, not 1"
[ "$(wc -l <"$work/out")" -eq 3 ] || fail "files vanished: not two rows"
rows 'operations >= 1 && errors >= 1'
[ "$(grep -c '^iosweep: ' "$work/err")" -eq 1 ] || fail "files vanished: not one line"
grep -Eq '^iosweep: [0-9]+ operations failed; the first: cannot open .*f[0-3]: No such file' \
	"$work/err" || fail "files vanished: reason not told"
run 0 clean --quiet .
nothing_left .

# --- the default columns in JSON (with those of a group: golden/sweep.t)
run 0 --quiet --format json --columns default --tests read --sizes 4k -n 4 null:
! grep -q open_ns_mean "$work/out" || fail "--columns default in JSON shows more"
