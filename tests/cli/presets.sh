#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Files of options.  Their first line is common, each further one a part of the run; the command line
# wins; what was used is told; what is wrong is said with file and line, and nothing of a secret is
# shown.  Each preset that is shipped runs on a directory and says what it stands for.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all

mkdir "$work/here" "$work/here/dir"
cd "$work/here" || exit 99
unset IOSWEEP_PRESETS

# rows NAME: the plan, one row a line: test, threads, depth, size
rows() { sed -n 's/^row [0-9]*: \([a-z]*\) [a-z_]* [a-z]* threads=\([0-9]*\) depth=\([0-9]*\) size=\([^=]*\) target.*/\1 \2 \3 \4/p' "$work/out"; }
expect_rows() { # the plan is standard input
	cat >"$work/expected"
	rows >"$work/got"
	diff "$work/expected" "$work/got" >"$work/difference" || fail "$1: other rows (< expected, > got):
$(cat "$work/difference")"
}

# --- parts: rows of the same test share rounds, none is there twice

cat >disk.options <<'END'

# two kinds of operations
   # (indented, and with a comment at the end)
--engine posix -l 1Mi --label 'two words' -n 4   # comment --sizes 2

--sizes 4k,8k --threads 1,2
--sizes '8k' --tests read
END
run 0 --dry-run @disk.options null:
expect_rows 'three lines' <<'END'
write 1 1 4 KiB
write 1 1 8 KiB
write 2 1 4 KiB
write 2 1 8 KiB
read 1 1 8 KiB
read 1 1 4 KiB
read 1 1 8 KiB
read 2 1 4 KiB
read 2 1 8 KiB
END
grep -qx 'rows: 9 in 3 parts' "$work/out" || fail "not three parts: $(cat "$work/out")"
grep -qx 'options of @disk.options: two kinds of operations' "$work/out" || fail "what it is about is not told"

# --- the command line wins, over all lines, and over what would contradict it

run 0 --dry-run --sizes 2k @disk.options --threads 4 null:
expect_rows 'command line' <<'END'
write 4 1 2 KiB
read 4 1 2 KiB
read 4 1 2 KiB
END
run 0 --dry-run -m 1k -M 2k --time 1s --tests read @disk.options null:
expect_rows '-m and -M instead of --sizes' <<'END'
read 1 1 1 KiB
read 1 1 2 KiB
read 2 1 1 KiB
read 2 1 2 KiB
END
grep -q '^time: 1 s per row' "$work/out" || fail "--time does not replace -n of the file: $(cat "$work/out")"
dd if=/dev/zero of=data bs=64k count=1 2>/dev/null
run 0 --dry-run -r --cache cached @disk.options data
expect_rows '-r leaves what reads' <<'END'
read 1 1 4 KiB
read 1 1 8 KiB
read 2 1 4 KiB
read 2 1 8 KiB
END

# --- several files in their order, an option that no target takes, and what is told

echo '--threads 3 --objects 5 --sizes 1k' >later
run 0 --format json --quiet @disk.options @later mem:
if command -v python3 >/dev/null; then
	python3 - "$work/out" <<'END' || fail "the JSON document tells other options"
import json, sys
run = json.load(open(sys.argv[1]))["run"]
files = run["option_files"]
assert [f["name"] for f in files] == ["@disk.options", "@later"], files
assert files[0]["about"] == "two kinds of operations", files[0]
assert [(l["line"], l["options"]) for l in files[0]["lines"]] == [
    (4, "--engine posix -l 1Mi --label 'two words' -n 4"),
    (6, "--sizes 4k,8k --threads 1,2"), (7, "--sizes 8k --tests read")], files[0]
assert run["unused_options"] == "--engine, --file-size", run["unused_options"]
assert run["label"] == "two words"
assert run["settings"]["object_options"]["objects"] == 5, run["settings"]
END
fi
run 0 --format csv --columns size_bytes,threads,label @disk.options @later null: --tests write
printf 'size_bytes,threads,label\n4096,1,two words\n8192,1,two words\n4096,2,two words\n8192,2,two words\n8192,3,two words\n' >"$work/expected"
diff "$work/expected" "$work/out" || fail "several files"
grep -qx '#   line 6: --sizes 4k,8k --threads 1,2' "$work/err" || fail "the lines are not told: $(cat "$work/err")"
grep -qx '# options of @later' "$work/err" || fail "the second file is not told"
grep -qx '#   left out, no target here takes it: --engine, --objects' "$work/err" || fail "what was left out is not told"

# --- what is wrong is said in one line with file and line; secrets are not shown, and nothing is done

secret=wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY
refused() { # refused 'TEXT OF FILE' 'PATTERN'
	# shellcheck disable=SC2059
	printf -- "$1" >bad
	run 2 @bad dir
	one_line "$work/err"
	grep -q "$2" "$work/err" || fail "not '$2': $(cat "$work/err")"
	! grep -q "$secret" "$work/err" "$work/out" || fail "a secret is shown: $(cat "$work/err")"
	nothing_left dir
}
refused '' 'there is no option in this file'
refused '# only\n#comments\n' 'there is no option in this file'
refused "--sizes 4k\n\n--sizes junk\n" '@bad:3: --sizes: .*junk'
refused "-n 3\n--sizes '4k\n" '@bad:2: unterminated quote'
refused "-n 3\n-l 8Mi\n" '@bad:2: .*for the whole run, not for a part: --file-size'
refused "-n 3\n--output x\n" '@bad:2: .*for the whole run, not for a part: --output'
refused "-n 3\n--keep\n" '@bad:2: .*for the whole run, not for a part: --keep'
refused "-n 3 --overwrite\n" '@bad:1: not allowed in an option file: --overwrite'
refused "-n 3 --destroy-data\n" '@bad:1: not allowed in an option file: --destroy-data'
refused "--help\n" '@bad:1: not allowed in an option file: --help'
refused "-n 3 dir\n" '@bad:1: a word that is not an option'
refused "AWS_SECRET_ACCESS_KEY=$secret\n" '@bad:1: a word that is not an option'
refused "--secret-key=$secret\n" '@bad:1: unknown option: --secret-key'
refused "-k$secret\n" '@bad:1: unknown option: -k'
refused "--profile=$secret\n" '@bad:1: .*points to a secret: --profile'
refused "--endpoint http://me:$secret@localhost\n" '@bad:1: .*a password in it: --endpoint'
refused "--sizes 4k -m 2\n" 'contradict\|replaces'
refused "--engine nothing\n" '@bad:1: --engine: .*nothing'
printf -- '-n 3\0' >bad
run 2 @bad dir
grep -q '@bad: not text' "$work/err" || fail "a NUL: $(cat "$work/err")"
head -c 70000 /dev/zero | tr '\0' '#' >bad
run 2 @bad dir
grep -q 'too long' "$work/err" || fail "a long file: $(cat "$work/err")"
run 2 @missing dir
one_line "$work/err"
grep -q 'cannot read options from @missing' "$work/err" || fail "a missing file: $(cat "$work/err")"
run 2 --dry-run @quik null:
grep -q 'did you mean @quick; ' "$work/err" || fail "a name spelled nearly so: $(cat "$work/err")"
run 2 @ dir
echo '--tests write -n 4' >writes
run 2 -r @writes data
grep -q 'only reads' "$work/err" || fail "-r and a file that only writes: $(cat "$work/err")"
# what is no target is not taken for a directory, and a directory with such a name can be given
mkdir @odd
run 2 --dry-run @odd
run 0 --dry-run ./@odd

# --- presets

run 0 help presets
cut -d ' ' -f 1 "$work/out" | sort >"$work/presets"
find "$top_srcdir/contrib/presets" -type f | sed "s,.*/,@," | sort >"$work/expected"
diff "$work/expected" "$work/presets" || fail "help presets names other files than contrib/presets has"
awk 'NF < 3 { exit 1 }' "$work/out" || fail "a preset does not say what it stands for"
while read -r preset; do
	grep -q "^[.]It Cm $(echo "$preset" | sed 's/-/\\\\*-/g')\$" "$top_srcdir/man/iosweep.1" ||
		fail "iosweep.1 does not describe $preset"
	if ! iosweep --dry-run "$preset" dir >"$work/out" 2>"$work/err" &&
		grep -q 'runs several operations at a time' "$work/err"; then
		echo "no engine for $preset here, and said so"
		continue
	fi
	run 0 --dry-run "$preset" dir
	nothing_left dir
	planned=$(rows | wc -l)
	[ "$planned" -ge 2 ] || fail "$preset: only $planned rows"
	for target in mem: null:; do
		iosweep "$preset" -n 2 --rounds 3,3 --quiet --format csv $target >"$work/out" 2>"$work/err" </dev/null ||
			fail "$preset $target: status $?"
		[ "$(sed 1d "$work/out" | grep -vc 'skipped:')" -ge 2 ] || fail "$preset $target: nothing was measured"
	done
	# as it is meant, but for the time: small files, few operations, and no need of O_DIRECT
	iosweep "$preset" -l 10Mi --levels 1 --width 4 -n 3 --cache cached --format csv --rounds 3,3 dir >"$work/out" 2>"$work/err" </dev/null
	status=$?
	[ $status = 0 ] || fail "$preset: status $status"
	[ "$(sed 1d "$work/out" | grep -c .)" -ge 2 ] || fail "$preset: hardly a row"
	grep -q "^# options of $preset\$" "$work/err" || grep -q '^# next: ' "$work/err" || fail "$preset is not told"
	sed 1d "$work/out" | grep -v 'skipped:' >"$work/measured"
	[ -s "$work/measured" ] || fail "$preset: nothing was measured"
	nothing_left dir
done <"$work/presets"

# the cells of CrystalDiskMark, and -n for steps that have stops of their own
if iosweep --dry-run @diskmark dir >"$work/out" 2>"$work/err"; then
	for cell in 'read 1 8 1 MiB' 'read 1 1 1 MiB' 'read 1 32 4 KiB' 'read 1 1 4 KiB' \
		'write 1 8 1 MiB' 'write 1 1 1 MiB' 'write 1 32 4 KiB' 'write 1 1 4 KiB'; do
		rows | grep -qx "$cell" || fail "@diskmark lacks $cell: $(cat "$work/out")"
	done
	[ "$(rows | wc -l)" = 8 ] || fail "@diskmark: not eight cells"
	[ "$(rows | head -4 | grep -c '^read')" = 4 ] || fail "@diskmark: rows that share rounds are apart"
fi
run 0 --quiet -n 3 -l 2Mi --format csv --columns test,operations @juicefs null:
! sed 1d "$work/out" | grep -v ',3$' || fail "-n does not replace the stops of steps in a file"

# the bare figures of io_profile: 16 sizes, write then read, 1000 operations in each
run 0 --dry-run @io-profile dir
[ "$(rows | grep -c '^write')" = 16 ] && [ "$(rows | grep -c '^read')" = 16 ] || fail "@io-profile: not 16 sizes"
grep -q '^operations: 1000 per row' "$work/out" || fail "@io-profile: not 1000 operations"
grep -q '64 files of 4 MiB in 20 directories' "$work/out" || fail "@io-profile: another tree"

# the same test in two lines, of what is made for all rows and of what create makes
printf '%s\n' '--sizes 4k --levels 1 --width 3 -l 64k' '--tests create:n=20,read:created,delete:created' \
	'--tests create:n=20,read:n=5,delete:created --threads 2' >created
iosweep --quiet --cache cached --format csv --columns test,operations,stop @created . >"$work/out" || fail "created: $?"
[ "$(sed 1d "$work/out" | tr '\n' ' ')" = 'create,20,count create,20,count read,40,exhausted read,5,count delete,20,exhausted delete,20,exhausted ' ] ||
	fail "created: $(cat "$work/out")"

# a directory of one's own
mkdir "$work/mine"
echo '--tests read --sizes 512 -n 2' >"$work/mine/house"
IOSWEEP_PRESETS=$work/mine iosweep help presets >"$work/out" || fail "IOSWEEP_PRESETS: $?"
grep -q '^@house ' "$work/out" || fail "IOSWEEP_PRESETS does not name the directory"
IOSWEEP_PRESETS=$work/mine iosweep --dry-run @house null: >"$work/out" || fail "a preset of one's own: $?"
rows | grep -qx 'read 1 1 512 B' || fail "a preset of one's own: $(cat "$work/out")"
# a file here is meant before it
echo '--tests read --sizes 1k -n 2' >house
IOSWEEP_PRESETS=$work/mine iosweep --dry-run @house null: >"$work/out" || fail "a file here: $?"
rows | grep -qx 'read 1 1 1 KiB' || fail "a file of that name here is not taken"
