/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* protocol.h - S3 as a protocol of the object layer: its hooks, see storage/object/protocol.h. */
#ifndef STORAGE_OBJECT_S3_PROTOCOL_H
#define STORAGE_OBJECT_S3_PROTOCOL_H

#include "storage/object/protocol.h"
#include "storage/object/s3/request.h"
#include "storage/object/s3/response.h"
#include "storage/storage.h"

extern const struct storage_driver target_s3;
extern const struct object_protocol s3_protocol;

/* ---- service.c: request addresses and signing ---- */

int s3_open(const char *target, const void *options, bool signs, struct object_service **out,
            struct error *err);
void s3_close(struct object_service *service);
char *s3_url(const struct object_service *service, const char *key);
char *s3_place(const struct object_service *service, const char *prefix);
char *s3_reach(const struct object_service *service);
const char *s3_container(const struct object_service *service);
const char *s3_payload_name(const struct object_service *service);

/* ---- link.c ---- */

int s3_connect(struct object_service *service, const struct object_link_config *config,
               struct object_link **out, struct error *err);
void s3_disconnect(struct object_link *link);
int s3_begin(struct object_link *link, uint32_t slot, const struct object_call *call);
int s3_wait(struct object_link *link, uint64_t wait_ns, uint32_t *slot, unsigned max);
const struct object_answer *s3_answer(struct object_link *link, uint32_t slot,
                                      const struct object_call *call);
void s3_cancel(struct object_link *link, uint32_t slot, const struct object_call *call,
               uint64_t stopped_ns);
bool s3_follow(struct object_link *link, const struct object_answer *answer);

/* ---- integrity.c ---- */

bool s3_intact(const struct object_answer *answer, enum object_verb verb, const void *data,
               size_t bytes, bool foreign, unsigned *learned, char *text, size_t room);

#endif
