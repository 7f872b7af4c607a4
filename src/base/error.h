/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* error.h - describes one failure well enough for one clear line: what was attempted, on what,
 * where, why it failed and what the user can do. Cold code fills in a struct error and returns -1;
 * the first error is kept. Only main prints it. Hot code returns bytes or -errno instead. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit status of the program; also the class of an error. */
enum status {
    STATUS_OK = 0,         /* everything was measured */
    STATUS_PARTIAL = 1,    /* an operation failed or a row is incomplete; results were printed */
    STATUS_USAGE = 2,      /* invalid command line; nothing was touched */
    STATUS_TARGET = 3,     /* the target is unusable: missing, read-only, no space, refused */
    STATUS_WRONG_DATA = 4, /* verification found wrong data */
    STATUS_INTERNAL = 70,  /* a bug in this program, or out of memory */
    STATUS_SIGINT = 130,
    STATUS_SIGTERM = 143,
};

struct error {
    enum status status; /* STATUS_OK: no error */
    int errnum;         /* errno value, or 0 if `action` itself describes the cause */
    char action[160];   /* "cannot open", or a whole sentence */
    char object[320];   /* file, option or word concerned; empty: none */
    char reason[256];   /* the cause, if known better than the system's text for errnum, or "" */
    char advice[320];   /* what to do; empty: no advice */
};

#define ERROR_INIT ((struct error){.status = STATUS_OK})

static inline bool error_is_set(const struct error *e)
{
    return e->status != STATUS_OK;
}

/* Records an error unless one is recorded already. `object` may be NULL; `errnum` is a positive
 * errno or 0. Texts too long for their field are cut. Always returns -1, so that callers can
 * `return error_set(...)`. */
int error_set(struct error *e, enum status status, int errnum, const char *action,
              const char *object);

/* Adds the cause (printf style) to an error without one: it is shown instead of the system's text
 * for errnum, which is kept for the program. Returns -1. */
int error_explain(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds advice (printf style) to an error without any. If it begins with ERROR_MEANT, the part
 * before "; " is shown as a question. Returns -1. */
#define ERROR_MEANT "did you mean "
int error_advise(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Records a user's mistake or a refusal rather than a system error, with advice (printf style):
 * error_set and error_advise in one. Returns -1. */
int error_refuse(struct error *e, enum status status, const char *action, const char *object,
                 const char *advice, ...) __attribute__((format(printf, 5, 6)));

/* Puts text before the action of a recorded error: "--sizes: ". Returns -1. */
int error_prefix(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds the byte offset of the failure to the object: "d0/f1 at offset 4096". Returns -1. */
int error_at(struct error *e, uint64_t offset_bytes);

/* Writes the error as one line without a newline to text (always terminated, control characters in
 * names shown as \xNN): "ACTION OBJECT: REASON; ADVICE". Returns text. */
char *error_format(const struct error *e, char *text, size_t text_size);

/* Copies a name for display: backslashes, invalid bytes, and characters that control a terminal
 * (utf8_printable_length) become \xNN. Returns text. */
char *error_printable(const char *name, char *text, size_t text_size);

#endif
