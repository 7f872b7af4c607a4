# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# shellcheck shell=sh
# shellcheck disable=SC2034
# servers.sh - how tests and benchmarks run servers of their own; it is sourced, by the server.sh of each
# kind.
#     server_exec COMMAND...   becomes it; it does not outlive the test, even one that is killed (where
#                              setpriv is installed)
#     servers_port             a port that is free
#     servers_begin LOG COMMAND...  in the background; $servers_pid
#     servers_end PID...       kills them, and waits until they are gone

server_exec() {
	if setpriv --pdeathsig KILL true 2>/dev/null; then
		exec setpriv --pdeathsig KILL "$@"
	fi
	exec "$@"
}

servers_port() {
	python3 "${top_srcdir:?}/tests/s3/client.py" port
}

# servers_begin LOG COMMAND...: COMMAND may be a function
servers_begin() {
	servers_log=$1
	shift
	("$@") >>"$servers_log" 2>&1 </dev/null &
	servers_pid=$!
}

servers_end() {
	for servers_pid; do
		kill -KILL "$servers_pid" 2>/dev/null
		wait "$servers_pid" 2>/dev/null
	done
}
