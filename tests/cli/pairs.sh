#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# What was measured in the same rounds is compared: each value of an axis with the first one, by
# lines on standard error and records of JSON that another program finds in the slices, too.
# shellcheck disable=SC2086 # $tree, $words: lists of words
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
need python3
cd "$work" || exit 99

pairs() {
	pairs_want=$1
	shift
	run 0 --format json -o result.json --rounds 6,6 -n 2000 "$@"
	python3 "$top_srcdir/tests/cli/compared.py" result.json err >faults ||
		fail "$*: $(cat faults)"
	sed -n 's/^# compared: \([a-z]*\): .*\(times as long as\|times the rate of\) \([^:;,]*\).*/\1 \3/p' err >lines
	[ "$(tr '\n' ';' <lines)" = "$pairs_want" ] || fail "$*: $(cat lines)"
}
mkdir a b c
tree="--levels 1 --width 1 -l 64k"
pairs "writes a;writes a;reads a;reads a;" --cache cached $tree --sizes 4k,16k,64k a b c
pairs "reads posix;" --cache cached $tree --tests read --engine posix,pread --sizes 4k a
pairs "reads posix;reads a;" --cache cached $tree --tests read --engine posix,pread --sizes 4k a b
pairs "reads 1 thread;" --cache cached --tests read --threads 1,2 --sizes 4k,16k null:
pairs "reads random;" --cache cached $tree --tests read --access random,sequential --sizes 4k a

# --- more pairs than lines: the extremes are shown, and how many are not
run 0 --format json -o result.json --rounds 6,6 -n 6000 --tests read --sizes 4k \
	--threads 1,2,3,4,5,6,7,8,9,10,11 null:
python3 "$top_srcdir/tests/cli/compared.py" result.json err >faults || fail "$(cat faults)"
grep -q "^# compared: 2 more pairs:" err || fail "not ten pairs: $(grep compared err)"

# --- nothing to compare: one value of each axis, two axes at once, too few rounds, a rate for all
for words in "null:" "-n 4 null: mem:" "--rate 20000 --threads 1,2 null:"; do
	run 0 --cache cached --tests read --sizes 4k --time 50ms $words
	! grep "^# compared:" err || fail "$words: nothing is to be compared"
done
