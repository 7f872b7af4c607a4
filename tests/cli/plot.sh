#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Pictures of results are really made: each kind as SVG, PNG, PDF and letters on a terminal; the
# program for gnuplot makes the same picture on its own; files appear when they are complete; names and
# labels are drawn and never run; and a gnuplot that is missing, fails or is killed leaves the old
# picture.  What is in the programs is shown by tests/golden/plot.t.
# shellcheck disable=SC1003,SC2015,SC2016
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

unset IOSWEEP_GNUPLOT
mkdir "$work/dir"
cd "$work/dir" || exit 99
small='--quiet --time 20ms --sizes 512,4k,32k,64k'
# shellcheck disable=SC2086
{
	run 0 $small -o curve.csv --label one null:
	run 0 $small --tests read -o second.csv --label two null:
	run 0 $small --format json -o curve.json null:
	run 0 $small --interval 10ms --series series.csv -o fourth.csv null:
}
awk 'BEGIN { print "size_bytes,op_ns_median,test,depth,latency_ns_p50,latency_ns_p99"
	for (depth = 1; depth <= 16; depth *= 4)
		for (size = 512; size <= 8192; size *= 2)
			printf "%d,1000,read,%d,%d,%d\n", size, depth, 1000 * depth, 30000 * depth }' >depth.csv
# KIND ARGUMENTS of each picture
cat >kinds <<'END'
curves curve.csv
files --no-fit curve.csv second.csv
latency --what latency depth.csv
map --heat --what both depth.csv
ratio --quiet --compare --tolerance 5% curve.csv fourth.csv
course series.csv
END
if iosweep plot --script curve.json >/dev/null 2>"$work/err"; then
	echo 'cdf --what cdf curve.json' >>kinds
else
	grep -q 'built without jansson' "$work/err" || fail "JSON cannot be read"
	echo "not tried: JSON, this build cannot read it"
fi

# --- no gnuplot, and one that fails or is killed
for program in "$work/no/such/program" "$work/dir" "$work/dir/curve.csv"; do
	IOSWEEP_GNUPLOT=$program
	export IOSWEEP_GNUPLOT
	echo old >old.svg
	run 3 plot -o old.svg curve.csv
	one_line "$work/err"
	[ "$(cat old.svg)" = old ] || fail "$program: an old picture was replaced"
done
mkdir "$work/empty"
unset IOSWEEP_GNUPLOT
program=$(command -v "$IOSWEEP")
PATH=$work/empty "$program" plot -o picture.svg curve.csv 2>"$work/err"
[ $? = 3 ] || fail "no gnuplot in PATH: not status 3"
one_line "$work/err"
[ ! -e picture.svg ] || fail "no gnuplot in PATH: something is left"
cat >bad.sh <<'END'
#!/bin/sh
echo half a picture
printf '\n\nplot\n    ^\n"-" line 7: something is wrong\nand more\n' >&2
exit 1
END
cat >killed.sh <<'END'
#!/bin/sh
echo half a picture
kill -9 $$
END
cat >deaf.sh <<'END'
#!/bin/sh
exec <&-
i=0
while [ $i -lt 3000 ]; do
	echo 'a line of a program that says more than a pipe holds, and does not listen' >&2
	i=$((i + 1))
done
exit 1
END
chmod +x ./*.sh
for program in bad killed deaf; do
	IOSWEEP_GNUPLOT=./$program.sh
	export IOSWEEP_GNUPLOT
	run 3 plot -o old.svg curve.csv
	one_line "$work/err"
	[ "$(cat old.svg)" = old ] || fail "$program: an old picture was replaced"
	[ $program != bad ] || grep -q 'line 7: something is wrong' "$work/err" || # as gnuplot says it
		fail "the error of gnuplot is not passed on"
done
# who stops reading is left in peace, after gnuplot too: a signal, no message
cat >long.sh <<'END'
#!/bin/sh
cat >/dev/null
awk 'BEGIN { for (i = 0; i < 20000; i++) print "a line of a picture" }'
END
chmod +x long.sh
if sh -c 'kill -PIPE $$' 2>/dev/null; then
	echo "SIGPIPE is ignored here, so not looked at"
else
	IOSWEEP_GNUPLOT=./long.sh
	export IOSWEEP_GNUPLOT
	{ iosweep plot curve.csv 2>"$work/err"; echo $? >"$work/status"; } | head -1 >"$work/out"
	[ "$(cat "$work/status")" = 141 ] || fail "a closed pipe: status $(cat "$work/status")"
	[ ! -s "$work/err" ] || fail "a closed pipe: something is said"
fi
[ "$(find . -name 'old.svg*' | wc -l)" = 1 ] || fail "something is left beside the picture"
unset IOSWEEP_GNUPLOT

# --- the real one
command -v gnuplot >/dev/null ||
	skip "gnuplot is not installed, so no picture was drawn (all else is as it should be)"

magic() { # FILE: what its first bytes say
	case $(od -An -tx1 -N5 "$1" | tr -d ' \n') in
	89504e470d) echo png ;;
	255044462d) echo pdf ;;
	3c3f786d6c) echo svg ;;
	*) echo other ;;
	esac
}
is_xml() {
	if command -v xmllint >/dev/null; then
		xmllint --noout --nonet "$1" 2>"$work/err" || fail "$1: not XML"
	elif command -v python3 >/dev/null; then
		python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$1" \
			2>"$work/err" || fail "$1: not XML"
	fi
}
while read -r kind arguments; do
	for format in svg png pdf; do
		# shellcheck disable=SC2086
		run 0 plot -o "$kind.$format" $arguments
		[ ! -s "$work/out" ] && [ ! -s "$work/err" ] || fail "$kind.$format: something is said"
		[ "$(magic "$kind.$format")" = $format ] || fail "$kind.$format: is $(magic "$kind.$format")"
	done
	is_xml "$kind.svg"
	# shellcheck disable=SC2086
	run 0 plot --script --format svg $arguments
	gnuplot <"$work/out" >again.svg 2>"$work/err" || fail "$kind: the program of --script fails"
	cmp -s "$kind.svg" again.svg || fail "$kind: the program of --script makes another picture"
	[ "$kind" != map ] || continue
	# on a terminal: letters only, of the usual width, with points
	# shellcheck disable=SC2086
	run 0 plot $arguments
	[ "$(wc -l <"$work/out")" -ge 20 ] || fail "$kind: only $(wc -l <"$work/out") lines"
	! LC_ALL=C grep -q '[^ -~]' "$work/out" || fail "$kind: more than ASCII on a terminal"
	awk 'length($0) > 80 { exit 1 }' "$work/out" || fail "$kind: wider than 80"
	grep -q '^  [A-Z]  [a-z0-9]' "$work/out" || fail "$kind: no legend on a terminal"
	[ -z "$(tail -c 1 "$work/out")" ] || fail "$kind: the last line has no end"
done <kinds
for format in svg png pdf; do
	run 0 plot --format $format curve.csv
	[ "$(magic "$work/out")" = $format ] || fail "--format $format: is $(magic "$work/out")"
done
run 0 plot second.csv
[ "$(tr -cd A <"$work/out" | wc -c)" = 4 ] || fail "text: not four points"
(umask 077 && iosweep plot -o private.svg curve.csv) || fail "umask"
[ "$(stat -c %a private.svg)" = 600 ] || fail "umask was not heeded"

# --- names are drawn, not run; gnuplot's own settings of a user are not read
mkdir home
echo 'this is no command of gnuplot' >home/.gnuplot
for name in "it's; system 'touch pwned'" '`touch pwned` @x $x' '{/Symbol a}_b^c' '<b>&amp;</b>' \
	"'x'" "a''b" "''" "'); system('touch pwned'); ('" "\`touch pwned\`'" \
	'"; !touch pwned; "' 'a\nb\' "$(printf 'line\n!touch pwned\nEOD\n')" "$(printf 'bytes \377')"; do
	file=./x$(printf '%s' "$name" | tr / _)
	# shellcheck disable=SC2086
	run 0 $small --tests read -o "$file.csv" --label "$name" null:
	for format in svg png; do
		HOME=$work/dir/home run 0 plot -o hostile.$format "$file.csv" curve.csv
		HOME=$work/dir/home run 0 plot -o "$file.$format" "$file.csv"
	done
	is_xml hostile.svg
	is_xml "$file.svg"
	run 0 plot "$file.csv" curve.csv
	run 0 plot --compare --quiet -o hostile.svg "$file.csv" second.csv
	is_xml hostile.svg
	[ -z "$(find . -name pwned)" ] || fail "a name was run: $name"
done
grep -qF '`touch pwned` @x $x' './x`touch pwned` @x $x.svg' || fail "a name is not drawn as it is"
grep -qF '{/Symbol a}_b^c' './x{_Symbol a}_b^c.svg' || fail "a name is not drawn as it is"
grep -qF '&lt;b>&amp;amp;&lt;/b>' './x<b>&amp;<_b>.svg' || fail "a name is not drawn as it is"

# --- pictures that cannot be written
if [ -c /dev/full ]; then
	run 0 plot --script -o /dev/null curve.csv
	run 1 plot --script -o /dev/full curve.csv
	one_line "$work/err"
fi
