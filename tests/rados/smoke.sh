#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# The cluster of these tests is one: what Ceph's own clients write is there, pools and keys refuse what
# they are told to refuse, an OSD that was killed comes back with its objects, and two clusters know
# nothing of each other.
# shellcheck disable=SC1091,SC2015
# shellcheck source=tests/rados/lib.sh
. "${top_srcdir:?}/tests/rados/lib.sh"

cluster bluestore 'osd max write size = 4'
put() {
	timeout 60 rados -p "$pool" put "$@" >"$work/out" 2>"$work/err"
}
# holds OBJECT FILE
holds() {
	timeout 60 rados -p "$pool" get "$1" "$work/got" && cmp -s "$work/got" "$2"
}

head -c 300000 /dev/urandom >"$work/data"
put "a b%20;é" "$work/data" || fail "rados cannot write"
holds "a b%20;é" "$work/data" || fail "rados reads something else"
[ "$(rados -p "$pool" ls)" = "a b%20;é" ] || fail "other objects: $(rados -p "$pool" ls)"

# a key that may only read
ceph_key reader mon 'allow r' osd "allow r pool=$pool" || fail "no key can be made"
rados_as reader -p "$pool" get "a b%20;é" "$work/got" || fail "who may read cannot"
! rados_as reader -p "$pool" put b "$work/data" 2>"$work/err" || fail "who may only read writes"
grep -q 'not permitted' "$work/err" || fail "not told why"
# a key of somebody else
ceph-authtool "$work/wrong" --create-keyring --gen-key -n client.admin >"$work/out" || fail "no keyring"
! timeout 60 rados --keyring "$work/wrong" -p "$pool" ls >"$work/out" 2>"$work/err" ||
	fail "a wrong key is taken"

# the OSD's limit of a write
head -c 4194305 /dev/zero >"$work/large"
! timeout 60 rados -p "$pool" put large "$work/large" --block-size 8388608 \
	2>"$work/err" || fail "a write larger than the limit of the OSD is taken"

# killed and started again
ceph_osd_end KILL
ceph_osd_start
holds "a b%20;é" "$work/data" || fail "the object is lost with the process"

# another one beside it
first=$ceph_fsid
first_pids=$ceph_pids
ceph_start "$work/other" || fail "no second cluster"
on_exit "ceph_pids='$ceph_pids $first_pids'"
[ "$first" != "$ceph_fsid" ] && [ "$(ceph_do fsid)" = "$ceph_fsid" ] || fail "not another cluster"
[ "$(ceph -c "$CEPH_CONF" fsid </dev/null)" = "$first" ] || fail "the first one is gone"
