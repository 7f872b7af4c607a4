/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* existing.c - existing targets: a file, a block device (for trees see tree.c), and how the user's
 * data are stored: the sum over a target, and the resulting notes of rows.
 *
 * An existing file is written only with --overwrite and never through a symbolic link, a block
 * device only with --destroy-data and only if the kernel grants it exclusively. */
#include "base/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/rng.h"
#include "base/text.h"
#include "base/units.h"
#include "engine/file.h"
#include "os/os.h"
#include "storage/file/driver.h"
#include "storage/pattern.h"

#define IN_USE "mounted or in use, so not written to:"

#define EXTENTS_FILES_MAX 1024u
#define EXTENTS_COUNT_MAX (UINT64_C(1) << 20)
#define EXTENTS_TIME_NS   UINT64_C(1000000000)

#define PLACES_MOST    64u /* that are read in search of zeros ... */
#define PLACE_BYTES    4096u
#define PLACES_TIME_NS UINT64_C(200000000) /* ... within this time */

/* How much of an existing object is used: all of it, unless the user gave a length. */
static uint64_t used_bytes(const struct target_request *request, uint64_t length_bytes)
{
    const uint64_t most_bytes = request->use_bytes;
    return most_bytes > 0 && most_bytes < length_bytes ? most_bytes : length_bytes;
}

/* --verify of one existing object.  Writes can be checked by reading back, whatever the object
 * contained; for reads alone its content must be known. */
static int know_content(struct file_target *fs, struct error *err)
{
    const struct target_request *request = fs->target.request;

    if (!request->verify)
        return 0;
    if (request->writes) {
        fs->manifest.set = mem_calloc(1, sizeof(*fs->manifest.set));
        fs->manifest.seed = pattern_seed(request->seed, fs->target.place);
        return file_target_know_run(fs, err);
    }
    return file_target_know_kept(fs, false, err);
}

/* The target's only object: a file named in its directory, or a device by its absolute path. */
static int take_object(struct file_target *fs, const char *name, int64_t length_bytes,
                       const char *kind, struct error *err)
{
    struct life_objects found = {.count = 0};
    char size[UNITS_TEXT];

    life_objects_add(&found, mem_strdup(name),
                     used_bytes(fs->target.request, (uint64_t)length_bytes));
    file_target_take_found(fs, &found);
    fs->target.description =
        mem_printf("%s of %s", kind, units_format_size((uint64_t)length_bytes, size));
    fs->target.writable = fs->target.request->writes;
    file_target_look_at_data(&fs->target);
    return know_content(fs, err);
}

/* Checks that the object to be written is not in use elsewhere. */
static int check_unused(const struct file_target *fs, int fd, struct error *err)
{
    const struct target_request *request = fs->target.request;
    char who[200];

    if (request->follows || os_user_of(fd, fs->target.place, who, sizeof(who)) <= 0)
        return 0;
    error_set(err, STATUS_TARGET, 0, IN_USE, request->target);
    error_explain(err, "%s", who);
    return error_advise(err, "unmount or detach that first, or use -r to read it");
}

/* Whether an existing file may be written: the user allowed it, it is not reached by a link, it is
 * not in use as a disk, and the kernel permits it. */
static int check_overwrite(const struct file_target *fs, struct error *err)
{
    const struct target_request *request = fs->target.request;
    const char *path = fs->target.place;
    struct stat st;
    int fd, code;

    if (!request->overwrite)
        return error_refuse(err, STATUS_TARGET, "existing files are only read:", request->target,
                            "use -r to read it, or --overwrite to overwrite its data");
    if (lstat(request->target, &st) != 0 || S_ISLNK(st.st_mode))
        return error_refuse(err, STATUS_TARGET,
                            "a file is not overwritten through a symbolic link:", request->target,
                            "name the file itself: %s", path);
    fd = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        error_set(err, STATUS_TARGET, errno, "cannot write to", request->target);
        return error_advise(err, "use -r to read it only");
    }
    code = check_unused(fs, fd, err);
    close(fd);
    return code;
}

int file_target_open_file(struct file_target *fs, struct error *err)
{
    const struct target_request *request = fs->target.request;
    const char *name = strrchr(fs->target.place, '/') + 1;
    const int parent_length = (int)(name - 1 - fs->target.place);
    int64_t length_bytes;
    int fd;

    if (request->writes && check_overwrite(fs, err) != 0)
        return -1;
    fs->directory = mem_printf("%.*s", parent_length > 0 ? parent_length : 1, fs->target.place);
    fs->target.dir_path = fs->directory;
    fs->target.dir_fd = open(fs->directory, OS_O_LOOK | O_DIRECTORY | O_CLOEXEC);
    if (fs->target.dir_fd < 0)
        return error_set(err, STATUS_TARGET, errno, "cannot open", fs->directory);
    fd = file_open_quietly(fs->target.dir_fd, name, O_NOFOLLOW);
    if (fd < 0)
        return file_target_unreadable(-fd, "cannot open", request->target, err);
    fs->target.noatime = file_target_is_untouched(fd);
    length_bytes = file_length(fd, request->target, err);
    file_target_set_file_system(&fs->target, fd);
    close(fd);
    if (length_bytes < 0)
        return -1;
    if (length_bytes == 0)
        return error_set(err, STATUS_TARGET, 0,
                         request->writes ? "nothing to overwrite in the empty file"
                                         : "nothing to read in the empty file",
                         request->target);
    return take_object(fs, name, length_bytes, "1 file", err);
}

/* Whether a block device may be written; if so, holds it exclusively, unless another rank of the
 * team on this host does.  A dry run checks the same without opening it for writing: closing such a
 * descriptor makes udev examine the device again. */
static int claim_device(struct file_target *fs, struct error *err)
{
    const struct target_request *request = fs->target.request;
    int flags = O_NONBLOCK | O_CLOEXEC | (request->dry_run ? O_RDONLY : O_WRONLY) |
                (request->follows ? 0 : O_EXCL);
    int fd;

    if (!request->destroy_data)
        return error_refuse(err, STATUS_TARGET, "block devices are only read:", request->target,
                            "use -r to read it, or --destroy-data to overwrite what it holds");
    if (!OS_CLAIMS_DEVICES)
        return error_refuse(err, STATUS_TARGET,
                            "block devices are only read on this system:", request->target,
                            "use -r: this system cannot tell whether a device is in use");
    /* The kernel opens a read-only device for writing; only the writes fail. */
    if (os_traits(fs->hold_fd) & OS_READ_ONLY) {
        error_set(err, STATUS_TARGET, EROFS, "cannot write to", request->target);
        return error_advise(err, "use -r to read it only");
    }
    if (check_unused(fs, fs->hold_fd, err) != 0)
        return -1;
    fd = open(fs->target.place, flags);
    if (fd >= 0) {
        close(fs->hold_fd);
        fs->hold_fd = fd;
        return 0;
    }
    error_set(err, STATUS_TARGET, errno, errno == EBUSY ? IN_USE : "cannot write to",
              request->target);
    return error_advise(err, "unmount it, or use -r to read it");
}

int file_target_open_device(struct file_target *fs, struct error *err)
{
    const struct target_request *request = fs->target.request;
    int64_t length_bytes;
    int fd;

    fd = open(fs->target.place, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        error_set(err, STATUS_TARGET, errno, "cannot open", request->target);
        if (errno == EACCES)
            error_advise(err, "reading a block device needs root or the group that owns it");
        else if (errno == EPERM) /* forbidden by device rules, not by permissions */
            error_advise(err, "containers may open only devices that they were given (with docker: "
                              "--device)");
        return -1;
    }
    fs->hold_fd = fd; /* the last close of a device empties its page cache */
    length_bytes = file_length(fd, request->target, err);
    file_target_set_file_system(&fs->target, fd);
    if (length_bytes < 0)
        return -1;
    if (length_bytes == 0)
        return error_set(err, STATUS_TARGET, 0, "nothing to read: no medium in the block device",
                         request->target);
    if (request->writes && claim_device(fs, err) != 0)
        return -1;
    fs->target.dir_fd = AT_FDCWD; /* the name is absolute */
    return take_object(fs, fs->target.place, length_bytes, "block device", err);
}

void file_target_take_found(struct file_target *fs, struct life_objects *found)
{
    struct target *target = &fs->target;

    file_target_set_objects(fs, (uint32_t)found->count);
    fs->names = mem_calloc(target->object_count, sizeof(*fs->names));
    fs->numbers = mem_calloc(target->object_count, sizeof(*fs->numbers));
    target->name = (const char *const *)fs->names;
    for (uint32_t i = 0; i < target->object_count; i++) {
        const uint64_t length_bytes = found->object[i].length_bytes;

        fs->names[i] = found->object[i].name;
        fs->numbers[i] = found->object[i].number;
        fs->lengths[i] =
            target->request->existing ? used_bytes(target->request, length_bytes) : length_bytes;
        target->total_bytes = number_plus(target->total_bytes, fs->lengths[i]);
    }
    free(found->object);
    *found = (struct life_objects){0};
}

void file_target_take_set(struct file_target *fs, uint64_t count, uint64_t length_bytes)
{
    struct life_objects all = {.count = 0};
    char name[FILESET_NAME_MAX];

    for (uint64_t i = 0; i < count; i++)
        life_objects_add(&all, mem_strdup(fileset_name(fs->manifest.set, i, name, sizeof(name))),
                         length_bytes)
            ->number = i;
    file_target_take_found(fs, &all);
}

/* ---- how existing data are stored ---- */

static bool is_zero(const char *bytes, size_t count)
{
    return count > 0 && bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0;
}

/* Reads one random place of an object. */
static void read_place(struct target *target, uint32_t object, struct rng *rng)
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
static void look_for_zeros(struct target *target)
{
    const uint64_t until_ns = clock_monotonic_ns() + PLACES_TIME_NS;
    struct rng rng;

    if (target->request->writes || !(target->request->tests & 1u << TEST_READ) ||
        strstr(target->notes, "unwritten"))
        return;
    rng_seed(&rng, target->request->seed, 0);
    for (uint32_t i = 0; i < PLACES_MOST && clock_monotonic_ns() < until_ns &&
                         flag_read(target->request->stop) == 0;
         i++)
        read_place(target, (uint32_t)((uint64_t)i * target->object_count / PLACES_MOST), &rng);
    if (target->zeros.found > target->zeros.looked / 2)
        text_add(target->notes, sizeof(target->notes), ";", "zeros");
}

/* Holes and space never written are read without the storage, compressed data by fewer bytes of it:
 * every row gets a note.  Of many files every n-th is examined, in order of length. */
static void look_at_extents(struct target *target)
{
    const uint32_t step = (target->object_count - 1) / EXTENTS_FILES_MAX + 1;
    const struct extents_limits limits = {.count = EXTENTS_COUNT_MAX,
                                          .until_ns = clock_monotonic_ns() + EXTENTS_TIME_NS,
                                          .stop = target->request->stop};
    struct extents *sum = &target->extents;
    struct error ignored = ERROR_INIT;

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

void file_target_look_at_data(struct target *target)
{
    if (target->request->dry_run) /* this may be only the check that precedes the run */
        return;
    /* devices have no extents, and files whose existence is tested may be missing */
    if (target->dir_fd != AT_FDCWD && target->request->tests != 1u << TEST_STAT)
        look_at_extents(target);
    look_for_zeros(target);
}
