# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Each option refuses a word that makes no sense, in one line that names the word, before anything
# is done.  An option of --help without such a word here is refused by tests/cli/errors.sh.
$ iosweep -m 0 .
! iosweep: --min-size: size too small: 0; give a size from 1 B to 64 PiB
? 2
$ iosweep -m -1 .
! iosweep: --min-size: not a size: -1; give bytes such as 4096, 64k = 64Ki (x 1024), 64kB (x 1000), up to P
? 2
$ iosweep -m 4x .
! iosweep: --min-size: not a size: 4x; give bytes such as 4096, 64k = 64Ki (x 1024), 64kB (x 1000), up to P
? 2
$ iosweep -m 4ki4 .
! iosweep: --min-size: not a size: 4ki4; give bytes such as 4096, 64k = 64Ki (x 1024), 64kB (x 1000), up to P
? 2
$ iosweep -m 0x10 .
! iosweep: --min-size: not a size: 0x10; give bytes such as 4096, 64k = 64Ki (x 1024), 64kB (x 1000), up to P
? 2
$ iosweep -m 99999999999999999999 .
! iosweep: --min-size: size too large: 99999999999999999999; give a size from 1 B to 64 PiB
? 2
$ iosweep --min-size junk .
! iosweep: --min-size: not a size: junk; give bytes such as 4096, 64k = 64Ki (x 1024), 64kB (x 1000), up to P
? 2
$ iosweep --access backwards .
! iosweep: --access: unknown choice: backwards; choose from random, sequential, once
? 2
$ iosweep --call-size 4x .
! iosweep: --call-size: not a size: 4x; give bytes such as 4096, 64k = 64Ki (x 1024), 64kB (x 1000), up to P
? 2
$ iosweep --mix 101 .
! iosweep: --mix: number too large: 101; give a whole number from 0 to 100
? 2
$ iosweep --null.write-delay fast .
! iosweep: --null.write-delay: not a duration: fast; give seconds such as 10 or 1.5s, or 500ns, 61us, 20ms, 2min, 1h30m
? 2
$ iosweep --max-size 1.5k .
! iosweep: --max-size: not a size: 1.5k; give bytes such as 4096, 64k = 64Ki (x 1024), 64kB (x 1000), up to P
? 2
$ iosweep --factor 1 .
! iosweep: --factor: number too small: 1; give a whole number from 2 to 1048576
? 2
$ iosweep --factor two .
! iosweep: --factor: not a whole number: two; give a whole number from 2 to 1048576
? 2
$ iosweep --sizes 4k,junk .
! iosweep: --sizes: not a size: junk; give bytes such as 4096, 64k = 64Ki (x 1024), 64kB (x 1000), up to P
? 2
$ iosweep --sizes 8k..4k .
! iosweep: --sizes: not a range from low to high: 8k..4k; give a list such as 1,2,8 or a range such as 1..64
? 2
$ iosweep --sizes 4k,,8k .
! iosweep: --sizes: empty word in the list: 4k,,8k; give a list such as 1,2,8 or a range such as 1..64
? 2
$ iosweep --tests appends .
! iosweep: --tests: unknown choice: appends; did you mean append? choose from write, read, create, append, stat, list, rename, copy, delete, fill
? 2
$ iosweep --tests read, .
! iosweep: --tests: unknown choice: nothing; choose from write, read, create, append, stat, list, rename, copy, delete, fill
? 2
$ iosweep --threads 0 .
! iosweep: --threads: number too small: 0; give a whole number from 1 to 4096
? 2
$ iosweep --threads 5000 .
! iosweep: --threads: number too large: 5000; give a whole number from 1 to 4096
? 2
$ iosweep --threads 1..x .
! iosweep: --threads: not a whole number: x; give a whole number from 1 to 4096
? 2
$ iosweep --depth 0 .
! iosweep: --depth: number too small: 0; give a whole number from 1 to 4096
? 2
$ iosweep --depth 5000 .
! iosweep: --depth: number too large: 5000; give a whole number from 1 to 4096
? 2
$ iosweep --depth 1..x .
! iosweep: --depth: not a whole number: x; give a whole number from 1 to 4096
? 2
$ iosweep --rate 0 .
! iosweep: --rate: number too small: 0; give a whole number from 1 to 1000000000
? 2
$ iosweep --rate fast .
! iosweep: --rate: not a whole number: fast; give a whole number from 1 to 1000000000
? 2
$ iosweep --engine libc .
! iosweep: --engine: no such engine in this build: libc; did you mean stdio? iosweep help engines lists them
? 2
$ iosweep --engine posix,junk .
! iosweep: --engine: no such engine in this build: junk; iosweep help engines lists them
? 2
$ iosweep --cache warm .
! iosweep: --cache: unknown choice: warm; did you mean cached? choose from cached, asis, uncached, direct, device
? 2
$ iosweep --readahead backwards .
! iosweep: --readahead: unknown choice: backwards; choose from normal, none, sequential, willneed
? 2
$ iosweep --fill-step 4x .
! iosweep: --fill-step: not a size: 4x; give bytes such as 4096, 64k = 64Ki (x 1024), 64kB (x 1000), up to P
? 2
$ iosweep -l 0 .
! iosweep: --file-size: size too small: 0; give a size from 1 B to 64 PiB
? 2
$ iosweep --file-size 4MiX .
! iosweep: --file-size: not a size: 4MiX; give bytes such as 4096, 64k = 64Ki (x 1024), 64kB (x 1000), up to P
? 2
$ iosweep --levels 0 .
! iosweep: --levels: number too small: 0; give a whole number from 1 to 32
? 2
$ iosweep --levels 65 .
! iosweep: --levels: number too large: 65; give a whole number from 1 to 32
? 2
$ iosweep --width 0 .
! iosweep: --width: number too small: 0; give a whole number from 1 to 1000000
? 2
$ iosweep --width 9999999 .
! iosweep: --width: number too large: 9999999; give a whole number from 1 to 1000000
? 2
$ iosweep --align 0 .
! iosweep: --align: size too small: 0; give a size from 1 B to 1 GiB
? 2
$ iosweep --align 3 .
! iosweep: --align must be a power of two: 3 B
? 2
$ iosweep --payload ones .
! iosweep: --payload: unknown choice: ones; choose from random, zero, repeat
? 2
$ iosweep --small big .
! iosweep: --small: unknown choice: big; choose from cover, skip
? 2
$ iosweep --color red .
! iosweep: --color: unknown choice: red; choose from auto, always, never
? 2
$ iosweep --sync always .
! iosweep: --sync: unknown choice: always; choose from none, data, full, end
? 2
$ iosweep --seed abc .
! iosweep: --seed: not a whole number: abc; give a whole number of at least 0
? 2
$ iosweep --seed -1 .
! iosweep: --seed: not a whole number: -1; give a whole number of at least 0
? 2
$ iosweep -n 0 .
! iosweep: --repetitions: number too small: 0; give a whole number from 1 to 281474976710656
? 2
$ iosweep -n 1e3 .
! iosweep: --repetitions: not a whole number: 1e3; give a whole number from 1 to 281474976710656
? 2
$ iosweep --repetitions 12x .
! iosweep: --repetitions: not a whole number: 12x; give a whole number from 1 to 281474976710656
? 2
$ iosweep -n 3/threads .
! iosweep: --repetitions: not a valid number of operations: 3/threads; write N or N/thread
? 2
$ iosweep -n /thread .
! iosweep: --repetitions: not a valid number of operations: /thread; write N or N/thread
? 2
$ iosweep --tests read:n=4/row .
! iosweep: --tests: not a valid number of operations: 4/row; write N or N/thread
? 2
$ iosweep --tests read:n=0/thread .
! iosweep: --tests: number too small: 0; give a whole number from 1 to 281474976710656
? 2
$ iosweep --replace .
! iosweep: --replace is for a run that has a name; add --run-name
? 2
$ iosweep --precision 0 .
! iosweep: --precision: percentage out of range: 0; give a number from 0.001 to 100, such as 2.5%
? 2
$ iosweep --precision 101% .
! iosweep: --precision: percentage out of range: 101%; give a number from 0.001 to 100, such as 2.5%
? 2
$ iosweep --precision few .
! iosweep: --precision: not a percentage: few; give a number from 0.001 to 100, such as 2.5%
? 2
$ iosweep --time 0 .
! iosweep: --time: a duration must be above 0: 0; the shortest is 1ns
? 2
$ iosweep --time 5x .
! iosweep: --time: not a duration: 5x; give seconds such as 10 or 1.5s, or 500ns, 61us, 20ms, 2min, 1h30m
? 2
$ iosweep --time -1s .
! iosweep: --time: not a duration: -1s; give seconds such as 10 or 1.5s, or 500ns, 61us, 20ms, 2min, 1h30m
? 2
$ iosweep --max-time 0 .
! iosweep: --max-time: a duration must be above 0: 0; the shortest is 1ns
? 2
$ iosweep --max-time soon .
! iosweep: --max-time: not a duration: soon; give seconds such as 10 or 1.5s, or 500ns, 61us, 20ms, 2min, 1h30m
? 2
$ iosweep --share all .
! iosweep: unknown option: --share; it is an option of iosweep-mpi
? 2
$ iosweep --hosts-per-target 2 .
! iosweep: unknown option: --hosts-per-target; it is an option of iosweep-mpi
? 2
$ iosweep --rank-timeout 9s .
! iosweep: unknown option: --rank-timeout; it is an option of iosweep-mpi
? 2
$ iosweep --max-time 0 .
! iosweep: --max-time: a duration must be above 0: 0; the shortest is 1ns
? 2
$ iosweep --max-time never .
! iosweep: --max-time: not a duration: never; give seconds such as 10 or 1.5s, or 500ns, 61us, 20ms, 2min, 1h30m
? 2
$ iosweep --rounds 0 .
! iosweep: --rounds: number too small: 0; give a whole number from 1 to 1000000
? 2
$ iosweep --loops 0 .
! iosweep: --loops: number too small: 0; give a whole number from 1 to 10000
? 2
$ iosweep --repeat many .
! iosweep: --repeat: not a whole number: many; give a whole number from 1 to 10000
? 2
$ iosweep --rounds 9,3 .
! iosweep: --rounds: the maximum of rounds is below the minimum: 9,3; write --rounds MIN,MAX
? 2
$ iosweep --rounds 3,x .
! iosweep: --rounds: not a whole number: x; give a whole number from 1 to 1000000
? 2
$ iosweep --max-errors -1 .
! iosweep: --max-errors: not a whole number: -1; give a whole number of at least 0
? 2
$ iosweep --max-errors many .
! iosweep: --max-errors: not a whole number: many; give a whole number of at least 0
? 2
$ iosweep --max-errors 3/row .
! iosweep: --max-errors: not a valid limit of failed operations: 3/row; write N, N/step or PERCENT%
? 2
$ iosweep --max-errors 3,,1% .
! iosweep: --max-errors: not a whole number: nothing; give a whole number of at least 0
? 2
$ iosweep --max-errors 0% .
! iosweep: --max-errors: percentage out of range: 0%; give a number from 0.001 to 100, such as 2.5%
? 2
$ iosweep --tests read: .
! iosweep: --tests: not a valid stop of a step: nothing; write TEST:30s, TEST:n=1000, TEST:errors=3 or TEST:created
? 2
$ iosweep --tests read:n=0 .
! iosweep: --tests: number too small: 0; give a whole number from 1 to 281474976710656
? 2
$ iosweep --tests read:n=4:2s:n=5 .
! iosweep: --tests: a step has two stops of one kind; leave out n=5
? 2
$ iosweep --tests read:2s:30s .
! iosweep: --tests: a step has two stops of one kind; leave out 30s
? 2
$ iosweep --tests read:fast .
! iosweep: --tests: not a valid stop of a step: fast; write TEST:30s, TEST:n=1000, TEST:errors=3 or TEST:created
? 2
$ iosweep --tests read:errors=-1 .
! iosweep: --tests: not a whole number: -1; give a whole number of at least 0
? 2
$ iosweep --tests read:30s,:n=4 .
! iosweep: --tests: unknown choice: nothing; choose from write, read, create, append, stat, list, rename, copy, delete, fill
? 2
$ iosweep --format xml .
! iosweep: --format: unknown choice: xml; choose from table, csv, json, classic
? 2
$ iosweep --columns speed .
! iosweep: unknown column speed; did you mean throughput_bytes_per_s, or rate_per_s? iosweep help columns shows all of them
? 2
$ iosweep --separator ab .
! iosweep: --separator: not a single character: ab; give one printable ASCII character, or tab
? 2
$ iosweep --decimal ab .
! iosweep: --decimal: not a single character: ab; give one printable ASCII character, or tab
? 2
$ iosweep -o /nowhere/at/all .
! iosweep: cannot write the results to /nowhere/at/all: No such file or directory; the directory for it does not exist
? 2
$ iosweep --output /nowhere/at/all .
! iosweep: cannot write the results to /nowhere/at/all: No such file or directory; the directory for it does not exist
? 2
$ iosweep --series /nowhere/at/all .
! iosweep: cannot write the results to /nowhere/at/all: No such file or directory; the directory for it does not exist
? 2
$ iosweep --series - .
! iosweep: --series needs a file; name a file: standard output carries the results
? 2
$ iosweep -o a.html .
! iosweep: a run does not print this format: .html; -o FILE.json, then iosweep report -o FILE.html FILE.json
? 2
$ iosweep -o a.png .
! iosweep: a run does not print this format: .png; -o FILE.json, then iosweep plot -o FILE.svg FILE.json
? 2
$ iosweep -o a.xlsx .
! iosweep: no format has this ending: .xlsx; name the file .csv or .json, or add --format
? 2
$ iosweep --interval 9ms .
! iosweep: --interval: duration too short: 9ms; the least is 10.0 ms
? 2
$ iosweep --interval -1s .
! iosweep: --interval: not a duration: -1s; give seconds such as 10 or 1.5s, or 500ns, 61us, 20ms, 2min, 1h30m
? 2
$ iosweep --interval soon .
! iosweep: --interval: not a duration: soon; give seconds such as 10 or 1.5s, or 500ns, 61us, 20ms, 2min, 1h30m
? 2
$ iosweep --endpoint http://127.0.0.1:1 .
! iosweep: no target takes this option: --endpoint; name s3://BUCKET[/PREFIX], or leave out the option
? 2
$ iosweep --region here .
! iosweep: no target takes this option: --region; name s3://BUCKET[/PREFIX], or leave out the option
? 2
$ iosweep --object-size 0 .
! iosweep: --object-size: size too small: 0; give a size from 1 B to 64 PiB
? 2
$ iosweep --run-name mi/ne .
! iosweep: --run-name: not a valid run name: mi/ne; use 1 to 63 of the characters A-Z a-z 0-9 . _ -
? 2
$ iosweep --reuse mi/ne .
! iosweep: --reuse: not a valid run name: mi/ne; use 1 to 63 of the characters A-Z a-z 0-9 . _ -
? 2
$ iosweep --retries 101 .
! iosweep: --retries: number too large: 101; give a whole number from 0 to 100
? 2
$ iosweep --max-requests 0 .
! iosweep: --max-requests: number too small: 0; give a whole number of at least 1
? 2
$ iosweep --profile mine .
! iosweep: no target takes this option: --profile; name s3://BUCKET[/PREFIX], or leave out the option
? 2
$ iosweep --ca-file ca.pem .
! iosweep: no target takes this option: --ca-file; name s3://BUCKET[/PREFIX] or webhdfs://HOST:PORT[/PATH], or leave out the option
? 2
$ iosweep --s3.addressing both .
! iosweep: --s3.addressing: unknown choice: both; choose from auto, path, virtual
? 2
$ iosweep --s3.payload half .
! iosweep: --s3.payload: unknown choice: half; choose from auto, unsigned, signed, trailer
? 2
$ iosweep --s3.checksum sha0 .
! iosweep: --s3.checksum: unknown choice: sha0; choose from none, md5, crc32, crc32c, crc64nvme
? 2
$ iosweep --webhdfs.user bench .
! iosweep: no target takes this option: --webhdfs.user; name webhdfs://HOST:PORT[/PATH], or leave out the option
? 2
$ iosweep --webhdfs.connect datanode1=somewhere .
! iosweep: no target takes this option: --webhdfs.connect; name webhdfs://HOST:PORT[/PATH], or leave out the option
? 2
$ iosweep --webhdfs.base /gateway .
! iosweep: no target takes this option: --webhdfs.base; name webhdfs://HOST:PORT[/PATH], or leave out the option
? 2
$ iosweep --webhdfs.token-file token .
! iosweep: no target takes this option: --webhdfs.token-file; name webhdfs://HOST:PORT[/PATH], or leave out the option
? 2
$ iosweep --webhdfs.password-file password .
! iosweep: no target takes this option: --webhdfs.password-file; name webhdfs://HOST:PORT[/PATH], or leave out the option
? 2
$ iosweep --reconnect mem:
! iosweep: no target takes this option: --reconnect; name s3://BUCKET[/PREFIX] or webhdfs://HOST:PORT[/PATH], or leave out the option
? 2
$ iosweep --webhdfs.replication 0 .
! iosweep: --webhdfs.replication: number too small: 0; give a whole number from 1 to 512
? 2
$ iosweep --webhdfs.block-size 0 .
! iosweep: --webhdfs.block-size: size too small: 0; give a size from 512 B to 64 PiB
? 2
$ iosweep --rados.user bench .
! iosweep: no target takes this option: --rados.user; name rados://POOL[/PREFIX], or leave out the option
? 2
$ iosweep --rados.conf ceph.conf .
! iosweep: no target takes this option: --rados.conf; name rados://POOL[/PREFIX], or leave out the option
? 2
$ iosweep --objects 0 .
! iosweep: --objects: number too small: 0; give a whole number from 1 to 1000000
? 2
$ iosweep --part-size 0 .
! iosweep: --part-size: size too small: 0; give a size from 1 B to 64 PiB
? 2
$ iosweep --delete-batch 1001 .
! iosweep: --delete-batch: number too large: 1001; give a whole number from 1 to 1000
? 2
$ iosweep --parallel 65 .
! iosweep: --parallel: number too large: 65; give a whole number from 1 to 64
? 2
$ iosweep --list-page 0 .
! iosweep: --list-page: number too small: 0; give a whole number from 1 to 1000
? 2
$ iosweep --request-timeout never .
! iosweep: --request-timeout: not a duration: never; give seconds such as 10 or 1.5s, or 500ns, 61us, 20ms, 2min, 1h30m
? 2
$ iosweep --mem.delay fast .
! iosweep: --mem.delay: not a duration: fast; give seconds such as 10 or 1.5s, or 500ns, 61us, 20ms, 2min, 1h30m
? 2
$ iosweep --mem.fail sometimes .
! iosweep: --mem.fail: not a list of failures: sometimes; KIND[@VERB]:N, at most 8 of them, with commas: slow-down, server-error, forbidden, missing, refused, lost, broken or wrong; as in lost@put:3
? 2
$ iosweep --mem.like bin .
! iosweep: --mem.like: unknown choice: bin; choose from bucket, pool, tree
? 2
$ iosweep --null.delay fast .
! iosweep: --null.delay: not a duration: fast; give seconds such as 10 or 1.5s, or 500ns, 61us, 20ms, 2min, 1h30m
? 2
$ iosweep --null.delay mix: .
! iosweep: --null.delay: not a valid delay: nothing; give 61us or mix:35x0,5x3ms
? 2
$ iosweep --null.delay mix:35 .
! iosweep: --null.delay: not a valid delay: 35; give 61us or mix:35x0,5x3ms
? 2
$ iosweep --null.delay mix:0x3ms .
! iosweep: --null.delay: number too small: 0; give a whole number from 1 to 1000000
? 2
$ iosweep --null.delay mix:1x0,1x0,1x0,1x0,1x0,1x0,1x0,1x0,1x0 .
! iosweep: --null.delay: too many kinds of operations: 1x0,1x0,1x0,1x0,1x0,1x0,1x0,1x0,1x0; the limit is 8
? 2
$ iosweep --on tape .
! iosweep: --on: unknown choice: tape; choose from data, xattr, omap
? 2
$ iosweep --null.fail at:0 .
! iosweep: --null.fail: not a schedule of failures: at:0; every:N or at:N, as in every:100 or every:100,at:7
? 2
$ iosweep --null.fail every:3, .
! iosweep: --null.fail: not a schedule of failures: every:3,; every:N or at:N, as in every:100 or every:100,at:7
? 2
$ iosweep -z .
! iosweep: unknown option: -z; iosweep --help all lists all options
? 2
$ iosweep --junk .
! iosweep: unknown option: --junk; iosweep --help all lists all options
? 2
# nothing is left of any of them
$ ls -A
