# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# What reads results: unittest of Python, without the program.
PY_LOG_COMPILER = $(SHELL) $(srcdir)/tests/results/run.sh
results_fuzz = tests/results/fuzz.py
results_tests = \
	$(results_fuzz) \
	tests/results/test_compare.py \
	tests/results/test_export.py \
	tests/results/test_figure.py \
	tests/results/test_fit.py \
	tests/results/test_merge.py \
	tests/results/test_pairs.py \
	tests/results/test_plot.py \
	tests/results/test_read.py \
	tests/results/test_report.py \
	tests/results/test_stats.py \
	tests/results/witness.py
EXTRA_DIST += $(results_tests) tests/results/run.sh tests/results/support.py tests/data/results

# Another seed each time, and what it found is left in this directory.
fuzz-results:
	$(PYTHON) -B $(srcdir)/$(results_fuzz) 5000 `date +%s`
.PHONY: fuzz-results
