#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# iosweep fit of sweeps that are measured, in each format, and of a large file.  What it finds in
# curves that are known, and says of them, is in tests/golden/fit.t.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

cd "$work" || exit 99

# field NAME [KIND]: of each line of that kind (curve) in $work/out; a path may have a comma
field() {
	sed 's/"[^",]*,[^"]*"/quoted/g' "$work/out" | awk -F, -v name="$1" -v kind="${2:-curve}" 'NR == 1 {
			for (i = 1; i <= NF; i++) { if ($i == name) c = i; if ($i == "kind") k = i }
			next
		}
		$k == kind { print $c }'
}

# --- a large file: 16 rows with 16000 buckets each

if iosweep --version | grep -q jansson; then
	awk 'BEGIN {
		print "{\"rows\":["
		for (n = 1; n <= 16; n++) {
			printf "%s{\"size_bytes\":%d,\"test\":\"read\",\"op_ns_median\":%d,\"latency_histogram\":[", \
				(n > 1 ? "," : ""), 2 ^ n, 1000 + 2 ^ n
			for (i = 1; i <= 16000; i++)
				printf "%s[%d,1]", (i > 1 ? "," : ""), i
			print "]}"
		}
		print "]}"
	}' >large.json
	run 0 fit --format csv large.json
	rows 't0_ns > 999.99 && t0_ns < 1000.01 && bandwidth_bytes_per_s > 0.9999e9 && bandwidth_bytes_per_s < 1.0001e9'
fi

# --- real sweeps

mkdir dir
run 0 --quiet -s --file-size 4Mi -m 512 -M 1Mi -n 200 --format csv -o sweep.csv dir
run 0 --quiet -s --file-size 4Mi -m 512 -M 1Mi -n 200 --format json -o sweep.json dir
run 0 --quiet -s --file-size 4Mi -m 512 -M 1Mi -n 200 --format classic -o sweep.txt dir
run 0 --quiet -s --file-size 4Mi -m 512 -M 1Mi -n 200 --format csv --decimal , -o sweep.german.csv dir
nothing_left dir
for file in sweep.csv sweep.json sweep.txt sweep.german.csv; do
	[ $file != sweep.json ] || iosweep --version | grep -q jansson || continue
	run 0 fit --residuals --format csv $file
	[ "$(field test | tr '\n' ' ')" = 'write read ' ] || fail "$file: curves"
	[ "$(field points | tr '\n' ' ')" = '12 12 ' ] || fail "$file: points"
	[ "$(field point_bytes point | wc -l)" = 24 ] || fail "$file: residuals"
	field best_bytes_per_s | awk '$1 < 1e6 { exit 1 }' || fail "$file: best"
done

# --- threads and depth of a classic table are those of the run

run 0 --quiet --format classic --threads 2 --engine null -n 40 --sizes 4k,8k,16k,32k,64k -o two.txt null:
grep -q '^Conducting write test (.*, 2 threads, depth 1, null:)\.\.\.$' two.txt || fail "threads are not in the classic output"
run 0 --quiet --format classic -n 40 --sizes 4k,8k,16k,32k,64k -o one.txt null:
grep -q '^Conducting write test\.\.\.$' one.txt || fail "words in a table of one thread"
run 0 fit --format csv --residuals two.txt one.txt
field threads | sort -u | tr '\n' ' ' | grep -qx '1 2 ' || fail "threads of classic tables"
