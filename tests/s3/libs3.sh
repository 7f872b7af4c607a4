#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# The second client gives the same rows as the first one if the server accepts its signatures,
# reports clearly if it does not, and refuses what it does not support.
# shellcheck disable=SC2015
# shellcheck source=tests/s3/lib.sh
. "${top_srcdir:?}/tests/s3/lib.sh"

iosweep help engines >"$work/engines"
grep -q '^libs3 ' "$work/engines" || skip "built without engine libs3 (configure --with-libs3)"
if grep -q '^libs3 .*Signature V2' "$work/engines"; then
	payload=sigv2
else
	payload=unsigned
fi
s3_start

# --- unsupported options are refused, and nothing is left
for option in '--s3.checksum md5' '--s3.payload signed' --reconnect '--retries 1' '--parallel 4'; do
	# shellcheck disable=SC2086
	sweep 2 --quiet --engine libs3 --sizes 4k -n 2 $option "s3://$bucket"
	errors_are_one_line
	told 'engine libs3 .*; .* or use --engine s3'
done
sweep 2 --quiet --engine libs3 --sizes 4k -n 2 --tests append "s3://$bucket"
sweep 2 --quiet --engine libs3 --sizes 4k --depth 200 --threads 8 -n 2 "s3://$bucket"
told 'lower --depth or --threads'
bucket_holds 0
say "what libs3 cannot do is refused"

# --- signatures that the server does not accept: each operation fails, with a description
if [ $payload = sigv2 ] && [ "$server_kind" = versitygw ]; then
	sweep 1 --engine libs3 --sizes 4k --tests read --objects 4 -n 10 --rounds 1 "s3://$bucket"
	told 'cannot read s3://.*AccessDenied.*Signature V2 only'
	[ "$(field errors)" = 10 ] && [ "$(field errors_client)" = 10 ] && [ "$(field operations)" = 0 ] ||
		fail "refused requests are not counted as errors"
	bucket_holds 0
	say "Signature V2 is refused here, and said so"
	exit 0
fi

# --- the same rows as by the first client, and correct data
sweep 0 --engine s3,libs3 --sizes 4k,300k --tests write,read,stat --depth 1,4 --threads 1,2 \
	--objects 4 -n 12 --rounds 1 --verify "s3://$bucket"
[ "$(count_rows)" = 48 ] || fail "$(count_rows) rows, not 48"
[ "$(sum errors)$(sum errors_wrong)$(sum errors_short)" = 000 ] || fail "not all went well"
rows 'operations == 12 && requests == 12'
rows "engine != \"libs3\" || s3_signing == \"$payload\" && connections first_byte_ns_mean == \"\""
[ "$(column engine | grep -c libs3)" = 24 ] || fail "not 24 rows of libs3"
bucket_holds 0
sweep 0 --engine libs3 --sizes 4k --object-size 1M --objects 2 --tests read --depth 4 -n 20 \
	--rounds 1 --verify "s3://$bucket"
[ "$(field operations)$(field errors_wrong)" = 200 ] || fail "ranges are not read"
say "rows by both clients, whole objects and ranges"

# --- answers other than requested are errors, not data
through() { # STATUS ARGUMENT...: at the last relay
	through_status=$1
	shift
	run "$through_status" --endpoint "$relay" --format csv --engine libs3 --tests read --sizes 4k \
		--objects 2 -n 10 --rounds 1 "$@" "s3://$bucket"
}
relay --rule 'GET /object/ whole'
through 1 --object-size 64k
[ "$(field errors)$(field operations)" = 100 ] || fail "whole objects count as ranges"
told 'not the requested bytes'
relay --rule 'GET /4096/ half'
through 1
[ "$(field errors)$(field operations)" = 100 ] || fail "halves count as objects"
told 'not the requested bytes'
relay --rule 'GET /4096/ cut every=2'
through 1
[ "$(field errors_network)" = 5 ] && [ "$(field operations)" = 5 ] || fail "a cut answer is not seen"
relay --rule 'GET /4096/ flip'
through 4 --verify
relay --rule 'GET /4096/ status=503:SlowDown every=2'
through 1
[ "$(field slow_downs)" = 5 ] && [ "$(field operations)" = 5 ] || fail "SlowDown is not counted"
told 'cannot read s3://.*SlowDown'
say "wrong answers are errors"

# --- the limit of requests applies here too, and a lost server ends the run
sweep 1 --engine libs3 --sizes 4k --tests read --objects 2 -n 1000 --max-requests 50 "s3://$bucket"
told 'requests that --max-requests allows are used up'
[ "$(field operations)" -lt 50 ] || fail "more requests than allowed"
bucket_holds 0
rm -f "$work/series"
(
	soon "no operation is done" grep -qs '^[0-9]' "$work/series"
	server_stop "$server_pid"
) &
sweep 1 --engine libs3 --sizes 4k --tests read --objects 2 --time 100s --max-errors 20 --interval 100ms \
	--series "$work/series" "s3://$bucket"
wait $!
# (requests in flight may still get an answer 5xx)
[ "$(field errors_network)" -ge 15 ] || fail "a lost server is not an error of the network"
told 'the first: cannot read s3://'
say "limits, and a lost server"

# --- certificates
s3_start tls
if [ $payload = sigv2 ]; then
	sweep 2 --quiet --engine libs3 --ca-file "$S3_CA" --sizes 4k -n 2 "s3://$bucket"
	told 'verifies no certificates.*--insecure'
else
	sweep 2 --quiet --engine libs3 --ca-file "$S3_CA" --sizes 4k -n 2 "s3://$bucket"
	told 'takes no file of certificates'
fi
errors_are_one_line
sweep 0 --engine libs3 --insecure --sizes 4k -n 4 "s3://$bucket"
bucket_holds 0
say "over https only with --insecure, or with what the system trusts"
