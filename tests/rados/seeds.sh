#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The scenarios that any object service has to pass, on a pool; those of rados bench are at home here.
# shellcheck disable=SC1091,SC2034,SC2119
# shellcheck source=tests/rados/lib.sh
. "${top_srcdir:?}/tests/rados/lib.sh"

need_target
lacks='rename'
# shellcheck source=tests/objects-seeds.sh
. "$top_srcdir/tests/objects-seeds.sh"

cluster
secrets=$(sed -n 's/^[[:space:]]*key = //p' "$ceph_dir/keyring")
seeds do1 do2 do4 do6 do9 do10 do11 rb1 rb3 rb5 rb6 rb7 rb9
