/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_s3_answers.c - interpretation of S3 answers: classes and descriptions of failures, list
 * pages, results of deletions; and the documents sent. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "storage/object/s3/protocol.h"
#include "storage/object/web/web.h"

#define XML_HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
#define S3_XMLNS " xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\""

static struct http_answer answer_of(int status, const char *text)
{
    return (struct http_answer){.status = status,
                                .text = text,
                                .text_bytes = strlen(text),
                                .received_bytes = strlen(text),
                                .content_length = strlen(text)};
}

static struct object_verdict judge(enum object_verb kind, const struct http_answer *answer)
{
    const struct object_call call = {.verb = kind, .key = "k"};
    struct object_verdict verdict;

    memset(&verdict, 0x5a, sizeof(verdict));
    s3_judge(&call, answer, &verdict);
    return verdict;
}

#define ERROR_XML(code) \
    XML_HEAD "<Error><Code>" code "</Code><Message>It &amp; that</Message></Error>"

static void classes(void **state)
{
    static const struct {
        enum object_verb kind;
        int status;
        const char *text;
        enum object_class class;
        int errnum;
        bool retryable;
        const char *code;
    } all[] = {
        {OBJECT_PUT, 200, "", OBJECT_DONE, 0, false, ""},
        {OBJECT_UPLOAD_PART, 200, "", OBJECT_DONE, 0, false, ""},
        {OBJECT_STAT, 200, "", OBJECT_DONE, 0, false, ""},
        {OBJECT_DELETE, 204, "", OBJECT_DONE, 0, false, ""},
        {OBJECT_DELETE, 200, "", OBJECT_DONE, 0, false, ""},
        {OBJECT_UPLOAD_ABORT, 204, "", OBJECT_DONE, 0, false, ""},
        {OBJECT_GET, 200, "", OBJECT_DONE, 0, false, ""},
        {OBJECT_GET, 206, "", OBJECT_PROTOCOL_ERROR, EPROTO, false, "UnexpectedStatus"},
        {OBJECT_GET, 204, "", OBJECT_PROTOCOL_ERROR, EPROTO, false, "UnexpectedStatus"},
        {OBJECT_GET, 304, "", OBJECT_PROTOCOL_ERROR, EPROTO, false, "UnexpectedStatus"},
        {OBJECT_GET, 999, "", OBJECT_PROTOCOL_ERROR, EPROTO, false, "UnexpectedStatus"},
        {OBJECT_GET, 404, ERROR_XML("NoSuchKey"), OBJECT_CLIENT_ERROR, ENOENT, false, "NoSuchKey"},
        {OBJECT_STAT, 404, "", OBJECT_CLIENT_ERROR, ENOENT, false, ""},
        {OBJECT_GET, 404, "<html><body>no<br></body>", OBJECT_CLIENT_ERROR, ENOENT, false, ""},
        {OBJECT_GET, 403, ERROR_XML("AccessDenied"), OBJECT_CLIENT_ERROR, EACCES, false,
         "AccessDenied"},
        {OBJECT_GET, 401, "", OBJECT_CLIENT_ERROR, EACCES, false, ""},
        {OBJECT_GET, 402, "", OBJECT_CLIENT_ERROR, EINVAL, false, ""},
        {OBJECT_DELETE, 405, "", OBJECT_CLIENT_ERROR, EOPNOTSUPP, false, ""},
        {OBJECT_PUT, 412, "", OBJECT_CLIENT_ERROR, EEXIST, false, ""},
        {OBJECT_GET, 416, "", OBJECT_CLIENT_ERROR, ERANGE, false, ""},
        {OBJECT_GET, 416, ERROR_XML("InvalidRange"), OBJECT_CLIENT_ERROR, ERANGE, false,
         "InvalidRange"},
        {OBJECT_PUT, 412, ERROR_XML("PreconditionFailed"), OBJECT_CLIENT_ERROR, EEXIST, false,
         "PreconditionFailed"},
        {OBJECT_PUT, 400, ERROR_XML("BadDigest"), OBJECT_CLIENT_ERROR, EINVAL, false, "BadDigest"},
        {OBJECT_PUT, 400, ERROR_XML("RequestTimeout"), OBJECT_CLIENT_ERROR, ETIMEDOUT, true,
         "RequestTimeout"},
        {OBJECT_PUT, 409, ERROR_XML("OperationAborted"), OBJECT_CLIENT_ERROR, EBUSY, true,
         "OperationAborted"},
        {OBJECT_PUT, 403, ERROR_XML("RequestTimeTooSkewed"), OBJECT_CLIENT_ERROR, EACCES, false,
         "RequestTimeTooSkewed"},
        {OBJECT_PUT, 503, ERROR_XML("SlowDown"), OBJECT_SLOW_DOWN, EBUSY, true, "SlowDown"},
        {OBJECT_PUT, 503, ERROR_XML("SlowDownWrite"), OBJECT_SLOW_DOWN, EBUSY, true,
         "SlowDownWrite"},
        {OBJECT_PUT, 400, ERROR_XML("ThrottlingException"), OBJECT_SLOW_DOWN, EBUSY, true,
         "ThrottlingException"},
        {OBJECT_PUT, 429, "", OBJECT_SLOW_DOWN, EBUSY, true, ""},
        {OBJECT_PUT, 503, ERROR_XML("RequestLimitExceeded"), OBJECT_SLOW_DOWN, EBUSY, true,
         "RequestLimitExceeded"},
        {OBJECT_PUT, 503, ERROR_XML("ServiceUnavailable"), OBJECT_SERVER_ERROR, EREMOTEIO, true,
         "ServiceUnavailable"},
        {OBJECT_PUT, 500, ERROR_XML("InternalError"), OBJECT_SERVER_ERROR, EREMOTEIO, true,
         "InternalError"},
        {OBJECT_PUT, 502, "<html>", OBJECT_SERVER_ERROR, EREMOTEIO, true, ""},
        {OBJECT_PUT, 507, "", OBJECT_SERVER_ERROR, ENOSPC, false, ""},
        {OBJECT_PUT, 501, ERROR_XML("NotImplemented"), OBJECT_SERVER_ERROR, EOPNOTSUPP, false,
         "NotImplemented"},
        {OBJECT_GET, 301, ERROR_XML("PermanentRedirect"), OBJECT_REDIRECT, EREMCHG, false,
         "PermanentRedirect"},
        {OBJECT_STAT, 301, "", OBJECT_REDIRECT, EREMCHG, false, ""},
        {OBJECT_GET, 307, ERROR_XML("TemporaryRedirect"), OBJECT_REDIRECT, EREMCHG, false,
         "TemporaryRedirect"},
        /* implausible codes are dropped */
        {OBJECT_GET, 404, ERROR_XML("No\x1b[31m"), OBJECT_CLIENT_ERROR, ENOENT, false, ""},
        {OBJECT_GET, 404, ERROR_XML("No Such"), OBJECT_CLIENT_ERROR, ENOENT, false, ""},
        /* an error after a status of success */
        {OBJECT_COPY, 200, XML_HEAD "<CopyObjectResult" S3_XMLNS "></CopyObjectResult>",
         OBJECT_DONE, 0, false, ""},
        {OBJECT_COPY, 200, "  \n\n" ERROR_XML("InternalError") "\n", OBJECT_SERVER_ERROR, EREMOTEIO,
         true, "InternalError"},
        {OBJECT_COPY, 200, ERROR_XML("SlowDown"), OBJECT_SLOW_DOWN, EBUSY, true, "SlowDown"},
        {OBJECT_COPY, 200, ERROR_XML("NoSuchKey"), OBJECT_CLIENT_ERROR, ENOENT, false, "NoSuchKey"},
        {OBJECT_COPY, 200, ERROR_XML("SomethingElse"), OBJECT_SERVER_ERROR, EREMOTEIO, true,
         "SomethingElse"},
        {OBJECT_UPLOAD_COMPLETE, 200, ERROR_XML("InvalidPart"), OBJECT_CLIENT_ERROR, EINVAL, false,
         "InvalidPart"},
        {OBJECT_UPLOAD_COMPLETE, 200,
         " \n <CompleteMultipartUploadResult><ETag>&quot;e-3&quot;</ETag>"
         "</CompleteMultipartUploadResult >\n",
         OBJECT_DONE, 0, false, ""},
        {OBJECT_UPLOAD_COMPLETE, 200,
         "<CompleteMultipartUploadResult>CompleteMultipartUploadResult", OBJECT_PROTOCOL_ERROR,
         EPROTO, false, "BrokenXML"},
        {OBJECT_UPLOAD_COMPLETE, 200,
         " \n <CompleteMultipartUploadResult><ETag>&quot;e-3&quot;</ETag>"
         "</CompleteMultipartUploadResult>\n",
         OBJECT_DONE, 0, false, ""},
        {OBJECT_UPLOAD_COMPLETE, 200, "", OBJECT_PROTOCOL_ERROR, EPROTO, false, "BrokenXML"},
        {OBJECT_COPY, 200, "<html></html>", OBJECT_PROTOCOL_ERROR, EPROTO, false, "BrokenXML"},
        {OBJECT_LIST, 200, "<ListBucketResult/>", OBJECT_DONE, 0, false, ""},
        {OBJECT_LIST, 200, "<s:ListBucketResult xmlns:s='x'></s:ListBucketResult>", OBJECT_DONE, 0,
         false, ""},
        {OBJECT_LIST, 200, "<ListBucketResult><Key>a</Key>", OBJECT_PROTOCOL_ERROR, EPROTO, false,
         "BrokenXML"},
        {OBJECT_LIST, 200, "<!DOCTYPE x><ListBucketResult/>", OBJECT_PROTOCOL_ERROR, EPROTO, false,
         "BrokenXML"},
        {OBJECT_DELETE_MANY, 200, XML_HEAD "<DeleteResult" S3_XMLNS "/>", OBJECT_DONE, 0, false,
         ""},
        {OBJECT_DELETE_MANY, 200, "<DeleteResult/", OBJECT_PROTOCOL_ERROR, EPROTO, false,
         "BrokenXML"},
        {OBJECT_UPLOAD_BEGIN, 200,
         "<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>",
         OBJECT_DONE, 0, false, ""},
        {OBJECT_UPLOAD_LIST, 200, "<ListMultipartUploadsResult></ListMultipartUploadsResult>",
         OBJECT_DONE, 0, false, ""},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        const struct http_answer answer = answer_of(all[i].status, all[i].text);
        const struct object_verdict verdict = judge(all[i].kind, &answer);
        if (verdict.class != all[i].class || verdict.errnum != all[i].errnum ||
            verdict.retryable != all[i].retryable || strcmp(verdict.code, all[i].code) != 0)
            fail_msg("%d %s: class %d, errno %d, retryable %d, code %s", all[i].status, all[i].text,
                     (int)verdict.class, verdict.errnum, verdict.retryable, verdict.code);
    }
}

static void network(void **state)
{
    struct http_answer answer = {
        .failure = -ECONNREFUSED, .reason = "Failed\nto connect", .text = ""};
    struct object_verdict verdict = judge(OBJECT_GET, &answer);
    struct error err = {.status = STATUS_TARGET};

    assert_int_equal(verdict.class, OBJECT_NETWORK_ERROR);
    assert_int_equal(verdict.errnum, ECONNREFUSED);
    assert_true(verdict.retryable);
    s3_explain(&(struct object_answer){.verdict = verdict, .detail = &answer}, &err);
    assert_string_equal(err.reason, "Failed\\x0ato connect");
    assert_string_equal(err.advice, "is the server running, is the port right?");
    (void)snprintf(answer.reason, sizeof(answer.reason), "TLS failed: wrong version number");
    answer.failure = -EPROTO;
    verdict = judge(OBJECT_GET, &answer);
    err = (struct error){.status = STATUS_TARGET};
    s3_explain(&(struct object_answer){.verdict = verdict, .detail = &answer}, &err);
    assert_non_null(strstr(err.advice, "http://"));
    answer.failure = -EINTR;
    assert_false(judge(OBJECT_GET, &answer).retryable);
    answer.failure = -EPROTO; /* a certificate error */
    assert_false(judge(OBJECT_GET, &answer).retryable);
}

static void ranges(void **state)
{
    static const struct {
        int status;
        const char *content_range;
        uint64_t received_bytes;
        const char *code; /* "": done */
    } all[] = {
        {206, "bytes 100-149/1000", 50, ""},
        {206, "bytes 100-149/150", 50, ""},
        {206, "bytes 100-149/*", 50, ""},
        {206, "bytes 100-119/120", 20, ""}, /* the object ends there */
        {206, "bytes 100-119/1000", 20, "WrongRange"},
        {206, "bytes 100-119/*", 20, "WrongRange"},
        {206, "bytes 0-49/1000", 50, "WrongRange"},
        {206, "bytes 100-150/1000", 51, "WrongRange"},
        {206, "bytes 100-149/149", 50, "WrongRange"},
        {206, "bytes 100-99/1000", 0, "WrongRange"},
        {206, "bytes 100-149/1000 ", 50, "WrongRange"},
        {206, "bytes 100-149", 50, "WrongRange"},
        {206, "bytes */1000", 50, "WrongRange"},
        {206, "bytes 100-99999999999999999999999/1000", 50, "WrongRange"},
        {206, "", 50, "WrongRange"},
        {206, "bytes 100-149/1000", 49, "WrongLength"},
        {206, "bytes 100-149/1000", 51, "WrongLength"},
        {200, "", 1000, "RangeIgnored"},
        {204, "", 0, "UnexpectedStatus"},
    };
    const struct object_call call = {
        .verb = OBJECT_GET, .key = "k", .ranged = true, .offset_bytes = 100, .range_bytes = 50};

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        struct http_answer answer = {.status = all[i].status,
                                     .received_bytes = all[i].received_bytes,
                                     .content_length = UINT64_MAX,
                                     .text = ""};
        struct object_verdict verdict;
        strcpy(answer.content_range, all[i].content_range);
        s3_judge(&call, &answer, &verdict);
        if (strcmp(verdict.code, all[i].code) != 0 ||
            verdict.class != (all[i].code[0] ? OBJECT_PROTOCOL_ERROR : OBJECT_DONE))
            fail_msg("%d %s: %s", all[i].status, all[i].content_range, verdict.code);
    }
}

static void lengths(void **state)
{
    struct http_answer answer = {
        .status = 200, .received_bytes = 99, .content_length = 100, .text = ""};

    assert_string_equal(judge(OBJECT_GET, &answer).code, "WrongLength");
    answer.received_bytes = 100;
    assert_int_equal(judge(OBJECT_GET, &answer).class, OBJECT_DONE);
    answer.content_length = UINT64_MAX;
    assert_int_equal(judge(OBJECT_GET, &answer).class, OBJECT_DONE);
    answer.too_long = true; /* exceeds the available room */
    assert_string_equal(judge(OBJECT_GET, &answer).code, "TooLong");
    assert_string_equal(judge(OBJECT_PUT, &answer).code, "TooLong");
    answer = answer_of(200, "<ListBucketResult></ListBucketResult>");
    answer.too_long = true;
    assert_string_equal(judge(OBJECT_LIST, &answer).code, "LongPage");
    assert_string_equal(judge(OBJECT_UPLOAD_LIST, &answer).code, "LongPage");
    assert_string_equal(judge(OBJECT_DELETE_MANY, &answer).code, "TooLong");
}

/* Whole seconds only, up to a plausible limit. */
static void pauses(void **state)
{
    static const struct {
        const char *asked;
        uint64_t ns;
    } all[] = {{"", 0},
               {"0", 0},
               {"3", UINT64_C(3000000000)},
               {"20", UINT64_C(20000000000)},
               {"3600", UINT64_C(3600000000000)},
               {"3601", 0},
               {"-5", 0},
               {"+5", 0},
               {" 5", 0},
               {"5s", 0},
               {"1.5", 0},
               {"999999999999999999999", 0},
               {"Fri, 24 May 2013 00:00:00 GMT", 0}};

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        struct http_answer answer = {.status = 503, .text = ""};
        strcpy(answer.retry_after, all[i].asked);
        if (s3_asked_pause_ns(&answer) != all[i].ns)
            fail_msg("'%s'", all[i].asked);
    }
}

/* rclone and moto use other root names; truncated documents and those with a NUL are rejected. */
static void roots(void **state)
{
    static const char nul[] = "<ListBucketResult>\0</ListBucketResult>";
    struct http_answer answer =
        answer_of(200, "<InitiateMultipartUpload><UploadId>u</UploadId></InitiateMultipartUpload>");

    assert_int_equal(judge(OBJECT_UPLOAD_BEGIN, &answer).class, OBJECT_DONE);
    assert_string_equal(judge(OBJECT_UPLOAD_COMPLETE, &answer).code, "BrokenXML");
    answer =
        answer_of(200, "<InitiateMultipartUpload><UploadId></UploadId></InitiateMultipartUpload>");
    assert_string_equal(judge(OBJECT_UPLOAD_BEGIN, &answer).code, "BrokenXML");
    answer = answer_of(200, "<InitiateMultipartUpload><UploadId>u</UploadId></InitiateMultipart>");
    assert_string_equal(judge(OBJECT_UPLOAD_BEGIN, &answer).code, "BrokenXML");
    answer = answer_of(200, "<CompleteMultipartUploadResponse><ETag>\"e-2\"</ETag>"
                            "</CompleteMultipartUploadResponse>");
    assert_int_equal(judge(OBJECT_UPLOAD_COMPLETE, &answer).class, OBJECT_DONE);
    assert_string_equal(judge(OBJECT_COPY, &answer).code, "BrokenXML");
    answer = answer_of(200, "<CompleteMultipartUploadResponse><ETag></ETag>"
                            "</CompleteMultipartUploadResponse>");
    assert_string_equal(judge(OBJECT_UPLOAD_COMPLETE, &answer).code, "BrokenXML");
    answer = answer_of(200, "<CompleteMultipartUploadResponse><ETag>\"e-2\"</ETag>");
    assert_string_equal(judge(OBJECT_UPLOAD_COMPLETE, &answer).code, "BrokenXML");
    answer = answer_of(200, nul);
    answer.text_bytes = sizeof(nul) - 1;
    assert_string_equal(judge(OBJECT_LIST, &answer).code, "BrokenXML");
}

static const char *explained(int status, const char *body, const char *request_id)
{
    static char text[1000];
    struct http_answer answer = answer_of(status, body);
    struct object_verdict verdict = judge(OBJECT_PUT, &answer);
    struct error err = {.status = STATUS_TARGET};

    if (request_id)
        strcpy(answer.request_id, request_id);
    s3_explain(&(struct object_answer){.verdict = verdict, .detail = &answer}, &err);
    (void)snprintf(text, sizeof(text), "%s%s%s", err.reason, err.advice[0] ? " | " : "",
                   err.advice);
    return text;
}

static void words(void **state)
{
    char document[3000], message[2001];

    assert_string_equal(
        explained(403, ERROR_XML("AccessDenied"), "R1"),
        "HTTP 403 AccessDenied: It & that (request R1) | the credentials do not allow this in "
        "this bucket");
    assert_string_equal(explained(404, "", NULL), "HTTP 404 Not Found");
    assert_string_equal(explained(418, "", NULL), "HTTP 418");
    assert_string_equal(explained(502, "<html>",
                                  "a\x1b"
                                  "b"),
                        "HTTP 502 Bad Gateway (request a\\x1bb)");
    assert_string_equal(
        explained(400, "<Error><Code>X</Code><Message>a\n\x7f&#27;[31m</Message></Error>", NULL),
        "HTTP 400 X: a \\x7f\\x1b[31m");
    memset(message, 'm', 900);
    message[900] = '\0';
    (void)snprintf(document, sizeof(document), "<Error><Code>X</Code><Message>%s</Message></Error>",
                   message);
    assert_within(strlen(explained(400, document, "R1")), 100, 200);
    assert_non_null(strstr(explained(400, document, "R1"), "mmm (request R1)"));
}

/* Signed data repeated by a server are not shown. */
static void nothing_signed_is_shown(void **state)
{
    static const char body[] =
        "<Error><Code>SignatureDoesNotMatch</Code><Message>The secret topsecret is wrong</Message>"
        "<StringToSign>AWS4-HMAC-SHA256 topsecret</StringToSign>"
        "<SignatureProvided>topsecret</SignatureProvided></Error>";
    static const char other[] =
        "<Error><Code>InvalidArgument</Code><Message>Authorization: AWS4-HMAC-SHA256 "
        "Credential=a, Signature=topsecret</Message></Error>";

    assert_null(strstr(explained(403, body, NULL), "topsecret"));
    assert_non_null(strstr(explained(403, body, NULL), "AWS_SECRET_ACCESS_KEY"));
    assert_non_null(
        strstr(explained(403, body, NULL),
               "HTTP 403 SignatureDoesNotMatch: the secret key does not match the access key"));
    assert_string_equal(explained(400, other, NULL), "HTTP 400 InvalidArgument");
}

/* --- listings -------------------------------------------------------------------------------- */

static char seen[2000];

static int see(void *arg, const struct object_listed *listed, struct error *err)
{
    (void)snprintf(seen + strlen(seen), sizeof(seen) - strlen(seen), "%s:%llu:%s;", listed->key,
                   (unsigned long long)listed->size_bytes, listed->rolled_up ? "-" : "");
    return arg && strcmp(arg, listed->key) == 0 ? 7 : 0;
}

static int read_page(const char *text, struct object_page *page, const char *stop_at)
{
    const struct http_answer answer = answer_of(200, text);
    struct error err = ERROR_INIT;
    char copy[32] = "";
    int result;

    seen[0] = '\0';
    if (stop_at)
        strcpy(copy, stop_at);
    result = s3_page_read(&(struct object_answer){.detail = &answer}, page, see,
                          stop_at ? copy : NULL, &err);
    assert_int_equal(error_is_set(&err), result == -1);
    return result;
}

static void pages(void **state)
{
    static const char first[] =
        XML_HEAD "<ListBucketResult" S3_XMLNS "><Name>b</Name><Prefix>p</Prefix>"
                 "<KeyCount>3</KeyCount><MaxKeys>3</MaxKeys><IsTruncated>true</IsTruncated>"
                 "<Contents><Key>p/a&amp;b</Key><LastModified>x</LastModified><ETag>&quot;e1&quot;"
                 "</ETag><Size>12</Size><Owner><ID>i</ID><Key>no</Key></Owner>"
                 "<StorageClass>STANDARD</StorageClass></Contents>"
                 "<Contents><Size>18446744073709551615</Size><Key>p/\xc3\xbc </Key></Contents>"
                 "<CommonPrefixes><Prefix>p/d/</Prefix></CommonPrefixes>"
                 "<NextContinuationToken>t+/=</NextContinuationToken></ListBucketResult>";
    static const char last[] =
        "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>";
    struct object_page page;

    assert_int_equal(read_page(first, &page, NULL), 0);
    assert_string_equal(seen, "p/a&b:12:;p/\xc3\xbc :18446744073709551615:;p/d/:0:-;");
    assert_int_equal(page.keys, 3);
    assert_true(page.more);
    assert_string_equal(page.token, "t+/=");
    assert_int_equal(read_page(first, &page, "p/a&b"), 7);
    assert_string_equal(seen, "p/a&b:12:;");
    assert_int_equal(read_page(last, &page, NULL), 0);
    assert_int_equal(page.keys, 0);
    assert_false(page.more);
    assert_string_equal(page.token, "");
    assert_int_equal(read_page("<ListBucketResult/>", &page, NULL), 0);
}

#define PAGE(inside) "<ListBucketResult>" inside "</ListBucketResult>"

static void broken_pages(void **state)
{
    static const char *const bad[] = {
        "",
        "<ListBucketResult>",
        "<Error><Code>X</Code></Error>",
        PAGE("<Contents/>"),
        PAGE("<Contents><Key>a</Key></Contents>"),
        PAGE("<Contents><Size>1</Size></Contents>"),
        PAGE("<Contents><Key></Key><Size>1</Size></Contents>"),
        PAGE("<Contents><Key>a</Key><Key>b</Key><Size>1</Size></Contents>"),
        PAGE("<Contents><Key>a&#0;b</Key><Size>1</Size></Contents>"),
        PAGE("<Contents><Key>a</Key><Size>-1</Size></Contents>"),
        PAGE("<Contents><Key>a</Key><Size>18446744073709551616</Size></Contents>"),
        PAGE("<Contents><Key>a</Key><Size></Size></Contents>"),
        PAGE("<CommonPrefixes></CommonPrefixes>"),
        PAGE("<IsTruncated>true</IsTruncated>"), /* without a token to continue */
        PAGE("<IsTruncated>perhaps</IsTruncated>"),
    };
    struct object_page page;
    char *text = malloc(4000), *key = malloc(3000);

    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        if (read_page(bad[i], &page, NULL) != -1)
            fail_msg("%s", bad[i]);
    memset(key, 'k', 2999);
    key[OBJECT_KEY_BYTES - 1] = '\0';
    (void)snprintf(text, 4000, PAGE("<Contents><Key>%s</Key><Size>1</Size></Contents>"), key);
    assert_int_equal(read_page(text, &page, NULL), 0);
    key[OBJECT_KEY_BYTES - 1] = 'k';
    key[OBJECT_KEY_BYTES] = '\0';
    (void)snprintf(text, 4000, PAGE("<Contents><Key>%s</Key><Size>1</Size></Contents>"), key);
    assert_int_equal(read_page(text, &page, NULL), -1);
    free(text);
    free(key);
}

/* --- deletions and uploads ------------------------------------------------------------------- */

static void delete_documents(void **state)
{
    static const char *const keys[] = {"a&b<c>\"d'", "\xc3\xbc \x01", "x"};
    static const char expected[] =
        "<Delete" S3_XMLNS "><Quiet>true</Quiet><Object><Key>a&amp;b&lt;c&gt;&quot;d'</Key>"
        "</Object><Object><Key>\xc3\xbc &#x1;</Key></Object><Object><Key>x</Key></Object></Delete>";

    for (size_t room = 1; room <= sizeof(expected); room++) {
        char *text = malloc(room); /* lets sanitizers check its end */
        size_t used = 0, next = 1;

        for (unsigned i = 0; i <= 3 && next > 0; i++) {
            next = s3_delete_xml(i < 3 ? keys[i] : NULL, text, used, room);
            used = next;
        }
        assert_int_equal(used, room == sizeof(expected) ? room - 1 : 0);
        if (used)
            assert_string_equal(text, expected);
        free(text);
    }
}

static void delete_results(void **state)
{
    static const struct {
        const char *text;
        int failures;
        const char *code;
    } all[] = {
        {"<DeleteResult/>", 0, ""},
        {"<DeleteResult><Deleted><Key>a</Key></Deleted></DeleteResult>", 0, ""},
        {"<DeleteResult><Error><Key>a</Key><Code>NoSuchKey</Code></Error></DeleteResult>", 0, ""},
        {"<DeleteResult><Error><Key>a</Key><Code>AccessDenied</Code><Message>m</Message></Error>"
         "<Error><Code>InternalError</Code></Error><Error/></DeleteResult>",
         3, "AccessDenied"},
        {"<DeleteResult>", -1, ""},
        {"<DeleteResult><Error><Code>&unknown;</Code></Error></DeleteResult>", -1, ""},
        {"<Error><Code>X</Code></Error>", -1, ""},
        {"", -1, ""},
    };
    char code[32];

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        const struct http_answer answer = answer_of(200, all[i].text);
        assert_int_equal(
            s3_delete_read(&(struct object_answer){.detail = &answer}, code, sizeof(code)),
            all[i].failures);
        assert_string_equal(code, all[i].code);
    }
}

static void complete_documents(void **state)
{
    struct http_answer answer = {.etag = "\"e1\"", .checksum = "crc32c=AA=="};
    char text[400];
    size_t used;

    used = s3_complete_xml(S3_CHECKSUM_CRC32C, 1, &answer, text, 0, sizeof(text));
    used = s3_complete_xml(S3_CHECKSUM_CRC32, 2, &answer, text, used, sizeof(text));
    used = s3_complete_xml(S3_CHECKSUM_NONE, 0, NULL, text, used, sizeof(text));
    assert_int_equal(used, strlen(text));
    assert_string_equal(text,
                        "<CompleteMultipartUpload" S3_XMLNS "><Part><PartNumber>1</PartNumber>"
                        "<ETag>&quot;e1&quot;</ETag><ChecksumCRC32C>AA==</ChecksumCRC32C>"
                        "</Part><Part><PartNumber>2</PartNumber><ETag>&quot;e1&quot;</ETag>"
                        "</Part></CompleteMultipartUpload>");
    used = s3_complete_xml(S3_CHECKSUM_NONE, 1, &answer, text, 0, sizeof(text));
    assert_int_equal(s3_complete_xml(S3_CHECKSUM_NONE, 2, &answer, text, used, used + 60), 0);
    answer.etag[0] = '\0';
    assert_int_equal(s3_complete_xml(S3_CHECKSUM_NONE, 1, &answer, text, 0, sizeof(text)), 0);
}

/* --- what the server may still execute --- */

static void outcomes(void **state)
{
    static const struct {
        enum object_verb kind;
        int failure, status;
        unsigned unsure, dropped;
    } rows[] = {
        {OBJECT_PUT, -ETIMEDOUT, 0, 1, 0},
        {OBJECT_COPY, -ECONNRESET, 0, 1, 0},
        {OBJECT_PUT, -EINTR, 0, 1, 1},
        {OBJECT_UPLOAD_COMPLETE, -EINTR, 0, 1, 1},
        {OBJECT_UPLOAD_PART, -EINTR, 0, 1, 0},
        {OBJECT_UPLOAD_BEGIN, -EPIPE, 0, 1, 0},
        {OBJECT_PUT, 0, 504, 1, 0},
        {OBJECT_PUT, 0, 408, 1, 0},
        {OBJECT_PUT, 0, 503, 0, 0},
        {OBJECT_PUT, -ECONNREFUSED, 0, 0, 0},
        {OBJECT_GET, -ETIMEDOUT, 0, 0, 0},
        {OBJECT_DELETE, -EINTR, 0, 0, 0},
        {OBJECT_PUT, 0, 200, 0, 0},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct object_service service = {0};
        const struct http_answer http = {.failure = rows[i].failure, .status = rows[i].status};
        const struct object_answer answer = {.verdict.errnum = -rows[i].failure,
                                             .settled = web_is_settled(http.failure, http.status)};

        object_count_unsure(&service, rows[i].kind, &answer);
        assert_int_equal(atomic_load(&service.unsure), rows[i].unsure);
        assert_int_equal(atomic_load(&service.dropped), rows[i].dropped);
        object_count_unsure(&service, OBJECT_PUT, NULL); /* in flight and abandoned */
        assert_int_equal(atomic_load(&service.dropped), rows[i].dropped + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes),
        cmocka_unit_test(network),
        cmocka_unit_test(ranges),
        cmocka_unit_test(lengths),
        cmocka_unit_test(pauses),
        cmocka_unit_test(roots),
        cmocka_unit_test(words),
        cmocka_unit_test(nothing_signed_is_shown),
        cmocka_unit_test(pages),
        cmocka_unit_test(broken_pages),
        cmocka_unit_test(delete_documents),
        cmocka_unit_test(delete_results),
        cmocka_unit_test(complete_documents),
        cmocka_unit_test(outcomes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
