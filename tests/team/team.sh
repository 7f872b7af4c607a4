# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# shellcheck shell=sh
# team.sh - what the tests of ranks share, on top of tests/cli/lib.sh; sourced after a test's head comment:
#     . "${top_srcdir:?}/tests/team/team.sh"
# The program is $IOSWEEP_MPI, that of the build by default; the launcher is that of the MPI it was linked
# with.  Without one of them, or where the ranks cannot be somebody else than root, whom Open MPI refuses,
# the test is skipped.  Gives
#     team_mpi                 openmpi or mpich
#     team RANKS ARGS...       iosweep-mpi as so many ranks, on this host or on those of team_hosts
#     team_run STATUS RANKS ARGS...  the same, output in $work/out and $work/err, fails on another status
#     team_launch RANKS PROGRAM ARGS...  another program
#     team_start RANKS ARGS... the same as team beside the test, output in $work/out and $work/err; its
#                              launcher is $team_pid
#     team_wait STATUS         until that has ended, fails on another status
#     team_rank RANK           the process of a rank of what team_start has started, once it is there
#     team_hosts HOSTS         from now on ranks are started on host0, host1 ... by turns: systems of their
#                              own in name and network (10.77.0.1, 10.77.0.2 ...), which share files and
#                              processes, and are gone when the test ends; 1, with the reason in $why,
#                              where they cannot be had
#     team_on HOST COMMAND...  runs it there, as the user of the test
# $work and all below belong to the user of the ranks at first; what a test makes as root may not.

# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all

team_program=${IOSWEEP_MPI:-${builddir:?}/src/iosweep-mpi}
[ -x "$team_program" ] || skip "built without MPI"
for team_word in $(env | sed -n 's/^\(\(HYDRA\|MPI\|MPICH\|OMPI\|PMI\|PMIX\|PRTE\|SLURM\)_[A-Za-z0-9_]*\)=.*/\1/p'); do
	unset "$team_word"
done

case $("$team_program" --version) in
*', Open MPI '*)
	team_mpi=openmpi team_says='Open MPI\|OpenRTE\|PRTE'
	team_flags='--oversubscribe --bind-to none --mca btl_vader_single_copy_mechanism none'
	;;
*', MPICH '*) team_mpi=mpich team_says=HYDRA team_flags= ;;
*) skip "the launcher of this MPI is not known here: $("$team_program" --version | grep ^libraries:)" ;;
esac
team_find() {
	team_folder=$(command -v "${TEST_MPICC:-mpicc}")
	for team_launcher in "${team_folder%/*}/mpirun" mpirun.$team_mpi mpirun mpiexec.$team_mpi mpiexec; do
		"$team_launcher" --version 2>&1 | grep -q "$team_says" && return
	done
	skip "no mpirun of $team_mpi is installed"
}
team_find

# Sockets have short names: not in $work.
team_tmp=$(mktemp -d /tmp/iosweep-team.XXXXXX) || exit 99
on_exit 'rm -rf "$team_tmp"'
team_as=
if [ "$(id -u)" = 0 ]; then
	need setpriv
	team_as="setpriv --reuid=nobody --regid=$(id -g nobody) --clear-groups"
	chown nobody "$work" "$team_tmp"
	$team_as test -w "$work" && $team_as test -x "$team_program" ||
		skip "nobody, as whom ranks are started, cannot reach $work or $team_program"
fi
team_hosts=
# Without /sys the library by which MPI looks at the machine tells that on standard error.
HWLOC_HIDE_ERRORS=2
export HWLOC_HIDE_ERRORS

# Where there are hosts, the launcher may do what it takes to reach them, but not what it starts.
# shellcheck disable=SC2086 # lists of words
team_launch() {
	team_ranks=$1
	shift
	if [ -z "$team_hosts" ]; then
		# one machine: memory is enough, and Open MPI is silent on networks that lead nowhere
		timeout -k 10 "${TEAM_SECONDS:-300}" $team_as env HOME="$work" TMPDIR="$team_tmp" SHELL=/bin/sh OMPI_MCA_btl=^tcp \
			"$team_launcher" $team_flags -n "$team_ranks" "$@" </dev/null
		return
	fi
	case $team_mpi in
	openmpi) team_place="--map-by node --host $team_hosts --mca plm_rsh_agent $team_tmp/agent" ;;
	mpich) team_place="-ppn 1 -hosts $team_hosts -launcher rsh -launcher-exec $team_tmp/agent" ;;
	esac
	team_on host0 timeout -k 10 "${TEAM_SECONDS:-300}" \
		$team_as --inh-caps=+sys_admin,+sys_chroot --ambient-caps=+sys_admin,+sys_chroot \
		env HOME="$work" TMPDIR="$team_tmp" SHELL=/bin/sh "$team_launcher" $team_flags $team_place -n "$team_ranks" \
		setpriv --ambient-caps=-all --inh-caps=-all "$@" </dev/null
}
team() {
	team_count=$1
	shift
	# shellcheck disable=SC2046
	team_launch "$team_count" "$team_program" $(cache_of "$@") $(columns_of "$@") "$@"
}
team_run() {
	team_want=$1
	shift
	team "$@" >"$work/out" 2>"$work/err"
	team_got=$?
	soon "ranks are left" team_gone # a launcher may end before them
	[ $team_got = "$team_want" ] || fail "iosweep-mpi, ranks and words $*: exit status $team_got, not $team_want"
}
team_start() {
	team "$@" >"$work/out" 2>"$work/err" &
	team_pid=$!
	on_exit "end_child $team_pid"
}
team_wait() {
	wait "$team_pid"
	team_got=$?
	[ $team_got = "$1" ] || fail "iosweep-mpi: exit status $team_got, not $1"
}

# By what the launcher has told it, in its environment.
team_rank_find() {
	for team_process in /proc/[0-9]*; do
		[ "$(cat "$team_process/comm")" = iosweep-mpi ] || continue
		tr '\0' '\n' <"$team_process/environ" >"$team_tmp/environ"
		if grep -qx "HOME=$work" "$team_tmp/environ" &&
			grep -qxE "(OMPI_COMM_WORLD|PMI)_RANK=$1" "$team_tmp/environ"; then
			team_process=${team_process#/proc/}
			return
		fi
	done 2>>"$team_tmp/said"
	return 1
}
team_gone() { ! team_rank_find '[0-9]+'; }
team_rank() {
	soon "rank $1 does not start" team_rank_find "$1"
	echo "$team_process"
}

# host HOST is a process that sleeps in namespaces of its own; a bridge, in another one, joins them.
team_host_start() {
	# shellcheck disable=SC2016,SC2086
	unshare --net --uts --mount sh -c 'hostname "$1" && mount --bind "$2" /etc/hosts && : >"$2.$1" &&
		shift 2 && exec "$@" sleep 1000' sh "$1" "$team_tmp/hosts" $team_as 2>>"$team_tmp/said" &
	team_host=$!
	on_exit "end_child $team_host"
	echo $team_host >"$team_tmp/$1"
	team_turn=0
	until [ -e "$team_tmp/hosts.$1" ]; do
		team_turn=$((team_turn + 1))
		[ $team_turn -lt 200 ] && is_child $team_host || return 1
		sleep 0.05
	done
}
# shellcheck disable=SC2034 # why: for the test
team_hosts() {
	for team_word in ip nsenter unshare; do
		command -v $team_word >/dev/null || { why="$team_word is not installed" && return 1; }
	done
	[ "$(id -u)" = 0 ] || { why="hosts of our own need root" && return 1; }
	team_number=0
	echo 127.0.0.1 localhost >"$team_tmp/hosts"
	while [ $team_number -lt "$1" ]; do
		echo "10.77.0.$((team_number + 1)) host$team_number" >>"$team_tmp/hosts"
		team_number=$((team_number + 1))
	done
	cat >"$team_tmp/agent" <<-END
		#!/bin/sh
		# as rsh: HOST COMMAND...
		host=\$1
		shift
		exec nsenter -w"\$PWD" -t "\$(cat "$team_tmp/\$host")" -n -u -m \
			setpriv --ambient-caps=-all --inh-caps=-all sh -c "\$*"
	END
	chmod 755 "$team_tmp" "$team_tmp/agent"
	{
		team_host_start switch && team_on switch ip link add switch type bridge &&
			team_on switch ip link set switch up
	} 2>>"$team_tmp/said" || { why="no host of our own: $(grep -v "dmesg(1)" "$team_tmp/said" | tail -n 1)" && return 1; }
	team_number=0
	team_names=
	while [ $team_number -lt "$1" ]; do
		team_name=host$team_number
		team_number=$((team_number + 1))
		team_names=$team_names${team_names:+,}$team_name
		{
			team_host_start $team_name &&
				team_on switch ip link add $team_name type veth peer name eth0 netns $team_host &&
				team_on switch ip link set $team_name master switch up &&
				team_on $team_name ip link set lo up &&
				team_on $team_name ip addr add 10.77.0.$team_number/24 dev eth0 &&
				team_on $team_name ip link set eth0 up
		} 2>>"$team_tmp/said" || { why="no network of our own: $(tail -n 1 "$team_tmp/said")" && return 1; }
	done
	team_hosts=$team_names
}
team_on() {
	team_name_on=$1
	shift
	nsenter -w"$PWD" -t "$(cat "$team_tmp/$team_name_on")" -n -u -m "$@"
}
