/* SPDX-License-Identifier: GPL-2.0-or-later */
/* driver.c - the target mem: and the engine `mem`: the hooks of the object layer with a store in
 * the memory of this process, which ends with the run. */
#include "base/compat.h"

#include <string.h>

#include "target/object/mem/protocol.h"
#include "target/object/object.h"
#include "target/object/operation.h"

#define FIELD(member) offsetof(struct mem_options, member)

extern const struct target_driver target_mem;
extern const struct engine engine_mem;

static int call_delay(void *block, const char *word, struct error *err)
{
    return null_delay_parse(word, &((struct mem_options *)block)->delay, err);
}

static int call_fail(void *block, const char *word, struct error *err)
{
    return mem_faults_parse(word, &((struct mem_options *)block)->faults, err);
}

static const struct option_row mem_reach_table[] = {
    {.long_name = NULL}}; /* there is no way to it */

/* clang-format off */
static const struct option_row mem_options_table[] = {
    {0, "mem.delay", "TIMES", OPTION_WORD, FIELD(delay_word), OPTION_NONE, 0, 0, NULL, call_delay,
     NULL, "of requests: 5ms, mix:35x0,5x3ms, tail:20ms,5%=400ms", "Memory stores", NULL, 0},
    {0, "mem.fail", "LIST", OPTION_WORD, FIELD(fail_word), OPTION_NONE, 0, 0, NULL, call_fail,
     NULL, "each N-th request fails: slow-down:10,lost@put:3", "Memory stores", NULL, 0},
    {0, "mem.retries", "N", OPTION_COUNT, FIELD(store.retries), OPTION_NONE, 0, 100, NULL, NULL,
     "0", "retry a failed request up to N times", "Memory stores", NULL, 0},
    {0, "mem.objects", "N", OPTION_COUNT, FIELD(store.objects), OPTION_NONE, 1, 1000000, NULL, NULL,
     NULL, "objects of each size [64, at most 256 MiB in all]", "Memory stores", NULL, 0},
    {0, "mem.part-size", "SIZE", OPTION_SIZE, FIELD(store.part_bytes), OPTION_NONE, 1, 0, NULL, NULL,
     "8Mi", "parts of multipart and append", "Memory stores", NULL, 0},
    {0, "mem.fragment-size", "SIZE", OPTION_SIZE, FIELD(store.fragment_bytes), OPTION_NONE, 1, 0, NULL, NULL,
     "64Ki", "append: bytes per write", "Memory stores", NULL, 0},
    {0, "mem.batch", "N", OPTION_COUNT, FIELD(store.batch), OPTION_NONE, 1, 1000, NULL, NULL,
     "10", "delete-many: objects per request", "Memory stores", NULL, 0},
    {0, "mem.page-size", "N", OPTION_COUNT, FIELD(store.page), OPTION_NONE, 1, 1000, NULL, NULL,
     "1000", "list: names per request", "Memory stores", NULL, 0},
    {.long_name = NULL},
};
/* clang-format on */

static bool mem_claims(const char *target)
{
    return strcmp(target, "mem:") == 0;
}

static int mem_check(const struct target_request *request, unsigned count, bool alone,
                     struct error *err)
{
    (void)count;
    (void)alone;
    if (request->keep) {
        error_set(err, STATUS_USAGE, 0, "--keep cannot keep what is in", request->target);
        return error_advise(err, "its objects end with this program: leave --keep out, or use "
                                 "another target");
    }
    if (request->existing) {
        error_set(err, STATUS_USAGE, 0, "there is nothing to read in", request->target);
        return error_advise(err, "its objects are made by the run: leave --read-existing (-r) out");
    }
    return 0;
}

const struct target_driver target_mem = {
    .name = "mem",
    .kind = "memory store",
    .noun = "object",
    .scheme = "mem:",
    .form = "mem:",
    .purpose = "objects in memory",
    .capabilities = TARGET_REQUESTS,
    .reach_options = mem_reach_table,
    .options = mem_options_table,
    .options_bytes = sizeof(struct mem_options),
    .options_key = "mem_options",
    .check = mem_check,
    .claims = mem_claims,
    .protocol = &mem_protocol,
    OBJECT_TARGET_HOOKS,
};

const struct engine engine_mem = {
    .name = "mem",
    .summary = "objects in memory: what operations cost but for the network",
    .libc_words = "Using objects in memory",
    .driver = "mem",
    OBJECT_ENGINE_HOOKS,
};
