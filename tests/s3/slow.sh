#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Slow servers show where the time goes: before the answer it is in the first byte, between headers
# and body it is in the body, and that is told with its usual cause; a slow link is in the body, and
# the throughput is the rate of the link.
# shellcheck disable=SC2015,SC2022,SC2030,SC2031,SC2119
# shellcheck source=tests/s3/lib.sh
. "${top_srcdir:?}/tests/s3/lib.sh"

s3_start

# between COLUMN LOW HIGH: milliseconds
between() {
	between_value=$(field "$1")
	awk -v value="$between_value" -v low="$2" -v high="$3" 'BEGIN {
		exit !(value != "" && value / 1e6 >= low && value / 1e6 <= high) }' ||
		fail "$1 is $between_value ns, not between $2 and $3 ms"
}
read_slowly() { # the first N reads of a row are no better than others: no pauses of the machine in it
	run 0 --endpoint "$relay" --format csv -n 44 --rounds 1 --sizes 4Ki --tests read \
		--s3.objects 4 "s3://$bucket"
}

relay --rule 'GET /4096/ delay-body=40'
read_slowly
between first_byte_ns_mean 0 20
between body_ns_mean 39 80
told 'delayed ACK|Nagle'
say "body held back: $(field first_byte_ns_mean) ns to the first byte, $(field body_ns_mean) ns of body"

relay --rule 'GET /4096/ delay-head=40'
read_slowly
between first_byte_ns_mean 39 80
between body_ns_mean 0 20
! grep -Eiq 'delayed ACK|Nagle' "$work/err" || fail "a slow first byte is taken for Nagle's algorithm"
say "answer held back: $(field first_byte_ns_mean) ns to the first byte, $(field body_ns_mean) ns of body"

relay
read_slowly
between first_byte_ns_mean 0 20
between body_ns_mean 0 20
! grep -Eiq 'delayed ACK|Nagle' "$work/err" || fail "a quick server is accused"

# The real thing: headers and body in two pieces of a socket with Nagle's algorithm.
relay --nagle
read_slowly
between first_byte_ns_mean 0 20
between body_ns_mean 20 80
told 'delayed ACK|Nagle'
say "Nagle's algorithm: $(field body_ns_mean) ns of body"

# --- a link of 1 MiB/s: 64 KiB take 62 ms
relay --rule 'GET /65536/ rate=1024'
run 0 --endpoint "$relay" --format csv -n 20 --rounds 1 --sizes 64Ki --tests read --s3.objects 4 \
	"s3://$bucket"
between first_byte_ns_mean 0 20
between body_ns_mean 50 110
awk -v value="$(field throughput_bytes_per_s)" 'BEGIN { exit !(value > 500e3 && value < 1060e3) }' ||
	fail "$(field throughput_bytes_per_s) B/s by a link of 1 MiB/s"
! grep -Eiq 'delayed ACK|Nagle' "$work/err" || fail "a slow link is taken for Nagle's algorithm"
say "slow link: $(field throughput_bytes_per_s) B/s"

# --- an operation that commits slowly is slow, and in its last request
relay --rule 'POST uploadId= delay-head=300'
run 0 --endpoint "$relay" --quiet --format csv -n 3 --rounds 1 --sizes 4Ki --tests multipart \
	"s3://$bucket"
between latency_ns_min 300 1000
say "slow commits"
