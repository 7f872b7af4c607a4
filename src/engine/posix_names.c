/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* posix_names.c - the engines posix and pread in tests of names: stat and list count what they
 * find; rename and delete use files that each thread makes in its own directory before each slice,
 * outside the timed window. One operation is one call of the hook. --sync end flushes the directory
 * within each operation that changes it: only then is the change durable. */
#include "base/compat.h"

#include "engine/posix.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/number.h"
#include "engine/file.h"
#include "os/beneath.h"
#include "os/os.h"

#define LIST_DEPTH_MAX   64u   /* directories open at a time */
#define LIST_ENTRY_BYTES 32768 /* size of one request, like that of glibc's readdir(3) */
#define MOVABLE_MOST     64u   /* limit of files that a thread renames, per size ... */
#define MOVABLE_BYTES    (UINT64_C(16) << 20) /* ... and of their total size */
#define DIRECTORY_TEXT   256u                 /* longer than any directory a run makes */

/* ---- stat ---- */

struct names_ctx {
    const struct target *target;
    const char *const *name; /* of each object */
    int64_t io_bytes;
    struct engine_found found;
    struct os_how how; /* of directories */
    uint64_t *entries; /* LIST_ENTRY_BYTES per level */
    char failure[FAILURE_BYTES];
};

static int names_setup(const struct workload *work, const struct engine_thread *thread,
                       void **ctx_out, struct error *err)
{
    struct names_ctx *ctx = mem_calloc(1, sizeof(*ctx));

    (void)thread;
    (void)err;
    ctx->target = work->target;
    ctx->name = work->target->name + work->object_first;
    ctx->io_bytes = (int64_t)work->io_bytes;
    ctx->how.flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    if (work->target->noatime)
        ctx->how.flags |= OS_O_NOATIME;
    if (os_opens_beneath()) {
        ctx->how.flags |= OS_O_LARGEFILE;
        ctx->how.resolve = OS_NO_LINKS | OS_STAY_ON_MOUNT;
    }
    if (work->test == TEST_LIST) /* untouched pages occupy no memory */
        ctx->entries = mem_calloc(LIST_DEPTH_MAX, LIST_ENTRY_BYTES);
    *ctx_out = ctx;
    return 0;
}

static void names_teardown(void *arg)
{
    struct names_ctx *ctx = arg;

    free(ctx->entries);
    free(ctx);
}

static void names_report(void *arg, struct engine_report *report)
{
    const struct names_ctx *ctx = arg;

    report->found = ctx->found;
    report->first_failure = ctx->failure[0] != '\0' ? ctx->failure : NULL;
}

static COLD int failed(struct names_ctx *ctx, const char *action, const char *name, int errnum)
{
    return failure_note(ctx->failure, action, ctx->target->dir_path, name, errnum);
}

/* A missing name is a result, too. */
static int64_t posix_stat(void *arg, uint32_t object)
{
    struct names_ctx *ctx = arg;
    struct stat st;

    if (__builtin_expect(
            fstatat(ctx->target->dir_fd, ctx->name[object], &st, AT_SYMLINK_NOFOLLOW) == 0, 1)) {
        ctx->found.hits++;
        return ctx->io_bytes;
    }
    if (errno != ENOENT && errno != ENOTDIR)
        return failed(ctx, "cannot stat", ctx->name[object], errno);
    ctx->found.misses++;
    return ctx->io_bytes;
}

/* ---- list ---- */

static bool is_aside(const struct names_ctx *ctx, const char *name)
{
    for (const char *const *aside = ctx->target->aside; *aside; aside++)
        if (strncmp(name, *aside, strlen(*aside)) == 0)
            return true;
    return false;
}

/* For file systems that do not report the type. */
static COLD enum os_entry kind_of(int fd, const char *name)
{
    struct stat st;

    return fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode)
               ? OS_ENTRY_DIRECTORY
               : OS_ENTRY_OTHER;
}

/* The entry was removed, is no longer a directory, is on another file system, or belongs to another
 * user and was left out with a warning when the tree was scanned. */
static bool is_left_out(int errnum)
{
    return errnum == ENOENT || errnum == ENOTDIR || errnum == ELOOP || errnum == EXDEV ||
           errnum == EACCES;
}

/* Counts everything but directories below an open one, which it closes. 0 or -errno. Limited to
 * LIST_DEPTH_MAX levels. */
static int64_t list_below(struct names_ctx *ctx, int fd, unsigned level)
{
    struct os_listing listing;
    enum os_entry kind;
    const char *name;
    int64_t code;

    os_list_begin(&listing, fd, (char *)ctx->entries + (size_t)level * LIST_ENTRY_BYTES,
                  LIST_ENTRY_BYTES);
    while ((code = os_list_next(&listing, &name, &kind)) > 0) {
        int below;

        if (level == 0 && ctx->target->aside && is_aside(ctx, name))
            continue;
        if (kind == OS_ENTRY_UNKNOWN)
            kind = kind_of(fd, name);
        if (kind != OS_ENTRY_DIRECTORY) {
            ctx->found.names++;
            continue;
        }
        if (level + 1 == LIST_DEPTH_MAX) {
            code = failed(ctx, "too many levels of directories for test list:", name, ELOOP);
            break;
        }
        below = os_openat(fd, name, &ctx->how);
        if (below < 0 && is_left_out(errno))
            continue;
        code =
            below < 0 ? failed(ctx, "cannot list", name, errno) : list_below(ctx, below, level + 1);
        if (code < 0)
            break;
    }
    os_list_end(&listing);
    return code;
}

static int64_t posix_list(void *arg, uint32_t object)
{
    struct names_ctx *ctx = arg;
    const uint64_t before = ctx->found.names;
    const int fd = os_openat(ctx->target->dir_fd, ".", &ctx->how);
    const int64_t code = fd < 0 ? failed(ctx, "cannot list", "", errno) : list_below(ctx, fd, 0);

    (void)object;
    if (__builtin_expect(code < 0, 0)) {
        ctx->found.names = before;
        return code;
    }
    ctx->found.listings++;
    return ctx->io_bytes;
}

/* ---- rename and delete ---- */

/* Where delete takes files from, each once: those made for the slice, in a range for each thread,
 * or those of a kept run. Of the latter only the directory of a name is opened, without following
 * links on the way; it stays open while the next names are in it. */
struct supply {
    const struct target *target;
    uint32_t range, ranges, ranges_left; /* the current range, and how many are left with it */
    int dir_fd;                          /* kept run; -1: not open */
    const char *name;                    /* of a file in it */
    size_t name_length;                  /* of the directory part */
};

struct changes_ctx {
    struct fresh fresh; /* first */
    int64_t io_bytes;
    bool sync_end;
    struct supply supply; /* delete */
    /* rename: files first ... first + count - 1 in turn, each renamed and renamed back */
    const struct fresh_movable *movable;
    bool *moved;
    uint32_t turn;
};

static struct changes_ctx *changes_begin(const struct workload *work,
                                         const struct engine_thread *thread, struct error *err)
{
    struct changes_ctx *ctx = mem_calloc(1, sizeof(*ctx));

    ctx->io_bytes = (int64_t)work->io_bytes;
    ctx->sync_end = work->sync == SYNC_END;
    if (work->test == TEST_DELETE && work->target->retired) {
        ctx->fresh = (struct fresh){.work = work, .dir_fd = -1};
    } else if (fresh_open(&ctx->fresh, work, thread, err) != 0) {
        free(ctx);
        return NULL;
    }
    ctx->fresh.stay = true;
    return ctx;
}

/* ---- delete ---- */

static COLD int supply_enter(struct supply *supply, const char *name, size_t length)
{
    char directory[DIRECTORY_TEXT] = ".";

    if (length >= sizeof(directory))
        return -ENAMETOOLONG;
    if (length > 0)
        memcpy(directory, name, length);
    directory[length > 0 ? length : 1] = '\0';
    if (supply->dir_fd >= 0)
        close(supply->dir_fd);
    supply->dir_fd = beneath_open(supply->target->dir_fd, directory, O_RDONLY | O_DIRECTORY, 0);
    supply->name = name;
    supply->name_length = length;
    return supply->dir_fd;
}

/* Takes a number exclusively: all threads that use a range advance its counter atomically. */
static bool supply_take(struct supply *supply, uint64_t *number)
{
    for (; supply->ranges_left > 0; supply->ranges_left--) {
        struct fresh_range *range = supply->target->retired
                                        ? &supply->target->retired->range[supply->range]
                                        : &supply->target->fresh[supply->range].stock;

        if (atomic_load_explicit(&range->next, memory_order_relaxed) < range->end) {
            *number = atomic_fetch_add_explicit(&range->next, 1, memory_order_relaxed);
            if (*number < range->end)
                return true;
        }
        supply->range = (supply->range + 1) % supply->ranges;
    }
    return false;
}

/* The directory of a file of a kept run, or -errno. *name: below it. */
static int supply_directory(struct supply *supply, uint64_t number, const char **name)
{
    const char *const whole = supply->target->name[number], *const slash = strrchr(whole, '/');
    const size_t length = slash ? (size_t)(slash - whole) : 0;

    *name = slash ? slash + 1 : whole;
    if (supply->dir_fd >= 0 && length == supply->name_length &&
        memcmp(whole, supply->name, length) == 0)
        return supply->dir_fd;
    return supply_enter(supply, whole, length);
}

/* Also removes what a slice that ended early has left, regardless of --keep. */
static void delete_teardown(void *arg)
{
    struct changes_ctx *ctx = arg;
    const struct target_fresh *own = ctx->fresh.own;

    if (ctx->supply.dir_fd >= 0)
        close(ctx->supply.dir_fd);
    if (own)
        fresh_remove(&ctx->fresh, atomic_load(&own->stock.next), own->stock.end);
    fresh_close(&ctx->fresh);
    free(ctx);
}

static int delete_setup(const struct workload *work, const struct engine_thread *thread,
                        void **ctx_out, struct error *err)
{
    struct changes_ctx *ctx = changes_begin(work, thread, err);
    const uint32_t ranges = work->target->retired ? TARGET_RETIRED_RANGES : thread->threads;
    int code = 0;

    if (!ctx)
        return -1;
    ctx->supply =
        (struct supply){.target = work->target,
                        .dir_fd = -1,
                        .range = (uint32_t)((uint64_t)thread->index * ranges / thread->threads),
                        .ranges = ranges,
                        .ranges_left = ranges};
    if (!work->target->retired) {
        struct target_fresh *own = ctx->fresh.own;

        atomic_store(&own->stock.next, own->next);
        code = fresh_make(&ctx->fresh, number_share(thread->cycles, thread->index, thread->threads),
                          err);
        own->stock.end = own->next;
    }
    if (code != 0) {
        delete_teardown(ctx);
        return -1;
    }
    *ctx_out = ctx;
    return 0;
}

static COLD int64_t delete_failed(struct changes_ctx *ctx, uint64_t number, int errnum)
{
    const bool kept = ctx->supply.target->retired;

    if (!kept)
        ctx->fresh.index = ctx->supply.range; /* the owner */
    return fresh_failed(&ctx->fresh, "cannot remove", kept ? 0 : FRESH_NAME, number, errnum);
}

static int64_t posix_delete(void *arg, uint32_t object)
{
    struct changes_ctx *ctx = arg;
    struct supply *supply = &ctx->supply;
    char made[FRESH_NAME_MAX];
    const char *name = made;
    uint64_t number;
    int dir_fd;

    (void)object;
    if (__builtin_expect(!supply_take(supply, &number), 0))
        return -ENOENT;
    if (supply->target->retired) {
        dir_fd = supply_directory(supply, number, &name);
        if (__builtin_expect(dir_fd < 0, 0))
            return delete_failed(ctx, number, -dir_fd);
    } else {
        dir_fd = supply->target->fresh[supply->range].dir_fd;
        fresh_name(FRESH_NAME, number, made);
    }
    if (__builtin_expect(unlinkat(dir_fd, name, 0) < 0, 0))
        return delete_failed(ctx, number, errno);
    if (__builtin_expect(ctx->sync_end, 0) && os_sync(dir_fd) < 0 && errno != EINVAL)
        return delete_failed(ctx, number, errno);
    return ctx->io_bytes;
}

/* ---- rename ---- */

/* Uses the files of the workload's size; they keep their names between slices. */
static int find_movable(struct changes_ctx *ctx, struct error *err)
{
    struct target_fresh *own = ctx->fresh.own;
    const uint64_t bytes = ctx->fresh.work->size_bytes, fit = MOVABLE_BYTES / (bytes ? bytes : 1);
    const uint64_t first = own->next;

    for (uint32_t i = 0; i < own->movable_count; i++)
        if (own->movable[i].size_bytes == bytes) {
            ctx->movable = &own->movable[i];
            return 0;
        }
    if (fresh_make(&ctx->fresh, fit < 1 ? 1 : fit < MOVABLE_MOST ? fit : MOVABLE_MOST, err) != 0)
        return -1;
    own->movable = mem_realloc_array(own->movable, own->movable_count + 1, sizeof(*own->movable));
    own->movable[own->movable_count] = (struct fresh_movable){
        .size_bytes = bytes, .first = first, .count = (uint32_t)(own->next - first)};
    ctx->movable = &own->movable[own->movable_count++];
    return 0;
}

static bool is_there(const struct fresh *fresh, enum fresh_kind kind, uint64_t number)
{
    char name[FRESH_NAME_MAX];
    struct stat st;

    return fstatat(fresh->dir_fd, fresh_name(kind, number, name), &st, AT_SYMLINK_NOFOLLOW) == 0;
}

/* rename(2) replaces the target name, which could only be another program's file. */
static int expect_free(const struct changes_ctx *ctx, struct error *err)
{
    const struct fresh *fresh = &ctx->fresh;
    char name[FRESH_NAME_MAX], *path;

    for (uint32_t i = 0; i < ctx->movable->count; i++) {
        const uint64_t number = ctx->movable->first + i;

        if (!is_there(fresh, FRESH_MOVED, number) || !is_there(fresh, FRESH_NAME, number))
            continue;
        path = mem_printf("%s/" FRESH_DIRECTORY "/t%u/%s", fresh->work->target->dir_path,
                          (unsigned)fresh->index, fresh_name(FRESH_MOVED, number, name));
        error_set(err, STATUS_TARGET, EEXIST, "cannot rename a file to", path);
        free(path);
        return error_advise(err, "nothing else may change the directory of a run");
    }
    return 0;
}

static int rename_setup(const struct workload *work, const struct engine_thread *thread,
                        void **ctx_out, struct error *err)
{
    struct changes_ctx *ctx = changes_begin(work, thread, err);

    if (!ctx)
        return -1;
    if (find_movable(ctx, err) != 0 || expect_free(ctx, err) != 0) {
        fresh_close(&ctx->fresh);
        free(ctx);
        return -1;
    }
    ctx->moved = mem_calloc(ctx->movable->count + 1, sizeof(*ctx->moved));
    *ctx_out = ctx;
    return 0;
}

static int move(struct changes_ctx *ctx, uint32_t turn)
{
    const uint64_t number = ctx->movable->first + turn;
    char name[FRESH_NAME_MAX], other[FRESH_NAME_MAX];
    int code;

    fresh_name(FRESH_NAME, number, name);
    fresh_name(FRESH_MOVED, number, other);
    code = ctx->moved[turn] ? renameat(ctx->fresh.dir_fd, other, ctx->fresh.dir_fd, name)
                            : renameat(ctx->fresh.dir_fd, name, ctx->fresh.dir_fd, other);
    if (__builtin_expect(code < 0, 0))
        return -errno;
    ctx->moved[turn] = !ctx->moved[turn];
    return 0;
}

static int64_t posix_rename(void *arg, uint32_t object)
{
    struct changes_ctx *ctx = arg;
    const uint32_t turn = ctx->turn;
    int code = turn < ctx->movable->count ? move(ctx, turn) : -ENOENT;

    (void)object;
    ctx->turn = turn + 1 < ctx->movable->count ? turn + 1 : 0;
    if (__builtin_expect(ctx->sync_end, 0) && code == 0)
        code = fresh_sync_directory(&ctx->fresh);
    if (__builtin_expect(code < 0, 0))
        return fresh_failed(&ctx->fresh, "cannot rename",
                            ctx->moved[turn] ? FRESH_MOVED : FRESH_NAME, ctx->movable->first + turn,
                            -code);
    return ctx->io_bytes;
}

/* Restores the original names, also after an interruption. */
static void rename_teardown(void *arg)
{
    struct changes_ctx *ctx = arg;

    for (uint32_t i = 0; i < ctx->movable->count; i++)
        if (ctx->moved[i])
            (void)move(ctx, i);
    fresh_close(&ctx->fresh);
    free(ctx->moved);
    free(ctx);
}

/* clang-format off */
#define NAMES_TABLES(test, which, hook, ...)                                                  \
    POSIX_TABLES(test, .phases = 1u << PHASE_TRANSFER, .tests = 1u << (which), .operate = hook, \
                 __VA_ARGS__)
NAMES_TABLES(stat, TEST_STAT, posix_stat, .summary = "fstatat", .setup = names_setup,
             .teardown = names_teardown, .report = names_report);
NAMES_TABLES(list, TEST_LIST, posix_list, .summary = "getdents", .setup = names_setup,
             .teardown = names_teardown, .report = names_report);
NAMES_TABLES(delete, TEST_DELETE, posix_delete, .summary = "unlinkat",
             .capabilities = ENGINE_WRITES, .setup = delete_setup, .teardown = delete_teardown,
             .report = fresh_report);
NAMES_TABLES(rename, TEST_RENAME, posix_rename, .summary = "renameat",
             .capabilities = ENGINE_WRITES, .setup = rename_setup, .teardown = rename_teardown,
             .report = fresh_report);
/* clang-format on */
