/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_report.c - the model of a report: what it chooses and counts. */
#include "base/compat.h"

#include "results_fixture.h"

#include "analysis/report/report.h"
#include "analysis/report/report_notes.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_of_a_row_agree),
        cmocka_unit_test(panels_hold_no_more_than_can_be_told_apart),
        cmocka_unit_test(many_rows_are_chosen_from),
        cmocka_unit_test(notes_have_a_meaning),
        cmocka_unit_test(one_note_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
