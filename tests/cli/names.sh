#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests of names on files: each operation is what it says, counted by strace; what is found is what is
# there; nothing of the user is touched, and nothing of ours stays.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

mkdir "$work/dir"
cd "$work" || exit 99
small='--quiet --format csv --levels 2 --width 5 -l 4k --sizes 100 --rounds 1'

# value COLUMN [LINE]: of a row
value() {
	awk -F, -v name="$1" -v line="${2:-1}" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		NR == line + 1 { print at ? $at : "no column" }' "$work/out"
}
# same WHAT COLUMN WANTED [LINE]
same() {
	[ "$(value "$2" "${4:-1}")" = "$3" ] || fail "$1: $2 is '$(value "$2" "${4:-1}")', not '$3'"
}

# --- stat and list of our own files
# shellcheck disable=SC2086
run 0 $small --tests stat,list -n 40 --threads 2 --cache cached,direct dir
[ "$(wc -l <out)" = 3 ] || fail "not a row for each test"
same stat hits 40
same stat misses 0
same stat throughput_bytes_per_s ""
same stat cache asis
same stat names ""
same list names 25 2
same list hits "" 2
nothing_left dir

# --- an existing tree: as many files as find(1) finds, links are names, too, and are not followed
mkdir -p tree/a/b outside
for i in 1 2 3 4 5 6 7; do echo "$i" >"tree/a/$i"; done
echo x >tree/a/b/x
echo x >outside/1
ln -s ../outside tree/link
ln -s nowhere tree/dangling
find tree -exec stat -c '%n %Y %Z' {} + >before
# shellcheck disable=SC2086
run 0 --quiet --format csv -r --tests stat,list --sizes 100k -n 20 tree
same "existing tree" hits 20
same "existing tree" names "$(find tree ! -type d | wc -l)" 2
find tree -exec stat -c '%n %Y %Z' {} + | cmp -s - before || fail "a listing changes something"
run 0 --quiet --format csv -r --tests stat,list --sizes 1 -n 5 tree/a/1
same "one file" hits 5
same "one file" notes skipped:no_directory 2

# --- names that are gone are answers; other failures are failures
# shellcheck disable=SC2086
run 0 $small --tests read --keep --run-name gone -n 5 dir
run 0 --quiet --format csv --sizes 100 -r --run-name gone --tests stat -n 50 dir
same "all there" hits 50
find dir -name 'f[0-9]*' -type f -delete
run 0 --quiet --format csv --sizes 100 -r --run-name gone --tests stat -n 50 dir
same "all gone" hits 0
same "all gone" misses 50
same "all gone" errors 0
run 0 clean --run-name gone dir
nothing_left dir

# --- what is not known is skipped beside what is, else refused; the old name is taken
# shellcheck disable=SC2086
run 0 $small --tests head,delete-many --engine posix,stdio -n 3 dir
[ "$(cut -d, -f6,8 out | tail -n +2 | tr '\n' ' ')" = 'stat,posix stat,stdio delete-many,posix delete-many,stdio ' ] ||
	fail "rows of tests and engines"
same "engine without stat" notes skipped:not_by_engine 2
# shellcheck disable=SC2086
run 2 $small --tests delete-many dir
one_line err
run 2 --quiet -r --tests rename dir
one_line err
nothing_left dir

# --- one operation is one call
need strace
traced() {
	# shellcheck disable=SC2086
	strace -f -o trace -e trace=newfstatat,getdents64,openat,openat2 "$IOSWEEP" $small "$@" >out 2>err ||
		skip "strace does not work here"
}
calls() { grep -c "$1" trace; }
traced --tests stat -n 200 --sizes 1 dir
[ "$(calls 'newfstatat(.*"d[0-4]/f[0-4]"')" = 200 ] ||
	fail "200 operations are $(calls 'newfstatat(.*"d[0-4]/f[0-4]"') calls of newfstatat"
traced --tests list -n 30 --sizes 1 dir
[ "$(calls getdents64)" -ge $((30 * 12)) ] && [ "$(calls getdents64)" -lt $((30 * 12 + 60)) ] ||
	fail "30 listings of 6 directories are $(calls getdents64) calls of getdents64"
