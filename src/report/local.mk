# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# src/report: columns, facts, findings and formats
libiosweep_a_SOURCES += \
	src/report/columns/columns.c src/report/columns/columns.h \
	src/report/columns/columns_get.c \
	src/report/columns/columns_notes.c \
	src/report/columns/columns_select.c \
	src/report/columns/columns_words.c
libiosweep_a_SOURCES += \
	src/report/facts/busy.c src/report/facts/busy.h \
	src/report/facts/cards.c src/report/facts/cards.h \
	src/report/facts/extents_text.c \
	src/report/facts/facts.c src/report/facts/facts.h \
	src/report/facts/facts_print.c \
	src/report/facts/facts_table.c \
	src/report/facts/header.c
libiosweep_a_SOURCES += \
	src/report/findings/findings.c src/report/findings/findings.h \
	src/report/findings/findings_cache.c \
	src/report/findings/findings_curve.c \
	src/report/findings/findings_server.c \
	src/report/findings/findings_team.c \
	src/report/findings/findings_time.c \
	src/report/findings/findings_verdict.c
libiosweep_a_SOURCES += \
	src/report/formats/classic.c \
	src/report/formats/csv.c \
	src/report/formats/formats.c src/report/formats/formats.h \
	src/report/formats/json.c \
	src/report/formats/json_facts.c \
	src/report/formats/json_summaries.c \
	src/report/formats/json_team.c \
	src/report/formats/json_write.h \
	src/report/formats/print.c src/report/formats/print.h \
	src/report/formats/progress.c \
	src/report/formats/series.c \
	src/report/formats/series_spread.c src/report/formats/series_spread.h \
	src/report/formats/table.c src/report/formats/table.h \
	src/report/formats/table_layout.c \
	src/report/formats/table_rows.c
libiosweep_a_SOURCES += \
	src/report/pairs/pairs.c src/report/pairs/pairs.h \
	src/report/pairs/pairs_line.c
libiosweep_a_SOURCES += \
	src/report/summaries/summaries.c src/report/summaries/summaries.h \
	src/report/summaries/summaries_print.c \
	src/report/summaries/summaries_sink.c
