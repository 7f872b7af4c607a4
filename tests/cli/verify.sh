#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# verify.sh - the guarantees of --verify: no false alarms with any engine, cache mode, size and
# number of threads; a wrong byte, a lost write and a read that moved nothing are detected, reported
# in one line and end with status 4; kept files of iosweep can be verified by a later run, and
# unknown contents are refused rather than skipped.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?run the tests with make check}/tests/cli/lib.sh"
row_columns=all
# shellcheck source=tests/cli/trace.sh
. "$top_srcdir/tests/cli/trace.sh"

mkdir "$work/dir"
cd "$work/dir" || exit 99
columns=--columns=size_bytes,operations,errors,errors_short,errors_wrong,notes

# clean ROWS ARGS...: verifies without finding anything
clean() {
	clean_rows=$1
	shift
	run 0 --verify --quiet --format csv $columns "$@"
	[ ! -s "$work/err" ] || fail "iosweep $*: not quiet"
	awk -F, -v rows="$clean_rows" '
		NR > 1 && ($2 == 0 || $3 != 0 || $4 != 0 || $5 != "0" || $6 ~ /wrong|skipped/) { print; bad = 1 }
		END { if (NR - 1 != rows) print "rows: " NR - 1; exit bad || NR - 1 != rows }' \
		"$work/out" >&2 || fail "iosweep $*: not clean"
}

# wrong ARGS...: wrong data were found, and reported in rows and in one line
wrong() {
	run 4 --verify --quiet --format csv $columns "$@"
	one_line "$work/err"
	grep -q 'wrong data.* at offset [0-9]*.*expected [0-9a-f][0-9a-f].*found [0-9a-f][0-9a-f]' \
		"$work/err" || fail "iosweep $*: not told what is wrong"
	awk -F, 'NR > 1 && $5 > 0 && $5 <= $2 && $6 ~ /(^|;)wrong_data(;|$)/ { found = 1 }
		END { exit !found }' "$work/out" || fail "iosweep $*: no row tells it"
}

# refused WORD ARGS...: one line with WORD, no results
refused() {
	refused_word=$1
	shift
	refuses 3 "$refused_word" --verify -n 4 "$@"
	grep -q -e '--verify' "$work/err" || fail "iosweep $*: the message does not name the option"
	[ ! -s "$work/out" ] || fail "iosweep $*: refused, yet results"
}

# --- nothing is wrong: every file engine usable here
iosweep help engines >"$work/engines" 2>/dev/null || fail "help engines"
mkdir t
direct=yes
iosweep -b -n 4 --sizes 4k -l 64Ki --width 2 --quiet t >"$work/out" 2>"$work/err" || direct=
[ -n "$direct" ] || echo "not tried: O_DIRECT, it is refused here"
small='-l 256Ki --levels 2 --width 2 -m 2 -M 64k -n 12'
usable=
for engine in posix pread stdio io_uring libaio; do
	depth=
	case $engine in io_uring | libaio) depth=yes ;; esac
	grep -q "^$engine " "$work/engines" || continue
	iosweep --engine "$engine" -n 4 --sizes 4k -l 64Ki --width 2 --quiet t >"$work/out" \
		2>"$work/err" || {
		echo "not tried: engine $engine, $(head -1 "$work/err")"
		continue
	}
	usable="$usable $engine"
	# shellcheck disable=SC2086
	{
		clean 64 $small --engine "$engine" --threads 1,4 t
		clean 32 $small --engine "$engine" --align 1 --sync end t
		clean 32 $small --engine "$engine" --threads 2 --keep-open t
		[ -z "$depth" ] || clean 64 $small --engine "$engine" --threads 1,4 --depth 8 t
		[ -z "$depth" ] || clean 32 $small --engine "$engine" --keep-open --depth 8 t
		if [ -z "$direct" ] || [ "$engine" = stdio ]; then continue; fi
		clean 64 $small --engine "$engine" -b --threads 1,4 t
		[ -z "$depth" ] || clean 64 $small --engine "$engine" -b --threads 1,4 --depth 8 t
	}
done
clean 16 -s -l 100001 -n 12 t
clean 16 -m 2 -M 64k --cache uncached -l 256Ki --tests read -n 12 t
nothing_left t

# --- kept files are known to later runs, by any path to their directory, if all are read
kept() { # leaves a run in ./keep
	mkdir keep
	iosweep --keep -l 64Ki --levels 2 --width 2 -n 40 --sizes 512,4k --quiet "$@" keep \
		>"$work/out" 2>"$work/err" || fail "--keep $*"
	run_dir=$(echo keep/iosweep-*)
	[ -f "$run_dir/d1/f1" ] || fail "--keep $*: no files"
}
forget() {
	run 0 clean keep
	nothing_left keep
	rmdir keep
}
kept --verify
(cd keep && find . -type f -exec cksum {} +) >"$work/before"
clean 2 -r -n 40 keep
clean 2 -r -n 40 "$run_dir"
clean 12 -m 2 -r -n 40 -M 4k -l 5000 "$run_dir"
ln -s "../$run_dir" t/link
clean 16 -m 2 -M 64k -r -n 40 t/link
rm t/link
refused 'd1/f0.*read a whole run' -r "$run_dir/d1"
refused 'd0/f1.*read a whole run' -r "$run_dir/d0/f1"
cp -R "$run_dir" iosweep-copy
clean 2 -r -n 40 iosweep-copy
rm -r iosweep-copy
(cd keep && find . -type f -exec cksum {} +) | cmp -s - "$work/before" || fail "-r changed kept files"

forget

# --- a single bit: without a write test they have their initial content
kept --verify --tests read
(cd keep && find . -type f -exec cksum {} +) >"$work/before"
byte_at() { # FILE OFFSET: its value in decimal
	od -An -v -tu1 -j "$2" -N 1 "$1" | tr -d ' '
}
put_byte() { # FILE OFFSET VALUE
	# shellcheck disable=SC2059
	printf "\\$(printf %o "$3")" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}
for engine in $usable; do
	for offset in 0 40000 65535; do
		byte=$(byte_at "$run_dir/d1/f0" $offset)
		put_byte "$run_dir/d1/f0" $offset $((byte ^ 8))
		wrong -r --engine "$engine" --sizes 4k -n 1500 "$run_dir"
		expected=$(printf '%02x' "$byte")
		found=$(printf '%02x' $((byte ^ 8)))
		grep -q "d1/f0 at offset $offset: expected $expected.*found $found" "$work/err" ||
			fail "not the right place, $offset: $expected $found"
		run 0 --quiet -r --engine "$engine" --sizes 4k -n 20 "$run_dir" # not requested, not verified
		put_byte "$run_dir/d1/f0" $offset "$byte"
	done
done
(cd keep && find . -type f -exec cksum {} +) | cmp -s - "$work/before" || fail "the test is wrong"

# --- inverted, all bits or every other bit: of no generation, whether written or not
turn() { # applied to each byte
	turn_to=$(awk -v x="$1" 'BEGIN { for (i = 0; i < 256; i++) {
		v = 0
		for (b = 1; b < 256; b *= 2) v += (int(i / b) + int(x / b)) % 2 * b
		printf "\\%03o", v } }')
	shift
	for file; do
		LC_ALL=C tr '\000-\377' "$turn_to" <"$file" >x && cat x >"$file"
	done
	rm x
}
inverted() {
	for xor in 255 170 85; do
		turn $xor "$run_dir"/d*/f*
		wrong -r --sizes 4k -n 16 "$run_dir"
		wrong -r --sizes 100 --align 1 -n 16 "$run_dir"
		turn $xor "$run_dir"/d*/f*
	done
	clean 2 -r -n 100 "$run_dir"
}
inverted
forget
kept --verify --tests write
inverted
forget
kept --verify --tests read

# --- swapped files, and a swapped page
mv "$run_dir/d0/f0" x && mv "$run_dir/d1/f0" "$run_dir/d0/f0" && mv x "$run_dir/d1/f0"
wrong -r --sizes 512 -n 100 "$run_dir"
forget
kept --verify --tests write
dd if="$run_dir/d0/f0" of="$run_dir/d0/f0" bs=4096 skip=3 seek=11 count=1 conv=notrunc 2>/dev/null
wrong -r --sizes 4k -n 1500 "$run_dir"
grep -q 'd0/f0 at offset 4505[67]:' "$work/err" || fail "a page moved: not the right place"

forget

# --- files made by create and append: in the run, and later
clean 6 --tests create,append,read:created --sizes 512,4099 --threads 2 -n 40 -l 64Ki t
mkdir keep
run 0 --verify --keep --quiet --tests create,append --sizes 512,4099 --threads 2 -n 40 keep
run_dir=$(echo keep/iosweep-*)
clean 2 -r --access once "$run_dir"
first=$(find "$run_dir/new/t0" -size 9 | sort | sed -n 1p)
other=$(find "$run_dir/new/t1" -size 9 | sort | sed -n 1p)
cp "$first" x && cp "$other" "$first" && cp x "$other"
wrong -r --sizes 4099 --access once "$run_dir"
cp "$first" "$other" && cp x "$first"
clean 2 -r --access once "$run_dir"
printf x >>"$other"
refused 'new/t1/n' -r "$run_dir"
rm x

# --- mixed pieces of several writes are counted, never of whole pages
run 0 --verify --quiet --format csv $columns --tests write,read --sizes 512,4k -l 64Ki --width 2 -n 300 t
awk -F, 'NR == 5 && $6 ~ /(^|;)verify_mixed:[1-9]/ { found = 1 } END { exit !found }' "$work/out" ||
	fail "pages of several writes are not counted"
run 0 --verify --quiet --format csv $columns --tests write,read --sizes 4k,8k -l 64Ki --width 2 -n 300 t
! grep -q verify_mixed "$work/out" || fail "whole pages are called mixed"
forget

# --- older data that reappear after they were overwritten and read back
"$IOSWEEP" --verify --quiet --format csv $columns --cache cached --tests read:50ms,write:200ms,read:60s --sizes 4k \
	-l 64Ki --levels 1 --width 2 --run-name stale t >"$work/out" 2>"$work/err" &
stale=$!
on_exit "end_child $stale"
filled() { [ -f t/iosweep-stale/f1 ]; }
soon "nothing is filled" filled
cp t/iosweep-stale/f0 x
written() { [ "$(wc -l <"$work/out")" -ge 3 ]; }
soon "nothing is written" written
dd if=x of=t/iosweep-stale/f0 conv=notrunc 2>/dev/null
wait $stale
[ $? = 4 ] || fail "older data that came back are not found"
nothing_left t
rm x

# --- other damage
kept --verify --tests write
printf x >>"$run_dir/d0/f1"
refused 'd0/f1' -r "$run_dir"
rm "$run_dir/d0/f1"
refused 'd0/f1' -r "$run_dir"
forget

# --- unknown contents are refused
head -c 300000 /dev/urandom >file
refused 'file' -r file
mkdir user
cp file user/
refused 'user/file' -r user
kept --verify
cp file "$run_dir/notes" # not in its manifest, so not read
clean 2 -r -n 40 keep
rm "$run_dir/notes"
forget
kept # written without --verify: random data
refused 'without --verify' -r keep
forget
kept --tests read # not written
clean 2 -r -n 40 keep
forget
kept --tests read,create --run-name divided # files of create are random, whichever run writes later
clean 1 --reuse divided --tests write --sizes 4k -n 40 keep
clean 1 -r --sizes 4k -n 40 "$run_dir"
refused 'new/t0/n' -r "$run_dir/new/t0"
forget

# --- a file to be overwritten: written data are known
clean 16 -m 2 -M 64k --overwrite --tests write -n 40 file
[ "$(wc -c <file)" -eq 300000 ] || fail "--overwrite --verify changed the length"
rm -r file user

# --- system calls that falsely report data moved
if can_trace && [ -z "${IOSWEEP_RUN:-}" ]; then
	lying() { # CALL WHEN ARGS...
		lying_call=$1
		lying_when=$2
		shift 2
		lying_options="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
		IOSWEEP_RUN="env ASAN_OPTIONS=$lying_options strace -f -qq -o ../trace -e trace=$lying_call
			-e inject=$lying_call:retval=4096:when=$lying_when"
		wrong --seed 2 --sizes 4k "$@"
		IOSWEEP_RUN=
		lies=$(grep -c INJECTED "$work/trace")
		found=$(awk -F, 'NR > 1 { n += $5 } END { print n + 0 }' "$work/out")
		[ "$found" -le "$lies" ] || fail "$lying_call: $found found of $lies"
		echo "$lying_call: $found of $lies lies found"
	}
	# of files made by tests, the one with a lost write, and the one not copied
	for test in create append; do
		case $PWD in *[[:blank:]]*) continue ;; esac # must be one word of $IOSWEEP_RUN
		IOSWEEP_RUN="env ASAN_OPTIONS=detect_leaks=0 strace -f -qq -o ../trace
			-P $PWD/t/iosweep-lie/new/t0/n3 -e trace=write -e inject=write:retval=4096"
		run 4 --verify --quiet --format csv $columns --tests $test --sizes 4k -n 10 --run-name lie t
		IOSWEEP_RUN=
		[ "$(tail -n 1 "$work/out" | cut -d, -f5)-$(grep -c INJECTED "$work/trace")" = 1-1 ] || fail "$test: a lost write"
		grep -q 'wrong data; the first: a new file in .*/t/iosweep-lie ends too early$' "$work/err" || fail "$test: not told what is wrong"
	done
	IOSWEEP_RUN="env ASAN_OPTIONS=detect_leaks=0 strace -f -qq -o ../trace
		-e trace=copy_file_range -e inject=copy_file_range:retval=4096:when=3"
	iosweep --verify --quiet --format csv $columns --tests copy --sizes 4k -n 10 -l 64k --width 2 t >"$work/out" 2>"$work/err"
	status=$?
	IOSWEEP_RUN=
	if grep -q INJECTED "$work/trace"; then # otherwise this call is not used here
		[ "$status-$(tail -n 1 "$work/out" | cut -d, -f5)" = 4-1 ] || fail "a lost copy"
	fi
	nothing_left t

	kept --verify --tests read
	for depth in 1 4; do
		lying pwrite64 5+7 --engine pread --threads $depth -l 32Ki --width 2 --tests write -n 200 t
		# of several writers some overwrite what another one has written
		[ "$found" -ge $((depth > 1 ? 1 : lies)) ] || fail "$found of $lies lost writes were found"
		# 40: skips those of the dynamic linker and of inspecting the target
		lying pread64 40+5 --engine pread --threads $depth -r -n 300 "$run_dir"
		[ "$found" -ge 10 ] || fail "hardly a lost read was found: $found of $lies"
	done
	forget
else
	echo "not tried: writes and reads that lie, strace cannot be used"
fi
nothing_left t
