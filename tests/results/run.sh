#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# run.sh TEST - a test of what reads results, with the Python that is to run it.
set -u
"${PYTHON:?}" -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null || {
	echo 'SKIP: there is no python3 3.9 or later'
	exit 77
}
PYTHONPATH=${top_srcdir:?}/src/results PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE
exec "$PYTHON" "$@"
