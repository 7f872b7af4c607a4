# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# shellcheck shell=sh disable=SC2034,SC2154 # of and for who sources it
# lib.sh - how programs for Windows are run by wine, which gets a directory of its own in $builddir.  Sourced.

# Prints the command; nothing if there is none.
find_wine() {
	for candidate in wine64 /usr/lib/wine/wine64 wine; do
		if command -v "$candidate" >/dev/null; then
			echo "$candidate"
			return
		fi
	done
}

wine=$(find_wine)
WINEPREFIX=${builddir:?}/wine WINEDEBUG=-all
# names of files outside ASCII are those of the locale
LC_ALL=C.UTF-8
export WINEPREFIX WINEDEBUG LC_ALL

# run_in_wine STATUS ARGUMENT...: as run in tests/cli/lib.sh, but for what wine(1) and its drivers say
run_in_wine() {
	run_status=$1
	shift
	iosweep "$@" >"$work/out" 2>"$work/err.all" </dev/null
	run_got=$?
	grep -vE '^(wine: |[0-9a-f]+:(fixme|err|warn):)' "$work/err.all" >"$work/err"
	[ "$run_got" = "$run_status" ] || fail "status $run_got, not $run_status: iosweep $*: $(head -n 3 "$work/err")"
}
