# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# shellcheck shell=sh
# trace.sh - system calls of the program, for tests that count them.  Sourced after lib.sh:
#     can_trace              true if strace exists and may trace, and /proc shows which file a
#                            descriptor refers to
#     $no_reference          words for strace, which must include memfd_create: prevents the
#                            reference cycle in memory, whose calls would be counted
#     trace FILE STATUS ARGS runs the program directly under strace, calls to FILE, output as in run
#     drops_behind DIR       true if the kernel drops what is read there (RWF_DONTCACHE)
#     cycles FILE            counts calls on test files in their cycles, one line of NAME=COUNT
#     counts TEXT ARGS...    runs the program on test files of $counted in the current directory: what
#                            cycles says begins with TEXT; calls to $log
# shellcheck disable=SC2154
# Leak checkers do not work in a traced process and are switched off.

no_reference='-e inject=memfd_create:error=ENOSYS'

can_trace() {
	command -v strace >/dev/null && [ -e /proc/self/fd ] && strace -o /dev/null true 2>/dev/null
}

trace() {
	trace_file=$1
	trace_want=$2
	shift 2
	case $1 in
	clean) ;;
	*)
		# shellcheck disable=SC2046 # words
		set -- $(cache_of "$@") "$@"
		;;
	esac
	# shellcheck disable=SC2086 # words
	ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" \
		strace -f -s 0 $no_reference -o "$trace_file" "$IOSWEEP" "$@" >"$work/out" 2>"$work/err" </dev/null
	trace_got=$?
	[ "$trace_got" = "$trace_want" ] ||
		fail "iosweep $*: exit status $trace_got under strace, not $trace_want"
}

drops_behind() {
	trace "$work/drops" 0 --quiet -s -l 64k --cache uncached --tests read --sizes 4k -n 4 "$1"
	grep -q 'preadv2(.*\(RWF_DONTCACHE\|0x80\).*= 4096' "$work/drops"
}

counts() {
	counts_want=$1
	shift
	# shellcheck disable=SC2086 # words
	trace "$log" 0 --quiet $counted "$@" .
	counts_got=$(cycles "$log")
	case $counts_got in
	"$counts_want"*) ;;
	*) fail "$*: $counts_got, not $counts_want" ;;
	esac
}

# Outside cycles, test files are opened when created (O_CREAT), found (O_PATH, RESOLVE_BENEATH) or
# prepared (openat with O_NOATIME). In cycles openat2 opens them, or openat where that is missing.
cycles() {
	awk '
	function descriptor(text) {
		sub(/^[a-z0-9_]*\(/, "", text)
		return text + 0
	}
	{ thread = $1; sub(/^[0-9]+ +/, "") }
	sub(/ *<unfinished \.\.\.>$/, "") { begun[thread] = $0; next } # another thread called meanwhile
	sub(/^<\.\.\. [a-z0-9_]+ resumed>/, "") { $0 = begun[thread] $0 }
	/^(open|openat2?)\(/ && $NF ~ /^[0-9]+$/ {
		delete live[$NF]
		if ($0 !~ /[\/"]f[0-9]+", / || /O_CREAT|O_PATH|RESOLVE_BENEATH/ || /^openat\(.*O_NOATIME/)
			next
		live[$NF] = 1
		n["open"]++
		n["direct"] += ($0 ~ /O_DIRECT([^O]|$)/)
		n["dsync"] += ($0 ~ /O_DSYNC/)
		n["sync"] += ($0 ~ /O_SYNC/)
	}
	!(descriptor($0) in live) { next }
	/^close\(/ { n["close"]++; delete live[descriptor($0)] }
	/^_?l?lseek\(.*SEEK_SET/ { n["seek"]++ }
	/^(read|readv|pread64|preadv2?)\(/ && $NF > 0 { n["read"]++; n["bytes"] += $NF }
	/^(write|writev|pwrite64|pwritev2?)\(/ && $NF > 0 { n["write"]++; n["bytes"] += $NF }
	/^f(data)?sync\(/ { n["fsync"]++ }
	END {
		count = split("open seek read write close fsync direct dsync sync bytes", name, " ")
		for (i = 1; i <= count; i++)
			printf "%s%s=%d", (i > 1 ? " " : ""), name[i], n[name[i]]
		print ""
	}' "$1"
}
