# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# shellcheck shell=sh
# shellcheck disable=SC2015,SC2016,SC2017,SC2034,SC2046,SC2086,SC2154,SC2317
# seeds.sh - what users of other benchmarks rely on, as scenarios for any storage: a function for each, by
# its number; sourced after lib.sh of an object service (see objects.sh), or on files by
# tests/cli/seeds.sh, which says in $lacks which tests it does not know, in $secrets what nothing may print,
# in $slow with which options each operation takes at least $least_ns; and, where something can say
#     asked_for ARGS...        a sweep that succeeds, with the object and the offset of each of its reads
#                              in $work/asked, a line each, in their order
# Each ends with what was there before.
#     seeds NAME...            runs these scenarios
# $uploads is not empty where an append is an upload, which takes no --call-size.
# do8 is about what completes an upload, which buckets have: see tests/s3.  That the latency of a slow
# request at the end of rb12 is its own, only a service can show that is slow on demand: see
# tests/cli/seeds-rb.sh.

lacks=" ${lacks:-} "
requests_each=${requests_each:-1}
least_ns=${least_ns:-1000} # of a request
calls_of() {
	[ "${uploads:-}" ] || echo "--call-size $1"
}
knows() {
	case $lacks in
	*" $1 "*) false ;;
	*) true ;;
	esac
}

# Names that a run has deleted are misses, not failures.
ob6() {
	for ob6_test in write create; do
		sweep 0 --quiet --rounds 1 -n 9 --sizes 100 --objects 9 --tests $ob6_test --keep --run-name ob6 "$target"
		sweep 0 --quiet --rounds 1 -r --run-name ob6 --tests stat,delete,stat:n=30 -n 50 "$target"
		shows 'operations stat_hits stat_misses errors' '50:50:0:0 9:::0 30:0:30:0'
		holds 0 iosweep-ob6/
	done
}

# A deletion that ends early: the rest is counted, named and read, and a second one or clean removes it.
cf12() {
	for cf12_rest in delete clean; do
		sweep 0 --quiet --rounds 1 -n 16 --sizes 4Ki --objects 16 --tests write --keep --run-name cf12 "$target"
		sweep 0 -r --run-name cf12 --tests delete -n 5 --threads 2 "$target"
		shows 'operations stop left_objects' 5:count:11
		expect_reported '^# 11 (file|object)s of the run are left in .*/iosweep-cf12.*; .*: iosweep clean .*cf12'
		[ "$(kept cf12 4096 | wc -l)" -eq 11 ] || fail "not 11 are left"
		sweep 0 --quiet -r --run-name cf12 --access once "$target"
		shows operations 11
		noted partial:11/16
		if [ $cf12_rest = clean ]; then
			clean cf12
		else
			sweep 0 --quiet -r --run-name cf12 --tests delete --time 1000s "$target"
			shows 'operations stop' 11:exhausted
		fi
		holds 0 iosweep-cf12/
	done
}

# Three threads that create five objects each, three times: each time its 15 operations, and
# figures that are neither divided by the five nor by the three.
do1() {
	sweep 0 --quiet --tests create --sizes 1024000 --threads 3 -n 5/thread --repeat 3 --rounds 1 ${slow:-} "$target"
	column repeat size_bytes operations throughput_bytes_per_s time_s latency_ns_mean |
		awk -F: -v least=$least_ns '$1 != NR || $2 != 1024000 || $3 != 15 { exit 1 }
			($4 * $5 / 15360000 - 1) ^ 2 > 1e-12 { exit 1 }
			# five in sequence, no faster than the storage, and no more than three at a time
			$5 * 1e9 < 5 * least || $6 < least { exit 1 }
			$6 * 15 > 1.01 * 3e9 * $5 { exit 1 }
			END { if (NR != 3) exit 1 }' || fail "not 3 times 15 operations: $(column repeat operations time_s latency_ns_mean)"
}

# The first repeat is cold, and says so; uploads tell what it takes to begin one in a column of its own.
do3() {
	sweep 0 --quiet --tests read --sizes 4k --objects 4 -n 30 --repeat 3 "$target"
	[ "$(column repeat notes | grep -c '^1:.*cold')" -eq 1 ] && [ "$(column repeat notes | grep -c cold)" -eq 1 ] ||
		fail "cold: $(column repeat notes)"
	sweep 0 --quiet --tests append --sizes 4k --objects 4 -n 10 --rounds 1 "$target"
	awk -v opens="$(value open_ns_mean)" -v all="$(value latency_ns_mean)" 'BEGIN { exit !(opens > 0 && opens < all) }' ||
		fail "beginning takes $(value open_ns_mean) ns of $(value latency_ns_mean)"
}

# 10 MiB through a buffer of 1000000 bytes: 11 requests beside the one that begins, of all bytes.
do5() {
	sweep 0 --quiet --rounds 1 -n 3 --objects 3 --sizes 10Mi --call-size 1000000 --tests append --keep \
		--run-name do5 "$target"
	shows 'operations requests errors' "3:$((3 * 12 * requests_each)):0"
	numbered do5 append-10485760 3 10485760
	clean do5
}

# One object of a user: as a whole, in a length that it has, and in one that it does not have, where it
# is counted as short; it stays what it is.
do4() {
	head -c 30000 /dev/urandom >"$work/file"
	stored put user/file "$work/file"
	stored put user/file2 "$work/file"
	sweep 0 --quiet -r --tests read --sizes full,7000 -n 10 "$target/user/file"
	shows 'size_bytes operations' '7000:10 30000:10'
	sweep 0 --quiet -r --tests read --sizes 100000 -n 10 --allow-short "$target/user/file"
	shows 'operations errors_short throughput_bytes_per_s' 0:10: "an object that is shorter"
	sweep 1 --quiet -r --tests read --sizes 100000 -n 10 "$target/user/file"
	shows notes skipped:beyond_file
	sweep 3 --quiet -r --tests read --sizes 100 -n 10 "$target/user/fil"
	errors_are_one_line
	stored get user/file | cmp -s - "$work/file" || fail "it has changed"
	stored delete user/file
	stored delete user/file2
}

# A read as parallel ranges: the same bytes, each range once.
do6() {
	sweep 0 --quiet --rounds 1 -n 6 --sizes 1000003 --objects 2 --tests read --parallel 4 --verify "$target"
	shows 'operations requests errors errors_wrong' "6:$((24 * requests_each)):0:0"
}

# Operations on names have latencies and no throughput, 2500 names are listed, in pages, and objects have
# their first names at the end, also after an odd number of renames.
do7() {
	do7_tests=stat,list
	do7_rows='1 2'
	! knows rename || { do7_tests=stat,list,rename && do7_rows='1 2 3'; }
	sweep 0 --quiet --tests $do7_tests --objects 2500 --sizes 1 -n 9 --rounds 1 --depth 2 --keep --run-name do7 "$target"
	[ "$(value stat_hits)" -eq 9 ] && [ "$(value list_names 2)" -eq 2500 ] || fail "$(value stat_hits) hits of 9, $(value list_names 2) names of 2500"
	[ "$(value requests 2)" -ge "$(value operations 2)" ] && [ "$(value operations 2)" -eq 9 ] ||
		fail "$(value requests 2) requests for $(value operations 2) lists"
	for do7_line in $do7_rows; do
		[ -n "$(value latency_ns_mean "$do7_line")" ] && [ -z "$(value throughput_bytes_per_s "$do7_line")" ] ||
			fail "no latency, or a throughput"
	done
	if knows rename; then
		[ "$(value operations 3)" -eq 9 ] || fail "$(value operations 3) renames of 9"
		[ "$(kept do7 rename-1 | sed 's,.*/,,' | tr '\n' ' ')" = '000000 000002 ' ] ||
			fail "names have changed: $(kept do7 rename-1)"
	else
		sweep 1 --quiet --tests rename --sizes 1 -n 4 "$target"
		shows 'operations notes' 0:skipped:not_by_target
	fi
	clean do7
}

# What authenticates is in nothing that is printed or kept.
do9() {
	sweep 0 --verbose --tests write,read --sizes 4k -n 20 --interval 100ms --series "$work/series" \
		--keep --run-name do9 "$target"
	cp "$work/out" "$work/rows"
	run 0 --verbose --format json --output "$work/json" -r --run-name do9 ${endpoint:+--endpoint "$endpoint"} "$target"
	manifest iosweep-do9 "$work/manifest"
	for do9_secret in ${secrets:?}; do
		! grep -Fl -e "$do9_secret" "$work/series" "$work/rows" "$work/json" "$work/manifest" "$work/out" "$work/err" ||
			fail "a secret is in it"
	done
	clean do9
}

# What has failed gives no rate from bytes that were not moved: it is counted, and the run fails; what is
# gone before the run is no part of it.
do10() {
	sweep 0 --quiet --rounds 1 -n 10 --sizes 4k --objects 10 --tests write --keep --run-name do10 "$target"
	for do10_gone in 2 5 9; do
		stored delete "$(member do10 4096 $do10_gone)"
	done
	sweep 0 --quiet --rounds 1 -r --run-name do10 --access once --time 1000s --max-errors 0 --tests read "$target"
	shows 'operations errors' 7:0 "of 10 objects 7 are there"
	noted partial:7/10
	rm -f "$work/series"
	begin_run -r --run-name do10 --time 1000s --rounds 1 --max-errors 5 --tests read --interval 100ms \
		--series "$work/series" "$target"
	soon "nothing is read" has_records 3
	for do10_gone in 0 1 3; do
		stored delete "$(member do10 4096 $do10_gone)"
	done
	end_run none 1
	[ "$(value errors)" -ge 5 ] && [ "$(value operations)" -ge 1 ] || fail "$(column operations errors)"
	awk -v bytes="$(($(value operations) * 4096))" -v rate="$(value throughput_bytes_per_s)" -v time="$(value time_s)" \
		'BEGIN { exit (rate * time / bytes - 1) ^ 2 > 1e-12 }' || fail "failed operations have bytes"
	clean do10
}

# An operation that moves no data has its time in ns, whatever the number of threads, of which each has no
# more than one of them under way.
do11() {
	do11_tests=stat,list,delete
	do11_rows=6
	! knows rename || { do11_tests=stat,list,rename,delete && do11_rows=8; }
	sweep 0 --quiet --tests $do11_tests --threads 1,4 --sizes 1 --objects 40 -n 40 --rounds 1 ${slow:-} "$target"
	column threads operations time_s latency_ns_mean latency_ns_min throughput_bytes_per_s latency_ns_p50 |
		awk -F: -v rows=$do11_rows -v least=$least_ns -v slow="${slow:-}" '
		$2 != 40 || $6 != "" || $5 < least || $4 * 40 > 1.01e9 * $3 * $1 { print "row " NR ": " $0; bad = 1 }
		# a bucket of the histogram begins up to 1/64 lower; a busy machine makes latencies longer
		slow != "" && $7 < 0.98 * least { print "row " NR ": " $0; bad = 1 }
		slow != "" && $1 == 4 && $7 > 3 * least { longer++ }
		END { exit bad || NR != rows || longer == rows / 2 }' >&2 ||
		fail "rows of names: $(column test threads operations time_s latency_ns_mean)"
}

# A depth of 16 is no more than 16 at a time; records say what is under way, and the row has all that a
# final block has, and percentiles.
rb1() {
	sweep 0 --quiet --tests write --sizes 4Ki --depth 16 --objects 40 --time 4s --interval 250ms \
		--series "$work/series" ${slow:-} "$target"
	for rb1_column in rate_per_s throughput_bytes_per_s latency_ns_mean latency_ns_stddev latency_ns_min \
		latency_ns_max latency_ns_p50 latency_ns_p90 ${slow:+latency_ns_p99}; do
		[ -n "$(value $rb1_column)" ] || fail "no $rb1_column"
	done
	rows "in_flight_mean > 0 && in_flight_mean <= 16.2 && latency_ns_min >= $least_ns &&
		operations <= 16 * (elapsed_s * 1e9 / $least_ns + 1)"
	by_name -v full="${slow:+16}" 'row == "" { next }
		{ n++; most = in_flight > most ? in_flight : most
			if (in_flight > 16 || operations_begun_total - operations_ended_total != in_flight) bad = 2
			# operations whose clock has ended when they do are those of no record
			if (operations_ended_total < before || (full && operations_begun_total < begun)) bad = 3
			before = operations_ended_total; begun = operations_begun_total }
		END { exit bad ? bad : n < 2 ? 4 : most < (full ? full : 2) ? 5 : 0 }' "$work/series" ||
		fail "records ($?): $(cat "$work/series")"
}

# By its name alone a run is read, each object once, long before the time is over; another size is
# another question: ranges, or a row that says why not.
rb3() {
	sweep 0 --quiet --rounds 1 -n 30 --threads 3 --sizes 4Ki --objects 30 --tests write --keep --run-name rb3 "$target"
	sweep 0 --quiet -r --run-name rb3 --access once --time 1000s "$target"
	shows 'operations stop size_bytes' 30:exhausted:4096
	sweep 0 --quiet -r --run-name rb3 --access once --sizes 1Ki --threads 3 "$target"
	shows operations 120
	sweep 1 --quiet -r --run-name rb3 --access once --sizes 8Ki "$target"
	shows notes skipped:beyond_file
	clean rb3
}

# even WHAT: the objects and offsets on standard input hit all of 64 blocks alike (chi square of 63
# degrees of freedom: it is beyond 126 once in 200,000 times, and seeds are fixed)
even() {
	awk '{ n[$0]++; all++ } END { for (i in n) { chi += (n[i] - all / 64) ^ 2 / (all / 64); blocks++ }
		chi += (64 - blocks) * all / 64
		if (all < 640 || blocks > 64 || chi > 126) { print "chi square " chi " of " all; exit 1 } }' >&2 ||
		fail "$1 are not even"
}
# Reads at random: the same seed asks for the same, also when the time ends them, and all blocks are hit
# alike, by the first requests in flight, too.
rb4() {
	command -v asked_for >/dev/null || { not_tried rb4 "no one says what was asked for" && return; }
	sweep 0 --quiet --rounds 1 -n 16 --sizes 16Ki --objects 16 --tests write --keep --run-name rb4 "$target"
	asked_for -r --run-name rb4 --tests read --sizes 4Ki --rounds 1 --seed 7 -n 6400
	mv "$work/asked" "$work/first"
	[ "$(wc -l <"$work/first")" -eq 6400 ] || fail "$(wc -l <"$work/first") reads, not 6400"
	even "all reads" <"$work/first"
	asked_for -r --run-name rb4 --tests read --sizes 4Ki --rounds 1 --seed 7 --time 200ms
	head -n 6400 "$work/asked" >"$work/again"
	[ -s "$work/again" ] && head -n "$(wc -l <"$work/again")" "$work/first" | cmp -s - "$work/again" ||
		fail "the same seed asks for something else"
	asked_for -r --run-name rb4 --tests read --sizes 4Ki --rounds 1 --seed 8 -n 100
	! head -n 100 "$work/first" | cmp -s - "$work/asked" || fail "another seed asks for the same"
	for rb4_seed in 1 2 3 4 5 6 7 8 9 10; do
		asked_for -r --run-name rb4 --tests read --sizes 4Ki --rounds 1 --seed $rb4_seed ${at_once:---depth 64} -n 64
		cat "$work/asked" >>"$work/firsts"
	done
	even "first reads" <"$work/firsts"
	clean rb4
}

# flip KEY OFFSET: one bit there
flip() {
	stored get "$1" "$work/right"
	cp "$work/right" "$work/flipped"
	flip_bit "$work/flipped" "$2"
	stored put "$1" "$work/flipped"
}
# One byte of one object that is another one is found, named and the run's failure; no one looks without
# --verify.
rb5() {
	sweep 0 --quiet --rounds 1 -n 40 --sizes 64Ki --objects 20 --tests write,read --verify --keep --run-name rb5 "$target"
	shows errors_wrong '0 0'
	rb5_object=$(member rb5 65536 7)
	for rb5_at in 0 5000 65535; do
		flip "$rb5_object" "$rb5_at"
		sweep 4 --quiet -r --verify --access once --tests read --run-name rb5 "$target"
		shows 'operations errors_wrong' 20:1
		one_error "$rb5_object at offset $rb5_at: expected "
		sweep 0 --quiet -r --access once --tests read --run-name rb5 "$target"
		stored put "$rb5_object" "$work/right"
	done
	sweep 0 --quiet -r --verify --access once --tests read --run-name rb5 "$target"
	clean rb5
}

# A cap of 4 objects holds at any depth, and is success; fewer objects than are in flight are read once.
rb6() {
	for rb6_depth in 1 16; do
		sweep 0 --quiet --depth $rb6_depth --sizes 200 --tests create,write -n 4 --keep --run-name rb6 "$target"
		numbered rb6 create-200 4 200
		numbered rb6 200 4 200
		shows 'operations stop' '4:count 4:count'
		clean rb6
	done
	sweep 0 --quiet --rounds 1 -n 3 --sizes 200 --tests create --keep --run-name rb6 "$target"
	sweep 0 --quiet --depth 16 --access once -r --run-name rb6 "$target"
	shows 'operations errors requests' "3:0:$((3 * requests_each))"
	clean rb6
}

# Blocks in objects: all are there and are read once, also where a run has ended in the middle of one.
rb7() {
	sweep 0 --quiet --rounds 1 -n 3 --sizes 64Ki $(calls_of 4Ki) --objects 3 --tests append --keep \
		--run-name rb7 "$target"
	numbered rb7 append-65536 3 65536
	sweep 0 --quiet -r --run-name rb7 --access once --sizes 4Ki --time 1000s "$target"
	shows 'operations stop' 48:exhausted
	clean rb7
	begin_run --rounds 1 --time 1000s --sizes 64Ki $(calls_of 1Ki) --tests append --keep --run-name rb7 "$target"
	soon "nothing is appended" some_objects rb7 append-65536
	end_run TERM 143
	noted incomplete
	# one is under way: it is not there, or shorter, and no part of what is read
	kept rb7 append-65536 >"$work/kept"
	rb7_blocks=$(awk '{ whole += $1 == 65536; bad += $1 > 65536 }
		END { if (bad || NR - whole > 1) exit 1; print whole * 64 }' "$work/kept") || fail "objects of other lengths: $(cat "$work/kept")"
	sweep 0 --quiet -r --run-name rb7 --access once --sizes 1Ki --time 1000s "$target"
	shows 'operations errors' "$rb7_blocks:0"
	clean rb7
}
some_objects() {
	is_child "$begun" || { echo "FAIL: the run has ended" && exit 1; }
	[ "$(kept "$1" "$2" | wc -l)" -ge "${3:-2}" ]
}

# everything NAME: objects of a run, as they are
everything() {
	stored sums "iosweep-$1/" | grep -v /MANIFEST-
}
elsewhere() { unshare --uts sh -c 'hostname elsewhere && exec "$0" "$@"' "$@"; }
# Another host reads, verifies, writes over and removes what this one has kept, and no other run.
rb8() {
	unshare --uts true 2>/dev/null || { not_tried rb8 "no host names of our own here" && return; }
	for rb8_name in rb8 rb8-other; do
		sweep 0 --quiet -n 20 --sizes 4Ki --objects 20 --tests write --verify --keep --run-name $rb8_name "$target"
	done
	everything rb8-other >"$work/other"
	IOSWEEP_RUN=elsewhere
	for rb8_words in '-r --run-name rb8 --access once --verify' '--reuse rb8 --tests write --verify -n 30'; do
		sweep 0 --quiet $rb8_words "$target"
		rows 'operations > 0 && errors + errors_wrong == 0'
	done
	numbered rb8 4096 20 4096
	clean rb8
	IOSWEEP_RUN=
	everything rb8-other | cmp -s - "$work/other" || fail "another run was touched"
	clean rb8-other
}

manifest_says() {
	[ -z "${begun:-}" ] || [ "$2" = state=ended ] || is_child "$begun" || { echo "FAIL: the run has ended" && exit 1; }
	manifest "iosweep-$1" 2>/dev/null | grep -q "^$2"
}
# Two runs of one name: the second is refused, whether it makes objects or writes over them, and what is
# alive is not cleaned; a run of another name has nothing in common with it.
rb9() {
	sweep 0 --quiet -n 8 --sizes 100 --objects 4 --tests write --keep --run-name rb9 "$target"
	begin_run --reuse rb9 --tests write --time 1000s "$target"
	soon "the run does not begin" manifest_says rb9 state=running
	mkdir "$work/aside"
	mv "$work/out" "$work/err" "$work/aside"
	for rb9_how in --reuse --run-name; do
		sweep 3 --quiet $rb9_how rb9 --tests write -n 4 --sizes 100 "$target"
		errors_are_one_line
	done
	expect_reported 'a run of this name already exists'
	cleans 3 --run-name rb9 "$target"
	expect_reported 'in use by a running iosweep'
	sweep 0 --quiet --rounds 1 -n 8 --sizes 100 --objects 4 --tests write --keep --run-name rb9b "$target"
	end_run TERM 143
	rm -r "$work/aside"
	manifest_says rb9 state=ended || fail "the run has not ended in its manifest"
	numbered rb9 100 4 100
	numbered rb9b 100 4 100
	clean rb9b
	numbered rb9 100 4 100
	clean rb9
}

# Killed in the middle: clean removes all that was made, and nothing else.  Interrupted: what was done is
# reported, as incomplete, and nothing stays.
rb10() {
	sweep 0 --quiet -n 8 --sizes 100 --objects 4 --tests write --keep --run-name rb10-other "$target"
	everything rb10-other >"$work/other"
	begin_run --tests create,write --sizes 4Ki --time 1000s --rounds 1 --run-name rb10 "$target"
	soon "nothing is made" some_objects rb10 create-4096 50
	kill -KILL "$begun"
	wait "$begun" 2>/dev/null
	[ "$(kept rb10 create-4096 | wc -l)" -ge 50 ] || fail "nothing is left to be cleaned"
	# what runs on another host may go on; here it is known to have ended
	manifest iosweep-rb10 "$work/manifest"
	grep -q "^state=running [0-9a-f]* $begun [0-9]*$" "$work/manifest" || fail "no process: $(cat "$work/manifest")"
	sed 's/^state=running [0-9a-f]*/state=running 0123456789abcdef/' "$work/manifest" >"$work/elsewhere"
	put_manifest iosweep-rb10 "$work/elsewhere"
	cleans 3 --run-name rb10 "$target"
	one_error 'if it was killed, wait another [0-9]+ s'
	put_manifest iosweep-rb10 "$work/manifest"
	cleans 0 $when_killed --run-name rb10 "$target"
	holds 0 iosweep-rb10/
	everything rb10-other | cmp -s - "$work/other" || fail "another run was touched"
	clean rb10-other
	measured --tests write --run-name rb10
	end_run INT 130
	[ "$(value operations)" -ge 1 ] && [ "$(value stop)" = signal ] || fail "$(column operations stop)"
	noted incomplete
	holds 0 iosweep-rb10/
}

# Writing over the objects of a run: the same objects, no more and no fewer, also by a run that writes
# less, and its manifest goes on naming all of them.
rb11() {
	sweep 0 --quiet --rounds 1 -n 40 --sizes 100,300 --objects 20 --tests write --verify --keep --run-name rb11 "$target"
	sweep 0 --quiet --rounds 1 -n 10 --sizes 50 --tests create --keep --run-name rb11-other "$target"
	stored list iosweep-rb11/ | grep -v MANIFEST- >"$work/before"
	manifest iosweep-rb11 | grep -v ^owner= >"$work/manifest"
	# a generation of data for each slice: stat takes those that the first run had
	sweep 0 --quiet --rounds 1 -n 60 ${several:---depth 4} --reuse rb11 --tests stat,write,read --verify "$target"
	rows 'operations == 60 && errors + errors_wrong == 0 && stat_hits == (test == "stat" ? 60 : "")'
	[ "$(count_rows)" -eq 6 ] || fail "not written over and read"
	sweep 0 --quiet -n 3 --reuse rb11 --tests write --sizes 100 --verify "$target"
	stored list iosweep-rb11/ | grep -v MANIFEST- | cmp -s - "$work/before" || fail "other objects than before"
	# (writes that are shorter than a file leave it in pieces)
	manifest iosweep-rb11 | sed '/^owner=/d; s/ pieces / pattern /' | cmp -s - "$work/manifest" ||
		fail "the manifest says less"
	sweep 0 --quiet -r --verify -n 100 --run-name rb11 "$target"
	# without --verify no one knows what is in it afterwards
	everything rb11 >"$work/sums"
	sweep 0 --quiet -n 3 --reuse rb11 --tests write --sizes 100 "$target"
	! everything rb11 | cmp -s - "$work/sums" || fail "nothing was written"
	sweep 3 --quiet -r --verify --run-name rb11 "$target"
	one_error 'written without --verify'
	# what was made by create, and what is missing
	stored delete "$(member rb11-other create-50 3)"
	sweep 0 --quiet --rounds 1 -n 30 --reuse rb11-other --tests write "$target"
	shows operations 30
	sweep 1 --quiet --reuse rb11-other --tests write --sizes 60 "$target"
	noted "${no_such_size:-skipped:not_in_run}"
	[ "$(kept rb11-other create-50 | wc -l)" -eq 9 ] && holds 10 iosweep-rb11-other/ || fail "something was made"
	# what cannot be
	for rb11_tests in ${not_over:-create delete}; do
		sweep 2 --quiet --reuse rb11 --tests $rb11_tests "$target"
		errors_are_one_line
	done
	sweep 3 --quiet --reuse nobody "$target"
	one_error 'no such run: nobody'
	clean rb11-other
	clean rb11
}

# What is removed: what a run has made, at its end or on demand, by name and by place, with number
# and time; and never what no run has made, whatever its name.
rb12() {
	rb12_before=$(stored list | wc -l)
	echo mine >"$work/mine"
	stored put iosweep-mine/f0 "$work/mine"
	stored put mine/f0 "$work/mine"
	sweep 0 --quiet -n 9 --sizes 4Ki --objects 9 --tests write "$target"
	holds $((rb12_before + 2))
	for rb12_name in rb12-one rb12-two; do
		sweep 0 --quiet -n 9 --sizes 4Ki --objects 9 --tests write --keep --run-name $rb12_name "$target"
	done
	cleans 0 --run-name rb12-one "$target"
	expect_reported ': 9 (objects|files), 36 KiB of 1 run removed in [0-9.]+ [mun]*s$'
	holds 0 iosweep-rb12-one/
	numbered rb12-two 4096 9 4096
	cleans 3 --run-name mine "$target"
	cleans 3 "$target/iosweep-mine"
	expect_reported 'left in place: .*/iosweep-mine; it has no iosweep manifest'
	cleans 0 "$target/mine"
	expect_reported 'nothing to remove$'
	cleans 0 "$target/iosweep-rb12-two"
	holds 0 iosweep-rb12-two/
	for rb12_place in iosweep-mine mine; do
		stored get $rb12_place/f0 | cmp -s - "$work/mine" || fail "what no run made is gone or changed"
		stored delete $rb12_place/f0
	done
}

seeds() {
	need python3
	seeds_before=$(stored list | wc -l)
	for seeds_name; do
		echo "scenario $seeds_name"
		"$seeds_name"
		holds "$seeds_before"
		say "$seeds_name"
	done
}
