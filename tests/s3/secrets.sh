#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Secrets do not leak: they are in nothing that iosweep prints or writes, however verbose and
# whatever fails, not among the arguments of its process, and there is no core dump.
# shellcheck disable=SC2015,SC2022,SC2030,SC2031,SC2119
# shellcheck source=tests/s3/lib.sh
. "${top_srcdir:?}/tests/s3/lib.sh"

s3_start
token=TOKEN$(server_random)TOKEN
secret=$AWS_SECRET_ACCESS_KEY
mkdir "$work/seen"
number=0

# nothing_told: no file of this run contains the secret, the token, or anything derived from them
nothing_told() {
	number=$((number + 1))
	for file in out err json series; do
		[ ! -e "$work/$file" ] || mv "$work/$file" "$work/seen/$number-$file"
	done
	if grep -rlF -e "$1" -e "$token" "$work/seen" >&2; then
		fail "run $number tells a secret"
	fi
	if grep -rlEi 'Signature=[0-9a-f]{20}|X-Amz-Signature|^authorization:' "$work/seen" >&2; then
		fail "run $number tells a signature"
	fi
}

sweep 0 --verbose -n 8 --sizes 4Ki --series "$work/series" \
	--tests write,read,append,list,delete --delete-batch 10 "s3://$bucket"
[ -s "$work/series" ] || fail "no records by time"
nothing_told "$secret"
for format in json table csv; do
	run 0 --endpoint "$endpoint" --verbose -n 8 --sizes 4Ki --format $format "s3://$bucket"
	[ -s "$work/out" ] || fail "no output"
	mv "$work/out" "$work/json"
	nothing_told "$secret"
done
run 0 --endpoint "$endpoint" --verbose --dry-run "s3://$bucket"
nothing_told "$secret"
say "results"

# an unknown word, and one that is not even a valid header
AWS_SECRET_ACCESS_KEY=wrong$(server_random)
sweep "$([ -n "$strict" ] && echo 3 || echo 0)" --verbose -n 8 --sizes 4Ki "s3://$bucket"
nothing_told "$AWS_SECRET_ACCESS_KEY"
AWS_SECRET_ACCESS_KEY="$secret
X-Injected: yes"
sweep 3 --verbose -n 8 --sizes 4Ki "s3://$bucket"
nothing_told "$secret"
AWS_SECRET_ACCESS_KEY=$secret
if [ -n "$strict" ]; then
	AWS_SESSION_TOKEN=$token
	export AWS_SESSION_TOKEN
	"$IOSWEEP" --endpoint "$endpoint" --verbose -n 8 --sizes 4Ki "s3://$bucket" >"$work/out" \
		2>"$work/err"
	nothing_told "$secret"
	unset AWS_SESSION_TOKEN
fi
run 2 --endpoint "http://user:$secret@127.0.0.1:$server_port" "s3://$bucket"
nothing_told "$secret"
server_unused=$(s3 port)
run 3 --endpoint "http://127.0.0.1:$server_unused" --verbose "s3://$bucket"
nothing_told "$secret"
say "errors"

# --- files: a broken one is named, not shown
cat >"$work/credentials" <<END
[default]
aws_access_key_id = $AWS_ACCESS_KEY_ID
aws_secret_access_key = $secret
[half]
aws_secret_access_key = $secret
[broken
aws_secret_access_key = $secret
END
(
	unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
	AWS_SHARED_CREDENTIALS_FILE=$work/credentials
	sweep 3 --verbose -n 8 --sizes 4Ki --profile half "s3://$bucket"
) || exit
nothing_told "$secret"
say "credential files"

# --- while it runs
something() { [ "$(s3 list | wc -l)" -gt 0 ]; }
if [ -r /proc/self/cmdline ]; then
	# shellcheck disable=SC3045 # where ulimit knows no cores there is nothing to forbid
	ulimit -c "$(ulimit -H -c)" 2>/dev/null
	"$IOSWEEP" --endpoint "$endpoint" --quiet --time 300 --sizes 4Ki --tests read "s3://$bucket" >"$work/out" \
		2>"$work/err" &
	pid=$!
	on_exit "end_child $pid"
	soon "the run does not begin" something
	tr '\0' '\n' <"/proc/$pid/cmdline" >"$work/seen/cmdline"
	grep '^Max core file size' "/proc/$pid/limits" >"$work/limits" || fail "ended before it was looked at"
	kill -TERM "$pid"
	wait "$pid"
	[ $? -eq 143 ] || fail "not ended by the signal"
	grep -q endpoint "$work/seen/cmdline" || fail "not the arguments of the program"
	nothing_told "$secret"
	read -r _ _ _ _ soft _ <"$work/limits"
	[ "$soft" = 0 ] || fail "core dumps of $soft bytes"
	say "process"
fi
