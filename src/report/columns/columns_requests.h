/* SPDX-License-Identifier: GPL-2.0-or-later */
/* columns_requests.h - the getters of the columns about requests to an object store, for the table
 * in columns.c.  Empty where an engine sends none, and in rows that were skipped.  Times are means
 * over the requests that were answered as asked; an operation can take several. */
#ifndef REPORT_COLUMNS_COLUMNS_REQUESTS_H
#define REPORT_COLUMNS_COLUMNS_REQUESTS_H

#include "report/columns/columns.h"

#define COLUMNS_REQUEST(name)                                                               \
    void columns_##name(const struct columns_context *context, const struct result *result, \
                        struct value *value)

COLUMNS_REQUEST(requests);           /* sent, failed ones and retries among them */
COLUMNS_REQUEST(connections);        /* opened for them */
COLUMNS_REQUEST(lookup_ns_mean);     /* of the host name; 0 on a connection that stands */
COLUMNS_REQUEST(connect_ns_mean);    /* TCP, after the lookup */
COLUMNS_REQUEST(tls_ns_mean);        /* TLS, after TCP */
COLUMNS_REQUEST(first_byte_ns_mean); /* from sending to the first byte of the answer */
COLUMNS_REQUEST(body_ns_mean);       /* from there to its last byte */
COLUMNS_REQUEST(retries);
COLUMNS_REQUEST(slow_downs);
COLUMNS_REQUEST(errors_client);
COLUMNS_REQUEST(errors_server);
COLUMNS_REQUEST(errors_network);
COLUMNS_REQUEST(errors_protocol);
COLUMNS_REQUEST(protocol);   /* "http/1.1" */
COLUMNS_REQUEST(connection); /* "keep" or "new" */
COLUMNS_REQUEST(payload);    /* "signed+crc32c" */

#endif
