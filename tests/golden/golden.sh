#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# golden.sh [--update] FILE.t - runs the commands of a transcript and says what differs from what
# they have to print; with --update, writes that into the transcript, to be reviewed as a diff.
#     $ COMMAND    run by this shell in a directory that is empty at first; cd and variables last
#     ~ COMMAND    the same for what measures: times, rates and findings are masked
#     > MORE       the next line of a command, as of a here-document
#     | TEXT       a line of standard output
#     ! TEXT       a line of standard error
#     ? STATUS     the exit status where it is not 0
# Other lines are remarks.  `# needs: WORD...` skips the test where iosweep --version lacks a word (or for
# the word results, what reads results does not run),
# `# uses: ENGINE...` where files cannot be read with an engine here, `# calls: findings` where findings.c
# is not built, which is a command then.
# What the machine determines is masked everywhere: the directories of test, build and sources, names
# and times of runs, host and version.  Counts, sizes, statuses and notes never are.
update=
[ "$1" != --update ] || { update=yes && shift; }
transcript=$(cd "$(dirname "$1")" && pwd)/$(basename "$1") || exit 99
set -- ${update:+--update} "$transcript"
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

iosweep() { ${IOSWEEP_RUN:-} "$IOSWEEP" "$@"; }
version=$(iosweep --version) || fail "iosweep --version"
for word in $(sed -n 's/^# needs: //p' "$transcript"); do
	[ "$word" != results ] || ! iosweep fit --help >/dev/null 2>&1 || continue
	echo "$version" | grep -qw "$word" || skip "$(basename "$transcript"): built without $word"
done
for word in $(sed -n 's/^# uses: //p' "$transcript"); do
	iosweep --quiet --engine "$word" -s -l 4k --sizes 4k -n 1 --cache cached "$work" >/dev/null 2>&1 ||
		skip "$(basename "$transcript"): engine $word cannot be used here"
done
if grep -q '^# calls: findings$' "$transcript"; then
	findings=${golden_programs:-$builddir/tests/golden}/findings
	[ -x "$findings" ] || findings=$findings.exe
	[ -x "$findings" ] || skip "$(basename "$transcript"): tests/golden/findings is not built"
	# memory that nobody has written yet is not 0, where the C library takes that from the environment
	findings() { MALLOC_PERTURB_=165 ${IOSWEEP_RUN:-} "$findings" "$@"; }
fi
version=$(echo "$version" | sed -n '1s/^iosweep //p')
HOME=$work
data=$top_srcdir/tests/data
# shellcheck disable=SC2034 # data: for transcripts
export HOME data
unset COLUMNS NO_COLOR
mkdir "$work/dir" && cd "$work/dir" || exit 99

hex='[0-9a-f]'
mask() { # of each line: what the machine determines, and of a measurement $measured, its figures
	sed -e "s,$work/dir,DIR,g; s,$builddir/src,BUILD,g; s,$top_srcdir,SOURCE,g" \
		-e "s/iosweep-$hex$hex$hex$hex$hex$hex$hex$hex/iosweep-NAME/g" \
		-e "s/[0-9]\{4\}-[0-9][0-9]-[0-9][0-9]T[0-9:]*Z/DATE/g" \
		-e 's/ \([0-9.]* [a-zµ]* \)\{1,\}old\(,\|$\)/ ~ old\2/; s/removed in [0-9.]* [a-z]*$/removed in ~/' \
		-e "s/iosweep $version/iosweep VERSION/; s/\"iosweep\":\"$version\"/\"iosweep\":\"VERSION\"/" \
		-e 's/"host":{[^}]*}/"host":{}/; s/"libraries":\[[^]]*\]/"libraries":[]/' |
		awk -v mark="$1" -v measured="$measured" '
		function is_figure(name) { return name ~ /(^|_)n?s(_|$)|^cpu_|_fraction$|^latency_histogram$/ }
		function figures(text,    done, name) { # of a JSON record
			while (match(text, /"[a-z0-9_]+":([0-9.]+|\[[][0-9.,]*\])/)) {
				name = substr(text, RSTART + 1, index(substr(text, RSTART + 1), "\"") - 1)
				done = done substr(text, 1, RSTART - 1)
				done = done (is_figure(name) ? "\"" name "\":~" : substr(text, RSTART, RLENGTH))
				text = substr(text, RSTART + RLENGTH)
			}
			return done text
		}
		measured && /^# (finding|verdict|load|processors|reference):|^#  / { next }
		measured && /^# (host|clock|this machine):/ { sub(/:.*/, ": ~") }
		measured && /^[a-z0-9_]+(,[a-z0-9_]+)+$/ { columns = split($0, name, ",") }
		measured && columns && /^[0-9]/ && split($0, value, ",") == columns {
			$0 = ""
			for (i = 1; i <= columns; i++)
				$0 = $0 (i > 1 ? "," : "") (value[i] != "" && is_figure(name[i]) ? "~" : value[i])
		}
		measured && /^,?{"record"/ { $0 = figures($0) }
		{ print mark ($0 == "" ? "" : " " $0) }'
}
told() { # the command so far, run
	[ -n "$command" ] || return 0
	eval "$command" >"$work/stdout" 2>"$work/stderr" </dev/null 3<&-
	status=$?
	[ ! -s "$work/stdout" ] || mask '|' <"$work/stdout"
	[ ! -s "$work/stderr" ] || mask '!' <"$work/stderr"
	[ $status = 0 ] || echo "? $status"
	command=
}

exec 3<"$transcript" 4>"$work/told"
command=
while IFS= read -r line <&3; do
	case $line in
	'$ '* | '~ '*)
		told >&4
		command=${line#??} measured=${line%%[!~]*}
		;;
	'> '*) command="$command
${line#??}" ;;
	'>') command="$command
" ;;
	'| '* | '|' | '! '* | '!' | '? '*) continue ;;
	*) told >&4 ;;
	esac
	printf '%s\n' "$line" >&4
done
told >&4

if [ -n "$update" ]; then
	cmp -s "$work/told" "$transcript" || cp "$work/told" "$transcript"
else
	diff -u "$transcript" "$work/told" >&2 || fail "the program says something else; make golden takes it over"
fi
