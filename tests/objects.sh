# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154
# objects.sh - what tests with real object services of any kind share, on top of tests/cli/lib.sh;
# sourced by the lib.sh of each, which sets $target, $endpoint where targets need one, and
#     stored list|put|get|delete ...  a client that shares nothing with iosweep; `list PREFIX` prints
#                              size and key of each object, sorted
# Gives
#     sweep STATUS ARGS...     iosweep with rows in $work/out, what it says in $work/err
#     count_rows               their number in $work/out
#     sum COLUMN               over all rows
#     finished NUMBER          that many rows, the first, are whole: operations, no errors, not incomplete
#     check_rows SIZES TESTS [OPERATIONS]
#     say TEXT...              what has been passed, for the log
#     not_tried PART REASON    a part that cannot be tested here: counted as skipped
#     errors_are_one_line      on standard error: one line, which begins with the program's name
#     one_error REGEX          ... and says that
#     listed [PREFIX]          the keys of the objects there, the manifests of a run as one, .../MANIFEST
#     holds NUMBER [PREFIX]    that many of them are there
#     manifest PLACE [FILE]    the manifest that counts of the run PLACE/iosweep-NAME, into the file
#     put_manifest PLACE FILE  what the file says counts from now on
#     member NAME DIRECTORY N  the key of the Nth of these objects
#     kept NAME DIRECTORY      the sizes and names of the objects of a run in one of its directories
#     numbered NAME DIRECTORY COUNT BYTES  that many objects of that size, from 0 on without a gap
#     cleans STATUS ARGS...    iosweep clean
#     clean NAME [LEFT]        removes a run; that many other objects stay in its directory
#     begin_run ARGS...        a run that goes on in the background; $begun is its process.  SIGINT
#                              ends it, which a shell's background jobs ignore otherwise
#     end_run SIGNAL STATUS    ends it, and says with which status it must
#     ended                    whether it has ended by itself
#     measured ARGS...         such a run that makes and moves objects of 4 KiB until it is ended, once it
#                              measures the last of its tests; its records are in $work/series
#     goes_on                  waits until it has measured some more
#     interrupted TESTS        SIGINT at several moments of these tests: status 130, nothing is left; and
#                              once the first of them, which has to be one that ends, is over: its rows stay
#     faults NAME...           runs these functions; each has to leave nothing

say() {
	echo "ok: $*"
}

not_tried() {
	echo "not tried: $1: $2"
}

sweep() {
	sweep_status=$1
	shift
	run "$sweep_status" ${endpoint:+--endpoint "$endpoint"} --format csv "$@"
}

count_rows() {
	awk 'END { print NR - 1 }' "$work/out"
}
check_rows() {
	awk -v sizes="$1" -v tests="$2" -v ops="${3:-}" -f "$top_srcdir/tests/cli/check-rows.awk" \
		<"$work/out" >&2 || fail "rows are not as they should be"
}
sum() {
	awk -F, -v name="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i; next }
		{ total += $column } END { printf "%.0f\n", total }' "$work/out"
}
finished() {
	column test operations errors notes | awk -F: -v number="$1" '
		NR <= number && ($2 == 0 || $3 != 0 || /incomplete/) { print "not whole: " $0; bad = 1 }
		END { exit bad || NR < number }' >&2 || fail "not $1 finished rows: $(column test operations errors notes)"
}
errors_are_one_line() {
	one_line "$work/err"
	grep -q '^iosweep: ' "$work/err" || fail "not said by iosweep"
}
one_error() {
	errors_are_one_line
	expect_reported "$1"
}
listed() {
	stored list "${1:-}" | sed 's/^[0-9]* //; s,/MANIFEST-[1-9][0-9]*$,/MANIFEST,' | sort -u
}
manifest_key() {
	stored list "$1/MANIFEST-" | sed 's/^[0-9]* //' | highest_manifest
}
manifest() {
	manifest=$(manifest_key "$1")
	stored get "${manifest:-$1/MANIFEST-1}" ${2:+"$2"}
}
put_manifest() {
	put_manifest=$(manifest_key "$1")
	put_manifest=${put_manifest##*-}
	stored put "$1/MANIFEST-$((${put_manifest:-0} + 1))" "$2"
}
holds() {
	holds=$(listed "${2:-}" | wc -l)
	[ "$holds" -eq "$1" ] || {
		stored list "${2:-}" | head -20 >&2
		fail "$holds objects below '${2:-}', not $1"
	}
}
member() {
	printf 'iosweep-%s/%s/%06d\n' "$1" "$2" "$3"
}
kept() {
	stored list "iosweep-$1/$2/"
}
numbered() {
	kept "$1" "$2" >"$work/kept"
	awk -v prefix="iosweep-$1/$2/" -v bytes="$4" '
		$1 != bytes || $2 != sprintf("%s%06d", prefix, NR - 1) { print "not object " NR - 1 ": " $0; bad = 1 }
		END { exit bad }' "$work/kept" >&2 || fail "objects of other names or lengths"
	[ "$(wc -l <"$work/kept")" -eq "$3" ] || fail "$(wc -l <"$work/kept") objects, not $3"
}
cleans() {
	cleans_status=$1
	shift
	run "$cleans_status" clean ${endpoint:+--endpoint "$endpoint"} "$@"
}
clean() {
	cleans 0 --run-name "$1" "$target"
	holds "${2:-0}" "iosweep-$1/"
}

begin_run() {
	# shellcheck disable=SC2046 # words
	(
		exec python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])' "$IOSWEEP" --quiet ${endpoint:+--endpoint "$endpoint"} --format csv \
			$(cache_of "$@") $(columns_of "$@") "$@"
	) >"$work/out" 2>"$work/err" </dev/null &
	begun=$!
	on_exit "end_child $begun"
	soon "it does not begin" has_begun
}
has_begun() {
	[ "$(cat "/proc/$begun/comm")" = "$(basename "$IOSWEEP")" ] || ! is_child "$begun"
}
end_run() {
	[ "$1" = none ] || kill "-$1" "$begun"
	wait "$begun"
	end_got=$?
	[ "$end_got" -eq "$2" ] || fail "SIG$1: exit status $end_got, not $2"
}

ended() {
	! is_child "$begun"
}
# row_records: how many records of the row that is measured now are there
row_records() {
	by_name 'row == "" { next }
		row != last { last = row; n = 0 }
		operations > 0 { n++ }
		END { print n + 0 }' "$work/series"
}
# has_records NUMBER: that many are there.  Tests before the last one are too short for that.
has_records() {
	is_child "$begun" || { echo "FAIL: the run has ended: $(cat "$work/err")" && exit 1; }
	[ "$(row_records)" -ge "$1" ]
}
measured() {
	rm -f "$work/series"
	begin_run --time 1000s --rounds 1 --sizes 4Ki --objects 16 --depth 4 --interval 100ms --series "$work/series" "$@" "$target"
	# the first two seconds may be spent on warming up, which is in no row
	soon "nothing is measured" has_records 40
}
goes_on() {
	soon "it does not go on" has_records "$(($(row_records) + 5))"
}
interrupted() {
	for interrupted_after in 0 0.01 0.02 0.03 0.05 0.1 0.2 0.4 0.8 1.5; do
		begin_run --time 1000s --sizes 1Ki,4Ki --objects 100 --tests "$1" --run-name sigint "$target"
		sleep $interrupted_after
		kill -INT "$begun"
		soon "SIGINT after $interrupted_after s does not end it" ended
		wait "$begun"
		interrupted_status=$?
		[ $interrupted_status -eq 130 ] || fail "exit status $interrupted_status after $interrupted_after s"
		interrupted_word
		holds 0 iosweep-sigint/
	done
	begin_run --time 1000s --sizes 1Ki,4Ki --objects 100 --tests "$1" --run-name sigint "$target"
	soon "no row is finished" has_rows 2
	end_run INT 130
	finished 2
	interrupted_word
}
# One line; or what a busy server, which answered too late, may still make, and that is removable.
interrupted_word() {
	if grep -q 'may still appear in' "$work/err"; then
		sleep 3
		cleans 0 --force --all "$target"
	elif [ "$(wc -l <"$work/err")" -gt 1 ]; then
		fail "more than one line"
	fi
}
has_rows() {
	is_child "$begun" || { echo "FAIL: the run has ended: $(cat "$work/err")" && exit 1; }
	[ "$(count_rows)" -ge "$1" ]
}
faults() {
	for fault; do
		echo "fault $fault"
		"$fault"
		holds 0
		say "$fault"
	done
}
