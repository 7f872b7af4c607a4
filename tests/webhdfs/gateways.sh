#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What stands between users and a Hadoop file system: TLS of the NameNode and the DataNodes, and HttpFS.
# Over each of them every test works, runs are kept, read, written over and removed, and nothing of a run
# is left, which is looked up at the NameNode; and who is not to be trusted is refused in one line.
# shellcheck disable=SC1091,SC2015,SC2034,SC2154
# shellcheck source=tests/webhdfs/lib.sh
. "${top_srcdir:?}/tests/webhdfs/lib.sh"

need openssl
need_target
hdfs_scheme=https
# a file is closed when its block has been reported; who asks too early waits that long
hdfs_cluster 1 dfs.client.block.write.locateFollowingBlock.initial.delay.ms=20
through() {
	through_status=$1
	shift
	sweep "$through_status" --quiet "$@"
}
no_errors() {
	[ "$(sum errors)" -eq 0 ] || fail "$1: $(column test operations errors notes)"
}

# everything TARGET OPTION...
everything() {
	through 0 -n 6 --sizes 1Ki,64Ki --tests create,write,read,stat,list,rename,append,delete "$@"
	no_errors "one at a time"
	[ "$(column operations | sort -u)" = 6 ] && [ "$(rows)" -eq 16 ] || fail "$(column test operations)"
	holds 0
	through 0 -n 48 --sizes 4Ki --depth 16 --verify --tests create,write,read,append,delete "$@"
	no_errors "sixteen at a time"
	[ -z "$(column wrong_operations | tr -d '0\n')" ] || fail "wrong data: $(column test wrong_operations)"
	through 0 -n 8 --sizes 10000 --object-size 100000 --objects 2 --tests read "$@"
	no_errors "ranges"
	through 0 -n 9 --keep --run-name kept --verify --sizes 1000,70000 --objects 9 --tests write "$@"
	numbered kept 1000 9 1000
	numbered kept 70000 9 70000
	stored sums iosweep-kept/70000/ | cut -d' ' -f1 | sort | uniq -d | grep -q . && fail "files of the same data"
	through 0 -n 9 -r --run-name kept --verify --sizes 1000,70000 --tests read,stat,list "$@"
	no_errors "a kept run"
	[ "$(field names 5)" -ge 9 ] || fail "a list of $(field names 5) names"
	through 0 -n 9 --reuse kept --keep --verify --sizes 1000,70000 --tests write "$@"
	no_errors "a kept run that is written over"
	head -c 10000 /dev/urandom >"$work/data"
	stored put iosweep-kept/70000/foreign "$work/data"
	run 3 clean --run-name kept "$@" # what is not of the run, stays
	told 'no run made'
	stored list | grep -q '^10000 iosweep-kept/70000/foreign$' || fail "what no run made is gone"
	stored delete iosweep-kept/70000/foreign
	run 0 clean --run-name kept "$@"
	holds 0
	stored put data "$work/data"
	file=$1
	shift
	through 0 -n 4 -r --sizes 10000 --tests read,stat "$file/data" "$@"
	no_errors "somebody's file"
	[ "$(field bytes)" -eq 40000 ] || fail "$(field bytes) bytes, not 40000"
	stored delete data
	[ -z "$(stored directories)" ] || fail "left: $(stored directories)"
}

# --- TLS of the servers themselves
tls() {
	everything "swebhdfs://$hdfs_authority/test" --webhdfs.ca-file "$hdfs_ca"
	[ "$(sum tls_ns_mean)" -gt 0 ] || fail "no time for TLS"
	server_certificates "$work/other" || fail "no other CA"
	through 3 -n 2 --sizes 1Ki --webhdfs.ca-file "$work/other/ca.crt" "$target"
	errors_are_one_line
	told 'certificate of the server is not accepted.*--webhdfs.ca-file'
	through 3 -n 2 --sizes 1Ki "$target"
	told 'certificate of the server is not accepted.*--webhdfs.ca-file'
	errors_are_one_line
	port=${hdfs_authority#*:}
	through 3 -n 2 --sizes 1Ki --webhdfs.ca-file "$hdfs_ca" --webhdfs.connect "other.test:*=127.0.0.1:*" \
		"swebhdfs://other.test:$port/test"
	errors_are_one_line
	told "'?other.test'?; write the name that stands in the certificate"
	through 3 -n 2 --sizes 1Ki "webhdfs://$hdfs_authority/test"
	errors_are_one_line
	told 'try swebhdfs://'
	through 0 -n 2 --sizes 1Ki --webhdfs.insecure "$target"
	say TLS
}

# --- HttpFS
httpfs() {
	hdfs_gateway httpfs || fail "HttpFS does not start"
	everything "webhdfs://$httpfs_authority/test"
	through 3 -n 2 --sizes 1Ki --webhdfs.user somebody "webhdfs://$httpfs_authority/test"
	errors_are_one_line
	told AccessControlException
	say HttpFS
}

tls
httpfs
