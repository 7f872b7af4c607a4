/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* json.h - reading the small JSON documents that WebHDFS answers with, in place and without a tree:
 * what comes from a server may be anything, so nothing is allocated, nothing recurses, and depth
 * beyond 16, broken escapes, what follows the document and an end before its time are refused. */
#ifndef STORAGE_OBJECT_WEBHDFS_JSON_H
#define STORAGE_OBJECT_WEBHDFS_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JSON_DEPTH_MAX 16

enum json_event {
    JSON_ERROR,
    JSON_OPEN,  /* of an object or an array: name[depth - 1] is its own */
    JSON_CLOSE, /* of one: name[depth] is its own */
    JSON_VALUE, /* a string, a number, true, false, null: name[depth] is its own */
    JSON_END
};

struct json_name { /* of a member, as it stands in the document; NULL in arrays and at the root */
    const char *text;
    size_t bytes;
};

struct json_scan { /* a value; begin with json_begin */
    const char *at, *end;
    unsigned depth; /* of what is open */
    struct json_name name[JSON_DEPTH_MAX + 1];
    bool array[JSON_DEPTH_MAX];
    /* after JSON_VALUE: of a string without its quotes */
    const char *text;
    size_t text_bytes;
    bool string;
    bool more; /* a value was read in what is open: a comma or its end follows */
};

void json_begin(struct json_scan *json, const char *document, size_t bytes);
enum json_event json_next(struct json_scan *json);

/* Whether the member is called `name`. */
bool json_is(const struct json_name *member, const char *name);

/* After JSON_VALUE of a string: its text, with escapes resolved, into out (terminated).  Returns
 * its length, or -1 when it is none, does not fit or holds a 0 or half a character. */
int json_text(const struct json_scan *json, char *out, size_t room);

/* After JSON_VALUE: a whole number from 0 on; true or false. */
bool json_number(const struct json_scan *json, uint64_t *value);
bool json_bool(const struct json_scan *json, bool *value);

/* The member `name` of the object that is the member `of` of the root, where it is a string.  As
 * json_text; -1 also when it is not there, or the document is broken before it. */
int json_find(const char *document, size_t bytes, const char *of, const char *name, char *out,
              size_t room);

#endif
