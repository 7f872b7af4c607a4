#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# mem: with real delays, and failures of particular requests; the rest is in tests/golden/mem.t.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all
cd "$work" || exit 99

# --- requests longer than the timeout fail; none is shorter than its known time
run 1 --quiet mem: --tests write --sizes 1Ki --rounds 1 -n 20 --depth 2 --mem.delay mix:3x0,1x60s --request-timeout 5ms
rows 'errors >= 1'
run 0 --quiet mem: --tests read --sizes 1Ki --rounds 1 -n 10 --mem.delay 2ms
rows 'latency_ns_min >= 2e6'

# --- ranges of a read take the time of one; parts of an upload with its beginning and end that of
# three
run 0 --quiet mem: --tests read --parallel 8 --rounds 1 --sizes 64Ki -n 5 --mem.delay 200ms
rows 'latency_ns_min >= 2e8 && latency_ns_min < 1.6e9'
run 0 --quiet mem: --tests create --parallel 8 --part-size 10000 --rounds 1 --sizes 80000 --objects 1 -n 4 --mem.delay 150ms
rows 'latency_ns_min >= 4.5e8 && latency_ns_min < 1.5e9'
# ... and reads among writes have their requests
run 0 --quiet mem: --mix 50 --parallel 4 --rounds 1 --sizes 64Ki -n 40 --depth 4 --verify
rows 'requests == operations * (test == "read" ? 4 : 1) && errors + errors_wrong == 0'

# --- a failed part, beginning or end, or a lost answer, leaves no upload
for what in server-error@upload-part:20 lost@upload-part:20 lost@upload-begin:5 lost@upload-complete:4; do
	for test in create append; do
		run 1 mem: --tests $test --parallel 4 --part-size 10000 --rounds 1 --sizes 100001 --objects 2 -n 20 \
			--depth 2 --mem.fail $what
		rows 'operations + errors == 20 && errors > 0'
		if grep -q 'are left in' err; then fail "$what: something is left"; fi
		case $what in
		*@upload-part*)
			rows "errors == $(sed -n 's/.* \([0-9]*\) upload abort.*/\1/p' err)" # each upload is aborted
			;;
		esac
	done
done

# --- it opens no files, so that a low limit is sufficient
(
	# shellcheck disable=SC3045 # where ulimit does not know it, the limit stays
	ulimit -n 100 # 20 threads of 4 operations
	run 0 --quiet mem: --tests read --sizes 1Ki --rounds 1 -n 100 --threads 20 --depth 4
) || exit
