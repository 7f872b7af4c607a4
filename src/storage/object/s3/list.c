/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* list.c - the larger XML documents of S3: list pages, lists of keys to delete and their results,
 * the parts of an upload. Read and written in the caller's memory. */
#include "base/compat.h"

#include "base/number.h"
#include "storage/object/s3/response.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "net/encode.h"
#include "storage/object/s3/xml.h"

/* --- listings -------------------------------------------------------------------------------- */

struct entry { /* one <Contents> or <CommonPrefixes> under construction */
    char key[OBJECT_KEY_BYTES];
    uint64_t size_bytes;
    bool has_key, has_size;
};

/* Handles the end of a leaf below <Contents> or <CommonPrefixes>. False: invalid value. */
static bool take_entry_leaf(const struct xml *xml, struct entry *entry)
{
    const struct xml_name *name = &xml->open[xml->depth];
    const bool rolled_up = xml_is(&xml->open[1], "CommonPrefixes");
    char size[32];

    if (xml_is(name, rolled_up ? "Prefix" : "Key")) {
        const bool again = entry->has_key;
        entry->has_key = xml_text(xml, entry->key, sizeof(entry->key)) > 0;
        return entry->has_key && !again;
    }
    if (!rolled_up && xml_is(name, "Size")) {
        entry->has_size = xml_text(xml, size, sizeof(size)) > 0;
        return entry->has_size && number_read(size, &entry->size_bytes);
    }
    return true;
}

/* Handles the end of a leaf directly below the root. */
static bool take_page_leaf(const struct xml *xml, struct object_page *page)
{
    const struct xml_name *name = &xml->open[xml->depth];
    char word[8];

    if (xml_is(name, "IsTruncated")) {
        if (xml_text(xml, word, sizeof(word)) < 0)
            return false;
        page->more = strcmp(word, "true") == 0;
        return page->more || strcmp(word, "false") == 0;
    }
    if (xml_is(name, "NextContinuationToken"))
        return xml_text(xml, page->token, sizeof(page->token)) >= 0;
    return true;
}

static bool is_entry(const struct xml_name *name)
{
    return xml_is(name, "Contents") || xml_is(name, "CommonPrefixes");
}

/* Handles the end of an element. Returns 0, -1 if it is invalid, or what visit returned. */
static int take_close(const struct xml *xml, struct object_page *page, struct entry *entry,
                      object_visit visit, void *arg, struct error *err)
{
    if (xml->depth == 2 && xml->leaf && is_entry(&xml->open[1]))
        return take_entry_leaf(xml, entry) ? 0 : -1;
    if (xml->depth != 1)
        return 0;
    if (is_entry(&xml->open[1])) {
        const bool rolled_up = xml_is(&xml->open[1], "CommonPrefixes");
        if (!entry->has_key || (!rolled_up && !entry->has_size))
            return -1;
        if (page->keys++ == 0)
            page->first = text_hash(entry->key);
        return visit ? visit(arg, &(struct object_listed){entry->key, entry->size_bytes, rolled_up},
                             err)
                     : 0;
    }
    return !xml->leaf || take_page_leaf(xml, page) ? 0 : -1;
}

static int broken(struct error *err, const char *what)
{
    if (err) {
        error_set(err, STATUS_TARGET, EPROTO, "cannot understand the server's", what);
        error_advise(err, "is this the endpoint of an S3 service?");
    }
    return -1;
}

int s3_page_read(const struct object_answer *object, struct object_page *page, object_visit visit,
                 void *arg, struct error *err)
{
    const struct http_answer *answer = object->detail;
    struct entry entry = {.has_key = false};
    struct error own = ERROR_INIT;
    struct xml xml;
    enum xml_event event;

    page->keys = page->first = 0;
    page->more = false;
    page->token[0] = '\0';
    if (memchr(answer->text, '\0', answer->text_bytes))
        return broken(err, "list of objects");
    xml_begin(&xml, answer->text, answer->text_bytes);
    while ((event = xml_next(&xml)) != XML_END) {
        int result = 0;
        if (event == XML_ERROR ||
            (event == XML_OPEN && xml.depth == 1 && !xml_is(&xml.open[0], "ListBucketResult")))
            return broken(err, "list of objects");
        if (event == XML_OPEN && xml.depth == 2) {
            entry.has_key = entry.has_size = false;
            entry.key[0] = '\0';
            entry.size_bytes = 0;
        } else if (event == XML_CLOSE) {
            result = take_close(&xml, page, &entry, visit, arg, err ? err : &own);
        }
        if (result == -1 && !(err && error_is_set(err)))
            return broken(err, "list of objects");
        if (result != 0)
            return result;
    }
    return page->more && page->token[0] == '\0' ? broken(err, "list of objects") : 0;
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

size_t s3_delete_xml(const char *const *key, size_t count, char *text, size_t room)
{
    struct text_builder out = {.text = text, .room = room};

    text_put(&out, "<Delete xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
                   "<Quiet>true</Quiet>");
    for (size_t i = 0; i < count; i++) {
        text_put(&out, "<Object><Key>");
        put_escaped(&out, key[i]);
        text_put(&out, "</Key></Object>");
    }
    text_put(&out, "</Delete>");
    return out.full ? 0 : out.used;
}

int s3_delete_read(const struct object_answer *object, char *code, size_t room)
{
    const struct http_answer *answer = object->detail;
    struct xml xml;
    enum xml_event event;
    char this_code[64] = "";
    int failures = 0;

    if (room > 0)
        code[0] = '\0';
    xml_begin(&xml, answer->text, answer->text_bytes);
    while ((event = xml_next(&xml)) != XML_END) {
        if (event == XML_ERROR ||
            (event == XML_OPEN && xml.depth == 1 && !xml_is(&xml.open[0], "DeleteResult")))
            return -1;
        if (event == XML_OPEN && xml.depth == 2)
            this_code[0] = '\0';
        if (event != XML_CLOSE)
            continue;
        if (xml.depth == 2 && xml.leaf && xml_is(&xml.open[2], "Code")) {
            if (xml_text(&xml, this_code, sizeof(this_code)) < 0)
                return -1;
        } else if (xml.depth == 1 && xml_is(&xml.open[1], "Error") &&
                   strcmp(this_code, "NoSuchKey") != 0) {
            if (failures++ == 0 && room > 0)
                error_printable(this_code, code, room);
        }
    }
    return failures;
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

static bool take_upload_leaf(const struct xml *xml, struct object_uploads *uploads, char *key,
                             char *id)
{
    const struct xml_name *name = &xml->open[xml->depth];
    char word[8];

    if (xml->depth == 2 && xml_is(&xml->open[1], "Upload")) {
        if (xml_is(name, "Key"))
            return xml_text(xml, key, OBJECT_KEY_BYTES) > 0;
        return !xml_is(name, "UploadId") || xml_text(xml, id, OBJECT_UPLOAD_BYTES) > 0;
    }
    if (xml->depth != 1)
        return true;
    if (xml_is(name, "IsTruncated"))
        uploads->more = xml_text(xml, word, sizeof(word)) > 0 && strcmp(word, "true") == 0;
    else if (xml_is(name, "NextKeyMarker"))
        return xml_text(xml, uploads->next_key, OBJECT_KEY_BYTES) >= 0;
    else if (xml_is(name, "NextUploadIdMarker"))
        return xml_text(xml, uploads->next_id, OBJECT_UPLOAD_BYTES) >= 0;
    return true;
}

bool s3_uploads_read(const struct object_answer *object, struct object_uploads *uploads)
{
    const struct http_answer *answer = object->detail;
    char key[OBJECT_KEY_BYTES] = "", id[OBJECT_UPLOAD_BYTES] = "";
    enum xml_event event;
    struct xml xml;

    *uploads = (struct object_uploads){.more = false};
    xml_begin(&xml, answer->text, answer->text_bytes);
    while ((event = xml_next(&xml)) != XML_END) {
        if (event == XML_ERROR)
            return false;
        if (event == XML_OPEN && xml.depth == 2)
            key[0] = id[0] = '\0';
        if (event != XML_CLOSE)
            continue;
        if (xml.leaf && !take_upload_leaf(&xml, uploads, key, id))
            return false;
        if (xml.depth == 1 && xml_is(&xml.open[1], "Upload")) {
            if (key[0] == '\0' || id[0] == '\0')
                return false;
            uploads->upload =
                mem_realloc_array(uploads->upload, uploads->count + 1, sizeof(*uploads->upload));
            uploads->upload[uploads->count].key = mem_strdup(key);
            uploads->upload[uploads->count++].id = mem_strdup(id);
        }
    }
    return true;
}
