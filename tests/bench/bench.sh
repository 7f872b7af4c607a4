#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# bench.sh - make bench: what iosweep costs, as ratios to bare loops in one interleaved run, as user
# instructions per cycle (callgrind, exact), as memory over 10^8 cycles, and the fill speed against a
# plain 1 MiB write loop.  Prints; judges nothing: machines are noisy.
#
# BENCH_DIR   where the test file lives (default: the current directory)
# ROUNDS      interleaved rounds (default 15)
set -eu
LC_ALL=C
export LC_ALL
: "${BENCH:?run it with make bench}"
dir=${BENCH_DIR:-.}

echo "# cycle loop against bare loops (ns per operation; ratio of medians)"
"$BENCH" -d "$dir" -r "${ROUNDS:-15}"

echo
echo "# user instructions per cycle"
if command -v valgrind >/dev/null; then
	instructions() { # CASE LOOP CYCLES
		out=$(mktemp)
		valgrind --tool=callgrind --callgrind-out-file=/dev/null "$BENCH" -d "$dir" -c "$1" -w "$2" -n "$3" 2>"$out" ||
			{ cat "$out" >&2; exit 1; }
		sed -n 's/^==[0-9]*== Collected : \([0-9]*\).*/\1/p' "$out"
		rm -f "$out"
	}
	echo "case,bare_instructions,iosweep_instructions"
	for case in null kept_4k pread_4k posix_4k write_4k; do
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
