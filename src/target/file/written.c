/* SPDX-License-Identifier: GPL-2.0-or-later */
/* written.c - what of the user's files really is on the storage: the sum over a target, and
 * what every row has to say about it.  Looking may take a second, whatever is found. */
#include "base/compat.h"

#include "target/file/driver.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

#define EXTENTS_FILES_MAX 1024u
#define EXTENTS_COUNT_MAX (UINT64_C(1) << 20)
#define EXTENTS_TIME_NS   UINT64_C(1000000000)

static void add_note(struct store *store, const char *note)
{
    const size_t used = strlen(store->notes);

    snprintf(store->notes + used, sizeof(store->notes) - used, "%s%s", used > 0 ? ";" : "", note);
}

/* Holes and space never written are answered without the storage, compressed data by fewer bytes of
 * it: every row says so.  Of many files every n-th is looked at, in order of length. */
void store_file_look_at_extents(struct store *store)
{
    const uint32_t step = (store->object_count - 1) / EXTENTS_FILES_MAX + 1;
    const struct extents_limits limits = {.count = EXTENTS_COUNT_MAX,
                                          .until_ns = clock_monotonic_ns() + EXTENTS_TIME_NS,
                                          .stop = store->request->stop};
    struct extents *sum = &store->extents;
    struct error ignored = ERROR_INIT;

    if (store->request->dry_run) /* may only be the check before the run that looks */
        return;
    extents_start(sum);
    for (uint64_t i = 0; i < store->object_count && !sum->cut; i += step) {
        const int fd = store_file_open_object(store, (uint32_t)i, &ignored);

        if (fd < 0)
            continue;
        extents_add(sum, fd, store->length_bytes[i], &limits);
        close(fd);
    }
    if (sum->hole_bytes > 0 || sum->unwritten_bytes > 0)
        add_note(store, "unwritten");
    if (sum->encoded_bytes > 0)
        add_note(store, "compressed");
}
