/* SPDX-License-Identifier: GPL-2.0-or-later */
/* service.c - from a target and its options to where requests go and who signs them, and the
 * manifest object as the first thing that is read and written there. */
#include "base/compat.h"

#include "target/object/object.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"

#define DEFAULT_REGION "us-east-1"

const volatile int object_never_stop = 0;

/* Without credentials endpoint and region are looked for all the same. */
static int find_credentials(const struct object_options *options, bool needed,
                            struct s3_service *service, struct s3_profile *profile,
                            struct error *err)
{
    struct object_options unsigned_options = *options;
    struct error own = ERROR_INIT;

    if (s3_credentials_find(options, &service->credentials, profile, &own) == 0)
        return 0;
    unsigned_options.anonymous = true;
    *profile = (struct s3_profile){0};
    if (needed ||
        s3_credentials_find(&unsigned_options, &service->credentials, profile, err) != 0) {
        *err = own;
        return -1;
    }
    log_info("# %s%s%s; the plan needs none, the run does", own.action,
             own.object[0] ? " " : "", own.object);
    return 0;
}

int s3_service_make(const char *target, const struct object_options *options, bool signs,
                    struct s3_service *service, struct s3_profile *profile, struct error *err)
{
    const char *endpoint, *region, *ca_file;

    *profile = (struct s3_profile){0};
    service->options = options;
    if (find_credentials(options, signs, service, profile, err) != 0)
        return -1;
    endpoint = options->endpoint ? options->endpoint : profile->endpoint;
    region = options->region ? options->region : profile->region;
    ca_file = options->ca_file ? options->ca_file : profile->ca_file;
    if (s3_address_make(target, endpoint, region ? region : DEFAULT_REGION,
                        (enum s3_addressing)options->addressing, &service->address, err) != 0) {
        s3_credentials_free(&service->credentials);
        s3_profile_free(profile);
        return -1;
    }
    service->ca_file = ca_file ? mem_strdup(ca_file) : NULL;
    service->payload = (enum s3_payload)options->payload;
    if (service->payload == S3_PAYLOAD_AUTO)
        service->payload = service->address.https ? S3_PAYLOAD_UNSIGNED : S3_PAYLOAD_SIGNED;
    atomic_store(&service->budget, options->max_requests ? options->max_requests : UINT64_MAX);
    return 0;
}

void s3_service_free(struct s3_service *service, struct s3_profile *profile)
{
    if (service->options == NULL)
        return;
    s3_address_free(&service->address);
    s3_credentials_free(&service->credentials);
    s3_profile_free(profile);
    free(service->ca_file);
    service->ca_file = NULL;
    service->options = NULL;
}

char *s3_service_url(const struct s3_service *service, const char *key)
{
    return mem_printf("s3://%s/%s", service->address.bucket, key);
}

/* ---- the command that removes a run ---- */

/* As one word of a shell. */
static char *shell_word(const char *text)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                "0123456789_-./:@%+=,";
    char *word, *to;

    if (text[0] != '\0' && text[strspn(text, plain)] == '\0')
        return mem_strdup(text);
    word = to = mem_calloc(strlen(text) * 4 + 3, 1);
    *to++ = '\'';
    for (; *text != '\0'; text++)
        if (*text == '\'') {
            memcpy(to, "'\\''", 4);
            to += 4;
        } else {
            *to++ = *text;
        }
    *to = '\'';
    return word;
}

/* Adds " --OPTION VALUE" when a value was given. */
static void add_option(char **command, const char *option, const char *value)
{
    char *word, *longer;

    if (value == NULL)
        return;
    word = shell_word(value);
    longer = mem_printf("%s --%s %s", *command, option, word);
    free(word);
    free(*command);
    *command = longer;
}

static void add_flag(char **command, const char *option, bool given)
{
    char *longer;

    if (!given)
        return;
    longer = mem_printf("%s --%s", *command, option);
    free(*command);
    *command = longer;
}

char *s3_clean_command(const struct s3_service *service, const char *run_prefix)
{
    static const char *const addressing[] = {NULL, "path", "virtual"};
    const struct object_options *options = service->options;
    char *target = mem_printf("s3://%s/%.*s", service->address.bucket,
                              (int)(strlen(run_prefix) - 1), run_prefix);
    char *word = shell_word(target), *command = mem_printf("iosweep clean %s", word);

    add_option(&command, "endpoint", options->endpoint ? service->address.endpoint : NULL);
    add_option(&command, "region", options->region);
    add_option(&command, "s3.profile", options->profile);
    add_option(&command, "s3.ca-file", options->ca_file);
    add_option(&command, "s3.addressing", addressing[options->addressing]);
    add_flag(&command, "insecure", options->insecure);
    add_flag(&command, "s3.anonymous", options->anonymous);
    free(word);
    free(target);
    return command;
}

/* ---- the manifest object ---- */

/* By the clock of the server alone.  -1: it does not tell. */
static int64_t age_of(const struct http_answer *answer)
{
    int64_t now_s, modified_s;

    if (!s3_parse_date(answer->date, &now_s) || !s3_parse_date(answer->modified, &modified_s))
        return -1;
    return now_s > modified_s ? now_s - modified_s : 0;
}

/* What answers to everything: a portal, a wrong port. */
static bool is_page(const char *text)
{
    return text[strspn(text, " \t\r\n\357\273\277")] == '<';
}

enum object_manifest_found object_manifest_get(struct object_client *client,
                                               const struct s3_service *service,
                                               const char *run_prefix,
                                               struct object_manifest *manifest, int64_t *age_s,
                                               bool *invalid, struct error *err)
{
    char *key = mem_printf("%s" OBJECT_MANIFEST_NAME, run_prefix), *url;
    char *text = mem_calloc(OBJECT_MANIFEST_TEXT_MAX, 1), run_name[OBJECT_RUN_NAME_MAX + 1] = "";
    const struct object_call call = {
        .verb = OBJECT_GET, .key = key, .into = text, .into_bytes = OBJECT_MANIFEST_TEXT_MAX};
    enum object_manifest_found found = OBJECT_MANIFEST_ERROR;
    const struct http_answer *answer = NULL;
    struct object_verdict verdict = {0};
    bool wrong = false;

    *manifest = (struct object_manifest){0};
    if (object_client_call(client, &call, "cannot read", &answer, &verdict, err) != 0) {
        if (verdict.errnum == ENOENT && strcmp(verdict.code, "NoSuchBucket") != 0) {
            *err = ERROR_INIT;
            found = OBJECT_MANIFEST_ABSENT;
        }
        wrong = strcmp(verdict.code, "TooLong") == 0;
    } else if (is_page(text)) {
        url = s3_service_url(service, key);
        error_set(err, STATUS_TARGET, 0, "the answer is a page for people, not", url);
        error_advise(err, "is this the endpoint of an S3 service?");
        free(url);
    } else if (object_manifest_parse(text, (size_t)answer->received_bytes, manifest, err) != 0) {
        wrong = true;
    } else if (!object_run_of_prefix(run_prefix, run_name) ||
               strcmp(run_name, manifest->run_name) != 0) {
        wrong = true;
        url = s3_service_url(service, key);
        error_set(err, STATUS_TARGET, 0, "the manifest of another run lies in", url);
        free(url);
        free(manifest->set);
        *manifest = (struct object_manifest){0};
    } else {
        found = OBJECT_MANIFEST_READ;
        memcpy(manifest->etag, answer->etag, sizeof(manifest->etag));
        if (age_s != NULL)
            *age_s = age_of(answer);
    }
    if (invalid != NULL)
        *invalid = wrong;
    free(text);
    free(key);
    return found;
}

int object_manifest_remove(struct object_client *client, const char *run_prefix, struct error *err)
{
    char *key = mem_printf("%s" OBJECT_MANIFEST_NAME, run_prefix);
    const struct object_call call = {.verb = OBJECT_DELETE, .key = key};
    const struct http_answer *answer;
    struct object_verdict verdict;
    struct error own = ERROR_INIT;
    int code = object_client_call(client, &call, "cannot remove", &answer, &verdict, &own);

    if (code != 0 && verdict.errnum == ENOENT)
        code = 0;
    else if (code != 0)
        *err = own;
    free(key);
    return code;
}

int object_manifest_is(struct object_client *client, const char *run_prefix,
                       const struct object_manifest *manifest, struct error *err)
{
    char *key = mem_printf("%s" OBJECT_MANIFEST_NAME, run_prefix);
    char *text = object_manifest_format(manifest), *found = mem_calloc(OBJECT_MANIFEST_TEXT_MAX, 1);
    const struct object_call call = {
        .verb = OBJECT_GET, .key = key, .into = found, .into_bytes = OBJECT_MANIFEST_TEXT_MAX};
    const struct http_answer *answer = NULL;
    struct object_verdict verdict = {0};
    struct error own = ERROR_INIT;
    int result;

    if (object_client_call(client, &call, "cannot read", &answer, &verdict, &own) == 0)
        result = !answer->too_long && answer->received_bytes == strlen(text) &&
                 memcmp(text, found, strlen(text)) == 0;
    else
        result = verdict.errnum == ENOENT ? 0 : -1;
    if (result < 0)
        *err = own;
    free(found);
    free(text);
    free(key);
    return result;
}

/* When the answer to an earlier attempt was lost on the way, a later one finds our own object
 * there.  After a single attempt it is another run's, even one with the same words. */
static bool put_by_lost_attempt(struct object_client *client, const char *run_prefix,
                                const struct object_manifest *manifest, bool repeated)
{
    struct error ignored = ERROR_INIT;

    return repeated && object_manifest_is(client, run_prefix, manifest, &ignored) > 0;
}

int object_manifest_put(struct object_client *client, const struct s3_service *service,
                        const char *run_prefix, const struct object_manifest *manifest,
                        struct error *err)
{
    const uint64_t requests = atomic_load(&service->requests[OBJECT_PUT]);
    char *key = mem_printf("%s" OBJECT_MANIFEST_NAME, run_prefix);
    char *text = object_manifest_format(manifest);
    struct object_call call = {.verb = OBJECT_PUT,
                               .key = key,
                               .only_if_absent = true,
                               .body = text,
                               .body_bytes = strlen(text)};
    struct object_verdict verdict = {0};
    const struct http_answer *answer = NULL;
    int code = object_client_call(client, &call, "cannot write", &answer, &verdict, err);

    if (code != 0 && verdict.errnum != EINTR && answer != NULL) {
        const int status = answer->status; /* the answer is the client's, for its next request */
        const bool repeated = atomic_load(&service->requests[OBJECT_PUT]) - requests > 1;
        if (status == 412 || status == 409) {
            if (put_by_lost_attempt(client, run_prefix, manifest, repeated)) {
                *err = ERROR_INIT;
                code = 0;
            } else {
                err->errnum = EEXIST;
            }
        } else if (status == 501) { /* not every server knows the condition */
            *err = ERROR_INIT;
            call.only_if_absent = false;
            code = object_client_call(client, &call, "cannot write", &answer, NULL, err);
        }
    }
    free(text);
    free(key);
    return code;
}

int object_manifest_renew(struct object_client *client, const char *run_prefix,
                          const struct object_manifest *manifest, const char *etag,
                          struct error *err)
{
    char *key = mem_printf("%s" OBJECT_MANIFEST_NAME, run_prefix);
    char *text = object_manifest_format(manifest);
    struct object_call call = {.verb = OBJECT_PUT,
                               .key = key,
                               .only_over = etag[0] != '\0' ? etag : NULL,
                               .body = text,
                               .body_bytes = strlen(text)};
    struct object_verdict verdict = {0};
    const struct http_answer *answer = NULL;
    int code = object_client_call(client, &call, "cannot write", &answer, &verdict, err);

    if (code != 0 && call.only_over != NULL && answer != NULL) {
        if (answer->status == 412 || answer->status == 404) {
            err->errnum = ESTALE;
        } else if (answer->status == 501 || answer->status == 400) { /* not every server knows it */
            *err = ERROR_INIT;
            call.only_over = NULL;
            code = object_client_call(client, &call, "cannot write", &answer, NULL, err);
        }
    }
    free(text);
    free(key);
    return code;
}
