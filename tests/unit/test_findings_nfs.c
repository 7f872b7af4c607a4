/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_findings_nfs.c - what is said of calls to an NFS server, and the columns about them: the
 * words when there is a reason, and silence when there is none. */
#include "base/compat.h"

#include "findings_fixture.h"

static struct target_traffic traffic;

/* 1000 reads of 64 KiB, each with an open, a read and a close. */
static void use_nfs(void)
{
    traffic = (struct target_traffic){
        .rpc_count = 4,
        .rpc = {{.name = "CLOSE", .count = 1000, .round_trip_ms = 50, .sent_bytes = 200000},
                {.name = "READ", .count = 1000, .round_trip_ms = 100, .received_bytes = 65536000},
                {.name = "OPEN", .count = 1000, .round_trip_ms = 250, .execute_ms = 260},
                {.name = "RENEW", .count = 1, .round_trip_ms = 0}}};
    f.results[1].rpc = &traffic;
    f.cells[1].work.test = TEST_READ;
    f.cells[1].work.cache = CACHE_DIRECT;
}

static void test_silence(void **state)
{
    (void)state;
    find(2);
    expect_not("NFS");
    use_nfs();
    traffic.rpc[0].round_trip_ms = traffic.rpc[2].round_trip_ms = 10; /* next to nothing */
    find(2);
    expect_not("NFS");
}

static void test_opens(void **state)
{
    (void)state;
    use_nfs();
    find(2);
    expect("# finding: each read of 64 KiB made 3.0 calls of 133 us to the NFS server (CLOSE, "
           "READ, OPEN); 75 % of that time moved no data; try --keep-open\n");
    f.cells[1].work.keep_open = true;
    find(2);
    expect_not("NFS");
    f.cells[1].work.keep_open = false;
    f.cells[1].work.cache = CACHE_UNCACHED; /* opened between operations too */
    find(2);
    expect_not("NFS");
    f.cells[1].work.cache = CACHE_DIRECT;
    f.results[1].state = RESULT_SKIPPED;
    find(2);
    expect_not("NFS");
}

static void test_resent(void **state)
{
    (void)state;
    use_nfs();
    traffic.rpc[0].round_trip_ms = traffic.rpc[2].round_trip_ms = 10;
    traffic.rpc[1].retransmissions = 7;
    find(2);
    expect("# finding: of 3001 calls to the NFS server 7 were retransmitted, in 1 row: the network "
           "or the server drops them; ");
    traffic.rpc[1].retransmissions = 1;
    traffic.rpc[1].timeouts = 2;
    find(2);
    expect(" 1 was retransmitted, 2 timed out, in 1 row: ");
}

static void test_queue(void **state)
{
    (void)state;
    use_nfs();
    f.cells[1].work.keep_open = true;
    traffic.rpc[1].queue_ms = 150; /* of 400 ms */
    find(2);
    expect_not("NFS");
    traffic.rpc[1].queue_ms = 3001;
    find(2);
    expect("# finding: in 1 row calls to the NFS server queued before they were sent (1.00 ms, "
           "then 133 us for the reply); mount with nconnect=4");
}

/* Closing a file on NFS sends what was written: that is no speed of the page cache. */
static void test_writes_that_close_flushes(void **state)
{
    (void)state;
    use_nfs();
    f.cells[1].work.test = TEST_WRITE;
    f.cells[1].work.cache = CACHE_UNCACHED;
    f.results[0].state = RESULT_SKIPPED;
    strcpy(traffic.rpc[1].name, "WRITE");
    find(2);
    expect_not("page cache");
    traffic.rpc[1].count = 10; /* of 1000: later, in the background */
    find(2);
    expect("# finding: uncached writes went to the page cache; use --sync end or -b");
    f.cells[1].work.cache = CACHE_CACHED;
    find(2);
    expect("# finding: rows with cache=cached are page cache speeds");
    traffic.rpc[1].count = 1000;
    find(2);
    expect_not("page cache");
}

/* The text of a column of a row. */
static const char *column(const char *name, unsigned row, struct value *value)
{
    const struct columns_context context = {.info = &f.info, .label = ""};
    static char text[PRINT_NUMBER_TEXT];
    unsigned i = 0;
    while (strcmp(columns_table[i].name, name) != 0)
        i++;
    columns_get(&columns_table[i], &context, &f.results[row], value);
    if (value->kind == VALUE_TEXT)
        return value->text;
    print_number(value, '.', text);
    return text;
}

static void test_columns(void **state)
{
    struct value value;
    (void)state;
    use_nfs();
    traffic.rpc[2].retransmissions = 4;
    assert_string_equal(column("rpc_count", 1, &value), "3001");
    assert_string_equal(column("rpc_data_count", 1, &value), "1000");
    assert_string_equal(column("rpc_sent_bytes", 1, &value), "200000");
    assert_string_equal(column("rpc_received_bytes", 1, &value), "65536000");
    assert_string_equal(column("rpc_rtt_ns_mean", 1, &value), "133288.90");
    assert_string_equal(column("rpc_retransmissions", 1, &value), "4");
    for (unsigned i = 0; i < columns_count(); i++)
        if (strncmp(columns_table[i].name, "rpc_", 4) == 0) {
            assert_string_equal(column(columns_table[i].name, 0, &value), "");
            assert_int_equal(value.kind, VALUE_EMPTY);
        }
    memset(&traffic, 0, sizeof(traffic)); /* counted, and none */
    assert_string_equal(column("rpc_count", 1, &value), "0");
    assert_string_equal(column("rpc_rtt_ns_mean", 1, &value), "");
    f.results[1].state = RESULT_SKIPPED;
    column("rpc_count", 1, &value);
    assert_int_equal(value.kind, VALUE_EMPTY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_silence, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_opens, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_resent, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_queue, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_writes_that_close_flushes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_columns, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
