# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# random-options.awk - prints one random command line, usually a valid one, for random-options.sh.
#     awk -f random-options.awk -v seed=N -v sync_engines='posix ...' \
#         -v async_engines='io_uring ...' -v memory=DIR
# The same seed gives the same line with any awk.  DIR: a directory in memory, or empty.  Runs in
# the test's directory, which contains: d1 (a directory), kept (a file set), plain and own
# (files), here (where the program is started).  Prints lines of NAME VALUE:
#     options    words for the shell, quoted, without --dry-run
#     nonsense   1: one of them is invalid
#     keeps, quiet, series, output, format, fields   their effects, for the checks
#     directories   targets in which test files are created
#     sizes, blocks   of the rows, if known: the block is TEST once for each series
#     fails      1: requests to a target may fail, or are limited, also those before measuring
#     signal     seconds after which the program is told to end, or 0

function chance(percent) { return draw(100) < percent }

# A number from 0 to n - 1: minimal standard generator, exact in doubles.
function draw(n) {
	state = state * 16807 % 2147483647
	return int(state / 2147483647 * n)
}

function pick(list,    words, n) {
	n = split(list, words, " ")
	return words[draw(n) + 1]
}

function quote(word) {
	gsub(/'/, "'\\''", word)
	return "'" word "'"
}

function add(word) { options = options " " quote(word) }

# As two words or as one.
function add_pair(name, value) {
	if (chance(50)) {
		add(name)
		add(value)
	} else {
		add(name (name ~ /^--/ ? "=" : "") value)
	}
}

# Up to `most` different words of a list, joined with commas; `picked` is their number.
function some(list, most,    words, n, i, other, swap, count, text) {
	n = split(list, words, " ")
	count = 1 + draw(most < n ? most : n)
	for (i = 1; i <= count; i++) {
		other = i + draw(n - i + 1)
		swap = words[i]
		words[i] = words[other]
		words[other] = swap
		text = text (i > 1 ? "," : "") words[i]
	}
	picked = count
	return text
}

# The budget of rows: the number of values an axis may have.
function room(most) { return budget < most ? (budget < 1 ? 1 : int(budget)) : most }
function spend(n) { budget /= n }

function choose_sizes(    i, n, words, list, low, high, factor) {
	if (tests("fill")) { # the file's length is a multiple of each
		add_pair("--sizes", sizes = pick("4096 16384 65536"))
		return
	}
	if (chance(60)) {
		if (chance(20)) {
			low = pick("1 2 4 512 1024 4096")
			n = 1 + draw(room(4))
			list = low
			for (i = high = low; --n > 0; list = list " " i)
				high = i *= 2
			sizes = list
			add_pair("--sizes", low ".." high)
		} else {
			list = some("1 2 3 100 511 512 513 1000 4k 4kB 5000B 8Ki 16k 65535 64Ki", room(4))
			sizes = list
			gsub(/,/, " ", sizes)
			add_pair("--sizes", list)
			gsub(/5000B/, "5000", sizes)
			gsub(/4kB/, "4000", sizes)
			gsub(/4k/, "4096", sizes)
			gsub(/8Ki/, "8192", sizes)
			gsub(/16k/, "16384", sizes)
			gsub(/64Ki/, "65536", sizes)
		}
	} else {
		low = pick("1 2 3 512 4096")
		factor = pick("2 2 3 7 16")
		n = room(4) - 1
		sizes = low
		for (i = high = low; n > 0 && i * factor <= 65536; n--) {
			high = i *= factor
			sizes = sizes " " i
		}
		high += draw(high * (factor - 1)) # not a size itself
		if (high > 65536)
			high = 65536
		add_pair(pick("-m --min-size"), low)
		add_pair(pick("-M --max-size"), high)
		if (factor != 2 || chance(20))
			add_pair("--factor", factor)
	}
	spend(split(sizes, words, " "))
}

function choose_engines(    known) {
	if (virtual) {
		engines = "null"
		if (chance(30))
			add_pair("--engine", "null")
		return
	}
	if (store) {
		engines = "mem"
		if (chance(30))
			add_pair("--engine", "mem")
		return
	}
	engines = "posix"
	if (chance(15) || without_data && chance(75)) # supports all tests
		return
	known = sync_engines " " async_engines
	if (cache ~ /direct/ && chance(90)) # not supported
		sub(/stdio/, "", known)
	if (chance(60))
		engines = pick(known " " async_engines)
	else {
		engines = some(known, room(3))
		spend(picked)
	}
	add_pair("--engine", engines)
}

function uses(engine) { return index("," engines ",", "," engine ",") > 0 }

# Numbers of threads or depths; returns how many of them are 1, `picked` is their number.
function choose_numbers(name, most_count,    i, n, list) {
	if (most_count > 1 && chance(15)) {
		n = 2 + draw(most_count - 1)
		add_pair(name, "1.." 2 ^ (n - 1))
		picked = n
		return 1
	}
	list = some(name == "--threads" ? "1 2 3 4 8" : "1 2 3 7 8 17 32 64", most_count)
	n = picked
	add_pair(name, list)
	picked = n
	return ("," list ",") ~ /,1,/ ? 1 : 0
}

# The number of series of each test: threads x engines x their depths.
function choose_series(    threads, depths, ones, words, n, i, deep) {
	choose_engines()
	threads = 1
	if (chance(50)) {
		choose_numbers("--threads", room(3))
		threads = picked
		spend(threads)
	}
	depths = ones = 1
	n = split(engines, words, ",")
	for (i = 1; i <= n; i++) # null: and mem: support any depth
		deep += virtual || store || index(" " async_engines " ", " " words[i] " ") > 0
	if (deep ? chance(80) : chance(4)) {
		ones = choose_numbers("--depth", room(4))
		depths = picked
		spend(depths)
	}
	# A synchronous engine is measured at depth 1 only.
	series = threads * (deep * depths + (n - deep) * ones)
}

function choose_caches(    words) {
	caches = 1
	cache = "cached"
	if (store) # it has none
		return
	if (chance(20)) {
		cache = "direct"
		add(pick("-b --bypass-cache"))
	} else if (chance(60)) {
		cache = some("cached asis uncached direct direct", room(3))
		if (cache ~ /direct,.*direct/)
			cache = "direct"
		caches = split(cache, words, ",")
		add_pair("--cache", cache)
		spend(caches)
	} else {
		any_caches = 1
	}
}

function choose_targets(    n) {
	targets = ""
	if (chance(10)) {
		virtual = 1
		targets = "null:"
		count = 1
		return
	}
	if (chance(18)) {
		store = 1
		targets = "mem:"
		count = 1
		return
	}
	if (chance(12)) {
		only_reads = 1
		if (chance(60)) {
			targets = "../plain"
		} else {
			targets = "../kept"
			own_set = 1
		}
		if (chance(85)) {
			existing = 1
			add(pick("-r --read-existing"))
		}
		if (!existing && targets == "../kept") { # a directory like others
			only_reads = own_set = 0
			targets = "../d1"
			directories = "../d1"
		}
		count = 1
		return
	}
	if (chance(6)) {
		targets = "../own"
		count = 1
		overwrites = 1
		add("--overwrite")
		return
	}
	if (chance(8)) { # unless given, it is the current directory
		directories = "."
		count = 1
		return
	}
	targets = memory != "" && chance(35) ? memory : "../d1"
	count = 1
	if (budget >= 2 && chance(15)) {
		targets = memory != "" ? "../d1 " memory : "../d1 ../d2"
		count = 2
		spend(2)
	}
	directories = targets
}

function choose_files() {
	if (tests("fill"))
		add_pair("-l", pick("64k 128Ki 192k 256k"))
	else if (chance(70) || !existing)
		add_pair(pick("-l --file-size"), pick("64k 65536 65537 100001 128Ki 200000 256k"))
	if (existing)
		return
	if (chance(20)) {
		add(pick("-s --single-file"))
	} else {
		add_pair("--levels", pick("1 2 2"))
		add_pair("--width", pick("1 2 2 3"))
	}
}

function listed_times(name,    i, count) {
	for (i = 1; i in listed; i++)
		count += listed[i] == name
	return count
}

# Steps may have stops of their own.
function add_tests(    list) {
	list = test_list
	if (list != "fill" && chance(12))
		sub(/[a-z-]+/, "&" pick(":n=2 :5ms :n=1"), list)
	else if (!existing && list ~ /^create,/ && chance(30)) {
		sub(/,read/, ",read:created", list)
		sub(/,stat/, ",stat:created", list)
		if (chance(60))
			sub(/,delete/, ",delete:created", list)
	} else if (list == "write,read,delete" || !existing && chance(4)) {
		list = pick("create,read:created,delete:created create,read,read,read")
		test_list = list ~ /delete/ ? "create,read,delete" : list
	}
	add_pair("--tests", list)
}

function tests(name) { return index("," test_list ",", "," name ",") > 0 }

# Options of object stores, and of the one in memory: times and failures are chosen such that a run
# ends soon, and rows are as planned unless requests fail.
function choose_store(    ranges, parts, values) {
	like = chance(25) ? pick("bucket pool tree") : "bucket"
	if (like != "bucket") { # unsupported tests are skipped, perhaps all
		add_pair("--mem.like", like)
		fails = 1
	}
	values = like == "pool" && (tests("read") || tests("write")) && chance(60)
	if (values)
		add_pair("--on", pick("data xattr omap"))
	ranges = tests("read") && !values && chance(35)
	if (ranges)
		add_pair("--object-size", pick("64k 65537 200000 1M"))
	if (ranges && chance(40))
		add_pair("--align", pick("1 512 4k"))
	if (chance(60))
		add_pair("--objects", pick("1 2 3 8"))
	if (like == "bucket" && (tests("write") || tests("create") || tests("append")) && (parts = chance(60)))
		add_pair("--part-size", pick("1000 4k 10000 64Ki"))
	if ((like == "bucket" && (parts || tests("append")) || tests("read") && !values) && chance(40))
		add_pair("--parallel", pick("1 2 3 8 64"))
	if (like == "bucket" && tests("delete") && chance(60))
		add_pair("--delete-batch", pick("1 2 3 8 1000"))
	if (tests("list") && chance(60))
		add_pair("--list-page", pick("1 2 7 1000"))
	if (chance(30))
		add_pair("--mem.delay", pick("1us 100us 0.5ms mix:35x0,5x300us mix:19x20us,1x400us"))
	if (chance(15)) {
		fails = 1
		add_pair("--request-timeout", pick("0 200us 1s"))
	}
	if (chance(25)) {
		fails = 1
		add_pair("--mem.fail", pick("slow-down@get:20 server-error:50 forbidden@get:7 forbidden:30 refused:40" \
			" lost@put:9 broken@get:3 lost@upload-begin:4 lost@delete:5 lost:25" \
			" server-error@delete-many:2,slow-down@put:30"))
	}
	if (chance(25))
		add_pair("--retries", pick("0 1 3"))
	if (chance(15)) {
		fails = 1
		add_pair("--max-requests", pick("1 20 100 100000"))
	}
}

# Mixed reads and writes: a row of each, in place of the first of their steps.
function choose_mix() {
	mixes = some("0 1 30 70 99 100", room(3))
	spend(picked)
	add_pair("--mix", mixes)
}

function choose_work() {
	if (store) {
		choose_store()
	} else {
		if (test_list ~ /(^|,)(write|read|fill)/ && chance(25))
			add("--keep-open")
		if (!tests("fill") && chance(15))
			add_pair("--align", pick("1 512 4k 8192 64k"))
		if (chance(20)) {
			small = pick("cover skip")
			add_pair("--small", small)
		}
		if (chance(25))
			add_pair("--sync", pick("none data full end end"))
		if (!virtual && tests("read") && cache ~ /cached|asis/ && chance(10))
			add_pair("--readahead", pick("normal none sequential willneed"))
	}
	if (test_list ~ /write|read|stat/ && chance(25))
		add_pair("--access", pick("random sequential sequential once"))
	if (chance(like == "bucket" ? 0 : tests("append") ? 60 : uses("posix") || uses("pread") || uses("stdio") || uses("null") ? 15 : 1)) {
		pieces = 1 # rows that cannot use pieces are skipped
		add_pair("--call-size", pick(tests("append") ? "512 3000 4k 64Ki 0" : "1 100 600 4k 1M"))
	}
	if (chance(25) && (listed_times("write") == 1 && listed_times("read") == 1 || chance(1)))
		choose_mix()
	if (test_list ~ /write|read|create|append|copy|fill/ && chance(20))
		add("--verify")
	else if (chance(20) && tests("write"))
		add_pair("--payload", pick("random zero repeat"))
	if (chance(10))
		add("--allow-short")
	if (chance(12)) {
		rate = pick("500 2000 20000 1000000 1000000000")
		add_pair("--rate", rate)
	}
	if (chance(20))
		add("--pin")
	if (chance(25))
		add_pair("--seed", pick("0 1 4294967296 18446744073709551615"))
	if (virtual && chance(50) || uses("null")) {
		if (chance(40))
			add_pair("--null.delay", pick("1us 0.01ms 100us 1ms mix:35x0,5x300us mix:19x20us,1x400us"))
		if (chance(20))
			add_pair("--null.write-delay", pick("1ns 2us 50us mix:35x0,5x300us"))
		if (chance(40))
			add_pair("--null.fail", pick("every:1 every:3 every:10 every:1000 every:100000 at:1 at:7 every:50,at:100"))
	}
	if (uses("io_uring")) {
		if (chance(5))
			add("--io_uring.sqpoll")
		if (chance(3))
			add("--io_uring.iopoll")
		if (chance(25))
			add("--io_uring.link")
		if (chance(25))
			add_pair("--io_uring.fixed", pick("auto on off"))
	}
}

function choose_end(    bounded) {
	if (chance(50)) {
		add_pair(pick("-n --repetitions"), pick("1 2 3 7 10 50 64 5/thread"))
		bounded = rate == ""
	} else if (chance(60)) {
		add_pair("--time", pick("1ms 5ms 20ms 0.05s 50000us"))
	}
	if (chance(40))
		add_pair("--rounds", pick("1 2 3 5 1,2 2,4 6,6 11,12"))
	if (chance(25))
		add_pair("--precision", pick("0.1% 1 2.5% 10% 50 100%"))
	if (!bounded || chance(40))
		add_pair("--max-time", pick("20ms 50ms 0.3s 1s 10s"))
	if (chance(25))
		add_pair("--max-errors", pick("0 1 5 100 5/step 50% 100,3/step,20%"))
}

function choose_output() {
	format = "csv"
	fields = "all"
	if (chance(45)) {
		format = pick(caches * series * count == 1 || chance(5) ? "table csv json classic" : "table csv json")
		add_pair("--format", format)
	}
	if ((format == "csv" || format == "json") && chance(12)) {
		fields = "some"
		add_pair("--columns", some("size_bytes operations time_s test target engine cache threads" \
			" depth rounds op_ns_mean op_ns_low latency_ns_p50 latency_ns_max open_ns_mean" \
			" transfer_ns_mean close_ns_mean cpu_ns_per_op device_bytes resident_fraction errors" \
			" notes label seek_ns_mean errors_short align_bytes submit_fraction" \
			" cpu_helper_fraction errors_wrong" \
			" resident_fraction_before cache_hit_fraction" \
			" rpc_count rpc_rtt_ns_mean", 12))
	} else if (format == "csv")
		add_pair("--columns", "all")
	if (chance(10)) {
		if (fields == "all")
			fields = "other"
		add_pair("--separator", pick("; | tab : ,"))
	}
	if (chance(8)) {
		if (fields == "all")
			fields = "other"
		add_pair("--decimal", pick(", . ,"))
	}
	if (chance(12))
		add("--allow-short")
	if (chance(15)) {
		fields = fields == "all" ? "other" : fields
		add_pair("--label", pick("one a,b =1+1 it's \"quoted\" two;words $HOME *"))
	}
	if (chance(20)) {
		add_pair(pick("-o --output"), "../o/rows")
		output = 1
	}
	if (chance(30)) {
		quiet = 1
		add("--quiet")
	} else if (chance(10)) {
		add("--brief")
	} else if (chance(20)) {
		add("--verbose")
	}
	if (chance(5))
		add_pair("--color", pick("auto never"))
	if (chance(15)) {
		add_pair("--interval", pick("10ms 0.1 1s 1h"))
		if (quiet || chance(60)) {
			in_time = 1
			add_pair("--series", "../o/series")
		}
	}
}

# One option that is always refused.
function add_nonsense(    word) {
	split("-m=0 -m=4x -M=2G --factor=1 --sizes=8k..4k --sizes=4k,,8k --tests=read, --tests=appends --loops=0 --repeat=x --mix=101 --mix=1,1 --call-size=3G --null.write-delay=slow --tests=read:n=0 --max-errors=1/x" \
		" --threads=0 --threads=5000 --threads=1..x --depth=0 --depth=5000 --depth=1..x --depth=1,," \
		" --engine=libc --engine=posix,junk --engine= --cache=warm --cache= -l=0 --file-size=4MiX" \
		" --levels=0 --width=0 --align=0 --small=big --sync=always --rate=0 --rate=fast" \
		" --rate=1000000001 --seed=-1 -n=0 --repetitions=1e3 --precision=0 --precision=101% --time=0" \
		" --time=5x --max-time=soon --rounds=0 --rounds=9,3 --rounds=3,x --max-errors=-1" \
		" --format=xml --separator=ab --decimal=ab --null.delay=fast --null.fail=every:0" \
		" --io_uring.fixed=perhaps --pin=yes --junk -z --quiet=yes -o= --series=- --columns=speed" \
		" --endpoint=http://127.0.0.1:1 --region=x --run-name=a/b --insecure --anonymous --s3.addressing=path" \
		" --reuse=a/b --mem.delay=soon --mem.fail=often:3 --part-size=0 --delete-batch=1001" (store ? \
		" --keep --sync=none,end --cache=asis --object-size=0 --retries=101 --objects=0 --list-page=1001" \
		" --call-size=4x --request-timeout=late --max-requests=0" : \
		" --object-size=4k --retries=1 --max-requests=9 --s3.objects=9 --objects=9" \
		" --request-timeout=1s --mem.delay=1ms"), words, " ")
	for (nonsense = 1; nonsense in words; nonsense++)
		continue
	word = words[draw(nonsense - 1) + 1]
	nonsense = 1
	if (word ~ /^-[a-zA-Z]=/) {
		add(substr(word, 1, 2))
		add(substr(word, 4))
	} else {
		add(word)
	}
}

BEGIN {
	state = (seed * 48271 + 11) % 2147483646 + 1
	for (i = 0; i < 5; i++)
		draw(2)
	budget = 24
	signal = 0

	choose_targets()
	if (store) {
		test_list = some("create write read append stat list rename copy delete", 3)
		add_tests()
	} else if (!only_reads && !overwrites && chance(35)) {
		test_list = some("create write read append stat list rename copy delete", 3)
		add_tests()
	} else if (!only_reads && !overwrites && chance(4)) {
		test_list = "fill"
		add_tests()
		add_pair("--fill-step", pick("64k 100000 200k 1M"))
	} else if (existing && chance(30)) {
		test_list = some("read stat list", 2)
		add_tests()
	} else if (existing || chance(40)) {
		test_list = existing || chance(40) ? "read" : pick("write write,read read,write write,read,read")
		if (!existing || chance(30))
			add_tests()
	} else {
		test_list = "write,read"
	}
	without_data = test_list ~ /stat|list|rename|copy|delete|create|append|fill/
	loops = repeats = 1
	if (chance(12))
		add_pair("--loops", loops = 1 + draw(2))
	if (chance(12))
		add_pair("--repeat", repeats = 1 + draw(2))
	budget /= split(test_list, listed, ",") * loops * repeats
	choose_sizes()
	choose_caches()
	choose_series()
	if (!store)
		choose_files()
	choose_work()
	choose_end()
	choose_output()
	if (!existing && !store && chance(10)) {
		keeps = 1
		add("--keep")
	}
	if (chance(10)) {
		add_nonsense()
	} else if (chance(6)) {
		signal = pick("0.05 0.1 0.2 0.4")
	}
	n = split(targets, words, " ")
	for (i = 1; i <= n; i++)
		add(words[i])

	# Rows are cache x loop x test x repeat x series x size, except for existing files, sizes that
	# may be skipped, and cache modes that depend on the file system.
	if (fields == "all" && format == "csv" && !only_reads && small != "skip" && !overwrites && !fails &&
	    !without_data && !mixes && !pieces && !any_caches) {
		for (c = 0; c < caches; c++)
			for (l = 0; l < loops; l++)
				for (i = 1; i in listed; i++)
					for (s = 0; s < series * count * repeats; s++)
						blocks = blocks " " listed[i]
		print "blocks" blocks
		print "sizes " sizes
	}
	print "options" options
	print "nonsense " nonsense + 0
	print "keeps " keeps + 0
	print "quiet " quiet + 0
	print "format " format
	print "fields " fields
	print "output " output + 0
	print "series " in_time + 0
	print "directories " directories
	print "fails " fails + 0
	print "signal " signal
}
