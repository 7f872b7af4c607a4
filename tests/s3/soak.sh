#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# soak.sh - a million requests (or $S3_REQUESTS): resident memory and the number of descriptors after
# the first tenth and at the end are the same.  Run by make bench-s3.
TEST_BOUNDED=1 # takes as long as it takes
export TEST_BOUNDED
# shellcheck disable=SC2015,SC2022,SC2030,SC2031,SC2119
# shellcheck source=tests/s3/lib.sh
. "${top_srcdir:?}/tests/s3/lib.sh"

[ -r /proc/self/status ] || skip "no /proc"
requests=${S3_REQUESTS:-1000000}
s3_start
s3 put object "$0"
"$IOSWEEP" --endpoint "$endpoint" --format csv --quiet --rounds 20 -n "$requests" --sizes 1Ki --tests read \
	--depth 16 -r "s3://$bucket" >"$work/out" 2>"$work/err" </dev/null &
pid=$!
sleep 1
: >"$work/seen"
while kill -0 "$pid" 2>/dev/null; do
	rss=$(awk '/^VmRSS/ { print $2 }' "/proc/$pid/status" 2>/dev/null)
	# shellcheck disable=SC2012 # names are numbers
	descriptors=$(ls "/proc/$pid/fd" 2>/dev/null | wc -l)
	[ -z "$rss" ] || [ "$descriptors" -eq 0 ] || echo "$rss $descriptors" >>"$work/seen"
	sleep 0.5
done
wait "$pid" || fail "exit status $?"
[ "$(value errors)" -eq 0 ] || fail "$(value errors) errors"
[ "$(value requests)" -ge "$((requests * 9 / 10))" ] || fail "only $(value requests) requests"
awk '{ rss[NR] = $1; descriptors[NR] = $2 }
	END {
		if (NR < 4) { print "looked only " NR " times"; exit 1 }
		first = int(NR / 10) + 1; last = NR - 1
		printf "resident: %d KiB after a tenth, %d KiB at the end; descriptors: %d, %d\n",
			rss[first], rss[last], descriptors[first], descriptors[last]
		exit rss[last] > rss[first] * 1.02 + 256 || descriptors[last] > descriptors[first]
	}' "$work/seen" >"$work/verdict" || fail "not flat: $(cat "$work/verdict")"
cat "$work/verdict"
say "$(value requests) requests, $(value connections) connections"
