#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# check.sh - `make check-team`: the scenarios of this directory, with ranks of the MPI that iosweep-mpi is
# linked with (team.sh).  A line for each, "PASS team/SCENARIO" or FAIL or SKIP with the reason, one for
# each part that cannot be tried here, and at last the sum.  $TEAM_TESTS chooses scenarios; $TEAM_DIR is
# where logs are kept.
set -u
: "${IOSWEEP:?run it with make check-team}" "${top_srcdir:?}"
# shellcheck source=tests/scenarios.sh
. "$top_srcdir/tests/scenarios.sh"

scenarios_check team "${TEAM_DIR:-}" "${TEAM_TESTS:-smoke contract figures share faults}"
