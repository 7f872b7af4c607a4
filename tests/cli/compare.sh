#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# `iosweep compare`: verdict, exit status and words for results in each format, written by hand so
# that they do not depend on the machine, and for sweeps of an engine whose speed is known.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all
cd "$work" || exit 99

iosweep --version | grep -q jansson || skip "built without jansson, which reads rounds"

# row SIZE ENGINE TARGET: a row of JSON as far as its rounds, for awk; "numbers" ends it
row='
	function row(size, engine, target) {
		printf "%s{\"size_bytes\":%d,\"test\":\"read\",\"target\":\"%s\",\"engine\":\"%s\",\"cache\":\"cached\"", rows++ ? "," : "", size, target, engine
		printf ",\"threads\":1,\"depth\":1,\"notes\":\"\",\"label\":\"\""
	}
	function numbers(name, all) { printf ",\"%s\":[%s]", name, substr(all, 2) }
	function rounds(all, count, value, sorted, i, k) {
		numbers("round_ns", all)
		count = split(substr(all, 2), value, ",")
		for (i = 1; i <= count; i++) {
			for (k = i; k > 1 && sorted[k - 1] > value[i] + 0; k--)
				sorted[k] = sorted[k - 1]
			sorted[k] = value[i] + 0
		}
		printf ",\"op_ns_median\":%.4f,\"op_ns_min\":%s", (sorted[int((count + 1) / 2)] + sorted[int(count / 2) + 1]) / 2, sorted[1]
	}
	BEGIN { print "{\"rows\":[" }
	END { print "]}" }
'
# rounds FILE FACTOR [TARGET [COUNT]]: 3 sizes of 12 rounds about 1000 ns * FACTOR, +- 0.3 %
rounds() {
	target=${3:-/a} awk -v factor="$2" -v count="${4:-12}" "$row"'BEGIN {
		for (size = 1; size <= 3; size++) {
			row(size * 512, "posix", ENVIRON["target"])
			all = ""
			for (i = 1; i <= count; i++)
				all = all sprintf(",%.3f", 1000 * size * factor * (1 + ((i * 7 + size) % 11 - 5) / 1500))
			rounds(all)
			print "}"
		}
	}' /dev/null >"$1"
}
# csv FILE LABEL MEDIAN LOW HIGH [NOTES]
csv() {
	printf 'size_bytes,operations,time_s,test,target,engine,cache,threads,depth,%s\n' \
		op_ns_median,op_ns_low,op_ns_high,notes,label >"$1"
	printf '4096,1000,0.001,read,/a,posix,cached,1,1,%s,%s,%s,%s,%s\n' "$3" "$4" "$5" "${6:-}" "$2" >>"$1"
}
# field RECORD NUMBER: of the first record of that kind in the output
field() { awk -F, -v record="$1" -v n="$2" '$1 == record { print $n; exit }' "$work/out"; }
expect() { [ "$2" = "$3" ] || fail "$1 is '$2', not '$3'"; }
said() { grep -q "$1" "$work/err" || fail "standard error does not say: $1"; }

# --- rounds ---

rounds same1 1
rounds same2 1.001
rounds slow 1.06
rounds fast 0.9
run 0 compare same1 same2
expect "fields of the header" "$(head -n 1 "$work/out")" \
	"record,test,target,engine,cache,label,threads,depth,size_bytes,verdict,ratio,ratio_low,ratio_high,p,evidence,op_ns_old,op_ns_new,cells,notes,ratio_measured,ratio_reference,step,loop,repeat,access,mix,filled_bytes,ranks"
awk -F, 'NF != 28 { exit 1 }' "$work/out" || fail "not 28 fields in each record"
expect verdict "$(field cell 10)" same
expect evidence "$(field cell 15)" rounds
said 'the same overall'
said '0 slower, 0 faster, 3 same, 0 unclear'
run 1 compare same1 slow
expect verdict "$(field cell 10)" slower
expect "overall verdict" "$(field overall 10)" slower
expect ratio "$(field overall 11)" 1.060000
said '6.0 % slower overall'
said '3 slower, 0 faster, 0 same'
run 1 compare slow same1
expect verdict "$(field cell 10)" faster
run 0 compare --tolerance 12% same1 slow
expect verdict "$(field cell 10)" same
# not shown to be slower, nor to be the same: no answer
run 2 compare --tolerance 6.2% same1 slow
expect verdict "$(field cell 10)" unclear
said '^iosweep: nothing could be judged: no cell is known to differ or.* --time for each row'
run 2 compare --quiet --tolerance 6.2% same1 slow
one_line "$work/err"
# of no concern where only what is slower counts
run 0 compare --worse-only --tolerance 6.2% slow same1
run 0 compare --worse-only same1 fast
expect "cells listed" "$(grep -c '^cell' "$work/out")" 0
expect "overall verdict" "$(field overall 10)" faster
run 1 compare --worse-only same1 slow
expect "cells listed" "$(grep -c '^cell' "$work/out")" 3
run 0 compare --verbose same1 same2
said 'one sweep of each'

# --- too few rounds for a verdict ---

csv few1 '' 1000 '' ''
csv few2 '' 2000 '' ''
run 2 compare few1 few2
said 'nothing could be judged: no cell has intervals.* at least 4 rounds; --time gives slow rows more$'

# --- of two machines ---

json() { # FILE HOST PROCESSOR KERNEL
	printf '{"iosweep":"0.2.0","run":{"host":{"name":"%s","cpu":"%s","kernel":"%s"}},"rows":[{%s}]}\n' "$2" "$3" "$4" \
		'"size_bytes":512,"test":"read","target":"/a","op_ns_median":1000,"op_ns_low":999,"op_ns_high":1001' >"$1"
}
json here.json old 'CPU 1' 6.1
json there.json new 'CPU 2' 6.1
json later.json old 'CPU 1' 6.12
run 0 compare here.json there.json
said '^old and new are of different machines: host old -> new, processor CPU 1 -> CPU 2$'
run 0 compare here.json later.json
said '^kernel: 6.1 -> 6.12$'
run 0 compare here.json here.json
! grep -q -e '^kernel' -e 'different machines' "$work/err" || fail "one machine is said to be two"

# --- the table, and its file ---

run 1 compare --format table --quiet -o table same1 slow
[ ! -s "$work/out" ] || fail "-o writes to standard output"
[ ! -s "$work/err" ] || fail "--quiet says something"
grep -q '^ *512 B  1.00 us  1.06 us  *+6.0 %.*6.0 % slower$' table || fail "no such line: $(cat table)"
# an axis has a column where cells differ in it
for file in same1 slow; do
	{
		cat $file
		sed 's/"threads":1/"threads":2/' $file
	} >threads_$file
done
run 1 compare --format table --quiet -o table threads_same1 threads_slow
grep -q threads table || fail "no column of threads: $(head -2 table)"
! grep -q depth table || fail "a column for what is always the same: $(head -2 table)"
grep -q '^read: 6.0 % slower overall' table || fail "no sentence: $(cat table)"

# so few rounds that no difference of three cells could pass a test of ranks
rounds few.same1 1 /a 4 && rounds few.same2 1.001 /a 4 && rounds few.thrice 3 /a 4
run 1 compare few.same1 few.thrice
expect "cells of few rounds" "$(grep -c '^cell.*,slower,' "$work/out")" 3
run 2 compare few.same1 few.same2
expect evidence "$(field cell 15)" rounds

# --- sets ---

run 1 compare same1 slow same2 slow same1 slow
said '6.0 % slower overall'
run 2 compare same1 slow slow same1
expect verdict "$(field cell 10)" unclear
rounds drift1 1 && rounds drift2 1.05 && rounds drift3 1.1 && rounds drift4 1.15
run 1 compare drift1 drift2
run 2 compare drift1 drift2 drift3 drift4

# --- an axis is what is compared ---

rounds other 1.001 /b
run 0 compare same1 other
said 'target: /a -> /b'
expect target "$(field cell 3)" "/a -> /b"
cat other slow >two
run 1 compare same1 two
[ "$(grep -c 'none in the new' "$work/err")" = 0 ] || fail "cells only in the new file are called gone"
cat other same2 >two
run 0 compare same1 two # what is new is no loss
said '3 cells are not in all files, such as read 512 B /b posix cached, missing from same1'
expect "missing ones" "$(grep -c '^missing,read,/b,' "$work/out")" 3

# --- a new sweep that broke off has not passed; a difference is one all the same ---

for file in same2 slow; do
	sed '/"size_bytes":1536/d' $file >$file.part
done
run 2 compare same1 same2.part
said '1 cell is not in all files: read 1536 B /a posix cached is missing from same2.part'
said '^iosweep: 1 cell with figures in the old files has none in the new: read 1536 B .*--partial'
[ "$(field missing 9)" = 1536 ] || fail "the results are not printed"
run 2 compare --quiet same1 same2.part
one_line "$work/err"
run 0 compare --partial same1 same2.part
run 0 compare --partial --quiet same1 same2.part
[ ! -s "$work/err" ] || fail "--partial --quiet says something"
run 1 compare same1 slow.part
run 0 compare same2.part same1
run 2 compare same1 same2 same1 same2.part
sed '/"size_bytes":1024/s/"notes":""/"notes":"wide;incomplete"/' same2 >broken
run 2 compare same1 broken
said '1 cell with figures in the old files has none in the new: read 1 KiB'
run 0 compare --partial same1 broken

# --- a label for each sweep ---

for sweep in same1:a1 same1:b1 same2:a2 same2:b2 slow:s1; do
	sed "s/\"label\":\"\"/\"label\":\"${sweep#*:}\"/" "${sweep%:*}" >"${sweep#*:}"
done
run 0 compare a1 b1 a2 b2
said 'labels are not compared, each sweep has a different one: a1, b1, a2, b2$'
expect label "$(field cell 6)" ''
run 2 compare a1 a1 b1 b2
one_line "$work/err"
said 'the label is "a1" in a1, but "b1" in b1'

# --- names in files stay names on a terminal ---

escape=$(printf '\033')
rounds hostile 1.06 '/x\u001b[2J'
sed '/"size_bytes":1536/d' hostile >hostile.part
for format in csv table; do
	run 1 compare --format $format -o hostile.out same1 hostile
	run 2 compare --format $format -o hostile.out hostile hostile.part
	run 0 compare --format $format -o hostile.out --partial "$(cp hostile "h$escape" && echo "h$escape")" hostile.part
	! grep -q "$escape" "$work/err" || fail "a control sequence reaches the terminal"
	said 'x.x1b'
done

# --- what cannot be written is no difference ---

if [ -c /dev/full ]; then
	run 2 compare -o /dev/full same1 slow
	one_line "$work/err"
	iosweep compare same1 slow >/dev/full 2>"$work/err"
	expect "status for a full standard output" $? 2
fi
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
	for output in '' '-o -'; do
		script -qec "'$IOSWEEP' compare --quiet $output same1 slow" /dev/null >terminal </dev/null
		grep -q 'time/op' terminal || fail "no table on a terminal ($output)"
	done
fi

# --- intervals only: conservative ---

csv old.csv x 1000 990 1010
csv near.csv x 1035 1025 1045
csv far.csv x 1100 1090 1110
run 2 compare old.csv near.csv
expect evidence "$(field cell 15)" conservative
said 'conservative'
expect "times it is said" "$(grep -c 'have no rounds' "$work/err")" 1
run 1 compare old.csv far.csv
# ratio 1.1, bounds 1090 / 1010 and 1110 / 990, three times as far from it for a single pair
expect low "$(field cell 12)" 1.038795
expect high "$(field cell 13)" 1.164871
iosweep compare --quiet - far.csv <old.csv >"$work/out" 2>"$work/err"
expect "status of standard input" $? 1
csv label.csv y 1001 991 1011
run 2 compare old.csv label.csv
said 'label: x -> y'
# two sweeps in one file: medians cannot be pooled, rounds can
cat old.csv old.csv >twice.csv
run 2 compare twice.csv far.csv
one_line "$work/err"
said 'several rows for one cell.*twice.csv'
cat slow slow >twice
run 1 compare same1 twice

# --- neither ---

cat >classic1 <<'END'
Conducting read test...
I/O size [bytes], operations, time [s], throughput [bytes/s], I/O rate [1/s]
512,1000,0.001000,512000000.000000,1000000.000000
1024,1000,0.002000,512000000.000000,500000.000000
Done with read test
END
sed 's/^512,.*/512,1000,0.004000,128000000.000000,250000.000000/' classic1 >classic2
run 2 compare --quiet classic1 classic2
one_line "$work/err"
said 'nothing could be judged: .*compare JSON files'
run 2 compare classic1 classic2
expect evidence "$(field cell 15)" ratio
expect ratio "$(field cell 11)" 4.000000
expect verdict "$(field cell 10)" unknown
said 'but no verdict'

# --- rows that cannot be compared, or that did not do the same ---

csv skipped.csv x '' '' '' skipped:beyond_file
run 2 compare --partial old.csv skipped.csv
said 'nothing could be judged: all cells were skipped'
expect evidence "$(field cell 15)" none
expect notes "$(field cell 19)" skipped
expect ratio "$(field cell 11)" ''
csv incomplete.csv x 5000 4990 5010 incomplete
run 2 compare --quiet old.csv incomplete.csv
one_line "$work/err"
expect notes "$(field cell 19)" incomplete
csv hits.csv x 500 490 510 'cache_hits'
run 1 compare old.csv hits.csv
said 'did different work in 1 of 1 cells.*cache_hits:new'

# --- usage ---

run 2 compare same1
run 2 compare same1 slow same2
one_line "$work/err"
said 'pairs of files'
run 2 compare - -
run 2 compare same1 "$work/no_such_file"
one_line "$work/err"
said no_such_file
printf 'size_bytes,test,op_ns_median\n77,write,5\n' >alien.csv
run 2 compare same1 alien.csv
said 'nothing to compare'
run 2 compare --tolerance 0 same1 slow
run 2 compare -o "$work/no/such/directory" same1 slow

# --- rounds at two speeds: old, new and the ratio that stand in one line agree ---

groups() { # SLOW: of 5 rounds
	awk -v slow="$1" "$row"'BEGIN {
		row(4096, "posix", "/a")
		for (i = 1; i <= 40; i++)
			all = all sprintf(",%.3f", (i % 5 < slow ? 126000 : 61700) + i % 7)
		rounds(all)
		print "}"
	}' /dev/null
}
groups 2 >mostly.fast
groups 3 >mostly.slow
run 2 compare mostly.fast mostly.slow
awk -F, '$1 == "cell" { cells++; off = $17 / $16 / $11 - 1; bad += off > 1e-4 || off < -1e-4 }
	END { exit !(cells == 1 && !bad) }' "$work/out" || fail "old, new and ratio do not agree"
expect notes "$(field cell 19)" medians
said 'the medians and the rounds as a whole disagree, such as read .* (medians 61.7 us and 126 us,'
run 2 compare --format table mostly.fast mostly.slow
grep -q '4 KiB  61.7 us  .*unclear  medians' "$work/out" || fail "no such line: $(cat "$work/out")"

# --- wild rounds that are 5000 times as long say nothing, and nothing is the last word

for sweep in wild:1 wilder:5000; do
	awk -v factor="${sweep#*:}" "$row"'BEGIN {
		for (size = 512; size <= 4096; size *= 8) {
			row(size, "null", "null:")
			all = ""
			for (i = 1; i <= 6; i++)
				all = all sprintf(",%.0f", 5200 * factor * (1 + i % 3 * 30) * (1 + i * i % 7))
			rounds(all)
			print "}"
		}
	}' /dev/null >"${sweep%:*}"
done
run 2 compare --format table wild wilder
grep -q ' x5000  x[0-9.]* .. x[0-9.]*  *[0-9.]*  unclear' "$work/out" ||
	fail "a factor of 5000: $(cat "$work/out")"
said 'no cell is known to differ or to be the same'

# --- a file and itself: no difference, and the same where its rounds agree

! grep -q itself "$work/err" || fail "two files are taken for one"
run 0 compare same1 same1
expect verdict "$(field cell 10)" same
said 'same1 is compared with itself'
ln -s wild wild.link
run 2 compare wild wild.link
expect verdict "$(field cell 10)" unclear
expect ratio "$(field cell 11)" 1.000000
said 'wild is compared with itself'

# --- a machine that is slower by 5 %, as the reference of each round tells ---

# referenced FILE SPEED CPU_NS: as rounds, of one size
referenced() {
	awk -v speed="$2" -v cpu="$3" "$row"'BEGIN {
		row(4096, "posix", "/a")
		for (i = 1; i <= 24; i++) {
			all = all sprintf(",%.3f", 1000 * speed * (1 + (i * 7 % 11 - 5) / 1500))
			references = references sprintf(",%.3f", 600 * speed * (1 + (i * 5 % 11 - 5) / 1500))
		}
		rounds(all)
		numbers("reference_round_ns", references)
		printf ",\"reference_ns\":%.3f,\"cpu_ns_per_op\":%s}\n", 600 * speed, cpu
	}' /dev/null >"$1"
}
referenced usual 1 950
referenced slower 1.05 995
run 0 compare usual slower
expect verdict "$(field cell 10)" same
expect "ratio as measured" "$(field cell 20)" 1.050000
expect "ratio of the reference" "$(field cell 21)" 1.050000
said 'CPU-bound cells, .*: 1 of 1; .*up to +5.0 %: read 4 KiB .* +5.0 % as measured, [+-]0.0 % relative'
run 0 compare --format table usual slower
grep -q '4 KiB  1.00 us  1.00 us .*same  *by reference (measured +5.0 %)' "$work/out" ||
	fail "no such line: $(cat "$work/out")"
# what waits for a device has nothing to do with it
referenced waits 1 300
referenced waits.longer 1.05 300
run 1 compare waits waits.longer
expect ratio "$(field cell 11)" 1.050000
expect "ratio as measured" "$(field cell 20)" ''
! grep -q 'CPU-bound cells' "$work/err" || fail "a device compared by the processor's reference"
# medians and intervals alone
for sweep in usual.csv:1000:600 slower.csv:1050:630; do
	ns=${sweep#*:}
	printf '%s\n%s\n' size_bytes,test,op_ns_median,op_ns_low,op_ns_high,op_ns_min,cpu_ns_per_op,reference_ns \
		"4096,read,${ns%:*},$((${ns%:*} - 1)),$((${ns%:*} + 1)),${ns%:*},${ns%:*},${ns#*:}" >"${sweep%%:*}"
done
run 0 compare usual.csv slower.csv
expect ratio "$(field cell 11)" 1.000000
expect "ratio as measured" "$(field cell 20)" 1.050000

# more threads than processors: they run or wait for one, which is no device either
for sweep in queued:1:3900 waiting:1:100 queued.slow:1.05:4100 waiting.slow:1.05:100; do
	awk -v what="$sweep" 'BEGIN {
		split(what, part, ":")
		print "size_bytes,test,threads,rate_per_s,op_ns_median,op_ns_low,op_ns_high,cpu_ns_per_op,queued_ns_per_op,reference_ns"
		ns = 1000 * part[2]
		printf "4096,read,8,%.3f,%.1f,%.1f,%.1f,%.1f,%d,%.1f\n", 1e9 / ns, ns, ns - 1, ns + 1, 3000 * part[2],
			part[3], 600 * part[2] }' >"${sweep%%:*}.csv"
done
run 0 compare queued.csv queued.slow.csv
expect "ratio as measured" "$(field cell 20)" 1.050000
run 1 compare waiting.csv waiting.slow.csv
expect "ratio as measured" "$(field cell 20)" ''

# --- a label is the same in all formats, whatever it holds ---

for label in '=cmd()' "'x'" "''" '-1' 'a\x1b\b' ' a ' "$(printf 'a\033[2J\342\200\256b')" \
	"$(printf 'a\nb\tc\r')"; do
	run 0 --quiet --tests read --sizes 4k -n 50 --label "$label" -o label.csv null:
	! LC_ALL=C grep -q '[^ -~]' label.csv || fail "label $label: reaches CSV as it is"
	! grep -q ',"*[=+@-][^,]' label.csv || fail "label $label: a formula in CSV"
	run 0 --quiet --tests read --sizes 4k -n 50 --label "$label" --format json -o label.json null:
	iosweep compare label.csv label.json >"$work/out" 2>"$work/err"
	grep -q '^cell,' "$work/out" || fail "label $label: no cell with JSON: $(cat "$work/err")"
	! grep -q '^label' "$work/err" || fail "label $label: another one in JSON"
done

# --- a sweep, and what it would be with all its times doubled ---

run 0 --quiet --tests read --sizes 512,4k --rounds 8 --format json -o one.json null:
iosweep compare --format json one.json one.json >"$work/out" 2>"$work/err"
status=$?
[ $status = 0 ] || [ $status = 2 ] || fail "a sweep and itself: exit status $status"
grep -q '^{"iosweep":"[0-9.]*","schema_version":"1[.][0-9]*","document":"comparison","old":\["one.json"\],"new":\["one.json"\],"tolerance":0.020000,$' \
	"$work/out" || fail "no head"
grep -q '^{"test":"read",.*"size_bytes":512,"verdict":"\(same\|unclear\)","ratio":1.000000,' \
	"$work/out" || fail "no cell"
grep -q '"slower":0,"faster":0}\]}$' "$work/out" || fail "no counts at the end"
if command -v python3 >/dev/null; then
	python3 -m json.tool "$work/out" >/dev/null || fail "not valid JSON"
	# each round, and its summary, a million times as long: no noise of a machine hides it
	python3 - <<'END' >slow.json || fail "cannot change the results"
import json
results = json.load(open("one.json"))
for row in results["rows"]:
    for key, value in row.items():
        if key.startswith("op_ns_") and isinstance(value, (int, float)):
            row[key] = value * 1e6
        elif key == "round_ns":
            row[key] = [v * 1e6 if isinstance(v, (int, float)) else v for v in value]
print(json.dumps(results))
END
	iosweep compare --format json one.json slow.json >"$work/out" 2>"$work/err"
	grep -q '"verdict":"[a-z]*","ratio":1000000.0' "$work/out" ||
		fail "the rounds of JSON are not read: $(cat "$work/out")"
fi
