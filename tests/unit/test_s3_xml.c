/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_s3_xml.c - the XML parser: accepts what S3 sends, rejects invalid XML and expansions. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "storage/object/s3/protocol.h"

/* Events as text: "<a><b>" for starts, "/b'text'" for ends of leaves, "/a" for others, "." or "!"
 * at the end. */
static const char *events(const char *document)
{
    static char text[2000];
    char value[200];
    /* a copy of exact size lets sanitizers detect reading past the end */
    const size_t bytes = strlen(document);
    char *copy = malloc(bytes + 1);
    struct xml xml;
    size_t used = 0;

    memcpy(copy, document, bytes);
    copy = realloc(copy, bytes > 0 ? bytes : 1);
    text[0] = '\0';
    xml_begin(&xml, copy, bytes);
    for (;;) {
        const enum xml_event event = xml_next(&xml);
        const struct xml_name *name =
            event == XML_OPEN ? &xml.open[xml.depth - 1] : &xml.open[xml.depth];
        if (event == XML_ERROR || event == XML_END) {
            (void)snprintf(text + used, sizeof(text) - used, "%s", event == XML_END ? "." : "!");
            assert_int_equal(xml_next(&xml), event); /* the event is final */
            free(copy);
            return text;
        }
        used +=
            (size_t)snprintf(text + used, sizeof(text) - used,
                             event == XML_OPEN ? "<%.*s>" : "/%.*s", (int)name->bytes, name->text);
        if (event == XML_CLOSE && xml.leaf) {
            if (xml_text(&xml, value, sizeof(value)) < 0)
                strcpy(value, "?");
            used += (size_t)snprintf(text + used, sizeof(text) - used, "'%s'", value);
        }
    }
}

static void elements(void **state)
{
    assert_string_equal(events("<a/>"), "<a>/a''.");
    assert_string_equal(events("<a></a>"), "<a>/a''.");
    assert_string_equal(events("<a><b>1</b><b>2</b></a>"), "<a><b>/b'1'<b>/b'2'/a.");
    assert_string_equal(events("<a>\n <b/> \n</a>\n"), "<a><b>/b''/a.");
    assert_string_equal(events("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a>x</a>"),
                        "<a>/a'x'.");
    /* a service that works for long sends blanks first */
    assert_string_equal(events("   \r\n\n <?xml version='1.0'?><a>x</a>"), "<a>/a'x'.");
    assert_string_equal(events("\xef\xbb\xbf<a>x</a>"), "<a>/a'x'.");
    assert_string_equal(events("<s3:a xmlns:s3=\"http://x/\"><s3:b c='>' >1</s3:b ></s3:a>"),
                        "<a><b>/b'1'/a.");
    assert_string_equal(events("<a b = \"1\"\n c='2'/>"), "<a>/a''.");
    assert_string_equal(events("<\xc3\xbc>1</\xc3\xbc>"), "<\xc3\xbc>/\xc3\xbc'1'.");
}

static void text_is_resolved(void **state)
{
    assert_string_equal(events("<a>&lt;&gt;&amp;&quot;&apos;</a>"), "<a>/a'<>&\"''.");
    assert_string_equal(events("<a>&#65;&#x42;&#xfc;&#8364;&#x1F600;</a>"),
                        "<a>/a'AB\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80'.");
    assert_string_equal(events("<a>&#1;</a>"),
                        "<a>/a'\x01'."); /* this is how keys with controls are listed */
    assert_string_equal(events("<a>1\r\n2\r3</a>"), "<a>/a'1\n2\n3'.");
    assert_string_equal(events("<a>&&#38;amp;</a>"), "<a>/a'?'.");
    assert_string_equal(events("<a>&#38;amp;</a>"), "<a>/a'&amp;'."); /* not decoded twice */
    assert_string_equal(events("<a>&nbsp;</a>"), "<a>/a'?'.");
    assert_string_equal(events("<a>&#0;</a>"), "<a>/a'?'.");
    assert_string_equal(events("<a>&#xd800;</a>"), "<a>/a'?'.");
    assert_string_equal(events("<a>&#x110000;</a>"), "<a>/a'?'.");
    assert_string_equal(events("<a>&#99999999999;</a>"), "<a>/a'?'.");
    assert_string_equal(events("<a>&#;</a>"), "<a>/a'?'.");
    assert_string_equal(events("<a>&#x;</a>"), "<a>/a'?'.");
    assert_string_equal(events("<a>&#12a;</a>"), "<a>/a'?'.");
    assert_string_equal(events("<a>&lt</a>"), "<a>/a'?'.");
    assert_string_equal(events("<a>\x01</a>"), "<a>/a'?'.");
}

static void refused(void **state)
{
    static const char *const bad[] = {
        "",
        "   ",
        "x",
        "<",
        "<a",
        "<a>",
        "<a>x",
        "<a></a",
        "<a></b>",
        "<a></ab>",
        "<ab></a>",
        "<x:a></y:a>",
        "<a><b></a></b>",
        "</a>",
        "<a/><b/>",
        "<a/>x",
        "x<a/>",
        "<a b></a>",
        "<a b=c></a>",
        "<a b=\"1></a>",
        "<a b=\"<\"></a>",
        "<a b='1'c='2'/>",
        "<a / >",
        "<1/>",
        "<a:/>",
        "< a/>",
        "<a><!-- x --></a>",
        "<!-- x --><a/>",
        "<a/><!-- x -->",
        "<a><![CDATA[x]]></a>",
        "<![CDATA[x]]><a/>",
        "<a><?x ?></a>",
        "<a/><?x ?>",
        "<?x><a/>",
        "<!DOCTYPE a><a/>",
        "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>",
        "<a><!ELEMENT b></a>",
        "{\"a\": 1}",
        "<html><br></html>",
    };

    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        const char *text = events(bad[i]);
        if (text[strlen(text) - 1] != '!')
            fail_msg("%s: %s", bad[i], text);
    }
}

/* A truncated document is invalid. */
static void cut(void **state)
{
    static const char whole[] = "<?xml version=\"1.0\"?><a x='y'><b>1&amp;2</b><c/>x</a>";
    char part[sizeof(whole)];

    assert_int_equal(events(whole)[strlen(events(whole)) - 1], '.');
    for (size_t length = 0; length < sizeof(whole) - 1; length++) {
        const char *text;
        memcpy(part, whole, length);
        part[length] = '\0';
        text = events(part);
        assert_int_equal(text[strlen(text) - 1], '!');
    }
}

static void depth_is_bounded(void **state)
{
    char deep[400] = "";
    const char *text;

    for (int i = 0; i < XML_DEPTH_MAX; i++)
        strcat(deep, "<a>");
    for (int i = 0; i < XML_DEPTH_MAX; i++)
        strcat(deep, "</a>");
    text = events(deep);
    assert_int_equal(text[strlen(text) - 1], '.');
    memmove(deep + 3, deep, strlen(deep) + 1);
    memcpy(deep, "<a>", 3);
    strcat(deep, "</a>");
    text = events(deep);
    assert_int_equal(text[strlen(text) - 1], '!');
}

static void room_is_bounded(void **state)
{
    static const char document[] = "<a><b>12345</b></a>";
    char text[6];
    struct xml xml;

    assert_int_equal(xml_find(document, strlen(document), "b", text, 6), 5);
    assert_string_equal(text, "12345");
    assert_int_equal(xml_find(document, strlen(document), "b", text, 5), -1);
    assert_string_equal(text, "");
    assert_int_equal(xml_find(document, strlen(document), "b", text, 0), -1);
    xml_begin(&xml, document, strlen(document));
    assert_int_equal(xml_next(&xml), XML_OPEN);
    assert_int_equal(xml_text(&xml, text, sizeof(text)), -1); /* not closed yet */
}

static void found_by_name(void **state)
{
    static const char error[] = "<?xml version=\"1.0\"?>\n<Error><Code>NoSuchKey</Code>"
                                "<Message>a &amp; b</Message><x><Region>r</Region></x></Error>";
    char text[64];

    assert_int_equal(xml_find(error, strlen(error), "Code", text, sizeof(text)), 9);
    assert_string_equal(text, "NoSuchKey");
    assert_int_equal(xml_find(error, strlen(error), "Message", text, sizeof(text)), 5);
    assert_string_equal(text, "a & b");
    assert_int_equal(xml_find(error, strlen(error), "Region", text, sizeof(text)), 1);
    assert_int_equal(xml_find(error, strlen(error), "Cod", text, sizeof(text)), -1);
    assert_int_equal(xml_find(error, strlen(error), "Error", text, sizeof(text)), -1);
    assert_int_equal(xml_find(error, strlen(error), "x", text, sizeof(text)), -1);
    assert_string_equal(text, "");
    assert_int_equal(xml_find(NULL, 0, "Code", text, sizeof(text)), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements),         cmocka_unit_test(text_is_resolved),
        cmocka_unit_test(refused),          cmocka_unit_test(cut),
        cmocka_unit_test(depth_is_bounded), cmocka_unit_test(room_is_bounded),
        cmocka_unit_test(found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
