/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_s3_address.c - addresses of buckets: results for targets, endpoints and regions, and what is
 * refused, without showing possible secrets. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "storage/object/s3/protocol.h"

#define ELEMENTS(array) (sizeof(array) / sizeof((array)[0]))
#define AUTO            S3_ADDRESSING_AUTO
#define PATH            S3_ADDRESSING_PATH
#define VIRTUAL         S3_ADDRESSING_VIRTUAL

struct place {
    const char *target, *endpoint, *region;
    enum s3_addressing addressing;
    bool https, virtual_host;
    const char *bucket, *prefix, *authority, *path, *shown;
};

static const struct place places[] = {
    /* AWS */
    {"s3://data", NULL, "eu-west-1", AUTO, true, true, "data", "",
     "data.s3.eu-west-1.amazonaws.com", "/", "https://s3.eu-west-1.amazonaws.com"},
    {"s3://data/", NULL, "cn-north-1", AUTO, true, true, "data", "",
     "data.s3.cn-north-1.amazonaws.com.cn", "/", "https://s3.cn-north-1.amazonaws.com.cn"},
    {"s3://data/a", NULL, "us-gov-west-1", PATH, true, false, "data", "a/",
     "s3.us-gov-west-1.amazonaws.com", "/data/", "https://s3.us-gov-west-1.amazonaws.com"},
    /* buckets that cannot be part of a host name */
    {"s3://my.data", NULL, "eu-west-1", AUTO, true, false, "my.data", "",
     "s3.eu-west-1.amazonaws.com", "/my.data/", "https://s3.eu-west-1.amazonaws.com"},
    {"s3://Old_Data", NULL, "us-east-1", AUTO, true, false, "Old_Data", "",
     "s3.us-east-1.amazonaws.com", "/Old_Data/", "https://s3.us-east-1.amazonaws.com"},
    /* other services */
    {"s3://data/a/b/", "http://127.0.0.1:9000", "us-east-1", AUTO, false, false, "data", "a/b/",
     "127.0.0.1:9000", "/data/", "http://127.0.0.1:9000"},
    {"s3://data/a b+\xc3\xa4?#%/c", "HTTPS://Nas.Example.NET/", "garage", AUTO, true, false, "data",
     "a b+\xc3\xa4?#%/c/", "nas.example.net", "/data/", "https://nas.example.net"},
    {"s3://data", "https://nas:443", "us-east-1", AUTO, true, false, "data", "", "nas", "/data/",
     "https://nas"},
    {"s3://data", "http://nas:80", "us-east-1", AUTO, false, false, "data", "", "nas", "/data/",
     "http://nas"},
    {"s3://data", "http://nas:443", "us-east-1", AUTO, false, false, "data", "", "nas:443",
     "/data/", "http://nas:443"},
    {"s3://data", "https://nas:80/", "us-east-1", AUTO, true, false, "data", "", "nas:80", "/data/",
     "https://nas:80"},
    {"s3://data", "http://[::1]:9000", "us-east-1", AUTO, false, false, "data", "", "[::1]:9000",
     "/data/", "http://[::1]:9000"},
    {"s3://data", "http://[FE80::1]", "us-east-1", PATH, false, false, "data", "", "[fe80::1]",
     "/data/", "http://[fe80::1]"},
    {"s3://data/p", "http://nas/s3/v1/", "us-east-1", PATH, false, false, "data", "p/", "nas",
     "/s3/v1/data/", "http://nas/s3/v1"},
    {"s3://data/p", "http://nas:8080/s3", "us-east-1", VIRTUAL, false, true, "data", "p/",
     "data.nas:8080", "/s3/", "http://nas:8080/s3"},
    {"s3://my.data", "http://nas", "us-east-1", VIRTUAL, false, true, "my.data", "", "my.data.nas",
     "/", "http://nas"},
    {"s3://data", "https://oss-cn-hangzhou.aliyuncs.com", "oss-cn-hangzhou", VIRTUAL, true, true,
     "data", "", "data.oss-cn-hangzhou.aliyuncs.com", "/", "https://oss-cn-hangzhou.aliyuncs.com"},
};

static void places_are_found(void **state)
{
    for (size_t i = 0; i < ELEMENTS(places); i++) {
        const struct place *place = &places[i];
        struct s3_address address;
        struct error err = ERROR_INIT;

        assert_int_equal(s3_address_make(place->target, place->endpoint, place->region,
                                         place->addressing, &address, &err),
                         0);
        assert_int_equal(address.https, place->https);
        assert_int_equal(address.virtual_host, place->virtual_host);
        assert_string_equal(address.bucket, place->bucket);
        assert_string_equal(address.prefix, place->prefix);
        assert_string_equal(address.authority, place->authority);
        assert_string_equal(address.path, place->path);
        assert_string_equal(address.region, place->region);
        assert_string_equal(address.endpoint, place->shown);
        s3_address_free(&address);
        assert_null(address.bucket);
    }
}

static void a_region_is_there_without_one(void **state)
{
    struct s3_address address;
    struct error err = ERROR_INIT;

    assert_int_equal(s3_address_make("s3://data", NULL, NULL, AUTO, &address, &err), 0);
    assert_string_equal(address.region, "us-east-1");
    assert_string_equal(address.authority, "data.s3.us-east-1.amazonaws.com");
    s3_address_free(&address);
}

/* Must be refused in one line that contains `what` and not `secret`. */
static void refuse(const char *target, const char *endpoint, const char *region,
                   enum s3_addressing addressing, const char *what, const char *secret)
{
    struct s3_address address;
    struct error err = ERROR_INIT;
    char text[1024];

    assert_int_equal(s3_address_make(target, endpoint, region, addressing, &address, &err), -1);
    assert_int_equal(err.status, STATUS_USAGE);
    assert_null(address.bucket);
    error_format(&err, text, sizeof(text));
    if (!strstr(text, what))
        fail_msg("\"%s\" is not in \"%s\"", what, text);
    if (secret && strstr(text, secret))
        fail_msg("\"%s\" is in \"%s\"", secret, text);
    assert_null(strchr(text, '\n'));
    assert_int_not_equal(err.advice[0], '\0');
}

static void wrong_buckets_are_refused(void **state)
{
    static const char *const wrong[] = {
        "s3://ab",        "s3://a b c",    "s3://../x",     "s3://...",     "s3://b\xc3\xa4ndel",
        "s3://bucket?x",  "s3://bucket#x", "s3://u@bucket", "s3://buc%20t", "s3://arn:aws:s3",
        "s3://.././data", "s3://buc\nket",
    };
    char longest[300] = "s3://";

    for (size_t i = 0; i < ELEMENTS(wrong); i++)
        refuse(wrong[i], "http://nas", "us-east-1", AUTO, "no bucket can have the name", NULL);
    refuse("s3://", NULL, NULL, AUTO, "no bucket named", NULL);
    refuse("s3:///prefix", NULL, NULL, AUTO, "no bucket named", NULL);
    refuse("s3:bucket", NULL, NULL, AUTO, "not a bucket", NULL);
    refuse("S3://bucket", NULL, NULL, AUTO, "not a bucket", NULL);
    memset(longest + 5, 'a', 256);
    refuse(longest, "http://nas", NULL, AUTO, "no bucket can have the name", NULL);
}

static void wrong_prefixes_are_refused(void **state)
{
    static const char *const odd[] = {
        "s3://data//",      "s3://data//a",  "s3://data/a//b", "s3://data/a//", "s3://data/.",
        "s3://data/a/../b", "s3://data/./b", "s3://data/a/..", "s3://data/../",
    };
    char longest[600] = "s3://data/";
    struct s3_address address;
    struct error err = ERROR_INIT;

    for (size_t i = 0; i < ELEMENTS(odd); i++)
        refuse(odd[i], "http://nas", NULL, AUTO, "empty parts, \".\" and \"..\"", NULL);
    refuse("s3://data/a\tb", NULL, NULL, AUTO, "control characters", NULL);
    refuse("s3://data/a\r\nx: y", NULL, NULL, AUTO, "control characters", NULL);
    refuse("s3://data/a\x7f", NULL, NULL, AUTO, "control characters", NULL);
    refuse("s3://data/a\xff", NULL, NULL, AUTO, "UTF-8", NULL);
    refuse("s3://data/\xc3", NULL, NULL, AUTO, "UTF-8", NULL);
    memset(longest + 10, 'p', 512);
    assert_int_equal(s3_address_make(longest, NULL, NULL, AUTO, &address, &err), 0);
    assert_int_equal(strlen(address.prefix), 513);
    s3_address_free(&address);
    longest[522] = 'p';
    refuse(longest, NULL, NULL, AUTO, "longer than 512", NULL);
}

static void wrong_endpoints_are_refused(void **state)
{
    static const char *const hosts[] = {
        "http://",
        "http:///x",
        "http://:9000",
        "http://a b",
        "http://a..b",
        "http://.a",
        "http://a.",
        "http://-a",
        "http://127.0.0",
        "http://1.2.3.256",
        "http://[::1",
        "http://[]",
        "http://[127.0.0.1]",
        "http://[fe80::1%25eth0]",
        "http://::1",
        "http://n\xc3\xa4s",
        "http://host\n",
        "http://0x7f.1",
    };
    static const char *const ports[] = {
        "http://nas:",       "http://nas:0",     "http://nas:65536",
        "http://nas:999999", "http://nas:-1",    "http://nas:9000x",
        "http://nas:+80",    "http://[::1]9000", "http://[::1]x:80",
    };
    static const char *const paths[] = {
        "http://nas//",   "http://nas/a//b", "http://nas/..",       "http://nas/./a",
        "http://nas/a b", "http://nas/%41",  "http://nas/\xc3\xa4",
    };
    char longest[700] = "http://";

    for (size_t i = 0; i < ELEMENTS(hosts); i++)
        refuse("s3://data", hosts[i], NULL, AUTO, "not a host name or address", NULL);
    for (size_t i = 0; i < ELEMENTS(ports); i++)
        refuse("s3://data", ports[i], NULL, AUTO, "not a port", NULL);
    for (size_t i = 0; i < ELEMENTS(paths); i++)
        refuse("s3://data", paths[i], NULL, AUTO, "this path", NULL);
    refuse("s3://data", "", NULL, AUTO, "does not begin with http", NULL);
    refuse("s3://data", "nas:9000", NULL, AUTO, "does not begin with http", NULL);
    refuse("s3://data", "ftp://nas", NULL, AUTO, "does not begin with http", NULL);
    memset(longest + 7, 'a', 600);
    refuse("s3://data", longest, NULL, AUTO, "not a host name or address", NULL);
}

static void buckets_in_endpoints_are_refused(void **state)
{
    struct s3_address address;
    struct error err = ERROR_INIT;

    refuse("s3://data", "http://nas:9000/data", NULL, AUTO, "ends with the bucket: data", NULL);
    refuse("s3://data/p", "http://nas/s3/data/", NULL, AUTO, "ends with the bucket: data", NULL);
    refuse("s3://data", "https://data.s3.example.org", NULL, AUTO,
           "--endpoint: https://s3.example.org", NULL);
    refuse("s3://data", "http://data.s3-eu.example.org", NULL, AUTO, "begins with the bucket",
           NULL);
    assert_int_equal(
        s3_address_make("s3://data", "http://nas/data", NULL, S3_ADDRESSING_PATH, &address, &err),
        0);
    assert_string_equal(address.path, "/data/data/");
    s3_address_free(&address);
    assert_int_equal(
        s3_address_make("s3://data", "http://data.org/bigdata", NULL, AUTO, &address, &err), 0);
    s3_address_free(&address);
}

static void secrets_in_endpoints_are_not_shown(void **state)
{
    static const char *const endpoints[] = {
        "http://user:geheim@nas:9000", "https://geheim@nas", "http://nas/?key=geheim",
        "http://nas#geheim",           "user:geheim@nas",    "http://u:gehe/im:geheim@nas",
        "http://u:geheim%40@nas",
    };

    for (size_t i = 0; i < ELEMENTS(endpoints); i++)
        refuse("s3://data", endpoints[i], NULL, AUTO, "user, password, query or fragment",
               "geheim");
}

static void wrong_regions_are_refused(void **state)
{
    char longest[66];

    refuse("s3://data", NULL, "eu/west", AUTO, "not a region name", NULL);
    refuse("s3://data", NULL, "", AUTO, "not a region name", NULL);
    refuse("s3://data", "http://nas", "a b", AUTO, "not a region name", NULL);
    refuse("s3://data", "http://nas", "a\nb", AUTO, "not a region name", NULL);
    memset(longest, 'r', 65);
    longest[65] = '\0';
    refuse("s3://data", "http://nas", longest, AUTO, "not a region name", NULL);
    /* valid for other services */
    refuse("s3://data", NULL, "EU-West-1", AUTO, "AWS has no region", NULL);
    refuse("s3://data", NULL, "evil.example.net", AUTO, "AWS has no region", NULL);
}

static void impossible_virtual_hosts_are_refused(void **state)
{
    char host[300] = "http://";

    refuse("s3://data", "http://127.0.0.1:9000", NULL, VIRTUAL, "IP address", NULL);
    refuse("s3://data", "https://[::1]", NULL, VIRTUAL, "IP address", NULL);
    refuse("s3://my.data", NULL, NULL, VIRTUAL, "certificates", NULL);
    refuse("s3://my.data", "https://nas", NULL, VIRTUAL, "--s3.addressing path", NULL);
    refuse("s3://My_Data", "http://nas", NULL, VIRTUAL, "cannot have the name", NULL);
    refuse("s3://10.0.0.1", "http://nas", NULL, VIRTUAL, "cannot have the name", NULL);
    for (unsigned i = 0; i < 250; i++)
        host[7 + i] = i % 50 == 49 ? '.' : 'a';
    host[7 + 249] = '\0';
    refuse("s3://data", host, NULL, VIRTUAL, "too long", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_found),
        cmocka_unit_test(a_region_is_there_without_one),
        cmocka_unit_test(wrong_buckets_are_refused),
        cmocka_unit_test(wrong_prefixes_are_refused),
        cmocka_unit_test(wrong_endpoints_are_refused),
        cmocka_unit_test(buckets_in_endpoints_are_refused),
        cmocka_unit_test(secrets_in_endpoints_are_not_shown),
        cmocka_unit_test(wrong_regions_are_refused),
        cmocka_unit_test(impossible_virtual_hosts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
