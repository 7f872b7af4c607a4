#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# contrib/ci/compilers tests any pair of optional features left out: it covers each library of
# configure.ac, and for each pair some row has both, neither, and either one alone.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

ZIG=false sh "$top_srcdir/contrib/ci/compilers" --list pair >"$work/rows" || fail "it lists no rows"
cut -f 5 "$work/rows" >"$work/pairs"
[ "$(wc -l <"$work/pairs")" -le 20 ] || fail "more rows than need be"

# arguments of configure, with what each is incompatible with
cat >"$work/values" <<'END'
--without-cmocka
--without-libaio
--without-liburing
--without-fuse3
--without-libcurl
--without-openssl
--with-libs3
--with-rados=yes --without-rados --with-system=posix
--without-rados --with-rados=yes
--without-mpi
--with-system=posix --with-rados=yes
--enable-sanitizers
END
sed -n 's/^IOSWEEP_WITH(\[\([a-z0-9]*\)\].*/\1/p' "$top_srcdir/configure.ac" | while read -r library; do
	grep -q -e "^--with-$library" -e "^--without-$library" "$work/values" || echo "$library"
done >"$work/lacks"
[ ! -s "$work/lacks" ] || fail "libraries that are never left out: $(cat "$work/lacks")"

# On a POSIX-only system some are always absent.
awk '
	function absent(i) { return value[i] ~ /without-(libaio|liburing|rados)/ }
	function refused(i, a, j, b) {
		return a && b && ((value[i], value[j]) in never) ||
			b && value[j] ~ /posix/ && !a && absent(i)
	}
	NR == FNR { value[NR] = $1; for (i = 2; i <= NF; i++) never[$1, $i]; values = NR; next }
	{
		posix = /--with-system=posix/
		for (i = 1; i <= values; i++) {
			told[i] = index(" " $0 " ", " " value[i] " ") > 0
			counts[i] = told[i] || !posix || !absent(i)
		}
		for (i = 1; i <= values; i++)
			for (j = i + 1; j <= values; j++)
				if (counts[i] && counts[j])
					had[i, j, told[i], told[j]]
	}
	END {
		for (i = 1; i <= values; i++)
			for (j = i + 1; j <= values; j++)
				for (a = 0; a <= 1; a++)
					for (b = 0; b <= 1; b++)
						if (!((i, j, a, b) in had) && !refused(i, a, j, b))
							print (a ? "" : "not ") value[i] ", " (b ? "" : "not ") value[j]
	}' "$work/values" "$work/pairs" >"$work/missing"
[ ! -s "$work/missing" ] || fail "no row has $(cat "$work/missing")"
