/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_s3_sign.c - signatures against those of two other programs (tests/s3/vectors.py), text
 * encodings against their standards, checksums against published values and the plain definition,
 * at lengths and alignments that reach every fast path. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/rng.h"
#include "data/s3-vectors.h"
#include "net/encode.h"
#include "storage/object/s3/protocol.h"

#define ELEMENTS(array) (sizeof(array) / sizeof((array)[0]))

static struct sigv4 *make_signer(const struct vector *vector, struct s3_credentials *credentials)
{
    struct error err = ERROR_INIT;
    struct sigv4 *signer;

    memset(credentials, 0, sizeof(*credentials));
    credentials->access_key = (char *)(uintptr_t)vector->access_key;
    credentials->secret_key = (char *)(uintptr_t)vector->secret_key;
    assert_int_equal(sigv4_create(credentials, vector->region, &signer, &err), 0);
    return signer;
}

static struct sigv4_request request_of(const struct vector *vector)
{
    return (struct sigv4_request){
        .method = vector->method,
        .path = vector->path,
        .query = vector->query,
        .header = vector->header,
        .header_count = vector->header_count,
        .payload_hash = vector->payload,
    };
}

/* Returns the length of the header's value, or -1. */
static int sign(struct sigv4 *signer, const struct sigv4_request *request, const char *date,
                char *text, size_t room)
{
    struct text_builder out = {.text = text, .room = room};

    return sigv4_sign(signer, request, date, &out) < 0 ? -1 : (int)out.used;
}

/* Signs, and compares the complete value of the header. */
static void check_vector(struct sigv4 *signer, const struct vector *vector)
{
    const struct sigv4_request request = request_of(vector);
    char text[1024], expected[1024], names[512] = "";
    const int length = sign(signer, &request, vector->date, text, sizeof(text));

    for (unsigned i = 0; i < vector->header_count; i++) {
        strcat(names, i > 0 ? ";" : "");
        strcat(names, vector->header[i].name);
    }
    snprintf(expected, sizeof(expected),
             "AWS4-HMAC-SHA256 Credential=%s/%.8s/%s/s3/aws4_request, SignedHeaders=%s, "
             "Signature=%s",
             vector->access_key, vector->date, vector->region, names, vector->signature);
    assert_string_equal(text, expected);
    assert_int_equal(length, strlen(text));
}

static void signatures_are_those_of_others(void **state)
{
    for (size_t i = 0; i < ELEMENTS(vectors); i++) {
        struct s3_credentials credentials;
        struct sigv4 *signer = make_signer(&vectors[i], &credentials);

        check_vector(signer, &vectors[i]);
        check_vector(signer, &vectors[i]); /* with the cached key of the day */
        sigv4_destroy(signer);
    }
    sigv4_destroy(NULL);
}

/* The length after appending; 0: it does not fit. */
static size_t encoded(const char *word, bool keep_slash, char *text, size_t used, size_t room)
{
    struct text_builder out = {.text = text, .used = used, .room = room};

    encode_put_percent(&out, word, keep_slash);
    return out.full ? 0 : out.used;
}

static void keys_are_encoded_as_others_do(void **state)
{
    char text[4096];

    for (size_t i = 0; i < ELEMENTS(vectors); i++) {
        text[0] = '/';
        assert_int_equal(encoded(vectors[i].key, true, text, 1, sizeof(text)),
                         strlen(vectors[i].path));
        assert_string_equal(text, vectors[i].path);
    }
}

static const struct vector *named(const char *name)
{
    for (size_t i = 0; i < ELEMENTS(vectors); i++)
        if (strcmp(vectors[i].name, name) == 0)
            return &vectors[i];
    fail_msg("no vector %s", name);
    return NULL;
}

/* The key of a day is cached, but not used for another day. */
static void midnight_changes_the_key(void **state)
{
    const struct vector *after = named("multipart, no value"), *before = named("the day before");
    struct s3_credentials credentials;
    struct sigv4 *signer = make_signer(after, &credentials);

    assert_string_equal(before->secret_key, after->secret_key);
    check_vector(signer, before);
    check_vector(signer, after);
    check_vector(signer, before);
    check_vector(signer, before);
    check_vector(signer, after);
    sigv4_destroy(signer);
}

static void chunks_follow_from_the_request(void **state)
{
    static const size_t sizes[] = {65536, 1024, 0};
    char *data = malloc(65536);

    assert_non_null(data);
    memset(data, 'a', 65536);
    for (size_t i = 0; i < ELEMENTS(seeds); i++) {
        struct s3_credentials credentials;
        struct sigv4 *signer = make_signer(&seeds[i], &credentials);

        for (int twice = 0; twice < 2; twice++) { /* a new request starts a new chain */
            char signature[SIGV4_HEX_BYTES];
            check_vector(signer, &seeds[i]);
            for (size_t k = 0; k < ELEMENTS(sizes); k++) {
                assert_int_equal(sigv4_chunk(signer, false, data, sizes[k], signature), 0);
                assert_string_equal(signature, followers[i][k]);
            }
            assert_int_equal(
                sigv4_chunk(signer, true, VECTOR_TRAILER, strlen(VECTOR_TRAILER), signature), 0);
            assert_string_equal(signature, followers[i][3]);
        }
        sigv4_destroy(signer);
    }
    free(data);
}

static void too_little_room_is_told(void **state)
{
    const struct vector *vector = &vectors[0];
    const struct sigv4_request request = request_of(vector);
    struct s3_credentials credentials;
    struct sigv4 *signer = make_signer(vector, &credentials);
    char whole[512], text[512];
    const int length = sign(signer, &request, vector->date, whole, sizeof(whole));

    assert_true(length > 0);
    for (size_t room = 1; room <= (size_t)length + 2; room++) {
        memset(text, '#', sizeof(text));
        assert_int_equal(sign(signer, &request, vector->date, text, room),
                         room > (size_t)length ? length : -1);
        for (size_t i = room; i < sizeof(text); i++)
            assert_int_equal(text[i], '#');
    }
    assert_int_equal(sign(signer, &request, "2013", text, sizeof(text)), -1);
    check_vector(signer, vector);
    sigv4_destroy(signer);
}

static void regions_have_names_of_bounded_length(void **state)
{
    struct s3_credentials credentials = {.access_key = (char *)(uintptr_t) "k",
                                         .secret_key = (char *)(uintptr_t) "s"};
    struct error err = ERROR_INIT;
    struct sigv4 *signer;
    char region[200];

    memset(region, 'r', sizeof(region));
    region[128] = '\0';
    assert_int_equal(sigv4_create(&credentials, region, &signer, &err), 0);
    sigv4_destroy(signer);
    region[128] = 'r';
    region[129] = '\0';
    assert_int_equal(sigv4_create(&credentials, region, &signer, &err), -1);
    assert_int_equal(err.status, STATUS_TARGET);
    assert_null(signer);
}

/* Each from a second that differs and, kept, from the same again. */
static void dates_are_those_of_the_calendar(void **state)
{
    static const struct {
        time_t moment;
        const char *date;
    } rows[] = {
        {0, "19700101T000000Z"},          {1369353600, "20130524T000000Z"},
        {1369353600, "20130524T000000Z"}, {1709251199, "20240229T235959Z"},
        {1369353600, "20130524T000000Z"},
    };
    char date[SIGV4_DATE_BYTES];

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        sigv4_date(rows[i].moment, date);
        assert_string_equal(date, rows[i].date);
    }
}

/* --- text ------------------------------------------------------------------------------------ */

static void percent_encoding_keeps_what_is_unreserved(void **state)
{
    static const char keep[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    char text[8], expected[8];

    for (int c = 1; c < 256; c++) {
        const char word[2] = {(char)c, '\0'};
        const bool stays = strchr(keep, c) != NULL;
        if (stays)
            snprintf(expected, sizeof(expected), "%c", c);
        else
            snprintf(expected, sizeof(expected), "%%%02X", (unsigned)c);
        assert_int_equal(encoded(word, false, text, 0, sizeof(text)), strlen(expected));
        assert_string_equal(text, expected);
    }
    assert_int_equal(encoded("/a/", true, text, 0, sizeof(text)), 3);
    assert_string_equal(text, "/a/");
    assert_int_equal(encoded("/a", false, text, 0, sizeof(text)), 4);
    assert_string_equal(text, "%2Fa");
}

static void percent_encoding_is_bounded(void **state)
{
    char text[16];

    for (size_t room = 0; room < sizeof(text); room++) {
        memset(text, '#', sizeof(text));
        text[0] = 'x';
        /* x a % 2 0 / and the terminator */
        assert_int_equal(encoded("a /", true, text, 1, room), room >= 7 ? 6 : 0);
        for (size_t i = room > 1 ? room : 1; i < sizeof(text); i++)
            assert_int_equal(text[i], '#');
    }
    assert_int_equal(encoded("", true, text, 3, 4), 3);
    assert_int_equal(encoded("", true, text, 4, 4), 0);
    assert_int_equal(encoded("", true, text, 5, 4), 0);
}

static void hexadecimal_and_base64(void **state)
{
    /* RFC 4648 section 10 */
    static const char *const pairs[][2] = {{"", ""},
                                           {"f", "Zg=="},
                                           {"fo", "Zm8="},
                                           {"foo", "Zm9v"},
                                           {"foob", "Zm9vYg=="},
                                           {"fooba", "Zm9vYmE="},
                                           {"foobar", "Zm9vYmFy"}};
    static const uint8_t bytes[] = {0x00, 0x09, 0x7f, 0x80, 0xab, 0xff, 0xfb, 0xef, 0xbe};
    char text[32];

    for (size_t i = 0; i < ELEMENTS(pairs); i++) {
        const char *plain = pairs[i][0];
        assert_string_equal(encode_base64((const uint8_t *)plain, strlen(plain), text),
                            pairs[i][1]);
    }
    assert_string_equal(encode_base64(bytes, 9, text), "AAl/gKv/++++");
    assert_string_equal(encode_hex(bytes, 9, text), "00097f80abfffbefbe");
    assert_string_equal(encode_hex(bytes, 0, text), "");
}

/* --- checksums ------------------------------------------------------------------------------- */

/* The definition of a CRC, bit by bit. */
static uint64_t plain_crc(uint64_t polynomial, uint64_t ones, const uint8_t *data, size_t bytes)
{
    uint64_t value = ones;

    for (size_t i = 0; i < bytes; i++) {
        value ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            value = value & 1 ? value >> 1 ^ polynomial : value >> 1;
    }
    return value ^ ones;
}

static void published_checksums(void **state)
{
    static const char digits[] = "123456789";
    uint8_t data[32];

    assert_int_equal(checksum_crc(S3_CHECKSUM_CRC32, 0, digits, 9), 0xcbf43926);
    assert_int_equal(checksum_crc(S3_CHECKSUM_CRC32C, 0, digits, 9), 0xe3069283);
    assert_true(checksum_crc(S3_CHECKSUM_CRC64NVME, 0, digits, 9) == 0xae8b14860a799888);
    assert_int_equal(checksum_crc(S3_CHECKSUM_CRC32, 0, digits, 0), 0);
    assert_true(checksum_crc(S3_CHECKSUM_CRC64NVME, 0, digits, 0) == 0);
    /* RFC 3720 appendix B.4 */
    memset(data, 0, sizeof(data));
    assert_int_equal(checksum_crc(S3_CHECKSUM_CRC32C, 0, data, sizeof(data)), 0x8a9136aa);
    memset(data, 0xff, sizeof(data));
    assert_int_equal(checksum_crc(S3_CHECKSUM_CRC32C, 0, data, sizeof(data)), 0x62a8ab43);
    for (unsigned i = 0; i < sizeof(data); i++)
        data[i] = (uint8_t)i;
    assert_int_equal(checksum_crc(S3_CHECKSUM_CRC32C, 0, data, sizeof(data)), 0x46dd794e);
    for (unsigned i = 0; i < sizeof(data); i++)
        data[i] = (uint8_t)(31 - i);
    assert_int_equal(checksum_crc(S3_CHECKSUM_CRC32C, 0, data, sizeof(data)), 0x113fdb5c);
}

static void crcs_are_the_same_for_all_lengths_and_places(void **state)
{
    enum { MOST = 1300 };
    uint8_t *data = malloc(MOST + 16);
    struct rng rng;

    assert_non_null(data);
    rng_seed(&rng, 3, 0);
    for (size_t i = 0; i < MOST + 16; i++)
        data[i] = (uint8_t)rng_next(&rng);
    for (size_t bytes = 0; bytes < MOST; bytes++) {
        const uint8_t *from = data + bytes % 16;
        assert_true(checksum_crc(S3_CHECKSUM_CRC32, 0, from, bytes) ==
                    plain_crc(0xedb88320, UINT32_MAX, from, bytes));
        assert_true(checksum_crc(S3_CHECKSUM_CRC32C, 0, from, bytes) ==
                    plain_crc(0x82f63b78, UINT32_MAX, from, bytes));
        assert_true(checksum_crc(S3_CHECKSUM_CRC64NVME, 0, from, bytes) ==
                    plain_crc(0x9a6c9329ac4bc9b5, UINT64_MAX, from, bytes));
    }
    free(data);
}

static void crcs_go_on_from_any_place(void **state)
{
    enum { BYTES = 1000 };
    uint8_t data[BYTES];
    struct rng rng;

    rng_seed(&rng, 4, 0);
    for (size_t i = 0; i < BYTES; i++)
        data[i] = (uint8_t)rng_next(&rng);
    for (enum s3_checksum kind = S3_CHECKSUM_CRC32; kind < S3_CHECKSUM_COUNT; kind++)
        for (size_t cut = 0; cut <= BYTES; cut++)
            assert_true(checksum_crc(kind, checksum_crc(kind, 0, data, cut), data + cut,
                                     BYTES - cut) == checksum_crc(kind, 0, data, BYTES));
}

static void checksums_as_text(void **state)
{
    static const char digits[] = "123456789";
    char text[CHECKSUM_TEXT];

    assert_int_equal(checksum_text(S3_CHECKSUM_CRC32, digits, 9, text), 0);
    assert_string_equal(text, "y/Q5Jg==");
    assert_int_equal(checksum_text(S3_CHECKSUM_CRC32C, digits, 9, text), 0);
    assert_string_equal(text, "4waSgw==");
    assert_int_equal(checksum_text(S3_CHECKSUM_CRC64NVME, digits, 9, text), 0);
    assert_string_equal(text, "rosUhgp5mIg=");
    if (checksum_text(S3_CHECKSUM_MD5, digits, 9, text) == 0) /* a policy may forbid it */
        assert_string_equal(text, "JfnnlDI7RTiF9RgfG2JNCw==");
    assert_string_equal(checksum_header(S3_CHECKSUM_MD5), "content-md5");
    assert_string_equal(checksum_header(S3_CHECKSUM_CRC32), "x-amz-checksum-crc32");
    assert_string_equal(checksum_header(S3_CHECKSUM_CRC32C), "x-amz-checksum-crc32c");
    assert_string_equal(checksum_header(S3_CHECKSUM_CRC64NVME), "x-amz-checksum-crc64nvme");
    assert_null(checksum_header(S3_CHECKSUM_NONE));
}

static void sha256(void **state)
{
    uint8_t digest[CHECKSUM_SHA256];
    char text[SIGV4_HEX_BYTES];

    assert_int_equal(checksum_sha256("abc", 3, digest), 0); /* FIPS 180-2 */
    assert_string_equal(encode_hex(digest, sizeof(digest), text),
                        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_int_equal(checksum_sha256("", 0, digest), 0);
    assert_string_equal(encode_hex(digest, sizeof(digest), text), SIGV4_EMPTY_SHA256);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signatures_are_those_of_others),
        cmocka_unit_test(keys_are_encoded_as_others_do),
        cmocka_unit_test(midnight_changes_the_key),
        cmocka_unit_test(chunks_follow_from_the_request),
        cmocka_unit_test(too_little_room_is_told),
        cmocka_unit_test(regions_have_names_of_bounded_length),
        cmocka_unit_test(dates_are_those_of_the_calendar),
        cmocka_unit_test(percent_encoding_keeps_what_is_unreserved),
        cmocka_unit_test(percent_encoding_is_bounded),
        cmocka_unit_test(hexadecimal_and_base64),
        cmocka_unit_test(published_checksums),
        cmocka_unit_test(crcs_are_the_same_for_all_lengths_and_places),
        cmocka_unit_test(crcs_go_on_from_any_place),
        cmocka_unit_test(checksums_as_text),
        cmocka_unit_test(sha256),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
