# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# src/base: values; independent of profiling and of systems
libiosweep_a_SOURCES += \
	src/base/clock.c src/base/clock.h \
	src/base/color.c src/base/color.h \
	src/base/compat.h \
	src/base/error.c src/base/error.h \
	src/base/flag.h \
	src/base/hist.c src/base/hist.h \
	src/base/log.c src/base/log.h \
	src/base/mem.c src/base/mem.h \
	src/base/number.c src/base/number.h \
	src/base/option.c src/base/option.h \
	src/base/rng.h \
	src/base/stats.c src/base/stats.h \
	src/base/text.c src/base/text.h \
	src/base/threads.c src/base/threads.h \
	src/base/units.c src/base/units.h \
	src/base/utf8.c src/base/utf8.h
