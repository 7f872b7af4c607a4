#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# check.sh - `make check-webhdfs`: the scenarios of this directory with a real HDFS (server.sh),
# which each of them starts and ends.  A line for each, "PASS webhdfs/SCENARIO" or FAIL or SKIP with the
# reason, and at last the sum.  $WEBHDFS_TESTS chooses scenarios; $WEBHDFS_DIR is where logs are kept.
set -u
: "${IOSWEEP:?run it with make check-webhdfs}" "${top_srcdir:?}"
# shellcheck source=tests/scenarios.sh
. "$top_srcdir/tests/scenarios.sh"

scenarios_check webhdfs "${WEBHDFS_DIR:-}" "${WEBHDFS_TESTS:-smoke basics faults gateways seeds life}"
