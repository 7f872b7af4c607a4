#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Each sweep that README shows for files and memory is valid: with --dry-run it has a plan of at
# least one row, and touches nothing. They are the lines " iosweep ...", up to the two blanks before
# their description. (Object stores: tests/s3/examples.sh; results: man-examples.sh and the tests of
# the commands.)
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

sed -n 's/^    \(iosweep .*\)/\1/p' "$top_srcdir/README" | sed 's/   *.*//' |
	grep -vE '^iosweep (clean|compare|fit|help|merge|plot|report) |(s3|rados|webhdfs):|[.][.][.]|[\]$' >"$work/commands"
count=$(wc -l <"$work/commands")
[ "$count" -ge 40 ] || fail "only $count examples were found in README"

mkdir "$work/bin" "$work/here"
cd "$work/here" || exit 99
cat >"$work/bin/iosweep" <<'END'
#!/bin/sh
exec "$IOSWEEP" --dry-run "$@"
END
chmod +x "$work/bin/iosweep"
export IOSWEEP IOSWEEP_PRESETS="$top_srcdir/contrib/presets"
mkdir DIR DIR1 DIR2 TREE
head -c 4194304 /dev/urandom >FILE
cp FILE TREE/file
cp FILE DIR/file
sed -n '/# my[.]options/,/^$/s/^    \(.*\)/\1/p' "$top_srcdir/README" >my.options
[ "$(wc -l <my.options)" = 3 ] || fail "my.options of README: $(cat my.options)"
run 0 --quiet --tests write --sizes 2 -l 64k -o PART DIR # the first row of the plan that is continued
find . | sort >"$work/before"

PATH=$work/bin:$PATH
while read -r command; do
	command=$(printf '%s\n' "$command" | sed 's/ -l 200Gi / -l 64Mi /') # free space is not tested here
	sh -c "$command" >"$work/out" 2>"$work/err" </dev/null
	status=$?
	case $status:$command in
	0:*) grep -q '^row 1: ' "$work/out" || fail "no plan: $command" ;;
	3:*io_uring* | 3:*" -b "* | 3:*direct*) echo "not on this machine: $command" ;;
	*)
		grep -qE 'no such engine in this build|no engine here runs' "$work/err" ||
			fail "status $status: $command"
		;;
	esac
	case $command in
	*" --keep "*) # the following ones need the run
		"$IOSWEEP" --quiet --keep --run-name NAME --sizes 4k -n 4 --width 1 DIR >"$work/out" 2>"$work/err" ||
			fail "status $?: a run to go on with"
		find . | sort >"$work/before"
		;;
	esac
done <"$work/commands"
find . | sort >"$work/after"
cmp -s "$work/before" "$work/after" || fail "something was left: $(diff "$work/before" "$work/after")"
