#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# A bucket of a real S3 server, by the program for Windows, run by wine.  make check-windows runs this where
# it was built with libcurl and OpenSSL (contrib/ci/windows-libraries).
# shellcheck disable=SC2015,SC2119
# shellcheck source=tests/windows/lib.sh
. "${top_srcdir:?}/tests/windows/lib.sh"
IOSWEEP_RUN=$wine
mkdir -p "$WINEPREFIX"
[ -n "$wine" ] || IOSWEEP_RUN=false # then it has no engine s3
# shellcheck source=tests/s3/lib.sh
. "${top_srcdir:?}/tests/s3/lib.sh"

run() { run_in_wine "$@"; }
few="--quiet --sizes 4Ki --objects 8 --rounds 2,3"

s3_start tls
cp "$server_ca" "$work/ca.crt"
# shellcheck disable=SC2086
sweep 3 $few "$target"
one_error certificate
# shellcheck disable=SC2086
sweep 0 $few -n 16 --ca-file "$work/ca.crt" "$target"
[ "$(count_rows)" -eq 2 ] && [ "$(sum errors)" -eq 0 ] || fail "TLS: $(cat "$work/out")"
s3_stop

s3_start
# shellcheck disable=SC2086
sweep 0 $few -n 128 --threads 1,4 --depth 1,64 --retries 5 --tests write,read,stat,list,delete "$target/p"
[ "$(count_rows)" -eq 20 ] && [ "$(sum errors)" -eq 0 ] || fail "operations failed: $(cat "$work/out")"
sweep 0 --quiet --sizes 6Mi -n 2 --objects 2 --depth 2 --rounds 2,2 --tests write,read --part-size 5Mi "$target/p"
[ "$(sum errors)" -eq 0 ] || fail "large bodies: $(cat "$work/out")"
holds 0

# a run that is kept is found again, and removed
# shellcheck disable=SC2086
sweep 0 $few -n 16 --keep --run-name abc "$target"
sweep 0 --quiet --sizes 4Ki --rounds 2,3 -n 16 -r --run-name abc "$target"
run 0 clean --endpoint "$endpoint" --run-name abc "$target"
holds 0

# Ctrl-C
if command -v script >/dev/null; then
	# shellcheck disable=SC1003
	path=$(printf '%s' "Z:$IOSWEEP" | tr / '\\')
	script -qec "$wine ${IOSWEEP%/src/*}/tests/windows/interrupt.exe $server_dir/data/$bucket \
'$path --endpoint $endpoint --format csv --quiet --sizes 4Ki --time 20s --depth 4 $target'" "$work/console" >/dev/null </dev/null
	[ $? = 130 ] || fail "Ctrl-C: $(tr -d '\033' <"$work/console" | tail -n 5)"
	holds 0
fi

# whose secret is wrong; in the file of the user
(
	AWS_SECRET_ACCESS_KEY=wrong
	# shellcheck disable=SC2086
	sweep 3 $few "$target"
	one_error 403
) || exit 1
home=$(find "$WINEPREFIX/drive_c/users" -mindepth 1 -maxdepth 1 -type d ! -name Public | head -n 1)
[ -n "$home" ] || fail "wine has no directory of a user"
(
	mkdir -p "$home/.aws"
	printf '[default]\naws_access_key_id=%s\naws_secret_access_key=%s\n' \
		"$AWS_ACCESS_KEY_ID" "$AWS_SECRET_ACCESS_KEY" >"$home/.aws/credentials"
	unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SHARED_CREDENTIALS_FILE
	# shellcheck disable=SC2086
	sweep 0 $few -n 16 "$target"
	rm -r "$home/.aws"
	# shellcheck disable=SC2086
	sweep 3 $few "$target"
	one_error 'users/.*/[.]aws/credentials'
) || exit 1

# a server that goes away: what was measured stands, and no more than seconds are waited
begin_gone() {
	iosweep --endpoint "$endpoint" --format csv --quiet --sizes 4Ki --time 60s --depth 4 --request-timeout 2s \
		--retries 0 "$target" >"$work/out" 2>"$work/err" </dev/null &
	gone=$!
}
has_begun() {
	! kill -0 "$gone" 2>/dev/null || s3 list '' | grep -q MANIFEST-1
}
begin_gone
soon "a run has begun" has_begun
s3_kill
wait "$gone"
status=$?
[ $status = 1 ] || [ $status = 3 ] || fail "status $status after the server was gone: $(head -n 5 "$work/err")"
# shellcheck disable=SC2086
sweep 3 $few "$target"
one_error 'connection refused'
