#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# contrib/packaging/release: in a copy, the version changes in all places, the next one can be
# begun, and errors are refused before anything is written.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"
[ "$(date -u -d 2026-01-02 '+%d %b' 2>/dev/null)" = '02 Jan' ] || skip "date is not that of GNU"
[ "$(printf 'a\nb\n' | sed '0,/a/s/a/c/' 2>/dev/null)" = 'c
b' ] || skip "sed is not that of GNU"

places='configure.ac NEWS doc/packager.md contrib/packaging/iosweep.spec contrib/packaging/PKGBUILD contrib/packaging/APKBUILD contrib/packaging/debian/changelog'
copy=$work/copy
mkdir -p "$copy/doc" "$copy/man" "$copy/contrib/packaging/debian"
places="$places man/iosweep.1 man/iosweep-csv.5"
for place in $places contrib/packaging/release; do
	cp "$top_srcdir/$place" "$copy/$place" && chmod u+w "$copy/$place" || exit 99
done
cd "$copy" || exit 99
old=$(sed -n 's/^AC_INIT(\[iosweep\], *\[\([^]]*\)\].*/\1/p' configure.ac)
# as before a release, also in the sources of one
sed -i "0,/^iosweep [0-9]/s/^iosweep $old (.*)/iosweep $old (unreleased)/" NEWS

# shellcheck disable=SC2086 # a list of words
sums() { cksum $places; }
# refused WORDS ARGUMENTS...: in one line with these words, and nothing is changed
refused() {
	refused_words=$1
	shift
	sums >"$work/before"
	! sh contrib/packaging/release "$@" >"$work/out" 2>"$work/err" || fail "not refused: $*"
	one_line "$work/err"
	grep -qF -e "$refused_words" "$work/err" || fail "$* is refused with other words than: $refused_words"
	sums | cmp -s - "$work/before" || fail "$* is refused, and files are changed"
}
refused 'not a version: 99.1;' 99.1
refused 'not a version: v99.1.0;' v99.1.0
refused 'not a date: 2026-02-30;' --date 2026-02-30 99.1.0
refused 'not a date: ;' --date '' 99.1.0
refused 'is below' 0.0.1
refused 'give --date or --unreleased' --date 2027-03-04 --unreleased 99.1.0
sed -i.all '/^iosweep [0-9.]* (unreleased)/,/^iosweep [0-9.]* (2/{/^  /d}' NEWS
refused 'NEWS says nothing' 99.1.0
mv NEWS.all NEWS
sed -i.was "s/$old/98.0.0/" contrib/packaging/PKGBUILD
refused 'contrib/packaging/PKGBUILD does not name the version' 99.1.0
mv contrib/packaging/PKGBUILD.was contrib/packaging/PKGBUILD

# now VERSION HEADING: the content of these places
now() {
	grep -q "^AC_INIT(\[iosweep\], \[$1\]," configure.ac || fail "configure.ac is not of $1"
	[ "$(grep '^iosweep [0-9]' NEWS | head -n 1)" = "iosweep $1 ($2)" ] || fail "NEWS does not begin with $1 ($2)"
	grep -qxE "Version: +$1" contrib/packaging/iosweep.spec || fail "iosweep.spec is not of $1"
	grep -qxE "[*] $3 The iosweep authors - $1-1" contrib/packaging/iosweep.spec || fail "the changelog of iosweep.spec is not of $1, $3"
	grep -qx "pkgver=$1" contrib/packaging/PKGBUILD || fail "PKGBUILD is not of $1"
	grep -qx "pkgver=$1" contrib/packaging/APKBUILD || fail "APKBUILD is not of $1"
	head -n 1 contrib/packaging/debian/changelog | grep -q "^iosweep ($1-0~upstream1) " || fail "the changelog of Debian is not of $1"
	grep -q "$1-0~upstream1" doc/packager.md || fail "packager.md is not of $1"
}
sh contrib/packaging/release --date 2027-03-04 99.1.0 >"$work/out" 2>"$work/err" || fail "not done"
now 99.1.0 2027-03-04 'Thu Mar 04 2027'
tail -n 1 contrib/packaging/debian/changelog | grep -q '  Thu, 04 Mar 2027 12:00:00 [+]0000$' || fail "the changelog of Debian has another date"
for page in man/iosweep.1 man/iosweep-csv.5; do
	[ "$(grep '^[.]Dd ' $page)" = '.Dd March 4, 2027' ] || fail "$page has another date"
done
! grep -F "$old" configure.ac doc/packager.md contrib/packaging/iosweep.spec contrib/packaging/PKGBUILD contrib/packaging/APKBUILD contrib/packaging/debian/changelog ||
	fail "the old version is left"
refused 'NEWS has no section "iosweep 99.1.0 (unreleased)"' 99.2.0
sh contrib/packaging/release --unreleased 99.2.0 >"$work/out" 2>"$work/err" || fail "the next version is not begun"
now 99.2.0 unreleased '[A-Z].*'
[ "$(grep '^iosweep [0-9]' NEWS | sed -n 2p)" = 'iosweep 99.1.0 (2027-03-04)' ] || fail "NEWS has lost a section"
refused 'is the version now' --unreleased 99.2.0
