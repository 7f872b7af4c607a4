/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* Results inside a page of HTML: what is written there comes back byte by byte, also after a
 * browser or an editor had the page; several runs are told apart; what is damaged is refused.  And
 * what JSON says beside the rows. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <unistd.h>

#include "analysis/report/report_text.h"
#include "analysis/results/embedded.h"
#include "base/mem.h"
#include "results_fixture.h"

#define HEAD "<!DOCTYPE html>\n<html><body><h1>pre</h1><pre class=\"x\">a</pre>"
#define TAIL "</body></html>\n"
#define ONE(number, name, rows)                                                         \
    "<pre id=\"iosweep-data-" number "\" data-name=\"" name "\" data-format=\"csv\">\n" \
    "size_bytes,rate_per_s\n" rows "</pre>"

static void what_is_written_comes_back(void **state)
{
    static const char text[] = "a<b> & \"c\" 'd'\r\n\n]]>\xc3\xa4\xf0\x9f\x98\x80\t&lt;end\n";
    struct embedded_list list;
    struct error err = ERROR_INIT;
    char *page = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&page, &length);

    (void)state;
    fputs(HEAD "<pre id=\"iosweep-data-1\" data-name=\"", stream);
    report_put_text(stream, "<a> '&\".csv");
    fputs("\" data-format=\"csv\">\n", stream);
    report_put_data(stream, text, sizeof(text) - 1);
    fputs("</pre><pre id=\"iosweep-data-2\" data-format=\"series\"></pre>" TAIL, stream);
    fclose(stream);
    assert_int_equal(embedded_read(page, length, "page", &list, &err), 0);
    assert_int_equal(list.count, 2);
    assert_string_equal(list.item[0].name, "<a> '&\".csv");
    assert_string_equal(list.item[0].format, "csv");
    assert_int_equal(list.item[0].length, sizeof(text) - 1);
    assert_string_equal(list.item[0].text, text);
    assert_true(embedded_is_run(&list.item[0]));
    assert_false(embedded_is_run(&list.item[1]));
    assert_string_equal(list.item[1].name, "");
    embedded_free(&list);
    free(page);
}

static void a_report_is_read(void **state)
{
    static const char *const pages[] = {
        HEAD ONE("1", "a.csv", "512,7\n") TAIL,
        "\xef\xbb\xbf \n<html>" ONE("1", "a.csv", "512,7\n"),
        /* as another program may have written it */
        "<!doctype html>\r\n<PRE data-format='csv' data-name=\"a&#46;csv\" title='>' "
        "id='iosweep-data'>\r\nsize&#x5F;bytes,rate_per_s\r\n512,7\r\n</PRE >",
        /* what belongs to a run is none */
        HEAD "<pre id=\"iosweep-data-2\" data-name=\"s\" data-format=\"series\">\nx</pre>" ONE(
            "1", "a.csv", "512,7\n") TAIL,
    };
    struct results r;

    (void)state;
    for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
        read_text(pages[i], &r);
        assert_int_equal(r.format, RESULTS_CSV);
        assert_string_equal(r.path, "some/file");
        expect_rows(&r, "size_bytes 512, rate_per_s 7\n");
        results_free(&r);
    }
}

static void what_is_damaged_is_refused(void **state)
{
    static const struct {
        const char *page, *words;
    } rows[] = {
        {"<!DOCTYPE html><p>Hello", "no results of iosweep in this page: some/file"},
        {"<?xml version=\"1.0\"?><a/>", "no results of iosweep in this page"},
        {"<", "no results of iosweep"},
        {"<pre id=\"iosweep-data-1", "no results of iosweep"},
        {"<pre id=\"iosweep-data-1\" data-name=\"a\" data-format=\"csv\">\nsize_bytes",
         "this report is cut off: some/file"},
        {HEAD "<pre id=\"iosweep-data-1\" data-name=\"a\" data-format=\"csv\"></pre>",
         "nothing to read in some/file"},
        {HEAD "<pre id=\"iosweep-data-1\" data-name=\"a\" data-format=\"csv\">\nHello\n</pre>",
         "not an iosweep result: some/file (a):1"},
        {HEAD ONE("1", "a", "1,2\n1,x\n"), "some/file (a):3"},
        {HEAD ONE("1", "a", "1,&bull;\n"), "the results in this report are damaged: some/file"},
        {HEAD ONE("1", "a", "1,&\n"), "damaged"},
        {HEAD ONE("1", "a", "1,&#0;\n"), "damaged"},
        {HEAD ONE("1", "a", "1,&#xd800;\n"), "damaged"},
        {HEAD ONE("1", "a", "1,<b>2</b>\n"), "damaged"},
        {HEAD "<pre id=\"iosweep-data-1\" data-name=\"a\" data-format=\"csv\">&lt;html&gt;</pre>",
         "not an iosweep result"}, /* not a page in a page */
        {HEAD "<pre id=\"iosweep-data-1\" data-name=\"a\" data-format=\"series\">\nx</pre>",
         "no results of a run in this report"},
        {HEAD ONE("1", "a.csv", "1,2\n") ONE("2", "b\x1b.csv", "1,2\n"),
         "several runs are in this report: some/file; add #1 to #2 to its name: #1 a.csv, "
         "#2 b\\x1b.csv"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        refuse_text(rows[i].page, rows[i].words);
    refuse_bytes("<pre id=\"iosweep-data\">a\0b</pre>", 31, "damaged");
}

static int read_run(const char *name, const char *number, struct results *results,
                    struct error *err)
{
    char *path = mem_printf("%s%s", name, number);
    const int result = results_read(path, results, err);

    free(path);
    return result;
}

static void a_run_of_several_is_named(void **state)
{
    static const char page[] = HEAD ONE("1", "a", "1,2\n") ONE("2", "b", "3,4\n") TAIL;
    char name[] = "page.XXXXXX", text[1024];
    const int fd = mkstemp(name);
    struct error err = ERROR_INIT;
    struct results r;

    (void)state;
    assert_true(fd >= 0);
    assert_true(write(fd, page, sizeof(page) - 1) == sizeof(page) - 1);
    close(fd);
    assert_int_equal(read_run(name, "#2", &r, &err), 0);
    assert_int_equal(r.rows[0].size_bytes, 3);
    assert_non_null(strstr(r.path, "#2"));
    results_free(&r);
    assert_int_equal(read_run(name, "#1", &r, &err), 0);
    assert_int_equal(r.rows[0].size_bytes, 1);
    results_free(&r);
    assert_int_equal(read_run(name, "#3", &r, &err), -1);
    assert_non_null(strstr(error_format(&err, text, sizeof(text)), "no such run in this report"));
    err = ERROR_INIT;
    assert_int_equal(read_run(name, "#0", &r, &err), -1);
    assert_int_equal(err.errnum, ENOENT);
    unlink(name);
}

#ifdef HAVE_JANSSON

static void json_has_facts(void **state)
{
    static const char text[] =
        "{\"iosweep\":\"1\",\"run\":{\"host\":{\"name\":\"h\",\"cpus\":4,\"governor\":null},"
        "\"label\":\"\",\"command\":\"iosweep -b\",\"libraries\":[\"a\",\"b\"],"
        "\"targets\":[{\"target\":\"x\",\"own_files\":true},{\"target\":\"y\"}],"
        "\"settings\":{\"sizes\":[512,1024],\"precision\":0.025,\"deep\":{\"er\":{\"a\":[]}}},"
        "\"seed\":7},\"rows\":[{\"size_bytes\":1,\"rate_per_s\":2}],"
        "\"findings\":[\"One "
        "thing.\",3,\"Another.\"],\"load1_end\":0.5,\"load1_end\":3,\"findings\":[],"
        "\"processors\":{\"count\":2,\"others_percent\":43.1},"
        "\"changed\":[{\"what\":\"w\",\"before\":\"1\"}]}";
    static const char *const facts[][2] = {
        {"host.name", "h"},
        {"host.cpus", "4"},
        {"host.governor", ""},
        {"label", ""},
        {"command", "iosweep -b"},
        {"libraries", "a,b"},
        {"targets.0.target", "x"},
        {"targets.0.own_files", "true"},
        {"targets.1.target", "y"},
        {"targets.2.target", ""},
        {"settings.sizes", "512,1024"},
        {"settings.precision", "0.025"},
        {"settings.deep.er.a", ""},
        {"seed", "7"},
        {"load1_end", "0.5"},
        {"processors.others_percent", "43.1"},
        {"changed.0.what", "w"},
        {"rows", ""},
    };
    char *twice =
        mem_printf("%s{\"run\":{\"seed\":8,\"other\":9},\"rows\":[],\"findings\":[]}", text);
    struct results r;

    (void)state;
    read_text(twice, &r);
    for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
        assert_string_equal(results_fact(&r, facts[i][0]), facts[i][1]);
    assert_int_equal(r.fact_count, 15);
    assert_int_equal(r.finding_count, 2);
    assert_string_equal(r.findings[0], "One thing.");
    assert_string_equal(r.findings[1], "Another.");
    results_free(&r);
    free(twice);
    read_text("{\"rows\":[{\"size_bytes\":1}],\"run\":5,\"findings\":{}}", &r);
    assert_int_equal(r.fact_count + r.finding_count, 0);
    assert_string_equal(results_fact(&r, "seed"), "");
    results_free(&r);
}

#else

static void json_has_facts(void **state)
{
    (void)state;
    skip_because("built without jansson");
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_comes_back),
        cmocka_unit_test(a_report_is_read),
        cmocka_unit_test(what_is_damaged_is_refused),
        cmocka_unit_test(a_run_of_several_is_named),
        cmocka_unit_test(json_has_facts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
