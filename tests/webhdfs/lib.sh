# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154
# lib.sh - what the tests with a real HDFS share, on top of tests/cli/lib.sh, objects.sh and server.sh;
# sourced after a test's head comment:
#     . "${top_srcdir:?}/tests/webhdfs/lib.sh"
# Where it cannot be had the test is skipped.  Gives
#     hdfs_cluster [DATANODES [KEY=VALUE]...]  an HDFS with the directory /test; $hdfs_url is where its
#                              files are by http
#     need_target              skips the test with a program that knows no webhdfs://
#     no_errors WHAT           fails if a row of $work/out has any
#     everything TARGET OPTION...  each test there, alone and with many operations in flight; a run is kept,
#                              read, written over and removed, and foreign files stay
#     hdfs METHOD PATH OP [WORD]...  asks with curl as $hdfs_user, follows where it is sent, prints the
#                              answer; OP with its parameters, as in 'OPEN&offset=3', WORDs for curl

# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all
# shellcheck source=tests/objects.sh
. "$top_srcdir/tests/objects.sh"
# shellcheck source=tests/webhdfs/server.sh
. "$top_srcdir/tests/webhdfs/server.sh"
hdfs_get || skip "no HDFS: $hdfs_lacks"

# Nothing of whoever runs this, once maven has looked for its settings.
unset http_proxy https_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY
unset HADOOP_USER_NAME HADOOP_TOKEN_FILE_LOCATION
HOME=$work
export HOME

hdfs_cluster() {
	hdfs_start "$work/hdfs" "$@" || fail "HDFS does not start"
	on_exit hdfs_stop
	hdfs_url=$hdfs_scheme://$hdfs_authority/webhdfs/v1
	target=webhdfs://$hdfs_authority/test
	[ "$hdfs_scheme" = http ] || target=s$target
	WEBHDFS_URL=$hdfs_url/test
	WEBHDFS_USER=$hdfs_user
	export WEBHDFS_URL WEBHDFS_USER
	hdfs PUT /test MKDIRS | grep -q true || fail "no directory can be made"
}

need_target() {
	iosweep help engines | grep -q '^webhdfs ' || skip "built without targets webhdfs://"
}
stored() {
	SSL_CERT_FILE=$hdfs_ca python3 "$top_srcdir/tests/webhdfs/client.py" "$@"
}
hdfs() {
	hdfs_method=$1 hdfs_path=$2 hdfs_op=$3
	shift 3
	CURL_CA_BUNDLE=$hdfs_ca curl -s -S -L -m 60 -X "$hdfs_method" "$@" "$hdfs_url$hdfs_path?op=$hdfs_op&user.name=${hdfs_as:-$hdfs_user}"
}
no_errors() {
	[ "$(sum errors)" -eq 0 ] || fail "$1: $(column test operations errors notes)"
}

# everything TARGET OPTION...: in an empty directory
everything() {
	sweep 0 --quiet -n 4 --sizes 1Ki,64Ki --tests create,write,read,stat,list,rename,append,delete "$@"
	no_errors "one at a time"
	[ "$(column operations | sort -u)" = 4 ] && [ "$(count_rows)" -eq 16 ] || fail "$(column test operations)"
	holds 0
	sweep 0 --quiet -n 32 --sizes 4Ki --depth 16 --verify --tests create,write,read,append,delete "$@"
	no_errors "sixteen at a time"
	[ -z "$(column errors_wrong | tr -d '0\n')" ] || fail "wrong data: $(column test errors_wrong)"
	sweep 0 --quiet -n 8 --sizes 10000 --object-size 100000 --objects 2 --tests read "$@"
	no_errors "ranges"
	sweep 0 --quiet -n 9 --keep --run-name kept --verify --sizes 1000,70000 --objects 9 --tests write "$@"
	numbered kept 1000 9 1000
	numbered kept 70000 9 70000
	stored sums iosweep-kept/70000/ | cut -d' ' -f1 | sort | uniq -d | grep -q . && fail "files of the same data"
	sweep 0 --quiet -n 9 -r --run-name kept --verify --sizes 1000,70000 --tests read,stat,list "$@"
	no_errors "a kept run"
	[ "$(value list_names 5)" -ge 9 ] || fail "a list of $(value list_names 5) names"
	sweep 0 --quiet -n 9 --reuse kept --keep --verify --sizes 1000,70000 --tests write "$@"
	no_errors "a kept run that is written over"
	head -c 10000 /dev/urandom >"$work/data"
	stored put iosweep-kept/70000/foreign "$work/data"
	run 3 clean --run-name kept "$@" # what is not of the run, stays
	expect_reported 'no run made'
	stored list | grep -q '^10000 iosweep-kept/70000/foreign$' || fail "what no run made is gone"
	stored delete iosweep-kept/70000/foreign
	run 0 clean --run-name kept "$@"
	holds 0
	stored put data "$work/data"
	file=$1
	shift
	sweep 0 --quiet -n 4 -r --sizes 10000 --tests read,stat "$file/data" "$@"
	no_errors "somebody's file"
	[ "$(value operations)" -eq 4 ] || fail "$(value operations) reads, not 4"
	stored delete data
	[ -z "$(stored directories)" ] || fail "left: $(stored directories)"
}
