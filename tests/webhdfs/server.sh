# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# shellcheck shell=sh
# shellcheck disable=SC1091,SC2015,SC2034,SC2154
# server.sh - a real HDFS of a NameNode and DataNodes with WebHDFS on 127.0.0.1, and HttpFS in front of
# it, for tests and benchmarks; it is sourced, not run.
#     hdfs_get                   whether it can be started; what is missing is downloaded by maven, once;
#                                if not, $hdfs_lacks says why
#     hdfs_start DIR [DATANODES [KEY=VALUE]...]  starts it with all that it has in the directory DIR, and
#                                these settings of hdfs-site.xml besides; sets $hdfs_authority
#                                (127.0.0.1:PORT), $hdfs_user (its superuser), $hdfs_pids.  With
#                                $hdfs_scheme=https it speaks TLS alone, with certificates of the CA in
#                                $hdfs_ca; 1 without openssl, too.  With $hdfs_ticket=yes it is called
#                                localhost, and is asked with a ticket of Kerberos whether it is there
#     hdfs_gateway NAME [KEY=VALUE]...  starts HttpFS with these settings of httpfs-site.xml besides, its
#                                log in DIR/NAME.log; sets $httpfs_authority and $hdfs_pid
#     $hdfs_quick                such a setting, where many small files are written
#     hdfs_stop                  kills it, and waits until it is gone
#     hdfs_datanode NUMBER       starts one more DataNode, or one again; $hdfs_pid
#     hdfs_end_datanode NUMBER   kills it
#     hdfs_start_namenode        the NameNode, or again, at its address; $hdfs_namenode
#     hdfs_end_namenode          kills it
#     hdfs_live NUMBER           waits until so many DataNodes serve
#     hdfs_admin ARGUMENT...     dfsadmin, as in `hdfs_admin -safemode enter`
# An ordinary user can do all this.  Permissions are checked.  Ports are the kernel's choice.  The
# processes are killed with the shell that started them (where setpriv is installed).  The programs are
# Hadoop's jars in $HDFS_JARS; without that maven gets them into $XDG_CACHE_HOME/iosweep-tests.

# shellcheck source=tests/s3/server.sh
. "${top_srcdir:?}/tests/s3/server.sh"

# a setting: a DataNode that asked too early whether a file is complete asks again soon
hdfs_quick=dfs.client.block.write.locateFollowingBlock.initial.delay.ms=10
hdfs_java_options='-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Djava.net.preferIPv4Stack=true
	--add-opens=java.base/java.lang=ALL-UNNAMED'

hdfs_get() {
	hdfs_lacks=
	for hdfs_program in java curl python3; do
		command -v "$hdfs_program" >/dev/null || hdfs_lacks="$hdfs_program is not installed"
	done
	hdfs_jars=${HDFS_JARS:-${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/iosweep-tests/hadoop-3.4.1-httpfs}
	if [ -z "$hdfs_lacks" ] && [ ! -e "$hdfs_jars/complete" ]; then
		if [ -n "${HDFS_JARS:-}" ]; then
			hdfs_lacks="Hadoop is not in $HDFS_JARS"
		else
			hdfs_download
		fi
	fi
	[ -z "$hdfs_lacks" ]
}

# hdfs_download: the jars come whole or not at all, also where several do this at a time
hdfs_download() {
	if ! command -v mvn >/dev/null; then
		hdfs_lacks='maven, which gets Hadoop, is not installed'
		return
	fi
	mkdir -p "${hdfs_jars%/*}" 2>/dev/null && hdfs_new=$(mktemp -d "$hdfs_jars.XXXXXX") || {
		hdfs_lacks="there is no place for Hadoop: $hdfs_jars"
		return
	}
	# what maven needs itself is kept only where the user has such a store already
	[ -d "${HOME:-/nonexistent}/.m2/repository" ] || set -- "-Dmaven.repo.local=$hdfs_new/store"
	# the file is copied, since maven writes beside it
	cp "$top_srcdir/tests/webhdfs/pom.xml" "$hdfs_new/pom.xml" &&
		mvn -q -B -f "$hdfs_new/pom.xml" "$@" dependency:copy-dependencies \
			-DoutputDirectory="$hdfs_new/jars" -DincludeScope=runtime >"$hdfs_new/log" 2>&1 </dev/null &&
		: >"$hdfs_new/jars/complete" && chmod -R a+rX "$hdfs_new/jars" &&
		{ [ -e "$hdfs_jars/complete" ] || mv -T "$hdfs_new/jars" "$hdfs_jars" 2>/dev/null; }
	[ -e "$hdfs_jars/complete" ] ||
		hdfs_lacks="maven cannot get Hadoop: $(sed -n 's/^.*ERROR[^ ]* //p' "$hdfs_new/log" | head -n 1)"
	rm -rf "$hdfs_new"
}

# hdfs_xml KEY=VALUE...: a file of settings
hdfs_xml() {
	echo '<configuration>'
	for hdfs_setting; do
		printf '<property><name>%s</name><value>%s</value></property>\n' "${hdfs_setting%%=*}" "${hdfs_setting#*=}"
	done
	echo '</configuration>'
}

# hdfs_settings RPC-PORT HTTP-PORT [KEY=VALUE]...
hdfs_settings() {
	hdfs_xml "fs.defaultFS=hdfs://127.0.0.1:$1" "hadoop.tmp.dir=$hdfs_dir/tmp" \
		hadoop.security.group.mapping=org.apache.hadoop.security.NullGroupsMapping \
		"hadoop.proxyuser.$hdfs_user.hosts=*" "hadoop.proxyuser.$hdfs_user.users=*" \
		ipc.client.connect.retry.interval=200 >"$hdfs_dir/conf/core-site.xml"
	hdfs_http=$2
	shift 2
	[ "$hdfs_scheme" = http ] || set -- dfs.http.policy=HTTPS_ONLY \
		"dfs.namenode.https-address=127.0.0.1:$hdfs_http" dfs.datanode.https.address=127.0.0.1:0 "$@"
	hdfs_xml "dfs.namenode.name.dir=$hdfs_dir/name" "dfs.namenode.http-address=127.0.0.1:$hdfs_http" \
		dfs.datanode.address=127.0.0.1:0 dfs.datanode.http.address=127.0.0.1:0 \
		dfs.datanode.ipc.address=127.0.0.1:0 dfs.replication=1 dfs.permissions.enabled=true \
		dfs.namenode.fs-limits.min-block-size=4096 dfs.namenode.safemode.extension=0 \
		dfs.namenode.safemode.min.datanodes=1 dfs.heartbeat.interval=1 \
		dfs.namenode.heartbeat.recheck-interval=1000 dfs.namenode.redundancy.interval.seconds=1s \
		"$@" >"$hdfs_dir/conf/hdfs-site.xml"
	cat >"$hdfs_dir/conf/log4j.properties" <<-END
		log4j.rootLogger=WARN, file
		log4j.appender.file=org.apache.log4j.ConsoleAppender
		log4j.appender.file.target=System.err
		log4j.appender.file.layout=org.apache.log4j.PatternLayout
		log4j.appender.file.layout.ConversionPattern=%d %p %c{2}: %m%n
	END
}

# hdfs_certificates: what an HDFS with TLS shows
hdfs_certificates() {
	hdfs_ca=
	[ "$hdfs_scheme" = https ] || return 0
	hdfs_ca=$hdfs_dir/certs/ca.crt hdfs_word=$(server_random)
	server_certificates "$hdfs_dir/certs" &&
		HDFS_WORD=$hdfs_word openssl pkcs12 -export -in "$hdfs_dir/certs/public.crt" \
			-inkey "$hdfs_dir/certs/private.key" -passout env:HDFS_WORD \
			-out "$hdfs_dir/certs/server.p12" >"$hdfs_dir/certs/log" 2>&1 &&
		hdfs_xml "ssl.server.keystore.location=$hdfs_dir/certs/server.p12" \
			ssl.server.keystore.type=PKCS12 "ssl.server.keystore.password=$hdfs_word" \
			"ssl.server.keystore.keypassword=$hdfs_word" >"$hdfs_dir/conf/ssl-server.xml"
}

# hdfs_java CLASS ARGUMENT...: becomes this program
hdfs_java() {
	unset http_proxy https_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY
	unset JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS HADOOP_USER_NAME
	# shellcheck disable=SC2086 # a list of words
	server_exec java $hdfs_java_options ${HDFS_JAVA_OPTIONS:-} -cp "${hdfs_conf:-$hdfs_dir/conf}:$hdfs_jars/*" "$@"
}

hdfs_there() {
	cd "$hdfs_dir" && hdfs_java "$@"
}
# hdfs_run NAME CLASS ARGUMENT...: in the background; $hdfs_pid
hdfs_run() {
	hdfs_name=$1
	shift
	servers_begin "$hdfs_dir/$hdfs_name.log" hdfs_there "$@"
	hdfs_pid=$servers_pid
	hdfs_pids="$hdfs_pids $hdfs_pid"
}

hdfs_datanode() {
	hdfs_run "datanode-$1" org.apache.hadoop.hdfs.server.datanode.DataNode \
		-D "dfs.datanode.data.dir=$hdfs_dir/data-$1"
	echo "$hdfs_pid" >"$hdfs_dir/datanode-$1.pid"
}
hdfs_end_datanode() {
	servers_end "$(cat "$hdfs_dir/datanode-$1.pid")"
}

hdfs_start_namenode() {
	hdfs_run namenode org.apache.hadoop.hdfs.server.namenode.NameNode
	hdfs_namenode=$hdfs_pid
}
hdfs_end_namenode() {
	servers_end "$hdfs_namenode"
}

# hdfs_live NUMBER: 1 when the NameNode has ended
hdfs_live() {
	hdfs_turn=0
	until CURL_CA_BUNDLE=$hdfs_ca curl -sf -m 20 --noproxy '*' ${hdfs_ticket:+--negotiate -u :} \
		"$hdfs_scheme://$hdfs_authority/jmx?qry=Hadoop:service=NameNode,name=FSNamesystemState" |
		tr -d ' \n' | grep -q "\"FSState\":\"Operational\".*\"NumLiveDataNodes\":$1,"; do
		hdfs_turn=$((hdfs_turn + 1))
		[ "$hdfs_turn" -lt 600 ] && kill -0 "$hdfs_namenode" 2>/dev/null || return 1
		sleep 0.2
	done
}

hdfs_start() {
	hdfs_dir=$1 hdfs_pids=
	hdfs_scheme=${hdfs_scheme:-http} hdfs_host=127.0.0.1
	[ -z "${hdfs_ticket:-}" ] || hdfs_host=localhost
	hdfs_count=${2:-1}
	hdfs_user=$(id -un)
	shift "$(($# < 2 ? 1 : 2))"
	# the pages for browsers are not in the jars, but their directories are looked for
	mkdir -p "$hdfs_dir/conf/webapps/hdfs" "$hdfs_dir/conf/webapps/datanode" &&
		hdfs_certificates || return 1
	for _ in 1 2 3; do
		hdfs_rpc=$(servers_port) &&
			hdfs_http=$(servers_port) || return 1
		hdfs_authority=$hdfs_host:$hdfs_http
		hdfs_settings "$hdfs_rpc" "$hdfs_http" "$@"
		[ -d "$hdfs_dir/name" ] ||
			(cd "$hdfs_dir" && hdfs_java org.apache.hadoop.hdfs.server.namenode.NameNode -format \
				-nonInteractive) >>"$hdfs_dir/namenode.log" 2>&1 </dev/null || break
		hdfs_start_namenode
		hdfs_number=0
		while [ "$hdfs_number" -lt "$hdfs_count" ]; do
			hdfs_number=$((hdfs_number + 1))
			hdfs_datanode "$hdfs_number"
		done
		hdfs_live "$hdfs_count" && return 0
		hdfs_stop
	done
	tail -n 20 "$hdfs_dir"/*.log >&2
	return 1
}

hdfs_gateway() {
	hdfs_gateway=$1
	shift
	mkdir -p "$hdfs_dir/$hdfs_gateway/log" "$hdfs_dir/$hdfs_gateway/temp" || return 1
	cp "$hdfs_dir/conf/core-site.xml" "$hdfs_dir/conf/hdfs-site.xml" "$hdfs_dir/$hdfs_gateway" || return 1
	for _ in 1 2 3; do
		hdfs_http=$(servers_port) || return 1
		httpfs_authority=127.0.0.1:$hdfs_http
		hdfs_xml "httpfs.http.port=$hdfs_http" httpfs.http.hostname=127.0.0.1 \
			"hadoop.http.temp.dir=$hdfs_dir/$hdfs_gateway/temp" "$@" \
			>"$hdfs_dir/$hdfs_gateway/httpfs-site.xml"
		hdfs_conf=$hdfs_dir/$hdfs_gateway
		hdfs_run "$hdfs_gateway" "-Dhttpfs.home.dir=$hdfs_dir/$hdfs_gateway" \
			"-Dhttpfs.config.dir=$hdfs_dir/$hdfs_gateway" "-Dhttpfs.log.dir=$hdfs_dir/$hdfs_gateway/log" \
			"-Dhttpfs.temp.dir=$hdfs_dir/$hdfs_gateway/temp" \
			org.apache.hadoop.fs.http.server.HttpFSServerWebServer
		hdfs_conf=
		hdfs_turn=0
		until curl -s -m 20 --noproxy '*' -o "$hdfs_dir/$hdfs_gateway/said" \
			"http://$httpfs_authority/webhdfs/v1/?op=GETHOMEDIRECTORY"; do
			hdfs_turn=$((hdfs_turn + 1))
			[ "$hdfs_turn" -lt 600 ] && kill -0 "$hdfs_pid" 2>/dev/null || break
			sleep 0.2
		done
		kill -0 "$hdfs_pid" 2>/dev/null && return 0
	done
	tail -n 20 "$hdfs_dir/$hdfs_gateway.log" >&2
	return 1
}

hdfs_stop() {
	# shellcheck disable=SC2086 # a list of processes
	servers_end $hdfs_pids
	hdfs_pids=
}

hdfs_admin() {
	(cd "$hdfs_dir" && hdfs_java org.apache.hadoop.hdfs.tools.DFSAdmin "$@") \
		>>"$hdfs_dir/admin.log" 2>&1 </dev/null
}
