/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* error.c - fills in struct error and formats it as one line. Names come from users and file
 * systems, so characters that could move the cursor, change the writing direction or forge a second
 * line are shown as \xNN; other valid UTF-8 is kept. Nothing here prints or allocates, so that it
 * works when memory is short. */
#include "base/compat.h"

#include "base/error.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

/* Backslashes are escaped in names only, where they could pass for one of these escapes. */
static void writer_add_clean(struct text_builder *w, const char *text, bool is_name)
{
    while (*text != '\0') {
        size_t n = utf8_printable_length(text);
        if (n == 0 || (is_name && *text == '\\')) {
            char escape[8];
            int length =
                snprintf(escape, sizeof(escape), "\\x%02x", (unsigned)(unsigned char)*text);
            text_put_bytes(w, escape, (size_t)length);
            n = 1;
        } else {
            text_put_bytes(w, text, n);
        }
        text += n;
    }
}

static struct text_builder writer_begin(char *text, size_t text_size)
{
    if (text_size > 0)
        text[0] = '\0';
    return (struct text_builder){.text = text, .room = text_size, .full = text_size == 0};
}

int error_set(struct error *e, enum status status, int errnum, const char *action,
              const char *object)
{
    if (error_is_set(e))
        return -1;
    *e = ERROR_INIT;
    e->status = status == STATUS_OK ? STATUS_INTERNAL : status;
    e->errnum = errnum;
    text_copy(e->action, sizeof(e->action), action);
    text_copy(e->object, sizeof(e->object), object);
    return -1;
}

/* Sets a field of a recorded error unless it is set already. */
__attribute__((format(printf, 4, 0))) static void
add(const struct error *e, char *field, size_t size, const char *format, va_list arguments)
{
    if (error_is_set(e) && field[0] == '\0' && vsnprintf(field, size, format, arguments) < 0)
        field[0] = '\0';
}

int error_explain(struct error *e, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(e, e->reason, sizeof(e->reason), format, arguments);
    va_end(arguments);
    return -1;
}

int error_advise(struct error *e, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(e, e->advice, sizeof(e->advice), format, arguments);
    va_end(arguments);
    return -1;
}

int error_refuse(struct error *e, enum status status, const char *action, const char *object,
                 const char *advice, ...)
{
    va_list arguments;
    error_set(e, status, 0, action, object);
    va_start(arguments, advice);
    add(e, e->advice, sizeof(e->advice), advice, arguments);
    va_end(arguments);
    return -1;
}

int error_prefix(struct error *e, const char *format, ...)
{
    char action[sizeof(e->action)];
    va_list arguments;
    int used;

    text_copy(action, sizeof(action), e->action);
    va_start(arguments, format);
    used = vsnprintf(e->action, sizeof(e->action), format, arguments);
    va_end(arguments);
    if (used >= 0 && (size_t)used < sizeof(e->action))
        text_copy(e->action + used, sizeof(e->action) - (size_t)used, action);
    return -1;
}

int error_at(struct error *e, uint64_t offset_bytes)
{
    const size_t most = sizeof(e->object) - sizeof(" at offset 18446744073709551615");
    const size_t length = strlen(e->object), used = length < most ? length : most;

    snprintf(e->object + used, sizeof(e->object) - used, " at offset %" PRIu64, offset_bytes);
    return -1;
}

/* What was meant is a question; what else is advised follows it. */
static void add_advice(struct text_builder *w, const char *advice)
{
    const char *rest = strstr(advice, "; ");
    char question[sizeof(((struct error *)0)->advice)];

    text_put_bytes(w, "; ", 2);
    if (strncmp(advice, ERROR_MEANT, strlen(ERROR_MEANT)) != 0) {
        writer_add_clean(w, advice, false);
        return;
    }
    snprintf(question, sizeof(question), "%.*s",
             (int)(rest ? (size_t)(rest - advice) : strlen(advice)), advice);
    writer_add_clean(w, question, false);
    text_put_bytes(w, "?", 1);
    if (rest)
        writer_add_clean(w, rest + 1, false);
}

char *error_format(const struct error *e, char *text, size_t text_size)
{
    struct text_builder w = writer_begin(text, text_size);
    writer_add_clean(&w, e->action, false);
    if (e->object[0] != '\0') {
        if (w.used > 0)
            text_put_bytes(&w, " ", 1);
        writer_add_clean(&w, e->object, true);
    } else if (text_colon(e->action)[0] == '\0') { /* an empty word */
        text_put(&w, " nothing");
    }
    if (e->reason[0] != '\0' || e->errnum != 0) {
        text_put(&w, text_colon(e->object));
        text_put_bytes(&w, " ", 1);
        writer_add_clean(&w, e->reason[0] != '\0' ? e->reason : strerror(e->errnum), false);
    }
    if (e->advice[0] != '\0')
        add_advice(&w, e->advice);
    return text;
}

char *error_printable(const char *name, char *text, size_t text_size)
{
    struct text_builder w = writer_begin(text, text_size);
    writer_add_clean(&w, name, true);
    return text;
}
