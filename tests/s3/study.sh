#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Results of a bucket pass through everything that reads or writes results: fit, plot, compare,
# every format, and time series. Tests that move no data have times, but no throughput.
# shellcheck disable=SC2015,SC2022,SC2030,SC2031,SC2119
# shellcheck source=tests/s3/lib.sh
. "${top_srcdir:?}/tests/s3/lib.sh"

s3_start
run 0 --endpoint "$endpoint" --quiet --format csv --rounds 8 -n 80 --sizes 512,4Ki,64Ki,256Ki --objects 4 \
	--tests read,stat,list --series "$work/series" --interval 10ms "s3://$bucket"
cp "$work/out" "$work/csv"
[ "$(count_rows)" -eq 12 ] || fail "$(count_rows) rows, not 12"
rows 'test == "read" ? throughput_bytes_per_s > 0 : throughput_bytes_per_s == ""' "$work/csv"
rows 'latency_ns_p50 > 0' "$work/csv"
[ "$(wc -l <"$work/series")" -ge 2 ] || fail "no records by time"
say "rows and records"

run 0 --endpoint "$endpoint" --quiet --format json -o "$work/json" --rounds 8 -n 80 --sizes 512,4Ki,64Ki,256Ki \
	--objects 4 --tests read,stat,list "s3://$bucket"
agrees "$work/json" || fail "$why"
# itself FILE: compared with itself there is no difference; whether that is certain depends on how
# well the rounds agree, and so on the machine
itself() {
	"$IOSWEEP" compare --quiet --format csv "$work/$1" "$work/$1" >"$work/out" 2>"$work/err" </dev/null
	status=$?
	awk -F, -v status=$status '
		$1 == "cell" { n++; if ($11 != 1 || $10 !~ /^(same|unclear|unknown)$/) bad = 1 }
		$1 == "cell" || $1 == "overall" { known += $10 == "same" }
		END { exit n != 12 || bad || status != (known ? 0 : 2) }' "$work/out" ||
		fail "compare of $1 with itself: status $status: $(cat "$work/out" "$work/err")"
	[ $status -eq 0 ] || errors_are_one_line
}
for kind in csv json; do
	run 0 fit --quiet --format csv "$work/$kind"
	[ "$(wc -l <"$work/out")" -ge 2 ] || fail "fit of $kind: no curve"
	itself "$kind"
	run 0 plot --quiet -o "$work/$kind.svg" "$work/$kind"
	grep -q '</svg>' "$work/$kind.svg" || fail "plot of $kind: no picture"
done
say "fit, compare and plot"

run 0 --endpoint "$endpoint" --quiet --format classic -n 8 --sizes 512,4Ki --objects 4 "s3://$bucket"
[ -s "$work/out" ] || fail "classic: no output"
holds 0
say "formats"
