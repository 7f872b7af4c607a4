#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What users of rados bench rely on, one function for each scenario, on files, mem: and null:.
# (On a real object store: tests/s3/seeds.sh.)
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

mkdir "$work/dir"
cd "$work/dir" || exit 99

# value COLUMN [LINE]: of a row
value() {
	awk -F, -v name="$1" -v line="${2:-1}" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		NR == line + 1 { print at ? $at : "no column" }' "$work/out"
}

# Verification: one flipped byte is found, named by file and offset, and fails the run; without it the
# run goes well.  What is written cannot be compressed, and no two blocks are equal.
rb5() {
	run 0 --quiet --format csv --keep --verify --tests write,read --sizes 4k -n 40 -l 64k --levels 1 .
	[ "$(value wrong_operations 2)" = 0 ] || fail "wrong data where nothing was touched"
	rb5_file=$(find . -name f1)
	# whatever stands there, another byte
	od -An -tu1 -j5000 -N1 "$rb5_file" | awk '{ printf "%c", $1 == 88 ? 89 : 88 }' |
		dd of="$rb5_file" bs=1 seek=5000 conv=notrunc 2>/dev/null
	run 4 --quiet --format csv -r --verify --tests read --sizes 4k -n 2000 .
	[ "$(value wrong_operations)" -ge 1 ] || fail "a flipped byte is not found"
	one_line "$work/err"
	grep -q "/f1 at offset 5000: expected " "$work/err" || fail "file and offset are not named"
	run 0 --quiet --format csv -r --tests read --sizes 4k -n 2000 .
	run 0 clean .
	nothing_left .

	run 0 --quiet --format csv --keep --tests write --sizes 4k,64k -n 600 -l 1Mi --levels 1 .
	# shellcheck disable=SC2046 # two numbers
	set -- $(python3 "$top_srcdir/tests/cli/blocks.py" .)
	[ "$1" -ge 1024 ] && [ "$1" -eq "$2" ] || fail "$2 of $1 blocks are different"
	cat iosweep-*/f* >"$work/all"
	[ "$(gzip -c "$work/all" | wc -c)" -gt "$(($(wc -c <"$work/all") / 100 * 99))" ] ||
		fail "what is written can be compressed"
	run 0 clean .
	nothing_left .
}

need python3 gzip
for scenario in 5; do
	echo "RB $scenario"
	rb$scenario
done
