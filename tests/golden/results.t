SPDX-License-Identifier: GPL-2.0-or-later
Copyright (C) 2026 The iosweep authors
# needs: results
What the commands that read results print of them, and how they refuse.  The figures themselves are compared in
tests/results.
$ cp "$data"/results/*.csv "$data"/results/*.json .

# compare: one pair, several pairs, each format
$ iosweep compare --format table pair-old1.json pair-5-1.json
| test     size      old      new  time/op  95 % over all cells       p  verdict
| read    512 B  1.97 us  2.09 us   +6.1 %     +4.5 % .. +7.7 %  0.0005  6.1 % longer
| read   64 KiB  19.7 us  20.7 us   +4.7 %   -12.8 % .. +25.8 %  1.0000  unclear
| write  64 KiB  43.2 us  45.7 us   +2.6 %   -44.1 % .. +88.3 %  1.0000  unclear
| read: unclear overall (time per operation +5.4 %, -4.4 % to +16.3 %); cells: 1 slower, 1 unclear
| write: unclear overall (time per operation +2.6 %, -44.1 % to +88.3 %); cells: 1 unclear
! unclear: 2 of 3 cells, which could hide a difference beyond the tolerance; more rounds or more pairs narrow the intervals
? 1
$ iosweep compare --format table pair-old1.json pair-10-1.json pair-old2.json pair-10-2.json pair-old3.json pair-10-3.json
| test     size      old      new  time/op  95 % over all cells       p  verdict
| read    512 B  1.99 us  2.21 us  +11.2 %    +7.2 % .. +15.5 %  0.0010  11.2 % longer
| read   64 KiB  19.9 us  22.1 us  +11.3 %    +6.9 % .. +15.5 %  0.0003  11.3 % longer
| write  64 KiB  44.1 us  49.9 us  +11.4 %    +5.0 % .. +19.9 %  0.0062  11.4 % longer
| read: takes 11.3 % longer overall (time per operation +11.3 %, +7.6 % to +14.9 %); cells: 2 slower
| write: takes 11.4 % longer overall (time per operation +11.4 %, +5.0 % to +19.9 %); cells: 1 slower
? 1
$ iosweep compare --format csv --worse-only pair-old1.json pair-x3-1.json
| record,test,target,engine,cache,label,threads,depth,size_bytes,verdict,ratio,ratio_low,ratio_high,p,evidence,op_ns_old,op_ns_new,cells,notes,step,loop,repeat,access,mix,filled_bytes,ranks,file
| cell,read,data,posix,cached,,1,1,512,slower,3.016118,2.939359,3.094881,0.000466200,rounds,1973.26,5946.24,1,,2,1,1,random,,,1,
| cell,read,data,posix,cached,,1,1,65536,slower,2.982582,2.516572,3.534887,0.000466200,rounds,19730.60,58862.09,1,,2,1,1,random,,,1,
| cell,write,data,posix,cached,,1,1,65536,slower,2.915829,1.714712,4.958301,0.000701299,rounds,43194.56,124915.34,1,,1,1,1,random,,,1,
| overall,read,,,,,,,,slower,2.999303,2.740222,3.282880,0.000000000,rounds,,,2,,,,,,,,,
| overall,write,,,,,,,,slower,2.915829,1.714712,4.958301,0.000701299,rounds,,,1,,,,,,,,,
! read: takes 3.00 times as long overall (time per operation x3.00, x2.74 to x3.28); cells: 2 slower
! write: takes 2.92 times as long overall (time per operation x2.92, x1.71 to x4.96); cells: 1 slower
? 1
$ iosweep compare --format json quiet-old1.json quiet-new1.json
| {"document":"comparison","schema_version":"2.0-draft","old":["quiet-old1.json"],"new":["quiet-new1.json"],"tolerance":0.02,"records":[
| {"record":"cell","test":"read","target":"data","engine":"posix","cache":"cached","label":"","threads":1,"depth":1,"step":2,"loop":1,"repeat":1,"access":"random","mix":null,"filled_bytes":null,"ranks":1,"size_bytes":512,"verdict":"unclear","ratio":1.05466417462717,"ratio_low":0.994839923992616,"ratio_high":1.11808592962165,"p":0.0801846383602492,"evidence":"rounds","op_ns_old":1998.38,"op_ns_new":2105.2,"cells":1,"notes":"","file":null},
| {"record":"cell","test":"read","target":"data","engine":"posix","cache":"cached","label":"","threads":1,"depth":1,"step":2,"loop":1,"repeat":1,"access":"random","mix":null,"filled_bytes":null,"ranks":1,"size_bytes":65536,"verdict":"unclear","ratio":1.05158464746135,"ratio_low":0.980503052497179,"ratio_high":1.12781930454989,"p":0.182583221782056,"evidence":"rounds","op_ns_old":20093.37,"op_ns_new":21066.34,"cells":1,"notes":"","file":null},
| {"record":"cell","test":"write","target":"data","engine":"posix","cache":"cached","label":"","threads":1,"depth":1,"step":1,"loop":1,"repeat":1,"access":"random","mix":null,"filled_bytes":null,"ranks":1,"size_bytes":65536,"verdict":"unclear","ratio":1.08420628034125,"ratio_low":0.664148162946325,"ratio_high":1.76994129309427,"p":0.661648058390611,"evidence":"rounds","op_ns_old":42888.44,"op_ns_new":46807.25,"cells":1,"notes":"","file":null},
| {"record":"cell","test":"read","target":"data","engine":"posix","cache":"cached","label":"","threads":1,"depth":1,"step":2,"loop":1,"repeat":1,"access":"random","mix":null,"filled_bytes":null,"ranks":1,"size_bytes":4096,"verdict":"slower","ratio":1.05446601964476,"ratio_low":1.00684854807328,"ratio_high":1.10433549188029,"p":0.0185051589154077,"evidence":"rounds","op_ns_old":2989.5,"op_ns_new":3157.41,"cells":1,"notes":"","file":null},
| {"record":"cell","test":"read","target":"data","engine":"posix","cache":"cached","label":"","threads":1,"depth":1,"step":2,"loop":1,"repeat":1,"access":"random","mix":null,"filled_bytes":null,"ranks":1,"size_bytes":1048576,"verdict":"unclear","ratio":1.04970785492714,"ratio_low":0.98223211641309,"ratio_high":1.12181892882876,"p":0.182583221782056,"evidence":"rounds","op_ns_old":300859.48,"op_ns_new":316489.38,"cells":1,"notes":"","file":null},
| {"record":"overall","test":"read","verdict":"unclear","ratio":1.05260363818492,"ratio_low":0.993787094290962,"ratio_high":1.11490119512031,"p":0.0823028965731493,"evidence":"rounds","cells":4,"unknown":0,"unclear":3,"same":0,"slower":1,"faster":0,"file":null},
| {"record":"overall","test":"write","verdict":"unclear","ratio":1.08420628034125,"ratio_low":0.702167214019615,"ratio_high":1.67410729931711,"p":0.661648058390611,"evidence":"rounds","cells":1,"unknown":0,"unclear":1,"same":0,"slower":0,"faster":0,"file":null}]}
! read: unclear overall (time per operation +5.3 %, -0.6 % to +11.5 %); cells: 1 slower, 3 unclear
! write: unclear overall (time per operation +8.4 %, -29.8 % to +67.4 %); cells: 1 unclear
! unclear: 4 of 5 cells, which could hide a difference beyond the tolerance; more rounds or more pairs narrow the intervals
? 1
$ iosweep compare --format table --tolerance 20% pair-old1.json pair-10-1.json
| test     size      old      new  time/op  95 % over all cells       p  verdict
| read    512 B  1.97 us  2.20 us  +11.2 %    +9.1 % .. +13.4 %  0.0005  same
| read   64 KiB  19.7 us  21.9 us  +11.0 %    -2.5 % .. +26.5 %  0.1272  unclear
| write  64 KiB  43.2 us  49.4 us  +12.1 %   -33.3 % .. +88.4 %  0.5890  unclear
| read: the same overall (time per operation +11.1 %, +4.1 % to +18.6 %); cells: 1 same, 1 unclear
| write: unclear overall (time per operation +12.1 %, -28.0 % to +74.7 %); cells: 1 unclear
! unclear: 2 of 3 cells, which could hide a difference beyond the tolerance; more rounds or more pairs narrow the intervals
$ iosweep compare --format table label-old.json label-new.json
| label: old -> new\x1b[1m
| test     size      old      new  time/op  95 % over all cells       p  verdict
| read    512 B  2.00 us  2.04 us   +1.9 %     +0.7 % .. +3.1 %  0.0021  unclear
| read   64 KiB  19.6 us  20.3 us   +3.5 %    -6.2 % .. +14.2 %  0.7931  unclear
| write  64 KiB  44.4 us  46.1 us   +3.8 %   -23.4 % .. +40.5 %  0.7931  unclear
| read: unclear overall (time per operation +2.7 %, -2.8 % to +8.4 %); cells: 2 unclear
| write: unclear overall (time per operation +3.8 %, -23.4 % to +40.5 %); cells: 1 unclear
! unclear: 3 of 3 cells, which could hide a difference beyond the tolerance; more rounds or more pairs narrow the intervals
! iosweep: nothing could be judged: no cell is known to differ or to be the same; repeat both runs on a quiet machine with more --time for each row, or compare several pairs
? 2
$ iosweep compare --format table lacks-old.json lacks-new.json
| test            size      old      new  time/op  95 % over all cells       p  verdict  notes
| read, step 2   512 B  2.02 us  1.98 us   -1.8 %     -4.0 % .. +0.4 %  0.1094  unclear  cache_hits:old;wide
| read, step 2  64 KiB        -        -        -                    -       -  unknown  skipped
| write         64 KiB        -        -        -                    -       -  unknown  incomplete
| read          16 KiB   103 ns   104 ns   +1.5 %   -12.2 % .. +17.2 %  0.8009  unclear  not_cached:new
| not in lacks-new.json: read 4 KiB data posix cached
| not in lacks-new.json: read 8 KiB data posix cached
| not in lacks-old.json: read 32 KiB data posix cached
| read: unclear overall (time per operation -0.2 %, -7.1 % to +7.1 %); cells: 2 unclear, 1 without verdict
| write: no verdict overall (nothing known); cells: 1 without verdict
! iosweep: 3 cells are not in all files, such as read 4 KiB data posix cached, missing from lacks-new.json
! iosweep: old and new did different work in 2 of 4 cells, such as read 512 B data posix cached, step 2 (cache_hits:old;wide)
! iosweep: not compared, since skipped or incomplete in some file: 2 of 4 cells
! unclear: 2 of 4 cells, which could hide a difference beyond the tolerance; more rounds or more pairs narrow the intervals
! iosweep: nothing could be judged: no cell is known to differ or to be the same; repeat both runs on a quiet machine with more --time for each row, or compare several pairs
? 2
$ iosweep compare --quiet pair-old1.json lacks-new.json
| record,test,target,engine,cache,label,threads,depth,size_bytes,verdict,ratio,ratio_low,ratio_high,p,evidence,op_ns_old,op_ns_new,cells,notes,step,loop,repeat,access,mix,filled_bytes,ranks,file
| cell,write,data,posix,cached,,1,1,65536,unknown,,,,,none,,,1,incomplete,1,1,1,random,,,1,
| missing,read,data,posix,cached,,1,1,512,,,,,,,,,,not in lacks-new.json,2,1,1,random,,,1,
| missing,read,data,posix,cached,,1,1,65536,,,,,,,,,,not in lacks-new.json,2,1,1,random,,,1,
| missing,read,data,posix,cached,,1,1,512,,,,,,,,,,not in pair-old1.json,2,1,1,random,,,1,
| missing,read,data,posix,cached,,1,1,65536,,,,,,,,,,not in pair-old1.json,2,1,1,random,,,1,
| missing,read,data,posix,cached,,1,1,16384,,,,,,,,,,not in pair-old1.json,1,1,1,random,,,1,
| missing,read,data,posix,cached,,1,1,32768,,,,,,,,,,not in pair-old1.json,1,1,1,random,,,1,
| overall,write,,,,,,,,unknown,,,,,none,,,0,,,,,,,,,
! iosweep: nothing could be judged: all cells were skipped or are incomplete in some file; repeat the sweep that broke off
? 2
$ iosweep compare --format table german-old.csv german-new.csv
| test     size      old      new  time/op  95 % over all cells  p  verdict
| read    512 B  2.03 us  2.59 us  +27.3 %   +26.0 % .. +29.1 %  -  27.3 % longer
| read   64 KiB  20.4 us  26.0 us  +27.6 %    +9.3 % .. +41.4 %  -  27.6 % longer
| write  64 KiB  46.1 us  58.9 us    x1.28      x0.912 .. x2.02  -  unclear
| read: takes 27.4 % longer overall (time per operation +27.4 %, conservative +17.4 % to +35.1 %); cells: 2 slower
| write: unclear overall (time per operation x1.28, conservative x0.912 to x2.02); cells: 1 unclear
! iosweep: 3 of 3 cells have no rounds: conservative intervals hide small differences; compare JSON files
! unclear: 1 of 3 cells, which could hide a difference beyond the tolerance; more rounds or more pairs narrow the intervals
? 1
$ iosweep compare files.csv
! iosweep: files.csv has no rows that differ and were measured in the same rounds; name an old and a new file, or measure two targets, engines, access patterns, threads or depths in one run with -o NAME.json
? 2
$ iosweep compare files.csv absent.csv
! iosweep: cannot read absent.csv: it does not exist; name a file of results, as iosweep -o FILE writes
? 2
$ iosweep compare --tolerance 2,5 files.csv files.csv
! iosweep: --tolerance: not a percentage: 2,5; give a number above 0, up to 100, such as 2.5%
? 2
$ iosweep compare --what files.csv files.csv
! iosweep: unknown option: --what; iosweep compare --help lists all options
? 2

# fit
$ iosweep fit --format table line.csv three.csv falls.csv
| curve      points       t0  bandwidth     n1/2   knee90       best      at  mean error  worst error      at
| line.csv       14  1.00 us  8.02 GB/s  7.9 KiB  128 KiB  8.02 GB/s   4 MiB       0.4 %        0.9 %   4 KiB
| three.csv      22   263 ns  5.75 GB/s  1.5 KiB    1 MiB  29.8 GB/s   1 MiB      36.7 %       80.8 %   1 MiB
| falls.csv       8  4.38 us          -        -   64 KiB  38.0 GB/s  64 KiB      17.6 %       60.7 %  64 KiB
! iosweep: three.csv: the line does not fit the curve at 1 MiB, where operations take 81 % less than predicted; look at knee90 (1 MiB)
! iosweep: falls.csv: the line does not fit the curve at 64 KiB, where operations take 61 % less than predicted; look at knee90 (64 KiB)
$ iosweep fit --format csv line.csv
| file,test,target,engine,cache,threads,depth,label,points,from_bytes,to_bytes,t0_ns,bandwidth_bytes_per_s,half_bytes,knee90_bytes,best_bytes_per_s,best_bytes,mean_error_percent,worst_error_percent,worst_bytes,step,loop,repeat,access,ranks
| line.csv,read,,,,1,1,,14,512,4194304,1002.566,8024611268.372,8045.199,131072,8021220354.105,4194304,0.375,0.895,4096,1,1,1,,1
$ iosweep fit short.csv
| file,test,target,engine,cache,threads,depth,label,points,from_bytes,to_bytes,t0_ns,bandwidth_bytes_per_s,half_bytes,knee90_bytes,best_bytes_per_s,best_bytes,mean_error_percent,worst_error_percent,worst_bytes,step,loop,repeat,access,ranks
| short.csv,read,,,,1,1,,3,512,2048,,,,,,,,,,1,1,1,,1
! iosweep: read: no line: 3 sizes with figures, at least 4 are needed; sweep more sizes (--min-size, --max-size)
? 1
$ iosweep fit all-skipped.json
! iosweep: nothing to fit in all-skipped.json; all its rows were skipped, or are of tests that move no data
? 2

# merge
$ iosweep merge part-1.json part-2.json part-3.json | iosweep export --columns test,size_bytes,step,threads,operations,rate_per_s,latency_ns_p50,latency_ns_p99,latency_ns_max,notes -
| test,size_bytes,step,threads,operations,rate_per_s,latency_ns_p50,latency_ns_p99,latency_ns_max,notes
| write,4096,1,6,1021,1968.28093109867,40192,2441216,464955928,outliers;wide
| write,65536,1,6,2642,11930.1375839279,40192,1925120,207256118,outliers;wide;unfair
| read,4096,2,6,1989,6040.31103149778,40192,16056320,174101700,wide;outliers;unfair
| read,65536,2,6,2665,7326.45866836761,40192,1368064,382376966,outliers;wide;unfair
! iosweep: 4 of 4 rows: the parts were not measured at the same time, such as write 64 KiB null: null cached, label part1 (23 % of the time): their sum may be a rate that never occurred; measure one row per run, and start all runs at the same moment, with the same --time
$ iosweep merge merge-1.json merge-turns.json | iosweep export -
| size_bytes,operations,time_s,throughput_bytes_per_s,rate_per_s,test,target,engine,cache,access,threads,depth,loop,rounds,op_ns_mean,op_ns_low,op_ns_high,latency_ns_p50,latency_ns_p90,latency_ns_p99,latency_ns_p999,latency_ns_max,cpu_ns_per_op,device_bytes,errors,notes,label
| 512,310000,0.170415,931373411.964909,1819088.69524396,read,/mnt/1 + /mnt/9,posix,cached,random,2,1,1,,,,,916,1544,2448,2828,2828,680.354838709677,158720000,0,wide,host1
| 65536,310000,0.396399,51251794277.9876,782040.317962457,read,/mnt/1 + /mnt/9,posix,cached,random,2,1,1,,,,,1448,2960,5344,7966,7966,1060.38709677419,20316160000,1,wide,host1
! iosweep: 2 of 2 rows: the parts were not measured at the same time, such as read 64 KiB /mnt/1 posix cached, label host1 (4 % of the time): their sum may be a rate that never occurred; measure one row per run, and start all runs at the same moment, with the same --time
$ iosweep merge merge-1.json merge-apart.json | iosweep export -
| size_bytes,operations,time_s,throughput_bytes_per_s,rate_per_s,test,target,engine,cache,access,threads,depth,loop,rounds,op_ns_mean,op_ns_low,op_ns_high,latency_ns_p50,latency_ns_p90,latency_ns_p99,latency_ns_p999,latency_ns_max,cpu_ns_per_op,device_bytes,errors,notes,label
| 512,300000,0.170415,901329108.353138,1760408.41475222,read,/mnt/1 + data,posix,cached,random,2,1,1,,,,,932,1560,2288,2828,2828,680.866666666667,153600000,1,wide,host1
| 65536,300000,0.396399,49598510591.6009,756813.21093141,read,/mnt/1 + data,posix,cached,random,2,1,1,,,,,1512,2960,5344,7966,7966,1073.56666666667,19660800000,1,wide,host1
! iosweep: 2 of 2 rows: the parts were not measured at the same time, such as read 512 B /mnt/1 posix cached, label host1 (27 % of the time): their sum may be a rate that never occurred; measure one row per run, and start all runs at the same moment, with the same --time
$ iosweep merge merge-1.json merge-1.json
! iosweep: the same results twice: merge-1.json; name each file once
? 2
$ iosweep merge merge-1.json files.csv
! iosweep: no histograms in files.csv; merge takes results of --format json
? 2

# export
$ iosweep export mem.json
| size_bytes,operations,time_s,throughput_bytes_per_s,rate_per_s,test,target,engine,cache,access,threads,depth,loop,rounds,op_ns_mean,op_ns_low,op_ns_high,latency_ns_p50,latency_ns_p90,latency_ns_p99,latency_ns_p999,latency_ns_max,cpu_ns_per_op,device_bytes,errors,notes,label
| 4096,30,0.000186954,657273981.835104,160467.280721,write,mem:,mem,asis,random,1,1,1,7,5504.6,2465.25,12298,4704,8640,30144,30144,30144,13646.63,,0,wide,
| 65536,30,0.001224818,1605201752.42362,24493.434943,write,mem:,mem,asis,random,1,1,1,7,46057,16107,64531.8,50944,59136,94151,94151,94151,46037.03,,0,wide,
| 4096,30,0.000115825,1060910856.89618,259011.439672,read,mem:,mem,asis,random,1,1,1,7,4030.8,2954,4837.25,1656,8512,9991,9991,9991,15338.93,,0,wide,
| 65536,30,6.143e-05,32005209181.1818,488360.735797,read,mem:,mem,asis,random,1,1,1,7,1843.25,1580.75,3261,1320,2736,8414,8414,8414,7143.1,,0,drift;wide,
| 4096,30,7.8077e-05,,384236.074644,stat,mem:,mem,asis,random,1,1,1,7,2044,1205.4,4349,1272,3440,9575,9575,9575,10481.07,,0,wide,
| 65536,30,8.0395e-05,,373157.534673,stat,mem:,mem,asis,random,1,1,1,7,1616.5,1453.4,4886.75,1384,2704,10901,10901,10901,11753.37,,0,outliers;wide,
| 4096,30,0.000232932,,128792.95245,list,mem:,mem,asis,,1,1,1,7,6990.8,6358.2,10034,6176,10176,17057,17057,17057,13159.37,,0,wide,
| 65536,30,0.000257208,,116637.118597,list,mem:,mem,asis,,1,1,1,7,7907,6351.2,11726,6240,12608,22438,22438,22438,14796.33,,0,wide,
| 4096,30,5.4397e-05,,551501.001893,delete,mem:,mem,asis,,1,1,1,7,1561,1128.6,4196.5,988,2192,8382,8382,8382,9766.13,,0,wide,
| 65536,30,0.000102598,,292403.360689,delete,mem:,mem,asis,,1,1,1,7,1742.25,1330,9701.6,1400,3792,34778,34778,34778,13932.63,,0,outliers;wide,
$ iosweep export --format prometheus --columns operations,latency_ns_p99,notes skipped.json
| # HELP iosweep_note 1 for each note of a row.
| # TYPE iosweep_note gauge
| iosweep_note{test="read",step="1",loop="1",repeat="1",target="data",engine="posix",cache="direct",threads="1",depth="1",ranks="1",size_bytes="100",file="skipped.json",note="skipped:below_alignment"} 1
| iosweep_note{test="read",step="1",loop="1",repeat="1",target="data",engine="posix",cache="direct",threads="1",depth="1",ranks="1",size_bytes="4096",file="skipped.json",note="wide"} 1
| # HELP iosweep_operations Column operations of iosweep-csv(5).
| # TYPE iosweep_operations gauge
| iosweep_operations{test="read",step="1",loop="1",repeat="1",target="data",engine="posix",cache="direct",threads="1",depth="1",ranks="1",size_bytes="4096",file="skipped.json"} 60
| # HELP iosweep_latency_p99_seconds Column latency_ns_p99 of iosweep-csv(5).
| # TYPE iosweep_latency_p99_seconds gauge
| iosweep_latency_p99_seconds{test="read",step="1",loop="1",repeat="1",target="data",engine="posix",cache="direct",threads="1",depth="1",ranks="1",size_bytes="4096",file="skipped.json"} 0.007295423
$ iosweep export --columns nothing mem.json
! iosweep: unknown column: nothing; choose from all, default, size_bytes, operations, time_s, throughput_bytes_per_s, rate_per_s, test, target, engine, cache, access, threads, depth, loop, rounds, op_ns_mean, op_ns_low, op_ns_high, latency_ns_p50, latency_ns_p90, latency_ns_p99, latency_ns_p999, latency_ns_max, cpu_ns_per_op, device_bytes, errors, notes, label, step, repeat, mix, readahead, align_bytes, filled_bytes, op_ns_min, op_ns_stddev, reference_ns, queued_ns_per_op
? 2

# plot
$ iosweep plot files.csv
| data
| page cache · posix · a;b
| read: throughput by I/O size
|          │                                  ⣀⣀⡠◎⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤●⠤⠤⠤⠤⠤⢄⣀⣀⣀⣀⣀●
|          │                        ⣀⣀⡠⠤⠤⠒⠒⠊⠉⠉                     ⠇           ⡇
| 100 MB/s ┤              ⣀⣀⡠⠤⠤⠒●⠊⠉⠉
|          │    ⣀⣀⡠⠤⠤⠒⠒⠊⠉⠉
|          │  ●⠉
|   1 MB/s ┤
|          │
|          └────────┬───────────┬───────────┬──────────┬───────────┬───────────┬──
|                 1 KiB       4 KiB       16 KiB     64 KiB     256 KiB      1 MiB
| write: throughput by I/O size
|          │                                                       ⡀     ⢀⣀⣀⣀⣀⣀●
|          │                    ⡀  ⣀⣀⣀⣀⣀⣀⠤⠤⠤⠤⠤⠤⠒⠒●⠒⠒⠒⠒⠒⠒⠒⠒⠊⠉⠉⠉⠉⠉⠉⠉⠉●⠉⠉⠉⠉⠉⠁     ⡇
| 100 MB/s ┤             ⢀⣀⡠⠤⠔⠒⠊●⠉⠉              ⢸                 ⠇           ⠁
|          │     ⢀⣀⡠⠤⠔⠒⠊⠉⠁
|          │  ●⠊⠉⠁
|   1 MB/s ┤  ⢸
|          │  ⠸
|          └────────┬───────────┬───────────┬──────────┬───────────┬───────────┬──
|                 1 KiB       4 KiB       16 KiB     64 KiB     256 KiB      1 MiB
| ◎  from here on 90 % of the best throughput   ⡇  95 % interval
$ COLUMNS=60 LC_ALL=C.UTF-8 iosweep plot --what latency null-mix.json
| null: on host1
| page cache · null · 2026-11-28
| write: p50 latency by I/O size
|        │
|        │
|   1 ms ┤
|        │
|        │
| 100 us ┤
|        │
|  10 us ┤  ●⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤●⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤●⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤●
|        └──────┬────────┬───────┬────────┬────────┬───────┬──
|             1 KiB    4 KiB   16 KiB   64 KiB  256 KiB  1 MiB
| write: p99 latency by I/O size
|        │
|        │  ●⠒⠒⠢⠤⠤⠤⠤⠤⠤⣀⣀⣀●⣀⡀                       ⣀⣀⡠⠤⠤⠒⠒⠊●
|   1 ms ┤                 ⠈⠉⠉⠉⠉⠒⠒⠒⠒⠤⠤⠤⠤⢄⣀●⣀⠤⠤⠔⠒⠒⠉⠉
|        │
|        │
| 100 us ┤
|        │
|  10 us ┤
|        └──────┬────────┬───────┬────────┬────────┬───────┬──
|             1 KiB    4 KiB   16 KiB   64 KiB  256 KiB  1 MiB
| read: p50 latency by I/O size
|        │
|        │
|   1 ms ┤
|        │
|        │
| 100 us ┤
|        │
|  10 us ┤  ●⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤●⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤●⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤●
|        └──────┬────────┬───────┬────────┬────────┬───────┬──
|             1 KiB    4 KiB   16 KiB   64 KiB  256 KiB  1 MiB
| read: p99 latency by I/O size
|        │                      ⣀⣀⣀⣀⠤⠤⠤⠤⠔⠒●⠒⠒⠒⠒⠤⠤⠤⠤⠤⠤⠤⠤⢄⣀⣀⣀●
|        │  ●⠉⠉⠉⠉⠉⠉⠒⠒⠒⠒⠒⠒●⠒⠊⠉⠉⠉⠉
|   1 ms ┤
|        │
|        │
| 100 us ┤
|        │
|  10 us ┤
|        └──────┬────────┬───────┬────────┬────────┬───────┬──
|             1 KiB    4 KiB   16 KiB   64 KiB  256 KiB  1 MiB
$ iosweep plot --what heat null-axes.json
| null: on host1
| page cache · null · 2026-11-28
| read threads 1: throughput in bytes/s by I/O size
| depth 4 ┤░              ~271M               █              ~68.2G
| depth 1 ┤               ~29.1M              ▓              ~8.4G
|         └─────────────────┬───────────────────────────────────┬─────────────────
|                         4 KiB                               1 MiB
| read threads 2: throughput in bytes/s by I/O size
| depth 4 ┤░              ~453M               █              ~121G
| depth 1 ┤               ~121M               ▓              ~30.7G
|         └─────────────────┬───────────────────────────────────┬─────────────────
|                         4 KiB                               1 MiB
|   ░░▒▒▓▓█   29.1 MB/s to 121 GB/s    ~ the interval is wider than ±25 %
$ iosweep plot --what compare pair-old1.json pair-10-1.json
| pair-old1.json → pair-10-1.json
| page cache · posix · 2026-01-02
| read: time per operation, new / old
| read: takes 11.1 % longer overall (time per operation +11.1 %, +3.0 % to
| +19.9 %); cells: 1 slower, 1 unclear
|       │  ⢀                                                                   ↑
|       │  ▲                                                                   ○
|  same ┤  ⠈⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠁
|       │
|       └──┬─────────┬─────────┬────────┬─────────┬────────┬─────────┬─────────┬──
|        512 B     1 KiB     2 KiB    4 KiB     8 KiB    16 KiB    32 KiB   64 KiB
| write: time per operation, new / old
| write: unclear overall (time per operation +12.1 %, -28.0 % to +74.7 %); cells:
| 1 unclear
|       │                                                                      ↑
|       │  ⢀                                                                   ○
|  same ┤  ⠈⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⡇
|       │                                                                      ↓
|       └──┬─────────┬─────────┬────────┬─────────┬────────┬─────────┬─────────┬──
|        512 B     1 KiB     2 KiB    4 KiB     8 KiB    16 KiB    32 KiB   64 KiB
| ⡧  no difference: within 2 %   ▲  slower   ○  unclear
| ⡇  95 % interval of the verdict; an arrow: it ends beyond the picture
$ iosweep plot --what colours files.csv
! iosweep: --what: unknown choice: colours; choose from throughput, latency, cdf, heat, fit, time, series, compare
? 2
$ iosweep plot --what cdf files.csv
! iosweep: no distribution of latencies is known in files.csv; repeat the run with -o FILE.json
? 2
$ iosweep plot -o picture.bmp files.csv
! iosweep: unknown format of a picture: picture.bmp; use -o FILE.svg, FILE.png or FILE.pdf, or --format
? 2
$ PATH=/nowhere "$(command -v "$IOSWEEP")" plot -o picture.png files.csv
! iosweep: no program that makes PNG of a picture: neither rsvg-convert (of librsvg) nor cairosvg is in PATH; install one of them, or use -o FILE.svg
? 3

# report
$ iosweep report --format md files.json
| <!-- iosweep report -->
| ### write, read and create: /data/data on host1
|
| 4 KiB to 1 MiB · ext4 on /dev/sda · page cache · posix · 2026-11-28
|
| > [!WARNING]
| > The machine was busy (other programs used 88 % of the processors during this run), so do not trust the figures: 12 of 12 rows are not steady (worst: write of 1 MiB ±336.6 %), rate and time/op are up to 609 % apart; repeat on an idle machine.
|
| - Rows with cache=cached are page cache speeds; use -b (--cache direct) for the device.
| - 90 % of the best throughput is reached by writes of 256 KiB (best 1.99 GB/s), reads of 64 KiB (best 3.07 GB/s), creations of 256 KiB (best 1.97 GB/s); more --sizes around them show it closer.
|
| #### By size
|
| Throughput, rate and time/op are means over the whole time, stalls included; the 95 % interval is how far they may be off; p50 to max are latencies of single operations.  No errors; each row has 11 rounds; all rows have the note wide.
|
| | curve | size | throughput | p50 | p99 | 95 % interval | time/op | rate | p90 | p99.9 | max | moved / asked | from memory | notes |
| |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|
| | write | 4 KiB | 148 MB/s | 11.7 us | 42.7 us | -14 .. +56 % | 14.1 us | 36.1 k/s | 23.9 us | 42.7 us | 42.7 us | 2.33 | – | outliers |
| | write | 64 KiB | 903 MB/s | 36.1 us | 1.92 ms | -22 .. +91 % | 41.8 us | 13.8 k/s | 64.3 us | 1.92 ms | 1.92 ms | 1.04 | – | outliers |
| | write | 256 KiB | 1.99 GB/s | 94.7 us | 2.01 ms | -6.1 .. +20.8 % | 97.8 us | 7.61 k/s | 130 us | 2.01 ms | 2.01 ms | 0.97 | – | outliers |
| | write | 1 MiB | 272 MB/s | 375 us | 120 ms | -71 .. +602 % | 1.21 ms | 259 /s | 3.36 ms | 120 ms | 120 ms | 0.89 | – | outliers |
| | read | 4 KiB | 482 MB/s | 7.33 us | 16.7 us | -9.5 .. +37.0 % | 7.66 us | 118 k/s | 12.2 us | 16.7 us | 16.7 us | 0.00 | 100 % | – |
| | read | 64 KiB | 3.07 GB/s | 19.3 us | 36.8 us | -4.1 .. +10.3 % | 21.0 us | 46.9 k/s | 29.8 us | 36.8 us | 36.8 us | 0.00 | 100 % | – |
| | read | 256 KiB | 1.98 GB/s | 59.1 us | 4.13 ms | -7.5 .. +15.5 % | 64.2 us | 7.55 k/s | 91.6 us | 4.13 ms | 4.13 ms | 0.00 | 100 % | outliers |
| | read | 1 MiB | 563 MB/s | 234 us | 80.6 ms | -16 .. +518 % | 263 us | 537 /s | 403 us | 80.6 ms | 80.6 ms | 0.00 | 100 % | outliers |
| | create | 4 KiB | 114 MB/s | 31.9 us | 84.1 us | -7.1 .. +18.6 % | 34.9 us | 27.8 k/s | 45.3 us | 84.1 us | 84.1 us | 1.00 | – | – |
| | create | 64 KiB | 1.14 GB/s | 51.5 us | 135 us | -7.8 .. +17.2 % | 56.7 us | 17.3 k/s | 77.3 us | 135 us | 135 us | 1.00 | – | – |
| | create | 256 KiB | 1.97 GB/s | 106 us | 1.26 ms | -3.2 .. +21.0 % | 113 us | 7.50 k/s | 148 us | 1.26 ms | 1.26 ms | 1.00 | – | outliers |
| | create | 1 MiB | 1.07 GB/s | 358 us | 16.4 ms | -37 .. +288 % | 545 us | 1.02 k/s | 1.53 ms | 16.4 ms | 16.4 ms | 1.00 | – | outliers |
|
| <details><summary>Notes</summary>
|
| | note | rows | meaning |
| |---|---|---|
| | outliers | 8 of 12 | At least one round differs strongly from the others. It is included. Look for other load on the machine. |
| | wide | 12 of 12 | The 95 % interval of the mean is wider than the requested precision (by default ±2.5 %). Measure longer (--time, --rounds) or on a quieter machine. |
|
|
| </details>
|
| <details><summary>Machine, settings, command</summary>
|
| The command to repeat it:
|
| ```sh
| iosweep --quiet -l 4M --tests write,read,create --sizes 4k,64k,256k,1M --cache cached -n 60 --seed 1 -o files.json data
| ```
|
| **Machine**
|
| | fact | value |
| |---|---|
| | name | host1 |
| | kernel | Linux 6.1.0 |
| | machine | x86_64 |
| | processor | a processor |
| | processors | 2 |
| | processors allowed | 2 |
| | virtualization | none |
| | memory | 24 GiB |
| | page | 4 KiB |
| | clock source | tsc |
|
| **Target data**
|
| | fact | value |
| |---|---|
| | files in | /data/data/iosweep-NAME |
| | description | 64 files of 4 MiB in 20 directories |
| | objects | 64 |
| | total | 256 MiB |
| | files made by the run | yes |
| | in memory | no |
| | file system | ext4 |
| | mount point | / |
| | mount options | rw,relatime |
| | device | /dev/sda |
| | rotational | yes |
| | scheduler | mq-deadline |
| | write cache | write back |
| | I/O limits | none |
|
| **Settings**
|
| | fact | value |
| |---|---|
| | tests | write, read and create |
| | caches | cached |
| | threads | 1 |
| | depths | 1 |
| | accesses | random |
| | sizes | 4 KiB, 64 KiB, 256 KiB and 1 MiB |
| | engines | posix |
| | existing | no |
| | single file | no |
| | levels | 3 |
| | width | 4 |
| | file | 4 MiB |
| | small | cover |
| | sync | none |
| | readahead | normal |
| | keep open | no |
| | payload | random |
| | pin | no |
| | verify | no |
| | repetitions | 60 |
| | precision | 0.025 |
| | rounds min | 11 |
| | rounds max | 39 |
| | errors allowed | 100 |
| | allow short | no |
|
| **Run**
|
| | fact | value |
| |---|---|
| | schema version | 2.0-draft |
| | iosweep | 1.0.0 |
| | libraries | glibc 2.36, libaio, liburing 2.3 and libcurl 7.88.1 OpenSSL/3.0.22 |
| | date | DATE |
| | seed | 1 |
| | clock cost | 23.5 ns |
| | clock step | 51.0 ns |
| | loop | 58.1 ns |
| | reference | 4.72 us |
| | processors | count 2, own 10.2 %, others 88.2 %, others most 92.5 %, kernel 1.6 % and steal 0 % |
|
|
| </details>
|
$ iosweep report --format md pair-old1.json pair-10-1.json
| <!-- iosweep report -->
| ### read and write: data on host1
|
| 512 B to 64 KiB · page cache · posix · 2026-01-02
|
| - Read: takes 11.1 % longer overall (time per operation +11.1 %, +3.0 % to +19.9 %); cells: 1 slower, 1 unclear.
| - Write: unclear overall (time per operation +12.1 %, -28.0 % to +74.7 %); cells: 1 unclear.
|
| #### Runs compared
|
| Time per operation, new / old: beyond ±2 % it is slower or faster.  The interval is the one of the verdict: 95 % over all cells, or where a cell is the same, of that cell.
|
| **pair-10-1.json against pair-old1.json**
|
| One sweep of each: what varies between sweeps anyway is unknown, and can look like a difference.
|
| | curve | size | time/op | 95 % over all cells | verdict | old | new |
| |---|---:|---:|---:|---|---:|---:|
| | read | 512 B | +11.2 % | +8.6 % .. +14.0 % | 11.2 % longer | 1.97 us | 2.20 us |
| | read | 64 KiB | +11.0 % | -2.5 % .. +26.5 % | unclear | 19.7 us | 21.9 us |
| | write | 64 KiB | +12.1 % | -33.3 % .. +88.4 % | unclear | 43.2 us | 49.4 us |
|
|
| #### By size
|
| Throughput, rate and time/op are means over the whole time, stalls included; the 95 % interval is how far they may be off; p50 to max are latencies of single operations.  Each row has 8 rounds.
|
| | curve | size | throughput | 95 % interval | time/op | rate |
| |---|---:|---:|---:|---:|---:|
| | pair-old1.json read | 512 B | 260 MB/s | -0.2 .. +0.3 % | 1.97 us | 507 k/s |
| | pair-old1.json read | 64 KiB | 3.32 GB/s | -0.6 .. +0.5 % | 19.7 us | 50.7 k/s |
| | pair-10-1.json read | 512 B | 233 MB/s | -0.6 .. +0.2 % | 2.20 us | 456 k/s |
| | pair-10-1.json read | 64 KiB | 3.01 GB/s | -3.0 .. +1.5 % | 21.9 us | 45.9 k/s |
| | pair-old1.json write | 64 KiB | 1.48 GB/s | -1.8 .. +11.4 % | 43.2 us | 22.5 k/s |
| | pair-10-1.json write | 64 KiB | 1.30 GB/s | -4.4 .. +9.3 % | 49.4 us | 19.9 k/s |
|
|
| #### Machine, settings, command
|
|
|
| <details><summary>pair-old1.json</summary>
|
| **Machine**
|
| | fact | value |
| |---|---|
| | name | host1 |
| | kernel | Linux 6.1.0 |
| | processor | a processor |
| | processors | 2 |
|
| **Run**
|
| | fact | value |
| |---|---|
| | schema version | 2.0-draft |
| | iosweep | 1.0.0 |
| | date | DATE |
|
|
| </details>
|
| <details><summary>pair-10-1.json</summary>
|
| **Machine**
|
| | fact | value |
| |---|---|
| | name | host1 |
| | kernel | Linux 6.1.0 |
| | processor | a processor |
| | processors | 2 |
|
| **Run**
|
| | fact | value |
| |---|---|
| | schema version | 2.0-draft |
| | iosweep | 1.0.0 |
| | date | DATE |
|
|
| </details>
|
$ iosweep report --format md skipped.csv
| <!-- iosweep report -->
| ### read and write: data
|
| 100 B to 4 KiB · O_DIRECT and page cache · posix
|
| > [!WARNING]
| > Intervals are wide: beyond ±10 % in 6 of 6 rows (worst: write of 4 KiB, -12 .. +1104 %); measure longer (--time, --rounds) or on a quieter machine before quoting the figures.
|
|
| #### By size
|
| Throughput, rate and time/op are means over the whole time, stalls included; the 95 % interval is how far they may be off; p50 to max are latencies of single operations.  No errors; each row has 11 rounds; all rows have the note wide.
|
| | curve | size | throughput | p50 | p99 | 95 % interval | time/op | rate | p90 | p99.9 | max | moved / asked | notes |
| |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|
| | read O_DIRECT | 4 KiB | 6.02 MB/s | 81.4 us | 9.39 ms | -80 .. +234 % | 495 us | 1.47 k/s | 1.78 ms | 9.39 ms | 9.39 ms | 1.00 | – |
| | read page cache | 100 B | 7.43 MB/s | 11.2 us | 30.9 us | -20 .. +31 % | 12.9 us | 74.3 k/s | 21.6 us | 30.9 us | 30.9 us | 0.00 | – |
| | read page cache | 4 KiB | 283 MB/s | 11.5 us | 29.7 us | -19.7 .. +17.1 % | 14.2 us | 69.2 k/s | 21.4 us | 29.7 us | 29.7 us | 0.00 | – |
| | write O_DIRECT | 4 KiB | 12.2 MB/s | 62.7 us | 5.83 ms | -12 .. +1104 % | 88.2 us | 2.97 k/s | 216 us | 5.83 ms | 5.83 ms | 1.30 | outliers |
| | write page cache | 100 B | 8.79 MB/s | 9.28 us | 30.2 us | -7 .. +51 % | 9.84 us | 87.9 k/s | 15.9 us | 30.2 us | 30.2 us | 106 | – |
| | write page cache | 4 KiB | 49.7 MB/s | 10.9 us | 4.08 ms | -28 .. +52 % | 13.8 us | 12.1 k/s | 27.3 us | 4.08 ms | 4.08 ms | 2.93 | outliers |
|
| <details><summary>Notes</summary>
|
| | note | rows | meaning |
| |---|---|---|
| | outliers | 2 of 8 | At least one round differs strongly from the others. It is included. Look for other load on the machine. |
| | wide | 6 of 8 | The 95 % interval of the mean is wider than the requested precision (by default ±2.5 %). Measure longer (--time, --rounds) or on a quieter machine. |
| | skipped:below_alignment | 2 of 8 | Not measured: O_DIRECT cannot transfer this size, and --small is skip. |
|
|
| </details>
|
| <details><summary>Machine, settings, command</summary>
|
| These results do not contain the machine, settings and command of their run; results in JSON do.
|
|
| </details>
|
$ iosweep report -o page.html files.json && iosweep fit page.html
! iosweep: not an iosweep result: page.html:1; a page of iosweep report has its files under Data: save them from there
? 2
$ iosweep report --format pdf files.json
! iosweep: --format: unknown choice: pdf; choose from html, md
? 2

# what is no result
$ : >empty; echo "nothing here" >text; printf '\0' >binary; printf '[\n{"record":"head","document":"x"}\n]\n' >other
$ for file in empty text binary other; do iosweep fit $file; done
! iosweep: nothing to read in empty; it holds no results; did its run fail?
! iosweep: not an iosweep result: text:1; expected a CSV header with size_bytes, or JSON of iosweep
! iosweep: binary data, not text, at binary:1; name a result of iosweep; if a spreadsheet wrote it as UTF-16 ("Unicode"), save it as UTF-8
! iosweep: a document of another kind (x), not results, at other:2
? 2
$ head -c 3000 files.json >cut.json; iosweep fit --format table cut.json
| curve  points  t0  bandwidth  n1/2  knee90  best  at  mean error  worst error  at
| write       1   -          -     -       -     -   -           -            -   -
! iosweep: cut.json: its run did not end; rows under way are marked incomplete
! iosweep: cut.json: measuring was cut short: 1 of 1 row incomplete
! iosweep: write: no line: 1 size with figures, at least 4 are needed; sweep more sizes (--min-size, --max-size)
? 1
$ iosweep report - </dev/null
! iosweep: unknown format of a report; use -o FILE.html or FILE.md, or --format
? 2
