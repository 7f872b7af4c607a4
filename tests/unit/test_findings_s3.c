/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_findings_s3.c - what is said of requests to an object store: the words when there is a
 * reason, and silence when there is none. */
#include "base/compat.h"

#include "findings_fixture.h"

#define MS UINT64_C(1000000)

/* 1000 reads of 4 KiB in 1 s on kept connections: 0.4 ms to the first byte, 0.6 ms for the rest. */
static struct engine_requests *use_target(void)
{
    struct result *result = &f.results[1];

    f.target.driver = target_driver_find("s3");
    f.cells[1].work.test = TEST_READ;
    f.cells[1].work.size_bytes = f.cells[1].work.io_bytes = 4096;
    fixture_measure(&f, 1, 1000, 1000 * MS);
    f.results[0].state = RESULT_SKIPPED;
    f.cells[0].skip = "no_data";
    result->sum.cpu_ns = 100 * MS;
    result->sum.has_requests = true;
    result->sum.requests = (struct engine_requests){.count = 1000,
                                                    .complete = 1000,
                                                    .first_byte_ns = 400 * MS,
                                                    .body_ns = 600 * MS,
                                                    .received_bytes = 4096000};
    return &result->sum.requests;
}

static const char *const words[] = {"SlowDown", "Nagle",      "keep-alive",
                                    "repeat",   "the client", "first byte"};

static void expect_silence(void)
{
    find(2);
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        expect_not(words[i]);
}

static void test_silence(void **state)
{
    (void)state;
    expect_silence(); /* files */
    use_target();
    expect_silence();
    f.results[1].sum.requests = (struct engine_requests){0}; /* no request came to an end */
    expect_silence();
}

static void test_slow_down(void **state)
{
    (void)state;
    use_target()->slow_downs = 50;
    find(2);
    expect("# finding: the server throttled requests (SlowDown): 50 of 1000 replies (5.0 %) in 1 "
           "row, which show its limit: try lower --depth or --threads, or --rate\n");
}

static void test_held_back(void **state)
{
    struct engine_requests *requests = use_target();
    (void)state;
    requests->body_ns = 42000 * MS;
    find(2);
    expect("# finding: reads of 4 KiB get the first byte after 400 us but wait 42.0 ms for the "
           "rest: the server sends headers and body separately, and Nagle's algorithm holds the "
           "body back until the client's delayed ACK; every client sees this; set TCP_NODELAY in "
           "the server, or try larger --sizes\n");
    requests->first_byte_ns = 40000 * MS; /* a long way */
    find(2);
    expect_not("Nagle");
    requests->first_byte_ns = 400 * MS;
    requests->body_ns = 300000 * MS; /* something else */
    expect_silence();
    requests->body_ns = 42000 * MS;
    requests->received_bytes = 65536000; /* a slow network */
    expect_silence();
    requests->received_bytes = 4096000;
    f.cells[1].work.test = TEST_WRITE;
    expect_silence();
}

static void test_connections(void **state)
{
    struct engine_requests *requests = use_target();
    (void)state;
    requests->connections = 1000;
    requests->connect_ns = 200 * MS;
    requests->tls_ns = 800 * MS;
    find(2);
    expect("# finding: the server closes connections: 1000 for 1000 requests (read), in 1 row; "
           "connecting took up to 50 % of the time; turn on keep-alive in the server or proxy, or "
           "add --reconnect if you mean to measure that\n");
    strcpy(f.results[1].sum.connection, "new"); /* it was asked for */
    expect_silence();
    strcpy(f.results[1].sum.connection, "keep");
    requests->connections = 400;
    expect_silence();
    requests->connections = 1000; /* one for each slot, used a few times */
    f.cells[1].threads = 16;
    f.cells[1].work.depth = 16;
    expect_silence();
}

static void test_retries(void **state)
{
    (void)state;
    use_target()->retries = 3;
    find(2);
    expect("# finding: 3 of 1000 requests were retries, in 1 row; latencies include the failed "
           "attempts; with --retries 0 such operations are errors\n");
}

static void test_client(void **state)
{
    struct result *result = &f.results[1];
    (void)state;
    use_target();
    result->sum.cpu_ns = 840 * MS;
    expect_silence();
    result->sum.cpu_ns = 900 * MS;
    find(2);
    expect("# finding: in 1 row of an object store the 1 thread of this client kept a processor "
           "busy 90 % of the time: the client is the limit, not the server; try ");
    f.cells[1].threads = 2; /* of twice as much */
    expect_silence();
    f.cells[1].threads = 1;
    result->sum.cpu_ns *= 2; /* a clock that moves in steps */
    find(2);
    expect(" kept a processor busy 100 % of the time");
    result->sum.cpu_ns /= 2;
    result->sum.tally.failed = 1; /* its time is in cpu_ns only */
    find(2);
    expect_not("the client is the limit");
    result->sum.tally.failed = 0;
    f.cells[1].threads = UINT32_C(1) << 20;
    result->sum.time_ns = 1;
    result->sum.cpu_ns = UINT64_C(1) << 20;
    find(2);
    expect("try a machine with more processors\n");
    result->sum.has_requests = false; /* files in memory: nothing else is to be expected */
    expect_silence();
}

static void test_first_byte(void **state)
{
    struct engine_requests *requests = use_target();
    (void)state;
    requests->first_byte_ns = 900 * MS;
    requests->body_ns = 300 * MS;
    find(2);
    expect("# finding: of the 1.20 ms that a GET of 4 KiB takes, 900 us pass before the first "
           "byte, whatever the size: larger --sizes amortise them, more --depth or --threads hides "
           "them\n");
    requests->connections = 1000; /* said instead */
    find(2);
    expect("keep-alive");
    expect_not("first byte");
    requests->connections = 0;
    f.cells[1].work.test = TEST_STAT; /* nothing comes after it */
    expect_silence();
}

/* Of several rows the smallest size with the fewest requests at a time. */
static void test_which_row(void **state)
{
    (void)state;
    use_target()->first_byte_ns = 900 * MS;
    f.cells[2].work.test = TEST_READ;
    f.cells[2].work.size_bytes = f.cells[2].work.io_bytes = 2048;
    f.cells[2].work.depth = 64;
    fixture_measure(&f, 2, 1000, 1000 * MS);
    f.results[2].sum.has_requests = true;
    f.results[2].sum.requests = f.results[1].sum.requests;
    find(3);
    expect(" a GET of 4 KiB takes, ");
    f.cells[2].work.depth = 1;
    find(3);
    expect(" a GET of 2 KiB takes, ");
}

/* Everything at once: five sentences, what changes the meaning of the figures first. */
static void test_limit(void **state)
{
    struct engine_requests *requests = use_target();
    const char *at = said;
    unsigned n = 0;
    (void)state;
    requests->slow_downs = requests->retries = 1;
    requests->connections = 1000;
    requests->body_ns = 42000 * MS;
    f.results[1].sum.cpu_ns = 1000 * MS;
    f.results[1].sum.tally.failed = 1;
    find(2);
    for (; (at = strstr(at, "# finding: ")) != NULL; at++)
        n++;
    assert_int_equal(n, 5);
    expect(" failed in 1 row");
    expect("SlowDown");
    expect("Nagle");
    expect("keep-alive");
    expect(" requests were retries");
    expect_not("the client is the limit");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_silence, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_slow_down, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_held_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_connections, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_retries, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_client, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_first_byte, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_which_row, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_limit, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
