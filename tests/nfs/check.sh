#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# check.sh - `make check-nfs`: boots a virtual machine with an NFS server (guest.sh) and runs the
# tests there (inside.sh).  Without what that needs, above all qemu and packages of the kernel, it is
# skipped, and says why; the last line is the sum.  $NFS_DIR is where packages are kept.
set -u
: "${IOSWEEP:?run it with make check-nfs}"
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P) || exit 1
directory=${NFS_DIR:-$PWD/tests/nfs-guest}
mkdir -p "$directory" || exit 1

sh "$here/guest.sh" -d "$directory" -t "${NFS_SECONDS:-580}" -f "$IOSWEEP" "$here/inside.sh" >"$directory/said" \
	2>"$directory/trouble"
status=$?
cat "$directory/said"
cat "$directory/trouble" >&2

count() {
	grep -c "^$1 " "$directory/said"
}
passed=$(count PASS)
failed=$(count FAIL)
skipped=$(count SKIP)
case $status in
0 | 1) ;;
77)
	echo "SKIP: $(tail -n 1 "$directory/said")"
	echo "0 passed, 0 failed, 1 skipped"
	exit 77
	;;
*)
	echo "FAIL guest: the virtual machine ended with status $status; see $directory/console"
	failed=$((failed + 1))
	;;
esac
if [ "$passed" -eq 0 ] && [ "$failed" -eq 0 ]; then
	echo "FAIL guest: no test has run"
	failed=1
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$status" -eq 0 ]
