/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* price.c - the price file and what comes of it; see the header for the file.  A mistake in it is
 * never passed over: a bill that is announced too low is worse than none. */
#include "base/compat.h"

#include "target/object/price.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ini.h"
#include "base/mem.h"
#include "base/number.h"

double object_usage_requests(const struct object_usage *usage)
{
    double sum = 0;

    for (unsigned i = 0; i < OBJECT_VERB_COUNT; i++)
        sum += usage->requests[i];
    return sum;
}

double object_price_of(const struct object_price *price, const struct object_usage *usage)
{
    double sum =
        usage->received_bytes / 1e9 * price->egress + usage->sent_bytes / 1e9 * price->ingress;

    for (unsigned i = 0; i < OBJECT_VERB_COUNT; i++)
        sum += usage->requests[i] / 1000 * price->kind[i];
    return sum;
}

enum price_key {
    KEY_PUT,
    KEY_GET,
    KEY_LIST,
    KEY_COPY,
    KEY_DELETE,
    KEY_EGRESS,
    KEY_INGRESS,
    KEY_CURRENCY,
    KEY_COUNT
};

static const char *const key_names[KEY_COUNT] = {
    [KEY_PUT] = "put",         [KEY_GET] = "get",           [KEY_LIST] = "list",
    [KEY_COPY] = "copy",       [KEY_DELETE] = "delete",     [KEY_EGRESS] = "egress",
    [KEY_INGRESS] = "ingress", [KEY_CURRENCY] = "currency",
};

static const enum price_key key_of[OBJECT_VERB_COUNT] = {
    [OBJECT_PUT] = KEY_PUT,
    [OBJECT_GET] = KEY_GET,
    [OBJECT_STAT] = KEY_GET,
    [OBJECT_LIST] = KEY_LIST,
    [OBJECT_COPY] = KEY_COPY,
    [OBJECT_DELETE] = KEY_DELETE,
    [OBJECT_DELETE_MANY] = KEY_DELETE,
    [OBJECT_UPLOAD_BEGIN] = KEY_PUT,
    [OBJECT_UPLOAD_PART] = KEY_PUT,
    [OBJECT_UPLOAD_COMPLETE] = KEY_PUT,
    [OBJECT_UPLOAD_ABORT] = KEY_DELETE,
    [OBJECT_UPLOAD_LIST] = KEY_LIST,
    [OBJECT_RENAME] = KEY_COPY,
    [OBJECT_WRITE_RANGE] = KEY_PUT,
    [OBJECT_APPEND] = KEY_PUT,
    [OBJECT_XATTR_PUT] = KEY_PUT,
    [OBJECT_XATTR_GET] = KEY_GET,
    [OBJECT_OMAP_PUT] = KEY_PUT,
    [OBJECT_OMAP_GET] = KEY_GET,
};

struct price_reader {
    struct object_price *price;
    double value[KEY_COUNT];
    bool given[KEY_COUNT];
};

static bool read_currency(const char *word, char currency[OBJECT_CURRENCY_BYTES])
{
    const size_t length = strlen(word);

    if (length == 0 || length >= OBJECT_CURRENCY_BYTES)
        return false;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)word[i] <= ' ' || word[i] == 0x7f)
            return false;
    memcpy(currency, word, length + 1);
    return true;
}

static bool take_pair(struct price_reader *reader, const struct ini *ini)
{
    char word[64];
    unsigned key = 0;

    if ((ini->section.text && !ini_is(ini->section, "price")) || ini->value.bytes >= sizeof(word))
        return false;
    while (key < KEY_COUNT && !ini_is(ini->name, key_names[key]))
        key++;
    if (key == KEY_COUNT || reader->given[key])
        return false;
    reader->given[key] = true;
    memcpy(word, ini->value.text, ini->value.bytes);
    word[ini->value.bytes] = '\0';
    return key == KEY_CURRENCY ? read_currency(word, reader->price->currency)
                               : number_read_real(word, &reader->value[key]);
}

int object_price_parse(const char *text, const char *name, struct object_price *price,
                       struct error *err)
{
    struct price_reader reader = {.price = price};
    struct ini ini = {.at = text, .strict = true};
    enum ini_found found;
    char where[320];

    *price = (struct object_price){0};
    while ((found = ini_next(&ini)) == INI_PAIR)
        if (!take_pair(&reader, &ini))
            break;
    if (found != INI_END) {
        snprintf(where, sizeof(where), "line %u of %.280s", ini.line, name);
        return error_refuse(
            err, STATUS_USAGE, "invalid prices:", where,
            "put, get, list, copy, delete (per 1000 requests), egress, ingress (per GB): "
            "numbers from 0 on; currency: a word; each once");
    }
    if (!reader.given[KEY_COPY])
        reader.value[KEY_COPY] = reader.value[KEY_PUT];
    for (unsigned i = 0; i < OBJECT_VERB_COUNT; i++)
        price->kind[i] = reader.value[key_of[i]];
    price->egress = reader.value[KEY_EGRESS];
    price->ingress = reader.value[KEY_INGRESS];
    return 0;
}

int object_price_read(const char *path, struct object_price *price, struct error *err)
{
    char *text = mem_calloc(OBJECT_PRICE_TEXT_MAX + 1, 1);
    size_t length = 0;
    unsigned again = 0;
    ssize_t got = 1;
    int code, fd = open(path, O_RDONLY | O_CLOEXEC);

    while (fd >= 0 && got > 0 && length <= OBJECT_PRICE_TEXT_MAX) {
        got = read(fd, text + length, OBJECT_PRICE_TEXT_MAX + 1 - length);
        if (got > 0)
            length += (size_t)got;
        else if (got < 0 && errno == EINTR && again++ < 1000)
            got = 1;
    }
    if (fd < 0 || got < 0)
        code = error_set(err, STATUS_USAGE, errno, "cannot read prices from", path);
    else if (length > OBJECT_PRICE_TEXT_MAX || memchr(text, '\0', length))
        code = error_set(err, STATUS_USAGE, 0, "not a price file (too long, or not text):", path);
    else
        code = object_price_parse(text, path, price, err);
    if (fd >= 0)
        close(fd);
    free(text);
    return code;
}
