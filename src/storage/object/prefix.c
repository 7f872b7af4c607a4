/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* prefix.c - see the header. */
#include "base/compat.h"

#include "storage/object/prefix.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

bool object_prefix_odd(const char *path)
{
    while (true) {
        const size_t length = strcspn(path, "/");
        if (length == 0 || (length == 1 && path[0] == '.') ||
            (length == 2 && path[0] == '.' && path[1] == '.'))
            return true;
        if (path[length] == '\0')
            return false;
        path += length + 1;
    }
}

int object_prefix_check(const char *target, const char *prefix, struct error *err)
{
    const size_t length = strlen(prefix);
    const char *why = NULL;

    for (const char *at = prefix; *at != '\0' && !why;) {
        const unsigned step = utf8_length(at);
        if ((unsigned char)*at < ' ' || *at == 127)
            why = "control characters are not allowed in the prefix of";
        else if (step == 0)
            why = "only UTF-8 is allowed in the prefix of";
        at += step;
    }
    if (!why && length > OBJECT_PREFIX_MOST)
        why = "the prefix is longer than 512 bytes in";
    if (!why && length > 0 && object_prefix_odd(prefix))
        why = "empty parts, \".\" and \"..\" are not allowed in the prefix of";
    if (!why)
        return 0;
    return error_refuse(err, STATUS_USAGE, why, target, "choose another prefix");
}

char *object_prefix_take(const char *target, const char *text, struct error *err)
{
    const size_t length = strlen(text), cut = length > 1 && text[length - 1] == '/';
    char *prefix = mem_printf("%.*s", (int)(length - cut), text), *whole = NULL;

    if (object_prefix_check(target, prefix, err) == 0)
        whole = mem_printf("%s%s", prefix, prefix[0] ? "/" : "");
    free(prefix);
    return whole;
}
