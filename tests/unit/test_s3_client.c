/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_s3_client.c - the client for requests that are not measured, with a scripted transport and a
 * sleep that takes no time: retries, redirects, refusals and limits. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "base/mem.h"
#include "storage/object/client.h"
#include "storage/object/s3/protocol.h"
#include "unit/s3_fixture.h"

/* --- the transport ---------------------------------------------------------------------------- */

struct canned {
    int failure, status;
    const char *text, *region, *date, *retry_after;
    bool too_long;
    unsigned times; /* 0: once */
};

static unsigned times_of(const struct canned *canned)
{
    return canned->times ? canned->times : 1;
}

#define ANSWERS_MAX 16
static const struct canned *script; /* answers, in sequence */
static unsigned script_count, asked;
static char seen_url[ANSWERS_MAX][400], seen_line[ANSWERS_MAX][1500]; /* all header lines */
static char seen_body[ANSWERS_MAX][400];
static uint64_t slept_ms;
static volatile int stop;
static unsigned stop_after_ms; /* set while sleeping; 0: never */

int http_create(const struct http_config *config, struct http **out, struct error *err)
{
    assert_int_equal(config->slots, 1);
    *out = (struct http *)mem_calloc(1, 1);
    return 0;
}

void http_destroy(struct http *http)
{
    free(http);
}

/* A client sends one request at a time. */
static struct http_answer said;

int http_wait(struct http *http, uint64_t wait_ns, uint32_t *slot, unsigned max)
{
    *slot = 0;
    return 1;
}

const struct http_answer *http_answer(const struct http *http, uint32_t slot)
{
    return &said;
}

void http_cancel(struct http *http, uint32_t slot) {}

int http_begin(struct http *http, uint32_t slot, const struct http_request *request)
{
    const struct canned *canned = script;

    if (asked >= script_count)
        fail_msg("one request too many: %s %s", request->method, request->url);
    for (unsigned end = times_of(canned); asked >= end; end += times_of(canned))
        canned++;
    (void)snprintf(seen_url[asked], sizeof(seen_url[0]), "%s %s", request->method, request->url);
    seen_line[asked][0] = '\0';
    for (unsigned i = 0; i < request->header_count; i++)
        (void)snprintf(seen_line[asked] + strlen(seen_line[asked]),
                       sizeof(seen_line[0]) - strlen(seen_line[asked]), "%s\n", request->header[i]);
    (void)snprintf(seen_body[asked], sizeof(seen_body[0]), "%.*s", (int)request->body_bytes,
                   request->body ? (const char *)request->body : "");
    said = (struct http_answer){.failure = canned->failure,
                                .status = canned->status,
                                .content_length = UINT64_MAX,
                                .received_bytes = 5,
                                .too_long = canned->too_long,
                                .text = canned->text ? canned->text : ""};
    said.text_bytes = strlen(said.text);
    (void)snprintf(said.reason, sizeof(said.reason), "%s", canned->failure ? "lost" : "");
    (void)snprintf(said.region, sizeof(said.region), "%s", canned->region ? canned->region : "");
    (void)snprintf(said.date, sizeof(said.date), "%s", canned->date ? canned->date : "");
    (void)snprintf(said.retry_after, sizeof(said.retry_after), "%s",
                   canned->retry_after ? canned->retry_after : "");
    asked++;
    return 0;
}

int nanosleep(const struct timespec *time, struct timespec *rest)
{
    slept_ms += (uint64_t)time->tv_sec * 1000 + (uint64_t)time->tv_nsec / 1000000;
    if (stop_after_ms > 0 && slept_ms >= stop_after_ms)
        stop = 2;
    return 0;
}

/* --- set-up ---------------------------------------------------------------------------------- */

struct rig {
    struct s3_fixture fixture;
    struct object_client *client;
    struct error err;
    char text[1000];
};

/* The client replaces strings of the address, so they are copies here. */
static void rig_begin(struct rig *rig, const struct canned *answers, unsigned count)
{
    struct s3_service *service = s3_fixture_init(&rig->fixture);

    service->address.region = mem_strdup(rig->fixture.region);
    service->address.authority = mem_strdup(rig->fixture.authority);
    service->address.endpoint = mem_strdup(rig->fixture.endpoint);
    rig->err = ERROR_INIT;
    script = answers;
    script_count = 0;
    for (unsigned i = 0; i < count && (answers[i].failure || answers[i].status); i++)
        script_count += times_of(&answers[i]);
    asked = 0;
    slept_ms = 0;
    stop = 0;
    stop_after_ms = 0;
    assert_int_equal(object_client_create(&service->base, &stop, &rig->client, &rig->err), 0);
}

static const char *rig_error(struct rig *rig)
{
    return error_format(&rig->err, rig->text, sizeof(rig->text));
}

/* Checks that all scripted answers were requested. */
static void rig_end(struct rig *rig)
{
    assert_int_equal(asked, script_count);
    object_client_destroy(rig->client);
    free(rig->fixture.service.address.region);
    free(rig->fixture.service.address.authority);
    free(rig->fixture.service.address.endpoint);
}

#define BEGIN(rig, ...)                                       \
    static const struct canned rig##_answers[] = __VA_ARGS__; \
    struct rig rig;                                           \
    rig_begin(&rig, rig##_answers, sizeof(rig##_answers) / sizeof(*rig##_answers))

static int head(struct rig *rig, struct object_verdict *verdict)
{
    const struct object_call call = {.verb = OBJECT_STAT, .key = "a b"};
    const struct object_answer *answer;

    rig->err = ERROR_INIT;
    return object_client_call(rig->client, &call, "cannot read", &answer, verdict, &rig->err);
}

#define CODE(code) "<Error><Code>" code "</Code><Message>m</Message></Error>"

/* --- calls ------------------------------------------------------------------------------------ */

#define AT "cannot read s3://bucket/a b: "

static void repeated_and_given_up(void **state)
{
    static const struct {
        struct canned answers[5];
        uint64_t retries;
        unsigned stop_after_ms, least_ms, most_ms; /* of pauses */
        enum object_class class;
        int errnum;
        const char *says; /* NULL: it succeeds */
    } rows[] = {
        {{{.failure = -ECONNRESET}, {.status = 503}, {.status = 429}, {.status = 200}},
         .least_ms = 100 + 200 + 400,
         .most_ms = (100 + 200 + 400) * 5 / 4},
        {{{.status = 500, .times = 3}, {.status = 502}},
         .least_ms = 100 + 200 + 400,
         .most_ms = (100 + 200 + 400) * 5 / 4,
         .class = OBJECT_SERVER_ERROR,
         .errnum = EREMOTEIO,
         .says = AT "HTTP 502 Bad Gateway"},
        {{{.status = 403, .text = CODE("InvalidAccessKeyId")}},
         .class = OBJECT_CLIENT_ERROR,
         .errnum = EACCES,
         .says = AT "HTTP 403 InvalidAccessKeyId: m; check AWS_ACCESS_KEY_ID (or the profile) and "
                    "--endpoint"},
        /* a certificate error */
        {{{.failure = -EPROTO}},
         .class = OBJECT_NETWORK_ERROR,
         .errnum = EPROTO,
         .says = AT "lost"},
        /* as often as asked for */
        {{{.status = 500, .times = 5}, {.status = 200}},
         .retries = 5,
         .least_ms = 100 + 200 + 400 + 800 + 1600,
         .most_ms = (100 + 200 + 400 + 800 + 1600) * 5 / 4},
        /* as late as asked for */
        {{{.status = 503, .retry_after = "2"},
          {.status = 503, .retry_after = "99"},
          {.status = 503, .retry_after = "Fri, 24 May 2013 00:00:00 GMT"},
          {.status = 200}},
         .least_ms = 2000 + 20000 + 400,
         .most_ms = (2000 + 20000 + 400) * 5 / 4},
        {{{.status = 500, .times = 2}},
         .stop_after_ms = 200,
         .least_ms = 200,
         .most_ms = 260,
         .class = OBJECT_SERVER_ERROR,
         .errnum = EINTR,
         .says = AT "Interrupted system call"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const char *says = rows[i].says;
        struct object_verdict verdict;
        struct rig rig;

        print_message("row %zu\n", i);
        rig_begin(&rig, rows[i].answers, 5);
        rig.fixture.options.store.retries = rows[i].retries;
        stop_after_ms = rows[i].stop_after_ms;
        assert_int_equal(head(&rig, &verdict), says ? -1 : 0);
        assert_int_equal(verdict.class, rows[i].class);
        assert_int_equal(verdict.errnum, rows[i].errnum);
        assert_int_equal(rig.err.status, says ? STATUS_TARGET : STATUS_OK);
        assert_string_equal(rig_error(&rig), says ? says : "");
        assert_within(slept_ms, rows[i].least_ms, rows[i].most_ms);
        assert_int_equal(atomic_load(&rig.fixture.service.base.requests[OBJECT_STAT]),
                         script_count);
        assert_int_equal(atomic_load(&rig.fixture.service.base.received_bytes), 5 * script_count);
        rig_end(&rig);
    }
}

static void out_of_requests(void **state)
{
    BEGIN(rig, {{.status = 200}, {.status = 204}});
    const struct object_call delete = {.verb = OBJECT_DELETE, .key = "k"};
    const struct object_answer *answer;

    atomic_store(&rig.fixture.service.base.budget, 1);
    assert_int_equal(head(&rig, NULL), 0);
    assert_int_equal(head(&rig, NULL), -1);
    assert_non_null(strstr(rig_error(&rig), "--max-requests"));
    rig.err = ERROR_INIT; /* removing the run's objects is still allowed, and counted */
    assert_int_equal(
        object_client_call(rig.client, &delete, "cannot remove", &answer, NULL, &rig.err), 0);
    assert_int_equal(atomic_load(&rig.fixture.service.base.requests[OBJECT_DELETE]), 1);
    rig_end(&rig);
}

/* --- another region, another time ------------------------------------------------------------- */

static void another_region(void **state)
{
    BEGIN(rig, {{.status = 400, .region = "ap-south-1"},
                {.status = 200},
                {.status = 301, .region = "eu-west-1"}});
    struct s3_address *address = &rig.fixture.service.address;
    struct object_verdict verdict;

    free(address->authority);
    address->authority = mem_strdup("bucket.s3.eu-west-1.amazonaws.com");
    free(address->endpoint);
    address->endpoint = mem_strdup("https://s3.eu-west-1.amazonaws.com");
    assert_int_equal(head(&rig, NULL), 0);
    assert_string_equal(address->region, "ap-south-1");
    assert_string_equal(address->endpoint, "https://s3.ap-south-1.amazonaws.com");
    assert_non_null(strstr(seen_url[0], "//bucket.s3.eu-west-1.amazonaws.com/"));
    assert_non_null(strstr(seen_url[1], "//bucket.s3.ap-south-1.amazonaws.com/"));
    assert_non_null(strstr(seen_line[0], "/eu-west-1/s3/aws4_request"));
    assert_non_null(strstr(seen_line[1], "/ap-south-1/s3/aws4_request"));
    assert_int_equal(head(&rig, &verdict), -1); /* not back and forth */
    assert_int_equal(verdict.class, OBJECT_REDIRECT);
    rig_end(&rig);
}

/* Other threads read the service: a thread's client must not change it. */
static void pinned(void **state)
{
    BEGIN(rig, {{.status = 301, .region = "ap-south-1"}});
    const struct s3_address *address = &rig.fixture.service.address;
    const char *region = address->region;

    rig.client->link->pinned = true;
    assert_int_equal(head(&rig, NULL), -1);
    assert_ptr_equal(address->region, region);
    rig_end(&rig);
}

static void region_in_the_document(void **state)
{
    BEGIN(rig, {{.status = 400,
                 .text = "<Error><Code>AuthorizationHeaderMalformed</Code><Message>m</Message>"
                         "<Region>garage_A-Z09</Region></Error>"},
                {.status = 200}});

    assert_int_equal(head(&rig, NULL), 0);
    assert_string_equal(rig.fixture.service.address.region, "garage_A-Z09");
    assert_string_equal(rig.fixture.service.address.authority, "127.0.0.1:7070");
    rig_end(&rig);
}

static void regions_that_are_none(void **state)
{
    BEGIN(rig, {{.status = 400, .region = "a/b"},
                {.status = 400, .region = "a:b"},
                {.status = 400, .region = "a b"},
                {.status = 400, .region = "eu-west-1"},
                {.status = 307,
                 .text = "<Error><Code>TemporaryRedirect</Code><Message>m</Message>"
                         "<Endpoint>else.where</Endpoint></Error>"}});

    for (int i = 0; i < 5; i++)
        assert_int_equal(head(&rig, NULL), -1);
    assert_string_equal(rig_error(&rig),
                        "cannot read s3://bucket/a b: HTTP 307 "
                        "TemporaryRedirect: m; the service names else.where: is that --endpoint?");
    assert_string_equal(rig.fixture.service.address.region, "eu-west-1");
    rig_end(&rig);
}

/* --- many keys -------------------------------------------------------------------------------- */

#define CONTENTS(key) "<Contents><Key>" key "</Key><Size>1</Size></Contents>"
#define PAGE(inside, token)                                       \
    "<ListBucketResult>" inside "<IsTruncated>true</IsTruncated>" \
    "<NextContinuationToken>" token "</NextContinuationToken></ListBucketResult>"

static int count_to(void *arg, const struct object_listed *listed, struct error *err)
{
    unsigned *left = arg;

    return --*left == 0 ? 9 : 0;
}

static int list(struct rig *rig, unsigned *left)
{
    rig->err = ERROR_INIT;
    return object_client_list(rig->client, "p/", NULL, count_to, left, &rig->err);
}

static void listed(void **state)
{
    BEGIN(rig, {{.status = 200, .text = PAGE(CONTENTS("p/a") CONTENTS("p/b"), "t1")},
                {.status = 200, .text = PAGE(CONTENTS("p/c"), "t2")},
                {.status = 200, .text = PAGE(CONTENTS("p/d"), "t2")}, /* never ends */
                {.status = 200, .text = PAGE(CONTENTS("q/d"), "t2")},
                {.status = 200, .text = "<ListBucketResult><Contents></ListBucketResult>"}});
    unsigned left = 3;

    assert_int_equal(list(&rig, &left), 9);
    assert_int_equal(asked, 2);
    assert_non_null(
        strstr(seen_url[1], "?continuation-token=t1&list-type=2&max-keys=1000&prefix=p%2F"));
    asked = 1;
    left = 99;
    assert_int_equal(list(&rig, &left), -1);
    assert_non_null(strstr(rig_error(&rig), "does not end"));
    left = 1; /* would be visited immediately */
    assert_int_equal(list(&rig, &left), -1);
    assert_non_null(strstr(rig_error(&rig), "q/d"));
    assert_int_equal(left, 1);
    assert_int_equal(list(&rig, &left), -1);
    rig_end(&rig);
}

/* Keys can be so long that a thousand do not fit into the text of an answer. */
static void listed_by_shorter_pages(void **state)
{
    BEGIN(rig, {{.status = 200, .text = PAGE("", "t1"), .too_long = true, .times = 2},
                {.status = 200, .text = PAGE(CONTENTS("p/a"), "t1")},
                {.status = 200, .text = "<ListBucketResult/>"},
                {.status = 200, .text = "<ListMultipartUploadsResult/>", .too_long = true},
                {.status = 200, .text = "<ListMultipartUploadsResult/>"},
                {.status = 200, .text = PAGE("", "t1"), .too_long = true, .times = 10}});
    unsigned left = 99;
    uint64_t aborted = 0;

    assert_int_equal(list(&rig, &left), 0);
    assert_int_equal(left, 98);
    assert_int_equal(asked, 4);
    assert_non_null(strstr(seen_url[0], "max-keys=1000&"));
    assert_non_null(strstr(seen_url[2], "max-keys=250&"));
    assert_non_null(strstr(seen_url[3], "continuation-token=t1&list-type=2&max-keys=250&"));
    assert_int_equal(object_client_abort_uploads(rig.client, "p/", &aborted, &rig.err), 0);
    assert_non_null(strstr(seen_url[5], "max-uploads=500&"));
    assert_false(error_is_set(&rig.err));
    /* no page is shorter than one key */
    assert_int_equal(list(&rig, &left), -1);
    assert_non_null(strstr(rig_error(&rig), "longer than 1 MiB"));
    rig_end(&rig);
}

static void removed_one_by_one(void **state)
{
    BEGIN(rig, {{.status = 501, .text = CODE("NotImplemented")},
                {.status = 204},
                {.status = 404, .text = CODE("NoSuchKey")},
                {.status = 403, .text = CODE("AccessDenied")},
                {.status = 204}});
    static const char *const keys[] = {"a", "b", "c", "d"};
    uint64_t removed = 0;

    assert_int_equal(object_client_delete(rig.client, keys, 4, &removed, &rig.err), -1);
    assert_int_equal(removed, 3); /* a missing key counts as removed */
    assert_string_equal(seen_url[0], "POST http://127.0.0.1:7070/bucket/?delete=");
    assert_string_equal(seen_url[4], "DELETE http://127.0.0.1:7070/bucket/d");
    assert_non_null(strstr(rig_error(&rig), "cannot remove s3://bucket/c: HTTP 403 AccessDenied"));
    rig_end(&rig);
}

/* A lost connection concerns one key; a silent server, all further ones. */
static void removed_while_it_answers(void **state)
{
    /* each lost request is repeated OBJECT_RETRIES_COLD times */
    BEGIN(rig, {{.status = 501, .text = CODE("NotImplemented")},
                {.failure = -ECONNRESET, .times = 4},
                {.status = 204},
                {.failure = -ETIMEDOUT, .times = 4}});
    static const char *const keys[] = {"a", "b", "c", "d"};
    uint64_t removed = 0;

    assert_int_equal(object_client_delete(rig.client, keys, 4, &removed, &rig.err), -1);
    assert_int_equal(removed, 1);
    assert_string_equal(seen_url[9], "DELETE http://127.0.0.1:7070/bucket/c");
    rig_end(&rig);
}

static void removed_together(void **state)
{
    BEGIN(rig, {{.status = 200, .text = "<DeleteResult/>"},
                {.status = 200,
                 .text = "<DeleteResult><Error><Key>b</Key><Code>InternalError</Code>"
                         "</Error></DeleteResult>"},
                {.status = 204, .times = 2},
                /* perhaps only for several at once */
                {.status = 403, .text = CODE("AccessDenied"), .times = 2},
                {.status = 403, .text = CODE("AccessDenied")}, /* only for several at once */
                {.status = 204, .times = 2}});
    static const char *const keys[] = {"a", "b"};
    uint64_t removed = 0;

    assert_int_equal(object_client_delete(rig.client, keys, 2, &removed, &rig.err), 0);
    assert_int_equal(removed, 2);
    assert_non_null(strstr(seen_body[0], "<Key>a</Key></Object><Object><Key>b</Key>"));
    assert_int_equal(object_client_delete(rig.client, keys, 2, &removed, &rig.err),
                     0); /* tried again */
    assert_int_equal(removed, 4);
    assert_int_equal(object_client_delete(rig.client, keys, 2, &removed, &rig.err), -1);
    assert_int_equal(removed, 4);
    assert_int_equal(asked, 6); /* the first key is refused, so all are */
    rig.err = ERROR_INIT;
    assert_int_equal(object_client_delete(rig.client, keys, 2, &removed, &rig.err), 0);
    assert_int_equal(removed, 6);
    assert_int_equal(object_client_delete(rig.client, keys, 0, &removed, &rig.err), 0);
    rig_end(&rig);
}

#define UPLOAD(key, id) "<Upload><Key>" key "</Key><UploadId>" id "</UploadId></Upload>"
#define UPLOADS(inside) "<ListMultipartUploadsResult>" inside "</ListMultipartUploadsResult>"

/* More keys than a request takes. */
static void removed_in_batches(void **state)
{
    BEGIN(rig,
          {{.status = 200, .text = "<DeleteResult/>"}, {.status = 200, .text = "<DeleteResult/>"}});
    static const char *keys[1001];
    uint64_t removed = 0;

    for (unsigned i = 0; i < 1001; i++)
        keys[i] = i < 1000 ? "a" : "b";
    assert_int_equal(object_client_delete(rig.client, keys, 1001, &removed, &rig.err), 0);
    assert_int_equal(removed, 1001);
    assert_non_null(strstr(seen_body[1], "<Object><Key>b</Key></Object></Delete>"));
    rig_end(&rig);
}

static void uploads_given_up(void **state)
{
    BEGIN(rig, {{.status = 200,
                 .text = UPLOADS(UPLOAD("p/a", "1") UPLOAD("p/b", "2") UPLOAD(
                     "q/c", "3") "<IsTruncated>true</IsTruncated><NextKeyMarker>p/b"
                                 "</NextKeyMarker><NextUploadIdMarker>2</NextUploadIdMarker>")},
                {.status = 204},
                {.status = 404, .text = CODE("NoSuchUpload")},
                {.status = 200, .text = UPLOADS(UPLOAD("p/d", "4"))},
                {.status = 403, .text = CODE("AccessDenied")},
                {.status = 200, .text = UPLOADS("<Upload><Key>p/a</Key></Upload>")}});
    uint64_t aborted = 0;

    assert_int_equal(object_client_abort_uploads(rig.client, "p/", &aborted, &rig.err), -1);
    assert_int_equal(aborted, 1);
    assert_string_equal(seen_url[1], "DELETE http://127.0.0.1:7070/bucket/p/a?uploadId=1");
    assert_string_equal(seen_url[3],
                        "GET http://127.0.0.1:7070/bucket/?key-marker=p%2Fb&max-uploads=1000&"
                        "prefix=p%2F&upload-id-marker=2&uploads=");
    assert_non_null(strstr(rig_error(&rig), "q/c")); /* foreign: not touched */
    rig.err = ERROR_INIT;
    assert_int_equal(object_client_abort_uploads(rig.client, "p/", &aborted, &rig.err), -1);
    rig_end(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repeated_and_given_up),
        cmocka_unit_test(out_of_requests),
        cmocka_unit_test(another_region),
        cmocka_unit_test(pinned),
        cmocka_unit_test(region_in_the_document),
        cmocka_unit_test(regions_that_are_none),
        cmocka_unit_test(listed),
        cmocka_unit_test(listed_by_shorter_pages),
        cmocka_unit_test(removed_one_by_one),
        cmocka_unit_test(removed_while_it_answers),
        cmocka_unit_test(removed_together),
        cmocka_unit_test(removed_in_batches),
        cmocka_unit_test(uploads_given_up),
    };
    log_set_level(LOG_QUIET);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
