#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# --access sequential continues where it stopped and wraps around, once takes each block once and
# then ends successfully: checked by system calls where each operation is a separate call, otherwise
# by what is written. Threads and depth, lengths that are not a multiple of the size, unused time,
# and incompatible options.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all
# shellcheck source=tests/cli/trace.sh
. "$top_srcdir/tests/cli/trace.sh"
need awk cmp

mkdir "$work/dir"
cd "$work/dir" || exit 99
plain='--quiet --format csv --columns all --cache asis'

# ended OPERATIONS STOP [LINE]
ended() {
	[ "$(value operations "${3:-1}")" = "$1" ] && [ "$(value stop "${3:-1}")" = "$2" ] && [ "$(value errors "${3:-1}")" = 0 ] ||
		fail "$(value operations "${3:-1}") operations, stop=$(value stop "${3:-1}"), not $1 and $2"
}

# --- the kernel sees the offsets in order: 25 blocks, and 100 bytes that are no block
head -c 102500 /dev/urandom >file
if command -v strace >/dev/null && can_trace; then
	# offsets ARGS...: one per line
	offsets() {
		# shellcheck disable=SC2086
		LSAN_OPTIONS=detect_leaks=0 strace -f -qq -e trace=pread64,memfd_create $no_reference -o "$work/trace" \
			"$IOSWEEP" $plain --engine pread --tests read --sizes 4k "$@" -r file >"$work/out" 2>"$work/err" || fail "$*: exit status $?"
		sed -n 's/.*, 4096, \([0-9]*\)) .*= 4096$/\1/p' "$work/trace"
	}
	seq 0 4096 98304 >"$work/once"
	offsets --access once >"$work/got"
	cmp -s "$work/once" "$work/got" || fail "once: $(head -30 "$work/got")"
	ended 25 exhausted
	offsets --access once --time 100s --rounds 3 >"$work/got"
	cmp -s "$work/once" "$work/got" || fail "once with --time: $(head -30 "$work/got")"
	ended 25 exhausted
	cat "$work/once" "$work/once" "$work/once" | head -n 60 >"$work/expected"
	for rounds in 1 7; do # slices continue where the previous one ended
		offsets --access sequential -n 60 --rounds $rounds >"$work/got"
		cmp -s "$work/expected" "$work/got" || fail "sequential, $rounds rounds: $(head -62 "$work/got")"
		ended 60 count
	done
	offsets --access once -n 20 >"$work/got" # the first limit reached
	head -n 20 "$work/once" | cmp -s - "$work/got" || fail "once, -n 20: $(head -30 "$work/got")"
	ended 20 count
	for threads in 2 3 40; do
		offsets --access once --threads $threads >"$work/got"
		sort -n "$work/got" | cmp -s "$work/once" - || fail "once, $threads threads: $(sort -n "$work/got" | uniq -c)"
		ended 25 exhausted
	done
	offsets --access sequential --threads 5 -n 1000 --rounds 1 --rate 100000 >"$work/got" # 5 blocks each
	sort -n "$work/got" | uniq -c | awk '$1 != 40 { bad = 1 } END { exit bad || NR != 25 }' ||
		fail "threads have no equal parts: $(sort -n "$work/got" | uniq -c)"
	offsets --access once --keep-open --rate 2000 --threads 2 >"$work/got"
	sort -n "$work/got" | cmp -s "$work/once" - || fail "once, --rate: $(sort -n "$work/got" | uniq -c)"
	offsets --access once --align 16k >"$work/got"
	seq 0 16384 98304 | cmp -s - "$work/got" || fail "once, --align 16k: $(cat "$work/got")"
else
	echo "strace is not usable here: offsets are not looked at"
fi

# --- by what is written: as many operations as blocks, and every block has changed
engines=$("$IOSWEEP" help engines | sed -n 's/^\(posix\|pread\|stdio\|libaio\|io_uring\) .*/\1/p')
for engine in $engines; do
	iosweep --quiet --engine "$engine" -n 1 --sizes 4k -r --cache asis file >/dev/null 2>"$work/err" || {
		echo "$engine is not usable here: $(cat "$work/err")"
		continue
	}
	for more in "--threads 1" "--threads 3" "--depth 4" "--depth 64 --threads 2" "--keep-open" "--time 100s"; do
		case $engine,$more in
		libaio,*depth* | io_uring,*depth*) ;;
		*depth*) continue ;;
		esac
		head -c 102500 /dev/zero >zeros
		# shellcheck disable=SC2086
		run 0 $plain --engine "$engine" $more --tests write --sizes 4k --access once --overwrite zeros
		ended 25 exhausted
		[ "$(wc -c <zeros)" = 102500 ] || fail "$engine $more: the file has another length"
		od -An -v -tx1 -w4096 zeros | awk '{ zero = $0 !~ /[1-9a-f]/ } (NR < 26) == zero { bad = bad " " NR }
			END { if (bad) print bad; exit bad != "" || NR != 26 }' >"$work/bad" ||
			fail "$engine $more: blocks$(cat "$work/bad")"
	done
done

# --- files of a run: each block of each file, verified; incomplete blocks are skipped
for access in sequential once; do
	run 0 --quiet --format csv --verify --access $access --threads 2 -n 10000 --sizes 3000,12k --levels 2 --width 2 -l 40k .
	rows 'errors_wrong == 0'
done
ended 52 exhausted 1 # 13 in each of 4 files
ended 12 exhausted 2

# --- together with random access: rows of each, and nothing else changes
run 0 --quiet --format csv --access random,once --tests read --sizes 4k,8k -n 1000 -l 64k --levels 1 --width 1 .
shows 'access operations stop errors' 'random:1000:count:0 random:1000:count:0 once:16:exhausted:0 once:8:exhausted:0'
for target in null: mem:; do
	run 0 --quiet --format csv --access once --depth 8 --threads 3 --sizes 64k "$target"
	shows stop 'exhausted exhausted' "$target"
done
shows operations '64 64'
run 0 --quiet --format csv --access sequential,once --tests list,delete,stat --sizes 4k -n 8 --objects 8 mem:
[ "$(wc -l <"$work/out")" = 5 ] && [ -z "$(value access 1)$(value access 2)" ] || fail "an order where there is none"

# --- fewer places than -n N/thread requests: all of them, then the row ends
for threads in 2 3 20; do
	run 0 --quiet --format csv --access once -n 10/thread --threads $threads --tests read --sizes 4k --objects 4 --object-size 16k mem:
	ended 16 exhausted 1
done

# --- a size larger than the target's data, a word twice
run 0 --quiet --format csv --access once --tests read --sizes 64k,1M -r file
[ "$(value notes 2)" = skipped:beyond_file ] || fail "what does not fit is not skipped: $(value notes 2)"
ended 1 exhausted 1
refuses 2 '' --quiet --access once,once null:
refuses 2 '' --quiet --format classic --access random,once null:
nothing_else=$(ls -A)
[ "$nothing_else" = "file
zeros" ] || fail "left behind: $nothing_else"
