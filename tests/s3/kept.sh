#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Kept runs are read by name on a real server: after only writing, in the sizes that they were made
# for, and after kill -9 as far as they go, as noted in the rows. Another client counts the objects.
# shellcheck disable=SC2015,SC2086,SC2119 # lists of words
# shellcheck source=tests/s3/lib.sh
. "${top_srcdir:?}/tests/s3/lib.sh"

s3_start
kept=$bucket/kept

# objects RUN SET: their number
objects() {
	s3 list "kept/iosweep-$1/$2/" | wc -l
}
written() { [ "$(objects killed 100)" -ge "$1" ]; }
# read_run STATUS RUN ARGUMENT...: rows of it in $work/out
read_run() {
	read_status=$1 read_name=$2
	shift 2
	sweep "$read_status" --quiet --rounds 1 -n 20 -r --run-name "$read_name" "$@" "s3://$kept"
}
# manifest_says RUN LINE
manifest_says() {
	manifest "kept/iosweep-$1" "$work/manifest"
	grep -qx -e "$2" "$work/manifest" || {
		cat "$work/manifest" >&2
		fail "the manifest of $1 does not say $2"
	}
}

# --- each test that writes first makes all objects of its set, whatever is drawn; then -r reads
# them
for test in write append; do
	sweep 0 --quiet -n 40 --rounds 1 --depth 4 --sizes 100,3000 --objects 40 --tests $test --keep \
		--run-name $test "s3://$kept"
	[ "$(sum operations)" -eq 80 ] || fail "$(sum operations) operations of $test, not 80"
	read_run 0 $test
	[ "$(count_rows)" -eq 2 ] && [ "$(value size_bytes)" -eq 100 ] && [ "$(value size_bytes 2)" -eq 3000 ] ||
		fail "a run is not read in the sizes it was made for"
	! grep partial "$work/out" >&2 || fail "a run of $test that is complete is called partial"
done
[ "$(objects write 100)" -eq 40 ] && [ "$(objects append append-3000)" -eq 40 ] ||
	fail "not all objects are made by the first pass"
manifest_says write 'set=whole 100 40 40 written'
manifest_says write 'state=ended'
sweep 0 --quiet -n 40 --rounds 2 --threads 2 --depth 4 --sizes 100 --objects 30 --tests write,read --verify \
	--keep --run-name verified "s3://$kept"
read_run 0 verified --verify
read_run 0 verified -M 64 -m 64
[ "$(count_rows)" -eq 1 ] && [ "$(value size_bytes)" -eq 64 ] || fail "sizes that are given do not hold"
say "written, then read"

# --- later runs know objects of create: each contains its own data
for parts in '' '--part-size 5Mi'; do
	name=made$(echo "$parts" | tr -dc 5)
	sweep 0 --quiet -n 12 --rounds 1 --threads 2 --depth 3 --sizes 100,11000000 $parts --objects 2 --verify \
		--tests create,read:created --keep --run-name "$name" "s3://$kept"
	read_run 0 "$name" --verify --tests read
	[ "$(count_rows)" -eq 2 ] || fail "not all of what was created is read"
done
s3 get kept/iosweep-made/create-100/000003 "$work/other"
s3 put kept/iosweep-made/create-100/000004 "$work/other"
read_run 4 made --verify --sizes 100 --tests read --access once

# --- fewer operations than objects: the rest does not exist, which the rows note
sweep 0 --quiet -n 7 --rounds 1 --sizes 100 --objects 40 --tests write --keep --run-name few "s3://$kept"
[ "$(objects few 100)" -eq 7 ] || fail "$(objects few 100) objects of 7 writes"
manifest_says few 'set=whole 100 40 7 written'
read_run 0 few
[ "$(value notes | grep -c 'partial:7/40')" -eq 1 ] || fail "notes: $(value notes), not partial:7/40"
read_run 0 few --sizes 50
value notes | grep -q 'partial:7/40' || fail "ranges of a partial set are not called so"
read_run 0 few --tests list,stat
[ "$(sum errors)" -eq 0 ] || fail "a partial set cannot be listed"
say "a pass that is not complete"

# --- kill -9: with and without --verify, including objects in progress
for verify in '' --verify; do
	relay --rule 'PUT /100/000004 hang'
	"$IOSWEEP" --endpoint "$relay" --quiet --depth 2 --time 100s --rounds 1 --sizes 100 --objects 2000 \
		--tests write $verify --run-name killed "s3://$kept" >"$work/out" 2>"$work/err" </dev/null &
	pid=$!
	on_exit "end_child $pid"
	soon "no 4 objects are written" written 4
	sleep 0.3
	kill -KILL $pid
	wait $pid
	there=0
	until before=$there there=$(objects killed 100) && [ "$there" -eq "$before" ]; do
		sleep 1 # requests in flight arrive
	done
	read_run 0 killed $verify
	value notes | grep -q "partial:$there/2000" || fail "notes: $(value notes), not partial:$there/2000 $verify"
	[ "$(sum errors)" -eq 0 ] || fail "what is there cannot be read"
	run 0 clean --endpoint "$endpoint" $when_killed --run-name killed "s3://$kept"
	[ "$(s3 list kept/iosweep-killed | wc -l)" -eq 0 ] || fail "a killed run is left"
done
say "kill -9"

# --- removed objects are missed, but the rest is read
s3 delete kept/iosweep-verified/100/000003
sweep 0 -n 20 --rounds 1 -r --run-name verified "s3://$kept"
expect_reported 'objects that the run made are missing in 1 of 1 sets'
value notes | grep -q 'partial:29/30' || fail "notes: $(value notes), not partial:29/30"
read_run 3 verified --verify
expect_reported 'found an object missing: .*/100/000003'
say "missing objects"

# --- a run killed while it put its first manifest has nothing to read
printf 'iosweep manifest 3\nstorage=s3\nrun=torn\nowner=01' >"$work/torn"
s3 put kept/iosweep-torn/MANIFEST-1 "$work/torn"
for torn in "--run-name torn s3://$kept" "s3://$kept/iosweep-torn"; do
	sweep 3 --quiet -n 4 -r $torn
	one_error 'killed at its start, so nothing is complete in run torn; iosweep clean --force --run-name torn'
done
say "a run that was torn"
