/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* verdict.h - translates results of a cluster into verdicts and text. Cold. */
#ifndef STORAGE_OBJECT_RADOS_VERDICT_H
#define STORAGE_OBJECT_RADOS_VERDICT_H

#include <stdbool.h>

#include "storage/object/protocol.h"

/* Judges a call by its result: code 0 or -errno, from this program or the cluster. The length of
 * bodies is checked elsewhere. */
void pool_judge(enum object_verb verb, int code, struct object_verdict *verdict);

/* Whether the cluster itself has answered, so that the call has no later effect. */
bool pool_is_settled(int code);

/* The outcome of the call's condition, given its result. */
enum object_condition pool_condition(const struct object_call *call, int code);

/* Describes a verdict in one line, with the code that led to it; *advice (MAY be NULL): what to do,
 * or NULL. Returns text. */
char *pool_explain(const struct object_verdict *verdict, int code, char *text, size_t room,
                   const char **advice);

#endif
