/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* parsers.h - the fuzz target; the name is libFuzzer's. */
#ifndef TESTS_FUZZ_PARSERS_H
#define TESTS_FUZZ_PARSERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Aborts when a property does not hold; returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* webhdfs.c: a part of it.  text ends with a 0 behind its bytes. */
void fuzz_webhdfs(const char *text, size_t bytes);

/* s3.c: one text as both files, with the profiles "default" and "other". */
void fuzz_credentials(const uint8_t *data, size_t size);
/* "TARGET ENDPOINT REGION"; what is missing is AWS. */
void fuzz_address(char *words);
void fuzz_xml(const char *document, size_t bytes);
/* "FIELDS\nBODY": the fields of the head are all the same word; its first two bytes choose kind and
 * status. */
void fuzz_answer(char *text, size_t bytes);

/* ---- what all parts hold their parsers to ---- */

static inline void need(bool holds)
{
    if (!holds)
        abort();
}

/* Refused with a usage status and a text of one line, or accepted without an error. */
static inline void check_verdict(int result, const struct error *err)
{
    char text[1024];

    need(result == 0 || result == -1);
    need((result < 0) == error_is_set(err));
    need(strchr(error_format(err, text, sizeof(text)), '\n') == NULL);
}

/* Nothing that a terminal or a header takes for more than text; NULL is fine. */
static inline void need_plain(const char *text)
{
    for (; text && *text; text++)
        need((unsigned char)*text >= ' ' && *text != 127);
}

#endif
