#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# doc/iosweep.schema.json describes each JSON document that iosweep writes: of sweeps with the
# options that add members, of rows that failed, were skipped or cut short, and of the commands.
# Unlisted members, missing ones and other types are faults.
# shellcheck disable=SC2086 # $tree: a list of words
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
need python3
schema=$top_srcdir/doc/iosweep.schema.json
check=$top_srcdir/tests/cli/json_schema.py
cd "$work" || exit 99

# --- the schema itself

iosweep help columns >columns
python3 "$check" "$schema" schema "$top_srcdir/src" columns >out 2>err
case $? in
0) ;;
77) skip "$(sed 's/^SKIP: //' out)" ;;
*) fail "the schema is not that of the program" ;;
esac

# --- documents

# sweep NAME STATUS WORDS...: NAME.json
sweep() {
	sweep_name=$1
	sweep_want=$2
	shift 2
	run "$sweep_want" --quiet --format json -o "$sweep_name.json" "$@"
}
mkdir place
tree="--levels 2 --width 2 -l 16k -n 8"
sweep default 0 --cache cached,device -m 512 -M 4k $tree place
sweep kept 0 --keep-open --verify --sync end --sizes 4k --loops 2 --tests read,write,stat $tree place
sweep columns 0 --columns size_bytes,rate_per_s --sizes 4k -n 40 null:
sweep mix 0 --mix 30,100 --threads 2 --interval 20ms --repeat 2 --sizes 4k --time 60ms null:
for engine in stdio libaio io_uring; do
	! iosweep help engines | grep -A 2 "^$engine " | grep -q 'not usable' || continue
	iosweep help engines | grep -q "^$engine " || continue
	sweep "$engine" 0 --engine "$engine" --sizes 4k $tree place
done
head -c 65536 /dev/zero >file
sweep existing 0 -r --sizes 4k,128k -n 8 file
sweep pairs 0 --engine posix,pread --sizes 4k,128k --tests read --rounds 6,6 -n 600 --levels 1 --width 1 -l 128k place
sweep fill 0 --cache cached --tests fill --fill-step 64k -l 256k -s place
sweep objects 0 --tests write,read,stat,list,copy,delete --objects 8 --sizes 4k -n 16 mem:
printf -- '# two parts\n--sizes 4k -n 20\n--sizes 8k\n' >options
sweep preset 0 @options --label 'a "label" \ and more' null:
sweep failed 1 --null.fail every:3 --max-errors 1000,500/step,60% --sizes 4k -n 40 null:
sweep ended 1 --null.fail every:2 --max-errors 4 --sizes 4k,8k -n 400 null:
if iosweep compare --help >/dev/null 2>&1; then
	sweep again 0 --mix 30,100 --threads 2 --sizes 4k -n 40 null:
	sweep beside 0 --mix 30,100 --threads 2 --sizes 4k -n 40 null:
	run 0 merge again.json beside.json
	cp out merged.json
	iosweep compare --format json again.json mix.json >comparison.json 2>err
	iosweep compare --format json pairs.json >rounds.json 2>err
	[ -s rounds.json ] || fail "compare wrote nothing of one file"
	[ -s comparison.json ] || fail "compare wrote nothing"
	sweep curve 0 -m 512 -M 64k -n 20 --tests read null:
	run 0 fit --format json curve.json
	cp out fits.json
fi
echo "documents: $(echo *.json)"
python3 "$check" "$schema" ./*.json >out 2>err || fail "a document is not as its schema says"
python3 "$check" "$schema" wrong default.json >out 2>err || fail "the schema does not find faults"
