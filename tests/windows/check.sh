#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# The program for Windows, run by wine: what a user does first.  make check-windows builds it and runs
# this.  What only Windows itself can show (alignment without buffering, Ctrl-Break) is not here.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

# shellcheck source=tests/windows/lib.sh
. "${top_srcdir:?}/tests/windows/lib.sh"
[ -n "$wine" ] || skip "no wine"
IOSWEEP_RUN=$wine
mkdir -p "$WINEPREFIX"
# wine makes its directory, and may itself be what does not run here
"$wine" cmd /c ver >/dev/null 2>&1 || "$wine" cmd /c ver >/dev/null 2>"$work/err" ||
	skip "wine does not run here: $(tail -n 1 "$work/err")"
"$wine" "$IOSWEEP" --version >"$work/version" 2>"$work/err" || {
	tail -n 5 "$work/err" >&2
	fail "wine cannot run $IOSWEEP"
}
grep -q '^engines: windows iocp stdio' "$work/version" || fail "not the engines of Windows: $(cat "$work/version")"

run() { run_in_wine "$@"; }
few="--format csv --rounds 2,3 -n 20 -M 16Ki --factor 4 --quiet"
tree="--levels 2 --width 2 -l 64Ki"
mkdir "$work/d"
cd "$work" || exit 99

scenario1() { # a sweep with nothing said but less of it, and nothing is left
	# shellcheck disable=SC2086
	run 0 --cache cached,device --format csv --rounds 2,3 -n 20 $tree d
	[ "$(column test cache engine | sort -u | tr '\n' ' ')" = \
		"read:cached:windows read:direct:windows write:cached:windows write:direct:windows " ] || fail "not the rows of a default sweep"
	[ "$(value size_bytes)" = 512 ] || fail "not from 512 bytes on"
	! grep -q "$(printf '\r')" "$work/out" || fail "lines end with CR LF"
	[ "$(sed 1d "$work/out" | wc -l)" = "$(column operations | grep -c '^20$')" ] || fail "operations"
	tr -d '\n' <"$work/err" | grep -q '# host: .*Windows .*wine' || fail "the host is not told"
	nothing_left d
}

scenario2() { # -s, -b, iocp at depth, threads, checks of data, flushing
	# shellcheck disable=SC2086
	for words in "-s -l 64Ki -m 4Ki" "-b -m 4Ki $tree" "-b -m 4Ki $tree --engine windows,iocp --depth 1,8" \
		"-m 4Ki $tree --threads 3 --pin --verify" "-m 4Ki $tree --sync end --keep-open" "$tree --sync full -b --small cover -m 128" \
		"-m 4Ki $tree --engine stdio" "-m 4Ki -s -l 64Ki --call-size 1000" \
		"-m 16Ki $tree --tests create,append,stat,list,rename,copy,delete"; do
		run 0 $few $words d
		! column errors notes | grep -qv '^0:' || fail "$words: $(column errors notes | tr '\n' ' ')"
		nothing_left d
	done
}

scenario3() { # a run is kept, read again and removed; other files are only read, and stay
	# shellcheck disable=SC2086
	run 0 $few -m 4Ki $tree --run-name abc --keep --verify d
	# shellcheck disable=SC2086
	run 0 $few -m 4Ki -r --run-name abc --verify d
	[ "$(column test | sort -u)" = read ] || fail "-r does more than read"
	: >d/iosweep-abc/t1f9
	run 3 clean --all d
	grep -q 'left in place.*iosweep-abc/t1f9' err || fail "not said what stays: $(cat err)"
	rm d/iosweep-abc/t1f9
	run 0 clean --all d
	nothing_left d
	head -c 100000 /dev/zero >d/mine
	cp d/mine mine.before
	# shellcheck disable=SC2086
	run 0 $few -m 4Ki -r d
	cmp -s d/mine mine.before || fail "a file of somebody else was changed"
	rm d/mine
}

has_begun() {
	ls d/iosweep-*/MANIFEST-1 >/dev/null
}
scenario4() { # two at once: what is in use is not removed
	# shellcheck disable=SC2086
	iosweep --format csv --quiet -m 4Ki -M 4Ki $tree --time 4s d >"$work/first" 2>&1 &
	child=$!
	soon "a run has begun" has_begun
	run 3 clean --all d
	has_begun || fail "clean removes what another run uses"
	wait $child
	nothing_left d
}

scenario5() { # results are read again by all commands, also under long names outside ASCII
	part=$(printf '%0100d' 0)
	deep=d/$part/$part/$part/Größe-漢字
	mkdir -p "$deep"
	# shellcheck disable=SC2086
	run 0 --format csv --rounds 2,3 -n 20 -m 512 -M 64Ki --quiet $tree -o "$deep/a ü.csv" "$deep"
	cp "$deep/a ü.csv" a.csv
	rm -r "d/$part"
	run 3 fit a.csv # it needs Python
	# shellcheck disable=SC2086
	run 0 --format json --quiet -m 4Ki -n 20 --rounds 2,3 $tree d
	cp out b.json
	if command -v python3 >/dev/null; then
		python3 -c 'import json; json.load(open("b.json", encoding="utf-8"))' || fail "not JSON"
	fi
}

scenario6() { # refused in one line: no such engine, cache that cannot be emptied, no such directory
	# shellcheck disable=SC2086
	for words in "2 --engine posix d" "2 --engine io_uring d" "2 --cache uncached d" "3 nowhere" '3 C:\nowhere'; do
		status=${words%% *}
		run "$status" --quiet --format csv ${words#* }
		one_line "$work/err"
	done
	# shellcheck disable=SC2086
	run 0 $few -m 4Ki $tree 'C:\users'
	[ "$(value target)" = C:/users ] || fail "a path with backslashes: $(value target)"
}

scenario7() { # Ctrl-C
	command -v script >/dev/null || return 0
	# shellcheck disable=SC1003
	path=$(printf '%s' "Z:$IOSWEEP" | tr / '\\')
	script -qec "$wine ${IOSWEEP%/src/*}/tests/windows/interrupt.exe d '$path --format csv --time 5s -l 64Ki d'" \
		"$work/console" >/dev/null </dev/null
	[ $? = 130 ] || fail "Ctrl-C: $(tr -d '\033' <"$work/console" | tail -n 5)"
	nothing_left d
}

scenarios scenario1 scenario2 scenario3 scenario4 scenario5 scenario6 scenario7
