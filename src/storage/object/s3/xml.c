/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* xml.c - a pull parser for the small XML documents of S3. It passes over the document once, copies
 * nothing and stores only the names of open elements; text is decoded on request. Input is
 * untrusted: every step is bounded by the document's end, and after the first error only XML_ERROR
 * follows. */
#include "base/compat.h"

#include "storage/object/s3/protocol.h"

#include <stdint.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

/* Value of text_bytes until the last opened element gets a child: without one it is a leaf. */
#define STILL_OPEN SIZE_MAX

void xml_begin(struct xml *xml, const char *document, size_t bytes)
{
    *xml = (struct xml){.at = document ? document : ""};
    xml->end = xml->at + (document ? bytes : 0);
    if (xml->end - xml->at >= 3 && memcmp(xml->at, "\xef\xbb\xbf", 3) == 0)
        xml->at += 3; /* byte order mark */
}

static enum xml_event fault(struct xml *xml)
{
    xml->at = NULL;
    xml->leaf = false;
    return XML_ERROR;
}

static bool is_name_start(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' || c >= 0x80;
}

static bool is_name(unsigned char c)
{
    return is_name_start(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

static bool starts(const char *at, const char *end, const char *word)
{
    const size_t length = strlen(word);
    return (size_t)(end - at) >= length && memcmp(at, word, length) == 0;
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && *at && strchr(" \t\n\r", *at))
        at++;
    return at;
}

/* Skips a name with its prefix; returns its end, or NULL. */
static const char *skip_name(const char *at, const char *end)
{
    if (at == end || !is_name_start((unsigned char)*at))
        return NULL;
    while (at < end && is_name((unsigned char)*at))
        at++;
    return at;
}

/* Skips attributes up to ">" or "/>", whose position is returned; NULL: malformed. */
static const char *skip_attributes(const char *at, const char *end)
{
    for (;;) {
        const char *name = skip_blanks(at, end);
        if (name == end || *name == '>' || *name == '/')
            return name < end ? name : NULL;
        if (name == at) /* a blank is required in between */
            return NULL;
        at = skip_name(name, end);
        if (!at)
            return NULL;
        at = skip_blanks(at, end);
        if (at == end || *at != '=')
            return NULL;
        at = skip_blanks(at + 1, end);
        if (at == end || (*at != '"' && *at != '\''))
            return NULL;
        name = at + 1;
        at = memchr(name, *at, (size_t)(end - name));
        if (!at || memchr(name, '<', (size_t)(at - name)))
            return NULL;
        at++;
    }
}

static struct xml_name local_name(const char *begin, const char *end)
{
    for (const char *at = end; at > begin; at--)
        if (at[-1] == ':')
            return (struct xml_name){.text = at, .bytes = (size_t)(end - at)};
    return (struct xml_name){.text = begin, .bytes = (size_t)(end - begin)};
}

static enum xml_event start_tag(struct xml *xml, const char *name)
{
    const char *name_end = skip_name(name, xml->end), *at;

    if (!name_end || xml->depth == XML_DEPTH_MAX || (xml->depth == 0 && xml->seen_root))
        return fault(xml);
    at = skip_attributes(name_end, xml->end);
    if (!at)
        return fault(xml);
    xml->empty_tag = *at == '/';
    if (xml->empty_tag && (++at == xml->end || *at != '>'))
        return fault(xml);
    xml->open[xml->depth] = local_name(name, name_end);
    if (xml->open[xml->depth].bytes == 0)
        return fault(xml);
    xml->depth++;
    xml->seen_root = true;
    xml->at = xml->text = at + 1;
    xml->text_bytes = STILL_OPEN;
    return XML_OPEN;
}

/* text_end: start of the end tag (for an empty element, the end of its only tag). */
static enum xml_event close_element(struct xml *xml, const char *text_end)
{
    xml->leaf = xml->text_bytes == STILL_OPEN;
    xml->text_bytes = xml->leaf ? (size_t)(text_end - xml->text) : 0;
    xml->empty_tag = false;
    xml->depth--;
    return XML_CLOSE;
}

static enum xml_event end_tag(struct xml *xml, const char *tag)
{
    const char *name = tag + 2, *name_end = skip_name(name, xml->end), *at, *opened;

    if (!name_end || xml->depth == 0)
        return fault(xml);
    at = skip_blanks(name_end, xml->end);
    if (at == xml->end || *at != '>')
        return fault(xml);
    /* must equal the start tag's name including its prefix, which precedes it in the document */
    opened = xml->open[xml->depth - 1].text;
    while (opened[-1] != '<')
        opened--;
    if ((size_t)(xml->end - opened) < (size_t)(name_end - name) ||
        memcmp(opened, name, (size_t)(name_end - name)) != 0 ||
        is_name((unsigned char)opened[name_end - name]))
        return fault(xml);
    xml->at = at + 1;
    return close_element(xml, tag);
}

enum xml_event xml_next(struct xml *xml)
{
    if (!xml->at)
        return XML_ERROR;
    xml->leaf = false;
    if (xml->empty_tag)
        return close_element(xml, xml->text);
    for (;;) {
        const char *tag = xml->depth > 0 ? memchr(xml->at, '<', (size_t)(xml->end - xml->at))
                                         : skip_blanks(xml->at, xml->end);
        if (xml->depth == 0 && tag == xml->end)
            return xml->seen_root ? XML_END : fault(xml);
        if (!tag || *tag != '<' || xml->end - tag < 2)
            return fault(xml);
        if (tag[1] == '/')
            return end_tag(xml, tag);
        if (tag[1] != '?' || xml->seen_root)
            return start_tag(xml, tag + 1);               /* "<!" begins no name */
        tag = memchr(tag, '>', (size_t)(xml->end - tag)); /* <?xml version="1.0"?> */
        if (!tag || tag[-1] != '?')
            return fault(xml);
        xml->at = tag + 1;
    }
}

bool xml_is(const struct xml_name *element, const char *name)
{
    return strlen(name) == element->bytes && memcmp(name, element->text, element->bytes) == 0;
}

/* --- text ------------------------------------------------------------------------------------ */

struct xml_text {
    char *out;
    size_t used, room;
    bool bad;
};

static void sink_add(struct xml_text *sink, char c)
{
    /* a NUL would truncate the text to a different name */
    if (c == '\0' || sink->used + 1 >= sink->room)
        sink->bad = true;
    else
        sink->out[sink->used++] = c;
}

/* Appends a code point. Controls are allowed: keys may contain them and are listed this way. */
static void sink_add_character(struct xml_text *sink, uint32_t code)
{
    char text[4];
    const unsigned length = utf8_put(code, text);

    sink->bad = sink->bad || length == 0;
    for (unsigned i = 0; i < length; i++)
        sink_add(sink, text[i]);
}

/* "10", "x1F"; 0: malformed. */
static uint32_t reference_code(const char *at, const char *end)
{
    const bool hexadecimal = at < end && *at == 'x';
    uint64_t code;

    at += hexadecimal;
    if (end - at > 8 || !(hexadecimal ? number_take_hex : number_take_before)(&at, end, &code))
        return 0;
    return at == end && code <= 0x10ffff ? (uint32_t)code : 0;
}

/* Decodes the entity at an ampersand; returns what follows it. */
static const char *add_entity(struct xml_text *sink, const char *at, const char *end)
{
    static const struct {
        const char *text;
        char meaning;
    } entity[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
    const char *semicolon;

    for (size_t i = 0; i < sizeof(entity) / sizeof(*entity); i++) {
        if (starts(at, end, entity[i].text)) {
            sink_add(sink, entity[i].meaning);
            return at + strlen(entity[i].text);
        }
    }
    semicolon = memchr(at, ';', (size_t)(end - at));
    if (!semicolon || !starts(at, end, "&#")) {
        sink->bad = true;
        return end;
    }
    sink_add_character(sink, reference_code(at + 2, semicolon));
    return semicolon + 1;
}

/* Copies one character; line ends become one newline, as XML specifies. */
static const char *add_plain(struct xml_text *sink, const char *at, const char *end)
{
    const unsigned char c = (unsigned char)*at++;

    if (c == '\r') {
        sink_add(sink, '\n');
        return at < end && *at == '\n' ? at + 1 : at;
    }
    if (c < 0x20 && c != '\n' && c != '\t')
        sink->bad = true;
    sink_add(sink, (char)c);
    return at;
}

int xml_text(const struct xml *xml, char *out, size_t room)
{
    struct xml_text sink = {.out = out, .room = room};
    const char *at = xml->text, *end;

    if (room > 0)
        out[0] = '\0';
    if (!xml->leaf || room == 0 || xml->text_bytes > INT32_MAX)
        return -1;
    for (end = at + xml->text_bytes; at < end && !sink.bad;) {
        at = (*at == '&' ? add_entity : add_plain)(&sink, at, end);
    }
    out[sink.bad ? 0 : sink.used] = '\0';
    return sink.bad ? -1 : (int)sink.used;
}

int xml_find(const char *document, size_t bytes, const char *name, char *out, size_t room)
{
    struct xml xml;

    if (room > 0)
        out[0] = '\0';
    xml_begin(&xml, document, bytes);
    for (;;) {
        const enum xml_event event = xml_next(&xml);
        if (event == XML_ERROR || event == XML_END)
            return -1;
        if (event == XML_CLOSE && xml.leaf && xml_is(&xml.open[xml.depth], name))
            return xml_text(&xml, out, room);
    }
}
