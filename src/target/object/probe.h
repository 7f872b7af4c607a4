/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* probe.h - what the checks of a store (probe_checks.c) are made of. */
#ifndef TARGET_OBJECT_PROBE_H
#define TARGET_OBJECT_PROBE_H

#include "target/object/object.h"

#define PROBE_TAIL_BYTES 1000u /* of the last part of an upload */

struct probing {
    struct object_store *store;
    struct object_service *service;
    const struct object_protocol *protocol;
    struct object_client *client;
    char *prefix;            /* of the keys */
    char *sent, *got;        /* data, `room` bytes each */
    size_t room;             /* for an object of two parts */
    struct target_probe now; /* the check under way */
};

struct probe_check {
    const char *name, *meaning;
    void (*run)(struct probing *probing);
    unsigned verbs; /* that it takes beside those that all stores have: bits 1 << OBJECT_x */
};
extern const struct probe_check probe_checks[]; /* ended by name NULL */

/* The result of the check under way; the first reason stays.  Returns false always. */
bool probe_fail(struct probing *probing, enum target_probe_result result, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same of a call that failed, in the words of its error.  what: "cannot copy". */
bool probe_refused(struct probing *probing, const char *what, const struct object_verdict *verdict,
                   const struct error *why);

/* The name of an object (< OBJECT_PROBE_KEYS).  Returns key. */
const char *probe_key(const struct probing *probing, unsigned number, char key[OBJECT_KEY_BYTES]);

/* Performs a call.  True: it is done; else the check has failed.  answer MAY be NULL. */
bool probe_ask(struct probing *probing, const struct object_call *call, const char *what,
               const struct object_answer **answer);

/* Data of a number into probing->sent, so that none are taken for others. */
void probe_make_data(struct probing *probing, unsigned number, size_t bytes);

/* True: as asked; else the check has failed.  put: so many bytes of the number's data, which stay
 * in probing->sent; same: the object is as long and holds the first bytes of probing->sent; range:
 * so does a part of it; absent: that it is not there is told as that. */
bool probe_put(struct probing *probing, unsigned number, size_t bytes);
bool probe_same(struct probing *probing, unsigned number, size_t bytes, const char *what);
bool probe_range(struct probing *probing, unsigned number, size_t offset, size_t bytes,
                 const char *what);
bool probe_absent(struct probing *probing, enum object_verb verb, unsigned number,
                  const char *what);

#endif
