#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Pictures of results are really made: SVG, PNG, PDF and letters on a terminal, of CSV, JSON and
# several files; the program for gnuplot makes the same picture on its own; files appear when they are
# complete; whatever names and labels hold is drawn and never run; and without gnuplot, with a broken
# one, or with no results, one line says so.  Without gnuplot what needs it is skipped.
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
	run 0 $small -o second.csv --label two --tests read null:
	run 0 $small --format json -o curve.json null:
	run 0 $small --interval 10ms --series series.csv -o fourth.csv null:
	run 0 $small -o third.csv --label three null:
}
third=curve.json
distribution=cdf
iosweep plot --script curve.json >"$work/out" 2>"$work/err" || {
	grep -q 'built without jansson' "$work/err" || fail "JSON cannot be read"
	echo "not tried: JSON, this build cannot read it"
	third=third.csv
	distribution=
}
# results THREADS DEPTHS: of a made-up device
results() {
	awk -v threads="$1" -v depths="$2" 'BEGIN {
		print "size_bytes,operations,time_s,test,target,engine,cache,threads,depth"
		n = split(threads, t, ",")
		m = split(depths, d, ",")
		for (i = 1; i <= n; i++)
			for (k = 1; k <= m; k++)
				for (size = 4096; size <= 65536; size *= 2)
					printf "%d,1000,%.9f,read,/dev/x,io_uring,direct,%d,%d\n", size, \
						1000 * (5e-5 + size / 1e9) / (t[i] * d[k]) ^ 0.7, t[i], d[k]
	}'
}
results 1 1,4,16 >depth.csv

# --- the program alone: it needs no gnuplot
run 0 plot --script curve.csv
head -1 "$work/out" | grep -q '^# ' || fail "--script: does not say what it is"
grep -q '^set terminal svg noenhanced' "$work/out" || fail "--script: not for SVG"
[ "$(grep -c '^\$c[01] << EOD' "$work/out")" = 2 ] || fail "--script: not two curves"
cp "$work/out" script.gp
run 0 plot --script --format png -o named.gp curve.csv
grep -q '^set terminal pngcairo' named.gp || fail "--script --format png: not for PNG"
[ ! -s "$work/out" ] || fail "--script -o: standard output is not empty"
iosweep plot --script - <curve.csv >"$work/out" 2>"$work/err" || fail "standard input"
grep -q '^\$c1' "$work/out" || fail "standard input: no curves"

# --- what is refused: one line, nothing written
refused() { # STATUS TEXT ARGS
	refused_status=$1
	refused_text=$2
	shift 2
	run "$refused_status" plot "$@"
	one_line "$work/err"
	grep -qe "$refused_text" "$work/err" || fail "plot $*: not told: $refused_text"
	[ ! -s "$work/out" ] || fail "plot $*: something on standard output"
	[ ! -e picture.svg ] || fail "plot $*: something is left"
}
echo 'not,a,result' >broken.csv
head -1 curve.csv >empty.csv
printf 'size_bytes,operations,time_s,notes\n4096,0,,skipped:beyond_file\n' >skipped.csv
awk 'BEGIN { print "size_bytes,op_ns_median,depth"
	for (i = 1; i <= 301; i++) print "512,1000," i }' >too-many.csv
refused 2 'plot needs a file of results; iosweep plot FILE' -o picture.svg
refused 2 missing.csv -o picture.svg missing.csv
refused 2 broken.csv -o picture.svg broken.csv
refused 2 empty.csv -o picture.svg empty.csv
refused 2 'nothing was measured' -o picture.svg skipped.csv
refused 2 picture.gif -o picture.gif curve.csv
refused 2 'FILE.svg' --heat curve.csv
refused 2 'no-fit' --heat --no-fit -o picture.svg depth.csv
refused 2 'nothing to draw a map of' --heat -o picture.svg curve.csv
refused 2 'throughput' --what speed curve.csv
refused 2 'missing/picture.svg' --script -o missing/picture.svg curve.csv

refused 2 'compare draws ratios' --compare --heat -o picture.svg depth.csv depth.csv
refused 2 'add --compare' --tolerance 5% -o picture.svg curve.csv
refused 2 'compare takes pairs of files.*3 were given' --compare -o picture.svg curve.csv second.csv third.csv
refused 2 'cdf draws distributions' --what cdf --heat -o picture.svg curve.csv
refused 2 'no distribution of latencies is known in curve.csv.*--format json' --what cdf -o picture.svg curve.csv
refused 2 'records of --series are drawn over time only: series.csv' --heat -o picture.svg series.csv
refused 2 'records of --series are drawn over time only' --what cdf -o picture.svg series.csv
refused 2 'results and records of --series are no picture: series.csv' -o picture.svg curve.csv series.csv
cat curve.csv series.csv >mixed.csv
refused 2 'meet at mixed.csv:10' -o picture.svg mixed.csv

refused 2 '301 curves are too many.*at most 300' --script too-many.csv
sed '1s/$/,notes/; 2,$s/$/,incomplete/' depth.csv >incomplete.csv
run 0 plot --script incomplete.csv
grep -q 'incomplete.csv: 15 of 15 rows are incomplete' "$work/err" || fail "incomplete rows: not said"

# --- no gnuplot, and one that fails or is killed
for program in "$work/no/such/program" "$work/dir" "$work/dir/curve.csv"; do
	IOSWEEP_GNUPLOT=$program
	export IOSWEEP_GNUPLOT
	echo old >old.svg
	run 3 plot -o old.svg curve.csv
	one_line "$work/err"
	grep -q 'gnuplot-nox.*gnuplot-minimal.*--script' "$work/err" || fail "$program: no advice"
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
	[ $program != bad ] || grep -q '"-" line 7: something is wrong' "$work/err" ||
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
check_svg() { # FILE TEXT...: is XML, and has the texts
	if command -v xmllint >/dev/null; then
		xmllint --noout --nonet "$1" 2>"$work/err" || fail "$1: not XML"
	elif command -v python3 >/dev/null; then
		python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$1" \
			2>"$work/err" || fail "$1: not XML"
	fi
	check_file=$1
	shift
	for check_text; do
		grep -qF -e "$check_text" "$check_file" || fail "$check_file: no $check_text"
	done
}
for format in svg png pdf; do
	run 0 plot -o picture.$format curve.csv
	[ ! -s "$work/out" ] && [ ! -s "$work/err" ] || fail "$format: something is said"
	[ "$(magic picture.$format)" = $format ] || fail "$format: is $(magic picture.$format)"
	run 0 plot --format $format curve.csv
	[ "$(magic "$work/out")" = $format ] || fail "--format $format: is $(magic "$work/out")"
done
check_svg picture.svg throughput 'latency (p50)' 'iosweep: null:' write read '4 KiB' 'fit:' '90 %'
gnuplot script.gp >again.svg 2>"$work/err" </dev/null || fail "the program of --script fails"
cmp -s picture.svg again.svg || fail "the program of --script makes another picture"
(umask 077 && iosweep plot -o private.svg curve.csv) || fail "umask"
[ "$(stat -c %a private.svg)" = 600 ] || fail "umask was not heeded"

run 0 plot -o both.svg --what throughput --no-fit curve.csv second.csv $third
check_svg both.svg 'write: throughput' 'read: throughput' 'curve.csv one' 'second.csv two'
! grep -q 'time per operation\|fit:' both.svg || fail "--what, --no-fit: too much"
for host in $(uname -n); do # a host is only known from JSON
	[ $third = curve.json ] || break
	run 0 plot -o host.svg curve.json
	check_svg host.svg "on $host"
done
# latency is that of operations: at depth 16 many times 1 / rate
awk 'BEGIN { print "size_bytes,op_ns_median,test,depth,latency_ns_p50,latency_ns_p99"
	for (depth = 1; depth <= 16; depth *= 16)
		for (size = 512; size <= 8192; size *= 2)
			printf "%d,1000,read,%d,%d,%d\n", size, depth, 1000 * depth, 30000 * depth }' >latency.csv
for format in svg png pdf; do
	run 0 plot --what latency -o latency.$format latency.csv
	[ ! -s "$work/err" ] || fail "--what latency: $(cat "$work/err")"
done
check_svg latency.svg 'latency (p50)' 'up to p99' '10 us' '100 us' 'depth 16'
! grep -q 'time per operation\|fit:' latency.svg || fail "--what latency draws more"
run 0 plot --what time -o time.svg latency.csv
check_svg time.svg 'time per operation (1 / rate)'
! grep -q '100 us' time.svg || fail "--what time draws more"
run 0 plot --heat --what latency -o latency.svg latency.csv
check_svg latency.svg 'latency (p50), lighter is slower' '16.0 us'
run 0 plot --what latency latency.csv
grep -q 'A.*A.*A.*A.*A\|100 us' "$work/out" || fail "--what latency: nothing on a terminal"
run 2 plot --what latency -o none.svg depth.csv
one_line "$work/err"
grep -q 'no latencies in depth.csv.*--what time' "$work/err" || fail "not told"

run 0 plot --heat -o map.svg depth.csv
check_svg map.svg 'throughput, lighter is faster' depth 16 '64 KiB' GB/s
run 0 plot --heat --what both -o map.png depth.csv
[ "$(magic map.png)" = png ] || fail "--heat: no PNG"

# comparisons, distributions and courses: in all formats
for format in svg png pdf; do
	run 0 plot --compare --tolerance 5% -o ratio.$format curve.csv fourth.csv
	[ "$(grep -c '^\(write\|read\): ' "$work/err")" = 2 ] || fail "--compare: not said what it comes to"
	if [ -n "$distribution" ]; then
		run 0 plot --what cdf -o cdf.$format curve.json
		[ ! -s "$work/err" ] || fail "--what cdf: $(cat "$work/err")"
	fi
	run 0 plot -o series.$format series.csv
	[ ! -s "$work/err" ] || fail "series: $(cat "$work/err")"
	for kind in ratio series $distribution; do
		[ "$(magic $kind.$format)" = $format ] || fail "$kind.$format: is $(magic $kind.$format)"
	done
done
check_svg ratio.svg 'curve.csv -> fourth.csv' 'write: time per operation, new against old' slower faster \
	'no difference: within 5 %' '64 KiB'
[ -z "$distribution" ] || check_svg cdf.svg 'read: latency percentiles' p50 p99 '32 KiB' latency
check_svg series.svg 'read: throughput' 'write: latency (mean)' 'time since the start (s)' '32 KiB'
if [ -n "$distribution" ]; then
	run 0 plot --what cdf curve.json
	grep -q '^ *write: latency percentiles' "$work/out" && grep -q '  D  64 KiB' "$work/out" ||
		fail "--what cdf: nothing on a terminal"
fi
awk 'BEGIN { for (f = 1; f <= 2; f++) {
	file = f == 1 ? "before.csv" : "after.csv"
	print "size_bytes,op_ns_median,op_ns_low,op_ns_high,test" >file
	for (i = 0; i < 4; i++) {
		ns = 1000 * (f == 1 ? 1 : i == 0 ? 1.5 : i == 1 ? 0.5 : 1)
		print 4096 * 2 ^ i "," ns "," ns - 1 "," ns + 1 ",read" >file
	}
} }'
run 0 plot --compare before.csv after.csv
for verdict in 'same [|+].*O.*O' '[+]50 % [|+].*S' '-.* % [|+].*F'; do
	grep -q -e "^ *$verdict" "$work/out" || fail "--compare on a terminal: no $verdict"
done
grep -q '^  F  faster  *O  same' "$work/out" && grep -q '^  S  slower *$' "$work/out" || fail "--compare on a terminal: no legend"
sed '$d' after.csv >fewer.csv
run 0 plot --compare -o ratio.svg before.csv fewer.csv
grep -q '^1 cells\? left out' "$work/err" || fail "--compare: not said what is left out"
run 0 plot --what latency series.csv
grep -q 'write: latency (mean) (iosweep' "$work/out" || fail "series: nothing on a terminal"
[ -z "$(tail -c 1 "$work/out")" ] || fail "text: the last line has no end"
run 0 plot --script series.csv
gnuplot <"$work/out" >again.svg 2>"$work/err" || fail "the program of a series fails"
cmp -s series.svg again.svg || fail "the program of a series makes another picture"

# on a terminal: letters only, of the usual width
run 0 plot curve.csv second.csv
[ "$(wc -l <"$work/out")" -ge 20 ] || fail "text: only $(wc -l <"$work/out") lines"
! LC_ALL=C grep -q '[^ -~]' "$work/out" || fail "text: more than ASCII"
awk 'length($0) > 80 { exit 1 }' "$work/out" || fail "text: wider than 80"
grep -q 'GB/s\|MB/s' "$work/out" || fail "text: no units"
grep -q '^ *throughput (iosweep' "$work/out" && grep -q '^ *I/O size *$' "$work/out" ||
	fail "text: not told what the axes are"
grep -q '^  A  curve.csv write one  ' "$work/out" && grep -q 'C  second.csv read two *$' "$work/out" ||
	fail "text: the legend runs together"

run 0 plot second.csv
[ "$(tr -cd A <"$work/out" | wc -c)" = 4 ] || fail "text: not four points"

# many curves: those that look the same are said
results 1,2,3 1,2,4 >many.csv
run 0 plot -o many.svg many.csv
[ ! -s "$work/err" ] || fail "9 curves: something is said"
check_svg many.svg 'threads 1: throughput' 'threads 3: time per operation' 'depth 4'
awk 'BEGIN { print "size_bytes,op_ns_median,label"
	for (i = 1; i <= 40; i++) print "512," i * 100 ",label " i }' >many.csv
run 0 plot -o many.svg many.csv
one_line "$work/err"
grep -q '40 curves: some look the same' "$work/err" || fail "40 curves: not said"
run 0 plot --quiet -o many.svg many.csv

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
	check_svg hostile.svg
	check_svg "$file.svg"
	run 0 plot "$file.csv" curve.csv
	run 0 plot --compare --quiet -o hostile.svg "$file.csv" second.csv
	check_svg hostile.svg
	[ -z "$(find . -name pwned)" ] || fail "a name was run: $name"
done
check_svg './x`touch pwned` @x $x.svg' '`touch pwned` @x $x'
check_svg './x{_Symbol a}_b^c.svg' '{/Symbol a}_b^c'
check_svg './x<b>&amp;<_b>.svg' '&lt;b>&amp;amp;&lt;/b>'

# --- pictures that cannot be written
if [ -c /dev/full ]; then
	run 0 plot --script -o /dev/null curve.csv
	run 1 plot --script -o /dev/full curve.csv
	one_line "$work/err"
fi
