#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# tests/data/renames is correct: options, tests, notes, formats, columns and members listed as
# existing exist, those listed as gone do not, and the program has no option, test or column missing
# from it.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

table=$top_srcdir/tests/data/renames
cd "$work" || exit 99
options() { sed -n 's/^  *\(-., \)*\(--[a-z0-9_.-]*\).*/\2/p' out; }
options_of() { run 0 "$@" && options >options && [ -s options ] || fail "$*: no options"; }

# names KIND: the program's current names, in $work/now
options_of --help all
sed 's/^/option /' options >now
for command in clean compare export fit merge plot report; do
	options_of $command --help
	sed "s/^/command $command /" options >>now
done
run 2 --tests nothing .
sed 's/.*choose from //; s/, /\n/g' err | sed 's/^/test /' >>now
run 2 --format nothing .
sed 's/.*choose from //; s/, /\n/g' err | sed 's/^/format /' >>now
run 0 help columns
sed 's/	.*//; s/^/column /' out >>now
run 0 help notes
awk '/^[a-z_:]+$/ && !said { print "note " $0 } { said = $0 != "" }' out >>now
if command -v python3 >/dev/null; then
	python3 "$top_srcdir/tests/cli/json_schema.py" "$top_srcdir/doc/iosweep.schema.json" members |
		sed 's/ .*//; s/^/member /' >>now
fi

# Skips options of engines that this build lacks, members without python3, and columns of the
# commands.
awk -F '\t' '
	NR == FNR { has[$0]; split($0, word, " "); kinds[word[1]]++; next }
	/^#/ { next }
	{
		rows++
		new = $3 == "=" ? $2 : $3
		known = $1 " " $2
		listed[known]; listed[$1 " " new]
		if ($1 == "column" && $2 ~ / /) next
		if (!kinds[$1]) next
		engine = ""
		if ($1 == "option" && match(new, /^--[a-z0-9_]*[.]/)) engine = substr(new, 3, RLENGTH - 3)
		if (new != "-" && new !~ /^-[a-z]$/ && !($1 " " new in has) && engine != "io_uring") print known ": there is no " new
		if ($3 != "=" && known in has) print known ": it is still there"
		if ($3 == "-" && $4 == "") print known ": without a reason"
	}
	END {
		if (rows < 900) print "only " rows " rows"
		for (name in has) if (name !~ /^(member|note) / && !(name in listed)) print name ": not in the table"
	}' now "$table" >faults
[ ! -s faults ] || fail "tests/data/renames and the program differ:
$(cat faults)"
