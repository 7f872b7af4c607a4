/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* schema.h - the version of what results hold: columns, members of JSON, records.  iosweep-csv(5),
 * COMPATIBILITY, says what each number promises; doc/iosweep.schema.json describes the documents.
 * Something new, a column or a member, raises the second number, once in a release; what breaks
 * readers raises the first. */
#ifndef BASE_SCHEMA_H
#define BASE_SCHEMA_H

#define SCHEMA_VERSION "2.0-draft"

/* What the member "document" of the head of JSON contains. */
#define SCHEMA_RESULTS "iosweep results"

#endif
