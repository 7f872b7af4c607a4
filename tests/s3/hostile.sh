#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# A service that accepts requests and closes, breaks its promises, or never finishes
# (hostile_server.py): its answers are counted correctly, nothing waits for ever, and a run's
# objects are removed or named.
# shellcheck disable=SC2154
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all

need python3
iosweep help engines | grep -q '^s3 ' || skip "built without targets s3://"
unset AWS_PROFILE AWS_DEFAULT_PROFILE AWS_SESSION_TOKEN AWS_ENDPOINT_URL AWS_ENDPOINT_URL_S3
unset AWS_REGION AWS_DEFAULT_REGION http_proxy all_proxy HTTP_PROXY ALL_PROXY
AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=secret HOME=$work
AWS_SHARED_CREDENTIALS_FILE=$work/none AWS_CONFIG_FILE=$work/none
export AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY HOME AWS_SHARED_CREDENTIALS_FILE AWS_CONFIG_FILE

: >"$work/mode"
python3 "$top_srcdir/tests/s3/hostile_server.py" --port-file "$work/port" --log "$work/log" \
	--mode "$work/mode" --key p/mine/iosweep-keepme/file --key p/other >"$work/server" 2>&1 </dev/null &
server=$!
on_exit "kill $server 2>/dev/null; wait $server 2>/dev/null"
soon "the server does not start: $work/server" test -s "$work/port"
port=$(cat "$work/port")
endpoint=http://127.0.0.1:$port

ask() { # without modules that take longer to load than the request
	python3 -S -c 'import socket, sys
link = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
link.sendall(b"GET %s HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n" % sys.argv[2].encode())
link.shutdown(socket.SHUT_WR) # no further requests
answer = link.makefile("rb").read()
head, _, body = answer.partition(b"\r\n\r\n")
assert b" 200 " in head.split(b"\r\n")[0], head
sys.stdout.write(body.decode())' "$port" "$1"
}
# mode WORD...: behaviour from now on
mode() {
	echo "$*" >"$work/mode.new"
	mv "$work/mode.new" "$work/mode"
}
# requests KIND...: number received since `begin`
begin() {
	seen=$(wc -l <"$work/log")
}
requests() {
	tail -n "+$((seen + 1))" "$work/log" | grep -cE "^($(echo "$*" | tr ' ' '|')) "
}
sweep() {
	sweep_status=$1
	shift
	begin
	run "$sweep_status" --endpoint "$endpoint" --format csv --sizes 4k --objects 4 "$@" s3://bbb/p
}
clean() {
	clean_status=$1
	shift
	begin
	run "$clean_status" clean --endpoint "$endpoint" "$@" s3://bbb/p
}
# with MODES STATUS REGEX OPTION...: what a sweep of such a server reports
with() {
	with_status=$2 with_regex=$3
	mode "$1"
	shift 3
	sweep "$with_status" "$@"
	expect_reported "$with_regex"
}
# only_foreign WHAT: exactly the foreign objects exist; and the server is honest from now on
only_foreign() {
	mode
	ask /__keys >"$work/keys"
	printf 'p/mine/iosweep-keepme/file\np/other\n' | cmp -s - "$work/keys" ||
		fail "$1: what is there is $(tr '\n' ' ' <"$work/keys")"
}
say() {
	echo "ok: $*"
}

# --- correct behaviour, as a reference for what follows
sweep 0 --tests write,read,list,rename,delete --verify -n 8
only_foreign "an honest server"
[ "$(value errors_wrong)" = 0 ] || fail "wrong data of an honest server"

# --- truncated objects
with short:DATA 4 'ends at offset 4089' --tests read --verify -n 8
sweep 4 --tests write --verify -n 8
expect_reported 'ends at offset 4089'
sweep 1 --tests read -n 8
expect_reported '4089 bytes, not 4096'
[ "$(value errors)" -eq 8 ] || fail "$(value errors) errors, not 8"
only_foreign "short objects"
say "short objects"

# --- a request is sent once
mode empty:DATA:2
sweep 1 --tests write,read -n 20 --rounds 1 --max-errors 0
said=$(sed -n 's/^# .*: \([0-9]*\) requests \(before removing\|to remove\) .*/\1/p' "$work/err" |
	awk '{ sum += $1 } END { print sum + 0 }')
received=$(tail -n "+$((seen + 1))" "$work/log" | wc -l)
mode
[ "$said" -ge 44 ] && [ "$said" -eq "$received" ] || fail "$said requests said, $received received"
only_foreign "dead connections"
mode empty:PUT:2
sweep 1 --tests write --max-requests 60 --max-errors 0
mode
received=$(requests PUT GET) # removing reads manifests five times
[ "$received" -le 65 ] || fail "$received requests, --max-requests 60"
expect_reported 'connection closed without an answer'
# ... also with more in flight than requests are left: unsent ones have not failed
mode empty:PUT:2
sweep 1 --tests write --max-requests 60 --max-errors 0 --threads 4 --depth 16
mode
[ "$(requests PUT GET)" -le 65 ] || fail "$(requests PUT GET) requests, --max-requests 60"
expect_reported 'the first: cannot write .*: connection closed without an answer'
expect_reported 'all 60 requests that --max-requests allows are used up'
only_foreign "--max-requests"
say "a request leaves once"

# --- two kept runs are never read together
for name in one two; do
	run 0 --quiet --endpoint "$endpoint" --sizes 4k --objects 4 --tests write -n 4 --keep --run-name $name \
		s3://bbb/p/kept
done
begin
run 2 --quiet --endpoint "$endpoint" -r --sizes 4k -n 4 s3://bbb/p/kept
expect_reported 'several runs found.*; name the prefix of one: .*iosweep-one, .*iosweep-two$'
[ "$(requests DATA)" -eq 0 ] || fail "an object was read"
run 1 --endpoint "$endpoint" -r --sizes 4k --format csv s3://bbb/p
expect_reported 'objects of 2 runs in it are left out'
grep -q 'skipped:beyond_file' "$work/out" || fail "objects of a run are read with those of others"
run 0 --quiet --endpoint "$endpoint" -r --sizes 4k -n 4 s3://bbb/p/kept/iosweep-two
run 0 clean --all --endpoint "$endpoint" s3://bbb/p/kept
only_foreign "two runs"
say "two runs"

# --- deletions without effect
with lies 3 'left in .*still there.*iosweep clean' --tests write -n 8 --run-name lies
[ "$(requests LIST DELETES)" -le 20 ] || fail "$(requests LIST DELETES) requests to remove nothing"
clean 3 --force
expect_reported 'says it is removed, but it is still there'
[ "$(requests LIST DELETES)" -le 20 ] || fail "$(requests LIST DELETES) requests to remove nothing"
mode
clean 0 --force
only_foreign "after the lies"
mode stale
sweep 0 --tests write -n 8
[ "$(requests LIST DELETES)" -le 20 ] || fail "$(requests LIST DELETES) requests for an old list"
only_foreign "an old list"
mode deny:DELETES
sweep 0 --tests write -n 8
only_foreign "DeleteObjects refused"
mode lies:DELETE # ... only of the manifest, which is deleted separately
sweep 3 --tests write -n 8 --run-name lies
expect_reported 'objects are left in .*still there.*iosweep clean'
clean 3 --force
expect_reported 'cannot remove .*/MANIFEST-[12]: the server says it is removed, but it is still there'
mode
clean 0 --force
only_foreign "a manifest that stays"
say "removing that does nothing"

# --- incomplete lists
for how in nothing part; do
	with "$how" 0 'leaves out objects' --tests write -n 8
	only_foreign "a list of $how"
	sweep 0 --tests write -n 8 --keep --run-name kept
	mode $how
	clean 0 --run-name kept
	expect_reported ': 4 objects, 16 KiB of 1 run removed'
	only_foreign "clean with a list of $how"
done
sweep 0 --tests write -n 8 --keep --run-name kept
mode nothing:LIST lies:DELETES
clean 3 --run-name kept
expect_reported 'says it is removed, but it is still there'
mode
clean 0 --run-name kept
only_foreign "a list of nothing where removing has no effect"
with nothing 3 'left.*list leaves out objects' --tests write,delete -n 8 --run-name some
mode
clean 0 --all --force
only_foreign "a list of nothing, with tests that rename and delete"
mode nul:LIST
sweep 3 --tests write -n 8 --run-name nul
mode
clean 0 --all --force
only_foreign "a list with a NUL byte"
say "lists that leave objects out"

# --- endless answers
for how in again turns barren; do
	mode $how:LIST
	sweep 1 --tests list -n 2 --max-errors 0
	[ "$(requests LIST)" -le 1000 ] || fail "$(requests LIST) pages of an endless list ($how)"
	expect_reported 'the first: cannot list .*: the list does not end'
	expect_reported 'objects are left in .*the server.s list does not end'
	clean 3 --all
	expect_reported 'cannot list .*: the server.s list does not end, although it names nothing new'
	mode
	clean 0 --all --force
	only_foreign "endless lists"
done
sweep 0 --tests delete -n 8 --keep --run-name kept
mode invents=delete-4096/:LIST
clean 3 --run-name kept
expect_reported 'the server.s list does not end, and names missing objects; clean again'
[ "$(requests LIST DELETES)" -le 200 ] || fail "$(requests LIST DELETES) requests for invented names"
mode invents=other/:LIST
clean 3 --run-name kept
expect_reported 'far more objects than the run created'
mode invents=name:LIST
clean 3
expect_reported 'far too many runs.*--run-name'
clean 3 --dry-run
[ "$(requests LIST GET)" -le 200 ] || fail "$(requests LIST GET) requests for invented runs"
mode
clean 0 --run-name kept
only_foreign "invented names"
for how in forever chunks heads going huge; do
	mode $how:GET
	sweep 1 --tests read -n 3 --rounds 1 --max-errors 0
	only_foreign "endless answers ($how)"
done
for how in drops silent; do
	with "$how:GET" 1 'timed out' --tests read -n 1 --rounds 1 --max-errors 0 --request-timeout 3s
	sweep 1 --tests read --max-time 500ms --request-timeout 3s --max-errors 0
	only_foreign "slow answers ($how)"
done
say "what never ends"

# --- multipart uploads
mode root:BEGIN
sweep 0 --tests append --part-size 5Mi -n 3
mode torn:BEGIN
sweep 1 --tests append -n 3 --max-errors 0
[ -z "$(ask /__uploads)" ] || fail "uploads are left"
[ "$(requests ABORT)" -ge 3 ] || fail "uploads whose answer is refused are not given up"
only_foreign "uploads in parts"
with "empty:PART lies:ABORT" 1 'uploads are left|objects are left in .*aborted, but still lists them' \
	--tests append -n 3 --max-errors 0 --run-name lies
clean 3 --force
expect_reported 'cannot abort the uploads of .*aborted, but still lists them'
sweep 1 --tests append -n 3 --max-errors 0 --keep --run-name kept
expect_reported 'uploads may be left pending: .*aborted, but still lists them'
mode
clean 0 --all --force
[ -z "$(ask /__uploads)" ] || fail "uploads are left"
only_foreign "uploads that stay"
# ... long objects are filled in parts: a server does not complete an upload a second time
mode lost:COMPLETE:2
sweep 0 --tests read --sizes 17M --objects 1 -n 2 --rounds 1
mode
sweep 0 --tests read --sizes 17M --objects 1 -n 2 --rounds 1
only_foreign "an upload whose end was not heard of"
say "uploads in parts"

for parts in 1 3; do
	for how in noetag:PART deny:PART:3 late-error:COMPLETE html:COMPLETE; do
		mode $how
		sweep 1 --tests write --sizes 11M --part-size 5Mi --parallel $parts --objects 1 \
			-n 2 --max-errors 0
		[ "$(value operations)" -eq 0 ] && [ "$(value errors)" -eq 2 ] || fail "$how: uploads that failed count"
		[ -z "$(ask /__uploads)" ] || fail "$how: uploads are left"
		only_foreign "$how"
	done
	mode lost:COMPLETE:2 # a completion whose answer is lost is not a known success
	sweep 1 --tests write --sizes 11M --part-size 5Mi --parallel $parts --objects 1 -n 4 \
		--retries 1 --max-errors 0
	[ $(($(value operations) + $(value errors))) -eq 4 ] || fail "uploads are lost"
	only_foreign "lost answers"
done
say "parts of uploads"

# --- ranges: bytes other than those requested are not part of an object
for how in whole other-range untold less more short huge; do
	mode $how:DATA
	for options in '--parallel 3' '--object-size 256k'; do
		# shellcheck disable=SC2086
		sweep 1 --tests read --sizes 64k -n 3 --max-errors 0 $options
		[ "$(value operations)" -eq 0 ] && [ "$(value errors)" -eq 3 ] || fail "$how, $options: counted as read"
	done
	[ $how != whole ] || expect_reported 'ignores Range: it sent the whole object; .* leave out --object-size and --parallel'
	only_foreign "ranges ($how)"
done
# nor are ranges of two objects that had the same name
mode changed:DATA
sweep 1 --tests read --sizes 64k -n 3 --max-errors 0 --parallel 3
[ "$(value operations),$(value errors),$(value errors_client)" = 0,3,6 ] || fail "changed: counted as read"
expect_reported 'the object changed while its ranges were read'
sweep 0 --tests read --sizes 64k -n 3 --object-size 256k
only_foreign "ranges (changed)"
say "ranges"

# --- copies that fail after status 200; lists of deleted objects that are too short, or too long
with late-error 1 '8 operations failed; the first: cannot copy to .*: HTTP 200 InternalError: late' \
	--tests copy,rename -n 4 --max-errors 0
mode partial
sweep 1 --tests delete --delete-batch 10 -n 4 --max-errors 0
[ "$(value operations)" -eq 0 ] && [ "$(value errors)" -eq 4 ] || fail "deletes that failed count"
expect_reported '2 of 10 objects were not deleted, the first: AccessDenied'
only_foreign "a part deleted"
with "partial twice strange" 1 'names more objects than were to be deleted' \
	--tests delete --delete-batch 10 -n 4 --max-errors 0
only_foreign "names that no one asked for"
mode partial strange
sweep 0 --tests write -n 4 --keep --run-name kept
clean 0 --run-name kept
only_foreign "clean where the answer names others"
say "answers that name others"

# --- implausible pauses
for text in -5 99999999999999999999 soon; do
	mode "slow=$text:DATA:3"
	sweep 1 --tests write -n 6 --rounds 1 --max-errors 0 --retries 0
	mode
done
mode slow=-5:DATA:2
sweep 0 --tests write -n 4 --rounds 1 --retries 1
[ "$(value latency_ns_max)" -lt 15000000000 ] || fail "a pause of -5 s was made"
mode slow=3600:DATA:2 # longer than --max-time and the timeout: no retry
sweep 1 --tests write -n 2 --rounds 1 --retries 1 --max-time 1s --request-timeout 3s --max-errors 9
value elapsed_s | awk '{ exit !($1 < 15) }' || fail "a pause of 20 s went on when the time was over"
only_foreign "pauses"
say "pauses"

# --- truncated answers do not break parsing
with cut:UPLOADS 3 'objects are left in .*body cut off' --tests append -n 2 --run-name cut
sweep 0 --tests append -n 2 --run-name other --keep
expect_reported 'uploads may be left pending: .*body cut off'
with cut:ANY 3 'cannot list .*/MANIFEST-: body cut off' --tests read -n 2
mode
clean 0 --all --force
only_foreign "answers that are cut off"
say "answers that are cut off"

# --- checksums
with etag:PUT:3 1 'checksum returned does not match the data' \
	--tests write --verify -n 8 --max-errors 0
mode
sweep 0 --tests write --verify -n 8
only_foreign "checksums"
say "checksums"

# --- a plan needs no credentials and sends nothing
begin
(
	unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
	run 0 --dry-run --endpoint "$endpoint" --sizes 4k -n 10 --tests write,read s3://bbb/p
	expect_reported 'rows: 20 requests'
	expect_reported 'no credentials.*the run does'
	run 3 --endpoint "$endpoint" --sizes 4k -n 10 s3://bbb/p
	expect_reported 'no credentials'
	run 3 --endpoint "$endpoint" --sizes 4k -n 10 "$work" s3://bbb/p
	expect_reported 'no credentials'
) || exit
[ "$(requests '[A-Z]*')" -eq 0 ] || fail "a dry run sends requests"
say "plans"

# --- messages
with html:ANY 3 'is this the endpoint of an S3 service' --tests read -n 1
expect_unreported 'of this name already exists'
with tls:ANY 3 'https:// in --endpoint' --tests read -n 1
with empty:ANY 3 'https:// in --endpoint' --tests read -n 1
with mismatch:DATA 1 'payload signed' --tests write -n 2 --s3.payload trailer
only_foreign "words"
say "words"
