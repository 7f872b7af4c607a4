/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* service.c - derives request addresses and credentials from a target and its options, and checks
 * access with the manifest object. */
#include "base/compat.h"

#include "storage/object/s3/protocol.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"

#define DEFAULT_REGION "us-east-1"

/* Endpoint and region are determined even without credentials. */
static int find_credentials(const struct s3_options *options, bool needed,
                            struct s3_service *service, struct s3_profile *profile,
                            struct error *err)
{
    struct s3_options unsigned_options = *options;
    struct error own = ERROR_INIT;

    if (s3_credentials_find(options, &service->credentials, profile, &own) == 0)
        return 0;
    unsigned_options.store.anonymous = true;
    *profile = (struct s3_profile){0};
    if (needed ||
        s3_credentials_find(&unsigned_options, &service->credentials, profile, err) != 0) {
        *err = own;
        return -1;
    }
    log_info("# %s%s%s; the plan needs none, the run does", own.action, own.object[0] ? " " : "",
             own.object);
    return 0;
}

int s3_open(const char *target, const void *block, bool signs, struct object_service **out,
            struct error *err)
{
    const struct s3_options *options = block;
    struct s3_service *service = mem_calloc(1, sizeof(*service));
    struct s3_profile *profile = &service->profile;
    const char *endpoint, *region, *ca_file;

    *out = NULL;
    service->base.protocol = &s3_protocol;
    service->base.options = &options->store;
    if (find_credentials(options, signs, service, profile, err) != 0) {
        free(service);
        return -1;
    }
    endpoint = options->store.endpoint ? options->store.endpoint : profile->endpoint;
    region = options->store.region ? options->store.region : profile->region;
    ca_file = options->store.ca_file ? options->store.ca_file : profile->ca_file;
    if (s3_address_make(target, endpoint, region ? region : DEFAULT_REGION,
                        (enum s3_addressing)options->addressing, &service->address, err) != 0) {
        s3_credentials_free(&service->credentials);
        s3_profile_free(profile);
        free(service);
        return -1;
    }
    service->base.prefix = service->address.prefix;
    service->base.verbs = OBJECT_VERBS_OF_BUCKETS;
    service->ca_file = ca_file ? mem_strdup(ca_file) : NULL;
    service->payload = (enum s3_payload)options->payload;
    if (service->payload == S3_PAYLOAD_AUTO)
        service->payload = service->address.https ? S3_PAYLOAD_UNSIGNED : S3_PAYLOAD_SIGNED;
    *out = &service->base;
    return 0;
}

void s3_close(struct object_service *base)
{
    struct s3_service *service = s3_service_of(base);

    s3_address_free(&service->address);
    s3_credentials_free(&service->credentials);
    s3_profile_free(&service->profile);
    free(service->ca_file);
    free(service);
}

/* ---- names ---- */

char *s3_url(const struct object_service *service, const char *key)
{
    return mem_printf("s3://%s/%s", s3_service_of(service)->address.bucket, key);
}

char *s3_place(const struct object_service *service, const char *prefix)
{
    const struct s3_address *address = &s3_service_of(service)->address;
    const int length = (int)strlen(prefix);

    return mem_printf("s3://%s%s%.*s (%s)", address->bucket, length > 0 ? "/" : "",
                      length > 0 ? length - 1 : 0, prefix, address->endpoint);
}

const char *s3_container(const struct object_service *service)
{
    return s3_service_of(service)->address.bucket;
}

/* Name of the payload mode of the service's uploads. */
const char *s3_payload_name(const struct object_service *base)
{
    const struct s3_service *service = s3_service_of(base);
    static const char *const name[][S3_CHECKSUM_COUNT] = {
        {"unsigned", "unsigned+md5", "unsigned+crc32", "unsigned+crc32c", "unsigned+crc64nvme"},
        {"signed", "signed+md5", "signed+crc32", "signed+crc32c", "signed+crc64nvme"},
        {"trailer", "trailer+md5", "trailer+crc32", "trailer+crc32c", "trailer+crc64nvme"},
        {"anonymous", "anonymous+md5", "anonymous+crc32", "anonymous+crc32c",
         "anonymous+crc64nvme"},
    };
    const unsigned how = service->credentials.anonymous           ? 3
                         : service->payload == S3_PAYLOAD_TRAILER ? 2
                         : service->payload == S3_PAYLOAD_SIGNED  ? 1
                                                                  : 0;

    return name[how][s3_request_checksum(service)];
}

/* ---- how it was reached ---- */

char *s3_reach(const struct object_service *base)
{
    static const char *const addressing[] = {NULL, "path", "virtual"};
    const struct s3_service *service = s3_service_of(base);
    const struct s3_options *options = s3_options_of(base);
    char *command = mem_strdup("");

    object_add_option(&command, "endpoint",
                      options->store.endpoint ? service->address.endpoint : NULL);
    object_add_option(&command, "region", options->store.region);
    object_add_option(&command, "profile", options->store.profile);
    object_add_option(&command, "ca-file", options->store.ca_file);
    object_add_option(&command, "s3.addressing", addressing[options->addressing]);
    object_add_flag(&command, "insecure", options->store.insecure);
    object_add_flag(&command, "anonymous", options->store.anonymous);
    return command;
}
