/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* own.c - see own.h. */
#include "base/compat.h"

#include "storage/file/own.h"

#include <fcntl.h>

#include "os/os.h"

#define CLOCK_STEP_S  60               /* clocks are hardly set back by more during a run */
#define MADE_WITH     0600             /* permissions of all files that a run makes */
#define COVERED_BYTES UINT64_C(0xffff) /* direct I/O may write the rest of the last block, too */

/* The largest size that operations write; no limit if the sizes are not listed. */
static uint64_t most_new_bytes(const struct life_manifest *manifest)
{
    const unsigned count = manifest->size_count;
    uint64_t most = manifest->set->size_bytes;

    if (count == 0)
        return UINT64_MAX;
    if (manifest->sizes_bytes[count - 1] > most) /* sorted ascending */
        most = manifest->sizes_bytes[count - 1];
    return most > UINT64_MAX - COVERED_BYTES ? most : most + COVERED_BYTES;
}

void own_learn(struct own_marks *marks, int dir_fd, const struct life_manifest *manifest)
{
    struct stat st;

    *marks = (struct own_marks){.born_s = os_born_s(dir_fd, ""),
                                .file_bytes = manifest->set->size_bytes,
                                .new_bytes = most_new_bytes(manifest)};
    marks->has_manifest =
        fstatat(dir_fd, LIFE_FIRST, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode);
    if (!marks->has_manifest && fstat(dir_fd, &st) != 0)
        return;
    marks->is_owner_known = true;
    marks->owner = (uint32_t)st.st_uid;
    marks->permissions = (uint32_t)st.st_mode & 07777;
}

bool own_fits(const struct own_marks *marks, const struct stat *st, int64_t born_s, bool is_new)
{
    const uint32_t permissions = (uint32_t)st->st_mode & 07777;

    if (!S_ISREG(st->st_mode) ||
        (uint64_t)st->st_size > (is_new ? marks->new_bytes : marks->file_bytes))
        return false;
    /* the manifest's permissions, or those files are made with: its owner may have let others read
     * the manifest, or changed all files that existed during the run */
    if ((marks->is_owner_known && (uint32_t)st->st_uid != marks->owner) ||
        (marks->has_manifest && permissions != marks->permissions && permissions != MADE_WITH))
        return false;
    return born_s == 0 || marks->born_s == 0 || born_s >= marks->born_s - CLOCK_STEP_S;
}

bool own_is_changed(const struct life_manifest *manifest, uint64_t index, const struct stat *st)
{
    return !manifest->state.running && index < manifest->set->made && st->st_size > 0 &&
           (uint64_t)st->st_size < manifest->set->size_bytes;
}
