#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Every command in the section EXAMPLES of iosweep(1), and of iosweep-clean(1), works as printed, in
# order: the lines ".Dl $ COMMAND". Those of sweeps in pages 5 and 7, ".Dl COMMAND", are valid: with
# --dry-run they print a plan. Here `iosweep` is a script that puts "-n 20 --levels 1" (with -r: "-n
# 20") before the arguments: 20 operations per row and 4 files, so that the test is short and its
# work does not depend on time. The example's own options follow and take precedence.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

sed -n '/^\.Sh EXAMPLES/,/^\.Sh OPTIONS/s/^\.Dl \$ //p' "$top_srcdir/man/iosweep.1" |
	sed -e 's/\\-/-/g' -e "s/\\\\(aq/'/g" >"$work/commands"
count=$(wc -l <"$work/commands")
[ "$count" -ge 15 ] || fail "only $count examples were found in iosweep.1"
! grep -v '^iosweep' "$work/commands" || fail "these are no commands of iosweep"
# unknown markup would not be what readers see
! grep '[\]' "$work/commands" || fail "escapes that this test does not know"

mkdir "$work/bin" "$work/here" "$work/here/dir1" "$work/here/dir2"
cat >"$work/bin/iosweep" <<'END'
#!/bin/sh
case " $* " in
" clean "*) ;;
*" -r "* | *" --reuse "* | *" --overwrite "* | *" null: "*) set -- -n 20 "$@" ;; # no files
*) set -- -n 20 --levels 1 "$@" ;;
esac
exec ${IOSWEEP_RUN:-} "$IOSWEEP" "$@"
END
chmod +x "$work/bin/iosweep"
export IOSWEEP IOSWEEP_RUN="${IOSWEEP_RUN:-}"
PATH=$work/bin:$PATH
cd "$work/here" || exit 99
dd if=/dev/urandom of=data.bin bs=65536 count=16 2>/dev/null
cp data.bin before.bin

while read -r command; do
	sh -c "$command" >"$work/out" 2>"$work/err" </dev/null
	status=$?
	if [ "$status" = 3 ] && grep -q 'O_DIRECT is refused' "$work/err"; then
		echo "refused here, and said so: $command"
		continue
	fi
	case $status$(cat "$work/err") in
	2*"no such engine in this build"* | 3*io_uring*)
		echo "no such engine here, and said so: $command"
		continue
		;;
	esac
	[ "$status" = 0 ] || fail "status $status: $command"
	case $command in
	*" -o "* | *clean*) [ ! -s "$work/out" ] || fail "unexpected output: $command" ;;
	*) [ -s "$work/out" ] || fail "no output: $command" ;;
	esac
	case $command in
	*--overwrite*) ! cmp -s data.bin before.bin || fail "nothing was written: $command" ;;
	*data.bin*) cmp -s data.bin before.bin || fail "the file was changed: $command" ;;
	*tail*) [ "$(wc -l <"$work/out")" = 2 ] || fail "not two lines: $command" ;;
	esac
	case $command in
	*--keep* | *--reuse*) ls -d dir1/iosweep-* >/dev/null || fail "nothing was kept: $command" ;;
	*" -r "*) ;;
	*) nothing_left dir1 && nothing_left dir2 ;;
	esac
done <"$work/commands"

for name in monday tuesday; do
	"$IOSWEEP" --quiet --keep --run-name $name --sizes 4k -n 4 --levels 1 dir1 >/dev/null || fail "a run to remove"
done
sed -n 's/^\.Dl \$ iosweep //p' "$top_srcdir/man/iosweep-clean.1" | sed 's/\\-/-/g' >"$work/cleans"
[ "$(wc -l <"$work/cleans")" -ge 3 ] || fail "only few examples in iosweep-clean.1"
while read -r arguments; do
	# shellcheck disable=SC2086 # words
	run 0 $arguments
done <"$work/cleans"
nothing_left dir1

sed -n 's/^\.Dl \(iosweep .*\)/\1/p' "$top_srcdir"/man/*.[57] | sed 's/\\-/-/g' >"$work/planned"
[ "$(wc -l <"$work/planned")" -ge 5 ] || fail "only few examples in pages 5 and 7"
sed -n '/^[.]Bd/,/^[.]Ed/s/\\-/-/gp' "$top_srcdir/man/iosweep-presets.5" >disk.options
ln -s dir1 data
cp data.bin dir1/file
while read -r command; do
	sh -c "\"\$IOSWEEP\" --dry-run ${command#iosweep }" >"$work/out" 2>"$work/err" </dev/null
	status=$?
	case $status$(cat "$work/err") in
	0*) grep -q '^row 1: ' "$work/out" || fail "no plan: $command" ;;
	2*"this build has no "* | 2*"no engine here runs"* | 3*"needs the package"*) echo "not here: $command" ;;
	*) fail "status $status: $command" ;;
	esac
done <"$work/planned"
rm dir1/file data disk.options

# the files that examples write
header=size_bytes,operations,time_s
grep -q "^$header" curve.csv || fail "curve.csv has no header"
grep -q ',dir1,.*monday' curve.csv || fail "curve.csv does not hold dir1 and the label"
grep -q ',dir2,.*monday' curve.csv || fail "curve.csv does not hold dir2 and the label"
grep -q '^size_bytes;operations;time_s' kurve.csv || fail "kurve.csv is not separated by semicolons"
grep -q '^512;20;0,[0-9]*;' kurve.csv || fail "kurve.csv has no decimal comma"
grep -q '^{"record":"head",' run.json || fail "run.json is not a document"
grep -q '^ended_s,interval_s,test' series.csv || fail "series.csv has no header"
rm -f series.csv curve.csv kurve.csv run.json data.bin before.bin
rmdir dir1 dir2
nothing_left .
echo "$count examples work"
