#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# All that hostile.sh tries, with requests that libcurl makes as a whole: it does where a proxy is asked
# for plain HTTP, and the service there answers as one.
HOSTILE_PROXY=yes
export HOSTILE_PROXY
# shellcheck source=tests/s3/hostile.sh
. "${top_srcdir:?}/tests/s3/hostile.sh"
