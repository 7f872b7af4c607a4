#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# `iosweep compare` of sweeps that are measured: labels that are the same in all formats, rounds that
# JSON holds, an output that cannot be written, a terminal.  What it says is in tests/golden/compare.t.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
cd "$work" || exit 99

iosweep --version | grep -q jansson || skip "built without jansson, which reads rounds"

# --- a sweep, and what it would be with all its times a million times as long: no noise hides it

run 0 --quiet --tests read --sizes 512,4k --rounds 8 --format json -o one.json null:
iosweep compare one.json one.json >"$work/out" 2>"$work/err"
status=$?
[ $status = 0 ] || [ $status = 2 ] || fail "a sweep and itself: exit status $status"
rows 'ratio == 1 && evidence ~ /rounds/ && verdict ~ /same|unclear/'
if command -v python3 >/dev/null; then
	python3 - <<'END' >slow.json || fail "cannot change the results"
import json
results = json.load(open("one.json"))
for row in results["rows"]:
    for key, value in row.items():
        if key.startswith("op_ns_") and isinstance(value, (int, float)):
            row[key] = value * 1e6
        elif key == "round_ns":
            row[key] = [v * 1e6 if isinstance(v, (int, float)) else v for v in value]
print(json.dumps(results))
END
	iosweep compare one.json slow.json >"$work/out" 2>"$work/err"
	rows 'ratio == 1e6'
	iosweep compare --format json one.json slow.json 2>"$work/err" | python3 -m json.tool >"$work/out" ||
		fail "not valid JSON"
fi

# --- what cannot be written is no difference; a terminal has the table

if [ -c /dev/full ]; then
	run 2 compare -o /dev/full one.json one.json
	one_line "$work/err"
	iosweep compare one.json one.json >/dev/full 2>"$work/err"
	[ $? = 2 ] || fail "status for a full standard output"
fi
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
	for output in '' '-o -'; do
		script -qec "'$IOSWEEP' compare --quiet $output one.json one.json" /dev/null >terminal </dev/null
		grep -q 'time/op' terminal || fail "no table on a terminal ($output)"
	done
fi

# --- a label is the same in all formats, whatever it holds ---

for label in '=cmd()' "'x'" "''" '-1' 'a\x1b\b' ' a ' "$(printf 'a\033[2J\342\200\256b')" \
	"$(printf 'a\nb\tc\r')"; do
	run 0 --quiet --tests read --sizes 4k -n 50 --label "$label" -o label.csv null:
	! LC_ALL=C grep -q '[^ -~]' label.csv || fail "label $label: reaches CSV as it is"
	! grep -q ',"*[=+@-][^,]' label.csv || fail "label $label: a formula in CSV"
	run 0 --quiet --tests read --sizes 4k -n 50 --label "$label" --format json -o label.json null:
	iosweep compare label.csv label.json >"$work/out" 2>"$work/err"
	rows 'record !~ /missing/ && label !~ / -> /'
done
