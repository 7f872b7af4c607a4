/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* options.c - options specific to WebHDFS: rows for the command line, help and results. Builds
 * without it have them, too, so that they refuse the target and not an option. */
#include "base/compat.h"

#include "storage/object/webhdfs/options.h"

#include <string.h>

#include "storage/storage.h"

#define FIELD(member) offsetof(struct webhdfs_options, member)

/* clang-format off */
const struct option_row webhdfs_reach_table[] = {
    {.name = "webhdfs.user", .argument = "NAME", .type = OPTION_STRING, .offset = FIELD(user),
     .help = "HDFS user name [yours]", .group = "WebHDFS"},
    {.name = "webhdfs.connect", .argument = "LIST", .type = OPTION_STRING, .offset = FIELD(connect),
     .help = "addresses of hosts: HOST:PORT=ADDR:PORT", .group = "WebHDFS"},
    {.name = "webhdfs.base", .argument = "PATH", .type = OPTION_STRING, .offset = FIELD(base),
     .help = "path of the service [/webhdfs/v1]", .group = "WebHDFS"},
    {.name = "webhdfs.token-file", .argument = "FILE", .type = OPTION_STRING,
     .offset = FIELD(token_file), .needs = OPTION_SECRET,
     .help = "delegation token [$WEBHDFS_TOKEN]", .group = "WebHDFS"},
    {.name = "webhdfs.password-file", .argument = "FILE", .type = OPTION_STRING,
     .offset = FIELD(password_file), .needs = OPTION_SECRET,
     .help = "for a gateway [$WEBHDFS_PASSWORD]", .group = "WebHDFS"},
    {.name = "webhdfs.negotiate", .type = OPTION_FLAG, .offset = FIELD(negotiate),
     .help = "Kerberos (SPNEGO), with your ticket", .group = "WebHDFS"},
    {.name = NULL},
};

const struct option_row webhdfs_options_table[] = {
    {.name = "webhdfs.replication", .argument = "N", .type = OPTION_COUNT,
     .offset = FIELD(replication), .min = 1, .max = 512,
     .help = "copies of each block written [the server's]", .group = "WebHDFS"},
    {.name = "webhdfs.block-size", .argument = "SIZE", .type = OPTION_SIZE,
     .offset = FIELD(block_bytes), .min = 512, .help = "block size of files written [the server's]",
     .group = "WebHDFS"},
    {.name = NULL},
};
/* clang-format on */

static const struct object_limits limits = {.object_bytes_most = UINT64_C(1) << 43};

bool webhdfs_claims(const char *target)
{
    return strncmp(target, "webhdfs://", 10) == 0 || strncmp(target, "swebhdfs://", 11) == 0;
}

static int refuse(struct error *err, const char *text, const char *advice)
{
    return error_refuse(err, STATUS_USAGE, text, NULL, "%s", advice);
}

/* Refuses options that only affect creating files, with -r. */
static int refuse_of_making(const struct webhdfs_options *options, struct error *err)
{
    static const char advice[] = "leave it out: files are as they are";
    const struct object_idle idle[] = {
        {options->replication > 0, "--webhdfs.replication", advice},
        {options->block_bytes > 0, "--webhdfs.block-size", advice},
    };

    return object_options_refuse_idle(idle, sizeof(idle) / sizeof(*idle),
                                      "--read-existing (-r) creates no files, so no", err);
}

static int refuse_idle(const struct webhdfs_options *options, struct error *err)
{
    struct object_options normal = {.page = 0};

    option_defaults(object_family.options, &normal);
    if (options->store.page != normal.page)
        return refuse(err, "--list-page has no effect here: the NameNode sets the length of lists",
                      "leave it out, or set dfs.ls.limit of the NameNode");
    return 0;
}

int webhdfs_options_check(const struct target_request *request, unsigned count, bool alone,
                          struct error *err)
{
    const struct webhdfs_options *options = request->options;
    const bool tls = strncmp(request->target, "swebhdfs://", 11) == 0;

    if (object_options_check(request, &limits, alone, err) != 0)
        return -1;
    if (alone && request->existing && refuse_of_making(options, err) != 0)
        return -1;
    if (alone && refuse_idle(options, err) != 0)
        return -1;
    if (alone && !tls && (options->store.insecure || options->store.ca_file))
        return refuse(err, "certificates need TLS, which webhdfs:// does not use",
                      "write swebhdfs://, or leave out --ca-file and --insecure");
    if (options->negotiate && options->token_file)
        return refuse(err, "--webhdfs.negotiate and --webhdfs.token-file conflict", "use only one");
    return object_options_one_run(request, count, err);
}
