#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# contrib/quickstart: lists what it will install, asks on a terminal, keeps the sources clean, does
# not configure again without need, and can be interrupted. The tools it calls are replaced by
# scripts that record their arguments in $work/calls; nothing is installed, compiled or measured.
: "${top_srcdir:?}"
# shellcheck source=tests/cli/lib.sh
. "$top_srcdir/tests/cli/lib.sh"

case $work in
*[!-A-Za-z0-9_./+]*) skip "configure takes no blanks and quotes in names of directories: quickstart would build elsewhere" ;;
esac
source=$work/source
bin=$work/bin
calls=$work/calls
: >"$calls"

# --- the sources, and the only programs there are ------------------------------------------------

mkdir -p "$source/contrib/ci" "$source/src" "$bin" "$work/here"
cp "$top_srcdir/contrib/quickstart" "$source/contrib/"
cp "$top_srcdir/contrib/ci/lib-setup.sh" "$source/contrib/ci/"
chmod -R u+w "$source"
for file in configure.ac Makefile.am src/main.c src/old.c; do
	echo "$file" >"$source/$file"
done
find "$source" -exec touch -t 202001010000 {} +

for tool in awk cat chmod cmp cp cut date diff dirname env find fold grep head ls mkdir mktemp mv rm rmdir sed sh \
	sleep tail tar touch; do
	path=$(command -v "$tool") || skip "$tool is not installed"
	ln -s "$path" "$bin/$tool"
done

# tool NAME: makes the program NAME from standard input
tool() {
	{
		echo '#!/bin/sh'
		echo "work='$work' bin='$bin' calls='$calls'"
		cat
	} >"$bin/$1"
	chmod 755 "$bin/$1"
}
echo 'cat >/dev/null' | tool gcc # finds every header
echo 'exit 0' | tool pkg-config  # and every library
echo 'exit 0' | tool automake
echo 'exit 0' | tool autoconf
echo 'echo 2' | tool nproc
tool id <<-'END'
	cat "$work/user"
END
tool autoreconf <<-'END'
	echo autoreconf >>"$calls"
	cd "$2" && mkdir -p build-aux && touch aclocal.m4 config.h.in Makefile.in && cat >configure <<-'CONFIGURE'
		#!/bin/sh
		echo configure >>"$CALLS"
		[ ! -e "$CALLS.broken" ] || { echo 'error: no such library' && exit 1; }
		echo >Makefile
	CONFIGURE
	chmod 755 configure
END
tool make <<-'END'
	if [ "$1" = -n ]; then
		[ -e src/iosweep ] || echo 'echo "  CC      " src/main.o;gcc -c'
		exit 0
	fi
	if [ "$1" = clean ]; then
		echo clean >>"$calls"
		rm -f src/iosweep
		exit 0
	fi
	echo make >>"$calls"
	if [ -e "$work/slow" ]; then
		echo $$ >"$work/make-pid"
		exec sleep 60
	fi
	[ ! -e src/iosweep ] || exit 0
	echo '  CC       src/main.o'
	mkdir -p src
	{
		echo '#!/bin/sh'
		echo 'echo "figures of $*"'
		echo 'echo "iosweep: facts" >&2'
		echo 'exit "${IOSWEEP_STATUS:-0}"'
	} >src/iosweep
	chmod 755 src/iosweep
END
tool apt-cache <<-'END'
	[ -e "$work/no-lists" ] || echo 'make | 4.3'
END
tool apt-get <<-'END'
	all=" $* "
	case $all in
	*" -s "*)
		printf 'Inst m4 (1)\nInst autoconf (2)\nInst automake (3)\nConf m4 (1)\n'
		;;
	*" --print-uris "*)
		echo "'http://127.0.0.1/m4.deb' m4.deb 400000 SHA256:0"
		echo "'http://127.0.0.1/autoconf.deb' autoconf.deb 1100000 SHA256:0"
		;;
	*" update "*)
		echo update >>"$calls"
		rm -f "$work/no-lists"
		;;
	*" --download-only "*)
		echo "download$(echo "$all" | sed 's/.*--download-only//; s/ $//')" >>"$calls"
		[ ! -e "$work/offline" ] || { echo 'E: Could not resolve' && exit 100; }
		echo 'Get:1 autoconf'
		;;
	*" install "*)
		echo install >>"$calls"
		printf 'Unpacking autoconf\nSetting up m4\nSetting up autoconf\nSetting up automake\n'
		for program in autoconf automake; do
			printf '#!/bin/sh\n' >"$bin/$program" && chmod 755 "$bin/$program"
		done
		;;
	esac
END

# --- invocation --------------------------------------------------------------------------------

# quickstart STATUS CALLS ARGUMENT...: by root or the user $user, without a terminal, in $work/here; the
# tools were called exactly like this
user=0
quickstart() {
	want=$1 want_calls=$2
	shift 2
	(start "$@") >"$work/out" 2>"$work/err" </dev/null
	got=$?
	[ "$got" = "$want" ] || fail "quickstart $*: status $got, not $want"
	called $want_calls
}
start() { # in a subshell, which exec()s it
	cd "$work/here" && echo "$user" >"$work/user" || exit 99
	exec env -i PATH="$bin" CALLS="$calls" IOSWEEP_STATUS="${measured:-0}" ${build:+BUILDDIR="$build"} \
		${cflags:+CFLAGS="$cflags"} sh "$source/contrib/quickstart" "$@"
}
# called WORD...: the tools were called exactly like this since the last check
called() {
	[ "$(tr '\n' ' ' <"$calls")" = "${*:+$* }" ] || fail "called: $(tr '\n' ' ' <"$calls"), not: $*"
	: >"$calls"
}
says() {
	grep -q -e "$1" "$work/err" || fail "does not say: $1"
}
# clean [FILE]: the sources are unchanged except for ./build, with or without this file
clean() {
	(cd "$source" && find . -path ./build -prune -o -type f -print | sort) >"$work/files"
	printf './%s\n' Makefile.am configure.ac contrib/ci/lib-setup.sh contrib/quickstart src/main.c "$@" | sort |
		cmp -s - "$work/files" || fail "the sources were changed: $(tr '\n' ' ' <"$work/files")"
}

# --- nothing missing: four steps, only the result on standard output, the sources unchanged -------
quickstart 0 'autoreconf configure make'
[ "$(cat "$work/out")" = "figures of --quick --format table ." ] || fail "the first figures are not those of --quick"
says '^quickstart: \[1/4\] packages: all there'
says '^quickstart: \[2/4\] configured'
says '^quickstart: \[3/4\] compiled 1 file\(, [0-9]* s\)\{0,1\}$' # takes seconds on a busy machine
says '^iosweep: facts'
[ "$(tail -n 2 "$work/err" | grep -c source/build/src/iosweep)" = 2 ] || fail "the last lines are not two commands"
clean src/old.c
nothing_left "$work/here"

# --- a target that does not exist is refused before anything is built
quickstart 3 '' "$work/missing"
says 'there is no .*/missing; create the directory first'

# --- again: nothing is configured; changes of the sources are built
echo changed >"$source/src/main.c"
rm "$source/src/old.c"
quickstart 0 make --yes "$work/here"
[ "$(cat "$work/out")" = "figures of --quick --format table $work/here" ] || fail "another TARGET"
says 'configured already'
says 'compiled already'
[ "$(cat "$source/build/iosweep-source/src/main.c")" = changed ] || fail "a changed source was not built"
[ ! -e "$source/build/iosweep-source/src/old.c" ] || fail "a source that is gone was built"
clean
cflags=-O0
quickstart 0 'configure clean make'
says 'compiled 1 file'
quickstart 0 make
echo more >>"$source/configure.ac"
quickstart 0 'autoreconf configure clean make'
cflags=
quickstart 0 'configure clean make'
measured=3
quickstart 3 make
measured=
! grep -q 'whole curve' "$work/err" || fail "says how to go on after a failure"

# --- a failing step is named with its reason; the next run repeats it
: >"$calls.broken"
cflags=-O1
quickstart 1 configure
says 'cannot be configured'
says 'error: no such library'
rm "$calls.broken"
quickstart 0 'configure clean make'

# --- interrupted: reported, and the next run continues
: >"$work/slow"
(start) >"$work/out" 2>"$work/err" </dev/null &
quickstart_pid=$!
on_exit "end_child $quickstart_pid"
soon "make" test -s "$work/make-pid"
kill -TERM "$quickstart_pid"
kill "$(cat "$work/make-pid")"
wait "$quickstart_pid"
got=$?
[ "$got" = 143 ] || fail "interrupted: status $got, not 143"
says '^quickstart: interrupted while compiling; '
rm "$work/slow"
called make
quickstart 0 make

# --- in another directory; not where it would mix with the sources
rm -r "$source/build"
build=$work/elsewhere
quickstart 0 'autoreconf configure make'
[ -x "$work/elsewhere/src/iosweep" ] || fail "BUILDDIR: nothing is there"
[ ! -e "$source/build" ] || fail "BUILDDIR: ./build was made all the same"
build=$source/inside
quickstart 0 'autoreconf configure make'
quickstart 0 make
[ ! -e "$source/inside/iosweep-source/inside" ] || fail "the copy of the sources holds the build"
rm -r "$source/inside"
build=$source
quickstart 1 ''
one_line "$work/err"
build=
: >"$source/config.status"
quickstart 1 ''
says 'configured in place'
rm "$source/config.status"
clean
quickstart 2 '' --no-such-option
says 'unknown option: --no-such-option'
quickstart 2 '' one two
quickstart 0 '' --help
grep -q '^Usage:' "$work/out" || fail "--help: no usage on standard output"

# --- if configure does not accept the sources' path, it builds in a temporary directory
mkdir "$work/two words" "$work/tmp"
cp -R "$source" "$work/two words/source"
for generated in no yes; do # a checkout, and an archive, which includes configure
	: >"$calls"
	[ "$generated" = no ] || env PATH="$bin" sh "$bin/autoreconf" -fi "$work/two words/source"
	env -i PATH="$bin" CALLS="$calls" TMPDIR="$work/tmp" sh "$work/two words/source/contrib/quickstart" \
		"$work/here" >"$work/out" 2>"$work/err" </dev/null || fail "sources in a directory with a blank"
	says 'no blanks and quotes in names of directories: building in .*/tmp/iosweep-build\.'
	called autoreconf configure make
	[ -x "$(ls -d "$work"/tmp/iosweep-build.*)/src/iosweep" ] || fail "nothing was built in the temporary directory"
	[ ! -e "$work/two words/source/build" ] || fail "there is a build in a directory with a blank"
	rm -rf "$work"/tmp/*
done

# --- missing packages are listed, and installed if the user cannot be asked
rm "$bin/autoconf" "$bin/automake"
: >"$work/no-lists"
quickstart 0 'update download autoconf automake install autoreconf configure make'
says '^    autoconf automake$'
says '^quickstart: 3 packages with their dependencies, 1.5 MB to download$'
says '^quickstart: \[1/4\] installed 3 packages'
clean

# --- or cannot be installed: no root, no network
rm "$bin/autoconf" "$bin/automake"
user=1000
quickstart 1 ''
says 'missing: autoconf, automake$'
says 'there is no sudo; have root run: apt-get install --no-install-recommends autoconf automake$'
: >"$work/no-lists"
build=$work/unmade
quickstart 1 ''
says 'have root run: apt-get update && apt-get install --no-install-recommends autoconf automake$'
[ ! -e "$work/unmade" ] || fail "an empty directory of a build was left"
build=
rm "$work/no-lists"
echo 'exit 1' | tool sudo
quickstart 1 ''
says 'sudo asks for a password'
rm "$bin/sudo"
user=0
: >"$work/offline"
again='update download autoconf automake'
quickstart 1 "download autoconf automake $again $again"
says 'E: Could not resolve'
rm "$work/offline"

# --- an archive includes configure: no autotools, no copy
rm -rf "$source/build"
env PATH="$bin" sh "$bin/autoreconf" -fi "$source"
: >"$calls"
quickstart 0 'configure make'
[ ! -e "$source/build/iosweep-source" ] || fail "an archive was copied"
(cd "$source" && rm -r build aclocal.m4 build-aux config.h.in configure Makefile.in)

# --- configure refuses some directory names: reported before it starts
env -i PATH="$bin" CALLS="$calls" BUILDDIR="$work/two words" sh "$source/contrib/quickstart" "$work/here" \
	>"$work/out" 2>"$work/err" </dev/null && fail "took a directory with a blank in its name"
says 'no such name of a directory: .*/two words; name one'
[ ! -s "$calls" ] || fail "began: $(cat "$calls")"

# --- on a terminal it asks
if ! command -v script >/dev/null || ! script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
	skip "no terminal can be had: script is not installed (all else passed)"
fi
# answer TEXT ARGUMENT...: quickstart on a terminal, with TEXT typed; the status is in $work/status.
# The input stays open until the end: script(1) does not pass an early end on to a slow reader.
mkfifo "$work/keys"
answer() {
	typed=$1
	shift
	printf '%s\n' "cd '$work/here'" \
		"env -i PATH='$bin' CALLS='$calls' sh '$source/contrib/quickstart' $*" "echo \$? >'$work/status'" >"$work/typing"
	rm -f "$work/status"
	timeout -k 5 300 script -qec "sh '$work/typing'" /dev/null <"$work/keys" >"$work/shown" 2>&1 &
	answer_pid=$!
	exec 9>"$work/keys"
	printf '%s\n' "$typed" >&9
	wait "$answer_pid"
	exec 9>&-
	[ -s "$work/status" ] || fail "typed '$typed', and it did not end: $(cat "$work/shown")"
	tr -d '\r' <"$work/shown" >"$work/err"
}
answer n
called
says 'go on? \[Y/n\]'
says 'nothing was installed'
[ "$(cat "$work/status")" = 1 ] || fail "answered n: status $(cat "$work/status")"
answer ''
called download autoconf automake install autoreconf configure make
[ "$(cat "$work/status")" = 0 ] || fail "answered with Enter: status $(cat "$work/status")"
says 'figures of --quick'
rm "$bin/autoconf" "$bin/automake"
answer '' --yes
called download autoconf automake install configure clean make
! grep -q 'go on?' "$work/err" || fail "--yes: asked all the same"
exit 0
