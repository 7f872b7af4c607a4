#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# results.sh - results of runs measured here, read by each command: in each format, of a killed run,
# with hostile labels; files that must not be overwritten, a full disk, a limit of file size, a pipe
# without a reader; where the program that reads results is searched. What the commands compute is
# in tests/results, what they print in tests/golden.
# shellcheck disable=SC2086 # lists of words
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
cd "$work" || exit 99
iosweep fit --help >/dev/null 2>err || skip "results cannot be read here: $(cat err)"

# --- in each format, by each command

small='--quiet --rounds 8 -n 400 --sizes 512,4k,32k,64k'
for format in csv json; do
	run 0 $small --format $format -o old.$format null:
	run 0 $small --format $format -o new.$format null:
	for command in fit 'report --format md' 'report --format html' plot; do
		run 0 $command old.$format
		[ -s out ] || fail "$command says nothing of $format"
	done
	iosweep compare --format csv old.$format new.$format >out 2>err || [ $? -le 2 ]
	[ "$(grep -c '^cell,' out)" = 8 ] || fail "$format: not 8 cells are compared"
done
run 0 merge -o both.json old.json new.json
run 0 export both.json
rows 'operations > 0 && threads == 2'
run 0 export --format prometheus old.json
grep -q '^iosweep_' out || fail "no metrics"
run 0 export --format csv old.json
rows 'operations > 0'
run 0 plot -o picture.svg old.json new.json
grep -q '</svg>' picture.svg || fail "no picture"

# --- a sweep, and the same with all its times multiplied by a million: no noise hides that

sed -e 's/"\(op_ns[a-z_]*\)":\([0-9.][0-9.]*\)/"\1":\2e6/g' new.json >slow.json
iosweep compare --format csv new.json slow.json >out 2>err
rows 'record != "cell" || (ratio > 0.999e6 && ratio < 1.001e6 && verdict == "slower")'

# --- killed in mid-sweep: results up to then can be read, and those of before are unchanged

cp old.json kept.json
iosweep --quiet --time 2s --tests read --sizes 512,4k,32k,64k --format json -o kept.json null: &
child=$!
on_exit "end_child $child"
soon "no slice is written" grep -qs '"record":"slice"' kept.json.part
kill -KILL $child
wait $child 2>/dev/null
cmp -s old.json kept.json || fail "the result of before is another one"
run 0 report --format md kept.json.part
grep -q '^| *512 B' out || fail "the report of a run that was killed has no row"
iosweep compare --format csv old.json kept.json.part >out 2>err || [ $? -le 2 ]
grep -q '^cell,read,' out || fail "a run that was killed is not compared"

# --- a label is the same in all formats, whatever its content

for label in '=cmd()' "'x'" "''" '-1' 'a\x1b\b' ' a ' '<b>&amp;|`' "$(printf 'a\033[2J\342\200\256b')" \
	"$(printf 'a\nb\tc\r')"; do
	for format in csv json; do
		run 0 --quiet --tests read --sizes 4k -n 50 --label "$label" --format $format -o label.$format null:
	done
	! LC_ALL=C grep -q '[^ -~]' label.csv || fail "label $label: reaches CSV as it is"
	! grep -q ',"*[=+@-][^,]' label.csv || fail "label $label: a formula in CSV"
	iosweep compare --format csv label.csv label.json >out 2>err
	rows 'record !~ /missing/ && label !~ / -> /'
	for command in 'compare --format table label.csv' 'report --format md' 'plot'; do
		iosweep $command label.json >out 2>err
		! LC_ALL=C grep -q "$(printf '[\001-\010\013-\037]')" out || fail "$command: label $label: control characters"
	done
done

# --- foreign files are not overwritten

printf 'SQLite format 3\0 of a user' >image
echo 'notes of a user' >notes
cp image image.same
cp notes notes.same
for command in 'merge old.json new.json' 'compare old.json new.json' 'fit old.json' 'plot old.json' \
	'report old.json' 'export --format csv old.json'; do
	for file in image notes old.json; do
		cp old.json old.same
		refuses 2 '' $command -o $file
		cmp -s old.json old.same || fail "$command went over its input"
	done
done
cmp -s image image.same && cmp -s notes notes.same || fail "results went over a file of other data"

# --- a failure to write ends in one line, and keeps the old content

for command in 'compare --quiet old.json new.json' 'fit --quiet old.json' 'plot --quiet old.json' \
	'report --quiet --format html old.json'; do
	if [ -c /dev/full ]; then
		iosweep $command >/dev/full 2>err
		[ $? -ge 1 ] || fail "$command: a full disk is no failure"
		one_line err
	fi
	(ulimit -f 1 && exec "$IOSWEEP" $command -o limited.html >out 2>err)
	case $? in
	1 | 2) one_line err ;;
	0) [ -s limited.html ] || fail "$command: nothing, and no word" ;; # it was short enough
	*) fail "$command: a limit of file size ends it with status $?" ;;
	esac
	rm -f limited.html
	[ -z "$(find . -name '*limited*')" ] || fail "$command: something is left"
	{ iosweep $command 2>err; echo $? >status; } | :
	[ ! -s err ] || fail "$command: something is said of a closed pipe"
done

# --- the program that reads results: next to iosweep if no other user can write there, else one
# line

mkdir -p tree/src
cp "$IOSWEEP" tree/src/iosweep
cp -R "${builddir:?}/libexec" tree/
IOSWEEP=$work/tree/src/iosweep
run 0 fit old.csv
ln -s tree/src/iosweep link
./link fit old.csv >out 2>err || fail "by a link: $(cat err)"
(cd tree/src && ./iosweep fit ../../old.csv) >out 2>err || fail "in its directory: $(cat err)"
(PATH=$work/tree/src:$PATH && command iosweep fit old.csv) >out 2>err || fail "by its name: $(cat err)"
sed 's,^#!.*,#!/no/such/python3 -I,' tree/libexec/iosweep/iosweep-results >broken
cat broken >tree/libexec/iosweep/iosweep-results
refuses 3 '' fit old.csv
grep -q python3 err || fail "Python is not named"
for part in '' /iosweep-results /iosweep_results; do
	for mode in g+w o+w; do
		chmod $mode tree/libexec/iosweep$part
		# the system's, if there is one, and not the broken one
		iosweep fit old.csv >out 2>err
		! grep -qF "$work/tree" err || fail "$part with mode $mode is used"
		chmod go-w tree/libexec/iosweep$part
	done
done
