#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# The scenarios that any storage has to pass, on files; and those of time on null: and mem:, which
# are as slow as they are told.
# shellcheck disable=SC2034,SC2086,SC2317
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
row_columns=all
# shellcheck source=tests/cli/trace.sh
. "$top_srcdir/tests/cli/trace.sh"
# shellcheck source=tests/objects.sh
. "$top_srcdir/tests/objects.sh"

mkdir "$work/dir"
target=$work/dir

# Objects of a size are a tree of files of that length; null: has none.
sweep() {
	sweep_status=$1 sweep_last=''
	shift
	sweep_size=$*
	sweep_size=${sweep_size#*--sizes }
	sweep_size=${sweep_size%% *}
	for sweep_word; do
		shift
		case $target,$sweep_last,$sweep_word in
		mem:,*) set -- "$@" "$sweep_word" ;;
		*,--objects | null:,--objects,*) ;;
		*,--objects,*) set -- "$@" --levels 1 --width "$sweep_word" -l "${sweep_size##*,}" ;;
		*) set -- "$@" "$sweep_word" ;;
		esac
		sweep_last=$sweep_word
	done
	run "$sweep_status" --format csv "$@"
}
stored() { # list, sums, put, get or delete, as the clients of object services do
	case $1 in
	list) find "$target" -type f -printf '%s %P\n' | awk -v prefix="${2:-}" 'index($2, prefix) == 1' | sort -k 2 ;;
	sums) (cd "$target" && find "${2%/}" -type f -exec cksum {} +) | sort -k 3 ;;
	put) mkdir -p "$target/${2%/*}" && cp "$3" "$target/$2" ;;
	get) cat "$target/$2" >"${3:-/dev/stdout}" ;;
	delete) rm "$target/$2" && { rmdir "$target/${2%/*}" 2>/dev/null || true; } ;;
	esac
}
member() {
	case $2 in
	*-*) echo "iosweep-$1/new/t0/n$3" ;;
	*) echo "iosweep-$1/f$3" ;;
	esac
}
kept() {
	kept_files=$(member "$1" "$2" '')
	stored list "${kept_files%t0/n}"
}
numbered() { # names are unique by nature
	kept "$1" "$2" >"$work/kept"
	[ "$(cut -d ' ' -f 1 "$work/kept" | sort | uniq -c | tr -s ' ')" = " $3 $4" ] ||
		fail "not $3 files of $4: $(cat "$work/kept")"
}
! can_trace || asked_for() {
	case " $* " in *' --threads '*) set -- --rate 1000000 "$@" ;; esac # one for each of them
	rm -f "$work/trace".*
	LSAN_OPTIONS=detect_leaks=0 strace -ff -qq -y -s 0 -e trace=pread64,memfd_create $no_reference \
		-o "$work/trace" "$IOSWEEP" --quiet --engine pread --cache asis "$@" "$target" \
		>"$work/out" 2>"$work/err" || fail "$*: exit status $?"
	cat "$work/trace".* | # a file for each thread
		sed -n 's,^pread64([0-9]*<[^>]*/\(f[0-9]*\)>.*\, 4096\, \([0-9]*\)) *= 4096$,\1 \2,p' >"$work/asked"
}

least_ns=1 at_once='--threads 64' several='--threads 4' no_such_size=skipped:beyond_file not_over=delete
# shellcheck source=tests/seeds.sh
. "$top_srcdir/tests/seeds.sh"
seeds cf12 do1 do3 do4 do10 do11 ob6 rb3 rb4 rb5 rb7 rb8 rb11
nothing_left "$target"

# --- of a known slowness
stored() { :; }
target=null: slow='--null.delay 50ms' least_ns=50000000
seeds do1 do11
target=mem: slow='--mem.delay 5ms' least_ns=5000000
seeds rb1
