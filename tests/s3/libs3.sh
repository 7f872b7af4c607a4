#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# iosweep's objects and figures beside those of a client on the library libs3, which shares nothing
# with it: each of them reads what the other wrote, with the same bytes, sizes and ETags, and sends
# as many requests for as many operations.  Rates are printed, and not compared.
# shellcheck disable=SC2015,SC2119
# shellcheck source=tests/s3/lib.sh
. "${top_srcdir:?}/tests/s3/lib.sh"

client=${builddir:?}/tests/bench/libs3-client
[ -x "$client" ] || skip "built without another client (configure --with-libs3)"
client=$(cd "${client%/*}" && pwd)/libs3-client
s3_start

# libs3 STATUS VERB PREFIX OBJECTS BYTES THREADS OPERATIONS [FILE]: at $at, for $seconds
at=$endpoint seconds=0
libs3() {
	libs3_status=$1 libs3_verb=$2
	shift 2
	"$client" "$libs3_verb" "$at" "$bucket" "$1" "$2" "$3" "$4" "$5" "$seconds" ${6:+"$6"} \
		>"$work/theirs" 2>"$work/their-err" && code=0 || code=$?
	! grep -q 'Signature V2.*AccessDenied' "$work/their-err" ||
		skip "this libs3 signs with Signature V2, which $server_kind refuses"
	[ "$code" = "$libs3_status" ] || {
		cat "$work/their-err" >&2
		fail "libs3-client $libs3_verb ends with $code, not $libs3_status"
	}
}
did() { # NUMBER: operations of the last call, without errors
	[ "$(theirs operations) $(theirs errors)" = "$1 0" ] || fail "libs3-client does not do all"
}
# theirs NAME: a figure of the last call
theirs() {
	awk -v name="$1" '$1 == name { print $2 }' "$work/theirs"
}
# heads_agree PREFIX OBJECTS BYTES: keys, sizes and ETags by libs3 are those of the bytes stored
heads_agree() {
	libs3 0 head "$1" "$2" "$3" 1 "$2"
	number=0
	while [ "$number" -lt "$2" ]; do
		key=$1$(printf %06d "$number")
		sum=$(s3 get "$key" | md5sum)
		echo "$key $3 \"${sum%% *}\""
		number=$((number + 1))
	done >"$work/want"
	head -n "$2" "$work/theirs" | cmp -s - "$work/want" || {
		diff "$work/want" "$work/theirs" >&2
		fail "sizes or ETags differ"
	}
}

head -c 4096 /dev/urandom >"$work/first"
libs3 0 put first 0 4096 1 1 <"$work/first"
s3 get first | cmp -s - "$work/first" || fail "libs3-client wrote something else"
s3 delete first

# --- what iosweep wrote
sweep 0 --quiet -n 20 --sizes 4Ki,300000 --objects 4 --tests write,read --verify --keep \
	--run-name kept "s3://$bucket"
for size in 4096 300000; do
	heads_agree "iosweep-kept/$size/" 4 "$size"
	libs3 0 get "iosweep-kept/$size/" 4 "$size" 3 40
	did 40
	libs3 0 get "iosweep-kept/$size/000002" 0 "$size" 1 1 "$work/object"
	s3 get "iosweep-kept/$size/000002" | cmp -s - "$work/object" ||
		fail "libs3-client reads other bytes"
done
libs3 1 get iosweep-kept/300000/ 4 300001 1 2
[ "$(theirs operations) $(theirs errors)" = "0 2" ] || fail "another size is not an error"
say "libs3 reads what iosweep wrote"

# --- what libs3 wrote: also in the place of an object of iosweep's, with its bytes and with others
for size in 1 300000; do
	head -c "$size" /dev/urandom >"$work/body"
	libs3 0 put "by-libs3/$size/" 5 "$size" 4 30 <"$work/body"
	did 30
	s3 get "by-libs3/$size/000004" | cmp -s - "$work/body" || fail "libs3-client wrote other bytes"
	heads_agree "by-libs3/$size/" 5 "$size"
done
s3 sums by-libs3/ >"$work/before"
sweep 0 --quiet -n 20 --sizes 300000 --tests read,stat -r "s3://$bucket/by-libs3/300000"
[ "$(sum operations) $(sum errors)" = "40 0" ] || fail "iosweep does not read what libs3 wrote"
s3 sums by-libs3/ | cmp -s - "$work/before" || fail "iosweep has changed objects of libs3"
verify() { # STATUS
	sweep "$1" --quiet -n 40 --sizes 300000 --tests read -r --verify --run-name kept "s3://$bucket"
}
cp "$work/object" "$work/wrong"
flip_bit "$work/wrong" 1234
libs3 0 put iosweep-kept/300000/000002 0 300000 1 1 <"$work/wrong"
verify 4
[ "$(sum errors_wrong)" -gt 0 ] || fail "a wrong bit of libs3's object is not found"
libs3 0 put iosweep-kept/300000/000002 0 300000 1 1 <"$work/object"
verify 0
say "iosweep reads what libs3 wrote"

# --- figures of the same work: operations, requests as counted on the way, bytes
relay
at=$relay
libs3 0 get by-libs3/300000/ 5 300000 4 50
did 50
[ "$(requests GET /by-libs3/300000/)" = 50 ] || fail "libs3-client sends other requests"
relay
run 0 --endpoint "$relay" --format csv --columns all --quiet -n 50 --rounds 1 --depth 4 \
	--sizes 300000 --tests read -r "s3://$bucket/by-libs3/300000"
[ "$(value operations) $(value requests)" = "50 50" ] ||
	fail "$(value operations) operations, $(value requests) requests, not 50"
at=$endpoint seconds=1
for depth in 1 4; do
	libs3 0 get by-libs3/300000/ 5 300000 "$depth" 0
	sweep 0 --quiet --time 1s --depth "$depth" --sizes 300000 --tests read -r \
		"s3://$bucket/by-libs3/300000"
	[ "$(value errors)$(theirs errors)" = 00 ] || fail "operations failed"
	echo "# depth $depth: iosweep $(value rate_per_s)/s, p50 $(value latency_ns_p50) ns;" \
		"libs3 $(theirs rate_per_s)/s, p50 $(theirs latency_ns_p50) ns"
done
say "the same operations are as many requests"

run 0 clean --endpoint "$endpoint" --run-name kept "s3://$bucket"
holds 10
