#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Errors of buckets, keys, servers and connections are reported in one line that names them, with
# the right exit status; failures during a run are counted by class.
# shellcheck disable=SC2015,SC2022,SC2030,SC2031,SC2119
# shellcheck source=tests/s3/lib.sh
. "${top_srcdir:?}/tests/s3/lib.sh"

s3_start

# refused STATUS REGEX ARGS...: in one line with the reason; only a header on standard output
refused() {
	refused_status=$1 refused_regex=$2
	shift 2
	run "$refused_status" --format csv --quiet -n 8 --sizes 4Ki "$@"
	one_error "$refused_regex"
	[ "$(count_rows)" -le 0 ] || fail "rows without a target"
}

# --- command line: status 2, before anything is sent
relay
while read -r says word; do
	refused 2 "$says" --endpoint "$word" "s3://$bucket"
done <<'END'
does.not.begin.with.*ftp://x ftp://x
does.not.begin.with.*:.127.0.0.1; 127.0.0.1
not.a.host.name.or.address http://
not.a.host.name.or.address http://[::1
not.a.port.*:99999 http://127.0.0.1:99999
not.a.port.*:x http://127.0.0.1:x
user,.password,.query.or.fragment http://127.0.0.1/?a=b
user,.password,.query.or.fragment http://127.0.0.1/#a
user,.password,.query.or.fragment http://u:p@127.0.0.1
END
refused 2 'endpoint: is empty' --endpoint '' "s3://$bucket"
while read -r says target; do
	refused 2 "$says" --endpoint "$relay" "$target"
done <<END
no.bucket.named.in s3://
no.bucket.named.in s3:///x
no.bucket.can.have s3://ab
no.bucket.can.have s3://-abc
no.bucket.can.have s3://a_b c
empty.parts s3://$bucket/a//b
empty.parts s3://$bucket/../x
empty.parts s3://$bucket/a/./b
control.characters s3://$bucket/$(printf 'a\001b')
END
while read -r option word; do
	run 2 --quiet --endpoint "$relay" "$option" "$word" "s3://$bucket"
	errors_are_one_line
	grep -qF -e "$word" "$work/err" || fail "$option $word: the word is not named"
done <<'END'
--s3.payload none
--s3.checksum sha1
--s3.addressing dns
--objects many
--call-size x
--delete-batch 1001
--list-page 1001
--request-timeout -1
--retries -1
--max-requests x
--object-size 0
--run-name a/b
--tests upload
END
refused 2 'part-size: too small for this target: 1 MiB; .* takes 5 MiB to 5 GiB' --quiet --tests write \
	--part-size 1Mi --endpoint "$relay" "s3://$bucket"
run 2 --quiet --on xattr --endpoint "$relay" "s3://$bucket"
[ "$(requests '*' .)" -eq 0 ] || fail "something was sent: $(cat "$relay_log")"
say "words"

# --- credentials and endpoints
(
	AWS_SECRET_ACCESS_KEY=$(server_random)
	[ -z "$strict" ] || refused 3 'HTTP 403 SignatureDoesNotMatch' --endpoint "$endpoint" "s3://$bucket"
	AWS_ACCESS_KEY_ID=nobody$(server_random)
	[ -z "$strict" ] || refused 3 'HTTP 40[34] (InvalidAccessKeyId|XAdminUserNotFound)' \
		--endpoint "$endpoint" "s3://$bucket"
	unset AWS_SECRET_ACCESS_KEY
	refused 3 AWS_SECRET_ACCESS_KEY --endpoint "$endpoint" "s3://$bucket"
	unset AWS_ACCESS_KEY_ID
	refused 3 'no credentials' --endpoint "$endpoint" "s3://$bucket"
	AWS_PROFILE=nobody
	export AWS_PROFILE
	refused 3 nobody --endpoint "$endpoint" "s3://$bucket"
) || exit
refused 3 '/MANIFEST-1?: HTTP 404 NoSuchBucket' --endpoint "$endpoint" s3://no-such-bucket
port=$(s3 port)
refused 3 "MANIFEST-1?: connection refused: .*127.0.0.1( port |:)$port.*; is the server running" \
	--endpoint "http://127.0.0.1:$port" "s3://$bucket"
refused 3 'MANIFEST-1?: server name not found: .*no-such-host.invalid.*--endpoint' \
	--endpoint http://no-such-host.invalid "s3://$bucket"
refused 3 'MANIFEST-1?: TLS failed:.*; .*http://' --endpoint "https://127.0.0.1:$server_port" "s3://$bucket"
refused 3 'no such run: gone' -r --run-name gone --tests read --endpoint "$endpoint" "s3://$bucket"
say "who and where"

# --- a wrong region: the right one is used if the server reports it, once, and reported
iosweep --endpoint "$endpoint" --format csv -n 8 --sizes 4Ki --region eu-nowhere-1 "s3://$bucket" \
	>"$work/out" 2>"$work/err" </dev/null
case $? in
0) [ "$server_kind" != versitygw ] || expect_reported "$server_region" ;;
3)
	one_line "$work/err"
	expect_reported region
	;;
*) fail "a wrong region: another status than 0 or 3" ;;
esac
relay --rule "* . region=$server_region"
run 0 --endpoint "$relay" --format csv -n 8 --sizes 4Ki --region eu-nowhere-1 "s3://$bucket"
expect_reported "$server_region"
[ "$(awk '$3 == 301' "$relay_log" | wc -l)" -le 2 ] || fail "redirected again and again"
relay --rule '* . status=301:PermanentRedirect' # for any request
refused 3 'HTTP 301 PermanentRedirect' --endpoint "$relay" "s3://$bucket"
[ "$(requests '*' .)" -le 4 ] || fail "redirected again and again"
say "region"

# --- a wrong clock is the reason of a refusal
if [ -n "$strict" ] && command -v faketime >/dev/null; then
	IOSWEEP_RUN='faketime -f -2h'
	FAKETIME_DONT_FAKE_MONOTONIC=1
	export FAKETIME_DONT_FAKE_MONOTONIC
	refused 3 'set the clock of this machine' --endpoint "$endpoint" "s3://$bucket"
	IOSWEEP_RUN=
	say "clock"
else
	not_tried clock "faketime is not installed, or the server does not care"
fi

# --- a bucket that everyone may read and no one may write
s3 put open/object "$0"
s3 put open/another "$0"
s3 read-only
if [ -n "$strict" ]; then
	refused 3 'HTTP 403 AccessDenied' --anonymous --endpoint "$endpoint" "s3://$bucket/open"
	holds 2
	run 0 --quiet --format csv -n 8 --sizes 512 --anonymous -r --tests read --endpoint "$endpoint" \
		"s3://$bucket/open"
	check_rows 512 read 8
fi
s3 delete open/object
s3 delete open/another
say "read-only bucket"

# --- limits: checked before anything is done
refused 3 'max-requests does not allow' --max-requests 10 --endpoint "$endpoint" -n 100 "s3://$bucket"
holds 0
say "limit of requests"

# through RULE STATUS OPTION...: a sweep through a relay with this rule
through() {
	through_status=$2
	relay --rule "$1"
	shift 2
	run "$through_status" --endpoint "$relay" --quiet --format csv -n 50 --rounds 1 --sizes 4Ki --objects 4 \
		--tests read "$@" "s3://$bucket"
}

# --- failures during a run, by class
kind() { # 5 of 50 operations fail, and are counted there
	kind_rule=$1 kind_column=$2
	shift 2
	through "$kind_rule" 1 --max-errors 0 "$@"
	[ "$(value errors)" -ge 4 ] && [ "$(value errors)" -le 8 ] ||
		fail "$kind_rule: $(value errors) errors"
	[ "$(value "$kind_column")" -eq "$(value errors)" ] ||
		fail "$kind_rule: $(value "$kind_column") in $kind_column, $(value errors) errors"
	[ "$(($(value operations) + $(value errors)))" -eq 50 ] || fail "operations are lost"
	[ "$(grep -c 'operations* failed' "$work/err")" -eq 1 ] || fail "not reported once"
}
kind 'GET /4096/ status=404:NoSuchKey every=10' errors_client
expect_reported NoSuchKey
kind 'GET /4096/ status=403:AccessDenied every=10' errors_client
expect_reported AccessDenied
kind 'GET /4096/ status=500:InternalError every=10' errors_server
expect_reported InternalError
kind 'GET /4096/ status=503:SlowDown every=10' slow_downs
expect_reported SlowDown
kind 'GET /4096/ close every=10' errors_network
kind 'GET /4096/ close every=10' errors_network --reconnect
kind 'GET /4096/ cut every=10' errors_network
kind 'GET /object/ whole every=10' errors_protocol --object-size 64Ki
holds 0
say "kinds of failures"

# --- retries only if requested
through 'GET /4096/ status=503:SlowDown every=10' 0 --retries 2
check_rows 4096 read 50
[ "$(value retries)" -ge 4 ] || fail "$(value retries) retries"
[ "$(value errors)" -eq 0 ] || fail "errors in spite of retries"
say "retries"

# --- a flipped bit is wrong data
through 'GET /4096/ flip every=10' 4 --verify
expect_reported "first: s3://$bucket/iosweep-[0-9a-f]*/4096/0"
[ "$(value errors_wrong)" -ge 4 ] || fail "wrong data is not counted"
# ... also in objects that were made and are read back
for test in create append copy; do
	through "GET /$test-4096/ flip every=10" 4 --verify --tests $test --depth 4
	expect_reported "first: s3://$bucket/iosweep-[0-9a-f]*/.*expected"
	[ "$(value errors_wrong)" = 5 ] && [ "$(value operations)" = 50 ] ||
		fail "$test: $(value errors_wrong) of $(value operations) are wrong, not 5 of 50"
done
say "wrong data"

# --- a truncated list is not a shorter list
for times in 5 10000; do
	through "GET list-type half from=2 times=$times" 1 -n 20 --tests list --max-errors 0 --objects 20
	[ "$(value errors_protocol)" -gt 0 ] || fail "half a list is taken for a list"
done
# the objects to be removed could not be listed the second time either
expect_reported 'iosweep clean'
run 0 clean --endpoint "$endpoint" "s3://$bucket"
holds 0
say "truncated XML"

# --- a server that hangs
through 'GET /4096/ hang every=20 times=1' 1 --request-timeout 5s --max-errors 0
[ "$(value errors_network)" -eq 1 ] || fail "$(value errors_network) network errors, not 1"
relay --rule '* . hang'
refused 3 'timed out: no reply for 1' --endpoint "$relay" --request-timeout 1s "s3://$bucket"
say "timeouts"

# --- filling: interrupted parts are sent again; if that does not help, nothing is left
relay --rule 'PUT partNumber=2 close times=2' --rule 'POST uploads status=503:SlowDown times=1' \
	--rule 'POST uploadId= status=500:InternalError times=1'
run 0 --endpoint "$relay" --quiet --format csv -n 3 --rounds 1 --sizes 4Ki --object-size 17Mi \
	--tests read --verify --objects 2 "s3://$bucket"
[ "$(requests PUT partNumber=)" -eq 6 ] || fail "$(requests PUT partNumber=) parts were sent, not 4 and 2 again"
holds 0
for rule in 'PUT partNumber=2 status=403:AccessDenied' 'PUT partNumber=2 close' \
	'POST uploadId= status=403:AccessDenied' 'POST uploads status=403:AccessDenied'; do
	through "$rule" 3 -n 3 --object-size 17Mi --objects 2
	one_error 'cannot fill s3://.*/object/00000[01]: '
	[ -z "$(s3 uploads)" ] || fail "an upload is left: $(s3 uploads)"
	holds 0
done
relay
run 3 --endpoint "$relay" --quiet --format csv -n 3 --rounds 1 --sizes 4Ki --objects 2 --max-requests 9 \
	--object-size 17Mi --tests read "s3://$bucket" # the manifest takes some of them
one_error 'cannot fill .*no request is left of --max-requests'
[ -z "$(s3 uploads)" ] || fail "an upload is left: $(s3 uploads)"
holds 0
say "failing while filling"
