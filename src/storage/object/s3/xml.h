/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* xml.h - parses the small XML documents of S3 in place, without a tree. Supports elements, text,
 * CDATA, comments, the five predefined entities and character references; rejects DTDs (so that
 * nothing is ever expanded), wrong nesting, depth beyond 16 and truncated documents. */
#ifndef STORAGE_OBJECT_S3_XML_H
#define STORAGE_OBJECT_S3_XML_H

#include <stdbool.h>
#include <stddef.h>

#define XML_DEPTH_MAX 16

enum xml_event { XML_ERROR, XML_OPEN, XML_CLOSE, XML_END };

struct xml_name {
    const char *text; /* in the document, not terminated; without namespace prefix */
    size_t bytes;
};

struct xml { /* a plain value; begin with xml_begin */
    const char *at, *end;
    unsigned depth;
    struct xml_name open[XML_DEPTH_MAX]; /* names of the open elements */
    /* after XML_CLOSE of an element without children: its raw text */
    const char *text;
    size_t text_bytes;
    bool leaf, empty_tag, seen_root;
};

void xml_begin(struct xml *xml, const char *document, size_t bytes);

/* Advances to the next start or end of an element; its name is xml->open[xml->depth - 1] at
 * XML_OPEN and xml->open[xml->depth] at XML_CLOSE. */
enum xml_event xml_next(struct xml *xml);

bool xml_is(const struct xml_name *element, const char *name);

/* After XML_CLOSE of a leaf: copies its text with entities resolved to out (terminated). Returns
 * its length, or -1 if it does not fit, is not a leaf or has a broken entity. */
int xml_text(const struct xml *xml, char *out, size_t room);

/* Finds the text of the first leaf with that name anywhere in a document. Returns its length, or -1
 * if there is none or the document is broken before it. */
int xml_find(const char *document, size_t bytes, const char *name, char *out, size_t room);

#endif
