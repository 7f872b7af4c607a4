/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* response.c - interprets answers of S3: success or class of failure, with a description made of
 * the server's status, code and message; nothing that was signed is ever repeated. */
#include "base/compat.h"

#include "base/clock.h"
#include "base/number.h"
#include "net/encode.h"
#include "storage/object/s3/protocol.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "storage/object/web/web.h"

/* --- meaning of codes and statuses ------------------------------------------------------------ */

#define OURS          OBJECT_PROTOCOL_ERROR, 0, false
#define BY_STATUS     OBJECT_DONE, 0, false
#define IS_IT         "is this the endpoint of an S3 service?"
#define KEY_ADVICE    "check AWS_ACCESS_KEY_ID (or the profile) and --endpoint"
#define REGION_ADVICE "set the bucket's region with --region"
#define MOVED_ADVICE  "give the location of the bucket with --region or --endpoint"
#define DENIED_ADVICE "the credentials do not allow this in this bucket"

static const struct web_meaning meanings[] = {
    {"RangeIgnored", NULL, OURS, "the server ignores Range: it sent the whole object",
     "its objects cannot be read in parts: leave out --object-size and --parallel"},
    {"WrongRange", NULL, OURS, "the server sent another range than requested", NULL},
    {"WrongLength", NULL, OURS, "the reply has the wrong length", NULL},
    {"TooLong", NULL, OURS, "the server sent more than requested; the rest was not read", NULL},
    {"LongPage", NULL, OURS, "the page of the list is longer than 1 MiB",
     "ask for fewer keys at a time: --list-page"},
    {"BrokenXML", NULL, OURS, "the reply is not the XML document that S3 sends", IS_IT},
    {"UnexpectedStatus", NULL, OURS, "not a status that S3 sends", IS_IT},
    {"SlowDown", NULL, OBJECT_SLOW_DOWN, EBUSY, true, NULL, /* also SlowDownRead, SlowDownWrite */
     "send less with a lower --depth and --threads, or retry with --retries"},
    {"RequestLimitExceeded", NULL, OBJECT_SLOW_DOWN, EBUSY, true, NULL, NULL},
    {"TooManyRequests", NULL, OBJECT_SLOW_DOWN, EBUSY, true, NULL, NULL},
    /* Throttling, ThrottlingException, Throttled... */
    {"Throttl", NULL, OBJECT_SLOW_DOWN, EBUSY, true, NULL, NULL},
    {"BandwidthLimitExceeded", NULL, OBJECT_SLOW_DOWN, EBUSY, true, NULL, NULL},
    {"RequestTimeTooSkewed", NULL, OBJECT_CLIENT_ERROR, EACCES, false, NULL,
     "set the clock of this machine"},
    {"RequestTimeout", NULL, OBJECT_CLIENT_ERROR, ETIMEDOUT, true, NULL, NULL},
    {"OperationAborted", NULL, OBJECT_CLIENT_ERROR, EBUSY, true, NULL, NULL},
    {"NotImplemented", NULL, OBJECT_SERVER_ERROR, EOPNOTSUPP, false, NULL,
     "the service cannot do this; leave out such options or tests"},
    {"AccessDenied", NULL, OBJECT_CLIENT_ERROR, EACCES, false, NULL, DENIED_ADVICE},
    {"NoSuchBucket", NULL, OBJECT_CLIENT_ERROR, ENOENT, false, NULL,
     "iosweep never creates buckets: create it first, or check its name"},
    {"NoSuch", NULL, OBJECT_CLIENT_ERROR, ENOENT, false, NULL, NULL}, /* Key, Upload */
    {"InvalidPart", NULL, OBJECT_CLIENT_ERROR, EINVAL, false, NULL, NULL},
    {"EntityTooSmall", NULL, OBJECT_CLIENT_ERROR, EINVAL, false, NULL,
     "the service wants larger parts: --part-size"},
    {"PreconditionFailed", NULL, OBJECT_CLIENT_ERROR, EEXIST, false, NULL, NULL},
    {"PermanentRedirect", NULL, OBJECT_REDIRECT, EREMCHG, false, NULL, MOVED_ADVICE},
    {"TemporaryRedirect", NULL, OBJECT_REDIRECT, EREMCHG, false, NULL, MOVED_ADVICE},
    {"SignatureDoesNotMatch", NULL, BY_STATUS, "the secret key does not match the access key",
     "check AWS_SECRET_ACCESS_KEY (or the profile); a proxy that changes requests does this too"},
    {"InvalidAccessKeyId", NULL, BY_STATUS, NULL, KEY_ADVICE},
    {"XAdminUserNotFound", NULL, BY_STATUS, NULL, KEY_ADVICE},
    {"ExpiredToken", NULL, BY_STATUS, NULL, "get new temporary credentials"},
    {"InvalidToken", NULL, BY_STATUS, NULL, "AWS_SESSION_TOKEN does not belong to the access key"},
    {"AuthorizationHeaderMalformed", NULL, BY_STATUS, NULL, REGION_ADVICE},
    {"AuthorizationQueryParametersError", NULL, BY_STATUS, NULL, REGION_ADVICE},
    {"InvalidBucketName", NULL, BY_STATUS, NULL,
     "check the name after s3://; if the server expects the bucket in the path: --s3.addressing "
     "path"},
    {"AllAccessDisabled", NULL, BY_STATUS, NULL, DENIED_ADVICE},
    {"MissingContentLength", NULL, BY_STATUS, NULL, "try --s3.payload signed"},
    {"XAmzContentSHA256Mismatch", NULL, BY_STATUS, NULL,
     "the server may not support trailers (--s3.payload trailer): try --s3.payload signed; else "
     "the data were changed on the way"},
    {"BadDigest", NULL, BY_STATUS, NULL, "the data were changed on the way"},
    {"InvalidDigest", NULL, BY_STATUS, NULL,
     "the service does not accept this checksum: --s3.checksum"},
    {"QuotaExceeded", NULL, BY_STATUS, NULL, "the bucket is full"},
    {"XMinioStorageFull", NULL, BY_STATUS, NULL, "the service is full"},
    {.code = NULL},
};

/* The code of an <Error>, "" if it has no plausible one. */
static void read_code(const struct http_answer *answer, char *code, size_t room)
{
    if (answer->text_bytes == 0 ||
        xml_find(answer->text, answer->text_bytes, "Code", code, room) < 0)
        code[0] = '\0';
    if (!web_is_code(code))
        code[0] = '\0';
}

static void judge_failure(const struct http_answer *answer, struct object_verdict *verdict)
{
    read_code(answer, verdict->code, sizeof(verdict->code));
    if (!web_judge_code(meanings, "", verdict))
        web_judge_status(answer->status, verdict);
}

/* --- answers of status 2xx ------------------------------------------------------------------- */

/* Whether "bytes FIRST-LAST/LENGTH" (RFC 9110, 14.4) is the range requested, or the object's
 * end. */
static bool is_range_asked(const struct object_call *call, const struct http_answer *answer,
                           uint64_t *bytes)
{
    const char *at = answer->content_range;
    const uint64_t asked_last = call->offset_bytes + call->range_bytes - 1;
    uint64_t first, last, length;

    if (strncmp(at, "bytes ", 6) != 0)
        return false;
    at += 6;
    if (!number_take(&at, &first) || *at++ != '-' || !number_take(&at, &last) || *at++ != '/')
        return false;
    if (first != call->offset_bytes || last < first || last > asked_last)
        return false;
    *bytes = last - first + 1;
    if (*at == '*')
        return at[1] == '\0' && last == asked_last;
    return number_take(&at, &length) && *at == '\0' && last < length &&
           (last == asked_last || last == length - 1);
}

static void judge_get(const struct object_call *call, const struct http_answer *answer,
                      struct object_verdict *verdict)
{
    uint64_t announced = answer->content_length;

    if (answer->status != (call->ranged ? 206 : 200))
        object_verdict_broken(verdict, call->ranged && answer->status == 200 ? "RangeIgnored"
                                                                             : "UnexpectedStatus");
    else if (call->ranged && !is_range_asked(call, answer, &announced))
        object_verdict_broken(verdict, "WrongRange");
    else
        web_judge_body(answer, announced, verdict);
}

/* The root of the document that a status 200 must contain; NULL: none required. */
static const char *document_of(enum object_verb kind)
{
    switch (kind) {
    case OBJECT_LIST:
        return "ListBucketResult";
    case OBJECT_COPY:
        return "CopyObjectResult";
    case OBJECT_DELETE_MANY:
        return "DeleteResult";
    case OBJECT_UPLOAD_BEGIN:
        return "InitiateMultipartUploadResult";
    case OBJECT_UPLOAD_COMPLETE:
        return "CompleteMultipartUploadResult";
    case OBJECT_UPLOAD_LIST:
        return "ListMultipartUploadsResult";
    default:
        return NULL;
    }
}

static const char *before_blanks(const char *begin, const char *end)
{
    while (end > begin && (end[-1] == '\n' || end[-1] == '\r' || end[-1] == ' ' || end[-1] == '\t'))
        end--;
    return end;
}

static bool ends_with(const struct http_answer *answer, const char *root)
{
    const char *begin = answer->text, *end = begin + answer->text_bytes;
    const size_t length = strlen(root);

    end = before_blanks(begin, end);
    if (end == begin || *--end != '>')
        return false;
    end = before_blanks(begin, end);
    return (size_t)(end - begin) > length && memcmp(end - length, root, length) == 0;
}

/* Checks the end tag: cheaper than parsing, and sufficient to detect truncation. */
static bool ends_with_root(struct xml *xml, const struct http_answer *answer, const char *root)
{
    if (xml->empty_tag) /* <DeleteResult/>: no failures */
        return xml_next(xml) == XML_CLOSE && xml_next(xml) == XML_END;
    return ends_with(answer, root);
}

/* Some servers use another root name; only the upload's id, or the tag of the result, matters. */
static bool names_upload(enum object_verb verb, const struct xml *xml,
                         const struct http_answer *answer)
{
    const char *const wanted = verb == OBJECT_UPLOAD_BEGIN      ? "UploadId"
                               : verb == OBJECT_UPLOAD_COMPLETE ? "ETag"
                                                                : NULL;
    char root[64], found[OBJECT_UPLOAD_BYTES];

    if (!wanted || xml->open[0].bytes >= sizeof(root) ||
        xml_find(answer->text, answer->text_bytes, wanted, found, sizeof(found)) <= 0)
        return false;
    memcpy(root, xml->open[0].text, xml->open[0].bytes);
    root[xml->open[0].bytes] = '\0';
    return answer->text_bytes >= 5 + strlen(root) && ends_with(answer, root);
}

static void judge_document(const struct object_call *call, const char *root,
                           const struct http_answer *answer, struct object_verdict *verdict)
{
    const bool lists = call->verb == OBJECT_LIST || call->verb == OBJECT_UPLOAD_LIST;
    struct xml xml;

    xml_begin(&xml, answer->text, answer->text_bytes);
    if (answer->too_long) {
        object_verdict_broken(verdict, lists ? "LongPage" : "TooLong");
    } else if (memchr(answer->text, '\0', answer->text_bytes) || xml_next(&xml) != XML_OPEN) {
        object_verdict_broken(verdict, "BrokenXML");
    } else if (xml_is(&xml.open[0], "Error")) { /* it failed after the status had been sent */
        verdict->class = OBJECT_SERVER_ERROR;
        verdict->errnum = EREMOTEIO;
        verdict->retryable = true;
        read_code(answer, verdict->code, sizeof(verdict->code));
        (void)web_judge_code(meanings, "", verdict);
    } else if (xml_is(&xml.open[0], root) ? !ends_with_root(&xml, answer, root)
                                          : !names_upload(call->verb, &xml, answer)) {
        object_verdict_broken(verdict, "BrokenXML");
    }
}

/* Whether a request for many keys failed in a way that requests for single keys may not. */
static bool may_do_singly(const struct object_verdict *verdict)
{
    return verdict->errnum == EOPNOTSUPP || verdict->class == OBJECT_PROTOCOL_ERROR ||
           (verdict->class == OBJECT_CLIENT_ERROR &&
            (verdict->errnum == EINVAL || strcmp(verdict->code, "AccessDenied") == 0));
}

static void judge_more(struct object_verdict *verdict)
{
    verdict->no_place = strcmp(verdict->code, "NoSuchBucket") == 0;
    verdict->singly = may_do_singly(verdict);
}

void s3_judge(const struct object_call *call, const struct http_answer *answer,
              struct object_verdict *verdict)
{
    web_judge_done(verdict);
    if (answer->failure != 0) {
        web_judge_network(answer->failure, verdict);
    } else if (answer->status < 200 || answer->status > 299) {
        judge_failure(answer, verdict);
    } else if (call->verb == OBJECT_GET) {
        judge_get(call, answer, verdict);
    } else {
        const char *root = document_of(call->verb);
        if (root)
            judge_document(call, root, answer, verdict);
        else if (answer->too_long)
            object_verdict_broken(verdict, "TooLong");
    }
    if (__builtin_expect(verdict->class != OBJECT_DONE, 0))
        judge_more(verdict);
}

#define ASKED_MEANT_S UINT64_C(3600) /* longer ones are mistakes */

uint64_t s3_asked_pause_ns(const struct http_answer *answer)
{
    const char *at = answer->retry_after;
    uint64_t asked_s;

    if (!number_take(&at, &asked_s) || *at != '\0' || asked_s > ASKED_MEANT_S)
        return 0;
    return asked_s * NS_PER_S;
}

/* --- in words -------------------------------------------------------------------------------- */

/* The server's message, made printable; "" if there is none, or if it might contain parts of the
 * signature: then its code must do. */
static void read_message(const struct http_answer *answer, const char *code, char *text,
                         size_t room)
{
    char message[1024];

    text[0] = '\0';
    if (strcmp(code, "SignatureDoesNotMatch") == 0 || answer->text_bytes == 0)
        return;
    if (xml_find(answer->text, answer->text_bytes, "Message", message, sizeof(message)) <= 0)
        return;
    if (strstr(message, "Signature=") || strstr(message, "AWS4-HMAC-SHA256"))
        return;
    for (char *at = message; *at; at++)
        if (*at == '\n' || *at == '\r' || *at == '\t')
            *at = ' ';
    error_printable(message, text, room); /* cuts long messages */
}

static void explain_answer(const struct http_answer *answer, const struct object_verdict *verdict,
                           const char *own_words, char *text, size_t room)
{
    char message[160], request_id[64];
    const char *status = web_status_words(answer->status);

    read_message(answer, verdict->code, message, sizeof(message));
    if (own_words && verdict->class != OBJECT_PROTOCOL_ERROR) /* replaces the server's message */
        (void)snprintf(text, room, "HTTP %d %s: %s", answer->status, verdict->code, own_words);
    else if (own_words)
        (void)snprintf(text, room, "HTTP %d: %s", answer->status, own_words);
    else if (verdict->code[0] != '\0')
        (void)snprintf(text, room, "HTTP %d %s%s%s", answer->status, verdict->code,
                       message[0] ? ": " : "", message);
    else
        (void)snprintf(text, room, "HTTP %d%s%s", answer->status, status[0] ? " " : "", status);
    if (answer->request_id[0] != '\0' && strlen(text) + sizeof(request_id) + 16 < room) {
        error_printable(answer->request_id, request_id, sizeof(request_id));
        (void)snprintf(text + strlen(text), room - strlen(text), " (request %s)", request_id);
    }
}

static const struct web_advice advice_on_endpoint = {
    .tls = "does the server speak TLS there? try https:// in --endpoint",
    .plain = "does the server speak TLS there? try http:// in --endpoint",
    .refused = "is the server running, is the port right?",
};

static void explain_network(const struct http_answer *answer, int errnum, struct error *err)
{
    char reason[200];
    const char *advice;

    error_printable(answer->reason[0] ? answer->reason : strerror(errnum), reason, sizeof(reason));
    error_explain(err, "%s", reason);
    advice = errnum == EHOSTUNREACH && strstr(reason, "server name")
                 ? "check --endpoint"
                 : web_advise_network(answer, reason, errnum, &advice_on_endpoint);
    if (advice)
        error_advise(err, "%s", advice);
}

void s3_explain(const struct object_answer *object, struct error *err)
{
    const struct http_answer *answer = object->detail;
    const struct object_verdict *verdict = &object->verdict;
    const struct web_meaning *row = web_meaning_of(meanings, verdict->code, "");
    /* codes of ours are not the server's */
    const bool known =
        row && (verdict->class == OBJECT_PROTOCOL_ERROR || row->class != OBJECT_PROTOCOL_ERROR);
    char text[sizeof(err->reason)], endpoint[160] = "", shown[160];

    if (verdict->class == OBJECT_NETWORK_ERROR) {
        explain_network(answer, verdict->errnum, err);
        return;
    }
    explain_answer(answer, verdict, known ? row->words : NULL, text, sizeof(text));
    error_explain(err, "%s", text);
    if (verdict->class == OBJECT_REDIRECT && answer->text_bytes > 0 &&
        xml_find(answer->text, answer->text_bytes, "Endpoint", endpoint, sizeof(endpoint)) > 0)
        error_advise(err, "the service names %s: is that --endpoint?",
                     error_printable(endpoint, shown, sizeof(shown)));
    else if (web_wants_tls(answer, ""))
        error_advise(err, "the server speaks TLS there: https:// in --endpoint");
    else if (row && row->advice)
        error_advise(err, "%s", row->advice);
}

/* --- integrity ------------------------------------------------------------------------------ */

/* Objects uploaded in parts have checksums of checksums, which are not checked. Formats:
 * x-amz-checksum-* and ETag of GetObject in the Amazon S3 API reference. */

enum opinion { NO_OPINION, FITS, DIFFERS };

/* The base64 checksum of the data, by the checksum's name. False: unknown algorithm. */
static bool text_of(const char *name, size_t name_bytes, const void *data, size_t bytes,
                    char text[64])
{
    static const char prefix[] = "x-amz-checksum-";
    uint8_t digest[CHECKSUM_SHA256];

    for (unsigned kind = S3_CHECKSUM_CRC32; kind < S3_CHECKSUM_COUNT; kind++) {
        const char *known_name = checksum_header((enum s3_checksum)kind) + sizeof(prefix) - 1;

        if (strlen(known_name) == name_bytes && memcmp(name, known_name, name_bytes) == 0)
            return checksum_text((enum s3_checksum)kind, data, bytes, text) == 0;
    }
    if (name_bytes != 6 || memcmp(name, "sha256", 6) != 0 ||
        checksum_sha256(data, bytes, digest) < 0)
        return false;
    encode_base64(digest, sizeof(digest), text);
    return true;
}

/* "crc32c=VALUE"; for a multipart upload "crc32c=VALUE-3". */
static enum opinion by_checksum(const char *checksum, const void *data, size_t bytes)
{
    const char *const value = strchr(checksum, '=');
    char text[64];

    if (!value || strchr(value, '-') ||
        !text_of(checksum, (size_t)(value - checksum), data, bytes, text))
        return NO_OPINION;
    return strcmp(value + 1, text) == 0 ? FITS : DIFFERS;
}

/* An ETag of 32 digits is an MD5 unless the server encrypts or uses another scheme: one match
 * proves that this server's ETags are MD5. */
static enum opinion by_etag(const char *etag, const void *data, size_t bytes, bool foreign,
                            unsigned *etags_are_md5)
{
    uint8_t md5[16];
    char text[CHECKSUM_TEXT], found[CHECKSUM_TEXT];

    if (etag[0] == '"')
        etag++;
    for (unsigned i = 0; i < sizeof(md5); i++) {
        const char *at = etag + 2 * i, *const end = at + strnlen(at, 2);
        uint64_t byte;

        if (!number_take_hex(&at, end, &byte) || at != etag + 2 * i + 2)
            return NO_OPINION;
        md5[i] = (uint8_t)byte;
    }
    if ((etag[32] && etag[32] != '"') || checksum_text(S3_CHECKSUM_MD5, data, bytes, text) < 0)
        return NO_OPINION;
    if (strcmp(text, encode_base64(md5, sizeof(md5), found)) == 0) {
        *etags_are_md5 = 1;
        return FITS;
    }
    /* Objects of others may be encrypted individually. */
    return *etags_are_md5 && !foreign ? DIFFERS : NO_OPINION;
}

bool s3_intact(const struct object_answer *base, enum object_verb verb, const void *data,
               size_t bytes, bool foreign, unsigned *learned, char *text, size_t room)
{
    const struct http_answer *answer = base->detail;
    enum opinion opinion = NO_OPINION;

    if (verb == OBJECT_GET)
        opinion = by_checksum(answer->checksum, data, bytes);
    if (opinion == NO_OPINION)
        opinion = by_etag(answer->etag, data, bytes, foreign, learned);
    if (opinion != DIFFERS)
        return true;
    (void)snprintf(text, room, "%s", answer->checksum[0] ? answer->checksum : answer->etag);
    return false;
}
