# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# needs: jansson
# iosweep compare: verdicts, tables, records, what is said and the exit status, for results that
# are made here, so that no figure is one of the machine.
$ json() { # FACTOR [COUNT [REFERENCE CPU_NS]]: three sizes of rounds about 1000 ns * FACTOR, +- 0.3 %
>   awk -v factor="$1" -v count="${2:-12}" -v reference="${3:-}" -v cpu="${4:-}" '
>     function rounds(name, ns,    i, k, value) {
>       for (i = 1; i <= count; i++) {
>         value[i] = ns * (1 + ((i * 7 + size) % 11 - 5) / 1500)
>         printf "%s%.3f", (i > 1 ? "," : ",\"" name "\":["), value[i]
>         for (k = i; k > 1 && sorted[k - 1] > value[i]; k--)
>           sorted[k] = sorted[k - 1]
>         sorted[k] = value[i]
>       }
>       printf "]"
>     }
>     BEGIN {
>       for (size = 1; size <= 3; size++) {
>         printf "%s{\"size_bytes\":%d,\"test\":\"read\",\"target\":\"/a\",\"engine\":\"posix\"", (size > 1 ? "," : "{\"rows\":[\n"), size * 512
>         printf ",\"cache\":\"cached\",\"threads\":1,\"depth\":1,\"notes\":\"\",\"label\":\"\""
>         rounds("round_ns", 1000 * size * factor)
>         printf ",\"op_ns_median\":%.3f,\"op_ns_min\":%.3f", (sorted[int((count + 1) / 2)] + sorted[int(count / 2) + 1]) / 2, sorted[1]
>         if (reference) {
>           rounds("reference_round_ns", reference)
>           printf ",\"reference_ns\":%.1f,\"cpu_ns_per_op\":%.1f", reference, cpu * size
>         }
>         print "}"
>       }
>       print "]}"
>     }'
> }
$ csv() { # LABEL MEDIAN LOW HIGH [NOTES]
>   echo size_bytes,operations,time_s,test,target,engine,cache,threads,depth,op_ns_median,op_ns_low,op_ns_high,notes,label
>   echo "4096,1000,0.001,read,/a,posix,cached,1,1,$2,$3,$4,${5:-},$1"
> }
$ json 1 >same1 && json 1.001 >same2 && json 1.06 >slow && json 0.9 >fast

# verdicts of rounds, in each format
$ iosweep compare same1 same2
| record,test,target,engine,cache,label,threads,depth,size_bytes,verdict,ratio,ratio_low,ratio_high,p,evidence,op_ns_old,op_ns_new,cells,notes,ratio_measured,ratio_reference,step,loop,repeat,access,mix,filled_bytes,ranks
| cell,read,/a,posix,cached,,1,1,512,same,1.001000,0.991522,1.010568,1.000000000,rounds,1000.33,1001.33,1,,,,1,1,1,random,,,1
| cell,read,/a,posix,cached,,1,1,1024,same,1.001000,0.991516,1.010575,1.000000000,rounds,2000.67,2002.67,1,,,,1,1,1,random,,,1
| cell,read,/a,posix,cached,,1,1,1536,same,1.001000,0.991510,1.010581,1.000000000,rounds,3001.00,3004.00,1,,,,1,1,1,random,,,1
| overall,read,,,,,,,,same,1.001000,0.991516,1.010575,0.829628182,rounds,,,3,,,,,,,,,,
! read: the same overall (time per operation +0.1 %, -0.8 % to +1.1 %); cells: 0 slower, 0 faster, 3 same, 0 unclear, 0 without verdict
$ iosweep compare same1 slow
| record,test,target,engine,cache,label,threads,depth,size_bytes,verdict,ratio,ratio_low,ratio_high,p,evidence,op_ns_old,op_ns_new,cells,notes,ratio_measured,ratio_reference,step,loop,repeat,access,mix,filled_bytes,ranks
| cell,read,/a,posix,cached,,1,1,512,slower,1.060000,1.049964,1.070132,0.000108900,rounds,1000.33,1060.35,1,,,,1,1,1,random,,,1
| cell,read,/a,posix,cached,,1,1,1024,slower,1.060000,1.049957,1.070139,0.000108900,rounds,2000.67,2120.71,1,,,,1,1,1,random,,,1
| cell,read,/a,posix,cached,,1,1,1536,slower,1.060000,1.049950,1.070146,0.000108900,rounds,3001.00,3181.06,1,,,,1,1,1,random,,,1
| overall,read,,,,,,,,slower,1.060000,1.049957,1.070139,0.000000000,rounds,,,3,,,,,,,,,,
! read: 6.0 % slower overall (time per operation +6.0 %, +5.0 % to +7.0 %); cells: 3 slower, 0 faster, 0 same, 0 unclear, 0 without verdict
? 1
$ iosweep compare --format json same1 slow
| {"iosweep":"VERSION","schema_version":"1.0","document":"comparison","old":["same1"],"new":["slow"],"tolerance":0.020000,
| "cells":[
| {"test":"read","target":"/a","engine":"posix","cache":"cached","label":"","threads":1,"depth":1,"size_bytes":512,"verdict":"slower","ratio":1.060000,"ratio_low":1.049964,"ratio_high":1.070132,"p":0.000108900,"evidence":"rounds","op_ns_old":1000.33,"op_ns_new":1060.35,"ratio_measured":null,"ratio_reference":null,"step":1,"loop":1,"repeat":1,"access":"random","mix":null,"filled_bytes":null,"ranks":1,"notes":""},
| {"test":"read","target":"/a","engine":"posix","cache":"cached","label":"","threads":1,"depth":1,"size_bytes":1024,"verdict":"slower","ratio":1.060000,"ratio_low":1.049957,"ratio_high":1.070139,"p":0.000108900,"evidence":"rounds","op_ns_old":2000.67,"op_ns_new":2120.71,"ratio_measured":null,"ratio_reference":null,"step":1,"loop":1,"repeat":1,"access":"random","mix":null,"filled_bytes":null,"ranks":1,"notes":""},
| {"test":"read","target":"/a","engine":"posix","cache":"cached","label":"","threads":1,"depth":1,"size_bytes":1536,"verdict":"slower","ratio":1.060000,"ratio_low":1.049950,"ratio_high":1.070146,"p":0.000108900,"evidence":"rounds","op_ns_old":3001.00,"op_ns_new":3181.06,"ratio_measured":null,"ratio_reference":null,"step":1,"loop":1,"repeat":1,"access":"random","mix":null,"filled_bytes":null,"ranks":1,"notes":""}],
| "missing":[],
| "overall":[
| {"test":"read","verdict":"slower","ratio":1.060000,"ratio_low":1.049957,"ratio_high":1.070139,"p":0.000000000,"evidence":"rounds","cells":3,"unknown":0,"unclear":0,"same":0,"slower":3,"faster":0}]}
! read: 6.0 % slower overall (time per operation +6.0 %, +5.0 % to +7.0 %); cells: 3 slower, 0 faster, 0 same, 0 unclear, 0 without verdict
? 1
$ iosweep compare --format table same1 slow
|   size      old      new  time/op     95 % interval       p  verdict
|  512 B  1.00 us  1.06 us   +6.0 %  +5.0 % .. +7.0 %  0.0001  6.0 % slower
|  1 KiB  2.00 us  2.12 us   +6.0 %  +5.0 % .. +7.0 %  0.0001  6.0 % slower
| 1536 B  3.00 us  3.18 us   +6.0 %  +5.0 % .. +7.0 %  0.0001  6.0 % slower
| read: 6.0 % slower overall (time per operation +6.0 %, +5.0 % to +7.0 %); cells: 3 slower, 0 faster, 0 same, 0 unclear, 0 without verdict
? 1
$ iosweep compare --format table same1 fast
|   size      old      new  time/op      95 % interval       p  verdict
|  512 B  1.00 us   900 ns  -10.0 %  -10.9 % .. -9.1 %  0.0001  10.0 % faster
|  1 KiB  2.00 us  1.80 us  -10.0 %  -10.9 % .. -9.1 %  0.0001  10.0 % faster
| 1536 B  3.00 us  2.70 us  -10.0 %  -10.9 % .. -9.1 %  0.0001  10.0 % faster
| read: 10.0 % faster overall (time per operation -10.0 %, -10.9 % to -9.1 %); cells: 0 slower, 3 faster, 0 same, 0 unclear, 0 without verdict
? 1
$ iosweep compare --verbose --format table same1 same2
|   size      old      new  time/op     95 % interval       p  verdict
|  512 B  1.00 us  1.00 us   +0.1 %  -0.8 % .. +1.1 %  1.0000  same
|  1 KiB  2.00 us  2.00 us   +0.1 %  -0.8 % .. +1.1 %  1.0000  same
| 1536 B  3.00 us  3.00 us   +0.1 %  -0.8 % .. +1.1 %  1.0000  same
| read: the same overall (time per operation +0.1 %, -0.8 % to +1.1 %); cells: 0 slower, 0 faster, 3 same, 0 unclear, 0 without verdict
! one sweep of each: what varies between sweeps anyway (memory, placement, neighbours) is unknown and can look like a difference; alternate sweeps and compare OLD NEW OLD NEW

# what counts as a change
$ iosweep compare --format table --tolerance 12% same1 slow
|   size      old      new  time/op     95 % interval       p  verdict
|  512 B  1.00 us  1.06 us   +6.0 %  +5.0 % .. +7.0 %  0.0001  same
|  1 KiB  2.00 us  2.12 us   +6.0 %  +5.0 % .. +7.0 %  0.0001  same
| 1536 B  3.00 us  3.18 us   +6.0 %  +5.0 % .. +7.0 %  0.0001  same
| read: the same overall (time per operation +6.0 %, +5.0 % to +7.0 %); cells: 0 slower, 0 faster, 3 same, 0 unclear, 0 without verdict
$ iosweep compare --format table --tolerance 6.2% same1 slow
|   size      old      new  time/op     95 % interval       p  verdict
|  512 B  1.00 us  1.06 us   +6.0 %  +5.0 % .. +7.0 %  0.0001  unclear
|  1 KiB  2.00 us  2.12 us   +6.0 %  +5.0 % .. +7.0 %  0.0001  unclear
| 1536 B  3.00 us  3.18 us   +6.0 %  +5.0 % .. +7.0 %  0.0001  unclear
| read: unclear overall (time per operation +6.0 %, +5.0 % to +7.0 %); cells: 0 slower, 0 faster, 0 same, 3 unclear, 0 without verdict
! unclear: 3 of 3 cells, which could hide a difference beyond the tolerance, at worst 7 %; more rounds or more pairs narrow the intervals
! iosweep: nothing could be judged: no cell is known to differ or to be the same; repeat both sweeps on a quiet machine with more --time for each row, or compare several pairs
? 2
$ iosweep compare --format table --quiet --worse-only --tolerance 6.2% slow same1
| read: unclear overall (time per operation -5.7 %, -6.6 % to -4.8 %); cells: 0 slower, 0 faster, 0 same, 3 unclear, 0 without verdict
$ iosweep compare --format table --worse-only same1 fast
| read: 10.0 % faster overall (time per operation -10.0 %, -10.9 % to -9.1 %); cells: 0 slower, 3 faster, 0 same, 0 unclear, 0 without verdict
$ iosweep compare --format table --worse-only same1 slow
|   size      old      new  time/op     95 % interval       p  verdict
|  512 B  1.00 us  1.06 us   +6.0 %  +5.0 % .. +7.0 %  0.0001  6.0 % slower
|  1 KiB  2.00 us  2.12 us   +6.0 %  +5.0 % .. +7.0 %  0.0001  6.0 % slower
| 1536 B  3.00 us  3.18 us   +6.0 %  +5.0 % .. +7.0 %  0.0001  6.0 % slower
| read: 6.0 % slower overall (time per operation +6.0 %, +5.0 % to +7.0 %); cells: 3 slower, 0 faster, 0 same, 0 unclear, 0 without verdict
? 1
$ iosweep compare --format csv --quiet --worse-only same1 fast
| record,test,target,engine,cache,label,threads,depth,size_bytes,verdict,ratio,ratio_low,ratio_high,p,evidence,op_ns_old,op_ns_new,cells,notes,ratio_measured,ratio_reference,step,loop,repeat,access,mix,filled_bytes,ranks
| overall,read,,,,,,,,faster,0.900000,0.891473,0.908609,0.000000000,rounds,,,3,,,,,,,,,,

# into a file
$ iosweep compare --format table --quiet -o table same1 slow
? 1
$ cat table
|   size      old      new  time/op     95 % interval       p  verdict
|  512 B  1.00 us  1.06 us   +6.0 %  +5.0 % .. +7.0 %  0.0001  6.0 % slower
|  1 KiB  2.00 us  2.12 us   +6.0 %  +5.0 % .. +7.0 %  0.0001  6.0 % slower
| 1536 B  3.00 us  3.18 us   +6.0 %  +5.0 % .. +7.0 %  0.0001  6.0 % slower
| read: 6.0 % slower overall (time per operation +6.0 %, +5.0 % to +7.0 %); cells: 3 slower, 0 faster, 0 same, 0 unclear, 0 without verdict
$ echo another >table
$ iosweep compare --quiet -o table same1 slow
? 1
$ iosweep compare -o no/such/directory same1 slow
! iosweep: cannot write the results to no/such/directory: No such file or directory; the directory for it does not exist
? 2
$ iosweep compare -o same1 same1 slow
! iosweep: the output would overwrite an input: same1; give the name of another file
? 2

# an axis has a column where cells differ in it, and is what is compared where it has one value in
# the old files and another in the new
$ for file in same1 slow; do (cat $file && sed 's/"threads":1/"threads":2/' $file) >threads.$file; done
$ iosweep compare --format table --quiet threads.same1 threads.slow
| threads    size      old      new  time/op     95 % interval       p  verdict
|       1   512 B  1.00 us  1.06 us   +6.0 %  +5.0 % .. +7.0 %  0.0002  6.0 % slower
|       1   1 KiB  2.00 us  2.12 us   +6.0 %  +5.0 % .. +7.0 %  0.0002  6.0 % slower
|       1  1536 B  3.00 us  3.18 us   +6.0 %  +5.0 % .. +7.0 %  0.0002  6.0 % slower
|       2   512 B  1.00 us  1.06 us   +6.0 %  +5.0 % .. +7.0 %  0.0002  6.0 % slower
|       2   1 KiB  2.00 us  2.12 us   +6.0 %  +5.0 % .. +7.0 %  0.0002  6.0 % slower
|       2  1536 B  3.00 us  3.18 us   +6.0 %  +5.0 % .. +7.0 %  0.0002  6.0 % slower
| read: 6.0 % slower overall (time per operation +6.0 %, +5.0 % to +7.0 %); cells: 6 slower, 0 faster, 0 same, 0 unclear, 0 without verdict
? 1
$ sed 's,/a,/b,; s/"depth":1/"depth":8/; s/posix/pread/' same2 >other
$ iosweep compare same1 other
| record,test,target,engine,cache,label,threads,depth,size_bytes,verdict,ratio,ratio_low,ratio_high,p,evidence,op_ns_old,op_ns_new,cells,notes,ratio_measured,ratio_reference,step,loop,repeat,access,mix,filled_bytes,ranks
| cell,read,/a -> /b,posix -> pread,cached,,1,1 -> 8,512,same,1.001000,0.991522,1.010568,1.000000000,rounds,1000.33,1001.33,1,,,,1,1,1,random,,,1
| cell,read,/a -> /b,posix -> pread,cached,,1,1 -> 8,1024,same,1.001000,0.991516,1.010575,1.000000000,rounds,2000.67,2002.67,1,,,,1,1,1,random,,,1
| cell,read,/a -> /b,posix -> pread,cached,,1,1 -> 8,1536,same,1.001000,0.991510,1.010581,1.000000000,rounds,3001.00,3004.00,1,,,,1,1,1,random,,,1
| overall,read,,,,,,,,same,1.001000,0.991516,1.010575,0.829628182,rounds,,,3,,,,,,,,,,
! target: /a -> /b
! engine: posix -> pread
! depth: 1 -> 8
! read: the same overall (time per operation +0.1 %, -0.8 % to +1.1 %); cells: 0 slower, 0 faster, 3 same, 0 unclear, 0 without verdict
$ sed 's/cached/direct/; s/"threads":1/"threads":4/; s/"depth"/"ranks":2,"access":"once","depth"/' same2 >more
$ iosweep compare --format table same1 more
| cache: cached -> direct
| access: random -> once
| threads: 1 -> 4
| ranks: 1 -> 2
|   size      old      new  time/op     95 % interval       p  verdict
|  512 B  1.00 us  1.00 us   +0.1 %  -0.8 % .. +1.1 %  1.0000  same
|  1 KiB  2.00 us  2.00 us   +0.1 %  -0.8 % .. +1.1 %  1.0000  same
| 1536 B  3.00 us  3.00 us   +0.1 %  -0.8 % .. +1.1 %  1.0000  same
| read: the same overall (time per operation +0.1 %, -0.8 % to +1.1 %); cells: 0 slower, 0 faster, 3 same, 0 unclear, 0 without verdict
$ cat other slow >two
$ iosweep compare --format table same1 two
|   size      old      new  time/op     95 % interval       p  verdict
|  512 B  1.00 us  1.06 us   +6.0 %  +5.0 % .. +7.0 %  0.0001  6.0 % slower
|  1 KiB  2.00 us  2.12 us   +6.0 %  +5.0 % .. +7.0 %  0.0001  6.0 % slower
| 1536 B  3.00 us  3.18 us   +6.0 %  +5.0 % .. +7.0 %  0.0001  6.0 % slower
| not in same1: read 512 B /b pread cached, depth 8
| not in same1: read 1 KiB /b pread cached, depth 8
| not in same1: read 1536 B /b pread cached, depth 8
| read: 6.0 % slower overall (time per operation +6.0 %, +5.0 % to +7.0 %); cells: 3 slower, 0 faster, 0 same, 0 unclear, 0 without verdict
! iosweep: 3 cells are not in all files, such as read 512 B /b pread cached, depth 8, missing from same1
? 1
$ sed 's/"test":"read"/"test":"write"/' same1 | cat same1 - >tests
$ sed 's/"test":"read"/"test":"write"/' slow | cat same2 - >tests2
$ iosweep compare --format table tests tests2
| test     size      old      new  time/op     95 % interval       p  verdict
| read    512 B  1.00 us  1.00 us   +0.1 %  -0.8 % .. +1.1 %  1.0000  same
| read    1 KiB  2.00 us  2.00 us   +0.1 %  -0.8 % .. +1.1 %  1.0000  same
| read   1536 B  3.00 us  3.00 us   +0.1 %  -0.8 % .. +1.1 %  1.0000  same
| write   512 B  1.00 us  1.06 us   +6.0 %  +5.0 % .. +7.0 %  0.0002  6.0 % slower
| write   1 KiB  2.00 us  2.12 us   +6.0 %  +5.0 % .. +7.0 %  0.0002  6.0 % slower
| write  1536 B  3.00 us  3.18 us   +6.0 %  +5.0 % .. +7.0 %  0.0002  6.0 % slower
| read: the same overall (time per operation +0.1 %, -0.8 % to +1.1 %); cells: 0 slower, 0 faster, 3 same, 0 unclear, 0 without verdict
| write: 6.0 % slower overall (time per operation +6.0 %, +5.0 % to +7.0 %); cells: 3 slower, 0 faster, 0 same, 0 unclear, 0 without verdict
? 1
$ sed 's,/a,/c,' same1 | cat other - >neither
$ iosweep compare same1 neither
! iosweep: nothing to compare: no cell is in all files; the first of same1 is read 512 B /a posix cached, of neither read 512 B /b pread cached, depth 8
? 2
$ sed 's/"size_bytes":[0-9]*/&0/' same1 >sizes
$ iosweep compare same1 sizes
! iosweep: nothing to compare: no cell is in all files; the first of same1 is read 512 B /a posix cached, of sizes read 5 KiB /a posix cached
? 2
$ for axis in step loop repeat; do
>   sed "s/\"depth\"/\"$axis\":2,\"depth\"/" slow | cat same2 - >new && sed "s/\"depth\"/\"$axis\":2,\"depth\"/" same1 | cat - same1 >old
>   iosweep compare --quiet old new | cut -d, -f 1,9-11,16,17,22-24
> done
| record,size_bytes,verdict,ratio,op_ns_old,op_ns_new,step,loop,repeat
| cell,512,slower,1.060000,1000.33,1060.35,2,1,1
| cell,1024,slower,1.060000,2000.67,2120.71,2,1,1
| cell,1536,slower,1.060000,3001.00,3181.06,2,1,1
| cell,512,same,1.001000,1000.33,1001.33,1,1,1
| cell,1024,same,1.001000,2000.67,2002.67,1,1,1
| cell,1536,same,1.001000,3001.00,3004.00,1,1,1
| overall,,slower,1.030078,,,,,
| record,size_bytes,verdict,ratio,op_ns_old,op_ns_new,step,loop,repeat
| cell,512,slower,1.060000,1000.33,1060.35,1,2,1
| cell,1024,slower,1.060000,2000.67,2120.71,1,2,1
| cell,1536,slower,1.060000,3001.00,3181.06,1,2,1
| cell,512,same,1.001000,1000.33,1001.33,1,1,1
| cell,1024,same,1.001000,2000.67,2002.67,1,1,1
| cell,1536,same,1.001000,3001.00,3004.00,1,1,1
| overall,,slower,1.030078,,,,,
| record,size_bytes,verdict,ratio,op_ns_old,op_ns_new,step,loop,repeat
| cell,512,slower,1.060000,1000.33,1060.35,1,1,2
| cell,1024,slower,1.060000,2000.67,2120.71,1,1,2
| cell,1536,slower,1.060000,3001.00,3181.06,1,1,2
| cell,512,same,1.001000,1000.33,1001.33,1,1,1
| cell,1024,same,1.001000,2000.67,2002.67,1,1,1
| cell,1536,same,1.001000,3001.00,3004.00,1,1,1
| overall,,slower,1.030078,,,,,

# several pairs
$ iosweep compare --format table same1 slow same2 slow same1 slow
|   size      old      new  time/op     95 % interval       p  verdict
|  512 B  1.00 us  1.06 us   +6.0 %  +5.9 % .. +6.1 %  <.0001  6.0 % slower
|  1 KiB  2.00 us  2.12 us   +6.0 %  +5.9 % .. +6.1 %  <.0001  6.0 % slower
| 1536 B  3.00 us  3.18 us   +6.0 %  +5.9 % .. +6.1 %  <.0001  6.0 % slower
| read: 6.0 % slower overall (time per operation +6.0 %, +5.9 % to +6.1 %); cells: 3 slower, 0 faster, 0 same, 0 unclear, 0 without verdict
? 1
$ iosweep compare --format table same1 slow slow same1
|   size      old      new  time/op       95 % interval       p  verdict
|  512 B  1.03 us  1.03 us   +0.0 %  -16.2 % .. +19.4 %  1.0000  unclear
|  1 KiB  2.06 us  2.06 us   +0.0 %  -16.2 % .. +19.4 %  1.0000  unclear
| 1536 B  3.09 us  3.09 us   +0.0 %  -16.2 % .. +19.4 %  1.0000  unclear
| read: unclear overall (time per operation +0.0 %, -16.2 % to +19.4 %); cells: 0 slower, 0 faster, 0 same, 3 unclear, 0 without verdict
! unclear: 3 of 3 cells, which could hide a difference beyond the tolerance, at worst 19 %; more rounds or more pairs narrow the intervals
! iosweep: nothing could be judged: no cell is known to differ or to be the same; repeat both sweeps on a quiet machine with more --time for each row, or compare several pairs
? 2
$ json 1.05 >drift2 && json 1.1 >drift3 && json 1.15 >drift4
$ iosweep compare --format table --quiet same1 drift2
|   size      old      new  time/op     95 % interval       p  verdict
|  512 B  1.00 us  1.05 us   +5.0 %  +4.0 % .. +6.0 %  0.0001  5.0 % slower
|  1 KiB  2.00 us  2.10 us   +5.0 %  +4.0 % .. +6.0 %  0.0001  5.0 % slower
| 1536 B  3.00 us  3.15 us   +5.0 %  +4.0 % .. +6.0 %  0.0001  5.0 % slower
| read: 5.0 % slower overall (time per operation +5.0 %, +4.0 % to +6.0 %); cells: 3 slower, 0 faster, 0 same, 0 unclear, 0 without verdict
? 1
$ iosweep compare --format table --quiet same1 drift2 drift3 drift4
|   size      old      new  time/op       95 % interval       p  verdict
|  512 B  1.05 us  1.10 us   +4.8 %  -21.1 % .. +39.1 %  1.0000  unclear
|  1 KiB  2.10 us  2.20 us   +4.8 %  -21.1 % .. +39.1 %  1.0000  unclear
| 1536 B  3.15 us  3.30 us   +4.8 %  -21.1 % .. +39.1 %  1.0000  unclear
| read: unclear overall (time per operation +4.8 %, -21.1 % to +39.1 %); cells: 0 slower, 0 faster, 0 same, 3 unclear, 0 without verdict
! iosweep: nothing could be judged: no cell is known to differ or to be the same; repeat both sweeps on a quiet machine with more --time for each row, or compare several pairs
? 2

# what the new files lack
$ sed '/"size_bytes":1536/d' same2 >same2.part && sed '/"size_bytes":1536/d' slow >slow.part
$ iosweep compare same1 same2.part
| record,test,target,engine,cache,label,threads,depth,size_bytes,verdict,ratio,ratio_low,ratio_high,p,evidence,op_ns_old,op_ns_new,cells,notes,ratio_measured,ratio_reference,step,loop,repeat,access,mix,filled_bytes,ranks
| cell,read,/a,posix,cached,,1,1,512,same,1.001000,0.991522,1.010568,1.000000000,rounds,1000.33,1001.33,1,,,,1,1,1,random,,,1
| cell,read,/a,posix,cached,,1,1,1024,same,1.001000,0.991516,1.010575,1.000000000,rounds,2000.67,2002.67,1,,,,1,1,1,random,,,1
| missing,read,/a,posix,cached,,1,1,1536,,,,,,,,,,not in same2.part,,,1,1,1,random,,,1
| overall,read,,,,,,,,same,1.001000,0.991519,1.010572,0.829567716,rounds,,,2,,,,,,,,,,
! iosweep: 1 cell is not in all files: read 1536 B /a posix cached is missing from same2.part
! read: the same overall (time per operation +0.1 %, -0.8 % to +1.1 %); cells: 0 slower, 0 faster, 2 same, 0 unclear, 0 without verdict
! iosweep: 1 cell with figures in the old files has none in the new: read 1536 B /a posix cached; repeat the sweep, or use --partial to judge what is there
? 2
$ iosweep compare --format table --partial same1 same2.part
|  size      old      new  time/op     95 % interval       p  verdict
| 512 B  1.00 us  1.00 us   +0.1 %  -0.8 % .. +1.1 %  1.0000  same
| 1 KiB  2.00 us  2.00 us   +0.1 %  -0.8 % .. +1.1 %  1.0000  same
| not in same2.part: read 1536 B /a posix cached
| read: the same overall (time per operation +0.1 %, -0.8 % to +1.1 %); cells: 0 slower, 0 faster, 2 same, 0 unclear, 0 without verdict
! iosweep: 1 cell is not in all files: read 1536 B /a posix cached is missing from same2.part
$ iosweep compare --format table --quiet same1 slow.part
|  size      old      new  time/op     95 % interval       p  verdict
| 512 B  1.00 us  1.06 us   +6.0 %  +5.0 % .. +7.0 %  <.0001  6.0 % slower
| 1 KiB  2.00 us  2.12 us   +6.0 %  +5.0 % .. +7.0 %  <.0001  6.0 % slower
| not in slow.part: read 1536 B /a posix cached
| read: 6.0 % slower overall (time per operation +6.0 %, +5.0 % to +7.0 %); cells: 2 slower, 0 faster, 0 same, 0 unclear, 0 without verdict
? 1
$ iosweep compare --format table --quiet same2.part same1
|  size      old      new  time/op     95 % interval       p  verdict
| 512 B  1.00 us  1.00 us   -0.1 %  -1.0 % .. +0.9 %  1.0000  same
| 1 KiB  2.00 us  2.00 us   -0.1 %  -1.0 % .. +0.9 %  1.0000  same
| not in same2.part: read 1536 B /a posix cached
| read: the same overall (time per operation -0.1 %, -1.0 % to +0.9 %); cells: 0 slower, 0 faster, 2 same, 0 unclear, 0 without verdict
$ iosweep compare --format table --quiet same1 same2 same1 same2.part
|  size      old      new  time/op     95 % interval       p  verdict
| 512 B  1.00 us  1.00 us   +0.1 %  -0.0 % .. +0.2 %  0.5025  same
| 1 KiB  2.00 us  2.00 us   +0.1 %  -0.0 % .. +0.2 %  0.5025  same
| not in same2.part: read 1536 B /a posix cached
| read: the same overall (time per operation +0.1 %, +0.1 % to +0.1 %); cells: 0 slower, 0 faster, 2 same, 0 unclear, 0 without verdict
! iosweep: 1 cell with figures in the old files has none in the new: read 1536 B /a posix cached; repeat the sweep, or use --partial to judge what is there
? 2
$ sed '/"size_bytes":1024/s/"notes":""/"notes":"wide;incomplete"/' same2 >broken
$ iosweep compare --format table same1 broken
|   size      old      new  time/op     95 % interval       p  verdict  notes
|  512 B  1.00 us  1.00 us   +0.1 %  -0.8 % .. +1.1 %  1.0000  same
|  1 KiB        -        -        -                 -       -  unknown  incomplete;wide:new
| 1536 B  3.00 us  3.00 us   +0.1 %  -0.8 % .. +1.1 %  1.0000  same
| read: the same overall (time per operation +0.1 %, -0.8 % to +1.1 %); cells: 0 slower, 0 faster, 2 same, 0 unclear, 1 without verdict
! iosweep: not compared, since skipped or incomplete in some file: 1 of 3 cells
! iosweep: 1 cell with figures in the old files has none in the new: read 1 KiB /a posix cached; repeat the sweep, or use --partial to judge what is there
? 2
$ iosweep compare --format json --partial --quiet same1 broken
| {"iosweep":"VERSION","schema_version":"1.0","document":"comparison","old":["same1"],"new":["broken"],"tolerance":0.020000,
| "cells":[
| {"test":"read","target":"/a","engine":"posix","cache":"cached","label":"","threads":1,"depth":1,"size_bytes":512,"verdict":"same","ratio":1.001000,"ratio_low":0.991522,"ratio_high":1.010568,"p":1.000000000,"evidence":"rounds","op_ns_old":1000.33,"op_ns_new":1001.33,"ratio_measured":null,"ratio_reference":null,"step":1,"loop":1,"repeat":1,"access":"random","mix":null,"filled_bytes":null,"ranks":1,"notes":""},
| {"test":"read","target":"/a","engine":"posix","cache":"cached","label":"","threads":1,"depth":1,"size_bytes":1024,"verdict":"unknown","ratio":null,"ratio_low":null,"ratio_high":null,"p":null,"evidence":"none","op_ns_old":null,"op_ns_new":null,"ratio_measured":null,"ratio_reference":null,"step":1,"loop":1,"repeat":1,"access":"random","mix":null,"filled_bytes":null,"ranks":1,"notes":"incomplete;wide:new"},
| {"test":"read","target":"/a","engine":"posix","cache":"cached","label":"","threads":1,"depth":1,"size_bytes":1536,"verdict":"same","ratio":1.001000,"ratio_low":0.991510,"ratio_high":1.010581,"p":1.000000000,"evidence":"rounds","op_ns_old":3001.00,"op_ns_new":3004.00,"ratio_measured":null,"ratio_reference":null,"step":1,"loop":1,"repeat":1,"access":"random","mix":null,"filled_bytes":null,"ranks":1,"notes":""}],
| "missing":[],
| "overall":[
| {"test":"read","verdict":"same","ratio":1.001000,"ratio_low":0.991516,"ratio_high":1.010575,"p":0.829637541,"evidence":"rounds","cells":2,"unknown":1,"unclear":0,"same":2,"slower":0,"faster":0}]}

# a label for each sweep is a name, but not where it says that the order is wrong
$ for file in same1:a1 same1:b1 same2:a2 same2:b2; do
>   sed "s/\"label\":\"\"/\"label\":\"${file#*:}\"/" "${file%:*}" >"${file#*:}"
> done
$ iosweep compare --format table a1 b1 a2 b2
|   size      old      new  time/op     95 % interval       p  verdict
|  512 B  1.00 us  1.00 us   +0.0 %  -0.3 % .. +0.3 %  1.0000  same
|  1 KiB  2.00 us  2.00 us   +0.0 %  -0.3 % .. +0.3 %  1.0000  same
| 1536 B  3.00 us  3.00 us   +0.0 %  -0.3 % .. +0.3 %  1.0000  same
| read: the same overall (time per operation +0.0 %, -0.3 % to +0.3 %); cells: 0 slower, 0 faster, 3 same, 0 unclear, 0 without verdict
! labels are not compared, each sweep has a different one: a1, b1, a2, b2
$ iosweep compare --format table --quiet a1 a1 b1 b2
! iosweep: nothing to compare: no cell is in all files; the label is "a1" in a1, but "b1" in b1; all old files need the same, and so do all new files
? 2
$ iosweep compare --format table a1 a2
| label: a1 -> a2
|   size      old      new  time/op     95 % interval       p  verdict
|  512 B  1.00 us  1.00 us   +0.1 %  -0.8 % .. +1.1 %  1.0000  same
|  1 KiB  2.00 us  2.00 us   +0.1 %  -0.8 % .. +1.1 %  1.0000  same
| 1536 B  3.00 us  3.00 us   +0.1 %  -0.8 % .. +1.1 %  1.0000  same
| read: the same overall (time per operation +0.1 %, -0.8 % to +1.1 %); cells: 0 slower, 0 faster, 3 same, 0 unclear, 0 without verdict

# names in files stay names on a terminal
$ sed 's,/a,/x\\u001b[2J,' slow >hostile && sed '/1536/d' hostile >hostile.part
$ iosweep compare --format table same1 hostile
| target: /a -> /x\x1b[2J
|   size      old      new  time/op     95 % interval       p  verdict
|  512 B  1.00 us  1.06 us   +6.0 %  +5.0 % .. +7.0 %  0.0001  6.0 % slower
|  1 KiB  2.00 us  2.12 us   +6.0 %  +5.0 % .. +7.0 %  0.0001  6.0 % slower
| 1536 B  3.00 us  3.18 us   +6.0 %  +5.0 % .. +7.0 %  0.0001  6.0 % slower
| read: 6.0 % slower overall (time per operation +6.0 %, +5.0 % to +7.0 %); cells: 3 slower, 0 faster, 0 same, 0 unclear, 0 without verdict
? 1
$ iosweep compare --quiet hostile hostile.part
| record,test,target,engine,cache,label,threads,depth,size_bytes,verdict,ratio,ratio_low,ratio_high,p,evidence,op_ns_old,op_ns_new,cells,notes,ratio_measured,ratio_reference,step,loop,repeat,access,mix,filled_bytes,ranks
| cell,read,/x\x1b[2J,posix,cached,,1,1,512,same,1.000000,0.990532,1.009559,1.000000000,rounds,1060.35,1060.35,1,,,,1,1,1,random,,,1
| cell,read,/x\x1b[2J,posix,cached,,1,1,1024,same,1.000000,0.990525,1.009565,1.000000000,rounds,2120.71,2120.71,1,,,,1,1,1,random,,,1
| missing,read,/x\x1b[2J,posix,cached,,1,1,1536,,,,,,,,,,not in hostile.part,,,1,1,1,random,,,1
| overall,read,,,,,,,,same,1.000000,0.990529,1.009562,1.000000000,rounds,,,2,,,,,,,,,,
! iosweep: 1 cell with figures in the old files has none in the new: read 1536 B /x\x1b[2J posix cached; repeat the sweep, or use --partial to judge what is there
? 2

# few rounds, and rounds at two speeds
$ json 1 4 >few && json 3 4 >thrice
$ iosweep compare --format table few thrice
|   size      old      new  time/op   95 % interval       p  verdict
|  512 B  1.00 us  3.00 us    x3.00  x2.92 .. x3.08  <.0001  3.00 times slower
|  1 KiB  2.00 us  6.01 us    x3.00  x2.92 .. x3.08  <.0001  3.00 times slower
| 1536 B  3.00 us  9.01 us    x3.00  x2.92 .. x3.08  <.0001  3.00 times slower
| read: 3.00 times slower overall (time per operation x3.00, x2.92 to x3.08); cells: 3 slower, 0 faster, 0 same, 0 unclear, 0 without verdict
? 1
$ json 1.001 4 >few2 && iosweep compare --format table few few2
|   size      old      new  time/op     95 % interval       p  verdict
|  512 B  1.00 us  1.00 us   +0.1 %  -2.5 % .. +2.8 %  1.0000  unclear
|  1 KiB  2.00 us  2.00 us   +0.1 %  -2.5 % .. +2.8 %  1.0000  unclear
| 1536 B  3.00 us  3.01 us   +0.1 %  -2.5 % .. +2.8 %  1.0000  unclear
| read: unclear overall (time per operation +0.1 %, -2.5 % to +2.8 %); cells: 0 slower, 0 faster, 0 same, 3 unclear, 0 without verdict
! unclear: 3 of 3 cells, which could hide a difference beyond the tolerance, at worst 3 %; more rounds or more pairs narrow the intervals
! iosweep: nothing could be judged: no cell is known to differ or to be the same; repeat both sweeps on a quiet machine with more --time for each row, or compare several pairs
? 2
$ speeds() { # SLOW: of 5 rounds
>   awk -v slow="$1" 'BEGIN {
>     printf "{\"rows\":[{\"size_bytes\":4096,\"test\":\"read\",\"op_ns_median\":%d,\"round_ns\":[", (slow > 2 ? 126003 : 61705)
>     for (i = 1; i <= 40; i++)
>       printf "%s%d", (i > 1 ? "," : ""), (i % 5 < slow ? 126000 : 61700) + i % 7
>     print "]}]}"
>   }'
> }
$ speeds 2 >mostly.fast && speeds 3 >mostly.slow
$ iosweep compare mostly.fast mostly.slow
| record,test,target,engine,cache,label,threads,depth,size_bytes,verdict,ratio,ratio_low,ratio_high,p,evidence,op_ns_old,op_ns_new,cells,notes,ratio_measured,ratio_reference,step,loop,repeat,access,mix,filled_bytes,ranks
| cell,read,,,,,1,1,4096,unclear,1.000016,0.999121,1.000913,0.971362788,rounds,61705.00,61706.00,1,medians,,,1,1,1,random,,,1
| overall,read,,,,,,,,unclear,1.000016,0.999121,1.000913,0.971362788,rounds,,,1,,,,,,,,,,
! read: unclear overall (time per operation +0.0 %, -0.1 % to +0.1 %); cells: 0 slower, 0 faster, 0 same, 1 unclear, 0 without verdict
! iosweep: in 1 of 1 cell the medians and the rounds as a whole disagree, such as read 4 KiB (medians 61.7 us and 126 us, rounds +0.0 %): the machine ran at two speeds; repeat the sweeps on a quiet one
! iosweep: nothing could be judged: no cell is known to differ or to be the same; repeat both sweeps on a quiet machine with more --time for each row, or compare several pairs
? 2
$ iosweep compare --format table --quiet mostly.fast mostly.slow
|  size      old      new  time/op     95 % interval       p  verdict  notes
| 4 KiB  61.7 us  61.7 us   +0.0 %  -0.1 % .. +0.1 %  0.9714  unclear  medians
| read: unclear overall (time per operation +0.0 %, -0.1 % to +0.1 %); cells: 0 slower, 0 faster, 0 same, 1 unclear, 0 without verdict
! iosweep: nothing could be judged: no cell is known to differ or to be the same; repeat both sweeps on a quiet machine with more --time for each row, or compare several pairs
? 2
$ wild() { echo "{\"rows\":[{\"size_bytes\":512,\"test\":\"read\",\"op_ns_median\":402$1,\"round_ns\":[52$1,952$1,452$1,152$1,752$1,352$1]}]}"; }
$ wild '' >wild && wild 0000 >wilder
$ iosweep compare --format table wild wilder
|  size     old      new  time/op       95 % interval       p  verdict
| 512 B  402 ns  4.02 ms   x10000  x2.80 .. x35658102  0.0310  10000 times slower
| read: 10000 times slower overall (time per operation x10000, x2.80 to x35658102); cells: 1 slower, 0 faster, 0 same, 0 unclear, 0 without verdict
? 1

# a file and itself
$ iosweep compare --format table same1 same1
|   size      old      new  time/op     95 % interval       p  verdict
|  512 B  1.00 us  1.00 us   +0.0 %  -0.9 % .. +1.0 %  1.0000  same
|  1 KiB  2.00 us  2.00 us   +0.0 %  -0.9 % .. +1.0 %  1.0000  same
| 1536 B  3.00 us  3.00 us   +0.0 %  -0.9 % .. +1.0 %  1.0000  same
| read: the same overall (time per operation +0.0 %, -0.9 % to +1.0 %); cells: 0 slower, 0 faster, 3 same, 0 unclear, 0 without verdict
! iosweep: same1 is compared with itself: all ratios are 1, and the intervals show how well its rounds agree
$ ln -s wild wild.link && iosweep compare --format table wild wild.link
|  size     old     new  time/op       95 % interval       p  verdict
| 512 B  402 ns  402 ns    x1.00  x0.000280 .. x3566  1.0000  unclear
| read: unclear overall (time per operation x1.00, x0.000280 to x3566); cells: 0 slower, 0 faster, 0 same, 1 unclear, 0 without verdict
! iosweep: wild is compared with itself: all ratios are 1, and the intervals show how well its rounds agree
! unclear: 1 of 1 cell, which could hide a difference beyond the tolerance, at worst a factor of 3.57e+03; more rounds or more pairs narrow the intervals
! iosweep: nothing could be judged: no cell is known to differ or to be the same; repeat both sweeps on a quiet machine with more --time for each row, or compare several pairs
? 2

# a machine that is slower by 5 %, as the reference of each round tells: only what is bound by the
# processor is judged in its units
$ json 1 24 600 950 >usual && json 1.05 24 630 995 >slower
$ iosweep compare usual slower
| record,test,target,engine,cache,label,threads,depth,size_bytes,verdict,ratio,ratio_low,ratio_high,p,evidence,op_ns_old,op_ns_new,cells,notes,ratio_measured,ratio_reference,step,loop,repeat,access,mix,filled_bytes,ranks
| cell,read,/a,posix,cached,,1,1,512,same,1.000000,0.989919,1.010183,1.000000000,rounds,1000.00,1000.00,1,,1.050000,1.050000,1,1,1,random,,,1
| cell,read,/a,posix,cached,,1,1,1024,same,1.000000,0.989919,1.010183,1.000000000,rounds,2000.00,2000.00,1,,1.050000,1.050000,1,1,1,random,,,1
| cell,read,/a,posix,cached,,1,1,1536,same,1.000000,0.990214,1.009882,1.000000000,rounds,3001.00,3001.00,1,,1.050000,1.050000,1,1,1,random,,,1
| overall,read,,,,,,,,same,1.000000,0.989919,1.010183,0.999999992,rounds,,,3,,,,,,,,,,
! CPU-bound cells, compared relative to the reference: 3 of 3; the reference differs by up to +5.0 %: read 512 B /a posix cached changed by +5.0 % as measured, -0.0 % relative to it
! read: the same overall (time per operation -0.0 %, -1.0 % to +1.0 %); cells: 0 slower, 0 faster, 3 same, 0 unclear, 0 without verdict
$ iosweep compare --format table --quiet usual slower
|   size      old      new  time/op     95 % interval       p  verdict  notes
|  512 B  1.00 us  1.00 us   -0.0 %  -1.0 % .. +1.0 %  1.0000  same     by reference (measured +5.0 %)
|  1 KiB  2.00 us  2.00 us   +0.0 %  -1.0 % .. +1.0 %  1.0000  same     by reference (measured +5.0 %)
| 1536 B  3.00 us  3.00 us   +0.0 %  -1.0 % .. +1.0 %  1.0000  same     by reference (measured +5.0 %)
| read: the same overall (time per operation -0.0 %, -1.0 % to +1.0 %); cells: 0 slower, 0 faster, 3 same, 0 unclear, 0 without verdict
$ json 1 24 600 300 >waits && json 1.05 24 630 300 >waits.longer
$ iosweep compare --format table waits waits.longer
|   size      old      new  time/op     95 % interval       p  verdict
|  512 B  1.00 us  1.05 us   +5.0 %  +4.4 % .. +5.6 %  <.0001  5.0 % slower
|  1 KiB  2.00 us  2.10 us   +5.0 %  +4.4 % .. +5.6 %  <.0001  5.0 % slower
| 1536 B  3.00 us  3.15 us   +5.0 %  +4.4 % .. +5.6 %  <.0001  5.0 % slower
| read: 5.0 % slower overall (time per operation +5.0 %, +4.4 % to +5.6 %); cells: 3 slower, 0 faster, 0 same, 0 unclear, 0 without verdict
? 1
$ bound() { # FACTOR QUEUED_NS: eight threads on fewer processors, or waiting for a device
>   echo size_bytes,test,threads,rate_per_s,op_ns_median,op_ns_low,op_ns_high,cpu_ns_per_op,queued_ns_per_op,reference_ns
>   echo $1 $2 | awk '{ ns = 1000 * $1; printf "4096,read,8,%.3f,%.1f,%.1f,%.1f,%.1f,%d,%.1f\n", 1e9 / ns, ns, ns - 1, ns + 1, 3 * ns, $2, 0.6 * ns }'
> }
$ bound 1 3900 >queued && bound 1.05 4100 >queued.slow && bound 1 100 >waiting && bound 1.05 100 >waiting.slow
$ iosweep compare --format table queued queued.slow
|  size      old      new  time/op     95 % interval  p  verdict  notes
| 4 KiB  1.00 us  1.00 us   +0.0 %  -1.5 % .. +1.6 %  -  same     by reference (measured +5.0 %)
| read: the same overall (time per operation +0.0 %, conservative -1.5 % to +1.6 %); cells: 0 slower, 0 faster, 1 same, 0 unclear, 0 without verdict
! CPU-bound cells, compared relative to the reference: 1 of 1; the reference differs by up to +5.0 %: read 4 KiB, threads 8 changed by +5.0 % as measured, +0.0 % relative to it
! iosweep: 1 of 1 cell has no rounds: conservative intervals hide small differences; compare JSON files
$ iosweep compare --format table --quiet waiting waiting.slow
|  size      old      new  time/op     95 % interval  p  verdict
| 4 KiB  1.00 us  1.05 us   +5.0 %  +4.4 % .. +5.6 %  -  5.0 % slower
| read: 5.0 % slower overall (time per operation +5.0 %, conservative +4.4 % to +5.6 %); cells: 1 slower, 0 faster, 0 same, 0 unclear, 0 without verdict
? 1

# medians and their intervals alone, as in CSV: conservative
$ csv x 1000 990 1010 >old.csv && csv x 1035 1025 1045 >near.csv && csv x 1100 1090 1110 >far.csv
$ iosweep compare old.csv near.csv
| record,test,target,engine,cache,label,threads,depth,size_bytes,verdict,ratio,ratio_low,ratio_high,p,evidence,op_ns_old,op_ns_new,cells,notes,ratio_measured,ratio_reference,step,loop,repeat,access,mix,filled_bytes,ranks
| cell,read,/a,posix,cached,x,1,1,4096,unclear,1.035000,0.975724,1.097900,,conservative,1000.00,1035.00,1,,,,1,1,1,random,,,1
| overall,read,,,,,,,,unclear,1.035000,0.975724,1.097900,,conservative,,,1,,,,,,,,,,
! iosweep: 1 of 1 cell has no rounds: conservative intervals hide small differences; compare JSON files
! read: unclear overall (time per operation +3.5 %, conservative -2.4 % to +9.8 %); cells: 0 slower, 0 faster, 0 same, 1 unclear, 0 without verdict
! unclear: 1 of 1 cell, which could hide a difference beyond the tolerance, at worst 10 %; more rounds or more pairs narrow the intervals
! iosweep: nothing could be judged: no cell is known to differ or to be the same; repeat both sweeps on a quiet machine with more --time for each row, or compare several pairs
? 2
$ iosweep compare old.csv far.csv
| record,test,target,engine,cache,label,threads,depth,size_bytes,verdict,ratio,ratio_low,ratio_high,p,evidence,op_ns_old,op_ns_new,cells,notes,ratio_measured,ratio_reference,step,loop,repeat,access,mix,filled_bytes,ranks
| cell,read,/a,posix,cached,x,1,1,4096,slower,1.100000,1.038795,1.164871,,conservative,1000.00,1100.00,1,,,,1,1,1,random,,,1
| overall,read,,,,,,,,slower,1.100000,1.038795,1.164871,,conservative,,,1,,,,,,,,,,
! iosweep: 1 of 1 cell has no rounds: conservative intervals hide small differences; compare JSON files
! read: 10.0 % slower overall (time per operation +10.0 %, conservative +3.9 % to +16.5 %); cells: 1 slower, 0 faster, 0 same, 0 unclear, 0 without verdict
? 1
$ iosweep compare --format table --quiet - far.csv <old.csv
|  size      old      new  time/op      95 % interval  p  verdict
| 4 KiB  1.00 us  1.10 us  +10.0 %  +3.9 % .. +16.5 %  -  10.0 % slower
| read: 10.0 % slower overall (time per operation +10.0 %, conservative +3.9 % to +16.5 %); cells: 1 slower, 0 faster, 0 same, 0 unclear, 0 without verdict
? 1
$ cat old.csv | iosweep compare --format table --quiet - far.csv
|  size      old      new  time/op      95 % interval  p  verdict
| 4 KiB  1.00 us  1.10 us  +10.0 %  +3.9 % .. +16.5 %  -  10.0 % slower
| read: 10.0 % slower overall (time per operation +10.0 %, conservative +3.9 % to +16.5 %); cells: 1 slower, 0 faster, 0 same, 0 unclear, 0 without verdict
? 1
$ csv y 1001 991 1011 >label.csv && iosweep compare --format table --quiet old.csv label.csv
| label: x -> y
|  size      old      new  time/op     95 % interval  p  verdict
| 4 KiB  1.00 us  1.00 us   +0.1 %  -5.7 % .. +6.3 %  -  unclear
| read: unclear overall (time per operation +0.1 %, conservative -5.7 % to +6.3 %); cells: 0 slower, 0 faster, 0 same, 1 unclear, 0 without verdict
! iosweep: nothing could be judged: no cell is known to differ or to be the same; repeat both sweeps on a quiet machine with more --time for each row, or compare several pairs
? 2
$ iosweep compare --quiet old.csv label.csv
| record,test,target,engine,cache,label,threads,depth,size_bytes,verdict,ratio,ratio_low,ratio_high,p,evidence,op_ns_old,op_ns_new,cells,notes,ratio_measured,ratio_reference,step,loop,repeat,access,mix,filled_bytes,ranks
| cell,read,/a,posix,cached,x -> y,1,1,4096,unclear,1.001000,0.942733,1.062869,,conservative,1000.00,1001.00,1,,,,1,1,1,random,,,1
| overall,read,,,,,,,,unclear,1.001000,0.942733,1.062869,,conservative,,,1,,,,,,,,,,
! iosweep: nothing could be judged: no cell is known to differ or to be the same; repeat both sweeps on a quiet machine with more --time for each row, or compare several pairs
? 2
$ cat old.csv old.csv >twice.csv && iosweep compare twice.csv far.csv
! iosweep: several rows for one cell, but no rounds to pool, in twice.csv; the cell is read 4 KiB /a posix cached, label x; use one file per sweep, or JSON files
? 2
$ cat slow slow >twice && iosweep compare --format table --quiet same1 twice
|   size      old      new  time/op     95 % interval       p  verdict
|  512 B  1.00 us  1.06 us   +6.0 %  +5.3 % .. +6.7 %  <.0001  6.0 % slower
|  1 KiB  2.00 us  2.12 us   +6.0 %  +5.0 % .. +7.0 %  <.0001  6.0 % slower
| 1536 B  3.00 us  3.18 us   +6.0 %  +5.0 % .. +7.0 %  <.0001  6.0 % slower
| read: 6.0 % slower overall (time per operation +6.0 %, +5.0 % to +7.0 %); cells: 3 slower, 0 faster, 0 same, 0 unclear, 0 without verdict
? 1
$ csv x 1001 999 1002 wide >wide.csv && csv x 1001 999 1002 'cache_hits;wide' >hits.csv
$ iosweep compare --format table wide.csv hits.csv
|  size      old      new  time/op     95 % interval  p  verdict  notes
| 4 KiB  1.00 us  1.00 us   +0.0 %  -0.9 % .. +0.9 %  -  same     cache_hits:new;wide
| read: the same overall (time per operation +0.0 %, conservative -0.9 % to +0.9 %); cells: 0 slower, 0 faster, 1 same, 0 unclear, 0 without verdict
! iosweep: old and new did different work in 1 of 1 cell, such as read 4 KiB /a posix cached, label x (cache_hits:new;wide)
! iosweep: 1 of 1 cell has no rounds: conservative intervals hide small differences; compare JSON files

# semicolons, other columns in another order; classic tables have a ratio, no more
$ iosweep compare --quiet --format table old.csv - <<'END'
> op_ns_high;op_ns_low;test;op_ns_median;engine;target;size_bytes;cache;label;unknown
> 1110,0;1090,0;read;1100,0;posix;/a;4096;cached;x;1
> END
|  size      old      new  time/op      95 % interval  p  verdict
| 4 KiB  1.00 us  1.10 us  +10.0 %  +3.9 % .. +16.5 %  -  10.0 % slower
| read: 10.0 % slower overall (time per operation +10.0 %, conservative +3.9 % to +16.5 %); cells: 1 slower, 0 faster, 0 same, 0 unclear, 0 without verdict
? 1
$ cat >classic1 <<'END'
> Conducting read test...
> I/O size [bytes], operations, time [s], throughput [bytes/s], I/O rate [1/s]
> 512,1000,0.001000,512000000.000000,1000000.000000
> 1024,1000,0.002000,512000000.000000,500000.000000
> Done with read test
> END
$ sed 's/^512,.*/512,1000,0.004000,128000000.000000,250000.000000/' classic1 >classic2
$ iosweep compare classic1 classic2
| record,test,target,engine,cache,label,threads,depth,size_bytes,verdict,ratio,ratio_low,ratio_high,p,evidence,op_ns_old,op_ns_new,cells,notes,ratio_measured,ratio_reference,step,loop,repeat,access,mix,filled_bytes,ranks
| cell,read,,,,,1,1,512,unknown,4.000000,,,,ratio,1000.00,4000.00,1,,,,1,1,1,random,,,1
| cell,read,,,,,1,1,1024,unknown,1.000000,,,,ratio,2000.00,2000.00,1,,,,1,1,1,random,,,1
| overall,read,,,,,,,,unknown,2.000000,,,,ratio,,,2,,,,,,,,,,
! iosweep: 2 of 2 cells have no interval or fewer than 4 rounds: a ratio, but no verdict
! read: no verdict overall (time per operation x2.00, no interval); cells: 0 slower, 0 faster, 0 same, 0 unclear, 2 without verdict
! iosweep: nothing could be judged: no cell has intervals or enough rounds in all files; compare JSON files of sweeps with at least 4 rounds (--time gives slow rows more), or CSV with the columns op_ns_low and op_ns_high
? 2
$ iosweep compare --format table --quiet classic1 classic2
|  size      old      new  time/op  95 % interval  p  verdict
| 512 B  1.00 us  4.00 us    x4.00              -  -  unknown
| 1 KiB  2.00 us  2.00 us   +0.0 %              -  -  unknown
| read: no verdict overall (time per operation x2.00, no interval); cells: 0 slower, 0 faster, 0 same, 0 unclear, 2 without verdict
! iosweep: nothing could be judged: no cell has intervals or enough rounds in all files; compare JSON files of sweeps with at least 4 rounds (--time gives slow rows more), or CSV with the columns op_ns_low and op_ns_high
? 2

# the default columns of CSV are enough for a verdict; of fewer, the time per operation
$ default() { # NS
>   echo size_bytes,operations,time_s,throughput_bytes_per_s,rate_per_s,test,target,engine,cache,access,threads,depth,loop,rounds,op_ns_median,op_ns_low,op_ns_high,latency_ns_p50,latency_ns_p90,latency_ns_p99,latency_ns_p999,latency_ns_max,cpu_ns_per_op,device_bytes,errors,notes,label
>   echo "4096,500,0.0005,4096000000,1000000,read,/a,posix,cached,,1,1,,39,$1,$(($1 - 2)),$(($1 + 2)),$1,,,,$1,900,0,0,,"
> }
$ default 1000 >default1.csv && default 1200 >default2.csv
$ iosweep compare --format table default1.csv default2.csv
|  size      old      new  time/op       95 % interval  p  verdict
| 4 KiB  1.00 us  1.20 us  +20.0 %  +18.7 % .. +21.3 %  -  20.0 % slower
| read: 20.0 % slower overall (time per operation +20.0 %, conservative +18.7 % to +21.3 %); cells: 1 slower, 0 faster, 0 same, 0 unclear, 0 without verdict
! iosweep: 1 of 1 cell has no rounds: conservative intervals hide small differences; compare JSON files
? 1
$ cut -d, -f 1,5-12 default1.csv >rates1.csv && cut -d, -f 1,5-12 default2.csv >rates2.csv
$ iosweep compare --format table rates1.csv rates2.csv
|  size      old      new  time/op  95 % interval  p  verdict
| 4 KiB  1.00 us  1.00 us   +0.0 %              -  -  unknown
| read: no verdict overall (time per operation +0.0 %, no interval); cells: 0 slower, 0 faster, 0 same, 0 unclear, 1 without verdict
! iosweep: 1 of 1 cell has no interval or fewer than 4 rounds: a ratio, but no verdict
! iosweep: nothing could be judged: no cell has intervals or enough rounds in all files; compare JSON files of sweeps with at least 4 rounds (--time gives slow rows more), or CSV with the columns op_ns_low and op_ns_high
? 2
$ cut -d, -f 1,6-12 default1.csv >axes.csv && iosweep compare axes.csv default2.csv
! iosweep: too few columns in the header axes.csv:1; needed are size_bytes and op_ns_median, rate_per_s, throughput_bytes_per_s or both operations and time_s
? 2
$ cut -d, -f 2-17 default1.csv >sizeless.csv && iosweep compare sizeless.csv default2.csv
! iosweep: not an iosweep result: sizeless.csv:1; expected a CSV header with size_bytes, JSON of iosweep, or the output of io_profile
? 2

# rows that cannot be compared, or did not do the same
$ csv x '' '' '' skipped:beyond_file >skipped.csv
$ iosweep compare --partial old.csv skipped.csv
| record,test,target,engine,cache,label,threads,depth,size_bytes,verdict,ratio,ratio_low,ratio_high,p,evidence,op_ns_old,op_ns_new,cells,notes,ratio_measured,ratio_reference,step,loop,repeat,access,mix,filled_bytes,ranks
| cell,read,/a,posix,cached,x,1,1,4096,unknown,,,,,none,,,1,skipped,,,1,1,1,random,,,1
| overall,read,,,,,,,,unknown,,,,,none,,,0,,,,,,,,,,
! iosweep: not compared, since skipped or incomplete in some file: 1 of 1 cell
! read: no verdict overall (nothing known); cells: 0 slower, 0 faster, 0 same, 0 unclear, 1 without verdict
! iosweep: nothing could be judged: all cells were skipped or are incomplete in some file; repeat the sweep that broke off
? 2
$ csv x 5000 4990 5010 incomplete >incomplete.csv
$ iosweep compare --format table old.csv incomplete.csv
|  size  old  new  time/op  95 % interval  p  verdict  notes
| 4 KiB    -    -        -              -  -  unknown  incomplete
| read: no verdict overall (nothing known); cells: 0 slower, 0 faster, 0 same, 0 unclear, 1 without verdict
! iosweep: not compared, since skipped or incomplete in some file: 1 of 1 cell
! iosweep: nothing could be judged: all cells were skipped or are incomplete in some file; repeat the sweep that broke off
? 2
$ csv x 500 490 510 cache_hits >hits.csv && iosweep compare --format table old.csv hits.csv
|  size      old     new  time/op     95 % interval  p  verdict            notes
| 4 KiB  1.00 us  500 ns   x0.500  x0.457 .. x0.547  -  2.00 times faster  cache_hits:new
| read: 2.00 times faster overall (time per operation x0.500, conservative x0.457 to x0.547); cells: 0 slower, 1 faster, 0 same, 0 unclear, 0 without verdict
! iosweep: old and new did different work in 1 of 1 cell, such as read 4 KiB /a posix cached, label x (cache_hits:new)
! iosweep: 1 of 1 cell has no rounds: conservative intervals hide small differences; compare JSON files
? 1
$ csv '' 1000 '' '' >few1 && csv '' 2000 '' '' >few2
$ iosweep compare --format table few1 few2
|  size      old      new  time/op  95 % interval  p  verdict
| 4 KiB  1.00 us  2.00 us    x2.00              -  -  unknown
| read: no verdict overall (time per operation x2.00, no interval); cells: 0 slower, 0 faster, 0 same, 0 unclear, 1 without verdict
! iosweep: 1 of 1 cell has no interval or fewer than 4 rounds: a ratio, but no verdict
! iosweep: nothing could be judged: no cell has intervals or enough rounds in all files; compare JSON files of sweeps with at least 4 rounds (--time gives slow rows more), or CSV with the columns op_ns_low and op_ns_high
? 2

# results of two machines
$ machine() { # HOST PROCESSOR KERNEL
>   printf '{"iosweep":"0.2.0","run":{"host":{"name":"%s","cpu":"%s","kernel":"%s"}},"rows":[{%s}]}\n' \
>     "$@" '"size_bytes":512,"test":"read","target":"/a","op_ns_median":1000,"op_ns_low":999,"op_ns_high":1001'
> }
$ machine old 'CPU 1' 6.1 >here && machine new 'CPU 2' 6.1 >there && machine old 'CPU 1' 6.12 >later
$ iosweep compare here there
| record,test,target,engine,cache,label,threads,depth,size_bytes,verdict,ratio,ratio_low,ratio_high,p,evidence,op_ns_old,op_ns_new,cells,notes,ratio_measured,ratio_reference,step,loop,repeat,access,mix,filled_bytes,ranks
| cell,read,/a,,,,1,1,512,same,1.000000,0.994018,1.006018,,conservative,1000.00,1000.00,1,,,,1,1,1,random,,,1
| overall,read,,,,,,,,same,1.000000,0.994018,1.006018,,conservative,,,1,,,,,,,,,,
! old and new are of different machines: host old -> new, processor CPU 1 -> CPU 2
! iosweep: 1 of 1 cell has no rounds: conservative intervals hide small differences; compare JSON files
! read: the same overall (time per operation +0.0 %, conservative -0.6 % to +0.6 %); cells: 0 slower, 0 faster, 1 same, 0 unclear, 0 without verdict
$ iosweep compare here later
| record,test,target,engine,cache,label,threads,depth,size_bytes,verdict,ratio,ratio_low,ratio_high,p,evidence,op_ns_old,op_ns_new,cells,notes,ratio_measured,ratio_reference,step,loop,repeat,access,mix,filled_bytes,ranks
| cell,read,/a,,,,1,1,512,same,1.000000,0.994018,1.006018,,conservative,1000.00,1000.00,1,,,,1,1,1,random,,,1
| overall,read,,,,,,,,same,1.000000,0.994018,1.006018,,conservative,,,1,,,,,,,,,,
! kernel: 6.1 -> 6.12
! iosweep: 1 of 1 cell has no rounds: conservative intervals hide small differences; compare JSON files
! read: the same overall (time per operation +0.0 %, conservative -0.6 % to +0.6 %); cells: 0 slower, 0 faster, 1 same, 0 unclear, 0 without verdict

# refused
$ iosweep compare same1
! iosweep: compare needs two files of results, an old and a new one; iosweep compare OLD NEW [OLD NEW]...
? 2
$ iosweep compare same1 slow same2
! iosweep: compare takes pairs of files, old and new alternating; 3 were given; iosweep compare OLD NEW [OLD NEW]...
? 2
$ iosweep compare - -
! iosweep: standard input can be read only once
? 2
$ iosweep compare same1 absent
! iosweep: cannot read absent: it does not exist; name a file of results, as iosweep -o FILE writes
? 2
$ iosweep compare --tolerance 0 same1 slow
! iosweep: --tolerance: percentage out of range: 0; give a number above 0, up to 100, such as 2.5%
? 2
$ iosweep compare --format classic same1 slow
! iosweep: --format: unknown choice: classic; choose from table, csv, json
? 2
$ printf 'size_bytes,test,op_ns_median\n77,write,5\n' >alien.csv && iosweep compare same1 alien.csv
! iosweep: nothing to compare: no cell is in all files; the first of same1 is read 512 B /a posix cached, of alien.csv write 77 B
? 2
$ printf 'size_bytes,test,op_ns_median\n77,write,x\n' >damaged.csv && iosweep compare same1 damaged.csv
! iosweep: "x" in column op_ns_median is not a number in damaged.csv:2
? 2
$ head -c 100 same1 >cut && iosweep compare cut slow
! iosweep: the document ends too early (cut off?) at cut:2
? 2
$ printf 'size_bytes,test,op_ns_median,op_ns_low,op_ns_high\n512,read,1000,999,1001' >short.csv
$ iosweep compare --format table --quiet short.csv here
| target: (not known) -> /a
|  size      old      new  time/op     95 % interval  p  verdict
| 512 B  1.00 us  1.00 us   +0.0 %  -0.6 % .. +0.6 %  -  same
| read: the same overall (time per operation +0.0 %, conservative -0.6 % to +0.6 %); cells: 0 slower, 0 faster, 1 same, 0 unclear, 0 without verdict
$ iosweep compare --format table short.csv here
| target: (not known) -> /a
|  size      old      new  time/op     95 % interval  p  verdict
| 512 B  1.00 us  1.00 us   +0.0 %  -0.6 % .. +0.6 %  -  same
| read: the same overall (time per operation +0.0 %, conservative -0.6 % to +0.6 %); cells: 0 slower, 0 faster, 1 same, 0 unclear, 0 without verdict
! iosweep: short.csv: the last line has no end, it may be cut off
! iosweep: 1 of 1 cell has no rounds: conservative intervals hide small differences; compare JSON files
