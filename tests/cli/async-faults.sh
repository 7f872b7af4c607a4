#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# async-faults.sh - failures with many operations in flight are counted exactly, reported once, and
# leave nothing behind, just as with the synchronous engine run for comparison. Failures come from a
# file system with scheduled faults (tests/fuse/faulty.c), so that they reach io_uring and aio where
# no system call could be made to fail, and from system calls of these interfaces that strace makes
# fail. Parts that this machine cannot run are named and skipped.
# shellcheck disable=SC2086,SC2046
# (no quotes: lists of words)
: "${top_srcdir:?run the tests with make check}" "${builddir:?}"
# shellcheck source=tests/cli/lib.sh
. "$top_srcdir/tests/cli/lib.sh"
# shellcheck source=tests/cli/async.sh
. "$top_srcdir/tests/cli/async.sh"
# shellcheck source=tests/cli/trace.sh
. "$top_srcdir/tests/cli/trace.sh"
need awk timeout

columns="--columns size_bytes,operations,time_s,throughput_bytes_per_s,rate_per_s,test,engine,cache"
columns="$columns,threads,depth,errors,errors_short,notes"
parts=

[ -n "$async" ] || skip "no asynchronous engine"

# bounded STATUS ARGS...: like run, but must end by itself. STATUS 0,1: one of them.
bounded() {
	bounded_want=$1
	shift
	timeout --foreground -k 5 200 ${IOSWEEP_RUN:-} "$IOSWEEP" "$@" >"$work/out" 2>"$work/err" </dev/null
	bounded_got=$?
	[ "$bounded_got" -lt 124 ] || fail "iosweep $*: does not end by itself ($bounded_got)"
	case ,$bounded_want, in
	*,$bounded_got,*) ;;
	*) fail "iosweep $*: exit status $bounded_got, not $bounded_want" ;;
	esac
}

# figures ROWS N COLUMN: each row has N operations in total, with consistent figures. Some
# operations are in COLUMN, none in the other one ("none": in neither; "any": in both together).
# $sum: of the column over all rows, since rows alternate in random order and all failures may miss
# some of them.
figures() {
	rows "operations > 0 && operations + errors + errors_short == $2 && notes !~ /incomplete/"
	by_name -v count="$1" -v column="$3" '
		function refuse(why) { print why ": " $0 >"/dev/stderr"; failed = 1 }
		function close_to(a, b) { return a - b <= 1e-6 * b && b - a <= 1e-6 * b }
		{
			if (column !~ /errors|any/ && errors > 0) refuse("errors")
			if (column !~ /short|any/ && errors_short > 0) refuse("short operations")
			sum += errors + errors_short
			if (!close_to(throughput_bytes_per_s * time_s, size_bytes * operations) ||
			    !close_to(rate_per_s * time_s, operations)) refuse("figures do not agree")
		}
		END { if (column != "none" && sum <= 0) refuse("column " column)
			if (NR - 1 != count) { print NR - 1 " rows, not " count >"/dev/stderr"; failed = 1 }
			print sum + 0; exit failed }' 2>"$work/why" >"$work/sum" ||
		fail "$what: $(head -3 "$work/why")"
	sum=$(cat "$work/sum")
}

# --- failures of the file system -----------------------------------------------------------------

# injected: how many calls failed since the rule was set
injected() {
	awk '{ n += $NF } END { print n + 0 }' "$work/mnt/.faults"
}

# reports COUNT WORDS: one line reports this many failures, with file and cause (WORDS: ACTION|CAUSE)
reports() {
	one_line "$work/err"
	reports_place='.*/d[01]/f[01]'
	if [ "$2" = short ]; then
		grep -Eq "^iosweep: $1 operations moved fewer bytes than asked; the first: $reports_place at offset [0-9]+: " \
			"$work/err" && grep -q -e --allow-short "$work/err" || fail "$what: not reported: $1 short"
		return
	fi
	case $2 in cannot\ open* | cannot\ *close*) ;; *) reports_place="$reports_place at offset [0-9]+" ;; esac
	grep -Eq "^iosweep: $1 operations? failed; the first: ${2%|*} $reports_place: ${2#*|}\$" "$work/err" ||
		fail "$what: not reported: $1, $2"
}

# ENGINE OPTIONS of the variants, and their common options
variants() {
	echo posix
	for variants_engine in $async; do
		echo $variants_engine --depth 1,8
	done
	case $async in
	*io_uring*)
		echo io_uring --depth 1,8 --io_uring.fixed off
		echo io_uring --depth 1,8 --io_uring.link
		;;
	esac
}

# faults RULE STATUS COLUMN TEST WORDS [OPTIONS...]: applies the rule during a small sweep with one
# engine. Every injected failure is exactly one failed operation.
faults() {
	faults_rule=$1 faults_status=$2 faults_column=$3 faults_test=$4 faults_words=$5
	shift 5
	what="$variant: $faults_rule"
	echo "$faults_rule" >"$work/mnt/.faults" || fail "no such rule: $faults_rule"
	bounded "$faults_status" $small $columns --engine $variant --max-errors 0 -n 60 \
		--sizes 100,4Ki --tests "$faults_test" --cache asis,direct "$@" "$work/mnt"
	figures $((4 * depths)) 60 "$faults_column"
	nothing_left "$work/back"
	[ "$sum" = "$(injected)" ] || fail "$what: $sum $faults_column, but $(injected) failures below"
	case $faults_column in
	errors | errors_short) [ "$faults_status" = 0 ] || reports "$sum" "$faults_words" ;;
	any) ;;
	esac
	[ "$faults_status" != 0 ] || [ ! -s "$work/err" ] || fail "$what: words without a failure"
}

# Failures that no engine can handle.
classes() {
	faults read:EIO:7 1 errors read 'cannot read|Input/output error'
	faults write:EIO:7 1 errors write 'cannot write|Input/output error'
	faults write:ENOSPC:5 1 errors write 'cannot write|No space left on device'
	faults open:EMFILE:11 1 errors read 'cannot open|Too many open files'
	faults open:ENOENT:13 1 errors write 'cannot open|No such file or directory'
	faults fsync:EIO:7 1 errors write 'cannot sync or close|Input/output error' --sync end
	# a short transfer is a failure unless it is permitted
	faults read:short:9 1 errors_short read short
	faults read:short:9 0 errors_short read '' --allow-short
	case $variant in
	posix)
		faults write:short:9 1 errors_short write short
		faults write:short:9 0 errors_short write '' --allow-short
		;;
	*) faults write:short:9 1 any write '' ;; # FUSE turns short background writes into EIO
	esac
	case $variant in
	# An entry of the ring's own table has no close that could fail.
	*fixed\ off | posix | libaio*) faults close:EIO:6 1 errors read 'cannot close|Input/output error' ;;
	esac
	# one of four files always fails
	faults open:ENOENT:1:f0 1 errors read 'cannot open|No such file or directory'
	faults write:EIO:1:f1 1 errors write 'cannot write|Input/output error'
}

# EAGAIN: an asynchronous engine retries, but not for ever.
again() {
	what="$variant: EAGAIN"
	echo read:EAGAIN:5 >"$work/mnt/.faults"
	again_status=0 again_column=none
	[ "$variant" != posix ] || again_status=1 again_column=errors
	case $variant in
	*link) ;; # the kernel continues the chain and may or may not have retried itself
	*)
		bounded $again_status $small $columns --engine $variant --max-errors 0 -n 150 --sizes 4Ki \
			--tests read --cache asis,direct "$work/mnt"
		figures $((2 * depths)) 150 $again_column
		[ "$(injected)" -gt 50 ] || fail "$what: nothing was injected"
		nothing_left "$work/back"
		;;
	esac
	case $variant in io_uring*) return ;; esac # this kernel would never give up
	for again_test in read write; do
		echo $again_test:EAGAIN:1:f1 >"$work/mnt/.faults"
		bounded 1 $small $columns --engine $variant --max-errors 0 -n 100 --sizes 4Ki \
			--tests $again_test --cache asis,direct "$work/mnt"
		figures $((2 * depths)) 100 errors
		reports "$sum" "cannot $again_test|Resource temporarily unavailable"
		nothing_left "$work/back"
	done
}

# Leaked descriptors would be noticed soon: hundreds of operations fail with a low limit.
leaks() {
	for leaks_rule in open:ENOENT:2 read:EIO:2 read:short:3 close:EIO:2; do
		what="$variant: $leaks_rule, few descriptors"
		echo $leaks_rule >"$work/mnt/.faults"
		case $leaks_rule-$variant in
		*short*) leaks_status=1 leaks_column=errors_short ;;
		close*fixed\ off | close*posix | close*libaio*) leaks_status=1 leaks_column=errors ;;
		close*) continue ;;
		*) leaks_status=1 leaks_column=errors ;;
		esac
		(
			# shellcheck disable=SC3045
			ulimit -n 128 # not POSIX, but in every shell here
			bounded $leaks_status $small $columns --engine $variant --max-errors 0 -n 600 \
				--sizes 512 --tests read --cache asis "$work/mnt"
		) || exit 1
		figures $depths 600 $leaks_column
		[ "$sum" = "$(injected)" ] || fail "$what: $sum failures, but $(injected) below"
		nothing_left "$work/back"
	done
}

failing() { [ "$(injected)" -gt 10 ]; }

# All operations fail; threads; kept-open files; a limit of failures.
corners() {
	what="$variant: every read fails"
	echo read:EIO:1 >"$work/mnt/.faults"
	bounded 1 $small $columns --engine $variant --max-errors 0 -n 200 --sizes 4Ki --tests read "$work/mnt"
	awk -F, -v depths=$depths 'NR > 1 && ($2 != 0 || $11 != 200) { bad = 1 }
		END { exit bad || NR != depths + 1 }' "$work/out" || fail "$what: wrong rows"
	reports $((depths * 200)) 'cannot read|Input/output error'
	nothing_left "$work/back"

	what="$variant: every open fails, until precise"
	echo open:ENOENT:1 >"$work/mnt/.faults"
	bounded 1 $small $columns --engine $variant --max-errors 0 --rounds 3,5 --sizes 4Ki --tests read \
		"$work/mnt"
	awk -F, -v depths=$depths 'NR > 1 && ($2 != 0 || $11 < 1) { bad = 1 }
		END { exit bad || NR != depths + 1 }' "$work/out" || fail "$what: wrong rows"
	nothing_left "$work/back"

	what="$variant: threads"
	echo read:EIO:7 >"$work/mnt/.faults"
	bounded 1 $small $columns --engine $variant --max-errors 0 -n 150 --sizes 4Ki --tests read \
		--threads 3 "$work/mnt"
	figures $depths 150 errors
	[ "$sum" = "$(injected)" ] || fail "$what: $sum failures, but $(injected) below"
	reports "$sum" 'cannot read|Input/output error'
	nothing_left "$work/back"

	case $variant in
	*link) ;; # cannot be kept open
	*)
		for corners_test in read write; do
			what="$variant: kept open, $corners_test"
			echo $corners_test:EIO:7 >"$work/mnt/.faults"
			bounded 1 $small $columns --engine $variant --max-errors 0 -n 150 --sizes 4Ki \
				--tests $corners_test --cache asis,direct --keep-open "$work/mnt"
			figures $((2 * depths)) 150 errors
			[ "$sum" = "$(injected)" ] || fail "$what: $sum failures, but $(injected) below"
			reports "$sum" "cannot $corners_test|Input/output error"
			nothing_left "$work/back"
		done
		what="$variant: kept open, cannot open"
		echo open:EACCES:3 >"$work/mnt/.faults"
		bounded 3 $small $columns --engine $variant -n 150 --sizes 4Ki --keep-open "$work/mnt"
		one_line "$work/err"
		grep -Eq '^iosweep: cannot open (.*/)?d[01]/f[01]: Permission denied' "$work/err" ||
			fail "$what: not reported"
		nothing_left "$work/back"
		;;
	esac

	# The limit ends the run; operations in flight at that moment may fail too.
	what="$variant: a limit"
	echo read:EIO:3 >"$work/mnt/.faults"
	bounded 1 $small $columns --engine $variant --max-errors 5 -n 100000 --sizes 4Ki --tests read \
		"$work/mnt"
	awk -F, 'NR > 1 { errors += $11; rows += /incomplete/ } END {
		exit !(errors >= 5 && errors < 5 + 8 && rows >= 1) }' "$work/out" || fail "$what: wrong rows"
	grep -q -e '--max-errors' "$work/err" || fail "$what: the reason for the end is not reported"
	nothing_left "$work/back"

	# An interruption by the user takes effect soon, whatever fails meanwhile.
	for corners_rule in open:ENOENT:1 read:EIO:1; do
		what="$variant: interrupted during $corners_rule"
		echo $corners_rule >"$work/mnt/.faults"
		${IOSWEEP_RUN:-} "$IOSWEEP" $small $columns \
			--engine $variant --max-errors 0 -n 100000000 --sizes 4Ki --tests read "$work/mnt" \
			>"$work/out" 2>"$work/err" </dev/null &
		pid=$!
		on_exit "end_child $pid"
		soon "$what: nothing fails" failing
		kill -TERM $pid
		wait $pid
		status=$?
		[ $status = 143 ] || fail "$what: status $status"
		[ "$(grep -c incomplete "$work/out")" -ge 1 ] || fail "$what: no row"
		nothing_left "$work/back"
	done
}

if mount_faulty; then
	parts="$parts faulty"
	variants >"$work/variants"
	while read -r variant; do
		depths=1
		case $variant in *1,8*) depths=2 ;; esac
		echo >"$work/mnt/.faults"
		what="$variant: no failure"
		bounded 0 $small $columns --engine $variant -n 100 --sizes 4Ki "$work/mnt"
		figures $((2 * depths)) 100 none
		classes
		again
		leaks
		corners
	done <"$work/variants"
else
	echo "left out: failures from below: $why"
fi

# --- failing system calls ------------------------------------------------------------------------

# inject CALL ERROR WHEN STATUS ARGS...: WHEN empty: always. The calls are recorded in $work/trace.
inject() {
	inject_call=$1 inject_error=$2 inject_when=$3 inject_want=$4
	shift 4
	what="$inject_call:$inject_error${inject_when:+:when=$inject_when}"
	LSAN_OPTIONS=detect_leaks=0 ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" \
		timeout --foreground -k 5 200 strace -f -qq -o "$work/trace" -e signal=none \
		-e "trace=$inject_call,mkdir,mkdirat" \
		-e "inject=$inject_call:error=$inject_error${inject_when:+:when=$inject_when}" \
		"$IOSWEEP" $small $columns "$@" target >"$work/out" 2>"$work/err" </dev/null
	inject_got=$?
	[ "$inject_got" -lt 124 ] || fail "$what: does not end by itself ($inject_got)"
	[ "$inject_got" = "$inject_want" ] || fail "$what: exit status $inject_got, not $inject_want"
	inject_count=$(grep -c INJECTED "$work/trace")
	nothing_left target
}

# harmless CALL ERROR WHEN ENGINE...: must not count as a failure, however often
harmless() {
	harmless_call=$1 harmless_error=$2 harmless_when=$3
	shift 3
	inject $harmless_call $harmless_error $harmless_when 0 --engine "$@" --depth 1,8 -n 150 --sizes 512,4Ki
	[ "$inject_count" -ge 10 ] || fail "$what: only $inject_count were injected"
	figures 8 150 none
	[ ! -s "$work/err" ] || fail "$what: words without a failure"
}

# refused CALL ERROR WHEN PATTERN ENGINE...: one line reports that the engine is unusable; if this
# is detected at the start, nothing is created
refused() {
	refused_call=$1 refused_error=$2 refused_when=$3 refused_pattern=$4
	shift 4
	inject $refused_call $refused_error "$refused_when" 3 --engine "$@" --depth 1,8 -n 400 --sizes 4Ki
	[ "$inject_count" -ge 1 ] || fail "$what: nothing was injected"
	one_line "$work/err"
	grep -Eq "^iosweep: .*$refused_pattern" "$work/err" || fail "$what: the cause is not reported"
	if [ -n "$refused_when" ]; then
		! grep -v '^size_bytes\|^[0-9]*,0,,.*incomplete' "$work/out" || fail "$what: results"
	else
		! grep -q mkdir "$work/trace" || fail "$what: something was made"
		[ ! -s "$work/out" ] || fail "$what: results"
	fi
}

if [ -n "${IOSWEEP_RUN:-}" ]; then
	echo "left out: system calls that fail: they cannot be injected into a wrapper"
elif ! can_trace; then
	echo "left out: system calls that fail: strace is missing or may not trace"
else
	parts="$parts strace"
	getevents=io_getevents,io_pgetevents # libraries use different calls
	for engine in $async; do
		case $engine in
		libaio)
			harmless io_submit EAGAIN 2+3 libaio
			harmless io_submit EINTR 2+3 libaio
			harmless $getevents EINTR 2+3 libaio
			# a call that returns this for ever finally counts as a failure
			inject io_submit EINTR 1+ 1 --engine libaio -n 20 --sizes 4Ki
			grep -q '40 operations failed; .*Interrupted' "$work/err" || fail "$what: $(cat "$work/err")"
			refused $getevents EINTR 1+ 'Interrupted.*--engine posix' libaio
			refused io_setup EAGAIN '' 'fs\.aio-max-nr.*--engine posix' libaio
			refused io_setup ENOSYS '' 'no asynchronous I/O.*--engine posix' libaio
			# another program took the resource after the first check
			refused io_setup EAGAIN 2+ 'fs\.aio-max-nr.*--depth' libaio
			;;
		io_uring)
			for error in EINTR EAGAIN EBUSY; do
				harmless io_uring_enter $error 5+7 io_uring
				harmless io_uring_enter $error 5+7 io_uring --io_uring.link
			done
			refused io_uring_enter EINTR 1+ 'Interrupted.*--engine posix' io_uring
			refused io_uring_setup ENOSYS '' 'io_uring.*--engine posix' io_uring
			refused io_uring_setup EPERM '' 'io_uring.*(permitted|switched off|io_uring_group).*--engine' \
				io_uring
			;;
		esac
	done
	# The kernel cannot continue: one line, complete rows, nothing left.
	for engine in $async; do
		case $engine in io_uring) call=io_uring_enter ;; *) call=$getevents ;; esac
		# midway: earlier measurements are worth printing
		inject $call EBADF 65535+ 0 --engine $engine --depth 8 -n 8000 --sizes 4Ki
		calls=$(grep -c "^[0-9]* *io_" "$work/trace")
		[ "$calls" -ge 100 ] || fail "$what: only $calls calls"
		inject $call EBADF $((calls / 2))+ 1 --engine $engine --depth 8 -n 8000 --sizes 4Ki
		grep -q "^iosweep: .*$engine.*Bad file descriptor" "$work/err" || fail "$what: the cause is not reported"
	done
fi

[ -n "$parts" ] || skip "nothing could be run"
echo "engines:$async; parts:$parts"
