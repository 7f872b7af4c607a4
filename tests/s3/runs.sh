#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# What runs leave in a bucket on a real server where answers are late, lost or never come: a kept run is
# read by its name, however a run ends its objects and uploads are removed or named, and
# --max-requests is respected.  (What is kept, killed, damaged or foreign: tests/life; interrupted at
# any moment, and cleaned: objects.sh and seeds.sh.)
# shellcheck disable=SC2015,SC2119
# shellcheck source=tests/s3/lib.sh
. "${top_srcdir:?}/tests/s3/lib.sh"

s3_start

# wait_for_objects PREFIX NUMBER: in the bucket
wait_for_objects() {
	soon "no $2 objects below $1" so_many "$@"
}
so_many() { [ "$(s3 list "$1" | wc -l)" -ge "$2" ]; }
settled() {
	settled_before=
	until settled_now=$(s3 list) && [ "$settled_now" = "$settled_before" ]; do
		settled_before=$settled_now
		sleep 1
	done
}
# clean STATUS TARGET
clean() {
	clean_want=$1
	shift
	run "$clean_want" clean --endpoint "$endpoint" "$@"
}

# --- kept: by name alone, beside an object of a user
echo 'none of ours' >"$work/foreign"
s3 put a/b/other "$work/foreign"
sweep 0 -n 8 --sizes 1Ki,4Ki --objects 4 --tests write,read --verify --keep \
	--run-name kept "s3://$bucket/a/b"
expect_reported 'objects are kept in s3://.*a/b/iosweep-kept'
holds 4 a/b/iosweep-kept/4096/
holds 4 a/b/iosweep-kept/1024/
manifest a/b/iosweep-kept "$work/manifest"
grep -qx 'set=whole 4096 4 4 pattern' "$work/manifest" || fail "the manifest is not current"
s3 list >"$work/before"
sweep 0 --quiet -n 8 --sizes 512,1Ki,4Ki -r --verify --tests read,stat,list --run-name kept \
	"s3://$bucket/a/b"
[ "$(count_rows)" -eq 9 ] && [ "$(sum errors)" -eq 0 ] || fail "not all of a kept run can be read"
sweep 0 --quiet -n 8 --sizes 1Ki,8Ki -r --verify "s3://$bucket/a/b/iosweep-kept"
grep -q 'skipped:beyond_file' "$work/out" || fail "objects are read beyond their end"
sweep 0 --quiet -n 8 --sizes 4 -r "s3://$bucket/a"
sweep 0 -n 8 --sizes 1Ki,4Ki -r --run-name kept "s3://$bucket/a/b"
! grep 'reads of these are ranges' "$work/err" || fail "whole objects are called ranges"
sweep 0 -n 8 --sizes 512,1Ki -r --run-name kept "s3://$bucket/a/b"
[ "$(grep -c 'reads of these are ranges' "$work/err")" -eq 1 ] || fail "ranges are not reported once"
sweep 0 -n 8 --sizes 4,8 -r "s3://$bucket/a"
[ "$(grep -c 'reads of these are ranges' "$work/err")" -eq 1 ] || fail "ranges are not reported once"
sweep 3 --quiet -n 8 --sizes 1Ki -r --verify "s3://$bucket/a/b"
one_error 'cannot know the contents of'
sweep 3 --quiet -n 8 --sizes 1Ki -r "s3://$bucket/no/such/prefix"
errors_are_one_line
s3 list | cmp -s - "$work/before" || fail "-r changes something"
clean 0 "s3://$bucket/a/b/iosweep-kept"
say "kept runs"

# --- a signal while objects are being made
s3 list >"$work/before"
# slow_end: on a busy machine requests in flight at the end of the run may not be answered in time;
# the run reports that, and clean removes the result
slow_end() {
	grep -q 'the server did not answer in time, objects may still appear' "$work/err" || return 0
	settled
	clean 0 --force "s3://$bucket/k"
}
(
	exec "$IOSWEEP" --endpoint "$endpoint" --quiet --sizes 1Ki --objects 20000 --tests read \
		--run-name filling "s3://$bucket/k"
) >"$work/out" 2>"$work/err" </dev/null &
pid=$!
wait_for_objects k/iosweep-filling/ 20
kill -TERM $pid
wait $pid
[ $? -eq 143 ] || fail "not ended by the signal while filling"
slow_end
s3 list | diff "$work/before" - >&2 || fail "something is left after a signal while filling"
say "filling is interrupted"

answered() { [ "$(requests "$@")" -gt 0 ]; }
# end_by_term NUMBER COME METHOD REGEX ARGS...: a run gets SIGTERM once this many requests matching
# COME have arrived at the last relay, which in the end has answered one of METHOD REGEX
end_by_term() {
	come_number=$1 come_regex=$2 seen_method=$3 seen_regex=$4
	shift 4
	"$IOSWEEP" "$@" >"$work/out" 2>"$work/err" </dev/null &
	pid=$!
	on_exit "end_child $pid"
	soon "no $come_regex comes" come "$come_number" "$come_regex"
	kill -TERM $pid
	wait $pid
	[ $? -eq 143 ] || fail "not ended by the signal"
	soon "no $seen_method $seen_regex came" answered "$seen_method" "$seen_regex"
}

# --- the answer to the first PUT is lost, or arrives after a signal: the manifest is still the
# run's
relay --rule 'PUT /MANIFEST-1 lose times=1'
run 0 --endpoint "$relay" --quiet -n 8 --sizes 1Ki --run-name lost-answer "s3://$bucket/k"
s3 list | diff "$work/before" - >&2 || fail "something is left when an answer is lost"
relay --rule 'PUT /MANIFEST-1 late=3000 times=1'
end_by_term 1 "^PUT .*/MANIFEST-1" DELETE /MANIFEST-1 --endpoint "$relay" --quiet --sizes 1Ki --run-name late-answer "s3://$bucket/k"
s3 list | diff "$work/before" - >&2 || fail "the manifest is left after a signal"
say "the manifest's answer is lost"

# --- uploads that the server executes after the run has ended: the manifest stays for clean
relay --rule 'PUT /1024/ delay-head=9000 from=2 times=1'
end_by_term 2 "^PUT .*/1024/" PUT /1024/000001 --endpoint "$relay" --quiet --sizes 1Ki --tests read --objects 2 \
	--run-name dropped --request-timeout 3s "s3://$bucket/k"
[ "$(grep -c 'interrupted; test files are removed' "$work/err")" -eq 0 ] || fail "said to be removed"
expect_reported "may still appear in s3://$bucket/k/iosweep-dropped .*iosweep clean s3://$bucket/k/iosweep-dropped --endpoint"
wait_for_objects k/iosweep-dropped/1024/ 1
clean 0 "s3://$bucket/k/iosweep-dropped"
s3 list | diff "$work/before" - >&2 || fail "clean leaves what came after the run's end"
say "uploads that arrive late"

# --- a long object with a part in flight: its upload is aborted, also if the run is kept
for keep in '' --keep; do
	relay --rule 'PUT partNumber=2 hang'
	end_by_term 1 "^PUT .*partNumber=2" DELETE uploadId= --endpoint "$relay" --quiet --sizes 40Mi --tests read --objects 1 \
		$keep --run-name long "s3://$bucket/k"
	[ -z "$(s3 uploads k/iosweep-long/41943040/000000)" ] || fail "an upload is left pending $keep"
done
clean 0 "s3://$bucket/k/iosweep-long"
s3 list | diff "$work/before" - >&2 || fail "something is left of a long object"
say "long objects are interrupted"

# --- a signal while the server hangs: requests in flight are abandoned without counting as
# failures, and a removal that fails is not repeated over and over
relay --rule '* . hang from=50'
(
	exec "$IOSWEEP" --endpoint "$relay" --format csv --quiet --sizes 1Ki --objects 20 --tests write \
		--request-timeout 20s --time 60s --run-name hanging "s3://$bucket/k"
) >"$work/out" 2>"$work/err" </dev/null &
pid=$!
soon "too few requests come" come 50 .
sleep 4 # so that the request's own timeout ends before the grace period after the signal
began=$(date +%s)
kill -TERM $pid
wait $pid
[ $? -eq 143 ] || fail "not ended by the signal while the server hangs"
[ $(($(date +%s) - began)) -le 300 ] || fail "ended only after $(($(date +%s) - began)) s"
[ "$(value errors)" -eq 0 ] || fail "what was given up is a failure"
one_error "objects are left in s3://$bucket/k/iosweep-hanging .*iosweep clean s3://$bucket/k/iosweep-hanging"
clean 0 "s3://$bucket/no-such-prefix"
expect_reported 'nothing to remove'
expect_reported 'clean needs the prefix that the run had'
clean 0 $when_killed "s3://$bucket/k" # the server did not answer the final manifest
expect_reported '[0-9]+ objects, .* of 1 run removed'
s3 list | diff "$work/before" - >&2 || fail "something is left after a signal while the server hangs"
say "a signal while the server hangs"

# --- requests are limited, except those that remove
sweep 1 --quiet -n 50 --rounds 1 --sizes 1Ki --objects 20 --max-requests 30 --tests write \
	"s3://$bucket/k"
[ "$(value requests)" -le 30 ] || fail "$(value requests) requests, not 30 at most"
[ "$(value errors)" -eq 0 ] || fail "a limit makes errors"
one_error '^iosweep: all 30 requests that --max-requests allows are used up'
sweep 1 --quiet --rounds 1 --time 20s --sizes 1Ki --objects 20 --max-requests 200 --max-errors 0 \
	--threads 2 --depth 4 --tests write,delete "s3://$bucket/k"
[ "$(count_rows)" -eq 2 ] || fail "not all rows when requests are used up"
[ "$(sum errors)" -eq 0 ] || fail "a limit makes errors"
! grep -v incomplete "$work/out" | grep -q '^1024,' || fail "a row is called complete"
one_error '^iosweep: all 200 requests that --max-requests allows are used up'
s3 list | diff "$work/before" - >&2 || fail "something is left when requests are used up"
say "--max-requests"

# --- the exact limit
sweep 0 -n 10 --rounds 1 --sizes 1Ki --objects 5 --tests read "s3://$bucket/k"
expect_reported ' 5 requests to fill'
expect_reported '[0-9]+ requests before removing '
expect_reported '[0-9]+ requests to remove [(].*delete-many'
say "requests"

# --- the server goes away: the run ends long before its time, rows stay, what is left is named,
# with the command that removes it later
(
	exec "$IOSWEEP" --endpoint "$endpoint" --format csv --quiet --sizes 4Ki --time 300s \
		--request-timeout 2s --max-errors 10 --tests write,read --run-name lost "s3://$bucket/k"
) >"$work/out" 2>"$work/err" </dev/null &
pid=$!
wait_for_objects k/iosweep-lost/ 64
s3_kill
wait $pid
got=$?
[ $got -eq 1 ] || fail "exit status $got when the server went away, not 1"
[ "$(count_rows)" -ge 1 ] || fail "no rows when the server went away"
[ "$(value errors)" -ge 10 ] && value notes | grep -q incomplete || fail "a cut row is not called incomplete"
expect_reported "objects are left in s3://$bucket/k/iosweep-lost .*iosweep clean s3://$bucket/k/iosweep-lost --endpoint"
clean 3 "s3://$bucket/k"
errors_are_one_line
sweep 3 --quiet -n 8 --sizes 1Ki "s3://$bucket/k"
errors_are_one_line
say "no server"
