/* SPDX-License-Identifier: GPL-2.0-or-later */
/* parsers.h - the fuzz target; the name is libFuzzer's. */
#ifndef TESTS_FUZZ_PARSERS_H
#define TESTS_FUZZ_PARSERS_H

#include <stddef.h>
#include <stdint.h>

/* Aborts when a property does not hold; returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* webhdfs.c: a part of it.  text ends with a 0 behind its bytes. */
void fuzz_webhdfs(const char *text, size_t bytes);

#endif
