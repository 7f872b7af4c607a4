#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# iosweep fit finds what synthetic curves are made of, in every format that results have; shows
# segments where the rows are steady and says why it does not where they are not; warns where the
# line is far off; fits real sweeps; and agrees with what is known of a published one.
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
# about NAME EXPECTED SHARE [KIND]: all of them are
about() {
	field "$1" "${4:-curve}" | awk -v x="$2" -v share="$3" '
		{ n++; if ($1 == "" || $1 < x * (1 - share) || $1 > x * (1 + share)) exit 1 }
		END { exit n == 0 }' || fail "$1 of the ${4:-curve} is $(field "$1" "${4:-curve}"), not about $2"
}
said() { grep -Eq -e "$1" "$work/err" || fail "not said: $1"; }
silent() { [ ! -s "$work/err" ] || fail "something was said: $*"; }

# make T0_NS BYTES_PER_NS NOISE: size and time of points from 2 B to 16 MiB, on the line but for noise
make() {
	awk -v t0="$1" -v r="$2" -v noise="$3" 'BEGIN {
		srand(4)
		for (n = 2; n <= 16777216; n *= 2) {
			u = 0
			for (i = 0; i < 12; i++)
				u += rand()
			printf "%d %.6f\n", n, (t0 + n / r) * (1 + noise * (u - 6))
		}
	}'
}

# --- synthetic: 1000 ns and 8 GB/s, with 3 % of noise, in all formats

make 1000 8 0.03 >points
awk 'BEGIN { print "size_bytes,op_ns_median,test" } { print $1 "," $2 ",read" }' points >plain.csv
awk 'BEGIN { print "\357\273\277size_bytes;time_s;operations;test\r" }
	{ t = sprintf("%.9f", $2 / 1e6); sub(/[.]/, ",", t); print $1 ";" t ";1000;read\r" }' points >german.csv
awk 'BEGIN { print "test\tthroughput_bytes_per_s\tsize_bytes" }
	{ printf "read\t%.3f\t%s\n", $1 / $2 * 1e9, $1 }' points >tabs.csv
awk 'BEGIN {
		print "IO profile test parameters\nLocation: linus:/mnt/sda3\nConducting read test..."
		print "I/O size [bytes], operations, time [s], throughput [bytes/s], I/O rate [1/s]"
	}
	{ printf "%d,1000000,%.6f,%.6f,%.6f\n", $1, $2 / 1e3, $1 / $2 * 1e9, 1e9 / $2 }
	END { print "Done with read test" }' points >classic.txt
awk 'BEGIN { printf "{\"iosweep\":\"0\",\"run\":{},\"rows\":[" }
	{ printf "%s\n{\"size_bytes\":%d,\"op_ns_median\":%.6f,\"test\":\"read\"}", (NR > 1 ? "," : ""), $1, $2 }
	END { print "]}" }' points >document.json

for file in plain.csv german.csv tabs.csv classic.txt document.json; do
	if [ "${file#*.}" = json ] && ! iosweep fit $file >"$work/out" 2>"$work/err"; then
		grep -q 'built without jansson' "$work/err" || fail "$file"
		one_line "$work/err"
		echo "not looked at: JSON, this build cannot read it"
		continue
	fi
	run 0 fit --format csv $file
	silent $file
	about t0_ns 1000 0.03
	about bandwidth_bytes_per_s 8e9 0.03
	about half_bytes 8000 0.06
	about points 24 0
	about best_bytes 16777216 0.6
	[ "$(field test)" = read ] || fail "$file: test"
	[ "$(field mean_error_percent | awk '{ print ($1 > 0.5 && $1 < 5) }')" = 1 ] || fail "$file: mean error"
done
iosweep fit --format csv - <plain.csv >"$work/out" 2>"$work/err" || fail "standard input"
about t0_ns 1000 0.03
[ "$(field file)" = '"-"' ] || fail "standard input has another name"

# --- residuals: one line per point, and they are what they say

run 0 fit --format csv --residuals plain.csv
[ "$(field point_bytes point | wc -l)" = 24 ] || fail "--residuals: not 24 points"
by_name 'kind == "curve" { t0 = t0_ns; r = bandwidth_bytes_per_s; worst = worst_error_percent; at = worst_bytes }
	kind == "point" {
		off = 100 * (measured_ns / (t0 + point_bytes / r * 1e9) - 1)
		if (off - residual_percent > 0.01 || off - residual_percent < -0.01) exit 1
		if ((off < 0 ? -off : off) > most) { most = off < 0 ? -off : off; size = point_bytes }
	}
	END { exit !(most - worst < 0.01 && worst - most < 0.01 && size == at) }' ||
	fail "residuals, or the worst of them, are not what the line says"

# --- formats and files

run 0 fit --format table plain.csv
[ "$(wc -l <"$work/out")" = 2 ] || fail "not one heading and one line"
grep -Eq '^read +24 +(9[6-9][0-9] ns|1[.]0[0-9] us) +(7[.][89][0-9]|8[.][0-9]*) GB/s ' "$work/out" || fail "table"
run 0 fit --format table --residuals plain.csv
[ "$(wc -l <"$work/out")" = 28 ] || fail "table with residuals"
grep -Eq '^read +16 MiB +[0-9.]+ ms +[0-9.]+ ms +[-+][0-9.]+ %$' "$work/out" || fail "table: a point"
run 0 fit plain.csv
cp "$work/out" expected.csv
run 0 fit -o written.csv plain.csv
[ ! -s "$work/out" ] || fail "-o, but something on standard output"
diff expected.csv written.csv >/dev/null || fail "-o: another result"
if command -v python3 >/dev/null; then
	run 0 fit --format json --residuals plain.csv german.csv
	python3 - "$work/out" <<'END' || fail "JSON"
import json, sys
fits = json.load(open(sys.argv[1]))["fits"]
assert [f["file"] for f in fits] == ["plain.csv", "german.csv"]
for f in fits:
    assert abs(f["t0_ns"] - 1000) < 30 and abs(f["bandwidth_bytes_per_s"] - 8e9) < 24e7
    assert f["segments"] == [] and len(f["residuals"]) == f["points"] == 24
    assert max(abs(p["residual_percent"]) for p in f["residuals"]) == f["worst_error_percent"]
END
fi

# curves are named by what differs, files too
sed 's/read/write/' plain.csv | cat plain.csv - >both.csv
run 0 fit --format table both.csv
[ "$(awk 'NR > 1 { print $1 }' "$work/out" | tr '\n' ' ')" = 'read write ' ] || fail "names of curves"
run 0 fit --format table both.csv plain.csv
[ "$(awk 'NR > 1 { print $1 " " $2 }' "$work/out" | tr '\n' ' ')" = 'both.csv read both.csv write plain.csv read ' ] ||
	fail "names of curves of two files"

# --- two regimes, steady and not

awk 'BEGIN { print "size_bytes,op_ns_median,notes" }
	{ print $1 "," ($1 > 1048576 ? 1e6 + $1 / 8 : 1000 + $1) * $2 / (1000 + $1 / 8) "," }' points >bend.csv
run 0 fit --format csv bend.csv
[ "$(field points segment | wc -l)" = 2 ] || fail "not two segments"
[ "$(field to_bytes segment | head -1)" = 1048576 ] || fail "the first segment ends elsewhere"
field bandwidth_bytes_per_s segment | awk '{ v[NR] = $1 }
	END { exit !(v[1] > 0.95e9 && v[1] < 1.05e9 && v[2] > 7e9 && v[2] < 9e9) }' ||
	fail "bandwidths of the segments: $(field bandwidth_bytes_per_s segment)"
field t0_ns segment | awk '{ v[NR] = $1 }
	END { exit !(v[1] > 970 && v[1] < 1030 && v[2] > 0.9e6 && v[2] < 1.1e6) }' ||
	fail "start-up times of the segments: $(field t0_ns segment)"
run 0 fit --format table bend.csv
[ "$(grep -c '^  .* to ' "$work/out")" = 2 ] || fail "table: not two segments"
for note in wide 'outliers;drift'; do
	sed "s/^65536,.*/&$note/" bend.csv >unsteady.csv
	run 0 fit --format csv unsteady.csv
	[ -z "$(field points segment)" ] || fail "segments of unsteady rows"
	said '^unsteady.csv: segments are not shown: 1 of 24 rows have the notes wide, drift or incomplete'
done
sed "s/^65536,.*/&outliers;widest/" bend.csv >steady.csv
run 0 fit --format csv steady.csv
[ "$(field points segment | wc -l)" = 2 ] || fail "another note hides segments"

# --- the line is far off at one point: said with the size, the amount and what to look at

awk -F, 'BEGIN { OFS = "," } $1 == 4096 { $2 *= 3 } 1' plain.csv >off.csv
run 0 fit --format csv off.csv
one_line "$work/err"
said '^iosweep: read: the line does not fit the curve at 4 KiB, where operations take (1[89]|2[01])[0-9] % longer .* knee90'
about t0_ns 1000 0.03
about worst_bytes 4096 0
run 0 fit --quiet off.csv
silent --quiet

# --- what has no line is said, and is in the results all the same

head -4 plain.csv >three.csv
run 1 fit --format csv three.csv
said '^iosweep: read: no line: 3 sizes with figures, at least 4 are needed'
[ "$(field points)$(field t0_ns)" = 3 ] || fail "three points are not in the results"
run 1 fit --format table three.csv plain.csv
[ "$(wc -l <"$work/out")" = 3 ] || fail "table: not two curves"
printf 'size_bytes,rate_per_s,notes\n1,,skipped:align\n2,4,\n4,3,\n8,2,\n16,1,\n' >skipped.csv
run 0 fit --format csv skipped.csv
said '1 of 5 rows have no figures'
about points 4 0

# --- tests that move no data have no bandwidth: left out, and that is said

printf 'size_bytes,rate_per_s\n2,4\n4,3\n8,2\n16,1\n' >rates.csv
awk -F, 'NR == 1 { print $0 ",test"; next } { print $0 ",list"; print $0 ",read" }' \
	rates.csv >mixed.csv
run 0 fit --format csv mixed.csv
[ "$(field points | wc -l)" = 1 ] || fail "a test that moves no data has a line"
said '1 curve left out: tests that move no data'
grep -v ',read$' mixed.csv >list.csv
run 2 fit --format csv list.csv
one_line "$work/err"
said 'no test that moves data in list.csv; iosweep plot '

# --- refused: one line, with the place

for file in missing.csv . /dev/null; do
	run 2 fit $file
	one_line "$work/err"
done
printf 'size_bytes,rate_per_s\n1,2\n2,x\n' >bad.csv
run 2 fit bad.csv
one_line "$work/err"
said 'rate_per_s .* bad\.csv:3'
"$IOSWEEP" --quiet --interval 10ms --series series.csv --sizes 4k --tests read -n 100 null: >/dev/null ||
	fail "--series"
run 2 fit series.csv
one_line "$work/err"
said 'records of --series, not results, begin at series\.csv:1'
run 2 fit
run 2 fit --format classic plain.csv
run 2 fit -o no/such/place plain.csv
one_line "$work/err"
printf 'size_bytes,rate_per_s\n1,\n' >empty.csv
run 2 fit empty.csv
[ ! -s "$work/out" ] || fail "an error, yet results"

awk 'BEGIN { print "size_bytes,rate_per_s,label"; for (i = 0; i < 10001; i++) print "1,2," i }' >labels.csv
run 2 fit labels.csv
one_line "$work/err"
sed '$d' labels.csv >fewer.csv
run 1 fit --quiet fewer.csv

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
	about t0_ns 1000 1e-6
	about bandwidth_bytes_per_s 1e9 1e-6
fi

# --- real sweeps

mkdir dir
run 0 --quiet -s --file-size 4Mi -m 512 -M 1Mi -n 200 --format csv -o sweep.csv dir
run 0 --quiet -s --file-size 4Mi -m 512 -M 1Mi -n 200 --format json -o sweep.json dir
run 0 --quiet -s --file-size 4Mi -m 512 -M 1Mi -n 200 --format classic -o sweep.txt dir
run 0 --quiet -s --file-size 4Mi -m 512 -M 1Mi -n 200 --format csv --decimal , -o sweep.german.csv dir
nothing_left dir
for file in sweep.csv sweep.json sweep.txt sweep.german.csv; do
	if [ $file = sweep.json ] && ! iosweep fit $file >"$work/out" 2>"$work/err" &&
		grep -q 'built without jansson' "$work/err"; then
		continue
	fi
	run 0 fit --residuals --format csv $file
	[ "$(field test | tr '\n' ' ')" = 'write read ' ] || fail "$file: curves"
	[ "$(field points | tr '\n' ' ')" = '12 12 ' ] || fail "$file: points"
	[ "$(field point_bytes point | wc -l)" = 24 ] || fail "$file: residuals"
	field best_bytes_per_s | awk '$1 < 1e6 { exit 1 }' || fail "$file: best"
done

# --- what is doubtful about a file is said

awk -F, 'NR == 1 { print $0 ",notes"; next } { print $0 "," (NR > 20 ? "incomplete" : "") }' plain.csv >broken.csv
run 0 fit broken.csv
said 'broken.csv: 5 of 24 rows are incomplete'
printf '%s' "$(cat plain.csv)" >cut.csv
run 0 fit cut.csv
said 'cut.csv: the last line has no end, it may be cut off'
one_line "$work/err"
run 0 fit --quiet cut.csv
silent cut.csv

# --- threads and depth of a classic table are those of the run

run 0 --quiet --format classic --threads 2 --engine null -n 40 --sizes 4k,8k,16k,32k,64k -o two.txt null:
grep -q '^Conducting write test (.*, 2 threads, depth 1, null:)\.\.\.$' two.txt || fail "threads are not in the classic output"
run 0 --quiet --format classic -n 40 --sizes 4k,8k,16k,32k,64k -o one.txt null:
grep -q '^Conducting write test\.\.\.$' one.txt || fail "words in a table of one thread"
run 0 fit --format csv --residuals two.txt one.txt
field threads | sort -u | tr '\n' ' ' | grep -qx '1 2 ' || fail "threads of classic tables"

# --- a published sweep.  Up to 256 MiB, where it is flat: about 93 Gbit/s, n1/2 185 KiB, t0 16 us;
# and the line is far off at 128 to 256 KiB, where the throughput is half as high again.

published=$top_srcdir/tests/data/elbencho-sweep.csv
awk -F, '!/^[0-9]/ || $1 <= 268435456' "$published" >published.csv
run 0 fit --format csv --residuals published.csv
about bandwidth_bytes_per_s 11.6e9 0.06
about half_bytes 189440 0.06
about t0_ns 16400 0.06
said 'the line does not fit the curve at (128|256) KiB, where operations take 3[0-9] % less'
for size in 131072 262144; do
	by_name -v size=$size 'point_bytes == size { x = line_ns / measured_ns; exit } END { exit !(x > 1.4 && x < 1.65) }' || fail "the throughput at $size is not half as high again as the line"
done
run 0 fit --format csv "$published"
about knee90_bytes 16777216 0
[ "$(field points segment | tr '\n' ' ')" = '8 23 ' ] || fail "the plateau is no segment"
