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
