#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# --call-size: an I/O moves in pieces. For the kernel an operation is still one open, one seek and
# one close, with as many transfers as pieces; all data are correct; short or failed pieces are
# reported as such; and tests that cannot move in pieces are named.
# shellcheck disable=SC2086 # lists of words
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all
# shellcheck source=tests/cli/trace.sh
. "$top_srcdir/tests/cli/trace.sh"
mkdir "$work/dir"
cd "$work/dir" || exit 99
log=$work/trace
few='--quiet --levels 1 --width 2 -l 1M'

refused() { # WORDS ARGS...
	refused_words=$1
	shift
	refuses 2 "$refused_words" --quiet "$@"
	[ ! -s "$work/out" ] || fail "$*: results"
	nothing_left .
}

# --- data: each block written is correct, also if pieces are not multiples of it
for engine in posix pread stdio; do
	for pieces in 4096 65536 100000 3; do
		size=$([ $pieces = 3 ] && echo 1000 || echo 1000000)
		run 0 $few --engine $engine --sizes $size --align 1 --call-size $pieces -n 6 --verify \
			--columns operations,errors_wrong,errors,errors_short .
		[ "$(grep -c '^6,0,0,0$' "$work/out")" = 2 ] || fail "$engine by $pieces: $(cat "$work/out")"
	done
done
run 0 $few --sizes 1M --call-size 64k --threads 3 --time 50ms --verify --columns errors_wrong,errors .
[ "$(grep -c '^0,0$' "$work/out")" = 2 ] || fail "threads: $(cat "$work/out")"

# --- wrong data in a middle piece are detected
run 0 $few --tests write --sizes 1M --call-size 64k -n 2 --verify --keep --run-name wrong .
wrong=$(find . -name f1 | head -1)
flip_bit "$wrong" 500000 || fail "cannot change $wrong"
run 4 --quiet -r --run-name wrong --access sequential --sizes 1M --call-size 64k -n 8 --verify --columns operations,errors_wrong .
grep -q '^8,[1-9]' "$work/out" || fail "wrong data: $(cat "$work/out")"
grep -q 'offset 500000' "$work/err" || fail "wrong data, where: $(cat "$work/err")"
run 0 clean --quiet --run-name wrong .
nothing_left .

# --- new files: each is written in pieces, read back, and read again in one call
for engine in posix pread; do
	for cache in cached uncached; do
		run 0 $few --engine $engine --cache $cache --tests create,read:created --sizes 1000000 --align 1 \
			--call-size 300000 -n 5 --verify --columns test,operations,errors_wrong,errors .
		grep -qx 'create,5,0,0' "$work/out" || fail "create, $engine, $cache: $(cat "$work/out")"
		grep -q '^read,5,.*,0$' "$work/out" || fail "read, $engine, $cache: $(cat "$work/out")"
	done
done
nothing_left .

# --- larger than any one call, through a small buffer
sparse=$work/sparse # a hole takes no memory for files in memory, elsewhere that of the cache
if [ -d /dev/shm ] && holes=$(mktemp -d /dev/shm/buffer.XXXXXX 2>/dev/null); then
	on_exit 'rm -rf "$holes"'
	sparse=$holes/sparse
fi
truncate -s 2050M "$sparse" 2>/dev/null && {
	refused 'too large: 2050 MiB.*--call-size' -r --sizes 2050M "$sparse"
	run 0 --quiet -r --sizes 2050M --call-size 1M --cache asis -n 1 \
		--columns size_bytes,operations "$sparse"
	grep -qx '2149580800,1' "$work/out" || fail "2050 MiB: $(cat "$work/out")"
	rm "$sparse"
}

# --- unsupported combinations: skipped if another part supports it, otherwise refused
run 0 --quiet --sizes 4k,64k --call-size 4k -n 4 --columns size_bytes,operations,notes null: mem:
[ "$(grep -c '^65536,4,' "$work/out")" = 4 ] || fail "null and mem: $(cat "$work/out")"
refused 'for files, and for test append' --sizes 64k --call-size 4k mem:
# object stores: only append uses pieces: 16, plus the two requests of an upload
run 0 --quiet --tests append,write,read --sizes 64k --call-size 4k --mem.like pool --objects 1 -n 1 --columns requests,notes mem:
[ "$(tr '\n' ' ' <"$work/out")" = 'requests,notes 17,wide 1,wide 1,wide ' ] || fail "append, write and read of mem: $(cat "$work/out")"
printf '%s\n' '--sizes 64k --objects 1 -n 1' '--tests write' '--tests append' >lines
run 0 --quiet @./lines --call-size 4k --mem.like pool mem: # also if another part appends
rm lines
# data larger than a call are never held in memory as a whole
run 0 --quiet --tests append,write -s -l 2050M --sizes 4k,2050M --call-size 4k -n 1 --columns size_bytes,test,operations,notes null:
grep -qx '2149580800,append,0,skipped:call_size' "$work/out" || fail "append of 2050 MiB: $(cat "$work/out")"
refused 'no row can be split.*; test append moves less than' --tests append -s -l 3Gi --sizes 3Gi --call-size 4k null:
refused 'no row can be split.*engines that do one operation at a time split it' --engine null --depth 4 --sizes 64k --call-size 4k null:
refused 'random lengths in test append' --call-size 0 .
refused 'size too large' --call-size 3G .
# each piece takes the time of one call
run 0 --quiet --sizes 64k --call-size 10k --tests read --null.delay 1ms -n 3 --columns latency_ns_min null:
[ "$(tail -1 "$work/out")" -ge 7000000 ] || fail "seven pieces of 1 ms: $(tail -1 "$work/out")"

if run 0 --quiet --dry-run -b --sizes 4k . 2>/dev/null; then
	align=$(iosweep --quiet -s -l 1M -b --tests read --sizes 64k -n 1 --columns align_bytes . 2>/dev/null | tail -1)
	case $align in
	[1-9]*)
		refused 'no row can be split this way.*O_DIRECT' -s -l 1M -b --sizes 64k --call-size 1000 .
		run 0 $few -b --sizes 256k --call-size 64k --verify -n 4 --columns operations,errors_wrong .
		[ "$(grep -c '^4,0$' "$work/out")" = 2 ] || fail "O_DIRECT: $(cat "$work/out")"
		;;
	*) echo "not tried: O_DIRECT" ;;
	esac
fi
nothing_left .

# --- system calls
can_trace || skip "strace may not trace here: calls were not counted"
counted='--levels 1 --width 2 -l 1M'
million='--sizes 1000000 --call-size 300000 -n 5'
for engine in posix pread stdio; do
	seek=$([ $engine = pread ] && echo 0 || echo 5)
	counts "open=5 seek=$seek read=20 write=0 close=5 fsync=0 direct=0 dsync=0 sync=0 bytes=5000000" \
		--engine $engine --tests read $million
	counts "open=5 seek=$seek read=0 write=20 close=5 fsync=0 direct=0 dsync=0 sync=0 bytes=5000000" \
		--engine $engine --tests write $million
	# flushed after the last piece, not after each
	counts "open=2 seek=$seek read=0 write=20 close=2 fsync=5 " \
		--engine $engine --tests write --keep-open --rounds 1 --sync end $million
done

# a new file is one open, as many writes as pieces, and one close
trace "$log" 0 --quiet --tests create $million .
for call in 'openat(.*"n[0-9]*", .*O_EXCL.*' 'write(.* = 100000$'; do
	[ "$(grep -c "$call" "$log")" = 5 ] || fail "create: not 5 of $call"
done
[ "$(grep -c 'write(.* = 300000$' "$log")" = 15 ] || fail "create: not 3 whole pieces of each file"

# --- a plan asks the kernel for the alignment of O_DIRECT on an existing file, and assumes no more
# for others: it refuses nothing that a run supports
head -c 1048576 /dev/zero >there
if iosweep -r --sizes 64k --cache direct -n 1 there >out 2>err; then
	align=$(sed -n 's/^#.* O_DIRECT needs multiples of \([0-9]*\) B$/\1/p' err)
	[ -n "$align" ] || fail "what O_DIRECT needs is not reported"
	for target in '-r there' '-s -l 1M .'; do
		pieces="--quiet --cache direct --engine pread --call-size $align -n 2 --sizes $((align + align / 2))"
		run 0 $pieces $target
		run 0 $pieces --dry-run $target
		run 2 --quiet --cache direct --engine pread --call-size 1 --sizes 4k --dry-run $target
		for more in '' --dry-run; do # one block is at most a piece, which is not a whole number of blocks
			run 0 --quiet --cache direct --engine pread --call-size $((align + 88)) --sizes 100 -n 2 $more $target
		done
	done
fi

# --- interrupted, failing, short: in the middle of an operation
[ -z "${IOSWEEP_RUN:-}" ] || exit 0
inject() { # STATUS CALL INJECTION ARGS...
	inject_want=$1
	inject_call=$2
	inject_how=$3
	shift 3
	ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" \
		strace -f -o "$log" -e trace="$inject_call" -P "$work/dir/big" -e inject="$inject_call:$inject_how" \
		"$IOSWEEP" --quiet -r --cache asis --sizes 1000000 --align 1M --call-size 300000 \
		-n 1 --engine pread --columns operations,errors,errors_short "$@" big \
		>"$work/out" 2>"$work/err"
	inject_got=$?
	[ "$inject_got" = "$inject_want" ] || fail "$inject_how: status $inject_got: $(cat "$work/err")"
	grep -q INJECTED "$log" || fail "$inject_how: nothing was injected"
}
head -c 1048576 /dev/zero >big
inject 0 pread64 error=EINTR:when=3
grep -qx '1,0,0' "$work/out" || fail "interrupted: $(cat "$work/out")"
[ "$(grep -c 'pread64(.*, [123]00000, ' "$log")" = 5 ] || fail "interrupted: not asked again"
inject 1 pread64 error=EIO:when=3
grep -qx '0,1,0' "$work/out" || fail "failed: $(cat "$work/out")"
grep -q 'cannot read .*big' "$work/err" || fail "failed: $(cat "$work/err")"
inject 1 pread64 retval=1000:when=3
grep -qx '0,0,1' "$work/out" || fail "short: $(cat "$work/out")"
grep -q '601000 of 1000000 bytes' "$work/err" || fail "short, how much: $(cat "$work/err")"
