#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What users of rados bench rely on, one function for each scenario, on files, mem: and null:.
# (On a real object store: tests/s3/seeds.sh.)
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

mkdir "$work/dir"
cd "$work/dir" || exit 99

# value COLUMN [LINE]: of a row
value() {
	awk -F, -v name="$1" -v line="${2:-1}" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		NR == line + 1 { print at ? $at : "no column" }' "$work/out"
}

# Verification: one flipped byte is found, named by file and offset, and fails the run; without it the
# run goes well.  What is written cannot be compressed, and no two blocks are equal.
rb5() {
	run 0 --quiet --format csv --keep --verify --tests write,read --sizes 4k -n 40 -l 64k --levels 1 .
	[ "$(value wrong_operations 2)" = 0 ] || fail "wrong data where nothing was touched"
	rb5_file=$(find . -name f1)
	# whatever stands there, another byte
	od -An -tu1 -j5000 -N1 "$rb5_file" | awk '{ printf "%c", $1 == 88 ? 89 : 88 }' |
		dd of="$rb5_file" bs=1 seek=5000 conv=notrunc 2>/dev/null
	run 4 --quiet --format csv -r --verify --tests read --sizes 4k -n 2000 .
	[ "$(value wrong_operations)" -ge 1 ] || fail "a flipped byte is not found"
	one_line "$work/err"
	grep -q "/f1 at offset 5000: expected " "$work/err" || fail "file and offset are not named"
	run 0 --quiet --format csv -r --tests read --sizes 4k -n 2000 .
	run 0 clean .
	nothing_left .

	run 0 --quiet --format csv --keep --tests write --sizes 4k,64k -n 600 -l 1Mi --levels 1 .
	# shellcheck disable=SC2046 # two numbers
	set -- $(python3 "$top_srcdir/tests/cli/blocks.py" .)
	[ "$1" -ge 1024 ] && [ "$1" -eq "$2" ] || fail "$2 of $1 blocks are different"
	cat iosweep-*/f* >"$work/all"
	[ "$(gzip -c "$work/all" | wc -c)" -gt "$(($(wc -c <"$work/all") / 100 * 99))" ] ||
		fail "what is written can be compressed"
	run 0 clean .
	nothing_left .
}

# keep NAME OPTION...: a run of 9 files that stays
keep() {
	keep_name=$1
	shift
	run 0 --quiet --levels 2 --width 3 -l 64k --sizes 4k -n 30 --keep --run-name "$keep_name" "$@" .
}
# of everything in a run: names, inodes, lengths and data, but for what may be written over
shape() { find "iosweep-$1" -printf '%P %i %s\n' | sort; }
sums() { find "iosweep-$1" -type f -exec cksum {} + | sort; }

# Writing over the files of a run: the same files, no more and no fewer, also by a run that writes less;
# the manifest names all of them, and says when what they hold is not known any more.  Another run does
# not change.
rb11() {
	keep one --verify
	keep other --verify
	shape one >"$work/shape"
	sums one >"$work/sums"
	sums other >"$work/other"
	run 0 --quiet --format csv --reuse one --verify --tests write,read --sizes 4k -n 100 .
	[ "$(value operations)" = 100 ] && [ "$(value wrong_operations 2)" = 0 ] || fail "not written over"
	sums one | cmp -s - "$work/sums" && fail "nothing was written"
	shape one | cmp -s - "$work/shape" || fail "other files than before"
	run 0 --quiet -r --run-name one --verify --sizes 4k -n 500 . # they still hold what they must
	run 0 --quiet --format csv --reuse one --tests write --sizes 4k -n 1 . # no more than a block of one
	shape one | cmp -s - "$work/shape" || fail "other files than before"
	run 3 --quiet -r --run-name one --verify --sizes 4k -n 30 .
	grep -q 'written without --verify' "$work/err" || fail "what is not known can be verified"
	run 3 --quiet --reuse one --verify --sizes 4k -n 30 .
	run 0 --format csv -r --run-name one --sizes 4k -n 30 .
	grep -q '^# target: .*/iosweep-one, 9 files of 64 KiB$' "$work/err" || fail "the manifest names fewer files"

	# some are missing or cut: the others are used, and stay what they are
	rm iosweep-one/d0/f1
	truncate -s 100 iosweep-one/d2/f2
	run 0 --quiet --format csv --reuse one --tests write --sizes 4k -n 300 .
	case $(value notes) in *partial:7/9*) ;; *) fail "notes: $(value notes)" ;; esac
	[ "$(stat -c %s iosweep-one/d2/f2)" = 100 ] && [ ! -e iosweep-one/d0/f1 ] || fail "a file was mended"

	# what is refused leaves everything as it was
	sums one >"$work/sums"
	run 3 --quiet --reuse nobody --sizes 4k -n 30 .
	one_line "$work/err"
	grep -q 'no run of this name: nobody' "$work/err" || fail "not told that there is none"
	for rb11_option in '-r' '--run-name x' '-s' '-l 4k' '--width 2' '--tests read' '--clean before' '--clean both'; do
		# shellcheck disable=SC2086
		run 2 --quiet --reuse one $rb11_option .
		one_line "$work/err"
	done
	run 2 --quiet --reuse one null:
	mkdir iosweep-mine
	echo mine >iosweep-mine/f0
	run 3 --quiet --reuse mine --sizes 2 -n 30 .
	grep -q 'not written over: .*/iosweep-mine; it has no MANIFEST' "$work/err" || fail "a foreign directory"
	sed 's/^run=one/run=mine/' iosweep-one/MANIFEST | sed '2a lies=1' >iosweep-mine/MANIFEST
	run 3 --quiet --reuse mine --sizes 2 -n 30 .
	[ "$(cat iosweep-mine/f0)" = mine ] || fail "a foreign file was written"
	rm -r iosweep-mine
	ln -s iosweep-one iosweep-link
	run 3 --quiet --reuse link --sizes 4k -n 30 .
	rm iosweep-link
	ln iosweep-one/d1/f0 outside # a backup made of links would change with it
	run 3 --quiet --reuse one --tests write --sizes 4k -n 30 .
	grep -q 'iosweep-one/d1/f0' "$work/err" || fail "the file with another name is not named"
	rm outside
	mv iosweep-one/d1 moved
	ln -s ../moved iosweep-one/d1
	run 3 --quiet --reuse one --tests write --sizes 4k -n 30 .
	rm iosweep-one/d1
	mv moved iosweep-one/d1
	sums one | cmp -s - "$work/sums" || fail "written although it was refused"
	sums other | cmp -s - "$work/other" || fail "another run was touched"

	# one that is used is left alone
	# shellcheck disable=SC2086
	${IOSWEEP_RUN:-} "$IOSWEEP" -r --run-name one --sizes 4k --time 2000s . >"$work/reader.out" 2>"$work/reader.err" &
	rb11_reader=$!
	on_exit "end_child $rb11_reader"
	soon "the reader does not start" grep -q '^# target' "$work/reader.err"
	run 3 --quiet --reuse one --tests write --sizes 4k -n 30 .
	grep -q 'in use by a running iosweep: .*/iosweep-one' "$work/err" || fail "not told that it is in use"
	kill -TERM $rb11_reader
	wait $rb11_reader
	sums one | cmp -s - "$work/sums" || fail "written while somebody read it"

	run 0 --quiet --reuse one --tests write --sizes 4k -n 30 --clean after .
	[ ! -e iosweep-one ] || fail "--clean after leaves the run"
	sums other | cmp -s - "$work/other" || fail "another run was touched"
	run 0 clean .
	nothing_left .
}

need python3 gzip
for scenario in 5 11; do
	echo "RB $scenario"
	rb$scenario
done
