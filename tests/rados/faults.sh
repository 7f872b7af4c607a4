#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
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
	errors_are_one_line
	told no-such-pool
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
	errors_are_one_line
}
read_only_key() {
	head -c 10000 /dev/urandom >"$work/data"
	stored put data "$work/data"
	ceph_key reader mon 'allow r' osd "allow r pool=$pool" || fail "no key"
	CEPH_ARGS="--keyring $ceph_dir/reader.keyring"
	export CEPH_ARGS
	sweep 0 --quiet -n 4 --sizes 4Ki -r --tests read --rados.user reader "$target/data"
	sweep 3 --quiet -n 4 --sizes 4Ki --rados.user reader "$target"
	unset CEPH_ARGS
	errors_are_one_line
	told 'may not'
	stored delete data
}
odd_names() {
	for odd_prefix in 'a b%20c' 'ä+&=?#%' '%'; do
		sweep 0 --quiet -n 8 --objects 4 --sizes 4Ki --tests write,read,list,delete --keep --run-name odd "$target/$odd_prefix"
		[ "$(sum errors)" -eq 0 ] || fail "errors below $odd_prefix"
		holds 1 "$odd_prefix/iosweep-odd/manifest"
		run 0 clean --run-name odd "$target/$odd_prefix"
	done
}

# --- limits
size_limit() {
	sweep 0 --quiet -n 4 --objects 2 --sizes 1Mi,8Mi --tests write "$target"
	[ "$(column size_bytes operations errors | tr '\n' ' ')" = '1048576:4:0 8388608:0: ' ] &&
		[ "$(field notes 2)" = skipped:too_large ] || fail "$(column size_bytes operations errors notes)"
}
# --- OSDs
stopped() {
	measured --tests write
	kill -STOP "$ceph_osd"
	sleep 2
	kill -CONT "$ceph_osd"
	goes_on
	end_run TERM 143
	[ "$(field errors)" -eq 0 ] || fail "$(field errors) errors of an OSD that only waited"
}
stopped_for_good() {
	measured --tests write --request-timeout 2s --max-errors 3 --run-name stopped
	kill -STOP "$ceph_osd"
	soon "it waits for ever" ended
	end_run none 1
	[ "$(field errors_network)" -ge 1 ] || fail "$(column operations errors errors_network)"
	kill -CONT "$ceph_osd"
	soon "the OSD is not back" reachable
	iosweep clean --force --run-name stopped "$target" >/dev/null 2>&1 # where it could not do that itself
}
interrupted_while_stopped() {
	measured --tests write --request-timeout 2s --run-name stopped
	kill -STOP "$ceph_osd"
	sleep 0.5
	kill -INT "$begun"
	soon "SIGINT does not end it" ended
	end_run none 130
	kill -CONT "$ceph_osd"
	soon "the OSD is not back" reachable
	iosweep clean --force --run-name stopped "$target" >/dev/null 2>&1
}
sigint() {
	interrupted create:300ms,write,read,delete
}

faults missing_pool wrong_keyring read_only_key odd_names size_limit sigint stopped stopped_for_good \
	interrupted_while_stopped
