/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* extents_text.c - describes what is not plain data in a target, in one line before anything is
 * measured: reads of holes look like very fast storage. */
#include "base/compat.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "report/facts/facts.h"

#define NAME_TEXT 300

/* "37 %"; 0 % only for nothing and 100 % only for everything. */
static void format_share(uint64_t part, uint64_t whole, char *text, size_t size)
{
    const double percent = 100.0 * (double)part / (double)whole;

    if (part == whole)
        snprintf(text, size, "100 %%");
    else if (percent < 0.1)
        snprintf(text, size, "less than 0.1 %%");
    else if (percent > 99.9)
        snprintf(text, size, "more than 99.9 %%");
    else
        snprintf(text, size, percent < 9.95 || percent > 99 ? "%.1f %%" : "%.0f %%", percent);
}

/* Appends "37 % WHAT" if part is not 0. */
static void add_share(char *text, size_t size, const char *separator, const struct extents *extents,
                      uint64_t part, const char *what)
{
    char share[32];

    if (part == 0)
        return;
    format_share(part, extents->bytes, share, sizeof(share));
    text_add(text, size, separator, "%s%s %s", extents->cut ? "at least " : "", share, what);
}

bool facts_format_unread(const struct extents *extents, char *text, size_t size)
{
    text[0] = '\0';
    if (extents->bytes == 0)
        return false;
    add_share(text, size, ", ", extents, extents->hole_bytes, "holes");
    add_share(text, size, ", ", extents, extents->unwritten_bytes, "unwritten extents");
    return text[0] != '\0';
}

void facts_print_extents(const struct target *target)
{
    const struct extents *extents = &target->extents;
    char text[FACTS_TEXT], name[NAME_TEXT], files[64] = "";

    if (facts_format_unread(extents, text, sizeof(text)))
        text_add(text, sizeof(text), ": ", "reads there never reach the storage");
    if (extents->bytes == 0)
        return;
    add_share(text, sizeof(text), "; ", extents, extents->encoded_bytes,
              "compressed: reads move fewer bytes than asked");
    add_share(text, sizeof(text), "; ", extents, extents->shared_bytes,
              "in extents shared with other files (reflinks)");
    add_share(text, sizeof(text), "; ", extents, extents->encrypted_bytes,
              "encrypted by the file system");
    add_share(text, sizeof(text), "; ", extents, extents->inline_bytes, "kept with the metadata");
    if (text[0] == '\0')
        return;
    if (extents->files < target->object_count)
        snprintf(files, sizeof(files), " (%" PRIu64 " of %" PRIu32 " files examined)",
                 extents->files, target->object_count);
    log_text("# %s%s: %s", error_printable(target->label, name, sizeof(name)), files, text);
}
