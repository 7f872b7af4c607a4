#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# The command report: well-formed pages that refer to nothing outside, whatever the results hold; what
# is refused; and the files inside, as they were.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all

cd "$work" || exit 99
small='--quiet --time 20ms --sizes 512,4k,32k,64k'
# shellcheck disable=SC2086
{
	run 0 $small -o curve.csv --label one null:
	run 0 $small -o second.csv --label two --tests read null:
	run 0 $small --format classic -o classic.txt null:
}

# page FILE: is one that nothing can be said against
page() {
	[ "$(head -c 15 "$1")" = '<!DOCTYPE html>' ] || fail "$1: not a page"
	grep -q "default-src 'none'" "$1" || fail "$1: no policy"
	if grep -niE '<(script|link|iframe|object|embed|img|base|form)|<[^>]* (src|srcset|href|on[a-z]+)=("[^#]|[^"])|<style.*(url|@import)|^[^<>&]*(url\(|@import)' "$1"; then
		fail "$1: refers to something outside, or runs something"
	fi
	# names of schemas, too, are nothing that somebody should have to explain
	if sed '/<pre id="iosweep-data/,$d' "$1" | grep -nE 'https?:|//'; then
		fail "$1: an address"
	fi
	if command -v xmllint >/dev/null; then
		xmllint --noout --nonet "$1" 2>"$work/lint" || fail "$1 is not well-formed: $(head -3 "$work/lint")"
	fi
}
# embedded FILE N: the text of the Nth file in a page
embedded() {
	awk -v id="iosweep-data-$2" 'index($0, "<pre id=\"" id "\"") { inside = 1; next }
		inside && sub(/<\/pre>.*/, "") { if ($0 != "") print; exit }
		inside' "$1" | sed -e 's/&lt;/</g' -e 's/&gt;/>/g' -e 's/&amp;/\&/g'
}

run 0 report -o curve.html curve.csv
[ ! -s "$work/out" ] || fail "-o: something on standard output"
page curve.html
embedded curve.html 1 | cmp - curve.csv || fail "the file in the page is another one"
grep -q 'data-name="curve.csv" data-format="csv"' curve.html || fail "the file has no name"
for file in second.csv classic.txt; do
	run 0 report -o page.html "$file"
	page page.html
	embedded page.html 1 | cmp - "$file" || fail "the file in the page is not $file"
done
run 0 report -o both.html curve.csv second.csv
page both.html
embedded both.html 1 | cmp - curve.csv || fail "the first of two files is another one"
embedded both.html 2 | cmp - second.csv || fail "the second of two files is another one"
iosweep report --format html - <curve.csv >page.html 2>"$work/err" || fail "standard input and output"
page page.html

# the page is read like the file in it
for command in 'fit --format csv' 'plot --script'; do
	# shellcheck disable=SC2086
	{
		run 0 $command curve.csv
		sed 's/curve[.]csv/FILE/g' "$work/out" >expected
		run 0 $command curve.html
	}
	sed 's/curve[.]html/FILE/g' "$work/out" | cmp - expected || fail "$command: the page is read as something else"
done

# --- letters and lines can be seen, in both schemes
awk '
	# WCAG 2: relative luminance of #rrggbb, and the contrast of two
	function hex(s) { return index("0123456789abcdef", substr(s, 1, 1)) * 16 - 16 + index("0123456789abcdef", substr(s, 2, 1)) - 1 }
	function linear(c) { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ^ 2.4 }
	function light(name, c) {
		c = colour[scheme "," name]
		if (c == "") { print scheme ": no colour " name; bad = 1; return 0 }
		return 0.2126 * linear(hex(substr(c, 2))) + 0.7152 * linear(hex(substr(c, 4))) + 0.0722 * linear(hex(substr(c, 6)))
	}
	function need(front, back, least, a, b, swap) {
		a = light(front); b = light(back)
		if (a < b) { swap = a; a = b; b = swap }
		seen++
		if ((a + 0.05) / (b + 0.05) < least) {
			printf "%s: %s on %s has a contrast of %.2f, not %.1f\n", scheme, front, back, (a + 0.05) / (b + 0.05), least
			bad = 1
		}
	}
	/^:root[{]/ { scheme = "light" }
	/^@media screen and [(]prefers-color-scheme:dark[)]/ { scheme = "dark" }
	scheme != "" {
		n = split($0, part, "[;{}]")
		for (i = 1; i <= n; i++)
			if (split(part[i], pair, ":") == 2 && pair[1] ~ /^--/ && pair[2] ~ /^#[0-9a-f]+$/)
				colour[scheme "," substr(pair[1], 3)] = pair[2]
		if ($0 ~ /^[*]/) scheme = ""
	}
	END {
		split("light dark", schemes, " ")
		for (s = 1; s <= 2; s++) {
			scheme = schemes[s]
			split("fg dim link", text, " ")
			for (i = 1; i <= 3; i++) { need(text[i], "bg", 4.5); need(text[i], "soft", 4.5) }
			need("fg", "bar", 4.5); need("fg", "strip", 4.5); need("p0", "bg", 3)
			for (i = 0; i < 8; i++) { need("c" i, "bg", 3); need("r" i, "bg", 3); need("c" i, "strip", 3) }
			for (i = 0; i < 9; i++) need(i < 5 ? "hl" : "hd", "h" i, 4.5)
		}
		if (seen != 84) print "only " seen " pairs of colours"
		exit bad || seen != 84
	}
' curve.html || fail "colours are too close to each other"

# --- what is refused: one line, nothing written
refused() { # STATUS TEXT ARGS
	refused_status=$1
	refused_text=$2
	shift 2
	run "$refused_status" report "$@"
	one_line "$work/err"
	grep -qe "$refused_text" "$work/err" || fail "report $*: not told: $refused_text"
	[ ! -s "$work/out" ] || fail "report $*: something on standard output"
	[ ! -e report.html ] || fail "report $*: something is left"
}
echo 'not,a,result' >broken.csv
head -1 curve.csv >empty.csv
: >nothing.csv
printf 'size_bytes,operations,time_s,notes\n4096,0,,skipped:beyond_file\n' >skipped.csv
awk 'BEGIN { print "size_bytes,op_ns_median,depth"
	for (i = 1; i <= 301; i++) print "512,1000," i }' >too-many.csv
refused 2 'report needs a file of results; iosweep report FILE' -o report.html
refused 2 missing.csv -o report.html missing.csv
refused 2 broken.csv -o report.html broken.csv
refused 2 'no row' -o report.html empty.csv
refused 2 'nothing to read' -o report.html nothing.csv
refused 2 'nothing was measured' -o report.html skipped.csv
refused 2 '301 of them' -o report.html too-many.csv
refused 2 report.gif -o report.gif curve.csv
refused 2 'FILE.html' curve.csv
refused 2 'given twice' -o report.html curve.csv curve.csv
refused 2 'only once' -o report.html - -
refused 2 'missing/report.html: .*; the directory for it does not exist' -o missing/report.html curve.csv
cp curve.csv curve2.html
refused 2 'would overwrite' -o curve2.html curve2.html

# --- chapters
for chapter in curves summary sizes latency evidence notes facts data; do
	grep -q "<section id=\"$chapter\"" curve.html || fail "no chapter $chapter"
done
[ "$(grep -c '<svg viewBox="0 0 460' curve.html)" = 6 ] || # 2 tests: throughput, time, latency
	fail "not 6 charts: $(grep -c '<svg viewBox="0 0 460' curve.html)"
if grep -q '<section id="compared"' curve.html; then
	fail "one run is compared"
fi
grep -q '<section id="compared"' both.html || fail "two runs are not compared"
grep -q 'second.csv against curve.csv' both.html || fail "not told what is compared"
grep -q 'class="strip"' both.html || fail "a comparison without its tolerance"
awk 'BEGIN { print "size_bytes,op_ns_median,latency_ns_p50,test,target,cache,depth"
	for (d = 1; d <= 16; d *= 2) for (s = 4096; s <= 65536; s *= 2)
		print s "," (5e4 + s) / d ^ 0.7 "," 5e4 * d ^ 0.3 ",read,/dev/x,direct," d }' >depth.csv
run 0 report -o depth.html depth.csv
page depth.html
[ "$(grep -c '<table class="heat">' depth.html)" = 2 ] || fail "not two maps, of throughput and latency"
[ "$(grep -o '<td class="h[0-8]">' depth.html | wc -l)" = 50 ] || fail "not 50 fields in the maps"
grep -q 'class="l r7' depth.html || fail "depths have no colours that rise"

# each number in a table is one for a spreadsheet
sed -n 's/<td\( class="bar"[^>]*\)*>\([^<]*\)<\/td>/\n=\2\n/gp' curve.html depth.html | sed -n 's/^=//p' >cells
[ "$(wc -l <cells)" -gt 100 ] || fail "only $(wc -l <cells) cells"
if grep -vxE -- '-?[0-9]+([.][0-9]+)?|[0-9]+ [KM]?i?B|' cells >"$work/odd"; then
	fail "cells that are no numbers: $(head -3 "$work/odd")"
fi

# --- records of --series are drawn beside the results of their run
# shellcheck disable=SC2086
run 0 $small -o run.csv --interval 10ms --series series.csv null:
run 0 report -o series.html run.csv series.csv
page series.html
grep -q '<section id="course"' series.html || fail "no course over time"
grep -q 'data-name="series.csv" data-format="series"' series.html || fail "records of --series are not in the page"
if grep -q '<section id="compared"' series.html; then
	fail "a series is compared with its run"
fi
awk 'BEGIN { print "ended_s,interval_s,test,throughput_bytes_per_s,latency_ns_mean,latency_ns_p99,size_bytes,operations"
	for (s = 1; s <= 12; s++) for (t = 1; t <= 5; t++)
		print t + (t > 3) ",1,read," 1e6 * s * t ",1000,2000," 512 * 2 ^ s ",10" }' >made.csv
run 0 report -o made.html run.csv made.csv
page made.html
run 0 report -o again.html series.html
page again.html
grep -q '<section id="course"' again.html || fail "a report of a report has lost the course over time"
run 0 report -o series.md run.csv series.csv
[ "$(grep -c 'machine, target and settings</summary>' series.md)" = 1 ] || fail "facts of a series"
refused 2 'alone are no report' -o report.html series.csv
grep -q '8 of 12 sizes' made.html || fail "12 lines in a panel"

# a page of 16 sizes and two tests, with all its data
run 0 --quiet -n 400 --rounds 9 -m 512 -M 16Mi -l 16Mi --format json -o full.json null:
if "$IOSWEEP" fit full.json 2>&1 | grep -q 'without jansson'; then
	echo "not tried: reports of JSON, which this build cannot read"
	run 0 report -o full.html curve.csv
else
	run 0 report -o full.html full.json
	grep -q 'class="run">iosweep ' full.html || fail "no command to repeat the run"
fi
page full.html
[ "$(wc -c <full.html)" -le 200000 ] || fail "a page of $(wc -c <full.html) bytes"
if command -v python3 >/dev/null && grep -q 'class="run">iosweep ' full.html; then
	embedded full.html 1 | python3 -c 'import json, sys
data = json.load(sys.stdin)
whole = json.load(open("full.json"))
assert len(data["rows"]) == len(whole["rows"]) == 32, len(data["rows"])
for kept, row in zip(data["rows"], whole["rows"]):
    assert kept == {key: row[key] for key in kept}
    lost = {key for key in row if row[key] is not None} - set(kept)
    assert lost <= {"latency_histogram", "open_histogram", "close_histogram"}, lost
def known(value):
    if isinstance(value, list):
        return [known(element) for element in value]
    if isinstance(value, dict):
        return {key: known(value[key]) for key in value if value[key] is not None}
    return value
del data["rows"], whole["rows"]
assert known(data) == known(whole)' ||
		fail "the data of a large page are others"
fi

# each note has a meaning
sed -n '/^[.]Sh NOTES/,/^[.]Sh STATISTICS/s/^[.]It Cm //p' "$top_srcdir/man/iosweep-csv.5" |
	sed -e 's/ , /\n/g' -e 's/\\&.*//' | tr -d ' ' >notes
[ "$(wc -l <notes)" -ge 35 ] || fail "only $(wc -l <notes) notes in the manual"
while read -r note; do
	printf 'size_bytes,op_ns_median,notes\n4096,1000,%s\n8192,1000,%s\n' "$note" "$note" >noted.csv
	case $note in skipped:*) sed -i '3s/,[^,]*$/,/' noted.csv ;; esac
	run 0 report -o noted.html noted.csv
	grep -q "<dt>$note" noted.html || fail "note $note is not in the report"
	grep -q 'this version does not know' noted.html && fail "note $note has no meaning in the report"
done <notes

# --- names and words that would like to be markup
printf 'size_bytes,op_ns_median,test,target,label,notes\n' >hostile.csv
printf '4096,1000,read,"/a<script>alert(1)</script>&amp;\033[31m","""><img src=x>\342\200\256",wide;<b>;odd\n' >>hostile.csv
printf '8192,2000,read,"/a<script>alert(1)</script>&amp;\033[31m","""><img src=x>\342\200\256",]]>\n' >>hostile.csv
cp hostile.csv "\"><b>'&.csv"
run 0 report -o hostile.html hostile.csv "\"><b>'&.csv"
page hostile.html
if grep -q "$(printf '\033')" hostile.html; then
	fail "a control character in a page"
fi

# --- what is not known, and little of it
printf 'size_bytes,throughput_bytes_per_s\n4096,1000000\n' >one.csv
{
	cat skipped.csv
	echo '8192,10,0.001,'
} >mostly-skipped.csv
for file in one.csv mostly-skipped.csv; do
	run 0 report -o page.html "$file"
	page page.html
	if grep -qiE '[> ]-?(nan|inf)(inity)?[<, "]' page.html; then
		fail "$file: what is not known is not left out: $(grep -iE -m1 '[> ]-?(nan|inf)(inity)?[<, "]' page.html)"
	fi
done

# --- more rows than a page can show, and results that are not in it
awk 'BEGIN { print "size_bytes,op_ns_median,test"
	for (i = 0; i < 6000; i++) print 512 * 2 ^ (i % 4) "," 1000 + i ",read" }' >many.csv
run 0 report -o many.html many.csv
page many.html
one_line "$work/err"
grep -q '^iosweep: 4 of 6000 rows with figures are shown' "$work/err" || fail "not told which rows are shown"
grep -q '<b>4 of 6000 rows with figures are shown' many.html || fail "the page does not say which rows are shown"
embedded many.html 1 | cmp - many.csv || fail "the results in the page are not whole"
[ "$(sed '/<pre id="iosweep-data/,$d' many.html | wc -c)" -lt 60000 ] || fail "the page shows too much"
awk 'BEGIN { print "size_bytes,op_ns_median,test"
	for (i = 0; i < 6000; i++) print 512 * 2 ^ (i % 4) "," 900 + i ",read" }' >fewer.csv
run 0 report -o many.html --data never many.csv fewer.csv
page many.html
[ "$(sed '/<p class="few">/!d' many.html | wc -l)" = 1 ] || fail "cells are left out"
grep -q '<pre id="iosweep-data' many.html && fail "--data never: results are in the page"
grep -q '<section id="data">' many.html || fail "--data never: not told where the results are"
run 2 fit many.html
one_line "$work/err"
grep -q 'leaves them out with --data never' "$work/err" || fail "a page without results: not told why"
awk 'BEGIN { print "size_bytes,op_ns_median,test"
	for (i = 1; i <= 6000; i++) print i ",1000,read" }' >sizes.csv
sed 's/,1000,/,1500,/' sizes.csv >slower.csv
run 0 report -o sizes.md sizes.csv slower.csv
grep -qF '**500 of 6000 cells are shown' sizes.md || fail "cells of a comparison: not told"
[ "$(grep -c '^|' sizes.md)" -lt 1100 ] || fail "cells of a comparison: all of them"

# --- it cannot be written
if [ -c /dev/full ]; then
	run 1 report --format html -o /dev/full curve.csv
	one_line "$work/err"
fi
exit 0
