# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# shellcheck shell=sh
# lib.sh - shared by the shell tests.  Sourced after a test's head comment:
#     . "$top_srcdir/tests/cli/lib.sh"
# Provides $work, a scratch directory of this test (unmounted and removed at the end), and
#     iosweep ARGS...     the program under test (through $IOSWEEP_RUN, an optional wrapper)
#     cache_of ARGS...    "--cache cached" if the arguments of a sweep of files have no --cache, as
#                         iosweep and run add by themselves
#     columns_of ARGS...  "--columns $row_columns" if a test has set that and the arguments of a
#                         sweep name no columns and no format without them; iosweep and run add it, too
#     run STATUS ARGS...  runs it, output in $work/out and $work/err, fails on another status
#     refuses STATUS WORDS ARGS...  the same, and standard error is one line with WORDS, a basic
#                         expression; '' is in each
#     fail TEXT...        ends the test as failed
#     skip TEXT...        ends it as skipped (77)
#     need COMMAND...     skips if one is missing
#     need_root           skips without root and mount rights
#     value COLUMN [LINE] of the rows in $work/out, of the first or another one
#     column NAME...      of all rows in $work/out, joined by ':', one line each
#     shows 'NAME...' WANT [WHAT] fails unless that is WANT, rows joined by blanks
#     noted NOTE          fails unless the first row has this note, an extended expression
#     rows EXPRESSION [FILE] fails with the first row of $work/out, or FILE, that lacks a field or
#                         for which this awk expression is false, and without rows; columns are words
#                         of it, others are refused:
#                         rows 'operations == 40 && notes !~ /wide/'
#     by_name [-v NAME=WORD]... PROGRAM [FILE] awk on these rows, with columns as words
#     nothing_left DIR    fails if DIR contains anything
#     highest_manifest    of the paths on standard input: that of a run's current manifest
#     manifest_of RUN     that of the run in this directory
#     made_of RUN         the number of its complete files, according to that
#     $when_killed        what clean needs for a run killed here, if it cannot detect that
#     one_line FILE       fails unless FILE is exactly one line
#     expect_reported WORDS     fails unless standard error has WORDS, an extended expression
#     expect_unreported WORDS   fails if it has
#     agrees FILE...      false, with the reason in $why, if one of these JSON documents violates
#                         doc/iosweep.schema.json; without the Python module jsonschema always true
#     is_child PID        true while a child of this shell runs
#     is_job PID          the same by the shell's own account, where there is no /proc
#     end_child PID       kills it; once it has ended, its number may be reused
#     may_open N          true if the limit of open files permits this many
#     may_lock KIB        true if this much memory may be locked; $may_lock_most is the limit
#     storage_known       true if the mount of this directory is known: not below a root that is no
#                         mount point, as in a chroot, nor without /proc
#     flip_bit FILE OFFSET inverts the lowest bit of a byte: with several bits it could be
#                         what another write has there
#     mount_faulty        mounts $work/mnt, the faulty file system (tests/fuse/faulty.c) over
#                         $work/back; 1, with the reason in $why, if impossible
#     soon WHAT COMMAND... waits until the command is true; fails with WHAT if it never is
#     on_exit COMMAND     runs it at the end, last one first
#     scenarios NAME...   runs these functions, and prints which
# Every test is bounded: it runs itself under timeout(1).  15 minutes are for what hangs: a test of
# a minute takes many on a busy machine.

set -u
LC_ALL=C
SHELL=/bin/sh # of script, wherever this user may have none, or another one
export LC_ALL SHELL
: "${IOSWEEP:?run the tests with make check}"
: "${top_srcdir:?}"

if [ -z "${TEST_BOUNDED:-}" ] && command -v timeout >/dev/null; then
	TEST_BOUNDED=1
	export TEST_BOUNDED
	exec timeout -k 10 900 sh "$0" "$@"
fi

test_name=$(basename "$0" .sh)
work=$(mktemp -d "$PWD/$test_name.XXXXXX") || exit 99
exit_commands=
on_exit() { exit_commands="$1
$exit_commands"; }
finish() {
	finish_status=$?
	trap - EXIT HUP INT TERM
	eval "$exit_commands"
	cd / && rm -rf "$work"
	exit $finish_status
}
trap finish EXIT
trap 'exit 143' HUP INT TERM

# Tests count rows, so files use the page cache only unless the test requests otherwise.
cache_of() {
	case "${1:-}" in
	clean | compare | export | fit | help | merge | plot | report) return ;;
	esac
	for cache_word; do
		case $cache_word in
		-b | --bypass* | --cache* | @* | --quick | fill* | classic | --format=classic | *://* | \
			null:* | mem:* | *=null | null) return ;;
		esac
	done
	echo --cache cached
}
# Tests that check more than the default columns set row_columns=all.
columns_of() {
	[ -n "${row_columns:-}" ] || return
	case "${1:-}" in
	clean | compare | export | fill | fit | help | merge | plot | report) return ;;
	esac
	for columns_word; do
		case $columns_word in
		--columns* | @* | --quick | table | classic | --format=table | --format=classic | --help* | -h | --version)
			return
			;;
		esac
	done
	echo --columns "$row_columns"
}
iosweep() {
	# shellcheck disable=SC2046,SC2086
	${IOSWEEP_RUN:-} "$IOSWEEP" $(cache_of "$@") $(columns_of "$@") "$@"
}
fail() {
	echo "FAIL: $*" >&2
	for fail_file in "$work/out" "$work/err"; do
		[ -s "$fail_file" ] && { echo "--- $(basename "$fail_file")"; head -40 "$fail_file"; } >&2
	done
	exit 1
}
skip() {
	echo "SKIP: $*"
	exit 77
}
need() {
	for need_command; do
		command -v "$need_command" >/dev/null || skip "$need_command is not installed"
	done
}
need_root() {
	[ "$(id -u)" = 0 ] || skip "needs root"
	mkdir -p "$work/probe_mount" && mount -t tmpfs -o size=64k none "$work/probe_mount" 2>/dev/null ||
		skip "mount is not permitted"
	umount "$work/probe_mount"
	rmdir "$work/probe_mount"
}
run() {
	run_want=$1
	run_turn=0
	shift
	while :; do
		iosweep "$@" >"$work/out" 2>"$work/err" </dev/null
		run_got=$?
		# All programs of a user share the limit of locked memory: others release theirs.
		if [ "$run_got" != 3 ] || [ "$run_want" = 3 ] || [ $run_turn -ge 40 ] ||
			! grep -q 'ulimit -l' "$work/err"; then
			break
		fi
		run_turn=$((run_turn + 1))
		sleep 0.5
	done
	[ "$run_got" = "$run_want" ] || fail "iosweep $*: exit status $run_got, not $run_want"
}
refuses() {
	refuses_status=$1 refuses_words=$2
	shift 2
	run "$refuses_status" "$@"
	one_line "$work/err"
	grep -q -e "$refuses_words" "$work/err" || fail "iosweep $*: not reported: $refuses_words"
}
nothing_left() {
	[ -z "$(ls -A "$1")" ] || fail "left behind in $1: $(ls -A "$1")"
}
highest_manifest() {
	sed -n 's/.*MANIFEST-\([1-9][0-9]*\)$/\1 &/p' | sort -n | sed -n '$s/^[0-9]* //p'
}
manifest_of() {
	printf '%s\n' "$1"/MANIFEST-* | highest_manifest
}
made_of() {
	sed -n 's/^set=tree [0-9]* [0-9]* \([0-9]*\) .*/\1/p' "$(manifest_of "$1")"
}
# shellcheck disable=SC2034 # for the test; only Linux tells one start of a host from another
when_killed=$(! grep -q '^#define SYSTEM_LINUX' config.h 2>/dev/null && [ -f config.h ] && echo --force)
one_line() {
	[ "$(wc -l <"$1")" = 1 ] || fail "not exactly one line: $1"
}
expect_reported() {
	grep -Eiq -e "$1" "$work/err" || fail "not reported: $1"
}
expect_unreported() {
	! grep -Eiq -e "$1" "$work/err" || fail "reported: $1"
}
agrees() {
	command -v python3 >/dev/null || return 0
	why=$(python3 "$top_srcdir/tests/cli/json_schema.py" "$top_srcdir/doc/iosweep.schema.json" "$@" 2>&1)
	case $? in
	0 | 77) ;;
	*) return 1 ;;
	esac
}
# Without /proc: a job of this shell; `kill -0` would accept any process with this number.
is_job() {
	LC_ALL=C jobs -l >"$work/jobs" # a pipe would be another shell
	grep -Eq "(^| )$1 +(Running|Stopped)" "$work/jobs"
}
is_child() {
	if [ ! -e "/proc/$$/stat" ]; then
		is_job "$1"
		return
	fi
	case $(sed 's/.*) [^Z] //' "/proc/$1/stat" 2>/dev/null) in
	"$$ "*) true ;;
	*) false ;;
	esac
}
end_child() {
	! is_child "$1" || kill -9 "$1"
}
may_open() {
	# shellcheck disable=SC3045 # a shell without it knows of no limit
	may_open_most=$(ulimit -H -n 2>/dev/null) || return 0
	[ "$may_open_most" = unlimited ] || [ "$may_open_most" -ge "$1" ]
}
may_lock() {
	# shellcheck disable=SC3045 # a shell without it knows of no limit
	may_lock_most=$(ulimit -H -l 2>/dev/null) || return 0
	# shellcheck disable=SC3045
	ulimit -S -l "$may_lock_most" 2>/dev/null
	[ "$may_lock_most" = unlimited ] || [ "$may_lock_most" -ge "$1" ]
}
storage_known() {
	storage_at=$(pwd -P)/
	while read -r _ _ _ _ storage_mount _; do
		case $storage_at in
		"${storage_mount%/}"/*) return 0 ;;
		esac
	done 2>/dev/null </proc/self/mountinfo
	return 1
}
flip_bit() {
	# shellcheck disable=SC2059 # the byte, in octal
	printf "$(od -An -tu1 -j"$2" -N1 "$1" | awk '{ printf "\\%03o", $1 % 2 ? $1 - 1 : $1 + 1 }')" |
		dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}
soon() {
	soon_what=$1
	soon_turn=0
	shift
	until "$@" 2>/dev/null; do
		soon_turn=$((soon_turn + 1))
		[ $soon_turn -lt 2400 ] || fail "$soon_what"
		sleep 0.05
	done
}
# shellcheck disable=SC2034,SC2154 # why: for the test; builddir: of make check
mount_faulty() {
	faulty=$builddir/tests/fuse/faulty
	[ -x "$faulty" ] || { why="tests/fuse/faulty is not built" && return 1; }
	command -v fusermount3 >/dev/null || { why="fusermount3 is not installed" && return 1; }
	[ -w /dev/fuse ] || { why="/dev/fuse cannot be used" && return 1; }
	mkdir "$work/back" "$work/mnt"
	"$faulty" "$work/back" "$work/mnt" >"$work/faulty.log" 2>&1 &
	faulty_pid=$!
	tries=0
	until [ -e "$work/mnt/.faults" ]; do
		tries=$((tries + 1))
		if [ $tries -gt 600 ] || ! kill -0 $faulty_pid 2>/dev/null; then
			kill $faulty_pid 2>/dev/null
			why="mounting is refused: $(tail -1 "$work/faulty.log")"
			return 1
		fi
		sleep 0.1
	done
	on_exit 'unmount_faulty'
}
unmount_faulty() {
	fusermount3 -u "$work/mnt" 2>/dev/null || fusermount3 -uz "$work/mnt"
	wait $faulty_pid
}
value() {
	awk -F, -v name="$1" -v line="${2:-1}" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		NR == line + 1 { print at ? $at : "no column" }' "$work/out"
}
column() {
	awk -F, -v names="$*" '
		NR == 1 { n = split(names, name, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ line = $at[name[1]]; for (i = 2; i <= n; i++) line = line ":" $at[name[i]]; print line }' "$work/out"
}
shows() {
	# shellcheck disable=SC2086 # names
	shows_got=$(column $1 | tr '\n' ' ')
	[ "$shows_got" = "$2 " ] || fail "${3:+$3: }$1: ${shows_got% }, not $2"
}
noted() {
	value notes | grep -Eq "(^|;)($1)(;|\$)" || fail "notes: $(value notes), not $1"
}
# Lets python3 programs find tests/cli/records.py, which reads JSON of a sweep.
PYTHONPATH=$top_srcdir/tests/cli
PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE
# in_json FILE EXPRESSION: the value computed by python3 from the document and its rows
in_json() {
	python3 -c 'import records, sys
document = records.load(sys.argv[1])
rows = document["row"]
print(eval(sys.argv[2]))' "$@"
}
# json_rows FILE: the columns of its rows as CSV, for value and column
json_rows() {
	python3 -c 'import csv, records, sys
rows = records.load(sys.argv[1], parse_float=str, parse_int=str)["row"]
columns = [name for name, value in rows[0].items() if not isinstance(value, (list, dict))]
csv.writer(sys.stdout, lineterminator="\n").writerows([columns] + [[row[name] for name in columns] for row in rows])' "$1"
}
# with_columns TEXT FILE [UNKNOWN]: replaces words of awk that are columns of FILE by fields; others
# get UNKNOWN appended
with_columns() {
	printf '%s\n' "$(head -n 1 "$2")" "$1" | awk -v unknown="${3:-}" '
		NR == 1 { n = split($0, name, ","); for (i = 1; i <= n; i++) at[name[i]] = "$" i; next }
		{
			done = ""
			while (match($0, /"[^"]*"|~ *\/[^\/]*\/|[0-9][0-9.]*(e[-+]?[0-9]+)?|[A-Za-z_][A-Za-z_0-9]*[(]?/)) {
				word = substr($0, RSTART, RLENGTH)
				done = done substr($0, 1, RSTART - 1) (word in at ? at[word] : word ~ /^[a-z].*[^(]$/ ? word unknown : word)
				$0 = substr($0, RSTART + RLENGTH)
			}
			print done $0
		}'
}
by_name() {
	by_name_set=
	while [ "$1" = -v ]; do
		by_name_set="$by_name_set -v $2"
		shift 2
	done
	# shellcheck disable=SC2086 # words
	awk -F, $by_name_set "NR == 1 { next } $(with_columns "$1" "${2:-$work/out}")" "${2:-$work/out}"
}
rows() {
	rows_bad=$(awk -F, "NR == 1 { fields = NF; next }
		NF != fields || !($(with_columns "$1" "${2:-$work/out}" '()')) { print; exit }
		END { if (NR < 2) print \"no rows\" }" "${2:-$work/out}") && [ -z "$rows_bad" ] || fail "not $1: $rows_bad"
}
scenarios() {
	for scenario; do
		echo "$scenario"
		"$scenario"
	done
}
