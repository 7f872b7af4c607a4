#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Other clients (the tests' own, and aws, s3cmd and rclone if installed) list and read what iosweep
# kept, and all of them get the same bytes, which iosweep verifies; and iosweep reads what they
# wrote without changing it.
# shellcheck disable=SC2015,SC2022,SC2030,SC2031,SC2119
# shellcheck source=tests/s3/lib.sh
. "${top_srcdir:?}/tests/s3/lib.sh"

s3_start
sweep 0 --quiet -n 20 --sizes 1,4Ki,100000 --objects 5 --tests write,read --verify --keep \
	--run-name kept "s3://$bucket/some where"
base="some where/iosweep-kept"
s3 list "$base/" >"$work/list"
[ "$(grep -c " $base/4096/" "$work/list")" -eq 5 ] || fail "not 5 objects of 4096 bytes"
[ "$(awk '$1 == 100000' "$work/list" | wc -l)" -eq 5 ] || fail "not 5 objects of 100000 bytes"
holds 16 "$base/" # 15 and a manifest
s3 sums "$base/" >"$work/sums"
[ "$(grep ' .*/100000/' "$work/sums" | cut -d' ' -f1 | sort -u | wc -l)" -eq 5 ] ||
	fail "objects are equal to each other"
say "the tests' own client"

# --- the other clients: each downloads to $work/CLIENT/
compare() { # CLIENT DIRECTORY with the keys below base
	(cd "$2" && find . -type f | LC_ALL=C sort | while read -r file; do
		sum=$(sha256sum "$file")
		echo "${sum%% *} $base/${file#./}"
	done) >"$work/sums-$1"
	cmp -s "$work/sums" "$work/sums-$1" || {
		diff "$work/sums" "$work/sums-$1" >&2
		fail "$1 reads other bytes"
	}
	say "$1"
}
clients=
mkdir "$work/theirs"
for number in 1 2 3; do
	head -c 300000 /dev/urandom >"$work/theirs/file $number+é"
done

for client in aws s3cmd rclone; do
	{ command -v $client && $client --version; } >/dev/null 2>&1 ||
		not_tried $client "it is not installed, or does not start"
done
if command -v aws >/dev/null && aws --version >/dev/null 2>&1; then
	clients="$clients aws"
	aws_cli() { aws --endpoint-url "$endpoint" --no-cli-pager "$@" >"$work/aws-log" 2>&1; }
	aws --version 2>&1 | grep -q '^aws-cli/2' || aws_cli() {
		aws --endpoint-url "$endpoint" "$@" >"$work/aws-log" 2>&1
	}
	aws_cli s3 cp --recursive "s3://$bucket/$base/" "$work/aws/" || fail "aws: $(tail -3 "$work/aws-log")"
	compare aws "$work/aws"
	aws_cli s3 cp --recursive "$work/theirs" "s3://$bucket/by-aws" ||
		fail "aws: $(tail -3 "$work/aws-log")"
fi
if command -v s3cmd >/dev/null; then
	clients="$clients s3cmd"
	cat >"$work/s3cfg" <<END
[default]
access_key = $AWS_ACCESS_KEY_ID
secret_key = $AWS_SECRET_ACCESS_KEY
host_base = 127.0.0.1:$server_port
host_bucket = 127.0.0.1:$server_port/%(bucket)
use_https = False
signature_v2 = False
END
	mkdir "$work/s3cmd"
	s3cmd -q -c "$work/s3cfg" get --recursive "s3://$bucket/$base/" "$work/s3cmd/" >"$work/s3cmd-log" 2>&1 ||
		fail "s3cmd: $(tail -3 "$work/s3cmd-log")"
	compare s3cmd "$work/s3cmd"
	s3cmd -q -c "$work/s3cfg" put --recursive "$work/theirs/" "s3://$bucket/by-s3cmd/" \
		>"$work/s3cmd-log" 2>&1 || fail "s3cmd: $(tail -3 "$work/s3cmd-log")"
fi
if command -v rclone >/dev/null; then
	clients="$clients rclone"
	rclone_s3() {
		RCLONE_CONFIG=$work/rclone.conf rclone -q --s3-provider Other --s3-env-auth \
			--s3-endpoint "$endpoint" --s3-force-path-style --s3-no-check-bucket "$@" >"$work/rclone-log" 2>&1
	}
	: >"$work/rclone.conf"
	rclone_s3 copy ":s3:$bucket/$base" "$work/rclone" || fail "rclone: $(tail -3 "$work/rclone-log")"
	compare rclone "$work/rclone"
	rclone_s3 copy "$work/theirs" ":s3:$bucket/by-rclone" ||
		fail "rclone: $(tail -3 "$work/rclone-log")"
fi

# --- iosweep verifies its own objects, by name alone
sweep 0 --quiet -n 20 --sizes 1,4Ki,100000 --tests read -r --verify --run-name kept \
	"s3://$bucket/some where"
[ "$(sum errors_wrong)" -eq 0 ] || fail "wrong data"
s3 sums "$base/" | cmp -s - "$work/sums" || fail "reading has changed objects"
say "read again by iosweep"

# --- and reads what they wrote
clients="$clients tests"
for file in "$work/theirs"/*; do
	s3 put "by-tests/$(basename "$file")" "$file"
done
for client in $clients; do
	s3 sums "by-$client/" >"$work/before"
	[ "$(wc -l <"$work/before")" -eq 3 ] || fail "$client did not write 3 objects"
	(cd "$work/theirs" && sha256sum ./*) | cut -c1-64 | sort >"$work/want"
	cut -c1-64 "$work/before" | sort | cmp -s - "$work/want" || fail "$client wrote something else"
	sweep 0 --quiet -n 20 --sizes 512,300000 --tests read -r "s3://$bucket/by-$client"
	check_rows '512 300000' read 20
	s3 sums "by-$client/" | cmp -s - "$work/before" || fail "objects of $client have changed"
	say "iosweep reads what $client wrote"
done

run 0 clean --endpoint "$endpoint" --run-name kept "s3://$bucket/some where"
holds 0 "some where/"
for client in $clients; do
	holds 3 "by-$client/"
done
