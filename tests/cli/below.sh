#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# below.sh - targets that are not on a device of this machine: heading, verdict and notes
# name the file system and who may still cache, and mention neither device nor SSD; why cached rows
# were not served by the page cache; and that reads of zeros are reported.
: "${top_srcdir:?run the tests with make check}"
# shellcheck source=tests/cli/lib.sh
. "$top_srcdir/tests/cli/lib.sh"

named() { # DIR NAME KEEPER
	run 0 --format table -b --tests read --sizes 4k -n 20 -s -l 64k "$1"
	grep -q "^read .* $2 (O_DIRECT); its $3 may cache" "$work/out" || fail "$2: another heading"
	run 0 -b --tests read --sizes 4k -n 20 -s -l 64k "$1"
	value notes | grep -q cache_below || fail "$2: no note"
	run 0 --brief --format table -b --tests read --sizes 4k -n 20 -s -l 64k "$1"
	grep -q "($2; its $3 may cache).*: 4 KiB reads take" "$work/err" || fail "$2: another verdict"
	! grep -v '^# /' "$work/out" "$work/err" | grep -Eqi 'ssd|hard disk|the device|[^p] device' || fail "$2: words of a device"
}

if mount_faulty; then
	fuse=FUSE # older kernels do not report the connection of /dev/fuse
	! grep -qs fuse_connection "/proc/$faulty_pid/fdinfo/"* || fuse="FUSE faulty"
	named "$work/mnt" "$fuse" daemon
	run 0 --cache cached --tests read --sizes 4k -n 20 -s -l 64k "$work/mnt"
	value notes | grep -q not_cached || fail "no page cache: notes $(value notes)"
	grep -q 'the file system does not use the page cache' "$work/err" || fail "no page cache: another cause"
	echo all:paged:1 >"$work/mnt/.faults"
	run 0 --cache cached --tests read --sizes 4k -n 20 -s -l 64k "$work/mnt"
	value notes | grep -q not_cached || fail "dropped at each open: notes $(value notes)"
	grep -q 'the file system drops' "$work/err" || fail "dropped at each open: another cause"
	! grep -q 'memory cannot hold' "$work/err" || fail "dropped at each open: memory is blamed"
	echo '' >"$work/mnt/.faults"
	# a hole that nothing reports
	truncate -s 1M "$work/back/hole"
	run 0 -r --cache direct --tests read --sizes 4k -n 20 "$work/mnt/hole"
	value notes | grep -q zeros || fail "zeros: notes $(value notes)"
	grep -q ' contains mostly zeros: ' "$work/err" || fail "zeros: no finding"
	run 0 -r --brief --format csv --tests read --sizes 4k -n 20 -b "$work/mnt/hole"
	! grep -q 'answers like' "$work/err" || fail "zeros: a verdict"
	rm "$work/back/hole"
	# lists that leave out what is there: it is removed by name
	run 0 --keep --run-name r --levels 2 --width 2 --tests write --sizes 4k -n 4 -l 4k "$work/mnt"
	[ -f "$work/back/iosweep-r/d1/f1" ] || fail "lists: no run"
	echo all:hide:1 >"$work/mnt/.faults"
	[ "$(ls "$work/mnt/iosweep-r")" = "$(cd "$work/back/iosweep-r" && ls MANIFEST-*)" ] ||
		fail "lists: nothing is left out"
	run 0 clean "$work/mnt"
	[ -z "$(ls "$work/back")" ] || fail "lists: something is left"
	# lists that never end are given up; what is left is found again
	echo '' >"$work/mnt/.faults"
	run 0 --keep --run-name r --levels 2 --width 2 --tests write --sizes 4k -n 4 -l 4k "$work/mnt"
	echo all:endless:1 >"$work/mnt/.faults"
	run 3 clean --run-name r "$work/mnt"
	grep -q 'too many names are listed in .*/iosweep-r/d[01]; check the file system' "$work/err" ||
		fail "endless lists: $(cat "$work/err")"
	echo '' >"$work/mnt/.faults"
	run 0 clean "$work/mnt"
	[ -z "$(ls "$work/back")" ] || fail "endless lists: something is left"
	# so are names that stay after their removal
	run 0 --keep --run-name r --levels 2 --width 2 --tests write,create --sizes 4k -n 4 -l 4k "$work/mnt"
	echo all:stay:1 >"$work/mnt/.faults"
	run 3 clean "$work/mnt"
	grep -q 'still there after its removal: .*/iosweep-r/' "$work/err" || fail "without effect: $(cat "$work/err")"
	echo '' >"$work/mnt/.faults"
	run 0 clean "$work/mnt"
	[ -z "$(ls "$work/back")" ] || fail "removals without effect: something is left"
	# inode numbers that change all the time: the run knows its directory by the manifest
	echo all:renumber:1 >"$work/mnt/.faults"
	run 0 --levels 1 --width 2 --tests write,create --sizes 4k -n 4 -l 4k "$work/mnt"
	echo '' >"$work/mnt/.faults"
	[ -z "$(ls "$work/back")" ] || fail "inode numbers: something is left"
else
	echo "not tried: FUSE ($why)"
fi
dd if=/dev/urandom of="$work/data" bs=64k count=4 2>/dev/null
run 0 -r --cache cached --tests read --sizes 4k -n 20 "$work/data"
! value notes | grep -q zeros || fail "data are called zeros"

need_root
mkdir "$work/upper" "$work/lower" "$work/workdir" "$work/merged" "$work/mounted"
if mount -t overlay -o "lowerdir=$work/lower,upperdir=$work/upper,workdir=$work/workdir" none \
	"$work/merged" 2>/dev/null; then
	on_exit "umount '$work/merged'"
	named "$work/merged" overlay "file system"
fi
need losetup mkfs.ext4
truncate -s 32M "$work/image"
loop=$(losetup --show -f "$work/image" 2>/dev/null) && [ -b "$loop" ] || skip "no loop device is to be had"
on_exit "losetup -d $loop"
run 0 -r --quick --format csv "$loop" # a new thin volume
! grep -Eq 'answers like' "$work/err" || fail "zeros of a device: a verdict"
value notes | grep -q zeros || fail "zeros of a device: notes $(value notes)"
mkfs.ext4 -q "$work/image" && mount "$loop" "$work/mounted" || fail "mount"
on_exit "umount '$work/mounted'"
named "$work/mounted" "loop device" "file system"
