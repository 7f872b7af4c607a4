/* SPDX-License-Identifier: GPL-2.0-or-later */
/* session.c - what a thread keeps for each bucket it works on, from slice to slice, and how it is set
 * up for the next one: connections, signer, requests, memory.  Cold. */
#include "base/compat.h"

#include "target/object/operation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "os/memory.h"

#define SLOTS_LEAST  8u   /* objects are made so many at a time even where the test is --depth 1 */
#define XML_PART     320u /* of the document that completes an upload: for each part */
#define XML_KEY      64u  /* of the one that deletes: for each key, beside it */
#define XML_ENDS     512u
#define NUMBER_BYTES 24u /* of the number in a key */
#define ENTITY_BYTES 6u  /* a character of a key in XML */

struct s3_home { /* of a thread */
    struct s3_site *first;
};

/* ---- connections ---- */

static uint64_t largest_bytes(const struct target_request *request)
{
    uint64_t most = 0;

    for (size_t i = 0; i < request->size_count; i++)
        if (request->size_bytes[i] > most)
            most = request->size_bytes[i];
    return most;
}

static int connect_site(struct s3_site *site, struct error *err)
{
    const struct target_request *request = site->bucket->target.request;
    const struct object_options *options = site->options;
    const struct http_config config = {
        .slots = site->slots,
        .version = options->http == S3_HTTP_2     ? HTTP_VERSION_2
                   : options->http == S3_HTTP_1_1 ? HTTP_VERSION_1_1
                                                  : HTTP_VERSION_AUTO,
        .ca_file = site->bucket->service.ca_file,
        .insecure = options->insecure,
        .reconnect = options->reconnect,
        .timeout_ns = options->timeout_ns,
        .transfer_bytes = (size_t)largest_bytes(request),
        .stop = request->stop,
    };

    return http_create(&config, &site->http, err);
}

static void free_slots(struct s3_site *site)
{
    http_destroy(site->http);
    site->http = NULL;
    free(site->slot);
    sigv4_cleanse(site->request, site->slots * sizeof *site->request);
    free(site->request);
    free(site->done);
    free(site->event);
}

/* Objects for renaming belong to slots, but nothing is lost when there are more of them now:
 * between slices all stand at their first names. */
static void make_slots(struct s3_site *site, uint32_t slots)
{
    free_slots(site);
    site->slots = slots;
    site->slot = mem_calloc(slots, sizeof *site->slot);
    site->request = mem_calloc(slots, sizeof *site->request);
    site->done = mem_calloc(slots, sizeof *site->done);
    site->event = mem_calloc(slots, sizeof *site->event);
    for (uint32_t i = 0; i < slots; i++)
        site->slot[i].index = i;
}

static int open_site(struct s3_site *site, const struct engine_thread *thread, uint32_t depth,
                     struct error *err)
{
    uint32_t slots = thread->depth_most > depth ? thread->depth_most : depth;

    if (slots < SLOTS_LEAST)
        slots = SLOTS_LEAST;
    if (site->slots < slots)
        make_slots(site, slots);
    if (!site->signer && !site->bucket->service.credentials.anonymous &&
        sigv4_create(&site->bucket->service.credentials, site->bucket->service.address.region,
                     &site->signer, err) < 0)
        return -1;
    return site->http ? 0 : connect_site(site, err);
}

/* ---- memory of a test ---- */

static size_t escaped_bytes(const char *text)
{
    size_t bytes = 0;

    for (; *text; text++)
        bytes += *text == '&' || *text == '<' || *text == '>' || *text == '"' || *text == '\'' ||
                         (unsigned char)*text < ' '
                     ? ENTITY_BYTES
                     : 1;
    return bytes;
}

static void make_batch(struct s3_site *site)
{
    site->batch_each = strlen(site->set->prefix) + NUMBER_BYTES;
    site->batch_keys = mem_realloc_array(site->batch_keys, (size_t)site->batch, site->batch_each);
    site->batch_key =
        mem_realloc_array(site->batch_key, (size_t)site->batch, sizeof *site->batch_key);
}

/* Bytes of each slot for a test: XML and, to be appended to, a part. */
static uint64_t memory_wanted(struct s3_site *site)
{
    const uint64_t parts = (site->work->io_bytes + site->part_bytes - 1) / site->part_bytes;

    switch (site->work->test) {
    case TEST_MULTIPART:
        return parts * XML_PART + XML_ENDS;
    case TEST_APPEND:
        return parts * XML_PART + XML_ENDS + site->part_bytes;
    case TEST_DELETE_MANY:
        return site->batch * (escaped_bytes(site->set->prefix) + NUMBER_BYTES + XML_KEY) + XML_ENDS;
    default:
        return 0;
    }
}

static int make_memory(struct s3_site *site, struct error *err)
{
    const uint64_t each = memory_wanted(site), all = each * site->work->depth;

    site->memory_each = (size_t)each;
    if (all <= site->memory_bytes)
        return 0;
    mem_buffer_free(site->memory);
    site->memory_bytes = 0;
    site->memory = all > SIZE_MAX / 2 ? NULL : mem_buffer((size_t)all, 1, err);
    if (!site->memory) {
        error_set(err, STATUS_TARGET, 0, "no memory for parts of uploads", NULL);
        return error_advise(err, "use a smaller --s3.part-size or a lower --depth");
    }
    site->memory_bytes = (size_t)all;
    return 0;
}

/* ---- hooks ---- */

/* A list has to name at least what is known to be there. */
static uint64_t count_present(const struct s3_set *set)
{
    return set->present ? s3_set_made(set) : set->count;
}

static void bind_slice(struct s3_site *site, const struct workload *work,
                       const struct engine_thread *thread)
{
    site->work = work;
    site->object_first = work->object_first - site->set->first;
    site->number_first = 2 * S3_DEPTH_MAX * thread->index;
    site->cycles = thread->cycles;
    site->part_bytes = site->options->part_bytes;
    if (!site->part_bytes || site->part_bytes > work->io_bytes)
        site->part_bytes = work->io_bytes;
    site->batch = work->test == TEST_DELETE_MANY ? site->options->batch : 1;
    site->list_least = work->test == TEST_LIST ? count_present(site->set) : 0;
    site->in_flight = site->paused = 0;
    site->stopped_ns = 0;
    site->give_up_ns = thread->give_up_ns;
    site->overdue = false;
    site->first_failure[0] = '\0';
}

static struct s3_site *find_site(struct s3_home *home, struct s3_bucket *bucket)
{
    struct s3_site *site = home->first;

    while (site && site->bucket != bucket)
        site = site->next;
    if (!site) {
        site = mem_calloc(1, sizeof *site);
        site->bucket = bucket;
        site->options = bucket->service.options;
        site->next = home->first;
        home->first = site;
    }
    return site;
}

int s3_site_setup(const struct workload *work, const struct engine_thread *thread, void **ctx,
                  struct error *err)
{
    struct s3_bucket *const bucket = s3_bucket_of(work->target);
    struct s3_home *home = *thread->home;
    struct s3_site *site;

    if (!home)
        *thread->home = home = mem_calloc(1, sizeof *home);
    site = find_site(home, bucket);
    site->set = s3_bucket_set(bucket, work->test, work->size_bytes);
    if (!site->set)
        return error_set(err, STATUS_TARGET, 0, "there are no objects for this test in",
                         work->target->place);
    bind_slice(site, work, thread);
    if (test_writes(work->test))
        s3_set_begin_pass(site->set);
    if (open_site(site, thread, work->depth, err) < 0 || make_memory(site, err) < 0)
        return -1;
    if (work->test == TEST_DELETE_MANY)
        make_batch(site);
    if (s3_stock_make(site, err) < 0)
        return -1;
    site->first_failure[0] = '\0';
    site->retries = site->options->retries;
    site->width = work->depth;
    *ctx = site;
    return 0;
}

void s3_site_retire(void *arg)
{
    struct s3_home *const home = arg;

    if (!home)
        return;
    while (home->first) {
        struct s3_site *const site = home->first;

        home->first = site->next;
        free_slots(site);
        sigv4_destroy(site->signer);
        mem_buffer_free(site->memory);
        mem_buffer_free(site->spare);
        free(site->movable);
        free(site->batch_keys);
        free(site->batch_key);
        free(site);
    }
    free(home);
}
