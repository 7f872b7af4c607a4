# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# What is said of the rows of a run after them, each rule at its limit, and silence where there is no
# reason.  The rows are made up, see findings.c: TEST:SIZE begins one of 1000 operations of 1 us.
# calls: findings

# --- how well it was measured
$ findings
$ findings cache=direct read:2 notes=drift read:64Ki read:4Ki
! # finding: 1 of 3 rows is not steady (reads of 2 B); try a longer --time or more --rounds
! # finding: 90 % of the best throughput is reached by reads of 64 KiB (best 65.5 GB/s, still growing); try larger --sizes
$ findings cache=direct write:2 median=1us half=5% notes=wide write:64Ki median=1us half=12.3% notes=wide read:2 median=1us half=50% notes=correlated read:64Ki state=skipped
! # finding: 2 of 3 rows are not steady (worst: writes of 64 KiB); try a longer --time or more --rounds
$ findings cpus-quota=1.5 host-cpus=4 cache=direct write:2 read:64Ki cpu=1ms notes=wide
! # finding: 1 of 2 rows is not steady (reads of 64 KiB); limited by a control group: 1.5 processors
$ findings cache=direct write:2 read:64Ki notes=correlated,outliers
# other programs: with processors left for the run, with none left, and with its own threads only
$ findings others=29% cache=direct write:2 read:64Ki notes=wide
! # finding: 1 of 2 rows is not steady (reads of 64 KiB); try a longer --time or more --rounds
$ findings others=43% cache=direct write:2 read:64Ki notes=wide
! # finding: the machine was busy (other programs used 43 % of the processors during this run), so do not trust the figures: 1 of 2 rows is not steady (reads of 64 KiB); repeat on an idle machine
$ findings others=29% threads=2 cache=direct write:2 read:64Ki notes=wide
! # finding: the machine was busy (other programs used 29 % of the processors during this run), so do not trust the figures: 1 of 2 rows is not steady (reads of 64 KiB); repeat on an idle machine
$ findings others=5% threads=8 cache=direct write:2 read:64Ki notes=wide
! # finding: 1 of 2 rows is not steady (reads of 64 KiB); try a longer --time or more --rounds
$ findings cpus=0 cache=direct write:2 read:64Ki notes=wide
! # finding: 1 of 2 rows is not steady (reads of 64 KiB); try a longer --time or more --rounds
# one cause, one finding, and the first
$ slow='cache=direct write:2 times=1000x1100ns rounds=11 median=1us notes=wide write:64Ki times=990x100us,10x30ms notes=drift'
$ findings others=43% $slow
! # finding: the machine was busy (other programs used 43 % of the processors during this run), so do not trust the figures: 2 of 2 rows are not steady (worst: writes of 2 B), stalls took 75 % of the time of writes of 64 KiB (longest 30.0 ms, median 100 us); repeat on an idle machine
$ findings others=43% $slow wrong=1
! # finding: the machine was busy (other programs used 43 % of the processors during this run), so do not trust the figures: 2 of 2 rows are not steady (worst: writes of 2 B), stalls took 75 % of the time of writes of 64 KiB (longest 30.0 ms, median 100 us); repeat on an idle machine
! # finding: 1 operation in 1 row returned data other than what was written; do not trust this storage; --keep keeps the files for inspection
$ findings others=43% $slow wrong=1 notes=unsteady,unfair
! # finding: the machine was busy (other programs used 43 % of the processors during this run), so do not trust the figures: 2 of 2 rows are not steady (worst: writes of 2 B), stalls took 75 % of the time of writes of 64 KiB (longest 30.0 ms, median 100 us); repeat on an idle machine
! # finding: 1 operation in 1 row returned data other than what was written; do not trust this storage; --keep keeps the files for inspection
$ findings others=0 $slow
! # finding: 2 of 2 rows are not steady (worst: writes of 2 B), stalls took 75 % of the time of writes of 64 KiB (longest 30.0 ms, median 100 us); --interval 100ms shows when
$ findings others=0 $slow
! # finding: 2 of 2 rows are not steady (worst: writes of 2 B), stalls took 75 % of the time of writes of 64 KiB (longest 30.0 ms, median 100 us); --interval 100ms shows when
$ findings others=43% cache=direct write:2 times=1000x1100ns rounds=11 median=1100ns
# three at most, what changes the meaning of the figures first
$ findings others=0 write:2 notes=all failed=1 wrong=1 write:64Ki state=skipped skip=beyond_file read:2 read:64Ki
! # finding: 1 operation in 1 row returned data other than what was written; do not trust this storage; --keep keeps the files for inspection
! # finding: 1 operation failed in 1 row; the rate includes the time of failed operations, but not the operations; use --max-errors 1 to stop at the first
! # finding: 1 row meant to measure the storage was served from memory: the figures do not describe the storage; use -b (--cache direct) to bypass it

# --- errors
$ findings cache=direct write:2 failed=3 write:64Ki
! # finding: 3 operations failed in 1 row; the rate includes the time of failed operations, but not the operations; use --max-errors 1 to stop at the first
$ findings write:2 state=skipped

# --- notes, each with what to do, of one row and of two
$ findings cache=direct read:2 notes=cache_hits read:64Ki
! # finding: 1 row meant to measure the storage was served from memory: the figures do not describe the storage; measure more data than memory holds, or a TARGET on another file system
$ findings cache=uncached read:2 notes=cache_hits read:64Ki
! # finding: 1 row meant to measure the storage was served from memory: the figures do not describe the storage; use -b (--cache direct) to bypass it
$ findings existing target-notes=zeros cache=direct read:2 read:64Ki write:2
! # finding: /data contains mostly zeros: reads of them may not reach the storage; write all of the data first, or name a directory without -r
$ findings misses=short-of-memory read:2 notes=not_cached
! # finding: 1 row with cache=cached was partly served from storage: memory cannot hold the file; try a smaller --file-size
$ findings misses=drops-at-open read:2 notes=not_cached
! # finding: 1 row with cache=cached was partly served from storage: the file system drops the cached data of a file when it is opened; mount it with caching across opens (FUSE: kernel_cache, auto_cache)
$ findings misses=keeps-nothing read:2 notes=not_cached
! # finding: 1 row with cache=cached was partly served from storage: the file system does not use the page cache; use -b
$ findings read:2 notes=not_cached read:64Ki
! # finding: 1 row measures the page cache (cache=cached); use -b (--cache direct) to bypass it
! # finding: 1 row with cache=cached was partly served from storage: another program or a memory limit evicted the data; measure again

# --- what was asked for and not done: the first of these
$ findings cache=direct write:2 notes=rate_missed read:64Ki notes=rate_missed,drained
! # finding: 2 rows fell behind --rate, so latencies include a growing queue; use a lower --rate, or a higher --depth or more --threads
$ findings cache=direct write:2 notes=drained read:64Ki notes=submit_blocks
! # finding: 1 row spent most of the time submitting operations, so --depth had little effect; use --cache direct
$ findings cache=direct write:2 notes=drained read:64Ki
! # finding: 1 row had fewer operations in flight than --threads and --depth ask for; use --time instead of --repetitions
$ findings repetitions=0 cache=direct write:2 notes=drained read:64Ki
! # finding: 1 row had fewer operations in flight than --threads and --depth ask for; allow more time (--time, --max-time)

# --- memory or storage: a write of 2 B and a read of 64 KiB
$ findings write:2 read:64Ki
! # finding: 2 rows measure the page cache (cache=cached); use -b (--cache direct) to bypass it
$ findings write:2 sync=end read:64Ki sync=end
! # finding: 1 row measures the page cache (cache=cached); use -b (--cache direct) to bypass it
$ findings write:2 sync=data read:64Ki cache=direct sync=data
$ findings write:2 read:64Ki cache=direct
$ findings write:2 cache=direct read:64Ki cache=direct notes=cache_hits
! # finding: 1 row meant to measure the storage was served from memory: the figures do not describe the storage; measure more data than memory holds, or a TARGET on another file system
$ findings existing write:2 cache=direct read:64Ki cache=direct notes=cache_hits
! # finding: 1 row meant to measure the storage was served from memory: the figures do not describe the storage; measure more data than memory holds, or a TARGET on another file system
$ findings write:2 cache=direct read:64Ki cache=uncached notes=cache_hits
! # finding: 1 row meant to measure the storage was served from memory: the figures do not describe the storage; compare with the rows with cache=direct
$ findings existing write:2 read:64Ki cache=uncached notes=cache_hits
! # finding: 1 row meant to measure the storage was served from memory: the figures do not describe the storage; use -b (--cache direct) to bypass it
! # finding: 1 row measures the page cache (cache=cached); use -b (--cache direct) to bypass it
$ findings in-memory write:2 cache=direct read:64Ki cache=direct notes=cache_hits
! # finding: 2 rows measure the page cache (/data is in memory); name a TARGET on a device
$ findings in-memory write:2 read:64Ki
! # finding: 2 rows measure the page cache (/data is in memory); name a TARGET on a device
$ findings in-memory write:2 cache=uncached read:64Ki cache=uncached notes=cache_hits
! # finding: 2 rows measure the page cache (/data is in memory); name a TARGET on a device
$ findings existing misses=short-of-memory write:2 read:64Ki notes=not_cached
! # finding: 1 row measures the page cache (cache=cached); use -b (--cache direct) to bypass it
! # finding: 1 row with cache=cached was partly served from storage: memory cannot hold the file; use -b (--cache direct) to bypass it
$ findings resident=0 write:2 cache=uncached read:64Ki cache=uncached
! # finding: 1 row measures the page cache (unflushed writes); use --sync end or -b (--cache direct)
$ findings resident=0 write:2 cache=uncached read:64Ki cache=direct
! # finding: 1 row measures the page cache (unflushed writes); use --sync end
$ findings resident=0 write:2 cache=uncached sync=end read:64Ki cache=uncached sync=end
# as found: in memory, on the disk, not known
$ findings existing cache=asis resident=73.4% write:2 read:64Ki
! # finding: 1 row measures the page cache (cache=asis, 73 % was cached); use -b (--cache direct) to bypass it
$ findings existing cache=asis resident=49% write:2 read:64Ki
$ findings existing cache=asis resident=-1 write:2 read:64Ki
# how much of it memory served
$ findings cache=direct write:2 times=1000x1us write:64Ki notes=cache_hits least=64Ki device-known device=16384000
! # finding: 1 row meant to measure the storage was served from memory (75 % of the operations): the figures do not describe the storage; measure more data than memory holds, or a TARGET on another file system
$ findings cache=direct write:2 notes=cache_hits write:64Ki notes=cache_hits least=64Ki device-known device=16384000
! # finding: 2 rows meant to measure the storage were served from memory (up to 75 % of the operations): the figures do not describe the storage; measure more data than memory holds, or a TARGET on another file system
# holes
$ findings target-notes=unwritten cache=direct write:2 write:64Ki
$ findings target-notes=unwritten cache=direct write:2 read:64Ki
! # finding: /data contains holes or unwritten extents: reads of them may not reach the storage; write all of the data first, or name a directory without -r
# an engine that moves no data says nothing about memory, clock, sizes or depth
$ findings engine=null write:2 notes=timer write:64Ki notes=timer write:256Ki times=1000x10us write:512Ki times=1000x10us
$ findings engine=null write:2 write:2 depth=8

# --- the shape of the curve: the smallest size with 90 % of the best throughput
$ findings cache=direct write:512 times=1000x5120ns write:4Ki times=1000x4312ns write:8Ki times=1000x8359ns write:64Ki times=1000x65536ns
! # finding: 90 % of the best throughput is reached by writes of 4 KiB (best 1.00 GB/s); add nearby --sizes for a closer value
$ findings cache=direct write:512 times=1000x51200ns write:4Ki times=1000x40960ns write:8Ki times=1000x40960ns write:64Ki times=1000x65536ns
! # finding: 90 % of the best throughput is reached by writes of 64 KiB (best 1.00 GB/s, still growing); try larger --sizes
$ findings cache=direct write:64Ki times=1000x65536ns write:512 times=1000x51200ns write:8Ki times=1000x40960ns write:4Ki times=1000x40960ns
! # finding: 90 % of the best throughput is reached by writes of 64 KiB (best 1.00 GB/s, still growing); try larger --sizes
$ findings cache=direct write:512 times=1000x512us write:4Ki times=1000x40960ns write:64Ki times=1000x73225ns write:128Ki times=1000x142470ns
! # finding: 90 % of the best throughput is reached by writes of 64 KiB (best 920 MB/s); add nearby --sizes for a closer value
$ findings cache=direct write:512 times=1000x512us write:4Ki times=1000x40960ns write:64Ki times=1000x73225ns write:65540 times=1000x65540ns
! # finding: 90 % of the best throughput is reached by writes of 65540 B (best 1.00 GB/s, still growing); try larger --sizes
# still growing: within our files, beyond them, within the user's, beyond them; in the words of --sizes
$ growing='cache=direct write:512 times=1000x51200ns write:4Ki times=1000x40960ns write:8Ki times=1000x40960ns'
$ findings $growing write:512Ki times=1000x524288ns
! # finding: 90 % of the best throughput is reached by writes of 512 KiB (best 1.00 GB/s, still growing); try larger --sizes
$ findings existing length=64Ki $growing write:64Ki times=1000x65536ns
! # finding: 90 % of the best throughput is reached by writes of 64 KiB (best 1.00 GB/s, still growing)
$ findings existing length=1Mi $growing write:64Ki times=1000x65536ns
! # finding: 90 % of the best throughput is reached by writes of 64 KiB (best 1.00 GB/s, still growing); try larger --sizes
$ findings cache=direct sizes=512,1Ki,2Ki write:512 write:1Ki write:2Ki
! # finding: 90 % of the best throughput is reached by writes of 2 KiB (best 2.05 GB/s, still growing); try larger --sizes
# no shape without three finished rows of one series
$ findings cache=uncached resident=0 sync=end write:512 write:1Ki write:2Ki write:4Ki
! # finding: 90 % of the best throughput is reached by writes of 4 KiB (best 4.10 GB/s, still growing); try larger --sizes
$ findings cache=uncached resident=0 sync=end write:512 write:1Ki write:2Ki write:4Ki state=incomplete
! # finding: 90 % of the best throughput is reached by writes of 2 KiB (best 2.05 GB/s); add nearby --sizes for a closer value
$ findings cache=uncached resident=0 sync=end write:512 write:1Ki write:2Ki state=incomplete write:4Ki state=incomplete
$ findings cache=uncached resident=0 sync=end write:512 write:1Ki write:2Ki write:4Ki threads=2
$ findings cache=uncached resident=0 sync=end write:512 write:1Ki write:2Ki write:4Ki depth=4
$ findings cache=uncached resident=0 sync=end write:512 write:1Ki write:2Ki write:4Ki cache=direct
$ findings cache=uncached sync=end access=random write:512 write:1Ki write:2Ki write:4Ki access=sequential
$ findings cache=uncached resident=0 sync=end write:512 write:1Ki write:2Ki write:4Ki fills
$ findings cache=uncached resident=0 sync=end write:512 write:1Ki write:2Ki read:4Ki access=sequential
! # finding: 90 % of the best throughput is reached by writes of 2 KiB (best 2.05 GB/s, still growing); try larger --sizes

# --- where the time of operations went: stalls, of 990 operations of 100 us and ten longer ones
$ stalls() { findings cache=direct write:2 times=990x100us,10x$1 write:64Ki times=990x100us,10x$2 "$3"; }
$ stalls 10ms 100us times=1000x10us
! # finding: stalls took 50 % of the time of writes of 2 B (longest 10.0 ms, median 100 us); --interval 100ms shows when
$ stalls 10ms 30ms state=closed
! # finding: stalls took 75 % of the time of writes of 64 KiB (longest 30.0 ms, median 100 us); --interval 100ms shows when
$ findings cache=direct copy:64Ki times=990x100us,10x30ms
! # finding: stalls took 75 % of the time of copies of 64 KiB (longest 30.0 ms, median 100 us); --interval 100ms shows when
# a limit that is known is the cause
$ findings cpus-quota=1.5 host-cpus=2 cache=direct write:2 times=990x100us,10x10ms cpu=160ms
! # finding: stalls took 50 % of the time of writes of 2 B (longest 10.0 ms, median 100 us); limited by a control group: 1.5 processors
$ findings cpus-quota=1.5 host-cpus=2 cache=direct write:2 times=990x100us,10x10ms cpu=120ms
! # finding: stalls took 50 % of the time of writes of 2 B (longest 10.0 ms, median 100 us); --interval 100ms shows when
$ findings cpus-quota=2 host-cpus=2 cache=direct write:2 times=990x100us,10x10ms cpu=190ms
! # finding: stalls took 50 % of the time of writes of 2 B (longest 10.0 ms, median 100 us); --interval 100ms shows when
$ findings io-limits='write 50 operations/s' cache=direct write:2 times=990x100us,10x10ms
! # finding: stalls took 50 % of the time of writes of 2 B (longest 10.0 ms, median 100 us); limited by a control group: write 50 operations/s
$ findings io-limits=none cache=direct write:2 times=990x100us,10x10ms
! # finding: stalls took 50 % of the time of writes of 2 B (longest 10.0 ms, median 100 us); --interval 100ms shows when
$ stalls 900us 100us state=closed
$ stalls 1050us 100us state=closed
$ findings cache=direct write:2 times=89x100us,10x30ms write:64Ki times=90x100us,10x30ms
! # finding: stalls took 97 % of the time of writes of 64 KiB (longest 30.0 ms, median 100 us); --interval 100ms shows when
# opening and closing
$ opening() { findings cache=direct write:2 opening=400us closing=200us "$@" write:64Ki opening=100us closing=100us; }
$ opening
! # finding: opening and closing take 60 % of the time of writes of 2 B; compare with --keep-open
$ opening keep-open
$ opening sync=end
$ opening cache=cached
$ opening notes=cache_hits
! # finding: 1 row meant to measure the storage was served from memory: the figures do not describe the storage; measure more data than memory holds, or a TARGET on another file system
$ opening opening=200us closing=100us
$ opening engine=pread

# --- verification
$ findings cache=direct write:2 wrong=1 write:64Ki
! # finding: 1 operation in 1 row returned data other than what was written; do not trust this storage; --keep keeps the files for inspection
$ findings keep cache=direct write:2 wrong=1 write:64Ki wrong=11
! # finding: 12 operations in 2 rows returned data other than what was written; do not trust this storage; the files were kept for inspection
$ findings keep existing cache=direct write:2 wrong=1 write:64Ki wrong=11
! # finding: 12 operations in 2 rows returned data other than what was written; do not trust this storage; --seed 7 repeats the same offsets

# --- calls to an NFS server: 1000 reads of 64 KiB, each with an open, a read and a close
$ nfs() { # OPENING READ WORD...
>   nfs_row="times=1000x10us opening=$1 closing=1ms call=CLOSE:1000,50 call=$2 call=OPEN:1000,250 call=RENEW:1,0"
>   shift 2
>   findings cache=direct write:2 read:64Ki $nfs_row "$@"
> }
$ nfs 5ms READ:1000,100
! # finding: opening and closing take 60 % of the time of reads of 64 KiB; compare with --keep-open
$ nfs 1ms READ:1000,100
$ nfs 5ms READ:1000,100 keep-open
$ nfs 5ms READ:1,0 cache=cached
! # finding: opening and closing take 60 % of the time of cached reads of 64 KiB; compare with --keep-open
$ nfs 5ms READ:1000,100 state=skipped
# a delegation saves the calls
$ findings cache=direct read:2 read:64Ki times=1000x10us opening=5ms call=OPEN:1,0 cache=cached
# closing includes the flush of what was written
$ findings cache=direct read:2 write:64Ki times=1000x10us closing=9ms cache=cached call=WRITE:1000,900 call=OPEN:1000,30 call=CLOSE:1000,20
$ findings cache=direct read:2 create:64Ki times=1000x10us closing=9ms cache=cached call=WRITE:1000,900 call=OPEN:1000,30 call=CLOSE:1000,20
$ nfs 1ms READ:1000,100,0,7
! # finding: in 1 row, 7 of 3001 calls to the NFS server were retransmitted or timed out: the network or the server drops calls; check both, then repeat the rows with --sizes
$ nfs 1ms READ:1000,100,0,1,2
! # finding: in 1 row, 3 of 3001 calls to the NFS server were retransmitted or timed out: the network or the server drops calls; check both, then repeat the rows with --sizes
# closing sends what was written, so that is no speed of the page cache
$ findings write:64Ki cache=uncached keep-open call=WRITE:1000,100
$ findings write:64Ki cache=uncached keep-open call=WRITE:10,100
! # finding: 1 row measures the page cache (unflushed writes); use --sync end or -b (--cache direct)
$ findings write:64Ki cache=cached keep-open call=WRITE:10,100
! # finding: 1 row measures the page cache (cache=cached); use -b (--cache direct) to bypass it
$ findings write:64Ki cache=cached keep-open call=WRITE:1000,100

# --- requests to an object store: 1000 reads of 4 KiB in 1 s, 0.4 ms to the first byte and 0.6 ms for the rest
$ s3_row='times=1000x1ms cpu=100ms has-requests requests=1000 complete=1000 first-byte=400ms body=600ms received=4096000'
$ s3() { findings driver=s3 cache=direct read:4Ki $s3_row "$@"; }
$ s3
$ s3 requests=0 complete=0 first-byte=0 body=0 received=0
$ s3 slow-downs=50
! # finding: in 1 row, the server throttled 50 of 1000 requests (SlowDown): the rows show its limit; use a lower --depth, fewer --threads, or --rate
# headers and body sent apart; not over a long way, nor by something else, nor over a slow network
$ s3 body=42s
! # finding: reads of 4 KiB get the first byte after 400 us but wait 42.0 ms for the rest: the server sends headers and body separately, and Nagle's algorithm holds the body back until the client's delayed ACK; this affects all clients; set TCP_NODELAY in the server, or try larger --sizes
$ s3 body=42s first-byte=40s
$ s3 body=300s
$ s3 body=42s received=65536000
$ findings driver=s3 cache=direct write:4Ki $s3_row body=42s
$ s3 retries=3
! # finding: in 1 row, 3 of 1000 requests were retried; latencies include the failed attempts; use --retries 0 to count such operations as errors
# the client is the limit: of its threads and of one with a clock that moves in steps; not with failures
$ s3 cpu=840ms
$ s3 cpu=900ms
! # finding: in 1 row of an object store, the 1 thread of this client kept a processor busy 90 % of the time: the client is the limit, not the server; try more --threads
$ s3 cpu=900ms threads=2
$ s3 cpu=1800ms
! # finding: in 1 row of an object store, the 1 thread of this client kept a processor busy 100 % of the time: the client is the limit, not the server; try more --threads
$ s3 cpu=900ms failed=1
! # finding: 1 operation failed in 1 row; the rate includes the time of failed operations, but not the operations; use --max-errors 1 to stop at the first
$ s3 threads=1048576 time=1 cpu=1048576
! # finding: in 1 row of an object store, the 1048576 threads of this client kept a processor busy 100 % of the time: the client is the limit, not the server; try a machine with more processors
$ s3 threads=1048576 time=1 cpu=1048576 has-requests=0
# everything at once
$ s3 slow-downs=1 retries=1 body=42s cpu=1s failed=1
! # finding: 1 operation failed in 1 row; the rate includes the time of failed operations, but not the operations; use --max-errors 1 to stop at the first
! # finding: in 1 row, the server throttled 1 of 1000 requests (SlowDown): the rows show its limit; use a lower --depth, fewer --threads, or --rate
! # finding: reads of 4 KiB get the first byte after 400 us but wait 42.0 ms for the rest: the server sends headers and body separately, and Nagle's algorithm holds the body back until the client's delayed ACK; this affects all clients; set TCP_NODELAY in the server, or try larger --sizes

# --- a team of four ranks on two hosts, and what each of them does in a second
$ team() { findings cache=direct "$@"; }
$ team write:2 ranks=2000,2500,1000,1000
! # finding: nas2 reaches 44 % of the rate of nas1 (per rank, in one row); run iosweep on nas2 alone to find the cause
$ team brief write:2 ranks=2000,2500,1000,1000
! # finding: nas2 reaches 44 % of the rate of nas1 (per rank, in one row); run iosweep on nas2 alone to find the cause
! # verdict: /data: 2 B writes reach 6.50 k/s (p99 1.00 us). The machine was quiet and the figures are steady.
! # next: iosweep --cache uncached /data   (without O_DIRECT)
# each row weighs as much as any other; less than 1.2 is chance
$ team write:2 ranks=2000,2000,1000,1000 write:64Ki ranks=900000,900000,900000,900000
! # finding: nas2 reaches 71 % of the rate of nas1 (per rank, mean of 2 rows); run iosweep on nas2 alone to find the cause
$ team write:2 ranks=1150,1150,1000,1000 write:64Ki ranks=900000,900000,900000,900000
# three ranks here and one there that all do the same; and one that does more
$ team hosts=0,0,0,1 write:2 ranks=1000,1000,1000,1000
$ team hosts=0,0,0,1 write:2 ranks=1000,1000,1000,2000
! # finding: nas1 reaches 50 % of the rate of nas2 (per rank, in one row); run iosweep on nas1 alone to find the cause
# on one host its ranks are compared
$ team write:2 ranks=1000,1000,1300,700
$ team hosts=0,0,0,0 write:2 ranks=1000,1000,1300,700
! # finding: on nas1, rank 3 reaches 54 % of the rate of rank 2 (in one row); use fewer ranks per host, or bind each rank to its own processors
# of few operations chance is most of a difference
$ team write:2 ranks=133,133,66,67
$ team write:2 ranks=134,134,66,67
! # finding: nas2 reaches 50 % of the rate of nas1 (per rank, in one row); run iosweep on nas2 alone to find the cause
$ team write:2 ranks=1000,1000,1000,1000

# --- the verdict, of reads of 4 KiB from the device unless a row is another one
$ judged() { findings brief cache=direct "$@"; }
$ ssd='read:4Ki times=1000x90us median=95us'
$ judged $ssd
! # verdict: /data answers like an SSD: 4 KiB reads take 95.0 us (p99 90.0 us). The machine was quiet and the figures are steady.
! # next: iosweep /data   (the whole curve, within a minute)
$ judged
$ judged existing $ssd
! # verdict: /data answers like an SSD: 4 KiB reads take 95.0 us (p99 90.0 us). The machine was quiet and the figures are steady.
! # next: iosweep -r /data   (the whole curve, within a minute)
$ judged label=. $ssd
! # verdict: This directory answers like an SSD: 4 KiB reads take 95.0 us (p99 90.0 us). The machine was quiet and the figures are steady.
! # next: iosweep .   (the whole curve, within a minute)
$ judged label='/srv/My Disk' $ssd
! # verdict: /srv/My Disk answers like an SSD: 4 KiB reads take 95.0 us (p99 90.0 us). The machine was quiet and the figures are steady.
! # next: iosweep '/srv/My Disk'   (the whole curve, within a minute)
$ judged label="a'b \$(c)" $ssd
! # verdict: a'b $(c) answers like an SSD: 4 KiB reads take 95.0 us (p99 90.0 us). The machine was quiet and the figures are steady.
! # next: iosweep 'a'\''b $(c)'   (the whole curve, within a minute)
$ judged label=s3://b/p-1_2.x $ssd
! # verdict: s3://b/p-1_2.x answers like an SSD: 4 KiB reads take 95.0 us (p99 90.0 us). The machine was quiet and the figures are steady.
! # next: iosweep s3://b/p-1_2.x   (the whole curve, within a minute)
# two targets
$ judged targets=2 $ssd read:4Ki times=1000x8ms target=1
! # verdict: /data answers like an SSD: 4 KiB reads take 95.0 us (p99 90.0 us). The machine was quiet and the figures are steady.
! # next: iosweep /data   (the whole curve, within a minute)
! # verdict: /other answers like a hard disk: 4 KiB reads take 8.00 ms (p99 8.00 ms). The machine was quiet and the figures are steady.
! # next: iosweep /other   (the whole curve, within a minute)
$ judged targets=2 $ssd target=1
! # verdict: /other answers like an SSD: 4 KiB reads take 95.0 us (p99 90.0 us). The machine was quiet and the figures are steady.
! # next: iosweep /other   (the whole curve, within a minute)
# kinds by the latency of the small read, each limit being of the slower ones
$ kinds() { # WORDS LATENCY...
>   kinds_words=$1
>   shift
>   for latency; do judged $kinds_words read:4Ki times=0x0 operations=1 median=$latency 2>&1 | sed -n 's|^# verdict: /data \(.*\): .*|\1|p'; done
> }
$ kinds cpus=2 5us 14us 15us 90us 290us 300us 900us 1950us 2ms 8ms 39ms 40ms 80ms
| answers like memory, probably a cache below the file system
| answers like memory, probably a cache below the file system
| answers like an SSD
| answers like an SSD
| answers like an SSD
| answers like a slow or busy SSD, or a disk array
| answers like a slow or busy SSD, or a disk array
| answers like a slow or busy SSD, or a disk array
| answers like a hard disk
| answers like a hard disk
| answers like a hard disk
| is slow, even for a hard disk
| is slow, even for a hard disk
$ kinds virtualization=kvm 5us 90us 900us
| answers like memory, probably the cache of the host
| answers like an SSD, or a disk behind the host's cache
| answers like a network volume, or a busy SSD
$ kinds 'medium=NFS keeper=server' 5us 90us 300us 900us 1950us 2ms 9ms 39ms 40ms 90ms
| (NFS; its server may cache) answers like a nearby server, from its memory
| (NFS; its server may cache) answers like a nearby server, from its memory
| (NFS; its server may cache) answers like a server on the local network
| (NFS; its server may cache) answers like a server on the local network
| (NFS; its server may cache) answers like a server on the local network
| (NFS; its server may cache) answers like a busy or distant server
| (NFS; its server may cache) answers like a busy or distant server
| (NFS; its server may cache) answers like a busy or distant server
| (NFS; its server may cache) is slow, even for a server
| (NFS; its server may cache) is slow, even for a server
$ kinds 'medium=FUSE keeper=daemon virtualization=kvm' 5us 90us 9ms
| (FUSE; its daemon may cache)
| (FUSE; its daemon may cache)
| (FUSE; its daemon may cache)
$ kinds driver=s3 300ns 15us 1ms 1950us 2ms 9ms 39ms 40ms 90ms
| is memory, with no server behind it
| answers like a nearby object store
| answers like a nearby object store
| answers like a nearby object store
| answers like an object store
| answers like an object store
| answers like an object store
| answers like a distant or overloaded object store
| answers like a distant or overloaded object store
$ kinds in-memory 1us 90us
| is memory, with no device behind it
| is memory, with no device behind it
# a disk that turns is none that does not because its own cache answers; what a guest is told says nothing
$ judged rotational read:4Ki times=1000x200us
! # verdict: /data is a hard disk that answers from its own cache: 4 KiB reads take 200 us (p99 200 us). The machine was quiet and the figures are steady.
! # next: iosweep /data   (the whole curve, within a minute)
$ judged rotational virtualization=kvm read:4Ki times=1000x200us
! # verdict: /data answers like an SSD, or a disk behind the host's cache: 4 KiB reads take 200 us (p99 200 us). The machine was quiet and the figures are steady.
! # next: iosweep /data   (the whole curve, within a minute)
# larger reads are compared with the page cache, too; stalls name the cache state where there are several
$ judged read:64Ki times=1000x2ms read:64Ki times=1000x50us cache=cached
! # verdict: /data: 64 KiB reads reach 32.8 MB/s from the device. The page cache makes 64 KiB reads 40 times faster (1.31 GB/s). The machine was quiet and the figures are steady.
! # next: iosweep --cache uncached /data   (without O_DIRECT)
$ findings others=0 cache=direct read:64Ki times=990x100us,10x30ms notes=drift read:64Ki times=1000x20us cache=cached
! # finding: 1 of 2 rows is not steady (direct reads of 64 KiB), stalls took 75 % of the time of direct reads of 64 KiB (longest 30.0 ms, median 100 us); --interval 100ms shows when
# the rows nearest to 4 KiB give latency, the best one throughput, and those with several operations at a time only that
$ judged read:512 times=1000x70us read:8Ki times=980x80us,20x300us read:1Mi times=1000x1ms write:4Ki times=1000x40us write:64Ki times=1000x100us read:4Ki times=1000x900us threads=2 read:4Ki times=1000x1us notes=covered read:8Ki times=1000x2us cache=cached
! # verdict: /data answers like an SSD: 8 KiB reads take 80.4 us (p99 300 us), 1 MiB reads reach 1.05 GB/s from the device, 4 KiB writes take 40.0 us (p99 40.0 us), 64 KiB writes reach 655 MB/s. The page cache makes 8 KiB reads 40 times faster (2.00 us). The machine was quiet and the figures are steady.
! # next: iosweep /data   (the whole curve, within a minute)
$ judged read:16Ki times=1000x90us
! # verdict: /data answers like an SSD: 16 KiB reads take 90.0 us (p99 90.0 us). The machine was quiet and the figures are steady.
! # next: iosweep /data   (the whole curve, within a minute)
$ judged read:16385 times=1000x90us
! # verdict: /data: 16385 B reads reach 182 MB/s. The machine was quiet and the figures are steady.
! # next: iosweep --cache uncached /data   (without O_DIRECT)
$ judged read:4Ki times=0x0 median=0
$ judged read:4Ki times=0x0 operations=1 median=95us
! # verdict: /data answers like an SSD: 4 KiB reads take 95.0 us. The machine was quiet and the figures are steady.
! # next: iosweep /data   (the whole curve, within a minute)
$ judged read:4Ki times=1x95us
! # verdict: /data answers like an SSD: 4 KiB reads take 95.0 us. The machine was quiet and the figures are steady.
! # next: iosweep /data   (the whole curve, within a minute)
$ judged read:4Ki threads=2 read:64Ki threads=2 times=1000x65us
! # verdict: /data: 4 KiB reads reach 1.00 M/s (p99 1.00 us). The machine was quiet and the figures are steady.
! # next: iosweep --cache uncached /data   (without O_DIRECT)
$ judged read:4Ki times=1000x90us depth=2 read:64Ki threads=2 times=1000x65us
! # verdict: /data: 4 KiB reads reach 11.1 k/s (p99 90.0 us), 64 KiB reads reach 1.01 GB/s. The machine was quiet and the figures are steady.
! # next: iosweep --cache uncached /data   (without O_DIRECT)
$ judged $ssd read:64Ki threads=2 times=1000x65us
! # verdict: /data answers like an SSD: 4 KiB reads take 95.0 us (p99 90.0 us), 64 KiB reads reach 1.01 GB/s. The machine was quiet and the figures are steady.
! # next: iosweep /data   (the whole curve, within a minute)
$ judged write:1Mi times=1000x1ms fills write:2Mi times=1000x4ms fills
! # verdict: /data: fills reach 1.05 GB/s. The machine was quiet and the figures are steady.
! # next: iosweep --cache uncached /data   (without O_DIRECT)
# what is of another kind, or has no figures, says nothing
$ judged stat:4Ki times=1000x90us
! # verdict: /data: stat calls reach 11.1 k/s. The machine was quiet and the figures are steady.
! # next: iosweep --cache uncached /data   (without O_DIRECT)
$ judged fill:64Ki times=1000x90us
! # verdict: /data: fills reach 728 MB/s. The machine was quiet and the figures are steady.
! # next: iosweep --cache uncached /data   (without O_DIRECT)
$ judged $ssd state=skipped
$ judged $ssd mixed
! # verdict: /data: reads in a mix reach 11.1 k/s. The machine was quiet and the figures are steady.
! # next: iosweep --cache uncached /data   (without O_DIRECT)
$ judged $ssd engine=null
$ judged $ssd write:4Ki times=1000x40us
! # verdict: /data answers like an SSD: 4 KiB reads take 95.0 us (p99 90.0 us), 4 KiB writes take 40.0 us (p99 40.0 us). The machine was quiet and the figures are steady.
! # next: iosweep /data   (the whole curve, within a minute)
# a burst and then a limit
$ judged read:4Ki times=1000x60us time=10300ms median=10.3ms write:4Ki times=1000x30us time=89ms median=89us
! # verdict: /data answers like an SSD: 4 KiB reads take 10.3 ms (p50 60.0 us, p99 60.0 us; a limit?), 4 KiB writes take 89.0 us (p50 30.0 us, p99 30.0 us). The machine was quiet and the figures are steady.
! # next: iosweep /data   (the whole curve, within a minute)
$ judged read:4Ki times=1000x60us median=89us write:4Ki times=1000x30us time=92ms median=92us
! # verdict: /data answers like an SSD: 4 KiB reads take 89.0 us (p99 60.0 us), 4 KiB writes take 92.0 us (p50 30.0 us, p99 30.0 us; a limit?). The machine was quiet and the figures are steady.
! # next: iosweep /data   (the whole curve, within a minute)
$ judged io-limits='read 100 operations/s' read:4Ki times=1000x60us time=10300ms median=10.3ms
! # verdict: /data answers like an SSD: 4 KiB reads take 10.3 ms (p50 60.0 us, p99 60.0 us; limited by a control group: read 100 operations/s). The machine was quiet and the figures are steady.
! # next: iosweep /data   (the whole curve, within a minute)
# --rate sets the mean
$ judged rate=100 read:4Ki times=1000x60us median=10.3ms read:4Ki times=1000x6us median=10.3ms cache=cached
! # verdict: /data answers like an SSD: 4 KiB reads take 60.0 us (p99 60.0 us) from the device. The page cache makes 4 KiB reads 10 times faster (6.00 us). The machine was quiet and the figures are steady.
! # next: iosweep /data   (the whole curve, within a minute)
# what the page cache gains, of the same size
$ judged read:4Ki times=1000x20us read:4Ki times=1000x5us cache=cached
! # verdict: /data answers like an SSD: 4 KiB reads take 20.0 us (p99 20.0 us) from the device. The page cache makes 4 KiB reads 4.0 times faster (5.00 us). The machine was quiet and the figures are steady.
! # next: iosweep /data   (the whole curve, within a minute)
$ judged read:4Ki times=1000x20us read:4Ki times=1000x18us cache=cached
! # verdict: /data answers like an SSD: 4 KiB reads take 20.0 us (p99 20.0 us) from the device. The page cache makes 4 KiB reads no faster. The machine was quiet and the figures are steady.
! # next: iosweep /data   (the whole curve, within a minute)
$ judged read:4Ki times=1000x20us read:2Ki times=1000x18us cache=cached
! # verdict: /data answers like an SSD: 4 KiB reads take 20.0 us (p99 20.0 us) from the device. The machine was quiet and the figures are steady.
! # next: iosweep /data   (the whole curve, within a minute)
# how far it can be trusted
$ judged $ssd half=11%
! # verdict: 1 of 1 figure varies by more than 10 %: measure longer before you quote it. /data answers like an SSD: 4 KiB reads take 95.0 us (p99 90.0 us).
! # next: iosweep /data   (the whole curve, within a minute)
$ judged $ssd half=9% notes=wide
! # verdict: /data answers like an SSD: 4 KiB reads take 95.0 us (p99 90.0 us). The machine was quiet and the figures are steady.
! # next: iosweep /data   (the whole curve, within a minute)
$ judged $ssd notes=wide
! # verdict: 1 of 1 figure varies by more than 10 %: measure longer before you quote it. /data answers like an SSD: 4 KiB reads take 95.0 us (p99 90.0 us).
! # next: iosweep /data   (the whole curve, within a minute)
$ judged $ssd half=11% read:64Ki times=1000x90us median=90us half=50%
! # verdict: 2 of 2 figures vary by more than 10 %: measure longer before you quote them. /data answers like an SSD: 4 KiB reads take 95.0 us (p99 90.0 us), 64 KiB reads reach 730 MB/s.
! # next: iosweep /data   (the whole curve, within a minute)
$ judged others=43% $ssd half=11%
! # verdict: The machine was busy (other programs used 43 % of the processors): do not rely on these figures. /data answers like an SSD: 4 KiB reads take 95.0 us (p99 90.0 us).
! # next: iosweep --quick /data   (again, when the machine is idle)
# what was cut short, or made of few files, is to be given more time
$ judged target-notes=reduced:1048576/67108864 $ssd
! # verdict: /data was measured with only 1 MiB of test files, which may fit into a cache below: 4 KiB reads take 95.0 us (p99 90.0 us). The machine was quiet and the figures are steady.
! # next: iosweep --quick --max-time 2min /data   (more time for slow storage)
$ judged target-notes='wide;reduced:1048576/67108864;drift' $ssd threads=2
! # verdict: /data was measured with only 1 MiB of test files, which may fit into a cache below: 4 KiB reads reach 11.1 k/s (p99 90.0 us). The machine was quiet and the figures are steady.
! # next: iosweep --quick --max-time 2min /data   (more time for slow storage)
$ judged target-notes=reduced:50331648/67108864 $ssd
! # verdict: /data answers like an SSD: 4 KiB reads take 95.0 us (p99 90.0 us). The machine was quiet and the figures are steady.
! # next: iosweep /data   (the whole curve, within a minute)
$ judged target-notes=reduced:1 $ssd
! # verdict: /data answers like an SSD: 4 KiB reads take 95.0 us (p99 90.0 us). The machine was quiet and the figures are steady.
! # next: iosweep /data   (the whole curve, within a minute)
$ judged target-notes=partial:1/64 $ssd threads=2
! # verdict: /data: 4 KiB reads reach 11.1 k/s (p99 90.0 us). The machine was quiet and the figures are steady.
! # next: iosweep --cache uncached /data   (without O_DIRECT)
$ cut='state=incomplete stop=time'
$ judged read:4Ki times=2x90us state=incomplete stop=unknown
$ judged targets=2 read:4Ki times=2x90us $cut read:4Ki state=skipped read:4Ki times=0x0 target=1 $cut
! # verdict: there was too little time to judge /data; try --time 5s
! # verdict: there was too little time to judge /other; try --time 5s
$ judged read:4Ki times=3x90us $cut read:4Ki state=skipped
! # verdict: Cut short: 1 of 1 row had too little time. /data answers like an SSD: 4 KiB reads take 90.0 us.
! # next: iosweep --quick --max-time 2min /data   (more time for slow storage)
$ judged read:4Ki times=3x90us $cut $ssd
! # verdict: Cut short: 1 of 2 rows had too little time. /data answers like an SSD: 4 KiB reads take 90.0 us.
! # next: iosweep --quick --max-time 2min /data   (more time for slow storage)
$ judged read:4Ki times=3x90us state=incomplete stop=signal
$ judged max-time=1 read:4Ki times=3x90us state=incomplete stop=signal
$ judged max-time=1 write:4Ki times=3x90us state=incomplete stop=signal
# memory is said to be memory, and what was not measured is not judged
$ judged $ssd cache=uncached
! # verdict: /data answers like an SSD: 4 KiB reads take 95.0 us (p99 90.0 us). The machine was quiet and the figures are steady.
! # next: iosweep /data   (the whole curve, within a minute)
$ judged $ssd cache=cached
! # verdict: /data: the storage was not measured; the figures are those of the page cache: 4 KiB reads take 95.0 us (p99 90.0 us). The machine was quiet and the figures are steady.
! # next: iosweep --cache uncached /data   (without O_DIRECT)
$ judged $ssd cache=asis
$ judged $ssd notes=cache_hits
$ judged $ssd cache=cached notes=not_cached
$ judged $ssd notes=covered
$ judged $ssd notes=rmw
$ judged $ssd notes=drift
! # verdict: /data answers like an SSD: 4 KiB reads take 95.0 us (p99 90.0 us). The machine was quiet and the figures are steady.
! # next: iosweep /data   (the whole curve, within a minute)
$ judged target-notes=unwritten $ssd
! # finding: /data contains holes or unwritten extents: reads of them may not reach the storage; write all of the data first, or name a directory without -r
$ judged in-memory $ssd
! # verdict: /data is memory, with no device behind it: 4 KiB reads take 95.0 us (p99 90.0 us). The machine was quiet and the figures are steady.
! # next: iosweep --quick DIR   (a directory on a disk)
$ judged label=null: $ssd cache=cached
! # verdict: null: the storage was not measured; the figures are those of the page cache: 4 KiB reads take 95.0 us (p99 90.0 us). The machine was quiet and the figures are steady.
! # next: iosweep --cache uncached null:   (without O_DIRECT)
$ judged read:4Ki cache=cached write:4Ki times=1000x9ms
! # verdict: /data: 4 KiB writes take 9.00 ms (p99 9.00 ms). The machine was quiet and the figures are steady.
! # next: iosweep --cache uncached /data   (without O_DIRECT)
$ judged write:4Ki times=1000x9ms
! # verdict: /data: 4 KiB writes take 9.00 ms (p99 9.00 ms). The machine was quiet and the figures are steady.
! # next: iosweep --cache uncached /data   (without O_DIRECT)
# writes that are to be evicted stay in memory until they are flushed; an object store has no page cache
$ judged $ssd write:4Ki times=1000x90us cache=uncached
! # verdict: /data answers like an SSD: 4 KiB reads take 95.0 us (p99 90.0 us). The machine was quiet and the figures are steady.
! # next: iosweep /data   (the whole curve, within a minute)
$ judged $ssd write:4Ki times=1000x90us cache=uncached sync=end
! # verdict: /data answers like an SSD: 4 KiB reads take 95.0 us (p99 90.0 us), 4 KiB writes take 90.0 us (p99 90.0 us). The machine was quiet and the figures are steady.
! # next: iosweep /data   (the whole curve, within a minute)
$ judged $ssd write:4Ki times=1000x90us cache=asis sync=end
! # verdict: /data answers like an SSD: 4 KiB reads take 95.0 us (p99 90.0 us). The machine was quiet and the figures are steady.
! # next: iosweep /data   (the whole curve, within a minute)
$ judged driver=s3 $ssd cache=cached
! # verdict: /data answers like a nearby object store: 4 KiB reads take 95.0 us (p99 90.0 us). The machine was quiet and the figures are steady.
! # next: iosweep --sizes 4k..16M --depth 1,8 /data   (with the options of this run)
# what a verdict must not be read without
$ judged $ssd wrong=1 failed=1
! # finding: 1 operation in 1 row returned data other than what was written; do not trust this storage; --keep keeps the files for inspection
! # finding: 1 operation failed in 1 row; the rate includes the time of failed operations, but not the operations; use --max-errors 1 to stop at the first
! # verdict: /data answers like an SSD: 4 KiB reads take 95.0 us (p99 90.0 us). The machine was quiet and the figures are steady.
! # next: iosweep /data   (the whole curve, within a minute)
