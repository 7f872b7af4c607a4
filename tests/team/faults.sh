#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# What goes wrong on one rank ends the run of all in good order: what cannot begin begins nowhere, and all
# reasons are said; rows that were finished stay, open ones are incomplete, no row is of fewer ranks; one
# line names the rank, and the files are gone.
# shellcheck source=tests/team/team.sh
. "${top_srcdir:?}/tests/team/team.sh"

mkdir "$work/d"
[ -z "$team_as" ] || chown nobody "$work/d"
says() { grep -Eq "$1" "$work/err" || fail "not said: $1"; }
# What mpirun itself adds, and all but the program's words
own_lines() { grep -c '^iosweep: ' "$work/err"; }

# odd RANKS WORDS: a program that does as WORDS say on these ranks ($rank is its number), then is iosweep-mpi
odd() {
	cat >"$work/odd" <<-WORDS
		#!/bin/sh
		rank=\${OMPI_COMM_WORLD_RANK:-\${PMI_RANK:?}}
		case " $1 " in
		*" \$rank "*) $2 ;;
		esac
		exec "$team_program" "\$@"
	WORDS
	chmod 755 "$work/odd"
}
odd_run() {
	odd_want=$1
	shift
	team_launch 4 "$work/odd" "$@" >"$work/out" 2>"$work/err"
	odd_got=$?
	[ $odd_got = "$odd_want" ] || fail "iosweep-mpi $*: exit status $odd_got, not $odd_want"
	[ ! -s "$work/out" ] || fail "results of a run that cannot begin: $*"
	nothing_left "$work/d"
}

# --- refused before anything is touched, on all ranks, with all of them named
cd "$work" || exit 99
odd '1 3' 'cd /'
odd_run 3 --cache cached --sizes 4k d
says "^iosweep: ranks 1 \\([^)]*\\), 3 \\([^)]*\\): cannot use d: it does not exist"
[ "$(own_lines)" = 1 ] || fail "the missing directory is said more than once"
odd '0 1 2 3' 'cd /'
odd_run 3 --cache cached --sizes 4k d
says '^iosweep: cannot use d: it does not exist'
odd '2' 'set -- "$@" --seed 1'
odd_run 2 --cache cached --sizes 4k d
says '^iosweep: rank 2 \([^)]*\): the command line, or a file of options, differs'
odd '1' 'cd /; set -- "$@" --frob'
odd_run 2 --cache cached --sizes 4k d
says '^iosweep: rank 1 \([^)]*\): .*--frob'
team_run 2 4 --sizes 4x null:
says '^iosweep: --sizes: not a size: 4x'
[ "$(own_lines)" = 1 ] || fail "a mistake in the command line is said more than once"
if "$team_program" help engines | grep -q '^s3 '; then
	odd '0 1 2' 'AWS_ACCESS_KEY_ID=key AWS_SECRET_ACCESS_KEY=much-too-secret; export AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY'
	odd_run 3 --sizes 4k --endpoint http://127.0.0.1:9 s3://bucket
	says '^iosweep: rank 3 \([^)]*\): '
	! grep -q much-too-secret "$work/err" || fail "a secret is shown"
else
	echo "not tried: secrets: built without s3"
fi

# --- the launcher of another MPI would give as many results as ranks
if [ $team_mpi = openmpi ]; then
	PMI_SIZE=2 "$team_program" null: >"$work/out" 2>"$work/err" && fail "the launcher of another MPI is taken"
	says '^iosweep: the launcher started more than one rank'
fi

# --- one rank cannot make its files: nobody measures, and all that was made is gone
odd '2' 'ulimit -f 50000; trap "" XFSZ' # the MPI makes files of up to 16 MiB itself
odd_run 3 --cache cached --sizes 4k -s -l 64Mi d
says '^iosweep: rank 2 \([^)]*\): '

# --- operations of one kind fail on one rank, those of the other on another: who it was, and which file of its
if command -v strace >/dev/null && strace -o /dev/null -e inject=pread64:error=EIO:when=60000 true 2>/dev/null; then
	fails() { printf 'exec strace -f -qq -o /dev/null -e trace=%s -e inject=%s:error=EIO:when=%s+ "%s" "$@"' "$1" "$1" "$2" "$team_program"; }
	cat >"$work/odd" <<-WORDS
		#!/bin/sh
		case \${OMPI_COMM_WORLD_RANK:-\${PMI_RANK:?}} in
		1) $(fails pread64 300) ;;
		2) $(fails pwrite64 100) ;;
		esac
		exec "$team_program" "\$@"
	WORDS
	team_launch 3 "$work/odd" --quiet --format csv --cache asis --levels 2 --width 2 -l 64Ki --sizes 4k -n 900 --engine pread --mix 50 \
		--run-name mixed d >"$work/out" 2>"$work/err" && fail "failed operations do not show in the exit status"
	says 'rank 1 \([^)]*\): cannot read .*/iosweep-mixed-rank1/d[01]/f[01] at|rank 2 \([^)]*\): cannot write .*/iosweep-mixed-rank2/d[01]/f[01] at'
	nothing_left "$work/d"
else
	echo "not tried: which operations failed: strace is not installed, or may not look"
fi

# finished: the rows of the first part are there, which is when the trouble begins
finished() { [ "$(grep -c '^[0-9]' "$work/out")" -ge 2 ]; }
begin() {
	: >"$work/out"
	team_start 3 --quiet --format csv --cache asis --rank-timeout 3s --time 1s --width 2 -l 64Ki \
		--sizes 4k,8k --tests write,read,write,read "$work/d"
	soon "no row is finished" finished
}
# only_rows: without what the launcher of MPICH says of ranks that were killed, on its standard output too
only_rows() {
	grep -E '^(size_bytes,|[0-9]+,)' "$work/out" >"$work/rows"
	mv "$work/rows" "$work/out"
}
# rows are those of three ranks, or incomplete
rows_stay() {
	only_rows
	[ "$(column size_bytes | wc -l)" = "$1" ] || fail "not $1 rows"
	column notes ranks | head -n 2 | grep incomplete && fail "a finished row is incomplete"
	column notes | tail -n 1 | grep -q incomplete || fail "the last row is complete"
	[ "$(column notes ranks | grep -vc 'incomplete.*:\|.*:3$')" = 0 ] || fail "a row is of fewer ranks"
}
gone() { ! kill -0 "$1" 2>>"$team_tmp/said"; }

# --- a rank hangs
begin
hung=$(team_rank 2)
kill -STOP "$hung"
wait "$team_pid"
team_got=$? # the launcher of MPICH tells how the rank that hung was ended
[ $team_got = 1 ] || { [ $team_mpi = mpich ] && [ $team_got = 9 ]; } || fail "a rank hangs: exit status $team_got"
rows_stay 8
says '^iosweep: the team has lost rank 2 \([^)]*\): has not answered for 3 s'
soon "the rank that hangs is left behind" gone "$hung"
says '^iosweep: ranks may have left files on [^ ]*; to remove them: iosweep clean --force --run-name '
$team_as "$IOSWEEP" clean --all --force "$work/d" >"$work/said" 2>&1 || fail "what ranks left cannot be removed: $(cat "$work/said")"
nothing_left "$work/d"

# --- a rank is killed.  MPICH ends all others at once: what was printed is all there is
begin
kill -KILL "$(team_rank 1)"
wait "$team_pid" && fail "a rank is killed: exit status 0"
only_rows
[ "$(column size_bytes | wc -l)" -ge 2 ] || fail "finished rows are lost"
column notes | head -n 2 | grep incomplete && fail "a finished row is incomplete"
soon "a rank is left behind" team_gone
$team_as "$IOSWEEP" clean --all --force "$work/d" >"$work/said" 2>&1 || fail "what a killed rank left cannot be removed: $(cat "$work/said")"
nothing_left "$work/d"

# --- a signal to one rank ends the run of all
for signalled in 1 0; do
	begin
	kill -TERM "$(team_rank $signalled)"
	wait "$team_pid" && fail "rank $signalled was ended: exit status 0"
	soon "ranks are left" team_gone
	rows_stay 8
	nothing_left "$work/d"
done

# --- the user has enough.  What the launcher makes of the exit status differs
begin
launcher=$(team_rank 0)
until [ "$launcher" -le 1 ] || grep -qE '^(mpirun|orterun|prterun|mpiexec)' "/proc/$launcher/comm"; do
	launcher=$(sed 's/.*) . \([0-9]*\) .*/\1/' "/proc/$launcher/stat")
done
[ "$launcher" -gt 1 ] || fail "no launcher is above rank 0"
leaves=$team_mpi # time to the ranks, and forwards their output; Open MPI 5 does neither for long
! grep -q '^prterun' "/proc/$launcher/comm" || leaves=prterun
kill -TERM "$launcher" # a shell has its children in the background ignore INT
wait "$team_pid"
team_got=$?
soon "ranks are left" team_gone
[ $team_got != 0 ] || [ "$leaves" = mpich ] || fail "stopped: exit status 0"
case $leaves in
	mpich | prterun)
		only_rows
		column notes | head -n 2 | grep incomplete && fail "a finished row is incomplete"
		$team_as "$IOSWEEP" clean --all --force "$work/d" >"$work/said" 2>&1
		;;
	*) rows_stay 8 ;;
esac
nothing_left "$work/d"

# --- a full disk on one host
if team_hosts 2 && team_on host1 mount -t tmpfs -o size=300k none "$work/d" && team_on host1 chmod 777 "$work/d"; then
	team_run 3 2 --cache cached --sizes 4k -l 256Ki --width 2 "$work/d"
	says '^iosweep: rank 1 \(host1\): .*(No space|not enough|free)'
	[ "$(own_lines)" = 1 ] || fail "a full disk is said more than once"
	nothing_left "$work/d"
	[ -z "$(team_on host1 ls "$work/d")" ] || fail "the host with a full disk keeps files"
else
	echo "not tried: full disk: ${why:-no tmpfs on a host of our own}"
fi
