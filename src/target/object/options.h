/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options.h - what can be asked of any object store.  The block of a driver's options begins with
 * it; which rows fill it, and their names, are the driver's. */
#ifndef TARGET_OBJECT_OPTIONS_H
#define TARGET_OBJECT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct object_options {
    const char *price_file; /* or NULL */
    bool reconnect;         /* a new connection for each operation */
    /* ranged reads in objects of this size; 0: whole objects of each size */
    uint64_t object_bytes;
    uint64_t objects;        /* of each set; 0: 64, but no more than 256 MiB together, at least 1 */
    uint64_t part_bytes;     /* multipart upload */
    uint64_t fragment_bytes; /* append: what the application writes at a time */
    uint64_t batch;          /* delete-many: keys per request */
    uint64_t page;           /* list: keys per page */
    uint64_t retries;        /* of each request: after errors that may pass */
    uint64_t timeout_ns;     /* of a request without any progress, and of connecting; 0: none */
    uint64_t max_requests;   /* 0: no limit */
};

#endif
