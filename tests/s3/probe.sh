#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# `iosweep probe` on a real server, which passes; nothing is left, and nothing of somebody
# else's is touched.  (What is killed: tests/cli/probe.sh.)
# shellcheck source=tests/s3/lib.sh
. "${top_srcdir:?}/tests/s3/lib.sh"

# probe STATUS ARGS...: results in $work/out, "CHECK RESULT" a line in $work/results
probe() {
	run_wanted=$1
	shift
	run "$run_wanted" probe --format csv "$@"
	sed 1d "$work/out" | sed -n 's/^\([a-z-]*\),\([a-z ]*\),.*/\1 \2/p' >"$work/results"
	[ "$(wc -l <"$work/results")" -ge 15 ] || fail "only $(wc -l <"$work/results") checks"
}
failed() { sed -n 's/ failed$//p' "$work/results" | tr '\n' ' '; }

# --- a real server

s3_start
echo hello >"$work/own"
s3 put some/place/own.txt "$work/own" || fail "cannot put an object of somebody's"
before=$(s3 list | sort)
probe 0 --endpoint "$endpoint" "s3://$bucket/some/place"
[ -z "$(failed)" ] || fail "a real server fails: $(cat "$work/out")"
grep -q '^multipart pass' "$work/results" || fail "no upload in parts"
[ -n "$before" ] && [ "$(s3 list | sort)" = "$before" ] || fail "objects are left: $(s3 list)"
say "a real server passes: $(grep -c ' pass$' "$work/results") checks"
for option in '--s3.payload signed' '--s3.checksum crc32c' '--s3.reconnect'; do
	# shellcheck disable=SC2086
	probe 0 --endpoint "$endpoint" $option "s3://$bucket"
done
say 'also with signed bodies, checksums and new connections'
run 0 probe --format json --endpoint "$endpoint" "s3://$bucket"
python3 -c 'import json, sys
document = json.load(open(sys.argv[1]))
assert document["failed"] == 0 and document["passed"] == sum(c["result"] == "pass" for c in document["checks"])
assert all(c["time_ns"] > 0 for c in document["checks"])' "$work/out" || fail "the JSON document is wrong"
agrees "$work/out" || fail "$why"
# what cannot be used at all is said at once
run 3 probe --endpoint "$endpoint" s3://no-such-bucket-here
one_line "$work/err"
AWS_SECRET_ACCESS_KEY=wrong run 3 probe --endpoint "$endpoint" "s3://$bucket"
one_line "$work/err"
say 'and what cannot be used at all is status 3'
