#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Each preset shipped runs on a directory and prints what it stands for. Syntax and errors of option
# files are in tests/golden/option-files.t.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all

mkdir "$work/here" "$work/here/dir"
cd "$work/here" || exit 99
unset IOSWEEP_PRESETS

# rows NAME: the plan, one row per line: test, threads, depth, size
rows() { sed -n 's/^row [0-9]*: \([a-z]*\) [a-z_]* [a-z]* threads=\([0-9]*\) depth=\([0-9]*\) size=\([^=]*\) target.*/\1 \2 \3 \4/p' "$work/out"; }

run 0 help presets
cut -d ' ' -f 1 "$work/out" | sort >"$work/presets"
find "$top_srcdir/contrib/presets" -type f | sed "s,.*/,@," | sort >"$work/expected"
diff "$work/expected" "$work/presets" || fail "help presets names other files than contrib/presets has"
sed -n 's/^[.]It Cm @/@/p' "$top_srcdir/man/iosweep-presets.5" | sort | diff "$work/expected" - ||
	fail "iosweep-presets.5 describes other presets"
awk 'NF < 3 { exit 1 }' "$work/out" || fail "a preset does not say what it stands for"
while read -r preset; do
	if ! iosweep --dry-run "$preset" dir >"$work/out" 2>"$work/err" &&
		grep -q 'runs several operations at a time' "$work/err"; then
		echo "no engine for $preset here, and said so"
		continue
	fi
	run 0 --dry-run "$preset" dir
	nothing_left dir
	planned=$(rows | wc -l)
	[ "$planned" -ge 2 ] || fail "$preset: only $planned rows"
	for target in mem: null:; do
		iosweep "$preset" -n 2 --rounds 3,3 --quiet --format csv $target >"$work/out" 2>"$work/err" </dev/null ||
			fail "$preset $target: status $?"
		[ "$(sed 1d "$work/out" | grep -vc 'skipped:')" -ge 2 ] || fail "$preset $target: nothing was measured"
	done
	# as intended, except for the time: small files, few operations, without O_DIRECT
	iosweep "$preset" -l 10Mi --levels 1 --width 4 -n 3 --cache cached --format csv --rounds 3,3 dir >"$work/out" 2>"$work/err" </dev/null
	status=$?
	[ $status = 0 ] || fail "$preset: status $status"
	[ "$(sed 1d "$work/out" | grep -c .)" -ge 2 ] || fail "$preset: hardly a row"
	grep -q "^# options of $preset\$" "$work/err" || grep -q '^# next: ' "$work/err" || fail "$preset is not told"
	sed 1d "$work/out" | grep -v 'skipped:' >"$work/measured"
	[ -s "$work/measured" ] || fail "$preset: nothing was measured"
	nothing_left dir
done <"$work/presets"

# the cells of CrystalDiskMark; -n applies to steps with their own stops
if iosweep --dry-run @diskmark dir >"$work/out" 2>"$work/err"; then
	for cell in 'read 1 8 1 MiB' 'read 1 1 1 MiB' 'read 1 32 4 KiB' 'read 1 1 4 KiB' \
		'write 1 8 1 MiB' 'write 1 1 1 MiB' 'write 1 32 4 KiB' 'write 1 1 4 KiB'; do
		rows | grep -qx "$cell" || fail "@diskmark lacks $cell: $(cat "$work/out")"
	done
	[ "$(rows | wc -l)" = 8 ] || fail "@diskmark: not eight cells"
	[ "$(rows | head -4 | grep -c '^read')" = 4 ] || fail "@diskmark: rows that share rounds are apart"
fi
run 0 --quiet -n 3 -l 2Mi --format csv --columns test,operations @juicefs null:
! sed 1d "$work/out" | grep -v ',3$' || fail "-n does not replace the stops of steps in a file"

# only io_profile's figures: 16 sizes, write then read, 1000 operations in each
run 0 --dry-run @io-profile dir
[ "$(rows | grep -c '^write')" = 16 ] && [ "$(rows | grep -c '^read')" = 16 ] || fail "@io-profile: not 16 sizes"
grep -q '^operations: 1000 per row' "$work/out" || fail "@io-profile: not 1000 operations"
grep -q '64 files of 4 MiB in 20 directories' "$work/out" || fail "@io-profile: another tree"

# the same test in two lines, on the files made for all rows and on those of create
printf '%s\n' '--sizes 4k --levels 1 --width 3 -l 64k' '--tests create:n=20,read:created,delete:created' \
	'--tests create:n=20,read:n=5,delete:created --threads 2' >created
iosweep --quiet --cache cached --format csv --columns test,operations,stop @created . >"$work/out" || fail "created: $?"
[ "$(sed 1d "$work/out" | tr '\n' ' ')" = 'create,20,count create,20,count read,40,exhausted read,5,count delete,20,exhausted delete,20,exhausted ' ] ||
	fail "created: $(cat "$work/out")"
