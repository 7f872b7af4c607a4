# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Sweeps that always do the same: rows in each format, and what they count.
~ iosweep --seed 7 --tests write,read --sizes 4k,64k -n 100 --format csv --columns size_bytes,operations,time_s,test,target,engine,cache,threads,depth,rate_per_s,errors,stop,step,loop,repeat null:
| size_bytes,operations,time_s,test,target,engine,cache,threads,depth,rate_per_s,errors,stop,step,loop,repeat
| 4096,100,~,write,null:,null,cached,1,1,~,0,count,1,1,1
| 65536,100,~,write,null:,null,cached,1,1,~,0,count,1,1,1
| 4096,100,~,read,null:,null,cached,1,1,~,0,count,2,1,1
| 65536,100,~,read,null:,null,cached,1,1,~,0,count,2,1,1
! # plan: write,read of 4 KiB to 64 KiB; null:
! # iosweep VERSION, DATE
! # host: ~
! # clock: ~
! # target: null:, 64 objects of 4 MiB that do not exist
! # tests: write,read, engine null, cache cached,device, threads 1, depth 1, access random, file-size 4 MiB, small cover, sync none, payload random, repetitions 100, max-errors 100
! # work: 4 rows of 4 KiB to 64 KiB, seed 7
~ iosweep --seed 7 --tests write,read,stat,list,delete --sizes 4k,64k -n 40 --threads 2 --verify --columns size_bytes,operations,test,rate_per_s,requests,stat_hits,stat_misses,list_names,retries,errors_wrong,errors mem:
| size_bytes,operations,test,rate_per_s,requests,stat_hits,stat_misses,list_names,retries,errors_wrong,errors
| 4096,40,write,~,40,,,,0,0,0
| 65536,40,write,~,40,,,,0,0,0
| 4096,40,read,~,40,,,,0,0,0
| 65536,40,read,~,40,,,,0,0,0
| 4096,40,stat,~,40,40,0,,0,,0
| 65536,40,stat,~,40,40,0,,0,,0
| 4096,40,list,~,40,,,64,0,,0
| 65536,40,list,~,40,,,64,0,,0
| 4096,40,delete,~,40,,,,0,,0
| 65536,40,delete,~,40,,,,0,,0
! # mem: 128 requests to fill, 4.3 MiB; rows: 480 requests, 5.3 MiB to send, 2.7 MiB to receive
! # plan: write,read,stat,list,delete of 4 KiB to 64 KiB; mem: at most 4.3 MiB of test objects, removed at the end
! # iosweep VERSION, DATE
! # host: ~
! # clock: ~
! # target: mem:iosweep-NAME, 4 sets of 64 objects of 4 KiB to 64 KiB
! # tests: write,read,stat,list,delete, engine mem, threads 2, depth 1, access random, payload random, verify, repetitions 40, max-errors 100
! # work: 10 rows of 4 KiB to 64 KiB, seed 7
! # mem: 614 requests before removing (210 PUT, 162 GET, 80 HEAD, 82 list, 80 delete), 6.9 MiB sent, 5.5 MiB received
! # mem: 13 requests to remove (5 GET, 5 list, 2 delete, 1 delete-many)
~ iosweep --quiet --seed 7 --cache cached --levels 1 --width 4 -l 64k --tests create,read,stat,list,rename,delete --sizes 4k -n 20 --columns size_bytes,operations,test,time_s,stat_hits,stat_misses,list_names,errors .
| size_bytes,operations,test,time_s,stat_hits,stat_misses,list_names,errors
| 4096,20,create,~,,,,0
| 4096,20,read,~,,,,0
| 4096,20,stat,~,20,0,,0
| 4096,20,list,~,,,4,0
| 4096,20,rename,~,,,,0
| 4096,20,delete,~,,,,0
~ iosweep --quiet --seed 7 --cache cached --tests fill --sizes 64k -l 512k --fill-step 256k --columns size_bytes,operations,test,filled_bytes,stop,time_s .
| size_bytes,operations,test,filled_bytes,stop,time_s
| 65536,4,fill,262144,exhausted,~
| 65536,4,fill,524288,exhausted,~
~ iosweep --quiet --seed 7 --mix 50 --sizes 4k -n 100 --columns operations,test,mix,stop,errors null: | sort
| 41,read,50,count,0
| 59,write,50,count,0
| operations,test,mix,stop,errors
$ ls -A

# each engine for files, one operation at a time
$ iosweep --quiet --seed 7 --cache cached --engine posix --levels 1 --width 4 -l 64k --tests write,read --sizes 512,4k -n 20 --threads 2 --verify --columns size_bytes,operations,test,engine,threads,depth,errors,errors_wrong .
| size_bytes,operations,test,engine,threads,depth,errors,errors_wrong
| 512,20,write,posix,2,1,0,0
| 4096,20,write,posix,2,1,0,0
| 512,20,read,posix,2,1,0,0
| 4096,20,read,posix,2,1,0,0
$ iosweep --quiet --seed 7 --cache cached --engine pread --levels 1 --width 4 -l 64k --tests write,read --sizes 512,4k -n 20 --threads 2 --verify --columns size_bytes,operations,test,engine,threads,depth,errors,errors_wrong .
| size_bytes,operations,test,engine,threads,depth,errors,errors_wrong
| 512,20,write,pread,2,1,0,0
| 4096,20,write,pread,2,1,0,0
| 512,20,read,pread,2,1,0,0
| 4096,20,read,pread,2,1,0,0
$ iosweep --quiet --seed 7 --cache cached --engine stdio --levels 1 --width 4 -l 64k --tests write,read --sizes 512,4k -n 20 --threads 2 --verify --columns size_bytes,operations,test,engine,threads,depth,errors,errors_wrong .
| size_bytes,operations,test,engine,threads,depth,errors,errors_wrong
| 512,20,write,stdio,2,1,0,0
| 4096,20,write,stdio,2,1,0,0
| 512,20,read,stdio,2,1,0,0
| 4096,20,read,stdio,2,1,0,0

# columns: those of a group behind the default, and other separators
$ iosweep --quiet --columns default,phases --tests read --sizes 4k -n 4 null: | head -1
| size_bytes,operations,time_s,throughput_bytes_per_s,rate_per_s,test,target,engine,cache,access,threads,depth,loop,rounds,op_ns_mean,op_ns_low,op_ns_high,latency_ns_p50,latency_ns_p90,latency_ns_p99,latency_ns_p999,latency_ns_max,cpu_ns_per_op,device_bytes,errors,notes,label,open_ns_mean,open_ns_p50,open_ns_p99,open_ns_max,seek_ns_mean,transfer_ns_mean,close_ns_mean,close_ns_p50,close_ns_p99,close_ns_max
$ iosweep --quiet --columns size_bytes,operations,mix --separator ';' --decimal , --tests read --sizes 4k -n 4 null:
| size_bytes;operations;mix
| 4096;4;
$ iosweep --quiet --columns size_bytes,operations --separator tab --tests read --sizes 4k -n 4 null:
| size_bytes	operations
| 4096	4
$ iosweep --quiet --format table --tests read --sizes 4k -n 4 null: | sed -n '/size/p' | tr -s ' '
|  size operations time/op throughput rate p50 p99 notes
$ iosweep --quiet --format classic --tests read --sizes 4k,8k -n 4 null: | grep -v -e '^Date' -e '^Location' -e '^[0-9]'
| IO profile test parameters
| --------------------------
| File mode: 64 objects of 4 MiB that do not exist
| Synch mode: Using no I/O at all
| File size: 4194304 bytes
| Reads from 4096 to 8192 bytes
| Repetitions per read size: 4
| Conducting read test...
| I/O size [bytes], operations, time [s], throughput [bytes/s], I/O rate [1/s]
| Done with read test
# (a reference is measured where the system has files in memory)
~ iosweep --quiet --seed 7 --tests read --sizes 4k,8k --rounds 2 -n 4 --columns size_bytes,operations,time_s,errors --format json null: | sed -e '/"record":"finding"/d' -e 's/,"reference_ns":[0-9.nul]*//' -e 's/,"processors".*/}/'
| [
| {"record":"head","document":"iosweep results","schema_version":"2.0-draft","iosweep":"VERSION","host":{},"libraries":[],"date":"DATE","label":"","command":"iosweep --quiet --seed 7 --tests read --sizes 4k,8k --rounds 2 -n 4 --columns size_bytes,operations,time_s,errors --format json null:","targets":[{"target":"null:","place":"null:","description":"64 objects of 4 MiB that do not exist","objects":64,"total_bytes":268435456,"own_files":false,"in_memory":false,"direct_align_bytes":null,"filesystem":null,"mount_point":null,"mount_options":null,"device":null,"below":null,"model":null,"rotational":null,"scheduler":null,"write_cache":null,"io_limits":null,"extents":null,"notes":""}],"settings":{"tests":["read"],"engines":["null"],"engine_options":{"null.delay":"","null.write-delay":"","null.fail":""},"caches":["cached","device"],"threads":[1],"depths":[1],"accesses":["random"],"mixes":[],"sizes":[4096,8192],"existing":false,"single_file":false,"file_bytes":4194304,"small":"cover","sync":"none","fill_step_bytes":null,"keep_open":false,"payload":"random","pin":false,"verify":false,"rate":null,"align_bytes":null,"call_bytes":null,"repetitions":4,"precision":0.025000,"cell_time_ns":null,"max_time_ns":null,"rounds_min":2,"rounds_max":2,"max_errors":100,"allow_short":false},"seed":7,"clock_cost_ns":~,"clock_step_ns":~,"loop_ns":~}
| ,{"record":"cell","cell":2,"size_bytes":8192,"test":"read","target":"null:","engine":"null","cache":"cached","access":"random","threads":1,"depth":1,"loop":1,"label":"","step":1,"repeat":1,"mix":null,"readahead":null,"align_bytes":4096,"filled_bytes":null}
| ,{"record":"slice","cell":2,"round":1,"began_s":~,"elapsed_s":~,"operations":4,"bytes":32768,"time_ns":~,"queued_ns":~,"failed":0,"latency_ns_sum":~,"latency_ns_min":~,"latency_ns_max":~,"op_ns":~}
| ,{"record":"cell","cell":1,"size_bytes":4096,"test":"read","target":"null:","engine":"null","cache":"cached","access":"random","threads":1,"depth":1,"loop":1,"label":"","step":1,"repeat":1,"mix":null,"readahead":null,"align_bytes":4096,"filled_bytes":null}
| ,{"record":"slice","cell":1,"round":1,"began_s":~,"elapsed_s":~,"operations":4,"bytes":16384,"time_ns":~,"queued_ns":~,"failed":0,"latency_ns_sum":~,"latency_ns_min":~,"latency_ns_max":~,"op_ns":~}
| ,{"record":"row","cell":1,"size_bytes":4096,"operations":4,"time_s":~,"errors":0,"latency_histogram":~,"thread_results":[{"operations":4,"bytes":16384,"time_s":~,"rate_per_s":~}],"rpc":null}
| ,{"record":"row","cell":2,"size_bytes":8192,"operations":4,"time_s":~,"errors":0,"latency_histogram":~,"thread_results":[{"operations":4,"bytes":32768,"time_s":~,"rate_per_s":~}],"rpc":null}
| ,{"record":"end"}
| ]

# each tenth operation fails: 10 of 100, and only the 90 others are in the row
$ iosweep --quiet --seed 7 --tests read --rounds 1 -n 100 -M 4 --null.fail every:10 --max-errors 0 --columns size_bytes,operations,errors null:
| size_bytes,operations,errors
| 2,90,10
| 4,90,10
! iosweep: 20 operations failed; the first: cannot read null: at offset 1568164: Input/output error
? 1
$ iosweep --quiet --seed 7 --tests read --rounds 1 -n 100 -M 2 --null.fail every:100 --columns size_bytes,operations,errors null:
| size_bytes,operations,errors
| 2,99,1
! iosweep: 1 operation failed; the first: cannot read null: at offset 472888: Input/output error
? 1
$ iosweep --quiet --seed 7 --tests read --rounds 1 -n 100 -M 2 --null.fail every:1 --max-errors 0 --columns size_bytes,operations,errors null:
| size_bytes,operations,errors
| 2,0,100
! iosweep: 100 operations failed; the first: cannot read null: at offset 2578556: Input/output error
? 1
$ iosweep --quiet --seed 7 --tests read --rounds 1 -n 100 -M 2 --null.fail every:101 --columns size_bytes,operations,errors null:
| size_bytes,operations,errors
| 2,100,0

# a limit: exactly so many in all; what was done is printed, and what was finished stays
$ iosweep --quiet --seed 7 --tests read --rounds 1 -n 1000 -M 2 --null.fail every:1 --columns size_bytes,operations,errors null:
| size_bytes,operations,errors
| 2,0,100
! iosweep: 100 operations failed; the first: cannot read null: at offset 2578556: Input/output error
! iosweep: --max-errors ended the run: too many operations failed; --max-errors 0 means no limit
? 1
$ iosweep --quiet --seed 7 --tests write,read --rounds 1 -n 100 -M 2 --null.fail every:60 --max-errors 2 --columns size_bytes,operations,errors null:
| size_bytes,operations,errors
| 2,99,1
| 2,59,1
! iosweep: 2 operations failed; the first: cannot write null: at offset 3404216: Input/output error
! iosweep: --max-errors ended the run: too many operations failed; --max-errors 0 means no limit
? 1
$ iosweep --quiet --seed 7 --tests read --sizes 4k -n 9 --mem.fail forbidden@get:1 --columns size_bytes,operations,errors,requests mem:
| size_bytes,operations,errors,requests
| 4096,0,9,9
! iosweep: 9 operations failed; the first: cannot read mem:iosweep-NAME/4096/000022: AccessDenied: Permission denied
? 1
$ iosweep --quiet --seed 7 --tests read --sizes 4k --rounds 1 -n 90 --mem.fail slow-down@get:10 --retries 3 --columns size_bytes,operations,errors,requests,retries,slow_downs mem:
| size_bytes,operations,errors,requests,retries,slow_downs
| 4096,90,0,99,9,9

# what one target does not know
$ iosweep --quiet --tests write,list,copy --sizes 4k -n 4 --engine null --columns operations,test null:
| operations,test
| 4,write
| 4,list
| 4,copy
$ iosweep --quiet --tests stat,copy,read --sizes 4k -n 4 --mem.like tree --columns operations,test mem:
| operations,test
| 4,stat
| 0,copy
| 4,read
$ iosweep --quiet --tests stat,read --sizes 4k -n 4 --mem.like pool --on omap --columns operations,test mem:
| operations,test
| 4,stat
| 4,read
$ iosweep --on omap --mem.like tree mem:
! iosweep: no test uses --on; objects of this store have only data: leave it out
? 2
$ iosweep --on xattr .
! iosweep: no target takes this option: --on; name rados://POOL[/PREFIX] or mem:, or leave out the option
? 2

# what is told of tests, work and the end of rows, as asked for
$ heads() { iosweep --seed 7 --columns operations "$@" 2>&1 >/dev/null | sed -n '/^# \(tests\|work\|stop\)/p'; }
$ heads --sizes 4k -n 4 --threads 1,8 --rate 1000000 --max-time 1min null:
| # tests: write,read, engine null, cache cached,device, threads 1,8, depth 1, access random, file-size 4 MiB, small cover, sync none, payload random, rate 1000000, repetitions 4, max-time 1 min, max-errors 100
| # work: 4 rows of 4 KiB, seed 7
$ heads --sizes 4k -n 4 --tests read --verify mem:
| # tests: read, engine mem, threads 1, depth 1, access random, payload random, verify, repetitions 4, max-errors 100
| # work: 1 row of 4 KiB, seed 7
$ heads --sizes 4k,64k -n 4/thread --threads 2 --loops 2 --repeat 3 --access sequential,random --keep-open --sync end null:
| # tests: write,read, engine null, loops 2, repeat 3, cache cached,device, threads 2, depth 1, access sequential,random, file-size 4 MiB, small cover, sync end, keep-open, payload random, repetitions 4, max-errors 100, repetitions of each thread
| # work: 48 rows of 4 KiB to 64 KiB, seed 7
$ heads --sizes 4k --time 20ms --mix 50 --tests write,read null:
| # tests: write,read, engine null, cache cached,device, threads 1, depth 1, access random, mix 50, file-size 4 MiB, small cover, sync none, payload random, time 20.0 ms, max-errors 100
| # work: 2 rows of 4 KiB, seed 7
$ heads --sizes 4k --precision 10% --rounds 3,5 --max-time 100ms --tests read null:
| # tests: read, engine null, cache cached,device, threads 1, depth 1, access random, file-size 4 MiB, small cover, sync none, payload random, precision 10 %, max-time 100 ms, rounds 3 to 5, max-errors 100
| # work: 1 row of 4 KiB, seed 7
$ heads --sizes 64k -n 4 --call-size 16k --align 4k --readahead none --verify --cache cached --tests read .
| # tests: read, engine posix, cache cached, threads 1, depth 1, access random, levels 3, width 4, file-size 4 MiB, small cover, sync none, readahead none, payload random, verify, align 4 KiB, call-size 16 KiB, repetitions 4, max-errors 100
| # work: 1 row of 64 KiB, seed 7
$ heads --sizes 4k -n 4 --tests write:n=7,read null:
| # tests: write:n=7,read, engine null, cache cached,device, threads 1, depth 1, access random, file-size 4 MiB, small cover, sync none, payload random, repetitions 4, max-errors 100
| # work: 2 rows of 4 KiB, seed 7
$ heads --sizes 4k --tests write:n=7,read:n=2 null:
| # tests: write:n=7,read:n=2, engine null, cache cached,device, threads 1, depth 1, access random, file-size 4 MiB, small cover, sync none, payload random, precision 2.5 %, rounds 11 to 39, max-errors 100
| # work: 2 rows of 4 KiB, seed 7
$ heads --sizes 64k -l 256k --cache cached -n 4 --tests fill,read .
| # tests: fill,read, engine posix, cache cached, threads 1, depth 1, access random, single-file, levels 3, width 4, file-size 256 KiB, small cover, sync none, readahead normal, payload random, repetitions 4, max-errors 100
| # work: 5 rows of 64 KiB, seed 7
$ heads --sizes 64k -l 256k --cache cached --tests fill .
| # tests: fill, engine posix, cache cached, threads 1, depth 1, access random, single-file, levels 3, width 4, file-size 256 KiB, small cover, sync none, readahead normal, payload random, precision 2.5 %, rounds 11 to 39, max-errors 100
| # work: 4 rows of 64 KiB, seed 7

# a time shorter than its operations
$ iosweep --quiet --tests read --sizes 4k --depth 4 --null.delay 20ms --time 10ms --columns size_bytes,notes null:
| size_bytes,notes
| 4096,few_rounds;wide
