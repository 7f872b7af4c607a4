/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* driver.c - targets webhdfs:// and swebhdfs://, their options, and the engine `webhdfs`: the
 * object layer's hooks with the protocol WebHDFS. Builds without libcurl have the options, too, so
 * that they refuse the target and not an option. */
#include "base/compat.h"

#include <string.h>

#include "base/option.h"
#include "storage/object/object.h"
#include "storage/object/operation.h"
#include "storage/object/webhdfs/protocol.h"

extern const struct engine engine_webhdfs;

#define FIELD(member) offsetof(struct webhdfs_options, member)

/* clang-format off */
static const struct option_row webhdfs_reach_table[] = {
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

static const struct option_row webhdfs_options_table[] = {
    {.name = "webhdfs.replication", .argument = "N", .type = OPTION_COUNT,
     .offset = FIELD(replication), .min = 1, .max = 512,
     .help = "copies of each block written [the server's]", .group = "WebHDFS"},
    {.name = "webhdfs.block-size", .argument = "SIZE", .type = OPTION_SIZE,
     .offset = FIELD(block_bytes), .min = 512, .help = "block size of files written [the server's]",
     .group = "WebHDFS"},
    {.name = NULL},
};
/* clang-format on */

static const struct object_limits limits = {.object_bytes_most = UINT64_C(1) << 43,
                                            .verbs = OBJECT_VERBS_OF_TREES};

static bool webhdfs_claims(const char *target)
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

static int webhdfs_check(const struct target_request *request, unsigned count, bool alone,
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

#ifndef HAVE_LIBCURL
static const struct target_absent absent = {"this build has no WebHDFS:",
                                            "build it with libcurl >= 7.75"};
#endif

const struct storage_driver target_webhdfs = {
    .name = "webhdfs",
    .kind = "Hadoop file system",
    .noun = "file",
    .scheme = "webhdfs://",
    .form = "webhdfs://HOST:PORT[/PATH]",
    .purpose = "files are made in it and removed",
    .claims = webhdfs_claims,
    .capabilities = TARGET_REQUESTS | TARGET_LONG_SLICES | TARGET_WARMS_UP | TARGET_CONNECTIONS,
    .family = &object_family,
    .reach_options = webhdfs_reach_table,
    .options = webhdfs_options_table,
    .options_bytes = sizeof(struct webhdfs_options),
    .check = webhdfs_check,
#ifdef HAVE_LIBCURL
    .protocol = &webhdfs_protocol,
    OBJECT_TARGET_HOOKS,
    OBJECT_RUN_HOOKS,
#else
    .absent = &absent,
#endif
};

#ifdef HAVE_LIBCURL
const struct engine engine_webhdfs = {
    .name = "webhdfs",
    .summary = "files of a Hadoop file system over HTTP, --depth of them at a time",
    .library = http_library,
    .libc_words = "Using requests over HTTP to a Hadoop file system",
    .driver = "webhdfs",
    /* not ENGINE_MIXES: a file cannot be read while it is overwritten */
    OBJECT_ENGINE_HOOKS(0u),
};
#endif
