/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* service.c - the address of a bucket and the credentials for it, from a target, its options and
 * the environment; the table of hooks for the object layer.
 *
 * Addresses are strict on purpose: they go into URLs, Host headers and signatures unchanged, so
 * names of hosts and buckets must not contain anything that would need encoding there. Prefixes may
 * be any text; they are encoded with the keys. An endpoint with '@', '?' or '#' is never shown,
 * because it may contain a password or a token. */
#include "base/compat.h"

#include "storage/object/s3/protocol.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"
#include "net/authority.h"

#define LOWER   "abcdefghijklmnopqrstuvwxyz"
#define UPPER   "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS  "0123456789"
#define IN_PATH LOWER UPPER DIGITS "-._~/"

#define BUCKET_LEAST    3
#define BUCKET_MOST     63
#define BUCKET_MOST_OLD 255
#define REGION_MOST     64
#define DEFAULT_REGION  "us-east-1"
#define TARGET_FORM     "write s3://BUCKET or s3://BUCKET/PREFIX"
#define ENDPOINT_FORM   "write http://HOST:PORT or https://HOST"

struct endpoint {
    bool https;
    bool numeric; /* the host is an IP address */
    char *host;   /* with the brackets of IPv6 */
    unsigned port;
    char *path; /* "" or "/a/b" */
};

/* --- bucket and prefix ----------------------------------------------------------------------- */

/* Whether a bucket can be the first label of a host name: S3's rules for new buckets. */
static bool bucket_is_label(const char *bucket)
{
    struct in_addr address;
    const size_t length = strlen(bucket);

    return length <= BUCKET_MOST && text_holds_only(bucket, LOWER DIGITS "-.") &&
           strchr(LOWER DIGITS, bucket[0]) && strchr(LOWER DIGITS, bucket[length - 1]) &&
           !strstr(bucket, "..") && !strstr(bucket, ".-") && !strstr(bucket, "-.") &&
           inet_pton(AF_INET, bucket, &address) != 1;
}

/* Rules for buckets made before 2018 in us-east-1, and on other services. */
static bool bucket_is_old(const char *bucket)
{
    const size_t length = strlen(bucket);

    return length <= BUCKET_MOST_OLD && text_holds_only(bucket, LOWER UPPER DIGITS "-._") &&
           strchr(LOWER UPPER DIGITS, bucket[0]);
}

static int check_bucket(const char *target, const char *bucket, bool *label, struct error *err)
{
    *label = strlen(bucket) >= BUCKET_LEAST && bucket_is_label(bucket);
    if (*label || (strlen(bucket) >= BUCKET_LEAST && bucket_is_old(bucket)))
        return 0;
    return error_refuse(
        err, STATUS_USAGE,
        *bucket == '\0' ? "no bucket named in" : "no bucket can have the name in", target,
        *bucket == '\0' ? TARGET_FORM
                        : "names have 3 to 63 of the characters a-z 0-9 . and -, and begin "
                          "and end with a letter or digit");
}

/* "s3://BUCKET[/PREFIX]"; a trailing slash is ignored. */
static int take_target(const char *target, struct s3_address *address, bool *label,
                       struct error *err)
{
    const char *bucket = target + 5, *slash;
    size_t length;

    if (strncmp(target, "s3://", 5) != 0)
        return error_refuse(err, STATUS_USAGE, "this is not a bucket:", target, TARGET_FORM);
    slash = strchr(bucket, '/');
    length = slash ? (size_t)(slash - bucket) : strlen(bucket);
    address->bucket = mem_printf("%.*s", length < 512 ? (int)length : 512, bucket);
    if (check_bucket(target, address->bucket, label, err) != 0)
        return -1;
    address->prefix = object_prefix_take(target, slash ? slash + 1 : "", err);
    return address->prefix ? 0 : -1;
}

/* --- endpoint -------------------------------------------------------------------------------- */

static int refuse_endpoint(const char *why, const char *shown, struct error *err)
{
    return error_refuse(err, STATUS_USAGE, why, shown, ENDPOINT_FORM);
}

static int take_endpoint(const char *text, struct endpoint *endpoint, struct error *err)
{
    const char *at = text;
    size_t length, host_length;

    if (strpbrk(text, "@?#"))
        return refuse_endpoint("an endpoint cannot have a user, password, query or fragment", NULL,
                               err);
    endpoint->https = strncasecmp(at, "https://", 8) == 0;
    if (!endpoint->https && strncasecmp(at, "http://", 7) != 0)
        return refuse_endpoint("the endpoint does not begin with http:// or https://:", text, err);
    at += endpoint->https ? 8 : 7;
    length = strcspn(at, "/");
    host_length = authority_host_bytes(at);
    if (length > 2 * AUTHORITY_HOST_MOST ||
        !authority_host(at, host_length, &endpoint->host, &endpoint->numeric))
        return refuse_endpoint("not a host name or address in the endpoint:", text, err);
    if (!authority_port(at + host_length, length - host_length, endpoint->https ? 443 : 80,
                        &endpoint->port))
        return refuse_endpoint("not a port in the endpoint:", text, err);
    endpoint->path = mem_strdup(at + length);
    length = strlen(endpoint->path);
    if (length > 0 && endpoint->path[length - 1] == '/')
        endpoint->path[length - 1] = '\0';
    if (length > OBJECT_PREFIX_MOST || !text_holds_only(endpoint->path, IN_PATH) ||
        (endpoint->path[0] != '\0' && object_prefix_odd(endpoint->path + 1)))
        return refuse_endpoint("this path is not allowed in the endpoint:", text, err);
    return 0;
}

/* Refuses "https://host/bucket" and "https://bucket.s3.host", as shown on services' web pages:
 * requests would go to a bucket inside the bucket. An explicit --s3.addressing disables this
 * check. */
static int refuse_bucket_twice(const struct endpoint *endpoint, const char *bucket,
                               enum s3_addressing addressing, struct error *err)
{
    const char *last = strrchr(endpoint->path, '/'), *rest;
    const size_t length = strlen(bucket);

    if (addressing != S3_ADDRESSING_AUTO)
        return 0;
    if (last && strcmp(last + 1, bucket) == 0)
        return error_refuse(err, STATUS_USAGE, "the endpoint ends with the bucket:", bucket,
                            "leave the bucket out of --endpoint; if its path really ends this way, "
                            "add --s3.addressing path");
    rest = strncmp(endpoint->host, bucket, length) == 0 ? endpoint->host + length : "";
    if (strncmp(rest, ".s3.", 4) != 0 && strncmp(rest, ".s3-", 4) != 0)
        return 0;
    return error_refuse(err, STATUS_USAGE, "the endpoint begins with the bucket:", endpoint->host,
                        "leave the bucket out of --endpoint: http%s://%s",
                        endpoint->https ? "s" : "", rest + 1);
}

/* The AWS endpoint of a region; in China it is in another domain. */
static int make_aws(const char *region, struct endpoint *endpoint, struct error *err)
{
    if (!text_holds_only(region, LOWER DIGITS "-") || region[0] == '-')
        return error_refuse(err, STATUS_USAGE, "AWS has no region", region,
                            "write it as in eu-west-1, or name another service with --endpoint");
    endpoint->https = true;
    endpoint->port = 443;
    endpoint->host =
        mem_printf("s3.%s.amazonaws.com%s", region, strncmp(region, "cn-", 3) == 0 ? ".cn" : "");
    endpoint->path = mem_strdup("");
    return 0;
}

/* Regions are signed and displayed; other services choose their own names. */
bool s3_is_region(const char *text)
{
    const size_t length = strlen(text);

    return length > 0 && length <= REGION_MOST && text_holds_only(text, LOWER UPPER DIGITS "-._");
}

/* --- result --------------------------------------------------------------------------------- */

/* label: the bucket can be a label of a host name. */
static int choose_style(const char *target, enum s3_addressing addressing, bool aws, bool label,
                        const struct endpoint *endpoint, struct s3_address *address,
                        struct error *err)
{
    const bool dotted = endpoint->https && strchr(address->bucket, '.');
    const char *why = NULL;

    if (addressing == S3_ADDRESSING_AUTO) { /* path style where the other cannot work */
        address->virtual_host = aws && label && !dotted;
        return 0;
    }
    address->virtual_host = addressing == S3_ADDRESSING_VIRTUAL;
    if (!address->virtual_host)
        return 0;
    if (endpoint->numeric)
        why = "an IP address has no virtual hosts for";
    else if (!label)
        why = "a virtual host cannot have the name of the bucket in";
    else if (dotted)
        why = "certificates do not cover virtual hosts of buckets with a dot, as in";
    else if (strlen(address->bucket) + 1 + strlen(endpoint->host) > AUTHORITY_HOST_MOST)
        why = "the virtual host name is too long for";
    if (!why)
        return 0;
    return error_refuse(err, STATUS_USAGE, why, target, "use --s3.addressing path");
}

static void assemble(const struct endpoint *endpoint, struct s3_address *address)
{
    const bool usual = endpoint->port == (endpoint->https ? 443u : 80u);
    char port[16] = "";

    if (!usual)
        (void)snprintf(port, sizeof(port), ":%u", endpoint->port);
    address->https = endpoint->https;
    address->authority = mem_printf("%s%s%s%s", address->virtual_host ? address->bucket : "",
                                    address->virtual_host ? "." : "", endpoint->host, port);
    address->path = address->virtual_host ? mem_printf("%s/", endpoint->path)
                                          : mem_printf("%s/%s/", endpoint->path, address->bucket);
    address->endpoint = mem_printf("http%s://%s%s%s", endpoint->https ? "s" : "", endpoint->host,
                                   port, endpoint->path);
}

int s3_address_make(const char *target, const char *endpoint, const char *region,
                    enum s3_addressing addressing, struct s3_address *address, struct error *err)
{
    struct endpoint parts = {.host = NULL};
    bool label = false;
    int result;

    memset(address, 0, sizeof(*address));
    if (!region)
        region = DEFAULT_REGION;
    result = take_target(target, address, &label, err);
    if (result == 0 && !s3_is_region(region))
        result = error_refuse(err, STATUS_USAGE, "not a region name:", region,
                              "use --region as in eu-west-1");
    if (result == 0)
        result = endpoint ? take_endpoint(endpoint, &parts, err) : make_aws(region, &parts, err);
    if (result == 0 && endpoint)
        result = refuse_bucket_twice(&parts, address->bucket, addressing, err);
    if (result == 0)
        result = choose_style(target, addressing, endpoint == NULL, label, &parts, address, err);
    if (result == 0) {
        address->region = mem_strdup(region);
        assemble(&parts, address);
    }
    free(parts.host);
    free(parts.path);
    if (result != 0)
        s3_address_free(address);
    return result;
}

void s3_address_free(struct s3_address *address)
{
    free(address->bucket);
    free(address->prefix);
    free(address->authority);
    free(address->path);
    free(address->region);
    free(address->endpoint);
    memset(address, 0, sizeof(*address));
}

/* --- the service --------------------------------------------------------------------------- */

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

static void s3_close(struct object_service *base)
{
    struct s3_service *service = s3_service_of(base);

    s3_address_free(&service->address);
    s3_credentials_free(&service->credentials);
    free(service->ca_file);
    free(service->root);
    free(service);
}

static int s3_open(const char *target, const void *block, bool signs, struct object_service **out,
                   struct error *err)
{
    const struct s3_options *options = block;
    struct s3_service *service = mem_calloc(1, sizeof(*service));
    struct s3_profile profile = {.region = NULL};
    const char *endpoint, *region, *ca_file;
    int code = find_credentials(options, signs, service, &profile, err);

    *out = NULL;
    endpoint = options->store.endpoint ? options->store.endpoint : profile.endpoint;
    region = options->store.region ? options->store.region : profile.region;
    ca_file = options->store.ca_file ? options->store.ca_file : profile.ca_file;
    service->ca_file = ca_file ? mem_strdup(ca_file) : NULL;
    if (code == 0)
        code = s3_address_make(target, endpoint, region, (enum s3_addressing)options->addressing,
                               &service->address, err);
    s3_profile_free(&profile);
    if (code != 0) {
        s3_close(&service->base);
        return -1;
    }
    service->base.protocol = &s3_protocol;
    service->base.options = &options->store;
    service->root = mem_printf("s3://%s/", service->address.bucket);
    service->base.root = service->root;
    service->base.prefix = service->address.prefix;
    service->base.container = service->address.bucket;
    service->base.verbs = OBJECT_VERBS_OF_BUCKETS;
    service->payload = (enum s3_payload)options->payload;
    if (service->payload == S3_PAYLOAD_AUTO)
        service->payload = service->address.https ? S3_PAYLOAD_UNSIGNED : S3_PAYLOAD_SIGNED;
    *out = &service->base;
    return 0;
}

/* ---- names ---- */

static char *s3_where(const struct object_service *service, const char *prefix)
{
    (void)prefix;
    return mem_strdup(s3_service_of(service)->address.endpoint);
}

/* Name of the payload mode of the service's uploads. */
static const char *s3_payload_name(const struct object_service *base)
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

static char *s3_reach(const struct object_service *base)
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

/* --- the table ------------------------------------------------------------------------------ */

#define PART_BYTES   320u /* of the CompleteMultipartUpload document: per part */
#define NAME_BYTES   64u  /* of the DeleteObjects document: per key, besides the key */
#define REST_BYTES   1024u
#define ENTITY_BYTES 6u /* longest encoding of a key's character in XML */

static size_t name_bytes(const char *key)
{
    size_t bytes = NAME_BYTES;

    for (; *key; key++)
        bytes += *key == '&' || *key == '<' || *key == '>' || *key == '"' || *key == '\'' ||
                         (unsigned char)*key < ' '
                     ? ENTITY_BYTES
                     : 1;
    return bytes;
}

static size_t parts(const struct object_service *service, unsigned part,
                    const struct object_answer *answer, char *text, size_t used, size_t room)
{
    return s3_complete_xml(s3_request_checksum(s3_service_of(service)), part,
                           answer ? answer->detail : NULL, text, used, room);
}

const struct object_protocol s3_protocol = {
    .name = "s3",
    .service = "an S3 service",
    .form = "s3://BUCKET/PREFIX",
    .keeps = "does the bucket have a lock or retention? ",
    .connection = "keep",
    .open = s3_open,
    .close = s3_close,
    .where = s3_where,
    .reach = s3_reach,
    .payload = s3_payload_name,
    .connect = s3_connect,
    .disconnect = s3_disconnect,
    .begin = s3_begin,
    .wait = s3_wait,
    .answer = s3_answer,
    .cancel = s3_cancel,
    .explain = s3_explain,
    .list = s3_page_read,
    .uploads = s3_uploads_read,
    .failures = s3_delete_read,
    .name_bytes = name_bytes,
    .part_bytes = PART_BYTES,
    .rest_bytes = REST_BYTES,
    .names = s3_delete_xml,
    .parts = parts,
    .intact = s3_intact,
};
