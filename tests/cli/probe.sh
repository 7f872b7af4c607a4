#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# `iosweep probe`: each kind of failure of a store is found, by the checks that it concerns and by no
# other, is told with its reason, and is the status; a store that does all of it passes; nothing is
# left.  On mem:, whose requests fail as they are told to, and on a service that answers wrongly on
# purpose (tests/s3/hostile.py).
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

# probe STATUS ARGS...: results in $work/out, "CHECK RESULT" a line in $work/results
probe() {
	probe_wanted=$1
	shift
	run "$probe_wanted" probe --format csv "$@"
	sed 1d "$work/out" | sed -n 's/^\([a-z-]*\),\([a-z ]*\),.*/\1 \2/p' >"$work/results"
	[ "$(wc -l <"$work/results")" = 19 ] || fail "not 19 checks: $(cat "$work/results")"
}
# expect RESULT CHECK...: these and no others
expect() {
	result=$1
	shift
	got=$(sed -n "s/ $result\$//p" "$work/results" | tr '\n' ' ')
	[ "${got% }" = "$*" ] || fail "$result: '${got% }', not '$*': $(cat "$work/out")"
}

# --- a store that does all of it

probe 0 mem:
expect failed
expect 'not supported' checksum
grep -q '^# mem: 18 checks passed, 1 not supported, 0 failed$' "$work/err" || fail "the sum is not told"
run 0 probe --format table mem:
[ "$(grep -c ' pass ' "$work/out")" = 18 ] || fail "the table"
if command -v python3 >/dev/null; then
	run 0 probe --format json mem:
	python3 -c 'import json, sys
document = json.load(open(sys.argv[1]))
assert [document[k] for k in ("passed", "not_supported", "failed")] == [18, 1, 0], document
assert {c["result"] for c in document["checks"]} == {"pass", "not supported"}
assert document["checks"][0]["check"] == "put-get" and document["target"] == "mem:"' "$work/out" || fail "JSON"
fi
run 0 probe -o "$work/file" --format csv mem:
[ ! -s "$work/out" ] && [ "$(wc -l <"$work/file")" = 20 ] || fail "-o"

# --- one kind of request fails

probe 1 --mem.fail forbidden@copy:1 mem:
expect failed copy
grep -q '^copy,failed,[0-9]*,[^,]*,cannot copy: AccessDenied' "$work/out" || fail "the reason is not told: $(cat "$work/out")"
probe 1 --mem.fail broken@list:1 mem:
expect failed odd-name list delimiter
probe 1 --mem.fail missing@stat:1 mem:
expect failed stat
probe 1 --mem.fail server-error@upload-complete:1 mem:
expect failed multipart
probe 1 --mem.fail forbidden@upload-abort:1 mem:
expect failed abort
probe 1 --mem.fail forbidden@delete:1 mem:
expect failed odd-name delete delete-missing
probe 1 --mem.fail forbidden@delete-many:1 mem:
expect failed delete-many
probe 1 --mem.fail forbidden@get:1 mem:
expect failed put-get missing empty range range-end odd-name overwrite copy multipart abort delete delete-many if-absent if-match
probe 1 --mem.fail forbidden@put:1 mem:
expect failed put-get stat empty range range-end odd-name overwrite copy list delimiter delete delete-many if-absent if-match

# --- what is no store, and nonsense

run 2 probe "$work"
grep -q 'probe takes only object stores' "$work/err" || fail "a directory: $(cat "$work/err")"
run 2 probe null:
run 2 probe
run 2 probe mem: mem:
run 2 probe --endpoint http://127.0.0.1:1 mem:
run 2 probe --run-name a/b mem:
one_line "$work/err"

# --- a service that says one thing and does another

command -v python3 >/dev/null || skip "python3 is not installed (mem: passed)"
iosweep --list-engines | grep -q '^s3 ' || skip "built without targets s3:// (mem: passed)"
unset AWS_PROFILE AWS_DEFAULT_PROFILE AWS_SESSION_TOKEN AWS_ENDPOINT_URL AWS_ENDPOINT_URL_S3
unset AWS_REGION AWS_DEFAULT_REGION http_proxy all_proxy HTTP_PROXY ALL_PROXY
AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=secret HOME=$work
AWS_SHARED_CREDENTIALS_FILE=$work/none AWS_CONFIG_FILE=$work/none
export AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY HOME AWS_SHARED_CREDENTIALS_FILE AWS_CONFIG_FILE

: >"$work/mode"
python3 "$top_srcdir/tests/s3/hostile.py" --port-file "$work/port" --log "$work/log" \
	--mode "$work/mode" --key p/iosweep-keepme/file --key p/other >"$work/server" 2>&1 </dev/null &
server=$!
on_exit "kill $server 2>/dev/null; wait $server 2>/dev/null"
soon "the server does not start: $work/server" test -s "$work/port"
endpoint=http://127.0.0.1:$(cat "$work/port")

mode() {
	echo "$*" >"$work/mode.new"
	mv "$work/mode.new" "$work/mode"
}
only_foreign() {
	python3 -c 'import sys, urllib.request
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
sys.stdout.write(opener.open(sys.argv[1]).read().decode())' "$endpoint/__keys" >"$work/keys"
	printf 'p/iosweep-keepme/file\np/other\n' | cmp -s - "$work/keys" ||
		fail "$1: what is there is $(tr '\n' ' ' <"$work/keys")"
}
wrong() { probe 1 --endpoint "$endpoint" s3://bbb/p; }

# what it cannot do without being told to: no end of a range, no condition on a certain object
mode
wrong
expect failed range-end
expect 'not supported' if-match
only_foreign 'as it is'
# said to be gone, and is there; what cannot be removed is said beside
left() { # CHECK...: found, and so is that something is left, which `clean` removes later
	wrong
	expect failed "$@"
	grep -q 'objects are left in s3://bbb/p/iosweep-' "$work/err" || fail "what is left is not told"
	run=$(sed -n 's,.*are left in s3://bbb/p/iosweep-\([0-9a-f]*\).*,\1,p' "$work/err")
	mode
	run 0 clean --force --run-name "$run" --endpoint "$endpoint" s3://bbb/p
	only_foreign "after clean"
}
mode lies:DELETES
left range-end delete-many
mode lies:ABORT
left range-end abort
# data that are cut, and a list that leaves names out
mode short:DATA
wrong
expect failed put-get range range-end odd-name overwrite copy multipart if-absent
only_foreign 'data that are cut'
mode part:LIST
wrong
expect failed range-end list
mode
only_foreign 'a list with gaps'

# --- no answer at all, from the beginning or from some request on: the time is limited

mode silent
run 3 probe --run-name mute --max-time 1s --request-timeout 2s --endpoint "$endpoint" s3://bbb/p
one_line "$work/err"
grep -q 'cannot probe s3://bbb/p: .*--max-time' "$work/err" || fail "silent: $(cat "$work/err")"
[ ! -s "$work/out" ] || fail "silent, but there are results"
# a machine that is slow needs more of it to get as far
for seconds in 2 8 32 128; do
	mode silent:BEGIN
	iosweep probe --run-name late --max-time ${seconds}s --format csv --endpoint "$endpoint" s3://bbb/p \
		>"$work/out" 2>"$work/err" </dev/null
	status=$?
	grep -q '^put-get,pass,' "$work/out" && break
	mode
	run 0 clean --force --run-name late --endpoint "$endpoint" s3://bbb/p
done
[ $status = 1 ] || fail "silent later: exit status $status, not 1"
grep -q '^put-get,pass,' "$work/out" || fail "what was checked before is lost: $(cat "$work/out")"
! grep -q '^multipart,' "$work/out" || fail "a check that had no time to end has a result"
grep -q 'cannot probe all of s3://bbb/p: .*--max-time' "$work/err" || fail "silent later: $(cat "$work/err")"
mode
# what nobody answered may have been done all the same, and is said to be left
grep -q 'iosweep clean s3://bbb/p/iosweep-late' "$work/err" || fail "what may be left is not told"
run 0 clean --force --run-name late --endpoint "$endpoint" s3://bbb/p
only_foreign 'out of time'

# --- killed in the middle: `clean` removes it, and the rest stays

# more KIND: than there were in the log
more() { [ "$(grep -c "^$1 " "$work/log")" -gt "$(grep -c "^$1 " "$work/before")" ]; }
cp "$work/log" "$work/before"
mode silent:BEGIN
"$IOSWEEP" probe --run-name killed --endpoint "$endpoint" s3://bbb/p >/dev/null 2>&1 &
killed=$!
soon 'no upload is begun' more BEGIN
end_child $killed
wait $killed 2>/dev/null
mode
run 0 clean --force --run-name killed --endpoint "$endpoint" s3://bbb/p
only_foreign 'killed'
# and by a signal: nothing is left at all
mode slow=1:COMPLETE
cp "$work/log" "$work/before"
"$IOSWEEP" probe --run-name ended --endpoint "$endpoint" s3://bbb/p >"$work/out" 2>"$work/err" &
ended=$!
soon 'no upload is completed' more COMPLETE
kill -TERM $ended
wait $ended
status=$?
[ $status = 143 ] || fail "after a signal the status is $status"
mode
only_foreign 'after a signal'
