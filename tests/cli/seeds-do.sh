#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# What users of the Doris file system benchmark rely on, one function per scenario, on files, mem:
# and null:. (On a real object store: tests/s3/seeds.sh.  Figures over repeats, and the first one,
# which is cold: steps.sh; the time of open: accept-sweep.sh; pieces: call-size.sh; names: names.sh.)
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all
# shellcheck source=tests/cli/trace.sh
. "$top_srcdir/tests/cli/trace.sh"

mkdir "$work/dir"
cd "$work/dir" || exit 99

# The read-ahead advice can be chosen and is in the row; the data are the same.
do6() {
	mkdir set
	head -c 1048576 /dev/urandom >set/file
	for do6_cache in cached uncached; do
		for do6_how in normal none sequential willneed; do
			run 0 --quiet --format csv -r --keep-open --engine pread --tests read --access once --sizes 64k \
				--cache $do6_cache --readahead $do6_how set
			[ "$(value operations),$(value size_bytes)" = 16,65536 ] && [ "$(value readahead)" = $do6_how ] ||
				fail "$do6_cache, $do6_how: $(value operations) reads, readahead=$(value readahead)"
			# no unwanted read-ahead: no more comes from the device than is requested
			case $do6_cache,$do6_how,$(value notes) in
			*,none,*read_ahead_seen*) fail "$do6_cache: read ahead although it was not to be" ;;
			esac
		done
	done
	run 0 --quiet --format csv -r --tests read --cache uncached --access random,sequential --sizes 4k -n 20 set
	[ "$(value readahead 1),$(value readahead 2)" = none,normal ] || fail "what is not said does not fit"
	refuses 2 '' --quiet -r -b --tests read --readahead none --sizes 4k -n 20 set
	if iosweep --quiet -r -b --tests read --sizes 4k -n 20 set >/dev/null 2>&1; then
		run 0 --quiet --format csv -r --cache asis,direct --tests read --readahead none --sizes 4k -n 20 set
		[ "$(column cache readahead | tr '\n' ' ')" = 'asis:none direct: ' ] || fail "past the cache nothing is read ahead"
	fi
	if can_trace; then
		for do6_how in none:RANDOM sequential:SEQUENTIAL willneed:WILLNEED; do
			trace "$work/trace" 0 --quiet -r --cache asis --engine pread --tests read --sizes 4k -n 20 \
				--readahead ${do6_how%:*} set
			# since the descriptor was opened; the check for zeros before the run uses RANDOM, too
			awk -v word="POSIX_FADV_${do6_how#*:})" '
				/openat.* = [0-9]+$/ { delete said[$NF] }
				match($0, /(fadvise64(_64)?|pread64)\([0-9]+/) {
					descriptor = substr($0, RSTART, RLENGTH)
					sub(/.*\(/, "", descriptor)
					if (/fadvise/) said[descriptor] = index($0, word) > 0
					else if (/ 4096, [0-9]+\) *= 4096/) reads[said[descriptor] + 0]++
				}
				END { exit !(word ~ /RANDOM/ ? reads[1] >= 20 && !reads[0] : reads[1] == 20) }' "$work/trace" ||
				fail "--readahead ${do6_how%:*} is not applied to each file that is opened"
		done
	fi
	rm -r set
	run 2 --quiet --readahead none --tests read --sizes 4k -n 10 mem:
	grep -q 'option is for files' "$work/err" || fail "objects are not read ahead"
}

measuring() { [ "$(wc -l <"$work/series")" -ge 3 ]; }

# An option file, and the command line, which takes precedence; secrets are neither printed nor
# stored, nor accepted from such a file.
do9() {
	do9_secret=qK7secretZ4mayX6beY8seen
	printf '# the house\n--cache cached --sizes 4k,8k -n 6 -l 64k --width 2 --label house\n' >"$work/conf"
	run 0 --quiet --format csv --sizes 16k "@$work/conf" .
	[ "$(wc -l <"$work/out")" -eq 3 ] && [ "$(value size_bytes)" -eq 16384 ] &&
		[ "$(value operations)" -eq 6 ] && [ "$(value label)" = house ] ||
		fail "the command line does not win, or the file is not used: $(cat "$work/out")"
	(
		AWS_ACCESS_KEY_ID=key$do9_secret AWS_SECRET_ACCESS_KEY=$do9_secret AWS_SESSION_TOKEN=token$do9_secret
		export AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN
		run 0 --verbose --format json -o "$work/json" --series "$work/do9-series" "@$work/conf" .
		printf -- '--endpoint http://127.0.0.1:1 --sizes 4k -n 2\n' >"$work/store"
		iosweep --verbose "@$work/store" s3://bucket >"$work/out3" 2>"$work/err3"
		status=$?
		[ $status = 3 ] || { [ $status = 2 ] && grep -q 'no S3' "$work/err3"; } || fail "a store that is not there: $status"
	) || exit 1
	printf -- '-n 6 --s3.secret-key=%s\n' "$do9_secret" >"$work/bad"
	run 2 "@$work/bad" .
	printf 'AWS_SECRET_ACCESS_KEY=%s\n' "$do9_secret" >"$work/bad2"
	run 2 "@$work/bad2" .
	for do9_file in json do9-series out err out3 err3; do
		! grep -q "$do9_secret" "$work/$do9_file" || fail "the secret is in $do9_file"
	done
	grep -q '"option_files":' "$work/json" || fail "the file is not named"
	nothing_left .
}

# Three threads that create five objects each, three times: 15 operations each time, and figures
# divided neither by the five nor by the three.
do1() {
	run 0 --quiet --format csv --tests create --sizes 1024000 --threads 3 -n 5/thread --repeat 3 --rounds 1 \
		--null.delay 50ms null:
	column repeat size_bytes operations throughput_bytes_per_s time_s latency_ns_mean in_flight_mean |
		awk -F: '$1 != NR || $2 != 1024000 || $3 != 15 { exit 1 }
			($4 * $5 / 15360000 - 1) ^ 2 > 1e-12 { exit 1 }
			# 5 operations of each thread in sequence, and no faster than the store
			$5 < 0.25 || $4 > 3 * 1024000 / 0.05 || $6 < 50e6 { exit 1 }
			# the sum of latencies is limited by the operations in flight
			$6 * 15 > 1.01 * 3e9 * $5 { exit 1 }
			END { if (NR != 3) exit 1 }' || fail "not 3 times 15 operations of 50 ms: $(column repeat operations time_s)"
}

# One given object: whole, in a shorter length, and in a longer one, where it is counted as short.
do4() {
	head -c 30000 /dev/urandom >file
	run 0 --quiet --format csv -r --tests read --sizes full -n 10 file
	[ "$(value size_bytes)" -eq 30000 ] && [ "$(value operations)" -eq 10 ] || fail "a whole file is not 10 times 30000 bytes"
	run 0 --quiet --format csv -r --tests read --sizes 7000 -n 10 file
	[ "$(value size_bytes),$(value operations)" = 7000,10 ] || fail "not 10 times 7000 bytes"
	run 0 --quiet --format csv -r --tests read --sizes 100000 -n 10 --allow-short file
	[ "$(value operations)" -eq 0 ] && [ "$(value errors_short)" -eq 10 ] &&
		[ -z "$(value throughput_bytes_per_s)" ] ||
		fail "a file that is shorter: $(value errors_short) short"
	run 1 --quiet --format csv -r --tests read --sizes 100000 -n 10 file
	grep -q skipped:beyond_file "$work/out" || fail "a file that is shorter is not skipped"
	if can_trace; then
		trace "$work/trace" 0 --quiet -r --cache asis --tests read --sizes full,100000 -n 10 --allow-short file
		[ "$(grep -c ' read.*, 100000) *= 30000$' "$work/trace")" -eq 10 ] &&
			[ "$(grep -c ' read.*, 30000) *= 30000$' "$work/trace")" -eq 10 ] ||
			fail "other calls than reported"
	fi
	rm file
}

# A failed operation adds no bytes to the rate: it is counted, and the run fails.
do10() {
	run 1 --quiet --format csv --tests read --sizes 4k -n 30 --max-errors 0 --null.fail at:3 null:
	[ "$(value errors)" -ge 1 ] && [ "$(($(value operations) + $(value errors)))" -eq 30 ] ||
		fail "$(value operations) operations and $(value errors) errors are not 30"
	awk -v rate="$(value throughput_bytes_per_s)" -v n="$(value operations)" -v time="$(value time_s)" \
		'BEGIN { exit (rate * time / (4096 * n) - 1) ^ 2 > 1e-12 }' || fail "failed operations have bytes"
	# a file that became shorter: a partial transfer is not an operation
	mkdir set
	head -c 65536 /dev/urandom >set/file
	iosweep --quiet --format csv -r --cache asis --tests read --sizes 64k --time 60s --max-errors 5 \
		--interval 100ms --series "$work/series" set >"$work/out" 2>"$work/err" &
	do10_run=$!
	on_exit "end_child $do10_run"
	soon "nothing is read" measuring
	truncate -s 40000 set/file
	wait $do10_run
	[ $? -eq 1 ] || fail "a file that became shorter does not fail the run"
	[ "$(value errors_short)" -ge 1 ] || fail "no short operations"
	rm -r set
}

# Delays at the end of an operation are part of its latency, and shown as the time of closing.
do8() {
	can_trace || { echo "strace is not usable here"; return; }
	# shellcheck disable=SC2086
	ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" \
		strace -f -o "$work/trace" -e trace=close,memfd_create $no_reference -e inject=close:delay_enter=20000 \
		"$IOSWEEP" --quiet --format csv --columns all --tests write -s -l 64k --sizes 4k -n 5 --rounds 1 . >"$work/out" 2>"$work/err" ||
		{ echo "not tried: this strace delays no calls"; return; }
	awk -v least="$(value latency_ns_min)" -v closes="$(value close_ns_mean)" -v opens="$(value open_ns_mean)" \
		'BEGIN { exit !(least >= 2e7 && closes >= 2e7 && closes > opens) }' ||
		fail "closing takes 20 ms; row: $(value close_ns_mean) ns of at least $(value latency_ns_min)"
	nothing_left .
}

# Operations that move no data have the store's time in ns, regardless of the number of threads; the
# rate is that of all threads together.
do11() {
	run 0 --quiet --format csv --tests stat,list,rename,delete --threads 1,4 --sizes 1 -n 40 --rounds 1 \
		--null.delay 20ms --columns test,threads,operations,latency_ns_min,latency_ns_p50,time_s,throughput_bytes_per_s \
		null:
	awk -F, 'NR > 1 {
		rows++
		# a bucket of the histogram begins up to 1/64 lower; a busy machine makes latencies longer
		ok += $3 == 40 && $4 >= 20000000 && $5 >= 19600000 && $7 == ""
		if ($2 == 4 && $6 < 40 * 0.02 / 4) ok = -9
		if ($2 == 4 && $5 > 3 * 20000000) slow++
	}
	END { exit !(rows == 8 && ok == 8 && slow < 4) }' "$work/out" || fail "latencies depend on threads"
}

scenarios do1 do4 do6 do8 do9 do10 do11
