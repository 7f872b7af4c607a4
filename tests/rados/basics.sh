#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Runs in a pool are what they say they are, by what Ceph's own clients see of them: objects of a run
# are in its namespace, as many and as long as told; a kept run is read by name and removed; nothing of
# others is touched, whatever namespace it is in; and what cannot be used is told in one line.
# shellcheck disable=SC1091,SC2015,SC2154
# shellcheck source=tests/rados/lib.sh
. "${top_srcdir:?}/tests/rados/lib.sh"

cluster memstore
everything=write,create,append,stat,list,delete,read
see() {
	timeout 60 rados -p "$pool" "$@" || fail "rados $*"
}
# sweep STATUS ARGUMENT...
sweep() {
	wanted=$1
	shift
	status=0
	case $1 in
	clean) timeout 300 "$IOSWEEP" "$@" >"$work/rows" 2>"$work/err" || status=$? ;;
	*) timeout 300 "$IOSWEEP" "$@" --rounds 2 --columns "$row_columns" >"$work/rows" 2>"$work/err" || status=$? ;;
	esac
	[ "$status" = "$wanted" ] || fail "$*: status $status: $(tail -n 3 "$work/err")"
}
# refused STATUS WORDS ARGUMENT...: one line that holds the words
refused() {
	wanted=$1 words=$2
	shift 2
	sweep "$wanted" "$@"
	grep -v '^#' "$work/err" >"$work/lines"
	[ "$(wc -l <"$work/lines")" = 1 ] || fail "$*: not one line: $(cat "$work/lines")"
	grep -q -e "$words" "$work/lines" || fail "$*: $(cat "$work/lines"), not \"$words\""
	[ ! -s "$work/rows" ] || fail "$*: rows of what cannot be used"
}
# cell COLUMN TEST SIZE: of $work/rows
cell() {
	by_name -v of="$2" -v size="$3" 'test == of && size_bytes == size { print '"$1"' }' "$work/rows"
}

# --- what is there already, in three namespaces
head -c 5000 /dev/urandom >"$work/data"
see put foreign "$work/data"
see put p/4096/000000 "$work/data"
see -N other put 4096/000000 "$work/data"
see -N iosweep-theirs put something "$work/data"
see ls --all | sort >"$work/before"

# --- all tests leave nothing
sweep 0 "rados://$pool/p" --sizes 4k,64k --objects 16 --tests "$everything" --depth 4 --threads 2
see ls --all | sort >"$work/after"
cmp -s "$work/before" "$work/after" || fail "left behind: $(diff "$work/before" "$work/after" | head)"
rows 'errors == 0 && operations >= 1 && requests >= operations && cpu_ns_per_op > 0' "$work/rows"
[ "$(wc -l <"$work/rows")" = 15 ] || fail "not 14 rows"
for on in xattr omap; do
	sweep 0 "rados://$pool/p" --sizes 4k,64k --objects 16 --on $on --depth 4 --threads 2 --verify
	see ls --all | sort | cmp -s "$work/before" - || fail "--on $on leaves something behind"
	rows 'errors == 0 && operations >= 1 && requests >= operations && notes ~ /on:'$on'/' "$work/rows"
	[ "$(wc -l <"$work/rows")" = 5 ] || fail "--on $on: not 4 rows"
done

# --- a run that is kept: what its rows and its manifest say is what the cluster has
sweep 0 "rados://$pool" --sizes 4k,64k --objects 16 --tests write,create --verify --keep \
	--run-name kept --depth 4
see -N iosweep-kept ls | sort >"$work/kept"
[ "$(grep -c '^4096/' "$work/kept")" = 16 ] || fail "$(grep -c '^4096/' "$work/kept") objects of 4 KiB"
[ "$(grep -c '^65536/' "$work/kept")" = 16 ] || fail "not 16 objects of 64 KiB"
created=$(grep -c '^create-4096/' "$work/kept")
puts=$(sed -n 's/.*requests (\([0-9]*\) PUT.*/\1/p' "$work/err")
# those of rows, and those before rows; but none that no request was counted for
[ "$created" -ge "$(cell requests create 4096)" ] && [ "$created" -lt "$puts" ] ||
	fail "$created objects are there: $(cell requests create 4096) in the row, $puts requests in all"
see -N iosweep-kept stat 65536/000003 | grep -q 'size 65536$' || fail "not of 64 KiB"
grep -qx MANIFEST-1 "$work/kept" || fail "no manifest"
! see ls | grep -qv -e foreign -e p/ || fail "something in the default namespace"

# a run of the same name below another prefix, in the same namespace
sweep 0 "rados://$pool/p" --sizes 4k --objects 4 --tests write --keep --run-name kept
[ "$(see -N iosweep-kept ls | grep -c '^p//4096/')" = 4 ] || fail "not below its prefix"
see -N iosweep-kept ls | grep -v ^p// | sort | cmp -s - "$work/kept" || fail "runs of two prefixes meet"
refused 3 'already' "rados://$pool" --sizes 4k --tests write --run-name kept

# what create made is known, too, and which object is which; so are objects that pieces were written into
sweep 0 "rados://$pool/q" --sizes 4k --tests create,read:created -n 40 --verify --keep --run-name made
sweep 0 -r "rados://$pool/q" --run-name made --verify
see -N iosweep-made get q//create-4096/000001 "$work/one"
see -N iosweep-made put q//create-4096/000002 "$work/one"
sweep 4 -r "rados://$pool/q" --run-name made --verify --access once
sweep 0 clean "rados://$pool/q"
sweep 0 "rados://$pool/q" --object-size 64k --objects 3 --sizes 512,4k --tests write,read -n 200 --depth 4 --verify --keep \
	--run-name pieces
sweep 0 -r "rados://$pool/q" --run-name pieces --sizes 4k --verify
sweep 0 clean "rados://$pool/q"

# --- removed: one after the other, by what clean finds itself
sweep 0 clean "rados://$pool/p"
see -N iosweep-kept ls | sort | cmp -s - "$work/kept" || fail "more than the run of the prefix is removed"
sweep 0 clean "rados://$pool/iosweep-kept"
see ls --all | sort >"$work/after"
cmp -s "$work/before" "$work/after" || fail "left behind: $(diff "$work/before" "$work/after" | head)"
for name in foreign p/4096/000000; do
	see get "$name" "$work/got" && cmp -s "$work/got" "$work/data" || fail "$name is changed"
done
see -N other get 4096/000000 "$work/got" && cmp -s "$work/got" "$work/data" || fail "other: changed"

# --- a thread has a connection to each OSD, not one for each operation
(
	# shellcheck disable=SC3045 # not POSIX, but in every shell here
	ulimit -n 110
	sweep 0 "rados://$pool" --sizes 4k --tests write --objects 16 --threads 2 --depth 64
) || exit 1

# --- what cannot be used (more of that: faults.sh)
refused 2 'leave out the \*' "rados://$pool/benchmark_data_*" --sizes 4k --tests write
refused 3 'cannot read the configuration' "rados://$pool" --sizes 4k --rados.conf "$work/none"
see ls --all | sort >"$work/after"
cmp -s "$work/before" "$work/after" || fail "left behind: $(diff "$work/before" "$work/after" | head)"
