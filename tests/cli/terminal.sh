#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Output on terminals only: colour if wanted, and lines wrapped at words. Files, CSV and pipes never
# have an escape sequence.
# shellcheck disable=SC2086 # lists of words
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

escape=$(printf '\033')
sgr="$escape\\[[0-9;]*m"

# terminal COLUMNS LINES ENVIRONMENT COMMAND...: writes its output on a terminal to $work/out
terminal() {
	terminal_size="cols $1 rows $2" terminal_environment=$3
	shift 3
	script -qec "stty $terminal_size; env $terminal_environment $*" /dev/null </dev/null |
		tr -d '\r' >"$work/out"
}
coloured() { grep -q "$sgr" "$work/out" || fail "no colour: $*"; }
plain() { ! grep -q "$sgr" "$work/out" || fail "colour: $*"; }
no_escape() {
	for file; do
		[ -s "$file" ] || fail "$file is empty"
		! grep -q "$escape" "$file" || fail "an escape sequence in $file"
	done
}

sweep="--levels 1 --width 1 -l 64k --tests read,write --sizes 512,4k,16k -n 50"
mkdir "$work/d"
cd "$work" || exit 99

# --- no terminal
for format in table csv json classic; do
	TERM=xterm iosweep $sweep --format $format d >piped 2>said || fail "status $?"
	no_escape piped
	TERM=xterm iosweep $sweep --format $format --color always -o file.$format d >shown 2>/dev/null || fail "status $?"
	no_escape file.$format
	[ "$format" = table ] && continue
	TERM=xterm iosweep $sweep --format $format --color always d >piped 2>said || fail "status $?"
	no_escape piped
done
TERM=xterm iosweep $sweep d >piped 2>said
no_escape piped said
NO_COLOR=1 iosweep $sweep --format table --color always d >piped 2>said
grep -q "$escape\[1m.*KiB" piped || fail "--color always: no row of a table is bold"
grep -q "^$escape\[[0-9;]*m# finding: ${escape}\[0m" said || fail "--color always: findings are not marked"
iosweep --color never --nonsense 2>said && fail "--nonsense was taken"
no_escape said
iosweep --color always --sizes 0 2>said && fail "--sizes 0 was taken"
grep -q "^${escape}\[1;31miosweep: ${escape}\[0m" said || fail "an error is not red"

# --- a terminal
command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1 </dev/null || skip "no pseudo terminal"
terminal 80 24 TERM=xterm stty size
grep -q '24 80' "$work/out" || skip "the size of a pseudo terminal cannot be set"

command="'$IOSWEEP' $sweep d"
terminal 80 60 '-u NO_COLOR TERM=xterm' "$command"
coloured "on a terminal"
grep -Eq 'read . .* . posix' "$work/out" || fail "no heading"
terminal 80 60 'TERM=xterm NO_COLOR=' "$command"
coloured "NO_COLOR is empty"
terminal 80 60 'TERM=xterm NO_COLOR=1' "$command"
plain "NO_COLOR"
terminal 80 60 'TERM=dumb' "$command"
plain "TERM=dumb"
terminal 80 60 '-u TERM' "$command"
plain "without TERM"
terminal 80 60 'TERM=xterm' "$command --color never"
plain "--color never"
terminal 80 60 'TERM=dumb' "$command --color always"
coloured "--color always"
terminal 80 60 '-u NO_COLOR TERM=xterm' "$command 2>said"
coloured "standard output alone"
no_escape said

# lines are wrapped at words, within the terminal
for columns in 60 80 120; do
	terminal $columns 60 'TERM=xterm NO_COLOR=1' "$command"
	awk -v most=$columns -v escape="$escape" '
		{ gsub(escape "\\[[0-9]*[A-Z]", "") }
		/^#/ && length > most && $2 !~ /\// { print "longer than " most ": " $0; bad = 1 }
		END { exit bad }' "$work/out" || fail "lines do not end at words"
done
terminal 60 60 'TERM=xterm NO_COLOR=1' "'$IOSWEEP' -n 50 --sizes 4k --tests write,read,list mem:"
awk -v escape="$escape" '{ gsub(escape "\\[[0-9]*[A-Z]|.*\r", "") } /^# mem: / { sentences++ }
	/^#/ && length > 60 { print "longer than 60: " $0; exit 1 }
	END { if (sentences < 2) exit 1 }' "$work/out" || fail "lines about requests do not end at words"
# continuation lines are indented
terminal 60 60 'TERM=xterm NO_COLOR=1' "$command"
awk '/^# finding: / { ours = 1; next } ours && !/^#   [^ ]/ && !/^# / { exit 1 }' "$work/out" ||
	fail "findings do not go on indented"
# --- tables of commands fit the terminal, and verdicts are coloured in addition to their words.
# results FILE FACTOR FACTOR: time per operation of 4 KiB and of larger ones, multiplied by these
results() {
	awk -v small="$2" -v large="$3" 'BEGIN {
		print "[\n{\"record\":\"head\",\"document\":\"iosweep results\",\"schema_version\":\"2.0-draft\"}"
		for (size = 4096; size <= 1048576; size *= 16) {
			printf ",{\"record\":\"row\",\"size_bytes\":%d,\"test\":\"read\",\"target\":\"/a\",\"engine\":\"posix\",\"cache\":\"direct\"", size
			printf ",\"threads\":1,\"depth\":1,\"notes\":\"cache_hits;drift;wide\",\"label\":\"\""
			ns = (size / 64 + 1000) * (size == 4096 ? small : large)
			printf ",\"op_ns_mean\":%.3f,\"op_ns_low\":%.3f,\"op_ns_high\":%.3f}\n", ns, ns * 0.999, ns * 1.001
		}
		print "]"
	}' >"$1"
}
results old.json 1 1
results new.json 2 0.5
for columns in 40 60 80; do
	for command in 'compare old.json new.json' 'fit old.json new.json' 'compare --color always old.json new.json'; do
		terminal $columns 40 '-u NO_COLOR TERM=xterm' "'$IOSWEEP' $command 2>said"
		sed "s/$sgr//g" "$work/out" >bare
		[ -s bare ] || fail "$command: no table"
		! grep -q ".\{$((columns + 1))\}" bare || fail "$command: wider than $columns columns: $(cat bare)"
	done
done
terminal 80 40 '-u NO_COLOR TERM=xterm' "'$IOSWEEP' compare old.json new.json"
grep -q "$escape\[1;31m2.00 times as long$escape\[0m" "$work/out" || fail "slower is not red"
grep -q "$escape\[32m0.500 times as long$escape\[0m" "$work/out" || fail "faster is not green"
terminal 80 40 'NO_COLOR=1 TERM=xterm' "'$IOSWEEP' compare old.json new.json"
plain "compare with NO_COLOR"
grep -q '2.00 times as long' "$work/out" || fail "the verdict is not in words"
terminal 120 40 'NO_COLOR=1 TERM=xterm' "'$IOSWEEP' compare old.json new.json"
grep -q ' p  *verdict' "$work/out" || fail "there is room for all columns"
iosweep compare --format table --color always -o table old.json new.json 2>said
no_escape table

# --- rows appear as they finish, and finally occur once
# the screen's content after $work/out; the cursor may not move above its first line
on_screen() {
	awk -v escape="$escape" '
		BEGIN { RS = "\n"; at = 1 }
		{
			text = $0
			while (text != "") {
				if (substr(text, 1, 1) == "\r") { column = 0; text = substr(text, 2); continue }
				if (substr(text, 1, 1) == escape) {
					if (!match(text, "^" escape "\\[[0-9;]*[A-Za-z]")) exit 2
					last = substr(text, RLENGTH, 1)
					number = substr(text, 3, RLENGTH - 3) + 0
					if (last == "A") at -= number
					if (at < 1) exit 3
					if (last == "K") line[at] = substr(line[at], 1, column)
					if (last == "J") { line[at] = substr(line[at], 1, column); for (i = at + 1; i <= most; i++) line[i] = "" }
					text = substr(text, RLENGTH + 1)
					continue
				}
				match(text, "^[^\r" escape "]+")
				line[at] = substr(line[at], 1, column) substr(text, 1, RLENGTH) substr(line[at], column + RLENGTH + 1)
				column += RLENGTH
				text = substr(text, RLENGTH + 1)
			}
			at++
			column = 0
			most = at > most ? at : most
		}
		END { for (i = 1; i <= most; i++) print line[i] }' "$work/out" >screen
}
# raw COLUMNS LINES COMMAND: as terminal, with carriage returns
raw() {
	script -qec "stty cols $1 rows $2; env TERM=xterm $3" /dev/null </dev/null | sed 's/\r$//' >"$work/out"
	on_screen || fail "what is written cannot be shown ($?)"
}
once() {
	for once_line; do
		[ "$(grep -c "$once_line" screen)" = 1 ] || fail "not once on the screen: $once_line
$(cat screen)"
	done
}
rows="--levels 1 --width 1 -l 64k --tests read,write --sizes 512,4k,16k --time 0.3s --cache cached d"
raw 80 30 "'$IOSWEEP' $rows"
grep -q "$escape\[J" "$work/out" || fail "rows were not drawn as they finish"
once '^read ' '^write '
[ "$(grep -c '^ *[0-9]* [KMG]*i*B  ' screen)" = 6 ] || fail "not six rows: $(cat screen)"
for lines in 6 4; do # room for two rows, for none
	raw 80 $lines "'$IOSWEEP' $rows"
	[ $lines = 4 ] || grep -q "$escape\[J" "$work/out" || fail "rows were not drawn as they finish"
	[ $lines = 6 ] || ! grep -q "$escape\[[0-9]*[AJ]" "$work/out" || fail "drawn again without room"
	once '^read ' '^write '
	[ "$(grep -c '^ *[0-9]* [KMG]*i*B  ' screen)" = 6 ] || fail "not six rows: $(cat screen)"
done
# the progress line: earlier output is not withdrawn
raw 80 30 "'$IOSWEEP' $rows"
tr '\r' '\n' <"$work/out" | sed -n 's/^\([0-9]*\) %, \([0-9]*\) s left, \([0-9]*\) of 6 rows done, .*/\1 \2 \3/p' >progress
[ "$(wc -l <progress)" -ge 3 ] || fail "no progress"
awk 'NR > 1 && ($1 < percent || $2 > left || $3 < done) { print "after " percent " " left " " done ": " $0; bad = 1 }
	{ percent = $1; left = $2; done = $3 } END { exit bad || done < 3 }' progress || fail "progress goes back"
# an interrupted run leaves each row once, and the finding that it was interrupted
for seconds in 2 8 32; do # a busy machine takes longer to get to its rows
	raw 80 30 "timeout -s INT $seconds '$IOSWEEP' --sizes 4k,16k --time 600s --tests read --levels 1 --width 1 -l 64k --cache cached d"
	! grep -q incomplete screen || break
done
once '^read '
awk '/^ *(4|16) KiB / { rows++ } /^[12] rows? not measured: interrupted$/ { rows += $1 } END { exit rows != 2 }' screen ||
	fail "not each row once: $(cat screen)"
! grep -q '%, .* left' screen || fail "the progress line stays: $(cat screen)"

# --- a stopped run (Ctrl-Z) that continues keeps the shell's output above its own; in the
# background it leaves the terminal to the shell; after resizing the output is intact
command -v tmux >/dev/null || skip "no tmux"
socket=iosweep-test-$$
pane() { tmux -L "$socket" "$@"; }
keys() { pane send-keys -t 0 "$@"; }
# till_shown PATTERN [TIMES]
till_shown() {
	for _ in $(seq 1 600); do
		pane capture-pane -t 0 -p -J >screen
		[ "$(grep -c -- "$1" screen)" -lt "${2:-1}" ] || return 0
		sleep 0.1
	done
	fail "not ${2:-1} times on the screen: $1
$(cat screen)"
}
# till_prompt: of a shell that was just given "echo done-$((N))"
till_prompt() {
	keys "echo done-\$((6 * 7))" Enter
	till_shown 'done-42'
}
# not the user's shell, which may be nologin
TERM=xterm SHELL=/bin/sh PS1='> ' ENV='' tmux -L "$socket" -f /dev/null new-session -d -x 78 -y 40 'sh -i' 2>said ||
	skip "tmux does not start: $(cat said)"
on_exit "tmux -L $socket kill-server"
# a skipped row is shown at once, and the other one takes as long as this test
dd if=/dev/urandom of=short bs=4096 count=1 2>/dev/null
dd if=/dev/urandom of=long bs=4096 count=16 2>/dev/null
existing="TERM=xterm '$IOSWEEP' -r --sizes 16k --tests read --cache cached --verbose --format table"
keys "$existing --time 600s short long 2>said" Enter
till_shown skipped:beyond_file
keys C-z
till_shown Stopped
keys 'echo in-between' Enter
till_shown '^in-between'
keys fg Enter
till_shown skipped:beyond_file 2
tty=$(pane display-message -t 0 -p '#{pane_tty}')
for size in '40 50' '12 78' '9 120' '40 78'; do # lines, columns
	pane resize-window -t 0 -x "${size#* }" -y "${size% *}"
	for _ in $(seq 1 100); do # the terminal is resized a little later
		[ "$(stty -F "$tty" size)" = "$size" ] && break
		sleep 0.1
	done
done
keys C-c
till_shown incomplete
till_prompt
awk '/^read - / { heads++ } /skipped:beyond_file/ { skips++ } /incomplete/ { rows++ }
	/Stopped/ { stopped = heads } /^in-between/ { between = heads }
	END { exit !(heads == 2 && skips == 2 && rows == 1 && stopped == 1 && between == 1) }' screen ||
	fail "a run that was stopped and went on: $(cat screen)"
grep -q '^# continued by SIGCONT: ' said || fail "that it was stopped is not told"
keys clear Enter
pane pipe-pane -t 0 "cat >'$work/raw'"
keys "$existing --time 2s short long & wait" Enter
till_prompt
pane pipe-pane -t 0
grep -q '16 KiB .* long ' raw || fail "no row of a run in the background: $(cat raw)"
! grep -q ' left, ' raw || fail "a progress line of a run in the background"

echo "PASS"
