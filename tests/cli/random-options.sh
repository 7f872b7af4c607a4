#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# For any combination of options: the program ends by itself, with a documented status, refuses in
# one line without results, never reports wrong data where there are none, prints rows that agree
# with each other, with --dry-run and with the options, and leaves nothing behind.  Command lines
# are generated from a seed by random_options.py:
#     FUZZ_SEED      seed of the first command line, by default 1, so that a test that passed once
#                    passes again; others, such as the time of day, try new ones.
#                    A failure prints the seed that reproduces it
#     FUZZ_LINES     number of lines, by default 120: the same on each machine
#     FUZZ_SECONDS   time limit instead of a number
: "${top_srcdir:?run the tests with make check}"
if [ -z "${TEST_BOUNDED:-}" ] && command -v timeout >/dev/null; then # longer than other tests
	TEST_BOUNDED=1
	export TEST_BOUNDED
	exec timeout -k 10 $((${FUZZ_SECONDS:-200} + 1000)) sh "$0" "$@"
fi
# shellcheck source=tests/cli/lib.sh
. "$top_srcdir/tests/cli/lib.sh"
need python3
echo "FUZZ_SEED=${FUZZ_SEED:-1} ${FUZZ_SECONDS:+FUZZ_SECONDS=$FUZZ_SECONDS}"
memory=
if [ -d /dev/shm ] && memory=$(mktemp -d /dev/shm/random-options.XXXXXX 2>/dev/null); then
	# shellcheck disable=SC2016
	on_exit 'rm -rf "$memory"'
fi
cd "$work" || exit 99
python3 "$top_srcdir/tests/cli/random_options.py" "$memory" "${FUZZ_SEED:-1}" "${FUZZ_LINES:-120}" \
	"${FUZZ_SECONDS:-0}" || exit 1
