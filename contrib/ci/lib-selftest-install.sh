# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# shellcheck shell=sh disable=SC2034,SC2154,SC2317 # variables and functions of the others
# lib-selftest-install.sh - installs what the tests need if it is missing. Sourced by
# contrib/selftest.

# can_link COMPILER LIST: whether it has the run-time libraries of these sanitizers
can_link() {
    dir=$(mktemp -d) || return 1
    echo 'int main(void) { return 0; }' >"$dir/probe.c"
    "$1" "-fsanitize=$2" -o "$dir/probe" "$dir/probe.c"
    linked=$?
    rm -rf "$dir"
    return "$linked"
}

has_libs3() {
    printf '#include <libs3.h>\n' | gcc -E -
}

has_wine() {
    command -v wine64 || command -v wine || command -v /usr/lib/wine/wine64
}

has_librados() {
    printf '#include <rados/librados.h>\n' | gcc -E -
}

# For go and pip to verify servers.
has_certificates() {
    cat /etc/ssl/certs/ca-certificates.crt || cat /etc/pki/tls/certs/ca-bundle.crt
}

# The user that runs the tests may have another python3 than root.
has_jsonschema() {
    (user=$caller && as_user python3 -c 'from jsonschema import Draft202012Validator')
}

# Compilers for other processors, and qemu.
want_processors() {
    if [ "$(setup_manager)" = apt-get ]; then
        processor_list=s390x:s390x-linux-gnu
        [ -z "$processors" ] || processor_list="$processor_list i386:i686-linux-gnu armhf:arm-linux-gnueabihf armel:arm-linux-gnueabi arm64:aarch64-linux-gnu
            riscv64:riscv64-linux-gnu ppc64el:powerpc64le-linux-gnu"
        for processor in $processor_list; do
            setup_want "${processor#*:}-gcc" "gcc-${processor#*:} libc6-dev-${processor%:*}-cross" '' \
                command -v "${processor#*:}-gcc"
        done
        [ -z "$processors" ] || setup_want musl-gcc musl-tools '' command -v musl-gcc
        setup_want qemu-user qemu-user '' command -v qemu-s390x
        setup_want dpkg-source dpkg-dev '' command -v dpkg-source
    fi
}

# A Ceph cluster, maven to download HDFS, another MPI; and for contrib/packaging/package, tools that
# build and check packages, and an empty system to install them in.
want_long() {
    setup_want_program ceph-mon ceph-osd ceph-mgr
    setup_want ceph ceph-common ceph-common command -v ceph
    setup_want MPICH 'libmpich-dev mpich' mpich-devel mpicc_of mpich
    setup_want java default-jre-headless java-21-openjdk-headless command -v java
    setup_want mvn maven maven command -v mvn
    setup_want krb5kdc krb5-kdc krb5-server command -v krb5kdc
    setup_want kadmin.local krb5-admin-server krb5-server command -v kadmin.local
    setup_want kinit krb5-user krb5-workstation command -v kinit
    if [ "$(setup_manager)" = apt-get ]; then
        setup_want_program lintian blhc autopkgtest mmdebstrap
        setup_want debhelper debhelper '' command -v dh
        setup_want hardening-check devscripts '' command -v hardening-check
    else
        setup_want_program nginx rpmlint # Debian's nginx package would start it: get_nginx
        setup_want rpmbuild '' rpm-build command -v rpmbuild
    fi
}

# Tools of step gcc: the first one available.
want_program() {
    setup_want_build
    setup_want_autotools
    setup_want_program gcc python3
    [ -n "$quick" ] || [ ! -d "$ccache_kept" ] || setup_want_program ccache
    setup_want cmocka libcmocka-dev libcmocka-devel pkg-config --exists 'cmocka >= 1.1.5'
    setup_want fuse3 libfuse3-dev fuse3-devel pkg-config --exists fuse3
    setup_want ps procps procps-ng command -v ps
    setup_want setpriv util-linux util-linux command -v setpriv
    if [ -z "$quick$processors" ]; then
        setup_want libs3 libs3-dev libs3-devel has_libs3
        setup_want librados librados-dev librados-devel has_librados
        setup_want 'Open MPI' 'libopenmpi-dev openmpi-bin' openmpi-devel mpicc_of openmpi
    fi
}

# What tests use, or are skipped without, and what other steps build with.
want_others() {
    setup_want_program bash fish hostname mandoc openssl strace tmux zstd zsh
    setup_want certificates ca-certificates ca-certificates has_certificates
    setup_want fusermount3 fuse3 fuse3 command -v fusermount3
    setup_want groff groff-base groff-base command -v groff
    setup_want ip iproute2 iproute command -v ip
    setup_want jsonschema python3-jsonschema python3-jsonschema has_jsonschema
    setup_want clang-format clang-format clang-tools-extra command -v clang-format
    setup_want mkfs.ext4 e2fsprogs e2fsprogs command -v mkfs.ext4
    setup_want mkfs.xfs xfsprogs xfsprogs command -v mkfs.xfs
    setup_want mkfs.btrfs btrfs-progs btrfs-progs command -v mkfs.btrfs
    setup_want mount 'mount util-linux' util-linux command -v mount
    [ -n "$quick" ] || want_processors
    if [ -z "$quick$processors" ]; then
        setup_want mingw-w64 gcc-mingw-w64-x86-64 'mingw64-gcc mingw64-winpthreads-static' command -v x86_64-w64-mingw32-gcc
        setup_want wine wine64 wine has_wine
        setup_want xz xz-utils xz command -v xz
        # clang; other S3 clients, and tools to build S3 servers
        setup_want_program clang curl rclone s3cmd
        setup_want faketime faketime libfaketime command -v faketime
        setup_want go golang-go golang command -v go
        # the virtual machine, which requires packages of Debian or Ubuntu
        if [ "$(setup_manager)" = apt-get ]; then
            setup_want qemu qemu-system-x86 '' command -v qemu-system-x86_64
            setup_want_program cpio
        fi
        [ -z "$long" ] || want_long
        setup_want 'sanitizers of clang' libclang-rt-dev compiler-rt can_link clang address,undefined
        # included in Debian's gcc
        setup_want 'address sanitizer' gcc 'libasan libubsan' can_link gcc address,undefined
        setup_want 'thread sanitizer' gcc libtsan can_link gcc thread
    fi
}

# get_packages WANT: the missing packages that its words name
get_packages() {
    log=$work/$step.log
    setup_labels='' setup_packages=''
    "$1"
    if [ -n "$install" ] && [ -n "$setup_packages" ] && setup_check_rights; then
        setup_say "missing: $setup_labels"
        setup_say "installing with $(setup_manager):$setup_packages"
        setup_install "$log" || setup_install_each "$log"
    fi
}

get_program() {
    begin packages 'what the program needs'
    get_packages want_program
    for program in gcc make autoconf automake pkg-config; do
        command -v "$program" >/dev/null 2>&1 && continue
        [ ! -e "$log" ] || tail -n 25 "$log"
        note FAIL "$step: $program" 'not installed, and it cannot be installed here'
        finish
    done
    end
}

# Everything else, while the program is built.
get_others() {
    begin others 'what the tests need'
    get_packages want_others
    [ -n "$quick" ] || get_sources cmocka
    end
    [ -z "$quick$processors" ] || return 0
    get_servers
    [ -z "$long" ] || get_hadoop
}

# use_ccache: reuses objects compiled by an earlier run, if tests have kept any; no two steps
# compile alike, and ccache costs a tenth. Builds run as the tests' user, so root never runs their
# objects.
compilers= # precedes everything else in PATH of the tests' user
ccache_kept=${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/iosweep-tests
use_ccache() {
    [ -d "$ccache_kept" ] || return 0
    for compilers in /usr/lib/ccache /usr/lib64/ccache ''; do
        [ ! -x "$compilers/gcc" ] || break
    done
    [ -n "$compilers" ] || return 0
    compilers=$compilers:
    CCACHE_DIR=$work/ccache CCACHE_BASEDIR=$work CCACHE_NOHASHDIR=1 CCACHE_MAXSIZE=500M
    export CCACHE_DIR CCACHE_BASEDIR CCACHE_NOHASHDIR CCACHE_MAXSIZE
    mkdir -p "$CCACHE_DIR"
    [ ! -d "$ccache_kept/ccache" ] || cp -R "$ccache_kept/ccache/." "$CCACHE_DIR"
    if [ -n "$user" ]; then
        chown -R "$user" "$CCACHE_DIR"
    elif [ "$(id -u)" -ne 0 ]; then
        PATH=$compilers$PATH
    fi
}
keep_ccache() {
    [ -n "$compilers" ] || return 0
    rm -rf "$ccache_kept/ccache.new"
    cp -R "$CCACHE_DIR" "$ccache_kept/ccache.new" && rm -rf "$ccache_kept/ccache" &&
        mv "$ccache_kept/ccache.new" "$ccache_kept/ccache"
}

# find_go: $go, which can build the servers. From 1.21 on Go downloads the version that a module
# requires; an older one can get it as a module, whose programs are not yet executable.
find_go() {
    command -v go || { echo 'it is not installed' && return 1; }
    go=go
    minor=$(go version | sed -n 's/^go version go1[.]\([0-9]*\).*/\1/p')
    [ "${minor:-99}" -lt 21 ] || return 0
    mkdir -p "$work/go" && cd "$work/go" || return 1
    echo 'module selftest' >go.mod
    go_dir=$(bounded go mod download -json \
        "golang.org/toolchain@v0.0.1-go$go_needed.$(go env GOOS)-$(go env GOARCH)" |
        sed -n 's/^[[:space:]]*"Dir": "\(.*\)",*$/\1/p')
    [ -n "$go_dir" ] && chmod -R u+x "$go_dir/bin" "$go_dir/pkg/tool" || return 1
    go=$go_dir/bin/go
}

# A reverse proxy for HDFS. Only unpacked, so that it is not started.
get_nginx() {
    log=$work/nginx.log
    command -v nginx >/dev/null 2>&1 && return 0
    if [ -z "$install" ] || ! command -v dpkg >/dev/null 2>&1; then
        note SKIP "$step: nginx" "not installed${install:+, and there is no dpkg to unpack it}"
        return 0
    fi
    mkdir -p "$work/nginx" && cd "$work/nginx" || exit 1
    for package in nginx nginx-light; do # in older systems the first one is only a metapackage
        [ -x usr/sbin/nginx ] || { bounded apt-get download "$package" &&
            dpkg -x "$package"_*.deb .; } >>"$log" 2>&1
    done
    usr/sbin/nginx -v >>"$log" 2>&1 || note SKIP "$step: nginx" "it cannot be downloaded: $(last_words "$log")"
}

# keep_caches: stores Go's 2 GB in the caller's cache only if that exists already
keep_caches() {
    command -v go >/dev/null 2>&1 || return 0
    go_cache=$(go env GOMODCACHE)
    [ ! -d "${go_cache:-$(go env GOPATH)/pkg/mod}" ] || return 0
    GOPATH=$work/gopath GOMODCACHE=$work/gopath/pkg/mod GOCACHE=$work/gopath/build
    export GOPATH GOMODCACHE GOCACHE
}

# Installs the S3 servers where the tests find them.
go_needed=1.25.0 # required by the newest of them
go_flags='-gcflags=all=-dwarf=false -l' # no debugging, and no need for speed
get_servers() {
    begin servers 'S3 servers of the tests'
    [ -z "$long" ] || get_nginx
    keep_caches
    for module in \
        github.com/versity/versitygw/cmd/versitygw@v1.8.0 \
        ${long:+github.com/minio/minio@v0.0.0-20260212201848-7aac2a2c5b7c}; do
        server=${module##*/}
        server=${server%@*}
        if found=$(command -v "$server" 2>/dev/null); then
            # root's own directory is closed to the user that runs the tests
            (user=$caller && as_user test -x "$found") ||
                { mkdir -p "$work/servers" && install -m 755 "$found" "$work/servers/$server"; }
            continue
        fi
        log=$work/$server.log
        if [ -z "$install" ]; then
            note SKIP "$step: $server" 'not installed (--no-install)'
        elif ! find_go >"$log" 2>&1; then
            note SKIP "$step: $server" "there is no go to build it with: $(last_words "$log")"
        elif ! bounded env GOBIN="$work/servers" GOFLAGS= GOTOOLCHAIN="${GOTOOLCHAIN:-auto}" "$go" install \
            -buildvcs=false -modcacherw "$go_flags" -ldflags=-w "$module" >"$log" 2>&1; then
            note SKIP "$step: $server" "it cannot be built: $(last_words "$log")"
        fi
    done
    cd "$work/build/$step" || exit 1
    chmod -R u+rwX "$work/gopath" 2>/dev/null && rm -rf "$work/gopath"
    end
}

# Hadoop where the tests' user can read it: the caller's, or downloaded by maven.
get_hadoop() {
    begin hadoop 'jars for the HDFS of the tests'
    cache=${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/iosweep-tests
    log=$work/hadoop.log
    if [ -e "$cache/hadoop-3.4.1-httpfs/complete" ]; then
        mkdir -p "$work/cache/iosweep-tests" && cp -R "$cache/hadoop-3.4.1-httpfs" "$work/cache/iosweep-tests/"
    elif [ -z "$install" ]; then
        note SKIP "$step: jars" 'not downloaded before (--no-install)'
    else
        # shellcheck disable=SC2016 # for the other shell
        bounded env top_srcdir="$top" XDG_CACHE_HOME="$work/cache" sh -c \
            '. "$top_srcdir/tests/webhdfs/server.sh" && { hdfs_get || { echo "$hdfs_lacks" && exit 1; }; }' \
            >"$log" 2>&1 || note SKIP "$step: jars" "they cannot be downloaded: $(last_words "$log")"
    fi
    end
}
