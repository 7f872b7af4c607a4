/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* embedded.c - see embedded.h.  Only what stands in its own elements is looked at: the rest of a
 * page may be anything. */
#include "base/compat.h"

#include "analysis/results/embedded.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/text.h"

#define ATTRIBUTE_BYTES 4096 /* of a value */

bool embedded_is_run(const struct embedded *item)
{
    static const char *const runs[] = {"csv", "json", "classic"};

    for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++)
        if (strcmp(item->format, runs[i]) == 0)
            return true;
    return false;
}

static char *put_utf8(char *to, uint32_t code)
{
    if (code < 0x80) {
        *to++ = (char)code;
        return to;
    }
    if (code < 0x800) {
        *to++ = (char)(0xc0 | code >> 6);
    } else {
        if (code < 0x10000) {
            *to++ = (char)(0xe0 | code >> 12);
        } else {
            *to++ = (char)(0xf0 | code >> 18);
            *to++ = (char)(0x80 | (code >> 12 & 0x3f));
        }
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
    }
    *to++ = (char)(0x80 | (code & 0x3f));
    return to;
}

/* "#13" or "#xd"; 0: it is none that can be text. */
static uint32_t read_code(const char *digits, size_t length)
{
    const bool hex = length > 1 && (digits[1] == 'x' || digits[1] == 'X');
    const size_t first = hex ? 2 : 1;
    uint32_t code = 0;

    if (length == first || length - first > 7)
        return 0;
    for (size_t i = first; i < length; i++) {
        static const char values[] = "0123456789abcdef";
        const char lower =
            digits[i] >= 'A' && digits[i] <= 'F' ? (char)(digits[i] + 32) : digits[i];
        const char *at = memchr(values, lower, hex ? 16 : 10);
        if (!at)
            return 0;
        code = code * (hex ? 16 : 10) + (uint32_t)(at - values);
    }
    return code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0 : code;
}

/* An entity, at the '&': puts what it stands for to *to.  Returns where it ends; NULL: unknown. */
static const char *take_entity(const char *s, const char *end, char **to)
{
    static const struct {
        const char *name;
        uint32_t code;
    } names[] = {{"amp", '&'},  {"lt", '<'},    {"gt", '>'},
                 {"quot", '"'}, {"apos", '\''}, {"nbsp", 0xa0}};
    const size_t room = (size_t)(end - s) < 12 ? (size_t)(end - s) : 12;
    const char *stop = memchr(s, ';', room);
    const size_t length = stop ? (size_t)(stop - s) - 1 : 0;
    uint32_t code = 0;

    if (length == 0)
        return NULL;
    if (s[1] == '#')
        code = read_code(s + 1, length);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strlen(names[i].name) == length && memcmp(s + 1, names[i].name, length) == 0)
            code = names[i].code;
    if (code == 0)
        return NULL;
    *to = put_utf8(*to, code);
    return stop + 1;
}

/* The text that was escaped, terminated; NULL: it is damaged.  No entity is shorter than what it
 * stands for. */
static char *unescape(const char *s, const char *end, size_t *length)
{
    char *text = mem_calloc((size_t)(end - s) + 1, 1), *to = text;

    while (s < end) {
        const char *next = s + 1;
        if (*s == '&')
            next = take_entity(s, end, &to);
        else
            *to++ = *s;
        if (!next || *s == '<' || *s == '\0') {
            free(text);
            return NULL;
        }
        s = next;
    }
    *length = (size_t)(to - text);
    return text;
}

/* The value of an attribute inside a tag, between quotes; "" where it has none, NULL: damaged. */
static char *take_attribute(const char *tag, const char *end, const char *name)
{
    const size_t bytes = strlen(name);
    size_t length;

    for (const char *s = tag; s + bytes + 2 < end; s++) {
        const char *stop;
        if (*s == '"' || *s == '\'') { /* a value: no name is in it */
            s = memchr(s + 1, *s, (size_t)(end - s - 1));
            if (!s)
                return NULL;
            continue;
        }
        if (!text_is_blank(*s) || strncasecmp(s + 1, name, bytes) != 0 || s[bytes + 1] != '=' ||
            (s[bytes + 2] != '"' && s[bytes + 2] != '\''))
            continue;
        s += bytes + 2;
        stop = memchr(s + 1, *s, (size_t)(end - s - 1));
        if (!stop || stop - s > ATTRIBUTE_BYTES)
            return NULL;
        return unescape(s + 1, stop, &length);
    }
    return mem_strdup("");
}

/* Where a tag ends; a '>' in a value is none. */
static const char *tag_end(const char *s, const char *end)
{
    for (char quote = '\0'; s < end; s++) {
        if (quote == '\0' && *s == '>')
            return s;
        if (quote == '\0' && (*s == '"' || *s == '\''))
            quote = *s;
        else if (*s == quote)
            quote = '\0';
    }
    return NULL;
}

static const char *find_tag(const char *s, const char *end, const char *name)
{
    const size_t bytes = strlen(name);

    while (s < end && (s = memchr(s, '<', (size_t)(end - s))) != NULL) {
        if ((size_t)(end - s) > bytes && strncasecmp(s + 1, name, bytes) == 0 &&
            ((size_t)(end - s) == bytes + 1 || text_is_blank(s[bytes + 1]) || s[bytes + 1] == '>'))
            return s;
        s++;
    }
    return NULL;
}

static bool is_ours(const char *tag, const char *end)
{
    char *id = take_attribute(tag, end, "id");
    const bool ours = id && strncmp(id, EMBEDDED_ID, strlen(EMBEDDED_ID)) == 0;

    free(id);
    return ours;
}

/* The first newline is none of the text. */
static const char *text_begin(const char *s, const char *end)
{
    if (s < end && *s == '\r')
        s++;
    if (s < end && *s == '\n')
        s++;
    return s;
}

static void free_item(struct embedded *item)
{
    free(item->name);
    free(item->format);
    free(item->text);
}

/* From behind the tag to the end of the element.  Returns 0 or -1. */
static int take_item(const char *tag, const char *inside, const char *stop, const char *path,
                     struct embedded_list *list, struct error *err)
{
    struct embedded item = {.name = take_attribute(tag, inside, "data-name"),
                            .format = take_attribute(tag, inside, "data-format")};

    inside = text_begin(inside + 1, stop);
    item.text = unescape(inside, stop, &item.length);
    if (!item.name || !item.format || !item.text || list->count == EMBEDDED_MOST) {
        free_item(&item);
        return error_refuse(err, STATUS_USAGE, "the results in this report are damaged:", path,
                            "it was changed since iosweep wrote it");
    }
    list->item = mem_realloc_array(list->item, list->count + 1, sizeof(*list->item));
    list->item[list->count++] = item;
    return 0;
}

static int take_items(const char *page, const char *end, const char *path,
                      struct embedded_list *list, struct error *err)
{
    for (const char *s = page; (s = find_tag(s, end, "pre")) != NULL;) {
        const char *inside = tag_end(s, end), *stop;
        if (!inside)
            return 0; /* of a page that is not ours */
        if (!is_ours(s, inside)) {
            s = inside;
            continue;
        }
        stop = find_tag(inside, end, "/pre");
        if (!stop)
            return error_refuse(err, STATUS_USAGE, "this report is cut off:", path,
                                "it ends in the middle of its results");
        if (take_item(s, inside, stop, path, list, err) < 0)
            return -1;
        s = stop;
    }
    return 0;
}

int embedded_read(const char *page, size_t length, const char *path, struct embedded_list *list,
                  struct error *err)
{
    int result;

    *list = (struct embedded_list){.count = 0};
    result = take_items(page, page + length, path, list, err);
    if (result == 0 && list->count == 0)
        result = error_refuse(err, STATUS_USAGE, "no results of iosweep in this page:", path,
                              "iosweep report leaves them out with --data never, and when they "
                              "are larger than 16 MiB");
    if (result < 0)
        embedded_free(list);
    return result;
}

void embedded_free(struct embedded_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free_item(&list->item[i]);
    free(list->item);
    *list = (struct embedded_list){.count = 0};
}
