/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text.c - see text.h. */
#include "base/compat.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void text_copy(char *to, size_t size, const char *from)
{
    size_t length = from ? strlen(from) : 0;
    if (length > size - 1)
        length = size - 1;
    if (length > 0)
        memmove(to, from, length);
    to[length] = '\0';
}

void text_add(char *list, size_t size, const char *separator, const char *format, ...)
{
    size_t used = strlen(list);
    va_list arguments;

    if (used > 0)
        used += (size_t)snprintf(list + used, size - used, "%s", separator);
    if (used >= size)
        return;
    va_start(arguments, format);
    vsnprintf(list + used, size - used, format, arguments);
    va_end(arguments);
}

bool text_listed(const char *list, const char *word)
{
    const size_t length = strlen(word);

    for (const char *at = list; (at = strstr(at, word)) != NULL; at++)
        if ((at == list || at[-1] == ' ') && (at[length] == '\0' || at[length] == ','))
            return true;
    return false;
}
