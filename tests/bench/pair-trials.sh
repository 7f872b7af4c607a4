#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# pair-trials.sh - how often the comparison of two files of one run is wrong: runs of at most 9 s on
# two names of one file (two files differ by a percent, by where their pages lie); in every second run
# a preloaded library delays reads of one of them by 2 %.
# Prints each line and counts, judges nothing.
#     pair-trials.sh [TRIALS [DIR]]     20 trials, files in DIR (/tmp): about 6 minutes
# IOSWEEP is the program, SLOW_READS the library.
set -u
: "${IOSWEEP:?run me by make bench-pairs}" "${SLOW_READS:?}"
trials=${1:-20}
work=$(mktemp -d "${2:-/tmp}/pair-trials.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
cd "$work" || exit 1
head -c 67108864 /dev/urandom >a && ln a b || exit 1

trial=0
while [ $trial -lt "$trials" ]; do
	trial=$((trial + 1))
	engine=$([ $((trial % 2)) = 0 ] && echo pread || echo posix)
	for share in 0 0.02; do
		SLOW_NAME=b SLOW_SHARE=$share LD_PRELOAD=$SLOW_READS "$IOSWEEP" --engine "$engine" -r \
			--cache cached --max-time 9s --sizes 512..4M -o pairs.json a b >/dev/null 2>err || exit 1
		printf '%s %s %s\n' "$engine" "$share" "$(sed -n 's/^# compared: //p' err)" | tee -a lines
	done
done
called() { grep "^[a-z]* $1 " lines | grep -vc "no difference is shown"; }
echo "the same file, called different: $(called 0) of $trials"
echo "reads 2 % slower, found:        $(called 0.02) of $trials"
