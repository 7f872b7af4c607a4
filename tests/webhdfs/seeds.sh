#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# The scenarios that any object service has to pass, on HDFS; those of Doris are at home here.
# shellcheck disable=SC1091,SC2034,SC2119
# shellcheck source=tests/webhdfs/lib.sh
. "${top_srcdir:?}/tests/webhdfs/lib.sh"

need_target
requests_each=2
# shellcheck source=tests/seeds.sh
. "$top_srcdir/tests/seeds.sh"

# What the NameNode logs of requests: each of them, when it is answered.
asked_for() {
	curl -sf -m 20 --noproxy '*' -o "$work/got" "http://$hdfs_authority/logLevel?log=http.requests.namenode&level=INFO" ||
		fail "the NameNode cannot be told to log requests"
	asked_before=$(wc -l <"$hdfs_dir/namenode.log")
	sweep 0 --quiet "$@" "$target"
	tail -n "+$((asked_before + 1))" "$hdfs_dir/namenode.log" |
		sed -n 's,.*"GET [^? ]*/\([0-9]*/[0-9]*\)?op=OPEN&offset=\([0-9]*\)&.*,\1 \2,p' >"$work/asked"
}

hdfs_cluster 1 $hdfs_quick
secrets='hadoop.auth namenoderpcaddress'
# shellcheck disable=SC2086 # a list of words
seeds ${WEBHDFS_SEEDS:-do1 do3 do4 do5 do6 do7 do9 do10 do11 rb1 rb3 rb4 rb5 rb6 rb7 rb8 rb9 rb10 rb11 rb12}
