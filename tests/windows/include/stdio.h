/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* stdio.h - with streams in memory, which are temporary files that Windows deletes on close and
 * keeps in memory if possible.  Closing in a test, and flushing by anyone, hands the text over. */
#ifndef TESTS_WINDOWS_STDIO_H
#define TESTS_WINDOWS_STDIO_H

#include_next <stdio.h>

/* *text and *size are valid after a test's fflush of this stream, and fclose. */
FILE *open_memstream(char **text, size_t *size_bytes);
FILE *memory_file(void);
int memory_close(FILE *stream);

#define tmpfile memory_file
#define fclose  memory_close

#endif
