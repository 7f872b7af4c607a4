#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Metrics are what Prometheus takes: by the rules of the text format, checked here line by line, and
# by promtool where it is installed.  The figures are those of the run.  A file of metrics appears as
# a whole under its name, keeps mode and links, and never takes the place of anything but a file.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

mkdir "$work/dir" "$work/metrics"
cd "$work/dir" || exit 99
file=$work/metrics/iosweep.prom
small='--quiet --format prometheus -l 64k --width 2 -n 12'

# check FILE: every line is a comment or a sample of the format 0.0.4; HELP and TYPE come once, before
# the samples; samples of a metric stand together, none twice; no time stamps
check() {
	LC_ALL=C awk '
		function bad(why) { print FILENAME ": " FNR ": " why ": " $0; failed = 1 }
		/^# (HELP|TYPE) iosweep_[a-z_]+ [^ ]/ {
			if ($2 == "HELP" && ($3 in known)) bad("second HELP")
			if ($2 == "TYPE" && (current != $3 || typed)) bad("TYPE is not after HELP")
			if ($2 == "TYPE" && $4 !~ /^(gauge|summary)$/) bad("type")
			typed = $2 == "TYPE"
			if (typed) type[$3] = $4
			known[current = $3]
			next
		}
		/^#/ { bad("comment") }
		{
			if (!match($0, /^iosweep_[a-z_]+/)) bad("name")
			name = substr($0, 1, RLENGTH)
			rest = substr($0, RLENGTH + 1)
			family = name
			if (type[current] == "summary") sub(/_(sum|count)$/, "", family)
			if (family != current || !typed) bad("not with its metric")
			if (rest ~ /^{/) {
				rest = substr(rest, 2)
				while (match(rest, /^[a-z_]+="([^"\\]|\\["\\n])*",?/)) {
					label = substr(rest, 1, RLENGTH)
					rest = substr(rest, RLENGTH + 1)
					if (label !~ /,$/ && rest !~ /^}/) bad("labels")
				}
				if (!sub(/^}/, "", rest)) bad("labels")
			}
			if (rest !~ /^ [0-9]+([.][0-9]+)?(e[-+][0-9]+)?$/) bad("value")
			key = $0
			sub(/ [^ ]*$/, "", key)
			if (key in seen) bad("sample twice")
			seen[key]
			samples++
		}
		END { exit failed || samples < 20 }' "$1" >&2 || fail "not the format of Prometheus: $1"
	if command -v promtool >/dev/null; then
		promtool check metrics <"$1" >"$work/err" 2>&1 || fail "promtool"
		[ ! -s "$work/err" ] || fail "promtool"
	fi
}
# value FILE TEXT...: of the one sample that has all the texts
value() {
	cp "$1" "$work/lines"
	shift
	for text; do
		grep -F -e "$text" "$work/lines" >"$work/fewer"
		mv "$work/fewer" "$work/lines"
	done
	[ "$(wc -l <"$work/lines")" = 1 ] || fail "$(wc -l <"$work/lines") samples have $*"
	sed 's/.* //' "$work/lines"
}

# --- on standard output; the figures
# shellcheck disable=SC2086
run 0 $small .
nothing_left .
check "$work/out"
for test in write read; do
	for size in 2 4096 65536; do
		[ "$(value "$work/out" 'iosweep_operations{' "test=\"$test\"" "size_bytes=\"$size\"")" = 12 ] ||
			fail "not 12 operations: $test, $size"
	done
done
[ "$(grep -c '^iosweep_operations{' "$work/out")" = 32 ] || fail "not 32 rows"
[ "$(value "$work/out" 'iosweep_rows{state="complete"}')" = 32 ] || fail "not 32 complete rows"
rate=$(value "$work/out" 'iosweep_operations_per_second{' 'test="read"' 'size_bytes="4096"')
speed=$(value "$work/out" 'iosweep_throughput_bytes_per_second{' 'test="read"' 'size_bytes="4096"')
time=$(value "$work/out" 'iosweep_measured_seconds{' 'test="read"' 'size_bytes="4096"')
awk -v r="$rate" -v s="$speed" -v t="$time" 'BEGIN {
	exit !(r > 1 && s / 4096 / r > 0.999999 && s / 4096 / r < 1.000001 && r * t > 11.9999 && r * t < 12.0001)
}' || fail "throughput $speed, rate $rate and time $time do not agree"

# --- names and labels that have to be escaped
mkdir 'a "target" \ {x="1"} 5'
# shellcheck disable=SC2086
run 0 $small -M 4 --label 'two
lines, "quoted" \n' 'a "target" \ {x="1"} 5' null:
check "$work/out"
grep -qF 'label="two\nlines, \"quoted\" \\n"' "$work/out" || fail "label"
rmdir a*

# --- what prometheus does not choose
# shellcheck disable=SC2086
run 2 $small --columns size_bytes .
one_line "$work/err"

# --- a file: complete when it appears, of the usual mode, nothing left beside it
# shellcheck disable=SC2086
(umask 027 && iosweep $small -o "$file" . >"$work/out" 2>"$work/err") || fail "-o"
[ ! -s "$work/out" ] || fail "-o: standard output is not empty"
check "$file"
[ "$(stat -c %a "$file")" = 640 ] || fail "mode of a new file is $(stat -c %a "$file")"
[ "$(ls -A "$work/metrics")" = iosweep.prom ] || fail "left beside it: $(ls -A "$work/metrics")"

# replaced as a whole: whoever has the old one open keeps reading the old one
chmod 604 "$file"
ln -s metrics/iosweep.prom "$work/link"
cp "$file" "$work/before"
exec 5<"$file"
# shellcheck disable=SC2086
run 0 $small -M 8 -o "$work/link" .
cmp -s "$work/before" - <&5 || fail "the old file was written to"
exec 5<&-
check "$file"
[ "$(value "$file" 'iosweep_rows{state="complete"}')" = 6 ] || fail "not the second run"
[ "$(stat -c %a "$file")" = 604 ] || fail "mode of the old file is lost"
[ -L "$work/link" ] || fail "a link was replaced"
[ "$(ls -A "$work/metrics")" = iosweep.prom ] || fail "left beside it: $(ls -A "$work/metrics")"

# while it is measured the old one is there, and after an interruption what was measured
cp "$file" "$work/before"
# shellcheck disable=SC2086 # not the function: the signal is for the program, not for a shell
${IOSWEEP_RUN:-} "$IOSWEEP" --quiet --format prometheus -o "$file" --sizes 2,4 --time 30s --null.delay 1ms null: \
	2>"$work/err" &
pid=$!
# shellcheck disable=SC2010 # what the links say
until [ ! -e /proc/self/fd ] || ls -l /proc/$pid/fd 2>/dev/null | grep -qF "$work/metrics/"; do
	kill -0 $pid 2>/dev/null || fail "ended before it was interrupted"
done
cmp -s "$work/before" "$file" || fail "the old file was written to while measuring"
kill -TERM $pid
wait $pid
[ $? = 143 ] || fail "not the status of SIGTERM"
[ "$(ls -A "$work/metrics")" = iosweep.prom ] || fail "left beside it: $(ls -A "$work/metrics")"
cmp -s "$work/before" "$file" || [ "$(value "$file" 'iosweep_rows{state="incomplete"}')" -gt 0 ] ||
	fail "neither the old file nor an interrupted run"

run 1 --quiet --format prometheus -o "$file" --sizes 2,4 --time 30s --max-time 200ms \
	--null.delay 1ms null:
check "$file"
[ "$(value "$file" 'iosweep_rows{state="incomplete"}')" -gt 0 ] || fail "no incomplete row"
[ "$(value "$file" 'iosweep_rows{state="incomplete"}')" -eq 4 ] ||
	[ "$(value "$file" 'iosweep_rows{state="complete"}')" -gt 0 ] || fail "rows are lost"

# --- refused runs leave the old one alone
cp "$file" "$work/before"
for refused in missing no_directory same_file overwrite; do
	status=2
	case $refused in
	missing) status=3 && set -- missing ;;
	no_directory) set -- --raw "$work/no/such/file" . ;;
	same_file) set -- --raw "$file" . ;;
	overwrite) set -- --overwrite . ;;
	esac
	# shellcheck disable=SC2086
	run $status $small -o "$file" "$@"
	one_line "$work/err"
	cmp -s "$work/before" "$file" || fail "changed by a refused run: $refused"
	[ "$(ls -A "$work/metrics")" = iosweep.prom ] || fail "left beside it: $(ls -A "$work/metrics")"
done
# shellcheck disable=SC2086
run 2 $small -o "$work/metrics/new" --raw "$work/metrics/new" .
[ "$(ls -A "$work/metrics")" = iosweep.prom ] || fail "left beside it: $(ls -A "$work/metrics")"
# shellcheck disable=SC2086
run 2 $small -o "$work/missing/iosweep.prom" .
# shellcheck disable=SC2086
run 2 $small -o "" .
one_line "$work/err"
one_line "$work/err"
ln -s nowhere "$work/dangling"
# shellcheck disable=SC2086
for name in "$work/metrics" "$work/dangling"; do
	run 2 $small -o "$name" .
	one_line "$work/err"
done
nothing_left .

# --- never over the data that are to be measured, by any of their names
head -c 70000 /dev/zero >"$work/data"
ln "$work/data" "$work/same"
ln -s data "$work/other"
before=$(stat -c '%s %i %y %z' "$work/data")
for name in data same other; do
	# shellcheck disable=SC2086
	run 2 --quiet --format prometheus -r -n 4 -M 4 -o "$work/$name" "$work/data"
	one_line "$work/err"
done
mkdir "$work/tree"
ln "$work/data" "$work/tree/file"
before=$(stat -c '%s %i %y %z' "$work/data")
run 2 --quiet --format prometheus -r -n 4 -M 4 -o "$work/tree/file" "$work/tree"
one_line "$work/err"
[ "$(stat -c '%s %i %y %z' "$work/data")" = "$before" ] || fail "results went over the target"

# --- what is no regular file is written to, and stays what it is
mkfifo "$work/pipe"
cat "$work/pipe" >"$work/copy" &
# shellcheck disable=SC2086
run 0 $small -o "$work/pipe" .
wait $!
check "$work/copy"
[ -p "$work/pipe" ] || fail "a pipe was replaced"
# shellcheck disable=SC2086
run 0 $small -o /dev/null .
[ -c /dev/null ] || fail "/dev/null was replaced"
nothing_left .
