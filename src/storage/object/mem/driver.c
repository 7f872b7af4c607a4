/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* driver.c - the target mem: and the engine `mem`: the object layer's hooks with a store in this
 * process's memory, which is gone at the end of the run. */
#include "base/compat.h"

#include <string.h>

#include "storage/object/mem/protocol.h"
#include "storage/object/object.h"
#include "storage/object/operation.h"

#define FIELD(member) offsetof(struct mem_options, member)

extern const struct storage_driver target_mem;
extern const struct engine engine_mem;

static int call_delay(void *block, const char *word, struct error *err)
{
    return null_delay_parse(word, &((struct mem_options *)block)->delay, err);
}

static int call_fail(void *block, const char *word, struct error *err)
{
    return mem_faults_parse(word, &((struct mem_options *)block)->faults, err);
}

/* clang-format off */
static const struct option_row mem_options_table[] = {
    {.name = "mem.delay", .argument = "TIMES", .type = OPTION_WORD, .offset = FIELD(delay_word),
     .call = call_delay, .help = "requests: as 5ms, or mix:35x0,5x3ms",
     .group = "Memory"},
    {.name = "mem.fail", .argument = "LIST", .type = OPTION_WORD, .offset = FIELD(fail_word),
     .call = call_fail, .help = "fail every N-th request: slow-down:10,lost@put:3",
     .group = "Memory"},
    {.name = "mem.like", .argument = "KIND", .type = OPTION_CHOICE, .offset = FIELD(like),
     .choices = mem_like_words, .fallback = "bucket",
     .help = "supported requests: bucket, pool, tree", .group = "Memory"},
    {.name = NULL},
};
/* clang-format on */

static bool mem_claims(const char *target)
{
    return strcmp(target, "mem:") == 0;
}

static int mem_check(const struct target_request *request, unsigned count, bool alone,
                     struct error *err)
{
    const struct object_limits limits = {
        .verbs = mem_verbs_of[((const struct mem_options *)request->options)->like]};

    (void)count;
    if (request->reuse)
        return error_refuse(err, STATUS_USAGE, "no run is kept to be reused in", request->target,
                            "its objects end with the program that made them: leave out --reuse");
    if (request->keep)
        return error_refuse(
            err, STATUS_USAGE, "--keep cannot keep what is in", request->target,
            "its objects end with this program: leave out --keep, or use another target");
    if (request->existing)
        return error_refuse(err, STATUS_USAGE, "there is nothing to read in", request->target,
                            "its objects are made by the run: leave out --read-existing (-r)");
    return object_options_check(request, &limits, alone, err);
}

const struct storage_driver target_mem = {
    .name = "mem",
    .kind = "memory store",
    .noun = "object",
    .scheme = "mem:",
    .form = "mem:",
    .purpose = "objects in memory",
    .capabilities = TARGET_REQUESTS | TARGET_VALUES,
    .family = &object_family,
    .options = mem_options_table,
    .options_bytes = sizeof(struct mem_options),
    .check = mem_check,
    .claims = mem_claims,
    .protocol = &mem_protocol,
    OBJECT_TARGET_HOOKS,
};

const struct engine engine_mem = {
    .name = "mem",
    .summary = "objects in memory: what operations cost without a network",
    .libc_words = "Using objects in memory",
    .driver = "mem",
    OBJECT_ENGINE_HOOKS,
};
