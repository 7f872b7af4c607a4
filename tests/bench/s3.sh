#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# s3.sh - make bench-s3: what reading from a local S3 server costs, in interleaved rounds with wrk on
# a presigned URL (the ceiling of this server on this machine), curl, a client on libs3 (configure
# --with-libs3), and whichever of warp, aws and rclone are installed.  All read the same object.
# Requests and bytes per second, and processor time (user and system) of the client per request and
# per GB, with ratios of medians.  Where nginx is installed, the smallest object is read from it too,
# as a file, with and without TLS: there it is the client that limits.  What iosweep is to reach of
# wrk with small objects, with signatures, phases and statistics, stands in the last column: 0.97 of
# the rate, 1.4 times the processor time; "no" fails nothing, machines are noisy.
#
# S3_SERVER   versitygw (default) or minio
# ROUNDS_S3   interleaved rounds (default 5), SECONDS_S3 for each contender in each (default 1;
#             4 times as long where a GiB is under way)
# SIZES_S3    sizes in bytes (default "4096 1048576 67108864"), DEPTHS_S3 depths (default "1 16 64")
# IOSWEEP_BEFORE another build of iosweep, to be compared with this one ("before")
# S3_REQUESTS how many requests the soak makes at the end (default 1000000; 0: none)
TEST_BOUNDED=1 # takes as long as it takes
export TEST_BOUNDED
# shellcheck disable=SC2119,SC2154
# shellcheck source=tests/s3/lib.sh
. "${top_srcdir:?}/tests/s3/lib.sh"
need wrk curl

rounds=${ROUNDS_S3:-5}
seconds=${SECONDS_S3:-1}
libs3=${builddir:?}/tests/bench/libs3-client
sizes=${SIZES_S3:-4096 1048576 67108864}
depths=${DEPTHS_S3:-1 16 64}
s3_start
for size in $sizes; do
	head -c "$size" /dev/urandom >"$work/object"
	s3 put "bench/$size/object" "$work/object"
done

# --- nginx: objects are files, all else is asked of the server
places=server
# shellcheck disable=SC2086
small=$(printf '%s\n' $sizes | sort -n | head -n 1)
PATH=$PATH:/usr/sbin
if command -v nginx >/dev/null && server_certificates "$work/certs"; then
	mkdir -p "$work/nginx/root/$bucket/bench/$small"
	head -c "$small" /dev/urandom >"$work/nginx/root/$bucket/bench/$small/object"
	chmod -R a+rX "$work"
	plain=$(s3 port)
	secure=$(s3 port)
	if nginx_start "http://127.0.0.1:$plain" <<END; then
keepalive_requests 100000000;
open_file_cache max=16;
tcp_nodelay on;
server {
	listen 127.0.0.1:$plain;
	listen 127.0.0.1:$secure ssl;
	root $work/nginx/root;
	location / {
		proxy_pass http://127.0.0.1:$server_port;
		proxy_set_header Host \$http_host;
	}
	location /$bucket/bench/ { }
}
END
		places="server nginx nginx-tls"
	else
		echo "# nginx does not start: $(cat "$work/nginx/log" "$work/nginx/said")"
	fi
fi
# endpoint_of PLACE
endpoint_of() {
	case $1 in
	nginx) echo "http://127.0.0.1:$plain" ;;
	nginx-tls) echo "https://127.0.0.1:$secure" ;;
	*) echo "$endpoint" ;;
	esac
}

# cost FILE COMMAND...: seconds passed and of the processor, in FILE
cost() {
	python3 "$top_srcdir/tests/bench/cost.py" "$@"
}

# one PLACE SIZE DEPTH CONTENDER: a line "requests/s requests cpu-seconds"; the requests are all that the
# processor time is for, "-": not measured
one() {
	place=$1 size=$2 depth=$3 contender=$4
	duration=$((seconds * (size * depth >= 1073741824 ? 4 : 1)))
	url=$(s3 presign "bench/$size/object" 86400)
	[ "$place" = server ] || url=$(endpoint_of "$place")/$bucket/bench/$size/object
	rm -f "$work/cost"
	case $contender in
	wrk)
		# of large objects wrk counts bytes as they come, but requests only when they end
		cost "$work/cost" wrk -t1 "-c$depth" "-d$duration" --timeout 60 "$url" >"$work/said" 2>&1 || return 1
		awk -v size="$size" 'FILENAME ~ /cost$/ { cpu = $2; next }
			/requests in/ {
				n = $1; time = $4 + 0; bytes = $5 + 0
				bytes *= $5 ~ /GB/ ? 2^30 : $5 ~ /MB/ ? 2^20 : $5 ~ /KB/ ? 2^10 : 1
				if (size >= 2^20)
					n = bytes / size
			}
			/^ *Non-2xx/ { bad = 1 }
			END { if (n && !bad) printf "%.3f %.3f %s\n", n / time, n, cpu; else exit 1 }' \
			"$work/cost" "$work/said"
		;;
	iosweep | before)
		program=$IOSWEEP
		[ "$contender" = iosweep ] || program=$IOSWEEP_BEFORE
		set --
		[ "$place" != nginx-tls ] || set -- --ca-file "$work/certs/ca.crt"
		# all that the process used by all that it asked for, as for the others
		cost "$work/cost" "$program" "$@" --endpoint "$(endpoint_of "$place")" --format csv --time "$duration" \
			--sizes "$size" --depth "$depth" --tests read -r --rounds 5,1000 "s3://$bucket/bench/$size" \
			>"$work/out" 2>"$work/err" || return 1
		asked=$(sed -n 's/^# s3:.*: \([0-9]*\) requests.*received$/\1/p' "$work/err")
		awk -v rate="$(value rate_per_s)" -v n="${asked:-0}" '{
			if (rate > 0 && n > 0) print rate, n, $2; else exit 1 }' "$work/cost"
		;;
	libs3)
		cost "$work/cost" "$libs3" get "$endpoint" "$bucket" "bench/$size/object" 0 "$size" "$depth" 0 \
			"$duration" >"$work/said" 2>&1 || return 1
		awk 'FILENAME ~ /cost$/ { cpu = $2; next }
			{ figure[$1] = $2 }
			END { print figure["rate_per_s"], figure["operations"], cpu }' "$work/cost" "$work/said"
		;;
	warp)
		WARP_ACCESS_KEY=$AWS_ACCESS_KEY_ID WARP_SECRET_KEY=$AWS_SECRET_ACCESS_KEY
		export WARP_ACCESS_KEY WARP_SECRET_KEY
		objects=$((64 * 1048576 / size))
		[ "$objects" -le 64 ] || objects=64
		[ "$objects" -ge 2 ] || objects=2
		cost "$work/cost" warp get --host "127.0.0.1:$server_port" --bucket warp-bench --obj.size "${size}B" \
			--objects "$objects" --concurrent "$depth" --duration "$((duration + 1))s" --autoterm=false \
			--no-color --benchdata "$work/warp" >"$work/said" 2>&1 || return 1
		awk 'FILENAME ~ /cost$/ { cpu = $2; next }
			/Report: GET/ { get = 1 }
			get && match($0, /[0-9.]+ obj\/s/) { rate = substr($0, RSTART, RLENGTH) + 0; get = 0 }
			END { if (rate) print rate, "-", cpu; else exit 1 }' "$work/cost" "$work/said"
		;;
	curl)
		[ "$depth" = 1 ] || return 1
		count=$((size > 1048576 ? 8 : 512))
		: >"$work/urls"
		turn=0
		while [ "$turn" -lt "$count" ]; do
			printf 'url = "%s"\noutput = /dev/null\n' "$url" >>"$work/urls"
			turn=$((turn + 1))
		done
		cost "$work/cost" curl -s -K "$work/urls" || return 1
		awk -v n="$count" '{ print n / $1, n, $2 }' "$work/cost"
		;;
	aws)
		cost "$work/cost" aws --endpoint-url "$endpoint" s3 cp "s3://$bucket/bench/$size/object" "$work/copy" \
			>/dev/null 2>&1 || return 1
		awk '{ print 1 / $1, 1, $2 }' "$work/cost"
		;;
	rclone)
		RCLONE_CONFIG=$work/rclone.conf
		export RCLONE_CONFIG
		: >"$RCLONE_CONFIG"
		cost "$work/cost" rclone -q --s3-provider Other --s3-env-auth --s3-endpoint "$endpoint" \
			--s3-force-path-style cat ":s3:$bucket/bench/$size/object" >/dev/null || return 1
		awk '{ print 1 / $1, 1, $2 }' "$work/cost"
		;;
	esac
}

echo "# $server_kind, $rounds rounds, $(curl --version | sed -n '1s/^\(curl [^ ]*\).*/\1/p'), $(wrk -v 2>&1 | sed -n '1s/ Copy.*//p')" |
	tr -s ' '
round=0
while [ "$round" -lt "$rounds" ]; do
	for place in $places; do
		for size in $([ "$place" = server ] && echo "$sizes" || echo "$small"); do
			for depth in $depths; do
				set -- wrk iosweep
				[ -z "${IOSWEEP_BEFORE:-}" ] || set -- "$@" before
				if [ "$place" = server ]; then
					[ "$depth" != 1 ] || set -- "$@" curl
					[ ! -x "$libs3" ] || set -- "$@" libs3
					[ "$depth" != 16 ] || ! command -v warp >/dev/null || set -- "$@" warp
				fi
				if [ "$place $depth $size" = "server 1 67108864" ]; then
					! command -v aws >/dev/null || set -- "$@" aws
					! command -v rclone >/dev/null || set -- "$@" rclone
				fi
				turn=$((round % $#)) # another one is first in each round
				while [ "$turn" -gt 0 ]; do
					first=$1
					shift
					set -- "$@" "$first"
					turn=$((turn - 1))
				done
				for contender; do
					echo "$place $size $depth $contender $(one "$place" "$size" "$depth" "$contender" || echo '- - -')"
				done
			done
		done
	done
	round=$((round + 1))
done >"$work/lines"

awk 'function median(key, what,   i, j, n, v, a) {
		n = 0
		for (i = 1; i <= count[key]; i++) {
			v = value[key, what, i]
			if (v == "")
				continue
			for (j = n++; j > 0 && a[j] > v; j--)
				a[j + 1] = a[j]
			a[j + 1] = v
		}
		if (!n)
			return ""
		return n % 2 ? a[(n + 1) / 2] : (a[n / 2] + a[n / 2 + 1]) / 2
	}
	function figure(format, x) { return x == "" ? "" : sprintf(format, x) }
	function ratio(a, b) { return a == "" || b == "" || b == 0 ? "" : sprintf("%.3f", a / b) }
	{
		key = $1 "," $2 "," $3 "," $4
		if (!(key in count)) {
			count[key] = 0; order[++keys] = key; group[key] = $1 "," $2 "," $3; size[key] = $2
			contender[key] = $4
		}
		if ($5 == "-")
			next
		i = ++count[key]
		value[key, "rate", i] = $5 + 0
		if ($6 != "-")
			value[key, "cpu", i] = $7 / $6
	}
	END {
		print "place,size_bytes,depth,contender,rounds,requests_per_s,bytes_per_s,cpu_us_per_request,cpu_s_per_gb,rate_to_wrk,cpu_to_wrk,cpu_to_curl,reached"
		for (k = 1; k <= keys; k++) {
			key = order[k]
			rate = median(key, "rate"); cpu = median(key, "cpu")
			to_wrk = ratio(rate, median(group[key] ",wrk", "rate"))
			cpu_to_wrk = ratio(cpu, median(group[key] ",wrk", "cpu"))
			reached = ""
			if (contender[key] == "iosweep" && size[key] <= 16384 && to_wrk != "" && cpu_to_wrk != "")
				reached = to_wrk >= 0.97 && cpu_to_wrk <= 1.4 ? "yes" : "no"
			printf "%s,%d,%s,%s,%s,%s,%s,%s,%s,%s\n", key, count[key], figure("%.1f", rate),
				rate == "" ? "" : sprintf("%.0f", rate * size[key]),
				cpu == "" ? "" : sprintf("%.2f", cpu * 1e6),
				cpu == "" ? "" : sprintf("%.4f", cpu / size[key] * 1e9),
				to_wrk, cpu_to_wrk, ratio(cpu, median("server," size[key] ",1,curl", "cpu")), reached
		}
	}' "$work/lines"

if [ "${S3_REQUESTS:-1000000}" -gt 0 ]; then
	echo
	echo "# memory and descriptors over ${S3_REQUESTS:-1000000} requests"
	sh "$top_srcdir/tests/s3/soak.sh"
fi
