/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* record.h - a record as it was written: the words of its fields, by name.  Types only. */
#ifndef BASE_RECORD_H
#define BASE_RECORD_H

#include <stddef.h>

struct text_field {
    const char *name;
    const char *text; /* of a number: with a decimal point; "": not known */
};

struct text_record {
    const struct text_field *fields; /* count of them */
    size_t count;
    const char *json; /* MAY: all of it as an object of JSON; NULL: it was none */
};

#endif
