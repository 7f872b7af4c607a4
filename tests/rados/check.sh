#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh - `make check-rados`: the scenarios of this directory with a real Ceph cluster (server.sh),
# which each of them starts and ends.  A line for each, "PASS rados/SCENARIO" or FAIL or SKIP with the
# reason, and at last the sum.  $RADOS_TESTS chooses scenarios; $RADOS_DIR is where logs are kept.
set -u
: "${IOSWEEP:?run it with make check-rados}" "${top_srcdir:?}"
export IOSWEEP top_srcdir builddir="${builddir:-.}"
directory=${RADOS_DIR:-$PWD/tests/rados-check}
mkdir -p "$directory" && cd "$directory" || exit 1
trap 'exit 130' INT
trap 'exit 143' TERM

# shellcheck source=tests/scenarios.sh
. "$top_srcdir/tests/scenarios.sh"

: >said
# shellcheck disable=SC2086 # a list of words
scenarios rados rados ${RADOS_TESTS:-smoke basics bench erasure faults seeds} | tee -a said
scenarios_sum said
