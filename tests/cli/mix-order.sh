#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# --mix in order: reads and writes share one sequence of places. Sequential continues where it
# stopped and wraps around; once uses each block once, with a read or a write, and both rows end
# successfully. Checked by system calls, otherwise by what is written.
# shellcheck disable=SC2086 # lists of words
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all
# shellcheck source=tests/cli/trace.sh
. "$top_srcdir/tests/cli/trace.sh"
need awk cmp od seq

mkdir "$work/dir"
cd "$work/dir" || exit 99
plain='--quiet --format csv --sizes 4k --mix 60
	--columns operations,test,mix,stop,errors,errors_wrong,requests'

# value COLUMN TEST: of the only such row
value() {
	by_name -v of="$2" 'test == of { print '"$1"'; n++ } END { if (n != 1) print n + 0 " rows" }'
}
# ended OPERATIONS STOP: of both kinds together
ended() {
	[ "$(($(value operations read) + $(value operations write)))" = "$1" ] && [ "$(value stop read)" = "$2" ] &&
		[ "$(value stop write)" = "$2" ] && [ "$(value errors read)$(value errors write)" = 00 ] ||
		fail "not $1 operations and stop=$2: $(cat "$work/out")"
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
	LSAN_OPTIONS=detect_leaks=0 strace -ff -qq -y -v -s 0 -e trace=pread64,pwrite64,io_submit -o "$work/trace" \
		"$IOSWEEP" $plain --cache asis "$@" >"$work/out" 2>"$work/err" || fail "$*: exit status $?: $(cat "$work/err")"
	cat "$work/trace".* >"$work/trace" # a file per thread: calls are not interrupted
	calls "$work/trace" | grep " $bytes .*/dir/.*\(file\|f[0-9]\)$" >"$work/calls"
	if [ "$bytes" = 4096 ]; then
		for kind in read write; do
			[ "$(grep -c "^$kind " "$work/calls")" = "$(value operations $kind)" ] ||
				fail "$*: $(grep -c "^$kind " "$work/calls") calls: $(cat "$work/out")"
		done
	fi
}
in_order() { # FILE WHAT
	awk '{ print $3 }' "$work/calls" | cmp -s "$1" - || fail "$2: $(cat "$work/calls")"
}
all_once() { # WHAT
	awk '{ print $3 }' "$work/calls" | sort -n | cmp -s "$work/once" - || fail "$1: $(sort -n -k 3 "$work/calls")"
}

if command -v strace >/dev/null && can_trace; then
	for engine in pread libaio; do
		iosweep --quiet --engine $engine -n 1 --sizes 4k -r --cache asis file >/dev/null 2>"$work/err" || {
			echo "$engine is not usable here: $(cat "$work/err")"
			continue
		}
		deep=
		[ $engine = pread ] || deep='4 64'
		[ $engine = pread ] || may_open 400 || deep='4 32'
		for depth in ${deep:-1}; do
			set -- --engine $engine --depth "$depth" --overwrite
			ran "$@" --access once file
			in_order "$work/once" "$* once"
			ended 25 exhausted
			cat "$work/once" "$work/once" "$work/once" | head -n 60 >"$work/expected"
			for rounds in 1 7; do # slices continue where the previous one ended
				ran "$@" --access sequential -n 60 --rounds $rounds file
				in_order "$work/expected" "$* sequential, $rounds rounds"
				ended 60 count
			done
			ran "$@" --access once --threads 3 file
			all_once "$* once, 3 threads"
			ended 25 exhausted
			ran "$@" --access sequential --threads 5 -n 1000 --rounds 1 --rate 100000 file # 5 blocks each
			awk '{ print $3 }' "$work/calls" | sort -n | uniq -c | awk '$1 != 40 { bad = 1 } END { exit bad || NR != 25 }' ||
				fail "$*: threads have no equal parts: $(awk '{ print $3 }' "$work/calls" | sort -n | uniq -c)"
			ended 1000 count
		done
	done
	if [ -n "$deep" ]; then # verified: each batch in flight completes before the next begins
		bytes= # writes are read back with other calls, which are not counted
		ran --engine libaio --depth 4 --access once --verify --levels 1 --width 1 -l 66k .
		grep -o 'aio_offset=[0-9]*' "$work/trace" | cut -d = -f 2 >"$work/got"
		seq 0 4096 61440 | cmp -s - "$work/got" || fail "verified: $(cat "$work/got")"
		bytes=4096
	fi
	ran --engine pread --overwrite --access once --rate 2000 --threads 2 --keep-open file
	all_once "once, --rate"
	ran --engine pread --overwrite --access once --time 100s file
	in_order "$work/once" "once, --time"
	ended 25 exhausted

	# the percentage and order of kinds equal those of random access
	ran --engine pread --overwrite --access sequential -n 2000 file
	awk -v r="$(value operations read)" 'BEGIN { exit (r - 1200) ^ 2 > 25 * 2000 * 0.6 * 0.4 }' ||
		fail "not 60 percent: $(cat "$work/out")"

	# in pieces: all of an operation is of one kind
	bytes=1024
	ran --engine pread --overwrite --access once --call-size 1k file
	seq 0 1024 101376 | cmp -s - "$work/once" && exit 99
	seq 0 1024 101376 >"$work/expected"
	in_order "$work/expected" "in pieces"
	awk 'NR % 4 != 1 && $1 != kind { exit 1 } { kind = $1 }' "$work/calls" || fail "half read, half written: $(cat "$work/calls")"
	ended 25 exhausted
	bytes=4096

	# files, one after the other, and round again
	ran --engine pread --access sequential -n 24 --rounds 3 --levels 1 --width 3 -l 18k .
	awk '{ if ($4 != path) { files++; path = $4; at = 0; if (NR > 12 && path != first[files - 3]) bad = 1; first[files] = path }
		if ($3 != at) bad = 1; at += 4096 } END { exit bad || files != 6 || NR != 24 }' "$work/calls" ||
		fail "files: $(cat "$work/calls")"
else
	echo "strace is not usable here: offsets are not looked at"
fi

# --- by what is written: reads and writes are as many as blocks, and as many blocks have changed as
# there were writes
engines=$("$IOSWEEP" help engines | sed -n 's/^\(posix\|pread\|stdio\|libaio\|io_uring\) .*/\1/p')
for engine in $engines; do
	iosweep --quiet --engine "$engine" -n 1 --sizes 4k -r --cache asis file >/dev/null 2>"$work/err" || {
		echo "$engine is not usable here: $(cat "$work/err")"
		continue
	}
	for more in "--threads 1" "--threads 3" "--depth 4" "--depth 64 --threads 2" "--keep-open" "--interval 50ms --series ../series"; do
		case $engine,$more in
		libaio,*depth* | io_uring,*depth*) ;;
		*depth*) continue ;;
		esac
		head -c 102500 /dev/zero >zeros
		run 0 $plain --cache asis --engine "$engine" $more --access once --overwrite zeros
		ended 25 exhausted
		[ "$(wc -c <zeros)" = 102500 ] || fail "$engine $more: the file has another length"
		changed=$(od -An -v -tx1 -w4096 zeros | awk 'NR < 26 && /[1-9a-f]/ { n++ } NR == 26 && /[1-9a-f]/ { n = -99 }
			END { print n + 0 }')
		[ "$changed" = "$(value operations write)" ] || fail "$engine $more: $changed blocks written: $(cat "$work/out")"
	done
done

# --- more, as many and fewer operations than blocks; several threads; correct data
for how in '16 exhausted' '16 exhausted -n 17' '16 count -n 16' '15 count -n 15' '16 exhausted -n 6/thread --threads 3' \
	'15 count -n 5/thread --threads 3' '16 exhausted --max-time 100s --threads 2'; do
	set -- $how
	count=$1 stop=$2
	shift 2
	run 0 $plain --verify --levels 1 --width 2 -l 32k --access once "$@" .
	ended "$count" "$stop"
	[ "$(value errors_wrong read),$(value errors_wrong write)" = 0,0 ] || fail "$*: wrong data"
	run 0 $plain --verify --objects 16 --depth 3 --access once "$@" mem:
	ended "$count" "$stop"
	[ "$(value errors_wrong read),$(value errors_wrong write)" = 0,0 ] || fail "$*: wrong data in mem:"
	[ "$(value requests read),$(value requests write)" = "$(value operations read),$(value operations write)" ] ||
		fail "$*: not a request each: $(cat "$work/out")"
done
run 0 $plain --verify --access sequential --objects 16 -n 100 --threads 3 mem:
ended 100 count
run 0 $plain --access once --depth 8 --threads 3 null:
ended 65536 exhausted
run 0 $plain --verify --access once --mix 0,60,100 --levels 1 --width 1 -l 64k .
awk -F, 'NR > 1 { n += $1 } END { exit n != 48 || NR != 5 }' "$work/out" || fail "0 and 100 beside: $(cat "$work/out")"

# --- a kept run is read in order, and overwritten with --reuse; also a second time
run 0 --quiet --keep --verify --run-name seq --tests write --sizes 4k -n 4 --levels 1 --width 2 -l 32k .
for again in 1 2; do
	run 0 $plain --reuse seq --access once --verify .
	ended 16 exhausted
	run 0 --quiet --format csv -r --run-name seq --tests read --sizes 4k --access once --verify .
	[ "$(value operations read),$(value stop read)" = 16,exhausted ] || fail "$again: read again: $(cat "$work/out")"
	for n in 15:15:count 16:16:count 17:16:exhausted; do
		run 0 --quiet --format csv -r --run-name seq --tests read --sizes 4k --access once -n "${n%%:*}" .
		[ "${n#*:}" = "$(value operations read):$(value stop read)" ] || fail "-n $n: $(cat "$work/out")"
	done
done
run 0 clean --quiet --run-name seq .

# --- reads and writes of different objects share no sequence
refuses 2 '' $plain --access once --object-size 64k --objects 3 mem:
[ "$(ls -A)" = "file
zeros" ] || fail "left behind: $(ls -A)"
