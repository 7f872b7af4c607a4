# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# The page that --help shows, the topics, and what help finds by a word.
$ iosweep --help
| Usage: iosweep [OPTION]... [@PRESET]... [TARGET]...
| Measure how fast storage is at each I/O size.  TARGET is a directory (default:
| this one), a file, a block device or an object store (iosweep help targets).
|
|   iosweep --quick                  a first look in ten seconds, with a verdict
|   iosweep /mnt/data                the curve of a file system and its device
|   iosweep -b /mnt/data             the storage alone, without the page cache
|   iosweep -r big.db                reads of your file, which is left unchanged
|   iosweep -o new.csv /mnt/data     results to a file, for: iosweep plot new.csv
|   iosweep compare old.csv new.csv  slower, faster or the same?
|
|       --sizes LIST            these sizes: 512,4k,1M or 4k..1M, or full
|   -m, --min-size SIZE         smallest I/O size [512; objects: 4Ki]
|   -M, --max-size SIZE         largest I/O size [4Mi; objects: 64Mi]
|       --tests LIST            steps: write, read, create, stat ... [write,read]
|       --depth LIST            operations in flight per thread, such as 1..64 [1]
|       --threads LIST          threads, such as 4 or 1..16 [1]
|       --time TIME             measure each row for this long
|       --dry-run               show what would be done; touch nothing
|
| iosweep help WORD explains an option, command, engine, test, column or topic:
| sweep work runs stop output safety information object-stores s3 webhdfs rados
| memory targets engines commands columns notes words presets numbers status all
$ iosweep help sweep
| Sweep:
|       --quick                 device and memory in ten seconds: a verdict
|       --tests LIST            steps: write, read, create, stat ... [write,read]
|       --loops N               run all of --tests N times [1]
|       --repeat N              measure each row N times [1]
|       --cache LIST            state of the page cache [cached,device]
|   -b, --bypass-cache          same as --cache direct (O_DIRECT)
|       --threads LIST          threads, such as 4 or 1..16 [1]
|       --depth LIST            operations in flight per thread, such as 1..64 [1]
|       --access LIST           access order: random, sequential, once [random]
|       --mix LIST              mix reads and writes: percent of reads, e.g. 70
|       --sizes LIST            these sizes: 512,4k,1M or 4k..1M, or full
|   -m, --min-size SIZE         smallest I/O size [512; objects: 4Ki]
|   -M, --max-size SIZE         largest I/O size [4Mi; objects: 64Mi]
|       --factor N              ratio of one size to the next [2; objects: 4]
|       --engine LIST           I/O engines, see iosweep help engines [posix]
| More in iosweep(1), "Sweep".
$ iosweep help work
| Work:
|   -r, --read-existing         only read existing files, change nothing
|   -s, --single-file           one test file instead of a tree
|       --levels N              levels in the tree of test files [3]
|       --width N               subdirectories, or files, per directory [4]
|   -l, --file-size SIZE        length of test files; -r: bytes used of each [4Mi]
|       --small HOW             sizes too small for O_DIRECT: cover, skip [cover]
|       --sync WHEN             durable writes: none, data, full, end [none]
|       --readahead HOW         read-ahead: normal, none, sequential, willneed
|       --fill-step SIZE        test fill: bytes per row [1/64 of the total]
|       --keep-open             open files once, not in each cycle
|       --payload WHAT          data to write: random, zero, repeat [random]
|       --pin                   pin each thread to its own processor
|       --verify                verify data read, and read back data written
|       --rate N                start N operations per second (open loop)
|       --align SIZE            align offsets to SIZE [I/O size, at most 4Ki]
|       --call-size SIZE        split each I/O into calls of SIZE [append: 64Ki]
|       --seed N                same seed, same offsets [random]
| More in iosweep(1), "Work".
$ iosweep help runs
| Runs:
|       --run-name NAME         name of this run; -r: of the kept run to read
|       --keep                  leave the test files in place
|       --reuse NAME            overwrite the files of a kept run
|       --replace               first remove the remains of a run of that name
| More in iosweep(1), "Runs".
$ iosweep help stop
| Stop:
|   -n, --repetitions N         operations per row, or N/thread [until precise]
|       --precision PERCENT     required precision of a row's mean [2.5%]
|       --time TIME             measure each row for this long
|       --max-time TIME         end the run in TIME, setup included [no limit]
|       --rounds MIN,MAX        rounds per row [11,39]
|       --max-errors LIST       failed operations allowed: N, N/step, P% [100]
|       --allow-short           do not count short operations as failed
| More in iosweep(1), "Stop".
|
| Column of results:
|   stop                      why the row ended: count, time, precision ...
| More in iosweep-csv(5).
$ iosweep help team
| team, rank, ranks, host, hosts, side by side:
| Several processes (ranks) that mpirun or srun starts on one or more hosts, and
| that measure the same rows at the same time.  A row covers all of them; the JSON
| contains the figures of each.  Rank 0 decides and prints.
| See iosweep help: ranks_apart, rank_rate_per_s_min, skew.
|
| Columns of results, --columns team:
|   ranks                     ranks that measure together; 1 if alone
|   rank_rate_per_s_min       1/s: rate of the slowest rank
|   rank_rate_per_s_max       1/s: rate of the fastest rank
|   rank_skew_ns_p99          ns: from the first rank to begin a slice to the last
$ iosweep help output
| Output:
|   -o, --output FILE           write results to FILE [standard output]
|       --format NAME           table, csv, json, classic
|       --columns LIST          columns or groups, see iosweep help columns
|       --separator C           field separator of csv [,]
|       --decimal C             decimal mark of csv [.]
|       --label TEXT            put TEXT into the column label
|       --interval TIME         write a time-series record every TIME
|       --series FILE           write these records to FILE [standard error]
|       --brief                 the verdict in place of facts and findings
|       --color WHEN            colour: auto (on a terminal), always, never [auto]
|       --quiet                 only errors on standard error
|       --verbose               report each step and all facts on standard error
| More in iosweep(1), "Output".
$ iosweep help safety
| Safety:
|       --overwrite             overwrite the file TARGET: its data are lost
|       --destroy-data          write to the device TARGET: its data are lost
|       --dry-run               show what would be done; touch nothing
| More in iosweep(1), "Safety".
$ iosweep help information
| Information:
|   -h, --help [TOPIC]          print help, or help on TOPIC
|   -v, --version               print version and features
| More in iosweep(1), "Information".
$ iosweep help object-stores
| Object stores:
|       --endpoint URL          the service: SCHEME://HOST[:PORT] [AWS]
|       --region NAME           region of the bucket [us-east-1]
|       --profile NAME          credentials of this profile [environment, default]
|       --anonymous             no credentials, unsigned requests
|       --insecure              do not verify TLS certificates
|       --ca-file FILE          CA certificates to trust (PEM)
|       --retries N             retry a failed request up to N times [0]
|       --request-timeout TIME  fail a request after TIME without progress [30s]
|       --reconnect             a new connection for each request
|       --on WHAT               what to read and write: data, xattr, omap [data]
|       --max-requests N        end the run after N requests
|       --objects N             objects per size [64, up to 256 MiB in total]
|       --object-size SIZE      read ranges of objects of this size [whole]
|       --part-size SIZE        upload larger objects in parts [append: 8Mi]
|       --parallel N            ranges of a read, parts of an upload at once [1]
|       --delete-batch N        delete: objects per request [1]
|       --list-page N           list: names per request [1000]
| More in iosweep-objects(7), "Object stores".
$ iosweep help memory
| mem: (objects in memory)
|
| Object stores:
|       --retries N             retry a failed request up to N times [0]
|       --request-timeout TIME  fail a request after TIME without progress [30s]
|       --on WHAT               what to read and write: data, xattr, omap [data]
|       --max-requests N        end the run after N requests
|       --objects N             objects per size [64, up to 256 MiB in total]
|       --object-size SIZE      read ranges of objects of this size [whole]
|       --part-size SIZE        upload larger objects in parts [append: 8Mi]
|       --parallel N            ranges of a read, parts of an upload at once [1]
|       --delete-batch N        delete: objects per request [1]
|       --list-page N           list: names per request [1000]
|
| Memory:
|       --mem.delay TIMES       requests: as 5ms, or mix:35x0,5x3ms
|       --mem.fail LIST         fail every N-th request: slow-down:10,lost@put:3
|       --mem.like KIND         supported requests: bucket, pool, tree [bucket]
|
| More in iosweep-objects(7); iosweep help targets: all kinds of them.
|
| memory, tmpfs:
| Files in memory have no device: their figures describe the kernel.
| See iosweep help: null, page cache.
$ iosweep help commands
|   clean     TARGET...: remove what runs have left behind
|   compare   OLD NEW [OLD NEW]...: tell whether new results differ from old ones
|   export    FILE...: write results as CSV, or as metrics of Prometheus
|   fit       FILE...: start-up time, bandwidth and knee of each curve in results
|   help      [WORD]...: explain a topic, an option, or any other word of iosweep
|   merge     FILE FILE...: add up runs that ran at the same time
|   plot      FILE...: draw curves, maps and comparisons of results
|   report    FILE...: write a page or tables about results
| iosweep help COMMAND, or iosweep COMMAND --help, shows its options.
$ iosweep help numbers
| SIZE: 4096, 4k = 4Ki = 4096, 4kB = 4000, M, G, T.  TIME: 20ms, 1.5s, 2m, 1h30m.
| N: 10000 = 10k, M, G.  LIST: words with commas; A..B doubles from A to B.
$ iosweep help status
| Exit status: 0 all measured, 1 something failed or is incomplete, 2 usage,
| 3 target cannot be used, 4 --verify found wrong data, 130 interrupted.

# options of commands, other names, parts of words, engines, columns, tests and notes
$ iosweep help --tolerance
| same, slower, faster, unclear, unknown, tolerance:
| Verdicts of a comparison.  Slower and faster: the time per operation differs by
| more than the tolerance (--tolerance, 2 %), and more than chance explains.
| Same: any difference is within the tolerance.  Unclear: the interval is too wide
| to say.  Unknown: too few rounds.
| See iosweep help: compare, interval.
$ iosweep help iodepth
| iodepth: use --depth
$ iosweep help cache
| cache, cached, uncached, direct, asis:
| Where the data of a row come from.  cached: the page cache, filled before.
| uncached: the storage, since they are evicted from the cache before each round.
| direct: the storage, with O_DIRECT.  asis: as found.
| See iosweep help: page cache, device.
|
| Option:
|       --cache LIST            state of the page cache [cached,device]
| Values: cached, asis, uncached, direct, device
| More in iosweep(1), "Sweep".
|
| Column of results:
|   cache                     cached, asis, uncached or direct
| More in iosweep-csv(5).
$ iosweep help null
| null: (no I/O)
| More in iosweep(1); iosweep help targets: all kinds of them.
|
| Engine:
| null       does nothing: what iosweep itself costs
|            asynchronous: --depth 1 to 4096
|       --null.delay TIMES      as 5ms, or mix:35x0,5x3ms
|       --null.write-delay TIMES
|                               engine null: the same for writes [--null.delay]
|       --null.fail LIST        engine null: every:N of a slice, at:N of a thread
| More in iosweep-tests(7), "ENGINES".
$ iosweep help rename
| Value of the option:
|       --tests LIST            steps: write, read, create, stat ... [write,read]
| Values: write, read, create, append, stat, list, rename, copy, delete, fill
| More in iosweep(1), "Sweep".
$ iosweep help op_ns_mean
| Column of results:
|   op_ns_mean                ns: mean time per operation, all rounds
| More in iosweep-csv(5).
$ iosweep help 'all: wide'
| Note of a row: wide
| The 95 % interval of the mean is wider than the requested precision (by default
| ±2.5 %).  Measure longer (--time, --rounds) or on a quieter machine.
| More in iosweep-measuring(7), "NOTES".
$ iosweep help ''
| Usage: iosweep [OPTION]... [@PRESET]... [TARGET]...
| Measure how fast storage is at each I/O size.  TARGET is a directory (default:
| this one), a file, a block device or an object store (iosweep help targets).
|
|   iosweep --quick                  a first look in ten seconds, with a verdict
|   iosweep /mnt/data                the curve of a file system and its device
|   iosweep -b /mnt/data             the storage alone, without the page cache
|   iosweep -r big.db                reads of your file, which is left unchanged
|   iosweep -o new.csv /mnt/data     results to a file, for: iosweep plot new.csv
|   iosweep compare old.csv new.csv  slower, faster or the same?
|
|       --sizes LIST            these sizes: 512,4k,1M or 4k..1M, or full
|   -m, --min-size SIZE         smallest I/O size [512; objects: 4Ki]
|   -M, --max-size SIZE         largest I/O size [4Mi; objects: 64Mi]
|       --tests LIST            steps: write, read, create, stat ... [write,read]
|       --depth LIST            operations in flight per thread, such as 1..64 [1]
|       --threads LIST          threads, such as 4 or 1..16 [1]
|       --time TIME             measure each row for this long
|       --dry-run               show what would be done; touch nothing
|
| iosweep help WORD explains an option, command, engine, test, column or topic:
| sweep work runs stop output safety information object-stores s3 webhdfs rados
| memory targets engines commands columns notes words presets numbers status all

# each command has its page
$ iosweep clean --help
| Usage: iosweep clean [OPTION]... TARGET...
| Removes test files and objects that a run has left in a target, after a crash or
| because of --keep.  What no run made is left alone.  If TARGET holds several
| runs, they are only listed, unless one is named or --all is given; a run that is
| alive is left alone, too.
|
| Options:
|       --run-name NAME         only this run, or those of its team of ranks
|       --all                   all runs, if there are several
|       --force                 also live runs, and files that are too short
|       --dry-run               list the runs, remove nothing
|       --color WHEN            colour: auto (on a terminal), always, never [auto]
|       --quiet                 only errors on standard error
|       --verbose               report more on standard error
|   -h, --help                  print this help
|       --endpoint URL          the service: SCHEME://HOST[:PORT] [AWS]
|       --region NAME           region of the bucket [us-east-1]
|       --profile NAME          credentials of this profile [environment, default]
|       --anonymous             no credentials, unsigned requests
|       --insecure              do not verify TLS certificates
|       --ca-file FILE          CA certificates to trust (PEM)
|       --retries N             retry a failed request up to N times [0]
|       --request-timeout TIME  fail a request after TIME without progress [30s]
|       --s3.addressing HOW     bucket in path or host: auto, path, virtual [auto]
|       --webhdfs.user NAME     HDFS user name [yours]
|       --webhdfs.connect LIST  addresses of hosts: HOST:PORT=ADDR:PORT
|       --webhdfs.base PATH     path of the service [/webhdfs/v1]
|       --webhdfs.token-file FILE
|                               delegation token [$WEBHDFS_TOKEN]
|       --webhdfs.password-file FILE
|                               for a gateway [$WEBHDFS_PASSWORD]
|       --webhdfs.negotiate     Kerberos (SPNEGO), with your ticket
|       --rados.user NAME       Ceph user: NAME or client.NAME [client.admin]
|       --rados.conf FILE       configuration [CEPH_CONF, /etc/ceph/ceph.conf]
|
| More in iosweep-clean(1).
$ iosweep compare --help
| Usage: iosweep compare [OPTION]... OLD NEW [OLD NEW]... | FILE
| Compares the time per operation of rows that are alike in all but what is being
| compared: an axis with one value in all old files and another in all new ones.
| Of one FILE it shows what its run has compared: targets, engines, access
| patterns, threads and depths that were measured in the same rounds.
|
| Exit status: 0 nothing is slower or faster, 1 something is (with --worse-only:
| slower), 2 there is no answer, or cells are missing from the new files.
|
| Options:
|       --against FILE          compare each FILE with this one
|       --by AXIS               of FILE: target, engine, access, threads, depth
|       --tolerance PERCENT     smaller changes count as none [2%]
|       --worse-only            only slower cells count and are listed
|   -o, --output FILE           write results to FILE [standard output]
|       --format NAME           table (on a terminal), csv (else), json
|       --color WHEN            colour: auto (on a terminal), always, never [auto]
|       --quiet                 only errors on standard error
|       --verbose               report more on standard error
|   -h, --help                  print this help
|
| More in iosweep-compare(1).
$ iosweep fit --help
| Usage: iosweep fit [OPTION]... FILE...
| Fits the line t = t0 + size / bandwidth to each curve in result files (CSV or
| JSON; - is standard input), and shows how far the measured points are from it
| and which size reaches 90 % of the best throughput.
|
| Options:
|   -o, --output FILE           write results to FILE [standard output]
|       --format NAME           table (on a terminal), csv (else), json
|       --color WHEN            colour: auto (on a terminal), always, never [auto]
|       --quiet                 only errors on standard error
|       --verbose               report more on standard error
|   -h, --help                  print this help
|
| More in iosweep-fit(1).
$ iosweep merge --help
| Usage: iosweep merge [OPTION]... FILE FILE...
| The files are JSON results of processes or hosts that ran at the same
| time, all with the same rows.  Operations, bytes, errors, threads and histograms
| are added; percentiles are those of all operations.  Rates are all operations
| divided by the longest of their times.  The result is JSON that export, report,
| plot, compare, fit and merge read.
|
| Rows that did not overlap in time, or took turns with others, are reported.
|
| Options:
|   -o, --output FILE           write results to FILE [standard output]
|       --color WHEN            colour: auto (on a terminal), always, never [auto]
|       --quiet                 only errors on standard error
|       --verbose               report more on standard error
|   -h, --help                  print this help
|
| More in iosweep-merge(1).
$ iosweep plot --help
| Usage: iosweep plot [OPTION]... FILE...
| Without -o the picture is drawn with block characters.  --what can be
| throughput by I/O size, and operations/s of tests that move no data; latency
| (p50 and p99); time (per operation, all threads together); cdf, the distribution
| of latencies; heat, a map of sizes and depths or threads; series, what --series
| recorded; compare, FILEs being OLD NEW ..., or one that has compared rows of the
| same rounds; fit, t0 + size / bandwidth.  PNG and PDF take rsvg-convert or
| cairosvg.
|
| Options:
|   -o, --output FILE           write the picture to FILE.svg, .png or .pdf
|       --format NAME           svg, png, pdf, text
|       --what WORD             see above [throughput]
|       --color WHEN            colour: auto (on a terminal), always, never [auto]
|       --quiet                 only errors on standard error
|       --verbose               report more on standard error
|   -h, --help                  print this help
|
| More in iosweep-plot(1).
$ iosweep report --help
| Usage: iosweep report [OPTION]... FILE...
| FILEs are results in JSON or CSV; - is standard input.  One FILE is reported as
| it is; several are OLD NEW [OLD NEW]..., compared as iosweep compare does.
| FILE.html is a page to send, without script, from which the results can be
| saved.  FILE.md is for an issue or a pull request.
|
| Options:
|   -o, --output FILE           write to FILE.html or FILE.md
|       --format NAME           html, md [end of FILE]
|       --against FILE          compare each FILE with this one
|       --color WHEN            colour: auto (on a terminal), always, never [auto]
|       --quiet                 only errors on standard error
|       --verbose               report more on standard error
|   -h, --help                  print this help
|
| More in iosweep-report(1).

# a sweep, and --help added
$ iosweep --help . | head -1
| Usage: iosweep [OPTION]... [@PRESET]... [TARGET]...
$ iosweep . --help | head -1
| Usage: iosweep [OPTION]... [@PRESET]... [TARGET]...
$ iosweep --help ./ | head -1
| Usage: iosweep [OPTION]... [@PRESET]... [TARGET]...
$ iosweep --help -m 4k | head -1
| Usage: iosweep [OPTION]... [@PRESET]... [TARGET]...
$ ls -A
