#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What users of blobstore-bench rely on, one function for each scenario, on files, mem: and null:.
# (On a real object store: tests/s3/seeds.sh.)
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
# shellcheck source=tests/cli/trace.sh
. "$top_srcdir/tests/cli/trace.sh"

mkdir "$work/dir"
cd "$work/dir" || exit 99

# value COLUMN [LINE]: of a row
value() {
	awk -F, -v name="$1" -v line="${2:-1}" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		NR == line + 1 { print at ? $at : "no column" }' "$work/out"
}

# What was written is read in the same command, each object or block once, and then it is over.
cf2() {
	for cf2_more in "--depth 1" "--depth 8 --threads 3"; do
		# shellcheck disable=SC2086
		run 0 --quiet --format csv --tests write,read --access once --sizes 10Ki --objects 50 --verify --time 1000s $cf2_more mem:
		for cf2_row in 1 2; do
			[ "$(value operations $cf2_row)" = 50 ] && [ "$(value stop $cf2_row)" = exhausted ] &&
				[ "$(value requests $cf2_row)" -ge 50 ] && [ "$(value wrong_operations $cf2_row)" = 0 ] ||
				fail "$cf2_more: $(value operations $cf2_row) of 50 objects, stop=$(value stop $cf2_row)"
		done
	done
	can_trace || { echo "strace is not usable here"; return; }
	trace "$work/trace" 0 --quiet --format csv --engine pread --cache asis --tests write,read --access once \
		--sizes 4k --levels 1 --width 3 -l 20k .
	[ "$(value operations 1),$(value operations 2)" = 15,15 ] || fail "not each of 15 blocks"
	for cf2_call in pwrite64 pread64; do # five blocks of each of three files, those of a file in order
		sed -n "s/.* $cf2_call(.*, 4096, \\([0-9]*\\)) *= 4096\$/\\1/p" "$work/trace" >"$work/offsets"
		[ "$(tr '\n' ' ' <"$work/offsets")" = "$(for cf2_file in 1 2 3; do
			echo 0 4096 8192 12288 16384
		done | tr '\n' ' ')" ] || fail "$cf2_call: $(cat "$work/offsets")"
	done
	nothing_left .
}

for scenario in 2; do
	echo "CF $scenario"
	cf$scenario
done
