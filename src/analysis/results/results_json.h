/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* results_json.h - what the two halves of the reader of JSON share. */
#ifndef ANALYSIS_RESULTS_RESULTS_JSON_H
#define ANALYSIS_RESULTS_RESULTS_JSON_H

#include <jansson.h>

#include "analysis/results/reader.h"

/* A member of the document other than its rows: facts, findings; others are left. */
void reader_take_facts(struct reader *reader, const char *key, json_t *value);

#endif
