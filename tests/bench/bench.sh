#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# bench.sh - make bench: what iosweep costs, as ratios to bare loops in one interleaved run, as user
# instructions per cycle (callgrind, exact), as memory over 10^8 cycles, the fill speed against a
# plain 1 MiB write loop, the rate of the program itself against fio's on the same files; and of times
# that are known beforehand whether they are measured.  Of the last ones, and of steadiness, it says
# whether the bound holds; the rest is printed and not judged: machines are noisy.
#
# BENCH_DIR   where the test files live (default: the current directory)
# ROUNDS      interleaved rounds against bare loops (default 15)
# ROUNDS_FIO  interleaved rounds against fio, of one second for each contender (default 5)
set -eu
LC_ALL=C
export LC_ALL
: "${BENCH:?run it with make bench}" "${IOSWEEP:?run it with make bench}"
dir=${BENCH_DIR:-.}
work=$(mktemp -d "$dir/bench-sh.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# shellcheck source=tests/bench/compare-adapter.sh
. "$(dirname "$0")/compare-adapter.sh"

echo "# cycle loop against bare loops (ns per operation; ratio of medians)"
"$BENCH" -d "$dir" -r "${ROUNDS:-15}"

echo
echo "# reads, writes and both at once on the null engine (ns per operation; budget: mix adds 5)"
"$BENCH" -x -r "${ROUNDS:-15}"

echo
echo "# user instructions per cycle"
instructions() { # CASE LOOP CYCLES
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$BENCH" -d "$dir" -c "$1" -w "$2" -n "$3" \
		2>"$work/callgrind" || { cat "$work/callgrind" >&2; exit 1; }
	sed -n 's/^==[0-9]*== Collected : \([0-9]*\).*/\1/p' "$work/callgrind"
}
if command -v valgrind >/dev/null; then
	echo "case,bare_instructions,iosweep_instructions"
	for case in null null_order kept_4k pread_4k posix_4k write_4k uring_kept_32 uring_cycle_64; do
		code=0
		"$BENCH" -d "$dir" -c "$case" -w bare -n 1 || code=$? # says so when it cannot
		[ "$code" -ne 77 ] || continue
		[ "$code" -eq 0 ] || exit 1
		line=$case
		for loop in bare iosweep; do
			few=$(instructions "$case" "$loop" 1000)
			many=$(instructions "$case" "$loop" 11000)
			line="$line,$(((many - few) / 10000))"
		done
		echo "$line"
	done
else
	echo "skipped: valgrind is not installed"
fi

echo
echo "# resident memory over cycles"
"$BENCH" -d "$dir" -m 100000000

echo
echo "# filling test files against a plain 1 MiB write loop (speed ratio: above 1 is faster)"
"$BENCH" -d "$dir" -f -r 9

echo
echo "# times that are known, as they are measured: the least of 5 runs, which others only make longer"
known() { # WHAT LEAST MOST COLUMN ARGUMENT...: the value is within the bounds
	known_what=$1 known_least=$2 known_most=$3 known_column=$4
	shift 4
	for _ in 1 2 3 4 5; do
		"$IOSWEEP" --quiet --format csv --columns "$known_column" --sizes 4k "$@" | tail -n 1
	done | sort -n | awk -v what="$known_what" -v least="$known_least" -v most="$known_most" '
		NR == 1 { printf "%s,%s,%s,%s,%s\n", what, $1, least, most, $1 >= least && $1 <= most ? "holds" : "does not hold" }'
}
echo "what,value,least,most,verdict"
known "1000 x 61 us: s" 0.061 0.06161 time_s --tests read -n 1000 --null.delay 61us null:
known "35 x 0 + 5 x 3 ms: ns p50" 0 999999 latency_ns_p50 --tests read --rounds 1 -n 40 --null.delay mix:35x0,5x3ms null:
known "35 x 0 + 5 x 3 ms: ns p99" 2940000 3060000 latency_ns_p99 --tests read --rounds 1 -n 1000 \
	--null.delay mix:35x0,5x3ms null:
known "3 threads 15 x 50 ms: ns mean" 50000000 51000000 latency_ns_mean --tests create --threads 3 -n 5/thread \
	--rounds 1 --null.delay 50ms null:
known "16 in flight 100 ms: ns max" 100000000 120000000 latency_ns_max --tests create --depth 16 -n 160 --rounds 1 \
	--mem.delay 100ms mem:
known "stop after 2 s: s" 2 2.5 elapsed_s --tests write -n 1000000000 --time 2s --null.delay 10ms null:

echo
echo "# rate of the null engine from second to second, relative to its mean (bound: 0.8 to 1.2)"
"$IOSWEEP" --quiet --tests read --sizes 4k --time 10s --interval 1s --series "$work/series" null: >/dev/null
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["interval_s"] > 0.9 { n++; rate[n] = $at["rate_per_s"] }
	END { for (i = 2; i <= n; i++) { # the first has the start in it
			if (!low || rate[i] < low) low = rate[i]
			if (rate[i] > high) high = rate[i]
			all += rate[i] }
		mean = n > 1 ? all / (n - 1) : 0
		if (!mean) { print "too few seconds"; exit }
		print "seconds,lowest,highest,verdict"
		printf "%d,%.3f,%.3f,%s\n", n - 1, low / mean, high / mean,
			low / mean >= 0.8 && high / mean <= 1.2 ? "holds" : "does not hold" }' "$work/series"

# --- fio ------------------------------------------------------------------------------------------
mib=256 # each of the two files: what is read through the cache, and what is read with O_DIRECT

fio_job() { # OPTION... -> nanoseconds per operation, or "-"
	fio --name=bench --thread --rw=randread --bs=4k --numjobs=1 --time_based --runtime=1 \
		--size=${mib}m --invalidate=0 --randrepeat=0 --output-format=json "$@" 2>/dev/null |
		awk '/"total_ios"/ && !ios { gsub(/[^0-9]/, ""); ios = $0 + 0; next }
			/"job_runtime"/ { gsub(/[^0-9]/, ""); ms = $0 + 0 }
			END { if (ios > 0 && ms > 0) printf "%.1f\n", ms * 1e6 / ios; else print "-" }'
}

one() { # CASE CONTENDER -> nanoseconds per operation, or "-"
	case $1 in
	*_direct) file=$work/direct direct=1 ;;
	*) file=$work/cached direct=0 ;;
	esac
	case $1/$2 in
	*/iosweep) iosweep_case "$1" "$file" 1 | cut -d ' ' -f 1 ;;
	null/*) fio_job --ioengine=null ;;
	pread_*) fio_job --ioengine=psync --filename="$file" ;;
	aio32_*) fio_job --ioengine=libaio --iodepth=32 --direct=$direct --filename="$file" ;;
	uring32_*/fio) fio_job --ioengine=io_uring --iodepth=32 --direct=$direct --filename="$file" ;;
	uring32_*/fio_tuned)
		fio_job --ioengine=io_uring --iodepth=32 --direct=$direct --filename="$file" --fixedbufs=1 \
			--registerfiles=1 --norandommap=1 --gtod_reduce=1 --iodepth_batch_submit=32 \
			--iodepth_batch_complete_max=32
		;;
	esac
}

summarize() { # lines CASE CONTENDER NS; "-": it could not be measured
	awk 'function median(key, n,   i, j, v, a) {
			for (i = 1; i <= n; i++) {
				v = ns[key, i]
				for (j = i - 1; j > 0 && a[j] > v; j--)
					a[j + 1] = a[j]
				a[j + 1] = v
			}
			return n % 2 ? a[(n + 1) / 2] : (a[n / 2] + a[n / 2 + 1]) / 2
		}
		{ key = $1 "," $2; if (!(key in count)) { count[key] = 0; order[++keys] = key; case_of[key] = $1 } }
		$3 != "-" { ns[key, ++count[key]] = $3 + 0 }
		END {
			print "case,contender,rounds,ns_per_op,ratio_to_iosweep"
			for (k = 1; k <= keys; k++) {
				key = order[k]; ours = case_of[key] ",iosweep"
				if (!count[key])
					printf "%s,0,,\n", key
				else if (!count[ours])
					printf "%s,%d,%.1f,\n", key, count[key], median(key, count[key])
				else
					printf "%s,%d,%.1f,%.3f\n", key, count[key], median(key, count[key]),
						median(key, count[key]) / median(ours, count[ours])
			}
		}'
}

echo
echo "# iosweep against fio: random reads of 4 KiB (ratio above 1: fio takes longer)"
if command -v fio >/dev/null; then
	dd if=/dev/urandom of="$work/direct" bs=1M count=$mib conv=fsync 2>/dev/null
	dd of="$work/direct" oflag=nocache conv=notrunc count=0 2>/dev/null || : # out of the cache
	dd if=/dev/urandom of="$work/cached" bs=1M count=$mib conv=fsync 2>/dev/null
	round=0
	while [ "$round" -lt "${ROUNDS_FIO:-5}" ]; do
		for case in null pread_cached uring32_cached uring32_direct aio32_direct; do
			set -- iosweep fio
			[ "$case" != uring32_cached ] || set -- "$@" fio_tuned
			turn=$((round % $#)) # another one is first in each round
			while [ "$turn" -gt 0 ]; do
				first=$1
				shift
				set -- "$@" "$first"
				turn=$((turn - 1))
			done
			for contender; do
				echo "$case $contender $(one "$case" "$contender")"
			done
		done
		round=$((round + 1))
	done >"$work/fio"
	sort -s -k 1,1 "$work/fio" | summarize
else
	echo "skipped: fio is not installed"
fi
