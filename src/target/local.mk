# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# src/target: what is measured: files and object stores
libiosweep_a_SOURCES += \
	src/target/absent.c src/target/absent.h \
	src/target/clean.c src/target/clean.h \
	src/target/fresh.h \
	src/target/life/life.c src/target/life/life.h \
	src/target/life/manifest.c src/target/life/manifest.h \
	src/target/null.c \
	src/target/pattern.c src/target/pattern.h \
	src/target/target.c src/target/target.h \
	src/target/test.c src/target/test.h \
	src/target/trace.c
libiosweep_a_SOURCES += \
	src/target/file/cache.c \
	src/target/file/cleanup.c \
	src/target/file/created.c \
	src/target/file/driver.c src/target/file/driver.h \
	src/target/file/existing.c \
	src/target/file/fileset.c src/target/file/fileset.h \
	src/target/file/fileset_clean.c \
	src/target/file/fileset_enter.c \
	src/target/file/fileset_remove.c \
	src/target/file/fill.c src/target/file/fill.h \
	src/target/file/fill_pace.c src/target/file/fill_pace.h \
	src/target/file/guard.c \
	src/target/file/join.c \
	src/target/file/layout.c \
	src/target/file/names.c \
	src/target/file/own.c src/target/file/own.h \
	src/target/file/place.c \
	src/target/file/retire.c \
	src/target/file/reuse.c \
	src/target/file/runs.c \
	src/target/file/traffic.c \
	src/target/file/verify.c \
	src/target/file/walk.c src/target/file/walk.h \
	src/target/file/written.c
libiosweep_a_SOURCES += \
	src/target/object/bounds.c \
	src/target/object/bulk.c \
	src/target/object/cleanup.c \
	src/target/object/client.c src/target/object/client.h \
	src/target/object/content.c \
	src/target/object/cost.c \
	src/target/object/created.c \
	src/target/object/dataset.c src/target/object/dataset.h \
	src/target/object/driver.c \
	src/target/object/engine.c \
	src/target/object/exclusive.c \
	src/target/object/existing.c \
	src/target/object/failure.c \
	src/target/object/fill.c \
	src/target/object/heartbeat.c \
	src/target/object/join.c \
	src/target/object/lanes.c \
	src/target/object/manifest.c src/target/object/manifest.h \
	src/target/object/module.h \
	src/target/object/multipart.c src/target/object/multipart.h \
	src/target/object/object.h \
	src/target/object/operation.c src/target/object/operation.h \
	src/target/object/options.c src/target/object/options.h \
	src/target/object/place.c \
	src/target/object/prefix.c src/target/object/prefix.h \
	src/target/object/protocol.h \
	src/target/object/provision.c \
	src/target/object/removal.c src/target/object/removal.h \
	src/target/object/removal_unlisted.c \
	src/target/object/retire.c \
	src/target/object/retry.c src/target/object/retry.h \
	src/target/object/reuse.c \
	src/target/object/run.c \
	src/target/object/session.c \
	src/target/object/task.c \
libiosweep_a_SOURCES += \
	src/target/object/mem/call.c src/target/object/mem/call.h \
	src/target/object/mem/change.c src/target/object/mem/change.h \
	src/target/object/mem/driver.c \
	src/target/object/mem/fault.c src/target/object/mem/fault.h \
	src/target/object/mem/protocol.c src/target/object/mem/protocol.h \
	src/target/object/mem/store.c src/target/object/mem/store.h
libiosweep_a_SOURCES += \
	src/target/object/rados/options.c src/target/object/rados/options.h
libiosweep_a_SOURCES += \
	src/target/object/s3/options.c src/target/object/s3/options.h
libiosweep_a_SOURCES += \
	src/target/object/webhdfs/options.c src/target/object/webhdfs/options.h

if HAVE_S3
libiosweep_a_SOURCES += \
	src/target/object/s3/address.c src/target/object/s3/address.h \
	src/target/object/s3/checksum.c src/target/object/s3/checksum.h \
	src/target/object/s3/credentials.c src/target/object/s3/credentials.h \
	src/target/object/s3/driver.c \
	src/target/object/s3/integrity.c \
	src/target/object/s3/link.c \
	src/target/object/s3/list.c \
	src/target/object/s3/protocol.c src/target/object/s3/protocol.h \
	src/target/object/s3/request.c src/target/object/s3/request.h \
	src/target/object/s3/response.c src/target/object/s3/response.h \
	src/target/object/s3/service.c \
	src/target/object/s3/sigv4.c src/target/object/s3/sigv4.h \
	src/target/object/s3/xml.c src/target/object/s3/xml.h
libiosweep_a_CPPFLAGS += $(OPENSSL_CFLAGS)
engine_libs += $(OPENSSL_LIBS)
else
libiosweep_a_SOURCES += src/target/object/s3/absent.c
endif
if HAVE_LIBS3
libiosweep_a_SOURCES += src/target/object/s3/libs3/libs3.c
libiosweep_a_CPPFLAGS += $(LIBS3_CFLAGS)
engine_libs += $(LIBS3_LIBS)
endif
if HAVE_LIBCURL
libiosweep_a_SOURCES += \
	src/target/object/webhdfs/address.c src/target/object/webhdfs/address.h \
	src/target/object/webhdfs/answer.c \
	src/target/object/webhdfs/driver.c \
	src/target/object/webhdfs/json.c src/target/object/webhdfs/json.h \
	src/target/object/webhdfs/link.c \
	src/target/object/webhdfs/list.c \
	src/target/object/webhdfs/place.c \
	src/target/object/webhdfs/protocol.c src/target/object/webhdfs/protocol.h \
	src/target/object/webhdfs/request.c \
	src/target/object/webhdfs/secret.c src/target/object/webhdfs/secret.h \
	src/target/object/webhdfs/service.c \
	src/target/object/webhdfs/words.c
else
libiosweep_a_SOURCES += src/target/object/webhdfs/absent.c
endif

# rados://: the protocol and what makes a module of it are in the module, or in the program.
rados_sources = \
	src/target/object/rados/call.c \
	src/target/object/rados/cluster.c src/target/object/rados/cluster.h \
	src/target/object/rados/link.c \
	src/target/object/rados/list.c src/target/object/rados/list.h \
	src/target/object/rados/module.c \
	src/target/object/rados/name.c src/target/object/rados/name.h \
	src/target/object/rados/names.c src/target/object/rados/names.h \
	src/target/object/rados/protocol.c src/target/object/rados/protocol.h \
	src/target/object/rados/ring.c src/target/object/rados/ring.h \
	src/target/object/rados/service.c \
	src/target/object/rados/verdict.c src/target/object/rados/verdict.h
moduledir = $(pkglibdir)
program_ldflags = $(AM_LDFLAGS)
# what a unit test of the protocol links besides, before all else
rados_test_libs =
if HAVE_RADOS
libiosweep_a_SOURCES += src/target/object/rados/driver.c src/target/object/rados/load.h
else
libiosweep_a_SOURCES += src/target/object/rados/absent.c
endif
if RADOS_LINKED
libiosweep_a_SOURCES += src/target/object/rados/linked.c $(rados_sources)
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
libiosweep_a_SOURCES += src/target/object/rados/load.c \
	src/target/object/module.c src/target/object/module_directory.c
libiosweep_a_CPPFLAGS += -DMODULE_DIRECTORY=\"$(pkglibdir)\"
# made again where configure was told another place
src/target/object/libiosweep_a-module_directory.$(OBJEXT): Makefile
# The program exports what modules call, and no more: its names come before those of all libraries.
program_ldflags += -Wl,--dynamic-list=$(srcdir)/src/target/object/module.symbols
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
EXTRA_DIST += src/target/object/module.symbols
EXTRA_src_iosweep_DEPENDENCIES = $(srcdir)/src/target/object/module.symbols
