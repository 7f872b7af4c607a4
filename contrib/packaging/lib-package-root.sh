# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# shellcheck shell=sh disable=SC2154 # variables of contrib/packaging/package
# lib-package-root.sh - shared by packages: they are built by an ordinary user, and tried in a root
# that contains only the package. Sourced by contrib/packaging/package.

# as_user COMMAND...: root becomes nobody. Builds belong in a directory of user_directory. The
# caller's home is neither read nor written.
as_user() {
    if [ "$(id -u)" -ne 0 ]; then
        env HOME="$work" TMPDIR="$work" "$@"
    else
        setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups --inh-caps=-all \
            env HOME="$work/user" USER=nobody LOGNAME=nobody TMPDIR="$work/user" "$@"
    fi
}

# user_directory DIRECTORY: a new one, of the user of as_user
user_directory() {
    mkdir -p "$work/user" "$1" || return 1
    [ "$(id -u)" -ne 0 ] || chown nobody "$work/user" "$1" || return 1
    as_user test -w "$1" && return 0
    echo "root builds as the user nobody, who cannot reach $1: set TMPDIR to another directory"
    return 1
}

# Words for make: as many jobs as processors.
build_jobs() { getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1; }

has_rados() {
    # shellcheck disable=SC2046 # CC may hold arguments
    echo '#include <rados/librados.h>' | $(setup_compiler) -E - >/dev/null 2>&1
}

# lacks_rados: reports if there is nothing to build the module with
lacks_rados() { has_rados || echo 'librados is not installed'; }

# borrow ROOT FILE...: copies the libraries of this system that these files of the root need, and
# the dynamic loader. A package for another distribution is linked with them, since it is built
# here.
borrow() {
    borrow_root=$1
    shift
    ldd "$@" | sed -n -e 's/.* => \(\/[^ ]*\) .*/\1/p' -e 's/^[[:space:]]*\(\/[^ ]*\) (0x.*/\1/p' |
        sort -u | while read -r borrow_file; do
        mkdir -p "$borrow_root${borrow_file%/*}" && cp -L "$borrow_file" "$borrow_root$borrow_file" &&
            echo "$borrow_file" >>"$borrow_root.borrowed" || return 1
    done
}

give_back() {
    sort -u "$1.borrowed" | while read -r borrow_file; do
        rm "$1$borrow_file" || return 1
    done && rm "$1.borrowed"
}

# in_root ROOT COMMAND...: sees nothing else of this system, and does not run as root
in_root() {
    in_root=$1
    shift
    env -i PATH=/usr/bin:/bin HOME=/ "$(command -v chroot)" --userspec=65534:65534 "$in_root" "$@"
}

# try_program ROOT: the program installed there finds its files, measures, and removes its files
try_program() {
    in_root "$1" iosweep --version && in_root "$1" iosweep help engines &&
        in_root "$1" iosweep help presets | grep '^@quick ' &&
        in_root "$1" iosweep --quiet --sizes 4k -n 100 null: && mkdir -m 1777 "$1/data" &&
        in_root "$1" iosweep --quiet --file-size 64k --sizes 4k,64k -n 20 --cache cached /data &&
        rmdir "$1/data"
}

# try_module ROOT: the module is found and loaded, and its library finds no cluster there
try_module() {
    in_root "$1" iosweep --quiet rados://pool 2>"$work/module" && return 1
    cat "$work/module"
    grep -q 'no cluster configuration found for rados://pool' "$work/module"
}

# left_in ROOT: fails, and names the files there, or the package's directories
left_in() {
    left=$(cd "$1" && find . ! -type d -print -o -name '*iosweep*' -print)
    [ -z "$left" ] || {
        printf 'left behind:\n%s\n' "$left"
        return 1
    }
}
