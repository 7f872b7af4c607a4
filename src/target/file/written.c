/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* written.c - what of the user's files really is on the storage: the sum over a target, and
 * what every row has to say about it.  Looking may take a second, whatever is found. */
#include "base/compat.h"

#include "target/file/driver.h"

#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "os/os.h"

#define EXTENTS_FILES_MAX 1024u
#define EXTENTS_COUNT_MAX (UINT64_C(1) << 20)
#define EXTENTS_TIME_NS   UINT64_C(1000000000)

/* Holes and space never written are answered without the storage, compressed data by fewer bytes of
 * it: every row says so.  Of many files every n-th is looked at, in order of length. */
void file_target_look_at_extents(struct target *target)
{
    const uint32_t step = (target->object_count - 1) / EXTENTS_FILES_MAX + 1;
    const struct extents_limits limits = {.count = EXTENTS_COUNT_MAX,
                                          .until_ns = clock_monotonic_ns() + EXTENTS_TIME_NS,
                                          .stop = target->request->stop};
    struct extents *sum = &target->extents;
    struct error ignored = ERROR_INIT;

    if (target->request->dry_run) /* may only be the check before the run that looks */
        return;
    for (uint64_t i = 0; i < target->object_count && !sum->cut; i += step) {
        const int fd = file_target_open_object(target, (uint32_t)i, &ignored);

        if (fd < 0)
            continue;
        os_extents_add(sum, fd, target->length_bytes[i], &limits);
        close(fd);
    }
    if (sum->hole_bytes > 0 || sum->unwritten_bytes > 0)
        text_add(target->notes, sizeof(target->notes), ";", "unwritten");
    if (sum->encoded_bytes > 0)
        text_add(target->notes, sizeof(target->notes), ";", "compressed");
}
