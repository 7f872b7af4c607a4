/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* protocol.h - the protocol of mem:, a store in this process's memory: shows the cost of operations
 * without a network, provides known delays and failures, and is the example of a protocol. Read
 * storage/object/protocol.h, then protocol.c. */
#ifndef STORAGE_OBJECT_MEM_PROTOCOL_H
#define STORAGE_OBJECT_MEM_PROTOCOL_H

#include "engine/null_delay.h"
#include "storage/object/mem/fault.h"
#include "storage/object/options.h"
#include "storage/object/protocol.h"

struct mem_options {
    struct object_options store; /* first */
    const char *delay_word, *fail_word;
    struct null_delay delay; /* of each request of operations and of filling */
    struct mem_faults faults;
    unsigned like; /* see mem_like_words: the requests that it supports */
};

/* bucket, pool, tree; ended by NULL. */
extern const char *const mem_like_words[];
extern const unsigned mem_verbs_of[];

extern const struct object_protocol mem_protocol;

struct mem_store *mem_service_store(const struct object_service *service);

#endif
