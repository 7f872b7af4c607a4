/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* checksum.c - the checksums of S3.
 *
 * The three CRCs are one algorithm with three polynomials: bits are reflected, the register starts
 * as ones and is finally inverted. Tables process sixteen bytes at a time (Kounavis and Berry, "A
 * Systematic Approach to Building High Performance Software-Based CRC Generators", 2005); on
 * processors with carry-less multiplication, 64 bytes at a time are folded first (Gopal et al.,
 * "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction", 2009). Tables and
 * constants are computed from the polynomials, once per process. */
#include "base/compat.h"

#include "storage/object/s3/protocol.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define FOLDING 1
#else
#define FOLDING 0
#endif

#include "net/encode.h"

#define SLICES     16
#define FOLD_BYTES 64 /* at a time */
#define FOLD_LEAST 256

struct crc {
    uint64_t table[SLICES][256]; /* [k]: effect of a byte followed by k bytes */
    /* factors that advance the two halves of 16 bytes by 64 and by 16 bytes */
    uint64_t far[2], near[2];
};

static const struct {
    const char *header;
    unsigned width;      /* of a CRC in bits */
    uint64_t polynomial; /* reflected */
} kinds[S3_CHECKSUM_COUNT] = {
    [S3_CHECKSUM_MD5] = {"content-md5", 0, 0},
    [S3_CHECKSUM_CRC32] = {"x-amz-checksum-crc32", 32, 0xedb88320},
    [S3_CHECKSUM_CRC32C] = {"x-amz-checksum-crc32c", 32, 0x82f63b78},
    [S3_CHECKSUM_CRC64NVME] = {"x-amz-checksum-crc64nvme", 64, 0x9a6c9329ac4bc9b5},
};

/* Set once by prepare, const from then on. */
static struct crc crcs[S3_CHECKSUM_COUNT];
#if FOLDING
static bool can_fold;
#endif
static EVP_MD *md5, *sha256; /* MD5 is NULL if system policy forbids it */
static pthread_once_t prepared = PTHREAD_ONCE_INIT;

static uint64_t times_x(uint64_t value, uint64_t polynomial)
{
    return value >> 1 ^ (value & 1 ? polynomial : 0);
}

/* x to the power n, modulo the polynomial, with the highest coefficient of 64 in bit 0. */
static uint64_t power(unsigned kind, unsigned n)
{
    const unsigned width = kinds[kind].width;
    uint64_t value = (uint64_t)1 << (width - 1);

    while (n-- > 0)
        value = times_x(value, kinds[kind].polynomial);
    return value << (64 - width);
}

static void prepare_crc(unsigned kind)
{
    struct crc *crc = &crcs[kind];

    for (unsigned byte = 0; byte < 256; byte++) {
        uint64_t value = byte;
        for (int bit = 0; bit < 8; bit++)
            value = times_x(value, kinds[kind].polynomial);
        crc->table[0][byte] = value;
    }
    for (unsigned k = 1; k < SLICES; k++)
        for (unsigned byte = 0; byte < 256; byte++) {
            const uint64_t value = crc->table[k - 1][byte];
            crc->table[k][byte] = crc->table[0][value & 255] ^ value >> 8;
        }
    /* The product of two reflected halves lacks a factor of x: hence the -1. The first half is
     * followed by 64 more coefficients. */
    crc->far[0] = power(kind, 8 * FOLD_BYTES + 64 - 1);
    crc->far[1] = power(kind, 8 * FOLD_BYTES - 1);
    crc->near[0] = power(kind, 8 * 16 + 64 - 1);
    crc->near[1] = power(kind, 8 * 16 - 1);
}

static void prepare(void)
{
    for (unsigned kind = 0; kind < S3_CHECKSUM_COUNT; kind++)
        if (kinds[kind].width > 0)
            prepare_crc(kind);
#if FOLDING
    can_fold = __builtin_cpu_supports("pclmul");
#endif
    md5 = EVP_MD_fetch(NULL, "MD5", NULL);
    sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
    ERR_clear_error(); /* a missing digest must not be mistaken for a TLS error */
}

/* Little-endian on all machines; compilers recognise the pattern. */
static uint64_t load(const uint8_t *data)
{
    return (uint64_t)data[0] | (uint64_t)data[1] << 8 | (uint64_t)data[2] << 16 |
           (uint64_t)data[3] << 24 | (uint64_t)data[4] << 32 | (uint64_t)data[5] << 40 |
           (uint64_t)data[6] << 48 | (uint64_t)data[7] << 56;
}

static uint64_t look_up(const uint64_t table[8][256], uint64_t word)
{
    return table[7][word & 255] ^ table[6][word >> 8 & 255] ^ table[5][word >> 16 & 255] ^
           table[4][word >> 24 & 255] ^ table[3][word >> 32 & 255] ^ table[2][word >> 40 & 255] ^
           table[1][word >> 48 & 255] ^ table[0][word >> 56];
}

static uint64_t by_tables(const struct crc *crc, uint64_t value, const uint8_t *data, size_t bytes)
{
    for (; bytes >= SLICES; bytes -= SLICES, data += SLICES)
        value = look_up(crc->table + 8, value ^ load(data)) ^ look_up(crc->table, load(data + 8));
    for (; bytes > 0; bytes--, data++)
        value = crc->table[0][(value ^ *data) & 255] ^ value >> 8;
    return value;
}

#if FOLDING
__attribute__((target("pclmul"))) static __m128i fold(__m128i value, __m128i powers, __m128i next)
{
    const __m128i first = _mm_clmulepi64_si128(value, powers, 0x00);
    const __m128i second = _mm_clmulepi64_si128(value, powers, 0x11);

    return _mm_xor_si128(_mm_xor_si128(first, second), next);
}

__attribute__((target("pclmul"))) static __m128i take(const uint8_t *data)
{
    return _mm_loadu_si128((const __m128i *)(const void *)data);
}

/* Folds all whole blocks of FOLD_BYTES (two or more) into 16 bytes with the same remainder. */
__attribute__((target("pclmul"))) static uint64_t by_folding(const struct crc *crc, uint64_t value,
                                                             const uint8_t *data, size_t bytes)
{
    const __m128i far = _mm_set_epi64x((long long)crc->far[1], (long long)crc->far[0]);
    const __m128i near = _mm_set_epi64x((long long)crc->near[1], (long long)crc->near[0]);
    __m128i a = _mm_xor_si128(take(data), _mm_set_epi64x(0, (long long)value));
    __m128i b = take(data + 16), c = take(data + 32), d = take(data + 48);
    uint8_t rest[16];

    for (bytes -= FOLD_BYTES, data += FOLD_BYTES; bytes >= FOLD_BYTES;
         bytes -= FOLD_BYTES, data += FOLD_BYTES) {
        a = fold(a, far, take(data));
        b = fold(b, far, take(data + 16));
        c = fold(c, far, take(data + 32));
        d = fold(d, far, take(data + 48));
    }
    d = fold(fold(fold(a, near, b), near, c), near, d);
    _mm_storeu_si128((__m128i *)(void *)rest, d);
    return by_tables(crc, by_tables(crc, 0, rest, sizeof(rest)), data, bytes);
}
#endif

uint64_t checksum_crc(enum s3_checksum kind, uint64_t crc, const void *data, size_t bytes)
{
    const uint64_t mask = UINT64_MAX >> (64 - kinds[kind].width);
    uint64_t value = ~crc & mask; /* the register */

    (void)pthread_once(&prepared, prepare);
#if FOLDING
    if (can_fold && bytes >= FOLD_LEAST)
        return ~by_folding(&crcs[kind], value, data, bytes) & mask;
#endif
    return ~by_tables(&crcs[kind], value, data, bytes) & mask;
}

/* --- digests --------------------------------------------------------------------------------- */

static int digest_of(const EVP_MD *md, const void *data, size_t bytes, uint8_t *digest)
{
    if (md && EVP_Digest(data, bytes, digest, NULL, md, NULL) == 1)
        return 0;
    ERR_clear_error();
    return -1;
}

int checksum_sha256(const void *data, size_t bytes, uint8_t digest[CHECKSUM_SHA256])
{
    (void)pthread_once(&prepared, prepare);
    return digest_of(sha256, data, bytes, digest);
}

int checksum_text(enum s3_checksum kind, const void *data, size_t bytes, char *text)
{
    const unsigned crc_bytes = kinds[kind].width / 8;
    uint8_t digest[16];
    uint64_t crc;

    (void)pthread_once(&prepared, prepare);
    if (kind == S3_CHECKSUM_MD5) {
        if (digest_of(md5, data, bytes, digest) != 0)
            return -1;
        encode_base64(digest, sizeof(digest), text);
        return 0;
    }
    crc = checksum_crc(kind, 0, data, bytes);
    for (unsigned i = crc_bytes; i-- > 0; crc >>= 8) /* big-endian */
        digest[i] = (uint8_t)crc;
    encode_base64(digest, crc_bytes, text);
    return 0;
}

const char *checksum_header(enum s3_checksum kind)
{
    return kinds[kind].header;
}
