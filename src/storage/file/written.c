/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* written.c - how the user's files are stored: the sum over a target, and the resulting notes of
 * rows.  Takes a second at most. */
#include "base/compat.h"

#include "storage/file/driver.h"

#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/rng.h"
#include "base/text.h"
#include "os/os.h"

#define EXTENTS_FILES_MAX 1024u
#define EXTENTS_COUNT_MAX (UINT64_C(1) << 20)
#define EXTENTS_TIME_NS   UINT64_C(1000000000)

#define PLACES_MOST    64u /* that are read in search of zeros ... */
#define PLACE_BYTES    4096u
#define PLACES_TIME_NS UINT64_C(200000000) /* ... within this time */

static bool is_zero(const char *bytes, size_t count)
{
    return count > 0 && bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0;
}

/* Reads one random place of an object. */
static void look_for_zeros(struct target *target, uint32_t object, struct rng *rng)
{
    const uint64_t places = (target->length_bytes[object] + PLACE_BYTES - 1) / PLACE_BYTES;
    const off_t at = (off_t)(rng_below(rng, places) * PLACE_BYTES);
    struct error ignored = ERROR_INIT;
    const int fd = file_target_open_object(target, object, &ignored);
    char bytes[PLACE_BYTES];
    ssize_t got;

    if (fd < 0)
        return;
    os_expect_random(fd);
    got = os_read_dropping(fd, bytes, sizeof(bytes), at);
    if (got < 0)
        got = pread(fd, bytes, sizeof(bytes), at);
    close(fd);
    target->zeros.looked += got > 0;
    target->zeros.found += got > 0 && is_zero(bytes, (size_t)got);
}

/* A new thin volume, a trimmed disk, or holes that the file system does not report: the storage is
 * not involved in reading zeros.  Rows get a note if most places contain only zeros. */
void file_target_look_for_zeros(struct target *target)
{
    const uint64_t until_ns = clock_monotonic_ns() + PLACES_TIME_NS;
    struct rng rng;

    if (target->request->dry_run || target->request->writes ||
        !(target->request->tests & 1u << TEST_READ) || strstr(target->notes, "unwritten"))
        return;
    rng_seed(&rng, target->request->seed, 0);
    for (uint32_t i = 0; i < PLACES_MOST && clock_monotonic_ns() < until_ns &&
                         flag_read(target->request->stop) == 0;
         i++)
        look_for_zeros(target, (uint32_t)((uint64_t)i * target->object_count / PLACES_MOST), &rng);
    if (target->zeros.found > target->zeros.looked / 2)
        text_add(target->notes, sizeof(target->notes), ";", "zeros");
}

/* Holes and space never written are read without the storage, compressed data by fewer bytes of it:
 * every row gets a note.  Of many files every n-th is examined, in order of length. */
void file_target_look_at_extents(struct target *target)
{
    const uint32_t step = (target->object_count - 1) / EXTENTS_FILES_MAX + 1;
    const struct extents_limits limits = {.count = EXTENTS_COUNT_MAX,
                                          .until_ns = clock_monotonic_ns() + EXTENTS_TIME_NS,
                                          .stop = target->request->stop};
    struct extents *sum = &target->extents;
    struct error ignored = ERROR_INIT;

    if (target->request->dry_run) /* this may be only the check that precedes the run */
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
