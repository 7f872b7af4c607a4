# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# --- tests ---------------------------------------------------------------------------------------
TEST_EXTENSIONS = .sh .t .py
SH_LOG_COMPILER = $(SHELL)
AM_TESTS_ENVIRONMENT = \
	IOSWEEP='$(abs_builddir)/src/iosweep$(EXEEXT)'; export IOSWEEP; \
	top_srcdir='$(abs_top_srcdir)'; export top_srcdir; \
	builddir='$(abs_builddir)'; export builddir; \
	PYTHON='$(PYTHON)'; export PYTHON; \
	TEST_CC='$(CC)'; export TEST_CC; \
	TEST_MPICC='$(MPICC)'; export TEST_MPICC;
if SYSTEM_WINDOWS
LOG_COMPILER = $(SHELL) $(srcdir)/tests/windows/wine.sh
AM_TESTS_ENVIRONMENT += IOSWEEP_RUN='$(SHELL) $(abs_srcdir)/tests/windows/wine.sh'; export IOSWEEP_RUN;
endif

include tests/unit/local.mk
include tests/cli/local.mk
include tests/golden/local.mk
include tests/results/local.mk

dist_check_SCRIPTS = $(cli_tests)
TESTS = $(cli_tests) $(golden_tests) $(results_tests)
EXTRA_DIST += tests/cli/async.sh tests/cli/blocks.py tests/cli/check-rows.awk tests/cli/json_schema.py tests/cli/lib.sh tests/cli/compared.py tests/cli/rounded.py tests/cli/records.py tests/cli/random_options.py tests/cli/trace.sh tests/unit/slots.py \
	tests/data/columns.txt tests/data/renames \
	tests/s3/vectors.py

check_PROGRAMS = contrib/completions/rows $(golden_programs)
check_LIBRARIES =
# The program with the modules of this build, which no word at run time leads it to.
if RADOS_MODULE
unit_tests += tests/unit/test_module
check_PROGRAMS += tests/module/good.so tests/module/iosweep
tests_module_good_so_SOURCES = tests/module/good.c
tests_module_good_so_CPPFLAGS = -I$(srcdir)/src
tests_module_good_so_CFLAGS = $(AM_CFLAGS) -fPIC
tests_module_good_so_LDFLAGS = $(AM_LDFLAGS) -shared
tests_module_good_so_LDADD =
tests_module_iosweep_SOURCES = tests/module/place.c
tests_module_iosweep_CPPFLAGS = -I$(srcdir)/src -DMODULE_DIRECTORY='"$(abs_builddir)/src"'
tests_module_iosweep_LDFLAGS = $(program_ldflags)
tests_module_iosweep_LDADD = $(src_iosweep_OBJECTS) $(src_iosweep_LDADD)
EXTRA_tests_module_iosweep_DEPENDENCIES = src/iosweep-rados.so $(EXTRA_src_iosweep_DEPENDENCIES)
endif
if HAVE_CMOCKA
check_PROGRAMS += $(unit_tests)
check_LIBRARIES += tests/libtests.a
TESTS += $(unit_tests)
endif
tests_libtests_a_SOURCES = \
	tests/data/s3-vectors.h \
	tests/fuzz/parsers.c tests/fuzz/parsers.h tests/fuzz/s3.c tests/fuzz/webhdfs.c \
	tests/support/team_contract.c tests/support/team_contract.h \
	tests/support/team_scripted.c tests/support/team_scripted.h \
	tests/support/team_sim.c tests/support/team_sim.h \
	tests/unit/async_fixture.h \
	tests/unit/cmocka_all.h \
	tests/unit/engine_check.c tests/unit/engine_check.h \
	tests/unit/fake.c tests/unit/fake.h \
	tests/unit/fake_async.c tests/unit/fake_async.h \
	tests/unit/fileset_place.h \
	tests/unit/http_fixture.h tests/unit/sockets.h \
	tests/unit/mem_keys.h \
	tests/unit/columns_shown.h tests/unit/object_bench.h tests/unit/out_fixture.h \
	tests/unit/plan_fixture.h tests/unit/series_fixture.h tests/unit/sweep_fixture.h \
	tests/unit/recorded_rounds.h \
	tests/unit/resident.h \
	tests/unit/said.h \
	tests/unit/team_fixture.h \
	tests/unit/s3_bench.h \
	tests/unit/s3_fixture.h tests/unit/webhdfs_fixture.h \
	tests/unit/scratch.h \
	tests/unit/store_place.h
if SYSTEM_WINDOWS
AM_CPPFLAGS += -I$(srcdir)/tests/windows/include
LDADD += libiosweep.a # where cmocka's fopen is
AM_LDFLAGS += -Wl,--wrap=fflush,-u,__wrap_fflush # by calls.c
tests_libtests_a_SOURCES += tests/windows/calls.c
else
tests_libtests_a_SOURCES += tests/unit/fake_http.c tests/unit/fake_http.h tests/unit/http_server.c tests/unit/http_server.h
endif
EXTRA_DIST += tests/windows/include/ftw.h tests/windows/include/sys/resource.h \
	tests/windows/include/stdio.h tests/windows/include/sys/stat.h tests/windows/include/sys/wait.h \
	tests/windows/include/unistd.h

# The team of MPI by itself, for a launcher.
if HAVE_MPI
if HAVE_CMOCKA
check_PROGRAMS += tests/team/contract
tests_team_contract_LDADD = $(team_mpi_objects) $(LDADD)
tests_team_contract_LINK = $(mpicc) $(AM_CFLAGS) $(CFLAGS) $(AM_LDFLAGS) $(LDFLAGS) -o $@
endif
endif

if HAVE_FUSE3
check_PROGRAMS += tests/fuse/faulty
endif
tests_fuse_faulty_CPPFLAGS = $(AM_CPPFLAGS) $(FUSE3_CFLAGS)
tests_fuse_faulty_LDADD = $(FUSE3_LIBS)

# --- what shows most mistakes in a minute or two, while one works: no CI runs it -----------------------
quick_tests = cli/docs-agree cli/layering
quick-check:
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(unit_tests) $(golden_tests) $(results_tests) $(quick_tests:%=tests/%.sh)'
.PHONY: quick-check

# Needs clang: make fuzz CC=clang; ends by itself after FUZZ_SECONDS (60).
fuzz: libiosweep.a
	$(MKDIR_P) tests/fuzz
	$(CC) $(DEFS) -I. $(AM_CPPFLAGS) $(CFLAGS) -fsanitize=fuzzer,address,undefined \
		-o tests/fuzz/parsers$(EXEEXT) $(srcdir)/tests/fuzz/parsers.c $(srcdir)/tests/fuzz/s3.c $(srcdir)/tests/fuzz/webhdfs.c libiosweep.a $(engine_libs) $(LIBS)
	tests/fuzz/parsers$(EXEEXT) -max_total_time=$${FUZZ_SECONDS:-60} -max_len=600
.PHONY: fuzz

# --- do the tests notice?  Makes mutants of the sources: MUTANTS, SEED, FILES and more, see the script ----
EXTRA_DIST += tests/mutate/equivalent tests/mutate/mutate.py
mutate: all
	@CC='$(CC)' MUTATE_LIBS='$(engine_libs) $(CMOCKA_LIBS) $(LIBS)' \
		OBJECTS='$(libiosweep_a_OBJECTS)' TEST_OBJECTS='$(tests_libtests_a_OBJECTS)' \
		UNIT_TESTS='$(unit_tests)' CLI_TESTS='$(cli_tests) $(golden_tests)' GOLDEN_PROGRAMS='$(golden_programs)' top_srcdir='$(abs_top_srcdir)' \
		python3 $(srcdir)/tests/mutate/mutate.py $(DEFS) $(libiosweep_a_CPPFLAGS) $(CMOCKA_CFLAGS) $(CPPFLAGS)
.PHONY: mutate

# --- a real NFS server in a virtual machine: packages are kept in tests/nfs-guest of the build -------
EXTRA_DIST += tests/archs/exchange.sh tests/nfs/check.sh tests/nfs/guest.sh tests/nfs/init.sh tests/nfs/inside.sh

check-nfs: src/iosweep$(EXEEXT)
	IOSWEEP='$(abs_builddir)/src/iosweep$(EXEEXT)' $(SHELL) $(srcdir)/tests/nfs/check.sh
clean-local:
	-rm -rf tests/nfs-guest tests/posix-build tests/rados-check tests/s3-check tests/team-check tests/webhdfs-check tests/windows-build tests/windows-s3-build wine
.PHONY: check-nfs

# --- what has to be true of a release; CHECKS='spelling scripts': a choice of it
release-check:
	@$(SHELL) $(srcdir)/contrib/ci/release-check $(CHECKS)
.PHONY: release-check

# --- the sources as any system of POSIX.1-2008 takes them: built anew, with its unit tests ------------
# and without what some of them lack
lacking = ac_cv_func_clock_nanosleep=no ac_cv_func_pthread_barrier_init=no ac_cv_func_pthread_condattr_setclock=no
posix_tests = cli/accept-sweep cli/errors cli/runs cli/sigint cli/system s3/smoke

check-posix:
	$(MKDIR_P) tests/posix-build
	test -f tests/posix-build/Makefile || (cd tests/posix-build && \
		'$(abs_srcdir)/configure' --quiet --with-system=posix --enable-werror CC='$(CC)' CFLAGS='$(CFLAGS)' $(lacking))
	cd tests/posix-build && $(MAKE) $(AM_MAKEFLAGS) all && \
		$(MAKE) $(AM_MAKEFLAGS) check TESTS='$$(unit_tests) $$(golden_tests) $(posix_tests:%=tests/%.sh)'
.PHONY: check-posix

# --- the program for Windows: built here by mingw-w64, run by wine ------------------------------------------
# WINDOWS_LIBRARIES=DIR: with libraries that were made for Windows in DIR
EXTRA_DIST += tests/windows/check.sh tests/windows/lib.sh tests/windows/s3.sh tests/windows/wine.sh
WINDOWS_HOST = x86_64-w64-mingw32
if SYSTEM_WINDOWS
EXTRA_PROGRAMS += tests/windows/interrupt
tests_windows_interrupt_SOURCES = tests/windows/interrupt.c
tests_windows_interrupt_LDADD = libiosweep.a
tests_windows_interrupt_LDFLAGS = $(IOSWEEP_LDFLAGS)
check-windows: all
	$(MAKE) $(AM_MAKEFLAGS) tests/windows/interrupt$(EXEEXT)
	$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/tests/windows/check.sh
if HAVE_S3
	$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/tests/windows/s3.sh || test $$? = 77
endif
else
check-windows:
	dir=tests/windows-build; set --; \
	if test -n '$(WINDOWS_LIBRARIES)'; then \
		dir=tests/windows-s3-build; \
		libraries=`cd '$(WINDOWS_LIBRARIES)/prefix/lib/pkgconfig' && pwd` || exit 1; \
		set -- --with-libcurl --with-openssl "PKG_CONFIG_LIBDIR=$$libraries"; \
	fi; \
	$(MKDIR_P) $$dir && cd $$dir && \
		{ test -f Makefile || '$(abs_srcdir)/configure' --quiet --host=$(WINDOWS_HOST) --enable-werror "$$@"; } && \
		$(MAKE) $(AM_MAKEFLAGS) check-windows
endif
.PHONY: check-windows

EXTRA_DIST += tests/life/life.py tests/life/table.txt

# --- real S3 servers on this machine, those that are installed --------------------------------------
EXTRA_DIST += tests/objects.sh tests/seeds.sh tests/s3/objects.sh tests/scenarios.sh tests/servers.sh \
	tests/s3/alive.sh tests/s3/check.sh tests/s3/client.py tests/s3/clients.sh \
	tests/s3/errors.sh tests/s3/examples.sh tests/s3/hostile_server.py tests/cli/webhdfs_server.py \
	tests/s3/kept.sh tests/s3/lib.sh tests/s3/libs3.sh tests/s3/payload.sh \
	tests/s3/relay.py tests/s3/runs.sh tests/s3/secrets.sh tests/s3/seeds.sh \
	tests/s3/seeds-runs.sh tests/s3/server.sh tests/s3/slow.sh tests/s3/soak.sh tests/s3/study.sh tests/s3/sweep.sh

check-s3: all $(check_PROGRAMS)
	$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/tests/s3/check.sh
.PHONY: check-s3

# --- ranks, a real Ceph cluster, and a real HDFS, on this machine ---------------------------------------------
EXTRA_DIST += tests/rados/basics.sh tests/rados/bench.sh tests/rados/check.sh tests/rados/client.py tests/rados/life.sh \
	tests/rados/erasure.sh tests/rados/faults.sh tests/rados/lib.sh tests/rados/seeds.sh tests/rados/server.sh tests/rados/smoke.sh
EXTRA_DIST += tests/team/check.sh tests/team/contract.sh tests/team/faults.sh tests/team/figures.sh tests/team/share.sh tests/team/team.sh
EXTRA_DIST += tests/bench/webhdfs.sh tests/webhdfs/check.sh tests/webhdfs/lib.sh tests/webhdfs/pom.xml tests/webhdfs/server.sh \
	tests/webhdfs/basics.sh tests/webhdfs/client.py tests/webhdfs/faults.sh tests/webhdfs/gateways.sh tests/webhdfs/life.sh tests/webhdfs/seeds.sh tests/webhdfs/smoke.sh

check-team: all $(check_PROGRAMS)
	$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/tests/team/check.sh
check-rados: all $(module_program)
	$(AM_TESTS_ENVIRONMENT) IOSWEEP='$(abs_builddir)/$(module_program)'; export IOSWEEP; \
		IOSWEEP_PRESETS='$(abs_top_srcdir)/contrib/presets'; export IOSWEEP_PRESETS; $(SHELL) $(srcdir)/tests/rados/check.sh
check-webhdfs: all
	$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/tests/webhdfs/check.sh
bench-webhdfs: src/iosweep$(EXEEXT)
	$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/tests/bench/webhdfs.sh
.PHONY: check-rados check-team check-webhdfs bench-webhdfs
