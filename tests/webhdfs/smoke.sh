#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# The HDFS of these tests is one: what curl writes is there, in parts and in a list; who may not write
# does not, nothing is written in safe mode, a file outlives one of two DataNodes and not both, and what
# was on a DataNode is there again with it.
# shellcheck disable=SC1091,SC2015,SC2254
# shellcheck source=tests/webhdfs/lib.sh
. "${top_srcdir:?}/tests/webhdfs/lib.sh"

hdfs_cluster 2
head -c 3000000 /dev/urandom >"$work/data"
# is WANTED WHAT: what is on standard input
is() {
	is_said=$(cat)
	case $is_said in
	$1) ;;
	*) fail "$2: $is_said" ;;
	esac
}
# same NAME: the file holds the data
same() {
	hdfs GET "$1" OPEN -f -o "$work/got" && cmp -s "$work/got" "$work/data"
}

hdfs PUT /test/two 'CREATE&replication=2' -T "$work/data" | is '' 'CREATE'
hdfs PUT "/test/a%20b%25" 'CREATE&replication=1' -T "$work/data" | is '' 'CREATE of odd names'
same /test/two && same /test/a%20b%25 || fail "other bytes than those written"
hdfs GET /test/two 'OPEN&offset=1000000&length=5' -o "$work/got"
tail -c +1000001 "$work/data" | head -c 5 | cmp -s - "$work/got" || fail "other bytes at an offset"
hdfs POST /test/two APPEND -T "$work/data" | is '' 'APPEND'
hdfs GET /test/two GETFILESTATUS | is '*"length":6000000*' 'the length'
hdfs GET /test LISTSTATUS | is '*"pathSuffix":"a b%"*"pathSuffix":"two"*' 'the list'
hdfs PUT /test/two 'RENAME&destination=/test/c' | is '{"boolean":true}' 'RENAME'
hdfs PUT /test/two 'RENAME&destination=/test/d' | is '{"boolean":false}' 'RENAME of nothing'
hdfs GET /test/two OPEN | is '*FileNotFoundException*' 'OPEN of nothing'

hdfs_as=somebody
hdfs PUT /test/e MKDIRS | is '*AccessControlException*' 'a directory of another user'
hdfs_as=

hdfs_admin -safemode enter || fail "no safe mode"
hdfs PUT /test/e MKDIRS | is '*SafeModeException*' 'safe mode'
hdfs_admin -safemode leave || fail "no end of safe mode"
hdfs PUT /test/e MKDIRS | is '{"boolean":true}' 'after safe mode'

hdfs_end_datanode 1
hdfs_live 1 || fail "two DataNodes serve"
half() {
	hdfs GET /test/c 'OPEN&offset=3000000' -f -o "$work/got" && cmp -s "$work/got" "$work/data"
}
soon "the file is gone with one of its two DataNodes" half
hdfs_end_datanode 2
! hdfs GET /test/c OPEN -f -o "$work/got" 2>"$work/err" || fail "a file can be read without its DataNodes"
hdfs_datanode 1
hdfs_datanode 2
hdfs_live 2 || fail "the DataNodes do not come back"
soon "the files are not there again" same /test/a%20b%25
hdfs DELETE /test 'DELETE&recursive=true' | is '{"boolean":true}' 'DELETE'
