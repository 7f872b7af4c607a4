/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_mountstats.c - parsing /proc/self/mountstats: which mount, table and numbers; truncated,
 * malformed and long lines; and the difference of two readings. */
#include "base/compat.h"

#include <stdio.h>
#include <string.h>

#include "os/linux/mountstats.h"
#include "unit/cmocka_all.h"

#define HOME_ENTRY "device nas:/vol/home mounted on /mnt/my\\040home with fstype nfs"

static const char two_mounts[] =
    "device proc mounted on /proc with fstype proc\n"
    "device nas:/vol/homework mounted on /mnt/my\\040homework with fstype nfs statvers=1.1\n"
    "\topts:\trw,vers=3,rsize=4096\n"
    "\tbytes:\t9 9 9 9 9 9 9 9\n"
    "\tRPC iostats version: 1.1  p/v: 100003/3 (nfs)\n"
    "\tper-op statistics\n"
    "\t        READ: 900 900 0 9 9 9 9 9 0\n"
    "\n"
    "device nas:/vol/home mounted on /mnt/my\\040home with fstype nfs4 statvers=1.1\n"
    "\topts:\trw,vers=4.2,rsize=131072,wsize=65536,namlen=255,acregmin=3,acregmax=60,acdirmin=30,"
    "acdirmax=60,hard,proto=tcp,nconnect=4,timeo=600,retrans=2,sec=krb5p,clientaddr=10.0.0.9,"
    "local_lock=none\n"
    "\tage:\t17\n"
    "\tevents:\t0 1 2 3\n"
    "\tbytes:\t1000 2000 3000 4000 5000 6000 7 8\n"
    "\tRPC iostats version: 1.1  p/v: 100003/4 (nfs)\n"
    "\txprt:\ttcp 829 0 2 0 0 7 7 0 7 0 2 0 0\n"
    "\tper-op statistics\n"
    "\t        NULL: 0 0 0 0 0 0 0 0 0\n"
    "\t        READ: 100 103 2 12800 422400 40 121 170 1\n"
    "\t       WRITE: 7 7 0 70 700 1 2 3 0\n"
    "\t   READ_PLUS: 3 3 0 30 300 1 9 3 0\n"
    "\tGET_LEASE_TIME: 5 5 0 50 500 0 4 5 0\n"
    "\n"
    "device nas:/vol/home mounted on /other with fstype nfs4 statvers=1.1\n"
    "\tper-op statistics\n"
    "\t        READ: 800 800 0 8 8 8 8 8 0\n";

/* Feeds a text whose end mountstats_take must not read past. */
static struct mountstats parse(const char *entry, const char *text)
{
    struct mountstats stats = {.entry = entry};
    char line[512];

    while (*text != '\0') {
        const size_t length = strcspn(text, "\n");
        assert_true(length < sizeof(line));
        memcpy(line, text, length);
        line[length] = '\0';
        mountstats_take(&stats, line);
        text += length + (text[length] == '\n');
    }
    return stats;
}

static const struct target_rpc *rpc(const struct mountstats *stats, const char *name)
{
    const struct target_rpc *found = target_traffic_find(&stats->traffic, name);
    assert_non_null(found);
    return found;
}

static void one_of_several_mounts(void **state)
{
    const struct mountstats stats = parse(HOME_ENTRY, two_mounts);
    const struct target_rpc *read = rpc(&stats, "READ");
    struct target_rpc sum;

    assert_true(mountstats_complete(&stats));
    assert_true(stats.past);
    assert_int_equal(stats.traffic.rpc_count, 4); /* unused operations are left out */
    assert_int_equal(read->count, 100);
    assert_int_equal(read->retransmissions, 3);
    assert_int_equal(read->timeouts, 2);
    assert_int_equal(read->sent_bytes, 12800);
    assert_int_equal(read->received_bytes, 422400);
    assert_int_equal(read->queue_ms, 40);
    assert_int_equal(read->round_trip_ms, 121);
    assert_int_equal(read->execute_ms, 170);
    assert_int_equal(rpc(&stats, "GET_LEASE_TIME")->count, 5);
    assert_int_equal(stats.traffic.server_read_bytes, 5000);
    assert_int_equal(stats.traffic.server_write_bytes, 6000);
    sum = target_traffic_total(&stats.traffic, false);
    assert_int_equal(sum.count, 115);
    assert_int_equal(sum.round_trip_ms, 136);
    sum = target_traffic_total(&stats.traffic, true);
    assert_int_equal(sum.count, 110);
    assert_int_equal(sum.received_bytes, 423400);
}

static void a_mount_that_is_not_there(void **state)
{
    const struct mountstats stats =
        parse("device nas:/vol/h mounted on /mnt/my\\040home with fstype nfs", two_mounts);
    const struct mountstats nothing = parse(HOME_ENTRY, "");

    assert_false(mountstats_complete(&stats));
    assert_int_equal(stats.traffic.rpc_count, 0);
    assert_false(mountstats_complete(&nothing));
}

/* Version 1.0 has no error counts at the end of its rows; unknown versions are not parsed. */
static void versions(void **state)
{
    static const char format[] = "device a:/ mounted on /a with fstype nfs statvers=1.0\n"
                                 "\tRPC iostats version: %s  p/v: 100003/3 (nfs)\n"
                                 "\tper-op statistics\n"
                                 "\t     GETATTR: 4 4 0 5 6 7 8 9\n";
    char text[512];
    struct mountstats stats;

    snprintf(text, sizeof(text), format, "1.0");
    stats = parse("device a:/ mounted on /a with fstype nfs", text);
    assert_true(mountstats_complete(&stats));
    assert_int_equal(rpc(&stats, "GETATTR")->execute_ms, 9);
    snprintf(text, sizeof(text), format, "2.0");
    stats = parse("device a:/ mounted on /a with fstype nfs", text);
    assert_false(mountstats_complete(&stats));
    assert_int_equal(stats.traffic.rpc_count, 0);
}

/* A malformed row is ignored as a whole. */
static void rows_that_are_mad(void **state)
{
    static const char *const rows[] = {
        "READ: 1 2 3 4 5 6 7",                      /* too few */
        "READ: 1 2 3 4 5 6 7 x",                    /* not a number */
        "READ: 1 2 3 4 5 6 7 -8",                   /* negative */
        "READ: 18446744073709551616 1 1 1 1 1 1 1", /* overflow */
        "READ 1 2 3 4 5 6 7 8",                     /* no colon */
        ": 1 2 3 4 5 6 7 8",                        /* no name */
        "re\"ad: 1 2 3 4 5 6 7 8",                  /* not a protocol's name */
        "A_NAME_LONGER_THAN_ANY_OF_THEM: 1 2 3 4 5 6 7 8",
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct mountstats stats = {.entry = "", .here = true, .operations = true, .known = true};
        mountstats_take(&stats, rows[i]);
        if (stats.traffic.rpc_count != 0)
            fail_msg("taken: %s", rows[i]);
    }
}

/* More names than rows: the last row sums them up, and no total is wrong. */
static void too_many_names(void **state)
{
    struct mountstats stats = {.entry = "", .here = true, .operations = true, .known = true};
    char line[128];

    for (unsigned i = 0; i < TARGET_RPC_MOST + 10; i++) {
        snprintf(line, sizeof(line), "OP%u: 1 1 0 10 20 0 3 4 0", i);
        mountstats_take(&stats, line);
    }
    assert_int_equal(stats.traffic.rpc_count, TARGET_RPC_MOST);
    assert_int_equal(target_traffic_total(&stats.traffic, false).count, TARGET_RPC_MOST + 10);
    assert_int_equal(rpc(&stats, "OTHERS")->count, 11);
}

static void differences(void **state)
{
    struct mountstats before = parse(HOME_ENTRY, two_mounts), after = before;
    struct target_traffic sum = {.rpc_count = 0};

    target_traffic_add(&sum, &before.traffic, &after.traffic);
    assert_int_equal(sum.rpc_count, 0);
    mountstats_take(&after, "ignored: behind its entry");
    after.past = false;
    after.here = true;
    mountstats_take(&after, "OPEN: 2 2 0 20 200 1 6 8 0"); /* its first occurrence */
    after.traffic.rpc[0].count += 10;                      /* READ */
    after.traffic.rpc[0].round_trip_ms += 25;
    after.traffic.server_read_bytes += 40960;
    target_traffic_add(&sum, &before.traffic, &after.traffic);
    target_traffic_add(&sum, &before.traffic, &after.traffic);
    assert_int_equal(sum.rpc_count, 2);
    assert_int_equal(target_traffic_find(&sum, "READ")->count, 20);
    assert_int_equal(target_traffic_find(&sum, "READ")->round_trip_ms, 50);
    assert_int_equal(target_traffic_find(&sum, "READ")->sent_bytes, 0);
    assert_int_equal(target_traffic_find(&sum, "OPEN")->count, 4);
    assert_null(target_traffic_find(&sum, "WRITE"));
    assert_int_equal(sum.server_read_bytes, 81920);
    assert_int_equal(sum.server_write_bytes, 0);
    /* a remounted file system counts from 0 */
    memset(&sum, 0, sizeof(sum));
    target_traffic_add(&sum, &after.traffic, &before.traffic);
    assert_int_equal(target_traffic_total(&sum, false).count, 0);
    assert_int_equal(sum.server_read_bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_of_several_mounts),
        cmocka_unit_test(a_mount_that_is_not_there),
        cmocka_unit_test(versions),
        cmocka_unit_test(rows_that_are_mad),
        cmocka_unit_test(too_many_names),
        cmocka_unit_test(differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
