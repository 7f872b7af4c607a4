#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# async-sweep.sh - many operations in flight from a user's view: the axis --depth has rows for each
# number of threads, size, test and cache mode, with exactly -n operations in each, as counted by
# the kernel, too; synchronous engines refuse a depth, with advice; rows note engines that are
# asynchronous by name only; --rate and --pin work as documented.
# shellcheck disable=SC2086,SC2016,SC2034,SC2254
# (no quotes: lists of words and patterns; a command for later; loops that only count)
: "${top_srcdir:?run the tests with make check}"
# shellcheck source=tests/cli/lib.sh
. "$top_srcdir/tests/cli/lib.sh"
# shellcheck source=tests/cli/trace.sh
. "$top_srcdir/tests/cli/trace.sh"
need awk
# shellcheck source=tests/cli/async.sh
. "$top_srcdir/tests/cli/async.sh"

# --- O_DIRECT if this file system supports it

iosweep $small -b -n 4 --sizes 4k target >"$work/out" 2>"$work/err" </dev/null
case $? in
0) caches="cached direct uncached" ;;
3)
	caches="cached uncached"
	echo "not tried: direct, this file system refuses O_DIRECT"
	;;
*) fail "-b: exit status" ;;
esac
caches_list=$(echo $caches | tr ' ' ,)

# --- invalid depths are refused, also if no asynchronous engine is built

for words in '0' '5000' '1..x' '' '1,,2' '4..1' '-1' '1x'; do
	small 2 --engine ${last:-posix} --depth "$words" -n 4
	grep -q -e '^iosweep: --depth: .*; give' "$work/err" || fail "--depth $words: no advice"
done
for engine in posix pread stdio; do
	small 2 --engine $engine --depth 2 -n 4
	small 2 --engine $engine --depth 1,2 -n 4
	grep -q "^iosweep: .*$engine.*--depth 2; .*--threads" "$work/err" || fail "$engine: no advice"
	grep -q '; leave out --engine, or' "$work/err" || fail "$engine: no other engine is advised"
	small 0 --engine $engine --depth 1 -n 4 --sizes 4k
done
run 0 --quiet --depth 2 -n 4 --sizes 4k null:
small 2 --engine posix,pread --depth 4 -n 4

[ -n "$async" ] || skip "no asynchronous engine can be used"

# --- the axis

# sweep ARGS...: threads 1 and 2, depths 1 to 8, two sizes
sweep() {
	what="$*"
	small 0 --threads 1,2 --depth 1..8 --sizes 512,4k -n 64 "$@"
}
for engine in $async; do
	sweep --engine $engine --cache $caches_list
	axes "$caches" "1 2" "1 2 4 8" "512 4096" 64 "write read"
	sweep --engine $engine --cache $caches_list --keep-open --tests read,write
	axes "$caches" "1 2" "1 2 4 8" "512 4096" 64 "read write"
	sweep --engine $engine --cache asis --verify --sync end
	axes asis "1 2" "1 2 4 8" "512 4096" 64 "write read"
	# fewer than in flight, and a number that no depth divides
	for n in 1 63; do
		what="$engine -n $n"
		small 0 --engine $engine --threads 2 --depth 1,7,64 --sizes 100 -n $n --cache $caches_list
		axes "$caches" 2 "1 7 64" 100 $n "write read"
	done
	# many
	threads=8
	may_open 600 || threads=2
	for keep in "" --keep-open; do
		what="$engine, $threads threads, depth 64 $keep"
		small 0 --engine $engine --threads $threads --depth 64 --sizes 4k,64k -n 1000 --cache $caches_list $keep
		axes "$caches" $threads 64 "4096 65536" 1000 "write read"
	done
	what="$engine, --depth 4096" # may exceed the limit of open files
	iosweep $small --engine $engine --depth 4096 --sizes 512 -n 5000 target \
		>"$work/out" 2>"$work/err" </dev/null
	case $? in
	0) axes cached 1 4096 512 5000 "write read" ;;
	3)
		one_line "$work/err"
		grep -q '^iosweep: .*; .*\(ulimit\|aio-max-nr\|--depth\)' "$work/err" || fail "$what: no advice"
		;;
	*) fail "$what: exit status" ;;
	esac
	nothing_left target
done
if has io_uring; then
	for options in '--io_uring.link' '--io_uring.fixed on' '--io_uring.fixed off --keep-open' \
		'--io_uring.fixed auto' '--io_uring.fixed off' '--io_uring.link --io_uring.fixed on' \
		'--io_uring.link --sync end'; do
		sweep --engine io_uring --cache $caches_list $options
		axes "$caches" "1 2" "1 2 4 8" "512 4096" 64 "write read"
	done
	small 2 --engine io_uring --io_uring.link --keep-open -n 4
	small 2 --engine io_uring --io_uring.link --io_uring.fixed off -n 4
	small 2 --engine io_uring --io_uring.iopoll -n 4 # requires bypassing the page cache
	small 2 --engine posix --io_uring.link -n 4
fi

# A synchronous engine together with them: at depth 1, if requested.
for engine in $async; do
	what="posix,$engine"
	small 0 --engine posix,$engine --depth 1,4 --sizes 4k -n 64
	columns "test engine depth operations"
	for test in write read; do
		echo "$test posix 1 64"
		echo "$test $engine 1 64"
		echo "$test $engine 4 64"
	done | cmp -s - "$work/rows" || fail "$what: $(cat "$work/rows")"
done

# --- the kernel counts the same number

# counts WANT ARGS...: calls per kind in cycles and through the interfaces; a pattern
counts() {
	counts_want=$1
	shift
	what="$*"
	trace "$work/trace" 0 $small --rounds 1 "$@" target
	nothing_left target
	counts_got=$(cycles "$work/trace" | sed 's/ seek.* fsync/ fsync/; s/ direct.*//')
	counts_got="$counts_got $(awk '
		# The result is the number of requests taken, or of events.
		/ io_submit\(/ || /<\.\.\. io_submit resumed/ { if ($NF ~ /^[0-9]+$/) submit += $NF }
		/ io_getevents\(/ || /<\.\.\. io_getevents resumed/ { if ($NF ~ /^[0-9]+$/) events += $NF }
		/ io_pgetevents\(/ || /<\.\.\. io_pgetevents resumed/ { if ($NF ~ /^[0-9]+$/) events += $NF }
		/ io_uring_enter\(/ || /<\.\.\. io_uring_enter resumed/ { if ($NF ~ /^[0-9]+$/) ring += $NF }
		END { print "submit=" submit + 0 " events=" events + 0 " ring=" ring + 0 }' "$work/trace")"
	case $counts_got in
	$counts_want) ;;
	*) fail "$what: $counts_got, not $counts_want" ;;
	esac
}
# The four files once in the slice, and once more to probe them; not in each cycle.
kept_open() {
	kept=${counts_got#open=}
	kept=$((${kept%% *} - more))
	[ $kept = 4 ] || [ $kept = 8 ] || fail "$what: files are opened $kept times"
}
if can_trace && [ -z "${IOSWEEP_RUN:-}" ]; then
	dropping=64 # calls that drop pages after reading
	! drops_behind target || dropping=0
	for cache in $caches; do
		for test in read write; do
			asked="--cache $cache --tests $test --sizes 4k -n 64"
			for parallel in '--depth 1' '--depth 4' '--depth 64' '--threads 2 --depth 3'; do
				opens=64
				case $parallel in *threads*) opens='*' ;; esac # calls of threads are interleaved
				more=0
				[ $cache-$test != uncached-read ] || more=$dropping
				if has libaio; then
					[ "$opens" = '*' ] || opens=$((64 + more))
					counts "open=$opens fsync=0 submit=64 events=64 ring=0" --engine libaio $parallel $asked
				fi
				if has io_uring; then
					# Files are opened in the ring; three requests per cycle.
					[ "$opens" = '*' ] || opens=$more
					counts "open=$opens fsync=0 submit=0 events=0 ring=192" --engine io_uring $parallel $asked
				fi
				dropped=$(grep -c 'fadvise64.*, [1-9][0-9]*, POSIX_FADV_DONTNEED)* *= 0' "$work/trace")
				[ "$opens" = '*' ] || [ $dropped = $more ] || fail "$what: $dropped of $more ranges dropped"
			done
			if has libaio; then
				counts "open=* fsync=0 submit=64 events=64 ring=0" --engine libaio --depth 4 --keep-open $asked
				kept_open
			fi
			if has io_uring; then
				ring="--engine io_uring --depth 4"
				counts "open=* fsync=0 submit=0 events=0 ring=64" $ring --keep-open $asked
				kept_open
				counts "open=$more fsync=0 submit=0 events=0 ring=192" $ring --io_uring.link $asked
				counts "open=$more fsync=0 submit=0 events=0 ring=192" $ring --io_uring.fixed off $asked
			fi
		done
	done
	asked="--tests write --sizes 512 -n 64 --sync end --depth 4"
	! has libaio || counts "open=64 fsync=64 submit=64 events=64 ring=0" --engine libaio $asked
	! has io_uring || counts "open=0 fsync=0 submit=0 events=0 ring=256" --engine io_uring $asked
else
	echo "not tried: counting system calls, strace is missing or may not trace"
fi

# --- rows note what is asynchronous by name only. A busy machine may hide it for a while.

# noted all|none NOTE ARGS...: in so many of the rows, repeated for a while
noted() {
	noted_rows=$1 noted_note=$2
	shift 2
	for noted_try in 1 2 3 4 5 6 7 8; do
		run 0 --quiet -l 1Mi --levels 1 --width 4 --rounds 5 -n 1000 "$@" target
		columns notes
		awk -v note="$noted_note" -v all="$noted_rows" 'index(";" $0 ";", ";" note ";") { n++ }
			END { exit !NR || n + 0 != (all == "all" ? NR : 0) }' "$work/rows" && return 0
	done
	return 1
}
if has libaio; then
	case $filesystem in
	ext2/ext3 | xfs | btrfs | tmpfs)
		noted all submit_blocks --engine libaio --depth 8 --sizes 64k --keep-open --tests read ||
			fail "libaio through the page cache: submit_blocks is not told"
		;;
	esac
	case $filesystem-$caches in
	ext2/ext3-*direct* | xfs-*direct*)
		noted none submit_blocks --engine libaio --depth 8 --sizes 64k --keep-open --tests read -b ||
			fail "libaio past the page cache: submit_blocks"
		;;
	esac
	noted none submit_blocks --engine posix --sizes 64k --keep-open || fail "posix: submit_blocks"
fi

# While writes run, helper threads of the kernel exist or not, which `punted` must reflect.
if has io_uring && [ -d /proc/self/task ] && [ -z "${IOSWEEP_RUN:-}" ]; then
	shared=
	if [ -d /dev/shm ] && shared=$(mktemp -d /dev/shm/async-sweep.XXXXXX 2>/dev/null); then
		on_exit 'rm -rf "$shared"'
	fi
	for place in target $shared; do
		for try in 1 2 3 4 5 6 7 8; do
			"$IOSWEEP" --quiet -l 1Mi --levels 1 --width 4 --engine io_uring --depth 8 --sizes 4k \
				--columns all --keep-open --tests write --time 0.7s "$place" >"$work/out" 2>"$work/err" </dev/null &
			child=$!
			helpers=0
			until grep -q ',write,' "$work/out" || ! is_child $child; do
				! cat /proc/$child/task/*/comm 2>/dev/null | grep -q '^iou-wrk' || helpers=1
				sleep 0.1
			done
			wait $child || fail "io_uring, writes: exit status"
			nothing_left "$place"
			columns "notes cpu_helper_fraction"
			# threads that take 5 % of the processor's time or less are not noted
			told=$(awk -v seen=$helpers '
				/punted/ { told = 1 }
				match($0, /[0-9]+[.][0-9]+/) {
					share = substr($0, RSTART, RLENGTH)
					if (share > 0 && share <= 0.05) told = told || seen }
				END { print told + 0 }' "$work/rows")
			[ $told != $helpers ] || break
		done
		[ $told = $helpers ] ||
			fail "writes to $place: kernel threads seen: $helpers, but the row says: $(cat "$work/rows")"
		echo "buffered writes are handed to kernel threads on $(stat -f -c %T "$place"): $told"
	done
fi

# --- a fixed rate

# paced RATE ARGS...: all rows are within 10 % of it, or note that it was missed, as may happen on a
# busy machine; but they are never faster
paced() {
	paced_rate=$1
	shift
	what="--rate $paced_rate $*"
	run 0 --quiet --cache cached --rate $paced_rate "$@"
	columns "rate_per_s operations notes"
	awk -v rate="$paced_rate" '
		{ if ($1 > 1.1 * rate || !$2 || ($1 < 0.9 * rate && !/rate_missed/)) bad = 1 }
		END { exit bad || !NR }' "$work/rows" || fail "$what: $(cat "$work/rows")"
}
paced 200 --tests read --sizes 4k -n 60 null:
paced 200 --tests read --sizes 4k -n 60 --rounds 1 $tree target
for threads in 2 8; do # in total, not each
	paced 500 --tests read --sizes 4k --time 0.7s --threads $threads null:
done
paced 2000 --tests write,read --sizes 4k --time 0.3s null:
for engine in $async; do
	paced 200 --engine $engine --sizes 4k -n 60 $tree target
	paced 2000 --engine $engine --sizes 4k --depth 4 --threads 2 --keep-open -n 600 --tests read $tree target
done
nothing_left target
run 0 --quiet --rate 100000000 --null.delay 1ms -n 60 --sizes 4k null:
columns notes
[ "$(grep -c rate_missed "$work/rows")" = 2 ] || fail "a rate that cannot be held: $(cat "$work/rows")"
small 2 --rate 100 --verify -n 4

# --- pinned to processors

for engine in posix $async; do
	small 0 --engine $engine --pin --threads 1,2,3 --sizes 4k -n 64
	columns "threads operations"
	[ "$(sort -u "$work/rows" | tr '\n' ' ')" = "1 64 2 64 3 64 " ] || fail "--pin: $(cat "$work/rows")"
done
if can_trace && [ -z "${IOSWEEP_RUN:-}" ]; then
	processors=$(nproc 2>/dev/null || echo 1)
	trace "$work/trace" 0 $small --pin --threads 2 --tests read --sizes 4k -n 64 target
	sed -n 's/.* sched_setaffinity([0-9]*, [0-9]*, \[\([0-9]*\)[ .]*\].*/\1/p' "$work/trace" | sort -u >"$work/rows"
	want=2
	[ "$processors" -ge 2 ] || want=1
	[ "$(wc -l <"$work/rows")" = $want ] || fail "--pin: not on $want processors: $(cat "$work/rows")"
	trace "$work/trace" 0 $small --threads 2 --tests read --sizes 4k -n 64 target
	! grep -q 'sched_setaffinity(' "$work/trace" || fail "pinned without --pin"
fi
if command -v taskset >/dev/null && taskset -c 0 true 2>/dev/null && [ -z "${IOSWEEP_RUN:-}" ]; then
	taskset -c 0 "$IOSWEEP" $small --columns all --pin --threads 1,3 --sizes 4k -n 64 target \
		>"$work/out" 2>"$work/err" || fail "--pin on one processor: exit status"
	columns threads
	[ "$(sort -u "$work/rows" | tr '\n' ' ')" = "1 3 " ] || fail "--pin on one processor: $(cat "$work/rows")"
fi
nothing_left target
echo "engines: $async; cache modes: $caches"
