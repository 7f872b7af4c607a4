#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# memory.sh - limits of memory are checked before buffers are allocated: those of the process, and
# (as root) of its control group, where the kernel would kill it. One line with the available
# amount; nothing is left.
# shellcheck disable=SC2015,SC3045
: "${top_srcdir:?run the tests with make check}"
# shellcheck source=tests/cli/lib.sh
. "$top_srcdir/tests/cli/lib.sh"
[ -z "${IOSWEEP_RUN:-}" ] || skip "a wrapper needs memory of its own"

mkdir "$work/dir"
# had: the number of available bytes in the last line
had() {
	sed -n 's/.*; \([0-9.]*\) \([KMG]*i*B\) are available (.*/\1 \2/p' "$work/err" | awk '
		{ print int($1 * ($2 == "B" ? 1 : $2 == "KiB" ? 1024 : $2 == "MiB" ? 1048576 : 1073741824)) }'
}
refused() { # refused in one line with at most this many available bytes
	[ "$status" = 3 ] || fail "$2: exit status $status, not 3"
	one_line "$work/err"
	grep -q 'the buffers need more memory than is available: ' "$work/err" ||
		fail "$2: another reason"
	[ -n "$(had)" ] || fail "$2: it does not say what can be had"
	[ "$(had)" -le "$1" ] || fail "$2: $(had) bytes can be had, of $1"
	nothing_left "$work/dir"
}

[ -r /proc/meminfo ] || skip "needs /proc: how much memory is available is not known"

# --- ulimit -v; programs with sanitizers reserve far more
if (ulimit -v 200000 && "$IOSWEEP" --version) >/dev/null 2>&1; then
	(
		ulimit -v 200000
		exec "$IOSWEEP" --quiet --tests read --sizes 1Mi -n 256 --threads 256 -l 1Mi -s \
			"$work/dir" >"$work/out" 2>"$work/err" </dev/null
	)
	status=$?
	refused $((200000 * 1024)) "ulimit -v"
else
	echo "not tried: ulimit -v, the program does not start with it"
fi

# --- a private control group with 64 MiB
group=
if [ "$(id -u)" = 0 ]; then
	own=$(sed -n 's/^[0-9]*:memory:\(.*\)/\1/p' /proc/self/cgroup)
	if [ -n "$own" ] && [ -d "/sys/fs/cgroup/memory$own" ]; then
		group=/sys/fs/cgroup/memory$own/iosweep-test-$$
		limit=memory.limit_in_bytes
	elif own=$(sed -n 's/^0:://p' /proc/self/cgroup) && [ -n "$own" ]; then
		group=/sys/fs/cgroup$own/iosweep-test-$$
		limit=memory.max
	fi
	mkdir "$group" 2>/dev/null && on_exit "rmdir '$group' 2>/dev/null" || group=
fi
if [ -n "$group" ] && echo 67108864 2>/dev/null >"$group/$limit"; then
	sh -c 'echo $$ >"$1/cgroup.procs" && shift && exec "$@"' sh "$group" "$IOSWEEP" --quiet \
		--tests read --sizes 1Mi -n 256 --threads 256 -l 1Mi -s "$work/dir" \
		>"$work/out" 2>"$work/err" </dev/null
	status=$?
	refused 67108864 "a control group"
	sh -c 'echo $$ >"$1/cgroup.procs" && shift && exec "$@"' sh "$group" "$IOSWEEP" --quiet \
		--tests read --sizes 4k -n 2 -l 64k -s "$work/dir" >"$work/out" 2>"$work/err" </dev/null ||
		fail "a control group that is large enough: exit status $?"
else
	echo "not tried: a control group, none can be made here"
fi
