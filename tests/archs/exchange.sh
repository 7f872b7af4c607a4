#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# exchange.sh - what iosweep of one processor writes means the same to iosweep of another: runs that
# are kept, and results.
#     exchange.sh OTHER [WRAPPER]
# Files may be longer than 32 bits can say.
# IOSWEEP is the program of this machine, OTHER that of another processor, WRAPPER what runs it here
# (as qemu-s390x).  Both ways: one makes and keeps a run, the other verifies its content, writes to it
# and removes it; both measure, and the results in CSV and JSON are read here.
set -u
LC_ALL=C
export LC_ALL
: "${IOSWEEP:?name the program of this machine}"
other=${1:?name the program of the other}
wrapper=${2:-}
work=$(mktemp -d "$PWD/exchange.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 143' HUP INT TERM

fail() {
	printf 'FAIL: %s\n' "$*"
	tail -n 5 "$work/err" 2>/dev/null
	exit 1
}
# by here|there ARGS...: the program, output in $work/out and $work/err
by() {
	by_whom=$1
	shift
	if [ "$by_whom" = here ]; then
		timeout -k 5 300 "$IOSWEEP" "$@" >"$work/out" 2>"$work/err" </dev/null
	else
		timeout -k 5 300 ${wrapper:+"$wrapper"} "$other" "$@" >"$work/out" 2>"$work/err" </dev/null
	fi
}
sweep() { # WHO ARGS...: two sizes, one of them odd
	sweep_whom=$1
	shift
	by "$sweep_whom" --quiet --cache cached --sizes 512,4099 -n 60 "$@"
}
mkdir "$work/dir" || exit 99
for maker in here there; do
	user=there
	[ "$maker" = here ] || user=here
	sweep $maker --tests write,read --levels 2 --width 2 -l 64Ki --verify --run-name kept --keep "$work/dir" ||
		fail "a run is not made $maker"
	sweep $user --tests read -r --run-name kept --verify "$work/dir" || fail "made $maker, it is not read $user"
	sweep $user --tests write,read --reuse kept --verify --keep "$work/dir" ||
		fail "made $maker, it is not written $user"
	sweep $maker --tests read -r --run-name kept --verify "$work/dir" ||
		fail "made $maker and written $user, it is not read $maker"
	by $user clean --run-name kept "$work/dir" || fail "made $maker, it is not removed $user"
	[ -z "$(ls -A "$work/dir")" ] || fail "made $maker, $user leaves $(ls -A "$work/dir")"
	for take in 1 2; do
		sweep $maker --tests write,read --label "$maker" --format csv -o "$work/$maker-$take.csv" \
			-l 64Ki "$work/dir" ||
			fail "results are not written $maker"
		sweep $maker --tests write,read --label "$maker" --format json -o "$work/$maker-$take.json" \
			-l 64Ki "$work/dir" || fail "results in JSON are not written $maker"
	done
done
# results of both are read here
for format in csv json; do
	by here compare --format csv "$work/here-1.$format" "$work/there-1.$format"
	[ "$(grep -c '^cell,' "$work/out")" = 4 ] || fail "not all rows in $format are the same cells"
done

# a file of which most is beyond what 32 bits can say
truncate -s 15G "$work/long" || fail 'no file of 15 GiB'
sweep there --cache asis --tests read -r "$work/long" || fail 'a long file is not read there'
[ "$(grep -c ',read,' "$work/out")" -eq 2 ] || fail 'not all sizes of a long file are read there'
# where the kernel runs it by itself, strace tells where it read
if [ -z "$wrapper" ] && strace -o /dev/null true 2>/dev/null; then
	timeout -k 5 300 strace -f -e trace=pread64 -o "$work/calls" "$other" --quiet --cache asis \
		--engine pread --sizes 512 -n 60 --tests read -r "$work/long" >"$work/out" 2>"$work/err" </dev/null ||
		fail 'a long file is not read below strace'
	awk '/pread64\(/ { sub(/\).*/, ""); sub(/.*, /, ""); if ($0 + 0 > 4294967296) far++ }
		END { exit far < 30 }' "$work/calls" || fail 'no reads beyond 4 GiB'
fi
