#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# --mix: reads and writes in one slice are two rows with one time, each with its own operations,
# latencies and failures; the percentage of reads is right, also by the kernel's count.
# shellcheck disable=SC2086 # lists of words
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all
# shellcheck source=tests/cli/trace.sh
. "$top_srcdir/tests/cli/trace.sh"
mkdir "$work/dir"
cd "$work/dir" || exit 99
few='--quiet --levels 1 --width 4 -l 256k'

# value COLUMN TEST [MIX]: of the only such row
value() {
	by_name -v of="$2" -v share="${3:-}" 'test == of && (share == "" || mix == share) { print '"$1"'; n++ }
		END { if (n != 1) print n + 0 " rows" }'
}
# pair: the rows of one slice have one time, and their rates add up to the total rate
pair() {
	[ -n "$(value time_s write)" ] && [ "$(value time_s write)" = "$(value time_s read)" ] ||
		fail "two times: $(cat "$work/out")"
	awk -v a="$(value rate_per_s write)" -v b="$(value rate_per_s read)" -v t="$(value time_s read)" \
		-v n="$(($(value operations write) + $(value operations read)))" \
		'BEGIN { exit ((a + b) * t / n - 1) ^ 2 > 1e-10 }' || fail "rates: $(cat "$work/out")"
}
refused() { # WORDS ARGS...
	refused_words=$1
	shift
	refuses 2 "$refused_words" --quiet "$@"
	[ ! -s "$work/out" ] || fail "$*: results"
	nothing_left .
}

# --- each kind has its own latency: reads take 1 ms, writes 10 ms
columns='test,mix,operations,time_s,rate_per_s,latency_ns_min,latency_ns_max,stop,notes'
for how in '-n 100' '--threads 2 --time 300ms' '--rate 200 -n 60' '--depth 4 -n 200' \
	'--depth 4 --threads 2 --time 300ms' '--depth 4 --rate 500 -n 100'; do
	run 0 --quiet --mix 70 --sizes 4k --null.delay 1ms --null.write-delay 10ms $how \
		--columns "$columns" null:
	pair
	rows 'mix == 70 && (test == "write" ? latency_ns_min >= 1e7 : latency_ns_min >= 1e6 && latency_ns_min < 1e7)'
done

# --- the percentage: binomial, within five standard deviations; -n counts both kinds
for percent in 1 30 70 99; do
	run 0 --quiet --mix $percent --sizes 512 -n 4000 --columns test,mix,operations,stop null:
	awk -v r="$(value operations read)" -v w="$(value operations write)" -v p=$percent \
		'BEGIN { exit r + w != 4000 || (r - 40 * p) ^ 2 > 25 * 4000 * p * (100 - p) / 10000 }' ||
		fail "$percent percent: $(cat "$work/out")"
	shows stop 'count count'
done
# the same seed gives the same order
run 0 --quiet --mix 50 --sizes 512 -n 1000 --seed 7 --columns test,operations null:
cp "$work/out" "$work/first"
run 0 --quiet --mix 50 --sizes 512 -n 1000 --seed 7 --columns test,operations null:
cmp -s "$work/first" "$work/out" || fail "one seed, two mixes"

# --- 0 and 100 are only writes and only reads; a list is an axis; with other tests
run 0 --quiet --mix 0,50,100 --sizes 4k -n 40 --columns test,mix,operations null:
[ "$(value operations write 0)" = 40 ] && [ "$(value operations read 100)" = 40 ] &&
	[ "$(($(value operations write 50) + $(value operations read 50)))" = 40 ] &&
	[ "$(wc -l <"$work/out")" = 5 ] || fail "an axis: $(cat "$work/out")"
run 0 --quiet --mix 50 --tests create,read,write,delete --sizes 4k -n 20 \
	--columns test,mix,step,operations null:
[ "$(value operations create)" = 20 ] && [ "$(value operations delete)" = 20 ] &&
	[ -z "$(value mix create)" ] && [ "$(value step read)" = 2 ] && [ "$(value step write)" = 2 ] ||
	fail "beside other tests: $(cat "$work/out")"
# if one kind is impossible, neither is measured
for how in 'fill,write,read --cache uncached -l 1Mi null:' 'write,read --on xattr --mem.like pool --objects 2 mem:'; do
	iosweep --quiet --mix 50 --sizes 1Mi -n 4 --max-time 20s --columns notes --tests $how >"$work/out" 2>"$work/err"
	[ "$(tail -n 2 "$work/out" | grep -c '^skipped:')" = 2 ] || fail "$how: $(cat "$work/out")"
done
refused 'tests has no write' --mix 50 --tests read .
refused 'tests has no read' --mix 50 --tests write .
refused 'tests has more than one' --mix 50 --tests write,read,read .
refused 'only reads, but --mix writes' -r --mix 50 .
refused 'the second of them a stop' --mix 50 --tests read,write:n=5 .
refused 'no row can mix' --mix 50 --objects 2 --sizes 4k --object-size 64k mem:
run 0 --quiet --mix 50 --tests read:n=5,write -l 64k --sizes 4k .
awk -F, 'NR > 1 { n += $2 } END { exit n != 5 }' "$work/out" || fail "the stop of the step: $(cat "$work/out")"

refused 'classic format holds only one series' --mix 50 --format classic .
run 0 --dry-run --mix 30,70 --sizes 4k null:
[ "$(grep -c '^row .* mix=[37]0' "$work/out" "$work/err" | awk -F: '{ n += $2 } END { print n }')" = 4 ] ||
	fail "--dry-run: $(cat "$work/out")"
# both rows of a slice share its operations
run 0 --dry-run --mix 30,70 --sizes 4k -n 10 null:
grep -q '^operations: 10 per row, 20 in all$' "$work/out" || fail "--dry-run: $(cat "$work/out")"

# --- failures and wrong data belong to one of the rows
run 1 --quiet --mix 50 --sizes 4k -n 200 --null.fail at:7 --columns test,operations,errors null:
[ "$(($(value errors read) + $(value errors write)))" = 1 ] &&
	[ "$(($(value operations read) + $(value operations write)))" = 199 ] || fail "one failure: $(cat "$work/out")"

# --- on files: data are correct, whatever is written concurrently
for how in '-n 200' '--threads 3 -n 200' '--threads 3 --time 50ms' '--keep-open -n 200' '--engine stdio -n 200' \
	'--engine pread --cache uncached -n 100' '--sync end -n 40' '--call-size 1k -n 200'; do
	run 0 $few --mix 60 --sizes 4k --verify $how \
		--columns test,mix,operations,time_s,rate_per_s,errors,errors_wrong .
	pair
	rows 'operations > 0 && errors == 0 && errors_wrong == 0'
done
if iosweep --quiet -s -l 64k -b --tests read --sizes 4k -n 1 . >/dev/null 2>&1; then
	run 0 $few --mix 60 -b --sizes 4k,100 --verify -n 60 --columns test,operations,errors_wrong,errors .
	rows 'operations > 0 && errors == 0 && errors_wrong == 0'
else
	echo "not tried: O_DIRECT"
fi

# --- many in flight, with engines that support it
for how in '--depth 8 -n 400' '--depth 8 --threads 2 --time 50ms' '--depth 4 --keep-open -n 100' \
	'--depth 4 -b --sizes 100,4k -n 200' '--depth 4 --sync end -n 40'; do
	case $(iosweep help engines) in *io_uring*) ;; *) continue ;; esac
	iosweep --quiet --engine io_uring --depth 4 -b -s -l 64k --tests read --sizes 4k -n 4 . >/dev/null 2>&1 ||
		{ echo "not tried: io_uring with O_DIRECT"; break; }
	run 0 $few --engine io_uring --mix 60 --sizes 4k --verify $how \
		--columns test,operations,errors_wrong,errors .
	rows 'operations > 0 && errors == 0 && errors_wrong == 0'
done

# --- objects: requests are those of the row
run 0 --quiet --mix 70 --sizes 4k,64k --depth 4 -n 300 --objects 20 --verify \
	--columns test,operations,requests,errors_wrong,errors mem:
rows 'operations > 0 && requests == operations && errors == 0 && errors_wrong == 0'
[ "$(wc -l <"$work/out")" = 5 ] || fail "objects: not two rows of each size"
# --- records of an interval have one kind each
run 0 --quiet --mix 50 --sizes 4k --time 300ms --interval 50ms --null.delay 1ms --null.write-delay 3ms \
	--series "$work/series" --columns test,operations null:
for test in read write; do
	by_name -v of=$test 'test == of { n += operations; if (latency_ns_min != "" && operations > 0 &&
			(!least || latency_ns_min < least)) least = latency_ns_min }
		END { exit !(n > 0 && least >= (of == "read" ? 1000000 : 3000000)) }' "$work/series" ||
		fail "records of $test: $(cat "$work/series")"
done

# --- rows of two mixes are distinguished in all outputs and by the commands
run 0 --quiet --mix 30,70 --sizes 4k,64k -n 40 -o "$work/two.csv" null:
run 0 --quiet --mix 30,70 --sizes 4k,64k -n 40 --format json -o "$work/two.json" null:
run 0 --quiet --mix 30,70 --sizes 4k,64k -n 40 --format table null:
[ "$(grep -c ' write 30%\| read 70%\| write 70%\| read 30%' "$work/out")" = 8 ] || fail "table: $(cat "$work/out")"
for file in two.csv two.json; do
	run 0 plot "$work/$file"
	for curve in 'write mix 30' 'write mix 70' 'read mix 30' 'read mix 70'; do
		grep -q "$curve" "$work/out" || fail "plot of $file lacks $curve: $(cat "$work/out")"
	done
	iosweep compare --format csv "$work/$file" "$work/$file" >"$work/out" 2>"$work/err" # status 1: unclear
	[ "$(grep -c "^cell,\(read\|write\)," "$work/out")" = 8 ] ||
		fail "compare of $file: $(cat "$work/out")"
done
nothing_left .

# --- system calls
can_trace || skip "strace may not trace here: calls were not counted"
for engine in pread posix; do
	trace "$work/trace" 0 $few --engine $engine --mix 70 --sizes 4k -n 1000 --columns test,mix,operations .
	eval "$(cycles "$work/trace" | tr ' ' '\n' | grep '^\(open\|read\|write\|close\)=')"
	# shellcheck disable=SC2154 # eval
	[ "$read" = "$(value operations read)" ] && [ "$write" = "$(value operations write)" ] &&
		[ "$open" = 1000 ] && [ "$close" = 1000 ] || fail "$engine: $(cycles "$work/trace")"
	[ "$read" -ge 628 ] && [ "$read" -le 772 ] || fail "$engine: $read of 1000 are no 70 percent"
done
