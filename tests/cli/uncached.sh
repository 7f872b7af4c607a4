#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# With --cache uncached each read reaches the device, from 2 bytes on, although the file was just
# written in pieces of 1 MiB, which the kernel caches as large folios and only drops as a whole:
# with every engine, with kept-open files, with many operations in flight, also in the run's own
# files. And rows note the opposite: cached rows are served from memory.
# shellcheck disable=SC2086 # lists of words
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all

need awk dd
cd "$work" || exit 99 # keeps commas out of the target's name in rows
size=128 # MiB: operations in flight rarely share a page
dd if=/dev/urandom of=data bs=1M count=$size 2>/dev/null || fail "dd"
fresh() { dd if=data of=file bs=1M 2>/dev/null || fail "dd"; }

# all_from_device WHAT: at least 99 % of the reads of each row
all_from_device() {
	by_name '
		device_bytes == "" { uncounted = 1; next }
		{
			count++
			least = size_bytes < 4096 ? 4096 : size_bytes
			if (device_bytes < 0.99 * operations * least || cache_hit_fraction > 0.01 || notes ~ /cache_hits/ ||
				resident_fraction_before > 0.05 || errors != 0) {
				print
				bad = 1
			}
		}
		END { exit bad ? 1 : uncounted ? 2 : count != 4 }'
	case $? in
	0) ;;
	2) skip "bytes that reach the device are not counted on this file system" ;;
	*) fail "$1: not all reads reached the device" ;;
	esac
}

page=$(getconf PAGESIZE)
[ "$page" -eq 4096 ] || skip "pages are not of 4096 bytes"
sweep="--quiet --format csv --cache uncached --sizes 2,512,4k,64k -n 200 --tests read"
engines=$("$IOSWEEP" help engines | sed -n 's/^\([a-z_]*\) .*/\1/p' | grep -v '^null')
[ -n "$engines" ] || fail "no engines"
for engine in $engines; do
	iosweep --quiet --engine "$engine" -n 1 --sizes 4k -r --cache asis "$top_srcdir/configure" \
		>/dev/null 2>"$work/err" || {
		echo "$engine is not usable here: $(cat "$work/err")"
		continue
	}
	case $engine in
	io_uring) set -- '' --keep-open '--depth 4' '--io_uring.link --depth 4' '--io_uring.fixed off --depth 4' ;;
	libaio) set -- '' --keep-open '--depth 4' ;;
	*) set -- '' --keep-open '--threads 2' ;;
	esac
	for more; do
		fresh
		run 0 $sweep --engine "$engine" $more -r file
		all_from_device "$engine $more"
	done
done

# The kernel does not drop folios in use; a retry succeeds. Here it drops nothing four times.
inject='-e trace=fadvise64 -e inject=fadvise64:retval=0:when=1..4'
case $(uname -r)/$(stat -f -c %T . 2>/dev/null) in
[1-5].* | 6.[0-4]/* | 6.[0-4][!0-9]* | */overlayfs) echo "not tried: dropping again, the kernel does not tell what is cached" ;;
*) if strace -o /dev/null $inject true 2>/dev/null; then
	head -c 8388608 /dev/urandom >small
	LSAN_OPTIONS=detect_leaks=0 strace -f -o "$work/trace" $inject "$IOSWEEP" --quiet --format csv --cache uncached \
		--columns all --sizes 4k -n 50 --rounds 1 -r small >"$work/out" 2>"$work/err" || fail "status $?"
	value resident_fraction_before | awk '{ exit $1 == "" || $1 > 0.5 }' || fail "what was not dropped stays"
else
	echo "not tried: dropping again, strace cannot be used"
fi ;;
esac

# the run's own files are just written, too
run 0 $sweep --file-size 1Mi .
all_from_device "files of our own"

# ... also where a filter of system calls refuses that alone which drops what was written
inject='-e trace=pwritev2 -e inject=pwritev2:error=EPERM'
if strace -o /dev/null $inject true 2>/dev/null; then
	LSAN_OPTIONS=detect_leaks=0 strace -f -o /dev/null $inject "$IOSWEEP" --quiet --cache uncached --tests write \
		--sizes 4k -n 50 --file-size 64k . >"$work/out" 2>"$work/err" || fail "pwritev2 is refused: status $?"
fi

# and the opposite
# (a kernel that reclaims memory ahead of need may take some of it at any moment)
for try in 1 2 3; do
	fresh
	run 0 --quiet --format csv --cache cached --sizes 2,512,4k,64k -n 200 --tests read -r file
	! by_name 'cache_hit_fraction == "" || cache_hit_fraction < 0.95 || notes ~ /not_cached/ { bad = 1 }
		END { exit bad || NR != 5 }' || exit 0
	echo "try $try: some were not in memory"
done
fail "cached reads were not answered by memory"
