/* SPDX-License-Identifier: GPL-2.0-or-later */
/* columns_requests.c - columns about object stores: how many requests the operations of a row
 * needed, in which phase of them the time passed, and how they failed. */
#include "base/compat.h"

#include "report/columns/columns_requests.h"

#define NS_DECIMALS 2

static bool known(const struct result *result)
{
    return result->state != RESULT_SKIPPED && result->sum.has_requests;
}

static void put_text(struct value *value, const struct result *result, const char *text)
{
    value->kind = known(result) && text[0] ? VALUE_TEXT : VALUE_EMPTY;
    value->text = text;
}

#define COUNT(name, field)                                       \
    COLUMNS_REQUEST(name)                                        \
    {                                                            \
        (void)context;                                           \
        value->kind = known(result) ? VALUE_COUNT : VALUE_EMPTY; \
        value->count = result->sum.requests.field;                   \
    }
COUNT(requests, count)
COUNT(retries, retries)
COUNT(slow_downs, slow_downs)
COUNT(errors_client, client_errors)
COUNT(errors_server, server_errors)
COUNT(errors_network, network_errors)
COUNT(errors_protocol, protocol_errors)
#undef COUNT

/* An engine whose library does not tell has none, and no complete request. */
COLUMNS_REQUEST(connections)
{
    const struct engine_requests *requests = &result->sum.requests;

    (void)context;
    value->kind = known(result) && (requests->connections > 0 || requests->complete > 0)
                      ? VALUE_COUNT
                      : VALUE_EMPTY;
    value->count = requests->connections;
}

#define MEAN(name, field)                                                             \
    COLUMNS_REQUEST(name)                                                             \
    {                                                                                 \
        const uint64_t count = result->sum.requests.complete;                             \
        (void)context;                                                                \
        value->kind = known(result) && count > 0 ? VALUE_REAL : VALUE_EMPTY;          \
        value->real = count > 0 ? (double)result->sum.requests.field / (double)count : 0; \
        value->decimals = NS_DECIMALS;                                                \
    }
MEAN(lookup_ns_mean, lookup_ns)
MEAN(connect_ns_mean, connect_ns)
MEAN(tls_ns_mean, tls_ns)
MEAN(first_byte_ns_mean, first_byte_ns)
MEAN(body_ns_mean, body_ns)
#undef MEAN

#define TEXT(name)                             \
    COLUMNS_REQUEST(name)                      \
    {                                          \
        (void)context;                         \
        put_text(value, result, result->sum.name); \
    }
TEXT(protocol)
TEXT(connection)
TEXT(payload)
#undef TEXT
