#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# The counts and times of slots agree with another program's computation, on servers that serve
# slots independently, in turn, or all alike, with stalls and slow operations.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

slots=$builddir/tests/unit/slots
[ -x "$slots" ] || skip 'slots.sh: tests/unit/slots is not built'
command -v python3 >/dev/null || skip 'slots.sh: python3 is not installed'
"$slots" >"$work/counted" || fail "tests/unit/slots: status $?"
python3 "$top_srcdir/tests/unit/slots.py" >"$work/expected" || fail "tests/unit/slots.py: status $?"
[ "$(wc -l <"$work/counted")" -eq 480 ] || fail "$(wc -l <"$work/counted") cells, not 480"
diff "$work/counted" "$work/expected" >"$work/off" || fail "cells differ: $(head -n 4 "$work/off")"
