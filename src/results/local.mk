# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# src/results: what reads results, in Python.  A copy of it is beside the program in a build tree, as
# where both are installed, and nobody else can write there.
resultsdir = $(libexecdir)/iosweep
resultspackagedir = $(resultsdir)/iosweep_results
results_notes = src/results/iosweep_results/notes.txt
dist_resultspackage_DATA = \
	src/results/iosweep_results/__init__.py \
	src/results/iosweep_results/cli.py \
	src/results/iosweep_results/commands.txt \
	src/results/iosweep_results/compare.py \
	src/results/iosweep_results/export.py \
	src/results/iosweep_results/figure.css \
	src/results/iosweep_results/figure.py \
	src/results/iosweep_results/fit.py \
	src/results/iosweep_results/match.py \
	src/results/iosweep_results/merge.py \
	src/results/iosweep_results/page.py \
	src/results/iosweep_results/pairs.py \
	src/results/iosweep_results/plot.py \
	src/results/iosweep_results/read.py \
	src/results/iosweep_results/report.html \
	src/results/iosweep_results/report.py \
	src/results/iosweep_results/stats.py \
	src/results/iosweep_results/text.py \
	$(results_notes)
results_script = src/results/iosweep-results
results_SCRIPTS = libexec/iosweep/iosweep-results
EXTRA_DIST += $(results_script)
libexec/iosweep/iosweep-results: $(results_script) $(dist_resultspackage_DATA) Makefile
	$(AM_V_GEN)rm -rf libexec && umask 022 && $(MKDIR_P) libexec/iosweep/iosweep_results && \
	for file in $(dist_resultspackage_DATA); do \
	  cp $(srcdir)/$$file libexec/iosweep/iosweep_results/ || exit 1; done && \
	sed '1s,.*,#!$(PYTHON) -I,' $(srcdir)/$(results_script) >libexec/made && \
	chmod -R u=rwX,go=rX libexec && chmod 755 libexec/made && mv libexec/made $@
clean-local: clean-results
clean-results:
	rm -rf libexec
.PHONY: clean-results
