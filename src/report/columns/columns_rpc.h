/* SPDX-License-Identifier: GPL-2.0-or-later */
/* columns_rpc.h - the getters of the columns about calls to an NFS server, for the table in
 * columns.c.  Empty where no calls are counted, and in rows that were skipped. */
#ifndef REPORT_COLUMNS_COLUMNS_RPC_H
#define REPORT_COLUMNS_COLUMNS_RPC_H

#include "report/columns/columns.h"

void columns_rpc_count(const struct columns_context *context, const struct result *result,
                       struct value *value);
void columns_rpc_data_count(const struct columns_context *context, const struct result *result,
                            struct value *value);
void columns_rpc_sent_bytes(const struct columns_context *context, const struct result *result,
                            struct value *value);
void columns_rpc_received_bytes(const struct columns_context *context, const struct result *result,
                                struct value *value);

/* Mean in ns; the kernel gives sums in whole milliseconds. */
void columns_rpc_rtt_ns_mean(const struct columns_context *context, const struct result *result,
                             struct value *value);
void columns_rpc_retransmissions(const struct columns_context *context, const struct result *result,
                                 struct value *value);

/* "READ=100/1210000;OPEN=100/80000": calls and mean ns of each name, most time first. */
void columns_rpc_operations(const struct columns_context *context, const struct result *result,
                            struct value *value);

#endif
