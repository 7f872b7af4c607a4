#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Whose files ranks use, as the kernel sees it: with --share none each its own, with shift each writes its
# own and reads those of the next, with all they all use one set; the same of objects in a store.  Runs
# that were kept are read by rank; ranks that do not fit them, or would write over the same file, touch
# nothing; hosts have targets of their own; and in the end nothing is left but what somebody else has there.
# shellcheck disable=SC2086 # lists of words
# shellcheck source=tests/team/team.sh
. "${top_srcdir:?}/tests/team/team.sh"

# place DIR...: new ones, which belong to the ranks
place() {
	mkdir "$@" || exit 99
	[ -z "$team_as" ] || chown nobody "$@"
}
place "$work/d" "$work/e" "$work/trace"
small='--levels 2 --width 3 -l 64Ki --sizes 4k'
brief='--quiet --format csv --columns size_bytes,test,operations,ranks,errors'

# somebody else's run and file, which stay
run 0 --quiet $small --keep --run-name foreign --tests write -n 1 "$work/d"
echo data >"$work/d/file"
foreign() { (cd "$1" && find iosweep-foreign file -type f -exec cksum {} + | sort); }
foreign "$work/d" >"$work/foreign"
# alone DIR: nothing but that is there
alone() {
	[ "$(cd "$1" && echo *)" = 'file iosweep-foreign' ] || fail "left in $1: $(ls "$1")"
	foreign "$1" | cmp -s - "$work/foreign" || fail "what somebody else has there is not as it was"
}
# rows ROW...: those of the result, "4096:write" and so on, without errors
rows() {
	[ "$(column size_bytes test | tr '\n' ' ')" = "$* " ] || fail "rows: $(cat "$work/out")"
	[ "$(column errors | sort -u)" = 0 ] || fail "operations failed: $(cat "$work/out")"
}

# --- what ranks open
cat >"$work/traced" <<END
#!/bin/sh
exec strace -f -y -qq -e trace=open,openat,openat2 -e signal=none \\
	-o "$work/trace/\${OMPI_COMM_WORLD_RANK:-\${PMI_RANK:-}}" "$team_program" "\$@"
END
chmod 755 "$work/traced"
# opened RANK RUN MODE: how often operations of that rank have opened test files of the run; not what was
# made, or looked at, before
opened() {
	sed -n "/openat2\{0,1\}([0-9]*<[^>]*\/iosweep-$2>, \"d[0-9]\/f[0-9]\", \({flags=\)\{0,1\}$3|/p" "$work/trace/$1" |
		grep -vc 'O_CREAT\|O_NOATIME\|O_PATH\| = -1'
}
# touches RANK RUN MODE, does_not RANK RUN MODE, in the course of 900 operations of each test, 300 a rank
touches() {
	[ "$(opened "$@")" -ge 200 ] || fail "$share: rank $1 has opened run $2 ($3) only $(opened "$@") times"
}
does_not() {
	[ "$(opened "$@")" -eq 0 ] || fail "$share: rank $1 has opened run $2 ($3) $(opened "$@") times"
}
if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
	for share in none shift all; do
		rm -f "$work/trace"/*
		team_launch 3 "$work/traced" $brief $small --cache asis --tests write,read -n 900 --rounds 1 --run-name r \
			--share $share "$work/d" >"$work/out" 2>"$work/err" || fail "$share: exit status $?: $(cat "$work/err")"
		rows 4096:write 4096:read
		for rank in 0 1 2; do
			next=$(((rank + 1) % 3)) last=$(((rank + 2) % 3))
			case $share in
			none)
				touches $rank r-rank$rank O_WRONLY
				touches $rank r-rank$rank O_RDONLY
				does_not $rank "r-rank[$next$last]" 'O_[A-Z]*'
				;;
			shift)
				touches $rank r-rank$rank O_WRONLY
				touches $rank r-rank$next O_RDONLY
				does_not $rank r-rank$rank O_RDONLY
				does_not $rank "r-rank[$next$last]" O_WRONLY
				does_not $rank r-rank$last 'O_[A-Z]*'
				;;
			all)
				touches $rank r-shared O_WRONLY
				touches $rank r-shared O_RDONLY
				does_not $rank 'r-rank[012]' 'O_[A-Z]*'
				;;
			esac
		done
		alone "$work/d"
	done
else
	echo "not tried: what ranks open: strace is not installed, or may not look"
fi

# --- what was written is what is read, whoever has written it
for share in shift all; do
	team_run 0 3 $brief $small --verify --cache cached,uncached --tests write,read,stat,list -n 60 \
		--share $share "$work/d"
	rows 4096:write 4096:read 4096:stat 4096:list 4096:write 4096:read
	alone "$work/d"
done

# --- kept runs: by as many ranks
team_run 0 3 $brief $small --tests write -n 30 --keep --verify --run-name kept "$work/d"
[ "$(cd "$work/d" && echo iosweep-kept*)" = 'iosweep-kept-rank0 iosweep-kept-rank1 iosweep-kept-rank2' ] ||
	fail "kept are $(ls "$work/d")"
team_run 3 3 $brief $small --run-name kept "$work/d"
[ "$(grep '^iosweep: ' "$work/err")" = "iosweep: a run of this name already exists: kept; choose another --run-name, \
read it with -r, or remove it: iosweep clean --run-name kept $work/d" ] || fail "a name that is taken: $(cat "$work/err")"
for share in none shift; do
	team_run 0 3 $brief -r --verify --run-name kept -n 30 --share $share "$work/d"
	rows 4096:read
done
team_run 3 4 $brief -r --run-name kept -n 30 "$work/d"
grep -q '^iosweep: rank 3 .*no such run: kept-rank3; read a kept run of a team with the same --share, and with no more ranks' "$work/err" ||
	fail "what is missing is not told: $(cat "$work/err")"
team_run 3 3 $brief -r --run-name kept --share all -n 30 "$work/d"
grep -q 'no such run: kept-shared' "$work/err" || fail "what is missing is not told: $(cat "$work/err")"
team_run 3 3 $brief $small --tests write -n 30 --run-name kept "$work/d"
[ "$(cd "$work/d" && echo iosweep-kept*)" = 'iosweep-kept-rank0 iosweep-kept-rank1 iosweep-kept-rank2' ] ||
	fail "a run of the same name removes those that are there"
team_run 0 3 $brief --reuse kept --tests write,read --sizes 4k -n 30 --keep --share shift "$work/d"
rows 4096:write 4096:read
team_run 0 3 $brief $small --tests write -n 30 --replace --run-name kept "$work/d"
alone "$work/d"
team_run 0 2 $small --format csv --tests write -n 30 --keep --run-name kept "$work/d"
grep -q "^# so are those of all ranks; to remove them: iosweep clean --run-name kept $work/d\$" "$work/err" ||
	fail "how to remove kept runs is not told"
if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then # ranks do so at the same time
	${team_as:-} strace -y -e trace=flock -o "$work/trace/locks" "$IOSWEEP" clean --dry-run --run-name kept-rank0 "$work/d" \
		>"$work/said" 2>&1 || fail "one run of several: $(cat "$work/said")"
	grep -q 'flock(.*/iosweep-kept-rank0>' "$work/trace/locks" || fail "whether a run is in use is not looked at"
	! grep 'iosweep-kept-rank1\|iosweep-foreign' "$work/trace/locks" || fail "a run is locked that is not asked for"
fi
${team_as:-} "$IOSWEEP" clean --run-name kept "$work/d" 2>"$work/err" || fail "the plain program does not remove them"
alone "$work/d"

# --- the same file for all, which only reads, or was said
cp "$work/d/iosweep-foreign/d0/f0" "$work/big"
[ -z "$team_as" ] || chown nobody "$work/big"
cksum "$work/big" >"$work/big.sum"
team_run 0 3 $brief -r --sizes 4k -n 30 "$work/big"
rows 4096:read
team_run 2 3 $brief --overwrite --sizes 4k -n 30 "$work/big"
grep -q "^iosweep: several ranks would write to the same data: $work/big; --share all" "$work/err" ||
	fail "ranks that write to one file: $(cat "$work/err")"
cksum "$work/big" | cmp -s - "$work/big.sum" || fail "a file was written to that --share all was not said of"
team_run 0 3 $brief --overwrite --share all --verify --tests write,read --cache cached --sizes 4k -n 60 "$work/big"
rows 4096:write 4096:read
! cksum "$work/big" | cmp -s - "$work/big.sum" || fail "nothing was written"

# --- rank 0 names the command that removes what a rank that hangs has made
team_start 3 $brief $small --tests write --time 60s --rank-timeout 2s --share shift --run-name lost "$work/d"
soon "rank 2 makes no files" test -e "$work/d/iosweep-lost-rank2/d2/f2"
sleep 0.5
hangs=$(team_rank 2)
kill -STOP "$hangs"
wait "$team_pid" && fail "a lost rank does not show in the exit status" # which is the launcher's
kill -KILL "$hangs" 2>/dev/null
grep -q '^iosweep: the team has lost rank 2 ' "$work/err" || fail "the loss of a rank is not told: $(cat "$work/err")"
grep -q "^iosweep: ranks may have left files on [^ ]*; to remove them: iosweep clean --force --run-name lost $work/d\$" "$work/err" ||
	fail "how to remove what it left is not told: $(cat "$work/err")"
# unless it has removed them, when the launcher ended it
${team_as:-} "$IOSWEEP" clean --force --run-name lost "$work/d" 2>"$work/err" || grep -q '^iosweep: no such run: lost;' "$work/err" ||
	fail "what it left cannot be removed: $(cat "$work/err")"
alone "$work/d"

# --- hosts with targets of their own; ranks of other hosts do not see what is not theirs
if team_hosts 2; then
	team_run 0 4 --quiet --format csv --columns target,size_bytes,test,ranks,errors $small --tests write,read -n 60 \
		--share shift --hosts-per-target 1 "$work/d" "$work/e"
	rows 4096:write 4096:read
	[ "$(column target | sort -u)" = "$work/d+$work/e" ] || fail "the target of all is $(column target)"
	alone "$work/d"
	nothing_left "$work/e"
	team_run 2 4 $brief --hosts-per-target 2 "$work/d" "$work/e"
	grep -q '2 targets take 4 hosts, and the team has 2$' "$work/err" || fail "hosts that do not fit: $(cat "$work/err")"
	alone "$work/d"
	team_hosts=
else
	echo "not tried: hosts with targets of their own: $why"
fi

# --- the same of objects in a store that all ranks reach
# shellcheck source=tests/s3/server.sh
. "$top_srcdir/tests/s3/server.sh"
if ! "$IOSWEEP" help engines | grep -q '^s3 ' || ! command -v python3 >/dev/null || ! server_find "${S3_SERVER:-}"; then
	echo "not tried: objects: no S3 server is installed, or no python3, or iosweep is built without s3"
	exit 0
fi
unset http_proxy https_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY AWS_PROFILE AWS_SESSION_TOKEN
server_start "$work/server" || fail "$server_kind does not start"
on_exit "is_child $server_pid && server_stop $server_pid"
S3_ENDPOINT=$server_endpoint S3_BUCKET=iosweep-test S3_CA=
AWS_ACCESS_KEY_ID=$server_access AWS_SECRET_ACCESS_KEY=$server_secret AWS_REGION=$server_region
AWS_SHARED_CREDENTIALS_FILE=/nonexistent AWS_CONFIG_FILE=/nonexistent
export S3_ENDPOINT S3_BUCKET S3_CA AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_REGION AWS_SHARED_CREDENTIALS_FILE AWS_CONFIG_FILE
s3() { python3 "$top_srcdir/tests/s3/client.py" "$@"; }
s3 make-bucket || fail "cannot make a bucket"
bucket="--endpoint $server_endpoint s3://iosweep-test"
for share in none shift all; do
	team_run 0 3 $brief --verify --sizes 4k,16k --objects 6 --tests write,read,stat -n 30 --share $share $bucket
	rows 4096:write 16384:write 4096:read 16384:read 4096:stat 16384:stat
	[ "$(s3 list '' | wc -l)" -eq 0 ] || fail "--share $share: left in the store: $(s3 list '')"
done
team_run 0 3 $brief --sizes 4k --objects 6 --tests write,read -n 30 --keep --run-name kept $bucket
team_run 0 3 $brief -r --run-name kept --tests read -n 30 --share shift $bucket
rows 4096:read
team_run 3 4 $brief -r --run-name kept --tests read -n 30 $bucket
grep -q 'rank 3 .*no such run: kept-rank3; read a kept run of a team with the same --share' "$work/err" || fail "what is missing is not told"
run 0 clean --run-name kept $bucket
[ "$(s3 list '' | wc -l)" -eq 0 ] || fail "left in the store: $(s3 list '')"
