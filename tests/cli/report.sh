#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# The command report: well-formed pages that refer to nothing outside, whatever the results hold; and
# the files inside, as they were.  What they say is in tests/golden/report.t.
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

# --- curves of depths, and maps of them
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
! grep -q '<section id="compared"' series.html || fail "a series is compared with its run"
awk 'BEGIN { print "ended_s,interval_s,test,throughput_bytes_per_s,latency_ns_mean,latency_ns_p99,size_bytes,operations"
	for (s = 1; s <= 12; s++) for (t = 1; t <= 5; t++)
		print t + (t > 3) ",1,read," 1e6 * s * t ",1000,2000," 512 * 2 ^ s ",10" }' >made.csv
run 0 report -o made.html run.csv made.csv
page made.html
run 0 report -o again.html series.html
page again.html
grep -q '<section id="course"' again.html || fail "a report of a report has lost the course over time"

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
echo unheard_of | cat - notes | while read -r note; do
	printf 'size_bytes,op_ns_median,notes\n4096,1000,%s\n8192,1000,%s\n' "$note" "$note" >noted.csv
	case $note in skipped:*) sed -i '3s/,[^,]*$/,/' noted.csv ;; esac
	run 0 report -o noted.html noted.csv
	meaning=$(sed -n "s/.*<dt>$note.*<dd>\(.*\)<\/dd>.*/\1/p" noted.html)
	[ -n "$meaning" ] || fail "note $note is not in the report"
	[ "$meaning" != "${unknown:-}" ] || fail "note $note has no meaning in the report"
	unknown=${unknown:-$meaning}
done || exit 1

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
printf 'size_bytes,operations,time_s,notes\n4096,0,,skipped:beyond_file\n8192,10,0.001,\n' >mostly-skipped.csv
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
embedded many.html 1 | cmp - many.csv || fail "the results in the page are not whole"
[ "$(sed '/<pre id="iosweep-data/,$d' many.html | wc -c)" -lt 60000 ] || fail "the page shows too much"
run 0 report -o many.html --data never many.csv curve.csv
page many.html
! grep -q '<pre id="iosweep-data' many.html || fail "--data never: results are in the page"

# --- it cannot be written
if [ -c /dev/full ]; then
	run 1 report --format html -o /dev/full curve.csv
	one_line "$work/err"
fi
exit 0
