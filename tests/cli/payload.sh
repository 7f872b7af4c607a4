#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Data of measured writes: over threads, depths, slices, sizes, cache modes and targets no block of
# 4 KiB occurs twice in the kept files, and zstd with its largest window, or gzip, cannot compress
# them; with --payload repeat and zero the same count shows that they were written.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

need python3
# count DIRECTORY...: sets $blocks, $distinct, $most
count() {
	# shellcheck disable=SC2046
	set -- $(python3 "$top_srcdir/tests/cli/blocks.py" "$@")
	blocks=$1 distinct=$2 most=$3
}

# --- no duplicates
mkdir "$work/a" "$work/b"
run 0 --quiet --keep --tests write,read --threads 1,3 --sizes 512,4k,20k,1M -l 2M --width 2 \
	--levels 2 --rounds 6 -n 300 "$work/a" "$work/b"
for engine in io_uring libaio; do
	iosweep help engines | awk -v engine=$engine '$1 == engine && !/not available/ { found = 1 }
		END { exit !found }' || continue
	iosweep --quiet --keep --tests write --engine $engine --depth 8 --sizes 4k,64k -l 2M \
		--width 2 --levels 2 --rounds 4 -n 400 "$work/a" >"$work/out" 2>"$work/err" ||
		[ $? -eq 3 ] || fail "--engine $engine"
done
# Not on every file system: blocks that are read, modified and written back.
iosweep --quiet --keep --tests write -b --sizes 100,4k,64k -l 2M --width 2 --levels 2 --rounds 4 \
	-n 400 "$work/b" >"$work/out" 2>"$work/err" || [ $? -eq 3 ] || fail "--cache direct"
count "$work/a" "$work/b"
[ "$blocks" -ge 4096 ] || fail "only $blocks blocks"
[ "$blocks" -eq "$distinct" ] || fail "$distinct of $blocks blocks are different"
pack=$(command -v zstd >/dev/null && echo 'zstd -q -1 --long=31' || echo gzip)
if command -v "${pack%% *}" >/dev/null; then
	find "$work/a" "$work/b" -type f ! -name 'MANIFEST-*' -exec cat {} + >"$work/all"
	# shellcheck disable=SC2086 # words
	before=$(wc -c <"$work/all") after=$($pack -c "$work/all" | wc -c)
	[ "$after" -ge $((before / 100 * 99)) ] || fail "$pack makes $after bytes of $before"
fi

# --- the requested data are written, and the rows state it
for payload in repeat zero; do
	mkdir "$work/$payload"
	run 0 --quiet --keep -s -l 1M --tests write,read --threads 2 --sizes 4k --rounds 4 -n 8000 \
		--payload $payload "$work/$payload"
	grep ',write,' "$work/out" | grep -q "payload:$payload" || fail "no note on writes"
	! grep ',read,' "$work/out" | grep -q payload: || fail "a note on reads"
	count "$work/$payload"
	# 8000 writes to 256 places hit nearly all of them.
	[ "$most" -ge 250 ] || fail "--payload $payload: the same block only $most times"
done
cmp -s -n 4096 "$(find "$work/zero" -type f ! -name 'MANIFEST-*')" /dev/zero ||
	[ "$most" -lt 256 ] || fail "--payload zero writes something else"

# --- incompatible options
refuses 2 '' --payload zero --verify null:
refuses 2 '' --payload zero --tests read null:
