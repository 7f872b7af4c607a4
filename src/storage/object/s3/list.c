/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* list.c - the larger XML documents of S3: list pages, lists of keys to delete and their results,
 * the parts of an upload. Read and written in the caller's memory. */
#include "base/compat.h"

#include "base/number.h"
#include "storage/object/s3/protocol.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "net/encode.h"

/* --- reading --------------------------------------------------------------------------------- */

/* All these documents are a root with leaves and items, and items with leaves. */
struct field { /* a leaf of items */
    const char *name;
    char *text;
    size_t room;
    int bytes; /* of its text; -1: the item has none */
};

/* Reads up to the end of the next child of the root, which is xml->open[1]: XML_CLOSE, with the
 * leaves of an item in the fields; XML_END after the last one. */
static enum xml_event next_child(struct xml *xml, const char *root, struct field *field,
                                 unsigned fields)
{
    enum xml_event event;

    for (unsigned i = 0; i < fields; i++)
        field[i].bytes = -1;
    while ((event = xml_next(xml)) == XML_OPEN || (event == XML_CLOSE && xml->depth != 1)) {
        if (event == XML_OPEN && xml->depth == 1 && !xml_is(&xml->open[0], root))
            return XML_ERROR;
        if (event == XML_OPEN || xml->depth != 2 || !xml->leaf)
            continue;
        for (unsigned i = 0; i < fields; i++) {
            if (!xml_is(&xml->open[2], field[i].name))
                continue;
            if (field[i].bytes >= 0) /* again */
                return XML_ERROR;
            field[i].bytes = xml_text(xml, field[i].text, field[i].room);
            if (field[i].bytes < 0)
                return XML_ERROR;
        }
    }
    return event;
}

/* Handles a leaf of the root in a list. False: invalid. */
static bool take_more(const struct xml *xml, bool *more)
{
    char word[8];

    if (!xml_is(&xml->open[1], "IsTruncated"))
        return true;
    if (xml_text(xml, word, sizeof(word)) < 0)
        return false;
    *more = strcmp(word, "true") == 0;
    return *more || strcmp(word, "false") == 0;
}

/* --- listings -------------------------------------------------------------------------------- */

static int broken(struct error *err)
{
    if (err) {
        error_set(err, STATUS_TARGET, EPROTO, "cannot understand the server's", "list of objects");
        error_advise(err, "is this the endpoint of an S3 service?");
    }
    return -1;
}

int s3_page_read(const struct object_answer *object, struct object_page *page, object_visit visit,
                 void *arg, struct error *err)
{
    const struct http_answer *answer = object->detail;
    struct error own = ERROR_INIT;
    char key[OBJECT_KEY_BYTES], size[32];
    struct field field[] = {{"Key", key, sizeof(key), -1},
                            {"Prefix", key, sizeof(key), -1},
                            {"Size", size, sizeof(size), -1}};
    struct xml xml;
    enum xml_event event;

    page->keys = page->first = 0;
    page->more = false;
    page->token[0] = '\0';
    if (memchr(answer->text, '\0', answer->text_bytes))
        return broken(err);
    xml_begin(&xml, answer->text, answer->text_bytes);
    while ((event = next_child(&xml, "ListBucketResult", field, COUNT_OF(field))) == XML_CLOSE) {
        const bool rolled_up = xml_is(&xml.open[1], "CommonPrefixes");
        struct object_listed listed = {.key = key, .rolled_up = rolled_up};
        int result;

        if (!rolled_up && !xml_is(&xml.open[1], "Contents")) {
            if (!take_more(&xml, &page->more) ||
                (xml_is(&xml.open[1], "NextContinuationToken") &&
                 xml_text(&xml, page->token, sizeof(page->token)) < 0))
                return broken(err);
            continue;
        }
        if (field[rolled_up].bytes <= 0 ||
            (!rolled_up && (field[2].bytes <= 0 || !number_read(size, &listed.size_bytes))))
            return broken(err);
        if (page->keys++ == 0)
            page->first = text_hash(key);
        result = visit ? visit(arg, &listed, err ? err : &own) : 0;
        if (result == -1 && !(err && error_is_set(err)))
            return broken(err);
        if (result != 0)
            return result;
    }
    return event == XML_ERROR || (page->more && page->token[0] == '\0') ? broken(err) : 0;
}

/* --- deletion -------------------------------------------------------------------------------- */

/* Appends with the five special characters of XML escaped, and controls as references (the only way
 * to write keys that contain them). */
static void put_escaped(struct text_builder *out, const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        char piece[8] = {(char)*at};

        if (*at < 0x20 || *at == 0x7f)
            (void)snprintf(piece, sizeof(piece), "&#x%x;", (unsigned)*at);
        text_put(out, *at == '&'   ? "&amp;"
                      : *at == '<' ? "&lt;"
                      : *at == '>' ? "&gt;"
                      : *at == '"' ? "&quot;"
                                   : piece);
    }
}

size_t s3_delete_xml(const char *key, char *text, size_t used, size_t room)
{
    struct text_builder out = {.text = text, .room = room, .used = used};

    if (used == 0)
        text_put(&out, "<Delete xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
                       "<Quiet>true</Quiet>");
    text_put(&out, key ? "<Object><Key>" : "</Delete>");
    if (key) {
        put_escaped(&out, key);
        text_put(&out, "</Key></Object>");
    }
    return out.full ? 0 : out.used;
}

int s3_delete_read(const struct object_answer *object, char *code, size_t room)
{
    const struct http_answer *answer = object->detail;
    char this_code[64];
    struct field field = {"Code", this_code, sizeof(this_code), -1};
    struct xml xml;
    enum xml_event event;
    int failures = 0;

    if (room > 0)
        code[0] = '\0';
    xml_begin(&xml, answer->text, answer->text_bytes);
    while ((event = next_child(&xml, "DeleteResult", &field, 1)) == XML_CLOSE) {
        if (!xml_is(&xml.open[1], "Error"))
            continue;
        if (field.bytes < 0)
            this_code[0] = '\0';
        if (strcmp(this_code, "NoSuchKey") != 0 && failures++ == 0 && room > 0)
            error_printable(this_code, code, room);
    }
    return event == XML_ERROR ? -1 : failures;
}

/* --- uploads --------------------------------------------------------------------------------- */

size_t s3_complete_xml(enum s3_checksum checksum, unsigned part, const struct http_answer *answer,
                       char *text, size_t used, size_t room)
{
    static const struct {
        const char *field, *element; /* names in answer->checksum and in the document */
    } names[S3_CHECKSUM_COUNT] = {
        [S3_CHECKSUM_CRC32] = {"crc32=", "ChecksumCRC32"},
        [S3_CHECKSUM_CRC32C] = {"crc32c=", "ChecksumCRC32C"},
        [S3_CHECKSUM_CRC64NVME] = {"crc64nvme=", "ChecksumCRC64NVME"},
    };
    const char *field = names[checksum].field, *element = names[checksum].element;
    struct text_builder out = {.text = text, .used = used, .room = room, .full = used >= room};

    if (used == 0)
        text_put(&out, "<CompleteMultipartUpload "
                       "xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">");
    if (!answer) {
        text_put(&out, "</CompleteMultipartUpload>");
        return out.full ? 0 : out.used;
    }
    if (answer->etag[0] == '\0')
        return 0;
    text_put(&out, "<Part><PartNumber>");
    encode_put_number(&out, part);
    text_put(&out, "</PartNumber><ETag>");
    put_escaped(&out, answer->etag);
    text_put(&out, "</ETag>");
    if (field && strncmp(answer->checksum, field, strlen(field)) == 0) {
        text_put(&out, "<");
        text_put(&out, element);
        text_put(&out, ">");
        put_escaped(&out, answer->checksum + strlen(field));
        text_put(&out, "</");
        text_put(&out, element);
        text_put(&out, ">");
    }
    text_put(&out, "</Part>");
    return out.full ? 0 : out.used;
}

bool s3_uploads_read(const struct object_answer *object, struct object_uploads *uploads)
{
    const struct http_answer *answer = object->detail;
    char key[OBJECT_KEY_BYTES], id[OBJECT_UPLOAD_BYTES];
    struct field field[] = {{"Key", key, sizeof(key), -1}, {"UploadId", id, sizeof(id), -1}};
    enum xml_event event;
    struct xml xml;

    *uploads = (struct object_uploads){.more = false};
    xml_begin(&xml, answer->text, answer->text_bytes);
    while ((event = next_child(&xml, "ListMultipartUploadsResult", field, COUNT_OF(field))) ==
           XML_CLOSE) {
        if (xml_is(&xml.open[1], "Upload")) {
            if (field[0].bytes <= 0 || field[1].bytes <= 0)
                return false;
            uploads->upload =
                mem_realloc_array(uploads->upload, uploads->count + 1, sizeof(*uploads->upload));
            uploads->upload[uploads->count].key = mem_strdup(key);
            uploads->upload[uploads->count++].id = mem_strdup(id);
        } else if (!take_more(&xml, &uploads->more) ||
                   (xml_is(&xml.open[1], "NextKeyMarker") &&
                    xml_text(&xml, uploads->next_key, OBJECT_KEY_BYTES) < 0) ||
                   (xml_is(&xml.open[1], "NextUploadIdMarker") &&
                    xml_text(&xml, uploads->next_id, OBJECT_UPLOAD_BYTES) < 0)) {
            return false;
        }
    }
    return event == XML_END;
}
