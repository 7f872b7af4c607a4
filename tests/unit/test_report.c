/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_report.c - the model of a report: what it chooses, counts, judges and says. */
#include "base/compat.h"

#include "results_fixture.h"

#include "analysis/report/report.h"
#include "analysis/report/report_notes.h"
#include "base/mem.h"

static void make_of(const char *text, size_t rows_max, struct report_file *file,
                    struct report *report)
{
    struct error err = ERROR_INIT;
    FILE *stream = fmemopen((void *)(uintptr_t)text, strlen(text), "r");

    *file = (struct report_file){.length = strlen(text)};
    assert_non_null(stream);
    assert_int_equal(reader_stream_whole(stream, "some/file.csv", &file->results, &err), 0);
    fclose(stream);
    assert_int_equal(report_make(file, 1, rows_max, REPORT_DATA_AUTO, report, &err), 0);
}

static void make(const char *text, struct report_file *file, struct report *report)
{
    make_of(text, 1000, file, report);
}

static void drop(struct report_file *file, struct report *report)
{
    report_free(report);
    results_free(&file->results);
}

static void figures_of_a_row_agree(void **state)
{
    struct report_file file;
    struct report report;
    const struct report_point *point;

    (void)state;
    make("size_bytes,operations,time_s,op_ns_median,op_ns_low,op_ns_high,test,cache,device_bytes,"
         "cache_hit_fraction,errors,rounds,notes\n"
         "4096,100,1,1000,900,1200,read,direct,819200,0.5,3,11,wide;cache_hits\n"
         "8192,100,1,2000,,,read,direct,,,,,skipped:not_by_engine;wide\n",
         &file, &report);
    assert_int_equal(report.panel_count, 1);
    assert_string_equal(report.panels[0].title, "read");
    assert_string_equal(report.panels[0].lines[0]->name, "direct");
    point = &report.lines[0].points[0];
    assert_near(point->rate_per_s, 1e6);
    assert_near(point->throughput_bytes_per_s, 4.096e9);
    assert_near(point->total_rate_per_s, 100); /* 100 operations in 1 s, most of it in few rounds */
    assert_near(point->total_throughput_bytes_per_s, 409600);
    assert_near(point->throughput_low_bytes_per_s, 4096 * 1e9 / 1200);
    assert_near(point->half_width, 0.15);
    assert_near(point->asked_bytes, 409600);
    assert_near(point->amplification, 2);
    assert_near(point->cache_share, 0.5);
    assert_near(point->errors, 3);
    assert_near(point->rounds, 11);
    assert_int_equal(report.row_count, 2);
    assert_int_equal(report.skipped_count, 1);
    assert_int_equal(report.note_count, 3); /* what changes the meaning first */
    assert_string_equal(report.notes[0].word, "cache_hits");
    assert_string_equal(report.notes[1].word, "wide");
    assert_int_equal(report.notes[1].rows, 2);
    assert_string_equal(report.notes[1].sizes, "4 KiB to 8 KiB");
    assert_string_equal(report.notes[2].word, "skipped:not_by_engine");
    drop(&file, &report);
}

/* Depths stand in one panel; with threads there would be too many lines, so there are several. */
static void panels_hold_no_more_than_can_be_told_apart(void **state)
{
    char text[8000] = "size_bytes,op_ns_median,test,threads,depth\n";
    struct report_file file;
    struct report report;

    (void)state;
    for (unsigned threads = 1; threads <= 4; threads *= 2)
        for (unsigned depth = 16; depth >= 1; depth /= 2)
            for (unsigned size = 512; size <= 1024; size *= 2)
                text_add(text, sizeof(text), "", "%u,%u,read,%u,%u\n", size, 1000 / depth, threads,
                         depth);
    make(text, &file, &report);
    assert_int_equal(report.curve_count, 15);
    assert_int_equal(report.panel_count, 3);
    assert_int_equal(report.panels[0].count, 5);
    assert_true(report.panels[0].ordinal);
    assert_string_equal(report.panels[0].title, "read, 1 thread");
    assert_string_equal(report.panels[0].lines[0]->name, "depth 1");
    assert_string_equal(report.panels[2].lines[4]->name, "depth 16");
    assert_int_equal(report.map_count, 3);
    assert_false(report.maps[0].threads);
    assert_int_equal(report.maps[0].level_count, 5);
    assert_int_equal(report.maps[0].size_count, 2);
    assert_int_equal(report.maps[0].points[3]->row->size_bytes, 1024);
    assert_int_equal(report.maps[0].points[3]->row->depth, 2);
    drop(&file, &report);
}

/* Of a size the row in the middle, of a curve its ends and what is evenly between them. */
static void many_rows_are_chosen_from(void **state)
{
    static const char times[] = "size_bytes,op_ns_median,test\n"
                                "512,5,read\n512,9,read\n512,1,read\n1024,7,read\n";
    char text[2000] = "size_bytes,op_ns_median,test\n";
    struct report_file file;
    struct report report;

    (void)state;
    make_of(times, 4, &file, &report);
    assert_int_equal(report.shown_count, 4);
    assert_string_equal(report.left_out, "");
    drop(&file, &report);
    make_of(times, 3, &file, &report);
    assert_int_equal(report.figure_count, 4);
    assert_int_equal(report.shown_count, 2);
    assert_near(report.lines[0].points[0].op_ns, 5);
    assert_int_equal(report.lines[0].points[1].row->size_bytes, 1024);
    assert_true(strncmp(report.left_out, "2 of 4 rows with figures are shown: ", 36) == 0);
    drop(&file, &report);
    for (unsigned i = 1; i <= 21; i++)
        text_add(text, sizeof(text), "", "%u,7,read\n%s", i, i < 4 ? "512,7,write\n" : "");
    make_of(text, 7, &file, &report); /* one of the other curve leaves 6 */
    assert_int_equal(report.shown_count, 7);
    assert_int_equal(report.lines[0].count, 6);
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(report.lines[0].points[i].row->size_bytes, 1 + 4 * i);
    drop(&file, &report);
}

/* However many words there are, one of each known meaning is told. */
static void many_notes_are_counted(void **state)
{
    char text[8000] = "size_bytes,op_ns_median,notes\n";
    struct report_file file;
    struct report report;

    (void)state;
    for (unsigned i = 0; i < 150; i++)
        text_add(text, sizeof(text), "", "512,7,word%u\n", i);
    text_add(text, sizeof(text), "", "512,7,word3;cache_hits\n");
    make(text, &file, &report);
    assert_int_equal(report.note_count, 101);
    assert_int_equal(report.notes_left_out, 50);
    assert_string_equal(report.notes[0].word, "cache_hits");
    drop(&file, &report);
}

/* A title names as many targets as a sentence bears, and the rest are not kept secret. */
static void words_of_title_and_about(void **state)
{
    char text[2000] = "size_bytes,op_ns_median,test,target,cache,engine\n";
    struct report_file file;
    struct report report;

    (void)state;
    for (char target = 'a'; target <= 'f'; target++)
        text_add(text, sizeof(text), "", "4096,7,read,/%c,cached,posix\n", target);
    make(text, &file, &report);
    assert_string_equal(report.title, "read on /a, /b, /c, /d, /e and /f");
    assert_string_equal(report.about, "Operations of 4 KiB by engine posix, in the page cache "
                                      "(cached), which is not the device.");
    drop(&file, &report);
    text_add(text, sizeof(text), "", "512,7,read,/g,direct,posix\n512,7,read,/a,uncached,pread\n");
    make(text, &file, &report);
    assert_string_equal(report.title, "read on /a, /b, /c, /d, /e, /f and others");
    assert_string_equal(report.about,
                        "Operations of 512 B to 4 KiB by engine posix and pread, in the page cache "
                        "(cached), which is not the device, on the device with O_DIRECT (direct) "
                        "and with the page cache emptied before each round (uncached).");
    drop(&file, &report);
}

static void a_team_is_named(void **state)
{
    struct report_file file;
    struct report report;

    (void)state;
    make("size_bytes,op_ns_median,test,ranks\n512,7,read,4\n1024,7,read,4\n", &file, &report);
    assert_string_equal(report.about,
                        "Operations of 512 B to 1 KiB; measured by 4 ranks together.");
    drop(&file, &report);
    make("size_bytes,op_ns_median,test,ranks\n512,7,read,4\n512,9,read,1\n", &file, &report);
    assert_string_equal(report.about, "Operations of 512 B; measured by up to 4 ranks together.");
    assert_int_equal(report.panel_count, 1);
    assert_string_equal(report.panels[0].lines[0]->name, "ranks 4");
    drop(&file, &report);
}

static void one_note_is_told(void **state)
{
    struct report_file file;
    struct report report;

    (void)state;
    make("size_bytes,op_ns_median,notes\n512,7,wide\n", &file, &report);
    assert_int_equal(report.note_count, 1);
    assert_string_equal(report.notes[0].word, "wide");
    assert_string_equal(report.notes[0].sizes, "512 B");
    drop(&file, &report);
}

static void notes_have_a_meaning(void **state)
{
    size_t weight, other;

    (void)state;
    assert_non_null(report_meaning("wide", 4, &weight));
    assert_non_null(report_meaning("cache_hits;wide", 10, &other));
    assert_true(other < weight);
    assert_null(report_meaning("wid", 3, &weight));
    assert_null(report_meaning("widest", 6, &weight));
    assert_non_null(report_meaning("partial:3/5", 11, &weight));
    assert_non_null(report_meaning("skipped:something_new", 21, &weight));
}

/* What the report says first of results with these rows; to free. */
static char *judged(const char *text)
{
    struct report_file file;
    struct report report;
    char *both;

    make(text, &file, &report);
    assert_true(report.verdict_count <= 1);
    both = report.verdict_count > 0
               ? mem_printf("%s %s", report.verdicts[0].what, report.verdicts[0].trust)
               : mem_strdup("");
    drop(&file, &report);
    return both;
}

#define ROW_HEAD                                                                              \
    "size_bytes,operations,rate_per_s,op_ns_median,latency_ns_p50,test,target,cache,threads," \
    "depth,notes\n"

#define CUT_HEAD "operations,stop,size_bytes,op_ns_median,test,target,cache,threads,depth,notes\n"

/* What lacked time is counted, and judged by as the run itself does; what broke off is neither. */
static void rows_cut_short_are_counted(void **state)
{
    char *cut = judged(CUT_HEAD "50,time,4096,95000,read,/x,direct,1,1,incomplete\n"
                                "2,time,65536,95000,read,/x,direct,1,1,incomplete\n"
                                "50,errors,4096,95000,write,/x,direct,1,1,incomplete\n"
                                "50,precision,4096,95000,stat,/x,direct,1,1,\n");
    char *broken = judged(CUT_HEAD "50,errors,4096,95000,read,/x,direct,1,1,incomplete\n");
    char *wide = judged(CUT_HEAD "50,time,4096,95000,read,/x,direct,1,1,wide\n");

    (void)state;
    assert_non_null(strstr(cut, "/x answers like an SSD: 4 KiB reads take 95.0 us. Cut short: 2 of "
                                "4 rows had too little time"));
    assert_string_equal(broken, "");
    assert_non_null(strstr(wide, "1 of 1 figures varies by more than 10 %"));
    free(cut);
    free(broken);
    free(wide);
}

static void rows_that_tell_nothing_of_the_device_are_not_judged(void **state)
{
    char *plain = judged(ROW_HEAD "4096,1000,10000,100000,95000,read,/x,direct,1,1,wide\n");
    char *holes = judged(ROW_HEAD "4096,1000,10000,100000,95000,read,/x,direct,1,1,unwritten\n");
    char *part = judged(ROW_HEAD "4096,1000,10000,100000,95000,read,/x,direct,1,1,incomplete\n");

    (void)state;
    assert_non_null(strstr(plain, "/x answers like an SSD: 4 KiB reads take 95.0 us (p50)."));
    assert_string_equal(holes, "");
    assert_string_equal(part, "");
    free(plain);
    free(holes);
    free(part);
}

/* Notes are whole words, at any place; a cache says where the data were. */
static void paths_are_those_of_notes_and_caches(void **state)
{
    static const struct {
        const char *words, *told; /* of the row: test, target, cache; what is told of it */
        const char *notes;
    } rows[] = {
        {"read,/x,direct", NULL, "drift;unwritten"},
        {"read,/x,direct", NULL, "unwritten;wide"},
        {"read,/x,direct", NULL, "cache_hits"},
        {"read,/x,direct", NULL, "covered"},
        {"read,/x,direct", NULL, "rmw"},
        {"read,/x,cached", NULL, "not_cached"},
        {"read,/x,direct", "an SSD", "xunwritten"},
        {"read,/x,direct", "an SSD", "unwrittenx"},
        {"read,/x,uncached", "an SSD", ""},
        {"read,/x,asis", NULL, ""},
        {"write,/x,uncached", NULL, ""},
        {"read,/x,cached", "the device was not measured, these are page cache speeds", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char *text = mem_printf("throughput_bytes_per_s," ROW_HEAD
                                "4e7,4096,1000,10000,100000,95000,%s,1,1,%s\n",
                                rows[i].words, rows[i].notes);
        char *told = judged(text);
        if (rows[i].told ? !strstr(told, rows[i].told) : told[0] != '\0')
            fail_msg("%s %s: %s", rows[i].words, rows[i].notes, told);
        free(told);
        free(text);
    }
}

/* Writes that were to be evicted may be in memory still. */
static void uncached_writes_are_not_of_the_device(void **state)
{
    char *told = judged(ROW_HEAD "4096,1000,10000,100000,95000,read,/x,uncached,1,1,\n"
                                 "4096,1000,10000,100000,45000,write,/x,uncached,1,1,\n");

    (void)state;
    assert_non_null(strstr(told, "reads take 95.0 us (p50). "));
    free(told);
    told = judged(ROW_HEAD "4096,1000,10000,100000,95000,read,/x,cached,1,1,\n");
    assert_string_equal(told, ""); /* no throughput: no speed of anything */
    free(told);
}

static void a_limit_is_told(void **state)
{
    char *limited = judged(ROW_HEAD "4096,100,1000,1000000,95000,read,/x,direct,1,1,\n");

    (void)state;
    assert_non_null(strstr(limited, "take 95.0 us (p50) but only 1.00 k/s go through (a limit?)"));
    free(limited);
}

#ifdef HAVE_JANSSON
#define LOADED(begin, end, threads)                                                      \
    "{\"iosweep\":\"1\",\"run\":{\"host\":{\"cpus\":2,\"load1\":" begin "}},\"rows\":[{" \
    "\"size_bytes\":4096,\"operations\":1000,\"throughput_bytes_per_s\":4e7,"            \
    "\"op_ns_median\":100000,"                                                           \
    "\"test\":\"read\",\"target\":\"/x\",\"cache\":\"cached\",\"threads\":" threads      \
    ",\"depth\":1,\"notes\":\"\"}]" end "}\n"

#define OTHERS(percent, steal)                                                      \
    ",\"processors\":{\"count\":2,\"own_percent\":30.0,\"others_percent\":" percent \
    ",\"others_percent_most\":" percent ",\"kernel_percent\":0.0,\"steal_percent\":" steal "}"

/* As the run itself says: by what others used; where that is not known by the load at its end,
 * without its own threads. */
static void others_are_judged_as_by_the_run(void **state)
{
    char *busy = judged(LOADED("0.1", ",\"load1_end\":9.5", "1"));
    char *quiet = judged(LOADED("9.5", ",\"load1_end\":0.1", "1"));
    char *old = judged(LOADED("9.5", "", "1"));
    char *own = judged(LOADED("0.1", ",\"load1_end\":7.9", "8"));
    char *others = judged(LOADED("0.1", ",\"load1_end\":0.1" OTHERS("43.1", "0.0"), "1"));
    char *room = judged(LOADED("0.1", ",\"load1_end\":9.5" OTHERS("25.0", "0.0"), "1"));
    char *threads = judged(LOADED("0.1", ",\"load1_end\":0.1" OTHERS("25.0", "0.0"), "2"));
    char *host = judged(LOADED("0.1", "" OTHERS("1.0", "30.0"), "1"));

    (void)state;
    assert_non_null(strstr(others, "was busy (other programs used 43 % of the processors): do"));
    assert_null(strstr(room, "busy"));
    assert_null(strstr(room, "quiet"));
    assert_non_null(strstr(threads, "was busy (other programs used 25 % of the processors): do"));
    assert_non_null(strstr(host, "(its host withheld 49 % of the processor time it needed)"));
    free(others);
    free(room);
    free(threads);
    free(host);
    assert_non_null(strstr(busy, "The machine was busy (load 9.5 on 2 processors)"));
    assert_non_null(strstr(quiet, "The machine was quiet"));
    assert_non_null(strstr(old, "The machine was busy (load 9.5 on 2 processors)"));
    assert_null(strstr(own, "busy"));
    free(busy);
    free(quiet);
    free(old);
    free(own);
}

/* Of several targets those that the row is of. */
static void facts_are_those_of_the_target(void **state)
{
#define OF(target, facts)                                                                      \
    "{\"iosweep\":\"1\",\"run\":{\"targets\":[{\"target\":\"/a\"},{\"target\":\"" target       \
    "\"" facts                                                                                 \
    "}]},\"rows\":[{\"size_bytes\":4096,\"op_ns_median\":100000,\"latency_ns_p50\":95000,"     \
    "\"throughput_bytes_per_s\":4e7,\"test\":\"read\",\"target\":\"/x\",\"cache\":\"direct\"," \
    "\"threads\":1,\"depth\":1,\"notes\":\"\"}]}\n"
    static const char *const cases[][2] = {
        {OF("/x", ",\"rotational\":true"), "/x is a hard disk that answers from a cache"},
        {OF("/y", ",\"rotational\":true"), "/x answers like an SSD: "},
        {OF("/x", ",\"network_options\":\"vers=4.2\""), "/x answers like a file server nearby"},
        {OF("/x", ",\"in_memory\":true"), "/x is memory, with no device behind it: 4 KiB reads"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char *told = judged(cases[i][0]);
        if (!strstr(told, cases[i][1]))
            fail_msg("no \"%s\" in %s", cases[i][1], told);
        free(told);
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_of_a_row_agree),
        cmocka_unit_test(panels_hold_no_more_than_can_be_told_apart),
        cmocka_unit_test(many_rows_are_chosen_from),
        cmocka_unit_test(many_notes_are_counted),
        cmocka_unit_test(notes_have_a_meaning),
        cmocka_unit_test(rows_that_tell_nothing_of_the_device_are_not_judged),
        cmocka_unit_test(rows_cut_short_are_counted),
        cmocka_unit_test(paths_are_those_of_notes_and_caches),
        cmocka_unit_test(uncached_writes_are_not_of_the_device),
        cmocka_unit_test(words_of_title_and_about),
        cmocka_unit_test(a_team_is_named),
        cmocka_unit_test(one_note_is_told),
        cmocka_unit_test(a_limit_is_told),
#ifdef HAVE_JANSSON
        cmocka_unit_test(others_are_judged_as_by_the_run),
        cmocka_unit_test(facts_are_those_of_the_target),
#endif
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
