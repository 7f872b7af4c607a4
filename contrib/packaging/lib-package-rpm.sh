# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# shellcheck shell=sh disable=SC2154 # variables of contrib/packaging/package
# lib-package-rpm.sh - rpm packages, for contrib/packaging/package. Where rpm manages the system, it
# checks the build dependencies. On other systems, such as Debian, it uses what it finds: without
# librados there is no module, and programs for MPI are built if both MPIs have Debian's compilers.

rpm_is_at_home() { rpm -q rpm >/dev/null 2>&1; }

# What Fedora's macros do, and those here do not. Its MPI packages have macros that let a build find
# them; /bin/sh is bash, which the compression of manuals needs; and programs do not contain their
# build directory.
rpm_macros() {
    echo '%build_cflags %{optflags} -ffile-prefix-map=%{_builddir}=.'
    echo '%__brp_compress bash %{_rpmconfigdir}/brp-compress %{?_prefix}'
    for rpm_mpi in openmpi mpich; do
        mkdir -p "$work/$rpm_mpi"
        # shellcheck disable=SC2016 # for that script
        printf '#!/bin/sh\nexec mpicc.%s "$@"\n' "$rpm_mpi" >"$work/$rpm_mpi/mpicc"
        chmod 755 "$work/$rpm_mpi/mpicc"
        # shellcheck disable=SC2016 # for scripts of the build
        printf '%%_%s_load PATH="%s:$PATH" MPI_BIN=%%{_libdir}/%s/bin; export PATH MPI_BIN\n' \
            "$rpm_mpi" "$work/$rpm_mpi" "$rpm_mpi"
        # shellcheck disable=SC2016 # for scripts of the build
        printf '%%_%s_unload PATH="${PATH#*:}"; unset MPI_BIN\n' "$rpm_mpi"
    done
}

rpm_has_mpi() { rpm_is_at_home || [ -z "$(lacks_program mpicc.openmpi mpicc.mpich)" ]; }

# rpm_build DIRECTORY ARGUMENT...: rpmbuild there, with what is common to packages of any builder
rpm_build() {
    rpm_top=$1
    shift
    [ -n "$tests" ] || set -- --without check "$@"
    if ! rpm_is_at_home; then
        set -- --nodeps --define "_dbpath $rpm_top/db" "$@"
        has_rados || set -- --without rados "$@"
        rpm_macros >"$work/macros"
        set -- --load "$work/macros" "$@"
        ! rpm_has_mpi || set -- --with mpi "$@"
    fi
    as_user rpmbuild --define "_topdir $rpm_top" --define '_buildhost localhost' \
        --define 'source_date_epoch_from_changelog 0' \
        --define 'use_source_date_epoch_as_buildtime 1' \
        --define 'clamp_mtime_to_source_date_epoch 1' "$@"
}

# rpm_all DIRECTORY ARGUMENT...: of the archive and the spec there
rpm_all() {
    rpm_all=$1
    shift
    rpm_build "$rpm_all" --define "_sourcedir $rpm_all" "$@" -ba "$rpm_all/iosweep.spec"
}

package_lacks_rpm() { lacks_program rpmbuild setpriv; }

package_rpm() {
    user_directory "$work/rpm" || return 1
    rpm_version=$(sed -n 's/^Version: *//p' "$top/contrib/packaging/iosweep.spec")
    [ "$rpm_version" = "$version" ] || {
        echo "contrib/packaging/iosweep.spec is of version $rpm_version, not $version"
        return 1
    }
    cp "$1" "$top/contrib/packaging/iosweep.spec" "$work/rpm/" && rpm_all "$work/rpm" && mkdir -p "$work/made" &&
        cp "$work"/rpm/SRPMS/*.rpm "$work"/rpm/RPMS/*/*.rpm "$work/made/" && cp "$work"/made/*.rpm "$2/"
}

# --- checks --------------------------------------------------------------------------------------

# The same contents in another directory, at another time and with other settings.
rpm_again() {
    rpm_place=$work/again/in-another-place
    mkdir "$work/again" && user_directory "$rpm_place" && cp "$work"/rpm/iosweep* "$rpm_place/" &&
        (umask 002 && LC_ALL=C.UTF-8 TZ=Asia/Tokyo && export LC_ALL TZ && rpm_all "$rpm_place" --nocheck) || return 1
    # The header of a source package contains the commands of the build, and so its directory, and
    # that of the others a sum of it.
    rpm_sums "$work"/made/*.rpm >"$work/sums" && [ -s "$work/sums" ] &&
        rpm_sums "$rpm_place"/SRPMS/*.rpm "$rpm_place"/RPMS/*/*.rpm | diff "$work/sums" -
}

# rpm_sums FILE...: of all files installed by them, and of what they require and provide
rpm_sums() {
    rpm -qp --qf '%{NEVRA} [%{PAYLOADDIGEST}]\n[%{=NAME} %{REQUIRENEVRS}\n][%{=NAME} %{PROVIDENEVRS}\n]' "$@" | LC_ALL=C sort
}

# No output, except what contrib/packaging/rpmlint.toml gives a reason for.
rpm_lint() {
    rpmlint -c "$top/contrib/packaging/rpmlint.toml" "$top/contrib/packaging/iosweep.spec" "$work"/made/*.rpm >"$work/lint" || {
        cat "$work/lint"
        return 1
    }
    ! grep -E ': [EW]: ' "$work/lint"
}

# The module is for the program alone.
rpm_provides() {
    rpm -qp --provides "$work"/made/*.rpm
    ! rpm -qp --provides "$work"/made/*.rpm | grep '[.]so'
}

rpm_in_root() { rpm --root "$work/root" --dbpath /rpmdb "$@"; }

rpm_packages() { find "$work/made" -name '*.rpm' ! -name '*.src.rpm' ! -name '*debug*'; }

rpm_install() {
    mkdir -p "$work/root" && rpm_in_root --initdb || return 1
    # shellcheck disable=SC2046 # a list of words
    rpm_in_root -i --nodeps $(rpm_packages) && rpm_in_root -qa && rpm_in_root -Va --nodeps &&
        find "$work/root/usr" -path '*/bin/iosweep' -o -name iosweep-rados.so \
            -o -name 'iosweep-mpi_*' >"$work/linked" || return 1
    set --
    while read -r rpm_file; do
        set -- "$@" "$rpm_file"
    done <"$work/linked"
    borrow "$work/root" "$@"
}

rpm_erase() {
    # shellcheck disable=SC2046 # a list of words
    give_back "$work/root" && rpm_in_root -e --nodeps $(rpm_in_root -qa) &&
        rm -r "$work/root/rpmdb" && left_in "$work/root"
}

# Programs for MPI find their libraries, are of the MPI in their name, and start with it: in this
# system, since they read files of it.
rpm_mpi() {
    for rpm_program in "$work"/root/usr/lib*/*/bin/iosweep-mpi; do
        case $(readlink "$rpm_program") in
        *_openmpi) rpm_library='libmpi[.]so[.]40' ;;
        *) rpm_library='libmpich[.]so\|libmpi[.]so[.]12' ;;
        esac
        ldd "$rpm_program" | grep "$rpm_library" && ! ldd "$rpm_program" | grep 'not found' &&
            OMPI_MCA_ess_singleton_isolated=1 as_user timeout 60 "$rpm_program" --version || return 1
    done
}

# With their dependencies, from the system's package sources.
rpm_dnf() {
    rpm_release=$(rpm -E '%{?fedora}%{!?fedora:%{?rhel}}')
    # shellcheck disable=SC2046 # a list of words
    dnf -y --installroot="$work/system" --releasever="$rpm_release" --setopt=install_weak_deps=False \
        install $(rpm_packages) && in_root "$work/system" iosweep --quiet --sizes 4k -n 100 null: &&
        dnf -y --installroot="$work/system" --releasever="$rpm_release" remove 'iosweep*' &&
        [ -z "$(find "$work/system/usr" -name '*iosweep*')" ]
}

package_check_rpm() {
    tried_with rpmlint rpm 'rpmlint has nothing to say' rpm_lint
    tried rpm 'the module provides nothing to others' rpm_provides
    [ -z "${PACKAGE_REBUILD-}" ] || tried rpm 'the same contents when it is built again in another directory' rpm_again
    if [ "$(id -u)" -ne 0 ]; then
        verdict SKIP rpm 'only root can install it in an empty system'
        return
    fi
    tried rpm 'installs in an empty system, without what it depends on' rpm_install || return 0
    tried rpm 'runs there, with libraries of this system' try_program "$work/root"
    if rpm_is_at_home || has_rados; then
        tried rpm 'loads its module' try_module "$work/root"
    else
        verdict SKIP rpm "iosweep-rados: $(lacks_rados)"
    fi
    if rpm_has_mpi; then
        tried rpm 'its programs for MPI start, each with its own' rpm_mpi
    else
        verdict SKIP rpm "programs for MPI: $(lacks_program mpicc.openmpi mpicc.mpich)"
    fi
    tried rpm 'leaves nothing when it is erased' rpm_erase
    if rpm_is_at_home && command -v dnf >/dev/null; then
        tried rpm 'installs with what it depends on, and leaves nothing when it is removed' rpm_dnf
    else
        verdict SKIP rpm 'installing with dependencies: this system has no packages of rpm'
    fi
    return 0 # the verdicts name the failures
}
