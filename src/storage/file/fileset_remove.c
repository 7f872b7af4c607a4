/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fileset_remove.c - goes over the directory of test files, to count or to remove them.
 *
 * It descends through descriptors of real directories and takes the listed names that the layout
 * yields.  Other files are left and reported; then the manifest stays too, so that `iosweep clean`
 * can finish later. */
#include "base/compat.h"

#include "storage/file/fileset.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/number.h"
#include "os/beneath.h"
#include "os/os.h"
#include "storage/fresh.h"

/* ---- whether the run made a file ---- */

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

/* Returns 0 or an error number. */
static int look_at_manifest(int dir_fd, uint64_t number, struct stat *st)
{
    char name[LIFE_NAME_MAX], digits[NUMBER_BYTES];

    snprintf(name, sizeof(name), LIFE_NAME "%s", number_text(number, digits));
    if (fstatat(dir_fd, name, st, AT_SYMLINK_NOFOLLOW) != 0)
        return errno;
    return S_ISREG(st->st_mode) ? 0 : EINVAL;
}

int fileset_learn_marks(struct fileset_marks *marks, int dir_fd,
                        const struct life_manifest *manifest)
{
    const int64_t born_s = os_born_s(dir_fd, "");
    struct stat st;
    int code = born_s < 0 ? errno : look_at_manifest(dir_fd, 1, &st);

    *marks = (struct fileset_marks){.born_s = born_s,
                                    .file_bytes = manifest->set->size_bytes,
                                    .new_bytes = most_new_bytes(manifest),
                                    .modes_late = (os_traits(dir_fd) & OS_CLOSE_FLUSHES) != 0};
    if (code != 0 && born_s >= 0)
        code = look_at_manifest(dir_fd, manifest->state.number, &st);
    marks->has_manifest = code == 0;
    /* only a run of this process can be without: that of another one was read just before */
    if (code == ENOENT && manifest->state.own)
        code = fstat(dir_fd, &st) != 0 ? errno : 0;
    if (code != 0)
        return code;
    marks->owner = (uint32_t)st.st_uid;
    marks->permissions = (uint32_t)st.st_mode & 07777;
    return 0;
}

bool fileset_has_marks(const struct fileset_marks *marks, const struct stat *st, int64_t born_s,
                       bool is_new)
{
    const uint32_t permissions = (uint32_t)st->st_mode & 07777;
    /* NFS 3 makes a new file without permissions, and sets them by another request */
    const bool is_begun = marks->modes_late && permissions == 0 && st->st_size == 0;

    if (!S_ISREG(st->st_mode) ||
        (uint64_t)st->st_size > (is_new ? marks->new_bytes : marks->file_bytes))
        return false;
    /* the manifest's permissions, or those files are made with: its owner may have let others read
     * the manifest, or changed all files that existed during the run */
    if ((uint32_t)st->st_uid != marks->owner ||
        (marks->has_manifest && permissions != marks->permissions && permissions != MADE_WITH &&
         !is_begun))
        return false;
    return born_s == 0 || marks->born_s == 0 || born_s >= marks->born_s - CLOCK_STEP_S;
}

bool fileset_is_changed(const struct life_manifest *manifest, uint64_t index, const struct stat *st)
{
    return !manifest->state.running && index < manifest->set->made && st->st_size > 0 &&
           (uint64_t)st->st_size < manifest->set->size_bytes;
}

/* ---- going over the directory ---- */

struct remover {
    const struct fileset *set;
    const struct life_manifest *manifest;
    unsigned levels, width;
    uint64_t device;
    enum life_way way;
    struct fileset_marks marks;
    struct life_tally *tally;
    struct pace pace;
    bool failed;
    struct error *err;
    char path[PATH_MAX]; /* of the current directory, for messages */
};

/* The position of a directory within the run. */
struct spot {
    enum { IN_TREE, IN_FRESH, IN_THREAD } part;
    unsigned level;  /* in the tree: the top is 1 */
    uint64_t before; /* number of directories or files of the level that precede its own */
};

enum obstacle { NOTHING, FAILED, FOREIGN, MOUNTED, SHORTER, REPLACED, ENDLESS, STAYS, MOVED };

static const struct {
    const char *action, *advice;
} obstacles[] = {
    [FAILED] = {"cannot remove", "iosweep clean removes what is left"},
    [FOREIGN] = {"left in place, not made by iosweep:",
                 "move it away, then run iosweep clean on the target"},
    [MOUNTED] = {"left in place because it is a mount point:",
                 "unmount it, then run iosweep clean on the target"},
    [SHORTER] = {"left in place, shorter than the run made it:",
                 "check it, remove it by hand and clean again; iosweep clean --force removes what "
                 "is merely shorter than the run made it"},
    /* `clean` would accept it as ours */
    [REPLACED] = {"left in place, not made by iosweep:",
                  "move it away first: iosweep clean removes whatever has that name"},
    [ENDLESS] = {"too many names are listed in",
                 "check the file system: no run makes as many in a directory"},
    [STAYS] = {"still there after its removal:",
               "check the file system, then run iosweep clean on the target"},
    [MOVED] = {"moved during the run, and left with all test files:",
               "remove it from where it is now"},
};

static bool is_mount_point(int dir_fd, const char *name)
{
    struct beneath_id above, id;

    return beneath_look(dir_fd, "", &above) == 0 && beneath_look(dir_fd, name, &id) == 0 &&
           !beneath_same_mount(&above, &id);
}

/* Records an obstacle at a name in a directory ("": the directory itself).  Only the first one is
 * reported.  Files that removal would leave do not prevent counting the others. */
static void note_obstacle(struct remover *remover, enum obstacle what, int errnum, int dir_fd,
                          const char *name)
{
    char object[PATH_MAX + NAME_MAX + 2];

    if (remover->way == LIFE_COUNT && what != FAILED && what != ENDLESS)
        return;
    if (!remover->failed) {
        if ((what == FAILED || what == FOREIGN) && name[0] != '\0' && is_mount_point(dir_fd, name))
            what = MOUNTED;
        snprintf(object, sizeof(object), "%s%s%s", remover->path, name[0] == '\0' ? "" : "/", name);
        error_set(remover->err, STATUS_TARGET, what == FAILED ? errnum : 0, obstacles[what].action,
                  object);
        error_advise(remover->err, "%s", obstacles[what].advice);
    }
    remover->failed = true;
}

/* The user does not want to wait for the rest, which `clean` finds later. */
static bool is_stopped(struct remover *remover)
{
    if (!remover->tally->stop || flag_read(remover->tally->stop) == 0)
        return false;
    if (!remover->failed)
        error_set(remover->err, STATUS_PARTIAL, EINTR, "interrupted in", remover->path);
    remover->failed = true;
    return true;
}

/* ---- files ---- */

/* Why a file with a name of the run is left; NOTHING: it is the run's; FAILED: errno says why. */
static enum obstacle judge_file(const struct remover *remover, int dir_fd, const char *name,
                                const struct stat *st, bool is_new, uint64_t index)
{
    const struct fileset *set = remover->set;
    const uint64_t known = !is_new && index < set->known_count ? set->known[index].inode : 0;
    const int64_t born_s = os_born_s(dir_fd, name);

    if (born_s < 0)
        return FAILED;
    if (!fileset_has_marks(&remover->marks, st, born_s, is_new))
        return is_mount_point(dir_fd, name) ? MOUNTED : FOREIGN;
    if (!is_new && !set->made && !remover->tally->force &&
        fileset_is_changed(remover->manifest, index, st))
        return SHORTER;
    /* this process made a different file of that name */
    return known != 0 && known != st->st_ino ? REPLACED : NOTHING;
}

/* Counts one file with a name of the layout or of fresh.h, and removes it unless only counting.
 * True if it was removed. */
static bool take_file(struct remover *remover, int dir_fd, const char *name, bool is_new,
                      uint64_t index)
{
    enum obstacle what;
    struct stat st;

    if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return false;
    what = judge_file(remover, dir_fd, name, &st, is_new, index);
    if (what == FAILED && errno == ENOENT)
        return false;
    if (what != NOTHING) {
        note_obstacle(remover, what, errno, dir_fd, name);
        return false;
    }
    if (remover->way == LIFE_REMOVE && unlinkat(dir_fd, name, 0) != 0) {
        if (errno != ENOENT)
            note_obstacle(remover, FAILED, errno, dir_fd, name);
        return false;
    }
    remover->tally->objects++;
    remover->tally->bytes += (uint64_t)st.st_size;
    if (remover->way == LIFE_REMOVE && pace_due(&remover->pace))
        log_progress("removing: %" PRIu64 " file%s so far", remover->tally->objects,
                     remover->tally->objects == 1 ? "" : "s");
    return remover->way == LIFE_REMOVE;
}

/* ---- directories ---- */

/* Opens a directory of the run; -1 if there is nothing to do in it. */
static int enter_directory(struct remover *remover, int dir_fd, const char *name)
{
    struct stat st;
    int fd = beneath_open(dir_fd, name, O_RDONLY | O_DIRECTORY, 0), code = -fd;

    if (fd >= 0 && fstat(fd, &st) == 0 && (uint64_t)st.st_dev == remover->device)
        return fd;
    if (fd >= 0) { /* another file system within ours, such as a subvolume */
        close(fd);
        code = EXDEV;
    } else if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
        code = S_ISLNK(st.st_mode) ? ELOOP : code;
    } else if (errno == ENOENT) {
        return -1;
    }
    note_obstacle(remover, code == EXDEV || code == ENOTDIR || code == ELOOP ? FOREIGN : FAILED,
                  code, dir_fd, name);
    return -1;
}

/* Such as "f7", with numbers below count. */
static bool is_numbered(const char *name, char letter, uint64_t count, uint64_t *number)
{
    char digits[NUMBER_BYTES];

    return name[0] == letter && number_read(name + 1, number) && *number < count &&
           strcmp(name + 1, number_text(*number, digits)) == 0;
}

static bool take_directory(struct remover *remover, int dir_fd, const char *name,
                           const struct spot *spot);

static bool is_lowest(const struct remover *remover, const struct spot *spot)
{
    return spot->part == IN_TREE && spot->level == remover->levels;
}

/* Handles one name in a directory of the run.  True if it was removed. */
static bool take_name(struct remover *remover, int dir_fd, const struct spot *spot,
                      const char *name)
{
    const uint64_t threads = remover->manifest->threads;
    const bool is_top = spot->part == IN_TREE && spot->level == 1;
    uint64_t number;

    if (is_top && life_is_manifest(name, &number))
        return false;
    if (is_top && threads > 0 && strcmp(name, FRESH_DIRECTORY) == 0)
        return take_directory(remover, dir_fd, name, &(struct spot){.part = IN_FRESH});
    if (spot->part == IN_FRESH && is_numbered(name, 't', threads, &number))
        return take_directory(remover, dir_fd, name, &(struct spot){.part = IN_THREAD});
    if (spot->part == IN_THREAD && fresh_is_name(name))
        return take_file(remover, dir_fd, name, true, 0);
    if (is_lowest(remover, spot) && is_numbered(name, 'f', remover->width, &number))
        return take_file(remover, dir_fd, name, false, spot->before + number);
    if (spot->part == IN_TREE && !is_lowest(remover, spot) &&
        is_numbered(name, 'd', remover->width, &number))
        return take_directory(remover, dir_fd, name,
                              &(struct spot){.level = spot->level + 1,
                                             .before = (spot->before + number) * remover->width});
    note_obstacle(remover, FOREIGN, 0, dir_fd, name);
    return false;
}

/* Maximum number of the run's names in a directory. */
static uint64_t count_names(const struct remover *remover, const struct spot *spot)
{
    return spot->part == IN_TREE    ? remover->width
           : spot->part == IN_FRESH ? remover->manifest->threads
                                    : FILESET_NAMES_MOST;
}

/* Handles all listed names, repeatedly until nothing was removed, because a directory that changes
 * while it is read may omit some.  Gives up on an endless list, and where a name that was removed
 * is still there. */
static void take_listed(struct remover *remover, int dir_fd, const struct spot *spot)
{
    uint64_t removed, left = count_names(remover, spot) + FILESET_FOREIGN_MOST;
    char last[FILESET_NAME_MAX];
    struct stat st;
    bool stays;
    int code;

    do {
        struct fileset_listing listing;
        const char *name;

        removed = 0;
        code = 0;
        fileset_list_begin(&listing, dir_fd, left);
        while (!is_stopped(remover) && (code = fileset_list_next(&listing, &name)) > 0) {
            if (remover->way == LIFE_CHECK && is_mount_point(dir_fd, name))
                note_obstacle(remover, MOUNTED, 0, dir_fd, name);
            else if (take_name(remover, dir_fd, spot, name)) {
                removed++;
                snprintf(last, sizeof(last), "%s", name);
            }
        }
        fileset_list_end(&listing);
        left = listing.left;
        stays = removed > 0 && fstatat(dir_fd, last, &st, AT_SYMLINK_NOFOLLOW) == 0;
        if (stays)
            note_obstacle(remover, STAYS, 0, dir_fd, last);
    } while (code >= 0 && removed > 0 && !stays);
    if (code < 0 && code != -ENOENT) /* removed by another process */
        note_obstacle(remover, code == -EOVERFLOW ? ENDLESS : FAILED, -code, dir_fd, "");
}

/* Lists are not trusted: if a directory that lists no more names cannot be removed, tries the names
 * that the layout allows. */
static void take_unlisted(struct remover *remover, int dir_fd, const struct spot *spot)
{
    const uint64_t count = spot->part == IN_THREAD ? 0 : count_names(remover, spot);
    const char letter = spot->part == IN_FRESH ? 't' : is_lowest(remover, spot) ? 'f' : 'd';
    char name[NUMBER_BYTES + 1], digits[NUMBER_BYTES];

    for (uint64_t i = 0; i < count && !is_stopped(remover); i++) {
        snprintf(name, sizeof(name), "%c%s", letter, number_text(i, digits));
        (void)take_name(remover, dir_fd, spot, name);
    }
}

static bool take_directory(struct remover *remover, int dir_fd, const char *name,
                           const struct spot *spot)
{
    const size_t path_length = strlen(remover->path);
    const int fd = enter_directory(remover, dir_fd, name);
    bool gone = false;

    if (fd < 0)
        return false;
    snprintf(remover->path + path_length, sizeof(remover->path) - path_length, "/%s", name);
    take_listed(remover, fd, spot);
    if (remover->way == LIFE_REMOVE) {
        gone = unlinkat(dir_fd, name, AT_REMOVEDIR) == 0;
        if (!gone && (errno == ENOTEMPTY || errno == EEXIST) && !remover->failed) {
            take_unlisted(remover, fd, spot);
            gone = unlinkat(dir_fd, name, AT_REMOVEDIR) == 0;
        }
    }
    remover->path[path_length] = '\0';
    if (remover->way == LIFE_REMOVE && !gone &&
        errno != ENOENT) /* reported already if it is not empty */
        note_obstacle(remover, FAILED, errno, dir_fd, name);
    close(fd);
    return gone;
}

/* ---- the top, with its manifests ---- */

/* Removes manifests last, and only if nothing else is left; if the directory cannot be removed
 * then, puts one again, so that `clean` can finish later.  Returns 0 or an error number. */
static int remove_top(struct remover *remover, int dir_fd, const char *directory)
{
    struct life_manifest again = *remover->manifest;
    struct error own = ERROR_INIT;
    struct fileset_place run;
    const struct life_place *place = fileset_place(&run, dir_fd, remover->path, false);
    int code;

    code = life_remove(place, remover->manifest, &own);
    if (code > 0)
        note_obstacle(remover, FOREIGN, 0, dir_fd, LIFE_NAME "*");
    else if (code < 0)
        note_obstacle(remover, FAILED, own.errnum, dir_fd, LIFE_FIRST);
    if (code == 0 &&
        (unlinkat(remover->set->parent_fd, directory, AT_REMOVEDIR) == 0 || errno == ENOENT))
        return 0;
    if (code != 0)
        return 0; /* noted */
    code = errno;
    (void)life_begin(place, &again, &own);
    return code;
}

static void remove_directory(struct remover *remover, int dir_fd, const char *directory)
{
    int code = remove_top(remover, dir_fd, directory);

    if (code == ENOTEMPTY || code == EEXIST) {
        take_unlisted(remover, dir_fd, &(struct spot){.level = 1});
        code = remover->failed ? 0 : remove_top(remover, dir_fd, directory);
    }
    if (code != 0)
        note_obstacle(remover, FAILED, code, dir_fd, "");
}

/* Whether an open directory is the one that is held.  Where the inode number of that one has
 * changed meanwhile, its manifest decides. */
static bool is_held(const struct fileset *set, int dir_fd, const char *path, const struct stat *st)
{
    struct error ignored = ERROR_INIT;
    struct fileset_place run;
    struct stat held;

    if (set->inode == 0)
        return true;
    if (set->device != (uint64_t)st->st_dev)
        return false;
    return set->inode == (uint64_t)st->st_ino ||
           (!(os_traits(dir_fd) & OS_INODES_LAST) && fstat(set->held_fd, &held) == 0 &&
            set->inode != (uint64_t)held.st_ino &&
            life_whose(fileset_place(&run, dir_fd, path, false), set->manifest, &ignored) ==
                LIFE_OURS);
}

/* Whether the directory that is held still exists, though its name does not. */
static bool is_moved(const struct fileset *set)
{
    struct stat st;

    return set->inode != 0 && fstat(set->held_fd, &st) == 0 && set->device == (uint64_t)st.st_dev &&
           S_ISDIR(st.st_mode) && st.st_nlink > 0;
}

int fileset_go_over(struct fileset *set, enum life_way way, struct life_tally *tally,
                    struct error *err)
{
    const struct life_set *tree = set->manifest->set;
    struct remover remover = {.set = set,
                              .manifest = set->manifest,
                              .levels = tree->levels > 0 ? (unsigned)tree->levels : 1,
                              .width = tree->count == 0   ? 0
                                       : tree->levels > 0 ? (unsigned)tree->width
                                                          : 1,
                              .way = way,
                              .tally = tally,
                              .err = err};
    char directory[FILESET_DIRECTORY_MAX];
    struct stat st;
    int dir_fd, code;

    fileset_directory_name(set->manifest, directory);
    snprintf(remover.path, sizeof(remover.path), "%s/%s", set->parent_path, directory);
    dir_fd = beneath_open(set->parent_fd, directory, O_RDONLY | O_DIRECTORY, 0);
    code = dir_fd < 0 ? -dir_fd : fstat(dir_fd, &st) != 0 ? errno : 0;
    if (dir_fd == -ENOENT) {
        if (is_moved(set))
            note_obstacle(&remover, MOVED, 0, dir_fd, "");
    } else if (code == EXDEV || code == ENOTDIR || code == ELOOP ||
               (code == 0 && !is_held(set, dir_fd, remover.path, &st))) {
        note_obstacle(&remover, code == EXDEV ? MOUNTED : FOREIGN, 0, dir_fd, "");
    } else if (code != 0) {
        note_obstacle(&remover, FAILED, code, dir_fd, "");
    } else {
        remover.device = (uint64_t)st.st_dev;
        remover.pace.last_ns = clock_now(&clock_monotonic); /* no progress line for a short one */
        code = fileset_learn_marks(&remover.marks, dir_fd, set->manifest);
        if (code != 0)
            note_obstacle(&remover, FAILED, code, dir_fd, "");
        else
            take_listed(&remover, dir_fd, &(struct spot){.level = 1});
        if (way == LIFE_REMOVE && !remover.failed)
            remove_directory(&remover, dir_fd, directory);
    }
    if (dir_fd >= 0)
        close(dir_fd);
    return remover.failed ? -1 : 0;
}
