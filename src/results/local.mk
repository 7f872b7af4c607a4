# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# src/results: what reads results, in Python
EXTRA_DIST += src/results/iosweep-results \
	src/results/iosweep_results/__init__.py \
	src/results/iosweep_results/cli.py \
	src/results/iosweep_results/compare.py \
	src/results/iosweep_results/export.py \
	src/results/iosweep_results/figure.py \
	src/results/iosweep_results/fit.py \
	src/results/iosweep_results/match.py \
	src/results/iosweep_results/merge.py \
	src/results/iosweep_results/notes.txt \
	src/results/iosweep_results/page.py \
	src/results/iosweep_results/plot.py \
	src/results/iosweep_results/read.py \
	src/results/iosweep_results/report.html \
	src/results/iosweep_results/report.py \
	src/results/iosweep_results/stats.py \
	src/results/iosweep_results/text.py
