# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# shellcheck shell=sh
# lib-setup.sh - shared by contrib/quickstart and contrib/selftest; it is sourced, not run.
#
# Programs and libraries are looked for first. Only missing ones are installed, with the package
# manager of Debian, Ubuntu or Fedora, so that a prepared machine needs neither root nor network.

PATH=${PATH:-/usr/bin:/bin}:/usr/sbin:/sbin
export PATH

setup_labels=   # what is missing, in words
setup_packages= # and the packages that contain it
setup_asks=     # sudo may ask for a password, since there is a terminal
[ ! -t 0 ] || setup_asks=yes

setup_say() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
}

# setup_want LABEL DEBIAN-PACKAGES FEDORA-PACKAGES COMMAND [ARGUMENT]...
# The packages are needed if COMMAND fails.
setup_want() {
    setup_label=$1
    setup_debian=$2
    setup_fedora=$3
    shift 3
    if "$@" >/dev/null 2>&1 </dev/null; then
        return 0
    fi
    setup_labels="$setup_labels${setup_labels:+, }$setup_label"
    [ "$(setup_manager)" = apt-get ] || setup_debian=$setup_fedora
    for setup_package in $setup_debian; do
        case " $setup_packages " in
        *" $setup_package "*) ;;
        *) setup_packages="$setup_packages $setup_package" ;;
        esac
    done
}

# The same for programs that are named like their packages in both families.
setup_want_program() {
    for setup_program; do
        setup_want "$setup_program" "$setup_program" "$setup_program" command -v "$setup_program"
    done
}

setup_manager() {
    if command -v apt-get >/dev/null 2>&1; then
        echo apt-get
    elif command -v dnf >/dev/null 2>&1; then
        echo dnf
    else
        echo none
    fi
}

setup_compiler() {
    for setup_cc in ${CC:+"$CC"} gcc cc clang; do
        # CC may contain arguments: its first word is the program
        if command -v "${setup_cc%% *}" >/dev/null 2>&1; then
            echo "$setup_cc"
            return 0
        fi
    done
    return 1
}

# Without recommended packages a compiler comes without the headers of the C library.
setup_has_headers() {
    setup_cc=$(setup_compiler) || return 1
    # shellcheck disable=SC2086 # CC may hold arguments
    printf '#include <stdio.h>\n#include <linux/fs.h>\n' | $setup_cc -E -
}

# Some systems have no pkg-config file for the library.
setup_has_libaio() {
    setup_cc=$(setup_compiler) || return 1
    # shellcheck disable=SC2086 # CC may hold arguments
    printf '#include <libaio.h>\n' | $setup_cc -E -
}

# What a build from a checkout needs in addition, where an archive includes configure.
setup_want_autotools() {
    setup_want_program autoconf automake
}

# What any build needs.
setup_want_build() {
    setup_want 'a C compiler' gcc gcc setup_compiler
    setup_want 'C headers' libc6-dev 'glibc-devel kernel-headers' setup_has_headers
    setup_want_program make
    setup_want pkg-config pkgconf pkgconf-pkg-config command -v pkg-config
    setup_want awk gawk gawk command -v awk
    setup_want diff diffutils diffutils command -v diff
    setup_want find findutils findutils command -v find
    setup_want_program tar
    setup_want liburing liburing-dev liburing-devel pkg-config --exists 'liburing >= 2.3'
    setup_want libaio libaio-dev libaio-devel setup_has_libaio
    setup_want libcurl libcurl4-openssl-dev libcurl-devel pkg-config --exists 'libcurl >= 7.75'
    setup_want openssl libssl-dev openssl-devel pkg-config --exists 'libcrypto >= 3.0'
}

setup_as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif [ -n "$setup_asks" ]; then
        sudo "$@"
    else
        sudo -n "$@"
    fi
}

setup_can_install() {
    [ "$(setup_manager)" != none ] || return 1
    [ "$(id -u)" -eq 0 ] && return 0
    command -v sudo >/dev/null 2>&1 || return 1
    [ -n "$setup_asks" ] || sudo -n true 2>/dev/null
}

setup_apt() {
    setup_as_root env DEBIAN_FRONTEND=noninteractive apt-get -y -q \
        -o Acquire::Retries=2 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 \
        -o DPkg::Lock::Timeout=120 "$@" </dev/null
}

setup_dnf() {
    setup_as_root dnf -y --setopt=install_weak_deps=False --setopt=retries=3 --setopt=timeout=20 \
        "$@" </dev/null
}

# setup_install_now PACKAGE...: one attempt, with the current package lists. Ctrl-C and TERM end a
# download, but never interrupt dpkg while it unpacks a package; dnf takes care of that itself.
setup_install_now() {
    case $(setup_manager) in
    apt-get)
        setup_apt install --no-install-recommends --download-only "$@" || return
        (
            trap '' INT TERM
            setup_apt install --no-install-recommends "$@"
        )
        ;;
    *) setup_dnf install "$@" ;;
    esac
}

# setup_command: the command with which an administrator would install what is missing.
setup_command() {
    case $(setup_manager) in
    apt-get)
        setup_knows_packages || printf 'apt-get update && '
        echo "apt-get install --no-install-recommends$setup_packages"
        ;;
    *) echo "dnf install$setup_packages" ;;
    esac
}

# setup_size: "67 packages with their dependencies, 81 MB to download", if it can be determined
# without root and network.
setup_size() {
    [ "$(setup_manager)" = apt-get ] || return 0
    # shellcheck disable=SC2086 # a list of words
    setup_count=$(apt-get -s install --no-install-recommends $setup_packages 2>/dev/null </dev/null |
        grep -c '^Inst ')
    [ "$setup_count" -gt 0 ] || return 0
    # one line for each file not downloaded yet: 'URI' NAME BYTES CHECKSUM
    # shellcheck disable=SC2086 # a list of words
    apt-get --print-uris -qq install --no-install-recommends $setup_packages 2>/dev/null </dev/null |
        awk -v count="$setup_count" '
            $1 ~ /^\047/ && $3 ~ /^[0-9]+$/ { bytes += $3 }
            END {
                printf "%d packages with their dependencies, ", count
                if (bytes == 0) print "nothing to download"
                else printf "%.*f MB to download\n", bytes < 9950000, bytes / 1e6
            }'
}

# setup_refresh LOG
setup_refresh() {
    case $(setup_manager) in
    apt-get) setup_apt update >>"$1" 2>&1 ;;
    *) setup_dnf makecache >>"$1" 2>&1 ;;
    esac
}

# A fresh image of Debian or Ubuntu has no package lists.
setup_knows_packages() {
    [ "$(setup_manager)" != apt-get ] || [ -n "$(apt-cache madison make 2>/dev/null)" ]
}

# If the network drops all packets, each attempt ends only after long waits.
setup_late() {
    [ "$(date +%s)" -gt "$((setup_began + 300))" ]
}

# setup_check_rights: 1 if something is missing and nothing can be installed here; reports it.
setup_check_rights() {
    [ -n "$setup_packages" ] || return 0
    setup_can_install && return 0
    setup_say "missing: $setup_labels"
    if [ "$(setup_manager)" = none ]; then
        setup_say 'install these by hand: neither apt-get nor dnf is here to do it'
    elif command -v sudo >/dev/null 2>&1; then
        setup_say "sudo asks for a password: run this in a terminal, or have root run: $(setup_command)"
    else
        setup_say "only root can install packages, and there is no sudo; have root run: $(setup_command)"
    fi
    return 1
}

# setup_install LOG: installs everything that setup_want found missing. 0 if nothing is missing
# afterwards.
setup_install() {
    [ -n "$setup_packages" ] || return 0
    setup_can_install || return 1
    setup_began=$(date +%s)
    setup_knows_packages || setup_refresh "$1"
    for setup_attempt in 1 2 3; do
        # shellcheck disable=SC2086 # a list of words
        setup_install_now $setup_packages >>"$1" 2>&1 && return 0
        setup_say "installing packages failed, attempt $setup_attempt of 3"
        if [ "$setup_attempt" -eq 3 ] || setup_late; then
            break
        fi
        setup_refresh "$1"
    done
    return 1
}

# setup_install_each LOG: after setup_install failed, installs what is available individually.
setup_install_each() {
    setup_can_install || return 0
    for setup_package in $setup_packages; do
        setup_late && return 0
        setup_install_now "$setup_package" >>"$1" 2>&1 ||
            setup_say "cannot be installed: $setup_package"
    done
}

# setup_copy SOURCE COPY [keep]: copies the sources without files of builds, writable and readable
# for all, with their times if these must be kept. Replaces an earlier copy. If the copy is in a
# directory of the sources, that directory is left out.
setup_copy() {
    if [ -d "$2" ]; then
        chmod -R u+rwX "$2" && rm -rf "$2" || return 1
    fi
    mkdir -p "$2" || return 1
    setup_within=${2%/*}
    setup_extract=-xmf
    [ -z "${3-}" ] || setup_extract=-xf
    tar -C "$1" --exclude=./.git --exclude=./build --exclude='./build-*' \
        --exclude=./autom4te.cache --exclude="./${setup_within#"$1"/}" -cf - . |
        tar -C "$2" --no-same-owner "$setup_extract" - && chmod -R u+rwX,go+rX,go-w "$2"
}

# setup_refuse_configured SOURCE: out-of-tree builds of a tree configured in place mix objects.
setup_refuse_configured() {
    [ -e "$1/config.status" ] || return 0
    setup_say "the sources are configured in place; first run: make -C $1 distclean"
    return 1
}
