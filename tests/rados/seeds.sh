#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# The scenarios that any object service has to pass, on a pool; those of rados bench are at home here.
# shellcheck disable=SC1091,SC2034,SC2119
# shellcheck source=tests/rados/lib.sh
. "${top_srcdir:?}/tests/rados/lib.sh"

need_target
lacks='rename'
# shellcheck source=tests/seeds.sh
. "$top_srcdir/tests/seeds.sh"

# What the client of librados tells of itself: each of its operations.
asked_for() {
	rm -f "$work/client.log"
	CEPH_ARGS="--debug-objecter 10 --log-file $work/client.log"
	export CEPH_ARGS
	sweep 0 --quiet "$@" "$target"
	unset CEPH_ARGS
	sed -n 's/.*_op_submit oid \([0-9]*\/[0-9]*\) .*\[read \([0-9]*\)~.*/\1 \2/p' "$work/client.log" >"$work/asked"
}

cluster
secrets=$(sed -n 's/^[[:space:]]*key = //p' "$ceph_dir/keyring")
# shellcheck disable=SC2086 # a list of words
seeds ${RADOS_SEEDS:-do1 do3 do4 do5 do6 do7 do9 do10 do11 rb1 rb3 rb4 rb5 rb6 rb7 rb8 rb9 rb10 rb11 rb12}
