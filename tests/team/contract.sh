#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Teams of MPI keep the contract of teams: ranks of this host, and of several.
# shellcheck source=tests/team/team.sh
. "${top_srcdir:?}/tests/team/team.sh"

contract=${TEAM_CONTRACT:-$builddir/tests/team/contract}
[ -x "$contract" ] || skip "tests/team/contract is not built"

# keeps RANKS
keeps() {
	team_launch "$1" "$contract" keep >"$work/out" 2>"$work/err" || fail "$1 ranks: exit status $?"
	[ "$(cat "$work/out")" = kept ] || fail "$1 ranks do not say that they keep it"
}

for ranks in 1 2 4; do
	keeps $ranks
done
if team_hosts 3; then
	keeps 3
	keeps 5
else
	echo "not tried: hosts: $why"
fi
