#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# What stands between users and a Hadoop file system: TLS of the NameNode and the DataNodes, HttpFS, a
# gateway that leads to itself and wants a password, as Knox does, and Kerberos with tickets and delegation tokens.  Over each of them every test works, runs are kept, read,
# written over and removed, and nothing of a run is left, which is looked up at the NameNode; and who is
# not to be trusted is refused in one line, in which there is no secret.
# shellcheck disable=SC1091,SC2015,SC2034,SC2154
# shellcheck source=tests/webhdfs/lib.sh
. "${top_srcdir:?}/tests/webhdfs/lib.sh"

need openssl
need_target
umask 022
hdfs_scheme=https
# a file is closed when its block has been reported; who asks too early waits that long
soon_closed=dfs.client.block.write.locateFollowingBlock.initial.delay.ms=20
hdfs_cluster 1 $soon_closed
through() {
	through_status=$1
	shift
	sweep "$through_status" --quiet "$@"
}
# --- TLS of the servers themselves
tls() {
	everything "swebhdfs://$hdfs_authority/test" --ca-file "$hdfs_ca"
	[ "$(sum tls_ns_mean)" -gt 0 ] || fail "no time for TLS"
	server_certificates "$work/other" || fail "no other CA"
	through 3 -n 2 --sizes 1Ki --ca-file "$work/other/ca.crt" "$target"
	one_error 'server certificate is not accepted.*--ca-file'
	through 3 -n 2 --sizes 1Ki "$target"
	one_error 'server certificate is not accepted.*--ca-file'
	port=${hdfs_authority#*:}
	through 3 -n 2 --sizes 1Ki --ca-file "$hdfs_ca" --webhdfs.connect "other.test:*=127.0.0.1:*" \
		"swebhdfs://other.test:$port/test"
	one_error "'?other.test'?; use the name in the certificate"
	through 3 -n 2 --sizes 1Ki "webhdfs://$hdfs_authority/test"
	one_error 'try swebhdfs://'
	through 0 -n 2 --sizes 1Ki --insecure "$target"
	say TLS
}

# --- HttpFS
httpfs() {
	hdfs_gateway httpfs || fail "HttpFS does not start"
	everything "webhdfs://$httpfs_authority/test"
	through 3 -n 2 --sizes 1Ki --webhdfs.user somebody "webhdfs://$httpfs_authority/test"
	one_error AccessControlException
	say HttpFS
}

# --- what Knox does, done by nginx: a path of its own, a password, and Locations that lead to itself
gateway() {
	if ! command -v nginx >/dev/null; then
		not_tried gateway 'nginx is not installed'
		return
	fi
	gateway_port=$(a_port)
	mkdir -p "$work/gateway"
	password=$(server_random)
	(
		umask 077
		echo "$password" >"$work/password"
		printf 'jo:%s\n' "$(openssl passwd -apr1 -in "$work/password")" >"$work/gateway/users"
	)
	for kind in client_body proxy fastcgi uwsgi scgi; do
		echo "${kind}_temp_path $work/gateway/$kind;"
	done >"$work/gateway/places"
	cat >"$work/gateway/conf" <<-END
		daemon off;
		master_process off;
		pid $work/gateway/pid;
		error_log $work/gateway/log;
		events {}
		http {
		access_log off;
		include $work/gateway/places;
		client_max_body_size 0;
		server {
		listen 127.0.0.1:$gateway_port ssl;
		ssl_certificate $work/hdfs/certs/public.crt;
		ssl_certificate_key $work/hdfs/certs/private.key;
		auth_basic test;
		auth_basic_user_file $work/gateway/users;
		proxy_set_header Authorization "";
		location /gateway/test/webhdfs/v1/ {
		set \$args user.name=$hdfs_user&\$args;
		proxy_pass https://$hdfs_authority/webhdfs/v1/;
		proxy_redirect ~^https://[^/:]+:([0-9]+)/webhdfs/v1/([^?]*)\\?(.*)\$
		https://127.0.0.1:$gateway_port/gateway/test/webhdfs/data/v1/\$2?port=\$1&\$3;
		}
		location ~ ^/gateway/test/webhdfs/data/v1/(.*)\$ {
		proxy_pass https://127.0.0.1:\$arg_port/webhdfs/v1/\$1?\$args;
		}
		}
		}
	END
	(server_exec nginx -c "$work/gateway/conf" -e "$work/gateway/log") >"$work/gateway/said" 2>&1 </dev/null &
	gateway_pid=$!
	on_exit "end_child $gateway_pid"
	soon "nginx does not start: $(cat "$work/gateway/said")" curl -s -k -o "$work/got" \
		"https://127.0.0.1:$gateway_port/"
	target=swebhdfs://127.0.0.1:$gateway_port/test
	briefly "$target" --ca-file "$hdfs_ca" --webhdfs.base /gateway/test/webhdfs/v1 --webhdfs.user jo \
		--webhdfs.password-file "$work/password"
	[ -z "$(stored directories)" ] || fail "left: $(stored directories)"
	WEBHDFS_PASSWORD=another
	export WEBHDFS_PASSWORD
	refused 'wrong user or password' "$target" --ca-file "$hdfs_ca" \
		--webhdfs.base /gateway/test/webhdfs/v1 --webhdfs.user jo
	unset WEBHDFS_PASSWORD
	say "a gateway"
}

# --- Kerberos
realm=IOSWEEP.TEST

# kdc: a KDC of our own, for jo and for the services of this host; or $kdc_lacks says why there is none
kdc() {
	PATH=$PATH:/usr/sbin
	kdc_lacks=
	for program in krb5kdc kdb5_util kadmin.local kinit; do
		command -v $program >/dev/null || kdc_lacks="$program is not installed"
	done
	# no server listens there: it is asked for what it is made of
	run 3 --quiet -n 2 --sizes 1Ki --webhdfs.negotiate "webhdfs://127.0.0.1:$(a_port)/test"
	! grep -q 'no Kerberos support in' "$work/err" || kdc_lacks='libcurl has no GSS-API'
	[ -z "$kdc_lacks" ] || return 0
	krb=$work/krb
	mkdir -p "$krb"
	KRB5_CONFIG=$krb/krb5.conf KRB5_KDC_PROFILE=$krb/kdc.conf KRB5CCNAME=FILE:$krb/tickets
	export KRB5_CONFIG KRB5_KDC_PROFILE KRB5CCNAME
	kdc_port=$(a_port)
	cat >"$krb/krb5.conf" <<-END
		[libdefaults]
		default_realm = $realm
		dns_lookup_kdc = false
		dns_lookup_realm = false
		dns_canonicalize_hostname = false
		rdns = false
		udp_preference_limit = 1
		[realms]
		$realm = {
		kdc = 127.0.0.1:$kdc_port
		}
		[domain_realm]
		localhost = $realm
		127.0.0.1 = $realm
	END
	cat >"$krb/kdc.conf" <<-END
		[realms]
		$realm = {
		database_name = $krb/db
		key_stash_file = $krb/stash
		kdc_listen = 127.0.0.1:$kdc_port
		kdc_tcp_listen = 127.0.0.1:$kdc_port
		supported_enctypes = aes256-cts-hmac-sha1-96:normal
		}
	END
	{
		server_random
		server_random
	} >"$krb/master"
	{
		cat "$krb/master" && echo && cat "$krb/master" && echo
	} | kdb5_util create -s -r $realm >"$krb/log" 2>&1 || fail "no KDC: $(cat "$krb/log")"
	for principal in jo HTTP/localhost nn/localhost dn/localhost; do
		echo "addprinc -randkey $principal"
		echo "ktadd -k $krb/${principal%/*}.keytab $principal"
	done | kadmin.local -r $realm >>"$krb/log" 2>&1
	(server_exec krb5kdc -n -r $realm) >>"$krb/log" 2>&1 </dev/null &
	kdc_pid=$!
	on_exit "end_child $kdc_pid"
	soon "the KDC gives no ticket: $(cat "$krb/log")" ticket jo
	HDFS_JAVA_OPTIONS=-Djava.security.krb5.conf=$KRB5_CONFIG
}
a_port() {
	python3 "$server_here/client.py" port
}
ticket() {
	kinit -k -t "$krb/${1%/*}.keytab" "$1" 2>>"$krb/log"
}
web='hadoop.http.authentication'
# by_kerberos PREFIX: who may ask for pages
by_kerberos() {
	printf '%s\n' "$1.type=kerberos" "$1.kerberos.principal=HTTP/localhost@$realm" \
		"$1.kerberos.keytab=$krb/HTTP.keytab"
}

# briefly TARGET OPTION...
briefly() {
	through 0 -n 4 --sizes 1Ki --tests create,write,read,stat,list,rename,append,delete "$@"
	no_errors "one at a time"
	through 0 -n 32 --sizes 4Ki --depth 16 --verify --tests create,write,read "$@"
	no_errors "sixteen at a time"
	[ -z "$(column errors_wrong | tr -d '0\n')" ] || fail "wrong data: $(column test errors_wrong)"
}
# refused REGEX TARGET OPTION...: in one line, without anything of a token in it
refused() {
	refused=$1
	shift
	through 3 -n 2 --sizes 1Ki "$@"
	one_error "$refused"
	[ -z "${token:-}" ] || ! grep -Fq "$(printf %s "$token" | cut -c 1-20)" "$work/err" || fail "a token is shown"
}

spnego_httpfs() {
	# shellcheck disable=SC2046 # words without blanks
	hdfs_gateway spnego $(by_kerberos $web) || fail "HttpFS with Kerberos does not start"
	hdfs PUT /test 'SETPERMISSION&permission=777' >"$work/got"
	target=webhdfs://localhost:${httpfs_authority#*:}/test
	briefly "$target" --webhdfs.negotiate
	[ -z "$(stored directories)" ] || fail "left: $(stored directories)"
	refused '--webhdfs.negotiate' "$target"
	(KRB5CCNAME=FILE:$krb/none && refused 'HTTP 401.*kinit' "$target" --webhdfs.negotiate) || exit 1
	refused 'HTTP 401.*principal' "webhdfs://$httpfs_authority/test" --webhdfs.negotiate
	say "SPNEGO of HttpFS"
}

# asked METHOD PATH OP [WORD]...: the secured NameNode, with a ticket
asked() {
	asked_method=$1
	asked_at="$2?op=$3"
	shift 3
	CURL_CA_BUNDLE=$hdfs_ca curl -s -S -m 60 --negotiate -u : -X "$asked_method" "$@" \
		"https://$hdfs_authority/webhdfs/v1$asked_at"
}

secured() {
	ticket nn/localhost || fail "no ticket for the NameNode"
	hdfs_ticket=yes
	# shellcheck disable=SC2046 # words without blanks
	hdfs_start "$work/secured" 1 $soon_closed hadoop.security.authentication=kerberos $(by_kerberos $web) \
		dfs.web.authentication.kerberos.principal=HTTP/localhost@$realm \
		"dfs.web.authentication.kerberos.keytab=$krb/HTTP.keytab" \
		dfs.namenode.kerberos.principal=nn/localhost@$realm "dfs.namenode.keytab.file=$krb/nn.keytab" \
		dfs.datanode.kerberos.principal=dn/localhost@$realm "dfs.datanode.keytab.file=$krb/dn.keytab" \
		dfs.block.access.token.enable=true dfs.data.transfer.protection=authentication ||
		fail "HDFS with Kerberos does not start"
	asked PUT /test 'MKDIRS&permission=777' | grep -q true || fail "no directory can be made"
	ticket jo || fail "no ticket"
	target=swebhdfs://$hdfs_authority/test
	briefly "$target" --ca-file "$hdfs_ca" --webhdfs.negotiate
	refused '--webhdfs.negotiate' "$target" --ca-file "$hdfs_ca"
	token=$(asked GET / 'GETDELEGATIONTOKEN&renewer=jo' | sed -n 's/.*"urlString":"\([^"]*\)".*/\1/p')
	[ -n "$token" ] || fail "no token"
	(
		umask 077
		echo "$token" >"$work/token"
	)
	KRB5CCNAME=FILE:$krb/none
	briefly "$target" --ca-file "$hdfs_ca" --webhdfs.token-file "$work/token"
	WEBHDFS_TOKEN=$token
	export WEBHDFS_TOKEN
	through 0 -n 2 --sizes 1Ki "$target" --ca-file "$hdfs_ca"
	# what tells where a DataNode is, holds the token as well
	refused 'the NameNode redirects to localhost' "$target" --ca-file "$hdfs_ca" --webhdfs.connect \
		"$hdfs_authority=127.0.0.1:${hdfs_authority#*:},*:*=127.0.0.1:$(a_port)"
	WEBHDFS_TOKEN=$(printf %s "$token" | cut -c 1-40)
	refused 'get a new delegation token' "$target" --ca-file "$hdfs_ca"
	KRB5CCNAME=FILE:$krb/tickets
	unset WEBHDFS_TOKEN
	asked PUT / "CANCELDELEGATIONTOKEN&token=$token"
	refused 'get a new delegation token' "$target" --ca-file "$hdfs_ca" --webhdfs.token-file "$work/token"
	asked GET /test LISTSTATUS | tr -d ' \n' | grep -Fq '"FileStatus":[]' || fail "left: $(asked GET /test LISTSTATUS)"
	say "SPNEGO and delegation tokens of HDFS"
}

tls
httpfs
gateway
kdc
if [ -n "$kdc_lacks" ]; then
	not_tried SPNEGO "$kdc_lacks"
	exit 0
fi
spnego_httpfs
hdfs_stop
secured
