#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Every iosweep command shown in README and on the pages in doc/ works as printed, in their order:
# the lines "    iosweep ...", up to two blanks, which precede a description. Here `iosweep` is a
# script that puts "-n 64 -l 4M --width 1" before the arguments of a sweep, and reduces file sizes
# and times; presets and --quick have their own tests and are only planned. (Object stores that need
# a server: tests/s3/examples.sh.)
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

mkdir "$work/bin"
cat >"$work/bin/iosweep" <<'END'
#!/bin/sh
case " $* " in
" clean "* | " compare "* | " fit "* | " merge "* | " plot "* | " report "* | " help "* | *" --version "*) ;;
*" @"* | *" --quick "* | *" --dry-run "*) set -- --dry-run "$@" ;;
*" -s "* | *" mem: "* | *" null: "* | *" -r "* | *" --reuse "* | *" dev/"*) set -- -n 64 "$@" ;;
*) set -- -n 64 -l 4M --width 1 "$@" ;;
esac
exec "$IOSWEEP" "$@"
END
chmod +x "$work/bin/iosweep"
export IOSWEEP IOSWEEP_PRESETS="$top_srcdir/contrib/presets"
PATH=$work/bin:$PATH

# Whether a failure is due to this machine or build rather than to the page.
excused() { # STATUS COMMAND
	[ -z "$lacking" ] || ! grep -q 'cannot read .*: it does not exist' "$work/err" || return 0
	case $1:$2 in
	3:*io_uring* | 3:*" -b "* | 3:*direct*) ;;
	2:*" compare "*) grep -q 'nothing could be judged' "$work/err" ;;
	2:*) grep -qE 'no such engine in this build|no engine here runs' "$work/err" ;;
	3:*" plot "* | 3:*" fit "* | 3:*" compare "* | 3:*" merge "* | 3:*" report "*)
		grep -qE 'that reads results|rsvg-convert' "$work/err"
		;;
	*) false ;;
	esac
}

total=0
for page in README doc/tutorial.md doc/recipes.md doc/nas-admin.md doc/s3.md doc/filesystem-developer.md doc/packager.md; do
	sed -n 's/^    \(iosweep .*\)/\1/p' "$top_srcdir/$page" | grep -v -e 's3://' -e '16[.]json' -e ' WORD$' |
		sed 's/  .*//' >"$work/commands"
	[ -s "$work/commands" ] || fail "no examples were found in $page"
	here=$work/pages/${page##*/}
	mkdir -p "$here/mnt/nas/projects" "$here/mnt/data" "$here/mnt/fuse" "$here/mnt/stick" "$here/srv" \
		"$here/dev" "$here/DIR" "$here/DIR1" "$here/DIR2"
	cd "$here" || exit 99
	for file in FILE COPY mnt/nas/projects/file mnt/fuse/file srv/file dev/sdb1 dev/sdb4; do
		head -c 1048576 /dev/urandom >$file
	done
	sed -n '/# my[.]options/,/^$/s/^    \(.*\)/\1/p' "$top_srcdir/$page" >my.options
	cp FILE DIR/file
	find . -type f ! -name '*.*' | LC_ALL=C sort >"$work/before" # results have names with a dot
	lacking= # whether a command of this page could not be run, so that its results are missing
	while read -r command; do
		total=$((total + 1))
		command=$(printf '%s\n' "$command" |
			sed -e 's, /\(mnt\|srv\|dev\), \1,g' -e 's/ -l [0-9]*[MG] / -l 2M /' \
				-e 's/ --time [0-9]*[smh] / --time 50ms /' -e 's/:[0-9]*s\>/:50ms/g' -e 's/ --fill-step [0-9]*[MG] / --fill-step 1M /')
		sh -c "$command" >"$work/out" 2>"$work/err" </dev/null
		status=$?
		case $status:$command in
		0:* | 1:*" compare "*) ;;
		*)
			excused $status " $command " || fail "$page: status $status: $command"
			lacking=yes
			echo "not judged, or not on this machine: $command"
			continue
			;;
		esac
		case $command in
		*" -o "*)
			file=${command##* -o }
			[ -s "${file%% *}" ] || fail "$page: nothing was written: $command"
			;;
		"iosweep clean "*) [ -s "$work/err" ] || fail "$page: nothing was removed: $command" ;;
		*) [ -s "$work/out" ] || fail "$page: no output: $command" ;;
		esac
	done <"$work/commands"
	find . -type f ! -name '*.*' | LC_ALL=C sort | diff "$work/before" - >"$work/difference" ||
		fail "$page: files were left or removed: $(cat "$work/difference")"
done
[ "$total" -ge 100 ] || fail "only $total examples"
echo "$total examples"
