# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# What a run leaves with --keep, and what clean says of it and of what is no run.
$ run() { iosweep --quiet --cache cached --levels 1 --width 4 -l 4k --sizes 4k -n 4 --tests read --columns operations,errors "$@"; }
$ iosweep clean .
! # .: nothing to remove
$ run --keep --run-name one .
| operations,errors
| 4,0
$ run --keep --run-name two .
| operations,errors
| 4,0
$ find . -type f | sort
| ./iosweep-one/MANIFEST
| ./iosweep-one/f0
| ./iosweep-one/f1
| ./iosweep-one/f2
| ./iosweep-one/f3
| ./iosweep-two/MANIFEST
| ./iosweep-two/f0
| ./iosweep-two/f1
| ./iosweep-two/f2
| ./iosweep-two/f3
$ iosweep clean --dry-run --all .
| DIR/iosweep-one: 4 files, 16 KiB, ~ old
| DIR/iosweep-two: 4 files, 16 KiB, ~ old
! # .: 8 files, 32 KiB of 2 runs would be removed
$ iosweep clean --run-name three .
! iosweep: no such run: three; iosweep clean --dry-run . lists the runs there
? 3
$ iosweep clean .
! # DIR/iosweep-one: 4 files, 16 KiB, ~ old
! # DIR/iosweep-two: 4 files, 16 KiB, ~ old
! iosweep: several runs found, none removed: .; name one with --run-name, or give --all
? 2
$ echo mine >iosweep-one/f0x
$ iosweep clean --run-name one .
! # .: 4 files, 16 KiB removed in ~
! iosweep: left in place, not made by iosweep: DIR/iosweep-one/f0x; move it away, then run iosweep clean on the target
? 3
$ find . -type f | sort
| ./iosweep-one/MANIFEST
| ./iosweep-one/f0x
| ./iosweep-two/MANIFEST
| ./iosweep-two/f0
| ./iosweep-two/f1
| ./iosweep-two/f2
| ./iosweep-two/f3
$ rm iosweep-one/f0x
$ iosweep clean --run-name one .
! # .: 0 files, 0 B of 1 run removed in ~
$ iosweep clean --quiet --run-name two .
$ iosweep clean --all .
! # .: nothing to remove
$ run --keep --run-name one .
| operations,errors
| 4,0
$ run --keep --run-name one .
! iosweep: a run of this name already exists: DIR/iosweep-one; choose another --run-name, read it with -r, or remove it: iosweep clean --run-name one .
? 3
$ run --run-name one --reuse one .
! iosweep: --reuse and --run-name both name a run; use only one
? 2
$ run --tests write --reuse two .
! iosweep: --reuse takes the files of the run as they are; leave out --single-file, --levels, --width and --file-size
? 2
$ run --tests write --reuse one .
! iosweep: --reuse takes the files of the run as they are; leave out --single-file, --levels, --width and --file-size
? 2
$ iosweep --quiet --cache cached -r --run-name one --sizes 4k,8k -n 4 --columns size_bytes,operations,notes .
| size_bytes,operations,notes
| 4096,4,wide
| 8192,0,skipped:beyond_file
$ iosweep clean --all .
! # .: 4 files, 16 KiB of 1 run removed in ~
$ iosweep clean null:
! # null:: nothing to remove
$ iosweep clean mem:
! # mem:: nothing to remove
$ iosweep clean absent
! iosweep: cannot clean absent: it does not exist; name the directory that was the target of the run
? 3
$ echo x >file
$ iosweep clean file
! iosweep: cannot clean file: Not a directory; name the directory that was the target of the run
? 3
$ ls -A
| file
