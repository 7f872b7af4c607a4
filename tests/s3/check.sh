#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# check.sh - `make check-s3`: the scenarios of this directory on each real server that is installed
# (versitygw, minio; others by $S3_SERVERS), all servers concurrently. What depends on the client
# only (number of requests, payload, secrets ...) is tested with the first of them. Prints a line
# for each, "PASS SERVER/SCENARIO" or FAIL or SKIP with the reason, one for each part of a scenario
# (SERVER/SCENARIO/PART) that is impossible here, and finally the totals. The limit of a scenario is
# 1200 s, for busy machines. $S3_TESTS selects scenarios, for all servers; $S3_DIR is the directory
# of logs.
set -u
: "${IOSWEEP:?run it with make check-s3}" "${top_srcdir:?}"
export IOSWEEP top_srcdir builddir="${builddir:-.}"
directory=${S3_DIR:-$PWD/tests/s3-check}
mkdir -p "$directory" && cd "$directory" || exit 1
trap 'exit 130' INT
trap 'exit 143' TERM

# shellcheck source=tests/s3/server.sh
. "$top_srcdir/tests/s3/server.sh"
# shellcheck source=tests/scenarios.sh
. "$top_srcdir/tests/scenarios.sh"

each="sweep runs kept alive clients errors objects examples libs3"
first="seeds seeds-runs secrets slow payload study"

: >"$directory/said"
for server in ${S3_SERVERS:-versitygw minio}; do
	if ! server_find "$server"; then
		echo "SKIP $server: it is not installed" | tee -a "$directory/said"
		continue
	fi
	# shellcheck disable=SC2086 # lists of words
	(export S3_SERVER="$server" && scenarios "$server" s3 ${S3_TESTS:-$each $first}) |
		tee -a "$directory/said" &
	first=
done
wait
scenarios_sum "$directory/said"
