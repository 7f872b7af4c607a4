# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# src/storage: what is measured: files and object stores
libiosweep_a_SOURCES += \
	src/storage/fresh.h \
	src/storage/life/choose.c src/storage/life/choose.h \
	src/storage/life/clean.c src/storage/life/clean.h \
	src/storage/life/heartbeat.c src/storage/life/heartbeat.h \
	src/storage/life/life.c src/storage/life/life.h \
	src/storage/life/manifest.c src/storage/life/manifest.h \
	src/storage/null.c \
	src/storage/pattern.c src/storage/pattern.h \
	src/storage/storage.c src/storage/storage.h \
	src/storage/test.c src/storage/test.h
libiosweep_a_SOURCES += \
	src/storage/file/cache.c \
	src/storage/file/driver.c src/storage/file/driver.h \
	src/storage/file/existing.c \
	src/storage/file/fileset.c src/storage/file/fileset.h \
	src/storage/file/fileset_remove.c \
	src/storage/file/guard.c \
	src/storage/file/kept.c \
	src/storage/file/place.c \
	src/storage/file/tree.c \
	src/storage/file/verify.c
libiosweep_a_SOURCES += \
	src/storage/object/bulk.c \
	src/storage/object/client.c src/storage/object/client.h \
	src/storage/object/cost.c \
	src/storage/object/dataset.c \
	src/storage/object/driver.c \
	src/storage/object/end.c \
	src/storage/object/engine.c \
	src/storage/object/existing.c \
	src/storage/object/fill.c \
	src/storage/object/manifest.c \
	src/storage/object/names.c src/storage/object/names.h \
	src/storage/object/object.h \
	src/storage/object/operation.c src/storage/object/operation.h \
	src/storage/object/options.c src/storage/object/options.h \
	src/storage/object/parts.c \
	src/storage/object/protocol.h \
	src/storage/object/removal.c \
	src/storage/object/run.c \
	src/storage/object/service.c \
	src/storage/object/session.c
libiosweep_a_SOURCES += \
	src/storage/object/mem/call.c \
	src/storage/object/mem/protocol.c src/storage/object/mem/protocol.h \
	src/storage/object/mem/store.c
libiosweep_a_SOURCES += src/storage/object/rados/driver.c src/storage/object/rados/module.h
libiosweep_a_SOURCES += src/storage/object/s3/driver.c src/storage/object/s3/protocol.h
libiosweep_a_SOURCES += src/storage/object/webhdfs/driver.c src/storage/object/webhdfs/protocol.h

if HAVE_S3
libiosweep_a_SOURCES += \
	src/storage/object/s3/checksum.c \
	src/storage/object/s3/credentials.c \
	src/storage/object/s3/link.c \
	src/storage/object/s3/list.c \
	src/storage/object/s3/request.c \
	src/storage/object/s3/response.c \
	src/storage/object/s3/service.c \
	src/storage/object/s3/sigv4.c \
	src/storage/object/s3/xml.c
libiosweep_a_CPPFLAGS += $(OPENSSL_CFLAGS)
engine_libs += $(OPENSSL_LIBS)
endif
if HAVE_LIBCURL
libiosweep_a_SOURCES += \
	src/storage/object/web/answer.c \
	src/storage/object/web/secret.c src/storage/object/web/web.h \
	src/storage/object/webhdfs/answer.c \
	src/storage/object/webhdfs/json.c \
	src/storage/object/webhdfs/link.c \
	src/storage/object/webhdfs/list.c \
	src/storage/object/webhdfs/service.c
endif

# rados://: the protocol and what makes a module of it are in the module, or in the program.
rados_sources = \
	src/storage/object/rados/call.c \
	src/storage/object/rados/cluster.c \
	src/storage/object/rados/list.c \
	src/storage/object/rados/protocol.h \
	src/storage/object/rados/ring.c \
	src/storage/object/rados/service.c
moduledir = $(pkglibdir)
program_ldflags = $(IOSWEEP_LDFLAGS)
# what a unit test of the protocol links besides, before all else
rados_test_libs =
if RADOS_LINKED
libiosweep_a_SOURCES += $(rados_sources)
libiosweep_a_CPPFLAGS += $(RADOS_CFLAGS)
engine_libs += $(RADOS_LIBS)
endif
# the program that finds its modules where they were built
if RADOS_MODULE
module_program = tests/module/iosweep$(EXEEXT)
else
module_program = src/iosweep$(EXEEXT)
endif
if RADOS_MODULE
libiosweep_a_SOURCES += \
	src/storage/object/rados/module.c src/storage/object/rados/module_directory.c
libiosweep_a_CPPFLAGS += -DMODULE_DIRECTORY=\"$(pkglibdir)\"
# made again where configure was told another place
src/storage/object/rados/libiosweep_a-module_directory.$(OBJEXT): Makefile
# The program exports what modules call, and no more: its names come before those of all libraries.
program_ldflags += -Wl,--dynamic-list=$(srcdir)/src/storage/object/rados/module.symbols
noinst_LIBRARIES += libmodule_rados.a
libmodule_rados_a_SOURCES = $(rados_sources)
libmodule_rados_a_CPPFLAGS = -I$(srcdir)/src $(RADOS_CFLAGS)
libmodule_rados_a_CFLAGS = $(AM_CFLAGS) -fPIC -fvisibility=hidden
rados_test_libs += libmodule_rados.a $(RADOS_LIBS)
EXTRA_PROGRAMS += src/iosweep-rados.so
src_iosweep_rados_so_SOURCES =
src_iosweep_rados_so_LDFLAGS = $(AM_LDFLAGS) -shared -Wl,-u,iosweep_module
src_iosweep_rados_so_LDADD = libmodule_rados.a $(RADOS_LIBS)
# data: what is loaded needs no permission to be run, and keeps its name with --program-prefix
module_DATA = src/iosweep-rados.so
endif
EXTRA_DIST += src/storage/object/rados/module.symbols
EXTRA_src_iosweep_DEPENDENCIES = $(srcdir)/src/storage/object/rados/module.symbols
