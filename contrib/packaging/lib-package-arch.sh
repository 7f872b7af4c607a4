# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# shellcheck shell=sh disable=SC2154 # variables of contrib/packaging/package
# lib-package-arch.sh - pacman packages, for contrib/packaging/package. Where pacman manages the
# system, it checks the build dependencies; on other systems, such as Debian, the build uses what is
# installed.

arch_is_at_home() { pacman -Q pacman >/dev/null 2>&1; }

# Settings that do not depend on the system.
arch_settings() {
    arch_cflags='-O2 -pipe -fno-plt -Wformat -Werror=format-security -fstack-clash-protection -Wp,-D_FORTIFY_SOURCE=2'
    cat <<END_SETTINGS
. /etc/makepkg.conf
CARCH=$(uname -m)
CHOST=$(uname -m)-pc-linux-gnu
CFLAGS='$arch_cflags'
LDFLAGS='-Wl,-O1,--sort-common,--as-needed,-z,relro,-z,now'
MAKEFLAGS=-j$(build_jobs)
OPTIONS=(strip docs !libtool !staticlibs emptydirs zipman purge !debug !lto)
PACKAGER='The iosweep authors'
PKGEXT=.pkg.tar.zst
END_SETTINGS
}

# arch_build DIRECTORY [OPTION]...: with the archive and PKGBUILD in it
arch_build() {
    cd "$1" || return 1
    shift
    arch_is_at_home || set -- --nodeps "$@"
    [ -n "$tests" ] || set -- --nocheck "$@"
    as_user env LC_ALL=C makepkg --config "$work/makepkg.conf" "$@"
}

# arch_place DIRECTORY: prepares it for makepkg
arch_place() {
    arch_sum=$(sha256sum <"$archive") && user_directory "$1" && cp "$archive" "$1/" &&
        sed "s/^sha256sums=.*/sha256sums=(${arch_sum%% *})/" "$top/contrib/packaging/PKGBUILD" >"$1/PKGBUILD"
}

package_lacks_arch() { lacks_program makepkg pacman bsdtar zstd setpriv mpicc; lacks_rados; }

package_arch() {
    arch_version=$(sed -n 's/^pkgver=//p' "$top/contrib/packaging/PKGBUILD")
    [ "$arch_version" = "$version" ] || {
        echo "contrib/packaging/PKGBUILD is of version $arch_version, not $version"
        return 1
    }
    arch_settings >"$work/makepkg.conf"
    arch_place "$work/arch" && (arch_build "$work/arch") && mkdir -p "$work/made" &&
        cp "$work"/arch/*.pkg.tar.zst "$work/made/" && cp "$work"/made/*.pkg.tar.zst "$2/"
}

# --- checks --------------------------------------------------------------------------------------

# Packaging the compiled files again, at another time and with other settings, gives the same bytes.
arch_again() {
    sleep 1
    rm "$work"/arch/*.pkg.tar.zst &&
        (umask 002 && TZ=Asia/Tokyo && export TZ &&
            arch_build "$work/arch" --repackage) || return 1
    for arch_file in "$work"/made/*.pkg.tar.zst; do
        cmp "$arch_file" "$work/arch/${arch_file##*/}" || return 1
    done
}

# No error; warnings are for people to judge.
arch_lint() {
    namcap "$work/arch/PKGBUILD" "$work"/made/*.pkg.tar.zst >"$work/lint" &&
        ! grep ' E: ' "$work/lint"
}

# arch_field NAME FILE
arch_field() { bsdtar -xOf "$2" .PKGINFO | sed -n "s/^$1 = //p"; }

# What --nodeps does not check: the others are useless without the program, of the same build.
arch_depends() {
    for arch_file in "$work"/made/*.pkg.tar.zst; do
        arch_field depend "$arch_file" >"$work/depends"
        case $(arch_field pkgname "$arch_file") in
        iosweep) ! grep '^iosweep' "$work/depends" ;;
        *) grep -xF "iosweep=$(arch_field pkgver "$arch_file")" "$work/depends" ;;
        esac || return 1
    done
}

arch_pacman() {
    pacman --root "$work/root" --dbpath "$work/root/pacman" --cachedir "$work/root/pacman" \
        --config "$work/pacman.conf" --logfile /dev/null --noconfirm "$@"
}

arch_install() {
    mkdir -p "$work/root/pacman" && printf '[options]\nArchitecture = auto\n' >"$work/pacman.conf" || return 1
    # dependencies are not installed
    arch_pacman -U --nodeps --nodeps "$work"/made/*.pkg.tar.zst && arch_pacman -Q && arch_pacman -Qkk &&
        borrow "$work/root" "$work/root/usr/bin/iosweep" "$work/root/usr/lib/iosweep/iosweep-rados.so"
}

# Each file is in the right package.
arch_files() {
    arch_pacman -Qlq iosweep-results iosweep-rados iosweep-mpi | sed -e "s|^$work/root||" -e '/\/$/d' -e /iosweep_results/d |
        LC_ALL=C sort >"$work/have"
    cat >"$work/want" <<'END_FILES'
/usr/bin/iosweep-mpi
/usr/lib/iosweep/iosweep-rados.so
/usr/lib/iosweep/iosweep-results
/usr/share/bash-completion/completions/iosweep-mpi
/usr/share/fish/vendor_completions.d/iosweep-mpi.fish
/usr/share/man/man1/iosweep-mpi.1.gz
END_FILES
    diff "$work/want" "$work/have" || return 1
    for arch_file in bin/iosweep share/man/man1/iosweep.1.gz share/man/man5/iosweep-csv.5.gz \
        share/man/man7/iosweep-tests.7.gz share/zsh/site-functions/_iosweep share/iosweep/presets/quick share/iosweep/iosweep.schema.json share/doc/iosweep/README; do
        arch_pacman -Qlq iosweep | grep -xF "$work/root/usr/$arch_file" || return 1
    done
}

# It finds its libraries, and starts with its MPI: in this system, since that reads files of it.
arch_mpi() {
    ! ldd "$work/root/usr/bin/iosweep-mpi" | grep 'not found' && ldd "$work/root/usr/bin/iosweep-mpi" | grep libmpi &&
        OMPI_MCA_ess_singleton_isolated=1 as_user timeout 60 "$work/root/usr/bin/iosweep-mpi" --version
}

arch_remove() {
    give_back "$work/root" && arch_pacman -R iosweep-results iosweep-rados iosweep-mpi iosweep && rm -r "$work/root/pacman" &&
        left_in "$work/root"
}

package_check_arch() {
    tried_with namcap arch 'namcap finds no error' arch_lint
    tried arch 'the same bytes when it is packaged again' arch_again
    tried arch 'needs the program of the same build' arch_depends
    if [ "$(id -u)" -ne 0 ]; then
        verdict SKIP arch 'only root can install it in an empty system'
        return
    fi
    tried arch 'installs in an empty system, without what it depends on' arch_install || return 0
    tried arch 'has each file in its package' arch_files
    tried arch 'runs there, with libraries of this system' try_program "$work/root"
    tried arch 'loads its module' try_module "$work/root"
    tried arch 'its program for MPI starts' arch_mpi
    tried arch 'leaves nothing when it is removed' arch_remove
    return 0 # the verdicts name the failures
}
