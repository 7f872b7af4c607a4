/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* client.c - single requests, for everything that is not measured: repeated if that can help, or
 * after the protocol has adapted to the service; and the counters of all requests of a service. */
#include "base/compat.h"

#include "storage/object/client.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"

/* After this wait for the server, removal reports it. */
#define PATIENT_NS     UINT64_C(1000000000)
#define TRANSFER_BYTES (UINT64_C(1) << 20)
#define LOOK_NS        UINT64_C(50000000)
#define NS_PER_MS      UINT64_C(1000000)
#define FIRST_NS       (100 * NS_PER_MS)
#define DOUBLED_MOST   6u
#define ASKED_MOST_NS  (20000 * NS_PER_MS)

int object_client_create(struct object_service *service, const volatile int *stop,
                         struct object_client **out, struct error *err)
{
    const struct object_link_config config = {
        .slots = 1,
        .transfer_bytes = TRANSFER_BYTES,
        .stop = stop,
    };
    struct object_client *client = mem_calloc(1, sizeof(*client));

    *out = NULL;
    client->service = service;
    client->protocol = service->protocol;
    client->stop = stop;
    rng_seed(&client->jitter, clock_monotonic_ns(), 0);
    if (client->protocol->connect(service, &config, &client->link, err) != 0) {
        free(client);
        return -1;
    }
    *out = client;
    return 0;
}

void object_client_destroy(struct object_client *client)
{
    if (!client)
        return;
    client->protocol->disconnect(client->link);
    free(client);
}

static bool is_stopped(const struct object_client *client)
{
    return client->stop && flag_read(client->stop) != 0;
}

/* --- a call --- */

uint64_t object_pause_ns(uint64_t repetition, uint64_t asked_ns, struct rng *rng)
{
    const uint64_t doubled = repetition > DOUBLED_MOST ? DOUBLED_MOST : repetition - 1;
    const uint64_t own_ns = FIRST_NS << doubled;
    uint64_t pause_ns = asked_ns < ASKED_MOST_NS ? asked_ns : ASKED_MOST_NS;

    if (pause_ns < own_ns)
        pause_ns = own_ns;
    return pause_ns + rng_below(rng, pause_ns / 4 + 1);
}

/* False: stopped. */
static bool rest(const struct object_client *client, uint64_t pause_ns)
{
    while (pause_ns > 0 && !is_stopped(client)) {
        const uint64_t step_ns = pause_ns < LOOK_NS ? pause_ns : LOOK_NS;

        clock_rest(step_ns);
        pause_ns -= step_ns;
    }
    return !is_stopped(client);
}

static bool cleans_up(enum object_verb verb)
{
    return verb == OBJECT_DELETE || verb == OBJECT_DELETE_MANY || verb == OBJECT_UPLOAD_ABORT ||
           verb == OBJECT_UPLOAD_LIST;
}

int object_error(const struct object_service *service, const char *key, int errnum,
                 const char *what, struct error *err)
{
    char *url = object_url(service, key);

    error_set(err, STATUS_TARGET, errnum, what, url);
    free(url);
    return -1;
}

static int refuse(const struct object_service *service, const struct object_call *call,
                  const char *what, int errnum, const char *advice, struct error *err)
{
    (void)object_error(service, call->key ? call->key : "", errnum, what, err);
    return advice ? error_advise(err, "%s", advice) : -1;
}

int object_call_failed(const struct object_service *service, const struct object_call *call,
                       const char *what, const struct object_answer *answer, struct error *err)
{
    (void)refuse(service, call, what, answer->verdict.errnum, NULL, err);
    service->protocol->explain(answer, err);
    return -1;
}

/* Returns NULL with *code -errno if nothing was sent. */
static const struct object_answer *perform(struct object_client *client,
                                           const struct object_call *call, int *code)
{
    const struct object_protocol *protocol = client->protocol;
    const uint64_t begun_ns = clock_monotonic_ns();
    uint64_t stopped_ns = 0;
    uint32_t slot;
    int got;

    *code = protocol->begin(client->link, 0, call);
    if (*code < 0)
        return NULL;
    while ((got = protocol->wait(client->link, LOOK_NS, &slot, 1)) <= 0) {
        const uint64_t now_ns = clock_monotonic_ns();

        if (client->hurry && now_ns - begun_ns >= PATIENT_NS)
            log_progress("removing: no reply from the server for %.0f s%s",
                         (double)(now_ns - begun_ns) / 1e9,
                         flag_read(client->hurry) ? "; another signal ends at once" : "");
        if (got == 0 && !is_stopped(client))
            continue;
        stopped_ns = stopped_ns ? stopped_ns : now_ns;
        protocol->cancel(client->link, 0, call, now_ns - stopped_ns);
    }
    return protocol->answer(client->link, 0, call);
}

/* Sends once.  Returns NULL with err if the request could not be made. */
static const struct object_answer *send_once(struct object_client *client,
                                             const struct object_call *call, const char *what,
                                             struct error *err)
{
    struct object_service *service = client->service;
    const struct object_answer *answer;
    int result;

    if (client->silent || is_stopped(client)) {
        (void)refuse(service, call, what, client->silent ? ETIMEDOUT : EINTR, NULL, err);
        return NULL;
    }
    if (!object_request_count(service, call->verb, cleans_up(call->verb))) {
        (void)refuse(service, call, what, 0, "no request is left of --max-requests", err);
        return NULL;
    }
    answer = perform(client, call, &result);
    if (!answer) {
        (void)refuse(service, call, what, -result, "the request cannot be written", err);
        return NULL;
    }
    atomic_fetch_add_explicit(&service->sent_bytes, answer->sent_bytes, memory_order_relaxed);
    atomic_fetch_add_explicit(&service->received_bytes, answer->received_bytes,
                              memory_order_relaxed);
    if (answer->unsent)
        object_request_give_back(service, call->verb, answer->unsent);
    return answer;
}

int object_client_call(struct object_client *client, const struct object_call *call,
                       const char *what, const struct object_answer **answer,
                       struct object_verdict *verdict, struct error *err)
{
    const uint64_t retries = object_retries_cold(client->service->options);
    struct object_verdict own;
    uint64_t repetition = 0;
    bool asked_again = false;

    verdict = verdict ? verdict : &own;
    *verdict = (struct object_verdict){.class = OBJECT_CLIENT_ERROR, .errnum = EINVAL};
    for (;;) {
        *answer = send_once(client, call, what, err);
        if (!*answer) {
            if (client->silent || is_stopped(client))
                *verdict = (struct object_verdict){.class = OBJECT_NETWORK_ERROR,
                                                   .errnum = client->silent ? ETIMEDOUT : EINTR};
            return -1;
        }
        *verdict = (*answer)->verdict;
        if (verdict->class == OBJECT_DONE)
            return 0;
        if ((*answer)->again && !asked_again && !is_stopped(client)) {
            asked_again = true;
            continue;
        }
        object_count_unsure(client->service, call->verb, *answer);
        client->silent = verdict->class == OBJECT_NETWORK_ERROR && verdict->errnum == ETIMEDOUT &&
                         object_client_hurries(client);
        if (!is_stopped(client) && !client->silent && verdict->retryable && repetition < retries &&
            rest(client, object_pause_ns(++repetition, (*answer)->pause_ns, &client->jitter)))
            continue;
        /* stopped: a refusal by the server is reported nevertheless */
        if (!is_stopped(client) || (!verdict->retryable && verdict->errnum != EINTR))
            return object_call_failed(client->service, call, what, *answer, err);
        verdict->errnum = EINTR;
        return refuse(client->service, call, what, EINTR, NULL, err);
    }
}

int object_client_try(struct object_client *client, const struct object_call *call,
                      const char *what, const struct object_answer **answer,
                      struct object_verdict *verdict, struct error *err)
{
    const struct object_answer *ignored;
    struct object_verdict own;
    struct error why = ERROR_INIT;

    verdict = verdict ? verdict : &own;
    if (object_client_call(client, call, what, answer ? answer : &ignored, verdict, &why) == 0)
        return 1;
    if (verdict->errnum == ENOENT)
        return 0;
    *err = why;
    return -1;
}

int object_client_has(struct object_client *client, const char *key, struct error *err)
{
    const struct object_call call = {.verb = OBJECT_STAT, .key = key};

    return object_client_try(client, &call, "cannot look for", NULL, NULL, err);
}

/* --- places that the service keeps --- */

/* Where looking is forbidden, writing may be allowed. */
int object_client_expect_place(struct object_client *client, struct error *err)
{
    const char *prefix = client->service->prefix, *make_place = client->protocol->make_place;
    const struct object_call call = {.verb = OBJECT_STAT, .key = prefix};
    struct object_verdict verdict;
    char *path, *word, *place;
    int code;

    if (!make_place || prefix[0] == '\0')
        return 0;
    code = object_client_try(client, &call, "cannot look for", NULL, &verdict, err);
    if (code < 0)
        return verdict.errnum == EACCES ? 0 : -1;
    if (code == 0 && (verdict.is_place || verdict.no_place))
        return 0;
    place = object_place(client->service, prefix, true);
    if (code > 0) {
        error_refuse(err, STATUS_TARGET, "this is a file, not a directory:", place,
                     "name the directory to create files in, or read this file with -r");
    } else {
        path = mem_printf("/%.*s", (int)strlen(prefix) - 1, prefix); /* without the last "/" */
        word = text_shell_word(path);
        error_set(err, STATUS_TARGET, 0, "no such directory:", place);
        error_advise(err, "create it first: %s %s", make_place, word);
        free(path);
        free(word);
    }
    free(place);
    return -1;
}
