#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - `make check-webhdfs`: the scenarios of this directory with a real HDFS (server.sh),
# which each of them starts and ends.  A line for each, "PASS webhdfs/SCENARIO" or FAIL or SKIP with the
# reason, and at last the sum.  $WEBHDFS_TESTS chooses scenarios; $WEBHDFS_DIR is where logs are kept.
set -u
: "${IOSWEEP:?run it with make check-webhdfs}" "${top_srcdir:?}"
export IOSWEEP top_srcdir builddir="${builddir:-.}"
directory=${WEBHDFS_DIR:-$PWD/tests/webhdfs-check}
mkdir -p "$directory" && cd "$directory" || exit 1
trap 'exit 130' INT
trap 'exit 143' TERM

# shellcheck source=tests/scenarios.sh
. "$top_srcdir/tests/scenarios.sh"

: >said
# shellcheck disable=SC2086 # a list of words
scenarios webhdfs webhdfs ${WEBHDFS_TESTS:-smoke basics faults gateways seeds} | tee -a said
scenarios_sum said
