#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# mounts.sh - mounts inside the directory of a run, including bind mounts of the same file system,
# are not emptied, neither at the end of a run nor by clean. The manifest stays until the rest can
# be removed.
: "${top_srcdir:?run the tests with make check}"
# shellcheck source=tests/cli/lib.sh
. "$top_srcdir/tests/cli/lib.sh"
need unshare
[ "$(id -u)" = 0 ] || skip "needs root"
# All mounts are made in a private namespace and vanish with it.
if [ -z "${IN_MOUNT_SPACE:-}" ]; then
	mkdir "$work/a" "$work/b"
	unshare -m mount --bind "$work/a" "$work/b" 2>/dev/null || skip "mount is not permitted"
	IN_MOUNT_SPACE=1 TEST_BOUNDED=1 unshare -m --propagation private sh "$0"
	exit
fi

victim="$work/victim"
target="$work/target"
mkdir "$victim" "$target"
for f in f0 f1 f2 f3 other; do
	echo "data of a user, $f" >"$victim/$f"
done
cp -r "$victim" "$work/copy"
untouched() { diff -r "$victim" "$work/copy" >&2 || fail "$1: files of a user were changed"; }

kept() { # leaves a run, and prints its directory
	run 0 --quiet --keep --tests read --sizes 4k -n 10 -l 64k --levels 2 --width 4 "$target"
	kept_directory=$(echo "$target"/iosweep-*)
}
still_there() {
	[ -f "$kept_directory/MANIFEST-1" ] || fail "$1: the manifest is gone before its directory"
}
blocked() { # the last run of iosweep reports it in one line
	one_line "$work/err"
	grep -q "left in place because it is a mount point: .*$1; unmount it" "$work/err" ||
		fail "it does not say that something is mounted at $1"
}

# clean: a directory, a file, and the whole directory of the run.
kept
mount --bind "$victim" "$kept_directory/d0" || fail "cannot mount"
run 3 clean --quiet "$target"
blocked d0
still_there "directory"
untouched "clean, a directory"
umount "$kept_directory/d0"
run 0 clean "$target"
nothing_left "$target"

kept
mount --bind "$victim/f1" "$kept_directory/d1/f2" || fail "cannot mount"
run 3 clean --quiet "$target"
blocked d1/f2
still_there "file"
untouched "clean, a file"
umount "$kept_directory/d1/f2"
run 0 clean "$target"
nothing_left "$target"

# The mounted directory even looks like a run, with this run's manifests.
kept
cp "$kept_directory"/MANIFEST-* "$victim" && cp "$victim"/MANIFEST-* "$work/copy"
mkdir "$victim/d0" "$work/copy/d0"
cp "$work/copy"/f? "$victim/d0" && cp "$work/copy"/f? "$work/copy/d0"
mount --bind "$victim" "$kept_directory" || fail "cannot mount"
run 3 clean --quiet "$target"
blocked "$(basename "$kept_directory")"
untouched "clean, the whole directory"
umount "$kept_directory"
run 0 clean "$target"
nothing_left "$target"

# -r reads what is on the mount of its directory, and reports the rest.
mkdir "$work/tree" "$work/tree/sub"
echo data >"$work/tree/file"
mount --bind "$victim" "$work/tree/sub" || fail "cannot mount"
run 0 -r --sizes 2 -n 4 "$work/tree"
grep -q 'left out, on other mounts: 1 file or directory; the first: sub$' "$work/err" ||
	fail "a mount in a tree is left out without a word"
umount "$work/tree/sub"

# The end of a run that has all its files.
: >"$work/out"
# shellcheck disable=SC2086
${IOSWEEP_RUN:-} "$IOSWEEP" --quiet --tests read --sizes 4k --time 100s -l 64k --levels 2 --width 4 "$target" \
	>"$work/out" 2>"$work/err" </dev/null &
pid=$!
on_exit "end_child $pid"
soon "the run does not begin" test -s "$work/out" # the header: all files exist
kept_directory=$(echo "$target"/iosweep-*)
mount --bind "$victim" "$kept_directory/d0" || fail "cannot mount"
kill -TERM $pid
wait $pid
status=$?
[ $status = 143 ] || fail "a run with a mount in its directory ends with $status, not 143"
grep -q "left in place because it is a mount point: .*d0; unmount it" "$work/err" ||
	fail "the run does not say that something is mounted at d0"
still_there "end of a run"
untouched "end of a run"
umount "$kept_directory/d0"
run 0 clean "$target"
nothing_left "$target"
untouched "at the end"
