#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# Repeats hostile.sh with requests handled wholly by libcurl, as for plain HTTP through a proxy; the
# service itself acts as one.
HOSTILE_PROXY=yes
export HOSTILE_PROXY
# shellcheck source=tests/s3/hostile.sh
. "${top_srcdir:?}/tests/s3/hostile.sh"
