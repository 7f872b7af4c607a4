# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2119,SC2120,SC2154
# lib.sh - shared by the tests on real S3 servers, on top of tests/cli/lib.sh and objects.sh;
# sourced after a test's head comment:
#     . "${top_srcdir:?}/tests/s3/lib.sh"
# The server is $S3_SERVER (versitygw, minio or moto), or the first of them that is installed;
# without one, without python3, or with a program without s3, the test is skipped.  Provides
#     s3_start [plain|tls] [ARGUMENT]...  a server with the bucket $bucket, its key in the
#                              environment; $endpoint, $server_pid
#     s3_stop, s3_kill         ends it, immediately
#     s3 COMMAND...            a client independent of iosweep (client.py)
#     relay ARGUMENT...        a relay between client and server (relay.py); $relay, its endpoint
#     relayed ARGUMENT...      the same, and requests go there from now on
#     requests METHOD REGEX    the number answered by the last relay
#     come NUMBER REGEX        whether this many have arrived there

# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all
# shellcheck source=tests/objects.sh
. "$top_srcdir/tests/objects.sh"

need python3 od
iosweep help engines | grep -q '^s3 ' || skip "built without targets s3://"
# shellcheck source=tests/s3/server.sh
. "$top_srcdir/tests/s3/server.sh"
if ! server_find "${S3_SERVER:-}"; then
	skip "no S3 server is installed: ${S3_SERVER:-versitygw or minio} is needed"
fi
case $server_kind in
moto) strict= ;;
*) strict=yes ;;
esac

# Clears the user's settings, in particular credentials and proxies.
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
target=s3://$bucket
server_pid=
server_count=0

s3() {
	python3 "$top_srcdir/tests/s3/client.py" "$@"
}

# nginx_start URL: starts nginx, with the rest of its part http on standard input, and waits until
# it answers at URL; 1: it does not start, see $work/nginx/log and said. Its process is $nginx_pid,
# the certificates are in $work/certs.
nginx_start() {
	mkdir -p "$work/nginx"
	{
		cat <<-END
			$([ "$(id -u)" -ne 0 ] || echo "user root $(id -gn);")
			daemon off;
			worker_processes 1;
			pid $work/nginx/pid;
			events { }
			http {
			access_log off;
			client_body_temp_path $work/nginx/body;
			proxy_temp_path $work/nginx/proxy;
			fastcgi_temp_path $work/nginx/fastcgi;
			uwsgi_temp_path $work/nginx/uwsgi;
			scgi_temp_path $work/nginx/scgi;
			ssl_certificate $work/certs/public.crt;
			ssl_certificate_key $work/certs/private.key;
		END
		cat
		echo '}'
	} >"$work/nginx/conf"
	(server_exec nginx -e "$work/nginx/log" -c "$work/nginx/conf") >"$work/nginx/said" 2>&1 </dev/null &
	nginx_pid=$!
	on_exit "is_child $nginx_pid && server_stop $nginx_pid"
	s3 ready "$1" "$nginx_pid"
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
relayed() {
	relay "$@"
	endpoint=$relay
}
# requests METHOD REGEX: the number seen by the last relay
requests() {
	awk -v method="$1" -v regex="$2" '(method == "*" || $1 == method) && $2 ~ regex { n++ }
		END { print n + 0 }' "$relay_log"
}

# come NUMBER REGEX: whether this many matching requests have arrived there, answered or not
come() {
	[ "$(grep -c -e "$2" "$relay_log.come")" -ge "$1" ]
}

stored() {
	s3 "$@"
}
