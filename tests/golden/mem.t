# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# mem: is an object store without a server: all tests count their requests to the number, and what they
# read is compared; requests that fail on schedule are repeated or counted.
~ iosweep --seed 7 --quiet mem: --tests create,write,read,append,stat,list,rename,copy,delete --sizes 1Ki,64Ki --rounds 1 -n 40 --threads 2 --depth 4 --verify --part-size 10000 --list-page 7 --columns size_bytes,operations,test,errors,errors_wrong
| size_bytes,operations,test,errors,errors_wrong
| 1024,40,create,0,0
| 65536,40,create,0,0
| 1024,40,write,0,0
| 65536,40,write,0,0
| 1024,40,read,0,0
| 65536,40,read,0,0
| 1024,40,append,0,0
| 65536,40,append,0,0
| 1024,40,stat,0,
| 65536,40,stat,0,
| 1024,40,list,0,
| 65536,40,list,0,
| 1024,40,rename,0,
| 65536,40,rename,0,
| 1024,40,copy,0,0
| 65536,40,copy,0,0
| 1024,40,delete,0,
| 65536,40,delete,0,
~ iosweep --seed 7 --quiet mem: --tests delete --delete-batch 3 --sizes 1Ki --rounds 1 -n 40 --threads 2 --depth 4 --columns operations,requests,errors,throughput_bytes_per_s
| operations,requests,errors,throughput_bytes_per_s
| 40,40,0,

# of 100 requests each 10th is refused once, and repeated: no error; without retries it is one
~ iosweep --seed 7 --quiet mem: --tests read --sizes 1Ki --rounds 1 -n 90 --mem.fail slow-down@get:10 --retries 3 --columns operations,errors,requests,retries,slow_downs
| operations,errors,requests,retries,slow_downs
| 90,0,99,9,9
~ iosweep --seed 7 --quiet mem: --tests read --sizes 1Ki --rounds 1 -n 90 --mem.fail server-error@get:10 --columns operations,errors,requests,retries
| operations,errors,requests,retries
| 81,9,90,0
! iosweep: 9 operations failed; the first: cannot read mem:iosweep-NAME/1024/000042: InternalError: Remote I/O error
? 1

# an object that is not there is a miss of stat, but an error of read; one that cannot be asked for is no miss
~ iosweep --seed 7 --quiet mem: --tests stat --sizes 1Ki --rounds 1 -n 100 --mem.fail missing@stat:10 --columns operations,stat_hits,stat_misses,errors,errors_client
| operations,stat_hits,stat_misses,errors,errors_client
| 100,90,10,0,0
~ iosweep --seed 7 --quiet mem: --tests stat --sizes 1Ki --rounds 1 -n 100 --mem.fail forbidden@stat:10 --columns operations,stat_hits,stat_misses,errors,errors_client
| operations,stat_hits,stat_misses,errors,errors_client
| 90,90,0,10,10
! iosweep: 10 operations failed; the first: cannot look for mem:iosweep-NAME/1024/000042: AccessDenied: Permission denied
? 1
~ iosweep --seed 7 --quiet mem: --tests read --sizes 1Ki --rounds 1 -n 100 --mem.fail missing@get:10 --columns operations,errors
| operations,errors
| 90,10
! iosweep: 10 operations failed; the first: cannot read mem:iosweep-NAME/1024/000042: NoSuchKey: No such file or directory
? 1

# options of object stores are in the results
~ iosweep --seed 7 --quiet mem: --tests write --sizes 1Ki --objects 2 --max-requests 20 --max-errors 0 --time 9s --format json | sed -n 's/.*"object_options":\({[^}]*}\).*/\1/p'
| {"retries":0,"request-timeout":30000000000,"on":"data","max-requests":20,"objects":2,"object-size":0,"part-size":0,"parallel":1,"delete-batch":1,"list-page":1000,"mem.delay":"","mem.fail":"","mem.like":"bucket"}
! iosweep: all 20 requests that --max-requests allows are used up; rows are incomplete
~ iosweep --seed 7 --quiet mem: --tests write --sizes 1Ki --objects 2 --max-requests 20 --max-errors 0 -n 100 --columns operations,requests
| operations,requests
| 14,14
! iosweep: all 20 requests that --max-requests allows are used up; rows are incomplete
? 1

# objects are put whole, whatever is read of them; or in parts
~ iosweep --seed 7 mem: --tests write,read --object-size 64Ki --sizes 4Ki,64Ki --objects 2 --rounds 1 -n 20 --verify --columns size_bytes,operations,test,requests,errors_wrong
| size_bytes,operations,test,requests,errors_wrong
| 4096,20,write,20,0
| 65536,20,write,20,0
| 4096,20,read,20,0
| 65536,20,read,20,0
! # mem: 2 requests to fill, 128 KiB; rows: 80 requests, 1.3 MiB to send, 1.3 MiB to receive
! # plan: write,read of 4 KiB to 64 KiB; mem: at most 264 KiB of test objects, removed at the end
! # iosweep VERSION, DATE
! # host: ~
! # clock: ~
! # target: mem:iosweep-NAME, 3 sets of 2 objects of 4 KiB to 64 KiB
! # tests: write,read, engine mem, threads 1, depth 1, access random, payload random, verify, repetitions 20, max-errors 100
! # work: 4 rows of 4 KiB to 64 KiB, seed 7
! # mem: 128 requests before removing (44 PUT, 82 GET, 2 list), 1.5 MiB sent, 2.7 MiB received
! # mem: 13 requests to remove (5 GET, 5 list, 2 delete, 1 delete-many)
~ iosweep --seed 7 --quiet mem: --tests write,read --object-size 4Ki --sizes 4Ki --objects 2 --rounds 1 -n 20 --columns size_bytes,operations,test,requests
| size_bytes,operations,test,requests
| 4096,20,write,20
| 4096,20,read,20
$ iosweep --seed 7 mem: --tests write --object-size 64Ki --sizes 4Ki
! iosweep: no test uses --object-size; objects are written whole: --sizes sets their length, and --part-size writes them in pieces
? 2
~ iosweep --seed 7 --quiet mem: --tests write,create,append --sizes 4Ki,8Ki,64Ki --part-size 4Ki --objects 2 --rounds 1 -n 20 --verify --columns size_bytes,operations,test,requests,open_ns_mean,close_ns_mean,errors_wrong
| size_bytes,operations,test,requests,open_ns_mean,close_ns_mean,errors_wrong
| 4096,20,write,20,,,0
| 8192,20,write,80,~,~,0
| 65536,20,write,360,~,~,0
| 4096,20,create,20,,,0
| 8192,20,create,80,~,~,0
| 65536,20,create,360,~,~,0
| 4096,20,append,60,~,~,0
| 8192,20,append,80,~,~,0
| 65536,20,append,360,~,~,0
~ iosweep --seed 7 --quiet mem: --mix 50 --sizes 4Ki,8Ki --part-size 4Ki -n 20 --columns size_bytes,test,requests,notes | grep 8192
| 8192,write,,skipped:mix
| 8192,read,,skipped:mix
$ iosweep --seed 7 --quiet mem: --mix 50 --sizes 8Ki --part-size 4Ki
! iosweep: no row can mix reads and writes: --mix; the engine must be able to, and both need the same objects: leave out --mix (or --part-size, --object-size), or use another --engine or target
? 2

# an answer that is lost leaves nothing behind: the upload that began is found and given up; one that is
# complete already is no failure of filling
~ iosweep --seed 7 mem: --tests create --sizes 64Ki --rounds 1 -n 20 --mem.fail lost@upload-begin:5 --part-size 10000 --columns operations,errors
| operations,errors
| 16,4
! # mem: rows: 180 requests, 1.3 MiB to send, 0 B to receive
! # plan: create of 64 KiB; mem: what it makes is removed at the end
! # iosweep VERSION, DATE
! # host: ~
! # clock: ~
! # target: mem:iosweep-NAME, 1 set of objects of 64 KiB
! # tests: create, engine mem, threads 1, depth 1, access random, payload random, repetitions 20, max-errors 100
! # work: 1 row of 64 KiB, seed 7
! # mem: 151 requests before removing (1 PUT, 1 GET, 1 list, 20 upload begin, 112 upload part, 16 upload complete), 1 MiB sent, 0 B received
! iosweep: 4 operations failed; the first: cannot begin the upload of mem:iosweep-NAME/create-65536/000004: Connection reset by peer
! # mem: 38 requests to remove (3 GET, 6 list, 1 delete, 1 delete-many, 4 upload abort, 23 upload list)
? 1
~ iosweep --seed 7 --quiet mem: --tests read --sizes 17Mi --objects 2 --rounds 1 -n 2 --mem.fail lost@upload-complete:2 --columns operations,errors
| operations,errors
| 2,0

# one wrong byte, wherever it comes from, is found in what each test read or made, and nowhere else
$ for what in write:put create:put read:get copy:copy write:upload-part create:upload-part append:upload-part; do
>     case $what in
>     append*) set -- --part-size 100000 ;;
>     *:upload-part) set -- --part-size 40000 ;;
>     *) set -- ;;
>     esac
>     echo "$what"
>     iosweep --seed 7 --quiet mem: --tests "${what%:*}" --sizes 1Ki,64Ki --objects 40 --rounds 1 -n 40 --depth 4 --verify --mem.fail "wrong@${what#*:}:10" --columns size_bytes,operations,errors,errors_wrong "$@" 2>err
>     echo "status $?, $(sed 's/ at offset [0-9]*: .*//; s,/[^/]*/[0-9]*$,,' err)"
> done
| write:put
| size_bytes,operations,errors,errors_wrong
| 1024,40,0,4
| 65536,40,0,4
| status 4, iosweep: 8 operations found wrong data; the first: mem:iosweep-NAME
| create:put
| size_bytes,operations,errors,errors_wrong
| 1024,40,0,4
| 65536,40,0,4
| status 4, iosweep: 8 operations found wrong data; the first: mem:iosweep-NAME
| read:get
| size_bytes,operations,errors,errors_wrong
| 1024,40,0,4
| 65536,40,0,4
| status 4, iosweep: 8 operations found wrong data; the first: mem:iosweep-NAME
| copy:copy
| size_bytes,operations,errors,errors_wrong
| 1024,40,0,4
| 65536,40,0,4
| status 4, iosweep: 8 operations found wrong data; the first: mem:iosweep-NAME
| write:upload-part
| size_bytes,operations,errors,errors_wrong
| 1024,40,0,0
| 65536,40,0,8
| status 4, iosweep: 8 operations found wrong data; the first: mem:iosweep-NAME
| create:upload-part
| size_bytes,operations,errors,errors_wrong
| 1024,40,0,0
| 65536,40,0,8
| status 4, iosweep: 8 operations found wrong data; the first: mem:iosweep-NAME
| append:upload-part
| size_bytes,operations,errors,errors_wrong
| 1024,40,0,4
| 65536,40,0,4
| status 4, iosweep: 8 operations found wrong data; the first: mem:iosweep-NAME
$ iosweep --seed 7 --quiet mem: --tests write,create,read --sizes 64Ki --rounds 1 -n 40 --depth 4 --mem.fail wrong:2 --columns operations,errors
| operations,errors
| 40,0
| 40,0
| 40,0

# a read as ranges that are under way at the same time: sizes that are no multiple, or fewer bytes than
# ranges; one range that fails is the failure of its operation, once; one that is repeated is none
~ iosweep --seed 7 --quiet mem: --tests read --parallel 8 --rounds 1 --sizes 3,1Ki,100001 -n 40 --threads 2 --depth 3 --verify --columns size_bytes,operations,requests,errors,errors_wrong
| size_bytes,operations,requests,errors,errors_wrong
| 3,40,120,0,0
| 1024,40,320,0,0
| 100001,40,320,0,0
~ iosweep --seed 7 --quiet mem: --tests read --parallel 8 --rounds 1 --object-size 1Mi --objects 2 --sizes 64Ki -n 40 --depth 4 --verify --columns size_bytes,operations,requests,errors,errors_wrong
| size_bytes,operations,requests,errors,errors_wrong
| 65536,40,320,0,0
~ iosweep --seed 7 --quiet mem: --tests read --parallel 8 --rounds 1 --sizes 64Ki -n 20 --mem.fail forbidden@get:16 --columns operations,errors,requests,errors_client
| operations,errors,requests,errors_client
| 10,10,160,10
! iosweep: 10 operations failed; the first: cannot read mem:iosweep-NAME/65536/000010: AccessDenied: Permission denied
? 1
~ iosweep --seed 7 --quiet mem: --tests read --parallel 8 --rounds 1 --sizes 64Ki -n 10 --mem.fail server-error@get:20 --retries 2 --verify --columns operations,errors,requests,retries
| operations,errors,requests,retries
| 10,0,84,4
~ iosweep --seed 7 --quiet mem: --tests read --parallel 8 --rounds 1 --sizes 1Ki --objects 2 --max-requests 30 --time 9s --columns operations,errors,requests
| operations,errors,requests
| 0,0,
! iosweep: all 30 requests that --max-requests allows are used up; rows are incomplete
? 1

# an upload of which several parts are under way: their order in the object is the same
~ iosweep --seed 7 --quiet mem: --parallel 4 --part-size 10000 --rounds 1 --tests create,write,read --sizes 9999,100001 --objects 5 -n 20 --depth 3 --verify --mem.delay mix:1x0,1x100us,1x300us --columns size_bytes,operations,test,requests,errors,errors_wrong
| size_bytes,operations,test,requests,errors,errors_wrong
| 9999,20,create,20,0,0
| 100001,20,create,260,0,0
| 9999,20,write,20,0,0
| 100001,20,write,260,0,0
| 9999,20,read,80,0,0
| 100001,20,read,80,0,0
~ iosweep --seed 7 --quiet mem: --parallel 4 --part-size 10000 --rounds 1 --tests append --sizes 9999,100001 --objects 5 -n 20 --depth 3 --threads 2 --verify --mem.delay mix:1x0,1x100us,1x300us --columns size_bytes,operations,requests,errors,errors_wrong
| size_bytes,operations,requests,errors,errors_wrong
| 9999,20,60,0,0
| 100001,20,260,0,0

# what cannot be
$ iosweep --reuse monday mem:
! iosweep: no run is kept to be reused in mem:; its objects end with the program that made them: leave out --reuse
? 2
$ iosweep --replace --run-name monday mem:
! iosweep: no run can be created or found in mem:; --run-name is for directories and object stores
? 2
$ iosweep --keep null:
! iosweep: --keep cannot keep what is in null:; it is for directories and object stores: leave out --keep
? 2
$ iosweep --keep mem:
! iosweep: --keep cannot keep what is in mem:; its objects end with this program: leave out --keep, or use another target
? 2
$ iosweep -r mem:
! iosweep: there is nothing to read in mem:; its objects are made by the run: leave out --read-existing (-r)
? 2
$ iosweep --mem.fail slow-down:0 mem:
! iosweep: --mem.fail: not a list of failures: slow-down:0; KIND[@VERB]:N, at most 8 of them, with commas: slow-down, server-error, forbidden, missing, refused, lost, broken or wrong; as in lost@put:3
? 2
$ iosweep --mem.fail often:3 mem:
! iosweep: --mem.fail: not a list of failures: often:3; KIND[@VERB]:N, at most 8 of them, with commas: slow-down, server-error, forbidden, missing, refused, lost, broken or wrong; as in lost@put:3
? 2
$ iosweep --mem.fail slow-down:3, mem:
! iosweep: --mem.fail: not a list of failures: slow-down:3,; KIND[@VERB]:N, at most 8 of them, with commas: slow-down, server-error, forbidden, missing, refused, lost, broken or wrong; as in lost@put:3
? 2
$ iosweep --mem.delay soon mem:
! iosweep: --mem.delay: not a duration: soon; give seconds such as 10 or 1.5s, or 500ns, 61us, 20ms, 2min, 1h30m
? 2
$ iosweep --delete-batch 3 null:
! iosweep: no target takes this option: --delete-batch; name s3://BUCKET[/PREFIX] or webhdfs://HOST:PORT[/PATH] or rados://POOL[/PREFIX] or mem:, or leave out the option
? 2
