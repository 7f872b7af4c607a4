#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# All sources have one style: formatted by clang-format according to .clang-format, sizeof with
# parentheses, pointers used directly as conditions, no line above 100 columns except in generated
# files, also in what reads results. Versions of clang-format differ in details; the sources are
# formatted by version 14. To mend: clang-format -i FILE
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

cd "$top_srcdir" || exit 99
find src tests -name '*.[ch]' | sort >"$work/sources"
[ "$(wc -l <"$work/sources")" -ge 200 ] || fail "only $(wc -l <"$work/sources") sources found"

xargs grep -nE 'sizeof +[A-Za-z_*]' <"$work/sources" >"$work/faults"
xargs grep -nE '(\(|&& |\|\| |return )[A-Za-z_][A-Za-z_0-9.>-]* [!=]= NULL( &&| \|\||;|\) *[{]?$)' <"$work/sources" >>"$work/faults"
{
	grep -v 'tests/data/s3-vectors\.h$' "$work/sources"
	find src/results tests/results tests/cli -name '*.py'
} |
	xargs env LC_ALL=C awk '{ gsub(/[\200-\277]/, "") } length > 100 { print FILENAME ":" FNR ": " length " columns" }' >>"$work/faults"
[ ! -s "$work/faults" ] || {
	cat "$work/faults" >&2
	fail "a line above 100 columns, sizeof without parentheses, or a comparison with NULL"
}

need clang-format
case $(clang-format --version) in
*' version 14.'*) ;;
*) skip "the sources are laid out by version 14 of clang-format, not by $(clang-format --version)" ;;
esac
xargs clang-format --dry-run -Werror <"$work/sources" 2>"$work/faults" || {
	grep -E 'error|warning' "$work/faults" | head -20 >&2
	fail "not as clang-format lays it out"
}
