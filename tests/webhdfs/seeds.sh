#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The scenarios that any object service has to pass, on HDFS; those of Doris are at home here.
# shellcheck disable=SC1091,SC2034,SC2119
# shellcheck source=tests/webhdfs/lib.sh
. "${top_srcdir:?}/tests/webhdfs/lib.sh"

need_target
requests_each=2
# shellcheck source=tests/objects-seeds.sh
. "$top_srcdir/tests/objects-seeds.sh"

hdfs_cluster
secrets='hadoop.auth namenoderpcaddress'
seeds do1 do2 do4 do6 do7 do9 do10 do11 rb1 rb3 rb5 rb6 rb7 rb8 rb9
