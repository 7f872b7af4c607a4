#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# in-use.sh - neither --destroy-data nor --overwrite writes to storage that is in use: the backing
# of a loop device, anything mounted in any mount namespace or by a daemon, swap, and the bytes that
# also back another loop device.
: "${top_srcdir:?run the tests with make check}"
# shellcheck source=tests/cli/lib.sh
. "$top_srcdir/tests/cli/lib.sh"
need losetup mkfs.ext4 unshare
need_root

attach() { # makes a loop device over it, in $loop; its node may be missing here
	loop=$(losetup --show -f "$1" 2>/dev/null) || skip "no loop device is to be had"
	on_exit "losetup -d $loop 2>/dev/null"
	[ -b "$loop" ] || skip "there is no $loop here"
}
image() {
	truncate -s 16M "$work/$1"
	mkfs.ext4 -q "$work/$1" || fail "mkfs.ext4"
}
refused() { # WORDS IMAGE OPTION TARGET
	cksum <"$work/$2" >"$work/before"
	for plan in --quiet --dry-run; do
		run 3 $plan --tests write --sizes 64k -n 10 --cache cached "$3" "$4"
		one_line "$work/err"
		grep -q "^iosweep: mounted or in use, so not written to: $4: $1; .*-r to read it" "$work/err" ||
			fail "$3 $4: not \"$1\""
	done
	sync
	cksum <"$work/$2" | cmp -s - "$work/before" || fail "$3 $4: it was written to"
}

# written DEVICE: free again.  A mount can live longer than its name, in a mount namespace that another
# test has made meanwhile.
written() {
	iosweep --quiet --destroy-data --tests write --sizes 64k -n 10 --cache cached "$1" >"$work/out" 2>"$work/err"
}

# --- a mounted file system on a loop device on a loop device on a file
image stacked
attach "$work/stacked"
lower=$loop
attach "$lower"
upper=$loop
mkdir "$work/mounted"
mount -o ro "$upper" "$work/mounted" || fail "mount"
on_exit "umount '$work/mounted' 2>/dev/null"
refused "it backs ${upper#/dev/}" stacked --destroy-data "$lower"
refused "it backs ${lower#/dev/}" stacked --overwrite "$work/stacked"
refused "it is mounted on $work/mounted" stacked --destroy-data "$upper"
ln "$work/stacked" "$work/other-name"
refused "it backs ${lower#/dev/}" stacked --overwrite "$work/other-name"
umount "$work/mounted"

# --- a file system is mounted below the target
mount -o ro "$lower" "$work/mounted" || fail "mount"
refused "something else uses $lower" stacked --destroy-data "$upper"
umount "$work/mounted"
soon "$upper is still in use" written "$upper"
losetup -d "$upper"
soon "$lower is still in use" written "$lower"

# --- two loop devices over one file
image twice
attach "$work/twice"
one=$loop
attach "$work/twice"
mount -o ro "$one" "$work/mounted" || fail "mount"
refused "$work/twice backs ${one#/dev/}" twice --destroy-data "$loop"
umount "$work/mounted"

# --- mounted by a daemon, which claims nothing, and in another namespace: detected only by its
# source. A tmpfs can have any source.
if unshare -m --propagation private true 2>/dev/null; then
	image served
	unshare -m --propagation private sh -c \
		'mount -t tmpfs "$1/served" "$1/mounted" && echo mounted >"$1/ready"; exec sleep 600' - "$work" &
	on_exit "end_child $!"
	soon "no mount in a name space" test -s "$work/ready"
	refused "it is mounted on $work/mounted" served --overwrite "$work/served"
	end_child $!
	run 0 --quiet --overwrite --tests write --sizes 64k -n 10 --cache cached "$work/served"
else
	echo "not tried: a mount in another namespace, none can be made here"
fi

# --- swap
dd if=/dev/zero of="$work/swap" bs=1M count=4 2>/dev/null
chmod 600 "$work/swap"
if mkswap "$work/swap" >/dev/null 2>&1 && swapon "$work/swap" 2>/dev/null; then
	on_exit "swapoff '$work/swap'"
	refused "it is swap" swap --overwrite "$work/swap"
else
	echo "not tried: swap"
fi
