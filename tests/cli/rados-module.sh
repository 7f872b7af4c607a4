#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Targets rados:// need a module, which the program loads only from its installation directory:
# without it one line names the package and the status is 3, regardless of environment and current
# directory. The program itself does not link librados. `make install` puts the module where the
# program looks, also with DESTDIR and --program-prefix, and `make uninstall` removes it. Builds
# without librados report that.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

: "${builddir:?}"
cd "$work" || exit 99
unset CEPH_ARGS
CEPH_CONF=$work/no.conf
export CEPH_CONF

# --- not built
if ! iosweep help engines | grep -q '^rados '; then
	for arguments in rados://pool 'clean --all rados://pool' '--dry-run rados://pool/a'; do
		# shellcheck disable=SC2086
		refuses 2 'this build has no RADOS: rados://pool.*; build it --with-rados=' $arguments
	done
	run 2 --engine rados .
	exit 0
fi
need_linked() { # the module is loaded and named
	"$1" help engines >out 2>err || fail "help engines: $(cat err)"
	! sed -n '/^rados /,/^[^ ]/p' out | grep 'not usable' || fail "the library is not usable"
}
if [ ! -f "$builddir/src/iosweep-rados.so" ]; then # --with-rados=yes
	need_linked "$IOSWEEP"
	run 0 --version
	grep -q '^libraries: .*librados [0-9]' out || fail "--version does not name librados"
	exit 0
fi
built=$builddir/tests/module/iosweep

# --- the program does not need librados, the module does
if command -v readelf >/dev/null; then
	readelf -d "$IOSWEEP" >needed
	grep -q NEEDED needed || fail "readelf tells nothing"
	! grep -qi rados needed || fail "the program links librados: $(grep -i rados needed)"
	readelf -d "$builddir/src/iosweep-rados.so" >needed
	grep -q 'NEEDED.*librados[.]so' needed || fail "the module does not link librados"
	! grep -Eqi 'rpath|runpath|textrel' needed || fail "$(grep -Ei 'rpath|runpath|textrel' needed)"
fi

# --- the program with the module of this build: all symbols it needs exist
need_linked "$built"
"$built" --version >out 2>err || fail "--version: $(cat err)"
! grep -q librados out || fail "--version has loaded the module"

# --- without it: one line, status 3, for any command
if [ ! -e "$(strings -a "$IOSWEEP" 2>/dev/null | grep -m 1 '^/.*/iosweep$')/iosweep-rados.so" ]; then
	without() {
		refuses 3 'rados:// needs the package iosweep-rados, which is not installed: /.*/iosweep/iosweep-rados[.]so; install iosweep-rados [0-9]' \
			"$@"
		[ ! -s out ] || fail "iosweep $*: results"
	}
	without rados://pool
	without --tests read rados://pool/prefix
	without --dry-run rados://pool
	without -r --run-name one rados://pool
	without clean --all rados://pool
	mkdir dir
	without --sizes 4k -n 2 -l 64k dir rados://pool
	nothing_left dir
	run 0 help engines
	grep -A 3 '^rados ' out | grep -q 'not usable here: .*iosweep-rados' || fail "help engines does not tell"

	# and nothing in the environment leads to it
	cp "$builddir/src/iosweep-rados.so" .
	mkdir iosweep lib && cp iosweep-rados.so iosweep/ && cp iosweep-rados.so lib/
	for variable in LD_LIBRARY_PATH LD_RUN_PATH IOSWEEP_MODULES IOSWEEP_PRESETS IOSWEEP_LIBRARY_PATH PATH_PREFIX pkglibdir PKGLIBDIR HOME XDG_DATA_HOME; do
		for value in "$work" "$work/iosweep" "$work/lib" .; do
			eval "(export $variable='$value' && without rados://pool)" || exit 1
		done
	done
	! grep -q 'getenv[^;]*\(MODULE\|LIB\)' "$top_srcdir"/src/storage/object/*.c || fail "modules look at the environment"
else
	echo "iosweep-rados is installed: what happens without it is not tried"
fi

# --- installed: the module is where the program looks for it, and is removed with it. make_install
# DIRECTORY ARGUMENT...
installed() {
	make -s -C "$builddir" "$@" >install.log 2>&1 || fail "make $*: $(tail -n 5 install.log)"
}
make -n -C "$builddir" install >/dev/null 2>&1 || skip "no make, so that nothing is installed (all else passed)"
installed install-moduleDATA DESTDIR="$work/dest"
installed install-binPROGRAMS DESTDIR="$work/dest"
find dest -type f ! -name iosweep-mpi | sort >files
grep -q '/iosweep/iosweep-rados[.]so$' files || fail "the module is not installed: $(cat files)"
[ "$(wc -l <files)" = 2 ] || fail "not the program and its module: $(cat files)"
module=$(grep 'rados[.]so$' files)
# where the program installed there would look, without DESTDIR
program=$(grep -v 'rados[.]so$' files)
"./$program" rados://pool >out 2>err
grep -qF "${module#dest}; install" err || [ -e "${module#dest}" ] ||
	fail "the program looks elsewhere than ${module#dest}: $(cat err)"
case $(ls -l "$module") in
-rw?r--r--*) ;;
*) fail "the mode of the module: $(ls -l "$module")" ;;
esac
installed uninstall-moduleDATA DESTDIR="$work/dest"
installed uninstall-binPROGRAMS DESTDIR="$work/dest"
[ -z "$(find dest -type f)" ] || fail "left after uninstall: $(find dest -type f)"
