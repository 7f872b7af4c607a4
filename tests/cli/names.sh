#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Tests of names on files: each operation makes the documented calls, as counted by strace; exactly
# the existing names are found; the user's files are untouched, and none of the run's stay.
# shellcheck disable=SC2086 # lists of words
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all

mkdir "$work/dir"
cd "$work" || exit 99
small='--quiet --format csv --levels 2 --width 5 -l 4k --sizes 100 --rounds 1'

# --- stat and list of the run's own files
run 0 $small --tests stat,list -n 40 --threads 2 --cache cached,direct dir
shows 'test cache stat_hits stat_misses list_names throughput_bytes_per_s' 'stat:asis:40:0:: list:asis:::25:'
nothing_left dir

# --- an engine with several tables is one engine
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
run 0 --quiet --format csv -r --tests stat,list --sizes 100k -n 20 tree
shows 'stat_hits list_names' "20: :$(find tree ! -type d | wc -l)"
find tree -exec stat -c '%n %Y %Z' {} + | cmp -s - before || fail "a listing changes something"
run 0 --quiet --format csv -r --tests stat,list --sizes 1 -n 5 tree/a/1
shows 'stat_hits' '5 '
rows 'test == "stat" || notes == "skipped:no_directory"'

# --- missing names are results; other failures are failures
run 0 $small --tests read --keep --run-name gone -n 5 dir
run 0 --quiet --format csv --sizes 100 -r --run-name gone --tests stat -n 50 dir
shows stat_hits 50
find dir -name 'f[0-9]*' -type f -delete
run 0 --quiet --format csv --sizes 100 -r --run-name gone --tests stat -n 50 dir
shows 'stat_hits stat_misses errors' 0:50:0
run 0 clean --run-name gone dir
nothing_left dir

# --- unsupported tests are skipped together with supported ones, otherwise refused
run 0 $small --tests stat,list --engine posix,stdio -n 3 dir
shows 'test engine' 'stat:posix stat:stdio list:posix list:stdio'
rows 'engine == "posix" || notes == "skipped:not_by_engine"'
run 0 $small --tests stat --engine stdio,posix -n 3 dir
rows 'engine == "posix" || notes == "skipped:not_by_engine"'
refuses 2 '' $small --tests stat --engine stdio dir
refuses 2 '' --quiet -r --tests rename dir
nothing_left dir

# --- new files: as many as operations, of that size, each phase timed; no others are created
run 0 $small --tests create -n 10/thread --threads 4 --keep --run-name made dir
shows operations 40
for thread in 0 1 2 3; do
	[ "$(find dir/iosweep-made/new/t$thread -name 'n*' | wc -l)" = 10 ] || fail "not 10 files of each thread"
done
rows 'open_ns_mean != "" && transfer_ns_mean != "" && close_ns_mean != ""'
[ "$(find dir/iosweep-made/new -type f -size -2 -name 'n*' | wc -l)" = 40 ] || fail "not 40 files of 100 bytes"
[ "$(find dir/iosweep-made -type f -size 100c | wc -l)" = 40 ] || fail "not 40 files of 100 bytes"
[ "$(find dir/iosweep-made -type f ! -name 'MANIFEST-*' | wc -l)" = 40 ] || fail "other files are there as well"
echo mine >dir/iosweep-made/new/t1/mine
mkdir dir/iosweep-made/new/t2/n7x
ln -s "$work/tree/a/1" dir/iosweep-made/new/t3/n4711
run 3 clean --run-name made dir
expect_reported 'not made by iosweep'
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
	run 0 $small --tests create -n 9 --keep --run-name made dir
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
noted partial:1/3
run 3 clean --all dir
foreign clean
[ -e $old/MANIFEST-1 ] && [ -e $new/../../MANIFEST-1 ] && [ ! -e $old/f1 ] || fail "clean left or took something else"
rm $new/n4711 $new/n0 $old/f0 $old/f2
run 0 clean --all dir
nothing_left dir

# --- with and without other tests, bypassing the cache, verified, scheduled, larger than -l
run 0 $small --tests create,read,delete,list -n 30 --threads 3 dir
shows 'test operations list_names' 'create:30: read:30: delete:30: list:30:25'
rows 'test != "delete" || throughput_bytes_per_s == ""'
nothing_left dir
run 0 --quiet --format csv --tests create,delete --sizes 8k,64k -l 4k -n 9 --cache cached,uncached dir
shows operations '9 9 9 9 9 9'
nothing_left dir
run 0 --quiet --format csv --tests create --sizes 1,4k,100k -l 100k --verify -n 20 --threads 2 dir
shows errors_wrong '0 0 0'
run 0 --quiet --format csv --tests create,delete --sizes 100 --rate 1000 -n 20 --sync end --time 1000s dir
shows operations '20 20'
run 0 --quiet --format csv --tests create,delete --sizes 100 --time 100ms --threads 2 --interval 50ms --series series dir
nothing_left dir

# --- there and back, an odd number of times: all have their names again; copies are correct
run 0 $small --tests rename,copy -n 33 --threads 2 --verify --keep --run-name moved dir
shows 'test operations errors_wrong' 'rename:33: copy:33:0'
rows 'test == "rename" ? throughput_bytes_per_s == "" : open_ns_mean != "" && transfer_ns_mean != "" && close_ns_mean != ""'
[ -z "$(find dir -name 'm[0-9]*')" ] || fail "files have not got their names back"
[ "$(find dir/iosweep-moved/new -name '[nc]*' -size 100c 2>/dev/null | wc -l)" = $((33 + 128)) ] ||
	fail "not 33 copies and 128 files to be renamed"
run 0 --quiet -r --verify --sizes 100 -n 40 --run-name moved dir
run 0 clean --run-name moved dir
nothing_left dir
begin() { # ARGS...: until it is ended
	"$IOSWEEP" --quiet --format csv --columns all --sizes 1k --time 60s "$@" dir >out 2>err &
	begun=$!
	on_exit "end_child $begun"
}
stopped() {
	kill -TERM $begun
	wait $begun
	[ $? = 143 ] || fail "SIGTERM is not status 143"
}
begin --tests rename --keep --run-name cut
moving() { [ -n "$(find dir -name 'm[0-9]*' 2>/dev/null | head -1)" ]; }
soon "nothing is renamed" moving
stopped
[ -z "$(find dir -name 'm[0-9]*')" ] || fail "after a signal files have not got their names back"
[ "$(find dir -name 'n[0-9]*' | wc -l)" = 64 ] || fail "files to be renamed are gone"
run 0 clean --run-name cut dir
begin --tests rename
soon "nothing is renamed" moving
is_job $begun && ! is_job $$ || fail "a job of this shell is not told from another process"
end_child $begun
wait $begun 2>/dev/null
! is_job $begun || fail "a job that has ended is taken for one that runs"
run 0 clean --all dir
nothing_left dir

# --- in fragments: the data are the same for any lengths
for fragment in 10 0 1k; do
	run 0 --quiet --format csv --levels 1 --width 2 -l 4k --tests append --sizes 105,4k --call-size $fragment -n 20 --rounds 1 \
		--verify --keep --run-name bits dir
	shows 'operations errors_wrong' '20:0 20:0' "fragments of $fragment"
	[ "$(find dir -name 'n*' -size 105c | wc -l)" = 20 ] || fail "fragments of $fragment: not 20 files of 105 bytes"
	run 0 clean --run-name bits dir
done
refuses 2 '' $small --tests create --call-size 0 dir
nothing_left dir

# --- what cannot be written is a failure, and leaves no file
(
	ulimit -f 16 # of 512 bytes, or 1024
	trap '' XFSZ
	exec "$IOSWEEP" --quiet --format csv --tests create --sizes 100,64k -n 5 --rounds 1 --max-errors 0 --keep --run-name limit dir
) >out 2>err
[ $? = 1 ] || fail "files beyond a limit do not fail the run"
shows 'operations errors' '5:0 0:5'
[ "$(find dir/iosweep-limit/new -type f | wc -l)" = 5 ] || fail "half of a file is kept"
run 0 clean --run-name limit dir

# --- killed at any moment: clean removes the rest
for pause in 0.01 0.05 0.2 0.4; do
	begin --tests create,delete --threads 2
	sleep $pause
	end_child $begun
	wait $begun 2>/dev/null
	run 0 clean --all dir
	nothing_left dir
done
begin --tests create,delete --threads 2
any_made() { [ -n "$(find dir -name 'n*' -path '*/new/*' 2>/dev/null | head -1)" ]; }
soon "no file is made" any_made
stopped
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
	strace -f -o trace -e trace=newfstatat,getdents64,openat,openat2,unlinkat,write,fsync,close,renameat,copy_file_range "$IOSWEEP" $small "$@" >out 2>err ||
		skip "strace does not work here"
}
calls() { grep -c "$1" trace; }
# are NUMBER CALL WHAT
are() { [ "$(calls "$2")" = "$1" ] || fail "$3: $(calls "$2") calls $2, not $1"; }
traced --tests stat -n 200 --sizes 1 dir
are 200 'newfstatat(.*"d[0-4]/f[0-4]"' "200 operations"
traced --tests list -n 30 --sizes 1 dir
[ "$(calls getdents64)" -ge $((30 * 12)) ] && [ "$(calls getdents64)" -lt $((30 * 12 + 60)) ] ||
	fail "30 listings of 6 directories are $(calls getdents64) calls of getdents64"
traced --tests create,delete -n 50 --sync end dir
are 100 'openat(.*"n[0-9]*".*O_EXCL' "50 creations and 50 files to be removed"
are 100 'unlinkat(.*"n[0-9]*"' "50 deletions, and 50 of what was created"
are 150 'fsync(' "two flushes of a creation and one of a deletion"
traced --tests append --sizes 105 --call-size 10 -n 8 dir
are 80 'write(.*, 10) *= 10$' "105 bytes in fragments of 10"
are 8 'write(.*, 5) *= 5$' "105 bytes in fragments of 10"
traced --tests rename,copy -n 33 dir
are 66 'renameat(' "33 renames, and 33 back"
are 33 'copy_file_range(' "33 copies"
strace -f -o trace -e inject=copy_file_range:error=EXDEV "$IOSWEEP" $small --columns all --tests copy -n 20 --verify dir >out 2>err ||
	fail "no other way to copy"
shows 'operations errors_wrong' 20:0
# the storage fails: counted, reported, and the run fails; what was made is removed nevertheless
strace -f -o trace -e inject=unlinkat:error=EIO:when=3+40 "$IOSWEEP" $small --max-errors 0 --tests delete -n 60 dir >out 2>err
[ $? != 0 ] || fail "EIO is no failure"
grep -q 'cannot remove .*/new/t0/n[0-9]*: ' err || fail "the failure is not named"
run 0 clean --all dir
strace -f -o trace -e inject=renameat:error=EACCES:when=5 "$IOSWEEP" $small --max-errors 0 --tests rename -n 60 dir >out 2>err
[ $? = 1 ] || fail "EACCES is no failure"
shows 'operations errors' 59:1
grep -q 'cannot rename .*/new/t0/[nm][0-9]*: ' err || fail "the failure is not named"
nothing_left dir
