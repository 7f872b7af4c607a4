#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# swapped.sh - files and directories replaced while they are measured. Writes do not follow links,
# nothing foreign is removed, and a FIFO does not block a run of -r: everything ends in one line and
# status 3.
# shellcheck disable=SC2015,SC2086,SC3013
: "${top_srcdir:?run the tests with make check}"
# shellcheck source=tests/cli/lib.sh
. "$top_srcdir/tests/cli/lib.sh"

engines=$(iosweep help engines | awk '/^ *(posix|pread|stdio|libaio|io_uring) / { print $1 }')
for engine in $engines; do
	iosweep --quiet --engine $engine --sizes 4k -n 2 -l 64k -s "$work" >"$work/out" 2>&1 ||
		engines=$(echo "$engines" | grep -v "^$engine\$")
done
[ "$(echo "$engines" | wc -l)" -ge 3 ] || fail "too few engines: $engines"

victim="$work/victim"
mkdir "$victim"
for f in f0 f1 f2 f3; do
	dd if=/dev/urandom of="$victim/$f" bs=64k count=1 2>/dev/null || exit 99
done
cp -r "$victim" "$work/copy"

is_there() { # the directories may have blanks in their names
	there_directory=$(dirname "$work")
	(cd "$there_directory" && ls ${1#"$there_directory/"} >/dev/null 2>&1)
}
begun() { [ -s "$work/out" ] && is_there "$start_file"; }
# start FILE ARGS...: a long run; returns once FILE exists and its header is printed
start() {
	start_file=$1
	shift
	: >"$work/out"
	${IOSWEEP_RUN:-} "$IOSWEEP" --quiet --format csv --sizes 4k --time 100s "$@" >"$work/out" \
		2>"$work/err" </dev/null &
	pid=$!
	on_exit "end_child $pid"
	soon "$*: does not begin" begun
}
freeze() { kill -STOP $pid; } # makes the changes atomic for the run
thaw() { kill -CONT $pid; }
ended() { # STATUS WORDS...: the run ends with this status, and says these
	wait $pid
	ended_status=$?
	[ $ended_status = "$1" ] || fail "$what: exit status $ended_status, not $1"
	shift
	for ended_words; do
		grep -q "$ended_words" "$work/err" || fail "$what: not \"$ended_words\""
	done
}
ends() { # the same, in one line
	ended "$@"
	one_line "$work/err"
}

# --- a directory of the run becomes a link to another: nothing is written or removed there
for engine in $engines; do
	for keep in "" --keep-open; do
		what="$engine $keep, a link for d0"
		mkdir "$work/t"
		start "$work/t/iosweep-*/d3/f3" --engine $engine $keep --tests write -l 64k --levels 2 \
			--width 4 "$work/t"
		run_directory=$(echo "$work/t"/iosweep-*)
		freeze
		mv "$run_directory/d0" "$work/moved" && ln -s "$victim" "$run_directory/d0" || fail "mv"
		thaw
		ended 3 "a symbolic link now leads to .*/d0/f" "left in place, not made by iosweep: .*/d0;"
		diff -r "$victim" "$work/copy" >&2 || fail "$what: files of a user were changed"
		[ -L "$run_directory/d0" ] && [ -f "$run_directory/MANIFEST-1" ] &&
			[ "$(ls "$run_directory" | grep -v '^MANIFEST-[1-9]')" = d0 ] || fail "$what: $(ls "$run_directory") is left"
		rm "$run_directory/d0"
		run 0 clean --quiet "$work/t"
		nothing_left "$work/t"
		rm -r "$work/t" "$work/moved"
	done
done

# --- a file becomes a hard link to a user's file, or a directory a user's directory: up to a slice
# may be written to it, but it stays
for engine in $engines; do
	what="$engine, a hard link for f0"
	mkdir "$work/t"
	cp "$victim/f1" "$work/mine"
	chmod 600 "$work/mine" # like those of the run: only its creation distinguishes it
	ln "$work/mine" "$work/name"
	start "$work/t/iosweep-*/f0" --engine $engine --tests write -l 64k -s "$work/t"
	run_directory=$(echo "$work/t"/iosweep-*)
	mv "$work/name" "$run_directory/f0" || fail "mv"
	ended 3 "something else has replaced .*/f0;" "left in place, .*/f0; move it away first: iosweep clean removes"
	[ "$work/mine" -ef "$run_directory/f0" ] || fail "$what: the link was removed"
	rm -r "$work/t" "$work/mine"
done
what="posix, a directory of a user for d0"
mkdir "$work/t"
cp -r "$victim" "$work/mine"
start "$work/t/iosweep-*/d3/f3" --tests write -l 64k --levels 2 --width 4 "$work/t"
run_directory=$(echo "$work/t"/iosweep-*)
freeze
mv "$run_directory/d0" "$work/moved" && mv "$work/mine" "$run_directory/d0" || fail "mv"
thaw
ended 3
[ "$(cd "$run_directory/d0" && echo *)" = "f0 f1 f2 f3" ] || fail "$what: files are removed"
[ -f "$run_directory/MANIFEST-1" ] || fail "$what: the manifest is gone before the directory"
rm -r "$work/t" "$work/moved"

# --- the directory of the run is moved: it cannot be removed, which is reported
what="posix, the directory of the run is moved"
mkdir "$work/t"
start "$work/t/iosweep-*/f0" --tests write -l 64k -s "$work/t"
mv "$work/t"/iosweep-* "$work/moved"
kill -TERM $pid
ended 143 "moved during the run, and left with all test files: .*/t/iosweep-.*; remove it"
[ -f "$work/moved/f0" ] || fail "$what: removed where it is not known to be ours"
rm -r "$work/t" "$work/moved"

# --- a file of the run gets a second name: writes would be visible there
what="posix, a second name for f0"
mkdir "$work/t"
start "$work/t/iosweep-*/f0" --tests write -l 64k -s "$work/t"
ln "$work/t"/iosweep-*/f0 "$work/second"
ends 3 "a second name (hard link) was made for .*/f0;"
nothing_left "$work/t"
rm -r "$work/t" "$work/second"

# --- a file of the run is shortened: writes would extend it, which is not what they measure
what="posix, f0 is shortened"
mkdir "$work/t"
start "$work/t/iosweep-*/f0" --tests write --rate 20 -l 4M -s "$work/t"
freeze
: >"$(echo "$work/t"/iosweep-*/f0)"
thaw
ends 3 "something else has shortened .*/f0;"
nothing_left "$work/t"
rm -r "$work/t"

# --- -r: a FIFO, a link, a directory in place of a file; also where non-waiting reads are
# unsupported (tmpfs) and a ring would wait for the FIFO
shm=$(mktemp -d /dev/shm/iosweep-swapped.XXXXXX 2>/dev/null) && on_exit "rm -rf '$shm'"
[ -n "$shm" ] && [ "$(stat -f -c %T "$shm")" = tmpfs ] || echo "not tried: a FIFO on tmpfs"
mkdir "$work/r"
for engine in $engines; do
	for target in "$work/r" "$work/r/u1" ${shm:+"$shm/r"}; do
		for kind in fifo link; do
			what="$engine -r $target, a $kind"
			directory=${target%/u1}
			rm -rf "$directory" "$directory.new"
			mkdir "$directory"
			for f in u1 u2 u3; do cp "$victim/f1" "$directory/$f"; done
			case $kind in
			fifo)
				mkfifo "$directory.new"
				words="a FIFO has replaced .*/u1;"
				;;
			link)
				ln -s /dev/zero "$directory.new"
				words="a symbolic link has replaced .*/u1;"
				;;
			esac
			start "$directory/u1" -r --engine $engine "$target"
			mv -T "$directory.new" "$directory/u1" || fail "mv"
			ends 3 "$words"
		done
	done
done
if [ -n "$shm" ] && echo "$engines" | grep -q io_uring; then
	for how in '--keep-open' '--depth 8' '--depth 8 --rate 1k' '--depth 8 --io_uring.fixed off' '--io_uring.link'; do
		what="io_uring $how -r on tmpfs, a FIFO"
		rm -rf "$shm/r"
		mkdir "$shm/r"
		cp "$victim/f1" "$shm/r/u1"
		mkfifo "$shm/r.new"
		start "$shm/r/u1" -r --engine io_uring $how "$shm/r"
		mv -T "$shm/r.new" "$shm/r/u1" || fail "mv"
		ends 3 "a FIFO has replaced .*/u1;"
	done
fi

what="-r, a link for a directory"
rm -rf "$work/r"/*
cp -r "$victim" "$work/r/d"
start "$work/r/d/f0" -r "$work/r"
freeze
mv "$work/r/d" "$work/moved" && ln -s "$victim" "$work/r/d" || fail "mv"
thaw
ends 3 "a symbolic link now leads to .*/d/f"

# --- -r: another file in its place can be used as well
what="-r, another file"
rm -rf "$work/r"/*
cp "$victim/f1" "$work/r/u1"
cp "$victim/f2" "$work/new"
start "$work/r/u1" -r "$work/r"
mv "$work/new" "$work/r/u1" || fail "mv"
sleep 1
kill -0 $pid || fail "$what: it ended"
kill -TERM $pid
ends 143 "interrupted"
diff -r "$victim" "$work/copy" >&2 || fail "files of a user were changed"

# --- a manifest made readable for others: the files still belong to the run
what="chmod of a manifest"
mkdir "$work/t2"
run 0 --quiet --tests read --sizes 4k -n 2 -l 16k --levels 2 --width 2 --keep --run-name open "$work/t2"
chmod a+r "$work/t2/iosweep-open"/MANIFEST-*
run 0 --quiet --tests write --sizes 4k -n 2 --reuse open "$work/t2"
grep -q 'not complete' "$work/err" && fail "$what: files are left out"
run 0 clean "$work/t2"
rmdir "$work/t2" || fail "$what: something is left"
