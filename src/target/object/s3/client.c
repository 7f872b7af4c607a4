/* SPDX-License-Identifier: GPL-2.0-or-later */
/* client.c - one request at a time, for everything that is not measured: repeated when that can
 * help, sent once more for the region that the service names, or with the time of its clock.  What
 * is learned so lands in the service before the threads that measure exist. */
#include "base/compat.h"

#include "target/object/s3/client.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/rng.h"
#include "target/object/s3/xml.h"

/* Removing says so when it waits for the server so long. */
#define PATIENT_NS     UINT64_C(1000000000)
#define RETRIES_LEAST  3u
#define PAUSE_FIRST_MS 100u
#define PAUSE_MOST_MS  5000u
#define NS_PER_MS      UINT64_C(1000000)
/* A clock that is less than this away is no reason to refuse a signature (S3: 15 minutes). */
#define SKEW_LEAST_S 600

struct object_client {
    struct s3_service *service;
    const volatile int *stop;
    const volatile int *hurry; /* raised: a server that does not answer is asked once only */
    struct http *http;
    struct sigv4 *signer;
    bool silent; /* asked once, the server said nothing until the timeout, and the end is near */
    bool region_followed, clock_followed; /* each once: it does not help a second time */
    struct rng jitter;
    struct s3_request request;
};

static void tell_waiting(void *arg, uint64_t waited_ns)
{
    const volatile int *hurry = arg;

    if (waited_ns >= PATIENT_NS)
        log_progress("removing: the server has not answered for %.0f s%s", (double)waited_ns / 1e9,
                     flag_read(hurry) ? "; another signal ends at once" : "");
}

static int create(struct s3_service *service, const volatile int *stop, const volatile int *hurry,
                  struct object_client **out, struct error *err)
{
    const struct object_options *options = service->options;
    const struct http_config config = {
        .slots = 1,
        .version = options->http == S3_HTTP_2     ? HTTP_VERSION_2
                   : options->http == S3_HTTP_1_1 ? HTTP_VERSION_1_1
                                                  : HTTP_VERSION_AUTO,
        .ca_file = service->ca_file,
        .insecure = options->insecure,
        .timeout_ns = options->timeout_ns,
        .transfer_bytes = HTTP_TEXT_BYTES,
        .stop = stop,
        .waiting = hurry ? tell_waiting : NULL,
        .waiting_arg = (void *)(uintptr_t)hurry,
    };
    struct object_client *client = mem_calloc(1, sizeof(*client));

    *out = NULL;
    client->service = service;
    client->stop = stop;
    client->hurry = hurry;
    rng_seed(&client->jitter, clock_monotonic_ns(), 0);
    if (http_create(&config, &client->http, err) != 0 ||
        sigv4_create(&service->credentials, service->address.region, &client->signer, err) != 0) {
        object_client_destroy(client);
        return -1;
    }
    *out = client;
    return 0;
}

int object_client_create(struct s3_service *service, const volatile int *stop,
                         struct object_client **out, struct error *err)
{
    return create(service, stop, NULL, out, err);
}

int object_client_create_cleaner(struct s3_service *service, const volatile int *hurry,
                                 struct object_client **out, struct error *err)
{
    return create(service, NULL, hurry, out, err);
}

bool object_client_hurries(const struct object_client *client)
{
    return client->hurry && flag_read(client->hurry);
}

void object_client_destroy(struct object_client *client)
{
    if (!client)
        return;
    http_destroy(client->http);
    sigv4_destroy(client->signer);
    sigv4_cleanse(&client->request, sizeof(client->request));
    free(client);
}

void object_client_pin(struct object_client *client)
{
    client->region_followed = client->clock_followed = true;
}

static bool is_stopped(const struct object_client *client)
{
    return client->stop && *client->stop != 0;
}

/* --- another region -------------------------------------------------------------------------- */

static bool is_region(const char *text)
{
    size_t length = 0;

    for (; text[length]; length++) {
        const char c = text[length];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              c == '-' || c == '_'))
            return false;
    }
    return length > 0 && length < 64;
}

/* In AWS's own names of hosts the region is a part: bucket.s3.REGION.amazonaws.com.  Other hosts
 * were chosen by the user and stay.  *host is replaced. */
static void move_host(char **host, const char *from, const char *to)
{
    char *part = mem_printf(".%s.amazonaws.com", from);
    const char *at = strstr(*host, part);

    if (at) {
        char *moved = mem_printf("%.*s.%s%s", (int)(at - *host), *host, to, at + 1 + strlen(from));
        free(*host);
        *host = moved;
    }
    free(part);
}

/* True when the service named another region and requests are signed for that now. */
static bool follow_region(struct object_client *client, const struct http_answer *answer)
{
    struct s3_address *address = &client->service->address;
    char region[HTTP_FIELD_BYTES];
    struct error ignored = ERROR_INIT;
    struct sigv4 *signer;

    if (client->region_followed)
        return false;
    (void)snprintf(region, sizeof(region), "%s", answer->region);
    if (region[0] == '\0' && answer->text_bytes > 0)
        (void)xml_find(answer->text, answer->text_bytes, "Region", region, sizeof(region));
    if (!is_region(region) || strcmp(region, address->region) == 0)
        return false;
    if (sigv4_create(&client->service->credentials, region, &signer, &ignored) != 0)
        return false;
    client->region_followed = true;
    log_info("# the bucket is in region %s, not %s: using %s", region, address->region, region);
    sigv4_destroy(client->signer);
    client->signer = signer;
    move_host(&address->authority, address->region, region);
    move_host(&address->endpoint, address->region, region);
    free(address->region);
    address->region = mem_strdup(region);
    return true;
}

/* --- another time ----------------------------------------------------------------------------- */

/* "Fri, 24 May 2013 00:00:00 GMT" (RFC 9110, 5.6.7) in seconds since 1970.  Days by the civil
 * calendar of 400 years, counted from March so that leap days are at the end. */
bool s3_parse_date(const char *text, int64_t *seconds)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    static const unsigned char digit_at[] = {5, 6, 12, 13, 14, 15, 17, 18, 20, 21, 23, 24};
    int number[sizeof(digit_at)];
    char name[4] = "";
    const char *month_at;

    if (strlen(text) != 29 || strcmp(text + 25, " GMT") != 0)
        return false;
    for (size_t i = 0; i < sizeof(digit_at); i++) {
        number[i] = text[digit_at[i]] - '0';
        if (number[i] < 0 || number[i] > 9)
            return false;
    }
    memcpy(name, text + 8, 3);
    month_at = strstr(months, name);
    if (!month_at || (month_at - months) % 3 != 0 || strlen(name) != 3)
        return false;

    const int64_t day = number[0] * 10 + number[1], month = (month_at - months) / 3 + 1;
    const int64_t year =
        number[2] * 1000 + number[3] * 100 + number[4] * 10 + number[5] - (month <= 2 ? 1 : 0);
    const int64_t era = year / 400, year_of_era = year % 400;
    const int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    const int64_t days = era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 +
                         day_of_year - 719468;
    *seconds = days * 86400 + (number[6] * 10 + number[7]) * 3600 +
               (number[8] * 10 + number[9]) * 60 + number[10] * 10 + number[11];
    return true;
}

/* True when the server's clock is another and requests are signed with its time now. */
static bool follow_clock(struct object_client *client, const struct http_answer *answer,
                         const struct object_verdict *verdict)
{
    int64_t server_s, offset_s, wrong_by_s;
    const bool said = strcmp(verdict->code, "RequestTimeTooSkewed") == 0;

    /* answers to HEAD have no code */
    if (client->clock_followed || !(said || (answer->status == 403 && !verdict->code[0])) ||
        !s3_parse_date(answer->date, &server_s))
        return false;
    offset_s = server_s - (int64_t)time(NULL);
    wrong_by_s = offset_s - client->service->clock_offset_s;
    if (wrong_by_s > -SKEW_LEAST_S && wrong_by_s < SKEW_LEAST_S)
        return false;
    client->clock_followed = true;
    client->service->clock_offset_s = offset_s;
    log_info("# the clock of the server is %" PRId64 " s %s of ours: signing with its time",
             offset_s < 0 ? -offset_s : offset_s, offset_s < 0 ? "behind" : "ahead");
    return true;
}

/* --- a call ------------------------------------------------------------------------------------
 */

/* Waits before request number `repetition` is sent again, longer each time and never quite the
 * same, so that clients that failed together do not come back together.  False: stopped. */
static bool pause_before(struct object_client *client, uint64_t repetition, uint64_t asked_ns)
{
    uint64_t ms = PAUSE_FIRST_MS;

    for (uint64_t i = 1; i < repetition && ms < PAUSE_MOST_MS; i++)
        ms *= 4;
    ms = ms > PAUSE_MOST_MS ? PAUSE_MOST_MS : ms;
    ms = asked_ns / NS_PER_MS > ms ? asked_ns / NS_PER_MS : ms;
    ms += rng_below(&client->jitter, ms / 4 + 1);
    while (ms > 0 && !is_stopped(client)) {
        const uint64_t step = ms < 50 ? ms : 50;
        const struct timespec time = {.tv_nsec = (long)step * 1000000L};
        (void)nanosleep(&time, NULL); /* cut short by a signal: looked at above */
        ms -= step;
    }
    return !is_stopped(client);
}

/* Clean-up is never refused: what is left behind would cost more. */
static bool may_send(struct s3_service *service, enum object_verb kind)
{
    if (object_request_count(service, kind))
        return true;
    if (kind != OBJECT_DELETE && kind != OBJECT_DELETE_MANY && kind != OBJECT_UPLOAD_ABORT &&
        kind != OBJECT_UPLOAD_LIST)
        return false;
    atomic_fetch_add_explicit(&service->requests[kind], 1, memory_order_relaxed);
    return true;
}

static void name_object(const struct object_client *client, const struct object_call *call,
                        char *text, size_t room)
{
    (void)snprintf(text, room, "s3://%s/%s", client->service->address.bucket,
                   call->key && call->verb != OBJECT_DELETE_MANY ? call->key : "");
}

static int fail(const struct object_client *client, const struct object_call *call,
                const char *what, const struct http_answer *answer,
                const struct object_verdict *verdict, struct error *err)
{
    char object[OBJECT_KEY_BYTES + 80], words[256], endpoint[160] = "", shown[160];
    const char *advice;

    name_object(client, call, object, sizeof(object));
    error_set(err, STATUS_TARGET, verdict->errnum, what, object);
    s3_explain(answer, verdict, words, sizeof(words), &advice);
    error_explain(err, "%s", words);
    if (verdict->class == OBJECT_REDIRECT && answer->text_bytes > 0 &&
        xml_find(answer->text, answer->text_bytes, "Endpoint", endpoint, sizeof(endpoint)) > 0)
        return error_advise(err, "the service names %s: is that --endpoint?",
                            error_printable(endpoint, shown, sizeof(shown)));
    return advice ? error_advise(err, "%s", advice) : -1;
}

static int refuse(const struct object_client *client, const struct object_call *call,
                  const char *what, int errnum, const char *advice, struct error *err)
{
    char object[OBJECT_KEY_BYTES + 80];

    name_object(client, call, object, sizeof(object));
    error_set(err, STATUS_TARGET, errnum, what, object);
    return advice ? error_advise(err, "%s", advice) : -1;
}

/* Sends once.  Returns NULL with err when it could not even be made. */
static const struct http_answer *send_once(struct object_client *client,
                                           const struct object_call *call, const char *what,
                                           struct error *err)
{
    struct s3_service *service = client->service;
    const struct http_answer *answer;
    int result;

    if (client->silent) {
        (void)refuse(client, call, what, ETIMEDOUT, NULL, err);
        return NULL;
    }
    if (!may_send(service, call->verb)) {
        (void)refuse(client, call, what, 0, "no request is left of --max-requests", err);
        return NULL;
    }
    result = s3_request_make(service, client->signer, call, time(NULL), &client->request);
    if (result != 0) {
        (void)refuse(client, call, what, -result, "the request cannot be written", err);
        return NULL;
    }
    answer = http_perform(client->http, &client->request.http);
    atomic_fetch_add_explicit(&service->sent_bytes, answer->sent_bytes, memory_order_relaxed);
    atomic_fetch_add_explicit(&service->received_bytes, answer->received_bytes,
                              memory_order_relaxed);
    return answer;
}

static bool is_hopeless(const struct object_client *client, const struct object_verdict *verdict)
{
    return verdict->class == OBJECT_NETWORK_ERROR && verdict->errnum == ETIMEDOUT &&
           client->hurry && flag_read(client->hurry);
}

int object_client_call(struct object_client *client, const struct object_call *call,
                       const char *what, const struct http_answer **answer,
                       struct object_verdict *verdict, struct error *err)
{
    const uint64_t retries = client->service->options->retries > RETRIES_LEAST
                                 ? client->service->options->retries
                                 : RETRIES_LEAST;
    struct object_verdict own;
    uint64_t repetition = 0;

    verdict = verdict ? verdict : &own;
    *verdict = (struct object_verdict){.class = OBJECT_CLIENT_ERROR, .errnum = EINVAL};
    for (;;) {
        const bool unsent = is_stopped(client);
        *answer = send_once(client, call, what, err);
        if (!*answer) {
            if (client->silent)
                *verdict =
                    (struct object_verdict){.class = OBJECT_NETWORK_ERROR, .errnum = ETIMEDOUT};
            return -1;
        }
        s3_judge(call, *answer, verdict);
        if (verdict->class == OBJECT_DONE)
            return 0;
        if (!unsent)
            object_count_unsure(client->service, call->verb, *answer);
        if ((verdict->class == OBJECT_CLIENT_ERROR || verdict->class == OBJECT_REDIRECT) &&
            (follow_region(client, *answer) || follow_clock(client, *answer, verdict)))
            continue;
        client->silent = is_hopeless(client, verdict);
        if (!is_stopped(client) && verdict->retryable && !client->silent &&
            repetition++ < retries && pause_before(client, repetition, s3_asked_pause_ns(*answer)))
            continue;
        /* stopped: what the server has decided is said all the same */
        if (!is_stopped(client) || (!verdict->retryable && verdict->errnum != EINTR))
            return fail(client, call, what, *answer, verdict, err);
        verdict->errnum = EINTR;
        return refuse(client, call, what, EINTR, NULL, err);
    }
}
