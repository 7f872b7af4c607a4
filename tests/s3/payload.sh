#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Uploaded data: no block of 4 KiB occurs twice in the objects of a kept run, whether they were put
# whole, in parts or gathered from small writes; with --payload repeat all are equal.
# shellcheck disable=SC2119
# shellcheck source=tests/s3/lib.sh
. "${top_srcdir:?}/tests/s3/lib.sh"

# count PREFIX: fetches the objects below it; sets $blocks, $distinct
count() {
	rm -rf "$work/got"
	mkdir "$work/got"
	number=0
	for key in $(s3 list "$1" | awk '$2 !~ /MANIFEST-/ { print $2 }'); do
		number=$((number + 1))
		s3 get "$key" >"$work/got/$number" || fail "cannot get $key"
	done
	# shellcheck disable=SC2046
	set -- $(python3 "$top_srcdir/tests/cli/blocks.py" "$work/got")
	blocks=$1 distinct=$2
}

s3_start
# versitygw sometimes answers 500 when two uploads of one key begin at the same time
sweep 0 --quiet --keep --tests write,append --part-size 5Mi --threads 1,2 --depth 1,4 --sizes 16k,6M -n 24 \
	--objects 4 --retries 5 "s3://$bucket/random"
count random/
[ "$blocks" -ge 1536 ] || fail "only $blocks blocks"
[ "$blocks" -eq "$distinct" ] || fail "$distinct of $blocks blocks are different"
say "no block is there twice"

sweep 0 --quiet --keep --tests write --threads 2 --sizes 64k -n 64 --objects 4 --payload repeat \
	"s3://$bucket/repeat"
[ "$(value notes)" = payload:repeat ] || [ "$(value notes | grep -c payload:repeat)" -eq 1 ] ||
	fail "no note"
count repeat/
[ "$distinct" -eq 1 ] && [ "$blocks" -ge 16 ] || fail "--payload repeat: $distinct of $blocks"
say "a payload that repeats is the same everywhere"
