# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2119,SC2120,SC2154
# lib.sh - what the tests against real S3 servers share, on top of tests/cli/lib.sh; sourced after a
# test's head comment:
#     . "${top_srcdir:?}/tests/s3/lib.sh"
# The server is $S3_SERVER (versitygw, minio or moto), or the first of them that is installed; without
# one, without python3, or with a program that knows no s3, the test is skipped.  Gives
#     s3_start [plain|tls] [ARGUMENT]...  a server with the bucket $bucket, its key in the environment;
#                              $endpoint, $server_pid
#     s3_stop, s3_kill         ends it, at once
#     s3 COMMAND...            a client that shares nothing with iosweep (client.py)
#     relay ARGUMENT...        something between client and server (relay.py); $relay, its endpoint
#     requests METHOD REGEX    how many the last relay has answered
#     come NUMBER REGEX        whether so many have come to it
#     sweep STATUS ARGS...     iosweep at $endpoint, output in $work/out and $work/err
#     field COLUMN [LINE]      of $work/out, of its first row or another
#     rows                     their number in $work/out
#     say TEXT...              what has been passed, for the log
#     not_tried PART REASON    a part that cannot be tested here: check.sh counts it as skipped
#     errors_are_one_line      on standard error: one line, which begins with the program's name

# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

need python3 od
iosweep --list-engines | grep -q '^s3 ' || skip "built without targets s3://"
# shellcheck source=tests/s3/server.sh
. "$top_srcdir/tests/s3/server.sh"
if ! server_find "${S3_SERVER:-}"; then
	skip "no S3 server is installed: ${S3_SERVER:-versitygw or minio} is needed"
fi
case $server_kind in
moto) strict= ;;
*) strict=yes ;;
esac

# Nothing of whoever runs this, least of all credentials and proxies.
unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_PROFILE AWS_DEFAULT_PROFILE
unset AWS_REGION AWS_DEFAULT_REGION AWS_ENDPOINT_URL AWS_ENDPOINT_URL_S3 AWS_CA_BUNDLE
unset http_proxy https_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY
unset CURL_CA_BUNDLE REQUESTS_CA_BUNDLE S3_CA
AWS_SHARED_CREDENTIALS_FILE=$work/no-credentials
AWS_CONFIG_FILE=$work/no-config
AWS_EC2_METADATA_DISABLED=true
HOME=$work
export AWS_SHARED_CREDENTIALS_FILE AWS_CONFIG_FILE AWS_EC2_METADATA_DISABLED HOME

bucket=iosweep-test
server_pid=
server_count=0

say() {
	echo "ok: $*"
}

not_tried() {
	echo "not tried: $1: $2"
}

s3() {
	python3 "$top_srcdir/tests/s3/client.py" "$@"
}

s3_start() {
	server_count=$((server_count + 1))
	[ "${1:-plain}" = plain ] || need openssl
	server_start "$work/server-$server_count" "$@" || fail "$server_kind does not start"
	on_exit "is_child $server_pid && server_stop $server_pid"
	endpoint=$server_endpoint
	AWS_ACCESS_KEY_ID=$server_access
	AWS_SECRET_ACCESS_KEY=$server_secret
	AWS_REGION=$server_region
	AWS_DEFAULT_REGION=$server_region
	S3_ENDPOINT=$endpoint
	S3_BUCKET=$bucket
	S3_CA=$server_ca
	export AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_REGION AWS_DEFAULT_REGION
	export S3_ENDPOINT S3_BUCKET S3_CA
	s3 make-bucket || fail "cannot make a bucket"
}

s3_stop() {
	server_stop "$server_pid"
}
s3_kill() {
	kill -KILL "$server_pid"
	wait "$server_pid"
}

relay_count=0
relay() {
	relay_count=$((relay_count + 1))
	relay_dir=$work/relay-$relay_count
	mkdir "$relay_dir"
	relay_log=$relay_dir/requests
	(server_exec python3 "$top_srcdir/tests/s3/relay.py" --to "127.0.0.1:$server_port" \
		--port-file "$relay_dir/port" --log "$relay_log" "$@") >"$relay_dir/log" 2>&1 </dev/null &
	relay_pid=$!
	on_exit "is_child $relay_pid && server_stop $relay_pid"
	soon "the relay does not start: $relay_dir/log" test -s "$relay_dir/port"
	relay_port=$(cat "$relay_dir/port")
	relay=http://127.0.0.1:$relay_port
}
# requests METHOD REGEX: how many of them the last relay has seen
requests() {
	awk -v method="$1" -v regex="$2" '(method == "*" || $1 == method) && $2 ~ regex { n++ }
		END { print n + 0 }' "$relay_log"
}

# come NUMBER REGEX: so many that fit have come to it, answered or not
come() {
	[ "$(grep -c -e "$2" "$relay_log.come")" -ge "$1" ]
}

sweep() {
	sweep_status=$1
	shift
	run "$sweep_status" --endpoint "$endpoint" --format csv "$@"
}

field() {
	awk -F, -v name="$1" -v line="${2:-1}" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i; next }
		NR == line + 1 { if (column) print $column; else print "no column " name }' "$work/out"
}
rows() {
	awk 'END { print NR - 1 }' "$work/out"
}
# check_rows SIZES TESTS [OPERATIONS]
check_rows() {
	awk -v sizes="$1" -v tests="$2" -v ops="${3:-}" -f "$top_srcdir/tests/cli/check-rows.awk" \
		<"$work/out" >&2 || fail "rows are not as they should be"
}
# sum COLUMN: over all rows
sum() {
	awk -F, -v name="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i; next }
		{ total += $column } END { printf "%.0f\n", total }' "$work/out"
}
errors_are_one_line() {
	one_line "$work/err"
	grep -q '^iosweep: ' "$work/err" || fail "not said by iosweep"
}
# told REGEX: on standard error
told() {
	grep -Eiq -e "$1" "$work/err" || fail "standard error does not tell '$1'"
}
# bucket_holds NUMBER [PREFIX]: objects
bucket_holds() {
	holds=$(s3 list "${2:-}" | wc -l)
	[ "$holds" -eq "$1" ] || {
		s3 list "${2:-}" | head -20 >&2
		fail "$holds objects below '${2:-}', not $1"
	}
}
# kept NAME DIRECTORY: the sizes and names of the objects of a run in one of its directories
kept() {
	s3 list "iosweep-$1/$2/"
}
# numbered NAME DIRECTORY COUNT BYTES: so many objects of that size, numbered from 0 on without a gap
numbered() {
	kept "$1" "$2" >"$work/kept"
	awk -v prefix="iosweep-$1/$2/" -v bytes="$4" '
		$1 != bytes || $2 != sprintf("%s%06d", prefix, NR - 1) { print "not object " NR - 1 ": " $0; bad = 1 }
		END { exit bad }' "$work/kept" >&2 || fail "objects of other names or lengths"
	[ "$(wc -l <"$work/kept")" -eq "$3" ] || fail "$(wc -l <"$work/kept") objects, not $3"
}
# clean NAME [LEFT]: removes a run; so many other objects stay in its directory
clean() {
	run 0 clean --endpoint "$endpoint" --run-name "$1" "s3://$bucket"
	bucket_holds "${2:-0}" "iosweep-$1/"
}
