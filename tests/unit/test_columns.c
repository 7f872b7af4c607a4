/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_columns.c - every column of rows whose true values are known, and above all what must stay
 * empty: an invented 0 is worse than a gap. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include "columns_shown.h"

/* The order is tested in test_csv.c. */
static void test_names_and_meanings(void **state)
{
    assert_null(columns_table[columns_count()].name);
    for (const struct column *c = columns_table; c->name; c++) {
        /* The lines of `help columns` fit into 80 columns, with tabs between fields only. */
        assert_true(strlen(c->name) <= 24 && !strchr(c->meaning, '\t'));
        assert_true(strlen(columns_unit_names[c->unit]) + strlen(c->meaning) <= 50);
        for (const struct column *other = columns_table; other != c; other++)
            assert_string_not_equal(other->name, c->name);
    }
}

static void test_measured(void **state)
{
    struct result *r = &f.results[1];
    fixture_measure(&f, 1, 10000, 20000000); /* 2000 ns each */
    fixture_rounds(&f, 1, 2000, 10);
    f.cells[1].threads = 2;
    f.cells[1].work.depth = 32;
    f.engine.report = no_report;
    f.settings.rate = 5000;
    f.cells[1].verified = true;
    r->sum.tally.submit_ns = 4000000; /* of 2 x 20 ms */
    r->sum.tally.wrong = 3;
    r->submit_known = true;
    r->sum.helper_cpu_ns = 4750000;
    r->sum.tally.phase_ns[PHASE_OPEN] = 5000000;
    r->sum.tally.phase_ns[PHASE_SEEK] = 1000000;
    r->sum.tally.phase_ns[PHASE_TRANSFER] = 12005000;
    r->sum.tally.phase_ns[PHASE_CLOSE] = 2000000;
    r->sum.tally.failed = 2;
    r->sum.tally.short_count = 1;
    r->sum.cpu_ns = 19000000;
    r->device_known = true;
    r->sum.device_bytes = UINT64_C(10000) * 65536 / 4;
    r->least_bytes = 65536;
    f.cells[1].work.cache = CACHE_DIRECT;
    r->resident_fraction_before = 0.25;
    r->resident_fraction = 0.5;
    r->notes = NOTE_WIDE | NOTE_RMW;
    expect_columns(
        1, "size_bytes 65536, operations 10000, test write, target /data, engine posix, cache "
           "direct, threads 2, depth 32, rounds 3, op_ns_mean 2000.00, op_ns_low 1990.00, "
           "op_ns_high 2010.00, op_ns_min 1990.00, op_ns_stddev 10.00, latency_ns_p50 2000, "
           "latency_ns_p999 2000, latency_ns_max 2000, latency_ns_min 2000, open_ns_mean "
           "500.00, seek_ns_mean 100.00, transfer_ns_mean 1200.50, close_ns_mean 200.00, "
           "cpu_ns_per_op 1900.00, device_bytes 163840000, resident_fraction 0.5000, "
           "resident_fraction_before 0.2500, cache_hit_fraction 0.7500, "
           "errors 2, errors_short 1, align_bytes 2, submit_fraction 0.1212, "
           "cpu_helper_fraction 0.2500, errors_wrong 3, notes "
           "rmw;wide, label a label");
}

/* Columns that are empty in rows without measurements. */
#define MEASURED                                                                                \
    "time_s throughput_bytes_per_s rate_per_s op_ns_mean op_ns_low op_ns_high op_ns_min "       \
    "op_ns_stddev latency_ns_p50 latency_ns_p90 latency_ns_p99 latency_ns_p999 latency_ns_max " \
    "latency_ns_min open_ns_mean seek_ns_mean transfer_ns_mean close_ns_mean cpu_ns_per_op "    \
    "device_bytes resident_fraction submit_fraction cpu_helper_fraction errors_wrong "

static void expect_empty(unsigned row, const char *names, const char *remark)
{
    char text[1024], *rest = NULL;

    assert_true(snprintf(text, sizeof(text), "%s", names) < (int)sizeof(text));
    for (char *name = strtok_r(text, " ", &rest); name; name = strtok_r(NULL, " ", &rest))
        if (shown(row, name)[0] != '\0')
            fail_msg("%s: %s is %s", remark, name, shown(row, name));
}

static void test_unknown_is_empty(void **state)
{
    f.results[0].sum.device_bytes = 99; /* meaningless without device_known */
    expect_empty(0, MEASURED "resident_fraction_before cache_hit_fraction",
                 "no operation was completed");
    expect_columns(0, "operations 0, errors 0");
    fixture_rounds(&f, 1, 100, 1);
    f.results[1].interval_known = false;
    expect_empty(1, "op_ns_low op_ns_high", "too few rounds for an interval");
    assert_string_equal(shown(1, "op_ns_mean"), "100.00");
}

static void test_skipped(void **state)
{
    /* Even if the caller has left figures in it. */
    fixture_measure(&f, 1, 1000, 1000000);
    fixture_rounds(&f, 1, 1000, 1);
    f.results[1].device_known = true;
    f.results[1].resident_fraction = 1;
    f.results[1].submit_known = true;
    f.results[1].sum.cpu_ns = f.results[1].sum.helper_cpu_ns = 1000;
    f.engine.report = no_report;
    f.cells[1].verified = true;
    f.settings.rate = 5000;
    f.results[1].state = RESULT_SKIPPED;
    f.cells[1].skip = "beyond_file";
    expect_empty(1, MEASURED "rounds errors errors_short align_bytes", "skipped");
    expect_columns(1, "size_bytes 65536, operations 0, test write, threads 1, depth 1, notes "
                      "skipped:beyond_file");
}

static struct target_traffic traffic;
static struct result_rank by_rank[] = {{.operations = 1000, .time_ns = 5000000},
                                       {.operations = 9000, .time_ns = 18000000},
                                       {.time_ns = 0}};
static struct slice_thread by_thread[] = {{1000, 10000000}, {8000, 20000000}, {1000, 0}};

/* Sets every column of row 1. */
static void know_all(void)
{
    struct result *r = &f.results[1];
    struct tally *tally = &r->sum.tally;

    fixture_measure(&f, 1, 10000, 20000000); /* 2000 ns each */
    fixture_rounds(&f, 1, 2000, 10);
    for (unsigned i = 0; i < 1000; i++) {
        hist_record(&tally->open, i < 980 ? 10 : 30);
        hist_record(&tally->close, i < 980 ? 11 : 31);
    }
    tally->open_max_ns = 32;
    tally->close_max_ns = 33;
    tally->outside = 2500;   /* 12500 were performed */
    tally->failed_ns = 1500; /* of three threads on each of three ranks */
    for (unsigned phase = 0; phase < PHASE_COUNT; phase++)
        tally->phase_ns[phase] = 100000;
    tally->submit_ns = 4000000;
    r->submit_known = r->device_known = r->sum.has_requests = true;
    r->sum.cpu_ns = 12500 * 7;
    r->sum.helper_cpu_ns = 12500;
    r->sum.user_ns = 320000000; /* 50 ms of it were spent on generating data */
    r->sum.made_cpu_ns = 50000000;
    r->sum.system_ns = 90000000;
    r->sum.queued_ns = 12500 * 3;
    f.cells[1].threads = 3;
    r->threads = by_thread;
    r->began_ns = 1500000000;
    r->ended_ns = 2250000000;
    r->sum.elapsed_ns = 25000000;
    r->sum.flight_ns = 50000000;
    r->sum.device_bytes = 4096;
    r->sum.requests = (struct engine_requests){.count = 9,
                                               .complete = 4,
                                               .connections = 5,
                                               .lookup_ns = 4,
                                               .connect_ns = 8,
                                               .tls_ns = 12,
                                               .first_byte_ns = 16,
                                               .body_ns = 20,
                                               .retries = 6,
                                               .slow_downs = 7,
                                               .client_errors = 8,
                                               .server_errors = 10,
                                               .network_errors = 11,
                                               .protocol_errors = 12};
    r->sum.found = (struct engine_found){.hits = 35, .misses = 36, .listings = 2, .names = 74};
    r->left_objects = 75;
    r->left_known = true;
    f.settings.ranks = r->rank_count = 3;
    f.cells[1].peers = 2;
    r->ranks = by_rank;
    r->rank_skew_ns_p99 = 76;
    strcpy(r->sum.protocol, "http/1.1");
    strcpy(r->sum.payload, "signed");
    traffic = (struct target_traffic){
        .rpc_count = 2,
        .rpc = {{.name = "READ", .count = 3, .round_trip_ms = 1}, {.name = "OPEN"}}};
    r->rpc = &traffic;
    r->least_bytes = 65536;
    r->resident_fraction_before = r->resident_fraction = 0.5;
    r->reference_ns = 34.5;
    r->stop = STOP_PRECISION;
    r->notes = NOTE_WIDE;
    f.cells[1].work.cache = CACHE_DIRECT;
    f.cells[1].verified = true;
    f.engine.report = no_report;
    f.settings.rate = 5000;
    f.cells[1].mixed = true;
    f.cells[1].read_percent = 70;
}

static void test_each_field(void **state)
{
    know_all();
    expect_columns(
        1, "requests 9, connections 5, lookup_ns_mean 1.00, connect_ns_mean 2.00, tls_ns_mean "
           "3.00, first_byte_ns_mean 4.00, body_ns_mean 5.00, retries 6, slow_downs 7, "
           "errors_client 8, errors_server 10, errors_network 11, errors_protocol 12, http_version "
           "http/1.1, s3_signing signed, in_flight_mean 2.500, elapsed_s "
           "0.025000000, errors_s 0.000000167, latency_ns_mean 2000.00, latency_ns_stddev "
           "0.00, open_ns_p50 10, open_ns_p99 30, open_ns_max 32, close_ns_p50 11, "
           "close_ns_p99 31, close_ns_max 33, stop precision, queued_ns_per_op 3.00, "
           "reference_ns 34.50, stat_hits 35, stat_misses 36, list_names 37, access random, "
           "mix 70, cpu_ns_per_op 7.00");
    expect_columns(
        1, "cpu_user_ns_per_op 4.50, thread_rate_per_s_min "
           "100000.000000, thread_rate_per_s_max 400000.000000, began_unix_s "
           "1.500000000, ended_unix_s 2.250000000, left_objects 75, ranks 3, "
           "rank_rate_per_s_min 200000.000000, rank_rate_per_s_max 500000.000000, rank_skew_ns_p99 "
           "76");
}

/* The names of row 1's empty columns, each after a blank. */
static const char *empty_columns(void)
{
    static char found[2048];
    size_t used = 0;
    found[0] = '\0';
    for (const struct column *c = columns_table; c->name; c++)
        if (strcmp(c->name, "readahead") != 0 &&
            strcmp(c->name, "filled_bytes") != 0 && /* for reads only; this row is of writes */
            shown(1, c->name)[0] == '\0')
            used += (size_t)snprintf(found + used, sizeof(found) - used, " %s", c->name);
    return found;
}

static void test_empty_without(void **state)
{
#define R         f.results[1]
#define NO(field) &(field), sizeof(field)
    static const struct {
        void *field;
        size_t size;
        const char *empty;
    } rows[] = {
        {NO(R.rounds), " op_ns_mean op_ns_low op_ns_high op_ns_min op_ns_stddev"},
        {NO(R.interval_known), " op_ns_low op_ns_high"},
        {NO(R.sum.tally.open), " open_ns_p50 open_ns_p99 open_ns_max"},
        {NO(R.sum.tally.close), " close_ns_p50 close_ns_p99 close_ns_max"},
        {NO(R.device_known), " device_bytes cache_hit_fraction"},
        {NO(f.cells[1].verified), " errors_wrong"},
        {NO(R.rpc), " rpc_count rpc_data_count rpc_sent_bytes rpc_received_bytes rpc_rtt_ns_mean"
                    " rpc_retransmissions"},
        {NO(R.sum.has_requests),
         " requests connections lookup_ns_mean connect_ns_mean tls_ns_mean"
         " first_byte_ns_mean body_ns_mean retries slow_downs errors_client"
         " errors_server errors_network errors_protocol http_version s3_signing"},
        {NO(R.sum.requests.complete),
         " lookup_ns_mean connect_ns_mean tls_ns_mean first_byte_ns_mean body_ns_mean"},
        {NO(R.sum.requests.connections), ""},
        {NO(R.sum.found), " stat_hits stat_misses list_names"},
        {NO(R.left_known), " left_objects"},
        {NO(R.left_objects), ""},
        {NO(R.sum.found.hits), ""},
        {NO(R.sum.found.names), ""},
        {NO(R.sum.protocol), " http_version"},
        {NO(R.sum.cpu_ns), " cpu_ns_per_op cpu_user_ns_per_op cpu_helper_fraction"},
        {NO(R.sum.user_ns), " cpu_user_ns_per_op"},
        {NO(R.threads), " thread_rate_per_s_min thread_rate_per_s_max"},
        {NO(R.rank_count), " rank_skew_ns_p99"}, /* alone, both rates are its own */
        {NO(R.rank_skew_ns_p99), ""},
        {NO(f.settings.ranks), ""},
        {NO(R.began_ns), " began_unix_s"},
        {NO(R.ended_ns), " ended_unix_s"},
        {NO(R.sum.queued_ns), " queued_ns_per_op"},
        {NO(R.reference_ns), " reference_ns"},
        {NO(R.sum.elapsed_ns), " elapsed_s errors_s"},
        {NO(R.sum.flight_ns), " in_flight_mean"},
        {NO(R.sum.time_ns),
         " time_s throughput_bytes_per_s rate_per_s in_flight_mean submit_fraction"},
        {NO(R.submit_known), " submit_fraction"},
        {NO(f.cells[1].align_bytes), " align_bytes"},
        {NO(f.cells[1].mixed), " mix"},
        {NO(f.engine.phases),
         " open_ns_mean open_ns_p50 open_ns_p99 open_ns_max seek_ns_mean"
         " transfer_ns_mean close_ns_mean close_ns_p50 close_ns_p99 close_ns_max"},
        {NO(R.sum.tally.operations),
         " throughput_bytes_per_s rate_per_s latency_ns_p50 latency_ns_p90"
         " latency_ns_p99 latency_ns_p999 latency_ns_max cpu_ns_per_op in_flight_mean"
         " thread_rate_per_s_min thread_rate_per_s_max latency_ns_min latency_ns_mean "
         "latency_ns_stddev"
         " open_ns_mean open_ns_p50 open_ns_p99 open_ns_max seek_ns_mean"
         " transfer_ns_mean close_ns_mean close_ns_p50 close_ns_p99 close_ns_max"
         " cpu_user_ns_per_op queued_ns_per_op rank_rate_per_s_min rank_rate_per_s_max"},
    };
    know_all();
    assert_string_equal(empty_columns(), "");
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct fixture saved = f;
        memset(rows[i].field, 0, rows[i].size);
        assert_string_equal(empty_columns(), rows[i].empty);
        f = saved;
    }
    R.rounds = 1;
    R.resident_fraction = -1;
    R.sum.requests.complete = R.sum.requests.connections = 0;
    assert_string_equal(empty_columns(),
                        " op_ns_stddev resident_fraction connections lookup_ns_mean connect_ns_mean"
                        " tls_ns_mean first_byte_ns_mean body_ns_mean");
#undef NO
#undef R
}

static void test_notes(void **state)
{
    char text[COLUMNS_NOTES_TEXT];
    assert_string_equal(columns_notes(&f.results[0], &f.info, text), "");
    f.results[0].notes = (1u << NOTE_COUNT) - 1;
    assert_string_equal(
        columns_notes(&f.results[0], &f.info, text),
        "wrong_data;incomplete;unsteady;failed_time;ranks_apart;cache_hits;not_cached;nocache;"
        "cache_below;rmw;covered;short;rate_missed;drained;few_rounds;submit_blocks;"
        "read_ahead_seen;cold;created;punted;plain_buffers;unfair;timer;drift;correlated;"
        "outliers;few_slow;wide");
    f.results[0].notes = 0;
    f.results[0].state = RESULT_INCOMPLETE;
    assert_string_equal(columns_notes(&f.results[0], &f.info, text), "incomplete");
    f.results[0].state = RESULT_SKIPPED;
    f.cells[0].skip = "below_alignment";
    strcpy(f.target.notes, "unwritten");
    assert_string_equal(columns_notes(&f.results[0], &f.info, text),
                        "skipped:below_alignment;unwritten");
    f.results[0].state = RESULT_CLOSED;
    f.results[0].notes = NOTE_WIDE | NOTE_RMW;
    assert_string_equal(columns_notes(&f.results[0], &f.info, text), "rmw;unwritten;wide");
}

static void test_note_weights(void **state)
{
    static const struct {
        const char *word;
        enum note_weight weight;
    } rows[] = {
        {"wrong_data", NOTE_ALARMS},
        {"incomplete", NOTE_ALARMS},
        {"cache_hits", NOTE_QUALIFIES},
        {"unwritten", NOTE_QUALIFIES},
        {"wide", NOTE_REMARKS},
        {"skipped:beyond_file", NOTE_REMARKS},
        {"payload:repeated", NOTE_REMARKS},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_int_equal(columns_note_weight(rows[i].word, strlen(rows[i].word)), rows[i].weight);
    assert_int_equal(columns_note_weight("wide;rmw", 4), NOTE_REMARKS);
}

static const char *cache_words(void)
{
    static char text[COLUMNS_CACHE_TEXT];

    return columns_cache_words(&f.target, &f.cells[0].work, text);
}

static void test_cache_words(void **state)
{
    struct workload *work = &f.cells[0].work;
    assert_string_equal(cache_words(), "page cache, not the device");
    work->sync = SYNC_DATA;
    assert_string_equal(cache_words(), "page cache, flushed to the device");
    f.target.medium = (struct medium){.name = "NFS", .keeper = "server"};
    assert_string_equal(cache_words(), "page cache, sent to the server");
    f.target.medium.name[0] = '\0';
    work->test = TEST_READ;
    work->cache = CACHE_UNCACHED;
    assert_string_equal(cache_words(), "device, page cache emptied before");
    work->cache = CACHE_ASIS;
    assert_string_equal(cache_words(), "page cache as it was found");
    work->cache = CACHE_DIRECT;
    assert_string_equal(cache_words(), "device (O_DIRECT)");
    strcpy(f.target.medium.name, "NFS");
    assert_string_equal(cache_words(), "NFS (O_DIRECT); its server may cache");
    work->cache = CACHE_UNCACHED;
    assert_string_equal(cache_words(), "NFS, page cache emptied before; its server may cache");
    work->cache = CACHE_CACHED;
    assert_string_equal(cache_words(), "page cache, not the storage");
    work->test = TEST_STAT;
    assert_string_equal(cache_words(), "cached");
    work->test = TEST_READ;
    f.target.in_memory = true;
    assert_string_equal(cache_words(), "files in memory");
}

static void test_hostile_target(void **state)
{
    char name[] = "/a\n\x1b[2J\\";
    f.target.label = name;
    assert_string_equal(shown(0, "target"), "/a\\x0a\\x1b[2J\\x5c");
}

static unsigned chosen[512];

/* The number of columns of a list, whose places in the table are then `chosen`. */
static unsigned select_good(const char *list, bool team)
{
    struct error err = ERROR_INIT;
    unsigned count, *index = columns_select(list, team, &count, &err);

    assert_non_null(index);
    assert_true(count <= sizeof(chosen) / sizeof(*chosen));
    memcpy(chosen, index, count * sizeof(*index));
    free(index);
    return count;
}

static void test_select(void **state)
{
    static const struct {
        const char *list, *word, *remark;
    } wrong[] = {
        {"nonsense", "nonsense", "unknown"},
        {"size_bytes,speed,test", "speed", "unknown in the middle"},
        {"size_byte", "size_byte", "beginning of a name"},
        {"size_bytess", "size_bytess", "longer than a name"},
        {"", "", "empty list"},
        {"test,", "", "empty name"},
    };
    struct error err = ERROR_INIT;
    unsigned count;
    assert_int_equal(select_good(NULL, false), 27);
    for (unsigned i = 0; i < 27; i++)
        assert_true(chosen[i] == i && columns_table[i].by_default == BY_DEFAULT);
    assert_int_equal(select_good(NULL, true), 28);
    assert_string_equal(columns_table[chosen[27]].name, "ranks");
    assert_int_equal(select_good("all", false), columns_count());
    assert_int_equal(chosen[columns_count() - 1], columns_count() - 1);
    assert_int_equal(select_good("test,size_bytes,test", false), 2);
    assert_int_equal(chosen[0], 5);
    assert_int_equal(chosen[1], 0);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        err = ERROR_INIT;
        assert_null(columns_select(wrong[i].list, false, &count, &err));
        assert_int_equal(err.status, STATUS_USAGE);
        assert_string_equal(err.object, wrong[i].word);
        assert_string_equal(err.advice, "iosweep help columns shows all of them");
    }
}

/* Groups add the columns not selected yet, in the order of the table. */
static void test_select_groups(void **state)
{
    unsigned count = select_good("precision", false);

    assert_true(count >= 5 && count < 27);
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(columns_table[chosen[i]].group, OF_PRECISION);
    count = select_good("stop,depth,default,size_bytes,nfs", false);
    assert_string_equal(columns_table[chosen[0]].name, "stop");
    assert_string_equal(columns_table[chosen[1]].name, "depth");
    assert_string_equal(columns_table[chosen[2]].name, "size_bytes");
    assert_string_equal(columns_table[chosen[27]].name, "label");
    assert_string_equal(columns_table[chosen[28]].name, "rpc_count");
    assert_int_equal(columns_table[chosen[count - 1]].group, OF_NFS);
    assert_int_equal(select_good("team,all,team", false), columns_count());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_names_and_meanings, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_measured, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_unknown_is_empty, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_skipped, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_each_field, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_empty_without, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_note_weights, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_cache_words, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_notes, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_hostile_target, set_up_fixture, tear_down),
        cmocka_unit_test_setup_teardown(test_select, set_up_fixture, tear_down),
        cmocka_unit_test(test_select_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
