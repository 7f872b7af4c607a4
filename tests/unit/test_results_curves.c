/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_results_curves.c - rows sorted into curves, and the names of curves. */
#include "base/compat.h"

#include "unit/results_fixture.h"

static void curves(void **state)
{
    char text[RESULTS_CURVE_TEXT];
    struct results r;
    struct results_curve *curves;
    size_t count;
    (void)state;
    read_text("size_bytes,rate_per_s,test,cache,depth,notes,target\n"
              "1024,1,write,direct,8,,t\n"
              "512,2,write,direct,8,,t\n"
              "512,3,read,direct,8,,t\n"
              "256,,write,direct,8,skipped:align,t\n"
              "512,4,read,direct,1,,t\n"
              "512,5,write,direct,8,,t\n"
              "512,,write,cached,8,,t\n" /* a curve without figures */
              "256,6,read,direct,8,,t\n",
              &r);
    curves = results_curves(&r, &count);
    assert_int_equal(count, 3);
    assert_int_equal(curves[0].count, 3);
    assert_ptr_equal(curves[0].file, &r);
    assert_ptr_equal(curves[0].rows[0], &r.rows[1]); /* by size, equal ones as they stood */
    assert_ptr_equal(curves[0].rows[1], &r.rows[5]);
    assert_ptr_equal(curves[0].rows[2], &r.rows[0]);
    assert_int_equal(curves[1].count, 2);
    assert_ptr_equal(curves[1].rows[0], &r.rows[7]);
    assert_int_equal(curves[2].count, 1);
    assert_string_equal(results_curve_name(&curves[0], curves, count, text), "write depth 8");
    assert_string_equal(results_curve_name(&curves[2], curves, count, text), "read depth 1");
    assert_string_equal(results_curve_name(&curves[0], curves, 1, text), "");
    results_free_curves(curves, count);
    results_free(&r);
    read_text("size_bytes,rate_per_s\n1,\n", &r);
    curves = results_curves(&r, &count);
    assert_non_null(curves);
    assert_int_equal(count, 0);
    results_free_curves(curves, count);
    results_free(&r);
}

/* What differs in one of them is said of all; nothing is longer than its room. */
static void curve_names(void **state)
{
    static const char *const differences[][3] = {
        {"read,t,e,c,1,1,l", "write,t,e,c,1,1,l", "read"},
        {"read,t,e,c,1,1,l", "read,u\x01,e,c,1,1,l", "t"},
        {"read,t,e,c,1,1,l", "read,t,f,c,1,1,l", "e"},
        {"read,t,e,c,1,1,l", "read,t,e,d,1,1,l", "c"},
        {"read,t,e,c,4,1,l", "read,t,e,c,1,1,l", "threads 4"},
        {"read,t,e,c,1,8,l", "read,t,e,c,1,1,l", "depth 8"},
        {"read,t,e,c,1,1,l", "read,t,e,c,1,1,m", "l"},
        {"read,t,e,c,2,4,l", "write,u,f,d,8,16,m", "read t e c threads 2 depth 4 l"},
        {"read,t,e,c,1,1,", "read,t,e,c,1,1,m", ""},
    };
    char text[RESULTS_CURVE_TEXT], rows[4000], longest[1200];
    struct results r, again;
    struct results_curve *curves, pair[2];
    size_t count;
    (void)state;
    for (size_t i = 0; i < sizeof(differences) / sizeof(differences[0]); i++) {
        snprintf(rows, sizeof(rows),
                 "size_bytes,rate_per_s,test,target,engine,cache,threads,depth,label\n"
                 "1,1,%s\n2,1,%s\n",
                 differences[i][0], differences[i][1]);
        read_text(rows, &r);
        curves = results_curves(&r, &count);
        assert_int_equal(count, 2);
        assert_string_equal(results_curve_name(&curves[0], curves, count, text), differences[i][2]);
        results_free_curves(curves, count);
        results_free(&r);
    }
    memset(longest, 'x', sizeof(longest));
    longest[sizeof(longest) - 1] = '\0';
    snprintf(rows, sizeof(rows), "size_bytes,rate_per_s,label,target\n1,1,%s,\x01\n2,1,y,%s\n",
             longest, longest);
    read_text(rows, &r);
    curves = results_curves(&r, &count);
    assert_int_equal(strlen(results_curve_name(&curves[0], curves, count, text)), 511);
    assert_memory_equal(text, "\\x01 xxx", 8);
    results_free_curves(curves, count);
    results_free(&r);
    /* two files */
    read_text("size_bytes,rate_per_s\n1,1\n", &r);
    read_text("size_bytes,rate_per_s\n1,1\n", &again);
    free(again.path);
    again.path = strdup("other/place");
    curves = results_curves(&r, &count);
    pair[0] = curves[0];
    free(curves);
    curves = results_curves(&again, &count);
    pair[1] = curves[0];
    free(curves);
    assert_string_equal(results_curve_name(&pair[0], pair, 2, text), "file");
    assert_string_equal(results_curve_name(&pair[1], pair, 2, text), "place");
    free(again.path);
    again.path = strdup("other/file");
    assert_string_equal(results_curve_name(&pair[0], pair, 2, text), "some/file");
    free(pair[0].rows);
    free(pair[1].rows);
    results_free(&r);
    results_free(&again);
}

/* A curve is of one team; they are told apart by their sizes. */
static void curves_of_teams(void **state)
{
    char text[RESULTS_CURVE_TEXT];
    struct results_curve *curves;
    struct results r;
    size_t count;
    (void)state;
    read_text("size_bytes,rate_per_s,ranks\n1,1,1\n1,2,4\n2,1,1\n2,2,4\n", &r);
    curves = results_curves(&r, &count);
    assert_int_equal(count, 2);
    assert_int_equal(curves[0].count, 2);
    assert_string_equal(results_curve_name(&curves[0], curves, count, text), "ranks 1");
    assert_string_equal(results_curve_name(&curves[1], curves, count, text), "ranks 4");
    results_free_curves(curves, count);
    results_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves),
        cmocka_unit_test(curve_names),
        cmocka_unit_test(curves_of_teams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
