# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# shellcheck shell=sh
# async.sh - sourced after lib.sh by tests of many operations in flight: the asynchronous engines
# that are built and permitted by this kernel, and checks of rows.  Changes to the directory $work.
#     $async               names of these engines
#     has ENGINE           whether it is one of them
#     small STATUS ARGS... a small sweep of $work/target, with the files of $tree
#     axes, columns        see there
# shellcheck disable=SC2034,SC2086,SC2154 # for those who source it; lists of words; variables of lib.sh

row_columns=all
cd "$work" || exit 99 # keeps commas out of the target's name in rows
mkdir target
chmod 755 "$work"
tree="-l 64Ki --levels 2 --width 2"
small="--quiet --cache cached $tree"
filesystem=$(stat -f -c %T "$work" 2>/dev/null)
async=
last=
for engine in io_uring libaio; do
	[ $engine != io_uring ] || may_lock 4096 || {
		echo "left out: io_uring: $may_lock_most KiB of memory may be locked, by all programs of a user"
		continue
	}
	iosweep help engines | grep -q "^$engine " || {
		echo "left out: $engine is not built"
		continue
	}
	iosweep $small --engine $engine -n 4 --sizes 4k target >"$work/out" 2>"$work/err" </dev/null
	status=$?
	case $status in
	0) async="$async $engine" last=$engine ;;
	3) # the system may lack or forbid it
		grep -Eq 'no (io_uring|asynchronous I/O)|switched off|limited to members|not permitted|locked memory|aio-max-nr|cannot set up' "$work/err" ||
			fail "$engine is refused: $(cat "$work/err")"
		echo "left out: $engine: $(head -1 "$work/err")"
		;;
	*) fail "engine $engine: exit status $status" ;;
	esac
done
async=${async# }
has() { case " $async " in *" $1 "*) true ;; *) false ;; esac }

# small STATUS ARGS...: leaves nothing; a refusal is one line and no results
small() {
	small_status=$1
	shift
	run $small_status $small "$@" target
	nothing_left target
	case $small_status in
	0) [ ! -s "$work/err" ] || fail "$*: words without a failure" ;;
	*)
		one_line "$work/err"
		[ ! -s "$work/out" ] || fail "$*: results in spite of the refusal"
		;;
	esac
}

# crossed LISTS...: the cross product of the lists' words, one combination per line
crossed() {
	if [ $# = 0 ]; then
		echo
		return
	fi
	(
		crossed_list=$1
		shift
		for crossed_word in $crossed_list; do
			crossed "$@" | sed "s/^/$crossed_word /"
		done
	)
}

# axes CACHES THREADS DEPTHS SIZES OPERATIONS TESTS: $work/out has exactly these rows, in this
# order, and complete. Each is a list separated by blanks.
axes() {
	crossed "$1" "$6" "$2" "$3" "$4" | sed 's/ $//' >"$work/want"
	columns "cache test threads depth size_bytes"
	cmp -s "$work/rows" "$work/want" ||
		fail "$what: rows are not as asked: $(diff "$work/want" "$work/rows" | sed -n 2,3p)"
	axes_fault=$(awk -v sizes="$4" -v tests="$(crossed "$1" "$6" "$2" "$3" | cut -d' ' -f2)" -v ops="$5" \
		-f "$top_srcdir/tests/cli/check-rows.awk" <"$work/out") || fail "$what: $axes_fault"
}

# columns "NAME...": writes these columns of all rows to $work/rows
columns() {
	rows 'errors == 0 && errors_short == 0 && notes !~ /incomplete/'
	# shellcheck disable=SC2086 # names
	column $1 | tr : ' ' >"$work/rows"
}
