# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Words that are close to others: misspelt ones, those of other programs, targets in another notation.
# --- targets
$ iosweep --dry-run S3:b/p
! iosweep: cannot use S3:b/p: it does not exist; did you mean s3://BUCKET[/PREFIX]?
? 2
$ iosweep --dry-run null
! iosweep: cannot use null: it does not exist; did you mean null:?
? 2
$ iosweep --dry-run null:x
! iosweep: cannot use null:x: it does not exist; did you mean null:?
? 2
$ iosweep --dry-run s3//b/p
! iosweep: cannot use s3//b/p: it does not exist; did you mean s3://BUCKET[/PREFIX]?
? 2
$ iosweep --dry-run s3:
! iosweep: cannot use s3: it does not exist; did you mean s3://BUCKET[/PREFIX]?
? 2
$ iosweep --dry-run s4://b
! iosweep: cannot use s4://b: it does not exist; did you mean s3://BUCKET[/PREFIX]?
? 2
$ iosweep --dry-run radso://pool
! iosweep: cannot use radso://pool: it does not exist; did you mean rados://POOL[/PREFIX]?
? 2
$ iosweep --dry-run gs://b/p
! iosweep: cannot use gs://b/p: it does not exist; did you mean --endpoint https://storage.googleapis.com s3://BUCKET?
? 2
$ iosweep --dry-run https://h:1/b/p
! iosweep: cannot use https://h:1/b/p: it does not exist; did you mean --endpoint https://HOST s3://BUCKET?
? 2
$ iosweep --dry-run http://h/
! iosweep: cannot use http://h/: it does not exist; did you mean --endpoint http://HOST s3://BUCKET?
? 2
$ iosweep --dry-run http://
! iosweep: cannot use http://: it does not exist; did you mean --endpoint http://HOST s3://BUCKET?
? 2
$ iosweep --dry-run 'HTTP://u:pw@h/b'
! iosweep: a target with a name or a password in it; leave them out: credentials come from the environment
? 2
$ iosweep --dry-run https://b.s3.eu-west-1.amazonaws.com/k
! iosweep: cannot use https://b.s3.eu-west-1.amazonaws.com/k: it does not exist; did you mean --endpoint https://HOST s3://BUCKET?
? 2
$ iosweep --dry-run http://b.s3-x:9000
! iosweep: cannot use http://b.s3-x:9000: it does not exist; did you mean --endpoint http://HOST s3://BUCKET?
? 2
$ iosweep --dry-run 'http://u:pw@b.s3.org'
! iosweep: a target with a name or a password in it; leave them out: credentials come from the environment
? 2
$ iosweep --dry-run https://b.s3
! iosweep: cannot use https://b.s3: it does not exist; did you mean --endpoint https://HOST s3://BUCKET?
? 2
$ iosweep --dry-run s3a://b/p
! iosweep: cannot use s3a://b/p: it does not exist; did you mean s3://BUCKET[/PREFIX]?
? 2
$ iosweep --dry-run '~/a'
! iosweep: cannot use ~/a: it does not exist; the shell replaces ~ only outside quotes: "$HOME/PATH"
? 2
$ iosweep --dry-run nfs://host/export
! iosweep: cannot use nfs://host/export: it does not exist; mount it, then name the directory where it is mounted
? 2
$ iosweep --dry-run ceph://pool/a
! iosweep: cannot use ceph://pool/a: it does not exist; objects of a pool are rados://POOL; a CephFS is a directory: mount it
? 2
$ iosweep --dry-run SMB://host/share
! iosweep: cannot use SMB://host/share: it does not exist; mount it, then name the directory where it is mounted
? 2
$ iosweep --dry-run host:/export
! iosweep: cannot use host:/export: it does not exist; mount it, then name the directory where it is mounted
? 2
$ iosweep --dry-run //host/share
! iosweep: cannot use //host/share: it does not exist; mount it, then name the directory where it is mounted
? 2
$ iosweep --dry-run no-such-a/host:
! iosweep: cannot use no-such-a/host: it does not exist; create the directory first, or name an existing one
? 3
$ iosweep --dry-run file:///a/b
! iosweep: cannot use file:///a/b: it does not exist; name the path alone, without file://
? 2
$ iosweep --dry-run file://localhost/a
! iosweep: cannot use file://localhost/a: it does not exist; name the path alone, without file://
? 2
$ iosweep --dry-run bs=4k
! iosweep: cannot use bs=4k: it does not exist; use --sizes
? 2
$ iosweep --dry-run iodepth=8
! iosweep: cannot use iodepth=8: it does not exist; use --depth
? 2
$ iosweep --dry-run depth=8
! iosweep: cannot use depth=8: it does not exist; did you mean --depth?
? 2
$ iosweep --dry-run count=10
! iosweep: cannot use count=10: it does not exist; use --repetitions (-n)
? 2
$ iosweep --dry-run of=/dev/sdb
! iosweep: cannot use of=/dev/sdb: it does not exist; name the file or directory without an option: iosweep FILE
? 2
$ iosweep --dry-run some=thing
! iosweep: cannot use some=thing: it does not exist; create the directory first, or name an existing one
? 3
$ iosweep --dry-run version
! iosweep: cannot use version: it does not exist; did you mean iosweep --version?
? 2
$ iosweep --dry-run run
! iosweep: cannot use run: it does not exist; no command is needed to measure: iosweep [TARGET]
? 2
$ iosweep --dry-run fti
! iosweep: cannot use fti: it does not exist; did you mean iosweep fit ...? else create the directory first
? 2
$ iosweep --dry-run new.csv
! iosweep: cannot use new.csv: it does not exist; iosweep -o FILE writes results to it
? 2
$ iosweep --dry-run mem://x
! iosweep: cannot use mem://x: it does not exist; did you mean mem:?
? 2
$ iosweep --dry-run memory
! iosweep: cannot use memory: it does not exist; create the directory first, or name an existing one
? 3
$ iosweep --dry-run 4k
! iosweep: cannot use 4k: it does not exist; sizes of I/O are given with --sizes, of files with --file-size (-l); else create the directory first
? 2
$ iosweep --dry-run 2026-11
! iosweep: cannot use 2026-11: it does not exist; create the directory first, or name an existing one
? 3
$ iosweep --dry-run no-such-10/files
! iosweep: cannot use no-such-10/files: it does not exist; create the directory first, or name an existing one
? 3
$ iosweep --dry-run if=file
! iosweep: cannot use if=file: it does not exist; name the file or directory without an option: iosweep -r FILE
? 2
$ iosweep --dry-run xyzzy://a 2>&1 | cut -c -80
| iosweep: cannot use xyzzy://a: it does not exist; targets are directories, files
# --- options of other programs, whatever separates their words
$ iosweep --dry-run --iodepth=8 null:
! iosweep: unknown option: --iodepth=8; use --depth 8
? 2
$ iosweep --dry-run --IODEPTH=8 null:
! iosweep: unknown option: --IODEPTH=8; use --depth 8
? 2
$ iosweep --dry-run --rate_iops 5 null:
! iosweep: unknown option: --rate_iops; use --rate
? 2
$ iosweep --dry-run --rate-iops 5 null:
! iosweep: unknown option: --rate-iops; use --rate
? 2
$ iosweep --dry-run -t 5 null:
! iosweep: unknown option: -t; use --threads or --time
? 2
$ iosweep --dry-run -T 5 null:
! iosweep: unknown option: -T; use --threads
? 2
$ iosweep --dry-run --endpoint-url http://h null:
! iosweep: unknown option: --endpoint-url; use --endpoint
? 2
$ iosweep --dry-run --iodept=8 null:
! iosweep: unknown option: --iodept=8; iosweep --help all lists all options
? 2
$ iosweep --dry-run --the_file_itself null:
! iosweep: unknown option: --the_file_itself; iosweep --help all lists all options
? 2
# --- misspelt: one or two letters off, exchanged, missing or too many; never too far off
$ iosweep help thraeds
! iosweep: there is no help on thraeds; did you mean iosweep help threads?
? 2
$ iosweep help treads
! iosweep: there is no help on treads; did you mean iosweep help threads?
? 2
$ iosweep help trheads
! iosweep: there is no help on trheads; did you mean iosweep help threads?
? 2
$ iosweep help htraeds
! iosweep: there is no help on htraeds; did you mean iosweep help threads?
? 2
$ iosweep help thred
! iosweep: there is no help on thred; iosweep --help shows the topics
? 2
$ iosweep help colums
! iosweep: there is no help on colums; did you mean iosweep help columns?
? 2
$ iosweep help comapre
! iosweep: there is no help on comapre; did you mean iosweep help compare?
? 2
$ iosweep help sdtio
! iosweep: there is no help on sdtio; did you mean iosweep help stdio?
? 2
$ iosweep help latency_ns_p9x
! iosweep: there is no help on latency_ns_p9x; did you mean iosweep help latency_ns_p90?
? 2
$ iosweep help corelatde
! iosweep: there is no help on corelatde; did you mean iosweep help correlated?
? 2
$ iosweep help bandwitdh
! iosweep: there is no help on bandwitdh; did you mean iosweep help bandwidth?
? 2
$ iosweep help Cloumns
! iosweep: there is no help on Cloumns; did you mean iosweep help columns?
? 2
$ iosweep help zzzzzzzzzz
! iosweep: there is no help on zzzzzzzzzz; iosweep --help shows the topics
? 2
$ iosweep help zx
! iosweep: there is no help on zx; iosweep --help shows the topics
? 2
$ iosweep help s
| Option:
|   -s, --single-file           one test file instead of a tree
| More in iosweep(1), "Work".
$ iosweep help N1/2
| n1/2, half that bandwidth, half:
| The size at which throughput is half the bandwidth: fixed cost x bandwidth.
| See iosweep help: fixed cost.
$ iosweep help half-that-bandwidth
| n1/2, half that bandwidth, half:
| The size at which throughput is half the bandwidth: fixed cost x bandwidth.
| See iosweep help: fixed cost.
$ iosweep help "$(printf '\302\261')"
| +-:
| Half the width of the 95 % interval of time/op, as a share of it.  Up to 2.5 %
| is good, beyond 10 % measure longer.  From 20 % on the interval is shown by its
| ends, in the unit of time/op, as in 1.5..9.8, or <9.8 where it has no lower end,
| and time/op, throughput and rate with two digits.
| See iosweep help: wide, precision.
$ iosweep help bypass
! iosweep: there is no help on bypass; did you mean iosweep help bypass-cache?
? 2
$ iosweep help cpu_user
! iosweep: there is no help on cpu_user; did you mean iosweep help cpu_user_ns_per_op?
? 2
$ iosweep help words | head -4
| 95 % interval, confidence interval, confidence, interval:
| The true value lies in it with a probability of at least 95 %.  For a row it is
| computed from its rounds; a row of fewer than 3 rounds has none.
| See iosweep help: rounds, wide, op_ns_low.
$ iosweep help words | awk 'empty && !/:$/ { print } { empty = $0 == "" }'
# --- of any length
$ for n in 15 16 31 32 63 64 65 500; do iosweep help "$(printf %0${n}d 0)" 2>&1 | cut -c -40; done
| iosweep: there is no help on 00000000000
| iosweep: there is no help on 00000000000
| iosweep: there is no help on 00000000000
| iosweep: there is no help on 00000000000
| iosweep: there is no help on 00000000000
| iosweep: there is no help on 00000000000
| iosweep: there is no help on 00000000000
| iosweep: there is no help on 00000000000
$ iosweep help $(iosweep help words | sed -n '/^$/d; s/:$//p' | sed 's/, .*//; s/ /-/g') | grep -c '^See iosweep help: '
| 52
