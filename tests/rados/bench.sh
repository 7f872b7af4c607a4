#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Beside rados bench: what it leaves with --no-cleanup is read by the pattern of its names, each object
# once and its metadata not, and stays as it was, so that rados bench verifies it afterwards; and the
# preset @rados-bench writes, reads each once and reads at random, with a line for each second where
# that is asked for, and leaves nothing.
# shellcheck disable=SC1091,SC2015,SC2154
# shellcheck source=tests/rados/lib.sh
. "${top_srcdir:?}/tests/rados/lib.sh"

cluster memstore
cd "$work" || exit 99

# --- what it left: 50 objects of 16 KiB, written 4 KiB at a time
timeout 60 rados -p "$pool" bench 60 write -b 4096 -O 16384 --max-objects 50 -t 4 --no-cleanup >said 2>&1 ||
	fail "rados bench: $(tail -n 3 said)"
rados -p "$pool" ls | sort >before
count=$(grep -c '^benchmark_data_' before)
[ "$count" -ge 20 ] || fail "rados bench left $count objects"
grep -qx benchmark_last_metadata before || fail "rados bench left no metadata"

columns=operations,size_bytes,time_s,access,errors,errors_short
run 0 --quiet -r "rados://$pool/benchmark_data_*" --tests read --access once --sizes 16k --depth 16 --format csv --columns $columns
[ "$(value operations)" = "$count" ] || fail "not each of $count objects once: $(value operations)"
[ "$(value errors)" = 0 ] && [ "$(value errors_short)" = 0 ] || fail "errors"
run 0 --quiet -r "rados://$pool/benchmark_data_*" --tests read --sizes 4k -n 300 --depth 4 --format csv --columns $columns
[ "$(value operations)" = 300 ] && [ "$(value errors)" = 0 ] || fail "ranges of them are not read"
run 3 -r "rados://$pool/no_such_*" --tests read --sizes 4k -n 3
one_line err
rados -p "$pool" ls | sort | cmp -s - before || fail "what is only read has changed"
timeout 60 rados -p "$pool" bench 60 seq -t 4 >said 2>&1 || fail "rados bench finds its data changed: $(tail -n 3 said)"

# --- the same with the preset
run 0 @rados-bench --interval 1s --time 1200ms --objects 16 --sizes 64k "rados://$pool" --format csv --columns test,$columns,latency_ns_mean,latency_ns_stddev,cpu_ns_per_op
[ "$(column test access errors)" = "write:random:0
read:once:0
read:random:0" ] || fail "rows: $(column test access errors)"
[ "$(value operations 2)" = 16 ] || fail "not each object once"
awk -F, 'NR > 1 { for (i = 1; i <= NF; i++) if ($i == "") exit 1 }' out || fail "a figure is missing"
grep -Eq '^# [0-9:]+ write +64KiB +16 ' err || fail "no line for a second"
rados -p "$pool" ls --all >after
! grep -q iosweep after || fail "objects are left"
