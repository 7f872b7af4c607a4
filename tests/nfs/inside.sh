#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# inside.sh - the tests that run in the virtual machine of guest.sh, by busybox sh: sweeps on real NFS
# mounts with every engine and cache state, what they say about the calls, and what happens when the
# server goes away.  One line each: PASS NAME, FAIL NAME: WHY or SKIP NAME: WHY; before a failure
# what the program said.  FACT lines are what this kernel does, for the reader.
# shellcheck disable=SC2086 # lists of words
set -u
LC_ALL=C
export LC_ALL
columns=size_bytes,operations,test,engine,cache,device_bytes,resident_fraction,errors,rpc_count,rpc_data_count,rpc_retransmissions,notes
rows="--cache cached --format csv --columns $columns"
few="--levels 2 --width 2 --file-size 256Ki"
small="$rows $few"
named="--cache cached --format json --verbose --columns $columns $few" # which has the calls by name
options=vers=3,nolock,proto=tcp,port=2049,mountproto=tcp,mountport=20048,nosharecache # more mounts
failures=0

# verdict NAME WHY: passed when there is no reason why not
verdict() {
	if [ -z "$2" ]; then
		echo "PASS $1"
		return 0
	fi
	failures=$((failures + 1))
	sed 's/^/  out: /' out
	sed 's/^/  err: /' err
	echo "FAIL $1: $2"
}

# as_csv: the columns of each row among the records of JSON in out, null as nothing, and behind them the calls by
# name, NAME=COUNT joined by semicolons
as_csv() {
	echo "$columns,calls"
	awk -v names="$columns" '
	BEGIN { count = split(names, name, ",") }
	/^,\{"record":"row",/ {
		for (i = 1; i <= count; i++) {
			value = substr($0, index($0, "\"" name[i] "\":") + length(name[i]) + 3)
			if (sub(/^"/, "", value))
				sub(/".*/, "", value)
			else if (sub(/[,}].*/, "", value) && value == "null")
				value = ""
			printf "%s,", value
		}
		calls = ""
		rpc = index($0, "\"rpc\":{") ? substr($0, index($0, "\"rpc\":{") + 7) : ""
		while (match(rpc, /"[A-Z_0-9]+":\{"count":[0-9]+/)) {
			call = substr(rpc, RSTART + 1, RLENGTH - 1)
			sub(/":\{"count":/, "=", call)
			calls = calls (calls == "" ? "" : ";") call
			rpc = substr(rpc, RSTART + RLENGTH)
		}
		print calls
	}' out
}

# sweep STATUS ARGUMENT...: sets $why when it ends otherwise
sweep() {
	want=$1
	shift
	why=
	timeout -s KILL 400 iosweep "$@" >out 2>err </dev/null
	got=$?
	[ $got -eq "$want" ] || why="exit status $got, not $want"
}

# rows CONDITION: the first row of which the awk condition does not hold is the reason
rows() {
	[ -z "$why" ] || return 0
	if grep -q '^{"record":"head"' out; then as_csv; else cat out; fi >rows.csv
	why=$(awk -F , '
	function wrong(text) { if (!said) { said = 1; print "line " NR ": " text } }
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{
		size = $at["size_bytes"]; ops = $at["operations"]; test = $at["test"]; cache = $at["cache"]
		device = $at["device_bytes"]; resident = $at["resident_fraction"]; notes = $at["notes"]
		rpc = $at["rpc_count"]; data = $at["rpc_data_count"]; calls = ("calls" in at) ? $at["calls"] : ""
		again = $at["rpc_retransmissions"]; engine = $at["engine"]; count++
		if ($at["errors"] != 0) wrong("errors")
		if (notes ~ /incomplete|short|wrong_data|skipped/) wrong("notes " notes)
		'"$1"'
	}
	END { if (!count) print "no rows" }' rows.csv)
}

header() {
	[ -z "$why" ] || return 0
	for word in "$@"; do
		grep -q "^#   mounted .*$word" err || why="no $word in the header"
	done
}
says() {
	[ -n "$why" ] || grep -q "$1" err || why="it does not say \"$1\""
}
says_not() {
	[ -n "$why" ] || ! grep -q "$1" err || why="it says \"$1\""
}
# begun: waits until the job in the background has printed its header (its files are there), and a while
# longer
begun() {
	tries=0
	until [ -s out ] || [ $tries -ge 300 ]; do
		tries=$((tries + 1))
		sleep 1
	done
	sleep 2
}
empty() {
	[ -n "$why" ] || [ -z "$(ls -A "$1")" ] || why="left behind: $(ls -A "$1")"
}

# --- every engine, every cache state, reads and writes apart: what is written reaches the server
# later than one likes, and then drops what is cached

# all of the rows of reads
reads='
	if (ops != 24) wrong("operations " ops)
	if (rpc == "" || data == "" || again == "" || (rpc > 0) != (calls != "")) wrong("no calls")
	if (again != 0) wrong("retransmissions " again)
	# of operations that overlap in flight one may find the pages of another
	overlap = cache == "uncached" && engine ~ /^(libaio|io_uring)$/
	if (notes ~ (overlap ? "not_cached" : "cache_hits|not_cached")) wrong("notes " notes)
	if (cache == "direct" && data < ops) wrong("direct, READ " data)
	if (cache == "direct" && device != ops * size) wrong("direct, device_bytes " device)
	if (cache == "uncached" && data < 0.75 * ops) wrong("uncached, READ " data)
	if (cache == "uncached" && device < (overlap ? 0.7 : 0.95) * ops * size) wrong("uncached, device_bytes " device)
	if (cache != "cached" && resident > 0.1) wrong("resident_fraction " resident)
	if (cache == "cached" && data > 0.1 * ops) wrong("cached, READ " data)
	if (cache == "cached" && device > 0.05 * ops * size) wrong("cached, device_bytes " device)
	if (cache == "cached" && resident < 0.9) wrong("resident_fraction " resident)'
# of writes: closing sends them
writes='
	if (ops != 24) wrong("operations " ops)
	if (cache == "direct" && data < ops) wrong("direct, WRITE " data)
	if (cache == "direct" && device != ops * size) wrong("direct, device_bytes " device)
	if (cache != "direct" && data < 0.5 * ops) wrong("close has not flushed, WRITE " data)
	if (data > 0 && calls !~ /WRITE=/) wrong("calls " calls)'

mkdir /export/all # both mounts have it
for mount in nfs42 nfs3; do
	case $mount in
	nfs42) version=vers=4 opens='' engines='posix pread stdio libaio io_uring' ;; # unless the file was lent out
	*) version=vers=3 engines='posix io_uring' # asks each time, whatever the engine
		opens='if (calls !~ /GETATTR=/ || rpc < ops) wrong("calls " calls)' ;;
	esac
	for engine in $engines; do
		if ! iosweep help engines | grep -q "^$engine "; then
			echo "SKIP $mount-$engine: the program is built without it"
			continue
		fi
		caches=cached,uncached,direct depth=1
		[ $engine != stdio ] || caches=cached,uncached
		case $engine in libaio | io_uring) depth=4 ;; esac
		for test in read write; do
			# files large enough that operations in flight seldom meet in the same pages
			sweep 0 $named --file-size 1Mi --engine $engine --depth $depth --cache $caches \
				--tests $test --sizes 4Ki,64Ki -n 24 /$mount/all
			if [ $test = read ]; then rows "$reads"; else rows "$writes"; fi
			rows "$opens"
			header rsize= wsize= hard proto=tcp sec=sys "$version"
			empty /$mount/all
			verdict "$mount-$engine-$test" "$why"
		done
	done
done

# --- what the columns and findings say

sweep 0 $small --cache direct --tests read --sizes 4Ki -n 60 /nfs3/all
says 'finding: opening and closing .* of reads of 4 KiB; compare with --keep-open'
verdict finding-opens "$why"
sweep 0 $small --cache direct --tests read --sizes 4Ki -n 60 --keep-open /nfs3/all
rows 'if (data < ops) wrong("READ " data)'
says_not 'compare with --keep-open'
verdict keep-open "$why"

sweep 0 $small --cache asis --tests read,write --sizes 64Ki -n 24 /nfs42/all
rows 'if (device == "") wrong("device_bytes is empty")'
verdict asis-device-bytes "$why"

sweep 0 $small --cache direct --tests read,write --sizes 2,512 -n 24 /nfs42/all
rows 'if (device != ops * 512 * (size == 2 && test == "write" ? 2 : 1)) wrong("device_bytes " device)
	if (size == 2 && notes !~ (test == "read" ? "covered" : "rmw")) wrong("notes " notes)'
verdict direct-2-bytes "$why"

sweep 0 $named --cache direct --tests read --sizes 4Ki -n 24 /nfs42/all /nfs3/all
rows 'if (data != ops) wrong("READ " data) # each mount its own, and not the other one'"'"'s
	if (NR == 2 && calls ~ /GETATTR=24/) wrong("4.2: " calls)
	if (NR == 3 && (calls !~ /GETATTR=24/ || calls ~ /OPEN|CLOSE|DELEG/)) wrong("3: " calls)'
verdict two-mounts-apart "$why"

mkdir /export/plain
sweep 0 $named --cache direct --tests read --sizes 4Ki -n 24 /export/plain
rows 'if (rpc data again calls != "") wrong("calls on a disk")'
verdict not-nfs "$why"

sweep 0 --format json --cache direct --tests read --sizes 4Ki -n 24 --levels 1 --width 1 \
	--file-size 256Ki /nfs42/all
for word in '"rpc":{' '"READ\(_PLUS\)\{0,1\}":{"count":24,' '"round_trip_ms":' '"mount_options":"[^"]*vers=4.2,'; do
	[ -n "$why" ] || grep -q "$word" out || why="no $word in the document"
done
verdict json "$why"

# --- other mounts: a name with a blank, no attribute cache, a part mounted elsewhere

mkdir -p '/tmp/my nfs' /tmp/bound
if mount.nfs 127.0.0.1:/export '/tmp/my nfs' -o $options,noac,rsize=8192; then
	sweep 0 $small --cache uncached --tests read --sizes 64Ki -n 12 '/tmp/my nfs/all'
	rows 'if (data < 4 * ops) wrong("64 KiB by 8 KiB: READ " data)'
	header rsize=8192 noac vers=3
	verdict small-rsize-noac-blank "$why"
	umount '/tmp/my nfs'
else
	verdict small-rsize-noac-blank 'cannot be mounted'
fi
mount -o bind /nfs42/all /tmp/bound
sweep 0 $small --cache direct --tests read --sizes 4Ki -n 12 /tmp/bound
rows 'if (data < ops) wrong("READ " data)'
verdict bind-mount "$why"
umount /tmp/bound

# --- files that are there, verification, keeping, interruption

mkdir /nfs42/mine
dd if=/dev/urandom of=/nfs42/mine/file bs=64k count=8 2>/dev/null
before=$(md5sum </nfs42/mine/file) state=$(stat -c '%s %Y %Z %i' /nfs42/mine/file)
for cache in cached uncached direct; do
	sweep 0 $rows -r --cache $cache --sizes 4Ki -n 24 /nfs42/mine/file
	rows 'if (cache != "cached" && data < 0.75 * ops) wrong("READ " data)'
	[ "$(md5sum </nfs42/mine/file)" = "$before" ] || why="the file has changed"
	[ "$(stat -c '%s %Y %Z %i' /nfs42/mine/file)" = "$state" ] || why="the state of the file has changed"
	verdict "existing-file-$cache" "$why"
done
sweep 0 $rows -r --cache direct --sizes 4Ki -n 24 /nfs42/mine
verdict existing-tree "$why"
for engine in posix io_uring; do
	iosweep help engines | grep -q "^$engine " || continue
	sweep 0 $small --verify --engine $engine --cache cached,uncached,direct --sizes 512,4Ki -n 24 /nfs42/all
	rows ''
	empty /nfs42/all
	verdict "verify-$engine" "$why"
done
sweep 0 $small --keep --sizes 4Ki -n 4 /nfs42/all
[ -n "$(ls -A /nfs42/all)" ] || why="nothing was kept"
[ -n "$why" ] || sweep 0 clean /nfs42/all
empty /nfs42/all
verdict keep-and-clean "$why"
why=
: >out
iosweep $small --sizes 4Ki --time 600s /nfs42/all >out 2>err </dev/null &
begun
kill -TERM $!
wait $!
got=$?
[ $got -eq 143 ] || why="exit status $got, not 143"
grep -q '4096,[0-9]*,write,.*incomplete' out || why="${why:-no incomplete row}"
empty /nfs42/all
verdict interrupted "$why"

# --- a server that goes away: it comes back, or it does not

# lost: a call of the mount has been sent again
lost() {
	awk '/^device / { here = $5 == "/tmp/hard" } here && $1 == "READ:" { again = $3 > $2 } END { exit !again }' \
		/proc/self/mountstats
}
why=
mkdir -p /tmp/hard
if mount.nfs 127.0.0.1:/export /tmp/hard -o $options,hard,timeo=10; then
	: >out
	# more operations in flight than the server has threads: some are lost with it, if not the first time
	iosweep $small --cache direct --tests read --sizes 4Ki --time 20s --threads 16 /tmp/hard/all \
		>out 2>err </dev/null &
	begun
	tries=0
	until lost || [ $tries -ge 5 ]; do
		tries=$((tries + 1))
		rpc.nfsd 0
		sleep 2
		rpc.nfsd 4
		sleep 1
	done
	wait $!
	got=$?
	[ $got -eq 0 ] || why="exit status $got, not 0"
	rows 'if (again < 1) wrong("no retransmission was counted")'
	says 'finding: in .* of [0-9]* calls to the NFS server were retransmitted'
	empty /tmp/hard/all
	verdict server-restarts "$why"
	umount /tmp/hard
else
	verdict server-restarts 'cannot be mounted'
fi

why=
if mount.nfs 127.0.0.1:/export /nfssoft -o $options,soft,timeo=5,retrans=1; then
	mkdir /nfssoft/gone
	: >out
	iosweep $small --cache direct --tests read --sizes 4Ki --time 600s --max-errors 3 /nfssoft/gone \
		>out 2>err </dev/null &
	begun
	rpc.nfsd 0
	wait $!
	got=$?
	[ $got -eq 1 ] || why="exit status $got, not 1"
	grep -q '4096,[0-9]*,read,posix,direct,.*incomplete' out || why="${why:-no incomplete row}"
	says 'the first: cannot [a-z]* /nfssoft/gone/iosweep-[^ ]*/d[0-9]/f[0-9]'
	says 'cannot remove /nfssoft/gone/iosweep-.*: .*; iosweep clean'
	rpc.nfsd 4
	tries=0 # the client does not try to connect again at once
	until ls /nfssoft/gone >/dev/null 2>&1 || [ $tries -ge 60 ]; do
		tries=$((tries + 1))
		sleep 1
	done
	[ -n "$why" ] || sed 's/^/FACT soft mount, server gone: /' err | grep -v 'FACT.*: #'
	[ -n "$why" ] || sweep 0 clean /nfssoft/gone
	empty /nfssoft/gone
	verdict server-gone-soft "$why"
	umount /nfssoft
else
	verdict server-gone-soft 'cannot be mounted'
fi

# --- what this kernel does

echo "FACT kernel $(uname -r)"
echo "FACT a direct read of 2 bytes: $(dd if=/nfs3/mine/file of=/dev/null bs=2 count=1 iflag=direct 2>&1 | tail -n 1)"
[ $failures -eq 0 ]
