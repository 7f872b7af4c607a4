#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Reports that are no page: Markdown that nothing in a file of results can break; and reports read
# back, alone and of several runs.  What they say is in tests/golden/report.t.
# shellcheck disable=SC2016
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

cd "$work" || exit 99
small='--quiet --time 20ms --sizes 512,4k,32k,64k'
# shellcheck disable=SC2086
{
	run 0 $small -o old.csv null:
	run 0 $small -o new.csv null:
}

# --- Markdown
# tables FILE: each has lines with as many cells as its heading has
tables() {
	sed 's/\\|//g' "$1" | awk -F'|' '
		!/^\|/ { n = 0; next }
		n == 0 { n = NF; tables++ }
		NF != n { print "not " n " cells: " $0; exit 1 }
		END { if (!tables) exit 1 }' || fail "$1: tables"
}
# rows FILE: of all curves
rows() { grep -c '/s |' "$1"; }

run 0 report -o old.md old.csv
tables old.md
[ "$(rows old.md)" = 8 ] || fail "$(rows old.md) rows, not 8"
head -1 old.md | grep -q '^### ' || fail "no heading"
[ "$(grep -c '<details>' old.md)" = "$(grep -c '</details>' old.md)" ] || fail "details are open"
run 0 report -o two.md old.csv new.csv
tables two.md
[ "$(rows two.md)" = 16 ] || fail "$(rows two.md) rows of two files, not 16"

# what stands there must be seen as it is
printf 'size_bytes,op_ns_median,test,target,label,notes\n' >hostile.csv
printf '4096,1000,read,"/a<script>|`x`*y*[z](w)&amp;\033[31m","@all #1 | ~~x~~\n\n# y",<b>;odd|\n' >>hostile.csv
printf '4096,1000,read,"/b","1. \\|",odd\n8192,1000,read,"/b","1. \\|",odd\n' >>hostile.csv
cp hostile.csv '<i>|@b.csv'
run 0 report -o hostile.md hostile.csv '<i>|@b.csv'
tables hostile.md
if grep -nE '<(script|b|i)>|@(all|b)|#1|[^\\][`*~[|]x|^# y' hostile.md; then
	fail "markup out of a file"
fi
if grep -q "$(printf '\033')" hostile.md; then
	fail "a control character in Markdown"
fi

# --- read back
run 0 report -o old.html old.csv
run 0 report -o new.html new.csv
run 0 report -o both.html old.csv new.csv
# same COMMAND FILE... - INSTEAD...: what it says of the reports is what it says of the files
same() {
	same_command=$1
	shift
	same_files=
	while [ "$1" != - ]; do
		same_files="$same_files $1"
		shift
	done
	shift
	# shellcheck disable=SC2086
	run 0 "$same_command" $same_files
	sed 's/[a-z]*[.]csv//g' "$work/out" >from-files
	run 0 "$same_command" "$@"
	sed 's/[a-z]*[.]html\(#[12]\)*//g' "$work/out" | cmp - from-files || fail "$same_command $*: not the same"
}
same fit old.csv - old.html
same fit new.csv - 'both.html#2'
iosweep compare old.csv new.csv >files 2>"$work/err"
compared=$?
iosweep compare old.html new.html >pages 2>"$work/err"
[ $? = $compared ] || fail "compare of reports: another status"
cmp pages files || fail "compare of reports"
iosweep compare 'both.html#1' 'both.html#2' >pages 2>"$work/err"
[ $? = $compared ] || fail "compare of the runs of a report: another status"
cmp pages files || fail "compare of the runs of a report"
iosweep fit - <old.html >"$work/out" 2>"$work/err" || fail "a report on standard input"

# alone it stands for its runs
iosweep compare both.html >pages 2>"$work/err"
[ $? = $compared ] || fail "compare of a report: another status"
cmp pages files || fail "compare of a report"
run 0 fit old.csv new.csv
sed 's/[a-z]*[.]csv//g' "$work/out" >from-files
run 0 fit both.html
sed 's/[a-z]*[.]html\(#[12]\)*//g' "$work/out" | cmp - from-files || fail "fit of a report of two runs"

# a report of reports holds their data
embedded() { # FILE N
	awk -v id="iosweep-data-$2" 'index($0, "<pre id=\"" id "\"") { inside = 1; next }
		inside && sub(/<\/pre>.*/, "") { if ($0 != "") print; exit }
		inside' "$1"
}
run 0 report -o again.html both.html
for n in 1 2; do
	embedded both.html $n >expected
	embedded again.html $n | cmp - expected || fail "run $n is another one in a report of a report"
done
run 0 report -o again.html new.html 'both.html#1'
embedded both.html 2 >expected
embedded again.html 1 | cmp - expected || fail "the run of a report"
embedded both.html 1 >expected
embedded again.html 2 | cmp - expected || fail "one run of a report"
exit 0
