#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Operations consist of exactly the documented system calls: each of -n cycles is one open, one seek
# (if the engine has it), one transfer of the requested size and one close; --keep-open opens each
# file once per slice; -b, --sync and --cache uncached act on each file as documented; and -r makes
# no call that changes anything.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
# shellcheck source=tests/cli/trace.sh
. "$top_srcdir/tests/cli/trace.sh"
need strace
can_trace || skip "strace may not trace here"

mkdir "$work/dir"
cd "$work/dir" || exit 99
log=$work/trace

counted='--levels 1 --width 4 -l 256k'

# --- a cycle has one call of each kind
plain='fsync=0 direct=0 dsync=0 sync=0'
for engine in posix pread stdio; do
	seek=$([ $engine = pread ] && echo 0 || echo 200)
	counts "open=200 seek=$seek read=200 write=0 close=200 $plain bytes=$((200 * 1536))" \
		--engine $engine --tests read --sizes 1536 -n 200
	counts "open=200 seek=$seek read=0 write=200 close=200 $plain bytes=$((200 * 1536))" \
		--engine $engine --tests write --sizes 1536 -n 200
	# kept open: the four files once per slice
	counts "open=4 seek=$seek read=200 write=0 close=4 $plain bytes=400" \
		--engine $engine --keep-open --rounds 1 --tests read --sizes 2 -n 200
done
counts "open=20 seek=200 read=0 write=200 close=20 $plain bytes=400" \
	--keep-open --rounds 5 --tests write --sizes 2 -n 200

# --- durable writes
counts 'open=20 seek=20 read=0 write=20 close=20 fsync=0 direct=0 dsync=20 sync=0 ' \
	--sync data --tests write --sizes 512 -n 20
counts 'open=20 seek=20 read=0 write=20 close=20 fsync=0 direct=0 dsync=0 sync=20 ' \
	--sync full --tests write --sizes 512 -n 20
for engine in posix stdio; do
	counts 'open=20 seek=20 read=0 write=20 close=20 fsync=20 direct=0 dsync=0 sync=0 ' \
		--engine $engine --sync end --tests write --sizes 512 -n 20
done
counts 'open=4 seek=0 read=0 write=20 close=4 fsync=20 ' \
	--engine pread --sync end --keep-open --rounds 1 --tests write --sizes 512 -n 20
counts 'open=20 seek=20 read=20 write=0 close=20 fsync=0 ' \
	--sync end --tests read --sizes 512 -n 20

# --- uncached: nothing is read ahead, and pages read are dropped, by the kernel or by iosweep
few="--cache uncached --tests read --sizes 512 -n 50"
by_kernel=0
by_us=50
! drops_behind . || { by_kernel=50 by_us=0; }
for engine in posix pread stdio; do
	[ $engine != stdio ] || { by_kernel=0 by_us=50; }
	seek=$([ $engine = pread ] && echo 0 || echo 50)
	# shellcheck disable=SC2086 # a list of words
	counts "open=$((50 + by_us)) seek=$seek read=50 write=0 close=$((50 + by_us)) " --engine $engine $few
	dropped=$(grep -c 'fadvise64.*, [1-9][0-9]*, POSIX_FADV_DONTNEED) = 0' "$log")
	[ "$dropped" = $by_us ] || fail "--cache uncached: $dropped of $by_us ranges dropped"
	dropped=$(grep -c 'preadv2(.*\(RWF_DONTCACHE\|0x80\).*= 512' "$log")
	[ "$dropped" = $by_kernel ] || fail "--cache uncached: $dropped of $by_kernel reads drop"
	advised=$(grep -c 'fadvise64(.*, 0, 0, POSIX_FADV_RANDOM) = 0' "$log")
	[ "$advised" -ge 50 ] || fail "--cache uncached: $advised of 50 files advised"
done

# --- bypassing the cache
iosweep --quiet -b --tests read --sizes 64k -l 256k -s -n 4 . >"$work/out" 2>"$work/err"
case $? in
0)
	for engine in posix pread; do
		seek=$([ $engine = posix ] && echo 20 || echo 0)
		counts "open=20 seek=$seek read=20 write=0 close=20 fsync=0 direct=20 dsync=0 sync=0 bytes=$((20 * 65536))" \
			--engine $engine -b --tests read --sizes 64k -n 20
		counts "open=20 seek=$seek read=0 write=20 close=20 fsync=0 direct=20 dsync=0 sync=0 bytes=$((20 * 65536))" \
			--engine $engine -b --tests write --sizes 64k -n 20
	done
	# blocks larger than the size are read, modified and written back
	counts 'open=20 seek=20 read=20 write=20 close=20 fsync=0 direct=20 ' \
		-b --tests write --sizes 3 -n 20
	;;
3) echo "not tried: -b, this file system refuses O_DIRECT" ;;
*) fail "-b: unexpected exit status" ;;
esac
nothing_left .

# --- -r changes nothing: no such call, and writes only to the two standard streams
run 0 --quiet --keep --levels 2 --width 2 -l 64k --tests read --sizes 2 -n 4 .
for engine in posix pread stdio; do
	trace "$log" 0 -r --engine $engine -n 20 --max-size 32k .
	case $(cycles "$log") in
	'open=140 '*' read=140 write=0 close=140 fsync=0 '*) ;; # 7 sizes, 20 operations each
	*) fail "-r $engine: $(cycles "$log")" ;;
	esac
	sed 's/^[0-9]* *//' "$log" | grep -Ev '^p?writev?(64)?\([12], ' | grep -E \
		-e '^(p?writev?2?|pwrite64|f?truncate(64)?|unlink|rename|mkdir|rmdir|link|symlink|mknod)' \
		-e '^(f?chmod|f?chown|lchown|utime|futimes|fallocate|sendfile|copy_file|splice|.*setxattr)' \
		-e '^(open|creat).*(O_WRONLY|O_RDWR|O_CREAT|O_TRUNC)' >"$work/changing" &&
		fail "-r with engine $engine: $(head -1 "$work/changing")"
done
run 0 clean --quiet .
nothing_left .

# --- files that there was no time for are neither created nor accessed: of 1000 directories one
trace "$log" 1 --quiet --max-time 1ns --levels 2 --width 1000 -l 4k --tests read --sizes 4k .
[ "$(grep -c ' mkdirat(.*= 0$' "$log")" = 2 ] || fail "directories without files"
[ "$(wc -l <"$log")" -lt 10000 ] || fail "files that were never made are removed one by one"
nothing_left .
