# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
# src/report: columns, facts, findings and formats
libiosweep_a_SOURCES += \
	src/report/columns/columns.c src/report/columns/columns.h \
	src/report/columns/columns_get.c \
	src/report/columns/columns_words.c
libiosweep_a_SOURCES += \
	src/report/facts/facts.c src/report/facts/facts.h \
	src/report/facts/header.c
libiosweep_a_SOURCES += \
	src/report/findings/findings.c src/report/findings/findings.h \
	src/report/findings/findings_files.c \
	src/report/findings/findings_servers.c \
	src/report/findings/findings_verdict.c
libiosweep_a_SOURCES += \
	src/report/formats/classic.c \
	src/report/formats/csv.c \
	src/report/formats/formats.c src/report/formats/formats.h \
	src/report/formats/json.c \
	src/report/formats/json_head.c \
	src/report/formats/json_write.h \
	src/report/formats/print.h \
	src/report/formats/progress.c \
	src/report/formats/series.c \
	src/report/formats/table.c src/report/formats/table.h \
	src/report/formats/table_layout.c \
	src/report/formats/table_rows.c
libiosweep_a_SOURCES += \
	src/report/pairs/pairs.c src/report/pairs/pairs.h
libiosweep_a_SOURCES += \
	src/report/summaries/summaries.c src/report/summaries/summaries.h
