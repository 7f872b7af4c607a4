/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* error.h - one failure, described well enough for one clear line: what was tried, on what, where,
 * why it failed and what the user can do.  Cold code fills a struct error and returns -1; the first
 * error wins.  Only main prints it.  Hot code does not use this: it returns bytes or -errno. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit status of the program; also the class of an error. */
enum status {
    STATUS_OK = 0,         /* everything was measured */
    STATUS_PARTIAL = 1,    /* some operation failed or a row is incomplete; results were printed */
    STATUS_USAGE = 2,      /* the command line is wrong; nothing was touched */
    STATUS_TARGET = 3,     /* the target cannot be used: missing, read-only, no space, refused */
    STATUS_WRONG_DATA = 4, /* verification found wrong data */
    STATUS_INTERNAL = 70,  /* a fault in this program or no memory left */
    STATUS_SIGINT = 130,
    STATUS_SIGTERM = 143,
};

struct error {
    enum status status; /* STATUS_OK: no error */
    int errnum;         /* errno value, or 0 when the cause is in `action` itself */
    bool has_offset;    /* offset_bytes is meaningful */
    uint64_t offset_bytes;
    char action[160]; /* "cannot open", or a whole sentence */
    char object[320]; /* file, option or word concerned; empty: none */
    char reason[256]; /* why, where we know better words than the system's for errnum, or "" */
    char advice[320]; /* what to do; empty: nothing useful to say */
};

#define ERROR_INIT ((struct error){.status = STATUS_OK})

static inline bool error_is_set(const struct error *e)
{
    return e->status != STATUS_OK;
}

/* Records an error unless one is there already.  `object` may be NULL; `errnum` is a positive errno
 * or 0.  Texts too long for their field are cut.  Returns -1 always, so that callers can
 * `return error_set(...)`. */
int error_set(struct error *e, enum status status, int errnum, const char *action,
              const char *object);

/* Adds why it failed (printf style) to an error that has no reason yet: shown instead of the
 * system's words for errnum, which stays for the program.  Returns -1. */
int error_explain(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds what the user can do (printf style) to an error that has no advice yet.  Returns -1. */
int error_advise(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Records a mistake or refusal that is no error of the system, with what the user can do (printf
 * style): error_set and error_advise in one.  Returns -1. */
int error_refuse(struct error *e, enum status status, const char *action, const char *object,
                 const char *advice, ...) __attribute__((format(printf, 5, 6)));

/* Adds the place in the object, in bytes, where the failure happened.  Returns -1. */
int error_at(struct error *e, uint64_t offset_bytes);

/* Writes the error as one line without a newline into text (always terminated, control characters
 * in names shown as \xNN): "ACTION OBJECT at offset N: REASON; ADVICE".  Returns text. */
char *error_format(const struct error *e, char *text, size_t text_size);

/* Copies a name for showing it: backslashes, bytes that are no character, and what a terminal obeys
 * (utf8_printable_length) become \xNN.  Returns text. */
char *error_printable(const char *name, char *text, size_t text_size);

/* The same of a name that a sentence about it begins with: one colon behind it, which some names
 * have at their end already.  Returns text. */
char *error_heading(const char *name, char *text, size_t text_size);

#endif
