# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# src/analysis: what reads results back
libiosweep_a_SOURCES += \
	src/analysis/chance.c src/analysis/chance.h \
	src/analysis/compare.c src/analysis/compare.h \
	src/analysis/compare_print.c src/analysis/compare_print.h \
	src/analysis/fit.c src/analysis/fit.h \
	src/analysis/fit_print.c src/analysis/fit_print.h \
	src/analysis/match.c src/analysis/match.h \
	src/analysis/merge.c src/analysis/merge.h \
	src/analysis/merge_print.c src/analysis/merge_print.h \
	src/analysis/merge_rules.c src/analysis/merge_rules.h \
	src/analysis/ranks.c src/analysis/ranks.h \
	src/analysis/record_print.c src/analysis/record_print.h \
	src/analysis/reference.c src/analysis/reference.h \
	src/analysis/spread.c src/analysis/spread.h \
	src/analysis/verdict.c src/analysis/verdict.h
libiosweep_a_SOURCES += \
	src/analysis/plot/plot.c src/analysis/plot/plot.h \
	src/analysis/plot/plot_cdf.c \
	src/analysis/plot/plot_curves.c \
	src/analysis/plot/plot_layout.c \
	src/analysis/plot/plot_legend.c \
	src/analysis/plot/plot_map.c \
	src/analysis/plot/plot_parts.h \
	src/analysis/plot/plot_ratio.c \
	src/analysis/plot/plot_scheme.c \
	src/analysis/plot/plot_series.c \
	src/analysis/plot/plot_text.c
libiosweep_a_SOURCES += \
	src/analysis/report/report.c src/analysis/report/report.h \
	src/analysis/report/report_chart.c src/analysis/report/report_chart.h \
	src/analysis/report/report_chart_parts.h \
	src/analysis/report/report_chart_ratios.c \
	src/analysis/report/report_chart_series.c \
	src/analysis/report/report_compare.c \
	src/analysis/report/report_courses.c \
	src/analysis/report/report_facts.c src/analysis/report/report_facts.h \
	src/analysis/report/report_html.c \
	src/analysis/report/report_html_facts.c \
	src/analysis/report/report_html_parts.h \
	src/analysis/report/report_html_tables.c \
	src/analysis/report/report_md.c \
	src/analysis/report/report_names.c \
	src/analysis/report/report_notes.c src/analysis/report/report_notes.h \
	src/analysis/report/report_panels.c \
	src/analysis/report/report_parts.h \
	src/analysis/report/report_read.c \
	src/analysis/report/report_rows.c \
	src/analysis/report/report_style.c \
	src/analysis/report/report_svg.c src/analysis/report/report_svg.h \
	src/analysis/report/report_text.c src/analysis/report/report_text.h \
	src/analysis/report/report_verdict.c \
	src/analysis/report/report_words.c
libiosweep_a_SOURCES += \
	src/analysis/results/arena.c src/analysis/results/arena.h \
	src/analysis/results/embedded.c src/analysis/results/embedded.h \
	src/analysis/results/reader.c src/analysis/results/reader.h \
	src/analysis/results/reader_whole.c \
	src/analysis/results/results.c src/analysis/results/results.h \
	src/analysis/results/results_classic.c \
	src/analysis/results/results_csv.c \
	src/analysis/results/results_curves.c \
	src/analysis/results/results_page.c

if HAVE_JANSSON
libiosweep_a_SOURCES += src/analysis/results/results_json.c src/analysis/results/results_facts.c src/analysis/results/results_json.h
libiosweep_a_CPPFLAGS += $(JANSSON_CFLAGS)
analysis_libs += $(JANSSON_LIBS)
endif
