/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_s3_live.c - S3 requests to a real server, all below one prefix that is removed again.
 *
 * Runs if the environment names a server: IOSWEEP_S3_ENDPOINT, IOSWEEP_S3_BUCKET (existing and
 * writable) and the AWS_* credentials; otherwise skipped. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "storage/object/client.h"
#include "storage/object/s3/protocol.h"
#include "storage/object/s3/xml.h"

#define PART_BYTES ((size_t)5 << 20) /* minimum of S3, except for the last one */
#define DATA_BYTES (2 * PART_BYTES + 1000)

static struct s3_options options;
static struct s3_service service;
static struct object_client *client;
static char prefix[80]; /* of all keys */
static unsigned char *data;

static void show(const struct error *err)
{
    char text[1000];
    if (error_is_set(err))
        print_error("%s\n", error_format(err, text, sizeof(text)));
}

/* The result is valid until the fourth call after it. */
static const char *key_of(const char *name)
{
    static char ring[4][OBJECT_KEY_BYTES];
    static unsigned at;
    char *key = ring[at++ % 4];

    assert_true((size_t)snprintf(key, OBJECT_KEY_BYTES, "%s%s", prefix, name) < OBJECT_KEY_BYTES);
    return key;
}

static const struct http_answer *must(const struct object_call *call)
{
    const struct object_answer *answer = NULL;
    struct object_verdict verdict;
    struct error err = ERROR_INIT;

    if (object_client_call(client, call, "cannot do", &answer, &verdict, &err) != 0) {
        show(&err);
        fail();
    }
    assert_int_equal(verdict.class, OBJECT_DONE);
    return answer->detail;
}

/* Must fail like this; returns the description. */
static const char *must_not(const struct object_call *call, int errnum, const char *code)
{
    static char text[1000];
    const struct object_answer *answer = NULL;
    struct object_verdict verdict;
    struct error err = ERROR_INIT;

    assert_int_equal(object_client_call(client, call, "cannot do", &answer, &verdict, &err), -1);
    error_format(&err, text, sizeof(text));
    if (verdict.errnum != errnum || (code && strcmp(verdict.code, code) != 0))
        fail_msg("%s: errno %d, code %s", text, verdict.errnum, verdict.code);
    return text;
}

static void put(const char *key, const void *body, uint64_t bytes)
{
    (void)must(
        &(struct object_call){.verb = OBJECT_PUT, .key = key, .body = body, .body_bytes = bytes});
}

/* The object must have exactly this content. */
static void check_object(const char *key, const void *body, uint64_t bytes)
{
    unsigned char *into = calloc(1, (size_t)bytes + 1);
    const struct http_answer *answer = must(&(struct object_call){
        .verb = OBJECT_GET, .key = key, .into = into, .into_bytes = bytes + 1});

    assert_int_equal(answer->received_bytes, bytes);
    assert_memory_equal(into, body, bytes);
    free(into);
}

static void objects(void **state)
{
    char into[100];
    const char *key = key_of("object");
    const struct http_answer *answer;

    (void)state;
    put(key, data, 1000);
    answer = must(&(struct object_call){.verb = OBJECT_STAT, .key = key});
    assert_int_equal(answer->content_length, 1000);
    assert_int_equal(answer->received_bytes, 0);
    assert_true(answer->etag[0] != '\0');
    check_object(key, data, 1000);
    answer = must(&(struct object_call){.verb = OBJECT_GET, .key = key});
    assert_int_equal(answer->received_bytes, 1000);
    must_not(&(struct object_call){.verb = OBJECT_GET, .key = key, .into = into, .into_bytes = 100},
             EPROTO, "TooLong");
    put(key, "", 0);
    check_object(key, "", 0);
    put(key, data, 1); /* overwritten */
    check_object(key, data, 1);
    (void)must(&(struct object_call){.verb = OBJECT_DELETE, .key = key});
    must_not(&(struct object_call){.verb = OBJECT_GET, .key = key}, ENOENT, "NoSuchKey");
    must_not(&(struct object_call){.verb = OBJECT_STAT, .key = key}, ENOENT, NULL);
    (void)must(&(struct object_call){.verb = OBJECT_DELETE, .key = key}); /* already deleted */
}

static void ranges(void **state)
{
    char into[100];
    const char *key = key_of("ranges");
    struct object_call call = {.verb = OBJECT_GET,
                               .key = key,
                               .ranged = true,
                               .offset_bytes = 500,
                               .range_bytes = 100,
                               .into = into,
                               .into_bytes = sizeof(into)};

    (void)state;
    put(key, data, 1000);
    assert_int_equal(must(&call)->received_bytes, 100);
    assert_memory_equal(into, data + 500, 100);
    call.offset_bytes = 950; /* up to the object's end */
    assert_int_equal(must(&call)->received_bytes, 50);
    assert_memory_equal(into, data + 950, 50);
    call.offset_bytes = 1000;
    must_not(&call, ERANGE, "InvalidRange");
}

static void only_if_absent(void **state)
{
    const struct object_call call = {.verb = OBJECT_PUT,
                                     .key = key_of("absent"),
                                     .only_if_absent = true,
                                     .body = "1",
                                     .body_bytes = 1};

    (void)state;
    (void)must(&call);
    must_not(&call, EEXIST, "PreconditionFailed");
}

/* --- listing ---------------------------------------------------------------------------------- */

static char listed[20000];

static int list_key(void *arg, const struct object_listed *entry, struct error *err)
{
    (void)arg;
    (void)err;
    (void)snprintf(listed + strlen(listed), sizeof(listed) - strlen(listed), "%s:%llu%s;",
                   entry->key + strlen(prefix), (unsigned long long)entry->size_bytes,
                   entry->rolled_up ? "+" : "");
    return 0;
}

static uint64_t pages_asked(void)
{
    return atomic_load(&service.base.requests[OBJECT_LIST]);
}

static void list(const char *below, uint64_t page, uint64_t pages_expected, const char *expected)
{
    struct error err = ERROR_INIT;
    const uint64_t before = pages_asked();
    const int result =
        (listed[0] = '\0', object_client_list(client, key_of(below), page, list_key, NULL, &err));
    show(&err);
    assert_int_equal(result, 0);
    assert_string_equal(listed, expected);
    assert_int_equal(pages_asked() - before, pages_expected);
}

static void listing(void **state)
{
    static const char *const names[] = {"list/a",   "list/b",   "list/c", "list/d",
                                        "list/s/1", "list/s/2", "list/t"};
    struct object_page *page = mem_calloc(1, sizeof(*page));
    struct error err = ERROR_INIT;

    (void)state;
    for (size_t i = 0; i < 7; i++)
        put(key_of(names[i]), data, i);
    list("list/", 0, 1, "list/a:0;list/b:1;list/c:2;list/d:3;list/s/1:4;list/s/2:5;list/t:6;");
    list("list/", 3, 3, "list/a:0;list/b:1;list/c:2;list/d:3;list/s/1:4;list/s/2:5;list/t:6;");
    list("list/s/", 1, 2, "list/s/1:4;list/s/2:5;");
    list("list/none", 3, 1, "");
    listed[0] = '\0';
    assert_int_equal(s3_page_read(
                         &(struct object_answer){
                             .detail = must(&(struct object_call){
                                 .verb = OBJECT_LIST, .key = key_of("list/"), .delimiter = "/"})},
                         page, list_key, NULL, &err),
                     0);
    assert_int_equal(page->keys, 6);
    assert_non_null(strstr(listed, "list/s/:0+;")); /* its position varies */
    assert_null(strstr(listed, "list/s/1"));
    free(page);
}

/* --- names ------------------------------------------------------------------------------------ */

static void odd_keys(void **state)
{
    static const char *const names[] = {
        "odd/a b",
        "odd/a+b",
        "odd/a=b",
        "odd/a&b",
        "odd/a%b",
        "odd/a%20b",
        "odd/a~b",
        "odd/\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80",
        "odd/a'\"<>b",
        "odd/a?b#c",
        "odd/a;b:c@d$e,f",
        "odd/a*b(c)!d",
        "odd/[a]{b}|c^d`e\\f",
    };
    char longest[1000];
    const char *keys[2];
    struct error err = ERROR_INIT;
    uint64_t removed = 0;
    char expected[OBJECT_KEY_BYTES + 8];

    (void)state;
    /* in components that file systems accept as names */
    memset(longest, 'k', sizeof(longest));
    for (size_t i = 3; i < sizeof(longest); i += 200)
        longest[i] = '/';
    longest[sizeof(longest) - 1 - strlen(prefix)] = '\0';
    memcpy(longest, "odd", 3);
    for (size_t i = 0; i <= sizeof(names) / sizeof(*names); i++) {
        const char *name = i < sizeof(names) / sizeof(*names) ? names[i] : longest;
        const char *key = key_of(name), *copy = key_of("odd-copy/x y");
        put(key, data, 10 + i);
        check_object(key, data, 10 + i);
        (void)must(&(struct object_call){.verb = OBJECT_COPY, .key = copy, .source_key = key});
        check_object(copy, data, 10 + i);
        (void)snprintf(expected, sizeof(expected), "%s:%u;", name, (unsigned)(10 + i));
        list(name, 0, 1, expected);
        keys[0] = key;
        keys[1] = copy;
        if (object_client_delete(client, keys, 2, &removed, &err) != 0) {
            show(&err);
            fail();
        }
        list("odd", 0, 1, "");
    }
}

static void copying(void **state)
{
    (void)state;
    put(key_of("copy/from"), data, 4000);
    (void)must(&(struct object_call){
        .verb = OBJECT_COPY, .key = key_of("copy/to"), .source_key = key_of("copy/from")});
    check_object(key_of("copy/to"), data, 4000);
    must_not(&(struct object_call){.verb = OBJECT_COPY,
                                   .key = key_of("copy/to"),
                                   .source_key = key_of("copy/none")},
             ENOENT, "NoSuchKey");
    check_object(key_of("copy/to"), data, 4000);
}

#define MANY 1001

static void deleting_many(void **state)
{
    char **key = mem_calloc(MANY + 1, sizeof(*key));
    struct error err = ERROR_INIT;
    uint64_t removed = 0, listed_before;
    const uint64_t before = atomic_load(&service.base.requests[OBJECT_DELETE_MANY]);

    (void)state;
    for (unsigned i = 0; i < MANY; i++) {
        key[i] = mem_printf("%smany/%04u", prefix, i);
        put(key[i], "x", 1);
    }
    key[MANY] = mem_printf("%smany/never-there", prefix);
    put(key_of("manz"), "x", 1);
    listed_before = pages_asked();
    assert_int_equal(object_client_list(client, key_of("many/"), 0, NULL, NULL, &err), 0);
    assert_int_equal(pages_asked() - listed_before, 2);
    if (object_client_delete(client, (const char *const *)(uintptr_t)key, MANY + 1, &removed,
                             &err) != 0) {
        show(&err);
        fail();
    }
    assert_int_equal(removed, MANY + 1);
    assert_int_equal(atomic_load(&service.base.requests[OBJECT_DELETE_MANY]), before + 2);
    list("man", 0, 1, "manz:1;");
    for (unsigned i = 0; i <= MANY; i++)
        free(key[i]);
    free(key);
}

/* --- uploads ---------------------------------------------------------------------------------- */

static void begin_upload(const char *key, char id[OBJECT_UPLOAD_BYTES])
{
    const struct http_answer *answer =
        must(&(struct object_call){.verb = OBJECT_UPLOAD_BEGIN, .key = key});
    assert_true(xml_find(answer->text, answer->text_bytes, "UploadId", id, OBJECT_UPLOAD_BYTES) >
                0);
}

/* Uploads data in parts; returns the length of the completing document. */
static size_t upload_parts(const char *key, const char *id, uint64_t bytes, char *xml, size_t room)
{
    const enum s3_checksum checksum = s3_request_checksum(&service);
    unsigned part = 0;
    size_t used = 0;

    for (uint64_t at = 0; at < bytes || part == 0; at += PART_BYTES) {
        const struct object_call call = {.verb = OBJECT_UPLOAD_PART,
                                         .key = key,
                                         .upload_id = id,
                                         .part = ++part,
                                         .body = data + at,
                                         .body_bytes =
                                             bytes - at < PART_BYTES ? bytes - at : PART_BYTES};
        used = s3_complete_xml(checksum, part, must(&call), xml, used, room);
        assert_true(used > 0);
    }
    return s3_complete_xml(checksum, 0, NULL, xml, used, room);
}

static void upload(const char *key, uint64_t bytes)
{
    char id[OBJECT_UPLOAD_BYTES], xml[2000];
    struct object_call call = {
        .verb = OBJECT_UPLOAD_COMPLETE, .key = key, .upload_id = id, .body = xml};

    begin_upload(key, id);
    call.body_bytes = upload_parts(key, id, bytes, xml, sizeof(xml));
    assert_true(call.body_bytes > 0);
    (void)must(&call);
}

static void multipart(void **state)
{
    const char *key = key_of("multipart");
    (void)state;
    upload(key, DATA_BYTES);
    check_object(key, data, DATA_BYTES);
}

static void failed_uploads(void **state)
{
    const struct http_answer never_sent = {.etag = "\"d41d8cd98f00b204e9800998ecf8427e\""};
    char id[OBJECT_UPLOAD_BYTES], xml[2000];
    const char *key = key_of("failed");
    struct object_call call = {
        .verb = OBJECT_UPLOAD_COMPLETE, .key = key, .upload_id = id, .body = xml};

    (void)state;
    begin_upload(key, id);
    assert_true(upload_parts(key, id, 10, xml, sizeof(xml)) > 0);
    call.body_bytes = s3_complete_xml(S3_CHECKSUM_NONE, 19, &never_sent, xml, 0, sizeof(xml));
    call.body_bytes =
        s3_complete_xml(S3_CHECKSUM_NONE, 0, NULL, xml, (size_t)call.body_bytes, sizeof(xml));
    must_not(&call, EINVAL, "InvalidPart");
    call = (struct object_call){.verb = OBJECT_UPLOAD_ABORT, .key = key, .upload_id = id};
    (void)must(&call);
    must_not(&(struct object_call){.verb = OBJECT_STAT, .key = key}, ENOENT, NULL);
}

static void pending_uploads(void **state)
{
    char id[3][OBJECT_UPLOAD_BYTES], other[OBJECT_UPLOAD_BYTES];
    const char *key = key_of("pending/x"), *neighbour = key_of("pendinh");
    struct error err = ERROR_INIT;
    uint64_t aborted = 0;

    (void)state;
    for (int i = 0; i < 3; i++)
        begin_upload(key, id[i]);
    begin_upload(neighbour, other);
    /* the whole key, because some servers list the uploads of one key only */
    if (object_client_abort_uploads(client, key, &aborted, &err) != 0) {
        show(&err);
        fail();
    }
    assert_int_equal(aborted, 3);
    assert_int_equal(object_client_abort_uploads(client, key, &aborted, &err), 0);
    assert_int_equal(aborted, 3);
    /* the neighbour's still exists */
    (void)must(
        &(struct object_call){.verb = OBJECT_UPLOAD_ABORT, .key = neighbour, .upload_id = other});
}

/* --- bodies ----------------------------------------------------------------------------------- */

static void payloads_and_checksums(void **state)
{
    static const uint64_t lengths[] = {0, 1, 1000, 100000};
    static const char *const names[] = {"", "", "crc32=", "crc32c=", "crc64nvme="};

    (void)state;
    for (unsigned payload = S3_PAYLOAD_UNSIGNED; payload < S3_PAYLOAD_COUNT; payload++) {
        for (unsigned checksum = 0; checksum < S3_CHECKSUM_COUNT; checksum++) {
            const char *key = key_of("body"), *parts = key_of("body-parts"), *name;
            const struct http_answer *answer;
            service.payload = (enum s3_payload)payload;
            options.checksum = checksum;
            name = names[s3_request_checksum(&service)];
            print_message("payload %u, checksum %u\n", payload, checksum);
            for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
                put(key, data, lengths[i]);
                check_object(key, data, lengths[i]);
            }
            answer =
                must(&(struct object_call){.verb = OBJECT_STAT, .key = key, .want_checksum = true});
            if (strncmp(answer->checksum, name, strlen(name)) != 0)
                fail_msg("%s instead of %s", answer->checksum, name);
            upload(parts, PART_BYTES + 10);
            check_object(parts, data, PART_BYTES + 10);
        }
    }
    service.payload = S3_PAYLOAD_UNSIGNED;
    options.checksum = S3_CHECKSUM_NONE;
}

/* --- the test program ------------------------------------------------------------------------- */

static int begin(void **state)
{
    char *target = mem_printf("s3://%s", getenv("IOSWEEP_S3_BUCKET"));
    struct s3_profile profile = {.region = NULL};
    struct error err = ERROR_INIT;
    int result;

    (void)state;
    options.store.endpoint = getenv("IOSWEEP_S3_ENDPOINT");
    options.store.timeout_ns = UINT64_C(20000000000);
    service.base.protocol = &s3_protocol;
    service.base.options = &options.store;
    service.base.verbs = OBJECT_VERBS_OF_BUCKETS;
    service.payload = S3_PAYLOAD_UNSIGNED;
    atomic_init(&service.base.budget, UINT64_MAX);
    result = s3_credentials_find(&options, &service.credentials, &profile, &err);
    if (result == 0) {
        service.ca_file = profile.ca_file ? mem_strdup(profile.ca_file) : NULL;
        result = s3_address_make(target, options.store.endpoint,
                                 profile.region ? profile.region : "us-east-1", S3_ADDRESSING_PATH,
                                 &service.address, &err);
    }
    result = result == 0 ? object_client_create(&service.base, NULL, &client, &err) : result;
    s3_profile_free(&profile);
    free(target);
    (void)snprintf(prefix, sizeof(prefix), "iosweep-live-%ld/", (long)getpid());
    data = malloc(DATA_BYTES);
    mem_fill_random(data, DATA_BYTES, 7);
    show(&err);
    return result;
}

static int collect_key(void *arg, const struct object_listed *entry, struct error *err)
{
    char ***end = arg;

    (void)err;
    *(*end)++ = mem_strdup(entry->key);
    return 0;
}

static int end(void **state)
{
    char **keys = mem_calloc(10000, sizeof(*keys)), **keys_end = keys;
    struct error err = ERROR_INIT;
    uint64_t removed = 0;
    int result = object_client_list(client, prefix, 0, collect_key, &keys_end, &err);

    (void)state;
    if (result == 0)
        result = object_client_delete(client, (const char *const *)(uintptr_t)keys,
                                      (size_t)(keys_end - keys), &removed, &err);
    show(&err);
    while (keys_end > keys)
        free(*--keys_end);
    free(keys);
    free(data);
    object_client_destroy(client);
    s3_credentials_free(&service.credentials);
    s3_address_free(&service.address);
    free(service.ca_file);
    return result;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects),
        cmocka_unit_test(ranges),
        cmocka_unit_test(only_if_absent),
        cmocka_unit_test(listing),
        cmocka_unit_test(odd_keys),
        cmocka_unit_test(copying),
        cmocka_unit_test(deleting_many),
        cmocka_unit_test(multipart),
        cmocka_unit_test(failed_uploads),
        cmocka_unit_test(pending_uploads),
        cmocka_unit_test(payloads_and_checksums),
    };

    if (!getenv("IOSWEEP_S3_ENDPOINT") || !getenv("IOSWEEP_S3_BUCKET")) {
        puts("IOSWEEP_S3_ENDPOINT and IOSWEEP_S3_BUCKET are not set");
        return 77;
    }
    return cmocka_run_group_tests(tests, begin, end);
}
