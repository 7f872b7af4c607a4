#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Scenarios of other object benchmarks by number, one function each: objects written by a run are
# found by its name alone, read as often as requested and in that order, as verified by the server's
# requests, and removed.
# shellcheck disable=SC2015,SC2119
# shellcheck source=tests/s3/lib.sh
. "${top_srcdir:?}/tests/s3/lib.sh"

s3_start

# Ranges of a run's objects, given only its name: at multiples of the size, inside the objects, with
# the right total, also with another number of threads than wrote them.
ob5() {
	sweep 0 --quiet --rounds 1 -n 8 --object-size 40000 --objects 4 --threads 2 --sizes 4Ki --tests read --keep \
		--run-name ob5 "s3://$bucket"
	for ob5_threads in 1 7; do
		relayed
		sweep 0 --quiet --rounds 1 -n 42 --threads $ob5_threads -r --run-name ob5 "s3://$bucket"
		[ "$(value size_bytes)" -eq 40000 ] && [ "$(value operations)" -eq 42 ] || fail "not whole objects"
		[ "$(awk '$1 == "GET" && $2 ~ /\/object\// && $7 != "-" && $7 != "bytes=0-39999"' "$relay_log" | wc -l)" -eq 0 ] ||
			fail "whole objects are read from another place than 0"
		relayed
		sweep 0 --quiet --rounds 1 -n 42 --threads $ob5_threads --sizes 512,4Ki --align 512 -r --run-name ob5 "s3://$bucket"
		[ "$(value operations)$(value operations 2)" = 4242 ] || fail "other bytes than asked for"
		awk '$1 == "GET" && $2 ~ /\/object\// { split(substr($7, 7), at, "-"); n++
			if ($7 !~ /^bytes=/ || at[1] % 512 || at[2] > 39999 || (at[2] - at[1] != 511 && at[2] - at[1] != 4095)) bad = $7 }
			END { if (bad != "" || n != 84) { print n " ranges, " bad; exit 1 } }' "$relay_log" >&2 || fail "other ranges"
	done
	clean ob5
}

# once DIRECTORY NUMBER: in the relay's log each of this many objects was requested exactly once
once() {
	awk -v directory="/$1/" '$1 == "GET" && index($2, directory) { n[$2]++ }
		END { for (key in n) print n[key] }' "$relay_log" >"$work/counts"
	[ "$(wc -l <"$work/counts")" -eq "$2" ] && ! grep -qvx 1 "$work/counts" ||
		fail "$(wc -l <"$work/counts") of $2 objects were read: so often: $(sort "$work/counts" | uniq -c)"
}
# Whatever was put is read exactly once.
cf2() {
	for cf2_how in '--depth 1' '--depth 8 --threads 3'; do
		relayed
		# shellcheck disable=SC2086
		sweep 0 --quiet --tests write,read --access once --sizes 10Ki --objects 50 --time 1000s $cf2_how "s3://$bucket"
		for cf2_row in 1 2; do
			[ "$(value operations $cf2_row)" -eq 50 ] && [ "$(value stop $cf2_row)" = exhausted ] || fail "not 50 operations"
		done
		once 10240 50
	done
	# in one command, as many as there is time for
	relayed
	sweep 0 --quiet --tests create:300ms,read:created,stat:created,delete:created --delete-batch 10 --sizes 10Ki --threads 2 --depth 3 "s3://$bucket"
	awk '$1 == "PUT" && index($2, "/create-10240/") { print $2 }' "$relay_log" | sort -u >"$work/put"
	once create-10240 "$(wc -l <"$work/put")"
	[ "$(value operations 2)" -eq "$(wc -l <"$work/put")" ] && [ "$(value stat_hits 3)" -eq "$(wc -l <"$work/put")" ] &&
		[ "$(value operations)" -le "$(wc -l <"$work/put")" ] && [ "$(value stat_misses 3)" -eq 0 ] ||
		fail "$(value operations 2) reads and $(value stat_hits 3) hits of $(wc -l <"$work/put") objects"
	[ "$(value operations 4)" -eq $((($(wc -l <"$work/put") + 9) / 10)) ] || fail "not ten at a time: $(value operations 4)"
	sweep 0 --quiet --tests write --sizes 10Ki --objects 5000 --time 300ms --keep --run-name cf2 "s3://$bucket"
	kept cf2 10240 >"$work/kept"
	relayed
	sweep 0 --quiet --access once --depth 4 --time 1000s -r --run-name cf2 "s3://$bucket"
	[ "$(value operations)" -eq "$(wc -l <"$work/kept")" ] || fail "$(value operations) reads of $(wc -l <"$work/kept") objects"
	once 10240 "$(wc -l <"$work/kept")"
	clean cf2
}

# Reads and writes in one slice: a row each, in agreement with the server's count.
mixed() {
	relayed
	sweep 0 --quiet --rounds 1 -n 100 --mix 70 --depth 4 --sizes 4Ki --objects 20 "s3://$bucket"
	[ "$(count_rows)" -eq 2 ] && [ "$(sum operations)" -eq 100 ] && [ "$(sum errors)" -eq 0 ] || fail "$(sum operations) of 100"
	for mixed_row in 1 2; do
		mixed_seen=$(requests GET /4096/)
		[ "$(value test $mixed_row)" = read ] || mixed_seen=$(($(requests PUT /4096/) - 20)) # 20 were filled in before
		[ "$(value mix $mixed_row)" -eq 70 ] && [ "$(value operations $mixed_row)" -eq "$mixed_seen" ] ||
			fail "$(value operations $mixed_row) in the row, $mixed_seen on the way"
	done
}

# Filling writes each object once, in order, in rows of a given number of bytes.
filled() {
	relayed
	sweep 0 --quiet --tests fill --sizes 10000 --objects 25 --fill-step 100000 --keep --run-name filled "s3://$bucket"
	[ "$(value filled_bytes),$(value filled_bytes 2),$(value filled_bytes 3)" = 100000,200000,250000 ] || fail "other rows"
	numbered filled 10000 25 10000
	awk '$1 == "PUT" && $2 ~ /\/10000\// { sub(/.*\//, "", $2); sub(/\?.*/, "", $2); print $2 }' "$relay_log" >"$work/puts"
	sed 's,.*/,,' "$work/kept" | cmp -s - "$work/puts" || fail "not in order, each once"
	clean filled
}

for scenario in ob5 cf2 mixed filled; do
	echo "scenario $scenario"
	endpoint=$server_endpoint
	$scenario
	holds 0
	say "$scenario"
done
