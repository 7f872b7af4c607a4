#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# What becomes of a run in a pool that was kept, killed, damaged or goes on, whatever is asked: the
# table of tests/life.
# shellcheck disable=SC1091
# shellcheck source=tests/rados/lib.sh
. "${top_srcdir:?}/tests/rados/lib.sh"

need_target
cluster memstore
python=$(sed -n '1s/^#! *//p' "$(command -v ceph)") # which knows Ceph's binding
"${python%% *}" "$top_srcdir/tests/life/life.py" rados >&2 || fail "rados"
