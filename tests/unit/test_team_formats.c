/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_team_formats.c - every format's output for a team of 4 ranks on 2 hosts. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include "base/mem.h"
#include "base/text.h"
#include "report/facts/facts.h"
#include "report/formats/print.h"
#include "unit/team_fixture.h"

#include "columns_shown.h"

static struct result_rank ranks[TEAM_FIXTURE_RANKS];
static struct facts facts;

static int set_up(void **state)
{
    fixture_init(&f);
    fixture_measure(&f, 1, 6000, 1000000000);
    team_fixture_fill(&f.results[1], ranks);
    f.settings.ranks = TEAM_FIXTURE_RANKS;
    f.settings.hosts = TEAM_FIXTURE_HOSTS;
    f.info.team = &team_fixture;
    facts = (struct facts){.read = true, .printed = true, .count = 1};
    facts.targets = mem_calloc(1, sizeof(*facts.targets));
    facts.host_count = TEAM_FIXTURE_HOSTS;
    facts.hosts = mem_calloc(TEAM_FIXTURE_HOSTS, sizeof(*facts.hosts));
    for (unsigned h = 0; h < TEAM_FIXTURE_HOSTS; h++) {
        struct host_facts *host = &facts.hosts[h];
        snprintf(host->name, sizeof(host->name), "nas%u", h + 1);
        host->ranks = 2;
        host->first_rank = 2 * h;
        text_copy(host->card.host.kernel, sizeof(host->card.host.kernel),
                  h ? "Linux 5.15" : "Linux 6.1");
        host->card.host.memory_bytes = 1073741824;
        host->card.target_count = 1;
        host->targets = mem_calloc(1, sizeof(*host->targets));
        text_copy(host->targets->path, sizeof(host->targets->path), "/data");
        text_copy(host->targets->filesystem, sizeof(host->targets->filesystem), "nfs4");
        text_copy(host->targets->mount_options, sizeof(host->targets->mount_options), "rw");
    }
    return 0;
}

static int clean_up(void **state)
{
    facts_free(&facts);
    return tear_down(state);
}

static void print(enum format format, struct format_options options)
{
    assert_int_equal(fixture_print(format, &options, 1, 2), 0);
}

static void expect(const char *part)
{
    if (!strstr(f.text, part))
        fail_msg("no \"%s\" in\n%s", part, f.text);
}

static void expect_not(const char *part)
{
    if (strstr(f.text, part))
        fail_msg("\"%s\" in\n%s", part, f.text);
}

#define TEAM_COLUMNS "operations,ranks,rank_rate_per_s_min,rank_rate_per_s_max,rank_skew_ns_p99"

static void columns(void **state)
{
    print(FORMAT_CSV, (struct format_options){.columns = TEAM_COLUMNS});
    assert_string_equal(f.text, TEAM_COLUMNS "\n6000,4,1000.000000,2500.000000,41000\n");
}

/* A rank without time has no rate; one whose operations all failed has rate 0. */
static void ranks_that_did_nothing(void **state)
{
    ranks[2].operations = 0;
    assert_string_equal(shown(1, "rank_rate_per_s_min"), "0.000000");
    ranks[2].time_ns = 0;
    assert_string_equal(shown(1, "rank_rate_per_s_min"), "1000.000000");
    f.results[1].state = RESULT_SKIPPED;
    expect_columns(1, "rank_rate_per_s_min , rank_skew_ns_p99 , ranks 4");
}

static void json(void **state)
{
    ranks[1].operations = 0;
    ranks[1].time_ns = 0;
    print(FORMAT_JSON, (struct format_options){.facts = &facts});
    expect("\"team\":{\"ranks\":4,\"hosts\":[{\"name\":\"nas1\",\"ranks\":2,\"rtt_ns\":2000,"
           "\"clock_offset_ns\":-3,\"clock_error_ns\":1000,\"version\":null,"
           "\"kernel\":\"Linux 6.1\",");
    expect("{\"name\":\"nas2\",\"ranks\":2,\"rtt_ns\":80000,\"clock_offset_ns\":-7000100,"
           "\"clock_error_ns\":40000,\"version\":null,\"kernel\":"
           "\"Linux 5.15\",\"machine\":null,\"cpus\":null,\"cpu\":null,\"cpus_allowed\":null,"
           "\"cpus_quota\":null,\"governor\":null,\"memory_bytes\":1073741824,"
           "\"page_bytes\":null,\"clock_source\":null,\"virtualization\":null,"
           "\"libraries\":null,\"targets\":[{\"path\":\"/data\",\"filesystem\":\"nfs4\","
           "\"mount_point\":null,\"mount_options\":\"rw\",\"device\":null,"
           "\"model\":null,\"scheduler\":null}]}]},\"settings\":");
    expect(",\"ranks\":4,\"rank_rate_per_s_min\":1000.000000,"
           "\"rank_rate_per_s_max\":2000.000000,\"rank_skew_ns_p99\":41000,");
    expect("\"rank_results\":[{\"rank\":0,\"host\":\"nas1\",\"operations\":2000,\"failed\":0,"
           "\"time_s\":1.000000000,\"rate_per_s\":2000.000000,\"latency_ns_mean\":500000.00,"
           "\"latency_ns_max\":900000,\"late_ns\":1000.00},"
           "{\"rank\":1,\"host\":\"nas1\",\"operations\":0,\"failed\":0,"
           "\"time_s\":0.000000000,\"rate_per_s\":null,\"latency_ns_mean\":null,"
           "\"latency_ns_max\":null,\"late_ns\":2000.00},"
           "{\"rank\":2,\"host\":\"nas2\",\"operations\":1000,\"failed\":3,");
}

/* Without a team the document has no members about teams. */
static void alone(void **state)
{
    f.info.team = NULL;
    f.settings.ranks = f.settings.hosts = f.results[1].rank_count = 0;
    print(FORMAT_JSON, (struct format_options){.facts = &facts});
    expect_not("\"team\"");
    expect_not("\"rank_results\"");
    expect(",\"ranks\":1,\"rank_rate_per_s_min\":6000.000000,"
           "\"rank_rate_per_s_max\":6000.000000,\"rank_skew_ns_p99\":null,");
}

static void table(void **state)
{
    print(FORMAT_TABLE, (struct format_options){.width = 100});
    expect("posix - 4 ranks on 2 hosts - /data\n");
    rewind(f.stream);
    f.settings.hosts = 1;
    print(FORMAT_TABLE, (struct format_options){.width = 100});
    expect("posix - 4 ranks on 1 host - /data\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(columns, set_up, clean_up),
        cmocka_unit_test_setup_teardown(ranks_that_did_nothing, set_up, clean_up),
        cmocka_unit_test_setup_teardown(json, set_up, clean_up),
        cmocka_unit_test_setup_teardown(alone, set_up, clean_up),
        cmocka_unit_test_setup_teardown(table, set_up, clean_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
