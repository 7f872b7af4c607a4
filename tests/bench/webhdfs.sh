#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# `make bench-webhdfs`: reading 1 MiB from a Hadoop file system on this machine, 8 at a time, beside wrk
# on the URL of the DataNode, in turn.  wrk does one request where WebHDFS takes two: the last column
# is what asking the NameNode costs besides.
# BENCH_ROUNDS (5) and BENCH_TIME (4s, of each) can be set.
TEST_BOUNDED=1 # takes as long as it takes
export TEST_BOUNDED
# shellcheck disable=SC1091,SC2154
# shellcheck source=tests/webhdfs/lib.sh
. "${top_srcdir:?}/tests/webhdfs/lib.sh"
need wrk
rounds=${BENCH_ROUNDS:-5} time=${BENCH_TIME:-4s}

hdfs_cluster 1
head -c 1048576 /dev/urandom >"$work/data"
hdfs PUT /test/data CREATE -T "$work/data"
url=$(curl -s -o "$work/got" -w '%{redirect_url}' "$hdfs_url/test/data?op=OPEN&user.name=$hdfs_user")
[ -n "$url" ] || fail "the NameNode does not say where the file is"

by_wrk() {
	wrk -t 1 -c 8 -d "$time" "$url" | awk '$1 == "Requests/sec:" { print $2 }'
}
by_iosweep() {
	run 0 --quiet --format csv -r --sizes 1Mi --depth 8 --time "$time" --tests read --webhdfs.user "$hdfs_user" \
		"webhdfs://$hdfs_authority/test/data"
	[ "$(value errors)" -eq 0 ] || fail "reads failed"
	value rate_per_s
}
by_wrk >"$work/got" # what is slow at first in a JVM
by_iosweep >"$work/got"
echo "reads of 1 MiB per second, 8 at a time"
echo "round wrk iosweep ratio opening"
for round in $(seq "$rounds"); do
	wrk=$(by_wrk)
	ours=$(by_iosweep)
	echo "$round $wrk $ours $(value open_ns_mean) $(value latency_ns_mean)"
done | tee "$work/rounds" | awk '{ printf "%s %.0f %.0f %.2f %.0f%%\n", $1, $2, $3, $3 / $2, 100 * $4 / $5 }'
awk '
	{ ratio[NR] = $3 / $2 }
	END {
		for (i = 1; i <= NR; i++) for (k = i + 1; k <= NR; k++)
			if (ratio[k] < ratio[i]) { t = ratio[i]; ratio[i] = ratio[k]; ratio[k] = t }
		printf "median %.2f\n", ratio[int((NR + 1) / 2)] }' "$work/rounds"
