/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* authority.c - see the header. */
#include "base/compat.h"

#include "net/authority.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/text.h"

#define DIGITS     "0123456789"
#define IN_HOST    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" DIGITS "-._"
#define LABEL_MOST 63

/* A last label of digits only would make it an incomplete IP address. */
static bool host_is_name(const char *host)
{
    const char *label = host;

    if (!text_holds_only(host, IN_HOST) || strlen(host) > AUTHORITY_HOST_MOST)
        return false;
    while (true) {
        const size_t length = strcspn(label, ".");
        if (length == 0 || length > LABEL_MOST || label[0] == '-')
            return false;
        if (label[length] == '\0')
            return !text_holds_only(label, DIGITS);
        label += length + 1;
    }
}

size_t authority_host_bytes(const char *text)
{
    const size_t length = text[0] == '[' ? strcspn(text, "]/") : strcspn(text, ":/");

    return length + (text[0] == '[' && text[length] == ']');
}

bool authority_host(const char *text, size_t length, char **out, bool *numeric)
{
    struct in6_addr address6;
    struct in_addr address;
    char *host = mem_printf("%.*s", (int)(length < 1024 ? length : 1024), text);

    *out = host;
    for (char *at = host; *at != '\0'; at++)
        if (*at >= 'A' && *at <= 'Z')
            *at = (char)(*at - 'A' + 'a');
    length = strlen(host);
    if (length > 2 && host[0] == '[' && host[length - 1] == ']') {
        bool good;
        host[length - 1] = '\0';
        good = inet_pton(AF_INET6, host + 1, &address6) == 1;
        host[length - 1] = ']';
        *numeric = true;
        return good;
    }
    *numeric = inet_pton(AF_INET, host, &address) == 1;
    return *numeric || host_is_name(host);
}

bool authority_port(const char *text, size_t length, unsigned usual, unsigned *out)
{
    const char *at = text + 1;
    uint64_t port;

    *out = usual;
    if (length == 0)
        return true;
    if (text[0] != ':' || length > 6 || !number_take_before(&at, text + length, &port) ||
        at != text + length || port == 0 || port > UINT16_MAX)
        return false;
    *out = (unsigned)port;
    return true;
}
