#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# compare-trials.sh - how often `iosweep compare` is wrong: trials of sweeps of the same thing, which
# must not differ, and of an engine slowed by 5 %, which must be found; each as a single pair and as
# two pairs in turns.  Prints counts, judges nothing; wants a machine that does nothing else.
#     compare-trials.sh [TRIALS [DIR]]     20 trials, files in DIR (/tmp): about 12 minutes
# IOSWEEP is the program.
set -u
: "${IOSWEEP:?run me by make bench-compare}"
trials=${1:-20}
work=$(mktemp -d "${2:-/tmp}/compare-trials.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
cd "$work" || exit 1

# sweep FILE ARGS...: 6 sizes, reads, default precision; always the same processor
sweep() {
	file=$1
	shift
	"$IOSWEEP" --quiet --pin --tests read --sizes 512,4k,16k,64k,256k,1M --format json -o "$file" "$@" || {
		echo "a sweep failed: $*" >&2
		exit 1
	}
}
same() { sweep "$1" --single-file --file-size 16Mi "$work" null:; }
delayed() { sweep "$1" --null.delay "$2" null:; }

# judge WHAT FILES...: counts exit statuses
judge() {
	what=$1
	shift
	"$IOSWEEP" compare --format csv -o "$what.csv" --quiet "$@"
	case $? in
	0) echo no >>"$what.count" ;;
	1)
		echo yes >>"$what.count"
		sed -n "/,\(slower\|faster\),/s/^/  trial $trial, $what: /p" "$what.csv"
		;;
	2) # no answer: unclear, as noisy sweeps are; anything else has left no table
		grep -q ',unclear,' "$what.csv" || exit 1
		echo unclear >>"$what.count"
		;;
	*) exit 1 ;;
	esac
}

trial=0
while [ $trial -lt "$trials" ]; do
	trial=$((trial + 1))
	for file in a1 b1 a2 b2; do
		same "same.$file.json"
	done
	judge same-1 same.a1.json same.b1.json >>false
	judge same-2 same.a1.json same.b1.json same.a2.json same.b2.json >>false
	for turn in 1 2; do
		delayed "slow.a$turn.json" 20us
		delayed "slow.b$turn.json" 21us
	done
	judge slow-1 slow.a1.json slow.b1.json >/dev/null
	judge slow-2 slow.a1.json slow.b1.json slow.a2.json slow.b2.json >/dev/null
	[ -t 2 ] && printf 'trial %d of %d\r' $trial "$trials" >&2
done
count() { grep -c "$2" "$1.count" 2>/dev/null; }
echo "sweeps of the same, said to differ:  single pair $(count same-1 yes) of $trials, two pairs $(count same-2 yes) of $trials"
echo "slowed by 5 %, found:                single pair $(count slow-1 yes) of $trials, two pairs $(count slow-2 yes) of $trials"
[ ! -s false ] || { echo "false ones:" && cat false; }
