#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# The unit tests of the client and of the engine that need a server, with a real one.
# shellcheck disable=SC2015,SC2022,SC2030,SC2031,SC2119
# shellcheck source=tests/s3/lib.sh
. "${top_srcdir:?}/tests/s3/lib.sh"

programs=
for name in test_s3_live test_s3_engine_live; do
	[ ! -x "${builddir:=.}/tests/unit/$name" ] || programs="$programs $builddir/tests/unit/$name"
done
[ -n "$programs" ] || skip "the unit tests are not built in $builddir"

s3_start
IOSWEEP_S3_ENDPOINT=$endpoint
IOSWEEP_S3_BUCKET=$bucket
export IOSWEEP_S3_ENDPOINT IOSWEEP_S3_BUCKET
cd "$work" || exit 99
for program in $programs; do
	"$program" >"$work/said" 2>&1 || {
		cat "$work/said" >&2
		fail "${program##*/} fails with $server_kind"
	}
	grep -q 'PASSED *\]' "$work/said" || fail "${program##*/} has passed nothing"
	! grep -q 'SKIPPED *\]' "$work/said" || fail "${program##*/} has skipped something"
	say "${program##*/}: $(sed -n 's/.*PASSED *\] *//p' "$work/said" | tail -1)"
done
[ -z "$(s3 uploads)" ] || fail "uploads are left"
