#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# wine.sh PROGRAM [WORD]... - runs a program for Windows.  wine gets a directory of its own in $builddir,
# and stays for a minute, as each start takes seconds.  77: this machine cannot run such programs.
wine=
for candidate in wine64 /usr/lib/wine/wine64 wine; do
	[ -n "$wine" ] || ! command -v "$candidate" >/dev/null || wine=$candidate
done
if [ -z "$wine" ]; then
	[ "$(uname -s)" != Linux ] || { echo "SKIP: no wine" && exit 77; }
	exec "$@"
fi
WINEPREFIX=${builddir:?}/wine WINEDEBUG=-all
# names of files outside ASCII are those of the locale
LC_ALL=C.UTF-8
export WINEPREFIX WINEDEBUG LC_ALL
if [ ! -e "$WINEPREFIX/system.reg" ]; then
	mkdir -p "$WINEPREFIX"
	exec 9>"$WINEPREFIX/made" && flock 9
	[ -e "$WINEPREFIX/system.reg" ] || "$wine" wineboot --init >/dev/null 2>&1 9>&-
	exec 9>&-
fi
exec "$wine" "$@"
