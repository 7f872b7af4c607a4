#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# JSON is written to NAME.part: a killed run leaves an earlier run's results and its own slices; an
# existing NAME.part is replaced only if it was written by a run that has ended; and a limit of file
# sizes or a reader that does not read ends a run with a message.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
cd "$work" || exit 99

long='--tests read --sizes 4k,8k --threads 2 --time 20s --interval 20ms --null.delay 20us null:'
is_whole() { [ "$(head -n 1 "$1")" = '[' ] && [ "$(tail -n 1 "$1")" = ']' ]; }
# begins WORDS...: a long run in the background; returns once it has written slices to new.json.part
begins() {
	# shellcheck disable=SC2086
	${IOSWEEP_RUN:-} "$IOSWEEP" --quiet -o new.json $long >out 2>err </dev/null &
	pid=$!
	on_exit "end_child $pid"
	soon "no slices" grep -q '"record":"slice"' new.json.part
}

run 0 --quiet --sizes 4k -n 20 -o new.json null:
is_whole new.json && [ ! -e new.json.part ] || fail "not a whole document alone"
cp new.json old

# --- a killed run, and another one meanwhile
begins
refuses 2 'another run is writing' --quiet --sizes 4k -n 20 -o new.json null:
end_child $pid
wait $pid 2>/dev/null
cmp -s old new.json || fail "a run that was killed has changed the results of an earlier one"
sed '$!b; /}$/!d' new.json.part >cut.part # an incomplete record
agrees cut.part || fail "$why"
run 0 --quiet --sizes 4k -n 20 -o new.json null:
is_whole new.json && [ ! -e new.json.part ] || fail "its part is in the way"

# --- a run that is told to end
begins
kill -TERM $pid
wait $pid
[ $? = 143 ] || fail "not status 143"
is_whole new.json && [ ! -e new.json.part ] && grep -q '"notes":"[^"]*incomplete' new.json ||
	fail "an interrupted run has no whole document"
agrees new.json || fail "$why"

# --- foreign and special files
cp new.json old
echo something >new.json.part
refuses 2 '' --quiet --sizes 4k -n 20 -o new.json null:
[ "$(cat new.json.part)" = something ] && cmp -s old new.json || fail "a foreign file is gone"
rm new.json.part
ln -s elsewhere new.json.part
run 2 --quiet --sizes 4k -n 20 -o new.json null:
[ ! -e elsewhere ] && cmp -s old new.json || fail "a link was followed"
rm new.json.part
run 2 --quiet --sizes 4k -n 20 -o new.json --series new.json --interval 1s null:
run 2 --quiet --sizes 4k -n 20 -o none.json --series none.json --interval 1s null:
run 2 --quiet --sizes 4k -n 20 -o new.json --series new.json.part --interval 1s null:
[ "$(echo new.json* none*)" = 'new.json none*' ] || fail "left by a run that was refused: $(ls)"

# --- links and modes are kept
chmod 640 new.json
ln -s new.json link.json
run 0 --quiet --sizes 4k -n 20 -o link.json null:
[ -L link.json ] && [ "$(stat -c %a new.json)" = 640 ] && is_whole new.json && ! cmp -s old new.json ||
	fail "not written through a link: $(ls -l)"
ln new.json twice.json
run 0 --quiet --sizes 4k -n 20 -o twice.json null:
cmp -s new.json twice.json && is_whole new.json || fail "a file of two names has come apart"
rm twice.json

# --- a limit of file sizes
cp new.json old
for file in new.json new.csv; do
	(ulimit -f 8 && iosweep --quiet --sizes 4k,8k --loops 20 -n 20 --columns all -o $file null: 2>err)
	[ $? = 1 ] || fail "$file: not status 1"
	one_line err
	grep -q 'cannot write the results to new' err || fail "$file: it is not told why"
done
cmp -s old new.json && grep -q '"record":"slice"' new.json.part || fail "no part of what was measured"
(ulimit -f 1 && iosweep help columns >columns 2>err)
[ $? = 1 ] || fail "help: not status 1"
one_line err

# --- a reader that does not read: a signal ends the run nevertheless
mkfifo pipe
# shellcheck disable=SC2217 # it holds the pipe open
sleep 100 <pipe &
reader=$!
on_exit "end_child $reader"
# shellcheck disable=SC2086
${IOSWEEP_RUN:-} "$IOSWEEP" --quiet --format json $long >pipe 2>err </dev/null &
pid=$!
on_exit "end_child $pid"
sleep 4
kill -TERM $pid
wait $pid
[ $? = 143 ] || fail "not status 143"
