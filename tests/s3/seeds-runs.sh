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
endpoint=$server_endpoint
echo mine >"$work/mine"

# Ranges of a run's objects, given only its name: at multiples of the size, inside the objects, with
# the right total, also with another number of threads than wrote them.
ob5() {
	sweep 0 --quiet --rounds 1 -n 8 --object-size 40000 --objects 4 --threads 2 --sizes 4Ki --tests read --keep \
		--run-name ob5 "s3://$bucket"
	for ob5_threads in 1 7; do
		relay
		endpoint=$relay
		sweep 0 --quiet --rounds 1 -n 42 --threads $ob5_threads -r --run-name ob5 "s3://$bucket"
		[ "$(field size_bytes)" -eq 40000 ] && [ "$(field operations)" -eq 42 ] || fail "not whole objects"
		[ "$(awk '$1 == "GET" && $2 ~ /\/object\// && $7 != "-" && $7 != "bytes=0-39999"' "$relay_log" | wc -l)" -eq 0 ] ||
			fail "whole objects are read from another place than 0"
		relay
		endpoint=$relay
		sweep 0 --quiet --rounds 1 -n 42 --threads $ob5_threads --sizes 512,4Ki --align 512 -r --run-name ob5 "s3://$bucket"
		[ "$(field operations)$(field operations 2)" = 4242 ] || fail "other bytes than asked for"
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
		relay
		endpoint=$relay
		# shellcheck disable=SC2086
		sweep 0 --quiet --tests write,read --access once --sizes 10Ki --objects 50 --time 1000s $cf2_how "s3://$bucket"
		for cf2_row in 1 2; do
			[ "$(field operations $cf2_row)" -eq 50 ] && [ "$(field stop $cf2_row)" = exhausted ] || fail "not 50 operations"
		done
		once 10240 50
	done
	# in one command, as many as there is time for
	relay
	endpoint=$relay
	sweep 0 --quiet --tests create:300ms,read:created,stat:created,delete:created --delete-batch 10 --sizes 10Ki --threads 2 --depth 3 "s3://$bucket"
	awk '$1 == "PUT" && index($2, "/create-10240/") { print $2 }' "$relay_log" | sort -u >"$work/put"
	once create-10240 "$(wc -l <"$work/put")"
	[ "$(field operations 2)" -eq "$(wc -l <"$work/put")" ] && [ "$(field stat_hits 3)" -eq "$(wc -l <"$work/put")" ] &&
		[ "$(field operations)" -le "$(wc -l <"$work/put")" ] && [ "$(field stat_misses 3)" -eq 0 ] ||
		fail "$(field operations 2) reads and $(field stat_hits 3) hits of $(wc -l <"$work/put") objects"
	[ "$(field operations 4)" -eq $((($(wc -l <"$work/put") + 9) / 10)) ] || fail "not ten at a time: $(field operations 4)"
	sweep 0 --quiet --tests write --sizes 10Ki --objects 5000 --time 300ms --keep --run-name cf2 "s3://$bucket"
	kept cf2 10240 >"$work/kept"
	relay
	endpoint=$relay
	sweep 0 --quiet --access once --depth 4 --time 1000s -r --run-name cf2 "s3://$bucket"
	[ "$(field operations)" -eq "$(wc -l <"$work/kept")" ] || fail "$(field operations) reads of $(wc -l <"$work/kept") objects"
	once 10240 "$(wc -l <"$work/kept")"
	clean cf2
}

# Operations on names have latencies and no throughput, 2500 names are three pages, and objects
# finally have their first names, also after an odd number of renames.
do7() {
	relay
	endpoint=$relay
	sweep 0 --quiet --tests stat,list,rename --objects 2500 --sizes 1 -n 9 --rounds 1 --depth 2 --keep --run-name do7 \
		"s3://$bucket"
	[ "$(field stat_hits)" -eq 9 ] && [ "$(field list_names 2)" -eq 2500 ] && [ "$(field operations 3)" -eq 9 ] ||
		fail "$(field stat_hits) hits of 9, $(field list_names 2) names of 2500, $(field operations 3) renames of 9"
	[ "$(field requests 2)" -eq $((3 * $(field operations 2))) ] || fail "$(field requests 2) requests for 9 lists"
	for do7_line in 1 2 3; do
		[ -n "$(field latency_ns_mean $do7_line)" ] && [ -z "$(field throughput_bytes_per_s $do7_line)" ] ||
			fail "no latency, or a throughput"
	done
	[ "$(kept do7 rename-1 | sed 's,.*/,,' | tr '\n' ' ')" = '000000 000002 ' ] || fail "names have changed: $(kept do7 rename-1)"
	clean do7
}

# A depth of 16 is at most 16 concurrent requests: each has a connection, and the server has seen
# that many. Records contain the number in flight.
rb1() {
	relay --rule 'PUT /4096/ delay-head=20'
	endpoint=$relay
	sweep 0 --quiet --tests write --sizes 4Ki --depth 16 --objects 40 --time 2s --interval 250ms --series "$work/series" \
		"s3://$bucket"
	rb1_connections=$(awk '$1 == "PUT" && $2 ~ /\/4096\// { seen[$6] } END { for (c in seen) n++; print n + 0 }' "$relay_log")
	[ "$rb1_connections" -ge 2 ] && [ "$rb1_connections" -le 16 ] || fail "$rb1_connections connections, not up to 16"
	by_name 'row == "" { next }
		{ n++; most = in_flight > most ? in_flight : most
			if (in_flight > 16 || operations_begun_total - operations_ended_total != in_flight) bad = 2 }
		END { exit bad ? bad : n < 2 ? 3 : most < 2 ? 4 : 0 }' "$work/series" || fail "records ($?): $(cat "$work/series")"
}

# Given only its name, a run is read in order, each object once, long before the time is over;
# another size means ranges, or a skipped row with a reason.
rb3() {
	sweep 0 --quiet --rounds 1 -n 30 --threads 3 --sizes 4Ki --objects 30 --tests write --keep --run-name rb3 "s3://$bucket"
	relay
	endpoint=$relay
	sweep 0 --quiet -r --run-name rb3 --access once --time 1000s "s3://$bucket"
	[ "$(field operations)" -eq 30 ] && [ "$(field stop)" = exhausted ] && [ "$(field size_bytes)" -eq 4096 ] ||
		fail "$(field operations) reads of $(field size_bytes) bytes, stop=$(field stop)"
	kept rb3 4096 | sed 's,.*/,,' >"$work/kept"
	awk '$1 == "GET" && $2 ~ /\/4096\// { sub(/.*\//, "", $2); sub(/\?.*/, "", $2); print $2 }' "$relay_log" |
		cmp -s - "$work/kept" || fail "not in order, each once"
	sweep 0 --quiet -r --run-name rb3 --access once --sizes 1Ki --threads 3 "s3://$bucket"
	[ "$(field operations)" -eq 120 ] || fail "$(field operations) reads of 1 KiB, not 120"
	sweep 1 --quiet -r --run-name rb3 --access once --sizes 8Ki "s3://$bucket"
	[ "$(field notes)" = skipped:beyond_file ] || fail "notes: $(field notes)"
	clean rb3
}

# A run's objects are removed at its end, or kept if requested and removed by name or below a
# prefix, with a report of the amount; foreign ones are not, and another prefix is not a run.
# Numbers are numeric, and the server's time for deletions is in the latency.
rb12() {
	sweep 0 --quiet --rounds 1 -n 10 --sizes 100 --objects 10 --tests write "s3://$bucket/base"
	bucket_holds 0 base/
	s3 put base/iosweep-mine/object "$work/mine"
	s3 put base/object "$work/mine"
	rb12_status=0
	for rb12_how in '--run-name one' ''; do
		sweep 0 --quiet --rounds 1 -n 10 --sizes 100 --objects 10 --tests write --keep --run-name one "s3://$bucket/base"
		bucket_holds 13 base/
		# what looks like a run but has no manifest stays, and is named
		# shellcheck disable=SC2086
		run $rb12_status clean --endpoint "$endpoint" $rb12_how "s3://$bucket/base"
		told '10 objects, 1000 B of 1 run removed in [0-9.]+ .?s$'
		bucket_holds 2 base/
		rb12_status=3
	done
	run 3 clean --endpoint "$endpoint" --run-name mine "s3://$bucket/base"
	bucket_holds 2 base/
	s3 delete base/iosweep-mine/object
	s3 delete base/object
	relay --rule 'DELETE /100/ delay-head=100'
	endpoint=$relay
	sweep 0 --quiet --rounds 1 -n 6 --sizes 100 --objects 6 --tests write --keep --run-name rb12 "s3://$bucket"
	run 0 --quiet --endpoint "$endpoint" --format json --tests delete --depth 2 -r --run-name rb12 "s3://$bucket"
	python3 - "$work/out" <<-'END' >&2 || fail "not JSON of six deletes of 100 ms"
		import records, sys
		row = records.load(sys.argv[1])["row"][0]
		sys.exit(not (row["operations"] == 6 and isinstance(row["latency_ns_min"], (int, float)) and row["latency_ns_min"] >= 1e8))
	END
	bucket_holds 0
}

# Reads and writes in one slice: a row each, in agreement with the server's count.
mixed() {
	relay
	endpoint=$relay
	sweep 0 --quiet --rounds 1 -n 100 --mix 70 --depth 4 --sizes 4Ki --objects 20 "s3://$bucket"
	[ "$(count_rows)" -eq 2 ] && [ "$(sum operations)" -eq 100 ] && [ "$(sum errors)" -eq 0 ] || fail "$(sum operations) of 100"
	for mixed_row in 1 2; do
		mixed_seen=$(requests GET /4096/)
		[ "$(field test $mixed_row)" = read ] || mixed_seen=$(($(requests PUT /4096/) - 20)) # 20 were filled in before
		[ "$(field mix $mixed_row)" -eq 70 ] && [ "$(field operations $mixed_row)" -eq "$mixed_seen" ] ||
			fail "$(field operations $mixed_row) in the row, $mixed_seen on the way"
	done
}

# Filling writes each object once, in order, in rows of a given number of bytes.
filled() {
	relay
	endpoint=$relay
	sweep 0 --quiet --tests fill --sizes 10000 --objects 25 --fill-step 100000 --keep --run-name filled "s3://$bucket"
	[ "$(field filled_bytes),$(field filled_bytes 2),$(field filled_bytes 3)" = 100000,200000,250000 ] || fail "other rows"
	numbered filled 10000 25 10000
	awk '$1 == "PUT" && $2 ~ /\/10000\// { sub(/.*\//, "", $2); sub(/\?.*/, "", $2); print $2 }' "$relay_log" >"$work/puts"
	sed 's,.*/,,' "$work/kept" | cmp -s - "$work/puts" || fail "not in order, each once"
	clean filled
}

for scenario in ob5 cf2 do7 rb1 rb3 rb12 mixed filled; do
	echo "scenario $scenario"
	endpoint=$server_endpoint
	$scenario
	bucket_holds 0
	say "$scenario"
done
