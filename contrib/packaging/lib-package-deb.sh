# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# shellcheck shell=sh
# shellcheck disable=SC2154 # variables of contrib/packaging/package, which sources this
# lib-package-deb.sh - packages for Debian and Ubuntu, for contrib/packaging/package.

# an ordinary user of the empty system
deb_nobody='setpriv --reuid=nobody --regid=nogroup --clear-groups'

# deb_unpack ARCHIVE DIRECTORY: the sources with debian/, and the archive next to them as dpkg
# requires
deb_unpack() {
    user_directory "$2" && cp "$1" "$2/iosweep_$version.orig.tar.xz" && tar -C "$2" --no-same-owner -xf "$1" &&
        cp -R "$2/iosweep-$version/contrib/packaging/debian" "$2/iosweep-$version/debian" || return 1
    [ "$(id -u)" -ne 0 ] || chown -R "nobody:$(id -g nobody)" "$2"
}

# The version of the packages, without the revision, equals that of the sources.
deb_same_version() {
    deb_version=$(dpkg-parsechangelog -l "$top/contrib/packaging/debian/changelog" -S Version) || return 1
    [ "${deb_version%-*}" = "$version" ] && return 0
    say "contrib/packaging/debian/changelog is of version ${deb_version%-*}, configure.ac of $version"
    return 1
}

# deb_build DIRECTORY [OPTION]...: where deb_unpack unpacked. All files get the time of the last
# entry of debian/changelog.
deb_build() (
    cd "$1/iosweep-$version" || exit 1
    shift
    unset SOURCE_DATE_EPOCH
    if [ -z "$tests" ]; then
        DEB_BUILD_OPTIONS="nocheck ${DEB_BUILD_OPTIONS-}"
        DEB_BUILD_PROFILES="nocheck ${DEB_BUILD_PROFILES-}"
        export DEB_BUILD_OPTIONS DEB_BUILD_PROFILES
    fi
    as_user dpkg-buildpackage -us -uc "$@"
)

package_lacks_deb() {
    if ! command -v dpkg-buildpackage >/dev/null; then
        echo 'dpkg-buildpackage is not installed'
        return
    fi
    [ -n "$tests" ] || set -- -Pnocheck
    dpkg-checkbuilddeps "$@" "$top/contrib/packaging/debian/control" 2>&1 |
        sed -n 's/^.*[Uu]nmet build dependencies: /not installed: /p'
}

package_deb() {
    deb_same_version && deb_unpack "$1" "$work/deb" || return 1
    # with a file next to the packages that contains each command of the build
    deb_log=iosweep_${deb_version}_$(dpkg --print-architecture).build
    mkdir -p "$work/made" || return 1
    deb_build "$work/deb" >"$work/made/$deb_log" 2>&1
    deb_status=$?
    cat "$work/made/$deb_log"
    [ "$deb_status" -eq 0 ] && cp "$work"/deb/iosweep*_* "$work/made/" && cp "$work"/made/iosweep*_* "$2/"
}

# deb_have TOOLS TEXT: 1, with a message, if one of them is not installed; $deb_text
deb_have() {
    deb_text=$2
    for deb_tool in $1; do
        command -v "$deb_tool" >/dev/null || {
            verdict SKIP deb "$deb_text: $deb_tool is not installed"
            return 1
        }
    done
}

# --- checks of packages --------------------------------------------------------------------------

# Success means no output at all, even about uncertain findings.
deb_lintian() {
    deb_said=$(as_user lintian -EIL +pedantic "$work"/made/*.changes) && [ -z "$deb_said" ] && return 0
    echo "$deb_said"
    return 1
}

# All of hardening=+all is in the commands, and in the resulting files.
deb_hardened() {
    blhc --bindnow "$work"/made/*.build || return 1
    for deb_file in "$work"/made/*.deb; do
        case $deb_file in
        *-dbgsym_*) ;;
        *) dpkg-deb -x "$deb_file" "$work/unpacked" || return 1 ;;
        esac
    done
    find "$work/unpacked/usr/bin" "$work/unpacked/usr/lib" -type f -exec hardening-check --nocfprotection {} +
}

# The same bytes in another directory, with other settings and one job; the tests, which are not
# packaged, have run before.
deb_again() (
    deb_place=$work/again/in/another/place
    mkdir -p "${deb_place%/*}" && deb_unpack "$archive" "$deb_place" || exit 1
    tests=
    umask 002
    LC_ALL=C.UTF-8 TZ=Asia/Tokyo
    export LC_ALL TZ
    deb_build "$deb_place" --jobs=1 || exit 1
    for deb_file in "$work"/made/*.deb; do
        cmp "$deb_file" "$deb_place/${deb_file##*/}" || exit 1
    done
)

# The packages that debian/control builds on this architecture.
deb_packages() {
    awk '$1 == "Package:" { package = $2 }
        $1 == "Architecture:" { for (i = 2; i <= NF; i++) print package, $i }' "$top/contrib/packaging/debian/control" |
        while read -r deb_package deb_wildcard; do
            [ "$deb_wildcard" != all ] && ! dpkg-architecture -i "$deb_wildcard" || echo "$deb_package"
        done | uniq
}

deb_has_rados() { deb_packages | grep -qx iosweep-rados; }

# --- an empty system -----------------------------------------------------------------------------

# Prints why there cannot be one here, or nothing.
deb_no_root() {
    if ! command -v mmdebstrap >/dev/null; then
        echo 'mmdebstrap is not installed'
    elif [ "$(id -u)" -ne 0 ]; then
        echo 'only root can make an empty system'
    elif ! unshare --mount --pid --fork sh -c "mount -t proc proc /proc" 2>/dev/null; then
        echo 'mount is not permitted'
    fi
}

# Made from the system's package sources, without third-party ones.
deb_make_root() {
    deb_codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
    deb_sources=$(grep -lsE "(^|[ /])$deb_codename([- ]|\$)" /etc/apt/sources.list /etc/apt/sources.list.d/*.list \
        /etc/apt/sources.list.d/*.sources)
    [ -n "$deb_sources" ] || {
        echo "no sources of packages for $deb_codename in /etc/apt"
        return 1
    }
    # shellcheck disable=SC2086 # a list of files
    mmdebstrap --quiet --variant=apt --skip=cleanup/apt/lists --dpkgopt=force-unsafe-io \
        "$deb_codename" "$work/root" $deb_sources
}

# deb_in COMMAND...: in the empty system, with a clean environment
deb_in() {
    # shellcheck disable=SC2016 # for the shell inside
    unshare --mount --pid --fork --kill-child sh -c \
        'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"' "$work/root" \
        env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C DEBIAN_FRONTEND=noninteractive "$@"
}

deb_apt() {
    deb_in apt-get -q -y --no-install-recommends -o Acquire::Retries=2 "$@"
}

# deb_name PACKAGE: its file in the empty system
deb_name() {
    deb_architecture=all
    [ "$1" = iosweep-results ] || deb_architecture=$(dpkg --print-architecture)
    echo "/packages/$1_${deb_version}_$deb_architecture.deb"
}

# Dependencies of the packages, except iosweep itself.
deb_satisfy() {
    for deb_package; do
        deb_needs=$(dpkg-deb -f "$work/root$(deb_name "$deb_package")" Depends |
            sed 's/iosweep (>*= [^)]*)\(, \)\{0,1\}//') && deb_apt satisfy "$deb_needs" || return 1
    done
}

# deb_install PACKAGE...: must not install anything else
deb_install() {
    deb_count=$#
    for deb_package; do
        set -- "$@" "$(deb_name "$deb_package")"
        shift
    done
    deb_new=$(deb_apt -s install "$@" | grep -c '^Inst ')
    [ "$deb_new" -eq "$deb_count" ] && deb_apt install "$@" && return 0
    echo "$deb_new packages would be installed, not $deb_count"
    return 1
}

# All files, except those in which apt, dpkg and man-db keep records.
deb_list() {
    (cd "$work/root" && find . -xdev \( -path ./proc -o -path ./packages -o -path ./var/lib/apt -o -path ./var/lib/dpkg \
        -o -path ./var/cache/apt -o -path ./var/cache/debconf -o -path ./var/cache/man -o -path ./var/log \) -prune \
        -o -printf '%p %y %m %U\n' | LC_ALL=C sort)
}

# deb_nothing_left LIST: compares with the earlier list
deb_nothing_left() {
    deb_list | diff "$1" - && ! deb_in dpkg -l 'iosweep*' 2>/dev/null | grep '^[a-z][a-zA-Z] '
}

# As a user who has just installed it.
deb_alone() {
    deb_satisfy iosweep && deb_list >"$work/before" && deb_install iosweep || return 1
    [ "$(deb_in iosweep --version | head -n 1)" = "iosweep $version" ] || return 1
    deb_in iosweep help engines >"$work/engines" || return 1
    cat "$work/engines"
    ! deb_has_rados || grep -q 'needs the package iosweep-rados' "$work/engines" || return 1
    # shellcheck disable=SC2086 # a list of words
    deb_in $deb_nobody mkdir /tmp/data && deb_in $deb_nobody iosweep --quiet --sizes 4k -n 100 /tmp/data &&
        deb_in rmdir /tmp/data && deb_apt purge iosweep && deb_nothing_left "$work/before"
}

# Manuals, which need a program to find them; packages that replace themselves; removing all of
# them.
deb_together() {
    # shellcheck disable=SC2046 # a list of words
    set -- $(deb_packages)
    deb_satisfy "$@" && deb_apt install man-db && deb_list >"$work/before" && deb_install "$@" || return 1
    deb_in man -w iosweep iosweep-mpi iosweep-csv iosweep-tests || return 1
    deb_in iosweep help engines >"$work/engines" || return 1
    cat "$work/engines"
    ! grep 'iosweep-rados' "$work/engines" || return 1
    # shellcheck disable=SC2046 # a list of words
    deb_apt install --reinstall $(for deb_package; do deb_name "$deb_package"; done) && deb_in dpkg --verify "$@" &&
        deb_apt remove iosweep && deb_in dpkg --purge "$@" && deb_nothing_left "$work/before"
}

# The tests of debian/tests/control. Status 2 of autopkgtest: some were skipped.
deb_autopkgtest() {
    deb_unpack "$archive" "$work/tested" || return 1
    for deb_package in versitygw minio; do # servers that Debian does not have
        deb_file=$(command -v $deb_package) && cp -L "$deb_file" "$work/root/usr/bin/"
    done
    # the directory in TMPDIR does not exist there
    # shellcheck disable=SC2016 # for the shell inside
    env -u TMPDIR unshare --mount sh -c 'mount --bind /proc "$0/proc" && exec "$@" -- chroot "$0"' "$work/root" \
        autopkgtest -q -B "$work/root$(deb_name iosweep)" "$work/root$(deb_name iosweep-results)" \
        "$work/root$(deb_name iosweep-mpi)" "$work/tested/iosweep-$version/"
    deb_status=$?
    [ "$deb_status" -eq 0 ] || [ "$deb_status" -eq 2 ] && return 0
    deb_faults=$(grep -E '^FAIL|FAIL stderr' "$log")
    echo "$deb_faults" # once more, at the end
    return 1
}

# With only what debian/control requires for a build without tests.
deb_build_alone() {
    deb_unpack "$archive" "$work/root/srv/build-of-iosweep" &&
        deb_apt -P nocheck build-dep "/srv/build-of-iosweep/iosweep-$version/" && deb_apt install build-essential || return 1
    # shellcheck disable=SC2016,SC2086 # for the shell inside; a list of words
    deb_in $deb_nobody env HOME=/nonexistent DEB_BUILD_OPTIONS=nocheck \
        DEB_BUILD_PROFILES=nocheck sh -c 'cd "$1" && dpkg-buildpackage -us -uc -b' sh \
        "/srv/build-of-iosweep/iosweep-$version"
}

deb_check_root() {
    deb_why=$(deb_no_root)
    if [ -z "$deb_why" ] && ! deb_make_root >"$work/root.log" 2>&1; then
        deb_why="no empty system can be made: $(tail -n 1 "$work/root.log")"
    fi
    if [ -n "$deb_why" ]; then
        verdict SKIP deb "in an empty system: $deb_why"
        return
    fi
    tried deb 'packages are put into an empty system' cp -R "$work/made" "$work/root/packages" || return
    tried deb 'runs with its dependencies alone, and leaves nothing' deb_alone
    tried deb 'all packages install together, replace themselves, and leave nothing' deb_together
    if deb_have autopkgtest 'tests of debian/tests on the installed packages'; then
        tried deb "$deb_text" deb_autopkgtest
        grep -E '^[a-z0-9]+ +(PASS|SKIP|FAIL)' "$log" | sed 's/^/    /'
    fi
    # this takes minutes
    [ -z "${PACKAGE_REBUILD-}" ] || tried deb 'is built with its build dependencies alone' deb_build_alone
}

package_check_deb() {
    deb_has_rados || verdict SKIP deb "iosweep-rados: not built for $(dpkg --print-architecture)"
    if deb_have lintian 'lintian has not a word to say'; then
        tried deb "$deb_text" deb_lintian
    fi
    if deb_have 'blhc hardening-check' 'is built and linked as hardening=+all asks for'; then
        tried deb "$deb_text" deb_hardened
    fi
    # this takes minutes
    [ -z "${PACKAGE_REBUILD-}" ] || tried deb 'the same bytes when it is built again' deb_again
    deb_check_root
    return 0 # the verdicts name the failures
}
