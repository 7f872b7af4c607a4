# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Files of options: their first line is common, each further one a part of the run; the command line
# wins; what was used is told; what is wrong is said with file and line, and nothing of a secret is shown.

# --- parts: rows of the same test share rounds, none is there twice
$ cat >disk.options <<'END'
>
> # two kinds of operations
>    # (indented, and with a comment at the end)
> --engine posix -l 1Mi --label 'two words' -n 4   # comment --sizes 2
>
> --sizes 4k,8k --threads 1,2
> --sizes '8k' --tests read
> END
$ iosweep --dry-run @disk.options null:
| options of @disk.options: two kinds of operations
| left out, no target here takes it: --engine
| target null: 64 objects of 1 MiB that do not exist, 64 MiB of nothing
| rows: 9 in 3 parts
| operations: 4 per row, 36 in all
| row 1: write null cached threads=1 depth=1 size=4 KiB target=null:
| row 2: write null cached threads=1 depth=1 size=8 KiB target=null:
| row 3: write null cached threads=2 depth=1 size=4 KiB target=null:
| row 4: write null cached threads=2 depth=1 size=8 KiB target=null:
| row 5: read null cached threads=1 depth=1 size=8 KiB target=null: (step 1)
| row 6: read null cached threads=1 depth=1 size=4 KiB target=null: (step 2)
| row 7: read null cached threads=1 depth=1 size=8 KiB target=null: (step 2)
| row 8: read null cached threads=2 depth=1 size=4 KiB target=null: (step 2)
| row 9: read null cached threads=2 depth=1 size=8 KiB target=null: (step 2)
# an engine for files that takes several operations is left out where there are none
$ echo '--engine async -n 4 --sizes 4k' >async.options; iosweep --dry-run @async.options null: | grep '^left'; rm async.options
| left out, no target here takes it: --engine
# the command line wins, over all lines, and over what would contradict it
$ iosweep --dry-run --sizes 2k @disk.options --threads 4 null: | grep '^row'
| rows: 3 in 3 parts
| row 1: write null cached threads=4 depth=1 size=2 KiB target=null:
| row 2: read null cached threads=4 depth=1 size=2 KiB target=null: (step 1)
| row 3: read null cached threads=4 depth=1 size=2 KiB target=null: (step 2)
$ iosweep --dry-run -m 1k -M 2k --time 1s --tests read @disk.options null:
| options of @disk.options: two kinds of operations
| left out, no target here takes it: --engine
| target null: 64 objects of 1 MiB that do not exist, 64 MiB of nothing
| rows: 4 in 1 part
| time: rows take 4 s
| row 1: read null cached threads=1 depth=1 size=1 KiB target=null:
| row 2: read null cached threads=1 depth=1 size=2 KiB target=null:
| row 3: read null cached threads=2 depth=1 size=1 KiB target=null:
| row 4: read null cached threads=2 depth=1 size=2 KiB target=null:
$ head -c 65536 /dev/zero >data; iosweep --dry-run -r --cache cached @disk.options data
| options of @disk.options: two kinds of operations
| target DIR/data: 1 file of 64 KiB, 64 KiB of existing data, only read
| rows: 4 in 1 part
| operations: 4 per row, 16 in all
| row 1: read posix cached threads=1 depth=1 size=4 KiB target=data
| row 2: read posix cached threads=1 depth=1 size=8 KiB target=data
| row 3: read posix cached threads=2 depth=1 size=4 KiB target=data
| row 4: read posix cached threads=2 depth=1 size=8 KiB target=data

# --- several files in their order, an option that no target takes, and what is told
$ echo '--threads 3 --objects 5 --sizes 1k' >later
$ iosweep --columns size_bytes,threads,label @disk.options @later null: --tests write 2>said; sed -n '/^# options/,/^# tests/p' said
| size_bytes,threads,label
| 4096,1,two words
| 8192,1,two words
| 4096,2,two words
| 8192,2,two words
| 8192,3,two words
| # options of @disk.options
| #   two kinds of operations
| #   line 4: --engine posix -l 1Mi --label 'two words' -n 4
| #   line 6: --sizes 4k,8k --threads 1,2
| #   line 7: --sizes '8k' --tests read
| # options of @later
| #   line 1: --threads 3 --objects 5 --sizes 1k
| #   left out, no target here takes it: --engine, --objects
| # tests: write, engine null, cache cached,device, threads 1,2,3, depth 1, access random, file-size 1 MiB, small cover, sync none, payload random, repetitions 4, max-errors 100
$ iosweep --format json --quiet @disk.options @later mem: | tr -d '\n' | grep -o '"option_files":.*"unused_options":"[^"]*"\|"objects":5,'
| "objects":5,
| "option_files":[{"name":"@disk.options","about":"two kinds of operations","lines":[{"line":4,"options":"--engine posix -l 1Mi --label 'two words' -n 4"},{"line":6,"options":"--sizes 4k,8k --threads 1,2"},{"line":7,"options":"--sizes '8k' --tests read"}]},{"name":"@later","about":"","lines":[{"line":1,"options":"--threads 3 --objects 5 --sizes 1k"}]}],"unused_options":"--engine, --file-size"
$ iosweep --dry-run -r --cache cached -n 4 @later data
| options of @later
| left out, no target here takes it: --objects
| target DIR/data: 1 file of 64 KiB, 64 KiB of existing data, only read
| rows: 1 in 1 part
| operations: 4 per row, 4 in all
| row 1: read posix cached threads=3 depth=1 size=1 KiB target=data

# --- what is wrong, in one line
$ bad() { printf -- "$1" >bad; iosweep @bad .; }
$ bad ''
! iosweep: @bad: there is no option in this file; its first line holds common options, each further line a part of the run
? 2
$ bad '# only\n#comments\n'
! iosweep: @bad: there is no option in this file; its first line holds common options, each further line a part of the run
? 2
$ bad '--sizes 4k\n\n--sizes junk\n'
! iosweep: @bad:3: --sizes: not a size: junk; give bytes such as 4096, 64k = 64Ki (x 1024), 64kB (x 1000), up to P
? 2
$ bad "-n 3\n--sizes '4k\n"
! iosweep: @bad:2: unterminated quote; quote words with blanks with '...' or "...", on one line
? 2
$ bad '-n 3\n-l 8Mi\n'
! iosweep: @bad:2: this option is for the whole run, not for a part: --file-size; put it on the first line
? 2
$ bad '-n 3\n--output x\n'
! iosweep: @bad:2: this option is for the whole run, not for a part: --output; put it on the first line
? 2
$ bad '-n 3\n--keep\n'
! iosweep: @bad:2: this option is for the whole run, not for a part: --keep; put it on the first line
? 2
$ bad '-n 3 --overwrite\n'
! iosweep: @bad:1: not allowed in an option file: --overwrite; use it on the command line
? 2
$ bad '-n 3 --destroy-data\n'
! iosweep: @bad:1: not allowed in an option file: --destroy-data; use it on the command line
? 2
$ bad '--help\n'
! iosweep: @bad:1: not allowed in an option file: --help; use it on the command line
? 2
$ bad '-n 3 dir\n'
! iosweep: @bad:1: a word that is not an option; name targets and other files on the command line; quote words with blanks with '...'
? 2
$ bad '--sizes 4k -m 2\n'
! iosweep: --sizes replaces --min-size, --max-size and --factor; use one or the other
? 2
$ bad '--engine nothing\n'
! iosweep: @bad:1: --engine: no such engine in this build: nothing; iosweep help engines lists them
? 2
$ bad '-n 3\0'
! iosweep: @bad: not text; an option file has lines of words
? 2
$ head -c 70000 /dev/zero | tr '\0' '#' >bad; iosweep @bad .
! iosweep: @bad: too long for an option file; at most 64 KiB
? 2
$ iosweep @missing .
! iosweep: cannot read options from @missing: No such file or directory; iosweep help presets lists what is installed; a directory whose name begins with @ is ./@...
? 2
$ iosweep --dry-run @quik null:
! iosweep: cannot read options from @quik: No such file or directory; did you mean @quick? iosweep help presets lists what is installed
? 2
$ mkdir kept; : >kept/quick~; : >'kept/#quick#'; IOSWEEP_PRESETS=kept iosweep --dry-run @quik null:
! iosweep: cannot read options from @quik: No such file or directory; iosweep help presets lists what is installed; a directory whose name begins with @ is ./@...
? 2
$ IOSWEEP_PRESETS=kept iosweep help presets; rm -r kept
$ iosweep @ .
! iosweep: cannot read options from @: No such file or directory; iosweep help presets lists what is installed; a directory whose name begins with @ is ./@...
? 2
$ echo '--tests write -n 4' >writes; iosweep -r @writes data
! iosweep: no test in the option file only reads; leave out --read-existing (-r), or add --tests read
? 2
# secrets are not shown
$ secret=wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY
$ bad "AWS_SECRET_ACCESS_KEY=$secret\n"
! iosweep: @bad:1: a word that is not an option; name targets and other files on the command line; quote words with blanks with '...'
? 2
$ bad "--secret-key=$secret\n"
! iosweep: @bad:1: unknown option: --secret-key; use AWS_SECRET_ACCESS_KEY in the environment, or --profile
? 2
$ bad "-k$secret\n"
! iosweep: @bad:1: unknown option: -k; iosweep --help all lists all options
? 2
$ bad "--profile=$secret\n"
! iosweep: @bad:1: this option points to a secret: --profile; option files get copied and shown: use it on the command line
? 2
$ bad "--endpoint http://me:$secret@localhost\n"
! iosweep: @bad:1: an address with a name or a password in it: --endpoint; credentials come from the environment
? 2
# what is no file of options is not taken for a directory, which can be given
$ mkdir @odd; iosweep --dry-run @odd
! iosweep: cannot read options from @odd: No such file or directory; iosweep help presets lists what is installed; a directory whose name begins with @ is ./@...
? 2
$ iosweep --dry-run ./@odd >/dev/null

# --- words: blanks, quotes, comments, what editors leave; what was used can be read again
$ words() { printf -- "-n 1 --tests read --sizes 2 $1" >words; iosweep --columns label @words null: 2>said | tail -n 1; sed -n '/^# options of/,/^# tests/{ /^#  /p; }' said; }
$ printf '\357\273\277# SPDX-License-Identifier: none\n# Copyright (C) X\n#  about it \n# more\n\n \t-n 1 --tests read\t --label b#c\t\r\n  \n--sizes 2 #d --help\n' >words; iosweep --columns label @words null: 2>&1 | grep '^b\|^#  '
| #   about it
| #   line 6: -n 1 --tests read\x09 --label b#c
| #   line 8: --sizes 2
| b#c
$ words "--label 'b  c'd\"'e\"\n# not about it\n"
| b  cd'e
| #   line 1: -n 1 --tests read --sizes 2 --label 'b  c'd"'e"
$ words "--label \"b  cd'e\"\n"
| b  cd'e
| #   line 1: -n 1 --tests read --sizes 2 --label "b  cd'e"
$ words "--label \"it's #d\""
| it's #d
| #   line 1: -n 1 --tests read --sizes 2 --label "it's #d"
$ words "--label '\\\\'"; words '--label \\'; words "--label='\"'"; words "--label ''"
| \x5c
| #   line 1: -n 1 --tests read --sizes 2 --label '\x5c'
| \x5c
| #   line 1: -n 1 --tests read --sizes 2 --label \x5c
| """"
| #   line 1: -n 1 --tests read --sizes 2 --label='"'
$ echo "'' -n 1" >words; iosweep @words null:
! iosweep: @words:1: a word that is not an option; name targets and other files on the command line; quote words with blanks with '...'
? 2
$ (echo '-n 1 --tests read'; yes -- '--sizes 2' | head -255) >words; iosweep --dry-run @words null: | grep '^rows'; echo '--sizes 2' >>words; iosweep @words null:
| rows: 1 in 1 part
! iosweep: @words:257: too many lines; a run can have at most 255 parts
? 2

# --- presets of one's own; a file here is meant before one
$ mkdir mine; echo '--tests read --sizes 512 -n 2' >mine/house; IOSWEEP_PRESETS=mine; export IOSWEEP_PRESETS
$ iosweep help presets
| @house               
$ iosweep --dry-run @house null: | grep '^row'
| rows: 1 in 1 part
| row 1: read null cached threads=1 depth=1 size=512 B target=null:
$ echo '--tests read --sizes 1k -n 2' >house; iosweep --dry-run @house null: | grep '^row'
| rows: 1 in 1 part
| row 1: read null cached threads=1 depth=1 size=1 KiB target=null:
$ ls
| @odd
| bad
| data
| disk.options
| house
| later
| mine
| said
| words
| writes

# --call-size in a file is left out on object stores, where only test append divides its calls
$ printf '%s\n' '--call-size 4k --sizes 4k' '--tests stat' '--tests append' >calls.options; iosweep --dry-run @calls.options mem: | grep '^left\|^row '
| left out, no target here takes it: --call-size
| row 1: stat mem asis threads=1 depth=1 size=4 KiB target=mem:
| row 2: append mem asis threads=1 depth=1 size=4 KiB target=mem:
! # mem: 64 requests to fill, 256 KiB; rows: if time allows, 192 requests, 192 KiB to send, 0 B to receive; limited by time alone (-n and --max-requests limit requests)
$ iosweep --dry-run --tests stat @calls.options mem: | grep '^left\|^row '
| left out, no target here takes it: --call-size
| row 1: stat mem asis threads=1 depth=1 size=4 KiB target=mem:
! # mem: 64 requests to fill, 256 KiB; rows: if time allows, 48 requests, 0 B to send, 0 B to receive; limited by time alone (-n and --max-requests limit requests)

# engines in a file apply where they work: null everywhere, mem on mem:
$ printf -- '--engine null\n' >virtual
$ printf -- '--engine mem\n' >other
$ mkdir empty
$ iosweep --quiet --columns engine --tests read --sizes 4k -n 1 @virtual mem:
| engine
| null
$ iosweep --quiet --columns engine --cache cached --tests read --sizes 4k -n 1 @other empty
| engine
| posix
