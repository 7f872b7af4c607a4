/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* service.c - derives request addresses and identity from a target and its options; the table of
 * hooks for the object layer. Paths in targets are not percent-encoded. */
#include "base/compat.h"

#include "storage/object/webhdfs/protocol.h"

#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "net/authority.h"
#include "net/encode.h"
#include "storage/object/web/web.h"

#define USER_MOST   256u
#define PORT_HTTP   9870u
#define PORT_HTTPS  9871u
#define PLACES_MOST 64u
#define IN_BASE     "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/"

/* ---- addresses ---- */

static int refuse_target(const char *why, const char *target, struct error *err)
{
    return error_refuse(err, STATUS_USAGE, why, target,
                        "write webhdfs://HOST:PORT/PATH, or swebhdfs:// for TLS");
}

static int take_authority(const char *target, const char *text, size_t length,
                          struct webhdfs_service *service, struct error *err)
{
    const size_t host_bytes = authority_host_bytes(text);
    bool numeric;
    unsigned port;
    char *host;
    int code = 0;

    if (memchr(text, '@', length)) /* might be a password */
        return error_refuse(err, STATUS_USAGE, "a target cannot contain a user", NULL,
                            "give --webhdfs.user");
    if (host_bytes == 0 || length > 2 * AUTHORITY_HOST_MOST)
        return refuse_target("no host named in", target, err);
    if (!authority_host(text, host_bytes, &host, &numeric))
        code = refuse_target("not a host name or address in", target, err);
    else if (!authority_port(text + host_bytes, length - host_bytes,
                             service->https ? PORT_HTTPS : PORT_HTTP, &port))
        code = refuse_target("not a port in", target, err);
    else
        service->authority = mem_printf("%s:%u", host, port);
    free(host);
    return code;
}

static int take_base(const char *base, struct webhdfs_service *service, struct error *err)
{
    size_t length;

    if (!base)
        base = "/webhdfs/v1";
    length = strlen(base);
    length -= length > 0 && base[length - 1] == '/';
    if (base[0] != '/' || length < 2 || length > OBJECT_PREFIX_MOST ||
        base[strspn(base, IN_BASE)] != '\0' || strstr(base, "//") || strstr(base, "/."))
        return error_refuse(err, STATUS_USAGE, "--webhdfs.base: not a service path:", base,
                            "write it as in /gateway/default/webhdfs/v1");
    service->endpoint = mem_printf("http%s://%s%.*s/", service->https ? "s" : "",
                                   service->authority, (int)length, base);
    return 0;
}

static int take_target(struct webhdfs_service *service, const char *target, const char *base,
                       struct error *err)
{
    const char *text = strstr(target, "://");
    size_t length;

    service->https = target[0] == 's';
    text = text ? text + 3 : target;
    length = strcspn(text, "/");
    if (take_authority(target, text, length, service, err) != 0)
        return -1;
    service->prefix = object_prefix_take(target, text[length] ? text + length + 1 : "", err);
    if (!service->prefix || take_base(base, service, err) != 0)
        return -1;
    service->root = mem_printf("%swebhdfs://%s/", service->https ? "s" : "", service->authority);
    return 0;
}

/* ---- --webhdfs.connect ---- */

/* "HOST:PORT", where each may be "*" or empty: any (from) or unchanged (to). *out is the same for
 * libcurl, to be freed. */
static bool take_end(const char *text, size_t length, char **out)
{
    char *word = mem_printf("%.*s", (int)length, text), *host = NULL;
    size_t bytes = authority_host_bytes(word);
    bool numeric, good = true, any = bytes == 0 || (bytes == 1 && word[0] == '*');
    unsigned port = 0;

    if (!any)
        good = authority_host(word, bytes, &host, &numeric);
    if (good && strcmp(word + bytes, ":*") != 0 && strcmp(word + bytes, ":") != 0)
        good = authority_port(word + bytes, strlen(word + bytes), 0, &port);
    *out = port > 0 ? mem_printf("%s:%u", any ? "" : host, port)
                    : mem_printf("%s:", any    ? ""
                                        : host ? host
                                               : "");
    free(host);
    free(word);
    return good;
}

static char *take_place(const char *text, size_t length)
{
    const char *equal = memchr(text, '=', length);
    char *from = NULL, *to = NULL, *place = NULL;

    if (!equal || length > 4 * AUTHORITY_HOST_MOST)
        return NULL;
    if (take_end(text, (size_t)(equal - text), &from) &&
        take_end(equal + 1, length - (size_t)(equal + 1 - text), &to) && strcmp(to, ":") != 0)
        place = mem_printf("%s:%s", from, to);
    free(from);
    free(to);
    return place;
}

/* Converts it to the form of http_config.connect_to. */
static int take_places(struct webhdfs_service *service, const char *words, struct error *err)
{
    unsigned count = 0;

    if (!words)
        return 0;
    service->places = mem_calloc(PLACES_MOST + 1, sizeof(*service->places));
    for (const char *at = words; count < PLACES_MOST; at++) {
        const size_t length = strcspn(at, ",");

        service->places[count] = take_place(at, length);
        if (!service->places[count++])
            break;
        at += length;
        if (*at == '\0')
            return 0;
    }
    return error_refuse(err, STATUS_USAGE, "--webhdfs.connect: not valid:", words,
                        "write HOST:PORT=ADDR:PORT, several with commas; * is any host or port");
}

/* ---- the user ---- */

/* "&NAME=VALUE", encoded; to be freed. */
static char *parameter(const char *name, const char *value)
{
    const size_t room = strlen(value) * 3 + 1;
    char *encoded = mem_calloc(room, 1), *text;

    encode_put_percent(&(struct text_builder){.text = encoded, .room = room}, value, false);
    text = mem_printf("&%s=%s", name, encoded);
    secret_wipe(encoded, room);
    free(encoded);
    return text;
}

/* The same order as in Hadoop's own programs. */
static const char *user_name(const struct webhdfs_options *options)
{
    const char *name = options->user ? options->user : getenv("HADOOP_USER_NAME");
    const struct passwd *entry;

    if (name && *name != '\0')
        return name;
    entry = getpwuid(geteuid());
    return entry ? entry->pw_name : NULL;
}

static int take_user(const struct webhdfs_options *options, const char **user, struct error *err)
{
    *user = user_name(options);
    if (*user && strlen(*user) <= USER_MOST && strchr(*user, ':') == NULL)
        return 0;
    return error_refuse(err, STATUS_USAGE, "no user name", NULL,
                        "use --webhdfs.user, without a colon");
}

static int take_password(struct webhdfs_service *service, const struct webhdfs_options *options,
                         const char *user, struct error *err)
{
    char *password, *pair, *encoded;
    size_t length;

    if (secret_read(options->password_file, "WEBHDFS_PASSWORD", "password", &password, err) != 0)
        return -1;
    if (!password)
        return 0;
    if (!service->https) {
        secret_free(password);
        return error_refuse(err, STATUS_USAGE, "the password would cross the network unencrypted",
                            NULL, "write swebhdfs:// for TLS");
    }
    pair = mem_printf("%s:%s", user, password);
    length = strlen(pair);
    encoded = mem_calloc(length * 2 + 8, 1);
    service->authorization = mem_printf("Authorization: Basic %s",
                                        encode_base64((const uint8_t *)pair, length, encoded));
    secret_free(password);
    secret_free(pair);
    secret_free(encoded);
    return 0;
}

/* With a token its owner is the user; with SPNEGO the ticket's, with a password the gateway
 * decides. */
static int take_identity(struct webhdfs_service *service, const struct webhdfs_options *options,
                         struct error *err)
{
    const char *user;
    char *token;

    if (options->negotiate && !http_negotiates())
        return error_refuse(err, STATUS_TARGET, "no Kerberos support in", http_library(),
                            "install a libcurl with GSS-API, or give --webhdfs.token-file");
    if (secret_read(options->token_file, "WEBHDFS_TOKEN", "token", &token, err) != 0)
        return -1;
    if (token && !options->negotiate) {
        service->identity = parameter("delegation", token);
        secret_free(token);
        return 0;
    }
    secret_free(token);
    if (options->negotiate) {
        service->identity = mem_strdup("");
        return 0;
    }
    if (take_user(options, &user, err) != 0 || take_password(service, options, user, err) != 0)
        return -1;
    service->identity = service->authorization ? mem_strdup("") : parameter("user.name", user);
    return 0;
}

static char *create_parameters(const struct webhdfs_options *options)
{
    char replication[40] = "", block[40] = "";

    if (options->replication)
        (void)snprintf(replication, sizeof(replication), "&replication=%" PRIu64,
                       options->replication);
    if (options->block_bytes)
        (void)snprintf(block, sizeof(block), "&blocksize=%" PRIu64, options->block_bytes);
    return mem_printf("%s%s", replication, block);
}

/* ---- the service ---- */

static void webhdfs_close(struct object_service *base)
{
    struct webhdfs_service *service = webhdfs_service_of(base);

    for (char **place = service->places; place && *place; place++)
        free(*place);
    free(service->places);
    free(service->authority);
    free(service->endpoint);
    free(service->root);
    free(service->prefix);
    secret_free(service->identity);
    secret_free(service->authorization);
    free(service->created);
    free(service);
}

static int webhdfs_open(const char *target, const void *block, bool signs,
                        struct object_service **out, struct error *err)
{
    const struct webhdfs_options *options = block;
    struct webhdfs_service *service = mem_calloc(1, sizeof(*service));

    (void)signs; /* a plan sends nothing, but has a user nevertheless */
    *out = NULL;
    service->base.protocol = &webhdfs_protocol;
    service->base.options = &options->store;
    service->base.verbs = OBJECT_VERBS_OF_TREES;
    service->base.exclusive = true; /* leases */
    service->base.gradual = true;
    service->base.requests_each[OBJECT_PUT] = service->base.requests_each[OBJECT_GET] =
        service->base.requests_each[OBJECT_APPEND] = 2;
    if (take_target(service, target, options->base, err) != 0 ||
        take_places(service, options->connect, err) != 0 ||
        take_identity(service, options, err) != 0) {
        webhdfs_close(&service->base);
        return -1;
    }
    service->created = create_parameters(options);
    service->base.root = service->root;
    service->base.prefix = service->prefix;
    service->base.container = service->authority;
    *out = &service->base;
    return 0;
}

static char *webhdfs_reach(const struct object_service *base)
{
    const struct webhdfs_options *options = webhdfs_options_of(base);
    char *command = mem_strdup("");

    object_add_option(&command, "webhdfs.user", options->user);
    object_add_option(&command, "webhdfs.connect", options->connect);
    object_add_option(&command, "webhdfs.base", options->base);
    object_add_option(&command, "webhdfs.token-file", options->token_file);
    object_add_option(&command, "webhdfs.password-file", options->password_file);
    object_add_option(&command, "ca-file", options->store.ca_file);
    object_add_flag(&command, "webhdfs.negotiate", options->negotiate);
    object_add_flag(&command, "insecure", options->store.insecure);
    return command;
}

const struct object_protocol webhdfs_protocol = {
    .name = "webhdfs",
    .service = "a Hadoop file system",
    .form = "webhdfs://HOST:PORT/PATH",
    .connection = "server", /* DataNodes close theirs */
    .make_place = "hdfs dfs -mkdir -p",
    .open = webhdfs_open,
    .close = webhdfs_close,
    .reach = webhdfs_reach,
    .connect = webhdfs_connect,
    .disconnect = webhdfs_disconnect,
    .begin = webhdfs_begin,
    .wait = webhdfs_wait,
    .answer = webhdfs_answer,
    .cancel = webhdfs_cancel,
    .explain = webhdfs_explain,
    .list = webhdfs_list,
};
