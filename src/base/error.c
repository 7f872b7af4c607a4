/* SPDX-License-Identifier: GPL-2.0-or-later */
/* error.c - filling a struct error and turning it into one line.  Names come from users and from
 * file systems, so whatever could move the cursor or forge a second line is shown as \xNN; valid
 * UTF-8 stays readable.  Nothing here prints or allocates: it must work when memory is short. */
#include "base/compat.h"

#include "base/error.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A bounded text under construction; what does not fit as a whole (an escape, a character) ends
 * it, so that a cut never leaves half of one. */
struct writer {
    char *text;
    size_t used, size;
    bool full;
};

static void writer_add(struct writer *w, const char *bytes, size_t n)
{
    if (w->full || n >= w->size - w->used) {
        w->full = true;
        return;
    }
    memcpy(w->text + w->used, bytes, n);
    w->used += n;
    w->text[w->used] = '\0';
}

/* Length of the valid UTF-8 character that begins here, 0 when there is none or when it is a C1
 * control (U+0080..U+009F), which terminals obey. */
static size_t utf8_length(const unsigned char *s)
{
    size_t n;
    if (s[0] < 0x80)
        return 1;
    if (s[0] >= 0xc2 && s[0] <= 0xdf)
        n = 2;
    else if ((s[0] & 0xf0) == 0xe0)
        n = 3;
    else if (s[0] >= 0xf0 && s[0] <= 0xf4)
        n = 4;
    else
        return 0;
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80) /* the terminating 0 ends this too */
            return 0;
    }
    if ((s[0] == 0xc2 && s[1] < 0xa0) || (s[0] == 0xe0 && s[1] < 0xa0) ||
        (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf0 && s[1] < 0x90) ||
        (s[0] == 0xf4 && s[1] > 0x8f))
        return 0; /* control, overlong, surrogate or beyond U+10FFFF */
    return n;
}

/* Backslashes are escaped in names only: there they could pass for one of our own escapes. */
static void writer_add_clean(struct writer *w, const char *text, bool is_name)
{
    const unsigned char *s = (const unsigned char *)text;
    while (*s != '\0') {
        size_t n = utf8_length(s);
        if (n == 0 || *s < 0x20 || *s == 0x7f || (is_name && *s == '\\')) {
            char escape[8];
            int length = snprintf(escape, sizeof(escape), "\\x%02x", (unsigned)*s);
            writer_add(w, escape, (size_t)length);
            n = 1;
        } else {
            writer_add(w, (const char *)s, n);
        }
        s += n;
    }
}

static struct writer writer_begin(char *text, size_t text_size)
{
    if (text_size > 0)
        text[0] = '\0';
    return (struct writer){.text = text, .size = text_size, .full = text_size == 0};
}

static void copy_cut(char *to, size_t to_size, const char *from)
{
    size_t n = strlen(from);
    if (n >= to_size)
        n = to_size - 1;
    memcpy(to, from, n);
    to[n] = '\0';
}

int error_set(struct error *e, enum status status, int errnum, const char *action,
              const char *object)
{
    if (error_is_set(e))
        return -1;
    *e = ERROR_INIT;
    e->status = status == STATUS_OK ? STATUS_INTERNAL : status;
    e->errnum = errnum;
    copy_cut(e->action, sizeof(e->action), action);
    if (object != NULL)
        copy_cut(e->object, sizeof(e->object), object);
    return -1;
}

int error_explain(struct error *e, const char *format, ...)
{
    va_list arguments;
    if (!error_is_set(e) || e->reason[0] != '\0')
        return -1;
    va_start(arguments, format);
    if (vsnprintf(e->reason, sizeof(e->reason), format, arguments) < 0)
        e->reason[0] = '\0';
    va_end(arguments);
    return -1;
}

int error_advise(struct error *e, const char *format, ...)
{
    va_list arguments;
    if (!error_is_set(e) || e->advice[0] != '\0')
        return -1;
    va_start(arguments, format);
    if (vsnprintf(e->advice, sizeof(e->advice), format, arguments) < 0)
        e->advice[0] = '\0';
    va_end(arguments);
    return -1;
}

int error_at(struct error *e, uint64_t offset_bytes)
{
    if (error_is_set(e) && !e->has_offset) {
        e->has_offset = true;
        e->offset_bytes = offset_bytes;
    }
    return -1;
}

char *error_format(const struct error *e, char *text, size_t text_size)
{
    struct writer w = writer_begin(text, text_size);
    writer_add_clean(&w, e->action, false);
    if (e->object[0] != '\0') {
        if (w.used > 0)
            writer_add(&w, " ", 1);
        writer_add_clean(&w, e->object, true);
    }
    if (e->has_offset) {
        char place[48];
        int n = snprintf(place, sizeof(place), " at offset %" PRIu64, e->offset_bytes);
        writer_add(&w, place, (size_t)n);
    }
    if (e->reason[0] != '\0' || e->errnum != 0) {
        writer_add(&w, ": ", 2);
        writer_add_clean(&w, e->reason[0] != '\0' ? e->reason : strerror(e->errnum), false);
    }
    if (e->advice[0] != '\0') {
        writer_add(&w, "; ", 2);
        writer_add_clean(&w, e->advice, false);
    }
    return text;
}

char *error_printable(const char *name, char *text, size_t text_size)
{
    struct writer w = writer_begin(text, text_size);
    writer_add_clean(&w, name, true);
    return text;
}
