/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* json.h - parses the small JSON documents of WebHDFS in place, without a tree. Input is untrusted,
 * so the parser allocates nothing, does not recurse, and rejects depth beyond 16, broken escapes,
 * trailing data and truncated documents. */
#ifndef STORAGE_OBJECT_WEBHDFS_JSON_H
#define STORAGE_OBJECT_WEBHDFS_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JSON_DEPTH_MAX 16

enum json_event {
    JSON_ERROR,
    JSON_OPEN,  /* an object or array begins: its name is name[depth - 1] */
    JSON_CLOSE, /* one ends: its name is name[depth] */
    JSON_VALUE, /* a string, number, true, false or null: its name is name[depth] */
    JSON_END
};

struct json_name { /* of a member, unparsed; NULL in arrays and at the root */
    const char *text;
    size_t bytes;
};

struct json_scan { /* a plain value; begin with json_begin */
    const char *at, *end;
    unsigned depth; /* number of open objects and arrays */
    struct json_name name[JSON_DEPTH_MAX + 1];
    bool array[JSON_DEPTH_MAX];
    /* after JSON_VALUE: without quotes if a string */
    const char *text;
    size_t text_bytes;
    bool string;
    bool more; /* a value of the open object or array was read: a comma or its end must follow */
};

void json_begin(struct json_scan *json, const char *document, size_t bytes);
enum json_event json_next(struct json_scan *json);

bool json_is(const struct json_name *member, const char *name);

/* After JSON_VALUE of a string: copies its text with escapes resolved to out (terminated). Returns
 * its length, or -1 if it is not a string, does not fit, or contains a NUL or an incomplete
 * character. */
int json_text(const struct json_scan *json, char *out, size_t room);

/* After JSON_VALUE: an unsigned integer; true or false. */
bool json_number(const struct json_scan *json, uint64_t *value);
bool json_bool(const struct json_scan *json, bool *value);

/* The string member `name` of the object that is member `of` of the root. Returns as json_text; -1
 * also if it is missing or the document is broken before it. */
int json_find(const char *document, size_t bytes, const char *of, const char *name, char *out,
              size_t room);

#endif
