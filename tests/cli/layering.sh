#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# The layers are respected: includes go one way (main -> cli -> report -> run -> target, engine ->
# net, os -> base), an optional library is used in one folder, no code outside the engines depends
# on an engine's name; each file has a licence and is text; Makefile.am or its fragments name each
# file once; and no file contains what makes builds differ or hides limits.
# shellcheck disable=SC2016,SC2129
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

cd "$top_srcdir" || exit 99
faults=$work/faults
: >"$faults"

# --- the project's files, not those of a build inside the sources
find src tests man contrib -type f \
	! -name '*.o' ! -name '*.a' ! -name '*.so' ! -path tests/module/iosweep ! -name '*.log' ! -name '*.trs' ! -name '*.gc??' ! -name .dirstamp \
	! -path '*/.deps/*' ! -path '*/__pycache__/*' ! -name '*~' ! -name '.*.sw?' | sort |
	while IFS= read -r file; do
		case $file in
		src/iosweep | src/iosweep.exe | src/iosweep-mpi | src/run/mpicc.name | src/cli/words.inc) ;;
		*) [ -f "$file.c" ] || echo "$file" ;; # not the programs made of tests/unit/*.c
		esac
	done >"$work/files"
grep '^src/.*[.][ch]$' "$work/files" >"$work/sources"
[ "$(wc -l <"$work/sources")" -ge 60 ] || fail "only $(wc -l <"$work/sources") sources found"

# --- includes, as FILE INCLUDED; allowed per directory of FILE
xargs awk '/^[ \t]*#[ \t]*include[ \t]*"/ { split($0, part, "\""); print FILENAME, part[2] }' \
	<"$work/sources" >"$work/includes"
[ "$(wc -l <"$work/includes")" -ge 150 ] || fail "only $(wc -l <"$work/includes") includes found"
while read -r file included; do
	case $file:$included in
	src/os/*:os/* | src/engine/libaio.c:os/linux/* | src/engine/uring*:os/linux/*) ;;
	src/engine/windows.c:os/windows/*) ;;
	*:os/linux/* | *:os/posix/* | *:os/*bsd/* | *:os/darwin/* | *:os/windows/*) echo "$file may not include $included: see src/os/os.h" ;;
	src/*:base/* | src/main.c:cli/* | src/main.c:run/* | src/main.c:os/*) ;;
	src/cli/*:cli/* | src/cli/*:report/* | src/cli/*:run/* | src/cli/*:os/*) ;;
	src/cli/*:engine/engine.h | src/cli/*:storage/storage.h) ;;
	src/*:storage/test.h) ;; # the table of tests, for all layers above and for reading results
	src/report/*:report/* | src/report/*:run/* | src/report/*:os/*) ;;
	src/report/*:engine/engine.h | src/report/*:storage/storage.h) ;;
	src/run/*:run/* | src/run/*:engine/engine.h | src/run/*:storage/storage.h | src/run/*:os/*) ;;
	src/run/payload.h:storage/pattern.h) ;; # data to write are generated like initial contents
	src/engine/*:engine/* | src/engine/*:storage/storage.h | src/engine/*:storage/pattern.h | src/engine/*:storage/fresh.h | src/engine/*:os/*) ;;
	# a protocol is used in its own folder only; the layer uses none
	src/storage/object/s3/*:storage/object/s3/* | src/storage/object/mem/*:storage/object/mem/*) ;;
	src/storage/object/rados/*:storage/object/rados/*) ;;
	src/storage/object/webhdfs/*:storage/object/webhdfs/*) ;;
	*:storage/object/s3/* | *:storage/object/mem/* | *:storage/object/rados/* | *:storage/object/webhdfs/*) echo "$file may not include $included" ;;
	src/storage/object/mem/*:engine/null_delay.h) ;; # times like those of the engine null
	src/storage/*:storage/* | src/storage/*:engine/engine.h | src/storage/*:os/*) ;;
	src/storage/file/*:engine/file.h) ;; # files are filled and checked with the engines' way of opening
	src/storage/object/s3/*:net/* | src/storage/object/webhdfs/*:net/* | src/storage/object/web/*:net/*) ;;
	src/net/*:net/* | src/net/*:os/*) ;;
	src/cli/words.c:src/cli/words.inc) continue ;; # generated from what reports read
	*:config.h) [ "$file" = src/base/compat.h ] || echo "$file includes config.h itself" ;;
	*) echo "$file may not include $included" ;;
	esac
	[ "$included" = config.h ] || [ -f "src/$included" ] ||
		echo "$file includes $included, which is not spelled from src/"
done <"$work/includes" >>"$faults"

# each source first includes what the platform needs
grep '[.]c$' "$work/sources" | xargs awk '
	FNR == 1 { found = 0 }
	!found && /^[ \t]*#[ \t]*include/ {
		found = 1
		if ($0 !~ /"base\/compat[.]h"/)
			print FILENAME " includes " $2 " before base/compat.h"
	}' >>"$faults"

# --- one file per optional library
for header in curl/ liburing libaio mpi openssl/; do
	# shellcheck disable=SC2046
	grep -l "^[[:space:]]*#[[:space:]]*include[[:space:]]*<$header" $(cat "$work/sources") >"$work/users"
	# signing and hashing may be in two files of an engine
	most=1
	[ $header != openssl/ ] || most=3
	[ "$(wc -l <"$work/users")" -le $most ] ||
		echo "<$header is included by $(tr '\n' ' ' <"$work/users")"
done >>"$faults"
# or in one folder, if it is a module
grep -v '^src/storage/object/rados/' "$work/sources" |
	xargs grep -n "^[[:space:]]*#[[:space:]]*include[[:space:]]*<rados/" |
	sed 's/$/ (librados is known to the module alone)/' >>"$faults"
grep -E '^src/storage/object/rados/(driver|options)[.]' "$work/sources" |
	xargs grep -nE '#[[:space:]]*include[[:space:]]*(<rados/|"storage/object/rados/(protocol|[^"]*_))' |
	sed 's/$/ (this is in the program, which does not link librados)/' >>"$faults"

# --- system-specific features are used through os/, except by engines for one system and by code
# that waits for other threads (rados/ring.c). Comments may mention them.
grep -Ev '^src/(os/[a-z]+/|engine/(libaio|uring|windows)[a-z_]*[.]|storage/object/rados/ring[.])' "$work/sources" |
	xargs awk '
	FNR == 1 { inside = 0 }
	{ text = $0; code = ""
	  while (text != "") {
		if (inside) {
			at = index(text, "*/")
			text = at ? substr(text, at + 2) : ""
			inside = !at
		} else {
			at = index(text, "/*")
			code = code (at ? substr(text, 1, at - 1) : text)
			text = at ? substr(text, at + 2) : ""
			inside = at > 0
		}
	  }
	  if (code != "") print FILENAME ":" FNR ":" code }' >"$work/code"
[ "$(wc -l <"$work/code")" -ge 20000 ] || fail "only $(wc -l <"$work/code") lines of code found"
[ "$(grep -c '^src/os/beneath.c:' "$work/code")" -ge 50 ] || fail "the code of os/ is not looked at"
word='(^|[^A-Za-z0-9_])'
only_here() {
	grep -E -e "$1" "$work/code" | sed "s/\$/ ($2: see src\/os\/os.h)/" >>"$faults"
}
only_here '"/(proc|sys)/' "a path of one system"
sed 's/"[^"]*"/""/g' "$work/code" >"$work/code.other" && mv "$work/code.other" "$work/code"
only_here '<linux/|<sys/(syscall|epoll|eventfd|timerfd|signalfd|inotify|sysmacros|vfs|statfs|prctl|random|sysinfo|mount|sendfile|file|ioctl)[.]h>|<(mntent|endian|byteswap|gnu/[a-z-]*|windows|winternl|io|process|direct)[.]h>' \
	"a header of one system"
only_here "$word(syscall|openat2|cachestat|statx|p(read|write)v2|getdents(64)?|fallocate|syncfs|sync_file_range|copy_file_range|epoll_[a-z_0-9]*|ppoll|eventfd|timerfd_[a-z]*|signalfd|inotify_[a-z_0-9]*|pthread_[a-z]*_np|sched_[gs]etaffinity|prctl|getrandom|memfd_create|f?statfs|posix_fadvise|madvise|mincore|mlock2?|flock|ioctl|pipe2|accept4|dup3|renameat2|readahead|gettid|vasprintf|asprintf|memmem|strchrnul|htole[0-9]*|le[0-9]*toh|major|minor|makedev) *[(]" \
	"a call of one system"
only_here "$word(openat|fsync|fdatasync) *[(]" "not all that os_open_at and os_sync do"
only_here "$word(SYS_[a-z]|RWF_|RESOLVE_|STATX_|FIEMAP|BLK[A-Z]+GET|O_(DIRECT|NOATIME|PATH|TMPFILE|LARGEFILE)([^A-Z]|\$)|SEEK_(DATA|HOLE)|POSIX_FADV_|CPU_(SET|ALLOC|COUNT)|TIOC|PR_SET|F_OFD)" \
	"a constant of one system"
grep -Ev '^src/(os/os|base/compat)[.]h:' "$work/code" >"$work/code.other" && mv "$work/code.other" "$work/code"
only_here "# *(el)?if.*$word(SYSTEM_|ONLY_POSIX|__linux|__gnu_linux|__GLIBC|__APPLE__|__[A-Za-z]*BSD|__sun|_WIN|__CYGWIN__|O_|SYS_|RWF_)" \
	"a question which system this is"

# --- code checks the capabilities of engines, not their names. defined TYPE PREFIX: the objects of
# that type, as alternatives, at least the given number
defined() {
	xargs sed -n "s/^const struct $1 $2_\([a-z0-9_]*\) = {\$/\1/p" <"$work/sources" | sort -u | tr '\n' '|'
	echo webhdfs
}
names="io_uring|$(defined engine engine)"
grep -Ev '^src/(engine|target)/' "$work/sources" >"$work/outside"
xargs grep -En "(strn?cmp|strcasecmp|memcmp) *[(].*(engine[^,;]*name|\"($names)\")" <"$work/outside" |
	sed 's/$/ (tests the name of an engine)/' >>"$faults"
xargs grep -En "[&]engine_($names)([^a-z_]|\$)" <"$work/outside" |
	sed 's/$/ (knows an engine by name)/' >>"$faults"

# --- the same for target drivers: everything specific to a driver, including the form of its
# targets, is in its folder. (Engine and driver are paired in engine.c.)
drivers=$(defined storage_driver target)
case $names-$drivers in
*posix*uring*-*mem*null*rados*s3*) ;;
*) fail "engines or target drivers are not found: $names-$drivers" ;;
esac
grep -Ev '^src/storage/' "$work/sources" >"$work/outside"
xargs grep -En "[&]target_($drivers)([^a-z_]|\$)" <"$work/outside" |
	sed 's/$/ (knows a target driver by name)/' >>"$faults"
grep -v '^src/engine/engine[.]c$' "$work/outside" |
	xargs grep -En "(strn?cmp|strn?casecmp|memcmp) *[(].*(driver[^,;]*name|\"($drivers)\")|\"($drivers):" |
	sed 's/$/ (tests the name of a target driver, or writes targets as it does)/' >>"$faults"
# S3 is mentioned in its own folder only, except in two tables, and the name of a column
cat >"$work/excepted" <<-END
	src/engine/engine.c
	src/report/columns/columns.c
	src/storage/storage.c
END
grep -Ev '^src/(storage/object/s3|net)/' "$work/sources" | xargs grep -Eil '(^|[^a-z0-9])s3([^a-z0-9]|$)' |
	LC_ALL=C sort >"$work/s3"
LC_ALL=C comm -3 "$work/s3" "$work/excepted" | sed 's/$/ (S3, where it does not belong, or an exception without need)/' >>"$faults"

# --- the object layer is independent of protocols
grep '^src/storage/object/[a-z_]*[.][ch]$' "$work/sources" >"$work/layer"
[ "$(wc -l <"$work/layer")" -ge 20 ] || fail "only $(wc -l <"$work/layer") files of the layer found"
xargs grep -Ein '(^|[^a-z0-9])(s3|http|curl|xml)([^a-z0-9]|$)' <"$work/layer" |
	sed 's/$/ (a word of a protocol)/' >>"$faults"

# --- type names are unique
xargs awk '/^(struct|enum|union) [a-z_0-9]+ [{]/ && !(FILENAME ~ /^src\/os\/[a-z]+\// && $2 ~ /^os_/) {
		if ($2 in type) print FILENAME ":" FNR ": " $1 " " $2 " is another one in " type[$2]
		type[$2] = FILENAME
	}
	END { for (t in type) types++; if (types < 100) print "only " types + 0 " types found" }' \
	<"$work/sources" >>"$faults"

# --- licence and text; formats without comments have their licence in REUSE.toml
cmp -s COPYING LICENSES/GPL-2.0-or-later.txt || echo "LICENSES/GPL-2.0-or-later.txt: not COPYING" >>"$faults"
grep -vxE 'contrib/packaging/debian/(changelog|copyright|source/format)|tests/data/results/.*|tests/data/run\.json' "$work/files" | xargs awk '
	function finish() {
		if (name != "" && !licence) print name ": no SPDX line"
		if (name != "" && !holder) print name ": no copyright line"
	}
	FNR == 1 { finish(); name = FILENAME; licence = holder = 0 }
	FNR <= 3 && /SPDX-License-Identifier[:] [A-Za-z0-9]/ { licence = 1 }
	FNR <= 4 && /Copyright \(C\) [0-9]+ The iosweep authors/ { holder = 1 }
	END { finish() }' >>"$faults"
while IFS= read -r file; do
	[ -s "$file" ] || echo "$file: empty"
	[ -z "$(tail -c 1 "$file" | tr -d '\n')" ] || echo "$file: ends without a newline"
	# a NUL, or a control character that does not belong in text
	LC_ALL=C tr -d '\011\012\015\040-\176\200-\377' <"$file" | cmp -s - /dev/null ||
		echo "$file: not text"
done <"$work/files" >>"$faults"

# --- the build names each file once; a program may be named instead of its source, and test results
# by their directory
grep 'local[.]mk$' "$work/files" | xargs cat Makefile.am | tr -s ' \t\\' '\n' | awk '
	FILENAME == "-" { named[$0]++; next }
	{
		program = $0
		sub(/[.]c$/, "", program)
		sub(/^tests\/data\/results\/[^\/]*$/, "tests/data/results", program)
		if (!named[$0] && !named[program])
			print $0 ": not in Makefile.am or a local.mk"
		else if (named[$0] > 1 || named[program] > 1)
			print $0 ": twice in Makefile.am and local.mk"
	}' - "$work/files" >>"$faults"

# --- words, split here so that this file does not contain them
# forbid FILES-PATTERN EXPRESSION WHY
forbid() {
	grep -E "$1" "$work/files" | xargs grep -En -e "$2" /dev/null | sed "s/\$/ ($3)/" >>"$faults"
}
begin='(^|[^A-Za-z0-9_])'
forbid . "__(DA""TE|TI""ME|TIMES""TAMP)__" "builds differ from each other"
forbid . "-ma""rch=na""tive|-mtu""ne=na""tive" "runs only on the machine that built it"
forbid . "${begin}(TO""DO|FIX""ME|X""XX|HA""CK)([^A-Za-z0-9_]|\$)" "unfinished"
forbid '^src/' "${begin}(ge""ts|spr""intf|vspr""intf|strt""ok|ato""i|ato""l|ato""f|ra""nd|sr""and|sys""tem|pop""en|tmpn""am|mk""temp|al""loca|setlo""cale|sca""nf|ssca""nf) *[(]" \
	"dangerous or depends on the locale"
forbid '^src/([^b]|base/([^n]|n[^u]))' "${begin}(strto""(u?ll?|[dfku]|[iu]max)) *[(]" \
	"numbers are read by number.h, which looks for overflow and for what follows"
forbid '^tests/unit/test_' "${begin}sk""ip *[(][)]" "a test that is skipped says why: skip_because"
forbid '^src/' "CLOCK_REAL""TIME|gettimeof""day *[(]" "the clock can be set"
# (memory that is exhausted ends the process at once, in mem.c)
forbid '^src/(cli|report|run|target|engine|net|os|base/[^m])' "^[^/*\"]*(^|[^a-z_])ex""it *[(]" "only main ends the process"
forbid . "/(wo""rk)/(ma""in|sha""red)" "a path of somebody's machine"

[ ! -s "$faults" ] || {
	cat "$faults" >&2
	fail "$(wc -l <"$faults") faults"
}
