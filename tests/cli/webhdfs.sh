#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Rows, sums and forecasts of WebHDFS requests agree with the service's own count
# (tests/cli/webhdfs_server.py): calls of two requests, and retries because a cookie was refused. A
# service that always refuses is not retried for ever.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all
need python3 curl

python3 "$top_srcdir/tests/cli/webhdfs_server.py" >"$work/port" &
server=$!
on_exit "end_child $server"
soon 'no server' test -s "$work/port"
port=$(cat "$work/port")
target=webhdfs://127.0.0.1:$port/test
unset WEBHDFS_TOKEN WEBHDFS_PASSWORD
HADOOP_USER_NAME=somebody # the build's user may have no name
KRB5CCNAME=FILE:$work/none
export HADOOP_USER_NAME KRB5CCNAME

control() { curl -s --noproxy '*' "http://127.0.0.1:$port/control?${1:-}"; }
# asked WORD: its count in the last output of `control` in $work/asked
asked() { sed -n "s/^$1=//p" "$work/asked" | grep . || echo 0; }
sweep() {
	sweep_wanted=$1
	shift
	control >/dev/null
	run "$sweep_wanted" --format csv --columns operations,requests,retries,errors --sizes 1Ki --objects 4 --loops 1 "$@" "$target"
	control >"$work/asked"
}

iosweep --dry-run --sizes 1Ki -n 1 "$target" >"$work/out" 2>"$work/err" ||
	{ grep -q 'WebHDFS' "$work/err" && skip 'built without WebHDFS'; }

# --- a forecast in requests, not in calls

sweep 0 --dry-run -n 20 --tests write --retries 0
expect_reported 'rows: 40 requests, '
sweep 0 -n 20 --tests write --retries 0
[ "$(column operations requests errors)" = 20:40:0 ] || fail "writes: $(column operations requests errors)"
sweep 0 --dry-run -n 20 --tests read --retries 0
expect_reported '8 requests to fill, 4 KiB; rows: 40 requests, '
sweep 0 -n 20 --tests read --retries 0
[ "$(column operations requests errors)" = 20:40:0 ] || fail "reads: $(column operations requests errors)"
[ "$(asked OPEN)" -ge 40 ] || fail "the service counted $(asked OPEN) requests for 20 reads"
sweep 3 -n 20 --tests read --max-requests 7
expect_reported '8 requests are needed'

# --- refused cookies: one retry, which is counted

iosweep --dry-run --sizes 1Ki -n 1 --webhdfs.negotiate "$target" >"$work/out" 2>"$work/err" ||
	{ expect_reported 'no Kerberos support' && skip "libcurl has no GSS-API"; }
for operation in GETFILESTATUS:stat:1 OPEN:read:2 CREATE:write:2; do
	verb=${operation%%:*} test=${operation#*:}
	each=${test#*:} test=${test%:*}
	control "refuse=$verb&always=" >/dev/null
	sweep 0 -n 20 --tests "$test" --retries 0 --webhdfs.negotiate
	refused=$(value retries)
	{ [ "$refused" -gt 0 ] && [ "$(column operations requests errors)" = "20:$((20 * each + refused)):0" ]; } ||
		fail "$verb: $(column operations requests retries errors), $(cat "$work/asked")"
	[ "$(asked refused)" -ge "$refused" ] || fail "$verb: refused $(asked refused), repeated $refused"
done

# --- a service that refuses everything, with a new cookie each time

control 'refuse=GETFILESTATUS&always=1' >/dev/null
sweep 1 -n 20 --tests stat --retries 0 --webhdfs.negotiate
requests=$(value requests)
{ [ "$(asked refused)" -le 60 ] && [ "$requests" -le 40 ] && [ "$(value errors)" = 20 ]; } ||
	fail "for ever: $(column operations requests retries errors), $(cat "$work/asked")"
[ $((requests - $(value retries))) = 20 ] || fail "not one each and one again: $(column requests retries)"
sweep 1 --time 1s --max-requests 60 --tests stat --retries 0 --webhdfs.negotiate
{ [ "$(value requests)" -le 60 ] && [ "$(asked refused)" -le 61 ]; } ||
	fail "--max-requests: $(column requests retries errors), $(cat "$work/asked")"
control 'refuse=&always=' >/dev/null
