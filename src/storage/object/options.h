/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* options.h - options common to all object stores, with the same names for all protocols. */
#ifndef STORAGE_OBJECT_OPTIONS_H
#define STORAGE_OBJECT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "storage/storage.h"

/* The part of an object that tests write, read and fill access. */
enum object_on {
    OBJECT_ON_DATA,
    OBJECT_ON_XATTR, /* the value of an attribute */
    OBJECT_ON_OMAP,  /* ... of a key in its map */
};
extern const char *const object_on_words[];

/* Each driver's block of options begins with this; const once the command line is parsed. */
struct object_options {
    const char *endpoint; /* URL of the service; NULL: found by the protocol */
    const char *region;   /* NULL: the same */
    const char *profile;  /* of credentials; NULL: the same */
    const char *ca_file;  /* PEM; NULL: found by the protocol, else libcurl's */
    bool anonymous;       /* sign nothing, look for no credentials */
    bool insecure;        /* do not verify certificates */
    bool reconnect;       /* a new connection for each operation */
    unsigned on;          /* enum object_on */
    /* ranged reads in objects of this size; 0: whole objects of each size */
    uint64_t object_bytes;
    uint64_t objects;      /* of each set; 0: 64, but no more than 256 MiB in total, at least 1 */
    uint64_t part_bytes;   /* longer objects are uploaded in parts; 0: only those of test append */
    uint64_t parallel;     /* simultaneous ranges of a read or parts of an upload, per operation */
    uint64_t delete_batch; /* delete: keys per request; 0: 1 */
    uint64_t page;         /* list: keys per page */
    uint64_t retries;      /* of each request: after transient errors */
    uint64_t timeout_ns;   /* of a request without any progress, and of connecting; 0: none */
    uint64_t max_requests; /* 0: no limit */
};

/* Maximum number of simultaneous requests of one operation, besides one of its own; 0: only that
 * one. */
static inline uint32_t object_options_lanes(const struct object_options *options)
{
    return options->parallel > 1 ? (uint32_t)options->parallel : 0;
}

#define OBJECT_APPEND_PART_BYTES ((uint64_t)8 << 20)

/* Tests that upload objects longer than --part-size in parts; append always does. */
#define OBJECT_TESTS_IN_PARTS (1u << TEST_WRITE | 1u << TEST_CREATE | 1u << TEST_FILL)

/* Whether a test accesses values beside the data of objects. */
static inline bool object_options_on_values(const struct object_options *options, enum io_test test)
{
    return options->on != OBJECT_ON_DATA && test_in_place(test);
}

/* Length of the parts of uploads. */
static inline uint64_t object_options_part(const struct object_options *options)
{
    return options->part_bytes > 0 ? options->part_bytes : OBJECT_APPEND_PART_BYTES;
}

/* Whether an operation of that size is an upload in parts, if the service has these. */
static inline bool object_options_in_parts(const struct object_options *options, enum io_test test,
                                           uint64_t size_bytes)
{
    return test == TEST_APPEND ||
           (OBJECT_TESTS_IN_PARTS & 1u << test && options->part_bytes > 0 &&
            size_bytes > options->part_bytes && !object_options_on_values(options, test));
}

/* Objects that one operation of test delete removes. */
static inline uint64_t object_options_batch(const struct object_options *options)
{
    return options->delete_batch > 1 ? options->delete_batch : 1;
}

/* Their option rows, for the drivers of the layer. */
extern const struct target_family object_family;

/* Limits of a protocol; 0: none. */
struct object_limits {
    unsigned verbs; /* MUST: bits 1 << OBJECT_x of supported requests */
    uint64_t object_bytes_most;
    uint64_t part_bytes_least, part_bytes_most;
};

struct object_idle { /* an option that would have no effect */
    bool given;
    const char *name, *advice;
};

/* Refuses the first of them that is given, with `text` before its name.  Returns 0 or -1
 * (STATUS_USAGE). */
int object_options_refuse_idle(const struct object_idle *option, size_t count, const char *text,
                               struct error *err);

/* Refuses a run name if there are several stores of the protocol.  Returns 0 or -1
 * (STATUS_USAGE). */
int object_options_one_run(const struct target_request *request, unsigned count, struct error *err);

/* For the hook `check` of drivers: refuses values beyond the limits and, if `alone`, options
 * without effect.  Returns 0 or -1 (STATUS_USAGE). */
int object_options_check(const struct target_request *request, const struct object_limits *limits,
                         bool alone, struct error *err);

#endif
