#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# What users of other object benchmarks rely on, as scenarios, as far as a relay shows it: exact
# numbers of objects, requests, parts and pages, and foreign objects that nothing touches.  (What any
# object service has to pass: tests/seeds.sh.)
# shellcheck disable=SC2015,SC2022,SC2030,SC2031,SC2119
# shellcheck source=tests/s3/lib.sh
. "${top_srcdir:?}/tests/s3/lib.sh"

s3_start

# --- pages: 2500 keys by 1000 are 3 requests
relayed
run 0 --quiet --endpoint "$endpoint" --format csv --rounds 1 -n 4 --sizes 1 --tests list \
	--objects 2500 --list-page 1000 --depth 1 --keep --run-name many "s3://$bucket"
[ "$(value requests)" -eq "$((3 * $(value operations)))" ] ||
	fail "$(value requests) requests for $(value operations) lists of 2500 keys"
[ "$(s3 list iosweep-many/1/ | wc -l)" -eq 2500 ] || fail "not 2500 objects"
run 0 clean --endpoint "$endpoint" --run-name many "s3://$bucket"
holds 0
say "DO 7: pages"

# --- the user's objects: read, not changed
head -c 200000 /dev/urandom >"$work/file"
s3 put user/file "$work/file"
relayed
sweep 0 --quiet -n 20 --sizes 1,4Ki,200000 --tests read,stat,list -r "s3://$bucket/user"
[ "$(requests PUT .)" -eq 0 ] && [ "$(requests POST .)" -eq 0 ] && [ "$(requests DELETE .)" -eq 0 ] ||
	fail "something was written: $(grep -v '^[GH]' "$relay_log")"
# a range begins and ends within the object
awk '$1 == "GET" && $7 ~ /^bytes=/ {
	split(substr($7, 7), at, "-"); n++
	if (at[1] > at[2] || at[2] > 199999) { print "range " $7; bad = 1 } }
	END { if (n < 20) { print n + 0 " ranges"; bad = 1 } exit bad }' "$relay_log" >&2 ||
	fail "ranges are not within the object"
s3 get user/file | cmp -s - "$work/file" || fail "a user's object has changed"
holds 1
s3 delete user/file
say "OB 7: user's objects"

# --- scenarios of other tools by number, one function each

# 40 new objects of 100 bytes by 4 workers: 40 operations, 40 PUTs of different names, 4000 bytes.
ob1() {
	relayed
	sweep 0 --quiet --rounds 1 -n 40 --threads 4 --depth 2 --sizes 100 --tests create --keep --run-name ob1 \
		"s3://$bucket"
	check_rows 100 create 40
	numbered ob1 create-100 40 100
	[ "$(requests PUT /create-100/)" -eq 40 ] || fail "$(requests PUT /create-100/) PUTs, not 40"
	[ "$(awk '$1 == "PUT" && $2 ~ /create-100/ { print $2 }' "$relay_log" | sort -u | wc -l)" -eq 40 ] ||
		fail "a name was used twice"
	manifest iosweep-ob1 "$work/manifest"
	grep -qx 'set=create 100 0 40 written' "$work/manifest" || fail "the manifest does not tell of 40 objects"
	# by name alone, with fewer and more workers
	for threads in 1 7; do
		sweep 0 --quiet --rounds 1 -n 40 --threads $threads --tests read,stat,list -r --run-name ob1 \
			"s3://$bucket"
		[ "$(sum operations)" -eq 120 ] && [ "$(sum errors)" -eq 0 ] && [ "$(value stat_hits 2)" -eq 40 ] && [ "$(value stat_misses 2)" -eq 0 ] &&
			[ "$(value list_names 3)" -eq 40 ] || fail "not all 40 objects are found"
	done
	run 3 --quiet --endpoint "$endpoint" -r --verify --run-name ob1 "s3://$bucket"
	errors_are_one_line
	clean ob1
}

# Copies are new objects, too, as long as their sources, which stay.
copies() {
	relayed
	sweep 0 --quiet --rounds 1 -n 30 --depth 4 --sizes 5000 --objects 6 --tests copy --keep --run-name copies \
		"s3://$bucket"
	numbered copies copy-5000 30 5000
	numbered copies 5000 6 5000
	s3 get iosweep-copies/copy-5000/000029 "$work/copy"
	for object in 0 1 2 3 4 5; do
		s3 get iosweep-copies/5000/00000$object "$work/source"
		cmp -s "$work/source" "$work/copy" && break
		[ $object -lt 5 ] || fail "a copy is that of no source"
	done
	# the sources' content is known
	sweep 0 --quiet --rounds 1 -n 20 -r --verify --run-name copies "s3://$bucket"
	shows 'operations errors_wrong' 20:0
	clean copies
}

# One PUT of ten fails: exactly the objects that the run made are stored, each name once, and
# missing ones are not read.
cf9() {
	relayed --rule 'PUT /create-100/ status=500:InternalError every=10'
	sweep 1 --quiet --rounds 1 -n 100 --depth 8 --sizes 100 --tests create --max-errors 0 --keep --run-name cf9 \
		"s3://$bucket"
	shows 'operations errors' 90:10
	kept cf9 create-100 >"$work/kept"
	awk '$1 == "PUT" && $2 ~ /create-100/ && $3 == 200 { sub(/.*create-100\//, "", $2); print $2 }' "$relay_log" |
		sort >"$work/made"
	sed 's,.*/,,' "$work/kept" | cmp -s - "$work/made" || fail "stored is not what was made"
	[ "$(wc -l <"$work/made")" -eq 90 ] || fail "$(wc -l <"$work/made") objects, not 90"
	manifest iosweep-cf9 "$work/manifest"
	grep -qx 'set=create 100 0 90 written' "$work/manifest" || fail "the manifest does not tell of 90 objects"
	relayed
	sweep 0 --quiet --rounds 1 -n 200 -r --tests read,stat --run-name cf9 "s3://$bucket"
	[ "$(sum errors)" -eq 0 ] && [ "$(value stat_misses 2)" -eq 0 ] || fail "something is read that is not there"
	[ "$(awk '$1 == "GET" && $2 ~ /create-100\/[0-9]/ { sub(/.*create-100\//, "", $2); print $2 }' "$relay_log" |
		sort -u | comm -13 "$work/made" - | wc -l)" -eq 0 ] || fail "other objects are read"
	clean cf9
}

# A missing object is a miss, not an error.
ob6() {
	sweep 0 --quiet --rounds 1 -n 8 --sizes 10 --objects 4 --tests write --keep --run-name ob6 "s3://$bucket"
	relayed --rule 'HEAD /10/ status=404:NoSuchKey every=4'
	sweep 0 --quiet --rounds 1 -n 40 -r --tests stat --run-name ob6 "s3://$bucket"
	shows 'operations stat_hits stat_misses errors' 40:30:10:0
	endpoint=$server_endpoint
	clean ob6
}

# manifest_has RUN LINE
manifest_has() {
	manifest "iosweep-$1" "$work/manifest"
	grep -qx -e "$2" "$work/manifest" || fail "the manifest of $1 does not say $2: $(cat "$work/manifest")"
}

# Removing a kept run is measured: each object once, whatever made it and with another number of
# workers; no throughput; then nothing is left, and a second time there is no such run.
ob8() {
	for ob8_batch in 1 7; do
		sweep 0 --quiet --rounds 1 -n 40 --threads 4 --sizes 100,300 --objects 40 \
			--tests create,write,append,rename --keep --run-name ob8 "s3://$bucket"
		echo mine >"$work/mine"
		s3 put iosweep-ob8-mine "$work/mine"
		s3 list iosweep-ob8/ | grep -v MANIFEST- | sed 's/^[0-9]* //' | sort >"$work/objects"
		ob8_objects=$(wc -l <"$work/objects")
		[ "$ob8_objects" -ge 242 ] || fail "$ob8_objects objects"
		relayed
		sweep 0 --quiet --threads 3 --depth 2 --tests delete --delete-batch $ob8_batch -r --run-name ob8 "s3://$bucket"
		holds 1 iosweep-ob8
		s3 delete iosweep-ob8-mine
		[ "$(count_rows)" -eq 2 ] && [ "$(sum errors)" -eq 0 ] && [ "$(value stop)" = exhausted ] || fail "not all went well"
		[ -z "$(value throughput_bytes_per_s)" ] || fail "deleting has a throughput"
		if [ $ob8_batch -eq 1 ]; then
			[ "$(sum operations)" -eq "$ob8_objects" ] ||
				fail "$(sum operations) operations for $ob8_objects objects"
			awk '$1 == "DELETE" && $2 !~ /MANIFEST-/ { sub(/^\/[^\/]*\//, "", $2); print $2 }' "$relay_log" | sort |
				cmp -s - "$work/objects" || fail "not each object was deleted once"
		else
			[ "$(sum operations)" -eq $((2 * ((ob8_objects / 2 + 6) / 7))) ] &&
				[ "$(sum requests)" -eq "$(sum operations)" ] || fail "$(sum operations) requests"
		fi
		run 3 --quiet --endpoint "$endpoint" --tests delete -r --run-name ob8 "s3://$bucket"
		one_error 'no such run: ob8'
	done
	run 2 --quiet --endpoint "$endpoint" --tests delete -r "s3://$bucket" # a run must be named
	errors_are_one_line
}

# A delete that its time ends early leaves the rest, which is counted, and removed later.
cf12() {
	sweep 0 --quiet --rounds 1 -n 19 --sizes 100 --objects 19 --tests write --verify --keep --run-name cf12 \
		"s3://$bucket"
	relayed --rule 'DELETE /100/ delay-head=60'
	run 0 --endpoint "$endpoint" --format csv --time 200ms --tests delete -r --run-name cf12 "s3://$bucket"
	[ "$(value stop)" = time ] || fail "it ended because of $(value stop)"
	cf12_left=$(($(s3 list iosweep-cf12/100/ | wc -l)))
	[ $cf12_left -gt 0 ] && [ $cf12_left -lt 19 ] || fail "$cf12_left objects are left of 19"
	expect_reported "$cf12_left objects? of the run (is|are) left"
	shows left_objects $cf12_left
	manifest_has cf12 'set=whole 100 19 19 pattern'
	manifest_has cf12 state=ended
	sweep 0 --quiet --tests delete -r --run-name cf12 "s3://$bucket"
	shows operations $cf12_left
	holds 0 iosweep-cf12/
}

# A failed part is aborted: no upload is pending, and the operation is an error. A part that is too
# small is refused before anything is sent.
ob4() {
	relayed --rule 'PUT partNumber=2 status=500:InternalError every=3'
	sweep 1 --quiet --rounds 1 -n 6 --sizes 12Mi --part-size 5Mi --objects 2 --tests write --max-errors 0 \
		"s3://$bucket"
	shows 'operations errors' 4:2
	[ "$(awk '$1 == "DELETE" && $2 ~ /uploadId=/ { n++ } END { print n + 0 }' "$relay_log")" -eq 2 ] ||
		fail "uploads were not given up"
	[ "$(requests POST uploadId=)" -eq 4 ] || fail "not 4 complete uploads"
	[ -z "$(s3 uploads)" ] || fail "an upload is left: $(s3 uploads)"
	relay
	run 2 --quiet --endpoint "$relay" --sizes 12Mi --part-size 4Mi --tests write "s3://$bucket"
	[ ! -s "$relay_log" ] || fail "requests were sent"
}

# connections METHOD REGEX: number used by such requests; sequential ones share one
connections() {
	awk -v method="$1" -v regex="$2" '$1 == method && $2 ~ regex && !seen[$6]++ { n++ } END { print n + 0 }' "$relay_log"
}

# The same with concurrent parts: all of them are in the log, and the stored object is right; if one
# fails, the upload is aborted after the others have ended.
ob4_parallel() {
	relayed --rule 'PUT partNumber= delay-head=300'
	sweep 0 --quiet --rounds 1 -n 2 --sizes 17Mi --part-size 5Mi --parallel 4 --objects 2 \
		--tests write,append,read --verify "s3://$bucket"
	shows 'operations errors errors_wrong requests' '2:0:0:12 2:0:0:12 2:0:0:8'
	for ob4_set in 17825792 append-17825792; do
		[ "$(requests PUT "/$ob4_set/.*partNumber=")" -eq 8 ] || fail "$ob4_set: not 8 parts"
	done
	# each of them takes 300 ms
	[ "$(value transfer_ns_mean | cut -d. -f1)" -ge 300000000 ] || fail "the parts are not waited for"
	[ "$(connections PUT partNumber=)" -ge 4 ] || fail "the parts wait for each other"
	relayed --rule 'PUT partNumber=2 status=500:InternalError every=3'
	sweep 1 --quiet --rounds 1 -n 6 --sizes 12Mi --part-size 5Mi --parallel 3 --objects 2 \
		--tests write --max-errors 0 "s3://$bucket"
	shows 'operations errors' 4:2
	[ "$(requests DELETE uploadId=)" -eq 2 ] && [ "$(requests POST uploadId=)" -eq 4 ] ||
		fail "not 2 uploads given up and 4 complete"
	awk '$2 ~ /uploadId=/ { sub(/.*uploadId=/, "", $2); sub(/&.*/, "", $2)
			if (over[$2] && $1 == "PUT") { print "a part after its upload was given up"; bad = 1 }
			if ($1 == "DELETE") over[$2] = 1 }
		END { exit bad }' "$relay_log" >&2 || fail "given up while parts were under way"
	[ -z "$(s3 uploads)" ] || fail "an upload is left: $(s3 uploads)"
}

# ob9_run STATUS OPTION...: a run of 3 objects of two sizes
ob9_run() {
	ob9_status=$1
	shift
	sweep "$ob9_status" --quiet -n 6 --sizes 100,4Ki --objects 3 --tests write "$@" "s3://$bucket"
}
# ob9_foreign WHAT: foreign objects are unchanged
ob9_foreign() {
	for ob9_key in $ob9_keys; do
		s3 get "$ob9_key" "$work/got" && cmp -s "$work/foreign" "$work/got" || fail "$1: $ob9_key is not as it was"
	done
}

# --replace, and clean, with an edited manifest: whatever it contains, foreign objects are
# unchanged, even with a name or in a place of the run's, and --replace then removes nothing at all.
ob9_clean() {
	echo foreign >"$work/foreign"
	ob9_keys="iosweep-ob9/mine iosweep-ob9/100/mine iosweep-ob9/100/0000001 iosweep-ob9/100/000003
		iosweep-ob9/200/000000 iosweep-ob9/append-100/000000 iosweep-ob9/MANIFEST-1.old iosweep-ob99/100/000000"
	ob9_run 0 --keep --run-name ob9
	ob9_run 0 --replace --keep --run-name ob9 # an earlier run of this name, and nothing else
	numbered ob9 100 3 100
	ob9_run 3 --keep --run-name ob9
	expect_reported 'a run of this name already exists'
	manifest iosweep-ob9 "$work/manifest"
	s3 delete "$(manifest_key iosweep-ob9)"
	s3 put iosweep-ob9/MANIFEST-1 "$work/manifest" # of several the highest valid one would count
	for ob9_key in $ob9_keys; do
		s3 put "$ob9_key" "$work/foreign"
	done
	s3 list >"$work/all"
	ob9_run 3 --replace --run-name ob9
	expect_reported '7 objects that no run made are left in place'
	s3 list | cmp -s - "$work/all" || fail "--replace removes some of a run that holds something foreign"
	# as many or more objects than existed, other sizes, another name: it is rejected, or it names
	# objects other than the run's
	for ob9_edit in '1s/3$/4/' 's/^run=ob9/run=ob8/' 's/^sets=2/sets=3/' 's/ 3 3 written/ 3 4 written/' \
		's/whole 4096/whole 99/' 's/^state=.*/state=begun/' '2d' '$a\set=whole 1 1 1 written'; do
		sed "$ob9_edit" "$work/manifest" >"$work/edited"
		s3 put iosweep-ob9/MANIFEST-1 "$work/edited"
		run 3 clean --endpoint "$endpoint" --run-name ob9 "s3://$bucket"
		errors_are_one_line
		s3 list >"$work/all"
		ob9_run 3 --replace --run-name ob9
		s3 list | cmp -s - "$work/all" || fail "--replace removes some of what $ob9_edit names"
		ob9_foreign "$ob9_edit"
		numbered_only 100 3
	done
	sed 's/100 3 3/100 8 8/' "$work/manifest" >"$work/edited"
	s3 put iosweep-ob9/MANIFEST-1 "$work/edited"
	run 3 clean --endpoint "$endpoint" --run-name ob9 "s3://$bucket"
	expect_reported 'objects that no run made are left in place'
	ob9_foreign clean
	[ "$(kept ob9 4096 | wc -l)" -eq 0 ] || fail "objects of the earlier run are left"
	# without a manifest, all objects are foreign
	s3 delete iosweep-ob9/MANIFEST-1
	s3 list >"$work/all"
	ob9_run 3 --replace --run-name ob9
	expect_reported 'it has no iosweep manifest'
	s3 list | cmp -s - "$work/all" || fail "--replace removes what has no manifest"
	ob9_run 3 --keep --run-name ob9
	one_error 'an existing object is where this run would put its own: s3://'
	ob9_foreign "without a manifest"
	for ob9_key in $ob9_keys; do
		s3 delete "$ob9_key"
	done
	ob9_run 0 --run-name ob9
}
numbered_only() {
	[ "$(kept ob9 "$1" | grep -c "^$1 ")" -eq "$2" ] || fail "objects of the run are removed by an edited manifest"
}

# A GET as parallel ranges: the same bytes, each range once, in the row and in the relay's log; if
# one fails, it is one failed read.
do6() {
	relayed
	sweep 0 --quiet --rounds 1 -n 6 --sizes 1000003 --objects 2 --tests read --parallel 4 --verify "s3://$bucket"
	shows 'operations requests errors errors_wrong' 6:24:0:0
	awk '$1 == "GET" && $7 ~ /^bytes=/ { n[$7]++ } END {
		for (range in n) { kinds++; sum += n[range]; split(substr(range, 7), at, "-"); bytes += at[2] - at[1] + 1
			if (n[range] != 6) bad = 1 }
		exit bad || kinds != 4 || sum != 24 || bytes != 1000003 }' "$relay_log" ||
		fail "other ranges: $(awk '{ print $7 }' "$relay_log" | sort | uniq -c)"
	relayed --rule 'GET /1000003/ status=500:InternalError every=12'
	sweep 1 --quiet --rounds 1 -n 6 --sizes 1000003 --objects 2 --tests read --parallel 4 --max-errors 0 \
		"s3://$bucket"
	shows 'operations errors requests' 4:2:24
	# the ranges wait concurrently
	relayed --rule 'GET /1000003/ delay-head=500'
	sweep 0 --quiet --rounds 1 -n 1 --sizes 1000003 --objects 1 --tests read --parallel 4 "s3://$bucket"
	[ "$(value latency_ns_min)" -ge 500000000 ] || fail "a read took $(value latency_ns_min) ns, not 500 ms"
	[ "$(connections GET /1000003/)" -ge 4 ] || fail "the ranges wait for each other"
}

# The time of completing an upload is in the column of the end, and in the operation.
do8() {
	relayed --rule 'POST uploadId= delay-head=100'
	sweep 0 --quiet --rounds 1 -n 5 --sizes 1Ki --objects 2 --tests append "s3://$bucket"
	awk -v last="$(value close_ns_mean)" -v least="$(value latency_ns_min)" \
		'BEGIN { exit !(last >= 1e8 && least >= 1e8) }' || fail "the end took $(value close_ns_mean) ns, not 100 ms"
}

for scenario in \
	ob1 \
	copies \
	cf9 \
	ob6 \
	ob8 \
	cf12 \
	ob4 \
	ob4_parallel \
	ob9_clean \
	do6 \
	do8; do
	echo "scenario $scenario"
	$scenario
	holds 0
	say "$scenario"
done
