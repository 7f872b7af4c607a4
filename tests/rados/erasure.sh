#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Erasure-coded pools: what such a pool cannot do is a row that says so, and the run goes on; what begins
# between two stripes is not asked for, also where objects are filled a piece at a time, and stripes are
# no power of two.
# shellcheck disable=SC1091,SC2015,SC2034,SC2154
# shellcheck source=tests/rados/lib.sh
. "${top_srcdir:?}/tests/rados/lib.sh"

need_target
cluster bluestore
ceph_erasure plain over || fail "no erasure-coded pool can be made"
ceph_do osd pool set over allow_ec_overwrites true >>"$work/pools" 2>&1 || fail "no pool can be written over"

for pool in plain over; do
	target=rados://$pool RADOS_POOL=$pool
	head -c 5000 /dev/urandom >"$work/data"
	stored put theirs "$work/data"
	sweep 0 --quiet --rounds 1 -n 2 --objects 2 --sizes 4Ki,20Mi --verify \
		--tests read,stat,list,write,delete,create "$target"
	column test operations errors notes | awk -F: '
		$2 != 2 || $3 != 0 { print; bad = 1 }
		END { exit bad || NR != 12 }' >&2 || fail "$(column test operations errors notes)"
	[ "$(sum errors_wrong)" -eq 0 ] || fail "$(column test size_bytes errors_wrong)"
	sweep 0 --quiet --rounds 1 -n 2 --objects 2 --sizes 4Ki --verify --on xattr "$target"
	[ "$(column operations errors | sort -u)" = 2:0 ] || fail "xattr: $(column test operations errors notes)"
	sweep 1 --quiet --rounds 1 -n 2 --objects 2 --sizes 4Ki --on omap "$target"
	[ "$(column notes | grep -c skipped:not_by_target)" -eq 2 ] || fail "omap: $(column test operations notes)"
	holds 1
	# pieces of any length, of half a stripe, of one
	for fragment in 0 6Ki; do
		case $pool in plain) status=1 wanted=0:skipped:unaligned ;; *) status=0 wanted=2: ;; esac
		sweep $status --quiet --rounds 1 -n 2 --objects 2 --sizes 64Ki --call-size $fragment --tests append "$target"
		case $(column operations notes) in $wanted*) ;; *) fail "$fragment: $(column operations notes)" ;; esac
	done
	sweep 0 --quiet --rounds 1 -n 2 --objects 2 --sizes 64Ki --call-size 12Ki --tests append "$target"
	[ "$(column operations errors)" = 2:0 ] || fail "appends of stripes: $(column operations errors notes)"
	holds 1
	stored get theirs | cmp -s - "$work/data" || fail "what was there has changed"
	say "$pool"
done
