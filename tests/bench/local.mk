# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# --- benchmarks: they print, and fail nothing -----------------------------------------------------------------
EXTRA_PROGRAMS += tests/bench/bench
tests_bench_bench_SOURCES = tests/bench/bench.c tests/bench/bench_mix.c tests/bench/bench_mix.h tests/bench/bare_async.c tests/bench/bare_async.h \
	tests/bench/bare_sync.c tests/bench/bare_sync.h
tests_bench_bench_CPPFLAGS = $(AM_CPPFLAGS) $(LIBAIO_CFLAGS) $(LIBURING_CFLAGS)
tests_bench_bench_LDADD = libiosweep.a $(engine_libs)
if HAVE_MPI
EXTRA_PROGRAMS += tests/bench/team_trip
tests_bench_team_trip_SOURCES = tests/bench/team_trip.c
tests_bench_team_trip_LDADD = $(team_mpi_objects) libiosweep.a $(engine_libs)
tests_bench_team_trip_LINK = $(mpicc) $(AM_CFLAGS) $(CFLAGS) $(AM_LDFLAGS) $(LDFLAGS) -o $@
# Open MPI wants --oversubscribe where there are fewer processors, and nobody to be root
RANKS = 1 2 4 8
MPIRUN = mpirun --oversubscribe
bench-team-mpi: tests/bench/team_trip$(EXEEXT)
	for ranks in $(RANKS); do $(MPIRUN) -n $$ranks tests/bench/team_trip$(EXEEXT) || exit 1; done
endif
.PHONY: bench-team-mpi
EXTRA_DIST += tests/bench/bench.sh tests/bench/rados.sh tests/bench/s3.sh tests/bench/cost.py tests/bench/compare-adapter.sh \
	tests/bench/pair-trials.sh tests/bench/slow_reads.c

bench: src/iosweep$(EXEEXT) tests/bench/bench$(EXEEXT)
	BENCH='$(abs_builddir)/tests/bench/bench$(EXEEXT)' IOSWEEP='$(abs_builddir)/src/iosweep$(EXEEXT)' \
		$(SHELL) $(srcdir)/tests/bench/bench.sh
# how often the comparison of two files of one run is wrong
bench-pairs: src/iosweep$(EXEEXT)
	$(CC) $(CFLAGS) -shared -fPIC -o tests/bench/slow_reads.so $(srcdir)/tests/bench/slow_reads.c -ldl
	IOSWEEP='$(abs_builddir)/src/iosweep$(EXEEXT)' SLOW_READS='$(abs_builddir)/tests/bench/slow_reads.so' \
		$(SHELL) $(srcdir)/tests/bench/pair-trials.sh
# another S3 client, which no other program links
if HAVE_LIBS3
check_PROGRAMS += tests/bench/libs3-client
tests_bench_libs3_client_SOURCES = tests/bench/libs3-client.c
tests_bench_libs3_client_CPPFLAGS = $(AM_CPPFLAGS) $(LIBS3_CFLAGS)
tests_bench_libs3_client_LDADD = $(LIBS3_LIBS)
libs3_client = tests/bench/libs3-client$(EXEEXT)
endif
bench-s3: src/iosweep$(EXEEXT) $(libs3_client)
	$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/tests/bench/s3.sh
bench-rados: all $(module_program)
	$(AM_TESTS_ENVIRONMENT) IOSWEEP='$(abs_builddir)/$(module_program)'; export IOSWEEP; $(SHELL) $(srcdir)/tests/bench/rados.sh
.PHONY: bench bench-pairs bench-rados bench-s3
