/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_table.c - the table for users, as literal text, and its width on narrow terminals. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include "base/mem.h"
#include "out_fixture.h"
#include "report/formats/print.h"

static int set_up(void **state)
{
    fixture_init(&f);
    fixture_measure(&f, 0, 10000, 15200000); /* 1520 ns each: 1.32 MB/s */
    fixture_measure(&f, 1, 2000, 20000000);  /* 10 us each: 6.55 GB/s */
    fixture_measure(&f, 2, 100, 61000);      /* 610 ns each: 3.28 MB/s */
    fixture_measure(&f, 3, 1000, 1037000000);
    fixture_rounds(&f, 0, 1520, 19);
    fixture_rounds(&f, 1, 10000, 200);
    fixture_rounds(&f, 2, 610, 0);
    return 0;
}

static void set_up_again(void)
{
    tear_down(NULL);
    set_up(NULL);
}

static void print_rows(bool utf8, unsigned width, unsigned from, unsigned to)
{
    const struct format_options options = {.utf8 = utf8, .width = width};
    assert_int_equal(fixture_print(FORMAT_TABLE, &options, from, to), 0);
}

/* A second target beside /data. */
static void add_target(const char *label)
{
    static struct target other;
    static const struct target *const targets[] = {&f.target, &other};

    other = f.target;
    other.label = (char *)(uintptr_t)label;
    f.info.targets = targets;
}

static void test_ascii(void **state)
{
    f.results[1].notes = NOTE_WIDE;
    print_rows(false, 0, 0, 2);
    assert_string_equal(
        f.text, "write - page cache, not the device - posix - /data\n"
                "  size  operations  time/op          throughput     rate      p50      p99"
                "         notes\n"
                "   2 B       10000  1.52 us  +-1.2%   1.32 MB/s  658 k/s  1.52 us  1.52 us\n"
                "64 KiB        2000  10.0 us  +-2.0%   6.55 GB/s  100 k/s  10.0 us  10.0 us"
                "  #####  wide\n");
}

static void test_utf8(void **state)
{
    f.cells[0].work.size_bytes = 24000; /* the other is 41.5 % of it: 2 4/8 blocks of 6 */
    print_rows(true, 0, 0, 2);
    assert_string_equal(
        f.text, "write \xc2\xb7 page cache, not the device \xc2\xb7 posix \xc2\xb7 /data\n"
                "   size  operations  time/op         throughput     rate      p50      p99\n"
                "24000 B       10000  1.52 us  \xc2\xb1"
                "1.2%   15.8 GB/s  658 k/s  1.52 us  1.52 us"
                "  \xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\n"
                " 64 KiB        2000  10.0 us  \xc2\xb1"
                "2.0%   6.55 GB/s  100 k/s  10.0 us  10.0 us"
                "  \xe2\x96\x88\xe2\x96\x88\xe2\x96\x8f\n");
}

/* Intervals by their ends, also down to 0, and one that is just not wide. */
static void test_wide_intervals(void **state)
{
    fixture_rounds(&f, 0, 1520, 400);
    f.results[0].op_ns_low = 900;
    f.results[0].op_ns_high = 1520;
    f.results[1].op_ns_low = 0;
    f.results[1].op_ns_high = 110400;
    f.results[2].op_ns_low = 610 * 0.81;
    f.results[2].op_ns_high = 610 * 1.19;
    print_rows(false, 0, 0, 3);
    assert_non_null(strstr(f.text, " 1.5 us  0.9..1.5    1.3 MB/s"));
    assert_non_null(strstr(f.text, "  10 us      <110    6.6 GB/s"));
    assert_non_null(strstr(f.text, "+-19.0%   3.28 MB/s"));
    fixture_rounds(&f, 0, 997, 400); /* rounded to the next unit, that of the ends, too */
    f.results[0].op_ns_low = 224;
    f.results[0].op_ns_high = 1770;
    print_rows(false, 0, 0, 1);
    assert_non_null(strstr(f.text, " 1.0 us  0.2..1.8 "));
}

/* Skipped rows have the reason in place of the figures, and parts lack the same columns. */
static void test_parts_and_axes(void **state)
{
    f.cells[2].threads = f.cells[3].threads = 16;
    f.results[3].state = RESULT_SKIPPED;
    f.cells[3].skip = "beyond_file";
    print_rows(false, 0, 0, 4);
    assert_string_equal(
        f.text, "write - page cache, not the device - posix - /data\n"
                "  size  threads  time/op          throughput     rate      p50      p99\n"
                "   2 B        1  1.52 us  +-1.2%   1.32 MB/s  658 k/s  1.52 us  1.52 us\n"
                "64 KiB        1  10.0 us  +-2.0%   6.55 GB/s  100 k/s  10.0 us  10.0 us  #####\n"
                "\n"
                "read - page cache, not the device - posix - /data\n"
                "  size  threads  time/op          throughput      rate     p50     p99\n"
                "   2 B       16   610 ns  +-0.0%   3.28 MB/s  1.64 M/s  610 ns  610 ns  #####\n"
                "64 KiB       16  skipped:beyond_file\n");
}

/* Two thread counts are several values, so the column stays. */
static void test_two_threads(void **state)
{
    f.cells[2].threads = 2;
    print_rows(false, 0, 0, 2);
    assert_non_null(strstr(f.text, "  size  threads  time/op          throughput     rate "));
}

/* Each engine has its own figures next to its name, and the filled amount is in words. */
static void test_engines_and_filled(void **state)
{
    static struct engine other;
    other = f.engine;
    other.name = "pread";
    f.cells[1].engine = &other;
    f.cells[0].fills = true;
    f.cells[0].place_first = 2;
    f.cells[0].places = 1;
    f.cells[0].work.io_bytes = 65536;
    fixture_measure(&f, 0, 1, 1520);
    print_rows(false, 100, 0, 1);
    assert_non_null(strstr(f.text, "posix"));
    assert_non_null(strstr(strchr(f.text, '\n'), "posix"));
    assert_non_null(strstr(f.text, "192 KiB"));
}

/* Failures precede the notes, and a target's name is shown completely. */
static void test_failed_and_odd_names(void **state)
{
    add_target("\001\002");
    f.cells[1].target = 1;
    f.results[0].sum.tally.failed = 3;
    f.results[1].sum.tally.failed = 4;
    f.results[1].notes = NOTE_WIDE;
    print_rows(false, 120, 0, 2);
    assert_non_null(strstr(f.text, "errors:3\n"));
    assert_non_null(strstr(f.text, "errors:4;wide\n"));
    assert_non_null(strstr(f.text, "\\x01\\x02 "));
}

static void test_depths(void **state)
{
    f.cells[1].work.depth = 64;
    print_rows(false, 0, 0, 2);
    assert_string_equal(
        f.text, "write - page cache, not the device - posix - /data\n"
                "  size  depth  time/op          throughput     rate      p50      p99\n"
                "   2 B      1  1.52 us  +-1.2%   1.32 MB/s  658 k/s  1.52 us  1.52 us\n"
                "64 KiB     64  10.0 us  +-2.0%   6.55 GB/s  100 k/s  10.0 us  10.0 us  #####\n");
}

/* A depth common to all rows is in the heading, and the default depth is omitted. */
static void test_one_depth(void **state)
{
    for (unsigned i = 0; i < FIXTURE_ROWS; i++) {
        f.cells[i].work.depth = 32;
        f.cells[i].threads = 4;
    }
    print_rows(false, 0, 0, 1);
    assert_ptr_equal(
        strstr(f.text,
               "write - page cache, not the device - posix - 4 threads - depth 32 - /data\n"),
        f.text);
    assert_null(strstr(strchr(f.text, '\n'), "depth"));
}

/* A test that moves no data shows its rate, with bars for it. */
static void test_without_throughput(void **state)
{
    f.target.driver = &far_driver;
    f.cells[0].work.test = f.cells[1].work.test = TEST_STAT;
    print_rows(false, 0, 0, 2);
    assert_string_equal(
        f.text, "stat - posix - /data\n"
                "  size  operations  time/op          throughput     rate      p50      p99\n"
                "   2 B       10000  1.52 us  +-1.2%           -  658 k/s  1.52 us  1.52 us"
                "  #####\n"
                "64 KiB        2000  10.0 us  +-2.0%           -  100 k/s  10.0 us  10.0 us  #\n");
}

/* The cache is that of the rows on files: rows of an object store have none. */
static void test_cache_of_the_files(void **state)
{
    static struct target other;
    static const struct target *const targets[] = {&other, &f.target};
    other = f.target;
    other.label = (char *)(uintptr_t) "s3://b";
    other.driver = &far_driver;
    f.info.targets = targets;
    f.cells[0].work.cache = CACHE_ASIS;
    f.cells[1].target = 1;
    print_rows(false, 0, 0, 2);
    assert_ptr_equal(strstr(f.text, "write - files: page cache, not the device - posix\n"), f.text);
    f.cells[1].target = 0; /* the next part has none */
    print_rows(false, 0, 0, 2);
    assert_non_null(strstr(f.text, "\nwrite - posix - s3://b\n"));
}

static void test_notes_of_all_rows_are_told_once(void **state)
{
    f.results[1].notes = NOTE_WIDE | NOTE_OUTLIERS; /* a row's own */
    print_rows(false, 80, 0, 2);
    assert_null(strstr(f.text, "all:"));
    assert_non_null(strstr(f.text, "outliers;wide"));
    f.results[0].notes = NOTE_WIDE;
    print_rows(false, 80, 0, 2);
    assert_non_null(strstr(f.text, "  all: wide\n"));
    assert_null(strstr(strstr(f.text, "all: wide") + 9, "wide"));
    assert_non_null(strstr(strstr(f.text, "all: wide"), "outliers\n"));
}

static void test_rows_that_a_signal_left_without_figures_are_one_line(void **state)
{
    for (unsigned i = 1; i < FIXTURE_ROWS; i++) {
        fixture_measure(&f, i, 0, 0);
        f.results[i].state = RESULT_INCOMPLETE;
        f.results[i].stop = STOP_SIGNAL;
    }
    print_rows(false, 80, 0, FIXTURE_ROWS);
    assert_non_null(strstr(f.text, "\n3 rows not measured: interrupted\n"));
    assert_null(strstr(f.text, "incomplete"));
}

static void test_buffered_until_part_end(void **state)
{
    const struct format_options options = {.utf8 = false};
    struct error err = ERROR_INIT;
    struct sink sink;
    assert_int_equal(format_make(FORMAT_TABLE, f.stream, &options, &sink, &err), 0);
    assert_int_equal(sink.begin(sink.arg, &f.info, &err), 0);
    assert_int_equal(sink.row(sink.arg, &f.results[0], &err), 0);
    fflush(f.stream);
    assert_int_equal(f.text_size, 0);
    assert_int_equal(sink.end(sink.arg, &err), 0); /* an interruption loses no row */
    assert_non_null(strstr(f.text, "1.52 us"));
    format_free(&sink);
}

/* Width of the longest line in columns. */
static unsigned widest_line(void)
{
    unsigned widest = 0;
    char *copy = strdup(f.text), *rest = NULL;
    for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        unsigned width = print_width(line);
        widest = width > widest ? width : widest;
    }
    free(copy);
    return widest;
}

/* Whether the first line with figures has that column; the half width has an empty heading. */
static bool shows(const char *word)
{
    return strstr(f.text, word);
}

static void print_afresh(unsigned width, unsigned notes)
{
    set_up_again();
    f.results[1].notes = notes;
    print_rows(true, width, 0, 2);
}

/* With --columns nothing is left out or cut, however wide the lines are. */
static void test_chosen_columns(void **state)
{
    const struct format_options options = {.columns = "all", .width = 80};
    char *headings;

    f.target.label = (char *)(uintptr_t) "/a/name/that/is/longer/than/a/fifth/of/the/lines";
    assert_int_equal(fixture_print(FORMAT_TABLE, &options, 0, 2), 0);
    assert_true(shows("  /a/name/that/is/longer/than/a/fifth/of/the/lines  "));
    headings = strchr(f.text, '\n') + 1;
    headings = mem_printf("%.*s", (int)strcspn(headings, "\n"), headings);
    for (unsigned i = 0; i < columns_count(); i++) {
        unsigned found = 0;
        char *copy = strdup(headings), *rest = NULL;

        for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
            found += strcmp(word, columns_table[i].name) == 0;
        free(copy);
        if (found != 1)
            fail_msg("%s %u times:\n%s", columns_table[i].name, found, f.text);
    }
    free(headings);
}

/* Columns are dropped one by one, the half width last, regardless of the notes. */
static void test_order_of_leaving(void **state)
{
    static const char *const columns[] = {
        "operations", "p50", "\xe2\x96\x88", "rate", "p99", "\xc2\xb1",
    };
    const unsigned all = sizeof(columns) / sizeof(columns[0]);
    unsigned last = 0;
    for (unsigned width = 100; width >= 40; width--) {
        unsigned gone = 0;
        print_afresh(width, 0);
        while (gone < all && !shows(columns[gone]))
            gone++;
        for (unsigned i = gone; i < all; i++)
            if (!shows(columns[i]))
                fail_msg("at %u not %s but %s:\n%s", width, columns[i], columns[gone], f.text);
        assert_true(gone >= last && gone <= last + 1);
        last = gone;
        print_afresh(width, NOTE_WIDE | NOTE_RMW | NOTE_COVERED | NOTE_DRIFT);
        assert_true(gone == 0 || !shows(columns[gone - 1]));
        assert_true(gone == all || shows(columns[gone]));
        assert_true(shows("time/op") && shows("throughput") && shows("rmw"));
    }
    assert_int_equal(last, all);
}

/* With several operations in flight, 1 / rate is not the time of an operation: it is dropped before
 * p50. */
static void test_latency_stays(void **state)
{
    bool without_time = false;
    for (unsigned width = 100; width >= 40; width--) {
        set_up_again();
        for (unsigned i = 0; i < 4; i++)
            f.cells[i].work.depth = 64;
        print_rows(true, width, 0, 2);
        assert_true(shows("throughput") && shows("p50"));
        without_time = without_time || !shows("time/op");
        assert_true(without_time != shows("time/op")); /* stays dropped */
        assert_true(shows("\xc2\xb1") <= shows("time/op"));
    }
    assert_true(without_time);
}

static void test_notes_are_cut(void **state)
{
    static const struct {
        unsigned width, notes;
        const char *end;
    } rows[] = {
        {80, NOTE_WIDE | NOTE_DRIFT, "  drift;wide\n"},
        {80, NOTE_WIDE | NOTE_DRIFT | NOTE_CACHE_HITS, "  cache_hits;drift\n"},
        {80, (1u << NOTE_COUNT) - 1, "  wrong_data\n"},
        {100, NOTE_OUTLIERS | NOTE_CACHE_HITS, "  cache_hits\n"},
        {40, NOTE_OUTLIERS | NOTE_UNFAIR, "  unfair\n"},
        {40, NOTE_NOT_CACHED | NOTE_UNFAIR, "  not_cached\n"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        print_afresh(rows[i].width, rows[i].notes);
        if (!strstr(f.text, rows[i].end))
            fail_msg("no \"%s\" in\n%s", rows[i].end, f.text);
    }
}

static void test_values_are_not_cut(void **state)
{
    static const char words[] = "reduced:180355072/268435456;drift;wide";
    char text[sizeof(words)];

    assert_string_equal(print_shorten_words(words, 38, text, sizeof(text)), words);
    assert_string_equal(print_shorten_words(words, 37, text, sizeof(text)),
                        "reduced:180355072/268435456;drift");
    assert_string_equal(print_shorten_words(words, 26, text, sizeof(text)), "reduced");
    assert_string_equal(print_shorten_words(words, 6, text, sizeof(text)), "");
    assert_string_equal(print_shorten_words("wide;reduced:9", 13, text, sizeof(text)),
                        "wide;reduced");
}

/* Every field at its maximum width. */
static void test_width(void **state)
{
    static struct engine engine;
    for (unsigned width = 20; width <= 240; width += 5) {
        for (int utf8 = 0; utf8 < 2; utf8++) {
            const unsigned most = width < 40 ? 40 : width > 100 ? 100 : width;
            set_up_again();
            add_target("/a/rather/long/path/to/some/\xc3\xa4/other/files");
            engine = f.engine;
            engine.name = "io_uring";
            f.results[1].notes = (1u << NOTE_COUNT) - 1;
            f.results[2].state = RESULT_SKIPPED;
            f.cells[2].skip = "below_alignment";
            f.cells[0].work.size_bytes = UINT64_C(1023) << 10;
            f.cells[0].threads = 4096;
            f.cells[0].work.depth = 16384;
            f.cells[1].target = 1;
            f.cells[2].engine = &engine;
            print_rows(utf8 != 0, width, 0, 4);
            if (widest_line() > (most < 92 ? 92 : most)) /* as all axes and a note need it */
                fail_msg("%u columns of %u:\n%s", widest_line(), most, f.text);
            assert_non_null(strstr(f.text, "6.55 GB/s"));
            assert_non_null(strstr(f.text, "10.0 us"));
            assert_non_null(strstr(f.text, "/files"));
            assert_non_null(strstr(f.text, "16384"));
            assert_non_null(strstr(f.text, "es "));
            assert_non_null(strstr(f.text, "io"));
        }
    }
}

/* Without escape sequences the table equals the one without colour. */
static char *bare(const char *text)
{
    char *copy = strdup(text), *to = copy;
    for (; *text; text++) {
        if (*text == '\033')
            text += strcspn(text, "m");
        else
            *to++ = *text;
    }
    *to = '\0';
    return copy;
}

static void print_coloured(bool color)
{
    const struct format_options options = {.utf8 = true, .width = 80, .color = color};
    set_up_again();
    f.results[0].notes = NOTE_WIDE | NOTE_RMW;
    f.results[3].notes = NOTE_WIDE;
    f.results[3].sum.tally.failed = 12;
    assert_int_equal(fixture_print(FORMAT_TABLE, &options, 0, 4), 0);
}

static void test_colour(void **state)
{
    char *plain, *coloured;
    print_coloured(false);
    plain = strdup(f.text);
    assert_null(strchr(plain, '\033'));
    print_coloured(true);
    coloured = bare(f.text);
    assert_string_equal(coloured, plain);
    /* the best is bold, a noisy one dim beside it, and notes have their own colours */
    assert_non_null(strstr(f.text, "\n\033[1m64 KiB"));
    assert_non_null(strstr(f.text, "\n\033[2m   2 B"));
    assert_non_null(strstr(f.text, "\033[0m         \033[1;33mrmw\033[0m;\033[2mwide\033[0m\n"));
    assert_non_null(strstr(f.text, "\033[1;31merrors:12\033[0m;\033[2mwide\033[0m\n"));
    free(plain);
    free(coloured);
}

/* --- rows as they finish --- */

static unsigned screen_columns, screen_lines;
static const struct progress progress = {.row = &f.results[0]};

static unsigned screen(unsigned *lines)
{
    *lines = screen_lines;
    return screen_columns;
}

/* The content of a terminal that received the text, without colour. Nothing scrolls. */
static char *shown_by(const char *text)
{
    static char lines[64][256];
    static char all[sizeof(lines)];
    unsigned at = 0, used = 0, n;
    memset(lines, 0, sizeof(lines));
    for (; *text != '\0'; text++) {
        if (*text == '\n') {
            at++, used = 0;
        } else if (*text == '\r') {
            used = 0;
        } else if (*text != '\033') {
            lines[at][used++] = *text;
        } else if (sscanf(text, "\033[%uA", &n) == 1 && text[3 + (n > 9)] == 'A') {
            assert_true(n <= at);
            at -= n;
            text += 3 + (n > 9);
        } else {
            assert_memory_equal(text, "\033[J", 3);
            assert_int_equal(used, 0);
            memset(lines[at], 0, sizeof(lines) - at * sizeof(lines[0]));
            text += 2;
        }
    }
    all[0] = '\0';
    for (unsigned i = 0; i < at; i++)
        strcat(strcat(all, lines[i]), "\n");
    return all;
}

static void begin_live_with(struct sink *sink, unsigned columns, unsigned lines, const char *chosen)
{
    const struct format_options options = {
        .utf8 = true, .width = 80, .screen = screen, .columns = chosen};
    struct error err = ERROR_INIT;
    set_up_again();
    f.results[1].notes = NOTE_DRIFT;
    screen_columns = columns;
    screen_lines = lines;
    assert_int_equal(format_make(FORMAT_TABLE, f.stream, &options, sink, &err), 0);
    assert_int_equal(sink->begin(sink->arg, &f.info, &err), 0);
}

static void begin_live(struct sink *sink, unsigned columns, unsigned lines)
{
    begin_live_with(sink, columns, lines, NULL);
}

/* A row finishes, and the next report of progress draws it. */
static void draw(struct sink *sink, unsigned row)
{
    sink->finished(sink->arg, &f.results[row]);
    sink->progress(sink->arg, &progress);
}

/* The final table equals the one without live updates. */
static void end_live(struct sink *sink, unsigned from)
{
    struct error err = ERROR_INIT;
    char *live;
    for (unsigned i = from; i < FIXTURE_ROWS; i++) {
        assert_int_equal(sink->row(sink->arg, &f.results[i], &err), 0);
        if (i % 2)
            assert_int_equal(sink->part_end(sink->arg, &err), 0);
    }
    assert_int_equal(sink->end(sink->arg, &err), 0);
    format_free(sink);
    live = strdup(shown_by(f.text));
    set_up_again();
    f.results[1].notes = NOTE_DRIFT;
    print_rows(true, 80, 0, FIXTURE_ROWS);
    assert_string_equal(live, f.text);
    free(live);
}

static void test_rows_as_they_finish(void **state)
{
    struct error err = ERROR_INIT;
    struct sink sink;
    begin_live(&sink, 80, 24);
    sink.finished(sink.arg, &f.results[1]); /* the second row finishes first */
    assert_int_equal(f.text_size, 0);       /* several that finish together are drawn once */
    sink.progress(sink.arg, &progress);
    assert_non_null(strstr(f.text, "write \xc2\xb7 page cache, not the device"));
    assert_non_null(strstr(f.text, "64 KiB  10.0 us"));
    assert_null(strstr(f.text, "2 B"));
    draw(&sink, 0);
    assert_true(strstr(shown_by(f.text), "  2 B") < strstr(shown_by(f.text), "64 KiB"));
    assert_null(strstr(strstr(shown_by(f.text), "64 KiB") + 1, "64 KiB"));
    assert_int_equal(sink.row(sink.arg, &f.results[0], &err), 0);
    end_live(&sink, 1);
}

/* After narrowing the window, lines are not where they were. */
static void test_another_window(void **state)
{
    struct error err = ERROR_INIT;
    struct sink sink;
    const char *again;
    begin_live(&sink, 80, 24);
    draw(&sink, 1);
    screen_columns = 60;
    draw(&sink, 0);
    assert_null(strstr(f.text, "2 B"));
    assert_int_equal(sink.row(sink.arg, &f.results[0], &err), 0);
    assert_int_equal(sink.row(sink.arg, &f.results[1], &err), 0);
    assert_int_equal(sink.end(sink.arg, &err), 0);
    assert_null(strstr(f.text, "A"));
    again = strstr(strstr(f.text, "64 KiB"), "write");
    assert_true(strstr(again, "  2 B") && strstr(again, "64 KiB"));
    format_free(&sink);
}

/* A row that widens the lines beyond the terminal, where they wrap, is not drawn over others. */
static void test_wider_row(void **state)
{
    struct error err = ERROR_INIT;
    struct sink sink;
    begin_live_with(&sink, 80, 24, "op_ns_mean,rate_per_s,test,engine,notes");
    draw(&sink, 0);
    assert_true(shows("\n 2 B"));
    f.results[1].notes = (1u << NOTE_COUNT) - 1;
    draw(&sink, 1);
    fflush(f.stream);
    assert_null(strstr(f.text, "64 KiB"));
    assert_int_equal(sink.row(sink.arg, &f.results[0], &err), 0);
    assert_int_equal(sink.row(sink.arg, &f.results[1], &err), 0);
    assert_int_equal(sink.part_end(sink.arg, &err), 0);
    assert_int_equal(sink.end(sink.arg, &err), 0);
    assert_non_null(strstr(f.text, "64 KiB"));
    format_free(&sink);
}

/* Of a part that does not fit, the row that finished last is shown; without room for a row, or if
 * lines of 80 would wrap, none. All are printed when the part has ended. */
static void test_no_room(void **state)
{
    static const struct {
        unsigned columns, lines;
    } rows[] = {{80, 5}, {80, 4}, {60, 24}};
    struct error err = ERROR_INIT;
    struct sink sink;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        begin_live(&sink, rows[i].columns, rows[i].lines);
        draw(&sink, 1);
        assert_int_equal(f.text_size > 0, i == 0);
        assert_true(i > 0 || strstr(shown_by(f.text), "64 KiB"));
        assert_int_equal(sink.row(sink.arg, &f.results[0], &err), 0);
        sink.progress(sink.arg, &progress);
        assert_int_equal(f.text_size > 0, i == 0);
        assert_true(i > 0 ||
                    (strstr(shown_by(f.text), "  2 B") && !strstr(shown_by(f.text), "64 KiB")));
        end_live(&sink, 1);
    }
}

static void test_long_target_in_heading(void **state)
{
    f.target.label = (char *)(uintptr_t) "/srv/data/of/a/very/long/name/indeed/x";
    print_rows(false, 40, 0, 1);
    assert_memory_equal(f.text, "write - cached - posix - ..name/indeed/x\n", 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_ascii, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_utf8, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_wide_intervals, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_parts_and_axes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_two_threads, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_engines_and_filled, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_failed_and_odd_names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_depths, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_one_depth, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_without_throughput, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_cache_of_the_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_notes_of_all_rows_are_told_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_rows_that_a_signal_left_without_figures_are_one_line,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_buffered_until_part_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_chosen_columns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_order_of_leaving, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_latency_stays, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_notes_are_cut, set_up, tear_down),
        cmocka_unit_test(test_values_are_not_cut),
        cmocka_unit_test_setup_teardown(test_width, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_colour, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_rows_as_they_finish, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_another_window, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_wider_row, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_room, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_long_target_in_heading, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
