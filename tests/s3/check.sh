#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - `make check-s3`: the scenarios of this directory against each real server that is
# installed (versitygw, minio; others by $S3_SERVERS), all servers at a time.  What only the client
# decides (payload, secrets ...) is tried with the first of them.  A line for each, "PASS SERVER/SCENARIO"
# or FAIL or SKIP with the reason, one for each part of a scenario (SERVER/SCENARIO/PART) that cannot be
# tried here, and at last the sum.  A scenario has 1200 s, for busy machines.  $S3_TESTS chooses
# scenarios, for all servers; $S3_DIR is where logs are kept.
set -u
: "${IOSWEEP:?run it with make check-s3}" "${top_srcdir:?}"
export IOSWEEP top_srcdir builddir="${builddir:-.}"
directory=${S3_DIR:-$PWD/tests/s3-check}
mkdir -p "$directory" && cd "$directory" || exit 1
trap 'exit 130' INT
trap 'exit 143' TERM

# shellcheck source=tests/s3/server.sh
. "$top_srcdir/tests/s3/server.sh"

each="sweep runs kept alive clients errors probe seeds seeds-runs http2 examples libs3 live"
first="secrets slow payload study"

# scenarios SERVER NAME...: a line each
scenarios() {
	server=$1
	shift
	for scenario; do
		[ -e "$top_srcdir/tests/s3/$scenario.sh" ] || continue
		log=$directory/$server-$scenario.log
		S3_SERVER=$server TEST_BOUNDED=1 timeout -k 10 1200 sh "$top_srcdir/tests/s3/$scenario.sh" >"$log" 2>&1
		case $? in
		0) echo "PASS $server/$scenario" ;;
		77) echo "SKIP $server/$scenario: $(sed -n 's/^SKIP: //p' "$log" | tail -n 1)" ;;
		124)
			echo "FAIL $server/$scenario: not finished after 1200 s"
			tail -n 40 "$log" >&2
			;;
		*)
			echo "FAIL $server/$scenario: $(sed -n 's/^FAIL: //p' "$log" | tail -n 1)"
			tail -n 40 "$log" >&2
			;;
		esac
		sed -n "s,^not tried: \\([^: ]*\\): ,SKIP $server/$scenario/\\1: ,p" "$log"
	done
}

: >"$directory/said"
for server in ${S3_SERVERS:-versitygw minio}; do
	if ! server_find "$server"; then
		echo "SKIP $server: it is not installed" | tee -a "$directory/said"
		continue
	fi
	# shellcheck disable=SC2086 # lists of words
	scenarios "$server" ${S3_TESTS:-$each $first} | tee -a "$directory/said" &
	first=
done
wait
passed=$(grep -c '^PASS ' "$directory/said")
failed=$(grep -c '^FAIL ' "$directory/said")
skipped=$(grep -c '^SKIP ' "$directory/said")
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] || exit 1
[ "$passed" -gt 0 ] || exit 77
