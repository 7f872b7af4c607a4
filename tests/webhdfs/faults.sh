#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# What may go wrong with HDFS: each time one line that says it, the status of its kind, the rows that were
# finished, and nothing of ours left where it can be reached.
# shellcheck disable=SC1091,SC2015,SC2034,SC2154
# shellcheck source=tests/webhdfs/lib.sh
. "${top_srcdir:?}/tests/webhdfs/lib.sh"

need_target
hdfs_cluster 2 dfs.client.block.write.replace-datanode-on-failure.policy=NEVER $hdfs_quick
# --- who asks, and where
nobody_there() {
	sweep 3 --quiet -n 4 --sizes 4Ki "webhdfs://127.0.0.1:$(servers_port)/test"
	errors_are_one_line
}
permission_denied() {
	sweep 3 --quiet -n 4 --sizes 4Ki --webhdfs.user somebody "$target"
	one_error AccessControlException
	# who may read only can read
	head -c 10000 /dev/urandom >"$work/data"
	stored put data "$work/data"
	sweep 0 --quiet -n 4 --sizes 4Ki -r --tests read --webhdfs.user somebody "$target/data"
	stored delete data
}
odd_names() {
	for odd_prefix in 'a b%20c' 'ä+&=?#%' '%'; do
		hdfs PUT "/test/$(printf '%s' "$odd_prefix" | od -An -v -tx1 | tr -d '\n' | sed 's/ /%/g')" MKDIRS |
			grep -q true || fail "no directory $odd_prefix"
		sweep 0 --quiet -n 8 --objects 4 --sizes 4Ki --tests write,read,stat,list,rename,append,delete --keep --run-name odd \
			"$target/$odd_prefix"
		[ "$(sum errors)" -eq 0 ] || fail "errors below $odd_prefix"
		stored list | grep -Fq " $odd_prefix/iosweep-odd/MANIFEST-1" || fail "not below $odd_prefix: $(stored list)"
		run 0 clean --run-name odd "$target/$odd_prefix"
	done
}

# --- DataNodes
# usable: each of them takes a file
usable() {
	for usable_turn in 1 2 3 4 5 6; do
		stored put usable "$work/small" || return 1
	done
	stored delete usable
}
back() {
	hdfs_datanode 1
	hdfs_datanode 2
	head -c 1000 /dev/urandom >"$work/small"
	soon "the DataNodes do not come back" usable 2>/dev/null
}
# kept_row: the row that was finished before
kept_row() {
	[ "$(value test)" = stat ] && [ "$(value errors)" -eq 0 ] && [ "$(value operations)" -ge 1 ] ||
		fail "a row that was finished is lost: $(column test operations errors)"
}
reads_while_datanodes_are_restarted() {
	measured --tests stat:300ms,read --max-errors 0
	hdfs_end_datanode 1
	hdfs_end_datanode 2
	back
	goes_on
	end_run TERM 143
	kept_row
	[ "$(value errors 2)" -ge 1 ] && [ "$(value errors_network 2)" -ge 1 ] && [ "$(value operations 2)" -ge 1 ] ||
		fail "$(column test operations errors errors_network)"
	expect_reported 'operations failed; the first: cannot read '
}
writes_while_datanodes_are_killed() {
	measured --tests stat:300ms,write
	hdfs_end_datanode 1
	hdfs_end_datanode 2
	soon "it goes on without DataNodes" ended
	end_run none 1
	kept_row
	[ "$(value errors 2)" -ge 1 ] || fail "$(column test operations errors)"
	expect_reported 'operations failed; the first: cannot write '
	[ "$(grep -c 'cannot write ' "$work/err")" -eq 1 ] || fail "more than one line"
	holds 0 # the NameNode alone removes
	back
}

# --- the NameNode
namenode_killed() {
	measured --tests stat:300ms,write --run-name ended
	hdfs_end_namenode
	soon "it goes on without the NameNode" ended
	end_run none 1
	kept_row
	expect_reported 'objects are left in .*iosweep-ended: .*; once the server responds.*: iosweep clean webhdfs:.*iosweep-ended'
	hdfs_start_namenode
	hdfs_live 2 || fail "the NameNode does not come back"
	run 0 clean $when_killed --run-name ended "$target"
}
safe_mode() {
	hdfs_admin -safemode enter || fail "no safe mode"
	sweep 3 --quiet -n 4 --sizes 4Ki "$target"
	one_error 'safe mode'
	hdfs_admin -safemode leave || fail "no end of safe mode"
	# in mid-run what is written fails, and what was made is removed when it can be
	measured --tests stat:300ms,write --max-errors 3 --run-name safe
	hdfs_admin -safemode enter || fail "no safe mode"
	soon "safe mode ends nothing" ended
	end_run none 1
	kept_row
	[ "$(value errors 2)" -ge 1 ] || fail "$(column test operations errors)"
	expect_reported '^iosweep: [0-9]+ operations failed; .*safe mode'
	expect_reported '^iosweep: objects are left in .*: iosweep clean webhdfs:.*iosweep-safe'
	hdfs_admin -safemode leave || fail "no end of safe mode"
	run 0 clean $when_killed --run-name safe "$target"
}

sigint() {
	interrupted create:300ms,write,read,append,rename,delete
}

faults nobody_there permission_denied odd_names reads_while_datanodes_are_restarted \
	writes_while_datanodes_are_killed safe_mode sigint namenode_killed
! stored directories | grep -q iosweep- || fail "directories of runs are left: $(stored directories)"
