# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# src/run: the plan, the sweep, the cycles and the team of ranks
libiosweep_a_SOURCES += \
	src/run/cell.h \
	src/run/cycle.c src/run/cycle.h \
	src/run/cycle_async.c src/run/cycle_async.h \
	src/run/cycle_async_clocks.c \
	src/run/cycle_book.c src/run/cycle_book.h \
	src/run/forecast.c src/run/forecast.h \
	src/run/judge.c src/run/judge.h \
	src/run/order.c src/run/order.h \
	src/run/payload.c src/run/payload.h \
	src/run/plan.c src/run/plan.h \
	src/run/plan_check.c \
	src/run/plan_place.c \
	src/run/reference.c src/run/reference.h \
	src/run/row.c src/run/row.h \
	src/run/row_plan.c \
	src/run/row_troubles.c \
	src/run/series.c src/run/series.h \
	src/run/series_book.c src/run/series_book.h \
	src/run/settings.c src/run/settings.h \
	src/run/sink.h \
	src/run/slice_sum.c src/run/slice_sum.h \
	src/run/stop.c src/run/stop.h \
	src/run/sweep.c src/run/sweep.h \
	src/run/sweep_limits.c \
	src/run/sweep_prepare.c \
	src/run/sweep_run.h \
	src/run/team.c src/run/team.h \
	src/run/team_join_alone.c \
	src/run/team_lead.c \
	src/run/team_rank.c \
	src/run/team_work.h \
	src/run/use.c src/run/use.h \
	src/run/worker.c src/run/worker.h \
	src/run/worker_pool.h \
	src/run/worker_slice.c

# The same program in a team of ranks: the compiler of an MPI compiles what calls MPI, and links.
# Another one can be named at any time: make iosweep-mpi MPICC=mpicc.mpich
team_mpi_sources = src/run/team_mpi.c
EXTRA_DIST += $(team_mpi_sources)
if HAVE_MPI
bin_PROGRAMS += src/iosweep-mpi
team_mpi_objects = src/run/team_mpi.$(OBJEXT)
src_iosweep_mpi_SOURCES =
src_iosweep_mpi_LDFLAGS = $(program_ldflags)
src_iosweep_mpi_LDADD = src/src_iosweep-main.$(OBJEXT) $(team_mpi_objects) $(src_iosweep_LDADD)
EXTRA_src_iosweep_mpi_DEPENDENCIES = $(EXTRA_src_iosweep_DEPENDENCIES)
mpicc = OMPI_CC='$(CC)' MPICH_CC='$(CC)' $(MPICC)
src_iosweep_mpi_LINK = $(mpicc) $(AM_CFLAGS) $(CFLAGS) $(src_iosweep_mpi_LDFLAGS) $(LDFLAGS) -o $@
# made again with the archive, since they include some of its headers, and for another MPI
$(team_mpi_objects): $(team_mpi_sources) libiosweep.a src/run/mpicc.name
	$(AM_V_CC)$(mpicc) $(DEFS) $(DEFAULT_INCLUDES) $(src_iosweep_CPPFLAGS) $(CPPFLAGS) $(AM_CFLAGS) $(CFLAGS) \
	  -c -o $@ $(srcdir)/`echo $@ | sed 's/[.]$(OBJEXT)$$/.c/'`
src/run/mpicc.name: always
	@$(MKDIR_P) src/run && { echo '$(MPICC)' | cmp -s - $@ || echo '$(MPICC)' >$@; }
iosweep-mpi: src/iosweep-mpi$(EXEEXT)
endif
always:
.PHONY: always iosweep-mpi
