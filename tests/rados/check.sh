#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# check.sh - `make check-rados`: the scenarios of this directory with a real Ceph cluster (server.sh),
# which each of them starts and ends.  A line for each, "PASS rados/SCENARIO" or FAIL or SKIP with the
# reason, and at last the sum.  $RADOS_TESTS chooses scenarios; $RADOS_DIR is where logs are kept.
set -u
: "${IOSWEEP:?run it with make check-rados}" "${top_srcdir:?}"
# shellcheck source=tests/scenarios.sh
. "$top_srcdir/tests/scenarios.sh"

scenarios_check rados "${RADOS_DIR:-}" "${RADOS_TESTS:-smoke basics bench erasure faults seeds life}"
