#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# `iosweep clean` on a real server with several runs below one prefix, some of them alive: a dry run only
# lists; what was killed on another host can be removed once it has been silent for long enough; a run
# removed while alive ends and leaves nothing; and a live run renews its manifest.  (Which runs a name
# selects: tests/cli/runs.sh; each state of a run: tests/life.)
# shellcheck disable=SC2015,SC2119
# shellcheck source=tests/s3/lib.sh
. "${top_srcdir:?}/tests/s3/lib.sh"

s3_start
place=$bucket/runs

# clean STATUS ARGUMENT...
clean() {
	clean_status=$1
	shift
	run "$clean_status" clean --endpoint "$endpoint" "$@"
}
# keep NAME SIZE: a run of 5 objects, with a list of its contents
keep() {
	sweep 0 --quiet -n 5 --rounds 1 --sizes "$2" --objects 5 --tests write --keep --run-name "$1" "s3://$place"
	s3 sums "runs/iosweep-$1/" >"$work/$1"
	holds 6 "runs/iosweep-$1/" # 5 objects and a manifest
}
# untouched NAME...: compares byte by byte
untouched() {
	for name in "$@"; do
		s3 sums "runs/iosweep-$name/" | cmp -s - "$work/$name" || fail "run $name is not as it was"
	done
}
gone() {
	[ "$(s3 list "runs/iosweep-$1/" | wc -l)" -eq 0 ] || fail "something of run $1 is left"
}
begun() { [ "$(s3 list "runs/iosweep-$1/200/" | wc -l)" -ge 5 ]; }
# begin NAME [ENDPOINT]: a run that continues in the background; $pid
begin() {
	"$IOSWEEP" --endpoint "${2:-$endpoint}" --quiet --format csv --rate 5 --time 1000s --rounds 1 --sizes 200 \
		--objects 5 --tests write --run-name "$1" "s3://$place" >"$work/out-$1" 2>"$work/err-$1" </dev/null &
	pid=$!
	on_exit "end_child $pid"
	soon "run $1 does not begin" begun "$1"
}
whole() { [ "$(listed "runs/iosweep-$1/" | wc -l)" -eq 6 ]; }
alive() {
	kill -0 "$2" || fail "run $1 has ended"
	soon "objects of the live run $1 are gone" whole "$1" # briefly, while they are overwritten
}
# force NAME: removes a live run; repeats if it has put an object meanwhile
force() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		iosweep clean --endpoint "$endpoint" --force --run-name "$1" "s3://$place" >"$work/out" 2>"$work/err" </dev/null
		force_status=$?
		[ $force_status -eq 3 ] && grep -q 'it is still there' "$work/err" || break
	done
	[ $force_status -eq 0 ] || fail "clean --force of $1: status $force_status"
}
# wait_end PID: $ended is its status
wait_end() {
	end_turn=0
	while is_child "$1"; do
		end_turn=$((end_turn + 1))
		[ $end_turn -lt 2000 ] || fail "a run that was removed goes on"
		sleep 0.1
	done
	wait "$1"
	ended=$?
}

keep one 100
keep three 3000
begin live
live=$pid
begin killed
kill -KILL $pid
wait $pid
manifest runs/iosweep-killed "$work/manifest"
grep -qx "state=running [0-9a-f]\{16\} $pid [0-9]*" "$work/manifest" ||
	fail "the manifest of a run that goes on does not say so: $(cat "$work/manifest")"
# as if it were on another host
sed 's/^state=running [0-9a-f]*/state=running 0123456789abcdef/' "$work/manifest" >"$work/elsewhere"
put_manifest runs/iosweep-killed "$work/elsewhere"
say "four runs"

# --- a dry run lists, and sends no request that changes anything
relay
run 0 clean --endpoint "$relay" --dry-run "s3://$place"
[ "$(wc -l <"$work/out")" -eq 4 ] || fail "a dry run lists $(wc -l <"$work/out") runs, not 4"
grep -Eq 'iosweep-three: 5 objects, 15 KiB, [0-9]+ (s|min) old$' "$work/out" || fail "run three is not listed"
grep -Eq 'iosweep-live: 5 objects, .*, in use by a running iosweep$' "$work/out" || fail "run live is not listed"
[ "$(requests '*' .)" -gt 5 ] && [ "$(requests '*' .)" -eq "$(requests GET .)" ] ||
	fail "a dry run sends other requests than lists and gets"
untouched one three
alive live $live
say "dry run"

# --- all except those that may be alive
clean 3 --all "s3://$place"
expect_reported 'in use by a running iosweep: .*iosweep-live;'
expect_reported 'in use by a running iosweep: .*iosweep-killed;.* if it was killed, wait another [0-9]+ s; iosweep clean --force'
expect_reported '10 objects, 15 KiB of 2 runs removed'
gone one
gone three
alive live $live
holds 6 runs/iosweep-killed/
# ten minutes after its last manifest it is dead, by the server's clock
relay --rule 'GET iosweep-killed/MANIFEST- old=600'
clean 0 --endpoint "$relay" --run-name killed "s3://$place"
gone killed
alive live $live
say "a run that was killed"

# --- removed by force while alive: it notices, removes what it has made meanwhile and ends; and a
# run whose name was taken by another leaves everything unchanged
begin taken
taken=$pid
manifest runs/iosweep-taken "$work/manifest"
sed 's/^owner=.*/owner=0000000000000001/' "$work/manifest" >"$work/other"
put_manifest runs/iosweep-taken "$work/other"
# a renewal is in flight while the manifests are removed: nothing of it stays
relay --rule 'PUT iosweep-held/MANIFEST-2 delay-head=15000'
begin held "$relay"
held=$pid
force live
expect_reported '[0-9]+ objects, .* of 1 run removed'
soon "the manifest is not renewed" come 1 '^PUT .*iosweep-held/MANIFEST-2'
force held
wait_end $live
[ $ended -eq 1 ] || [ $ended -eq 3 ] || fail "exit status $ended of a run that was removed"
one_line "$work/err-live"
grep -q 'this run was removed while running: .*iosweep-live' "$work/err-live" ||
	fail "the run does not say that it was removed: $(cat "$work/err-live")"
gone live
wait_end $held
[ $ended -eq 1 ] || [ $ended -eq 3 ] || fail "exit status $ended of a run that was removed"
gone held
awk '$1 == "PUT" && $2 ~ "/MANIFEST-" { n++; bad += $10 != "*" } END { exit bad || n < 2 }' "$relay_log" ||
	fail "a manifest is put without its condition"
wait_end $taken
[ $ended -eq 1 ] || [ $ended -eq 3 ] || fail "exit status $ended of a run whose name was taken"
grep -q 'this run was removed while running: .*iosweep-taken' "$work/err-taken" ||
	fail "the run does not say that its name was taken: $(cat "$work/err-taken")"
manifest runs/iosweep-taken "$work/manifest"
cmp -s "$work/manifest" "$work/other" && [ "$(listed runs/iosweep-taken/ | wc -l)" -eq 6 ] ||
	fail "a run touches what another one has taken"
sed 's/^state=.*/state=ended/' "$work/other" >"$work/ended"
put_manifest runs/iosweep-taken "$work/ended"
clean 0 "s3://$place"
holds 0
say "removed by force"

# --- a live run renews its manifest, which others see
begin renewed
turn=0
until manifest runs/iosweep-renewed "$work/manifest" 2>/dev/null &&
	grep -qx 'set=whole 200 5 5 written' "$work/manifest"; do
	turn=$((turn + 1))
	[ $turn -lt 200 ] || fail "the manifest is not renewed"
	sleep 1
done
kill -TERM $pid
wait_end $pid
[ $ended -eq 143 ] || fail "exit status $ended of a run that was ended"
holds 0
say "renewed"
