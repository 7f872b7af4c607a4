/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* protocol.c - the table of S3 hooks for the object layer, and hooks that only wrap functions of
 * other files. */
#include "base/compat.h"

#include "storage/object/s3/protocol.h"

#include <string.h>

#include "storage/object/s3/xml.h"

#define PART_BYTES   320u /* of the CompleteMultipartUpload document: per part */
#define NAME_BYTES   64u  /* of the DeleteObjects document: per key, besides the key */
#define REST_BYTES   1024u
#define ENTITY_BYTES 6u /* longest encoding of a key's character in XML */

static bool advise(const struct object_answer *answer, struct error *err)
{
    const struct http_answer *http = answer->detail;
    char endpoint[160] = "", shown[160];

    if (answer->verdict.class != OBJECT_REDIRECT || http->text_bytes == 0 ||
        xml_find(http->text, http->text_bytes, "Endpoint", endpoint, sizeof(endpoint)) <= 0)
        return false;
    (void)error_advise(err, "the service names %s: is that --endpoint?",
                       error_printable(endpoint, shown, sizeof(shown)));
    return true;
}

static size_t name_bytes(const char *key)
{
    size_t bytes = NAME_BYTES;

    for (; *key; key++)
        bytes += *key == '&' || *key == '<' || *key == '>' || *key == '"' || *key == '\'' ||
                         (unsigned char)*key < ' '
                     ? ENTITY_BYTES
                     : 1;
    return bytes;
}

static size_t parts(const struct object_service *service, unsigned part,
                    const struct object_answer *answer, char *text, size_t used, size_t room)
{
    return s3_complete_xml(s3_request_checksum(s3_service_of(service)), part,
                           answer ? answer->detail : NULL, text, used, room);
}

const struct object_protocol s3_protocol = {
    .name = "s3",
    .service = "an S3 service",
    .form = "s3://BUCKET/PREFIX",
    .keeps = "does the bucket have a lock or retention? ",
    .connections = true,
    .open = s3_open,
    .close = s3_close,
    .url = s3_url,
    .place = s3_place,
    .reach = s3_reach,
    .container = s3_container,
    .payload = s3_payload_name,
    .connect = s3_connect,
    .disconnect = s3_disconnect,
    .begin = s3_begin,
    .wait = s3_wait,
    .answer = s3_answer,
    .cancel = s3_cancel,
    .follow = s3_follow,
    .explain = s3_explain,
    .advise = advise,
    .list = s3_page_read,
    .uploads = s3_uploads_read,
    .failures = s3_delete_read,
    .name_bytes = name_bytes,
    .part_bytes = PART_BYTES,
    .rest_bytes = REST_BYTES,
    .names = s3_delete_xml,
    .parts = parts,
    .intact = s3_intact,
};
