# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154
# lib.sh - what the tests with a real Ceph cluster share, on top of tests/cli/lib.sh, objects.sh and server.sh;
# sourced after a test's head comment:
#     . "${top_srcdir:?}/tests/rados/lib.sh"
# Without its programs the test is skipped.  Gives
#     cluster [STORE] [SETTING]...  a cluster with the pool $pool, in the environment of its clients
#     rados_as NAME ARGUMENT...  the program rados as another client that ceph_key has made
#     need_target              skips the test with a program that knows no rados://

# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all
# shellcheck source=tests/objects.sh
. "$top_srcdir/tests/objects.sh"
# shellcheck source=tests/rados/server.sh
. "$top_srcdir/tests/rados/server.sh"
ceph_find || skip "no Ceph is installed: $ceph_lacks"

# Nothing of whoever runs this.
unset CEPH_ARGS CEPH_CONF CEPH_KEYRING
HOME=$work
export HOME

pool=iosweep-test
target=rados://$pool
RADOS_POOL=$pool
export RADOS_POOL
# the program that loads the module of this build, not of the installed one
[ ! -x "${builddir:-.}/tests/module/iosweep" ] || IOSWEEP=$builddir/tests/module/iosweep

need_target() {
	iosweep help engines | grep -q '^rados ' || skip "built without targets rados://"
}
# Ceph's binding is there for the Python that its own programs use.
stored() {
	"$(sed -n '1s/^#! *//p' "$(command -v ceph)" | sed 's/ .*//')" "$top_srcdir/tests/rados/client.py" "$@"
}

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
