#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# async-memory.sh - io_uring with little lockable memory: either the row has a note, or the run is
# refused with advice; and locked memory is released.
# shellcheck disable=SC2086,SC2016,SC2034
# (no quotes: lists of words; a command for later; loops that only count)
: "${top_srcdir:?run the tests with make check}"
# shellcheck source=tests/cli/lib.sh
. "$top_srcdir/tests/cli/lib.sh"
need awk
# shellcheck source=tests/cli/async.sh
. "$top_srcdir/tests/cli/async.sh"

# All programs of a user share the limit, and a ring's memory is released only some time after it is
# closed. Root therefore uses a user without other processes; an ordinary user shares the limit with
# other tests, so that the available amount varies.

# poor_once BYTES ARGS...: as an ordinary user with this limit
poor_once() {
	poor_bytes=$1
	shift
	what="locked memory of $poor_bytes: $*"
	$poor_user prlimit --memlock=$poor_bytes:$poor_bytes "$IOSWEEP" $small --columns all "$@" target \
		>"$work/out" 2>"$work/err" </dev/null
	poor_got=$?
	nothing_left target
	case $poor_got in
	0) [ ! -s "$work/err" ] || fail "$what: words without a failure" ;;
	3)
		one_line "$work/err"
		[ ! -s "$work/out" ] || fail "$what: results in spite of the refusal"
		grep -q '^iosweep: .*; .*ulimit -l' "$work/err" || fail "$what: no advice"
		;;
	*) fail "$what: exit status $poor_got" ;;
	esac
}
# poor RESULT BYTES ARGS...: the same, repeated for a while until the result is `works`, `fixed`
# (also without plain_buffers), or `refused` because of the buffers.
poor() {
	poor_want=$1
	shift
	for poor_try in $tries; do
		poor_once "$@"
		case $poor_want-$poor_got in
		works-0) return 0 ;;
		fixed-0) ! grep -q plain_buffers "$work/out" && return 0 ;;
		refused-3) grep -q '^iosweep: .*buffers.*; ' "$work/err" && return 0 ;;
		refused-0) fail "$what: works" ;;
		esac
		sleep 0.5
	done
	[ -z "$poor_user" ] || fail "$what: exit status $poor_got, not $poor_want"
	echo "not tried: $what: other programs of this user hold locked memory: $(cat "$work/err")"
	return 1
}
# without_ring BYTES: some kernels charge the ring itself to locked memory; if it does not fit,
# `help engines` and a run agree that the engine is unavailable.
without_ring() {
	for without_try in $tries; do
		$poor_user prlimit --memlock=$1:$1 "$IOSWEEP" help engines >"$work/out"
		sed -n '/^io_uring/,/^[a-z]/p' "$work/out" | grep -q 'not usable' || return 1
		poor_once $1 --engine io_uring --depth 1,8 -n 64
		[ $poor_got = 0 ] || return 0
		sleep 0.5
	done
	fail "$what: works, but help engines says that it does not"
}
# with_ring BYTES: buffers that fit are used, others noted or refused; 1: others use the memory, too
# too
with_ring() {
	for options in '' '--keep-open' '--io_uring.link' '--io_uring.fixed auto'; do
		poor works $1 --engine io_uring --depth 1,8 --threads 1,2 --sizes 4k,64k -n 64 $options || return
		axes cached "1 2" "1 8" "4096 65536" 64 "write read"
		columns "depth size_bytes notes" # 8 buffers of 64 KiB always exceed the limit
		awk '$1 == 8 && $2 == 65536 && $3 !~ /(^|;)plain_buffers(;|$)/ { bad = 1 } END { exit bad }' \
			"$work/rows" || fail "$what: plain_buffers is not told"
	done
	poor works $1 --engine io_uring --depth 8 --sizes 64k -n 64 --io_uring.fixed off || return
	! grep -q plain_buffers "$work/out" || fail "$what: plain_buffers, but nothing else was asked for"
	for options in '' '--keep-open' '--io_uring.link'; do
		poor refused $1 --engine io_uring --depth 8 --sizes 64k -n 64 --io_uring.fixed on $options || return
	done
}
tries=$(awk 'BEGIN { for (i = 0; i < 40; i++) print i }')
poor_user=
if [ "$(id -u)" = 0 ]; then
	poor_uid=$((61000 + $$ % 4000))
	poor_user="setpriv --reuid=$poor_uid --regid=$poor_uid --clear-groups"
fi
if ! has io_uring || [ -n "${IOSWEEP_RUN:-}" ]; then
	echo "not tried: little locked memory, no io_uring"
elif ! $poor_user prlimit --memlock=0:0 "$IOSWEEP" --version >/dev/null 2>&1; then
	echo "not tried: little locked memory, setpriv or prlimit is missing or not permitted"
else
	[ -z "$poor_user" ] || chown $poor_uid target
	for bytes in 0 4096 65536; do
		if without_ring $bytes; then
			echo "no io_uring with $bytes bytes of locked memory: $(cat "$work/err")"
		else
			with_ring $bytes || break
		fi
	done
	# A common limit suffices for common sizes.
	poor fixed 8388608 --engine io_uring --depth 8 --sizes 4k -n 64
	poor fixed 8388608 --engine io_uring --depth 8 --sizes 4k -n 64 --io_uring.fixed on
	# Ring after ring: locked memory is released.
	poor works 1048576 --engine io_uring --depth 1..8 --sizes 4k,8k -n 200 --rounds 11 --threads 1,2
fi
