#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# The unit tests of the client that need a server, with a real one.
# shellcheck disable=SC2015,SC2022,SC2030,SC2031,SC2119
# shellcheck source=tests/s3/lib.sh
. "${top_srcdir:?}/tests/s3/lib.sh"

program=${builddir:=.}/tests/unit/test_s3_live
[ -x "$program" ] || skip "$program is not built"

s3_start
IOSWEEP_S3_ENDPOINT=$endpoint
IOSWEEP_S3_BUCKET=$bucket
export IOSWEEP_S3_ENDPOINT IOSWEEP_S3_BUCKET
cd "$work" || exit 99
"$program" >"$work/said" 2>&1 || {
	cat "$work/said" >&2
	fail "it fails with $server_kind"
}
grep -q 'PASSED *\]' "$work/said" || fail "it has passed nothing"
! grep -q 'SKIPPED *\]' "$work/said" || fail "it has skipped something"
say "$(sed -n 's/.*PASSED *\] *//p' "$work/said" | tail -1)"
[ -z "$(s3 uploads)" ] || fail "uploads are left"
