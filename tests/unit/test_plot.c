/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_plot.c - programs for gnuplot: the data in them, axes and units, what is said in titles and
 * legends, and that no name can become a command.  Nothing is run. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/plot/plot.h"
#include "analysis/plot/plot_parts.h"
#include "base/mem.h"

static const struct plot_request pictures = {
    .device = PLOT_SVG, .throughput = true, .time = true, .fit = true};

/* Results as they are read from a file of that text, which is removed again. */
static void read_text(const char *text, struct results *results)
{
    char name[] = "test_plot.XXXXXX";
    struct error err = ERROR_INIT;
    const int fd = mkstemp(name);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    assert_int_equal(results_read(name, results, &err), 0);
    unlink(name);
}

/* The program for one or two files of that text; NULL when it is refused.  Free it. */
static char *program_for(const char *first, const char *second, const struct plot_request *request,
                         struct plot_summary *summary, struct error *err)
{
    struct results files[2];
    const size_t count = second ? 2 : 1;
    char *program = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&program, &size);
    int result;

    assert_non_null(stream);
    read_text(first, &files[0]);
    if (second)
        read_text(second, &files[1]);
    result = plot_write(files, count, request, stream, summary, err);
    fclose(stream);
    for (size_t i = 0; i < count; i++)
        results_free(&files[i]);
    if (result == 0)
        return program;
    assert_int_equal(size, 0);
    free(program);
    return NULL;
}

static char *program_of(const char *text, const struct plot_request *request)
{
    struct plot_summary summary;
    struct error err = ERROR_INIT;
    char *program = program_for(text, NULL, request, &summary, &err);
    assert_non_null(program);
    return program;
}

#define HEADER                                                                    \
    "size_bytes,operations,time_s,op_ns_median,op_ns_low,op_ns_high,test,target," \
    "engine,cache,threads,depth,notes,label\n"

static const char *const curve =
    HEADER "512,100,0.0001,1000,990,1030,read,/data,posix,cached,1,1,,\n"
           "1024,100,0.0001,1000,,,read,/data,posix,cached,1,1,,\n"
           "2048,0,,,,,read,/data,posix,cached,1,1,skipped:beyond_file,\n"
           "4096,100,0.0002,2000,2000,2000,read,/data,posix,cached,1,1,,\n"
           "8192,100,0.0004,4000,4000,4000,read,/data,posix,cached,1,1,,\n"
           "16384,100,0.0008,8000,8000,8000,read,/data,posix,cached,1,1,,\n";

/* Latency is latency, not 1 / rate: at depth 64 the median is 64 times the time per operation.  The
 * band ends where no 99th percentile is known, the curve goes on. */
static void test_latency(void **state)
{
    static const char *const text =
        "size_bytes,op_ns_median,depth,latency_ns_p50,latency_ns_p99,test\n"
        "512,1000,64,64000,90000,stat\n"
        "1024,1100,64,70000,95000,stat\n"
        "2048,1200,64,77000,,stat\n"
        "4096,1300,64,,,stat\n"
        "512,900,1,910,2000,stat\n"
        "1024,901,1,911,2001,stat\n"
        "512,800,2,,,stat\n";
    struct plot_request request = {.device = PLOT_SVG, .latency = true, .fit = true};
    struct plot_summary summary;
    struct error err = ERROR_INIT;
    char *program = program_for(text, NULL, &request, &summary, &err);
    (void)state;
    assert_non_null(program);
    assert_int_equal(summary.curves, 2);
    assert_int_equal(summary.no_latency, 1);
    assert_int_equal(summary.lines, 0);
    assert_non_null(strstr(program, "512 NaN NaN NaN 1000 1000 1000 64000\n"));
    assert_non_null(strstr(program, "4096 NaN NaN NaN 1300 1300 1300 NaN\n"));
    assert_non_null(strstr(program, "$l0 << EOD\n512 64000 90000\n1024 70000 95000\n\n\nEOD\n"));
    assert_non_null(strstr(program, "$c0 using 1:8 with linespoints"));
    assert_non_null(strstr(program, "$l0 using 1:2:3 with filledcurves"));
    assert_non_null(strstr(program, "set title 'latency (p50)'"));
    assert_non_null(strstr(program, "'up to p99'"));
    assert_null(strstr(program, "time per operation"));
    free(program);
    request.map = true;
    program = program_of(text, &request);
    assert_non_null(
        strstr(program, "$m0 << EOD\n0 0 910\n1 0 911\n0 1 64000\n1 1 70000\n2 1 77000\n"));
    assert_non_null(strstr(program, "'latency (p50), lighter is slower'"));
    free(program);
    request =
        (struct plot_request){.device = PLOT_TEXT, .latency = true, .columns = 80, .lines = 24};
    program = program_of(text, &request);
    assert_non_null(strstr(program, "set title 'latency (p50) (iosweep, stat, 1 thread)'"));
    assert_non_null(strstr(program, "set label 'A  depth 64' at character 2,0 left"));
    assert_non_null(strstr(program, "$c1 using 1:8 with linespoints pt 2 notitle"));
    assert_null(strstr(program, "$l0"));
    free(program);
    assert_null(program_for(curve, NULL, &request, &summary, &err));
    assert_int_equal(err.status, STATUS_USAGE);
    assert_non_null(strstr(err.action, "no latencies"));
    assert_non_null(strstr(err.advice, "--what time"));
}

/* The band up to p99 begins where that up to p90 ends, so that either has its shade wherever the
 * other one is not known. */
static void bands_do_not_overlap(void **state)
{
    static const struct plot_request request = {.device = PLOT_SVG, .latency = true};
    char *program =
        program_of("size_bytes,op_ns_median,latency_ns_p50,latency_ns_p90,latency_ns_p99\n"
                   "512,1000,10,20,30\n"
                   "1024,1000,11,,31\n"
                   "2048,1000,12,22,\n",
                   &request);
    double low = 0, high = 0;
    (void)state;
    assert_int_equal(sscanf(strstr(program, "set yrange ["), "set yrange [%lf:%lf]", &low, &high),
                     2);
    assert_true(low <= 10 && high >= 31);
    assert_non_null(strstr(program, "$l0 << EOD\n512 20 30\n1024 11 31\n\nEOD\n"));
    assert_non_null(strstr(program, "$n0 << EOD\n512 10 20\n\n2048 12 22\nEOD\n"));
    free(program);
}

/* Each is told from all others, so there is an end before it takes for ever. */
static void test_too_many(void **state)
{
    struct plot_request requests[] = {pictures, pictures};
    (void)state;
    requests[1].map = true;
    for (size_t r = 0; r < 2; r++)
        for (int extra = 0; extra < 2; extra++) {
            const int count = PLOT_CURVES_MAX + extra;
            struct plot_summary summary;
            struct error err = ERROR_INIT;
            char *text = NULL, *program;
            size_t size = 0;
            FILE *stream = open_memstream(&text, &size);
            assert_non_null(stream);
            fputs("size_bytes,op_ns_median,depth\n", stream);
            for (int i = 1; i <= count; i++)
                fprintf(stream, "512,1000,%d\n1024,1100,%d\n", i, i);
            fclose(stream);
            program = program_for(text, NULL, &requests[r], &summary, &err);
            if (extra == 0) {
                assert_non_null(program);
            } else {
                assert_null(program);
                assert_int_equal(err.status, STATUS_USAGE);
                assert_non_null(strstr(err.action, "301 curves are too many"));
                assert_non_null(strstr(err.advice, "at most 300"));
            }
            free(program);
            free(text);
        }
}

static void test_data(void **state)
{
    char *program = program_of(curve, &pictures);
    double last = 0;
    (void)state;
    /* size, throughput, slowest and fastest of it, time, low, high */
    assert_non_null(strstr(program, "$c0 << EOD\n"
                                    "512 512000000 497087379 517171717 1000 990 1030\n"
                                    "1024 1.024e+09 1.024e+09 1.024e+09 1000 1000 1000\n"
                                    "4096 2.048e+09 2.048e+09 2.048e+09 2000 2000 2000\n"
                                    "8192 2.048e+09 2.048e+09 2.048e+09 4000 4000 4000\n"
                                    "16384 2.048e+09 2.048e+09 2.048e+09 8000 8000 8000\n"
                                    "EOD\n"));
    assert_non_null(strstr(program, "$k0 << EOD\n4096 2.048e+09\nEOD\n"));
    assert_non_null(strstr(program, "$f0 << EOD\n512 "));
    for (const char *line = strstr(program, "$f0 << EOD\n") + 11; *line != 'E';
         line = strchr(line, '\n') + 1) /* within what was measured, up to its end */
        last = *line == '\n' ? last : strtod(line, NULL);
    assert_true(fabs(last - 16384) < 1);
    assert_non_null(strstr(program, "'fit: t0 + size / bandwidth'"));
    assert_non_null(strstr(program, "'90 % of the best throughput'"));
    assert_non_null(strstr(program, "'4 KiB' 4096"));
    assert_non_null(strstr(program, "'1 GB/s' 1000000000"));
    assert_non_null(strstr(program, "'5 us' 5000"));
    assert_non_null(strstr(program, "'iosweep: /data'"));
    assert_non_null(strstr(program, "'read, cached, posix, 1 thread, depth 1'"));
    assert_non_null(strstr(program, "'median and its 95 % interval'"));
    free(program);
}

static void test_choices(void **state)
{
    struct plot_request request = pictures;
    char *program;
    (void)state;
    request.fit = false;
    program = program_of(curve, &request);
    assert_null(strstr(program, "$f0"));
    assert_null(strstr(program, "$k0"));
    assert_null(strstr(program, "fit:"));
    free(program);
    request = pictures;
    request.time = false;
    program = program_of(curve, &request);
    assert_non_null(strstr(program, "set title 'throughput'"));
    assert_null(strstr(program, "set title 'time per operation'"));
    free(program);
    request.device = PLOT_TEXT;
    request.columns = 72;
    request.lines = 21;
    program = program_of(curve, &request);
    assert_non_null(strstr(program, "set terminal dumb 72,21 noenhanced mono\n"));
    assert_null(strstr(program, "multiplot"));
    assert_null(strstr(program, "$f0"));
    free(program);
    request.device = PLOT_PNG;
    program = program_of(curve, &request);
    assert_non_null(strstr(program, "set terminal pngcairo noenhanced size 900,600 "));
    free(program);
    request.device = PLOT_PDF;
    program = program_of(curve, &request);
    assert_non_null(strstr(program, "set terminal pdfcairo noenhanced size 9.375in,6.250in "));
    free(program);
}

/* Tests that move no data have a time and no throughput, whatever was asked for. */
static void test_without_throughput(void **state)
{
    static const char *const rows = "512,100,0.0001,1000,990,1030,list,/data,s3,asis,1,1,,\n"
                                    "1024,100,0.0001,1000,,,list,/data,s3,asis,1,1,,\n";
    struct plot_request throughput = pictures;
    struct plot_summary summary;
    struct error err = ERROR_INIT;
    char *both = mem_printf("%s%s", curve, rows), *alone = mem_printf(HEADER "%s", rows);
    char *program = program_for(both, NULL, &pictures, &summary, &err);

    (void)state;
    throughput.time = false;
    assert_true(summary.curves == 2 && summary.timed == 1 && summary.left_out == 0);
    assert_non_null(strstr(program, "512 NaN NaN NaN 1000 990 1030\n"));
    assert_null(strstr(program, "$c1 using 1:2"));
    assert_non_null(strstr(program, "$c1 using 1:5"));
    assert_null(strstr(program, "$f1"));
    free(program);
    program = program_for(both, NULL, &throughput, &summary, &err);
    assert_true(summary.curves == 1 && summary.timed == 0 && summary.left_out == 1);
    assert_null(strstr(program, "NaN"));
    free(program);
    program = program_for(alone, NULL, &throughput, &summary, &err);
    assert_true(summary.curves == 1 && summary.timed == 1);
    assert_null(strstr(program, "using 1:2"));
    assert_non_null(strstr(program, "$c0 using 1:5"));
    free(program);
    free(both);
    free(alone);
}

/* Two files of the same: the legend names the files,
 * and each curve has its own colour and point. */
static void test_overlay(void **state)
{
    struct plot_summary summary;
    struct error err = ERROR_INIT;
    char *program = program_for(curve, HEADER "4096,10,1,,,,read,/other,posix,direct,1,4,,x\n",
                                &pictures, &summary, &err);
    (void)state;
    assert_non_null(program);
    assert_int_equal(summary.curves, 2);
    assert_int_equal(summary.lines, 1);
    assert_non_null(strstr(program, " /data cached depth 1'"));
    assert_non_null(strstr(program, " /other direct depth 4 x'"));
    assert_non_null(strstr(program, "$c1 << EOD\n4096 40960 40960 40960 100000000 "));
    assert_non_null(strstr(program, "lc rgb '#0072B2' lw 1.4 dt 1 pt 7"));
    assert_non_null(strstr(program, "lc rgb '#D55E00' lw 1.4 dt 1 pt 5"));
    assert_non_null(strstr(program, "'iosweep'"));
    free(program);
}

/* Every line of the program that is not data begins with a word of ours, and whatever a name holds
 * stands between single quotes. */
static void check_words(const char *program)
{
    static const char *const words[] = {"#", "set ", "unset ", "plot ", "     $", "$", "EOD", NULL};
    bool data = false;
    for (const char *line = program; *line != '\0'; line = strchr(line, '\n') + 1) {
        const size_t length = strcspn(line, "\n");
        unsigned quotes = 0, w = 0;
        assert_int_equal(line[length], '\n');
        if (data) {
            assert_true(strspn(line, "0123456789.e+- kMGTmunsB/sNaEOD") == length);
            data = strncmp(line, "EOD\n", 4) != 0;
            continue;
        }
        while (words[w] && strncmp(line, words[w], strlen(words[w])) != 0)
            w++;
        assert_non_null(words[w]);
        for (size_t i = 0; i < length; i++) {
            assert_true((unsigned char)line[i] >= 0x20);
            quotes += line[i] == '\'';
        }
        assert_int_equal(quotes % 2, 0);
        data = length > 6 && memcmp(line + length - 6, "<< EOD", 6) == 0;
    }
    assert_false(data);
}

static void test_hostile(void **state)
{
    static const char *const names[] = {
        "it's",
        "a ' ; system 'x' ; '",
        "back\\slash\\",
        "@macro $x `touch y`",
        "{/Symbol a}_b^c",
        "EOD\nEOD",
        "two\n!lines",
        "\xff\xc3",
        "\"\"quoted\"\"",
        "%s%n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        for (int only = 0; only < 2; only++) {
            char text[1024], *program;
            snprintf(text, sizeof(text),
                     "%s4096,10,1,,,,read,\"%s\",posix,cached,1,1,,\"%s\"\n"
                     "4096,10,1,,,,read,\"%s\",posix,cached,1,1,,\"%s\"\n",
                     HEADER, names[i], names[i], only ? names[i] : "z", names[i]);
            program = program_of(text, &pictures);
            check_words(program);
            free(program);
        }
}

static void test_map(void **state)
{
    static const char *const text = HEADER "4096,10,0.001,,,,read,/data,io_uring,direct,1,8,,\n"
                                           "4096,10,0.01,,,,read,/data,io_uring,direct,1,1,,\n"
                                           "65536,10,0.1,,,,read,/data,io_uring,direct,1,1,,\n"
                                           "65536,10,0.1,,,,write,/data,io_uring,direct,1,1,,\n";
    struct plot_request request = pictures;
    struct plot_summary summary;
    struct error err = ERROR_INIT;
    char *program;
    (void)state;
    request.map = true;
    request.time = false;
    program = program_for(text, NULL, &request, &summary, &err);
    assert_non_null(program);
    check_words(program);
    assert_int_equal(summary.curves, 1); /* writes have no two of anything */
    /* column, line, value; nothing where nothing was measured; depths rise */
    assert_non_null(strstr(program, "$m0 << EOD\n0 0 4096000\n1 0 6553600\n0 1 40960000\nEOD\n"));
    assert_non_null(strstr(program, "0 1 41.0 MB/s\n"));
    assert_non_null(strstr(program, "set xtics ('4 KiB' 0, '64 KiB' 1)\n"));
    assert_non_null(strstr(program, "set ytics ('1' 0, '8' 1)\nset xlabel 'I/O size' "));
    assert_non_null(strstr(program, "set label 'depth' at screen "));
    assert_non_null(strstr(program, "set title 'throughput, lighter is faster'"));
    free(program);
    request.time = true;
    request.throughput = false;
    program = program_of(text, &request);
    assert_non_null(strstr(program, "$m0 << EOD\n0 0 1000000\n1 0 10000000\n0 1 100000\nEOD\n"));
    assert_non_null(strstr(program, "1 0 10.0 ms\n"));
    free(program);
}

static void test_map_of_threads(void **state)
{
    struct plot_request request = pictures;
    char *program;
    (void)state;
    request.map = true;
    request.time = false;
    program = program_of(HEADER "4096,10,0.001,,,,read,/data,posix,direct,4,1,,\n"
                                "4096,10,0.01,,,,read,/data,posix,direct,2,1,,\n"
                                "65536,10,0.1,,,,read,/data,posix,direct,2,1,,\n",
                         &request);
    assert_non_null(strstr(program, "set ytics ('2' 0, '4' 1)\n"));
    assert_non_null(strstr(program, "set label 'threads' at screen "));
    free(program);
}

/* One word has the colours and another one the points: two files of two tests. */
static void files_have_colours_and_tests_points(void **state)
{
    static const char *const both = HEADER "512,1,,1000,,,read,/d,posix,direct,1,1,,\n"
                                           "512,1,,1100,,,write,/d,posix,direct,1,1,,\n";
    struct plot_request request = {.device = PLOT_SVG, .throughput = true};
    struct plot_summary summary;
    struct error err = ERROR_INIT;
    char *program = program_for(both, both, &request, &summary, &err);
    (void)state;
    assert_true(summary.curves == 4 && !summary.repeats);
    assert_non_null(
        strstr(program, "$c0 using 1:2 with linespoints lc rgb '#0072B2' lw 1.4 dt 1 pt 7"));
    assert_non_null(
        strstr(program, "$c1 using 1:2 with linespoints lc rgb '#0072B2' lw 1.4 dt 1 pt 5"));
    assert_non_null(
        strstr(program, "$c2 using 1:2 with linespoints lc rgb '#D55E00' lw 1.4 dt 2 pt 7"));
    assert_non_null(
        strstr(program, "$c3 using 1:2 with linespoints lc rgb '#D55E00' lw 1.4 dt 2 pt 5"));
    free(program);
}

static void cache_states_keep_their_colours(void **state)
{
    static const struct plot_request request = {.device = PLOT_SVG, .throughput = true};
    static const char *const orders[] = {
        HEADER
        "512,1,,1000,,,read,/d,posix,direct,1,1,,\n512,1,,1100,,,read,/d,posix,cached,1,1,,\n",
        HEADER
        "512,1,,1000,,,read,/d,posix,cached,1,1,,\n512,1,,1100,,,read,/d,posix,direct,1,1,,\n"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        char *program = program_of(orders[i], &request);
        const char *cached = strstr(program, i == 0 ? "$c1 using 1:2" : "$c0 using 1:2");
        assert_non_null(cached);
        assert_non_null(strstr(cached, " lc rgb '#0072B2' lw 1.4 dt 1 pt 7"));
        free(program);
    }
}

static unsigned count_of(const char *text, const char *word)
{
    unsigned count = 0;
    for (; (text = strstr(text, word)) != NULL; text += strlen(word))
        count++;
    return count;
}

/* 2 tests, 2 cache states and 3 depths: a panel for each test and cache state, with axes that are
 * alike, depths from light to dark in all of them, no lines of fits, and one legend. */
static void many_curves_get_panels(void **state)
{
    struct plot_request request = {.device = PLOT_SVG, .throughput = true, .fit = true};
    struct plot_summary summary;
    struct error err = ERROR_INIT;
    char *text = mem_strdup(HEADER), *program;
    (void)state;
    for (int i = 0; i < 12 * 4; i++) {
        char *longer = mem_printf("%s%d,1,,%d,,,%s,/d,io_uring,%s,1,%d,,\n", text, 4096 << i % 4,
                                  1000 + i, i / 4 % 2 ? "read" : "write",
                                  i / 8 % 2 ? "direct" : "cached", 1 << 2 * (i / 16));
        free(text);
        text = longer;
    }
    program = program_for(text, NULL, &request, &summary, &err);
    assert_non_null(program);
    assert_true(summary.curves == 12 && summary.lines == 0 && !summary.repeats);
    assert_int_equal(count_of(program, "\nplot "), 4);
    assert_non_null(strstr(program, "set title 'write cached: throughput'"));
    assert_non_null(strstr(program, "set title 'read direct: throughput'"));
    assert_int_equal(count_of(program, "set label 'depth 16' "), 1);
    assert_null(strstr(program, "set label 'read"));
    assert_int_equal(count_of(program, "lc rgb '#440154' lw 1.4 dt 1 pt 9"), 4);
    assert_int_equal(count_of(program, "set xlabel 'I/O size'"), 2);
    check_words(program);
    free(program);
    request =
        (struct plot_request){.device = PLOT_TEXT, .throughput = true, .columns = 80, .lines = 24};
    program = program_for(text, NULL, &request, &summary, &err);
    assert_int_equal(count_of(program, "\nplot "), 4);
    assert_int_equal(count_of(program, "'C  depth 16'"), 4);
    free(program);
    free(text);
}

/* Panels without a curve have no place: three of throughput and time, and two of time alone, are
 * four lines of two. */
static void panels_without_curves_leave_no_gaps(void **state)
{
    static const char *const text = "size_bytes,op_ns_median,test\n512,1,read\n512,1,stat\n"
                                    "512,1,write\n512,1,list\n512,1,create\n";
    char *program = program_of(text, &pictures);
    (void)state;
    assert_int_equal(count_of(program, "\nplot "), 3 * 2 + 2);
    assert_int_equal(count_of(program, "set lmargin at screen 0.08667\n"), 4);
    assert_int_equal(count_of(program, "set lmargin at screen 0.58667\n"), 4);
    assert_int_equal(count_of(program, "set xlabel 'I/O size'"), 2);
    free(program);
}

/* Without --what: latency where each curve has it. */
static void latency_is_drawn_where_it_is_known(void **state)
{
    static const char *const known = "size_bytes,op_ns_median,latency_ns_p50\n512,1000,900\n";
    static const char *const unknown = "size_bytes,op_ns_median\n512,1000\n";
    struct plot_request request = {.device = PLOT_SVG, .throughput = true, .latency_or_time = true};
    struct plot_summary summary;
    struct error err = ERROR_INIT;
    char *program = program_for(known, NULL, &request, &summary, &err);
    (void)state;
    assert_non_null(strstr(program, "set title 'latency (p50)'"));
    assert_null(strstr(program, "time per operation"));
    free(program);
    program = program_for(known, unknown, &request, &summary, &err);
    assert_null(strstr(program, "set title 'latency"));
    assert_non_null(strstr(program, "set title 'time per operation (1 / rate)'"));
    assert_int_equal(summary.no_latency, 0);
    free(program);
}

static void test_refused(void **state)
{
    static const char *const skipped =
        HEADER "4096,0,,,,,read,/data,posix,direct,4,1,skipped:beyond_file,\n";
    struct plot_request request = pictures;
    struct plot_summary summary;
    struct error err = ERROR_INIT;
    char many[4096] = HEADER;
    (void)state;
    assert_null(program_for(skipped, NULL, &request, &summary, &err));
    assert_int_equal(err.status, STATUS_USAGE);
    assert_string_equal(err.action, "nothing was measured in");
    request.map = true;
    err = ERROR_INIT;
    assert_null(program_for(curve, NULL, &request, &summary, &err));
    assert_int_equal(err.status, STATUS_USAGE);
    assert_string_equal(err.action, "nothing to draw a map of in");
    for (int map = 0; map < 4; map++) /* 4 maps of 2 kinds */
        for (int row = 0; row < 4; row++) {
            const size_t used = strlen(many);
            snprintf(many + used, sizeof(many) - used, "%d,10,1,,,,read,/%d,posix,direct,1,%d,,\n",
                     4096 << row % 2, map, 1 << row / 2);
        }
    err = ERROR_INIT;
    assert_null(program_for(many, NULL, &request, &summary, &err));
    assert_string_equal(err.action, "too many maps for one picture:");
    request.time = false;
    err = ERROR_INIT;
    free(program_for(many, NULL, &request, &summary, &err));
    assert_int_equal(err.status, STATUS_OK);
    assert_int_equal(summary.curves, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_data),
        cmocka_unit_test(test_latency),
        cmocka_unit_test(bands_do_not_overlap),
        cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_choices),
        cmocka_unit_test(test_without_throughput),
        cmocka_unit_test(test_overlay),
        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_map),
        cmocka_unit_test(test_map_of_threads),
        cmocka_unit_test(files_have_colours_and_tests_points),
        cmocka_unit_test(cache_states_keep_their_colours),
        cmocka_unit_test(many_curves_get_panels),
        cmocka_unit_test(panels_without_curves_leave_no_gaps),
        cmocka_unit_test(latency_is_drawn_where_it_is_known),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
