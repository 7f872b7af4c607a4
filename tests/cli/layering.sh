#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The walls of the program stand: includes point one way (main -> cli -> report, analysis -> run ->
# target, engine -> net, os -> base), an optional library is known to one folder, nobody outside the
# engines knows an engine by its name; each file says its licence and is text; Makefile.am names each
# once; and what makes builds differ or hides limits is in no file.
# shellcheck disable=SC2016,SC2129
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

cd "$top_srcdir" || exit 99
faults=$work/faults
: >"$faults"

# --- our files: not what a build inside the sources leaves there
find src tests man contrib -type f \
	! -name '*.o' ! -name '*.a' ! -name '*.log' ! -name '*.trs' ! -name '*.gc??' ! -name .dirstamp \
	! -path '*/.deps/*' ! -path '*/__pycache__/*' ! -name '*~' ! -name '.*.sw?' | sort |
	while IFS= read -r file; do
		case $file in
		src/iosweep | src/iosweep.exe) ;;
		*) [ -f "$file.c" ] || echo "$file" ;; # not the programs made of tests/unit/*.c
		esac
	done >"$work/files"
grep '^src/.*[.][ch]$' "$work/files" >"$work/sources"
[ "$(wc -l <"$work/sources")" -ge 60 ] || fail "only $(wc -l <"$work/sources") sources found"

# --- includes.  Read as FILE INCLUDED; what is allowed for the directory of FILE
xargs awk '/^[ \t]*#[ \t]*include[ \t]*"/ { split($0, part, "\""); print FILENAME, part[2] }' \
	<"$work/sources" >"$work/includes"
[ "$(wc -l <"$work/includes")" -ge 150 ] || fail "only $(wc -l <"$work/includes") includes found"
while read -r file included; do
	case $file:$included in
	src/*:base/* | src/main.c:cli/* | src/main.c:run/* | src/main.c:os/*) ;;
	src/cli/*:cli/* | src/cli/*:report/* | src/cli/*:analysis/* | src/cli/*:run/* | src/cli/*:os/*) ;;
	src/cli/*:engine/engine.h | src/cli/*:target/target.h) ;;
	src/*:target/test.h) ;; # what tests are, for all above and for results that are read back
	src/report/*:report/* | src/report/*:run/* | src/report/*:os/*) ;;
	src/report/*:engine/engine.h | src/report/*:target/target.h) ;;
	src/report/findings/*:analysis/fit.h) ;; # a finding says what a fitted line says
	src/analysis/*:analysis/*) ;;
	src/analysis/*_print.c:report/formats/print.h) ;; # numbers look the same wherever they are printed
	src/run/*:run/* | src/run/*:engine/engine.h | src/run/*:target/target.h | src/run/*:os/*) ;;
	src/run/payload.h:target/pattern.h) ;; # data to write are made as data to fill in are
	src/engine/*:engine/* | src/engine/*:target/target.h | src/engine/*:target/pattern.h | src/engine/*:os/*) ;;
	# a protocol is known to its own folder; the layer knows none
	src/target/object/s3/*:target/object/s3/* | src/target/object/mem/*:target/object/mem/*) ;;
	*:target/object/s3/* | *:target/object/mem/*) echo "$file may not include $included" ;;
	src/target/object/mem/*:engine/null_delay.h) ;; # times as those of the engine null
	src/target/*:target/* | src/target/*:engine/engine.h | src/target/*:os/*) ;;
	src/target/file/*:engine/file.h) ;; # files are filled and checked as engines open them
	src/target/object/s3/*:net/*) ;;
	src/net/*:net/* | src/net/*:os/*) ;;
	src/os/*:os/*) ;;
	*:config.h) [ "$file" = src/base/compat.h ] || echo "$file includes config.h itself" ;;
	*) echo "$file may not include $included" ;;
	esac
	[ "$included" = config.h ] || [ -f "src/$included" ] ||
		echo "$file includes $included, which is not spelled from src/"
done <"$work/includes" >>"$faults"

# each source begins with what the platform needs
grep '[.]c$' "$work/sources" | xargs awk '
	FNR == 1 { found = 0 }
	!found && /^[ \t]*#[ \t]*include/ {
		found = 1
		if ($0 !~ /"base\/compat[.]h"/)
			print FILENAME " includes " $2 " before base/compat.h"
	}' >>"$faults"

# --- one file per optional library
for header in curl/ liburing libaio rados/ mpi expat jansson openssl/ libs3; do
	# shellcheck disable=SC2046
	grep -l "^[[:space:]]*#[[:space:]]*include[[:space:]]*<$header" $(cat "$work/sources") >"$work/users"
	# signing and hashing may be two files of one engine
	most=1
	[ $header != openssl/ ] || most=3
	[ "$(wc -l <"$work/users")" -le $most ] ||
		echo "<$header is included by $(tr '\n' ' ' <"$work/users")"
done >>"$faults"

# --- engines are asked for their capabilities, not for their names
names='posix|pread|stdio|null|libaio|io_uring|uring|s3|rados|webhdfs'
grep -Ev '^src/(engine|target)/' "$work/sources" >"$work/outside"
xargs grep -En "(strn?cmp|strcasecmp|memcmp) *[(].*(engine[^,;]*name|\"($names)\")" <"$work/outside" |
	sed 's/$/ (tests the name of an engine)/' >>"$faults"
xargs grep -En "[&]engine_($names)([^a-z_]|\$)" <"$work/outside" |
	sed 's/$/ (knows an engine by name)/' >>"$faults"

# --- the layer of object stores speaks no protocol
grep '^src/target/object/[a-z_]*[.][ch]$' "$work/sources" >"$work/layer"
[ "$(wc -l <"$work/layer")" -ge 20 ] || fail "only $(wc -l <"$work/layer") files of the layer found"
xargs grep -Ein '(^|[^a-z0-9])(s3|http|curl|xml)([^a-z0-9]|$)' <"$work/layer" |
	sed 's/$/ (a word of a protocol)/' >>"$faults"

# --- licence and text
xargs awk '
	function finish() { if (name != "" && !found) print name ": no SPDX line" }
	FNR == 1 { finish(); name = FILENAME; found = 0 }
	FNR <= 3 && /SPDX-License-Identifier: [A-Za-z0-9]/ { found = 1 }
	END { finish() }' <"$work/files" >>"$faults"
while IFS= read -r file; do
	[ -s "$file" ] || echo "$file: empty"
	[ -z "$(tail -c 1 "$file" | tr -d '\n')" ] || echo "$file: ends without a newline"
	# a byte 0, or a control character that no text has
	LC_ALL=C tr -d '\011\012\015\040-\176\200-\377' <"$file" | cmp -s - /dev/null ||
		echo "$file: not text"
done <"$work/files" >>"$faults"

# --- the build knows each file, and names it once; a program may be named instead of its source
tr -s ' \t\\' '\n' <Makefile.am | awk '
	FILENAME == "-" { named[$0]++; next }
	{
		program = $0
		sub(/[.]c$/, "", program)
		if (!named[$0] && !named[program])
			print $0 ": not in Makefile.am"
		else if (named[$0] > 1 || named[program] > 1)
			print $0 ": twice in Makefile.am"
	}' - "$work/files" >>"$faults"

# --- words.  Split here so that this file does not hold them.
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
forbid '^src/' "CLOCK_REAL""TIME|gettimeof""day *[(]" "the clock can be set"
# (memory that is exhausted ends the process at once, in mem.c)
forbid '^src/(cli|report|analysis|run|target|engine|net|os|base/[^m])' "^[^/*\"]*(^|[^a-z_])ex""it *[(]" "only main ends the process"
forbid . "/(wo""rk)/(ma""in|sha""red)" "a path of somebody's machine"

[ ! -s "$faults" ] || {
	cat "$faults" >&2
	fail "$(wc -l <"$faults") faults"
}
