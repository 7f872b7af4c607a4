# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# shellcheck shell=sh
# shellcheck disable=SC1091,SC2034,SC2154
# server.sh - a real Ceph cluster of one monitor, one manager and one OSD on 127.0.0.1, for tests and
# benchmarks; it is sourced, not run.
#     ceph_find                  whether its programs are there; if not, $ceph_lacks says what is missing
#     ceph_start DIR [STORE] [SETTING]...  starts it with all that it has in the directory DIR; STORE is
#                                memstore (fast, lost with its process) or bluestore (survives it), a
#                                SETTING is a line of the section [osd]; sets $ceph_conf, $ceph_pids
#     ceph_stop                  kills it, and waits until it is gone
#     ceph_do COMMAND...         the command ceph of the administrator
#     ceph_many                  the same for each line of standard input, in one process
#     ceph_pool NAME...          makes pools, and waits until they can be used
#     ceph_erasure NAME...       the same of erasure-coded ones of stripes of 12288 bytes, all on the one OSD
#     ceph_key NAME CAP...       a client of these capabilities; its keyring is $ceph_dir/NAME.keyring
#     ceph_osd_start, ceph_osd_end SIGNAL  the OSD; $ceph_osd is its process
# An ordinary user can do all this.  The monitor's port is the kernel's choice, the others are free ones
# that Ceph looks for, so that clusters can stand beside each other; keys are made anew.  The processes
# are killed with the shell that started them (where setpriv is installed).  The OSD works with one
# thread: memstore counts what it holds without a lock, and reports a full disk where it has miscounted.

# shellcheck source=tests/servers.sh
. "${top_srcdir:?}/tests/servers.sh"

ceph_find() {
	ceph_lacks=
	for ceph_program in ceph-mon ceph-mgr ceph-osd ceph ceph-authtool crushtool monmaptool rados python3; do
		command -v "$ceph_program" >/dev/null || ceph_lacks="$ceph_lacks${ceph_lacks:+ }$ceph_program"
	done
	[ -z "$ceph_lacks" ]
}

# ceph_settings PORT STORE [SETTING]...: what ceph.conf is to hold
ceph_settings() {
	cat <<-END
		[global]
		fsid = $ceph_fsid
		mon host = v2:127.0.0.1:$1
		public network = 127.0.0.0/8
		ms bind ipv6 = false
		ms bind msgr1 = false
		auth cluster required = cephx
		auth service required = cephx
		auth client required = cephx
		auth allow insecure global id reclaim = false
		keyring = $ceph_dir/keyring
		run dir = $ceph_dir/run
		crash dir = $ceph_dir/run
		admin socket = $ceph_dir/run/\$name.\$pid.asok
		log file = $ceph_dir/\$name.log
		mon cluster log file = $ceph_dir/cluster.log
		osd pool default size = 1
		osd pool default min size = 1
		osd pool default pg num = 8
		osd pool default pgp num = 8
		osd pool default pg autoscale mode = off
		osd crush chooseleaf type = 0
		mon allow pool size one = true
		mon allow pool delete = true
		mon max pg per osd = 500
		mon data avail warn = 2
		mon data avail crit = 1
		mgr initial modules =
		[client]
		log file =
		[mon]
		mon data = $ceph_dir/mon
		mon initial members = a
		osd pool default flag hashpspool = true
		[mgr]
		mgr data = $ceph_dir/mgr
		[osd]
		osd data = $ceph_dir/osd
		osd objectstore = $2
		osd crush initial weight = 1
		osd memory target = 939524096
		memstore device bytes = 2147483648
		osd op num shards = 1
		osd op num threads per shard = 1
		bluestore block size = 4294967296
		bluestore block create = true
		bluestore fsck on mount = false
	END
	shift 2
	[ $# -eq 0 ] || printf '%s\n' "$@"
}

# ceph_keys: one keyring for the cluster and its administrator
ceph_keys() {
	ceph-authtool "$ceph_dir/keyring" --create-keyring --gen-key -n mon. --cap mon 'allow *' &&
		ceph-authtool "$ceph_dir/keyring" --gen-key -n client.admin \
			--cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *' &&
		ceph-authtool "$ceph_dir/keyring" --gen-key -n mgr.x --cap mon 'allow profile mgr' \
			--cap osd 'allow *' &&
		ceph-authtool "$ceph_dir/keyring" --gen-key -n osd.0 --cap mon 'allow profile osd' \
			--cap osd 'allow *' --cap mgr 'allow profile osd'
} >>"$ceph_dir/setup.log" 2>&1

# ceph_run NAME PROGRAM...: in the background; $ceph_pid
ceph_run() {
	ceph_name=$1
	shift
	servers_begin "$ceph_dir/$ceph_name.out" server_exec "$@" -f -c "$ceph_conf"
	ceph_pid=$servers_pid
	ceph_pids="$ceph_pids $ceph_pid"
}

# ceph_mon_start STORE [SETTING]...: on a free port; another one when somebody was quicker
ceph_mon_start() {
	for _ in 1 2 3 4 5; do
		ceph_port=$(servers_port) || return 1
		ceph_settings "$ceph_port" "$@" >"$ceph_conf"
		rm -rf "$ceph_dir/mon" "$ceph_dir/monmap"
		monmaptool --create --fsid "$ceph_fsid" --addv a "[v2:127.0.0.1:$ceph_port]" \
			"$ceph_dir/monmap" >>"$ceph_dir/setup.log" 2>&1 &&
			ceph-mon -c "$ceph_conf" --mkfs -i a --monmap "$ceph_dir/monmap" \
				--keyring "$ceph_dir/keyring" >>"$ceph_dir/setup.log" 2>&1 || return 1
		ceph_run mon ceph-mon -i a
		for _ in 1 2 3 4 5 6; do
			kill -0 "$ceph_pid" 2>/dev/null || break
			ceph_do --connect-timeout 10 mon stat >>"$ceph_dir/setup.log" 2>&1 && return 0
		done
		ceph_stop
	done
	return 1
}

ceph_osd_start() {
	ceph_run osd ceph-osd -i 0
	ceph_osd=$ceph_pid
}
# ceph_osd_end SIGNAL: and waits until it has ended
ceph_osd_end() {
	kill "-$1" "$ceph_osd"
	wait "$ceph_osd" 2>/dev/null
	ceph_osd=
}

ceph_start() {
	ceph_dir=$1 ceph_conf=$1/ceph.conf ceph_pids=
	ceph_store=${2:-memstore}
	shift "$(($# < 2 ? 1 : 2))"
	ceph_fsid=$(cat /proc/sys/kernel/random/uuid)
	ceph_osd_id=$(cat /proc/sys/kernel/random/uuid)
	mkdir -p "$ceph_dir/run" "$ceph_dir/mgr" "$ceph_dir/osd" && : >"$ceph_dir/setup.log" || return 1
	if ceph_keys && ceph_mon_start "$ceph_store" "$@" &&
		ceph_do osd new "$ceph_osd_id" 0 >>"$ceph_dir/setup.log" 2>&1; then
		ceph_run mgr ceph-mgr -i x
		if ceph-osd -c "$ceph_conf" -i 0 --mkfs --osd-uuid "$ceph_osd_id" >>"$ceph_dir/setup.log" 2>&1; then
			ceph_osd_start
			ceph_wait 'osd stat' '1 up' && return 0
		fi
	fi
	tail -n 20 "$ceph_dir/setup.log" "$ceph_dir/"*.out >&2
	ceph_stop
	return 1
}

ceph_stop() {
	# shellcheck disable=SC2086 # a list of processes
	servers_end $ceph_pids
	ceph_pids=
}

ceph_do() {
	timeout 60 ceph -c "$ceph_conf" --connect-timeout 30 "$@" </dev/null
}
ceph_many() {
	timeout 120 ceph -c "$ceph_conf" --connect-timeout 30
}

# ceph_wait 'COMMAND...' REGEX: until its answer has it
ceph_wait() {
	ceph_turn=0
	# shellcheck disable=SC2086 # a list of words
	until ceph_do $1 2>"$ceph_dir/wait.log" | grep -Eq -e "$2"; do
		ceph_turn=$((ceph_turn + 1))
		[ "$ceph_turn" -lt 200 ] || return 1
		sleep 0.2
	done
}

ceph_pool() {
	for ceph_name; do
		printf 'osd pool create %s 8 8\nosd pool application enable %s rados\n' "$ceph_name" "$ceph_name"
	done | ceph_many >>"$ceph_dir/setup.log" 2>&1
	ceph_pools_wait "$@"
}
ceph_pools_wait() {
	# an object of a pool whose placement groups are not there yet has no OSD
	for ceph_name; do
		ceph_wait "osd map $ceph_name x" '\(\[0[],]' || return 1
		timeout 60 rados -c "$ceph_conf" -p "$ceph_name" ls --all >>"$ceph_dir/setup.log" 2>&1 || return 1
	done
}

# A rule that takes the same OSD again for each part of a stripe.
ceph_erasure() {
	ceph_do osd getcrushmap -o "$ceph_dir/crush" >>"$ceph_dir/setup.log" 2>&1 &&
		crushtool -d "$ceph_dir/crush" -o "$ceph_dir/crush.txt" || return 1
	{
		printf 'rule erasure {\nid 9\ntype erasure\nmin_size 1\nmax_size 9\n'
		for _ in 1 2 3 4; do
			printf 'step take default\nstep choose indep 1 type osd\nstep emit\n'
		done
		echo '}'
	} >>"$ceph_dir/crush.txt"
	crushtool -c "$ceph_dir/crush.txt" -o "$ceph_dir/crush" &&
		ceph_do osd setcrushmap -i "$ceph_dir/crush" >>"$ceph_dir/setup.log" 2>&1 || return 1
	echo 'osd erasure-code-profile set erasure k=3 m=1 crush-failure-domain=osd' | ceph_many >>"$ceph_dir/setup.log" 2>&1
	for ceph_name; do
		printf 'osd pool create %s 8 8 erasure erasure erasure\nosd pool application enable %s rados\n' \
			"$ceph_name" "$ceph_name"
	done | ceph_many >>"$ceph_dir/setup.log" 2>&1
	ceph_pools_wait "$@"
}

ceph_key() {
	ceph_name=$1
	shift
	ceph_do auth get-or-create "client.$ceph_name" "$@" >"$ceph_dir/$ceph_name.keyring"
}
