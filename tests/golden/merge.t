# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# needs: jansson
# iosweep merge: sums of runs that are made here, in each format, what is said of runs that were not
# at the same time, and what does not go together.
$ part() { # ROW...: a result of these rows, with ' for "
>   IFS=,
>   echo "{'rows':[$*]}" | tr \' '"'
>   unset IFS
> }
$ known() { # the columns that are not empty
>   awk -F, 'NR == 1 { split($0, name); next } { for (i = 1; i <= NF; i++) if ($i != "") printf "%s=%s ", name[i], $i; print "" }'
> }
$ at="'test':'read','target':'/a','depth':1"
$ row() { # SIZE THREADS FIGURES
>   echo "{'size_bytes':$1,'threads':$2,$at,$3}"
> }
$ part "$(row 4096 2 "'label':'one','notes':'wide;drift','operations':1000,'time_s':2,'errors':3,'latency_ns_min':10,'latency_ns_max':50,'latency_ns_mean':14,'cpu_ns_per_op':8,'in_flight_mean':2,'step':1,'align_bytes':512,'requests':10,'first_byte_ns_mean':100,'latency_histogram':[[10,900],[50,100]]")" >one
$ part "$(row 4096 2 "'label':'two','notes':'drift;short','operations':1000,'time_s':1,'errors':1,'latency_ns_min':10,'latency_ns_max':90,'latency_ns_mean':82,'cpu_ns_per_op':16,'in_flight_mean':2,'step':1,'align_bytes':512,'requests':30,'first_byte_ns_mean':200,'latency_histogram':[[10,100],[90,900]]")" >two
$ iosweep merge one two
| size_bytes,operations,time_s,throughput_bytes_per_s,rate_per_s,test,target,engine,cache,access,threads,depth,loop,rounds,op_ns_median,op_ns_low,op_ns_high,latency_ns_p50,latency_ns_p90,latency_ns_p99,latency_ns_p999,latency_ns_max,cpu_ns_per_op,device_bytes,errors,notes,label,step,repeat,mix,readahead,align_bytes,filled_bytes,elapsed_s,began_unix_s,ended_unix_s,stop,in_flight_mean,thread_rate_per_s_min,thread_rate_per_s_max,stat_hits,stat_misses,list_names,left_objects,op_ns_min,op_ns_stddev,reference_ns,latency_ns_min,latency_ns_mean,latency_ns_stddev,open_ns_mean,open_ns_p50,open_ns_p99,open_ns_max,seek_ns_mean,transfer_ns_mean,close_ns_mean,close_ns_p50,close_ns_p99,close_ns_max,cpu_user_ns_per_op,queued_ns_per_op,submit_fraction,cpu_helper_fraction,resident_fraction,resident_fraction_before,cache_hit_fraction,errors_s,errors_short,errors_wrong,rpc_count,rpc_data_count,rpc_sent_bytes,rpc_received_bytes,rpc_rtt_ns_mean,rpc_retransmissions,requests,connections,lookup_ns_mean,connect_ns_mean,tls_ns_mean,first_byte_ns_mean,body_ns_mean,retries,slow_downs,errors_client,errors_server,errors_network,errors_protocol,http_version,s3_signing,ranks,rank_rate_per_s_min,rank_rate_per_s_max,rank_skew_ns_p99
| 4096,2000,2.000000000,4096000.000000,1000.000000,read,/a,,,,4,1,,,,,,10,90,90,90,90,12,,4,wide;drift;short,one + two,1,,,,512,,,,,,3,,,,,,,,,,10,48,38.95,,,,,,,,,,,,,,,,,,,,,,,,,,,40,,,,,175,,,,,,,,,,,,,
! it is unknown when 1 of 1 row was measured, or whether at the same time
! iosweep: 1 of 1 row took longer in some files than in others, such as read 4 KiB /a, label one, threads 2, 1 to 2 s: their rate is over the longest, at the end of which some were idle
$ iosweep merge --quiet one two | known
| size_bytes=4096 operations=2000 time_s=2.000000000 throughput_bytes_per_s=4096000.000000 rate_per_s=1000.000000 test=read target=/a threads=4 depth=1 latency_ns_p50=10 latency_ns_p90=90 latency_ns_p99=90 latency_ns_p999=90 latency_ns_max=90 cpu_ns_per_op=12 errors=4 notes=wide;drift;short label=one + two step=1 align_bytes=512 in_flight_mean=3 latency_ns_min=10 latency_ns_mean=48 latency_ns_stddev=38.95 requests=40 first_byte_ns_mean=175 
$ iosweep merge --format json one two
| {"iosweep":"VERSION","schema_version":"1.0","document":"results","run":{"date":null,"merged":[{"file":"one","host":null,"date":null},{"file":"two","host":null,"date":null}]},"rows":[
| {"size_bytes":4096,"operations":2000,"time_s":2.000000000,"throughput_bytes_per_s":4096000.000000,"rate_per_s":1000.000000,"test":"read","target":"/a","engine":null,"cache":null,"access":null,"threads":4,"depth":1,"loop":null,"rounds":null,"op_ns_median":null,"op_ns_low":null,"op_ns_high":null,"latency_ns_p50":10,"latency_ns_p90":90,"latency_ns_p99":90,"latency_ns_p999":90,"latency_ns_max":90,"cpu_ns_per_op":12,"device_bytes":null,"errors":4,"notes":"wide;drift;short","label":"one + two","step":1,"repeat":null,"mix":null,"readahead":null,"align_bytes":512,"filled_bytes":null,"elapsed_s":null,"began_unix_s":null,"ended_unix_s":null,"stop":null,"in_flight_mean":3,"thread_rate_per_s_min":null,"thread_rate_per_s_max":null,"stat_hits":null,"stat_misses":null,"list_names":null,"left_objects":null,"op_ns_min":null,"op_ns_stddev":null,"reference_ns":null,"latency_ns_min":10,"latency_ns_mean":48,"latency_ns_stddev":38.95,"open_ns_mean":null,"open_ns_p50":null,"open_ns_p99":null,"open_ns_max":null,"seek_ns_mean":null,"transfer_ns_mean":null,"close_ns_mean":null,"close_ns_p50":null,"close_ns_p99":null,"close_ns_max":null,"cpu_user_ns_per_op":null,"queued_ns_per_op":null,"submit_fraction":null,"cpu_helper_fraction":null,"resident_fraction":null,"resident_fraction_before":null,"cache_hit_fraction":null,"errors_s":null,"errors_short":null,"errors_wrong":null,"rpc_count":null,"rpc_data_count":null,"rpc_sent_bytes":null,"rpc_received_bytes":null,"rpc_rtt_ns_mean":null,"rpc_retransmissions":null,"requests":40,"connections":null,"lookup_ns_mean":null,"connect_ns_mean":null,"tls_ns_mean":null,"first_byte_ns_mean":175,"body_ns_mean":null,"retries":null,"slow_downs":null,"errors_client":null,"errors_server":null,"errors_network":null,"errors_protocol":null,"http_version":null,"s3_signing":null,"ranks":null,"rank_rate_per_s_min":null,"rank_rate_per_s_max":null,"rank_skew_ns_p99":null,"round_ns":[],"latency_histogram":[[10,1000],[50,100],[90,900]],"thread_results":[],"rpc":null}]}
! it is unknown when 1 of 1 row was measured, or whether at the same time
! iosweep: 1 of 1 row took longer in some files than in others, such as read 4 KiB /a, label one, threads 2, 1 to 2 s: their rate is over the longest, at the end of which some were idle
$ iosweep merge --format table one two
| test   size  target  threads  depth  operations  throughput      rate      p50      p99      max  errors  notes
| read  4 KiB  /a            4      1        2000   4.10 MB/s  1.00 k/s  10.0 ns  90.0 ns  90.0 ns       4  wide;drift;short
! it is unknown when 1 of 1 row was measured, or whether at the same time
! iosweep: 1 of 1 row took longer in some files than in others, such as read 4 KiB /a, label one, threads 2, 1 to 2 s: their rate is over the longest, at the end of which some were idle
$ iosweep merge --quiet --format table -o table one two && cat table
| test   size  target  threads  depth  operations  throughput      rate      p50      p99      max  errors  notes
| read  4 KiB  /a            4      1        2000   4.10 MB/s  1.00 k/s  10.0 ns  90.0 ns  90.0 ns       4  wide;drift;short

# what was merged is a result as any other: merged again it is as if all had been merged at once
$ done="'operations':1,'time_s':1,'latency_histogram':[[10,1]]"
$ part "$(row 4096 4 "'label':'three',$done")" >three
$ iosweep merge --quiet --format json -o both one two && iosweep merge --quiet --format table both three
| test   size  target  threads  depth  operations  throughput      rate      p50      p99  max  errors  notes
| read  4 KiB  /a            8      1        2001   4.10 MB/s  1.00 k/s  10.0 ns  90.0 ns    -       -  wide;drift;short
$ iosweep merge --quiet --format table one two three
| test   size  target  threads  depth  operations  throughput      rate      p50      p99  max  errors  notes
| read  4 KiB  /a            8      1        2001   4.10 MB/s  1.00 k/s  10.0 ns  90.0 ns    -       -  wide;drift;short
$ iosweep merge --quiet both three >twice && iosweep merge --quiet one two three >once && cmp once twice
$ iosweep compare --quiet --format table both one
| label: one + two -> one
| threads: 4 -> 2
|  size      old      new  time/op  95 % interval  p  verdict  notes
| 4 KiB  1.00 ms  2.00 ms    x2.00              -  -  unknown  wide;drift
| read: no verdict overall (time per operation x2.00, no interval); cells: 0 slower, 0 faster, 0 same, 0 unclear, 1 without verdict
! iosweep: nothing could be judged: no cell has intervals or enough rounds in all files; compare JSON files of sweeps with at least 4 rounds (--time gives slow rows more), or CSV with the columns op_ns_low and op_ns_high
? 2
$ iosweep fit both
| file,test,target,engine,cache,threads,depth,label,kind,points,from_bytes,to_bytes,t0_ns,bandwidth_bytes_per_s,half_bytes,knee90_bytes,best_bytes_per_s,best_bytes,mean_error_percent,worst_error_percent,worst_bytes,point_bytes,measured_ns,line_ns,residual_percent,step,loop,repeat,access,ranks
| both,read,/a,,,4,1,one + two,curve,1,4096,4096,,,,,,,,,,,,,,1,1,1,,1
! iosweep: read: no line: 1 size with figures, at least 4 are needed; sweep more sizes (--min-size, --max-size)
? 1

# rows are found by what they are; threads tell rows apart only where a file has several, as ranks do
$ part "$(row 4096 1 "$done")" "$(row 512 1 "$done")" >forwards && part "$(row 512 1 "$done")" "$(row 4096 1 "$done")" >backwards
$ iosweep merge --format table forwards backwards
| test   size  target  threads  depth  operations  throughput     rate      p50      p99  max  errors
| read  4 KiB  /a            2      1           2   8.19 kB/s  2.00 /s  10.0 ns  10.0 ns    -       -
| read  512 B  /a            2      1           2   1.02 kB/s  2.00 /s  10.0 ns  10.0 ns    -       -
! it is unknown when 2 of 2 rows were measured, or whether at the same time
$ part "$(row 512 8 "$done")" >eight && part "$(row 512 2 "$done")" >alone
$ iosweep merge --format table eight alone
| test   size  target  threads  depth  operations  throughput     rate      p50      p99  max  errors
| read  512 B  /a           10      1           2   1.02 kB/s  2.00 /s  10.0 ns  10.0 ns    -       -
! it is unknown when 1 of 1 row was measured, or whether at the same time
$ part "$(row 512 1 "$done")" "$(row 512 2 "$done")" >threads && cp threads threads2
$ iosweep merge --format table threads threads2
| test   size  target  threads  depth  operations  throughput     rate      p50      p99  max  errors
| read  512 B  /a            2      1           2   1.02 kB/s  2.00 /s  10.0 ns  10.0 ns    -       -
| read  512 B  /a            4      1           2   1.02 kB/s  2.00 /s  10.0 ns  10.0 ns    -       -
! it is unknown when 2 of 2 rows were measured, or whether at the same time
$ part "$(row 512 1 "$done")" "$(row 512 4 "$done")" >other
$ iosweep merge threads other
! iosweep: no row for read 512 B /a, threads 2, which threads has, in other; merge needs results with the same rows: use the same options in all runs
? 2
$ sed 's/"depth"/"align_bytes":4096,"depth"/' alone >aligned && sed 's/4096/512/' aligned >aligned2 && iosweep merge aligned aligned2
! iosweep: no row for read 512 B /a, threads 2, which aligned has, in aligned2; merge needs results with the same rows: use the same options in all runs
? 2
$ iosweep merge forwards alone
! iosweep: no row for read 4 KiB /a, which forwards has, in alone; merge needs results with the same rows: use the same options in all runs
? 2
$ iosweep merge alone forwards
! iosweep: no row for read 4 KiB /a, which forwards has, in alone; merge needs results with the same rows: use the same options in all runs
? 2
$ part "$(row 512 1 "$done,'loop':1")" "$(row 512 1 "$done,'loop':2")" >loops && cp loops loops2
$ iosweep merge --format table loops loops2
| test   size  loop  target  threads  depth  operations  throughput     rate      p50      p99  max  errors
| read  512 B     1  /a            2      1           2   1.02 kB/s  2.00 /s  10.0 ns  10.0 ns    -       -
| read  512 B     2  /a            2      1           2   1.02 kB/s  2.00 /s  10.0 ns  10.0 ns    -       -
! it is unknown when 2 of 2 rows were measured, or whether at the same time
$ ranks() { row 512 2 "$done,'ranks':$1,'rank_rate_per_s_min':5,'rank_rate_per_s_max':9,'rank_skew_ns_p99':7"; }
$ part "$(ranks 4)" >four && cp four team && iosweep merge --quiet four team | known
| size_bytes=512 operations=2 time_s=1.000000000 throughput_bytes_per_s=1024.000000 rate_per_s=2.000000 test=read target=/a threads=4 depth=1 latency_ns_p50=10 latency_ns_p90=10 latency_ns_p99=10 latency_ns_p999=10 latency_ns_stddev=0 ranks=4 rank_rate_per_s_min=5.000000 rank_rate_per_s_max=9.000000 
$ part "$(ranks 1)" >single && iosweep merge --quiet four single | known
| size_bytes=512 operations=2 time_s=1.000000000 throughput_bytes_per_s=1024.000000 rate_per_s=2.000000 test=read target=/a threads=10 depth=1 latency_ns_p50=10 latency_ns_p90=10 latency_ns_p99=10 latency_ns_p999=10 latency_ns_stddev=0 rank_rate_per_s_min=5.000000 rank_rate_per_s_max=9.000000 
$ part "$(ranks 4)" "$(ranks 1)" >mixed && cp mixed mixed2 && iosweep merge --format table mixed mixed2
| test   size  target  threads  depth  operations  throughput     rate      p50      p99  max  errors
| read  512 B  /a            4      1           2   1.02 kB/s  2.00 /s  10.0 ns  10.0 ns    -       -
| read  512 B  /a            4      1           2   1.02 kB/s  2.00 /s  10.0 ns  10.0 ns    -       -
! it is unknown when 2 of 2 rows were measured, or whether at the same time
$ iosweep merge --format table eight four single
| test   size  target  threads  depth  operations  throughput     rate      p50      p99  max  errors
| read  512 B  /a            -      1           3   1.54 kB/s  3.00 /s  10.0 ns  10.0 ns    -       -
! it is unknown when 1 of 1 row was measured, or whether at the same time
$ fills() { row 65536 1 "$done,'filled_bytes':$1" | sed "s/'read'/'fill'/"; }
$ part "$(fills 262144)" "$(fills 524288)" >fills && cp fills fills2 && part "$(fills 524288)" "$(fills 1048576)" >fills3
$ iosweep merge --format table fills fills2
| test    size   filled  target  threads  depth  operations  throughput     rate      p50      p99  max  errors
| fill  64 KiB  256 KiB  /a            2      1           2    131 kB/s  2.00 /s  10.0 ns  10.0 ns    -       -
| fill  64 KiB  512 KiB  /a            2      1           2    131 kB/s  2.00 /s  10.0 ns  10.0 ns    -       -
! it is unknown when 2 of 2 rows were measured, or whether at the same time
$ iosweep merge fills fills3
! iosweep: no row for fill 64 KiB /a, 256 KiB filled, which fills has, in fills3; merge needs results with the same rows: use the same options in all runs
? 2

# what a part did not do, or did not tell
$ part "$(row 4096 1 "'operations':20,'time_s':1,'latency_ns_min':10,'latency_ns_max':10,'latency_ns_mean':10,'errors':0,'latency_histogram':[[10,20]]")" >busy
$ part "$(row 4096 1 "'operations':0,'time_s':1,'errors':7")" >idle
$ iosweep merge --quiet busy idle | known
| size_bytes=4096 operations=20 time_s=1.000000000 throughput_bytes_per_s=81920.000000 rate_per_s=20.000000 test=read target=/a threads=2 depth=1 latency_ns_p50=10 latency_ns_p90=10 latency_ns_p99=10 latency_ns_p999=10 latency_ns_max=10 errors=7 latency_ns_min=10 latency_ns_mean=10 latency_ns_stddev=0 
$ part "$(row 4096 1 "'operations':60,'time_s':1,'latency_histogram':[[10,59],[20,1]]")" >few && cp few few2
$ iosweep merge --quiet few few2 | known
| size_bytes=4096 operations=120 time_s=1.000000000 throughput_bytes_per_s=491520.000000 rate_per_s=120.000000 test=read target=/a threads=2 depth=1 latency_ns_p50=10 latency_ns_p90=10 latency_ns_p99=20 latency_ns_p999=20 latency_ns_stddev=1.29 
$ part "$(row 4096 1 "$done")" "$(row 512 1 "'notes':'skipped:align'")" >skipped && cp skipped skipped2
$ iosweep merge --format table skipped skipped2
| test   size  target  threads  depth  operations  throughput     rate      p50      p99  max  errors
| read  4 KiB  /a            2      1           2   8.19 kB/s  2.00 /s  10.0 ns  10.0 ns    -       -
! 2 skipped rows are left out
! it is unknown when 1 of 1 row was measured, or whether at the same time
$ part "$(row 4096 1 "$done,'notes':'incomplete'")" >incomplete
$ iosweep merge --format table incomplete few
| test   size  target  threads  depth  operations  throughput     rate      p50      p99  max  errors  notes
| read  4 KiB  /a            2      1          61    250 kB/s  61.0 /s  10.0 ns  20.0 ns    -       -  incomplete
! iosweep: incomplete: 1 of 1 row is incomplete: cut short, with less data than was asked for
! it is unknown when 1 of 1 row was measured, or whether at the same time

# at the same time or not
$ when() { part "$(row 512 1 "$done,'elapsed_s':$3,'began_unix_s':$1,'ended_unix_s':$2")"; }
$ when 100 110 10 >here && when 100 110 10 >same && when 105 115 10 >later && when 110 120 10 >after
$ for file in same later after; do iosweep merge --format table here $file; done
| test   size  target  threads  depth  operations  throughput     rate      p50      p99  max  errors
| read  512 B  /a            2      1           2   1.02 kB/s  2.00 /s  10.0 ns  10.0 ns    -       -
| test   size  target  threads  depth  operations  throughput     rate      p50      p99  max  errors
| read  512 B  /a            2      1           2   1.02 kB/s  2.00 /s  10.0 ns  10.0 ns    -       -
| test   size  target  threads  depth  operations  throughput     rate      p50      p99  max  errors
| read  512 B  /a            2      1           2   1.02 kB/s  2.00 /s  10.0 ns  10.0 ns    -       -
! iosweep: 1 of 1 row overlaps only partly, read 512 B /a for 50 % of the longest: start all runs at the same moment, with the same --time
! iosweep: 1 of 1 row was not measured at the same time, such as read 512 B /a: their sum is not a rate that ever occurred
$ when 200 300 5 >turns && when 200 300 5 >turns2 && iosweep merge --format table turns turns2
| test   size  target  threads  depth  operations  throughput     rate      p50      p99  max  errors
| read  512 B  /a            2      1           2   1.02 kB/s  2.00 /s  10.0 ns  10.0 ns    -       -
! iosweep: 1 of 1 row took turns with others, read 512 B /a ran for 5 % of its time: whether its parts coincide is chance; measure one row per run

# refused
$ iosweep merge one
! iosweep: merge needs two files of results or more; iosweep merge FILE FILE...
? 2
$ iosweep merge one one
! iosweep: the same results twice: one; name each file once
? 2
$ iosweep merge one ./one
! iosweep: the same results twice: ./one; name each file once
? 2
$ iosweep merge one absent
! iosweep: cannot read absent: it does not exist; name a file of results, as iosweep -o FILE writes
? 2
$ iosweep merge --format classic one two
! iosweep: --format: unknown choice: classic; choose from table, csv, json
? 2
$ iosweep merge -o one one two
! iosweep: the output would overwrite an input: one; give the name of another file
? 2
$ printf 'SQLite format 3\0 of a user' >image && iosweep merge -o image one two
! iosweep: the output would overwrite a file of other data: image; name another file
? 2
$ part "$(row 4096 2 "'operations':1,'time_s':1")" >bare && iosweep merge one bare
! iosweep: no histogram of a row in bare; merge takes results of --format json
? 2
$ part "$(row 4096 2 "'operations':1,'latency_histogram':[[10,1]]")" >timeless && iosweep merge one timeless
! iosweep: operations or time_s of a row are not in timeless; merge needs them: leave out --columns
? 2
$ part "$(row 4096 2 "'operations':1,'time_s':1,'latency_histogram':[[1001,1]]")" >buckets && iosweep merge one buckets
! iosweep: a histogram with other buckets in buckets; merge only results of the same version of iosweep
? 2
$ part "$(row 4096 2 "'operations':'x','time_s':1")" >damaged && iosweep merge one damaged
! iosweep: operations has the wrong type in the row before damaged:1
? 2
$ part "$(row 4096 2 "'notes':'skipped:align'")" >nothing && cp nothing nothing2 && iosweep merge nothing nothing2
! iosweep: no row with figures in nothing
? 2
$ printf 'size_bytes,operations,time_s,test,op_ns_median\n4096,1,1,read,10\n' >plain.csv && iosweep merge one plain.csv
! iosweep: no histograms in plain.csv; merge takes results of --format json
? 2
