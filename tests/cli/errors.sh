#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# What goes wrong is counted, told once and shows in the exit status: operations that fail on
# schedule are in the column errors and in no other figure; --max-errors ends the run after exactly
# so many; tests/golden/errors.t has a word that each option refuses; and files that vanish in the
# middle of a run cost their operations, not the results.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

mkdir "$work/dir"
cd "$work/dir" || exit 99

columns='--columns size_bytes,operations,errors,short_operations,notes'

# failing STATUS ARGS...: null operations that fail, on 100 operations in one round per row
failing() {
	failing_status=$1
	shift
	# shellcheck disable=SC2086
	run "$failing_status" --quiet null: --tests read -n 100 --rounds 1 $columns "$@"
}
# results EXPECTED...: the rows without notes, one word each
results() {
	results_got=$(tail -n +2 "$work/out" | cut -d, -f1-4 | tr '\n' ' ')
	[ "$results_got" = "$* " ] || fail "rows are '$results_got', not '$*'"
}

# --- each tenth fails: 10 of 100, and only the 90 others are in the row
failing 1 --null.error-every 10 -M 4 --max-errors 0
results 2,90,10,0 4,90,10,0
one_line "$work/err"
grep -q '^iosweep: 20 operations failed; the first: cannot read null: at offset [0-9]*: ' \
	"$work/err" || fail "failures not told"
! grep -q incomplete "$work/out" || fail "complete rows are called incomplete"
failing 1 --null.error-every 100 -M 2
results 2,99,1,0
grep -q '^iosweep: 1 operation failed; ' "$work/err" || fail "one failure not told"
failing 1 --null.error-every 1 -M 2 --max-errors 0
results 2,0,100,0
grep -q '^2,0,100,' "$work/out" || fail "a row without operations"
failing 0 --null.error-every 101 -M 2
results 2,100,0,0
[ ! -s "$work/err" ] || fail "something on standard error without a failure"

# --- operations are those that worked, 5 of 10 in each round, and the rate is by all the time that has
# passed: in the best round, too, each of them took the time of one that failed besides its own
run 1 --quiet null: --tests read -n 110 --rounds 11 -M 2 --null.error-every 2 --null.delay 200us
awk -v sizes=2 -v tests=read -v ops=55 -f "$top_srcdir/tests/cli/check-rows.awk" <"$work/out" >&2 ||
	fail "figures of a row with failures do not agree"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
	$column["op_ns_best"] >= 400000 && $column["failed_s"] >= 0.011 &&
	$column["elapsed_s"] >= $column["failed_s"] + 0.011 { found = 1 }
	END { exit !found }' "$work/out" ||
	fail "time of failed operations is not in the row"

# --- a limit: exactly so many in all, what was done is printed, the rest is incomplete
failing 1 --null.error-every 10 -M 8 --max-errors 3
[ "$(awk -F, 'NR > 1 { n += $3 } END { print n }' "$work/out")" = 3 ] || fail "not 3 errors"
[ "$(tail -n +2 "$work/out" | wc -l)" -eq 3 ] || fail "rows are missing"
[ "$(grep -c incomplete "$work/out")" -eq 3 ] || fail "cut rows are not called incomplete"
grep -q '^iosweep: 3 operations failed; ' "$work/err" || fail "failures not told"
grep -q -e '--max-errors' "$work/err" || fail "the reason for the end is not told"
failing 1 --null.error-every 1 -M 2 -n 1000
results 2,0,100,0
# a row that was finished before stays as it is
failing 1 --null.error-every 60 -M 2 --tests write,read --max-errors 2
results 2,99,1,0 2,59,1,0
[ "$(grep -c incomplete "$work/out")" -eq 1 ] || fail "a finished row is called incomplete"
# threads share the limit
failing 1 --null.error-every 5 -M 2 --threads 4 --max-errors 3
errors=$(awk -F, 'NR > 1 { n += $3 } END { print n }' "$work/out")
if [ "$errors" -lt 3 ] || [ "$errors" -gt 6 ]; then # each of the 4 may be in one already
	fail "4 threads: $errors errors for a limit of 3"
fi

# --- more than one call can move, and nothing that says in which pieces
run 2 -M 2G .
one_line "$work/err"
grep -q 'I/O size is too large: 2 GiB; .*--buffer' "$work/err" || fail "-M 2G: another reason"
nothing_left .

# --- every option that takes a word refuses one in a transcript, but for those that take any text
iosweep --help all | sed -n 's/^  *\(-.,\)* *\(--[a-z0-9._-]*\) [A-Z].*/\2/p' >"$work/options"
[ "$(wc -l <"$work/options")" -ge 25 ] || fail "options in --help not found"
while read -r option; do
	case $option in
	--label) continue ;;
	--io_uring.*) # of an optional engine
		run 2 "$option" often --engine io_uring .
		one_line "$work/err"
		continue
		;;
	esac
	short=$(iosweep --help all | sed -n "s/^  \\(-[a-zA-Z]\\), $option .*/\\1/p")
	grep -q -e "^\$ iosweep $option " ${short:+-e "^\$ iosweep $short "} "$top_srcdir/tests/golden/errors.t" ||
		fail "$option has no word that is refused in tests/golden/errors.t"
done <"$work/options"

# --- a missing word, words too many, and what does not go together
for arguments in --sizes -m '--quiet=yes' '-r -s .' '-r --tests write .' '--quiet --verbose' '--per-thread' '--per-thread --time 1s' \
	'--engine posix,posix' '--cache direct,direct' '--threads 1,1' \
	'--sizes 4k,4096' '--depth 1..8,4' \
	'--engine stdio -b' '--engine stdio --sync data' '--engine stdio --cache direct' \
	'--tests write --max-objects 3 .' '--tests stat,delete --max-objects 3 mem:' \
	'--tests write --readahead none .' '--readahead none -b .' '--tests list,create --access once .' \
	'--tests fill --access random .' '--tests stat,list --verify .' '--tests create,list --keep-open .' \
	'--tests read:n=5:n=6 .' '--tests read:1s:n=2:2s .' '--tests read:errors=1:errors=2 .' '--max-errors 1,2% --max-errors 3,4 .' \
	'--max-errors 1/step,2,3/step .' '--max-errors 1%,2% .' '--run-name= .' \
	'--tests write --fragment-size 4k .' \
	'--null.delay 1us --engine posix .' '--engine posix null:' clean \
	'--format classic --threads 1,2' '--ma 4'; do
	# shellcheck disable=SC2086
	run 2 $arguments
	one_line "$work/err"
	[ ! -s "$work/out" ] || fail "$arguments: results"
	nothing_left .
done

# each of them said why, and what else there is
run 2 --tests nonsense .
grep -q 'choose from write, .*omap-read' "$work/err" || fail "tests are not offered"

# --- an option that one of several sets of axes takes is no mistake
printf '%s\n' '--sizes 4k -n 2 --levels 1 --width 2 -l 64k' '--tests write' '--tests read,create' >lines
for arguments in '--readahead none' '--access once' '--max-objects 3' '--per-thread'; do
	# shellcheck disable=SC2086
	run 0 --quiet @./lines $arguments .
done
rm lines

# --- counts that no number holds: the forecast keeps the largest
run 0 --dry-run --tests read --sizes 4k --loops 10000 -n 281474976710656 --per-thread --threads 8 mem:
awk '/at most [0-9]+ requests/ { sub(/.*at most /, ""); exit !($1 > 1.8e19) }' "$work/err" || fail "the forecast went round"
grep -q '^operations: 2251799813685248 per row, 18446744073709551615 in all$' "$work/out" || fail "the sum went round"

# --- files vanish in the middle of a run
run 0 --quiet --keep --levels 1 --width 4 -l 64k --tests read -n 1 -M 2 .
# vanish SECONDS: while two rows of so many are measured, the files are put away and back after the run
vanish() {
	: >"$work/err"
	iosweep -r --time "$1s" --max-errors 0 --sizes 512,4k . >"$work/out" 2>"$work/err" &
	child=$!
	soon "the run does not begin" grep -q '^# stop: ' "$work/err" # measuring begins now
	sleep 0.5
	mkdir "$work/away" && mv iosweep-*/f[0-3] "$work/away" || fail "mv"
	wait $child
	status=$?
}
# Where rows have nothing from before or after that moment, the machine was too busy: more time.
for seconds in 1 4 16 32; do
	vanish $seconds
	! awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "errors") column = i; next }
		$2 < 1 || $column < 1 { bad = 1 } END { exit bad }' "$work/out" || break
	mv "$work/away"/f[0-3] iosweep-*/ && rmdir "$work/away" || fail "mv"
done
[ $status = 1 ] || fail "files vanished: status $status, not 1"
[ "$(wc -l <"$work/out")" -eq 3 ] || fail "files vanished: not two rows"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "errors") column = i; next }
	$2 < 1 || $column < 1 { bad = 1 } END { exit bad || NR != 3 }' "$work/out" ||
	fail "files vanished: rows without operations or without errors"
[ "$(grep -c '^iosweep: ' "$work/err")" -eq 1 ] || fail "files vanished: not one line"
grep -Eq '^iosweep: [0-9]+ operations failed; the first: cannot open .*f[0-3]: No such file' \
	"$work/err" || fail "files vanished: reason not told"
run 0 clean --quiet .
nothing_left .

# --- help on what there is no help on
for word in nonsense --nonsense; do
	run 2 help $word
	one_line "$work/err"
	grep -q "no help on $word; iosweep --help shows the topics" "$work/err" || fail "help $word: another answer"
	[ ! -s "$work/out" ] || fail "help $word: something on standard output"
done
run 2 --help sweeep
grep -q 'no help on sweeep; did you mean iosweep help sweep$' "$work/err" || fail "--help sweeep: no hint"
run 0 help iodepth
grep -q '^      --depth ' "$work/out" || fail "help iodepth does not show --depth"
run 0 help tolerance
grep -q '^Option of iosweep compare:$' "$work/out" || fail "help tolerance is not about compare"
run 0 help separat # a part of words
grep -q '^      --separator ' "$work/out" || fail "help separat does not find --separator"
for words in '--help .' '. --help' '--help ./' '--help -m 4k'; do # a sweep, and --help added
	# shellcheck disable=SC2086
	run 0 $words
	grep -q '^Usage: iosweep \[OPTION\]' "$work/out" || fail "$words: no usage"
	nothing_left .
done

# --- a password that was typed where none belongs is not repeated
for target in S3://key:hunter2@b http://key:hunter2@host/b; do
	run 2 "$target"
	one_line "$work/err"
	! grep -q hunter2 "$work/err" || fail "$target: the password is shown"
done

# --- what was meant by a name that is nearly there, by results as a target, and by durations
mkdir -p place/data
for rows in dta:data ./dta:./data; do
	(cd place && run 3 "${rows%:*}/x") || exit 1
	grep -q "did you mean ${rows#*:}/x\$" "$work/err" || fail "${rows%:*}/x: no hint"
done
run 3 place/data/no/x
grep -q 'there is no place/data/no either: create the directory first$' "$work/err" || fail "a directory above is missing"
printf 'a\n' >place/file
run 3 place/file/x
grep -q 'a part of its path is a file$' "$work/err" || fail "a file above is not told"
rm -r place
for format in csv json; do
	run 0 --quiet --format $format -o results --tests read --sizes 4k -n 4 null:
	run 2 results
	one_line "$work/err"
	grep -q 'holds results of iosweep: results; did you mean iosweep plot' "$work/err" || fail "$format: results are a target"
	run 0 --quiet -r --sizes 4 -n 4 results # that is meant
	[ $format = csv ] && run 0 report -o page.html results
	rm results
done
run 2 page.html
one_line "$work/err"
grep -q 'holds results of iosweep: page.html; ' "$work/err" || fail "a report is a target"
rm page.html

# --- files that are no results, and too few or too many of them
mkdir empty fit
: >nothing
printf 'x\000y\n' >binary
printf 'a,b\n1,2\n' >other
while IFS='|' read -r words said; do
	# shellcheck disable=SC2086
	run 2 $words
	one_line "$work/err"
	grep -q "^iosweep: $said" "$work/err" || fail "$words: another answer: $(cat "$work/err")"
	[ ! -s "$work/out" ] && [ ! -e new ] || fail "$words: output of what is refused"
done <<-'END'
	compare|compare needs two files of results, an old and a new one; iosweep compare OLD NEW
	compare nothing|compare needs two files
	fit|fit needs a file of results; iosweep fit FILE.*, or iosweep ./fit to measure
	clean|clean needs the target of the run; iosweep clean TARGET...$
	fit absent|cannot read absent: it does not exist; name a file of results
	fit empty|cannot read empty: it is a directory; name a file of results
	compare nothing absent|nothing to read in nothing; it holds no results
	plot binary|binary data, not text, at binary:1; name a result of iosweep
	merge -o new other nothing|not an iosweep result: other:1; expected
	report -o new.html empty|cannot read empty: it is a directory; name a file of results
	report -o new.html nothing|nothing to read in nothing; it holds no results
END
run 3 clean absent
grep -q '^iosweep: cannot clean absent: it does not exist; name the directory' "$work/err" || fail "clean absent"
run 0 help ''
rm -r empty fit nothing binary other

mkdir empty
IOSWEEP_PRESETS=$PWD/empty run 2 @nosuch null:
grep -q 'iosweep --list-presets lists' "$work/err" || fail "@nosuch: another answer"
rmdir empty
IOSWEEP_PRESETS=./empty run 2 @database null:
one_line "$work/err"
grep -q "presets should be in [.]/empty, which cannot be read; IOSWEEP_PRESETS" "$work/err" || fail "no directory of presets: another answer"
for words in '--time 5sec' '--time 0.5min' '--max-time 1h30m'; do
	# shellcheck disable=SC2086
	run 0 --dry-run $words --tests read --sizes 4k null:
done
run 0 --dry-run --time '10 s' --tests read --sizes 4k null:
grep -q '^time: 10 s per row' "$work/out" || fail "10 s are others: $(grep '^time:' "$work/out")"
run 0 --dry-run --time 1h30m --tests read --sizes 4k null:
grep -q '^time: 1 h 30 min per row' "$work/out" || fail "1h30m are others: $(grep '^time:' "$work/out")"
printf 'size_bytes,rate_per_s\n1,4\n' >curve.csv
for words in 'fit curve.cvs' 'compare curve.csv crve.csv' 'plot ./curve.cs' 'merge curve.csv curve.cv'; do
	# shellcheck disable=SC2086
	run 2 $words
	one_line "$work/err"
	grep -q 'did you mean \(./\)\{0,1\}curve.csv$' "$work/err" || fail "$words: no hint"
done
rm curve.csv
run 3 clean s3:
grep -q 'did you mean s3://BUCKET' "$work/err" || fail "clean s3:: no hint"
# what is an option elsewhere, what takes no value, what lacks one, and other marks than commas
while IFS='|' read -r words answer; do
	# shellcheck disable=SC2086
	run 2 $words
	one_line "$work/err"
	grep -q -e "$answer\$" "$work/err" || fail "$words: another answer"
done <<-END
	--tolerance 5%|--tolerance; it is an option of iosweep compare
	fit --sizes 4k x|--sizes; it is an option of iosweep [[]TARGET]
	clean --bs=4k .|--bs=4k; iosweep clean --help lists all options
	--verify=yes .|takes no value: --verify=yes; leave out what stands behind --verify
	--depth|needs an argument: --depth; --depth LIST: operations in flight .*
	-o|needs an argument: -o; -o FILE: .*
	--tests write;read .|did you mean write,read
	--cache cached+direct .|did you mean cached,direct; choose from .*
	--mix 70/30 .|did you mean 70; give .*
	--mix 70:30 .|did you mean 70; give .*
	--rate 10/s .|did you mean 10
	--rounds 5..10 .|write --rounds MIN,MAX
	--sizes 1.5M .|did you mean 1536k; .*
	--sizes 4k...1M .|not a range: 4k...1M; .*
	--precision 2,5% .|did you mean 2.5%
	-c 10 .|unknown option: -c; here it is --repetitions (-n)
	--preset quick .|here it is @NAME, such as @quick; --list-presets shows which
	-D .|unknown option: -D; here it is --cache direct (-b)
	--thr.ads 4 .|did you mean --threads
	--list .|did you mean --list-engines, --list-columns, --list-presets
	--secret x s3://data|AWS_SECRET_ACCESS_KEY in the environment, or --s3.profile
	-o . null:|results to .: Is a directory; name a file in it
	-o no/such null:|No such file or directory; the directory for it does not exist
END
run 2 --secret-key=topsecret .
grep -q 'unknown option: --secret-key; ' "$work/err" || fail "--secret-key: another answer"
! grep -q topsecret "$work/err" || fail "a secret is shown"

run 2 --depth 4 .
grep -q 'one operation at a time: posix, --depth 4; ' "$work/err" || fail "--depth: another answer"
! grep -qw -e s3 -e mem "$work/err" || fail "--depth: engines of other targets are named"

# --- the columns that people read
run 0 --quiet --columns short,depth --tests read --sizes 4k -n 4 null:
[ "$(head -n 1 "$work/out")" = size_bytes,test,cache,throughput_bytes_per_s,rate_per_s,op_ns_median,latency_ns_p50,latency_ns_p99,errors,notes,depth ] ||
	fail "--columns short,depth: $(head -n 1 "$work/out")"
run 0 --quiet --format json --columns short --tests read --sizes 4k -n 4 null:
! grep -q open_ns_mean "$work/out" || fail "--columns short in JSON shows more"

# --- a command that is not the first word is not swept
for word in compare fit help merge plot clean; do
	run 2 --dry-run null: $word
	one_line "$work/err"
	grep -q "cannot use $word: it does not exist; a command comes first: iosweep $word" "$work/err" ||
		fail "$word: no advice"
done
run 2 --quiet fit a.csv
one_line "$work/err"
grep -q 'iosweep fit' "$work/err" || fail "--quiet fit: no advice"
mkdir fit
run 0 --quiet --dry-run fit
rmdir fit
