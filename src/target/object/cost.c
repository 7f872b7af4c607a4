/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cost.c - what a run will ask of the service before it starts, and what it has asked when it
 * is over, with prices where the user gave some: an object store sends a bill. */
#include "base/compat.h"

#include "target/object/object.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/units.h"

/* A row whose number of operations is not given has at least 11 rounds and one that warms up, of at
 * least 4 operations each (DESIGN: measuring). */
#define OPERATIONS_LEAST 48

static double parts_of(uint64_t size_bytes, uint64_t part_bytes)
{
    return part_bytes == 0 ? 1 : (double)((size_bytes - 1) / part_bytes + 1);
}

static void add_upload(struct s3_usage *usage, double objects, uint64_t size_bytes,
                       uint64_t part_bytes)
{
    usage->requests[S3_UPLOAD_BEGIN] += objects;
    usage->requests[S3_UPLOAD_PART] += objects * parts_of(size_bytes, part_bytes);
    usage->requests[S3_UPLOAD_COMPLETE] += objects;
    usage->sent_bytes += objects * (double)size_bytes;
}

static void add_puts(struct s3_usage *usage, double objects, uint64_t size_bytes)
{
    usage->requests[S3_PUT] += objects;
    usage->sent_bytes += objects * (double)size_bytes;
}

/* `operations` of one test and size. */
static void add_row(struct s3_usage *usage, const struct s3_store *s3, enum io_test test,
                    uint64_t size_bytes, double operations)
{
    const struct object_options *options = s3->bucket.service.options;
    const struct s3_set *set = s3_bucket_set(&s3->bucket, test, size_bytes);
    const double batch = options->batch > 0 ? (double)options->batch : 1;

    switch (test) {
    case TEST_WRITE:
        add_puts(usage, operations, size_bytes);
        break;
    case TEST_READ:
        usage->requests[S3_GET] += operations;
        usage->received_bytes += operations * (double)size_bytes;
        break;
    case TEST_MULTIPART:
    case TEST_APPEND:
        add_upload(usage, operations, size_bytes, options->part_bytes);
        break;
    case TEST_HEAD:
        usage->requests[S3_HEAD] += operations;
        break;
    case TEST_LIST:
        usage->requests[S3_LIST] += operations * parts_of(set->count, options->page);
        break;
    case TEST_RENAME:
        add_puts(usage, 1, size_bytes);
        usage->requests[S3_COPY] += operations;
        usage->requests[S3_DELETE] += operations;
        break;
    case TEST_DELETE:
        add_puts(usage, operations, size_bytes);
        usage->requests[S3_DELETE] += operations;
        break;
    case TEST_DELETE_MANY:
        add_puts(usage, operations * batch, size_bytes);
        usage->requests[S3_DELETE_MANY] += operations;
        break;
    case TEST_COUNT:
        break;
    }
}

/* Requests of a row of so many operations at most: each slot makes an object to rename, and all are
 * repeated as often as they may be. */
static double row_most(const struct s3_store *s3, enum io_test test, uint64_t size_bytes,
                       double operations)
{
    struct s3_usage usage = {0};
    double requests;

    add_row(&usage, s3, test, size_bytes, operations);
    requests = s3_usage_requests(&usage) + (test == TEST_RENAME ? operations - 1 : 0);
    return requests * (1 + (double)s3->bucket.service.options->retries);
}

struct s3_forecast s3_forecast_make(const struct s3_store *s3)
{
    const struct s3_bucket *bucket = &s3->bucket;
    const struct target_request *request = bucket->target.request;
    const double operations =
        request->requests_per_row > 0 ? (double)request->requests_per_row : OPERATIONS_LEAST;
    struct s3_forecast forecast = {0};

    for (unsigned i = 0; bucket->target.ours && i < bucket->set_count; i++) {
        const struct s3_set *set = &bucket->set[i];
        bool wanted = false;
        for (unsigned test = 0; test < TEST_COUNT; test++)
            wanted = wanted ||
                     ((request->tests & 1u << test) && s3_fill_wanted(s3, set, (enum io_test)test));
        if (wanted && set->size_bytes > S3_FILL_PART_BYTES)
            add_upload(&forecast.fill, set->count, set->size_bytes, s3_fill_part(set->size_bytes));
        else if (wanted)
            add_puts(&forecast.fill, set->count, set->size_bytes);
    }
    for (unsigned test = 0; test < TEST_COUNT; test++)
        for (size_t i = 0; i < request->size_count; i++) {
            uint32_t first, count;
            if ((request->tests & 1u << test) &&
                (bucket->target.ours || !test_changes((enum io_test)test)) &&
                s3_sets_objects(&bucket->target, (enum io_test)test, request->size_bytes[i], &first,
                                &count) == NULL) {
                add_row(&forecast.rows, s3, (enum io_test)test, request->size_bytes[i], operations);
                forecast.rows_most +=
                    row_most(s3, (enum io_test)test, request->size_bytes[i], operations);
            }
        }
    return forecast;
}

/* "; about 0.12 USD", or nothing without prices; to be freed. */
static char *price_text(const struct s3_store *s3, const struct s3_usage *usage, const char *about)
{
    const char *currency = s3->price.currency, *gap = currency[0] != '\0' ? " " : "";
    const double sum = s3_price_of(&s3->price, usage);

    if (!s3->priced)
        return mem_strdup("");
    if (sum > 0 && sum < 0.0001)
        return mem_printf("; less than 0.0001%s%s", gap, currency);
    return mem_printf("; %s %.*f%s%s", about, sum >= 1 || sum <= 0 ? 2 : 4, sum, gap, currency);
}

int s3_forecast_tell(const struct s3_store *s3, struct error *err)
{
    const struct target *target = &s3->bucket.target;
    const struct s3_forecast forecast = s3_forecast_make(s3);
    const uint64_t most = s3->bucket.service.options->max_requests;
    const double uploads = s3_usage_requests(&forecast.fill);
    const bool bounded = target->request->requests_per_row > 0;
    char rows_most[160] = "";
    char text[3][UNITS_TEXT], label[512], *fill, *price;
    struct s3_usage all = forecast.rows;

    if (most > 0 && uploads > (double)most) {
        error_set(err, STATUS_TARGET, 0, "--max-requests does not allow to make the objects in",
                  target->place);
        return error_advise(err,
                            "%.0f uploads are needed: raise it, or make less: --s3.objects, "
                            "fewer sizes",
                            uploads);
    }
    for (unsigned i = 0; i < S3_KIND_COUNT; i++)
        all.requests[i] += forecast.fill.requests[i];
    all.sent_bytes += forecast.fill.sent_bytes;
    fill = uploads == 0 ? mem_strdup("no uploads to fill")
                        : mem_printf("at most %.0f uploads to fill, %s", uploads,
                                     units_format_bytes(forecast.fill.sent_bytes, text[0]));
    price = price_text(s3, &all, bounded ? "about" : "at least");
    if (bounded)
        (void)snprintf(rows_most, sizeof(rows_most), "; at most %.0f requests", forecast.rows_most);
    else if (most > 0)
        (void)snprintf(rows_most, sizeof(rows_most), "; at most %" PRIu64 " requests in all", most);
    else if (target->request->plan)
        (void)snprintf(rows_most, sizeof(rows_most),
                       "; at most as many as are answered in the time (-n or --max-requests "
                       "bounds them)");
    log_info("# %s: %s; rows: at least %.0f requests, %s to send, %s to receive%s%s%s",
             error_printable(target->label, label, sizeof(label)), fill,
             s3_usage_requests(&forecast.rows),
             units_format_bytes(forecast.rows.sent_bytes, text[1]),
             units_format_bytes(forecast.rows.received_bytes, text[2]), rows_most, price,
             s3->priced && !bounded && most == 0 ? "; -n or --max-requests bounds it" : "");
    free(price);
    free(fill);
    return 0;
}

/* "1024 PUT, 300 GET" of what was used. */
static void kinds_text(const struct s3_usage *usage, char *text, size_t room)
{
    static const char *const names[S3_KIND_COUNT] = {
        [S3_PUT] = "PUT",
        [S3_GET] = "GET",
        [S3_HEAD] = "HEAD",
        [S3_LIST] = "list",
        [S3_COPY] = "copy",
        [S3_DELETE] = "delete",
        [S3_DELETE_MANY] = "delete-many",
        [S3_UPLOAD_BEGIN] = "upload begin",
        [S3_UPLOAD_PART] = "upload part",
        [S3_UPLOAD_COMPLETE] = "upload complete",
        [S3_UPLOAD_ABORT] = "upload abort",
        [S3_UPLOAD_LIST] = "upload list",
    };
    size_t used = 0;

    text[0] = '\0';
    for (unsigned i = 0; i < S3_KIND_COUNT && used < room; i++)
        if (usage->requests[i] > 0)
            used += (size_t)snprintf(text + used, room - used, "%s%.0f %s", used > 0 ? ", " : "",
                                     usage->requests[i], names[i]);
}

static struct s3_usage used_so_far(const struct s3_service *service)
{
    struct s3_usage usage = {.sent_bytes = (double)atomic_load(&service->sent_bytes),
                             .received_bytes = (double)atomic_load(&service->received_bytes)};

    for (unsigned i = 0; i < S3_KIND_COUNT; i++)
        usage.requests[i] = (double)atomic_load(&service->requests[i]);
    return usage;
}

void s3_forecast_tell_removal(const struct s3_store *s3)
{
    struct s3_usage all = used_so_far(&s3->bucket.service), more = all;
    char label[512], kinds[512], *price;

    if (!s3->summarised)
        return;
    for (unsigned i = 0; i < S3_KIND_COUNT; i++)
        more.requests[i] -= s3->told.requests[i];
    kinds_text(&more, kinds, sizeof(kinds));
    price = price_text(s3, &all, "in all about");
    log_info("# %s: %.0f requests to remove (%s)%s",
             error_printable(s3->bucket.target.label, label, sizeof(label)),
             s3_usage_requests(&more), kinds, price);
    free(price);
}

void s3_forecast_summarise(const struct target *target)
{
    struct s3_store *s3 = s3_store_of(target);
    const struct s3_usage usage = used_so_far(&s3->bucket.service);
    char sent[UNITS_TEXT], received[UNITS_TEXT], label[512], kinds[512], *price;
    struct error ignored = ERROR_INIT;

    if (target->request->dry_run) {
        (void)s3_forecast_tell(s3, &ignored); /* a refusal is for the run itself */
        return;
    }
    s3->told = usage;
    s3->summarised = true;
    kinds_text(&usage, kinds, sizeof(kinds));
    price = price_text(s3, &usage, "about");
    log_info("# %s: %.0f requests%s (%s), %s sent, %s received%s",
             error_printable(target->label, label, sizeof(label)), s3_usage_requests(&usage),
             s3->made && !target->request->keep ? " before removing" : "", kinds,
             units_format_bytes(usage.sent_bytes, sent),
             units_format_bytes(usage.received_bytes, received), price);
    free(price);
}
