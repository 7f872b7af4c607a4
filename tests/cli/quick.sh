#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# The first look. --quick is @quick, next to the program or installed; it reports the target, its
# figures on the device and in memory, a verdict and the next command, and nothing else; --cache
# device is direct where that works, nothing where it does not, and together with cached the
# default.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

iosweep() { ${IOSWEEP_RUN:-} "$IOSWEEP" "$@"; } # as users type it
mkdir "$work/here" "$work/here/dir" "$work/none"
cd "$work/here" || exit 99

# plan: cache, test and size of each row of a dry run
plan() { sed -n 's/^row [0-9]*: \([a-z]*\) [a-z_]* \([a-z]*\) .*size=\(.*\) target=.*/\2 \1 \3/p' "$work/out"; }
plans() { # ROWS ARGS...: a dry run of these plans these rows
	plans_rows=$1
	shift
	run 0 --dry-run "$@"
	[ "$(plan | paste -s -d ,)" = "$plans_rows" ] || fail "$*: plans $(plan | paste -s -d ,), not $plans_rows"
}

# --- the same as the preset, whatever files have its name here; without presets one line names
# their directory
echo '--tests read --sizes 512' >quick
run 0 --seed 1 --dry-run @quick dir
grep -q '^row 1: read .*size=512 B' "$work/out" || fail "a file of that name here is not taken"
mkdir "$work/none/bin" "$work/none/src" "$work/none/share" "$work/none/contrib"
echo '--tests read --sizes 1k --label moved' >"$work/moved"
for place in bin:share/iosweep src:contrib; do
	cp "$IOSWEEP" "$work/none/${place%:*}/iosweep"
	for word in --quick @quick; do
		[ $word = --quick ] || rm -f quick
		(unset IOSWEEP_PRESETS && exec "$work/none/${place%:*}/iosweep" --dry-run $word dir) >"$work/out" 2>"$work/err"
		status=$?
		[ $status = 0 ] && continue # presets are installed on this machine
		[ $status = 2 ] || fail "$word without presets: exit status $status"
		one_line "$work/err"
		grep -q "presets should be in .*IOSWEEP_PRESETS" "$work/err" || fail "$word without presets: $(cat "$work/err")"
	done
	mkdir -p "$work/none/${place#*:}/presets"
	cp "$work/moved" "$work/none/${place#*:}/presets/quick"
	(unset IOSWEEP_PRESETS && exec "$work/none/${place%:*}/iosweep" --dry-run --quick dir) >"$work/out" || fail "--quick of $place: $?"
	grep -q '^row 1: read .*size=1 KiB' "$work/out" || fail "presets beside $place are not read"
done
# by its name alone, by a link, and from its own directory
by_name() { (PATH=$work/none/src:$PATH && unset IOSWEEP_PRESETS && command iosweep "$@"); }
by_link() { (unset IOSWEEP_PRESETS && exec "$work/link" "$@"); }
from_its_own() { (cd "$work/none/src" && unset IOSWEEP_PRESETS && exec ./iosweep "$@"); }
ln -s none/src/iosweep "$work/link"
for way in by_name by_link from_its_own; do
	$way --dry-run --quick "$work/here/dir" >"$work/out" || fail "$way: $?"
	grep -q '^row 1: read .*size=1 KiB' "$work/out" || fail "$way: presets beside it are not read"
done
rm -f quick
run 0 --seed 1 --dry-run @quick dir
sed 's/iosweep-[0-9a-f]*:/RUN:/' "$work/out" >"$work/preset"
run 0 --seed 1 --dry-run --quick dir
sed 's/iosweep-[0-9a-f]*:/RUN:/' "$work/out" | diff "$work/preset" - >"$work/difference" ||
	fail "--quick is not @quick: $(cat "$work/difference")"
run 2 --dry-run --loops 2 --quick=x dir
printf '%s\n' '--quick' >file.options
refuses 2 '' --dry-run @file.options dir

# Whether the target has no device.
in_memory() {
	case $(stat -f -c %T dir) in tmpfs | ramfs) ;; *) false ;; esac
}

# --- output: the target, the verdict, the next command
run 0 --quick --columns test,cache,size_bytes,operations --rounds 1 --max-time 5min dir
[ "$(wc -l <"$work/out")" -ge 7 ] || fail "rows are missing"
grep -q '^# storage of dir: [a-z0-9.]*' "$work/err" || ! storage_known || fail "the target is not named"
grep -q '^# host: .*processor' "$work/err" || fail "the machine is not named"
grep -q '^# verdict: .*dir ' "$work/err" || fail "no verdict"
grep -q '^# next: iosweep ' "$work/err" || fail "no next command"
! grep -qE '^# (clock|work|tests|iosweep|finding: 90|load):?' "$work/err" || fail "more than --brief says"
nothing_left dir

# --- an existing file is read
head -c 2097152 /dev/urandom >file
cp file copy
run 0 --quick --columns test,size_bytes --rounds 1 --max-time 5min file
[ "$(sed 1d "$work/out" | grep -c "^read,")" -ge 3 ] || fail "rows of a file"
! grep -q "^write" "$work/out" || fail "a row that writes into a file"
cmp -s file copy || fail "the file has changed"
run 3 --quick --tests write file

# --- any run can be brief; notes that change the meaning of figures are printed nevertheless
run 0 --brief --cache cached --sizes 4k -n 16 -l 64k dir
grep -q '^# verdict: .*dir: .*figures are those of the page cache' "$work/err" || in_memory ||
	fail "cached rows have been taken for the device"
run 1 --brief --sizes 4k,64k --tests read --mem.delay 2s --max-time 1s --time 4s mem:
grep -q '^# verdict: there was too little time to judge mem:; try --max-time' "$work/err" || fail "a verdict without figures"
run 0 --brief --tests stat --sizes 4k -n 16 -l 64k dir
grep -q '^# verdict: .*dir: stat calls reach [0-9]' "$work/err" || fail "no verdict on what has names alone"

# --- the default is cached and, if available, the device from 512 B on
direct=no
if iosweep --quiet -b --tests read --sizes 4k -n 4 -l 64k dir >/dev/null 2>&1 &&
	! in_memory; then
	direct=yes
	plans 'cached read 256 B,cached read 512 B,cached read 1 KiB,direct read 512 B,direct read 1 KiB' \
		-m 256 -M 1k --tests read dir
	plans 'direct read 256 B,direct read 4 KiB' --cache device,direct --sizes 256,4k --tests read dir
	plans 'direct write 4 KiB,asis stat 4 KiB,cached write 4 KiB' --cache device,cached --sizes 4k --tests write,stat dir
	run 0 --quiet --sizes 4k --tests read -n 8 -l 64k --columns cache,size_bytes dir
	shows 'cache size_bytes' 'cached:4096 direct:4096'
	plans 'cached write 256 B,cached write 4 KiB,cached read 256 B,cached read 4 KiB,direct write 4 KiB,direct read 4 KiB' \
		--mix 50 --sizes 256,4k dir
fi

# --- creating and removing happens once, and its device rows are those of test read
run 0 --dry-run --sizes 4k --tests create,read:created,delete:created,read dir
[ "$(plan | sed '/^direct read/d' | paste -s -d ,)" = 'cached create 4 KiB,cached read 4 KiB,asis delete 4 KiB,cached read 4 KiB' ] ||
	fail "steps over what is made: $(plan)"

# --- no device: in memory, with another engine, without data, and where other rules apply
plans 'cached read 4 KiB' --engine stdio --sizes 4k --tests read dir
plans 'cached read 4 KiB' --sizes 4k --tests read null:
plans 'asis stat 4 KiB' --sizes 4k --tests stat dir
plans 'cached read 4 KiB' --format classic --sizes 4k --tests read dir
plans 'direct fill 1 MiB' --tests fill -l 1Mi --sizes 1Mi dir
if memory=$(mktemp -d /dev/shm/iosweep.XXXXXX 2>/dev/null); then
	on_exit "rmdir '$memory'"
	plans 'cached read 4 KiB' --sizes 4k --tests read "$memory"
	refuses 3 'nothing can be measured with --cache device; it needs' \
		--quiet --cache device --sizes 4k --tests read "$memory"
	run 0 --quick --rounds 1 --max-time 5min --columns test,cache,size_bytes "$memory"
	[ "$(wc -l <"$work/out")" = 7 ] || fail "in memory there is no device"
	grep -q '^# verdict: .* is memory, with no device behind it' "$work/err" || fail "memory is not named"
fi
run 0 --dry-run --quick dir
grep -qx 'time: takes at most 10 s' "$work/out" || fail "a plan without its limit"

# --- on slow storage: less is filled, and the figures note that, or are missing
if mount_faulty; then
	echo all:50ms:1 >"$work/mnt/.faults" # 64 MiB in pieces of at most 1 MiB take at least 3 s
	iosweep --quick --columns test,size_bytes,operations,notes "$work/mnt" >"$work/out" 2>"$work/err"
	status=$?
	[ $status = 0 ] || [ $status = 1 ] || fail "slow storage: exit status $status"
	expect_reported 'mnt: filling is slow here, so test files total .*iB instead of 64 MiB'
	column notes | grep -qv '^skipped' || fail "no rows"
	! column notes | grep -v '^skipped' | grep -qv 'reduced:[0-9]*/67108864' || fail "a row without note"
	! awk -F, 'NR > 1 && $3 == 0 && $4 !~ /incomplete|skipped/' "$work/out" | grep . ||
		fail "a row without operations is not incomplete"
	grep -q -e '--max-time 2min' "$work/err" || fail "slow storage: more time is not proposed"
	echo '' >"$work/mnt/.faults"
	nothing_left "$work/back"

	# - an interruption does not wait for filling or caching, which would take more than a minute
	interrupt() { # interrupts once the command is true
		what=$1
		shift
		soon "$what: not begun" "$@"
		kill -TERM $!
		wait $!
		[ $? = 143 ] || fail "$what: another exit status"
		grep -q '^iosweep: interrupted; test files are removed' "$work/err" || fail "$what: not a word"
		echo '' >"$work/mnt/.faults"
		nothing_left "$work/back"
	}
	is_filling() { [ -s "$(echo "$work/back"/*/f0)" ]; }
	is_caching() { grep -q '^# ready' "$work/err"; }
	echo all:100ms:1 >"$work/mnt/.faults"
	timeout 60 "$IOSWEEP" --cache cached -s -l 1Gi --tests read "$work/mnt" >"$work/out" 2>"$work/err" &
	interrupt filling is_filling
	timeout 60 "$IOSWEEP" --verbose --cache cached -s -l 128Mi --tests read "$work/mnt" >"$work/out" 2>"$work/err" &
	soon "caching: not begun" is_caching
	echo all:1000ms:1 >"$work/mnt/.faults"
	interrupt caching is_caching
else
	echo "not tried, $why"
fi

run 0 --quick --rounds 1 --max-time 5min --columns test,cache,size_bytes mem:
grep -q '^# verdict: .*mem: is memory, with no server behind it' "$work/err" || fail "mem: is no server"
[ $direct = yes ] || skip "O_DIRECT does not work in $PWD"
