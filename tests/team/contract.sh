#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Teams of MPI keep the contract of teams: ranks of this host, and of several.  And when one of four
# halts, is killed, leaves, or does not hear that all are to stop: the others find out, and which one
# it is, the launcher ends with a status that is not 0, and no rank is left.
# shellcheck source=tests/team/team.sh
. "${top_srcdir:?}/tests/team/team.sh"

contract=${TEAM_CONTRACT:-$builddir/tests/team/contract}
[ -x "$contract" ] || skip "tests/team/contract is not built"

# keeps RANKS
keeps() {
	team_launch "$1" "$contract" keep >"$work/out" 2>"$work/err" || fail "$1 ranks: exit status $?"
	[ "$(cat "$work/out")" = kept ] || fail "$1 ranks do not say that they keep it"
}

for ranks in 2 4; do
	keeps $ranks
done
if team_hosts 3; then
	keeps 3
	keeps 5
else
	echo "not tried: hosts: $why"
fi

# ended: no rank of the last team is there any more
ended() {
	# shellcheck disable=SC2013 # words
	for pid in $(sed -n 's/^rank [0-9]* is process //p' "$work/err"); do
		case $(sed 's/.*) //' "/proc/$pid/stat" 2>>"$work/said") in
		'' | Z*) ;;
		*) return 1 ;;
		esac
	done
}
# loses WHAT CALL RANK [LINE]: a line that rank 0 says
loses() {
	team_launch 4 "$contract" "$1" "$2" "$3" >"$work/out" 2>"$work/err" && fail "$*: exit status 0"
	got=$?
	[ $got -lt 124 ] || [ "$1" = killed ] || fail "$*: exit status $got"
	! grep FAULT "$work/err" || fail "$*"
	[ -z "${4-}" ] || grep -qx "$4" "$work/out" || fail "$*: not said"
	[ "$(grep -c '^rank [0-9]* is process' "$work/err")" = 4 ] || fail "$*: not four ranks"
	soon "$*: ranks are left" ended
}
loses halted broadcast 2 'lost: rank 2 has not answered for 3 s'
loses halted add 3 'lost: rank 3 has not answered for 3 s'
loses halted gather 0
loses stop start 2
loses leaves gather 1
loses leaves broadcast 3
# Launchers end the others then; whether rank 0 has time to say so is up to them.
loses killed gather 1
