# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# needs: libaio io_uring s3 webhdfs rados
# Topics that tell what this build has.
$ iosweep help s3
| s3://BUCKET[/PREFIX] (objects are made in it and removed)
|   iosweep --endpoint http://localhost:9000 s3://bucket   the same for objects
|
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
|       --max-requests N        end the run after N requests
|       --objects N             objects per size [64, up to 256 MiB in total]
|       --object-size SIZE      read ranges of objects of this size [whole]
|       --part-size SIZE        upload larger objects in parts [append: 8Mi]
|       --parallel N            ranges of a read, parts of an upload at once [1]
|       --delete-batch N        delete: objects per request [1]
|       --list-page N           list: names per request [1000]
|
| S3:
|       --s3.addressing HOW     bucket in path or host: auto, path, virtual [auto]
|       --s3.payload HOW        bodies: auto, unsigned, signed, trailer [auto]
|       --s3.checksum KIND      uploads: none,md5,crc32,crc32c,crc64nvme [none]
|
| More in iosweep-objects(7); iosweep help targets: all kinds of them.
|
| Engine:
| s3         objects of a bucket over HTTP, --depth of them at a time
|            asynchronous: --depth 1 to 1024
|            for targets s3:// only
| More in iosweep-tests(7), "ENGINES".
$ iosweep help webhdfs
| webhdfs://HOST:PORT[/PATH] (files are made in it and removed)
|
| Object stores:
|       --insecure              do not verify TLS certificates
|       --ca-file FILE          CA certificates to trust (PEM)
|       --retries N             retry a failed request up to N times [0]
|       --request-timeout TIME  fail a request after TIME without progress [30s]
|       --reconnect             a new connection for each request
|       --max-requests N        end the run after N requests
|       --objects N             objects per size [64, up to 256 MiB in total]
|       --object-size SIZE      read ranges of objects of this size [whole]
|       --part-size SIZE        upload larger objects in parts [append: 8Mi]
|       --parallel N            ranges of a read, parts of an upload at once [1]
|       --delete-batch N        delete: objects per request [1]
|       --list-page N           list: names per request [1000]
|
| WebHDFS:
|       --webhdfs.user NAME     HDFS user name [yours]
|       --webhdfs.connect LIST  addresses of hosts: HOST:PORT=ADDR:PORT
|       --webhdfs.base PATH     path of the service [/webhdfs/v1]
|       --webhdfs.token-file FILE
|                               delegation token [$WEBHDFS_TOKEN]
|       --webhdfs.password-file FILE
|                               for a gateway [$WEBHDFS_PASSWORD]
|       --webhdfs.negotiate     Kerberos (SPNEGO), with your ticket
|       --webhdfs.replication N copies of each block written [the server's]
|       --webhdfs.block-size SIZE
|                               block size of files written [the server's]
|
| More in iosweep-objects(7); iosweep help targets: all kinds of them.
|
| Engine:
| webhdfs    files of a Hadoop file system over HTTP, --depth of them at a time
|            asynchronous: --depth 1 to 1024
|            for targets webhdfs:// only
| More in iosweep-tests(7), "ENGINES".
$ iosweep help rados | grep -v "^ *not usable here"
| rados://POOL[/PREFIX] (objects are made in the pool and removed)
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
| RADOS:
|       --rados.user NAME       Ceph user: NAME or client.NAME [client.admin]
|       --rados.conf FILE       configuration [CEPH_CONF, /etc/ceph/ceph.conf]
|
| More in iosweep-objects(7); iosweep help targets: all kinds of them.
|
| Engine:
| rados      objects of a Ceph pool by librados, --depth of them at a time
|            asynchronous: --depth 1 to 1024
|            for targets rados:// only
| More in iosweep-tests(7), "ENGINES".
$ iosweep help targets
| TARGET is a directory (default: this one; test files are made in it and
| removed), an existing file or block device (only read), or:
|   s3://BUCKET[/PREFIX]        objects are made in it and removed
|   webhdfs://HOST:PORT[/PATH]  files are made in it and removed
|   rados://POOL[/PREFIX]       objects are made in the pool and removed
|   mem:                        objects in memory
|   null:                       no I/O
$ iosweep help engines | sed '/^ *not usable here/d'
| posix      openat, lseek, read or write, close
| pread      openat, pread or pwrite, close
| stdio      a stream without buffering: fseeko, fread or fwrite
| libaio     io_submit for read and write; asynchronous only with --cache direct
|            asynchronous: --depth 1 to 4096
| io_uring   openat, read or write, close, many at once through a ring
|            asynchronous: --depth 1 to 4096
|       --io_uring.sqpoll       engine io_uring: a kernel thread submits (SQPOLL)
|       --io_uring.iopoll       engine io_uring: poll the device, no interrupts
|       --io_uring.link         engine io_uring: each cycle as one chain
|       --io_uring.fixed HOW    register buffers: auto, on, off [auto]
| s3         objects of a bucket over HTTP, --depth of them at a time
|            asynchronous: --depth 1 to 1024
|            for targets s3:// only
| webhdfs    files of a Hadoop file system over HTTP, --depth of them at a time
|            asynchronous: --depth 1 to 1024
|            for targets webhdfs:// only
| rados      objects of a Ceph pool by librados, --depth of them at a time
|            asynchronous: --depth 1 to 1024
|            for targets rados:// only
| mem        objects in memory: what operations cost without a network
|            asynchronous: --depth 1 to 1024
|            for targets mem: only
| null       does nothing: what iosweep itself costs
|            asynchronous: --depth 1 to 4096
|       --null.delay TIMES      as 5ms, or mix:35x0,5x3ms
|       --null.write-delay TIMES
|                               engine null: the same for writes [--null.delay]
|       --null.fail LIST        engine null: every:N of a slice, at:N of a thread

# what an engine cannot do, and which one can
$ iosweep --engine stdio -b
! iosweep: this engine cannot bypass the page cache: stdio; use --engine posix or pread with --cache direct (-b)
? 2
$ iosweep --engine stdio --cache direct
! iosweep: this engine cannot bypass the page cache: stdio; use --engine posix or pread with --cache direct (-b)
? 2
$ iosweep --engine posix --depth 4 .
! iosweep: this engine runs one operation at a time: posix, --depth 4; leave out --engine, or use --threads
? 2
# without --engine, --depth chooses one
$ iosweep --dry-run --depth 4 --sizes 4k --cache cached --tests read . | grep '^row' | sed 's/ io_uring / ASYNC /; s/ libaio / ASYNC /'
| rows: 1 in 1 part
| row 1: read ASYNC cached threads=1 depth=4 size=4 KiB target=.
$ for store in rados://pool webhdfs://127.0.0.1:9/x; do iosweep --quiet --dry-run --part-size 8Mi --tests write $store; iosweep --quiet --dry-run --delete-batch 5 --tests delete $store; done
! iosweep: no test uses --part-size; this store uploads no objects in parts: leave it out
! iosweep: no test uses --delete-batch; this store has no request to delete several objects: leave it out
! iosweep: no test uses --part-size; this store uploads no objects in parts: leave it out
! iosweep: no test uses --delete-batch; this store has no request to delete several objects: leave it out
? 2
$ iosweep --quiet --dry-run --tests append --call-size 4k --sizes 8k -n 4 webhdfs://127.0.0.1:9/x
| target webhdfs://127.0.0.1:9/x/iosweep-NAME: 1 set of 64 objects of 8 KiB, at most 512 KiB of test objects, removed at the end
| rows: 1 in 1 part
| operations: 4 per row, 4 in all
| row 1: append webhdfs asis threads=1 depth=1 size=8 KiB target=webhdfs://127.0.0.1:9/x
