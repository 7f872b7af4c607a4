#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# rados.sh - make bench-rados: what small requests to a local Ceph cluster cost, in interleaved rounds
# with `rados bench` and, where it has the engine, fio.  Operations per second, and processor time (user
# and system) of the client per operation, with ratios of medians; then writes that the cluster refuses,
# and what each says of them.  Prints; judges nothing: machines are noisy.
#
# `rados bench` writes new objects, as the test create does; fio writes over objects that are there, as
# the test write does.  All of them read such objects at random.
#
# ROUNDS_RADOS  interleaved rounds (default 5), SECONDS_RADOS for each contender in each (default 2)
# DEPTHS_RADOS  depths (default "16"), STORE_RADOS memstore (default) or bluestore
TEST_BOUNDED=1 # takes as long as it takes
export TEST_BOUNDED
# shellcheck disable=SC1091,SC2154
# shellcheck source=tests/rados/lib.sh
. "${top_srcdir:?}/tests/rados/lib.sh"

rounds=${ROUNDS_RADOS:-5}
seconds=${SECONDS_RADOS:-2}
depths=${DEPTHS_RADOS:-16}
objects=1000
with_fio=
! fio --enghelp 2>/dev/null | grep -qw rados || with_fio=fio
cluster "${STORE_RADOS:-memstore}" 'osd max write size = 4'

# cost COMMAND...: seconds passed and of the processor, in $work/cost
cost() {
	rm -f "$work/cost"
	timeout 300 python3 "$top_srcdir/tests/bench/cost.py" "$work/cost" "$@"
}

# swept TEST DEPTH SIZE: rate, and for 1 operation the processor time of the whole process while it is
# measured: what it makes and removes besides, the others do not do
swept() {
	cost "$IOSWEEP" --format csv --time "$seconds" --sizes "$3" --depth "$2" --tests "$1" \
		--objects "$objects" --rounds 5,1000 "rados://$pool" >"$work/out" 2>"$work/err" || return 1
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["rate_per_s"] > 0 && $at["cpu_ns_per_op"] > 0 && $at["errors"] == 0 {
			print $at["rate_per_s"], 1, $at["cpu_ns_per_op"] / 1e9
			good = 1
		}
		END { exit !good }' "$work/out"
}

# benched OPTION...: rate, operations and processor time of the process
benched() {
	cost rados -p "$pool" bench "$@" >"$work/said" 2>"$work/err" || return 1
	awk 'FILENAME ~ /cost$/ { cpu = $2; next }
		/^Total time run/ { time = $NF } /^Total (writes|reads) made/ { n = $NF }
		END { if (n) print n / time, n, cpu; else exit 1 }' "$work/cost" "$work/said"
}

# fio_run RW DEPTH SIZE: the same; it makes its objects first
fio_run() {
	cost fio --name=fio --ioengine=rados --pool="$pool" --clientname=admin --conf="$CEPH_CONF" --thread \
		--rw="$1" --bs="$3" --iodepth="$2" --nrfiles="$objects" --size="$((objects * $3))" \
		--norandommap=1 --time_based --runtime="$seconds" --output-format=json \
		--output="$work/fio.json" >"$work/said" 2>&1 || return 1
	python3 - "$work/fio.json" "$work/cost" <<-'END'
		import json, sys
		text = open(sys.argv[1]).read()
		job = json.loads(text[text.index("{"):])["jobs"][0]
		did = job["read"] if job["read"]["total_ios"] else job["write"]
		print(did["iops"], did["total_ios"], open(sys.argv[2]).read().split()[1])
	END
}

# one TEST DEPTH CONTENDER: a line "operations/s operations cpu-seconds"
one() {
	case $3-$1 in
	iosweep-*) swept "$1" "$2" 4096 ;;
	rados-bench-create)
		benched "$seconds" write -b 4096 -t "$2" --no-cleanup --run-name bench || return 1
		;;
	rados-bench-read) benched "$seconds" rand -t "$2" --no-verify --run-name bench ;;
	fio-write) fio_run randwrite "$2" 4096 ;;
	fio-read) fio_run randread "$2" 4096 ;;
	esac
}

echo "# Ceph $(ceph --version | awk '{ print $3 }'), ${STORE_RADOS:-memstore}, $rounds rounds of $seconds s, $(fio --version 2>/dev/null)"
timeout 60 rados -p "$pool" bench 1 write -b 4096 -t 16 --no-cleanup --run-name bench >"$work/said" 2>&1 ||
	fail "rados bench does not run: $(cat "$work/said")"
round=0
while [ "$round" -lt "$rounds" ]; do
	for depth in $depths; do
		for test in create write read; do
			case $test in
			create) set -- rados-bench iosweep ;;
			write) set -- ${with_fio:+fio} iosweep ;;
			read) set -- rados-bench ${with_fio:+fio} iosweep ;;
			esac
			turn=$((round % $#)) # another one is first in each round
			while [ "$turn" -gt 0 ]; do
				first=$1
				shift
				set -- "$@" "$first"
				turn=$((turn - 1))
			done
			for contender; do
				echo "$test $depth $contender $(one "$test" "$depth" "$contender" || echo '- - -')"
			done
		done
	done
	round=$((round + 1))
done >"$work/lines"

awk 'function median(key, what,   i, j, n, v, a) {
		n = 0
		for (i = 1; i <= count[key]; i++) {
			v = value[key, what, i]
			for (j = n++; j > 0 && a[j] > v; j--)
				a[j + 1] = a[j]
			a[j + 1] = v
		}
		if (!n)
			return ""
		return n % 2 ? a[(n + 1) / 2] : (a[n / 2] + a[n / 2 + 1]) / 2
	}
	function figure(format, x) { return x == "" ? "" : sprintf(format, x) }
	function ratio(a, b) { return a == "" || b == "" || b == 0 ? "" : sprintf("%.3f", a / b) }
	{
		key = $1 "," $2 "," $3
		if (!(key in count)) { count[key] = 0; order[++keys] = key; group[key] = $1 "," $2 }
		if ($4 == "-")
			next
		i = ++count[key]
		value[key, "rate", i] = $4 + 0
		value[key, "cpu", i] = $6 / ($5 > 0 ? $5 : 1)
	}
	END {
		print "test,depth,contender,rounds,operations_per_s,cpu_us_per_operation,rate_to_rados_bench,cpu_to_rados_bench,rate_to_fio,cpu_to_fio"
		for (k = 1; k <= keys; k++) {
			key = order[k]
			rate = median(key, "rate"); cpu = median(key, "cpu")
			bench = group[key] ",rados-bench"; fio = group[key] ",fio"
			printf "%s,%d,%s,%s,%s,%s,%s,%s\n", key, count[key], figure("%.1f", rate),
				cpu == "" ? "" : sprintf("%.2f", cpu * 1e6),
				ratio(rate, median(bench, "rate")), ratio(cpu, median(bench, "cpu")),
				ratio(rate, median(fio, "rate")), ratio(cpu, median(fio, "cpu"))
		}
	}' "$work/lines"

# --- writes that the cluster refuses: 8 MiB, twice what an OSD takes
echo
echo "# writes of 8 MiB, of which none is carried out (osd_max_write_size is 4 MiB)"
objects=4
if [ -n "$with_fio" ]; then
	timeout 60 rados -p "$pool" purge "$pool" --yes-i-really-really-mean-it >"$work/said" 2>&1
	# shellcheck disable=SC2046 # words
	set -- $(fio_run write 1 8388608 || echo 0 0)
	echo "fio says: ${2:-0} writes, ${1:-0} per second; the first of its objects: $(rados -p "$pool" stat fio.0.0 2>&1 | sed 's/.*, size/size/')"
fi
status=0
timeout 60 rados -p "$pool" bench 1 write -b 8388608 -t 1 >"$work/said" 2>&1 || status=$?
echo "rados bench says: $(grep -v '^20\|^hints\|sec Cur\|^Maintaining\|^Object' "$work/said" | tail -n 1), exit status $status"
status=0
timeout 60 "$IOSWEEP" --format csv --sizes 8M --tests write --objects 4 --rounds 2 \
	"rados://$pool" >"$work/out" 2>"$work/err" || status=$?
echo "iosweep says: $(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ print $at["notes"] ", " $at["operations"] + 0 " writes" }' "$work/out"), exit status $status"
grep '^iosweep:\|^# finding' "$work/err" | head -n 3
exit 0
