/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* address.c - see the header. Paths in targets are not percent-encoded. */
#include "base/compat.h"

#include "storage/object/webhdfs/address.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "net/authority.h"
#include "storage/object/protocol.h"

#define PORT_HTTP   9870u
#define PORT_HTTPS  9871u
#define PLACES_MOST 64u
#define IN_BASE     "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/"

static const char form[] = "write webhdfs://HOST:PORT/PATH, or swebhdfs:// for TLS";

static int take_authority(const char *target, const char *text, size_t length,
                          struct webhdfs_address *address, struct error *err)
{
    const size_t host_bytes = authority_host_bytes(text);
    bool numeric, good;
    unsigned port;
    char *host;

    if (memchr(text, '@', length)) /* might be a password */
        return error_refuse(err, STATUS_USAGE, "a target cannot contain a user", NULL,
                            "give --webhdfs.user");
    if (host_bytes == 0 || length > 2 * AUTHORITY_HOST_MOST)
        return error_refuse(err, STATUS_USAGE, "no host named in", target, "%s", form);
    good = authority_host(text, host_bytes, &host, &numeric);
    if (!good)
        error_refuse(err, STATUS_USAGE, "not a host name or address in", target, "%s", form);
    else if (!authority_port(text + host_bytes, length - host_bytes,
                             address->https ? PORT_HTTPS : PORT_HTTP, &port))
        good = error_refuse(err, STATUS_USAGE, "not a port in", target, "%s", form) == 0;
    else
        address->authority = mem_printf("%s:%u", host, port);
    free(host);
    return good ? 0 : -1;
}

static int take_base(const char *base, struct webhdfs_address *address, struct error *err)
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
    address->endpoint = mem_printf("http%s://%s%.*s/", address->https ? "s" : "",
                                   address->authority, (int)length, base);
    return 0;
}

int webhdfs_address_make(const char *target, const char *base, struct webhdfs_address *address,
                         struct error *err)
{
    const char *text = strstr(target, "://");
    size_t length;

    memset(address, 0, sizeof(*address));
    address->https = target[0] == 's';
    text = text ? text + 3 : target;
    length = strcspn(text, "/");
    if (take_authority(target, text, length, address, err) != 0 ||
        (address->prefix =
             object_prefix_take(target, text[length] ? text + length + 1 : "", err)) == NULL ||
        take_base(base, address, err) != 0) {
        webhdfs_address_free(address);
        return -1;
    }
    address->container =
        mem_printf("%swebhdfs://%s", address->https ? "s" : "", address->authority);
    return 0;
}

void webhdfs_address_free(struct webhdfs_address *address)
{
    free(address->authority);
    free(address->endpoint);
    free(address->container);
    free(address->prefix);
    memset(address, 0, sizeof(*address));
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

int webhdfs_places_make(const char *words, char ***out, struct error *err)
{
    char **places;
    unsigned count = 0;

    *out = NULL;
    if (!words)
        return 0;
    places = mem_calloc(PLACES_MOST + 1, sizeof(*places));
    for (const char *at = words;; at++) {
        const size_t length = strcspn(at, ",");

        places[count] = count < PLACES_MOST ? take_place(at, length) : NULL;
        if (!places[count++])
            break;
        at += length;
        if (*at == '\0') {
            *out = places;
            return 0;
        }
    }
    webhdfs_places_free(places);
    return error_refuse(err, STATUS_USAGE, "--webhdfs.connect: not valid:", words,
                        "write HOST:PORT=ADDR:PORT, several with commas; * is any host or port");
}

void webhdfs_places_free(char **places)
{
    for (char **place = places; place && *place; place++)
        free(*place);
    free(places);
}
