/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* Random and almost correct input for all parsers: see fuzz/parsers.c. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "cli/options.h"
#include "fuzz/parsers.h"
#include "storage/file/fileset.h"

#define TRIES         30000
#define LENGTH(array) (sizeof(array) / sizeof(*(array)))

static const char *const seeds[] = {
    "4096",
    "4Ki",
    "64KiB",
    "1.5s",
    "20ms",
    "2.5%",
    "1..64",
    "4k..1M",
    "512,4k,1M",
    "0",
    "-1",
    "18446744073709551615",
    "16777215T",
    "clean dir",
    "-m 512 -M 1Mi -n 1000 -l 4Mi dir",
    "--threads 1..16 --cache cached,direct --engine posix,pread --tests read",
    "--rounds 11,39 --precision 2.5% --time 5s",
    "--decimal , --separator ;",
    "-r -b -s x",
    "--sizes 4k,8k --format json -o x",
    "--null.delay 61us --null.fail every:3 null:",
};

static void feed(unsigned char kind, const void *text, size_t length)
{
    unsigned char input[700];

    if (length > sizeof(input) - 1)
        length = sizeof(input) - 1;
    input[0] = kind;
    memcpy(input + 1, text, length);
    assert_int_equal(LLVMFuzzerTestOneInput(input, length + 1), 0);
}

/* Changes, drops or duplicates random bytes. */
static size_t mutate(struct rng *rng, char *text, size_t length, size_t room)
{
    for (uint64_t changes = 1 + rng_below(rng, 3); changes && length; changes--) {
        const size_t at = (size_t)rng_below(rng, length);
        switch (rng_below(rng, 3)) {
        case 0:
            text[at] = (char)(rng_below(rng, 2) ? ' ' + (char)rng_below(rng, 95)
                                                : (char)rng_below(rng, 256));
            break;
        case 1:
            memmove(text + at, text + at + 1, length - at - 1);
            length--;
            break;
        default:
            if (length + 1 < room) {
                memmove(text + at + 1, text + at, length - at);
                length++;
            }
        }
    }
    return length;
}

/* Its answers follow a byte that chooses the request and the steps: see parse_http. */
#define HTTP 13

/* Feeds each seed as it is, then changed ones. */
static void feed_seeds(unsigned char kind, const char *const *seed, size_t count, unsigned tries)
{
    const size_t before = kind == HTTP ? 1 : 0;
    struct rng rng;

    rng_seed(&rng, 2004, kind);
    for (unsigned i = 0; i < tries; i++) {
        const char *good = seed[i < count ? i : rng_below(&rng, count)];
        size_t length = strlen(good);
        char text[600];

        text[0] = (char)rng_below(&rng, 256);
        memcpy(text + before, good, length);
        if (i >= count)
            length = mutate(&rng, text + before, length, sizeof(text) - before);
        feed(kind, text, before + length);
    }
}

#define FEED(kind, seeds, tries) feed_seeds(kind, seeds, LENGTH(seeds), tries)

static void words_that_are_almost_right(void **state)
{
    for (unsigned char kind = 0; kind < 3; kind++)
        FEED(kind, seeds, TRIES / 3);
}

static void random_bytes(void **state)
{
    struct rng rng;

    rng_seed(&rng, 2005, 0);
    for (int i = 0; i < TRIES; i++) {
        unsigned char text[64];
        const size_t length = (size_t)rng_below(&rng, sizeof(text));
        for (size_t k = 0; k < length; k++)
            text[k] = (unsigned char)rng_next(&rng);
        feed((unsigned char)rng_below(&rng, 10), text, length);
        feed((unsigned char)rng_below(&rng, 14), text, length);
    }
}

static void manifests_that_are_almost_right(void **state)
{
    struct life_set set = {
        .kind = LIFE_TREE, .levels = 3, .width = 4, .size_bytes = 4 << 20, .count = 64};
    const struct life_manifest manifest = {
        .storage = LIFE_FILES, .run_name = "0123abcd", .seed = 7, .set_count = 1, .set = &set};
    char *good = life_manifest_format(&manifest);

    feed_seeds(3, (const char *const[]){good}, 1, TRIES);
    free(good);
}

static void mounts_that_are_almost_right(void **state)
{
    static const char *const good[] = {
        "30 1 0:25 / /nas rw shared:7 - nfs4 nas:/ rw,vers=4.2,rsize=131072,hard\n"
        "device nas:/ mounted on /nas with fstype nfs4 statvers=1.1\n"
        "\topts:\trw,vers=4.2,rsize=131072,wsize=131072,hard,proto=tcp,nconnect=4\n"
        "\tbytes:\t1 2 3 4 5 6 7 8\n"
        "\tRPC iostats version: 1.1  p/v: 100003/4 (nfs)\n"
        "\tper-op statistics\n"
        "\t READ: 100 103 2 128 422 40 121 170 1\n\tOPEN: 7 7 0 70 700 1 2 3 0\n"
        "device nas:/ mounted on /nas with fstype nfs4\n",
    };

    FEED(5, good, TRIES);
}

#ifdef HAVE_S3
static const char *const credential_seeds[] = {
    "[default]\naws_access_key_id = AK\naws_secret_access_key = GEHEIM\n[profile other]\n"
    "aws_access_key_id=OK\naws_secret_access_key=GEHEIM\naws_session_token=GEHEIM # x\n",
    "\xef\xbb\xbf[other]\r\naws_access_key_id:OK\r\naws_secret_access_key:GEHEIM\r\n"
    "[services s]\r\ns3 =\r\n  endpoint_url = http://nas\r\n[profile \"other\"]\r\nservices=s\r\n",
    "; x\n[profile default]\nrole_arn = GEHEIM\nregion = r\n[other]\nsso_session\t= GEHEIM\n",
};

static void credentials_that_are_almost_right(void **state)
{
    FEED(6, credential_seeds, TRIES / 3); /* each is written to a file */
}

static const char *const address_seeds[] = {
    "s3://data/a/b/ http://127.0.0.1:9000 us-east-1",
    "s3://my.data https://[fe80::1]:443/s3/v1/ garage",
    "s3://Old_Data/\xc3\xa4?#%",
    "s3://data  cn-north-1",
    "s3://data http://u:p@nas?x#y r",
};

static void addresses_that_are_almost_right(void **state)
{
    FEED(7, address_seeds, TRIES);
}

/* Verb, status and header fields precede the first newline; XML follows it. */
static const char *const answer_seeds[] = {
    ("aabytes 4-11/99\n<?xml version='1.0'?><ListBucketResult xmlns=\"x\"><IsTruncated>true"
     "</IsTruncated><Contents><Key>a&amp;&#252;</Key><Size>12</Size><ETag>&quot;e&quot;</ETag>"
     "</Contents><NextContinuationToken>t</NextContinuationToken></ListBucketResult>"),
    "d \n<Error><Code>SignatureDoesNotMatch</Code><Message>GEHEIM</Message></Error>",
    ("bgxx\n<e:Error><e:Code><![CDATA[SlowDown]]></e:Code><!-- c --><Message a='b'>x\ry</Message>"
     "</e:Error>"),
    "gA\n<DeleteResult><Error><Key>k</Key><Code>AccessDenied</Code></Error></DeleteResult>",
    "eA\n <CopyObjectResult/> ",
    "bbytes 4-11/12\n",
};

static void answers_that_are_almost_right(void **state)
{
    const char *xml[LENGTH(answer_seeds)];

    for (size_t i = 0; i < LENGTH(xml); i++)
        xml[i] = strchr(answer_seeds[i], '\n') + 1;
    FEED(8, xml, TRIES);
    FEED(9, answer_seeds, TRIES);
}

static const char *const run_seeds[] = {
    "iosweep manifest 3\nstorage=s3\nrun=a.b\nowner=00112233445566ff\nbegun=1\nstate=ended\n"
    "seed=1\nsets=3\nset=whole 65536 64 64 pattern\nset=append 4096 8 7 written\n"
    "set=delete 4096 0 0 pattern\n",
    "iosweep manifest 3\nstorage=mem\nrun=x\nowner=0123456789abcdef\nbegun=1795316400\n"
    "state=running 0123456789abcdef 12 34\nparts=8388608\nseed=18446744073709551615\nsets=1\n"
    "set=ranged 9223372036854775807 7 1 pattern\n",
};

static void runs_that_are_almost_right(void **state)
{
    FEED(10, run_seeds, TRIES);
}

static const char *const http_seeds[] = {
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nETag: \"e\"\r\n\r\nhello",
    "HTTP/1.1 100 C\r\nX: y\r\n\r\nHTTP/1.1 206 P\r\ncontent-length:3\r\nConnection: a, "
    "close\r\n\r\nabcd",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0b\r\nhello "
    "world\r\n0\r\nT: x\r\n\r\n",
    "HTTP/1.0 503 Slow\r\nConnection: keep-alive\r\nContent-Length: 4\r\nContent-Length: "
    "4\r\n\r\nslow",
    "HTTP/1.1 204\r\n\r\n",
    "HTTP/1.1 200 OK\r\n\r\nall that comes",
};

static void answers_of_http_that_are_almost_right(void **state)
{
    FEED(HTTP, http_seeds, 2 * TRIES);
}

#endif

#ifdef HAVE_LIBCURL
static const char listing_seed[] =
    "{\"DirectoryListing\":{\"partialListing\":{\"FileStatuses\":{\"FileStatus\":[{\"pathSuffix\":"
    "\"a\\u00e4\",\"type\":\"FILE\",\"length\":5},{\"type\":\"DIRECTORY\",\"pathSuffix\":\"b\"}]}},"
    "\"remainingEntries\":3}}";
static const char exception_seed[] =
    "{\"RemoteException\":{\"exception\":\"IOException\",\"message\":\"delegation=abcdef "
    "\\u001b\\n\\tat x\"}}";
static const char *const webhdfs_seeds[] = {
    listing_seed,
    exception_seed,
    "{\"boolean\":true}",
    "{\"FileStatus\":{\"length\":1,\"type\":\"FILE\"}}",
    "http://[::1]:9864/webhdfs/v1/a%20b?op=OPEN&delegation=x",
    "https://data-node.example:9865/webhdfs/v1/a?op=OPEN&offset=1",
};

static void answers_of_webhdfs_that_are_almost_right(void **state)
{
    FEED(14, webhdfs_seeds, 2 * TRIES);
}
#endif

/* Blanks, quotes and comments in any order. */
static void option_files_that_are_almost_right(void **state)
{
    static const char signs[] = " \t\r\n'\"#ab-=\\";
    struct rng rng;
    char text[64];

    rng_seed(&rng, 12, 0);
    for (unsigned turn = 0; turn < 20000; turn++) {
        const size_t length = (size_t)rng_below(&rng, sizeof(text));
        for (size_t i = 0; i < length; i++)
            text[i] = signs[rng_below(&rng, sizeof(signs) - 1)];
        feed(12, text, length);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_that_are_almost_right),
        cmocka_unit_test(random_bytes),
        cmocka_unit_test(manifests_that_are_almost_right),
        cmocka_unit_test(mounts_that_are_almost_right),
        cmocka_unit_test(option_files_that_are_almost_right),
#ifdef HAVE_S3
        cmocka_unit_test(runs_that_are_almost_right),
        cmocka_unit_test(credentials_that_are_almost_right),
        cmocka_unit_test(addresses_that_are_almost_right),
        cmocka_unit_test(answers_that_are_almost_right),
        cmocka_unit_test(answers_of_http_that_are_almost_right),
#endif
#ifdef HAVE_LIBCURL
        cmocka_unit_test(answers_of_webhdfs_that_are_almost_right),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
