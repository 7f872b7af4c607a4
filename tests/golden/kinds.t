# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Object stores other than buckets: pools, which write into objects and keep values beside their
# data, and trees, which rename. Exact request counts, verified data, failures during operations
# that cannot be retried, and rows of tests that such a store does not support.
# run ARGS...: without the notes that a busy machine can cause, and nothing else here
$ noise='correlated|drained|drift|failed_time|few_rounds|few_slow|outliers|timer|unfair|wide'
$ run() { iosweep --quiet --rounds 1 --columns test,size_bytes,operations,errors,requests,errors_wrong,notes "$@" mem: >rows; status=$?; sed -E "s/;?($noise)//g; s/,;/,/" rows; return $status; }

# a pool: each supported test is one request, append one for each fragment and one before: empty, then
# 3000, 3000, 3000, 1000
$ run --mem.like pool --verify --tests write,read,create,stat,delete,list,append --sizes 10000 --objects 5 --call-size 3000 -n 20
| test,size_bytes,operations,errors,requests,errors_wrong,notes
| write,10000,20,0,20,0,
| read,10000,20,0,20,0,
| create,10000,20,0,20,0,
| stat,10000,20,0,20,,
| delete,10000,20,0,20,,
| list,10000,20,0,20,,
| append,10000,20,0,100,0,

# values beside the data take one request, are filled in, and verified; other tests are unchanged
$ run --mem.like pool --verify --on xattr --tests fill,read,write,stat,create --sizes 10000 --objects 5 -n 20 --fill-step 50000
| test,size_bytes,operations,errors,requests,errors_wrong,notes
| fill,10000,5,0,5,0,on:xattr
| read,10000,20,0,20,0,on:xattr
| write,10000,20,0,20,0,on:xattr
| stat,10000,20,0,20,,
| create,10000,20,0,20,0,
$ run --mem.like pool --verify --on omap --tests fill,read,write,stat,create --sizes 10000 --objects 5 -n 20 --fill-step 50000
| test,size_bytes,operations,errors,requests,errors_wrong,notes
| fill,10000,5,0,5,0,on:omap
| read,10000,20,0,20,0,on:omap
| write,10000,20,0,20,0,on:omap
| stat,10000,20,0,20,,
| create,10000,20,0,20,0,
$ run --mem.like pool --on omap --mix 50 --threads 2 --depth 4 --sizes 1Ki -n 400 | grep -c '^[a-z]*,1024,[1-9][0-9]*,0,.*on:omap'
| 2
$ run --mem.like pool --tests write,rename,copy --sizes 4Ki -n 20
| test,size_bytes,operations,errors,requests,errors_wrong,notes
| write,4096,20,0,20,,
| rename,4096,0,,,,skipped:not_by_target
| copy,4096,0,,,,skipped:not_by_target

# blocks smaller than the object are written at their offsets, and read back
$ run --mem.like pool --verify --tests write,read,write,read --object-size 64Ki --objects 3 --sizes 512,4096 -n 100 --threads 2 --depth 4 | cut -d, -f 1-6
| test,size_bytes,operations,errors,requests,errors_wrong
| write,512,100,0,100,0
| write,4096,100,0,100,0
| read,512,100,0,100,0
| read,4096,100,0,100,0
| write,512,100,0,100,0
| write,4096,100,0,100,0
| read,512,100,0,100,0
| read,4096,100,0,100,0

# where uploads are not separate, an object that grows by requests takes one operation at a time
$ at_a_time() { run --mem.delay 1ms --threads 2 --depth 4 --sizes 10000 -n 200 "$@"; }
$ for kind in pool tree; do for how in --verify '--verify --objects 16' '' '--objects 10'; do at_a_time --mem.like $kind --tests append --call-size 3000 $how; done; done | grep -v '^test'
| append,10000,200,0,1000,0,
| append,10000,200,0,1000,0,
| append,10000,200,0,1000,,
| append,10000,200,0,1000,,
| append,10000,200,0,1000,0,
| append,10000,200,0,1000,0,
| append,10000,200,0,1000,,
| append,10000,200,0,1000,,
$ for kind in pool tree; do for how in '--verify --objects 3' '--objects 9'; do at_a_time --mem.like $kind --tests append --call-size 3000 $how; done; done
! iosweep: too few objects for the number of concurrent writes in mem:; each object takes one write at a time, so 16 are needed: use more --objects, fewer --threads or a lower --depth
! iosweep: too few objects for the number of concurrent writes in mem:; each object takes one write at a time, so 10 are needed: use more --objects, fewer --threads or a lower --depth
! iosweep: too few objects for the number of concurrent writes in mem:; each object takes one write at a time, so 16 are needed: use more --objects, fewer --threads or a lower --depth
! iosweep: too few objects for the number of concurrent writes in mem:; each object takes one write at a time, so 10 are needed: use more --objects, fewer --threads or a lower --depth
? 2
# whole objects are written in one request; uploads in parts are kept apart
$ for kind in pool tree; do at_a_time --mem.like $kind --verify --tests write --objects 3; done | grep -v '^test'
| write,10000,200,0,200,0,
| write,10000,200,0,200,0,
$ at_a_time --verify --tests append --objects 3
| test,size_bytes,operations,errors,requests,errors_wrong,notes
| append,10000,200,0,600,0,

# long objects are filled in pieces of at most 16 MiB in both kinds; one of a pool's finds out whether it
# is too long
$ for kind in pool tree; do iosweep --mem.like $kind --rounds 1 --verify --tests read --sizes 40Mi --objects 2 -n 4 --columns operations,errors_wrong mem: 2>err; grep -o '[0-9]* \(write\|append\)' err; done
| operations,errors_wrong
| 4,0
| 7 write
| operations,errors_wrong
| 4,0
| 6 append

# where one call at a time writes an object, an only slot writes an only object again and again
$ for kind in pool tree; do run --tests append --sizes 4k --objects 1 -n 3 --mem.like $kind; done
| test,size_bytes,operations,errors,requests,errors_wrong,notes
| append,4096,3,0,6,,
| test,size_bytes,operations,errors,requests,errors_wrong,notes
| append,4096,3,0,6,,

# sizes above a pool's limit are skipped, without affecting others
$ run --mem.like pool --sizes 128Mi,129Mi --objects 1 -n 2
| test,size_bytes,operations,errors,requests,errors_wrong,notes
| write,134217728,2,0,2,,
| write,135266304,0,,,,skipped:too_large
| read,134217728,2,0,2,,
| read,135266304,0,,,,skipped:too_large
$ run --mem.like pool --on xattr --sizes 64Ki,128Ki,129Mi --objects 1 -n 2
| test,size_bytes,operations,errors,requests,errors_wrong,notes
| write,65536,2,0,2,,on:xattr
| write,131072,0,,,,skipped:too_large;on:xattr
| write,135266304,0,,,,skipped:too_large;on:xattr
| read,65536,2,0,2,,on:xattr
| read,131072,0,,,,skipped:too_large;on:xattr
| read,135266304,0,,,,skipped:too_large;on:xattr

# a tree renames in one request; a lost answer is distinguished from a rename that failed
$ run --mem.like tree --tests rename,append,read --sizes 105 --call-size 10 --objects 3 --verify -n 20
| test,size_bytes,operations,errors,requests,errors_wrong,notes
| rename,105,20,0,20,,
| append,105,20,0,240,0,
| read,105,20,0,20,0,
$ lost() { what=$1; shift; iosweep --quiet --rounds 1 --mem.like tree --sizes 1Ki -n 40 --columns test,operations,errors,errors_network,retries "$@" mem: >rows 2>err; status=$?; awk -F, "NR > 1 { print $what }" rows; return $status; }
$ lost '$2, $3, ($4 > 3)' --tests rename --retries 5 --mem.fail lost@rename:8
| 40 0 1
# one in ten is lost, and each costs no more than another one
$ lost '$2 + $3, ($3 >= 4 && $3 <= 8)' --tests rename --retries 0 --mem.fail lost@rename:10 --max-errors 50
| 40 1
? 1

# an append whose answer is lost may have succeeded: it is not retried; a refused one is
$ lost '$2 + $3, ($3 > 0), $5' --tests append --sizes 100 --call-size 10 -n 4 --retries 5 --mem.fail lost@append:12 --max-errors 9
| 4 1 0
? 1
$ run --mem.like tree --tests append --sizes 100 --call-size 10 -n 4 --retries 5 --mem.fail slow-down@append:12 --verify | cut -d, -f 1-4,6
| test,size_bytes,operations,errors,errors_wrong
| append,100,4,0,0

# values beside the data differ from a test of that name
$ for words in '' '--tests stat --mem.like pool' '--object-size 1Mi --mem.like pool' '--parallel 4 --mem.like pool' '--part-size 8Mi --mem.like pool'; do iosweep --quiet --dry-run --on xattr $words mem:; done
! iosweep: no test uses --on; objects of this store have only data: leave it out
! iosweep: no test uses --on; add write or read to --tests, or leave it out
! iosweep: no test uses --object-size; one request writes a whole value: leave it out
! iosweep: no test uses --parallel; one request writes a whole value: leave it out
! iosweep: no test uses --part-size; one request writes a whole value: leave it out
? 2
$ iosweep --quiet --dry-run --on xattr null:
! iosweep: no target takes this option: --on; name rados://POOL[/PREFIX] or mem:, or leave out the option
? 2
$ rm rows err; ls -A
