/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_ini.c - files of sections and pairs: what is a pair, where it belongs, and which malformed
 * lines are detected. Expectations are written as SECTION/PARENT/NAME=VALUE. */
#include "base/compat.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <string.h>

#include "storage/object/s3/ini.h"

static size_t put(char *to, size_t room, struct ini_span span, const char *after)
{
    const int wrote =
        span.text ? snprintf(to, room, "%.*s%s", (int)span.bytes, span.text, after) : 0;

    assert_within(wrote, 0, room - 1);
    return (size_t)wrote;
}

/* All pairs of a text, one per line, and "!N" for a malformed line N. */
static void read_all(const char *text, char *found, size_t room)
{
    struct ini ini = {.at = text};
    enum ini_found what;
    size_t used = 0;

    found[0] = '\0';
    while ((what = ini_next(&ini)) == INI_PAIR) {
        used += put(found + used, room - used, ini.section, "/");
        used += put(found + used, room - used, ini.parent, "/");
        used += put(found + used, room - used, ini.name, "=");
        used += put(found + used, room - used, ini.value, "\n");
    }
    if (what == INI_BROKEN)
        snprintf(found + used, room - used, "!%u", ini.line);
}

static void pairs(void **state)
{
    static const struct {
        const char *text, *found;
    } rows[] = {
        {"", ""},
        {"\n \t\r\n\v\f", ""},
        {"a=1", "a=1\n"},
        {"a = 1\nb : 2\n", "a=1\nb=2\n"},
        {"a = b = c : d\n", "a=b = c : d\n"},
        {"a : b = c\n", "a=b = c\n"},
        {"a =\n", "a=\n"},
        {"= 1\n", "=1\n"},
        {"a = 1\r\nb = 2\r\n", "a=1\nb=2\n"},
        {"\xef\xbb\xbf"
         "a = 1\n",
         "a=1\n"},
        {"a = 1\n\xef\xbb\xbf"
         "b = 2\n",
         "a=1\n\xef\xbb\xbf"
         "b=2\n"},
        /* comments: whole lines, and after a blank; elsewhere they are part of a value */
        {"# a = 1\n; b = 2\n  # c = 3\nd = 4\n", "d=4\n"},
        {"a = 1 # x\nb = 2 ; y\nc = 3\t#z\n", "a=1\nb=2\nc=3\n"},
        {"a = 1#x\nb = 2;y\nc = #3\nd =#4\n", "a=1#x\nb=2;y\nc=#3\nd=#4\n"},
        {"a b = 1 2 \n", "a b=1 2\n"},
        /* sections */
        {"[s]\na=1\n[ t u ] x\nb=2\n[]\nc=3\n", "s/a=1\nt u/b=2\n/c=3\n"},
        {"a=1\n  [s]\nb=2\n", "a=1\ns/b=2\n"},
        {"[a#b]\nc=1\n[d]]\ne=2\n", "a#b/c=1\nd/e=2\n"},
        /* indented lines belong to the pair above, up to the next section */
        {"[s]\na =\n  b = 1\n\tc = 2\nd = 3\n", "s/a=\ns/a/b=1\ns/a/c=2\ns/d=3\n"},
        {"[s]\na = 1\n  more of it\nb = 2\n", "s/a=1\ns/b=2\n"},
        {"  a = 1\n  b = 2\n", "a=1\na/b=2\n"},
        {"a = 1\n[s]\n  b = 2\n  c = 3\n", "a=1\ns/b=2\ns/b/c=3\n"},
        {"a = 1\n# comment\n\n  b = 2\n", "a=1\na/b=2\n"},
        /* neither */
        {"a = 1\n\nb\nc = 2\n", "a=1\n!3"},
        {"[s\na = 1\n", "!1"},
        {"[s # ]\na = 1\n", "s/a=1\n"},
        {"a = 1\n[s]\n  b\n", "a=1\n!3"},
        {"x", "!1"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char found[256];

        read_all(rows[i].text, found, sizeof(found));
        if (strcmp(found, rows[i].found) != 0)
            fail_msg("\"%s\" was read as \"%s\", not \"%s\"", rows[i].text, found, rows[i].found);
    }
}

static void words(void **state)
{
    const struct ini_span span = {.text = "Region = x", .bytes = 6};

    (void)state;
    assert_true(ini_is(span, "region"));
    assert_true(ini_is(span, "REGION"));
    assert_false(ini_is(span, "regio"));
    assert_false(ini_is(span, "regions"));
    assert_false(ini_is(span, "legion"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs),
        cmocka_unit_test(words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
