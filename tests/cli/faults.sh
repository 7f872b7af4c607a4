#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# faults.sh - any system call may fail, at any time, once or for good. In each case the program ends
# soon and by itself, gives the reason in one clear line, prints complete rows only, and leaves
# nothing in the target; where removal was made to fail, it names what is left, and `iosweep clean`
# removes it. EINTR is not a failure at all.
# shellcheck disable=SC2086,SC2046,SC2016
# (no quotes: lists of words; no expansion: a script for later)
: "${top_srcdir:?run the tests with make check}"
# shellcheck source=tests/cli/lib.sh
. "$top_srcdir/tests/cli/lib.sh"
need strace timeout xargs awk
[ -z "${IOSWEEP_RUN:-}" ] || skip "faults cannot be injected into a wrapper"
strace -f -o "$work/probe" -e trace=lseek -e inject=lseek:error=EIO:when=1000 true 2>"$work/err" ||
	skip "ptrace is refused: $(head -1 "$work/err")"
# Stops only at the calls to fail, if strace supports that, which takes a third of the time.
quick=
strace -f --seccomp-bpf -o "$work/probe" -e trace=lseek true 2>"$work/err" && quick=--seccomp-bpf
export quick
LSAN_OPTIONS=detect_leaks=0 # not supported under strace
export LSAN_OPTIONS

# The runs to be disturbed. 60 cycles per row, so that late failures hit the sweep. Faults are for
# the sweep: the reference, which reads more often, has a separate run; the others have none, since
# its file cannot be created.
common="--cache cached -l 64Ki --levels 2 --width 2 -n 60 --sizes 512,64Ki"
no_reference="-e inject=memfd_create:error=ENOSYS"
export no_reference
arguments_of() {
	case $1 in
	posix) echo "$common" ;;
	pread) echo "$common --engine pread --keep-open" ;;
	stdio) echo "$common --engine stdio" ;;
	synced) echo "$common --sync end" ;;
	direct) echo "$common --cache direct,uncached" ;;
	threads) echo "$common --threads 1,4" ;;
	referenced) echo "$common --engine stdio" ;;
	output) echo "$common -o FILE --series SERIES" ;;
	esac
}

# RUN CALL ERROR...: each of them at several moments, once; with "+" also from then on for good.
cat >"$work/faults" <<'FAULTS'
posix openat EIO+ EMFILE+ EACCES ENOMEM EROFS
posix openat2 EIO+ ENOSYS+ EPERM+ EMFILE EACCES
posix statx EIO+ ENOSYS+ EACCES
posix read EIO+ EINTR EISDIR
posix write EIO+ ENOSPC+ EDQUOT EINTR EFBIG
posix lseek EIO+ EINVAL
posix close EIO+ EINTR EDQUOT ENOSPC
posix fallocate ENOSPC+ EDQUOT EINTR EOPNOTSUPP+ EIO
posix unlinkat EIO+ EACCES+ EROFS+ EBUSY
posix mkdirat ENOSPC EACCES EROFS EDQUOT EIO EEXIST
posix syncfs EIO+ ENOSPC
posix fdatasync EIO ENOSPC EINVAL
posix newfstatat EIO+ ENOMEM
posix fadvise64 EIO+ EINVAL+
posix mmap ENOMEM+
posix flock ENOLCK+ EINTR
posix getrandom ENOSYS+
posix fstatfs EIO+
posix faccessat2 EACCES EROFS EIO
posix getdents64 EIO+
posix fcntl EMFILE+
posix cachestat EIO+ ENOSYS+
pread pread64 EIO+ EINTR
pread pwrite64 EIO+ ENOSPC+ EDQUOT EINTR
pread openat EMFILE+
stdio read EIO+
stdio write ENOSPC+ EIO
stdio lseek EIO
stdio openat EMFILE+
synced fsync EIO+ ENOSPC EDQUOT
direct pread64 EIO+ EINVAL+ EINTR
direct pwrite64 EIO+ ENOSPC EINTR
direct openat EINVAL+ EIO
direct statx EIO+ ENOSYS+
direct fadvise64 EIO+
direct fdatasync EIO+
threads clone3 EAGAIN+ ENOMEM
threads clone EAGAIN+
threads mmap ENOMEM+
threads openat EIO+ EMFILE
threads mprotect ENOMEM+
referenced pread64 EIO+ EINTR
referenced memfd_create EMFILE+ ENOSYS
output ftruncate EIO EROFS
output write ENOSPC+ EIO
output close EIO+ ENOSPC
output openat EACCES EMFILE+
FAULTS

# One disturbed run: RUN CALL ERROR WHEN ARGUMENTS...
cat >"$work/case" <<'CASE'
run=$1 call=$2 error=$3 when=$4
shift 4
name=$run-$call-$error-$when
complain() { echo "$name: $*; exit status $status"; head -5 "$name.err"; }
mkdir "$name.dir"
i=$#
while [ $i -gt 0 ]; do # the files of the run `output` are named after it
	word=$1
	shift
	case $word in FILE) word=$name.file ;; SERIES) word=$name.series ;; esac
	set -- "$@" "$word"
	i=$((i - 1))
done
calls=$call
case $run in referenced) no_reference= ;; *) calls=$call,memfd_create ;; esac
timeout --foreground -k 5 120 strace -f $quick -qq -o "$name.trace" -e trace=$calls -e signal=none \
	$no_reference -e inject=$call:error=$error:when=$when \
	"$IOSWEEP" "$@" --quiet "$name.dir" >"$name.out" 2>"$name.err" </dev/null
status=$?
grep -q "$call[( ].*INJECTED" "$name.trace" 2>/dev/null || { # this kernel or libc makes fewer such calls
	rm -rf "$name".*
	exit 0
}
echo "$name $status" >>injected
case $status in
0) ;;
1 | 3 | 70)
	case $call-$when in
	write-*+) ;; # standard error cannot be written either
	*) grep -q '^iosweep: [a-z0-9O].*[^ ]$' "$name.err" || complain "not a word" ;;
	esac
	;;
2) [ $run = output ] || complain "not a matter of usage" ;; # FILE cannot be created
124 | 137) complain "does not end" ;;
*) complain "impossible end" ;;
esac
[ "$(wc -l <"$name.err")" -le 3 ] || complain "too many words"
case $error-$status in EINTR-0) ;; EINTR-*) complain "EINTR is no failure" ;; esac
results=$name.out
[ $run != output ] || results=$name.file
[ ! -e "$results" ] || awk -F, -v status=$status -v call=$call '
	NR == 1 { fields = NF; if ($1 != "size_bytes") bad = "header: " $0 }
	NF != fields { bad = "a row of " NF " fields: " $0 }
	NR > 1 { failed += $25 > 0 || $26 ~ /incomplete/ }
	END { if (bad == "" && status == 0 && NR < 5) bad = "rows are missing"
		if (bad == "" && status == 0 && failed) bad = "failed rows"
		if (bad == "" && status == 1 && !failed && call !~ /write|close/) bad = "no failed rows"
		if (bad != "") print bad }' "$results" >"$name.why"
[ ! -s "$name.why" ] || complain "$(cat "$name.why")"
if [ -n "$(ls -A "$name.dir")" ]; then
	case $call in
	# needed for removal
	unlinkat | openat | openat2 | statx | newfstatat | fstatfs | close | getdents64 | mmap) ;;
	*) complain "left behind: $(find "$name.dir" | head -3 | tr "\n" " ")" ;;
	esac
	[ $status != 0 ] || complain "left behind without a failure"
	grep -q 'cannot remove\|cannot open the directory\|left in place' "$name.err" ||
		complain "left behind without a word: $(find "$name.dir" | head -3 | tr "\n" " ")"
	force= # nor could it identify the host
	! grep -qs '^state=running 0000000000000000 ' "$name.dir"/iosweep-*/MANIFEST-* || force=--force
	"$IOSWEEP" clean $force "$name.dir" >"$name.clean" 2>&1 || { complain "clean fails:"; cat "$name.clean"; }
	[ -z "$(ls -A "$name.dir")" ] || complain "clean leaves $(ls -A "$name.dir")"
fi
rm -rf "$name".*
CASE

# Faults before main() are those of the dynamic linker: skips as many calls as it makes. ramfs does
# not support O_DIRECT.
mkdir "$work/probed"
direct=direct
if ! iosweep --quiet -b -s -l 64k --sizes 4k -n 4 --tests read "$work/probed" >"$work/out" 2>"$work/err"; then
	grep -q 'O_DIRECT is refused' "$work/err" || fail "a run with O_DIRECT"
	echo "not tried: O_DIRECT, there is none here"
	direct=
fi
for run in posix pread stdio synced $direct threads referenced output; do
	arguments=$(arguments_of $run | sed "s|FILE|o|; s|SERIES|s|")
	mkdir "$work/target"
	without=$no_reference
	[ $run != referenced ] || without=
	(cd "$work" && strace -f $without -o "$run.log" "$IOSWEEP" $arguments --quiet target >out 2>err) ||
		fail "undisturbed run $run"
	nothing_left "$work/target"
	rmdir "$work/target"
	grep -q 'rt_sigaction(SIGINT' "$work/$run.log" || skip "main() cannot be found in the trace"
done

sanitized='' moments='1 2 3 10 50 200' # slow, and its own allocator ends the program without memory
! grep -q __asan_init "$IOSWEEP" || sanitized=yes moments='1 3 50'
while read -r run call errors; do
	case $sanitized-$call in yes-mmap | yes-mprotect) continue ;; esac
	[ "$run" != direct ] || [ -n "$direct" ] || continue
	set -- $(awk -v call=$call '
		/rt_sigaction\(SIGINT/ { if (!main_thread) main_thread = $1 }
		$1 == main_thread || !main_thread {
			name = $2; sub(/\(.*/, "", name)
			if (name == call) { all++; if (!main_thread) before++ } }
		END { print before + 0, all - before }' "$work/$run.log")
	before=$1 most=$2
	for error in $errors; do
		for nth in $moments; do
			[ $nth -le $most ] || [ $nth = 1 ] || continue
			# Standard output and standard error are not written again after EINTR.
			[ $call-${error%+} != write-EINTR ] || ! awk -v n=$((before + nth)) '
				$2 ~ /^write\(/ && ++k == n { exit !($2 ~ /^write\([12],/) }
				END { if (k < n) exit 1 }' "$work/$run.log" || continue
			echo $run $call ${error%+} $((before + nth)) $(arguments_of $run)
			case $error-$nth in
			*+-3 | *+-200) ;;
			*+-*) echo $run $call ${error%+} $((before + nth))+ $(arguments_of $run) ;;
			esac
		done
		# Every other one, unless output is concerned.
		case $call-$error in
		read-EINTR | pread64-EINTR | pwrite64-EINTR | fallocate-EINTR)
			echo $run $call $error $((before + 1))+2 $(arguments_of $run) ;;
		esac
	done
done <"$work/faults" >"$work/cases"

: >"$work/injected"
(cd "$work" && xargs -P 3 -L 1 sh case <cases) >"$work/failures" 2>&1
[ ! -s "$work/failures" ] || fail "$(cat "$work/failures")"
echo "$(wc -l <"$work/injected") faults"
[ "$(wc -l <"$work/injected")" -ge 200 ] || fail "hardly anything was injected"
[ "$(grep -c ' [13]$' "$work/injected")" -ge 50 ] || fail "hardly any fault had an effect"

# --- a call that is interrupted each time finally counts as a failure
mkdir "$work/endless"
for call in fdatasync write; do # of the manifest
	timeout --foreground -k 5 200 strace -f -qq -o "$work/trace" -e signal=none -e trace=$call \
		-e inject=$call:error=EINTR:when=1+ "$IOSWEEP" --quiet -n 4 --sizes 4k -l 64k --levels 2 \
		--width 2 "$work/endless" >"$work/out" 2>"$work/err" </dev/null
	status=$?
	[ $status = 3 ] || fail "$call is interrupted each time: exit status $status, not 3"
	grep -q INJECTED "$work/trace" || fail "$call is interrupted each time: nothing was injected"
	[ $call = write ] || grep -q 'cannot write the manifest.*Interrupted' "$work/err" ||
		fail "$call is interrupted each time: no word"
	nothing_left "$work/endless"
done

# --- what cannot be removed after something else has failed is told, too
mkdir "$work/stuck"
for when in 4 5 6 7 8 9; do
	timeout --foreground -k 5 200 strace -f -qq -o "$work/trace" -e signal=none -e trace=openat2 \
		-e inject=openat2:error=ENOMEM:when=$when+ "$IOSWEEP" --quiet -n 4 --sizes 4k -l 64k --levels 1 \
		--width 3 --tests read "$work/stuck" >"$work/out" 2>"$work/err" </dev/null
	[ -z "$(ls "$work/stuck")" ] || grep -q 'iosweep clean' "$work/err" ||
		fail "openat2 fails from call $when on: files are left without a word: $(cat "$work/err")"
	run 0 clean --all "$work/stuck"
	nothing_left "$work/stuck"
done

# --- what fails within a named run is told as such, and not as if the name were taken
mkdir "$work/within"
for fault in mkdirat:error=EEXIST:when=2 fcntl:error=EMFILE; do
	timeout --foreground -k 5 200 strace -f -qq -o "$work/trace" -e signal=none -e trace=${fault%%:*} \
		-e inject=$fault "$IOSWEEP" --quiet --run-name mine -n 4 --sizes 4k -l 64k --levels 2 --width 2 \
		--tests read "$work/within" >"$work/out" 2>"$work/err" </dev/null
	grep -q 'cannot create directories in .*: \(File exists\|Too many open files\)' "$work/err" ||
		fail "$fault within a run: $(cat "$work/err")"
	nothing_left "$work/within"
done

# --- filling does not require that single files can be synced
mkdir "$work/unsynced"
timeout --foreground -k 5 200 strace -f -qq -o "$work/trace" -e signal=none -e trace=fdatasync \
	-e inject=fdatasync:error=EINVAL "$IOSWEEP" --quiet --cache asis -n 4 --sizes 4k -l 128k --levels 2 --width 2 \
	--tests read "$work/unsynced" >"$work/out" 2>"$work/err" </dev/null || fail "no fdatasync: status $?"
[ "$(grep -c INJECTED "$work/trace")" -ge 2 ] || fail "no fdatasync: filling does without it"
nothing_left "$work/unsynced"

# --- a part whose preparation fails does not end the others: only its rows are incomplete
cd "$work" || exit 99 # keeps commas out of the target's name in rows
mkdir prepare
prepare() { # fails reading the first file into the cache at these calls
	strace -f -o "$work/trace" -P "$(pwd -P)/prepare/iosweep-k/d0/f0" -e trace=read \
		-e inject=read:error=EIO:when="$1" "$IOSWEEP" --quiet --cache cached --run-name k --engine pread \
		--tests write,read --sizes 4k,64k -n 20 -l 64k --levels 2 --width 2 prepare \
		>"$work/out" 2>"$work/err" </dev/null
	prepare_status=$?
	grep -q INJECTED "$work/trace" || fail "a part that cannot be prepared: nothing failed"
}
prepare 1
[ $prepare_status = 1 ] || fail "a part that cannot be prepared: exit status $prepare_status"
one_line "$work/err"
grep -q 'cannot read .*/d0/f0: Input/output error; .*the rows that need it are incomplete$' \
	"$work/err" || fail "a part that cannot be prepared: no word"
awk -F, 'NR > 1 { n[$6, ($26 ~ /incomplete/)] += ($2 == 20) + ($2 == 0 && $26 ~ /incomplete/) }
	END { exit !(NR == 5 && n["write", 1] == 2 && n["read", 0] == 2) }' "$work/out" ||
	fail "a part that cannot be prepared: other rows"
nothing_left "$work/prepare"
prepare 1+
[ $prepare_status = 3 ] || fail "no part can be prepared: exit status $prepare_status, not 3"
one_line "$work/err"
nothing_left "$work/prepare"
