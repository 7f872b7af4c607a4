# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# What was meant: help on what there is no help on, names that are nearly right, words of other
# commands and programs, results and commands that stand where targets do.
$ iosweep help nonsense
! iosweep: there is no help on nonsense; iosweep --help shows the topics
? 2
$ iosweep help --nonsense
! iosweep: there is no help on --nonsense; iosweep --help shows the topics
? 2
$ iosweep --help sweeep
! iosweep: there is no help on sweeep; did you mean iosweep help sweep?
? 2

# a name that is nearly there, and a path that cannot be
$ mkdir -p place/data && echo a >place/file
$ (cd place && iosweep dta/x)
! iosweep: cannot use dta/x: it does not exist; create the directory first, or name an existing one
? 3
$ (cd place && iosweep ./dta/x)
! iosweep: cannot use ./dta/x: it does not exist; create the directory first, or name an existing one
? 3
$ iosweep place/data/no/x
! iosweep: cannot use place/data/no/x: it does not exist; create the directory first, or name an existing one
? 3
$ iosweep place/file/x
! iosweep: cannot use place/file/x: Not a directory
? 3

# results are no targets, but for --read-existing
$ iosweep --quiet --format csv -o results --tests read --sizes 4k -n 4 null:
$ iosweep results
! iosweep: this file holds results of iosweep: results; did you mean iosweep plot, fit, compare or report? to measure the file itself: -r
? 2
$ iosweep --quiet --cache cached -r --sizes 4 -n 4 results >rows
$ rm results
$ iosweep --quiet --format json -o results --tests read --sizes 4k -n 4 null:
$ iosweep results
! iosweep: this file holds results of iosweep: results; did you mean iosweep plot, fit, compare or report? to measure the file itself: -r
? 2

# files that are no results, and too few or too many of them
$ mkdir empty fit
$ : >nothing
$ printf 'x\000y\n' >binary
$ printf 'a,b\n1,2\n' >other
$ iosweep compare
! iosweep: compare needs two files of results, an old and a new one, or a single one; iosweep compare OLD NEW [OLD NEW]... | FILE
? 2
$ iosweep compare nothing
! iosweep: nothing to read in nothing; it holds no results; did its run fail?
? 2
$ iosweep fit
! iosweep: fit needs a file of results; iosweep fit FILE..., or iosweep ./fit to measure the directory of that name
? 2
$ iosweep clean
! iosweep: clean needs the target of the run; iosweep clean TARGET...
? 2
$ iosweep fit absent
! iosweep: cannot read absent: it does not exist; name a file of results, as iosweep -o FILE writes
? 2
$ iosweep fit empty
! iosweep: cannot read empty: it is a directory; name a file of results, as iosweep -o FILE writes
? 2
$ iosweep compare nothing absent
! iosweep: nothing to read in nothing; it holds no results; did its run fail?
? 2
$ iosweep plot binary
! iosweep: binary data, not text, at binary:1; name a result of iosweep; if a spreadsheet wrote it as UTF-16 ("Unicode"), save it as UTF-8
? 2
$ iosweep merge -o new other nothing
! iosweep: not an iosweep result: other:1; expected a CSV header with size_bytes, or JSON of iosweep
? 2
$ iosweep report -o new.html empty
! iosweep: cannot read empty: it is a directory; name a file of results, as iosweep -o FILE writes
? 2
$ iosweep report -o new.html nothing
! iosweep: nothing to read in nothing; it holds no results; did its run fail?
? 2
$ iosweep clean absent
! iosweep: cannot clean absent: it does not exist; name the directory that was the target of the run
? 3
$ iosweep clean s3:
! iosweep: cannot clean s3: it does not exist; name the directory that was the target of the run
? 3
$ test ! -e new && test ! -e new.html
$ rm -r empty fit nothing binary other
$ printf 'size_bytes,rate_per_s\n1,4\n' >curve.csv
$ iosweep fit curve.cvs
! iosweep: cannot read curve.cvs: it does not exist; name a file of results, as iosweep -o FILE writes
? 2
$ iosweep compare curve.csv crve.csv
! iosweep: cannot read crve.csv: it does not exist; name a file of results, as iosweep -o FILE writes
? 2
$ iosweep plot ./curve.cs
! iosweep: cannot read ./curve.cs: it does not exist; name a file of results, as iosweep -o FILE writes
? 2
$ iosweep merge curve.csv curve.cv
! iosweep: cannot read curve.cv: it does not exist; name a file of results, as iosweep -o FILE writes
? 2

# what is an option elsewhere, what takes no value, what lacks one, and other marks than commas
$ iosweep --tolerance 5%
! iosweep: unknown option: --tolerance; it is an option of iosweep compare
? 2
$ iosweep --by=target .
! iosweep: unknown option: --by=target; it is an option of iosweep compare
? 2
$ iosweep fit --sizes 4k x
! iosweep: unknown option: --sizes; iosweep fit --help lists all options
? 2
$ iosweep clean --bs=4k .
! iosweep: unknown option: --bs=4k; iosweep clean --help lists all options
? 2
$ iosweep --verify=yes .
! iosweep: this option takes no value: --verify=yes; leave out the value after --verify
? 2
$ iosweep --depth
! iosweep: option needs an argument: --depth; --depth LIST: operations in flight per thread, such as 1..64
? 2
$ iosweep -o
! iosweep: option needs an argument: -o; -o FILE: write results to FILE [standard output]
? 2
$ iosweep --reuse --run-name k2 .
! iosweep: option needs an argument: --reuse; --reuse NAME: overwrite the files of a kept run
? 2
$ iosweep --tests 'write;read' .
! iosweep: --tests: unknown choice: write;read; choose from write, read, create, append, stat, list, rename, copy, delete, fill
? 2
$ iosweep --cache cached+direct .
! iosweep: --cache: unknown choice: cached+direct; choose from cached, asis, uncached, direct, device
? 2
$ iosweep --mix 70/30 .
! iosweep: --mix: not a whole number: 70/30; did you mean 70? give a whole number from 0 to 100
? 2
$ iosweep --mix 70:30 .
! iosweep: --mix: not a range: 70:30; did you mean 70? give a list such as 1,2,8 or a range such as 1..64
? 2
$ iosweep --rate 10/s .
! iosweep: --rate: not a whole number: 10/s; give a whole number from 1 to 1000000000
? 2
$ iosweep --rounds 5..10 .
! iosweep: --rounds: not a whole number: 5..10; give a whole number from 1 to 1000000
? 2
$ iosweep --sizes 1.5M .
! iosweep: --sizes: not a size: 1.5M; give bytes such as 4096, 64k = 64Ki (x 1024), 64kB (x 1000), up to P
? 2
$ iosweep -b 4k null:
! iosweep: cannot use 4k: it does not exist; sizes of I/O are given with --sizes, of files with --file-size (-l); else create the directory first
? 2
$ iosweep --sizes 4k...1M .
! iosweep: --sizes: not a size: .1M; give bytes such as 4096, 64k = 64Ki (x 1024), 64kB (x 1000), up to P
? 2
$ iosweep --precision 2,5% .
! iosweep: --precision: not a percentage: 2,5%; give a number from 0.001 to 100, such as 2.5%
? 2
$ iosweep -c 10 .
! iosweep: unknown option: -c; use --repetitions (-n)
? 2
$ iosweep --preset quick .
! iosweep: unknown option: --preset; use @NAME, such as @quick (see iosweep help presets)
? 2
$ iosweep -D .
! iosweep: unknown option: -D; use --cache direct (-b)
? 2
$ iosweep --thr.ads 4 .
! iosweep: unknown option: --thr.ads; did you mean --threads?
? 2
$ iosweep --list .
! iosweep: --list-page: not a whole number: .; give a whole number from 1 to 1000
? 2
$ iosweep --secret x s3://data
! iosweep: unknown option: --secret; use AWS_SECRET_ACCESS_KEY in the environment, or --profile
? 2
$ iosweep -o . null:
! iosweep: cannot write the results to .: Is a directory; name a file in it
? 2
$ iosweep -o no/such null:
! iosweep: cannot write the results to no/such: No such file or directory; the directory for it does not exist
? 2

# durations and counts, as they are understood
$ iosweep --time 0.5min --dry-run --tests read --sizes 4k null:
| target null: 64 objects of 4 MiB that do not exist, 256 MiB of nothing
| rows: 1 in 1 part
| time: rows take 30 s
| row 1: read null cached threads=1 depth=1 size=4 KiB target=null:
$ iosweep --time 5sec --dry-run --tests read --sizes 4k null:
! iosweep: --time: not a duration: 5sec; give seconds such as 10 or 1.5s, or 500ns, 61us, 20ms, 2min, 1h30m
? 2
$ iosweep --time '10 s' --dry-run --tests read --sizes 4k null:
! iosweep: --time: not a duration: 10 s; give seconds such as 10 or 1.5s, or 500ns, 61us, 20ms, 2min, 1h30m
? 2
$ iosweep --time 1h30m --dry-run --tests read --sizes 4k null:
| target null: 64 objects of 4 MiB that do not exist, 256 MiB of nothing
| rows: 1 in 1 part
| time: rows take 1 h 30 min
| row 1: read null cached threads=1 depth=1 size=4 KiB target=null:
$ iosweep --max-time 1h30m --dry-run --tests read --sizes 4k null:
| target null: 64 objects of 4 MiB that do not exist, 256 MiB of nothing
| rows: 1 in 1 part
| time: takes at most 1 h 30 min
| row 1: read null cached threads=1 depth=1 size=4 KiB target=null:
$ iosweep --dry-run --tests read --sizes 4k --loops 10000 -n 281474976710656/thread --threads 8 mem: | head -3
| target mem:iosweep-NAME: 1 set of 64 objects of 4 KiB, at most 256 KiB of test objects, removed at the end
| rows: 10000 in 10000 parts
| operations: 2251799813685248 per row, 18446744073709551615 in all
! # mem: 64 requests to fill, 256 KiB; rows: 18446744073709551616 requests, 0 B to send, 67108864 PiB to receive

# secrets are not repeated
$ iosweep --secret-key=topsecret .
! iosweep: unknown option: --secret-key; use AWS_SECRET_ACCESS_KEY in the environment, or --profile
? 2
$ iosweep S3://key:hunter2@b
! iosweep: a target with a name or a password in it; leave them out: credentials come from the environment
? 2
$ iosweep http://key:hunter2@host/b
! iosweep: a target with a name or a password in it; leave them out: credentials come from the environment
? 2

# presets
$ mkdir presets
$ IOSWEEP_PRESETS=$PWD/presets iosweep @nosuch null:
! iosweep: cannot read options from @nosuch: No such file or directory; iosweep help presets lists what is installed; a directory whose name begins with @ is ./@...
? 2
$ IOSWEEP_PRESETS=./absent iosweep @database null:
! iosweep: cannot read options from @database: No such file or directory; the presets should be in ./absent, which cannot be read; IOSWEEP_PRESETS can name another directory
? 2

# a command that is not the first word is not swept, and a directory may have its name
$ iosweep --dry-run null: compare
! iosweep: cannot use compare: it does not exist; a command comes first: iosweep compare ...
? 2
$ iosweep --dry-run null: fit
! iosweep: cannot use fit: it does not exist; a command comes first: iosweep fit ...
? 2
$ iosweep --dry-run null: help
! iosweep: cannot use help: it does not exist; a command comes first: iosweep help ...
? 2
$ iosweep --dry-run null: merge
! iosweep: cannot use merge: it does not exist; a command comes first: iosweep merge ...
? 2
$ iosweep --dry-run null: plot
! iosweep: cannot use plot: it does not exist; a command comes first: iosweep plot ...
? 2
$ iosweep --dry-run null: clean
! iosweep: cannot use clean: it does not exist; a command comes first: iosweep clean ...
? 2
$ iosweep --quiet fit a.csv
! iosweep: cannot use fit: it does not exist; a command comes first: iosweep fit ...
? 2
$ mkdir fit
$ iosweep --quiet --dry-run --cache cached --sizes 4k --seed 7 fit
| target DIR/fit/iosweep-NAME: 64 files of 4 MiB in 20 directories, 256 MiB of test files, removed at the end
| rows: 2 in 2 parts
| time: rows take at most 3 s, after the files are prepared
| row 1: write posix cached threads=1 depth=1 size=4 KiB target=fit
| row 2: read posix cached threads=1 depth=1 size=4 KiB target=fit
# an option of a command, and one with the name of a target before it that it does not have
$ iosweep --all .
! iosweep: unknown option: --all; it is an option of iosweep clean
? 2
$ iosweep --against old.csv new.csv
! iosweep: unknown option: --against; it is an option of iosweep compare and iosweep report
? 2
$ iosweep clean --tolerance 5 .
! iosweep: unknown option: --tolerance; it is an option of iosweep compare
? 2
$ iosweep --webhdfs.insecure .
! iosweep: unknown option: --webhdfs.insecure; iosweep --help all lists all options
? 2
$ iosweep --export-json .
! iosweep: unknown option: --export-json; use -o FILE, with a name that ends in .csv or .json
? 2
$ iosweep --prepare .
! iosweep: unknown option: --prepare; use the shell: a command before iosweep
? 2
$ iosweep --url=http://x .
! iosweep: unknown option: --url=http://x; use --endpoint http://x
? 2
$ iosweep --randread .
! iosweep: unknown option: --randread; use --tests read, at random places by default
? 2
$ iosweep --progress .
! iosweep: unknown option: --progress; not needed: a terminal shows the progress
? 2
$ iosweep --baseline .
! iosweep: unknown option: --baseline; use iosweep compare OLD NEW, which reads results
? 2

# misspelt options and values, and those of other programs
$ iosweep --thread-count .
! iosweep: unknown option: --thread-count; iosweep --help all lists all options
? 2
$ iosweep --max .
! iosweep: unknown or ambiguous option: --max; did you mean --max-size, --max-time, --max-errors, --max-requests?
? 2
$ iosweep -quiet .
! iosweep: unknown option: -quiet; did you mean --quiet?
? 2
$ iosweep --zzz .
! iosweep: unknown option: --zzz; iosweep --help all lists all options
? 2
$ iosweep --presicion=3 .
! iosweep: unknown option: --presicion=3; did you mean --precision?
? 2
$ iosweep --verion .
! iosweep: unknown option: --verion; did you mean --version?
? 2
$ iosweep --runtime .
! iosweep: unknown option: --runtime; use --time
? 2
$ iosweep --runtime=5 .
! iosweep: unknown option: --runtime=5; use --time 5
? 2
$ iosweep --rw=randread .
! iosweep: unknown option: --rw=randread; use --tests read; access is random unless --access says otherwise
? 2
$ iosweep --addressing .
! iosweep: unknown option: --addressing; did you mean --s3.addressing?
? 2
$ iosweep -c .
! iosweep: unknown option: -c; use --repetitions (-n)
? 2
$ iosweep -k .
! iosweep: unknown option: -k; iosweep --help all lists all options
? 2
$ iosweep --tests=raed .
! iosweep: --tests: unknown choice: raed; did you mean read? choose from write, read, create, append, stat, list, rename, copy, delete, fill
? 2
$ iosweep --tests=write,raed .
! iosweep: --tests: unknown choice: raed; did you mean read? choose from write, read, create, append, stat, list, rename, copy, delete, fill
? 2
$ iosweep --tests=get .
! iosweep: --tests: unknown choice: get; did you mean read? choose from write, read, create, append, stat, list, rename, copy, delete, fill
? 2
$ iosweep --cache=dirct .
! iosweep: --cache: unknown choice: dirct; did you mean direct? choose from cached, asis, uncached, direct, device
? 2
$ iosweep --cache=cached,OFF .
! iosweep: --cache: unknown choice: OFF; did you mean direct, or uncached? choose from cached, asis, uncached, direct, device
? 2
$ iosweep --format=jsn .
! iosweep: --format: unknown choice: jsn; did you mean json? choose from table, csv, json, classic
? 2
$ iosweep --access=seq .
! iosweep: --access: unknown choice: seq; did you mean sequential? choose from random, sequential, once
? 2
$ iosweep --engine=libc .
! iosweep: --engine: no such engine in this build: libc; did you mean stdio? iosweep help engines lists them
? 2
$ iosweep --columns=size_byte .
! iosweep: unknown column size_byte; did you mean size_bytes? iosweep help columns shows all of them
? 2
$ iosweep --columns=iops .
! iosweep: unknown column iops; did you mean rate_per_s? iosweep help columns shows all of them
? 2
$ iosweep --columns=thread_rate .
! iosweep: unknown column thread_rate; did you mean thread_rate_per_s_min? iosweep help columns shows all of them
? 2
$ iosweep --sizes=4k-1M .
! iosweep: --sizes: not a range: 4k-1M; give a list such as 1,2,8 or a range such as 1..64
? 2
$ iosweep -n1e6 .
! iosweep: --repetitions: not a whole number: 1e6; give a whole number from 1 to 281474976710656
? 2
$ iosweep --iodepth=4 .
! iosweep: unknown option: --iodepth=4; use --depth 4
? 2
$ iosweep --rwmixread=70 .
! iosweep: unknown option: --rwmixread=70; use --mix 70
? 2
$ iosweep --size=1G .
! iosweep: unknown option: --size=1G; use --file-size (-l) for files, --sizes for what each I/O moves
? 2
$ iosweep --bs=4k .
! iosweep: unknown option: --bs=4k; use --sizes 4k
? 2
$ iosweep -t .
! iosweep: unknown option: -t; use --threads or --time
? 2
$ iosweep --engine=sdtio .
! iosweep: --engine: no such engine in this build: sdtio; did you mean stdio? iosweep help engines lists them
? 2
$ iosweep comapre .
! iosweep: cannot use comapre: it does not exist; did you mean iosweep compare ...? else create the directory first
? 2
