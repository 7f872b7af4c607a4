#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# The manual pages pass mandoc at its strictest level and groff and man with warnings, their dates
# are fixed and equal, the pages and sections that they refer to exist, and the completions are
# valid for their shells. Parts whose tools are not installed are skipped.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

missing=
cd "$top_srcdir" || exit 99 # its name may have blanks in it
pages=$(echo man/*.[157])
completions=$top_srcdir/contrib/completions

for page in $pages; do
	[ -s "$page" ] || fail "no such page: $page"
	if command -v mandoc >/dev/null; then
		# mandoc only finds references to installed pages, which may be missing here; examples come
		# first in iosweep(1), before options.
		mandoc -T lint -W style "$page" 2>&1 |
			grep -v -e 'outdated mandoc.db' -e 'referenced manual not found' \
				-e 'iosweep.1:.* sections out of conventional order: Sh ENVIRONMENT' >"$work/err"
		[ ! -s "$work/err" ] || fail "mandoc complains about $page"
		mandoc -T utf8 "$page" >"$work/page" || fail "mandoc cannot format $page"
	fi
	if command -v groff >/dev/null; then
		groff -mandoc -Tascii -ww -z "$page" >"$work/err" 2>&1 || fail "groff: $page"
		[ ! -s "$work/err" ] || fail "groff complains about $page"
	fi
done
command -v mandoc >/dev/null || missing="$missing mandoc"
command -v groff >/dev/null || missing="$missing groff"

# "SECTION in PAGE": pages and their sections exist
awk '
	FNR == 1 { name = FILENAME; sub(/.*[/]/, "", name) }
	sub(/^[.]Sh /, "") { has[name " " $0]; last = ""; next }
	/^[.]Xr iosweep/ {
		page = $2 "." $3
		asked[++count] = page (match(last, /[A-Z]+( [A-Z]+)* in$/) ? " " substr(last, RSTART, RLENGTH - 3) : " NAME")
		by[count] = name
	}
	{ last = $0 }
	END { for (i = 1; i <= count; i++) if (!(asked[i] in has)) print by[i] ": " asked[i] }' man/*.[157] >"$work/err"
[ ! -s "$work/err" ] || fail "references to what is not there"

# A date set at build time would make builds differ.
# shellcheck disable=SC2086 # names without blanks, or the tests could not run
[ "$(sed -n 's/^\.Dd //p' $pages | uniq | grep -c '^[A-Z][a-z]* [0-9]*, 20[0-9][0-9]$')" = 1 ] ||
	fail "the dates of the pages are not fixed and alike"

# check SHELL FILE: syntax only
check() {
	if command -v "$1" >/dev/null; then
		HOME=$work "$1" -n "$2" >"$work/err" 2>&1 || fail "$1 -n $2"
		[ ! -s "$work/err" ] || fail "$1 -n complains about $2"
	else
		missing="$missing $1"
	fi
}
check bash "$completions/iosweep"
check zsh "$completions/_iosweep"
check fish "$completions/iosweep.fish"

[ -z "$missing" ] || skip "not installed, so not used:$missing (all else is clean)"
