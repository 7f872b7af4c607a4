# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# needs: libaio io_uring
# uses: libaio io_uring
# Files by engines that have many operations in flight.
$ iosweep --quiet --seed 7 --cache cached --engine libaio --levels 1 --width 4 -l 64k --tests write,read --sizes 512,4k -n 20 --threads 2 --depth 1,8 --verify --columns size_bytes,operations,test,engine,threads,depth,errors,errors_wrong .
| size_bytes,operations,test,engine,threads,depth,errors,errors_wrong
| 512,20,write,libaio,2,1,0,0
| 4096,20,write,libaio,2,1,0,0
| 512,20,write,libaio,2,8,0,0
| 4096,20,write,libaio,2,8,0,0
| 512,20,read,libaio,2,1,0,0
| 4096,20,read,libaio,2,1,0,0
| 512,20,read,libaio,2,8,0,0
| 4096,20,read,libaio,2,8,0,0
$ iosweep --quiet --seed 7 --cache cached --engine io_uring --levels 1 --width 4 -l 64k --tests write,read --sizes 512,4k -n 20 --threads 2 --depth 1,8 --verify --columns size_bytes,operations,test,engine,threads,depth,errors,errors_wrong .
| size_bytes,operations,test,engine,threads,depth,errors,errors_wrong
| 512,20,write,io_uring,2,1,0,0
| 4096,20,write,io_uring,2,1,0,0
| 512,20,write,io_uring,2,8,0,0
| 4096,20,write,io_uring,2,8,0,0
| 512,20,read,io_uring,2,1,0,0
| 4096,20,read,io_uring,2,1,0,0
| 512,20,read,io_uring,2,8,0,0
| 4096,20,read,io_uring,2,8,0,0
$ ls -A
