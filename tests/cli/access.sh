#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# --access sequential continues where it stopped and wraps around, once takes each block once and
# then ends successfully; with --mix reads and writes share that sequence of places. Checked by system
# calls where each operation is a separate call, otherwise by what is written. Threads and depth,
# lengths that are not a multiple of the size, unused time, and incompatible options.
# shellcheck disable=SC2086 # lists of words
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all
# shellcheck source=tests/cli/trace.sh
. "$top_srcdir/tests/cli/trace.sh"
need awk cmp od seq

mkdir "$work/dir"
cd "$work/dir" || exit 99
plain='--quiet --format csv'
mixed="$plain --sizes 4k --mix 60"

# of COLUMN TEST: in the only such row
of() {
	by_name -v wanted="$2" 'test == wanted { print '"$1"'; n++ } END { if (n != 1) print n + 0 " rows" }'
}
# ended OPERATIONS STOP: all rows together, without errors
ended() {
	by_name -v wanted="$1" -v how="$2" '{ all += operations; bad += errors + errors_wrong + (stop != how) }
		END { exit bad || all != wanted }' || fail "not $1 operations and stop=$2: $(cat "$work/out")"
}

# --- offsets seen by the kernel: 25 blocks, and 100 bytes that are no block
head -c 102500 /dev/urandom >file
seq 0 4096 98304 >"$work/once"
# calls FILE: KIND BYTES OFFSET PATH (blanks are _) of each transfer in a trace, in order
calls() {
	awk '
	function put(call, kind,    path, word, n) {
		path = call
		sub(/^[^<]*</, "", path)
		sub(/>.*/, "", path)
		gsub(/ /, "_", path)
		n = split(call, word, ", ")
		print kind, word[n - 1], word[n], path
	}
	!sub(/\) += [0-9]+$/, "") { next }
	/^p(read|write)64\(/ { put($0, /^pread/ ? "read" : "write") }
	/^io_submit\(/ {
		gsub(/aio_(nbytes|offset)=/, "")
		n = split($0, block, "{")
		for (i = 2; i <= n; i++) {
			sub(/}.*/, "", block[i])
			put(block[i], block[i] ~ /IOCB_CMD_PREAD/ ? "read" : "write")
		}
	}' "$1"
}
bytes=4096 # of a call
# ran ARGS...: writes the transfers to $work/calls
ran() {
	rm -f "$work/trace".*
	LSAN_OPTIONS=detect_leaks=0 strace -ff -qq -y -v -s 0 -e trace=pread64,pwrite64,io_submit,memfd_create \
		$no_reference -o "$work/trace" "$IOSWEEP" $plain --columns all --cache asis --sizes 4k "$@" \
		>"$work/out" 2>"$work/err" || fail "$*: exit status $?: $(cat "$work/err")"
	cat "$work/trace".* >"$work/trace" # a file per thread: calls are not interrupted
	calls "$work/trace" | grep " $bytes .*/dir/.*\(file\|f[0-9]\)$" >"$work/calls"
	[ "$bytes" != 4096 ] || [ "$(cut -d ' ' -f 1 "$work/calls" | sort | uniq -c | awk '{ print $2, $1 }')" = \
		"$(by_name 'operations > 0 { print test, operations }' | sort)" ] ||
		fail "$*: $(wc -l <"$work/calls") calls: $(cat "$work/out")"
}
in_order() { # FILE WHAT
	awk '{ print $3 }' "$work/calls" | cmp -s "$1" - || fail "$2: $(cat "$work/calls")"
}
all_once() { # WHAT
	awk '{ print $3 }' "$work/calls" | sort -n | cmp -s "$work/once" - || fail "$1: $(sort -n -k 3 "$work/calls")"
	ended 25 exhausted
}

if command -v strace >/dev/null && can_trace; then
	cat "$work/once" "$work/once" "$work/once" | head -n 60 >"$work/sequential"
	head -n 20 "$work/once" >"$work/some"
	seq 0 16384 98304 >"$work/aligned"
	deep=
	for engine in pread libaio; do
		iosweep --quiet --engine $engine -n 1 --sizes 4k -r --cache asis file >/dev/null 2>"$work/err" || {
			echo "$engine is not usable here: $(cat "$work/err")"
			continue
		}
		depths=1
		[ $engine = pread ] || { deep='4 64' && may_open 400 || deep='4 32'; }
		for how in '--tests read -r' '--mix 60 --overwrite'; do
			case $engine,$how in libaio,*read*) continue ;; esac # mixed operations are reads, too
			for depth in ${deep:-$depths}; do
				set -- --engine $engine --depth "$depth" $how
				ran "$@" --access once file
				in_order "$work/once" "$* once"
				ended 25 exhausted
				for rounds in 1 7; do # slices continue where the previous one ended
					ran "$@" --access sequential -n 60 --rounds $rounds file
					in_order "$work/sequential" "$* sequential, $rounds rounds"
					ended 60 count
				done
				ran "$@" --access once --threads 3 file
				all_once "$* once, 3 threads"
				ran "$@" --access sequential --threads 5 -n 1000 --rounds 1 --rate 100000 file # 5 blocks each
				awk '{ print $3 }' "$work/calls" | sort -n | uniq -c | awk '$1 != 40 { bad = 1 } END { exit bad || NR != 25 }' ||
					fail "$*: threads have no equal parts: $(awk '{ print $3 }' "$work/calls" | sort -n | uniq -c)"
				ended 1000 count
			done
			[ $engine = pread ] || continue
			ran "$@" --access once --time 100s --rounds 3 file
			in_order "$work/once" "$* once, --time"
			ended 25 exhausted
			ran "$@" --access once -n 20 file # the first limit reached
			in_order "$work/some" "$* once, -n 20"
			ended 20 count
			for threads in 2 40; do
				ran "$@" --access once --threads $threads file
				all_once "$* once, $threads threads"
			done
			ran "$@" --access once --rate 2000 --threads 2 --keep-open file
			all_once "$* once, --rate"
			ran "$@" --access once --align 16k file
			in_order "$work/aligned" "$* once, --align 16k"
		done
	done
	if [ -n "$deep" ]; then # verified: each batch in flight completes before the next begins
		bytes= # writes are read back with other calls, which are not counted
		ran --mix 60 --engine libaio --depth 4 --access once --verify --levels 1 --width 1 -l 66k .
		grep -o 'aio_offset=[0-9]*' "$work/trace" | cut -d = -f 2 >"$work/got"
		seq 0 4096 61440 | cmp -s - "$work/got" || fail "verified: $(cat "$work/got")"
		bytes=4096
	fi

	# the percentage and order of kinds equal those of random access
	ran --mix 60 --engine pread --overwrite --access sequential -n 2000 file
	awk -v r="$(of operations read)" 'BEGIN { exit (r - 1200) ^ 2 > 25 * 2000 * 0.6 * 0.4 }' ||
		fail "not 60 percent: $(cat "$work/out")"

	# in pieces: all of an operation is of one kind
	bytes=1024
	ran --mix 60 --engine pread --overwrite --access once --call-size 1k file
	seq 0 1024 101376 >"$work/pieces"
	in_order "$work/pieces" "in pieces"
	awk 'NR % 4 != 1 && $1 != kind { exit 1 } { kind = $1 }' "$work/calls" || fail "half read, half written: $(cat "$work/calls")"
	ended 25 exhausted
	bytes=4096

	# files, one after the other, and round again
	ran --mix 60 --engine pread --access sequential -n 24 --rounds 3 --levels 1 --width 3 -l 18k .
	awk '{ if ($4 != path) { files++; path = $4; at = 0; if (NR > 12 && path != first[files - 3]) bad = 1; first[files] = path }
		if ($3 != at) bad = 1; at += 4096 } END { exit bad || files != 6 || NR != 24 }' "$work/calls" ||
		fail "files: $(cat "$work/calls")"
else
	echo "strace is not usable here: offsets are not looked at"
fi

# --- by what is written: as many operations as blocks, and as many blocks have changed as there were
# writes
engines=$("$IOSWEEP" help engines | sed -n 's/^\(posix\|pread\|stdio\|libaio\|io_uring\) .*/\1/p')
for engine in $engines; do
	iosweep --quiet --engine "$engine" -n 1 --sizes 4k -r --cache asis file >/dev/null 2>"$work/err" || {
		echo "$engine is not usable here: $(cat "$work/err")"
		continue
	}
	for more in "--threads 1" "--threads 3" "--depth 4" "--depth 64 --threads 2" --keep-open "--time 100s" \
		"--interval 50ms --series ../series"; do
		case $engine,$more in
		libaio,*depth* | io_uring,*depth*) ;;
		*depth*) continue ;;
		esac
		for how in '--tests write' '--mix 60'; do
			head -c 102500 /dev/zero >zeros
			run 0 $plain --sizes 4k --cache asis --engine "$engine" $more $how --access once --overwrite zeros
			ended 25 exhausted
			[ "$(wc -c <zeros)" = 102500 ] || fail "$engine $more: the file has another length"
			changed=$(od -An -v -tx1 -w4096 zeros | awk 'NR < 26 && /[1-9a-f]/ { n++ } NR == 26 && /[1-9a-f]/ { n = -99 }
				END { print n + 0 }')
			[ "$changed" = "$(of operations write)" ] || fail "$engine $more: $changed blocks written: $(cat "$work/out")"
		done
	done
done

# --- files of a run: each block of each file, verified; incomplete blocks are skipped
for access in sequential once; do
	run 0 $plain --verify --access $access --threads 2 -n 10000 --sizes 3000,12k --levels 2 --width 2 -l 40k .
	rows 'errors_wrong == 0'
done
shows 'operations stop' '52:exhausted 12:exhausted 52:exhausted 12:exhausted' # 13 and 3 in each of 4 files

# --- together with random access: rows of each, and nothing else changes
run 0 $plain --access random,once --tests read --sizes 4k,8k -n 1000 -l 64k --levels 1 --width 1 .
shows 'access operations stop errors' 'random:1000:count:0 random:1000:count:0 once:16:exhausted:0 once:8:exhausted:0'
for target in null: mem:; do
	run 0 $plain --access once --depth 8 --threads 3 --sizes 64k "$target"
	shows stop 'exhausted exhausted' "$target"
done
shows operations '64 64'
run 0 $plain --access sequential,once --tests list,delete,stat --sizes 4k -n 8 --objects 8 mem:
shows 'test access' 'list: delete: stat:sequential stat:once' # where there is an order

# --- fewer places than -n N/thread requests: all of them, then the row ends
for threads in 2 3 20; do
	run 0 $plain --access once -n 10/thread --threads $threads --tests read --sizes 4k --objects 4 --object-size 16k mem:
	ended 16 exhausted
done

# --- more, as many and fewer operations than blocks; several threads; correct data
for how in '16 exhausted' '16 exhausted -n 17' '16 count -n 16' '15 count -n 15' '16 exhausted -n 6/thread --threads 3' \
	'15 count -n 5/thread --threads 3' '16 exhausted --max-time 100s --threads 2'; do
	set -- $how
	count=$1 stop=$2
	shift 2
	run 0 $mixed --verify --levels 1 --width 2 -l 32k --access once "$@" .
	ended "$count" "$stop"
	run 0 $mixed --verify --objects 16 --depth 3 --access once "$@" mem:
	ended "$count" "$stop"
	rows 'requests == operations'
done
run 0 $mixed --verify --access sequential --objects 16 -n 100 --threads 3 mem:
ended 100 count
run 0 $mixed --access once --depth 8 --threads 3 null:
ended 65536 exhausted
run 0 $plain --sizes 4k --verify --access once --mix 0,60,100 --levels 1 --width 1 -l 64k .
ended 48 exhausted
[ "$(wc -l <"$work/out")" = 5 ] || fail "0 and 100 beside: $(cat "$work/out")"

# --- a kept run is read in order, and overwritten with --reuse; also a second time
run 0 --quiet --keep --verify --run-name seq --tests write --sizes 4k -n 4 --levels 1 --width 2 -l 32k .
for again in 1 2; do
	run 0 $mixed --reuse seq --access once --verify .
	ended 16 exhausted
	run 0 $plain -r --run-name seq --tests read --sizes 4k --access once --verify .
	ended 16 exhausted
	for n in 15:15:count 16:16:count 17:16:exhausted; do
		run 0 $plain -r --run-name seq --tests read --sizes 4k --access once -n "${n%%:*}" .
		shows 'operations stop' "${n#*:}" "$again: -n $n"
	done
done
run 0 clean --quiet --run-name seq .

# --- a size larger than the target's data, a word twice; reads and writes of different objects share no
# sequence
run 0 $plain --access once --tests read --sizes 64k,1M -r file
rows 'size_bytes == 65536 ? operations == 1 && stop == "exhausted" && errors == 0 : notes == "skipped:beyond_file"'
refuses 2 '' --quiet --access once,once null:
refuses 2 '' --quiet --format classic --access random,once null:
refuses 2 '' $mixed --access once --object-size 64k --objects 3 mem:
[ "$(ls -A)" = "file
zeros" ] || fail "left behind: $(ls -A)"
