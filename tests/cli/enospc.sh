#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# enospc.sh - no space, at any time: test files that do not fit are refused before anything is
# created; a failure half-way (another writer, a limit, a quota) leaves nothing; a full disk under
# the results ends the run in one line; a sweep continues while others fill the disk.
# shellcheck disable=SC2086 # lists of words
: "${top_srcdir:?run the tests with make check}"
# shellcheck source=tests/cli/lib.sh
. "$top_srcdir/tests/cli/lib.sh"
need awk

mkdir "$work/target"
small="-l 256Ki --levels 2 --quiet"
free_mib() { df -Pk "$1" | awk 'NR == 2 { printf "%d", $4 / 1024 }'; }
fill_up() { # fills file system $1 completely
	cat /dev/zero >"$1/filler" 2>/dev/null
	dd if=/dev/zero bs=512 count=1000 >>"$1/filler" 2>/dev/null
}
whole_rows() { # FILE ROWS: a header and that many rows, all of the same number of fields
	awk -F, -v rows="$2" 'NR == 1 { n = NF } NF != n || NF < 5 { bad = 1 }
		END { exit bad || NR != rows + 1 }' "$1" || fail "not a header and $2 whole rows: $1"
}

# --- results that cannot be written

for format in csv json table classic; do
	refuses 1 '/dev/full: No space left on device' \
		$small --format $format -n 5 -o /dev/full "$work/target"
	nothing_left "$work/target"
	iosweep $small --format $format -n 5 "$work/target" >/dev/full 2>"$work/err"
	status=$?
	[ $status = 1 ] || fail "$format to a full standard output: exit status $status"
	one_line "$work/err"
	grep -q 'standard output: No space left on device' "$work/err" || fail "$format: the message gives no reason"
	nothing_left "$work/target"
done
# The reason is reported, however many bytes are left for the last flush.
label=xxxxxxxxxxxxxxxx
for length in 1 2 3 4 5 6; do
	label=$label$label
	iosweep $small --format json --label "$label" -n 5 "$work/target" >/dev/full 2>"$work/err"
	one_line "$work/err"
	grep -q 'standard output: No space left on device' "$work/err" || fail "length $length: the message gives no reason"
done
for results in "$work/results" /dev/full; do # whichever fails first, the others follow
	refuses 1 ': No space left on device' \
		$small -n 5 --series /dev/full -o "$results" "$work/target"
	nothing_left "$work/target"
done
refuses 1 '/dev/full: No space left on device' $small -n 5 --series /dev/full "$work/target"
nothing_left "$work/target"
for words in --help --version 'help engines' 'help columns'; do
	iosweep $words >/dev/full 2>"$work/err"
	[ $? = 1 ] || fail "$words to a full disk: not status 1"
	one_line "$work/err"
done
[ -c /dev/full ] || fail "/dev/full was removed"

# --- a limit on the size of files

(
	ulimit -f 2048 2>/dev/null || exit 0 # 1 MiB, or 2 in some shells
	refuses 3 'cannot fill .*/f0.*File too large.*ulimit -f' \
		-l 4Mi --levels 1 --quiet "$work/target"
	nothing_left "$work/target"
) || exit 1

# --- larger than the free space: refused, and the directory is not even touched

free=$(free_mib "$work")
if [ "$free" -gt 0 ]; then
	touched=$(stat -c %Z "$work/target" 2>/dev/null)
	refuses 3 'are needed, .* are free' --quiet -s -l "$((free * 2))Mi" "$work/target"
	nothing_left "$work/target"
	[ "$(stat -c %Z "$work/target" 2>/dev/null)" = "$touched" ] || fail "the directory was changed"
else
	echo "not tried: a set of files that is larger than the free space, which is not known here"
fi

# --- private file systems

need_root
scratch() { # NAME OPTIONS: a mounted tmpfs
	mkdir "$work/$1"
	mount -t tmpfs -o "$2" none "$work/$1" || fail "mount"
	on_exit "umount -l '$work/$1' 2>/dev/null"
}

scratch tiny size=40m,nr_inodes=100
# The default of 256 MiB; 64 of 600 Ki, which fit, but without a tenth to spare.
for length in 4Mi 600Ki; do
	touched=$(stat -c %Z "$work/tiny")
	sleep 0.02
	refuses 3 'No space left on device; .* are needed, .* more than are free' \
		--quiet -l $length "$work/tiny"
	nothing_left "$work/tiny"
	[ "$(stat -c %Z "$work/tiny")" = "$touched" ] || fail "the directory was changed"
done
refuses 3 'too few free inodes' --quiet -l 4Ki -M 4Ki --levels 5 --width 3 "$work/tiny"
nothing_left "$work/tiny"
run 0 --quiet -l 500Ki -n 5 -M 4 "$work/tiny" # fits
nothing_left "$work/tiny"
# Space of a run to be replaced is available to the new one: blocks, and inodes.
for length in 500Ki 4Ki; do
	run 0 --quiet -l $length -n 5 -M 4 --keep --run-name one "$work/tiny"
	run 3 --quiet -l $length -n 5 -M 4 --run-name two "$work/tiny"
	grep -q -e 'are needed, .* are free' -e 'too few free inodes' "$work/err" || fail "there is room for both"
	run 0 --quiet -l $length -n 5 -M 4 --replace --dry-run --run-name one "$work/tiny"
	run 0 --quiet -l $length -n 5 -M 4 --replace --run-name one "$work/tiny"
	nothing_left "$work/tiny"
done

# A limit reached while writing, since nothing is reserved in memory.
(
	ulimit -f 512 2>/dev/null || exit 0
	refuses 3 'cannot fill .* at offset [1-9].*File too large' \
		-l 2Mi --levels 1 --quiet "$work/tiny"
	nothing_left "$work/tiny"
) || exit 1

# Results on a full file system, test files elsewhere; and where not even the file can be created.
scratch full size=1m,nr_inodes=4
fill_up "$work/full"
refuses 1 'results.csv: No space left on device' \
	$small -n 5 -o "$work/full/results.csv" "$work/target"
nothing_left "$work/target"
touch "$work/full/one" "$work/full/two" "$work/full/three" "$work/full/four" 2>/dev/null
iosweep $small -n 5 -o "$work/full/more.csv" "$work/target" >"$work/out" 2>"$work/err"
status=$?
[ $status != 0 ] || fail "no inode for the results: exit status $status"
one_line "$work/err"
nothing_left "$work/target"

# --- a disk to which others write

need mkfs.ext4 losetup
truncate -s 64M "$work/image"
mkfs.ext4 -q -m 0 "$work/image" 2>/dev/null || fail "mkfs.ext4"
mkdir "$work/disk"
mount -o loop "$work/image" "$work/disk" 2>/dev/null || skip "loop devices cannot be mounted"
on_exit "umount -l '$work/disk' 2>/dev/null"
rmdir "$work/disk/lost+found"

# fills DIR FILE [SIGNAL]: its file system, once FILE has content, until the run that has just begun in
# the background ends, by the signal or by itself; $status
fills() {
	fills_run=$!
	soon "nothing appears in $2" test -s "$2"
	fill_up "$1"
	[ -z "${3:-}" ] || kill "-$3" $fills_run
	wait $fills_run
	status=$?
	rm "$1/filler"
}

# The disk fills while test files are being created (slowly, through strace).
if command -v strace >/dev/null && [ -z "${IOSWEEP_RUN:-}" ] &&
	strace -f -o "$work/probe" true 2>/dev/null; then
	LSAN_OPTIONS=detect_leaks=0 strace -f -qq -o "$work/trace" -e trace=fallocate -e inject=fallocate:delay_enter=500000 \
		"$IOSWEEP" -l 600Ki --quiet "$work/disk" >"$work/out" 2>"$work/err" &
	fills "$work/disk" "$work/trace"
	[ $status = 3 ] || fail "full while filling: exit status $status"
	one_line "$work/err"
	grep -q 'cannot fill .*iosweep-.*/f[0-3].*No space left on device; make room' "$work/err" ||
		grep -q 'cannot create .*No space left on device; make room' "$work/err" || fail "the message gives no reason"
	[ ! -s "$work/out" ] || fail "results from half a set of files"
	nothing_left "$work/disk"
else
	echo "not tried, no strace: full while filling"
fi

# The disk fills during the sweep: existing files can be used; all rows are measured.
: >"$work/out"
iosweep -l 256Ki --max-time 3s "$work/disk" >"$work/out" 2>"$work/err" &
fills "$work/disk" "$work/out"
# On a busy machine the time may end before all rows are done; nothing else may go wrong.
[ $status = 0 ] || { [ $status = 1 ] && grep -q -e '--max-time' "$work/err" && ! grep -q failed "$work/err"; } ||
	fail "full in the sweep: exit status $status"
[ $status = 1 ] || whole_rows "$work/out" 20
nothing_left "$work/disk"

# Results on the same disk, which fills up: what was written stays, the run ends at once.
iosweep -l 256Ki -o "$work/disk/results.csv" --time 0.05s --rounds 1,1000 -m 512 \
	--series "$work/disk/series" --interval 10ms "$work/disk" >"$work/out" 2>"$work/err" &
fills "$work/disk" "$work/disk/results.csv"
[ $status = 1 ] || [ $status = 0 ] || fail "results on the disk that fills: exit status $status"
[ $status = 0 ] || tail -1 "$work/err" | grep -q 'iosweep: .*: No space left on device' ||
	fail "the message gives no reason"
grep -q '^size_bytes,' "$work/disk/results.csv" || fail "the header is gone"
rm "$work/disk/results.csv" "$work/disk/series"
nothing_left "$work/disk"

# Files are not said to be kept if that cannot be recorded.
: >"$work/out"
"$IOSWEEP" -l 256Ki --cache cached --tests write --time 1000s -M 512 --keep --run-name one "$work/disk" \
	>"$work/out" 2>"$work/err" </dev/null &
fills "$work/disk" "$work/out" TERM
[ $status = 143 ] || fail "keeping on a full disk: exit status $status"
grep -q 'files are not recorded as kept: .*No space left.*; to remove them: iosweep clean' "$work/err" ||
	fail "the message gives no reason"
! grep -q 'are kept in' "$work/err" || fail "said to be kept"
run 0 clean --run-name one "$work/disk"
nothing_left "$work/disk"

# --- copy on write and quotas: statvfs reports more space than is usable

if command -v mkfs.btrfs >/dev/null && command -v btrfs >/dev/null &&
	grep -qw btrfs /proc/filesystems; then
	truncate -s 256M "$work/cow"
	mkdir "$work/btrfs"
	mkfs.btrfs -q "$work/cow" >/dev/null 2>&1 || fail "mkfs.btrfs"
	mount -o loop "$work/cow" "$work/btrfs" || fail "mount btrfs"
	on_exit "umount -l '$work/btrfs' 2>/dev/null"
	if btrfs quota enable "$work/btrfs" >/dev/null 2>&1 &&
		btrfs subvolume create "$work/btrfs/sub" >/dev/null &&
		btrfs qgroup limit 16M "$work/btrfs/sub" >/dev/null; then
		refuses 3 'Disk quota exceeded; make room' --quiet -l 512Ki "$work/btrfs/sub"
		nothing_left "$work/btrfs/sub"
	else
		echo "not tried: quota"
	fi
	: >"$work/out"
	iosweep -l 512Ki --quiet --max-time 3s --max-errors 0 "$work/btrfs" >"$work/out" 2>"$work/err" &
	fills "$work/btrfs" "$work/out"
	case $status in 0 | 1) ;; *) fail "full in the sweep of btrfs: exit status $status" ;; esac
	[ $status = 0 ] || grep -q 'operations\{0,1\} failed; the first: .*No space left' "$work/err" ||
		grep -q -e '--max-time' "$work/err" || fail "the message gives no reason"
	whole_rows "$work/out" 22
	[ -z "$(find "$work/btrfs" -name 'iosweep-*')" ] || fail "left behind on a full btrfs"
else
	echo "not tried, no btrfs: quota and copy on write"
fi
