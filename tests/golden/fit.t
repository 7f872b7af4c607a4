# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# needs: jansson
# iosweep fit: lines, segments and residuals of curves that are made here, in each format that
# results have, and what is said of those that have none.
$ points() { # T0_NS BYTES_PER_NS: size and time of 12 points from 512 B to 1 MiB, +- 1 %
>   awk -v t0="$1" -v r="$2" 'BEGIN { for (n = 512; n <= 1048576; n *= 2)
>     printf "%d %.3f\n", n, (t0 + n / r) * (1 + (++i * 7 % 11 - 5) / 500) }'
> }
$ points 1000 8 >points
$ awk 'BEGIN { print "size_bytes,op_ns_median,test" } { print $1 "," $2 ",read" }' points >plain.csv
$ awk 'BEGIN { print "\357\273\277size_bytes;time_s;operations;test\r" } { t = sprintf("%.9f", $2 / 1e6); sub(/[.]/, ",", t); print $1 ";" t ";1000;read\r" }' points >german.csv
$ awk 'BEGIN { print "test\tthroughput_bytes_per_s\tsize_bytes" } { printf "read\t%.3f\t%s\n", $1 / $2 * 1e9, $1 }' points >tabs.csv
$ awk 'BEGIN { print "IO profile test parameters\nLocation: linus:/mnt/sda3\nConducting read test...\nI/O size [bytes], operations, time [s], throughput [bytes/s], I/O rate [1/s]" } { printf "%d,1000000,%.6f,%.6f,%.6f\n", $1, $2 / 1e3, $1 / $2 * 1e9, 1e9 / $2 } END { print "Done with read test" }' points >classic.txt
$ awk 'BEGIN { printf "{\"rows\":[" } { printf "%s\n{\"size_bytes\":%d,\"test\":\"read\",\"op_ns_median\":%.3f,\"latency_histogram\":[[20,7]]}", (NR > 1 ? "," : ""), $1, $2 } END { print "]}" }' points >document.json
$ iosweep fit plain.csv
| file,test,target,engine,cache,threads,depth,label,kind,points,from_bytes,to_bytes,t0_ns,bandwidth_bytes_per_s,half_bytes,knee90_bytes,best_bytes_per_s,best_bytes,mean_error_percent,worst_error_percent,worst_bytes,point_bytes,measured_ns,line_ns,residual_percent,step,loop,repeat,access,ranks
| plain.csv,read,,,,1,1,,curve,12,512,1048576,1003.333,8011858185.798,8038.565,65536,7959357917.275,524288,0.500,0.860,524288,,,,,1,1,1,,1
$ iosweep fit --format table --residuals plain.csv
| curve  points       t0  bandwidth     n1/2  knee90       best       at  mean error  worst error       at
| read       12  1.00 us  8.01 GB/s  7.9 KiB  64 KiB  7.96 GB/s  512 KiB       0.5 %        0.9 %  512 KiB
|
| curve     size  measured  on the line  residual
| read     512 B   1.07 us      1.07 us    +0.1 %
| read     1 KiB   1.12 us      1.13 us    -0.7 %
| read     2 KiB   1.27 us      1.26 us    +0.8 %
| read     4 KiB   1.52 us      1.51 us    +0.0 %
| read     8 KiB   2.01 us      2.03 us    -0.7 %
| read    16 KiB   3.07 us      3.05 us    +0.8 %
| read    32 KiB   5.10 us      5.09 us    +0.1 %
| read    64 KiB   9.12 us      9.18 us    -0.7 %
| read   128 KiB   17.5 us      17.4 us    +0.7 %
| read   256 KiB   33.7 us      33.7 us    -0.1 %
| read   512 KiB   65.9 us      66.4 us    -0.9 %
| read     1 MiB    133 us       132 us    +0.5 %
$ iosweep fit --format json --residuals plain.csv
| {"iosweep":"VERSION","schema_version":"1.0","document":"fits","fits":[
| {"file":"plain.csv","test":"read","target":"","engine":"","cache":"","label":"","threads":1,"depth":1,"points":12,"from_bytes":512,"to_bytes":1048576,"t0_ns":1003.333,"bandwidth_bytes_per_s":8011858185.798,"half_bytes":8038.565,"knee90_bytes":65536,"best_bytes_per_s":7959357917.275,"best_bytes":524288,"mean_error_percent":0.500,"worst_error_percent":0.860,"worst_bytes":524288,"step":1,"loop":1,"repeat":1,"access":"","ranks":1,"segments":[],"residuals":[{"point_bytes":512,"measured_ns":1068.256,"line_ns":1067.239,"residual_percent":0.095},{"point_bytes":1024,"measured_ns":1123.488,"line_ns":1131.144,"residual_percent":-0.677},{"point_bytes":2048,"measured_ns":1268.560,"line_ns":1258.954,"residual_percent":0.763},{"point_bytes":4096,"measured_ns":1515.024,"line_ns":1514.576,"residual_percent":0.030},{"point_bytes":8192,"measured_ns":2011.856,"line_ns":2025.818,"residual_percent":-0.689},{"point_bytes":16384,"measured_ns":3072.384,"line_ns":3048.302,"residual_percent":0.790},{"point_bytes":32768,"measured_ns":5096.000,"line_ns":5093.271,"residual_percent":0.054},{"point_bytes":65536,"measured_ns":9118.464,"line_ns":9183.209,"residual_percent":-0.705},{"point_bytes":131072,"measured_ns":17488.304,"line_ns":17363.084,"residual_percent":0.721},{"point_bytes":262144,"measured_ns":33700.464,"line_ns":33722.834,"residual_percent":-0.066},{"point_bytes":524288,"measured_ns":65870.640,"line_ns":66442.335,"residual_percent":-0.860},{"point_bytes":1048576,"measured_ns":132600.288,"line_ns":131881.336,"residual_percent":0.545}]}]}
$ iosweep fit --format csv --residuals plain.csv
| file,test,target,engine,cache,threads,depth,label,kind,points,from_bytes,to_bytes,t0_ns,bandwidth_bytes_per_s,half_bytes,knee90_bytes,best_bytes_per_s,best_bytes,mean_error_percent,worst_error_percent,worst_bytes,point_bytes,measured_ns,line_ns,residual_percent,step,loop,repeat,access,ranks
| plain.csv,read,,,,1,1,,curve,12,512,1048576,1003.333,8011858185.798,8038.565,65536,7959357917.275,524288,0.500,0.860,524288,,,,,1,1,1,,1
| plain.csv,read,,,,1,1,,point,,,,,,,,,,,,,512,1068.256,1067.239,0.095,1,1,1,,1
| plain.csv,read,,,,1,1,,point,,,,,,,,,,,,,1024,1123.488,1131.144,-0.677,1,1,1,,1
| plain.csv,read,,,,1,1,,point,,,,,,,,,,,,,2048,1268.560,1258.954,0.763,1,1,1,,1
| plain.csv,read,,,,1,1,,point,,,,,,,,,,,,,4096,1515.024,1514.576,0.030,1,1,1,,1
| plain.csv,read,,,,1,1,,point,,,,,,,,,,,,,8192,2011.856,2025.818,-0.689,1,1,1,,1
| plain.csv,read,,,,1,1,,point,,,,,,,,,,,,,16384,3072.384,3048.302,0.790,1,1,1,,1
| plain.csv,read,,,,1,1,,point,,,,,,,,,,,,,32768,5096.000,5093.271,0.054,1,1,1,,1
| plain.csv,read,,,,1,1,,point,,,,,,,,,,,,,65536,9118.464,9183.209,-0.705,1,1,1,,1
| plain.csv,read,,,,1,1,,point,,,,,,,,,,,,,131072,17488.304,17363.084,0.721,1,1,1,,1
| plain.csv,read,,,,1,1,,point,,,,,,,,,,,,,262144,33700.464,33722.834,-0.066,1,1,1,,1
| plain.csv,read,,,,1,1,,point,,,,,,,,,,,,,524288,65870.640,66442.335,-0.860,1,1,1,,1
| plain.csv,read,,,,1,1,,point,,,,,,,,,,,,,1048576,132600.288,131881.336,0.545,1,1,1,,1
$ iosweep fit --format table plain.csv german.csv tabs.csv classic.txt document.json
| curve                  points       t0  bandwidth     n1/2  knee90       best       at  mean error  worst error       at
| plain.csv                  12  1.00 us  8.01 GB/s  7.9 KiB  64 KiB  7.96 GB/s  512 KiB       0.5 %        0.9 %  512 KiB
| german.csv                 12  1.00 us  8.01 GB/s  7.9 KiB  64 KiB  7.96 GB/s  512 KiB       0.5 %        0.9 %  512 KiB
| tabs.csv                   12  1.00 us  8.01 GB/s  7.9 KiB  64 KiB  7.96 GB/s  512 KiB       0.5 %        0.9 %  512 KiB
| classic.txt /mnt/sda3      12  1.00 us  8.01 GB/s  7.9 KiB  64 KiB  7.96 GB/s  512 KiB       0.5 %        0.9 %  512 KiB
| document.json              12  1.00 us  8.01 GB/s  7.9 KiB  64 KiB  7.96 GB/s  512 KiB       0.5 %        0.9 %  512 KiB
$ iosweep fit --format table - <plain.csv
| curve  points       t0  bandwidth     n1/2  knee90       best       at  mean error  worst error       at
| read       12  1.00 us  8.01 GB/s  7.9 KiB  64 KiB  7.96 GB/s  512 KiB       0.5 %        0.9 %  512 KiB
$ iosweep fit -o written.csv plain.csv && iosweep fit plain.csv | cmp - written.csv
$ iosweep fit --quiet -o plain.csv plain.csv
! iosweep: the output would overwrite an input: plain.csv; give the name of another file
? 2

# curves are named by what differs, files too
$ sed 's/read/write/' plain.csv | cat plain.csv - >both.csv
$ iosweep fit --format table both.csv
| curve  points       t0  bandwidth     n1/2  knee90       best       at  mean error  worst error       at
| read       12  1.00 us  8.01 GB/s  7.9 KiB  64 KiB  7.96 GB/s  512 KiB       0.5 %        0.9 %  512 KiB
| write      12  1.00 us  8.01 GB/s  7.9 KiB  64 KiB  7.96 GB/s  512 KiB       0.5 %        0.9 %  512 KiB
$ iosweep fit --format table both.csv plain.csv
| curve           points       t0  bandwidth     n1/2  knee90       best       at  mean error  worst error       at
| both.csv read       12  1.00 us  8.01 GB/s  7.9 KiB  64 KiB  7.96 GB/s  512 KiB       0.5 %        0.9 %  512 KiB
| both.csv write      12  1.00 us  8.01 GB/s  7.9 KiB  64 KiB  7.96 GB/s  512 KiB       0.5 %        0.9 %  512 KiB
| plain.csv read      12  1.00 us  8.01 GB/s  7.9 KiB  64 KiB  7.96 GB/s  512 KiB       0.5 %        0.9 %  512 KiB
$ awk -F, -v OFS=, 'NR == 1 { print $0, "threads,engine,label,loop"; next } { for (i = 1; i < 3; i++) print $0, i, "posix", "a b", i }' plain.csv >loops.csv
$ iosweep fit --format table loops.csv
| curve             points       t0  bandwidth     n1/2  knee90       best       at  mean error  worst error       at
| loop 1 threads 1      12  1.00 us  8.01 GB/s  7.9 KiB  64 KiB  7.96 GB/s  512 KiB       0.5 %        0.9 %  512 KiB
| loop 2 threads 2      12  1.00 us  8.01 GB/s  7.9 KiB  64 KiB  7.96 GB/s  512 KiB       0.5 %        0.9 %  512 KiB
$ iosweep fit loops.csv
| file,test,target,engine,cache,threads,depth,label,kind,points,from_bytes,to_bytes,t0_ns,bandwidth_bytes_per_s,half_bytes,knee90_bytes,best_bytes_per_s,best_bytes,mean_error_percent,worst_error_percent,worst_bytes,point_bytes,measured_ns,line_ns,residual_percent,step,loop,repeat,access,ranks
| loops.csv,read,,posix,,1,1,a b,curve,12,512,1048576,1003.333,8011858185.798,8038.565,65536,7959357917.275,524288,0.500,0.860,524288,,,,,1,1,1,,1
| loops.csv,read,,posix,,2,1,a b,curve,12,512,1048576,1003.333,8011858185.798,8038.565,65536,7959357917.275,524288,0.500,0.860,524288,,,,,1,2,1,,1

# two regimes: segments where rows are steady, words where they are not
$ awk 'BEGIN { print "size_bytes,op_ns_median,notes" } { print $1 "," ($1 > 32768 ? 30000 + $1 / 8 : 1000 + $1) "," }' points >bend.csv
$ iosweep fit bend.csv
| file,test,target,engine,cache,threads,depth,label,kind,points,from_bytes,to_bytes,t0_ns,bandwidth_bytes_per_s,half_bytes,knee90_bytes,best_bytes_per_s,best_bytes,mean_error_percent,worst_error_percent,worst_bytes,point_bytes,measured_ns,line_ns,residual_percent,step,loop,repeat,access,ranks
| bend.csv,,,,,1,1,,curve,12,512,1048576,2354.458,2274286694.341,5354.714,1048576,6509983113.142,1048576,45.992,101.450,32768,,,,,1,1,1,,1
| bend.csv,,,,,1,1,,segment,7,512,32768,1000.000,1000000000.000,1000.000,,,,0.000,0.000,512,,,,,1,1,1,,1
| bend.csv,,,,,1,1,,segment,5,65536,1048576,30000.000,8000000000.000,240000.000,,,,0.000,0.000,65536,,,,,1,1,1,,1
! iosweep: bend.csv: the line does not fit the curve at 32 KiB, where operations take 101 % longer than predicted; look at its 2 segments, or at knee90 (1 MiB)
$ iosweep fit --format table bend.csv
| curve              points       t0  bandwidth     n1/2  knee90       best     at  mean error  worst error      at
| bend.csv               12  2.35 us  2.27 GB/s  5.2 KiB   1 MiB  6.51 GB/s  1 MiB      46.0 %      101.4 %  32 KiB
|   512 B to 32 KiB       7  1.00 us  1.00 GB/s   1000 B       -          -      -       0.0 %        0.0 %   512 B
|   64 KiB to 1 MiB       5  30.0 us  8.00 GB/s  234 KiB       -          -      -       0.0 %        0.0 %  64 KiB
! iosweep: bend.csv: the line does not fit the curve at 32 KiB, where operations take 101 % longer than predicted; look at its 2 segments, or at knee90 (1 MiB)
$ iosweep fit --format json bend.csv
| {"iosweep":"VERSION","schema_version":"1.0","document":"fits","fits":[
| {"file":"bend.csv","test":"","target":"","engine":"","cache":"","label":"","threads":1,"depth":1,"points":12,"from_bytes":512,"to_bytes":1048576,"t0_ns":2354.458,"bandwidth_bytes_per_s":2274286694.341,"half_bytes":5354.714,"knee90_bytes":1048576,"best_bytes_per_s":6509983113.142,"best_bytes":1048576,"mean_error_percent":45.992,"worst_error_percent":101.450,"worst_bytes":32768,"step":1,"loop":1,"repeat":1,"access":"","ranks":1,"segments":[{"points":7,"from_bytes":512,"to_bytes":32768,"t0_ns":1000.000,"bandwidth_bytes_per_s":1000000000.000,"half_bytes":1000.000,"knee90_bytes":null,"best_bytes_per_s":null,"best_bytes":null,"mean_error_percent":0.000,"worst_error_percent":0.000,"worst_bytes":512},{"points":5,"from_bytes":65536,"to_bytes":1048576,"t0_ns":30000.000,"bandwidth_bytes_per_s":8000000000.000,"half_bytes":240000.000,"knee90_bytes":null,"best_bytes_per_s":null,"best_bytes":null,"mean_error_percent":0.000,"worst_error_percent":0.000,"worst_bytes":65536}]}]}
! iosweep: bend.csv: the line does not fit the curve at 32 KiB, where operations take 101 % longer than predicted; look at its 2 segments, or at knee90 (1 MiB)
$ for note in wide 'outliers;drift' incomplete 'outliers;widest'; do
>   sed "s/^65536,.*/&$note/" bend.csv >unsteady.csv && iosweep fit --format table unsteady.csv
> done
| curve         points       t0  bandwidth     n1/2  knee90       best     at  mean error  worst error      at
| unsteady.csv      12  2.35 us  2.27 GB/s  5.2 KiB   1 MiB  6.51 GB/s  1 MiB      46.0 %      101.4 %  32 KiB
| curve         points       t0  bandwidth     n1/2  knee90       best     at  mean error  worst error      at
| unsteady.csv      12  2.35 us  2.27 GB/s  5.2 KiB   1 MiB  6.51 GB/s  1 MiB      46.0 %      101.4 %  32 KiB
| curve         points       t0  bandwidth     n1/2  knee90       best     at  mean error  worst error      at
| unsteady.csv      12  2.35 us  2.27 GB/s  5.2 KiB   1 MiB  6.51 GB/s  1 MiB      46.0 %      101.4 %  32 KiB
| curve              points       t0  bandwidth     n1/2  knee90       best     at  mean error  worst error      at
| unsteady.csv           12  2.35 us  2.27 GB/s  5.2 KiB   1 MiB  6.51 GB/s  1 MiB      46.0 %      101.4 %  32 KiB
|   512 B to 32 KiB       7  1.00 us  1.00 GB/s   1000 B       -          -      -       0.0 %        0.0 %   512 B
|   64 KiB to 1 MiB       5  30.0 us  8.00 GB/s  234 KiB       -          -      -       0.0 %        0.0 %  64 KiB
! unsteady.csv: segments are not shown: 1 of 12 rows has the note wide, drift or incomplete, so a change of slope may be noise; repeat the sweep on an idle machine
! iosweep: unsteady.csv: the line does not fit the curve at 32 KiB, where operations take 101 % longer than predicted; look at knee90 (1 MiB), or repeat the sweep on an idle machine
! unsteady.csv: segments are not shown: 1 of 12 rows has the note wide, drift or incomplete, so a change of slope may be noise; repeat the sweep on an idle machine
! iosweep: unsteady.csv: the line does not fit the curve at 32 KiB, where operations take 101 % longer than predicted; look at knee90 (1 MiB), or repeat the sweep on an idle machine
! iosweep: unsteady.csv: 1 of 12 rows is incomplete: cut short, with less data than was asked for
! unsteady.csv: segments are not shown: 1 of 12 rows has the note wide, drift or incomplete, so a change of slope may be noise; repeat the sweep on an idle machine
! iosweep: unsteady.csv: the line does not fit the curve at 32 KiB, where operations take 101 % longer than predicted; look at knee90 (1 MiB), or repeat the sweep on an idle machine
! iosweep: unsteady.csv: the line does not fit the curve at 32 KiB, where operations take 101 % longer than predicted; look at its 2 segments, or at knee90 (1 MiB)

# a line that is far off at one point, and what has no line
$ awk -F, -v OFS=, '$1 == 4096 { $2 *= 3 } 1' plain.csv >off.csv && iosweep fit --format table off.csv
| curve  points       t0  bandwidth     n1/2  knee90       best       at  mean error  worst error     at
| read       12  1.01 us  8.01 GB/s  7.9 KiB  64 KiB  7.96 GB/s  512 KiB      17.1 %      199.4 %  4 KiB
! iosweep: read: the line does not fit the curve at 4 KiB, where operations take 199 % longer than predicted; look at knee90 (64 KiB)
$ awk -F, -v OFS=, '$1 == 1048576 { $2 /= 3 } 1' plain.csv >off.csv && iosweep fit --format table off.csv
| curve  points       t0  bandwidth     n1/2  knee90       best     at  mean error  worst error     at
| read       12  1.00 us  8.04 GB/s  7.9 KiB   1 MiB  23.7 GB/s  1 MiB       6.0 %       66.4 %  1 MiB
! iosweep: read: the line does not fit the curve at 1 MiB, where operations take 66 % less than predicted; look at knee90 (1 MiB)
$ awk -F, -v OFS=, 'NR == 1 { print $0, "notes" } NR > 1 { print $0, $1 == 4096 ? "wide" : "" }' off.csv >off2.csv && iosweep fit --format table off2.csv
| curve  points       t0  bandwidth     n1/2  knee90       best     at  mean error  worst error     at
| read       12  1.00 us  8.04 GB/s  7.9 KiB   1 MiB  23.7 GB/s  1 MiB       6.0 %       66.4 %  1 MiB
! iosweep: read: the line does not fit the curve at 1 MiB, where operations take 66 % less than predicted; look at knee90 (1 MiB), or repeat the sweep on an idle machine
$ iosweep fit --quiet --format table off.csv
| curve  points       t0  bandwidth     n1/2  knee90       best     at  mean error  worst error     at
| read       12  1.00 us  8.04 GB/s  7.9 KiB   1 MiB  23.7 GB/s  1 MiB       6.0 %       66.4 %  1 MiB
$ head -4 plain.csv >three.csv && iosweep fit three.csv
| file,test,target,engine,cache,threads,depth,label,kind,points,from_bytes,to_bytes,t0_ns,bandwidth_bytes_per_s,half_bytes,knee90_bytes,best_bytes_per_s,best_bytes,mean_error_percent,worst_error_percent,worst_bytes,point_bytes,measured_ns,line_ns,residual_percent,step,loop,repeat,access,ranks
| three.csv,read,,,,1,1,,curve,3,512,2048,,,,,,,,,,,,,,1,1,1,,1
! iosweep: read: no line: 3 sizes with figures, at least 4 are needed; sweep more sizes (--min-size, --max-size)
? 1
$ iosweep fit --format table three.csv plain.csv
| curve      points       t0  bandwidth     n1/2  knee90       best       at  mean error  worst error       at
| three.csv       3        -          -        -       -          -        -           -            -        -
| plain.csv      12  1.00 us  8.01 GB/s  7.9 KiB  64 KiB  7.96 GB/s  512 KiB       0.5 %        0.9 %  512 KiB
! iosweep: three.csv: no line: 3 sizes with figures, at least 4 are needed; sweep more sizes (--min-size, --max-size)
? 1
$ iosweep fit --format json three.csv
| {"iosweep":"VERSION","schema_version":"1.0","document":"fits","fits":[
| {"file":"three.csv","test":"read","target":"","engine":"","cache":"","label":"","threads":1,"depth":1,"points":3,"from_bytes":512,"to_bytes":2048,"t0_ns":null,"bandwidth_bytes_per_s":null,"half_bytes":null,"knee90_bytes":null,"best_bytes_per_s":null,"best_bytes":null,"mean_error_percent":null,"worst_error_percent":null,"worst_bytes":null,"step":1,"loop":1,"repeat":1,"access":"","ranks":1,"segments":[]}]}
! iosweep: read: no line: 3 sizes with figures, at least 4 are needed; sweep more sizes (--min-size, --max-size)
? 1
$ printf 'size_bytes,rate_per_s,notes\n1,,skipped:align\n2,4,\n4,3,\n8,2,\n16,1,\n' >skipped.csv
$ iosweep fit --format table skipped.csv
| curve        points      t0  bandwidth  n1/2  knee90      best   at  mean error  worst error   at
| skipped.csv       4  142 ms   20.1 B/s   3 B     8 B  16.0 B/s  8 B       4.9 %        7.5 %  8 B
! skipped.csv: 1 of 5 rows has no figures (skipped, or nothing was completed)
$ awk -F, 'NR == 1 { print $0 ",notes"; next } { print $0 "," (NR > 8 ? "incomplete" : "") }' plain.csv >broken.csv
$ iosweep fit --format table broken.csv
| curve  points       t0  bandwidth     n1/2  knee90       best       at  mean error  worst error       at
| read       12  1.00 us  8.01 GB/s  7.9 KiB  64 KiB  7.96 GB/s  512 KiB       0.5 %        0.9 %  512 KiB
! iosweep: broken.csv: 5 of 12 rows are incomplete: cut short, with less data than was asked for
$ printf '%s' "$(cat plain.csv)" >cut.csv && iosweep fit --format table cut.csv
| curve  points       t0  bandwidth     n1/2  knee90       best       at  mean error  worst error       at
| read       12  1.00 us  8.01 GB/s  7.9 KiB  64 KiB  7.96 GB/s  512 KiB       0.5 %        0.9 %  512 KiB
! iosweep: cut.csv: the last line has no end, it may be cut off
$ iosweep fit --format table --quiet cut.csv
| curve  points       t0  bandwidth     n1/2  knee90       best       at  mean error  worst error       at
| read       12  1.00 us  8.01 GB/s  7.9 KiB  64 KiB  7.96 GB/s  512 KiB       0.5 %        0.9 %  512 KiB

# tests that move no data have no bandwidth
$ sed 's/read$/list/' plain.csv >list.csv && cat list.csv plain.csv >mixed.csv
$ iosweep fit --format table mixed.csv
| curve  points       t0  bandwidth     n1/2  knee90       best       at  mean error  worst error       at
| read       12  1.00 us  8.01 GB/s  7.9 KiB  64 KiB  7.96 GB/s  512 KiB       0.5 %        0.9 %  512 KiB
! mixed.csv: 1 curve left out: tests that move no data have no bandwidth
$ iosweep fit list.csv
! iosweep: no test that moves data in list.csv; iosweep plot draws the times of the others
? 2

# the default columns of CSV are enough, as is any that tells the time per operation
$ awk 'BEGIN { print "size_bytes,operations,time_s,throughput_bytes_per_s,rate_per_s,test,target,engine,cache,access,threads,depth,loop,rounds,op_ns_median,op_ns_low,op_ns_high,latency_ns_p50,latency_ns_p90,latency_ns_p99,latency_ns_p999,latency_ns_max,cpu_ns_per_op,device_bytes,errors,notes,label" } { print $1 ",500," $2 / 2e6 "," $1 / $2 * 1e9 "," 1e9 / $2 ",read,/a,posix,cached,,1,1,,39," $2 "," $2 "," $2 "," $2 ",,,," $2 ",900,0,0,," }' points >default.csv
$ iosweep fit --format table default.csv
| curve  points       t0  bandwidth     n1/2  knee90       best       at  mean error  worst error       at
| read       12  1.00 us  8.01 GB/s  7.9 KiB  64 KiB  7.96 GB/s  512 KiB       0.5 %        0.9 %  512 KiB
$ for columns in 1,5 1-3 1,4; do cut -d, -f $columns default.csv | iosweep fit --format table -; done
| curve  points       t0  bandwidth     n1/2  knee90       best       at  mean error  worst error       at
| -          12  1.00 us  8.01 GB/s  7.9 KiB  64 KiB  7.96 GB/s  512 KiB       0.5 %        0.9 %  512 KiB
| curve  points       t0  bandwidth     n1/2  knee90       best       at  mean error  worst error       at
| -          12  1.00 us  8.01 GB/s  7.9 KiB  64 KiB  7.96 GB/s  512 KiB       0.5 %        0.9 %  512 KiB
| curve  points       t0  bandwidth     n1/2  knee90       best       at  mean error  worst error       at
| -          12  1.00 us  8.01 GB/s  7.9 KiB  64 KiB  7.96 GB/s  512 KiB       0.5 %        0.9 %  512 KiB
$ cut -d, -f 1,6-12 default.csv >axes.csv && iosweep fit axes.csv
! iosweep: too few columns in the header axes.csv:1; needed are size_bytes and op_ns_median, rate_per_s, throughput_bytes_per_s or both operations and time_s
? 2
$ cut -d, -f 5-12 default.csv >sizeless.csv && iosweep fit sizeless.csv
! iosweep: not an iosweep result: sizeless.csv:1; expected a CSV header with size_bytes, JSON of iosweep, or the output of io_profile
? 2

# refused
$ iosweep fit
! iosweep: fit needs a file of results; iosweep fit FILE...
? 2
$ iosweep fit absent
! iosweep: cannot read absent: it does not exist; name a file of results, as iosweep -o FILE writes
? 2
$ iosweep fit .
! iosweep: cannot read .: it is a directory; name a file of results, as iosweep -o FILE writes
? 2
$ iosweep fit /dev/null
! iosweep: nothing to read in /dev/null; it holds no results; did its run fail?
? 2
$ iosweep fit --format classic plain.csv
! iosweep: --format: unknown choice: classic; choose from table, csv, json
? 2
$ iosweep fit -o no/such/place plain.csv
! iosweep: cannot write the results to no/such/place: No such file or directory; the directory for it does not exist
? 2
$ printf 'size_bytes,rate_per_s\n1,2\n2,x\n' >bad.csv && iosweep fit bad.csv
! iosweep: "x" in column rate_per_s is not a number in bad.csv:3
? 2
$ printf 'size_bytes,rate_per_s\n1,\n' >empty.csv && iosweep fit empty.csv
! empty.csv: 1 of 1 row has no figures (skipped, or nothing was completed)
! iosweep: no row with figures in empty.csv
? 2
$ echo '{"rows":[{"size_bytes":1,' >cut.json && iosweep fit cut.json
! iosweep: the document ends too early (cut off?) at cut.json:2
? 2
$ iosweep --quiet --interval 10ms --series series.csv --sizes 4k --tests read -n 100 null: >/dev/null && iosweep fit series.csv
! iosweep: records of --series, not results, begin at series.csv:1; use the file that -o of that run wrote
? 2
$ awk 'BEGIN { print "size_bytes,rate_per_s,label"; for (i = 0; i < 10001; i++) print "1,2," i }' >labels.csv
$ iosweep fit labels.csv
! iosweep: more than 10000 curves in labels.csv; rows of one curve have the same label, target and so on
? 2

# a published sweep: flat up to 256 MiB, and the line is far off at 128 to 256 KiB
$ awk -F, '!/^[0-9]/ || $1 <= 268435456' "$data/elbencho-sweep.csv" >published.csv
$ iosweep fit --format table --residuals published.csv
| curve               points       t0  bandwidth     n1/2  knee90       best       at  mean error  worst error       at
| elbencho                19  17.3 us  11.2 GB/s  190 KiB  16 MiB  11.8 GB/s  256 MiB       9.2 %       35.8 %  128 KiB
|   1 KiB to 128 KiB       8  18.9 us          -        -       -          -        -       1.3 %        3.1 %   32 KiB
|   256 KiB to 4 MiB       5     0 ns  9.77 GB/s      0 B       -          -        -       1.2 %        1.9 %  256 KiB
|   8 MiB to 256 MiB       6  68.9 us  11.3 GB/s  758 KiB       -          -        -       1.7 %        4.9 %  256 MiB
|
| curve        size  measured  on the line  residual
| elbencho    1 KiB   19.0 us      17.4 us    +8.9 %
| elbencho    2 KiB   18.5 us      17.5 us    +5.7 %
| elbencho    4 KiB   19.0 us      17.7 us    +7.5 %
| elbencho    8 KiB   18.5 us      18.1 us    +2.7 %
| elbencho   16 KiB   19.1 us      18.8 us    +1.8 %
| elbencho   32 KiB   19.5 us      20.2 us    -3.9 %
| elbencho   64 KiB   18.9 us      23.2 us   -18.6 %
| elbencho  128 KiB   18.6 us      29.0 us   -35.8 %
| elbencho  256 KiB   26.3 us      40.6 us   -35.3 %
| elbencho  512 KiB   54.6 us      63.9 us   -14.6 %
| elbencho    1 MiB    106 us       111 us    -4.0 %
| elbencho    2 MiB    217 us       204 us    +6.5 %
| elbencho    4 MiB    430 us       390 us   +10.0 %
| elbencho    8 MiB    807 us       763 us    +5.7 %
| elbencho   16 MiB   1.58 ms      1.51 ms    +4.5 %
| elbencho   32 MiB   3.05 ms      3.00 ms    +1.7 %
| elbencho   64 MiB   6.19 ms      5.98 ms    +3.5 %
| elbencho  128 MiB   11.9 ms      12.0 ms    -0.2 %
| elbencho  256 MiB   22.7 ms      23.9 ms    -4.8 %
! iosweep: elbencho: the line does not fit the curve at 128 KiB, where operations take 36 % less than predicted; look at its 3 segments, or at knee90 (16 MiB)
$ iosweep fit --format table "$data/elbencho-sweep.csv"
| curve               points       t0  bandwidth     n1/2  knee90       best       at  mean error  worst error       at
| elbencho                31  17.2 us  10.7 GB/s  179 KiB  16 MiB  11.8 GB/s  256 MiB       8.1 %       37.1 %  256 KiB
|   1 KiB to 128 KiB       8  18.9 us          -        -       -          -        -       1.3 %        3.1 %   32 KiB
|   256 KiB to 1 TiB      23  2.07 us  10.4 GB/s   21 KiB       -          -        -       4.7 %       12.2 %  256 MiB
! iosweep: elbencho: the line does not fit the curve at 256 KiB, where operations take 37 % less than predicted; look at its 2 segments, or at knee90 (16 MiB)
