#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# filesystems.sh - the same sweep on every kind of file system: all rows, nothing left, the cache in
# the requested state according to the kernel's own accounts, O_DIRECT aligned as the device
# requires or refused with advice; read-only file systems and block devices are only read.
# shellcheck disable=SC2086,SC2317
# (no quotes: lists of words; the makers are called by name)
: "${top_srcdir:?run the tests with make check}"
# shellcheck source=tests/cli/lib.sh
. "$top_srcdir/tests/cli/lib.sh"
row_columns=all
need awk truncate
need_root

files="-l 1Mi --levels 2 --quiet"
kinds=

# --- file systems. Images are sparse: only written data take space.

try() { # NAME, and the command that makes it; adds the name to $kinds or reports that it is skipped
	mkdir "$work/$1"
	if "make_$1" "$work/$1" >"$work/out" 2>"$work/err"; then
		on_exit "umount -l '$work/$1' 2>/dev/null"
		kinds="$kinds $1"
	else
		echo "not tried: $1 ($(tail -1 "$work/err"))"
	fi
}
has() { echo "$kinds " | grep -q " $1 "; }
image() { truncate -s 400M "$work/$1.image"; }
make_ext4() { image ext4 && mkfs.ext4 -q "$work/ext4.image" && mount -o loop "$work/ext4.image" "$1"; }
make_xfs() { image xfs && mkfs.xfs -q "$work/xfs.image" && mount -o loop "$work/xfs.image" "$1"; }
make_btrfs() { image btrfs && mkfs.btrfs -q "$work/btrfs.image" && mount -o loop "$work/btrfs.image" "$1"; }
make_tmpfs() { mount -t tmpfs -o size=200m none "$1"; }
make_ramfs() { mount -t ramfs none "$1"; }
make_blocks4k() {
	image blocks4k || return
	blocks4k=$(losetup -b 4096 --show -f "$work/blocks4k.image") || return
	on_exit "losetup -d $blocks4k 2>/dev/null"
	mkfs.ext4 -q "$blocks4k" && mount "$blocks4k" "$1"
}
make_overlay() { # on ext4
	has ext4 && mkdir "$work/ext4/upper" "$work/ext4/lower" "$work/ext4/workdir" &&
		mount -t overlay -o "lowerdir=$work/ext4/lower,upperdir=$work/ext4/upper,workdir=$work/ext4/workdir" \
			none "$1"
}
for kind in ext4 xfs btrfs tmpfs ramfs blocks4k overlay; do
	try $kind
done
[ -n "$kinds" ] || skip "no file system can be made"

nothing_of_ours() { # DIR
	[ -z "$(find "$1" -name 'iosweep-*' 2>/dev/null)" ] || fail "left behind: $(find "$1" -name 'iosweep-*')"
}

# check WHAT ROWS EXPRESSION: true of each of so many rows in $work/out, with columns as words
check() {
	rows "$3"
	[ "$(wc -l <"$work/out")" -eq $(($2 + 1)) ] || fail "$1: not $2 rows"
}

# --- the default sweep: 24 consistent rows. Two at a time, on separate file systems.

sweep() {
	iosweep $files --rounds 3 "$work/$1" >"$work/$1.csv" 2>"$work/$1.err" || echo "$1: exit status $?"
}
{
	for kind in $kinds; do
		case $kind in
		ext4 | tmpfs | blocks4k) sweep $kind ;;
		esac
	done &
	for kind in $kinds; do
		case $kind in
		xfs | btrfs | ramfs) sweep $kind ;;
		esac
	done
	wait
	for kind in $kinds; do # on the ext4 measured before
		[ $kind != overlay ] || sweep $kind
	done
} >"$work/failures"
[ ! -s "$work/failures" ] || fail "$(cat "$work/failures" "$work"/*.err)"
for kind in $kinds; do
	cp "$work/$kind.csv" "$work/out"
	cp "$work/$kind.err" "$work/err"
	nothing_of_ours "$work/$kind"
	check $kind 24 'time_s > 0 && operations >= 4 && errors == 0 && notes !~ /incomplete|not_cached|cache_hits/ &&
		(throughput_bytes_per_s * time_s / operations / size_bytes - 1) ^ 2 < 1e-6 &&
		resident_fraction != "" && resident_fraction >= 0.95'
	case $kind in
	tmpfs | ramfs) rows 'device_bytes == ""' ;;
	*) rows 'test != "read" || device_bytes != "" &&
		device_bytes <= 0.05 * operations * (size_bytes < 4096 ? 4096 : size_bytes) + 65536' ;; # occasionally metadata
	esac
done

# --- bypassing the cache

for kind in $kinds; do
	case $kind in
	tmpfs | ramfs) continue ;;
	esac
	run 0 $files --cache uncached --tests read -n 50 --sizes 2,512,4k,64k "$work/$kind"
	check "$kind uncached" 4 'device_bytes != "" && cache_hit_fraction <= 0.01 && notes !~ /cache_hits/ &&
		device_bytes >= 0.99 * operations * (size_bytes < 4096 ? 4096 : size_bytes) &&
		resident_fraction != "" && resident_fraction <= 0.1'

	run 0 $files -b -n 50 --sizes 2,512,4k,64k "$work/$kind"
	nothing_of_ours "$work/$kind"
	case $kind in
	blocks4k | btrfs) align=4096 ;;
	*) align=512 ;;
	esac
	moved="(50 * (size_bytes < $align ? $align : size_bytes))"
	check "$kind direct" 8 "errors == 0 && errors_short == 0 && operations == 50 && notes !~ /cache_hits/ &&
		(size_bytes < $align) == ((\";\" notes \";\") ~ (test == \"write\" ? \";rmw;\" : \";covered;\")) &&
		align_bytes % $align == 0 && device_bytes != \"\" && device_bytes >= $moved &&
		(test != \"read\" || device_bytes <= $moved * 1.1 + 65536) && resident_fraction <= 0.05 &&
		(throughput_bytes_per_s * time_s / 50 / size_bytes - 1) ^ 2 < 1e-6" # and counts only what was asked for
done

# btrfs accepts any alignment, and serves requests smaller than its sectors from its cache: also for
# a file just written, and one with holes, where no read reveals the right one.
if has btrfs; then
	head -c 1048576 /dev/urandom >"$work/btrfs/fresh"
	run 0 --quiet -r -b -n 20 --sizes 512 "$work/btrfs/fresh"
	check "btrfs fresh" 1 'align_bytes == 4096 && device_bytes >= 20 * 4096 && device_bytes <= 20 * 4096 * 1.1 + 65536'
	dd if=/dev/urandom of="$work/btrfs/holes" bs=512 count=1 2>/dev/null
	dd if=/dev/urandom of="$work/btrfs/holes" bs=1048576 seek=1 count=4 2>/dev/null
	sync "$work/btrfs/holes"
	run 0 --quiet -r -b -n 20 --sizes 512,4k "$work/btrfs/holes"
	check "btrfs holes" 2 'align_bytes == 4096 && (size_bytes == 512) == (notes ~ /covered/)'
	rm "$work/btrfs/fresh" "$work/btrfs/holes"
fi

if has blocks4k; then
	run 0 $files -b --small skip -n 5 --sizes 512,4k "$work/blocks4k"
	check "skipped" 4 '(size_bytes == 512) == (notes ~ /skipped/)'
fi

# File systems in memory: the cache cannot be bypassed, which is noted or refused with advice.
for kind in tmpfs ramfs; do
	has $kind || continue
	iosweep $files -b -n 5 --sizes 512,4k "$work/$kind" >"$work/out" 2>"$work/err"
	status=$?
	nothing_of_ours "$work/$kind"
	case $kind-$status in
	tmpfs-0)
		check $kind 4 'notes ~ /cache_hits/ && device_bytes == ""'
		;;
	*-3)
		one_line "$work/err"
		grep -q 'O_DIRECT is refused .*--cache' "$work/err" || fail "$kind: no advice"
		[ ! -s "$work/out" ] || fail "$kind: rows in spite of the refusal"
		# it does not support --cache uncached
		refuses 3 'O_DIRECT is refused .*; use --cache cached$' \
			--quiet -l 1Mi --tests fill --cache direct "$work/$kind"
		nothing_of_ours "$work/$kind"
		;;
	*) fail "$kind: exit status $status" ;;
	esac
	# ramfs has no limit but memory; this limit is for a program unaware of that
	(ulimit -f 1000000 2>/dev/null && run 3 --quiet -s -l 1P "$work/$kind") || exit 1
	one_line "$work/err"
	grep -q ' are needed, .* are free' "$work/err" || fail "$kind: 1 PiB is not refused"
	nothing_of_ours "$work/$kind"
	run 0 $files --cache uncached --tests read -n 5 --sizes 512,4k "$work/$kind"
	check "$kind uncached" 2 'notes ~ /cache_hits/'
done

# --- read-only

has ext4 || skip "the rest needs ext4"
umount "$work/overlay" 2>/dev/null
mkdir "$work/ext4/data"
for file in 1 2 3; do
	dd if=/dev/urandom of="$work/ext4/data/$file" bs=64k count=8 2>/dev/null
done
mount -o remount,ro "$work/ext4" || fail "remount"
refuses 3 'Read-only file system; use -r' --quiet -l 1P "$work/ext4"
run 0 --quiet -r -n 50 --sizes 512,64k --cache cached,uncached,direct "$work/ext4/data"
check "read-only" 6 'test == "read" && errors == 0 && (cache == "cached" || device_bytes >= 50 * 512)'
refuses 3 'cannot write to .*Read-only file system' \
	--quiet --overwrite --tests write "$work/ext4/data/1"

# --- block devices

disk=$(losetup -n -O NAME -j "$work/ext4.image" | head -1 | tr -d ' ')
[ -b "$disk" ] || fail "no loop device of the image"
sum() { cksum <"$work/ext4.image"; }
before=$(sum)
refuses 3 'mounted or in use, so not written to' --quiet --destroy-data "$disk"
run 0 --quiet -r -n 5 --sizes 4k "$disk" # reading it is harmless
umount "$work/ext4" || fail "umount"
[ "$(sum)" = "$before" ] || fail "a mounted device was written"

# shellcheck disable=SC2016
on_exit 'losetup -j "$work/ext4.image" | cut -d: -f1 | xargs -r losetup -d 2>/dev/null'
disk=$(losetup --show -f "$work/ext4.image") || fail "losetup"
run 0 -n 50 --sizes 512,4k --cache cached,uncached,direct "$disk"
grep -q 'only read; no write test' "$work/err" || fail "not said that writes are left out"
check "device" 6 'test == "read" && errors == 0 &&
	(cache == "cached" ? notes !~ /not_cached/ && resident_fraction >= 0.9 : device_bytes >= 50 * 512)'
for option in "--tests write" "--overwrite --tests write,read"; do
	want=3 # refused by the target; but --overwrite fits no device at all
	[ "$option" = "--tests write" ] || want=2
	iosweep --quiet $option -n 5 --sizes 4k "$disk" >"$work/out" 2>"$work/err"
	status=$?
	[ $status -eq $want ] || fail "$option: exit status $status"
	one_line "$work/err"
	grep -q -e '--destroy-data' "$work/err" || fail "$option: no advice"
done
[ "$(sum)" = "$before" ] || fail "the device was written"
run 0 --quiet --destroy-data --dry-run "$disk"
[ "$(sum)" = "$before" ] || fail "the device was written in a dry run"
run 0 --quiet --destroy-data -n 50 --sizes 512,4k --cache cached,direct "$disk"
check "device" 8 'errors == 0'
[ "$(column test | grep -c write)" = 4 ] || fail "not four rows of writes"
sync
[ "$(sum)" != "$before" ] || fail "nothing was written"
for test in create:no_directory fill:no_new_file; do
	run 3 --destroy-data --quiet --tests ${test%:*} "$disk"
	grep -q "nothing can be measured: skipped:${test#*:}; iosweep help skipped:" "$work/err" || fail "$test: no reason"
done
losetup -d "$disk"
disk=$(losetup -r --show -f "$work/ext4.image") || fail "losetup -r"
refuses 3 'cannot write to .*Read-only file system; use -r' --quiet --destroy-data "$disk"
run 0 --quiet -n 5 --sizes 4k "$disk"
if [ -z "${IOSWEEP_RUN:-}" ] && strace -o "$work/trace" true 2>/dev/null; then # as in a container without access to the device
	IOSWEEP_RUN="strace -f -qq -o $work/trace -e trace=openat -e inject=openat:error=EPERM -P $disk"
	run 3 --quiet "$disk"
	IOSWEEP_RUN=
	one_line "$work/err"
	grep -q 'Operation not permitted; containers may open only devices' "$work/err" || fail "a container: no advice"
fi
