# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2119,SC2120,SC2154
# server.sh - real S3 servers for tests and benchmarks; it is sourced, not run.
#     server_find [NAME]             $server_kind: NAME (or the first of them that is installed); 1
#                                    without one
#     server_start DIR [plain|tls] [ARGUMENT]...  starts it with its data, log and
#                                    certificate in DIR; sets $server_pid, $server_port,
#                                    $server_endpoint, $server_access, $server_secret, $server_ca
#     server_stop PID                ends one, and waits until it is gone
#     server_certificates DIR [SAN]  a test CA and a certificate for 127.0.0.1 or other names
# Versitygw on a plain directory is the strictest of the small servers; MinIO is the most common
# outside the clouds; moto checks no signature, so it only proves that requests are understood. The
# kernel chooses ports, and another one is tried if it was taken meanwhile. Secrets are random.
# Servers are killed with the shell that started them (if setpriv is installed).

# shellcheck source=tests/servers.sh
. "${top_srcdir:?}/tests/servers.sh"

server_domain=s3.test.local
server_region=us-east-1
server_here=${top_srcdir:?}/tests/s3

server_random() {
	od -An -N16 -tx1 /dev/urandom | tr -d ' \n'
}

server_find() {
	for server_kind in ${1:-versitygw minio}; do
		case $server_kind in
		moto) command -v moto_server >/dev/null && return 0 ;;
		*) command -v "$server_kind" >/dev/null && return 0 ;;
		esac
	done
	server_kind=${1:-versitygw}
	return 1
}

# server_certificates DIR [NAMES]: DIR/ca.crt, DIR/public.crt and DIR/private.key
server_certificates() {
	server_names=${2:-IP:127.0.0.1,IP:::1,DNS:localhost,DNS:$server_domain,DNS:*.$server_domain}
	mkdir -p "$1" &&
		openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \
			-subj "/CN=test CA" -addext 'keyUsage=critical,keyCertSign' \
			-keyout "$1/ca.key" -out "$1/ca.crt" &&
		openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=server \
			-keyout "$1/private.key" -out "$1/server.csr" &&
		printf 'subjectAltName=%s\nbasicConstraints=CA:FALSE\n' "$server_names" >"$1/extensions" &&
		openssl x509 -req -in "$1/server.csr" -CA "$1/ca.crt" -CAkey "$1/ca.key" -CAcreateserial \
			-days 2 -extfile "$1/extensions" -out "$1/public.crt"
} >/dev/null 2>&1

# server_run DIR SCHEME PORT ARGUMENT...: replaces itself by the server
server_run() {
	server_dir=$1 server_scheme=$2 server_number=$3
	shift 3
	unset http_proxy https_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY
	HOME=$server_dir
	export HOME
	case $server_kind in
	versitygw)
		ROOT_ACCESS_KEY=$server_access ROOT_SECRET_KEY=$server_secret
		export ROOT_ACCESS_KEY ROOT_SECRET_KEY
		[ "$server_scheme" = http ] || set -- "$@" --cert "$server_dir/certs/public.crt" \
			--key "$server_dir/certs/private.key"
		server_exec versitygw --quiet --keep-alive --region "$server_region" \
			--port "127.0.0.1:$server_number" --virtual-domain "$server_domain:$server_number" \
			"$@" posix "$server_dir/data"
		;;
	minio)
		MINIO_ROOT_USER=$server_access MINIO_ROOT_PASSWORD=$server_secret MINIO_UPDATE=off
		MINIO_DOMAIN=$server_domain MINIO_BROWSER=off MINIO_REGION=$server_region
		export MINIO_ROOT_USER MINIO_ROOT_PASSWORD MINIO_UPDATE MINIO_DOMAIN MINIO_BROWSER MINIO_REGION
		mkdir -p "$server_dir/none"
		[ "$server_scheme" = http ] && server_certs=none || server_certs=certs
		server_exec minio server --quiet --certs-dir "$server_dir/$server_certs" \
			--address "127.0.0.1:$server_number" "$@" "$server_dir/data"
		;;
	moto)
		[ "$server_scheme" = http ] || set -- "$@" -c "$server_dir/certs/public.crt" \
			-k "$server_dir/certs/private.key"
		server_exec moto_server -H 127.0.0.1 -p "$server_number" "$@"
		;;
	esac
}

server_start() {
	server_dir=$1 server_scheme=http
	[ "${2:-plain}" = plain ] || server_scheme=https
	shift "$(($# < 2 ? 1 : 2))"
	mkdir -p "$server_dir/data" || return 1
	server_ca=
	if [ "$server_scheme" = https ]; then
		server_ca=$server_dir/certs/ca.crt
		[ -e "$server_ca" ] || server_certificates "$server_dir/certs" || return 1
	fi
	server_access=test$(server_random | cut -c 1-16)
	server_secret=$(server_random)
	for _ in 1 2 3 4 5; do
		server_port=$(python3 "$server_here/client.py" port) || return 1
		server_endpoint=$server_scheme://127.0.0.1:$server_port
		(server_run "$server_dir" "$server_scheme" "$server_port" "$@") >"$server_dir/log" 2>&1 \
			</dev/null &
		server_pid=$!
		python3 "$server_here/client.py" ready "$server_endpoint" "$server_pid" && return 0
		server_stop "$server_pid"
	done
	cat "$server_dir/log" >&2
	return 1
}

server_stop() {
	kill "$1" 2>/dev/null
	# a server that ignores this is killed; waits for the port to be free again
	(
		server_turn=0
		while kill -0 "$1" 2>/dev/null && [ "$server_turn" -lt 50 ]; do
			sleep 0.1
			server_turn=$((server_turn + 1))
		done
		kill -9 "$1" 2>/dev/null
	) &
	server_watch=$!
	wait "$1" 2>/dev/null
	kill "$server_watch" 2>/dev/null
	wait "$server_watch" 2>/dev/null
	return 0
}
