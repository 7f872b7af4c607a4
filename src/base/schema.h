/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* schema.h - the version of the format of results: columns, JSON members, records. iosweep-csv(5),
 * COMPATIBILITY, states what each number promises; doc/iosweep.schema.json describes the documents.
 * A new column or member increments the second number, once per release; an incompatible change
 * increments the first. */
#ifndef BASE_SCHEMA_H
#define BASE_SCHEMA_H

#define SCHEMA_VERSION "2.0-draft"

/* The member "document" of the head of JSON. */
#define SCHEMA_RESULTS "iosweep results"

#endif
