# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# src/engine: ways to do I/O on files
libiosweep_a_SOURCES += \
	src/engine/engine.c src/engine/engine.h \
	src/engine/file.c src/engine/file.h \
	src/engine/null.c src/engine/null_delay.h \
	src/engine/posix.h \
	src/engine/posix_files.c \
	src/engine/posix_names.c \
	src/engine/stdio.c
if SYSTEM_WINDOWS
libiosweep_a_SOURCES += src/engine/windows.c
else
libiosweep_a_SOURCES += src/engine/posix.c
endif
if HAVE_LIBAIO
libiosweep_a_SOURCES += src/engine/libaio.c
libiosweep_a_CPPFLAGS += $(LIBAIO_CFLAGS)
engine_libs += $(LIBAIO_LIBS)
endif
if HAVE_LIBURING
libiosweep_a_SOURCES += \
	src/engine/uring.c \
	src/engine/uring_cold.c src/engine/uring_cold.h
libiosweep_a_CPPFLAGS += $(LIBURING_CFLAGS)
engine_libs += $(LIBURING_LIBS)
endif
