/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* s3.c - files of credentials, places of buckets, XML and answers of S3: part of parsers.c. */
#include "base/compat.h"

#include "fuzz/parsers.h"

#ifdef HAVE_S3
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "net/http_reader.h"
#include "storage/object/s3/protocol.h"

void fuzz_credentials(const uint8_t *data, size_t size)
{
    const int fd = memfd_create("credentials", MFD_CLOEXEC);
    struct s3_options options = {.store.profile = size & 1 ? "other" : NULL};
    struct s3_credentials credentials;
    struct s3_profile profile;
    struct error err = ERROR_INIT;
    char path[40], text[1024];
    int result;

    need(fd >= 0 && fchmod(fd, 0600) == 0 && write(fd, data, size) == (ssize_t)size);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    unsetenv("AWS_ACCESS_KEY_ID");
    unsetenv("AWS_SECRET_ACCESS_KEY");
    unsetenv("AWS_PROFILE");
    setenv("AWS_SHARED_CREDENTIALS_FILE", path, 1);
    setenv("AWS_CONFIG_FILE", path, 1);
    result = s3_credentials_find(&options, &credentials, &profile, &err);
    close(fd);
    check_verdict(result, &err);
    need(strstr(error_format(&err, text, sizeof(text)), "GEHEIM") == NULL);
    need(result == 0 ? credentials.access_key[0] && credentials.secret_key[0]
                     : err.status == STATUS_TARGET && !credentials.secret_key && !profile.region);
    need_plain(credentials.access_key);
    need_plain(credentials.secret_key);
    need_plain(credentials.session_token);
    need_plain(profile.region);
    need_plain(profile.endpoint);
    s3_credentials_free(&credentials);
    s3_profile_free(&profile);
}

void fuzz_address(char *words)
{
    char *endpoint = strchr(words, ' '), *region = endpoint ? strchr(endpoint + 1, ' ') : NULL;

    if (endpoint)
        *endpoint++ = '\0';
    if (region)
        *region++ = '\0';
    for (unsigned addressing = 0; addressing <= S3_ADDRESSING_VIRTUAL; addressing++) {
        struct s3_address address;
        struct error err = ERROR_INIT;
        int result = s3_address_make(words, endpoint && *endpoint ? endpoint : NULL, region,
                                     (enum s3_addressing)addressing, &address, &err);
        check_verdict(result, &err);
        need(result == 0 || (err.status == STATUS_USAGE && !address.bucket));
        if (result == 0) { /* nothing that changes the meaning of a URL or ends a header */
            const size_t length = strlen(address.prefix);
            need(address.authority[strcspn(address.authority, " /?#@\\\"<>\r\n\t")] == '\0');
            need(address.path[0] == '/' && address.path[strlen(address.path) - 1] == '/');
            need(address.path[strcspn(address.path, " ?#%\r\n")] == '\0');
            need(!strstr(address.path, "//") && !strstr(address.path, "/../"));
            need(length == 0 || (address.prefix[0] != '/' && address.prefix[length - 1] == '/'));
            need_plain(address.prefix);
            need_plain(address.region);
        }
        s3_address_free(&address);
    }
}

/* Elements are closed in the order in which they were opened,
 * names and text lie in the document. */
void fuzz_xml(const char *document, size_t bytes)
{
    const char *opened[XML_DEPTH_MAX];
    char out[64];
    unsigned depth = 0;
    struct xml xml;
    enum xml_event event;

    xml_begin(&xml, document, bytes);
    while ((event = xml_next(&xml)) == XML_OPEN || event == XML_CLOSE) {
        const struct xml_name *name = &xml.open[event == XML_OPEN ? xml.depth - 1 : xml.depth];
        int length;
        if (event == XML_OPEN) {
            need(depth < XML_DEPTH_MAX && !xml.leaf);
            opened[depth++] = name->text;
        } else {
            need(depth > 0 && opened[--depth] == name->text);
        }
        need(xml.depth == depth && name->bytes > 0);
        need(name->text > document && name->text + name->bytes < document + bytes);
        if (xml.leaf)
            need(xml.text > name->text && xml.text + xml.text_bytes <= document + bytes);
        length = xml_text(&xml, out, sizeof(out));
        need(length < (int)sizeof(out) &&
             (length < 0 ? out[0] == '\0' : strlen(out) == (size_t)length));
        need(xml.leaf || length == -1);
    }
    need(event == XML_ERROR || (depth == 0 && xml.seen_root));
    need(xml_next(&xml) == event);
    need(xml_find(document, bytes, "Code", out, sizeof(out)) < (int)sizeof(out));
}

static int count_key(void *arg, const struct object_listed *listed, struct error *err)
{
    (void)err;
    need(listed->key[0] != '\0' && strlen(listed->key) < OBJECT_KEY_BYTES);
    ++*(uint64_t *)arg;
    return 0;
}

/* What an answer to a call means, in words too: one line that a terminal can show. */
static void judge_answer(enum object_verb kind, const struct http_answer *answer)
{
    const struct object_call call = {.verb = kind,
                                     .key = "k",
                                     .ranged = kind == OBJECT_GET,
                                     .offset_bytes = 4,
                                     .range_bytes = 8};
    struct object_verdict verdict;
    struct error why = {.status = STATUS_TARGET};

    s3_judge(&call, answer, &verdict);
    need((verdict.class == OBJECT_DONE) == (verdict.errnum == 0) &&
         verdict.class < OBJECT_CLASS_COUNT);
    need(verdict.class != OBJECT_DONE || (!verdict.retryable && verdict.code[0] == '\0'));
    need(verdict.class != OBJECT_DONE || (answer->status >= 200 && answer->status < 300));
    need_plain(verdict.code);
    s3_explain(&(struct object_answer){.verdict = verdict, .detail = answer}, &why);
    need_plain(why.reason);
    need_plain(why.advice);
    need(!strstr(why.reason, "GEHEIM") || strcmp(verdict.code, "SignatureDoesNotMatch") != 0);
}

void fuzz_answer(char *text, size_t bytes)
{
    static const int statuses[] = {200, 206, 204, 301, 307, 400, 403, 404, 412, 416, 500, 503, 0};
    struct http_answer answer = {.received_bytes = 8, .content_length = UINT64_MAX};
    struct object_page page;
    struct error err = ERROR_INIT;
    uint64_t seen = 0;
    char *body = strchr(text, '\n'), code[16];
    int result;

    if (bytes < 2 || !body)
        return;
    *body++ = '\0';
    answer.status = statuses[(unsigned char)text[1] % (sizeof(statuses) / sizeof(*statuses))];
    answer.text = body;
    answer.text_bytes = bytes - (size_t)(body - text);
    (void)snprintf(answer.content_range, sizeof(answer.content_range), "%s", text + 1);
    (void)snprintf(answer.request_id, sizeof(answer.request_id), "%s", text + 1);
    (void)snprintf(answer.checksum, sizeof(answer.checksum), "%s", text + 1);
    (void)snprintf(answer.etag, sizeof(answer.etag), "%s", text + 1);
    judge_answer((enum object_verb)((unsigned char)text[0] % OBJECT_RENAME), &answer);
    result =
        s3_page_read(&(struct object_answer){.detail = &answer}, &page, count_key, &seen, &err);
    check_verdict(result, &err);
    need(seen == page.keys && (result < 0 || !page.more || page.token[0] != '\0'));
    result = s3_delete_read(&(struct object_answer){.detail = &answer}, code, sizeof(code));
    need(result >= -1);
    need_plain(code);
    for (size_t room = 0; room < 300; room += 37) {
        char document[300];
        size_t used = s3_complete_xml(S3_CHECKSUM_CRC32, 7, &answer, document, 0, room);
        need(used < (room > 0 ? room : 1) && (used == 0 || strlen(document) == used));
    }
}
#endif
