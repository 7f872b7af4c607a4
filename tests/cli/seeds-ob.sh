#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What users of ob_admin io_adapter_benchmark rely on, one function for each scenario, on files, mem: and
# null:.  (On a real object store: tests/s3/seeds.sh.)
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

mkdir "$work/dir"
cd "$work/dir" || exit 99

small='--quiet --levels 2 --width 3 -l 64k --sizes 4k -n 30'

# What is cleaned before and after, and that nothing else is: a foreign file beside the run and in it,
# another run, a live one; names of directories are not read as patterns.
ob9() {
	for ob9_base in 'a b' 'a;b' '*'; do
		mkdir "$ob9_base"
		echo mine >"$ob9_base/mine"
		# shellcheck disable=SC2086
		run 0 $small --keep --run-name other --verify "$ob9_base"
		(cd "$ob9_base" && find . -type f -exec cksum {} + | sort) >"$work/sums"
		# shellcheck disable=SC2086
		run 0 $small --clean none --run-name one "$ob9_base"
		touch "$ob9_base/iosweep-one/marked"
		# shellcheck disable=SC2086
		run 3 $small --clean before --run-name one "$ob9_base"
		grep -q 'not made by iosweep: .*/iosweep-one/marked' "$work/err" || fail "the foreign file is not named"
		[ -f "$ob9_base/iosweep-one/marked" ] || fail "a foreign file is gone"
		rm "$ob9_base/iosweep-one/marked"
		# shellcheck disable=SC2086
		run 3 $small --run-name one "$ob9_base" # clean: no
		# shellcheck disable=SC2086
		run 0 $small --clean before --run-name one --width 2 "$ob9_base"
		[ "$(find "$ob9_base/iosweep-one" -name 'f*' | wc -l)" = 4 ] || fail "not a new run, or not kept"
		# shellcheck disable=SC2086
		run 0 $small --clean both --run-name one "$ob9_base"
		[ ! -e "$ob9_base/iosweep-one" ] || fail "--clean both leaves the run"
		# shellcheck disable=SC2086
		run 0 $small --clean both --run-name one "$ob9_base" # there was none
		# shellcheck disable=SC2086
		run 0 $small --clean after "$ob9_base"
		(cd "$ob9_base" && find . -type f -exec cksum {} + | sort) | cmp -s - "$work/sums" ||
			fail "something else was touched in $ob9_base"
		# shellcheck disable=SC2086
		run 0 $small --clean before --dry-run --run-name other "$ob9_base"
		grep -q 'is removed first$' "$work/out" || fail "a dry run does not tell what it removes"
		(cd "$ob9_base" && find . -type f -exec cksum {} + | sort) | cmp -s - "$work/sums" ||
			fail "a dry run touched something"
		run 0 clean --run-name other "$ob9_base"
		[ "$(cat "$ob9_base/mine")" = mine ] || fail "a foreign file is gone"
		rm -r "$ob9_base"
	done
	# shellcheck disable=SC2086
	${IOSWEEP_RUN:-} "$IOSWEEP" --levels 2 --width 3 -l 64k --sizes 4k --time 2000s --run-name alive . \
		>"$work/alive.out" 2>"$work/alive.err" &
	ob9_alive=$!
	on_exit "end_child $ob9_alive"
	soon "the run does not start" grep -q '^# target' "$work/alive.err"
	# shellcheck disable=SC2086
	run 3 $small --clean both --run-name alive .
	one_line "$work/err"
	grep -q 'in use by a running iosweep: .*/iosweep-alive' "$work/err" || fail "not told that it is alive"
	[ -f iosweep-alive/d2/f2 ] || fail "taken from under a run"
	kill -TERM $ob9_alive
	wait $ob9_alive
	nothing_left .
	for ob9_option in '--clean before' '--clean both' '--clean after --keep --run-name x' '-r --clean none' \
		'-r --clean after'; do
		# shellcheck disable=SC2086
		run 2 --quiet $ob9_option .
		one_line "$work/err"
	done
}

for scenario in 9; do
	echo "OB $scenario"
	ob$scenario
done
