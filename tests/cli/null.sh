#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# The null engine takes the given times, at depth 1 and above: the right number of operations of
# each kind, none faster than its time, in the same order for the same seed, and waiting uses no
# processor time. Delays added by a busy machine are not checked.
# shellcheck disable=SC2086 # lists of words
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all
need python3
cd "$work" || exit 99

columns='--columns operations,errors,latency_ns_min,latency_ns_max,cpu_ns_per_op'
one='--quiet null: --tests read --sizes 4k --rounds 1'

# slow FROM_NS: operations of the row in ./json that took at least this long, and all of them
slow() {
	in_json json "'%d %d' % tuple(sum(n for lower, n in rows[0]['latency_histogram'] if lower >= least) for least in ($1, 0))"
}

# --- of each 40 operations 5 take 3 ms, at any depth (a bucket begins up to 1/64 below)
for depth in 1 4 64; do
	run 0 $one --depth $depth -n 4000 --null.delay mix:35x0,5x3ms --format json -o json
	# shellcheck disable=SC2046 # two words
	set -- $(slow 2950000)
	if [ "$1" -lt 500 ] || [ "$1" -ge 4000 ] || [ "$2" -ne 4000 ]; then
		fail "depth $depth: $1 of $2 operations take 3 ms, not 500 of 4000"
	fi
done

# --- a tail: approximately its share, and the others no less than their time
for depth in 1 32; do
	run 0 $one --depth $depth -n 1000 --seed 5 --null.delay mix:19x200us,1x20ms --format json -o json
	# shellcheck disable=SC2046 # two words
	set -- $(slow 19600000)
	if [ "$1" -lt 25 ] || [ "$2" -ne 1000 ]; then
		fail "depth $depth: $1 of $2 operations are in the tail, not about 50"
	fi
	[ "$(in_json json 'rows[0]["latency_ns_min"] >= 200000 and rows[0]["latency_ns_max"] >= 20000000')" = True ] ||
		fail "depth $depth: operations are faster than they may be"
done

# --- as many in flight as requested: the latencies of 640 operations are many times the total time,
# both of which a busy machine makes longer
run 0 $one --depth 32 -n 640 --null.delay 20ms --columns operations,time_s,latency_ns_mean
rows 'time_s >= 0.4 * operations / 640 && operations * latency_ns_mean / 1e9 > 8 * time_s'

# --- waiting is sleeping: 10 ms of time are not 10 ms of processor time
for depth in 1 2; do
	run 0 $one --depth $depth -n 40 --null.delay 10ms $columns
	rows 'cpu_ns_per_op < 2000000'
done

# --- a time shorter than its rounds is still a limit; and signals interrupt waiting
for short in '--time 10ns' '--tests read:9ns' '--time 1us --rounds 1001' '--time 100ns --depth 4'; do
	timeout 60 "$IOSWEEP" $one $short >out 2>err || fail "$short: exit status $?"
done
for depth in 1 4; do
	"$IOSWEEP" $one --depth $depth --null.delay 1h >out 2>err &
	pid=$!
	sleep 1 # until it waits; an earlier signal ends it, too
	kill -TERM $pid
	wait $pid
	[ $? = 143 ] || fail "depth $depth: a signal in an hour's wait: exit status"
done

# --- all tests of the null store, bypassing the cache and with flushes
run 0 --quiet null: --sizes 3,4k --cache cached,direct,uncached --sync end --depth 1,8 -n 40 --rounds 1 \
	--null.delay 100us $columns
rows 'operations == 40 && latency_ns_min >= 100000'
[ "$(wc -l <out)" -eq 25 ] || fail "not 24 rows"

# --- one failure in the run, at the same place for any depth
for depth in 1 8; do
	run 1 $one --depth $depth -n 100 --null.fail at:77 $columns
	shows 'operations errors' 99:1
	run 0 $one --depth $depth -n 76 --null.fail at:77 $columns
done
