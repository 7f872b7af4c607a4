/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* xml.h - reading the small XML documents that S3 answers with, in place and without a tree.  Knows
 * elements, text, CDATA, comments, the five predefined entities and character references; refuses
 * a DTD (so that nothing is ever expanded), wrong nesting, depth beyond 16, an end before its
 * time. */
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

struct xml { /* a value; begin with xml_begin */
    const char *at, *end;
    unsigned depth;
    struct xml_name open[XML_DEPTH_MAX]; /* names of the elements that are open */
    /* after XML_CLOSE of an element without children: its raw text */
    const char *text;
    size_t text_bytes;
    bool leaf, empty_tag, seen_root;
};

void xml_begin(struct xml *xml, const char *document, size_t bytes);

/* The next start or end of an element; xml->open[xml->depth - 1] is its name at XML_OPEN, and
 * xml->open[xml->depth] at XML_CLOSE. */
enum xml_event xml_next(struct xml *xml);

/* Whether the name is `name`. */
bool xml_is(const struct xml_name *element, const char *name);

/* After XML_CLOSE of a leaf: its text with entities resolved into out (terminated).  Returns its
 * length or -1 when it does not fit, is no leaf or has a broken entity. */
int xml_text(const struct xml *xml, char *out, size_t room);

/* Shorthand: the text of the first leaf with that name anywhere in a document.  Returns its length,
 * or -1 when there is none or the document is broken before it. */
int xml_find(const char *document, size_t bytes, const char *name, char *out, size_t room);

#endif
