#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# What becomes of a run in a directory of HDFS that was kept, killed, damaged or goes on, whatever is asked: the
# table of tests/life.
# shellcheck disable=SC1091
# shellcheck source=tests/webhdfs/lib.sh
. "${top_srcdir:?}/tests/webhdfs/lib.sh"

need_target
hdfs_cluster 1 "$hdfs_quick"
WEBHDFS_TARGET=$target python3 "$top_srcdir/tests/life/life.py" webhdfs >&2 || fail "webhdfs"
