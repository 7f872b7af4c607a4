#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# The documentation agrees with the program: the options of --help all, of the manual pages and of
# the three completions are the same, and so are their words; the columns of the CSV header, of
# iosweep-csv(5) and of the completions are the same in the same order; each option, column, note,
# finding, test, engine, command and target is described once, in the page that is meant for it; and
# no text names an option that does not exist. Without mandoc or bash the parts that need them are
# skipped.
# shellcheck disable=SC2086 # lists of words
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

completions=$top_srcdir/contrib/completions
man=$top_srcdir/man
missing=

# The texts also have the options of engines that this build lacks, which are ignored. Options of
# object stores are in every build.
run 0 help engines
sed -n 's/^\([^ ][^ ]*\).*/\1/p' "$work/out" >"$work/engines"
for engine in s3 webhdfs rados; do
	grep -qx $engine "$work/engines" || echo $engine >>"$work/engines"
done
built() {
	awk 'NR == FNR { built[$1]; next }
		{ engine = $1; if (sub(/^--/, "", engine) && sub(/[.].*/, "", engine) && !(engine in built)) next }
		1' "$work/engines" "$1"
}

# filters out completion lines with options of such engines
without_absent() {
	if grep -qx io_uring "$work/engines"; then cat; else grep -v 'io_uring[.]'; fi
}

# agree NAME FILE-EXPECTED FILE: compares lines, in order
agree() {
	[ -s "$2" ] || fail "$1: nothing was extracted from the program"
	diff "$2" "$3" >"$work/difference" || fail "$1 (< program, > text) differ:
$(cat "$work/difference")"
}
# same NAME FILE-EXPECTED FILE: in any order
same() {
	LC_ALL=C sort "$2" >"$work/expected"
	built "$3" | LC_ALL=C sort >"$work/found"
	agree "$1" "$work/expected" "$work/found"
}
# none WHAT: fails with $work/difference if that has lines
none() { [ ! -s "$work/difference" ] || fail "$1: $(cat "$work/difference")"; }
# most NUMBER WHAT FILE: a new name has to replace another
most() { [ "$(wc -l <"$3")" -le "$1" ] || fail "more than $1 $2: $(wc -l <"$3")"; }
lines() { tr -s ' ,\t' '[\n*]' | sed '/^$/d'; }

# --- options: one line "-m --min-size argument" or "--keep flag" each ---

run 0 --help all
sed -n \
	-e 's/^  \(-.\), \(--[a-z0-9_.-]*\) [^ ].*/\1 \2 argument/p' \
	-e 's/^  \(-.\), \(--[a-z0-9_.-]*\)  .*/\1 \2 flag/p' \
	-e 's/^      \(--[a-z0-9_.-]*\) [^ ].*/\1 argument/p' \
	-e 's/^      \(--[a-z0-9_.-]*\)  .*/\1 flag/p' "$work/out" >"$work/options"
[ "$(wc -l <"$work/options")" -ge 40 ] || fail "only few options in --help all"
most 100 options "$work/options"
awk 'length > 80' "$work/out" >"$work/difference"
none "lines of --help all are wider than a terminal of 80 columns"
sed 's/ [a-z]*$//' "$work/options" | lines >"$work/words"

# formatted WIDTH PAGE: as text
formatted() { mandoc -T ascii -O "width=$1" "$man/$2" | sed 's/.'"$(printf '\b')"'//g'; }

if command -v mandoc >/dev/null; then
	for page in iosweep.1 iosweep-objects.7; do formatted 100 $page; done |
		awk 'begins && /^     -/ { print } { begins = /^ *$/ || /^   [^ ]/ }' | sed -n \
		-e 's/^     \(-.\), \(--[a-z0-9_.-]*\) [^ ].*/\1 \2 argument/p' \
		-e 's/^     \(-.\), \(--[a-z0-9_.-]*\)\(  .*\)\{0,1\}$/\1 \2 flag/p' \
		-e 's/^     \(--[a-z0-9_.-]*\) [^ ].*/\1 argument/p' \
		-e 's/^     \(--[a-z0-9_.-]*\)\(  .*\)\{0,1\}$/\1 flag/p' >"$work/man"
	same "iosweep.1 and iosweep-objects.7" "$work/options" "$work/man"
	# an option is described in 8 lines, in iosweep(1)
	formatted 80 iosweep.1 | sed -n '/^OPTIONS/,/^COMMANDS/p' | awk '
		/^     -/ || /^ ? ? ?[^ ]/ { if (option ~ /^     -/ && count > 8) print count, option; option = $0; count = -1 }
		NF { count++ }' >"$work/difference"
	none "options of iosweep.1 take more than 8 lines"
else
	missing="$missing mandoc"
fi

# --- help: one screen, and more about each of its words

for words in --help -h help; do
	run 0 $words
	cp "$work/out" "$work/$words"
	awk 'length > 80 { exit 1 } END { exit NR > 24 }' "$work/out" || fail "$words is more than a screen"
done
cmp -s "$work/--help" "$work/help" || fail "iosweep help is not iosweep --help"
for command in clean compare export fit merge plot report; do
	run 0 $command --help
	awk 'length > 80 { exit 1 }' "$work/out" || fail "$command --help is wider than 80 columns"
done
cmp -s "$work/--help" "$work/-h" || fail "-h is not --help"
sed '1,/^iosweep help WORD/d' "$work/help" | lines >"$work/topics"
[ "$(wc -l <"$work/topics")" -ge 15 ] || fail "only few topics in --help"
while read -r topic; do
	for words in "help $topic" "--help $topic" "--help=$topic" "-h $topic"; do
		IOSWEEP_PRESETS=$top_srcdir/contrib/presets run 0 $words
		[ -s "$work/out" ] || fail "$words: nothing"
		case $words in help*) cp "$work/out" "$work/answer" ;; esac
		cmp -s "$work/answer" "$work/out" || fail "$words: another answer than help $topic"
	done
	case $topic in
	presets | engines | rados | columns) ;; # contents of presets, reasons why an engine is unavailable, and machine-readable lines
	*) awk 'length > 80 { exit 1 }' "$work/out" || fail "help $topic is wider than 80 columns" ;;
	esac
	sed -n '/^[.]It Fl h , Fl -help/,/^[.]It Fl v /p' "$man/iosweep.1" | lines | grep -qx "$topic" ||
		fail "iosweep.1 does not name the topic $topic"
	for shell in iosweep _iosweep iosweep.fish; do
		grep -q "^        $topic\( \|$\)" "$completions/$shell" || fail "the completion $shell lacks the topic $topic"
	done
done <"$work/topics"
grep '^--' "$work/words" >"$work/long"
while read -r option; do # with dashes and without
	run 0 help "$option"
	grep -qF -e " $option " "$work/out" || fail "help $option does not show it"
	sed -n 's/^More in \(iosweep[a-z-]*\)(\([17]\)), "\(.*\)"[.]$/\1.\2 \3/p' "$work/out" >"$work/place"
	[ -s "$work/place" ] || fail "help $option does not name the place in the manual"
	cat "$work/place" >>"$work/sections"
	rm "$work/place"
	cp "$work/out" "$work/answer"
	[ "$option" != --columns ] || continue # its list is for programs, too
	run 0 help "${option#--}"
	grep -qxF -f "$work/answer" "$work/out" || fail "help ${option#--} is not about it"
done <"$work/long"
# items PAGE SECTION: the words that tag the items of a section, one a line
items() {
	sed -n "/^[.]Sh $2\$/,/^[.]Sh /s/^[.]It Cm //p" "$man/$1" |
		sed -e 's/ Pq .*//' -e 's/ ,$//' -e 's/ , /\n/g' -e 's/:\\&.*//'
}
items iosweep-measuring.7 NOTES >"$work/man"
[ "$(wc -l <"$work/man")" -ge 30 ] || fail "only few notes in iosweep-measuring.7"
run 0 help notes
cp "$work/out" "$work/answer"
while read -r note; do
	grep -qx "$note" "$work/answer" || fail "help notes lacks the note $note"
	run 0 help "$note"
	grep -qx "Note of a row: $note" "$work/out" || fail "help $note is not about the note"
done <"$work/man"
grep -v '^[#> ]' "$top_srcdir/src/results/iosweep_results/notes.txt" | sed 's/:$//' | grep -vx skipped >"$work/notes"
agree "notes of iosweep-measuring.7" "$work/notes" "$work/man"
sed -n '/^[.]Sh FINDINGS/,/^[.]Sh NOTES/p' "$man/iosweep-measuring.7" | grep -c '^[.]It$' >"$work/man"
cat "$top_srcdir"/src/report/findings/*.c | grep -c '[{][.]weight = [0-9]' | cmp -s - "$work/man" ||
	fail "iosweep-measuring.7 lists another number of findings than there are rules: $(cat "$work/man")"

# every word in a table, note, verdict, finding or report, taken from their sources
src=$top_srcdir/src results=$top_srcdir/tests/data/results
strings() { grep -o '"[^"]*"' | tr -d '"' | sed -e '/^$/d' -e 's/\\302\\261/+-/' -e 's/&#177;/+-/' -e 's/\\xc2\\xb1/+-/' -e 's/ \[.*\]$//'; }
{
	sed -n '/^} table_columns/,/^};/p' "$src/report/formats/table_layout.c" | strings
	for table in "compare --format table $results/skipped.json $results/files.json" "fit --format table $results/three.csv"; do
		iosweep $table 2>"$work/err" | sed -n '1s/   */\n/gp'
	done
	printf '%s\n' slower faster same unclear unknown
	sed -n -e '/"size", "rows"/s/.*%9s", //p' -e '/"stddev"/p' \
		"$src/report/summaries/summaries.c" | strings
	iosweep report --format md "$results/files.json" 2>"$work/err" | sed -n 's/^| curve | \(size .*\) |$/\1/p' | sed 's/ *| */\n/g'
	sed -n 's/^    {NOTE_[A-Z_]*, \("[^"]*"\), .*/\1/p' "$src/report/columns/columns_words.c" | strings
	sed -n '/columns_group_names\[/,/};/p' "$src/report/columns/columns.c" | strings
	awk -F '"' '/ log_text\("# [a-z]*: / { sub(/^# /, "", $2); sub(/:.*/, "", $2); print $2 }' "$src/report/facts/header.c"
	printf '%s\n' verdict next finding O_DIRECT iops 'page cache' noisy steady load stalls device 'in flight'
	run 0 help words
	awk 'before == "" { sub(/:$/, ""); gsub(/, /, "\n"); print } { before = $0 }' "$work/out"
	sed -e ':more' -e '/^See .*[^.]$/{N;s/\n/ /;b more' -e '}' "$work/out" |
		sed -n 's/^See iosweep help: \(.*\)[.]$/\1/p' | sed 's/, /\n/g'
	run 0 help columns
	cut -f 1 "$work/out"
} | sort -u >"$work/read"
[ "$(wc -l <"$work/read")" -ge 200 ] || fail "only few words to explain: $(cat "$work/read")"
set --
while IFS= read -r word; do set -- "$@" "$word"; done <"$work/read"
run 0 help "$@" # words that people read

sort -u "$work/sections" >"$work/answer"
while read -r page section; do
	grep -qx "[.]Ss $section" "$man/$page" || fail "$page has no section $section"
done <"$work/answer"

# engines, tests, and forms of targets
items iosweep-tests.7 ENGINES | sort >"$work/man"
sort -u "$work/engines" | comm -23 - "$work/man" >"$work/difference"
none "iosweep-tests.7 does not describe engines"
uniq -d "$work/man" >"$work/difference"
none "iosweep-tests.7 describes twice"
run 2 --tests nonsense null:
sed -n 's/.*choose from \([^;]*\).*/\1/p' "$work/err" | lines | sort >"$work/expected"
items iosweep-tests.7 TESTS | sort >"$work/man"
agree "tests of iosweep-tests.7" "$work/expected" "$work/man"
items iosweep-objects.7 TESTS | sort >"$work/man"
grep -vx fill "$work/expected" >"$work/tests"
agree "tests of iosweep-objects.7" "$work/tests" "$work/man"
run 0 help targets
sed -n 's/^  \([^ ]*:[^ ]*\) .*/\1/p' "$work/out" >"$work/forms"
[ "$(wc -l <"$work/forms")" -ge 3 ] || fail "only few kinds of targets: $(cat "$work/out")"
sed 's/\\&//g' "$man/iosweep.1" "$man/iosweep-objects.7" >"$work/man"
while read -r form; do
	[ "$(grep -cx "[.]It Cm ${form%%:*}:\(//.* Ar .*\)*" "$work/man")" = 1 ] ||
		fail "targets $form are not described once in iosweep.1 or iosweep-objects.7"
	sed -n '/^[.]Sh DESCRIPTION/,/^[.]Sh EXAMPLES/p' "$man/iosweep.1" | grep -q "^[.]It Cm.* ${form%%:*}\([\\]&\)*:" ||
		fail "iosweep.1 does not name targets $form"
done <"$work/forms"

# zsh_function NAME: its lines
zsh_function() { sed -n "/^_iosweep_$1()/,/^}/s/^ *options+=(//p" "$completions/_iosweep"; }
zsh_function sweep | sed -n \
	-e "s/^'(\(-.\) \(--[a-z0-9_.-]*\))'{\1+,\2=}'\[.*/\1 \2 argument/p" \
	-e "s/^'(\(-.\) \(--[a-z0-9_.-]*\))'{\1,\2}'\[.*/\1 \2 flag/p" \
	-e "s/^'\(--[a-z0-9_.-]*\)=\[.*/\1 argument/p" \
	-e "s/^'\(--[a-z0-9_.-]*\)\[.*/\1 flag/p" >"$work/zsh"
same "_iosweep" "$work/options" "$work/zsh"

sed -n 's/^complete -c iosweep -n __iosweep_sweeps //p' "$completions/iosweep.fish" | sed -n \
	-e 's/^-s \(.\) -l \([a-z0-9_.-]*\) -\(x\|r\|xa\) .*/-\1 --\2 argument/p' \
	-e 's/^-s \(.\) -l \([a-z0-9_.-]*\) -d .*/-\1 --\2 flag/p' \
	-e 's/^-l \([a-z0-9_.-]*\) -\(x\|r\|xa\) .*/--\1 argument/p' \
	-e 's/^-l \([a-z0-9_.-]*\) -d .*/--\1 flag/p' >"$work/fish"
same "iosweep.fish" "$work/options" "$work/fish"

# quoted FILE NAME: the text between NAME=' and the next quote
quoted() { tr '\n' ' ' <"$1" | sed -n "s/.* $2='\([^']*\)'.*/\1/p" | lines; }
sed -n 's/ argument$//p' "$work/options" | lines >"$work/valued"
quoted "$completions/iosweep" valued >"$work/bash"
same "valued options of the bash completion" "$work/valued" "$work/bash"
sed -n 's/ flag$//p' "$work/options" | lines >"$work/flags"
quoted "$completions/iosweep" flags >"$work/bash"
same "flags of the bash completion" "$work/flags" "$work/bash"

# --- commands: the options of `iosweep WORD --help`, of iosweep-WORD(1) and of the completions ---

cp "$work/words" "$work/known"
for page in "$man"/iosweep-*.1; do
	command=${page##*/iosweep-}
	command=${command%.1}
	[ "$command" != mpi ] || continue # a separate program with the options of iosweep
	run 0 "$command" --help
	cp "$work/out" "$work/help"
	sed -n -e 's/^  \(-.\), \(--[a-z0-9.-]*\) .*/\1 \2/p' -e 's/^      \(--[a-z0-9.-]*\) .*/\1/p' "$work/help" |
		lines >"$work/command"
	cat "$work/command" >>"$work/known"
	sed -n '/^\.Ss Options/,/^\.S[sh] [^O]/s/^\.It Fl //p' "$page" |
		sed -e 's/ Ar .*//' -e 's/^\(.\) , /-\1 -/' -e 's/^-\([a-z][a-z0-9]\)/--\1/' | lines >"$work/got"
	same "iosweep-$command.1" "$work/command" "$work/got"
	for kind in flags valued; do
		quoted "$completions/iosweep" "${command}_$kind" && echo
	done | lines >"$work/got"
	same "options of $command in the bash completion" "$work/command" "$work/got"
	grep -e '^--' "$work/command" >"$work/long"
	zsh_function "command_$command" | sed -n 's/^[^[]*\(--[a-z0-9.-]*\)[]=[}].*/\1/p' >"$work/got"
	same "options of $command in the zsh completion" "$work/long" "$work/got"
	sed -n "s/.*__iosweep_command $command'.* -l \([a-z0-9.-]*\) .*/--\1/p" "$completions/iosweep.fish" >"$work/got"
	same "options of $command in the fish completion" "$work/long" "$work/got"
	grep -q "^\.It Cm $command " "$man/iosweep.1" ||
		fail "iosweep.1 does not name the command $command"
	run 0 --help all
	grep -q "^       iosweep $command " "$work/out" || fail "--help does not name $command"
	grep -vxF -f "$work/words" "$work/long" | sed 's/ .*//' >"$work/foreign"
	while IFS= read -r option; do
		run 2 "$option"
		grep -q "it is an option of .*iosweep $command" "$work/err" || fail "$option: $(cat "$work/err")"
	done <"$work/foreign"
done

# columns of the CSV of commands
printf 'size_bytes,rate_per_s,op_ns_low,op_ns_high\n1,4,249e6,251e6\n2,3,332e6,334e6\n3,2,499e6,501e6\n4,1,999e6,1001e6\n' >"$work/rows.csv"
run 0 fit --format csv "$work/rows.csv"
head -n 1 "$work/out" | lines >"$work/columns"
sed -n '/^\.Ss Output/,/^\.Ss Method/s/^\.It Cm //p' "$man/iosweep-fit.1" | lines >"$work/man"
agree "columns of iosweep-fit.1" "$work/columns" "$work/man"
run 0 compare --format csv "$work/rows.csv" "$work/rows.csv"
head -n 1 "$work/out" | lines >"$work/columns"
sed -n '/^\.Ss Output/,/^\.Ss Method/s/^\.It Cm //p' "$man/iosweep-compare.1" | lines >"$work/man"
agree "columns of iosweep-compare.1" "$work/columns" "$work/man"

# --- words: invalid ones are answered with the valid ones ---

for option in tests cache small sync format s3.addressing s3.payload s3.checksum; do
	run 2 "--$option" nonsense null:
	sed -n 's/.*choose from \([^;]*\).*/\1/p' "$work/err" | lines >"$work/choices"
	[ $option != tests ] || most 10 tests "$work/choices"
	sed -n "s/^ *--$option) .*words='\(.*\)' ;;/\1/p" "$completions/iosweep" | lines >"$work/got"
	same "--$option of the bash completion" "$work/choices" "$work/got"
	zsh_function sweep | sed -n -e "s/^'--$option=.*compadd - \(.*\)'.*/\1/p" \
		-e "s/^'--$option=.*:(\(.*\))'.*/\1/p" | lines >"$work/got"
	same "--$option of the zsh completion" "$work/choices" "$work/got"
	sed -n "s/.* __iosweep_sweeps -l $option -xa '\([^']*\)'.*/\1/p" "$completions/iosweep.fish" |
		sed 's/(__fish_append , \(.*\))/\1/' | lines >"$work/got"
	same "--$option of the fish completion" "$work/choices" "$work/got"
done

# --- columns, in order ---

run 0 --quiet --format csv --columns all --tests read --sizes 4k -n 4 null:
head -n 1 "$work/out" | lines >"$work/columns"
[ "$(wc -l <"$work/columns")" -ge 30 ] || fail "only few columns in the CSV header"
most 95 columns "$work/columns"
items iosweep-csv.5 COLUMNS >"$work/man"
agree "columns of iosweep-csv.5" "$work/columns" "$work/man"
run 0 --quiet --format csv --tests read --sizes 4k -n 4 null:
head -n 1 "$work/out" | lines >"$work/default"
head -n "$(wc -l <"$work/default")" "$work/columns" | cmp -s - "$work/default" || fail "the default columns do not come first"
grep -q " CSV with $(wc -l <"$work/default") columns " "$top_srcdir/README" || fail "README has another number of columns"
run 0 help columns
awk -F '\t' 'NF != 4 || $2 !~ /^(text|number|bytes|s|ns|bytes\/s|1\/s|ratio)$/ || $3 == "" || $4 == "" {
	exit 1 } { print $1 }' "$work/out" >"$work/got" || fail "help columns: a line is no name, unit, meaning, group"
cmp -s "$work/columns" "$work/got" || fail "help columns and the CSV header differ"
cut -f 4 "$work/out" | sort -u >"$work/groups"
[ "$(wc -l <"$work/groups")" -ge 8 ] || fail "only few groups of columns"
while read -r group; do
	sed -n '/^[.]It Fl -columns/,/^[.]It Fl -separator/s/^[.]Cm //p' "$man/iosweep.1" | lines | grep -qx "$group" ||
		fail "iosweep.1 does not name the group of columns $group"
	run 0 --quiet --columns "$group" --tests read --sizes 4k -n 4 null:
	head -n 1 "$work/out" | lines >"$work/got"
	[ -s "$work/got" ] || fail "--columns $group: nothing"
	grep -vxF -f "$work/columns" "$work/got" && fail "--columns $group: other columns"
done <"$work/groups"
for shell in iosweep _iosweep iosweep.fish; do
	sed -n '/^\(function \)\{0,1\}_*iosweep_columns/,/^\(}\|end\)/s/^        \([a-z0-9_]*\).*/\1/p' "$completions/$shell" >"$work/got"
	grep -vxF -e default -e all "$work/got" | sort >"$work/sorted"
	[ $(($(wc -l <"$work/got") - $(wc -l <"$work/sorted"))) = 2 ] || fail "$shell does not offer --columns default and all"
	sort "$work/groups" "$work/columns" | cmp -s - "$work/sorted" || fail "$shell does not offer the groups of columns"
	grep -xF -f "$work/columns" "$work/got" >"$work/sorted"
	agree "columns of $shell" "$work/columns" "$work/sorted"
done

# --- the bug address is the one given to configure

for place in BUG_URL HOME_URL; do
	sed -n "s/^#define $place \"\(.*\)\"\$/\1/p" "${builddir:?}/config.h" >"$work/$place"
	[ "$(wc -l <"$work/$place")" -eq 1 ] || fail "config.h does not name $place once"
done
run 0 --version
sed -n 's/^Home page: //p' "$work/out" >"$work/got"
grep . "$work/HOME_URL" | cmp -s - "$work/got" || fail "--version does not name HOME_URL: $(cat "$work/out")"
bugs=$(cat "$work/BUG_URL")
[ "$(tail -n 1 "$work/out")" = "Report bugs to ${bugs:-the supplier of this build}." ] ||
	fail "the last line of --version does not say where to report: $(cat "$work/out")"

# --- packages have the program's version

version=$(sed -n '1s/^iosweep //p' "$work/out")
[ "$(sed -n '1s/^iosweep (\(.*\)-[^-]*) .*/\1/p' "$top_srcdir/contrib/packaging/debian/changelog")" = "${version:?}" ] ||
	fail "contrib/packaging/debian/changelog is not of version $version"

# the letters that state when a column is empty
"${builddir:?}/contrib/completions/rows" >"$work/rows" || fail "rows does not run"
PYTHONPATH=$src/results "${PYTHON:-python3}" -B "$top_srcdir/contrib/completions/rows.py" >>"$work/rows" || fail "rows.py does not run"
sed -n '/^\.Sh COLUMNS/,/^\.Sh TIME SERIES/p' "$man/iosweep-csv.5" | awk '
	NR == FNR { if ($1 == "column") empty[$2] = $3; next }
	/^[.]It Cm / { letters[$3] = ($5 == "S" ? "S" : "") ($5 && $NF == "O" ? "O" : "") }
	END { for (column in empty) {
		always = empty[column]
		more = sub(/[+]/, "", always) # a function decides, too
		if (letters[column] != always && !(more && index(letters[column], always) == 1))
			print column " (" letters[column] "), in the table " empty[column]
	} }' "$work/rows" - >"$work/difference"
none "letters of columns in iosweep-csv.5 are wrong"

run 0 --quiet --series "$work/series" --tests read --sizes 4k -n 4 null:
head -n 1 "$work/series" | lines >"$work/columns"
[ "$(wc -l <"$work/columns")" -ge 12 ] || fail "only few columns in the header of --series"
items iosweep-csv.5 'TIME SERIES' >"$work/man"
agree "columns of --series in iosweep-csv.5" "$work/columns" "$work/man"

# --- the schema version is the same everywhere

run 0 --version
version=$(sed -n 's/^results: schema version //p' "$work/out")
grep -q "schema version $version\"" "$top_srcdir/doc/iosweep.schema.json" ||
	fail "doc/iosweep.schema.json is not of schema version $version"

# --- facts of the JSON document, and notes

if command -v python3 >/dev/null; then
	mkdir "$work/place"
	run 0 --quiet --format json --tests read --sizes 4k -n 4 --width 1 -l 4k "$work/place"
	python3 -c 'import records, sys
document = records.load(sys.argv[1])
head = document["head"]
for group in (document, document["slice"][0], document["end"], head, head["host"], head["targets"][0]):
    print("\n".join(group))' "$work/out" >"$work/members"
	[ "$(wc -l <"$work/members")" -ge 40 ] || fail "only few members in the JSON document"
	sed -n '/^\.Sh JSON DOCUMENT/,/^\.Sh EXAMPLES/p' "$man/iosweep-csv.5" |
		tr -c 'a-z0-9_' '\n' >"$work/got"
	# of a target: its name and size
	! grep -vxE 'target|place|description|objects|total_bytes|own_files|in_memory|direct_align_bytes|notes' \
		"$work/members" | grep -vxF -f "$work/got" >"$work/difference" ||
		fail "iosweep-csv.5 lacks the member $(head -n 1 "$work/difference")"
else
	missing="$missing python3"
fi
sed -n '/^Common notes/,/^Lines that begin/s/^    \([a-z_]*\)  .*/\1/p' "$top_srcdir/README" >"$work/got"
[ "$(wc -l <"$work/got")" -ge 6 ] || fail "README explains only few notes"
! grep -vxF -f "$work/notes" "$work/got" || fail "README explains a note that does not exist"

default=$(iosweep --help all | sed -n 's/.* --cache LIST .*\[\(.*\)\]$/\1/p')
grep -q "The default is --cache ${default:?}[.]" "$top_srcdir/doc/tutorial.md" || fail "tutorial.md has another default of --cache"

# --- texts mention only options that exist, short or long ---

# those of configure, of scripts in contrib/ and .ci/, rados bench, iosweep-mpi and launchers
others='^--(armor|detach-sign|unreleased|no-cleanup|reuse-bench|prefix|quick|long|no-install|check|no-tests|map-by|bind-to|oversubscribe|host|mpi|ntasks-per-node|cpu-bind|share|hosts-per-target|rank-timeout|kill-on-bad-exit|(with|without|enable|disable)(-[a-z0-9]*)*)$'
for text in README HACKING SECURITY doc/nas-admin.md doc/s3.md doc/filesystem-developer.md doc/packager.md doc/teams.md \
	doc/tutorial.md doc/recipes.md doc/porting.md $(cd "$top_srcdir" && echo man/*.[157]); do
	sed -e 's/\\-/-/g' -e 's/Fl -\([a-z]\)/ --\1/g' -e 's/, -\([a-z][a-z]\)/ --\1/g' \
		"$top_srcdir/$text" | tr -c 'a-z0-9_.\-' '\n' | sed -n 's/^\(--[a-z][a-z0-9_.-]*[a-z]\).*/\1/p' |
		LC_ALL=C sort -u | grep -vE "$others" >"$work/mentioned"
	[ -s "$work/mentioned" ] || fail "no option is mentioned in $text"
	! built "$work/mentioned" | grep -vxF -f "$work/known" >"$work/got" ||
		fail "$text mentions $(head -n 1 "$work/got"), which --help does not"
done

# --- the bash completion in use ---

# commands that complete presets and engines
mkdir "$work/bin"
for name in iosweep iosweep-mpi; do
	printf '#!/bin/sh\nexec %s "$@"\n' "$IOSWEEP" >"$work/bin/$name"
	chmod +x "$work/bin/$name"
done
# needs /dev/fd
if bash -c 'read -r _ < <(echo)' 2>/dev/null; then
	# shellcheck disable=SC2016 # bash expands it
	complete='. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _iosweep
		[ ${#COMPREPLY[@]} = 0 ] || printf "%s\n" "${COMPREPLY[@]}"'
	# completed FILE WORDS...: what bash offers
	completed() {
		completed_file=$1
		shift
		bash -c "$complete" bash "$completions/$completed_file" "$@" >"$work/got"
	}
	# offers WANT FILE WORDS...: nothing else, one word a line
	offers() {
		offers_want=$1
		shift
		completed "$@"
		[ "$(tr '\n' ' ' <"$work/got")" = "${offers_want:+$offers_want }" ] || fail "bash completes $*: $(cat "$work/got")"
	}
	grep '^--' "$work/words" >"$work/long"
	completed iosweep iosweep --
	same "completion of --" "$work/long" "$work/got"
	offers direct,uncached iosweep iosweep --cache direct,un
	offers classic iosweep iosweep --format = cl
	offers object-stores iosweep iosweep help ob
	offers object-stores iosweep iosweep --help ob
	offers 'throughput time' iosweep iosweep plot --what t
	offers classic iosweep-mpi iosweep-mpi --format cl
	awk -F '\t' '$1 == "command" { print $2 }' "$work/rows" | sort >"$work/commands"
	completed iosweep iosweep ''
	head -n "$(wc -l <"$work/commands")" "$work/got" >"$work/first"
	same "commands first after iosweep in bash" "$work/commands" "$work/first"
	for words in @qu '@ qu' '-b @qu' '-b @ qu'; do # @ may separate words
		offers @quick iosweep "$work/bin/iosweep" $words
	done
	mkdir "$work/lists"
	offers "@$work/lists/" iosweep iosweep "@$work/li"
	offers --share iosweep-mpi iosweep-mpi --sh
	offers shift iosweep-mpi iosweep-mpi --share sh
	offers '' iosweep-mpi iosweep --sh
else
	missing="$missing bash"
fi

# --- and that of fish ---

if command -v fish >/dev/null; then
	# WORD|LINE: whether the word is among the completions of the line. All are but the last.
	# shellcheck disable=SC2016 # fish expands it
	printf '%s\n' 'direct,uncached|iosweep --cache direct,un' '--what|iosweep plot --w' 'classic|iosweep --format cl' \
		'op_ns_min|iosweep --columns op_ns_mi' '--io_uring.sqpoll|iosweep --io' 'compare|iosweep com' \
		'object-stores|iosweep help ob' 'object-stores|iosweep --help ob' 'classic|iosweep-mpi --format cl' \
		'compare|iosweep ' '@quick|iosweep @q' '--share|iosweep-mpi --sh' 'shift|iosweep-mpi --share s' \
		'--share|iosweep --sh' |
		PATH=$work/bin:$PATH HOME=$work XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work fish --no-config -c '
			source $argv[1]/iosweep.fish; source $argv[1]/iosweep-mpi.fish
			while read -l -d "|" word line
				complete -C $line | string replace -r "\t.*" "" | string match -q -- $word
				or echo "$word after $line"
			end' "$completions" >"$work/got" 2>"$work/err"
	[ "$(cat "$work/got")" = '--share after iosweep --sh' ] ||
		fail "fish does not offer: $(cat "$work/got" "$work/err")"
else
	missing="$missing fish"
fi

# --- and that of zsh, on a pseudo-terminal ---

if zsh -f -c 'zmodload zsh/zpty && command -v timeout' >"$work/got" 2>&1; then
	# zsh_completes WORD LINE: the word is among the completions listed
	zsh_completes() {
		# shellcheck disable=SC2016 # zsh expands it
		PATH=$work/bin:$PATH HOME=$work TERM=dumb timeout 60 zsh -f -c '
			zmodload zsh/zpty
			zpty z zsh -f -i
			zpty -w z "fpath=($1 \$fpath); autoload -U compinit; compinit -u -D; LISTMAX=9999; print rea\"\"dy"
			zpty -r z text "*ready*"
			zpty -n -w z "$2"$'\''\t\t'\''
			zpty -r z text "*$3*"
		' zsh "$completions" "$2" "$1" 2>"$work/err" || fail "zsh does not list $1 after $2: $(cat "$work/err")"
	}
	zsh_completes compare 'iosweep '
	zsh_completes @quick 'iosweep @'
	zsh_completes --rank-timeout 'iosweep-mpi --ra'
else
	missing="$missing zsh"
fi

# --- completions are generated from the tables: the files are up to date ---

for shell in bash:iosweep zsh:_iosweep fish:iosweep.fish fish-mpi:iosweep-mpi.fish; do
	# (without options that this build lacks another line may end a list with the quote)
	sh "$completions/generate" "${shell%:*}" "$work/rows" | without_absent | sed "s/'\$//" >"$work/expected"
	without_absent <"$completions/${shell#*:}" | sed "s/'\$//" >"$work/got"
	agree "what make completions makes, and contrib/completions/${shell#*:}" "$work/expected" "$work/got"
done

# and generating fails if options of an engine would be lost
sh "$completions/generate" lacks "$work/rows" "$completions/iosweep" 2>"$work/err" ||
	! grep -qx io_uring "$work/engines" || fail "lacks an engine that is built: $(cat "$work/err")"
grep -vE '^engine.null|^option.*null[.]' "$work/rows" >"$work/fewer"
if sh "$completions/generate" lacks "$work/fewer" "$completions/iosweep" 2>"$work/err"; then
	fail "completions lose options of an engine that is not built"
fi
grep -q 'lacks .*null.*, options of which' "$work/err" || fail "the engine is not named: $(cat "$work/err")"
one_line "$work/err"

# --- packages have this version ---

run 0 --version
version=$(sed -n '1s/^iosweep //p' "$work/out")
for line in 'iosweep.spec:Version:        ' PKGBUILD:pkgver= APKBUILD:pkgver=; do
	grep -qxF "${line#*:}$version" "$top_srcdir/contrib/packaging/${line%%:*}" ||
		fail "contrib/packaging/${line%%:*} is not of version $version"
done

[ -z "$missing" ] || skip "not installed, so not compared:$missing (all else agrees)"
