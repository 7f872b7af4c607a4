#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# For any combination of options: the program ends by itself, with a documented status, refuses in
# one line without results, never reports wrong data where there are none, prints rows that agree
# with each other, with --dry-run and with the options, and leaves nothing behind.  Command lines
# are generated from a seed by random-options.awk:
#     FUZZ_SEED      seed of the first command line, by default 1, so that a test that passed once
#                    passes again; others, such as the time of day, try new ones.
#                    A failure prints the seed that reproduces it
#     FUZZ_LINES     number of lines, by default 120: the same on each machine
#     FUZZ_SECONDS   time limit instead of a number
# shellcheck disable=SC2154,SC2086,SC2016,SC2034,SC2119,SC2120
# (values and arguments come from the generator; no quotes: lists of words)
: "${top_srcdir:?run the tests with make check}"
if [ -z "${TEST_BOUNDED:-}" ] && command -v timeout >/dev/null; then # longer than other tests
	TEST_BOUNDED=1
	export TEST_BOUNDED
	exec timeout -k 10 $((${FUZZ_SECONDS:-200} + 1000)) sh "$0" "$@"
fi
# shellcheck source=tests/cli/lib.sh
. "$top_srcdir/tests/cli/lib.sh"
row_columns=all
need awk timeout
generator=$top_srcdir/tests/cli/random-options.awk
seed=${FUZZ_SEED:-1}
lines=${FUZZ_LINES:-120}
echo "FUZZ_SEED=$seed ${FUZZ_SECONDS:+FUZZ_SECONDS=$FUZZ_SECONDS}"
limit=120 # seconds for what takes about one on an idle machine

# --- available features

iosweep help engines | awk '
	/^[a-z]/ { name = $1; order[++n] = name; kind[name] = "sync" }
	/^ +asynchronous:/ { kind[name] = "async" }
	/^ +not usable here:/ || /^ +for targets / { kind[name] = "" }
	END { for (i = 1; i <= n; i++)
		if (order[i] != "null" && kind[order[i]] != "") print kind[order[i]], order[i] }' >"$work/engines"
sync_engines=$(awk '$1 == "sync" { print $2 }' "$work/engines" | tr '\n' ' ')
async_engines=$(awk '$1 == "async" { print $2 }' "$work/engines" | tr '\n' ' ')
[ -n "$sync_engines" ] || fail "no engines in help engines"

# Every option must be drawn, except those that end the program, need a device or are for one test.
iosweep --help all | sed -n 's/^  *\(-.,\)* *\(--[a-z][a-z0-9_.-]*\) .*/\2/p' >"$work/options"
[ "$(wc -l <"$work/options")" -ge 40 ] || fail "options in --help not found"
while read -r option; do
	case $option in
	--help | --version | --quick | --destroy-data | --dry-run | --run-name | --replace | --reuse) ;;
	--endpoint | --region | --profile | --anonymous | --insecure | --ca-file | --reconnect | --s3.* | --rados.* | --webhdfs.*) ;; # refused, since no target is of their kind
	*) grep -q -e "[\" ]$option\"" "$generator" || fail "$option is never drawn" ;;
	esac
done <"$work/options"

# Any awk must print the same line, and seeds must matter.
draw() {
	awk -v seed="$1" -v sync_engines="$sync_engines" -v async_engines="$async_engines" \
		-v memory="$memory" -f "$generator"
}
memory=
[ "$(draw 1)" = "$(draw 1)" ] || fail "a seed does not repeat"
[ "$(draw 1)" != "$(draw 2)" ] || fail "seeds are all the same"

# --- places: nothing may change in them, except with --keep and --overwrite

if [ -d /dev/shm ] && memory=$(mktemp -d /dev/shm/random-options.XXXXXX 2>/dev/null); then
	on_exit 'rm -rf "$memory"'
else
	memory=
fi
mkdir "$work/d1" "$work/d2" "$work/here" "$work/kept" "$work/o"
cd "$work/here" || exit 99
places="../d1 ../d2 . $memory" # no path that could contain a blank
for place in $places; do # users' files there are not touched, whatever their names
	echo "mine" >"$place/mine"
	mkdir "$place/iosweep.mine"
	echo "mine" >"$place/iosweep.mine/f0"
done
head -c 200000 /dev/urandom >"$work/plain"
head -c 262144 /dev/urandom >"$work/own"
run 0 --quiet --keep --tests read -n 1 -M 2 -l 128k --levels 2 --width 2 "$work/kept"

# things DIR: its contents, one per line
things() { (cd "$1" && find . -mindepth 1 | sort); }
things . >"$work/clean_place"
sums() { (cd "$work" && find kept plain -type f -exec cksum {} + | sort); }
sums >"$work/sums"

# --- one command

tell() {
	{
		echo "FUZZ_SEED=$step repeats it:"
		echo "(cd $work/here && iosweep $options)"
		echo "status $status, --dry-run $dry_status"
		for tell_file in "$work/dry" "$work/dry_err" "$work/o/rows"; do
			[ -s "$tell_file" ] && { echo "--- $(basename "$tell_file")"; head -40 "$tell_file"; }
		done
	} >&2
	fail "$@"
}

# unharmed WHAT: nothing is left, nothing is missing
unharmed() {
	for place in $places; do
		things "$place" | cmp -s - "$work/clean_place" ||
			tell "$1: changed in $place: $(things "$place" | diff "$work/clean_place" - | grep '^[<>]' | head -5)"
	done
}

# said FILE: lines of standard error are the program's, not a sanitizer's or libc's
said() {
	if grep -v -e '^iosweep: .' -e '^# .' -e '^#   .' "$1" >"$work/strange"; then
		tell "strange words: $(head -3 "$work/strange")"
	fi
	if grep -Ei 'sanitizer|runtime error|assert|==[0-9]+==' "$1" >"$work/strange"; then
		tell "strange words: $(head -3 "$work/strange")"
	fi
	errors=$(grep -c '^iosweep: ' "$1")
}

# rows FILE: rows of CSV that are consistent with themselves and with --dry-run
rows() {
	awk -F, -v dry="$dry_rows" -v complete="$1" '
		function refuse(why) { if (!bad) print "line " NR ": " why ": " $0; bad = 1 }
		function close_to(a, b) { return a - b <= 1e-6 * b && b - a <= 1e-6 * b }
		BEGIN { dry_count = split(dry, want, "\n") }
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; fields = NF; next }
		{
			operations = $at["operations"]; notes = ";" $at["notes"] ";"
			if (NF != fields) refuse(NF " fields, not " fields)
			if ($at["test"] " " $at["engine"] " " $at["cache"] " " $at["threads"] " " $at["depth"] != want[NR - 1])
				refuse("not the row of --dry-run, which is " want[NR - 1])
			if (notes ~ /;incomplete;/ && complete) refuse("incomplete, but the status is 0")
			if (notes ~ /;wrong_data;/ || $at["errors_wrong"] > 0) refuse("wrong data")
			if ($at["errors"] > 0 && complete) refuse("failed operations, but the status is 0")
			if (notes ~ /;skipped:/ && operations != 0) refuse("skipped with operations")
			if (notes !~ /;(skipped:[a-z_]*|incomplete);/ && $at["mix"] == "" && operations + $at["errors"] == 0) refuse("nothing done")
			if (operations > 0) {
				time = $at["time_s"]
				if (!(time > 0)) refuse("no time")
				bytes = $at["test"] ~ /^(write|read|create|copy|append|fill)$/ ? $at["size_bytes"] * operations : 0
				if ((bytes > 0) != ($at["throughput_bytes_per_s"] != "")) refuse("throughput of no data")
				if (!close_to($at["throughput_bytes_per_s"] * time, bytes) ||
				    !close_to($at["rate_per_s"] * time, operations)) refuse("figures do not agree")
				if ($at["latency_ns_min"] + 0 > $at["latency_ns_max"] + 0) refuse("latencies")
				for (i = 1; i <= 4; i++) {
					p = $at["latency_ns_" substr("p50 p90 p99 p999", 4 * i - 3, i < 4 ? 3 : 4)]
					if (p != "" && (p + 0 < $at["latency_ns_min"] + 0 || p + 0 > $at["latency_ns_max"] + 0))
						refuse("percentile beyond what was seen")
				}
			}
			split("resident_fraction submit_fraction cpu_helper_fraction resident_fraction_before" \
				" cache_hit_fraction", name, " ")
			for (i = 1; i <= 5; i++)
				if ($at[name[i]] != "" && ($at[name[i]] < 0 || $at[name[i]] > 1.001)) refuse(name[i])
		}
		END { if (!bad && NR - 1 != dry_count) { print NR - 1 " rows, --dry-run has " dry_count; bad = 1 }
			exit bad }' "$results" >"$work/why" || tell "rows: $(head -1 "$work/why")"
}

# Results with status 0 or 1, if the format can be checked.
check_results() {
	results=$work/out
	if [ $output = 1 ]; then
		results=$work/o/rows
		[ ! -s "$work/out" ] || tell "--output, but results on standard output"
	fi
	[ -s "$results" ] || tell "no results"
	[ $series = 0 ] || [ "$(grep -c '^"*[0-9]' "$work/o/series")" -gt 0 ] || tell "--series has left nothing"
	case $format-$fields in
	csv-all)
		rows $((status == 0))
		if [ $status = 0 ] && [ -n "$blocks" ]; then
			why=$(awk -v sizes="$sizes" -v tests="$blocks" -f "$top_srcdir/tests/cli/check-rows.awk" \
				<"$results") || tell "rows: $why"
		fi
		;;
	json-*)
		if command -v python3 >/dev/null; then
			python3 -m json.tool "$results" >/dev/null 2>"$work/why" || tell "not JSON: $(tail -1 "$work/why")"
			agrees "$results" || tell "not as its schema says: $why"
		fi
		;;
	esac
	case $format in
	csv) [ "$(grep -c size_bytes "$results")" -le 1 ] || tell "more than one header" ;;
	classic) grep -q '^Done with ' "$results" || [ $status != 0 ] || tell "the output has no end" ;;
	esac
	if grep -Eiq '(^|[,;: ])-?(nan|inf)([,; }]|$)' "$results"; then
		tell "not a number"
	fi
}

once() {
	keeps=0 quiet=0 output=0 series=0 format='' fields='' options='' nonsense=0 directories='' sizes=''
	blocks='' signal=0 fails=0 status=none dry_status=none
	draw "$step" >"$work/drawn" || tell "random-options.awk"
	while read -r name value; do
		case $name in
		options | directories | sizes | blocks | keeps | quiet | output | series | format | fields | nonsense | signal | fails)
			eval "$name=\$value"
			;;
		*) tell "random-options.awk: $name" ;;
		esac
	done <"$work/drawn"
	rm -f "$work/o/rows" "$work/o/series"
	old=0
	if [ $((step % 3)) = 0 ]; then # of an earlier run
		old=1
		case $format in
		table) echo ' size  operations  old' ;;
		csv) echo size_bytes,operations,time_s,throughput_bytes_per_s,rate_per_s ;;
		json) printf '[\n{"record":"head","document":"iosweep results","old"' ;;
		classic) echo 'IO profile test parameters' ;;
		esac >"$work/o/rows"
		echo ended_s,interval_s,old >"$work/o/series"
		cp "$work/o/rows" "$work/o/series" "$work/"
	fi
	: >"$work/out"
	: >"$work/err"
	eval "set -- $options"

	timeout --foreground -k 5 $limit ${IOSWEEP_RUN:-} "$IOSWEEP" --dry-run "$@" >"$work/dry" \
		2>"$work/dry_err" </dev/null
	dry_status=$?
	case $dry_status in
	0 | 2 | 3) ;;
	*) tell "--dry-run: status" ;;
	esac
	said "$work/dry_err"
	[ $dry_status = 0 ] || [ "$errors" = 1 ] || tell "--dry-run: not one line that tells why"
	[ $dry_status = 0 ] || [ ! -s "$work/dry" ] || tell "--dry-run: a plan in spite of the refusal"
	[ $dry_status != 0 ] || [ -s "$work/dry" ] || tell "--dry-run: no plan"
	unharmed "--dry-run"
	dry_rows=$(sed -n 's/^row [0-9]*: \([a-z-]*\) \([a-z_]*\) \([a-z]*\) threads=\([0-9]*\) depth=\([0-9]*\) .*/\1 \2 \3 \4 \5/p' \
		"$work/dry")

	if [ "$signal" = 0 ]; then
		timeout --foreground -k 5 $limit ${IOSWEEP_RUN:-} "$IOSWEEP" "$@" >"$work/out" 2>"$work/err" </dev/null
		status=$?
	else
		timeout --foreground --preserve-status -k $limit -s TERM "$signal" \
			${IOSWEEP_RUN:-} "$IOSWEEP" "$@" >"$work/out" 2>"$work/err" </dev/null
		status=$?
	fi
	case $status-$signal in
	[0123]-*) ;;
	143-0) tell "status" ;;
	143-*) ;;
	*) tell "status" ;;
	esac
	said "$work/err"
	[ $quiet = 0 ] || ! grep -q '^#' "$work/err" || tell "--quiet, but facts on standard error"
	[ $nonsense = 0 ] || [ $status = 2 ] || [ $status = 143 ] || tell "nonsense was taken"

	# Refused: reported once, nothing was done.
	case $status-$fails in
	3-1) # the objects of the first test could not be made: rows without figures
		[ "$errors" -ge 1 ] || tell "status $status without a reason"
		;;
	2-* | 3-*)
		[ "$errors" = 1 ] || tell "not one line that tells why"
		[ ! -s "$work/out" ] || tell "results in spite of the refusal"
		for file in rows series; do
			if [ $old = 1 ]; then
				cmp -s "$work/$file" "$work/o/$file" || tell "refused, but $file of an earlier run is gone"
			else
				[ ! -e "$work/o/$file" ] || tell "refused, but $file was made"
			fi
		done
		;;
	1-*) [ "$errors" -ge 1 ] || tell "status $status without a reason" ;;
	143-*) # or told to end before it could handle the signal
		[ "$errors" -ge 1 ] || [ ! -s "$work/err" ] || tell "status $status without a reason"
		;;
	esac
	# What the plan accepts is executed, and what it refuses is refused, except for errors that only
	# creating the files, or opening the outputs, reveals.
	case $dry_status-$status in
	2-[013] | 3-[012]) tell "--dry-run disagrees" ;;
	0-2) [ $nonsense = 1 ] || tell "--dry-run disagrees" ;;
	esac
	case $status in 0 | 1) check_results ;; esac
	[ ! -e "$work/o/rows.part" ] || tell "results that have not got their name"

	if [ $keeps = 1 ] && [ $status -lt 2 ]; then
		for directory in $directories; do
			[ "$(find "$directory" -mindepth 2 -maxdepth 2 -path '*/iosweep-????????*/MANIFEST-1' | wc -l)" = 1 ] ||
				tell "--keep: not one set of files in $directory"
		done
	fi
	if [ $keeps = 1 ] && [ -n "$directories" ]; then
		iosweep clean --all $directories >"$work/clean_out" 2>"$work/clean_err" || tell "clean: $(cat "$work/clean_err")"
		said "$work/clean_err"
	fi
	unharmed "status $status"
	sums | cmp -s - "$work/sums" || tell "files that are only read have changed"
	[ "$(wc -c <"$work/own")" = 262144 ] || tell "the length of an overwritten file has changed"
	eval "count_$status=\$((\${count_$status:-0} + 1))"
}

end=$(($(date +%s) + ${FUZZ_SECONDS:-0}))
step=$seed
while if [ -n "${FUZZ_SECONDS:-}" ]; then [ "$(date +%s)" -lt $end ]; else [ $step -lt $((seed + lines)) ]; fi; do
	once
	step=$((step + 1))
done
echo "$((step - seed)) command lines; status 0: ${count_0:-0}, 1: ${count_1:-0}, 2: ${count_2:-0}," \
	"3: ${count_3:-0}, 143: ${count_143:-0}"
# Most lines must be valid, or nothing would be tested.
[ $((step - seed)) -lt 100 ] || [ $((2 * (${count_0:-0} + ${count_1:-0}))) -gt $((step - seed)) ] ||
	fail "too few of them were carried out"
