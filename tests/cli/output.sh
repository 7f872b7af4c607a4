#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Output: standard output contains only data; columns, separators, decimal mark and label of the
# CSV; overwriting files; the JSON document agrees with the rows; a reader that goes away ends the run
# cleanly; --dry-run touches nothing.  (A full disk: enospc.sh.)
# shellcheck disable=SC2086 # lists of words
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all

mkdir "$work/dir"
cd "$work/dir" || exit 99
here=$work/results
mkdir "$here"

# A short sweep of 16 + 16 rows.
small='-l 64k --width 2 -n 12'

# sweep STATUS ARGS: the same
sweep() {
	sweep_status=$1
	shift
	run "$sweep_status" $small "$@"
	nothing_left .
}
lines() {
	[ "$(wc -l <"$1")" -eq "$2" ] || fail "$(wc -l <"$1") lines, not $2: $3"
}

# --- standard output is data, standard error the rest
sweep 0
lines "$work/out" 17 'CSV'
awk -F, 'NR == 1 { n = NF; next } NF != n || !/^[0-9]+,[0-9]+,/ { exit 1 }' "$work/out" ||
	fail "more than rows on standard output"
grep -q '^# ' "$work/err" || fail "no facts on standard error"
# facts about machine and storage before anything is created, use of processors afterwards; below a
# root that is no mount point, as in a chroot, facts about the storage may be unknown
known=0
! storage_known || known=1
counted=0
[ ! -r /proc/stat ] || counted=1
run 0 -l 64k --width 2 --sizes 4k --time 100ms --verbose # a shorter time may not suffice for processor shares
nothing_left .
awk -v known=$known -v counted=$counted '/^# host: / { host = NR } /^# storage of [.]: / { storage = NR } /^# ready: / { ready = NR }
	/^# clock: / { clock = NR } /^# processors: iosweep used [0-9]+ %, other programs [0-9]+ %/ { load = NR }
	END {
		if (!storage && !known)
			storage = host + 0.5
		if (!load && !counted)
			load = clock + 0.5
		exit !(host && host < storage && storage < ready && ready < clock && clock < load)
	}' \
	"$work/err" || fail "facts are missing, too long or in another order"
sweep 0 --quiet
lines "$work/out" 17 '--quiet'
[ ! -s "$work/err" ] || fail "--quiet, yet something on standard error"
sweep 0 --verbose
lines "$work/out" 17 '--verbose'

# --- columns
sweep 0 --columns rate_per_s,test,size_bytes
[ "$(head -1 "$work/out")" = rate_per_s,test,size_bytes ] || fail "--columns: other header"
tail -1 "$work/out" | grep -Eqx '[0-9]+[.][0-9]{6},read,65536' || fail "--columns: other record"
for columns in '' size_bytes,,test; do
	refuses 2 '' --columns "$columns"
done

# --- German
for marks in '--separator ; --decimal ,' '--decimal ,'; do
	sweep 0 $marks --columns size_bytes,operations,time_s,rate_per_s,test
	[ "$(head -1 "$work/out")" = 'size_bytes;operations;time_s;rate_per_s;test' ] ||
		fail "$marks: other header"
	[ "$(grep -Ecx '[0-9]+;12;[0-9]+,[0-9]{9};[0-9]+,[0-9]{6};(write|read)' "$work/out")" -eq 16 ] ||
		fail "$marks: other records"
done
for marks in '--separator , --decimal ,' '--separator ; --decimal ;' '--separator 1' '--decimal -'; do
	refuses 2 '' $marks
done

# --- a label is one field, whatever it is made of
sweep 0 --label 'a "quoted", label' --columns size_bytes,label -M 2
printf 'size_bytes,label\n2,"a ""quoted"", label"\n2,"a ""quoted"", label"\n' |
	cmp -s - "$work/out" || fail "--label: not quoted as RFC 4180 says"

# --- -o: the data are in the file, not on standard output; a shorter second run leaves no rest
sweep 0 -o "$here/rows.csv"
[ ! -s "$work/out" ] || fail "-o: standard output is not empty"
lines "$here/rows.csv" 17 '-o'
sweep 0 -o "$here/rows.csv" --tests read -M 4
lines "$here/rows.csv" 3 '-o again'
sweep 0 -o "$here/rows.json"
sweep 0 -o "$here/rows.json" --tests read -M 4
[ "$(grep -c '"record":"row"' "$here/rows.json")" = 2 ] && [ "$(tail -n 1 "$here/rows.json")" = ']' ] ||
	fail "-o again: not the JSON of the second run alone"
rm "$here/rows.json"
awk -v sizes='2 4' -v tests=read -v ops=12 -f "$top_srcdir/tests/cli/check-rows.awk" \
	<"$here/rows.csv" || fail "-o again: not the rows of the second run"
for _ in 1 2; do # different columns are no reason to refuse
	sweep 0 -o "$here/rows.csv" --tests read -M 4 --columns test,size_bytes,latency_ns_p99
done
run 3 --quiet -o "$here/new.csv" --series "$here/new.series" missing
for file in new.csv new.series; do
	[ ! -e "$here/$file" ] || fail "$file is left, and empty"
done

# --- never over the data to be measured
printf 'data of a user, long enough to be read' >"$here/data"
ln "$here/data" "$here/same"
ln -s data "$here/link"
before=$(stat -c '%s %y %z' "$here/data")
for option in -o --series; do
	for name in data same link; do
		refuses 2 '' -r -n 4 -M 4 $option "$here/$name" "$here/data"
	done
done
[ "$(stat -c '%s %y %z' "$here/data")" = "$before" ] || fail "results went over the target"

# --- nor over a file that no run has written in the same format
printf 'SQLite format 3\0 of a user' >"$here/image"
echo 'size_bytes,salary' >"$here/table"
classic=size_bytes,operations,time_s,throughput_bytes_per_s,rate_per_s
echo test,target,engine,label,notes,errors,size_bytes,operations,time_s >"$here/ours" # all columns by chance
echo $classic,salary >"$here/more"
iosweep --quiet -n 4 --sizes 4k -o "$here/rows.json" null: || exit 1
for file in image table rows.json ours more; do
	cp "$here/$file" "$here/copy"
	for option in '--format csv -o' --series; do
		refuses 2 '' --quiet -n 4 --sizes 4k $option "$here/$file" null:
		cmp -s "$here/$file" "$here/copy" || fail "results went over $file"
	done
done
# ... but over such a file, and over an empty one
for format in table csv json classic; do
	: >"$here/of-a-run"
	for _ in first second; do
		run 0 --quiet -n 4 --sizes 4k --format $format -o "$here/of-a-run" --series "$here/series" null:
	done
	[ -s "$here/of-a-run" ] || fail "$format: nothing was written"
done
rm "$here/of-a-run" "$here/series" "$here/copy"

# --- the file name's suffix selects the format
for name in a.json b.csv c; do
	run 0 --quiet -n 4 --sizes 4k -o "$here/$name" null:
done
head -n 1 "$here/a.json" | grep -qx '\[' || fail "a.json is no JSON"
for name in b.csv c; do
	grep -q '^size_bytes,' "$here/$name" || fail "$name is no CSV"
done

# --- results of an earlier run are kept until the new run is certain to start
echo $classic >"$here/keep.csv" # left by an interrupted run
refused() { # STATUS ARGS...
	refused_status=$1
	shift
	run $refused_status --quiet --format csv -o "$here/keep.csv" "$@"
	one_line "$work/err"
	[ "$(cat "$here/keep.csv")" = $classic ] || fail "emptied by a refused run: $*"
	nothing_left .
}
refused 3 missing
refused 2 --columns nothing .
refused 2 --series "$here/keep.csv" .
refused 2 --overwrite .
refused 3 . missing
refused 2 . missing .
refused 2 --dry-run null: null:
mkdir "$here/tree"
head -c 70000 /dev/zero >"$here/tree/file"
for option in -o --series; do
	run 2 --quiet -r $option "$here/tree/file" "$here/tree"
	[ "$(wc -c <"$here/tree/file")" -eq 70000 ] || fail "$option emptied a file to be measured"
done
run 2 --quiet --format csv -o "$here/keep.csv" --series "$here/tree/file" -r "$here/tree"
[ "$(cat "$here/keep.csv")" = $classic ] || fail "-o emptied although --series was refused"
run 2 --quiet -o "$here/new.csv" "$here/new.csv"
[ ! -e "$here/new.csv" ] || fail "a refused run left an empty file"

# --- JSON
if command -v python3 >/dev/null; then
	sweep 0 --format json -o "$here/run.json" --label 'a "quoted" \ label'
	python3 -m json.tool "$here/run.json" >/dev/null || fail "not JSON"
	sed -n 's/^# finding: //p; s/^# verdict: //p' "$work/err" >"$here/findings"
	python3 - "$here/run.json" "$here/findings" <<-'END' || fail "JSON: see above"
	import records, sys
	run = records.load(sys.argv[1])
	assert run["finding"] == open(sys.argv[2]).read().splitlines() != [], run["finding"]
	command = run["head"]["command"]
	assert command.startswith("iosweep ") and command.endswith("'a \"quoted\" \\ label'")
	rows = run["row"]
	assert len(rows) == 16, len(rows)
	sizes = [512 << i for i in range(8)]
	assert [row["size_bytes"] for row in rows] == sizes + sizes
	texts = {"test", "target", "engine", "cache", "notes", "label", "stop", "access", "readahead", "record"}
	lists = {"round_ns", "reference_round_ns", "thread_results",
	         "latency_histogram", "open_histogram", "close_histogram"}
	for row in rows:
	    for name, value in row.items():
	        if name in texts:
	            assert isinstance(value, str) or (value is None and name == "readahead"), (name, value)
	        elif name in lists:
	            assert isinstance(value, list) and value, (name, value)
	        elif name == "rpc":
	            assert value is None or isinstance(value, dict), value
	        else:
	            assert value is None or type(value) in (int, float), (name, value)
	    for histogram in "latency", "open", "close":
	        assert row["operations"] == 12 == sum(count for low, count in row[histogram + "_histogram"])
	    assert row["operations"] == sum(thread["operations"] for thread in row["thread_results"])
	    assert row["rounds"] == len(row["round_ns"]) == len(row["reference_round_ns"])
	    assert row["label"] == 'a "quoted" \\ label'
	    rate = row["operations"] / row["time_s"]
	    assert abs(row["rate_per_s"] - rate) < 1e-6 * rate
	assert run["head"]["settings"]["repetitions"] == 12
	END
	run 0 --quiet --format json -n 4 -M 2 --null.delay 5us null:
	python3 -c 'import records, sys
settings = records.load(sys.argv[1])["head"]["settings"]
assert settings["engines"] == ["null"], settings
assert settings["engine_options"]["null.delay"] == "5us", settings' "$work/out" ||
		fail "JSON: engine and its options, see above"
else
	echo "not tried: JSON, python3 is not installed"
fi

# --- a table has all sizes, one line per row, and no control characters in a pipe; operations have
# no column where the intervals of a busy machine are wide
sweep 0 --format table
for size in '512 B' '1 KiB' '32 KiB' '64 KiB'; do
	[ "$(grep -Ec "^ *$size  " "$work/out")" -eq 2 ] || fail "table: not two rows of $size"
done
[ "$(grep -Ec '^ *[0-9]+ (B|KiB)  ' "$work/out")" -eq 16 ] || fail "table: not 16 rows"
! LC_ALL=C grep -q '[[:cntrl:]]' "$work/out" || fail "table: control characters"
# --columns: replace the usual figures, each below its name; "-" for unknown values
run 0 --quiet --format table --columns operations,latency_ns_p90,device_bytes -n 12 --tests read --sizes 4k null:
grep -q '^ size  operations  latency_ns_p90  device_bytes' "$work/out" || fail "table: not the columns asked for"
grep -Eq '^4 KiB          12  +[0-9.]+ [mun]?s             -  ' "$work/out" || fail "table: $(cat "$work/out")"

# --- the list of columns: grouped on a terminal, else machine-readable; nothing is omitted
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
	iosweep help columns | cut -f 1 | sort >"$work/piped"
	[ -s "$work/piped" ] || fail "help columns: nothing"
	script -qec "'$IOSWEEP' help columns" /dev/null >"$work/terminal" </dev/null
	tr -d '\r' <"$work/terminal" | sed -n 's/^  \([a-z0-9_]*\) .*/\1/p' | sort >"$work/shown"
	cmp -s "$work/piped" "$work/shown" || fail "help columns: not the same columns on a terminal"
	grep -q '^latency:' "$work/terminal" || fail "help columns: no groups on a terminal"
	grep -q '^  op_ns_mean   *ns: ' "$work/terminal" || fail "help columns: no unit on a terminal"
fi

# --- standard output is closed: reported before measuring, unless nothing would be written there
for arguments in '--quiet -n 2 .' '--dry-run .'; do
	iosweep $arguments >&- 2>"$work/err"
	[ $? = 2 ] || fail "$arguments >&-: not status 2"
	one_line "$work/err"
	nothing_left .
done
for arguments in --version --help 'help engines' 'help columns' 'fit --help'; do
	iosweep $arguments >&- 2>"$work/err"
	[ $? = 1 ] || fail "$arguments >&-: not status 1"
	one_line "$work/err"
done
iosweep $small --quiet -o "$here/closed" . >&- 2>"$work/err" || fail "-o FILE >&-: status $?"
lines "$here/closed" 17 '-o FILE >&-'

# --- a file that another run is writing is refused; that run is unaffected
slow='--sizes 4 --tests read --time 1h --null.delay 1ms'
for option in -o --series; do
	: >"$work/slow.err" # its content is this run's
	${IOSWEEP_RUN:-} "$IOSWEEP" $slow $option "$here/taken" null: >"$work/slow.out" 2>"$work/slow.err" &
	pid=$!
	on_exit "end_child $pid"
	soon "$option: the first run does not begin" grep -q '^# ' "$work/slow.err" # its files are open
	for other in -o --series; do
		refuses 2 '' --quiet -n 1 --sizes 4 $other "$here/taken" null:
		# its results so far may be in another format
		grep -q -e 'another run is writing its results to' -e "only .* in the same format" "$work/err" &&
			{ [ $other != $option ] || grep -q 'another run' "$work/err"; } || fail "$option, $other: why?"
	done
	kill -TERM $pid
	wait $pid
	[ $? = 143 ] || fail "$option: the first run does not end by its signal"
	[ -s "$here/taken" ] || [ $option = --series ] || fail "$option: the first run has no results"
	run 0 --quiet -n 1 --sizes 4 $option "$here/taken" null: # now the file is free
	rm "$here/taken"
done

# --- the reader goes away: silently, with that signal's status, nothing left
{
	iosweep $small --quiet . 2>"$work/err"
	echo $? >"$work/status"
} | head -1 >"$work/out"
lines "$work/out" 1 'head -1'
[ ! -s "$work/err" ] || fail "head -1: something on standard error"
case $(cat "$work/status") in
0 | 141) ;; # 0: everything was in the pipe before its reader ended
*) fail "head -1: status $(cat "$work/status")" ;;
esac
nothing_left .
rm "$work/status"
{
	until [ -e "$work/closed" ]; do
		sleep 0.1
	done
	iosweep $small --quiet . 2>"$work/err"
	echo $? >"$work/status"
} | {
	exec </dev/null
	: >"$work/closed"
}
while [ ! -s "$work/status" ]; do # not all shells wait for the first command of a pipe
	sleep 0.1
done
[ "$(cat "$work/status")" = 141 ] || fail "no reader: status $(cat "$work/status"), not 141"
[ ! -s "$work/err" ] || fail "no reader: something on standard error"
nothing_left .

# --- --dry-run: only the plan
facts() {
	stat -c '%n %i %s %x %y %z' . "$here" "$here/data"
}
touch -a -d '2001-02-03 04:05:06' . "$here" "$here/data"
before=$(facts)
run 0 $small --dry-run -o "$here/dry.csv" --series "$here/dry.series" . "$here/data"
[ "$(facts)" = "$before" ] || fail "--dry-run touched something"
for file in dry.csv dry.series; do
	[ ! -e "$here/$file" ] || fail "--dry-run made $file"
done
nothing_left .

# --- names that would move the cursor, colour or reverse text are escaped on a terminal
name=$(printf 'x\033[31m\342\200\256y')
mkdir "$here/$name"
for arguments in '--format table' '--format csv' '--format json' '--format classic' --dry-run \
	'--interval 10ms'; do
	run 0 --verbose --tests read --sizes 4k -l 64k --width 2 -n 12 $arguments --label "$name" "$here/$name"
	! LC_ALL=C grep -q "$(printf '\033')\|$(printf '\342\200\256')" "$work/out" "$work/err" ||
		fail "$arguments: a name as it is"
done
run 0 clean "$here/$name"
! LC_ALL=C grep -q "$(printf '\033')\|$(printf '\342\200\256')" "$work/out" "$work/err" ||
	fail "clean: a name as it is"

# --- facts and findings are wrapped at blanks on a terminal: no line is too long, no word is cut
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
	fold="--color never --cache cached --format csv -o '$here/fold.csv' --tests read --sizes 4k -l 64k -n 12 ."
	eval "iosweep $fold" 2>&1 | grep '^# finding: ' >"$work/findings"
	script -qec "stty cols 60; '$IOSWEEP' $fold" /dev/null </dev/null | tr -d '\r' | sed 's/.*\[K//' >"$work/out"
	awk '/^#/ && NF > 2 && length($0) >= 60 { bad = 1 } END { exit bad }' "$work/out" || fail "wider than the terminal"
	[ -s "$work/findings" ] || fail "no finding"
	tr '\n' ' ' <"$work/out" | sed 's/ #   / /g' | grep -qF -f "$work/findings" || # one that does not depend on the machine
		fail "a finding on a terminal"
	nothing_left .
fi
