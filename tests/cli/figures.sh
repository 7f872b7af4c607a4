#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# No two figures of one run contradict each other, in JSON, CSV, table, verdict, findings,
# comparisons, fits, reports and pictures.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
need python3
[ -z "${IOSWEEP_RUN:-}" ] || skip "a program that is run by another one"
iosweep export --help >/dev/null 2>&1 || skip "what reads results does not run"
mkdir "$work/here" "$work/here/d" "$work/here/e"
cd "$work/here" || exit 99
tree="--levels 1 --width 4 -l 1Mi --sizes 512..1M"
for words in "$tree --cache cached,uncached d" "$tree --cache cached --threads 1,2 d e" \
	"$tree --cache cached -n 30 d" "$tree --cache cached --mix 50 d" \
	"--sizes 512..64k --depth 1,8 null:" "$tree --cache cached --tests create,stat --loops 2 d"; do
	# shellcheck disable=SC2086 # $words: a list of words
	python3 -B "$top_srcdir/tests/cli/rounded.py" "$IOSWEEP" --time 20ms $words >said 2>&1 ||
		fail "$words: $(cat said)"
done
