/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_s3_request.c - S3 requests line by line. The signatures were computed by another program
 * (Python's hmac); the first one is also published by AWS. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "storage/object/s3/protocol.h"
#include "unit/s3_fixture.h"

/* Hosts are signed, but sent with the URL. */
#define EMPTY      "x-amz-content-sha256: " SIGV4_EMPTY_SHA256 "\n"
#define DATE       "x-amz-date: 20130524T000000Z\n"
#define AT         "http://127.0.0.1:7070/bucket/"
#define HELLO      "hello world\n"
#define HELLO_SHA  "a948904f2f0f479b8f8197694b30184b0d2ed1c1cd2a1ec0fb85d299a192a447"
#define CREDENTIAL "AKIAIOSFODNN7EXAMPLE/20130524/eu-west-1/s3/aws4_request"

static struct s3_fixture fixture;
static struct s3_service *const service = &fixture.service;
static struct s3_request request;

static int set_up(void **state)
{
    (void)s3_fixture_init(&fixture);
    return 0;
}

static int make(const struct object_call *call)
{
    struct sigv4 *signer = NULL;
    struct error err = ERROR_INIT;
    int result;

    assert_int_equal(sigv4_create(&service->credentials, service->address.region, &signer, &err),
                     0);
    memset(&request, 0x5a, sizeof(request)); /* no previous content may remain */
    result = s3_request_make(service, signer, call, FIXTURE_NOW, &request);
    sigv4_destroy(signer);
    return result;
}

/* "METHOD URL\n" and the header lines; names must be sorted. without: without authorization. */
static const char *written(bool without)
{
    static char text[sizeof(request.url) + sizeof(request.text) + 100];
    const char *before = "";
    size_t used =
        (size_t)snprintf(text, sizeof(text), "%s %s\n", request.http.method, request.http.url);

    for (unsigned i = 0; i < request.http.header_count; i++) {
        const char *line = request.http.header[i];
        if (strncmp(line, "authorization: ", 15) == 0) {
            assert_int_equal(i, request.http.header_count - 1);
            if (without)
                break;
        } else {
            assert_true(strcspn(line, ":") > 0 && strncmp(before, line, strcspn(line, ":")) < 0);
        }
        before = line;
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s\n", line);
    }
    return text;
}

/* All but the authorization is like this. */
static void makes(const struct object_call *call, const char *lines)
{
    assert_int_equal(make(call), 0);
    assert_string_equal(written(true), lines);
}

static const char *body_text(void)
{
    static char text[2000];

    assert_true(request.http.has_body);
    (void)snprintf(
        text, sizeof(text), "%.*s%.*s%.*s", (int)request.http.head_bytes,
        request.http.head_bytes ? (const char *)request.http.body_head : "",
        (int)(request.http.body_bytes - request.http.head_bytes - request.http.tail_bytes),
        request.http.body ? (const char *)request.http.body : "", (int)request.http.tail_bytes,
        request.http.tail_bytes ? (const char *)request.http.body_tail : "");
    assert_int_equal(strlen(text), request.http.body_bytes);
    return text;
}

static void published_example(void **state)
{
    const struct object_call call = {
        .verb = OBJECT_GET, .key = "test.txt", .ranged = true, .range_bytes = 10};

    strcpy(fixture.authority, "examplebucket.s3.amazonaws.com");
    strcpy(fixture.path, "/");
    strcpy(fixture.region, "us-east-1");
    service->address.https = true;
    assert_int_equal(make(&call), 0);
    assert_string_equal(
        written(false),
        "GET https://examplebucket.s3.amazonaws.com/test.txt\n"
        "range: bytes=0-9\n" EMPTY DATE "authorization: AWS4-HMAC-SHA256 "
        "Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
        "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, "
        "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41\n");
    assert_false(request.http.has_body);
    assert_int_equal(request.http.sink, HTTP_COUNT);
}

static void reading(void **state)
{
    char into[10];
    struct object_call call = {.verb = OBJECT_GET,
                               .key = "a//b c",
                               .ranged = true,
                               .offset_bytes = UINT64_C(5000000000),
                               .range_bytes = 4096,
                               .into = into,
                               .into_bytes = sizeof(into)};

    makes(&call, "GET " AT "a//b%20c\nrange: bytes=5000000000-5000004095\n" EMPTY DATE);
    assert_int_equal(request.http.sink, HTTP_INTO);
    assert_ptr_equal(request.http.into, into);
    assert_int_equal(request.http.into_bytes, sizeof(into));
    call.range_bytes = 0;
    assert_int_equal(make(&call), -EINVAL);
    call.ranged = false; /* whole objects are requested without a range */
    call.offset_bytes = 0;
    makes(&call, "GET " AT "a//b%20c\n" EMPTY DATE);
    call = (struct object_call){.verb = OBJECT_STAT, .key = "k", .want_checksum = true};
    makes(&call, "HEAD " AT "k\nx-amz-checksum-mode: ENABLED\n" EMPTY DATE);
    assert_false(request.http.has_body);
}

static void listing(void **state)
{
    struct object_call call = {
        .verb = OBJECT_LIST, .key = "p/q r", .token = "t/+", .delimiter = "/", .page = 3};

    strcpy(fixture.token, "tok+/=en");
    service->credentials.session_token = fixture.token;
    assert_int_equal(make(&call), 0);
    assert_string_equal(
        written(false),
        "GET " AT "?continuation-token=t%2F%2B&delimiter=%2F&list-type=2&"
        "max-keys=3&prefix=p%2Fq%20r\n" EMPTY DATE "x-amz-security-token: tok+/=en\n"
        "authorization: AWS4-HMAC-SHA256 Credential=" CREDENTIAL ", SignedHeaders=host;"
        "x-amz-content-sha256;x-amz-date;x-amz-security-token, Signature="
        "cd111d26b356c90e1bc98bbfc55dabb5f531b6abaff842754d00a4bf101a3df2\n");
    assert_int_equal(request.http.sink, HTTP_TEXT);
    service->credentials.session_token = NULL;
    call = (struct object_call){.verb = OBJECT_LIST, .key = ""};
    makes(&call, "GET " AT "?list-type=2&prefix=\n" EMPTY DATE);
    call = (struct object_call){.verb = OBJECT_UPLOAD_LIST, .key = "p/"};
    makes(&call, "GET " AT "?prefix=p%2F&uploads=\n" EMPTY DATE);
    call.page = 1000;
    call.token = "a&b";
    call.token_id = "id=";
    makes(&call, "GET " AT "?key-marker=a%26b&max-uploads=1000&"
                 "prefix=p%2F&upload-id-marker=id%3D&uploads=\n" EMPTY DATE);
}

static void changing(void **state)
{
    static const char xml[] = "<Delete xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
                              "<Quiet>true</Quiet><Object><Key>a&amp;b</Key></Object></Delete>";
    struct object_call call = {.verb = OBJECT_COPY, .key = "new", .source_key = "o l+d/\xc3\xbc"};

    makes(&call, "PUT " AT "new\n" EMPTY "x-amz-copy-source: /bucket/o%20l%2Bd/%C3%BC\n" DATE);
    assert_true(request.http.has_body);
    assert_int_equal(request.http.body_bytes, 0);
    assert_int_equal(request.http.sink, HTTP_TEXT);
    call = (struct object_call){.verb = OBJECT_DELETE, .key = "k"};
    makes(&call, "DELETE " AT "k\n" EMPTY DATE);
    assert_false(request.http.has_body);
    call = (struct object_call){.verb = OBJECT_DELETE_MANY, .body = xml, .body_bytes = strlen(xml)};
    makes(&call, "POST " AT "?delete=\n"
                 "content-md5: GK40nFHp0vr/BL57cNl+Ew==\ncontent-type: application/xml\n"
                 "x-amz-content-sha256: "
                 "ad586d1486ba4fe375281d6b7e04654ba82a4eaab3498a71c39d37249d53b148\n" DATE);
    assert_string_equal(body_text(), xml);
}

static void uploading(void **state)
{
    struct object_call call = {.verb = OBJECT_UPLOAD_BEGIN, .key = "k"};

    makes(&call, "POST " AT "k?uploads=\n" EMPTY DATE);
    assert_true(request.http.has_body);
    fixture.options.checksum = S3_CHECKSUM_CRC64NVME;
    makes(&call, "POST " AT "k?uploads=\nx-amz-checksum-algorithm: CRC64NVME\n" EMPTY DATE);
    fixture.options.checksum = S3_CHECKSUM_MD5; /* not a supported algorithm */
    makes(&call, "POST " AT "k?uploads=\n" EMPTY DATE);
    call = (struct object_call){.verb = OBJECT_UPLOAD_PART,
                                .key = "k",
                                .upload_id = "u/1 2",
                                .part = 10000,
                                .body = HELLO,
                                .body_bytes = strlen(HELLO)};
    makes(&call, "PUT " AT "k?partNumber=10000&uploadId=u%2F1%202\n"
                 "content-md5: b1kCrCNwJL3QwXbLkwY9xA==\n"
                 "x-amz-content-sha256: UNSIGNED-PAYLOAD\n" DATE);
    call.verb = OBJECT_UPLOAD_COMPLETE;
    makes(&call, "POST " AT "k?uploadId=u%2F1%202\n"
                 "content-type: application/xml\n"
                 "x-amz-content-sha256: " HELLO_SHA "\n" DATE);
    assert_string_equal(body_text(), HELLO);
    call.verb = OBJECT_UPLOAD_ABORT;
    makes(&call, "DELETE " AT "k?uploadId=u%2F1%202\n" EMPTY DATE);
    assert_false(request.http.has_body);
    assert_int_equal(request.http.body_bytes, 0);
}

static void checksums_of_bodies(void **state)
{
    static const struct {
        enum s3_checksum checksum;
        const char *before, *after;
    } all[] = {
        {S3_CHECKSUM_NONE, "", ""},
        {S3_CHECKSUM_MD5, "content-md5: b1kCrCNwJL3QwXbLkwY9xA==\n", ""},
        {S3_CHECKSUM_CRC32, "", "x-amz-checksum-crc32: rwg7LQ==\n"},
        {S3_CHECKSUM_CRC32C, "", "x-amz-checksum-crc32c: 8P9ykg==\n"},
        {S3_CHECKSUM_CRC64NVME, "", "x-amz-checksum-crc64nvme: D3gOhIHSoh8=\n"},
    };
    const struct object_call call = {.verb = OBJECT_PUT,
                                     .key = "k",
                                     .only_if_absent = true,
                                     .body = HELLO,
                                     .body_bytes = strlen(HELLO)};

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        char expected[600];
        fixture.options.checksum = all[i].checksum;
        for (int is_signed = 0; is_signed < 2; is_signed++) {
            service->payload = is_signed ? S3_PAYLOAD_SIGNED : S3_PAYLOAD_UNSIGNED;
            assert_int_equal(s3_request_checksum(service), all[i].checksum);
            (void)snprintf(expected, sizeof(expected),
                           "PUT " AT "k\n%s"
                           "if-none-match: *\n%sx-amz-content-sha256: %s\n" DATE,
                           all[i].before, all[i].after, is_signed ? HELLO_SHA : SIGV4_UNSIGNED);
            makes(&call, expected);
            assert_string_equal(body_text(), HELLO);
            assert_ptr_equal(request.http.body, call.body); /* no copy */
        }
    }
}

static void signed_trailer(void **state)
{
    struct object_call call = {.verb = OBJECT_PUT,
                               .key = "a/b c+=&%~\xc3\xbc",
                               .body = HELLO,
                               .body_bytes = strlen(HELLO)};

    service->payload = S3_PAYLOAD_TRAILER;
    assert_int_equal(s3_request_checksum(service), S3_CHECKSUM_CRC32);
    assert_int_equal(make(&call), 0);
    assert_string_equal(
        written(false),
        "PUT " AT "a/b%20c%2B%3D%26%25~%C3%BC\n"
        "content-encoding: aws-chunked\n"
        "x-amz-content-sha256: STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER\n" DATE
        "x-amz-decoded-content-length: 12\nx-amz-trailer: x-amz-checksum-crc32\n"
        "authorization: AWS4-HMAC-SHA256 Credential=" CREDENTIAL ", SignedHeaders=content-encoding;"
        "host;x-amz-content-sha256;x-amz-date;x-amz-decoded-content-length;x-amz-trailer, "
        "Signature=8e5d87576961e71a57b0ebf50fa64f7ae508a45cc2beb33fa21675a052e1af39\n");
    assert_string_equal(
        body_text(),
        "c;chunk-signature=35495458027c510acdb6067d1918d3747e4a949a1bbbedac1e22409c908db086\r\n"
        "hello world\n\r\n"
        "0;chunk-signature=15a431e712c373de92a1869eb1a6fba19f71b1002aa512bac8995510d44c6c59\r\n"
        "x-amz-checksum-crc32:rwg7LQ==\r\n"
        "x-amz-trailer-signature:"
        "d3b8a2613a5cfd602a018ea03e87a3de6b9f9fb00c207de79b13a2812af79adc\r\n\r\n");
    call = (struct object_call){.verb = OBJECT_PUT, .key = "e", .body = ""};
    assert_int_equal(make(&call), 0);
    assert_string_equal(
        body_text(),
        "0;chunk-signature=e99c7fdb8623470b13d0283fc5198b4e4ba133cdcd509e97bc1629b3d306d3df\r\n"
        "x-amz-checksum-crc32:AAAAAA==\r\n"
        "x-amz-trailer-signature:"
        "4eb7773136241e818f2d6692b177777d89941ab2a82fadcb5374e2fe76a890c1\r\n\r\n");
}

static void unsigned_trailer(void **state)
{
    struct object_call call = {.verb = OBJECT_UPLOAD_PART,
                               .key = "k",
                               .upload_id = "u",
                               .part = 1,
                               .body = HELLO,
                               .body_bytes = strlen(HELLO)};

    service->payload = S3_PAYLOAD_TRAILER;
    service->address.https = true;
    fixture.options.checksum = S3_CHECKSUM_CRC32C;
    makes(&call, "PUT https://127.0.0.1:7070/bucket/k?partNumber=1&uploadId=u\n"
                 "content-encoding: aws-chunked\n"
                 "x-amz-content-sha256: STREAMING-UNSIGNED-PAYLOAD-TRAILER\n" DATE
                 "x-amz-decoded-content-length: 12\nx-amz-trailer: x-amz-checksum-crc32c\n");
    assert_string_equal(body_text(),
                        "c\r\nhello world\n\r\n0\r\nx-amz-checksum-crc32c:8P9ykg==\r\n\r\n");
    fixture.options.checksum = S3_CHECKSUM_MD5; /* not possible in a trailer */
    call = (struct object_call){.verb = OBJECT_UPLOAD_BEGIN, .key = "k"};
    makes(&call, "POST https://127.0.0.1:7070/bucket/k?uploads=\n"
                 "x-amz-checksum-algorithm: CRC32\n" EMPTY DATE);
    call = (struct object_call){.verb = OBJECT_PUT, .key = "k", .body = ""};
    assert_int_equal(make(&call), 0);
    assert_string_equal(body_text(), "0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n");
}

static void anonymous(void **state)
{
    struct object_call call = {
        .verb = OBJECT_PUT, .key = "k", .body = HELLO, .body_bytes = strlen(HELLO)};

    service->credentials = (struct s3_credentials){.anonymous = true};
    assert_int_equal(s3_request_make(service, NULL, &call, FIXTURE_NOW, &request), 0);
    assert_string_equal(written(false), "PUT " AT "k\n");
    service->payload = S3_PAYLOAD_TRAILER;
    assert_int_equal(s3_request_make(service, NULL, &call, FIXTURE_NOW, &request), 0);
    assert_string_equal(written(false),
                        "PUT " AT "k\ncontent-encoding: aws-chunked\n"
                        "x-amz-content-sha256: STREAMING-UNSIGNED-PAYLOAD-TRAILER\n"
                        "x-amz-decoded-content-length: 12\nx-amz-trailer: x-amz-checksum-crc32\n");
}

/* For every length of key, token and session token, the request fits or is refused as a whole. */
static void what_does_not_fit(void **state)
{
    char *text = malloc(10001);
    struct object_call call = {.verb = OBJECT_GET, .key = text};
    int longest = 0;

    memset(text, 0xfc, 10000);
    text[10000] = '\0';
    for (int length = 1; length<10000; length += length> 2600 && length < 2800 ? 1 : 97) {
        int result;
        text[length] = '\0';
        result = make(&call);
        text[length] = (char)0xfc;
        assert_true(result == 0 || result == -ENAMETOOLONG);
        longest = result == 0 ? length : longest;
        if (result == 0)
            assert_int_equal(strlen(request.http.url), strlen(AT) + 3 * (size_t)length);
    }
    assert_within(longest, 2700, 2730); /* the URL's room is fully used */
    text[1024] = '\0';
    call = (struct object_call){.verb = OBJECT_COPY, .key = text, .source_key = text};
    assert_int_equal(make(&call), 0); /* the longest keys of S3 */
    text[1024] = (char)0xfc;
    call.key = "k";
    assert_int_equal(make(&call), -ENAMETOOLONG);
    call = (struct object_call){.verb = OBJECT_LIST, .key = "p", .token = text};
    assert_int_equal(make(&call), -ENAMETOOLONG);
    call = (struct object_call){.verb = OBJECT_GET, .key = "k"};
    memset(text, 'x', 10000);
    service->credentials.session_token = text;
    assert_int_equal(make(&call), -ENAMETOOLONG);
    text[4000] = '\0';
    assert_int_equal(make(&call), 0);
    free(text);
}

static void budget(void **state)
{
    for (int i = 0; i < 5; i++)
        assert_true(object_request_count(&service->base, OBJECT_GET, false));
    assert_true(atomic_load(&service->base.budget) == UINT64_MAX);
    atomic_store(&service->base.budget, 2);
    assert_true(object_request_count(&service->base, OBJECT_PUT, false));
    assert_true(object_request_count(&service->base, OBJECT_GET, false));
    assert_false(object_request_count(&service->base, OBJECT_GET, false));
    assert_true(object_request_count(&service->base, OBJECT_DELETE, true)); /* cleans up */
    assert_int_equal(atomic_load(&service->base.requests[OBJECT_DELETE]), 1);
    assert_int_equal(atomic_load(&service->base.requests[OBJECT_GET]), 6);
    assert_int_equal(atomic_load(&service->base.requests[OBJECT_PUT]), 1);
}

#define TEST(name) cmocka_unit_test_setup(name, set_up)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(published_example), TEST(reading),          TEST(listing),
        TEST(changing),          TEST(uploading),        TEST(checksums_of_bodies),
        TEST(signed_trailer),    TEST(unsigned_trailer), TEST(anonymous),
        TEST(what_does_not_fit), TEST(budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
