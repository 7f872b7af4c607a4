#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# --tests fill writes one new file sequentially, each block once, in rows of a given number of
# bytes, and later tests read what it wrote; a full disk ends it with a line, and nothing is left
# behind. In object stores it writes one object after the other.
# shellcheck disable=SC2086 # lists of words
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all
# shellcheck source=tests/cli/trace.sh
. "$top_srcdir/tests/cli/trace.sh"
need awk

mkdir "$work/dir"
cd "$work/dir" || exit 99

# filled OPERATIONS INTERVAL_BYTES LAST_BYTES: what each row has written, and where it ends
filled() {
	by_name -v each="$1" -v part="$2" -v last="$3" '
		test != "fill" { next }
		{
			filled += size_bytes * operations
			if (filled_bytes != filled || stop != "exhausted" || errors != 0 || access != "")
				bad = $0
			if (filled < last && (operations != each || filled != ++n * part))
				bad = $0
		}
		END { if (bad != "" || filled != last) { print bad " filled " filled; exit 1 } }' >&2 ||
		fail "not the rows of a file that is filled"
}

for cache in "" "--cache asis" "--cache asis --sync end"; do
	iosweep --quiet --tests fill --sizes 64k -l 64k $cache . >"$work/out" 2>"$work/err" || {
		grep -q O_DIRECT "$work/err" && continue
		fail "$cache: exit status $?"
	}
	run 0 --quiet --format csv --tests fill,read --sizes 64k -l 1600k --fill-step 300k -n 50 $cache .
	filled 4 262144 1638400
	run 0 --quiet --format csv --tests fill --sizes 16k -l 4Mi --time 100s $cache .
	[ "$(wc -l <"$work/out")" = 65 ] || fail "not 64 rows"
	filled 4 65536 4194304
	run 0 --quiet --format csv --tests fill --sizes 16k -l 1Mi --threads 3 --fill-step 256k $cache .
	filled 16 262144 1048576
	nothing_left .
done
run 0 --quiet --format csv --tests fill --sizes 4k -l 1Mi --fill-step 256k null:
filled 64 262144 1048576

# each part of an option file that begins with it fills the file from its beginning, and what they
# have in common is done once
printf '%s\n' '-l 1Mi --fill-step 256k --cache asis -n 50' '--tests fill,read --sizes 64k' \
	'--tests fill,write --sizes 64k' >parts
run 0 --quiet --format csv --columns all @./parts .
filled 4 262144 1048576
[ "$(by_name '{ printf "%s ", test }')" = 'fill fill fill fill read write ' ] || fail "other rows: $(cat "$work/out")"
printf '%s\n' '-l 1Mi --fill-step 256k --cache asis' '--tests fill --sizes 64k' '--tests fill --sizes 128k' >parts
run 0 --quiet --format csv --columns all @./parts .
for size in 65536 131072; do
	[ "$(by_name -v size=$size 'size_bytes == size { printf "%s ", filled_bytes }')" = '262144 524288 786432 1048576 ' ] ||
		fail "not filled from the beginning: $(cat "$work/out")"
done
rm parts
nothing_left .

# parts of the file that could not be filled are not read, and no row begins after a gap
iosweep --quiet --format csv --tests fill,read,stat --sizes 64k -l 1Gi --null.write-delay 1ms --max-time 2s null: \
	>"$work/out" 2>"$work/err"
[ $? = 1 ] || fail "cut, but another status"
by_name 'test != "fill" { other += notes == "skipped:not_filled"; next }
	operations > 0 && (filled += size_bytes * operations) != filled_bytes { bad = 1 }
	operations > 0 { begun++ }
	END { exit bad || other != 2 || !begun || begun > 63 }' || fail "not what is filled: $(cat "$work/out")"
run 1 --quiet --format csv --tests fill,read --sizes 64k -l 1Mi --cache uncached null:
[ "$(column test notes | tr '\n' ' ')" = 'fill:skipped:cache_mode read:skipped:not_filled ' ] ||
	fail "an empty file is read"
grep -q cache_mode "$work/err" || fail "not the reason"
run 0 --quiet --format csv --tests fill,read --sizes 64k -l 1Mi --fill-step 1Mi -n 50 --cache asis,uncached null:
[ "$(column test operations | tr '\n' ' ')" = 'fill:16 read:50 fill:0 read:50 ' ] || fail "a full file is not read"

# objects of each size, one after the other, each once; later tests read them
run 0 --quiet --format csv --tests fill --sizes 4k mem:
[ "$(wc -l <"$work/out")" = 65 ] || fail "not 64 rows"
filled 1 4096 262144
for how in "" "--threads 3" "--depth 4" "--threads 2 --depth 3 --verify"; do
	run 0 --format csv --tests fill,read --sizes 1000 --objects 100 --fill-step 30k -n 50 $how mem:
	filled 30 30000 100000
	grep -Eq '[(]10[123] PUT' "$work/err" || [ -n "$how" ] || fail "other objects were put: $(grep PUT "$work/err")"
done
run 0 --quiet --format csv --tests fill --sizes 4k,12k --objects 10 --fill-step 1G mem:
[ "$(wc -l <"$work/out")" = 3 ] || fail "not a row for each size"
# --repetitions, --time and cache modes of other tests do not apply to it
run 0 --quiet --format csv --tests fill --sizes 4k --objects 10 --fill-step 8k -n 3 --time 1s mem:
filled 2 8192 40960
run 0 --dry-run --tests fill --sizes 1000 --objects 100 --fill-step 30k mem:
grep -q 'rows: 100 requests, 98 KiB to send, ' "$work/err" || fail "not the cost of 100 objects"
iosweep --format csv --tests fill --sizes 4k --objects 40 --fill-step 40k --mem.fail forbidden@put:25 mem: \
	>"$work/out" 2>"$work/err"
[ $? = 1 ] || fail "a PUT that fails does not end it"
grep -q 'ended before all objects were written' "$work/err" || fail "not told in a line"
by_name 'stop == "exhausted" { whole++ } stop == "errors" { cut++ } { bad += errors }
	END { exit whole != 2 || cut != 2 || bad != 1 }' || fail "not the rows so far, one error, and why the rest ends"
refuses 2 'object-size sets the size of objects' --quiet --tests fill -l 4Mi mem:

# the kernel sees the blocks in order, into an empty file
if can_trace; then
	trace "$work/trace" 0 --quiet --engine pread --cache asis --tests fill --sizes 4k -l 100k --fill-step 40k .
	sed -n 's/.* pwrite64(.*, 4096, \([0-9]*\)) *= 4096$/\1/p' "$work/trace" >"$work/offsets"
	seq 0 4096 98304 | cmp -s - "$work/offsets" || fail "not in order: $(cat "$work/offsets")"
	! grep -q 'fallocate(' "$work/trace" || fail "the file had blocks before"
fi

# rows have their test's name in the series, too
run 0 --tests fill --sizes 4k -l 64k --cache asis --interval 10ms --series "$work/series" --null.delay 5ms null:
grep -q ',fill,' "$work/series" || fail "series: $(cat "$work/series")"
! grep -q ',write,' "$work/series" || fail "series: $(cat "$work/series")"

# loops are summed up per position
run 0 --quiet --format json --tests fill --sizes 64k -l 256k --loops 2 null:
tr '{' '\n' <"$work/out" | sed -n 's/.*"filled_bytes":\([0-9]*\),"rows":2,.*/\1/p' >"$work/places"
[ "$(tr '\n' ' ' <"$work/places")" = '65536 131072 196608 262144 ' ] || fail "summaries: $(cat "$work/places")"

# the file in one write, next to smaller ones
run 0 --quiet --format csv --cache asis --tests fill --sizes 64k,full -l 256k --fill-step 256k .
[ "$(cut -d , -f 1,2 "$work/out" | tr '\n' ' ')" = 'size_bytes,operations 65536,4 262144,1 ' ] ||
	fail "--sizes full: $(cat "$work/out")"
run 0 --dry-run --tests fill --sizes full -l 256k .

# the kept file is complete
run 0 --quiet --cache asis --tests fill --sizes 64k -l 640k --keep --run-name kept .
[ "$(stat -c %s iosweep-kept/f0)" = 655360 ] || fail "the file is not what was asked for"
run 0 --quiet --format csv -r --run-name kept --access once --sizes 64k .
[ "$(value operations),$(value errors)" = 10,0 ] || fail "not each of 10 blocks is read: $(value operations)"
run 0 clean .
nothing_left .

# no space left: one line, the rows so far, and nothing is left behind
(
	ulimit -f 600 # blocks of 512 or 1024 bytes
	iosweep --quiet --format csv --cache asis --tests fill --sizes 64k -l 4Mi --fill-step 128k . >"$work/out" 2>"$work/err"
	echo $? >"$work/status"
)
[ "$(cat "$work/status")" = 1 ] || fail "a write that failed: exit status $(cat "$work/status")"
grep -q 'ended before the file was full' "$work/err" || fail "not told in a line"
by_name 'stop == "exhausted" { whole++ }
	{ bad += errors + errors_short } END { exit whole < 2 || bad != 1 }' || fail "not the rows so far, and one error"
nothing_left .

# O_DIRECT moves whole blocks, and there are no data yet to fill one up
iosweep --quiet --format csv --cache direct --tests fill --sizes 1000,4k -l 4096000 . >"$work/out" 2>"$work/err"
case $? in
0)
	[ "$(by_name '$1 == 1000 { print notes }')" = skipped:below_alignment ] || fail "no row that says that 1000 bytes cannot be written directly"
	by_name '$1 == 4096 { ops += $2; bad += errors + errors_short } END { exit ops != 1000 || bad > 0 }' || fail "not the whole file in blocks of 4 KiB"
	;;
*) [ "$(wc -l <"$work/err")" = 1 ] || fail "more than one line where O_DIRECT cannot be had" ;;
esac
nothing_left .

# each loop and each repeat fills an empty file
run 0 --quiet --format csv --tests fill --sizes 32k -l 64k --fill-step 32k --cache asis --loops 2 --repeat 2 .
[ "$(by_name '{ printf "%s.%s:%s ", loop, repeat, filled_bytes / 32768 }')" = \
	'1.1:1 1.1:2 1.2:1 1.2:2 2.1:1 2.1:2 2.2:1 2.2:2 ' ] || fail "fills of loops and repeats: $(cat "$work/out")"
if can_trace; then
	trace "$work/trace" 0 --quiet --tests fill --sizes 32k -l 64k --fill-step 32k --cache asis --loops 2 --repeat 2 .
	[ "$(grep -c '"f0", .*O_TRUNC' "$work/trace")" = 4 ] || fail "a fill over what the one before has written"
fi

# writes larger than --call-size are done in pieces, one after the other
run 0 --quiet --format csv --tests fill --sizes 32k -l 64k --call-size 8k --cache asis --verify .
[ "$(awk -F, 'NR > 1 { printf "%s ", $2 }' "$work/out")" = '1 1 ' ] || fail "a fill in pieces: $(cat "$work/out")"

# writes of 1 MiB, or of the whole file if that is smaller, unless sizes are given
for length in 3Mi 64k; do
	run 0 --dry-run --tests fill -l $length --cache asis .
	expected=$([ $length = 64k ] && echo 'size=64 KiB' || echo 'size=1 MiB')
	[ "$(grep -c " $expected " "$work/out")" = "$(grep -c '^row ' "$work/out")" ] || fail "fill of $length: $(cat "$work/out")"
done
run 2 --quiet --tests fill -l 1600k .
grep -q 'writes of 1 MiB; use a --file-size' "$work/err" || fail "1600k is no multiple of 1 MiB"
run 0 --dry-run --tests fill -m 4k -M 4k -l 64k --cache asis .
grep -q 'size=4 KiB' "$work/out" || fail "-m and -M"

# incompatible options
for wrong in '--tests read,fill' '--tests fill,fill' '--tests fill --sizes 48k -l 64k' '--tests read --fill-step 1M' \
	'--tests fill:n=2' '--tests fill:5s' '--tests fill --align 8k' \
	'--tests fill --format classic'; do # half a file, or one with holes
	refuses 2 '' --quiet $wrong .
done
head -c 65536 /dev/zero >mine
run 2 --quiet -r --tests fill mine
cksum mine >"$work/before"
iosweep --quiet --tests fill --sizes 4k -l 64k --overwrite mine >"$work/out" 2>"$work/err" && fail "a file of the user is filled"
cksum mine | cmp -s - "$work/before" || fail "a file of the user was touched"
rm mine
nothing_left .
