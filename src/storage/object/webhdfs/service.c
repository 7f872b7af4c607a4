/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* service.c - derives request addresses and identity from a target and its options. */
#include "base/compat.h"

#include "storage/object/webhdfs/protocol.h"

#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "net/encode.h"
#include "storage/object/web/secret.h"

#define USER_MOST 256u

/* "&NAME=VALUE", encoded; to be freed. */
static char *parameter(const char *name, const char *value)
{
    const size_t room = strlen(value) * 3 + 1;
    char *encoded = mem_calloc(room, 1), *text;

    (void)encode_percent(value, false, encoded, 0, room);
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
    if (!service->address.https) {
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

int webhdfs_open(const char *target, const void *block, bool signs, struct object_service **out,
                 struct error *err)
{
    const struct webhdfs_options *options = block;
    struct webhdfs_service *service = mem_calloc(1, sizeof(*service));

    (void)signs; /* a plan sends nothing, but has a user nevertheless */
    *out = NULL;
    service->base.protocol = &webhdfs_protocol;
    service->base.options = &options->store;
    service->base.verbs = 1u << OBJECT_PUT | 1u << OBJECT_GET | 1u << OBJECT_STAT |
                          1u << OBJECT_LIST | 1u << OBJECT_DELETE | 1u << OBJECT_RENAME |
                          1u << OBJECT_APPEND;
    service->base.exclusive = true; /* leases */
    service->base.gradual = true;
    service->base.requests_each[OBJECT_PUT] = service->base.requests_each[OBJECT_GET] =
        service->base.requests_each[OBJECT_APPEND] = 2;
    service->base.verbs_at_once = 1u << OBJECT_GET; /* HttpFS */
    if (webhdfs_address_make(target, options->base, &service->address, err) != 0 ||
        webhdfs_places_make(options->connect, &service->places, err) != 0 ||
        take_identity(service, options, err) != 0) {
        webhdfs_close(&service->base);
        return -1;
    }
    service->created = create_parameters(options);
    service->base.prefix = service->address.prefix;
    *out = &service->base;
    return 0;
}

void webhdfs_close(struct object_service *base)
{
    struct webhdfs_service *service = webhdfs_service_of(base);

    webhdfs_address_free(&service->address);
    webhdfs_places_free(service->places);
    secret_free(service->identity);
    secret_free(service->authorization);
    free(service->created);
    free(service);
}

/* ---- names ---- */

char *webhdfs_url(const struct object_service *service, const char *key)
{
    return mem_printf("%s/%s", webhdfs_service_of(service)->address.container, key);
}

char *webhdfs_place(const struct object_service *service, const char *prefix)
{
    const int length = (int)strlen(prefix);

    return mem_printf("%s%s%.*s", webhdfs_service_of(service)->address.container,
                      length > 0 ? "/" : "", length > 0 ? length - 1 : 0, prefix);
}

const char *webhdfs_container(const struct object_service *service)
{
    return webhdfs_service_of(service)->address.authority;
}

/* ---- how it was reached ---- */

char *webhdfs_reach(const struct object_service *base)
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
