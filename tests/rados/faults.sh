#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# What may go wrong with a cluster: each time one line that says it, the status of its kind, the rows that
# were finished, and nothing of ours left in the pool where it can be reached.
# shellcheck disable=SC1091,SC2015,SC2034,SC2154
# shellcheck source=tests/rados/lib.sh
. "${top_srcdir:?}/tests/rados/lib.sh"

need_target
cluster bluestore 'osd max write size = 4'
reachable() {
	timeout 60 rados -p "$pool" ls --all >"$work/ls" 2>&1
}

# --- who asks, and what for
missing_pool() {
	sweep 3 --quiet -n 4 --sizes 4Ki rados://no-such-pool
	one_error 'no-such-pool: no such pool'
}
wrong_keyring() {
	ceph-authtool "$work/wrong" --create-keyring --gen-key -n client.admin >/dev/null
	CEPH_ARGS="--keyring $work/wrong"
	export CEPH_ARGS
	sweep 3 --quiet -n 4 --sizes 4Ki "$target"
	unset CEPH_ARGS
	errors_are_one_line
	! grep -Fq -e "$(sed -n 's/^[[:space:]]*key = //p' "$work/wrong")" "$work/err" || fail "the key is printed"
	sweep 3 --quiet -n 4 --sizes 4Ki --rados.user nobody-of-this-name "$target"
	one_error 'no key for|refuses user'
}
read_only_key() {
	head -c 10000 /dev/urandom >"$work/data"
	stored put data "$work/data"
	ceph_key reader mon 'allow r' osd "allow r pool=$pool" || fail "no key"
	CEPH_ARGS="--keyring $ceph_dir/reader.keyring"
	export CEPH_ARGS
	sweep 0 --quiet -n 4 --sizes 4Ki -r --tests read --rados.user client.reader "$target/data"
	sweep 3 --quiet -n 4 --sizes 4Ki --rados.user reader "$target"
	unset CEPH_ARGS
	one_error 'EPERM: permission denied'
	stored delete data
}
odd_names() {
	for odd_prefix in 'a b%20c' 'ä+&=?#%' '%'; do
		sweep 0 --quiet -n 8 --objects 4 --sizes 4Ki --tests write,read,list,delete --keep --run-name odd "$target/$odd_prefix"
		[ "$(sum errors)" -eq 0 ] || fail "errors below $odd_prefix"
		holds 1 "$odd_prefix/iosweep-odd/MANIFEST-"
		run 0 clean --run-name odd "$target/$odd_prefix"
	done
}

# --- limits
size_limit() {
	sweep 0 --quiet -n 4 --objects 2 --sizes 1Mi,8Mi --tests write "$target"
	[ "$(column size_bytes operations errors | tr '\n' ' ')" = '1048576:4:0 8388608:0: ' ] &&
		[ "$(value notes 2)" = skipped:too_large ] || fail "$(column size_bytes operations errors notes)"
}
# --- quotas: what was there may be written over and removed, and nothing can be added
# quota NAME VALUE: reached in the middle of a run that makes objects
quota() {
	ceph_pool "$1" || fail "no pool can be made"
	target=rados://$1 RADOS_POOL=$1
	measured --tests read:300ms,create --max-errors 3
	ceph_do osd pool set-quota "$1" "$1" "$2" >>"$work/quota" 2>&1 || fail "no quota"
	soon "the quota ends nothing" ended
	end_run none 1
	finished 1
	[ "$(value errors 2)" -ge 3 ] && [ "$(value operations 2)" -ge 1 ] || fail "$(column test operations errors)"
	expect_reported 'EDQUOT: the pool has reached its quota'
	holds 0
	# nor can a run begin while the pool is full, as long as the cluster has not counted again
	target=rados://$pool RADOS_POOL=$pool
}
quota_of_objects() {
	quota max_objects 20
}
quota_of_bytes() {
	quota max_bytes 20000
}

# --- OSDs.  What the row of reads says was said before.
stopped() {
	measured --tests read:300ms,write
	kill -STOP "$ceph_osd"
	sleep 2
	kill -CONT "$ceph_osd"
	goes_on
	end_run TERM 143
	finished 1
	[ "$(value errors 2)" -eq 0 ] || fail "$(value errors 2) errors of an OSD that only waited"
	[ "$(value latency_ns_max 2)" -ge 1900000000 ] || fail "nothing took long: $(value latency_ns_max 2) ns"
}
# given_up REASON: a run that has ended by itself; once the OSD is back, nothing of it stays
given_up() {
	soon "it waits for ever" ended
	end_run none 1
	finished 1
	[ "$(value errors_network 2)" -ge 3 ] || fail "$(column test operations errors errors_network)"
	expect_reported 'ETIMEDOUT: no answer within --request-timeout'
}
# removed_later NAME: what could not be removed while the OSD was away
removed_later() {
	soon "the OSD is not back" reachable
	run 0 clean $when_killed --run-name "$1" "$target"
}
stopped_for_good() {
	measured --tests read:300ms,write --request-timeout 2s --max-errors 3 --retries 0 --run-name stopped
	kill -STOP "$ceph_osd"
	given_up
	kill -CONT "$ceph_osd"
	removed_later stopped
}
interrupted_while_stopped() {
	measured --tests read:300ms,write --request-timeout 2s --run-name stopped
	kill -STOP "$ceph_osd"
	sleep 0.5
	kill -INT "$begun"
	soon "SIGINT does not end it" ended
	end_run none 130
	finished 1
	kill -CONT "$ceph_osd"
	removed_later stopped
}
# Not away for longer than the client waits: what was under way is sent again, once, and shows as what
# took long.  What the row counts is there.
killed() {
	measured --tests read:300ms,create --keep --run-name killed
	ceph_osd_end KILL
	sleep 2
	ceph_osd_start
	goes_on
	end_run TERM 143
	finished 1
	[ "$(value errors 2)" -eq 0 ] || fail "$(value errors 2) errors of an OSD that was soon back"
	[ "$(value latency_ns_max 2)" -ge 2000000000 ] || fail "nothing took long: $(value latency_ns_max 2) ns"
	kept killed create-4096 >"$work/kept"
	! grep -v '^4096 ' "$work/kept" >&2 || fail "objects of other lengths"
	[ "$(wc -l <"$work/kept")" -ge "$(value operations 2)" ] ||
		fail "$(wc -l <"$work/kept") objects of $(value operations 2) operations"
	sweep 0 --quiet -r --run-name killed --access once --verify --tests read "$target"
	clean killed
}
killed_for_longer() {
	measured --tests read:300ms,write --request-timeout 2s --retries 0 --max-errors 0
	ceph_osd_end KILL
	sleep 6
	ceph_osd_start
	goes_on
	end_run TERM 143
	finished 1
	[ "$(value errors_network 2)" -ge 4 ] || fail "$(column test operations errors errors_network)"
	[ "$(value errors 2)" = "$(value errors_network 2)" ] || fail "other errors: $(column test errors errors_network)"
}
killed_for_good() {
	measured --tests read:300ms,write --request-timeout 2s --max-errors 3 --retries 0 --run-name killed
	ceph_osd_end KILL
	given_up
	ceph_osd_start
	removed_later killed
}
sigint() {
	interrupted create:300ms,write,read,delete
}

# shellcheck disable=SC2086 # a list of words
faults ${RADOS_FAULTS:-missing_pool wrong_keyring read_only_key odd_names size_limit sigint stopped stopped_for_good \
	interrupted_while_stopped killed killed_for_longer killed_for_good quota_of_objects quota_of_bytes}
