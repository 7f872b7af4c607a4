#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Every iosweep command shown on the pages in doc/ works as printed, in their order: the lines "
# iosweep ...". Here `iosweep` is a script that puts "-n 64 -l 1M --width 1" before the arguments of
# a sweep, and reduces file sizes and times; presets and --quick have their own tests and are only
# planned. (Object stores that need a server: tests/s3/examples.sh.)
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

mkdir "$work/bin"
cat >"$work/bin/iosweep" <<'END'
#!/bin/sh
case " $* " in
" compare "* | " merge "* | " plot "* | " report "* | " help "* | *" --version "*) ;;
*" @"* | *" --quick "*) set -- --dry-run "$@" ;;
*" -s "* | *" mem: "*) set -- -n 64 "$@" ;;
*" null: "* | *" -r "*) ;;
*) set -- -n 64 -l 1M --width 1 "$@" ;;
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
for page in nas-admin s3 filesystem-developer packager; do
	sed -n 's/^    \(iosweep .*\)/\1/p' "$top_srcdir/doc/$page.md" | grep -v -e 's3://' -e '16[.]json' >"$work/commands"
	[ -s "$work/commands" ] || fail "no examples were found in doc/$page.md"
	mkdir -p "$work/$page/mnt/nas/projects" "$work/$page/DIR"
	cd "$work/$page" || exit 99
	head -c 1048576 /dev/urandom >mnt/nas/projects/file
	lacking= # whether a command of this page could not be run, so that its results are missing
	while read -r command; do
		total=$((total + 1))
		command=$(printf '%s\n' "$command" |
			sed -e 's, /mnt/, mnt/,g' -e 's/ -l [0-9]*[MG] / -l 2M /' -e 's/ --time 60s / --time 50ms /')
		sh -c "$command" >"$work/out" 2>"$work/err" </dev/null
		status=$?
		case $status:$command in
		0:* | 1:*" compare "*) ;;
		*)
			excused $status " $command " || fail "doc/$page.md: status $status: $command"
			lacking=yes
			echo "not judged, or not on this machine: $command"
			continue
			;;
		esac
		case $command in
		*" -o "*)
			file=${command##* -o }
			[ -s "${file%% *}" ] || fail "doc/$page.md: nothing was written: $command"
			;;
		*) [ -s "$work/out" ] || fail "doc/$page.md: no output: $command" ;;
		esac
	done <"$work/commands"
	nothing_left DIR
	[ "$(find mnt -type f | wc -l)" = 1 ] || fail "doc/$page.md: left behind: $(find mnt -type f)"
done
[ "$total" -ge 30 ] || fail "only $total examples"
echo "$total examples"
