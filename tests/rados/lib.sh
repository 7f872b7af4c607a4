# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154
# lib.sh - what the tests with a real Ceph cluster share, on top of tests/cli/lib.sh and server.sh;
# sourced after a test's head comment:
#     . "${top_srcdir:?}/tests/rados/lib.sh"
# Without its programs the test is skipped.  Gives
#     cluster [STORE] [SETTING]...  a cluster with the pool $pool, in the environment of its clients
#     rados_as NAME ARGUMENT...  the program rados as another client that ceph_key has made

# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
# shellcheck source=tests/rados/server.sh
. "$top_srcdir/tests/rados/server.sh"
ceph_find || skip "no Ceph is installed: $ceph_lacks"

# Nothing of whoever runs this.
unset CEPH_ARGS CEPH_CONF CEPH_KEYRING
HOME=$work
export HOME

pool=iosweep-test

cluster() {
	ceph_start "$work/ceph" "$@" || fail "the cluster does not start"
	on_exit ceph_stop
	CEPH_CONF=$ceph_conf
	export CEPH_CONF
	ceph_pool "$pool" || fail "no pool can be made"
}

rados_as() {
	rados_name=$1
	shift
	timeout 60 rados --name "client.$rados_name" --keyring "$ceph_dir/$rados_name.keyring" "$@"
}
