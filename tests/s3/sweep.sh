#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Sweeps of a bucket on a real server: every test by depths and threads, the figures of each row, any
# keys, all ways to sign and checksum an upload, https with the test's CA (and refused with another one,
# or for another name), virtual hosts, proxies, IPv6, new connections, and ranges of large objects.
# shellcheck disable=SC2015,SC2022,SC2030,SC2031,SC2119
# shellcheck source=tests/s3/lib.sh
. "${top_srcdir:?}/tests/s3/lib.sh"

all_tests=write,read,append,stat,list,rename,delete,create,copy
s3_start
# above_zero COLUMN: of the first row
above_zero() {
	awk -v value="$(value "$1")" 'BEGIN { exit !(value + 0 > 0) }' || fail "$1 is $(value "$1")"
}

# --- sizes: rows are consistent
sweep 0 --quiet -n 20 -m 2 -M 64Ki --factor 8 "s3://$bucket"
check_rows '2 16 128 1024 8192 65536' 'write read' 20
holds 0
say "sizes"

# --- every test, by depth and threads
# versitygw sometimes answers 500 when two uploads of one key begin at the same time
sweep 0 --quiet -n 16 --sizes 1Ki,32Ki --depth 1,4 --threads 1,2 --objects 8 --list-page 3 --retries 5 \
	--tests "$all_tests" "s3://$bucket/a/b"
[ "$(count_rows)" -eq 72 ] || fail "$(count_rows) rows, not 72"
[ "$(sum errors)" -eq 0 ] || fail "operations failed"
rows 'operations >= 16 && requests >= operations'
rows 'test != "append" || requests - retries == 3 * operations' # an upload in one part
rows 'test != "rename" || requests - retries == 2 * operations'
rows 'first_byte_ns_mean > 0 && http_version != ""'
[ "$(column test depth threads | sort | uniq -c | grep -c '^ *2 ')" = 36 ] || fail "not 2 rows of each combination"
holds 0
[ -z "$(s3 uploads)" ] || fail "uploads are left"
say "every test by depth and threads"

# --- keys of any characters, in each kind of request
for word in 'a b' 'a+b' 'a=b' 'a&b' 'a%b' 'a%20b' 'a~b' 'ü€😀' "a'\"<>b" 'a?b#c' 'a;b:c@d$e,f' 'a*b(c)!d' '[a]{b}|c^d`e\f'; do
	sweep 0 --quiet -n 2 --sizes 1Ki --objects 2 --verify --keep --run-name odd \
		--tests write,read,stat,list,rename,copy,append "s3://$bucket/$word"
	[ "$(sum errors)$(sum errors_wrong)" = 00 ] || fail "$word: operations failed"
	[ "$(s3 list "$word/iosweep-odd/1024/" | wc -l)" = 2 ] || fail "$word: other keys"
	run 0 clean --endpoint "$endpoint" "s3://$bucket/$word"
	holds 0
done
say "keys of any characters"

# --- several objects per request
sweep 0 --quiet -n 16 --sizes 1Ki --depth 1,4 --threads 1,2 --tests delete --delete-batch 10 "s3://$bucket/a/b"
[ "$(count_rows)" -eq 4 ] && [ "$(sum errors)" -eq 0 ] || fail "operations failed"
[ "$(sum requests)" -eq "$(($(sum operations) + $(sum retries)))" ] || fail "an operation is not one request"
holds 0
say "several deletions with one request"

# --- parts
sweep 0 --quiet -n 4 --sizes 12Mi --objects 2 --part-size 5Mi \
	--tests write,create,append "s3://$bucket"
[ "$(value requests 1)$(value requests 2)$(value requests 3)" = 202020 ] ||
	fail "12 MiB in parts of 5 MiB are not 5 requests each"
say "uploads in parts"

# --- ranges
sweep 0 --quiet -n 20 --sizes 1,4Ki,64Ki --object-size 64Ki --objects 4 --tests read --verify \
	"s3://$bucket"
check_rows '1 4096 65536' read 20
say "ranges"

# --- signatures and checksums of uploads, and data read equal data written
for payload in auto unsigned signed trailer; do
	for checksum in none md5 crc32 crc32c crc64nvme; do
		case $payload-$checksum in
		trailer-none | trailer-md5) continue ;; # a trailer is a checksum, md5 is a header
		esac
		sweep 0 --quiet -n 8 --sizes 1,70000 --s3.payload $payload --s3.checksum $checksum --verify \
			--tests write,read,append,delete --delete-batch 10 --objects 4 "s3://$bucket"
		case $payload:$(value s3_signing) in
		auto:signed* | "$payload:$payload"*) ;;
		*) fail "payload $payload is called $(value s3_signing)" ;;
		esac
	done
done
say "payloads and checksums"

# --- connections: one per request, or one in total
sweep 0 --quiet -n 30 --rounds 1 --sizes 4Ki --tests read --reconnect "s3://$bucket"
[ "$(value connections)" -eq "$(value requests)" ] || fail "connections are used again"
above_zero connect_ns_mean
if [ -n "$strict" ]; then # moto closes each
	sweep 0 --quiet -n 30 --rounds 1 --sizes 4Ki --tests read "s3://$bucket"
	[ "$(value connections)" -le 1 ] || fail "$(value connections) connections for 30 reads"
fi
say "connections"

# --- a proxy from the environment: plain, and with names that only the proxy can resolve
relay
(
	http_proxy=$relay
	export http_proxy
	sweep 0 --quiet -n 8 --sizes 4Ki "s3://$bucket"
	endpoint=http://$server_domain:$server_port
	sweep 0 --quiet -n 8 --sizes 4Ki --s3.addressing virtual "s3://$bucket"
	no_proxy=127.0.0.1
	export no_proxy
	endpoint=$server_endpoint
	before=$(requests '*' .)
	sweep 0 --quiet -n 8 --sizes 4Ki "s3://$bucket"
	[ "$(requests '*' .)" -eq "$before" ] || fail "no_proxy does not count"
) || exit
if [ -n "$strict" ]; then
	[ "$(requests CONNECT "^${bucket}[.]$server_domain:$server_port\$")" -ge 1 ] ||
		fail "no virtual hosts in what the proxy saw"
fi
[ "$(requests CONNECT .)" -ge 2 ] || fail "the proxy was not used"
say "proxy and virtual hosts"

# --- IPv6
if grep -q '^00000000000000000000000000000001 ' /proc/net/if_inet6 2>/dev/null; then
	relay --listen ::1
	endpoint="http://[::1]:$relay_port"
	sweep 0 --quiet -n 8 --sizes 4Ki "s3://$bucket"
	endpoint=$server_endpoint
	[ "$(requests GET .)" -ge 8 ] || fail "not by IPv6"
	say "IPv6"
else
	not_tried IPv6 "this machine has none"
fi
s3_stop

# --- https
s3_start tls
sweep 0 --quiet -n 8 --sizes 4Ki,1Mi --ca-file "$server_ca" --tests "$all_tests" --objects 4 \
	"s3://$bucket"
[ "$(sum errors)" -eq 0 ] || fail "operations failed"
case $(value s3_signing) in
unsigned) ;;
*) fail "over https uploads are not unsigned but $(value s3_signing)" ;;
esac
AWS_CA_BUNDLE=$server_ca
export AWS_CA_BUNDLE
sweep 0 --quiet -n 8 --rounds 1 --sizes 4Ki --tests read --reconnect "s3://$bucket"
above_zero tls_ns_mean
for checksum in crc32 crc32c crc64nvme; do
	sweep 0 --quiet -n 8 --sizes 70000 --verify --s3.payload trailer --s3.checksum $checksum \
		"s3://$bucket"
done
unset AWS_CA_BUNDLE
say "https"

server_certificates "$work/other" DNS:elsewhere.test || fail "openssl makes no certificates"
sweep 3 --quiet -n 8 --sizes 4Ki "s3://$bucket"
one_error 'certificate|TLS|SSL'
sweep 3 --quiet -n 8 --sizes 4Ki --ca-file "$work/other/ca.crt" "s3://$bucket"
one_error 'certificate|TLS|SSL'
sweep 3 --quiet -n 8 --sizes 4Ki --ca-file "$work/nothing" "s3://$bucket"
errors_are_one_line
sweep 0 --quiet -n 8 --sizes 4Ki --insecure "s3://$bucket"
# the same server through a proxy, with its name and with one that is not in its certificate
relay
(
	https_proxy=$relay
	export https_proxy
	endpoint=https://$server_domain:$server_port
	sweep 0 --quiet -n 8 --sizes 4Ki --ca-file "$server_ca" --s3.addressing virtual "s3://$bucket"
	endpoint=https://other.test:$server_port
	sweep 3 --quiet -n 8 --sizes 4Ki --ca-file "$server_ca" "s3://$bucket"
	one_error 'certificate|host|name'
) || exit
[ "$(requests CONNECT .)" -ge 2 ] || fail "the proxy was not used"
say "certificates"

holds 0
s3_stop
