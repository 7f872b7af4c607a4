#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# What is told of a team agrees: the sum of its ranks is the row, and CSV and JSON have the same
# ranks and hosts.  Commands that read results tell a team from one process.
# shellcheck disable=SC2086 # lists of words
# shellcheck source=tests/team/team.sh
. "${top_srcdir:?}/tests/team/team.sh"

hosts=1
if team_hosts 2; then
	hosts=2
else
	team_hosts=
	echo "not tried: several hosts: $why"
fi
words='--quiet --tests read --sizes 4k,64k'

# --- JSON
team_run 0 4 $words -n 8001 --format json -o "$work/run.json" null:
agrees "$work/run.json" || fail "$why"
if command -v python3 >/dev/null; then
	python3 - "$work/run.json" $hosts <<-'END' || fail "JSON: see above"
	import records, sys
	run = records.load(sys.argv[1])
	head, hosts = run["head"], int(sys.argv[2])
	team = head["team"]
	assert team["ranks"] == 4 == sum(host["ranks"] for host in team["hosts"]), team
	assert len(team["hosts"]) == hosts == len({host["name"] for host in team["hosts"]}), team
	for host in team["hosts"]:
	    assert host["kernel"] == head["host"]["kernel"] and host["version"] == head["iosweep"], host
	    assert host["clock_error_ns"] >= 0 and host["rtt_ns"] >= host["clock_error_ns"], host
	assert len(run["row"]) == 2
	for row in run["row"]:
	    ranks = row["rank_results"]
	    rates = [rank["rate_per_s"] for rank in ranks]
	    assert row["ranks"] == 4
	    assert [rank["rank"] for rank in ranks] == [0, 1, 2, 3]
	    assert {rank["host"] for rank in ranks} == {host["name"] for host in team["hosts"]}
	    assert [rank["operations"] for rank in ranks] == [2001, 2000, 2000, 2000] and row["operations"] == 8001
	    assert row["errors"] == sum(rank["failed"] for rank in ranks) == 0 and row["rank_skew_ns_p99"] is not None
	    assert row["rank_rate_per_s_min"] == min(rates) and row["rank_rate_per_s_max"] == max(rates)
	    own = [one for one in run["slice"] if one["cell"] == row["cell"]]
	    assert row["operations"] == sum(one["operations"] for one in own)
	    assert row["latency_ns_max"] == max(one["latency_ns_max"] or 0 for one in own)
	    assert row["latency_ns_max"] == max(rank["latency_ns_max"] for rank in ranks)
	END
else
	echo "not tried: JSON, python3 is not installed"
fi

# --- -n is of all ranks, the first of which do what is left over, also where there is none for the others; or
# of each thread of each rank
mkdir "$work/few"
[ -z "$team_as" ] || chown nobody "$work/few"
for n in 1 3 11; do
	team_run 0 4 --quiet --threads 2 --tests write,read,create,delete,stat --sizes 4k -n $n --width 2 -l 64Ki "$work/few"
	rows "operations == $n && ranks == 4 && stop == \"count\" && notes !~ /incomplete/"
	team_run 0 4 --quiet --mix 50 --threads 2 --sizes 4k -n $n --width 2 -l 64Ki "$work/few"
	[ "$(column operations | awk "{ n += \$1 } END { print n }")" = $n ] || fail "--mix: not $n operations in all"
done
team_run 0 4 --quiet --threads 2 --tests write,delete --sizes 4k -n 3/thread --width 2 -l 64Ki "$work/few"
rows 'operations == 24'
nothing_left "$work/few"

# --- each rank has a seed of its own, of which its manifest tells
mkdir "$work/d"
[ -z "$team_as" ] || chown nobody "$work/d"
team_run 0 3 --quiet --tests write --sizes 4k -n 20 --width 2 -l 64Ki --keep --run-name s "$work/d"
cat "$work/d"/iosweep-s-rank[012]/MANIFEST-1 | grep -i seed >"$work/seeds"
[ "$(sort -u "$work/seeds" | wc -l)" = 3 ] || fail "seeds of three ranks: $(cat "$work/seeds")"

# --- comparing says that one side is a team, whose default columns are enough for that
run 0 $words -n 2000 --columns default -o "$work/one.csv" null:
team_run 0 4 $words -n 2000 --columns default -o "$work/run.csv" null:
iosweep compare --format table "$work/one.csv" "$work/run.csv" >"$work/out" 2>"$work/err"
grep -qx 'ranks: 1 -> 4' "$work/out" || fail "one process is compared with four without a word: $(cat "$work/out")"
