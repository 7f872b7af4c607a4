/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* verdict.h - what the numbers mean that a cluster answers with, as verdicts and in words.
 * Cold. */
#ifndef STORAGE_OBJECT_RADOS_VERDICT_H
#define STORAGE_OBJECT_RADOS_VERDICT_H

#include <stdbool.h>

#include "storage/object/protocol.h"

/* What a call ended with: code 0 or -errno, of ours or of the cluster.  Bodies are judged by their
 * length elsewhere. */
void pool_judge(enum object_verb verb, int code, struct object_verdict *verdict);

/* Nothing can follow: the cluster itself has answered. */
bool pool_is_settled(int code);

/* What became of the call's condition when it ended with that code. */
enum object_condition pool_condition(const struct object_call *call, int code);

/* A verdict in words, one line, with the code it was made of; *advice (MAY be NULL) what can be
 * done, or NULL.  Returns text. */
char *pool_explain(const struct object_verdict *verdict, int code, char *text, size_t room,
                   const char **advice);

#endif
