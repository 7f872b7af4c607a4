/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* link.c - one thread's connections to S3: HTTP, a signer, and a request per slot. A link used for
 * one request at a time follows a redirect to another region, which is stored in the service before
 * the measuring threads exist. */
#include "base/compat.h"

#include "storage/object/s3/protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "base/mem.h"
#include "storage/object/web/web.h"

struct s3_link {
    struct object_link base; /* first */
    struct http *http;
    struct sigv4 *signer; /* NULL: nothing is signed */
    uint32_t slots;
    struct s3_request *request;
    bool region_followed;        /* at most once: a second time would not help */
    struct object_answer answer; /* the most recently requested one */
    char upload_id[OBJECT_UPLOAD_BYTES];
};

static struct s3_link *s3_link_of(struct object_link *link)
{
    return (struct s3_link *)link;
}

/* --- making ---------------------------------------------------------------------------------- */

void s3_disconnect(struct object_link *base)
{
    struct s3_link *link = s3_link_of(base);

    if (!link)
        return;
    http_destroy(link->http); /* first, since it sends from the requests */
    sigv4_destroy(link->signer);
    secret_wipe(link->request, link->slots * sizeof(*link->request));
    free(link->request);
    free(link);
}

int s3_connect(struct object_service *base, const struct object_link_config *wanted,
               struct object_link **out, struct error *err)
{
    const struct s3_service *service = s3_service_of(base);
    const struct http_config config = {
        .slots = wanted->slots,
        .ca_file = service->ca_file,
        .insecure = s3_options_of(base)->store.insecure,
        .reconnect = wanted->reconnect,
        .timeout_ns = base->options->timeout_ns,
        .transfer_bytes = (size_t)wanted->transfer_bytes,
    };
    struct s3_link *link = mem_calloc(1, sizeof(*link));

    *out = NULL;
    link->base.service = base;
    link->slots = wanted->slots;
    link->request = mem_calloc(wanted->slots, sizeof(*link->request));
    if (http_create(&config, &link->http, err) != 0 ||
        (!service->credentials.anonymous &&
         sigv4_create(&service->credentials, service->address.region, &link->signer, err) != 0)) {
        s3_disconnect(&link->base);
        return -1;
    }
    *out = &link->base;
    return 0;
}

/* --- calls ----------------------------------------------------------------------------------- */

int s3_begin(struct object_link *base, uint32_t slot, const struct object_call *call)
{
    struct s3_link *link = s3_link_of(base);
    struct s3_request *request = &link->request[slot];
    const int code =
        s3_request_make(s3_service_of(base->service), link->signer, call, time(NULL), request);

    return __builtin_expect(code < 0, 0) ? code : http_begin(link->http, slot, &request->http);
}

int s3_wait(struct object_link *base, uint64_t wait_ns, uint32_t *slot, unsigned max)
{
    return http_wait(s3_link_of(base)->http, wait_ns, slot, max);
}

static const char *version_name(unsigned version)
{
    return version == 11 ? "http/1.1" : version ? "http/1.0" : NULL;
}

/* Age by the server's own clock. -1: not reported. */
static int64_t age_of(const struct http_answer *answer)
{
    int64_t now_s, modified_s;

    if (!http_date_read(answer->date, &now_s) || !http_date_read(answer->modified, &modified_s))
        return -1;
    return now_s > modified_s ? now_s - modified_s : 0;
}

/* --- another region -------------------------------------------------------------------------- */

/* AWS's own host names contain the region: bucket.s3.REGION.amazonaws.com. Other hosts were chosen
 * by the user and are kept. *host is replaced. */
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

/* True if the service named another region, for which requests are now signed. */
static bool follow_region(struct s3_link *link, const struct http_answer *answer)
{
    struct s3_service *service = s3_service_of(link->base.service);
    struct s3_address *address = &service->address;
    char region[HTTP_FIELD_BYTES];
    struct error ignored = ERROR_INIT;
    struct sigv4 *signer;

    if (link->region_followed)
        return false;
    (void)snprintf(region, sizeof(region), "%s", answer->region);
    if (region[0] == '\0' && answer->text_bytes > 0)
        (void)xml_find(answer->text, answer->text_bytes, "Region", region, sizeof(region));
    if (!s3_is_region(region) || strcmp(region, address->region) == 0)
        return false;
    if (sigv4_create(&service->credentials, region, &signer, &ignored) != 0)
        return false;
    link->region_followed = true;
    log_info("# the bucket is in region %s, not %s: using %s", region, address->region, region);
    sigv4_destroy(link->signer);
    link->signer = signer;
    move_host(&address->authority, address->region, region);
    move_host(&address->endpoint, address->region, region);
    free(address->region);
    address->region = mem_strdup(region);
    return true;
}

/* --- answers --------------------------------------------------------------------------------- */

/* Completes the answer for calls that failed or are rare. */
static __attribute__((noinline, cold)) void
answer_more(struct s3_link *link, const struct object_call *call, const struct http_answer *http)
{
    struct object_answer *answer = &link->answer;
    const enum object_class class = answer->verdict.class;

    answer->settled = web_is_settled(http->failure, http->status);
    answer->again = (class == OBJECT_CLIENT_ERROR || class == OBJECT_REDIRECT) &&
                    !link->base.pinned && follow_region(link, http);
    answer->pause_ns = s3_asked_pause_ns(http);
    if (call->only_if_absent && (http->status == 412 || http->status == 409))
        answer->condition = OBJECT_CONDITION_UNMET;
    else if (call->only_if_absent && http->status == 501)
        answer->condition = OBJECT_CONDITION_UNKNOWN;
    link->upload_id[0] = '\0';
    if (call->verb == OBJECT_UPLOAD_BEGIN && http->status >= 200 && http->status < 300 &&
        xml_find(http->text, http->text_bytes, "UploadId", link->upload_id,
                 sizeof(link->upload_id)) <= 0)
        link->upload_id[0] = '\0';
}

const struct object_answer *s3_answer(struct object_link *base, uint32_t slot,
                                      const struct object_call *call)
{
    struct s3_link *link = s3_link_of(base);
    const struct http_answer *http = http_answer(link->http, slot);
    struct object_answer *answer = &link->answer;

    s3_judge(call, http, &answer->verdict);
    answer->sent_bytes = http->sent_bytes;
    answer->received_bytes = http->received_bytes;
    answer->new_connections = http->new_connections;
    answer->settled = true;
    answer->again = false;
    answer->pause_ns = 0;
    answer->condition = OBJECT_CONDITION_NONE;
    answer->etag = http->etag;
    answer->upload_id = link->upload_id;
    answer->age_s = call->want_age ? age_of(http) : -1;
    answer->times = web_times(&(struct http_times){0}, &http->times);
    answer->version = version_name(http->version);
    answer->detail = http;
    if (__builtin_expect(answer->verdict.class != OBJECT_DONE, 0) ||
        call->verb == OBJECT_UPLOAD_BEGIN)
        answer_more(link, call, http);
    return answer;
}

void s3_cancel(struct object_link *base, uint32_t slot, const struct object_call *call,
               uint64_t stopped_ns)
{
    (void)call, (void)stopped_ns;
    http_cancel(s3_link_of(base)->http, slot);
}
