#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# wine.sh PROGRAM [WORD]... - runs a program for Windows.  wine gets a directory of its own in $builddir,
# and stays for a minute, as each start takes seconds.  77: this machine cannot run such programs.
# shellcheck source=tests/windows/lib.sh
. "${0%/*}/lib.sh"
if [ -z "$wine" ]; then
	[ "$(uname -s)" != Linux ] || { echo "SKIP: no wine" && exit 77; }
	exec "$@"
fi
if [ ! -e "$WINEPREFIX/system.reg" ]; then
	mkdir -p "$WINEPREFIX"
	exec 9>"$WINEPREFIX/made" && flock 9
	[ -e "$WINEPREFIX/system.reg" ] || "$wine" wineboot --init >/dev/null 2>&1 9>&-
	exec 9>&-
fi
exec "$wine" "$@"
