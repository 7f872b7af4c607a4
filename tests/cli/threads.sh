#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# threads.sh - threads as an axis: rows for each number, operations distributed and counted once;
# more threads or open files than permitted end the run in one line with advice and leave nothing.
# shellcheck disable=SC2086 # lists of words
: "${top_srcdir:?run the tests with make check}"
# shellcheck source=tests/cli/lib.sh
. "$top_srcdir/tests/cli/lib.sh"
row_columns=all
need awk

cd "$work" || exit 99 # keeps commas out of the target's name in rows
mkdir target
small="-l 64Ki --quiet"
run_small() { # STATUS ARGS...: leaves nothing; an error is one line
	run_small_status=$1
	shift
	run "$run_small_status" $small "$@" target
	nothing_left target
	[ "$run_small_status" = 0 ] || one_line "$work/err"
}

# Prints "test/threads/size operations" and so on in the order of the rows; every row is complete.
columns() {
	rows 'errors == 0 && errors_short == 0'
	# shellcheck disable=SC2086 # names
	column $1 | tr : ' ' >"$work/rows"
}

# --- the axis

for engine in posix pread stdio; do
	run_small 0 --engine $engine --threads 1..4 -n 4403 --sizes 512,4k
	columns "test threads size_bytes operations"
	for test in write read; do
		for threads in 1 2 4; do
			for size in 512 4096; do
				echo "$test $threads $size 4403"
			done
		done
	done | sort >"$work/want"
	sort "$work/rows" | cmp -s - "$work/want" || fail "$engine: $(cat "$work/rows")"
done
run_small 0 --threads 3,1 --tests read --time 0.1s --sizes 4k --keep-open
columns "threads"
[ "$(sort "$work/rows" | tr '\n' ' ')" = "1 3 " ] || fail "threads: $(cat "$work/rows")"

# Wall time is shared, CPU time and latency are not: figures are consistent for every number of
# threads.
run 0 --quiet --threads 1,4 -n 400 --sizes 4k --null.delay 1ms null:
rows 'operations == 400 && latency_ns_min >= 1e6 && errors == 0'
rows '(throughput_bytes_per_s * time_s / 400 / 4096 - 1) ^ 2 < 1e-6 && (rate_per_s * time_s / 400 - 1) ^ 2 < 1e-6'
rows 'time_s >= 0.4 / threads' # 400 ms of waiting in total, which threads share
shows 'test threads' 'write:1 write:4 read:1 read:4'

# The operations of all threads add up to the row's.
if command -v python3 >/dev/null; then
	run 0 --quiet --tests read --threads 4 -n 400 --sizes 4k --null.delay 1ms --format json -o "$work/json" null:
	python3 - "$work/json" <<-'END' || fail "threads in JSON: see above"
		import math, records, sys
		row, = records.load(sys.argv[1])["row"]
		threads = row["thread_results"]
		rates = [thread["rate_per_s"] for thread in threads]
		same = lambda a, b: math.isclose(a, b, rel_tol=1e-5)
		assert len(threads) == 4, threads
		assert sum(thread["operations"] for thread in threads) == row["operations"] == 400, threads
		assert sum(thread["bytes"] for thread in threads) == 400 * 4096, threads
		assert all(same(thread["rate_per_s"], thread["operations"] / thread["time_s"]) for thread in threads), threads
		assert same(row["thread_rate_per_s_min"], min(rates)) and same(row["thread_rate_per_s_max"], max(rates)), row
		assert 4 * min(rates) <= row["rate_per_s"] * 1.0001 and 4 * max(rates) >= row["rate_per_s"] * 0.9999, row
	END
else
	echo "not tried: what each thread did, python3 is not installed"
fi

# --- more threads than permitted

limited() { # runs the program under a limit; false if it does not even start
	"$@" "$IOSWEEP" --version >/dev/null 2>&1
}
refused() { # NAME LIMITER...
	refused_name=$1
	shift
	if ! limited "$@"; then
		echo "not tried: $refused_name"
		return
	fi
	"$@" "$IOSWEEP" $small --threads 1,64 target >"$work/out" 2>"$work/err" </dev/null
	refused_status=$?
	[ $refused_status = 3 ] || fail "$refused_name: exit status $refused_status"
	one_line "$work/err"
	# the thread that renews the run may be the first that cannot start
	grep -q -e 'cannot start thread [0-9]* of 64: .*; use fewer --threads' \
		-e 'cannot start a thread for .*; raise the limit of threads (ulimit -u)' "$work/err" ||
		fail "$refused_name: no advice"
	[ ! -s "$work/out" ] || fail "$refused_name: rows"
	nothing_left target
}
if command -v prlimit >/dev/null && [ -z "${IOSWEEP_RUN:-}" ]; then
	refused "limit of memory" prlimit --as=300000000
	if [ "$(id -u)" != 0 ]; then
		refused "limit of processes" prlimit --nproc=8
	elif command -v setpriv >/dev/null; then # a user without other processes; root has no limit
		chmod 755 "$work"
		user=$((61000 + $$ % 4000))
		chown $user target
		refused "limit of processes" \
			setpriv --reuid=$user --regid=$user --clear-groups prlimit --nproc=8
	else
		echo "not tried, no setpriv: limit of processes"
	fi
else
	echo "not tried, no prlimit: limits of processes and memory"
fi

# --- more open files than permitted

# shellcheck disable=SC3045
ulimit -n 1000 || skip "this shell does not limit open files"
(
	# shellcheck disable=SC3045
	ulimit -n 40
	for engine in posix stdio; do
		run_small 3 --engine $engine --keep-open -n 10
		grep -q 'limit of open files is too low to keep open 64 files; raise it (ulimit -n)' \
			"$work/err" || fail "no advice"
	done
	run_small 0 -n 10 --sizes 4k # one after the other they can be opened
) || exit 1
mkdir "$work/e1" "$work/e2"
( # files of one target are closed before those of another are opened
	# shellcheck disable=SC3045
	ulimit -n 110
	run 0 --quiet --keep-open -n 40 --sizes 4k -l 4k --levels 1 --width 40 "$work/e1" "$work/e2"
) || exit 1
# Around the limit: it either works or is refused.
works=0
for limit in 64 72 100 127 128 140 200; do
	(
		# shellcheck disable=SC2086,SC3045
		ulimit -n $limit
		iosweep $small --keep-open -n 64 --sizes 4k target >"$work/out" 2>"$work/err"
	)
	case $? in
	0)
		works=1
		columns "operations"
		[ "$(tr '\n' ' ' <"$work/rows")" = "64 64 " ] || fail "$limit open files: $(cat "$work/rows")"
		;;
	3)
		[ $works = 0 ] || fail "$limit open files do not do, but fewer do"
		one_line "$work/err"
		grep -q 'ulimit -n' "$work/err" || fail "$limit open files: no advice"
		;;
	*) fail "$limit open files: exit status" ;;
	esac
	nothing_left target
done
[ $works = 1 ] || fail "200 open files should do for 64"
# A limit that the program can raise itself has no effect.
# shellcheck disable=SC3045
ulimit -S -n 40
run_small 0 --keep-open -n 10 --sizes 4k
