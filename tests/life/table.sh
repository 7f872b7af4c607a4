#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# What becomes of a run that was kept, killed, damaged or goes on, whatever is asked: the table of
# table.txt, on files and on a small S3 service; `life.py --update STORAGE` makes it anew.
# shellcheck source=tests/cli/lib.sh
. "${top_srcdir:?}/tests/cli/lib.sh"

need python3
python3 "$top_srcdir/tests/life/life.py" files >&2 || fail "files"
if iosweep help engines | grep -q '^s3 '; then
	python3 "$top_srcdir/tests/life/life.py" s3 >&2 || fail "s3"
fi
