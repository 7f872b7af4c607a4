# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# What --dry-run tells of typical commands, and what would be asked of an object store.
$ iosweep --dry-run --cache cached . | head -4
| target DIR/iosweep-NAME: 64 files of 4 MiB in 20 directories, 256 MiB of test files, removed at the end
| rows: 28 in 2 parts
| time: rows take at most 31 s, after the files are prepared
| row 1: write posix cached threads=1 depth=1 size=512 B target=.
$ iosweep --dry-run --cache cached --tests read,write --sizes 4k,64k --threads 1,4 -n 1000 .
| target DIR/iosweep-NAME: 64 files of 4 MiB in 20 directories, 256 MiB of test files, removed at the end
| rows: 8 in 2 parts
| operations: 1000 per row, 8000 in all
| row 1: read posix cached threads=1 depth=1 size=4 KiB target=.
| row 2: read posix cached threads=1 depth=1 size=64 KiB target=.
| row 3: read posix cached threads=4 depth=1 size=4 KiB target=.
| row 4: read posix cached threads=4 depth=1 size=64 KiB target=.
| row 5: write posix cached threads=1 depth=1 size=4 KiB target=.
| row 6: write posix cached threads=1 depth=1 size=64 KiB target=.
| row 7: write posix cached threads=4 depth=1 size=4 KiB target=.
| row 8: write posix cached threads=4 depth=1 size=64 KiB target=.
$ iosweep --dry-run --cache cached -s -l 64Mi --sizes 1M --time 10s .
| target DIR/iosweep-NAME: 1 file of 64 MiB, 64 MiB of test files, removed at the end
| rows: 2 in 2 parts
| time: rows take 20 s, after the files are prepared
| row 1: write posix cached threads=1 depth=1 size=1 MiB target=.
| row 2: read posix cached threads=1 depth=1 size=1 MiB target=.
$ iosweep --dry-run --cache cached --tests create,stat,list,delete --sizes 4k -n 100 --loops 2 .
| target DIR/iosweep-NAME: 64 files of 4 MiB in 20 directories, 256 MiB of test files, removed at the end
| rows: 8 in 8 parts
| operations: 100 per row, 800 in all
| row 1: create posix cached threads=1 depth=1 size=4 KiB target=. (loop 1)
| row 2: stat posix asis threads=1 depth=1 size=4 KiB target=. (loop 1)
| row 3: list posix asis threads=1 depth=1 size=4 KiB target=. (loop 1)
| row 4: delete posix asis threads=1 depth=1 size=4 KiB target=. (loop 1)
| row 5: create posix cached threads=1 depth=1 size=4 KiB target=. (loop 2)
| row 6: stat posix asis threads=1 depth=1 size=4 KiB target=. (loop 2)
| row 7: list posix asis threads=1 depth=1 size=4 KiB target=. (loop 2)
| row 8: delete posix asis threads=1 depth=1 size=4 KiB target=. (loop 2)
$ iosweep --dry-run --cache cached --mix 70 --sizes 4k --repeat 2 --time 5s .
| target DIR/iosweep-NAME: 64 files of 4 MiB in 20 directories, 256 MiB of test files, removed at the end
| rows: 4 in 2 parts
| time: rows take 10 s, after the files are prepared
| row 1: write posix cached threads=1 depth=1 size=4 KiB target=. mix=70 (repeat 1)
| row 2: read posix cached threads=1 depth=1 size=4 KiB target=. mix=70 (repeat 1)
| row 3: write posix cached threads=1 depth=1 size=4 KiB target=. mix=70 (repeat 2)
| row 4: read posix cached threads=1 depth=1 size=4 KiB target=. mix=70 (repeat 2)
$ iosweep --dry-run --cache cached --tests fill --sizes 64k -l 1Mi --fill-step 256k .
| target DIR/iosweep-NAME: 1 file of 1 MiB, 1 MiB of test files, removed at the end
| rows: 4 in 4 parts
| operations: 4 per row, 16 in all
| row 1: fill posix asis threads=1 depth=1 size=64 KiB target=. access=once operations=4
| row 2: fill posix asis threads=1 depth=1 size=64 KiB target=. access=once operations=4
| row 3: fill posix asis threads=1 depth=1 size=64 KiB target=. access=once operations=4
| row 4: fill posix asis threads=1 depth=1 size=64 KiB target=. access=once operations=4
$ iosweep --dry-run --tests write:1s,read:n=100:errors=3 --sizes 4k null:
| target null: 64 objects of 4 MiB that do not exist, 256 MiB of nothing
| rows: 2 in 2 parts
| operations: 100 per row, 100 in all
| time: rows take 1 s or more
| row 1: write null cached threads=1 depth=1 size=4 KiB target=null:
| row 2: read null cached threads=1 depth=1 size=4 KiB target=null:
$ iosweep --dry-run --engine null --depth 1..4 --sizes 4k,8k --tests read --max-time 1min null:
| target null: 64 objects of 4 MiB that do not exist, 256 MiB of nothing
| rows: 6 in 1 part
| time: takes at most 1 min
| row 1: read null cached threads=1 depth=1 size=4 KiB target=null:
| row 2: read null cached threads=1 depth=1 size=8 KiB target=null:
| row 3: read null cached threads=1 depth=2 size=4 KiB target=null:
| row 4: read null cached threads=1 depth=2 size=8 KiB target=null:
| row 5: read null cached threads=1 depth=4 size=4 KiB target=null:
| row 6: read null cached threads=1 depth=4 size=8 KiB target=null:
$ iosweep --dry-run --tests write,read,stat,list,delete --sizes 4k,1M -n 64 mem:
| target mem:iosweep-NAME: 4 sets of 64 objects of 4 KiB to 1 MiB, at most 64 MiB of test objects, removed at the end
| rows: 10 in 5 parts
| operations: 64 per row, 640 in all
| row 1: write mem asis threads=1 depth=1 size=4 KiB target=mem:
| row 2: write mem asis threads=1 depth=1 size=1 MiB target=mem:
| row 3: read mem asis threads=1 depth=1 size=4 KiB target=mem:
| row 4: read mem asis threads=1 depth=1 size=1 MiB target=mem:
| row 5: stat mem asis threads=1 depth=1 size=4 KiB target=mem:
| row 6: stat mem asis threads=1 depth=1 size=1 MiB target=mem:
| row 7: list mem asis threads=1 depth=1 size=4 KiB target=mem:
| row 8: list mem asis threads=1 depth=1 size=1 MiB target=mem:
| row 9: delete mem asis threads=1 depth=1 size=4 KiB target=mem:
| row 10: delete mem asis threads=1 depth=1 size=1 MiB target=mem:
! # mem: 128 requests to fill, 64 MiB; rows: 768 requests, 129 MiB to send, 64 MiB to receive
$ iosweep --dry-run --tests create,read:created,delete:created --sizes 4k --objects 100 -n 100/thread --threads 4 mem:
| target mem:iosweep-NAME: 1 set of objects of 4 KiB, what it makes is removed at the end
| rows: 3 in 3 parts
| operations: 400 per row, 1200 in all
| row 1: create mem asis threads=4 depth=1 size=4 KiB target=mem:
| row 2: read mem asis threads=4 depth=1 size=4 KiB target=mem: access=once of what test create makes
| row 3: delete mem asis threads=4 depth=1 size=4 KiB target=mem: of what test create makes
! # mem: rows: 400 requests, 1.6 MiB to send, 0 B to receive
$ iosweep --dry-run --tests create --sizes 12Mi --part-size 5Mi -n 4 mem:
| target mem:iosweep-NAME: 1 set of objects of 12 MiB, what it makes is removed at the end
| rows: 1 in 1 part
| operations: 4 per row, 4 in all
| row 1: create mem asis threads=1 depth=1 size=12 MiB target=mem:
! # mem: rows: 20 requests, 48 MiB to send, 0 B to receive
$ iosweep --dry-run --sizes 4k --tests read null: mem:
| target null: 64 objects of 4 MiB that do not exist, 256 MiB of nothing
| target mem:iosweep-NAME-2: 1 set of 64 objects of 4 KiB, at most 256 KiB of test objects, removed at the end
| rows: 2 in 1 part
| time: rows take at most 3 s, after the files are prepared
| row 1: read null cached threads=1 depth=1 size=4 KiB target=null:
| row 2: read mem asis threads=1 depth=1 size=4 KiB target=mem:
! # mem: 64 requests to fill, 256 KiB; rows: if time allows, 48 requests, 0 B to send, 192 KiB to receive; limited by time alone (-n and --max-requests limit requests)

# an existing file, which is read only
$ head -c 1000000 /dev/zero >big
$ iosweep --dry-run --cache cached -r --sizes 4k,2M big
| target DIR/big: 1 file of 1000000 B, 977 KiB of existing data, only read
| rows: 2 in 1 part
| time: rows take at most 2 s
| row 1: read posix cached threads=1 depth=1 size=4 KiB target=big
| row 2: read posix cached threads=1 depth=1 size=2 MiB target=big skipped:beyond_file
$ iosweep --dry-run --cache cached --overwrite --tests write --sizes 4k big
| target DIR/big: 1 file of 1000000 B, 977 KiB of existing data, OVERWRITTEN
| rows: 1 in 1 part
| time: rows take at most 2 s
| row 1: write posix cached threads=1 depth=1 size=4 KiB target=big
$ iosweep --dry-run --cache cached --tests write --sizes 4k big
! iosweep: existing files are only read: big; use -r to read it, or --overwrite to overwrite its data
? 3
$ head -c 10000 /dev/zero >little; iosweep --dry-run --cache cached --width 2 -l 64k --sizes 4k,64k -n 12 -o dry.csv --series dry.series . little
| target DIR/iosweep-NAME-1: 8 files of 64 KiB in 6 directories, 512 KiB of test files, removed at the end
| target DIR/little: 1 file of 10000 B, 9.8 KiB of existing data, only read
| rows: 6 in 2 parts
| operations: 12 per row, 60 in all
| row 1: write posix cached threads=1 depth=1 size=4 KiB target=.
| row 2: write posix cached threads=1 depth=1 size=64 KiB target=.
| row 3: read posix cached threads=1 depth=1 size=4 KiB target=.
| row 4: read posix cached threads=1 depth=1 size=64 KiB target=.
| row 5: read posix cached threads=1 depth=1 size=4 KiB target=little
| row 6: read posix cached threads=1 depth=1 size=64 KiB target=little skipped:beyond_file
! # little exists and is only read; no write test
# how long it takes, in the units people use; a limit that was not given is not named
$ iosweep --dry-run --cache cached --time 5m . | grep '^time'
| time: rows take 2 h 20 min, after the files are prepared
$ iosweep --dry-run --rate 10 -n 4000 null: | grep '^time'
| time: rows take 3 h 7 min if the storage keeps up with --rate
$ iosweep --dry-run --cache cached --max-time 2s . | grep '^time'
| time: takes at most 2 s
$ iosweep --dry-run absent
! iosweep: cannot use absent: it does not exist; create the directory first, or name an existing one
? 3
$ ls
| big
| little
# outputs are tried before anything is measured; a dry run makes and empties none
$ iosweep -o nosuch/x.csv null:
! iosweep: cannot write the results to nosuch/x.csv: No such file or directory; the directory for it does not exist
? 2
$ iosweep -o nosuch/x.json null:
! iosweep: cannot write the results to nosuch/x.json.part: No such file or directory; the directory for it does not exist
? 2
$ ln -s nothing link.csv; iosweep -o link.csv null:; rm link.csv
! iosweep: cannot write the results to link.csv: No such file or directory; it is a link to a file that does not exist; remove it, or name another file
$ iosweep --levels 3 little
! iosweep: this option is for test files, not for existing files: --levels; leave it out
? 2
$ iosweep -o /proc/x.csv null: 2>&1 | grep -c '; name a file in a directory that you can write to'
| 1
$ iosweep -o . null:
! iosweep: cannot write the results to .: Is a directory; name a file in it
? 2
$ iosweep --series nosuch/x.csv null:
! iosweep: cannot write the results to nosuch/x.csv: No such file or directory; the directory for it does not exist
? 2
$ echo mine >mine.csv; iosweep --dry-run --sizes 4k -o mine.csv null: | grep -c '^row '; iosweep -o mine.csv null:; cat mine.csv
| 2
| mine
! iosweep: only results of iosweep in the same format are overwritten, not mine.csv; name another file
# a table, whichever columns it has
$ for columns in all size_bytes; do iosweep --format table --columns $columns -o mine --quiet -n 1 --sizes 2 null:; done; head -2 mine; rm mine
| write - nothing is moved - null - null:
| size  size_bytes  notes
$ iosweep -o one.csv --series one.csv null:
! iosweep: --output and --series are the same file: one.csv; give two names
? 2
$ mkfifo pipe.csv; iosweep --dry-run --sizes 4k -o pipe.csv null: | grep -c '^row '
| 2
$ iosweep --dry-run --sizes 4k -o new.json null: | grep -c '^row '; ls | grep '^new'
| 2
? 1
