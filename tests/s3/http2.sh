#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# HTTP/2, which the servers themselves do not choose: nginx in front of one.  The requests of a thread
# share one connection, and the table says which protocol it was.
# shellcheck disable=SC2015,SC2022,SC2030,SC2031,SC2119
# shellcheck source=tests/s3/lib.sh
. "${top_srcdir:?}/tests/s3/lib.sh"

PATH=$PATH:/usr/sbin
need nginx
nginx -V 2>&1 | grep -q http_v2 || skip "nginx was built without HTTP/2"
s3_start
server_certificates "$work/certs" || fail "openssl makes no certificates"
front=$(s3 port)
endpoint=https://127.0.0.1:$front
nginx_start "$endpoint" <<END || fail "nginx does not start: $(cat "$work/nginx/log")"
client_max_body_size 0;
server {
	listen 127.0.0.1:$front ssl http2;
	location / {
		proxy_pass http://127.0.0.1:$server_port;
		proxy_http_version 1.1;
		proxy_set_header Host \$http_host;
		proxy_set_header Connection "";
	}
}
END
AWS_CA_BUNDLE=$work/certs/ca.crt
export AWS_CA_BUNDLE
sweep 0 --quiet -n 32 --sizes 4Ki,100000 --depth 1,8 --verify --s3.http 2 "s3://$bucket"
[ "$(sum errors)" -eq 0 ] || fail "operations failed"
case $(field protocol) in
*2*) ;;
*) fail "HTTP/2 is called $(field protocol)" ;;
esac
# all requests of a thread share one connection
[ "$(sum connections)" -le 8 ] || fail "$(sum connections) connections with HTTP/2"

# several requests of an operation at the same time: streams of that connection
sweep 0 --quiet -n 12 --rounds 1 --sizes 3,1000003 --objects 2 --depth 1,3 --get-parts 4 --tests read --verify \
	--s3.http 2 "s3://$bucket"
[ "$(sum operations)" -eq 48 ] && [ "$(sum errors)$(sum wrong_operations)" = 00 ] || fail "not read in ranges"
[ "$(sum requests)" -eq $((24 * 3 + 24 * 4)) ] || fail "$(sum requests) ranges"
[ "$(sum connections)" -le 4 ] || fail "$(sum connections) connections of ranges with HTTP/2"
sweep 0 --quiet -n 3 --rounds 1 --sizes 17Mi --objects 2 --part-size 5Mi --parallel-parts 4 \
	--fragment-size 1000000 --tests multipart,append,read --verify --s3.http 2 "s3://$bucket"
[ "$(sum operations)" -eq 9 ] && [ "$(sum errors)$(sum wrong_operations)" = 00 ] || fail "not uploaded in parts"
[ "$(field requests 1),$(field requests 2),$(field parallel_parts 2)" = 18,18,4 ] ||
	fail "$(field requests 1) and $(field requests 2) requests of 3 uploads"
[ -z "$(s3 uploads)" ] || fail "an upload is left: $(s3 uploads)"
sweep 0 --quiet -n 8 --sizes 4Ki "s3://$bucket"
automatic=$(field protocol)
sweep 0 --quiet -n 8 --sizes 4Ki --s3.http 1.1 "s3://$bucket"
case $(field protocol) in
*1.1*) ;;
*) fail "HTTP/1.1 is called $(field protocol)" ;;
esac
unset AWS_CA_BUNDLE
bucket_holds 0
say "HTTP/2; by itself iosweep takes $automatic"
