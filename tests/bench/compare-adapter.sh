# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# shellcheck shell=sh
# compare-adapter.sh - how a script that compares tools asks iosweep for its numbers.  To be sourced.
#
# iosweep_case CASE FILE_OR_DIR SECONDS prints "ns_per_op cpu_ns_per_op" ("-" where unknown) for random
# reads of 4 KiB at multiples of 4 KiB by one thread, as the files are found; it returns 1 for a case
# it does not know.
#   null                                    no I/O at all
#   pread_tmpfs pread_ext4 pread_ext4_direct   one file kept open
#   uring32_buf uring32_direct              the same through io_uring, 32 in flight
#   aio32_buf aio32_direct                  the same through libaio
#   cycle_small cycle_big                   open, read, close: small files of a directory, one big file
#   ring_small ring_big                     the same through io_uring, 64 in flight
# IOSWEEP is the program to run.
iosweep_case() {
	target=$2
	case $1 in
	null)
		target=null:
		set -- "$1" "$2" "$3" --engine null
		;;
	pread_*_direct) set -- "$1" "$2" "$3" --engine pread --keep-open --cache direct ;;
	pread_*) set -- "$1" "$2" "$3" --engine pread --keep-open --cache asis ;;
	uring32_direct) set -- "$1" "$2" "$3" --engine io_uring --depth 32 --keep-open --cache direct ;;
	uring32_*) set -- "$1" "$2" "$3" --engine io_uring --depth 32 --keep-open --cache asis ;;
	aio32_direct) set -- "$1" "$2" "$3" --engine libaio --depth 32 --keep-open --cache direct ;;
	aio32_*) set -- "$1" "$2" "$3" --engine libaio --depth 32 --keep-open --cache asis ;;
	cycle_*) set -- "$1" "$2" "$3" --engine pread --cache asis ;;
	ring_*) set -- "$1" "$2" "$3" --engine io_uring --depth 64 --cache asis ;;
	*) return 1 ;;
	esac
	seconds=$3
	shift 3
	[ "$target" = null: ] || set -- "$@" --read-existing
	"$IOSWEEP" --quiet --format csv --tests read --sizes 4Ki --align 4Ki --time "${seconds}s" \
		--columns time_s,operations,cpu_ns_per_op "$@" "$target" |
		awk -F, 'NR == 2 { printf "%.1f %s\n", $1 * 1e9 / $2, $3 == "" ? "-" : $3; found = 1 }
			END { if (!found) print "- -" }'
}
