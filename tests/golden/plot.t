# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# The command plot: the program for gnuplot of each kind of picture, what is said beside it, and what
# is refused.  Its figures come from files that stand here, and from $data/run.json, a recorded run.
# needs: jansson

$ drawn() { iosweep plot --script "$@" | sed '/^\$.*<</,/^EOD/d; 1,/^set grid/d'; } # how, but not the data

# --- curves: of one file, in its default columns.  Rows without figures are not drawn, and an interval
# that is not known is none.
$ cat >curve.csv <<'END'
> size_bytes,operations,time_s,throughput_bytes_per_s,rate_per_s,test,target,engine,cache,access,threads,depth,loop,rounds,op_ns_median,op_ns_low,op_ns_high,latency_ns_p50,latency_ns_p90,latency_ns_p99,latency_ns_p999,latency_ns_max,cpu_ns_per_op,device_bytes,errors,notes,label
> 512,100,0.0001,512000000,1000000,read,/data,posix,cached,random,1,1,1,11,1000,990,1030,910,1200,2000,,9000,800,,0,,
> 1024,100,0.0001,1024000000,1000000,read,/data,posix,cached,random,1,1,1,1,1000,,,911,,2001,,9000,800,,0,,
> 2048,0,,,,read,/data,posix,cached,random,1,1,1,,,,,,,,,,,,,skipped:beyond_file,
> 4096,100,0.0002,2048000000,500000,read,/data,posix,cached,random,1,1,1,11,2000,1990,2010,1900,2500,,,9000,800,,0,,
> 8192,100,0.0004,2048000000,250000,read,/data,posix,cached,random,1,1,1,11,4000,3980,4020,3900,4500,5000,,9000,800,,0,,
> 16384,100,0.0008,2048000000,125000,read,/data,posix,cached,random,1,1,1,11,8000,7980,8020,7900,8500,9000,,9000,800,,0,incomplete,
> END
$ iosweep plot --script curve.csv
| # made by iosweep plot; gnuplot writes the picture to standard output
| set encoding utf8
| set terminal svg noenhanced size 900,600 dynamic font 'sans-serif,13' background rgb 'white'
| set tics nomirror
| set border 3
| set grid xtics ytics mytics lt 1 lc rgb '#c8c8c8' lw 0.6, lt 1 lc rgb '#e8e8e8' lw 0.5
| set object 1 rectangle from screen 0,0 to screen 1,1 behind fillstyle empty border lc rgb '#c8c8c8'
| $c0 << EOD
| 512 512000000 497087379 517171717 1000 990 1030 910
| 1024 1.024e+09 1.024e+09 1.024e+09 1000 1000 1000 911
| 4096 2.048e+09 2.03781095e+09 2.05829146e+09 2000 1990 2010 1900
| 8192 2.048e+09 2.03781095e+09 2.05829146e+09 4000 3980 4020 3900
| 16384 2.048e+09 2.04289277e+09 2.05313283e+09 8000 7980 8020 7900
| EOD
| $f0 << EOD
| 512 570134525 898.033671
| 570.566012 619264931 921.360121
| 635.8312 671164799 947.354808
| 708.56186 725745374 976.322943
| 789.611943 782875574 1008.60465
| 879.933081 842380635 1044.57895
| 980.585759 904042106 1084.66824
| 1092.75177 967599363 1129.34321
| 1217.74809 1.03275274e+09 1179.12841
| 1357.04232 1.09916825e+09 1234.60837
| 1512.26997 1.1664839e+09 1296.4345
| 1685.25361 1.23431716e+09 1365.33272
| 1878.02428 1.30227354e+09 1442.11199
| 2092.84536 1.36995567e+09 1527.67379
| 2332.23912 1.43697257e+09 1623.02272
| 2599.01636 1.50294857e+09 1729.2783
| 2896.30938 1.56753152e+09 1847.68812
| 3227.60877 1.63039986e+09 1979.64245
| 3596.80442 1.69126831e+09 2126.69061
| 4008.23117 1.74989204e+09 2290.55912
| 4466.71967 1.80606914e+09 2473.17202
| 4977.65319 1.85964158e+09 2676.67342
| 5547.03072 1.91049462e+09 2903.45267
| 6181.5375 1.95855504e+09 3156.17247
| 6888.62343 2.00378827e+09 3437.80006
| 7676.59063 2.04619481e+09 3751.64212
| 8554.69083 2.0858061e+09 4101.38354
| 9533.23404 2.12268014e+09 4491.13075
| 10623.7096 2.156897e+09 4925.45987
| 11838.9212 2.18855454e+09 5409.47049
| 13193.1368 2.21776424e+09 5948.8455
| 14702.2567 2.2446475e+09 6549.91786
| 16384 2.26933225e+09 7219.74493
|
| EOD
| $k0 << EOD
| 4096 2.048e+09
| EOD
| $l0 << EOD
| 512 1200 2000
| 1024 911 2001
|
| 8192 4500 5000
| 16384 8500 9000
| EOD
| $n0 << EOD
| 512 910 1200
|
| 4096 1900 2500
| 8192 3900 4500
| 16384 7900 8500
| EOD
| set multiplot
| unset key
| set label 1 'iosweep: /data' at screen 0.5,0.96667 center font ',15'
| set label 2 'read, cached, posix, 1 thread, depth 1' at screen 0.5,0.93000 center textcolor rgb '#444444'
| set arrow from screen 0.03111,0.07333 to screen 0.07111,0.07333 nohead lc rgb '#0072B2' lw 1.4 dt 1
| set label '' at screen 0.05111,0.07333 point lc rgb '#0072B2' pt 7 ps 0.65
| set label 'median and its 95 % interval' at screen 0.08222,0.07333 left
| set object 11 rectangle from screen 0.03111,0.03000 to screen 0.07111,0.05000 fillcolor rgb '#555555' fillstyle transparent solid 0.32 noborder
| set label 'p50 to p90' at screen 0.08222,0.04000 left
| set object 12 rectangle from screen 0.34963,0.06333 to screen 0.38963,0.08333 fillcolor rgb '#555555' fillstyle transparent solid 0.14 noborder
| set label 'up to p99' at screen 0.40074,0.07333 left
| set arrow from screen 0.34963,0.04000 to screen 0.38963,0.04000 nohead lc rgb '#555555' lw 1 dt 3
| set label 'fit: t0 + size / bandwidth' at screen 0.40074,0.04000 left
| set label '' at screen 0.68815,0.07333 point lc rgb '#555555' pt 6 ps 1.2
| set label '90 % of the best throughput' at screen 0.71926,0.07333 left
| set lmargin at screen 0.08667
| set rmargin at screen 0.48222
| set tmargin at screen 0.85667
| set bmargin at screen 0.19333
| set title 'throughput' offset 0,-0.5
| set logscale x 2
| set xrange [409.6:20480]
| set xtics ('512 B' 512, '1 KiB' 1024, '2 KiB' 2048, '4 KiB' 4096, '8 KiB' 8192, '16 KiB' 16384)
| set xlabel 'I/O size' offset 0,0.4
| set logscale y 10
| set yrange [447260425:2.28759499e+09]
| set ytics ('500 MB/s' 500000000, '' 600000000 1, '' 700000000 1, '' 800000000 1, '' 900000000 1, '1 GB/s' 1000000000, '2 GB/s' 2000000000)
| plot $f0 using 1:2 with lines lc rgb '#0072B2' lw 1.2 dt 3 notitle, \
|      $c0 using 1:3:(0):($4-$3) with vectors nohead lc rgb '#0072B2' lw 1.4 notitle, \
|      $c0 using 1:2 with linespoints lc rgb '#0072B2' lw 1.4 dt 1 pt 7 ps 0.65 notitle, \
|      $k0 using 1:2 with points lc rgb '#0072B2' lw 1.5 pt 6 ps 1.2 notitle
| unset label
| unset arrow
| unset object
| set lmargin at screen 0.58667
| set rmargin at screen 0.98222
| set tmargin at screen 0.85667
| set bmargin at screen 0.19333
| set title 'latency (p50)' offset 0,-0.5
| set logscale x 2
| set xrange [409.6:20480]
| set xtics ('512 B' 512, '1 KiB' 1024, '2 KiB' 2048, '4 KiB' 4096, '8 KiB' 8192, '16 KiB' 16384)
| set xlabel 'I/O size' offset 0,0.4
| set logscale y 10
| set yrange [790.758827:10357.1402]
| set ytics ('' 800 1, '' 900 1, '1 us' 1000, '2 us' 2000, '' 3000 1, '' 4000 1, '5 us' 5000, '' 6000 1, '' 7000 1, '' 8000 1, '' 9000 1, '10 us' 10000)
| plot $l0 using 1:2:3 with filledcurves fillstyle transparent solid 0.14 noborder lc rgb '#0072B2' notitle, \
|      $n0 using 1:2:3 with filledcurves fillstyle transparent solid 0.32 noborder lc rgb '#0072B2' notitle, \
|      $l0 using 1:3 with lines lc rgb '#0072B2' lw 0.6 notitle, \
|      $c0 using 1:8 with linespoints lc rgb '#0072B2' lw 1.4 dt 1 pt 7 ps 0.65 notitle
| unset label
| unset arrow
| unset object
| unset multiplot
! iosweep: curve.csv: 1 of 6 rows is incomplete: cut short, with less data than was asked for
$ iosweep plot --script --what time --no-fit - <curve.csv
| # made by iosweep plot; gnuplot writes the picture to standard output
| set encoding utf8
| set terminal svg noenhanced size 900,600 dynamic font 'sans-serif,13' background rgb 'white'
| set tics nomirror
| set border 3
| set grid xtics ytics mytics lt 1 lc rgb '#c8c8c8' lw 0.6, lt 1 lc rgb '#e8e8e8' lw 0.5
| set object 1 rectangle from screen 0,0 to screen 1,1 behind fillstyle empty border lc rgb '#c8c8c8'
| $c0 << EOD
| 512 512000000 497087379 517171717 1000 990 1030
| 1024 1.024e+09 1.024e+09 1.024e+09 1000 1000 1000
| 4096 2.048e+09 2.03781095e+09 2.05829146e+09 2000 1990 2010
| 8192 2.048e+09 2.03781095e+09 2.05829146e+09 4000 3980 4020
| 16384 2.048e+09 2.04289277e+09 2.05313283e+09 8000 7980 8020
| EOD
| set multiplot
| unset key
| set label 1 'iosweep: /data' at screen 0.5,0.96667 center font ',15'
| set label 2 'read, cached, posix, 1 thread, depth 1' at screen 0.5,0.93000 center textcolor rgb '#444444'
| set arrow from screen 0.03111,0.04000 to screen 0.07111,0.04000 nohead lc rgb '#0072B2' lw 1.4 dt 1
| set label '' at screen 0.05111,0.04000 point lc rgb '#0072B2' pt 7 ps 0.65
| set label 'median and its 95 % interval' at screen 0.08222,0.04000 left
| set lmargin at screen 0.08667
| set rmargin at screen 0.98222
| set tmargin at screen 0.85667
| set bmargin at screen 0.16000
| set title 'time per operation (1 / rate)' offset 0,-0.5
| set logscale x 2
| set xrange [409.6:20480]
| set xtics ('512 B' 512, '1 KiB' 1024, '2 KiB' 2048, '4 KiB' 4096, '8 KiB' 8192, '16 KiB' 16384)
| set xlabel 'I/O size' offset 0,0.4
| set logscale y 10
| set yrange [867.170167:9155.98841]
| set ytics ('' 900 1, '1 us' 1000, '2 us' 2000, '' 3000 1, '' 4000 1, '5 us' 5000, '' 6000 1, '' 7000 1, '' 8000 1, '' 9000 1)
| plot $c0 using 1:6:(0):($7-$6) with vectors nohead lc rgb '#0072B2' lw 1.4 notitle, \
|      $c0 using 1:5 with linespoints lc rgb '#0072B2' lw 1.4 dt 1 pt 7 ps 0.65 notitle
| unset label
| unset arrow
| unset object
| unset multiplot
! iosweep: -: 1 of 6 rows is incomplete: cut short, with less data than was asked for
$ iosweep plot --script --quiet --format text curve.csv
| # made by iosweep plot; gnuplot writes the picture to standard output
| set terminal dumb 80,24 noenhanced mono
| set tics nomirror
| set border 3
| set grid xtics ytics mytics lt 1 lc rgb '#c8c8c8' lw 0.6, lt 1 lc rgb '#e8e8e8' lw 0.5
| $c0 << EOD
| 512 512000000 497087379 517171717 1000 990 1030
| 1024 1.024e+09 1.024e+09 1.024e+09 1000 1000 1000
| 4096 2.048e+09 2.03781095e+09 2.05829146e+09 2000 1990 2010
| 8192 2.048e+09 2.03781095e+09 2.05829146e+09 4000 3980 4020
| 16384 2.048e+09 2.04289277e+09 2.05313283e+09 8000 7980 8020
| EOD
| set tmargin 1
| set title 'throughput (iosweep: /data, read, cached, posix, 1 thread, depth 1)'
| set bmargin 3
| set logscale x 2
| set xrange [409.6:20480]
| set xtics ('512 B' 512, '1 KiB' 1024, '2 KiB' 2048, '4 KiB' 4096, '8 KiB' 8192, '16 KiB' 16384)
| set xlabel 'I/O size'
| set ylabel
| unset key
| unset grid
| set logscale y 10
| set yrange [447260425:2.28759499e+09]
| set ytics ('500 MB/s' 500000000, '' 600000000 1, '' 700000000 1, '' 800000000 1, '' 900000000 1, '1 GB/s' 1000000000, '2 GB/s' 2000000000)
| plot $c0 using 1:2 with linespoints pt 1 notitle
| unset label
| unset arrow
| unset object
$ iosweep plot --script --format png --what throughput curve.csv | grep terminal
| set terminal pngcairo noenhanced size 900,600 font 'sans,10' background rgb 'white'
! iosweep: curve.csv: 1 of 6 rows is incomplete: cut short, with less data than was asked for
$ iosweep plot --script --format pdf --what latency curve.csv | grep -e terminal -e title
| set terminal pdfcairo noenhanced size 9.375in,6.250in font 'sans,10' fontscale 0.75 background rgb 'white'
| set title 'latency (p50)' offset 0,-0.5
| plot $l0 using 1:2:3 with filledcurves fillstyle transparent solid 0.14 noborder lc rgb '#0072B2' notitle, \
|      $n0 using 1:2:3 with filledcurves fillstyle transparent solid 0.32 noborder lc rgb '#0072B2' notitle, \
|      $l0 using 1:3 with lines lc rgb '#0072B2' lw 0.6 notitle, \
|      $c0 using 1:8 with linespoints lc rgb '#0072B2' lw 1.4 dt 1 pt 7 ps 0.65 notitle
! iosweep: curve.csv: 1 of 6 rows is incomplete: cut short, with less data than was asked for
$ iosweep plot --script -o curve.gp curve.csv && iosweep plot --script curve.csv | cmp - curve.gp
! iosweep: curve.csv: 1 of 6 rows is incomplete: cut short, with less data than was asked for
! iosweep: curve.csv: 1 of 6 rows is incomplete: cut short, with less data than was asked for

# --- two files of two tests and a label: files have colours, tests have points, and what is common to
# all is said once.  A test that moves no data has a time only.
$ awk 'BEGIN {
> 	for (f = 1; f <= 2; f++) {
> 		file = f == 1 ? "old.csv" : "new.csv"
> 		print "size_bytes,op_ns_median,op_ns_low,op_ns_high,test,target,cache,depth,label" >file
> 		for (i = 0; i < 6; i++) {
> 			ns = 1000 * (f == 1 ? 1 : i == 0 ? 1.5 : i == 1 ? 0.5 : 1)
> 			wide = i == 3 ? 400 : 1
> 			interval = i == 4 ? "," : ns - wide "," ns + wide
> 			print 4096 * 2 ^ i "," ns "," interval ",read,/d,direct," 4 * f ",disk" >file
> 		}
> 		print "512," 900 * f ",,,stat,/d,direct," 4 * f ",disk" >file
> 		print "1024," 1100 * f ",,,stat,/d,direct," 4 * f ",disk" >file
> 	} }'
$ drawn old.csv new.csv
| set object 1 rectangle from screen 0,0 to screen 1,1 behind fillstyle empty border lc rgb '#c8c8c8'
| set multiplot
| unset key
| set label 1 'iosweep: /d' at screen 0.5,0.96667 center font ',15'
| set label 2 'direct, 1 thread, disk' at screen 0.5,0.93000 center textcolor rgb '#444444'
| set arrow from screen 0.03111,0.07333 to screen 0.07111,0.07333 nohead lc rgb '#0072B2' lw 1.4 dt 1
| set label '' at screen 0.05111,0.07333 point lc rgb '#0072B2' pt 7 ps 0.65
| set label 'old.csv read depth 4' at screen 0.08222,0.07333 left
| set arrow from screen 0.03111,0.04000 to screen 0.07111,0.04000 nohead lc rgb '#0072B2' lw 1.4 dt 1
| set label '' at screen 0.05111,0.04000 point lc rgb '#0072B2' pt 5 ps 0.65
| set label 'old.csv stat depth 4' at screen 0.08222,0.04000 left
| set arrow from screen 0.34963,0.07333 to screen 0.38963,0.07333 nohead lc rgb '#D55E00' lw 1.4 dt 2
| set label '' at screen 0.36963,0.07333 point lc rgb '#D55E00' pt 9 ps 0.65
| set label 'new.csv read depth 8' at screen 0.40074,0.07333 left
| set arrow from screen 0.34963,0.04000 to screen 0.38963,0.04000 nohead lc rgb '#D55E00' lw 1.4 dt 2
| set label '' at screen 0.36963,0.04000 point lc rgb '#D55E00' pt 13 ps 0.65
| set label 'new.csv stat depth 8' at screen 0.40074,0.04000 left
| set arrow from screen 0.66815,0.07333 to screen 0.70815,0.07333 nohead lc rgb '#555555' lw 1 dt 3
| set label 'fit: t0 + size / bandwidth' at screen 0.71926,0.07333 left
| set label '' at screen 0.68815,0.04000 point lc rgb '#555555' pt 6 ps 1.2
| set label '90 % of the best throughput' at screen 0.71926,0.04000 left
| set lmargin at screen 0.08667
| set rmargin at screen 0.48222
| set tmargin at screen 0.85667
| set bmargin at screen 0.19333
| set title 'throughput' offset 0,-0.5
| set logscale x 2
| set xrange [409.6:163840]
| set xtics ('1 KiB' 1024, '4 KiB' 4096, '16 KiB' 16384, '64 KiB' 65536, '' 512 1, '' 2048 1, '' 8192 1, '' 32768 1, '' 131072 1)
| set xlabel 'I/O size' offset 0,0.4
| set logscale y 10
| set yrange [2.22592921e+09:1.6084677e+11]
| set ytics ('' 3000000000 1, '' 4000000000 1, '5 GB/s' 5000000000, '' 6000000000 1, '' 7000000000 1, '' 8000000000 1, '' 9000000000 1, '10 GB/s' 10000000000, '20 GB/s' 20000000000, '' 30000000000 1, '' 40000000000 1, '50 GB/s' 50000000000, '' 60000000000 1, '' 70000000000 1, '' 80000000000 1, '' 90000000000 1, '100 GB/s' 100000000000)
| plot $f0 using 1:2 with lines lc rgb '#0072B2' lw 1.2 dt 3 notitle, \
|      $c0 using 1:3:(0):($4-$3) with vectors nohead lc rgb '#0072B2' lw 1.4 notitle, \
|      $c0 using 1:2 with linespoints lc rgb '#0072B2' lw 1.4 dt 1 pt 7 ps 0.65 notitle, \
|      $k0 using 1:2 with points lc rgb '#0072B2' lw 1.5 pt 6 ps 1.2 notitle, \
|      $f2 using 1:2 with lines lc rgb '#D55E00' lw 1.2 dt 3 notitle, \
|      $c2 using 1:3:(0):($4-$3) with vectors nohead lc rgb '#D55E00' lw 1.4 notitle, \
|      $c2 using 1:2 with linespoints lc rgb '#D55E00' lw 1.4 dt 2 pt 9 ps 0.65 notitle, \
|      $k2 using 1:2 with points lc rgb '#D55E00' lw 1.5 pt 6 ps 1.2 notitle
| unset label
| unset arrow
| unset object
| set lmargin at screen 0.58667
| set rmargin at screen 0.98222
| set tmargin at screen 0.85667
| set bmargin at screen 0.19333
| set title 'time per operation (1 / rate)' offset 0,-0.5
| set logscale x 2
| set xrange [409.6:163840]
| set xtics ('1 KiB' 1024, '4 KiB' 4096, '16 KiB' 16384, '64 KiB' 65536, '' 512 1, '' 2048 1, '' 8192 1, '' 32768 1, '' 131072 1)
| set xlabel 'I/O size' offset 0,0.4
| set logscale y 10
| set yrange [447.855963:2451.23453]
| set ytics ('500 ns' 500, '' 600 1, '' 700 1, '' 800 1, '' 900 1, '1 us' 1000, '2 us' 2000)
| plot $f0 using 1:3 with lines lc rgb '#0072B2' lw 1.2 dt 3 notitle, \
|      $c0 using 1:6:(0):($7-$6) with vectors nohead lc rgb '#0072B2' lw 1.4 notitle, \
|      $c0 using 1:5 with linespoints lc rgb '#0072B2' lw 1.4 dt 1 pt 7 ps 0.65 notitle, \
|      $c1 using 1:6:(0):($7-$6) with vectors nohead lc rgb '#0072B2' lw 1.4 notitle, \
|      $c1 using 1:5 with linespoints lc rgb '#0072B2' lw 1.4 dt 1 pt 5 ps 0.65 notitle, \
|      $f2 using 1:3 with lines lc rgb '#D55E00' lw 1.2 dt 3 notitle, \
|      $c2 using 1:6:(0):($7-$6) with vectors nohead lc rgb '#D55E00' lw 1.4 notitle, \
|      $c2 using 1:5 with linespoints lc rgb '#D55E00' lw 1.4 dt 2 pt 9 ps 0.65 notitle, \
|      $c3 using 1:6:(0):($7-$6) with vectors nohead lc rgb '#D55E00' lw 1.4 notitle, \
|      $c3 using 1:5 with linespoints lc rgb '#D55E00' lw 1.4 dt 2 pt 13 ps 0.65 notitle
| unset label
| unset arrow
| unset object
| unset multiplot
! 2 curves of tests that move no data: only the time can be drawn
$ iosweep plot --script --what throughput --no-fit old.csv new.csv | grep -e '^plot' -e '^ .*with' -e title
| set title 'throughput' offset 0,-0.5
| plot $c0 using 1:3:(0):($4-$3) with vectors nohead lc rgb '#0072B2' lw 1.4 notitle, \
|      $c0 using 1:2 with linespoints lc rgb '#0072B2' lw 1.4 dt 1 pt 7 ps 0.65 notitle, \
|      $c1 using 1:3:(0):($4-$3) with vectors nohead lc rgb '#D55E00' lw 1.4 notitle, \
|      $c1 using 1:2 with linespoints lc rgb '#D55E00' lw 1.4 dt 1 pt 5 ps 0.65 notitle
! 2 curves of tests that move no data left out: --what time draws them
$ sed -n '1p; /stat/p' old.csv >stat.csv; iosweep plot --script --what throughput stat.csv | grep -e '^plot' -e title
| set title 'time per operation (1 / rate)' offset 0,-0.5
| plot $c0 using 1:6:(0):($7-$6) with vectors nohead lc rgb '#0072B2' lw 1.4 notitle, \
|      $c0 using 1:5 with linespoints lc rgb '#0072B2' lw 1.4 dt 1 pt 7 ps 0.65 notitle
! 1 curve of tests that move no data: only the time can be drawn

# --- many curves: a panel for each test and cache mode, colours from light to dark for depths, one legend
$ awk 'BEGIN { print "size_bytes,op_ns_median,test,target,engine,cache,depth"
> 	for (i = 0; i < 48; i++)
> 		print 4096 * 2 ^ (i % 4) "," 1000 + i "," (int(i / 4) % 2 ? "read" : "write") ",/d,io_uring," \
> 			(int(i / 8) % 2 ? "direct" : "cached") "," 4 ^ int(i / 16) }' >many.csv
$ drawn --what throughput many.csv
| set object 1 rectangle from screen 0,0 to screen 1,1 behind fillstyle empty border lc rgb '#c8c8c8'
| set multiplot
| unset key
| set label 1 'iosweep: /d' at screen 0.5,0.96865 center font ',15'
| set label 2 'io_uring, 1 thread' at screen 0.5,0.93417 center textcolor rgb '#444444'
| set arrow from screen 0.03111,0.03762 to screen 0.07111,0.03762 nohead lc rgb '#71CE56' lw 1.4 dt 1
| set label '' at screen 0.05111,0.03762 point lc rgb '#71CE56' pt 7 ps 0.65
| set label 'depth 1' at screen 0.08222,0.03762 left
| set arrow from screen 0.34963,0.03762 to screen 0.38963,0.03762 nohead lc rgb '#2B768E' lw 1.4 dt 1
| set label '' at screen 0.36963,0.03762 point lc rgb '#2B768E' pt 5 ps 0.65
| set label 'depth 4' at screen 0.40074,0.03762 left
| set arrow from screen 0.66815,0.03762 to screen 0.70815,0.03762 nohead lc rgb '#440154' lw 1.4 dt 1
| set label '' at screen 0.68815,0.03762 point lc rgb '#440154' pt 9 ps 0.65
| set label 'depth 16' at screen 0.71926,0.03762 left
| set lmargin at screen 0.08667
| set rmargin at screen 0.48222
| set tmargin at screen 0.86520
| set bmargin at screen 0.53605
| set title 'write cached: throughput' offset 0,-0.5
| set logscale x 2
| set xrange [3276.8:40960]
| set xtics ('' 4096, '' 8192, '' 16384, '' 32768)
| unset xlabel
| set logscale y 10
| set yrange [3.43281634e+09:3.73385874e+10]
| set ytics ('' 4000000000 1, '5 GB/s' 5000000000, '' 6000000000 1, '' 7000000000 1, '' 8000000000 1, '' 9000000000 1, '10 GB/s' 10000000000, '20 GB/s' 20000000000, '' 30000000000 1)
| plot $c0 using 1:3:(0):($4-$3) with vectors nohead lc rgb '#71CE56' lw 1.4 notitle, \
|      $c0 using 1:2 with linespoints lc rgb '#71CE56' lw 1.4 dt 1 pt 7 ps 0.65 notitle, \
|      $c4 using 1:3:(0):($4-$3) with vectors nohead lc rgb '#2B768E' lw 1.4 notitle, \
|      $c4 using 1:2 with linespoints lc rgb '#2B768E' lw 1.4 dt 1 pt 5 ps 0.65 notitle, \
|      $c8 using 1:3:(0):($4-$3) with vectors nohead lc rgb '#440154' lw 1.4 notitle, \
|      $c8 using 1:2 with linespoints lc rgb '#440154' lw 1.4 dt 1 pt 9 ps 0.65 notitle
| unset label
| unset arrow
| unset object
| set lmargin at screen 0.58667
| set rmargin at screen 0.98222
| set tmargin at screen 0.86520
| set bmargin at screen 0.53605
| set title 'read cached: throughput' offset 0,-0.5
| set logscale x 2
| set xrange [3276.8:40960]
| set xtics ('' 4096, '' 8192, '' 16384, '' 32768)
| unset xlabel
| set logscale y 10
| set yrange [3.43281634e+09:3.73385874e+10]
| set ytics ('' 4000000000 1, '5 GB/s' 5000000000, '' 6000000000 1, '' 7000000000 1, '' 8000000000 1, '' 9000000000 1, '10 GB/s' 10000000000, '20 GB/s' 20000000000, '' 30000000000 1)
| plot $c1 using 1:3:(0):($4-$3) with vectors nohead lc rgb '#71CE56' lw 1.4 notitle, \
|      $c1 using 1:2 with linespoints lc rgb '#71CE56' lw 1.4 dt 1 pt 7 ps 0.65 notitle, \
|      $c5 using 1:3:(0):($4-$3) with vectors nohead lc rgb '#2B768E' lw 1.4 notitle, \
|      $c5 using 1:2 with linespoints lc rgb '#2B768E' lw 1.4 dt 1 pt 5 ps 0.65 notitle, \
|      $c9 using 1:3:(0):($4-$3) with vectors nohead lc rgb '#440154' lw 1.4 notitle, \
|      $c9 using 1:2 with linespoints lc rgb '#440154' lw 1.4 dt 1 pt 9 ps 0.65 notitle
| unset label
| unset arrow
| unset object
| set lmargin at screen 0.08667
| set rmargin at screen 0.48222
| set tmargin at screen 0.47962
| set bmargin at screen 0.15047
| set title 'write direct: throughput' offset 0,-0.5
| set logscale x 2
| set xrange [3276.8:40960]
| set xtics ('4 KiB' 4096, '8 KiB' 8192, '16 KiB' 16384, '32 KiB' 32768)
| set xlabel 'I/O size' offset 0,0.4
| set logscale y 10
| set yrange [3.43281634e+09:3.73385874e+10]
| set ytics ('' 4000000000 1, '5 GB/s' 5000000000, '' 6000000000 1, '' 7000000000 1, '' 8000000000 1, '' 9000000000 1, '10 GB/s' 10000000000, '20 GB/s' 20000000000, '' 30000000000 1)
| plot $c2 using 1:3:(0):($4-$3) with vectors nohead lc rgb '#71CE56' lw 1.4 notitle, \
|      $c2 using 1:2 with linespoints lc rgb '#71CE56' lw 1.4 dt 1 pt 7 ps 0.65 notitle, \
|      $c6 using 1:3:(0):($4-$3) with vectors nohead lc rgb '#2B768E' lw 1.4 notitle, \
|      $c6 using 1:2 with linespoints lc rgb '#2B768E' lw 1.4 dt 1 pt 5 ps 0.65 notitle, \
|      $c10 using 1:3:(0):($4-$3) with vectors nohead lc rgb '#440154' lw 1.4 notitle, \
|      $c10 using 1:2 with linespoints lc rgb '#440154' lw 1.4 dt 1 pt 9 ps 0.65 notitle
| unset label
| unset arrow
| unset object
| set lmargin at screen 0.58667
| set rmargin at screen 0.98222
| set tmargin at screen 0.47962
| set bmargin at screen 0.15047
| set title 'read direct: throughput' offset 0,-0.5
| set logscale x 2
| set xrange [3276.8:40960]
| set xtics ('4 KiB' 4096, '8 KiB' 8192, '16 KiB' 16384, '32 KiB' 32768)
| set xlabel 'I/O size' offset 0,0.4
| set logscale y 10
| set yrange [3.43281634e+09:3.73385874e+10]
| set ytics ('' 4000000000 1, '5 GB/s' 5000000000, '' 6000000000 1, '' 7000000000 1, '' 8000000000 1, '' 9000000000 1, '10 GB/s' 10000000000, '20 GB/s' 20000000000, '' 30000000000 1)
| plot $c3 using 1:3:(0):($4-$3) with vectors nohead lc rgb '#71CE56' lw 1.4 notitle, \
|      $c3 using 1:2 with linespoints lc rgb '#71CE56' lw 1.4 dt 1 pt 7 ps 0.65 notitle, \
|      $c7 using 1:3:(0):($4-$3) with vectors nohead lc rgb '#2B768E' lw 1.4 notitle, \
|      $c7 using 1:2 with linespoints lc rgb '#2B768E' lw 1.4 dt 1 pt 5 ps 0.65 notitle, \
|      $c11 using 1:3:(0):($4-$3) with vectors nohead lc rgb '#440154' lw 1.4 notitle, \
|      $c11 using 1:2 with linespoints lc rgb '#440154' lw 1.4 dt 1 pt 9 ps 0.65 notitle
| unset label
| unset arrow
| unset object
| unset multiplot
$ iosweep plot --script --format text many.csv | grep -e title -e '^set label' -e '^plot'
| set title 'write cached: throughput (iosweep: /d, io_uring, 1 thread)'
| set label 'A  depth 1' at character 2,0 left
| set label 'B  depth 4' at character 28,0 left
| set label 'C  depth 16' at character 54,0 left
| plot $c0 using 1:2 with linespoints pt 1 notitle, \
|      $c4 using 1:2 with linespoints pt 2 notitle, \
|      $c8 using 1:2 with linespoints pt 3 notitle
| set title 'read cached: throughput (iosweep: /d, io_uring, 1 thread)'
| set label 'A  depth 1' at character 2,0 left
| set label 'B  depth 4' at character 28,0 left
| set label 'C  depth 16' at character 54,0 left
| plot $c1 using 1:2 with linespoints pt 1 notitle, \
|      $c5 using 1:2 with linespoints pt 2 notitle, \
|      $c9 using 1:2 with linespoints pt 3 notitle
| set title 'write direct: throughput (iosweep: /d, io_uring, 1 thread)'
| set label 'A  depth 1' at character 2,0 left
| set label 'B  depth 4' at character 28,0 left
| set label 'C  depth 16' at character 54,0 left
| plot $c2 using 1:2 with linespoints pt 1 notitle, \
|      $c6 using 1:2 with linespoints pt 2 notitle, \
|      $c10 using 1:2 with linespoints pt 3 notitle
| set title 'read direct: throughput (iosweep: /d, io_uring, 1 thread)'
| set label 'A  depth 1' at character 2,0 left
| set label 'B  depth 4' at character 28,0 left
| set label 'C  depth 16' at character 54,0 left
| plot $c3 using 1:2 with linespoints pt 1 notitle, \
|      $c7 using 1:2 with linespoints pt 2 notitle, \
|      $c11 using 1:2 with linespoints pt 3 notitle
$ awk 'BEGIN { print "size_bytes,op_ns_median,label"
> 	for (i = 1; i <= 40; i++) print "512," i * 100 ",label " i }' >alike.csv
$ iosweep plot --script -o alike.gp alike.csv
! iosweep: 40 curves: some look the same; plot files of fewer tests, engines or depths
$ iosweep plot --script --quiet -o alike.gp alike.csv
$ sed '1s/$/,notes/; 2,$s/$/,incomplete/' alike.csv >incomplete.csv; iosweep plot --script -o alike.gp incomplete.csv
! iosweep: incomplete.csv: 40 of 40 rows are incomplete: cut short, with less data than was asked for
! iosweep: 40 curves: some look the same; plot files of fewer tests, engines or depths
# without curves there is no panel, and no gap
$ printf 'size_bytes,op_ns_median,test\n512,1,read\n512,1,stat\n512,1,write\n512,1,list\n512,1,create\n' >five.csv
$ iosweep plot --script five.csv | grep -e margin -e 'set title' -e xlabel
| set lmargin at screen 0.08667
| set rmargin at screen 0.48222
| set tmargin at screen 0.92389
| set bmargin at screen 0.73805
| set title 'read: throughput' offset 0,-0.5
| unset xlabel
| set lmargin at screen 0.58667
| set rmargin at screen 0.98222
| set tmargin at screen 0.92389
| set bmargin at screen 0.73805
| set title 'read: time per operation (1 / rate)' offset 0,-0.5
| unset xlabel
| set lmargin at screen 0.08667
| set rmargin at screen 0.48222
| set tmargin at screen 0.70619
| set bmargin at screen 0.52035
| set title 'stat: time per operation (1 / rate)' offset 0,-0.5
| unset xlabel
| set lmargin at screen 0.58667
| set rmargin at screen 0.98222
| set tmargin at screen 0.70619
| set bmargin at screen 0.52035
| set title 'write: throughput' offset 0,-0.5
| unset xlabel
| set lmargin at screen 0.08667
| set rmargin at screen 0.48222
| set tmargin at screen 0.48850
| set bmargin at screen 0.30265
| set title 'write: time per operation (1 / rate)' offset 0,-0.5
| unset xlabel
| set lmargin at screen 0.58667
| set rmargin at screen 0.98222
| set tmargin at screen 0.48850
| set bmargin at screen 0.30265
| set title 'list: time per operation (1 / rate)' offset 0,-0.5
| unset xlabel
| set lmargin at screen 0.08667
| set rmargin at screen 0.48222
| set tmargin at screen 0.27080
| set bmargin at screen 0.08496
| set title 'create: throughput' offset 0,-0.5
| set xlabel 'I/O size' offset 0,0.4
| set lmargin at screen 0.58667
| set rmargin at screen 0.98222
| set tmargin at screen 0.27080
| set bmargin at screen 0.08496
| set title 'create: time per operation (1 / rate)' offset 0,-0.5
| set xlabel 'I/O size' offset 0,0.4
! 2 curves of tests that move no data: only the time can be drawn
# cache modes keep their colours in any order
$ printf 'size_bytes,op_ns_median,cache\n512,1000,direct\n512,1100,cached\n' >direct.csv; sed 's/direct/x/; s/cached/direct/; s/x/cached/' direct.csv >first.csv
$ for file in direct first; do iosweep plot --script --what throughput $file.csv | grep -e "label '[a-z]" -e linespoints; done
| set label 'direct' at screen 0.08222,0.04000 left
| set label 'cached' at screen 0.56000,0.04000 left
|      $c0 using 1:2 with linespoints lc rgb '#D55E00' lw 1.4 dt 1 pt 5 ps 0.65 notitle, \
|      $c1 using 1:2 with linespoints lc rgb '#0072B2' lw 1.4 dt 1 pt 7 ps 0.65 notitle
| set label 'cached' at screen 0.08222,0.04000 left
| set label 'direct' at screen 0.56000,0.04000 left
|      $c0 using 1:2 with linespoints lc rgb '#0072B2' lw 1.4 dt 1 pt 7 ps 0.65 notitle, \
|      $c1 using 1:2 with linespoints lc rgb '#D55E00' lw 1.4 dt 1 pt 5 ps 0.65 notitle

# --- latency is that of operations: at depth 64 the median is 64 times the time per operation.  A band
# ends where nothing is known, and the one up to p99 begins where that up to p90 ends.
$ cat >latency.csv <<'END'
> size_bytes,op_ns_median,depth,latency_ns_p50,latency_ns_p90,latency_ns_p99,test
> 512,1000,64,64000,70000,90000,read
> 1024,1100,64,70000,,95000,read
> 2048,1200,64,77000,80000,,read
> 4096,1300,64,,,,read
> 512,900,1,910,1000,2000,read
> 1024,901,1,911,1001,2001,read
> 512,800,2,,,,read
> END
$ iosweep plot --script --what latency latency.csv
| # made by iosweep plot; gnuplot writes the picture to standard output
| set encoding utf8
| set terminal svg noenhanced size 900,600 dynamic font 'sans-serif,13' background rgb 'white'
| set tics nomirror
| set border 3
| set grid xtics ytics mytics lt 1 lc rgb '#c8c8c8' lw 0.6, lt 1 lc rgb '#e8e8e8' lw 0.5
| set object 1 rectangle from screen 0,0 to screen 1,1 behind fillstyle empty border lc rgb '#c8c8c8'
| $c0 << EOD
| 512 512000000 512000000 512000000 1000 1000 1000 64000
| 1024 930909091 930909091 930909091 1100 1100 1100 70000
| 2048 1.70666667e+09 1.70666667e+09 1.70666667e+09 1200 1200 1200 77000
| 4096 3.15076923e+09 3.15076923e+09 3.15076923e+09 1300 1300 1300 NaN
| EOD
| $l0 << EOD
| 512 70000 90000
| 1024 70000 95000
|
|
| EOD
| $n0 << EOD
| 512 64000 70000
|
| 2048 77000 80000
|
| EOD
| $c1 << EOD
| 512 568888889 568888889 568888889 900 900 900 910
| 1024 1.13651498e+09 1.13651498e+09 1.13651498e+09 901 901 901 911
| EOD
| $l1 << EOD
| 512 1000 2000
| 1024 1001 2001
| EOD
| $n1 << EOD
| 512 910 1000
| 1024 911 1001
| EOD
| set multiplot
| unset key
| set label 1 'iosweep' at screen 0.5,0.96667 center font ',15'
| set label 2 'read, 1 thread' at screen 0.5,0.93000 center textcolor rgb '#444444'
| set arrow from screen 0.03111,0.04000 to screen 0.07111,0.04000 nohead lc rgb '#0072B2' lw 1.4 dt 1
| set label '' at screen 0.05111,0.04000 point lc rgb '#0072B2' pt 7 ps 0.65
| set label 'depth 64' at screen 0.08222,0.04000 left
| set arrow from screen 0.27000,0.04000 to screen 0.31000,0.04000 nohead lc rgb '#D55E00' lw 1.4 dt 1
| set label '' at screen 0.29000,0.04000 point lc rgb '#D55E00' pt 5 ps 0.65
| set label 'depth 1' at screen 0.32111,0.04000 left
| set object 12 rectangle from screen 0.50889,0.03000 to screen 0.54889,0.05000 fillcolor rgb '#555555' fillstyle transparent solid 0.32 noborder
| set label 'p50 to p90' at screen 0.56000,0.04000 left
| set object 13 rectangle from screen 0.74778,0.03000 to screen 0.78778,0.05000 fillcolor rgb '#555555' fillstyle transparent solid 0.14 noborder
| set label 'up to p99' at screen 0.79889,0.04000 left
| set lmargin at screen 0.08667
| set rmargin at screen 0.98222
| set tmargin at screen 0.85667
| set bmargin at screen 0.16000
| set title 'latency (p50)' offset 0,-0.5
| set logscale x 2
| set xrange [409.6:5120]
| set xtics ('512 B' 512, '1 KiB' 1024, '2 KiB' 2048, '4 KiB' 4096)
| set xlabel 'I/O size' offset 0,0.4
| set logscale y 10
| set yrange [719.622618:120132.411]
| set ytics ('1 us' 1000, '' 2000 1, '' 5000 1, '10 us' 10000, '' 20000 1, '' 50000 1, '100 us' 100000)
| plot $l0 using 1:2:3 with filledcurves fillstyle transparent solid 0.14 noborder lc rgb '#0072B2' notitle, \
|      $n0 using 1:2:3 with filledcurves fillstyle transparent solid 0.32 noborder lc rgb '#0072B2' notitle, \
|      $l0 using 1:3 with lines lc rgb '#0072B2' lw 0.6 notitle, \
|      $c0 using 1:8 with linespoints lc rgb '#0072B2' lw 1.4 dt 1 pt 7 ps 0.65 notitle, \
|      $l1 using 1:2:3 with filledcurves fillstyle transparent solid 0.14 noborder lc rgb '#D55E00' notitle, \
|      $n1 using 1:2:3 with filledcurves fillstyle transparent solid 0.32 noborder lc rgb '#D55E00' notitle, \
|      $l1 using 1:3 with lines lc rgb '#D55E00' lw 0.6 notitle, \
|      $c1 using 1:8 with linespoints lc rgb '#D55E00' lw 1.4 dt 1 pt 5 ps 0.65 notitle
| unset label
| unset arrow
| unset object
| unset multiplot
! 1 curve without latencies left out: --what time draws the time per operation
$ iosweep plot --script --what latency --format text latency.csv | grep -v '^set [xy]'
| # made by iosweep plot; gnuplot writes the picture to standard output
| set terminal dumb 80,24 noenhanced mono
| set tics nomirror
| set border 3
| set grid xtics ytics mytics lt 1 lc rgb '#c8c8c8' lw 0.6, lt 1 lc rgb '#e8e8e8' lw 0.5
| $c0 << EOD
| 512 512000000 512000000 512000000 1000 1000 1000 64000
| 1024 930909091 930909091 930909091 1100 1100 1100 70000
| 2048 1.70666667e+09 1.70666667e+09 1.70666667e+09 1200 1200 1200 77000
| 4096 3.15076923e+09 3.15076923e+09 3.15076923e+09 1300 1300 1300 NaN
| EOD
| $c1 << EOD
| 512 568888889 568888889 568888889 900 900 900 910
| 1024 1.13651498e+09 1.13651498e+09 1.13651498e+09 901 901 901 911
| EOD
| set tmargin 1
| set title 'latency (p50) (iosweep, read, 1 thread)'
| set bmargin 5
| set logscale x 2
| unset key
| unset grid
| set label 'A  depth 64' at character 2,0 left
| set label 'B  depth 1' at character 41,0 left
| set logscale y 10
| plot $c0 using 1:8 with linespoints pt 1 notitle, \
|      $c1 using 1:8 with linespoints pt 2 notitle
| unset label
| unset arrow
| unset object
! 1 curve without latencies left out: --what time draws the time per operation
$ iosweep plot --script latency.csv | grep title # not all of them have one
| set title 'throughput' offset 0,-0.5
| plot $f0 using 1:2 with lines lc rgb '#440154' lw 1.2 dt 3 notitle, \
|      $c0 using 1:3:(0):($4-$3) with vectors nohead lc rgb '#440154' lw 1.4 notitle, \
|      $c0 using 1:2 with linespoints lc rgb '#440154' lw 1.4 dt 1 pt 9 ps 0.65 notitle, \
|      $k0 using 1:2 with points lc rgb '#440154' lw 1.5 pt 6 ps 1.2 notitle, \
|      $c1 using 1:3:(0):($4-$3) with vectors nohead lc rgb '#71CE56' lw 1.4 notitle, \
|      $c1 using 1:2 with linespoints lc rgb '#71CE56' lw 1.4 dt 1 pt 7 ps 0.65 notitle, \
|      $c2 using 1:3:(0):($4-$3) with vectors nohead lc rgb '#2B768E' lw 1.4 notitle, \
|      $c2 using 1:2 with linespoints lc rgb '#2B768E' lw 1.4 dt 1 pt 5 ps 0.65 notitle
| set title 'time per operation (1 / rate)' offset 0,-0.5
| plot $f0 using 1:3 with lines lc rgb '#440154' lw 1.2 dt 3 notitle, \
|      $c0 using 1:6:(0):($7-$6) with vectors nohead lc rgb '#440154' lw 1.4 notitle, \
|      $c0 using 1:5 with linespoints lc rgb '#440154' lw 1.4 dt 1 pt 9 ps 0.65 notitle, \
|      $c1 using 1:6:(0):($7-$6) with vectors nohead lc rgb '#71CE56' lw 1.4 notitle, \
|      $c1 using 1:5 with linespoints lc rgb '#71CE56' lw 1.4 dt 1 pt 7 ps 0.65 notitle, \
|      $c2 using 1:6:(0):($7-$6) with vectors nohead lc rgb '#2B768E' lw 1.4 notitle, \
|      $c2 using 1:5 with linespoints lc rgb '#2B768E' lw 1.4 dt 1 pt 5 ps 0.65 notitle
$ cut -d, -f1-3 latency.csv >time.csv; iosweep plot --script --what latency time.csv
! iosweep: no latencies in time.csv; CSV and JSON of iosweep have them where there were enough operations; --what time draws the time per operation
? 2

# --- maps: of depths, or threads; a field is empty where nothing was measured
$ awk 'BEGIN { print "size_bytes,operations,time_s,test,target,engine,cache,threads,depth"
> 	for (depth = 8; depth; depth = int(depth / 2))
> 		for (size = 4096; size <= 65536; size *= 4)
> 			if (depth < 8 || size < 65536)
> 				printf "%d,1000,%.9f,read,/x,io_uring,direct,1,%d\n", size, (5e-2 + size / 1e6) / depth, depth }' >depth.csv
$ iosweep plot --heat depth.csv
! iosweep: --heat needs colours; give -o FILE.svg, FILE.png or FILE.pdf
? 2
$ iosweep plot --script --heat --format svg depth.csv | sed '1,/^set grid/d'
| set object 1 rectangle from screen 0,0 to screen 1,1 behind fillstyle empty border lc rgb '#c8c8c8'
| set multiplot
| unset key
| unset grid
| set tics out scale 0.5
| set border 0
| set palette defined (0 '#440154', 1 '#472D7B', 2 '#3B528B', 3 '#2C728E', 4 '#21918C', 5 '#28AE80', 6 '#5EC962', 7 '#ADDC30', 8 '#FDE725')
| set label 1 'iosweep: /x' at screen 0.5,0.96667 center font ',15'
| set label 2 'read, direct, io_uring, 1 thread' at screen 0.5,0.93000 center textcolor rgb '#444444'
| $m0 << EOD
| 0 0 75717243.4
| 1 0 246806459
| 2 0 567234455
| 0 1 151434487
| 1 1 493612919
| 2 1 1.13446891e+09
| 0 2 302868974
| 1 2 987225838
| 2 2 2.26893782e+09
| 0 3 605737947
| 1 3 1.97445168e+09
| EOD
| $w0 << EOD
| 0 0 75.7 MB/s
| 1 0 247 MB/s
| 0 1 151 MB/s
| 0 2 303 MB/s
| EOD
| $b0 << EOD
| 2 0 567 MB/s
| 1 1 494 MB/s
| 2 1 1.13 GB/s
| 1 2 987 MB/s
| 2 2 2.27 GB/s
| 0 3 606 MB/s
| 1 3 1.97 GB/s
| EOD
| set lmargin at screen 0.07111
| set rmargin at screen 0.87111
| set tmargin at screen 0.85333
| set bmargin at screen 0.10000
| set title 'throughput, lighter is faster' offset 0,-0.5
| set xrange [-0.5:2.5]
| set yrange [-0.5:3.5]
| set xtics ('4 KiB' 0, '16 KiB' 1, '64 KiB' 2)
| set ytics ('1' 0, '2' 1, '4' 2, '8' 3)
| set xlabel 'I/O size' offset 0,0.4
| set label 'depth' at screen 0.06222,0.86833 right
| set logscale cb 10
| set cbrange [62941977.5:2.7294617e+09]
| set cbtics ('' 70000000 1, '' 80000000 1, '' 90000000 1, '100 MB/s' 100000000, '200 MB/s' 200000000, '' 300000000 1, '' 400000000 1, '500 MB/s' 500000000, '' 600000000 1, '' 700000000 1, '' 800000000 1, '' 900000000 1, '1 GB/s' 1000000000, '2 GB/s' 2000000000)
| set colorbox user origin screen 0.88667,0.10000 size screen 0.01778,0.75333
| plot $m0 using 1:2:(0.49):(0.49):3 with boxxyerror fillstyle solid 1.0 noborder lc palette notitle, \
|      $w0 using 1:2:(stringcolumn(3).' '.stringcolumn(4)) with labels font ',11' tc rgb 'white' notitle, \
|      $b0 using 1:2:(stringcolumn(3).' '.stringcolumn(4)) with labels font ',11' tc rgb 'black' notitle
| unset label
| unset arrow
| unset object
| unset multiplot
$ iosweep plot --script --heat --what time --format svg depth.csv | grep -e 'set title' -e ' us' -e ' ms'
| 0 2 13.5 us
| 1 2 16.6 us
| 0 3 6.76 us
| 1 3 8.30 us
| 0 0 54.1 us
| 1 0 66.4 us
| 2 0 116 us
| 0 1 27.0 us
| 1 1 33.2 us
| 2 1 57.8 us
| 2 2 28.9 us
| set title 'time per operation, lighter is slower' offset 0,-0.5
| set cbtics ('' 6000 1, '' 7000 1, '' 8000 1, '' 9000 1, '10 us' 10000, '20 us' 20000, '' 30000 1, '' 40000 1, '50 us' 50000, '' 60000 1, '' 70000 1, '' 80000 1, '' 90000 1, '100 us' 100000)
| set colorbox user origin screen 0.88667,0.10000 size screen 0.01778,0.75333
| plot $m0 using 1:2:(0.49):(0.49):3 with boxxyerror fillstyle solid 1.0 noborder lc palette notitle, \
|      $w0 using 1:2:(stringcolumn(3).' '.stringcolumn(4)) with labels font ',11' tc rgb 'white' notitle, \
|      $b0 using 1:2:(stringcolumn(3).' '.stringcolumn(4)) with labels font ',11' tc rgb 'black' notitle
$ iosweep plot --script --heat --what both --format png depth.csv | grep 'set title'
| set title 'throughput, lighter is faster' offset 0,-0.5
| set title 'time per operation, lighter is slower' offset 0,-0.5
$ iosweep plot --script --heat --what latency --format svg latency.csv | sed -n '/<</,/EOD/p; /title/p'
| $m0 << EOD
| 0 0 910
| 1 0 911
| 0 1 64000
| 1 1 70000
| 2 1 77000
| EOD
| $w0 << EOD
| 0 0 910 ns
| 1 0 911 ns
| EOD
| $b0 << EOD
| 0 1 64.0 us
| 1 1 70.0 us
| 2 1 77.0 us
| EOD
| set title 'latency (p50), lighter is slower' offset 0,-0.5
| plot $m0 using 1:2:(0.49):(0.49):3 with boxxyerror fillstyle solid 1.0 noborder lc palette notitle, \
|      $w0 using 1:2:(stringcolumn(3).' '.stringcolumn(4)) with labels font ',11' tc rgb 'white' notitle, \
|      $b0 using 1:2:(stringcolumn(3).' '.stringcolumn(4)) with labels font ',11' tc rgb 'black' notitle
! 1 curve without latencies left out: --what time draws the time per operation
$ awk -F, 'BEGIN { OFS = "," } NR > 1 { $8 = $9; $9 = 1 } { print }' depth.csv >threads.csv
$ iosweep plot --script --heat --format svg threads.csv | grep -e "label '" -e ytics
| set grid xtics ytics mytics lt 1 lc rgb '#c8c8c8' lw 0.6, lt 1 lc rgb '#e8e8e8' lw 0.5
| set ytics ('1' 0, '2' 1, '4' 2, '8' 3)
| set xlabel 'I/O size' offset 0,0.4
| set label 'threads' at screen 0.06222,0.86833 right

# --- distributions: of the histograms of JSON, or none
$ cat >histograms.json <<'END'
> {"rows":[{"size_bytes":512,"cache":"cached","rate_per_s":1000,"latency_histogram":[[1000,50],[2000,40],[4000,10]]},
> {"size_bytes":512,"cache":"direct","rate_per_s":1000,"latency_histogram":[[40,1000]]},
> {"size_bytes":512,"cache":"uncached","rate_per_s":1000,"latency_histogram":[[40,19]]}]}
> END
$ iosweep plot --script --what cdf histograms.json
| # made by iosweep plot; gnuplot writes the picture to standard output
| set encoding utf8
| set terminal svg noenhanced size 900,600 dynamic font 'sans-serif,13' background rgb 'white'
| set tics nomirror
| set border 3
| set grid xtics ytics mytics lt 1 lc rgb '#c8c8c8' lw 0.6, lt 1 lc rgb '#e8e8e8' lw 0.5
| set object 1 rectangle from screen 0,0 to screen 1,1 behind fillstyle empty border lc rgb '#c8c8c8'
| $d0 << EOD
| 1000 -2.32635
| 1008 0.00000
| 2000 0.00000
| 2016 1.28155
| EOD
| $d1 << EOD
| 40 -2.32635
| 41 2.32635
| EOD
| set multiplot
| unset key
| set label 1 'iosweep' at screen 0.5,0.96667 center font ',15'
| set label 2 '1 thread, depth 1' at screen 0.5,0.93000 center textcolor rgb '#444444'
| set arrow from screen 0.03111,0.04000 to screen 0.07111,0.04000 nohead lc rgb '#0072B2' lw 1.4 dt 1
| set label '' at screen 0.05111,0.04000 point lc rgb '#0072B2' pt 7 ps 0.65
| set label 'cached' at screen 0.08222,0.04000 left
| set arrow from screen 0.50889,0.04000 to screen 0.54889,0.04000 nohead lc rgb '#D55E00' lw 1.4 dt 1
| set label '' at screen 0.52889,0.04000 point lc rgb '#D55E00' pt 5 ps 0.65
| set label 'direct' at screen 0.56000,0.04000 left
| set lmargin at screen 0.08667
| set rmargin at screen 0.98222
| set tmargin at screen 0.85667
| set bmargin at screen 0.16000
| set title 'latency percentiles' offset 0,-0.5
| set logscale x 10
| set xrange [32.5666788:2476.15056]
| set xtics ('' 50 1, '100 ns' 100, '' 200 1, '' 500 1, '1 us' 1000, '' 2000 1)
| set xlabel 'latency' offset 0,0.4
| unset logscale y
| set yrange [-2.42635:2.55000]
| set ytics ('p1' -2.32635, 'p10' -1.28155, 'p25' -0.67449, 'p50' 0.00000, 'p75' 0.67449, 'p90' 1.28155, 'p99' 2.32635, 'p99.9' 3.09023, 'p99.99' 3.71902)
| plot $d0 using 1:2 with linespoints lc rgb '#0072B2' lw 1.6 dt 1 pt 7 ps 0.65 pointinterval 1 notitle, \
|      $d1 using 1:2 with linespoints lc rgb '#D55E00' lw 1.6 dt 1 pt 5 ps 0.65 pointinterval 1 notitle
| unset label
| unset arrow
| unset object
| unset multiplot
$ drawn --what cdf "$data/run.json" | sed '/^unset multiplot/,$d; 1,/label 1/!{ /title .write/,$d; }'
| set object 1 rectangle from screen 0,0 to screen 1,1 behind fillstyle empty border lc rgb '#c8c8c8'
| set multiplot
| unset key
| set label 1 'iosweep: /data on host1' at screen 0.5,0.96865 center font ',15'
| set label 2 'posix, 1 thread, depth 1, a | b' at screen 0.5,0.93417 center textcolor rgb '#444444'
| set arrow from screen 0.03111,0.03762 to screen 0.07111,0.03762 nohead lc rgb '#71CE56' lw 1.4 dt 1
| set label '' at screen 0.05111,0.03762 point lc rgb '#71CE56' pt 7 ps 0.65
| set label '4 KiB' at screen 0.08222,0.03762 left
| set arrow from screen 0.34963,0.03762 to screen 0.38963,0.03762 nohead lc rgb '#2B768E' lw 1.4 dt 1
| set label '' at screen 0.36963,0.03762 point lc rgb '#2B768E' pt 5 ps 0.65
| set label '64 KiB' at screen 0.40074,0.03762 left
| set arrow from screen 0.66815,0.03762 to screen 0.70815,0.03762 nohead lc rgb '#440154' lw 1.4 dt 1
| set label '' at screen 0.68815,0.03762 point lc rgb '#440154' pt 9 ps 0.65
| set label '1 MiB' at screen 0.71926,0.03762 left
| set lmargin at screen 0.08667
| set rmargin at screen 0.48222
| set tmargin at screen 0.86520
| set bmargin at screen 0.53605
| set title 'read cached: latency percentiles' offset 0,-0.5
| set logscale x 10
| set xrange [3110.49553:11816344.2]
| set xtics ('' 5000 1, '' 10000, '' 20000 1, '' 50000 1, '' 100000, '' 200000 1, '' 500000 1, '' 1000000, '' 2000000 1, '' 5000000 1, '' 10000000)
| unset xlabel
| unset logscale y
| set yrange [-2.42635:2.55000]
| set ytics ('p1' -2.32635, 'p10' -1.28155, 'p25' -0.67449, 'p50' 0.00000, 'p75' 0.67449, 'p90' 1.28155, 'p99' 2.32635, 'p99.9' 3.09023, 'p99.99' 3.71902)
| plot $d0 using 1:2 with linespoints lc rgb '#71CE56' lw 1.6 dt 1 pt 7 ps 0.65 pointinterval 9 notitle, \
|      $d1 using 1:2 with linespoints lc rgb '#2B768E' lw 1.6 dt 1 pt 5 ps 0.65 pointinterval 11 notitle, \
|      $d2 using 1:2 with linespoints lc rgb '#440154' lw 1.6 dt 1 pt 9 ps 0.65 pointinterval 13 notitle
| unset label
| unset arrow
| unset object
| set lmargin at screen 0.58667
| set rmargin at screen 0.98222
| set tmargin at screen 0.86520
| set bmargin at screen 0.53605
$ awk 'BEGIN { print "{\"rows\":["
> 	for (i = 0; i < 18; i++)
> 		printf "%s{\"size_bytes\":%d,\"cache\":\"%s\",\"rate_per_s\":1,\"latency_histogram\":[[%d,500],[%d,500]]}\n", \
> 			i ? "," : "", 512 * 2 ^ (i % 9), i < 9 ? "cached" : "direct", 1000 * 2 ^ (i % 9), 2000 * 2 ^ (i % 9)
> 	print "]}" }' >nine.json
$ drawn --what cdf nine.json | grep -e " at screen" -e title
| set label 1 'iosweep' at screen 0.5,0.96667 center font ',15'
| set label 2 '1 thread, depth 1' at screen 0.5,0.93000 center textcolor rgb '#444444'
| set label '' at screen 0.05111,0.04000 point lc rgb '#71CE56' pt 7 ps 0.65
| set label '512 B' at screen 0.08222,0.04000 left
| set label '' at screen 0.18762,0.04000 point lc rgb '#33B37A' pt 5 ps 0.65
| set label '1 KiB' at screen 0.21873,0.04000 left
| set label '' at screen 0.32413,0.04000 point lc rgb '#22968A' pt 9 ps 0.65
| set label '4 KiB' at screen 0.35524,0.04000 left
| set label '' at screen 0.46063,0.04000 point lc rgb '#2B768E' pt 13 ps 0.65
| set label '8 KiB' at screen 0.49175,0.04000 left
| set label '' at screen 0.59714,0.04000 point lc rgb '#3A558B' pt 11 ps 0.65
| set label '16 KiB' at screen 0.62825,0.04000 left
| set label '' at screen 0.73365,0.04000 point lc rgb '#472E7C' pt 15 ps 0.65
| set label '64 KiB' at screen 0.76476,0.04000 left
| set label '' at screen 0.87016,0.04000 point lc rgb '#440154' pt 6 ps 0.65
| set label '128 KiB' at screen 0.90127,0.04000 left
| set lmargin at screen 0.08667
| set rmargin at screen 0.48222
| set tmargin at screen 0.85667
| set bmargin at screen 0.16000
| set title 'cached: latency percentiles' offset 0,-0.5
| plot $d0 using 1:2 with linespoints lc rgb '#71CE56' lw 1.6 dt 1 pt 7 ps 0.65 pointinterval 1 notitle, \
|      $d1 using 1:2 with linespoints lc rgb '#33B37A' lw 1.6 dt 1 pt 5 ps 0.65 pointinterval 1 notitle, \
|      $d2 using 1:2 with linespoints lc rgb '#22968A' lw 1.6 dt 1 pt 9 ps 0.65 pointinterval 1 notitle, \
|      $d3 using 1:2 with linespoints lc rgb '#2B768E' lw 1.6 dt 1 pt 13 ps 0.65 pointinterval 1 notitle, \
|      $d4 using 1:2 with linespoints lc rgb '#3A558B' lw 1.6 dt 1 pt 11 ps 0.65 pointinterval 1 notitle, \
|      $d5 using 1:2 with linespoints lc rgb '#472E7C' lw 1.6 dt 1 pt 15 ps 0.65 pointinterval 1 notitle, \
|      $d6 using 1:2 with linespoints lc rgb '#440154' lw 1.6 dt 1 pt 6 ps 0.65 pointinterval 1 notitle
| set lmargin at screen 0.58667
| set rmargin at screen 0.98222
| set tmargin at screen 0.85667
| set bmargin at screen 0.16000
| set title 'direct: latency percentiles' offset 0,-0.5
| plot $d7 using 1:2 with linespoints lc rgb '#71CE56' lw 1.6 dt 1 pt 7 ps 0.65 pointinterval 1 notitle, \
|      $d8 using 1:2 with linespoints lc rgb '#33B37A' lw 1.6 dt 1 pt 5 ps 0.65 pointinterval 1 notitle, \
|      $d9 using 1:2 with linespoints lc rgb '#22968A' lw 1.6 dt 1 pt 9 ps 0.65 pointinterval 1 notitle, \
|      $d10 using 1:2 with linespoints lc rgb '#2B768E' lw 1.6 dt 1 pt 13 ps 0.65 pointinterval 1 notitle, \
|      $d11 using 1:2 with linespoints lc rgb '#3A558B' lw 1.6 dt 1 pt 11 ps 0.65 pointinterval 1 notitle, \
|      $d12 using 1:2 with linespoints lc rgb '#472E7C' lw 1.6 dt 1 pt 15 ps 0.65 pointinterval 1 notitle, \
|      $d13 using 1:2 with linespoints lc rgb '#440154' lw 1.6 dt 1 pt 6 ps 0.65 pointinterval 1 notitle
! 2 sizes between those that are drawn are left out
$ drawn --what cdf --format text nine.json
| set bmargin 7
| set tmargin 1
| set title 'cached: latency percentiles'
| set logscale x 10
| set xrange [741.825027:695711.227]
| set xtics ('1 us' 1000, '' 2000 1, '' 5000 1, '10 us' 10000, '' 20000 1, '' 50000 1, '100 us' 100000, '' 200000 1, '' 500000 1)
| set xlabel 'latency'
| unset key
| unset grid
| unset logscale y
| set yrange [-2.42635:2.55000]
| set ytics ('p1' -2.32635, 'p10' -1.28155, 'p25' -0.67449, 'p50' 0.00000, 'p75' 0.67449, 'p90' 1.28155, 'p99' 2.32635, 'p99.9' 3.09023, 'p99.99' 3.71902)
| set label 'A  512 B' at character 2,2 left
| set label 'B  1 KiB' at character 2,1 left
| set label 'C  4 KiB' at character 2,0 left
| set label 'D  8 KiB' at character 28,2 left
| set label 'E  16 KiB' at character 28,1 left
| set label 'F  64 KiB' at character 28,0 left
| set label 'G  128 KiB' at character 54,2 left
| plot $d0 using 1:2 with linespoints pt 1 pointinterval 1 notitle, \
|      $d1 using 1:2 with linespoints pt 2 pointinterval 1 notitle, \
|      $d2 using 1:2 with linespoints pt 3 pointinterval 1 notitle, \
|      $d3 using 1:2 with linespoints pt 4 pointinterval 1 notitle, \
|      $d4 using 1:2 with linespoints pt 5 pointinterval 1 notitle, \
|      $d5 using 1:2 with linespoints pt 6 pointinterval 1 notitle, \
|      $d6 using 1:2 with linespoints pt 7 pointinterval 1 notitle
| unset label
| unset arrow
| unset object
| set bmargin 7
| set tmargin 1
| set title 'direct: latency percentiles'
| set logscale x 10
| set xrange [741.825027:695711.227]
| set xtics ('1 us' 1000, '' 2000 1, '' 5000 1, '10 us' 10000, '' 20000 1, '' 50000 1, '100 us' 100000, '' 200000 1, '' 500000 1)
| set xlabel 'latency'
| unset key
| unset grid
| unset logscale y
| set yrange [-2.42635:2.55000]
| set ytics ('p1' -2.32635, 'p10' -1.28155, 'p25' -0.67449, 'p50' 0.00000, 'p75' 0.67449, 'p90' 1.28155, 'p99' 2.32635, 'p99.9' 3.09023, 'p99.99' 3.71902)
| set label 'A  512 B' at character 2,2 left
| set label 'B  1 KiB' at character 2,1 left
| set label 'C  4 KiB' at character 2,0 left
| set label 'D  8 KiB' at character 28,2 left
| set label 'E  16 KiB' at character 28,1 left
| set label 'F  64 KiB' at character 28,0 left
| set label 'G  128 KiB' at character 54,2 left
| plot $d7 using 1:2 with linespoints pt 1 pointinterval 1 notitle, \
|      $d8 using 1:2 with linespoints pt 2 pointinterval 1 notitle, \
|      $d9 using 1:2 with linespoints pt 3 pointinterval 1 notitle, \
|      $d10 using 1:2 with linespoints pt 4 pointinterval 1 notitle, \
|      $d11 using 1:2 with linespoints pt 5 pointinterval 1 notitle, \
|      $d12 using 1:2 with linespoints pt 6 pointinterval 1 notitle, \
|      $d13 using 1:2 with linespoints pt 7 pointinterval 1 notitle
| unset label
| unset arrow
| unset object
! 2 sizes between those that are drawn are left out
$ iosweep plot --script --what cdf curve.csv
! iosweep: no distribution of latencies is known in curve.csv; repeat the run with --format json
? 2

# --- comparisons: a cell that is slower, one that is faster, the same, one of which that cannot be
# told, and one without an interval; cells that are in one file only are counted
$ iosweep plot --script --compare old.csv new.csv | sed '1,/^set grid/d'
| set object 1 rectangle from screen 0,0 to screen 1,1 behind fillstyle empty border lc rgb '#c8c8c8'
| $b0 << EOD
| 4096 1.49251996 1.50752004
| 8192 0.495517955 0.504518045
| 16384 0.994017962 1.00601804
| 32768 0.0787172012 12.7037037
|
| 131072 0.994017962 1.00601804
| EOD
| $r0 << EOD
| 4096 1.5
| 8192 0.5
| 16384 1
| 32768 1
| 65536 1
| 131072 1
| EOD
| $p0_0 << EOD
| 65536 1 1 1
| EOD
| $p0_1 << EOD
| 32768 1 0.0787172012 12.7037037
| EOD
| $p0_2 << EOD
| 16384 1 0.994017962 1.00601804
| 131072 1 0.994017962 1.00601804
| EOD
| $p0_3 << EOD
| 4096 1.5 1.49251996 1.50752004
| EOD
| $p0_4 << EOD
| 8192 0.5 0.495517955 0.504518045
| EOD
| $b1 << EOD
|
|
| EOD
| $r1 << EOD
| 512 2
| 1024 2
| EOD
| $p1_0 << EOD
| 512 2 2 2
| 1024 2 2 2
| EOD
| set multiplot
| unset key
| set label 1 'old.csv -> new.csv' at screen 0.5,0.96667 center font ',15'
| set label 2 'direct, 1 thread, disk, depth: 4 -> 8' at screen 0.5,0.93000 center textcolor rgb '#444444'
| set label '' at screen 0.05111,0.10667 point lc rgb '#0072B2' pt 11 ps 1.2
| set label 'faster' at screen 0.08222,0.10667 left
| set label '' at screen 0.05111,0.07333 point lc rgb '#D55E00' pt 9 ps 1.2
| set label 'slower' at screen 0.08222,0.07333 left
| set label '' at screen 0.05111,0.04000 point lc rgb '#000000' pt 7 ps 1.2
| set label 'same, within the tolerance' at screen 0.08222,0.04000 left
| set label '' at screen 0.36963,0.10667 point lc rgb '#777777' pt 6 ps 1.2
| set label 'unclear' at screen 0.40074,0.10667 left
| set label '' at screen 0.36963,0.07333 point lc rgb '#777777' pt 1 ps 1.2
| set label 'no interval to judge by' at screen 0.40074,0.07333 left
| set object 15 rectangle from screen 0.34963,0.03000 to screen 0.38963,0.05000 fillcolor rgb '#56B4E9' fillstyle transparent solid 0.32 noborder
| set label 'interval (conservative)' at screen 0.40074,0.04000 left
| set object 16 rectangle from screen 0.66815,0.09667 to screen 0.70815,0.11667 fillcolor rgb '#888888' fillstyle transparent solid 0.32 noborder
| set label 'no difference: within 2 %' at screen 0.71926,0.10667 left
| set lmargin at screen 0.08667
| set rmargin at screen 0.42222
| set tmargin at screen 0.85667
| set bmargin at screen 0.22667
| set title 'read: time per operation, new against old' offset 0,-0.5
| set logscale x 2
| set xrange [409.6:163840]
| set xtics ('1 KiB' 1024, '4 KiB' 4096, '16 KiB' 16384, '64 KiB' 65536, '' 512 1, '' 2048 1, '' 8192 1, '' 32768 1, '' 131072 1)
| set xlabel 'I/O size' offset 0,0.4
| set logscale y
| set yrange [0.0610487265:5.65685425]
| set ytics ('same' 1, '+100 %%' 2, '5 times' 5, '-50 %%' 0.5, '-80 %%' 0.2, '-90 %%' 0.1)
| set object rectangle from graph 0,first 0.980392157 to graph 1,first 1.02 behind fillcolor rgb '#b8b8b8' fillstyle solid 0.6 noborder
| set label 'slower' at graph 1.01,0.93 left textcolor rgb '#A04000'
| set label 'faster' at graph 1.01,0.07 left textcolor rgb '#005A8C'
| plot $b0 using 1:2:3 with filledcurves fillstyle transparent solid 0.30 noborder lc rgb '#56B4E9' notitle, \
|      1 with lines lc rgb '#555555' lw 0.8 notitle, \
|      $r0 using 1:2 with lines lc rgb '#555555' lw 1.2 notitle, \
|      $p0_0 using 1:3:(0):($4-$3) with vectors nohead lc rgb '#777777' lw 1.2 notitle, \
|      $p0_0 using 1:2 with points lc rgb '#777777' pt 1 ps 0.9 notitle, \
|      $p0_1 using 1:3:(0):($4-$3) with vectors nohead lc rgb '#777777' lw 1.2 notitle, \
|      $p0_1 using 1:2 with points lc rgb '#777777' pt 6 ps 0.9 notitle, \
|      $p0_2 using 1:3:(0):($4-$3) with vectors nohead lc rgb '#000000' lw 1.2 notitle, \
|      $p0_2 using 1:2 with points lc rgb '#000000' pt 7 ps 0.9 notitle, \
|      $p0_3 using 1:3:(0):($4-$3) with vectors nohead lc rgb '#D55E00' lw 1.2 notitle, \
|      $p0_3 using 1:2 with points lc rgb '#D55E00' pt 9 ps 0.9 notitle, \
|      $p0_4 using 1:3:(0):($4-$3) with vectors nohead lc rgb '#0072B2' lw 1.2 notitle, \
|      $p0_4 using 1:2 with points lc rgb '#0072B2' pt 11 ps 0.9 notitle
| unset label
| unset arrow
| unset object
| set lmargin at screen 0.58667
| set rmargin at screen 0.92222
| set tmargin at screen 0.85667
| set bmargin at screen 0.22667
| set title 'stat: time per operation, new against old' offset 0,-0.5
| set logscale x 2
| set xrange [409.6:163840]
| set xtics ('1 KiB' 1024, '4 KiB' 4096, '16 KiB' 16384, '64 KiB' 65536, '' 512 1, '' 2048 1, '' 8192 1, '' 32768 1, '' 131072 1)
| set xlabel 'I/O size' offset 0,0.4
| set logscale y
| set yrange [0.0610487265:5.65685425]
| set ytics ('same' 1, '+100 %%' 2, '5 times' 5, '-50 %%' 0.5, '-80 %%' 0.2, '-90 %%' 0.1)
| set object rectangle from graph 0,first 0.980392157 to graph 1,first 1.02 behind fillcolor rgb '#b8b8b8' fillstyle solid 0.6 noborder
| set label 'slower' at graph 1.01,0.93 left textcolor rgb '#A04000'
| set label 'faster' at graph 1.01,0.07 left textcolor rgb '#005A8C'
| plot $b1 using 1:2:3 with filledcurves fillstyle transparent solid 0.30 noborder lc rgb '#56B4E9' notitle, \
|      1 with lines lc rgb '#555555' lw 0.8 notitle, \
|      $r1 using 1:2 with lines lc rgb '#555555' lw 1.2 notitle, \
|      $p1_0 using 1:3:(0):($4-$3) with vectors nohead lc rgb '#777777' lw 1.2 notitle, \
|      $p1_0 using 1:2 with points lc rgb '#777777' pt 1 ps 0.9 notitle
| unset label
| unset arrow
| unset object
| unset multiplot
! read: unclear overall (time per operation -5.6 %, conservative -43.5 % to +57.8 %); cells: 1 slower, 1 faster, 2 same, 1 unclear, 1 without verdict
! stat: no verdict overall (time per operation x2.00, no interval); cells: 0 slower, 0 faster, 0 same, 0 unclear, 2 without verdict
$ drawn --compare --tolerance 60% --format text old.csv new.csv
| set bmargin 6
| set tmargin 1
| set title 'read: time per operation, new against old'
| set logscale x 2
| set xrange [409.6:163840]
| set xtics ('1 KiB' 1024, '4 KiB' 4096, '16 KiB' 16384, '64 KiB' 65536, '' 512 1, '' 2048 1, '' 8192 1, '' 32768 1, '' 131072 1)
| set xlabel 'I/O size'
| unset key
| unset grid
| set logscale y
| set yrange [0.0610487265:16.3803581]
| set ytics ('same' 1, '+100 %%' 2, '5 times' 5, '10 times' 10, '-50 %%' 0.5, '-80 %%' 0.2, '-90 %%' 0.1)
| set label 'F  faster' at character 2,1 left
| set label 'O  same, within the tolerance' at character 2,0 left
| set label 'U  unclear' at character 41,1 left
| set label 'N  no interval to judge by' at character 41,0 left
| plot 1 with lines notitle, \
|      $p0_0 using 1:2 with points pt 14 notitle, \
|      $p0_1 using 1:2 with points pt 21 notitle, \
|      $p0_2 using 1:2 with points pt 15 notitle, \
|      $p0_4 using 1:2 with points pt 6 notitle
| unset label
| unset arrow
| unset object
| set bmargin 5
| set tmargin 1
| set title 'stat: time per operation, new against old'
| set logscale x 2
| set xrange [409.6:163840]
| set xtics ('1 KiB' 1024, '4 KiB' 4096, '16 KiB' 16384, '64 KiB' 65536, '' 512 1, '' 2048 1, '' 8192 1, '' 32768 1, '' 131072 1)
| set xlabel 'I/O size'
| unset key
| unset grid
| set logscale y
| set yrange [0.0610487265:16.3803581]
| set ytics ('same' 1, '+100 %%' 2, '5 times' 5, '10 times' 10, '-50 %%' 0.5, '-80 %%' 0.2, '-90 %%' 0.1)
| set label 'N  no interval to judge by' at character 2,0 left
| plot 1 with lines notitle, \
|      $p1_0 using 1:2 with points pt 14 notitle
| unset label
| unset arrow
| unset object
! read: unclear overall (time per operation -5.6 %, conservative -43.5 % to +57.8 %); cells: 0 slower, 1 faster, 3 same, 1 unclear, 1 without verdict
! stat: no verdict overall (time per operation x2.00, no interval); cells: 0 slower, 0 faster, 0 same, 0 unclear, 2 without verdict
$ sed '$d' new.csv >fewer.csv; iosweep plot --script --compare -o alike.gp old.csv fewer.csv
! cells that are not in all files, or have no figures there, and are left out: 1
! read: unclear overall (time per operation -5.6 %, conservative -43.5 % to +57.8 %); cells: 1 slower, 1 faster, 2 same, 1 unclear, 1 without verdict
! stat: no verdict overall (time per operation x2.00, no interval); cells: 0 slower, 0 faster, 0 same, 0 unclear, 1 without verdict
$ iosweep plot --script --quiet --compare -o alike.gp old.csv new.csv
$ sed 's/,1500,.*,read/,10000,9999,10001,read/; s/direct/cached/' new.csv >cached.csv
$ iosweep plot --script --compare --quiet old.csv cached.csv | grep -e ytics -e 'label 2'
| set grid xtics ytics mytics lt 1 lc rgb '#c8c8c8' lw 0.6, lt 1 lc rgb '#e8e8e8' lw 0.5
| set label 2 '1 thread, disk, cache: direct -> cached, depth: 4 -> 8' at screen 0.5,0.93000 center textcolor rgb '#444444'
| set ytics ('same' 1, '+100 %%' 2, '5 times' 5, '10 times' 10, '-50 %%' 0.5, '-80 %%' 0.2, '-90 %%' 0.1)
| set ytics ('same' 1, '+100 %%' 2, '5 times' 5, '10 times' 10, '-50 %%' 0.5, '-80 %%' 0.2, '-90 %%' 0.1)
# intervals of no end do not decide what the axis shows
$ printf 'size_bytes,op_ns_median,op_ns_low,op_ns_high\n512,1000,100,10000\n' >unsure.csv; sed 's/1000/1100/' unsure.csv >again.csv
$ iosweep plot --script --compare unsure.csv again.csv | grep -e yrange -e "label '"
| set label '' at screen 0.05111,0.04000 point lc rgb '#777777' pt 6 ps 1.2
| set label 'unclear' at screen 0.08222,0.04000 left
| set label 'interval (conservative)' at screen 0.40074,0.04000 left
| set label 'no difference: within 2 %' at screen 0.71926,0.04000 left
| set xlabel 'I/O size' offset 0,0.4
| set yrange [0.620921323:1.26905871]
| set label 'slower' at graph 1.01,0.93 left textcolor rgb '#A04000'
| set label 'faster' at graph 1.01,0.07 left textcolor rgb '#005A8C'
! all: unclear overall (time per operation x1.10, conservative x0.000000826 to x826446); cells: 0 slower, 0 faster, 0 same, 1 unclear, 0 without verdict

# --- over time: a point is in the middle of its interval, a line has a gap where its row was not under
# way, an interval without operations is 0, and one without a row is nowhere
$ cat >series.csv <<'END'
> ended_s,interval_s,test,rate_per_s,throughput_bytes_per_s,latency_ns_mean,latency_ns_max,row,size_bytes,latency_ns_p99
> 1,1,read,100,51200,9000,20000,1,512,15000
> 2,1,read,0,0,,,1,512,
> 3,1,,,,,,,,
> 4,1,read,200,102400,8000,20000,1,512,15000
> END
$ iosweep plot --script series.csv | sed '1,/^set grid/d'
| set object 1 rectangle from screen 0,0 to screen 1,1 behind fillstyle empty border lc rgb '#c8c8c8'
| $t0 << EOD
| 0.5 51200 9000 15000 20000
| 1.5 0 NaN NaN NaN
|
| 3.5 102400 8000 15000 20000
| EOD
| set multiplot
| unset key
| set label 1 'iosweep' at screen 0.5,0.96865 center font ',15'
| set label 2 'read, 1 thread, depth 1' at screen 0.5,0.93417 center textcolor rgb '#444444'
| set arrow from screen 0.03111,0.03762 to screen 0.07111,0.03762 nohead lc rgb '#0072B2' lw 1.4 dt 1
| set label '' at screen 0.05111,0.03762 point lc rgb '#0072B2' pt 7 ps 0.65
| set label '512 B' at screen 0.08222,0.03762 left
| set arrow from screen 0.34963,0.03762 to screen 0.38963,0.03762 nohead lc rgb '#0072B2' lw 1 dt 2
| set label 'p99 of each interval' at screen 0.40074,0.03762 left
| set label '' at screen 0.68815,0.03762 point lc rgb '#555555' pt 7 ps 0.25
| set label 'its longest operation' at screen 0.71926,0.03762 left
| set lmargin at screen 0.08667
| set rmargin at screen 0.98222
| set tmargin at screen 0.86520
| set bmargin at screen 0.53605
| set title 'throughput' offset 0,-0.5
| unset logscale x
| set xrange [0:4]
| set xtics ('' 0, '' 0.5, '' 1, '' 1.5, '' 2, '' 2.5, '' 3, '' 3.5, '' 4)
| unset logscale y
| set yrange [0:110592]
| set ytics ('0' 0, '20 kB/s' 20000, '40 kB/s' 40000, '60 kB/s' 60000, '80 kB/s' 80000, '100 kB/s' 100000)
| unset xlabel
| plot $t0 using 1:2 with linespoints lc rgb '#0072B2' lw 1.4 dt 1 pt 7 ps 0.65 notitle
| unset label
| unset arrow
| unset object
| set lmargin at screen 0.08667
| set rmargin at screen 0.98222
| set tmargin at screen 0.47962
| set bmargin at screen 0.15047
| set title 'latency (mean)' offset 0,-0.5
| unset logscale x
| set xrange [0:4]
| set xtics ('0' 0, '0.5' 0.5, '1' 1, '1.5' 1.5, '2' 2, '2.5' 2.5, '3' 3, '3.5' 3.5, '4' 4)
| set logscale y 10
| set yrange [6324.55532:25298.2213]
| set ytics ('' 7000 1, '' 8000 1, '' 9000 1, '10 us' 10000, '20 us' 20000)
| set xlabel 'time since the start (s)' offset 0,0.4
| plot $t0 using 1:5 with points lc rgb '#555555' pt 7 ps 0.25 notitle, \
|      $t0 using 1:4 with lines lc rgb '#0072B2' lw 1.4 dt 2 notitle, \
|      $t0 using 1:3 with linespoints lc rgb '#0072B2' lw 1.4 dt 1 pt 7 ps 0.65 notitle
| unset label
| unset arrow
| unset object
| unset multiplot
$ drawn --format text series.csv
| set bmargin 5
| unset key
| unset grid
| set tmargin 1
| set title 'throughput (iosweep, read, 1 thread, depth 1)'
| unset logscale x
| set xrange [0:4]
| set xtics ('0' 0, '0.5' 0.5, '1' 1, '1.5' 1.5, '2' 2, '2.5' 2.5, '3' 3, '3.5' 3.5, '4' 4)
| unset logscale y
| set yrange [0:110592]
| set ytics ('0' 0, '20 kB/s' 20000, '40 kB/s' 40000, '60 kB/s' 60000, '80 kB/s' 80000, '100 kB/s' 100000)
| set xlabel 'time since the start (s)' offset 0,0.4
| set label 'A  512 B' at character 2,0 left
| plot $t0 using 1:2 with linespoints pt 1 notitle
| unset label
| unset arrow
| unset object
$ iosweep plot --script --what latency series.csv | grep -e title -e '^plot'
| set title 'latency (mean)' offset 0,-0.5
| plot $t0 using 1:5 with points lc rgb '#555555' pt 7 ps 0.25 notitle, \
|      $t0 using 1:4 with lines lc rgb '#0072B2' lw 1.4 dt 2 notitle, \
|      $t0 using 1:3 with linespoints lc rgb '#0072B2' lw 1.4 dt 1 pt 7 ps 0.65 notitle
$ iosweep plot --script --what throughput series.csv | grep -e title -e '^plot'
| set title 'throughput' offset 0,-0.5
| plot $t0 using 1:2 with linespoints lc rgb '#0072B2' lw 1.4 dt 1 pt 7 ps 0.65 notitle
$ iosweep plot --script --verbose -o alike.gp series.csv; iosweep plot --script --verbose -o alike.gp curve.csv
! 1 curve, 0 fitted
! iosweep: curve.csv: 1 of 6 rows is incomplete: cut short, with less data than was asked for
! 1 curve, 1 fitted
# sizes that differ much need a logarithmic axis, on which 0 has no place; their colours are in order
$ cat >sizes.csv <<'END'
> ended_s;interval_s;test;rate_per_s;throughput_bytes_per_s;latency_ns_mean;row;size_bytes
> 1,0;1,0;read;100;51200;9000,5;1;512
> 1,0;1,0;read;100;6553600;9000;2;65536
> 2,0;1,0;read;0;0;;1;512
> 3,0;1,0;write;100;51200;9000;3;512
> 3,0;1,0;write;100;6553600;9000;4;65536
> END
$ iosweep plot --script sizes.csv | sed '1,/^set grid/d'
| set object 1 rectangle from screen 0,0 to screen 1,1 behind fillstyle empty border lc rgb '#c8c8c8'
| $t0 << EOD
| EOD
| $t1 << EOD
| EOD
| $t2 << EOD
| EOD
| $t3 << EOD
| EOD
| set multiplot
| unset key
| set label 1 'iosweep' at screen 0.5,0.96667 center font ',15'
| set label 2 '1 thread, depth 1' at screen 0.5,0.93000 center textcolor rgb '#444444'
| set arrow from screen 0.03111,0.04000 to screen 0.07111,0.04000 nohead lc rgb '#71CE56' lw 1.4 dt 1
| set label '' at screen 0.05111,0.04000 point lc rgb '#71CE56' pt 7 ps 0.65
| set label '512 B' at screen 0.08222,0.04000 left
| set arrow from screen 0.50889,0.04000 to screen 0.54889,0.04000 nohead lc rgb '#440154' lw 1.4 dt 1
| set label '' at screen 0.52889,0.04000 point lc rgb '#440154' pt 5 ps 0.65
| set label '64 KiB' at screen 0.56000,0.04000 left
| set lmargin at screen 0.08667
| set rmargin at screen 0.48222
| set tmargin at screen 0.85667
| set bmargin at screen 0.16000
| set title 'read: throughput' offset 0,-0.5
| unset logscale x
| set xrange [1e+300:0]
| set xtics ()
| unset logscale y
| set yrange [0:1]
| set ytics ('0' 0, '0.2 B/s' 0.2, '0.4 B/s' 0.4, '0.6 B/s' 0.6, '0.8 B/s' 0.8, '1 B/s' 1)
| set xlabel 'time since the start (s)' offset 0,0.4
| plot $t0 using 1:2 with linespoints lc rgb '#71CE56' lw 1.4 dt 1 pt 7 ps 0.65 notitle, \
|      $t1 using 1:2 with linespoints lc rgb '#440154' lw 1.4 dt 1 pt 5 ps 0.65 notitle
| unset label
| unset arrow
| unset object
| set lmargin at screen 0.58667
| set rmargin at screen 0.98222
| set tmargin at screen 0.85667
| set bmargin at screen 0.16000
| set title 'write: throughput' offset 0,-0.5
| unset logscale x
| set xrange [1e+300:0]
| set xtics ()
| unset logscale y
| set yrange [0:1]
| set ytics ('0' 0, '0.2 B/s' 0.2, '0.4 B/s' 0.4, '0.6 B/s' 0.6, '0.8 B/s' 0.8, '1 B/s' 1)
| set xlabel 'time since the start (s)' offset 0,0.4
| plot $t2 using 1:2 with linespoints lc rgb '#71CE56' lw 1.4 dt 1 pt 7 ps 0.65 notitle, \
|      $t3 using 1:2 with linespoints lc rgb '#440154' lw 1.4 dt 1 pt 5 ps 0.65 notitle
| unset label
| unset arrow
| unset object
| unset multiplot
$ awk 'BEGIN { print "ended_s,interval_s,test,rate_per_s,throughput_bytes_per_s,latency_ns_mean,row,size_bytes"
> 	for (i = 0; i < 10; i++) print "1,1,read,100," 100 * 2 ^ i ",9000," i "," 2 ^ i }' >ten.csv
$ iosweep plot --script ten.csv | grep -e " B'" -e '^plot'
| set label '1 B' at screen 0.08222,0.09440 left
| set label '2 B' at screen 0.08222,0.06490 left
| set label '8 B' at screen 0.08222,0.03540 left
| set label '16 B' at screen 0.40074,0.09440 left
| set label '32 B' at screen 0.40074,0.06490 left
| set label '64 B' at screen 0.40074,0.03540 left
| set label '256 B' at screen 0.71926,0.09440 left
| set label '512 B' at screen 0.71926,0.06490 left
| plot $t0 using 1:2 with linespoints lc rgb '#71CE56' lw 1.4 dt 1 pt 7 ps 0.65 notitle, \
| plot $t0 using 1:4 with lines lc rgb '#71CE56' lw 1 dt 3 notitle, \
! 2 sizes between those that are drawn are left out
$ printf 'ended_s,interval_s,test,rate_per_s,throughput_bytes_per_s,latency_ns_mean,row,size_bytes\n1,1,stat,100,,9000,1,1\n2,1,stat,3000,,9000,1,1\n' >rate.csv
$ iosweep plot --script rate.csv | grep -e '^[0-9]' -e title -e ytics
| set grid xtics ytics mytics lt 1 lc rgb '#c8c8c8' lw 0.6, lt 1 lc rgb '#e8e8e8' lw 0.5
| 0.5 100 9000 NaN NaN
| 1.5 3000 9000 NaN NaN
| set title 'rate' offset 0,-0.5
| set ytics ('0' 0, '1 k/s' 1000, '2 k/s' 2000, '3 k/s' 3000)
| plot $t0 using 1:2 with linespoints lc rgb '#0072B2' lw 1.4 dt 1 pt 7 ps 0.65 notitle
| set title 'latency (mean)' offset 0,-0.5
| set ytics ('5 us' 5000, '' 6000 1, '' 7000 1, '' 8000 1, '' 9000 1, '10 us' 10000)
| plot $t0 using 1:5 with points lc rgb '#555555' pt 7 ps 0.25 notitle, \
|      $t0 using 1:4 with lines lc rgb '#0072B2' lw 1.4 dt 2 notitle, \
|      $t0 using 1:3 with linespoints lc rgb '#0072B2' lw 1.4 dt 1 pt 7 ps 0.65 notitle
$ printf 'ended_s,interval_s,test,rate_per_s,throughput_bytes_per_s,latency_ns_mean,row,size_bytes\n1,1,stat,0,,,1,1\n2,1,stat,,,,1,1\n' >idle.csv
$ iosweep plot --script idle.csv | grep -e '^[0-9]' -e title -e yrange
| 0.5 0 NaN NaN NaN
| 1.5 NaN NaN NaN NaN
| set title 'rate' offset 0,-0.5
| set yrange [0:1]
| plot $t0 using 1:2 with linespoints lc rgb '#0072B2' lw 1.4 dt 1 pt 7 ps 0.65 notitle
$ iosweep plot --script --what latency idle.csv
! iosweep: no latency of operations is known in idle.csv; --what throughput draws what is known
? 2

# --- names are text: no quote of them ends a string, nothing of them is a command
$ cat >names.csv <<'END'
> size_bytes,op_ns_median,target,label
> 512,1,"it's; system 'x'","two
> !lines"
> 512,2,`x` @y {/Symbol a}_b^c \, %s%n
> 512,3,EOD,"""quoted"" '); system('x'); ('"
> END
$ iosweep plot --script names.csv | grep -e label -e EOD
| $c0 << EOD
| EOD
| $c1 << EOD
| EOD
| $c2 << EOD
| EOD
| set label 1 'iosweep' at screen 0.5,0.96667 center font ',15'
| set label 2 '1 thread, depth 1' at screen 0.5,0.93000 center textcolor rgb '#444444'
| set label '' at screen 0.05111,0.07333 point lc rgb '#0072B2' pt 7 ps 0.65
| set label "it\047s\073 system \047x\047 two\134x0a\041lines" at screen 0.08222,0.07333 left
| set label '' at screen 0.05111,0.04000 point lc rgb '#D55E00' pt 5 ps 0.65
| set label '`x` @y {/Symbol a}_b^c \x5c %s%n' at screen 0.08222,0.04000 left
| set label '' at screen 0.52889,0.07333 point lc rgb '#009E73' pt 9 ps 0.65
| set label "EOD \042quoted\042 \047\051\073 system\050\047x\047\051\073 \050\047" at screen 0.56000,0.07333 left
| set xlabel 'I/O size' offset 0,0.4
| unset label
| set xlabel 'I/O size' offset 0,0.4
| unset label
$ sed '3,$d; s/!lines.*//' names.csv >one.csv; printf '!lines"\n' >>one.csv; iosweep plot --script one.csv | grep -e label
| set label 1 "iosweep: it\047s\073 system \047x\047" at screen 0.5,0.96667 center font ',15'
| set label 2 '1 thread, depth 1, two !lines' at screen 0.5,0.93000 center textcolor rgb '#444444'
| set label '' at screen 0.05111,0.04000 point lc rgb '#0072B2' pt 7 ps 0.65
| set label 'median and its 95 % interval' at screen 0.08222,0.04000 left
| set xlabel 'I/O size' offset 0,0.4
| unset label
| set xlabel 'I/O size' offset 0,0.4
| unset label

# --- what is refused: one line, and nothing is written
$ printf 'not,a,result\n' >broken.csv; head -1 curve.csv >empty.csv; sed -n '1p; 4p' curve.csv >skipped.csv
$ sed 1d curve.csv >headless.csv; cut -d, -f1,6,7 curve.csv >bare.csv
$ for file in missing broken empty skipped headless bare; do iosweep plot -o x.svg $file.csv || echo $?; done
| 2
| 2
| 2
| 2
| 2
| 2
! iosweep: cannot read missing.csv: it does not exist; name a file of results, as iosweep -o FILE writes
! iosweep: not an iosweep result: broken.csv:1; expected a CSV header with size_bytes, JSON of iosweep, or the output of io_profile
! iosweep: no rows of results in empty.csv; expected CSV or JSON output of iosweep
! iosweep: nothing was measured in skipped.csv; all its rows were skipped or ended without an operation
! iosweep: not an iosweep result: headless.csv:1; expected a CSV header with size_bytes, JSON of iosweep, or the output of io_profile
! iosweep: too few columns in the header bare.csv:1; needed are size_bytes and op_ns_median, rate_per_s, throughput_bytes_per_s or both operations and time_s
$ iosweep plot
! iosweep: plot needs a file of results; iosweep plot FILE...
? 2
$ iosweep plot -o x.gif curve.csv
! iosweep: unknown picture format: x.gif; name it FILE.svg, FILE.png or FILE.pdf, or add --format
? 2
$ iosweep plot --format gif curve.csv
! iosweep: --format: unknown choice: gif; choose from svg, png, pdf, text
? 2
$ iosweep plot --what speed curve.csv
! iosweep: --what: unknown choice: speed; choose from throughput, latency, time, both, cdf
? 2
$ iosweep plot --heat -o x.svg curve.csv
! iosweep: nothing to draw a map of in curve.csv; a map needs a test with two depths, or numbers of threads, and two sizes: iosweep --engine io_uring -b --depth 1..64
? 2
$ iosweep plot --heat --no-fit -o x.svg depth.csv
! iosweep: --heat draws no fitted lines for --no-fit to leave out; use only one
? 2
$ iosweep plot --script -o no/such/x.gp curve.csv
! iosweep: cannot write the results to no/such/x.gp: No such file or directory; the directory for it does not exist
? 2
$ iosweep plot --compare --heat -o x.svg depth.csv depth.csv
! iosweep: --compare draws ratios of times and nothing else; leave out --heat, --no-fit and --what
? 2
$ iosweep plot --compare --what time -o x.svg depth.csv depth.csv
! iosweep: --compare draws ratios of times and nothing else; leave out --heat, --no-fit and --what
? 2
$ iosweep plot --tolerance 5% -o x.svg curve.csv
! iosweep: --tolerance is for comparisons; add --compare
? 2
$ iosweep plot --compare -o x.svg curve.csv old.csv new.csv
! iosweep: --compare takes pairs of files, old and new in turns; 3 were given; iosweep plot --compare OLD NEW [OLD NEW]...
? 2
$ iosweep plot --compare -o x.svg old.csv skipped.csv
! iosweep: nothing to compare: no cell is in all files; the first of old.csv is read 4 KiB /d direct, label disk, depth 4, of skipped.csv read 2 KiB /data posix cached
? 2
$ iosweep plot --what cdf --heat -o x.svg "$data/run.json"
! iosweep: --what cdf draws distributions and nothing else; leave out --heat and --no-fit
? 2
$ iosweep plot --heat -o x.svg series.csv
! iosweep: records of --series are drawn over time only: series.csv; of the options of plot they take --what throughput and --what latency
? 2
$ iosweep plot --what cdf -o x.svg series.csv
! iosweep: records of --series are drawn over time only: series.csv; of the options of plot they take --what throughput and --what latency
? 2
$ iosweep plot -o x.svg curve.csv series.csv
! iosweep: results and records of --series are no picture: series.csv; plot them one after the other
? 2
$ cat curve.csv series.csv >mixed.csv; iosweep plot -o x.svg mixed.csv
! iosweep: results and records of --series meet at mixed.csv:8
? 2
$ awk 'BEGIN { print "size_bytes,op_ns_median,depth"; for (i = 1; i <= 301; i++) print "512,1000," i "\n1024,1000," i }' >too-many.csv
$ iosweep plot -o x.svg too-many.csv
! iosweep: 301 curves are too many for a picture; at most 300 can be drawn: use fewer files, or only the rows of one test, target or label
? 2
$ sed '/,301$/d' too-many.csv | iosweep plot --quiet --script -o alike.gp -
$ awk 'BEGIN { print "size_bytes,op_ns_median,depth"; for (i = 1; i <= 13; i++) print "512,1000," i }' >panels.csv
$ iosweep plot --compare -o x.svg panels.csv panels.csv
! iosweep: too many panels for one picture: panels.csv; 13 of them, and 12 fit; compare files of fewer tests or depths
? 2
$ iosweep plot --heat --what both -o x.svg many.csv
! iosweep: too many maps for one picture: many.csv; 8 of them, but 6 fit; plot files with fewer tests, engines or cache modes
? 2
$ IOSWEEP_GNUPLOT=no/such/gnuplot iosweep plot -o x.svg curve.csv
! iosweep: cannot run no/such/gnuplot: No such file or directory; install gnuplot (Debian gnuplot-nox, Fedora gnuplot-minimal), or use --script to get the gnuplot program
? 3
$ ls *.svg
! ls: cannot access '*.svg': No such file or directory
? 2
