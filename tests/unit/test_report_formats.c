/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* Reports as Markdown: what they contain of a known file, and that no text of a file becomes
 * markup. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/compare_print.h"
#include "analysis/report/report.h"
#include "analysis/report/report_facts.h"
#include "analysis/report/report_notes.h"
#include "base/mem.h"

/* What a format makes of files with those texts, two at most; to free. */
static char *write_reports(const struct report_format *format, const char *const *texts,
                           unsigned files)
{
    struct report_files read = {.count = 0};
    struct error err = ERROR_INIT;
    struct report report;
    char names[2][32] = {"old.XXXXXX", "new.XXXXXX"}, *out = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&out, &length);

    for (unsigned i = 0; i < files; i++) {
        const int fd = mkstemp(names[i]);
        assert_true(fd >= 0);
        assert_true(write(fd, texts[i], strlen(texts[i])) == (ssize_t)strlen(texts[i]));
        close(fd);
        assert_int_equal(report_read(names[i], &read, &err), 0);
        unlink(names[i]);
    }
    assert_int_equal(
        report_make(read.file, read.count, format->rows_max, REPORT_DATA_AUTO, &report, &err), 0);
    format->write(&report, stream);
    fclose(stream);
    report_free(&report);
    report_free_files(&read);
    return out;
}

/* Of a file with that text (and of another one, with the same). */
static char *write_report(const struct report_format *format, const char *text, unsigned files)
{
    const char *const texts[] = {text, text};

    return write_reports(format, texts, files);
}

static void expect(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("no \"%s\" in\n%s", part, text);
}

#define HEAD                                                                                  \
    "size_bytes,op_ns_median,op_ns_low,op_ns_high,latency_ns_p50,latency_ns_p99,test,target," \
    "notes,label\n"
#define TWO HEAD "4096,2000,1900,2100,1800,9000,read,/x,cache_hits;wide,\n8192,4000,,,,,read,/x,,\n"

static void figures_of_markdown(void **state)
{
    char *text = write_report(&report_md, TWO, 1);

    (void)state;
    expect(text, "### read on /x\n");
    expect(text, "| size | time/op | \xc2\xb1 | throughput | rate | p50 | p99 | notes |\n"
                 "|---:|---:|---:|---:|---:|---:|---:|---|\n"
                 "| 4 KiB | 2.00 us | 5.0 % | 2.05 GB/s | 500 k/s | 1.80 us | 9.00 us | "
                 "cache_hits, wide |\n"
                 "| 8 KiB | 4.00 us | \xe2\x80\x93 | 2.05 GB/s | 250 k/s | \xe2\x80\x93 | "
                 "\xe2\x80\x93 |  |\n");
    expect(text, "results of --format json do");
    free(text);
    text = write_report(&report_md, HEAD "1,5,,,,,stat,/x,,\n", 1); /* moves no data */
    expect(text, "| size | time/op | \xc2\xb1 | rate | p50 | p99 | notes |\n");
    free(text);
    text = write_report(&report_md, TWO, 2);
    expect(text, "| curve | size |");
    expect(text, "| read | 8 KiB | 4.00 us | 4.00 us | +0.0 % | \xe2\x80\x93 | no verdict |\n");
    free(text);
}

static void texts_of_markdown(void **state)
{
    static const struct {
        const char *label, *shown;
    } rows[] = {
        {"a|b", "a\\|b"},
        {"<b>&amp;", "&lt;b&gt;&amp;amp;"},
        {"`x` *y* [z](w) ~~v~~ $u$", "\\`x\\` \\*y\\* \\[z\\](w) \\~\\~v\\~\\~ \\$u\\$"},
        {"@me #1", "@<!-- -->me \\#<!-- -->1"},
        {"a_b _c_", "a_b \\_c\\_"},
        {"-a -b", "\\-a -b"}, /* a list begins so */
        {"+a +b", "\\+a +b"},
        {"1. a 2. b", "1\\. a 2. b"},
        {"\x1b[1m", "\\\\x1b\\[1m"},
        {"a\\b", "a\\\\x5cb"}, /* as names of curves are shown everywhere */
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char *file =
            mem_printf(HEAD "1,1,,,,,read,/x,,%s\n1,2,,,,,read,/x,,other\n", rows[i].label);
        char *text = write_report(&report_md, file, 1);
        char *line = mem_printf("| %s | 1 B |", rows[i].shown);
        expect(text, line);
        free(line);
        free(text);
        free(file);
    }
}

/* A note has its meaning and what to do behind it, where there are any. */
static void notes_of_markdown(void **state)
{
    size_t weight;
    const struct report_meaning *wide = report_meaning("wide", 4, &weight);
    char *text = write_report(&report_md, HEAD "4096,2000,,,,,read,/x,wide;odd,\n", 1);
    char *line = mem_printf("- **wide** (1 row, 4 KiB): %.20s", wide->meaning);

    (void)state;
    expect(text, line);
    expect(text, wide->advice + strlen(wide->advice) - 10);
    expect(text, "- **odd** (1 row, 4 KiB)\n");
    free(line);
    free(text);
    text = write_report(&report_md, TWO, 2);
    assert_non_null(strstr(text, "#### old."));
    assert_non_null(strstr(text, " \342\206\222 new."));
    free(text);
}

#ifdef HAVE_JANSSON
/* The command stands in a fence that nothing in it ends; a finding stands before all figures, with
 * a line between. */
static void command_and_findings_of_markdown(void **state)
{
#define OF(command)                                                                    \
    "{\"iosweep\":\"1\",\"run\":{\"command\":\"" command "\"},\"rows\":["              \
    "{\"size_bytes\":4096,\"op_ns_median\":100000,\"test\":\"read\",\"notes\":\"\"}]," \
    "\"findings\":[\"it is slow\"]}\n"
    char *text = write_report(&report_md, OF("iosweep -b"), 1);

    (void)state;
    expect(text, "\n```sh\niosweep -b\n```\n");
    expect(text, "\n\n- it is slow\n\n");
    free(text);
    text = write_report(&report_md, OF("iosweep ```x"), 1);
    expect(text, "\n````sh\niosweep ```x\n````\n");
    free(text);
}
#endif

/* Throughput is computed from all of the time of the row, not from the median round. */
static void throughput_is_that_of_the_file(void **state)
{
    static const char rows[] = "size_bytes,operations,time_s,throughput_bytes_per_s,op_ns_median,"
                               "op_ns_low,op_ns_high,test\n"
                               "4096,1000,0.004,1024000000,2000,1900,2100,read\n";
    char *text = write_report(&report_md, rows, 1);

    (void)state;
    expect(text, "| 4 KiB | 2.00 us | 5.0 % | 1.02 GB/s | 250 k/s |");
    free(text);
}

#define RECORDS                                                                      \
    "ended_s,interval_s,test,throughput_bytes_per_s,latency_ns_mean,latency_ns_p50," \
    "latency_ns_p99,size_bytes,operations,finished\n"

static void courses_over_time(void **state)
{
    const char *const texts[] = {TWO, RECORDS "1,1,read,1e6,3000,2000,9000,4096,10,10\n"
                                              "2,1,read,4e6,3000,2500,8000,4096,10,20\n"
                                              "3.9,1,read,2e6,3000,2000,7000,4096,10,30\n"};
    char *text = write_reports(&report_md, texts, 2);

    (void)state;
    expect(text, "#### read: throughput over time\n");
    expect(text, "| 4 KiB | 3 | 1.00 MB/s | 2.33 MB/s | 4.00 MB/s | 9.00 us | "
                 "\342\226\203\342\226\210\342\226\205 |\n");
    free(text);
    text = write_reports(&report_html, texts, 2);
    expect(text, "p50; dotted: p99");
    free(text);
}

/* A line ends far above what was measured where the largest size is small; and where it is not. */
static void bandwidth_is_not_made_up(void **state)
{
    char *text = write_report(&report_html,
                              "size_bytes,op_ns_median,test\n4096,100004,read\n8192,100008,read\n"
                              "16384,100016,read\n32768,100032,read\n",
                              1);

    (void)state;
    expect(text, "<p class=\"after\">The bandwidth of 1 curve is left out: ");
    assert_null(strstr(text, ">bandwidth [MB/s]"));
    free(text);
    text = write_report(&report_html,
                        "size_bytes,op_ns_median,test\n4096,5096,read\n65536,66536,read\n"
                        "1048576,1049576,read\n16777216,16778216,read\n",
                        1);
    expect(text, "<td>1000</td>"); /* MB/s */
    assert_null(strstr(text, "is left out"));
    free(text);
}

/* Shown with its ends, whole in the facts, and never as another of the same ends. */
static void long_names_are_shortened(void **state)
{
    char name[2][301], *file, *text;
    const struct report_format *const formats[] = {&report_html, &report_md};

    (void)state;
    for (int i = 0; i < 2; i++) {
        memset(name[i], 'a', 300);
        memcpy(name[i] + 50, i ? "one" : "two", 3);
        name[i][300] = '\0';
    }
    file = mem_printf("size_bytes,op_ns_median,test,target\n1,5,read,%s\n1,6,read,%s\n", name[0],
                      name[1]);
    for (int i = 0; i < 2; i++) {
        char *title, *end;
        text = write_report(formats[i], file, 1);
        expect(text, name[0]);
        expect(text, name[1]);
        title = strstr(text, "read on aaaa");
        end = strchr(title, '\n');
        assert_true(end - title < 400);
        expect(text, "\342\200\246aaaaaaaaaaaaaaaaaaaaaaaaaaaa");
        expect(text, " and aaaa");
        free(text);
    }
    free(file);
}

static void words_of_comparisons(void **state)
{
    static const struct {
        double ratio, low, high;
        const char *text;
    } rows[] = {
        {1.042, 0.99, 1.1, "+4.2 %, -1.0 % to +10.0 %"},
        {1.3, 0.88, 3.4, "x1.30, x0.880 to x3.40"}, /* one unit in all of it */
        {0.6, 0.4, 0.9, "x0.600, x0.400 to x0.900"},
        {10, 9.9, 10.25, "x10.0, x9.90 to x10.2"},
        {5270, 977, 12345.6, "x5270, x977 to x12346"},
        {0.001, 0.0000123, 0.5, "x0.00100, x0.0000123 to x0.500"},
        {1.5, NAN, NAN, "+50.0 %, - to -"},
        {3, NAN, NAN, "x3.00, - to -"},
        {NAN, NAN, NAN, "-, - to -"},
    };
    char text[100];

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct compare_judgement is = {
            .ratio = rows[i].ratio, .low = rows[i].low, .high = rows[i].high};
        char *ratio = compare_ratio_text(is.ratio, compare_in_factors(&is));
        char *low = compare_ratio_text(is.low, compare_in_factors(&is));
        char *high = compare_ratio_text(is.high, compare_in_factors(&is));
        snprintf(text, sizeof(text), "%s, %s to %s", ratio, low, high);
        assert_string_equal(text, rows[i].text);
        free(ratio);
        free(low);
        free(high);
    }
    assert_string_equal(report_outcome(&(struct compare_judgement){.verdict = COMPARE_SLOWER}),
                        "slower");
    assert_string_equal(report_outcome(&(struct compare_judgement){.verdict = COMPARE_UNKNOWN}),
                        "no verdict");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_of_markdown),
        cmocka_unit_test(texts_of_markdown),
        cmocka_unit_test(notes_of_markdown),
#ifdef HAVE_JANSSON
        cmocka_unit_test(command_and_findings_of_markdown),
#endif
        cmocka_unit_test(throughput_is_that_of_the_file),
        cmocka_unit_test(courses_over_time),
        cmocka_unit_test(bandwidth_is_not_made_up),
        cmocka_unit_test(long_names_are_shortened),
        cmocka_unit_test(words_of_comparisons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
