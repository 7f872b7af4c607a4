#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# The scenarios that any object service has to pass.
# shellcheck disable=SC2034,SC2119
# shellcheck source=tests/s3/lib.sh
. "${top_srcdir:?}/tests/s3/lib.sh"
# shellcheck source=tests/seeds.sh
. "$top_srcdir/tests/seeds.sh"

s3_start
secrets=$AWS_SECRET_ACCESS_KEY uploads=1
seeds cf12 do1 do4 do6 do7 do9 do10 do11 ob6 rb1 rb3 rb5 rb6 rb7 rb8 rb9 rb10 rb11 rb12
interrupted create:300ms,write,read,append,rename,delete
# also those of the objects that rb7, rb10 and these signals have cut
[ -z "$(s3 uploads)" ] || fail "uploads are left: $(s3 uploads)"
