#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# What users of blobstore-bench rely on, one function per scenario, as far as it is not that of any storage
# (tests/seeds.sh).  (Limits of errors: faults.sh and steps.sh; records of --interval: interval.sh; sizes:
# tests/golden/errors.t; result files written again: output.sh; what was kept is read and deleted by its
# name: tests/life and runs.sh.)
# shellcheck disable=SC2086 # lists of words
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all
# shellcheck source=tests/cli/trace.sh
. "$top_srcdir/tests/cli/trace.sh"

mkdir "$work/dir"
cd "$work/dir" || exit 99

# Put, get and delete in two loops: six rows in this order, each with its loop and phase; gets read
# what was put, and nothing is left.
cf1() {
	for cf1_target in '. -l 64k --levels 1' mem:; do
		run 0 --quiet --format csv --tests create,read:created,delete:created --loops 2 --threads 2 --sizes 4k -n 40 $cf1_target
		shows 'test loop step operations errors' \
			'create:1:1:40:0 read:1:2:40:0 delete:1:3:40:0 create:2:1:40:0 read:2:2:40:0 delete:2:3:40:0' "$cf1_target"
		nothing_left .
	done
}

# The same phase several times; reading deleted objects is reported in one line.
cf4() {
	run 0 --quiet --format csv --tests write,read,read,read --sizes 4k -n 20 mem:
	shows 'test step operations' 'write:1:20 read:2:20 read:3:20 read:4:20'
	run 0 --quiet --format csv --tests create,read,read,read --sizes 4k -n 20 -l 64k --levels 1 .
	shows 'test step' 'create:1 read:2 read:3 read:4'
	for cf4_after in read delete; do
		refuses 3 "no data are left for test $cf4_after" \
			--quiet --tests create,delete:created,$cf4_after:created --sizes 4k -n 20 -l 64k --levels 1 .
		nothing_left .
	done
	run 0 --quiet --keep --run-name kept --tests write --sizes 4k -n 20 -l 64k --levels 1 .
	for cf4_after in read list delete stat,read; do
		refuses 3 "no data are left for test ${cf4_after#*,}" -r --run-name kept --tests delete,$cf4_after .
	done
	run 0 --quiet -r --run-name kept --tests read --sizes 4k -n 20 . # it still exists
	# nor is the rest of a delete with a stop read together with what is gone, but separately
	for cf4_steps in '--tests delete:n=1,read' '--tests delete,read -n 1' '--tests read,delete -n 1 --loops 2'; do
		refuses 3 'data are missing for test read; test delete before it removes some' \
			-r --run-name kept $cf4_steps .
	done
	[ "$(find iosweep-kept -name 'f*' | wc -l)" = 4 ] || fail "something is removed though it was refused"
	run 0 --quiet --format csv -r --run-name kept --tests delete:n=1,stat,delete:n=2 -n 20 .
	shows 'test operations errors' 'delete:1:0 stat:20:0 delete:2:0'
	run 0 --quiet --format csv -r --run-name kept --access once .
	shows 'operations errors' 16:0
	run 0 clean --quiet .
	nothing_left .
}

# The outcome of an operation affects no other.
cf8() {
	can_trace || { echo "strace is not usable here"; return; }
	# (An interrupted call takes two lines of strace, with its name in the first and its offset in
	# the second.)
	for cf8_fault in '' '-e inject=pread64:error=EIO:when=7+10'; do
		ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" \
			strace -f -s 100 -o "$work/trace" -e trace=openat,openat2,pread64,memfd_create $no_reference $cf8_fault "$IOSWEEP" \
			--quiet --format csv --columns all --engine pread --cache asis --tests read --sizes 4k -n 60 --seed 5 -l 64k --levels 1 \
			--width 9 --max-errors 0 . >"$work/out" 2>"$work/err"
		cf8_status=$?
		sed -n 's/.*pread64[ (].*, 4096, \([0-9]*\)) *= .*/\1/p' "$work/trace" >"$work/offsets${cf8_fault:+.faults}"
		# how often pages of files are checked between rounds (O_NOATIME) depends on time
		sed -n -e '/O_NOATIME/d' -e '/O_PATH/d' -e 's/.*openat2*(.*"\(f[0-9]\)".*O_RDONLY.*/\1/p' "$work/trace" \
			>"$work/names${cf8_fault:+.faults}"
	done
	[ $cf8_status = 1 ] || fail "faults: exit status $cf8_status"
	shows 'errors operations' 6:54
	[ "$(wc -l <"$work/offsets")" -ge 60 ] && cmp -s "$work/offsets" "$work/offsets.faults" ||
		fail "a fault changes the places of other operations"
	[ "$(wc -l <"$work/names")" -ge 60 ] && [ "$(tail -n 60 "$work/names")" = "$(tail -n 60 "$work/names.faults")" ] ||
		fail "a fault changes the names of other operations"
	nothing_left .
}

# What was written is read in the same command, each object or block once, then the row ends.
cf2() {
	for cf2_more in "--depth 1" "--depth 8 --threads 3"; do
		run 0 --quiet --format csv --tests write,read --access once --sizes 10Ki --objects 50 --verify --time 1000s $cf2_more mem:
		shows 'operations stop errors_wrong' '50:exhausted:0 50:exhausted:0' "$cf2_more"
		rows 'requests >= 50'
	done
	# in one command: as much as there is time for, then each of it once, in parts of several rows
	for cf2_target in . mem:; do
		run 0 --quiet --format csv --tests create:100ms,read:created,delete:created --sizes 10Ki,1k --threads 1,2 $cf2_target
		column test size_bytes threads operations errors stop >"$work/rows"
		tr ' ' '\n' <"$work/rows" | awk -F: '
			$1 == "create" { made[$2] += $4 }
			$1 == "read" { reads++; read[$2] += $4; if ($4 < made[$2] || $4 > one[$2] + 0 && one[$2] != "") bad = 1; one[$2] = $4 }
			$1 == "delete" { removed[$2] += $4 }
			$1 ~ /read|delete/ && ($5 != 0 || $6 != "exhausted") { bad = 1 }
			END { for (size in made) if (made[size] < 1 || read[size] != 2 * removed[size]) bad = 1
				exit bad || reads != 4 }' || fail "$cf2_target: not each once: $(cat "$work/rows")"
		nothing_left .
	done
	run 0 --quiet --format csv --tests create:100ms,delete:created:n=1,stat:created,read:created:n=7 --access random --sizes 1k --keep \
		--run-name some .
	cf2_files=$(find iosweep-some/new -type f | wc -l)
	[ "$(value operations 2),$(value operations 4),$(value errors 4)" = 1,7,0 ] && [ "$(value stop 3)" != '' ] ||
		fail "not as each step says: $(column test operations stop)"
	echo mine >iosweep-some/new/t0/mine
	run 0 --quiet --format csv -r --run-name some --access once .
	shows operations "$cf2_files"
	rm iosweep-some/new/t0/mine
	run 0 clean --quiet --run-name some .
	# objects that could not be made are not accessed, and removed ones do not exist
	run 1 --quiet --format csv --tests create:n=40,read:created --rounds 1 --sizes 4k \
		--mem.fail forbidden@put:10 mem:
	shows 'operations errors' '36:4 36:0'
	run 0 --quiet --format csv --tests create,read:created --sizes 4k -n 4 null:
	[ "$(value notes 2)" = skipped:not_created ] || fail "null: reads what it does not keep"
	refuses 3 '' --quiet --format csv --tests create:n=4,delete:created:n=4,read:created --sizes 4k .
	refuses 3 '' --tests create,delete:created,read:created .
	# one size is used up, the other one is not: the time was sufficient
	printf '%s\n' '--quiet --format csv --columns all' '--tests create:n=2,delete:created:n=4,read:created --sizes 1k' \
		'--tests create:n=6,delete:created:n=4,read:created --sizes 2k' >used
	refuses 1 '1 of 6 rows found none of what test create makes' @used .
	shows 'test operations stop' \
		'create:2:count create:6:count delete:2:exhausted delete:4:count read:0:exhausted read:2:exhausted'
	rm used
	refuses 1 'all rows were skipped (not_by_engine)' \
		--quiet --format csv --engine stdio --tests create:n=2,read:created --sizes 1k .
	run 0 --dry-run --tests create:n=12,read:created,delete:created --sizes 4k .
	grep -q '^operations: 12 per row, 12 in all' "$work/out" && grep -q '^rows that use what test create makes: 2, of unknown duration' "$work/out" &&
		! grep -q '^time:' "$work/out" || fail "a plan states what cannot be known"
	refuses 2 'nothing has been created before test read' --tests read:created,create .
	run 2 --tests create,write:created .
	can_trace || { echo "strace is not usable here"; return; }
	trace "$work/trace" 0 --quiet --format csv --engine pread --cache asis --tests write,read --access once \
		--sizes 4k --levels 1 --width 3 -l 20k .
	shows operations '15 15'
	for cf2_call in pwrite64 pread64; do # five blocks of each of three files, those of a file in order
		sed -n "s/.* ${cf2_call}[ (].*, 4096, \\([0-9]*\\)) *= 4096\$/\\1/p" "$work/trace" >"$work/offsets"
		[ "$(tr '\n' ' ' <"$work/offsets")" = "$(for _ in 1 2 3; do
			echo 0 4096 8192 12288 16384
		done | tr '\n' ' ')" ] || fail "$cf2_call: $(cat "$work/offsets")"
	done
	# each file made by create is opened once in its step, even with more threads
	trace "$work/trace" 0 --quiet --format csv --engine pread --cache asis --tests create:n=50,read:created \
		--sizes 4k --threads 3 .
	sed -n -e '/O_NOATIME/d' -e '/O_PATH/d' -e 's/.*openat2*(.*"\(new\/t[0-9]*\/n[0-9]*\)".*O_RDONLY.*/\1/p' "$work/trace" |
		sort >"$work/opened"
	[ "$(wc -l <"$work/opened")" -eq 50 ] && [ "$(uniq "$work/opened" | wc -l)" -eq 50 ] ||
		fail "$(uniq "$work/opened" | wc -l) of 50 files are opened $(wc -l <"$work/opened") times"
	nothing_left .
}

# The null backend shows the program's own cost, as a row; and memory does not grow with the number
# of operations. (How steady its rate is depends on the machine: make bench.)
cf6() {
	run 0 --quiet --format csv --tests read --sizes 4k --rounds 1 -n 1M null:
	[ "$(value operations)" = 1000000 ] && [ -n "$(value rate_per_s)" ] && [ -n "$(value op_ns_mean)" ] &&
		[ -n "$(value cpu_ns_per_op)" ] || fail "the null backend has no figures"
	command -v python3 >/dev/null || { echo "not tried: memory, python3 is not installed"; return; }
	[ -z "${IOSWEEP_RUN:-}" ] || { echo "not tried: memory of a wrapper"; return; }
	python3 - "$IOSWEEP" <<-'END' || fail "memory grows with the operations"
		import os, subprocess, sys
		def peak(n):
		    child = subprocess.Popen([sys.argv[1], "--quiet", "--tests", "read", "--sizes", "4k",
		                              "--rounds", "1", "-n", str(n), "null:"], stdout=subprocess.DEVNULL)
		    _, status, usage = os.wait4(child.pid, 0)
		    assert status == 0, status
		    return usage.ru_maxrss
		few, many = peak(10 ** 5), peak(10 ** 7)
		print("RSS", few, "KiB at 10^5,", many, "KiB at 10^7 operations")
		assert many - few < 1600 # one bit more per operation would be 1200
	END
}

# The machine's clock constantly jumps by an hour, back and forth: measured times are not affected,
# and no row is missing.
cf7() {
	command -v cc >/dev/null || { echo "not tried: no compiler for a library that turns the clock"; return; }
	cat >"$work/turn.c" <<-'END'
		#define _GNU_SOURCE
		#include <sys/syscall.h>
		#include <sys/time.h>
		#include <time.h>
		#include <unistd.h>
		static long turned(void) /* s */
		{
		    struct timespec now;
		    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
		    return now.tv_nsec / 50000000 % 2 ? 3600 : -3600;
		}
		int clock_gettime(clockid_t clock, struct timespec *now)
		{
		    const int result = (int)syscall(SYS_clock_gettime, clock, now);
		    if (clock == CLOCK_REALTIME)
		        now->tv_sec += turned();
		    return result;
		}
		int gettimeofday(struct timeval *now, void *zone)
		{
		    struct timespec time;
		    (void)zone;
		    clock_gettime(CLOCK_REALTIME, &time);
		    now->tv_sec = time.tv_sec;
		    now->tv_usec = time.tv_nsec / 1000;
		    return 0;
		}
		int timespec_get(struct timespec *now, int base)
		{
		    clock_gettime(CLOCK_REALTIME, now);
		    return base;
		}
		time_t time(time_t *now)
		{
		    struct timespec at;
		    clock_gettime(CLOCK_REALTIME, &at);
		    return now ? (*now = at.tv_sec) : at.tv_sec;
		}
	END
	cc -shared -fPIC -o "$work/turn.so" "$work/turn.c" 2>"$work/err" ||
		{ echo "not tried: no library that turns the clock can be made"; return; }
	case $work in
	*[[:blank:]:]*)
		echo "not tried: the name of this directory would be a list in LD_PRELOAD"
		return
		;;
	esac
	(LD_PRELOAD=$work/turn.so iosweep --version) >/dev/null 2>&1 ||
		{ echo "not tried: the program does not start with a library before it"; return; }
	cf7_args='--quiet --format csv --sizes 4k,8k --threads 1,2 -n 200 --null.delay 1ms'
	run 0 $cf7_args null:
	cf7_rows=$(wc -l <"$work/out")
	(LD_PRELOAD=$work/turn.so iosweep $cf7_args --interval 50ms --series "$work/series" null:) \
		>"$work/out" 2>"$work/err" || fail "it fails when the clock jumps"
	[ "$(wc -l <"$work/out")" = "$cf7_rows" ] || fail "$(wc -l <"$work/out") lines, not $cf7_rows"
	rows 'latency_ns_min >= 1e6 && latency_ns_max < 6e11 && time_s < 600 && time_s >= 0.1 && operations == 200'
	by_name '{ n += operations; if ((ended_unix_s - before) ^ 2 > 1800 ^ 2) jumps++
			before = ended_unix_s
			if (interval_s <= 0 || interval_s > 600 || latency_ns_max >= 6e11) bad = 2 }
		END { exit bad ? bad : n < 1600 ? 3 : jumps < 2 ? 4 : 0 }' "$work/series" ||
		fail "records ($?) of a clock that jumps" # 4: it did not
}

# One operation of ten fails: exactly the files that the run made exist, each name once; failed ones
# are not counted, not left, and not read.
cf9() {
	run 1 --quiet --format csv --tests create --sizes 100 --depth 4 -n 50 --rounds 1 --max-errors 0 \
		--mem.fail forbidden@put:10 mem:
	shows 'operations errors requests' 45:5:50
	can_trace || { echo "strace is not usable here"; return; }
	ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" \
		strace -f -o "$work/trace" -e trace=openat,openat2,write -e inject=write:error=EIO:when=30+10 \
		"$IOSWEEP" --quiet --format csv --columns all --tests create --sizes 100 -n 60 --rounds 1 --keep \
		--run-name nine --max-errors 0 -o "$work/result" . >"$work/out" 2>"$work/err"
	cf9_status=$?
	cp "$work/result" "$work/out"
	[ $cf9_status = 1 ] && [ "$(value errors)" -ge 1 ] && [ "$(($(value operations) + $(value errors)))" = 60 ] ||
		fail "exit status $cf9_status, $(value operations) operations and $(value errors) errors"
	find iosweep-nine/new -type f -size 100c | sed 's,.*/,,' | sort >"$work/there"
	cf9_files=$(value operations)
	[ "$(wc -l <"$work/there")" = "$cf9_files" ] && [ "$(find iosweep-nine/new -type f | wc -l)" = "$cf9_files" ] ||
		fail "$(find iosweep-nine/new -type f | wc -l) files of $cf9_files operations"
	run 0 --quiet --format csv -r --run-name nine --access once --tests read,stat .
	[ "$(value operations),$(value errors),$(value stat_misses 2)" = "$cf9_files,0,0" ] ||
		fail "$(value operations) reads of $cf9_files files, $(value stat_misses 2) misses"
	run 0 clean .
	nothing_left .
}

# A deletion that its time ends early: the rest is counted.  Foreign files stay, in the run and behind links.
cf12() {
	run 0 --quiet --levels 2 --width 4 -l 4k --sizes 4k -n 30 --keep --run-name other .
	find iosweep-other -type f -exec cksum {} + | sort >"$work/other"
	# limited by time, with 20 ms per deletion: not all 16 can be done
	run 0 --quiet --levels 2 --width 4 -l 4k --sizes 4k -n 30 --keep --run-name one .
	if can_trace && ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" \
		strace -f -o "$work/trace" -e trace=unlinkat -e inject=unlinkat:delay_enter=20000 "$IOSWEEP" --quiet \
		--format csv --columns all -r --run-name one --tests delete --time 100ms . >"$work/out" 2>"$work/err"; then
		cf12_left=$(find iosweep-one -name 'f*' | wc -l)
		[ "$(value stop)" = time ] && [ "$cf12_left" -ge 10 ] && [ "$(value operations)" = $((16 - cf12_left)) ] &&
			[ "$(value left_objects)" = "$cf12_left" ] ||
			fail "by time: $(value operations) deletions, $(value left_objects) reported and $cf12_left left of 16"
	else
		echo "not tried: this strace delays no calls"
	fi
	run 0 clean --run-name one .
	run 0 --quiet --format csv --tests delete --sizes 4k -n 20 . # files of its own, as usual
	shows operations 20

	# what another program has shortened is in the way of the last one, not of those before, and stays
	run 0 --quiet --levels 1 --width 4 -l 8k --sizes 4k -n 30 --keep --run-name one .
	echo mine >iosweep-one/f3
	run 0 -r --run-name one --tests delete -n 1 .
	grep -q '^# 2 files of the run are left in .*/iosweep-one; ' "$work/err" || fail "what is left is not reported"
	run 3 --quiet -r --run-name one --tests delete .
	run 3 clean --run-name one .
	[ "$(cat iosweep-one/f3)" = mine ] && [ "$(find iosweep-one -name 'f*')" = iosweep-one/f3 ] ||
		fail "not all that is the run's alone is gone: $(find iosweep-one)"
	rm -r iosweep-one

	# foreign: a file next to those of the run, one behind a link in place of a directory
	run 0 --quiet --levels 2 --width 2 -l 4k --sizes 4k -n 30 --keep --run-name one .
	mkdir mine
	for file in f0 f1; do
		echo mine >mine/$file
	done
	echo mine >iosweep-one/d0/mine
	mv iosweep-one/d1 away
	ln -s ../mine iosweep-one/d1
	run 3 --quiet -r --run-name one --tests delete .
	[ "$(cat mine/f0 mine/f1 iosweep-one/d0/mine)" = 'mine
mine
mine' ] || fail "a foreign file is gone"
	[ -f iosweep-one/MANIFEST-1 ] && [ -f away/f0 ] || fail "more is gone than files of the run"
	rm iosweep-one/d1 iosweep-one/d0/mine 2>/dev/null
	mv away iosweep-one/d1
	run 0 --quiet -r --run-name one --tests delete .
	[ ! -e iosweep-one ] || fail "the run is still there"
	rm -r mine

	# no name, another test: nothing is removed (nor without a manifest: tests/life)
	run 2 --quiet -r --tests delete .
	run 2 --quiet -r --run-name other --tests write,delete .
	find iosweep-other -type f -exec cksum {} + | sort | cmp -s - "$work/other" || fail "another run was touched"
	run 0 clean .
	nothing_left .
}

scenarios cf1 cf2 cf4 cf6 cf7 cf8 cf9 cf12
