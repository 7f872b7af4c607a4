#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Tests of names on files: each operation makes the documented calls, as counted by strace; exactly
# the existing names are found; the user's files are untouched, and none of the run's stay.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all

mkdir "$work/dir"
cd "$work" || exit 99
small='--quiet --format csv --levels 2 --width 5 -l 4k --sizes 100 --rounds 1'

# same WHAT COLUMN WANTED [LINE]
same() {
	[ "$(value "$2" "${4:-1}")" = "$3" ] || fail "$1: $2 is '$(value "$2" "${4:-1}")', not '$3'"
}

# --- stat and list of the run's own files
# shellcheck disable=SC2086
run 0 $small --tests stat,list -n 40 --threads 2 --cache cached,direct dir
[ "$(wc -l <out)" = 3 ] || fail "not a row for each test"
same stat stat_hits 40
same stat stat_misses 0
same stat throughput_bytes_per_s ""
same stat cache asis
same stat list_names ""
same list list_names 25 2
same list stat_hits "" 2
nothing_left dir

# --- an engine with several tables is one engine
# shellcheck disable=SC2086
run 0 ${small#--quiet --format csv} --format table --tests read,stat,create -n 5 dir
grep -q ', engine posix, ' err || fail "the engine of the settings is not posix, once: $(grep engine err)"
grep -q '^read .* posix ' out || fail "the engine is not in the heading: $(cat out)"

# --- an existing tree: as many files as find(1) finds; links count as names and are not followed
mkdir -p tree/a/b outside
for i in 1 2 3 4 5 6 7; do echo "$i" >"tree/a/$i"; done
echo x >tree/a/b/x
echo x >outside/1
ln -s ../outside tree/link
ln -s nowhere tree/dangling
find tree -exec stat -c '%n %Y %Z' {} + >before
# shellcheck disable=SC2086
run 0 --quiet --format csv -r --tests stat,list --sizes 100k -n 20 tree
same "existing tree" stat_hits 20
same "existing tree" list_names "$(find tree ! -type d | wc -l)" 2
find tree -exec stat -c '%n %Y %Z' {} + | cmp -s - before || fail "a listing changes something"
run 0 --quiet --format csv -r --tests stat,list --sizes 1 -n 5 tree/a/1
same "one file" stat_hits 5
same "one file" notes skipped:no_directory 2

# --- missing names are results; other failures are failures
# shellcheck disable=SC2086
run 0 $small --tests read --keep --run-name gone -n 5 dir
run 0 --quiet --format csv --sizes 100 -r --run-name gone --tests stat -n 50 dir
same "all there" stat_hits 50
find dir -name 'f[0-9]*' -type f -delete
run 0 --quiet --format csv --sizes 100 -r --run-name gone --tests stat -n 50 dir
same "all gone" stat_hits 0
same "all gone" stat_misses 50
same "all gone" errors 0
run 0 clean --run-name gone dir
nothing_left dir

# --- unsupported tests are skipped together with supported ones, otherwise refused
# shellcheck disable=SC2086
run 0 $small --tests stat,list --engine posix,stdio -n 3 dir
[ "$(cut -d, -f6,8 out | tail -n +2 | tr '\n' ' ')" = 'stat,posix stat,stdio list,posix list,stdio ' ] ||
	fail "rows of tests and engines"
same "engine without stat" notes skipped:not_by_engine 2
# shellcheck disable=SC2086
run 0 $small --tests stat --engine stdio,posix -n 3 dir
same "engine without stat before one with it" notes skipped:not_by_engine 1
# shellcheck disable=SC2086
refuses 2 '' $small --tests stat --engine stdio dir
refuses 2 '' --quiet -r --tests rename dir
nothing_left dir

# --- new files: as many as operations, of that size, each phase timed; no others are created
# shellcheck disable=SC2086
run 0 $small --tests create -n 10/thread --threads 4 --keep --run-name made dir
same create operations 40
for thread in 0 1 2 3; do
	[ "$(find dir/iosweep-made/new/t$thread -name 'n*' | wc -l)" = 10 ] || fail "not 10 files of each thread"
done
for phase in open transfer close; do
	[ -n "$(value ${phase}_ns_mean)" ] || fail "create: $phase is not timed"
done
[ "$(find dir/iosweep-made/new -type f -size -2 -name 'n*' | wc -l)" = 40 ] || fail "not 40 files of 100 bytes"
[ "$(find dir/iosweep-made -type f -size 100c | wc -l)" = 40 ] || fail "not 40 files of 100 bytes"
[ "$(find dir/iosweep-made -type f ! -name 'MANIFEST-*' | wc -l)" = 40 ] || fail "other files are there as well"
echo mine >dir/iosweep-made/new/t1/mine
mkdir dir/iosweep-made/new/t2/n7x
ln -s "$work/tree/a/1" dir/iosweep-made/new/t3/n4711
run 3 clean --run-name made dir
grep -q 'not made by iosweep' err || fail "foreign files are not named"
[ "$(find dir -mindepth 1 ! -type d | sed 's/-[0-9]*$//' | sort -u | tr '\n' ' ')" = \
	'dir/iosweep-made/MANIFEST dir/iosweep-made/new/t1/mine dir/iosweep-made/new/t3/n4711 ' ] ||
	fail "clean left or took something else"
rm -r dir/iosweep-made/new/t1/mine dir/iosweep-made/new/t2/n7x dir/iosweep-made/new/t3/n4711
run 0 clean --run-name made dir
nothing_left dir
[ -s tree/a/1 ] || fail "a link was followed"

# --- a user's files with a run's names: encountered by clean, by test delete, by --reuse;
# distinguished by what all files of a run share: owner and permissions, and a maximum length
made() { # adds foreign files to a run, to $new and $old
	# shellcheck disable=SC2086
	run 0 $small --tests create -n 9 --keep --run-name made dir
	# shellcheck disable=SC2086
	run 0 $small --tests write -n 9 --keep --run-name files -l 4k --levels 1 --width 3 dir
	new=dir/iosweep-made/new/t0
	old=dir/iosweep-files
}
foreign() { # the foreign files must be unchanged
	[ "$(cat $new/n4711 $old/f0)" = "mine
mine too" ] && [ "$(wc -c <$new/n0)" = 1000000 ] && [ -L $old/f2 ] || fail "$1: a file of a user is gone"
}
put() {
	(umask 022 && echo mine >$new/n4711)
	(umask 077 && head -c 1000000 /dev/zero >long && mv long $new/n0)
	(umask 022 && rm $old/f0 $old/f2 && echo mine too >$old/f0)
	ln -s "$work/tree/a/1" $old/f2
}
made
put
run 3 --quiet -r --run-name made --tests delete dir
foreign "test delete"
[ "$(value operations)" = 8 ] || fail "$(value operations) files removed, not those of the run alone"
grep -q 'not made by iosweep: .*/new/t0/n' err || fail "foreign files are not named"
run 0 --quiet --format csv --reuse files --tests write --sizes 100 -n 20 dir
foreign "--reuse"
value notes | grep -q 'partial:1/3' || fail "--reuse: notes $(value notes)"
run 3 clean --all dir
foreign clean
[ -e $old/MANIFEST-1 ] && [ -e $new/../../MANIFEST-1 ] && [ ! -e $old/f1 ] || fail "clean left or took something else"
rm $new/n4711 $new/n0 $old/f0 $old/f2
run 0 clean --all dir
nothing_left dir

# --- with and without other tests, bypassing the cache, verified, scheduled, larger than -l
# shellcheck disable=SC2086
run 0 $small --tests create,read,delete,list -n 30 --threads 3 dir
same "create, read" operations 30
same delete operations 30 3
same delete throughput_bytes_per_s "" 3
same list list_names 25 4
nothing_left dir
run 0 --quiet --format csv --tests create,delete --sizes 8k,64k -l 4k -n 9 --cache cached,uncached dir
[ "$(awk -F, 'NR > 1 && $2 == 9' out | wc -l)" = 6 ] || fail "not six rows of nine operations"
nothing_left dir
run 0 --quiet --format csv --tests create --sizes 1,4k,100k -l 100k --verify -n 20 --threads 2 dir
same verify errors_wrong 0
same verify errors_wrong 0 3
run 0 --quiet --format csv --tests create,delete --sizes 100 --rate 1000 -n 20 --sync end --time 1000s dir
same schedule operations 20
same schedule operations 20 2
run 0 --quiet --format csv --tests create,delete --sizes 100 --time 100ms --threads 2 --interval 50ms --series series dir
nothing_left dir

# --- there and back, an odd number of times: all have their names again; copies are correct
# shellcheck disable=SC2086
run 0 $small --tests rename,copy -n 33 --threads 2 --verify --keep --run-name moved dir
same rename operations 33
same rename throughput_bytes_per_s ""
same copy operations 33 2
same copy errors_wrong 0 2
for phase in open transfer close; do
	[ -n "$(value ${phase}_ns_mean 2)" ] || fail "copy: $phase is not timed"
done
[ -z "$(find dir -name 'm[0-9]*')" ] || fail "files have not got their names back"
[ "$(find dir/iosweep-moved/new -name '[nc]*' -size 100c 2>/dev/null | wc -l)" = $((33 + 128)) ] ||
	fail "not 33 copies and 128 files to be renamed"
run 0 --quiet -r --verify --sizes 100 -n 40 --run-name moved dir
run 0 clean --run-name moved dir
nothing_left dir
"$IOSWEEP" --quiet --format csv --columns all --tests rename --sizes 1k --time 60s --keep --run-name cut dir >out 2>err &
stopped=$!
on_exit "end_child $stopped"
moving() { [ -n "$(find dir -name 'm[0-9]*' 2>/dev/null | head -1)" ]; }
soon "nothing is renamed" moving
kill -TERM $stopped
wait $stopped
[ $? = 143 ] || fail "SIGTERM is not status 143"
[ -z "$(find dir -name 'm[0-9]*')" ] || fail "after a signal files have not got their names back"
[ "$(find dir -name 'n[0-9]*' | wc -l)" = 64 ] || fail "files to be renamed are gone"
run 0 clean --run-name cut dir
"$IOSWEEP" --quiet --format csv --tests rename --sizes 1k --time 60s dir >/dev/null 2>&1 &
killed=$!
on_exit "end_child $killed"
soon "nothing is renamed" moving
is_job $killed && ! is_job $$ || fail "a job of this shell is not told from another process"
end_child $killed
wait $killed 2>/dev/null
! is_job $killed || fail "a job that has ended is taken for one that runs"
run 0 clean --all dir
nothing_left dir

# --- in fragments: the data are the same for any lengths
for fragment in 10 0 1k; do
	run 0 --quiet --format csv --levels 1 --width 2 -l 4k --tests append --sizes 105,4k --call-size $fragment -n 20 --rounds 1 \
		--verify --keep --run-name bits dir
	same "fragments of $fragment" operations 20
	same "fragments of $fragment" errors_wrong 0
	same "fragments of $fragment" errors_wrong 0 2
	[ "$(find dir -name 'n*' -size 105c | wc -l)" = 20 ] || fail "fragments of $fragment: not 20 files of 105 bytes"
	run 0 clean --run-name bits dir
done
# shellcheck disable=SC2086
refuses 2 '' $small --tests create --call-size 0 dir
nothing_left dir

# --- what cannot be written is a failure, and leaves no file
(
	ulimit -f 16 # of 512 bytes, or 1024
	trap '' XFSZ
	exec "$IOSWEEP" --quiet --format csv --tests create --sizes 100,64k -n 5 --rounds 1 --max-errors 0 --keep --run-name limit dir
) >out 2>err
[ $? = 1 ] || fail "files beyond a limit do not fail the run"
same "below the limit" operations 5
same "beyond the limit" operations 0 2
same "beyond the limit" errors 5 2
[ "$(find dir/iosweep-limit/new -type f | wc -l)" = 5 ] || fail "half of a file is kept"
run 0 clean --run-name limit dir

# --- killed at any moment: clean removes the rest
for pause in 0.01 0.05 0.2 0.4; do
	"$IOSWEEP" --quiet --format csv --tests create,delete --sizes 1k --threads 2 --time 60s \
		dir >/dev/null 2>&1 &
	killed=$!
	on_exit "end_child $killed"
	sleep $pause
	end_child $killed
	wait $killed 2>/dev/null
	run 0 clean --all dir
	nothing_left dir
done
"$IOSWEEP" --quiet --format csv --tests create,delete --sizes 1k --threads 2 --time 60s --columns all dir >out 2>err &
stopped=$!
on_exit "end_child $stopped"
any_made() { [ -n "$(find dir -name 'n*' -path '*/new/*' 2>/dev/null | head -1)" ]; }
soon "no file is made" any_made
kill -TERM $stopped
wait $stopped
[ $? = 143 ] || fail "SIGTERM is not status 143"
nothing_left dir

# --- no descriptors left: failures are counted and reported, and files made are removed. How many
# are used at once varies, until there is one for each directory of a thread and none for files.
for descriptors in 20 19 18 17 16 15 14; do
	(
		# shellcheck disable=SC3045 # every shell that this was tried with knows it
		ulimit -n $descriptors
		exec "$IOSWEEP" --quiet --format csv --tests create,list --levels 2 --width 2 -l 64k --threads 8 \
			--sizes 1k -n 100 --max-errors 0 dir
	) >out 2>err
	failed=$?
	nothing_left dir
	[ $failed = 0 ] || break
done
[ $failed = 1 ] || [ $failed = 3 ] || fail "status $failed without descriptors"
grep -q 'ulimit -n' err || [ ${#work} -gt 120 ] || # else the path takes its room
	fail "what to do without descriptors is not told"

# --- one operation is one call
need strace
LSAN_OPTIONS=detect_leaks=0 # not supported under strace
export LSAN_OPTIONS
traced() {
	# shellcheck disable=SC2086
	strace -f -o trace -e trace=newfstatat,getdents64,openat,openat2,unlinkat,write,fsync,close,renameat,copy_file_range "$IOSWEEP" $small "$@" >out 2>err ||
		skip "strace does not work here"
}
calls() { grep -c "$1" trace; }
traced --tests stat -n 200 --sizes 1 dir
[ "$(calls 'newfstatat(.*"d[0-4]/f[0-4]"')" = 200 ] ||
	fail "200 operations are $(calls 'newfstatat(.*"d[0-4]/f[0-4]"') calls of newfstatat"
traced --tests list -n 30 --sizes 1 dir
[ "$(calls getdents64)" -ge $((30 * 12)) ] && [ "$(calls getdents64)" -lt $((30 * 12 + 60)) ] ||
	fail "30 listings of 6 directories are $(calls getdents64) calls of getdents64"
traced --tests create,delete -n 50 --sync end dir
[ "$(calls 'openat(.*"n[0-9]*".*O_EXCL')" = 100 ] || fail "50 creations and 50 files to be removed"
[ "$(calls 'unlinkat(.*"n[0-9]*"')" = 100 ] || fail "50 deletions, and 50 of what was created"
[ "$(calls 'fsync(')" = 150 ] || fail "two flushes of a creation and one of a deletion"
traced --tests append --sizes 105 --call-size 10 -n 8 dir
[ "$(calls 'write(.*, 10) *= 10$')" = 80 ] && [ "$(calls 'write(.*, 5) *= 5$')" = 8 ] ||
	fail "105 bytes in fragments of 10 are not 11 calls"
traced --tests rename,copy -n 33 dir
[ "$(calls 'renameat(')" = 66 ] || fail "33 renames, and 33 back"
[ "$(calls 'copy_file_range(')" = 33 ] || fail "33 copies are $(calls 'copy_file_range(') calls"
# shellcheck disable=SC2086
strace -f -o trace -e inject=copy_file_range:error=EXDEV "$IOSWEEP" $small --columns all --tests copy -n 20 --verify dir >out 2>err ||
	fail "no other way to copy"
same "by hand" operations 20
same "by hand" errors_wrong 0
# the storage fails: counted, reported, and the run fails; what was made is removed nevertheless
strace -f -o trace -e inject=unlinkat:error=EIO:when=3+40 "$IOSWEEP" $small --max-errors 0 --tests delete -n 60 dir >out 2>err
[ $? != 0 ] || fail "EIO is no failure"
grep -q 'cannot remove .*/new/t0/n[0-9]*: ' err || fail "the failure is not named"
run 0 clean --all dir
strace -f -o trace -e inject=renameat:error=EACCES:when=5 "$IOSWEEP" $small --max-errors 0 --tests rename -n 60 dir >out 2>err
[ $? = 1 ] || fail "EACCES is no failure"
same "one failure" errors 1
same "one failure" operations 59
grep -q 'cannot rename .*/new/t0/[nm][0-9]*: ' err || fail "the failure is not named"
nothing_left dir
