# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# A missing word, words too many, what does not go together, and what needs something else.
$ iosweep --sizes
! iosweep: option needs an argument: --sizes; --sizes LIST: these sizes: 512,4k,1M or 4k..1M, or full
? 2
$ iosweep -m
! iosweep: option needs an argument: -m; -m SIZE: smallest I/O size [512; objects: 4Ki]
? 2
$ iosweep --quiet=yes
! iosweep: this option takes no value: --quiet=yes; leave out the value after --quiet
? 2
$ iosweep -r -s .
! iosweep: --single-file (-s) with --read-existing (-r) reads one file: .; name that file, or leave out -s
? 2
$ iosweep -r --tests write .
! iosweep: --read-existing (-r) only reads; it cannot run test write; leave it out of --tests
? 2
$ iosweep --quiet --verbose
! iosweep: --quiet and --verbose conflict; use only one
? 2
$ iosweep --engine posix,posix
! iosweep: --engine: given twice in the list: posix; give each engine once
? 2
$ iosweep --cache direct,direct
! iosweep: --cache: given twice in the list: direct; give each word once
? 2
$ iosweep --threads 1,1
! iosweep: --threads: value given twice in the list: 1; give each value once; ranges may not overlap
? 2
$ iosweep --sizes 4k,4096
! iosweep: --sizes: value given twice in the list: 4096; give each value once; ranges may not overlap
? 2
$ iosweep --depth 1..8,4
! iosweep: --depth: value given twice in the list: 4; give each value once; ranges may not overlap
? 2
$ iosweep --engine stdio --sync data
! iosweep: this engine cannot do --sync data or full: stdio; use --engine posix or pread, or --sync end
? 2
$ iosweep --tests write --readahead none .
! iosweep: --readahead is for test read; add read to --tests, or leave it out
? 2
$ iosweep --readahead none -b .
! iosweep: --readahead does nothing when O_DIRECT bypasses the page cache; add another mode to --cache, or leave it out
? 2
$ iosweep --tests list,create --access once .
! iosweep: --access is for tests that access files or objects in some order; add read, write or stat to --tests, or leave it out
? 2
$ iosweep --tests fill --access random .
! iosweep: test fill always writes each block once, in order; leave out --access
? 2
$ iosweep --tests stat,list --verify .
! iosweep: --verify is for tests that move data; add read or write to --tests, or leave it out
? 2
$ iosweep --tests create,list --keep-open .
! iosweep: --keep-open is for tests that read or write within files; add read or write to --tests, or leave it out
? 2
$ iosweep --run-name= .
! iosweep: --run-name: not a valid run name: nothing; use 1 to 63 of the characters A-Z a-z 0-9 . _ -
? 2
$ iosweep --tests write --call-size 0 .
! iosweep: --call-size 0 writes random lengths in test append; add append to --tests, or give a size
? 2
$ iosweep --tests write --call-size 4k mem:
! iosweep: --call-size is for files, and for test append of stores that can append; add append to --tests, or leave it out
? 2
$ iosweep --tests append --call-size 4k mem:
! iosweep: no test uses --call-size; this store appends by an upload in parts: give --part-size, or leave it out
? 2
$ iosweep --tests append --sizes 3G mem:
! iosweep: I/O size is too large: 3 GiB; one request moves less than 2 GiB
? 2
$ iosweep --null.delay 1us --engine posix .
! iosweep: this option is for an engine that is not used: null; add --engine null
? 2
$ iosweep --quiet --interval 1s null:
! iosweep: --quiet leaves --interval nowhere to write; add --series FILE
? 2
$ iosweep --engine posix null:
! iosweep: this engine works on none of the targets: posix; engine posix needs files
? 2
$ iosweep clean
! iosweep: clean needs the target of the run; iosweep clean TARGET...
? 2
$ iosweep --format classic --threads 1,2
! iosweep: the classic format holds only one series; use one target, engine, cache mode, depth and number of threads, or --format csv
? 2
$ printf '%s\n' '-n 1' '--sizes 4k' '--sizes 8k' >two.options; iosweep --format classic @two.options null:
! iosweep: the classic format holds only one series; use an option file of one line, or --format csv
? 2
$ rm two.options
$ iosweep --ma 4
! iosweep: unknown option: --ma; iosweep --help all lists all options
? 2
$ iosweep -M 2G .
! iosweep: I/O size is too large: 2 GiB; one read or write moves less than 2 GiB; --call-size moves it in pieces
? 2
# nothing is left of any of them
$ ls -A
# options for files, on a target that has none: the first is named
$ iosweep --dry-run -b mem:
! iosweep: this option is for files, not for memory stores: --bypass-cache; leave it out
? 2
$ iosweep --dry-run --width 3 null:
! iosweep: this option is for files, not for null targets: --width; leave it out
? 2
$ iosweep --dry-run --width 3 mem:
! iosweep: this option is for files, not for memory stores: --width; leave it out
? 2
$ iosweep --dry-run --keep-open mem:
! iosweep: this option is for files, not for memory stores: --keep-open; leave it out
? 2
$ iosweep --dry-run --overwrite --small skip mem:
! iosweep: this option is for files, not for memory stores: --overwrite; leave it out
? 2
