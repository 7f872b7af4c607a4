#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Users of io_profile get its output, line by line: with --format classic, and when the program is
# called io_profile; and that program's informational options (-version, -help) touch nothing.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

mkdir "$work/dir"
cd "$work/dir" || exit 99

# as a regular expression
location=$(printf '%s\n' "$work/dir" | sed 's/[][(){}.*+?|^$\\]/\\&/g')

# expected REPETITIONS FILE_BYTES: one extended regular expression per line
expected() {
	cat <<-END
	IO profile test parameters
	--------------------------
	Date: [A-Z][a-z][a-z] [A-Z][a-z][a-z] [ 1-3][0-9] [0-9][0-9]:[0-9][0-9]:[0-9][0-9] [0-9]+
	Location: [^:]+:$location
	File mode: Multi-file filesystem, 3 levels, 4 files per level
	Synch mode: Using libc with no buffering
	File size: $2 bytes
	Reads [(]Writes[)] from 2 to 65536 bytes
	Repetitions per read [(]write[)] size: $1
	END
	for test in write read; do
		echo "Conducting $test test[.][.][.]"
		echo "I/O size \\[bytes\\], operations, time \\[s\\], throughput \\[bytes/s\\], I/O rate \\[1/s\\]"
		size=2
		while [ $size -le 65536 ]; do
			echo "$size,$1,[0-9]+[.][0-9]{6},[0-9]+[.][0-9]{6},[0-9]+[.][0-9]{6}"
			size=$((size * 2))
		done
		echo "Done with $test test"
	done
}

# check REPETITIONS FILE_BYTES: checks all lines of $work/out, and that its figures agree
check() {
	expected "$@" >"$work/expected"
	[ "$(wc -l <"$work/out")" -eq "$(wc -l <"$work/expected")" ] ||
		fail "$(wc -l <"$work/out") lines, not $(wc -l <"$work/expected")"
	line=0
	while IFS= read -r pattern <&3 && IFS= read -r text <&4; do
		line=$((line + 1))
		printf '%s\n' "$text" | grep -Eqx -e "$pattern" ||
			fail "line $line is '$text', not as '$pattern'"
	done 3<"$work/expected" 4<"$work/out"
	awk -F, '/^[0-9]+,/ && ($3 <= 0 ||
			($4 * $3 - $1 * $2) ^ 2 > (1e-6 * $1 * $2) ^ 2 ||
			($5 * $3 - $2) ^ 2 > (1e-6 * $2) ^ 2) { print; bad = 1 }
		END { exit bad }' "$work/out" || fail "figures do not agree with each other"
	[ ! -s "$work/err" ] || fail "something on standard error"
}

run 0 --format classic -n 1000
check 1000 4194304
nothing_left .

# --- called io_profile: the same by default, with 1000 operations
program=$IOSWEEP
ln -s "$program" "$work/io_profile"
IOSWEEP=$work/io_profile
run 0 -l 65536
check 1000 65536
run 0 -l 128k -n 20
check 20 131072
nothing_left .

iosweep -s -b -l 64k -m 4k -M 4k -n 20 . >"$work/out" 2>"$work/err"
case $? in
0)
	grep -qx 'File mode: Single file' "$work/out" || fail "-s: other file mode"
	grep -q '^Synch mode: .*O_DIRECT' "$work/out" || fail "-b: synch mode does not say O_DIRECT"
	;;
3)
	grep -q 'O_DIRECT is refused' "$work/err" || fail "-b: cannot be used here"
	echo "not tried: -b, this file system refuses O_DIRECT"
	;;
*) fail "-b: unexpected exit status" ;;
esac
printf 'some data of a user' >"$work/dir/file"
for words in -r -s '-s -r'; do
	# shellcheck disable=SC2086
	run 0 $words -n 20 -M 16 "$work/dir/file"
	grep -qx 'File mode: Existing single file' "$work/out" || fail "$words: other file mode"
	grep -qx 'Reads from 2 to 16 bytes' "$work/out" || fail "$words: other line of sizes"
	! grep -q 'write' "$work/out" || fail "$words: a write test"
done
refuses 2 '' --threads 1,2

# --- informational options: status 0, text on standard output, nothing else happens
facts() {
	stat -c '%n %i %s %x %y %z' . file
}
for name in "$work/io_profile" "$program"; do
	IOSWEEP=$name
	for argument in -version -v --version -help -h --help 'help engines'; do
		before=$(facts)
		# shellcheck disable=SC2086
		run 0 $argument
		[ -s "$work/out" ] || fail "$argument: no text"
		[ ! -s "$work/err" ] || fail "$argument: something on standard error"
		[ "$(facts)" = "$before" ] || fail "$argument: the directory changed"
		case $argument in
		-version | -v | --version) grep -Eq '^iosweep [0-9]+[.][0-9]' "$work/out" ;;
		-help | -h | --help) grep -q '^Usage: iosweep' "$work/out" ;;
		*) grep -q '^posix' "$work/out" ;;
		esac || fail "$argument: unexpected text"
	done
done
[ "$(ls -A)" = file ] || fail "more than the file: $(ls -A)"
