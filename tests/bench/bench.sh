#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# bench.sh - make bench: what iosweep costs, as ratios to bare loops in one interleaved run, as user
# instructions per cycle (callgrind, exact), as memory over 10^8 cycles, the fill speed against a
# plain 1 MiB write loop, and the rate of the program itself against fio's on the same files.
# Prints; judges nothing: machines are noisy.
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
