#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Runs have names. In a directory with several, one of them alive, `iosweep clean` removes exactly
# the named ones; -r reads exactly one of them, according to its manifest, or the user's files,
# never two together; and the finished part of a killed run can still be read. Messages, what is
# refused of a run that is alive, what remains of one and runs of ranks are in tests/golden/clean.t and
# tests/life.
# shellcheck disable=SC2086 # lists of words
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

cd "$work" || exit 99
mkdir d
small='--levels 2 --width 3 -l 64Ki --sizes 4k -n 30'

# keep NAME ARGS...: leaves a run in d
keep() {
	keep_name=$1
	shift
	run 0 --quiet $small --keep --run-name "$keep_name" "$@" d
	[ -f "d/iosweep-$keep_name/d2/f2" ] || fail "$keep_name was not kept"
}
sums() { # checksums of everything in these runs
	for sums_name; do
		(cd d && find "iosweep-$sums_name" -exec ls -ld --time-style=+%s {} + &&
			find "iosweep-$sums_name" -type f -exec cksum {} +) || fail "no run $sums_name"
	done
}
same() { sums "$@" | cmp -s - sums || fail "another run was touched"; }
gone() { [ ! -e "d/iosweep-$1" ] || fail "$1 is still there"; }
# reads ROWS-NOTES ARGS...: the row's last column is notes
reads() {
	reads_notes=$1
	shift
	run 0 --quiet -r --format csv --sizes 4k -n 200 --columns operations,notes "$@"
	sed -n '2s/^[0-9][0-9]*,\(.*\)/;\1;/p' "$work/out" >notes
	[ -s notes ] || fail "no row"
	case $reads_notes in
	'') ! grep -q partial notes || fail "notes: $(cat notes)" ;;
	*) grep -q ";$reads_notes;" notes || fail "notes: $(cat notes), not $reads_notes" ;;
	esac
}

# --- three runs, and a fourth that is alive
keep one --verify
keep two --tests write
keep three --tests read
(cd d && find . | sort) >names
${IOSWEEP_RUN:-} "$IOSWEEP" --levels 2 --width 3 -l 64Ki --sizes 4k --time 2000s --run-name alive d \
	>"$work/alive.out" 2>"$work/alive.err" &
alive=$!
on_exit "end_child $alive"
soon "the run does not start" grep -q '^# target' "$work/alive.err" # all files exist
sums one two three >sums

# --- ambiguous: they stay (with which words: golden/clean.t)
run 2 clean d
run 0 clean --dry-run d
same one two three

# --- nothing of the one that is alive is read or written, whichever part of it is named
for part in iosweep-alive iosweep-alive/d0 iosweep-alive/d0/f0; do
	run 3 --quiet -r --sizes 4k -n 4 "d/$part"
	grep -q "in use by a running iosweep: .*/iosweep-alive;" "$work/err" || fail "$part is read"
done
run 3 --quiet --overwrite --tests write --sizes 4k -n 4 d/iosweep-alive/d0/f0

# --- a nonexistent name, contradicting or meaningless words
for name in tw twoo '*' alive/../two iosweep-two; do
	run 3 clean --run-name "$name" d
done
run 2 clean --run-name '' d # from an unset variable
run 2 clean --run-name two --all d
for option in --keep --verify --overwrite '--label x' '--sizes 4k' '--time 3' '-n 4' --max-requests=3; do
	run 2 clean $option d
done
run 2 clean --region here d
run 2 clean
run 2 clean ''
! grep -q 'mem:' "$work/err" || fail "mem: has no runs"
run 2 ''
same one two three

# --- one by name, and no other; by its path, and no other
sums one three >sums
run 0 clean --run-name two d
gone two
same one three
keep two
sums one two >sums
run 0 clean d/iosweep-three
gone three
same one two
run 3 clean --run-name one d/iosweep-two
same one two

# --- reading by name, according to its manifest
run 0 --quiet --levels 1 --width 2 -l 128Ki --sizes 4k -n 30 --keep --run-name big --verify d
sums one two big >sums
reads '' --run-name one d
reads '' --run-name one --verify d
reads '' --run-name big --verify d
reads '' --run-name big d/iosweep-big
same one two big

# --- reading a run prevents its removal, and no other's
${IOSWEEP_RUN:-} "$IOSWEEP" -r --run-name one --sizes 4k --time 2000s d >"$work/reader.out" 2>"$work/reader.err" &
reader=$!
on_exit "end_child $reader"
soon "the reader does not start" grep -q '^# target' "$work/reader.err"
run 3 clean --run-name one d
reads '' --run-name one d # two can read it
kill -TERM $reader
wait $reader
status=$?
[ $status = 143 ] || fail "the reader: exit status $status"
tail -n 1 "$work/reader.err" | grep -q '^iosweep: interrupted; no test files were made$' || fail "$(tail -n 1 "$work/reader.err")"
same one two big

# --- a manifest that cannot be read at the end of a run does not mean that the run was removed
${IOSWEEP_RUN:-} "$IOSWEEP" $small --tests read --keep --time 200s --run-name shut d >"$work/shut.out" 2>"$work/shut.err" &
shut=$!
on_exit "end_child $shut"
soon "the run does not start" grep -q '^# target' "$work/shut.err"
chmod 0 d/iosweep-shut/MANIFEST-1 # the highest can be read
kill -TERM $shut
wait $shut
[ -f d/iosweep-shut/d2/f2 ] || fail "data were removed for a manifest that cannot be read: $(cat "$work/shut.err")"
chmod 600 d/iosweep-shut/MANIFEST-1
run 0 clean --run-name shut d
gone shut

# --- runs in separate directories: none can be named from above
mkdir -p deep/a deep/b
cp -R d/iosweep-one deep/a/iosweep-one
reads '' --verify deep
cp -R d/iosweep-one deep/b/iosweep-one
reads '' --verify deep/b/iosweep-one
run 3 --quiet -r --sizes 4k -n 30 --run-name one deep
run 0 clean deep
[ -f deep/b/iosweep-one/MANIFEST-1 ] || fail "clean goes below its target"
rm -r deep

# --- the live run ends by itself, and removes only itself
kill -TERM $alive
wait $alive
status=$?
[ $status = 143 ] || fail "the run in the background: exit status $status"
gone alive
same one two big

# --- a manifest that cannot be one is not believed
for wrong in 10 05 x ''; do
	mkdir d/iosweep-wrong
	sed "s/^run=two$/run=wrong/; s/^\(set=tree [0-9]* [0-9]*\) [0-9]*/\1 $wrong/" "$(manifest_of d/iosweep-two)" \
		>d/iosweep-wrong/MANIFEST-1
	echo mine >d/iosweep-wrong/f0
	run 3 clean --run-name wrong d
	expect_reported 'it has no iosweep manifest'
	[ -f d/iosweep-wrong/f0 ] && rm -r d/iosweep-wrong || fail "a manifest that says $wrong is believed"
done

# --- killed in the middle: the files listed in its manifest exist with the right content
${IOSWEEP_RUN:-} "$IOSWEEP" --quiet --levels 3 --width 14 -l 16Ki --time 2000s --tests read --sizes 4k \
	--run-name killed d >"$work/alive.out" 2>"$work/alive.err" &
alive=$!
until [ "$(made_of d/iosweep-killed)" -ge 1 ] 2>/dev/null; do # immediately, without a pause
	is_child $alive || fail "the run does not start"
done
kill -9 $alive
wait $alive
made=$(made_of d/iosweep-killed)
[ "$made" -ge 1 ] || fail "no manifest is valid: $(head d/iosweep-killed/MANIFEST-*)"
[ "$(find d/iosweep-killed -name 'f*' -size 16k | wc -l)" -ge "$made" ] || fail "fewer files than $made"
if [ "$made" -lt 2744 ]; then
	reads "partial:$made/2744" --run-name killed --verify -n 2000 d
else
	reads '' --run-name killed --verify -n 2000 d
fi
sums two big >sums
run 0 clean --run-name killed d
gone killed
same two big

# --- killed before there was a manifest: recognised by an empty one (without any: golden/clean.t)
mkdir -m 700 d/iosweep-begun
: >d/iosweep-begun/MANIFEST-1
run 0 clean --all d
nothing_left d

# --- several targets: their runs have one name, with the target's number
mkdir e
run 0 --quiet $small --keep --tests read -n 1 d e
first=$(basename d/iosweep-*) second=$(basename e/iosweep-*)
case $first in iosweep-????????-1) ;; *) fail "the name of the first is $first" ;; esac
[ "$second" = "${first%1}2" ] || fail "the names are $first and $second"
run 0 clean d e
nothing_left d
rmdir e

# --- an error while listing a directory is not its end
if command -v strace >/dev/null && strace -o /dev/null -e inject=getdents64:error=EIO:when=1+ true 2>/dev/null; then
	run 0 --quiet $small --keep --run-name one --tests read d
	for when in 1 2; do
		LSAN_OPTIONS=detect_leaks=0 strace -f -o trace -e trace=getdents64 -e inject=getdents64:error=EIO:when=$when+ \
			"$IOSWEEP" clean d >"$work/out" 2>"$work/err"
		status=$?
		[ $status = 3 ] || fail "errors of getdents64 from call $when on: exit status $status"
		[ -f d/iosweep-one/MANIFEST-1 ] || fail "no manifest is left"
	done
	run 0 clean d
	nothing_left d
fi

# --- deleting a kept run: each file once, however many threads share it, and in several steps
mkdir "$work/retired"
cd "$work/retired" || exit 99
for threads in 1 3 70; do # 70: more than there are ranges of files
	for steps in delete delete:n=5,delete; do
		run 0 --quiet --keep --run-name gone --levels 3 --width 5 -l 4k --tests write --sizes 4k -n 1 .
		run 0 --quiet -r --run-name gone --tests $steps --threads $threads --format csv .
		[ "$(by_name '{ done += operations; bad += errors } END { print done "-" bad }')" = 125-0 ] ||
			fail "$threads threads, $steps: not each of 125 files once: $(cat "$work/out")"
		nothing_left .
	done
done

# --- a file replaced by a FIFO is not even opened: whoever writes to it keeps waiting for a reader
mkdir "$work/pipe"
cd "$work/pipe" || exit 99
run 0 --quiet --keep --run-name pipe --levels 1 --width 2 -l 4k --tests write --sizes 4k -n 1 .
rm iosweep-pipe/f1
if mkfifo iosweep-pipe/f1 2>/dev/null; then
	(echo mine >iosweep-pipe/f1) 2>/dev/null &
	writer=$!
	on_exit "end_child $writer"
	run 0 --quiet --format csv -r --run-name pipe --tests read --sizes 4k -n 1 .
	is_child $writer || fail "what was written to a FIFO is lost"
	[ "$(column notes | head -n 1 | cut -d ';' -f 1)" = partial:1/2 ] || fail "a FIFO counts as a file"
fi
