# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# shellcheck shell=sh disable=SC2154 # variables of contrib/packaging/package
# lib-package-apk.sh - the packages of contrib/packaging/APKBUILD, for contrib/packaging/package.
# abuild is a program of Alpine Linux: here a shell runs the functions like abuild, and the files of
# each package go into a tar archive. The programs use this system's C library, not Alpine's, as the
# names of the archives show.

# The shell of Alpine, if installed.
apk_shell() {
    if command -v busybox >/dev/null 2>&1; then
        echo busybox ash
    else
        echo sh
    fi
}

# apk_drive DIRECTORY [NAME=VALUE]...: does in it what abuild does, as far as APKBUILD depends on
# it. The functions move files out of the first package in the order in which the others are named.
apk_drive() {
    cat >"$1/drive" <<'END_DRIVE'
set -eu
startdir=$PWD srcdir=$PWD/src pkgbasedir=$PWD/pkg
mkdir "$srcdir" "$pkgbasedir"
: "${CARCH:=$(uname -m)}" "${CBUILD:=$(cc -dumpmachine)}"
CHOST=$CBUILD
. ./APKBUILD
pkgdir=$pkgbasedir/$pkgname
tar -C "$srcdir" -xf "$source"

amove() {
    for moved; do
        mkdir -p "$subpkgdir/${moved%/*}"
        mv "$pkgdir/$moved" "$subpkgdir/${moved%/*}/"
        (cd "$pkgdir" && rmdir -p "${moved%/*}" 2>/dev/null) || :
    done
}
doc() {
    amove usr/share/doc usr/share/man
    find "$subpkgdir/usr/share/man" -type f -exec gzip -n -9 {} +
}
bash_completion() { amove usr/share/bash-completion/completions; }
fish_completion() { amove usr/share/fish/vendor_completions.d; }
zsh_completion() { amove usr/share/zsh/site-functions; }

for step in build ${APK_CHECK-} package; do
    cd "$builddir"
    $step
done
for sub in $subpackages; do
    sub=${sub%%:*} # "NAME:FUNCTION:ARCHITECTURE"
    # what is not built because its library is missing cannot be packaged
    case " ${APK_LACKS-} " in *" ${sub#"$pkgname-"} "*) continue ;; esac
    subpkgdir=$pkgbasedir/$sub
    mkdir "$subpkgdir"
    cd "$builddir"
    (
        subpkgname=$sub
        "$(echo "${sub#"$pkgname-"}" | tr - _)"
    )
done
END_DRIVE
    # shellcheck disable=SC2046 # words
    (cd "$1" && shift && as_user env MAKEFLAGS="-j$(build_jobs)" ${tests:+APK_CHECK=check} "$@" $(apk_shell) ./drive)
}

# apk_place DIRECTORY
apk_place() { user_directory "$1" && cp "$archive" "$top/contrib/packaging/APKBUILD" "$1/"; }

package_lacks_apk() { lacks_program setpriv mpicc; lacks_rados; }

package_apk() {
    apk_version=$(sed -n 's/^pkgver=//p' "$top/contrib/packaging/APKBUILD")
    [ "$apk_version" = "$version" ] || {
        echo "contrib/packaging/APKBUILD is of version $apk_version, not $version"
        return 1
    }
    # for inspection, not for running: minimal work for the compiler
    apk_place "$work/apk" && apk_drive "$work/apk" CFLAGS=-O0 LDFLAGS=-Wl,--as-needed || return 1
    # shellcheck disable=SC2046 # CC may hold arguments
    apk_system=$($(setup_compiler) -dumpmachine) || return 1
    for apk_package in "$work"/apk/pkg/*; do
        tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -C "$apk_package" \
            -czf "$2/${apk_package##*/}-$version.APKBUILD-on-$apk_system.tar.gz" . || return 1
    done
}

# --- checks --------------------------------------------------------------------------------------

# apk_has PACKAGE FILE...: exactly these, where a name that ends in / is a directory with files
apk_has() {
    apk_package=$1
    shift
    (cd "$work/apk/pkg/$apk_package" && find . ! -type d) >"$work/have" || return 1
    for apk_file; do
        # shellcheck disable=SC2016 # for awk
        awk -v name="./usr/$apk_file" '
            $0 == name || name ~ "/$" && index($0, name) == 1 { found = 1; next }
            { print }
            END { exit !found }' "$work/have" >"$work/rest" || {
            echo "$apk_package lacks $apk_file"
            return 1
        }
        mv "$work/rest" "$work/have"
    done
    [ ! -s "$work/have" ] || {
        echo "$apk_package also has"
        cat "$work/have"
        return 1
    }
}

apk_files() {
    apk_has iosweep bin/iosweep share/iosweep/presets/ share/iosweep/iosweep.schema.json &&
        apk_has iosweep-rados lib/iosweep/iosweep-rados.so && apk_has iosweep-mpi bin/iosweep-mpi &&
        apk_has iosweep-results libexec/iosweep/ &&
        apk_has iosweep-doc share/man/man1/iosweep.1.gz share/man/man1/iosweep-mpi.1.gz share/man/man1/ \
            share/man/man5/ share/man/man7/ share/doc/iosweep/ &&
        apk_has iosweep-bash-completion share/bash-completion/completions/ &&
        apk_has iosweep-fish-completion share/fish/vendor_completions.d/ &&
        apk_has iosweep-zsh-completion share/zsh/site-functions/_iosweep
}

# A compiler for the C library of Alpine, with the headers of the kernel; the libraries that iosweep
# can use are for another one here.
apk_musl_place() {
    apk_place "$work/musl" && mkdir -p "$work/kernel" || return 1
    # shellcheck disable=SC2046 # CC may hold arguments
    for apk_headers in linux asm-generic "$($(setup_compiler) -print-multiarch)/asm" asm; do
        [ ! -e "/usr/include/$apk_headers" ] || ln -sfn "/usr/include/$apk_headers" "$work/kernel/${apk_headers##*/}"
    done
    printf '#!/bin/sh\nexec musl-gcc -isystem %s "$@"\n' "$work/kernel" >"$work/musl-cc"
    chmod 755 "$work/musl-cc"
}

# The static program of the same APKBUILD: without the libraries, it measures and removes its files.
apk_musl() (
    apk_musl_place || exit 1
    tests=''
    # the last option takes precedence
    sed 's/--with-rados=[$]_rados/--without-rados --without-mpi --without-libaio \\\
        --without-libcurl --without-liburing --without-openssl --without-cmocka --without-fuse3/' \
        "$top/contrib/packaging/APKBUILD" >"$work/musl/APKBUILD"
    apk_drive "$work/musl" APK_LACKS='rados mpi' CC="$work/musl-cc" CFLAGS=-O0 LDFLAGS=-static &&
        try_program "$work/musl/pkg/iosweep"
)

package_check_apk() {
    tried apk 'each file is in its package' apk_files
    if ! command -v musl-gcc >/dev/null; then
        verdict SKIP apk 'musl-gcc is not installed'
    elif [ "$(id -u)" -ne 0 ]; then
        verdict SKIP apk 'only root can run it in an empty system'
    else
        tried apk 'builds with musl, and runs in an empty system' apk_musl
    fi
    verdict SKIP apk 'a build by abuild, which Alpine Linux has'
}
