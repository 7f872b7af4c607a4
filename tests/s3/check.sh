#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - `make check-s3`: the scenarios of this directory against each real server that is
# installed (versitygw, minio; others by $S3_SERVERS).  A line for each, "PASS SERVER/SCENARIO" or
# FAIL or SKIP with the reason, one for each part of a scenario (SERVER/SCENARIO/PART) that cannot be
# tried here, and at last the sum.  A scenario has 400 s, for busy machines.  $S3_TESTS chooses
# scenarios; $S3_DIR is where logs are kept.
set -u
: "${IOSWEEP:?run it with make check-s3}" "${top_srcdir:?}"
export IOSWEEP top_srcdir builddir="${builddir:-.}"
directory=${S3_DIR:-$PWD/tests/s3-check}
mkdir -p "$directory" && cd "$directory" || exit 1
trap 'exit 130' INT
trap 'exit 143' TERM

passed=0 failed=0 skipped=0
# shellcheck source=tests/s3/server.sh
. "$top_srcdir/tests/s3/server.sh"
for server in ${S3_SERVERS:-versitygw minio}; do
	if ! server_find "$server"; then
		echo "SKIP $server: it is not installed"
		skipped=$((skipped + 1))
		continue
	fi
	for scenario in ${S3_TESTS:-sweep runs kept alive clients errors secrets slow payload seeds study http2 examples libs3 live}; do
		[ -e "$top_srcdir/tests/s3/$scenario.sh" ] || continue
		log=$directory/$server-$scenario.log
		S3_SERVER=$server TEST_BOUNDED=1 timeout -k 10 400 sh "$top_srcdir/tests/s3/$scenario.sh" >"$log" 2>&1
		case $? in
		0)
			passed=$((passed + 1))
			echo "PASS $server/$scenario"
			;;
		77)
			skipped=$((skipped + 1))
			echo "SKIP $server/$scenario: $(sed -n 's/^SKIP: //p' "$log" | tail -n 1)"
			;;
		124)
			failed=$((failed + 1))
			echo "FAIL $server/$scenario: not finished after 400 s"
			tail -n 40 "$log" >&2
			;;
		*)
			failed=$((failed + 1))
			echo "FAIL $server/$scenario: $(sed -n 's/^FAIL: //p' "$log" | tail -n 1)"
			tail -n 40 "$log" >&2
			;;
		esac
		sed -n "s,^not tried: \\([^: ]*\\): ,SKIP $server/$scenario/\\1: ,p" "$log" >"$log.parts"
		cat "$log.parts"
		skipped=$((skipped + $(wc -l <"$log.parts")))
		rm "$log.parts"
	done
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] || exit 1
[ "$passed" -gt 0 ] || exit 77
