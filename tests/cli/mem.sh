#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# mem: is an object store without a server: all tests, also with what they read verified; requests that
# fail on schedule are repeated or counted as the layer of object stores does it, to the number; what
# cannot be kept is refused; the limit of a run that is removed holds.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all
cd "$work" || exit 99

all='create,write,read,append,stat,list,rename,copy,delete'
parts='--part-size 10000 --fragment-size 3000 --list-page 7'

# field NAME: of the last row of ./out
field() {
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) n = i }
		NR > 1 { value = $n } END { print value }' out
}

# --- each test, several threads and requests at a time, and data that are compared
# shellcheck disable=SC2086
run 0 --quiet mem: --tests $all --sizes 1Ki,64Ki --rounds 1 -n 40 --threads 2 --depth 4 --verify $parts \
	--columns operations,test,errors,errors_wrong --format csv
rows 'operations == 40 && errors == 0 && errors_wrong + 0 == 0'
[ "$(wc -l <out)" = 19 ] || fail "not 18 rows"
run 0 --quiet mem: --tests delete --delete-batch 3 --sizes 1Ki --rounds 1 -n 40 --threads 2 --depth 4 \
	--columns operations,requests,errors,throughput_bytes_per_s --format csv
[ "$(tail -n 1 out)" = 40,40,0, ] || fail "a request for three objects is an operation: $(cat out)"

# --- of 100 requests each 10th is refused once, and repeated: no error
run 0 --quiet mem: --tests read --sizes 1Ki --rounds 1 -n 90 --mem.fail slow-down@get:10 --retries 3 \
	--columns operations,errors,requests,retries,slow_downs --format csv
[ "$(field requests)" -eq $((90 + $(field retries))) ] || fail "each request is a read or repeats one"
[ "$(field retries)" -ge 9 ] || fail "each tenth is repeated"
[ "$(field slow_downs)" -eq "$(field retries)" ] || fail "what was refused is repeated, and nothing else"
[ "$(field errors)" -eq 0 ] || fail "a request that was repeated is no error"

# --- without retries it is one, and the status says so
run 1 --quiet mem: --tests read --sizes 1Ki --rounds 1 -n 90 --mem.fail server-error@get:10 \
	--columns operations,errors,retries --format csv
[ "$(field errors)" -ge 9 ] || fail "each tenth is an error"
[ "$(field retries)" -eq 0 ] || fail "nothing is repeated"

# --- an object that is not there is a miss, no error; one that cannot be asked for is no miss
run 0 --quiet mem: --tests stat --sizes 1Ki --rounds 1 -n 100 --mem.fail missing@stat:10 \
	--columns operations,stat_hits,stat_misses,errors,errors_client --format csv
[ "$(tail -n 1 out)" = 100,90,10,0,0 ] || fail "100 objects, 10 of them missing: $(tail -n 1 out)"
run 1 --quiet mem: --tests stat --sizes 1Ki --rounds 1 -n 100 --mem.fail forbidden@stat:10 \
	--columns operations,stat_hits,stat_misses,errors,errors_client --format csv
[ "$(tail -n 1 out)" = 90,90,0,10,10 ] || fail "100 objects, 10 of them forbidden: $(tail -n 1 out)"
run 1 --quiet mem: --tests read --sizes 1Ki --rounds 1 -n 100 --mem.fail missing@get:10 --columns errors --format csv
[ "$(tail -n 1 out)" = 10 ] || fail "what cannot be read because it is missing is an error"

# --- what is asked of any object store is asked of this one in the same words, and told in the results
run 1 --quiet mem: --tests write --sizes 1Ki --objects 2 --max-requests 20 --max-errors 0 --time 9s --format json
tr -d '\n' <out | grep -q '"object_options":{"retries":0,.*"max-requests":20,.*"objects":2,.*}' ||
	fail "the options of object stores are not in the results"
grep -q 'all 20 requests that --max-requests allows' err || fail "--max-requests is not told"
run 0 --quiet mem: --tests read --object-size 64Ki --sizes 4Ki --objects 2 --rounds 1 -n 20 --verify --format csv

# --- objects are put whole, whatever is read of them: each row moves what it says, and this is told
run 0 mem: --tests write,read --object-size 64Ki --sizes 4Ki,64Ki --objects 2 --rounds 1 -n 20 --verify \
	--columns size_bytes,test,operations,requests,errors_wrong --format csv
printf '%s\n' 4096,write,20,20,0 65536,write,20,20,0 4096,read,20,20,0 65536,read,20,20,0 >expected
tail -n +2 out | cmp -s - expected || fail "objects and ranges: $(cat out)"
grep -q '^# mem:: write puts whole objects of each size, and read takes ranges of others of 64 KiB' err ||
	fail "not told that objects are put whole"
run 0 mem: --tests write,read --object-size 4Ki --sizes 4Ki --objects 2 --rounds 1 -n 20
if grep -q 'puts whole objects' err; then fail "told although they are the same"; fi
run 2 mem: --tests write --object-size 64Ki --sizes 4Ki
one_line err
grep -q 'no test uses --object-size; objects are put whole: .* --part-size' err ||
	fail "how objects are written in pieces is not told"
run 0 --quiet mem: --tests write --sizes 64Ki --part-size 4Ki --objects 2 --rounds 1 -n 20 \
	--columns operations,requests --format csv
[ "$(tail -n 1 out)" = 20,360 ] || fail "not in pieces: $(cat out)"
# what is no longer than a part is one request; the steps of the others are timed each
run 0 --quiet mem: --tests write,create,append --sizes 4Ki,8Ki --part-size 4Ki --objects 2 --rounds 1 -n 20 --verify \
	--columns test,size_bytes,requests,open_ns_mean,close_ns_mean,errors_wrong --format csv
tail -n +2 out | sed -E 's/,[0-9.]+,[0-9.]+,0$/,timed,0/' >got
printf '%s\n' write,4096,20,,,0 write,8192,80,timed,0 create,4096,20,,,0 create,8192,80,timed,0 append,4096,60,timed,0 \
	append,8192,80,timed,0 >expected
cmp -s got expected || fail "in parts: $(cat out)"
run 0 --quiet mem: --mix 50 --sizes 4Ki,8Ki --part-size 4Ki -n 20 --columns size_bytes,notes --format csv
[ "$(grep -c '^8192,skipped:mix' out)" -eq 2 ] || fail "uploads in parts among reads: $(cat out)"
run 2 --quiet mem: --mix 50 --sizes 8Ki --part-size 4Ki
one_line err

# --- what takes longer than a request may has failed
run 1 --quiet mem: --tests write --sizes 1Ki --rounds 1 -n 20 --depth 2 --mem.delay mix:3x0,1x60s \
	--request-timeout 5ms --columns operations,errors,errors_network --format csv
[ "$(field errors)" -ge 1 ] || fail "a delay of a minute is no failure"

# --- an answer that is lost leaves nothing behind: the upload that began is found and given up
# shellcheck disable=SC2086
run 1 mem: --tests create --sizes 64Ki --rounds 1 -n 20 --mem.fail lost@upload-begin:5 --part-size 10000 --format csv
grep -q 'requests to remove' err || fail "what was removed is not told"
if grep -q 'are left in' err; then fail "something is left"; fi

# ... and the upload that is complete already is no failure of filling
run 0 --quiet mem: --tests read --sizes 17Mi --objects 2 --rounds 1 -n 2 --mem.fail lost@upload-complete:2 --format csv

# --- one wrong byte, wherever it comes from, is found in what each test read or made, and nowhere else
for what in write:put create:put read:get copy:copy write:upload-part create:upload-part append:upload-part; do
	case $what in
	append*) set -- --part-size 100000 --fragment-size 3000 ;;
	*:upload-part) set -- --part-size 40000 ;;
	*) set -- ;;
	esac
	run 4 --quiet mem: --tests "${what%:*}" --sizes 1Ki,64Ki --objects 40 --rounds 1 -n 40 --depth 4 --verify \
		--mem.fail "wrong@${what#*:}:10" --columns operations,errors,errors_wrong "$@" --format csv
	wrong='40,0,4 40,0,4 '
	case $what in write:upload-part | create:upload-part) wrong='40,0,0 40,0,8 ' ;; esac # 64 KiB are two parts
	[ "$(tail -n +2 out | tr '\n' ' ')" = "$wrong" ] || fail "$what: $(cat out)"
	one_line err
	grep -q 'the first: mem:iosweep-.* at offset [0-9]*: expected .*, found ' err || fail "$what: $(cat err)"
done
run 0 --quiet mem: --tests write,create,read --sizes 64Ki --rounds 1 -n 40 --depth 4 --mem.fail wrong:2 --format csv

# --- a read as ranges that are under way at the same time: the same data, so many requests, and the time
# of one of them; sizes that are no multiple, or less bytes than ranges
ranges='--tests read --parallel 8 --rounds 1 --format csv'
# shellcheck disable=SC2086
run 0 --quiet mem: $ranges --sizes 3,1Ki,100001 -n 40 --threads 2 --depth 3 --verify \
	--columns size_bytes,operations,requests,errors,errors_wrong
printf '%s\n' 3,40,120,0,0 1024,40,320,0,0 100001,40,320,0,0 >expected
tail -n +2 out | cmp -s - expected || fail "ranges: $(cat out)"
# shellcheck disable=SC2086
run 0 --quiet mem: $ranges --object-size 1Mi --objects 2 --sizes 64Ki -n 40 --depth 4 --verify
[ "$(field requests)" -eq 320 ] && [ "$(field errors_wrong)$(field errors)" = 00 ] || fail "ranges of ranges"
# shellcheck disable=SC2086
run 0 --quiet mem: $ranges --sizes 64Ki -n 5 --mem.delay 200ms
[ "$(field latency_ns_min)" -ge 200000000 ] && [ "$(field latency_ns_min)" -lt 1600000000 ] ||
	fail "8 ranges took $(field latency_ns_min) ns: one after the other"
# one range that fails is the failure of its operation, once; one that is repeated is none
# shellcheck disable=SC2086
run 1 --quiet mem: $ranges --sizes 64Ki -n 20 --mem.fail forbidden@get:16
[ "$(field operations),$(field errors),$(field requests),$(field errors_client)" = 10,10,160,10 ] ||
	fail "of 20 reads 10 have a range that fails: $(tail -n 1 out)"
# shellcheck disable=SC2086
run 0 --quiet mem: $ranges --sizes 64Ki -n 10 --mem.fail server-error@get:20 --retries 2 --verify
[ "$(field errors)" -eq 0 ] && [ "$(field retries)" -ge 4 ] && [ "$(field requests)" -eq $((80 + $(field retries))) ] ||
	fail "ranges are not repeated: $(tail -n 1 out)"
# the reads among writes, and no more requests than are allowed
run 0 --quiet mem: --mix 50 --parallel 4 --rounds 1 --sizes 64Ki -n 40 --depth 4 --verify --format csv \
	--columns test,operations,requests,errors,errors_wrong
awk -F, 'NR > 1 { n += $2; if ($3 != $2 * ($1 == "read" ? 4 : 1) || $4 + $5) bad = 1 }
	END { exit bad || n != 40 }' out || fail "reads in ranges among writes: $(cat out)"
# shellcheck disable=SC2086
run 1 --quiet mem: $ranges --sizes 1Ki --objects 2 --max-requests 30 --time 9s
grep -q 'all 30 requests that --max-requests allows' err && [ "$(field errors)" -eq 0 ] ||
	fail "--max-requests and ranges: $(tail -n 1 out)"

# --- an upload of which several parts are under way: their order in the object is the same
parallel='--tests create --parallel 4 --part-size 10000 --rounds 1 --format csv'
# shellcheck disable=SC2086
run 0 --quiet mem: $parallel --tests create,write,read --sizes 9999,100001 --objects 5 -n 20 --depth 3 --verify \
	--mem.delay mix:1x0,1x100us,1x300us --columns test,operations,requests,errors,errors_wrong
printf '%s\n' create,20,20,0,0 create,20,260,0,0 write,20,20,0,0 write,20,260,0,0 read,20,80,0,0 read,20,80,0,0 >expected
tail -n +2 out | cmp -s - expected || fail "parts at once: $(cat out)"
# shellcheck disable=SC2086
run 0 --quiet mem: $parallel --parallel 8 --sizes 80000 --objects 1 -n 4 --mem.delay 150ms
[ "$(field latency_ns_min)" -ge 450000000 ] && [ "$(field latency_ns_min)" -lt 1500000000 ] ||
	fail "beginning, 8 parts and end took $(field latency_ns_min) ns: one after the other"
# ... and those that fragments are gathered into
# shellcheck disable=SC2086
run 0 --quiet mem: $parallel --tests append --fragment-size 3000 --sizes 9999,100001 --objects 5 -n 20 --depth 3 \
	--threads 2 --verify --mem.delay mix:1x0,1x100us,1x300us --columns operations,requests,errors,errors_wrong
printf '%s\n' 20,60,0,0 20,260,0,0 >expected
tail -n +2 out | cmp -s - expected || fail "fragments, parts at once: $(cat out)"
# a part that fails, or whose answer is lost, or a beginning or an end, leaves no upload
for what in server-error@upload-part:20 lost@upload-part:20 lost@upload-begin:5 lost@upload-complete:4; do
	# shellcheck disable=SC2086
	run 1 mem: $parallel --sizes 100001 --objects 2 -n 20 --depth 2 --mem.fail $what
	[ $(($(field operations) + $(field errors))) -eq 20 ] && [ "$(field errors)" -gt 0 ] || fail "$what: $(tail -n 1 out)"
	if grep -q 'are left in' err; then fail "$what: something is left"; fi
	# shellcheck disable=SC2086
	run 1 mem: $parallel --tests append --sizes 100001 --objects 2 -n 20 --depth 2 --mem.fail $what
	[ $(($(field operations) + $(field errors))) -eq 20 ] && [ "$(field errors)" -gt 0 ] || fail "$what: $(tail -n 1 out)"
	if grep -q 'are left in' err; then fail "$what: something is left"; fi
	case $what in
	*@upload-part*)
		[ "$(sed -n 's/.* \([0-9]*\) upload abort.*/\1/p' err)" = "$(field errors)" ] || fail "$what: not each upload is given up"
		;;
	esac
done

# --- what cannot be
run 2 --reuse monday mem:
one_line err
grep -q -- '--reuse' err || fail "--reuse is not named"
run 2 --replace --run-name monday mem:
one_line err
grep -q -- '--run-name' err || fail "--run-name is not named"
run 2 --keep mem:
one_line err
grep -q -- '--keep' err || fail "--keep is not named"
run 2 -r mem:
one_line err
run 2 --mem.fail slow-down:0 mem:
run 2 --mem.fail often:3 mem:
run 2 --mem.fail slow-down:3, mem:
run 2 --mem.delay soon mem:
run 2 --delete-batch 3 null:
run 0 --dry-run mem:

# --- it opens nothing, so that a low limit of open files is enough
(
	# shellcheck disable=SC3045 # where ulimit does not know it, the limit stays
	ulimit -n 100 # 20 threads of 4 operations
	run 0 --quiet mem: --tests read --sizes 1Ki --rounds 1 -n 100 --threads 20 --depth 4 --format csv
) || exit

# --- times that are known: none is shorter
run 0 --quiet mem: --tests read --sizes 1Ki --rounds 1 -n 10 --mem.delay 2ms --columns latency_ns_min --format csv
[ "$(field latency_ns_min)" -ge 2000000 ] || fail "a read took $(field latency_ns_min) ns, not 2 ms"
