/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* columns_shown.h - columns of the rows of out_fixture.h, as they are printed. */
#ifndef TESTS_UNIT_COLUMNS_SHOWN_H
#define TESTS_UNIT_COLUMNS_SHOWN_H

#include "out_fixture.h"
#include "report/formats/print.h"

/* The value of a column as printed; "" if empty. The text is valid until the next call. */
static const char *shown(unsigned row, const char *name)
{
    static struct value value;
    static char number[PRINT_NUMBER_TEXT];
    const struct columns_context context = {.info = &f.info, .label = "a label"};
    for (const struct column *c = columns_table; c->name; c++) {
        if (strcmp(c->name, name) != 0)
            continue;
        memset(&value, 0xff, sizeof(value)); /* a getter must set all fields that are used */
        columns_get(c, &context, &f.results[row], &value);
        return value.kind == VALUE_TEXT ? value.text : print_number(&value, '.', number);
    }
    fail_msg("no column %s", name);
    return NULL;
}

/* Compares columns of a row: "NAME VALUE, NAME VALUE ..." */
static inline void expect_columns(unsigned row, const char *columns)
{
    char text[1024], *rest = NULL;

    assert_true(snprintf(text, sizeof(text), "%s", columns) < (int)sizeof(text));
    for (char *name = strtok_r(text, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
        char *value = strchr(name += strspn(name, " "), ' ');

        assert_non_null(value);
        *value++ = '\0';
        assert_string_equal(shown(row, name), value);
    }
}

static inline void no_report(void *ctx, struct engine_report *report) {}

#endif
