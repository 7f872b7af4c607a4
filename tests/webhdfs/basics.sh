#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# A whole sweep of a Hadoop file system: each test works, alone and with many operations in flight, runs
# are kept, read, written over and removed, what curl wrote is read and stays, nothing of a run is left,
# not even a directory; and who names what is not there, is told so in one line.  (Who may not, and
# signals: faults.sh; what is killed or damaged: tests/life.)
# shellcheck disable=SC1091,SC2015
# shellcheck source=tests/webhdfs/lib.sh
. "${top_srcdir:?}/tests/webhdfs/lib.sh"

hdfs_cluster 1 dfs.ls.limit=7 $hdfs_quick
target="webhdfs://$hdfs_authority/test/a b%20c"
place=/test/a%20b%2520c
# names PATH: of what lies there
names() {
	hdfs GET "$1" LISTSTATUS | grep -o '"pathSuffix":"[^"]*"' | cut -d'"' -f4
}
# left NAMES: nothing else lies in the target
left() {
	[ "$(names $place | tr '\n' ' ')" = "$1" ] || fail "left in the target: $(names $place)"
}

WEBHDFS_URL=$hdfs_url$place
hdfs PUT $place MKDIRS >"$work/got"
everything "$target"
# sweep STATUS OPTION...
sweep() {
	sweep_status=$1
	shift
	run "$sweep_status" --quiet --format csv --webhdfs.user "$hdfs_user" "$@"
}

echo "somebody else's" >"$work/theirs"
hdfs PUT $place/theirs CREATE -T "$work/theirs"
hdfs PUT $place/full MKDIRS >"$work/got"

# --- a directory that is not there is not made, and a file is none
for path in none/there theirs; do
	sweep 3 -n 2 --sizes 1Ki --tests write "$target/$path"
	one_line "$work/err"
	left 'full theirs '
done
grep -q 'this is a file' "$work/err" || fail "not said that it is a file"

# --- requests and phases
sweep 0 -n 24 --sizes 4Ki --tests create,write "$target"
for row in 1 2; do # create and write take two requests each, to the NameNode and to a DataNode
	[ "$(value requests $row)" -eq 48 ] || fail "$(value requests $row) requests"
	awk "BEGIN { exit !($(value open_ns_mean $row) > 0 && $(value transfer_ns_mean $row) > 0) }" ||
		fail "no phases: $(column test open_ns_mean transfer_ns_mean)"
done
left 'full theirs '

# --- what is not known there is skipped, what would do nothing refused
sweep 0 -n 2 --sizes 1Ki --tests copy,write "$target"
[ "$(column notes | grep -c 'skipped:not_by_target')" -eq 1 ] || fail "not skipped: $(column test notes)"
sweep 2 -n 2 --sizes 1Ki --list-page 5 --tests list "$target"
one_line "$work/err"
sweep 2 -n 2 --sizes 1Ki --depth 8 --objects 5 --tests write "$target"
one_line "$work/err"
grep -q 'so 9 are needed' "$work/err" || fail "no number"

# --- a limit of requests holds, whatever an operation takes
hdfs_asked() {
	sed -n 's/.*: \([0-9]*\) requests before removing.*/\1/p' "$work/err" | tail -n 1
}
run 1 --format csv --webhdfs.user "$hdfs_user" -n 50 --sizes 1Ki --tests write --max-requests 21 "$target"
[ "$(hdfs_asked)" -le 21 ] && [ "$(hdfs_asked)" -ge 20 ] || fail "$(hdfs_asked) requests, not 21 or 20"
left 'full theirs '

# --- what create made is known later, too
sweep 0 -n 9 --keep --run-name made --verify --sizes 70000 --tests create,read:created "$target"
sweep 0 -r --run-name made --verify --access once "$target"
run 0 clean --webhdfs.user "$hdfs_user" --run-name made "$target"

# --- somebody's own: one file, and all of a tree
sweep 0 -n 5 -r --sizes 4 --tests read "$target/theirs"
[ "$(value errors)" -eq 0 ] || fail "one file is not read"
for n in 1 2 3 4 5 6 7 8 9; do
	hdfs PUT $place/full/d$n/x CREATE -T "$work/theirs"
	hdfs PUT $place/full/f$n CREATE -T "$work/theirs"
done
run 0 --dry-run --webhdfs.user "$hdfs_user" -r --sizes 4 "$target"
grep -q '19 ' "$work/err" "$work/out" || fail "19 files are not found"
sweep 0 -n 20 -r --sizes 4 --tests read,stat,list "$target"
[ "$(column errors | sort -u)" = 0 ] || fail "a tree is not read"
[ "$(value list_names 3)" -ge 19 ] || fail "a list of $(value list_names 3) names"

# --- a run that was killed while it put another manifest is read and removed all the same
sweep 0 -n 3 --keep --run-name torn --sizes 1000 --tests write "$target"
printf 'iosweep manifest 3\nstorage=webhdfs\nrun=torn\nowner=01' >"$work/half"
hdfs PUT $place/iosweep-torn/MANIFEST-9 CREATE -T "$work/half"
sweep 0 -n 3 -r --run-name torn --sizes 1000 --tests read,list "$target"
run 0 clean --webhdfs.user "$hdfs_user" "$target"
left 'full theirs '

# --- what is left of one that was killed while it put its first manifest: that, and a directory
: >"$work/short"
for torn in half short; do
	hdfs PUT $place/iosweep-torn/MANIFEST-1 CREATE -T "$work/$torn"
	run 3 clean --webhdfs.user "$hdfs_user" "$target" # it may be about to begin
	one_line "$work/err"
	grep -q 'in use by a running iosweep: .*wait another [0-9]* s' "$work/err" || fail "not told: $(cat "$work/err")"
	sweep 3 -n 3 --keep --run-name torn --sizes 1000 --tests write "$target"
	one_line "$work/err"
	run 0 clean --force --webhdfs.user "$hdfs_user" "$target"
	left 'full theirs '
done
hdfs PUT $place/iosweep-torn/MANIFEST-1 CREATE -T "$work/half"
hdfs PUT $place/iosweep-torn/foreign CREATE -T "$work/theirs"
run 3 clean --force --webhdfs.user "$hdfs_user" "$target"
[ "$(names $place/iosweep-torn | tr '\n' ' ')" = 'MANIFEST-1 foreign ' ] ||
	fail "removed from what is no run: $(names $place/iosweep-torn)"
hdfs DELETE $place/iosweep-torn/foreign DELETE >"$work/got"
run 0 clean --force --webhdfs.user "$hdfs_user" "$target"
left 'full theirs '

# --- a directory that was there before is no run's: it is refused, and stays
hdfs PUT $place/iosweep-mine/logs MKDIRS >"$work/got"
sweep 3 -n 2 --run-name mine --sizes 1000 --tests write "$target"
one_line "$work/err"
[ "$(names $place/iosweep-mine | tr '\n' ' ')" = 'logs ' ] ||
	fail "not only what was there before: $(names $place/iosweep-mine)"
hdfs DELETE $place/iosweep-mine/logs DELETE >"$work/got"
hdfs DELETE $place/iosweep-mine DELETE >"$work/got"
left 'full theirs '

# --- what is not there
run 3 --quiet -n 2 -r --sizes 1Ki --webhdfs.user "$hdfs_user" "$target/none"
one_line "$work/err"
run 3 --quiet -n 2 --sizes 1Ki --webhdfs.user "$hdfs_user" --webhdfs.base /none "$target"
one_line "$work/err"
run 3 --quiet -n 2 --sizes 1Ki "s$target"
one_line "$work/err"
grep -q '; does the server speak TLS there? try webhdfs://$' "$work/err" || fail "no word of TLS: $(cat "$work/err")"
run 3 --quiet -n 2 --sizes 1Ki --webhdfs.user "$hdfs_user" "$target/none/'here"
one_line "$work/err"
grep -q "; create it first: hdfs dfs -mkdir -p '/.*/none/'[\\]''here'\$" "$work/err" || fail "no directory: $(cat "$work/err")"

left 'full theirs '
hdfs GET $place/theirs OPEN -f -o "$work/got" && cmp -s "$work/got" "$work/theirs" ||
	fail "somebody else's file has changed"
