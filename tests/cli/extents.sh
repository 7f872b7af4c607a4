#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# The share of a user's file that is not on the storage is reported before measuring: holes, space
# never written and compressed extents; a fully written file is not mentioned; and the
# examination changes nothing. First in the current directory, then, as root, on file systems in
# loop devices.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all
need truncate fallocate dd

# look WANT-STATUS FILE ARGS...: a short read test
look() {
	look_file=$1
	shift
	run 0 -r -n 4 --sizes 4k --columns operations,notes "$@" "$look_file"
	[ "$(wc -l <"$work/out")" -ge 2 ] || fail "$look_file: no rows"
}
# says PATTERN: the line about the file; and its rows
says() {
	grep -q "^# $look_file: .*$1" "$work/err" || fail "$look_file: not said: $1"
}
noted() {
	tail -n 1 "$work/out" | grep -q "[,;]$1" || fail "$look_file: rows without the note $1"
}
silent() {
	! grep -q "^# $look_file" "$work/err" || fail "$look_file: $(grep "^# $look_file" "$work/err")"
	! grep -Eq 'unwritten|compressed' "$work/out" || fail "$look_file: noted without reason"
}
written() { dd if=/dev/urandom of="$1" bs=1M count="$2" conv=notrunc,fsync 2>/dev/null; }

# files DIRECTORY KIND: what must hold wherever holes are supported
files() {
	cd "$1" || exit 99
	written "written" 8
	look written
	silent
	# the user's data are unchanged, times included
	truncate -s 8M sparse
	touch -a -d '2001-02-03 04:05:06' sparse
	before=$(stat -c '%s %b %x %y %z' sparse)
	look sparse
	[ "$(stat -c '%s %b %x %y %z' sparse)" = "$before" ] || fail "looking changed the file"
	says '100 % holes: reads there never reach the storage'
	noted unwritten
	grep -q '^# finding: sparse contains holes or unwritten extents: ' "$work/err" ||
		fail "no finding about holes"
	look sparse --quiet
	silent_text=$(cat "$work/err")
	[ -z "$silent_text" ] || fail "--quiet, yet: $silent_text"
	noted unwritten

	written half 4
	truncate -s 8M half
	look half
	says '50 % holes'
	noted unwritten
	# a hole of 2 MiB at the end of a file of which only the first part is used
	written tail 6
	truncate -s 8M tail
	look tail
	says '25 % holes'
	look tail -l 6Mi
	silent
	# a tree: shares over all its files
	mkdir tree
	written tree/a 3
	truncate -s 1M tree/b
	look tree
	says '25 % holes'
	noted unwritten
	cd "$work" || exit 99
}

# Whether the file system keeps holes, also when they are read: ramfs does not.
mkdir "$work/here"
truncate -s 8M "$work/here/probe"
cat "$work/here/probe" >/dev/null
if [ "$(stat -c %b "$work/here/probe")" -eq 0 ]; then
	rm "$work/here/probe"
	files "$work/here"
	cd "$work/here" || exit 99
	if fallocate -l 8M allocated 2>/dev/null && command -v filefrag >/dev/null &&
		filefrag -v allocated 2>/dev/null | grep -q unwritten; then
		look allocated -b
		says '100 % unwritten extents'
		noted unwritten
		# reads leave zeros in the page cache, which are not data
		cat allocated >/dev/null
		look allocated --cache asis
		case $(uname -r) in
		[1-5].* | 6.[0-4] | 6.[0-4][!0-9]*) echo "not tried: cached zeros, no cachestat here" ;;
		*) says '100 % unwritten extents' ;;
		esac
		fallocate -l 12M mixed
		written mixed 6
		truncate -s 24M mixed
		look mixed
		says '50 % holes, 25 % unwritten extents'
	else
		echo "not tried: unwritten extents, there are none here"
	fi
	# the document has the figures
	if command -v python3 >/dev/null; then
		run 0 -r --format json -n 4 --sizes 4k half
		python3 -c 'import records, sys
extents = records.load(sys.argv[1])["head"]["targets"][0]["extents"]
half = 4 << 20
assert extents["bytes"] == 2 * half and extents["data_bytes"] == half, extents
assert extents["hole_bytes"] == half and extents["files"] == 1 and extents["complete"] is True' \
			"$work/out" || fail "JSON: extents"
	fi
	cd "$work" || exit 99
else
	echo "not tried: the current directory, its file system keeps no holes"
fi

need_root
make() { # NAME MAKE-COMMAND MOUNT-OPTIONS
	mkdir "$work/$1"
	truncate -s 400M "$work/$1.image"
	if "mkfs.$2" -q "$work/$1.image" >"$work/err" 2>&1 &&
		mount -o "loop${3:+,$3}" "$work/$1.image" "$work/$1" 2>"$work/err"; then
		on_exit "umount -l '$work/$1' 2>/dev/null"
		return 0
	fi
	echo "not tried: $1 ($(tail -n 1 "$work/err"))"
	return 1
}
for type in xfs btrfs; do
	if make $type $type; then
		files "$work/$type"
	fi
done
if make zstd btrfs compress-force=zstd; then
	cd "$work/zstd" || exit 99
	yes 'the same line again' | head -c 8388608 >text
	sync -f text
	look text
	says '100 % compressed: reads move fewer bytes than asked'
	noted compressed
	cd "$work" || exit 99
fi
mkdir "$work/tmpfs"
mount -t tmpfs -o size=100m none "$work/tmpfs" || fail "tmpfs"
on_exit "umount -l '$work/tmpfs' 2>/dev/null"
files "$work/tmpfs"
cd "$work/tmpfs" || exit 99
fallocate -l 8M allocated
look allocated
says '100 % holes' # unwritten space cannot be told from holes
