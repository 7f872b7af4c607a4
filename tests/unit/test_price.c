/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_price.c - prices of requests: read, refused, and what requests cost. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include "target/object/price.h"

#define LENGTH(table) (sizeof(table) / sizeof((table)[0]))

static void test_prices(void **state)
{
    static const char text[] = "; of one service\n[price]\ncurrency = EUR\nput = 5\nget = 0.4\n"
                               "list = 6 ; pages\ndelete = 1e-1\negress = 90\ningress = 10\n";
    const struct object_usage usage = {.requests = {[OBJECT_PUT] = 1000,
                                                    [OBJECT_UPLOAD_PART] = 2000,
                                                    [OBJECT_GET] = 500,
                                                    [OBJECT_STAT] = 500,
                                                    [OBJECT_COPY] = 100,
                                                    [OBJECT_LIST] = 10,
                                                    [OBJECT_DELETE_MANY] = 10000},
                                       .sent_bytes = 2e9,
                                       .received_bytes = 1e8};
    struct object_price price;
    struct error err = ERROR_INIT;
    double sum;
    (void)state;

    assert_int_equal(object_price_parse(text, "prices", &price, &err), 0);
    assert_string_equal(price.currency, "EUR");
    sum = object_price_of(&price, &usage); /* 5 + 10 + 0.4 + 0.5 + 0.06 + 1 + 20 + 9 */
    assert_true(sum > 45.9599 && sum < 45.9601);
    assert_int_equal(object_price_parse("", "prices", &price, &err), 0);
    assert_true(object_price_of(&price, &usage) == 0);
    assert_int_equal(object_price_parse("put=1\ncopy=3\n", "prices", &price, &err), 0);
    assert_true(price.kind[OBJECT_COPY] == 3 && price.kind[OBJECT_UPLOAD_BEGIN] == 1);
}

static void test_prices_refused(void **state)
{
    static const struct {
        const char *text, *where;
    } rows[] = {
        {"put = -1\n", "line 1 of prices"},
        {"\nput = +1\n", "line 2 of prices"},
        {"put = 1\nputs = 1\n", "line 2 of prices"},
        {"put = 1\nput = 1\n", "line 2 of prices"},
        {"put =\n", "line 1 of prices"},
        {"put = inf\n", "line 1 of prices"},
        {"put = nan\n", "line 1 of prices"},
        {"put = 0x1\n", "line 1 of prices"},
        {"put = 1e999\n", "line 1 of prices"},
        {"put = 1 2\n", "line 1 of prices"},
        {"put = 1,5\n", "line 1 of prices"},
        {"put\n", "line 1 of prices"},
        {"put = 1\n  get 1\n", "line 2 of prices"},
        {"[other]\nput = 1\n", "line 2 of prices"},
        {"currency = US dollars\n", "line 1 of prices"},
        {"currency = 1234567890123456\n", "line 1 of prices"},
    };
    struct object_price price;
    (void)state;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct error err = ERROR_INIT;
        if (object_price_parse(rows[i].text, "prices", &price, &err) == 0)
            fail_msg("taken: %s", rows[i].text);
        assert_int_equal(err.status, STATUS_USAGE);
        assert_string_equal(err.object, rows[i].where);
    }
}

static void test_price_files(void **state)
{
    struct error err = ERROR_INIT;
    struct object_price price;
    (void)state;

    assert_int_equal(object_price_read("no/such/prices", &price, &err), -1);
    assert_int_equal(err.status, STATUS_USAGE);
    err = ERROR_INIT;
    assert_int_equal(object_price_read("/dev/zero", &price, &err), -1);
    assert_int_equal(err.status, STATUS_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prices),
        cmocka_unit_test(test_prices_refused),
        cmocka_unit_test(test_price_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
