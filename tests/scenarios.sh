# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# shellcheck shell=sh
# scenarios.sh - how tests with real servers are run; sourced by the check.sh of their directories.
# Logs are in the current directory.
#     scenarios LABEL FOLDER NAME...  runs tests/FOLDER/NAME.sh, those that there are, 1200 s each, for
#                              busy machines.  A line for each, "PASS LABEL/NAME" or FAIL or SKIP with
#                              the reason, and one for each part (LABEL/NAME/PART) that it says that it
#                              could not try here
#     scenarios_check FOLDER DIRECTORY NAMES  all of that with the scenarios of a folder, NAMES in one
#                              word, and their logs in DIRECTORY; empty: in tests/FOLDER-check
#     scenarios_sum FILE       how many lines of each kind it has; ends the program by that

scenarios() {
	scenarios_label=$1 scenarios_folder=${top_srcdir:?}/tests/$2
	shift 2
	for scenarios_name; do
		[ -e "$scenarios_folder/$scenarios_name.sh" ] || continue
		scenarios_log=$scenarios_label-$scenarios_name.log
		TEST_BOUNDED=1 timeout -k 10 1200 sh "$scenarios_folder/$scenarios_name.sh" >"$scenarios_log" 2>&1
		case $? in
		0) echo "PASS $scenarios_label/$scenarios_name" ;;
		77) echo "SKIP $scenarios_label/$scenarios_name: $(sed -n 's/^SKIP: //p' "$scenarios_log" | tail -n 1)" ;;
		124)
			echo "FAIL $scenarios_label/$scenarios_name: not finished after 1200 s"
			tail -n 40 "$scenarios_log" >&2
			;;
		*)
			echo "FAIL $scenarios_label/$scenarios_name: $(sed -n 's/^FAIL: //p' "$scenarios_log" | tail -n 1)"
			tail -n 40 "$scenarios_log" >&2
			;;
		esac
		sed -n "s,^not tried: \\([^: ]*\\): ,SKIP $scenarios_label/$scenarios_name/\\1: ,p" "$scenarios_log"
	done
}

scenarios_check() {
	export IOSWEEP top_srcdir builddir="${builddir:-.}"
	scenarios_directory=${2:-$PWD/tests/$1-check}
	mkdir -p "$scenarios_directory" && cd "$scenarios_directory" || exit 1
	trap 'exit 130' INT
	trap 'exit 143' TERM
	: >said
	# shellcheck disable=SC2086 # a list of words
	scenarios "$1" "$1" $3 | tee -a said
	scenarios_sum said
}

scenarios_sum() {
	scenarios_passed=$(grep -c '^PASS ' "$1")
	scenarios_failed=$(grep -c '^FAIL ' "$1")
	echo "$scenarios_passed passed, $scenarios_failed failed, $(grep -c '^SKIP ' "$1") skipped"
	[ "$scenarios_failed" -eq 0 ] || exit 1
	[ "$scenarios_passed" -gt 0 ] || exit 77
	exit 0
}
