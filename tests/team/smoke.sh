#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# iosweep-mpi is what iosweep is, and what a launcher starts of it is one team with one result: one
# version, one header, one row per size, no word of other ranks.  iosweep itself needs no MPI.
# shellcheck disable=SC2086 # lists of words
# shellcheck source=tests/team/team.sh
. "${top_srcdir:?}/tests/team/team.sh"

# --- what is linked
if command -v readelf >/dev/null; then
	readelf -d "$IOSWEEP" >"$work/out" || fail "readelf $IOSWEEP"
	grep -q 'NEEDED.*libc[.]' "$work/out" || fail "readelf does not name the libraries of iosweep"
	! grep -i 'NEEDED.*mpi' "$work/out" || fail "iosweep needs MPI"
	readelf -d "$team_program" | grep -qi 'NEEDED.*mpi' || fail "iosweep-mpi needs no MPI"
else
	echo "not tried: linked: readelf is not installed"
fi
run 0 --version
sed -n 's/^libraries: //p' "$work/out" >"$work/plain"
! grep MPI "$work/plain" || fail "iosweep names an MPI"

# --- what is printed without a sweep
team_run 0 4 --version
[ "$(sed -n 's/^libraries: //p' "$work/out" | sed 's/, \(Open MPI\|MPICH\) [^,]*$//')" = "$(cat "$work/plain")" ] ||
	fail "iosweep-mpi --version does not name the libraries of iosweep and one MPI, once"
[ "$(grep -c ^iosweep "$work/out")" = 1 ] || fail "four ranks say their version other than once"
team_run 0 2 --help
[ "$(grep -c 'mpirun -n 4 iosweep-mpi' "$work/out")" = 1 ] || fail "--help does not say how to start a team, once"

# --- a team of one, which a launcher is not needed for, has the columns of iosweep; what is not read on a
# terminal is CSV, also where a launcher puts one in between
words='--quiet --tests read --sizes 4k,64k -n 100'
for columns in all default; do
	run 0 $words --columns $columns null:
	head -n 1 "$work/out" >"$work/header"
	team_run 0 1 $words --columns $columns null:
	[ "$(head -n 1 "$work/out")" = "$(cat "$work/header")" ] || fail "the header of one rank is not that of iosweep"
done
team_run 0 2 $words --columns default null:
[ "$(head -n 1 "$work/out")" = "$(cat "$work/header"),ranks" ] || fail "the header of two ranks does not end with ranks"
"$team_program" --quiet --tests read --sizes 4k -n 10 --columns all null: >"$work/out" 2>"$work/err" ||
	fail "iosweep-mpi without a launcher: exit status $?"
[ "$(column ranks size_bytes)" = 1:4096 ] || fail "without a launcher: not a row of one rank"

# rows RANKS: of the ranks of a run there is one row for each size
rows() {
	[ "$(grep -c '^size_bytes,' "$work/out")" = 1 ] || fail "$1 ranks: not one header"
	[ "$(column ranks size_bytes test | tr '\n' ' ')" = "$1:4096:read $1:65536:read " ] ||
		fail "$1 ranks: not one row of all for each size"
	[ ! -s "$work/err" ] || fail "$1 ranks say something"
}
for ranks in 1 2 4 8; do
	team_run 0 $ranks $words null:
	rows $ranks
done

# --- files: all is gone afterwards
cd "$work" || exit 99 # so that rows name the target without a comma
mkdir d
[ -z "$team_as" ] || chown nobody d
team_run 0 2 $words --width 2 -l 64Ki d
rows 2
nothing_left "$work/d"

# --- hosts
if team_hosts 2; then
	team_run 0 2 $words null:
	rows 2
else
	echo "not tried: hosts: $why"
fi
