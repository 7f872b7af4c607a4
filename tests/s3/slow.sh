#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Slow servers show where the time is spent: before the answer it is in the first byte, between
# headers and body it is in the body, which is reported with its usual cause; a slow link is in the
# body, and the throughput is the rate of the link.
# shellcheck disable=SC2015,SC2022,SC2030,SC2031,SC2119
# shellcheck source=tests/s3/lib.sh
. "${top_srcdir:?}/tests/s3/lib.sh"

s3_start

# at_least COLUMN MILLISECONDS, and at_most: of the row in $work/out
at_least() {
	at_value=$(value "$1")
	awk -v value="$at_value" -v low="$2" 'BEGIN { exit !(value != "" && value / 1e6 >= low) }' ||
		fail "$1 is $at_value ns, not $2 ms at least"
}
at_most() {
	awk -v value="$(value "$1")" -v high="$2" 'BEGIN { exit !(value != "" && value / 1e6 <= high) }'
}
# reads SIZE ARGUMENT...: a row; the mean of many operations reduces the effect of the machine's
# pauses
reads() {
	reads_size=$1
	shift
	run 0 --endpoint "$relay" --format csv --rounds 1 --sizes "$reads_size" --tests read --objects 4 "$@" \
		"s3://$bucket"
}
# calm PART SIZE COUNT [COLUMN MILLISECONDS]...: a row with at most that in these columns. Delays
# can only be attributed if nothing else is slow; a machine that is too busy for that in ten tries
# does not make the test fail.
calm() {
	calm_part=$1 calm_size=$2 calm_count=$3
	shift 3
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		reads "$calm_size" -n "$calm_count"
		calm_most=$*
		# shellcheck disable=SC2086
		set -- $calm_most
		while [ $# -gt 0 ] && at_most "$1" "$2"; do
			shift 2
		done
		[ $# -gt 0 ] || return 0
		# shellcheck disable=SC2086
		set -- $calm_most
	done
	not_tried "$calm_part" "the machine is too busy"
	return 1
}
accuses() {
	grep -Eiq 'delayed ACK|Nagle' "$work/err"
}

relay --rule 'GET /4096/ delay-body=40'
# (the delay begins when the relay sees the request: at most that much less)
if calm body 4Ki 44 first_byte_ns_mean 5 body_ns_mean 50; then
	expect_reported 'delayed ACK|Nagle'
	at_least body_ns_mean 34
fi
say "body held back: $(value first_byte_ns_mean) ns to the first byte, $(value body_ns_mean) ns of body"

relay --rule 'GET /4096/ delay-head=40'
if calm first-byte 4Ki 44 body_ns_mean 20; then
	! accuses || fail "a slow first byte is taken for Nagle's algorithm"
fi
at_least first_byte_ns_mean 39
say "answer held back: $(value first_byte_ns_mean) ns to the first byte, $(value body_ns_mean) ns of body"

relay
if calm neither 4Ki 44 first_byte_ns_mean 20 body_ns_mean 20; then
	! accuses || fail "a quick server is accused"
fi

# The usual cause: headers and body in two writes to a socket with Nagle's algorithm.
relay --nagle
if calm Nagle 4Ki 44 first_byte_ns_mean 5 body_ns_mean 50; then
	at_least body_ns_mean 20
	expect_reported 'delayed ACK|Nagle'
fi
say "Nagle's algorithm: $(value body_ns_mean) ns of body"

# --- a link of 1 MiB/s: 64 KiB take 62 ms on any machine
relay --rule 'GET /65536/ rate=1024'
if calm link 64Ki 20 first_byte_ns_mean 20 body_ns_mean 110; then
	at_least body_ns_mean 40
	! accuses || fail "a slow link is taken for Nagle's algorithm"
fi
awk -v value="$(value throughput_bytes_per_s)" 'BEGIN { exit !(value > 0 && value < 1060e3) }' ||
	fail "$(value throughput_bytes_per_s) B/s by a link of 1 MiB/s"
say "slow link: $(value throughput_bytes_per_s) B/s"
