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
$ find . -type f | sed 's/-[0-9]*$//' | sort -u
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
$ mkdir 'a b'; iosweep clean --run-name three 'a b'; iosweep -r --run-name three 'a b'; rmdir 'a b'
! iosweep: no such run: three; iosweep clean --dry-run 'a b' lists the runs there
! iosweep: no such run: three; iosweep clean --dry-run 'a b' lists the runs there
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
$ find . -type f | sed 's/-[0-9]*$//' | sort -u
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
! # null: nothing to remove
$ iosweep clean mem:
! # mem: nothing to remove
$ iosweep clean absent
! iosweep: cannot clean absent: it does not exist; name the directory that was the target of the run
? 3
$ echo x >file
$ iosweep clean file
! iosweep: cannot clean file: Not a directory; name the directory that was the target of the run
? 3

# --- runs that are complete, and one that is alive
$ rm file; run --keep --run-name one --verify . >/dev/null; run --keep --run-name two --tests write . >/dev/null
$ "$IOSWEEP" --cache cached --levels 1 --width 4 -l 4k --sizes 4k --time 1h --run-name alive . >/dev/null 2>"$work/alive" & alive=$!
$ on_exit "end_child $alive"; soon 'the run does not start' grep -q '^# target' "$work/alive"
$ iosweep clean .
! # DIR/iosweep-alive: 4 files, 16 KiB, ~ old, in use by a running iosweep
! # DIR/iosweep-one: 4 files, 16 KiB, ~ old
! # DIR/iosweep-two: 4 files, 16 KiB, ~ old
! iosweep: several runs found, none removed: .; name one with --run-name, or give --all
? 2
$ iosweep clean --dry-run .
| DIR/iosweep-alive: 4 files, 16 KiB, ~ old, in use by a running iosweep
| DIR/iosweep-one: 4 files, 16 KiB, ~ old
| DIR/iosweep-two: 4 files, 16 KiB, ~ old
! # .: 8 files, 32 KiB of 2 runs would be removed with --all
$ iosweep clean --dry-run --run-name two .
| DIR/iosweep-two: 4 files, 16 KiB, ~ old
! # .: 4 files, 16 KiB of 1 run would be removed
$ iosweep clean --run-name alive .
! iosweep: in use by a running iosweep: DIR/iosweep-alive; wait until it ends, or stop it; iosweep clean --force removes it anyway
? 3
$ iosweep clean iosweep-alive
! iosweep: in use by a running iosweep: DIR/iosweep-alive; wait until it ends, or stop it; iosweep clean --force removes it anyway
? 3
$ iosweep clean --run-name one iosweep-two
! iosweep: no such run: one; iosweep clean --dry-run iosweep-two lists the runs there
? 3
$ iosweep -r --sizes 4k .
! iosweep: several runs found, none is read: .; name the directory of one: iosweep-alive, iosweep-one, iosweep-two
? 2
$ iosweep -r --run-name three .
! iosweep: no such run: three; iosweep clean --dry-run . lists the runs there
? 3
$ iosweep -r --run-name alive .
! iosweep: in use by a running iosweep: DIR/iosweep-alive; wait until it ends, or stop it; iosweep clean --force removes it anyway
? 3
$ iosweep -r --verify --run-name two .
! iosweep: --verify cannot know the contents of DIR/iosweep-two; it was written without --verify and then kept; keep files of a run with --verify, or leave it out
? 3
$ iosweep -r --cache cached --sizes 4k -n 4 --columns operations --run-name one . 2>&1 | grep '^# target'
| # target: DIR/iosweep-one, 4 files of 4 KiB
# of the user's own files those of runs are left out
$ head -c 8192 /dev/zero >data; iosweep -r --cache cached --sizes 4k -n 4 --columns operations . 2>&1 | grep '^# target\|runs in it'; rm data
| # .: the test files of 3 runs in it are left out; name the directory of one to read those
| # target: DIR, 1 file of 8 KiB, zeros
# runs in directories of their own
$ mkdir deep deep/a deep/b; cp -R iosweep-one deep/a; cp -R iosweep-one deep/b; iosweep -r deep
! iosweep: several runs found, none is read: deep; name the directory of one: a/iosweep-one, b/iosweep-one
? 2
$ rm -r deep; kill $alive; wait $alive
? 143

# --- names and options that are none
$ for name in a/b '' 'a b' $(printf %064d 1); do iosweep --run-name "$name" .; iosweep clean --run-name "$name" .; done
! iosweep: --run-name: not a valid run name: a/b; use 1 to 63 of the characters A-Z a-z 0-9 . _ -
! iosweep: no such run: a/b; iosweep clean --dry-run . lists the runs there
! iosweep: --run-name: not a valid run name: nothing; use 1 to 63 of the characters A-Z a-z 0-9 . _ -
! iosweep: --run-name: is empty; give NAME
! iosweep: --run-name: not a valid run name: a b; use 1 to 63 of the characters A-Z a-z 0-9 . _ -
! iosweep: no such run: a b; iosweep clean --dry-run . lists the runs there
! iosweep: --run-name: not a valid run name: 0000000000000000000000000000000000000000000000000000000000000001; use 1 to 63 of the characters A-Z a-z 0-9 . _ -
! iosweep: no such run: 0000000000000000000000000000000000000000000000000000000000000001; iosweep clean --dry-run . lists the runs there
? 3
$ echo x >file; for target in null: file; do iosweep --run-name k $target; done
! iosweep: no run can be created or found in null:; --run-name is for directories and object stores
! iosweep: no run can be created or found in file; --run-name is for directories and object stores
? 2
$ iosweep clean --run-name two --all .
! iosweep: --all and --run-name conflict; use only one
? 2
$ iosweep clean --label x .
! iosweep: unknown option: --label; it is an option of iosweep [TARGET]
? 2
$ iosweep clean
! iosweep: clean needs the target of the run; iosweep clean TARGET...
? 2

# --- what is left of a run, and what is none
$ sed -i 's/ 4 4 / 4 3 /' "$(manifest_of iosweep-one)"; rm file iosweep-one/f3
$ iosweep -r --cache cached --sizes 4k -n 4 --columns operations,notes --run-name one . 2>said; grep complete said
| operations,notes
| 4,partial:3/4;wide
| iosweep: run one is not complete: only 3 of its 4 files exist and are read
$ rm iosweep-one/f0; iosweep --quiet -r --verify --cache cached --sizes 4k -n 4 --run-name one .
! iosweep: --verify found a test file gone, empty or unreadable: DIR/iosweep-one/f0; name only what can be verified, or leave out --verify
? 3
$ sed -i 's/ 4 3 / 4 0 /' "$(manifest_of iosweep-one)"; iosweep -r --run-name one .
! iosweep: no complete file is left in run one; remove the rest of it: iosweep clean --run-name one .
? 3
$ mkdir iosweep-wrong iosweep-foreign; sed '1s/3$/2/; s/^run=two/run=wrong/' "$(manifest_of iosweep-two)" >iosweep-wrong/MANIFEST-1
$ echo mine >iosweep-foreign/file; echo mine >iosweep-two/foreign; iosweep clean --all .
! iosweep: left in place: DIR/iosweep-foreign; it has no iosweep manifest; look into it and remove it by hand
! iosweep: left in place, not made by iosweep: DIR/iosweep-two/foreign; move it away, then run iosweep clean on the target
! iosweep: left in place: DIR/iosweep-wrong; its manifest is not valid; look into it and remove it by hand
! # .: 6 files, 24 KiB of 1 run removed in ~
! iosweep: not everything could be removed from .; 3 are left, see above
? 3
$ rm -r iosweep-wrong iosweep-foreign iosweep-two/foreign
$ mkdir -m 700 iosweep-first iosweep-open; chmod 755 iosweep-open; iosweep --run-name first .
! iosweep: a run of this name already exists: DIR/iosweep-first; choose another --run-name, read it with -r, or remove it: iosweep clean --run-name first .
? 3
# (an empty directory is a run only by its name, however old)
$ touch -t 202601010000 iosweep-first; iosweep clean --all .; ls
| iosweep-first
| iosweep-open
| said
! # .: 0 files, 0 B of 1 run removed in ~
$ iosweep clean --run-name open .; : >iosweep-first/mine; iosweep clean --run-name first .; rm iosweep-first/mine; iosweep clean --run-name first .
! iosweep: no such run: open; iosweep clean --dry-run . lists the runs there
! iosweep: left in place: DIR/iosweep-first; it has no iosweep manifest; look into it and remove it by hand
! # .: 0 files, 0 B of 1 run removed in ~
$ rmdir iosweep-open; iosweep clean .
! # .: nothing to remove
# runs of ranks: how their team was called names them
$ for name in set-rank0 set-rank10 set-shared set-rank set-rank1x set-rank01 set2-rank0 other other-rank0; do run --keep --run-name $name . >/dev/null; done
# (a run of exactly that name is preferred)
$ iosweep clean --run-name set .; iosweep clean --run-name other .; ls
| iosweep-other-rank0
| iosweep-set-rank
| iosweep-set-rank01
| iosweep-set-rank1x
| iosweep-set2-rank0
| said
! # .: 12 files, 48 KiB of 3 runs removed in ~
! # .: 4 files, 16 KiB of 1 run removed in ~
$ iosweep clean --run-name set .; iosweep clean --all .
! iosweep: no such run: set; iosweep clean --dry-run . lists the runs there
! # .: 20 files, 80 KiB of 5 runs removed in ~
$ rm said; ls -A
