#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# What users of the Doris file system benchmark rely on, one function per scenario, as far as it is not
# that of any storage (tests/seeds.sh).  (Figures over repeats: steps.sh; pieces: call-size.sh; names:
# names.sh; files of a user: read-existing.sh.)
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all
# shellcheck source=tests/cli/trace.sh
. "$top_srcdir/tests/cli/trace.sh"
# shellcheck source=tests/objects.sh
. "$top_srcdir/tests/objects.sh"

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
			shows 'operations size_bytes readahead' 16:65536:$do6_how "$do6_cache, $do6_how"
			# no unwanted read-ahead: no more comes from the device than is requested
			case $do6_cache,$do6_how,$(value notes) in
			*,none,*read_ahead_seen*) fail "$do6_cache: read ahead although it was not to be" ;;
			esac
		done
	done
	run 0 --quiet --format csv -r --tests read --cache uncached --access random,sequential --sizes 4k -n 20 set
	shows readahead 'none normal'
	refuses 2 '' --quiet -r -b --tests read --readahead none --sizes 4k -n 20 set
	if iosweep --quiet -r -b --tests read --sizes 4k -n 20 set >/dev/null 2>&1; then
		run 0 --quiet --format csv -r --cache asis,direct --tests read --readahead none --sizes 4k -n 20 set
		shows 'cache readahead' 'asis:none direct:' # past the cache nothing is read ahead
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
	refuses 2 'option is for files' --quiet --readahead none --tests read --sizes 4k -n 10 mem:
}

# Secrets are neither printed nor stored, nor accepted from an option file.
do9() {
	do9_secret=qK7secretZ4mayX6beY8seen
	printf '# the house\n--cache cached --sizes 4k,8k -n 6 -l 64k --width 2 --label house\n' >"$work/conf"
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

# One given file, in its length and in one that it has not, takes as many calls as are reported.
do4() {
	can_trace || { echo "strace is not usable here"; return; }
	head -c 30000 /dev/urandom >file
	trace "$work/trace" 0 --quiet -r --cache asis --tests read --sizes full,100000 -n 10 --allow-short file
	for do4_asked in 100000 30000; do
		[ "$(grep -c " read.*, $do4_asked) *= 30000\$" "$work/trace")" -eq 10 ] || fail "other calls than reported"
	done
	rm file
}

# A failed operation adds no bytes to the rate (errors.sh): it is counted, and the run fails.
do10() {
	# a file that became shorter: a partial transfer is not an operation
	head -c 65536 /dev/urandom >file
	begin_run --cache asis -r --tests read --sizes 64k --time 60s --max-errors 5 --interval 100ms --series "$work/series" file
	soon "nothing is read" has_records 3
	truncate -s 40000 file
	end_run none 1
	[ "$(value errors_short)" -ge 1 ] || fail "no short operations"
	rm file
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

scenarios do4 do6 do8 do9 do10
