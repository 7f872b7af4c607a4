/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* options.h - options of targets webhdfs://HOST[:PORT][/PATH] besides those of all object stores;
 * set once by cli/ and const from then on. */
#ifndef STORAGE_OBJECT_WEBHDFS_OPTIONS_H
#define STORAGE_OBJECT_WEBHDFS_OPTIONS_H

#include <stdbool.h>

#include "base/option.h"
#include "storage/object/options.h"

struct webhdfs_options {
    struct object_options store; /* first */
    const char *user;            /* NULL: HADOOP_USER_NAME, else the user running the program */
    const char *token_file;      /* NULL: WEBHDFS_TOKEN, else none */
    const char *password_file;   /* NULL: WEBHDFS_PASSWORD, else none */
    const char *base;            /* the path of the service; NULL: "/webhdfs/v1" */
    const char *connect;         /* "HOST:PORT=ADDR:PORT,..." or NULL */
    bool negotiate;              /* SPNEGO */
    uint64_t replication, block_bytes; /* of files written; 0: the server's default */
};

/* Option rows: access to a target, for all commands that use one, and the sweep's own. Both end
 * with name NULL; the fields are those of struct webhdfs_options. */
extern const struct option_row webhdfs_reach_table[];
extern const struct option_row webhdfs_options_table[];

bool webhdfs_claims(const char *target);
int webhdfs_options_check(const struct target_request *request, unsigned count, bool alone,
                          struct error *err);

/* Names of the target driver and its options, also for builds without WebHDFS, which refuse the
 * target later. */
#define WEBHDFS_TARGET_WORDS                                                                     \
    .name = "webhdfs", .kind = "Hadoop file system", .noun = "file", .scheme = "webhdfs://",     \
    .form = "webhdfs://HOST:PORT[/PATH]", .purpose = "files are made in it and removed",         \
    .claims = webhdfs_claims,                                                                    \
    .capabilities = TARGET_REQUESTS | TARGET_LONG_SLICES | TARGET_WARMS_UP | TARGET_CONNECTIONS, \
    .family = &object_family, .reach_options = webhdfs_reach_table,                              \
    .options = webhdfs_options_table, .options_bytes = sizeof(struct webhdfs_options),           \
    .check = webhdfs_options_check

#endif
