#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Object stores other than buckets: pools, which write into objects and keep values beside their
# data, and trees, which rename. Exact request counts, verified data, failures during operations
# that cannot be retried, and rows of tests that such a store does not support.
# shellcheck disable=SC2086 # lists of words
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all
cd "$work" || exit 99

pool='--quiet mem: --mem.like pool --rounds 1 --format csv'
tree='--quiet mem: --mem.like tree --rounds 1 --format csv'
columns='--columns test,operations,errors,requests,errors_wrong,notes'

# Notes that a busy machine can cause, and nothing else here.
noise='correlated|drained|drift|failed_time|few_rounds|few_slow|outliers|timer|unfair|wide'

# row TEST WANT: compares the row of the test in ./out, without the notes of noise
row() {
	got=$(sed -n "s/^$1,//p" out | sed -E "s/;?($noise)//g; s/,;/,/")
	[ "$got" = "$2" ] || fail "$1: $got, not $2"
}

# --- a pool: each supported test is one request, append one for each fragment and one before
run 0 $pool --verify --tests write,read,create,stat,delete,list,append \
	--sizes 10000 --objects 5 --call-size 3000 -n 20 $columns
for test in write read create; do
	row $test 20,0,20,0,
done
row append 20,0,100,0, # empty, then 3000, 3000, 3000, 1000
row delete 20,0,20,,
row list 20,0,20,,

# --- values beside the data take one request, are filled in, and verified; other tests are
# unchanged
for on in xattr omap; do
	run 0 $pool --verify --on $on --tests fill,read,write,stat,create --sizes 10000 --objects 5 -n 20 \
		--fill-step 50000 $columns
	row read "20,0,20,0,on:$on"
	row write "20,0,20,0,on:$on"
	row stat 20,0,20,,
	row create 20,0,20,0,
	row fill "5,0,5,0,on:$on"
done
run 0 $pool --on omap --mix 50 --threads 2 --depth 4 --sizes 1Ki -n 400 $columns
[ "$(grep -c '^[a-z]*,[1-9][0-9]*,0,.*on:omap' out)" -eq 2 ] || fail "values are read and written at once: $(cat out)"

run 0 $pool --tests write,rename,copy --sizes 4Ki -n 20 $columns
for test in rename copy; do
	row $test 0,,,,skipped:not_by_target
done

# --- blocks smaller than the object are written at their offsets, and read back
run 0 $pool --verify --tests write,read,write,read --object-size 64Ki --objects 3 --sizes 512,4096 -n 100 \
	--threads 2 --depth 4 $columns
[ "$(grep -c ',100,0,100,0,' out)" -eq 8 ] || fail "8 rows of 100 requests in ranges: $(cat out)"

# --- where uploads are not separate, an object that grows by requests takes one operation at a time
for kind in pool tree; do
	at_a_time="--quiet mem: --mem.like $kind --mem.delay 1ms --threads 2 --depth 4 --rounds 1 --format csv"
	at_a_time="$at_a_time --tests append --sizes 10000 --call-size 3000 -n 200 $columns"
	for how in --verify '--verify --objects 16' '' '--objects 10'; do
		run 0 $at_a_time $how
		row append "200,0,1000,$([ "${how%% *}" != --verify ] || echo 0),"
	done
	run 2 $at_a_time --verify --objects 3
	grep -q 'so 16 are needed' err || fail "$kind: the number is not told: $(cat err)"
	run 2 $at_a_time --objects 9
	grep -q 'so 10 are needed' err || fail "$kind: the number is not told: $(cat err)"
	# whole objects are written in one request
	run 0 --quiet mem: --mem.like $kind --mem.delay 1ms --threads 2 --depth 4 --rounds 1 --verify --format csv \
		--tests write --sizes 10000 -n 200 --objects 3 --columns operations,errors,errors_wrong
	[ "$(tail -n 1 out)" = 200,0,0 ] || fail "$kind: write: $(cat out)"
done
run 0 --quiet mem: --mem.delay 1ms --threads 2 --depth 4 --rounds 1 --verify --format csv --tests append --sizes 10000 \
	-n 100 --objects 3 --columns operations,errors,errors_wrong
[ "$(tail -n 1 out)" = 100,0,0 ] || fail "uploads in parts are kept apart: $(cat out)"

# --- long objects are filled in pieces in both kinds
for kind in pool tree; do
	run 0 mem: --mem.like $kind --rounds 1 --verify --tests read --sizes 40Mi --objects 2 -n 4 \
		--format csv --columns operations,errors_wrong
	[ "$(tail -n 1 out)" = 4,0 ] || fail "$kind: objects of 40 MiB are not what was filled in"
	count='7 write' # one of them finds out whether it is too long
	[ $kind = pool ] || count='6 append'
	grep -q "$count" err || fail "$kind: 6 requests of at most 16 MiB, not: $(grep before err)"
done

# --- where one call at a time writes an object, an only slot writes an only object again and again
for like in pool tree; do
	run 0 --quiet --tests append --sizes 4k --objects 1 -n 3 --rounds 1 --mem.like $like mem: \
		--columns test,operations
	grep -qx 'append,3' out || fail "$like: an only object: $(cat out)"
done

# --- sizes above a pool's limit are skipped, without affecting others
run 0 $pool --sizes 128Mi,129Mi --objects 1 -n 2 --columns test,size_bytes,operations,notes
cp out data
run 0 $pool --on xattr --sizes 64Ki,128Ki,129Mi --objects 1 -n 2 --columns test,size_bytes,operations,notes
cat data >>out
for want in write,134217728,2 write,135266304,0 read,134217728,2 read,135266304,0 write,65536,2 \
	write,131072,0 read,65536,2 read,131072,0; do
	grep -q "^$want," out || fail "no row $want: $(cat out)"
done
[ "$(grep -c ',0,skipped:too_large' out)" -eq 6 ] || fail "6 rows are too large: $(cat out)"

# --- a tree renames in one request; a lost answer is distinguished from a rename that failed
run 0 $tree --tests rename,append,read --sizes 105 --call-size 10 --objects 3 --verify -n 20 $columns
row rename 20,0,20,,
row append 20,0,240,0,
run 0 $tree --tests rename --sizes 1Ki -n 40 --retries 5 --mem.fail lost@rename:8 --columns test,operations,errors,errors_network
[ "$(awk -F, '$1 == "rename" { print $2, $3, ($4 > 3) }' out)" = '40 0 1' ] ||
	fail "a rename whose answer was lost is found to be done: $(cat out)"
run 1 $tree --tests rename --sizes 1Ki -n 40 --retries 0 --mem.fail lost@rename:10 --max-errors 50 --columns test,operations,errors
awk -F, '$1 == "rename" { ok = $2 + $3 == 40 && $3 >= 4 && $3 <= 8 } END { exit !ok }' out ||
	fail "one in ten is lost, and each costs no more than another one: $(cat out)"

# --- an append whose answer is lost may have succeeded: it is not retried
run 1 $tree --tests append --sizes 100 --call-size 10 -n 4 --retries 5 --mem.fail lost@append:12 --max-errors 9 \
	--columns test,operations,errors,retries
[ "$(awk -F, '$1 == "append" { print $2 + $3, ($3 > 0), $4 + 0 }' out)" = '4 1 0' ] ||
	fail "an append is not repeated: $(cat out)"
# a refused one is
run 0 $tree --tests append --sizes 100 --call-size 10 -n 4 --retries 5 --mem.fail slow-down@append:12 \
	--verify --columns test,operations,errors,errors_wrong
row append 4,0,0

# --- values beside the data differ from a test of that name
while read -r words; do
	refuses 2 '' --quiet --dry-run --on xattr $words
done <<-END
	null:
	mem:
	--tests stat mem: --mem.like pool
	--object-size 1Mi mem: --mem.like pool
	--parallel 4 mem: --mem.like pool
	--part-size 8Mi mem: --mem.like pool
END
